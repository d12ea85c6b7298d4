"""The `[topology]` section: one model per kind, so that a key of another kind is an error.

Lengths are metres; x grows to the east and y to the north.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from penstock.model import NodeName, NotNegative, Positive, Section, Share

NodeCount = Annotated[int, Field(ge=2, le=60_000)]
"""IEEE 802.15.4 short addresses end at 65,533."""
PlacementSeed = Annotated[int, Field(ge=0)]


class TopologyBase(Section):
    """What every kind of topology has."""

    require_connected: bool = True
    """Refuse a network in which more than a tenth of the seeds leave some node without a path to the sink.
    False: run it all the same."""


class OfficeTopology(TopologyBase):
    """The thesis's floor (section 2.3.1): even coverage, denser in the north-west corner."""

    kind: Literal["office"] = "office"
    nodes: NodeCount = 55
    width_m: Positive = 60.0
    height_m: Positive = 24.892
    dense_corner_share: Share = 0.2
    seed: PlacementSeed = 1
    sink: NodeName = 6


class GridTopology(TopologyBase):
    """Rows of `columns` nodes, `spacing_m` apart, numbered from 1 in the south-west, row by row."""

    kind: Literal["grid"] = "grid"
    nodes: NodeCount = 49
    columns: Annotated[int, Field(ge=1)] = 7
    spacing_m: Positive = 7.0
    sink: NodeName = 1


class LineTopology(TopologyBase):
    """Nodes `spacing_m` apart on a line, numbered from 1 in the west.

    With `jitter_m` each stands off its mark by up to so much along the line, and as much across it, both
    drawn from `seed`. It is less than half of the spacing, so that neighbours stay neighbours.
    """

    kind: Literal["line"] = "line"
    nodes: NodeCount = 10
    spacing_m: Positive = 7.0
    jitter_m: NotNegative = 0.0
    seed: PlacementSeed = 1
    sink: NodeName = 1

    @model_validator(mode="after")
    def _keeps_its_order(self) -> "LineTopology":
        if self.jitter_m >= self.spacing_m / 2:
            raise ValueError(
                f"jitter_m ({self.jitter_m:g}) must be less than half of spacing_m ({self.spacing_m:g})"
            )
        return self


class UniformTopology(TopologyBase):
    """Nodes placed independently and uniformly at random, numbered from 1."""

    kind: Literal["uniform"] = "uniform"
    nodes: NodeCount = 50
    width_m: Positive = 40.0
    height_m: Positive = 40.0
    seed: PlacementSeed = 1
    sink: NodeName = 1


class GainFileTopology(TopologyBase):
    """Measured or modelled link gains in TOSSIM's format; the map needs `columns` and `spacing_m`."""

    kind: Literal["gain_file"] = "gain_file"
    file: Annotated[str, Field(min_length=1)]
    sink: NodeName
    columns: Annotated[int, Field(ge=1)] | None = None
    spacing_m: Positive | None = None

    @model_validator(mode="after")
    def _grid_needs_both(self) -> "GainFileTopology":
        if (self.columns is None) != (self.spacing_m is None):
            raise ValueError("columns and spacing_m belong together: both or neither")
        return self


class PositionsFileTopology(TopologyBase):
    """Real node positions (CSV, columns of text, JSON); the channel comes from path loss over them."""

    kind: Literal["positions_file"] = "positions_file"
    file: Annotated[str, Field(min_length=1)]
    sink: NodeName
    metres_per_unit: Positive = 1.0


class K7Topology(TopologyBase):
    """A connectivity trace in the K7 format: who heard what share of whose frames, measured on a testbed.

    `channel` (11 to 26) takes the links of one channel; without it each link is the mean of all channels, as
    a network that hops over them would meet it. `sink` is a node's number in the trace. Gains come from the
    reception rates (penstock.topology.build), for transmitters at 0 dBm.
    """

    kind: Literal["k7"] = "k7"
    file: Annotated[str, Field(min_length=1)]
    sink: NodeName
    channel: Annotated[int, Field(ge=11, le=26)] | None = None


class RoomTopology(TopologyBase):
    """Nodes that all hear each other equally well, numbered from 1: one collision domain, no capture.

    `gain_db` is that of every link, whatever the channel's path loss.
    """

    kind: Literal["room"] = "room"
    nodes: NodeCount = 4
    gain_db: Annotated[float, Field(ge=-150, le=0)] = -60.0
    sink: NodeName = 1


MeasuredTopology = GainFileTopology | K7Topology | RoomTopology
"""Those that bring the channel with them."""
Topology = (
    OfficeTopology
    | GridTopology
    | LineTopology
    | UniformTopology
    | GainFileTopology
    | PositionsFileTopology
    | K7Topology
    | RoomTopology
)
TopologySection = Annotated[Topology, Field(discriminator="kind")]
