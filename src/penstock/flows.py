"""Flows of one network: who sends when, as the engine wants it told, and what came of it as a table."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock.errors import BadInput
from penstock.flow_sections import EVERYBODY, FlowEntry, FlowsTraffic
from penstock.metrics import Columns, Metric
from penstock.topology.network import Floats, Ints, Network

Counts = NDArray[np.uint32]

FLOW_METRICS: dict[str, Metric] = {
    "completion_s": Metric("Flow completion time, mean flow", "s", by_inverse=True),
    "goodput_Bps": Metric("Goodput of a flow, mean", "B/s"),
    "packets_per_flow": Metric("Delivered packets of a flow, mean", "packets"),
}
"""Metrics that only runs with flows have, by their names in summary.json."""


def _nobody() -> Ints:
    return np.zeros(0, dtype=np.int32)


def _nothing() -> Floats:
    return np.zeros(0)


def _none() -> Counts:
    return np.zeros(0, dtype=np.uint32)


@dataclass(frozen=True)
class Flows:
    """F flows, sorted by source and then by time.

    source: (F,) node indices. start_s, stop_s: (F,) seconds from the beginning of the measurement. rate_pps:
    (F,) packets/s, 0 for a backlogged source. packets: (F,) how many it makes at most, 0 for no limit.
    """

    source: Ints = field(default_factory=_nobody)
    start_s: Floats = field(default_factory=_nothing)
    stop_s: Floats = field(default_factory=_nothing)
    rate_pps: Floats = field(default_factory=_nothing)
    packets: Counts = field(default_factory=_none)

    def __len__(self) -> int:
        return len(self.source)


def flows_of(traffic: FlowsTraffic, network: Network, measure_s: float) -> Flows:
    """The flows of a network whose measurement takes `measure_s`.

    Raises BadInput for a node that does not exist, the sink as a source, and flows of one source that
    overlap.
    """
    rows: list[tuple[int, float, float, int]] = []
    for at, entry in enumerate(traffic.flows):
        stop = measure_s if entry.stop_s is None else entry.stop_s
        rows += [(node, entry.start_s, stop, at) for node in _sources(entry, at, network)]
    rows.sort()
    for before, after in pairwise(rows):
        if before[0] == after[0] and after[1] < before[2]:
            raise BadInput(
                f"traffic.flows: node {network.labels[after[0]]} has two flows at a time, traffic.flows."
                f"{before[3]} until {before[2]:g} s and traffic.flows.{after[3]} from {after[1]:g} s on"
            )
    entries = [traffic.flows[at] for _, _, _, at in rows]
    return Flows(
        np.array([node for node, _, _, _ in rows], dtype=np.int32),
        np.array([start for _, start, _, _ in rows]),
        np.array([stop for _, _, stop, _ in rows]),
        np.array([entry.rate_pps or 0.0 for entry in entries]),
        np.array([entry.packets or 0 for entry in entries], dtype=np.uint32),
    )


def _sources(entry: FlowEntry, at: int, network: Network) -> list[int]:
    if entry.source == EVERYBODY:
        return [node for node in range(len(network)) if node != network.sink]
    named = entry.source if isinstance(entry.source, list) else [entry.source]
    return network.named_nodes(named, f"traffic.flows.{at}.source")


def flow_table(flows: Flows, packets: Columns, settle_s: float, payload_bytes: int) -> pl.DataFrame:
    """One row a flow, in their order.

    packets: the engine's, with the column `flow`. settle_s: when the measurement began. payload_bytes: of
    each packet.

    Columns: `flow` (from 1), `source` (node index), `start_s`, `stop_s` (from the beginning of the
    measurement), `rate_pps` (null for backlogged sources), `packets` (how many it was to make; null without
    a limit), `made`, `admitted` (taken by the stack), `delivered`; `completion_s`: from its start until the
    last of `packets` had arrived, null when that never came about; `goodput_pps`, `goodput_Bps`: packets and
    their payload delivered per second of its activity, which ends with its completion; `delay_median_s`,
    `delay_mean_s`, `delay_p95_s`: of the delivered packets, from admission to arrival, which is the sum over
    all hops of queueing and transmission (WRCP 8.2); null when nothing arrived.
    """
    count = len(flows)
    flow = packets["flow"]
    admitted, arrived = packets["admitted_ns"] >= 0, packets["delivered_ns"] >= 0
    delivered = _per_flow(flow[arrived], count)
    delays = (packets["delivered_ns"] - packets["admitted_ns"]) * 1e-9
    came = packets["delivered_ns"] * 1e-9 - settle_s
    rows: list[dict[str, float | None]] = []
    for at in range(count):
        mine = arrived & (flow == at)
        wanted, start = int(flows.packets[at]), float(flows.start_s[at])
        complete = 0 < wanted <= int(delivered[at])
        completion = float(np.max(came[mine])) - start if complete else None
        lasted = float(flows.stop_s[at]) - start if completion is None else completion
        pps = float(delivered[at]) / lasted if lasted > 0 else 0.0  # over before it began: nothing delivered
        waits = delays[mine]
        rows.append(
            {
                "completion_s": completion,
                "goodput_pps": pps,
                "goodput_Bps": pps * payload_bytes,
                "delay_median_s": float(np.median(waits)) if waits.size else None,
                "delay_mean_s": float(np.mean(waits)) if waits.size else None,
                "delay_p95_s": float(np.quantile(waits, 0.95)) if waits.size else None,
            }
        )
    names = ("completion_s", "goodput_pps", "goodput_Bps", "delay_median_s", "delay_mean_s", "delay_p95_s")
    limits: list[int | None] = [int(limit) or None for limit in flows.packets]
    steady: list[float | None] = [float(rate) or None for rate in flows.rate_pps]
    return pl.DataFrame(
        {
            "flow": np.arange(1, count + 1, dtype=np.int32),
            "source": flows.source,
            "start_s": flows.start_s,
            "stop_s": flows.stop_s,
            "rate_pps": pl.Series(steady, dtype=pl.Float64),
            "packets": pl.Series(limits, dtype=pl.Int64),
            "made": _per_flow(flow[flow >= 0], count),
            "admitted": _per_flow(flow[admitted & (flow >= 0)], count),
            "delivered": delivered,
            **{name: pl.Series([row[name] for row in rows], dtype=pl.Float64) for name in names},
        }
    )


def flow_metrics(table: pl.DataFrame) -> dict[str, float]:
    """All FLOW_METRICS of one run, means over its flows.

    completion_s is about flows with a number of packets to make: NaN without any, infinite when one of them
    never completed, since a mean over those that did would reward a strategy that starves the others.
    """
    limited = table.filter(pl.col("packets").is_not_null())["completion_s"]
    times = np.array(limited.fill_null(float("inf")).to_list(), dtype=np.float64)
    return {
        "completion_s": float(times.mean()) if times.size else float("nan"),
        "goodput_Bps": float(np.mean(table["goodput_Bps"].to_numpy())),
        "packets_per_flow": float(np.mean(table["delivered"].to_numpy())),
    }


def _per_flow(flow: NDArray[Any], count: int) -> NDArray[np.int64]:
    return np.bincount(flow[flow >= 0].astype(np.int64), minlength=count).astype(np.int64)
