"""From a figure written as plain data to the piece of HTML that draws it.

Everything that plotly needs told about fonts, axes and buttons is told here, once. Figures are plain
dictionaries in plotly's JSON schema; plotly checks them against that schema when they are written.
"""

import html
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

Json = dict[str, Any]

FONT = "'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"
FONT_PX = 12
INK = "#1a1a1a"
FAINT = "#e4e4e4"
RULE = "#8a8a8a"
HEIGHT_PX = 300
PAPER_HEIGHT_PX = 240
PAPER_HALF_PX, PAPER_FULL_PX = 330, 680  # A4 less margins of 15 mm, in CSS pixels
TOP_PX = 12
BOTTOM_PX = 52
LEFT_PX = 62
LABEL_PX = 11
LABEL_WIDTH_PX, WIDEST_LABEL_PX = 7, 180  # of a letter, of all of a name
SIDE_LEGEND_PX = 46
LABEL_GAP_PX = 15.5  # on paper, where charts are lower, still one line


@dataclass(frozen=True)
class Chart:
    """A figure ready for the page.

    Attributes:
        key: stable name, used as id of its element.
        title: heading over it.
        caption: what is seen, in a sentence or two.
        spoken: what a screen reader says in its place.
        figure: plotly figure as plain data.
        height_px: height on the screen.
        paper_px: width and height on paper.
    """

    key: str
    title: str
    caption: str
    spoken: str
    figure: Json
    height_px: int = HEIGHT_PX
    paper_px: tuple[int, int] = (PAPER_HALF_PX, PAPER_HEIGHT_PX)

    @property
    def markup(self) -> str:
        """The element and the script that draws it; equal figures give equal bytes."""
        return to_html(self.figure, f"chart-{self.key}")


def to_html(figure: Json, element: str) -> str:
    """Write a plotly figure as an HTML fragment; plotly itself must be on the page already.

    Raises:
        ValueError: if the figure breaks plotly's schema.
    """
    write = cast(Callable[..., str], importlib.import_module("plotly.io").to_html)
    config = {
        "responsive": True,
        "displaylogo": False,
        "displayModeBar": "hover",
        "modeBarButtons": [["toImage"]],  # and none that would send the chart anywhere
        "plotlyServerURL": "",
        "toImageButtonOptions": {"format": "svg", "filename": element},
    }
    return write(figure, include_plotlyjs=False, full_html=False, div_id=element, config=config)


def plotly_script() -> str:
    """Plotly's own JavaScript, to be inlined once."""
    return cast(Callable[[], str], importlib.import_module("plotly.offline").get_plotlyjs)()


def plain(text: object) -> str:
    """Text that plotly shows as it is: plotly would read <b> and &lt; in labels as markup."""
    return html.escape(str(text), quote=False)


def layout(**parts: Any) -> Json:
    """The layout every figure shares, with what differs in `parts`."""
    shared: Json = {
        "template": "none",
        "autosize": True,
        "height": HEIGHT_PX,
        "margin": {"l": LEFT_PX, "r": 16, "t": TOP_PX, "b": BOTTOM_PX},
        "font": {"family": FONT, "size": FONT_PX, "color": INK},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "showlegend": False,
        "hovermode": "closest",
        "hoverlabel": {"bgcolor": "#ffffff", "bordercolor": RULE, "font": {"color": INK}},
        "modebar": {"bgcolor": "rgba(255,255,255,0)", "color": "#b0b0b0", "activecolor": INK},
        "dragmode": "zoom",
    }
    return shared | parts


def axis(title: str, **parts: Any) -> Json:
    """One axis: a thin line, outside ticks, faint grid."""
    shared: Json = {
        "title": {"text": plain(title), "standoff": 8, "font": {"size": FONT_PX}},
        "showline": True,
        "linecolor": RULE,
        "linewidth": 1,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": RULE,
        "gridcolor": FAINT,
        "gridwidth": 1,
        "zeroline": False,
    }
    return shared | parts


def side_legend(names: Sequence[str]) -> Json:
    """The part of a layout that lists many lines beside the figure, with the margin they take."""
    longest = max(len(name) for name in names)
    right = min(SIDE_LEGEND_PX + LABEL_WIDTH_PX * longest, WIDEST_LABEL_PX)
    return {
        "showlegend": True,
        "legend": {"x": 1.02, "xanchor": "left", "y": 1, "yanchor": "top", "font": {"size": LABEL_PX}},
        "margin": {"l": LEFT_PX, "r": right, "t": TOP_PX, "b": BOTTOM_PX},
    }


@dataclass(frozen=True)
class LineLabel:
    """The name of a line, written at its right end.

    Attributes:
        text: the name.
        y: where the line ends, on the vertical axis.
        ink: colour of the text.
        colour: colour of the thread from line to name.
    """

    text: str
    y: float
    ink: str
    colour: str


def line_labels(
    labels: list[LineLabel], y_range: tuple[float, float], plot_px: float
) -> tuple[list[Json], list[Json]]:
    """Write names beside the right end of lines, moved apart until none covers another.

    Args:
        labels: the names.
        y_range: the vertical axis from bottom to top; positions are in its units.
        plot_px: height of the plotting area in pixels.

    Returns:
        plotly annotations, and the shapes of the threads that join a moved name to its line.
    """
    low, high = y_range
    per_px = (high - low) / plot_px
    ordered = sorted(labels, key=lambda label: label.y)
    places = spread([(label.y - low) / per_px for label in ordered], LABEL_GAP_PX, plot_px)
    annotations: list[Json] = []
    shapes: list[Json] = []
    for label, place in zip(ordered, places, strict=True):
        y = low + place * per_px
        annotations.append(
            {
                "text": plain(label.text),
                "xref": "paper",
                "x": 1,
                "xshift": 18,
                "xanchor": "left",
                "yref": "y",
                "y": y,
                "yanchor": "middle",
                "showarrow": False,
                "font": {"color": label.ink, "size": LABEL_PX},
            }
        )
        shapes.append(
            {
                "type": "line",
                "xref": "paper",
                "xsizemode": "pixel",
                "xanchor": 1,
                "x0": 4,
                "x1": 17,
                "yref": "y",
                "y0": label.y,
                "y1": y,
                "line": {"color": label.colour, "width": 1},
            }
        )
    return annotations, shapes


def spread(wanted: list[float], gap: float, room: float) -> list[float]:
    """Move rising positions apart to at least `gap`, as little as needed, inside 0..room.

    Positions that crowd each other are centred on their common mean. When `room` is too small for all of
    them they are set evenly.
    """
    if not wanted:
        return []
    gap = min(gap, room / max(len(wanted) - 1, 1))
    groups: list[tuple[float, int]] = []  # centre and size of each run of touching names
    for place in wanted:
        centre, size = place, 1
        while groups:
            before, others = groups[-1]
            if before + gap * others / 2 <= centre - gap * size / 2:
                break
            groups.pop()
            centre = (before * others + centre * size) / (others + size)
            size += others
        half = gap * (size - 1) / 2
        groups.append((min(max(centre, half), max(room - half, half)), size))
    places = [centre + gap * (i - (size - 1) / 2) for centre, size in groups for i in range(size)]
    top = room  # clamping to the floor may have pushed a group up into its neighbour
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + gap)
    for i in reversed(range(len(places))):
        places[i] = min(places[i], top)
        top = places[i] - gap
    return places
