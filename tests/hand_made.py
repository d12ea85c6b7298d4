"""Engine records written by hand: what the metrics' exact cases are made of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from penstock.metrics import Workload

QUEUED, DELIVERED, DROPPED = 0, 1, 2
COUNTERS = (
    *("generated", "delivered", "transmissions", "receptions", "received"),
    *("drop_queue_full", "drop_acked_then_dropped", "energy_j", "energy_tx_j", "time_sleep_s"),
)


@dataclass
class HandMade:
    """Records of `count` nodes, all counters zero, without packets."""

    nodes: dict[str, NDArray[Any]]
    links: dict[str, NDArray[Any]]
    packets: dict[str, NDArray[Any]]


def records(
    count: int,
    packets: list[tuple[int, int, float, float, int, int, int]] | None = None,
    **counters: list[float],
) -> HandMade:
    """packets: (origin, seq, generated s, delivered s or -1, hops, fate, reason). counters: columns of nodes.

    `generated` and `delivered` follow from the packets unless given.
    """
    rows = packets or []
    nodes: dict[str, NDArray[Any]] = {name: np.array(counters.get(name, [0.0] * count)) for name in COUNTERS}
    for name, made in (("generated", rows), ("delivered", [row for row in rows if row[5] == DELIVERED])):
        if name not in counters:
            nodes[name] = np.bincount(np.array([row[0] for row in made], dtype=np.int64), minlength=count)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    times = [np.array([-1 if t < 0 else round(t * 1e9) for t in columns[i]], dtype=np.int64) for i in (2, 3)]
    return HandMade(
        nodes,
        {name: np.zeros(0, dtype=np.int64) for name in ("src", "dst", "received", "accepted")},
        {
            "origin": np.array(columns[0], dtype=np.int32),
            "seq": np.array(columns[1], dtype=np.uint32),
            "generated_ns": times[0],
            "admitted_ns": times[0],
            "delivered_ns": times[1],
            "hops": np.array(columns[4], dtype=np.uint8),
            "fate": np.array(columns[5], dtype=np.uint8),
            "reason": np.array(columns[6], dtype=np.uint8),
        },
    )


def linked(made: HandMade, *links: tuple[int, int, int] | tuple[int, int, int, int]) -> HandMade:
    """The same with links (src, dst, packets received, of these accepted: all unless given)."""
    columns = np.array([link if len(link) == 4 else (*link, link[2]) for link in links], dtype=np.int64)
    made.links = dict(zip(("src", "dst", "received", "accepted"), columns.reshape(-1, 4).T, strict=True))
    return made


def workload(sources: list[bool], sink: int, measure_s: float = 10.0) -> Workload:
    """Sources among the nodes, 36-byte packets."""
    return Workload(np.array(sources), sink, measure_s, 36 * 8)
