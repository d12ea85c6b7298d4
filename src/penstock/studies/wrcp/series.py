"""What is read off a rate over time: when it has converged, and how much it varies.

The paper says of the allocated rate that it converges in "few tens of seconds" under WRCP and in "hundreds of
seconds" under IFRC (1, Figs. 1 and 2), and shows its variance over α (7), without saying how either was
taken. Both are defined here once, for all protocols.
"""

import numpy as np

from penstock.topology.network import Floats

BAND = 1 / 3
"""A rate has converged while it stays within this share of its steady value. A rate that is halved at each
congestion and grows linearly in between swings from 2/3 to 4/3 of its mean: this is the narrowest band that
an additive-increase, multiplicative-decrease protocol at its equilibrium does not leave."""
STAYS = 0.9
"""... and from then on is in the band for this share of the time: single outliers happen to all protocols."""
STEADY_SHARE = 1 / 3
"""The steady value is the mean over this last share of the series."""


def convergence_s(time_s: Floats, rate: Floats) -> float:
    """When a rate has converged: the first moment at which it lies in the band around its steady value and
    from which on it does so for STAYS of all samples to the end.

    time_s: (S,) rising, evenly spaced; 0 is when the flow began. rate: (S,) in any unit.

    Returns seconds from 0; the last sample's time where it never does, also for a rate that is zero when
    steady. NaN for fewer than three samples.
    """
    if len(rate) < 3:
        return float("nan")
    steady = float(np.mean(rate[-max(1, round(STEADY_SHARE * len(rate))) :]))
    if steady <= 0:
        return float(time_s[-1])
    inside = np.abs(rate - steady) <= BAND * steady
    left = np.arange(len(rate), 0, -1)
    share = np.cumsum(inside[::-1])[::-1] / left
    reached = np.flatnonzero(inside & (share >= STAYS))
    return float(time_s[reached[0]] if reached.size else time_s[-1])


def variance(time_s: Floats, rate: Floats, after_s: float) -> float:
    """The variance over time of a rate from `after_s` on, in its unit squared; NaN without two samples."""
    kept = rate[time_s >= after_s]
    return float(np.var(kept)) if kept.size > 1 else float("nan")


def mean_between(time_s: Floats, values: Floats, start_s: float, stop_s: float) -> float:
    """The mean of the samples in [start_s, stop_s); NaN without any."""
    kept = values[(time_s >= start_s) & (time_s < stop_s)]
    return float(np.mean(kept)) if kept.size else float("nan")


def knee(xs: Floats, values: Floats) -> float:
    """Where a quantity that is small for small x rises: the least x from which on all values lie above the
    geometric mean of the smallest and the greatest one.

    xs: (N,) rising. values: (N,) positive. The last x when the greatest value alone does; NaN when a value
    is not positive or all are the same.
    """
    if not np.all(values > 0) or np.ptp(values) == 0:
        return float("nan")
    high = values > np.sqrt(values.min() * values.max())
    below = np.flatnonzero(~high)
    return float(xs[min(below[-1] + 1, len(xs) - 1)])
