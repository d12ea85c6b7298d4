"""A network small enough to run in milliseconds, for tests of everything around the engine."""

from typing import Any

from penstock import Scenario

SMALL_NODES = 4
SMALL: dict[str, Any] = {
    "name": "small",
    "seeds": 2,
    "topology": {"kind": "line", "nodes": SMALL_NODES, "spacing_m": 5.0},
    "channel": {
        "shadowing_sigma_db": 0.0,
        "hardware_tx_var": 0.0,
        "hardware_covariance": 0.0,
        "hardware_noise_var": 0.0,
    },
    "time": {"settle_s": 120.0, "measure_s": 20.0},
    "axes": {"congestion.control": ["none", "fusion"], "traffic.rate_pps": [0.5, 1.0]},
}

SMALL_TOML = """
name = "small"
seeds = 2
[topology]
kind = "line"
nodes = 4
spacing_m = 5.0
[channel]
shadowing_sigma_db = 0.0
hardware_tx_var = 0.0
hardware_covariance = 0.0
hardware_noise_var = 0.0
[time]
settle_s = 120.0
measure_s = 20.0
[axes]
"congestion.control" = ["none", "fusion"]
"traffic.rate_pps" = [0.5, 1.0]
"""


def small(**changes: object) -> Scenario:
    """The small scenario with top-level keys replaced."""
    return Scenario.model_validate(SMALL | changes)
