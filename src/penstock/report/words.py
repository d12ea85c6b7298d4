"""The words of the report: what each metric and strategy is called, its unit, and where the thesis shows it.

"Thesis" is B. W. Hull's *Techniques for Mitigating Congestion in Wireless Sensor Networks* (MIT, 2004), the
source of Fusion.
"""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Measure:
    """One metric as the report shows it.

    Attributes:
        name: its name in summary.json.
        title: heading over its figure.
        axis: axis title with unit.
        says: one sentence, what the metric is.
        source: the thesis's figure, or empty.
        better: "up" or "down", the direction a network operator wants; empty where neither is better.
        share: True for a ratio between 0 and 1.
    """

    name: str
    title: str
    axis: str
    says: str
    source: str = ""
    better: str = ""
    share: bool = False


MEASURES: tuple[Measure, ...] = (
    Measure(
        "efficiency",
        "Efficiency η",
        "Efficiency η",
        "Hops travelled by packets that reached the sink, over all data transmissions, retries included "
        "(Eq. 3.1). 1 would mean that no transmission was wasted.",
        "thesis Fig. 5-2",
        "up",
        True,
    ),
    Measure(
        "fairness",
        "Fairness φ",
        "Fairness φ (Jain's index)",
        "Jain's index of the rates at which the sink hears from each source: 1 when all are heard equally, "
        "1/n when the sink hears one node only.",
        "thesis Fig. 5-8",
        "up",
        True,
    ),
    Measure(
        "throughput_pps",
        "Throughput at the sink",
        "At the sink (packets/s)",
        "New packets that reach the sink each second, from whichever nodes. Nodes beside the sink can keep "
        "this high while the rest of the network is silent: read it together with fairness.",
        "thesis Fig. 5-6",
        "up",
    ),
    Measure(
        "median_node_throughput_pps",
        "Median node throughput",
        "Median node (packets/s)",
        "Half of the nodes get at least this much through to the sink.",
        "thesis Fig. 5-9",
        "up",
    ),
    Measure(
        "delivery_ratio",
        "Delivery ratio",
        "Delivered / generated",
        "Share of the packets the applications generated that reached the sink.",
        "",
        "up",
        True,
    ),
    Measure(
        "latency_s",
        "Latency",
        "Median latency (s)",
        "Median time from admission by the stack to arrival. Only packets that arrive count, so a strategy "
        "that hears far nodes shows more.",
        "thesis Fig. 5-10",
    ),
    Measure(
        "latency_p95_s",
        "Latency, 95th percentile",
        "95th percentile (s)",
        "One packet in twenty of those that arrive takes longer than this.",
    ),
    Measure(
        "channel_loss_rate",
        "Channel loss rate",
        "Share lost in the air",
        "1 − intact receptions / transmissions on links; every retry counts as a transmission.",
        "thesis Fig. 5-11",
        "down",
        True,
    ),
    Measure(
        "buffer_drop_rate",
        "Buffer drop rate",
        "Drops / received packets",
        "Packets dropped for want of queue space, per packet received. It rises where packets survive the "
        "air, so more is not always worse.",
        "thesis Fig. 5-12",
    ),
    Measure(
        "bits_per_joule",
        "Energy",
        "Delivered (bits/J)",
        "Bits of the packets that reach the sink, whole frames counted, for each joule that all radios drew.",
        "",
        "up",
    ),
)

# Shown in tables only.
TABLE_MEASURES: tuple[Measure, ...] = (
    *MEASURES,
    Measure("starved_fraction", "Starved nodes", "share of sources", "", "", "down", True),
    Measure("transmissions", "Data transmissions", "frames", "", "", ""),
    Measure("energy_j", "Radio energy", "all nodes (J)", "", "", "down"),
    Measure("packets_per_flow", "Delivered packets of a flow, mean", "packets", "", "", "up"),
    Measure("goodput_Bps", "Goodput of a flow, mean", "payload (B/s)", "", "", "up"),
    Measure("completion_s", "Flow completion time, mean", "s", "", "", "down"),
    Measure("radio_duty_cycle", "Radio duty cycle", "share of time not asleep", "", "", "down", True),
)

TRANSFER_MEASURES: tuple[Measure, ...] = (
    Measure(
        "overall_Bps",
        "Bytes per second of a transfer",
        "Over all its time (B/s)",
        "The object's bytes over the time from the sink's question until its check was right; 0 for a "
        "transfer that failed.",
        "",
        "up",
    ),
    Measure(
        "goodput_Bps",
        "Goodput in the transfer phase",
        "Transfer phase (B/s)",
        "New bytes that come before the sink asks for what was lost, over the time that takes.",
        "",
        "up",
    ),
    Measure(
        "completion_s",
        "Completion time of a transfer",
        "Completion (s)",
        "From the sink's question until its check was right. Not drawn where a transfer failed.",
        "",
        "down",
    ),
    Measure(
        "transfer_loss_rate",
        "Packets lost in the transfer phase",
        "Share lost before repair",
        "Packets of the object that were missing when the sink first asked for what was lost.",
        "",
        "down",
        True,
    ),
    Measure(
        "bulk_transmissions",
        "Transmissions of bulk packets",
        "Frames on air",
        "Of all nodes, link attempts that failed included.",
        "",
        "down",
    ),
)
"""Of runs with bulk transfers, in place of what TABLE_MEASURES says of flows under the same names."""

