"""What the Fusion thesis found under the periodic workload (section 5.3), beside what was measured here.

A verdict looks at the interval, never at the mean alone:

- "agrees": the interval meets the range that the thesis's words or figures allow, and for "no difference"
  lies within its margin as a whole;
- "direction only": it does not, but lies wholly on the side that the thesis says;
- "does not agree": neither;
- "inconclusive": the interval is too wide to tell: it meets the range but also crosses to the side that the
  thesis denies, or reaches beyond half and twice the range (for "no difference": beyond the margin). More
  seeds narrow it;
- "not measured": the grid lacks that strategy or load, or has fewer than two runs of it.

Comparisons of two strategies pair their runs by seed: on one seed both met the same channel.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from penstock.claims import CLAIMS, COVERAGE, TABLE_LOAD, Claim
from penstock.metrics import COVERAGE_LEVELS, METRICS
from penstock.results import Results
from penstock.scenario import STRATEGIES, Scenario
from penstock.statistics import Estimate, estimate, paired
from penstock.workload_sections import PeriodicTraffic

Verdict = Literal["agrees", "direction only", "does not agree", "inconclusive", "not measured"]

CONTROL, LOAD = "congestion.control", "traffic.rate_pps"


@dataclass(frozen=True)
class Finding:
    """A claim with what was measured. `estimate` is None when it was not."""

    claim: Claim
    estimate: Estimate | None
    verdict: Verdict

    @property
    def strategy(self) -> str:
        """The strategy that the claim is about."""
        return self.claim.strategy

    @property
    def thesis(self) -> str:
        """The thesis's statement in one sentence, with its figure, load and place."""
        claim = self.claim
        return f"{claim.statement}: {claim.paper} at {claim.load:g} packets/s per node ({claim.source})"

    @property
    def measured(self) -> str:
        """The estimate as text: mean [low, high], with its unit."""
        value, claim = self.estimate, self.claim
        if value is None or math.isnan(value.mean):
            return "–"
        seconds = claim.pairing == "value" and METRICS[claim.metric].unit == "s"
        unit = " ×" if claim.pairing == "ratio" else " s" if seconds else ""
        mean, low, high = (_number(v, claim) for v in (value.mean, value.low, value.high))
        bare = math.isnan(value.low) or math.isinf(value.low)
        return f"{mean}{unit}" if bare else f"{mean}{unit} [{low}, {high}]"


def findings(results: Results) -> list[Finding]:
    """Every claim of the thesis with what these results say to it, in the order of the strategies.

    Empty when the experiment has other axes than the strategy and the load, for then no point of the grid is
    "the" strategy at that load; under another workload; and when nothing of it was measured.
    """
    if set(results.axes) - {CONTROL, LOAD} or not _is_the_thesiss_workload(results.scenario):
        return []
    ordered = sorted(CLAIMS, key=lambda claim: list(COVERAGE).index(claim.strategy))
    judged = [_judged(claim, results) for claim in ordered]
    return judged if any(finding.verdict != "not measured" for finding in judged) else []


def _is_the_thesiss_workload(scenario: Scenario) -> bool:
    """Section 5.3: equal periodic sources that wait, and nodes that live."""
    traffic = scenario.traffic
    return (
        isinstance(traffic, PeriodicTraffic)
        and traffic.rate_spread == 1
        and scenario.application.adaptation == "wait"
        and scenario.faults.failing == 0
    )


@dataclass(frozen=True)
class CoverageRow:
    """A row of Table 5.2 for one strategy: the period that `percent` of the nodes achieve, there and here."""

    strategy: str
    percent: int
    paper_s: float
    measured: Estimate | None


def coverage(results: Results, load: float = TABLE_LOAD) -> list[CoverageRow]:
    """Thesis Table 5.2 beside these results at `load` packets/s; `measured` None where the grid lacks it."""
    rows: list[CoverageRow] = []
    for strategy in STRATEGIES:
        for percent, paper in zip(COVERAGE_LEVELS, COVERAGE[strategy], strict=True):
            metric = f"coverage_{percent}_s"
            values = list(_by_seed(results, strategy, load, metric).values())
            measured = estimate(values, results.scenario.confidence, by_inverse=True) if values else None
            rows.append(CoverageRow(strategy, percent, paper, measured))
    return rows


def _judged(claim: Claim, results: Results) -> Finding:
    measured = _measured(claim, results)
    if measured is None or measured.count < 2:
        return Finding(claim, measured, "not measured")
    low = measured.mean if math.isnan(measured.low) else measured.low
    high = measured.mean if math.isnan(measured.high) else measured.high
    meets = low <= claim.high and high >= claim.low
    sided = _on_the_side(claim, low, high)
    if not meets:
        verdict: Verdict = "direction only" if claim.direction and sided else "does not agree"
    else:
        verdict = "agrees" if sided and _narrow(claim, low, high) else "inconclusive"
    return Finding(claim, measured, verdict)


def _on_the_side(claim: Claim, low: float, high: float) -> bool:
    """Whether the whole interval lies where the claim says at least; always, for claims that name no side."""
    if claim.direction == "above":
        return low > claim.pivot
    return high < claim.pivot if claim.direction == "below" else True


def _narrow(claim: Claim, low: float, high: float) -> bool:
    """Whether the interval is narrow enough to agree: it keeps within half and twice the claim's range.

    Differences with a side are judged by it. "No difference" needs the whole interval within its margin: one
    that merely contains zero may be the sign of too few seeds.
    """
    if claim.pairing != "difference":
        return low >= claim.low / 2 and high <= claim.high * 2
    return bool(claim.direction) or (low >= claim.low and high <= claim.high)


def _measured(claim: Claim, results: Results) -> Estimate | None:
    values = _by_seed(results, claim.strategy, claim.load, claim.metric)
    level = results.scenario.confidence
    if claim.pairing == "value":
        return estimate(list(values.values()), level, METRICS[claim.metric].by_inverse) if values else None
    other = _by_seed(results, claim.versus, claim.load, claim.metric)
    return paired(values, other, level, _PAIRINGS[claim.pairing])


def _number(value: float, claim: Claim) -> str:
    sign = "+" if claim.pairing == "difference" else ""
    return "∞" if math.isinf(value) else f"{value:{sign}.3g}"


def _ratio(value: float, other: float) -> float:
    return value / other if other else math.nan


_PAIRINGS: dict[str, Callable[[float, float], float]] = {"ratio": _ratio, "difference": operator.sub}


def _by_seed(results: Results, strategy: str, load: float, metric: str) -> dict[int, float]:
    """{seed: value} of a metric where the experiment ran `strategy` at `load`; NaN where it is undefined."""
    frame, traffic = results.runs, results.scenario.traffic
    for key, wanted, fixed in (
        (CONTROL, strategy, results.scenario.congestion.control),
        (LOAD, load, traffic.rate_pps if isinstance(traffic, PeriodicTraffic) else None),
    ):
        if key in results.axes:
            frame = frame.filter(pl.col(key) == wanted)
        elif fixed != wanted:
            return {}
    seeds: Sequence[int] = frame["seed"].to_list()
    values: Sequence[float] = frame[metric].fill_null(math.nan).to_list()
    return dict(zip(seeds, values, strict=True))
