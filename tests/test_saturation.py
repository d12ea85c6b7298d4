"""Saturation of the CC2420's MACs: one sender in closed form, many within bounds, and the command."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from penstock import _engine
from penstock.commands import app
from penstock.saturation import FRAME_BYTES, Saturation, mac_scenario, measured, one_peak, saturated_spec

BYTE_S = 32e-6
FRAME_S = (4 + 2 + FRAME_BYTES) * BYTE_S
ACK_S = 11 * BYTE_S
TURNAROUND_S = 192e-6
TICK_S = 1 / 32_768
SPI_BYTE_S = 8 * 2 / 1_048_576
"""The Tmote's bus to the radio: half of 1 MiHz."""

JIFFY_S = 256 / 7_372_800
MICAZ_SPI_BYTE_S = 8 * 2 / 7_372_800
"""The MicaZ's timer, and its bus to the radio: half of its clock."""

CYCLE_S = {
    # Loading 1 + 38 bytes, 11 to 320 ticks of backoff, 7 ticks between two looks at the channel, the frame,
    # 8 bytes read by the receiver, its acknowledgement, 6 bytes read by the sender.
    "tinyos_cc2420": (1 + FRAME_BYTES - 2) * SPI_BYTE_S
    + 165.5 * TICK_S
    + 7 * TICK_S
    + TURNAROUND_S
    + FRAME_S
    + 8 * SPI_BYTE_S
    + TURNAROUND_S
    + ACK_S
    + 6 * SPI_BYTE_S,
    # 10, 20 ... 160 jiffies of backoff, loading 1 + 38 bytes, the frame, all of which the receiver reads, its
    # acknowledgement, of which the sender reads 6 bytes.
    "tinyos1_cc2420": 85 * JIFFY_S
    + (1 + FRAME_BYTES - 2) * MICAZ_SPI_BYTE_S
    + TURNAROUND_S
    + FRAME_S
    + (1 + FRAME_BYTES) * MICAZ_SPI_BYTE_S
    + TURNAROUND_S
    + ACK_S
    + 6 * MICAZ_SPI_BYTE_S,
    # 0 to 7 units of backoff, one look, the frame, the acknowledgement.
    "ieee802154": 3.5 * 320e-6 + 128e-6 + TURNAROUND_S + FRAME_S + TURNAROUND_S + ACK_S,
}


WORK = "mac.receive_processing_s=0.010"


def point(mac: str, senders: int, seconds: float = 20.0, changes: tuple[str, ...] = ()) -> Saturation:
    return measured(mac_scenario(mac, changes=changes), senders, seconds, seeds=1)


def tinyos(senders: int, *changes: str) -> Saturation:
    """With 10 ms of work for each received frame, unless changed."""
    return measured(mac_scenario("tinyos_cc2420", changes=[WORK, *changes]), senders, 20.0, seeds=1)


@pytest.mark.parametrize("mac", CYCLE_S)
@pytest.mark.parametrize("processing_s", [0.0, 0.004])
def test_one_sender_is_the_closed_form(mac: str, processing_s: float) -> None:
    one = point(mac, 1, 60.0, (f"mac.processing_s={processing_s}",))
    assert one.throughput_pps.mean == pytest.approx(1 / (CYCLE_S[mac] + processing_s), rel=0.01)
    assert one.channel_loss_rate.mean < 2e-4  # the last frame may not have ended


def test_the_micaz_takes_what_flush_measured_for_one_hop() -> None:
    """Flush, section 4.2: one hop sustains no interval below 8 ms. Without any work of the processor the
    longest cycle takes 8.0 ms; with 2.65 ms of it the mean does, and a throughput test finds 125 packets/s.
    """
    mean = CYCLE_S["tinyos1_cc2420"]
    longest = mean + 75 * JIFFY_S
    assert (round(1e3 * mean, 1), round(1e3 * longest, 1)) == (5.3, 8.0)
    assert mean + 0.00265 == pytest.approx(0.008, rel=0.001)
    one = point("tinyos1_cc2420", 1, 60.0, ("mac.processing_s=0.00265",))
    assert one.throughput_pps.mean == pytest.approx(125.0, rel=0.005)


def test_a_received_frame_begins_a_backoff_anew() -> None:
    """Two senders that hear each other: the one whose frame has just gone draws from the short window, the
    other one waits for 5.6 to 9.0 ms. So they hardly collide, and take long turns."""
    deferring, not_deferring = (
        point("tinyos1_cc2420", 4, 60.0, (f"mac.defers={defers}",)) for defers in ("true", "false")
    )
    assert deferring.channel_loss_rate.mean < 0.02
    assert not_deferring.channel_loss_rate.mean > 0.2
    assert deferring.frames_pps.mean == pytest.approx(1 / CYCLE_S["tinyos1_cc2420"], rel=0.02)


