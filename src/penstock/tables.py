"""The tables of an experiment: one run's as bytes for the journal, all runs' as data frames."""

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from penstock import _engine
from penstock.axes import Point
from penstock.flows import FLOW_METRICS, Flows, flow_metrics, flow_table
from penstock.journal import RunTables
from penstock.metrics import METRICS, Workload, check_conservation, node_imbalance, run_metrics
from penstock.topology.network import Network
from penstock.transfers import TRANSFER_METRICS, bulk_table, transfer_metrics, transfer_table

METRIC_NAMES = tuple(dict.fromkeys((*METRICS, *FLOW_METRICS, *TRANSFER_METRICS)))
OPTIONAL = {"flows": "source", "series": "node", "transfers": "source", "bulk": "node"}
"""Tables that only some runs have, by their names in RunTables and Frames, with the column that is a node."""
RATE_ONE, NO_LIMIT = 65_536, 2**32 - 1
"""One packet/s, and what stands for none of it, in penstock_allowed_rate."""


def run_tables(
    records: _engine.RunRecords, workload: Workload, flows: Flows | None = None, settle_s: float = 0.0
) -> RunTables:
    """What is kept of a run of `flows`, whose measurement began at `settle_s`. Raises ValueError when a
    packet has not exactly one fate."""
    check_conservation(records)
    nodes = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in records.nodes.items()})
    nodes = nodes.fill_nan(None).with_columns(
        pl.Series("throughput_pps", records.nodes["delivered"] / workload.measure_s),
        pl.Series("imbalance", node_imbalance(records, workload.sink), nan_to_null=True),
    )
    links = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in records.links.items()})
    metrics = run_metrics(records, workload)
    each = samples = transfers = bulk = b""
    if flows is not None and len(flows):
        table = flow_table(flows, records.packets, settle_s, records.totals["payload_bytes"])
        metrics |= flow_metrics(table)
        each = _packed(table)
    if len(records.samples["time_ns"]):
        samples = _packed(_series(records, settle_s))
    if len(records.transfers["source"]):
        table = transfer_table(records.transfers, settle_s)
        metrics |= transfer_metrics(table)
        transfers = _packed(table)
    if len(records.bulk["time_ns"]):
        bulk = _packed(bulk_table(records.bulk, settle_s))
    return RunTables(metrics, _packed(nodes), _packed(links), each, samples, transfers, bulk)


def _series(records: _engine.RunRecords, settle_s: float) -> pl.DataFrame:
    columns = {name: np.ascontiguousarray(column) for name, column in records.samples.items()}
    time_s = (columns.pop("time_ns") - round(settle_s * 1e9)) * 1e-9
    allowed = columns.pop("allowed")
    rate = np.where(allowed == NO_LIMIT, np.nan, allowed / RATE_ONE)
    series = pl.DataFrame({"time_s": time_s, **columns})
    return series.with_columns(pl.Series("allowed_rate_pps", rate, nan_to_null=True))


@dataclass(frozen=True)
class Frames:
    """The frames of penstock.Results; from `flows` on empty where no run has any."""

    runs: pl.DataFrame
    nodes: pl.DataFrame
    links: pl.DataFrame
    flows: pl.DataFrame
    series: pl.DataFrame
    transfers: pl.DataFrame
    bulk: pl.DataFrame


