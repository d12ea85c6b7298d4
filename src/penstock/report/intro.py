"""What was run, in plain words, from the scenario and the topology it led to."""

from typing import Any, cast

from penstock.frames import frame_bytes
from penstock.report.grid import CONTROL, LOAD, Grid
from penstock.report.words import axis_title, axis_value, brief, count, joined, percent, spelled
from penstock.report.workload_text import TOLD, workload_sentence
from penstock.results import Results
from penstock.scenario import Scenario
from penstock.topology.sections import (
    GainFileTopology,
    GridTopology,
    K7Topology,
    LineTopology,
    OfficeTopology,
    RoomTopology,
    UniformTopology,
)

MOST_NODES = 5
"""Nodes of a seed, and seeds, named among those without a path."""


def what_was_run(results: Results, grid: Grid) -> str:
    """One paragraph: the network, the radio, the load, the strategies, and how often each was run."""
    scenario = results.scenario
    sentences = [
        _network(results),
        _radio(scenario),
        workload_sentence(scenario, grid),
        _strategies(scenario, grid),
        _repeats(results, grid),
        _cut_off(results),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def held_values(grid: Grid) -> str:
    """Which swept keys the figures hold at one value, or empty."""
    several = {name: value for name, value in grid.fixed.items() if len(grid.axes[name]) > 1}
    held = [f"{name} = {axis_value(name, value)}" for name, value in several.items()]
    if not held:
        return ""
    return (
        f"The figures and tables show {joined(held)} only, the first value of "
        f"{'its axis' if len(held) == 1 else 'each axis'}; summary.json holds all points."
    )


def _network(results: Results) -> str:
    topology = results.scenario.topology
    nodes = results.nodes["index"].n_unique() if "index" in results.nodes.columns else None
    who = "The network" if nodes is None else count(nodes, "node")
    if isinstance(topology, OfficeTopology):
        place = (
            f"on an office floor of {brief(topology.width_m)} m by {brief(topology.height_m)} m, "
            f"spread evenly{' but for a denser north-west corner' if topology.dense_corner_share else ''}"
        )
    elif isinstance(topology, GridTopology):
        place = f"on a grid of {count(topology.columns, 'column')}, {brief(topology.spacing_m)} m apart"
    elif isinstance(topology, LineTopology):
        place = f"on a line, {brief(topology.spacing_m)} m apart"
    elif isinstance(topology, UniformTopology):
        place = f"placed at random on {brief(topology.width_m)} m by {brief(topology.height_m)} m"
    elif isinstance(topology, RoomTopology):
        place = "in one room, where all hear each other alike"
    elif isinstance(topology, GainFileTopology):
        place = f"joined by the link gains of {_file(topology.file)}"
    elif isinstance(topology, K7Topology):
        of = "all channels, averaged," if topology.channel is None else f"channel {topology.channel}"
        place = f"joined as {of} of the trace {_file(topology.file)}"
    elif isinstance(topology, RoomTopology):
        place = f"in one room, where all links have {brief(topology.gain_db)} dB of gain"
    else:
        place = f"at the positions of {_file(topology.file)}"
    return f"{who} {place}; node {topology.sink} is the sink."


def _radio(scenario: Scenario) -> str:
    mac, node = scenario.mac, scenario.node
    power = brief(scenario.radio.tx_power_dbm)
    attempts = (
        f"up to {count(node.link_attempts, 'attempt')}" if node.link_attempts else "attempts without limit"
    )
    return (
        f"Each has a {scenario.radio.kind.upper()} radio at {power} dBm under {mac.title}, frames of at most "
        f"{frame_bytes(scenario)} bytes, a queue of {count(node.queue, 'packet')} and "
        f"{attempts} a link."
    )


def _strategies(scenario: Scenario, grid: Grid) -> str:
    if CONTROL not in grid.axes:
        return f"Congestion control: {scenario.congestion.control}."
    names = [str(value) for value in grid.axes[CONTROL]]
    if len(names) == 1:
        return f"Congestion control: {names[0]}."
    return f"{spelled(len(names))} strategies of congestion control are compared: {joined(names)}."


def _repeats(results: Results, grid: Grid) -> str:
    others = [axis_title(name) for name in grid.axes if name not in (LOAD, CONTROL, *TOLD)]
    swept = f"Also swept: {joined(others)}. " if others else ""
    seeds = len(results.seeds)
    if seeds == 1:
        return f"{swept}Each point was run once, with seed {results.seeds[0]}: there are no intervals."
    level = percent(results.scenario.confidence)
    paired = ""
    if grid.axes:
        paired = " The same seed gives every point the same channel and the same moments of traffic."

    return (
        f"{swept}Each point was run with {count(seeds, 'seed')}; intervals are Student-t over seeds at the "
        f"{level} level.{paired}"
    )


def _cut_off(results: Results) -> str:
    """Which seeds left nodes without a path, as the manifest lists them; empty where none did."""
    cut = cast(list[dict[str, Any]], results.manifest.get("disconnected", []))
    if not cut:
        return ""
    seeds = [f"seed {entry['seed']} (node {', '.join(entry['nodes'][:MOST_NODES])}" for entry in cut]
    seeds = [
        f"{text}{' and more' if len(entry['nodes']) > MOST_NODES else ''})"
        for text, entry in zip(seeds, cut, strict=True)
    ]
    shown = seeds[:MOST_NODES]
    if len(seeds) > MOST_NODES:
        shown.append(f"{len(seeds) - MOST_NODES} more")
    return f"The channel left nodes without a path to the sink with {joined(shown)}; these runs count too."


def _file(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
