"""`[[interference]]`: how long 802.11 packets are on air, what they do, and what may not be asked."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from penstock import _engine
from penstock.commands import app
from penstock.errors import BadInput
from penstock.interference_sections import InterferenceSource, frame_air_s
from penstock.scenario import Scenario
from penstock.topology.build import build
from penstock.validation import validated
from penstock.world import world_spec

SECONDS = 20.0
MOTES = """
radio = { kind = "cc2420" }
mac = { kind = "ieee802154" }
time = { settle_s = 1.0, measure_s = 20.0 }
routing = { kind = "static", parents = [1, 1, 2, 3] }
topology = { kind = "line", nodes = 4, spacing_m = 10.0, sink = 1 }
"""
"""A line of four motes, the sink at its western end."""


def source(rate: float, **more: object) -> dict[str, object]:
    """Beside the sink all the time."""
    interval = {"from_s": 0.0, "to_s": SECONDS, "rate_kBps": rate, "power_dbm": 15.0}
    return {"near": 1, "schedule": [interval], **more}


def line(interference: list[dict[str, object]], seed: int = 1) -> tuple[Scenario, _engine.WorldSpec]:
    scenario = validated(
        {
            "name": "line",
            "radio": {"kind": "cc2420"},
            "mac": {"kind": "ieee802154"},
            "time": {"settle_s": 1.0, "measure_s": SECONDS},
            "routing": {"kind": "static", "parents": [1, 1, 2, 3]},
            "topology": {"kind": "line", "nodes": 4, "spacing_m": 10.0, "sink": 1},
            "channel": {"shadowing_sigma_db": 0.0},
            "congestion": {"control": "none"},
            "traffic": {"rate_pps": 2.0},
            "interference": interference,
        },
        "line",
    )
    return scenario, world_spec(scenario, build(scenario), seed)


def delivered(interference: list[dict[str, object]]) -> float:
    """Share of the packets made that arrive."""
    nodes = _engine.run(line(interference)[1]).nodes
    return float(nodes["delivered"].sum() / nodes["generated"].sum())


def test_air_time() -> None:
    """By hand, IEEE 802.11-2007: at 54 Mbit/s a symbol holds 216 bits, at 24 Mbit/s 96, at 6 Mbit/s 24."""
    assert frame_air_s(954, 54) == pytest.approx((16 + 4 + 4 * 36) * 1e-6)  # 22 + 7632 bits
    assert frame_air_s(14, 24) == pytest.approx((16 + 4 + 4 * 2) * 1e-6)  # 22 + 112 bits
    assert frame_air_s(14, 6) == pytest.approx((16 + 4 + 4 * 6) * 1e-6)
    fast = InterferenceSource.model_validate(source(890.0))
    assert fast.air_s == pytest.approx((164 + 6 + 10 + 28) * 1e-6)
    slow = InterferenceSource.model_validate(source(17.8, bit_rate_mbps=6))
    assert slow.air_s == pytest.approx((20 + 4 * 319 + 6 + 10 + 44) * 1e-6)


def test_what_the_radio_takes_in() -> None:
    assert InterferenceSource.model_validate(source(1.0)).in_band_db == pytest.approx(-10.41, abs=0.01)
    assert InterferenceSource.model_validate(source(1.0, bandwidth_mhz=2.0)).in_band_db == 0.0


def test_wrcps_rates_are_packets_per_second() -> None:
    """Fig. 20's 17.8, 890 and 1780 kB/s in packets of 890 bytes."""
    for rate, packets in ((17.8, 20), (890.0, 1000), (1780.0, 2000)):
        _, spec = line([source(rate)])
        assert spec.interference_pps == pytest.approx([packets])
        bursts = _engine.run(spec).totals["interference_bursts"]
        assert bursts == pytest.approx(packets * SECONDS, abs=1)


def test_the_more_packets_the_less_arrives() -> None:
    """At 20 packets/s most frames find their gap; at 2000 there is none for a frame of 1.5 ms."""
    quiet = delivered([])
    assert quiet > 0.98
    assert delivered([source(17.8)]) > 0.95
    assert delivered([source(1780.0)]) < 0.02


def test_packets_together_leave_gaps() -> None:
    """1000 packets/s, evenly, hit every frame; in lots of 20 they leave most of the time free."""
    assert delivered([source(890.0)]) < 0.02
    assert delivered([source(890.0, packets_together=20)]) > 0.5


def test_a_station_far_away_does_nothing() -> None:
    scenario, spec = line([source(1780.0, distance_m=50_000.0)])
    alone = world_spec(scenario.model_copy(update={"interference": []}), build(scenario), 1)
    far, none = _engine.run(spec), _engine.run(alone)
    for name, column in none.nodes.items():
        assert np.array_equal(far.nodes[name], column, equal_nan=True), name
    assert far.totals["interference_bursts"] == 2000 * SECONDS


