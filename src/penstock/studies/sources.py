"""What each source of a run got, all its flows together."""

import polars as pl

from penstock.results import Results

COLUMNS = ("delivered", "goodput_pps", "delay_mean_s")


def by_source(results: Results) -> pl.DataFrame:
    """One row a source and run: the axes, `seed`, `source` (label), `active_s` (how long it had a flow),
    `delivered` (packets), `goodput_pps` (over the time it was active) and `delay_mean_s` (of the packets that
    arrived; null where none did). Empty where the workload has no flows."""
    flows = results.flows
    if flows.is_empty():
        return flows
    delivered, active = pl.col("delivered").sum(), (pl.col("stop_s") - pl.col("start_s")).sum()
    waited = (pl.col("delay_mean_s").fill_null(0.0) * pl.col("delivered")).sum()
    return flows.group_by(*results.axes, "seed", "source", maintain_order=True).agg(
        active.alias("active_s"),
        delivered.alias("delivered"),
        (delivered / active).alias("goodput_pps"),
        pl.when(delivered > 0).then(waited / delivered).alias("delay_mean_s"),
    )
