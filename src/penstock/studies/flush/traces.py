"""What is read off the log of a transfer's packets: rates of a node, and queues on the way.

The log is `Results.bulk`: a row for each link attempt, when it is over.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl

from penstock.results import Results
from penstock.studies.flush.paper import WINDOW
from penstock.topology.network import Floats

T = TypeVar("T")
OfRun = Callable[["Run"], T]
FILLED_S = 2.0
FILLED_PACKETS = 100
"""What the beginning of a transfer is: the pipeline fills, and D finds its way from a careful first value."""


@dataclass(frozen=True)
class Run:
    """One run with one transfer. key: its axes and seed. attempts: rows of the log in the transfer phase, in
    the order of time. way: the nodes that sent, source first. begins_s, ends_s: of the transfer phase."""

    key: tuple[object, ...]
    attempts: pl.DataFrame
    way: list[str]
    begins_s: float
    ends_s: float


def runs(results: Results) -> Iterator[Run]:
    """Every run of the log."""
    names = [*results.axes, "seed"]
    if results.bulk.is_empty():
        return
    phases = {
        tuple(row[name] for name in names): _phase(row) for row in results.transfers.iter_rows(named=True)
    }
    for key, rows in results.bulk.group_by(names, maintain_order=True):
        begins, ends = phases[key]
        attempts = rows.filter((pl.col("kind") == "attempt") & (pl.col("index") >= 0))
        inside = attempts.filter(pl.col("time_s").is_between(begins, ends))
        inside = inside.sort("time_s", maintain_order=True)
        way = inside.group_by("node", maintain_order=True).agg(pl.col("time_s").first())
        yield Run(key, inside, way["node"].to_list(), begins, ends)


def _phase(row: dict[str, float]) -> tuple[float, float]:
    begins = row["start_s"] + row["query_s"]
    return begins, begins + row["transfer_s"]


def rates(attempts: pl.DataFrame, node: str, start_s: float, stop_s: float) -> tuple[Floats, Floats]:
    """(time, packets/s) of a node at each packet that its next hop acknowledged, over the last WINDOW."""
    times = _sent(attempts, node, start_s, stop_s)
    if times.size <= WINDOW:
        return np.empty(0), np.empty(0)
    return times[WINDOW:], WINDOW / (times[WINDOW:] - times[:-WINDOW])


def packets_between(attempts: pl.DataFrame, node: str, start_s: float, stop_s: float) -> float | None:
    """Packets/s that a node got to its next hop between two moments; None for no time."""
    return None if stop_s <= start_s else _sent(attempts, node, start_s, stop_s).size / (stop_s - start_s)


def longest_queue(run: Run) -> Floats:
    """(P,) for each packet, by index: the longest queue that it left from on its way, the source's own left
    out: that one always holds the packets that wait for their turn."""
    found = (
        run.attempts.filter(pl.col("node") != run.way[0])
        .group_by("index")
        .agg(pl.col("queue").max())
        .sort("index")
    )
    return found["queue"].cast(pl.Float64).to_numpy()


def queue_at(attempts: pl.DataFrame, node: str) -> tuple[Floats, Floats]:
    """(time, packets in the queue) of a node at the end of each of its attempts."""
    mine = attempts.filter(pl.col("node") == node)
    return mine["time_s"].to_numpy(), mine["queue"].cast(pl.Float64).to_numpy()


def _sent(attempts: pl.DataFrame, node: str, start_s: float, stop_s: float) -> Floats:
    kept = attempts.filter(
        (pl.col("node") == node) & pl.col("acked") & pl.col("time_s").is_between(start_s, stop_s)
    )
    return kept["time_s"].to_numpy()
