"""The tables of the report: strategies beside each other, coverage, parameters, versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from penstock.metrics import COVERAGE_LEVELS
from penstock.report.curves import line_name
from penstock.report.distributions import distribution_x
from penstock.report.grid import CONTROL, Estimate, Grid
from penstock.report.words import (
    TABLE_MEASURES,
    UNIT_SUFFIXES,
    Measure,
    axis_title,
    axis_value,
    number,
    percent,
)
from penstock.results import Results
from penstock.studies.fusion.thesis import COVERAGE
from penstock.topology.sections import OfficeTopology

Row = tuple[str, list["Cell"]]

INFINITE = float("inf")
THESIS_NODES = 55


@dataclass(frozen=True)
class Cell:
    """One cell: what it says, what stands small below it, and whether it is the best of its row."""

    text: str
    below: str = ""
    best: bool = False


@dataclass(frozen=True)
class Table:
    """A table ready for the page. `head` names all columns, the first being that of the row names."""

    key: str
    caption: str
    head: list[str]
    rows: list[Row]


def overview(grid: Grid, shown: Sequence[Measure] = TABLE_MEASURES) -> Table:
    """These measures at the highest load, a column a line, the best of each row marked."""
    x = grid.highest_x
    names = [line_name(grid, value) for value in grid.line_values]
    rows: list[Row] = []
    for measure in shown:
        estimates = [grid.at(value, x, measure.name) for value in grid.line_values]
        if all(estimate is None for estimate in estimates):
            continue
        best = _best(measure, estimates)
        rows.append(
            (
                _measure_title(measure),
                [
                    Cell(number(e.mean if e else None, 3), _interval(e), len(names) > 1 and i == best)
                    for i, e in enumerate(estimates)
                ],
            )
        )
    where = "" if grid.x is None or x is None else f" at {axis_value(grid.x, x)}"
    small = "" if grid.level is None else f"; small: half the {percent(grid.level)} interval over seeds"
    bold = "; bold: best mean of the row" if len(names) > 1 else ""
    return Table(
        "overview",
        f"All measures{where}{small}{bold}.",
        [_corner(grid), *(names if grid.lines is not None else ["measured"])],
        rows,
    )


def coverage(results: Results, grid: Grid) -> Table | None:
    """The report period that a share of the nodes achieves (thesis Table 5.2); None without any point."""
    x = distribution_x(grid)
    values = [value for value in grid.line_values if grid.known(value, x)]
    if not values:
        return None
    beside = is_thesis_floor(results) and grid.lines == CONTROL
    rows: list[Row] = []
    for level, level_percent in enumerate(COVERAGE_LEVELS):
        cells: list[Cell] = []
        for value in values:
            estimate = grid.at(value, x, f"coverage_{level_percent}_s")
            thesis = COVERAGE.get(str(value)) if beside else None
            cells.append(
                Cell(
                    period(estimate.mean if estimate else INFINITE),
                    f"thesis {period(thesis[level])}" if thesis else "",
                )
            )
        rows.append((f"{level_percent}%", cells))
    where = "" if grid.x is None or x is None else f", at {axis_value(grid.x, x)}"
    compared = " Small: the thesis's own network, Table 5.2, at 2 packets/s." if beside else ""
    return Table(
        "coverage",
        "Report period that so many of the nodes achieve: each of them gets at least one packet through per "
        f"period{where}. ∞: that many nodes are never heard. Averaged over seeds as rates.{compared}",
        ["Nodes covered", *(line_name(grid, value) if grid.lines else "measured" for value in values)],
        rows,
    )


def parameters(results: Results) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """The whole scenario: (section, [(key, value with unit, whether it was swept)])."""
    scenario = results.scenario.model_dump(mode="json")
    swept = cast(dict[str, list[object]], scenario.pop("axes", {}))
    top = {key: value for key, value in scenario.items() if not isinstance(value, dict)}
    sections: dict[str, dict[str, Any]] = {"scenario": top}
    sections |= {key: value for key, value in scenario.items() if isinstance(value, dict)}
    listed: list[tuple[str, list[tuple[str, str, bool]]]] = []
    for section, entries in sections.items():
        shown: list[tuple[str, str, bool]] = []
        for key, value in entries.items():
            dotted = key if section == "scenario" else f"{section}.{key}"
            values = swept.get(dotted)
            shown.append((key, _setting(key, value if values is None else values), values is not None))
        listed.append((section, shown))
    return listed


def versions(results: Results) -> list[tuple[str, str]]:
    """What the numbers passed through, (name, version); times and machines are left out."""
    identity = cast(Mapping[str, object], results.manifest.get("identity", {}))
    software = cast(Mapping[str, object], results.manifest.get("software", {}))
    named = [
        (name.replace("_", " "), str(identity[name]))
        for name in ("penstock", "engine", "engine_build")
        if identity.get(name)
    ]
    return named + [(name, str(version)) for name, version in software.items()]


def period(seconds: float) -> str:
    """A report period as the thesis writes it: 840 ms, 4.2 s, 43 s, ∞."""
    if seconds == INFINITE:
        return "∞"
    if seconds < 0.9995:
        return f"{number(1000 * seconds)} ms"
    return f"{number(seconds)} s" if seconds < 99.5 else f"{seconds:.0f} s"


def is_thesis_floor(results: Results) -> bool:
    """Whether network and workload are the thesis's, so that numbers may be laid side by side."""
    topology, traffic = results.scenario.topology, results.scenario.traffic
    return (
        isinstance(topology, OfficeTopology) and topology.nodes == THESIS_NODES and traffic.kind == "periodic"
    )


def _corner(grid: Grid) -> str:
    return "" if grid.lines is None or grid.lines == CONTROL else axis_title(grid.lines)


def _measure_title(measure: Measure) -> str:
    unit = measure.axis.rpartition("(")[2].rstrip(")") if "(" in measure.axis else measure.axis
    known = {"packets/s", "s", "bits/J", "frames", "share of sources"}
    return f"{measure.title}, {unit}" if unit in known else measure.title


def _best(measure: Measure, estimates: Sequence[Estimate | None]) -> int | None:
    known = [(estimate.mean, i) for i, estimate in enumerate(estimates) if estimate is not None]
    if not measure.better or len({mean for mean, _ in known}) < 2:
        return None
    return max(known)[1] if measure.better == "up" else min(known)[1]


def _interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.high is None:
        return ""
    return f"± {number(estimate.high - estimate.mean)}"


def _setting(key: str, value: object) -> str:
    unit = next((f" {unit}" for suffix, unit in UNIT_SUFFIXES if key.endswith(suffix)), "")
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_bare(part) for part in cast(list[object], value)) + unit
    return _bare(value) + (unit if isinstance(value, (int, float)) else "")


def _bare(value: object) -> str:
    return f"{value:.5g}".replace("-", "−", 1) if isinstance(value, (int, float)) else str(value)
