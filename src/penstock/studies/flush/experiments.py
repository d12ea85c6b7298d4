"""The grids of runs: the paper's figures (4, 6), and what goes beyond them.

A run is one transfer. A seed is another run in the same place: other noise, other backoffs, other bytes. The
paper has four runs of each point on the floor and two on the line; here are more.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.scenario import Scenario
from penstock.studies.flush import derive
from penstock.studies.flush.paper import (
    DEPTHS,
    FIELDS_BYTES,
    IMAGE_BYTES,
    IMAGE_HOPS,
    INTERVALS_S,
    LARGE_BYTES,
    LARGE_PAYLOAD,
    LINE_BYTES,
    LINE_DEPTHS,
    LINE_INTERVALS_S,
    LINE_PAYLOAD,
    LOSS,
    LOSSY_AT,
    LOSSY_HOPS,
    LOSSY_S,
    OBJECT_BYTES,
    PAYLOAD_BYTES,
    REROUTED_AT,
    REROUTED_HOPS,
    REROUTED_S,
    STEADY_HOPS,
    STEADY_PACKETS,
    STEADY_PAYLOAD,
    STEADY_S,
    USUAL_S,
)
from penstock.studies.flush.readings import READINGS, REDUCED, Reading
from penstock.studies.flush.world import (
    ATTEMPTS,
    INTERVAL,
    MODE,
    SOURCE,
    changed,
    detour,
    scenario,
    source,
    sources,
)
from penstock.studies.study import Effort, Experiment

Scenarios = Callable[[Effort], Scenario | None]
SEEDS: Mapping[Effort, int] = {"full": 40, "quick": 10, "reduced": 2}
FEWER: Mapping[Effort, int] = {"full": 20, "quick": 5, "reduced": 2}
FEWEST: Mapping[Effort, int] = {"full": 10, "quick": 3, "reduced": 2}
"""Of the readings, which are many."""

MODES, RIVALS = ("flush", "flush_e2e"), ("asap", "blockwise")
"""With the three fields of rate control in their packets, and without."""
SWEPT_S = (0.010, 0.015, 0.020, 0.025, 0.030, 0.040, 0.060)
"""The paper's 10, 20, 30, 40 and 60 ms, and two in between."""
CODES = ("linear", "companded")
CODE = "bulk.delay_code"
CODED_DEPTHS = (1, 3, 6)
CODED_LINE_DEPTHS = (10, 48)
PLAIN_BYTES = OBJECT_BYTES * (PAYLOAD_BYTES + FIELDS_BYTES) // PAYLOAD_BYTES
"""As many packets where each holds three bytes more: the paper sends the same packets and counts so many
bytes for each (4.3)."""
STEADY_MODES = ("flush", "flush_e2e", "fixed")
STEADY_BYTES = STEADY_PACKETS * STEADY_PAYLOAD
REROUTED_BYTES = 2 * STEADY_BYTES
"""Longer than 4.4's, so that it goes on for a while after 21 s; the paper does not tell its length."""
FIXED: dict[str, Any] = {"mode": "fixed", "interval_s": USUAL_S}
LOGGED: dict[str, Any] = {"records": {"log_bulk": True}}
IMAGE_PLACES: Mapping[str, tuple[str, dict[str, Any], int]] = {
    "image": ("MicaZ, 41-byte frames", {}, PAYLOAD_BYTES),
    "image-today": ("802.15.4 CSMA-CA, 119-byte frames", {"mac": {"kind": "ieee802154"}}, 95),
}
"""By key: in words, what of the world it changes, bytes of the object in a packet."""
TODAY: dict[str, Any] = {"node": {"sink_service_s": 0.0}, "topology": {"require_connected": False}}
"""A border router of today is no slow serial line. A corner of the floor is out of reach of frames so long;
no source is there."""

LOAD = "traffic.rate_pps"
LOADS = (0.0, 0.02, 0.05, 0.1)
"""Packets/s of each of 99 nodes: none, 2, 5 and 10 a second at the sink."""
CLASS = "bulk.priority"
CLASSES = ("equal", "lower")
BESIDE_HOPS = 6
BESIDE_BYTES = 102_000
BESIDE_S = 120.0
"""A transfer of two minutes if nothing is in its way, and as long without one."""
FUSION_NODE = {"queue": 8, "local_share": 2, "link_attempts": 4}
"""Fusion's own (thesis 2.3); the transfer has its queue and attempts beside it."""


def _of_depths(effort: Effort, place: str, depths: Sequence[int]) -> list[int]:
    """The sources at these depths; for "reduced" the first and the last one."""
    return sources(place, [depths[0], depths[-1]] if effort == "reduced" else depths)


