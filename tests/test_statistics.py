"""Means, Student-t intervals and the shape of summary.json."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from penstock.metrics import METRICS
from penstock.statistics import estimate, summarised


def test_interval_is_student_t() -> None:
    values = [1.0, 2.0, 4.0, 4.5, 7.0]
    found = estimate(values, 0.99)
    low, high = stats.t.interval(0.99, 4, loc=3.7, scale=stats.sem(values))
    assert (found.mean, found.low, found.high) == pytest.approx((3.7, low, high))


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.floats(0.5, 0.999))
def test_interval_holds_the_mean(values: list[float], level: float) -> None:
    found = estimate(values, level)
    assert found.low <= found.mean <= found.high


def test_one_value_has_no_interval() -> None:
    found = estimate([3.0], 0.99)
    assert found.mean == 3.0
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found.as_json(1) == {"mean": 3.0, "ci": [None, None], "level": 0.99}


def test_undefined_values_are_left_out_and_counted() -> None:
    entry = estimate([1.0, math.nan, 3.0], 0.95).as_json(3)
    assert (entry["mean"], entry["n"]) == (2.0, 2)
    assert estimate([math.nan], 0.95).as_json(1) == {"mean": None, "ci": [None, None], "level": 0.95, "n": 0}


def test_infinite_values_make_the_mean_infinite() -> None:
    assert estimate([1.0, math.inf], 0.99).as_json(2) == {"mean": None, "ci": [None, None], "level": 0.99}


def test_periods_are_averaged_as_rates() -> None:
    found = estimate([2.0, math.inf], 0.99, by_inverse=True)
    assert found.mean == 4.0
    assert found.high == math.inf
    never = estimate([math.inf, math.inf], 0.99, by_inverse=True)
    assert (never.mean, never.low, never.high) == (math.inf, math.inf, math.inf)
    same = estimate([5.0, 5.0, 5.0], 0.99, by_inverse=True)
    assert (same.mean, same.low, same.high) == pytest.approx((5.0, 5.0, 5.0))


def test_summary_has_the_contract_s_shape() -> None:
    run = dict.fromkeys(METRICS, 0.1 + 0.2)
    summary = summarised("x", [({"traffic.rate_pps": 2.0}, [run, run])], 0.99)
    assert list(summary) == ["scenario", "points"]
    point = summary["points"][0]
    assert (point["axes"], point["runs"]) == ({"traffic.rate_pps": 2.0}, 2)
    assert list(point["metrics"]) == list(METRICS)
    assert point["metrics"]["efficiency"] == {"mean": 0.3, "ci": [0.3, 0.3], "level": 0.99}
    json.dumps(summary, allow_nan=False)
