"""The keys of `[[interference]]`: 802.11 stations beside the network, and how long their packets are on air.

An 802.11 station does not hear the network: of what is not 802.11, its clear-channel assessment sees energy
above -62 dBm (IEEE 802.11-2007, 17.3.10.5). A mote at 0 dBm brings that about within some 5 m; this is left
out, so a station never defers to motes.
"""

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from penstock.model import NodeName, NotNegative, Positive, Section

BitRate = Literal[6, 9, 12, 18, 24, 36, 48, 54]

# IEEE 802.11-2007, OFDM PHY (17.3) and its use at 2.4 GHz (clause 19, short slots), in seconds.
PREAMBLE_S = 16e-6
SIGNAL_S = 4e-6
SYMBOL_S = 4e-6
SERVICE_AND_TAIL_BITS = 16 + 6
SIFS_S = 10e-6
EXTENSION_S = 6e-6
SLOT_S = 9e-6
DIFS_S = SIFS_S + 2 * SLOT_S
LEAST_WINDOW = 15
ACK_BYTES = 14
ACK_RATES = (24, 12, 6)
"""Mandatory rates; an acknowledgement takes the highest that is no more than the packet's."""
HEADERS_BYTES = 24 + 8 + 20 + 8 + 4
"""MAC header, LLC and SNAP, IP, UDP, and the frame check sequence."""
JITTER_S = LEAST_WINDOW * SLOT_S
"""The longest backoff before a packet."""

RADIO_BANDWIDTH_MHZ = 2.0
"""Of the CC2420: two million chips a second."""


def frame_air_s(frame_bytes: int, bit_rate_mbps: int) -> float:
    """How long an 802.11g frame radiates, in seconds."""
    bits = SERVICE_AND_TAIL_BITS + 8 * frame_bytes
    return PREAMBLE_S + SIGNAL_S + math.ceil(bits / (bit_rate_mbps * 4)) * SYMBOL_S


class InterferenceInterval(Section):
    """One entry of a source's `schedule`: from `from_s` to `to_s` after the beginning of the measurement it
    sends `rate_kBps` kilobytes (1000 bytes) of payload a second with `power_dbm` over all its bandwidth."""

    from_s: NotNegative
    to_s: Positive
    rate_kBps: Annotated[float, Field(gt=0, le=10_000)]
    power_dbm: Annotated[float, Field(ge=-50, le=36)]

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> "InterferenceInterval":
        if self.to_s <= self.from_s:
            raise ValueError(f"to_s ({self.to_s:g}) must be after from_s ({self.from_s:g})")
        return self


class InterferenceSource(Section):
    """One entry of `[[interference]]`: an 802.11g station that sends UDP packets to another one beside it.

    It stands `distance_m` east of the node `near`, or at `position` = [x, y] in metres. Packets have
    `payload_bytes` (WRCP 8.6: 890) and go at `bit_rate_mbps`, each followed by its acknowledgement with the
    same power. By default that is 54, what rate adaptation finds for two stations side by side. 802.11g,
    since WRCP's 1780 kB/s are 14 Mbit/s of payload, and 802.11b carries 11 at most, overhead included.

    `packets_together`: how many packets the sending program hands over at once, after a correspondingly
    longer pause. WRCP does not say; 1 is even spacing. It matters: a frame of the CC2420 fits between packets
    or does not.

    Of its power the CC2420 receives the share of 2 MHz in `bandwidth_mhz`: of 22, 10.4 dB less (the signal's
    mask; OFDM fills 16.6, which would be 9.2).
    """

    near: NodeName | None = None
    distance_m: Annotated[float, Field(ge=0, le=1e6)] = 1.0
    position: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None
    payload_bytes: Annotated[int, Field(ge=1, le=1472)] = 890
    bit_rate_mbps: BitRate = 54
    packets_together: Annotated[int, Field(ge=1, le=1000)] = 1
    bandwidth_mhz: Annotated[float, Field(ge=RADIO_BANDWIDTH_MHZ, le=160)] = 22.0
    schedule: Annotated[list[InterferenceInterval], Field(min_length=1)]

    @model_validator(mode="after")
    def _stands_in_one_place(self) -> "InterferenceSource":
        if (self.near is None) == (self.position is None):
            raise ValueError("needs one of near (a node) and position ([x, y])")
        if self.position is not None and "distance_m" in self.model_fields_set:
            raise ValueError("distance_m belongs to near, not to position")
        return self

    @model_validator(mode="after")
    def _one_interval_after_the_other(self) -> "InterferenceSource":
        for at, (before, after) in enumerate(pairwise(self.schedule), start=1):
            if after.from_s < before.to_s:
                raise ValueError(
                    f"schedule.{at}.from_s ({after.from_s:g}) must not be before schedule.{at - 1}.to_s "
                    f"({before.to_s:g})"
                )
        return self

    @model_validator(mode="after")
    def _can_be_sent(self) -> "InterferenceSource":
        most = self.payload_bytes / 1000 / (self.air_s + DIFS_S + JITTER_S / 2)
        for at, interval in enumerate(self.schedule):
            if interval.rate_kBps > most:
                raise ValueError(
                    f"schedule.{at}.rate_kBps ({interval.rate_kBps:g}) is more than 802.11g carries at "
                    f"{self.bit_rate_mbps} Mbit/s in packets of {self.payload_bytes} bytes: {most:.0f} kB/s"
                )
        return self

    @property
    def air_s(self) -> float:
        """From a packet's first moment on air to the end of its acknowledgement, in seconds. The 16 us of
        silence between the two, one symbol of the CC2420, count as power."""
        ack_rate = next(rate for rate in ACK_RATES if rate <= self.bit_rate_mbps)
        frame = frame_air_s(self.payload_bytes + HEADERS_BYTES, self.bit_rate_mbps)
        return frame + EXTENSION_S + SIFS_S + frame_air_s(ACK_BYTES, ack_rate)

    @property
    def in_band_db(self) -> float:
        """What of its power the CC2420's bandwidth takes in, dB (negative)."""
        return 10 * math.log10(RADIO_BANDWIDTH_MHZ / self.bandwidth_mhz)
