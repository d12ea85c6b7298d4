"""A study's figures whose curves and bars the study made itself."""

import math
from collections.abc import Sequence

from penstock.report.chart import Chart, Json, axis, layout, plain, side_legend
from penstock.report.curves import error_bars
from penstock.report.grid import Estimate
from penstock.report.look import Look, looks_for
from penstock.report.study_axes import title, x_axis, y_axis
from penstock.report.words import number, percent
from penstock.studies.figure import Curve, Drawing, Stack
from penstock.studies.section import Loaded

MOST_POINTS = 450
"""Of one plain line: more than a figure has pixels for."""
FILLS = (
    ("#0072B2", ""),
    ("#E69F00", "/"),
    ("#56B4E9", "x"),
    ("#D55E00", "."),
    ("#009E73", "\\"),
)
"""Colour and hatching of a bar's parts: they differ in grey as well."""


def drawing(figure: Drawing, tables: Loaded) -> Chart | None:
    """The figure as a chart; None where the results hold nothing of it."""
    curves = [curve for curve in figure.curves(tables) if any(math.isfinite(y) for y in curve.y)]
    if not curves:
        return None
    looks = looks_for([curve.name for curve in curves])
    traces = [_trace(curve, looks[curve.name], figure.points) for curve in curves]
    known = [each for curve in curves for each in _estimates(curve) if each is not None]
    vertical, _, longer = y_axis(figure.y, known)
    shape = layout(xaxis=x_axis(figure.x, [at for curve in curves for at in curve.x]), yaxis=vertical)
    if len(curves) > 1:
        shape |= side_legend([curve.name for curve in curves])
    caption = figure.caption
    if any(curve.low for curve in curves):
        caption += f" {_level(figure.experiment, tables)}"
    if longer:
        caption += " The axis is longer than the paper's."
    spoken = "; ".join(f"{curve.name} {_span(curve)}" for curve in curves)
    said = f"Line chart: {figure.y.title} against {figure.x.title}. {spoken}."
    return Chart(figure.key, title(figure), caption, said, {"data": traces, "layout": shape})


def stack(figure: Stack, tables: Loaded) -> Chart | None:
    """The figure as a chart; None where the results hold nothing of it."""
    bars = figure.bars(tables)
    if not bars:
        return None
    names = [plain(name) for name, _ in bars]
    traces: list[Json] = []
    for at, part in enumerate(figure.parts):
        colour, hatching = FILLS[at % len(FILLS)]
        traces.append(
            {
                "type": "bar",
                "name": plain(part),
                "x": names,
                "y": [float(f"{sizes[at]:.4g}") for _, sizes in bars],
                "marker": {
                    "color": colour,
                    "line": {"color": "#1a1a1a", "width": 0.5},
                    "pattern": {"shape": hatching, "fillmode": "overlay", "fgcolor": "#ffffff", "size": 6},
                },
                "hovertemplate": f"%{{x}}, {plain(part)}: %{{y:.3g}}<extra></extra>",
            }
        )
    tallest = max(sum(sizes) for _, sizes in bars)
    high = figure.y.range[1] if figure.y.range else 1.05 * tallest
    shape = layout(xaxis=axis("", type="category", tickangle=0), yaxis=axis(figure.y.title, range=[0, high]))
    shape |= side_legend(list(figure.parts)) | {"barmode": "stack", "bargap": 0.45}
    shape["legend"] = shape["legend"] | {"traceorder": "reversed"}
    spoken = "; ".join(f"{name}: {_sizes(figure, sizes)}" for name, sizes in bars)
    return Chart(
        *(figure.key, title(figure), figure.caption, f"Bars: {figure.y.title}. {spoken}."),
        {"data": traces, "layout": shape},
    )


def _sizes(figure: Stack, sizes: Sequence[float]) -> str:
    return ", ".join(f"{part} {number(size)}" for part, size in zip(figure.parts, sizes, strict=True))


def _trace(curve: Curve, look: Look, points: bool) -> Json:
    """Single points, or a line through every n-th of many."""
    step = 1 if points else max(1, -(-len(curve.x) // MOST_POINTS))
    trace: Json = {
        "type": "scatter",
        "mode": "lines+markers" if points else "lines",
        "name": plain(curve.name),
        "x": [float(f"{at:.5g}") for at in curve.x[::step]],
        "y": [float(f"{value:.4g}") if math.isfinite(value) else None for value in curve.y[::step]],
        "line": look.stroke if points else look.stroke | {"width": 1.3},
        "hovertemplate": f"{plain(curve.name)}: %{{y:.3g}} at %{{x:.4g}}<extra></extra>",
        "connectgaps": False,
    }
    if points:
        found = _estimates(curve)
        trace |= {
            "marker": look.mark,
            "cliponaxis": False,
            "error_y": error_bars(found, look.colour) | {"width": 2},
        }
    return trace


def _estimates(curve: Curve) -> list[Estimate | None]:
    found: list[Estimate | None] = []
    for at, mean in enumerate(curve.y):
        low, high = (curve.low[at], curve.high[at]) if curve.low else (math.nan, math.nan)
        bounded = math.isfinite(low) and math.isfinite(high)
        known = Estimate(mean, low, high) if bounded else Estimate(mean)
        found.append(known if math.isfinite(mean) else None)
    return found


def _level(experiment: str, tables: Loaded) -> str:
    results, _ = tables[experiment]
    return f"Bars: {percent(results.scenario.confidence)} intervals over {len(results.seeds)} seeds."


def _span(curve: Curve) -> str:
    known = [value for value in curve.y if math.isfinite(value)]
    return f"{number(known[0])} to {number(known[-1])}"
