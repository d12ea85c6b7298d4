"""What the nodes were asked to do, in words."""

from penstock.bulk_sections import TransferEntry
from penstock.flow_sections import EVERYBODY, FlowEntry, FlowsTraffic
from penstock.report.grid import LOAD, Grid
from penstock.report.words import axis_value, brief, count, joined, percent
from penstock.scenario import Scenario
from penstock.workload_sections import DutyCycleTraffic, EventTraffic, FanInTraffic, NoTraffic, PeriodicBase

EVENT_SIZE, GATEWAYS = "traffic.event_size", "traffic.gateways"
MOST_FLOWS = 4
"""More entries are left to the table."""
_ROUTES = {
    "tree": "a collection tree (ETX)",
    "ctp": "a collection tree as CTP forms it",
    "static": "fixed parents",
}
MODES = {
    "flush": "as Flush paces them at every hop",
    "flush_e2e": "as Flush paces them at the source alone",
    "fixed": "at a fixed interval of {} ms",
    "asap": "as fast as links take them",
    "blockwise": "block by block, each asked for",
}
CORE, SLEEP = "traffic.core", "traffic.sleep_fraction"
MODE, SOURCE, BYTES, INTERVAL = "bulk.mode", "bulk.source", "bulk.bytes", "bulk.interval_s"
TOLD = (EVENT_SIZE, SLEEP, MODE, SOURCE, BYTES, INTERVAL)
"""Swept keys whose values the sentence about the workload tells."""


def workload_sentence(scenario: Scenario, grid: Grid) -> str:
    """One sentence: who makes packets and when, how they travel, and how long is measured."""
    route = _ROUTES[scenario.routing.kind]
    pinned = ", pinned," if scenario.routing.pin and scenario.routing.kind != "static" else ""
    settle = f"after {brief(scenario.time.settle_s)} s to settle, " if scenario.time.settle_s else ""
    return (
        f"{_sources(scenario, grid)}. Packets travel over {route}{pinned} to the sink; "
        f"{settle}{brief(scenario.time.measure_s)} s are measured.{_failures(scenario)}"
        f"{_losses_and_changes(scenario)}{_transfers(scenario, grid)}"
    )


def _transfers(scenario: Scenario, grid: Grid) -> str:
    """Two sentences: what the sink asks for, and how that is carried; nothing without transfers."""
    if not scenario.transfers:
        return ""
    if len(scenario.transfers) > MOST_FLOWS:
        asked = f"for {len(scenario.transfers)} objects, one after the other"
    else:
        asked = "; then ".join(_transfer(entry, scenario, grid) for entry in scenario.transfers)
    modes = [str(mode) for mode in grid.axes.get(MODE, [scenario.bulk.mode])]
    names = [MODES[mode].format(_interval(scenario, grid)) for mode in modes]
    how = f"These bulk transfers go {joined(names, 'or')}"
    return f" The sink asks {asked}. {how}; a run ends with the last one."


def _transfer(entry: TransferEntry, scenario: Scenario, grid: Grid) -> str:
    own = entry.source if isinstance(entry.source, list) else [entry.source or scenario.bulk.source]
    swept = grid.axes.get(SOURCE)
    sources = [str(name) for name in swept] if swept and entry.source is None else [str(name) for name in own]
    many = len(sources) > 1
    who = (
        f"{'nodes' if many else 'node'} {joined(sources, 'or' if swept and entry.source is None else 'and')}"
    )
    sizes = grid.axes.get(BYTES) if entry.bytes is None else None
    length = entry.bytes if entry.bytes is not None else scenario.bulk.bytes or 0
    what = joined([f"{float(size):,.0f}" for size in sizes], "or") if sizes else f"{length:,}"
    later = f" from {brief(entry.start_s)} s on" if entry.start_s else ""
    return f"{who} for {what} bytes{later}"


def _interval(scenario: Scenario, grid: Grid) -> str:
    values = grid.axes.get(INTERVAL) or [scenario.bulk.interval_s or 0.0]
    return joined([brief(1000 * float(value)) for value in values], "or")


def _losses_and_changes(scenario: Scenario) -> str:
    losses = [
        f"from {brief(loss.from_s)} to {brief(loss.to_s)} s {percent(loss.loss)} of the frames from node "
        f"{loss.sender} to {loss.receiver}{' and back' if loss.directions == 'both' else ''} are lost"
        for loss in scenario.faults.link_loss
    ]
    changes = [
        f"at {brief(change.at_s)} s node {change.node} takes node {change.parent} for its next hop"
        for change in scenario.faults.reroute
    ]
    forced = "; ".join(losses + changes)
    return f" By force, {forced}." if forced else ""


