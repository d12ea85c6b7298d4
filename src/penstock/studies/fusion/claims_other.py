"""What the thesis states of sleeping leaves (5.3.6), high fan-in (5.4) and correlated events (5.5)."""

from penstock.studies.claim import Check, Claim, Greatest, less, more
from penstock.studies.fusion.samples import (
    ALL_SIZES,
    EQUAL_EFFICIENCY,
    HOP_BY_HOP,
    LIGHT,
    asleep,
    at,
    burst,
)
from penstock.studies.fusion.thesis import HIGH_LOAD, INFINITE, SIX

OTHER: tuple[Claim, ...] = (
    Claim(
        "fusion.sleep-null",
        "How long leaves sleep and listen has no significant effect on efficiency",
        "5.3.6",
        "no effect",
        tuple(
            Check(
                asleep(strategy, "efficiency", fraction),
                f"{strategy}, asleep {fraction:.0%} over never",
                "5.3.6",
                "1 ± 0.1",
                *(1 - EQUAL_EFFICIENCY, 1 + EQUAL_EFFICIENCY, "ratio"),
                versus=asleep(strategy, "efficiency", 0.0),
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
                    at("none", "efficiency", load, "fan-in"),
                    at("none", "efficiency", load),
                    f"none, fan-in less periodic at {load:g} packets/s",
                    "5.4.1",
                )
                for load in (LIGHT, HIGH_LOAD)
            ),
            less(
                at("fusion", "efficiency", HIGH_LOAD, "fan-in"),
                at("fusion", "efficiency"),
                "Fusion, fan-in less periodic at 4 packets/s",
                "5.4.1",
            ),
            *(
                more(
                    at("fusion", "efficiency", HIGH_LOAD, "fan-in"),
                    at(other, "efficiency", HIGH_LOAD, "fan-in"),
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
                burst("occupancy", "efficiency", 1),
                "occupancy over none at B = 1",
                "5.5.1",
                "1.8 ×",
                *(1.6, 2.0, "ratio"),
                versus=burst("none", "efficiency", 1),
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
                        burst(s, "efficiency", 8),
                        f"{s} over none at B = 8",
                        "5.5.1",
                        "2 ×",
                        *(1.5, 2.5, "ratio"),
                        versus=burst("none", "efficiency", 8),
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
            more(burst("delay", "efficiency", 1), burst("occupancy", "efficiency", 1), "at B = 1", "5.5.1"),
            Check(
                burst("delay", "efficiency", 8),
                "delay over occupancy at B = 8",
                "5.5.1",
                "1 ± 0.1",
                *(1 - EQUAL_EFFICIENCY, 1 + EQUAL_EFFICIENCY, "ratio"),
                versus=burst("occupancy", "efficiency", 8),
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
                        burst(s, "delivery_ratio", size),
                        f"delivered, {s} less none at B = {size}",
                        "5.5.2",
                        "0.35",
                        *(0.30, 0.40, "difference"),
                        versus=burst("none", "delivery_ratio", size),
                        direction="above",
                        pivot=0.0,
                    )
                    for s in HOP_BY_HOP
                    for size in ALL_SIZES
                )
            ),
            *(
                more(
                    burst(s, "delivery_ratio", size),
                    burst("none", "delivery_ratio", size),
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
                burst("occupancy", "latency_s", 1),
                "occupancy over none at B = 1",
                "5.5.3",
                "1.4 ×",
                *(1.2, 1.6, "ratio"),
                versus=burst("none", "latency_s", 1),
                direction="above",
                pivot=1.0,
            ),
            Greatest(
                tuple(
                    Check(
                        burst(s, "latency_s", 3),
                        f"{s} over none at B = 3",
                        "5.5.3",
                        "> 2 ×",
                        *(2.0, INFINITE, "ratio"),
                        versus=burst("none", "latency_s", 3),
                        direction="above",
                        pivot=1.0,
                    )
                    for s in HOP_BY_HOP
                )
            ),
        ),
    ),
)
"""In the order of the thesis's figures."""
