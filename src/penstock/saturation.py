"""How much a receiver gets when everybody around it has always something to send.

The saturation throughput of a MAC (WRCP, section 2.1 and Fig. 4): n senders that hear each other and the
receiver without error, each with a packet waiting at all times. WRCP takes it for a receiver's capacity.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from penstock import _engine
from penstock.errors import BadInput
from penstock.scenario import Scenario
from penstock.statistics import Estimate, estimate
from penstock.topology.network import Network
from penstock.validation import nearest, validated
from penstock.world import unloaded_spec

MACS: dict[str, str] = {"bmac": "cc1000", "tinyos_cc2420": "cc2420", "ieee802154": "cc2420"}
"""The MACs, and the radio of each."""
OF_THE_CC2420 = tuple(name for name, radio in MACS.items() if radio == "cc2420")
MOST_SENDERS = 60
LEVEL = 0.99
SNR_DB = 40.0
"""Links this good lose no frame but by collisions, and two frames at once lose both."""
FRAME_BYTES = 40
"""WRCP's Fig. 4 has packets of about 40 bytes."""
WRCP_WORDS = "about 90 packets/s beyond 3 senders, almost constant beyond 4"
"""What WRCP says of its Fig. 4 (sections 2.1 and 4.1): TinyOS 2.0.2.2 on Tmote Sky."""
BACKLOG_PPS = 1000.0
"""More than any of the MACs can send."""


@dataclass(frozen=True)
class Saturation:
    """One point of the curve, over seeds: new packets per second at the receiver, and the share of
    transmissions that did not arrive there."""

    mac: str
    senders: int
    throughput_pps: Estimate
    channel_loss_rate: Estimate


def saturated_spec(
    mac: str, senders: int, frame_bytes: int, seconds: float, seed: int, processing_s: float = 0.0
) -> _engine.WorldSpec:
    """Node 0 receives; `senders` others, backlogged, send to it frames of `frame_bytes` (MHR to FCS) and try
    each until it is acknowledged. Raises BadInput for what no scenario may have."""
    if mac not in MACS:
        raise BadInput(f'mac.kind is "{mac}"{nearest(mac, list(MACS)) or ";"} Allowed: {", ".join(MACS)}')
    if not 1 <= senders <= MOST_SENDERS:
        raise BadInput(f"senders is {senders} but should be 1 to {MOST_SENDERS}")
    nodes = range(senders + 1)
    section: dict[str, object] = {"kind": mac, "max_frame_bytes": frame_bytes}
    if processing_s:
        section["processing_s"] = processing_s
    scenario = validated(
        {
            "name": "saturation",
            "topology": {"kind": "line", "nodes": len(nodes), "spacing_m": 1.0, "sink": 1},
            "radio": {"kind": MACS[mac]},
            "mac": section,
            "node": {"link_attempts": 0},
            "routing": {"kind": "static", "parents": [1] * len(nodes)},
            "congestion": {"control": "none"},
            "time": {"settle_s": 0.0, "measure_s": seconds},
        },
        "saturation",
    )
    spec = unloaded_spec(scenario, _room(scenario, len(nodes)), seed)
    rates = np.full(len(nodes), BACKLOG_PPS)
    rates[0] = 0.0
    spec.rate_pps = rates
    return spec


def measured(
    mac: str,
    senders: int,
    frame_bytes: int = FRAME_BYTES,
    seconds: float = 60.0,
    seeds: int = 3,
    processing_s: float = 0.0,
) -> Saturation:
    """The saturation throughput for this many senders, seeds 1 to `seeds` of `seconds` simulated ones each."""
    throughputs: list[float] = []
    losses: list[float] = []
    for seed in range(1, seeds + 1):
        nodes = _engine.run(saturated_spec(mac, senders, frame_bytes, seconds, seed, processing_s)).nodes
        throughputs.append(float(nodes["received"][0]) / seconds)
        losses.append(1.0 - float(nodes["receptions"][0]) / max(1, int(nodes["transmissions"].sum())))
    return Saturation(mac, senders, estimate(throughputs, LEVEL), estimate(losses, LEVEL))


def curve(
    macs: Sequence[str], senders: int, frame_bytes: int, seconds: float, seeds: int, processing_s: float = 0.0
) -> list[Saturation]:
    """1 to `senders` senders for each of the MACs. BadInput before anything is run."""
    for mac in macs:
        saturated_spec(mac, senders, frame_bytes, seconds, 1, processing_s)
    return [
        measured(mac, count, frame_bytes, seconds, seeds, processing_s)
        for mac in macs
        for count in range(1, senders + 1)
    ]


def as_json(points: Sequence[Saturation], frame_bytes: int, seeds: int) -> dict[str, object]:
    """{"frame_bytes", "seeds", "points": [{"mac", "senders", "throughput_pps": {mean, ci, level}, ...}]}."""
    return {
        "frame_bytes": frame_bytes,
        "seeds": seeds,
        "points": [
            {
                "mac": point.mac,
                "senders": point.senders,
                "throughput_pps": point.throughput_pps.as_json(seeds),
                "channel_loss_rate": point.channel_loss_rate.as_json(seeds),
            }
            for point in points
        ],
    }


def _room(scenario: Scenario, count: int) -> Network:
    """Everybody hears everybody at SNR_DB, whatever the noise and the power."""
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    gain_db = scenario.channel.noise_floor_dbm + SNR_DB - scenario.radio.tx_power_dbm
    return Network(
        [str(node + 1) for node in range(count)],
        np.zeros((count, 2)),
        0,
        np.array([a for a, _ in pairs], dtype=np.int32),
        np.array([b for _, b in pairs], dtype=np.int32),
        np.full(len(pairs), gain_db),
    )
