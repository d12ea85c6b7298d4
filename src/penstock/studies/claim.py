"""What a paper states, as data that can be judged.

A claim has an id, the paper's words and one or more checks. A check asks for one number: a metric, a ratio of
two or their difference, and says in which range the paper puts it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from penstock.scenario import AxisValue

Pairing = Literal["value", "ratio", "difference"]
Direction = Literal["above", "below", ""]
INFINITE = math.inf


@dataclass(frozen=True)
class Sample:
    """The runs of one point of an experiment, and the metric that is read off them.

    experiment: its key. strategy: of congestion control. metric: a name of penstock.metrics.METRICS.
    at: the value of the experiment's x axis (a load, an event size). where: values of further axes.
    """

    experiment: str
    strategy: str
    metric: str
    at: float
    where: tuple[tuple[str, AxisValue], ...] = ()


@dataclass(frozen=True)
class Check:
    """One number of a paper: `of` alone, over or minus `versus` (runs paired by seed), lies in [low, high].

    statement: the number in words. source: section, figure or table. paper: the paper's own figure as text.
    direction: "above" or "below" with `pivot` is what the statement says at least: an interval wholly on that
        side agrees in direction, one that crosses the pivot cannot agree. A difference without direction says
        that there is none: low and high are the margin within which two values count as equal.
    """

    of: Sample
    statement: str
    source: str
    paper: str
    low: float
    high: float
    pairing: Pairing = "value"
    versus: Sample | None = None
    direction: Direction = ""
    pivot: float = 0.0


@dataclass(frozen=True)
class Greatest:
    """The check with the greatest mean of several: "up to" so much. Its interval is that check's own, so it
    leaves out that the greatest was picked by the same data; many seeds make that small."""

    among: tuple[Check, ...]


@dataclass(frozen=True)
class Computed:
    """A number of a model that needs no run: computed, and the same every time. It agrees in [low, high].

    statement: the number in words. source, paper: as of a Check.
    """

    statement: str
    source: str
    paper: str
    low: float
    high: float
    value: Callable[[], float]


Part = Check | Greatest | Computed


@dataclass(frozen=True)
class Claim:
    """A statement of a paper. The first part decides the direction, all of them whether it is reproduced.

    id: `study.word`. paper: the paper's figure in brief.
    """

    id: str
    statement: str
    source: str
    paper: str
    parts: tuple[Part, ...]

    @property
    def samples(self) -> list[Sample]:
        """All that its parts read."""
        parts = [part for part in self.parts if not isinstance(part, Computed)]
        checks = [c for part in parts for c in (part.among if isinstance(part, Greatest) else (part,))]
        return [sample for check in checks for sample in (check.of, check.versus) if sample is not None]


def more(of: Sample, versus: Sample, statement: str, source: str) -> Check:
    """`of` has more of its metric than `versus`; nothing is said about how much."""
    return Check(
        of, statement, source, _beside("more", of, versus), 0.0, INFINITE, "difference", versus, "above"
    )


def less(of: Sample, versus: Sample, statement: str, source: str) -> Check:
    """`of` has less of its metric than `versus`; nothing is said about how much."""
    return Check(
        of, statement, source, _beside("less", of, versus), -INFINITE, 0.0, "difference", versus, "below"
    )


def _beside(word: str, of: Sample, versus: Sample) -> str:
    return word if of.strategy == versus.strategy else f"{word} than {versus.strategy}"
