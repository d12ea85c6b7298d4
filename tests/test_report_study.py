"""The report of a study: the paper's axes, every strategy that was run, claims with their parts."""

import importlib
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from penstock import BadInput, __version__, _engine
from penstock.report.look import STRATEGY_LOOKS
from penstock.report.study import parts_agreeing, render_study, verdict_counts, write_study_report
from penstock.report.study_axes import narrow_ticks
from penstock.report.study_figures import Drawn, drawn
from penstock.report.words import STRATEGY_NAMES
from penstock.results import Results
from penstock.statistics import estimate
from penstock.studies.figure import Axis, Curves, Line, Spread
from penstock.studies.reproduce import Reproduction
from report_cases import NASTY
from small_study import ALL, CONTROL, FIGURES, LOAD, LOADS, STUDY, eleven_strategies, judged
from test_report import Page

Study = dict[str, tuple[Results, str]]


@pytest.fixture(scope="module")
def tables() -> Study:
    """Eleven strategies at four loads; nobody changes them."""
    return eleven_strategies()


@pytest.fixture(scope="module")
def made(tables: Study) -> Reproduction:
    return judged(tables)


@pytest.fixture(scope="module")
def page(made: Reproduction) -> Page:
    return Page(render_study(made))


def figure(tables: Study, key: str) -> Drawn:
    return next(each for each in drawn(FIGURES, tables, {}) if each.figure.key == key)


def traces(each: Drawn) -> list[dict]:
    assert each.chart is not None
    return each.chart.figure["data"]


def axes(each: Drawn) -> tuple[dict, dict]:
    assert each.chart is not None
    return each.chart.figure["layout"]["xaxis"], each.chart.figure["layout"]["yaxis"]


# Figures.


def test_a_curve_holds_means_and_intervals_of_every_strategy_that_ran(tables: Study) -> None:
    results, _ = tables["periodic"]
    found = traces(figure(tables, "eta"))
    assert [trace["name"] for trace in found] == list(ALL)
    for trace in found:
        look = STRATEGY_LOOKS[trace["name"]]
        assert (trace["meta"], trace["line"]["color"], trace["line"]["dash"]) == (
            *(trace["name"], look.colour, look.dash),
        )
        for i, load in enumerate((0.5, 1.0, 2.0, 4.0)):
            at = (pl.col(CONTROL) == trace["name"]) & (pl.col(LOAD) == load)
            expected = estimate(results.runs.filter(at)["efficiency"].to_list(), results.scenario.confidence)
            assert trace["y"][i] == pytest.approx(expected.mean)
            assert trace["error_y"]["array"][i] == pytest.approx(expected.high - expected.mean)
            assert trace["x"][i] == pytest.approx(load, abs=0.11)


def test_strategies_beyond_the_paper_have_less_weight(tables: Study) -> None:
    found = {trace["name"]: trace for trace in traces(figure(tables, "eta"))}
    assert all(found[name]["line"]["width"] == 1.8 for name in ("none", "rate", "fusion"))
    assert all(found[name]["line"]["width"] < 1.2 and found[name]["opacity"] < 1 for name in ALL[6:])
    assert set(STRATEGY_LOOKS) == set(STRATEGY_NAMES) == set(_engine.strategies())


def test_axes_are_the_papers_and_grow_only_for_a_mean_beyond_them(tables: Study) -> None:
    x, y = axes(figure(tables, "loss"))
    assert (x["title"]["text"], x["range"]) == ("Per-node offered load (packets/s)", [0.0, 4.2])
    assert (y["title"]["text"], y["range"]) == ("Loss rate", [0.0, 1.0])
    eta = figure(tables, "eta")  # the paper's axis ends at 0.01 there
    highest = max(value for trace in traces(eta) for value in trace["y"])
    assert axes(eta)[1]["range"] == pytest.approx([0.0, 1.03 * highest])
    assert eta.chart is not None
    assert "longer than the paper's" in eta.chart.caption
    assert "longer" not in (figure(tables, "loss").chart or eta.chart).caption


