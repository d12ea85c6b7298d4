"""Penstock: what congestion control does to a low-power wireless network, before anyone deploys it.

From Python or a notebook:

    scenario = penstock.load_scenario("scenarios/office55.toml", ["seeds=5"])
    results = penstock.run(scenario)
    results.runs.group_by("congestion.control").mean()
"""

from penstock.errors import BadInput, Interrupted, PenstockError, RunFailed
from penstock.experiment import run
from penstock.results import Results
from penstock.scenario import Scenario
from penstock.scenario_file import load_scenario
from penstock.version import __version__

__all__ = [
    "BadInput",
    "Interrupted",
    "PenstockError",
    "Results",
    "RunFailed",
    "Scenario",
    "__version__",
    "load_scenario",
    "run",
]
