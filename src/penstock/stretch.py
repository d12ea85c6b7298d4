"""How good the trees of an experiment are: expected transmissions along a run's routes, against the fewest
there could be.

    quality = penstock.tree_quality(results)
    quality.group_by("routing.kind").agg(pl.col("stretch").mean())

Links are those of the unloaded network, as in penstock.bound: a tree is judged by what its links are, not by
what load makes of them, and an acknowledgement gets through like data. A run's tree is that of its end;
`routing.pin` keeps it the same all through.
"""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock import axes
from penstock.errors import BadInput
from penstock.plan import shape_of
from penstock.receiver_capacity import paths
from penstock.results import Results
from penstock.routes import parent_indices, run_parents, transmissions_to_parents, unloaded_links
from penstock.tables import axis_columns
from penstock.topology.build import build
from penstock.topology.network import Floats, Ints, Network

USEFUL_ETX = 16.0
"""A link that takes more transmissions than this for one packet is none: no routing here would choose it if
it knew (link_estimator.h)."""


def path_etx(links: Mapping[str, NDArray[Any]], tree: Ints, sink: int) -> Floats:
    """(N,) expected transmissions from each node to the sink; infinite where the tree has no way, or one over
    a link of more than USEFUL_ETX; 0 at the sink.

    links: `src`, `dst`, `prr` of each direction; tree: (N,) index of each node's next hop, -1 for none.
    Raises BadTree for a loop.
    """
    cost = transmissions_to_parents(links, tree)
    cost[cost > USEFUL_ETX] = np.inf
    sent = paths(tree, sink)
    # Nodes with no way at all have an empty column, and no sum.
    total = np.array([cost[column > 0].sum() if column.any() else np.inf for column in sent.T])
    total[sink] = 0.0
    return total


def tree_quality(results: Results) -> pl.DataFrame:
    """One row a run.

    Columns: one per axis, `seed`; `path_etx` and `least_path_etx`, the means over the nodes that have a way
    in the run's tree, of what they have and of the least they could have; `stretch`, the first over the
    second (1: the best tree); `without_way`, how many nodes have no way in the run's tree, or none but over
    a link that hardly delivers (USEFUL_ETX), though there is a better one.

    Raises BadInput when a topology file is not where the scenario says, and when no run is finished.
    """
    points = axes.expand(results.scenario)
    networks: dict[str, Network] = {}
    rows: list[pl.DataFrame] = []
    for point in points:
        place = point.scenario.topology.model_dump_json()
        network = networks.setdefault(place, build(point.scenario))
        columns = axis_columns(points, point.index)
        here = [pl.col(key) == value for key, value in zip(point.axes, columns, strict=True)]
        for (seed,), nodes in results.nodes.filter(*here).group_by("seed", maintain_order=True):
            number = int(cast(int, seed))
            _, links = unloaded_links(point.scenario, network, number)
            best = path_etx(links, shape_of(point.scenario, network, number).parent, network.sink)
            have = path_etx(links, parent_indices(run_parents(nodes), network), network.sink)
            judged = np.isfinite(have) & np.isfinite(best) & (np.arange(len(network)) != network.sink)
            mean = float(have[judged].mean()) if judged.any() else None
            least = float(best[judged].mean()) if judged.any() else None
            row = pl.select(
                *columns,
                pl.lit(number).cast(pl.Int64).alias("seed"),
                pl.lit(mean, pl.Float64).alias("path_etx"),
                pl.lit(least, pl.Float64).alias("least_path_etx"),
                pl.lit(int((np.isfinite(best) & ~np.isfinite(have)).sum()))
                .cast(pl.Int64)
                .alias("without_way"),
            )
            rows.append(row)
    if not rows:
        raise BadInput("the results hold no finished run")
    ratio = (pl.col("path_etx") / pl.col("least_path_etx")).alias("stretch")
    return pl.concat(rows).with_columns(ratio).select(pl.exclude("without_way"), "without_way")
