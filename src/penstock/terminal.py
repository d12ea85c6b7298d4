"""What the commands print: the strategies side by side, the thesis's findings, the shape of a network."""

import errno
import math
import os
from collections.abc import Mapping, Sequence

import polars as pl
from rich.console import Console
from rich.table import Table

from penstock.carry import Carried
from penstock.findings import LOAD, counted, loads, measured
from penstock.results import Results
from penstock.saturation import LEVEL, WRCP_WORDS, Saturation
from penstock.statistics import KNOWN_METRICS, Estimate, estimate
from penstock.studies.judge import CLAIM_VERDICTS, Judged
from penstock.studies.reproduce import Reproduction
from penstock.topology.check import Shape
from penstock.topology.network import Network

COLUMNS = {
    "efficiency": "efficiency",
    "fairness": "fairness",
    "throughput_pps": "throughput\npackets/s",
    "median_node_throughput_pps": "median node\npackets/s",
    "latency_s": "latency\ns",
    "channel_loss_rate": "channel\nloss",
    "buffer_drop_rate": "buffer\ndrops",
    "delivery_ratio": "delivery\nratio",
}
FLOW_COLUMNS = {"packets_per_flow": "packets\na flow", "goodput_Bps": "goodput\nB/s"}
TRANSFER_COLUMNS = {
    "completion_s": "completion\ns",
    "goodput_Bps": "goodput\nB/s",
    "overall_Bps": "overall\nB/s",
    "transfer_loss_rate": "lost before\nrepair",
    "bulk_transmissions": "bulk\nframes",
    "transfers_done": "done",
}
FAILURES = {
    "unreachable": "no answer from the source: no way to it, or no such node on the air",
    "silent": "answers stopped coming",
    "refused": "the source refused",
    "busy": "the source is serving another sink",
    "size": "the object is too long for its packets",
    "integrity": "the check failed again and again",
    "stopped": "it was stopped",
    "running": "it had not ended when the run did",
}
"""Outcomes of a transfer in words."""
PIPE_WIDTH = 150
"""Columns of text when the output is no terminal."""
COLOURS = {
    "agrees": "green",
    "direction only": "yellow",
    "does not agree": "red",
    "inconclusive": "magenta",
    "not measured": "dim",
    "reproduced": "green",
    "not reproduced": "red",
}


class _Output(Console):
    """A closed pipe is an error like any other; Rich would exit without a word."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console() -> Console:
    """Standard output; wide enough for the tables when it is a file or a pipe."""
    out = _Output(highlight=False)
    return out if out.is_terminal else _Output(highlight=False, width=PIPE_WIDTH, soft_wrap=True)


def print_results(results: Results, out: Console) -> None:
    """The grid's points at its highest load, then the thesis's findings where they apply."""
    out.print(_strategies(results))
    if results.findings:
        out.print(_findings(results.findings, results))


def _strategies(results: Results) -> Table:
    runs, keys = results.runs, list(results.axes)
    level = f"{results.scenario.confidence:.0%}"
    title = f"{results.scenario.name}: mean over {len(results.seeds)} seeds, ± half the {level} interval"
    if LOAD in keys and len(keys) > 1:
        highest = float(runs[LOAD].max())  # pyright: ignore[reportArgumentType]
        runs, keys = runs.filter(pl.col(LOAD) == highest), [key for key in keys if key != LOAD]
        title += f", at {highest:g} packets/s per node"
    table = Table(*keys, title=title, title_justify="left")
    with_readings = bool(runs["generated"].sum())
    columns = COLUMNS if with_readings or "transfers_done" not in runs.columns else {}
    columns |= FLOW_COLUMNS if "packets_per_flow" in runs.columns else {}
    columns |= TRANSFER_COLUMNS if "transfers_done" in runs.columns else {}
    for heading in columns.values():
        table.add_column(heading, justify="right")
    groups = runs.partition_by(keys, as_dict=True, maintain_order=True) if keys else {(): runs}
    for values, group in groups.items():
        cells = [_compact(_over_seeds(group, metric, results)) for metric in columns]
        table.add_row(*(str(value) for value in values), *cells)
    return table


def _findings(judged: list[Judged], results: Results) -> Table:
    title = "Beside what the thesis found on its 55-node office floor (sections 3.1 and 5.3)"
    table = Table(
        "the thesis says", "part", "load", "there", "here", "verdict", title=title, title_justify="left"
    )
    for each in measured(judged):
        words = f"{each.claim.statement} ({each.claim.source})"
        for part in each.parts:
            table.add_row(
                *(words, part.check.statement, loads(part.check), part.check.paper, part.measured),
                _coloured(part.verdict),
            )
            words = ""
        table.add_section()
    level, seeds = results.scenario.confidence, len(results.seeds)
    table.caption = f"{counted(judged)}. Intervals at {level:.0%} over {seeds} seeds."
    return table


def _coloured(verdict: str) -> str:
    return f"[{COLOURS[verdict]}]{verdict}[/]"


def print_study(made: Reproduction, out: Console) -> None:
    """A study's claims with their verdicts, how many got each, and what was left out."""
    table = Table("id", "statement", "paper", "measured", "verdict", title_justify="left")
    table.title = f"{made.study.title} (--{made.effort})"
    for judged in made.judged:
        claim, parts = judged.claim, len(judged.parts)
        holding = f" ({judged.holding} of {parts} parts)" if parts > 1 else ""
        table.add_row(
            *(claim.id, f"{claim.statement} ({claim.source})"),
            *(claim.paper, judged.first.measured, f"{_coloured(judged.verdict)}{holding}"),
        )
    out.print(table)
    fell = [judged.verdict for judged in made.judged]
    counts = ", ".join(f"{fell.count(verdict)} {verdict}" for verdict in CLAIM_VERDICTS)
    out.print(f"{len(fell)} claims: {counts}.")
    for key, reason in made.skipped.items():
        out.print(f"Left out: {key}: {reason}", markup=False)
    if made.effort != "full":
        out.print("Few seeds make wide intervals: a claim may fail here that more seeds would settle.")


