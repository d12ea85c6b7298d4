"""The Fusion study from end to end in its reduced form: every experiment on a small floor, for a moment.

What it measures says nothing about Fusion; that it measures the same as yesterday, and that every claim,
figure and table finds its data, is what is tested here. A change that is meant rewrites the golden tables:

    .venv/bin/python -m pytest tests/test_fusion_study.py --update-golden
"""

import json
import math
from pathlib import Path

import pytest

from penstock.errors import BadInput
from penstock.studies import STUDIES, find_study
from penstock.studies.fusion.experiments import EXPERIMENTS, SIZES
from penstock.studies.fusion.readings import DEFAULT, READINGS, REDUCED
from penstock.studies.fusion.thesis import BEYOND, COVERAGE, SIX, STANDS_BESIDE
from penstock.studies.reproduce import CLAIMS, Reproduction, redraw, reproduce
from pinned import claim_rows, pinned

ASKED = (
    *("collapse", "starvation", "livelock", "efficiency", "efficiency-order", "imbalance"),
    *("throughput-order", "coverage", "fairness", "median", "latency", "channel-loss", "buffer-drops"),
    *("delay-null", "sleep-null", "fan-in", "event-small", "event-large", "event-delay", "event-drops"),
    "event-latency",
)
FIGURES = (
    *("3-1-top", "3-1-middle", "3-1-bottom", "5-2", "5-3", "5-4", "5-5", "5-6", "5-7", "5-8", "5-9", "5-10"),
    *("5-11", "5-12", "5-13", "5-14", "5-15", "5-16", "5-17"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study") / "fusion"


@pytest.fixture(scope="module")
def made(folder: Path) -> Reproduction:
    return reproduce("fusion", "reduced", folder)


def test_claims_are_pinned(made: Reproduction, pytestconfig: pytest.Config) -> None:
    rows = claim_rows(made)
    assert rows == pinned("fusion-claims.csv", rows, pytestconfig.getoption("--update-golden"))
    assert {row["finding"] for row in rows} >= {"agrees", "direction only", "does not agree", "inconclusive"}


def test_metrics_are_pinned(made: Reproduction, pytestconfig: pytest.Config) -> None:
    columns = ("efficiency", "throughput_pps", "fairness", "latency_s", "channel_loss_rate", "energy_j")
    rows = [
        {
            "experiment": key,
            "axes": json.dumps({axis: row[axis] for axis in results.axes}),
            **{name: "" if row[name] is None else f"{row[name]:.6g}" for name in columns},
        }
        for key, (results, _) in made.results.items()
        if key not in ("intel-lab", "tossim-grid")
        for row in results.runs.filter(seed=1).iter_rows(named=True)
    ]
    assert rows == pinned("fusion-metrics.csv", rows, pytestconfig.getoption("--update-golden"))


def test_every_claim_and_figure_that_was_asked_for_is_there(made: Reproduction) -> None:
    assert [claim.id for claim in made.study.claims] == [f"fusion.{word}" for word in ASKED]
    assert [figure.key for figure in made.study.figures] == [f"fig-{number}" for number in FIGURES]


def test_a_full_run_has_every_point_that_a_claim_asks_for() -> None:
    study = find_study("fusion")
    for effort in ("quick", "full"):
        grids = {each.key: (each.scenario(effort), each.x) for each in study.experiments}
        for claim in study.claims:
            for sample in claim.samples:
                scenario, x = grids[sample.experiment]
                assert scenario is not None
                optional = effort == "quick" and claim.id == "fusion.event-drops"
                assert optional or sample.at in scenario.axes[x], (effort, claim.id, sample)
                assert sample.strategy in scenario.axes["congestion.control"], (effort, claim.id, sample)
                assert all(value in scenario.axes[key] for key, value in sample.where), (claim.id, sample)


def test_full_runs_are_as_many_as_the_thesiss() -> None:
    grids = {each.key: each.scenario("full") for each in EXPERIMENTS}
    runs = {key: (grid.seeds, grid.confidence) for key, grid in grids.items() if grid is not None}
    assert runs["periodic"] == runs["event"] == (15, 0.99)
    assert runs["fan-in"] == (5, 0.95)
    assert {1, 3, 8} <= set(SIZES["quick"])


def test_readings_change_one_thing_each() -> None:
    assert READINGS[0] is DEFAULT
    assert not DEFAULT.sections
    assert all(reading.sections for reading in READINGS[1:])
    assert len({reading.key for reading in READINGS}) == len(READINGS)
    assert set(REDUCED) <= {reading.key for reading in READINGS}
    default = next(e for e in EXPERIMENTS if e.key == "reading-default").scenario("full")
    for each in EXPERIMENTS:
        if each.key.startswith("reading-") and each.key != "reading-default":
            scenario = each.scenario("full")
            assert default is not None
            assert scenario is not None
            unlike = [
                section
                for section in (
                    "topology",
                    "channel",
                    "radio",
                    "mac",
                    "node",
                    "routing",
                    "congestion",
                    "time",
                )
                if getattr(scenario, section) != getattr(default, section)
            ]
            assert unlike, f"{each.key} changes nothing"
            assert scenario.seeds == default.seeds


def test_what_goes_beyond_stands_beside_what_it_extends() -> None:
    assert tuple(STANDS_BESIDE) == BEYOND
    assert set(STANDS_BESIDE.values()) <= set(SIX) == set(COVERAGE)


def test_tables_are_rectangular_and_filled(made: Reproduction) -> None:
    for section in made.study.sections:
        table = section.table(made.results)
        if table is not None:
            assert table.rows, section.key
            assert all(len(row) == len(table.head) for row in table.rows), section.key
    tables = {section.key: section.table(made.results) for section in made.study.sections}
    for key in ("table-5-2", "periodic-4", "fan-in-4", "event-1", "skewed", "anchors", "sensitivity"):
        assert tables[key] is not None, key


def test_json_is_the_contract(made: Reproduction, folder: Path) -> None:
    stored = json.loads((folder / CLAIMS).read_text(encoding="utf-8"))
    assert stored == made.as_json()
    assert stored["study"] == "fusion"
    for claim in stored["claims"]:
        assert {"id", "source", "statement", "paper", "measured", "ci", "verdict", "note"} <= claim.keys()
        assert claim["verdict"] in ("reproduced", "direction only", "not reproduced")
        assert claim["verdict"] == "reproduced" or claim["note"]
        for value in (claim["measured"], *(claim["ci"] or ())):
            assert value is None or math.isfinite(value)


def test_drawing_again_needs_the_stored_results_alone(
    made: Reproduction, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_run(*_: object, **__: object) -> None:
        raise AssertionError("something was run")

    before = (folder / CLAIMS).read_bytes(), (folder / "report.html").read_bytes()
    monkeypatch.setattr("penstock._engine.run", no_run)
    assert redraw(folder).as_json() == made.as_json()
    assert ((folder / CLAIMS).read_bytes(), (folder / "report.html").read_bytes()) == before


def test_a_folder_keeps_to_its_effort(made: Reproduction, folder: Path) -> None:
    assert made.effort == "reduced"
    with pytest.raises(BadInput, match="holds the study fusion --reduced"):
        reproduce("fusion", "quick", folder)


def test_an_unknown_study_is_named_with_those_there_are() -> None:
    with pytest.raises(BadInput, match=f"fussion.*Did you mean fusion.*{', '.join(STUDIES)}"):
        find_study("fussion")