def test_tinyos_takes_what_flush_measured_for_one_hop() -> None:
    """Flush, section 4: one hop takes a packet in 8 to 10 ms. Nothing was fitted to come near it."""
    assert 0.008 <= CYCLE_S["tinyos_cc2420"] <= 0.010


@pytest.mark.parametrize("senders", [2, 4, 10])
def test_a_processor_takes_what_it_can_work_on(senders: int) -> None:
    """100 frames/s at 10 ms each, whatever is on air; frames acknowledged too late come again."""
    several = tinyos(senders)
    assert several.frames_pps.mean == pytest.approx(1 / 0.010, rel=0.01)
    assert several.throughput_pps.mean < 0.5 * several.frames_pps.mean
    twice = tinyos(senders, "mac.receive_processing_s=0.02")
    assert twice.frames_pps.mean == pytest.approx(1 / 0.020, rel=0.01)


def test_one_sender_waits_for_the_processor() -> None:
    """A lone sender's packets come 8.3 ms apart; whoever takes 10 ms for each makes it wait."""
    one = tinyos(1)
    assert one.throughput_pps.mean == pytest.approx(1 / 0.010, rel=0.01)
    assert one.frames_pps.mean == one.throughput_pps.mean
    assert tinyos(1, "mac.receive_processing_s=0.002").throughput_pps.mean == pytest.approx(120.2, rel=0.01)


def test_below_its_capacity_a_processor_loses_little() -> None:
    """WRCP, section 1: three sources around a sink sustain 16 packets/s each, and overhear each other."""
    spec = saturated_spec(mac_scenario("tinyos_cc2420", changes=[WORK]), 3, 60.0, 1)
    spec.rate_pps = np.array([0.0, 16.0, 16.0, 16.0])
    nodes = _engine.run(spec).nodes
    assert nodes["received"][0] / 60.0 == pytest.approx(48.0, rel=0.01)
    assert nodes["transmissions"].sum() < 1.1 * nodes["received"][0]


def test_a_full_receive_buffer_is_counted() -> None:
    def lost(changes: tuple[str, ...]) -> int:
        spec = saturated_spec(mac_scenario("tinyos_cc2420", changes=changes), 4, 10.0, 1)
        return int(_engine.run(spec).nodes["rx_overflows"].sum())

    assert lost((WORK,)) > 1000
    assert lost(("mac.receive_processing_s=0.001",)) == 0


@pytest.mark.parametrize("mac", CYCLE_S)
def test_many_senders_share_the_air(mac: str) -> None:
    """Less than the air holds, and more than a third of it; the more senders, the more collisions."""
    curve = [point(mac, n) for n in (1, 2, 4, 7, 10)]
    air = 1 / (TURNAROUND_S + FRAME_S + TURNAROUND_S + ACK_S)
    assert all(each.frames_pps.mean < air for each in curve)
    assert all(each.throughput_pps.mean > air / 3 for each in curve[1:])
    losses = [each.channel_loss_rate.mean for each in curve]
    assert losses == sorted(losses)


def test_without_a_processor_the_curve_rises_and_then_hardly_changes() -> None:
    """What the air and TinyOS's MAC alone would give: the shape of WRCP's Fig. 4 at two and a half times its
    height (docs/design.md)."""
    rates = {n: point("tinyos_cc2420", n).throughput_pps.mean for n in range(1, 9)}
    assert rates[1] < rates[2] < rates[3]
    beyond = [rates[n] for n in range(4, 9)]
    assert max(beyond) / min(beyond) < 1.15


def test_a_packet_is_tried_until_it_is_acknowledged() -> None:
    """link_attempts = 0: over links that lose most frames, every packet arrives all the same."""
    spec = saturated_spec(mac_scenario("ieee802154"), 1, 60.0, 1)
    spec.links_gain_db = np.asarray(spec.links_gain_db) - 41.3  # a SINR of -1.3 dB
    spec.rate_pps = np.array([0.0, 2.0])
    records = _engine.run(spec)
    nodes = records.nodes
    assert nodes["transmissions"][1] > 2 * nodes["acked"][1] > 200
    assert sum(int(nodes[name].sum()) for name in nodes if name.startswith("drop_")) == 0
    assert nodes["delivered"][1] >= nodes["generated"][1] - 2


def test_a_frame_that_found_no_channel_is_no_attempt() -> None:
    """Five busy looks give a frame back; with one attempt for each packet, none may be lost for that."""
    spec = saturated_spec(mac_scenario("ieee802154", 119), 40, 20.0, 1)
    spec.link_attempts = 1
    nodes = _engine.run(spec).nodes
    looks_per_frame = nodes["cca_busy"][1:] / nodes["transmissions"][1:]
    assert looks_per_frame.mean() > 5, "most frames were given back at least once"
    failed = nodes["transmissions"].sum() - nodes["acked"].sum()
    assert abs(int(nodes["drop_attempts_exhausted"].sum()) - int(failed)) <= 40  # one may be on its way


