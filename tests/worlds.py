"""Worlds of a few nodes with gains given link by link, for tests whose answer is known beforehand."""

import numpy as np

from penstock import _engine
from penstock.metrics import Workload

NOISE_DBM = -105.0
FRAME_BYTES = 36
BYTE_S = 8 / 19_200
AIR_S = (18 + 2 + FRAME_BYTES) * BYTE_S
"""The thesis's packet on air: 18 bytes of preamble, 2 of sync, 36 of frame at 19.2 kbit/s (2.3.3)."""

Links = dict[tuple[int, int], float]


def world(
    snr_db: Links, parents: list[int], rates: list[float], seconds: float, seed: int = 1
) -> _engine.WorldSpec:
    """Nodes that reach each other at the given SNR (dB, an entry a direction); fixed parents (-1: the sink).

    No shadowing, no difference between radios, no beacons, strategy "none".
    """
    count = len(parents)
    spec = _engine.WorldSpec()
    spec.seed, spec.node_count, spec.sink = seed, count, parents.index(-1)
    spec.links_src = np.array([src for src, _ in snr_db], dtype=np.int32)
    spec.links_dst = np.array([dst for _, dst in snr_db], dtype=np.int32)
    spec.links_gain_db = np.array([NOISE_DBM + snr for snr in snr_db.values()])
    spec.noise_floor_dbm = np.full(count, NOISE_DBM)
    spec.path_loss_exponent, spec.path_loss_1m_db, spec.shadowing_sigma_db = 3.0, 55.0, 0.0
    spec.hardware_tx_var = spec.hardware_noise_var = spec.hardware_covariance = 0.0
    spec.interference_cutoff_db, spec.tx_power_dbm, spec.radio = 20.0, 0.0, "cc1000"
    spec.mac, spec.processing_s = "bmac", 0.0
    spec.receive_processing_s, spec.overhear_processing_s, spec.reads_ahead = 0.0, 0.0, True
    spec.defers = False
    spec.max_frame_bytes, spec.preamble_bytes, spec.sync_bytes = FRAME_BYTES, 18, 2
    spec.initial_backoff_bytes, spec.congestion_backoff_bytes = 32, 16
    spec.lock, spec.noise_floor, spec.cca_samples, spec.noise_reading_sd_db = "preamble", "clear", 5, 4.0
    spec.check_interval_s, spec.check_margin_db, spec.sink_always_on = 0.0, 10.0, True
    spec.queue_capacity, spec.local_share, spec.link_attempts, spec.hop_limit = 8, 2, 4, 32
    spec.neighbor_capacity, spec.beacon_period_s, spec.routing, spec.pin_routes = 16, 10.0, "static", True
    spec.beacon_min_s, spec.beacon_max_s, spec.switch_etx = 0.125, 500.0, 1.5
    spec.static_parents = np.array(parents, dtype=np.int32)
    spec.advertisers = np.ones(count, dtype=np.bool_)
    spec.control, spec.occupancy_free = "none", 0.25
    spec.channel_epochs, spec.channel_samples, spec.channel_epoch_s = 4, 10, 0.1
    spec.channel_ewma, spec.channel_threshold = 0.85, 0.79
    spec.stop_timeout_s, spec.parent_delay_s, spec.rate_tokens, spec.rate_window_s = 0.0, 0.04, 10, 4.0
    spec.priority_divisor = 4
    spec.loss_ewma, spec.loss_threshold, spec.loss_age_s, spec.ack_stop_s = 0.9375, 0.632, 4.0, 0.0
    spec.share_tokens, spec.share_target = 2, 0.9
    spec.ifrc_initial_pps, spec.ifrc_phi_pps = 0.1, 0.0125
    spec.ifrc_epsilon, spec.ifrc_queue_weight = 0.02, 0.03
    spec.ifrc_upper_packets = spec.ifrc_lower_packets = spec.ifrc_increment_packets = 0
    spec.wrcp_alpha, spec.wrcp_beta, spec.wrcp_start_pps = 0.1, 0.5, 0.1
    spec.wrcp_capacity_pps = np.array([40.0])
    spec.rate_pps = np.array(rates)
    spec.event_packets, spec.event_first_s = np.zeros(count, dtype=np.int32), np.zeros(count)
    spec.event_period_s = 20.0
    spec.sleep_s, spec.fail_at_s = np.zeros(count), np.full(count, np.inf)
    spec.aimd_increase_pps, spec.aimd_decrease, spec.aimd_longest_s = 0.0, 0.5, 60.0
    spec.settle_s, spec.measure_s, spec.log_events = 0.0, seconds, False
    return spec


def both_ways(*links: tuple[int, int, float]) -> Links:
    """(a, b, SNR dB) in both directions."""
    return {pair: snr for a, b, snr in links for pair in ((a, b), (b, a))}


def workload(spec: _engine.WorldSpec) -> Workload:
    """What this world's applications ask for."""
    return Workload(np.asarray(spec.rate_pps) > 0, spec.sink, spec.measure_s, FRAME_BYTES * 8)
