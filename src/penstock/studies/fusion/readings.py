"""Where the thesis leaves something open: the reading that was chosen, and its alternatives.

Each alternative changes one thing of the default world. The default was chosen by a source or, where sources
disagree or say nothing, by what the thesis says of the network without any control (docs/design.md); never by
what it does to Fusion. The sensitivity table shows what each would have done.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reading:
    """question: what is open. text: this answer. sections: what it changes in the scenario; nothing for the
    default. basis: where it comes from. unmodified: it concerns the strategies alone, and the network without
    control stays the default's."""

    key: str
    question: str
    text: str
    basis: str
    sections: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    unmodified: bool = False


def _alternatives(question: str, *rows: tuple[str, str, str, dict[str, dict[str, Any]]]) -> list[Reading]:
    return [Reading(key, question, text, basis, sections) for key, text, basis, sections in rows]


DEFAULT = Reading("default", "all", "the world as it is", "docs/design.md")

WIDENS = Reading(
    "priority-widens",
    "The prioritized MAC's window, a quarter for congested nodes (4.4)",
    "congested nodes keep B-MAC's windows, all others take four times those",
    "4.4 gives the ratio alone; no control has the unmodified B-MAC (5.1)",
    {"mac": {"initial_backoff_bytes": 128, "congestion_backoff_bytes": 64}},
    unmodified=True,
)

READINGS: tuple[Reading, ...] = (
    DEFAULT,
    *_alternatives(
        "What a receiver locks on to",
        (
            "lock-first",
            "the first preamble, no capture",
            "radios without capture",
            {"radio": {"lock": "first"}},
        ),
        (
            "lock-recapture",
            "a stronger frame at any time",
            "message-in-message receivers",
            {"radio": {"lock": "recapture"}},
        ),
    ),
    *_alternatives(
        "Backoff windows, first and congestion, in byte times (the thesis gives a ratio of four)",
        (
            "backoff-16-16",
            "16 and 16",
            "later TinyOS 1.1 releases",
            {"mac": {"initial_backoff_bytes": 16, "congestion_backoff_bytes": 16}},
        ),
        (
            "backoff-8-8",
            "8 and 8",
            "halved again",
            {"mac": {"initial_backoff_bytes": 8, "congestion_backoff_bytes": 8}},
        ),
        (
            "backoff-64-32",
            "64 and 32",
            "doubled",
            {"mac": {"initial_backoff_bytes": 64, "congestion_backoff_bytes": 32}},
        ),
        (
            "backoff-128-64",
            "128 and 64",
            "doubled again",
            {"mac": {"initial_backoff_bytes": 128, "congestion_backoff_bytes": 64}},
        ),
    ),
    WIDENS,
    *_alternatives(
        "How long a stopped child waits without news (default 1.4 s, derived)",
        ("stop-quarter-second", "0.25 s", "six packet times", {"congestion": {"stop_timeout_s": 0.25}}),
        ("stop-half-second", "0.5 s", "twelve packet times", {"congestion": {"stop_timeout_s": 0.5}}),
        ("stop-five-seconds", "5 s", "half a beacon period", {"congestion": {"stop_timeout_s": 5.0}}),
        ("stop-twenty-seconds", "20 s", "two beacon periods", {"congestion": {"stop_timeout_s": 20.0}}),
    ),
    *_alternatives(
        "How much of the queue of eight local packets may hold (default 2)",
        ("share-1", "1", "4.6: a small number", {"node": {"local_share": 1}}),
        ("share-4", "4", "half", {"node": {"local_share": 4}}),
        ("share-8", "all 8", "no separation (4.6)", {"node": {"local_share": 8}}),
    ),
    *_alternatives(
        "Which energy readings make the noise floor (default: the channel is clear)",
        (
            "floor-radio-idle",
            "whenever the radio idles",
            "TinyOS 1.1, literally",
            {"mac": {"noise_floor": "radio_idle"}},
        ),
        ("floor-fixed", "the bare noise, known", "an ideal estimate", {"mac": {"noise_floor": "fixed"}}),
    ),
    *_alternatives(
        "Whether routes stay (thesis 5.2 pins them)",
        ("routes-free", "routes go on adapting", "for comparison", {"routing": {"pin": False}}),
        ("routes-ten-minutes", "pinned after 600 s", "better link estimates", {"time": {"settle_s": 600.0}}),
    ),
    *_alternatives(
        "Depth and shape of the floor (the area is given)",
        ("sink-middle", "sink in the middle", "Fig. 2-3 has no coordinates", {"topology": {"sink": 24}}),
        ("sink-corner", "sink at the very end", "Fig. 2-3 has no coordinates", {"topology": {"sink": 1}}),
        (
            "floor-square",
            "38.6 m x 38.6 m, sink at the edge",
            "the same area",
            {"topology": {"width_m": 38.646, "height_m": 38.646}},
        ),
        (
            "floor-long",
            "80 m x 18.7 m",
            "the same area",
            {"topology": {"width_m": 80.0, "height_m": 18.669}},
        ),
        ("floor-2", "another placement", "another draw of the same description", {"topology": {"seed": 2}}),
        ("floor-3", "a third placement", "another draw of the same description", {"topology": {"seed": 3}}),
        ("even", "no dense corner", "against 2.3.1", {"topology": {"dense_corner_share": 0.0}}),
    ),
    *_alternatives(
        "Propagation (default: exponent 3.0, 55 dB at 1 m, shadowing 6.1 dB)",
        (
            "exponent-3.3",
            "exponent 3.3",
            "between TOSSIM's and offices with walls",
            {"channel": {"path_loss_exponent": 3.3}},
        ),
        (
            "exponent-4",
            "exponent 4",
            "Zuniga and Krishnamachari 2004, example values",
            {"channel": {"path_loss_exponent": 4.0}, "topology": {"require_connected": False}},
        ),
        (
            "shadowing-4",
            "shadowing 4 dB",
            "TOSSIM's Mica2 parameters",
            {"channel": {"shadowing_sigma_db": 4.0}},
        ),
        ("shadowing-8", "shadowing 8 dB", "offices with walls", {"channel": {"shadowing_sigma_db": 8.0}}),
        (
            "noise-100",
            "noise floor -100 dBm",
            "a noisier building",
            {"channel": {"noise_floor_dbm": -100.0}, "topology": {"require_connected": False}},
        ),
        (
            "same-radios",
            "all radios alike",
            "no hardware variance",
            {"channel": {"hardware_tx_var": 0.0, "hardware_noise_var": 0.0, "hardware_covariance": 0.0}},
        ),
    ),
)
"""The default first."""

REDUCED = ("default", "share-1", "lock-first")
"""Those that the tests run."""
