"""What goes beyond the thesis: each part's gain or cost, against the strategy that lacks it alone."""

from penstock.studies.cells import cell
from penstock.studies.claim import Sample
from penstock.studies.fusion.samples import at, burst
from penstock.studies.fusion.thesis import ALL, BEYOND, HIGH_LOAD, STANDS_BESIDE
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table

GAINS = {
    "periodic, 0.5": ("periodic", 0.5),
    "periodic, 4": ("periodic", HIGH_LOAD),
    "fan-in, 4": ("fan-in", HIGH_LOAD),
    "events, B = 1": ("event", 1.0),
    "events, B = 8": ("event", 8.0),
}
ASLEEP = (0.0, 0.25, 0.5, 0.75, 0.9)


def _gains(metric: str, found: str = "") -> "Section":
    def table(tables: Loaded) -> Table | None:
        rows: list[tuple[str, ...]] = []
        for strategy in BEYOND:
            other = STANDS_BESIDE[strategy]
            cells = [
                cell(
                    Sample(experiment, strategy, metric, x),
                    tables,
                    Sample(experiment, other, metric, x),
                    "ratio",
                )
                for experiment, x in GAINS.values()
            ]
            rows.append((f"{strategy} over {other}", *cells))
        measured = any(text != NOTHING for row in rows for text in row[1:])
        return Table(("", *GAINS), tuple(rows)) if measured else None

    return Section(
        f"gains-{metric.replace('_', '-')}",
        f"Beyond the thesis: {metric.removesuffix('_pps').replace('_', ' ')}",
        "Ratio of each addition to the thesis's strategy beside it, paired by seed, with its interval: "
        f"above 1 is a gain. {found}".rstrip(),
        table,
    )


def _limiters(experiment: str, title: str, text: str, loads: tuple[float, ...]) -> Section:
    metrics = {
        "max_min_fairness": "max-min fairness",
        "throughput_pps": "at the sink, packets/s",
        "efficiency": "efficiency η",
        "median_node_throughput_pps": "median node, packets/s",
    }

    def table(tables: Loaded) -> Table | None:
        rows = [
            (f"{strategy}, {load:g}", *(cell(at(strategy, m, load, experiment), tables) for m in metrics))
            for load in loads
            for strategy in ALL
        ]
        rows = [row for row in rows if any(text != NOTHING for text in row[1:])]
        return Table(("strategy, packets/s", *metrics.values()), tuple(rows)) if rows else None

    return Section(experiment, title, text, table)


def _adaptation(tables: Loaded) -> Table | None:
    metrics = ("efficiency", "throughput_pps", "fairness", "channel_loss_rate", "delivery_ratio")
    rows: list[tuple[str, ...]] = []
    for strategy in ALL:
        for load in (0.5, 1.0, 2.0, HIGH_LOAD):
            pairs = [
                tuple(
                    Sample("adaptation", strategy, metric, load, (("application.adaptation", kind),))
                    for kind in ("aimd", "wait")
                )
                for metric in metrics
            ]
            cells = [cell(aimd, tables, wait, "ratio") for aimd, wait in pairs]
            if any(text != NOTHING for text in cells):
                rows.append((f"{strategy}, {load:g}", *cells))
    heads = ("efficiency η", "at the sink", "fairness φ", "channel loss", "delivered")
    return Table(("strategy, packets/s", *heads), tuple(rows)) if rows else None


def _asleep(tables: Loaded) -> Table | None:
    rows: list[tuple[str, ...]] = []
    for rate in (0.25, 1.0):
        for strategy in ALL:
            samples = [
                Sample("duty-cycle", strategy, "efficiency", fraction, (("traffic.rate_pps", rate),))
                for fraction in ASLEEP
            ]
            cells = [cell(sample, tables) for sample in samples]
            if any(text != NOTHING for text in cells):
                rows.append((f"{strategy}, {rate:g}", *cells))
    heads = ("never", *(f"{fraction:.0%}" for fraction in ASLEEP[1:]))
    return Table(("strategy, packets/s of a leaf", *heads), tuple(rows)) if rows else None


def _burst_drops(tables: Loaded) -> Table | None:
    sizes = tuple(range(1, 9))
    rows = [(s, *(cell(burst(s, "delivery_ratio", b), tables) for b in sizes)) for s in ALL]
    rows = [row for row in rows if any(text != NOTHING for text in row[1:])]
    return Table(("strategy", *(f"B = {size}" for size in sizes)), tuple(rows)) if rows else None


BEYOND_SECTIONS: tuple[Section, ...] = (
    _gains(
        "efficiency",
        "In the full run: detection by loss gains a little at 0.5 packets/s and costs a third at 4, probably "
        "since all links look lossy there; the union calls nodes congested more often, and costs a quarter; "
        "congestion bits in acknowledgements reach senders alone and cost a twelfth, for which nobody need "
        "overhear anything; told rates gain 20 to 60 %.",
    ),
    _gains("throughput_pps", "In the full run told rates gain 6 to 25 %."),
    _gains(
        "fairness",
        "In the full run told rates cost a quarter at 4 packets/s, probably since the lossy hops of deep "
        "branches do not bring through what their sources are granted. They gain for bursts.",
    ),
    Section("event-delivery", "Events: share of the packets that arrive", "By event size B.", _burst_drops),
    _limiters(
        "unequal",
        "Sources of unequal rates",
        "Each source's rate is drawn between a quarter and four times the load. Max-min fairness compares "
        "what each source gets with the max-min share of the same total under these demands: 1 is perfect. "
        "In the full run told rates deliver more than guessed ones, from 1 packet/s on more efficiently, and "
        "less evenly.",
        (0.25, 1.0, 2.0),
    ),
    _limiters(
        "failing",
        "Ten nodes fail",
        "Ten nodes stop for good after 60 of 240 s. Routes are not pinned. Sources that failed do not count. "
        "In the full run told rates gain a third in efficiency; at 0.5 packets/s they are fairer as well.",
        (0.5, 2.0),
    ),
    _limiters(
        "skewed",
        "A skewed tree",
        "Figure 4-2: two children of the sink, one with nobody behind it, one with four sources. All hear "
        "each other. In the full run told rates give every source the same to within a thousandth, and "
        "16 % more than guessed ones at 4 packets/s.",
        (1.0, 2.0, HIGH_LOAD),
    ),
    Section(
        "adaptation",
        "Applications that adapt their rate (4.6)",
        "An AIMD sender over one that waits until it is let in: ratio, paired by seed. In the full run it "
        "gains in efficiency and fairness under all strategies, most without control and under backpressure, "
        "but for those with told rates: to back off from a rate that was measured for the sender is a loss.",
        _adaptation,
    ),
    Section(
        "asleep",
        "Leaves that sleep (5.3.6): efficiency",
        "By the share of each period that a leaf sleeps; a core of ten nodes forwards.",
        _asleep,
    ),
)