def _failures(scenario: Scenario) -> str:
    failing, at = scenario.faults.failing, f"{brief(scenario.faults.at_s)} s into the measurement"
    if failing == 0:
        return ""
    if isinstance(failing, list):
        return f" Nodes {joined([str(name) for name in failing])} stop for good {at}."
    who = f"{count(failing, 'node')}" if isinstance(failing, int) else f"{percent(failing)} of the nodes"
    return f" {who}, drawn for each seed, stop for good {at}; metrics over sources are about the others."


def _sources(scenario: Scenario, grid: Grid) -> str:
    traffic = scenario.traffic
    if isinstance(traffic, NoTraffic):
        return "No node generates anything"
    if isinstance(traffic, EventTraffic):
        sizes = _numbers(grid, EVENT_SIZE)
        size = f"{joined(sizes, 'or')} packets" if sizes else count(traffic.event_size, "packet")
        return (
            f"Every node but the sink makes {size} at once every {brief(traffic.period_s)} s, with clocks "
            f"that are wrong by up to {brief(1000 * traffic.clock_error_s)} ms for "
            f"{percent(traffic.clock_error_share)} of the nodes and by up to "
            f"{brief(1000 * traffic.clock_error_max_s)} ms for the rest"
        )
    if isinstance(traffic, FlowsTraffic):
        payload = traffic.payload_bytes
        size = f", with {count(payload, 'byte')} of payload in each packet" if payload else ""
        if len(traffic.flows) > MOST_FLOWS:
            first = min(flow.start_s for flow in traffic.flows)
            return f"Flows come and go from {brief(first)} s on, as the table of flows tells{size}"
        text = "; ".join(_flow(flow, scenario) for flow in traffic.flows) + size
        return text[:1].upper() + text[1:]
    if isinstance(traffic, DutyCycleTraffic):
        asleep = _numbers(grid, SLEEP) or [brief(traffic.sleep_fraction)]
        core = _members(traffic.core, CORE, grid)
        return (
            f"{core[:1].upper()}{core[1:]} forward and generate nothing; every other "
            f"node but the sink generates {_rate(traffic, grid)}, at a random phase, and sleeps "
            f"{joined(asleep, 'or')} of each period"
        )
    text = f"Every node but the sink generates {_rate(traffic, grid)}, at a random phase"
    if traffic.rate_spread != 1:
        text += f" and, per node and seed, up to {brief(traffic.rate_spread)} times faster or slower"
    if isinstance(traffic, FanInTraffic):
        text += f"; only {_members(traffic.gateways, GATEWAYS, grid)} offer routes beside the sink"
    return text


def _flow(flow: FlowEntry, scenario: Scenario) -> str:
    named = [str(name) for name in (flow.source if isinstance(flow.source, list) else [flow.source])]
    if flow.source == EVERYBODY:
        who, verb = "every node but the sink", "has"
    else:
        who = f"{'node' if len(named) == 1 else 'nodes'} {joined(named)}"
        verb = "has" if len(named) == 1 else "have"
    stop = scenario.time.measure_s if flow.stop_s is None else flow.stop_s
    sends = "a packet ready whenever the stack takes one"
    if flow.rate_pps is not None:
        sends = f"{axis_value(LOAD, flow.rate_pps)} to send"
    most = f", {count(flow.packets, 'packet')} at most" if flow.packets else ""
    return f"{who} {verb} {sends} from {brief(flow.start_s)} s to {brief(stop)} s{most}"


def _members(members: int | list[int | str], key: str, grid: Grid) -> str:
    if key in grid.axes:
        return f"{joined([str(value) for value in grid.axes[key]], 'or')} nodes"
    if isinstance(members, int):
        return f"{count(members, 'node')}, chosen from the unloaded network of each seed,"
    return f"nodes {joined([str(name) for name in members])}"


def _rate(traffic: PeriodicBase | DutyCycleTraffic, grid: Grid) -> str:
    rates = _numbers(grid, LOAD)
    return f"{joined(rates, 'or')} packets/s" if rates else axis_value(LOAD, traffic.rate_pps)


def _numbers(grid: Grid, key: str) -> list[str]:
    return [f"{value:g}" for value in grid.axes.get(key, []) if isinstance(value, (int, float))]
