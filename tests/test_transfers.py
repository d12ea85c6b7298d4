"""Bulk transfers in the simulated world: the bytes, the times, the failures, and what scenarios may ask."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from penstock import BadInput, Scenario, _engine, load_scenario
from penstock.experiment import run as run_all
from penstock.metrics import check_conservation
from penstock.plan import planned
from penstock.topology.build import build
from penstock.transfers import bulk_table, transfer_metrics, transfer_table
from penstock.world import world_spec

MODES = ["flush", "flush_e2e", "fixed", "asap", "blockwise"]
BYTE_S, TURNAROUND_S, ACK_S, UNIT_S = 32e-6, 192e-6, 11 * 32e-6, 320e-6
PATIENCE_S = {"flush": 6 * 16.0, "blockwise": 93.0}
"""What lib/include/penstock/bulk_ends.h promises."""


def line_of(nodes: int, **changes: Any) -> Scenario:
    """A line in which only neighbours hear each other, and those always; its far end has an object."""
    content: dict[str, Any] = {
        "name": "line",
        "seeds": 2,
        "topology": {"kind": "line", "nodes": nodes, "spacing_m": 10.0},
        "channel": {"path_loss_exponent": 8.0, "shadowing_sigma_db": 0.0, "path_loss_1m_db": 0.0}
        | dict.fromkeys(("hardware_tx_var", "hardware_noise_var", "hardware_covariance"), 0.0),
        "radio": {"kind": "cc2420"},
        "mac": {"kind": "ieee802154", "max_frame_bytes": 58},
        "routing": {"kind": "static", "parents": [1, *range(1, nodes)]},
        "congestion": {"control": "none"},
        "traffic": {"kind": "none"},
        "bulk": {"source": nodes, "interval_s": 0.02},
        "transfers": [{"bytes": 3000}],
        "time": {"settle_s": 1.0, "measure_s": 400.0},
        "records": {"log_bulk": True},
    }
    for key, value in changes.items():
        merged = key not in ("topology", "traffic") and isinstance(content.get(key), dict)
        content[key] = content[key] | value if merged else value
    return Scenario.model_validate(content)


def run(scenario: Scenario, seed: int = 1, content: bytes = b"") -> _engine.RunRecords:
    spec = world_spec(scenario, build(scenario), seed)
    spec.bulk.content = content
    records = _engine.run(spec)
    check_conservation(records)
    return records


def table(records: _engine.RunRecords) -> pl.DataFrame:
    return transfer_table(records.transfers, 1.0)


def only(scenario: Scenario, **options: Any) -> dict[str, Any]:
    """The row of a scenario's only transfer."""
    return table(run(scenario, **options)).row(0, named=True)


def arrivals(records: _engine.RunRecords) -> pl.DataFrame:
    return bulk_table(records.bulk, 1.0).filter(pl.col("kind") == "arrived")


def cut(sender: int, receiver: int, **entry: Any) -> dict[str, Any]:
    loss = {"sender": sender, "receiver": receiver, "to_s": 400.0, "loss": 1.0, "directions": "both"}
    return {"link_loss": [loss | entry]}


# ---- times ----


def cycle_s(frame_bytes: int) -> float:
    """Unslotted CSMA-CA over one clear hop: 0 to 7 units of backoff, one look, frame, acknowledgement."""
    return 3.5 * UNIT_S + 128e-6 + TURNAROUND_S + (6 + frame_bytes) * BYTE_S + TURNAROUND_S + ACK_S


def test_one_hop_without_a_pace_is_the_macs_closed_form() -> None:
    row = only(line_of(2, bulk={"mode": "asap"}, transfers=[{"bytes": 150_000}]))
    assert (row["outcome"], row["hops"], row["packet_bytes"]) == ("done", 1, 37)
    assert (row["packets"], row["transmissions"]) == (4055, 4056)  # the answer to the query is one more
    assert row["transfer_s"] / row["packets"] == pytest.approx(cycle_s(58), rel=0.01)


