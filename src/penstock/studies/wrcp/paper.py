"""Numbers that the paper prints, and how its words are taken.

"About" and "~" are taken to within a tenth where the paper quotes a number of its own measurements in the
text (90 packets/s). A ratio of two rounded counts (9000 against 6000 packets) is taken to lie between those
of the counts that round to them. A count on its own depends on a topology and on flow activity that the paper
shows in drawings only; it is taken to within a fifth.
"""

import math

INFINITE = math.inf
IFRC, WRCP = "ifrc", "wrcp"
RIVALS = (IFRC, WRCP)

SATURATION_PPS = 90.0
SATURATION_WITHIN = 0.1
"""2.1 and Fig. 4: about 90 packets/s with more than three neighbours."""
FLAT_WITHIN = 0.1
"""4.3: "will almost remain a constant as long as the number of senders is greater than 4"."""

ALPHA = 0.1
"""8.1: of the comparative evaluation."""
ALPHAS = tuple(round(0.05 * step, 2) for step in range(1, 21))
"""7: from 0.05 to 1.0."""
POWER_LEVELS = (5, 10)
POWER_DBM = {5: -20.0, 10: -11.25}
"""Of the CC2420's levels the data sheet (table 9) gives 3 (-25 dBm), 7 (-15 dBm) and 11 (-10 dBm); those in
between are taken to be linear in dB."""
GAMMA = {(20, 5): 4.2, (20, 10): 5.61, (40, 5): 7.35, (40, 10): 12.05}
"""Table 1: the measured transmissions between a node and its parent, by nodes and power level."""
RISES_BY = 2.0
""""Rises quite sharply" (7): the variance beyond the bound is at least twice that within it."""
KNEE_WITHIN = (0.5, 1.5)
"""The variance rises at the bound: where it does lies within half of it."""
GAMMA_WITHIN = 0.25
"""Γ from the links' own rates agrees with what was counted to within a quarter."""

FLOORS = (20, 40)
STATIC_S = 900.0
DYNAMIC_S = {20: 2600.0, 40: 3600.0}
SINK = {20: 12, 40: 29}
LONG = {20: (7, 13), 40: (20, 31)}
"""8.5.1: the sources whose completion times it quotes; they are active all the time."""
SHORT = {20: (2, 16), 40: (17, 33)}
"""8.5.2: the sources of 200 s whose packets it quotes."""
DEPART_S = {20: 2000.0, 40: 2500.0}
"""8.5.1: when most of the flows of case 1 end."""
SHORT_S = 200.0

LONG_PACKETS = {20: (9000, 6000), 40: (10_000, 7000)}
"""8.5.1: of each long flow under WRCP and under IFRC."""
LONG_ROUNDED = 500
SHORT_PACKETS = {20: (450, 50), 40: (500, 50)}
"""8.5.2: of each short flow under WRCP and under IFRC."""
SHORT_ROUNDED = 25
COUNT_WITHIN = 0.2

TENS_S = 100.0
"""1: "few tens of seconds" are less than this, "hundreds of seconds" at least."""
FIG_1_S = 300.0
"""1: IFRC takes more than this in a room of four nodes."""

EQUAL = 0.05
"""Goodputs within a twentieth count as equal: measured rates never are, and some hundred packets of a source
have this much chance in them."""
NEAR_BOUND = 0.8
"""How near the max-min bound is near. The paper sets no figure; it says that its rates are those of the
receiver-capacity model. A fifth leaves room for a capacity table that is right to a tenth, and for the rate
that a queue's length takes off as external interference (Eq. 10)."""

QUIET_S = (100.0, 250.0)
DISTURBED_S = {17.8: (250.0, 400.0), 890.0: (550.0, 700.0), 1780.0: (750.0, 900.0)}
"""8.6: rates of the interferer in kB/s and when it sends; compared with the time before."""
INTERFERED_NODE = 1
INTERFERER_DBM = 15.0
"""8.6: "much higher than the power at which the 802.15.4 radios" send. 802.11 stations commonly send this."""
INTERFERER_BYTES = 890
HARDLY_LESS = 0.8
"""8.6: 17.8 kB/s "hardly affects the achievable rate": at least this share is left."""
SHUT_DOWN = 0.05
"""8.6: at 1780 kB/s the network is "completely shut down": no more than this share is left."""


def ratio_of_rounded(counts: tuple[int, int], rounded: int) -> tuple[float, float]:
    """The least and the greatest ratio of two counts that were rounded to these, by `rounded` at most."""
    high, low = counts
    return (high - rounded) / (low + rounded), (high + rounded) / (low - rounded)
