"""What studies derive from their runs, and their figures of flows: over time, by source, as bars."""

from typing import Any

import polars as pl
import pytest

import penstock
from penstock.report.study_figures import drawn
from penstock.results import Results
from penstock.studies.derived import with_derived
from penstock.studies.figure import Activity, Axis, Figure, Sources, Trace
from penstock.studies.sources import by_source
from small import small

CONTROL, X = "congestion.control", "node.link_attempts"
SECONDS = Axis("Time (s)", (0.0, 20.0))


@pytest.fixture(scope="module")
def results() -> Results:
    flows = [{"source": [2, 3], "stop_s": 10.0}, {"source": 2, "start_s": 12.0}, {"source": 4}]
    return penstock.run(
        small(
            topology={"kind": "grid", "nodes": 4, "columns": 2, "spacing_m": 5.0},
            traffic={"kind": "flows", "flows": flows},
            time={"settle_s": 120.0, "measure_s": 20.0},
            records={"sample_s": 0.5},
            axes={CONTROL: ["none", "rate"]},
            seeds=3,
        )
    )


def test_sources_have_their_flows_together(results: Results) -> None:
    each = by_source(results)
    assert each.columns == [CONTROL, "seed", "source", "active_s", "delivered", "goodput_pps", "delay_mean_s"]
    assert each.height == 2 * 3 * 3
    two = each.filter(pl.col(CONTROL) == "none", seed=1, source="2").row(0, named=True)
    mine = results.flows.filter(pl.col(CONTROL) == "none", seed=1, source="2")
    assert (two["active_s"], two["delivered"]) == (18.0, mine["delivered"].sum())
    assert two["goodput_pps"] == pytest.approx(two["delivered"] / 18.0)
    waits = mine["delay_mean_s"] * mine["delivered"]
    assert two["delay_mean_s"] == pytest.approx(waits.sum() / two["delivered"])


def test_derived_numbers_join_their_runs(results: Results) -> None:
    def derive(given: Results) -> pl.DataFrame:
        found = given.runs.filter(pl.col(CONTROL) == "rate").select(CONTROL, "seed")
        return found.with_columns(doubled=2.0 * pl.col("seed"))

    made = with_derived(results, derive)
    assert made.runs.height == results.runs.height
    assert made.runs.filter(pl.col(CONTROL) == "rate")["doubled"].to_list() == [2.0, 4.0, 6.0]
    assert made.runs.filter(pl.col(CONTROL) == "none")["doubled"].null_count() == 3
    assert with_derived(results, None) is results


def figures(results: Results, *wanted: Figure) -> list[dict[str, Any] | None]:
    found = drawn(wanted, {"main": (results, X)}, {})
    return [each.chart.figure if each.chart else None for each in found]


def test_figures_show_the_flows(results: Results) -> None:
    attempts = float(results.scenario.node.link_attempts)
    lines = (("rate, node 4", "rate", "4"), ("nowhere", "rate", "99"))
    axis = Axis("Queue (packets)")
    trace, elsewhere, sources, bars = figures(
        results,
        Trace("t", "Queue", "Fig. 1", "Over time.", "main", "queue", lines, SECONDS, axis, attempts),
        Trace("e", "Queue", "Fig. 2", "Over time.", "main", "queue", lines[1:], SECONDS, axis, attempts),
        Sources("s", "Goodput", "Fig. 3", "Each.", "main", "goodput_pps", ("none", "rate"), axis, attempts),
        Activity("a", "Activity", "Fig. 4", "Bars.", "main"),
    )
    assert elsewhere is None
    assert trace is not None
    assert [each["name"] for each in trace["data"]] == ["rate, node 4"]
    assert len(trace["data"][0]["x"]) == 40
    assert sources is not None
    assert [(each["name"], each["x"]) for each in sources["data"]] == [
        ("none", ["2", "3", "4"]),
        ("rate", ["2", "3", "4"]),
    ]
    assert bars is not None
    assert bars["data"][0]["x"][:3] == [0.0, 10.0, None]
    assert bars["data"][0]["y"][:6] == ["2", "2", None, "2", "2", None]


def test_results_without_flows_draw_nothing() -> None:
    results = penstock.run(small())
    attempts = float(results.scenario.node.link_attempts)
    axis = Axis("Queue (packets)")
    assert by_source(results).is_empty()
    assert figures(
        results,
        Trace("t", "Q", "Fig. 1", "Q.", "main", "queue", (("a", "none", "2"),), SECONDS, axis, attempts),
        Sources("s", "G", "Fig. 3", "G.", "main", "goodput_pps", ("none",), axis, attempts),
        Activity("a", "A", "Fig. 4", "A.", "main"),
    ) == [None, None, None]
