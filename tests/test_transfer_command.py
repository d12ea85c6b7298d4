"""`penstock transfer`: a real file through a simulated network."""

import subprocess
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from penstock import _engine, load_scenario
from penstock.commands import app
from penstock.topology.build import build
from penstock.world import world_spec

LINE = """
[topology]
kind = "line"
nodes = 4
spacing_m = 10.0
[channel]
path_loss_exponent = 8.0
path_loss_1m_db = 0.0
shadowing_sigma_db = 0.0
hardware_tx_var = 0.0
hardware_noise_var = 0.0
[radio]
kind = "cc2420"
[mac]
kind = "ieee802154"
[routing]
kind = "static"
parents = [1, 1, 2, 3]
[congestion]
control = "none"
[traffic]
rate_pps = 1.0
[time]
settle_s = 1.0
measure_s = 30.0
[axes]
"bulk.payload_bytes" = [10, 12]
"""


@pytest.fixture
def line(tmp_path: Path) -> Path:
    path = tmp_path / "line.toml"
    path.write_text(LINE, encoding="utf-8")
    return path


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image"
    path.write_bytes(bytes(range(256)) * 20)
    return path


def transfer(*args: object) -> Result:
    return CliRunner().invoke(app, ["transfer", *(str(arg) for arg in args)])


def test_the_file_arrives(line: Path, image: Path, tmp_path: Path) -> None:
    got, out = tmp_path / "got", tmp_path / "out"
    result = transfer(image, "--topology", line, "--source", 4, "--received", got, "--out", out)
    assert result.exit_code == 0, result.output
    assert got.read_bytes() == image.read_bytes()
    assert "5,120 bytes from node 4 to the sink" in result.stdout
    assert "The sink has the same bytes." in result.stdout
    row = pl.read_parquet(out / "transfers.parquet").row(0, named=True)
    assert (row["hops"], row["bytes"], row["outcome"]) == (3, 5120, "done")
    assert row["packet_bytes"] == 10, "axes stand at their first values"
    nodes = pl.read_parquet(out / "nodes.parquet")
    assert nodes["generated"].sum() == 0, "no other traffic unless asked for"


def test_seeds_and_modes(line: Path, image: Path, tmp_path: Path) -> None:
    def hops_and_time(*more: object) -> tuple[int, float]:
        result = transfer(image, "--topology", line, "--source", 3, "--out", tmp_path / "out", *more)
        assert result.exit_code == 0, result.output
        row = pl.read_parquet(tmp_path / "out" / "transfers.parquet").row(0, named=True)
        return row["hops"], row["completion_s"]

    flush = hops_and_time()
    assert flush == hops_and_time("--seed", 1)
    assert flush != hops_and_time("--seed", 2)
    assert flush[1] < hops_and_time("--mode", "blockwise")[1]
    assert flush[1] < hops_and_time("--beside-traffic", "--set", "traffic.rate_pps=8")[1]


def test_a_cut_link_is_an_error_with_its_reason(line: Path, image: Path, tmp_path: Path) -> None:
    losses = "faults.link_loss=[{sender=3,receiver=2,to_s=30.0,loss=1.0,directions='both'}]"
    keys = ("--set", losses, "--set", "bulk.tries=2")
    got = tmp_path / "got"
    result = transfer(image, "--topology", line, "--source", 4, *keys, "--received", got)
    assert result.exit_code == 1
    assert "the transfer failed: no answer from the source" in result.stderr
    assert got.read_bytes() == bytes(5120), "what the sink has: nothing"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"source": "9"}, "transfers.0.source: there is no node 9"),
        ({"source": "1"}, "transfers.0.source: node 1 is the sink"),
        ({"--mode": "flash"}, "is 'flash'; did you mean \"flush\"?"),
        ({"--mode": "fixed"}, "needs interval_s"),
        ({"--seed": "0"}, "seed is 0"),
        ({"--set": "bulk.pace=1"}, 'unknown key "bulk.pace"'),
        ({"--topology": "nowhere.toml"}, "no such scenario file"),
        ({"file": "nowhere"}, "no such file"),
        ({"file": ""}, "is empty: there is nothing to transfer"),
        ({"file": "2000000"}, "transfers.0.bytes: 2000000 are more than 65535 packets of 10"),
    ],
)
def test_bad_input(line: Path, image: Path, tmp_path: Path, change: dict[str, str], words: str) -> None:
    if "file" in change:
        image = tmp_path / "other"
        if change["file"] != "nowhere":
            image.write_bytes(bytes(int(change["file"] or 0)))
    wanted = {"--topology": str(line), "--source": change.get("source", "4")}
    wanted |= {key: value for key, value in change.items() if key.startswith("--")}
    result = transfer(image, *(part for pair in wanted.items() for part in pair))
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_the_example(repo: Path, image: Path) -> None:
    done = subprocess.run(
        [repo / "examples" / "bulk_transfer.sh", image], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The sink has the same bytes.") == 3


def test_a_run_can_be_watched(repo: Path) -> None:
    scenario = load_scenario(repo / "scenarios" / "flush-line.toml")
    watch = _engine.Watch()
    assert (watch.time_ns, watch.arrived, watch.packets) == (0, 0, 0)
    records = _engine.run(world_spec(scenario, build(scenario), 1), watch)
    assert watch.packets == records.transfers["packets"][0]
    assert 0.9 * watch.packets < watch.arrived <= watch.packets
    assert watch.time_ns > 20e9
