"""Placements that Penstock makes itself. All are (N, 2) metres, x east, y north, origin in the south-west.

Random placements use numpy's PCG64 with the topology's own seed, so that the same floor is used for every run
seed: a run seed changes the channel, not the building.
"""

import math

import numpy as np

from penstock.topology.network import Floats
from penstock.topology.sections import GridTopology, LineTopology, OfficeTopology, UniformTopology

JITTER = 0.6
"""Part of a cell's width and height within which its node may stand. Keeps neighbours from one spot."""
CORNER_WIDTH, CORNER_HEIGHT = 0.35, 0.4
"""The dense corner's part of the floor's width and height."""
CANDIDATES = 20
"""Random places tried for each node of the dense corner."""


def office(section: OfficeTopology) -> Floats:
    """An office floor after thesis 2.3.1: even coverage, more nodes in the north-west corner.

    The thesis gives the area (16,076 square feet, 1493.5 m^2), the number of nodes (55), the even coverage
    and the denser corner in words; its map (Fig. 2-3) is a drawing whose coordinates are printed nowhere.
    So this is a floor of that description, not that floor: `dense_corner_share` of the nodes stand in the
    north-west corner in addition to the even ones. The even ones come first, numbered from east to west, so
    the sink, node 6, stands at the east end, several hops from the dense corner.
    """
    random = np.random.Generator(np.random.PCG64(section.seed))
    extra = round(section.nodes * section.dense_corner_share)
    even = _stratified(random, section.nodes - extra, section.width_m, section.height_m)
    even = even[np.argsort(-even[:, 0], kind="stable")]
    corner = np.array([section.width_m * CORNER_WIDTH, section.height_m * CORNER_HEIGHT])
    return _crowd(random, even, extra, np.array([0.0, section.height_m - corner[1]]), corner)


def grid(section: GridTopology) -> Floats:
    """Rows of `columns` nodes from the south-west; the last row may be short."""
    index = np.arange(section.nodes)
    cells = np.column_stack([index % section.columns, index // section.columns])
    return cells.astype(np.float64) * section.spacing_m


def line(section: LineTopology) -> Floats:
    """Nodes at equal spacing from west to east, each off its mark by up to `jitter_m` along and across."""
    steps = np.arange(section.nodes, dtype=np.float64)
    marks = np.column_stack([steps * section.spacing_m, np.zeros(section.nodes)])
    random = np.random.Generator(np.random.PCG64(section.seed))
    return marks + section.jitter_m * (2.0 * random.random((section.nodes, 2)) - 1.0)


def uniform(section: UniformTopology) -> Floats:
    """Independent uniform places."""
    random = np.random.Generator(np.random.PCG64(section.seed))
    return random.random((section.nodes, 2)) * np.array([section.width_m, section.height_m])


def _crowd(random: np.random.Generator, places: Floats, extra: int, origin: Floats, size: Floats) -> Floats:
    """`places` and `extra` more in a rectangle: each the one of some random ones that is farthest from all
    before it (Mitchell 1991), since two motes do not stand on one spot."""
    for _ in range(extra):
        candidates = origin + random.random((CANDIDATES, 2)) * size
        gaps = np.linalg.norm(candidates[:, None, :] - places[None, :, :], axis=2).min(axis=1, initial=np.inf)
        places = np.vstack([places, candidates[gaps.argmax()]])
    return places


def _stratified(random: np.random.Generator, count: int, width: float, height: float) -> Floats:
    """`count` nodes, one to a cell: rows of equal height, the fuller rows last, jittered within the cells."""
    if count == 0:
        return np.zeros((0, 2))
    rows = min(count, max(1, round(math.sqrt(count * height / width))))
    places: list[tuple[float, float]] = []
    for row in range(rows):
        columns = (count + row) // rows
        jitter = 0.5 + JITTER * (random.random((columns, 2)) - 0.5)
        for column in range(columns):
            x = (column + jitter[column, 0]) * width / columns
            y = (row + jitter[column, 1]) * height / rows
            places.append((float(x), float(y)))
    return np.array(places)
