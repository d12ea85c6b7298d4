"""The page of an experiment: everything its report says, put into the template."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from penstock.findings import counted
from penstock.report.chart import Chart
from penstock.report.curves import curves, line_name, looks
from penstock.report.distributions import imbalance_distribution, throughput_distribution
from penstock.report.flow_figures import flow_charts, flow_lines, flow_table
from penstock.report.grid import CONTROL, Grid, arrange
from penstock.report.headline import headline
from penstock.report.intro import held_values, what_was_run
from penstock.report.key import line_sample
from penstock.report.map import network_maps
from penstock.report.scenario_text import as_toml
from penstock.report.series import series_charts
from penstock.report.tables import (
    coverage,
    is_thesis_floor,
    overview,
    parameters,
    versions,
)
from penstock.report.transfers import transfer_charts, transfer_table
from penstock.report.verdicts import part_rows
from penstock.report.words import STRATEGY_NAMES, TABLE_MEASURES, TRANSFER_MEASURES, Measure, axis_title
from penstock.report.write import filled, write_page
from penstock.results import Results
from penstock.workload_sections import NoTraffic

MOST_FAILURES = 10


def write_report(results: Results, path: Path) -> None:
    """Write the results as one HTML file that needs nothing else, no network either.

    The same results give the same bytes. The file appears whole or not at all.

    Args:
        results: what to show.
        path: the file to write; its folder must exist.

    Raises:
        BadInput: if the file cannot be written.
    """
    write_page(render(results), path)


def render(results: Results) -> str:
    """The page as text."""
    return filled("run.html.j2", _content(results))


def _content(results: Results) -> dict[str, Any]:
    grid = arrange(results.summary.get("points", []))
    workload = results.scenario.traffic.kind
    readings = not isinstance(results.scenario.traffic, NoTraffic)
    charts = curves(grid, workload) if readings and not grid.is_single else []
    found = results.findings if grid.lines == CONTROL else []
    spread: list[Chart | None] = []
    if readings and not results.nodes.is_empty():
        spread = [
            throughput_distribution(grid, results.nodes, workload),
            imbalance_distribution(grid, results.nodes, workload),
        ]
    flows = flow_lines(grid, results.flows)
    return {
        "scenario": results.scenario,
        "intro": what_was_run(results, grid),
        "held": held_values(grid),
        "failures": _failures(results),
        "headline": headline(results, grid),
        "parts": part_rows(found),
        "verdict_counts": counted(found),
        "thesis_floor": is_thesis_floor(results),
        "key": _key(grid),
        "key_title": "" if grid.lines in (None, CONTROL) else axis_title(str(grid.lines)),
        "charts": _with_markup(charts),
        "spread": _with_markup([chart for chart in spread if chart is not None]),
        "flow_charts": _with_markup(flow_charts(grid, flows)),
        "flow_table": flow_table(grid, flows),
        "transfer_charts": _with_markup(transfer_charts(grid, results.transfers)),
        "transfer_table": transfer_table(grid, results.transfers),
        "series": _with_markup(series_charts(results, grid)),
        "overview": overview(grid, _measures(results, readings)),
        "coverage": coverage(results, grid) if readings else None,
        "maps": (maps := network_maps(grid, results.nodes, results.links, workload) if readings else None),
        "map_charts": _with_markup(maps.charts if maps else []),
        "level": grid.level,
        "parameters": parameters(results),
        "versions": versions(results),
        "toml": as_toml(results.scenario),
        "seeds": len(results.seeds),
    }


def _measures(results: Results, readings: bool) -> list[Measure]:
    """What the table of all measures shows. Transfers and flows share some names; transfers go first."""
    of_transfers = [] if results.transfers.is_empty() else list(TRANSFER_MEASURES)
    names = {measure.name for measure in of_transfers}
    return of_transfers + [m for m in TABLE_MEASURES if readings and m.name not in names]


def _with_markup(charts: Sequence[Chart]) -> list[tuple[Chart, Markup]]:
    return [(chart, Markup(chart.markup)) for chart in charts]


def _key(grid: Grid) -> list[tuple[Markup, str, str]]:
    """(sample, name, meaning) of every line."""
    if grid.lines is None:
        return []
    drawn = looks(grid)
    names = [(value, line_name(grid, value)) for value in grid.line_values]
    meaning = STRATEGY_NAMES if grid.lines == CONTROL else {}
    return [(Markup(line_sample(drawn[value])), name, meaning.get(name, "")) for value, name in names]


def _failures(results: Results) -> list[str]:
    if not results.failures:
        return []
    shown = [
        ", ".join([*(f"{key} = {value}" for key, value in failure.axes.items()), f"seed {failure.seed}"])
        + f": {failure.message}"
        for failure in results.failures[:MOST_FAILURES]
    ]
    more = len(results.failures) - len(shown)
    return [*shown, f"and {more} more"] if more > 0 else shown
