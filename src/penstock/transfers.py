"""Bulk transfers of one network: what the engine is told of them, and what came of them as tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from penstock import _engine
from penstock.metrics import Columns, Metric
from penstock.scenario import Scenario
from penstock.topology.network import Network

WAITING, RUNNING, DONE, FAILED = range(4)
"""Outcomes, as the engine numbers them."""
ATTEMPT, ARRIVED = range(2)
"""Kinds of the engine's bulk events."""

TRANSFER_METRICS: dict[str, Metric] = {
    "completion_s": Metric("Completion time of a transfer, mean", "s", by_inverse=True),
    "goodput_Bps": Metric("Goodput of a transfer, mean", "B/s"),
    "overall_Bps": Metric("Bytes of a transfer over all its time, mean", "B/s"),
    "transfer_loss_rate": Metric("Packets lost in the transfer phase, mean"),
    "bulk_transmissions": Metric("Transmissions of bulk packets", "frames"),
    "transfers_done": Metric("Share of the transfers that brought the same bytes"),
}
"""Metrics that only runs with transfers have, by their names in summary.json. Beside flows, the first two are
about the transfers; flows.parquet has the flows'."""


@dataclass(frozen=True)
class Transfer:
    """One object to be asked for: source (node index), length, not before start_s of the measurement.
    key: the scenario's that says its length."""

    source: int
    bytes: int
    start_s: float
    key: str


def transfers_of(scenario: Scenario, network: Network) -> list[Transfer]:
    """All transfers in the order in which the sink asks for them.

    Raises BadInput for a source that does not exist, is the sink, or is named twice in one entry.
    """
    found: list[Transfer] = []
    for at, entry in enumerate(scenario.transfers):
        own = entry.source if entry.source is not None else scenario.bulk.source
        key = f"transfers.{at}.source" if entry.source is not None else "bulk.source"
        sources = own if isinstance(own, list) else [own] if own is not None else []
        length, said_by = _length(scenario, at)
        for node in network.named_nodes(sources, key):
            found.append(Transfer(node, length, entry.start_s, said_by))
    return sorted(found, key=lambda transfer: transfer.start_s)


def longest_transfer(scenario: Scenario) -> Transfer | None:
    """The longest of the scenario, its source not looked up (-1); None without any."""
    lengths = [_length(scenario, at) for at in range(len(scenario.transfers))]
    longest = max(lengths, key=lambda found: found[0], default=None)
    return None if longest is None else Transfer(-1, longest[0], 0.0, longest[1])


def _length(scenario: Scenario, at: int) -> tuple[int, str]:
    """(bytes, the key that says so) of an entry."""
    own = scenario.transfers[at].bytes
    return (own, f"transfers.{at}.bytes") if own is not None else (scenario.bulk.bytes or 0, "bulk.bytes")


def set_transfers(spec: _engine.WorldSpec, scenario: Scenario, network: Network) -> None:
    """Puts the scenario's transfers into the world of `spec`. Raises BadInput as transfers_of does."""
    ask_for(spec.bulk, transfers_of(scenario, network), scenario)


def ask_for(spec: _engine.BulkSpec, transfers: Sequence[Transfer], scenario: Scenario) -> None:
    """These transfers, carried and recorded as the scenario says."""
    spec.source = np.array([each.source for each in transfers], dtype=np.int32)
    spec.bytes = np.array([each.bytes for each in transfers], dtype=np.uint32)
    spec.start_s = np.array([each.start_s for each in transfers], dtype=np.float64)
    spec.log = scenario.records.log_bulk
    bulk = scenario.bulk
    spec.mode = bulk.mode
    spec.interval_s = bulk.interval_s or 0.0
    spec.payload_bytes = bulk.payload_bytes or 0
    spec.queue, spec.local_share, spec.flows = bulk.queue, bulk.local_share, bulk.flows
    spec.attempts, spec.congested_packets = bulk.attempts, bulk.congested_packets
    spec.delay_memory_packets = bulk.delay_memory_packets
    spec.rssi_memory_packets = bulk.rssi_memory_packets
    spec.interferer_db = bulk.interferer_db
    spec.nearest_interferer = bulk.nearest_interferer
    spec.interferer_timeout_packets = bulk.interferer_timeout_packets
    spec.delay_unit_s, spec.longest_wait_s = bulk.delay_unit_s, bulk.longest_wait_s
    spec.companded = bulk.delay_code == "companded"
    spec.lower = bulk.priority == "lower"
    spec.nack_packets, spec.tries, spec.restarts = bulk.nack_packets, bulk.tries, bulk.restarts
    spec.freeze = bulk.freeze
    spec.query_timeout_s, spec.timeout_max_s = bulk.query_timeout_s, bulk.timeout_max_s
    spec.first_interval_s, spec.flood_jitter_s = bulk.first_interval_s, bulk.flood_jitter_s
    spec.ack_timeout_s, spec.ack_random_factor = bulk.ack_timeout_s, bulk.ack_random_factor
    spec.max_retransmit = bulk.max_retransmit


