"""K7 traces: what is read from one, and the links that come of it."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock import BadInput, Scenario, _engine, load_scenario
from penstock.errors import MissingData
from penstock.plan import planned, shape_of
from penstock.topology.build import build
from penstock.topology.k7_file import Trace, links_of, parse_k7, read_k7
from penstock.topology.link_budget import gains_for_prr, received_share
from penstock.validation import validated
from penstock.world import unloaded_spec

HEAD = '{"node_count": 3, "channels": [26, 11], "tx_length": 100, "location": "somewhere"}'
COLUMNS = "datetime,src,dst,channel,mean_rssi,pdr,tx_count"
ROWS = (
    "t1,0,1,26,-80.0,1.0,100",
    "t2,0,1,26,-84.0,0.5,100",
    "t1,0,1,11,-70.0,1.0,100",
    "t2,0,1,11,-70.0,1.0,100",
    "t1,1,0,26,-90.0,0.25,100",
    "t1,1,2,11,-60.0,1.0,100",
)


def trace(*rows: str, head: str = HEAD, columns: str = COLUMNS) -> Trace:
    return parse_k7("\n".join((head, columns, *(rows or ROWS))), "k7")


def test_a_trace_by_hand() -> None:
    found = trace()
    assert (found.nodes, found.frame_bytes, found.channels) == (3, 100, [11, 26])
    assert np.all(found.sent == 200), "two bursts of 100, heard or not"
    one = links_of(found, 26)
    assert list(zip(one.src.tolist(), one.dst.tolist(), strict=True)) == [(0, 1), (1, 0)]
    assert one.prr.tolist() == [0.75, 0.125], "a burst without a row was lost"
    assert one.rssi_dbm.tolist() == pytest.approx([-(80 * 100 + 84 * 50) / 150, -90.0])
    both = links_of(found, None)
    assert both.prr.tolist() == [0.875, 0.0625, 0.25]
    assert both.frames.tolist() == [400, 400, 400]
    assert both.rssi_dbm[0] == pytest.approx(-(80 * 100 + 84 * 50 + 70 * 200) / 350)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: should be a JSON object"),
        ("[1]", "line 1: should be a JSON object"),
        ('{"node_count": 1}', '"node_count" should be a whole number from 2'),
        ('{"node_count": 3, "tx_length": 300}', '"tx_length" should be a whole number of bytes, 26 to 119'),
        ('{"node_count": 3, "tx_length": 90, "channels": [9]}', '"channels" should be a list'),
        (HEAD, "line 2: should be"),
        (f"{HEAD}\nsrc,dst", "line 2: should be"),
        (f"{HEAD}\n{COLUMNS}", "holds no link"),
        (f"{HEAD}\n{COLUMNS}\nt,0,1,26", "line 3: should have 7 columns"),
        (f"{HEAD}\n{COLUMNS}\nt,0,3,26,-80,1.0,100", "line 3: src and dst should be two of the nodes 0 to 2"),
        (f"{HEAD}\n{COLUMNS}\nt,1,1,26,-80,1.0,100", "line 3: src and dst"),
        (f"{HEAD}\n{COLUMNS}\nt,0,1,12,-80,1.0,100", "line 3: channel 12 is not among"),
        (f"{HEAD}\n{COLUMNS}\nt,a,1,26,-80,1.0,100", "line 3: src, dst and channel should be whole numbers"),
        (f"{HEAD}\n{COLUMNS}\nt,0,1,26,loud,1.0,100", "line 3: mean_rssi should be a number"),
        (f"{HEAD}\n{COLUMNS}\nt,0,1,26,-80,1.5,100", "line 3: pdr should be above 0 and at most 1"),
        (f"{HEAD}\n{COLUMNS}\nt,0,1,26,-80,0.5,0", "tx_count 1 to a million"),
    ],
)
def test_faults_are_named_by_line(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_k7(text, "k7")
    assert words in str(caught.value)


@given(st.text(max_size=200))
def test_any_text_is_a_trace_or_bad_input(text: str) -> None:
    for whole in (text, f"{HEAD}\n{text}", f"{HEAD}\n{COLUMNS}\n{text}"):
        try:
            parse_k7(whole, "k7")
        except BadInput:
            continue


def test_a_channel_that_the_trace_has_not_is_named() -> None:
    with pytest.raises(BadInput, match=r"topology\.channel is 12, but the trace has 11, 26"):
        links_of(trace(), 12)


# ---- rates back to gains ----


@pytest.mark.parametrize("frame_bytes", [26, 100])
def test_the_curve_is_inverted(frame_bytes: int) -> None:
    wanted = np.array([1e-4, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999])
    gains = gains_for_prr(wanted, frame_bytes, -95.5)
    assert received_share(gains, frame_bytes, -95.5) == pytest.approx(wanted, rel=1e-4)
    assert np.all(np.diff(gains) > 0)
    assert gains_for_prr(wanted, frame_bytes, -90.5) == pytest.approx(gains + 5.0, abs=1e-6)


def simulated(scenario: Scenario) -> tuple[np.ndarray[Any, Any], int]:
    """(N, N) reception rates of the simulated links, and how many there are."""
    network = build(scenario)
    links = _engine.link_prr(unloaded_spec(scenario, network, 1))
    rates = np.zeros((len(network), len(network)))
    rates[links["src"], links["dst"]] = links["prr"]
    return rates, len(network.links_src)


def scenario_of(path: Path, **changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "name": "trace",
        "topology": {"kind": "k7", "file": str(path), "sink": 0} | changes.pop("topology", {}),
        "channel": {"noise_floor_dbm": -95.5},
        "radio": {"kind": "cc2420"},
        "mac": {"kind": "tinyos_cc2420", "max_frame_bytes": 100},
    }
    return validated(settings | changes, "trace")


@pytest.fixture
def small_trace(tmp_path: Path) -> Path:
    path = tmp_path / "small.k7.gz"
    path.write_bytes(gzip.compress("\n".join((HEAD, COLUMNS, *ROWS)).encode()))
    return path


def test_simulated_links_have_the_measured_rates(small_trace: Path) -> None:
    rates, links = simulated(scenario_of(small_trace, topology={"channel": 26}))
    assert links == 2, "pairs that never heard each other have no link"
    assert rates[0, 1] == pytest.approx(0.75, abs=1e-6)
    assert rates[1, 0] == pytest.approx(0.125, abs=1e-6)
    assert np.count_nonzero(rates) == 2
    mean, _ = simulated(scenario_of(small_trace))
    assert mean[1, 2] == pytest.approx(0.25, abs=1e-6)


def test_a_link_that_lost_nothing_has_the_measured_power(small_trace: Path) -> None:
    network = build(scenario_of(small_trace, topology={"channel": 11}))
    assert network.links_gain_db[0] == -70.0, "heard in full"
    rows = ("t1,0,1,26,-99.0,1.0,100", "t1,1,0,26,-90.0,0.5,100")
    small_trace.write_text("\n".join((HEAD, COLUMNS, *rows)), encoding="utf-8")
    faint = build(scenario_of(small_trace, topology={"channel": 26}))
    assert faint.links_gain_db[0] > -99.0, "at its power the simulated radio would hear nothing"


def test_each_point_gets_the_gains_of_its_own_noise(small_trace: Path) -> None:
    swept = scenario_of(
        small_trace,
        topology={"require_connected": False},
        axes={"channel.noise_floor_dbm": [-95.5, -90.5]},
    )
    first, second = planned(swept).networks
    assert second.links_gain_db[1] - first.links_gain_db[1] == pytest.approx(5.0, abs=1e-6)


def test_what_does_not_go_with_a_trace_is_bad_input(small_trace: Path) -> None:
    for changes, words in (
        ({"radio": {"kind": "cc1000"}, "mac": {"kind": "bmac"}}, 'needs radio.kind = "cc2420"'),
        ({"channel": {"shadowing_sigma_db": 1.0}}, "channel.shadowing_sigma_db has no effect: the k7"),
        ({"topology": {"channel": 27}}, '"topology.channel" is 27'),
    ):
        with pytest.raises(BadInput, match=words):
            scenario_of(small_trace, **changes)
    with pytest.raises(BadInput, match=r"topology\.sink is 3"):
        build(scenario_of(small_trace, topology={"sink": 3}))
    with pytest.raises(MissingData, match=r"needs data that is not part of Penstock"):
        build(scenario_of(small_trace.with_name("absent.k7.gz")))


# ---- Grenoble ----


@pytest.fixture
def grenoble(repo: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    if not (data_folder / "iotlab-k7").is_dir():
        pytest.skip(f"no connectivity traces in {data_folder}: set PENSTOCK_DATA")
    monkeypatch.setenv("PENSTOCK_DATA", str(data_folder))
    return load_scenario(repo / "scenarios" / "iotlab-grenoble.toml", ["mac.max_frame_bytes=100"])


@pytest.mark.data
@pytest.mark.parametrize("channel", [26, None])
def test_every_link_of_grenoble_has_its_measured_rate(
    grenoble: Scenario, data_folder: Path, channel: int | None
) -> None:
    topology = grenoble.topology.model_copy(update={"channel": channel})
    scenario = grenoble.model_copy(update={"topology": topology})
    found = read_k7(data_folder / "iotlab-k7" / "grenoble.k7.gz")
    links = links_of(found, channel)
    rates, count = simulated(scenario)
    assert count == len(links.prr) == (386 if channel else 477)
    lossless = links.prr > 1 - 0.5 / links.frames
    assert rates[links.src, links.dst][~lossless] == pytest.approx(links.prr[~lossless], abs=1e-5)
    assert np.all(rates[links.src, links.dst][lossless] >= 1 - 0.51 / links.frames[lossless])


@pytest.mark.data
def test_grenoble_is_connected_and_deep(grenoble: Scenario) -> None:
    plan = planned(grenoble)
    assert plan.disconnected == []
    assert shape_of(grenoble, plan.networks[0], 1).depth.max() == 10
