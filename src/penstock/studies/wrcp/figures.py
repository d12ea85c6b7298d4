"""The paper's figures over its own axes."""

from penstock.studies.figure import Activity, Axis, Curves, Figure, Line, Sources, Trace
from penstock.studies.wrcp.paper import ALPHA, IFRC, LONG, POWER_LEVELS, SHORT, WRCP
from penstock.studies.wrcp.samples import WORKING
from penstock.studies.wrcp.world import UNLIMITED

RATE = Axis("Allowed rate (packets/s)")
QUEUE = Axis("Queue (packets)")
DELAY = Axis("End-to-end delay (s)", None, "log")
BOTH = (WRCP, IFRC)
ROOM_NODE = "2"
SHOWN = {20: ("7", "13", "2", "17"), 40: ("20", "31", "2", "17")}
NAMES = {IFRC: "IFRC", WRCP: "WRCP"}


def _seconds(until: float) -> Axis:
    return Axis("Time (s)", (0.0, until))


def _over_time(
    number: str,
    title: str,
    experiment: str,
    column: str,
    lines: tuple[tuple[str, str], ...],
    until: float,
    caption: str,
) -> Trace:
    named = tuple((f"{NAMES[name]}, node {node}", name, node) for name, node in lines)
    y = RATE if column == "allowed_rate_pps" else QUEUE
    key = f"fig-{number.lower().replace(' ', '-')}"
    return Trace(
        *(key, title, f"Fig. {number}", caption, experiment, column, named, _seconds(until), y, UNLIMITED)
    )


def _by_source(number: str, what: str, column: str, experiment: str, title: str, y: Axis) -> Sources:
    key = f"fig-{number}-{what}"
    return Sources(
        key, title, f"Fig. {number} {what}", "Each source.", experiment, column, BOTH, y, UNLIMITED
    )


def _pair(
    number: str, experiment: str, title: str, delivered: bool, log: bool = False
) -> tuple[Sources, ...]:
    """Goodput or packets, and delay."""
    first = "packets" if delivered else "goodput"
    scale = "log" if log else "linear"
    y = Axis("Packets delivered", None, scale) if delivered else Axis("Goodput (packets/s)")
    column = "delivered" if delivered else "goodput_pps"
    return (
        _by_source(number, first, column, experiment, f"{first.capitalize()} of each source, {title}", y),
        _by_source(number, "delay", "delay_mean_s", experiment, f"Delay of each source, {title}", DELAY),
    )


def _swept(number: str, nodes: int) -> tuple[Curves, ...]:
    """Variance of the rate and delay over α at both power levels."""
    metrics = (
        ("variance", "rate_variance", "Variance of the allowed rate", "Variance ((packets/s)²)"),
        ("delay", "source_delay_s", "Delay", "End-to-end delay (s)"),
    )
    return tuple(
        Curves(
            f"fig-{number}-{word}-{level}",
            f"{title} over α, {nodes} nodes, power level {level}",
            f"Fig. {number} {word}, level {level}",
            "Mean over the sources, of the second half of each run."
            if word == "variance"
            else "Mean over the sources.",
            f"stability-{nodes}-{level}",
            (Line("wrcp", WRCP, metric),),
            Axis("α", (0.0, 1.0)),
            Axis(y, None, "log"),
        )
        for level in POWER_LEVELS
        for word, metric, title, y in metrics
    )


FIGURES: tuple[Figure, ...] = (
    *(
        _over_time(
            f"{number} {what}",
            f"{title} under {NAMES[name]}, one hop",
            "room",
            column,
            ((name, ROOM_NODE),),
            900.0,
            "A sink and three sources in one room.",
        )
        for number, name in (("1", IFRC), ("2", WRCP))
        for what, column, title in (("rate", "allowed_rate_pps", "Allowed rate"), ("queue", "queue", "Queue"))
    ),
    Curves(
        "fig-4",
        "Saturation throughput",
        "Fig. 4",
        "Packets of 40 bytes. The sink is one of the nodes; packets: each counted once.",
        "saturation",
        (Line("frames", "none", "frames_pps"), Line("packets", "none", "throughput_pps")),
        Axis("Nodes in the room, the sink among them", (1.0, 12.0)),
        Axis("Arriving per second", (0.0, 120.0)),
        (WORKING,),
    ),
    *_swept("8", 20),
    *_swept("9", 40),
    *_pair("10", "static-20", "static case, 20 nodes", delivered=False),
    *(
        _over_time(
            f"11 {name}",
            f"Allowed rates, static case, 40 nodes, {NAMES[name]}",
            "static-40",
            "allowed_rate_pps",
            tuple((name, node) for node in SHOWN[40]),
            900.0,
            f"Four of the sources; α = {ALPHA:g}.",
        )
        for name in BOTH
    ),
    *_pair("12", "static-40", "static case, 40 nodes", delivered=False),
    *(
        Activity(
            f"fig-{number}-case-{case}",
            f"Flow activity, {nodes} nodes, case {case}",
            f"Fig. {number} case {case}",
            "Ours: of the paper's bars the text tells a part (notes).",
            f"case-{case}-{nodes}",
        )
        for number, nodes in (("13", 20), ("14", 40))
        for case in (1, 2)
    ),
    *_pair("15", "case-1-20", "dynamic case 1, 20 nodes", delivered=True),
    *(
        _over_time(
            f"16 {name}",
            f"Allowed rates, dynamic case 1, 40 nodes, {NAMES[name]}",
            "case-1-40",
            "allowed_rate_pps",
            tuple((name, node) for node in (*map(str, LONG[40]), *map(str, SHORT[40]))),
            3600.0,
            "Two long flows and two that leave at 2500 s.",
        )
        for name in BOTH
    ),
    *_pair("17", "case-1-40", "dynamic case 1, 40 nodes", delivered=True),
    *_pair("18", "case-2-20", "dynamic case 2, 20 nodes", delivered=True, log=True),
    *_pair("19", "case-2-40", "dynamic case 2, 40 nodes", delivered=True, log=True),
    *(
        _over_time(
            f"20 {name}",
            f"Allowed rates under external interference, {NAMES[name]}",
            "interference",
            "allowed_rate_pps",
            tuple((name, node) for node in SHOWN[20]),
            900.0,
            "An 802.11 source beside node 1: 17.8 kB/s from 250 to 400 s, 890 from 550 on, 1780 from 750 on.",
        )
        for name in BOTH
    ),
    *_pair("21", "interference", "external interference, 20 nodes", delivered=True),
)
"""In the paper's order."""
