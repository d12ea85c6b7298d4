"""What other readings would do to the claims about the floor, and to the numbers behind them."""

from penstock.studies.cells import cell
from penstock.studies.claim import Check, Claim, Sample
from penstock.studies.flush.claims import CLAIMS
from penstock.studies.flush.experiments import OF_THE_PAPER
from penstock.studies.flush.paper import DEPTHS, INTERVALS_S
from penstock.studies.flush.readings import READINGS, Reading
from penstock.studies.flush.samples import NAMES, milliseconds, of_interval, of_mode
from penstock.studies.judge import judge_claim
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table

OWN = "the study's own"


def numbers(tables: Loaded) -> Table | None:
    """Packets/s over the hops under each reading."""
    rows: list[tuple[str, ...]] = []
    for text, there in _worlds(tables):
        lines = [(NAMES["flush"], [of_mode("flush", "overall_pps", depth) for depth in DEPTHS])]
        lines += [
            (milliseconds(each), [of_interval(each, "overall_pps", depth) for depth in DEPTHS])
            for each in INTERVALS_S
        ]
        for name, samples in lines:
            cells = [cell(sample, there) for sample in samples]
            if any(each != NOTHING for each in cells):
                rows.append((f"{text}: {name}", *cells))
    return Table(("packets/s over so many hops", *map(str, DEPTHS)), tuple(rows)) if rows else None


def verdicts(tables: Loaded) -> Table | None:
    """What the paper's claims would be under each reading."""
    worlds = _worlds(tables)
    rows: list[tuple[str, ...]] = []
    for claim in CLAIMS:
        parts = tuple(part for part in claim.parts if isinstance(part, Check) and _answered(part))
        if parts:
            cells = [_said(claim, parts, there) for _, there in worlds]
            rows.append((claim.id, f"{parts[0].statement}: {parts[0].paper}", *cells))
    return Table(("claim", "first part", *(text for text, _ in worlds)), tuple(rows)) if worlds else None


def under(reading: Reading, tables: Loaded) -> Loaded:
    """A reading's experiments in the places of the study's own."""
    ending = f"-{reading.key}"
    own = {each.key for each in OF_THE_PAPER}
    return {key: tables[key + ending] for key in own if key + ending in tables}


def _worlds(tables: Loaded) -> list[tuple[str, Loaded]]:
    worlds = [(OWN, tables), *((each.text, under(each, tables)) for each in READINGS)]
    return [(text, there) for text, there in worlds if "indoor" in there]


def _answered(check: Check) -> bool:
    """Whether it is about experiments that every reading has."""
    samples: list[Sample] = [check.of] if check.versus is None else [check.of, check.versus]
    own = {each.key for each in OF_THE_PAPER}
    return all(sample.experiment in own for sample in samples)


def _said(claim: Claim, parts: tuple[Check, ...], there: Loaded) -> str:
    judged = judge_claim(Claim(claim.id, claim.statement, claim.source, claim.paper, parts), there)
    return f"{judged.verdict}: {judged.first.measured} ({judged.holding} of {len(parts)})"


READING_SECTIONS: tuple[Section, ...] = (
    Section(
        "readings",
        "The claims under other readings",
        "The parts of each claim about Flush and fixed intervals on the floor, judged by the same tests "
        "with one thing changed. In brackets: parts that agree. "
        + " ".join(f"“{each.text}”: {each.basis}." for each in READINGS),
        verdicts,
    ),
    Section(
        "readings-floor",
        "The floor under other readings",
        "± is half the interval over seeds.",
        numbers,
    ),
)
