"""What the thesis states (3.1, 5.3-5.5), claim by claim. Its numbers are taken as thesis.py says."""

from penstock.metrics import COVERAGE_LEVELS
from penstock.studies.claim import Check, Claim, Greatest, Sample, less, more
from penstock.studies.fusion.thesis import (
    COVERAGE,
    HIGH_LOAD,
    INFINITE,
    PERIOD_WITHIN,
    SIX,
    TABLE_LOAD,
    period_of,
)

LIGHT, KNEE, PAST = 0.25, 0.5, 1.0
"""Loads in packets/s: the lightest; where the thesis's network ceases to be underloaded; past congestion."""
LOADED = (1.0, 2.0, HIGH_LOAD)
SIZES = (1, 2, 3, 5, 8)
"""Event sizes that every effort but the reduced one runs."""
HOP_BY_HOP = ("occupancy", "channel", "delay")
EQUAL_LOSS = 0.05
"""Channel loss rates that differ by no more than a twentieth are called equal: Fig. 5-11 shows no less."""
EQUAL_EFFICIENCY = 0.1
"""Efficiencies within a tenth of each other are called equal: the thesis's own intervals are no narrower."""
HEAVY_TAIL = 10.0
"""An imbalance at the 90th percentile that is called a heavy tail."""
FEW = 5.0
"""Fig. 5-3: Fusion's curve has ended by a handful."""


def _at(strategy: str, metric: str, load: float = HIGH_LOAD, experiment: str = "periodic") -> Sample:
    return Sample(experiment, strategy, metric, load)


def _burst(strategy: str, metric: str, size: int) -> Sample:
    return Sample("event", strategy, metric, float(size))


def _period(strategy: str, percent: int) -> Check:
    period = period_of(strategy, percent)
    words = f"{percent} % of the nodes under {strategy}"
    paper = "∞" if period == INFINITE else f"{period:g} s"
    sample = _at(strategy, f"coverage_{percent}_s", TABLE_LOAD)
    if period == INFINITE:
        return Check(sample, words, "Table 5.2", paper, period, period, direction="above", pivot=240.0)
    low, high = (1 - PERIOD_WITHIN) * period, (1 + PERIOD_WITHIN) * period
    return Check(sample, words, "Table 5.2", paper, low, high)


