"""Shorthands for the points of the experiments that claims, figures and tables are about."""

from penstock.studies.claim import Sample
from penstock.studies.flush.experiments import RIVALS
from penstock.studies.flush.paper import USUAL_S
from penstock.studies.flush.world import INTERVAL, MODE, NODE, source

CONTROL = "none"
LINK_ATTEMPTS = float(NODE["link_attempts"])
NAMES = {"flush": "Flush", "flush_e2e": "Flush-e2e", "asap": "ASAP", "blockwise": "block-wise"}
"""Modes as figures and tables call them."""
FIXED_30 = "fixed 30 ms"
"""What mode "fixed" is where there is one interval."""


def place_of(experiment: str) -> str:
    """Where an experiment is: "line" or "indoor"."""
    return "line" if "line" in experiment.split("-") and "no-line" not in experiment else "indoor"


def of_mode(mode: str, metric: str, hops: int, experiment: str = "indoor") -> Sample:
    """A metric of a mode over so many hops."""
    if experiment == "indoor" and mode in RIVALS:
        experiment = "indoor-rivals"
    return Sample(experiment, CONTROL, metric, source(place_of(experiment), hops), ((MODE, mode),))


def of_interval(interval_s: float, metric: str, hops: int, experiment: str = "indoor-fixed") -> Sample:
    """A metric of a fixed interval over so many hops."""
    at = source(place_of(experiment), hops)
    return Sample(experiment, CONTROL, metric, at, ((INTERVAL, interval_s),))


def of_best(metric: str, hops: int, experiment: str = "indoor-fixed", prefix: str = "best") -> Sample:
    """A metric of the best fixed interval over so many hops (derive.fixed)."""
    return of_interval(USUAL_S, f"{prefix}_{metric}", hops, experiment)


def of_way(mode: str, metric: str, experiment: str) -> Sample:
    """A metric of a mode in an experiment of one way."""
    return Sample(experiment, CONTROL, metric, LINK_ATTEMPTS, ((MODE, mode),))


def milliseconds(interval_s: float) -> str:
    """ "fixed 20 ms"."""
    return f"fixed {1000 * interval_s:g} ms"
