"""Which claims carry over to floors that are not ours, and to the other reading of the prioritized MAC."""

from dataclasses import replace

import polars as pl

from penstock.metrics import COVERAGE_LEVELS
from penstock.results import Results
from penstock.studies.claim import Claim, Greatest
from penstock.studies.fusion.claims import CLAIMS
from penstock.studies.fusion.claims_periodic import PERIODIC
from penstock.studies.fusion.experiments import CONTROL, LOAD, TOSSIM_SCALE
from penstock.studies.judge import Judged, judge_claim
from penstock.studies.section import Loaded, Section, Table

SITES = {"intel-lab": ("Intel laboratory", 1.0), "tossim-grid": ("TOSSIM grid", TOSSIM_SCALE)}
"""Experiment: name, and what its load per node is multiplied by to offer what the office is offered."""


def carried_over(tables: Loaded) -> Table | None:
    """Verdict and first figure of every periodic claim on the office and on each site."""
    sites = {key: name for key, (name, _) in SITES.items() if key in tables}
    if not sites or "periodic" not in tables:
        return None
    rows: list[tuple[str, ...]] = []
    for claim in PERIODIC:
        here = judge_claim(claim, tables)
        there = [judge_claim(claim, {"periodic": (_scaled(tables[key][0], key), LOAD)}) for key in sites]
        rows.append((claim.id, _part(claim), *(_said(judged) for judged in (here, *there))))
    return Table(("claim", "first part", "office", *sites.values()), tuple(rows))


def _scaled(results: Results, key: str) -> Results:
    """With loads, rates and report periods of a node as they would be at the office's load per node."""
    factor = SITES[key][1]
    rates = pl.col(LOAD, "median_node_throughput_pps") * factor
    periods = pl.col(*(f"coverage_{percent}_s" for percent in COVERAGE_LEVELS)) / factor
    return replace(results, runs=results.runs.with_columns(rates, periods))


def _part(claim: Claim) -> str:
    first = claim.parts[0]
    check = first.among[0] if isinstance(first, Greatest) else first
    return f"{check.statement}: {check.paper}"


def _said(judged: Judged) -> str:
    return f"{judged.verdict}: {judged.first.measured} ({judged.holding} of {len(judged.parts)})"


def widened(tables: Loaded) -> Table | None:
    """Verdict and first figure of the claims that the prioritized MAC's reading may bear on, under both."""
    other = {
        key: (_with_default_none(tables[f"widened-{key}"][0], tables[key][0]), tables[key][1])
        for key in ("periodic", "event")
        if f"widened-{key}" in tables and key in tables
    }
    if not other:
        return None
    rows = [
        (claim.id, _part(claim), _said(judge_claim(claim, tables)), _said(judge_claim(claim, other)))
        for claim in CLAIMS
        if {sample.experiment for sample in claim.samples} <= other.keys()
    ]
    return Table(("claim", "first part", "congested nodes hurry", "the others yield"), tuple(rows))


def _with_default_none(results: Results, default: Results) -> Results:
    """The results with the default world's runs without control: its MAC is unmodified in either reading."""
    without = default.runs.filter(pl.col(CONTROL) == "none")
    return replace(results, runs=pl.concat([without, results.runs.select(without.columns)]))


SITE_SECTIONS: tuple[Section, ...] = (
    Section(
        "sites",
        "The same claims on other floors",
        "The 54 Mica2Dot positions of the Intel Berkeley laboratory, and TOSSIM's 15 x 15 Mica2 grid with "
        "its own link gains. That has four times the nodes, so each offers a quarter; rates and report "
        "periods of its nodes are scaled likewise. In brackets: parts that agree.",
        carried_over,
    ),
    Section(
        "widened",
        "The other reading of the prioritized MAC",
        "4.4 says that a congested node's backoff window is a quarter of the others'. By default congested "
        "nodes take a quarter of B-MAC's window. Here they keep it, and all others take four times as much; "
        "no control has the unmodified B-MAC either way (5.1).",
        widened,
    ),
)
