"""Other readings of what the paper leaves open, each run beside the study's own: what would they change?"""

from dataclasses import dataclass, field
from typing import Any

from penstock.studies.wrcp.paper import WRCP
from penstock.studies.wrcp.world import FRAME_BYTES, MOVING, SETTLED

Sections = dict[str, Any]


def _nothing() -> Sections:
    return {}


@dataclass(frozen=True)
class Reading:
    """text: the reading in a few words. basis: who says so. sections: what of the scenario it changes.
    dynamic: it is tried on flows that come and go as well."""

    key: str
    text: str
    basis: str
    sections: Sections = field(default_factory=_nothing)
    dynamic: bool = False


def capacity(pps: float) -> Sections:
    """The same capacity whatever the senders."""
    return {"congestion": {"control": WRCP, "wrcp_capacity_pps": [pps]}}


READINGS: tuple[Reading, ...] = (
    Reading(
        "capacity-60",
        "WRCP takes a receiver for 60 packets/s",
        "two thirds of the paper's: below what makes this receiver collapse",
        capacity(60.0),
        dynamic=True,
    ),
    Reading("capacity-45", "45 packets/s", "half of the paper's", capacity(45.0)),
    Reading("capacity-100", "100 packets/s", "the frames that this receiver takes", capacity(100.0)),
    Reading(
        "no-work",
        "Received frames cost a processor nothing",
        "the MAC alone, as before Flush's 10 ms",
        {"mac": {"receive_processing_s": 0.0}},
        dynamic=True,
    ),
    Reading(
        "no-work-230",
        "The same, and WRCP takes a receiver for 230 packets/s",
        "what such a receiver saturates at",
        {"mac": {"receive_processing_s": 0.0}, "congestion": {"wrcp_capacity_pps": [230.0]}},
    ),
    Reading(
        "overheard",
        "Overheard frames cost only their reading",
        "if TinyOS filtered addresses first",
        {"mac": {"overhear_processing_s": 0.0}},
    ),
    Reading(
        "csma",
        "802.15.4 CSMA-CA, acknowledged by hardware, 230 packets/s",
        "today's stacks; its own saturation",
        {
            "mac": {"kind": "ieee802154", "max_frame_bytes": FRAME_BYTES},
            "congestion": {"wrcp_capacity_pps": [230.0]},
        },
    ),
    Reading(
        "settled", "CTP's tree, kept when flows begin", "what CTP knows without data", {"routing": SETTLED}
    ),
    Reading("moving", "CTP's routes, which move", "TEP 123", {"routing": MOVING}),
)
REDUCED = ("capacity-60", "moving")
