"""The answer in three sentences: where the network collapses, and what saves it."""

import math
from dataclasses import dataclass

from penstock.flow_sections import FlowsTraffic
from penstock.report.curves import line_name
from penstock.report.grid import CONTROL, LOAD, AxisValue, Estimate, Grid
from penstock.report.words import axis_value, joined, number
from penstock.results import Results
from penstock.statistics import Estimate as Paired
from penstock.statistics import paired

COLLAPSED = 0.5
"""A network has collapsed when a smaller share than this of the generated packets reaches the sink."""
WITHOUT = "none"


@dataclass(frozen=True)
class Statement:
    """One sentence of the headline: a question, its answer, and what the answer rests on."""

    question: str
    answer: str
    grounds: str


def headline(results: Results, grid: Grid) -> list[Statement]:
    """What the results say first; empty when they hold neither a load nor strategies."""
    statements = [_collapse(results, grid), *_saviours(results, grid)]
    return [statement for statement in statements if statement is not None]


def collapse_load(grid: Grid, line: AxisValue | None) -> float | None:
    """The lightest load at which fewer than half of the generated packets arrive; None when there is none."""
    for x in grid.x_values:
        estimate = grid.at(line, x, "delivery_ratio")
        if estimate is not None and estimate.mean < COLLAPSED:
            return x
    return None


def _collapse(results: Results, grid: Grid) -> Statement | None:
    if grid.x != LOAD:
        return None
    if grid.lines == CONTROL:
        if WITHOUT not in grid.line_values:
            return None
        line, who = WITHOUT, "without congestion control"
    elif grid.lines is None:
        control = str(grid.fixed.get(CONTROL, results.scenario.congestion.control))
        line, who = None, "without congestion control" if control == WITHOUT else f"with {control}"
    else:
        return None
    measured = [(x, e) for x in grid.x_values if (e := grid.at(line, x, "delivery_ratio")) is not None]
    if not measured:
        return None
    question = f"Where does the network collapse {who}?"
    rule = f"Collapse: the lightest load measured at which fewer than {COLLAPSED:.0%} of the packets arrive."
    shares = "Arrived: " + ", ".join(f"{e.mean:.0%} at {x:g}" for x, e in measured) + " packets/s."
    load = collapse_load(grid, line)
    lightest, heaviest = measured[0], measured[-1]
    if load is None:
        answer = f"Not up to {axis_value(LOAD, heaviest[0])} a node: {heaviest[1].mean:.0%} arrive there."
    elif load == lightest[0]:
        answer = (
            f"At or below {axis_value(LOAD, load)} a node, the lightest load measured: "
            f"{lightest[1].mean:.0%} arrive."
        )
    else:
        before = max(x for x, _ in measured if x < load)
        answer = f"Between {before:g} and {axis_value(LOAD, load)} a node."
    return Statement(question, answer, f"{rule} {shares}")


def _saviours(results: Results, grid: Grid) -> list[Statement | None]:
    if grid.lines != CONTROL or len(grid.line_values) < 2:
        return []
    where = "" if grid.x is None or grid.highest_x is None else f" at {axis_value(grid.x, grid.highest_x)}"
    most, evenly = f"Which strategy saves most{where}?", f"Which one serves the nodes most evenly{where}?"
    saved = _winner(results, grid, "efficiency", most, "useful hops per transmission")
    traffic = results.scenario.traffic
    if isinstance(traffic, FlowsTraffic) and not traffic.lasts(results.scenario.time.measure_s):
        return [saved]  # sources that were active for a different time should not get the same
    return [saved, _winner(results, grid, "fairness", evenly, "fairness φ")]


def _winner(results: Results, grid: Grid, metric: str, question: str, what: str) -> Statement | None:
    ranked = _ranked(grid, metric)
    if len(ranked) < 2:
        return None
    best, winner = ranked[0]
    grounds = "Means: " + ", ".join(f"{line_name(grid, value)} {number(e.mean)}" for e, value in ranked) + "."
    if winner == WITHOUT:
        return Statement(question, "No strategy does better than no congestion control.", grounds)
    bare = next((e for e, value in ranked if value == WITHOUT), None)
    ahead = {value: _ahead(results, grid, metric, winner, value) for _, value in ranked[1:]}
    known = {value: by for value, by in ahead.items() if by is not None and not math.isnan(by.low)}
    name = line_name(grid, winner).capitalize()
    if known:
        grounds += " Told apart by their differences, paired by seed."
    else:
        grounds += " One seed gives no interval: differences may be chance."
    if bare is not None and WITHOUT in known and known[WITHOUT].low <= 0:
        by = known[WITHOUT]
        answer = (
            f"Too close to call: {name} has the highest {what}, {number(best.mean)} against "
            f"{number(bare.mean)} without control, but the difference, paired by seed, may be nothing: "
            f"{number(by.mean)}, from {number(by.low)} to {number(by.high)}."
        )
        return Statement(question, answer, grounds)
    close = [line_name(grid, value) for value, by in known.items() if by.low <= 0]
    answer = f"{name}: {what} {number(best.mean)}{_against(best, bare)}."
    if close:
        verb = "is" if len(close) == 1 else "are"
        answer += f" {joined(close).capitalize()} {verb} not told apart from it."
    return Statement(question, answer, grounds)


def _ahead(
    results: Results, grid: Grid, metric: str, winner: AxisValue | None, other: AxisValue | None
) -> Paired | None:
    """By how much the winner's metric exceeds another line's at the highest load, paired by seed."""
    mine, theirs = (_by_seed(results, grid, metric, line) for line in (winner, other))
    return paired(mine, theirs, results.scenario.confidence)


def _by_seed(results: Results, grid: Grid, metric: str, line: AxisValue | None) -> dict[int, float]:
    runs = grid.select(results.runs, line, grid.highest_x)
    values = runs[metric].fill_null(math.nan).to_list()
    return dict(zip(runs["seed"].to_list(), values, strict=True))


def _ranked(grid: Grid, metric: str) -> list[tuple[Estimate, AxisValue | None]]:
    """Every line's estimate at the highest load, the highest mean first."""
    known = [(grid.at(value, grid.highest_x, metric), value) for value in grid.line_values]
    return sorted(((e, value) for e, value in known if e is not None), key=lambda pair: -pair[0].mean)


def _against(best: Estimate, bare: Estimate | None) -> str:
    if bare is None:
        return ""
    times = f", {number(best.mean / bare.mean)} times as much" if bare.mean > 0 else ""
    return f" against {number(bare.mean)} without control{times}"
