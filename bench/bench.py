"""Benchmarks: how fast the engine is, how it grows, and what Python adds.

`make bench` prints them. No test asserts a time: machines differ and are noisy, so every figure is the
median of several runs, and what matters is the ratio between two versions on one machine.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import penstock
from penstock import _engine
from penstock.plan import planned
from penstock.scenario import Scenario
from penstock.topology.build import build
from penstock.world import world_spec

ROOT = Path(__file__).resolve().parent.parent
OFFICE = ROOT / "scenarios" / "office55.toml"
FRAMES = ("frames_data", "frames_ack", "frames_beacon", "frames_bulk", "frames_flood")
OFFICE_DENSITY = 55 / 1493.5
"""Nodes per square metre on the thesis's floor (2.3.1)."""


def office(control: str, rate_pps: float) -> _engine.WorldSpec:
    """The office floor of the main job at one load."""
    plan = planned(
        penstock.load_scenario(OFFICE, [f"congestion.control={control}", f"traffic.rate_pps={rate_pps}"])
    )
    return world_spec(plan.points[0].scenario, plan.networks[0], seed=1)


def field(nodes: int, rate_pps: float, measure_s: float) -> _engine.WorldSpec:
    """A square field of `nodes` nodes at the office's density, routes formed for 120 s."""
    side_m = float((nodes / OFFICE_DENSITY) ** 0.5)
    scenario = Scenario.model_validate(
        {
            "name": f"field{nodes}",
            "topology": {
                "kind": "uniform",
                "nodes": nodes,
                "width_m": side_m,
                "height_m": side_m,
                "require_connected": False,
            },
            "congestion": {"control": "fusion"},
            "traffic": {"rate_pps": rate_pps},
            "time": {"settle_s": 120.0, "measure_s": measure_s},
        }
    )
    return world_spec(scenario, build(scenario), seed=1)


def timed(call: Callable[[], object], repeats: int) -> tuple[float, float, float]:
    """Least, median and greatest wall time of `repeats` calls after a warm-up, in seconds."""
    call()
    walls: list[float] = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        walls.append(time.perf_counter() - begin)
    return min(walls), statistics.median(walls), max(walls)


def frames(spec: _engine.WorldSpec) -> int:
    """Transmissions of all kinds in the measured part of a run."""
    totals = _engine.run(spec).totals
    return sum(totals[name] for name in FRAMES)


def bench_office(console: Console, repeats: int) -> None:
    table = Table(title="office55, 120 + 240 simulated seconds, one core")
    for name in (
        "strategy",
        "packets/s",
        "wall s (min)",
        "wall s (median)",
        "wall s (max)",
        "frames",
        "frames/s of wall",
        "events",
    ):
        table.add_column(name, justify="left" if name == "strategy" else "right")
    for control, rate in (("none", 0.25), ("none", 1.0), ("none", 4.0), ("fusion", 4.0)):
        spec = office(control, rate)
        low, median, high = timed(lambda spec=spec: _engine.run(spec), repeats)
        totals = _engine.run(spec).totals
        sent = frames(spec)
        table.add_row(
            control,
            f"{rate:g}",
            f"{low:.3f}",
            f"{median:.3f}",
            f"{high:.3f}",
            f"{sent:,}",
            f"{sent / median:,.0f}",
            f"{totals['events']:,}",
        )
    console.print(table)


def shipped(name: str, *changes: str) -> _engine.WorldSpec:
    """A scenario that ships, its first point and seed 1."""
    plan = planned(penstock.load_scenario(ROOT / "scenarios" / f"{name}.toml", list(changes)))
    return world_spec(plan.points[0].scenario, plan.networks[0], seed=1)


def bench_systems(console: Console, repeats: int) -> None:
    """The runs that the studies of WRCP and Flush are made of."""
    table = Table(title="other systems, one run, one core")
    for name in ("run", "wall s (median)", "frames", "frames/s of wall"):
        table.add_column(name, justify="left" if name == "run" else "right")
    for title, spec in (
        ("WRCP, 40 nodes, flows come and go, 3600 s", shipped("wrcp-40-case1", "congestion.control=wrcp")),
        ("IFRC, the same", shipped("wrcp-40-case1", "congestion.control=ifrc")),
        ("Flush, 26,600 bytes over 48 hops", shipped("flush-line")),
    ):
        _, median, _ = timed(lambda spec=spec: _engine.run(spec), max(1, repeats - 2))
        sent = frames(spec)
        table.add_row(title, f"{median:.2f}", f"{sent:,}", f"{sent / median:,.0f}")
    console.print(table)


