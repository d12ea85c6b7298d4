"""Numbers that the thesis prints, and how its words are taken.

A figure given in words ("about 50 %") is taken to within 5 points, a factor to within 0.5, a period of Table
5.2 to within a quarter. The text and the caption of Table 5.2 contradict each other about its load (4 and 2
packets/s per node); Fig. 5-7 shows the same distribution at 2, so 2 it is.
"""

import math

from penstock.metrics import COVERAGE_LEVELS

INFINITE = math.inf
HIGH_LOAD = 4.0
TABLE_LOAD = 2.0

SIX = ("none", "occupancy", "channel", "delay", "rate", "fusion")
"""The strategies of Table 5.1."""
BEYOND = ("loss", "union", "ack", "share", "fusion_share")
"""What goes beyond them: two more detectors (4.2), congestion state in the acknowledgement (6.1), and a rate
limiter for skewed trees, failures and unequal rates (6.1), alone and in Fusion's place."""
ALL = (*SIX, *BEYOND)
STANDS_BESIDE = {
    "loss": "occupancy",
    "union": "occupancy",
    "ack": "occupancy",
    "share": "rate",
    "fusion_share": "fusion",
}
"""The strategy of the thesis that differs from each of these in the one part alone."""

COVERAGE: dict[str, tuple[float, ...]] = {
    "none": (INFINITE, INFINITE, INFINITE, INFINITE, 38, 4.2, 0.84),
    "occupancy": (INFINITE, 108, 62, 29, 12, 3.4, 0.87),
    "channel": (INFINITE, INFINITE, 100, 38, 13, 3.8, 0.98),
    "delay": (INFINITE, 123, 71, 33, 12, 3.2, 0.95),
    "rate": (INFINITE, INFINITE, 250, 31, 8.5, 2.9, 1.4),
    "fusion": (INFINITE, 43, 35, 15, 7.2, 3.0, 1.5),
}
"""Table 5.2: the report period in seconds that COVERAGE_LEVELS percent of the nodes achieve."""
PERIOD_WITHIN = 0.25
"""A period agrees when it is within this share of the table's."""


def period_of(strategy: str, percent: int) -> float:
    """The cell of Table 5.2, in seconds; infinite for never."""
    return COVERAGE[strategy][COVERAGE_LEVELS.index(percent)]
