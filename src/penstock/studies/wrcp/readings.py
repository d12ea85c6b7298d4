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


def capacity(*pps: float) -> Sections:
    """WRCP's table: with 1, 2, ... senders in range, the last one for more."""
    return {"congestion": {"control": WRCP, "wrcp_capacity_pps": list(pps)}}


PRINTED = capacity(46.0, 74.0, 86.0, 90.0)
WORK: Sections = {"mac": {"receive_processing_s": 0.010}}

READINGS: tuple[Reading, ...] = (
    Reading(
        "capacity-90",
        "WRCP takes a receiver for 90 packets/s, less with fewer than four senders",
        "Fig. 4 as it is printed; half of what the model's receiver saturates at",
        PRINTED,
        dynamic=True,
    ),
    Reading("capacity-45", "45 packets/s", "half of the paper's", capacity(45.0)),
    Reading(
        "capacity-230",
        "230 packets/s",
        "what the model saturates at with frames of 40 bytes",
        capacity(230.0),
    ),
    Reading(
        "work", "Every received frame costs a processor 10 ms; 90 packets/s", "Flush, 4.2", WORK | PRINTED
    ),
    Reading(
        "work-45", "The same; 45 packets/s", "below what makes that receiver collapse", WORK | capacity(45.0)
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
REDUCED = ("capacity-90", "moving")
