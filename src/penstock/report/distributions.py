"""How evenly the network is treated: distributions over nodes, all seeds together."""

import math
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock.report.chart import PAPER_HALF_PX, Chart, Json, axis, layout, plain, side_legend
from penstock.report.curves import line_name, looks
from penstock.report.grid import LOAD, AxisValue, Grid
from penstock.report.words import PERIODIC, axis_value, number

THESIS_LOAD_PPS = 2.0
"""Offered load of thesis Fig. 5-7 and Table 5.2."""
WIDE_SPAN = 30.0
LEGEND_PX = 26
MOST_ABOVE = 8
"""Names that find room over a figure; more stand beside it."""
PAPER_PX = (PAPER_HALF_PX, 280)


def distribution_x(grid: Grid) -> float | None:
    """Where per-node throughput is shown: the thesis's load where there is one, else the highest value."""
    return grid.nearest_x(THESIS_LOAD_PPS) if grid.x == LOAD else grid.highest_x


def throughputs(nodes: pl.DataFrame) -> NDArray[np.float64]:
    """Throughput at the sink of every node but the sink, in every run, packets/s, rising."""
    values = nodes.filter(~pl.col("sink"))["throughput_pps"].drop_nulls().cast(pl.Float64).to_numpy()
    return np.sort(values[np.isfinite(values)])


def imbalances(nodes: pl.DataFrame) -> NDArray[np.float64]:
    """Imbalance of every node that forwards, in every run, rising; infinite where nothing came through."""
    values = nodes.filter(~pl.col("sink"))["imbalance"].drop_nulls().cast(pl.Float64).to_numpy()
    return np.sort(values[~np.isnan(values)])


def delivered_shares(nodes: pl.DataFrame) -> NDArray[np.float64]:
    """What arrived of what each source generated, in every run, rising."""
    sources = nodes.filter(~pl.col("sink") & (pl.col("generated") > 0))
    return np.sort((sources["delivered"] / sources["generated"]).cast(pl.Float64).to_numpy())


def _compare(figure: str, workload: str) -> str:
    return f" Compare thesis Fig. {figure}." if workload == PERIODIC else ""


def throughput_distribution(grid: Grid, nodes: pl.DataFrame, workload: str = PERIODIC) -> Chart | None:
    """The share of nodes that get at least so much through (thesis Fig. 5-7)."""
    x = distribution_x(grid)
    samples = _samples(grid, nodes, x, throughputs)
    positive = [value for values in samples.values() for value in values if value > 0]
    if not positive:
        return None
    wide = max(positive) / min(positive) > WIDE_SPAN
    lines = {value: at_least(values) for value, values in samples.items()}
    silent = {value: _silent_share(values) for value, values in samples.items()}
    spoken = "; ".join(f"{line_name(grid, v)}: {silent[v]:.0%} of nodes deliver nothing" for v in samples)
    low_end = " Where a line starts below 100%, the remaining nodes deliver nothing."
    caption = (
        f"Share of nodes from which the sink hears at least so much{_at(grid, x)}; all seeds together. "
        "A line that stays high far to the right is a network that serves everyone."
        f"{low_end if wide else ''}{_compare('5-7', workload)}"
    )
    return Chart(
        "node-throughput",
        "Throughput node by node",
        caption,
        f"Complementary distribution of per-node throughput. {spoken}.",
        _steps(
            grid,
            lines,
            x_axis=_value_axis("Throughput of a node at the sink (packets/s)", positive, wide),
            y_axis=axis("Share of nodes", range=[0, 1.03], tickformat=".0%"),
            shape="vh",
        ),
        paper_px=PAPER_PX,
    )


