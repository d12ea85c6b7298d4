"""The max-min fair division against hand-made cases, water-filling and brute force."""

import doctest
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock import max_min as module
from penstock.max_min import HELD_BY_DEMAND, RATE_TOLERANCE, max_min
from penstock.metrics import max_min_shares

INF = np.inf


def filled(usage: np.ndarray, capacities: np.ndarray, demands: np.ndarray) -> np.ndarray:
    """The same by progressive filling, which needs no solver where nobody gives: all rates rise together
    until a capacity is used up or a demand met; who takes of it stops."""
    rates, free = np.zeros(len(demands)), np.ones(len(demands), dtype=bool)
    while free.any():
        taken = usage[:, free].sum(axis=1)
        left = capacities - usage[:, ~free] @ rates[~free]
        levels = np.where(taken > 0, left / np.where(taken > 0, taken, 1.0), INF)
        level = min(levels.min(initial=INF), demands[free].min())
        full = levels <= level + 1e-12 * (1 + level)
        stops = free & (usage[full].any(axis=0) | (demands <= level))
        rates[stops] = level
        free &= ~stops
    return rates


def test_module_examples() -> None:
    assert doctest.testmod(module).failed == 0


def test_two_levels_and_what_holds_each_flow() -> None:
    found = max_min(
        np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.array([4.0, 10.0]), np.array([9, 9, 3.0])
    )
    assert found.rates == pytest.approx([2.0, 2.0, 3.0])
    assert found.held_by.tolist() == [0, 0, HELD_BY_DEMAND]


def test_what_a_small_demand_leaves_goes_to_the_others() -> None:
    found = max_min(np.ones((1, 3)), np.array([9.0]), np.array([1.0, INF, 20.0]))
    assert found.rates == pytest.approx([1.0, 4.0, 4.0])
    assert found.held_by.tolist() == [HELD_BY_DEMAND, 0, 0]


def test_several_limits_that_meet_at_one_rate() -> None:
    """Prices are not unique here: one flow is held by two equal capacities and its demand at once."""
    usage = np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1]])
    found = max_min(usage, np.array([4.0, 4.0, 4.0, 5.0, 3.0]), np.array([2.0, INF, INF, INF]))
    assert found.rates == pytest.approx([2.0, 2.0, 2.0, 3.0])


def test_a_capacity_of_nothing_silences_only_those_who_need_it() -> None:
    found = max_min(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([0.0, 6.0]))
    assert found.rates == pytest.approx([0.0, 3.0])
    assert found.held_by.tolist() == [0, 1]


def test_a_demand_of_nothing_is_met() -> None:
    assert max_min(np.ones((1, 2)), np.array([6.0]), np.array([0.0, INF])).rates == pytest.approx([0.0, 6.0])


def test_demands_without_capacities() -> None:
    found = max_min(np.zeros((0, 2)), np.zeros(0), np.array([2.0, 0.5]))
    assert found.rates == pytest.approx([2.0, 0.5])
    assert found.held_by.tolist() == [HELD_BY_DEMAND] * 2


def test_a_flow_that_must_have_something() -> None:
    """A constraint may also ask for a least rate: -r <= -8."""
    found = max_min(np.array([[1.0, 1.0], [-1.0, 0.0]]), np.array([10.0, -8.0]))
    assert found.rates == pytest.approx([8.0, 2.0])


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_units_do_not_matter(unit: float) -> None:
    usage = np.array([[1.0, 2.0, 0.0], [0.0, 1e-3, 1e-3], [1.0, 1.0, 1.0]])
    found = max_min(usage, unit * np.array([9.0, 1.0, 1e9]), unit * np.array([INF, 1e12, 500.0]))
    assert found.rates / unit == pytest.approx([3.0, 3.0, 500.0], rel=RATE_TOLERANCE)


@given(
    st.floats(1e-3, 1e3),
    st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12),
)
@settings(deadline=None, max_examples=60)
def test_one_capacity_is_divided_as_the_metric_divides(total: float, asked: list[float]) -> None:
    demands = np.array(asked)
    found = max_min(np.ones((1, len(asked))), np.array([total]), demands)
    assert found.rates == pytest.approx(max_min_shares(total, demands), rel=RATE_TOLERANCE)


