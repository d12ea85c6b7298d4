"""Tables that a study shows beside its claims."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from penstock.results import Results

Loaded = Mapping[str, tuple[Results, str]]
"""Experiments by key: their results, and the dotted key of their x axis."""


@dataclass(frozen=True)
class Table:
    """head names all columns, the first being that of the row names; every row has as many cells."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """A table with its heading and a paragraph on how to read it. `table` makes it from the results; None
    where the experiments it needs were not run."""

    key: str
    title: str
    text: str
    table: Callable[[Loaded], Table | None]
