"""The grids of runs: the thesis's workloads (5.3-5.5), what goes beyond them, and other floors.

"full" has the thesis's number of runs: 15 of the periodic and event workloads at 99 % confidence, 5 of fan-in
at 95 %.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.scenario import Scenario
from penstock.studies.fusion.readings import READINGS, REDUCED, WIDENS, Reading
from penstock.studies.fusion.thesis import ALL, SIX
from penstock.studies.study import Effort, Experiment

CONTROL = "congestion.control"
LOAD = "traffic.rate_pps"
SIZE = "traffic.event_size"
ASLEEP = "traffic.sleep_fraction"
ADAPTATION = "application.adaptation"

LOADS: Mapping[Effort, Sequence[float]] = {
    "full": (0.25, 0.5, 1.0, 2.0, 3.0, 4.0),
    "quick": (0.25, 0.5, 1.0, 2.0, 4.0),
    "reduced": (0.25, 2.0, 4.0),
}
SIZES: Mapping[Effort, Sequence[int]] = {
    "full": (1, 2, 3, 4, 5, 6, 7, 8),
    "quick": (1, 2, 3, 5, 8),
    "reduced": (1, 8),
}
FRACTIONS: Mapping[Effort, Sequence[float]] = {
    "full": (0.0, 0.25, 0.5, 0.75, 0.9),
    "quick": (0.0, 0.5, 0.9),
    "reduced": (0.0, 0.5),
}
BURSTS = ("none", "occupancy", "channel", "delay", "loss", "union", "ack", "fusion")
"""The event workload of a quick run: the thesis leaves rate limiting out (5.5)."""
SLEEPERS = ("none", "occupancy", "fusion")
ADAPTERS = ("none", "occupancy", "rate", "fusion")
LIMITERS = ("none", "rate", "share", "fusion", "fusion_share")
TOSSIM_SCALE = 4.0
"""The TOSSIM grid has 224 sources where the office has 54: a quarter of the rate offers the same load."""

REDUCED_TIME = {"settle_s": 60.0, "measure_s": 20.0}
REDUCED_FLOOR = {"kind": "office", "nodes": 16, "width_m": 30.0, "height_m": 15.0, "sink": 2}


def grid(
    name: str, effort: Effort, seeds: Mapping[Effort, int], axes: Mapping[str, Sequence[Any]], **sections: Any
) -> Scenario:
    """A scenario on the office floor; for "reduced" on a small one, for a moment, at a level of confidence
    that so few runs can meet."""
    content: dict[str, Any] = {"name": f"fusion-{name}", "seeds": seeds[effort], **sections}
    if effort == "reduced":
        content["time"] = REDUCED_TIME | content.get("time", {}) | REDUCED_TIME
        content["confidence"] = 0.5
        content.setdefault("topology", REDUCED_FLOOR)
    if "kind" not in content.get("topology", {"kind": "office"}):
        content["topology"] = {"kind": "office"} | content["topology"]
    content["axes"] = {key: list(values) for key, values in axes.items()}
    return Scenario.model_validate(content)


def _seeds(full: int, quick: int) -> Mapping[Effort, int]:
    return {"full": full, "quick": quick, "reduced": 3}


def _chosen(effort: Effort, quick: Sequence[str], reduced: Sequence[str]) -> Sequence[str]:
    return {"full": ALL, "quick": quick, "reduced": reduced}[effort]


def _periodic(effort: Effort) -> Scenario:
    return grid("periodic", effort, _seeds(15, 4), {CONTROL: ALL, LOAD: LOADS[effort]})


def _fan_in(effort: Effort) -> Scenario:
    traffic = {"kind": "fan_in", "gateways": 4 if effort == "reduced" else 10}
    axes = {CONTROL: ALL, LOAD: LOADS[effort]}
    return grid("fan-in", effort, _seeds(5, 3), axes, confidence=0.95, traffic=traffic)


def _event(effort: Effort) -> Scenario:
    axes = {CONTROL: _chosen(effort, BURSTS, ("none", "occupancy", "delay")), SIZE: SIZES[effort]}
    time = {"settle_s": 120.0, "measure_s": 60.0}
    return grid("event", effort, _seeds(15, 4), axes, traffic={"kind": "event"}, time=time)


def _duty_cycle(effort: Effort) -> Scenario:
    traffic = {"kind": "duty_cycle", "core": 4 if effort == "reduced" else 10}
    axes = {
        CONTROL: _chosen(effort, SLEEPERS, ("none", "fusion")),
        ASLEEP: FRACTIONS[effort],
        LOAD: (0.25, 1.0),
    }
    return grid("duty-cycle", effort, _seeds(15, 3), axes, traffic=traffic)


def _adaptation(effort: Effort) -> Scenario:
    axes = {
        ADAPTATION: ("wait", "aimd"),
        CONTROL: _chosen(effort, ADAPTERS, ("none", "fusion")),
        LOAD: (4.0,) if effort == "reduced" else (0.5, 1.0, 2.0, 4.0),
    }
    return grid("adaptation", effort, _seeds(15, 3), axes)


def _widened(name: str) -> Callable[[Effort], Scenario]:
    """A workload under the other reading of the prioritized MAC; no control is the same under both."""

    def scenario(effort: Effort) -> Scenario:
        whole = {"periodic": _periodic, "event": _event}[name](effort)
        kept = [control for control in whole.axes[CONTROL] if control in SIX and control != "none"]
        changes = {
            "name": f"fusion-widened-{name}",
            "mac": whole.mac.model_copy(update=WIDENS.sections["mac"]),
            "axes": whole.axes | {CONTROL: kept},
        }
        return whole.model_copy(update=changes)

    return scenario


def _unequal(effort: Effort) -> Scenario:
    """Sources whose rates differ by up to sixteen to one."""
    axes = {
        CONTROL: _chosen(effort, LIMITERS, ("rate", "share")),
        LOAD: (1.0,) if effort == "reduced" else (0.25, 1.0, 2.0),
    }
    return grid("unequal", effort, _seeds(15, 3), axes, traffic={"rate_spread": 4.0})


def _failing(effort: Effort) -> Scenario:
    """Ten nodes stop for good after a quarter of the time; routes are free to go round them."""
    axes = {
        CONTROL: _chosen(effort, LIMITERS, ("rate", "share")),
        LOAD: (1.0,) if effort == "reduced" else (0.5, 2.0),
    }
    faults = {"failing": 3, "at_s": 5.0} if effort == "reduced" else {"failing": 10, "at_s": 60.0}
    return grid("failing", effort, _seeds(15, 3), axes, faults=faults, routing={"pin": False})


def _skewed(effort: Effort) -> Scenario:
    """Thesis Figure 4-2: A has nobody behind it, B has four; both send to the sink."""
    axes = {
        CONTROL: _chosen(effort, LIMITERS, ("rate", "share")),
        LOAD: (4.0,) if effort == "reduced" else (1.0, 2.0, 4.0),
    }
    return grid(
        "skewed",
        effort,
        _seeds(15, 3),
        axes,
        topology={"kind": "line", "nodes": 7, "spacing_m": 1.0, "sink": 1},
        routing={"kind": "static", "parents": [1, 1, 1, 3, 3, 3, 3]},
        time={"settle_s": 1.0, "measure_s": 240.0},
    )


def _compared(effort: Effort) -> Sequence[str]:
    return ("none", "fusion") if effort == "reduced" else SIX


def _intel_lab(effort: Effort) -> Scenario:
    topology = {"kind": "positions_file", "file": "../shared/data/intel-lab/mote_locs.txt", "sink": 42}
    axes = {CONTROL: _compared(effort), LOAD: LOADS[effort]}
    return grid("intel-lab", effort, _seeds(15, 3), axes, topology=topology)


def _tossim_grid(effort: Effort) -> Scenario:
    file = "../shared/data/tossim-gain/15-15-medium-mica2-grid.txt.gz"
    topology = {"kind": "gain_file", "file": file, "sink": 112, "columns": 15, "spacing_m": 5.0}
    axes = {CONTROL: _compared(effort), LOAD: [load / TOSSIM_SCALE for load in LOADS[effort]]}
    time = {"quick": {"settle_s": 120.0, "measure_s": 60.0}}.get(effort, {})
    return grid(
        *("tossim-grid", effort, _seeds(5, 2), axes),
        topology=topology,
        radio={"tx_power_dbm": -5.0},
        time=time,
    )


def _reading(reading: Reading) -> Callable[[Effort], Scenario | None]:
    def scenario(effort: Effort) -> Scenario | None:
        if effort == "reduced" and reading.key not in REDUCED:
            return None
        controls = ("none", "fusion") if effort == "reduced" else ("none", "occupancy", "rate", "fusion")
        if reading.unmodified:
            controls = controls[1:]
        loads = {"full": (0.25, 0.5, 1.0, 2.0, 4.0), "quick": (0.5, 4.0), "reduced": (0.25, 4.0)}[effort]
        axes = {CONTROL: controls, LOAD: loads}
        return grid(f"reading-{reading.key}", effort, _seeds(10, 2), axes, **reading.sections)

    return scenario


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment("periodic", "Periodic workload (5.3)", LOAD, _periodic),
    Experiment("fan-in", "High fan-in: ten nodes advertise routes (5.4)", LOAD, _fan_in),
    Experiment("event", "Correlated events (5.5)", SIZE, _event),
    Experiment("duty-cycle", "Sleeping leaves (5.3.6)", ASLEEP, _duty_cycle),
    Experiment("adaptation", "Applications that wait, and that adapt their rate (4.6)", LOAD, _adaptation),
    Experiment("unequal", "Sources of unequal rates (6.1)", LOAD, _unequal),
    Experiment("failing", "Nodes that fail (6.1)", LOAD, _failing),
    Experiment("skewed", "A skewed tree (4.3, Fig. 4-2)", LOAD, _skewed),
    Experiment("widened-periodic", "Periodic workload, uncongested nodes yield", LOAD, _widened("periodic")),
    Experiment("widened-event", "Correlated events, uncongested nodes yield", SIZE, _widened("event")),
    Experiment("intel-lab", "Periodic workload on the Intel laboratory's floor", LOAD, _intel_lab, True),
    Experiment("tossim-grid", "Periodic workload on TOSSIM's Mica2 grid", LOAD, _tossim_grid, True),
    *(
        Experiment(f"reading-{reading.key}", f"Reading: {reading.text}", LOAD, _reading(reading))
        for reading in READINGS
    ),
)
