"""One file through a simulated network, from a node to the sink: what `penstock transfer` does."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from penstock import _engine, axes
from penstock.errors import BadInput
from penstock.journal import RunTables
from penstock.plan import planned
from penstock.scenario import MOST_SEEDS, Scenario
from penstock.scenario_file import load_scenario
from penstock.tables import assembled, run_tables
from penstock.topology.network import Network
from penstock.validation import validated
from penstock.world import flows_in, workload, world_spec

LOOK_S = 0.1
LONGEST_S = 1e6
"""A transfer ends by itself, done or failed: this is no limit that anybody meets."""
Shown = Callable[[_engine.Watch], None]


@dataclass(frozen=True)
class Carried:
    """What became of it.

    row: the one row of penstock.transfers.transfer_table, source by name. received: what the sink has, zeros
    where nothing came. same_bytes: that is the file. simulated_s: how long the run was, routes' settling
    included. frames: its tables by name.
    """

    row: dict[str, Any]
    received: bytes
    same_bytes: bool
    simulated_s: float
    frames: dict[str, pl.DataFrame]


def read_object(path: Path) -> bytes:
    """The bytes of a file; BadInput where it cannot be read or is empty."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    if not content:
        raise BadInput(f"{path}: is empty: there is nothing to transfer")
    return content


def scenario_for(
    topology: Path, source: str, content: bytes, mode: str | None, changes: Sequence[str], beside: bool
) -> Scenario:
    """The scenario of one transfer: the file's network, its axes at their first values, without other traffic
    unless `beside`. Raises BadInput as load_scenario does."""
    wanted = [*changes, *([f"bulk.mode={mode}"] if mode else [])]
    first = axes.expand(load_scenario(topology, wanted), str(topology))[0].scenario
    settings = first.model_dump(exclude_unset=True, exclude={"axes"})
    if not beside:
        settings["traffic"] = {"kind": "none"}
    # Only the source needs a way to the sink; if it has none, the transfer says so.
    topology_keys = settings.get("topology", {"kind": first.topology.kind})
    settings["topology"] = {**topology_keys, "require_connected": False}
    settings["transfers"] = [{"source": source, "bytes": len(content)}]
    settings["time"] = {**settings.get("time", {}), "measure_s": LONGEST_S}
    settings["records"] = {"log_bulk": first.records.log_bulk}
    return validated(settings, str(topology)).placed_in(first.folder)


def carry(scenario: Scenario, content: bytes, seed: int, show: Shown | None = None) -> Carried:
    """Runs the one transfer of `scenario` with the bytes of `content`.

    show: called ten times a second meanwhile, and once at the end. Raises BadInput for what the network or
    the frames do not allow, and KeyboardInterrupt when stopped.
    """
    if not 1 <= seed <= MOST_SEEDS:
        raise BadInput(f"seed is {seed} but should be 1 to {MOST_SEEDS}")
    network = planned(scenario.model_copy(update={"seeds": 1})).networks[0]
    spec = world_spec(scenario, network, seed)
    spec.bulk.content = content
    records = _run(spec, show)
    tables = run_tables(records, workload(spec, scenario, records), flows_in(spec, records), spec.settle_s)
    frames = _frames(scenario, network, seed, tables)
    row = frames["transfers"].row(0, named=True)
    simulated_s = spec.settle_s + records.totals["measured_ns"] * 1e-9
    return Carried(row, records.received, records.received == content, simulated_s, frames)


def write(made: Carried, out: Path | None, received: Path | None) -> None:
    """Writes the tables into the folder `out`, and what the sink has to `received`, where these are given.
    BadInput when that cannot be done."""
    try:
        if received is not None:
            received.write_bytes(made.received)
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            for name, frame in made.frames.items():
                frame.write_parquet(out / f"{name}.parquet")
    except OSError as error:
        raise BadInput(f"{error.filename or out}: cannot be written: {error.strerror or error}") from None


def _run(spec: _engine.WorldSpec, show: Shown | None) -> _engine.RunRecords:
    watch = _engine.Watch()
    _engine.reset_cancel()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(_engine.run, spec, watch)
        try:
            while True:
                try:
                    return running.result(LOOK_S)
                except NotYet:
                    if show is not None:
                        show(watch)
        except ValueError as error:
            raise BadInput(f"the engine refuses this scenario: {error}") from None
        except BaseException:
            _engine.cancel()
            raise


def _frames(scenario: Scenario, network: Network, seed: int, tables: RunTables) -> dict[str, pl.DataFrame]:
    found = assembled(axes.expand(scenario), [network], [(0, seed, tables)])
    every = {"nodes": found.nodes, "links": found.links, "transfers": found.transfers, "bulk": found.bulk}
    return {name: frame for name, frame in every.items() if not frame.is_empty()}