def imbalance_distribution(grid: Grid, nodes: pl.DataFrame, workload: str = PERIODIC) -> Chart | None:
    """The share of forwarding nodes with at most this imbalance (thesis Fig. 5-3)."""
    x = grid.highest_x
    samples = _samples(grid, nodes, x, imbalances)
    finite = [value for values in samples.values() for value in values if math.isfinite(value) and value > 0]
    if not finite:
        return None
    wide = max(finite) / min(finite) > WIDE_SPAN
    lines = {value: at_most(values) for value, values in samples.items()}
    blocked = {value: int(np.sum(np.isinf(values))) for value, values in samples.items()}
    spoken = "; ".join(
        f"{line_name(grid, value)}: median {number(float(np.median(values)))}"
        for value, values in samples.items()
    )
    stuck = [value for value in samples if blocked[value]]
    lost = (
        " Where a line ends below 100%, the rest passed on nothing at all of what they received."
        if stuck
        else ""
    )
    caption = (
        "Share of forwarding nodes with at most so much imbalance: packets a node received, per packet "
        f"its parent received from it (Eq. 3.2){_at(grid, x)}; all seeds together. 1: everything is passed "
        f"on. Nodes far to the right are hotspots that swallow traffic.{lost}"
        f"{_compare('5-3', workload)}"
    )
    return Chart(
        "imbalance",
        "Imbalance ζ node by node",
        caption,
        f"Distribution of node imbalance. {spoken}.",
        _steps(
            grid,
            lines,
            x_axis=_value_axis("Imbalance ζ of a forwarding node", finite, wide),
            y_axis=axis("Share of forwarding nodes", range=[0, 1.03], tickformat=".0%"),
            shape="hv",
        ),
        paper_px=PAPER_PX,
    )


def _samples(
    grid: Grid, nodes: pl.DataFrame, x: float | None, take: Callable[[pl.DataFrame], NDArray[np.float64]]
) -> dict[AxisValue | None, NDArray[np.float64]]:
    taken = {value: take(grid.select(nodes, value, x)) for value in grid.line_values}
    return {value: values for value, values in taken.items() if values.size}


def _silent_share(values: NDArray[np.float64]) -> float:
    return np.count_nonzero(values == 0) / values.size


def _at(grid: Grid, x: float | None) -> str:
    return "" if grid.x is None or x is None else f", at {axis_value(grid.x, x)}"


def at_least(values: NDArray[np.float64]) -> list[tuple[float, float]]:
    """(value, share of samples that reach it), one per distinct value, from left to right."""
    distinct, first = np.unique(values, return_index=True)
    shares = 1.0 - first / values.size
    return [(float(v), float(s)) for v, s in zip(distinct, shares, strict=True)]


def at_most(values: NDArray[np.float64]) -> list[tuple[float, float]]:
    """(value, share of samples up to it), one per distinct finite value, from left to right."""
    distinct, counts = np.unique(values, return_counts=True)
    shares = np.cumsum(counts) / values.size
    return [(float(v), float(s)) for v, s in zip(distinct, shares, strict=True) if math.isfinite(v)]


def _value_axis(title: str, positive: list[float], wide: bool) -> Json:
    if not wide:
        return axis(title, range=[0, max(positive) * 1.04])
    low, high = math.log10(min(positive)), math.log10(max(positive))
    return axis(
        f"{title}, log scale",
        type="log",
        range=[low - 0.05, high + 0.05],
        dtick="D1" if high - low < 1 else 1,
    )


def _steps(
    grid: Grid,
    lines: dict[AxisValue | None, list[tuple[float, float]]],
    x_axis: Json,
    y_axis: Json,
    shape: str,
) -> Json:
    logarithmic = x_axis.get("type") == "log"
    left = 10 ** x_axis["range"][0] if logarithmic else 0.0
    traces: list[Json] = []
    line_looks = looks(grid)
    for value, points in lines.items():
        look, name = line_looks[value], line_name(grid, value)
        shown = [(x, y) for x, y in points if x > 0 or not logarithmic]
        if not shown:
            continue
        # Run the line in from the axis: at least this much is also at least anything less.
        start = (left, shown[0][1]) if shape == "vh" else (left, 0.0)
        shown = [start, *shown] if shown[0][0] > left else shown
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": plain(name),
                "x": [x for x, _ in shown],
                "y": [y for _, y in shown],
                "opacity": look.opacity,
                "line": look.stroke | {"shape": shape},
                "marker": {
                    "symbol": look.marker,
                    "size": look.marker_px,
                    "color": look.colour,
                    "maxdisplayed": 8,
                },
                "text": [plain(f"{name}: {y:.0%} at {number(x, 3)}") for x, y in shown],
                "hoverinfo": "text",
            }
        )
    figure_layout = layout(xaxis=x_axis, yaxis=y_axis)
    if len(traces) > MOST_ABOVE:
        figure_layout |= side_legend([str(trace["name"]) for trace in traces])
    elif len(traces) > 1:
        figure_layout |= {
            "showlegend": True,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "y": 1.02,
                "yanchor": "bottom",
                "itemclick": "toggle",
                "font": {"size": 11},
            },
        }
        figure_layout["margin"] = {**figure_layout["margin"], "t": 12 + 2 * LEGEND_PX}
    return {"data": traces, "layout": figure_layout}
