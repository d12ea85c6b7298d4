"""Studies: how claims are judged, and that `penstock reproduce` runs, keeps, refuses and draws again."""

import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import small_study
from made_up import CONTROL, LOAD, Rows, made_up
from penstock import BadInput, experiment, studies
from penstock.commands import app
from penstock.studies.claim import INFINITE, Check, Claim, Greatest, Sample, less, more
from penstock.studies.fusion.claims import CLAIMS
from penstock.studies.judge import Judged, judge_check, judge_claim
from penstock.studies.reproduce import redraw, reproduce
from penstock.studies.section import Loaded

STEADY, HIGH, WILD = [0.30, 0.31, 0.29], [0.60, 0.61, 0.59], [0.05, 0.60, 0.30]


def tables(**experiments: Rows) -> Loaded:
    """Experiments by key, each over strategy and load."""
    return {key: (made_up(rows), LOAD) for key, rows in experiments.items()}


def sample(strategy: str, metric: str = "efficiency", at: float = 4.0, key: str = "main") -> Sample:
    return Sample(key, strategy, metric, at)


def between(of: Sample, low: float, high: float) -> Check:
    return Check(of, "a value", "5.1", "some", low, high, direction="above", pivot=0.1)


def claim(*parts: Check | Greatest) -> Claim:
    return Claim("study.word", "A statement", "5.1", "some", parts)


def judged(given: list[float], *parts: Check | Greatest) -> Judged:
    return judge_claim(claim(*parts), tables(main={("none", 4.0): {"efficiency": given}}))


GOOD, OFF, DENIED = (
    between(sample("none"), 0.2, 0.4),
    between(sample("none"), 0.7, 0.9),
    Check(sample("none"), "a value", "5.1", "some", 0.7, 0.9, direction="above", pivot=0.5),
)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((GOOD,), "reproduced"),
        ((GOOD, GOOD), "reproduced"),
        ((GOOD, DENIED), "direction only"),
        ((OFF, GOOD), "direction only"),
        ((DENIED, GOOD), "not reproduced"),
    ],
)
def test_a_claim_needs_all_parts_and_its_direction_the_first(parts: tuple[Check, ...], expected: str) -> None:
    found = judged(STEADY, *parts)
    assert found.verdict == expected
    assert found.holding == sum(part is GOOD for part in parts)
    assert len(found.failing) == len(parts) - found.holding
    assert found.first is found.parts[0]


def test_what_is_inconclusive_or_not_measured_is_not_reproduced() -> None:
    assert judged(WILD, GOOD).first.verdict == "inconclusive"
    assert judged(WILD, GOOD).verdict == "not reproduced"
    assert judged([0.3], GOOD).first.verdict == "not measured"
    assert judged([0.3], GOOD).verdict == "not reproduced"
    assert judged([0.3], GOOD).first.measured == "0.3"


def test_the_greatest_of_several_stands_for_all() -> None:
    rows: Rows = {
        ("occupancy", 4.0): {"efficiency": STEADY},
        ("channel", 4.0): {"efficiency": HIGH},
        ("delay", 4.0): {"efficiency": [math.nan] * 3},
    }
    among = tuple(between(sample(name), 0.5, 0.7) for name in ("occupancy", "channel", "delay", "absent"))
    found = judge_claim(claim(Greatest(among)), tables(main=rows))
    assert (found.first.strategy, found.verdict) == ("channel", "reproduced")
    nothing = judge_claim(claim(Greatest(among[2:])), tables(main=rows))
    assert (nothing.first.strategy, nothing.first.verdict) == ("delay", "not measured")


def test_two_experiments_are_paired_by_seed() -> None:
    low, high = [0.10, 0.50, 0.90, 0.30], [0.15, 0.55, 0.95, 0.35]
    made = tables(one={("none", 4.0): {"efficiency": low}}, two={("none", 4.0): {"efficiency": [*high, 7.0]}})
    of, versus = sample("none", key="one"), sample("none", key="two")
    found = judge_check(less(of, versus, "one less two", "5.4"), made)
    assert found.verdict == "agrees"
    assert found.estimate is not None
    assert (found.estimate.count, found.estimate.mean) == (4, pytest.approx(-0.05))
    assert found.estimate.high < 0
    assert judge_check(more(of, versus, "one less two", "5.4"), made).verdict == "does not agree"


