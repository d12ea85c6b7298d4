"""From the interference of a scenario to bursts in the engine's world."""

import numpy as np

from penstock import _engine
from penstock.errors import BadInput
from penstock.interference_sections import DIFS_S, JITTER_S, InterferenceSource
from penstock.topology.network import Network


def set_interference(spec: _engine.WorldSpec, sources: list[InterferenceSource], network: Network) -> None:
    """Places `sources` in the world of `spec`. BadInput for a node that does not exist and for a network
    whose channel is not modelled over positions."""
    places = np.array([_place(source, at, network) for at, source in enumerate(sources)]).reshape(-1, 2)
    rows = [(at, source, interval) for at, source in enumerate(sources) for interval in source.schedule]
    spec.interferers = places
    spec.interference_gap_s, spec.interference_jitter_s = DIFS_S, JITTER_S
    spec.interference_source = np.array([at for at, _, _ in rows], dtype=np.int32)
    spec.interference_from_s = np.array([interval.from_s for _, _, interval in rows])
    spec.interference_to_s = np.array([interval.to_s for _, _, interval in rows])
    spec.interference_pps = np.array(
        [1000 * interval.rate_kBps / source.payload_bytes for _, source, interval in rows]
    )
    spec.interference_dbm = np.array([interval.power_dbm + source.in_band_db for _, source, interval in rows])
    spec.interference_together = np.array([source.packets_together for _, source, _ in rows], dtype=np.int32)
    spec.interference_air_s = np.array([source.air_s for _, source, _ in rows])


def _place(source: InterferenceSource, at: int, network: Network) -> tuple[float, float]:
    if len(network.links_src) or len(network.positions) != len(network):
        raise BadInput(
            "interference needs a channel that is modelled over positions; this topology has measured gains, "
            "which say nothing of how others are heard"
        )
    if source.position is not None:
        x, y = source.position
        return x, y
    names = network.labels
    if str(source.near) not in names:
        raise BadInput(f'interference.{at}.near names the unknown node "{source.near}"')
    x, y = network.positions[names.index(str(source.near))]
    return float(x) + source.distance_m, float(y)
