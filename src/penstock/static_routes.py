"""Routes that a scenario names itself, `routing.kind = "static"`."""

import numpy as np

from penstock.errors import BadInput
from penstock.scenario import Scenario
from penstock.topology.network import Ints, Network


def static_parents(scenario: Scenario, network: Network) -> Ints:
    """(N,) index of each node's parent, -1 at the sink; all -1 where a tree forms.

    Raises BadInput when the scenario's list has another length, names an unknown node or holds a loop.
    """
    parents = np.full(len(network), -1, dtype=np.int32)
    named = scenario.routing.parents
    if named is None:
        return parents
    if len(named) != len(network):
        raise BadInput(f"routing.parents has {len(named)} entries for {len(network)} nodes")
    index = {label: i for i, label in enumerate(network.labels)}
    for node, parent in enumerate(named):
        if str(parent) not in index:
            raise BadInput(f"routing.parents: node {network.labels[node]} has the unknown parent {parent}")
        if node != network.sink:
            parents[node] = index[str(parent)]
    for node in range(len(network)):
        at, hops = node, 0
        while at != network.sink:
            at, hops = int(parents[at]), hops + 1
            if hops > len(network):
                raise BadInput(f"routing.parents: node {network.labels[node]} goes round in a loop")
    return parents
