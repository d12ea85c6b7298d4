"""Which swept key goes where: one on the horizontal axis, one as lines, the others held at one value."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import polars as pl

AxisValue = str | int | float | bool
"""One value of a swept key; a list is held as its JSON text."""

CONTROL = "congestion.control"
LOAD = "traffic.rate_pps"
MOST_LINES = 8


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds with its interval; `low` and `high` are None where there is none (one seed)."""

    mean: float
    low: float | None = None
    high: float | None = None

    @property
    def top(self) -> float:
        """The highest value this estimate draws."""
        return self.mean if self.high is None else self.high


@dataclass(frozen=True)
class Grid:
    """The points of a run, arranged for figures.

    Attributes:
        axes: every swept key with its values; numbers rise, other values keep their order.
        x: key on the horizontal axis, a number; None when no number was swept.
        lines: key drawn as one line a value; None when nothing is left for it.
        fixed: the remaining keys with the one value that is shown.
        level: level of the intervals, 0..1; None when no point has one.
    """

    axes: dict[str, list[AxisValue]]
    x: str | None
    lines: str | None
    fixed: dict[str, AxisValue]
    level: float | None
    points: dict[tuple[AxisValue | None, AxisValue | None], dict[str, Estimate]] = field(repr=False)

    @property
    def x_values(self) -> list[float]:
        """Values on the horizontal axis, rising; empty without one."""
        return [float(value) for value in self.axes[self.x]] if self.x else []

    @property
    def line_values(self) -> list[AxisValue | None]:
        """Values drawn as lines; one None where there is a single unnamed line."""
        return list(self.axes[self.lines]) if self.lines else [None]

    @property
    def has_curves(self) -> bool:
        """Whether there are two positions on the horizontal axis to draw a line between."""
        return len(self.x_values) > 1

    @property
    def is_single(self) -> bool:
        """Whether the figures would show one point only."""
        return not self.has_curves and len(self.line_values) == 1

    def at(self, line: AxisValue | None, x: float | None, metric: str) -> Estimate | None:
        """The estimate of a metric at one point; None where the point or a finite value is missing."""
        return self.points.get((line, x), {}).get(metric)

    def known(self, line: AxisValue | None, x: float | None) -> bool:
        """Whether any run of this point finished."""
        return bool(self.points.get((line, x)))

    def select(self, frame: pl.DataFrame, line: AxisValue | None, x: float | None) -> pl.DataFrame:
        """The rows of a results frame that belong to one point."""
        wanted: dict[str, AxisValue] = dict(self.fixed)
        if self.lines is not None and line is not None:
            wanted[self.lines] = line
        if self.x is not None and x is not None:
            wanted[self.x] = x
        for name, value in wanted.items():
            if name not in frame.columns:
                continue
            # Tables hold a key whose values are of several kinds as JSON text.
            mixed = frame.schema[name] == pl.String and not isinstance(value, str)
            frame = frame.filter(pl.col(name) == (json.dumps(value) if mixed else value))
        return frame

    def nearest_x(self, wanted: float) -> float | None:
        """The position on the horizontal axis nearest to one asked for (the lower of two as near)."""
        return min(self.x_values, key=lambda value: (abs(value - wanted), value), default=None)

    @property
    def highest_x(self) -> float | None:
        """The last position on the horizontal axis."""
        return max(self.x_values, default=None)


def arrange(points: Sequence[Mapping[str, Any]]) -> Grid:
    """Arrange the points of summary.json.

    The horizontal axis is the load where it was swept, else the first key with numbers; the lines are the
    strategies where they were swept, else the first key that is no number, else another key with few numbers.
    """
    axes = _axes(points)
    numeric = [name for name, values in axes.items() if all(_is_number(value) for value in values)]
    named = [name for name in axes if name not in numeric]
    x = LOAD if LOAD in numeric else (numeric[0] if numeric else None)
    rest = [name for name in numeric if name != x and 1 < len(axes[name]) <= MOST_LINES]
    lines = CONTROL if CONTROL in named else (named + rest + [None])[0]
    fixed = {name: values[0] for name, values in axes.items() if name not in (x, lines)}
    level: float | None = None
    arranged: dict[tuple[AxisValue | None, AxisValue | None], dict[str, Estimate]] = {}
    for point in points:
        at = _place(point)
        if any(at.get(name) != value for name, value in fixed.items()):
            continue
        metrics = cast(Mapping[str, Mapping[str, Any]], point.get("metrics", {}))
        estimates: dict[str, Estimate] = {}
        for name, value in metrics.items():
            estimate = _estimate(value)
            if estimate is not None:
                estimates[name] = estimate
                if estimate.low is not None and level is None:
                    level = _finite(value.get("level"))
        x_value = at.get(x) if x else None
        key = (at.get(lines) if lines else None, float(x_value) if x_value is not None else None)
        arranged[key] = estimates
    return Grid(axes, x, lines, fixed, level, arranged)


def _axes(points: Sequence[Mapping[str, Any]]) -> dict[str, list[AxisValue]]:
    axes: dict[str, list[AxisValue]] = {}
    for point in points:
        for name, value in _place(point).items():
            values = axes.setdefault(name, [])
            if value not in values:
                values.append(value)
    for name, values in axes.items():
        if all(_is_number(value) for value in values):
            axes[name] = sorted(values, key=float)
    return axes


def shown(value: object) -> AxisValue:
    """A value as the grid holds it."""
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, list):
        return json.dumps(value)  # as the tables hold it
    return str(value)


def _place(point: Mapping[str, Any]) -> dict[str, AxisValue]:
    axes = cast(Mapping[str, object], point.get("axes", {}))
    return {name: shown(value) for name, value in axes.items()}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _finite(value: object) -> float | None:
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    return None


def _estimate(value: Mapping[str, Any]) -> Estimate | None:
    mean = _finite(value.get("mean"))
    if mean is None:
        return None
    interval: Sequence[object] = value.get("ci") or (None, None)
    low, high = _finite(interval[0]), _finite(interval[1])
    if low is None or high is None:
        return Estimate(mean)
    return Estimate(mean, low, high)
