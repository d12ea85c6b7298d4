"""What the paper states of capacity (2.1), stability (7) and the static case (1, 8.4)."""

from penstock.studies.claim import Check, Claim, less, more
from penstock.studies.wrcp.paper import (
    EQUAL,
    FIG_1_S,
    FLAT_WITHIN,
    FLOORS,
    GAMMA_WITHIN,
    IFRC,
    INFINITE,
    KNEE_WITHIN,
    NEAR_BOUND,
    POWER_LEVELS,
    RISES_BY,
    SATURATION_PPS,
    SATURATION_WITHIN,
    TENS_S,
    WRCP,
)
from penstock.studies.wrcp.samples import at, saturated, sweep

TOPOLOGIES = tuple((nodes, level) for nodes in FLOORS for level in POWER_LEVELS)


def _named(nodes: int, level: int) -> str:
    return f"{nodes} nodes, level {level}"


def _converges(experiment: str, where: str, source: str, ifrc_from: float) -> tuple[Check, ...]:
    """WRCP in tens of seconds, IFRC in hundreds."""
    return (
        less(
            at(WRCP, "convergence_s", experiment),
            at(IFRC, "convergence_s", experiment),
            f"WRCP less IFRC, seconds, {where}",
            source,
        ),
        Check(
            at(WRCP, "convergence_s", experiment),
            f"WRCP, {where}",
            source,
            "few tens of seconds",
            *(0.0, TENS_S),
            direction="below",
            pivot=TENS_S,
        ),
        Check(
            at(IFRC, "convergence_s", experiment),
            f"IFRC, {where}",
            source,
            f"> {ifrc_from:g} s" if ifrc_from == FIG_1_S else "hundreds of seconds",
            *(ifrc_from, INFINITE),
            direction="above",
            pivot=TENS_S,
        ),
    )


def all_of(experiment: str, metric: str, words: str, source: str, paper: str) -> Check:
    """All sources, one in twenty set aside as chance: a share of at least 1 - EQUAL."""
    return Check(
        at(WRCP, metric, experiment),
        words,
        source,
        paper,
        *(1 - EQUAL, 1.0),
        direction="above",
        pivot=0.5,
    )


def lexicographic(experiment: str, words: str, source: str) -> Check:
    """In every run."""
    return Check(
        at(WRCP, "at_least_ifrc", experiment),
        words,
        source,
        "always",
        *(1.0, 1.0),
        direction="above",
        pivot=0.5,
    )


def faster(experiment: str, words: str, source: str) -> Check:
    """The mean over the sources of the mean end-to-end delay, in seconds."""
    return less(
        at(WRCP, "source_delay_s", experiment),
        at(IFRC, "source_delay_s", experiment),
        f"mean delay of the sources, WRCP less IFRC, {words}",
        source,
    )


def _bounded(nodes: int, metric: str, words: str) -> Check:
    return Check(
        at(WRCP, metric, f"static-{nodes}"),
        f"{words}, {nodes} nodes",
        "ours; 2, 4",
        f"≥ {NEAR_BOUND:g}",
        *(NEAR_BOUND, INFINITE),
        direction="above",
        pivot=0.5,
    )


