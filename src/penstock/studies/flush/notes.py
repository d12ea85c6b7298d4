"""By claim: what was tried and what would explain it where it does not come out."""

from collections.abc import Mapping

_WORK = (
    "Of the 8.4 ms that a node takes for a packet 2.65 are its own work, in which the air is free. Rule 1 "
    "waits for the whole of them, node after node; a fixed interval need not. "
)
_LINE = (
    "Over one hop Flush sends every 8.7 ms, as fast as the link takes packets, and the base station's "
    "line, which takes 10 ms for each, loses an eighth of them; 4.2 reports such losses as well. "
)

NOTES: Mapping[str, str] = {
    "flush.tracks": (
        _LINE
        + "Without that line it is at 1.15 of the best. Over two and three hops the source waits for all "
        "nodes, which hear each other. "
        + _WORK
        + "If nodes need no time of their own (readings), Flush is ahead over three hops and within a "
        "tenth of the best elsewhere but over one. If backoffs go on when a frame comes in, the way "
        "carries half as much again as Flush allows itself. Leaving the next hop out of the "
        "interferers gains a tenth over three hops."
    ),
    "flush.overhead": (
        "The header's share is as stated; the rest follows packets/s (flush.tracks), where Flush is "
        "behind over one to three hops."
    ),
    "flush.transmissions": (
        _LINE + "They are sent again. Without that line all parts agree (readings); nowhere is a queue full."
    ),
    "flush.transfer-phase": (
        "Order and sizes are as stated but for ASAP, which loses more here: a source that sends whenever "
        "it can keeps its neighbours from sending, since each frame that they hear begins their backoff "
        "anew. If backoffs go on, as many packets arrive as in the paper or more (readings)."
    ),
    "flush.time-breakdown": (
        "The order of phases is as stated. What takes the other 31 % of the time over one hop in the "
        "paper it does not say; here it is the repair of what the base station's line lost."
    ),
    "flush.steady": (
        "No queue grows here. Each node sends at intervals no shorter than those of the node ahead of it, "
        "and is fed at intervals no shorter than its own, so its packets leave as they come; not even a "
        "link that turns bad makes it five (Fig. 18). What filled the paper's queues in steady state it "
        "does not say, and under no reading do they fill. Flush's rates are steadier than Flush-e2e's, by "
        "less than the paper's drawing shows; most so if the next hop never counts as an interferer: "
        "intervals are shorter then, and queues hold two."
    ),
    "flush.forced-loss": "At 30 ms the node's queue overflows if its link has little time to spare "
    "(readings).",
    "flush.route-change": (
        "The queue holds one or two packets all the time, so an increase is hard to tell. The new way is "
        "one hop longer, and its rate that of its own bottleneck."
    ),
    "flush.long-path": (
        "One hop is faster here: 95 % of the time over it is the transfer phase, in the paper 69 % (4.2), "
        "by delays that it does not explain. With that share over one hop 48 would have 0.29 of it. "
        "Losses before repair are smaller: the drawn line's links deliver 99 % and never change, where an "
        "open field's do. From 15 hops on 40 ms is the best interval, and Flush keeps 41 to 48: within 4 "
        "% in packets, of which the line's most crowded place decides, and another 8 % in bytes are its "
        "header. Over three hops it is as on the floor (flush.tracks)."
    ),
    "flush.one-hop-80": (
        "Nearly three times as fast. A packet takes 10.7 ms here. In the paper it takes 30, of which air "
        "and bus are 7 and the base station's line at 115.2 kbit/s 8. What took the rest, flash memory "
        "for instance, is not told and not modelled; the base station's line takes 10 ms for a packet of "
        "any length."
    ),
}
