"""From a point of the grid and a seed to the engine's specification of a world."""

import math

import numpy as np

from penstock import _engine
from penstock.demand import Demand, demand, silence
from penstock.faults import set_faults
from penstock.flow_sections import FlowsTraffic
from penstock.flows import Flows
from penstock.frames import frame_bytes
from penstock.interference import set_interference
from penstock.metrics import Workload
from penstock.scenario import Scenario
from penstock.static_routes import static_parents
from penstock.topology.network import Network
from penstock.transfers import set_transfers


def channel_capacity_share(detection_delay_s: float, bit_rate: float, packet_bits: float) -> float:
    """S_max, the greatest share of time a CSMA channel carries frames (thesis Eq. 2.3, after CODA).

    detection_delay_s: tau, how long a node takes to see that the channel became idle, in seconds.
    bit_rate: C, raw bits per second. packet_bits: L, expected bits of a data packet.
    """
    return 1.0 / (1.0 + 2.0 * math.sqrt(detection_delay_s * bit_rate / packet_bits))


def world_spec(scenario: Scenario, network: Network, seed: int) -> _engine.WorldSpec:
    """The world of one run. Raises BadInput when static parents, faults or interference do not fit the
    network."""
    spec = unloaded_spec(scenario, network, seed)
    _set_demand(spec, demand(scenario, network, spec))
    set_faults(spec, scenario, network)
    set_transfers(spec, scenario, network)
    if scenario.interference:
        set_interference(spec, scenario.interference, network)
    return spec


def unloaded_spec(scenario: Scenario, network: Network, seed: int) -> _engine.WorldSpec:
    """The same world before anybody is asked for anything: all nodes offer routes, none makes readings, and
    nothing interferes."""
    spec = _engine.WorldSpec()
    spec.seed = seed
    spec.channel_seed = seed if scenario.channel.seed is None else scenario.channel.seed
    spec.node_count = len(network)
    spec.sink = network.sink
    _set_channel(spec, scenario, network)
    _set_radio_and_mac(spec, scenario)
    _set_node(spec, scenario, network)
    _set_congestion(spec, scenario)
    _set_demand(spec, silence(len(network)))
    application = scenario.application
    spec.aimd_increase_pps = application.aimd_increase_pps if application.adaptation == "aimd" else 0.0
    spec.aimd_decrease = application.aimd_decrease
    spec.aimd_longest_s = application.aimd_longest_s
    spec.settle_s = scenario.time.settle_s
    spec.measure_s = scenario.time.measure_s
    traffic = scenario.traffic
    spec.payload_bytes = (traffic.payload_bytes or 0) if isinstance(traffic, FlowsTraffic) else 0
    spec.sample_s = scenario.records.sample_s
    spec.log_events = False
    return spec


def workload(
    spec: _engine.WorldSpec, scenario: Scenario, records: _engine.RunRecords | None = None
) -> Workload:
    """What this world's applications ask of its network. A node that fails is no source: the metrics of
    sources (fairness, starvation, coverage, median throughput) are about the nodes that live to the end.
    `records`: where frames may be shorter than the longest, they know how long."""
    asked = (np.asarray(spec.rate_pps) > 0) | (np.asarray(spec.event_packets) > 0)
    asked[np.asarray(spec.flow_source)] = True
    length = records.totals["data_frame_bytes"] if records else frame_bytes(scenario)
    sources = asked & np.isinf(np.asarray(spec.fail_at_s))
    return Workload(sources, spec.sink, measured_s(spec, records), 8 * length)


def measured_s(spec: _engine.WorldSpec, records: _engine.RunRecords | None) -> float:
    """How long the measurement was: less than asked for where all transfers had ended before."""
    if records is None or not len(spec.bulk.source):
        return spec.measure_s
    return records.totals["measured_ns"] * 1e-9


def flows_in(spec: _engine.WorldSpec, records: _engine.RunRecords | None = None) -> Flows:
    """The flows of this world, as far as it went; none where its workload is another."""
    start, end = np.asarray(spec.flow_start_s), measured_s(spec, records)
    return Flows(
        np.asarray(spec.flow_source),
        start,
        np.clip(np.asarray(spec.flow_stop_s), start, np.maximum(start, end)),
        np.asarray(spec.flow_rate_pps),
        np.asarray(spec.flow_packets),
    )


def _set_demand(spec: _engine.WorldSpec, asked: Demand) -> None:
    spec.advertisers = asked.advertisers
    spec.rate_pps = asked.rate_pps
    spec.event_packets = asked.event_packets
    spec.event_first_s = asked.event_first_s
    spec.event_period_s = asked.event_period_s
    spec.sleep_s = asked.sleep_s
    spec.fail_at_s = asked.fail_at_s
    spec.flow_source, spec.flow_packets = asked.flows.source, asked.flows.packets
    spec.flow_start_s, spec.flow_stop_s = asked.flows.start_s, asked.flows.stop_s
    spec.flow_rate_pps = asked.flows.rate_pps


