"""What the thesis states of the periodic workload (3.1, 5.3). Its numbers are taken as thesis.py says."""

from penstock.metrics import COVERAGE_LEVELS
from penstock.studies.claim import Check, Claim, less, more
from penstock.studies.fusion.samples import (
    EQUAL_LOSS,
    FEW,
    HEAVY_TAIL,
    HOP_BY_HOP,
    KNEE,
    LIGHT,
    LOADED,
    PAST,
    SILENT,
    at,
)
from penstock.studies.fusion.thesis import (
    COVERAGE,
    HIGH_LOAD,
    INFINITE,
    PERIOD_WITHIN,
    SIX,
    TABLE_LOAD,
    period_of,
)


def _period(strategy: str, percent: int) -> Check:
    period = period_of(strategy, percent)
    words = f"{percent} % of the nodes under {strategy}"
    paper = "∞" if period == INFINITE else f"{period:g} s"
    sample = at(strategy, f"coverage_{percent}_s", TABLE_LOAD)
    if period == INFINITE:
        return Check(sample, words, "Table 5.2", paper, period, period, direction="above", pivot=240.0)
    low, high = (1 - PERIOD_WITHIN) * period, (1 + PERIOD_WITHIN) * period
    return Check(sample, words, "Table 5.2", paper, low, high)


_FIRST_CELLS = (("fusion", 90), ("none", 90))
_CELLS = tuple((s, p) for s in COVERAGE for p in COVERAGE_LEVELS if (s, p) not in _FIRST_CELLS)