def test_one_hop_at_a_fixed_interval_keeps_it() -> None:
    """Packet i is handed over i intervals after the first; only the MAC's backoff lies between."""
    records = run(line_of(2, bulk={"mode": "fixed", "interval_s": 0.02}))
    times = arrivals(records)["time_s"].to_numpy()
    assert len(times) == 82
    off = times - times[0] - 0.02 * np.arange(82)
    assert np.abs(off).max() <= 7 * UNIT_S + 82e-6  # the library's clock has microseconds


def test_one_hop_block_by_block_pays_for_each_question() -> None:
    """A question of 31 bytes (flood header 18, request 11, check sequence 2) goes before each packet."""
    row = only(line_of(2, bulk={"mode": "blockwise"}, transfers=[{"bytes": 74_000}]))
    assert (row["packets"], row["requests"], row["rounds"]) == (2000, 2000, 0)
    assert row["transfer_s"] / row["packets"] == pytest.approx(cycle_s(58) + cycle_s(31), rel=0.02)


def test_flush_goes_at_the_pace_of_three_hops_on_a_line() -> None:
    """Whose neighbours alone hear each other: a packet every three (2.3.1, N >= 3, I = 1) of its hops' times,
    which the first attempt's backoff and rounding up to milliseconds make longer, never shorter."""
    one, five = (only(line_of(n, transfers=[{"bytes": 20_000}])) for n in (2, 6))
    assert one["goodput_Bps"] / five["goodput_Bps"] > 2.5
    assert five["goodput_Bps"] > one["goodput_Bps"] / 6
    assert five["queue_drops"] == 0


def test_the_phases_add_up() -> None:
    lossy = cut(3, 2, loss=0.9, from_s=1.0, to_s=3.0)
    row = only(line_of(4, bulk={"mode": "asap"}, faults=lossy, transfers=[{"bytes": 20_000}]))
    phases = [row[f"{phase}_s"] for phase in ("query", "transfer", "ack", "check")]
    assert sum(phases) == pytest.approx(row["completion_s"], abs=1e-9)
    assert row["check_s"] == 0, "storage takes no time"
    assert row["rounds"] >= 1
    assert 0 < row["arrived_first"] < row["arrived"] == row["packets"]
    assert row["transfer_loss_rate"] == pytest.approx(1 - row["arrived_first"] / row["packets"])
    assert row["overall_Bps"] == pytest.approx(20_000 / row["completion_s"])
    assert row["overall_pps"] == pytest.approx(row["packets"] / row["completion_s"])
    assert row["goodput_Bps"] == pytest.approx(37 * row["arrived_first"] / row["transfer_s"], rel=5e-3)
    assert row["end_s"] == pytest.approx(row["start_s"] + row["completion_s"])


# ---- bytes ----


@pytest.mark.parametrize("mode", MODES)
def test_bytes_are_the_same_under_forced_loss(mode: str) -> None:
    """Checked here as well as by the engine: the sink's buffer is handed out when the content was given."""
    content = bytes(np.random.default_rng(7).integers(0, 256, 5000, dtype=np.uint8))
    lossy = cut(4, 3, loss=0.5, from_s=0.0, to_s=30.0)
    scenario = line_of(6, bulk={"mode": mode}, faults=lossy, transfers=[{"bytes": len(content)}])
    for seed in (1, 2, 3):
        records = run(scenario, seed, content)
        row = table(records).row(0, named=True)
        assert (row["outcome"], row["same_bytes"]) == ("done", True)
        assert records.received == content
        assert sorted(arrivals(records)["index"].to_list()) == list(range(row["packets"]))


def test_random_bytes_differ_from_seed_to_seed_and_zeros_do_not_count() -> None:
    """The sink's buffer begins as zeros: that an object arrived can only be told by bytes that are not."""
    spec = world_spec(line_of(2), build(line_of(2)), 1)
    records = _engine.run(spec)
    assert records.received == b"", "only where the content was given"
    zeros = run(line_of(2), content=bytes(3000))
    assert zeros.received == bytes(3000)
    assert table(zeros)["same_bytes"].to_list() == [True]


