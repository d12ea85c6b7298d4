"""What was chosen where the paper is silent, and why."""

from penstock.studies.section import Loaded, Section, Table

CHOICES: tuple[tuple[str, str, str], ...] = (
    (
        "Where the nodes are",
        "Generated floors of 20 and 40 rooms, one channel draw kept for all runs; sinks 12 and 29",
        "Positions are not published. Links of 30 to 75 % on average and the depth of the drawn trees were "
        "aimed at; no claim was looked at (docs/design.md). So Γ, rates and counts are not the paper's.",
    ),
    (
        "What a seed is",
        "Another run on the same floor: noise, backoffs and phases differ, gains do not",
        "The paper ran on one testbed whose links were stable for months (6). How often is not told.",
    ),
    (
        "Power",
        "Level 10 (-11.25 dBm) for sections 1 and 8, levels 5 (-20 dBm) and 10 for section 7",
        "8 does not tell its level. With level 10, α = 0.1 is within the paper's own bounds of all four "
        "topologies, as it is with level 5.",
    ),
    (
        "The tree",
        "That of least ETX over the links' true rates, the same in all runs",
        "Figs. 6 and 7 show one tree each, on which both protocols ran (8.3); Eq. 1 and Lemma 1 are about a "
        "given tree; least ETX is what CTP looks for. CTP itself, kept and moving, is among the readings.",
    ),
    (
        "Queues",
        "64 packets, first in first out, own packets unlimited within",
        "3: all flows are treated alike. IFRC's threshold of 20 needs room above it; 64 is its program's.",
    ),
    (
        "Capacities",
        "106 to 195 packets/s by the number of senders in range: what this radio, MAC and frame length "
        "saturate at (`penstock saturation --mac tinyos_cc2420 --frame 64`)",
        "4.3 has the table measured on the MAC that it is for. The paper's own receivers had 90, which is "
        "among the readings.",
    ),
    (
        "A receiver's processor",
        "Reading a frame over the bus, no more",
        "10 ms a frame (Flush) makes the model collapse as no network was seen to (docs/design.md). It was "
        "the first choice, and results with it had been seen; it is among the readings.",
    ),
    (
        "β",
        "0.5 in all averages",
        "Not told.",
    ),
    (
        "Frames",
        "14 bytes of payload; with the library's headers, CTP's and 16 or 26 bytes of fields 50 to 64 bytes",
        "The paper has about 40. The saturation room has frames of 40.",
    ),
    (
        "Flows that come and go",
        "As the text tells of Figs. 13 and 14; others join in three groups, short flows come in waves",
        "The bars themselves are in drawings.",
    ),
    (
        "Variance of the rate",
        "Of each source over the second half of a run, mean over the sources",
        "Not told. The beginning differs between α by itself: slow rates rise longer.",
    ),
    (
        "Converged",
        "Within a third of the mean of the last third of the run, and from then on for 90 % of the time",
        "Not told. A third is what a rate swings that is halved and grows linearly. Never counts as the "
        "run's length.",
    ),
    (
        "Lengths",
        "900 s, 2600 and 3600 s; 600 s in section 7 (quick: 300 s)",
        "8.4, 8.5; section 7 does not tell.",
    ),
)


def _choices(tables: Loaded) -> Table:
    del tables
    return Table(("question", "here", "why"), CHOICES)


CHOICE_SECTIONS: tuple[Section, ...] = (
    Section(
        "choices",
        "What was chosen where the paper is silent",
        "None was made for the sake of a claim; what was changed after results had been seen says so.",
        _choices,
    ),
)