def test_a_sample_may_name_further_axes() -> None:
    keys = (CONTROL, "traffic.rate_pps", "node.queue")
    rows: Rows = {
        ("none", 1.0, 4): {"efficiency": STEADY},
        ("none", 1.0, 8): {"efficiency": HIGH},
    }
    made = {"main": (made_up(rows, keys), "node.queue")}
    for queue, load, expected in ((4, 1.0, 0.3), (8, 1.0, 0.6), (8, 2.0, None), (16, 1.0, None)):
        of = Sample("main", "none", "efficiency", queue, ((LOAD, load),))
        found = judge_check(between(of, 0.0, 1.0), made)
        mean = found.estimate.mean if found.estimate else None
        assert mean == (None if expected is None else pytest.approx(expected))
    fixed = made_up({("none", 4): {"efficiency": STEADY}}, (CONTROL, "node.queue"), traffic={"rate_pps": 3.0})
    at_fixed = Sample("main", "none", "efficiency", 4, ((LOAD, 3.0),))
    assert judge_check(between(at_fixed, 0.2, 0.4), {"main": (fixed, "node.queue")}).verdict == "agrees"


def test_an_experiment_that_was_not_run_is_not_measured() -> None:
    found = judge_claim(claim(between(sample("none"), 0.0, 1.0), GOOD), {})
    assert [part.verdict for part in found.parts] == ["not measured"] * 2
    assert (found.verdict, found.first.measured) == ("not reproduced", "–")


def test_the_thesis_names_each_claim_once_and_each_range_makes_sense() -> None:
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    assert all(identity.startswith("fusion.") for identity in ids)
    for each in CLAIMS:
        checks = [c for p in each.parts for c in (p.among if isinstance(p, Greatest) else (p,))]
        assert checks
        assert all(check.low <= check.high for check in checks)
        assert all((check.versus is None) == (check.pairing == "value") for check in checks)


# The command.


def penstock(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.fixture(autouse=True)
def small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small study is there beside those that ship."""
    monkeypatch.setattr(studies, "STUDIES", ("fusion", "small"))
    monkeypatch.setitem(sys.modules, "penstock.studies.small", SimpleNamespace(STUDY=small_study.STUDY))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the command has made; nobody changes it."""
    folder = tmp_path_factory.mktemp("study") / "out"
    patch = pytest.MonkeyPatch()
    patch.setattr(studies, "STUDIES", ("fusion", "small"))
    patch.setitem(sys.modules, "penstock.studies.small", SimpleNamespace(STUDY=small_study.STUDY))
    result = penstock("reproduce", "small", "--out", folder)
    patch.undo()
    assert result.exit_code == 0, result.output
    (folder / "stdout").write_text(result.stdout)
    (folder / "stderr").write_text(result.stderr)
    return folder


def test_the_command_says_what_it_does_and_found(made: Path) -> None:
    said, went = (made / "stdout").read_text(), (made / "stderr").read_text()
    for words in ("small.delivers", "reproduced", "direction only (1 of 2 parts)", "not reproduced",
                  "4 claims: 1 reproduced, 1 direction only, 2 not reproduced.", "Left out: absent:",
                  "Few seeds make wide intervals", f"Report: {made / 'report.html'}"):  # fmt: skip
        assert words in said
    for words in ("--quick: few seeds", "1 of 3: Periodic workload (5.3)", "3 of 3"):
        assert words in went
    assert {path.name for path in made.iterdir()} >= {"study.json", "claims.json", "report.html", "periodic"}


def test_json_is_the_claims_and_nothing_else(made: Path) -> None:
    result = penstock("reproduce", "small", "--quick", "--out", made, "--jobs", 1, "--json")
    assert result.exit_code == 0, result.output
    assert result.stdout == (made / "claims.json").read_text()
    assert result.stderr == ""
    claims = json.loads(result.stdout)
    assert (claims["study"], claims["effort"]) == ("small", "quick")
    assert [each["verdict"] for each in claims["claims"]] == [
        *("reproduced", "direction only", "not reproduced", "not reproduced"),
    ]
    assert set(claims["skipped"]) == {"absent"}


def test_what_is_finished_is_not_run_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: (made / name).read_bytes() for name in ("claims.json", "report.html")}

    def never(*args: Any) -> Any:
        raise AssertionError("nothing was left to run")

    monkeypatch.setattr(experiment, "_simulated", never)
    assert penstock("reproduce", "small", "--out", made).exit_code == 0
    assert {name: (made / name).read_bytes() for name in before} == before


