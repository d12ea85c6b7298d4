"""An experiment before it starts: the grid, its networks, and every check that bad input can fail."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from penstock import _engine, axes
from penstock.axes import Point
from penstock.demand import check_demand
from penstock.errors import BadInput
from penstock.frames import frame_bytes
from penstock.identity import identity
from penstock.progress import note
from penstock.scenario import RoutingSection, Scenario, TimeSection
from penstock.topology.build import build, decided_by, fingerprint
from penstock.topology.check import CONNECTED_PRR, Shape, shape
from penstock.topology.network import Network
from penstock.transfers import Transfer, ask_for, longest_transfer
from penstock.world import unloaded_spec, world_spec

NAMED_AT_MOST = 5
MANY_NODES = 5000
"""Above this, building and checking takes long enough to say so."""
CHANCE = 0.1
"""Share of the seeds that may leave a node without a path before the scenario is at fault."""
LONGEST_TIMEOUT_S = 1073.0
"""A quarter of the range of the library's clock (2^30 us)."""


DECIDES_ROUTES: Any = {
    **dict.fromkeys(("topology", "channel", "radio", "mac", "routing"), True),
    "traffic": {"kind", "gateways", "core"},
}
"""What decides who has a path to the sink."""


DECIDES_SIZES: Any = {
    **dict.fromkeys(("radio", "mac", "node", "routing", "congestion", "bulk", "transfers"), True),
    "traffic": {"payload_bytes"},
}
"""What the library and the engine are asked about, whether it goes together."""


@dataclass(frozen=True)
class CutOff:
    """A seed whose channel leaves nodes (labels) without a path to the sink."""

    seed: int
    nodes: list[str]


@dataclass(frozen=True)
class Plan:
    """A scenario with its points, one network per point, and what its results are identified by."""

    scenario: Scenario
    points: list[Point]
    networks: list[Network]
    identity: dict[str, str]
    disconnected: list[CutOff] = field(default_factory=list[CutOff])

    @property
    def warning(self) -> str:
        """One line on the seeds that leave a node without a path, where that was not asked for; or empty."""
        if not self.disconnected or not self.scenario.topology.require_connected:
            return ""
        seeds = [f"{cut.seed} (node {named(cut.nodes)})" for cut in self.disconnected]
        return (
            f"by chance, {len(seeds)} of {self.scenario.seeds} seeds leave nodes without a path to the sink: "
            f"seed {named(seeds)}; they are run as they are"
        )

    @property
    def runs(self) -> list[tuple[int, int]]:
        """(point, seed) of every run: all points for seed 1, then for seed 2, and so on, so that a stopped
        experiment has whole comparisons."""
        return [(p.index, seed) for seed in range(1, self.scenario.seeds + 1) for p in self.points]


def planned(scenario: Scenario, announce: bool = False) -> Plan:
    """Expands and checks a scenario; touches no output. Raises BadInput: a bad axis value, a topology file
    that is absent or malformed, a sink that does not exist, static parents in a loop, a node without a
    path. `announce`: say on standard error that a large network takes its time."""
    points = axes.expand(scenario)
    built: dict[str, tuple[Network, str]] = {}
    networks: list[Network] = []
    files: list[str] = []
    for point in points:
        section = point.scenario.topology
        key = decided_by(point.scenario)
        if key not in built:
            announce = announce and not _announced(getattr(section, "nodes", 0))
            built[key] = (build(point.scenario), fingerprint(point.scenario))
            announce = announce and not _announced(len(built[key][0]))
        networks.append(built[key][0])
        files.append(built[key][1])
        check_demand(point.scenario, networks[-1])
    plan = Plan(scenario, points, networks, identity(scenario, files, networks))
    _check_accepted(plan)
    return replace(plan, disconnected=_check_connected(plan))


def _announced(nodes: int) -> bool:
    if nodes <= MANY_NODES:
        return False
    note(f"building and checking the network of {nodes} nodes…")
    return True


def shape_of(scenario: Scenario, network: Network, seed: int) -> Shape:
    """The unloaded network of one seed. BadInput when the engine finds the specification inconsistent."""
    try:
        spec = world_spec(scenario, network, seed)
        links = _engine.link_prr(spec)
    except ValueError as error:
        raise BadInput(f"the engine refuses this scenario: {error}") from None
    return shape(
        len(network),
        network.sink,
        links["src"],
        links["dst"],
        links["prr"],
        np.asarray(spec.advertisers, dtype=np.bool_),
    )


def _check_accepted(plan: Plan) -> None:
    """The library has limits of its own on what sizes and times go together: two nodes, run for a moment,
    find them before anything is written."""
    pair = Network(["1", "2"], np.array([[0.0, 0.0], [1.0, 0.0]]), 0)
    asked: set[str] = set()
    for point in plan.points:
        scenario = point.scenario
        key = scenario.model_dump_json(include=DECIDES_SIZES)
        if key in asked:
            continue
        asked.add(key)
        routing = scenario.routing
        if routing.kind == "static":
            routing = RoutingSection(beacon_period_s=routing.beacon_period_s, pin=routing.pin)
        moment = TimeSection(settle_s=0.0, measure_s=0.001)
        spec = unloaded_spec(scenario.model_copy(update={"routing": routing, "time": moment}), pair, 1)
        longest = longest_transfer(scenario)
        if longest is not None:
            ask_for(spec.bulk, [replace(longest, source=1, start_s=0.0)], scenario)
        try:
            _engine.run(spec)
        except ValueError as error:
            raise BadInput(_refusal(scenario, str(error), longest)) from None


