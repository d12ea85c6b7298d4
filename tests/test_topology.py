"""Generated placements, topology files, and the check for connected networks."""

import contextlib
import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock import BadInput, Scenario, _engine, load_scenario, plan
from penstock.plan import planned, shape_of
from penstock.topology import generator
from penstock.topology.build import build
from penstock.topology.check import Shape, shape
from penstock.topology.gain_file import parse_gains, read_gains
from penstock.topology.network import Network
from penstock.topology.positions_file import parse_positions, read_positions
from penstock.topology.sections import LineTopology, OfficeTopology
from penstock.world import unloaded_spec
from small import small


def test_office_floor_is_the_thesis_description() -> None:
    section = OfficeTopology()
    assert section.width_m * section.height_m == pytest.approx(16_076 * 0.3048**2, rel=1e-3)
    places = generator.office(section)
    assert places.shape == (55, 2)
    assert (places >= 0).all()
    assert (places <= [section.width_m, section.height_m]).all()
    corner = (places[:, 0] < section.width_m / 3) & (places[:, 1] > section.height_m * 0.6)
    assert corner.sum() > 2 * 55 * (1 / 3) * 0.4
    sink = places[5]
    assert sink[0] > section.width_m * 0.75


def test_office_floor_depends_on_its_seed_only() -> None:
    assert np.array_equal(generator.office(OfficeTopology()), generator.office(OfficeTopology()))
    assert not np.array_equal(generator.office(OfficeTopology()), generator.office(OfficeTopology(seed=2)))


def test_office_floor_is_connected_and_several_hops_deep() -> None:
    scenario = Scenario(name="office", seeds=15)
    network = planned(scenario).networks[0]
    depths = [shape_of(scenario, network, seed).depth for seed in range(1, 16)]
    assert 2.0 < np.mean([depth.mean() for depth in depths]) < 5.0
    assert max(depth.max() for depth in depths) >= 4


@pytest.mark.parametrize("nodes", [2, 3, 7, 55, 200])
@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_office_places_every_node_once(nodes: int, share: float) -> None:
    places = generator.office(OfficeTopology(nodes=nodes, dense_corner_share=share))
    assert len(np.unique(places, axis=0)) == nodes


def test_grid_line_and_uniform() -> None:
    grid = build(small(topology={"kind": "grid", "nodes": 5, "columns": 2, "spacing_m": 3.0}, axes={}))
    assert grid.positions.tolist() == [[0, 0], [3, 0], [0, 3], [3, 3], [0, 6]]
    line = build(small(axes={}))
    assert line.positions.tolist() == [[0, 0], [5, 0], [10, 0], [15, 0]]
    assert (line.labels, line.sink) == (["1", "2", "3", "4"], 0)
    uniform = build(
        small(topology={"kind": "uniform", "nodes": 30, "width_m": 2.0, "height_m": 5.0}, axes={})
    )
    assert (uniform.positions <= [2.0, 5.0]).all()
    assert uniform.positions[:, 1].max() > 2.0


@given(st.integers(2, 60), st.floats(0.1, 20.0), st.floats(0.0, 0.49), st.integers(0, 1000))
def test_a_line_with_jitter_stays_a_line(nodes: int, spacing: float, share: float, seed: int) -> None:
    section = LineTopology(nodes=nodes, spacing_m=spacing, jitter_m=share * spacing, seed=seed)
    places = generator.line(section)
    off = places - generator.line(LineTopology(nodes=nodes, spacing_m=spacing))
    assert (np.abs(off) <= section.jitter_m + 1e-9).all()
    assert (np.diff(places[:, 0]) > 0).all(), "in the order of their numbers"
    assert np.array_equal(places, generator.line(section))
    if share > 0.01:
        assert len(np.unique(off[:, 0])) == nodes
        assert not np.array_equal(places, generator.line(section.model_copy(update={"seed": 1001})))


