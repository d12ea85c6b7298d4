"""Links that lose frames in an interval, routes that change, and a base station's serial line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock import BadInput, Scenario, _engine, load_scenario
from penstock.metrics import check_conservation
from penstock.plan import planned
from penstock.static_routes import static_parents
from penstock.topology.build import build
from penstock.world import world_spec
from worlds import both_ways, world

QUIET: dict[str, Any] = {"settle_s": 5.0, "measure_s": 60.0}
KINDS = _engine.event_kinds()


def line_of(nodes: int, faults: dict[str, Any], **changes: Any) -> Scenario:
    """A line in which only neighbours hear each other, and those always; its far end sends, steadily."""
    content: dict[str, Any] = {
        "name": "line",
        "topology": {"kind": "line", "nodes": nodes, "spacing_m": 10.0},
        "channel": {"path_loss_exponent": 8.0, "shadowing_sigma_db": 0.0, "path_loss_1m_db": 0.0}
        | dict.fromkeys(("hardware_tx_var", "hardware_noise_var", "hardware_covariance"), 0.0),
        "radio": {"kind": "cc2420"},
        "mac": {"kind": "tinyos_cc2420"},
        "routing": {"kind": "static", "parents": [1, *range(1, nodes)]},
        "congestion": {"control": "none"},
        "traffic": {"kind": "flows", "flows": [{"source": nodes, "rate_pps": 10.0}]},
        "time": QUIET,
        "faults": faults,
    }
    return Scenario.model_validate(content | changes)


def run(scenario: Scenario, seed: int = 1) -> _engine.RunRecords:
    spec = world_spec(scenario, build(scenario), seed)
    spec.log_events = True
    records = _engine.run(spec)
    check_conservation(records)
    return records


def events(records: _engine.RunRecords, kind: str, node: int) -> dict[str, np.ndarray]:
    """A node's events of a kind; times in seconds of the measurement."""
    chosen = (records.events["kind"] == KINDS.index(kind)) & (records.events["node"] == node)
    columns = {name: column[chosen] for name, column in records.events.items()}
    return columns | {"s": columns["time_ns"] * 1e-9 - QUIET["settle_s"]}


# ---- forced losses ----


@pytest.mark.parametrize("directions", ["one", "both"])
def test_a_link_that_loses_all_is_cut_in_its_interval_alone(directions: str) -> None:
    loss = {"sender": 3, "receiver": 2, "from_s": 7.0, "to_s": 17.0, "loss": 1.0, "directions": directions}
    records = run(line_of(3, {"link_loss": [loss]}))
    got, sent = events(records, "received", 1)["s"], events(records, "transmitted", 2)["s"]
    assert not ((got >= 7.0) & (got < 17.0)).any()
    before, after = got[got < 7.0], got[got >= 17.0]
    assert len(before) == pytest.approx(70, abs=2)
    assert len(after) == pytest.approx(430, abs=12)
    assert after[0] - 17.0 < 0.5
    # Four attempts for each of the packets that the queue took in, none of which arrived.
    inside = (sent >= 7.0) & (sent < 17.0)
    assert records.totals["forced_losses"] == pytest.approx(inside.sum(), abs=1)
    assert records.nodes["drop_attempts_exhausted"][2] == pytest.approx(inside.sum() / 4, abs=2)


def test_half_of_the_frames_are_lost_and_acknowledgements_are_not() -> None:
    """Flush 4.5: a loss of 50 % doubles the transmissions that a packet takes; binomial, within 4 sigma."""
    loss = {"sender": 2, "receiver": 1, "from_s": 0.0, "to_s": 60.0, "loss": 0.5}
    scenario = line_of(2, {"link_loss": [loss]}, node={"link_attempts": 0, "queue": 64})
    records = run(scenario)
    sent, acked = int(records.nodes["transmissions"][1]), int(records.nodes["acked"][1])
    assert acked == records.nodes["received"][0]
    assert records.nodes["duplicates"][0] == 0, "every acknowledgement came"
    assert abs(acked - sent / 2) < 4 * np.sqrt(sent / 4)
    assert records.totals["forced_losses"] == pytest.approx(sent - acked, abs=1)
    both = line_of(2, {"link_loss": [loss | {"directions": "both"}]}, node={"link_attempts": 0, "queue": 64})
    lossy = run(both)
    assert lossy.nodes["duplicates"][0] > 100
    quarter = lossy.nodes["acked"][1] / lossy.nodes["transmissions"][1]
    assert quarter == pytest.approx(0.25, abs=4 * np.sqrt(0.1875 / int(lossy.nodes["transmissions"][1])))


