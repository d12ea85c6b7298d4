"""The report of bulk transfers: words, table, figures."""

from functools import cache
from typing import Any

import pytest

import penstock
from penstock import Scenario
from penstock.report.curves import curves_of
from penstock.report.grid import Grid, arrange
from penstock.report.page import render
from penstock.report.transfers import transfer_charts, transfer_table
from penstock.report.words import TRANSFER_MEASURES
from penstock.results import Results
from test_transfers import cut, line_of


@cache
def swept() -> Results:
    """Two sources, two modes."""
    axes = {"bulk.source": [2, 4], "bulk.mode": ["flush", "blockwise"]}
    return run(line_of(4, axes=axes))


def run(scenario: Scenario) -> Results:
    return penstock.run(scenario, jobs=2)


def grid_of(results: Results) -> Grid:
    return arrange(results.summary["points"])


def table_of(results: Results) -> dict[str, list[Any]]:
    table = transfer_table(grid_of(results), results.transfers)
    assert table is not None
    return {"head": table.head, **dict(table.rows)}


def test_every_transfer_has_a_row_and_every_mode_a_column() -> None:
    table = table_of(swept())
    assert list(table) == ["head", "node 2, 1 hop", "node 4, 3 hops"]
    assert table["head"] == ["Source", "Object", "flush", "blockwise"]
    size, flush, blockwise = table["node 4, 3 hops"]
    assert size.text == "3,000 bytes"
    mine = swept().transfers.filter(source="4", **{"bulk.mode": "flush"})
    said = float(flush.text.removesuffix(" B/s").replace(",", ""))
    assert said == pytest.approx(float(mine["overall_Bps"].to_numpy().mean()), rel=0.01)
    assert blockwise.below.endswith("s, 0% again, 0 rounds")


def test_figures_are_of_transfers_alone() -> None:
    names = ["overall_Bps", "goodput_Bps", "completion_s", "transfer_loss_rate", "bulk_transmissions"]
    charts = transfer_charts(grid_of(swept()), swept().transfers)
    assert [chart.key for chart in charts] == names
    page = render(swept())
    assert "Bulk transfers</h2>" in page
    assert "No node generates anything." in page
    assert "The sink asks nodes 2 or 4 for 3,000 bytes." in page
    assert "as Flush paces them at every hop or block by block, each asked for" in page
    for absent in ("Measure by measure", "Node by node", "Throughput at the sink", "Also swept"):
        assert absent not in page


def test_numbers_of_nodes_are_no_quantities() -> None:
    """2 and 40 are names: they stand on no logarithmic axis, as loads that far apart do."""
    kinds: list[object] = []
    for key in ("bulk.source", "bulk.bytes"):
        points = [{"axes": {key: x}, "metrics": {"overall_Bps": {"mean": 9.0}}} for x in (2, 11, 40)]
        (chart,) = curves_of(arrange(points), TRANSFER_MEASURES)
        kinds.append(chart.figure["layout"]["xaxis"].get("type"))
    assert kinds == [None, "log"]


def test_one_point_has_a_table_and_no_figures() -> None:
    results = run(line_of(3, transfers=[{"source": [3, 2], "bytes": 500}, {"bytes": 700, "start_s": 9.0}]))
    table = table_of(results)
    assert table["head"][2:] == ["measured"]
    assert [name for name in table if name != "head"] == ["node 3, 2 hops", "node 2, 1 hop"]
    assert transfer_charts(grid_of(results), results.transfers) == []
    page = render(results)
    assert "The sink asks nodes 3 and 2 for 500 bytes; then node 3 for 700 bytes from 9 s on." in page


def test_a_failure_says_why() -> None:
    results = run(line_of(3, faults=cut(3, 2), bulk={"tries": 2}))
    cells = next(cells for name, cells in table_of(results).items() if name != "head")
    assert cells[1].text == "failed: unreachable"
    assert "failed: unreachable" in render(results)


def test_beside_traffic_both_are_shown() -> None:
    results = run(
        line_of(
            4,
            traffic={"kind": "periodic", "rate_pps": 1.0},
            axes={"congestion.control": ["none", "fusion"]},
            bulk={"payload_bytes": 20},
        )
    )
    page = render(results)
    for words in (
        "Measure by measure",
        "Bulk transfers</h2>",
        "Throughput at the sink",
        "generates 1 packet/s",
    ):
        assert words in page


def test_many_transfers_are_left_to_the_file() -> None:
    results = run(line_of(2, transfers=[{"bytes": 20}] * 81, records={"log_bulk": False}, seeds=1))
    assert transfer_table(grid_of(results), results.transfers) is None
    assert "The sink asks 81 objects, one after the other" not in render(results)
    assert "The sink asks for 81 objects, one after the other" in render(results)