STRATEGY_NAMES: dict[str, str] = {
    "none": "no congestion control, the plain MAC",
    "occupancy": "hop-by-hop backpressure on queue occupancy",
    "channel": "hop-by-hop backpressure on channel sampling",
    "delay": "occupancy, and a pause after the parent's transmission",
    "rate": "source rate limiting",
    "fusion": "occupancy, delay and rate limiting together",
    "loss": "hop-by-hop backpressure on the loss rate of transmissions",
    "union": "backpressure when occupancy, channel or loss says so",
    "ack": "occupancy, with the congestion bit in link acknowledgements",
    "share": "source rate limiting to a max-min fair share",
    "fusion_share": "Fusion with the fair-share limiter in place of its own",
    "ifrc": "interference-aware fair rates by AIMD",
    "wrcp": "explicit max-min fair rates from what receivers can take",
}

PERIODIC = "periodic"
OTHER_FIGURES: dict[str, dict[str, str]] = {
    "fan_in": {"efficiency": "thesis Fig. 5-14"},
    "event": {
        "efficiency": "thesis Fig. 5-15",
        "delivery_ratio": "thesis Fig. 5-16, which shows what is missing to 1",
        "latency_s": "thesis Fig. 5-17",
    },
}
"""Where the thesis shows a metric under another workload than the periodic one of `Measure.source`."""

AXIS_TITLES: dict[str, str] = {
    "traffic.rate_pps": "Offered load per node (packets/s)",
    "traffic.event_size": "Event size B (packets per node)",
    "traffic.sleep_fraction": "Share of each period that leaves sleep",
    "traffic.gateways": "Nodes that offer routes",
    "bulk.source": "Source of the transfer (node)",
    "bulk.mode": "Bulk transfer",
}
"""Keys whose name says too little."""

UNIT_SUFFIXES: tuple[tuple[str, str], ...] = (
    ("_pps", "packets/s"),
    ("_Bps", "B/s"),
    ("_dbm", "dBm"),
    ("_db2", "dB²"),
    ("_db", "dB"),
    ("_bytes", "bytes"),
    ("_m", "m"),
    ("_s", "s"),
)


def measures(workload: str) -> tuple[Measure, ...]:
    """MEASURES with the thesis's figures for this kind of traffic."""
    if workload == PERIODIC:
        return MEASURES
    figures = OTHER_FIGURES.get(workload, {})
    return tuple(replace(measure, source=figures.get(measure.name, "")) for measure in MEASURES)


def number(value: float | None, digits: int = 2) -> str:
    """A number as a reader wants it: `digits` significant digits, no exponent where one can do without.

    None and NaN become an en dash, infinity its sign.
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    value = float(f"{value:.{digits - 1}e}")  # rounding may reach the next power of ten
    exponent = math.floor(math.log10(abs(value)))
    decimals = digits - 1 - exponent
    if decimals <= 0:
        text = f"{round(value, decimals):.0f}" if exponent < 9 else f"{value:.{digits - 1}e}"
    elif exponent < -5:
        text = f"{value:.{digits - 1}e}"
    else:
        text = f"{value:.{decimals}f}"
    if "e" not in text and len(text.partition(".")[0].lstrip("-")) > 4:
        text = f"{float(text):,.0f}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def percent(share: float) -> str:
    """A share as a percentage: "99%", "99.5%"."""
    return f"{100 * share:.4g}%"


def count(quantity: int, singular: str, plural: str = "") -> str:
    """ "1 seed", "15 seeds"."""
    return f"{quantity} {singular if quantity == 1 else plural or singular + 's'}"


def axis_title(name: str) -> str:
    """The title of a swept scenario key, with the unit its suffix tells."""
    if name in AXIS_TITLES:
        return AXIS_TITLES[name]
    words = name.rpartition(".")[2]
    for suffix, unit in UNIT_SUFFIXES:
        if words.endswith(suffix):
            return f"{name.removesuffix(suffix).replace('.', ' ').replace('_', ' ')} ({unit})"
    return name.replace(".", " ").replace("_", " ")


def axis_value(name: str, value: object) -> str:
    """One value of a swept key with its unit: "2 packets/s"."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if name == "bulk.source":
        return f"node {value:g}"
    words = name.rpartition(".")[2]
    for suffix, unit in UNIT_SUFFIXES:
        if words.endswith(suffix):
            return f"{value:g} {unit.replace('packets', 'packet') if value == 1 else unit}"
    return f"{value:g}"


def brief(value: float) -> str:
    """A setting to three significant digits, without trailing zeros: 48, 31.1; large ones in full: 2600."""
    return (f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}").replace("-", "−")


def spelled(quantity: int) -> str:
    """A count at the start of a sentence."""
    names = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
    return names[quantity] if quantity < len(names) else str(quantity)


def joined(parts: list[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
