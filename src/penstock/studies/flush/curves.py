"""Curves of the study's figures: over hops, and over time."""

from collections.abc import Callable, Sequence

import polars as pl

from penstock.studies.claim import Sample
from penstock.studies.figure import Curve
from penstock.studies.flush import traces
from penstock.studies.flush.samples import FIXED_30, NAMES
from penstock.studies.flush.world import MODE, source
from penstock.studies.judge import measured
from penstock.studies.section import Loaded

SEED = 1
"""Of figures that show one run."""
TRACE_NAMES = NAMES | {"fixed": FIXED_30}
Curves = Callable[[Loaded], Sequence[Curve]]
OverHops = tuple[str, Callable[[int], Sample]]


def over_hops(depths: Sequence[int], *lines: OverHops) -> Curves:
    """Means with their intervals, a line for each (name, its sample at so many hops)."""

    def made(tables: Loaded) -> list[Curve]:
        curves: list[Curve] = []
        for name, of in lines:
            found = [(depth, measured(of(depth), tables)) for depth in depths]
            known = [(depth, value) for depth, value in found if value is not None and value.count]
            if known:
                xs = [float(depth) for depth, _ in known]
                curves.append(
                    Curve(
                        name,
                        xs,
                        [value.mean for _, value in known],
                        [value.low for _, value in known],
                        [value.high for _, value in known],
                    )
                )
        return curves

    return made


def constant(name: str, depths: Sequence[int], value: float) -> Curves:
    """A level that is known beforehand."""
    return lambda tables: [Curve(name, [float(d) for d in depths], [value] * len(depths))] if tables else []


def all_of(*parts: Curves) -> Curves:
    """The curves of all parts, in their order."""
    return lambda tables: [curve for part in parts for curve in part(tables)]


def rates_of(experiment: str, hops: int | None, modes: Sequence[str]) -> Curves:
    """Packets/s over time of one node: so many hops from the sink, or in the middle of the way."""

    def made(tables: Loaded) -> list[Curve]:
        curves: list[Curve] = []
        for mode, run in _shown(tables, experiment, modes):
            node = run.way[len(run.way) // 2] if hops is None else str(source("indoor", hops))
            times, rate = traces.rates(run.attempts, node, run.begins_s, run.ends_s)
            curves.append(Curve(TRACE_NAMES[mode], times.tolist(), rate.tolist()))
        return curves

    return made


def queues_of(experiment: str, hops: int, modes: Sequence[str]) -> Curves:
    """Packets in the queue of one node over time."""

    def made(tables: Loaded) -> list[Curve]:
        curves: list[Curve] = []
        for mode, run in _shown(tables, experiment, modes):
            times, queue = traces.queue_at(run.attempts, str(source("indoor", hops)))
            curves.append(Curve(TRACE_NAMES[mode], times.tolist(), queue.tolist()))
        return curves

    return made


def longest_queues(experiment: str, modes: Sequence[str]) -> Curves:
    """The longest queue on the way, packet by packet."""

    def made(tables: Loaded) -> list[Curve]:
        curves: list[Curve] = []
        for mode, run in _shown(tables, experiment, modes):
            queue = traces.longest_queue(run).tolist()
            curves.append(Curve(TRACE_NAMES[mode], list(map(float, range(len(queue)))), queue))
        return curves

    return made


def ripples(experiment: str, mode: str, nodes: int, share: tuple[float, float]) -> Curves:
    """Queues of the nodes next to the source, for a part of the transfer phase."""

    def made(tables: Loaded) -> list[Curve]:
        curves: list[Curve] = []
        for _, run in _shown(tables, experiment, (mode,)):
            start, stop = (run.begins_s + part * (run.ends_s - run.begins_s) for part in share)
            inside = run.attempts.filter(pl.col("time_s").is_between(start, stop))
            for at, node in enumerate(run.way[1 : nodes + 1], 1):
                times, queue = traces.queue_at(inside, node)
                curves.append(Curve(f"{len(run.way) - at} hops", times.tolist(), queue.tolist()))
        return curves

    return made


def rates_of_all(experiment: str, mode: str) -> Curves:
    """Packets/s over time of every node that was on the way."""

    def made(tables: Loaded) -> list[Curve]:
        curves: list[Curve] = []
        for _, run in _shown(tables, experiment, (mode,)):
            for node in run.way:
                times, rate = traces.rates(run.attempts, node, run.begins_s, run.ends_s)
                curves.append(Curve(f"node {node}", times.tolist(), rate.tolist()))
        return curves

    return made


def _shown(tables: Loaded, experiment: str, modes: Sequence[str]) -> list[tuple[str, traces.Run]]:
    """The run of each mode that is drawn."""
    results, _ = tables[experiment]
    names = [*results.axes, "seed"]
    found = {
        str(dict(zip(names, run.key, strict=True))[MODE]): run
        for run in traces.runs(results)
        if dict(zip(names, run.key, strict=True))["seed"] == SEED
    }
    return [(mode, found[mode]) for mode in modes if mode in found]
