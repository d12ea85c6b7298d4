"""Scenario files, --set and [axes]: what is accepted, and what is said when it is not."""

import contextlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock import BadInput, Scenario, axes, load_scenario, overrides, run
from penstock.frames import frame_bytes
from penstock.plan import planned
from penstock.static_routes import static_parents
from penstock.topology.build import build
from penstock.world import channel_capacity_share, world_spec
from small import SMALL_TOML, small


def written(folder: Path, text: str) -> Path:
    path = folder / "case.toml"
    path.write_text(text, encoding="utf-8")
    return path


CC2420 = "[mac]\nkind = 'ieee802154'\n[radio]\nkind = 'cc2420'\n"


def test_defaults_are_the_thesis_testbed() -> None:
    scenario = Scenario(name="x")
    assert (scenario.topology.kind, scenario.radio.tx_power_dbm, scenario.mac.max_frame_bytes) == (
        "office",
        -10.0,
        36,
    )
    assert (scenario.node.queue, scenario.node.link_attempts, scenario.congestion.rate_tokens) == (8, 4, 10)
    assert (scenario.time.settle_s, scenario.time.measure_s, scenario.seeds) == (120.0, 240.0, 15)


def test_channel_threshold_is_equation_2_3() -> None:
    spec = world_spec(small(), build(small()), 1)
    # tau C = 21.7 bit, L = 36 byte: 1 / (1 + 2 sqrt(21.7 / 288)) = 0.6456; the library's default is 165/256
    assert spec.channel_threshold == pytest.approx(0.64565, abs=1e-4)
    assert round(spec.channel_threshold * 256) == 165
    assert channel_capacity_share(0.0, 19200, 288) == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[trafic]\nrate_pps = 1.0", ['unknown key "trafic"', 'did you mean "traffic"']),
        ("[traffic]\nrate_ppp = 1.0", ['"traffic.rate_ppp"', '"rate_pps"?', "[traffic]: rate_pps, "]),
        ("[time]\nrate_pps = 1.0", ['"time.rate_pps"', '"traffic.rate_pps" is one']),
        ("[traffic]\nrate_pps = -1.0", ['"traffic.rate_pps" is -1.0', "greater than or equal to 0"]),
        ("[traffic]\nrate_pps = '2'", ['"traffic.rate_pps"', "number"]),
        ("[node]\nqueue = 8.5", ['"node.queue"', "integer"]),
        ("[node]\nqueue = 1", ['"node": local_share (2) must not exceed queue (1)']),
        ("[congestion]\ncontrol = 'fusoin'", ['"congestion.control"', 'did you mean "fusion"', "occupancy"]),
        ("[topology]\nkind = 'ofice'", ['"topology.kind" is "ofice"', 'did you mean "office"']),
        ("[topology]\nnodes = 5", ['"topology.kind" is missing', "office, grid"]),
        ("[topology]\nkind = 'grid'\nwidth_m = 3.0", ['"topology.width_m" for this kind', "office, uniform"]),
        ("[topology]\nkind = 'gain_file'\nfile = 'x'", ['"topology.sink" is missing']),
        (
            "[topology]\nkind = 'gain_file'\nfile = 'x'\nsink = 0\ncolumns = 3",
            ["columns and spacing_m belong together"],
        ),
        (
            "[topology]\nkind = 'gain_file'\nfile = 'x'\nsink = 0\n[channel]\npath_loss_exponent = 2.5",
            ["channel.path_loss_exponent has no effect"],
        ),
        ("[channel]\nhardware_covariance = 9.0", ["hardware_covariance squared"]),
        ("[routing]\nkind = 'static'", ["static routing needs them"]),
        ("seeds = 0", ['"seeds" is 0']),
        ("[axes]\n'traffic.rate_pps' = []", ["has no values"]),
        ("[axes]\n'traffic.rate_pps' = [1.0, -2.0]", ["traffic.rate_pps = -2.0", "greater than or equal"]),
        ("[axes]\n'traffic.rate' = [1.0]", ['unknown key "traffic.rate"', '"traffic.rate_pps"?']),
        ("[axes]\n'traffic.rate_pps' = [1.0, 1]", ["listed twice"]),
        ("[axes]\n'seeds' = [1, 2]", ['unknown key "seeds"']),
        ("axes = 3", ['"axes"']),
        ("name = ''", ["\"name\" is '' but should have at least 1 character"]),
        ("channel = 3", ['"channel" is 3 but should be a section']),
        ("[congestion]\npriority_divisor = 3", ['"congestion.priority_divisor" is 3; Allowed: 1, 2, 4 or 8']),
        ("[time]\nmeasure_s = 1e10", ['"time.measure_s" is 10000000000.0', "less than or equal to 10000000"]),
        ("[time]\nmeasure_s = 1e-9", ['"time.measure_s" is 1e-09', "greater than or equal to 0.001"]),
        ("[time]\nsettle_s = 1e10", ['"time.settle_s" is 10000000000.0', "less than or equal to 10000000"]),
        ("[traffic]\nrate_pps = 1e-12", ['"traffic.rate_pps": 1e-12 should be 0 or at least 1e-05']),
        ("[mac]\nmax_frame_bytes = 25", ['"mac.max_frame_bytes" is 25', "greater than or equal to 26"]),
        (
            "[routing]\nbeacon_period_s = 0.01",
            ['"routing.beacon_period_s" is 0.01', "greater than or equal to 0.1"],
        ),
        ("[radio]\nlock = 'last'", ['"radio.lock" is \'last\'', "preamble, first or recapture"]),
        ("[radio]\nnoise_reading_sd_db = 0.0", ['"radio.noise_reading_sd_db" is 0.0']),
        ("[mac]\nnoise_floor = 'low'", ['"mac.noise_floor" is \'low\'', "clear, radio_idle or fixed"]),
        ("[mac]\ncheck_interval_s = 0.005", ['"mac.check_interval_s": 0.005 should be 0 (always on) or']),
        ("[mac]\ncheck_interval_s = 2.0", ['"mac.check_interval_s" is 2.0', "less than or equal to 1.6"]),
        ("[mac]\ncheck_margin_db = -1.0", ['"mac.check_margin_db" is -1.0']),
        ("[mac]\nsink_always_on = 1", ['"mac.sink_always_on" is 1']),
        ("[mac]\ncca_samples = 0", ['"mac.cca_samples" is 0', "greater than or equal to 1"]),
        ("[mac]\nkind = 'csma'", ['"mac.kind" is "csma"', "bmac, tinyos_cc2420, tinyos1_cc2420, ieee802154"]),
        ("[radio]\nkind = 'cc2400'", ['"radio.kind" is "cc2400"; did you mean "cc2420"?']),
        ("[radio]\nkind = 'cc2420'", ['mac.kind = "bmac" needs radio.kind = "cc1000", not "cc2420"']),
        ("[mac]\nkind = 'ieee802154'", ['mac.kind = "ieee802154" needs radio.kind = "cc2420"']),
        (f"{CC2420}tx_power_dbm = 3.0", ['"radio.tx_power_dbm" is 3.0', "less than or equal to 0"]),
        (f"{CC2420}tx_power_dbm = -26.0", ['"radio.tx_power_dbm" is -26.0', "greater than or equal to -25"]),
        (f"{CC2420}noise_reading_sd_db = 4.0", ["for this kind of radio; it belongs to cc1000"]),
        (
            "[mac]\nprocessing_s = 0.001",
            ['"mac.processing_s" for this kind of mac; it belongs to tinyos_cc2420'],
        ),
        ("[node]\nlink_attempts = -1", ['"node.link_attempts" is -1', "greater than or equal to 0"]),
        ("[node]\nlink_attempts = 256", ['"node.link_attempts" is 256', "less than or equal to 255"]),
        ("name = \n", ["not valid TOML", "line 1"]),
    ],
)  # fmt: skip
def test_bad_scenario_is_named(tmp_path: Path, text: str, words: list[str]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as caught:
        load_scenario(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[axes]\n'traffic.rate_pps' = [nan]",
            '"axes.traffic.rate_pps" is nan but should be a finite number',
        ),
        (
            "[axes]\n'traffic.rate_pps' = [1.0, -inf]",
            '"axes.traffic.rate_pps" is -inf but should be a finite number',
        ),
        (
            "[axes]\n'traffic.rate_pps' = [{}]",
            '"axes.traffic.rate_pps" is {} but should be a number, text, true or false, or a list of numbers '
            "or names",
        ),
        (
            "[topology]\nkind = 'line'\nsink = true",
            '"topology.sink" is True but should be a valid integer or a valid string',
        ),
        (
            "[routing]\nkind = 'static'\nparents = [1, 1.5]",
            '"routing.parents.1" is 1.5 but should be a valid integer or a valid string',
        ),
    ],
)
def test_a_value_of_many_types_gets_one_message(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as caught:
        load_scenario(path)
    assert str(caught.value) == f"{path}: {message}"


def test_unreadable_scenario(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such scenario file"):
        load_scenario(tmp_path / "none.toml")
    with pytest.raises(BadInput, match="cannot be read"):
        load_scenario(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="UTF-8"):
        load_scenario(tmp_path / "bytes.toml")


def test_axes_make_a_product_with_canonical_values(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, SMALL_TOML.replace("[0.5, 1.0]", "[1, 2]")))
    points = axes.expand(scenario)
    assert [p.axes["traffic.rate_pps"] for p in points] == [1.0, 2.0, 1.0, 2.0]
    assert all(type(p.axes["traffic.rate_pps"]) is float for p in points)
    assert [p.scenario.congestion.control for p in points] == ["none", "none", "fusion", "fusion"]
    assert not points[0].scenario.axes


def test_axes_may_be_nested_tables(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, "[axes.traffic]\nrate_pps = [1.0, 2.0]"))
    assert scenario.axes == {"traffic.rate_pps": [1.0, 2.0]}
    assert scenario.name == "case"


