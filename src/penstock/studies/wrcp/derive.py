"""Numbers of each run that the paper speaks of and no general metric tells."""

from collections.abc import Mapping, Sequence

import polars as pl

from penstock import _engine, axes, lexicographic
from penstock.bound import LEAST, MEDIAN, Routes, achieved_over_bound
from penstock.results import Results
from penstock.studies.derived import Derive
from penstock.studies.sources import by_source
from penstock.studies.wrcp import series, transmissions
from penstock.studies.wrcp.paper import EQUAL, IFRC, WRCP
from penstock.studies.wrcp.world import ALPHA_KEY, CONTROL, PAYLOAD_BYTES
from penstock.tables import axis_columns
from penstock.topology.build import build
from penstock.topology.network import Floats, Network
from penstock.world import unloaded_spec

RATE = "allowed_rate_pps"


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


def sources(results: Results) -> pl.DataFrame:
    """least_goodput_pps: of the source that gets least. source_delay_s: mean over the sources of the mean
    end-to-end delay of their packets (8.2)."""
    return (
        by_source(results)
        .group_by(keys_of(results), maintain_order=True)
        .agg(
            pl.col("goodput_pps").min().alias("least_goodput_pps"),
            pl.col("delay_mean_s").mean().alias("source_delay_s"),
        )
    )


def versus_ifrc(results: Results) -> pl.DataFrame:
    """WRCP's run against IFRC's with the same seed, source by source.

    at_least_ifrc: 1 where the packets delivered of the sources are lexicographically at least IFRC's, entries
    within EQUAL taken for equal; else 0. sources_at_least_ifrc: share of the sources that deliver at least as
    much, within EQUAL. sources_faster_than_ifrc: share whose packets have a lower mean delay; a source of
    which one of both delivers nothing does not count.
    """
    shared = [key for key in keys_of(results) if key != CONTROL]
    each = by_source(results)
    mine, other = (each.filter(pl.col(CONTROL) == name) for name in (WRCP, IFRC))
    pairs = mine.join(other.drop(CONTROL), on=[*shared, "source"], suffix="_ifrc", maintain_order="left")
    found = pairs.group_by([CONTROL, *shared], maintain_order=True).agg(
        (pl.col("delivered") >= (1 - EQUAL) * pl.col("delivered_ifrc")).mean().alias("sources_at_least_ifrc"),
        (pl.col("delay_mean_s") < pl.col("delay_mean_s_ifrc")).mean().alias("sources_faster_than_ifrc"),
        pl.col("delivered", "delivered_ifrc"),
    )
    order = [
        float(lexicographic.at_least(mine, other, EQUAL))
        for mine, other in found.select("delivered", "delivered_ifrc").iter_rows()
    ]
    found = found.with_columns(pl.Series("at_least_ifrc", order, dtype=pl.Float64))
    return found.drop("delivered", "delivered_ifrc").select(*keys_of(results), pl.exclude(keys_of(results)))


def rates(results: Results) -> pl.DataFrame:
    """convergence_s: the median source's (series.convergence_s) of its allowed rate. rate_variance: mean over
    the sources of the variance of the allowed rate over the second half of the run, when its beginning is
    over, in (packets/s)². mean_rate_pps: mean over sources and that half."""
    half = results.scenario.time.measure_s / 2
    rows = results.series.filter(pl.col(RATE).is_not_null() & pl.col("node").is_in(_sources(results)))
    found: list[Mapping[str, object]] = []
    for key, run in rows.group_by(keys_of(results), maintain_order=True):
        each = [_of_node(node) for _, node in run.group_by("node", maintain_order=True)]
        found.append(
            dict(zip(keys_of(results), key, strict=True))
            | {
                "convergence_s": _median([series.convergence_s(*node) for node in each]),
                "rate_variance": _mean([series.variance(*node, half) for node in each]),
                "mean_rate_pps": _mean([series.mean_between(*node, half, float("inf")) for node in each]),
            }
        )
    return _framed(results, found, ("convergence_s", "rate_variance", "mean_rate_pps"))


