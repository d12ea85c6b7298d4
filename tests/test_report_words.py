"""The report's words, tables and looks."""

import tomllib
from collections.abc import Callable
from dataclasses import replace

import polars as pl
import pytest

from penstock import Scenario
from penstock.report.grid import CONTROL, LOAD, arrange
from penstock.report.headline import collapse_load, headline
from penstock.report.intro import what_was_run
from penstock.report.look import OTHER_LOOKS, STRATEGY_LOOKS, Look, looks_for
from penstock.report.scenario_text import as_toml
from penstock.report.tables import coverage, overview, period
from penstock.report.words import axis_title, axis_value, number
from penstock.results import Results
from penstock.studies.fusion.thesis import SIX
from report_cases import grid_of, point, with_runs
from small import small

# What the words say.


def test_the_collapse_is_the_first_load_at_which_most_packets_are_lost(six: Results) -> None:
    shares = {0.25: 0.9, 0.5: 0.6, 1.0: 0.4, 2.0: 0.1}
    grid = arrange([
        point({CONTROL: c, LOAD: x}, delivery_ratio=share, efficiency=eta, fairness=0.5)
        for c, eta in (("none", 0.1), ("rate", 0.1), ("fusion", 0.3))
        for x, share in shares.items()
    ])  # fmt: skip
    assert collapse_load(grid, "none") == 1.0
    shown = {"none": [0.1, 0.11], "rate": [0.1, 0.11], "fusion": [0.3, 0.31]}
    made = with_runs(six, {c: {"efficiency": e, "fairness": [0.5] * 2} for c, e in shown.items()})
    runs = made.runs.with_columns(pl.lit(2.0).alias(LOAD))
    first, second, third = headline(replace(six, runs=runs), grid)
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


def by_seed(six: Results, none: list[float], fusion: list[float]) -> str:
    """What the headline says of these efficiencies, one a seed."""
    means = {"none": sum(none) / len(none), "fusion": sum(fusion) / len(fusion)}
    grid = arrange([point({CONTROL: control}, efficiency=mean) for control, mean in means.items()])
    (statement,) = headline(
        with_runs(six, {"none": {"efficiency": none}, "fusion": {"efficiency": fusion}}), grid
    )
    return statement.answer


def test_runs_paired_by_seed_tell_apart_what_overlapping_intervals_do_not(six: Results) -> None:
    assert by_seed(six, [0.10, 0.20, 0.30], [0.12, 0.221, 0.319]).startswith("Fusion: useful hops")
    assert by_seed(six, [0.10, 0.20, 0.30], [0.30, 0.10, 0.25]).startswith("Too close to call")


def test_one_seed_tells_nothing_apart_and_says_so(six: Results) -> None:
    grid = arrange([point({CONTROL: c}, efficiency=e) for c, e in (("none", 0.1), ("fusion", 0.3))])
    one = with_runs(six, {"none": {"efficiency": [0.1]}, "fusion": {"efficiency": [0.3]}})
    assert "differences may be chance" in headline(one, grid)[0].grounds


def test_the_introduction_says_what_was_run(six: Results) -> None:
    text = what_was_run(six, grid_of(six))
    assert text.startswith("9 nodes on a grid of 3 columns, 5 m apart; node 1 is the sink.")
    assert "CC1000 radio at −10 dBm" in text
    assert "0.5, 2 or 4 packets/s" in text
    assert "Six strategies" in text
    assert "2 seeds" in text
    assert "99% level" in text


def test_the_thesis_stands_beside_its_own_kind_of_network_only(six: Results) -> None:
    grid = arrange([point({CONTROL: c, LOAD: 2.0}, coverage_50_s=7.5, delivery_ratio=0.5) for c in SIX])
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
