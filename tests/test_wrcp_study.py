"""The WRCP study from end to end in its reduced form: every experiment for a moment.

What it measures says nothing about WRCP; that it measures the same as yesterday, and that every claim, figure
and table finds its data, is what is tested here. A change that is meant rewrites the golden tables:

    .venv/bin/python -m pytest tests/test_wrcp_study.py --update-golden
"""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import penstock
from penstock.studies import find_study
from penstock.studies.claim import Check
from penstock.studies.reproduce import Reproduction, redraw, reproduce
from penstock.studies.wrcp import activity, derive, paper, world
from penstock.studies.wrcp.experiments import EXPERIMENTS
from pinned import claim_rows, pinned

SCENARIOS = Path(__file__).parent.parent / "scenarios"
ASKED = (
    *("saturation", "stability", "convergence", "static-goodput", "static-delay", "maxmin", "dynamic-20"),
    *("dynamic-40", "short-20", "short-40", "interference-rates", "interference-fair"),
)
COLUMNS = ("throughput_pps", "latency_s", "transmissions", "source_delay_s", "rate_variance", "gamma")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study") / "wrcp"


@pytest.fixture(scope="module")
def made(folder: Path) -> Reproduction:
    return reproduce("wrcp", "reduced", folder)


def test_claims_are_pinned(made: Reproduction, pytestconfig: pytest.Config) -> None:
    rows = claim_rows(made)
    assert rows == pinned("wrcp-claims.csv", rows, bool(pytestconfig.getoption("--update-golden")))


def test_metrics_are_pinned(made: Reproduction, pytestconfig: pytest.Config) -> None:
    rows = [
        {
            "experiment": key,
            "axes": json.dumps({axis: row[axis] for axis in results.axes}),
            **{name: "" if row.get(name) is None else f"{row[name]:.6g}" for name in COLUMNS},
        }
        for key, (results, _) in made.results.items()
        if "grenoble" not in key
        for row in results.runs.filter(seed=1).iter_rows(named=True)
    ]
    assert rows == pinned("wrcp-metrics.csv", rows, bool(pytestconfig.getoption("--update-golden")))


def test_every_claim_and_figure_that_was_asked_for_is_there(made: Reproduction) -> None:
    assert [claim.id for claim in made.study.claims] == [f"wrcp.{word}" for word in ASKED]
    numbers = {figure.source.split()[1].rstrip(",") for figure in made.study.figures}
    assert numbers == {str(number) for number in (1, 2, 4, *range(8, 22))}


def test_quick_and_full_runs_have_every_point_that_a_claim_asks_for() -> None:
    study = find_study("wrcp")
    for effort in ("quick", "full"):
        grids = {each.key: (each.scenario(effort), each.x) for each in study.experiments}
        for claim in study.claims:
            for sample in claim.samples:
                scenario, x = grids[sample.experiment]
                assert scenario is not None, sample
                assert sample.at in scenario.axes.get(x, [scenario.node.link_attempts]), (claim.id, sample)
                control = scenario.axes.get(world.CONTROL, [scenario.congestion.control])
                assert sample.strategy in control, (claim.id, sample)
                assert all(value in scenario.axes[key] for key, value in sample.where), (claim.id, sample)


def test_claims_have_ranges_that_make_sense() -> None:
    for claim in find_study("wrcp").claims:
        for part in claim.parts:
            assert isinstance(part, Check), claim.id
            assert part.low <= part.high, (claim.id, part)
            assert (part.versus is None) == (part.pairing == "value"), (claim.id, part)


def test_ratios_of_rounded_counts() -> None:
    assert paper.ratio_of_rounded((9000, 6000), 500) == pytest.approx((8500 / 6500, 9500 / 5500))