def test_it_comes_and_goes_by_its_schedule() -> None:
    """Nothing arrives from 5 to 10 s after the start, everything else does."""
    intervals = [{"from_s": 5.0, "to_s": 10.0, "rate_kBps": 1780.0, "power_dbm": 15.0}]
    _, spec = line([{"near": 1, "distance_m": 2.0, "schedule": intervals}])
    packets = _engine.run(spec).packets
    arrived = (packets["delivered_ns"][packets["delivered_ns"] >= 0] / 1e9) - 1.0
    assert ((arrived > 5.01) & (arrived < 10.0)).sum() == 0
    assert ((arrived < 5.0).sum()) > 20
    assert ((arrived > 10.0).sum()) > 40


def test_the_same_seed_gives_the_same_run() -> None:
    first, second = (_engine.run(line([source(400.0)], 7)[1]) for _ in range(2))
    for name, column in first.nodes.items():
        assert np.array_equal(second.nodes[name], column, equal_nan=True), name


def test_position_and_near_agree() -> None:
    _, near = line([source(890.0, distance_m=3.0)])
    _, placed = line([source(890.0, near=None, position=[3.0, 0.0])])
    assert near.interferers == placed.interferers


INTERVAL = "from_s = 0.0, to_s = 5.0, rate_kBps = 17.8, power_dbm = 0.0"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("near = 9\nschedule = [{ %s }]", 'interference.0.near names the unknown node "9"'),
        ("schedule = [{ %s }]", '"interference.0": needs one of near (a node) and position'),
        ("near = 1\nposition = [0.0, 0.0]\nschedule = [{ %s }]", "needs one of near"),
        ("near = 1\nschedule = []", '"interference.0.schedule"'),
        ("near = 1", '"interference.0.schedule" is missing'),
        (
            "near = 1\nschedule = [{ %s }]\npower = 3",
            'unknown key "interference.0.power"; Allowed there: near',
        ),
        ("near = 1\nschedule = [{ %s, rate = 3 }]", 'unknown key "interference.0.schedule.0.rate"'),
        (
            "near = 1\nschedule = [{ from_s = 5.0, to_s = 5.0, rate_kBps = 1.0, power_dbm = 0.0 }]",
            '"interference.0.schedule.0": to_s (5) must be after from_s (5)',
        ),
        (
            "near = 1\nschedule = [{ %s }, { from_s = 4.0, to_s = 6.0, rate_kBps = 1.0, power_dbm = 0.0 }]",
            "schedule.1.from_s (4) must not be before schedule.0.to_s (5)",
        ),
        (
            "near = 1\nschedule = [{ from_s = 0.0, to_s = 60.0, rate_kBps = 1.0, power_dbm = 0.0 }]",
            "interference.0.schedule.0.to_s (60) lies beyond time.measure_s (20)",
        ),
        (
            "near = 1\nschedule = [{ from_s = 0.0, to_s = 5.0, rate_kBps = 9000.0, power_dbm = 0.0 }]",
            "schedule.0.rate_kBps (9000) is more than 802.11g carries",
        ),
        (
            "near = 1\nschedule = [{ from_s = 0.0, to_s = 5.0, rate_kBps = 1.0, power_dbm = 99.0 }]",
            '"interference.0.schedule.0.power_dbm" is 99.0',
        ),
        ("near = 1\nbit_rate_mbps = 11\nschedule = [{ %s }]", '"interference.0.bit_rate_mbps" is 11'),
    ],
)
def test_bad_input(entry: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "line.toml"
    text = entry.replace("%s", INTERVAL)
    path.write_text(f"{MOTES}\n[[interference]]\n{text}\n", encoding="utf-8")
    told = CliRunner().invoke(app, ["check", str(path)])
    assert told.exit_code == 2, told.stdout
    assert words in told.stderr


def test_a_cc1000_hears_no_80211() -> None:
    with pytest.raises(BadInput, match=r'which radio.kind = "cc1000" does not hear'):
        validated({"name": "office", "interference": [source(1.0)]}, "office")


def test_measured_gains_say_nothing_of_others() -> None:
    scenario, _ = line([source(1.0)])
    network = build(scenario)
    gains = type(network)(
        network.labels,
        network.positions,
        network.sink,
        np.array([1], dtype=np.int32),
        np.array([0], dtype=np.int32),
        np.array([-60.0]),
    )
    with pytest.raises(BadInput, match="interference needs a channel that is modelled over positions"):
        world_spec(scenario, gains, 1)


def test_the_engine_checks_too() -> None:
    _, spec = line([source(17.8)])
    spec.interference_to_s = np.array([-1.0])
    with pytest.raises(ValueError, match="interference_from_s"):
        _engine.run(spec)
