"""The `[radio]` and `[mac]` sections: one model per kind, so that a key of another kind is an error.

What a kind does not let a scenario choose is a class variable under the same name, so that every kind can be
asked for the same things.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from penstock.model import Section

SHORTEST_CHECK_INTERVAL_S = 0.01
"""B-MAC's range is 10 to 1600 ms (thesis 2.3.3)."""

Lock = Literal["preamble", "first", "recapture"]
FrameBytes = Annotated[int, Field(ge=26, le=119)]
"""MHR to FCS. A beacon that tells of one link has 24 bytes, and 2 of check sequence; a packet of the library
has at most 100 bytes of payload."""
Processing = Annotated[float, Field(ge=0, le=1)]


class Cc1000Radio(Section):
    """The Mica2's transceiver. Thesis 2.3.4 sends at -10 dBm.

    `lock`: which frame a receiver stays with when a stronger one comes. "preamble": the stronger one takes
    over until the sync word has passed (TinyOS 1.1's receive states). "first": the first preamble is kept, as
    by a receiver that adjusts itself to it. "recapture": the stronger one takes over at any time, also within
    the frame (Whitehouse et al. 2005 do so on the CC1000). `noise_reading_sd_db` is the spread of one energy
    reading of the bare noise (TOSSIM's Mica2 parameters).
    """

    kind: Literal["cc1000"] = "cc1000"
    tx_power_dbm: Annotated[float, Field(ge=-50, le=30)] = -10.0
    lock: Lock = "preamble"
    noise_reading_sd_db: Annotated[float, Field(ge=0.1, le=20)] = 4.0

    channel: ClassVar[dict[str, float]] = {}
    """Defaults of [channel] that are not its own."""

    bit_rate: ClassVar[float] = 19_200.0
    """bit/s: 38.4 kbaud with Manchester coding (thesis 2.3.1)."""


class Cc2420Radio(Section):
    """The transceiver of Telos, Tmote Sky and MicaZ: IEEE 802.15.4 at 2.4 GHz, 250 kbit/s.

    `tx_power_dbm` is within the data sheet's range (SWRS041, table 9). Its sensitivity, -95 dBm for 1 % of
    lost 20-byte frames, is that of this radio's error curve with `channel.noise_floor_dbm = -95.5`. `lock` is
    as for the CC1000.
    """

    kind: Literal["cc2420"] = "cc2420"
    tx_power_dbm: Annotated[float, Field(ge=-25, le=0)] = 0.0
    lock: Lock = "preamble"

    channel: ClassVar[dict[str, float]] = {
        "path_loss_1m_db": 40.2,
        "noise_floor_dbm": -95.5,
        "hardware_tx_var": 0.5,
        "hardware_noise_var": 0.5,
        "hardware_covariance": 0.0,
    }
    """At 2.4 GHz: free space at 1 m (IEEE 802.15.4-2006, annex E), the noise that makes the sensitivity, and
    output powers as alike as those of five IoT-LAB sites, where the RSSI of a link's two directions differs
    by 0.6 to 1.0 dB on average; the noise floor's variance is a guess (docs/design.md)."""
    noise_reading_sd_db: ClassVar[float] = 1.0
    """Not used: these MACs judge the channel by averaged power."""
    bit_rate: ClassVar[float] = 250_000.0


class Bmac(Section):
    """B-MAC on the Mica2 (thesis 2.3.3): sizes in bytes, back-off windows in byte times.

    `noise_floor`: which energy readings teach a node its noise floor. "clear": those of a clear channel
    (2.3.3: of the channel "when it is idle"). "radio_idle": all that are taken while the radio idles (TinyOS
    1.1). "fixed": none, the node knows the noise. `cca_samples` readings without an outlier make the channel
    busy.

    `check_interval_s`: low-power listening (2.3.3). Radios sleep and look at the channel this often, and
    every preamble is longer by as much. 0: always on, as in the thesis's runs. A check finds the channel
    quiet when a reading is less than `check_margin_db` above the noise floor (TinyOS 2). `sink_always_on`:
    the sink's radio never sleeps, since it usually hangs on the mains.
    """

    kind: Literal["bmac"] = "bmac"
    preamble_bytes: Annotated[int, Field(ge=1, le=10_000)] = 18
    sync_bytes: Annotated[int, Field(ge=1, le=16)] = 2
    initial_backoff_bytes: Annotated[int, Field(ge=1, le=10_000)] = 32
    congestion_backoff_bytes: Annotated[int, Field(ge=1, le=10_000)] = 16
    max_frame_bytes: FrameBytes = 36
    noise_floor: Literal["clear", "radio_idle", "fixed"] = "clear"
    cca_samples: Annotated[int, Field(ge=1, le=100)] = 5
    check_interval_s: Annotated[float, Field(ge=0, le=1.6)] = 0.0
    check_margin_db: Annotated[float, Field(ge=0, le=40)] = 10.0
    sink_always_on: bool = True

    radio: ClassVar[str] = "cc1000"
    title: ClassVar[str] = "B-MAC"
    processing_s: ClassVar[float] = 0.0
    receive_processing_s: ClassVar[float] = 0.0
    overhear_processing_s: ClassVar[float | None] = None
    reads_ahead: ClassVar[bool] = True
    defers: ClassVar[bool] = False

    @field_validator("check_interval_s")
    @classmethod
    def _checks_are_apart(cls, interval: float) -> float:
        if 0 < interval < SHORTEST_CHECK_INTERVAL_S:
            raise ValueError(f"{interval!r} should be 0 (always on) or 0.01 to 1.6 s")
        return interval


