"""The figures against load: one measure, one line a strategy, intervals as bars."""

import math
from collections.abc import Sequence

from penstock.report.chart import (
    BOTTOM_PX,
    HEIGHT_PX,
    TOP_PX,
    Chart,
    Json,
    LineLabel,
    axis,
    layout,
    line_labels,
    plain,
)
from penstock.report.grid import AxisValue, Estimate, Grid
from penstock.report.look import Look, looks_for
from penstock.report.words import PERIODIC, Measure, axis_title, axis_value, measures, number, percent

DODGE = 0.008  # how far the lines of one load stand apart, as a share of the axis
FULLY_APART = 6  # more lines stand closer together, so that all of them keep to their load
MOST_HEADROOM = 3.0  # wider intervals run off the top of the figure
NODE_AXES = ("bulk.source", "topology.sink")
WIDE_SPAN = 6.0  # loads that span more than this factor stand on a logarithmic axis


def line_name(grid: Grid, value: AxisValue | None) -> str:
    """What a line is called; the one line of a grid without lines is called "all runs"."""
    if value is None or grid.lines is None:
        return "all runs"
    return value if isinstance(value, str) else axis_value(grid.lines, value)


def looks(grid: Grid) -> dict[AxisValue | None, Look]:
    """The look of every line of the grid."""
    values = grid.line_values
    names = [line_name(grid, value) for value in values]
    by_name = looks_for(names)
    return {value: by_name[name] for value, name in zip(values, names, strict=True)}


def curves(grid: Grid, workload: str = PERIODIC) -> list[Chart]:
    """One figure per measure of which at least one point is known. `workload`: the traffic's kind."""
    return curves_of(grid, measures(workload))


def curves_of(grid: Grid, shown: Sequence[Measure]) -> list[Chart]:
    """One figure for each of these measures of which at least one point is known."""
    draw = _against_x if grid.has_curves else _side_by_side
    charts = [draw(grid, measure) for measure in shown]
    return [chart for chart in charts if chart is not None]


def is_logarithmic(values: Sequence[float]) -> bool:
    """Whether values are better told apart on a logarithmic axis: all positive, and spread wide."""
    return min(values) > 0 and max(values) / min(values) > WIDE_SPAN


def _on_log_axis(grid: Grid) -> bool:
    """Numbers of nodes are names: no node is ten times another."""
    return grid.x not in NODE_AXES and is_logarithmic(grid.x_values)


def _caption(measure: Measure, grid: Grid) -> str:
    source = f" Compare {measure.source}." if measure.source else ""
    level = "" if grid.level is None else f" Bars: {percent(grid.level)} intervals over seeds."
    return f"{measure.says}{level}{source}"


def _chart(grid: Grid, measure: Measure, spoken: str, traces: list[Json], shape: Json) -> Chart:
    return Chart(
        measure.name, measure.title, _caption(measure, grid), spoken, {"data": traces, "layout": shape}
    )


