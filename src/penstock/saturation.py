"""How much a receiver gets when everybody around it has always something to send.

The saturation throughput of a MAC (WRCP, section 2.1 and Fig. 4): n senders that hear each other and the
receiver without error, each with a packet waiting at all times, which it repeats until it is acknowledged.
WRCP takes it for a receiver's capacity B_i, against which it counts all transmissions, repeated ones too
(Eq. 8); so the table of capacities has the frames that arrive, and the new packets among them stand beside.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

from penstock import _engine, overrides
from penstock.errors import BadInput
from penstock.frames import frame_bytes
from penstock.scenario import Scenario
from penstock.statistics import Estimate, estimate
from penstock.topology.network import Floats, Network
from penstock.validation import nearest, validated
from penstock.world import unloaded_spec

MACS: dict[str, str] = {"bmac": "cc1000"} | dict.fromkeys(
    ("tinyos_cc2420", "tinyos1_cc2420", "ieee802154"), "cc2420"
)
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
NAME = "saturation"


@dataclass(frozen=True)
class Saturation:
    """One point of the curve, over seeds: frames per second that arrive at the receiver, new packets per
    second among them, and the share of transmissions that did not arrive."""

    mac: str
    frame_bytes: int
    senders: int
    frames_pps: Estimate
    throughput_pps: Estimate
    channel_loss_rate: Estimate


def mac_scenario(mac: str, frame_bytes: int = FRAME_BYTES, changes: Iterable[str] = ()) -> Scenario:
    """A scenario of nothing but this MAC and its radio, with `key=value` changes. `frame_bytes`: MHR to FCS.
    BadInput for a MAC that does not exist and for what no scenario may have."""
    if mac not in MACS:
        raise BadInput(f'mac.kind is "{mac}"{nearest(mac, list(MACS)) or ";"} Allowed: {", ".join(MACS)}')
    settings = overrides.apply(
        {
            "name": NAME,
            "radio": {"kind": MACS[mac]},
            "mac": {"kind": mac, "max_frame_bytes": frame_bytes},
        },
        changes,
    )
    return validated(settings, NAME)


def saturated_spec(scenario: Scenario, senders: int, seconds: float, seed: int) -> _engine.WorldSpec:
    """Node 0 receives; `senders` others, backlogged, send to it with the scenario's radio and MAC frames of
    the greatest length and try each until it is acknowledged. Of the scenario, nothing else counts."""
    if not 1 <= senders <= MOST_SENDERS:
        raise BadInput(f"senders is {senders} but should be 1 to {MOST_SENDERS}")
    nodes = senders + 1
    room = validated(
        {
            "name": NAME,
            "topology": {"kind": "line", "nodes": nodes, "spacing_m": 1.0, "sink": 1},
            "radio": scenario.radio.model_dump(),
            "mac": scenario.mac.model_dump() | {"max_frame_bytes": frame_bytes(scenario)},
            "node": {"link_attempts": 0},
            "routing": {"kind": "static", "parents": [1] * nodes},
            "congestion": {"control": "none"},
            "time": {"settle_s": 0.0, "measure_s": seconds},
        },
        NAME,
    )
    spec = unloaded_spec(room, _network(room, nodes), seed)
    rates = np.full(nodes, BACKLOG_PPS)
    rates[0] = 0.0
    spec.rate_pps = rates
    return spec


def measured(scenario: Scenario, senders: int, seconds: float = 60.0, seeds: int = 3) -> Saturation:
    """The saturation throughput for this many senders; seeds 1 to `seeds`, `seconds` simulated for each."""
    arrived: list[float] = []
    new: list[float] = []
    lost: list[float] = []
    for seed in range(1, seeds + 1):
        nodes = _engine.run(saturated_spec(scenario, senders, seconds, seed)).nodes
        arrived.append(float(nodes["receptions"][0]) / seconds)
        new.append(float(nodes["received"][0]) / seconds)
        lost.append(1.0 - float(nodes["receptions"][0]) / max(1, int(nodes["transmissions"].sum())))
    return Saturation(
        scenario.mac.kind,
        frame_bytes(scenario),
        senders,
        *(estimate(values, LEVEL) for values in (arrived, new, lost)),
    )


def curve(scenarios: Sequence[Scenario], senders: int, seconds: float, seeds: int) -> list[Saturation]:
    """1 to `senders` senders for each scenario's radio and MAC. BadInput before anything is run."""
    for scenario in scenarios:
        saturated_spec(scenario, senders, seconds, 1)
    return [
        measured(scenario, count, seconds, seeds) for scenario in scenarios for count in range(1, senders + 1)
    ]


def as_json(points: Sequence[Saturation], seeds: int) -> dict[str, object]:
    """{"seeds", "points": [{"mac", "frame_bytes", "senders", "frames_pps": {mean, ci, level}, ...}]}."""
    return {
        "seeds": seeds,
        "points": [
            {
                "mac": point.mac,
                "frame_bytes": point.frame_bytes,
                "senders": point.senders,
                "frames_pps": point.frames_pps.as_json(seeds),
                "throughput_pps": point.throughput_pps.as_json(seeds),
                "channel_loss_rate": point.channel_loss_rate.as_json(seeds),
            }
            for point in points
        ],
    }


def capacity_table(points: Sequence[Saturation]) -> str:
    """WRCP's table B_i as TOML that a scenario can hold: entry k of the list is for k senders in range, the
    last one for more. The points are one MAC's, for 1, 2, 3 ... senders.

    The scenario wants entries that rise and then fall; measured ones scatter by a fraction of a frame a
    second, so the table is the nearest such list (least squares)."""
    rates = [round(rate, 1) for rate in one_peak([point.frames_pps.mean for point in points])]
    return (
        f"# Frames/s that arrive from 1 to {len(rates)} backlogged senders: mac.kind = "
        f'"{points[0].mac}", {points[0].frame_bytes}-byte frames.\n'
        "# Measured by `penstock saturation`.\n"
        "[congestion]\n"
        f"wrcp_capacity_pps = {rates}\n"
    )


def one_peak(values: Sequence[float]) -> list[float]:
    """The nearest list, by least squares, that does not fall before some entry nor rise after it."""
    given = np.array(values)
    fits: list[Floats] = []
    for rising in range(len(given) + 1):
        parts = [
            isotonic_regression(part, increasing=upwards).x
            for part, upwards in ((given[:rising], True), (given[rising:], False))
            if len(part)
        ]
        fits.append(np.concatenate(parts))
    return min(fits, key=lambda fit: float(((fit - given) ** 2).sum())).tolist()


def _network(scenario: Scenario, count: int) -> Network:
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
