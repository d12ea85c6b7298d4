"""Runs a study's experiments, judges its claims, and leaves both with the figures in one folder.

The folder holds one results folder for each experiment, study.json (which study and effort), claims.json and
report.html. What is finished is not run again; drawing again takes the stored results alone.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from penstock import experiment, store
from penstock.errors import BadInput, MissingData, RunFailed
from penstock.results import Results
from penstock.studies import find_study
from penstock.studies.derived import with_derived
from penstock.studies.judge import Finding, Judged, judge_claim
from penstock.studies.section import Loaded
from penstock.studies.study import Effort, Study
from penstock.version import __version__

STUDY, CLAIMS = "study.json", "claims.json"
DIGITS = 6
"""Significant digits in claims.json."""


@dataclass(frozen=True)
class Reproduction:
    """A study with its results. skipped: experiments whose files are absent, with the reason."""

    study: Study
    effort: Effort
    results: Loaded
    skipped: dict[str, str]
    judged: tuple[Judged, ...]

    def note(self, judged: Judged) -> str:
        """Which parts fail, then the study's own words on why; empty when all agree."""
        if judged.verdict == "reproduced":
            return ""
        parts = ""
        if len(judged.parts) > 1:
            failing = "; ".join(f"{f.check.statement}: {f.measured} ({f.verdict})" for f in judged.failing)
            parts = f"{judged.holding} of {len(judged.parts)} parts agree. Not: {failing}."
        elif judged.first.verdict in ("inconclusive", "not measured"):
            parts = f"{judged.first.verdict.capitalize()}."
        return " ".join(text for text in (parts, self.study.notes.get(judged.claim.id, "")) if text)

    def as_json(self) -> dict[str, Any]:
        """The claims as data: what `penstock reproduce --json` prints."""
        return {
            "study": self.study.name,
            "effort": self.effort,
            "penstock": __version__,
            "claims": [self._claim(judged) for judged in self.judged],
            "skipped": self.skipped,
        }

    def _claim(self, judged: Judged) -> dict[str, Any]:
        claim, first = judged.claim, judged.first
        value = first.estimate
        return {
            "id": claim.id,
            "source": claim.source,
            "statement": claim.statement,
            "paper": claim.paper,
            "measured": _json(value.mean) if value else None,
            "ci": [_json(value.low), _json(value.high)] if value else None,
            "text": first.measured,
            "level": value.level if value else None,
            "verdict": judged.verdict,
            "note": self.note(judged),
            "parts": [_part(part) for part in judged.parts],
        }


def reproduce(
    name: str,
    effort: Effort,
    out: Path | str,
    *,
    jobs: int | None = None,
    progress: bool = False,
    announce: Callable[[str], None] = lambda text: None,
) -> Reproduction:
    """Runs what is not finished yet of the study `name` into `out`, and writes the claims and the report.

    Raises BadInput for an unknown study, or when `out` holds something else; Interrupted on Ctrl-C with all
    finished runs kept; RunFailed when a run fails.
    """
    study, folder = find_study(name), Path(out)
    _claim(folder, study, effort)
    results: dict[str, tuple[Results, str]] = {}
    skipped: dict[str, str] = {}
    planned = [(each, each.scenario(effort)) for each in study.experiments]
    wanted = [(each, scenario) for each, scenario in planned if scenario is not None]
    for number, (each, scenario) in enumerate(wanted, 1):
        announce(f"{number} of {len(wanted)}: {each.title}")
        try:
            found = experiment.run(scenario, folder / each.key, jobs=jobs, progress=progress, report=False)
        except MissingData as error:
            if not each.optional:
                raise
            skipped[each.key] = str(error)
            continue
        if found.failures:
            raise RunFailed(f"{each.title}: {len(found.failures)} runs failed: {found.failures[0].message}")
        results[each.key] = (with_derived(found, each.derive), each.x)
    return _written(study, effort, results, skipped, folder)


def redraw(folder: Path) -> Reproduction:
    """Claims and report again, from the stored results alone. BadInput when `folder` is no finished study."""
    stored = _stored(folder)
    study = find_study(stored["study"])
    results: dict[str, tuple[Results, str]] = {}
    for each in study.experiments:
        if each.key not in stored["skipped"] and each.scenario(stored["effort"]) is not None:
            found = Results.load(folder / each.key)
            results[each.key] = (with_derived(found, each.derive), each.x)
    return _written(study, stored["effort"], results, stored["skipped"], folder)


def is_study(folder: Path) -> bool:
    """Whether a folder was made by `reproduce`."""
    return (folder / STUDY).is_file()


def _written(
    study: Study, effort: Effort, results: Loaded, skipped: dict[str, str], folder: Path
) -> Reproduction:
    from penstock.report.study import write_study_report  # the charts' libraries take a moment

    judged = tuple(judge_claim(claim, results) for claim in study.claims)
    made = Reproduction(study, effort, results, skipped, judged)
    store.write_json(folder / STUDY, _marker(study, effort, skipped))
    store.write_json(folder / CLAIMS, made.as_json())
    write_study_report(made, folder / "report.html")
    return made


def _marker(study: Study, effort: Effort, skipped: dict[str, str]) -> dict[str, Any]:
    return {"study": study.name, "effort": effort, "penstock": __version__, "skipped": skipped}


def _claim(folder: Path, study: Study, effort: Effort) -> None:
    """Makes `folder` this study's, or finds that it is already."""
    if is_study(folder):
        stored = _stored(folder)
        if (stored["study"], stored["effort"]) != (study.name, effort):
            raise BadInput(
                f"{folder}: holds the study {stored['study']} --{stored['effort']}; choose another --out"
            )
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        occupied = any(folder.iterdir())
    except OSError as error:
        raise BadInput(f"{folder}: cannot be used: {error.strerror or error}") from None
    if occupied:
        raise BadInput(f"{folder}: is not empty and holds no Penstock study; choose another --out")
    store.write_json(folder / STUDY, _marker(study, effort, {}))


def _stored(folder: Path) -> dict[str, Any]:
    try:
        data: Any = json.loads((folder / STUDY).read_text(encoding="utf-8"))
        ok = isinstance(data["study"], str) and data["effort"] in get_args(Effort)
        ok = ok and isinstance(data["skipped"], dict)
    except (OSError, ValueError, KeyError, TypeError):
        ok, data = False, {}
    if not ok:
        raise BadInput(f"{folder / STUDY}: is no study of this Penstock version")
    return data


def _part(finding: Finding) -> dict[str, Any]:
    value = finding.estimate
    return {
        "statement": finding.check.statement,
        "source": finding.check.source,
        "paper": finding.check.paper,
        "measured": _json(value.mean) if value else None,
        "ci": [_json(value.low), _json(value.high)] if value else None,
        "text": finding.measured,
        "verdict": finding.verdict,
    }


def _json(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
