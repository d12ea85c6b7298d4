"""The worlds of the study: the floor of 4.1 to 4.5 and the line of 4.6, radio, MAC, nodes and routes.

They are those of the scenarios flush-indoor and flush-line; docs/design.md ("The worlds of Flush") says where
each number is from. Frames are as long as this library's headers make them with the paper's payloads.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from penstock import _engine
from penstock.plan import shape_of
from penstock.scenario import Scenario
from penstock.studies.flush.paper import FIELDS_BYTES, PAYLOAD_BYTES, REROUTED_AT
from penstock.studies.study import Effort
from penstock.topology.build import build
from penstock.world import unloaded_spec

Content = dict[str, Any]
CONFIDENCE = 0.95
HEADERS_BYTES = 21
"""Of a data packet without fields of rate control: MAC 11, Penstock 2, bulk 4, PDU 4 (docs/spec.md)."""
SETTLE_S = 1.0
LONGEST_S = 3600.0
"""A run ends with its transfer, or then."""
REDUCED_S = 30.0
REDUCED_SHARE = 0.05
"""Of the objects' bytes, for tests."""
SOURCE, MODE, INTERVAL = "bulk.source", "bulk.mode", "bulk.interval_s"
ATTEMPTS = "node.link_attempts"
"""The x axis of experiments that have no other."""

INDOOR: Content = {
    "topology": {
        "kind": "office",
        "nodes": 100,
        "width_m": 100.0,
        "height_m": 77.5,
        "dense_corner_share": 0.0,
        "seed": 1,
        "sink": 94,
    },
    "channel": {
        "path_loss_1m_db": 52.0,
        "path_loss_exponent": 3.3,
        "shadowing_sigma_db": 8.5,
        "seed": 18,
    },
    "radio": {"kind": "cc2420", "tx_power_dbm": -11.0},
}
LINE: Content = {
    "topology": {"kind": "line", "nodes": 79, "spacing_m": 0.9144, "sink": 1},
    "channel": {
        "path_loss_1m_db": 60.0,
        "path_loss_exponent": 4.0,
        "shadowing_sigma_db": 4.0,
        "seed": 1,
    },
    "radio": {"kind": "cc2420", "tx_power_dbm": -25.0},
}
GOOD = 0.9
"""A link that delivers so many of its frames, both ways."""
FARTHEST = {"indoor": 4, "line": 79}
TREE_FRAME_BYTES = {"indoor": 40, "line": 58}
"""What the routes are computed for; they are the same whatever the payload."""
PLACES = {"indoor": INDOOR, "line": LINE}
MICAZ: Content = {"kind": "tinyos1_cc2420", "processing_s": 0.00265, "defers": True}
NODE: Content = {
    "queue": 16,
    "local_share": 16,
    "link_attempts": 5,
    "neighbors": 64,
    "hop_limit": 64,
    "sink_service_s": 0.010,
}


def frame_bytes(payload: int) -> int:
    """Of a data packet with so many bytes of the object beside Flush's fields; without them it has more."""
    return HEADERS_BYTES + FIELDS_BYTES + payload


def scenario(
    name: str,
    effort: Effort,
    seeds: Mapping[Effort, int],
    place: str,
    axes: Mapping[str, Sequence[Any]],
    *,
    size: int,
    hops: int = 0,
    payload: int = PAYLOAD_BYTES,
    **sections: Any,
) -> Scenario:
    """A scenario of the study: an object of `size` bytes from the node `hops` away on the place's way (or the
    sources that an axis names); sections are laid over those of the world key by key, None leaves one out.
    For "reduced" the object is a small part, and the level of confidence is one that so few runs can meet."""
    reduced = effort == "reduced"
    content: Content = {
        "name": f"flush-{name}",
        "seeds": seeds[effort],
        "confidence": 0.5 if reduced else CONFIDENCE,
        **PLACES[place],
        "mac": MICAZ | {"max_frame_bytes": frame_bytes(payload)},
        "node": NODE,
        "routing": {"kind": "static", "parents": list(parents(place))},
        "congestion": {"control": "none"},
        "traffic": {"kind": "none"},
        "bulk": {"mode": "flush", "source": source(place, hops or 1)},
        "transfers": [{"bytes": _part(size) if reduced else size}],
        "time": {"settle_s": SETTLE_S, "measure_s": REDUCED_S if reduced else LONGEST_S},
        "axes": {key: list(values) for key, values in axes.items()},
    }
    _lay_over(content, sections)
    return Scenario.model_validate(content)


