"""The grids of runs: the paper's figures (2.1, 7, 8), and what goes beyond them.

A seed stands for another run on the same floor: other noise, other backoffs, other phases. "full" has ten of
the comparison and five elsewhere; the paper does not say how often it ran anything.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.scenario import Scenario
from penstock.studies.study import Effort, Experiment
from penstock.studies.wrcp import derive
from penstock.studies.wrcp.activity import case_1, case_2
from penstock.studies.wrcp.paper import (
    ALPHAS,
    DISTURBED_S,
    DYNAMIC_S,
    FLOORS,
    INTERFERED_NODE,
    INTERFERER_BYTES,
    INTERFERER_DBM,
    LONG,
    POWER_DBM,
    POWER_LEVELS,
    QUIET_S,
    RIVALS,
    SHORT,
    STATIC_S,
    WRCP,
)
from penstock.studies.wrcp.readings import READINGS, REDUCED, Reading
from penstock.studies.wrcp.world import (
    ALPHA_KEY,
    ATTEMPTS,
    CONTROL,
    Content,
    floor,
    room,
    scenario,
)

NODES = "topology.nodes"
WORK = "mac.receive_processing_s"
SENDERS: Mapping[Effort, Sequence[int]] = {
    "full": (1, 2, 3, 4, 5, 6, 8, 10),
    "quick": (1, 2, 3, 4, 5, 6, 8, 10),
    "reduced": (1, 5),
}
SWEPT: Mapping[Effort, Sequence[float]] = {
    "full": ALPHAS,
    "quick": (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0),
    "reduced": (0.1, 0.8),
}
STABILITY_S: Mapping[Effort, float] = {"full": 600.0, "quick": 300.0, "reduced": 600.0}
"""Not told in section 7."""
SEEDS: Mapping[Effort, int] = {"full": 10, "quick": 4, "reduced": 2}
FEWER: Mapping[Effort, int] = {"full": 5, "quick": 3, "reduced": 2}
BESIDE = ("none", "fusion", "ifrc", "wrcp")
LOADS = (0.1, 0.3, 1.0)
"""Packets/s of each source beside backlogged ones: below, about and above what the floors carry."""
ATTEMPTED = (0, 4)
"""Attempts of a link: without limit (8.2), and Fusion's 1 + 3."""
TRACE = "../shared/data/iotlab-k7/grenoble.k7.gz"
Scenarios = Callable[[Effort], Scenario | None]


def _saturation(effort: Effort) -> Scenario:
    axes = {NODES: [senders + 1 for senders in SENDERS[effort]], WORK: [0.010, 0.0]}
    sections = {"mac": {"max_frame_bytes": 40}, "traffic": {"payload_bytes": None}}
    one_hop: dict[str, Any] = {"routing": {"kind": "tree"}, "congestion": {"control": "none"}}
    return scenario("saturation", effort, FEWER, room(2), axes, 60.0, **sections, **one_hop)


def _room(effort: Effort) -> Scenario:
    one_hop = {"kind": "static", "parents": [1] * 4}
    return scenario(
        *("room", effort, SEEDS, room(4), {CONTROL: list(RIVALS)}, STATIC_S), sample_s=2.0, routing=one_hop
    )


def _stability(nodes: int, level: int) -> Scenarios:
    def made(effort: Effort) -> Scenario:
        return scenario(
            *(f"stability-{nodes}-{level}", effort, FEWER, floor(nodes)),
            {ALPHA_KEY: list(SWEPT[effort])},
            STABILITY_S[effort],
            sample_s=5.0,
            radio={"tx_power_dbm": POWER_DBM[level]},
            congestion={"control": WRCP},
        )

    return made


def _static(nodes: int, reading: Reading | None = None) -> Scenarios:
    def made(effort: Effort) -> Scenario | None:
        if reading and effort == "reduced" and (reading.key not in REDUCED or nodes == 40):
            return None
        name = f"static-{nodes}" + (f"-{reading.key}" if reading else "")
        seeds = FEWER if reading else SEEDS
        changes = reading.sections if reading else {}
        axes = {CONTROL: list(RIVALS)}
        return scenario(name, effort, seeds, floor(nodes), axes, STATIC_S, sample_s=2.0, **changes)

    return made


def _dynamic(nodes: int, case: int, reading: Reading | None = None) -> Scenarios:
    def made(effort: Effort) -> Scenario | None:
        if reading and effort == "reduced":
            return None
        flows = case_1(nodes) if case == 1 else case_2(nodes)
        name = f"case-{case}-{nodes}" + (f"-{reading.key}" if reading else "")
        return scenario(
            *(name, effort, FEWER if reading else SEEDS, floor(nodes), {CONTROL: list(RIVALS)}),
            DYNAMIC_S[nodes],
            sample_s=10.0,
            traffic={"flows": flows},
            **(reading.sections if reading else {}),
        )

    return made


