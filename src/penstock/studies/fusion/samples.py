"""Shorthands for the points of the experiments that claims are about, and the margins within which numbers
count as equal."""

from penstock.studies.claim import Sample
from penstock.studies.fusion.thesis import HIGH_LOAD

LIGHT, KNEE, PAST = 0.25, 0.5, 1.0
"""Loads in packets/s: the lightest; where the thesis's network ceases to be underloaded; past congestion."""
LOADED = (1.0, 2.0, HIGH_LOAD)
ALL_SIZES = (1, 2, 3, 4, 5, 6, 7, 8)
"""Event sizes of Figs. 5-15 to 5-17; a quick run leaves some out."""
HOP_BY_HOP = ("occupancy", "channel", "delay")
EQUAL_LOSS = 0.05
"""Channel loss rates that differ by no more than a twentieth are called equal: Fig. 5-11 shows no less."""
EQUAL_EFFICIENCY = 0.1
"""Efficiencies within a tenth of each other are called equal: the thesis's own intervals are no narrower."""
SILENT = 0.05
"""5.3.3: a median node near this many packets/s, or fewer, provides next to nothing."""
HEAVY_TAIL = 10.0
"""An imbalance at the 90th percentile that is called a heavy tail."""
FEW = 5.0
"""Fig. 5-3: Fusion's curve has ended by a handful."""


def at(strategy: str, metric: str, load: float = HIGH_LOAD, experiment: str = "periodic") -> Sample:
    """A metric of a strategy at `load` packets/s per node."""
    return Sample(experiment, strategy, metric, load)


def burst(strategy: str, metric: str, size: int) -> Sample:
    """A metric of a strategy in the event workload with events of `size` packets."""
    return Sample("event", strategy, metric, float(size))


def asleep(strategy: str, metric: str, fraction: float) -> Sample:
    """A metric of a strategy when leaves sleep a fraction of each second."""
    return Sample("duty-cycle", strategy, metric, fraction, (("traffic.rate_pps", 1.0),))
