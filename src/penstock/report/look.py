"""How a line looks: one colour, marker and dash per value, the same in every figure.

The colours of the thesis's strategies are those of Okabe and Ito (2008), told apart by colour-blind readers.
Marker and dash differ as well, so that a figure copied in grey still reads. Strategies that go beyond the
thesis have thinner lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Look:
    """What one line looks like.

    Attributes:
        colour: stroke, as #rrggbb.
        ink: the same hue darkened until text in it has a contrast of 4.5:1 on white.
        marker: plotly marker symbol.
        dash: plotly dash, as a name or as pixel lengths.
        thin: drawn with less weight; eleven full lines in a figure are too many.
    """

    colour: str
    ink: str
    marker: str
    dash: str
    thin: bool = False

    @property
    def width_px(self) -> float:
        """Of the line."""
        return 1.1 if self.thin else 1.8

    @property
    def marker_px(self) -> float:
        """Of the marker."""
        return 5.5 if self.thin else 7.0

    @property
    def opacity(self) -> float:
        """Of line, marker and interval."""
        return 0.75 if self.thin else 1.0

    @property
    def stroke(self) -> dict[str, Any]:
        """The line, as plotly wants it told."""
        return {"color": self.colour, "width": self.width_px, "dash": self.dash}

    @property
    def mark(self) -> dict[str, Any]:
        """The marker."""
        return {"symbol": self.marker, "size": self.marker_px, "color": self.colour}


STRATEGY_LOOKS: dict[str, Look] = {
    "none": Look("#000000", "#000000", "x", "2px,3px"),
    "occupancy": Look("#0072B2", "#00639b", "square", "9px,4px"),
    "channel": Look("#E69F00", "#8f6300", "diamond", "3px,2px,9px,2px"),
    "delay": Look("#009E73", "#007a59", "triangle-up", "14px,3px"),
    "rate": Look("#CC79A7", "#a2477a", "triangle-down", "6px,2px,2px,2px,2px,2px"),
    "fusion": Look("#D55E00", "#b34f00", "circle", "solid"),
    "loss": Look("#56B4E9", "#1f6f9f", "pentagon", "2px,2px", thin=True),
    "union": Look("#7B5CC4", "#6747b3", "hexagon", "5px,2px", thin=True),
    "ack": Look("#8C6D31", "#775b25", "cross", "7px,2px,2px,2px", thin=True),
    "share": Look("#9A9A00", "#6b6b00", "bowtie", "4px,2px,1px,2px", thin=True),
    "fusion_share": Look("#8B1A1A", "#8b1a1a", "star", "10px,2px", thin=True),
    "ifrc": Look("#AA3377", "#aa3377", "triangle-left", "5px,3px"),
    "wrcp": Look("#003F88", "#003f88", "hourglass", "12px,2px,2px,2px"),
}

BULK_LOOKS: dict[str, Look] = {
    "Flush": Look("#D55E00", "#b34f00", "circle", "solid"),
    "Flush-e2e": Look("#0072B2", "#00639b", "square", "9px,4px"),
    "fixed 10 ms": Look("#009E73", "#007a59", "triangle-up", "14px,3px"),
    "fixed 20 ms": Look("#000000", "#000000", "x", "2px,3px"),
    "fixed 30 ms": Look("#CC79A7", "#a2477a", "triangle-down", "6px,2px,2px,2px,2px,2px"),
    "fixed 40 ms": Look("#E69F00", "#8f6300", "diamond", "3px,2px,9px,2px"),
    "fixed 60 ms": Look("#56B4E9", "#1f6f9f", "pentagon", "4px,4px"),
    "no repetition": Look("#6b6b6b", "#5a5a5a", "line-ew", "1px,3px", thin=True),
    "best fixed": Look("#6b6b6b", "#5a5a5a", "circle-open", "2px,2px"),
    "ASAP": Look("#8C6D31", "#775b25", "cross", "7px,2px,2px,2px"),
    "block-wise": Look("#7B5CC4", "#6747b3", "hexagon", "5px,2px"),
}
"""Schemes of bulk transfer, by the names that figures have for them."""

# Values that are no strategy (queue sizes, radios, ...) take these in turn.
OTHER_LOOKS: tuple[Look, ...] = (
    Look("#0072B2", "#00639b", "circle", "solid"),
    Look("#D55E00", "#b34f00", "square", "9px,4px"),
    Look("#009E73", "#007a59", "triangle-up", "14px,3px"),
    Look("#000000", "#000000", "x", "2px,3px"),
    Look("#CC79A7", "#a2477a", "triangle-down", "6px,2px,2px,2px,2px,2px"),
    Look("#E69F00", "#8f6300", "diamond", "3px,2px,9px,2px"),
    Look("#56B4E9", "#1f6f9f", "pentagon", "4px,4px"),
    Look("#6b6b6b", "#5a5a5a", "hexagon", "12px,3px,2px,3px"),
)


def looks_for(values: Sequence[str]) -> dict[str, Look]:
    """The look of each value, in the order given; a strategy and a scheme of bulk transfer keep their own
    look wherever they appear."""
    known = STRATEGY_LOOKS | BULK_LOOKS
    taken = {value: known[value] for value in values if value in known}
    if bool(values) and all(value in known for value in values):
        return taken
    spare = [look for look in OTHER_LOOKS if look.colour not in {t.colour for t in taken.values()}]
    looks: dict[str, Look] = {}
    for value in values:
        looks[value] = taken[value] if value in taken else (spare or list(OTHER_LOOKS))[0]
        if value not in taken and spare:
            spare.append(spare.pop(0))
    return looks