def peak_kib() -> float:
    """Peak resident memory of this process in KiB. (getrusage would count the parent's, from before exec.)"""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def engine_memory_kib(nodes: int) -> float:
    """What one run of a field of `nodes` nodes adds to a new process's peak memory, in KiB."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import bench\n"
        f"spec = bench.field({nodes}, 0.05, 1.0)\n"
        "before = bench.peak_kib()\n"
        "bench._engine.run(spec)\n"
        "print(bench.peak_kib() - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def bench_growth(console: Console, repeats: int, largest: int) -> None:
    library_kib = _engine.library_bytes_per_node(queue_capacity=8, neighbor_capacity=32) / 1024
    table = Table(title="growth at one density: fusion, 0.05 packets/s per node, 120 s + 30 s")
    for name in ("nodes", "wall s", "× real time", "frames", "µs per frame", "links/node", "KiB/node"):
        table.add_column(name, justify="right")
    for nodes in (n for n in (100, 1_000, 10_000) if n <= largest):
        begun, spec = field(nodes, 0.05, 1.0), field(nodes, 0.05, 31.0)
        _, base, _ = timed(lambda spec=begun: _engine.run(spec), max(1, repeats - 2))
        _, wall, _ = timed(lambda spec=spec: _engine.run(spec), max(1, repeats - 2))
        sent = frames(spec)
        table.add_row(
            f"{nodes:,}",
            f"{wall:.2f}",
            f"{151.0 / wall:.1f}",
            f"{sent:,}",
            f"{(wall - base) / max(sent - frames(begun), 1) * 1e6:.1f}",
            f"{len(_engine.link_prr(spec)['src']) / nodes:.0f}",
            f"{engine_memory_kib(nodes) / nodes:.2f}" if nodes >= 1_000 else "",
        )
    console.print(table)
    console.print(
        f"frames and µs per frame: the last 30 s. KiB/node: all that a run adds, {library_kib:.2f} KiB of it "
        "the library's own state."
    )


def bench_grid(console: Console) -> None:
    """What the Python side adds: a grid through penstock.run against the engine alone on the same runs."""
    scenario = penstock.load_scenario(OFFICE, ["seeds=2"])
    plan = planned(scenario)
    begin = time.perf_counter()
    for point, seed in plan.runs:
        _engine.run(world_spec(plan.points[point].scenario, plan.networks[point], seed))
    engine_s = time.perf_counter() - begin
    console.print(f"grid of {len(plan.runs)} runs: engine alone {engine_s:.1f} s on one core")
    for jobs in sorted({1, os.cpu_count() or 1}):
        begin = time.perf_counter()
        penstock.run(scenario, jobs=jobs)
        wall = time.perf_counter() - begin
        console.print(
            f"  penstock.run with {jobs} job(s): {wall:.1f} s, {wall * jobs / engine_s:.2f} × the engine"
        )
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        penstock.run(scenario, Path(folder) / "out")
        console.print(f"  with tables and report on disk: {time.perf_counter() - begin:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="runs per figure (median is shown)")
    parser.add_argument("--largest", type=int, default=10_000, help="largest field, in nodes")
    parser.add_argument(
        "--only", choices=["office", "systems", "growth", "grid"], help="one part instead of all"
    )
    arguments = parser.parse_args()
    console = Console(width=130)
    console.print(f"penstock {_engine.version()}, numpy {np.__version__}, {os.cpu_count()} cores")
    if arguments.only in (None, "office"):
        bench_office(console, arguments.repeats)
    if arguments.only in (None, "systems"):
        bench_systems(console, arguments.repeats)
    if arguments.only in (None, "growth"):
        bench_growth(console, arguments.repeats, arguments.largest)
    if arguments.only in (None, "grid"):
        bench_grid(console)


if __name__ == "__main__":
    main()
