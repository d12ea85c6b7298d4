"""Verdicts beside the thesis: by interval, never by mean."""

import polars as pl
import pytest

from penstock.claims import CLAIMS, COVERAGE
from penstock.findings import Finding, coverage, findings
from penstock.metrics import COVERAGE_LEVELS, METRICS
from penstock.results import Results
from small import small

Rows = dict[tuple[str, float], dict[str, list[float]]]


def results(rows: Rows, **changes: object) -> Results:
    """Results with these metrics by (strategy, load), one value a seed."""
    frames: list[pl.DataFrame] = []
    for (control, load), metrics in rows.items():
        count = len(next(iter(metrics.values())))
        columns: dict[str, object] = {name: metrics.get(name, [None] * count) for name in METRICS}
        keys = {
            "congestion.control": [control] * count,
            "traffic.rate_pps": [load] * count,
            "seed": list(range(1, count + 1)),
        }
        frames.append(pl.DataFrame(keys | columns, schema_overrides=dict.fromkeys(METRICS, pl.Float64)))
    scenario = small(**changes)
    return Results(scenario, list(scenario.axes), [1], pl.concat(frames), pl.DataFrame(), pl.DataFrame(), {})


def verdict(found: list[Finding], strategy: str, metric: str) -> str:
    return next(f.verdict for f in found if f.claim.strategy == strategy and f.claim.metric == metric)


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        ([0.70, 0.71, 0.69, 0.70], "agrees"),
        ([0.50, 0.51, 0.49, 0.50], "direction only"),
        ([0.90, 0.91, 0.89, 0.90], "does not agree"),
        ([0.20, 0.99, 0.60, 0.99], "inconclusive"),
        ([0.70], "not measured"),
    ],
)
def test_a_value_is_judged_by_its_interval(losses: list[float], expected: str) -> None:
    rows: Rows = {
        ("rate", 4.0): {"channel_loss_rate": losses},
        ("none", 4.0): {"channel_loss_rate": [0.8, 0.81, 0.82, 0.83]},
    }
    assert verdict(findings(results(rows)), "rate", "channel_loss_rate") == expected


@pytest.mark.parametrize(
    ("fusion", "expected"),
    [
        ([0.30, 0.33, 0.27], "agrees"),
        ([0.80, 0.88, 0.72], "direction only"),
        ([0.05, 0.055, 0.045], "does not agree"),
        ([0.1, 0.6, 0.2], "inconclusive"),
    ],
)
def test_a_factor_pairs_runs_by_seed(fusion: list[float], expected: str) -> None:
    rows: Rows = {("fusion", 4.0): {"efficiency": fusion}, ("none", 4.0): {"efficiency": [0.10, 0.11, 0.09]}}
    assert verdict(findings(results(rows)), "fusion", "efficiency") == expected


@pytest.mark.parametrize(
    ("occupancy", "expected"),
    [([6.0, 7.0, 8.1], "agrees"), ([4.0, 5.0, 6.1], "does not agree"), ([1.0, 9.0, 8.0], "inconclusive")],
)
def test_more_than_needs_an_interval_on_one_side(occupancy: list[float], expected: str) -> None:
    rows: Rows = {
        ("occupancy", 4.0): {"throughput_pps": occupancy},
        ("fusion", 4.0): {"throughput_pps": [5.0, 6.0, 7.0]},
    }
    assert verdict(findings(results(rows)), "occupancy", "throughput_pps") == expected


@pytest.mark.parametrize(
    ("delay", "expected"),
    [
        ([0.51, 0.50, 0.49, 0.50], "agrees"),
        ([0.30, 0.75, 0.35, 0.60], "inconclusive"),
        ([0.54, 0.55, 0.56, 0.55], "inconclusive"),
        ([0.70, 0.71, 0.69, 0.70], "does not agree"),
    ],
)
def test_no_difference_needs_an_interval_within_its_margin(delay: list[float], expected: str) -> None:
    rows: Rows = {
        ("delay", 4.0): {"channel_loss_rate": delay},
        ("occupancy", 4.0): {"channel_loss_rate": [0.50, 0.50, 0.50, 0.50]},
    }
    found = findings(results(rows))
    assert verdict(found, "delay", "channel_loss_rate") == expected
    claim = next(f.claim for f in found if f.claim.strategy == "delay")
    assert "one twentieth" in claim.statement


def test_nothing_is_claimed_where_the_thesis_says_nothing() -> None:
    rows: Rows = {("fusion", 0.5): {"efficiency": [0.3, 0.3]}}
    assert findings(results(rows)) == []
    other = results({("fusion", 4.0): {"efficiency": [0.3, 0.3]}}, axes={"node.queue": [4, 8]})
    assert findings(other) == []


def test_a_fixed_load_or_strategy_counts_too() -> None:
    rows: Rows = {(name, 4.0): {"channel_loss_rate": [0.8, 0.82, 0.81]} for name in COVERAGE}
    axes = {"congestion.control": list(COVERAGE)}
    found = findings(results(rows, axes=axes, traffic={"rate_pps": 4.0}))
    assert verdict(found, "none", "channel_loss_rate") == "agrees"
    assert findings(results(rows, axes=axes, traffic={"rate_pps": 3.0})) == []


def test_coverage_stands_beside_table_5_2() -> None:
    rows: Rows = {("fusion", 2.0): {"coverage_50_s": [7.0, 7.2, 7.4], "coverage_100_s": [float("inf")] * 3}}
    table = {(row.strategy, row.percent): row for row in coverage(results(rows))}
    assert len(table) == len(COVERAGE) * len(COVERAGE_LEVELS)
    assert table["fusion", 50].paper_s == 7.2
    measured = table["fusion", 50].measured
    assert measured is not None
    assert measured.mean == pytest.approx(7.2, rel=0.01)
    assert table["none", 50].measured is None


def test_claims_name_metrics_that_exist() -> None:
    assert {claim.metric for claim in CLAIMS} <= set(METRICS)
    assert {claim.strategy for claim in CLAIMS} == set(COVERAGE)
    assert all(claim.low <= claim.high for claim in CLAIMS)