def test_report_draws_a_study_from_stored_results_alone(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: (made / name).read_bytes() for name in ("claims.json", "report.html", "study.json")}
    for name in ("claims.json", "report.html"):
        (made / name).unlink()
    monkeypatch.setattr(experiment, "run", lambda *args, **kwargs: pytest.fail("something was run"))
    for journal in made.glob("*/journal.sqlite"):
        journal.rename(journal.with_suffix(".away"))
    try:
        result = penstock("report", made)
    finally:
        for journal in made.glob("*/journal.away"):
            journal.rename(journal.with_suffix(".sqlite"))
    assert result.exit_code == 0, result.output
    assert result.stdout == (made / "stdout").read_text()
    assert {name: (made / name).read_bytes() for name in before} == before
    assert redraw(made).effort == "quick"


def test_an_unknown_study_and_both_efforts_exit_2(tmp_path: Path) -> None:
    result = penstock("reproduce", "fusio", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "Did you mean fusion? The studies are: fusion, small" in result.stderr
    result = penstock("reproduce", "small", "--quick", "--full", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr
    assert not (tmp_path / "out").exists()


def test_an_occupied_folder_is_refused_and_kept(made: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    result = penstock("reproduce", "small", "--out", tmp_path)
    assert result.exit_code == 2
    assert "is not empty and holds no Penstock study" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    before = (made / "claims.json").read_bytes()
    result = penstock("reproduce", "small", "--full", "--out", made)
    assert result.exit_code == 2
    assert "holds the study small --quick" in result.stderr
    assert (made / "claims.json").read_bytes() == before


def test_a_folder_of_half_a_study_is_named(made: Path, tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text((made / "study.json").read_text())
    result = penstock("report", tmp_path)
    assert result.exit_code == 2
    assert "no finished results here" in result.stderr
    (tmp_path / "study.json").write_text("{}")
    assert "is no study of this Penstock version" in penstock("report", tmp_path).stderr


def test_ctrl_c_exits_130_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(experiment, "wait", interrupted)
        result = penstock("reproduce", "small", "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert "The same command goes on from there" in result.stderr
    assert penstock("reproduce", "small", "--out", tmp_path / "out").exit_code == 0


def test_a_failed_run_exits_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = experiment._engine.run

    def failing(spec: Any) -> Any:
        if spec.seed == 2:
            raise RuntimeError("the world ended")
        return real(spec)

    monkeypatch.setattr(experiment._engine, "run", failing)
    result = penstock("reproduce", "small", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "Periodic workload (5.3): 6 runs failed: RuntimeError: the world ended" in result.stderr
    assert (tmp_path / "out" / "periodic" / "summary.json").is_file()


def test_an_experiment_that_must_not_fail_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = experiment.run

    def refused(scenario: Any, *args: Any, **kwargs: Any) -> Any:
        if scenario.name == "small-crowded":
            raise BadInput("crowded: no room")
        return real(scenario, *args, **kwargs)

    monkeypatch.setattr(experiment, "run", refused)
    with pytest.raises(BadInput, match="no room"):
        reproduce("small", "quick", tmp_path / "out", jobs=1)


def test_the_default_folder_names_study_and_effort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert penstock("reproduce", "small", "--full", "--json").exit_code == 0
    assert (tmp_path / "results" / "reproduce-small-full" / "report.html").is_file()
    result = penstock("report", tmp_path / "results" / "reproduce-small-full")
    assert "Few seeds" not in result.stdout


def test_studies_are_listed_with_their_papers() -> None:
    listed = penstock("studies").stdout
    assert listed.startswith("fusion  Fusion:")
    assert "B. W. Hull" in listed


def test_an_infinite_range_reads_as_such() -> None:
    never = Check(sample("none", "coverage_90_s"), "never", "Table 5.2", "∞", INFINITE, INFINITE,
                  direction="above", pivot=240.0)  # fmt: skip
    rows: Rows = {("none", 4.0): {"coverage_90_s": [math.inf] * 3}}
    found = judge_check(never, tables(main=rows))
    assert (found.verdict, found.measured) == ("agrees", "∞ s")
