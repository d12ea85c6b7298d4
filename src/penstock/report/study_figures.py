"""A study's figures as charts: the paper's axes, with every strategy that was run.

Traces, names and threads carry their strategy (`meta`, `name`), so that the page can show and hide it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock.report.chart import (
    BOTTOM_PX,
    HEIGHT_PX,
    LABEL_WIDTH_PX,
    PAPER_HALF_PX,
    TOP_PX,
    WIDEST_LABEL_PX,
    Chart,
    Json,
    LineLabel,
    axis,
    layout,
    line_labels,
    plain,
    side_legend,
)
from penstock.report.curves import error_bars, hover
from penstock.report.distributions import at_least, at_most, delivered_shares, imbalances, throughputs
from penstock.report.flow import Flow, flow_at
from penstock.report.grid import Estimate
from penstock.report.look import looks_for
from penstock.report.map import busiest, heard, map_chart, scale_of
from penstock.report.study_axes import at_point, switch, title, x_axis, y_axis
from penstock.report.study_drawings import drawing, stack
from penstock.report.study_flows import over_flows
from penstock.report.words import axis_value, joined, number, percent
from penstock.results import Results
from penstock.statistics import estimate, metric_named
from penstock.studies.claim import Sample
from penstock.studies.figure import (
    Activity,
    Axis,
    Curves,
    Drawing,
    Figure,
    Sources,
    Spread,
    Stack,
    Trace,
    TrafficMap,
)
from penstock.studies.judge import by_seed
from penstock.studies.section import Loaded

DODGED = 0.045
"""How far the points of one x stand apart altogether, as a share of the axis: every interval shows."""
LABEL_PAD_PX = 28
COLUMNS: Mapping[str, Callable[[pl.DataFrame], NDArray[np.float64]]] = {
    "imbalance": imbalances,
    "throughput_pps": throughputs,
    "delivered_share": delivered_shares,
}


@dataclass(frozen=True)
class Drawn:
    """A figure as drawn; without a chart, `missing` says why. scale: the key of a map, else empty."""

    figure: Figure
    chart: Chart | None
    missing: str = ""
    scale: Sequence[tuple[int, float]] = ()


def drawn(figures: Sequence[Figure], results: Loaded, skipped: Mapping[str, str]) -> list[Drawn]:
    """All figures in their order. The maps share one scale."""
    flows = {f.key: _flow(f, *results[f.experiment]) for f in figures if _is_map(f, results)}
    most = busiest([flow for flow in flows.values() if flow is not None])
    made: list[Drawn] = []
    for figure in figures:
        if figure.experiment not in results:
            why = "was skipped" if figure.experiment in skipped else "was not run"
            made.append(Drawn(figure, None, f"its experiment, {figure.experiment}, {why}"))
            continue
        if isinstance(figure, TrafficMap):
            flow = flows[figure.key]
            chart, scale = (None if flow is None else _map(figure, flow, most)), scale_of(most)
        elif isinstance(figure, Drawing | Stack):
            made_of = drawing(figure, results) if isinstance(figure, Drawing) else stack(figure, results)
            chart, scale = made_of, []
        else:
            chart, scale = _chart(figure, *results[figure.experiment]), []
        missing = "" if chart else f"the experiment {figure.experiment} holds no such point"
        made.append(Drawn(figure, chart, missing, scale))
    return made


def _is_map(figure: Figure, results: Loaded) -> bool:
    return isinstance(figure, TrafficMap) and figure.experiment in results


def _chart(figure: Curves | Spread | Trace | Sources | Activity, results: Results, x: str) -> Chart | None:
    if isinstance(figure, Curves):
        return _curves(figure, results, x)
    if isinstance(figure, Spread):
        return _spread(figure, results, x)
    return over_flows(figure, results, x)


# Means against the experiment's x axis.


def _curves(figure: Curves, results: Results, x: str) -> Chart | None:
    positions = _positions(results, x)
    by_line = {
        line: [_estimate(figure, i, at, results, x) for at in positions]
        for i, line in enumerate(figure.lines)
    }
    lines = [line for line, found in by_line.items() if any(e is not None for e in found)]
    if not lines:
        return None
    known = [e for line in lines for e in by_line[line] if e is not None]
    vertical, y_range, longer = y_axis(figure.y, known)
    looks = looks_for([line.name for line in figure.lines])
    traces: list[Json] = []
    labels: list[LineLabel] = []
    spoken: list[str] = []
    for order, line in enumerate(lines):
        look, found = looks[line.name], by_line[line]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": plain(line.name),
                "meta": switch(line.name),
                "opacity": look.opacity,
                "x": _dodged(positions, order, len(lines), figure.x),
                "y": [None if e is None else e.mean for e in found],
                "line": look.stroke,
                "marker": look.mark,
                "error_y": error_bars(found, _faint(look.colour)) | {"width": 2},
                "text": [
                    hover(line.name, f" at {axis_value(x, at)}", e)
                    for at, e in zip(positions, found, strict=True)
                ],
                "hoverinfo": "text",
                "connectgaps": False,
                "cliponaxis": False,
            }
        )
        ends = [e.mean for e in found if e is not None]
        labels.append(LineLabel(line.name, _place(ends[-1], figure.y), look.ink, look.colour))
        spoken.append(f"{line.name} {number(ends[0])} to {number(ends[-1])}")
    notes, threads = line_labels(labels, y_range, HEIGHT_PX - TOP_PX - BOTTOM_PX)
    shape = layout(xaxis=x_axis(figure.x, positions), yaxis=vertical)
    shape["annotations"], shape["shapes"] = _switchable(notes, threads, labels, figure.y)
    longest = max(len(label.text) for label in labels)
    shape["margin"] = shape["margin"] | {"r": min(LABEL_PAD_PX + LABEL_WIDTH_PX * longest, WIDEST_LABEL_PX)}
    level = f" Bars: {percent(results.scenario.confidence)} intervals over {len(results.seeds)} seeds."
    caption = figure.caption + level + (" The axis is longer than the paper's." if longer else "")
    said = f"Line chart: {figure.y.title} against {figure.x.title}. {'; '.join(spoken)}."
    return Chart(figure.key, title(figure), caption, said, {"data": traces, "layout": shape})


def _faint(colour: str) -> str:
    """The colour of an interval: many of them must not hide the means."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.5)"