def test_a_line_with_too_much_jitter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "line.toml"
    path.write_text('[topology]\nkind = "line"\nspacing_m = 2.0\njitter_m = 1.0\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"jitter_m \(1\) must be less than half of spacing_m \(2\)"):
        load_scenario(path)


def test_in_a_room_all_hear_each_other_alike() -> None:
    scenario = Scenario.model_validate(
        {"name": "room", "topology": {"kind": "room", "nodes": 5, "gain_db": -70.0, "sink": 2}}
    )
    network = build(scenario)
    assert (network.labels, network.sink) == (["1", "2", "3", "4", "5"], 1)
    pairs = set(zip(network.links_src.tolist(), network.links_dst.tolist(), strict=True))
    assert pairs == {(a, b) for a in range(5) for b in range(5) if a != b}
    assert set(network.links_gain_db.tolist()) == {-70.0}
    assert shape_of(scenario, network, 1).depth.tolist() == [1, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="the room already holds path loss"):
        Scenario.model_validate(
            {"name": "room", "topology": {"kind": "room"}, "channel": {"path_loss_exponent": 2.0}}
        )


def test_sink_outside_the_topology_is_named() -> None:
    with pytest.raises(BadInput, match=r"topology.sink is 9, .* its 4 nodes are 1, 2, 3 ... 4"):
        build(small(topology={"kind": "line", "nodes": 4, "sink": 9}, axes={}))


def test_disconnected_node_is_named() -> None:
    far = {"kind": "line", "nodes": 3, "spacing_m": 500.0}
    with pytest.raises(BadInput, match=r"nodes 2, 3 have no path to the sink 1 \(seed 1\)"):
        planned(small(topology=far, axes={}))
    assert planned(small(topology=far | {"require_connected": False}, axes={}))


def lonely(monkeypatch: pytest.MonkeyPatch, bad: dict[int, list[int]]) -> None:
    """Channels that leave these nodes (indices) without a path with these seeds."""

    def shaped(scenario: Scenario, network: Network, seed: int) -> Shape:
        depth = np.ones(len(network), dtype=np.int32)
        depth[bad.get(seed, [])] = -1
        return Shape(np.zeros(len(network)), depth, np.zeros(len(network)), depth)

    monkeypatch.setattr(plan, "shape_of", shaped)


DRAWN = {"shadowing_sigma_db": 4.0, "hardware_tx_var": 0.0, "hardware_covariance": 0.0}


def test_a_seed_that_cuts_a_node_off_by_chance_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lonely(monkeypatch, {7: [1], 9: [2, 3], 30: [1]})
    found = planned(small(axes={}, seeds=30, channel=DRAWN))
    assert [(cut.seed, cut.nodes) for cut in found.disconnected] == [(7, ["2"]), (9, ["3", "4"]), (30, ["2"])]
    assert "3 of 30 seeds" in found.warning
    assert "seed 7 (node 2), 9 (node 3, 4), 30 (node 2)" in found.warning
    on_purpose = {"kind": "line", "nodes": 4, "spacing_m": 5.0, "require_connected": False}
    asked_for = planned(small(axes={}, seeds=30, channel=DRAWN, topology=on_purpose))
    assert (len(asked_for.disconnected), asked_for.warning) == (3, "")


@pytest.mark.parametrize(
    ("bad", "seeds", "words"),
    [
        ({2: [1]}, 9, r"node 2 has no path to the sink 1 \(seed 2\).* run fewer than 2 seeds"),
        (
            {7: [1], 9: [2, 1], 20: [1], 30: [1]},
            30,
            r"node 2 has no path to the sink 1 with 4 of the first 30 seeds \(7, 9, 20, 30\)",
        ),
        ({1: [1, 2]}, 1, r"nodes 2, 3 have no path to the sink 1 \(seed 1\)"),
    ],
)
def test_a_node_that_is_cut_off_too_often_is_refused(
    monkeypatch: pytest.MonkeyPatch, bad: dict[int, list[int]], seeds: int, words: str
) -> None:
    lonely(monkeypatch, bad)
    with pytest.raises(BadInput, match=words):
        planned(small(axes={}, seeds=seeds, channel=DRAWN))


def test_a_channel_without_chance_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lonely(monkeypatch, {1: [1]})
    with pytest.raises(BadInput, match=r"\(seed 1\)"):
        planned(small(axes={}, seeds=30))


def test_the_office_floor_runs_with_more_seeds_than_its_first_lonely_one() -> None:
    assert planned(Scenario(name="office", seeds=60)).disconnected


def test_a_large_network_says_that_it_takes_its_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lonely(monkeypatch, {})
    for nodes, said in ((5000, ""), (5001, "penstock: building and checking the network of 5001 nodes…\n")):
        scenario = small(axes={}, topology={"kind": "line", "nodes": nodes, "spacing_m": 5.0})
        planned(scenario, announce=True)
        assert capsys.readouterr().err == said
        planned(scenario)
        assert capsys.readouterr().err == ""


def test_shape_of_a_hand_made_network() -> None:
    # 0 -1- 1 -1- 2, a poor short cut 2 -> 0 one way only, and 3 that hears but is never heard.
    src = np.array([0, 1, 1, 2, 2, 0], dtype=np.int32)
    dst = np.array([1, 0, 2, 1, 0, 3], dtype=np.int32)
    seen = shape(4, 0, src, dst, np.array([1.0, 0.5, 1.0, 1.0, 0.9, 1.0]))
    assert seen.depth.tolist() == [0, 1, 2, -1]
    assert seen.parent.tolist() == [-1, 0, 1, -1]
    assert seen.path_etx[:3].tolist() == [0, 2.0, 3.0]
    assert math.isinf(seen.path_etx[3])
    assert seen.neighborhood.tolist() == [2.0, 1.5, 1.9, 0.0]
    assert seen.disconnected == [3]
    assert shape(2, 0, src[:0], dst[:0], np.zeros(0)).disconnected == [1]


GAINS = """# three nodes
gain 0 2 -70.5
gain\t2\t0\t-71.5

gain 2 7 -80
noise 0 -105.0 4.0
"""


def test_gain_file() -> None:
    gains = parse_gains(GAINS, "x")
    assert gains.nodes == [0, 2, 7]
    assert list(zip(gains.src.tolist(), gains.dst.tolist(), gains.gain_db.tolist(), strict=True)) == [
        (0, 1, -70.5),
        (1, 0, -71.5),
        (1, 2, -80.0),
    ]
    assert gains.noise_floor_dbm[0] == -105.0
    assert np.isnan(gains.noise_floor_dbm[1:]).all()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gain 0 1", 'should be "gain SRC DST DB"'),
        ("gian 0 1 -60", 'found "gian 0 1 -60"'),
        ("gain 0 1 -60 4", "should be"),
        ("gain a 1 -60", 'found "a"'),
        ("gain -1 1 -60", "a number from 0"),
        ("gain 0 99999 -60", "a number from 0 to 65533"),
        ("gain 0 1 x", "the gain"),
        ("gain 0 1 nan", "the gain"),
        ("gain 0 1 5", "zero or negative"),
        ("gain 3 3 -60", "link to itself"),
        ("gain 0 2 -60", "given twice"),
        ("noise 0 -100 4\nnoise 0 -100 4", "given twice"),
        ("noise 0 -100 x", "standard deviation"),
    ],
)
def test_bad_gain_line_is_named(line: str, words: str) -> None:
    with pytest.raises(BadInput, match=r"topo.txt, line (3|4)") as caught:
        parse_gains(f"# head\ngain 0 2 -70\n{line}\n", "topo.txt")
    assert words in str(caught.value)


