"""The report in a browser: it draws, complains of nothing, asks nobody, and fits screen, phone and paper."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from penstock.report import write_report
from penstock.report.study import write_study_report
from penstock.results import Results
from report_cases import (
    NASTY_LABEL,
    flows_that_come_and_go,
    single_point,
    six_strategies,
    with_nasty_names,
    without_positions,
)
from small_study import eleven_strategies, judged

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

MARKS = """
return Array.from(document.querySelectorAll('.plotly-graph-div')).map(chart => [
  chart.id,
  chart.querySelectorAll('.scatterlayer .point, .scatterlayer .js-line').length,
]);
"""
NODE_MARKS = """
return Array.from(document.querySelectorAll('.maps .plotly-graph-div')).map(
  chart => chart.querySelectorAll('.scatterlayer .point').length);
"""
FETCHED = "return performance.getEntriesByType('resource').map(entry => entry.name);"
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;"
WIDEST = """
return Math.max(...Array.from(document.querySelectorAll(arguments[0])).map(
  chart => chart.querySelector('svg.main-svg').getBoundingClientRect().width));
"""
COVERED = """
const middles = Array.from(document.querySelectorAll('#chart-efficiency .annotation')).map(
  mark => mark.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2);
return middles.some((a, i) => middles.some((b, j) => i < j && Math.abs(a - b) < 10));
"""

CASES: dict[str, Callable[[Path], Results]] = {
    "six strategies": lambda _: six_strategies(),
    "single point": lambda _: single_point(),
    "no positions": without_positions,
    "flows": lambda _: flows_that_come_and_go(),
    "nasty names": lambda _: with_nasty_names(six_strategies()),
}


@pytest.fixture(params=list(CASES))
def results(request: pytest.FixtureRequest, tmp_path: Path) -> Results:
    return CASES[request.param](tmp_path)


def opened(browser: "Chrome", results: Results, folder: Path) -> list[dict[str, Any]]:
    """Opens the report; returns what the console said."""
    path = folder / "report.html"
    write_report(results, path)
    browser.get_log("browser")
    browser.get(path.as_uri())
    return browser.get_log("browser")


def test_it_draws_and_stays_silent(browser: "Chrome", results: Results, tmp_path: Path) -> None:
    said = opened(browser, results, tmp_path)
    assert [line for line in said if line["level"] == "SEVERE"] == []
    marks = browser.execute_script(MARKS)
    assert marks
    assert [chart for chart, count in marks if not count] == []
    nodes = results.nodes["index"].n_unique()
    assert set(browser.execute_script(NODE_MARKS)) == {nodes}
    assert [name for name in browser.execute_script(FETCHED) if name.startswith("http")] == []
    assert browser.execute_script("return window.hacked") is None
    assert browser.title == f"{results.scenario.name} – Penstock"


def test_labels_are_drawn_as_they_are_written(browser: "Chrome", tmp_path: Path) -> None:
    opened(browser, with_nasty_names(single_point()), tmp_path)
    drawn = browser.execute_script(
        "return Array.from(document.querySelectorAll('#chart-map-1 .textpoint')).map(t => t.textContent)"
    )
    assert sorted(drawn) == [f"{NASTY_LABEL}{node}" for node in range(1, 5)]


def test_it_fits_screen_phone_and_paper(browser: "Chrome", tmp_path: Path) -> None:
    opened(browser, six_strategies(), tmp_path)
    try:
        for width in (1280, 600):
            browser.set_window_size(width, 1000)
            assert browser.execute_script(OVERFLOW) <= 0
            assert not browser.execute_script(COVERED)
        browser.execute_script("window.dispatchEvent(new Event('beforeprint'));")
        assert browser.execute_script(WIDEST, ".curves .plotly-graph-div") == 330
        assert browser.execute_script(WIDEST, ".maps .plotly-graph-div") == 680
        assert not browser.execute_script(COVERED)
        browser.execute_script("window.dispatchEvent(new Event('afterprint'));")
        assert 330 < browser.execute_script(WIDEST, ".curves .plotly-graph-div") < 600
    finally:
        browser.set_window_size(1280, 1000)


# The report of a study.

SHOWN = """
const chart = document.querySelector('#chart-eta');
const label = [...chart.querySelectorAll('.annotation')].map(note => note.textContent);
return [chart.querySelectorAll('.scatterlayer .trace').length, label.length];
"""


@pytest.fixture
def study(browser: "Chrome", tmp_path: Path) -> "Chrome":
    """A browser with the report of a study of eleven strategies before it."""
    write_study_report(judged(eleven_strategies()), tmp_path / "report.html")
    browser.get_log("browser")
    browser.get((tmp_path / "report.html").as_uri())
    return browser


def test_a_study_draws_and_stays_silent(study: "Chrome") -> None:
    assert [line for line in study.get_log("browser") if line["level"] == "SEVERE"] == []
    marks = study.execute_script(MARKS)
    assert len(marks) == 8
    assert [chart for chart, count in marks if not count] == []
    assert [name for name in study.execute_script(FETCHED) if name.startswith("http")] == []
    assert study.execute_script("return window.hacked") is None


def test_a_study_fits_desk_and_phone(study: "Chrome") -> None:
    try:
        for width in (1280, 800, 600):
            study.set_window_size(width, 1000)
            assert study.execute_script(OVERFLOW) <= 0
            assert not study.execute_script(COVERED.replace("efficiency", "eta"))
        phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
        study.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        study.refresh()
        assert study.execute_script("return window.innerWidth") == 390
        assert study.execute_script(OVERFLOW) <= 0
        widest = study.execute_script(WIDEST, ".plotly-graph-div")
        assert 200 < widest <= 390
    finally:
        study.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        study.set_window_size(1280, 1000)


def test_boxes_hide_strategies_in_every_figure(study: "Chrome") -> None:
    assert study.execute_script(SHOWN) == [11, 11]
    study.execute_script("document.querySelector('.switches button').click()")
    assert study.execute_script(SHOWN) == [6, 6]
    study.execute_script("document.querySelector('.switches input[name=fusion]').click()")
    assert study.execute_script(SHOWN) == [5, 5]
    study.execute_script("document.querySelector('.switches button').click()")
    assert study.execute_script(SHOWN) == [10, 10]


def test_a_box_hides_the_intervals(study: "Chrome") -> None:
    bars = "return document.querySelectorAll('#chart-eta .errorbar').length"
    assert study.execute_script(bars) > 0
    study.execute_script("document.querySelector('.switches input[name=intervals]').click()")
    assert study.execute_script(bars) == 0


def test_a_study_opens_its_parts_on_paper(study: "Chrome") -> None:
    unfolded = "return document.querySelectorAll('details[open]').length"
    assert study.execute_script(unfolded) == 0
    study.execute_script("window.dispatchEvent(new Event('beforeprint'));")
    assert study.execute_script(unfolded) > 0
    assert study.execute_script(WIDEST, ".plotly-graph-div") == 330
    study.execute_script("window.dispatchEvent(new Event('afterprint'));")
    assert study.execute_script(unfolded) == 0