def test_a_logarithmic_axis_places_names_and_threads_where_plotly_wants_them(tables: Study) -> None:
    each = figure(tables, "bits")
    assert each.chart is not None
    y = axes(each)[1]
    assert y["type"] == "log"
    shape = each.chart.figure["layout"]
    ends = sorted(trace["y"][-1] for trace in traces(each))
    assert [thread["y0"] for thread in shape["shapes"]] == pytest.approx(ends)
    low, high = y["range"]
    assert all(low - 1e-9 <= note["y"] <= high + 1e-9 for note in shape["annotations"])
    assert low < math.log10(min(ends)) < high


def test_names_and_threads_belong_to_their_strategy(tables: Study) -> None:
    each = figure(tables, "eta")
    assert each.chart is not None
    shape = each.chart.figure["layout"]
    for note, thread in zip(shape["annotations"], shape["shapes"], strict=True):
        assert note["name"] == note["text"] == thread["name"]
        last = next(trace["y"][-1] for trace in traces(each) if trace["name"] == note["name"])
        assert thread["y0"] == pytest.approx(last)
    assert {trace["meta"] for trace in traces(figure(tables, "loss"))} == {""}


def test_a_complement_turns_means_and_intervals_round(tables: Study) -> None:
    results, _ = tables["crowded"]
    trace = next(t for t in traces(figure(tables, "drops")) if t["name"] == "none")
    at = (pl.col(CONTROL) == "none") & (pl.col(LOAD) == 4.0)
    ratio = estimate(results.runs.filter(at)["delivery_ratio"].to_list(), results.scenario.confidence)
    assert trace["y"][-1] == pytest.approx(1 - ratio.mean)
    assert trace["error_y"]["array"][-1] == pytest.approx(ratio.mean - ratio.low)


def spread_of(values: list[float], x: Axis, complementary: bool, tables: Study) -> Drawn:
    """A distribution of made-up imbalances."""
    results, key = tables["periodic"]
    nodes = pl.DataFrame({
        CONTROL: ["none"] * len(values), LOAD: [4.0] * len(values), "seed": [1] * len(values),
        "sink": [False] * len(values), "imbalance": values, "generated": [10] * len(values),
        "delivered": [5] * len(values), "throughput_pps": [1.0] * len(values),
    })  # fmt: skip
    about = Spread("s", "S", "Fig. 5-3", "C.", "periodic", "imbalance", (("none", "none", 4.0),), x,
                   Axis("Fraction", (0.0, 1.0)), complementary)  # fmt: skip
    (each,) = drawn((about,), {"periodic": (replace(results, nodes=nodes), key)}, {})
    return each


def test_a_distribution_steps_from_edge_to_edge_and_says_what_is_infinite(tables: Study) -> None:
    each = spread_of([0.05, 1.0, 2.0, 2.0, math.inf], Axis("ζ", (0.1, 1000.0), "log"), False, tables)
    (trace,) = traces(each)
    assert list(zip(trace["x"], trace["y"], strict=True)) == [
        (0.1, 0.2),
        (1.0, 0.4),
        (2.0, 0.8),
        (1000.0, 0.8),
    ]
    assert trace["line"]["shape"] == "hv"
    assert axes(each)[0]["range"] == pytest.approx([-1, 3])
    assert each.chart is not None
    assert "beyond the right edge (nothing passed on of what they received): none 20%" in each.chart.caption


def test_a_complementary_distribution_falls_to_what_lies_beyond(tables: Study) -> None:
    each = spread_of([0.0, 1.0, 2.0, 2.0, 9.0], Axis("ζ", (0.5, 5.0)), True, tables)
    (trace,) = traces(each)
    assert list(zip(trace["x"], trace["y"], strict=True)) == [(0.5, 0.8), (1.0, 0.8), (2.0, 0.6), (5.0, 0.2)]
    assert trace["line"]["shape"] == "vh"
    assert each.chart is not None
    assert "Infinite" not in each.chart.caption


