"""From results to verdicts. A verdict looks at the interval, never at the mean alone.

A check's finding:

- "agrees": the interval meets the range that the paper's words or figures allow, and for "no difference" lies
  within its margin as a whole;
- "direction only": it does not, but lies wholly on the side that the paper says;
- "does not agree": neither;
- "inconclusive": the interval is too wide to tell: it meets the range but also crosses to the side that the
  paper denies, or reaches beyond the range by more than its width (for "no difference": beyond the margin).
  More seeds narrow it;
- "not measured": the experiment lacks that point, or has fewer than two runs of it.

A number that is computed without any run agrees or does not.

A claim is "reproduced" when all its parts agree, "direction only" when its first part names a direction and
has it, and otherwise "not reproduced". Comparisons pair runs by seed: on one seed both sides met
the same channel.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import polars as pl

from penstock.results import Results
from penstock.statistics import Estimate, estimate, metric_named, paired
from penstock.studies.claim import Check, Claim, Computed, Pairing, Part, Sample
from penstock.studies.number import number
from penstock.studies.section import Loaded

FindingVerdict = Literal["agrees", "direction only", "does not agree", "inconclusive", "not measured"]
Verdict = Literal["reproduced", "direction only", "not reproduced"]
CLAIM_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""In the order of tables."""
CONTROL = "congestion.control"


@dataclass(frozen=True)
class Finding:
    """A check with what was measured. `estimate` is None when it was not."""

    check: Check | Computed
    estimate: Estimate | None
    verdict: FindingVerdict

    @property
    def strategy(self) -> str:
        """The strategy that the check is about; "" where no run is."""
        return "" if isinstance(self.check, Computed) else self.check.of.strategy

    @property
    def metric(self) -> str:
        """The metric that the check is about; "" where no run is."""
        return "" if isinstance(self.check, Computed) else self.check.of.metric

    @property
    def measured(self) -> str:
        """The estimate as text: mean [low, high], with its unit."""
        value, check = self.estimate, self.check
        if value is None or math.isnan(value.mean):
            return "–"
        if isinstance(check, Computed):
            return number(value.mean)
        seconds = check.pairing == "value" and metric_named(check.of.metric).unit == "s"
        unit = " ×" if check.pairing == "ratio" else " s" if seconds else ""
        mean, low, high = (_number(v, check) for v in (value.mean, value.low, value.high))
        bare = math.isnan(value.low) or math.isinf(value.low)
        return f"{mean}{unit}" if bare else f"{mean}{unit} [{low}, {high}]"


