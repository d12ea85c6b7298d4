"""WRCP from scenario to rates: keys and bad input, the trees of the library's own test against the linear
programme, and a run whose sources come near the bound."""

import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import penstock
from penstock import _engine
from penstock.commands import app
from penstock.max_min import max_min
from penstock.receiver_capacity import capacities, neighbourhood, paths, senders_in_range, usage
from worlds import both_ways, world

# lib/tests/test_wrcp_network.c has the same trees with the same rates, and the protocol comes to them.
Tree = tuple[list[int], list[tuple[int, int]], list[float], list[float]]
"""Parents, who else hears whom, capacities by senders in range, max-min rates of nodes 1, 2, ..."""
TREES: dict[str, Tree] = {
    "room": ([-1, 0, 0, 0], [(1, 2), (1, 3), (2, 3)], [18.0], [6.0] * 3),
    "chain": ([-1, 0, 1, 2, 0], [], [12.0], [2.0, 2.0, 2.0, 6.0]),
    "figure 3": (
        [-1, 0, 0, 1, 1, 2, 0, 6],
        [(1, 2)],
        [20.0, 30.0, 40.0, 24.0],
        [24 / 7] * 5 + [10.0] * 2,
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_hand_made_rates_are_the_linear_programmes(name: str) -> None:
    parents, further, table, rates = TREES[name]
    pairs = [(node, parent) for node, parent in enumerate(parents) if parent >= 0] + further
    both = np.array([pair for a, b in pairs for pair in ((a, b), (b, a))], dtype=np.int32)
    heard = neighbourhood(len(parents), both[:, 0], both[:, 1], np.ones(len(both)))
    tree = np.array(parents, dtype=np.int32)
    use = usage(tree, 0, heard, np.ones(len(parents)))[:, 1:]
    limits = capacities(table, senders_in_range(paths(tree, 0)[:, 1:], heard))
    assert max_min(use, limits).rates == pytest.approx(rates)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("wrcp_alpha = 0", '"congestion.wrcp_alpha" is 0'),
        ("wrcp_alpha = 1.01", '"congestion.wrcp_alpha" is 1.01'),
        ("wrcp_alpha = -0.1", '"congestion.wrcp_alpha" is -0.1'),
        ("wrcp_beta = 1", '"congestion.wrcp_beta" is 1'),
        ("wrcp_start_pps = 0", '"congestion.wrcp_start_pps" is 0'),
        ("wrcp_capacity_pps = []", '"congestion.wrcp_capacity_pps"'),
        ("wrcp_capacity_pps = [90, 0]", '"congestion.wrcp_capacity_pps.1" is 0'),
        ("wrcp_capacity_pps = [90, -3]", '"congestion.wrcp_capacity_pps.1" is -3'),
        ("wrcp_capacity_pps = [60, 90, 80, 85]", "entry 4 (85) rises above entry 3 (80)"),
        ("control = 'wcrp'", 'did you mean "wrcp"'),
    ],
)
def test_bad_input(tmp_path: Path, lines: str, words: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(f"name = 'bad'\n[congestion]\n{lines}\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(file), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_capacities_may_rise_and_then_fall() -> None:
    for table in ([90.0], [40, 70, 90, 90, 80, 80, 60], [289, 278, 272], [40, 40]):
        scenario = penstock.Scenario.model_validate({"name": "x", "congestion": {"wrcp_capacity_pps": table}})
        assert scenario.congestion.wrcp_capacity_pps == table


def test_two_sources_share_a_small_capacity() -> None:
    """The engine hands the table over: 10 packets/s for two sources in one room, 5 each."""
    spec = world(both_ways((0, 1, 30.0), (0, 2, 30.0), (1, 2, 30.0)), [-1, 0, 0], [0.0, 30.0, 30.0], 200.0)
    spec.control, spec.max_frame_bytes, spec.link_attempts = "wrcp", 60, 0
    spec.wrcp_capacity_pps = np.array([20.0, 10.0])
    nodes = _engine.run(spec).nodes
    assert nodes["delivered"][1:] / 200 == pytest.approx([5.0, 5.0], rel=0.1)
    assert nodes["queue_peak"].max() <= 3


def test_rates_come_near_the_bound(repo: Path) -> None:
    """36 motes that would send 20 packets/s each, and a capacity that their channel can carry: half of
    the sources have nearly their max-min share, the least has most of it, and plain CSMA starves it."""
    capacity = [80.0]
    settings = tomllib.loads((repo / "scenarios" / "telos-grid.toml").read_text(encoding="utf-8"))
    settings |= {
        "seeds": 2,
        "mac": {
            "kind": "tinyos_cc2420",
            "max_frame_bytes": 60,
            "receive_processing_s": 0.0,
            "overhear_processing_s": 0.0,
        },
        "node": {"queue": 20, "link_attempts": 0},
        "traffic": {"rate_pps": 20.0},
        "congestion": {"wrcp_capacity_pps": capacity},
        "time": {"settle_s": 60.0, "measure_s": 240.0},
        "axes": {"congestion.control": ["none", "wrcp"]},
    }
    results = penstock.run(penstock.Scenario.model_validate(settings))
    shares = penstock.achieved_over_bound(results, capacity).group_by("congestion.control")
    least = dict(shares.agg(pl.col("achieved_over_bound_min").max()).iter_rows())
    median = dict(shares.agg(pl.col("achieved_over_bound_median").mean()).iter_rows())
    assert 0.8 < median["wrcp"] < 1.1, "the first half minute, in which rates rise, included"
    assert least["wrcp"] > 0.6, "with the kinder of the two seeds"
    assert least["none"] < 0.2
