"""When each flow of the dynamic scenarios is active.

Figs. 13 and 14 show it as bars in a drawing; the text gives some of it. In case 1 two sources (7 and 13; 20
and 31) send all the time, all are active at once for a while, and most end at 2000 s (2500 s). Here the
others begin at 500 s. In case 2 flows of 200 s come and go beside the two long ones, among them those of
sources 2 and 16 (17 and 33), of which the text speaks together. Here every other source has one such flow,
in groups that follow each other, so that those two are in one group.
"""

from collections.abc import Sequence
from typing import Any

from penstock.studies.wrcp.paper import DEPART_S, LONG, SHORT_S, SINK

JOIN_S = 500.0
FIRST_S = 200.0
GROUPS = {20: 11, 40: 13}
"""As many that the two sources of the text are in one group, when sources are dealt out in their order."""
APART_S = {20: 200.0, 40: 250.0}
"""From the beginning of one group to that of the next: the last ends before the measurement does."""

Flow = dict[str, Any]


def others(nodes: int) -> list[int]:
    """The sources that are not active all the time."""
    return [node for node in range(1, nodes + 1) if node != SINK[nodes] and node not in LONG[nodes]]


def case_1(nodes: int) -> list[Flow]:
    """Most flows join and leave together."""
    passing = {"source": others(nodes), "start_s": JOIN_S, "stop_s": DEPART_S[nodes]}
    return [{"source": list(LONG[nodes])}, passing]


def case_2(nodes: int) -> list[Flow]:
    """Short flows come and go."""
    groups = [others(nodes)[at :: GROUPS[nodes]] for at in range(GROUPS[nodes])]
    return [
        {"source": list(LONG[nodes])},
        *(
            {"source": group, "start_s": begins, "stop_s": begins + SHORT_S}
            for group, begins in zip(groups, _begins(nodes), strict=True)
        ),
    ]


def _begins(nodes: int) -> Sequence[float]:
    return [FIRST_S + APART_S[nodes] * at for at in range(GROUPS[nodes])]
