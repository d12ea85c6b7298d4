"""What the paper states of transfers over 1 to 6 hops on the floor (4.2, 4.3)."""

from penstock.studies.claim import Check, Claim, Sample, less, more
from penstock.studies.flush.paper import (
    ARRIVED_WITHIN,
    ASAP_ARRIVED,
    ASAP_LOSS_REDUCED,
    CLOSE,
    DEPTHS,
    FAST_ARRIVED,
    FAST_S,
    FLUSH_ARRIVED,
    FLUSH_AT_LEAST,
    HEADER_SHARE,
    INFINITE,
    ONE_HOP_TRANSFER_SHARE,
    SHARE_WITHIN,
    SLOW_S,
    TRACKS,
    USUAL_FROM,
    USUAL_S,
)
from penstock.studies.flush.samples import milliseconds, of_best, of_interval, of_mode

FAR = DEPTHS[-1]
NO_DROPS = (0.0, 0.0)


def hops(depth: int) -> str:
    """ "1 hop", "6 hops"."""
    return f"{depth} hop" if depth == 1 else f"{depth} hops"


def _faster(one: float, other: float, depth: int, source: str) -> Check:
    words = (
        f"packets/s over {hops(depth)}, {milliseconds(one)} less {milliseconds(other).removeprefix('fixed ')}"
    )
    return more(
        of_interval(one, "overall_pps", depth), of_interval(other, "overall_pps", depth), words, source
    )


def ratio(
    of: Sample, versus: Sample, statement: str, source: str, paper: str, low: float, high: float = INFINITE
) -> Check:
    """One over the other within [low, high], as a whole interval."""
    return Check(of, statement, source, paper, low, high, "ratio", versus)


def _none(of: Sample, statement: str, source: str) -> Check:
    return Check(of, statement, source, "0", *NO_DROPS)


def _near(of: Sample, statement: str, source: str, value: float, within: float) -> Check:
    return Check(of, statement, source, f"{value:.3g}", (1 - within) * value, min(1.0, (1 + within) * value))


