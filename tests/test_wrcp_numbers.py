"""What the WRCP study reads off its runs, on series and links whose answer is known."""

import math

import numpy as np
import polars as pl
import pytest

from penstock.studies.wrcp import series, transmissions

TIME = np.arange(0.0, 900.0)


def exponential(tau_s: float) -> np.ndarray:
    return 2.0 * (1.0 - np.exp(-TIME / tau_s))


def sawtooth(period_s: float) -> np.ndarray:
    """Halved at its peak, linear in between."""
    return 1.0 + (TIME % period_s) / period_s


@pytest.mark.parametrize("tau_s", [5.0, 20.0, 100.0])
def test_an_exponential_rise_converges_after_its_time_to_two_thirds(tau_s: float) -> None:
    # exp(-t / tau) = 1/3 of the steady value; the steady value itself is not quite reached with tau = 100.
    assert series.convergence_s(TIME, exponential(tau_s)) == pytest.approx(tau_s * math.log(3), abs=2.0)


def test_a_constant_rate_has_converged_at_once_and_a_sawtooth_never_leaves_the_band() -> None:
    assert series.convergence_s(TIME, np.full(900, 3.0)) == 0.0
    for period in (30.0, 100.0, 300.0):
        assert series.convergence_s(TIME, sawtooth(period)) <= 1.0


def test_an_overshoot_that_comes_down_is_waited_for() -> None:
    rate = np.where(TIME < 20, 10.0, np.where(TIME < 300, 0.2, 1.0))
    assert series.convergence_s(TIME, rate) == pytest.approx(300.0, abs=61.0)
    assert series.convergence_s(TIME, rate) > 230.0


def test_outliers_happen_but_oscillations_do_not_count_as_converged() -> None:
    rare = np.where(np.arange(900) % 20 == 7, 9.0, 1.0)
    assert series.convergence_s(TIME, rare) < 20.0
    wild = np.where(np.arange(900) % 2 == 0, 0.1, 2.0)
    assert series.convergence_s(TIME, wild) == TIME[-1]


def test_a_rate_that_is_zero_in_the_end_has_not_converged() -> None:
    assert series.convergence_s(TIME, np.zeros(900)) == TIME[-1]
    assert math.isnan(series.convergence_s(TIME[:2], np.ones(2)))


def test_variance_and_means_leave_out_what_is_outside() -> None:
    rate = np.where(TIME < 450, 100.0, np.where(np.arange(900) % 2 == 0, 1.0, 3.0))
    assert series.variance(TIME, rate, 450.0) == pytest.approx(1.0)
    assert series.mean_between(TIME, rate, 100.0, 200.0) == 100.0
    assert series.mean_between(TIME, rate, 450.0, 900.0) == 2.0
    assert math.isnan(series.mean_between(TIME, rate, 900.0, 950.0))
    assert math.isnan(series.variance(TIME, rate, 899.0))


def test_the_knee_is_where_values_rise_for_good() -> None:
    xs = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    assert series.knee(xs, np.array([1.0, 1.0, 100.0, 90.0, 100.0])) == 0.3
    assert series.knee(xs, np.array([1.0, 50.0, 1.0, 50.0, 100.0])) == 0.4
    assert series.knee(xs, np.array([100.0, 10.0, 5.0, 2.0, 1.0])) == 0.5
    assert math.isnan(series.knee(xs, np.ones(5)))
    assert math.isnan(series.knee(xs, np.array([0.0, 1.0, 2.0, 3.0, 4.0])))


def test_gamma_solves_the_recursion() -> None:
    for p_f, p_r in ((1.0, 1.0), (0.5, 0.8), (0.3, 0.75)):
        gamma = float(transmissions.expected(np.array([p_f]), np.array([p_r]))[0])
        again = (1 + gamma) * (1 - p_f) + (2 + gamma) * p_f * (1 - p_r) + 2 * p_f * p_r
        assert gamma == pytest.approx(again)
    assert transmissions.expected(np.array([1.0]), np.array([1.0]))[0] == 2.0
    assert math.isinf(transmissions.expected(np.array([0.0]), np.array([1.0]))[0])


def test_gamma_as_counted_is_what_was_sent_over_what_got_across() -> None:
    """1000 packets over a link with p_f = 0.5 and p_r = 0.8, in expectation."""
    links = pl.DataFrame({"transmissions": [2500], "receptions": [1250], "acked": [1000]})
    counted = links.select(transmissions.COUNTED).item()
    assert counted == pytest.approx(transmissions.expected(np.array([0.5]), np.array([0.8]))[0])
    nothing = pl.DataFrame({"transmissions": [9], "receptions": [0], "acked": [0]})
    assert nothing.select(transmissions.COUNTED).item() is None


def test_gamma_of_links_pairs_both_directions() -> None:
    links = {"src": np.array([0, 1, 2]), "dst": np.array([1, 0, 1]), "prr": np.array([0.5, 0.8, 0.9])}
    found = transmissions.expected_by_link(3, links)
    assert found[0, 1] == pytest.approx(1.5 / 0.4)
    assert found[1, 0] == pytest.approx(1.8 / 0.4)
    assert math.isinf(found[2, 1])
    assert transmissions.expected_by_link(3, {k: v[:0] for k, v in links.items()}) == {}
