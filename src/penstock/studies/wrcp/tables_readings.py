"""What other readings would do to the claims, and to the numbers behind them."""

from penstock.studies.cells import cell
from penstock.studies.claim import Check, Claim
from penstock.studies.judge import Judged, judge_claim
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table
from penstock.studies.wrcp.claims import CLAIMS
from penstock.studies.wrcp.paper import FLOORS, RIVALS
from penstock.studies.wrcp.readings import READINGS, Reading
from penstock.studies.wrcp.samples import at

METRICS = {
    "throughput_pps": "at the sink, packets/s",
    "least_goodput_pps": "least source, packets/s",
    "bound_least": "least source over its bound",
    "source_delay_s": "mean delay, s",
    "channel_loss_rate": "channel loss",
    "rate_variance": "variance of the rate",
    "convergence_s": "convergence, s",
}
OWN = "the study's own"


def numbers(nodes: int) -> Section:
    """The static case under each reading."""

    def table(tables: Loaded) -> Table | None:
        rows: list[tuple[str, ...]] = []
        named = {f"static-{nodes}": OWN} | {f"static-{nodes}-{each.key}": each.text for each in READINGS}
        for experiment, text in named.items():
            for name in RIVALS:
                cells = [cell(at(name, metric, experiment), tables) for metric in METRICS]
                if any(each != NOTHING for each in cells):
                    rows.append((f"{text}: {name}", *cells))
        return Table(("reading", *METRICS.values()), tuple(rows)) if rows else None

    return Section(
        f"readings-{nodes}",
        f"The static case under other readings, {nodes} nodes",
        "± is half the interval over seeds. Bounds are of the capacities that WRCP goes by in each row.",
        table,
    )


def verdicts(tables: Loaded) -> Table | None:
    """What the claims about one topology would be under each reading, by the parts that it answers."""
    worlds = [(OWN, tables), *((each.text, under(each, tables)) for each in READINGS)]
    worlds = [(text, there) for text, there in worlds if "static-20" in there]
    rows: list[tuple[str, ...]] = []
    for claim in CLAIMS:
        parts = tuple(part for part in claim.parts if isinstance(part, Check) and _of_floors(part))
        if parts:
            cells = [_said(claim, parts, there) for _, there in worlds]
            rows.append((claim.id, f"{parts[0].statement}: {parts[0].paper}", *cells))
    return Table(("claim", "first part", *(text for text, _ in worlds)), tuple(rows)) if worlds else None


def under(reading: Reading, tables: Loaded) -> Loaded:
    """A reading's experiments in the places of the study's own."""
    ending = f"-{reading.key}"
    return {key.removesuffix(ending): found for key, found in tables.items() if key.endswith(ending)}


def _of_floors(check: Check) -> bool:
    places = tuple(f"{case}-{nodes}" for case in ("static", "case-1", "case-2") for nodes in FLOORS)
    return check.of.experiment in places


def _said(claim: Claim, parts: tuple[Check, ...], there: Loaded) -> str:
    known = tuple(part for part in parts if part.of.experiment in there)
    if not known:
        return NOTHING
    judged: Judged = judge_claim(Claim(claim.id, claim.statement, claim.source, claim.paper, known), there)
    return f"{judged.verdict}: {judged.first.measured} ({judged.holding} of {len(known)})"


READING_SECTIONS: tuple[Section, ...] = (
    Section(
        "readings",
        "The claims under other readings",
        "The parts of each claim about the two floors, judged by the same tests with one thing changed. In "
        "brackets: parts that agree. " + " ".join(f"“{each.text}”: {each.basis}." for each in READINGS),
        verdicts,
    ),
    *(numbers(nodes) for nodes in FLOORS),
)