def gamma(results: Results) -> pl.DataFrame:
    """gamma: transmissions of a packet to the next hop, acknowledgements counted, mean over the nodes that
    sent any (section 5). gamma_expected: the same from the rates of the unloaded network's links by its
    formula, each node's links weighed by the packets that crossed them. gamma_over_expected: their ratio."""
    names = keys_of(results)
    counted = results.links.group_by(*names, "src", maintain_order=True).agg(
        transmissions.COUNTED.alias("gamma")
    )
    expected = (
        _expected(results)
        .group_by(*names, "src", maintain_order=True)
        .agg(((pl.col("gamma") * pl.col("acked")).sum() / pl.col("acked").sum()).alias("gamma_expected"))
    )
    both = counted.join(expected, on=[*names, "src"], maintain_order="left").filter(
        pl.col("gamma_expected").is_finite()
    )
    means = both.group_by(names, maintain_order=True).agg(pl.col("gamma", "gamma_expected").mean())
    return means.with_columns(gamma_over_expected=pl.col("gamma") / pl.col("gamma_expected"))


def bounded(routes: Routes) -> Derive:
    """bound_least, bound_median: of the sources' shares of the max-min fair rates (penstock.bound), with the
    capacities that WRCP itself goes by.

    routes: "run", of the run's own tree; "etx", of the least ETX, where routes that move may be in a loop at
    the end.
    """

    def derive(results: Results) -> pl.DataFrame:
        found = achieved_over_bound(results, results.scenario.congestion.wrcp_capacity_pps, routes=routes)
        shares = (pl.col(LEAST).alias("bound_least"), pl.col(MEDIAN).alias("bound_median"))
        return found.select(*keys_of(results), *shares)

    return derive


def saturated(results: Results) -> pl.DataFrame:
    """frames_pps: data frames that arrive at the sink, repeated ones too. senders: how many there were."""
    names = keys_of(results)
    rate = pl.col("receptions") / results.scenario.time.measure_s
    frames = results.nodes.filter("sink").select(*names, rate.alias("frames_pps"))
    count = results.nodes.group_by(names, maintain_order=True).agg(
        (pl.len().cast(pl.Float64) - 1).alias("senders")
    )
    return frames.join(count, on=names, maintain_order="left")


def energy(results: Results) -> pl.DataFrame:
    """energy_per_bit_uj: of all radios, over the payload that arrived, in microjoules a bit."""
    payload = pl.col("delivered") * 8 * PAYLOAD_BYTES
    used = pl.when(payload > 0).then(1e6 * pl.col("energy_j") / payload)
    return results.runs.select(*keys_of(results), used.alias("energy_per_bit_uj"))


def packets(**wanted: tuple[int, ...]) -> Derive:
    """For each name: packets that a flow of these sources delivers, mean over them."""

    def derive(results: Results) -> pl.DataFrame:
        names = keys_of(results)
        frame = results.runs.select(names)
        for name, nodes in wanted.items():
            mine = results.flows.filter(pl.col("source").is_in([str(node) for node in nodes]))
            mean = mine.group_by(names, maintain_order=True).agg(pl.col("delivered").mean().alias(name))
            frame = frame.join(mean, on=names, how="left", maintain_order="left")
        return frame

    return derive


def stability(results: Results) -> pl.DataFrame:
    """Read off a sweep over α: every seed has these, told at each of its points.

    alpha_bound: 2/Γ, Γ being the mean of what was counted over the α up to 2/Γ of the least one. Of the mean
    variance of the rates and of the mean delay over all α beyond that bound and those within it:
    variance_rise, delay_rise: the ratio. variance_knee: the α at which the variance rises (series.knee).
    knee_over_bound: over alpha_bound. Needs the numbers of `rates`, `gamma` and `sources`.
    """
    names = keys_of(results)
    frame = results.runs.select(names)
    for part in (rates, gamma, sources):
        frame = frame.join(part(results), on=names, how="left", maintain_order="left")
    others = [key for key in names if key != ALPHA_KEY]
    found: list[Mapping[str, object]] = []
    for key, sweep in frame.sort(ALPHA_KEY).group_by(others, maintain_order=True):
        least = float(sweep["gamma"][0])
        limit = 2 / float(_column(sweep.filter(pl.col(ALPHA_KEY) <= 2 / least), "gamma").mean())
        beyond = _column(sweep, ALPHA_KEY) > limit
        variance, delay = _column(sweep, "rate_variance"), _column(sweep, "source_delay_s")
        knee = series.knee(_column(sweep, ALPHA_KEY), variance)
        known = beyond.any() and not beyond.all()
        found += [
            dict(zip(others, key, strict=True))
            | {
                ALPHA_KEY: alpha,
                "alpha_bound": limit,
                "variance_rise": float(variance[beyond].mean() / variance[~beyond].mean()) if known else None,
                "delay_rise": float(delay[beyond].mean() / delay[~beyond].mean()) if known else None,
                "variance_knee": knee,
                "knee_over_bound": knee / limit,
            }
            for alpha in sweep[ALPHA_KEY].to_list()
        ]
    columns = ("alpha_bound", "variance_rise", "delay_rise", "variance_knee", "knee_over_bound")
    return _framed(results, found, columns)


