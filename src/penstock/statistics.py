"""Means over seeds with Student-t intervals, and the summary of an experiment.

A metric that can be infinite (a coverage period, the 90th percentile of imbalance) is averaged as its
inverse: a report period of "never" is a rate of zero, and rates can be averaged. Its mean is then the
inverse of the mean inverse and its interval the inverse of that interval, infinite at the top when a rate of
zero lies within.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import special

from penstock.flows import FLOW_METRICS
from penstock.metrics import METRICS, Metric
from penstock.transfers import TRANSFER_METRICS

DIGITS = 12
"""Significant digits in summary.json: more than any result has, fewer than the last bits of a sum."""
KNOWN_METRICS = METRICS | TRANSFER_METRICS | FLOW_METRICS
"""Every metric of every workload, by its name in summary.json."""


def metric_named(name: str) -> Metric:
    """What is known of a metric. One that a study derives is told by its name alone: seconds end in `_s`."""
    return KNOWN_METRICS.get(name) or Metric(name, "s" if name.endswith("_s") else "")


@dataclass(frozen=True)
class Estimate:
    """A mean over `count` runs with its confidence interval [low, high]; NaN where undefined."""

    mean: float
    low: float
    high: float
    count: int
    level: float

    def as_json(self, runs: int) -> dict[str, Any]:
        """{"mean", "ci": [low, high], "level"}; null for undefined and infinite. "n" says how many of the
        runs have this metric when some have not."""
        entry: dict[str, Any] = {
            "mean": _json(self.mean),
            "ci": [_json(self.low), _json(self.high)],
            "level": self.level,
        }
        if self.count != runs:
            entry["n"] = self.count
        return entry


def estimate(values: Sequence[float], level: float, by_inverse: bool = False) -> Estimate:
    """Mean and two-sided Student-t interval of `values` (NaN ones left out) at confidence `level`.

    With one value there is no interval (NaN). An infinite value makes the mean infinite and the interval
    undefined, unless `by_inverse` (see the module).
    """
    known = np.array([value for value in values if not math.isnan(value)], dtype=np.float64)
    if by_inverse:
        rates = _student(1.0 / known, level)
        return Estimate(_inverse(rates.mean), _inverse(rates.high), _inverse(rates.low), known.size, level)
    if np.isinf(known).any():
        return Estimate(math.inf, math.nan, math.nan, known.size, level)
    return _student(known, level)


def paired(
    values: Mapping[int, float],
    other: Mapping[int, float],
    level: float,
    combine: Callable[[float, float], float] = operator.sub,
) -> Estimate | None:
    """The estimate of `combine`(value, other), by default the difference, over the seeds that both have.

    values, other: {seed: value}. With one seed both sides met the same channel and the same traffic phases;
    what differs between seeds cancels, so this interval is what tells two sides apart, not the overlap of
    their own ones. None without a common seed.
    """
    pairs = [combine(values[seed], other[seed]) for seed in sorted(values.keys() & other.keys())]
    return estimate(pairs, level) if pairs else None


def summarised(
    name: str, points: Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, float]]]], level: float
) -> dict[str, Any]:
    """What summary.json holds: for each point (its axes, its runs' metrics in seed order) every metric's
    estimate."""
    return {
        "scenario": name,
        "points": [
            {
                "axes": dict(axes),
                "runs": len(runs),
                "metrics": {
                    metric: estimate(
                        [run.get(metric, math.nan) for run in runs], level, about.by_inverse
                    ).as_json(len(runs))
                    for metric, about in KNOWN_METRICS.items()
                    if metric in METRICS or any(metric in run for run in runs)
                },
            }
            for axes, runs in points
        ],
    }


def _student(values: np.ndarray[Any, np.dtype[np.float64]], level: float) -> Estimate:
    count = values.size
    if count == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level)
    mean = float(np.mean(values))
    if count == 1:
        return Estimate(mean, math.nan, math.nan, 1, level)
    quantile = float(cast(Any, special).stdtrit(count - 1, 0.5 + level / 2))
    half = quantile * float(np.std(values, ddof=1)) / math.sqrt(count)
    return Estimate(mean, mean - half, mean + half, count, level)


def _inverse(rate: float) -> float:
    """1/rate; a rate of zero or, at the low end of an interval, below zero means never."""
    return math.nan if math.isnan(rate) else math.inf if rate <= 0 else 1.0 / rate


def _json(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
