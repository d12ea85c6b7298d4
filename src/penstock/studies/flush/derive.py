"""Numbers of each run that the paper speaks of and no general metric tells."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from penstock.results import Results
from penstock.studies.derived import Derive
from penstock.studies.flush import traces
from penstock.studies.flush.paper import (
    INTERVALS_S,
    LINE_INTERVALS_S,
    LOSSY_AT,
    LOSSY_S,
    QUICKLY_S,
    REROUTED_AT,
    REROUTED_S,
)
from penstock.studies.flush.world import INTERVAL, SOURCE, source

MEANS = (
    *("hops", "query_s", "transfer_s", "ack_s", "check_s", "rounds", "queue_drops"),
    *("attempts_drops", "sink_drops", "overall_pps"),
)
"""Columns of the table of transfers that a run has as they are."""
OF_BEST = ("overall_pps", "overall_Bps", "transmissions_per_hop", "queue_drops", "interval_s")


def keys_of(results: Results) -> list[str]:
    """What names a run: its axes and its seed."""
    return [*results.axes, "seed"]


def together(*parts: Derive) -> Derive:
    """All the parts' numbers."""

    def derive(results: Results) -> pl.DataFrame:
        frame = results.runs.select(keys_of(results))
        for part in parts:
            frame = frame.join(part(results), on=keys_of(results), how="left", maintain_order="left")
        return frame

    return derive


def transfers(results: Results) -> pl.DataFrame:
    """Of a run's transfers, means: MEANS; transmissions_per_hop: of data packets, each hop's; transfer_pps:
    unique packets that arrive in the transfer phase over its length; query_share, transfer_share, ack_share,
    check_share: of the time; arrived_share: of the packets, in the transfer phase; bytes_per_packet."""
    names = keys_of(results)
    taken = pl.col("query_s") + pl.col("transfer_s") + pl.col("ack_s") + pl.col("check_s")
    shares = [
        (pl.col(f"{phase}_s") / taken).mean().alias(f"{phase}_share")
        for phase in ("query", "transfer", "ack", "check")
    ]
    if results.transfers.is_empty():
        return results.runs.select(names)
    return results.transfers.group_by(names, maintain_order=True).agg(
        *(pl.col(name).cast(pl.Float64).mean() for name in MEANS),
        (pl.col("transmissions") / pl.col("hops")).mean().alias("transmissions_per_hop"),
        (pl.col("arrived_first") / pl.col("transfer_s")).mean().alias("transfer_pps"),
        (pl.col("arrived_first") / pl.col("packets")).mean().alias("arrived_share"),
        (pl.col("bytes") / pl.col("packets")).mean().alias("bytes_per_packet"),
        *shares,
    )


def fixed(results: Results) -> pl.DataFrame:
    """The numbers of `transfers`, and those of the best fixed interval from the same source: that of the
    paper's with the most packets/s on average over seeds (best_NAME), and that of all that were tried
    (best_tried_NAME). They are told at every interval. The best one is picked by the data that it is compared
    by, as it was in the paper."""
    names = keys_of(results)
    each = transfers(results).join(
        results.runs.select(*names, "overall_Bps"), on=names, maintain_order="left"
    )
    each = each.with_columns(pl.col(INTERVAL).alias("interval_s"))
    paper = LINE_INTERVALS_S if results.scenario.topology.kind == "line" else INTERVALS_S
    frame = each
    for prefix, tried in (("best", paper), ("best_tried", None)):
        among = each if tried is None else each.filter(pl.col(INTERVAL).is_in(tried))
        best = _best(among, prefix)
        frame = frame.join(best, on=[SOURCE, "seed"], how="left", maintain_order="left")
    return frame.drop("interval_s", "overall_Bps")


def _best(among: pl.DataFrame, prefix: str) -> pl.DataFrame:
    """Of each source, every seed's numbers at the interval with the greatest mean rate."""
    means = among.group_by(SOURCE, INTERVAL, maintain_order=True).agg(
        pl.col("overall_pps").mean().alias("mean")
    )
    picked = means.sort("mean", descending=True).group_by(SOURCE, maintain_order=True).first()
    kept = among.join(picked.select(SOURCE, INTERVAL), on=[SOURCE, INTERVAL], maintain_order="left")
    return kept.select(SOURCE, "seed", *(pl.col(name).alias(f"{prefix}_{name}") for name in OF_BEST))