@given(st.text())
def test_any_text_is_gains_or_bad_input(text: str) -> None:
    with contextlib.suppress(BadInput):
        parse_gains(text, "x")


@given(st.lists(st.sampled_from(["gain", "noise", "0", "1", "65534", "-60", "1e999", "nan", "\n", "²", "#"])))
def test_any_words_are_gains_or_bad_input(words: list[str]) -> None:
    with contextlib.suppress(BadInput):
        parse_gains(" ".join(words), "x")


@pytest.mark.parametrize(
    "text",
    [
        "moteid x_location y_location\n1 21.5 23\n2 24.5 20\n",
        "node,x_px,y_px,room\n1,21.5,23,a\n2,24.5,20,b\n",
        "% TOSSIM\n1 21.5 23\n2 24.5 20\n",
        '[{"node": 1, "x": 21.5, "y": "23"}, {"network_address": "2", "x": " 24.5", "y": 20, "z": 1}]',
    ],
)
def test_positions_in_every_form(text: str) -> None:
    found = parse_positions(text, "x")
    assert found.labels == ["1", "2"]
    assert found.places.tolist() == [[21.5, 23.0], [24.5, 20.0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3\n2 4\n", 'x, line 2: should be "NODE X Y"'),
        ("1 2 3\n2 4 north\n", "x, line 2: y should be a number"),
        ("1 2 3\n1 4 5\n", 'x, line 2: node "1" is given twice'),
        ("1 2 3\n", "holds 1 node positions"),
        ("", "holds 0 node positions"),
        ("1,2,3\n2,,5\n", "x, line 2: x should be a number"),
        ("1 2 3\n2 1e300 5\n", "beyond"),
        ('[{"node": 1, "x": 1, "y": 2},\n{"x": 1]', "x, line 2: not valid JSON"),
        ('[{"node": 1, "x": 1}]', "entry 1 (1): y should be a number"),
        ('[{"x": 1, "y": 1}]', "entry 1: has no name"),
        ("[3]", "entry 1: should be an object"),
        ('{"x": 1}', "should be a list"),
    ],
)
def test_bad_positions_are_named(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_positions(text, "x")
    assert words in str(caught.value)


@given(st.text() | st.text().map(lambda text: "[" + text) | st.recursive(st.none(), st.lists).map(str))
def test_any_text_is_positions_or_bad_input(text: str) -> None:
    with contextlib.suppress(BadInput):
        parse_positions(text, "x")


def test_unreadable_topology_files(tmp_path: Path) -> None:
    whole = gzip.compress(GAINS.encode())
    (tmp_path / "whole.gz").write_bytes(whole)
    assert len(read_gains(tmp_path / "whole.gz").nodes) == 3
    for name, content in (
        ("cut.gz", whole[:-12]),
        ("bad.gz", whole[:20] + b"xx" + whole[22:]),
        ("latin", b"gain \xff"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadInput, match=name):
            read_gains(tmp_path / name)
    with pytest.raises(BadInput, match="no such file"):
        read_positions(tmp_path / "none.csv")


def test_absent_data_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_DATA", str(tmp_path / "data"))
    scenario = Scenario.model_validate(
        {
            "name": "x",
            "topology": {"kind": "gain_file", "file": "../shared/data/tossim-gain/grid.txt", "sink": 0},
        }
    ).placed_in(tmp_path)
    with pytest.raises(
        BadInput, match=r"set PENSTOCK_DATA to the folder that holds tossim-gain/grid.txt"
    ) as caught:
        build(scenario)
    assert str(tmp_path / "data" / "tossim-gain" / "grid.txt") in str(caught.value)
    (tmp_path / "data" / "tossim-gain").mkdir(parents=True)
    (tmp_path / "data" / "tossim-gain" / "grid.txt").write_text(GAINS)
    assert len(build(scenario)) == 3


@pytest.mark.data
def test_tossim_grid_of_the_shared_data(
    repo: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (data_folder / "tossim-gain").is_dir():
        pytest.skip(f"no measured topologies in {data_folder}: set PENSTOCK_DATA")
    monkeypatch.setenv("PENSTOCK_DATA", str(data_folder))
    found = planned(load_scenario(repo / "scenarios" / "tossim-grid.toml", ["seeds=1"]))
    network = found.networks[0]
    assert (len(network), len(network.links_src)) == (225, 50_400)
    assert network.labels[network.sink] == "112"
    assert network.positions[16].tolist() == [5.0, 5.0]
    assert not np.isnan(network.noise_floor_dbm).any()


@pytest.mark.data
def test_intel_lab_of_the_shared_data(repo: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (data_folder / "intel-lab").is_dir():
        pytest.skip(f"no measured topologies in {data_folder}: set PENSTOCK_DATA")
    monkeypatch.setenv("PENSTOCK_DATA", str(data_folder))
    found = planned(load_scenario(repo / "scenarios" / "intel-lab.toml"))
    assert len(found.networks[0]) == 54
    assert found.networks[0].positions[0].tolist() == [21.5, 23.0]


@pytest.mark.data
def test_every_positions_file_of_the_shared_data(data_folder: Path) -> None:
    folder = data_folder / "iotlab-positions"
    if not folder.is_dir():
        pytest.skip(f"no measured topologies in {data_folder}: set PENSTOCK_DATA")
    assert len(read_positions(folder / "flocklab-telosb.csv").labels) == 27
    assert len(read_positions(folder / "lyon.json.gz").labels) == 29
    assert len(read_positions(folder / "grenoble.json.gz").labels) > 800


# ---- the floors of the WRCP scenarios ----


@pytest.mark.parametrize(("name", "nodes", "sink"), [("wrcp-20", 20, "12"), ("wrcp-40", 40, "29")])
def test_a_wrcp_floor_is_one_building_for_all_seeds(repo: Path, name: str, nodes: int, sink: str) -> None:
    for power in (-20.0, -11.25):
        scenario = load_scenario(repo / "scenarios" / f"{name}.toml", [f"radio.tx_power_dbm={power}"])
        plan = planned(scenario)
        network = plan.networks[0]
        assert (len(network), network.labels[network.sink]) == (nodes, sink)
        assert plan.disconnected == []
        one, other = (_engine.link_prr(unloaded_spec(scenario, network, seed)) for seed in (1, 2))
        assert np.array_equal(one["prr"], other["prr"])


def test_without_a_seed_of_its_own_each_seed_has_its_own_channel(repo: Path) -> None:
    scenario = load_scenario(repo / "scenarios" / "wrcp-20.toml")
    free = scenario.model_copy(update={"channel": scenario.channel.model_copy(update={"seed": None})})
    network = build(free)
    powers = [_engine.link_prr(unloaded_spec(free, network, seed))["power_dbm"] for seed in (1, 22)]
    fixed = _engine.link_prr(unloaded_spec(scenario, network, 1))["power_dbm"]
    assert not np.array_equal(powers[0], fixed)
    assert np.array_equal(powers[1], fixed), "channel.seed = 22 is what seed 22 would draw"
