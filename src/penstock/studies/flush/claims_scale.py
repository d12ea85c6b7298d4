"""What the paper states of 48 hops (4.6) and of one (6); and Flush beside block-wise transfer."""

from penstock.studies.claim import Check, Claim, Sample
from penstock.studies.flush.claims_floor import hops, ratio
from penstock.studies.flush.paper import (
    IMAGE_COMPLAINT_S,
    IMAGE_HOPS,
    IMAGE_SHARE,
    INFINITE,
    LARGE_BPS,
    LARGE_WITHIN,
    LINE_DEPTHS,
    LINE_LOSS,
    LINE_LOSS_WITHIN,
    LINE_THIRD,
    LINE_TRACKS,
    THIRD_WITHIN,
    WISDEN_BPS,
)
from penstock.studies.flush.pipeline import formula
from penstock.studies.flush.samples import of_best, of_mode, of_way

FAR = LINE_DEPTHS[-1]
OURS = "ours"
IMAGES = {"image": "MicaZ", "image-today": "802.15.4 CSMA-CA, 119 bytes"}
OF_ONE_HOP = IMAGE_SHARE * float(formula(IMAGE_HOPS, 1))


def _more_times(of: Sample, versus: Sample, statement: str) -> Check:
    """A ratio above 1."""
    return Check(
        of, statement, OURS, "more", 1.0, INFINITE, "ratio", versus=versus, direction="above", pivot=1.0
    )


SCALE: tuple[Claim, ...] = (
    Claim(
        "flush.long-path",
        "Over 48 hops Flush has about a third of its bandwidth over one, and over each number of hops "
        "closely tracks or exceeds every fixed rate",
        "4.6, Fig. 21; loss: 2.2",
        "1/3; ≥ 0.87 of the best",
        (
            ratio(
                of_mode("flush", "overall_Bps", FAR, "line"),
                of_mode("flush", "overall_Bps", 1, "line"),
                "bytes/s over 48 hops over those over one",
                "4.6, Fig. 21",
                "~1/3",
                *((1 - THIRD_WITHIN) * LINE_THIRD, (1 + THIRD_WITHIN) * LINE_THIRD),
            ),
            *(
                ratio(
                    of_mode("flush", "overall_Bps", depth, "line"),
                    of_best("overall_Bps", depth, "line-fixed"),
                    f"bytes/s over the best fixed interval's, {hops(depth)}",
                    "Fig. 21",
                    f"≥ {LINE_TRACKS:.2g}",
                    LINE_TRACKS,
                )
                for depth in LINE_DEPTHS
            ),
            Check(
                of_mode("flush", "transfer_loss_rate", FAR, "line"),
                "share of the packets lost before repair, 48 hops",
                "2.2",
                f"{LINE_LOSS:g}",
                *((1 - LINE_LOSS_WITHIN) * LINE_LOSS, (1 + LINE_LOSS_WITHIN) * LINE_LOSS),
            ),
        ),
    ),
    Claim(
        "flush.one-hop-80",
        "Over one hop with packets of 80 bytes Flush has 2,226 bytes/s, Wisden 782",
        "6",
        "2226 B/s",
        (
            Check(
                of_way("flush", "overall_Bps", "one-hop-80"),
                "bytes/s, all phases",
                "6",
                f"{LARGE_BPS:g}",
                *((1 - LARGE_WITHIN) * LARGE_BPS, (1 + LARGE_WITHIN) * LARGE_BPS),
                direction="above",
                pivot=WISDEN_BPS,
            ),
        ),
    ),
    Claim(
        "flush.stop-and-wait",
        "Flush is faster than block-wise transfer with one block at a time, from 1 hop to 48",
        "ours; RFC 7959",
        "more",
        (
            *(
                _more_times(
                    of_mode("flush", "overall_Bps", depth, "line"),
                    of_mode("blockwise", "overall_Bps", depth, "line"),
                    f"bytes/s over block-wise transfer's, {hops(depth)}",
                )
                for depth in (FAR, *LINE_DEPTHS[:-1])
            ),
        ),
    ),
    Claim(
        "flush.image",
        "An image of 386 kB over 4 hops: at least half of what one hop carries, times r(4, 1); block-wise "
        "transfer on the same way takes longer",
        "ours",
        f"≥ {OF_ONE_HOP:.3f} of one hop",
        (
            *(
                ratio(
                    of_mode("flush", "overall_Bps", IMAGE_HOPS, key),
                    of_mode("flush", "overall_Bps", 1, key),
                    f"bytes/s over 4 hops over those over one, {words}",
                    OURS,
                    f"≥ {OF_ONE_HOP:.3f}",
                    OF_ONE_HOP,
                )
                for key, words in IMAGES.items()
            ),
            *(
                _more_times(
                    of_mode("flush", "overall_Bps", IMAGE_HOPS, key),
                    of_mode("blockwise", "overall_Bps", IMAGE_HOPS, key),
                    f"bytes/s over 4 hops over block-wise transfer's, {words}",
                )
                for key, words in IMAGES.items()
            ),
            Check(
                of_mode("flush", "completion_s", IMAGE_HOPS, "image-today"),
                "seconds for the image over 4 hops, 119 bytes",
                "ours; a user's complaint",
                f"< {IMAGE_COMPLAINT_S:g} s",
                *(0.0, IMAGE_COMPLAINT_S),
                direction="below",
                pivot=IMAGE_COMPLAINT_S,
            ),
        ),
    ),
)
"""In the paper's order; the last two are ours."""
