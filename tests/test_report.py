"""The report: what is drawn against what, what is said, and that it is one file without surprises."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import penstock
from penstock import BadInput, Scenario
from penstock.report import write_report
from penstock.report.chart import spread
from penstock.report.curves import curves
from penstock.report.distributions import imbalance_distribution, throughput_distribution
from penstock.report.grid import CONTROL, LOAD, Grid, arrange
from penstock.report.headline import collapse_load, headline
from penstock.report.intro import held_values, what_was_run
from penstock.report.look import OTHER_LOOKS, STRATEGY_LOOKS, Look, looks_for
from penstock.report.map import network_maps, scale_marks, width_px
from penstock.report.page import render
from penstock.report.scenario_text import as_toml
from penstock.report.tables import coverage, overview, period
from penstock.report.tree_layout import radial
from penstock.report.words import MEASURES, axis_title, axis_value, number
from penstock.results import Failure, Results
from penstock.scenario import STRATEGIES
from report_cases import NASTY, point, single_point, six_strategies, with_nasty_names, without_positions
from small import small


@pytest.fixture(scope="module")
def six() -> Results:
    return six_strategies()


@pytest.fixture(scope="module")
def single() -> Results:
    return single_point()


def grid_of(results: Results) -> Grid:
    return arrange(results.summary["points"])


class Page(HTMLParser):
    """What a page holds, without the text of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def charts(self) -> list[str]:
        return [a["id"] or "" for a in self.named("div") if a.get("class") == "plotly-graph-div"]


# The file.


