"""Runs a scenario's grid on all cores, keeps what is finished, and goes on where it stopped."""

import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Any

from penstock import _engine, store
from penstock.errors import BadInput, Interrupted, RunFailed
from penstock.journal import Journal, RunTables
from penstock.plan import Plan, planned
from penstock.progress import ProgressBar, note
from penstock.results import JOURNAL, MANIFEST, REPORT, Failure, Results
from penstock.scenario import MOST_SEEDS, Scenario
from penstock.scenario_file import load_scenario
from penstock.statistics import summarised
from penstock.tables import assembled, metrics_by_point, run_tables
from penstock.world import flows_in, workload, world_spec

Run = tuple[int, int]
"""(index of the point, seed)."""
SIGNAL_CHECK_S = 0.2
"""A thread that waits for ever may not notice Ctrl-C when the kernel hands the signal to a busy worker."""


def run(
    scenario: Scenario | Path | str,
    out: Path | str | None = None,
    *,
    seeds: int | None = None,
    jobs: int | None = None,
    progress: bool = False,
    report: bool = True,
) -> Results:
    """Runs every point of `scenario` for seeds 1 to `seeds` (default: the scenario's) and returns the
    results.

    scenario: a Scenario or the path of a scenario file.
    out: folder for manifest.json, summary.json, the Parquet tables and report.html. Runs finished there
        before are not repeated. None keeps everything in memory.
    jobs: runs at a time (default: one a core). The results do not depend on it.
    progress: show a bar with the remaining time on standard error, and that a large network takes its time.
    report: write report.html as well, when there is an `out`.

    Seeds whose channel leaves a node without a path by chance are run, named on standard error and listed in
    the manifest.

    Raises BadInput before anything is written when the scenario, its topology or `out` is not usable, and
    Interrupted on Ctrl-C, with all finished runs kept in `out`. Runs that fail are listed in
    `Results.failures`, the others are complete; RunFailed when all of them fail.
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    if seeds is not None:
        if not 1 <= seeds <= MOST_SEEDS:
            raise BadInput(f"seeds is {seeds} but should be 1 to {MOST_SEEDS}")
        scenario = scenario.model_copy(update={"seeds": seeds})
    if jobs is not None and jobs < 1:
        raise BadInput(f"jobs is {jobs} but should be at least 1")
    plan = planned(scenario, announce=progress)
    if plan.warning:
        note(plan.warning)
    folder = None if out is None else Path(out)
    if folder is not None:
        store.claim(folder, plan.identity, scenario.name)
    manifest = _manifest(plan)
    journal = Journal(folder / JOURNAL if folder else None, plan.identity)
    try:
        if folder is not None and not (folder / MANIFEST).exists():
            store.write_manifest(folder, manifest)
        failures = _run_all(plan, journal, jobs or os.cpu_count() or 1, progress)
        results = _collected(plan, journal, failures, manifest)
    finally:
        journal.close()
    if folder is not None:
        _write(folder, results, report)
    return results


def _run_all(plan: Plan, journal: Journal, jobs: int, progress: bool) -> list[Failure]:
    """Runs what is not in the journal yet. Only this thread writes to the journal."""
    finished = journal.finished()
    todo = [run for run in plan.runs if run not in finished]
    failures: list[Failure] = []
    if not todo:
        return failures
    waiting = iter(todo)
    _engine.reset_cancel()
    with (
        ProgressBar(len(plan.runs), len(plan.runs) - len(todo), shown=progress) as bar,
        ThreadPoolExecutor(jobs) as pool,
    ):
        pending = {pool.submit(_simulated, plan, r): r for r in islice(waiting, 2 * jobs)}
        try:
            while pending:
                done, _ = wait(pending, timeout=SIGNAL_CHECK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    failures += _kept(plan, journal, pending.pop(future), future)
                    bar.advance()
                    pending |= {pool.submit(_simulated, plan, r): r for r in islice(waiting, 1)}
        except KeyboardInterrupt:
            _engine.cancel()
            pool.shutdown(cancel_futures=True)
            for future, which in pending.items():
                if future.done() and not future.cancelled():
                    _kept(plan, journal, which, future)
            kept = len(journal.finished() & set(plan.runs))
            raise Interrupted(f"stopped after {kept} of {len(plan.runs)} runs") from None
        except BaseException:
            _engine.cancel()
            pool.shutdown(cancel_futures=True)
            raise
    order = {run: place for place, run in enumerate(plan.runs)}
    points = {repr(dict(point.axes)): point.index for point in plan.points}
    return sorted(failures, key=lambda f: order[points[repr(dict(f.axes))], f.seed])


def _simulated(plan: Plan, run: Run) -> RunTables:
    """One run, in a worker thread; the engine releases the GIL."""
    point, seed = run
    scenario = plan.points[point].scenario
    spec = world_spec(scenario, plan.networks[point], seed)
    try:
        records = _engine.run(spec)
    except ValueError as error:
        raise BadInput(f"the engine refuses this scenario: {error}") from None
    return run_tables(records, workload(spec, scenario, records), flows_in(spec, records), spec.settle_s)


def _kept(plan: Plan, journal: Journal, run: Run, future: "Future[RunTables]") -> list[Failure]:
    """Keeps a finished run. One Failure when it failed, none when it was cancelled. Bad input is raised."""
    point, seed = run
    error = future.exception()
    if error is None:
        journal.keep(point, seed, future.result())
    elif isinstance(error, BadInput):
        raise error
    elif not isinstance(error, _engine.Cancelled):
        return [Failure(plan.points[point].axes, seed, f"{type(error).__name__}: {error}")]
    return []


def _collected(plan: Plan, journal: Journal, failures: list[Failure], manifest: dict[str, Any]) -> Results:
    scenario = plan.scenario
    kept = list(journal.kept(scenario.seeds))
    if not kept:
        raise RunFailed(f"all {len(plan.runs)} runs failed; the first one said: {failures[0].message}")
    summary = summarised(scenario.name, metrics_by_point(plan.points, kept), scenario.confidence)
    frames = assembled(plan.points, plan.networks, kept)
    manifest = manifest | {
        "finished": store.now(),
        "failures": [{"axes": dict(f.axes), "seed": f.seed, "message": f.message} for f in failures],
    }
    seeds = list(range(1, scenario.seeds + 1))
    return Results(
        scenario,
        list(scenario.axes),
        seeds,
        frames.runs,
        frames.nodes,
        frames.links,
        summary,
        failures,
        manifest,
        frames.flows,
        frames.series,
        frames.transfers,
        frames.bulk,
    )


def _manifest(plan: Plan) -> dict[str, Any]:
    scenario = plan.scenario
    return {
        "identity": plan.identity,
        "scenario": scenario.model_dump(mode="json", exclude_unset=True),
        "with_defaults": scenario.model_dump(mode="json"),
        "axes": list(scenario.axes),
        "seeds": list(range(1, scenario.seeds + 1)),
        "disconnected": [{"seed": cut.seed, "nodes": cut.nodes} for cut in plan.disconnected],
        "software": store.software(),
        "started": store.now(),
        "finished": None,
        "failures": [],
    }


def _write(folder: Path, results: Results, report: bool) -> None:
    store.write_tables(folder, results)
    if report:
        from penstock.report import write_report  # the charts' libraries take a moment

        write_report(results, folder / REPORT)
    store.write_manifest(folder, results.manifest)