def test_a_slow_base_station_loses_packets_and_they_are_sent_again() -> None:
    row = only(line_of(3, bulk={"mode": "asap"}, node={"sink_service_s": 0.02, "sink_buffer": 4}))
    assert row["sink_drops"] > 0
    assert (row["outcome"], row["same_bytes"]) == ("done", True)


@pytest.mark.parametrize("changes", [{"delay_code": "companded"}, {"payload_bytes": 16}, {"freeze": False}])
def test_choices_change_the_way_and_not_the_bytes(changes: dict[str, Any]) -> None:
    row = only(line_of(4, bulk=changes))
    assert row["same_bytes"]
    assert row["packet_bytes"] == changes.get("payload_bytes", 34)


# ---- failures ----


@pytest.mark.parametrize("mode", PATIENCE_S)
def test_a_cut_link_fails_with_its_reason_in_the_stated_time(mode: str) -> None:
    never = only(line_of(4, bulk={"mode": mode}, faults=cut(3, 2)))
    assert (never["outcome"], never["same_bytes"]) == ("unreachable", False)
    assert never["end_s"] <= PATIENCE_S["flush"] + 0.1  # the query is flooded and has Flush's patience
    assert never["completion_s"] is None
    assert never["hops"] is None

    long = [{"bytes": 60_000}]
    later = only(line_of(4, bulk={"mode": mode}, faults=cut(3, 2, from_s=2.0), transfers=long))
    assert later["outcome"] == "silent"
    assert 2.0 < later["end_s"] <= 2.0 + PATIENCE_S[mode] + 0.1
    assert 0 < later["arrived"] < later["packets"]


def test_a_source_that_stops_for_good_is_silent() -> None:
    scenario = line_of(4, faults={"failing": [4], "at_s": 1.0}, transfers=[{"bytes": 60_000}])
    row = only(scenario)
    assert row["outcome"] == "silent"
    assert row["end_s"] <= 1.0 + PATIENCE_S["flush"] + 0.1


def test_how_long_an_outage_may_be_is_a_matter_of_tries() -> None:
    """Questions come after twice the time of the one before: six of them bridge 3 s, ten 20 s."""
    for tries, until in ((6, 3.0), (10, 20.0)):
        faults = cut(3, 2, from_s=1.0, to_s=until)
        row = only(line_of(4, bulk={"tries": tries}, faults=faults, transfers=[{"bytes": 20_000}]))
        assert (row["outcome"], row["same_bytes"]) == ("done", True)
        assert row["end_s"] > until


def test_a_changed_route_costs_no_packet() -> None:
    """Flush, Fig. 19: a node's next hop changes, here to one beside the line, 4 to 6 north of 1 to 3."""
    scenario = line_of(
        6,
        topology={"kind": "grid", "nodes": 6, "columns": 3, "spacing_m": 10.0, "sink": 1},
        channel={"path_loss_exponent": 3.0, "path_loss_1m_db": 40.0},
        routing={"kind": "static", "parents": [1, 1, 2, 1, 4, 5]},
        bulk={"source": 3},
        faults={"reroute": [{"node": 3, "parent": 6, "at_s": 1.0}]},
        transfers=[{"bytes": 20_000}],
    )
    row = only(scenario)
    assert (row["same_bytes"], row["queue_drops"]) == (True, 0)
    assert row["hops"] == 4, "3, 6, 5, 4, 1"


# ---- several, and other traffic ----


