"""From a scenario's topology section to a network."""

import hashlib

import numpy as np

from penstock.errors import BadInput
from penstock.scenario import Scenario
from penstock.topology import generator
from penstock.topology.gain_file import read_gains
from penstock.topology.locate import locate
from penstock.topology.network import Floats, Network
from penstock.topology.positions_file import read_positions
from penstock.topology.sections import (
    GainFileTopology,
    GridTopology,
    LineTopology,
    OfficeTopology,
    PositionsFileTopology,
    Topology,
)

NOWHERE: Floats = np.zeros((0, 2))


def build(scenario: Scenario) -> Network:
    """The network of a scenario. Raises BadInput for files that are absent or wrong, and for an unknown
    sink."""
    section = scenario.topology
    if isinstance(section, GainFileTopology):
        gains = read_gains(locate(section.file, scenario.folder))
        labels = [str(node) for node in gains.nodes]
        return Network(
            labels,
            _on_a_grid(section, gains.nodes),
            _sink(section, labels),
            gains.src,
            gains.dst,
            gains.gain_db,
            gains.noise_floor_dbm,
        )
    if isinstance(section, PositionsFileTopology):
        found = read_positions(locate(section.file, scenario.folder))
        return Network(found.labels, found.places * section.metres_per_unit, _sink(section, found.labels))
    if isinstance(section, OfficeTopology):
        places = generator.office(section)
    elif isinstance(section, GridTopology):
        places = generator.grid(section)
    elif isinstance(section, LineTopology):
        places = generator.line(section)
    else:
        places = generator.uniform(section)
    labels = [str(number) for number in range(1, section.nodes + 1)]
    return Network(labels, places, _sink(section, labels))


def fingerprint(scenario: Scenario) -> str:
    """SHA-256 of the topology file's bytes, or "" for generated topologies."""
    section = scenario.topology
    if isinstance(section, GainFileTopology | PositionsFileTopology):
        return hashlib.sha256(locate(section.file, scenario.folder).read_bytes()).hexdigest()
    return ""


def _sink(section: Topology, labels: list[str]) -> int:
    try:
        return labels.index(str(section.sink))
    except ValueError:
        some = ", ".join(labels[:3])
        raise BadInput(
            f"topology.sink is {section.sink}, which is no node of this topology; its {len(labels)} nodes "
            f"are {some} ... {labels[-1]}"
        ) from None


def _on_a_grid(section: GainFileTopology, nodes: list[int]) -> Floats:
    """Places for the map: node = row * columns + column, rows to the north, as TOSSIM numbers its grids."""
    if section.columns is None or section.spacing_m is None:
        return NOWHERE
    node = np.array(nodes)
    cells = np.column_stack([node % section.columns, node // section.columns])
    return cells.astype(np.float64) * section.spacing_m
