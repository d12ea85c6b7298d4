"""How near a network's sources come to the lexicographic max-min fair rates of the receiver-capacity model.

The bound is WRCP's own optimum: what its rates would be if everybody knew everything and rates were exact
(penstock.receiver_capacity for the constraints, penstock.max_min for the division). It is about links as the
unloaded network has them: no collisions, no external interference, acknowledgements that get through like
data, and as many attempts as it takes. Fewer attempts lose packets on the way; they may also spend less on
a packet that did arrive while its acknowledgement did not, so with them the bound is not quite one.

It bounds the vector, not each of its entries: another allocation may give one source more, but only by
giving less to one that has as little or less. So a source above its bound is no contradiction, and the least
source's share of its bound is the figure that tells most.

    bound = penstock.max_min_bound(scenario, network, seed=1, capacity=29.0)
    shares = penstock.achieved_over_bound(results, capacity=29.0)
    shares.group_by("congestion.control").agg(pl.col("achieved_over_bound_min").mean())
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock import _engine, axes
from penstock.errors import BadInput
from penstock.max_min import max_min
from penstock.plan import named, shape_of
from penstock.receiver_capacity import (
    BadTree,
    capacities,
    neighbourhood,
    paths,
    senders_in_range,
    usage,
)
from penstock.results import Results
from penstock.routes import Parents, parent_indices, run_parents, transmissions_to_parents, unloaded_links
from penstock.scenario import Scenario
from penstock.tables import axis_columns
from penstock.topology.build import build, decided_by
from penstock.topology.check import CONNECTED_PRR
from penstock.topology.network import Floats, Ints, Network
from penstock.world import flows_in, workload

Capacity = float | Sequence[float] | Mapping[str, float]
"""B_i in packets/s: of every node; by the number of senders in range (the last entry for more); by node."""
Routes = Literal["run", "etx"]
DECIDES_NO_BOUND = {"name", "description", "seeds", "confidence", "axes", "congestion", "application"}
"""Sections that may differ between runs of the same bound."""
EACH, MEDIAN, LEAST = "achieved_over_bound", "achieved_over_bound_median", "achieved_over_bound_min"


def max_min_bound(
    scenario: Scenario,
    network: Network,
    seed: int,
    capacity: Capacity,
    *,
    parents: Parents | None = None,
    least_prr: float = CONNECTED_PRR,
    weighted: bool = True,
) -> pl.DataFrame:
    """The max-min fair rates of a scenario's sources with one seed: one row a source, in topology order.

    scenario: without axes in use; its traffic says who is a source (whoever lives to the end) and what each
    asks for. network: penstock.topology.build.build(scenario). capacity: see Capacity.
    parents: the tree. By default the paths of least ETX over the unloaded network's true reception rates,
    among nodes that forward; a run's routes come near it, but its nodes estimate rates from the beacons that
    they heard, so of paths with about the same ETX they may take another one.
    least_prr: a node is no neighbour of one that hears less than this share of its frames, unless that is its
    parent. weighted: neighbours take capacity as their frames are heard (Eq. 4), else in full (Eq. 1).

    Columns: `node`, `parent_node` (labels), `demand_pps`, `bound_pps` (both packets/s; a source without a way
    to the sink has a bound of 0), `held_by` (label of the receiver whose capacity keeps the source from more;
    null where it has all that it asks for, and where it has no way).

    Raises BadInput for a capacity that is not positive, unknown or missing nodes, routes that loop or use a
    link over which nothing gets through, and a scenario without sources.
    """
    spec, links = unloaded_links(scenario, network, seed)
    tree = shape_of(scenario, network, seed).parent if parents is None else parent_indices(parents, network)
    demands = _demands(spec)
    sources = np.flatnonzero(workload(spec, scenario).sources & (demands > 0))
    if not sources.size:
        raise BadInput("the scenario asks no node for packets, so there is nothing to divide")
    heard = neighbourhood(
        len(network),
        links["src"],
        links["dst"],
        links["prr"],
        least=_share(least_prr),
        weighted=weighted,
        parents=tree,
    )
    try:
        sent = paths(tree, network.sink)[:, sources]
        use = usage(tree, network.sink, heard, transmissions_to_parents(links, tree))[:, sources]
    except BadTree as error:
        raise BadInput(f"parents: node {network.labels[error.node]} {error.fault}") from None
    limits = _capacities(capacity, network, senders_in_range(sent, heard))
    reached = sent.any(axis=0)
    rates = np.zeros(len(sources))
    held_by = np.full(len(sources), -1, dtype=np.int32)
    if reached.any():
        found = max_min(use[:, reached], limits, demands[sources[reached]])
        rates[reached], held_by[reached] = found.rates, found.held_by
    return pl.DataFrame(
        {
            "node": _labels(sources, network),
            "parent_node": _labels(tree[sources], network),
            "demand_pps": demands[sources],
            "bound_pps": rates,
            "held_by": _labels(held_by, network),
        },
        schema_overrides=dict.fromkeys(("node", "parent_node", "held_by"), pl.String),
    )


def sources_over_bound(
    results: Results,
    capacity: Capacity,
    *,
    routes: Routes = "run",
    least_prr: float = CONNECTED_PRR,
    weighted: bool = True,
) -> pl.DataFrame:
    """What each source of each run got, beside its bound: one row a source and run.

    routes: "run", the routes that the run had at its end (`routing.pin` keeps them the same all through), so
    that the bound is that of the tree the protocol had to live with; "etx", the default of max_min_bound, so
    that runs with different routes meet the same bound. The others: as in max_min_bound.

    Columns: one per axis, `seed`, those of max_min_bound, `throughput_pps` (delivered at the sink) and
    `achieved_over_bound`, the ratio of the two (null where the bound is 0: no way to the sink).

    Raises BadInput as max_min_bound does, and when a topology file is not where the scenario says.
    """
    if routes not in get_args(Routes):
        raise BadInput(f'routes is "{routes}" but should be one of {", ".join(get_args(Routes))}')
    points = axes.expand(results.scenario)
    networks: dict[str, Network] = {}
    bounds: dict[tuple[object, ...], pl.DataFrame] = {}
    found: list[pl.DataFrame] = []
    for point in points:
        place = decided_by(point.scenario)
        if place not in networks:
            networks[place] = build(point.scenario)
        asked = point.scenario.model_dump_json(exclude=DECIDES_NO_BOUND)
        columns = axis_columns(points, point.index)
        here = [pl.col(key) == value for key, value in zip(point.axes, columns, strict=True)]
        for (seed,), nodes in results.nodes.filter(*here).group_by("seed", maintain_order=True):
            parents = run_parents(nodes) if routes == "run" else None
            which = (asked, seed, None if parents is None else tuple(parents.items()))
            if which not in bounds:
                bounds[which] = max_min_bound(
                    point.scenario,
                    networks[place],
                    int(cast(int, seed)),
                    capacity,
                    parents=parents,
                    least_prr=least_prr,
                    weighted=weighted,
                )
            got = nodes.select(*point.axes, "seed", "node", "throughput_pps")
            # The bound's sources in their order, with what they got.
            found.append(bounds[which].join(got, on="node", how="left", maintain_order="left"))
    if not found:
        raise BadInput("the results hold no finished run")
    ratio = pl.when(pl.col("bound_pps") > 0).then(pl.col("throughput_pps") / pl.col("bound_pps"))
    order = [*results.axes, "seed", *found[0].columns[:5], "throughput_pps"]
    return pl.concat(found).select(*order, ratio.alias(EACH))


def achieved_over_bound(
    results: Results,
    capacity: Capacity,
    *,
    routes: Routes = "run",
    least_prr: float = CONNECTED_PRR,
    weighted: bool = True,
) -> pl.DataFrame:
    """How near each run came to its bound: one row a run, columns for the axes, `seed`, `sources`,
    `without_way` (sources without a way to the sink, which do not count in what follows),
    `achieved_over_bound_median` and `achieved_over_bound_min` over the sources (null where none counts).

    Parameters and errors: as in sources_over_bound.
    """
    each = sources_over_bound(results, capacity, routes=routes, least_prr=least_prr, weighted=weighted)
    return each.group_by(*results.axes, "seed", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("sources"),
        pl.col(EACH).is_null().sum().cast(pl.Int64).alias("without_way"),
        pl.col(EACH).median().alias(MEDIAN),
        pl.col(EACH).min().alias(LEAST),
    )


def _demands(spec: _engine.WorldSpec) -> Floats:
    """(N,) readings per second that each node is asked for; infinite for backlogged flows."""
    asked = np.asarray(spec.rate_pps) + np.asarray(spec.event_packets) / spec.event_period_s
    flows = flows_in(spec)
    if np.any(flows.start_s > 0) or np.any(flows.stop_s < spec.measure_s) or np.any(flows.packets > 0):
        raise BadInput(
            "traffic.flows: flows that come and go have no one bound; it is about flows that all last as "
            "long as the measurement"
        )
    asked[flows.source] = np.where(flows.rate_pps > 0, flows.rate_pps, np.inf)
    return asked


def _capacities(capacity: Capacity, network: Network, senders: Ints) -> Floats:
    if isinstance(capacity, Mapping):
        for name in capacity:
            if name not in network.labels:
                raise BadInput(f"capacity: there is no node {name} in this topology")
        missing = [label for label in network.labels if label not in capacity]
        if missing:
            raise BadInput(f"capacity: none is given for node {named(missing)}")
        # A table like the other one, read at each node's own place.
        table = [capacity[label] for label in network.labels]
        senders = np.arange(1, len(network) + 1, dtype=np.int32)
    else:
        table = capacity
    try:
        return capacities(table, senders)
    except ValueError as error:
        raise BadInput(f"capacity: {error}") from None


def _labels(indices: NDArray[Any], network: Network) -> list[str | None]:
    return [network.labels[i] if i >= 0 else None for i in indices]


def _share(least: float) -> float:
    if not 0 <= least <= 1:
        raise BadInput(f"least_prr is {least:g} but should be from 0 to 1")
    return least
