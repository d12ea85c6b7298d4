"""What one run sent where: its nodes, where they stand, and the packets that passed over each link."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock.report.grid import AxisValue, Grid
from penstock.report.tree_layout import radial

SILENT_PPS = 0.01
"""A source heard less often than this is as good as silent (thesis 5.3.3, on Fig. 5-7)."""


@dataclass(frozen=True)
class Node:
    """A node on the map; `offered` and `delivered` count packets over the measured time."""

    label: str
    x: float
    y: float
    sink: bool
    silent: bool
    offered: int
    delivered: int


@dataclass(frozen=True)
class Flow:
    """What one run sent where.

    Attributes:
        line: the strategy (or other value) of the run.
        seed: its seed.
        placed: whether the coordinates are real, in metres; else they come from the tree.
        nodes: every node of the topology.
        edges: (from, to, packets the second received from the first) as indices into `nodes`.
    """

    line: AxisValue | None
    seed: int
    placed: bool
    nodes: list[Node] = field(repr=False)
    edges: list[tuple[int, int, int]] = field(repr=False)


def flow_of(
    grid: Grid, nodes: pl.DataFrame, links: pl.DataFrame, line: AxisValue | None, x: float | None
) -> Flow | None:
    """The first seed's run of one point of the grid; see `flow_at`."""
    here = grid.select(nodes, line, x)
    if here.is_empty():
        return None
    return flow_at(here, grid.select(links, line, x), line, int(here["seed"].to_list()[0]))


def flow_at(nodes: pl.DataFrame, links: pl.DataFrame, line: AxisValue | None, seed: int) -> Flow | None:
    """The run of one seed among those of one point; None when it did not finish.

    Every link that carried data is an edge, and so is every parent that received nothing, with 0 packets.
    Nodes of a topology without positions are placed by their tree.
    """
    here = nodes.filter(pl.col("seed") == seed).sort("index")
    if here.is_empty():
        return None
    labels = [str(label) for label in here["node"].to_list()]
    at = {label: i for i, label in enumerate(labels)}
    parents = [-1 if parent is None else at.get(str(parent), -1) for parent in here["parent_node"].to_list()]
    sinks = [bool(sink) for sink in here["sink"].to_list()]
    sink = sinks.index(True) if True in sinks else 0
    placed = here["x_m"].null_count() == 0 and here["y_m"].null_count() == 0
    places = here.select("x_m", "y_m").to_numpy() if placed else radial(parents, sink)
    traffic = _traffic(links, seed, at)
    for node, parent in enumerate(parents):
        if parent >= 0 and node != sink:
            traffic.setdefault((node, parent), 0)
    drawn = _nodes(labels, places, sinks, here)
    return Flow(line, seed, placed, drawn, [(a, b, packets) for (a, b), packets in sorted(traffic.items())])


def _traffic(links: pl.DataFrame, seed: int, at: dict[str, int]) -> dict[tuple[int, int], int]:
    if links.is_empty():
        return {}
    rows = links.filter(pl.col("seed") == seed).select("src", "dst", "received").rows()
    return {(at[str(src)], at[str(dst)]): int(received) for src, dst, received in rows}


def _nodes(
    labels: Sequence[str], places: NDArray[np.float64], sinks: Sequence[bool], here: pl.DataFrame
) -> list[Node]:
    offered = [int(value) for value in here["generated"].to_list()]
    delivered = [int(value) for value in here["delivered"].to_list()]
    rates = [float(value) for value in here["throughput_pps"].to_list()]
    return [
        Node(
            label,
            round(float(places[i, 0]), 3),
            round(float(places[i, 1]), 3),
            sinks[i],
            offered[i] > 0 and rates[i] < SILENT_PPS,
            offered[i],
            delivered[i],
        )
        for i, label in enumerate(labels)
    ]
