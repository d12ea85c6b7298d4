"""The report: what is drawn against what, what is said, and that it is one file without surprises."""

import re
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
from penstock import BadInput
from penstock.report import write_report
from penstock.report.chart import spread
from penstock.report.curves import curves
from penstock.report.distributions import imbalance_distribution, throughput_distribution
from penstock.report.grid import CONTROL, LOAD, arrange
from penstock.report.intro import held_values
from penstock.report.look import STRATEGY_LOOKS
from penstock.report.map import network_maps, scale_marks, width_px
from penstock.report.page import render
from penstock.report.tree_layout import radial
from penstock.report.words import MEASURES
from penstock.results import Failure, Results
from penstock.studies.fusion.thesis import SIX
from report_cases import NASTY, grid_of, point, with_nasty_names, without_positions
from small import small


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
    assert [trace["name"] for trace in traces] == list(SIX)
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