def _over_seeds(group: pl.DataFrame, metric: str, results: Results) -> Estimate:
    values = group[metric].fill_null(math.nan).to_list()
    return estimate(values, results.scenario.confidence, KNOWN_METRICS[metric].by_inverse)


def _compact(value: Estimate) -> str:
    """0.163±0.012; a dash when undefined."""
    if math.isnan(value.mean):
        return "–"
    half = "" if math.isnan(value.high) else f"±{value.high - value.mean:.2g}"
    return f"{value.mean:.3g}{half}"


def print_shape(network: Network, seen: Shape, out: Console) -> None:
    """Degree, depth and reach of one seed's unloaded network."""
    connected = seen.depth[seen.depth > 0]
    out.print(f"nodes         {len(network)}, sink {network.labels[network.sink]}")
    out.print(
        f"neighbourhood {seen.neighborhood.mean():.1f} nodes hear a frame on average, "
        f"{seen.neighborhood.min():.1f} at least"
    )
    if connected.size:
        out.print(f"depth         {connected.mean():.2f} hops on average, {connected.max()} at most")
    out.print(f"connected     {int((seen.depth >= 0).sum())} of {len(network)}")
    if seen.disconnected:
        out.print("no path       " + ", ".join(network.labels[node] for node in seen.disconnected))


def print_transfer(made: Carried, out: Console) -> None:
    """What one transfer took."""
    row = made.row
    shown = {
        "hops": ("hops", "d"),
        "seconds": ("completion_s", ".1f"),
        "B/s": ("overall_Bps", ".0f"),
        "packets": ("packets", "d"),
        "lost before repair": ("transfer_loss_rate", ".1%"),
        "rounds of repair": ("rounds", "d"),
        "frames on air": ("transmissions", "d"),
        "queue drops": ("queue_drops", "d"),
    }
    table = Table(title=f"{row['bytes']:,} bytes from node {row['source']} to the sink", title_justify="left")
    for heading in shown:
        table.add_column(heading, justify="right")
    table.add_row(*("–" if row[key] is None else format(row[key], form) for key, form in shown.values()))
    out.print(table)
    if made.same_bytes:
        out.print("The sink has the same bytes.")


def failure_words(row: Mapping[str, object]) -> str:
    """Why a transfer brought nothing, from its row."""
    outcome = str(row["outcome"])
    return {**FAILURES, "done": "the bytes differ"}.get(outcome, outcome)


def print_saturation(points: Sequence[Saturation], out: Console) -> None:
    """One row a number of senders, three columns a MAC, and what WRCP measured."""
    macs = list(dict.fromkeys(point.mac for point in points))
    frame_bytes = points[0].frame_bytes
    table = Table(title=f"Saturation throughput, frames of {frame_bytes} bytes, {LEVEL:.0%} intervals")
    table.add_column("senders", justify="right")
    for mac in macs:
        table.add_column(f"{mac}\nframes/s", justify="right")
        table.add_column("\nnew packets/s", justify="right")
        table.add_column("\nlost", justify="right")
    for count in sorted({point.senders for point in points}):
        row = [str(count)]
        for mac in macs:
            point = next(one for one in points if (one.mac, one.senders) == (mac, count))
            row += [
                _rate(point.frames_pps),
                _rate(point.throughput_pps),
                f"{point.channel_loss_rate.mean:.1%}",
            ]
        table.add_row(*row)
    out.print(table)
    out.print(f"WRCP, Fig. 4 (TinyOS 2.0.2.2 on Tmote Sky, about 40 bytes): {WRCP_WORDS}.")


def _rate(rate: Estimate) -> str:
    return f"{rate.mean:.1f}" + ("" if math.isnan(rate.low) else f" ± {rate.high - rate.mean:.1f}")
