"""Flows: a table of what each one got, and figures of packets and delay, flow by flow."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from penstock.report.chart import PAPER_FULL_PX, Chart, Json, axis, layout, plain
from penstock.report.curves import is_logarithmic, line_name, looks
from penstock.report.grid import AxisValue, Grid
from penstock.report.tables import Cell, Row, Table
from penstock.report.words import axis_value, brief, number

HEIGHT_PX = 320
BOTTOM_PX = 78
"""Room for names that stand upright under the figure."""
MOST_NAMES = 80
"""More flows than this have no names under a figure, and no table."""


@dataclass(frozen=True)
class Got:
    """What one flow got under one strategy, means over seeds; None where nothing arrived or completed.

    completed: share of the seeds in which it did.
    """

    delivered: float
    goodput_pps: float
    delay_s: float | None
    completion_s: float | None
    completed: float


@dataclass(frozen=True)
class FlowLines:
    """Every flow of one point of the horizontal axis.

    names: of the flows, in the table's order. spans: when each is active. limits: how many packets each
    makes, None for no limit. got: {line: {flow: Got}}.
    """

    names: list[str]
    spans: list[str]
    limits: list[int | None]
    got: dict[AxisValue | None, dict[int, Got]]


def flow_lines(grid: Grid, flows: pl.DataFrame) -> FlowLines | None:
    """The flows at the highest value of the horizontal axis; None without any. Figures suppose that all lines
    have the same flows: those of the first line are taken."""
    if flows.is_empty():
        return None
    frames = {value: grid.select(flows, value, grid.highest_x) for value in grid.line_values}
    frames = {value: frame for value, frame in frames.items() if not frame.is_empty()}
    if not frames:
        return None
    first = next(iter(frames.values())).unique("flow", keep="first", maintain_order=True).sort("flow")
    sources = [str(source) for source in first["source"].to_list()]
    spans = [
        f"{brief(start)}–{brief(stop)} s"
        for start, stop in zip(first["start_s"].to_list(), first["stop_s"].to_list(), strict=True)
    ]
    # A source with several flows has its name followed by when.
    names = [
        source if sources.count(source) == 1 else f"{source} ({span})"
        for source, span in zip(sources, spans, strict=True)
    ]
    got = {value: _got(frame) for value, frame in frames.items()}
    return FlowLines(names, spans, [n and int(n) for n in first["packets"].to_list()], got)


def _got(frame: pl.DataFrame) -> dict[int, Got]:
    means = frame.group_by("flow", maintain_order=True).agg(
        pl.col("delivered", "goodput_pps", "delay_mean_s", "completion_s").mean(),
        (pl.col("completion_s").count() / pl.len()).alias("completed"),
    )
    return {int(row[0]): Got(*row[1:]) for row in means.rows()}


def flow_charts(grid: Grid, lines: FlowLines | None) -> list[Chart]:
    """Packets delivered and mean delay of every flow (WRCP, Figs. 10, 12, 15 and 17 to 19)."""
    if lines is None:
        return []
    where = "" if grid.x is None or grid.highest_x is None else f", at {axis_value(grid.x, grid.highest_x)}"
    packets = {v: {f: g.delivered for f, g in of.items()} for v, of in lines.got.items()}
    delays = {v: {f: g.delay_s for f, g in of.items()} for v, of in lines.got.items()}
    charts = [
        _chart(
            *(grid, lines, packets, "flow-packets", "Packets of each flow", "Delivered packets"),
            f"Packets of each flow that reached the sink, mean over seeds{where}. What counts is the lowest "
            "mark of a strategy: lexicographically, the one whose poorest flow gets more is ahead.",
        ),
        _chart(
            *(grid, lines, delays, "flow-delay", "Delay of each flow", "Mean delay (s)"),
            "Mean time of its delivered packets from admission by the stack to arrival: queueing and "
            f"transmission at all hops{where}.",
        ),
    ]
    return [chart for chart in charts if chart is not None]


def _chart(
    grid: Grid,
    lines: FlowLines,
    values: dict[AxisValue | None, dict[int, float | None]] | dict[AxisValue | None, dict[int, float]],
    key: str,
    title: str,
    axis_title: str,
    caption: str,
) -> Chart | None:
    known = [y for of in values.values() for y in of.values() if y is not None and y > 0]
    if not known:
        return None
    wide = is_logarithmic(known)
    traces: list[Json] = []
    spoken: list[str] = []
    count = len(lines.names)
    for order, (value, of) in enumerate(values.items()):
        look, name = looks(grid)[value], line_name(grid, value)
        y = [of.get(flow) for flow in range(1, count + 1)]
        step = 0.5 * (order - (len(values) - 1) / 2) / max(len(values), 2)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": plain(name),
                "x": [at + step for at in range(count)],
                "y": [None if each is None or (wide and each <= 0) else each for each in y],
                "marker": look.mark,
                "text": [
                    plain(f"{name}, {flow}: {number(each, 3)}")
                    for flow, each in zip(lines.names, y, strict=True)
                ],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
        )
        there = [each for each in y if each is not None]
        spoken.append(f"{name} {number(min(there))} to {number(max(there))}" if there else f"{name} nothing")
    named = count <= MOST_NAMES
    shape = layout(
        height=HEIGHT_PX,
        xaxis=axis(
            "Source of the flow",
            range=[-0.7, count - 0.3],
            tickvals=list(range(count)) if named else [],
            ticktext=[plain(name) for name in lines.names] if named else [],
            tickangle=0 if _short(lines.names) else -90,
            tickfont={"size": 10},
        ),
        yaxis=_range(axis_title, known, wide),
    )
    shape["margin"] = {**shape["margin"], "b": 52 if _short(lines.names) else BOTTOM_PX + 24}
    if grid.lines is not None:
        shape |= {
            "showlegend": True,
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        }
        shape["margin"] = {**shape["margin"], "t": 40}
    silent = any(not each for of in values.values() for each in of.values())
    missing = " No mark: nothing arrived." if silent and wide else ""
    return Chart(
        key,
        title,
        caption + missing,
        f"Dot chart: {axis_title} of {count} flows. {'; '.join(spoken)}.",
        {"data": traces, "layout": shape},
        HEIGHT_PX,
        (PAPER_FULL_PX, 260),
    )


def _short(names: Sequence[str]) -> bool:
    """Whether names find room side by side."""
    return max(len(name) for name in names) <= 2 and len(names) <= 26


def _range(title: str, known: Sequence[float], wide: bool) -> Json:
    if not wide:
        return axis(title, range=[0, 1.06 * max(known)])
    low, high = math.log10(min(known)), math.log10(max(known))
    return axis(
        f"{title}, log scale",
        type="log",
        range=[low - 0.08, high + 0.08],
        dtick="D1" if high - low < 1 else 1,
    )


def flow_table(grid: Grid, lines: FlowLines | None) -> Table | None:
    """One row a flow, one column a line; None without flows, or with more than a reader would read."""
    if lines is None or len(lines.names) > MOST_NAMES:
        return None
    rows: list[Row] = []
    for at, (name, span, limit) in enumerate(zip(lines.names, lines.spans, lines.limits, strict=True)):
        cells = [Cell(span, "" if limit is None else f"{limit:,} packets")]
        cells += [_cell(of.get(at + 1), limit is not None) for of in lines.got.values()]
        rows.append((name, cells))
    completes = " and until the last of its packets had arrived" if any(lines.limits) else ""
    return Table(
        "flows",
        "Packets of each flow that reached the sink, means over seeds; small: packets per second of its "
        f"activity, mean delay{completes}.",
        ["Source", "Active", *(line_name(grid, value) if grid.lines else "measured" for value in lines.got)],
        rows,
    )


def _cell(got: Got | None, limited: bool) -> Cell:
    if got is None:
        return Cell("–")
    delay = "no delay known" if got.delay_s is None else f"{number(got.delay_s)} s"
    below = f"{number(got.goodput_pps)}/s, {delay}"
    if limited:
        done = "not completed" if got.completion_s is None else f"done in {number(got.completion_s)} s"
        part = f" ({got.completed:.0%} of seeds)" if 0 < got.completed < 1 else ""
        below += f", {done}{part}"
    return Cell(number(got.delivered, 3), below)
