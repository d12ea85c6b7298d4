"""What makes two results folders the same experiment: the configuration, the networks and the software."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from penstock import _engine
from penstock.scenario import Scenario
from penstock.topology.network import Network
from penstock.version import __version__

PACKAGE = Path(__file__).parent
SHOWS_ONLY = (
    *("report/", "studies/", "cli.py", "commands.py", "terminal.py", "progress.py"),
    *("findings.py", "results.py", "statistics.py", "exits.py", "errors.py"),
    *("bound.py", "max_min.py", "receiver_capacity.py", "lexicographic.py"),
)
"""Files of the package that show, judge or summarise results but decide none. (A study's scenarios count by
what they say, in the configuration.)"""


def identity(scenario: Scenario, files: list[str], networks: Iterable[Network]) -> dict[str, str]:
    """The identity of an experiment; equal identities give equal numbers.

    The number of seeds, the confidence level and where a topology file lies are not in it. `files`: digests
    of the points' topology files, "" for generated ones. `networks`: the network of each point.
    """
    swept = any(key.startswith("records.") for key in scenario.axes)
    keeps = scenario.records.sample_s or scenario.records.log_bulk
    left_out: dict[str, object] = {
        "description": True,
        "seeds": True,
        "confidence": True,
        "topology": {"file"},
        # A report's choice decides nothing, and an experiment that keeps nothing more is the same as ever.
        "records": {"shown"} if keeps or swept else True,
    }
    configuration = scenario.model_dump(mode="json", exclude=cast(dict[str, bool], left_out))
    text = json.dumps([configuration, files], sort_keys=True)
    return {
        "configuration": _sha256(text.encode()),
        "networks": _sha256("".join(network.digest for network in networks).encode()),
        "penstock": __version__,
        "python_code": python_code(),
        "engine_build": engine_build(),
    }


def difference(found: dict[str, str], wanted: dict[str, str], name: str) -> str:
    """What a folder of identity `found` holds, seen from the experiment `name`; "" when it is the same."""
    described = {
        "configuration": f'results of another scenario than "{name}" as it is now',
        "penstock": f"results of Penstock {found.get('penstock', '?')}, and this is {wanted['penstock']}",
        "engine_build": "results of another build of the engine",
        "networks": "results of other networks: this topology now gives other positions, links or names",
        "python_code": f"results of other Python code that also called itself Penstock {wanted['penstock']}",
    }
    return next((text for key, text in described.items() if found.get(key) != wanted[key]), "")


def engine_build() -> str:
    """A digest of the engine's binary: two builds may give different numbers under one version."""
    path = Path(_engine.__file__ or "")
    return _sha256(path.read_bytes())[:16] if path.is_file() else ""


def python_code() -> str:
    """A digest of the package's own source that decides results: generators, specification, metrics."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(SHOWS_ONLY):
            digest.update(f"{name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