def transfer_table(transfers: Columns, settle_s: float) -> pl.DataFrame:
    """One row a transfer, in the order of asking.

    transfers: the engine's. settle_s: when the measurement began.

    Columns: `transfer` (from 1), `source` (node index), `bytes`, `hops` (as its packets counted them; null
    when none came), `start_s` (the sink's query, from the beginning of the measurement; null when its turn
    never came), `outcome` ("done"; "running" or "waiting" at the end of the run; or why it failed:
    `_engine.bulk_reasons`), `same_bytes` (what the sink has is what the source has). Then the phases (Flush
    2.1), each null where it was not finished: `query_s` until the source's answer, `transfer_s` from there to
    the last new packet before the sink asked for lost ones, `ack_s` until nothing was missing, `check_s`
    until the CRC was right; `completion_s` is their sum. `packets` of the object, `packet_bytes` of each,
    `arrived_first` (in the transfer phase) and `arrived` of them; `requests` for packets that the sink sent,
    `rounds` of them after the transfer phase; `restarts`; `transmissions` of bulk packets by all nodes, and
    where these were lost: `queue_drops`, `attempts_drops`, `sink_drops` (the sink's line had no room).
    `end_s`: when it was over, done or failed, from the beginning of the measurement; null while running.
    `goodput_Bps`: bytes that came in the transfer phase over its length; `overall_Bps`, `overall_pps`: the
    object over completion_s; `transfer_loss_rate`: 1 - arrived_first / packets.
    """
    reasons = _engine.bulk_reasons()
    rows: list[dict[str, object]] = []
    for at in range(len(transfers["source"])):
        one = {name: int(column[at]) for name, column in transfers.items()}
        done = one["outcome"] == DONE
        outcome = {WAITING: "waiting", RUNNING: "running", DONE: "done"}.get(one["outcome"])
        transfer_s = _seconds(one, "started_ns", "last_first_ns")
        completion_s = _seconds(one, "asked_ns", "ended_ns") if done else None
        packets = one["packets"]
        rows.append(
            {
                "transfer": at + 1,
                "source": one["source"],
                "bytes": one["bytes"],
                "hops": one["hops"] or None,
                "start_s": None if one["asked_ns"] < 0 else one["asked_ns"] * 1e-9 - settle_s,
                "outcome": outcome or reasons[one["reason"]],
                "same_bytes": bool(one["same_bytes"]),
                "query_s": _seconds(one, "asked_ns", "started_ns"),
                "transfer_s": transfer_s,
                "ack_s": _seconds(one, "last_first_ns", "complete_ns"),
                "check_s": _seconds(one, "complete_ns", "ended_ns"),
                "completion_s": completion_s,
                "end_s": one["ended_ns"] * 1e-9 - settle_s if one["ended_ns"] >= 0 else None,
                "packets": packets or None,
                "packet_bytes": one["packet_bytes"] or None,
                "arrived_first": one["arrived_first"],
                "arrived": one["arrived"],
                "requests": one["requests"],
                "rounds": one["rounds"],
                "restarts": one["restarts"],
                "transmissions": one["transmissions"],
                "queue_drops": one["queue_drops"],
                "attempts_drops": one["attempts_drops"],
                "sink_drops": one["line_drops"],
                "goodput_Bps": one["bytes_first"] / transfer_s if transfer_s else 0.0,
                "overall_Bps": one["bytes"] / completion_s if completion_s else 0.0,
                "overall_pps": packets / completion_s if completion_s else 0.0,
                "transfer_loss_rate": 1.0 - one["arrived_first"] / packets if packets else None,
            }
        )
    return pl.DataFrame(rows, schema=_SCHEMA)


