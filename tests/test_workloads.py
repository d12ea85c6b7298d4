"""Workloads: who makes packets when, and what a scenario may ask for."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock
from penstock import BadInput, Scenario, _engine, load_scenario
from penstock.commands import app
from penstock.demand import clock_errors, demand, failures, rates
from penstock.fault_sections import FaultsSection
from penstock.metrics import check_conservation, run_metrics
from penstock.plan import planned
from penstock.topology.build import build
from penstock.workload_sections import EventTraffic, PeriodicTraffic
from penstock.world import unloaded_spec, workload, world_spec
from small import small


def scenario_of(**changes: Any) -> Scenario:
    return small(**({"axes": {}} | changes))


def one_run(scenario: Scenario, seed: int = 1) -> tuple[_engine.RunRecords, dict[str, float]]:
    spec = world_spec(scenario, build(scenario), seed)
    records = _engine.run(spec)
    check_conservation(records)
    return records, run_metrics(records, workload(spec, scenario))


# ---- the engine's draws ----


def test_draws_depend_on_purpose_seed_and_node_alone() -> None:
    few, many = _engine.draws("clock_error", 3, 2, 1), _engine.draws("clock_error", 3, 5, 4)
    assert few.shape == (2, 1)
    assert np.array_equal(few[:, 0], many[:2, 0])
    assert np.all((many >= 0) & (many < 1))
    assert len(np.unique(many)) == many.size
    assert not np.array_equal(many, _engine.draws("clock_error", 4, 5, 4))
    assert not np.array_equal(many, _engine.draws("failure", 3, 5, 4))
    with pytest.raises(ValueError, match="purpose: 'luck' is unknown"):
        _engine.draws("luck", 1, 2, 3)


# ---- events ----


def test_clocks_are_as_wrong_as_the_thesis_measured() -> None:
    """Thesis 5.5: 91 % of the nodes within 29 ms, all within 56 ms."""
    errors = np.concatenate([clock_errors(EventTraffic(), 55, seed) for seed in range(1, 201)])
    within = np.mean(np.abs(errors) <= 0.029)
    assert abs(within - 0.91) < 4 * math.sqrt(0.91 * 0.09 / errors.size)
    assert np.abs(errors).max() <= 0.056
    assert np.abs(errors).max() > 0.055, "the rest reaches to the bound"
    assert abs(np.mean(errors < 0) - 0.5) < 4 * math.sqrt(0.25 / errors.size)
    near = np.abs(errors[np.abs(errors) <= 0.029])
    assert near.mean() == pytest.approx(0.029 / 2, rel=0.02), "uniform within"


@settings(max_examples=30, deadline=None)
@given(
    st.floats(0.0, 0.4), st.floats(0.0, 0.5), st.floats(0.0, 1.0), st.floats(2.0, 30.0), st.integers(1, 1000)
)
def test_no_event_falls_before_the_measurement(
    within: float, more: float, share: float, period: float, seed: int
) -> None:
    traffic = {
        "kind": "event", "period_s": period, "clock_error_s": within,
        "clock_error_max_s": within + more, "clock_error_share": share,
    }  # fmt: skip
    scenario = scenario_of(traffic=traffic)
    network = build(scenario)
    asked = demand(scenario, network, unloaded_spec(scenario, network, seed))
    assert np.all(asked.event_first_s >= 0)
    assert np.all(asked.event_first_s <= 2 * (within + more) + 1e-9)
    assert asked.event_packets.tolist() == [0, 1, 1, 1]


def test_every_event_makes_its_packets_at_the_nodes_own_moment() -> None:
    scenario = scenario_of(
        traffic={"kind": "event", "event_size": 3}, time={"settle_s": 60.0, "measure_s": 60.0}
    )
    spec = world_spec(scenario, build(scenario), 1)
    records, metrics = one_run(scenario)
    assert records.nodes["generated"].tolist() == [0, 9, 9, 9]
    assert metrics["generated"] == 27
    for node in (1, 2, 3):
        made = records.packets["generated_ns"][records.packets["origin"] == node]
        first = 60.0 + spec.event_first_s[node]
        assert made.tolist() == [round(1e9 * (first + 20 * k)) for k in range(3) for _ in range(3)]
    assert metrics["delivery_ratio"] > 0.8


def test_a_burst_that_still_waits_gives_way_to_the_next_event() -> None:
    scenario = scenario_of(
        traffic={"kind": "event", "event_size": 255, "period_s": 2.0},
        time={"settle_s": 60.0, "measure_s": 20.0},
    )
    records, _ = one_run(scenario)
    reasons, seq = records.packets["reason"], records.packets["seq"]
    refused = reasons == _engine.drop_reasons().index("refused")
    assert refused.any()
    assert np.all(records.packets["admitted_ns"][refused] == -1)
    # Of each burst the stack took the first packets, and never one after a packet that was refused.
    last_taken = (records.packets["admitted_ns"] >= 0) & (seq % 255 == 254)
    assert not last_taken.any()


# ---- fan-in ----


def test_only_gateways_have_children() -> None:
    scenario = Scenario.model_validate(
        {
            "name": "x", "traffic": {"kind": "fan_in", "rate_pps": 0.5},
            "time": {"settle_s": 100.0, "measure_s": 10.0},
        }
    )  # fmt: skip
    network = build(scenario)
    spec = world_spec(scenario, network, 2)
    gateways = {int(i) for i in np.flatnonzero(spec.advertisers)} - {network.sink}
    assert len(gateways) == 10
    records, _ = one_run(scenario, 2)
    parents = {int(p) for p in records.nodes["parent"] if p >= 0}
    assert parents <= gateways | {network.sink}
    assert len(parents) > 3
    assert workload(spec, scenario).sources.sum() == 54
    assert np.all(records.nodes["generated"][np.arange(55) != network.sink] > 0)


def test_gateways_may_be_named() -> None:
    scenario = scenario_of(traffic={"kind": "fan_in", "gateways": [3, "2"]})
    assert world_spec(scenario, build(scenario), 1).advertisers.tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    ("gateways", "words"),
    [
        (4, "traffic.gateways is 4, but there are only 3 nodes besides the sink"),
        ([2, 9], "traffic.gateways: there is no node 9"),
        ([1], "traffic.gateways: node 1 is the sink"),
        ([2, 2], "traffic.gateways: node 2 is listed twice"),
    ],
)
def test_gateways_that_the_network_lacks_are_bad_input(
    gateways: int | list[int], words: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=words):
        penstock.run(scenario_of(traffic={"kind": "fan_in", "gateways": gateways}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_nodes_that_no_gateway_lets_in_are_named() -> None:
    far = {"kind": "line", "nodes": 6, "spacing_m": 14.0}
    with pytest.raises(BadInput, match=r"no path to the sink.*let more nodes forward"):
        planned(scenario_of(topology=far, traffic={"kind": "fan_in", "gateways": 1}))


# ---- unequal sources ----


@given(st.floats(1.01, 100.0), st.integers(1, 10_000))
def test_rates_are_spread_about_their_geometric_mean(spread: float, seed: int) -> None:
    drawn = rates(PeriodicTraffic(rate_pps=2.0, rate_spread=spread), 200, seed)
    assert np.all((drawn >= 2.0 / spread * (1 - 1e-9)) & (drawn <= 2.0 * spread * (1 + 1e-9)))
    logs = np.log(drawn / 2.0) / math.log(spread)
    assert abs(logs.mean()) < 5 / math.sqrt(3 * 200), "uniform in [-1, 1] has variance 1/3"


def test_without_spread_rates_are_exact() -> None:
    assert set(rates(PeriodicTraffic(rate_pps=0.3), 5, 1).tolist()) == {0.3}


def test_unequal_sources_make_unequal_numbers_of_packets() -> None:
    scenario = scenario_of(traffic={"rate_pps": 1.0, "rate_spread": 3.0})
    spec = world_spec(scenario, build(scenario), 1)
    records, _ = one_run(scenario)
    made = records.nodes["generated"]
    assert np.all(np.abs(made - np.asarray(spec.rate_pps) * 20.0) <= 1.0)
    assert len(set(made[1:].tolist())) > 1


# ---- duty cycle ----


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.9])
def test_leaves_sleep_as_long_as_asked(fraction: float) -> None:
    """Without congestion a leaf is asleep for the fraction, less the time that sending takes."""
    rate = 0.1
    scenario = scenario_of(
        traffic={"kind": "duty_cycle", "core": [2], "rate_pps": rate, "sleep_fraction": fraction},
        time={"settle_s": 100.0, "measure_s": 400.0},
    )
    records, metrics = one_run(scenario)
    asleep = records.nodes["time_sleep_s"] / 400.0
    assert asleep[:2].tolist() == [0.0, 0.0], "sink and core"
    sending_s = 0.2
    assert np.all(asleep[2:] <= fraction)
    assert np.all(asleep[2:] >= fraction - (sending_s * rate if fraction else 0.0))
    assert records.nodes["generated"].tolist() == [0, 0, 40, 40]
    assert metrics["delivery_ratio"] > 0.9
    assert workload(world_spec(scenario, build(scenario), 1), scenario).sources.tolist() == [0, 0, 1, 1]
    assert {int(parent) for parent in records.nodes["parent"]} <= {-1, 0, 1}, "leaves offer no routes"


def test_leaves_that_cannot_get_rid_of_their_packets_sleep_less() -> None:
    asleep: list[float] = []
    for rate in (1.0, 20.0):
        traffic = {"kind": "duty_cycle", "core": [2], "rate_pps": rate, "sleep_fraction": 0.5}
        records, _ = one_run(scenario_of(traffic=traffic, congestion={"control": "none"}))
        asleep.append(float(records.nodes["time_sleep_s"][2:].mean()))
    assert asleep[1] < 0.5 * asleep[0]


# ---- failures ----


@given(st.integers(0, 3) | st.floats(0.01, 0.99), st.integers(1, 1000))
def test_as_many_fail_as_asked_and_never_the_sink(wanted: float, seed: int) -> None:
    scenario = scenario_of()
    network = build(scenario)
    failing = failures(wanted, network, seed)
    assert len(failing) == (wanted if isinstance(wanted, int) else round(3 * wanted))
    assert network.sink not in failing
    assert len(set(failing)) == len(failing)


def test_failures_conserve_packets_and_are_no_sources() -> None:
    scenario = scenario_of(
        traffic={"rate_pps": 20.0},
        faults={"failing": [3], "at_s": 8.0},
        congestion={"control": "none"},
        routing={"kind": "static", "parents": [1, 1, 2, 3]},
    )
    records, _ = one_run(scenario)
    made = records.nodes["generated"]
    assert made[2] == pytest.approx(160, abs=1)
    assert made[3] == pytest.approx(400, abs=1)
    assert records.nodes["drop_node_down"][2] > 0
    assert records.nodes["time_sleep_s"][2] == pytest.approx(12.0, abs=0.5)
    assert workload(world_spec(scenario, build(scenario), 1), scenario).sources.tolist() == [0, 1, 0, 1]
    # Node 4 was behind it: nothing of what it makes afterwards arrives.
    late = (records.packets["origin"] == 3) & (records.packets["generated_ns"] > 129.0e9)
    assert not np.any(records.packets["delivered_ns"][late] >= 0)


def test_a_failed_node_stays_down_though_radios_nap() -> None:
    """Low-power listening wakes radios; not one whose node has failed, nor one whose leaf sleeps."""
    scenario = scenario_of(
        traffic={"rate_pps": 0.5},
        mac={"check_interval_s": 0.1},
        faults={"failing": [3], "at_s": 8.0},
        routing={"kind": "static", "parents": [1, 1, 2, 3]},
    )
    records, _ = one_run(scenario)
    states = ("tx", "rx", "idle", "startup", "sleep")
    total = sum(records.nodes[f"time_{state}_s"] for state in states)
    assert total == pytest.approx(20.0)
    up = 20.0 - records.nodes["time_sleep_s"]
    lived, _ = one_run(scenario.model_copy(update={"faults": FaultsSection()}))
    lived_up = 20.0 - lived.nodes["time_sleep_s"]
    assert up[2] < 0.6 * lived_up[2]
    assert records.nodes["generated"][2] <= 5


def test_seeds_draw_their_own_failures() -> None:
    network = build(Scenario(name="x"))
    assert failures(5, network, 1) != failures(5, network, 2)
    assert failures(5, network, 1) == failures(5, network, 1)
    assert set(failures(5, network, 1)) < set(failures(0.2, network, 1)), "more of them, the same first"


# ---- applications that adapt ----


def test_a_pace_changes_nothing_where_nothing_is_refused() -> None:
    plain, _ = one_run(scenario_of(traffic={"rate_pps": 0.2}))
    paced, _ = one_run(scenario_of(traffic={"rate_pps": 0.2}, application={"adaptation": "aimd"}))
    for name in ("generated_ns", "admitted_ns", "delivered_ns"):
        assert np.array_equal(plain.packets[name], paced.packets[name])


def test_a_pace_keeps_out_what_the_network_would_drop() -> None:
    """Overload: the sender offers less, so that less of what the stack takes is dropped on the way."""
    dropped: dict[str, float] = {}
    admitted: dict[str, int] = {}
    for adaptation in ("wait", "aimd"):
        scenario = scenario_of(
            traffic={"rate_pps": 40.0},
            application={"adaptation": adaptation},
            congestion={"control": "none"},
            time={"settle_s": 100.0, "measure_s": 60.0},
        )
        records, _ = one_run(scenario)
        taken = records.packets["admitted_ns"] >= 0
        admitted[adaptation] = int(taken.sum())
        dropped[adaptation] = float(np.mean(records.packets["fate"][taken] == 2))
        refused = records.packets["reason"] == _engine.drop_reasons().index("refused")
        assert not np.any(refused & taken)
    assert admitted["aimd"] < 0.9 * admitted["wait"]
    assert dropped["aimd"] < dropped["wait"]


# ---- what a scenario may ask for ----


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind = 'event'\nevent_size = 0", ['"traffic.event_size" is 0', "greater than or equal to 1"]),
        ("kind = 'event'\nevent_size = 256", ['"traffic.event_size" is 256', "less than or equal to 255"]),
        ("kind = 'event'\nperiod_s = 0.0", ['"traffic.period_s" is 0.0']),
        (
            "kind = 'event'\nrate_pps = 1.0",
            [
                'unknown key "traffic.rate_pps" for this kind of traffic',
                "it belongs to periodic, fan_in, duty_cycle",
            ],
        ),
        ("kind = 'fan_in'\ngateways = 0", ['"traffic.gateways" is 0', "greater than or equal to 1"]),
        ("kind = 'fan_in'\ngateways = []", ['"traffic.gateways" is []', "at least 1 item"]),
        ("kind = 'fan_in'\ngateways = 2.5", ['"traffic.gateways" is 2.5', "integer"]),
        ("kind = 'fan_in'\ngateways = [1.5]", ['"traffic.gateways.0" is 1.5']),
        ("rate_spread = 0.5", ['"traffic.rate_spread" is 0.5']),
        ("rate_pps = 1e-4\nrate_spread = 100.0", ["rate_spread (100) leaves sources with less than 1e-05"]),
        ("event_size = 2", ['unknown key "traffic.event_size" for this kind', "it belongs to event"]),
        ("kind = 'evnt'", ['"traffic.kind" is "evnt"', 'did you mean "event"', "periodic, "]),
        ("kind = 'event'\nevent_sise = 2", ['did you mean "event_size"', "[traffic]: kind, event_size"]),
        ("kind = 'event'\nclock_error_s = 0.1", ["clock_error_s (0.1) must not exceed clock_error_max_s"]),
        ("kind = 'event'\nperiod_s = 0.1", ["clock_error_max_s (0.056) must be less than half of period_s"]),
        ("kind = 'event'\nclock_error_share = 1.5", ['"traffic.clock_error_share" is 1.5']),
    ],
)
def test_bad_traffic_is_named(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "case.toml"
    path.write_text(f"[traffic]\n{text}\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_scenario(path)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[traffic]\nkind = 'duty_cycle'\nsleep_fraction = 1.0",
            ['"traffic.sleep_fraction" is 1.0', "less than 1"],
        ),
        ("[traffic]\nkind = 'duty_cycle'\nsleep_fraction = -0.1", ['"traffic.sleep_fraction" is -0.1']),
        ("[traffic]\nkind = 'duty_cycle'\ncore = 0", ['"traffic.core" is 0']),
        (
            "[traffic]\nkind = 'duty_cycle'\ncore = 55",
            ["traffic.core is 55", "only 54 nodes besides the sink"],
        ),
        ("[faults]\nfailing = 55", ["faults.failing is 55", "only 54 nodes"]),
        ("[faults]\nfailing = 1.5", ['"faults.failing" is 1.5', "less than 1"]),
        ("[faults]\nfailing = -1", ['"faults.failing" is -1', "greater than or equal to 0"]),
        ("[faults]\nfailing = [6]", ["faults.failing: node 6 is the sink"]),
        ("[faults]\nfailing = [99]", ["faults.failing: there is no node 99"]),
        ("[faults]\nfailing = 3\nat_s = 500.0", ["faults.at_s (500) must be less than time.measure_s (240)"]),
        ("[application]\nadaptation = 'amd'", ['"application.adaptation" is', 'did you mean "aimd"']),
        ("[application]\naimd_decrease = 1.0", ['"application.aimd_decrease" is 1.0']),
        (
            "[application]\nadaptation = 'aimd'\n[traffic]\nrate_pps = 0.0001",
            ["application.adaptation", "traffic.rate_pps is 0.0001"],
        ),
        (
            "[traffic]\nkind = 'fan_in'\n[routing]\nkind = 'static'\nparents = [1, 1]",
            ['traffic.kind = "fan_in" decides who offers routes', "routing.kind"],
        ),
    ],
)
def test_bad_workload_exits_with_two_and_writes_nothing(
    tmp_path: Path, text: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "case.toml").write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        app(["run", str(tmp_path / "case.toml"), "--out", str(tmp_path / "out")])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    for word in words:
        assert word in said
    assert not (tmp_path / "out").exists()


def test_traffic_without_a_kind_is_periodic() -> None:
    assert scenario_of(traffic={"rate_pps": 2.0}).traffic.kind == "periodic"
    assert Scenario(name="x").traffic.kind == "periodic"


# ---- the report ----


def test_the_report_of_events_speaks_of_events(tmp_path: Path) -> None:
    scenario = small(
        traffic={"kind": "event"},
        axes={"congestion.control": ["none", "occupancy"], "traffic.event_size": [1, 4]},
    )
    results = penstock.run(scenario, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Event size B (packets per node)" in page
    assert "makes 1 or 4 packets at once every 20 s" in page
    assert "Compare thesis Fig. 5-15." in page
    assert "Compare thesis Fig. 5-2." not in page
    assert "kind = &#34;event&#34;" in page
    assert results.findings == []
    again = penstock.run(scenario, tmp_path / "out")
    assert again.summary == results.summary