class Cc2420Mac(Section):
    """What the MACs of the CC2420 share: 4 bytes of preamble, then start-of-frame delimiter and length; a
    channel that is busy above -77 dBm; no low-power listening.

    `max_frame_bytes` is the frame from its header to its check sequence; unset, a strategy whose fields do
    not fit has longer ones (penstock.frames). `processing_s`: what the node's
    processor needs for each frame that it sends, beside what the MAC says about loading it into the chip.
    """

    max_frame_bytes: FrameBytes = 40
    processing_s: Processing = 0.0

    radio: ClassVar[str] = "cc2420"
    preamble_bytes: ClassVar[int] = 4
    sync_bytes: ClassVar[int] = 2
    initial_backoff_bytes: ClassVar[int] = 1
    congestion_backoff_bytes: ClassVar[int] = 1
    noise_floor: ClassVar[str] = "fixed"
    cca_samples: ClassVar[int] = 1
    check_interval_s: ClassVar[float] = 0.0
    check_margin_db: ClassVar[float] = 0.0
    sink_always_on: ClassVar[bool] = True


class TinyosCc2420(Cc2420Mac):
    """TinyOS 2.0.2 on the CC2420, with acknowledgements from software (sim/csma_rules.cpp has the numbers).

    It looks at the channel until that is clear, and never gives up. What is known of the processor's time is
    in it: a frame goes into the chip, and header and acknowledgement out of it, over a bus of half a Mbit/s.

    `receive_processing_s`: what a processor needs for each frame that it receives, beside reading it, before
    it can hand up the next. Flush (SenSys 2007, section 4.2) found that its sink loses packets that come in
    intervals below 10 ms; why 0 is the default all the same: docs/design.md. Frames that the processor cannot
    read yet wait in the chip's buffer of 128 bytes and are acknowledged late. `overhear_processing_s` is the
    same for frames that are for others; unset, it is no different, since nodes listen to everybody and TinyOS
    then hands all frames up. `reads_ahead`: the next frame is read and acknowledged as soon as this one has
    been handed up, as TinyOS's driver does; false: when all work for this one is done.
    """

    kind: Literal["tinyos_cc2420"] = "tinyos_cc2420"
    receive_processing_s: Processing = 0.0
    overhear_processing_s: Processing | None = None
    reads_ahead: bool = True

    defers: ClassVar[bool] = False
    title: ClassVar[str] = "TinyOS 2 CSMA"


class Tinyos1Cc2420(Cc2420Mac):
    """TinyOS 1.x on the MicaZ, with the acknowledgements from software that IFRC's authors added and Flush
    uses (section 3.5; sim/csma_rules.cpp has the numbers and where they are from).

    It looks at the channel until that is clear, and never gives up. In a packet of 29 bytes of payload, a
    frame of 40, it takes 5.4 ms on average and 8.0 ms at most over one clear hop. `defers`: a frame that
    comes in during a backoff begins it anew, as after a busy channel and with the wait for an acknowledgement
    on top, as that program does; false: backoffs go on.
    """

    kind: Literal["tinyos1_cc2420"] = "tinyos1_cc2420"
    defers: bool = True

    receive_processing_s: ClassVar[float] = 0.0
    overhear_processing_s: ClassVar[float | None] = None
    reads_ahead: ClassVar[bool] = True
    title: ClassVar[str] = "TinyOS 1 CSMA"


class Ieee802154(Cc2420Mac):
    """Unslotted CSMA-CA of IEEE 802.15.4 with its default constants and the chip's acknowledgements, as
    Contiki-NG, Zephyr and RIOT use it. After five looks at a busy channel the frame goes back to the node,
    which offers it again; that is no link attempt."""

    kind: Literal["ieee802154"] = "ieee802154"

    receive_processing_s: ClassVar[float] = 0.0
    overhear_processing_s: ClassVar[float | None] = None
    reads_ahead: ClassVar[bool] = True
    defers: ClassVar[bool] = False
    title: ClassVar[str] = "802.15.4 CSMA-CA"


RADIOS: dict[str, type[Cc1000Radio] | type[Cc2420Radio]] = {"cc1000": Cc1000Radio, "cc2420": Cc2420Radio}
RadioSection = Annotated[Cc1000Radio | Cc2420Radio, Field(discriminator="kind")]
MacSection = Annotated[Bmac | TinyosCc2420 | Tinyos1Cc2420 | Ieee802154, Field(discriminator="kind")]