STATIC: tuple[Claim, ...] = (
    Claim(
        "wrcp.saturation",
        "The CC2420 under TinyOS saturates near 90 packets/s, and stays there beyond four senders",
        "2.1, 4.3, Fig. 4",
        "~90 packets/s",
        (
            Check(
                saturated(5),
                "frames that arrive per second, 5 senders",
                "Fig. 4",
                "~90",
                (1 - SATURATION_WITHIN) * SATURATION_PPS,
                (1 + SATURATION_WITHIN) * SATURATION_PPS,
            ),
            *(
                Check(
                    saturated(many),
                    f"{many} senders over 5",
                    "4.3",
                    "1 ± 0.1",
                    *(1 - FLAT_WITHIN, 1 + FLAT_WITHIN, "ratio"),
                    versus=saturated(5),
                )
                for many in (6, 8, 10)
            ),
            more(saturated(4), saturated(1), "4 senders less 1", "Fig. 4"),
        ),
    ),
    Claim(
        "wrcp.stability",
        "The variance of the allowed rate rises sharply once α passes 2/Γ, and so does the delay, on four "
        "topologies; Γ = (1 + p_f)/(p_f p_r)",
        "5, 7, Table 1, Figs. 8 and 9",
        "rises at 2/Γ",
        (
            *(
                Check(
                    sweep(*topology, "variance_rise"),
                    f"variance of the rate beyond 2/Γ over within, {_named(*topology)}",
                    "Fig. 8" if topology[0] == 20 else "Fig. 9",
                    "rises sharply",
                    *(RISES_BY, INFINITE),
                    direction="above",
                    pivot=1.0,
                )
                for topology in TOPOLOGIES
            ),
            *(
                Check(
                    sweep(*topology, "knee_over_bound"),
                    f"α at which the variance rises over 2/Γ, {_named(*topology)}",
                    "7, Table 1",
                    "1",
                    *KNEE_WITHIN,
                )
                for topology in TOPOLOGIES
            ),
            *(
                Check(
                    sweep(*topology, "delay_rise"),
                    f"delay beyond 2/Γ over within, {_named(*topology)}",
                    "7",
                    "higher",
                    *(1.0, INFINITE),
                    direction="above",
                    pivot=1.0,
                )
                for topology in TOPOLOGIES
            ),
            *(
                Check(
                    sweep(*topology, "gamma_over_expected"),
                    f"Γ counted over Γ of the links' rates, {_named(*topology)}",
                    "5, Table 1",
                    "1",
                    1 - GAMMA_WITHIN,
                    1 + GAMMA_WITHIN,
                )
                for topology in TOPOLOGIES
            ),
        ),
    ),
    Claim(
        "wrcp.convergence",
        "WRCP's rates converge in few tens of seconds, IFRC's in hundreds",
        "1, Figs. 1, 2 and 11",
        "tens against hundreds of seconds",
        (
            *_converges("room", "one hop", "1, Figs. 1 and 2", FIG_1_S),
            *(
                check
                for nodes in FLOORS
                for check in _converges(f"static-{nodes}", f"{nodes} nodes", "1, Fig. 11", TENS_S)
            ),
        ),
    ),
    Claim(
        "wrcp.static-goodput",
        "With all flows active WRCP's goodput is better than or equal to IFRC's at every source, and "
        "lexicographically at least as great",
        "8.4, Figs. 10 and 12",
        "≥ at every source",
        (
            *(
                lexicographic(f"static-{nodes}", f"lexicographically at least IFRC's, {nodes} nodes", "8.4")
                for nodes in FLOORS
            ),
            *(
                all_of(
                    f"static-{nodes}",
                    "sources_at_least_ifrc",
                    f"share of the sources with at least IFRC's goodput, {nodes} nodes",
                    "Fig. 10" if nodes == 20 else "Fig. 12",
                    "all",
                )
                for nodes in FLOORS
            ),
        ),
    ),
    Claim(
        "wrcp.static-delay",
        "With all flows active end-to-end delays are lower under WRCP than under IFRC",
        "8.4, Figs. 10 and 12",
        "lower",
        (
            *(faster(f"static-{nodes}", f"{nodes} nodes", "8.4") for nodes in FLOORS),
            *(
                all_of(
                    f"static-{nodes}",
                    "sources_faster_than_ifrc",
                    f"share of the sources with lower delay than IFRC's, {nodes} nodes",
                    "Fig. 10" if nodes == 20 else "Fig. 12",
                    "all",
                )
                for nodes in FLOORS
            ),
        ),
    ),
    Claim(
        "wrcp.maxmin",
        "WRCP comes near the lexicographic max-min fair rates of its own model",
        "2, 4; the figure is ours",
        f"≥ {NEAR_BOUND:g} of them",
        (
            *(_bounded(nodes, "bound_least", "least source over its bound") for nodes in FLOORS),
            *(_bounded(nodes, "bound_median", "median source over its bound") for nodes in FLOORS),
        ),
    ),
)
"""In the paper's order."""