def during(parts: dict[str, tuple[float, float]], before: tuple[float, float]) -> Derive:
    """For each name, how much of what the sources got `before` they get in another interval, all together:
    NAME of packets delivered, allowed_NAME of their allowed rates. Seconds from the beginning."""

    def derive(results: Results) -> pl.DataFrame:
        rows = results.series.filter(pl.col("node").is_in(_sources(results)))
        found: list[Mapping[str, object]] = []
        for key, run in rows.group_by(keys_of(results), maintain_order=True):
            usual = _flowing(run, before)
            shares: dict[str, object] = dict(zip(keys_of(results), key, strict=True))
            for name, interval in parts.items():
                now = _flowing(run, interval)
                shares[name] = now[0] / usual[0] if usual[0] else None
                shares[f"allowed_{name}"] = now[1] / usual[1] if usual[1] else None
            found.append(shares)
        return _framed(results, found, (*parts, *(f"allowed_{name}" for name in parts)))

    return derive


def _flowing(run: pl.DataFrame, interval: tuple[float, float]) -> tuple[float, float]:
    """(packets/s delivered of all sources, mean allowed rate) between two moments."""
    kept = run.filter(pl.col("time_s").round(6).is_between(*interval))
    gained = kept.group_by("node").agg(pl.col("delivered").cast(pl.Float64).max() - pl.col("delivered").min())
    allowed = kept[RATE].mean()
    lasted = interval[1] - interval[0]
    return float(gained["delivered"].sum()) / lasted, float(allowed) if isinstance(allowed, float) else 0.0


def _expected(results: Results) -> pl.DataFrame:
    """The links of every run with Γ from the unloaded network's rates."""
    points = axes.expand(results.scenario)
    networks: dict[str, Network] = {}
    frames: list[pl.DataFrame] = []
    for point in points:
        place = point.scenario.topology.model_dump_json()
        if place not in networks:
            networks[place] = build(point.scenario)
        network = networks[place]
        index = {label: i for i, label in enumerate(network.labels)}
        columns = axis_columns(points, point.index)
        here = results.links.filter(
            *(pl.col(key) == value for key, value in zip(point.axes, columns, strict=True))
        )
        for (seed,), links in here.group_by("seed", maintain_order=True):
            found = _engine.link_prr(unloaded_spec(point.scenario, network, int(str(seed))))
            known = transmissions.expected_by_link(len(network), found)
            pairs = zip(links["src"].to_list(), links["dst"].to_list(), strict=True)
            values = [known.get((index[src], index[dst]), float("inf")) for src, dst in pairs]
            frames.append(links.with_columns(pl.Series("gamma", values, dtype=pl.Float64)))
    return pl.concat(frames) if frames else results.links.with_columns(gamma=pl.lit(None, pl.Float64))


def _sources(results: Results) -> list[str]:
    return results.flows["source"].unique().sort().to_list() if not results.flows.is_empty() else []


def _of_node(rows: pl.DataFrame) -> tuple[Floats, Floats]:
    return _column(rows, "time_s"), _column(rows, RATE)


def _column(rows: pl.DataFrame, name: str) -> Floats:
    return rows[name].cast(pl.Float64).to_numpy()


def _mean(values: list[float]) -> float | None:
    return pl.Series(values, dtype=pl.Float64).fill_nan(None).mean()  # pyright: ignore[reportReturnType]


def _median(values: list[float]) -> float | None:
    return pl.Series(values, dtype=pl.Float64).fill_nan(None).median()  # pyright: ignore[reportReturnType]


def _framed(results: Results, rows: Sequence[Mapping[str, object]], columns: tuple[str, ...]) -> pl.DataFrame:
    """Rows as a frame whose keys have the types of the table of runs, also without any row."""
    types = {name: results.runs.schema[name] for name in keys_of(results)}
    schema = types | dict.fromkeys(columns, pl.Float64())
    return pl.DataFrame(rows, schema=schema) if rows else pl.DataFrame(schema=schema)


RIVALS: Derive = together(sources, versus_ifrc, rates, gamma)
"""Of experiments that compare WRCP with IFRC."""
