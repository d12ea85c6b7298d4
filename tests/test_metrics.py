"""Metrics on records made by hand, the thesis's own examples among them, and the conservation of packets."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_made import DELIVERED, DROPPED, QUEUED, linked, records, workload
from penstock import _engine, axes
from penstock.experiment import run
from penstock.metrics import (
    METRICS,
    check_conservation,
    coverage_period,
    jain,
    node_imbalance,
    run_metrics,
)
from small import small
from worlds import both_ways, world


def test_efficiency_one_third() -> None:
    """Thesis Fig. 3-4, left: one packet over one hop, sent three times."""
    made = records(2, [(0, 0, 1.0, 1.1, 1, DELIVERED, 0)], transmissions=[3, 0], receptions=[0, 1])
    metrics = run_metrics(made, workload([True, False], 1))
    assert metrics["efficiency"] == 1 / 3
    assert metrics["channel_loss_rate"] == pytest.approx(2 / 3)


def test_efficiency_two_thirds() -> None:
    """Thesis Fig. 3-4, right: two packets for a sink two hops away, one dropped on the way."""
    packets = [(0, 0, 1.0, 1.2, 2, DELIVERED, 0), (0, 1, 2.0, -1.0, 0, DROPPED, 3)]
    made = records(3, packets, transmissions=[2, 1, 0])
    assert run_metrics(made, workload([True, False, False], 2))["efficiency"] == 2 / 3


def test_imbalance_two() -> None:
    """Thesis Fig. 3-5: six packets come in from the children, three arrive at the parent."""
    made = linked(records(5, received=[0, 0, 0, 6, 3]), (0, 3, 1), (1, 3, 2), (2, 3, 3), (3, 4, 3))
    zeta = node_imbalance(made, sink=4)
    assert zeta[3] == 2.0
    assert np.isnan(zeta[[0, 1, 2, 4]]).all()
    metrics = run_metrics(made, workload([True] * 4 + [False], 4))
    assert (metrics["imbalance"], metrics["imbalance_p90"]) == (2.0, 2.0)


def test_packets_that_the_parent_dropped_at_once_were_not_received_by_it() -> None:
    """Thesis Fig. 3-5, caption: lost in the channel or dropped by the parent's queue is all the same.

    Node 1 received six; its parent received five of them and had room for three. The parent's own imbalance
    counts all five that came in, though it kept three: two reached the sink.
    """
    made = linked(records(4, received=[0, 6, 5, 2]), (0, 1, 6), (1, 2, 5, 3), (2, 3, 2))
    zeta = node_imbalance(made, sink=3)
    assert zeta[1:3].tolist() == [2.0, 2.5]


def test_accepted_packets_of_the_engine_are_those_received_and_not_dropped_at_once() -> None:
    """A busy child and a relay whose own link is poor: what its queue drops is received, not accepted."""
    spec = world(both_ways((0, 1, 30.0), (1, 2, 7.0)), [1, 2, -1], [15.0, 0.0, 0.0], 60.0)
    found = _engine.run(spec)
    into = found.links["dst"] == 1
    received, accepted = found.links["received"][into].sum(), found.links["accepted"][into].sum()
    dropped = sum(int(found.nodes[f"drop_{reason}"][1]) for reason in ("queue_full", "acked_then_dropped"))
    assert dropped > 0
    assert received - accepted == dropped


def test_imbalance_of_a_dead_end_is_infinite() -> None:
    made = linked(records(3, received=[0, 6, 0]), (0, 1, 6))
    assert node_imbalance(made, sink=2)[1] == math.inf


def test_fairness() -> None:
    assert jain(np.array([2.0, 2.0, 2.0])) == pytest.approx(1.0)
    assert jain(np.array([1.0, 0.0, 0.0, 0.0])) == pytest.approx(0.25)
    assert math.isnan(jain(np.zeros(3)))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_fairness_lies_between_one_over_n_and_one(rates: list[float]) -> None:
    fairness = jain(np.array(rates))
    if math.isfinite(fairness) and max(rates) > 1e-100:
        assert 1 / len(rates) - 1e-9 <= fairness <= 1 + 1e-9


def test_coverage() -> None:
    rates = np.array([1.0, 0.5, 0.25, 0.0])
    periods = [coverage_period(rates, p) for p in (100, 75, 50, 25, 10)]
    assert periods == [math.inf, 4.0, 2.0, 1.0, 1.0]


def test_rates_latency_starvation_and_energy() -> None:
    packets = [(0, i, float(i), i + 0.5, 1, DELIVERED, 0) for i in range(10)]
    packets += [(1, 0, 0.0, 2.5, 2, DELIVERED, 0)]
    packets += [(1, i, float(i), -1.0, 0, DROPPED, 4) for i in range(1, 20)]
    made = records(
        3, packets, transmissions=[12, 30, 0], receptions=[2, 0, 13],
        received=[2, 0, 11], energy_j=[1.0, 2.0, 1.0], energy_tx_j=[0.0, 0.25, 0.25],
        drop_queue_full=[1, 0, 0], drop_acked_then_dropped=[1, 0, 0], time_sleep_s=[8.0, 5.0, 1.0],
    )  # fmt: skip
    metrics = run_metrics(made, workload([True, True, False], 2))
    assert metrics["throughput_pps"] == pytest.approx(1.1)
    assert metrics["median_node_throughput_pps"] == pytest.approx((1.0 + 0.1) / 2)
    assert metrics["latency_s"] == pytest.approx(0.5)
    assert metrics["latency_p95_s"] == pytest.approx(1.5)
    assert metrics["delivery_ratio"] == pytest.approx(11 / 30)
    assert metrics["starved_fraction"] == 0.5
    assert metrics["buffer_drop_rate"] == pytest.approx(2 / 13)
    assert metrics["channel_loss_rate"] == pytest.approx(1 - 15 / 42)
    assert metrics["bits_per_joule"] == pytest.approx(11 * 288 / 4)
    assert metrics["bits_per_transmit_joule"] == pytest.approx(11 * 288 / 0.5)
    assert metrics["energy_j"] == 4.0
    assert metrics["radio_duty_cycle"] == pytest.approx(1 - 6.5 / 10)  # not the sink's
    assert metrics["mean_hops"] == pytest.approx(12 / 11)
    assert (metrics["delivered"], metrics["generated"], metrics["transmissions"]) == (11, 30, 42)


def test_silence_has_no_rates_and_no_errors() -> None:
    metrics = run_metrics(records(2), workload([True, False], 1))
    assert set(metrics) == set(METRICS)
    for name in (
        "efficiency",
        "imbalance",
        "fairness",
        "latency_s",
        "channel_loss_rate",
        "delivery_ratio",
        "starved_fraction",
    ):
        assert math.isnan(metrics[name]), name
    assert metrics["throughput_pps"] == 0.0
    assert metrics["coverage_10_s"] == math.inf


@pytest.mark.parametrize(
    ("packet", "words"),
    [
        ((0, 0, 1.0, -1.0, 0, 3, 0), "no known fate"),
        ((0, 0, 1.0, -1.0, 0, DROPPED, 0), "drop reason"),
        ((0, 0, 1.0, -1.0, 0, QUEUED, 2), "drop reason"),
        ((0, 0, 1.0, 2.0, 1, QUEUED, 0), "arrival"),
        ((0, 0, 1.0, -1.0, 1, DELIVERED, 0), "arrival"),
        ((0, 0, 2.0, 1.0, 1, DELIVERED, 0), "before it was sent"),
        ((0, 1, 1.0, 2.0, 1, DELIVERED, 0), "listed twice"),
    ],
)
def test_lost_packets_are_noticed(packet: tuple[int, int, float, float, int, int, int], words: str) -> None:
    good = (0, 1, 1.0, 2.0, 1, DELIVERED, 0)
    check_conservation(records(2, [good]))
    with pytest.raises(ValueError, match=words):
        check_conservation(records(2, [good, packet]))


def test_node_counts_must_agree_with_packets() -> None:
    with pytest.raises(ValueError, match="delivered counts differ"):
        check_conservation(records(2, [(0, 0, 1.0, -1.0, 0, QUEUED, 0)], delivered=[1, 0]))


def test_efficiency_of_a_perfect_line_is_one() -> None:
    """From the engine: no loss, little load, so every transmission is one of a delivered packet's hops."""
    scenario = small(axes={}, traffic={"rate_pps": 0.1}, congestion={"control": "none"})
    assert len(axes.expand(scenario)) == 1
    results = run(scenario, jobs=1)
    assert not results.failures
    assert results.runs["efficiency"].to_list() == pytest.approx([1.0, 1.0], abs=0.1)
    assert results.runs["delivery_ratio"].to_list() == pytest.approx([1.0, 1.0], abs=0.2)
