"""An experiment before it starts: the grid, its networks, and every check that bad input can fail."""

from dataclasses import dataclass

import numpy as np

from penstock import _engine, axes
from penstock.axes import Point
from penstock.errors import BadInput
from penstock.identity import identity
from penstock.metrics import Workload
from penstock.scenario import RoutingSection, Scenario, TimeSection
from penstock.topology.build import build, fingerprint
from penstock.topology.check import CONNECTED_PRR, Shape, shape
from penstock.topology.network import Network
from penstock.world import world_spec

NAMED_AT_MOST = 5


@dataclass(frozen=True)
class Plan:
    """A scenario with its points, one network per point, and what its results are identified by."""

    scenario: Scenario
    points: list[Point]
    networks: list[Network]
    identity: dict[str, str]

    @property
    def runs(self) -> list[tuple[int, int]]:
        """(point, seed) of every run: all points for seed 1, then for seed 2, and so on, so that a stopped
        experiment has whole comparisons."""
        return [(p.index, seed) for seed in range(1, self.scenario.seeds + 1) for p in self.points]

    def workload(self, point: int) -> Workload:
        """What the point asks of its network."""
        scenario, network = self.points[point].scenario, self.networks[point]
        sources = np.full(len(network), scenario.traffic.rate_pps > 0)
        sources[network.sink] = False
        return Workload(sources, network.sink, scenario.time.measure_s, 8 * scenario.mac.max_frame_bytes)


def planned(scenario: Scenario) -> Plan:
    """Expands and checks a scenario; touches no output. Raises BadInput: a bad axis value, a topology file
    that is absent or malformed, a sink that does not exist, static parents in a loop, a node without a
    path."""
    points = axes.expand(scenario)
    built: dict[str, tuple[Network, str]] = {}
    networks: list[Network] = []
    files: list[str] = []
    for point in points:
        key = point.scenario.topology.model_dump_json()
        if key not in built:
            built[key] = (build(point.scenario), fingerprint(point.scenario))
        networks.append(built[key][0])
        files.append(built[key][1])
    plan = Plan(scenario, points, networks, identity(scenario, files, networks))
    _check_accepted(plan)
    _check_connected(plan)
    return plan


def shape_of(scenario: Scenario, network: Network, seed: int) -> Shape:
    """The unloaded network of one seed. BadInput when the engine finds the specification inconsistent."""
    try:
        links = _engine.link_prr(world_spec(scenario, network, seed))
    except ValueError as error:
        raise BadInput(f"the engine refuses this scenario: {error}") from None
    return shape(len(network), network.sink, links["src"], links["dst"], links["prr"])


def _check_accepted(plan: Plan) -> None:
    """The library has limits of its own on what sizes and times go together: two nodes, run for a nanosecond,
    find them before anything is written."""
    pair = Network(["1", "2"], np.array([[0.0, 0.0], [1.0, 0.0]]), 0)
    asked: set[str] = set()
    for point in plan.points:
        scenario = point.scenario
        key = scenario.model_dump_json(include={"radio", "mac", "node", "routing", "congestion"})
        if key in asked:
            continue
        asked.add(key)
        routing = RoutingSection(beacon_period_s=scenario.routing.beacon_period_s, pin=scenario.routing.pin)
        moment = TimeSection(settle_s=0.0, measure_s=1e-9)
        try:
            _engine.run(world_spec(scenario.model_copy(update={"routing": routing, "time": moment}), pair, 1))
        except ValueError as error:
            raise BadInput(f"the engine refuses this scenario: {error}") from None


def _check_connected(plan: Plan) -> None:
    checked: set[tuple[str, int]] = set()
    for point, seed in plan.runs:
        scenario, network = plan.points[point].scenario, plan.networks[point]
        sections = {"topology", "channel", "radio", "mac", "routing"}
        key = (scenario.model_dump_json(include=sections), seed)
        if key in checked:
            continue
        checked.add(key)
        apart = shape_of(scenario, network, seed).disconnected
        if apart and scenario.topology.require_connected:
            names = ", ".join(network.labels[node] for node in apart[:NAMED_AT_MOST])
            more = f" and {len(apart) - NAMED_AT_MOST} more" if len(apart) > NAMED_AT_MOST else ""
            who = f"node {names} has" if len(apart) == 1 else f"nodes {names}{more} have"
            raise BadInput(
                f"{who} no path to the sink {network.labels[network.sink]} (seed {seed}): no chain of links "
                f"over which at least {CONNECTED_PRR:.0%} of the frames get through both ways. Raise "
                "radio.tx_power_dbm, move or add nodes, or set topology.require_connected = false"
            )