def steady(results: Results) -> pl.DataFrame:
    """rate_cv: standard deviation over mean of the rate of the node in the middle of the way. queue_mean,
    queue_sd: of the longest queue on the way, packet by packet (traces.longest_queue), without the first
    ones, when the way is still empty."""

    def of_run(run: traces.Run) -> Mapping[str, float | None]:
        middle = run.way[len(run.way) // 2]
        _, rate = traces.rates(run.attempts, middle, run.begins_s + traces.FILLED_S, run.ends_s)
        queue = traces.longest_queue(run)[traces.FILLED_PACKETS :]
        return {
            "rate_cv": _over(float(np.std(rate)), float(np.mean(rate))) if rate.size else None,
            "queue_mean": float(queue.mean()) if queue.size else None,
            "queue_sd": float(queue.std()) if queue.size else None,
        }

    return _each(results, of_run, ("rate_cv", "queue_mean", "queue_sd"))


def lossy(results: Results) -> pl.DataFrame:
    """At the node whose link is lossy for a while: rate_during: its packets/s in that time over those before.
    peak_queue: the most packets in its queue from the beginning of that time on."""
    node = str(source("indoor", LOSSY_AT))

    def of_run(run: traces.Run) -> Mapping[str, float | None]:
        before = traces.packets_between(run.attempts, node, run.begins_s + traces.FILLED_S, LOSSY_S[0])
        during = traces.packets_between(run.attempts, node, LOSSY_S[0] + traces.FILLED_S, LOSSY_S[1])
        queue = run.attempts.filter((pl.col("node") == node) & (pl.col("time_s") >= LOSSY_S[0]))["queue"]
        return {"rate_during": _ratio(during, before), "peak_queue": _most(queue)}

    return _each(results, of_run, ("rate_during", "peak_queue"))


def rerouted(results: Results) -> pl.DataFrame:
    """At the node whose next hop changes: rate_after: its packets/s, from QUICKLY_S after the change to the
    end of the transfer phase, over those before. rate_at_change: those of the seconds in between, over those
    before. queue_before, queue_after: the most packets in its queue in the QUICKLY_S before the change, and
    after."""
    node = str(source("indoor", REROUTED_AT))

    def of_run(run: traces.Run) -> Mapping[str, float | None]:
        calm = REROUTED_S + QUICKLY_S
        before = traces.packets_between(run.attempts, node, run.begins_s + traces.FILLED_S, REROUTED_S)
        at = traces.packets_between(run.attempts, node, REROUTED_S, calm)
        after = traces.packets_between(run.attempts, node, calm, run.ends_s - traces.FILLED_S)
        mine = run.attempts.filter(pl.col("node") == node)
        return {
            "rate_at_change": _ratio(at, before),
            "rate_after": _ratio(after, before),
            "queue_before": _most(
                mine.filter(pl.col("time_s").is_between(REROUTED_S - QUICKLY_S, REROUTED_S))["queue"]
            ),
            "queue_after": _most(mine.filter(pl.col("time_s").is_between(REROUTED_S, calm))["queue"]),
        }

    return _each(results, of_run, ("rate_at_change", "rate_after", "queue_before", "queue_after"))


def _each(
    results: Results, of_run: traces.OfRun[Mapping[str, float | None]], columns: Sequence[str]
) -> pl.DataFrame:
    """One row a run that carried anything."""
    rows: list[Mapping[str, object]] = [
        {**dict(zip(keys_of(results), run.key, strict=True)), **of_run(run)} for run in traces.runs(results)
    ]
    types = {name: results.runs.schema[name] for name in keys_of(results)}
    return pl.DataFrame(rows, schema=types | dict.fromkeys(columns, pl.Float64()))


def _most(values: pl.Series) -> float | None:
    return None if values.is_empty() else float(values.cast(pl.Float64).to_numpy().max())


def _over(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _ratio(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole
