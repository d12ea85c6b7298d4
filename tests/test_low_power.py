"""Low-power listening against closed forms: what sleeping saves, what long preambles cost."""

import numpy as np
import pytest

from penstock import _engine
from penstock.metrics import run_metrics
from worlds import BYTE_S, both_ways, workload, world

STARTUP_S = 1.75e-3
READING_S = 226e-6
VOLTS = 3.0
RECEIVE_A, SEND_A, SLEEP_A = 7.4e-3, 10.4e-3, 0.2e-6
"""CC1000 at 433 MHz; sending at 0 dBm, the power of these worlds."""
STARTUP_A = (1.5 * 0.86e-3 + 0.25 * RECEIVE_A) / 1.75
STATES = ("tx", "rx", "idle", "startup", "sleep")


def napping(spec: _engine.WorldSpec, interval_s: float) -> _engine.WorldSpec:
    """Everybody but the sink looks at the channel once an interval; the first reading always tells."""
    spec.check_interval_s = interval_s
    spec.noise_reading_sd_db = 0.1
    return spec


def preamble_s(interval_s: float) -> float:
    return (18 + np.ceil(interval_s / BYTE_S - 1e-9)) * BYTE_S


@pytest.mark.parametrize("interval_s", [0.01, 0.1, 1.6])
def test_an_idle_node_pays_for_its_checks_alone(interval_s: float) -> None:
    seconds = 1000 * interval_s
    spec = napping(world(both_ways((0, 1, -30.0)), [-1, 0], [0.0, 0.0], seconds), interval_s)
    spec.interference_cutoff_db = 60.0
    nodes = _engine.run(spec).nodes
    awake = 1.0 - nodes["time_sleep_s"][1] / seconds
    assert awake == pytest.approx((STARTUP_S + READING_S) / interval_s, rel=1e-6)
    assert nodes["time_startup_s"][1] == pytest.approx(1000 * STARTUP_S, rel=1e-9)
    asleep = seconds - 1000 * (STARTUP_S + READING_S)
    joule = VOLTS * (1000 * (STARTUP_S * STARTUP_A + READING_S * RECEIVE_A) + asleep * SLEEP_A)
    assert nodes["energy_j"][1] == pytest.approx(joule, rel=1e-6)
    # The sink hangs on the mains.
    assert nodes["time_sleep_s"][0] == 0.0
    assert nodes["energy_j"][0] == pytest.approx(VOLTS * RECEIVE_A * seconds, rel=1e-9)


@pytest.mark.parametrize("interval_s", [0.01, 0.1, 1.6])
@pytest.mark.parametrize("sink_always_on", [True, False])
def test_a_link_delivers_at_every_interval(interval_s: float, sink_always_on: bool) -> None:
    spec = world(both_ways((0, 1, 40.0)), [-1, 0], [0.0, 0.05], 2000.0)
    spec.check_interval_s, spec.sink_always_on = interval_s, sink_always_on
    records = _engine.run(spec)
    arrived = records.packets["delivered_ns"] >= 0
    assert np.count_nonzero(arrived) == 100
    assert records.nodes["acked"][1] == records.nodes["transmissions"][1]
    waits = (records.packets["delivered_ns"] - records.packets["admitted_ns"]) * 1e-9
    frame = preamble_s(interval_s) + (2 + 36) * BYTE_S
    assert waits.min() > frame
    assert np.median(waits) < frame + 40 * BYTE_S + 0.02


@pytest.mark.parametrize("interval_s", [0.01, 0.1])
def test_throughput_is_bounded_by_the_preamble(interval_s: float) -> None:
    spec = world(both_ways((0, 1, 40.0)), [-1, 0], [0.0, 60.0], 400.0)
    spec.check_interval_s = interval_s
    nodes = _engine.run(spec).nodes
    on_air = preamble_s(interval_s) + (2 + 36) * BYTE_S
    most = 1.0 / on_air
    # Backoff (16.5 byte times on average), sensing and the acknowledgement take their time too.
    likely = 1.0 / (on_air + (16.5 + 15 + 8) * BYTE_S)
    assert 0.85 * likely < nodes["delivered"][1] / 400.0 < most
    assert nodes["time_tx_s"][1] == pytest.approx(nodes["transmissions"][1] * on_air, rel=2e-3)


@pytest.mark.parametrize("interval_s", [0.0, 0.05])
def test_the_states_of_a_radio_add_up(interval_s: float) -> None:
    spec = world(both_ways((0, 1, 40.0), (1, 2, 40.0), (0, 2, 4.0)), [-1, 0, 1], [0.0, 2.0, 2.0], 300.0)
    spec.check_interval_s, spec.settle_s = interval_s, 7.3
    nodes = _engine.run(spec).nodes
    times = np.sum([nodes[f"time_{state}_s"] for state in STATES], axis=0)
    joules = np.sum([nodes[f"energy_{state}_j"] for state in STATES], axis=0)
    assert times == pytest.approx([300.0] * 3, rel=1e-12)
    assert nodes["energy_j"] == pytest.approx(joules, rel=1e-12)
    for state, ampere in zip(STATES, (SEND_A, RECEIVE_A, RECEIVE_A, STARTUP_A, SLEEP_A), strict=True):
        assert (nodes[f"time_{state}_s"] >= 0).all()
        assert nodes[f"energy_{state}_j"] == pytest.approx(
            VOLTS * ampere * nodes[f"time_{state}_s"], rel=1e-9
        )
    asleep = nodes["time_sleep_s"] > 0
    assert asleep.tolist() == [False, interval_s > 0, interval_s > 0]


def test_sleeping_is_what_saves_energy() -> None:
    joules, duty = [], []
    for interval_s in (0.0, 0.1):
        spec = world(both_ways((0, 1, 40.0)), [-1, 0], [0.0, 0.02], 1000.0)
        spec.check_interval_s = interval_s
        metrics = run_metrics(_engine.run(spec), workload(spec))
        joules.append(metrics["energy_j"])
        duty.append(metrics["radio_duty_cycle"])
    always = VOLTS * RECEIVE_A * 1000.0
    assert joules[0] == pytest.approx(2 * always, rel=1e-3)
    assert duty[0] == 1.0
    assert 0.02 < duty[1] < 0.04
    assert joules[1] - always < 0.05 * always


def test_the_same_seed_gives_the_same_naps() -> None:
    def energies(seed: int) -> list[float]:
        spec = world(both_ways((0, 1, 40.0)), [-1, 0], [0.0, 1.0], 60.0, seed)
        spec.check_interval_s = 0.1
        return _engine.run(spec).nodes["energy_j"].tolist()

    assert energies(1) == energies(1)
    assert energies(1) != energies(2)
