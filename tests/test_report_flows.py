"""The report of flows: who got what, and how queues and rates went over time."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import penstock
from penstock.report.flow_figures import flow_charts, flow_lines, flow_table
from penstock.report.headline import headline
from penstock.report.page import render
from penstock.report.scenario_text import as_toml
from penstock.report.series import MOST_POINTS, series_charts, shown_nodes
from penstock.results import Results
from penstock.validation import validated
from report_cases import flows_that_come_and_go, grid_of


@pytest.fixture(scope="module")
def results() -> Results:
    return flows_that_come_and_go()


def test_every_flow_has_a_row_and_every_strategy_a_column(results: Results) -> None:
    grid = grid_of(results)
    table = flow_table(grid, flow_lines(grid, results.flows))
    assert table is not None
    assert table.head == ["Source", "Active", "none", "share"]
    assert [name for name, _ in table.rows] == ["2", "3 (0–10 s)", "3 (10–30 s)", "4"]
    assert [cells[0].text for _, cells in table.rows] == ["0–30 s", "0–10 s", "10–30 s", "5–25 s"]
    assert table.rows[3][1][0].below == "30 packets"
    done = table.rows[3][1][1].below
    assert "done in" in done
    assert "seeds" not in done, "in all of them"
    first = results.flows.filter((pl.col("congestion.control") == "none") & (pl.col("flow") == 1))
    shown = float(table.rows[0][1][1].text.replace(",", ""))
    assert shown == pytest.approx(float(first["delivered"].mean()), rel=0.01)  # pyright: ignore[reportArgumentType]


def test_a_flow_that_never_completes_says_so(results: Results) -> None:
    grid = grid_of(results)
    mine = (pl.col("seed") == 1) & (pl.col("flow") == 4)
    some = results.flows.with_columns(
        pl.when(mine).then(None).otherwise(pl.col("completion_s")).alias("completion_s")
    )
    table = flow_table(grid, flow_lines(grid, some))
    assert table is not None
    assert "(50% of seeds)" in table.rows[3][1][1].below
    none = results.flows.with_columns(pl.lit(None, pl.Float64).alias("completion_s"))
    table = flow_table(grid, flow_lines(grid, none))
    assert table is not None
    assert "not completed" in table.rows[3][1][1].below


def test_figures_have_a_mark_for_every_flow(results: Results) -> None:
    grid = grid_of(results)
    charts = flow_charts(grid, flow_lines(grid, results.flows))
    assert [chart.key for chart in charts] == ["flow-packets", "flow-delay"]
    for chart in charts:
        assert [trace["name"] for trace in chart.figure["data"]] == ["none", "share"]
        assert all(len(trace["x"]) == 4 for trace in chart.figure["data"])
    packets = charts[0].figure["data"][0]["y"]
    by_flow = (
        results.flows.filter(pl.col("congestion.control") == "none")
        .group_by("flow")
        .agg(pl.col("delivered").mean())
    )
    assert packets == pytest.approx(by_flow.sort("flow")["delivered"].to_list())


def test_without_flows_there_is_nothing_to_show(results: Results) -> None:
    grid = grid_of(results)
    assert flow_lines(grid, pl.DataFrame()) is None
    assert flow_charts(grid, None) == []
    assert flow_table(grid, None) is None
    assert series_charts(replace(results, series=pl.DataFrame()), grid) == []


def test_series_show_the_allowed_rate_where_there_is_one(results: Results) -> None:
    charts = series_charts(results, grid_of(results))
    assert [chart.key for chart in charts] == [
        *("series-1-arriving", "series-1-queue", "series-2-allowed", "series-2-queue"),
    ]
    assert all([t["name"] for t in chart.figure["data"]] == ["node 4", "node 2"] for chart in charts)
    ranges = [chart.figure["layout"]["yaxis"]["range"] for chart in charts]
    assert ranges[0] == ranges[2], "rates are compared"
    flat = results.series.with_columns(pl.col("allowed_rate_pps") / 100)
    apart = series_charts(replace(results, series=flat), grid_of(results))
    assert apart[2].figure["layout"]["yaxis"]["range"][1] == pytest.approx(ranges[2][1] / 100, rel=0.5)
    assert apart[0].figure["layout"]["yaxis"]["range"] != apart[2].figure["layout"]["yaxis"]["range"]
    for chart in charts:
        for trace in chart.figure["data"]:
            assert len(trace["x"]) == len(trace["y"]) <= MOST_POINTS
    queue = results.series.filter(
        (pl.col("congestion.control") == "none") & (pl.col("seed") == 1) & (pl.col("node") == "2")
    )
    assert max(charts[1].figure["data"][1]["y"]) == queue["queue"].max()


def test_nodes_not_named_are_spread_from_near_to_far(results: Results) -> None:
    unnamed = results.scenario.model_copy(
        update={"records": results.scenario.records.model_copy(update={"shown": []})}
    )
    grid = grid_of(results)
    assert sorted(shown_nodes(replace(results, scenario=unnamed), grid, "none", 1)) == ["2", "3", "4"]
    many = pl.DataFrame(
        {
            "congestion.control": ["none"] * 9,
            "seed": [1] * 9,
            "node": [str(i) for i in range(9)],
            "index": list(range(9)),
            "hops": [0, 3, 2, 1, 1, 2, 3, 4, 4],
            "generated": [0, *[5] * 8],
        }
    )
    found = shown_nodes(replace(results, scenario=unnamed, nodes=many), grid, "none", 1)
    assert found == ["3", "2", "6", "8"]


def test_the_page_says_what_was_run(results: Results) -> None:
    page = render(results)
    assert "Flow by flow" in page
    assert "Over time" in page
    assert "Node 2 has a packet ready whenever the stack takes one from 0 s to 30 s" in page
    assert "node 3 has a packet ready" in page
    assert "30 packets at most, with 14 bytes of payload in each packet" in page
    assert 'id="table-flows"' in page


def test_fairness_over_flows_that_come_and_go_is_no_headline(results: Results) -> None:
    def questions(found: Results) -> list[str]:
        return [statement.question for statement in headline(found, grid_of(found))]

    assert questions(results) == ["Which strategy saves most?"]
    lasting = results.scenario.model_copy(
        update={"traffic": results.scenario.traffic.model_copy(update={"flows": type_of_all(results)})}
    )
    assert len(questions(replace(results, scenario=lasting))) == 2


def type_of_all(results: Results) -> list[Any]:
    traffic: Any = results.scenario.traffic
    return [type(traffic.flows[0])()]


def test_the_scenario_is_written_back_whole(results: Results) -> None:
    text = as_toml(results.scenario)
    again = validated(tomllib.loads(text), "again")
    assert again == results.scenario
    assert again.radio.kind == "cc2420"


def test_the_page_reads_back_from_a_folder(results: Results, tmp_path: Path) -> None:
    penstock.run(results.scenario, tmp_path / "out")
    assert (tmp_path / "out" / "report.html").read_text(encoding="utf-8") == render(
        Results.load(tmp_path / "out")
    )
