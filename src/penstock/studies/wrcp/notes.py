"""By claim: what was tried and what would explain it where it does not come out.

Each note is about the full run; a quick one may miss a claim for want of seeds alone. The tables that they
name stand beside the claims.
"""

from collections.abc import Mapping

_PRINTED = (
    "With the paper's own capacities, 46, 74, 86 and 90 packets/s "
    '(table "The claims under other readings"), '
)

NOTES: Mapping[str, str] = {
    "wrcp.saturation": (
        "The shape comes out, the height does not: with frames of 40 bytes TinyOS 2's backoff, bus and "
        "acknowledgement let 240 a second arrive, and a lone sender 120. The paper's 90 was measured on "
        "motes that have more to do with a frame than the model knows. 10 ms of work for each frame "
        "received (Flush, 4.2) caps the frames at 100, but then acknowledgements come too late and hardly "
        "any of them is new: 10 packets a second with four senders, which is not Fig. 4 either. Beyond "
        "eight senders collisions cost 5 to 11 %."
    ),
    "wrcp.stability": (
        "The variance rises where the bound says, on all four topologies, but by two to six times and not "
        "by a jump, and intervals are wide. Two things soften it. The bound counts data frames and "
        "acknowledgements, while a node reckons with its data frames alone (Eq. 8), so the loop's own "
        "gain is lower; and a receiver whose frames collide hears less of its neighbours than they send "
        "(Eq. 9), which the analysis leaves out. On an ideal channel the library oscillates just above "
        "2/Γ and is still just below (lib/tests/test_wrcp_rate.c). Γ counted is up to half above that of "
        "the links: collisions of hidden terminals, which the links' own rates do not know."
    ),
    "wrcp.convergence": (
        "Comes out. In one room IFRC does not settle within the run: without a slow receiver its rates "
        "reach 70 packets/s, where additive increase (ε r²) outruns its queue's average, and its last "
        "threshold sends everybody back to r_init (Fig. 1 here)."
    ),
    "wrcp.static-goodput": (
        "On the 20-node floor 17 of 19 sources have more, up to nine times, and two have less: they send "
        "through node 13, whose frames are lost to hidden terminals at the sink. Capacities measured in "
        "one room promise 195 packets/s; with hidden terminals the sink takes 130. WRCP learns of what is "
        "missing from queues (Eq. 10), and a queue of 64 packets can only say 64 packets/s. "
        + _PRINTED
        + "every source has at least IFRC's goodput on both floors: all four parts agree. The printed table "
        "leaves room that a full one does not."
    ),
    "wrcp.static-delay": (
        "The same queue: at the two or three nodes that lose most to hidden terminals it is full, and all "
        "who send through them wait. "
        + _PRINTED
        + "delays are a quarter of IFRC's on both floors, and lower at every source: all four parts agree."
    ),
    "wrcp.maxmin": (
        "The bound supposes that a receiver takes what one room saturates at; with hidden terminals it "
        "does not. "
        + _PRINTED
        + "three of the four parts agree, and the least source of the 20-node floor has 0.70 of its bound."
    ),
    "wrcp.dynamic-20": (
        "Direction and reason come out, numbers do not: this floor's capacity for a flow that is nearly "
        "alone is several times the paper's, for both protocols, and WRCP takes more of it. Delays are "
        "the full queue's of the static case. "
        + _PRINTED
        + "it is 2.1 times IFRC's with a third of its delay."
    ),
    "wrcp.dynamic-40": (
        "As with 20 nodes; one of the two long flows goes through a node that hidden terminals hold back, "
        "and runs differ much. " + _PRINTED + "the two have as much as under IFRC."
    ),
    "wrcp.short-20": (
        "IFRC's number comes out, 73 against 50: in 200 s slow start gets no further, wherever it runs. "
        "WRCP's is what the floor carries, 3500 against 450. One source, 10, has less than under IFRC: it "
        "sends through node 13; that and the delays have the reason given at static-goodput."
    ),
    "wrcp.short-40": (
        "As with 20 nodes: 80 against 50 under IFRC, 2500 against 500 under WRCP. All sources have "
        "lexicographically more."
    ),
    "wrcp.interference-rates": (
        "15 of the 19 sources fall to between nothing and 37 % at 1780 kB/s under WRCP; the other four are "
        "out of the interferer's reach and take what these leave (node 15 twice what it had), so the sum "
        "keeps two thirds. The paper tells neither power nor distances: on a floor that the interferer "
        "covers, or beside the sink, the network would stop. The rates that nodes are allowed rise for "
        "want of neighbours that send. IFRC is still in slow start at 17.8 kB/s, so its rates before and "
        "then cannot be compared."
    ),
    "wrcp.interference-fair": ("Goodput comes out; delays do not, for the reason given at static-delay."),
}
