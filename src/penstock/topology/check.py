"""Is everyone connected, and what does the network look like from the sink?"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
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


def shape(nodes: int, sink: int, src: Ints, dst: Ints, prr: Floats) -> Shape:
    """The shape of a network of `nodes` nodes with directed links src -> dst of packet reception rate prr."""
    neighborhood = np.bincount(src, weights=prr, minlength=nodes)
    forward = sparse.csr_array((prr, (src, dst)), shape=(nodes, nodes))
    both = cast(Any, forward.multiply(forward.T)).tocoo()
    ahead, back = _at(forward, both.row, both.col), _at(forward, both.col, both.row)
    good = np.minimum(ahead, back) >= CONNECTED_PRR
    etx = sparse.csr_array((1.0 / both.data[good], (both.row[good], both.col[good])), shape=(nodes, nodes))
    distance, before = cast(Any, csgraph).dijkstra(etx, indices=sink, return_predecessors=True)
    depth = np.full(nodes, -1, dtype=np.int32)
    depth[sink] = 0
    for node in np.argsort(distance, kind="stable")[1:]:
        if np.isfinite(distance[node]):
            depth[node] = depth[before[node]] + 1
    parent = np.where(before >= 0, before, -1).astype(np.int32)
    return Shape(neighborhood, depth, distance, parent)


def _at(matrix: Any, rows: Ints, columns: Ints) -> Floats:
    return np.asarray(matrix[rows, columns], dtype=np.float64).ravel()