def _estimate(figure: Curves, line_number: int, at: float, results: Results, x: str) -> Estimate | None:
    line = figure.lines[line_number]
    sample = Sample(figure.experiment, line.strategy, line.metric, at, figure.where)
    values = list(by_seed(sample, results, x).values())
    if not values:
        return None
    found = estimate(values, results.scenario.confidence, metric_named(line.metric).by_inverse)
    if not math.isfinite(found.mean):
        return None
    mean, low, high = found.mean, found.low, found.high
    if line.complement:
        mean, low, high = 1 - mean, 1 - high, 1 - low
    bounded = math.isfinite(low) and math.isfinite(high)
    return Estimate(mean, low, high) if bounded else Estimate(mean)


def _positions(results: Results, x: str) -> list[float]:
    """The values of the x axis, rising; one where it was not swept."""
    if x in results.axes:
        return [float(value) for value in results.runs[x].unique().sort().to_list()]
    section, _, name = x.partition(".")
    return [float(getattr(getattr(results.scenario, section), name))]


def _dodged(positions: list[float], order: int, lines: int, about: Axis) -> list[float]:
    """Where one line's points stand: beside the others' at each x."""
    if lines < 2 or about.scale == "log":
        return positions
    low, high = about.range or (positions[0], positions[-1])
    step = DODGED * (high - low) / max(lines - 1, 5)
    return [at + step * (order - (lines - 1) / 2) for at in positions]


def _switchable(
    notes: list[Json], threads: list[Json], labels: list[LineLabel], about: Axis
) -> tuple[list[Json], list[Json]]:
    """Names and threads with the strategy they belong to. On a logarithmic axis plotly wants the logarithm
    of a note's place, but a shape's place itself."""
    for label, note, thread in zip(sorted(labels, key=lambda each: each.y), notes, threads, strict=True):
        note["name"] = thread["name"] = switch(label.text)
        if about.scale == "log":
            thread["y0"], thread["y1"] = 10 ** thread["y0"], 10 ** thread["y1"]
    return notes, threads


