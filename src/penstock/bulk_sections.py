"""The keys of bulk transfers: `[bulk]`, how nodes carry them, and `[[transfers]]`, which ones there are."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from penstock.model import NodeName, NotNegative, Section

MOST_BYTES = 65_535 * 107
"""So many packets of as many bytes as the longest frame has room for."""

ObjectBytes = Annotated[int, Field(ge=1, le=MOST_BYTES)]
Memory = Literal[1, 2, 4, 8, 16, 32, 64, 128]
"""A moving average's memory in packets: what is new counts one in so many."""
Small = Annotated[int, Field(ge=0, le=255)]
Byte = Annotated[int, Field(ge=1, le=255)]

MODES = Literal["flush", "flush_e2e", "fixed", "asap", "blockwise"]


class BulkSection(Section):
    """How nodes carry bulk transfers (Flush, SenSys 2007). Without `[[transfers]]` it has no effect: nodes
    then have no part for them.

    `mode`: "flush" (every node keeps the path's pace), "flush_e2e" (the source alone does), "fixed" (the
    source sends every `interval_s`), "asap" (as soon as the last packet is done; section 4.1), or
    "blockwise", as CoAP does it today: one packet at a time, each asked for (RFC 7959).

    `source` and `bytes` stand in for those of every entry of `[[transfers]]` that has none: they can be swept
    (axes "bulk.source", "bulk.bytes"), which a list of tables cannot.

    `payload_bytes`: of the object, in a packet; unset, what the longest frame leaves beside its headers
    (three bytes less where these carry delays). RFC 7959 knows blocks of 16, 32 and 64 bytes.

    The path (sections 2.3, 3.3 and 3.4): `queue` packets, `local_share` of them a node's own; up to
    `attempts` link attempts for a hop; above `congested_packets` in the queue the delay told is doubled; the
    averages of delay and RSSI; who interferes is less than `interferer_db` weaker than the predecessor, and
    at least `nearest_interferer` hops ahead (1: the next hop, Fig. 4; 2: section 3.3 to the letter), and
    forgotten after `interferer_timeout_packets` without a word (0: never); one byte counts in `delay_unit_s`,
    or, `delay_code = "companded"`, in 5 bits of mantissa and 3 of exponent; nothing is held longer than
    `longest_wait_s`; `flows` origins are told apart at a time. `priority` = "lower": bulk packets go only
    when no sensor packet can; "equal": they take turns.

    The ends (sections 2.1, 2.2 and 5.2): a NACK asks for `nack_packets` (0: what the frame holds); the sink
    asks `tries` times while nothing new comes, waiting `query_timeout_s` for the first answer and never
    longer than `timeout_max_s`, so a cut path is an error after `tries` times that; an object is fetched
    anew `restarts` times after its CRC was wrong; `freeze`: routes are frozen meanwhile; the source begins
    with a packet every `first_interval_s` (0: a packet time for each hop, at most 5); a node repeats a flood
    within `flood_jitter_s` (0: two packet times). `ack_timeout_s`, `ack_random_factor` and `max_retransmit`
    are those of RFC 7252, for "blockwise".

    The defaults are the library's (penstock_bulk_defaults), where each has its reason.
    """

    mode: MODES = "flush"
    interval_s: Annotated[float, Field(ge=1e-4, le=1000)] | None = None
    source: NodeName | None = None
    bytes: ObjectBytes | None = None
    payload_bytes: Annotated[int, Field(ge=1, le=103)] | None = None
    queue: Byte = 16
    local_share: Byte = 2
    flows: Byte = 4
    attempts: Byte = 5
    congested_packets: Small = 5
    delay_memory_packets: Memory = 8
    rssi_memory_packets: Memory = 8
    interferer_db: Small = 10
    nearest_interferer: Annotated[int, Field(ge=1, le=6)] = 1
    interferer_timeout_packets: Small = 0
    delay_unit_s: Annotated[float, Field(ge=8e-6, le=0.065)] = 0.001
    delay_code: Literal["linear", "companded"] = "linear"
    longest_wait_s: Annotated[float, Field(ge=1e-3, le=1000)] = 2.0
    priority: Literal["equal", "lower"] = "equal"
    nack_packets: Annotated[int, Field(ge=0, le=21)] = 0
    tries: Annotated[int, Field(ge=1, le=255)] = 6
    restarts: Small = 2
    freeze: bool = True
    query_timeout_s: Annotated[float, Field(ge=1e-3, le=64)] = 2.0
    timeout_max_s: Annotated[float, Field(ge=1e-3, le=64)] = 16.0
    first_interval_s: Annotated[float, Field(ge=0, le=1000)] = 0.0
    flood_jitter_s: Annotated[float, Field(ge=0, le=64)] = 0.0
    ack_timeout_s: Annotated[float, Field(ge=1e-3, le=8)] = 2.0
    ack_random_factor: Annotated[float, Field(ge=1, le=2)] = 1.5
    max_retransmit: Annotated[int, Field(ge=0, le=5)] = 4

    @model_validator(mode="after")
    def _goes_together(self) -> "BulkSection":
        if self.mode == "fixed" and self.interval_s is None:
            raise ValueError('mode = "fixed" needs interval_s, the time between two packets of the source')
        if self.local_share > self.queue:
            raise ValueError(f"local_share ({self.local_share}) must not exceed queue ({self.queue})")
        for key, value in (
            ("query_timeout_s", self.query_timeout_s),
            ("flood_jitter_s", self.flood_jitter_s),
        ):
            if value > self.timeout_max_s:
                raise ValueError(f"{key} ({value:g}) must not exceed timeout_max_s ({self.timeout_max_s:g})")
        if self.tries * self.timeout_max_s > 1073:
            raise ValueError(
                f"tries ({self.tries}) times timeout_max_s ({self.timeout_max_s:g}) must be at most 1073 s"
            )
        return self


class TransferEntry(Section):
    """One entry of `[[transfers]]`: the sink asks `source` for an object of `bytes`, not before `start_s`
    after the beginning of the measurement. A list of sources is asked one after the other.

    The sink asks for one object at a time, in the order of `start_s` and then of the list: a transfer whose
    turn has not come waits. A run ends when the last transfer has, or at `time.measure_s`. `content` is drawn
    from the seed; a file is carried by `penstock transfer`.
    """

    source: NodeName | Annotated[list[NodeName], Field(min_length=1)] | None = None
    bytes: ObjectBytes | None = None
    start_s: NotNegative = 0.0
    content: Literal["random"] = "random"


def check_transfers(transfers: list[TransferEntry], bulk: BulkSection, measure_s: float) -> None:
    """Raises ValueError for an entry without a source or a length, or beyond the measurement."""
    for at, entry in enumerate(transfers):
        for key, own, common in (("source", entry.source, bulk.source), ("bytes", entry.bytes, bulk.bytes)):
            if own is None and common is None:
                raise ValueError(f"transfers.{at}.{key} is missing; bulk.{key} would stand in for it")
        if entry.start_s >= measure_s:
            raise ValueError(
                f"transfers.{at}.start_s ({entry.start_s:g}) lies beyond time.measure_s ({measure_s:g})"
            )
