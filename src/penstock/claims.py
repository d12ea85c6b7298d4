"""What the Fusion thesis says about the six strategies under the periodic workload (sections 3.1, 5.3).

Ranges: a figure given in words ("about 50 %") is taken to within 5 points, a factor to within 0.5, a period
of Table 5.2 to within a quarter. The text and the caption of Table 5.2 contradict each other about its load
(4 and 2 packets/s per node); Fig. 5-7 shows the same distribution at 2, so 2 it is.
"""

import math
from dataclasses import dataclass
from typing import Literal

Pairing = Literal["value", "ratio", "difference"]
INFINITE = math.inf
HIGH_LOAD = 4.0
TABLE_LOAD = 2.0
EQUAL_LOSS = 0.05
"""Channel loss rates that differ by no more than a twentieth are called equal: Fig. 5-11 shows no less."""

COVERAGE: dict[str, tuple[float, ...]] = {
    "none": (INFINITE, INFINITE, INFINITE, INFINITE, 38, 4.2, 0.84),
    "occupancy": (INFINITE, 108, 62, 29, 12, 3.4, 0.87),
    "channel": (INFINITE, INFINITE, 100, 38, 13, 3.8, 0.98),
    "delay": (INFINITE, 123, 71, 33, 12, 3.2, 0.95),
    "rate": (INFINITE, INFINITE, 250, 31, 8.5, 2.9, 1.4),
    "fusion": (INFINITE, 43, 35, 15, 7.2, 3.0, 1.5),
}
"""Thesis Table 5.2: the report period in seconds that COVERAGE_LEVELS percent of the nodes achieve."""


@dataclass(frozen=True)
class Claim:
    """One statement of the thesis: `metric` of `strategy` at `load` packets/s per node lies in [low, high].

    versus: the strategy that the value is divided by ("ratio") or that is subtracted ("difference").
    direction: "above" or "below" with `pivot` is what the statement says at least: an interval wholly on that
        side agrees in direction, one that crosses the pivot cannot agree. A difference without direction says
        that there is none: low and high are the margin within which two values count as equal.
    """

    strategy: str
    load: float
    metric: str
    statement: str
    source: str
    paper: str
    low: float
    high: float
    pairing: Pairing = "value"
    versus: str = ""
    direction: Literal["above", "below", ""] = ""
    pivot: float = 0.0


def _more(strategy: str, versus: str, load: float, metric: str, statement: str, source: str) -> Claim:
    """`strategy` has more of `metric` than `versus`; nothing is said about how much."""
    paper = f"more than {versus}"
    return Claim(
        strategy, load, metric, statement, source, paper, 0.0, INFINITE, "difference", versus, "above", 0.0
    )


# fmt: off
CLAIMS: tuple[Claim, ...] = (
    Claim("none", HIGH_LOAD, "channel_loss_rate", "Channel loss approaches more than 80 %",
          "5.3.5, Fig. 5-11", "> 0.80", 0.75, 1.0, direction="above", pivot=0.5),
    Claim("none", TABLE_LOAD, "starved_fraction", "Close to 70 % of the nodes get 10 % of their load through",
          "3.1, Fig. 3-1", "0.70", 0.65, 0.75, direction="above", pivot=0.5),
    Claim("none", HIGH_LOAD, "imbalance_p90", "At the 90th percentile, 50 times as much comes in as goes out",
          "5.3.2, Fig. 5-3", "> 50", 50, INFINITE, direction="above", pivot=1.0),
    Claim("none", TABLE_LOAD, "coverage_75_s", "No throughput can be promised for a quarter of the nodes",
          "5.3.3, Table 5.2", "∞", INFINITE, INFINITE, direction="above", pivot=240.0),
    Claim("rate", HIGH_LOAD, "channel_loss_rate", "Channel loss approaches 70 %",
          "5.3.5, Fig. 5-11", "0.70", 0.65, 0.75, direction="below", pivot=0.8),
    _more("rate", "none", HIGH_LOAD, "efficiency", "Rate limiting improves efficiency", "5.3.1, Fig. 5-2"),
    _more("rate", "none", HIGH_LOAD, "fairness", "Rate limiting much improves fairness", "5.3.3, Fig. 5-8"),
    Claim("channel", HIGH_LOAD, "channel_loss_rate", "Channel loss approaches 60 %",
          "5.3.5, Fig. 5-11", "0.60", 0.55, 0.65, direction="below", pivot=0.8),
    _more("channel", "fusion", HIGH_LOAD, "throughput_pps", "Throughput is highest without rate limiting",
          "5.3.3, Fig. 5-6"),
    Claim("occupancy", HIGH_LOAD, "channel_loss_rate", "Channel loss stays under about 50 %",
          "5.3.5, Fig. 5-11", "< 0.50", 0.0, 0.55, direction="below", pivot=0.8),
    _more("occupancy", "channel", HIGH_LOAD, "efficiency", "Occupancy outperforms channel sampling",
          "5.3.1, Fig. 5-2"),
    _more("occupancy", "fusion", HIGH_LOAD, "throughput_pps", "Throughput is highest without rate limiting",
          "5.3.3, Fig. 5-6"),
    _more("occupancy", "none", HIGH_LOAD, "buffer_drop_rate", "Flow control moves drops into the buffers",
          "5.3.5, Fig. 5-12"),
    Claim("delay", HIGH_LOAD, "channel_loss_rate",
          "Channel loss does not differ from occupancy's, by one twentieth at most",
          "5.3.5, Fig. 5-11", "0 ± 0.05", -EQUAL_LOSS, EQUAL_LOSS, "difference", "occupancy"),
    _more("delay", "fusion", HIGH_LOAD, "throughput_pps", "Throughput is highest without rate limiting",
          "5.3.3, Fig. 5-6"),
    Claim("fusion", HIGH_LOAD, "efficiency", "Efficiency is three times that of no control",
          "5.3.1, 1.4", "3 ×", 2.5, 3.5, "ratio", "none", "above", 1.0),
    Claim("fusion", 1.0, "efficiency", "Efficiency barely reaches 0.3 at moderate load",
          "5.3.1, Fig. 5-2", "0.30", 0.25, 0.35),
    Claim("fusion", HIGH_LOAD, "fairness", "Fairness is more than twice that of no control",
          "1.4, Fig. 5-8", "> 2 ×", 2.0, INFINITE, "ratio", "none", "above", 1.0),
    Claim("fusion", HIGH_LOAD, "channel_loss_rate", "Channel loss is about half that of no control",
          "5.3.5, Fig. 5-11", "0.5 ×", 0.45, 0.55, "ratio", "none", "below", 1.0),
    Claim("fusion", HIGH_LOAD, "imbalance", "Most nodes forward what they receive: imbalance close to 1",
          "5.3.2, Fig. 5-4", "1", 0.75, 1.25),
    Claim("fusion", HIGH_LOAD, "median_node_throughput_pps", "Half of the nodes keep at least 0.1 packets/s",
          "5.3.3, Fig. 5-9", "≥ 0.1", 0.1, INFINITE, direction="above", pivot=0.0),
    _more("fusion", "none", HIGH_LOAD, "latency_s", "Far nodes come through, so latency is higher",
          "5.3.4, Fig. 5-10"),
    *(
        Claim(strategy, TABLE_LOAD, "coverage_50_s", "Half of the nodes report at least this often",
              "5.3.3, Table 5.2", f"{row[4]:g} s", 0.75 * row[4], 1.25 * row[4])
        for strategy, row in COVERAGE.items()
    ),
)
# fmt: on
"""The thesis's statements."""
