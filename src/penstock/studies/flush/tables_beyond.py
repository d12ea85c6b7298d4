"""What goes beyond the paper: block-wise transfer, companded fields, other traffic beside a transfer,
memory."""

from penstock.studies.cells import cell
from penstock.studies.claim import Sample
from penstock.studies.flush import footprint
from penstock.studies.flush.experiments import (
    CLASS,
    CLASSES,
    CODE,
    CODED_DEPTHS,
    CODED_LINE_DEPTHS,
    CODES,
    IMAGE_PLACES,
    LOADS,
)
from penstock.studies.flush.paper import IMAGE_BYTES, IMAGE_HOPS, LINE_DEPTHS
from penstock.studies.flush.pipeline import formula
from penstock.studies.flush.samples import CONTROL, NAMES, of_mode, place_of
from penstock.studies.flush.world import source
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table

IMAGE_COLUMNS = {
    "completion_s": "seconds",
    "overall_Bps": "bytes/s",
    "transfer_loss_rate": "lost before repair",
    "rounds": "NACKs",
}
CODED_COLUMNS = {
    "overall_pps": "packets/s",
    "transfer_loss_rate": "lost before repair",
    "queue_drops": "lost to full queues",
    "transmissions_per_hop": "transmissions of a node",
}
SENSED = {
    "delivery_ratio": "reports delivered",
    "latency_s": "latency, s",
    "latency_p95_s": "95 %, s",
    "starved_fraction": "starved",
    "channel_loss_rate": "channel loss",
}
CARRIED = {
    "overall_Bps": "transfer, bytes/s",
    "transfer_loss_rate": "lost before repair",
    "rounds": "NACKs",
    "transfers_done": "the same bytes",
}


def image(tables: Loaded) -> Table | None:
    """386 kB over one hop and four."""
    rows: list[tuple[str, ...]] = []
    for key, (words, _, _) in IMAGE_PLACES.items():
        for hops in (1, IMAGE_HOPS):
            for mode in ("flush", "blockwise"):
                cells = [cell(of_mode(mode, metric, hops, key), tables) for metric in IMAGE_COLUMNS]
                versus = of_mode(mode, "overall_Bps", 1, key)
                share = cell(of_mode(mode, "overall_Bps", hops, key), tables, versus, "ratio")
                if any(text != NOTHING for text in cells):
                    name = f"{words}; {hops} hop{'s' if hops > 1 else ''}, {NAMES[mode]}"
                    rows.append((name, *cells, NOTHING if hops == 1 else share))
    head = (f"{IMAGE_BYTES:,} bytes", *IMAGE_COLUMNS.values(), "bytes/s over one hop's")
    return Table(head, tuple(rows)) if rows else None


def blockwise(tables: Loaded) -> Table | None:
    """Flush over block-wise transfer on the line."""
    rows: list[tuple[str, ...]] = []
    for depth in LINE_DEPTHS:
        one, other = (of_mode(mode, "overall_Bps", depth, "line") for mode in ("flush", "blockwise"))
        cells = (cell(one, tables), cell(other, tables), cell(one, tables, other, "ratio"))
        if any(text != NOTHING for text in cells):
            rows.append((str(depth), *cells))
    return Table(("hops", "Flush, bytes/s", "block-wise, bytes/s", "ratio"), tuple(rows)) if rows else None


def companded(tables: Loaded) -> Table | None:
    """Fields of 1 ms against fields of 5 bits of mantissa and 3 of exponent."""
    rows: list[tuple[str, ...]] = []
    for key, depths in (("companded", CODED_DEPTHS), ("companded-line", CODED_LINE_DEPTHS)):
        place = place_of(key)
        for depth in depths:
            each = {code: _coded(key, place, depth, code) for code in CODES}
            cells = {code: [cell(sample, tables) for sample in each[code]] for code in CODES}
            gain = cell(each[CODES[1]][0], tables, each[CODES[0]][0], "ratio")
            where = "floor" if place == "indoor" else "line"
            for code in CODES:
                if any(text != NOTHING for text in cells[code]):
                    name = f"{where}, {depth} hop{'s' if depth > 1 else ''}, {code}"
                    rows.append((name, *cells[code], gain if code == CODES[1] else NOTHING))
    head = ("fields", *CODED_COLUMNS.values(), "packets/s over linear's")
    return Table(head, tuple(rows)) if rows else None


def _coded(key: str, place: str, depth: int, code: str) -> list[Sample]:
    at = source(place, depth)
    return [Sample(key, CONTROL, metric, at, ((CODE, code),)) for metric in CODED_COLUMNS]


def beside(tables: Loaded) -> Table | None:
    """Reports under Fusion and a transfer, each alone and both together."""
    rows: list[tuple[str, ...]] = []
    columns = (*SENSED, *CARRIED)
    for load in LOADS:
        alone = [cell(Sample("beside-alone", "fusion", metric, load), tables) for metric in columns]
        if load and any(text != NOTHING for text in alone):
            rows.append((f"{load:g} packets/s of each node, no transfer", *alone))
        for order in CLASSES if load else CLASSES[:1]:
            where = ((CLASS, order),)
            cells = [cell(Sample("beside", "fusion", metric, load, where), tables) for metric in columns]
            if any(text != NOTHING for text in cells):
                name = f"{load:g} packets/s, transfer of {order} class" if load else "the transfer alone"
                rows.append((name, *cells))
    return Table(("reports and transfer", *SENSED.values(), *CARRIED.values()), tuple(rows)) if rows else None


BEYOND_SECTIONS: tuple[Section, ...] = (
    Section(
        "image",
        "An image of 386 kB beside block-wise transfer",
        "One firmware image over the floor. A user of block-wise transfer over several hops published 23 "
        f"minutes for it, 280 bytes/s. Of what one hop carries, r(4, 1) = {formula(IMAGE_HOPS, 1)} would "
        "be left without losses.",
        image,
    ),
    Section(
        "blockwise",
        "Block-wise transfer over 1 to 48 hops",
        "As CoAP does it (RFC 7959): the next block is asked for when the last one has come, end to end. "
        "Its requests go down node by node, along the way that the last block came; a flood for each "
        "would be far slower. 26,600 bytes on the line of 4.6.",
        blockwise,
    ),
    Section(
        "companded",
        "Companded fields (3.6)",
        "The paper's future work: the three fields as 5 bits of mantissa and 3 of exponent of the same unit, "
        "1 ms, in place of whole milliseconds up to 255.",
        companded,
    ),
    Section(
        "beside",
        "Beside Fusion's traffic",
        "Flush assumes that nothing else is on air (2). Here all nodes of the floor report periodically "
        "under Fusion while one transfer comes from 6 hops away. Equal class: reports and the transfer "
        "take turns at each node. Lower class: a packet of the transfer goes only when the node has no "
        "report to send. The last column: what the sink has is what the source has.",
        beside,
    ),
    Section(
        "table-1",
        "Table 1: memory and code",
        footprint.text(),
        footprint.table,
    ),
)
