"""The commands of `penstock`. Exit codes: 0 done, 1 a run or the output failed, 2 bad input, 130 stopped."""

import functools
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, ParamSpec, cast

import typer

from penstock import _engine, carry, experiment, saturation, terminal
from penstock.errors import BadInput, Interrupted, RunFailed
from penstock.exits import FAILED, STOPPED, output_failed
from penstock.plan import planned, shape_of
from penstock.progress import TransferBar, note
from penstock.results import REPORT, Failure, Results
from penstock.scenario import MOST_SEEDS
from penstock.scenario_file import load_scenario
from penstock.store import json_text
from penstock.studies import all_studies, find_study
from penstock.studies import reproduce as reproducing
from penstock.studies.study import Effort
from penstock.version import __version__

BAD_INPUT = 2
FAILURES_SHOWN = 5

P = ParamSpec("P")
app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

FileArgument = Annotated[Path, typer.Argument(help="Scenario file (TOML).", show_default=False)]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change a setting, e.g. traffic.rate_pps=2 or =[1,2]; repeatable."
    ),
]
SeedsOption = Annotated[
    int | None,
    typer.Option("--seeds", min=1, max=MOST_SEEDS, help="Runs per point (default: the scenario's)."),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Runs at a time (default: one a core).")
]


def _explained(command: Callable[P, None]) -> Callable[P, None]:
    """Turns our errors into a message and an exit code."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except BadInput as error:
            raise _stop(str(error), BAD_INPUT) from None
        except RunFailed as error:
            raise _stop(str(error), FAILED) from None
        except Interrupted as error:
            raise _stop(f"{error}. The same command goes on from there.", STOPPED) from None
        except KeyboardInterrupt:
            raise _stop("stopped", STOPPED) from None

    return wrapped


def _print_version(wanted: bool) -> None:
    if wanted:
        with _writing():
            print(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """What congestion control does to a low-power wireless network, before anyone deploys it."""


@app.command()
@_explained
def run(
    file: FileArgument,
    out: Annotated[Path, typer.Option("--out", help="Folder for the results.", show_default=False)],
    changes: SetOption = None,
    seeds: SeedsOption = None,
    jobs: JobsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print summary.json and nothing else.")] = False,
) -> None:
    """Run a scenario's whole grid; go on where an earlier run into the same folder stopped."""
    scenario = load_scenario(file, changes or ())
    results = experiment.run(scenario, out, seeds=seeds, jobs=jobs, progress=not as_json)
    _print(results, out, as_json)
    if results.failures:
        raise _stop(_failure_text(results.failures), FAILED)


@app.command()
@_explained
def reproduce(
    study: Annotated[str, typer.Argument(help="Which study; `penstock studies` lists them.")],
    quick: Annotated[bool, typer.Option("--quick", help="Minutes, few seeds; the default.")] = False,
    full: Annotated[bool, typer.Option("--full", help="As many runs as the paper.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for everything (default: results/reproduce-STUDY-EFFORT)."),
    ] = None,
    jobs: JobsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print claims.json and nothing else.")] = False,
) -> None:
    """Run a paper's experiments, judge its claims, draw its figures; go on where an earlier run stopped."""
    if quick and full:
        raise BadInput("--quick and --full exclude each other")
    effort: Effort = "full" if full else "quick"
    find_study(study)
    folder = out if out is not None else Path("results") / f"reproduce-{study}-{effort}"
    announce = _unheard if as_json else note
    if effort == "quick":
        announce("--quick: few seeds. --full runs as many as the paper")
    made = reproducing.reproduce(study, effort, folder, jobs=jobs, progress=not as_json, announce=announce)
    _print_study(made, folder, as_json)


@app.command()
@_explained
def studies() -> None:
    """List the studies that can be made again, with their papers."""
    with _writing():
        print("\n".join(f"{study.name}  {study.title}\n    {study.paper}" for study in all_studies()))


@app.command()
@_explained
def report(
    folder: Annotated[Path, typer.Argument(help="A folder of results or of a study.", show_default=False)],
) -> None:
    """Draw report.html again from stored results, and print the tables."""
    from penstock.report import write_report  # the charts' libraries take a moment to load

    if reproducing.is_study(folder):
        _print_study(reproducing.redraw(folder), folder, as_json=False)
        return
    results = Results.load(folder)
    try:
        write_report(results, folder / REPORT)
    except OSError as error:
        raise BadInput(f"{folder / REPORT}: cannot be written: {error.strerror or error}") from None
    _print(results, folder, as_json=False)


@app.command()
@_explained
def check(file: FileArgument, changes: SetOption = None, seeds: SeedsOption = None) -> None:
    """Validate a scenario, build its topology, and say what the network looks like without load."""
    scenario = load_scenario(file, changes or ())
    if seeds is not None:
        scenario = scenario.model_copy(update={"seeds": seeds})
    plan = planned(scenario, announce=True)
    if plan.warning:
        note(plan.warning)
    point, network = plan.points[0].scenario, plan.networks[0]
    seen = shape_of(point, network, 1)
    with _writing():
        out = terminal.console()
        out.print(f"scenario      {scenario.name}: {len(plan.points)} points, {len(plan.runs)} runs")
        terminal.print_shape(network, seen, out)


