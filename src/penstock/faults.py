"""From the `[faults]` of links and routes to the engine's world. Nodes that stop are penstock.demand's."""

from itertools import pairwise

import numpy as np

from penstock import _engine
from penstock.errors import BadInput
from penstock.fault_sections import LinkLoss
from penstock.scenario import Scenario
from penstock.static_routes import static_parents
from penstock.topology.network import Network

Loss = tuple[int, int, LinkLoss]
"""One direction of an entry: indices of sender and receiver."""


def set_faults(spec: _engine.WorldSpec, scenario: Scenario, network: Network) -> None:
    """Puts the scenario's link losses and changes of route into the world of `spec`. BadInput for a node that
    does not exist, intervals of one direction that overlap, and static routes that would lead in a circle."""
    losses = _losses(scenario, network)
    spec.loss_src = np.array([sender for sender, _, _ in losses], dtype=np.int32)
    spec.loss_dst = np.array([receiver for _, receiver, _ in losses], dtype=np.int32)
    spec.loss_from_s = np.array([entry.from_s for _, _, entry in losses], dtype=np.float64)
    spec.loss_to_s = np.array([entry.to_s for _, _, entry in losses], dtype=np.float64)
    spec.loss_probability = np.array([entry.loss for _, _, entry in losses], dtype=np.float64)
    changes = _changes(scenario, network)
    spec.reroute_node = np.array([node for node, _, _ in changes], dtype=np.int32)
    spec.reroute_parent = np.array([parent for _, parent, _ in changes], dtype=np.int32)
    spec.reroute_at_s = np.array([at_s for _, _, at_s in changes], dtype=np.float64)


def _losses(scenario: Scenario, network: Network) -> list[Loss]:
    losses: list[Loss] = []
    for at, entry in enumerate(scenario.faults.link_loss):
        key = f"faults.link_loss.{at}"
        sender = network.index_of(entry.sender, f"{key}.sender")
        receiver = network.index_of(entry.receiver, f"{key}.receiver")
        losses.append((sender, receiver, entry))
        if entry.directions == "both":
            losses.append((receiver, sender, entry))
    losses.sort(key=lambda loss: (loss[0], loss[1], loss[2].from_s))
    for (sender, receiver, before), (*pair, entry) in pairwise(losses):
        if [sender, receiver] == pair and entry.from_s < before.to_s:
            names = f"{network.labels[sender]} to {network.labels[receiver]}"
            raise BadInput(
                f"faults.link_loss: two entries for frames from {names} overlap, {before.from_s:g} to "
                f"{before.to_s:g} s and {entry.from_s:g} to {entry.to_s:g} s"
            )
    return losses


def _changes(scenario: Scenario, network: Network) -> list[tuple[int, int, float]]:
    """(node, parent, at_s) in the order of time."""
    changes: list[tuple[int, int, float]] = []
    for at, entry in enumerate(scenario.faults.reroute):
        node = network.index_of(entry.node, f"faults.reroute.{at}.node")
        parent = network.index_of(entry.parent, f"faults.reroute.{at}.parent")
        if node == network.sink:
            raise BadInput(f"faults.reroute.{at}.node: node {entry.node} is the sink, which has no parent")
        if any(node == other and entry.at_s == at_s for other, _, at_s in changes):
            raise BadInput(
                f"faults.reroute.{at}: another entry reroutes node {entry.node} at {entry.at_s:g} s too"
            )
        changes.append((node, parent, entry.at_s))
    changes.sort(key=lambda change: change[2])
    if scenario.routing.kind == "static":
        _check_loops(changes, static_parents(scenario, network).tolist(), network)
    return changes


def _check_loops(changes: list[tuple[int, int, float]], parents: list[int], network: Network) -> None:
    """Static routes must lead to the sink after each change, too."""
    for node, parent, at_s in changes:
        parents[node] = parent
        passed, here = {node}, parent
        while here != network.sink:
            if here in passed:
                label = network.labels
                raise BadInput(
                    f"faults.reroute: with node {label[parent]} for its parent from {at_s:g} s on, node "
                    f"{label[node]} goes round in a loop"
                )
            passed.add(here)
            here = parents[here]