def assembled(
    points: Sequence[Point],
    networks: Sequence[Network],
    runs: Iterable[tuple[int, int, RunTables]],
) -> Frames:
    """The frames from the kept runs, in their order; at least one.

    points, networks: the grid and each point's network. runs: (point, seed, tables).
    """
    rows: list[pl.DataFrame] = []
    node_rows: list[pl.DataFrame] = []
    link_rows: list[pl.DataFrame] = []
    optional: dict[str, list[pl.DataFrame]] = {name: [] for name in OPTIONAL}
    for point, seed, tables in runs:
        keys = [*axis_columns(points, point), pl.lit(seed, pl.Int64).alias("seed")]
        names = [name for name in METRIC_NAMES if name in tables.metrics]
        metrics = {name: [tables.metrics[name]] for name in names}
        row = pl.DataFrame(metrics, schema=dict.fromkeys(names, pl.Float64))
        rows.append(row.fill_nan(None).select(*keys, pl.all()))
        node_rows.append(_named_nodes(_unpacked(tables.nodes), networks[point]).select(*keys, pl.all()))
        link_rows.append(_named_links(_unpacked(tables.links), networks[point]).select(*keys, pl.all()))
        for name, column in OPTIONAL.items():
            if packed := getattr(tables, name):
                frame = _named(_unpacked(packed), column, networks[point])
                optional[name].append(frame.select(*keys, pl.all()))
    # Only some points of a grid may have flows: their metrics are null elsewhere.
    return Frames(
        pl.concat(rows, how="diagonal"),
        pl.concat(node_rows),
        pl.concat(link_rows),
        **{name: pl.concat(frames) if frames else pl.DataFrame() for name, frames in optional.items()},
    )


def axis_columns(points: Sequence[Point], at: int) -> list[pl.Expr]:
    """One column per axis with the value at point `at`, of one type over the whole grid.

    Numbers stay numbers; a value that is a list is written as JSON.
    """
    columns: list[pl.Expr] = []
    for key, value in points[at].axes.items():
        kinds = {type(point.axes[key]) for point in points}
        if kinds == {bool}:
            literal = pl.lit(value, pl.Boolean)
        elif kinds == {int}:
            literal = pl.lit(value, pl.Int64)
        elif kinds <= {int, float}:
            literal = pl.lit(value, pl.Float64)
        else:
            literal = pl.lit(value if isinstance(value, str) else json.dumps(value), pl.String)
        columns.append(literal.alias(key))
    return columns


def _named_nodes(frame: pl.DataFrame, network: Network) -> pl.DataFrame:
    count = len(network)
    known = len(network.positions) == count
    places = network.positions if known else np.full((count, 2), np.nan)
    return frame.select(
        pl.Series("node", network.labels),
        pl.Series("index", np.arange(count, dtype=np.int32)),
        pl.Series("sink", np.arange(count) == network.sink),
        pl.Series("x_m", places[:, 0], nan_to_null=True),
        pl.Series("y_m", places[:, 1], nan_to_null=True),
        _label(frame["parent"], network.labels).alias("parent_node"),
        pl.all(),
    )


def _named_links(frame: pl.DataFrame, network: Network) -> pl.DataFrame:
    return frame.with_columns(
        _label(frame["src"], network.labels).alias("src"), _label(frame["dst"], network.labels).alias("dst")
    )


def _named(frame: pl.DataFrame, column: str, network: Network) -> pl.DataFrame:
    """The frame with the labels of the nodes whose indices a column has."""
    return frame.with_columns(_label(frame[column], network.labels).alias(column))


def _label(indices: pl.Series, labels: list[str]) -> pl.Series:
    """Names for node indices; null for -1."""
    order: list[int] = indices.to_list()
    return pl.Series([labels[i] if i >= 0 else None for i in order], dtype=pl.String)


def _packed(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_ipc(buffer, compression="zstd")
    return buffer.getvalue()


def _unpacked(data: bytes) -> pl.DataFrame:
    return pl.read_ipc(io.BytesIO(data))


def metrics_by_point(
    points: Sequence[Point], runs: Iterable[tuple[int, int, RunTables]]
) -> list[tuple[Mapping[str, object], list[Mapping[str, float]]]]:
    """(axes, metrics of the runs in seed order) of each point of the grid."""
    grouped: dict[int, list[Mapping[str, float]]] = {point.index: [] for point in points}
    for point, _, tables in runs:
        grouped[point].append(tables.metrics)
    return [(point.axes, grouped[point.index]) for point in points]