def _indoor(effort: Effort) -> Scenario:
    axes = {MODE: MODES, SOURCE: _of_depths(effort, "indoor", DEPTHS)}
    return scenario("indoor", effort, SEEDS, "indoor", axes, size=OBJECT_BYTES)


def _indoor_rivals(effort: Effort) -> Scenario:
    axes = {MODE: RIVALS, SOURCE: _of_depths(effort, "indoor", DEPTHS)}
    return scenario("indoor-rivals", effort, SEEDS, "indoor", axes, size=PLAIN_BYTES)


def _indoor_fixed(effort: Effort) -> Scenario:
    swept = INTERVALS_S if effort == "reduced" else SWEPT_S
    axes = {INTERVAL: swept, SOURCE: _of_depths(effort, "indoor", DEPTHS)}
    return scenario("indoor-fixed", effort, SEEDS, "indoor", axes, size=PLAIN_BYTES, bulk=FIXED)


def _logged(name: str, hops: int, size: int, modes: Sequence[str], **sections: Any) -> Scenarios:
    """One way with every attempt written down."""

    def made(effort: Effort) -> Scenario:
        bulk = {"payload_bytes": STEADY_PAYLOAD, "interval_s": STEADY_S}
        return scenario(
            *(name, effort, SEEDS, "indoor", {MODE: modes}),
            size=size,
            hops=hops,
            payload=STEADY_PAYLOAD,
            bulk=bulk,
            **LOGGED,
            **{key: value(effort) for key, value in sections.items()},
        )

    return made


def _lossy(effort: Effort) -> dict[str, Any]:
    """Half of what the node sends is lost for a while."""
    first, last = (0.0, 1.0) if effort == "reduced" else LOSSY_S
    sender, receiver = source("indoor", LOSSY_AT), source("indoor", LOSSY_AT - 1)
    interval = {"from_s": first, "to_s": last, "loss": LOSS}
    return {"link_loss": [{"sender": sender, "receiver": receiver, **interval}]}


def _rerouted(effort: Effort) -> dict[str, Any]:
    at = 0.5 if effort == "reduced" else REROUTED_S
    return {"reroute": [{"node": source("indoor", REROUTED_AT), "parent": detour(), "at_s": at}]}


def _line(effort: Effort) -> Scenario:
    axes = {MODE: ("flush", "blockwise"), SOURCE: _of_depths(effort, "line", LINE_DEPTHS)}
    return scenario("line", effort, FEWER, "line", axes, size=LINE_BYTES, payload=LINE_PAYLOAD)


def _line_fixed(effort: Effort) -> Scenario:
    axes = {INTERVAL: LINE_INTERVALS_S, SOURCE: _of_depths(effort, "line", LINE_DEPTHS)}
    return scenario(
        *("line-fixed", effort, FEWER, "line", axes),
        size=LINE_BYTES,
        payload=LINE_PAYLOAD,
        bulk=FIXED,
    )


def _large(effort: Effort) -> Scenario:
    return scenario(
        *("one-hop-80", effort, SEEDS, "indoor", {MODE: ("flush", "blockwise")}),
        size=LARGE_BYTES,
        hops=1,
        payload=LARGE_PAYLOAD,
    )


def _image(key: str) -> Scenarios:
    def made(effort: Effort) -> Scenario:
        _, sections, payload = IMAGE_PLACES[key]
        today: dict[str, Any] = TODAY if sections else {}
        axes = {MODE: ("flush", "blockwise"), SOURCE: sources("indoor", (1, IMAGE_HOPS))}
        return scenario(
            *(key, effort, FEWER, "indoor", axes),
            size=IMAGE_BYTES // 10 if effort == "reduced" else IMAGE_BYTES,
            payload=payload,
            **sections,
            **today,
        )

    return made


def _coded(effort: Effort) -> Scenario:
    axes = {CODE: CODES, SOURCE: _of_depths(effort, "indoor", CODED_DEPTHS)}
    return scenario("companded", effort, SEEDS, "indoor", axes, size=OBJECT_BYTES)


def _coded_line(effort: Effort) -> Scenario:
    axes = {CODE: CODES, SOURCE: _of_depths(effort, "line", CODED_LINE_DEPTHS)}
    return scenario("companded-line", effort, FEWER, "line", axes, size=LINE_BYTES, payload=LINE_PAYLOAD)


def _beside(effort: Effort) -> Scenario:
    """A transfer while all others report under Fusion."""
    axes: dict[str, Sequence[Any]] = {LOAD: _loads(effort), CLASS: CLASSES}
    return scenario(
        "beside", effort, FEWER, "indoor", axes, size=BESIDE_BYTES, hops=BESIDE_HOPS, **_sensing()
    )


