"""Neighbourhood size against transmit power (2.3.4, Eq. 2.2, Fig. 2-5), on the unloaded network."""

import numpy as np

from penstock.plan import shape_of
from penstock.studies.number import number
from penstock.studies.section import Loaded, Section, Table
from penstock.topology.build import build

POWERS_DBM = (-20.0, -15.0, -10.0, -5.0, 0.0, 5.0)
QUANTILES = (0.1, 0.5, 0.9)


def neighborhoods(tables: Loaded) -> Table | None:
    """Expected listeners of a frame, over nodes and seeds, for each power; and nodes that have no path."""
    if "periodic" not in tables:
        return None
    results, _ = tables["periodic"]
    rows: list[tuple[str, ...]] = []
    before = float("nan")
    for power in POWERS_DBM:
        radio = results.scenario.radio.model_copy(update={"tx_power_dbm": power})
        scenario = results.scenario.model_copy(update={"radio": radio})
        network = build(scenario)
        shapes = [shape_of(scenario, network, seed) for seed in results.seeds]
        sizes = np.concatenate([shape.neighborhood for shape in shapes])
        mean = float(sizes.mean())
        cut_off = np.mean([len(shape.disconnected) for shape in shapes])
        rows.append(
            (
                f"{power:+g} dBm",
                number(mean),
                number(mean - before, 3, "+"),
                *(number(float(np.quantile(sizes, q))) for q in QUANTILES),
                number(float(cut_off), 2),
            )
        )
        before = mean
    head = ("power", "mean", "more than at 5 dB less", "10th percentile", "median", "90th", "without a path")
    return Table(head, tuple(rows))


NEIGHBORHOOD_SECTIONS: tuple[Section, ...] = (
    Section(
        "neighborhoods",
        "Neighbourhood size against power (Fig. 2-5)",
        "How many nodes are expected to hear a frame in the unloaded network (Eq. 2.2), over nodes and "
        "seeds. The thesis found the average to grow linearly with an exponential increase in power, and a "
        "network that is still connected at -10 dBm.",
        neighborhoods,
    ),
)
