"""What a scenario asks of each node of a network with one seed: whether it carries others' packets, and when
it makes readings of its own.

Chance comes from the engine's own streams, named by seed and node: a node's clock is as wrong under one
strategy as under another.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from penstock import _engine
from penstock.backbone import backbone
from penstock.errors import BadInput
from penstock.flow_sections import FlowsTraffic
from penstock.flows import Flows, flows_of
from penstock.scenario import Scenario
from penstock.topology.network import Floats, Ints, Network
from penstock.workload_sections import DutyCycleTraffic, EventTraffic, FanInTraffic, NoTraffic, PeriodicBase

Flags = NDArray[np.bool_]

NO_EVENTS_S = 1.0
"""The period of events in a world without any."""


@dataclass(frozen=True)
class Demand:
    """Numbers of (N,) nodes, as `_engine.WorldSpec` takes them.

    advertisers: nodes that offer routes. rate_pps: readings per second of periodic sources, 0 for others.
    event_packets: readings at each event, 0 for nodes that report none. event_first_s: the first event, in
    seconds from the beginning of measuring. event_period_s: from one event to the next. sleep_s: asleep in
    each period of rate_pps, 0 for nodes that never sleep. fail_at_s: when a node stops for good, in seconds
    from the beginning of measuring; infinite for the others. flows: not per node.
    """

    advertisers: Flags
    rate_pps: Floats
    event_packets: Ints
    event_first_s: Floats
    sleep_s: Floats
    fail_at_s: Floats
    event_period_s: float = NO_EVENTS_S
    flows: Flows = field(default_factory=Flows)


def silence(nodes: int) -> Demand:
    """Nobody is asked for readings, and everybody carries them."""
    return Demand(
        advertisers=np.ones(nodes, dtype=np.bool_),
        rate_pps=np.zeros(nodes),
        event_packets=np.zeros(nodes, dtype=np.int32),
        event_first_s=np.zeros(nodes),
        sleep_s=np.zeros(nodes),
        fail_at_s=np.full(nodes, np.inf),
    )


def demand(scenario: Scenario, network: Network, unloaded: _engine.WorldSpec) -> Demand:
    """What one run asks of its nodes. `unloaded`: its world without load, for rules that look at links."""
    failing = failures(scenario.faults.failing, network, unloaded.seed)
    fail_at = np.full(len(network), np.inf)
    fail_at[failing] = scenario.faults.at_s
    return replace(_traffic(scenario, network, unloaded), fail_at_s=fail_at)


def _traffic(scenario: Scenario, network: Network, unloaded: _engine.WorldSpec) -> Demand:
    traffic, seed = scenario.traffic, unloaded.seed
    asked = silence(len(network))
    sources = np.arange(len(network)) != network.sink
    if isinstance(traffic, NoTraffic):
        return asked
    if isinstance(traffic, EventTraffic):
        # Nobody's clock is so wrong that the first event falls before the measurement.
        first = traffic.clock_error_max_s + clock_errors(traffic, len(network), seed)
        return replace(
            asked,
            event_packets=np.where(sources, traffic.event_size, 0).astype(np.int32),
            event_first_s=np.where(sources, first, 0.0),
            event_period_s=traffic.period_s,
        )
    if isinstance(traffic, FlowsTraffic):
        return replace(asked, flows=flows_of(traffic, network, scenario.time.measure_s))
    if isinstance(traffic, DutyCycleTraffic):
        carriers = _flags(
            len(network), [network.sink, *members(traffic.core, network, unloaded, "traffic.core")]
        )
        sleeping = traffic.sleep_fraction / traffic.rate_pps if traffic.rate_pps else 0.0
        return replace(
            asked,
            advertisers=carriers,
            rate_pps=np.where(carriers, 0.0, traffic.rate_pps),
            sleep_s=np.where(carriers, 0.0, sleeping),
        )
    if isinstance(traffic, FanInTraffic):
        gateways = members(traffic.gateways, network, unloaded, "traffic.gateways")
        asked = replace(asked, advertisers=_flags(len(network), [network.sink, *gateways]))
    return replace(asked, rate_pps=np.where(sources, rates(traffic, len(network), seed), 0.0))


def check_demand(scenario: Scenario, network: Network) -> None:
    """Raises BadInput where a scenario asks for nodes that its network does not have."""
    traffic = scenario.traffic
    if isinstance(traffic, FanInTraffic):
        _check_members(traffic.gateways, network, "traffic.gateways")
    if isinstance(traffic, DutyCycleTraffic):
        _check_members(traffic.core, network, "traffic.core")
    if isinstance(traffic, FlowsTraffic):
        flows_of(traffic, network, scenario.time.measure_s)
    network.named_nodes(scenario.records.shown, "records.shown")
    if not isinstance(scenario.faults.failing, float):
        _check_members(scenario.faults.failing, network, "faults.failing")


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


def rates(traffic: PeriodicBase, nodes: int, seed: int) -> Floats:
    """(N,) packets/s of each node, log-uniform within a factor of `rate_spread` of `rate_pps`."""
    if traffic.rate_spread == 1:
        return np.full(nodes, traffic.rate_pps)
    exponent = 2.0 * _engine.draws("source_rate", seed, nodes, 1)[:, 0] - 1.0
    return traffic.rate_pps * traffic.rate_spread**exponent


def failures(wanted: float | Sequence[int | str], network: Network, seed: int) -> list[int]:
    """Indices of the nodes that stop: those named, or drawn from all but the sink, as many or the share
    (below 1, rounded to whole nodes) asked for."""
    if not isinstance(wanted, int | float):
        return network.named_nodes(wanted, "faults.failing")
    others = len(network) - 1
    number = wanted if isinstance(wanted, int) else round(wanted * others)
    drawn = _engine.draws("failure", seed, len(network), 1)[:, 0]
    drawn[network.sink] = np.inf
    return [int(node) for node in np.argsort(drawn, kind="stable")[:number]]


def members(
    wanted: int | Sequence[int | str], network: Network, unloaded: _engine.WorldSpec, key: str
) -> list[int]:
    """Indices of the nodes that carry others' packets besides the sink: those named, or as many as asked for
    (fewer where no further node is in reach) by the rule of penstock.backbone. `key`: for BadInput."""
    if not isinstance(wanted, int):
        return network.named_nodes(wanted, key)
    links = _engine.link_prr(unloaded)
    return backbone(len(network), network.sink, links["src"], links["dst"], links["prr"], wanted)


def _check_members(wanted: int | Sequence[int | str], network: Network, key: str) -> None:
    others = len(network) - 1
    if not isinstance(wanted, int):
        network.named_nodes(wanted, key)
    elif wanted > others:
        raise BadInput(f"{key} is {wanted}, but there are only {others} nodes besides the sink")


def _flags(nodes: int, chosen: Sequence[int]) -> Flags:
    flags = np.zeros(nodes, dtype=np.bool_)
    flags[list(chosen)] = True
    return flags
