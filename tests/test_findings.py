"""What a run shows beside the thesis: which of its statements, and verdicts by interval, never by mean."""

import pytest

from made_up import Rows, made_up
from penstock.findings import counted, findings, loads, measured, periodic_claims
from penstock.metrics import COVERAGE_LEVELS
from penstock.report.verdicts import part_rows
from penstock.studies.claim import Greatest
from penstock.studies.fusion.claims import CLAIMS
from penstock.studies.fusion.thesis import COVERAGE, SIX
from penstock.studies.judge import Finding, Judged
from penstock.workload_sections import FanInTraffic


def part(found: list[Judged], claim: str, statement: str) -> Finding:
    """The part of a claim whose statement begins so."""
    judged = next(each for each in found if each.claim.id == f"fusion.{claim}")
    return next(p for p in judged.parts if p.check.statement.startswith(statement))


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        ([0.70, 0.71, 0.69, 0.70], "agrees"),
        ([0.50, 0.51, 0.49, 0.50], "does not agree"),
        ([0.20, 0.99, 0.60, 0.99], "inconclusive"),
        ([0.70], "not measured"),
    ],
)
def test_a_value_is_judged_by_its_interval(losses: list[float], expected: str) -> None:
    rows: Rows = {
        ("rate", 4.0): {"channel_loss_rate": losses},
        ("none", 4.0): {"channel_loss_rate": [0.8, 0.81, 0.82, 0.83]},
    }
    assert part(findings(made_up(rows)), "channel-loss", "rate").verdict == expected


@pytest.mark.parametrize(
    ("starved", "expected"),
    [
        ([0.70, 0.71, 0.69, 0.70], "agrees"),
        ([0.90, 0.91, 0.89, 0.90], "direction only"),
        ([0.30, 0.31, 0.29, 0.30], "does not agree"),
        ([0.45, 0.75, 0.60, 0.70], "inconclusive"),
    ],
)
def test_a_value_off_its_range_may_lie_on_the_side_that_is_said(starved: list[float], expected: str) -> None:
    found = findings(made_up({("none", 2.0): {"starved_fraction": starved}}))
    assert part(found, "starvation", "starved").verdict == expected


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
    assert part(findings(made_up(rows)), "efficiency", "Fusion over none").verdict == expected


@pytest.mark.parametrize(
    ("occupancy", "expected"),
    [([6.0, 7.0, 8.1], "agrees"), ([4.0, 5.0, 6.1], "does not agree"), ([1.0, 9.0, 8.0], "inconclusive")],
)
def test_more_than_needs_an_interval_on_one_side(occupancy: list[float], expected: str) -> None:
    rows: Rows = {
        ("occupancy", 4.0): {"throughput_pps": occupancy},
        ("fusion", 4.0): {"throughput_pps": [5.0, 6.0, 7.0]},
    }
    found = findings(made_up(rows))
    assert part(found, "throughput-order", "occupancy less fusion").verdict == expected


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
    found = part(findings(made_up(rows)), "delay-null", "delay less occupancy")
    assert found.verdict == expected
    assert found.check.paper == "0 ± 0.05"


def test_nothing_is_claimed_where_the_thesis_says_nothing() -> None:
    assert findings(made_up({("fusion", 0.3): {"efficiency": [0.3, 0.3]}})) == []
    rows: Rows = {("fusion", 4.0): {"median_node_throughput_pps": [0.3, 0.3]}}
    assert findings(made_up(rows)) != []
    assert findings(made_up(rows, axes={"node.queue": [4, 8]})) == []


def test_a_workload_that_is_not_periodic_is_not_judged() -> None:
    results = made_up({("fusion", 4.0): {"median_node_throughput_pps": [0.3, 0.3]}})
    other = results.scenario.model_copy(update={"traffic": FanInTraffic(gateways=2)})
    assert findings(results) != []
    object.__setattr__(results, "scenario", other)
    assert findings(results) == []


def test_a_fixed_load_or_strategy_counts_too() -> None:
    rows: Rows = {(name, 4.0): {"channel_loss_rate": [0.8, 0.82, 0.81]} for name in COVERAGE}
    axes = {"congestion.control": list(COVERAGE)}
    found = findings(made_up(rows, axes=axes, traffic={"rate_pps": 4.0}))
    assert part(found, "channel-loss", "none").verdict == "agrees"
    assert findings(made_up(rows, axes=axes, traffic={"rate_pps": 3.0})) == []


def test_only_parts_that_one_periodic_run_answers_are_asked() -> None:
    parts = [part for claim in periodic_claims() for part in claim.parts]
    assert parts
    assert not any(isinstance(part, Greatest) for part in parts)
    samples = [s for p in parts if not isinstance(p, Greatest) for s in (p.of, p.versus) if s is not None]
    assert {sample.experiment for sample in samples} == {"periodic"}
    table = next(claim for claim in periodic_claims() if claim.id == "fusion.coverage")
    assert len(table.parts) == len(SIX)
    whole = next(claim for claim in CLAIMS if claim.id == "fusion.coverage")
    assert len(whole.parts) == len(SIX) * len(COVERAGE_LEVELS)
    assert not {"fusion.fan-in", "fusion.event-small"} & {claim.id for claim in periodic_claims()}


def test_rows_are_grouped_by_claim_and_leave_out_what_was_not_measured() -> None:
    rows: Rows = {
        ("none", 4.0): {"latency_s": [1.0, 1.1, 0.9]},
        ("none", 1.0): {"latency_s": [2.0, 2.1, 1.9]},
        ("fusion", 4.0): {"latency_s": [3.0, 3.1, 2.9]},
    }
    found = findings(made_up(rows))
    shown = part_rows(found)
    assert [(row.judged.claim.id, row.rows) for row in shown] == [
        ("fusion.latency", 2),
        ("fusion.latency", 0),
    ]
    assert [row.load for row in shown] == ["4", "4, 1"]
    assert [row.mark for row in shown] == ["●", "●"]
    assert [len(each.parts) for each in measured(found)] == [2]
    assert counted(measured(found)) == "agrees: 2"
    assert loads(shown[0].finding.check) == "4"


def test_results_of_a_version_without_a_metric_are_not_measured_there() -> None:
    rows: Rows = {(name, 4.0): {"efficiency": [0.1, 0.2], "fairness": [0.2, 0.3]} for name in SIX}
    results = made_up(rows)
    object.__setattr__(results, "runs", results.runs.drop("fairness"))
    assert part(findings(results), "fairness", "Fusion over none").verdict == "not measured"
