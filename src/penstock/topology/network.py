"""A network before any radio is switched on: names, places, and gains where they were measured."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from penstock.errors import BadInput

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def _no_links() -> Ints:
    return np.zeros(0, dtype=np.int32)


def _no_gains() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True)
class Network:
    """N nodes in the topology's order.

    labels: the nodes' names, as text.
    positions: (N, 2) metres, x east and y north; (0, 2) when nobody knows.
    sink: index of the sink.
    links_src, links_dst, links_gain_db: (L,) directed gains in dB; empty when the channel is modelled.
    noise_floor_dbm: (N,), NaN where the topology says nothing; or (0,).
    """

    labels: list[str]
    positions: Floats
    sink: int
    links_src: Ints = field(default_factory=_no_links)
    links_dst: Ints = field(default_factory=_no_links)
    links_gain_db: Floats = field(default_factory=_no_gains)
    noise_floor_dbm: Floats = field(default_factory=_no_gains)

    def __len__(self) -> int:
        return len(self.labels)

    def index_of(self, name: int | str, key: str) -> int:
        """Index of a node; BadInput for one that does not exist. `key` of the scenario: who names it."""
        if str(name) not in self.labels:
            raise BadInput(f"{key}: there is no node {name} in this topology")
        return self.labels.index(str(name))

    def named_nodes(self, names: Sequence[int | str], key: str) -> list[int]:
        """Indices of nodes; BadInput for one that does not exist, is the sink or is named twice. `key` of the
        scenario: who names them."""
        index = {label: i for i, label in enumerate(self.labels)}
        found: list[int] = []
        for name in map(str, names):
            if name not in index:
                raise BadInput(f"{key}: there is no node {name} in this topology")
            if index[name] == self.sink:
                raise BadInput(f"{key}: node {name} is the sink, which is not to be listed")
            if index[name] in found:
                raise BadInput(f"{key}: node {name} is listed twice")
            found.append(index[name])
        return found

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything in it: equal digests, equal networks."""
        digest = hashlib.sha256(repr((self.sink, self.labels)).encode())
        for column in (
            self.positions,
            self.links_src,
            self.links_dst,
            self.links_gain_db,
            self.noise_floor_dbm,
        ):
            digest.update(repr((column.shape, column.dtype.str)).encode())
            digest.update(np.ascontiguousarray(column).tobytes())
        return digest.hexdigest()
