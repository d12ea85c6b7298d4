"""What the paper states of flows that come and go (8.5) and of external interference (8.6)."""

from penstock.studies.claim import Check, Claim
from penstock.studies.wrcp.claims_static import faster, lexicographic
from penstock.studies.wrcp.paper import (
    COUNT_WITHIN,
    DYNAMIC_S,
    HARDLY_LESS,
    IFRC,
    INFINITE,
    LONG,
    LONG_PACKETS,
    LONG_ROUNDED,
    RIVALS,
    SHORT,
    SHORT_PACKETS,
    SHORT_ROUNDED,
    SHUT_DOWN,
    WRCP,
    ratio_of_rounded,
)
from penstock.studies.wrcp.samples import at


def _packets(experiment: str, metric: str, counts: tuple[int, int], rounded: int) -> tuple[Check, ...]:
    """WRCP's over IFRC's packets, and each count."""
    ratio = Check(
        at(WRCP, metric, experiment),
        "packets a flow, WRCP over IFRC",
        "8.5",
        f"{counts[0] / counts[1]:.2g} ×",
        *ratio_of_rounded(counts, rounded),
        "ratio",
        versus=at(IFRC, metric, experiment),
        direction="above",
        pivot=1.0,
    )
    each = [
        Check(
            at(name, metric, experiment),
            f"packets a flow, {name}",
            "8.5",
            f"~{count}",
            (1 - COUNT_WITHIN) * count,
            (1 + COUNT_WITHIN) * count,
        )
        for name, count in zip((WRCP, IFRC), counts, strict=True)
    ]
    return (ratio, *each)


def _long(nodes: int) -> Claim:
    wrcp, ifrc = LONG_PACKETS[nodes]
    first, second = LONG[nodes]
    experiment = f"case-1-{nodes}"
    return Claim(
        f"wrcp.dynamic-{nodes}",
        f"When most flows leave, those that stay take what is free: sources {first} and {second} deliver "
        f"about {wrcp} packets in {DYNAMIC_S[nodes]:g} s under WRCP, {ifrc} under IFRC, with less delay",
        "8.5.1, Fig. 15" if nodes == 20 else "8.5.1, Figs. 16 and 17",
        f"{wrcp} against {ifrc}",
        (
            *_packets(experiment, "long_packets", (wrcp, ifrc), LONG_ROUNDED),
            faster(experiment, "case 1", "8.5.1"),
        ),
    )


def _short(nodes: int) -> Claim:
    wrcp, ifrc = SHORT_PACKETS[nodes]
    first, second = SHORT[nodes]
    experiment = f"case-2-{nodes}"
    return Claim(
        f"wrcp.short-{nodes}",
        f"Short flows get their share in time: sources {first} and {second} deliver about {wrcp} packets in "
        f"200 s under WRCP, {ifrc} under IFRC; all deliver lexicographically more, with less delay",
        "8.5.2, Fig. 18" if nodes == 20 else "8.5.2, Fig. 19",
        f"{wrcp} against {ifrc}",
        (
            *_packets(experiment, "short_packets", (wrcp, ifrc), SHORT_ROUNDED),
            lexicographic(experiment, "packets lexicographically at least IFRC's", "8.5.2"),
            faster(experiment, "case 2", "8.5.2"),
        ),
    )


def _falls(strategy: str) -> tuple[Check, ...]:
    def share(name: str, words: str, paper: str, low: float, high: float, pivot: float) -> Check:
        side = "above" if high == INFINITE else "below"
        sample = at(strategy, name, "interference")
        return Check(sample, f"{strategy}: {words}", "8.6", paper, low, high, direction=side, pivot=pivot)

    return (
        Check(
            at(strategy, "at_890", "interference"),
            f"{strategy}: delivered at 890 over at 17.8 kB/s",
            "8.6, Fig. 20",
            "< 1",
            *(0.0, 1.0, "ratio"),
            versus=at(strategy, "at_18", "interference"),
            direction="below",
            pivot=1.0,
        ),
        share("at_18", "delivered at 17.8 kB/s over before", "hardly less", HARDLY_LESS, INFINITE, 0.5),
        share("at_1780", "delivered at 1780 kB/s over before", "nothing", 0.0, SHUT_DOWN, 0.5),
        share("allowed_at_1780", "allowed rate at 1780 kB/s over before", "nothing", 0.0, SHUT_DOWN, 0.5),
    )


DYNAMIC: tuple[Claim, ...] = (
    *(_long(nodes) for nodes in (20, 40)),
    *(_short(nodes) for nodes in (20, 40)),
    Claim(
        "wrcp.interference-rates",
        "Rates fall as an 802.11 source sends faster: hardly at 17.8 kB/s, clearly at 890, and the network "
        "stops at 1780",
        "8.6, Fig. 20",
        "falling to nothing",
        tuple(check for strategy in reversed(RIVALS) for check in _falls(strategy)),
    ),
    Claim(
        "wrcp.interference-fair",
        "Under external interference WRCP delivers lexicographically more than IFRC, with less delay",
        "8.6, Fig. 21",
        "more, with less delay",
        (
            lexicographic("interference", "packets lexicographically at least IFRC's", "Fig. 21"),
            faster("interference", "20 nodes", "Fig. 21"),
        ),
    ),
)
"""In the paper's order."""
