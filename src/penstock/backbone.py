"""Chooses which nodes carry the others' traffic, as an operator with a table of link qualities would.

The Fusion thesis lets ten of 55 nodes advertise routes (5.4) and a core forward for leaves (5.3.6), but does
not say how it chose them. This rule looks at the unloaded network only, never at what a strategy makes of it:

1. The backbone begins with the sink and grows by one node at a time, always a node that has a usable link to
   a member, so that it stays connected. Usable: at least half of the frames get through each way.
2. The next member is the one that lets most further nodes in, those that had no usable link to the backbone.
3. Among equals, it is the one that makes the sum of all path costs (ETX, thesis Eq. 2.1) smallest, so that
   members left over once everyone is in shorten what is longest.
4. Among equals again, it is the first in the topology's order.

Where no node has a usable link to the backbone any more, links that count as connected at all (CONNECTED_PRR)
take their place; where none has one of those either, the backbone ends.
"""

import math
from collections.abc import Sequence

import numpy as np

from penstock.topology.check import CONNECTED_PRR, reverse
from penstock.topology.network import Floats, Ints

USABLE_PRR = 0.5
"""Each way. Such a hop costs four transmissions or fewer, and four attempts deliver 94 % of the packets."""
NO_PATH_ETX = 1.0 / CONNECTED_PRR**2
"""What a node without a path counts as having: the worst link there is."""

Links = Sequence[dict[int, float]]
"""For each node its neighbours, with the ETX of the link between them."""


def backbone(nodes: int, sink: int, src: Ints, dst: Ints, prr: Floats, members: int) -> list[int]:
    """Indices of up to `members` nodes in the order they were chosen, without the sink.

    src, dst, prr: (L,) directed links with their packet reception rates when nobody else sends.
    """
    usable = links_of(nodes, src, dst, prr, USABLE_PRR)
    connected = links_of(nodes, src, dst, prr, CONNECTED_PRR)
    costs = [math.inf] * nodes
    costs[sink] = 0.0
    _lower(costs, sink, connected)
    let_in = {sink, *usable[sink]}
    chosen: list[int] = []
    while len(chosen) < members:
        inside = {sink, *chosen}
        near = _beside(inside, usable) or _beside(inside, connected)
        if not near:
            break
        further = {node: len(usable[node].keys() - let_in) for node in near}
        saved = {node: _saved(costs, node, connected) for node in near}
        best = min(near, key=lambda node: (-further[node], -saved[node], node))
        chosen.append(best)
        _lower(costs, best, connected)
        let_in |= {best, *usable[best]}
    return chosen


def links_of(nodes: int, src: Ints, dst: Ints, prr: Floats, at_least: float) -> list[dict[int, float]]:
    """The links over which at least this share of the frames gets through in each direction."""
    links: list[dict[int, float]] = [{} for _ in range(nodes)]
    if not len(src):
        return links
    back = reverse(nodes, src, dst, prr)
    for at in np.flatnonzero(np.minimum(prr, back) >= at_least):
        links[int(src[at])][int(dst[at])] = float(1.0 / (prr[at] * back[at]))
    return links


def _beside(inside: set[int], links: Links) -> set[int]:
    return {neighbour for node in inside for neighbour in links[node]} - inside


def _saved(costs: Sequence[float], node: int, links: Links) -> float:
    """By how much all paths together become cheaper with `node` in the backbone."""
    paths = [(min(costs[at], NO_PATH_ETX), costs[node] + etx) for at, etx in links[node].items()]
    return sum(max(0.0, before - after) for before, after in paths)


def _lower(costs: list[float], node: int, links: Links) -> None:
    """Paths that `node` makes cheaper."""
    for neighbour, etx in links[node].items():
        costs[neighbour] = min(costs[neighbour], costs[node] + etx)
