"""What an experiment leaves: tables of runs, nodes and links, and the summary over seeds."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import polars as pl
from pydantic import ValidationError

from penstock.errors import BadInput
from penstock.scenario import Scenario

if TYPE_CHECKING:
    from penstock.studies.judge import Judged

MANIFEST, SUMMARY, REPORT = "manifest.json", "summary.json", "report.html"
JOURNAL = "journal.sqlite"
RUNS, NODES, LINKS = "runs.parquet", "nodes.parquet", "links.parquet"
FLOWS, SERIES, TRANSFERS, BULK = "flows.parquet", "series.parquet", "transfers.parquet", "bulk.parquet"
"""Only where there are flows or transfers, and only where series or a log of bulk packets were asked for."""


@dataclass(frozen=True)
class Failure:
    """One run that failed: where in the grid, which seed, and the engine's words."""

    axes: Mapping[str, object]
    seed: int
    message: str


@dataclass(frozen=True)
class Results:
    """The results of one experiment, as data frames.

    Every frame starts with one column per axis, named by its dotted key ("traffic.rate_pps"), then `seed`.

    runs: one row a run; a column per metric (names of `penstock.metrics.METRICS`; null where undefined,
        infinite where a coverage period or an imbalance is).
    nodes: one row a node and run: `node` (label, text), `index`, `sink` (bool), `x_m`, `y_m` (null when the
        topology has no positions), `parent_node` (label, null at the sink or without a route), every per-node
        counter of the engine, `throughput_pps` (delivered at the sink per second of measurement) and
        `imbalance` (null for nodes that received nothing, infinite where nothing came through).
    links: one row a directed link that carried data and run: `src`, `dst` (labels), `transmissions`,
        `receptions`, `received`, `accepted` (of these, not dropped at once), `acked`, and means over
        the receptions: `rssi_dbm`, `lqi`.
    summary: what summary.json holds.
    flows: one row a flow and run (columns: `penstock.flows.flow_table`, `source` a label); empty where the
        workload has none.
    series: one row a sample, node and run: `time_s` (from the beginning of the measurement), `node` (label),
        `queue` (packets in it), `delivered` (of the packets it made, so far), `allowed_rate_pps` (the rate
        that the strategy allows the node's own packets; null where it has no such rate); empty unless
        `records.sample_s`.
    transfers: one row a bulk transfer and run (columns: `penstock.transfers.transfer_table`, `source` a
        label); empty where there are none.
    bulk: one row a link attempt of a bulk packet or an arrival (columns: `penstock.transfers.bulk_table`,
        `node` a label); empty unless `records.log_bulk`.
    """

    scenario: Scenario
    axes: list[str]
    seeds: list[int]
    runs: pl.DataFrame
    nodes: pl.DataFrame
    links: pl.DataFrame
    summary: dict[str, Any]
    failures: list[Failure] = field(default_factory=list[Failure])
    manifest: dict[str, Any] = field(default_factory=dict[str, Any])
    flows: pl.DataFrame = field(default_factory=pl.DataFrame)
    series: pl.DataFrame = field(default_factory=pl.DataFrame)
    transfers: pl.DataFrame = field(default_factory=pl.DataFrame)
    bulk: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def findings(self) -> "list[Judged]":
        """What the thesis states, claim by claim, beside these results; empty where it says nothing."""
        from penstock.findings import findings  # it reads Results

        return findings(self)

    @classmethod
    def load(cls, folder: Path | str) -> "Results":
        """Reads a results folder. Raises BadInput when it holds none, or only a part."""
        folder = Path(folder)
        if not (folder / MANIFEST).exists() and (folder / JOURNAL).is_file():
            raise BadInput(
                f"{folder}: no finished results here: a journal of finished runs without its {MANIFEST}. "
                "Run the same scenario into this folder again: it keeps those runs and writes the rest anew"
            )
        manifest = _read_json(folder / MANIFEST)
        summary = _read_json(folder / SUMMARY)
        try:
            scenario = Scenario.model_validate(manifest["scenario"])
            axes = [str(key) for key in manifest["axes"]]
            seeds = [int(seed) for seed in manifest["seeds"]]
            failures = [Failure(f["axes"], int(f["seed"]), str(f["message"])) for f in manifest["failures"]]
        except (KeyError, TypeError, ValueError, ValidationError) as error:
            raise BadInput(
                f"{folder / MANIFEST}: not a manifest of this Penstock version ({error})"
            ) from None
        runs, nodes, links = (_read_table(folder / name) for name in (RUNS, NODES, LINKS))
        optional = [
            _read_table(folder / name) if (folder / name).exists() else pl.DataFrame()
            for name in (FLOWS, SERIES, TRANSFERS, BULK)
        ]
        return cls(scenario, axes, seeds, runs, nodes, links, summary, failures, manifest, *optional)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data: object = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path.parent}: no finished results here ({path.name} is missing)") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read ({error})") from None
    if not isinstance(data, dict):
        raise BadInput(f"{path}: not a JSON object")
    return cast(dict[str, Any], data)


def _read_table(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except FileNotFoundError:
        raise BadInput(f"{path.parent}: no finished results here ({path.name} is missing)") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise BadInput(f"{path}: cannot be read ({error})") from None
