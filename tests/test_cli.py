"""The command: exit codes, one clear message, no traceback, and the JSON contract."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from penstock import __version__, cli, experiment
from penstock.commands import app
from penstock.metrics import METRICS
from small import SMALL_TOML


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL_TOML, encoding="utf-8")
    return path


def penstock(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_run_prints_the_strategies_and_where_the_report_is(scenario: Path, tmp_path: Path) -> None:
    result = penstock("run", scenario, "--out", tmp_path / "out", "--set", "traffic.rate_pps=4", "--seeds", 2)
    assert result.exit_code == 0, result.output
    for words in (
        "congestion.control",
        "fusion",
        "the thesis says",
        "verdict",
        f"Report: {tmp_path / 'out' / 'report.html'}",
    ):
        assert words in result.stdout
    assert (tmp_path / "out" / "report.html").stat().st_size > 1000


def test_json_is_the_summary_and_nothing_else(scenario: Path, tmp_path: Path) -> None:
    result = penstock("run", scenario, "--out", tmp_path / "out", "--jobs", 2, "--json")
    assert result.exit_code == 0, result.output
    assert result.stdout == (tmp_path / "out" / "summary.json").read_text()
    assert result.stderr == ""
    summary = json.loads(result.stdout)
    assert summary["scenario"] == "small"
    assert [point["axes"] for point in summary["points"]] == [
        {"congestion.control": control, "traffic.rate_pps": rate}
        for control in ("none", "fusion")
        for rate in (0.5, 1.0)
    ]
    assert set(summary["points"][0]["metrics"]) == set(METRICS)
    assert summary["points"][0]["metrics"]["throughput_pps"].keys() == {"mean", "ci", "level"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "traffic.rate_pps=-1"], "traffic.rate_pps"),
        (["--set", "trafic.rate_pps=1"], 'did you mean "traffic.rate_pps"'),
        (["--set", "nonsense"], "key=value"),
        (["--set", "topology.sink=77"], "topology.sink is 77"),
        (["--set", "topology.spacing_m=900"], "no path to the sink"),
        (["--seeds", "0"], "--seeds"),
        (["--seeds", "1000000000"], "less than or equal to 100000"),
        (["--jobs", "none"], "--jobs"),
        (["--scheduler"], "scheduler"),
    ],
)
def test_bad_input_exits_2_and_writes_nothing(
    scenario: Path, tmp_path: Path, options: list[str], words: str
) -> None:
    result = penstock("run", scenario, "--out", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)
    assert not (tmp_path / "out").exists()


def test_run_needs_a_folder(scenario: Path) -> None:
    assert penstock("run", scenario).exit_code == 2


def test_absent_data_exits_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repo: Path) -> None:
    monkeypatch.setenv("PENSTOCK_DATA", str(tmp_path))
    copy = tmp_path / "copy.toml"
    copy.write_text((repo / "scenarios" / "tossim-grid.toml").read_text())
    result = penstock("run", copy, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "set PENSTOCK_DATA to the folder" in result.stderr


def test_malformed_topology_names_file_and_line(scenario: Path, tmp_path: Path) -> None:
    (tmp_path / "gains.txt").write_text("gain 0 1 -60\ngain 1 0 loud\n")
    changes = ["topology={kind = 'gain_file', file = 'gains.txt', sink = 0}", "channel={}"]
    plain = (
        scenario.read_text().split("[topology]")[0]
        + "[topology]\nkind = 'gain_file'\nfile = 'gains.txt'\nsink = 0\n"
    )
    scenario.write_text(plain)
    result = penstock("run", scenario, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert f"{tmp_path / 'gains.txt'}, line 2: the gain (dB)" in result.stderr
    assert penstock("run", scenario, "--out", tmp_path / "out", "--set", changes[0]).exit_code == 2


def test_a_failed_run_exits_1(scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = experiment._engine.run

    def failing(spec: Any) -> Any:
        if spec.seed == 2:
            raise RuntimeError("the world ended")
        return real(spec)

    monkeypatch.setattr(experiment._engine, "run", failing)
    result = penstock("run", scenario, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "4 runs failed; the others are complete" in result.stderr
    assert (
        "congestion.control = none, traffic.rate_pps = 0.5, seed 2: RuntimeError: the world ended"
        in result.stderr
    )
    assert (tmp_path / "out" / "summary.json").is_file()


def test_ctrl_c_exits_130(scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "wait", interrupted)
    result = penstock("run", scenario, "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert "The same command goes on from there" in result.stderr


def command(*args: object, stdout: Any = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "penstock.cli", *map(str, args)],
        stdout=stdout, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize(
    "args", [["run", "--out", "out", "--json"], ["check"], ["strategies"], ["--version"]]
)
def test_a_full_disk_behind_the_output_is_one_line(scenario: Path, tmp_path: Path, args: list[str]) -> None:
    files = {"run": [scenario], "check": [scenario]}.get(args[0], [])
    where = [tmp_path / "out" if arg == "out" else arg for arg in args]
    with Path("/dev/full").open("w") as full:
        done = command(*where, *files, stdout=full)
    assert (done.returncode, done.stderr) == (
        1, "penstock: cannot write to standard output: No space left on device\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    "args", [["run", "--out", "out", "--json"], ["check"], ["strategies"], ["--version"]]
)
def test_a_closed_pipe_is_one_line(scenario: Path, tmp_path: Path, args: list[str]) -> None:
    files = {"run": [scenario], "check": [scenario]}.get(args[0], [])
    where = [tmp_path / "out" if arg == "out" else arg for arg in args]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = command(*where, *files, stdout=pipe)
    assert (done.returncode, done.stderr) == (1, "penstock: cannot write to standard output: Broken pipe\n")


def test_ctrl_c_while_penstock_loads_exits_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Impatient:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == "penstock.commands":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "penstock.commands")
    monkeypatch.setattr(sys, "meta_path", [Impatient(), *sys.meta_path])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert (stopped.value.code, capsys.readouterr().err) == (130, "penstock: stopped\n")


def test_the_way_in_loads_nothing_slow() -> None:
    code = "import sys, penstock.cli; print([m for m in ('polars', 'numpy', 'typer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_report_is_drawn_again(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert penstock("run", scenario, "--out", out, "--json").exit_code == 0
    drawn = (out / "report.html").read_bytes()
    (out / "report.html").unlink()
    assert penstock("report", out).exit_code == 0
    assert (out / "report.html").read_bytes() == drawn
    result = penstock("report", tmp_path)
    assert result.exit_code == 2
    assert "no finished results here" in result.stderr


def test_check_describes_the_network(scenario: Path) -> None:
    result = penstock("check", scenario)
    assert result.exit_code == 0, result.output
    assert "4 points, 8 runs" in result.stdout
    assert "nodes         4, sink 1" in result.stdout
    assert "connected     4 of 4" in result.stdout
    assert penstock("check", scenario, "--set", "topology.spacing_m=900").exit_code == 2


def test_lists(monkeypatch: pytest.MonkeyPatch, repo: Path) -> None:
    monkeypatch.chdir(repo)
    assert penstock("strategies").stdout.split() == [
        "none",
        "occupancy",
        "channel",
        "delay",
        "rate",
        "fusion",
        "loss",
        "union",
        "ack",
        "share",
        "fusion_share",
        "ifrc",
        "wrcp",
    ]
    assert "scenarios/office55.toml  55 Mica2 nodes" in penstock("scenarios").stdout
    assert penstock("--version").stdout.strip() == __version__