def test_bmacs_acknowledgements_are_lost_too() -> None:
    """They are codes, not frames."""
    cut = {"sender": 1, "receiver": 2, "from_s": 0.0, "to_s": 60.0, "loss": 1.0}
    records = run(line_of(2, {"link_loss": [cut]}, radio={}, mac={}))
    assert records.nodes["acked"][1] == 0
    assert records.nodes["duplicates"][0] > 100


def test_other_links_draw_as_ever() -> None:
    """A loss on one link changes nothing before it begins, and nothing elsewhere that does not follow."""
    plain = run(line_of(3, {}))
    loss = {"sender": 3, "receiver": 2, "from_s": 30.0, "to_s": 31.0, "loss": 0.5}
    lossy = run(line_of(3, {"link_loss": [loss]}))
    for name in ("time_ns", "node", "kind", "seq"):
        until = [np.searchsorted(each.events["time_ns"], 35_000_000_000) for each in (plain, lossy)]
        assert np.array_equal(plain.events[name][: until[0]], lossy.events[name][: until[1]])
    again = run(line_of(3, {"link_loss": [loss]}))
    assert np.array_equal(lossy.packets["delivered_ns"], again.packets["delivered_ns"])


# ---- routes that change ----

FORK = both_ways((0, 1, 30.0), (0, 2, 30.0), (1, 3, 30.0), (2, 3, 30.0), (1, 2, 30.0))


def test_a_node_goes_another_way_from_the_moment_on() -> None:
    """3 sends over 1, and from 21 s on over 2; nothing is lost."""
    spec = world(FORK, [-1, 0, 0, 1], [0.0, 0.0, 0.0, 2.0], 40.0)
    spec.reroute_node = np.array([3], dtype=np.int32)
    spec.reroute_parent = np.array([2], dtype=np.int32)
    spec.reroute_at_s = np.array([21.0])
    spec.log_events = True
    records = _engine.run(spec)
    sent = (records.events["kind"] == KINDS.index("transmitted")) & (records.events["node"] == 3)
    when, to = records.events["time_ns"][sent] * 1e-9, records.events["peer"][sent]
    assert set(to[when < 21.0].tolist()) == {1}
    assert set(to[when > 21.1].tolist()) == {2}
    assert records.nodes["parent"].tolist() == [-1, 0, 0, 2]
    assert records.nodes["received"][1:3].sum() >= records.nodes["generated"][3] - 1
    assert records.nodes["delivered"][3] >= records.nodes["generated"][3] - 1


def test_a_route_changes_twice_and_a_dead_node_not_at_all() -> None:
    def parents(changes: list[tuple[int, int, float]], fail_at: float = np.inf) -> list[int]:
        spec = world(FORK, [-1, 0, 0, 1], [0.0, 0.0, 0.0, 2.0], 40.0)
        spec.reroute_node = np.array([node for node, _, _ in changes], dtype=np.int32)
        spec.reroute_parent = np.array([parent for _, parent, _ in changes], dtype=np.int32)
        spec.reroute_at_s = np.array([at_s for _, _, at_s in changes])
        spec.fail_at_s = np.array([np.inf, np.inf, np.inf, fail_at])
        return _engine.run(spec).nodes["parent"].tolist()

    assert parents([(3, 2, 10.0), (3, 1, 20.0)]) == [-1, 0, 0, 1]
    assert parents([(3, 2, 10.0), (1, 2, 20.0)]) == [-1, 2, 0, 2]
    assert parents([(3, 2, 10.0)], fail_at=5.0)[3] == 1


@pytest.mark.parametrize("kind", ["static", "tree", "ctp"])
def test_a_scenario_reroutes_under_any_routing(kind: str) -> None:
    # In a room with the sink, nobody would go over node 2.
    routing = {"kind": "static", "parents": [1, 1, 1, 1]} if kind == "static" else {"kind": kind}
    scenario = line_of(
        4,
        {"reroute": [{"node": 4, "parent": 2, "at_s": 20.0}]},
        routing=routing,
        topology={"kind": "room", "nodes": 4},
        channel={},
        time={"settle_s": 60.0, "measure_s": 60.0},
    )
    records = run(scenario)
    assert records.nodes["parent"].tolist() == [-1, 0, 0, 1]
    assert records.nodes["delivered"][3] > 590
    assert records.nodes["received"][1] == pytest.approx(400, abs=5)