FLOOR: tuple[Claim, ...] = (
    Claim(
        "flush.no-fixed-rate",
        "Each length of the way has a fixed interval that is best: as fast as the hardware goes over one "
        "hop, 20 ms over 3 to 6",
        "4.2, Fig. 7",
        "a different one",
        (
            _faster(FAST_S, USUAL_S, 1, "4.2, Fig. 7"),
            *(_faster(USUAL_S, FAST_S, depth, "4.2, Fig. 7") for depth in DEPTHS if depth >= USUAL_FROM),
            *(_faster(USUAL_S, SLOW_S, depth, "4.2, Fig. 7") for depth in DEPTHS if depth >= USUAL_FROM),
        ),
    ),
    Claim(
        "flush.tracks",
        "Over each number of hops Flush comes very close to the best of the fixed rates, or above, in "
        "packets/s",
        "4.2, Fig. 8a",
        f"≥ {TRACKS:g} of the best",
        tuple(
            ratio(
                of_mode("flush", "overall_pps", depth),
                of_best("overall_pps", depth),
                f"packets/s over the best fixed interval's, {hops(depth)}",
                "Fig. 8a",
                f"≥ {TRACKS:g}",
                TRACKS,
            )
            for depth in DEPTHS
        ),
    ),
    Claim(
        "flush.overhead",
        "In bytes/s Flush falls behind by its three bytes of header: 15 %",
        "4.2, Fig. 8b",
        "15 %",
        (
            ratio(
                of_mode("flush", "bytes_per_packet", FAR),
                of_interval(USUAL_S, "bytes_per_packet", FAR),
                "bytes of the object in a packet over those without rate control",
                "3.6, 4.2",
                f"{1 - HEADER_SHARE:g}",
                *(1 - HEADER_SHARE - 0.005, 1 - HEADER_SHARE + 0.005),
            ),
            *(
                ratio(
                    of_mode("flush", "overall_Bps", depth),
                    of_best("overall_Bps", depth),
                    f"bytes/s over the best fixed interval's, {hops(depth)}",
                    "Fig. 8b",
                    f"≥ {TRACKS * (1 - HEADER_SHARE):.2g}",
                    TRACKS * (1 - HEADER_SHARE),
                )
                for depth in DEPTHS
            ),
        ),
    ),
    Claim(
        "flush.transmissions",
        "Flush sends about as often as the best fixed rate over each number of hops, and loses nothing to "
        "full queues",
        "4.2, Fig. 9",
        f"≤ {CLOSE:g} of the best's; none",
        (
            *(
                ratio(
                    of_mode("flush", "transmissions_per_hop", depth),
                    of_best("transmissions_per_hop", depth),
                    f"transmissions over the best fixed interval's, {hops(depth)}",
                    "Fig. 9",
                    f"≤ {CLOSE:g}",
                    0.0,
                    CLOSE,
                )
                for depth in DEPTHS
            ),
            *(
                _none(
                    of_mode("flush", "queue_drops", depth),
                    f"queue losses, Flush, {hops(depth)}",
                    "4.2, Fig. 9",
                )
                for depth in DEPTHS
            ),
            _none(
                of_interval(SLOW_S, "queue_drops", FAR),
                f"queue losses, {milliseconds(SLOW_S)}, {hops(FAR)}",
                "4.2, Fig. 9",
            ),
            more(
                of_interval(FAST_S, "transmissions_per_hop", FAR),
                of_mode("flush", "transmissions_per_hop", FAR),
                f"transmissions of a hop, {milliseconds(FAST_S)} less Flush, {hops(FAR)}",
                "Fig. 9",
            ),
        ),
    ),
    Claim(
        "flush.transfer-phase",
        "From the 6th hop 99.5 % of the packets arrive in the transfer phase; with fixed 10 ms 62.7 %, "
        "with ASAP 56.5 %",
        "4.3, Fig. 10, Fig. 12",
        "99.5, 62.7, 56.5 %",
        (
            more(
                of_mode("flush", "arrived_share", FAR),
                of_interval(FAST_S, "arrived_share", FAR),
                f"share that arrives, Flush less {milliseconds(FAST_S)}",
                "Fig. 10",
            ),
            Check(
                of_mode("flush", "arrived_share", FAR),
                "share that arrives, Flush",
                "4.3, Fig. 10",
                f"{FLUSH_ARRIVED:g}",
                *(FLUSH_AT_LEAST, 1.0),
            ),
            _near(
                of_interval(FAST_S, "arrived_share", FAR),
                f"share that arrives, {milliseconds(FAST_S)}",
                "4.3, Fig. 10",
                *(FAST_ARRIVED, ARRIVED_WITHIN),
            ),
            _near(
                of_mode("asap", "arrived_share", FAR),
                "share that arrives, ASAP",
                "4.3, Fig. 10",
                *(ASAP_ARRIVED, ARRIVED_WITHIN),
            ),
            Check(
                of_mode("flush", "transfer_loss_rate", FAR),
                "share that is lost in the transfer phase, Flush over ASAP",
                "Fig. 12",
                f"≤ {1 - ASAP_LOSS_REDUCED:g}",
                *(0.0, 1 - ASAP_LOSS_REDUCED, "ratio"),
                versus=of_mode("asap", "transfer_loss_rate", FAR),
            ),
        ),
    ),
    Claim(
        "flush.time-breakdown",
        "Flush spends much less of its time in acknowledgements than too fast a rate; too fast a rate and "
        "ASAP are done earlier with the transfer phase",
        "4.3, Fig. 11",
        "less; less",
        (
            less(
                of_mode("flush", "ack_s", FAR),
                of_interval(FAST_S, "ack_s", FAR),
                f"seconds of acknowledgement, Flush less {milliseconds(FAST_S)}",
                "4.3, Fig. 11",
            ),
            less(
                of_interval(FAST_S, "transfer_s", FAR),
                of_mode("flush", "transfer_s", FAR),
                f"seconds of transfer, {milliseconds(FAST_S)} less Flush",
                "4.3, Fig. 11",
            ),
            less(
                of_mode("asap", "transfer_s", FAR),
                of_mode("flush", "transfer_s", FAR),
                "seconds of transfer, ASAP less Flush",
                "4.3, Fig. 11",
            ),
            _near(
                of_mode("flush", "transfer_share", 1),
                "share of the time in the transfer phase, Flush, 1 hop",
                "4.2",
                *(ONE_HOP_TRANSFER_SHARE, SHARE_WITHIN),
            ),
        ),
    ),
)
"""In the paper's order."""
