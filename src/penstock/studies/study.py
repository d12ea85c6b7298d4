"""A study: a paper's evaluation as experiments, figures and claims."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from penstock.scenario import Scenario
from penstock.studies.claim import Claim
from penstock.studies.derived import Derive
from penstock.studies.figure import Figure
from penstock.studies.section import Section

Effort = Literal["quick", "full", "reduced"]
"""quick: minutes, fewer seeds. full: as many runs as the paper. reduced: seconds; for tests, says nothing."""


@dataclass(frozen=True)
class Experiment:
    """One grid of runs.

    x: the dotted key of its x axis. scenario: the grid for an effort; None where it has no part in it.
    optional: it needs files that are not part of Penstock, and is left out where they are absent.
    derive: further numbers of its runs.
    """

    key: str
    title: str
    x: str
    scenario: Callable[[Effort], Scenario | None]
    optional: bool = False
    derive: Derive | None = None


@dataclass(frozen=True)
class Study:
    """name: what `penstock reproduce` calls it. paper: its full reference. notes: by claim id, what was tried
    and what would explain a claim that does not come out. sections: tables beside the claims. pictures:
    sources of the figures that the documentation shows beside the maps."""

    name: str
    title: str
    paper: str
    experiments: tuple[Experiment, ...]
    claims: tuple[Claim, ...]
    figures: tuple[Figure, ...]
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    sections: tuple[Section, ...] = ()
    pictures: tuple[str, ...] = ()
