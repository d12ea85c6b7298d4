"""Is everyone connected, and what does the network look like from the sink?"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from penstock.topology.network import Floats, Ints

CONNECTED_PRR = 0.1
"""A link counts when frames get through it at least this often in both directions without interference.

Below it a hop costs more than 100 transmissions (ETX, thesis Eq. 2.1) and four attempts deliver fewer than
35 % of the packets: no route worth the name, though a lucky beacon may form one.
"""


@dataclass(frozen=True)
class Shape:
    """A network seen without load, over links of at least CONNECTED_PRR both ways.

    neighborhood: (N,) expected number of nodes that hear a transmission (thesis Eq. 2.2, all links).
    depth: (N,) hops to the sink along the path of least ETX; -1 where there is none.
    path_etx: (N,) expected transmissions along that path; infinite where there is none.
    parent: (N,) next hop on that path; -1 at the sink and where there is none.
    """

    neighborhood: Floats
    depth: Ints
    path_etx: Floats
    parent: Ints

    @property
    def disconnected(self) -> list[int]:
        """Indices of the nodes that have no path to the sink."""
        return [int(i) for i in np.flatnonzero(self.depth < 0)]


def shape(
    nodes: int, sink: int, src: Ints, dst: Ints, prr: Floats, forwards: NDArray[np.bool_] | None = None
) -> Shape:
    """The shape of a network of `nodes` nodes with directed links src -> dst of packet reception rate prr.

    forwards: (N,) which nodes carry others' packets; all unless given.
    """
    if not len(src):
        src, dst, prr = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1)
    neighborhood = np.bincount(src, weights=prr, minlength=nodes).astype(np.float64)
    back = reverse(nodes, src, dst, prr)
    good = np.minimum(prr, back) >= CONNECTED_PRR
    if forwards is not None:
        good &= forwards[dst]
    etx = 1.0 / (prr[good] * back[good])
    graph: Any = sparse.csr_array((etx, (dst[good], src[good])), shape=(nodes, nodes))
    distance, before = cast(Any, csgraph).dijkstra(graph, indices=sink, return_predecessors=True)
    depth = np.full(nodes, -1, dtype=np.int32)
    depth[sink] = 0
    for node in np.argsort(distance, kind="stable")[1:]:
        if np.isfinite(distance[node]):
            depth[node] = depth[before[node]] + 1
    parent = np.where(before >= 0, before, -1).astype(np.int32)
    return Shape(neighborhood, depth, distance, parent)


def reverse(nodes: int, src: Ints, dst: Ints, prr: Floats) -> Floats:
    """(L,) the reception rate of each link's opposite direction; 0 where there is none."""
    there = src.astype(np.int64) * nodes + dst
    here = dst.astype(np.int64) * nodes + src
    order = np.argsort(there)
    at = np.minimum(np.searchsorted(there, here, sorter=order), len(there) - 1)
    found = there[order[at]] == here
    return np.where(found, prr[order[at]], 0.0)
