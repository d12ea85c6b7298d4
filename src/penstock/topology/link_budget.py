"""From measured reception rates back to link gains, by the simulated radio's own error curve."""

import numpy as np

from penstock import _engine
from penstock.errors import BadInput
from penstock.scenario import Scenario
from penstock.topology.network import Floats, Network
from penstock.world import unloaded_spec

LOWEST_SNR_DB, HIGHEST_SNR_DB = -9.0, 30.0
"""Below the first nothing is received, above the second nothing is lost, by any error curve in use."""
HALVINGS = 40


def gains_for_prr(prr: Floats, frame_bytes: int, noise_floor_dbm: float) -> Floats:
    """(L,) gains in dB over which a CC2420 gets the share `prr` (L,) of frames that are `frame_bytes` long,
    header to check sequence, when they are sent at 0 dBm and nobody else sends.

    noise_floor_dbm: of every receiver. A rate of 1 has no such gain: the curve only comes near it.
    """
    low = np.full(len(prr), noise_floor_dbm + LOWEST_SNR_DB)
    high = np.full(len(prr), noise_floor_dbm + HIGHEST_SNR_DB)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        enough = received_share(middle, frame_bytes, noise_floor_dbm) >= prr
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def received_share(gain_db: Floats, frame_bytes: int, noise_floor_dbm: float) -> Floats:
    """(L,) the share of frames that a CC2420 gets over links of these gains; see gains_for_prr."""
    settings = {
        "name": "links",
        "channel": {"noise_floor_dbm": noise_floor_dbm},
        "radio": {"kind": "cc2420", "tx_power_dbm": 0.0},
        "mac": {"kind": "tinyos_cc2420", "max_frame_bytes": frame_bytes},
    }
    count = len(gain_db)
    one_to_many = Network(
        [str(node) for node in range(count + 1)],
        np.zeros((0, 2)),
        0,
        np.zeros(count, dtype=np.int32),
        np.arange(1, count + 1, dtype=np.int32),
        gain_db,
    )
    try:
        links = _engine.link_prr(unloaded_spec(Scenario.model_validate(settings), one_to_many, 1))
    except ValueError as error:
        raise BadInput(f"frames of {frame_bytes} bytes cannot be simulated: {error}") from None
    share = np.zeros(count)
    there = links["src"] == 0
    share[links["dst"][there] - 1] = links["prr"][there]
    return share