def test_the_same_results_give_the_same_bytes(six: Results, tmp_path: Path) -> None:
    write_report(six, tmp_path / "a.html")
    write_report(six, tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a.html", "b.html"]


def test_read_back_results_give_the_same_page_but_for_nothing(tmp_path: Path) -> None:
    penstock.run(small(), tmp_path / "out")
    write_report(Results.load(tmp_path / "out"), tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "out" / "report.html").read_bytes()


def test_a_folder_that_is_not_there_is_bad_input(single: Results, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        write_report(single, tmp_path / "nowhere" / "report.html")


def test_the_page_loads_nothing(six: Results) -> None:
    text = render(six)
    page = Page(text)
    assert all("src" not in script for script in page.named("script"))
    assert [link["href"] for link in page.named("link")] == ["data:,"]
    assert not page.named("img")
    assert not page.named("iframe")
    policy = next(m["content"] or "" for m in page.named("meta") if "http-equiv" in m)
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert text.count("plotly.js v") == 1


def test_every_element_has_its_own_stable_id(six: Results) -> None:
    page = Page(render(six))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert page.charts() == [
        *(f"chart-{measure.name}" for measure in MEASURES),
        *("chart-node-throughput", "chart-imbalance", "chart-map-1", "chart-map-2"),
    ]
    assert page.named("html") == [{"lang": "en"}]
    spoken = [a for a in page.named("div") if a.get("role") == "img"]
    assert len(spoken) == len(page.charts())
    assert all(a.get("aria-label") for a in spoken)


def test_names_are_text_wherever_they_appear(six: Results) -> None:
    text = render(with_nasty_names(six))
    assert NASTY not in text
    page = Page(text)
    assert NASTY in page.text
    assert text.count("<script") == render(six).count("<script")


def test_failed_runs_are_named(six: Results) -> None:
    failures = [Failure({LOAD: 0.5}, seed, f"engine: {NASTY}") for seed in range(1, 14)]
    page = Page(render(replace(six, failures=failures)))
    assert "Some runs failed" in page.text
    assert "traffic.rate_pps = 0.5, seed 1: engine: <script>" in page.text
    assert "and 3 more" in page.text


# Grids of any shape.


def test_one_point_is_shown_by_table_and_map(single: Results) -> None:
    page = Page(render(single))
    assert "chart-map-1" in page.charts()
    assert not any(f"chart-{measure.name}" in page.charts() for measure in MEASURES)
    assert "Each point was run once, with seed 1: there are no intervals." in page.text
    assert "Delivery ratio" in page.text
    assert "nan" not in page.text.lower().split()


@pytest.mark.parametrize(
    "axes",
    [
        {CONTROL: ["fusion"], LOAD: [0.5]},
        {CONTROL: ["fusion"]},
        {LOAD: [0.5]},
        {LOAD: [0.5, 1.0]},
        {CONTROL: ["none", "rate"]},
        {CONTROL: ["occupancy", "rate"], LOAD: [0.5, 1.0]},
        {LOAD: [0.0]},
        {LOAD: [0.0, 1.0]},
        {"node.queue": [4, 8], LOAD: [0.5, 1.0], CONTROL: ["none", "fusion"]},
        {"node.queue": [4, 8]},
        {"radio.tx_power_dbm": [-10.0, -5.0], "node.queue": [4, 8]},
        {"routing.pin": [True, False], LOAD: [0.5, 1.0]},
        {"topology.nodes": [3, 4]},
        {"topology.sink": [1, 2], LOAD: [1.0]},
    ],
    ids=str,
)
@pytest.mark.parametrize("seeds", [1, 2])
def test_no_grid_is_too_strange(axes: dict[str, list[object]], seeds: int) -> None:
    results = penstock.run(small(axes=axes, seeds=seeds))
    page = Page(render(results))
    assert "chart-map-1" in page.charts()
    assert not re.search(r"\b(nan|inf|None)\b", page.text.split("Parameters")[0])


def test_results_without_any_run(six: Results) -> None:
    points = [{"axes": p["axes"], "runs": 0, "metrics": {}} for p in six.summary["points"]]
    nothing = pl.DataFrame()
    empty = replace(six, runs=six.runs.clear(), nodes=nothing, links=nothing, summary={"points": points})
    assert Page(render(empty)).charts() == []


def test_load_and_strategy_take_their_places_whatever_the_order() -> None:
    grid = arrange([point({"node.queue": q, LOAD: x, CONTROL: c}, efficiency=q * x)
                    for q in (8, 4) for x in (2, 1.0) for c in ("none", "fusion")])  # fmt: skip
    assert (grid.x, grid.lines, grid.fixed) == (LOAD, CONTROL, {"node.queue": 4})
    assert grid.x_values == [1.0, 2.0]
    assert grid.line_values == ["none", "fusion"]
    estimate = grid.at("fusion", 2.0, "efficiency")
    assert estimate is not None
    assert estimate.mean == 8.0
    assert grid.level == 0.99
    assert held_values(grid).startswith("The figures and tables show node.queue = 4 only")


def test_other_axes_find_a_place() -> None:
    numbers = arrange([point({"mac.sync_bytes": a, "node.queue": b}) for a in (1, 2) for b in (4, 8)])
    assert (numbers.x, numbers.lines) == ("mac.sync_bytes", "node.queue")
    names = arrange([point({"radio.kind": a}) for a in ("a", "b")])
    assert (names.x, names.lines, names.is_single) == (None, "radio.kind", False)
    nothing = arrange([point({})])
    assert (nothing.x, nothing.lines, nothing.is_single) == (None, None, True)


def test_rows_of_a_point_are_found_in_tables_of_any_type() -> None:
    frame = pl.DataFrame({"a": ["[1, 2]", "[3]"], "b": ["x", "1"], "n": [1, 2]})
    grid = arrange([point({"a": [1, 2], "b": "x"}), point({"a": [3], "b": 1})])
    assert grid.lines == "a"
    assert grid.select(frame, "[1, 2]", None)["n"].to_list() == [1]


def test_undefined_metrics_leave_gaps() -> None:
    grid = arrange([
        point({CONTROL: "none", LOAD: 1.0}, latency_s=None, efficiency=None),
        point({CONTROL: "none", LOAD: 2.0}, latency_s=0.5, efficiency=None),
    ])  # fmt: skip
    assert grid.at("none", 1.0, "latency_s") is None
    assert [chart.key for chart in curves(grid)] == ["latency_s"]
    trace = curves(grid)[0].figure["data"][0]
    assert trace["y"] == [None, 0.5]


# What the figures hold.


def test_a_curve_holds_every_mean_and_interval(six: Results) -> None:
    grid = grid_of(six)
    chart = next(chart for chart in curves(grid) if chart.key == "efficiency")
    traces = chart.figure["data"]
    assert [trace["name"] for trace in traces] == list(STRATEGIES)
    for trace in traces:
        look = STRATEGY_LOOKS[trace["name"]]
        assert (trace["line"]["color"], trace["line"]["dash"]) == (look.colour, look.dash)
        for i, x in enumerate(grid.x_values):
            estimate = grid.at(trace["name"], x, "efficiency")
            assert estimate is not None
            assert trace["y"][i] == estimate.mean
            assert estimate.high is not None
            assert trace["error_y"]["array"][i] == pytest.approx(estimate.high - estimate.mean)
            assert trace["x"][i] == pytest.approx(x, rel=0.06)
    assert "thesis Fig. 5-2" in chart.caption


def test_one_seed_draws_no_bars() -> None:
    results = penstock.run(small(seeds=1))
    assert not any(
        trace["error_y"]["visible"] for chart in curves(grid_of(results)) for trace in chart.figure["data"]
    )


def nodes_frame(throughputs: list[float], imbalances: list[float | None]) -> pl.DataFrame:
    return pl.DataFrame({
        "seed": [1] * len(throughputs),
        "sink": [False] * len(throughputs),
        "throughput_pps": throughputs,
        "imbalance": imbalances,
    })  # fmt: skip


def test_the_distributions_count_silent_nodes_and_hotspots() -> None:
    grid = arrange([point({})])
    nodes = nodes_frame([0.0, 0.5, 0.5, 1.0], [1.0, 2.0, float("inf"), None])
    reached = throughput_distribution(grid, nodes)
    assert reached is not None
    trace = reached.figure["data"][0]
    assert list(zip(trace["x"], trace["y"], strict=True)) == [(0.0, 1.0), (0.5, 0.75), (1.0, 0.25)]
    hotspots = imbalance_distribution(grid, nodes)
    assert hotspots is not None
    trace = hotspots.figure["data"][0]
    assert trace["x"][-1] == 2.0
    assert trace["y"][-1] == pytest.approx(2 / 3)
    assert "passed on nothing" in hotspots.caption


def test_the_map_draws_every_node_and_the_traffic_of_every_link(six: Results) -> None:
    maps = network_maps(grid_of(six), six.nodes, six.links)
    assert maps is not None
    assert [chart.title for chart in maps.charts] == ["Traffic flow: none", "Traffic flow: fusion"]
    chosen = (pl.col(LOAD) == 4.0) & (pl.col("seed") == 1) & pl.col(CONTROL).is_in(["none", "fusion"])
    most = six.links.filter(chosen)["received"].max()
    for chart, control in zip(maps.charts, ("none", "fusion"), strict=True):
        traces = chart.figure["data"]
        marks = [trace for trace in traces if "markers" in trace["mode"]]
        assert sum(len(trace["x"]) for trace in marks) == 9
        assert [len(trace["x"]) for trace in marks if trace["marker"]["symbol"] == "star"] == [1]
        links = six.links.filter(chosen & (pl.col(CONTROL) == control))
        widths = {
            (trace["x"][i], trace["y"][i], trace["x"][i + 1], trace["y"][i + 1]): trace["line"]["width"]
            for trace in traces
            if trace["mode"] == "lines"
            for i in range(0, len(trace["x"]), 3)
        }
        places = six.nodes.filter(chosen & (pl.col(CONTROL) == control))
        at = {n: (x, y) for n, x, y in places.select("node", "x_m", "y_m").rows()}
        for src, dst, received in (
            links.filter(pl.col("received") > 0).select("src", "dst", "received").rows()
        ):
            assert widths[*at[src], *at[dst]] == width_px(received, most)


def test_the_map_says_when_places_are_made_up(tmp_path: Path) -> None:
    results = without_positions(tmp_path)
    maps = network_maps(grid_of(results), results.nodes, results.links)
    assert maps is not None
    assert "gives no positions" in maps.note
    assert not maps.charts[0].figure["layout"]["xaxis"]["visible"]


@given(st.lists(st.floats(-50, 400), max_size=12), st.sampled_from([1.0, 14.0, 40.0]))
def test_names_beside_lines_never_cover_each_other(wanted: list[float], gap: float) -> None:
    places = spread(sorted(wanted), gap, 240.0)
    kept = min(gap, 240.0 / max(len(places) - 1, 1))
    assert len(places) == len(wanted)
    assert all(b - a >= kept - 1e-6 for a, b in pairwise(places))
    assert all(-1e-6 <= place <= 240.0 + 1e-6 for place in places)


def test_names_with_room_stay_beside_their_lines() -> None:
    assert spread([10.0, 100.0, 200.0], 14.0, 240.0) == [10.0, 100.0, 200.0]
    assert spread([100.0, 101.0], 14.0, 240.0) == pytest.approx([93.5, 107.5])


def test_a_tree_is_laid_out_in_rings() -> None:
    parents = [-1, 0, 0, 1, 3, -1]
    places = radial(parents, sink=0)
    assert np.hypot(*places[:5].T) == pytest.approx([0, 1, 1, 2, 3])
    assert places[5, 1] < -3  # without a way to the sink: below the rings
    assert len({tuple(place) for place in places.round(6)}) == 6


def test_a_tree_with_a_loop_does_not_hang() -> None:
    assert radial([-1, 2, 1, 0], sink=0).shape == (4, 2)


def test_widths_are_proportional_and_the_key_is_round() -> None:
    assert width_px(1000, 1000) == 12.0
    assert width_px(500, 1000) == 6.0
    assert width_px(1, 1000) == 0.5
    assert scale_marks(740) == [20, 100, 500]
    assert scale_marks(1) == [1]
    assert scale_marks(0) == []


# What the words say.


def test_the_collapse_is_the_first_load_at_which_most_packets_are_lost(six: Results) -> None:
    shares = {0.25: 0.9, 0.5: 0.6, 1.0: 0.4, 2.0: 0.1}
    grid = arrange([
        point({CONTROL: c, LOAD: x}, delivery_ratio=share, efficiency=eta, fairness=0.5)
        for c, eta in (("none", 0.1), ("rate", 0.1), ("fusion", 0.3))
        for x, share in shares.items()
    ])  # fmt: skip
    assert collapse_load(grid, "none") == 1.0
    first, second, third = headline(six, grid)
    assert first.answer == "Between 0.5 and 1 packet/s a node."
    assert second.answer == (
        "Fusion: useful hops per transmission 0.30 against 0.10 without control, 3.0 times as much."
    )
    assert third.answer == "No strategy does better than no congestion control."


@pytest.mark.parametrize(
    ("shares", "answer"),
    [
        ({1.0: 0.4, 2.0: 0.2}, "At or below 1 packet/s a node, the lightest load measured: 40% arrive."),
        ({1.0: 0.9, 2.0: 0.8}, "Not up to 2 packets/s a node: 80% arrive there."),
    ],
)
def test_a_collapse_outside_the_loads_is_said_so(
    single: Results, shares: dict[float, float], answer: str
) -> None:
    grid = arrange([point({LOAD: x}, delivery_ratio=share) for x, share in shares.items()])
    only = headline(single, grid)
    assert [statement.answer for statement in only] == [answer]
    assert only[0].question == "Where does the network collapse with fusion?"


def test_overlapping_intervals_name_no_winner(six: Results) -> None:
    grid = arrange([point({CONTROL: c}, efficiency=e) for c, e in (("none", 0.29), ("fusion", 0.3))])
    (statement,) = headline(six, grid)
    assert statement.answer.startswith("Too close to call")


def test_the_introduction_says_what_was_run(six: Results) -> None:
    text = what_was_run(six, grid_of(six))
    assert text.startswith("9 nodes on a grid of 3 columns, 5 m apart; node 1 is the sink.")
    assert "CC1000 radio at −10 dBm" in text
    assert "0.5, 2 or 4 packets/s" in text
    assert "Six strategies" in text
    assert "2 seeds" in text
    assert "99% level" in text


def test_the_thesis_stands_beside_its_own_kind_of_network_only(six: Results) -> None:
    grid = arrange(
        [point({CONTROL: c, LOAD: 2.0}, coverage_50_s=7.5, delivery_ratio=0.5) for c in STRATEGIES]
    )
    elsewhere = coverage(six, grid)
    office = coverage(replace(six, scenario=small(topology={"kind": "office"}, channel={})), grid)
    assert elsewhere is not None
    assert office is not None
    half = dict(office.rows)["50%"]
    assert [cell.text for cell in half] == ["7.5 s"] * 6
    assert [cell.below for cell in half][:2] == ["thesis 38 s", "thesis 12 s"]
    assert dict(office.rows)["95%"][5].text == "∞"
    assert dict(office.rows)["95%"][5].below == "thesis 43 s"
    assert all(cell.below == "" for _, cells in elsewhere.rows for cell in cells)


def test_the_overview_marks_the_best_where_one_side_is_better() -> None:
    grid = arrange([
        point({CONTROL: c}, efficiency=e, channel_loss_rate=loss, latency_s=1 / e)
        for c, e, loss in (("none", 0.1, 0.8), ("fusion", 0.3, 0.4))
    ])  # fmt: skip
    rows = dict(overview(grid).rows)
    assert [cell.best for cell in rows["Efficiency η"]] == [False, True]
    assert [cell.best for cell in rows["Channel loss rate"]] == [False, True]
    assert not any(cell.best for cell in rows["Latency, s"])
    assert rows["Efficiency η"][1].below == "± 0.030"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.84, "840 ms"),
        (4.2, "4.2 s"),
        (38, "38 s"),
        (108.4, "108 s"),
        (float("inf"), "∞"),
        (0.9999, "1.0 s"),
    ],
)
def test_periods_read_as_in_the_thesis(seconds: float, text: str) -> None:
    assert period(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.1234, "0.12"), (-0.5, "−0.50"), (12345.0, "12,000"), (99.6, "100"), (1e-9, "1.0e-09"),
     (None, "–"), (float("nan"), "–"), (float("inf"), "∞"), (159_000.0, "160,000"), (1.0, "1.0")],
)  # fmt: skip
def test_numbers_read_well(value: float | None, text: str) -> None:
    assert number(value) == text


