"""Plain CSMA, Fusion, IFRC and WRCP side by side, and how near the max-min bound each comes."""

from penstock.metrics import METRICS
from penstock.studies.cells import cell
from penstock.studies.claim import Sample
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table
from penstock.studies.wrcp.experiments import ATTEMPTED, BESIDE, LOADS

COLUMNS = {
    "efficiency": "efficiency η",
    "fairness": "fairness φ",
    "throughput_pps": "at the sink, packets/s",
    "median_node_throughput_pps": "median node, packets/s",
    "latency_s": "latency, s",
    "latency_p95_s": "95 %, s",
    "buffer_drop_rate": "buffer drops",
    "delivery_ratio": "delivered",
    "starved_fraction": "starved",
    "transmissions": METRICS["transmissions"].title.lower(),
    "energy_per_bit_uj": "µJ a delivered bit",
}
PLACES = {"20": "20-node floor", "40": "40-node floor", "grenoble": "IoT-LAB Grenoble"}


def _key(place: str, load: float | None) -> str:
    return f"beside-{place}" + ("" if load is None else f"-{load:g}")


def _beside(place: str) -> Section:
    def table(tables: Loaded) -> Table | None:
        rows: list[tuple[str, ...]] = []
        for load in (*LOADS, None):
            for attempts in ATTEMPTED:
                for name in BESIDE:
                    samples = [Sample(_key(place, load), name, metric, attempts) for metric in COLUMNS]
                    cells = [cell(sample, tables) for sample in samples]
                    if any(text != NOTHING for text in cells):
                        offered = "backlogged" if load is None else f"{load:g} packets/s"
                        tried = "" if not attempts else ", 1 + 3 attempts"
                        rows.append((f"{offered}, {name}{tried}", *cells))
        return Table(("load of a source", *COLUMNS.values()), tuple(rows)) if rows else None

    text = (
        "One radio (CC2420, TinyOS's MAC), one tree and one queue for all; 14 bytes of payload in every "
        "packet, and each strategy's own headers beside it. Links repeat without limit unless said. ± is "
        "half the interval over seeds. Delivered and starved are shares of what a source made: a backlogged "
        "one makes what its stack takes."
    )
    if place == "grenoble":
        text += " Left out where the trace is absent: it is not part of Penstock."
    return Section(f"beside-{place}", f"Side by side: {PLACES[place]}", text, table)


def bounds(tables: Loaded) -> Table | None:
    """Every protocol's allocation over the bound."""
    rows: list[tuple[str, ...]] = []
    for place, title in PLACES.items():
        for attempts in ATTEMPTED:
            for name in BESIDE:
                samples = [
                    Sample(_key(place, None), name, metric, attempts)
                    for metric in ("bound_least", "bound_median", "throughput_pps")
                ]
                cells = [cell(sample, tables) for sample in samples]
                if any(text != NOTHING for text in cells):
                    tried = "" if not attempts else ", 1 + 3 attempts"
                    rows.append((f"{title}, {name}{tried}", *cells))
    head = ("backlogged sources", "least source over its bound", "median source", "at the sink, packets/s")
    return Table(head, tuple(rows)) if rows else None


BESIDE_SECTIONS: tuple[Section, ...] = (
    Section(
        "bounds",
        "How near the max-min bound each protocol comes",
        "What a source gets over its lexicographic max-min fair rate under the receiver-capacity model, for "
        "the run's own tree and WRCP's own capacities. The bound is of the sorted vector: one source may "
        "have more, at the cost of another. Above 1 for all means that this radio carries more than the "
        "table says.",
        bounds,
    ),
    *(_beside(place) for place in PLACES),
)
