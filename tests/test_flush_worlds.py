"""The worlds of Flush: each is what its paper says of it, and its routes are those of least ETX."""

from pathlib import Path

import numpy as np
import pytest

from penstock import Scenario, _engine, load_scenario
from penstock.plan import planned, shape_of
from penstock.static_routes import static_parents
from penstock.topology.build import build
from penstock.topology.network import Network
from penstock.world import unloaded_spec, world_spec

WORLDS = ["flush-line", "flush-indoor"]


def world_of(repo: Path, name: str) -> tuple[Scenario, Network]:
    scenario = load_scenario(repo / "scenarios" / f"{name}.toml")
    return scenario, build(scenario)


@pytest.mark.parametrize("name", WORLDS)
def test_routes_are_of_least_etx_and_everybody_has_one(repo: Path, name: str) -> None:
    scenario, network = world_of(repo, name)
    plan = planned(scenario)
    assert plan.disconnected == []
    for seed in (1, 2):
        shape = shape_of(scenario, network, seed)
        assert shape.parent.tolist() == static_parents(scenario, network).tolist()


def test_the_line_has_79_nodes_and_48_hops(repo: Path) -> None:
    scenario, network = world_of(repo, "flush-line")
    shape = shape_of(scenario, network, 1)
    assert len(network) == 79
    assert np.allclose(np.diff(network.positions[:, 0]), 3 * 0.3048)
    assert (shape.depth.max(), shape.depth[78]) == (48, 48)
    # Its way passes every depth, so that sources at 40, 30, 20, 15, 10 ... hops are on it.
    assert shape.path_etx[78] / 48 < 1.1


def test_the_floor_has_100_nodes_and_7_hops(repo: Path) -> None:
    scenario, network = world_of(repo, "flush-indoor")
    shape = shape_of(scenario, network, 1)
    assert len(network) == 100
    assert shape.depth.max() == 7
    x, y = network.positions[network.sink]
    assert (network.positions.sum(axis=1) >= x + y).all(), "the sink stands in the south-west corner"
    assert scenario.radio.tx_power_dbm == -11


@pytest.mark.parametrize("name", WORLDS)
def test_a_slow_flow_goes_all_the_way(repo: Path, name: str) -> None:
    """With one packet on its way at a time, nothing but the link's own losses is in the way."""
    scenario, network = world_of(repo, name)
    source = network.index_of(scenario.bulk.source or 0, "bulk.source")
    spec = unloaded_spec(scenario, network, 1)
    spec.measure_s = 120.0
    spec.flow_source, spec.flow_packets = np.array([source], dtype=np.int32), np.zeros(1, dtype=np.uint32)
    spec.flow_start_s, spec.flow_stop_s = np.zeros(1), np.array([120.0])
    spec.flow_rate_pps = np.array([1.0])
    records = _engine.run(spec)
    arrived = records.packets["fate"] == 1
    assert arrived.mean() > 0.98
    assert set(records.packets["hops"][arrived].tolist()) == {shape_of(scenario, network, 1).depth[source]}


def delivered_pps(hops: int, defers: bool) -> float:
    """A chain whose far end is backlogged under the plain MAC of the MicaZ."""
    content = {
        "name": "chain",
        "topology": {"kind": "line", "nodes": hops + 1, "spacing_m": 10.0},
        "channel": dict.fromkeys(("shadowing_sigma_db", "hardware_tx_var", "hardware_noise_var"), 0.0),
        "radio": {"kind": "cc2420", "tx_power_dbm": -19.0},
        "mac": {"kind": "tinyos1_cc2420", "processing_s": 0.00265, "defers": defers},
        "node": {"queue": 16, "local_share": 16, "link_attempts": 5},
        "routing": {"kind": "static", "parents": [1, *range(1, hops + 1)]},
        "congestion": {"control": "none"},
        "traffic": {"kind": "flows", "flows": [{"source": hops + 1}]},
        "time": {"settle_s": 1.0, "measure_s": 30.0},
    }
    scenario = Scenario.model_validate(content)
    records = _engine.run(world_spec(scenario, build(scenario), 1))
    return float(records.nodes["delivered"][hops]) / 30.0


def test_a_chain_under_the_plain_mac() -> None:
    """What docs/design.md says of backoffs that begin anew: they leave a chain less than half."""
    assert delivered_pps(1, True) == pytest.approx(125.0, rel=0.01)
    assert delivered_pps(1, False) == pytest.approx(125.0, rel=0.01)
    assert delivered_pps(6, False) == pytest.approx(52.0, rel=0.05)
    assert delivered_pps(6, True) < 0.5 * delivered_pps(6, False)
