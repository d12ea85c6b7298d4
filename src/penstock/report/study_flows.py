"""A study's figures of flows: rates and queues over time, what each source got, and when it was active."""

import polars as pl

from penstock.report.chart import (
    BOTTOM_PX,
    HEIGHT_PX,
    LABEL_WIDTH_PX,
    LEFT_PX,
    PAPER_FULL_PX,
    PAPER_HEIGHT_PX,
    TOP_PX,
    Chart,
    Json,
    axis,
    layout,
    plain,
    side_legend,
)
from penstock.report.curves import error_bars
from penstock.report.grid import Estimate
from penstock.report.look import looks_for
from penstock.report.study_axes import at_point, switch, title, x_axis, y_axis
from penstock.report.words import number, percent
from penstock.results import Results
from penstock.statistics import estimate
from penstock.studies.figure import Activity, Sources, Trace
from penstock.studies.sources import by_source

MOST_POINTS = 450
"""Of one line over time: more than a figure has pixels for."""
BAR_PX = 9
"""Of one source's bar of activity, with the gap to the next one."""
WIDE = (PAPER_FULL_PX, PAPER_HEIGHT_PX)


def over_flows(figure: Trace | Sources | Activity, results: Results, x: str) -> Chart | None:
    """The figure as a chart; None where the results hold nothing of it."""
    if isinstance(figure, Trace):
        return _trace(figure, results, x)
    return _sources(figure, results, x) if isinstance(figure, Sources) else _activity(figure, results)


def _trace(figure: Trace, results: Results, x: str) -> Chart | None:
    if results.series.is_empty():
        return None
    looks = looks_for([f"{name} " for name, _, _ in figure.lines])  # apart from strategies' own looks
    traces: list[Json] = []
    spoken: list[str] = []
    means: list[Estimate] = []
    for name, strategy, node in figure.lines:
        rows = at_point(results.series, results, strategy, x, figure.at, figure.where)
        rows = rows.filter(seed=figure.seed, node=node).filter(pl.col(figure.column).is_not_null())
        if rows.is_empty():
            continue
        rows = rows.gather_every(max(1, -(-rows.height // MOST_POINTS)))
        values: list[float] = rows[figure.column].cast(pl.Float64).to_list()
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": plain(name),
                "x": [float(f"{at:.5g}") for at in rows["time_s"].to_list()],
                "y": [float(f"{value:.4g}") for value in values],
                "line": looks[f"{name} "].stroke | {"width": 1.3},
                "hovertemplate": f"{plain(name)}: %{{y:.3g}} at %{{x:.4g}} s<extra></extra>",
            }
        )
        means += [Estimate(value) for value in values]
        spoken.append(f"{name} {number(min(values))} to {number(max(values))}")
    if not traces:
        return None
    vertical, _, longer = y_axis(figure.y, means)
    times = [at for trace in traces for at in trace["x"]]
    shape = layout(xaxis=x_axis(figure.x, times), yaxis=vertical)
    if len(traces) > 1:
        shape |= side_legend([trace["name"] for trace in traces])
    caption = f"{figure.caption} One run, seed {figure.seed}."
    if longer:
        caption += " The axis is longer than the paper's."
    said = f"Line chart: {figure.y.title} against {figure.x.title}. {'; '.join(spoken)}."
    return Chart(figure.key, title(figure), caption, said, {"data": traces, "layout": shape})


def _sources(figure: Sources, results: Results, x: str) -> Chart | None:
    each = by_source(results)
    if each.is_empty():
        return None
    looks = looks_for(list(figure.strategies))
    traces: list[Json] = []
    spoken: list[str] = []
    means: list[Estimate] = []
    names: list[str] = []
    for strategy in figure.strategies:
        rows = at_point(each, results, strategy, x, figure.at, figure.where)
        found = {
            str(source): _over_seeds(group, figure.column, results)
            for (source,), group in rows.group_by("source", maintain_order=True)
        }
        if not found:
            continue
        names = names or sorted(found, key=_numbered)
        values = [found.get(name) for name in names]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": plain(strategy),
                "meta": switch(strategy),
                "x": names,
                "y": [None if e is None else e.mean for e in values],
                "marker": looks[strategy].mark,
                "error_y": error_bars(values, looks[strategy].colour),
                "hovertemplate": f"{plain(strategy)}, source %{{x}}: %{{y:.4g}}<extra></extra>",
            }
        )
        known = [e for e in values if e is not None]
        means += known
        spoken.append(
            f"{strategy} {number(min(e.mean for e in known))} to {number(max(e.mean for e in known))}"
        )
    if not traces:
        return None
    vertical, _, longer = y_axis(figure.y, means)
    shape = layout(xaxis=axis("Source", type="category", tickfont={"size": 9}), yaxis=vertical)
    shape |= side_legend([trace["name"] for trace in traces])
    level = f" Bars: {percent(results.scenario.confidence)} intervals over {len(results.seeds)} seeds."
    caption = figure.caption + level + (" The axis is longer than the paper's." if longer else "")
    said = f"Points: {figure.y.title} of each source. {'; '.join(spoken)}."
    return Chart(figure.key, title(figure), caption, said, {"data": traces, "layout": shape}, HEIGHT_PX, WIDE)


def _over_seeds(rows: pl.DataFrame, column: str, results: Results) -> Estimate | None:
    values: list[float] = rows[column].cast(pl.Float64).drop_nulls().to_list()
    if not values:
        return None
    found = estimate(values, results.scenario.confidence)
    return Estimate(found.mean) if found.count < 2 else Estimate(found.mean, found.low, found.high)


def _activity(figure: Activity, results: Results) -> Chart | None:
    flows = results.flows
    if flows.is_empty():
        return None
    once = flows.select("source", "start_s", "stop_s").unique()
    names = sorted(set(once["source"].to_list()), key=_numbered)
    xs: list[float | None] = []
    ys: list[str | None] = []
    for source, start, stop in once.sort("source", "start_s").iter_rows():
        xs += [start, stop, None]
        ys += [source, source, None]
    bars = {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"color": "#1a1a1a", "width": 4},
        "hovertemplate": "source %{y}: %{x} s<extra></extra>",
    }
    height = TOP_PX + BOTTOM_PX + max(BAR_PX * len(names), PAPER_HEIGHT_PX - TOP_PX - BOTTOM_PX)
    shape = layout(
        xaxis=axis("Time (s)", range=[0, results.scenario.time.measure_s]),
        yaxis=axis(
            "Source", type="category", categoryarray=names, tickfont={"size": 8}, range=[-1, len(names)]
        ),
    )
    shape["height"] = height
    shape["margin"] = shape["margin"] | {"l": LEFT_PX + LABEL_WIDTH_PX}
    shortest, longest = _lengths(once)
    said = f"Bars over time: {len(names)} sources, {once.height} flows of {shortest} to {longest} s."
    return Chart(
        figure.key,
        title(figure),
        figure.caption,
        said,
        {"data": [bars], "layout": shape},
        height,
        (PAPER_FULL_PX // 2, height),
    )


def _lengths(flows: pl.DataFrame) -> tuple[str, str]:
    lasted: list[float] = (flows["stop_s"] - flows["start_s"]).sort().to_list()
    return number(lasted[0]), number(lasted[-1])


def _numbered(label: str) -> tuple[int, str]:
    """Labels in the order of their numbers, names after them."""
    return (int(label), "") if label.isdigit() else (1 << 30, label)
