"""A study in the documentation, from its folder: docs/studies/NAME.md, NAME.json (its claims) and NAME-*.png.

The pictures are cut from the study's own report.html, which is drawn again first.
"""

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import penstock
from penstock.report.study import again, parts_agreeing, verdict_counts
from penstock.report.study_figures import Drawn, drawn
from penstock.studies.figure import TrafficMap
from penstock.studies.judge import Judged
from penstock.studies.reproduce import CLAIMS, Reproduction, redraw
from penstock.studies.study import Study
from pictures import REPO, opened, picture


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table with an empty line after it."""
    lines = [row(head), "|" + "---|" * len(head)]
    return [*lines, *(row(cells) for cells in rows), ""]


def row(cells: Sequence[str]) -> str:
    """One row; a bar in a cell is no border."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def claims(made: Reproduction) -> list[str]:
    """All claims, then the parts of those that have several."""
    head = ("claim", "the paper says", "there", "measured here", "verdict", "note")
    lines = table(head, (claim(made, judged) for judged in made.judged))
    lines += ["## Part by part", ""]
    for judged in (each for each in made.judged if len(each.parts) > 1):
        lines += [f"### {judged.claim.id}", "", f"{judged.claim.statement}.", ""]
        parts = (
            (part.check.statement, part.check.source, part.check.paper, part.measured, part.verdict)
            for part in judged.parts
        )
        lines += table(("part", "source", "there", "measured here", "verdict"), parts)
    return lines


def claim(made: Reproduction, judged: Judged) -> Sequence[str]:
    """A row of the claims. The note leaves out which parts fail; that is listed below."""
    note = made.study.notes.get(judged.claim.id, "") if judged.verdict != "reproduced" else ""
    agreeing = parts_agreeing(judged)
    said = judged.claim
    verdict = f"**{judged.verdict}**" + (f", {agreeing}" if agreeing else "")
    return (said.id, f"{said.statement} ({said.source})", said.paper, judged.first.measured, verdict, note)


def figures(found: Sequence[Drawn], study: Study) -> list[str]:
    """The pictures, then a list of the others."""
    lines = ["## Figures", "", "All of these are in the report, on the paper's axes. Some of them:", ""]
    for each in (each for each in found if shown(each, study)):
        lines += [f"![{each.figure.title}]({study.name}-{each.figure.key}.png)", ""]
    for each in found:
        missing = "" if each.chart else f" Not drawn: {each.missing}."
        lines.append(f"- {each.figure.source}: {each.figure.title}. {each.figure.caption}{missing}")
    return [*lines, ""]


def shown(each: Drawn, study: Study) -> bool:
    """Whether the figure is in the documentation as a picture."""
    return each.chart is not None and (
        each.figure.source in study.pictures or isinstance(each.figure, TrafficMap)
    )


def sections(made: Reproduction) -> list[str]:
    """The study's tables with their text."""
    lines: list[str] = []
    for section in made.study.sections:
        content = section.table(made.results)
        if content is not None:
            lines += [f"## {section.title}", "", section.text, "", *table(content.head, content.rows)]
    return lines


def document(made: Reproduction, found: Sequence[Drawn]) -> str:
    """The Markdown page."""
    study = made.study
    seeds = {len(results.seeds) for results, _ in made.results.values()}
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(made.judged))
    lines = [
        f"# {study.title}",
        "",
        f"{study.paper}.",
        "",
        f"Made by `{again(made)}` with Penstock {penstock.__version__}: {len(made.results)} experiments, "
        f"{spelled(seeds)} a point.",
        "",
        f"{len(made.judged)} claims: {counts}. A verdict needs the whole interval over seeds, never the mean "
        "alone; brackets hold the interval. A claim of several parts shows its first part, which decides the "
        "direction.",
        "",
        *claims(made),
        *sections(made),
        *figures(found, study),
    ]
    if made.skipped:
        lines += ["## Left out", "", *(f"- {key}: {reason}" for key, reason in made.skipped.items()), ""]
    return "\n".join(lines).rstrip() + "\n"


def spelled(seeds: set[int]) -> str:
    """ "15 seeds", or "3 to 15 seeds"."""
    few, many = min(seeds, default=0), max(seeds, default=0)
    return f"{many} seeds" if few == many else f"{few} to {many} seeds"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder of `penstock reproduce`")
    parser.add_argument("--docs", type=Path, default=REPO / "docs" / "studies", help="where to write")
    arguments = parser.parse_args()
    folder, docs = arguments.folder, arguments.docs
    try:
        made = redraw(folder)
    except penstock.BadInput as error:
        print(error, file=sys.stderr)
        return 2
    name = made.study.name
    docs.mkdir(parents=True, exist_ok=True)
    found = drawn(made.study.figures, made.results, made.skipped)
    (docs / f"{name}.md").write_text(document(made, found), encoding="utf-8")
    shutil.copyfile(folder / CLAIMS, docs / f"{name}.json")
    print(docs / f"{name}.md", docs / f"{name}.json", sep="\n")
    with opened(folder / "report.html") as driver:
        for each in (each for each in found if shown(each, made.study)):
            picture(driver, f"chart-{each.figure.key}", docs / f"{name}-{each.figure.key}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
