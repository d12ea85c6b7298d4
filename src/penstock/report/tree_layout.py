"""Places for the nodes of a collection tree whose real positions are unknown: depth gives the distance."""

import math

import numpy as np
from numpy.typing import NDArray


def radial(parents: list[int], sink: int) -> NDArray[np.float64]:
    """Lay a tree out in rings round its root.

    A node's ring is its depth in hops; every subtree gets a share of the circle as wide as it has leaves.
    Nodes without a path to the sink stand in a row under the rings.

    Args:
        parents: index of each node's parent, -1 for none.
        sink: index of the root.

    Returns:
        (N, 2) coordinates; rings are one unit apart.
    """
    count = len(parents)
    children: list[list[int]] = [[] for _ in range(count)]
    for node, parent in enumerate(parents):
        if node != sink and 0 <= parent < count and parent != node:
            children[parent].append(node)
    order = [sink]
    depth = {sink: 0}
    for node in order:
        for child in children[node]:
            if child not in depth:
                depth[child] = depth[node] + 1
                order.append(child)
    leaves = [0] * count
    for node in reversed(order):
        leaves[node] = max(1, sum(leaves[child] for child in children[node]))
    places = np.zeros((count, 2), dtype=np.float64)
    start = {sink: 0.0}
    for node in order:
        begin = start[node]
        middle = 2 * math.pi * (begin + leaves[node] / 2) / leaves[sink]
        places[node] = (depth[node] * math.cos(middle), depth[node] * math.sin(middle))
        for child in children[node]:
            start[child] = begin
            begin += leaves[child]
    lost = [node for node in range(count) if node not in depth]
    deepest = max(depth.values()) + 1
    for i, node in enumerate(lost):
        places[node] = (i - (len(lost) - 1) / 2, -deepest - 0.5)
    return places
