"""What was chosen where the paper is silent, and why."""

from penstock.studies.section import Loaded, Section, Table

CHOICES: tuple[tuple[str, str, str], ...] = (
    (
        "Where the nodes are",
        "A generated floor of 100 nodes, 7 hops deep, and a line of 79 with 48 hops; one draw of each for "
        "all runs",
        "Positions and link qualities are not published. Depth, power and number of nodes are (4.1, 4.6); no "
        "claim was looked at (docs/design.md). So rates and losses are not the paper's to the digit.",
    ),
    (
        "What a seed is",
        "Another run in the same place: noise, backoffs and the object's bytes differ, gains do not",
        "The paper repeats each transfer four times on the floor, twice on the line. Here twenty and ten "
        "times (quick: ten and five).",
    ),
    (
        "The ways",
        "The tree of least ETX over the unloaded links, the same in all runs; all sources of a place on its "
        "longest way",
        "4.2: one way of 6 hops, and its nodes in turn. MintRoute's tree is frozen in a transfer (5.2).",
    ),
    (
        "Hop 0",
        "Left out",
        "Figs. 7 to 13 have the base station ask itself; nothing is sent then.",
    ),
    (
        "Frames",
        "41 bytes on the floor with 17 of the object in a packet of Flush, 20 without rate control; 59 "
        "and 35, 38 on the line",
        "As the paper's, which have 40 and 58: this library's headers take one byte more than MintRoute's "
        "and Flush's.",
    ),
    (
        "4.4 and 4.5",
        "14 bytes of the object in a packet, one-byte fields: 38 bytes",
        "There the fields had two bytes each, which the paper found unneeded.",
    ),
    (
        "The fastest pace",
        "8 ms for a frame over one hop on average, by 2.65 ms of work in the node; a base "
        "station's line that takes 10 ms a packet",
        "4.2: 8 ms is the least interval that the hardware sustains, and below 10 ms a sink one hop away "
        "loses packets. Where they are lost is not told; a reading has no such line.",
    ),
    (
        "Whether backoffs begin anew",
        "When a frame comes in, as in TinyOS 1's program",
        "Decided by what 4.2 to 4.5 say of fixed intervals and of ASAP, on this floor (docs/design.md). "
        "The first choice was the other one, and Flush had been seen with it; it is among the readings.",
    ),
    (
        "ASAP",
        "Repaired after its transfer phase like the others; compared in that phase alone",
        "In the paper it ends there.",
    ),
    (
        "Fig. 19's transfer",
        "1800 packets; the new next hop is the good neighbour whose way shares the fewest nodes with the "
        "old one: all but the one next to the sink are new, and one more",
        "Its length is not told, and 900 packets would be over before or soon after 21 s.",
    ),
    (
        "Rates over time",
        "16 packets over the time that they took, at each packet that the next hop acknowledged",
        "4.4: averaged over 16 values.",
    ),
    (
        "The longest queue",
        "Of all nodes on the way but the source",
        "4.4 has all nodes. This library's source keeps two packets of its own in its queue, ready for "
        "their turn.",
    ),
    (
        "Block-wise transfer",
        "Blocks as long as the frame holds, 20, 38 and 98 bytes; requests go down node by node, along the "
        "way that the last block came",
        "RFC 7959 has blocks of 16, 32 and 64, and a flood for every request would be slower: the rival is "
        "given the better of both.",
    ),
    (
        "Reports beside a transfer",
        "99 nodes, 17 bytes each, Fusion with its own queue of 8 and 1 + 3 attempts",
        "Fusion's numbers; Flush's paper has no other traffic.",
    ),
)


def _choices(tables: Loaded) -> Table:
    del tables
    return Table(("question", "here", "why"), CHOICES)


CHOICE_SECTIONS: tuple[Section, ...] = (
    Section(
        "choices",
        "What was chosen where the paper is silent",
        "None was made for the claims' sake. Two were changed after first results had been seen, backoffs "
        "and the longest queue; the rest was fixed before.",
        _choices,
    ),
)
