"""Figures of a paper as data: what is drawn from which experiment, over which axes. The report draws them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from penstock.scenario import AxisValue
from penstock.studies.section import Loaded

Scale = Literal["linear", "log"]
Where = tuple[tuple[str, AxisValue], ...]


@dataclass(frozen=True)
class Axis:
    """title: with its unit. range: of the axis; None where the data decide (log axes: not in decades)."""

    title: str
    range: tuple[float, float] | None = None
    scale: Scale = "linear"


@dataclass(frozen=True)
class Line:
    """One curve: a metric of a strategy. complement: 1 - metric is drawn."""

    name: str
    strategy: str
    metric: str
    complement: bool = False


@dataclass(frozen=True)
class Curves:
    """Means with their intervals over the experiment's x axis, one curve a line."""

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    lines: tuple[Line, ...]
    x: Axis
    y: Axis
    where: Where = ()


@dataclass(frozen=True)
class Spread:
    """Distribution over nodes and runs: the share of nodes with at most `x` (or, complementary, at least `x`)
    of a column of the node table, one line for each (strategy, point of the x axis).

    column: "imbalance" or "throughput_pps"; or "delivered_share", what arrived over what the node generated.
    """

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    column: str
    lines: tuple[tuple[str, str, float], ...]
    x: Axis
    y: Axis
    complementary: bool


@dataclass(frozen=True)
class TrafficMap:
    """The network from above in one run, edges as thick as the packets that came over them."""

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    strategy: str
    at: float
    seed: int = 1


@dataclass(frozen=True)
class Trace:
    """A column of the samples over time in one run: one line for each (name, strategy, node).

    column: of `penstock.Results.series`. at: the point of the experiment's x axis. The lines are named apart
    from strategies: several nodes of one strategy are several lines.
    """

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    column: str
    lines: tuple[tuple[str, str, str], ...]
    x: Axis
    y: Axis
    at: float
    where: Where = ()
    seed: int = 1


@dataclass(frozen=True)
class Sources:
    """What each source got, under each strategy: means over seeds with their intervals.

    column: of penstock.studies.sources.by_source. at: the point of the experiment's x axis.
    """

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    column: str
    strategies: tuple[str, ...]
    y: Axis
    at: float
    where: Where = ()


@dataclass(frozen=True)
class Activity:
    """When each source is active, as bars over time."""

    key: str
    title: str
    source: str
    caption: str
    experiment: str


@dataclass(frozen=True)
class Curve:
    """One line that a study made itself. y: nan where there is a gap. low, high: its interval at each x, or
    nothing."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True)
class Drawing:
    """Curves that a study makes from any of its experiments: over an axis that none of them has, or from a
    table of its own.

    experiment: under whose heading it stands; without it there is nothing to draw. curves: none when the
    results hold nothing of it. points: single points with their intervals, joined; else plain lines.
    """

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    curves: Callable[[Loaded], Sequence[Curve]]
    x: Axis
    y: Axis
    points: bool = True


@dataclass(frozen=True)
class Stack:
    """Bars side by side, one for each name, each made of the same parts: means over seeds.

    bars: (name, size of each part), none when the results hold nothing of it. parts: their names.
    """

    key: str
    title: str
    source: str
    caption: str
    experiment: str
    bars: Callable[[Loaded], Sequence[tuple[str, Sequence[float]]]]
    parts: tuple[str, ...]
    y: Axis


Figure = Curves | Spread | TrafficMap | Trace | Sources | Activity | Drawing | Stack
