"""When each flow of the dynamic scenarios is active.

Figs. 13 and 14 show it as bars in a drawing; the text gives some of it. In case 1 two sources (7 and 13; 20
and 31) send all the time, all are active at once for a while, and most end at 2000 s (2500 s). Here the
others begin in three groups. In case 2 flows of 200 s come and go beside the two long ones, among them those
of sources 2 and 16 (17 and 33), which the text speaks of together. Here every other source has one such flow,
in waves 400 s apart, so that each meets a network that the long flows have to themselves.

The scenarios wrcp-20-case1 to wrcp-40-case2 have the same flows.
"""

from collections.abc import Mapping
from typing import Any

from penstock.studies.wrcp.paper import DEPART_S, LONG, SHORT_S, SINK

Flow = dict[str, Any]
JOIN_S = {20: 200.0, 40: 300.0}
"""From one group of case 1 to the next, and the first one's beginning."""
GROUPS = 3
FIRST_S, APART_S = 300.0, 400.0
"""The first wave of case 2, and from one to the next."""
WAVES: Mapping[int, tuple[tuple[int, ...], ...]] = {
    20: ((1, 8, 15), (3, 9, 17), (2, 4, 10, 16, 18), (5, 11, 19), (6, 14, 20)),
    40: (
        (1, 9, 18, 27, 38),
        (2, 10, 19, 28, 39),
        (3, 11, 21, 30, 40),
        (4, 12, 22, 32),
        (5, 13, 17, 23, 33, 34),
        (6, 14, 24, 35),
        (7, 15, 25, 36),
        (8, 16, 26, 37),
    ),
}


def others(nodes: int) -> list[int]:
    """The sources that are not active all the time."""
    return [node for node in range(1, nodes + 1) if node != SINK[nodes] and node not in LONG[nodes]]


def case_1(nodes: int) -> list[Flow]:
    """Most flows join in groups, every third node in one, and leave together."""
    groups = [others(nodes)[at::GROUPS] for at in range(GROUPS)]
    joins = [
        {"source": group, "start_s": JOIN_S[nodes] * at, "stop_s": DEPART_S[nodes]}
        for at, group in enumerate(groups, 1)
    ]
    return [{"source": list(LONG[nodes])}, *joins]


def case_2(nodes: int) -> list[Flow]:
    """Short flows come and go."""
    waves = [
        {"source": list(wave), "start_s": begins, "stop_s": begins + SHORT_S}
        for at, wave in enumerate(WAVES[nodes])
        for begins in (FIRST_S + APART_S * at,)
    ]
    return [{"source": list(LONG[nodes])}, *waves]
