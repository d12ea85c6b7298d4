"""Bulk transfers: a table of what each took, and figures where something was swept."""

from collections.abc import Sequence

import polars as pl

from penstock.report.chart import Chart
from penstock.report.curves import curves_of, line_name
from penstock.report.grid import Grid
from penstock.report.tables import Cell, Row, Table
from penstock.report.words import TRANSFER_MEASURES, axis_value, count, joined, number, percent

MOST_ROWS = 80
"""A longer table nobody reads; transfers.parquet has it all."""


def transfer_charts(grid: Grid, transfers: pl.DataFrame) -> list[Chart]:
    """One figure a measure of transfers, as those of sensor data; empty without transfers, or with one point
    alone."""
    if transfers.is_empty() or grid.is_single:
        return []
    return curves_of(grid, TRANSFER_MEASURES)


def transfer_table(grid: Grid, transfers: pl.DataFrame) -> Table | None:
    """One row a transfer at each value of the horizontal axis, one column a line; None without transfers, or
    with more rows than a reader would read."""
    if transfers.is_empty():
        return None
    rows: list[Row] = []
    for x in grid.x_values or [None]:
        frames = [grid.select(transfers, value, x) for value in grid.line_values]
        for transfer in sorted({at for frame in frames for at in frame["transfer"].to_list()}):
            each = [frame.filter(pl.col("transfer") == transfer) for frame in frames]
            rows.append((_row_name(grid, x, each), [_size(each), *map(_cell, each)]))
    if len(rows) > MOST_ROWS:
        return None
    return Table(
        "transfers",
        "Bytes per second of each transfer, from the sink's question to the end of its check; small: how "
        "long that was, what share of its packets had to be sent again after the transfer phase, and in how "
        "many rounds of questions. Means over seeds.",
        [
            "Source",
            "Object",
            *(line_name(grid, value) if grid.lines else "measured" for value in grid.line_values),
        ],
        rows,
    )


def _row_name(grid: Grid, x: float | None, each: Sequence[pl.DataFrame]) -> str:
    """ "node 79, 48 hops", with the value of the horizontal axis where that is not the source."""
    rows = pl.concat(each)
    source = rows["source"].to_list()[0]
    hops = sorted({int(hop) for hop in rows["hops"].drop_nulls().to_list()})
    far = f", {joined([str(hop) for hop in hops], 'or')} {'hop' if hops == [1] else 'hops'}" if hops else ""
    where = f"{axis_value(grid.x, x)}: " if grid.x not in (None, "bulk.source") and x is not None else ""
    return f"{where}node {source}{far}"


def _size(each: Sequence[pl.DataFrame]) -> Cell:
    sizes = sorted({int(size) for frame in each for size in frame["bytes"].to_list()})
    return Cell(joined([f"{size:,}" for size in sizes], "or") + " bytes")


def _cell(frame: pl.DataFrame) -> Cell:
    if frame.is_empty():
        return Cell("–")
    failed = frame.filter(~pl.col("same_bytes"))
    done = frame.filter(pl.col("same_bytes"))
    reasons = ", ".join(dict.fromkeys(str(outcome) for outcome in failed["outcome"].to_list()))
    if done.is_empty():
        return Cell(f"failed: {reasons}")
    lost = _mean(done["transfer_loss_rate"])
    below = (
        f"{number(_mean(done['completion_s']), 3)} s, {percent(float(f'{lost:.3g}'))} again, "
        f"{number(_mean(done['rounds']))} rounds"
    )
    if len(failed):
        below += f"; failed in {count(len(failed), 'seed')} of {len(frame)}: {reasons}"
    return Cell(f"{number(_mean(done['overall_Bps']), 3)} B/s", below)


def _mean(column: pl.Series) -> float:
    return float(column.to_numpy().mean())
