"""The pipeline, and what each scheme does over each number of hops."""

from collections.abc import Sequence

from penstock.studies.cells import cell
from penstock.studies.claim import Sample
from penstock.studies.flush import pipeline
from penstock.studies.flush.experiments import MODES, RIVALS, SWEPT_S
from penstock.studies.flush.paper import (
    DEPTHS,
    LINE_DEPTHS,
    LINE_INTERVALS_S,
    PIPELINE_NODES,
    PIPELINE_REACH,
)
from penstock.studies.flush.samples import NAMES, milliseconds, of_best, of_interval, of_mode
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table

FLOOR_METRICS = {
    "overall_pps": "Packets/s, all phases (Figs. 7 and 8)",
    "transfer_pps": "Packets/s of the transfer phase (Fig. 13)",
    "transfer_loss_rate": "Share of the packets lost in the transfer phase (Fig. 10)",
    "transmissions_per_hop": "Transmissions of a node (Fig. 9)",
    "queue_drops": "Packets lost to full queues, repairs included",
    "attempts_drops": "Packets given up after five attempts, repairs included",
    "sink_drops": "Packets that the base station's line had no room for, repairs included",
    "rounds": "NACKs",
}
ZERO = "0 ± 0"
LINE_METRICS = {
    "overall_Bps": "Bytes/s, all phases (Fig. 21)",
    "transfer_loss_rate": "Share of the packets lost in the transfer phase",
    "rounds": "NACKs",
}


def rates(tables: Loaded) -> Table:
    """Slots between packets, from the slotted pipeline."""
    del tables
    rows = [
        (
            f"I = {reach}",
            *(f"{pipeline.rate(nodes, reach)}" for nodes in PIPELINE_NODES),
        )
        for reach in PIPELINE_REACH
    ]
    return Table(("r(N, I)", *(f"N = {nodes}" for nodes in PIPELINE_NODES)), tuple(rows))


def _by_hops(key: str, title: str, text: str, metric: str, place: str) -> Section:
    depths, fixed = (DEPTHS, SWEPT_S) if place == "indoor" else (LINE_DEPTHS, LINE_INTERVALS_S)
    modes = (*MODES, *RIVALS) if place == "indoor" else ("flush", "blockwise")

    def table(tables: Loaded) -> Table | None:
        rows = [(NAMES[mode], [of_mode(mode, metric, depth, place) for depth in depths]) for mode in modes]
        rows += [
            (milliseconds(each), [of_interval(each, metric, depth, f"{place}-fixed") for depth in depths])
            for each in fixed
        ]
        return table_of("hops", depths, rows, tables)

    return Section(key, title, text, table)


def table_of(
    corner: str, depths: Sequence[object], rows: Sequence[tuple[str, Sequence[Sample]]], tables: Loaded
) -> Table | None:
    """A row of samples each; rows without any are left out, and of nothing but zeros if not all are."""
    made = [(name, *(cell(sample, tables) for sample in samples)) for name, samples in rows]
    known = tuple(row for row in made if any(text != NOTHING for text in row[1:]))
    kept = tuple(row for row in known if any(text not in (NOTHING, ZERO) for text in row[1:])) or known
    return Table((corner, *map(str, depths)), kept) if kept else None


def over_best(tables: Loaded) -> Table | None:
    """Flush over the best fixed interval, of the paper's and of all that were tried."""
    rows: list[tuple[str, ...]] = []
    for place, depths in (("indoor", DEPTHS), ("line", LINE_DEPTHS)):
        for depth in depths:
            flush = of_mode("flush", "overall_pps", depth, place)
            cells: list[str] = []
            for prefix in ("best", "best_tried"):
                which = of_best("interval_s", depth, f"{place}-fixed", prefix)
                best = of_best("overall_pps", depth, f"{place}-fixed", prefix)
                interval = cell(which, tables).split(" ")[0]
                shown = interval if interval == NOTHING else f"{1000 * float(interval):g}"
                cells += [shown, cell(flush, tables, best, "ratio")]
            if any(text != NOTHING for text in cells):
                where = "floor" if place == "indoor" else "line"
                rows.append((f"{where}, {depth} hops" if depth > 1 else f"{where}, 1 hop", *cells))
    head = (
        "packets/s, all phases",
        "best of the paper's intervals, ms",
        "Flush over it",
        "best of all tried, ms",
        "Flush over it",
    )
    return Table(head, tuple(rows)) if rows else None


FLOOR_TEXT = (
    "A column for each number of hops on the floor. Rows of zeros are left out. ± is half the interval."
)
LINE_TEXT = "A column for each number of hops on the line. Rows of zeros are left out."
PAPER_SECTIONS: tuple[Section, ...] = (
    Section(
        "pipeline",
        "The idealised pipeline (Fig. 2)",
        "Packets a slot that N nodes carry when each disturbs those up to I hops away: packets let in as "
        "early as none collides, slot by slot, without the formula. The library's own nodes are held to "
        "the same rates in a slotted world (tests).",
        rates,
    ),
    Section(
        "best",
        "Flush over the best fixed interval",
        "The paper tried 10, 20 and 40 ms on the floor and 20, 40 and 60 ms on the line. Four more were "
        "tried on the floor; a finer choice leaves Flush less to gain. The best one is picked by the same "
        "runs. Intervals are paired by seed.",
        over_best,
    ),
    *(
        _by_hops(f"floor-{metric.replace('_', '-')}", title, FLOOR_TEXT, metric, "indoor")
        for metric, title in FLOOR_METRICS.items()
    ),
    *(
        _by_hops(f"line-{metric.lower().replace('_', '-')}", title, LINE_TEXT, metric, "line")
        for metric, title in LINE_METRICS.items()
    ),
)
