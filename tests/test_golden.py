"""What each strategy achieves on the office floor, pinned: a change of behaviour must be a decision.

The tables hold one seed's metrics, exactly. A change that is meant rewrites them with

    .venv/bin/python -m pytest tests/test_golden.py --update-golden

and shows the difference in its diff. (Idea: smoltcp's snapshots of throughput and fairness.)
"""

from pathlib import Path

import pytest

import penstock
from pinned import pinned, stored

GOLDEN = "office55.csv"
COLUMNS = (
    *("efficiency", "fairness", "throughput_pps", "median_node_throughput_pps", "latency_s"),
    *("channel_loss_rate", "buffer_drop_rate", "delivery_ratio", "transmissions"),
)


def table(scenario: Path) -> list[dict[str, str]]:
    """One row a strategy and load, six significant digits."""
    results = penstock.run(
        penstock.load_scenario(
            scenario,
            ["seeds=1", "traffic.rate_pps=[0.5, 2.0]", "time.settle_s=80", "time.measure_s=60"],
        )
    )
    runs = results.runs.sort("traffic.rate_pps", maintain_order=True)
    return [
        {
            "strategy": str(row["congestion.control"]),
            "rate_pps": f"{row['traffic.rate_pps']:g}",
            **{name: f"{row[name]:.6g}" for name in COLUMNS},
        }
        for row in runs.iter_rows(named=True)
    ]


def test_throughput_and_fairness_of_every_strategy(repo: Path, pytestconfig: pytest.Config) -> None:
    measured = table(repo / "scenarios" / "office55.toml")
    assert measured == pinned(GOLDEN, measured, bool(pytestconfig.getoption("--update-golden")))


def test_strategies_make_a_difference(repo: Path) -> None:
    """The pinned table itself must tell the strategies apart, or pinning it proves little."""
    busy = [row for row in stored(GOLDEN) if row["rate_pps"] == "2"]
    assert len({row["efficiency"] for row in busy}) == 6
    by_name = {row["strategy"]: row for row in busy}
    assert float(by_name["fusion"]["efficiency"]) > 1.5 * float(by_name["none"]["efficiency"])
    assert float(by_name["fusion"]["fairness"]) > 2 * float(by_name["none"]["fairness"])