# Distributions over nodes.


def _spread(figure: Spread, results: Results, x: str) -> Chart | None:
    taken = {
        name: COLUMNS[figure.column](at_point(results.nodes, results, strategy, x, at))
        for name, strategy, at in figure.lines
    }
    samples = {name: values for name, values in taken.items() if values.size}
    if not samples:
        return None
    left, right = figure.x.range or (0.0, max(float(v[np.isfinite(v)].max()) for v in samples.values()))
    looks = looks_for([name for name, _, _ in figure.lines])
    traces: list[Json] = []
    for name, values in samples.items():
        points = _within(values, left, right, figure.complementary)
        look = looks[name]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": plain(name),
                "meta": switch(name),
                "opacity": look.opacity,
                "x": [float(f"{at:.4g}") for at, _ in points],
                "y": [round(share, 4) for _, share in points],
                "line": look.stroke | {"shape": "vh" if figure.complementary else "hv"},
                "marker": look.mark | {"maxdisplayed": 8},
                "hovertemplate": f"{plain(name)}: %{{y:.0%}} at %{{x:.3g}}<extra></extra>",
            }
        )
    shape = layout(
        xaxis=x_axis(figure.x, [left, right]),
        yaxis=axis(figure.y.title, range=[0, 1.03]),
    )
    if len(traces) > 1:
        shape |= side_legend(list(samples))
    caption = f"{figure.caption} {len(results.seeds)} runs together.{_off_scale(figure, samples)}"
    medians = "; ".join(f"{name}: median {number(float(np.median(v)))}" for name, v in samples.items())
    said = f"Distribution of {figure.x.title}. {medians}."
    return Chart(figure.key, title(figure), caption, said, {"data": traces, "layout": shape})


def _within(
    values: NDArray[np.float64], left: float, right: float, complementary: bool
) -> list[tuple[float, float]]:
    """The steps between the ends of the axis, and the shares at both ends."""
    finite = values[np.isfinite(values)]
    steps = at_least(finite) if complementary else at_most(values)
    inside = [(at, share) for at, share in steps if left < at < right]
    size = values.size
    if complementary:
        ends = (np.count_nonzero(values >= left) / size, np.count_nonzero(values >= right) / size)
    else:
        ends = (np.count_nonzero(values <= left) / size, np.count_nonzero(values <= right) / size)
    return [(left, float(ends[0])), *inside, (right, float(ends[1]))]


def _off_scale(figure: Spread, samples: Mapping[str, NDArray[np.float64]]) -> str:
    """Who has nodes beyond the axis for ever: those that passed on nothing at all."""
    lost = {name: float(np.mean(np.isinf(values))) for name, values in samples.items()}
    if not any(lost.values()):
        return ""
    shares = joined([f"{name} {share:.0%}" for name, share in lost.items() if share])
    return f" Infinite, and so beyond the right edge (nothing passed on of what they received): {shares}."


# Maps.


def _flow(figure: Figure, results: Results, x: str) -> Flow | None:
    assert isinstance(figure, TrafficMap)
    nodes, links = (
        at_point(frame, results, figure.strategy, x, figure.at) for frame in (results.nodes, results.links)
    )
    return flow_at(nodes, links, figure.strategy, figure.seed)


def _map(figure: TrafficMap, flow: Flow, most: int) -> Chart:
    caption = f"{figure.caption} {heard(flow)} Seed {figure.seed}."
    if not flow.placed:
        caption += " The topology gives no positions: nodes stand in rings round the sink, one ring a hop."
    said = f"Network map, {figure.strategy}: {len(flow.nodes)} nodes, {len(flow.edges)} links. {caption}"
    return map_chart(flow, most, (figure.key, title(figure), caption, said), PAPER_HALF_PX)


def _place(mean: float, about: Axis) -> float:
    """Where a mean stands on the axis, in its own units."""
    return math.log10(mean) if about.scale == "log" and mean > 0 else mean
