"""The max-min bound of scenarios and of results."""

from typing import Any

import polars as pl
import pytest

import penstock
from penstock import BadInput
from penstock.bound import achieved_over_bound, max_min_bound, sources_over_bound
from penstock.plan import shape_of
from penstock.results import Results
from penstock.topology.build import build
from small import small

NEAR = {"kind": "line", "nodes": 4, "spacing_m": 2.0}
FAST = {"traffic": {"rate_pps": 100.0}, "axes": {}, "topology": NEAR}
CHAIN: dict[str, Any] = {"1": None, "2": "1", "3": "2", "4": "3"}


def bound(changes: dict[str, Any], capacity: object, **options: Any) -> pl.DataFrame:
    scenario = small(**(FAST | changes))
    return max_min_bound(scenario, build(scenario), 1, capacity, **options)


@pytest.fixture(scope="module")
def results() -> Results:
    axes = {"congestion.control": ["none", "fusion"], "traffic.rate_pps": [0.5, 20.0]}
    return penstock.run(small(axes=axes, topology=NEAR), jobs=1)


def test_names_are_the_packages() -> None:
    assert penstock.max_min_bound is max_min_bound
    assert penstock.achieved_over_bound is achieved_over_bound


def test_by_default_the_tree_is_that_of_least_etx() -> None:
    """Four nodes in 6 m all hear each other: everybody sends to the sink, and all share one capacity."""
    found = bound({}, 30.0)
    assert found.columns == ["node", "parent_node", "demand_pps", "bound_pps", "held_by"]
    assert found["node"].to_list() == ["2", "3", "4"]
    assert found["parent_node"].to_list() == ["1"] * 3
    assert found["bound_pps"].to_list() == pytest.approx([10.0] * 3)


def test_with_a_given_tree() -> None:
    """The same nodes as a chain: packets of 2, 3 and 4 are heard once, twice and three times."""
    found = bound({}, 30.0, parents=CHAIN)
    assert found["parent_node"].to_list() == ["1", "2", "3"]
    assert found["bound_pps"].to_list() == pytest.approx([5.0] * 3)
    assert bound({"routing": {"kind": "static", "parents": [1, 1, 2, 3]}}, 30.0, parents=CHAIN).equals(found)


def test_demands_are_met_first() -> None:
    found = bound({"traffic": {"rate_pps": 0.5}}, 30.0)
    assert found["bound_pps"].to_list() == pytest.approx([0.5] * 3)
    assert found["held_by"].to_list() == [None] * 3
    events = bound({"traffic": {"kind": "event", "event_size": 4, "period_s": 10.0}}, 30.0)
    assert events["demand_pps"].to_list() == pytest.approx([0.4] * 3)


def test_capacities_by_node_and_by_senders_in_range() -> None:
    by_node = bound({}, {"1": 30.0, "2": 30.0, "3": 15.0, "4": 30.0})
    assert by_node["bound_pps"].to_list() == pytest.approx([5.0] * 3)
    assert by_node["held_by"].to_list() == ["3"] * 3
    assert bound({}, [90.0, 60.0, 12.0])["bound_pps"].to_list() == pytest.approx([4.0] * 3)


def test_links_that_lose_frames_lower_the_bound() -> None:
    """Two nodes 10.5 m apart: a packet takes 1/(p q) transmissions, and the sender has all of them itself."""
    scenario = small(**FAST | {"topology": {"kind": "line", "nodes": 2, "spacing_m": 10.5}})
    network = build(scenario)
    etx = shape_of(scenario, network, 1).path_etx[1]
    assert 1.1 < etx < 20
    assert max_min_bound(scenario, network, 1, 30.0)["bound_pps"].to_list() == pytest.approx([30.0 / etx])


def test_a_source_without_a_way_has_no_bound_and_takes_nothing() -> None:
    found = bound({}, 30.0, parents={"2": "1", "3": "1"})
    assert found["bound_pps"].to_list() == pytest.approx([15.0, 15.0, 0.0])
    assert found["held_by"].to_list()[2] is None
    assert bound({}, 30.0, parents={})["bound_pps"].to_list() == [0.0] * 3


