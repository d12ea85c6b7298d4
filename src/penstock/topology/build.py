"""From a scenario's topology section to a network."""

import hashlib

import numpy as np

from penstock.errors import BadInput
from penstock.scenario import Scenario
from penstock.topology import generator
from penstock.topology.gain_file import read_gains
from penstock.topology.k7_file import links_of, read_k7
from penstock.topology.link_budget import gains_for_prr
from penstock.topology.locate import locate
from penstock.topology.network import Floats, Network
from penstock.topology.positions_file import read_positions
from penstock.topology.sections import (
    GainFileTopology,
    GridTopology,
    K7Topology,
    LineTopology,
    OfficeTopology,
    PositionsFileTopology,
    RoomTopology,
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
    if isinstance(section, K7Topology):
        return _from_trace(section, scenario)
    if isinstance(section, PositionsFileTopology):
        found = read_positions(locate(section.file, scenario.folder))
        return Network(found.labels, found.places * section.metres_per_unit, _sink(section, found.labels))
    if isinstance(section, OfficeTopology):
        places = generator.office(section)
    elif isinstance(section, GridTopology):
        places = generator.grid(section)
    elif isinstance(section, LineTopology):
        places = generator.line(section)
    elif isinstance(section, RoomTopology):
        return _room(section)
    else:
        places = generator.uniform(section)
    labels = [str(number) for number in range(1, section.nodes + 1)]
    return Network(labels, places, _sink(section, labels))


def _from_trace(section: K7Topology, scenario: Scenario) -> Network:
    """A trace's links with the gains that give the simulated radio the measured reception rates.

    The rates hold for frames of the trace's length sent at 0 dBm (`radio.tx_power_dbm`'s default) and without
    load; shorter frames get through more often, by the radio's error curve. Of a link that lost nothing the
    rate says little: it gets the measured power, or the one at which half a frame would have been lost if
    that is more. Elsewhere the rate decides, also where the measured power would promise more: what lost
    those frames is not known. Pairs without a row have no link, and do not disturb each other either.
    """
    trace = read_k7(locate(section.file, scenario.folder))
    links = links_of(trace, section.channel)
    noise = scenario.channel.noise_floor_dbm
    most = 1.0 - 0.5 / links.frames
    gain = gains_for_prr(np.minimum(links.prr, most), trace.frame_bytes, noise)
    gain = np.where(links.prr > most, np.maximum(gain, links.rssi_dbm), gain)
    labels = [str(node) for node in range(trace.nodes)]
    return Network(labels, NOWHERE, _sink(section, labels), links.src, links.dst, np.minimum(gain, 0.0))


def _room(section: RoomTopology) -> Network:
    labels = [str(number) for number in range(1, section.nodes + 1)]
    src, dst = np.nonzero(~np.eye(section.nodes, dtype=np.bool_))
    gain = np.full(len(src), section.gain_db)
    return Network(labels, NOWHERE, _sink(section, labels), src.astype(np.int32), dst.astype(np.int32), gain)


def decided_by(scenario: Scenario) -> str:
    """Text that two scenarios share when, and only when, they have the same network."""
    section = scenario.topology
    noise = scenario.channel.noise_floor_dbm if isinstance(section, K7Topology) else None
    return f"{section.model_dump_json()} {noise}"


def fingerprint(scenario: Scenario) -> str:
    """SHA-256 of the topology file's bytes, or "" for generated topologies."""
    section = scenario.topology
    if isinstance(section, GainFileTopology | PositionsFileTopology | K7Topology):
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
