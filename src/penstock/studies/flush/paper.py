"""Numbers that the paper prints, and how its words are taken.

Most of the paper's results are drawings without numbers; its text has words for them, and those are what is
judged. "Closely tracks" is within a twentieth or above; "close to" in counts is within a tenth. A number of
the paper's own measurements that depends on a place which is not published (a loss rate, a throughput, a
share of time) is taken to within a fifth."""

import math

INFINITE = math.inf

PIPELINE_NODES = range(1, 9)
PIPELINE_REACH = (1, 2, 3)

DEPTHS = (1, 2, 3, 4, 5, 6)
"""4.2. Its 0th hop, the base station asking itself, is left out: nothing is sent."""
INTERVALS_S = (0.010, 0.020, 0.040)
"""Fig. 7."""
FAST_S, USUAL_S, SLOW_S = INTERVALS_S
USUAL_FROM = 3
"""4.2: 20 ms is best over 3, 4, 5 and 6 hops."""
OBJECT_BYTES = 17_000
PAYLOAD_BYTES = 17
FIELDS_BYTES = 3
"""3.6: of rate control, which fixed intervals do without."""
HEADER_SHARE = FIELDS_BYTES / (PAYLOAD_BYTES + FIELDS_BYTES)
"""4.2: "a 15 % protocol overhead penalty"."""
TRACKS = 0.95
"""Within a few percent, or above."""
CLOSE = 1.1
"""Fig. 9: close to the best fixed rate in transmissions; fewer are as good."""

FLUSH_ARRIVED, FAST_ARRIVED, ASAP_ARRIVED = 0.995, 0.627, 0.565
"""4.3: share of the packets that arrive in the transfer phase, from the 6th hop."""
ARRIVED_WITHIN = 0.2
FLUSH_AT_LEAST = 0.985
"""Of 99.5 % Flush may lose three times as much, not more: packets are lost in pairs and threes."""
ONE_HOP_TRANSFER_SHARE = 0.689
"""4.2: of the time, for one hop; 17,000 bytes."""
SHARE_WITHIN = 0.2
ASAP_LOSS_REDUCED = 0.65
"""Caption of Fig. 12: Flush has "a 65 % lower loss rate" than ASAP."""

STEADY_HOPS, STEADY_PACKETS, STEADY_PAYLOAD = 7, 900, 14
STEADY_S = 0.030
"""4.4: the best fixed interval at 7 hops, and at the 6 hops of 4.5."""
THRESHOLD = 5
NEAR_THRESHOLD = (4.0, 6.0)
"""4.4: Flush's longest queue is "always close to 5"."""
SIMILAR = 0.1
"""4.4: Flush and Flush-e2e have "very similar" throughput: within a tenth."""
WINDOW = 16
"""4.4: rates are over the last 16 packets."""

LOSSY_HOPS, LOSSY_AT = 6, 3
"""4.5: the link from the node 3 hops from the sink to the one 2 hops from it."""
LOSSY_S = (7.0, 17.0)
LOSS = 0.5
QUEUE = 16
ADAPTED = 0.5
"""4.5: "a slight decrease in the sending rate" while the lossy link takes twice the transmissions: no less
than half is left."""

REROUTED_HOPS, REROUTED_AT, REROUTED_S = 5, 4, 21.0
UNDISTURBED = (0.85, 1.15)
"""4.5: the route change had "a negligible effect": the rate after it over that before."""
NONE_LOST = 0.001
"""4.5: "there was no packet loss": none of a thousand."""
QUICKLY_S = 5.0
"""4.5: "quickly". Fig. 19 has a time axis of tens of seconds."""

LINE_DEPTHS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 48)
LINE_INTERVALS_S = (0.020, 0.040, 0.060)
LINE_BYTES, LINE_PAYLOAD = 26_600, 35
LINE_THIRD = 1 / 3
THIRD_WITHIN = 0.2
LINE_LOSS = 0.039
"""2.2: end to end, before repair, over 48 hops."""
LINE_LOSS_WITHIN = 0.5
"""A single run's count of lost packets, some thirty of 760."""
LINE_TRACKS = TRACKS * LINE_PAYLOAD / (LINE_PAYLOAD + FIELDS_BYTES)
"""Fig. 21 is in bytes, and a fixed rate has three more in every packet (4.6: "about 8 %")."""

LARGE_BYTES, LARGE_PAYLOAD = 51_680, 68
LARGE_BPS, WISDEN_BPS = 2226.0, 782.0
"""6: over one hop, with packets of 80 bytes."""
LARGE_WITHIN = 0.1
"""The hardware's own pace over one hop, of which nothing depends on a place."""

IMAGE_BYTES, IMAGE_HOPS = 386_000, 4
IMAGE_COMPLAINT_S = 23 * 60.0
"""386 kB in 23 minutes by block-wise transfer: what a user of today's stacks published."""
IMAGE_SHARE = 0.5

TABLE_1 = (
    ("queue", 265 - 230, 1320 - 380),
    ("routing", 938 - 754, 2022 - 76),
    ("protocol engine", 301, 2056),
    ("delay estimator", 109, 1116),
)
"""RAM and code in bytes that Flush adds on the MicaZ. The queue's sixteen packets are TinyOS's own."""
TABLE_1_TOTAL = (629, 6058)