def _beside_alone(effort: Effort) -> Scenario:
    """The same reports without any transfer."""
    made: dict[str, Any] = _sensing() | {"transfers": None, "bulk": None}
    axes = {LOAD: [load for load in _loads(effort) if load]}
    made["time"] = {} if effort == "reduced" else {"measure_s": BESIDE_S}
    return scenario("beside-alone", effort, FEWER, "indoor", axes, size=BESIDE_BYTES, **made)


def _loads(effort: Effort) -> Sequence[float]:
    return LOADS[::3] if effort == "reduced" else LOADS


def _sensing() -> dict[str, Any]:
    traffic = {"kind": "periodic"}
    return {"traffic": traffic, "congestion": {"control": "fusion"}, "node": FUSION_NODE}


def _under(reading: Reading, each: Experiment) -> Experiment:
    """An experiment with what the reading changes; for "reduced" a few of them."""

    def made(effort: Effort) -> Scenario | None:
        own = each.scenario(effort)
        if own is None or (effort == "reduced" and (reading.key, each.key) not in REDUCED):
            return None
        return changed(own, reading.key, FEWEST[effort], reading.sections)

    title = f"Reading: {reading.text}; {each.title}"
    return Experiment(f"{each.key}-{reading.key}", title, each.x, made, derive=each.derive)


OF_THE_PAPER: tuple[Experiment, ...] = (
    Experiment(
        "indoor-fixed",
        "1000 packets over 1 to 6 hops, fixed intervals (4.2, 4.3)",
        SOURCE,
        _indoor_fixed,
        derive=derive.fixed,
    ),
    Experiment(
        "indoor",
        "1000 packets over 1 to 6 hops (4.2, 4.3)",
        SOURCE,
        _indoor,
        derive=derive.transfers,
    ),
    Experiment(
        "indoor-rivals",
        "1000 packets over 1 to 6 hops, ASAP and block-wise (4.3)",
        SOURCE,
        _indoor_rivals,
        derive=derive.transfers,
    ),
    Experiment(
        "steady",
        "900 packets over 7 hops, packet by packet (4.4)",
        ATTEMPTS,
        _logged("steady", STEADY_HOPS, STEADY_BYTES, STEADY_MODES),
        derive=derive.together(derive.transfers, derive.steady),
    ),
    Experiment(
        "forced-loss",
        "Half of the packets of a link lost between 7 and 17 s, 6 hops (4.5)",
        ATTEMPTS,
        _logged("forced-loss", LOSSY_HOPS, STEADY_BYTES, STEADY_MODES, faults=_lossy),
        derive=derive.together(derive.transfers, derive.lossy),
    ),
    Experiment(
        "route-change",
        "Another next hop 4 hops from the sink at 21 s, 5 hops (4.5)",
        ATTEMPTS,
        _logged("route-change", REROUTED_HOPS, REROUTED_BYTES, ("flush", "flush_e2e"), faults=_rerouted),
        derive=derive.together(derive.transfers, derive.rerouted),
    ),
    Experiment(
        "line-fixed",
        "26,600 bytes over 1 to 48 hops, fixed intervals (4.6)",
        SOURCE,
        _line_fixed,
        derive=derive.fixed,
    ),
    Experiment(
        "line",
        "26,600 bytes over 1 to 48 hops (4.6)",
        SOURCE,
        _line,
        derive=derive.transfers,
    ),
    Experiment(
        "one-hop-80",
        "51,680 bytes over one hop, packets of 80 bytes (6)",
        ATTEMPTS,
        _large,
        derive=derive.transfers,
    ),
)
"""Those that the readings run again."""

EXPERIMENTS: tuple[Experiment, ...] = (
    *OF_THE_PAPER,
    *(
        Experiment(
            key,
            f"An image of 386 kB over 1 and 4 hops: {words}",
            SOURCE,
            _image(key),
            derive=derive.transfers,
        )
        for key, (words, _, _) in IMAGE_PLACES.items()
    ),
    Experiment("companded", "Companded fields, 1 to 6 hops", SOURCE, _coded, derive=derive.transfers),
    Experiment(
        "companded-line", "Companded fields, 10 and 48 hops", SOURCE, _coded_line, derive=derive.transfers
    ),
    Experiment("beside", "A transfer beside Fusion's traffic", LOAD, _beside, derive=derive.transfers),
    Experiment("beside-alone", "Fusion's traffic alone", LOAD, _beside_alone),
    *(_under(reading, each) for reading in READINGS for each in OF_THE_PAPER),
)