@pytest.mark.parametrize("nodes", [20, 40])
def test_the_study_and_the_scenarios_are_of_the_same_world(nodes: int) -> None:
    static = penstock.load_scenario(SCENARIOS / f"wrcp-{nodes}.toml")
    here = next(e for e in EXPERIMENTS if e.key == f"static-{nodes}").scenario("full")
    assert here is not None
    assert here.topology == static.topology
    assert here.channel == static.channel
    for case, flows in ((1, activity.case_1(nodes)), (2, activity.case_2(nodes))):
        other = penstock.load_scenario(SCENARIOS / f"wrcp-{nodes}-case{case}.toml")
        mine = next(e for e in EXPERIMENTS if e.key == f"case-{case}-{nodes}").scenario("full")
        assert mine is not None
        assert mine.traffic == other.traffic, flows
        assert mine.time.measure_s == other.time.measure_s


def test_derived_numbers_are_those_of_each_run(made: Reproduction) -> None:
    results, _ = made.results["static-20"]
    for seed in results.seeds:
        run = results.runs.filter(pl.col(world.CONTROL) == "wrcp", seed=seed).row(0, named=True)
        mine, other = (
            results.flows.filter(pl.col(world.CONTROL) == name, seed=seed)
            .sort("source")
            .to_dict(as_series=False)
            for name in ("wrcp", "ifrc")
        )
        assert run["least_goodput_pps"] == pytest.approx(min(mine["goodput_pps"]))
        assert run["source_delay_s"] == pytest.approx(np.mean(mine["delay_mean_s"]))
        pairs = zip(mine["delivered"], other["delivered"], strict=True)
        better = [a >= (1 - paper.EQUAL) * b for a, b in pairs]
        assert run["sources_at_least_ifrc"] == pytest.approx(np.mean(better))
        assert run["gamma"] >= 2.0
        assert run["gamma_expected"] >= 2.0
    assert results.runs.filter(pl.col(world.CONTROL) == "ifrc")["at_least_ifrc"].null_count() == 2


def test_a_sweep_tells_its_bound_at_each_of_its_points(made: Reproduction) -> None:
    results, _ = made.results["stability-20-5"]
    for seed, sweep in results.runs.group_by("seed"):
        found = sweep.sort(world.ALPHA_KEY).to_dict(as_series=False)
        assert len(set(found["alpha_bound"])) == 1, seed
        pairs = list(zip(found[world.ALPHA_KEY], found["gamma"], strict=True))
        within = [gamma for alpha, gamma in pairs if alpha <= 2 / pairs[0][1]]
        assert found["alpha_bound"][0] == pytest.approx(2 / np.mean(within))


def test_what_flows_during_an_interval_is_compared_with_before(made: Reproduction) -> None:
    results, _ = made.results["static-20"]
    found = derive.during({"later": (30.0, 60.0)}, (0.0, 30.0))(results)
    delivered = {0: 0, 30: 0, 58: 0}
    run = results.series.filter(pl.col(world.CONTROL) == "wrcp", seed=1)
    for time_s, count in run.select("time_s", "delivered").iter_rows():
        if round(time_s) in delivered:
            delivered[round(time_s)] += count
    share = (delivered[58] - delivered[30]) / (delivered[30] - delivered[0])
    assert found.filter(pl.col(world.CONTROL) == "wrcp", seed=1)["later"].item() == pytest.approx(share)


def test_tables_are_rectangular_and_filled(made: Reproduction) -> None:
    tables = {section.key: section.table(made.results) for section in made.study.sections}
    for key, table in tables.items():
        if table is not None:
            assert table.rows, key
            assert all(len(row) == len(table.head) for row in table.rows), key
    for key in ("table-1", "saturation", "alpha", "bounds", "beside-20", "readings", "readings-20"):
        assert tables[key] is not None, key


def test_drawing_again_needs_the_stored_results_alone(made: Reproduction, folder: Path) -> None:
    before = (folder / "report.html").read_bytes()
    assert redraw(folder).as_json() == made.as_json()
    assert (folder / "report.html").read_bytes() == before
