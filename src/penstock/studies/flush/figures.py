"""The paper's figures, and block-wise transfer beside Fig. 21."""

from collections.abc import Callable, Sequence

from penstock.studies.figure import Axis, Drawing, Figure, Stack
from penstock.studies.flush import curves
from penstock.studies.flush.experiments import STEADY_MODES
from penstock.studies.flush.paper import (
    DEPTHS,
    INTERVALS_S,
    LINE_DEPTHS,
    LINE_INTERVALS_S,
    LOSSY_AT,
    OBJECT_BYTES,
    PAYLOAD_BYTES,
    REROUTED_AT,
    WINDOW,
)
from penstock.studies.flush.samples import NAMES, of_best, of_interval, of_mode
from penstock.studies.flush.samples import milliseconds as named
from penstock.studies.judge import measured
from penstock.studies.section import Loaded

HOPS = Axis("Hops from source to sink", (0.5, 6.5))
LINE_HOPS = Axis("Hops from source to sink", (0.0, 49.0))
SECONDS = Axis("Time (s)")
RATE = Axis("Packets/s")
QUEUE, FULL_QUEUE = Axis("Packets in the queue"), Axis("Packets in the queue", (0.0, 16.5))
FAR = DEPTHS[-1]
ONE_RUN = f"One run, seed {curves.SEED}."
AVERAGED = f"Rates over the last {WINDOW} packets. {ONE_RUN}"
PACKETS = OBJECT_BYTES // PAYLOAD_BYTES


def _mode(mode: str, metric: str, experiment: str = "indoor") -> curves.OverHops:
    return NAMES[mode], lambda hops: of_mode(mode, metric, hops, experiment)


def _interval(interval_s: float, metric: str, experiment: str = "indoor-fixed") -> curves.OverHops:
    return named(interval_s), lambda hops: of_interval(interval_s, metric, hops, experiment)


def _fixed(metric: str) -> list[curves.OverHops]:
    return [_interval(interval, metric) for interval in INTERVALS_S]


def _best(metric: str) -> curves.OverHops:
    return "best fixed", lambda hops: of_best(metric, hops)


def _hops(
    number: str, title: str, caption: str, drawn: curves.Curves, y: Axis, experiment: str = "indoor"
) -> Drawing:
    key = f"fig-{number.lower().replace(' ', '-')}"
    return Drawing(key, title, f"Fig. {number}", caption, experiment, drawn, HOPS, y)


def _time(
    number: str,
    title: str,
    caption: str,
    experiment: str,
    drawn: curves.Curves,
    y: Axis = RATE,
    x: Axis = SECONDS,
) -> Drawing:
    key = f"fig-{number.lower().replace(' ', '-')}"
    return Drawing(key, title, f"Fig. {number}", caption, experiment, drawn, x, y, points=False)


def _bars(*metrics: str, rest: str = "") -> Callable[[Loaded], list[tuple[str, Sequence[float]]]]:
    """A bar for each scheme over 6 hops; with `rest` the last part is what the others leave of 1."""
    schemes = [(named(interval).removeprefix("fixed "), interval) for interval in INTERVALS_S]

    def made(tables: Loaded) -> list[tuple[str, Sequence[float]]]:
        samples = [
            ("Flush", [of_mode("flush", metric, FAR) for metric in metrics]),
            *((name, [of_interval(interval, m, FAR) for m in metrics]) for name, interval in schemes),
            ("ASAP", [of_mode("asap", metric, FAR) for metric in metrics]),
        ]
        bars: list[tuple[str, Sequence[float]]] = []
        for name, each in samples:
            found = [measured(sample, tables) for sample in each]
            sizes = [value.mean for value in found if value is not None and value.count]
            if len(sizes) == len(metrics):
                bars.append((name, [*sizes, 1 - sum(sizes)] if rest else sizes))
        return bars

    return made