@pytest.mark.parametrize(
    ("capacity", "options", "words"),
    [
        (0.0, {}, "capacity: a capacity is 0 but should be a positive"),
        ([], {}, "capacity: the capacity table is empty"),
        ({"1": 30.0, "9": 30.0}, {}, "capacity: there is no node 9 in this topology"),
        ({"1": 30.0, "2": 30.0}, {}, "capacity: none is given for node 3, 4"),
        ({"1": 30.0, "2": -1.0, "3": 1.0, "4": 1.0}, {}, "capacity: a capacity is -1"),
        (30.0, {"parents": {"7": "1"}}, "parents: there is no node 7"),
        (30.0, {"parents": {"2": "8"}}, "parents: there is no node 8"),
        (30.0, {"parents": {"2": "3", "3": "2"}}, "parents: node 2 goes round in a loop"),
        (30.0, {"least_prr": 1.5}, "least_prr is 1.5 but should be from 0 to 1"),
        (30.0, {"least_prr": float("nan")}, "least_prr is nan"),
    ],
)
def test_bad_input(capacity: object, options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        bound({}, capacity, **options)


def test_a_parent_that_is_never_reached() -> None:
    with pytest.raises(BadInput, match="parents: node 2 gets nothing through to its parent"):
        bound({"topology": {"kind": "line", "nodes": 2, "spacing_m": 500.0}}, 30.0, parents={"2": "1"})


def test_a_scenario_that_asks_nobody() -> None:
    with pytest.raises(BadInput, match="asks no node for packets"):
        bound({"traffic": {"rate_pps": 0.0}}, 30.0)


def test_results_beside_their_bound(results: Results) -> None:
    each = sources_over_bound(results, 30.0)
    assert each.height == 2 * 2 * 2 * 3
    assert each.columns[:3] == ["congestion.control", "traffic.rate_pps", "seed"]
    assert each["throughput_pps"].sum() == pytest.approx(results.nodes["throughput_pps"].sum())
    low = each.filter(pl.col("traffic.rate_pps") == 0.5)
    assert low["bound_pps"].to_list() == pytest.approx([0.5] * low.height)
    assert (each["achieved_over_bound"] * each["bound_pps"]).to_list() == pytest.approx(
        each["throughput_pps"].to_list()
    )
    run = achieved_over_bound(results, 30.0)
    assert run.height == 2 * 2 * 2
    assert (run["sources"] == 3).all()
    assert (run["without_way"] == 0).all()
    first = each.filter(
        pl.col("congestion.control") == "none", pl.col("traffic.rate_pps") == 20.0, pl.col("seed") == 2
    )["achieved_over_bound"]
    row = run.row(
        by_predicate=(pl.col("congestion.control") == "none")
        & (pl.col("traffic.rate_pps") == 20.0)
        & (pl.col("seed") == 2),
        named=True,
    )
    assert row["achieved_over_bound_median"] == pytest.approx(first.median())
    assert row["achieved_over_bound_min"] == pytest.approx(first.min())


def test_routes_of_the_run_or_of_the_unloaded_network(results: Results) -> None:
    """A run whose table says "a chain" has the chain's bound; the other choice does not look at it."""
    chain = pl.col("node").replace_strict({"1": None, "2": "1", "3": "2", "4": "3"}, return_dtype=pl.String)
    bent = Results(
        results.scenario, results.axes, results.seeds, results.runs,
        results.nodes.with_columns(parent_node=chain), results.links, results.summary,
    )  # fmt: skip
    loaded = pl.col("traffic.rate_pps") == 20.0
    by_run = sources_over_bound(bent, 30.0).filter(loaded)
    assert by_run["bound_pps"].to_list() == pytest.approx([5.0] * by_run.height)
    by_etx = sources_over_bound(bent, 30.0, routes="etx").filter(loaded)
    assert by_etx["bound_pps"].to_list() == pytest.approx([10.0] * by_etx.height)
    cut = pl.when(pl.col("node") != "4").then("parent_node")
    apart = Results(
        results.scenario, results.axes, results.seeds, results.runs,
        results.nodes.with_columns(parent_node=cut), results.links, results.summary,
    )  # fmt: skip
    assert (achieved_over_bound(apart, 30.0)["without_way"] == 1).all()


def test_results_that_cannot_be_compared(results: Results) -> None:
    with pytest.raises(BadInput, match='routes is "best" but should be one of run, etx'):
        sources_over_bound(results, 30.0, routes="best")  # type: ignore[arg-type]
    empty = Results(
        results.scenario, results.axes, [], results.runs, results.nodes.clear(), results.links, {},
    )  # fmt: skip
    with pytest.raises(BadInput, match="no finished run"):
        sources_over_bound(empty, 30.0)
