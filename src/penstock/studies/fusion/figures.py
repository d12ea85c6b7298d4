"""The thesis's figures over its own axes. Each shows what goes beyond the thesis too, where it was run."""

from penstock.studies.figure import Axis, Curves, Figure, Line, Spread, TrafficMap
from penstock.studies.fusion.thesis import BEYOND, HIGH_LOAD, SIX, TABLE_LOAD

OFFERED = Axis("Per-node offered load (packets/s)", (0.0, 4.2))
BURST = Axis("Event size B (packets)", (0.5, 8.5))
SHARE = (0.0, 1.0)
FREE = None


def _lines(metric: str, strategies: tuple[str, ...], complement: bool = False) -> tuple[Line, ...]:
    return tuple(Line(strategy, strategy, metric, complement) for strategy in strategies)


def _periodic(
    number: str, metric: str, title: str, y: Axis, caption: str, experiment: str = "periodic"
) -> Curves:
    return Curves(
        f"fig-{number}",
        title,
        f"Fig. {number}",
        caption,
        experiment,
        _lines(metric, (*SIX, *BEYOND)),
        OFFERED,
        y,
    )


def _event(number: str, metric: str, title: str, y: Axis, caption: str, complement: bool = False) -> Curves:
    strategies = ("none", "occupancy", "channel", "delay", "loss", "union", "ack")
    lines = _lines(metric, strategies, complement)
    return Curves(f"fig-{number}", title, f"Fig. {number}", caption, "event", lines, BURST, y)


FIGURES: tuple[Figure, ...] = (
    Curves(
        "fig-3-1-top",
        "Loss without control",
        "Fig. 3-1 top",
        "Wireless loss per transmission, and packets dropped for want of a buffer per packet received.",
        "periodic",
        (Line("wireless", "none", "channel_loss_rate"), Line("buffer", "none", "buffer_drop_rate")),
        OFFERED,
        Axis("Loss rate", SHARE),
    ),
    Spread(
        "fig-3-1-middle",
        "Who is heard, without control",
        "Fig. 3-1 middle",
        "Share of the sensors that deliver at least so much of what they offer, at each load.",
        "periodic",
        "delivered_share",
        tuple((f"{load:g} packets/s", "none", load) for load in (0.25, 0.5, 1.0, 2.0, 4.0)),
        Axis("Share of its packets received at the sink", SHARE),
        Axis("Fraction of sensors", SHARE),
        complementary=True,
    ),
    Curves(
        "fig-3-1-bottom",
        "Bits per joule, without control",
        "Fig. 3-1 bottom",
        "Delivered bits per joule of transmission, and per joule of the whole radio, which always listens.",
        "periodic",
        (
            Line("transmitting", "none", "bits_per_transmit_joule"),
            Line("whole radio", "none", "bits_per_joule"),
        ),
        OFFERED,
        Axis("Delivered bits per joule", FREE, "log"),
    ),
    _periodic(
        "5-2",
        "efficiency",
        "Efficiency",
        Axis("Network efficiency η", (0.0, 0.6)),
        "Useful hops per transmission under the periodic workload.",
    ),
    Spread(
        "fig-5-3",
        "Imbalance of the nodes at 4 packets/s",
        "Fig. 5-3",
        "Share of the nodes, over all runs, whose imbalance ζ is at most so much.",
        "periodic",
        "imbalance",
        tuple((strategy, strategy, HIGH_LOAD) for strategy in (*SIX, *BEYOND)),
        Axis("Node imbalance ζ", (0.1, 1000.0), "log"),
        Axis("Fraction of nodes", SHARE),
        complementary=False,
    ),
    TrafficMap(
        "fig-5-4",
        "Traffic with Fusion at 4 packets/s",
        "Fig. 5-4",
        "One run; an edge is as thick as the packets that came over it.",
        *("periodic", "fusion", HIGH_LOAD),
    ),
    TrafficMap(
        "fig-5-5",
        "Traffic without control at 4 packets/s",
        "Fig. 5-5",
        "The same run without control.",
        *("periodic", "none", HIGH_LOAD),
    ),
    _periodic(
        "5-6",
        "throughput_pps",
        "Aggregate throughput",
        Axis("Received at the sink (packets/s)", FREE),
        "All new packets that reach the sink, from whichever node.",
    ),
    Spread(
        "fig-5-7",
        "Throughput of the nodes at 2 packets/s",
        "Fig. 5-7",
        "Share of the nodes, over all runs, that the sink hears at least so often.",
        "periodic",
        "throughput_pps",
        tuple((strategy, strategy, TABLE_LOAD) for strategy in (*SIX, *BEYOND)),
        Axis("Per-node throughput received (packets/s)", (0.001, 2.0), "log"),
        Axis("Fraction of nodes", SHARE),
        complementary=True,
    ),
    _periodic("5-8", "fairness", "Fairness", Axis("Fairness φ", SHARE), "Jain's index of the nodes' rates."),
    _periodic(
        "5-9",
        "median_node_throughput_pps",
        "Median node throughput",
        Axis("Median node (packets/s)", FREE),
        "Half of the nodes get at least this through.",
    ),
    _periodic(
        "5-10",
        "latency_s",
        "Latency",
        Axis("Median packet latency (s)", FREE),
        "From the moment the stack takes a packet to its arrival; packets that arrive.",
    ),
    _periodic(
        "5-11",
        "channel_loss_rate",
        "Channel loss",
        Axis("Wireless loss rate before retransmission", SHARE),
        "Network-wide, of all transmissions of data.",
    ),
    _periodic(
        "5-12",
        "buffer_drop_rate",
        "Buffer drops",
        Axis("Buffer drops per received packet", FREE),
        "Packets dropped for want of room, of those received.",
    ),
    TrafficMap(
        "fig-5-13",
        "Routes with ten gateways, Fusion at 1 packet/s",
        "Fig. 5-13",
        "One run of the high fan-in workload.",
        *("fan-in", "fusion", 1.0),
    ),
    _periodic(
        "5-14",
        "efficiency",
        "Efficiency with high fan-in",
        Axis("Network efficiency η", (0.0, 0.6)),
        "As Fig. 5-2, where only ten nodes advertise routes.",
        "fan-in",
    ),
    _event(
        "5-15",
        "efficiency",
        "Efficiency of events",
        Axis("Network efficiency η", (0.0, 0.6)),
        "All nodes send B packets at the same moment, every 20 s.",
    ),
    _event(
        "5-16",
        "delivery_ratio",
        "Packets lost from events",
        Axis("End-to-end drop rate", SHARE),
        "Share of the events' packets that never reached the sink.",
        complement=True,
    ),
    _event(
        "5-17",
        "latency_s",
        "Latency of events",
        Axis("Median packet latency (s)", FREE),
        "Of the packets that arrive, from the moment the stack takes them; the tables below have it from the "
        "event on, the wait in the application included.",
    ),
)
"""In the thesis's order."""