_FIRST_CELLS = (("fusion", 90), ("none", 90))
_CELLS = tuple((s, p) for s in COVERAGE for p in COVERAGE_LEVELS if (s, p) not in _FIRST_CELLS)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "fusion.collapse",
        "Without control, wireless loss dominates buffer loss and rises with load",
        "3.1, Fig. 3-1 top",
        "above buffer loss; rising",
        (
            Check(
                _at("none", "channel_loss_rate"),
                "wireless less buffer loss at 4 packets/s",
                "Fig. 3-1",
                "> 0",
                *(0.0, INFINITE, "difference"),
                versus=_at("none", "buffer_drop_rate"),
                direction="above",
            ),
            *(
                more(
                    _at("none", "channel_loss_rate", load),
                    _at("none", "buffer_drop_rate", load),
                    f"wireless less buffer loss at {load:g} packets/s",
                    "Fig. 3-1",
                )
                for load in (LIGHT, KNEE, 1.0, 2.0)
            ),
            *(
                more(
                    _at("none", "channel_loss_rate", high),
                    _at("none", "channel_loss_rate", low),
                    f"wireless loss at {high:g} less that at {low:g} packets/s",
                    "Fig. 3-1",
                )
                for low, high in ((LIGHT, KNEE), (LIGHT, HIGH_LOAD))
            ),
        ),
    ),
    Claim(
        "fusion.starvation",
        "At 2 packets/s without control close to 70 % of the nodes deliver under a tenth of their load",
        "3.1, Fig. 3-1 middle",
        "0.70",
        (
            Check(
                _at("none", "starved_fraction", TABLE_LOAD),
                "starved share of the sources",
                "3.1, Fig. 3-1",
                "0.70",
                *(0.65, 0.75),
                direction="above",
                pivot=0.5,
            ),
        ),
    ),
    Claim(
        "fusion.livelock",
        "Without control, bits per joule fall once load passes congestion",
        "3.1, Fig. 3-1 bottom",
        "falling",
        tuple(
            less(
                _at("none", "bits_per_transmit_joule", high),
                _at("none", "bits_per_transmit_joule", low),
                f"bits per joule of transmission at {high:g} less that at {low:g} packets/s",
                "Fig. 3-1",
            )
            for low, high in ((KNEE, HIGH_LOAD), (LIGHT, KNEE), (KNEE, 1.0))
        ),
    ),
    Claim(
        "fusion.efficiency",
        "At high load Fusion's efficiency is about three times that of no control, and the best of all six",
        "5.3.1, Fig. 5-2",
        "3 ×",
        (
            Check(
                _at("fusion", "efficiency"),
                "Fusion over none at 4 packets/s",
                "5.3.1, 1.4",
                "3 ×",
                *(2.5, 3.5, "ratio"),
                versus=_at("none", "efficiency"),
                direction="above",
                pivot=1.0,
            ),
            *(
                more(
                    _at("fusion", "efficiency"), _at(other, "efficiency"), f"Fusion less {other}", "Fig. 5-2"
                )
                for other in SIX
                if other not in ("fusion", "none")
            ),
        ),
    ),
    Claim(
        "fusion.efficiency-order",
        "At high load occupancy is at least as efficient as channel sampling, and both more than rate limiting",
        "5.3.1, Fig. 5-2",
        "occupancy ≥ channel > rate",
        (
            more(
                _at("occupancy", "efficiency"), _at("rate", "efficiency"), "occupancy less rate", "Fig. 5-2"
            ),
            more(_at("channel", "efficiency"), _at("rate", "efficiency"), "channel less rate", "Fig. 5-2"),
            more(
                _at("occupancy", "efficiency"),
                _at("channel", "efficiency"),
                "occupancy less channel",
                "Fig. 5-2",
            ),
        ),
    ),
    Claim(
        "fusion.imbalance",
        "At 4 packets/s the 90th percentile of imbalance is over 50 without control, near 1 to a few with "
        "Fusion; rate limiting is heavy-tailed too",
        "5.3.2, Fig. 5-3",
        "> 50 and about 1",
        (
            Check(
                _at("none", "imbalance_p90"),
                "none, 90th percentile",
                "5.3.2, Fig. 5-3",
                "> 50",
                *(50.0, INFINITE),
                direction="above",
                pivot=1.0,
            ),
            Check(
                _at("fusion", "imbalance_p90"), "Fusion, 90th percentile", "Fig. 5-3", "1 to a few", 0.5, FEW
            ),
            Check(
                _at("rate", "imbalance_p90"),
                "rate, 90th percentile",
                "5.3.2",
                "heavy tail",
                *(HEAVY_TAIL, INFINITE),
                direction="above",
                pivot=FEW,
            ),
        ),
    ),
    Claim(
        "fusion.throughput-order",
        "Strategies without rate limiting deliver more in aggregate than those with it",
        "5.3.3, Fig. 5-6",
        "more",
        tuple(
            more(_at(free, "throughput_pps"), _at(limited, "throughput_pps"), f"{free} less {limited}", "5-6")
            for limited in ("fusion", "rate")
            for free in HOP_BY_HOP
        ),
    ),
    Claim(
        "fusion.coverage",
        "Table 5.2, cell by cell: 90 % of the nodes report every 35 s with Fusion, never without control",
        "5.3.3, Table 5.2",
        "35 s against ∞",
        tuple(_period(strategy, percent) for strategy, percent in (*_FIRST_CELLS, *_CELLS)),
    ),
    Claim(
        "fusion.fairness",
        "Fusion's fairness is more than twice that of no control",
        "1.4, Fig. 5-8",
        "> 2 ×",
        (
            Check(
                _at("fusion", "fairness"),
                "Fusion over none at 4 packets/s",
                "1.4, Fig. 5-8",
                "> 2 ×",
                *(2.0, INFINITE, "ratio"),
                versus=_at("none", "fairness"),
                direction="above",
                pivot=1.0,
            ),
        ),
    ),
    Claim(
        "fusion.median",
        "Half of the nodes keep at least 0.1 packets/s under Fusion; near nothing without control past 1",
        "5.3.3, Fig. 5-9",
        "≥ 0.1 packets/s",
        (
            *(
                Check(
                    _at("fusion", "median_node_throughput_pps", load),
                    f"median node under Fusion at {load:g} packets/s",
                    "Fig. 5-9",
                    "≥ 0.1",
                    *(0.1, INFINITE),
                    direction="above",
                    pivot=0.0,
                )
                for load in reversed(LOADED)
            ),
            *(
                Check(
                    _at("none", "median_node_throughput_pps", load),
                    f"median node without control at {load:g} packets/s",
                    "Fig. 5-9",
                    "near 0",
                    *(0.0, 0.05),
                    direction="below",
                    pivot=0.1,
                )
                for load in (2.0, HIGH_LOAD)
            ),
        ),
    ),
    Claim(
        "fusion.latency",
        "Latency grows until the network congests, then falls for all but Fusion, whose packets come from far",
        "5.3.4, Fig. 5-10",
        "up to 0.5, then down; Fusion highest",
        (
            more(_at("fusion", "latency_s"), _at("none", "latency_s"), "Fusion less none at 4", "Fig. 5-10"),
            more(
                _at("none", "latency_s", KNEE), _at("none", "latency_s", LIGHT), "none, 0.5 less 0.25", "5-10"
            ),
            *(
                less(
                    _at(strategy, "latency_s"),
                    _at(strategy, "latency_s", PAST),
                    f"{strategy}, 4 less 1 packets/s",
                    "Fig. 5-10",
                )
                for strategy in ("none", *HOP_BY_HOP, "rate")
            ),
        ),
    ),
    Claim(
        "fusion.channel-loss",
        "Channel loss at 4 packets/s: over 80 % without control, about 70 % with rate limiting, 60 % with "
        "channel sampling, 50 % with occupancy; Fusion's is lowest",
        "5.3.5, Fig. 5-11",
        "> 0.8, 0.7, 0.6, 0.5",
        (
            less(
                _at("fusion", "channel_loss_rate"),
                _at("none", "channel_loss_rate"),
                "Fusion less none",
                "Fig. 5-11",
            ),
            *(
                Check(_at(s, "channel_loss_rate"), s, "5.3.5, Fig. 5-11", paper, low, high)
                for s, paper, low, high in (
                    ("none", "> 0.80", 0.75, 1.0),
                    ("rate", "0.70", 0.65, 0.75),
                    ("channel", "0.60", 0.55, 0.65),
                    ("occupancy", "< 0.50", 0.0, 0.55),
                )
            ),
            less(
                _at("fusion", "channel_loss_rate"),
                _at("occupancy", "channel_loss_rate"),
                "Fusion less occupancy",
                "Fig. 5-11",
            ),
        ),
    ),
    Claim(
        "fusion.buffer-drops",
        "More packets are dropped from buffers with hop-by-hop control than without",
        "5.3.5, Fig. 5-12",
        "more",
        tuple(
            more(_at(s, "buffer_drop_rate"), _at("none", "buffer_drop_rate"), f"{s} less none", "Fig. 5-12")
            for s in (*HOP_BY_HOP, "fusion")
        ),
    ),
    Claim(
        "fusion.delay-null",
        "Occupancy with delay loses no less in the channel than occupancy",
        "5.3.5, Fig. 5-11",
        "no difference",
        (
            Check(
                _at("delay", "channel_loss_rate"),
                "delay less occupancy at 4 packets/s",
                "5.3.5, Fig. 5-11",
                "0 ± 0.05",
                *(-EQUAL_LOSS, EQUAL_LOSS, "difference"),
                versus=_at("occupancy", "channel_loss_rate"),
            ),
        ),
    ),
    Claim(
        "fusion.sleep-null",
        "How long leaves sleep and listen has no significant effect on efficiency",
        "5.3.6",
        "no effect",
        tuple(
            Check(
                Sample("duty-cycle", strategy, "efficiency", fraction, (("traffic.rate_pps", 1.0),)),
                f"{strategy}, asleep {fraction:.0%} over never",
                "5.3.6",
                "1 ± 0.1",
                *(1 - EQUAL_EFFICIENCY, 1 + EQUAL_EFFICIENCY, "ratio"),
                versus=Sample("duty-cycle", strategy, "efficiency", 0.0, (("traffic.rate_pps", 1.0),)),
            )
            for strategy in ("fusion", "occupancy", "none")
            for fraction in (0.5, 0.9)
        ),
    ),
    Claim(
        "fusion.fan-in",
        "Efficiency is lower with high fan-in than in the periodic workload, and Fusion's is the best",
        "5.4.1, Fig. 5-14",
        "lower; Fusion best",
        (
            *(
                less(
                    _at("none", "efficiency", load, "fan-in"),
                    _at("none", "efficiency", load),
                    f"none, fan-in less periodic at {load:g} packets/s",
                    "5.4.1",
                )
                for load in (LIGHT, HIGH_LOAD)
            ),
            less(
                _at("fusion", "efficiency", HIGH_LOAD, "fan-in"),
                _at("fusion", "efficiency"),
                "Fusion, fan-in less periodic at 4 packets/s",
                "5.4.1",
            ),
            *(
                more(
                    _at("fusion", "efficiency", HIGH_LOAD, "fan-in"),
                    _at(other, "efficiency", HIGH_LOAD, "fan-in"),
                    f"Fusion less {other} at 4 packets/s",
                    "Fig. 5-14",
                )
                for other in SIX
                if other != "fusion"
            ),
        ),
    ),
    Claim(
        "fusion.event-small",
        "Occupancy raises efficiency by about 80 % for events of one packet",
        "5.5.1, Fig. 5-15",
        "1.8 ×",
        (
            Check(
                _burst("occupancy", "efficiency", 1),
                "occupancy over none at B = 1",
                "5.5.1",
                "1.8 ×",
                *(1.6, 2.0, "ratio"),
                versus=_burst("none", "efficiency", 1),
                direction="above",
                pivot=1.0,
            ),
        ),
    ),
    Claim(
        "fusion.event-large",
        "The best strategy is about twice as efficient as no control for events of eight packets",
        "5.5.1, Fig. 5-15",
        "2 ×",
        (
            Greatest(
                tuple(
                    Check(
                        _burst(s, "efficiency", 8),
                        f"{s} over none at B = 8",
                        "5.5.1",
                        "2 ×",
                        *(1.5, 2.5, "ratio"),
                        versus=_burst("none", "efficiency", 8),
                        direction="above",
                        pivot=1.0,
                    )
                    for s in HOP_BY_HOP
                )
            ),
        ),
    ),
    Claim(
        "fusion.event-delay",
        "The forwarding delay helps for small events only",
        "5.5.1, Fig. 5-15",
        "more at B = 1, equal at B = 8",
        (
            more(_burst("delay", "efficiency", 1), _burst("occupancy", "efficiency", 1), "at B = 1", "5.5.1"),
            Check(
                _burst("delay", "efficiency", 8),
                "delay over occupancy at B = 8",
                "5.5.1",
                "1 ± 0.1",
                *(1 - EQUAL_EFFICIENCY, 1 + EQUAL_EFFICIENCY, "ratio"),
                versus=_burst("occupancy", "efficiency", 8),
            ),
        ),
    ),
    Claim(
        "fusion.event-drops",
        "All strategies lose less than no control, which loses up to 35 points more",
        "5.5.2, Fig. 5-16",
        "up to 0.35",
        (
            Greatest(
                tuple(
                    Check(
                        _burst(s, "delivery_ratio", size),
                        f"delivered, {s} less none at B = {size}",
                        "5.5.2",
                        "0.35",
                        *(0.30, 0.40, "difference"),
                        versus=_burst("none", "delivery_ratio", size),
                        direction="above",
                        pivot=0.0,
                    )
                    for s in HOP_BY_HOP
                    for size in SIZES
                )
            ),
            *(
                more(
                    _burst(s, "delivery_ratio", size),
                    _burst("none", "delivery_ratio", size),
                    f"delivered, {s} less none at B = {size}",
                    "Fig. 5-16",
                )
                for s in HOP_BY_HOP
                for size in (1, 8)
            ),
        ),
    ),
    Claim(
        "fusion.event-latency",
        "Congestion control raises latency by about 40 % for small events, by over 100 % at three packets",
        "5.5.3, Fig. 5-17",
        "1.4 × and > 2 ×",
        (
            Check(
                _burst("occupancy", "latency_s", 1),
                "occupancy over none at B = 1",
                "5.5.3",
                "1.4 ×",
                *(1.2, 1.6, "ratio"),
                versus=_burst("none", "latency_s", 1),
                direction="above",
                pivot=1.0,
            ),
            Greatest(
                tuple(
                    Check(
                        _burst(s, "latency_s", 3),
                        f"{s} over none at B = 3",
                        "5.5.3",
                        "> 2 ×",
                        *(2.0, INFINITE, "ratio"),
                        versus=_burst("none", "latency_s", 3),
                        direction="above",
                        pivot=1.0,
                    )
                    for s in HOP_BY_HOP
                )
            ),
        ),
    ),
)
"""The thesis's claims, in the order of its figures."""