def test_distributions_take_all_runs_of_each_point(tables: Study) -> None:
    results, _ = tables["periodic"]
    each = figure(tables, "heard")
    for trace, load in zip(traces(each), (0.5, 4.0), strict=True):
        at = (pl.col(CONTROL) == "none") & (pl.col(LOAD) == load) & (pl.col("generated") > 0)
        rows = results.nodes.filter(at & ~pl.col("sink"))
        shares = np.array((rows["delivered"] / rows["generated"]).to_list())
        for x, y in zip(trace["x"][1:-1], trace["y"][1:-1], strict=True):
            assert y == pytest.approx(np.mean(shares >= x * 0.9995), abs=0.03)
    assert [trace["name"] for trace in traces(figure(tables, "imbalance"))] == list(ALL)


def test_maps_share_one_scale(tables: Study) -> None:
    fusion, none = figure(tables, "map-fusion"), figure(tables, "map-none")
    assert fusion.scale
    assert fusion.scale == none.scale
    widths = [t["line"]["width"] for each in (fusion, none) for t in traces(each) if t["mode"] == "lines"]
    assert max(widths) == 12.0
    assert fusion.chart is not None
    assert "The sink received" in fusion.chart.caption


def test_what_was_not_run_is_left_out_with_the_reason(tables: Study) -> None:
    found = {each.figure.key: each for each in drawn(FIGURES, tables, {"absent": "no file"})}
    assert {key: each.missing for key, each in found.items() if each.chart is None} == {
        "none-such": "its experiment, absent, was skipped",
        "no-point": "the experiment periodic holds no such point",
    }
    results, x = tables["periodic"]
    six = replace(results, runs=results.runs.filter(pl.col(CONTROL).is_in(ALL[:6])))
    only = next(each for each in drawn(FIGURES, {"periodic": (six, x)}, {}) if each.figure.key == "eta")
    assert [trace["name"] for trace in traces(only)] == list(ALL[:6])
    crowded = next(each for each in drawn(FIGURES, {"periodic": (six, x)}, {}) if each.figure.key == "drops")
    assert crowded.missing == "its experiment, crowded, was not run"


def test_an_undefined_metric_leaves_no_figure(tables: Study) -> None:
    results, x = tables["periodic"]
    undefined = replace(results, runs=results.runs.with_columns(pl.lit(None, pl.Float64).alias("latency_s")))
    about = Curves("l", "L", "F", "C.", "periodic", (Line("none", "none", "latency_s"),), LOADS, Axis("s"))
    (each,) = drawn((about,), {"periodic": (undefined, x)}, {})
    assert each.chart is None


# The page.


def test_every_figure_is_reached_from_the_list_and_from_its_claim(page: Page) -> None:
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [a["href"] for a in page.named("a")]
    drawn_keys = [each.key for each in FIGURES if each.key not in ("none-such", "no-point")]
    assert page.charts() == [f"chart-{key}" for key in drawn_keys]
    assert [t for t in targets if t not in ("#figure-eta", "#figure-drops", "#figure-bits")] == [
        f"#figure-{key}" for key in drawn_keys if key not in ("eta", "drops", "bits")
    ]
    assert targets.count("#figure-eta") == 2  # "Fig. 5-1" is not found in "Fig. 5-10"
    assert targets.count("#figure-drops") == 2
    assert {f"figure-{key}" for key in drawn_keys} <= set(ids)


