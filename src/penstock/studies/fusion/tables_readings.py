"""How much each open reading moves the result, and what it does to the network without control."""

import math

from penstock.studies.cells import cell
from penstock.studies.claim import Sample
from penstock.studies.fusion.readings import DEFAULT, READINGS, Reading
from penstock.studies.fusion.samples import KNEE, LIGHT, SILENT
from penstock.studies.fusion.thesis import HIGH_LOAD, TABLE_LOAD
from penstock.studies.judge import measured
from penstock.studies.number import number
from penstock.studies.section import Loaded, Section, Table

LOST_MOST = 0.8
"""5.3.5: channel loss without control approaches more than this at 4 packets/s."""
STARVED = (0.65, 0.75)
"""3.1: close to 70 % of the sources at 2 packets/s."""


def _at(reading: Reading, strategy: str, metric: str, load: float = HIGH_LOAD) -> Sample:
    key = DEFAULT.key if strategy == "none" and reading.unmodified else reading.key
    return Sample(f"reading-{key}", strategy, metric, load)


def _ran(tables: Loaded) -> list[Reading]:
    return [reading for reading in READINGS if f"reading-{reading.key}" in tables]


def _name(reading: Reading) -> str:
    return f"{reading.question}: {reading.text}" if reading.sections else reading.text


def sensitivity(tables: Loaded) -> Table | None:
    """Each alternative against the gain of Fusion and of occupancy."""
    rows: list[tuple[str, ...]] = []
    for reading in _ran(tables):
        gains = [
            cell(_at(reading, s, metric), tables, _at(reading, "none", metric), "ratio")
            for s, metric in (
                ("fusion", "efficiency"),
                ("fusion", "fairness"),
                ("fusion", "throughput_pps"),
                ("occupancy", "efficiency"),
                ("rate", "efficiency"),
            )
        ]
        rows.append((_name(reading), reading.basis, cell(_at(reading, "none", "efficiency"), tables), *gains))
    head = (
        "reading",
        "basis",
        "efficiency, none",
        "Fusion's gain in efficiency",
        "in fairness",
        "in throughput",
        "occupancy's gain in efficiency",
        "rate limiting's",
    )
    return Table(head, tuple(rows)) if rows else None


def anchors(tables: Loaded) -> Table | None:
    """What each world does without any control, beside what the thesis says of its own."""
    rows: list[tuple[str, ...]] = []
    for reading in (each for each in _ran(tables) if not each.unmodified):
        mean = {
            (metric, load): _mean(tables, reading, metric, load)
            for metric, load in (
                ("channel_loss_rate", HIGH_LOAD),
                ("throughput_pps", LIGHT),
                ("throughput_pps", HIGH_LOAD),
                ("median_node_throughput_pps", LIGHT),
                ("median_node_throughput_pps", KNEE),
                ("median_node_throughput_pps", TABLE_LOAD),
                ("starved_fraction", TABLE_LOAD),
            )
        }
        loss = mean["channel_loss_rate", HIGH_LOAD]
        low, high = mean["throughput_pps", LIGHT], mean["throughput_pps", HIGH_LOAD]
        light, knee, past = (mean["median_node_throughput_pps", load] for load in (LIGHT, KNEE, TABLE_LOAD))
        starved = mean["starved_fraction", TABLE_LOAD]
        met = [
            loss >= LOST_MOST,
            high > low,
            knee > light,
            past <= SILENT,
            STARVED[0] <= starved <= STARVED[1],
        ]
        known = [not math.isnan(v) for v in (loss, high - low, knee - light, past, starved)]
        marks = [" ●" if ok else "" for ok in met]
        rows.append(
            (
                _name(reading),
                f"{number(loss)}{marks[0]}",
                f"{number(low)} → {number(high)}{marks[1]}",
                f"{number(light)} → {number(knee)}{marks[2]}",
                f"{number(past)}{marks[3]}",
                f"{number(starved)}{marks[4]}",
                f"{sum(met)} of {sum(known)}",
            )
        )
    head = (
        "world, without control",
        "channel loss at 4 (> 0.8)",
        "throughput 0.25 → 4 (grows)",
        "median node 0.25 → 0.5 (grows)",
        "median node at 2 (near 0)",
        "starved at 2 (0.70)",
        "met",
    )
    return Table(head, tuple(rows)) if rows else None


def _mean(tables: Loaded, reading: Reading, metric: str, load: float) -> float:
    value = measured(_at(reading, "none", metric, load), tables)
    return math.nan if value is None else value.mean


READING_SECTIONS: tuple[Section, ...] = (
    Section(
        "anchors",
        "The world, pinned on the network without control",
        "What the thesis says of its testbed without any control, and what each candidate world does (means "
        "over seeds). ● meets it. No alternative was judged by what it does to a strategy.",
        anchors,
    ),
    Section(
        "sensitivity",
        "What the open readings do to the result",
        "At 4 packets/s a node. Each row changes one thing of the world as it is; gains are ratios to no "
        "control in the same world, paired by seed.",
        sensitivity,
    ),
)