@dataclass(frozen=True)
class Judged:
    """A claim with the findings of its parts, in their order."""

    claim: Claim
    parts: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The part that stands for the claim in tables."""
        return self.parts[0]

    @property
    def verdict(self) -> Verdict:
        """See the module."""
        if all(part.verdict == "agrees" for part in self.parts):
            return "reproduced"
        first = self.first.check
        directed = isinstance(first, Check) and first.direction
        sided = directed and self.first.verdict in ("agrees", "direction only")
        return "direction only" if sided else "not reproduced"

    @property
    def holding(self) -> int:
        """How many of the parts agree."""
        return sum(part.verdict == "agrees" for part in self.parts)

    @property
    def failing(self) -> list[Finding]:
        """The parts that do not agree."""
        return [part for part in self.parts if part.verdict != "agrees"]


def judge_claim(claim: Claim, tables: Loaded) -> Judged:
    """What the results say to a claim, part by part."""
    return Judged(claim, tuple(_judge_part(part, tables) for part in claim.parts))


def judge_check(check: Check, tables: Loaded) -> Finding:
    """What the results say to one check."""
    found = measured(check.of, tables, check.versus, check.pairing)
    if found is None or found.count < 2 or math.isnan(found.mean):
        return Finding(check, found, "not measured")
    low = found.mean if math.isnan(found.low) else found.low
    high = found.mean if math.isnan(found.high) else found.high
    meets = low <= check.high and high >= check.low
    sided = _on_the_side(check, low, high)
    if not meets:
        verdict: FindingVerdict = "direction only" if check.direction and sided else "does not agree"
    else:
        verdict = "agrees" if sided and _narrow(check, low, high) else "inconclusive"
    return Finding(check, found, verdict)


def by_seed(sample: Sample, results: Results, x: str) -> dict[int, float]:
    """{seed: value} of a sample's metric in an experiment with x axis `x`; empty where the experiment has no
    such point or was run by a version without the metric, NaN where the metric is undefined."""
    frame = results.runs
    if sample.metric not in frame.columns:
        return {}
    for key, wanted in ((CONTROL, sample.strategy), (x, sample.at), *sample.where):
        if key in results.axes:
            frame = frame.filter(pl.col(key) == wanted)
        elif _fixed(results, key) != wanted:
            return {}
    seeds: Sequence[int] = frame["seed"].to_list()
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"{sample} does not say which point of {results.axes} it means")
    values: Sequence[float] = frame[sample.metric].fill_null(math.nan).to_list()
    return dict(zip(seeds, values, strict=True))


def _judge_part(part: Part, tables: Loaded) -> Finding:
    if isinstance(part, Computed):
        return _computed(part)
    if isinstance(part, Check):
        return judge_check(part, tables)
    findings = [judge_check(check, tables) for check in part.among]
    known = [f for f in findings if f.estimate is not None and not math.isnan(f.estimate.mean)]
    return max(known, key=lambda f: f.estimate.mean if f.estimate else 0.0) if known else findings[0]


def _computed(part: Computed) -> Finding:
    value = part.value()
    verdict: FindingVerdict = "agrees" if part.low <= value <= part.high else "does not agree"
    return Finding(part, Estimate(value, value, value, 1, 1.0), verdict)


def measured(
    of: Sample, tables: Loaded, versus: Sample | None = None, pairing: Pairing = "value"
) -> Estimate | None:
    """A sample alone, or over or minus another one, paired by seed; None where nothing ran."""
    values, level = _read(of, tables)
    if versus is None:
        return estimate(list(values.values()), level, metric_named(of.metric).by_inverse) if values else None
    other, _ = _read(versus, tables)
    return paired(values, other, level, _PAIRINGS[pairing])


def _read(sample: Sample, tables: Loaded) -> tuple[dict[int, float], float]:
    if sample.experiment not in tables:
        return {}, 0.99
    results, x = tables[sample.experiment]
    return by_seed(sample, results, x), results.scenario.confidence


def _fixed(results: Results, key: str) -> object:
    section, _, name = key.partition(".")
    value: Any = getattr(results.scenario, section, None)
    return getattr(value, name, None) if name else value


def _on_the_side(check: Check, low: float, high: float) -> bool:
    """Whether the whole interval lies where the check says at least; always, for those that name no side."""
    if check.direction == "above":
        return low > check.pivot
    return high < check.pivot if check.direction == "below" else True


def _narrow(check: Check, low: float, high: float) -> bool:
    """Whether the interval is narrow enough to agree: it reaches beyond the check's range by no more than the
    range's own width, or, of a range without an upper end, down to half its lower one.

    Differences with a side are judged by it. "No difference" (also as a ratio around 1) needs the whole
    interval within its margin: one that merely contains zero may be the sign of too few seeds.
    """
    if not check.direction and check.pairing != "value":
        return low >= check.low and high <= check.high
    if check.pairing == "difference":
        return True
    width = check.high - check.low
    return (
        low >= check.low / 2
        if math.isinf(check.high)
        else low >= check.low - width and high <= check.high + width
    )


def _number(value: float, check: Check) -> str:
    sign = "+" if check.pairing == "difference" else ""
    return number(value, sign=sign)


def _ratio(value: float, other: float) -> float:
    return value / other if other else math.nan


_PAIRINGS: dict[str, Callable[[float, float], float]] = {"ratio": _ratio, "difference": operator.sub}