@app.command()
@_explained
def transfer(
    file: Annotated[Path, typer.Argument(help="The file to carry.", show_default=False)],
    topology: Annotated[
        Path, typer.Option("--topology", help="Scenario file (TOML) of the network.", show_default=False)
    ],
    source: Annotated[str, typer.Option("--source", help="The node that has the file.", show_default=False)],
    mode: Annotated[
        str | None,
        typer.Option("--mode", help="Like --set bulk.mode=..: flush, flush_e2e, fixed, asap, blockwise."),
    ] = None,
    changes: SetOption = None,
    beside: Annotated[
        bool, typer.Option("--beside-traffic", help="Let the scenario's traffic go on meanwhile.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of channel and chance.")] = 1,
    received: Annotated[
        Path | None,
        typer.Option("--received", help="Write what the sink has got to this file.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the run's tables (Parquet).", show_default=False)
    ] = None,
) -> None:
    """Carry a file from a node to the sink of a simulated network, and compare the bytes."""
    content = carry.read_object(file)
    scenario = carry.scenario_for(topology, source, content, mode, changes or (), beside)
    for path in (received.parent if received else None, out):
        if path is not None and path.exists() and not path.is_dir():
            raise BadInput(f"{path}: is no folder")
    with TransferBar(shown=True) as bar:
        made = carry.carry(
            scenario,
            content,
            seed,
            lambda watch: bar.show(watch.arrived, watch.packets, watch.time_ns * 1e-9),
        )
        bar.show(cast(int, made.row["arrived"]), cast(int, made.row["packets"] or 0), made.simulated_s)
    carry.write(made, out, received)
    with _writing():
        terminal.print_transfer(made, terminal.console())
    if not made.same_bytes:
        raise _stop(f"the transfer failed: {terminal.failure_words(made.row)}", FAILED)


@app.command("saturation")
@_explained
def saturate(
    file: Annotated[
        Path | None,
        typer.Argument(help="Scenario whose radio, MAC and frame length count.", show_default=False),
    ] = None,
    changes: SetOption = None,
    macs: Annotated[
        list[str] | None,
        typer.Option(
            "--mac", help="Which MAC; repeatable (default: those of the CC2420).", show_default=False
        ),
    ] = None,
    frame: Annotated[
        int | None,
        typer.Option("--frame", help="Bytes of a frame, header to check sequence.", show_default="40"),
    ] = None,
    senders: Annotated[int, typer.Option("--senders", help="Up to how many senders.")] = 10,
    seeds: Annotated[int, typer.Option("--seeds", min=1, max=MOST_SEEDS, help="Runs per point.")] = 3,
    seconds: Annotated[float, typer.Option("--seconds", help="Simulated, per run.")] = 60.0,
    table: Annotated[
        Path | None,
        typer.Option("--table", help="Write WRCP's capacity table (TOML) to this file.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Measure what a receiver gets from 1, 2, 3 ... backlogged senders in one room (WRCP, Fig. 4)."""
    if file is not None and (macs or frame is not None):
        raise BadInput("--mac and --frame do not go with a scenario file: change it with --set")
    if file is not None:
        measured = [load_scenario(file, changes or ())]
    else:
        bytes_on_air = saturation.FRAME_BYTES if frame is None else frame
        names = macs or saturation.OF_THE_CC2420
        measured = [saturation.mac_scenario(mac, bytes_on_air, changes or ()) for mac in names]
    if table is not None and len(measured) > 1:
        raise BadInput("--table is for one MAC: name it with --mac")
    points = saturation.curve(measured, senders, seconds, seeds)
    if table is not None:
        try:
            table.write_text(saturation.capacity_table(points), encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{table}: cannot be written: {error.strerror or error}") from None
    with _writing():
        if as_json:
            sys.stdout.write(json_text(saturation.as_json(points, seeds)))
            sys.stdout.flush()
            return
        terminal.print_saturation(points, terminal.console())


@app.command()
@_explained
def strategies() -> None:
    """List the congestion control strategies of the library."""
    with _writing():
        print("\n".join(_engine.strategies()))


@app.command()
@_explained
def scenarios() -> None:
    """List the ready scenario files, here and in Penstock's own source tree."""
    folders = [Path("scenarios"), Path(__file__).parents[2] / "scenarios"]
    lines: dict[Path, str] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.toml"))):
        if path.resolve() in lines:
            continue
        try:
            lines[path.resolve()] = f"{path}  {load_scenario(path).description}".rstrip()
        except BadInput as error:
            lines[path.resolve()] = f"{path}  not usable: {error}"
    if not lines:
        print("no scenario files found: they lie in scenarios/ of Penstock's source tree", file=sys.stderr)
        return
    with _writing():
        print("\n".join(lines.values()))


@contextmanager
def _writing() -> Generator[None]:
    """Standard output may be a full disk or a pipe that nobody reads any more."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        raise typer.Exit(output_failed(error)) from None


def _print(results: Results, folder: Path, as_json: bool) -> None:
    with _writing():
        if as_json:
            sys.stdout.write(json_text(results.summary))
            sys.stdout.flush()
            return
        out = terminal.console()
        terminal.print_results(results, out)
        out.print(f"Report: {folder / REPORT}")


def _print_study(made: reproducing.Reproduction, folder: Path, as_json: bool) -> None:
    with _writing():
        if as_json:
            sys.stdout.write(json_text(made.as_json()))
            sys.stdout.flush()
            return
        out = terminal.console()
        terminal.print_study(made, out)
        out.print(f"Report: {folder / REPORT}")


def _unheard(text: str) -> None:
    """Where nothing is to be said."""


def _failure_text(failures: list[Failure]) -> str:
    lines = [f"{len(failures)} runs failed; the others are complete:"]
    for failure in failures[:FAILURES_SHOWN]:
        where = ", ".join(f"{key} = {value}" for key, value in failure.axes.items())
        lines.append(f"  {where or 'the only point'}, seed {failure.seed}: {failure.message}")
    if len(failures) > FAILURES_SHOWN:
        lines.append(f"  ... and {len(failures) - FAILURES_SHOWN} more, listed in manifest.json")
    return "\n".join(lines)


def _stop(message: str, code: int) -> typer.Exit:
    print(f"penstock: {message}", file=sys.stderr)
    return typer.Exit(code)
