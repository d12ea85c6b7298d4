"""What the paper states of rates and queues, at rest and when a link or a route changes (4.4, 4.5)."""

from penstock.studies.claim import Check, Claim, less, more
from penstock.studies.flush.paper import (
    ADAPTED,
    INFINITE,
    NEAR_THRESHOLD,
    NONE_LOST,
    QUEUE,
    SIMILAR,
    UNDISTURBED,
)
from penstock.studies.flush.samples import NAMES, of_way

STEADY, LOSSY, REROUTED = "steady", "forced-loss", "route-change"
AFTER_BEFORE = "packets/s of the node after the change over before"

ADAPTING: tuple[Claim, ...] = (
    Claim(
        "flush.steady",
        "Keeping D at every node makes rates steadier than keeping it at the source alone, and keeps the "
        "longest queue close to 5; throughput is the same",
        "4.4, Fig. 14, Fig. 15, Fig. 16",
        "steadier; about 5",
        (
            less(
                of_way("flush", "rate_cv", STEADY),
                of_way("flush_e2e", "rate_cv", STEADY),
                "deviation over mean of a node's rate, Flush less Flush-e2e",
                "4.4, Fig. 14",
            ),
            less(
                of_way("fixed", "rate_cv", STEADY),
                of_way("flush", "rate_cv", STEADY),
                "deviation over mean of a node's rate, fixed 30 ms less Flush",
                "4.4, Fig. 14",
            ),
            Check(
                of_way("flush", "queue_mean", STEADY),
                "longest queue on the way, Flush, mean over packets",
                "4.4, Fig. 15",
                "close to 5",
                *NEAR_THRESHOLD,
            ),
            less(
                of_way("flush", "queue_sd", STEADY),
                of_way("flush_e2e", "queue_sd", STEADY),
                "deviation of the longest queue, Flush less Flush-e2e",
                "4.4, Fig. 15",
            ),
            Check(
                of_way("flush_e2e", "overall_pps", STEADY),
                "packets/s, Flush-e2e over Flush",
                "4.4",
                "very similar",
                *(1 - SIMILAR, 1 + SIMILAR, "ratio"),
                versus=of_way("flush", "overall_pps", STEADY),
            ),
        ),
    ),
    Claim(
        "flush.forced-loss",
        "When a link loses half of its packets for ten seconds, Flush and Flush-e2e slow down and lose "
        "nothing; at a fixed 30 ms the node's queue overflows",
        "4.5, Fig. 17, Fig. 18",
        "adapt; overflows",
        (
            Check(
                of_way("fixed", "queue_drops", LOSSY),
                "packets lost to full queues, fixed 30 ms",
                "Fig. 18",
                "some",
                *(1.0, INFINITE),
                direction="above",
                pivot=0.0,
            ),
            *(
                Check(
                    of_way(mode, "queue_drops", LOSSY), f"the same, {NAMES[mode]}", "Fig. 18", "0", 0.0, 0.0
                )
                for mode in ("flush", "flush_e2e")
            ),
            *(
                Check(
                    of_way(mode, "peak_queue", LOSSY),
                    f"longest queue of the node, {NAMES[mode]}",
                    "Fig. 18",
                    f"< {QUEUE}",
                    *(0.0, QUEUE - 1.0),
                    direction="below",
                    pivot=float(QUEUE),
                )
                for mode in ("flush", "flush_e2e")
            ),
            Check(
                of_way("flush", "rate_during", LOSSY),
                "packets/s of the node during the losses over before, Flush",
                "4.5, Fig. 17",
                "slightly less",
                *(ADAPTED, 1.0),
                direction="below",
                pivot=1.0,
            ),
        ),
    ),
    Claim(
        "flush.route-change",
        "When a node's next hop changes in the middle of a transfer, no packet is lost, and the rate is soon "
        "what it was",
        "4.5, Fig. 19 rates, Fig. 19 queue",
        "none; quickly",
        (
            Check(
                of_way("flush", "rate_after", REROUTED),
                AFTER_BEFORE,
                "4.5, Fig. 19",
                "1 ± 0.15",
                *UNDISTURBED,
            ),
            Check(
                of_way("flush", "transfer_loss_rate", REROUTED),
                "share of the packets that are lost in the transfer phase",
                "4.5",
                "0",
                *(0.0, NONE_LOST),
            ),
            Check(
                of_way("flush", "queue_drops", REROUTED), "packets lost to full queues", "4.5", "0", 0.0, 0.0
            ),
            more(
                of_way("flush", "queue_after", REROUTED),
                of_way("flush", "queue_before", REROUTED),
                "longest queue of the node in the 5 s after the change, less in those before",
                "4.5, Fig. 19",
            ),
        ),
    ),
)
"""In the paper's order."""