def test_set_changes_keys_and_axes(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL_TOML)
    changed = load_scenario(
        path,
        [
            "traffic.rate_pps=2",
            "congestion.control=[fusion]".replace("fusion", '"rate"'),
            "node.queue=16",
            "seeds=3",
        ],
    )
    assert changed.axes == {"congestion.control": ["rate"], "traffic.rate_pps": [2]}
    assert (changed.node.queue, changed.seeds) == (16, 3)
    assert load_scenario(path, ["congestion.control=delay"]).axes["congestion.control"] == ["delay"]
    assert load_scenario(path, ["axes.node.queue=[4, 8]"]).axes["node.queue"] == [4, 8]
    assert load_scenario(path, ['axes."node.queue"=[4, 8]']).axes["node.queue"] == [4, 8]


@pytest.mark.parametrize(
    "change", ["", "=", "a", "a.b=1", "traffic.=1", "traffic.rate_pps=fast", "name.x=1", "=3", "seeds=x"]
)
def test_bad_set_is_bad_input(tmp_path: Path, change: str) -> None:
    with pytest.raises(BadInput):
        load_scenario(written(tmp_path, SMALL_TOML), [change])


@given(st.text(max_size=40))
def test_any_set_text_is_parsed_or_refused(text: str) -> None:
    with contextlib.suppress(BadInput):
        overrides.apply({"name": "x"}, [text])