FIGURES: tuple[Figure, ...] = (
    _hops(
        "7",
        "Packets/s of fixed intervals",
        f"{PACKETS:,} packets; all phases.",
        curves.over_hops(DEPTHS, *_fixed("overall_pps")),
        RATE,
    ),
    _hops(
        "8a",
        "Packets/s of Flush and of the best fixed interval",
        "Best of the three of Fig. 7 over so many hops.",
        curves.over_hops(DEPTHS, _mode("flush", "overall_pps"), _best("overall_pps")),
        RATE,
    ),
    _hops(
        "8b",
        "Bytes/s of Flush and of the best fixed interval",
        "A packet of Flush has 17 bytes of the object, one without rate control 20.",
        curves.over_hops(DEPTHS, _mode("flush", "overall_Bps"), _best("overall_Bps")),
        Axis("Bytes/s"),
    ),
    _hops(
        "9",
        "Transmissions of a node",
        f"For the whole object, {PACKETS:,} packets.",
        curves.all_of(
            curves.over_hops(
                DEPTHS, _mode("flush", "transmissions_per_hop"), *_fixed("transmissions_per_hop")
            ),
            curves.constant("no repetition", DEPTHS, PACKETS),
        ),
        Axis("Transmissions"),
    ),
    Stack(
        "fig-10",
        "When packets arrive, 6 hops",
        "Fig. 10",
        "Means over seeds. The paper's ASAP ends with its transfer phase; here it is repaired as well.",
        "indoor",
        _bars("arrived_share", rest="repair"),
        ("transfer phase", "acknowledgement phase"),
        Axis("Share of the packets", (0.0, 1.0)),
    ),
    Stack(
        "fig-11",
        "What the time goes to, 6 hops",
        "Fig. 11",
        "Means over seeds.",
        "indoor",
        _bars("query_s", "transfer_s", "ack_s", "check_s"),
        ("topology query", "transfer", "acknowledgement", "integrity check"),
        Axis("Time (s)"),
    ),
    _hops(
        "12",
        "Bytes/s of the transfer phase",
        "Unique bytes that arrive in it.",
        curves.over_hops(
            DEPTHS, _mode("flush", "goodput_Bps"), *_fixed("goodput_Bps"), _mode("asap", "goodput_Bps")
        ),
        Axis("Bytes/s"),
    ),
    _hops(
        "13",
        "Packets/s of the transfer phase",
        "Unique packets that arrive in it.",
        curves.over_hops(
            DEPTHS, _mode("flush", "transfer_pps"), *_fixed("transfer_pps"), _mode("asap", "transfer_pps")
        ),
        RATE,
    ),
    _time(
        "14",
        "Rate of a node in the middle of the way, 7 hops",
        AVERAGED,
        "steady",
        curves.rates_of("steady", None, STEADY_MODES),
    ),
    _time(
        "15",
        "Longest queue on the way, 7 hops",
        f"For each packet, of all the queues that it left from but the source's own. {ONE_RUN}",
        "steady",
        curves.longest_queues("steady", ("flush", "flush_e2e")),
        QUEUE,
        Axis("Packet"),
    ),
    _time(
        "16",
        "Queues under Flush-e2e, 7 hops",
        "The five nodes nearest to the source, by their hops to the sink; a sixth of the transfer. "
        f"{ONE_RUN}",
        "steady",
        curves.ripples("steady", "flush_e2e", 5, (0.5, 0.667)),
        QUEUE,
    ),
    _time(
        "17",
        "Rate of the node with the lossy link, 6 hops",
        f"From 7 to 17 s half of its packets are lost. {AVERAGED}",
        "forced-loss",
        curves.rates_of("forced-loss", LOSSY_AT, STEADY_MODES),
    ),
    _time(
        "18",
        "Queue of the node with the lossy link, 6 hops",
        f"From 7 to 17 s half of its packets are lost. {ONE_RUN}",
        "forced-loss",
        curves.queues_of("forced-loss", LOSSY_AT, STEADY_MODES),
        FULL_QUEUE,
    ),
    _time(
        "19 rates",
        "Rates of all nodes around a route change",
        f"At 21 s the node 4 hops from the sink changes its next hop. {AVERAGED}",
        "route-change",
        curves.rates_of_all("route-change", "flush"),
    ),
    _time(
        "19 queue",
        "Queue of the node whose next hop changes",
        f"At 21 s. {ONE_RUN}",
        "route-change",
        curves.queues_of("route-change", REROUTED_AT, ("flush",)),
        QUEUE,
    ),
    Drawing(
        "fig-21",
        "Bytes/s over up to 48 hops",
        "Fig. 21",
        "26,600 bytes; all phases. 35 bytes in a packet of Flush, 38 with fixed intervals. Block-wise "
        "transfer is ours.",
        "line",
        curves.over_hops(
            LINE_DEPTHS,
            _mode("flush", "overall_Bps", "line"),
            *(_interval(interval, "overall_Bps", "line-fixed") for interval in LINE_INTERVALS_S),
            _mode("blockwise", "overall_Bps", "line"),
        ),
        LINE_HOPS,
        Axis("Bytes/s"),
    ),
)
"""In the paper's order."""
