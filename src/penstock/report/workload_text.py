"""What the nodes were asked to do, in words."""

from penstock.report.grid import LOAD, Grid
from penstock.report.words import axis_value, brief, count, joined, percent
from penstock.scenario import Scenario
from penstock.workload_sections import EventTraffic, PeriodicTraffic

EVENT_SIZE = "traffic.event_size"


def workload_sentence(scenario: Scenario, grid: Grid) -> str:
    """One sentence: who makes packets and when, how they travel, and how long is measured."""
    route = "a collection tree (ETX)" if scenario.routing.kind == "tree" else "fixed parents"
    pinned = ", pinned," if scenario.routing.pin and scenario.routing.kind == "tree" else ""
    settle = f"after {brief(scenario.time.settle_s)} s to settle, " if scenario.time.settle_s else ""
    return (
        f"{_sources(scenario, grid)}, and forwards over {route}{pinned} to the sink; "
        f"{settle}{brief(scenario.time.measure_s)} s are measured."
    )


def _sources(scenario: Scenario, grid: Grid) -> str:
    traffic = scenario.traffic
    if isinstance(traffic, EventTraffic):
        sizes = _numbers(grid, EVENT_SIZE)
        size = f"{joined(sizes, 'or')} packets" if sizes else count(traffic.event_size, "packet")
        return (
            f"Every node but the sink makes {size} at once every {brief(traffic.period_s)} s, with clocks "
            f"that are wrong by up to {brief(1000 * traffic.clock_error_s)} ms for "
            f"{percent(traffic.clock_error_share)} of the nodes and by up to "
            f"{brief(1000 * traffic.clock_error_max_s)} ms for the rest"
        )
    return f"Every node but the sink generates {_rate(traffic, grid)}, at a random phase"


def _rate(traffic: PeriodicTraffic, grid: Grid) -> str:
    rates = _numbers(grid, LOAD)
    return f"{joined(rates, 'or')} packets/s" if rates else axis_value(LOAD, traffic.rate_pps)


def _numbers(grid: Grid, key: str) -> list[str]:
    return [f"{value:g}" for value in grid.axes.get(key, []) if isinstance(value, (int, float))]
