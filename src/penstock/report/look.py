"""How a line looks: one colour, marker and dash per value, the same in every figure.

The colours are those of Okabe and Ito (2008), told apart by colour-blind readers. Marker and dash differ as
well, so that a figure copied in grey still reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """What one line looks like.

    Attributes:
        colour: stroke, as #rrggbb.
        ink: the same hue darkened until text in it has a contrast of 4.5:1 on white.
        marker: plotly marker symbol.
        dash: plotly dash, as a name or as pixel lengths.
    """

    colour: str
    ink: str
    marker: str
    dash: str


STRATEGY_LOOKS: dict[str, Look] = {
    "none": Look("#000000", "#000000", "x", "2px,3px"),
    "occupancy": Look("#0072B2", "#00639b", "square", "9px,4px"),
    "channel": Look("#E69F00", "#8f6300", "diamond", "3px,2px,9px,2px"),
    "delay": Look("#009E73", "#007a59", "triangle-up", "14px,3px"),
    "rate": Look("#CC79A7", "#a2477a", "triangle-down", "6px,2px,2px,2px,2px,2px"),
    "fusion": Look("#D55E00", "#b34f00", "circle", "solid"),
}

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
    """The look of each value, in the order given; a strategy keeps its own look wherever it appears."""
    strategies = bool(values) and all(value in STRATEGY_LOOKS for value in values)
    taken = {value: STRATEGY_LOOKS[value] for value in values if value in STRATEGY_LOOKS}
    if strategies:
        return taken
    spare = [look for look in OTHER_LOOKS if look.colour not in {t.colour for t in taken.values()}]
    looks: dict[str, Look] = {}
    for value in values:
        looks[value] = taken[value] if value in taken else (spare or list(OTHER_LOOKS))[0]
        if value not in taken and spare:
            spare.append(spare.pop(0))
    return looks
