"""Flows: who sends when, what the table says of each, and the series of a run."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import penstock
from penstock import BadInput, Results, Scenario, _engine
from penstock.demand import check_demand
from penstock.flows import Flows, flow_metrics, flow_table
from penstock.lexicographic import at_least, compare
from penstock.metrics import check_conservation
from penstock.plan import planned
from penstock.topology.build import build
from penstock.validation import validated
from penstock.world import world_spec

CC2420: dict[str, Any] = {
    "channel": {"path_loss_1m_db": 40.2, "noise_floor_dbm": -95.5, "shadowing_sigma_db": 0.0},
    "radio": {"kind": "cc2420"},
    "mac": {"kind": "tinyos_cc2420", "receive_processing_s": 0.0},
}
TWO_AND_THREE = [{"source": [2, 3], "stop_s": 5.0}, {"source": 3, "start_s": 5.0, "stop_s": 8.0}]


def scenario_of(flows: list[dict[str, Any]], **changes: Any) -> Scenario:
    """Four Telos motes on a line, node 1 the sink, 20 s."""
    settings: dict[str, Any] = {
        "name": "flows",
        "seeds": 1,
        "topology": {"kind": "line", "nodes": 4, "spacing_m": 5.0, "sink": 1},
        "node": {"link_attempts": 0},
        "congestion": {"control": "none"},
        "traffic": {"kind": "flows", "flows": flows},
        "time": {"settle_s": 100.0, "measure_s": 20.0},
    }
    return validated(settings | CC2420 | changes, "flows")


# ---- who sends when ----


def test_flows_are_sorted_by_source_and_time() -> None:
    scenario = scenario_of([{"source": 4, "rate_pps": 2.0, "packets": 7}, *TWO_AND_THREE])
    spec = world_spec(scenario, build(scenario), 1)
    assert spec.flow_source.tolist() == [1, 2, 2, 3]
    assert spec.flow_start_s.tolist() == [0.0, 0.0, 5.0, 0.0]
    assert spec.flow_stop_s.tolist() == [5.0, 5.0, 8.0, 20.0], "open ends at the measurement's"
    assert spec.flow_rate_pps.tolist() == [0.0, 0.0, 0.0, 2.0]
    assert spec.flow_packets.tolist() == [0, 0, 0, 7]


def test_all_is_every_node_but_the_sink() -> None:
    scenario = scenario_of([{}])
    assert world_spec(scenario, build(scenario), 1).flow_source.tolist() == [1, 2, 3]


def test_packets_are_made_while_their_flow_lasts() -> None:
    scenario = scenario_of([*TWO_AND_THREE, {"source": 4, "rate_pps": 3.0, "start_s": 10.0, "stop_s": 20.0}])
    packets = _engine.run(world_spec(scenario, build(scenario), 1)).packets
    at = packets["generated_ns"] * 1e-9 - 100.0
    for flow, (origin, start, stop) in enumerate(
        [(1, 0.0, 5.0), (2, 0.0, 5.0), (2, 5.0, 8.0), (3, 10.0, 20.0)]
    ):
        mine = packets["flow"] == flow
        assert mine.any()
        assert set(packets["origin"][mine].tolist()) == {origin}
        assert at[mine].min() >= start
        assert at[mine].max() < stop
    steady = at[packets["flow"] == 3]
    assert len(steady) == 30
    assert np.allclose(np.diff(steady), 1 / 3)
    backlogged = packets["flow"] < 3
    assert np.array_equal(packets["generated_ns"][backlogged], packets["admitted_ns"][backlogged])


def test_a_backlogged_source_sends_as_one_that_asks_too_often() -> None:
    """It waits for room, as a periodic source does whose readings come faster than the stack takes them."""
    flow = scenario_of([{"source": 2}])
    often = scenario_of([{"source": 2, "rate_pps": 1000.0}])
    delivered = [
        int(_engine.run(world_spec(scenario, build(scenario), 1)).nodes["delivered"][1])
        for scenario in (flow, often)
    ]
    assert delivered[0] > 1500
    assert delivered[0] == pytest.approx(delivered[1], rel=0.03)
    assert delivered[0] >= delivered[1] * 0.99


def test_a_limited_rate_limits_a_backlogged_source() -> None:
    """Tokens come back without anything else happening at the node: an idle source must not sleep over it."""
    chain = {"kind": "static", "parents": [1, 1, 2, 3]}
    made = {
        control: int(_engine.run(world_spec(scenario, build(scenario), 1)).nodes["delivered"].sum())
        for control in ("none", "rate")
        for scenario in [scenario_of([{"source": 4}], congestion={"control": control}, routing=chain)]
    }
    assert 20 < made["rate"] < made["none"]


# ---- the table ----


def packets_of(*rows: tuple[int, float, float]) -> dict[str, Any]:
    """(flow, admitted s, delivered s or -1), the measurement beginning at 100 s."""
    flow, admitted, delivered = zip(*rows, strict=True)
    ns = [
        np.array([-1 if t < 0 else round((100 + t) * 1e9) for t in times]) for times in (admitted, delivered)
    ]
    return {"flow": np.array(flow, dtype=np.int32), "admitted_ns": ns[0], "delivered_ns": ns[1]}


FLOWS = Flows(
    np.array([1, 1, 2], dtype=np.int32),
    np.array([0.0, 50.0, 10.0]),
    np.array([40.0, 90.0, 30.0]),
    np.array([0.0, 0.0, 2.0]),
    np.array([0, 2, 3], dtype=np.uint32),
)


def test_the_table_by_hand() -> None:
    packets = packets_of(
        *[(0, 1.0, 2.0), (0, 3.0, 3.5), (0, 39.0, 41.5), (0, 39.5, -1.0)],
        *[(1, 50.0, 51.0), (1, 50.0, 54.0)],
        *[(2, -1.0, -1.0), (2, 12.0, 13.0)],
    )
    table = flow_table(FLOWS, packets, 100.0, 14)
    assert table["flow"].to_list() == [1, 2, 3]
    assert table["packets"].to_list() == [None, 2, 3]
    assert table["rate_pps"].to_list() == [None, None, 2.0]
    assert table["made"].to_list() == [4, 2, 2]
    assert table["admitted"].to_list() == [4, 2, 1]
    assert table["delivered"].to_list() == [3, 2, 1]
    assert table["completion_s"].to_list() == [None, pytest.approx(4.0), None]
    assert table["goodput_pps"].to_list() == pytest.approx([3 / 40, 2 / 4, 1 / 20])
    assert table["goodput_Bps"].to_list() == pytest.approx([14 * 3 / 40, 7.0, 0.7])
    assert table["delay_median_s"].to_list() == pytest.approx([1.0, 2.5, 1.0])
    assert table["delay_mean_s"].to_list() == pytest.approx([4 / 3, 2.5, 1.0])
    assert table["delay_p95_s"][0] == pytest.approx(2.35)
    metrics = flow_metrics(table)
    assert metrics["packets_per_flow"] == 2.0
    assert metrics["goodput_Bps"] == pytest.approx((14 * 3 / 40 + 7.0 + 0.7) / 3)
    assert metrics["completion_s"] == np.inf, "one flow never got its packets through"
    assert flow_metrics(table.filter(pl.col("flow") < 3))["completion_s"] == pytest.approx(4.0)
    assert np.isnan(flow_metrics(table.filter(pl.col("flow") == 1))["completion_s"])


def test_a_flow_that_delivered_nothing_has_no_delay() -> None:
    table = flow_table(FLOWS, packets_of((1, 50.0, -1.0)), 100.0, 14)
    assert table["delivered"].to_list() == [0, 0, 0]
    assert table["goodput_Bps"].to_list() == [0.0, 0.0, 0.0]
    assert table["delay_mean_s"].null_count() == table["completion_s"].null_count() == 3


# ---- an experiment ----


def test_flows_and_series_are_kept_and_read_back(tmp_path: Path) -> None:
    scenario = scenario_of(
        [*TWO_AND_THREE, {"source": 4, "packets": 20}],
        traffic={
            "kind": "flows",
            "flows": [*TWO_AND_THREE, {"source": 4, "packets": 20}],
            "payload_bytes": 14,
        },
        records={"sample_s": 0.5},
        axes={"congestion.control": ["none", "fusion"]},
    )
    results = penstock.run(scenario, tmp_path / "out")
    again = Results.load(tmp_path / "out")
    assert again.flows.equals(results.flows)
    assert again.series.equals(results.series)
    assert results.flows.height == 2 * 4
    assert results.flows["source"].to_list()[:4] == ["2", "3", "3", "4"]
    last = results.flows.row(3, named=True)
    assert last["delivered"] == last["made"] == 20
    assert 0 < last["completion_s"] < 20
    assert last["goodput_Bps"] == pytest.approx(14 * 20 / last["completion_s"])
    series = results.series
    assert series.height == 2 * 40 * 4
    assert series["time_s"].unique().sort().to_list() == pytest.approx([0.5 * k for k in range(40)])
    rising = series.filter((pl.col("node") == "3") & (pl.col("congestion.control") == "none"))["delivered"]
    assert rising.is_sorted()
    assert rising[0] == 0
    delivered = results.nodes.filter(pl.col("node") == "3")["delivered"]
    assert rising[-1] <= delivered[0]
    busy = series.filter((pl.col("node") == "2") & (pl.col("time_s") < 5))["queue"]
    assert busy.to_list() != [0] * len(busy)
    rates = series.group_by("congestion.control", maintain_order=True).agg(
        pl.col("allowed_rate_pps").null_count()
    )
    assert rates["allowed_rate_pps"].to_list() == [160, 160], "neither knows a rate of its own"
    metrics = results.summary["points"][0]["metrics"]
    assert metrics["packets_per_flow"]["mean"] == pytest.approx(
        results.flows.filter(pl.col("congestion.control") == "none")["delivered"].mean()
    )
    assert {"completion_s", "goodput_Bps"} <= set(metrics)


def test_other_workloads_have_no_flows(tmp_path: Path) -> None:
    results = penstock.run(scenario_of([], traffic={"rate_pps": 1.0}), tmp_path / "out")
    assert results.flows.is_empty()
    assert results.series.is_empty()
    assert not (tmp_path / "out" / "flows.parquet").exists()
    assert "goodput_Bps" not in results.summary["points"][0]["metrics"]


def test_samples_change_no_result() -> None:
    bare = penstock.run(scenario_of([{}]))
    sampled = penstock.run(scenario_of([{}], records={"sample_s": 0.1}))
    assert bare.runs.equals(sampled.runs)
    assert bare.flows.equals(sampled.flows)


def test_the_series_tell_the_rate_that_is_allowed() -> None:
    scenario = scenario_of([{}], congestion={"control": "share"}, records={"sample_s": 1.0})
    late = penstock.run(scenario).series.filter((pl.col("time_s") > 10) & (pl.col("node") == "3"))
    got = late["delivered"][-1] - late["delivered"][0]
    assert late["allowed_rate_pps"].null_count() == 0
    assert late["allowed_rate_pps"].mean() == pytest.approx(got / (len(late) - 1), rel=0.2)


def test_identity_knows_of_series_when_they_are_asked_for() -> None:
    def configuration(**records: Any) -> str:
        return planned(scenario_of([{}], records=records)).identity["configuration"]

    assert configuration() == configuration(sample_s=0.0) == configuration(shown=[2])
    assert configuration(sample_s=1.0) != configuration()
    assert configuration(sample_s=1.0) == configuration(sample_s=1.0, shown=[2])
    assert configuration(sample_s=1.0) != configuration(sample_s=2.0)


def test_a_short_payload_makes_short_frames() -> None:
    long = _engine.run(world_spec(scenario := scenario_of([{}]), build(scenario), 1)).totals
    assert (long["payload_bytes"], long["data_frame_bytes"]) == (40 - 19, 40)
    scenario = scenario_of([], traffic={"kind": "flows", "payload_bytes": 14})
    short = _engine.run(world_spec(scenario, build(scenario), 1)).totals
    assert (short["payload_bytes"], short["data_frame_bytes"]) == (14, 33)


# ---- what a scenario may ask for ----


@pytest.mark.parametrize(
    ("flow", "words"),
    [
        ({"start_s": 9.0, "stop_s": 9.0}, ['"traffic.flows.0"', "stop_s (9) must be after start_s (9)"]),
        ({"stop_s": 21.0}, ["traffic.flows.0.stop_s (21) lies beyond time.measure_s (20)"]),
        ({"start_s": 20.0}, ["traffic.flows.0.start_s (20) lies beyond time.measure_s (20)"]),
        ({"strat_s": 1.0}, ['unknown key "traffic.flows.0.strat_s"; did you mean "start_s"?']),
        ({"start_s": "now"}, ["\"traffic.flows.0.start_s\" is 'now'", "valid number"]),
        ({"source": []}, ['"traffic.flows.0.source" is []', "at least 1 item"]),
        ({"rate_pps": 0.0}, ['"traffic.flows.0.rate_pps" is 0.0']),
        ({"packets": 0}, ['"traffic.flows.0.packets" is 0']),
    ],
)
def test_bad_flows_are_named(flow: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(BadInput) as caught:
        scenario_of([flow])
    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize(
    ("flows", "words"),
    [
        ([{}, {"source": 9}], "traffic.flows.1.source: there is no node 9"),
        ([{"source": [2, 1]}], "traffic.flows.0.source: node 1 is the sink"),
        ([{"source": [2, 2]}], "traffic.flows.0.source: node 2 is listed twice"),
        (
            [{"source": 3, "start_s": 4.0}, {"stop_s": 5.0}],
            r"node 3 has two flows at a time, traffic.flows.1 until 5 s and traffic.flows.0 from 4 s on",
        ),
    ],
)
def test_flows_that_the_network_cannot_have_are_bad_input(flows: list[dict[str, Any]], words: str) -> None:
    scenario = scenario_of(flows)
    with pytest.raises(BadInput, match=words):
        check_demand(scenario, build(scenario))


def test_other_keys_of_flows_are_checked() -> None:
    for changes, words in (
        ({"application": {"adaptation": "aimd"}}, "does not go with traffic.kind"),
        ({"records": {"sample_s": 0.001}}, "records.sample_s"),
        ({"records": {"shown": [1.5]}}, "records.shown.0"),
        ({"traffic": {"kind": "flows", "payload_bytes": 101}}, "traffic.payload_bytes"),
    ):
        with pytest.raises(BadInput, match=words):
            scenario_of([{}], **changes)
    with pytest.raises(BadInput, match=r"records\.shown: there is no node 7"):
        planned(scenario_of([{}], records={"shown": [7]}))
    with pytest.raises(
        BadInput, match=r"traffic\.payload_bytes: is 30, but .* room for 21; raise mac.max_frame_bytes"
    ):
        planned(scenario_of([], traffic={"kind": "flows", "payload_bytes": 30}))


def test_only_flows_that_last_have_a_bound() -> None:
    whole = scenario_of([{}])
    bound = penstock.max_min_bound(whole, build(whole), 1, 90.0)
    assert bound.height == 3
    assert bound["demand_pps"].is_infinite().all()
    assert (bound["bound_pps"] > 0).all()
    brief = scenario_of(TWO_AND_THREE)
    with pytest.raises(BadInput, match="flows that come and go have no one bound"):
        penstock.max_min_bound(brief, build(brief), 1, 90.0)


def test_the_engine_refuses_flows_out_of_order() -> None:
    scenario = scenario_of(TWO_AND_THREE)
    spec = world_spec(scenario, build(scenario), 1)
    spec.flow_source = spec.flow_source[::-1].copy()
    with pytest.raises(ValueError, match="flows: must be sorted"):
        _engine.run(spec)
    spec.flow_source = np.array([1, 2, 0], dtype=np.int32)
    with pytest.raises(ValueError, match="flow_source: must be a node, and not the sink"):
        _engine.run(spec)


# ---- lexicographic order ----


@pytest.mark.parametrize(
    ("a", "b", "order"),
    [
        ([3.0, 1.0, 2.0], [1.0, 2.0, 3.0], 0),
        ([1.0, 9.0], [2.0, 2.0], -1),
        ([2.0, 2.0], [1.0, 9.0], 1),
        ([1.0, 3.0], [1.0, 2.0], 1),
        ([], [], 0),
    ],
)
def test_the_poorest_decides(a: list[float], b: list[float], order: int) -> None:
    assert compare(a, b) == order
    assert at_least(a, b) == (order >= 0)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), max_size=6))
def test_the_order_is_antisymmetric(pairs: list[tuple[float, float]]) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert compare(a, b) == -compare(b, a)
    assert at_least(a, b) or at_least(b, a)
    assert at_least(a, a)


def test_near_enough_is_equal() -> None:
    assert compare([0.99, 5.0], [1.0, 4.0]) == -1
    assert compare([0.99, 5.0], [1.0, 4.0], tolerance=0.02) == 1
    with pytest.raises(ValueError, match="2 and 1 entries"):
        compare([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="tolerance"):
        compare([1.0], [1.0], 1.0)


def test_a_packet_in_a_receivers_hands_at_the_end_is_queued() -> None:
    """Its sender has the acknowledgement already, and its receiver has not looked at it yet."""
    slow = {"kind": "tinyos_cc2420", "receive_processing_s": 0.01}
    for step in range(30):
        measured = {"settle_s": 100.0, "measure_s": 1.0 + 0.0137 * step}
        scenario = scenario_of([{}], mac=slow, time=measured)
        check_conservation(_engine.run(world_spec(scenario, build(scenario), 1)))