def changed(own: Scenario, key: str, seeds: int, sections: Mapping[str, Content]) -> Scenario:
    """The scenario of the study with sections laid over it, run for so many seeds."""
    content: Content = own.model_dump(exclude_unset=True) | {"name": f"{own.name}-{key}", "seeds": seeds}
    _lay_over(content, sections)
    return Scenario.model_validate(content)


def _lay_over(content: Content, sections: Mapping[str, Content | None]) -> None:
    for section, keys in sections.items():
        if keys is None:
            del content[section]
            continue
        base = content.get(section, {})
        if "kind" in keys and keys["kind"] != base.get("kind"):  # numbers of one kind mean nothing to another
            base = {key: base[key] for key in ("max_frame_bytes",) if key in base}
        content[section] = base | keys


def _part(size: int) -> int:
    return round(size * REDUCED_SHARE)


@cache
def parents(place: str) -> tuple[int, ...]:
    """The next hop of every node, by its label: the tree of least ETX over the unloaded links."""
    return tuple(_tree(json.dumps(_unloaded(place), sort_keys=True)))


@cache
def way(place: str) -> tuple[int, ...]:
    """The labels on the longest way, from the sink (0 hops) on; each node's own way is the part below it."""
    nexthop = dict(enumerate(parents(place), 1))
    at, found = FARTHEST[place], [FARTHEST[place]]
    while nexthop[at] != at:
        at = nexthop[at]
        found.append(at)
    return tuple(reversed(found))


def source(place: str, hops: int) -> int:
    """The node so many hops from the sink on the longest way."""
    return way(place)[hops]


def sources(place: str, depths: Sequence[int]) -> list[int]:
    """Those of several depths."""
    return [source(place, hops) for hops in depths]


def _unloaded(place: str) -> Content:
    mac = MICAZ | {"max_frame_bytes": TREE_FRAME_BYTES[place]}
    return {"name": "tree", **PLACES[place], "mac": mac, "node": NODE}


@cache
def _tree(world: str) -> list[int]:
    unloaded = Scenario.model_validate(json.loads(world))
    network = build(unloaded)
    found = [int(parent) for parent in shape_of(unloaded, network, 1).parent]
    found[network.sink] = network.sink
    return [int(network.labels[parent]) for parent in found]


@cache
def detour() -> int:
    """Another next hop for the node REROUTED_AT hops from the sink on the floor: of the neighbours that hear
    it and that it hears (GOOD), the one whose own way shares the fewest nodes with the old one, then the one
    with the fewest hops, then the one with the best link."""
    old = way("indoor")
    node, nexthop = old[REROUTED_AT], dict(enumerate(parents("indoor"), 1))
    unloaded = Scenario.model_validate(_unloaded("indoor"))
    network = build(unloaded)
    found = _engine.link_prr(unloaded_spec(unloaded, network, 1))
    labels = [int(label) for label in network.labels]
    rates = {
        (labels[int(src)], labels[int(dst)]): float(prr)
        for src, dst, prr in zip(found["src"], found["dst"], found["prr"], strict=True)
    }
    heard = {other: min(rates.get((node, other), 0.0), rates.get((other, node), 0.0)) for other in nexthop}
    ways = {other: _way_of(other, nexthop) for other in nexthop if heard[other] >= GOOD}
    free = [other for other, here in ways.items() if node not in here and other != old[REROUTED_AT - 1]]
    return min(free, key=lambda other: (len(set(ways[other]) & set(old)), len(ways[other]), -heard[other]))


def _way_of(node: int, nexthop: Mapping[int, int]) -> list[int]:
    """From a node to the sink, both included."""
    found = [node]
    while nexthop[found[-1]] != found[-1]:
        found.append(nexthop[found[-1]])
    return found
