"""Results with made-up metrics, for verdicts whose answer is known beforehand."""

from collections.abc import Mapping

import polars as pl

from penstock.metrics import METRICS
from penstock.results import Results
from small import small

CONTROL, LOAD = "congestion.control", "traffic.rate_pps"
Rows = Mapping[tuple[object, ...], Mapping[str, list[float]]]


def made_up(rows: Rows, keys: tuple[str, ...] = (CONTROL, LOAD), **changes: object) -> Results:
    """Results with these metrics, one value a seed, at each point.

    rows: {values of `keys`: {metric: values}}. changes: of the small scenario; its axes are `keys` with all
    values met, unless given.
    """
    frames: list[pl.DataFrame] = []
    for point, metrics in rows.items():
        count = len(next(iter(metrics.values())))
        columns = {name: metrics.get(name, [None] * count) for name in (*METRICS, *metrics)}
        here: dict[str, object] = {key: [value] * count for key, value in zip(keys, point, strict=True)}
        here["seed"] = list(range(1, count + 1))
        frames.append(pl.DataFrame(here | columns, schema_overrides=dict.fromkeys(columns, pl.Float64)))
    axes = {key: sorted({point[i] for point in rows}, key=str) for i, key in enumerate(keys)}
    scenario = small(**({"axes": axes} | changes))
    nothing = pl.DataFrame()
    return Results(scenario, list(scenario.axes), [1], pl.concat(frames), nothing, nothing, {})