_SCHEMA: dict[str, type[pl.DataType]] = {
    "transfer": pl.Int32,
    "source": pl.Int32,
    "bytes": pl.Int64,
    "hops": pl.Int32,
    "start_s": pl.Float64,
    "outcome": pl.String,
    "same_bytes": pl.Boolean,
    **dict.fromkeys(("query_s", "transfer_s", "ack_s", "check_s", "completion_s", "end_s"), pl.Float64),
    **dict.fromkeys(("packets", "packet_bytes", "arrived_first", "arrived"), pl.Int64),
    **dict.fromkeys(("requests", "rounds", "restarts", "transmissions"), pl.Int64),
    **dict.fromkeys(("queue_drops", "attempts_drops", "sink_drops"), pl.Int64),
    **dict.fromkeys(("goodput_Bps", "overall_Bps", "overall_pps", "transfer_loss_rate"), pl.Float64),
}


def transfer_metrics(table: pl.DataFrame) -> dict[str, float]:
    """All TRANSFER_METRICS of one run, means over its transfers.

    completion_s is infinite when one of them did not complete, as with flows; its bytes per second of all its
    time are then 0. transfer_loss_rate leaves out transfers whose source never answered.
    """
    times = np.array(table["completion_s"].fill_null(float("inf")).to_list(), dtype=np.float64)
    losses = np.array(table["transfer_loss_rate"].drop_nulls().to_list(), dtype=np.float64)
    return {
        "completion_s": float(times.mean()),
        "goodput_Bps": float(np.mean(table["goodput_Bps"].to_numpy())),
        "overall_Bps": float(np.mean(table["overall_Bps"].to_numpy())),
        "transfer_loss_rate": float(losses.mean()) if losses.size else float("nan"),
        "bulk_transmissions": float(table["transmissions"].to_numpy().sum()),
        "transfers_done": float(np.mean(table["same_bytes"].to_numpy())),
    }


def bulk_table(bulk: Columns, settle_s: float) -> pl.DataFrame:
    """One row a link attempt of a bulk packet, when it was over, and one a new packet of the object at the
    sink, in the order of time.

    Columns: `transfer` (from 1), `time_s` (from the beginning of the measurement), `kind` ("attempt" or
    "arrived"), `node` (index), `index` (of the packet; null for the source's answer to the query). Of
    attempts alone: `acked`; and as it was when the MAC took the frame, `queue` (bulk packets at the node,
    that one included) and the node's `delta_s`, `f_s` and `D_s` (Flush, Fig. 5).
    """
    attempt = bulk["kind"] == ATTEMPT
    return pl.DataFrame(
        {
            "transfer": np.ascontiguousarray(bulk["transfer"] + 1),
            "time_s": bulk["time_ns"] * 1e-9 - settle_s,
            "kind": np.where(attempt, "attempt", "arrived"),
            "node": np.ascontiguousarray(bulk["node"]),
            "index": np.ascontiguousarray(bulk["index"]),
            "acked": bulk["acked"] != 0,
            "queue": np.ascontiguousarray(bulk["queue"]),
            "delta_s": bulk["delay_us"] * 1e-6,
            "f_s": bulk["f_us"] * 1e-6,
            "D_s": bulk["interval_us"] * 1e-6,
        }
    ).with_columns(
        pl.when(pl.col("index") >= 0).then(pl.col("index")),
        *(
            pl.when(pl.col("kind") == "attempt").then(pl.col(name)).alias(name)
            for name in ("acked", "queue", "delta_s", "f_s", "D_s")
        ),
    )


def _seconds(one: dict[str, int], since: str, until: str) -> float | None:
    return (one[until] - one[since]) * 1e-9 if one[since] >= 0 and one[until] >= 0 else None