small_numbers = st.integers(0, 3).map(float)


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_many_capacities_are_divided_as_by_filling(data: st.DataObject) -> None:
    """Small whole numbers, so that limits often meet."""
    flows, rows = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 6))
    numbers = st.lists(small_numbers, min_size=rows * flows, max_size=rows * flows)
    usage = np.array(data.draw(numbers)).reshape(rows, flows)
    capacities = np.array(data.draw(st.lists(st.integers(0, 12), min_size=rows, max_size=rows)), dtype=float)
    demands = np.array(data.draw(st.lists(st.integers(0, 6), min_size=flows, max_size=flows)), dtype=float)
    found = max_min(usage, capacities, demands)
    assert found.rates == pytest.approx(filled(usage, capacities, demands), rel=RATE_TOLERANCE, abs=1e-9)
    spare = capacities - usage @ found.rates
    assert (spare >= -1e-6).all()
    for flow, row in enumerate(found.held_by):
        if row == HELD_BY_DEMAND:
            assert found.rates[flow] == pytest.approx(demands[flow])
        else:
            assert usage[row, flow] > 0
            assert spare[row] == pytest.approx(0.0, abs=1e-6)


GRID = np.array(list(itertools.product(np.arange(0, 6.25, 0.25), repeat=3)))
"""All rate vectors of three flows up to 6 in quarters."""


def later(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether sorted `one` is lexicographically greater than sorted `other`, by more than rounding."""
    for a, b in zip(one, other, strict=True):
        if abs(a - b) > 1e-6:
            return bool(a > b)
    return False


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_nothing_feasible_is_lexicographically_greater(data: st.DataObject) -> None:
    """Against all of a grid; flows may also give."""
    usage = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=6, max_size=6)), dtype=float).reshape(
        2, 3
    )
    capacities = np.array(data.draw(st.lists(st.integers(0, 9), min_size=2, max_size=2)), dtype=float)
    demands = np.array(data.draw(st.lists(st.integers(1, 6), min_size=3, max_size=3)), dtype=float)
    found = max_min(usage, capacities, demands)
    assert (usage @ found.rates <= capacities + 1e-6).all()
    assert ((found.rates >= 0) & (found.rates <= demands)).all()
    feasible = GRID[(capacities >= GRID @ usage.T).all(axis=1) & (demands >= GRID).all(axis=1)]
    best = max(np.sort(feasible, axis=1).tolist())
    assert not later(np.array(best), np.sort(found.rates))


def test_a_hundred_flows_take_few_levels() -> None:
    """A level settles everybody whom its bottleneck holds, not one flow at a time."""
    rng = np.random.default_rng(4)
    usage = rng.random((100, 100)) * (rng.random((100, 100)) < 0.2)
    capacities, demands = 1 + 90 * rng.random(100), np.where(rng.random(100) < 0.3, 0.5, INF)
    found = max_min(usage, capacities, demands)
    assert found.rates == pytest.approx(filled(usage, capacities, demands), rel=RATE_TOLERANCE)
    assert found.levels <= 40


@pytest.mark.parametrize(
    ("usage", "capacities", "demands", "words"),
    [
        (np.zeros((1, 0)), [1.0], None, "there are no flows"),
        (np.zeros(3), [1.0], None, "two dimensions"),
        (np.ones((1, 2)), [1.0, 2.0], None, r"shape \(1, 2\), which does not fit 2 capacities"),
        (np.ones((1, 2)), [1.0], [1.0], "does not fit 1 capacities and 1 demands"),
        (np.array([[1.0, np.nan]]), [1.0], None, "usage holds something"),
        (np.ones((1, 2)), [INF], None, "capacity 0 is inf but should be a finite number"),
        (np.ones((1, 2)), [np.nan], None, "capacity 0 is nan"),
        (np.ones((1, 2)), [1.0], [1.0, -2.0], "demand 1 is -2 but should not be negative"),
        (np.ones((1, 2)), [1.0], [np.nan, 1.0], "demand 0 is nan"),
        (np.ones((2, 2)), [1.0, -1.0], None, "capacity 1 is -1: not even silence meets it"),
        (np.array([[1.0, 0.0]]), [1.0], None, "flow 1 is limited by no capacity and no demand"),
        (np.array([[1.0, 1.0], [-1.0, 0.0]]), [1.0, -2.0], None, "no rates meet all the constraints"),
        (np.array([[1.0, -1.0], [-1.0, 1.0]]), [1.0, 1.0], None, "could grow without end"),
    ],
)
def test_bad_input(usage: np.ndarray, capacities: list, demands: list | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        max_min(usage, np.array(capacities), None if demands is None else np.array(demands))
