"""What the Fusion thesis states of a periodic run, beside what this one measured. `penstock run` shows it.

The statements are those of the study (`penstock.studies.fusion.claims`), of which a single experiment can
answer the parts about the periodic workload; the verdicts are `penstock.studies.judge`'s. `penstock reproduce
fusion` answers all of them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from penstock.results import Results
from penstock.scenario import Scenario
from penstock.studies.claim import Check, Claim, Computed, Part
from penstock.studies.fusion.claims import CLAIMS
from penstock.studies.judge import CONTROL, FindingVerdict, Judged, judge_claim
from penstock.workload_sections import PeriodicTraffic

LOAD = "traffic.rate_pps"
PERIODIC = "periodic"
"""The key of the study's experiment that a run is taken for, and the kind of traffic that it needs."""
TABLES = {"fusion.coverage": "coverage_50_s"}
"""Claims about a whole table, of which one row is judged here: the report shows the table itself."""
VERDICTS: tuple[FindingVerdict, ...] = get_args(FindingVerdict)
"""In the order of tables."""


def findings(results: Results) -> list[Judged]:
    """The thesis's claims with what these results say to their parts, in the order of its figures.

    Empty when the workload is not periodic; when the experiment has other axes than the strategy and the
    load, for then no point of the grid is "the" strategy at that load; and when nothing of it was measured.
    """
    if set(results.axes) - {CONTROL, LOAD} or not _is_the_thesiss_workload(results.scenario):
        return []
    judged = [judge_claim(claim, {PERIODIC: (results, LOAD)}) for claim in periodic_claims()]
    return judged if measured(judged) else []


def measured_parts(judged: Judged) -> Judged | None:
    """A claim with the parts that were measured only; None when none was."""
    parts = tuple(part for part in judged.parts if part.verdict != "not measured")
    return replace(judged, parts=parts) if parts else None


def measured(found: Sequence[Judged]) -> list[Judged]:
    """The claims of which anything was measured, with those parts only."""
    return [each for judged in found if (each := measured_parts(judged)) is not None]


def counted(found: Sequence[Judged]) -> str:
    """How often each verdict fell on a part: "agrees: 3, does not agree: 2"."""
    fell = [part.verdict for judged in found for part in judged.parts]
    return ", ".join(f"{verdict}: {n}" for verdict in VERDICTS if (n := fell.count(verdict)))


def loads(check: Check | Computed) -> str:
    """The load that a check is about, in packets/s per node; both where it compares two."""
    if isinstance(check, Computed):
        return ""
    at = [check.of.at] if check.versus is None else [check.of.at, check.versus.at]
    return ", ".join(f"{load:g}" for load in dict.fromkeys(at))


def periodic_claims() -> list[Claim]:
    """The thesis's claims with the parts that a run of the periodic workload answers."""
    kept = [(claim, tuple(p for p in claim.parts if _answered(p, TABLES.get(claim.id)))) for claim in CLAIMS]
    return [replace(claim, parts=parts) for claim, parts in kept if parts]


def _answered(part: Part, only: str | None) -> bool:
    if not isinstance(part, Check) or (only is not None and part.of.metric != only):
        return False
    samples = (part.of,) if part.versus is None else (part.of, part.versus)
    return all(sample.experiment == PERIODIC for sample in samples)


def _is_the_thesiss_workload(scenario: Scenario) -> bool:
    """Section 5.3: equal periodic sources that wait, and nodes that live."""
    traffic = scenario.traffic
    return (
        isinstance(traffic, PeriodicTraffic)
        and traffic.rate_spread == 1
        and scenario.application.adaptation == "wait"
        and scenario.faults.failing == 0
    )
