"""IFRC in networks: WRCP's Fig. 1 (one hop, three sources), two hops, a flow that joins, what is refused."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

from penstock import BadInput, Scenario, _engine
from penstock.metrics import jain
from penstock.plan import planned
from penstock.topology.build import build
from penstock.validation import validated
from penstock.world import world_spec

TELOS = {
    "path_loss_1m_db": 40.2,
    "shadowing_sigma_db": 0.0,
    "noise_floor_dbm": -95.5,
    "hardware_tx_var": 0.0,
    "hardware_covariance": 0.0,
    "hardware_noise_var": 0.0,
}
R_INIT, PHI, UPPER = 0.1, 0.0125, 20


def scenario_of(nodes: int, spacing_m: float, measure_s: float, **sections: Any) -> Scenario:
    """A square grid of Telos motes around a sink in the corner; backlogged sources, 14 bytes (WRCP 8.1)."""
    settings: dict[str, Any] = {
        "name": "ifrc",
        "seeds": 1,
        "topology": {
            "kind": "grid",
            "nodes": nodes,
            "columns": math.isqrt(nodes),
            "spacing_m": spacing_m,
            "sink": 1,
        },
        "channel": TELOS,
        "radio": {"kind": "cc2420", "tx_power_dbm": -10.0},
        "mac": {"kind": "tinyos_cc2420", "max_frame_bytes": 60},
        "node": {"queue": 64, "local_share": 64, "link_attempts": 0},
        "congestion": {"control": "ifrc"},
        "traffic": {"kind": "flows", "payload_bytes": 14},
        "time": {"settle_s": 60.0, "measure_s": measure_s},
        "records": {"sample_s": 1.0},
    }
    for section, changes in sections.items():
        settings[section] = {**settings.get(section, {}), **changes}
    return validated(settings, "test")


def run(scenario: Scenario) -> tuple[_engine.RunRecords, pl.DataFrame]:
    """The run, and its samples: a row a second and node, with the allowed rate in packets/s."""
    records = _engine.run(world_spec(scenario, build(scenario), 1))
    table = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in records.samples.items()})
    return records, table.with_columns(
        time_s=pl.col("time_ns") * 1e-9 - scenario.time.settle_s, allowed_rate_pps=pl.col("allowed") / 65_536
    )


def series(table: pl.DataFrame, node: int, column: str) -> np.ndarray:
    return table.filter(pl.col("node") == node)[column].to_numpy()


def test_one_hop_as_wrcp_fig_1() -> None:
    """Slow start in closed form up to the first congestion, then a saw-tooth around equal shares. The
    receiver works 10 ms on a frame: with 8.1, four nodes have 16 packets/s each."""
    records, table = run(scenario_of(4, 3.0, 1200.0, mac={"receive_processing_s": 0.010}))
    rates = [series(table, node, "allowed_rate_pps") for node in (1, 2, 3)]
    time_s = series(table, 1, "time_s")
    falls = [np.flatnonzero(rate[1:] < 0.8 * rate[:-1]) + 1 for rate in rates]
    first = min(int(fall[0]) for fall in falls)
    assert 300 < time_s[first] < 600  # Fig. 1: more than 300 s
    for rate in rates:
        slow = rate[1 : first - 5]
        # r_init exp(phi t), less what a turn at the beginning is behind (test_ifrc_rate.c has it exactly).
        assert np.all(slow <= 1.01 * R_INIT * np.exp(PHI * time_s[1 : first - 5]))
        assert np.all(slow >= 0.85 * R_INIT * np.exp(PHI * time_s[1 : first - 5]))
    for rate, fall in zip(rates, falls, strict=True):
        assert len(fall) >= 4
        after = rate[first:]
        assert after.max() > 2 * after.min() > 4 * R_INIT  # between halvings, far from slow start
    late = [series(table, node, "delivered")[[first, -1]] for node in (1, 2, 3)]
    assert jain(np.array([b - a for a, b in late])) > 0.999
    peaks = [int(series(table, node, "queue").max()) for node in (1, 2, 3)]
    assert max(peaks) >= UPPER  # an average of 20 has peaks above it
    assert sum(int(records.nodes[f"drop_{why}"].sum()) for why in ("acked_then_dropped", "queue_full")) == 0


def test_two_hops_are_fair() -> None:
    """Fifteen backlogged sources, some two hops out: all get the same, within a percent of Jain's index.
    Without control half of them starve."""
    delivered: dict[str, np.ndarray] = {}
    for control in ("ifrc", "none"):
        scenario = scenario_of(16, 12.0, 1200.0, congestion={"control": control})
        records, table = run(scenario)
        assert records.nodes["hops"].max() == 2
        half = (
            table.filter(pl.col("time_s") >= 600.0)
            .group_by("node")
            .agg(pl.col("delivered").max() - pl.col("delivered").min())
        )
        delivered[control] = half.filter(pl.col("node") != 0)["delivered"].to_numpy()
        if control == "ifrc":
            assert (
                sum(int(drops.sum()) for why, drops in records.nodes.items() if why.startswith("drop")) == 0
            )
    assert jain(delivered["ifrc"]) > 0.99
    assert delivered["ifrc"].min() > 600 * R_INIT
    assert jain(delivered["none"]) < 0.7


def test_a_flow_that_joins_starts_slowly() -> None:
    """8.1: whatever the others have reached, it begins at r_init; and again after a pause."""
    flows = [
        {"source": [2, 3]},
        {"source": 4, "start_s": 600.0, "stop_s": 800.0},
        {"source": 4, "start_s": 900.0},
    ]
    _, table = run(scenario_of(4, 3.0, 1000.0, traffic={"flows": flows}))
    rate = series(table, 3, "allowed_rate_pps")
    assert np.all(rate[:600] == pytest.approx(R_INIT, rel=1e-3))
    assert 0.5 < rate[750] < R_INIT * math.exp(PHI * 150)
    assert np.all(rate[830:900] == pytest.approx(R_INIT, rel=1e-3))
    delivered = series(table, 3, "delivered")
    # r grows by phi with each packet: over 200 s at most (exp(200 phi) - 1) r_init / phi = 89.5 packets.
    assert 60 < delivered[820] - delivered[600] < 90


def ifrc(**keys: float) -> dict[str, Any]:
    return {"congestion": {"control": "ifrc", **{f"ifrc_{key}": value for key, value in keys.items()}}}


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        (ifrc(upper_packets=64), ["congestion.ifrc_upper_packets (64)", "node.queue (64)"]),
        (ifrc(lower_packets=20), ["congestion.ifrc_lower_packets (20)", "(20)"]),
        (ifrc(increment_packets=45), ["congestion.ifrc_increment_packets (45)", "node.queue (64)"]),
        (ifrc(upper_packets=300), ['"congestion.ifrc_upper_packets"', "254"]),
        (ifrc(initial_pps=0.0), ['"congestion.ifrc_initial_pps"', "0.01"]),
        (ifrc(phi_pps=0.0), ['"congestion.ifrc_phi_pps"', "0.0001"]),
        (ifrc(epsilon=1.0), ['"congestion.ifrc_epsilon"', "0.99"]),
        (ifrc(queue_weight=1.5), ['"congestion.ifrc_queue_weight"', "1"]),
        ({"mac": {"max_frame_bytes": 46}, "traffic": {"payload_bytes": None}}, ["mac.max_frame_bytes", "46"]),
        ({"mac": {"max_frame_bytes": 59}}, ["traffic.payload_bytes", "mac.max_frame_bytes"]),
    ],
)
def test_bad_input_names_the_key(sections: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(BadInput) as error:
        planned(scenario_of(4, 3.0, 10.0, **sections))
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize("queue", [1, 2, 8, 20, 64, 255])
def test_derived_thresholds_fit_any_queue(queue: int) -> None:
    """By the library too, which would refuse them."""
    scenario = scenario_of(4, 3.0, 10.0, node={"queue": queue, "local_share": queue})
    upper, lower, increment = scenario.congestion.ifrc_thresholds(queue)
    assert 0 < lower < upper < upper + 2 * increment <= queue
    assert _engine.run(world_spec(scenario, build(scenario), 1)).nodes["delivered"].sum() > 0


def test_another_strategy_may_have_a_shorter_queue() -> None:
    """The word in `congestion.control` alone decides whether thresholds matter."""
    changes = {"control": "fusion", "ifrc_upper_packets": 60, "ifrc_increment_packets": 4}
    validated({"name": "x", "node": {"queue": 8}, "congestion": changes}, "test")