def test_the_sink_asks_for_one_after_the_other() -> None:
    wanted = [
        {"source": [4, 3, 2], "bytes": 2000},
        {"source": 3, "bytes": 1000, "start_s": 50.0},
        {"source": 2, "bytes": 500, "start_s": 0.001},
    ]
    records = run(line_of(4, transfers=wanted))
    found = table(records)
    assert found["source"].to_list() == [3, 2, 1, 1, 2]
    assert found["hops"].to_list() == [3, 2, 1, 1, 2]
    assert found["bytes"].to_list() == [2000, 2000, 2000, 500, 1000]
    assert found["same_bytes"].all()
    start, end = found["start_s"].to_list(), found["end_s"].to_list()
    assert start[0] == pytest.approx(0.0)
    assert all(start[i + 1] == pytest.approx(end[i], abs=1e-5) for i in range(3))
    assert start[4] == pytest.approx(50.0)
    assert records.totals["measured_ns"] * 1e-9 == pytest.approx(end[-1]), "the run ends with the last one"
    metrics = transfer_metrics(found)
    assert metrics["transfers_done"] == 1.0
    assert metrics["completion_s"] == pytest.approx(float(np.mean(found["completion_s"].to_numpy())))


def test_what_does_not_end_in_time_is_told_so() -> None:
    wanted = [{"bytes": 60_000}, {"bytes": 100}]
    records = run(line_of(4, transfers=wanted, time={"measure_s": 3.0}))
    found = table(records)
    assert found["outcome"].to_list() == ["running", "waiting"]
    assert found["start_s"].to_list()[1] is None
    assert records.totals["measured_ns"] == 3_000_000_000
    assert transfer_metrics(found)["completion_s"] == float("inf")
    assert transfer_metrics(found)["transfers_done"] == 0.0


@pytest.mark.parametrize("control", ["fusion", "none", "wrcp"])
@pytest.mark.parametrize("priority", ["equal", "lower"])
def test_sensor_traffic_goes_on_beside(control: str, priority: str) -> None:
    scenario = line_of(
        5,
        traffic={"kind": "periodic", "rate_pps": 2.0},
        congestion={"control": control},
        bulk={"priority": priority},
        mac={"kind": "tinyos_cc2420", "max_frame_bytes": 80},
    )
    records = run(scenario)
    row = table(records).row(0, named=True)
    assert (row["outcome"], row["same_bytes"]) == ("done", True)
    assert records.nodes["delivered"].sum() > 0
    assert (
        row["completion_s"]
        > only(line_of(5, mac={"kind": "tinyos_cc2420", "max_frame_bytes": 80}))["query_s"]
    )


# ---- what is kept ----


def test_the_log_has_every_attempt_and_every_arrival() -> None:
    records = run(line_of(5, faults=cut(3, 2, loss=0.3)))
    row, log = table(records).row(0, named=True), bulk_table(records.bulk, 1.0)
    attempts = log.filter(pl.col("kind") == "attempt")
    assert log["time_s"].is_sorted()
    assert abs(len(attempts) - row["transmissions"]) <= 4, "what is on air at the end"
    assert row["transmissions"] == records.totals["frames_bulk"]
    assert len(log) - len(attempts) == row["arrived"] == row["packets"]
    assert not attempts["acked"].all()
    source = attempts.filter(pl.col("node") == 4)
    assert source["queue"].min() >= 1
    assert source["D_s"].drop_nulls().max() < 0.3
    assert log.filter(pl.col("kind") == "arrived")["acked"].null_count() == row["packets"]
    assert records.packets["origin"].size == 0


