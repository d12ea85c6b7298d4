"""Results to write reports of: tiny experiments that really ran, and made-up points where numbers matter."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

import penstock
from penstock.report.grid import Grid, arrange
from penstock.results import Results
from penstock.studies.fusion.thesis import SIX
from small import small

NASTY = "<script>window.hacked = 1</script>"
NASTY_LABEL = "<i>&lt;"
GAINS = """gain 1 2 -85.0
gain 2 1 -85.0
gain 2 3 -85.0
gain 3 2 -85.0
gain 3 4 -85.0
gain 4 3 -85.0
noise 1 -105.0 4.0
noise 2 -105.0 4.0
noise 3 -105.0 4.0
noise 4 -105.0 4.0
"""


def six_strategies() -> Results:
    """Six strategies at three loads, two seeds, on nine nodes."""
    return penstock.run(
        small(
            topology={"kind": "grid", "nodes": 9, "columns": 3, "spacing_m": 5.0},
            axes={"congestion.control": list(SIX), "traffic.rate_pps": [0.5, 2.0, 4.0]},
        )
    )


def single_point() -> Results:
    """One strategy, one load, one seed: no axes, no intervals."""
    return penstock.run(small(seeds=1, axes={}))


def without_positions(folder: Path) -> Results:
    """A line of four nodes from a gain file that says nothing of places."""
    path = folder / "gains.txt"
    path.write_text(GAINS, encoding="utf-8")
    return penstock.run(small(topology={"kind": "gain_file", "file": str(path), "sink": 1}, channel={}))


def with_nasty_names(results: Results) -> Results:
    """The same results with markup in the scenario's name and description and in every node's label."""
    frames = {
        name: frame.with_columns(
            (NASTY_LABEL + frame[column]).alias(column)
            for column in ("node", "parent_node", "src", "dst")
            if column in frame.columns
        )
        for name, frame in (("nodes", results.nodes), ("links", results.links))
    }
    scenario = results.scenario.model_copy(update={"name": NASTY, "description": NASTY})
    return replace(results, scenario=scenario, **frames)


def grid_of(results: Results) -> Grid:
    """The results as the figures see them."""
    return arrange(results.summary["points"])


def with_runs(results: Results, points: Mapping[str, Mapping[str, list[float]]]) -> Results:
    """The same results with these runs instead, and no load axis: {strategy: {metric: one value a seed}}."""
    frames = [
        pl.DataFrame({
            "congestion.control": [control] * len(next(iter(metrics.values()))),
            "seed": range(1, len(next(iter(metrics.values()))) + 1),
            **metrics,
        })
        for control, metrics in points.items()
    ]  # fmt: skip
    return replace(results, runs=pl.concat(frames))


def point(axes: Mapping[str, object], **means: float | None) -> dict[str, Any]:
    """A point of summary.json; every metric's interval is a tenth of its mean to either side."""
    metrics = {
        name: {
            "mean": mean,
            "ci": [None, None] if mean is None else [0.9 * mean, 1.1 * mean],
            "level": 0.99,
        }
        for name, mean in means.items()
    }
    return {"axes": dict(axes), "runs": 3, "metrics": metrics}


def flows_that_come_and_go() -> Results:
    """Four Telos motes on a line, four flows, series of two nodes, two strategies and two seeds."""
    return penstock.run(
        small(
            topology={"kind": "line", "nodes": 4, "spacing_m": 5.0, "sink": 1},
            channel={"path_loss_1m_db": 40.2, "noise_floor_dbm": -95.5, "shadowing_sigma_db": 0.0},
            radio={"kind": "cc2420"},
            mac={"kind": "tinyos_cc2420", "receive_processing_s": 0.0},
            node={"link_attempts": 0},
            traffic={
                "kind": "flows",
                "payload_bytes": 14,
                "flows": [
                    {"source": 2},
                    {"source": 3, "stop_s": 10.0},
                    {"source": 3, "start_s": 10.0},
                    {"source": 4, "start_s": 5.0, "stop_s": 25.0, "packets": 30},
                ],
            },
            time={"settle_s": 100.0, "measure_s": 30.0},
            records={"sample_s": 0.05, "shown": [4, 2]},
            axes={"congestion.control": ["none", "share"]},
        )
    )
