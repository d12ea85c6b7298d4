"""The world of the study: floors, radio, MAC, nodes and routes. notes.py says why each is as it is.

Floors and flows are those of the scenarios wrcp-20 and wrcp-40.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from penstock.errors import MissingData
from penstock.plan import shape_of
from penstock.scenario import Scenario
from penstock.studies.study import Effort
from penstock.studies.wrcp.paper import POWER_DBM, SINK
from penstock.topology.build import build

CONTROL = "congestion.control"
ATTEMPTS = "node.link_attempts"
"""The x axis of experiments that have no other; 0 is without limit."""
ALPHA_KEY = "congestion.wrcp_alpha"
UNLIMITED = 0.0
TESTBED_LEVEL = 10
"""The power level of the comparison, which the paper does not tell (8)."""
CONFIDENCE = 0.99
PAYLOAD_BYTES = 14
"""8.1."""
FRAME_BYTES = 64
"""14 bytes of payload under IFRC's 26 and CTP's and the library's own headers, with the check sequence."""

Content = dict[str, Any]
FLOORS: Mapping[int, Content] = {
    20: {"width_m": 40.0, "height_m": 18.0},
    40: {"width_m": 50.0, "height_m": 27.0},
}
BUILDINGS = {20: 22, 40: 33}
"""What the floors' shadowing is drawn from, the same for all seeds."""
CHANNEL: Content = {
    "path_loss_1m_db": 52.0,
    "path_loss_exponent": 3.3,
    "shadowing_sigma_db": 8.5,
    "hardware_tx_var": 0.5,
    "hardware_noise_var": 0.5,
    "hardware_covariance": 0.0,
    "noise_floor_dbm": -95.5,
}
SETTLED: Content = {"kind": "ctp", "pin": True, "beacon_links": "both"}
MOVING: Content = {"kind": "ctp", "pin": False}
SETTLE_S = 200.0
REDUCED_S = {"settle_s": 60.0, "measure_s": 60.0}
"""Enough for a route and a few packets."""


def floor(nodes: int) -> Content:
    """The 20- or 40-node floor."""
    place = {"kind": "office", "nodes": nodes, "dense_corner_share": 0.0, "seed": 1, "sink": SINK[nodes]}
    return {"topology": place | FLOORS[nodes], "channel": CHANNEL | {"seed": BUILDINGS[nodes]}}


def room(nodes: int, gain_db: float = -60.0) -> Content:
    """A sink, and the other nodes around it, that all hear each other."""
    place = {"kind": "room", "nodes": nodes, "gain_db": gain_db, "sink": 1}
    return {"topology": place, "channel": {"noise_floor_dbm": CHANNEL["noise_floor_dbm"]}}


def scenario(
    name: str,
    effort: Effort,
    seeds: Mapping[Effort, int],
    place: Content,
    axes: Mapping[str, list[Any]],
    measure_s: float,
    *,
    sample_s: float = 0.0,
    **sections: Any,
) -> Scenario:
    """A scenario of the study; sections replace those of the world key by key. For "reduced" it lasts a
    moment, and its level of confidence is one that so few runs can meet."""
    content: Content = {
        "name": f"wrcp-{name}",
        "seeds": seeds[effort],
        "confidence": CONFIDENCE,
        **place,
        "radio": {"kind": "cc2420", "tx_power_dbm": POWER_DBM[TESTBED_LEVEL]},
        "mac": {"kind": "tinyos_cc2420", "max_frame_bytes": FRAME_BYTES},
        "node": {"queue": 64, "local_share": 64, "link_attempts": 0, "neighbors": 50},
        "routing": {},
        "traffic": {"kind": "flows", "payload_bytes": PAYLOAD_BYTES},
        "time": {"settle_s": SETTLE_S, "measure_s": measure_s},
        "records": {"sample_s": sample_s},
        "axes": {key: list(values) for key, values in axes.items()},
    }
    for section, keys in sections.items():
        replaced = section == "routing" or not isinstance(keys, dict)
        content[section] = keys if replaced else content.get(section, {}) | keys
    if not content["routing"]:
        content["routing"] = least_etx(place, content["radio"])
    if effort == "reduced":
        content["interference"] = [_shrunk(each, measure_s) for each in content.get("interference", [])]
        content["traffic"] = _shortened(content["traffic"], measure_s)
        content["time"] = REDUCED_S
        content["confidence"] = 0.5
    return Scenario.model_validate(content)


def least_etx(place: Content, radio: Content) -> Content:
    """The tree of least ETX over the true reception rates of a place, as static routes: what CTP looks for,
    and the same in all runs. CTP itself where the place is a file that is absent: the run says so."""
    return _tree(json.dumps([place, radio], sort_keys=True))


@cache
def _tree(world: str) -> Content:
    place, radio = json.loads(world)
    content = {"name": "tree", **place, "radio": radio, "mac": {"kind": "tinyos_cc2420"}}
    unloaded = Scenario.model_validate(content)
    try:
        network = build(unloaded)
    except MissingData:
        return SETTLED
    parents = [int(parent) for parent in shape_of(unloaded, network, 1).parent]
    parents[network.sink] = network.sink
    return {"kind": "static", "parents": [network.labels[parent] for parent in parents]}


def _shortened(traffic: Content, measure_s: float) -> Content:
    """The same flows in a moment's time."""
    flows = [_scaled(flow, measure_s) for flow in traffic.get("flows", [])]
    return traffic | ({"flows": flows} if flows else {})


def _shrunk(source: Content, measure_s: float) -> Content:
    """The same interferer in a moment's time."""
    return source | {"schedule": [_scaled(interval, measure_s) for interval in source["schedule"]]}


def _scaled(row: Content, measure_s: float) -> Content:
    moments = ("start_s", "stop_s", "from_s", "to_s")
    shrunk = REDUCED_S["measure_s"] / measure_s
    return {key: value * shrunk if key in moments else value for key, value in row.items()}