def test_topology_file_set_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "links.txt").write_text("gain 0 1 -60\ngain 1 0 -60\n")
    path = written(tmp_path, "[topology]\nkind = 'gain_file'\nfile = 'other.txt'\nsink = 0")
    monkeypatch.chdir(tmp_path / "here")
    assert len(build(load_scenario(path, ["topology.file=links.txt"]))) == 2


def test_static_parents() -> None:
    scenario = small(routing={"kind": "static", "parents": [1, 1, 2, 3]}, axes={})
    assert static_parents(scenario, build(scenario)).tolist() == [-1, 0, 1, 2]
    for parents, words in (
        ([1, 1], "2 entries for 4 nodes"),
        ([1, 9, 2, 3], "unknown parent 9"),
        ([1, 3, 2, 3], "loop"),
    ):
        bad = small(routing={"kind": "static", "parents": parents}, axes={})
        with pytest.raises(BadInput, match=words):
            static_parents(bad, build(bad))


@pytest.mark.parametrize("mac", ["tinyos_cc2420", "ieee802154"])
def test_a_mac_of_the_cc2420_may_be_an_axis(mac: str) -> None:
    telos = small(
        radio={"kind": "cc2420"},
        mac={"kind": "ieee802154"},
        node={"link_attempts": 0},
        axes={"mac.kind": ["ieee802154", "tinyos_cc2420"], "traffic.rate_pps": [1.0]},
        seeds=1,
    )
    point = next(point for point in axes.expand(telos) if point.axes["mac.kind"] == mac)
    spec = world_spec(point.scenario, build(telos), 1)
    assert (spec.mac, spec.radio, spec.preamble_bytes, spec.link_attempts) == (mac, "cc2420", 4, 0)
    # Eq. 2.3 at 250 kbit/s: tau C = 282.5 bit, L = 40 byte
    assert spec.channel_threshold == pytest.approx(1 / (1 + 2 * math.sqrt(282.5 / 320)), abs=1e-4)
    results = run(point.scenario)
    assert results.runs["delivery_ratio"][0] > 0.9


