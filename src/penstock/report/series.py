"""Series: queue and rate of a few nodes over time, one figure a strategy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from penstock.report.chart import Chart, Json, axis, layout, plain
from penstock.report.curves import line_name
from penstock.report.grid import AxisValue, Grid
from penstock.report.look import OTHER_LOOKS
from penstock.report.words import joined, number
from penstock.results import Results

MOST_POINTS = 400
"""Of a line; more samples are put together."""
MOST_NODES = 4
MOST_FIGURES = 8
MOST_APART = 5.0


@dataclass(frozen=True)
class Quantity:
    """What a figure shows: its key, title, axis, how samples are put together, and its caption."""

    key: str
    title: str
    axis: str
    says: str


ALLOWED = Quantity(
    "allowed",
    "Allowed rate",
    "Allowed rate (packets/s)",
    "The rate at which the strategy lets each node's own packets in. Compare WRCP, Figs. 1, 2, 11 and 16.",
)
ARRIVING = Quantity(
    "arriving",
    "Arriving packets",
    "At the sink (packets/s)",
    "Packets of each node that reach the sink: this strategy sets no rate of its own.",
)
QUEUE = Quantity(
    "queue", "Queue", "Longest queue (packets)", "Packets in each node's queue. Compare WRCP, Figs. 1 and 2."
)


def series_charts(results: Results, grid: Grid) -> list[Chart]:
    """Rate and queue of the nodes to be shown, for the first seed of each line at the highest value of the
    horizontal axis; empty without series."""
    if results.series.is_empty():
        return []
    charts: list[Chart] = []
    for place, value in enumerate(grid.line_values[:MOST_FIGURES]):
        series = grid.select(results.series, value, grid.highest_x)
        if series.is_empty():
            continue
        seed = int(series["seed"][0])
        series = series.filter(pl.col("seed") == seed)
        nodes = shown_nodes(results, grid, value, seed)
        known = series["allowed_rate_pps"].null_count() < len(series)
        for quantity in (ALLOWED if known else ARRIVING, QUEUE):
            charts.append(_chart(grid, value, place, quantity, series, nodes, seed))
    return _on_one_scale(charts)


def shown_nodes(results: Results, grid: Grid, line: AxisValue | None, seed: int) -> list[str]:
    """The nodes that the scenario names, or up to four of the sources, evenly from the nearest to the sink to
    the farthest (by hops, then in the topology's order)."""
    named = [str(node) for node in results.scenario.records.shown]
    if named:
        return named
    nodes = grid.select(results.nodes, line, grid.highest_x)
    nodes = nodes.filter((pl.col("seed") == seed) & (pl.col("generated") > 0)).sort("hops", "index")
    labels = [str(label) for label in nodes["node"].to_list()]
    if len(labels) <= MOST_NODES:
        return labels
    return [labels[round(i * (len(labels) - 1) / (MOST_NODES - 1))] for i in range(MOST_NODES)]


def _chart(
    grid: Grid,
    value: AxisValue | None,
    place: int,
    quantity: Quantity,
    series: pl.DataFrame,
    nodes: Sequence[str],
    seed: int,
) -> Chart:
    traces: list[Json] = []
    spoken: list[str] = []
    for node, look in zip(nodes, OTHER_LOOKS, strict=False):
        here = series.filter(pl.col("node") == node).sort("time_s")
        times, values = _binned(here, quantity)
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": plain(f"node {node}"),
                "x": times,
                "y": values,
                "line": {"color": look.colour, "width": 1.2, "dash": "solid", "shape": "hv"},
                "hoverinfo": "x+y+name",
            }
        )
        known = [each for each in values if each is not None]
        last = number(known[-1]) if known else "nothing"
        spoken.append(f"node {node} up to {number(max(known, default=0.0))}, {last} at the end")
    line = "" if grid.lines is None else f": {line_name(grid, value)}"
    return Chart(
        f"series-{place + 1}-{quantity.key}",
        f"{quantity.title}{line}",
        f"{quantity.says} Seed {seed}.",
        f"Line chart: {quantity.axis} of {joined([f'node {node}' for node in nodes])} over time. "
        f"{'; '.join(spoken)}.",
        {
            "data": traces,
            "layout": layout(
                xaxis=axis("Time from the beginning of the measurement (s)", range=[0, _end(series)]),
                yaxis=axis(quantity.axis, rangemode="tozero"),
                showlegend=True,
                legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
                margin={"l": 62, "r": 16, "t": 40, "b": 52},
            ),
        },
    )


def _end(series: pl.DataFrame) -> float:
    times: Any = series["time_s"].max()
    return float(times)


def _binned(here: pl.DataFrame, quantity: Quantity) -> tuple[list[float], list[float | None]]:
    """(times, values) of one node, at most MOST_POINTS: means of rates, the longest queue."""
    size = max(1, -(-len(here) // MOST_POINTS))
    if quantity is ARRIVING:
        size = max(size, -(-len(here) // (MOST_POINTS // 4)))  # single packets are no rate
    bins = here.with_row_index("row").group_by(pl.col("row") // size, maintain_order=True)
    if quantity is QUEUE:
        frame = bins.agg(pl.col("time_s").first(), pl.col("queue").max().alias("value"))
    elif quantity is ALLOWED:
        frame = bins.agg(pl.col("time_s").first(), pl.col("allowed_rate_pps").mean().alias("value"))
    else:
        frame = bins.agg(pl.col("time_s", "delivered").first())
        rate = pl.col("delivered").cast(pl.Float64).diff() / pl.col("time_s").diff()
        frame = frame.select("time_s", rate.shift(-1).alias("value"))
    values: list[float | None] = [
        None if each is None else float(f"{each:.4g}") for each in frame["value"].to_list()
    ]
    return frame["time_s"].to_list(), values


def _top(chart: Chart) -> float:
    values = [y for trace in chart.figure["data"] for y in trace["y"] if y is not None]
    return 1.06 * max(values, default=0.0) or 1.0


def _on_one_scale(charts: list[Chart]) -> list[Chart]:
    """Figures of one quantity are compared, so they share their vertical axis, unless one of them would press
    another flat; the two ways to show a rate are one quantity."""
    for keys in (("allowed", "arriving"), ("queue",)):
        group = [chart for chart in charts if chart.key.rpartition("-")[2] in keys]
        tops = [_top(chart) for chart in group]
        alike = bool(tops) and max(tops) <= MOST_APART * min(tops)
        for chart, top in zip(group, tops, strict=True):
            chart.figure["layout"]["yaxis"]["range"] = [0, max(tops) if alike else top]
    return charts
