"""What all figures of a study share: titles, the paper's axes, and the rows of one point."""

import math
from collections.abc import Sequence

import polars as pl

from penstock.report.chart import Json, axis
from penstock.report.curves import vertical_range
from penstock.report.grid import Estimate
from penstock.report.look import STRATEGY_LOOKS
from penstock.results import Results
from penstock.studies.figure import Axis, Figure, Where
from penstock.studies.judge import CONTROL

NARROW_DECADES = 2.0
LEAST_TICKS = 3
MANTISSAS = (
    (1.0, 2.0, 5.0),
    tuple(range(1, 10)),
    tuple(n / 2 for n in range(2, 20)),
    tuple(n / 10 for n in range(10, 100)),
)
"""Of the labels of a narrow logarithmic axis, from few to many."""


def title(figure: Figure) -> str:
    """The heading over a figure."""
    return f"{figure.source}. {figure.title}"


def x_axis(about: Axis, positions: Sequence[float]) -> Json:
    """The horizontal axis: the paper's, or as long as the positions need."""
    low, high = about.range or (min(positions), max(positions))
    if about.scale == "log":
        return axis(about.title, type="log", range=[math.log10(low), math.log10(high)], dtick=1)
    pad = 0.0 if about.range else 0.04 * (high - low)
    return axis(about.title, range=[low - pad, high + pad])


def y_axis(about: Axis, known: Sequence[Estimate]) -> tuple[Json, tuple[float, float], bool]:
    """The axis; its range in its own units (decades where logarithmic); whether it is longer than the
    paper's, which it is where a mean would lie outside."""
    means = [e.mean for e in known]
    if about.scale == "log":
        positive = [mean for mean in means if mean > 0] or [1.0]
        low, high = about.range or (min(positive), max(positive))
        span = (math.log10(low) - 0.1, math.log10(high) + 0.1)
        if span[1] - span[0] > NARROW_DECADES:
            return axis(about.title, type="log", range=list(span), dtick=1), span, False
        ticks = narrow_ticks(span)
        labels = [f"{tick:g}" for tick in ticks]
        return axis(about.title, type="log", range=list(span), tickvals=ticks, ticktext=labels), span, False
    if about.range is None:
        span = vertical_range(known, share=False)
        return axis(about.title, range=list(span)), span, False
    low, high = about.range
    longer = max(means) > high or min(means) < low
    span = (min(low, *means), max(high, 1.03 * max(means)) if max(means) > high else high)
    return axis(about.title, range=list(span)), span, longer


def narrow_ticks(span: tuple[float, float]) -> list[float]:
    """Values to label on a logarithmic axis of few decades, `span` in decades: at least three, in full, where
    a plotting library would print single digits between powers of ten, or nothing at all."""
    ticks: list[float] = []
    for mantissas in MANTISSAS:
        ticks = [
            10.0**decade * mantissa
            for decade in range(math.floor(span[0]), math.ceil(span[1]))
            for mantissa in mantissas
            if span[0] <= decade + math.log10(mantissa) <= span[1]
        ]
        if len(ticks) >= LEAST_TICKS:
            break
    return ticks


def switch(name: str) -> str:
    """The strategy that shows and hides a line; "" for lines that are no strategies."""
    return name if name in STRATEGY_LOOKS else ""


def at_point(
    frame: pl.DataFrame, results: Results, strategy: str, x: str, at: float, where: Where = ()
) -> pl.DataFrame:
    """The rows of one point; none where the experiment has no such point."""
    for key, wanted in ((CONTROL, strategy), (x, at), *where):
        if key in results.axes:
            frame = frame.filter(pl.col(key) == wanted)
        else:
            section, _, name = key.partition(".")
            if getattr(getattr(results.scenario, section), name) != wanted:
                return frame.clear()
    return frame