def test_what_only_the_library_refuses_is_named_by_its_keys() -> None:
    greedy = {"queue": 255, "local_share": 255, "link_attempts": 255}
    with pytest.raises(BadInput) as caught:
        planned(small(node=greedy))
    for word in ("node.queue (255)", "node.link_attempts (255)", "mac.max_frame_bytes (36)"):
        assert word in str(caught.value)
    assert "node 0" not in str(caught.value)


@pytest.mark.parametrize(
    "extreme",
    [
        {"time": {"settle_s": 0.0, "measure_s": 0.001}},
        {"traffic": {"rate_pps": 1e-5}},
        {"traffic": {"rate_pps": 0.0}},
        {"mac": {"max_frame_bytes": 26}},
        {"routing": {"beacon_period_s": 0.1}, "time": {"settle_s": 1.0, "measure_s": 1.0}},
        {"congestion": {"stop_timeout_s": 1000.0, "parent_delay_s": 1000.0}},
    ],
)
def test_the_ends_of_the_ranges_run(extreme: dict[str, object]) -> None:
    assert not run(small(axes={}, seeds=1, **extreme)).failures


def test_ready_scenarios_are_valid(repo: Path) -> None:
    files = sorted((repo / "scenarios").glob("*.toml"))
    assert files
    for file in files:
        assert axes.expand(load_scenario(file))


def test_a_radio_brings_its_own_channel(tmp_path: Path) -> None:
    """Unless the scenario says otherwise, key by key; the CC1000's is that of the thesis's Mica2."""
    mica = Scenario(name="mica").channel
    telos = load_scenario(written(tmp_path, CC2420)).channel
    assert (mica.path_loss_1m_db, mica.noise_floor_dbm) == (55.0, -105.0)
    assert (telos.path_loss_1m_db, telos.noise_floor_dbm, telos.hardware_covariance) == (40.2, -95.5, 0.0)
    assert telos.path_loss_exponent == mica.path_loss_exponent
    quiet = load_scenario(written(tmp_path, CC2420 + "[channel]\nnoise_floor_dbm = -98.0\n")).channel
    assert (quiet.path_loss_1m_db, quiet.noise_floor_dbm) == (40.2, -98.0)


@pytest.mark.parametrize("scenario", ["office55", "office55-event", "telos-grid", "wrcp-20", "tossim-grid"])
def test_any_scenario_takes_any_strategy(repo: Path, scenario: str) -> None:
    """By one word: frames grow by the fields that would not fit, and the payload is that of no strategy."""
    lengths = {}
    for control in ("none", "fusion", "share", "ifrc", "wrcp"):
        loaded = load_scenario(repo / "scenarios" / f"{scenario}.toml", [f"congestion.control={control}"])
        lengths[control] = {frame_bytes(point.scenario) for point in planned(loaded).points}
    if scenario == "wrcp-20":
        assert set.union(*lengths.values()) == {60}, "it says how long frames are"
    else:
        usual = 40 if scenario == "telos-grid" else 36
        assert lengths["none"] == lengths["fusion"] == lengths["share"] == {usual}
        assert lengths["ifrc"] == {usual + 27}
        assert lengths["wrcp"] == {usual if usual > 36 else usual + 17}


def test_frames_that_are_too_short_are_named() -> None:
    said = small(mac={"max_frame_bytes": 36}, axes={"congestion.control": ["none", "wrcp"]})
    with pytest.raises(BadInput, match=r"mac\.max_frame_bytes: must be more than 36 for .*'wrcp'"):
        planned(said)