# ---- what is refused ----

LOSS = "[[faults.link_loss]]\nsender = 2\nreceiver = 1\n"
REROUTE = "[[faults.reroute]]\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LOSS + "to_s = 5.0\nloss = 1.5", ['"faults.link_loss.0.loss" is 1.5', "less than or equal to 1"]),
        (LOSS + "to_s = 5.0\nloss = 0.0", ['"faults.link_loss.0.loss" is 0.0', "greater than 0"]),
        (LOSS + "loss = 0.5", ['"faults.link_loss.0.to_s" is missing']),
        (
            LOSS + "from_s = 7.0\nto_s = 7.0\nloss = 0.5",
            ['"faults.link_loss.0": to_s (7) must be after from_s (7)'],
        ),
        (
            LOSS + "to_s = 500.0\nloss = 0.5",
            ["faults.link_loss.0.to_s (500) lies beyond time.measure_s (240)"],
        ),
        (
            LOSS.replace("receiver = 1", "receiver = 2") + "to_s = 5.0\nloss = 0.5",
            ["sender and receiver are the same node, 2"],
        ),
        (
            LOSS.replace("sender = 2", "sender = 99") + "to_s = 5.0\nloss = 0.5",
            ["faults.link_loss.0.sender: there is no node 99"],
        ),
        (
            LOSS + "from_s = 3.0\nto_s = 8.0\nloss = 0.5\n" + LOSS + "to_s = 5.0\nloss = 0.2",
            ["faults.link_loss: two entries for frames from 2 to 1 overlap, 0 to 5 s and 3 to 8 s"],
        ),
        (
            LOSS + "from_s = 3.0\nto_s = 8.0\nloss = 0.5\ndirections = 'both'\n"
            "[[faults.link_loss]]\nsender = 1\nreceiver = 2\nto_s = 5.0\nloss = 0.2",
            ["two entries for frames from 1 to 2 overlap"],
        ),
        (
            LOSS + "to_s = 5.0\nloss = 0.5\nprobability = 0.5",
            ['unknown key "faults.link_loss.0.probability"'],
        ),
        (REROUTE + "node = 3\nparent = 3\nat_s = 1.0", ["node 3 cannot be its own parent"]),
        (REROUTE + "node = 1\nparent = 3\nat_s = 1.0", ["faults.reroute.0.node: node 1 is the sink"]),
        (REROUTE + "node = 3\nparent = 77\nat_s = 1.0", ["faults.reroute.0.parent: there is no node 77"]),
        (REROUTE + "node = 3\nparent = 1\nat_s = 240.0", ["faults.reroute.0.at_s (240) lies beyond"]),
        (
            REROUTE + "node = 3\nparent = 1\nat_s = 1.0\n" + REROUTE + "node = 3\nparent = 4\nat_s = 1.0",
            ["faults.reroute.1: another entry reroutes node 3 at 1 s too"],
        ),
        (
            REROUTE + "node = 2\nparent = 4\nat_s = 9.0",
            ["with node 4 for its parent from 9 s on, node 2 goes round in a loop"],
        ),
        ("[node]\nsink_service_s = -1.0", ['"node.sink_service_s" is -1.0']),
        ("[node]\nsink_buffer = 0", ['"node.sink_buffer" is 0']),
    ],
)
def test_bad_faults_are_named(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "case.toml"
    place = (
        '[topology]\nkind = "line"\nnodes = 4\n[channel]\nshadowing_sigma_db = 0.0\n'
        '[routing]\nkind = "static"\nparents = [1, 1, 2, 3]\n'
    )
    path.write_text(place + text + "\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        planned(load_scenario(path))
    for word in words:
        assert word in str(caught.value)


def test_the_engine_checks_for_itself() -> None:
    def refused(words: str, **fields: Any) -> None:
        spec = world(both_ways((0, 1, 30.0)), [-1, 0], [0.0, 1.0], 5.0)
        spec.loss_src, spec.loss_dst = np.array([1, 1], dtype=np.int32), np.array([0, 0], dtype=np.int32)
        spec.loss_from_s, spec.loss_to_s = np.array([0.0, 2.0]), np.array([2.0, 3.0])
        spec.loss_probability = np.array([0.5, 0.5])
        for name, value in fields.items():
            setattr(spec, name, value)
        with pytest.raises(ValueError, match=words):
            _engine.run(spec)

    refused("^loss: ", loss_from_s=np.array([0.0]))
    refused("^loss_src: ", loss_src=np.array([1, 7], dtype=np.int32))
    refused("^loss_to_s: ", loss_to_s=np.array([2.0, 1.0]))
    refused("^loss_from_s: ", loss_from_s=np.array([0.0, 1.5]))
    refused("^loss_probability: ", loss_probability=np.array([0.5, 0.0]))
    refused("^reroute: ", reroute_at_s=np.array([1.0]))
    refused("^sink_buffer: ", sink_service_s=0.01)
    route = {"reroute_node": np.array([0], dtype=np.int32), "reroute_parent": np.array([1], dtype=np.int32)}
    refused("^reroute_node: ", reroute_at_s=np.array([1.0]), **route)


def test_the_whole_sub_path_changes() -> None:
    """Flush 4.5: node 4 hops away takes another next hop, and with it another way to the sink."""
    scenario = line_of(
        9,
        {"reroute": [{"node": 5, "parent": 8, "at_s": 21.0}]},
        routing={"kind": "static", "parents": [1, 1, 2, 3, 4, 1, 6, 7, 5]},
        topology={"kind": "room", "nodes": 9},
        channel={},
    )
    assert static_parents(scenario, build(scenario)).tolist() == [-1, 0, 1, 2, 3, 0, 5, 6, 4]
    records = run(scenario)
    old = [events(records, "received", node)["s"] for node in (1, 2, 3)]
    new = [events(records, "received", node)["s"] for node in (5, 6, 7)]
    assert all(times.max() < 21.5 for times in old)
    assert all(times.min() > 21.0 for times in new)
    assert records.nodes["delivered"][8] >= records.nodes["generated"][8] - 3


# ---- the log of queues ----


def test_the_log_tells_the_queue_at_each_transmission() -> None:
    """A lone queue can be counted from the outside: what was admitted less what was acknowledged."""
    spec = world(both_ways((0, 1, 40.0)), [-1, 0], [0.0, 40.0], 20.0)
    spec.queue_capacity, spec.local_share, spec.log_events = 16, 16, True
    records = _engine.run(spec)
    log = records.events
    mine = log["node"] == 1
    admitted = np.cumsum(mine & (log["kind"] == KINDS.index("admitted")))
    sent = mine & (log["kind"] == KINDS.index("transmitted"))
    assert records.nodes["transmissions"][1] == records.nodes["acked"][1] + 1, (
        "no repeats, the last on its way"
    )
    before = np.cumsum(sent) - 1  # all earlier ones have gone
    assert np.array_equal(log["queue"][sent], (admitted - before)[sent])
    assert log["queue"][sent].max() == 16
    assert set(log["queue"][log["kind"] == KINDS.index("generated")].tolist()) == {-1}


# ---- the sink's serial line ----


def at_interval(interval_s: float, **node: Any) -> _engine.RunRecords:
    traffic = {"kind": "flows", "flows": [{"source": 2, "rate_pps": 1.0 / interval_s}]}
    return run(line_of(2, {}, traffic=traffic, node={"queue": 16, "local_share": 16} | node))


def test_a_serial_line_takes_what_it_can() -> None:
    """Flush 4.2: below 10 ms the sink loses packets; at 10 ms and above it does not."""
    for interval in (0.0125, 0.011):
        assert at_interval(interval, sink_service_s=0.01).nodes["drop_acked_then_dropped"].sum() == 0
    fast = at_interval(0.009, sink_service_s=0.01)
    assert int(fast.nodes["delivered"][1]) == pytest.approx(6000, abs=14)
    assert int(fast.nodes["drop_acked_then_dropped"][0]) == pytest.approx(6667 - 6000, abs=20)
    assert int(fast.nodes["acked"][1]) == pytest.approx(6667, abs=20), "the link acknowledges all the same"
    assert at_interval(0.009).nodes["drop_acked_then_dropped"].sum() == 0, "off by default"


def test_a_serial_line_holds_as_many_as_it_has_room_for() -> None:
    """A line that never gets anything done takes what fits, and nothing after that."""
    for room in (1, 2, 12):
        records = at_interval(0.05, sink_service_s=10.0, sink_buffer=room)
        delivered = records.packets["delivered_ns"]
        early = (delivered > 0) & (delivered < 14.0e9)  # before the first has left
        assert early.sum() == room
        assert int(records.nodes["delivered"][1]) == pytest.approx(room + 5, abs=1)