def test_axes_carry_their_units() -> None:
    assert axis_title(LOAD) == "Offered load per node (packets/s)"
    assert axis_title("radio.tx_power_dbm") == "radio tx power (dBm)"
    assert axis_title("node.queue") == "node queue"
    assert axis_value(LOAD, 2.0) == "2 packets/s"
    assert axis_value("routing.pin", True) == "True"


# Looks.


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("looks", [list(STRATEGY_LOOKS.values()), list(OTHER_LOOKS)])
def test_lines_differ_by_colour_marker_and_dash_and_names_are_readable(looks: list[Look]) -> None:
    kinds: list[Callable[[Look], str]] = [lambda k: k.colour, lambda k: k.marker, lambda k: k.dash]
    assert all(len({kind(look) for look in looks}) == len(looks) for kind in kinds)
    assert all(1.05 / (luminance(look.ink) + 0.05) >= 4.5 for look in looks)


def test_a_strategy_keeps_its_look_in_any_company() -> None:
    assert looks_for(["fusion", "none"])["fusion"] == STRATEGY_LOOKS["fusion"]
    assert looks_for(["fusion", "mine"])["fusion"] == STRATEGY_LOOKS["fusion"]
    assert len({look.colour for look in looks_for(["a", "b", "c"]).values()}) == 3
    assert len(looks_for([str(i) for i in range(20)])) == 20


# The scenario written back.


@pytest.mark.parametrize(
    "scenario",
    [
        small(),
        small(name='"quoted" \\ \x7f ü\n', description="a\tb"),
        small(axes={}),
        small(topology={"kind": "office", "nodes": 20}, channel={}),
        small(topology={"kind": "gain_file", "file": "a b.txt", "sink": 3}, channel={}),
        small(routing={"kind": "static", "parents": [1, 1, 2, 3], "pin": False}),
    ],
)
def test_the_scenario_can_be_run_again(scenario: Scenario) -> None:
    assert Scenario.model_validate(tomllib.loads(as_toml(scenario))) == scenario