PERIODIC: tuple[Claim, ...] = (
    Claim(
        "fusion.collapse",
        "Without control, wireless loss dominates buffer loss and rises with load",
        "3.1, Fig. 3-1 top",
        "above buffer loss; rising",
        (
            Check(
                at("none", "channel_loss_rate"),
                "wireless less buffer loss at 4 packets/s",
                "Fig. 3-1",
                "> 0",
                *(0.0, INFINITE, "difference"),
                versus=at("none", "buffer_drop_rate"),
                direction="above",
            ),
            *(
                more(
                    at("none", "channel_loss_rate", load),
                    at("none", "buffer_drop_rate", load),
                    f"wireless less buffer loss at {load:g} packets/s",
                    "Fig. 3-1",
                )
                for load in (LIGHT, KNEE, 1.0, 2.0)
            ),
            *(
                more(
                    at("none", "channel_loss_rate", high),
                    at("none", "channel_loss_rate", low),
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
                at("none", "starved_fraction", TABLE_LOAD),
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
                at("none", metric, high),
                at("none", metric, low),
                f"{words} at {high:g} less that at {low:g} packets/s",
                "Fig. 3-1",
            )
            for metric, words, pairs in (
                (
                    "bits_per_transmit_joule",
                    "bits per joule of transmission",
                    ((KNEE, HIGH_LOAD), (LIGHT, KNEE), (KNEE, PAST)),
                ),
                ("bits_per_joule", "bits per joule of the whole radio", ((KNEE, HIGH_LOAD),)),
            )
            for low, high in pairs
        ),
    ),
    Claim(
        "fusion.efficiency",
        "At high load Fusion's efficiency is about three times that of no control, and the best of all six",
        "5.3.1, Fig. 5-2",
        "3 ×",
        (
            Check(
                at("fusion", "efficiency"),
                "Fusion over none at 4 packets/s",
                "5.3.1, 1.4",
                "3 ×",
                *(2.5, 3.5, "ratio"),
                versus=at("none", "efficiency"),
                direction="above",
                pivot=1.0,
            ),
            *(
                more(at("fusion", "efficiency"), at(other, "efficiency"), f"Fusion less {other}", "Fig. 5-2")
                for other in SIX
                if other not in ("fusion", "none")
            ),
        ),
    ),
    Claim(
        "fusion.efficiency-order",
        "At high load occupancy is at least as efficient as channel sampling, and both more than rate",
        "5.3.1, Fig. 5-2",
        "occupancy ≥ channel > rate",
        (
            more(at("occupancy", "efficiency"), at("rate", "efficiency"), "occupancy less rate", "Fig. 5-2"),
            more(at("channel", "efficiency"), at("rate", "efficiency"), "channel less rate", "Fig. 5-2"),
            more(
                at("occupancy", "efficiency"),
                at("channel", "efficiency"),
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
                at("none", "imbalance_p90"),
                "none, 90th percentile",
                "5.3.2, Fig. 5-3",
                "> 50",
                *(50.0, INFINITE),
                direction="above",
                pivot=FEW,
            ),
            Check(
                at("fusion", "imbalance_p90"), "Fusion, 90th percentile", "Fig. 5-3", "1 to a few", 0.5, FEW
            ),
            Check(
                at("rate", "imbalance_p90"),
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
            more(at(free, "throughput_pps"), at(limited, "throughput_pps"), f"{free} less {limited}", "5-6")
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
                at("fusion", "fairness"),
                "Fusion over none at 4 packets/s",
                "1.4, Fig. 5-8",
                "> 2 ×",
                *(2.0, INFINITE, "ratio"),
                versus=at("none", "fairness"),
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
                    at("fusion", "median_node_throughput_pps", load),
                    f"median node under Fusion at {load:g} packets/s",
                    "Fig. 5-9",
                    "≥ 0.1",
                    *(0.1, INFINITE),
                    direction="above",
                    pivot=SILENT,
                )
                for load in reversed(LOADED)
            ),
            *(
                Check(
                    at("none", "median_node_throughput_pps", load),
                    f"median node without control at {load:g} packets/s",
                    "Fig. 5-9",
                    "near 0",
                    *(0.0, SILENT),
                    direction="below",
                    pivot=0.1,
                )
                for load in (2.0, HIGH_LOAD)
            ),
        ),
    ),
    Claim(
        "fusion.latency",
        "Latency grows until the network congests, then falls for all but Fusion, which is highest",
        "5.3.4, Fig. 5-10",
        "up to 0.5, then down; Fusion highest",
        (
            *(
                more(
                    at("fusion", "latency_s"),
                    at(other, "latency_s"),
                    f"Fusion less {other} at 4",
                    "Fig. 5-10",
                )
                for other in SIX
                if other != "fusion"
            ),
            more(
                at("none", "latency_s", KNEE), at("none", "latency_s", LIGHT), "none, 0.5 less 0.25", "5-10"
            ),
            *(
                less(
                    at(strategy, "latency_s"),
                    at(strategy, "latency_s", PAST),
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
                at("fusion", "channel_loss_rate"),
                at("none", "channel_loss_rate"),
                "Fusion less none",
                "Fig. 5-11",
            ),
            *(
                Check(at(s, "channel_loss_rate"), s, "5.3.5, Fig. 5-11", paper, low, high)
                for s, paper, low, high in (
                    ("none", "> 0.80", 0.75, 1.0),
                    ("rate", "0.70", 0.65, 0.75),
                    ("channel", "0.60", 0.55, 0.65),
                    ("occupancy", "< 0.50", 0.0, 0.55),
                )
            ),
            *(
                less(
                    at("fusion", "channel_loss_rate"),
                    at(other, "channel_loss_rate"),
                    f"Fusion less {other}",
                    "Fig. 5-11",
                )
                for other in (*HOP_BY_HOP, "rate")
            ),
        ),
    ),
    Claim(
        "fusion.buffer-drops",
        "More packets are dropped from buffers with hop-by-hop control than without",
        "5.3.5, Fig. 5-12",
        "more",
        tuple(
            more(at(s, "buffer_drop_rate"), at("none", "buffer_drop_rate"), f"{s} less none", "Fig. 5-12")
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
                at("delay", "channel_loss_rate"),
                "delay less occupancy at 4 packets/s",
                "5.3.5, Fig. 5-11",
                "0 ± 0.05",
                *(-EQUAL_LOSS, EQUAL_LOSS, "difference"),
                versus=at("occupancy", "channel_loss_rate"),
            ),
        ),
    ),
)
"""In the order of the thesis's figures."""
