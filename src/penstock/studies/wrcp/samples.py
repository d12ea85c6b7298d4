"""Shorthands for the points of the experiments that claims and tables are about."""

from penstock.studies.claim import Sample
from penstock.studies.wrcp.paper import WRCP
from penstock.studies.wrcp.world import UNLIMITED

AT_ALPHA = 0.1
"""A point of every sweep; numbers that are read off a whole sweep are told at each of its points."""
WORKING = ("mac.receive_processing_s", 0.010)


def at(strategy: str, metric: str, experiment: str) -> Sample:
    """A metric of a strategy in an experiment of one load."""
    return Sample(experiment, strategy, metric, UNLIMITED)


def sweep(nodes: int, level: int, metric: str, alpha: float = AT_ALPHA) -> Sample:
    """A metric of WRCP with this α on a floor at one of the radio's power levels."""
    return Sample(f"stability-{nodes}-{level}", WRCP, metric, alpha)


def saturated(senders: int, metric: str = "frames_pps") -> Sample:
    """A metric of so many backlogged senders in a room."""
    return Sample("saturation", "none", metric, float(senders + 1), (WORKING,))
