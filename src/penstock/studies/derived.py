"""Numbers that a study reads off its runs beyond the metrics that every run has.

A paper may speak of what no general metric tells: when a rate has converged, how many sources do better under
one protocol than under another. An experiment then has a function from its results to such numbers, one row a
run; they join the table of runs, where claims, figures and tables find them by name like any metric.
"""

from collections.abc import Callable
from dataclasses import replace

import polars as pl

from penstock.results import Results

Derive = Callable[[Results], pl.DataFrame]
"""From results to a frame with their axes, `seed` and a column a number: at most one row a run. A run without
one has none of them."""


def with_derived(results: Results, derive: Derive | None) -> Results:
    """The results whose runs have the derived numbers as well."""
    if derive is None:
        return results
    keys = [*results.axes, "seed"]
    runs = results.runs.join(derive(results), on=keys, how="left", maintain_order="left")
    return replace(results, runs=runs)
