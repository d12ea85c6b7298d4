"""The routes of runs and what their links would cost in the unloaded network."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock import _engine
from penstock.errors import BadInput
from penstock.receiver_capacity import expected_transmissions
from penstock.scenario import Scenario
from penstock.topology.check import reverse
from penstock.topology.network import Floats, Ints, Network
from penstock.world import world_spec

Parents = Mapping[str, str | None]
"""Each node's next hop by name; None where it has none. Nodes that are left out have none."""


def unloaded_links(
    scenario: Scenario, network: Network, seed: int
) -> tuple[_engine.WorldSpec, Mapping[str, NDArray[Any]]]:
    """The world of a run, and its links with their reception rates (_engine.link_prr)."""
    try:
        spec = world_spec(scenario, network, seed)
        return spec, _engine.link_prr(spec)
    except ValueError as error:
        raise BadInput(f"the engine refuses this scenario: {error}") from None


def transmissions_to_parents(links: Mapping[str, NDArray[Any]], tree: Ints) -> Floats:
    """(N,) expected transmissions to each node's parent; infinite where there is none."""
    back = reverse(len(tree), links["src"], links["dst"], links["prr"]) if len(links["src"]) else links["prr"]
    up = tree[links["src"]] == links["dst"]
    cost = np.full(len(tree), np.inf)
    cost[links["src"][up]] = expected_transmissions(links["prr"][up], back[up])
    return cost


def parent_indices(parents: Parents, network: Network) -> Ints:
    """(N,) index of each node's next hop; -1 for none and at the sink. BadInput for an unknown name."""
    index = {label: i for i, label in enumerate(network.labels)}
    tree = np.full(len(network), -1, dtype=np.int32)
    for node, parent in parents.items():
        for name in (node, parent):
            if name is not None and name not in index:
                raise BadInput(f"parents: there is no node {name} in this topology")
        if parent is not None and index[node] != network.sink:
            tree[index[node]] = index[parent]
    return tree


def run_parents(nodes: pl.DataFrame) -> dict[str, str | None]:
    """Next hops at the end of one run, from its rows of the nodes table."""
    return dict(zip(nodes["node"].to_list(), nodes["parent_node"].to_list(), strict=True))
