"""Tables under tests/golden/: what a run gave when somebody last looked, for tests to compare with."""

import csv
from pathlib import Path

from penstock.studies.reproduce import Reproduction

GOLDEN = Path(__file__).parent / "golden"

Rows = list[dict[str, str]]


def pinned(name: str, rows: Rows, update: bool) -> Rows:
    """The stored table of that name, every cell as text; with `update` the rows are stored first."""
    if update:
        with (GOLDEN / name).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return stored(name)


def stored(name: str) -> Rows:
    """The stored table of that name."""
    with (GOLDEN / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def claim_rows(made: Reproduction) -> Rows:
    """A study's claims part by part, as they were judged."""
    return [
        {
            "id": judged.claim.id,
            "part": part.check.statement,
            "measured": part.measured,
            "finding": part.verdict,
            "verdict": judged.verdict,
        }
        for judged in made.judged
        for part in judged.parts
    ]