def error_bars(estimates: Sequence[Estimate | None], colour: str) -> Json:
    """plotly's error bars of means with intervals."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if e is None or e.high is None else e.high - e.mean for e in estimates],
        "arrayminus": [0 if e is None or e.low is None else e.mean - e.low for e in estimates],
        "thickness": 1,
        "width": 3,
        "color": colour,
        "visible": any(e is not None and e.low is not None for e in estimates),
    }


def hover(name: str, place: str, estimate: Estimate | None) -> str:
    """What is said of a point under the mouse."""
    if estimate is None:
        return ""
    interval = "" if estimate.low is None else f" ({number(estimate.low, 3)} to {number(estimate.high, 3)})"
    return plain(f"{name}{place}: {number(estimate.mean, 3)}{interval}")


def vertical_range(known: Sequence[Estimate], share: bool) -> tuple[float, float]:
    """From zero to the highest interval (of a share: to 1 at most); but no interval may press the means into
    the lowest quarter."""
    highest = max(estimate.mean for estimate in known)
    top = min(max(estimate.top for estimate in known), MOST_HEADROOM * highest)
    if share:
        top = min(top, 1.0)
    bottom = min(0.0, *(estimate.mean for estimate in known))
    if top <= bottom:
        top = bottom + 1.0
    return bottom * 1.06, top * 1.06


def _against_x(grid: Grid, measure: Measure) -> Chart | None:
    assert grid.x is not None
    line_looks = looks(grid)
    traces: list[Json] = []
    labels: list[LineLabel] = []
    spoken: list[str] = []
    known: list[Estimate] = []
    for order, value in enumerate(grid.line_values):
        look, name = line_looks[value], line_name(grid, value)
        estimates = [grid.at(value, x, measure.name) for x in grid.x_values]
        here = [(x, e) for x, e in zip(grid.x_values, estimates, strict=True) if e is not None]
        if not here:
            continue
        known += [e for _, e in here]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": plain(name),
                "x": _dodged(grid, order),
                "y": [None if e is None else e.mean for e in estimates],
                "opacity": look.opacity,
                "line": look.stroke,
                "marker": look.mark,
                "error_y": error_bars(estimates, look.colour),
                "text": [
                    hover(name, f" at {axis_value(grid.x, x)}", e)
                    for x, e in zip(grid.x_values, estimates, strict=True)
                ],
                "hoverinfo": "text",
                "connectgaps": False,
                "cliponaxis": False,
            }
        )
        labels.append(LineLabel(name, here[-1][1].mean, look.ink, look.colour))
        spoken.append(f"{name} {number(here[0][1].mean)} to {number(here[-1][1].mean)}")
    if not traces:
        return None
    y_range = vertical_range(known, measure.share)
    figure_layout = layout(
        xaxis=_x_axis(grid),
        yaxis=axis(measure.axis, range=list(y_range)),
    )
    if grid.lines is not None:
        notes, threads = line_labels(labels, y_range, HEIGHT_PX - TOP_PX - BOTTOM_PX)
        figure_layout["annotations"], figure_layout["shapes"] = notes, threads
        longest = max(len(label.text) for label in labels)
        figure_layout["margin"] = {**figure_layout["margin"], "r": min(28 + 7 * longest, 180)}
    said = (
        f"Line chart: {measure.axis} against {axis_title(grid.x)}, "
        f"from {number(grid.x_values[0])} to {number(grid.x_values[-1])}. {'; '.join(spoken)}."
    )
    return _chart(grid, measure, said, traces, figure_layout)


def _dodged(grid: Grid, order: int) -> list[float]:
    """Where one line's points stand: beside each other at each load, so that every interval can be seen."""
    values, lines = grid.x_values, len(grid.line_values)
    step = DODGE * min(1, FULLY_APART / lines) * (order - (lines - 1) / 2)
    if _on_log_axis(grid):
        factor = (values[-1] / values[0]) ** step
        return [value * factor for value in values]
    return [value + step * (values[-1] - values[0]) for value in values]


def _x_axis(grid: Grid) -> Json:
    assert grid.x is not None
    values = grid.x_values
    if not _on_log_axis(grid):
        pad = (values[-1] - values[0]) * 0.04
        return axis(axis_title(grid.x), range=[values[0] - pad, values[-1] + pad])
    low, high = math.log10(values[0]), math.log10(values[-1])
    pad = (high - low) * 0.04
    return axis(
        f"{axis_title(grid.x)}, log scale",
        type="log",
        range=[low - pad, high + pad],
        tickvals=_apart(values, high - low),
        ticktext=[f"{value:g}" for value in _apart(values, high - low)],
    )


def _apart(values: list[float], span: float) -> list[float]:
    """The values that can be written under a logarithmic axis without touching each other."""
    shown = [values[-1]]
    for value in reversed(values[:-1]):
        if math.log10(shown[-1]) - math.log10(value) >= span * 0.08:
            shown.append(value)
    return shown[::-1]


def _side_by_side(grid: Grid, measure: Measure) -> Chart | None:
    line_looks = looks(grid)
    traces: list[Json] = []
    known: list[Estimate] = []
    spoken: list[str] = []
    names: list[str] = []
    for value in grid.line_values:
        estimate = grid.at(value, grid.highest_x, measure.name)
        if estimate is None:
            continue
        look, name = line_looks[value], line_name(grid, value)
        names.append(name)
        known.append(estimate)
        spoken.append(f"{name} {number(estimate.mean)}")
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": plain(name),
                "x": [len(names) - 1],
                "y": [estimate.mean],
                "marker": {"symbol": look.marker, "size": 10, "color": look.colour},
                "error_y": error_bars([estimate], look.colour),
                "text": [hover(name, "", estimate)],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
        )
    if not traces:
        return None
    y_range = vertical_range(known, measure.share)
    figure_layout = layout(
        xaxis=axis(
            "" if grid.lines is None else axis_title(grid.lines),
            range=[-0.5, len(names) - 0.5],
            tickvals=list(range(len(names))),
            ticktext=[plain(name) for name in names],
            showgrid=False,
        ),
        yaxis=axis(measure.axis, range=list(y_range)),
    )
    said = f"Dot chart: {measure.axis}. {'; '.join(spoken)}."
    return _chart(grid, measure, said, traces, figure_layout)
