"""The results folder: resuming, refusing, and never losing a finished run."""

import json
import sqlite3
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from penstock import (
    BadInput,
    Interrupted,
    Results,
    RunFailed,
    Scenario,
    experiment,
    identity,
    plan,
    run,
    store,
)
from penstock.journal import Journal, RunTables
from penstock.report.grid import arrange
from penstock.report.intro import what_was_run
from penstock.topology import generator
from penstock.topology.network import Network
from small import SMALL_NODES, small

FILES = [
    "journal.sqlite",
    "links.parquet",
    "manifest.json",
    "nodes.parquet",
    "report.html",
    "runs.parquet",
    "summary.json",
]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of the runs that the engine really made of the small network."""
    seeds: list[int] = []
    real = experiment._engine.run

    def counting(spec: Any) -> Any:
        if spec.node_count == SMALL_NODES:
            seeds.append(spec.seed)
        return real(spec)

    monkeypatch.setattr(experiment._engine, "run", counting)
    return seeds


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_run_leaves_its_files_and_loads_again(tmp_path: Path) -> None:
    results = run(small(), tmp_path / "deep" / "out", jobs=2)
    assert sorted(path.name for path in (tmp_path / "deep" / "out").iterdir()) == FILES
    loaded = Results.load(tmp_path / "deep" / "out")
    assert loaded.scenario == results.scenario
    assert loaded.summary == json.loads(json.dumps(results.summary))
    for name in ("runs", "nodes", "links"):
        assert getattr(loaded, name).equals(getattr(results, name)), name
    assert (loaded.axes, loaded.seeds) == (["congestion.control", "traffic.rate_pps"], [1, 2])
    assert (results.runs.height, results.nodes.height) == (8, 32)
    assert results.nodes["node"].unique().sort().to_list() == ["1", "2", "3", "4"]
    assert results.nodes.filter(pl.col("sink"))["parent_node"].null_count() == 8


def test_number_of_jobs_does_not_matter(tmp_path: Path) -> None:
    for jobs in (1, 2):
        run(small(), tmp_path / str(jobs), jobs=jobs)
    one, two = (tmp_path / jobs / "summary.json" for jobs in "12")
    assert one.read_bytes() == two.read_bytes()
    assert run(small(), jobs=2).summary == json.loads(one.read_text())


def test_finished_runs_are_not_repeated_and_seeds_extend(tmp_path: Path, counted: list[int]) -> None:
    run(small(), tmp_path / "out", seeds=1, jobs=1)
    assert counted == [1] * 4
    first = (tmp_path / "out" / "summary.json").read_bytes()
    run(small(), tmp_path / "out", seeds=3, jobs=1)
    assert counted == [1] * 4 + [2] * 4 + [3] * 4
    assert Results.load(tmp_path / "out").runs["seed"].to_list() == [1, 2, 3] * 4
    run(small(description="other words", confidence=0.99), tmp_path / "out", seeds=1)
    assert len(counted) == 12
    assert (tmp_path / "out" / "summary.json").read_bytes() == first


def refused(folder: Path, scenario: Scenario, words: str) -> None:
    before = content(folder)
    with pytest.raises(BadInput, match=words):
        run(scenario, folder)
    assert content(folder) == before


def test_another_scenario_is_refused(tmp_path: Path) -> None:
    run(small(axes={}), tmp_path, seeds=1)
    refused(tmp_path, small(axes={}, traffic={"rate_pps": 2.0}), "another scenario")
    refused(tmp_path, small(axes={}, name="other"), "another scenario")


def test_another_version_is_refused(tmp_path: Path) -> None:
    run(small(axes={}), tmp_path, seeds=1)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    for key, words in (
        ("penstock", "results of Penstock 9.9"),
        ("engine_build", "another build of the engine"),
        ("python_code", "other Python code that also called itself Penstock"),
        ("networks", "other networks"),
    ):
        changed = manifest | {"identity": manifest["identity"] | {key: "9.9"}}
        (tmp_path / "manifest.json").write_text(json.dumps(changed))
        refused(tmp_path, small(axes={}), words)


def test_a_changed_generator_is_another_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(small(axes={}), tmp_path, seeds=1)
    real = generator.line
    monkeypatch.setattr(generator, "line", lambda section: real(section) + 0.25)
    refused(tmp_path, small(axes={}), "other networks: this topology now gives other positions")


def test_changed_code_is_another_experiment_but_a_changed_report_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report").mkdir()
    (tmp_path / "metrics.py").write_text("a = 1")
    (tmp_path / "report" / "page.py").write_text("a = 1")
    monkeypatch.setattr(identity, "PACKAGE", tmp_path)
    before = identity.python_code()
    (tmp_path / "report" / "page.py").write_text("a = 2")
    (tmp_path / "cli.py").write_text("a = 2")
    assert identity.python_code() == before
    (tmp_path / "metrics.py").write_text("a = 2")
    assert identity.python_code() != before


def test_every_part_of_a_network_is_in_its_digest() -> None:
    one = np.zeros(1, dtype=np.int32)
    network = Network(["1", "2"], np.zeros((2, 2)), 0, one, one + 1, np.array([-60.0]), np.zeros(2))
    changes: dict[str, Any] = {
        "labels": ["1", "3"],
        "positions": np.ones((2, 2)),
        "sink": 1,
        "links_src": one + 1,
        "links_dst": one,
        "links_gain_db": np.array([-61.0]),
        "noise_floor_dbm": np.ones(2),
    }
    assert changes.keys() == {field.name for field in fields(Network)}
    digests = {replace(network, **{name: value}).digest for name, value in changes.items()}
    assert len(digests | {network.digest}) == len(changes) + 1


def test_seeds_that_cut_nodes_off_are_named_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plan, "_check_connected", lambda found: [plan.CutOff(2, ["3"])])
    results = run(small(axes={}, seeds=2), tmp_path)
    assert "seed 2 (node 3)" in capsys.readouterr().err
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["disconnected"] == [{"seed": 2, "nodes": ["3"]}]
    sentence = "left nodes without a path to the sink with seed 2 (node 3); these runs count too."
    assert sentence in what_was_run(results, arrange(results.summary["points"]))
    assert sentence in (tmp_path / "report.html").read_text()


def test_a_journal_without_its_manifest_is_gone_on_with(tmp_path: Path, counted: list[int]) -> None:
    run(small(axes={}), tmp_path, seeds=2, jobs=1)
    before = content(tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(BadInput, match=r"no finished results here: a journal .* Run the same scenario"):
        Results.load(tmp_path)
    refused(
        tmp_path, small(axes={}, name="b"), "a journal of finished runs without its manifest.json; they are"
    )
    run(small(axes={}), tmp_path, seeds=2)
    assert counted == [1, 2]
    after = content(tmp_path)
    assert {n: after[n] == before[n] for n in ("summary.json", "runs.parquet")} == {
        "summary.json": True,
        "runs.parquet": True,
    }


def test_a_topology_file_is_known_by_its_content(tmp_path: Path) -> None:
    def scenario(name: str, gain: float) -> Scenario:
        (tmp_path / name).write_text(f"gain 0 1 {gain}\ngain 1 0 {gain}\n")
        topology = {"kind": "gain_file", "file": name, "sink": 0}
        return Scenario.model_validate(
            {"name": "x", "topology": topology, "time": {"measure_s": 5.0}}
        ).placed_in(tmp_path)

    results = run(scenario("a.txt", -60), tmp_path / "out", seeds=1)
    assert results.nodes["x_m"].null_count() == 2
    run(scenario("b.txt", -60), tmp_path / "out", seeds=1)
    assert Results.load(tmp_path / "out").runs.height == 1
    refused(tmp_path / "out", scenario("b.txt", -61), "another scenario")


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    refused(tmp_path, small(), "is not empty and holds no Penstock results")
    (tmp_path / "manifest.json").write_text("{}")
    refused(tmp_path, small(), "is no Penstock manifest")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/penstock")):
        with pytest.raises(BadInput, match="cannot write results there"):
            run(small(), folder)


def test_bad_input_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        run(small(topology={"kind": "line", "nodes": 3, "spacing_m": 500.0}), tmp_path / "out")
    with pytest.raises(BadInput):
        run(small(), tmp_path / "out", seeds=0)
    with pytest.raises(BadInput):
        run(small(), tmp_path / "out", jobs=0)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("damage", ["no database", "half", "a value"])
def test_a_corrupt_journal_is_named_and_kept(tmp_path: Path, damage: str) -> None:
    run(small(), tmp_path, seeds=1)
    journal = tmp_path / "journal.sqlite"
    if damage == "a value":
        database = sqlite3.connect(journal)
        database.execute("UPDATE runs SET nodes = zeroblob(length(nodes)) WHERE point = 2")
        database.commit()
        database.close()
    else:
        whole = journal.read_bytes()
        journal.write_bytes(b"not a database" * 100 if damage == "no database" else whole[: len(whole) // 2])
    before = content(tmp_path)
    with pytest.raises(BadInput, match=r"journal.sqlite: the journal cannot be used"):
        run(small(), tmp_path, seeds=1)
    assert content(tmp_path) == before


def test_two_commands_cannot_share_a_folder(tmp_path: Path) -> None:
    run(small(axes={}), tmp_path, seeds=1)
    identity = json.loads((tmp_path / "manifest.json").read_text())["identity"]
    holder = Journal(tmp_path / "journal.sqlite", identity)
    holder.keep(0, 99, RunTables({}, b"", b""))
    with pytest.raises(BadInput, match="another penstock run is using this folder"):
        run(small(axes={}), tmp_path, seeds=1)
    holder.close()
    run(small(axes={}), tmp_path, seeds=1)


def test_a_stopped_experiment_keeps_its_runs_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[int]
) -> None:
    with monkeypatch.context() as patch:

        def interrupted(*args: Any, **kwargs: Any) -> Any:
            if len(counted) >= 3:
                raise KeyboardInterrupt
            return real(*args, **kwargs)

        real = experiment.wait
        patch.setattr(experiment, "wait", interrupted)
        with pytest.raises(Interrupted, match=r"stopped after \d of 8 runs"):
            run(small(), tmp_path, jobs=1)
    with sqlite3.connect(tmp_path / "journal.sqlite") as database:
        (kept,) = database.execute("SELECT count(*) FROM runs").fetchone()
    database.close()
    assert 2 <= kept < 8
    assert not (tmp_path / "summary.json").exists()
    with pytest.raises(BadInput, match="no finished results here"):
        Results.load(tmp_path)
    made = len(counted)
    resumed = run(small(), tmp_path, jobs=1)
    assert len(counted) - made == 8 - kept
    assert resumed.summary == run(small(), jobs=1).summary


def test_a_failed_run_does_not_lose_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = experiment._engine.run

    def failing(spec: Any) -> Any:
        if spec.seed == 2 and spec.control == "fusion":
            raise RuntimeError("the world ended")
        return real(spec)

    with monkeypatch.context() as patch:
        patch.setattr(experiment._engine, "run", failing)
        results = run(small(), tmp_path, jobs=2)
    assert [(f.axes["traffic.rate_pps"], f.seed, f.message) for f in results.failures] == [
        (0.5, 2, "RuntimeError: the world ended"),
        (1.0, 2, "RuntimeError: the world ended"),
    ]
    assert [point["runs"] for point in results.summary["points"]] == [2, 2, 1, 1]
    assert len(Results.load(tmp_path).failures) == 2
    again = run(small(), tmp_path)
    assert not again.failures
    assert again.runs.height == 8


def test_when_all_runs_fail_there_are_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = experiment._engine.run

    def failing(spec: Any) -> Any:
        if spec.node_count == SMALL_NODES:
            raise RuntimeError("the world ended")
        return real(spec)

    monkeypatch.setattr(experiment._engine, "run", failing)
    with pytest.raises(
        RunFailed, match="all 8 runs failed; the first one said: RuntimeError: the world ended"
    ):
        run(small(), tmp_path)
    assert not (tmp_path / "summary.json").exists()


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def broken(part: Path) -> None:
        part.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(BadInput, match="No space left"):
        store._replace(path, broken)
    assert content(tmp_path) == {"file": b"old"}


@pytest.mark.parametrize("name", ["manifest.json", "summary.json", "runs.parquet"])
def test_damaged_results_are_named(tmp_path: Path, name: str) -> None:
    run(small(axes={}), tmp_path, seeds=1)
    (tmp_path / name).write_bytes(b"[]")
    with pytest.raises(BadInput, match=name):
        Results.load(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(BadInput, match="no finished results here"):
        Results.load(tmp_path)