def _refusal(scenario: Scenario, error: str, longest: Transfer | None) -> str:
    """The engine's refusal in the scenario's own keys. What a key may be alone is checked before; what is
    left is the library's longest time-out, in which a full queue must be sent."""
    if error.startswith("payload_bytes"):
        return f"traffic.{error}; raise mac.max_frame_bytes ({frame_bytes(scenario)}), or lower it"
    if longest is not None and error.startswith("bulk.bytes"):
        return f"{longest.key}{error.removeprefix('bulk.bytes')}"
    if error.startswith("bulk."):
        return f"{error}; raise mac.max_frame_bytes ({frame_bytes(scenario)}), or lower it"
    if error.startswith("max_frame_bytes"):
        return f"mac.{error}"
    if "library refuses" not in error:
        return f"the engine refuses this scenario: {error}"
    node, mac = scenario.node, scenario.mac
    keys = ("initial_backoff_bytes", "preamble_bytes", "sync_bytes", "processing_s", "max_frame_bytes")
    sizes = [f"mac.{key} ({getattr(mac, key)})" for key in keys if key in type(mac).model_fields]
    return (
        f"the library refuses these sizes together: node.queue ({node.queue}) times node.link_attempts "
        f"({node.link_attempts}) times the time of one packet must stay below {LONGEST_TIMEOUT_S:g} s. "
        f"A packet takes {', '.join(sizes[:-1])} and {sizes[-1]}. Make one of them smaller"
    )


def _check_connected(plan: Plan) -> list[CutOff]:
    """Seeds that leave a node without a path to the sink.

    A drawn channel may do so by chance, once in a while; BadInput when the same node meets it in more than
    CHANCE of the seeds, or at all in a channel without chance.
    """
    cut_off: dict[int, set[str]] = {}
    seen: dict[tuple[str, int], list[int]] = {}
    met: dict[tuple[str, int], list[int]] = {}
    for point, seed in plan.runs:
        scenario, network = plan.points[point].scenario, plan.networks[point]
        key = scenario.model_dump_json(include=DECIDES_ROUTES)
        drawn = _is_drawn(scenario, network)
        which = (key, seed if drawn else 1)
        fresh = which not in seen
        if fresh:
            seen[which] = shape_of(scenario, network, seed).disconnected
        apart = seen[which]
        cut_off.setdefault(seed, set()).update(network.labels[node] for node in apart)
        if not (fresh and apart and scenario.topology.require_connected):
            continue
        for node in apart:
            met.setdefault((key, node), []).append(seed)
        at_most = CHANCE * plan.scenario.seeds if drawn else 0
        lost = [node for node in apart if len(met[key, node]) > at_most]
        if lost:
            seeds = sorted({seed for node in lost for seed in met[key, node]})
            raise BadInput(_no_path([network.labels[n] for n in lost], network.labels[network.sink], seeds))
    order = {label: i for network in plan.networks for i, label in enumerate(network.labels)}
    return [CutOff(seed, sorted(nodes, key=order.__getitem__)) for seed, nodes in cut_off.items() if nodes]


def _is_drawn(scenario: Scenario, network: Network) -> bool:
    """Whether each seed draws a channel of its own."""
    channel = scenario.channel
    chance = (channel.shadowing_sigma_db, channel.hardware_tx_var, channel.hardware_noise_var)
    return channel.seed is None and not len(network.links_src) and any(chance)


def _no_path(nodes: list[str], sink: str, seeds: list[int]) -> str:
    who = f"node {nodes[0]} has" if len(nodes) == 1 else f"nodes {named(nodes)} have"
    when = f"(seed {seeds[0]})"
    if len(seeds) > 1:
        when = f"with {len(seeds)} of the first {seeds[-1]} seeds ({named([str(seed) for seed in seeds])})"
    fewer = f"run fewer than {seeds[0]} seeds, " if seeds[0] > 1 else ""
    return (
        f"{who} no path to the sink {sink} {when}: no chain of links over which at least "
        f"{CONNECTED_PRR:.0%} of the frames get through both ways. Raise radio.tx_power_dbm, move or add "
        f"nodes, {fewer}let more nodes forward where only some do, or set topology.require_connected = false"
    )


def named(names: list[str]) -> str:
    """ "2, 7, 9" or, of many, the first few and how many more."""
    more = f" and {len(names) - NAMED_AT_MOST} more" if len(names) > NAMED_AT_MOST else ""
    return ", ".join(names[:NAMED_AT_MOST]) + more
