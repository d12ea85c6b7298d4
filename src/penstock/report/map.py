"""The map of the network: nodes where they stand, links as thick as their traffic (thesis Figs. 5-4, 5-5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from penstock.report.chart import INK, PAPER_FULL_PX, Chart, Json, axis, layout, plain
from penstock.report.curves import line_name
from penstock.report.flow import SILENT_PPS, Flow, Node, flow_of
from penstock.report.grid import CONTROL, AxisValue, Grid
from penstock.report.words import PERIODIC, axis_title, axis_value, number

THESIS_MAPS = {"none": " Compare thesis Fig. 5-5.", "fusion": " Compare thesis Fig. 5-4."}
THICKEST_PX = 12.0
THINNEST_PX = 0.5
STEP_PX = 0.25
EDGE_COLOUR = "#6a8fbe"
BARREN_COLOUR = "#9a9a9a"
MOST_NAMED = 120
LONGEST_INSIDE, LONGEST_BESIDE = 3, 12
WIDTH_PX = 510
LOWEST_PX, HIGHEST_PX = 180, 640
TWO_ON_A_PAGE_PX = 350
WIDE_ASPECT = 0.8


@dataclass(frozen=True)
class Maps:
    """The maps of a report, all on one scale.

    Attributes:
        charts: one chart a map.
        scale: (packets, width in pixels) for the key, thinnest first.
        note: where the maps come from and how nodes were placed.
    """

    charts: list[Chart]
    scale: list[tuple[int, float]]
    note: str


def network_maps(
    grid: Grid, nodes: pl.DataFrame, links: pl.DataFrame, workload: str = PERIODIC
) -> Maps | None:
    """Maps of the first seed at the highest load: of "none" and "fusion" if both ran, else of two others."""
    if nodes.is_empty():
        return None
    x = grid.highest_x
    flows = [
        flow for value in mapped_lines(grid) if (flow := flow_of(grid, nodes, links, value, x)) is not None
    ]
    if not flows:
        return None
    most = busiest(flows)
    where = "" if grid.x is None or x is None else f" at {axis_value(grid.x, x)}"
    figures = THESIS_MAPS if workload == PERIODIC else {}
    charts = [_chart(grid, flow, number_of, most, where, figures) for number_of, flow in enumerate(flows)]
    note = f"One run{where}, seed {flows[0].seed}."
    if not all(flow.placed for flow in flows):
        note += (
            " The topology gives no positions: nodes are laid out in rings round the sink, one ring a hop, "
            "so distance and direction mean nothing here."
        )
    return Maps(charts, scale_of(most), note)


def busiest(flows: Sequence[Flow]) -> int:
    """The packets of the busiest link of all these runs."""
    return max((packets for flow in flows for _, _, packets in flow.edges), default=0)


def mapped_lines(grid: Grid) -> list[AxisValue | None]:
    """The lines of which a map is drawn, two at most."""
    values = grid.line_values
    if "none" in values and "fusion" in values:
        return ["none", "fusion"]
    return values if len(values) < 2 else [values[0], values[-1]]


def width_px(packets: int, most: int) -> float:
    """Stroke width of a link, proportional to its packets; a link that carried any stays visible."""
    if packets <= 0 or most <= 0:
        return THINNEST_PX
    return max(THINNEST_PX, round(THICKEST_PX * packets / most / STEP_PX) * STEP_PX)


def scale_marks(most: int) -> list[int]:
    """Up to three round numbers of packets (1, 2 or 5 times a power of ten) for the key, rising.

    The highest is the last below `most`; the others are about a quarter and a twentieth of it.
    """
    rounded = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
    top = max((value for value in rounded if value <= most), default=0)
    if not top:
        return []
    return sorted({max(value for value in rounded if value <= max(1, top // part)) for part in (1, 4, 20)})


def _chart(grid: Grid, flow: Flow, order: int, most: int, where: str, figures: Mapping[str, str]) -> Chart:
    name = line_name(grid, flow.line)
    title = "Traffic flow" if flow.line is None else f"Traffic flow: {name}"
    if grid.lines is not None and grid.lines != CONTROL:
        title = f"Traffic flow: {axis_title(grid.lines)} {name}"
    caption = f"{heard(flow)}{figures.get(str(flow.line), '')}"
    spoken = f"Network map{where}, {name}: {_size(flow)} towards the sink. {caption}"
    return map_chart(flow, most, (f"map-{order + 1}", title, caption, spoken), PAPER_FULL_PX)


def heard(flow: Flow) -> str:
    """What the sink received, and how many of the sources it hardly hears."""
    silent = sum(node.silent for node in flow.nodes)
    sources = sum(node.offered > 0 for node in flow.nodes)
    carried = sum(packets for _, b, packets in flow.edges if flow.nodes[b].sink)
    return (
        f"The sink received {carried:,} packets; it hears {silent} of {sources} sources less often than "
        f"once in {1 / SILENT_PPS:.0f} s."
    )


def map_chart(flow: Flow, most: int, words: tuple[str, str, str, str], paper_px: int) -> Chart:
    """The map of one run.

    most: packets of the thickest link of all maps that are compared. words: key, title, caption and what a
    screen reader says. paper_px: width on paper.
    """
    key, title, caption, spoken = words
    x_range, y_range = _frame(flow.nodes)
    height, paper_height = _heights(x_range, y_range, paper_px)
    figure_layout = layout(
        height=height,
        margin={"l": 52 if flow.placed else 12, "r": 12, "t": 12, "b": 46 if flow.placed else 12},
        xaxis=_map_axis("x (m)", x_range, flow.placed),
        yaxis=_map_axis("y (m)", y_range, flow.placed) | {"scaleanchor": "x", "scaleratio": 1},
    )
    figure: Json = {"data": [*_edge_traces(flow, most), *_node_traces(flow)], "layout": figure_layout}
    return Chart(key, title, caption, spoken, figure, height, (paper_px, paper_height))


def scale_of(most: int) -> list[tuple[int, float]]:
    """(packets, width in pixels) for the key of the maps, thinnest first."""
    return [(packets, width_px(packets, most)) for packets in scale_marks(most)]


def _size(flow: Flow) -> str:
    return f"{len(flow.nodes)} nodes, {len(flow.edges)} links"


def _frame(nodes: Sequence[Node]) -> tuple[list[float], list[float]]:
    """What the map shows, (x range, y range), with a rim round the outermost nodes."""
    xs, ys = [node.x for node in nodes], [node.y for node in nodes]
    span = max(max(xs) - min(xs), max(ys) - min(ys), 1e-9)
    pad = 0.06 * span
    return [min(xs) - pad, max(xs) + pad], [min(ys) - pad, max(ys) + pad]


def _heights(x_range: list[float], y_range: list[float], paper_px: int) -> tuple[int, int]:
    """Height of the map on screen and on paper: as its shape asks for, two to a page where that will do."""
    aspect = (y_range[1] - y_range[0]) / (x_range[1] - x_range[0])
    screen = min(max(WIDTH_PX * aspect + 60, LOWEST_PX), HIGHEST_PX)
    paper = min(max((paper_px - 60) * aspect + 60, 200), HIGHEST_PX)
    return round(screen), round(min(paper, TWO_ON_A_PAGE_PX) if aspect < WIDE_ASPECT else paper)


def _map_axis(title: str, span: list[float], placed: bool) -> Json:
    if placed:
        return axis(title, range=span, constrain="domain", showgrid=False)
    return {"visible": False, "range": span, "constrain": "domain"}


def _edge_traces(flow: Flow, most: int) -> list[Json]:
    by_width: dict[tuple[float, str], list[tuple[int, int]]] = {}
    for a, b, packets in flow.edges:
        dash = "solid" if packets else "2px,3px"
        by_width.setdefault((width_px(packets, most) if packets else 1.0, dash), []).append((a, b))
    traces: list[Json] = []
    for (width, dash), edges in sorted(by_width.items(), reverse=True):
        xs: list[float | None] = []
        ys: list[float | None] = []
        for a, b in edges:
            xs += [flow.nodes[a].x, flow.nodes[b].x, None]
            ys += [flow.nodes[a].y, flow.nodes[b].y, None]
        colour = EDGE_COLOUR if dash == "solid" else BARREN_COLOUR
        line = {"width": width, "color": colour, "dash": dash}
        traces.append(
            {"type": "scatter", "mode": "lines", "x": xs, "y": ys, "line": line, "hoverinfo": "skip"}
        )
    return traces


def _node_traces(flow: Flow) -> list[Json]:
    longest = max(len(node.label) for node in flow.nodes)
    named = len(flow.nodes) <= MOST_NAMED and longest <= LONGEST_BESIDE
    inside = named and longest <= LONGEST_INSIDE
    size = 16 if inside else 8 if named else 5
    said = [_node_hover(flow, i) for i in range(len(flow.nodes))]
    traces: list[Json] = []
    for silent in (False, True):
        chosen = [i for i, node in enumerate(flow.nodes) if not node.sink and node.silent == silent]
        if chosen:
            paint = ("#ffffff", INK) if silent else ("#3a3a3a", "#ffffff")
            trace = _marks(flow, chosen, said, "circle", size, paint[0], INK)
            if named:
                trace |= _names(
                    flow,
                    chosen,
                    "middle center" if inside else "top center",
                    paint[1] if inside else INK,
                    8 if inside else 9,
                )
            traces.append(trace)
    sinks = [i for i, node in enumerate(flow.nodes) if node.sink]
    star = _marks(flow, sinks, said, "star", 26, "#F0E442", "#000000")
    star |= _names(flow, sinks, "middle center" if inside else "middle right", "#000000", 9)
    return [*traces, star]


def _marks(
    flow: Flow, chosen: Sequence[int], said: Sequence[str], symbol: str, size: int, fill: str, edge: str
) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [flow.nodes[i].x for i in chosen],
        "y": [flow.nodes[i].y for i in chosen],
        "marker": {
            "symbol": symbol,
            "size": size,
            "color": fill,
            "opacity": 1,
            "line": {"width": 1, "color": edge},
        },
        "hovertext": [said[i] for i in chosen],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def _names(flow: Flow, chosen: Sequence[int], position: str, colour: str, size: int) -> Json:
    return {
        "mode": "markers+text",
        "text": [plain(flow.nodes[i].label) for i in chosen],
        "textposition": position,
        "textfont": {"size": size, "color": colour},
    }


def _node_hover(flow: Flow, i: int) -> str:
    node = flow.nodes[i]
    heard = sum(packets for _, b, packets in flow.edges if b == i)
    lines = [
        f"{'sink' if node.sink else 'node'} {plain(node.label)}",
        f"received {heard:,} packets to forward",
    ]
    if node.sink:
        lines[1] = f"received {heard:,} packets"
    else:
        for a, b, packets in flow.edges:
            if a == i:
                lines.append(f"to {plain(flow.nodes[b].label)}: {packets:,} packets")
        share = number(100 * node.delivered / node.offered) + " %" if node.offered else "–"
        lines.append(f"own packets: {node.delivered:,} of {node.offered:,} arrived ({share})")
    return "<br>".join(lines)