def _interference(effort: Effort) -> Scenario:
    """An 802.11 station close to node 1 (8.6)."""
    schedule = [
        {"from_s": start, "to_s": stop, "rate_kBps": rate, "power_dbm": INTERFERER_DBM}
        for rate, (start, stop) in DISTURBED_S.items()
    ]
    source = {"near": INTERFERED_NODE, "payload_bytes": INTERFERER_BYTES, "schedule": schedule}
    return scenario(
        *("interference", effort, SEEDS, floor(20), {CONTROL: list(RIVALS)}, STATIC_S),
        sample_s=2.0,
        interference=[source],
    )


def _beside(place: str, load: float | None) -> Scenarios:
    """All protocols side by side: backlogged, or with `load` packets/s at each source."""

    def made(effort: Effort) -> Scenario | None:
        if effort == "reduced" and (load is not None or place == "40"):
            return None
        controls = list(BESIDE)
        axes: dict[str, list[Any]] = {CONTROL: controls, ATTEMPTS: list(ATTEMPTED)}
        if effort == "quick" and load is not None:
            axes[ATTEMPTS] = [0]
        flows = {} if load is None else {"flows": [{"source": "all", "rate_pps": load}]}
        name = f"beside-{place}" + ("" if load is None else f"-{load:g}")
        where = _grenoble() if place == "grenoble" else floor(int(place))
        radio: dict[str, Any] = {"radio": {"tx_power_dbm": 0.0}} if place == "grenoble" else {}
        return scenario(name, effort, FEWER, where, axes, 300.0, traffic=flows, **radio)

    return made


def _grenoble() -> Content:
    place = {"kind": "k7", "file": TRACE, "channel": 26, "sink": 23}
    return {"topology": place, "channel": {"noise_floor_dbm": -95.5}}


_BESIDE_PLACES = {
    "20": "the 20-node floor",
    "40": "the 40-node floor",
    "grenoble": "IoT-LAB Grenoble",
}

_STATIC = derive.together(derive.RIVALS, derive.bounded("run"))
_DYNAMIC = {
    nodes: derive.together(
        derive.sources,
        derive.versus_ifrc,
        derive.packets(long_packets=LONG[nodes], short_packets=SHORT[nodes]),
    )
    for nodes in FLOORS
}


_DURING = derive.during({f"at_{rate:.0f}": interval for rate, interval in DISTURBED_S.items()}, QUIET_S)


def _of_reading(reading: Reading) -> list[Experiment]:
    """The static case, and the dynamic ones where the reading asks for them."""
    bound = derive.bounded("etx" if reading.key == "moving" else "run")
    static = [
        Experiment(
            f"static-{nodes}-{reading.key}",
            f"Reading: {reading.text}; static case, {nodes} nodes",
            ATTEMPTS,
            _static(nodes, reading),
            derive=derive.together(derive.RIVALS, bound),
        )
        for nodes in FLOORS
    ]
    dynamic = [
        Experiment(
            f"case-{case}-{nodes}-{reading.key}",
            f"Reading: {reading.text}; dynamic case {case}, {nodes} nodes",
            ATTEMPTS,
            _dynamic(nodes, case, reading),
            derive=_DYNAMIC[nodes],
        )
        for nodes in FLOORS
        for case in (1, 2)
    ]
    return static + (dynamic if reading.dynamic else [])


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment("saturation", "Saturation throughput (2.1)", NODES, _saturation, derive=derive.saturated),
    Experiment("room", "One hop, three sources (1)", ATTEMPTS, _room, derive=derive.RIVALS),
    *(
        Experiment(
            f"stability-{nodes}-{level}",
            f"Stability over α, {nodes} nodes, power level {level} (7)",
            ALPHA_KEY,
            _stability(nodes, level),
            derive=derive.together(derive.rates, derive.gamma, derive.sources, derive.stability),
        )
        for nodes in FLOORS
        for level in POWER_LEVELS
    ),
    *(
        Experiment(
            f"static-{nodes}", f"Static case, {nodes} nodes (8.4)", ATTEMPTS, _static(nodes), derive=_STATIC
        )
        for nodes in FLOORS
    ),
    *(
        Experiment(
            f"case-{case}-{nodes}",
            f"Dynamic case {case}, {nodes} nodes (8.5)",
            ATTEMPTS,
            _dynamic(nodes, case),
            derive=_DYNAMIC[nodes],
        )
        for nodes in FLOORS
        for case in (1, 2)
    ),
    Experiment(
        "interference",
        "External interference, 20 nodes (8.6)",
        ATTEMPTS,
        _interference,
        derive=derive.together(derive.RIVALS, _DURING),
    ),
    *(each for reading in READINGS for each in _of_reading(reading)),
    *(
        Experiment(
            f"beside-{place}" + ("" if load is None else f"-{load:g}"),
            f"Side by side on {title}, " + ("backlogged" if load is None else f"{load:g} packets/s a source"),
            ATTEMPTS,
            _beside(place, load),
            optional=place == "grenoble",
            derive=derive.energy
            if load is not None
            else derive.together(derive.energy, derive.bounded("run")),
        )
        for place, title in _BESIDE_PLACES.items()
        for load in (None, *LOADS)
    ),
)