def test_results_do_not_depend_on_jobs(tmp_path: Path) -> None:
    scenario = line_of(4, transfers=[{"source": [4, 3], "bytes": 2000}])
    for jobs in (1, 2):
        run_all(scenario, tmp_path / str(jobs), jobs=jobs, report=False)
    for name in ("summary.json", "transfers.parquet", "bulk.parquet", "runs.parquet"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name


def test_results_have_the_tables_and_are_read_again(tmp_path: Path) -> None:
    scenario = line_of(4, axes={"bulk.source": [2, 4], "bulk.mode": ["flush", "blockwise"]})
    results = run_all(scenario, tmp_path / "out", report=False)
    again = type(results).load(tmp_path / "out")
    assert again.transfers.equals(results.transfers)
    assert again.bulk.equals(results.bulk)
    assert results.transfers["source"].unique().sort().to_list() == ["2", "4"]
    assert results.transfers["hops"].unique().sort().to_list() == [1, 3]
    metrics = results.summary["points"][0]["metrics"]
    for name in ("completion_s", "goodput_Bps", "overall_Bps", "transfer_loss_rate", "bulk_transmissions"):
        assert metrics[name]["mean"] is not None
    assert metrics["transmissions"]["mean"] == 0, "of sensor data"


def test_without_transfers_nothing_of_them_is_left() -> None:
    scenario = line_of(
        3, transfers=[], traffic={"kind": "periodic", "rate_pps": 1.0}, time={"measure_s": 5.0}
    )
    records = run(scenario)
    assert records.totals["frames_bulk"] == records.totals["frames_flood"] == 0
    assert len(records.transfers["source"]) == len(records.bulk["node"]) == 0
    assert records.totals["measured_ns"] == 5_000_000_000


# ---- what may be asked ----


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("transfers=[{source=101,bytes=9}]", "transfers.0.source: there is no node 101"),
        ("transfers=[{source=13,bytes=9},{source=94,bytes=10}]", "transfers.1.source: node 94 is the sink"),
        ("transfers=[{source=[2,2],bytes=10}]", "transfers.0.source: node 2 is listed twice"),
        ("transfers=[{source=2,bytes=0}]", '"transfers.0.bytes" is 0'),
        (
            "transfers=[{source=2,bytes=9},{source=2,bytes=1048561}]",
            "transfers.1.bytes: 1048561 are more than 65535",
        ),
        ("transfers=[{source=2}]", "transfers.0.bytes is missing"),
        (
            "transfers=[{source=2,bytes=9,start_s=600.0}]",
            "transfers.0.start_s (600) lies beyond time.measure_s",
        ),
        ("transfers=[{source=2,bites=9}]", 'unknown key "transfers.0.bites"; did you mean "bytes"?'),
        ("bulk.source=100000", "bulk.source: there is no node 100000"),
        ("bulk.bytes=0", '"bulk.bytes" is 0'),
        ("bulk.mode=fix", '"bulk.mode" is \'fix\'; did you mean "fixed"?'),
        ("bulk.payload_bytes=17", "bulk.payload_bytes: is 17, but frames of this length have room for 16"),
        ("bulk.local_share=17", "local_share (17) must not exceed queue (16)"),
        ("bulk.tries=255", "tries (255) times timeout_max_s (16) must be at most 1073 s"),
        ("mac.max_frame_bytes=35", "mac.max_frame_bytes: must be at least 36 for bulk transfer"),
    ],
)
def test_bad_input_names_its_key(repo: Path, setting: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        planned(load_scenario(repo / "scenarios" / "flush-indoor.toml", [setting]))
    assert words in str(caught.value)


def test_fixed_needs_its_interval_and_sleepers_hear_no_request() -> None:
    with pytest.raises(ValueError, match="needs interval_s"):
        line_of(3, bulk={"mode": "fixed", "interval_s": None})
    with pytest.raises(ValueError, match="who sleeps hears no request"):
        line_of(
            3,
            traffic={"kind": "duty_cycle", "core": [2]},
            routing={"kind": "tree", "parents": None},
        )


def test_the_longest_object_of_a_frame_is_accepted(repo: Path) -> None:
    planned(load_scenario(repo / "scenarios" / "flush-indoor.toml", ["transfers=[{bytes=1048560}]"]))


def test_26600_bytes_over_48_hops_simulate_in_two_seconds(repo: Path) -> None:
    import time

    began = time.process_time()
    results = run_all(load_scenario(repo / "scenarios" / "flush-line.toml"), seeds=1, jobs=1)
    spent = time.process_time() - began
    assert results.transfers["hops"].to_list() == [48]
    assert results.transfers["same_bytes"].all()
    assert spent < 2.0
