"""The page of a study: a paper's claims with their verdicts, its figures, and tables beside them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from penstock.report.key import line_sample
from penstock.report.look import STRATEGY_LOOKS
from penstock.report.study_figures import Drawn, drawn
from penstock.report.tables import versions
from penstock.report.verdicts import MARKS
from penstock.report.words import STRATEGY_NAMES, percent
from penstock.report.write import filled, write_page
from penstock.studies.figure import Curves, Drawing, Spread, Stack
from penstock.studies.judge import CLAIM_VERDICTS, Judged
from penstock.studies.study import Effort

if TYPE_CHECKING:
    from penstock.studies.reproduce import Reproduction

EFFORTS: dict[Effort, str] = {
    "quick": "Quick: few seeds and fewer points, so intervals are wide and some verdicts wait for more.",
    "full": "Full: as many runs as the paper.",
    "reduced": "Reduced: a small floor for a moment, for tests. It says nothing about the paper.",
}


@dataclass(frozen=True)
class ClaimRow:
    """A claim as the page shows it.

    source: its pieces, each with the key of the figure it names, or "". note: why it is not reproduced.
    parts: how many of its parts agree, in words; empty for a claim of one part.
    """

    judged: Judged
    mark: str
    source: list[tuple[str, str]]
    note: str
    parts: str


@dataclass(frozen=True)
class Group:
    """Figures that stand together under one heading."""

    title: str
    figures: list[Drawn]


def write_study_report(made: "Reproduction", path: Path) -> None:
    """Write the study as one HTML file that needs nothing else; the same results give the same bytes.

    Raises BadInput if the file cannot be written.
    """
    write_page(render_study(made), path)


def render_study(made: "Reproduction") -> str:
    """The page as text."""
    return filled("study.html.j2", _content(made), ("study.css",), ("lines.js",))


def verdict_counts(judged: Sequence[Judged]) -> list[tuple[str, int]]:
    """How many claims got each verdict."""
    return [(verdict, sum(each.verdict == verdict for each in judged)) for verdict in CLAIM_VERDICTS]


def parts_agreeing(judged: Judged) -> str:
    """ "3 of 7 parts agree"; empty for a claim of one part."""
    parts = len(judged.parts)
    return f"{judged.holding} of {parts} parts agree" if parts > 1 else ""


def again(made: "Reproduction") -> str:
    """The command that makes the study again."""
    if made.effort == "reduced":
        return f'penstock.studies.reproduce.reproduce("{made.study.name}", "reduced", "results")'
    return f"penstock reproduce {made.study.name} --{made.effort}"


def _content(made: "Reproduction") -> dict[str, Any]:
    figures = drawn(made.study.figures, made.results, made.skipped)
    shown = [each for each in figures if each.chart is not None]
    keys = {each.figure.source: each.figure.key for each in shown}
    first = next(iter(made.results.values()), None)
    return {
        "study": made.study,
        "effort": EFFORTS[made.effort],
        "counts": [(MARKS[verdict], verdict, n) for verdict, n in verdict_counts(made.judged)],
        "claims": [_row(made, each, keys) for each in made.judged],
        "marks": MARKS,
        "experiments": _experiments(made),
        "skipped": [(_title_of(made, key), reason) for key, reason in made.skipped.items()],
        "groups": _groups(made, shown),
        "markup": {each.figure.key: Markup(each.chart.markup) for each in shown if each.chart},
        "missing": [each for each in figures if each.chart is None],
        "lines": _lines(shown),
        "thin": [name for name, look in STRATEGY_LOOKS.items() if look.thin],
        "sections": [(section, section.table(made.results)) for section in made.study.sections],
        "again": again(made),
        "versions": versions(first[0]) if first else [],
    }


def _row(made: "Reproduction", judged: Judged, keys: dict[str, str]) -> ClaimRow:
    note = made.note(judged)
    if len(judged.parts) > 1:  # the parts are listed below it
        note = made.study.notes.get(judged.claim.id, "") if judged.verdict != "reproduced" else ""
    source = _linked(judged.claim.source, keys)
    return ClaimRow(judged, MARKS[judged.verdict], source, note, parts_agreeing(judged))


def _linked(source: str, keys: dict[str, str]) -> list[tuple[str, str]]:
    """A source in pieces, those that name a figure with its key. "Fig. 5-1" is not in "Fig. 5-10"."""
    if not keys:
        return [(source, "")]
    names = "|".join(re.escape(name) for name in sorted(keys, key=len, reverse=True))
    pieces = re.split(rf"((?:{names})(?![\w-]))", source)
    return [(piece, keys.get(piece, "")) for piece in pieces if piece]


def _experiments(made: "Reproduction") -> list[tuple[str, str, str, str, str]]:
    """(title, points, seeds, level, runs) of every experiment that was run."""
    rows: list[tuple[str, str, str, str, str]] = []
    for each in made.study.experiments:
        if each.key in made.results:
            results = made.results[each.key][0]
            points, seeds = len(results.summary.get("points", [])), len(results.seeds)
            level = percent(results.scenario.confidence)
            rows.append((each.title, f"{points:,}", str(seeds), level, f"{results.runs.height:,}"))
    return rows


def _title_of(made: "Reproduction", key: str) -> str:
    return next((each.title for each in made.study.experiments if each.key == key), key)


def _groups(made: "Reproduction", shown: Sequence[Drawn]) -> list[Group]:
    """Neighbours of one experiment and one chapter together: "Fig. 3-1 top" is of chapter 3. What a study
    drew itself stands together by experiment alone."""
    groups: list[Group] = []
    last: tuple[str, str] | None = None
    for each in shown:
        drawn_itself = isinstance(each.figure, Drawing | Stack)
        number = None if drawn_itself else re.search(r"\d+", each.figure.source)
        place = (each.figure.experiment, number.group() if number else "")
        if place != last:
            groups.append(Group(_title_of(made, each.figure.experiment), []))
        groups[-1].figures.append(each)
        last = place
    return groups


def _lines(shown: Sequence[Drawn]) -> list[tuple[Markup, str, str]]:
    """(sample, name, meaning) of every strategy that is a line of a figure, in the order of its look."""
    named: set[str] = set()
    for each in shown:
        assert each.chart is not None
        if isinstance(each.figure, Curves | Spread):
            named |= {str(trace["meta"]) for trace in each.chart.figure["data"]}
    return [
        (Markup(line_sample(look)), name, STRATEGY_NAMES[name])
        for name, look in STRATEGY_LOOKS.items()
        if name in named
    ]
