"""Penstock: what congestion control does to a low-power wireless network, before anyone deploys it.

From Python or a notebook:

    scenario = penstock.load_scenario("scenarios/office55.toml", ["seeds=5"])
    results = penstock.run(scenario)
    results.runs.group_by("congestion.control").mean()
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.bound import achieved_over_bound, max_min_bound, sources_over_bound
    from penstock.errors import BadInput, Interrupted, PenstockError, RunFailed
    from penstock.experiment import run
    from penstock.results import Results
    from penstock.scenario import Scenario
    from penstock.scenario_file import load_scenario
    from penstock.stretch import tree_quality
    from penstock.version import __version__

__all__ = [
    "BadInput",
    "Interrupted",
    "PenstockError",
    "Results",
    "RunFailed",
    "Scenario",
    "__version__",
    "achieved_over_bound",
    "load_scenario",
    "max_min_bound",
    "run",
    "sources_over_bound",
    "tree_quality",
]

_HOME = {
    **dict.fromkeys(("BadInput", "Interrupted", "PenstockError", "RunFailed"), "penstock.errors"),
    **dict.fromkeys(("achieved_over_bound", "max_min_bound", "sources_over_bound"), "penstock.bound"),
    "Results": "penstock.results",
    "Scenario": "penstock.scenario",
    "load_scenario": "penstock.scenario_file",
    "run": "penstock.experiment",
    "tree_quality": "penstock.stretch",
    "__version__": "penstock.version",
}


def __getattr__(name: str) -> Any:
    """Loads a name when it is asked for: the command must be able to answer Ctrl-C before all is loaded."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
