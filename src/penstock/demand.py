"""What a scenario asks of each node of a network with one seed: when it makes readings.

Chance comes from the engine's own streams, named by seed and node: a node's clock is as wrong under one
strategy as under another.
"""

from dataclasses import dataclass

import numpy as np

from penstock import _engine
from penstock.scenario import Scenario
from penstock.topology.network import Floats, Ints, Network
from penstock.workload_sections import EventTraffic

NO_EVENTS_S = 1.0
"""The period of events in a world without any."""


@dataclass(frozen=True)
class Demand:
    """Numbers of (N,) nodes, as `_engine.WorldSpec` takes them.

    rate_pps: readings per second of periodic sources, 0 for others. event_packets: readings at each event, 0
    for nodes that report none. event_first_s: the first event, in seconds from the beginning of measuring.
    event_period_s: from one event to the next.
    """

    rate_pps: Floats
    event_packets: Ints
    event_first_s: Floats
    event_period_s: float = NO_EVENTS_S


def demand(scenario: Scenario, network: Network, seed: int) -> Demand:
    """What one run asks of its nodes."""
    traffic = scenario.traffic
    count = len(network)
    silent = Demand(np.zeros(count), np.zeros(count, dtype=np.int32), np.zeros(count))
    sources = np.arange(count) != network.sink
    if isinstance(traffic, EventTraffic):
        # Nobody's clock is so wrong that the first event falls before the measurement.
        first = np.where(sources, traffic.clock_error_max_s + clock_errors(traffic, count, seed), 0.0)
        packets = np.where(sources, traffic.event_size, 0).astype(np.int32)
        return Demand(silent.rate_pps, packets, first, traffic.period_s)
    return Demand(np.where(sources, traffic.rate_pps, 0.0), silent.event_packets, silent.event_first_s)


def clock_errors(traffic: EventTraffic, nodes: int, seed: int) -> Floats:
    """(N,) seconds by which each node's clock is late (early: negative).

    With probability `clock_error_share` uniform within ±`clock_error_s`, else uniform in magnitude from there
    to `clock_error_max_s`, either side as likely (thesis 5.5: 91 % within 29 ms, all within 56 ms).
    """
    drawn = _engine.draws("clock_error", seed, nodes, 3)
    which, size, side = drawn[:, 0], drawn[:, 1], drawn[:, 2]
    within, most = traffic.clock_error_s, traffic.clock_error_max_s
    magnitude = np.where(which < traffic.clock_error_share, within * size, within + (most - within) * size)
    return np.where(side < 0.5, -magnitude, magnitude)