def test_the_same_seed_gives_the_same_counts() -> None:
    first, second = (measured(mac_scenario("tinyos_cc2420"), 5, seconds=5.0, seeds=2) for _ in range(2))
    assert first == second


def test_the_command() -> None:
    arguments = ["saturation", "--senders", "2", "--seeds", "2", "--seconds", "5"]
    told = CliRunner().invoke(app, [*arguments, "--json"])
    points = json.loads(told.stdout)["points"]
    assert [(point["mac"], point["senders"]) for point in points] == [
        (mac, n) for mac in ("tinyos_cc2420", "tinyos1_cc2420", "ieee802154") for n in (1, 2)
    ]
    assert all(point["throughput_pps"]["ci"][0] is not None for point in points)
    table = CliRunner().invoke(app, arguments)
    assert table.exit_code == 0
    assert "about 90 packets/s" in table.stdout


def test_the_capacity_table_is_a_scenario_fragment(tmp_path: Path) -> None:
    """For a scenario's own radio, MAC and frame length, as TOML with a list of positive numbers."""
    scenario, table = tmp_path / "one.toml", tmp_path / "capacity.toml"
    scenario.write_text('radio.kind = "cc2420"\n[mac]\nkind = "ieee802154"\nmax_frame_bytes = 60\n')
    arguments = ["saturation", str(scenario), "--senders", "3", "--seeds", "1", "--seconds", "5", "--json"]
    told = CliRunner().invoke(app, [*arguments, "--table", str(table)])
    assert told.exit_code == 0, told.stderr
    points = json.loads(told.stdout)["points"]
    written = tomllib.loads(table.read_text())
    rates = one_peak([each["frames_pps"]["mean"] for each in points])
    assert written == {"congestion": {"wrcp_capacity_pps": [round(rate, 1) for rate in rates]}}
    held = mac_scenario("ieee802154", changes=[f"congestion.wrcp_capacity_pps={rates}"])
    assert held.congestion.wrcp_capacity_pps == rates
    assert len(points) == 3
    assert {each["frame_bytes"] for each in points} == {60}
    longer = CliRunner().invoke(app, [*arguments, "--set", "mac.max_frame_bytes=100"])
    assert (
        json.loads(longer.stdout)["points"][0]["frames_pps"]["mean"]
        < written["congestion"]["wrcp_capacity_pps"][0]
    )


@pytest.mark.parametrize(
    ("values", "nearest"),
    [
        ([1.0], [1.0]),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
        ([3.0, 2.0, 1.0], [3.0, 2.0, 1.0]),
        ([1.0, 4.0, 2.0], [1.0, 4.0, 2.0]),
        ([4.0, 2.0, 3.0], [4.0, 2.5, 2.5]),
        ([10.0, 9.0, 11.0, 8.0], [9.5, 9.5, 11.0, 8.0]),
    ],
)
def test_a_table_has_one_peak(values: list[float], nearest: list[float]) -> None:
    assert one_peak(values) == pytest.approx(nearest)


def test_bmac_saturates_too() -> None:
    """Any radio and MAC has its curve; tests/test_engine.py holds the CC1000's first point exactly."""
    one = measured(mac_scenario("bmac", 36), 1, 60.0, seeds=1)
    assert 24 < one.throughput_pps.mean < 28


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--mac", "tinyos_cc2402"], 'did you mean "tinyos_cc2420"?'),
        (["--senders", "0"], "senders is 0"),
        (["--frame", "200"], '"mac.max_frame_bytes" is 200'),
        (["--set", "mac.processing_s=-1.0"], "mac.processing_s"),
        (["--set", "mac.receive_processing_s=2.0"], "mac.receive_processing_s"),
        (
            ["--mac", "ieee802154", "--set", "mac.receive_processing_s=0.01"],
            'unknown key "mac.receive_processing_s"',
        ),
        (["--table", "t.toml"], "--table is for one MAC"),
        (["--mac", "bmac", "--table", "no-such-folder/t.toml", "--seconds", "1"], "cannot be written"),
        (["no-such-file.toml"], "no such scenario file"),
        (["no-such-file.toml", "--mac", "bmac"], "--mac and --frame do not go with a scenario file"),
        (["--seconds", "0"], "time.measure_s"),
    ],
)
def test_bad_input(arguments: list[str], words: str) -> None:
    told = CliRunner().invoke(app, ["saturation", *arguments])
    assert told.exit_code == 2
    assert words in told.stderr
