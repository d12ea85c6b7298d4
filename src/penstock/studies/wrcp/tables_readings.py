"""What the study's own choices do to its results: capacities, routes, the MAC."""

from collections.abc import Mapping

from penstock.studies.cells import cell
from penstock.studies.claim import Check, Claim
from penstock.studies.judge import Judged, judge_claim
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Section, Table
from penstock.studies.wrcp.claims_static import STATIC
from penstock.studies.wrcp.experiments import CAPACITIES
from penstock.studies.wrcp.paper import RIVALS, WRCP
from penstock.studies.wrcp.samples import at

METRICS = {
    "throughput_pps": "at the sink, packets/s",
    "least_goodput_pps": "least source, packets/s",
    "source_delay_s": "mean delay, s",
    "channel_loss_rate": "channel loss",
    "rate_variance": "variance of the rate",
}


def capacities(tables: Loaded) -> Table | None:
    """WRCP with other tables of capacities."""
    rows: list[tuple[str, ...]] = []
    for nodes in (20, 40):
        named = {f"static-{nodes}": "the default"}
        named |= {f"capacity-{key}-{nodes}": text for key, (text, _) in CAPACITIES.items()}
        for experiment, text in named.items():
            cells = [cell(at(WRCP, metric, experiment), tables) for metric in METRICS]
            if any(each != NOTHING for each in cells):
                rows.append((f"{nodes} nodes, {text}", *cells))
    return Table(("capacity of a receiver", *METRICS.values()), tuple(rows)) if rows else None


def macs(tables: Loaded) -> Table | None:
    """Both MACs of the CC2420."""
    rows: list[tuple[str, ...]] = []
    for experiment, text in (("static-20", "TinyOS 2 CSMA"), ("csma-20", "802.15.4 CSMA-CA")):
        for name in RIVALS:
            cells = [cell(at(name, metric, experiment), tables) for metric in METRICS]
            if any(each != NOTHING for each in cells):
                rows.append((f"{text}, {name}", *cells))
    return Table(("20 nodes, static case", *METRICS.values()), tuple(rows)) if rows else None


def moving(tables: Loaded) -> Table | None:
    """The claims of the static case with routes that move, beside those with routes that are kept."""
    there = {
        f"static-{nodes}": tables[f"moving-{nodes}"] for nodes in (20, 40) if f"moving-{nodes}" in tables
    }
    return _other_world(tables, there, ("routes kept after settling", "routes that move"))


def _other_world(tables: Loaded, there: Loaded, names: tuple[str, str]) -> Table | None:
    rows: list[tuple[str, ...]] = []
    for claim in STATIC:
        within = [check for check in _checks(claim) if _answers(check, there)]
        if within:
            part = Claim(claim.id, claim.statement, claim.source, claim.paper, tuple(within))
            words = f"{within[0].statement}: {within[0].paper}"
            rows.append((claim.id, words, *(_said(judge_claim(part, each)) for each in (tables, there))))
    return Table(("claim", "first part", *names), tuple(rows)) if rows else None


def _checks(claim: Claim) -> list[Check]:
    return [part for part in claim.parts if isinstance(part, Check)]


def _answers(check: Check, there: Mapping[str, object]) -> bool:
    samples = (check.of,) if check.versus is None else (check.of, check.versus)
    return all(sample.experiment in there for sample in samples)


def _said(judged: Judged) -> str:
    return f"{judged.verdict}: {judged.first.measured} ({judged.holding} of {len(judged.parts)})"


READING_SECTIONS: tuple[Section, ...] = (
    Section(
        "capacity",
        "Sensitivity to the table of capacities",
        "WRCP in the static case. The paper's Fig. 4 has about 90 packets/s; here a receiver takes 100 "
        "frames a second, most of which are repetitions once it is overloaded (table of saturation).",
        capacities,
    ),
    Section(
        "moving",
        "Routes that move",
        "CTP's routes as its estimates change under load, against the tree that is kept once settled. In "
        "brackets: parts that agree, of those about the static case.",
        moving,
    ),
    Section(
        "macs",
        "The MAC of today's systems",
        "802.15.4 CSMA-CA acknowledges by hardware and costs the receiver no work, so its capacity is "
        "another: 230 packets/s.",
        macs,
    ),
)