def test_the_claims_table_says_it_all(page: Page, made: Reproduction) -> None:
    text = page.text
    for each in made.judged:
        assert each.claim.id in text
        for part in each.parts:
            assert len(each.parts) == 1 or part.check.paper in text
            assert part.measured in text
    counts = [f"{n} {verdict}" for verdict, n in verdict_counts(made.judged)]
    assert all(words in text for words in counts)
    assert sum(n for _, n in verdict_counts(made.judged)) == len(STUDY.claims)
    assert len(page.named("details")) == sum(len(each.parts) > 1 for each in made.judged)
    assert parts_agreeing(made.judged[0]) in text
    assert "Not measured." in text  # the note of the claim that needs an absent experiment
    assert "Left out:" in text
    assert "Left out: the experiments that this table needs were not run." in text
    assert "penstock reproduce small --quick" in text


def test_names_and_notes_are_text_wherever_they_appear(made: Reproduction, page: Page) -> None:
    text = render_study(made)
    assert NASTY not in text
    for words in (f"A small study {NASTY}", f"Tried with {NASTY} & more.", f"Something arrives {NASTY}",
                  f"How many {NASTY}", f"Efficiency {NASTY}", f"no {NASTY}"):  # fmt: skip
        assert words in page.text
    assert len(page.named("script")) == 3 + len(page.charts())  # plotly, printing, lines


def test_switches_name_the_strategies_that_are_drawn(page: Page) -> None:
    boxes = [box["name"] for box in page.named("input")]
    assert boxes == [*ALL, "intervals"]
    assert [box["name"] for box in page.named("input") if "data-thin" in box] == list(ALL[6:])


def test_the_page_is_one_small_file_that_loads_nothing(tables: Study, tmp_path: Path) -> None:
    made = judged(tables)
    write_study_report(made, tmp_path / "a.html")
    write_study_report(judged(tables), tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert (tmp_path / "a.html").stat().st_size < 8_000_000
    page = Page((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert all("src" not in script for script in page.named("script"))
    assert not page.named("img")
    assert all(re.match("#|data:,", tag["href"] or "") for tag in (*page.named("a"), *page.named("link")))
    with pytest.raises(BadInput, match="cannot be written"):
        write_study_report(made, tmp_path / "nowhere" / "report.html")


def test_a_study_of_which_nothing_ran_has_a_page() -> None:
    page = Page(render_study(judged({}, effort="reduced")))
    assert page.charts() == []
    assert "It says nothing about the paper." in page.text
    assert not re.search(r"\b(nan|None)\b", page.text)


# The page of the documentation.


def test_the_documentation_has_claims_parts_tables_and_figures(
    tables: Study, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(repo / "tools"))
    tool = importlib.import_module("study")
    noted = replace(STUDY, notes={"small.huge": "a | b"})
    made = judged(tables, noted, "full")
    text = tool.document(made, drawn(FIGURES, tables, made.skipped))
    assert f"`penstock reproduce small --full` with Penstock {__version__}" in text
    assert "2 experiments, 4 seeds a point" in text
    assert all(f"| {claim.id} | " in text for claim in STUDY.claims)
    assert text.count("\n### ") == sum(len(claim.parts) > 1 for claim in STUDY.claims)
    assert "| a \\| b |" in text
    assert "## How many" in text
    assert "## What was not run" not in text
    assert re.findall(r"\((small-[a-z-]+)\.png\)", text) == [
        *("small-bits", "small-imbalance", "small-map-fusion", "small-map-none"),
    ]
    assert "Fig. 6-2: Elsewhere. Nothing. Not drawn: the experiment periodic holds no such point." in text
    for line in text.splitlines():
        assert line.startswith("|") is line.endswith("|")


def test_a_narrow_logarithmic_axis_has_labels_in_full() -> None:
    assert narrow_ticks((-1.1, 0.4)) == pytest.approx([0.1, 0.2, 0.5, 1.0, 2.0])
    assert narrow_ticks((0.1, 0.65)) == pytest.approx([2.0, 3.0, 4.0]), "not 2 alone"
    assert narrow_ticks((0.31, 0.42)) == pytest.approx([2.1, 2.2, 2.3, 2.4, 2.5, 2.6])
