"""Other readings of what the paper leaves open, each run beside the study's own: what would they change?"""

from dataclasses import dataclass, field
from typing import Any

Sections = dict[str, dict[str, Any]]


def _nothing() -> Sections:
    return {}


@dataclass(frozen=True)
class Reading:
    """text: the reading in a few words. basis: who says so. sections: what of the scenario it changes."""

    key: str
    text: str
    basis: str
    sections: Sections = field(default_factory=_nothing)


READINGS: tuple[Reading, ...] = (
    Reading(
        "no-line",
        "The base station passes packets on at once",
        "4.2 finds losses below 10 ms and does not say where; a serial line that takes 10 ms is one place",
        {"node": {"sink_service_s": 0.0}},
    ),
    Reading(
        "no-work",
        "A node needs no time of its own for a packet",
        "4.2: one hop sustains a packet in 8 ms. MAC, bus and air take 5.35 of these; whether the rest is "
        "within the delay that Flush measures is not told",
        {"mac": {"processing_s": 0.0}},
    ),
    Reading(
        "goes-on",
        "A frame that comes in during a backoff leaves it alone",
        "what a chain of six links at the edge of reception needs to carry the paper's fixed intervals "
        "(docs/design.md)",
        {"mac": {"defers": False}},
    ),
    Reading(
        "both",
        "Both: no time of its own, and backoffs go on",
        "as above",
        {"mac": {"processing_s": 0.0, "defers": False}},
    ),
    Reading(
        "behind",
        "The next hop never counts as an interferer, only nodes behind it",
        "3.3 to the letter, j > 1; Fig. 4 and 2.3.1 count it",
        {"bulk": {"nearest_interferer": 2}},
    ),
    Reading(
        "csma",
        "802.15.4 CSMA-CA, acknowledged by hardware",
        "today's stacks",
        {"mac": {"kind": "ieee802154"}},
    ),
)
REDUCED = (("no-line", "indoor"), ("no-line", "indoor-fixed"))
"""Readings and experiments that are run for tests."""
