"""Table 1, the saturation curve, and what α does."""

from penstock.studies.cells import cell
from penstock.studies.claim import Sample
from penstock.studies.number import NOTHING, number
from penstock.studies.section import Loaded, Section, Table
from penstock.studies.wrcp.experiments import SENDERS, WORK
from penstock.studies.wrcp.paper import ALPHAS, GAMMA, POWER_DBM
from penstock.studies.wrcp.samples import sweep


def gammas(tables: Loaded) -> Table | None:
    """Γ, the bound on α, and where the variance rises, on the four topologies."""
    rows: list[tuple[str, ...]] = []
    for (nodes, level), paper in GAMMA.items():
        metrics = ("gamma_expected", "gamma", "alpha_bound", "variance_knee", "variance_rise", "delay_rise")
        cells = [cell(sweep(nodes, level, metric), tables) for metric in metrics]
        if any(text != NOTHING for text in cells):
            name = f"{nodes} nodes, level {level} ({POWER_DBM[level]:g} dBm)"
            rows.append((name, number(paper), number(2 / paper), *cells))
    head = (
        "topology",
        "Γ there",
        "2/Γ there",
        "Γ of the links, here",
        "Γ counted at α = 0.1",
        "2/Γ",
        "α at which the variance rises",
        "variance beyond 2/Γ over within",
        "delay beyond over within",
    )
    return Table(head, tuple(rows)) if rows else None


def saturation(tables: Loaded) -> Table | None:
    """Frames and new packets at the sink by senders, with and without work for a frame."""
    senders = SENDERS["full"]
    rows: list[tuple[str, ...]] = []
    for work, words in ((0.010, "10 ms of work a frame"), (0.0, "no work")):
        for metric, title in (("frames_pps", "frames"), ("throughput_pps", "new packets")):
            samples = [Sample("saturation", "none", metric, n + 1.0, ((WORK, work),)) for n in senders]
            cells = [cell(sample, tables) for sample in samples]
            if any(text != NOTHING for text in cells):
                rows.append((f"{title}, {words}", *cells))
    return Table(("per second", *map(str, senders)), tuple(rows)) if rows else None


def alphas(tables: Loaded) -> Table | None:
    """What WRCP's α does on both floors."""
    metrics = {
        "rate_variance": "variance of the rate",
        "throughput_pps": "at the sink, packets/s",
        "least_goodput_pps": "least source, packets/s",
        "source_delay_s": "mean delay, s",
        "convergence_s": "convergence, s",
    }
    rows: list[tuple[str, ...]] = []
    for nodes in (20, 40):
        for alpha in ALPHAS:
            cells = [cell(sweep(nodes, 10, metric, alpha), tables) for metric in metrics]
            if any(text != NOTHING for text in cells):
                rows.append((f"{nodes} nodes, α = {alpha:g}", *cells))
    return Table(("power level 10", *metrics.values()), tuple(rows)) if rows else None


PAPER_SECTIONS: tuple[Section, ...] = (
    Section(
        "table-1",
        "Table 1: Γ and the bound on α",
        "Γ counts data frames and acknowledgements for each packet that crosses a link, mean over the nodes. "
        "The paper's topologies are not published, so its Γ is not ours; what can be compared is where the "
        "variance rises. ± is half the interval over seeds.",
        gammas,
    ),
    Section(
        "saturation",
        "Saturation by number of senders (Fig. 4)",
        "A room of backlogged senders with frames of 40 bytes, each repeated until it is acknowledged.",
        saturation,
    ),
    Section("alpha", "Sensitivity to α", "WRCP alone; section 8 has α = 0.1.", alphas),
)
