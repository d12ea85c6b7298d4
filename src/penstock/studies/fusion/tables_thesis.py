"""Table 5.2, and all strategies side by side under each of the thesis's workloads."""

import math

from penstock.metrics import COVERAGE_LEVELS
from penstock.studies.cells import cell
from penstock.studies.claim import Claim, Sample
from penstock.studies.fusion.claims_periodic import PERIODIC
from penstock.studies.fusion.samples import at, burst
from penstock.studies.fusion.thesis import BEYOND, COVERAGE, HIGH_LOAD, SIX, TABLE_LOAD
from penstock.studies.judge import judge_claim, measured
from penstock.studies.number import NOTHING, number
from penstock.studies.section import Loaded, Section, Table

MARKS = {"agrees": "●", "direction only": "◐", "does not agree": "○", "inconclusive": "?"}
COLUMNS = {
    "efficiency": "efficiency η",
    "fairness": "fairness φ",
    "throughput_pps": "at the sink, packets/s",
    "median_node_throughput_pps": "median node, packets/s",
    "latency_s": "latency, s",
    "report_latency_s": "latency from the reading on, s",
    "channel_loss_rate": "channel loss",
    "buffer_drop_rate": "buffer drops",
    "delivery_ratio": "delivered",
    "bits_per_joule": "bits/J",
}


def _coverage_claim() -> Claim:
    return next(claim for claim in PERIODIC if claim.id == "fusion.coverage")


def coverage_table(tables: Loaded) -> Table | None:
    """Table 5.2: measured period, the thesis's own, and whether they agree; then what goes beyond it."""
    if "periodic" not in tables:
        return None
    verdicts = {
        (part.strategy, part.metric): part.verdict for part in judge_claim(_coverage_claim(), tables).parts
    }
    rows: list[tuple[str, ...]] = []
    for level, percent in enumerate(COVERAGE_LEVELS):
        metric = f"coverage_{percent}_s"
        cells = [f"{percent} %"]
        for strategy in (*SIX, *BEYOND):
            value = measured(at(strategy, metric, TABLE_LOAD), tables)
            text = NOTHING if value is None else _period(value.mean)
            if strategy in COVERAGE:
                mark = MARKS.get(verdicts.get((strategy, metric), ""), "")
                text += f" ({_period(COVERAGE[strategy][level])}) {mark}"
            cells.append(text.rstrip())
        rows.append(tuple(cells))
    return Table(("nodes covered", *SIX, *BEYOND), tuple(rows))


def _period(seconds: float) -> str:
    return "∞" if math.isinf(seconds) else f"{number(seconds)} s"


def side_by_side(tables: Loaded, samples: dict[str, Sample]) -> Table | None:
    """One row a strategy, one column a metric. samples: by strategy; their metric is put in here."""
    rows: list[tuple[str, ...]] = []
    for strategy, sample in samples.items():
        cells = [
            cell(Sample(sample.experiment, strategy, metric, sample.at, sample.where), tables)
            for metric in COLUMNS
        ]
        if any(text != NOTHING for text in cells):
            rows.append((strategy, *cells))
    return Table(("strategy", *COLUMNS.values()), tuple(rows)) if rows else None


def _periodic(tables: Loaded) -> Table | None:
    return side_by_side(tables, {s: at(s, "efficiency") for s in (*SIX, *BEYOND)})


def _fan_in(tables: Loaded) -> Table | None:
    return side_by_side(tables, {s: at(s, "efficiency", HIGH_LOAD, "fan-in") for s in (*SIX, *BEYOND)})


def _event(size: int) -> "Section":
    def table(tables: Loaded) -> Table | None:
        return side_by_side(tables, {s: burst(s, "efficiency", size) for s in (*SIX, *BEYOND)})

    packets = "one packet" if size == 1 else f"{size} packets"
    return Section(
        f"event-{size}", f"Events of {packets}", "Every 20 s all nodes send at the same moment.", table
    )


THESIS_SECTIONS: tuple[Section, ...] = (
    Section(
        "table-5-2",
        "Table 5.2, cell by cell",
        "The report period that so many of the nodes achieve when every node offers 2 packets/s, averaged "
        "over seeds as rates; in brackets the thesis's own. ● the interval comes within a quarter of it, "
        "◐ right side only, ○ it does not, ? too wide to tell.",
        coverage_table,
    ),
    Section(
        "periodic-4",
        "Periodic workload at 4 packets/s a node",
        "± is half the interval over seeds.",
        _periodic,
    ),
    Section(
        "fan-in-4", "High fan-in at 4 packets/s a node", "Ten nodes besides the sink advertise.", _fan_in
    ),
    _event(1),
    _event(8),
)
