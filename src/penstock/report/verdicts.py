"""What stands beside a paper's statements: signs, and the parts of claims as rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from penstock.findings import loads, measured
from penstock.studies.judge import Finding, Judged

MARKS = {
    "agrees": "●",
    "reproduced": "●",
    "direction only": "◐",
    "does not agree": "○",
    "not reproduced": "○",
    "inconclusive": "?",
    "not measured": "–",
}
"""A sign for each verdict, so that a printed column reads at a glance."""


@dataclass(frozen=True)
class PartRow:
    """A part of a claim with its sign. `rows` is how many rows its claim spans where it is the claim's first,
    else 0. `load`: what the part is about, in packets/s per node."""

    judged: Judged
    finding: Finding
    load: str
    mark: str
    rows: int


def part_rows(found: Sequence[Judged]) -> list[PartRow]:
    """The parts that were measured, claim by claim."""
    return [
        PartRow(judged, part, loads(part.check), MARKS[part.verdict], 0 if i else len(judged.parts))
        for judged in measured(found)
        for i, part in enumerate(judged.parts)
    ]
