"""TOSSIM's topology format: one `gain SRC DST DB` a directed link, one `noise NODE MEAN STDDEV` a node.

The gain is what arrives at DST, in dB relative to SRC's transmit power, hardware differences included. The
noise line gives a node's noise floor in dBm; its standard deviation describes readings over time and is
not used, since the engine adds interference itself.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from penstock.errors import BadInput
from penstock.topology.network import Floats, Ints
from penstock.topology.text_file import content_lines, finite, read_text

HIGHEST_NODE = 65_533
"""The largest IEEE 802.15.4 short address."""


@dataclass(frozen=True)
class Gains:
    """The nodes named in the file, by rising number, and its links by node index.

    nodes: (N,) node numbers. src, dst: (L,) indices. gain_db: (L,). noise_floor_dbm: (N,), NaN where no
    noise line was given.
    """

    nodes: list[int]
    src: Ints
    dst: Ints
    gain_db: Floats
    noise_floor_dbm: Floats


def read_gains(path: Path) -> Gains:
    """Reads a gain file, plain or gzipped. BadInput names file and line."""
    return parse_gains(read_text(path), str(path))


def parse_gains(text: str, name: str) -> Gains:
    """Parses the text of a gain file called `name`. Raises nothing but BadInput."""
    links: dict[tuple[int, int], float] = {}
    noise: dict[int, float] = {}
    for number, line in content_lines(text):
        where = f"{name}, line {number}"
        words = line.split()
        if words[0] == "gain" and len(words) == 4:
            link = (_node(words[1], where), _node(words[2], where))
            gain = finite(words[3], "the gain (dB)", where)
            if link[0] == link[1]:
                raise BadInput(f"{where}: node {link[0]} has a link to itself")
            if gain > 0:
                raise BadInput(f"{where}: a gain of {gain:g} dB; it should be zero or negative")
            if link in links:
                raise BadInput(f"{where}: the gain from node {link[0]} to node {link[1]} is given twice")
            links[link] = gain
        elif words[0] == "noise" and len(words) == 4:
            node = _node(words[1], where)
            if node in noise:
                raise BadInput(f"{where}: the noise of node {node} is given twice")
            noise[node] = finite(words[2], "the noise floor (dBm)", where)
            finite(words[3], "the noise's standard deviation (dB)", where)
        else:
            raise BadInput(
                f'{where}: should be "gain SRC DST DB" or "noise NODE MEAN STDDEV", found "{line[:60]}"'
            )
    if not links:
        raise BadInput(f"{name}: holds no gain line")
    nodes = sorted({node for link in links for node in link} | set(noise))
    index = {node: i for i, node in enumerate(nodes)}
    return Gains(
        nodes=nodes,
        src=np.array([index[src] for src, _ in links], dtype=np.int32),
        dst=np.array([index[dst] for _, dst in links], dtype=np.int32),
        gain_db=np.array(list(links.values())),
        noise_floor_dbm=np.array([noise.get(node, math.nan) for node in nodes]),
    )


def _node(text: str, where: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= HIGHEST_NODE:
        return int(text)
    raise BadInput(f'{where}: a node should be a number from 0 to {HIGHEST_NODE}, found "{text[:40]}"')