def _set_channel(spec: _engine.WorldSpec, scenario: Scenario, network: Network) -> None:
    channel = scenario.channel
    measured = len(network.links_src) > 0
    spec.positions = np.zeros((0, 2)) if measured else network.positions
    spec.links_src, spec.links_dst = network.links_src, network.links_dst
    spec.links_gain_db = network.links_gain_db
    noise = np.full(len(network), channel.noise_floor_dbm)
    if len(network.noise_floor_dbm):
        noise = np.where(np.isnan(network.noise_floor_dbm), noise, network.noise_floor_dbm)
    spec.noise_floor_dbm = noise
    spec.path_loss_exponent = channel.path_loss_exponent
    spec.path_loss_1m_db = channel.path_loss_1m_db
    # A gain file already holds shadowing and the differences between radios.
    spec.shadowing_sigma_db = 0.0 if measured else channel.shadowing_sigma_db
    spec.hardware_tx_var = 0.0 if measured else channel.hardware_tx_var
    spec.hardware_noise_var = 0.0 if measured else channel.hardware_noise_var
    spec.hardware_covariance = 0.0 if measured else channel.hardware_covariance
    spec.interference_cutoff_db = channel.interference_cutoff_db


def _set_radio_and_mac(spec: _engine.WorldSpec, scenario: Scenario) -> None:
    mac = scenario.mac
    spec.radio = scenario.radio.kind
    spec.mac = mac.kind
    spec.processing_s = mac.processing_s
    spec.receive_processing_s = mac.receive_processing_s
    spec.reads_ahead = mac.reads_ahead
    spec.defers = mac.defers
    overhear = mac.overhear_processing_s
    spec.overhear_processing_s = mac.receive_processing_s if overhear is None else overhear
    spec.tx_power_dbm = scenario.radio.tx_power_dbm
    spec.max_frame_bytes = frame_bytes(scenario)
    spec.preamble_bytes = mac.preamble_bytes
    spec.sync_bytes = mac.sync_bytes
    spec.initial_backoff_bytes = mac.initial_backoff_bytes
    spec.congestion_backoff_bytes = mac.congestion_backoff_bytes
    spec.lock = scenario.radio.lock
    spec.noise_floor = mac.noise_floor
    spec.cca_samples = mac.cca_samples
    spec.noise_reading_sd_db = scenario.radio.noise_reading_sd_db
    spec.check_interval_s = mac.check_interval_s
    spec.check_margin_db = mac.check_margin_db
    spec.sink_always_on = mac.sink_always_on


def _set_node(spec: _engine.WorldSpec, scenario: Scenario, network: Network) -> None:
    node, routing = scenario.node, scenario.routing
    spec.queue_capacity = node.queue
    spec.local_share = node.local_share
    spec.link_attempts = node.link_attempts
    spec.hop_limit = node.hop_limit
    spec.neighbor_capacity = node.neighbors
    spec.sink_service_s, spec.sink_buffer = node.sink_service_s, node.sink_buffer
    spec.routing = routing.kind
    spec.beacon_period_s = routing.beacon_period_s
    spec.beacon_min_s, spec.beacon_max_s = routing.beacon_min_s, routing.beacon_max_s
    spec.switch_etx = routing.switch_etx
    spec.beacons_tell_links = routing.beacon_links == "both"
    spec.pin_routes = routing.pin
    spec.static_parents = static_parents(scenario, network)


def _set_congestion(spec: _engine.WorldSpec, scenario: Scenario) -> None:
    congestion, radio = scenario.congestion, scenario.radio
    threshold = congestion.channel_threshold
    if threshold is None:
        packet_bits = 8 * frame_bytes(scenario)
        threshold = channel_capacity_share(congestion.channel_detection_delay_s, radio.bit_rate, packet_bits)
    spec.control = congestion.control
    spec.occupancy_free = congestion.occupancy_free
    spec.channel_epochs = congestion.channel_epochs
    spec.channel_samples = congestion.channel_samples
    spec.channel_epoch_s = congestion.channel_epoch_s
    spec.channel_ewma = congestion.channel_ewma
    spec.channel_threshold = threshold
    spec.loss_ewma = congestion.loss_ewma
    spec.loss_threshold = congestion.loss_threshold
    spec.loss_age_s = congestion.loss_age_s
    spec.ack_stop_s = congestion.ack_stop_s
    spec.share_tokens = congestion.share_tokens
    spec.share_target = congestion.share_target
    spec.stop_timeout_s = congestion.stop_timeout_s
    spec.parent_delay_s = congestion.parent_delay_s
    spec.rate_tokens = congestion.rate_tokens
    spec.rate_window_s = congestion.rate_window_s
    spec.priority_divisor = congestion.priority_divisor
    spec.ifrc_initial_pps = congestion.ifrc_initial_pps
    spec.ifrc_phi_pps = congestion.ifrc_phi_pps
    spec.ifrc_epsilon = congestion.ifrc_epsilon
    spec.ifrc_queue_weight = congestion.ifrc_queue_weight
    spec.ifrc_upper_packets = congestion.ifrc_upper_packets
    spec.ifrc_lower_packets = congestion.ifrc_lower_packets
    spec.ifrc_increment_packets = congestion.ifrc_increment_packets
    spec.wrcp_alpha = congestion.wrcp_alpha
    spec.wrcp_beta = congestion.wrcp_beta
    spec.wrcp_start_pps = congestion.wrcp_start_pps
    spec.wrcp_capacity_pps = np.array(congestion.wrcp_capacity_pps)
