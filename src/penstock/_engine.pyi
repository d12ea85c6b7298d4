"""The world as Python sees it: a specification goes in, counts and logs come out, no judgement is made here.

Columns are numpy arrays over the engine's own memory, never copied. Times are nanoseconds from the start of
the run, powers dBm, gains dB (negative), distances metres. Node numbers are indices 0..node_count-1, not
link addresses.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Columns of one table differ in type, and names such as drop_<reason> are only known at run time.
_Table: TypeAlias = dict[str, NDArray[Any]]
_Bytes: TypeAlias = bytes

class Cancelled(RuntimeError):
    """Raised by every run that cancel() ended early; nothing of such a run is kept."""

class WorldSpec:
    """Everything that one run is made from. Each field must be set: the engine has no defaults of its own."""

    def __init__(self) -> None: ...

    # ---- chance ----
    seed: int
    """Unsigned, 64 bits. Equal seeds give equal channels, traffic phases and noise, whatever the strategy."""

    # ---- topology and channel ----
    node_count: int
    sink: int
    """Index of the node that every packet goes to."""
    positions: NDArray[np.float64]
    """Shape (N, 2), metres; (0, 2) where unknown, which then needs explicit links."""
    links_src: NDArray[np.int32]
    links_dst: NDArray[np.int32]
    links_gain_db: NDArray[np.float64]
    """Shapes (L,): explicit directed gains. Empty: log-distance path loss over the positions."""
    noise_floor_dbm: NDArray[np.float64]
    """Shape (N,), before the hardware's variance."""
    path_loss_exponent: float
    path_loss_1m_db: float
    shadowing_sigma_db: float
    channel_seed: int
    """What shadowing and hardware are drawn from. Equal ones give one building and one set of radios."""
    hardware_tx_var: float
    """dB², variance of transmit power over nodes (Zuniga and Krishnamachari's covariance matrix)."""
    hardware_covariance: float
    """dB², covariance of transmit power and noise floor."""
    hardware_noise_var: float
    """dB², variance of the noise floor over nodes."""
    interference_cutoff_db: float
    """Power received this far below the noise floor is ignored."""

    # ---- links that lose frames in intervals (sim/forced_loss.hpp) ----
    loss_src: NDArray[np.int32]
    loss_dst: NDArray[np.int32]
    """Shape (K,): one direction of a link each; the intervals of one direction in the order of time."""
    loss_from_s: NDArray[np.float64]
    loss_to_s: NDArray[np.float64]
    """Shape (K,): seconds after settle_s."""
    loss_probability: NDArray[np.float64]
    """Shape (K,), above 0: what share of the intact frames is dropped before the MAC sees them."""

    # ---- interference (sim/interference.hpp) ----
    interferers: NDArray[np.float64]
    """Shape (S, 2), metres: where the sources stand; (0, 2) for none."""
    interference_source: NDArray[np.int32]
    """Shape (I,): whose interval each is; those of one source in the order of time."""
    interference_from_s: NDArray[np.float64]
    interference_to_s: NDArray[np.float64]
    """Shapes (I,): seconds after settle_s."""
    interference_pps: NDArray[np.float64]
    interference_air_s: NDArray[np.float64]
    """Shapes (I,): bursts per second, and how long each is."""
    interference_dbm: NDArray[np.float64]
    """Shape (I,): output power within the band of the nodes' radios."""
    interference_together: NDArray[np.int32]
    """Shape (I,): how many bursts are due at once."""
    interference_gap_s: float
    interference_jitter_s: float
    """Bursts are so far apart at least, and each is put off by a random moment up to the latter."""

    # ---- radio and MAC ----
    tx_power_dbm: float
    radio: str
    """Either "cc1000" or "cc2420"."""
    mac: str
    """"bmac" for the former; "tinyos_cc2420", "tinyos1_cc2420" or "ieee802154" for the latter
    (sim/csma_rules.hpp)."""
    processing_s: float
    """What the processor needs for each frame that it sends; B-MAC has none."""
    receive_processing_s: float
    """What it needs for each one that it receives (sim/csma_processor.cpp); 0 but for "tinyos_cc2420"."""
    overhear_processing_s: float
    """The same for one that is for others."""
    reads_ahead: bool
    """The next frame is read while the processor still works on the one before."""
    defers: bool
    """A received frame begins a backoff anew; "tinyos1_cc2420" alone has this rule."""
    max_frame_bytes: int
    """MHR to FCS inclusive; 36 in the thesis."""
    preamble_bytes: int
    sync_bytes: int
    initial_backoff_bytes: int
    """Window of the first backoff: uniform over 1..this many byte times."""
    congestion_backoff_bytes: int
    """The same after a busy channel."""
    lock: str
    """What a radio stays with: "preamble", "first" or "recapture" (sim/medium.hpp)."""
    noise_floor: str
    """When an energy reading counts: "clear", "radio_idle" or "fixed" (sim/noise_floor.hpp)."""
    cca_samples: int
    """Energy readings before the channel is called busy."""
    noise_reading_sd_db: float
    """Standard deviation of one reading of the bare noise."""
    check_interval_s: float
    """Of low-power listening (sim/low_power_listening.hpp), which makes preambles longer; 0: always on."""
    check_margin_db: float
    """A check finds the channel quiet by a reading this far above the noise floor, or less."""
    sink_always_on: bool
    sink_service_s: float
    """How long the sink takes to pass a packet on (sim/serial_line.hpp); 0: no time."""
    sink_buffer: int
    """Packets that it holds meanwhile, the one in hand included; those that find no room are lost."""

    # ---- node ----
    queue_capacity: int
    local_share: int
    link_attempts: int
    """0: not limited."""
    hop_limit: int
    neighbor_capacity: int

    # ---- routing ----
    routing: str
    """One of "tree", "ctp" and "static"."""
    static_parents: NDArray[np.int32]
    """Shape (N,) for "static", -1 where there is none (the sink); empty for the others."""
    advertisers: NDArray[np.bool_]
    """Shape (N,): nodes that offer routes to others."""
    beacon_period_s: float
    """For "tree"."""
    beacon_min_s: float
    """For "ctp": the shortest and the longest interval between beacons."""
    beacon_max_s: float
    switch_etx: float
    """For "ctp": how many transmissions better another route must be."""
    beacons_tell_links: bool
    """For "ctp": beacons seed both directions of a link."""
    pin_routes: bool
    """Keep, from settle_s on, the parents of that moment."""

    # ---- congestion control ----
    control: str
    """One of strategies()."""
    occupancy_free: float
    channel_ewma: float
    channel_threshold: float
    channel_epochs: int
    channel_samples: int
    channel_epoch_s: float
    loss_ewma: float
    loss_threshold: float
    loss_age_s: float
    stop_timeout_s: float
    ack_stop_s: float
    """0: derived from packet times."""
    parent_delay_s: float
    rate_tokens: int
    rate_window_s: float
    share_tokens: int
    share_target: float
    priority_divisor: int
    ifrc_initial_pps: float
    ifrc_phi_pps: float
    ifrc_epsilon: float
    ifrc_queue_weight: float
    ifrc_upper_packets: int
    ifrc_lower_packets: int
    ifrc_increment_packets: int
    wrcp_alpha: float
    wrcp_beta: float
    wrcp_start_pps: float
    wrcp_capacity_pps: NDArray[np.float64]
    """1, 2, 4 or 8: a congested node's backoff window is divided by it."""

    # ---- workload and time ----
    rate_pps: NDArray[np.float64]
    """Shape (N,): readings per second, from a random phase on; 0 for nodes without, such as the sink."""
    event_packets: NDArray[np.int32]
    """Shape (N,), 0..255: readings that a node makes at once at each event; 0: it reports no events."""
    event_first_s: NDArray[np.float64]
    """Shape (N,): each node's first event, seconds after settle_s."""
    event_period_s: float
    """From one event to the next."""
    sleep_s: NDArray[np.float64]
    """Shape (N,): how long of each period of rate_pps a node may sleep; 0: it never does."""
    fail_at_s: NDArray[np.float64]
    """Shape (N,): when a node stops for good, seconds after settle_s; infinite: never. Not the sink."""
    reroute_node: NDArray[np.int32]
    """Shape (R,): who sends to another parent from some moment on. Not the sink."""
    reroute_parent: NDArray[np.int32]
    reroute_at_s: NDArray[np.float64]
    """Shape (R,): when, seconds after settle_s."""
    flow_source: NDArray[np.int32]
    """Shape (F,): the node of each flow (sim/flow_sources.hpp); sorted by node and then by time."""
    flow_start_s: NDArray[np.float64]
    flow_stop_s: NDArray[np.float64]
    """Shape (F,): seconds after settle_s."""
    flow_rate_pps: NDArray[np.float64]
    """Shape (F,): readings per second, from a random phase on; 0: backlogged."""
    flow_packets: NDArray[np.uint32]
    """Shape (F,): how many the flow makes at most; 0: not limited."""
    payload_bytes: int
    """Of every packet; 0: as many as the longest frame leaves beside its headers."""
    aimd_increase_pps: float
    """What an application's own rate gains with each packet that its stack takes; 0: applications wait."""
    aimd_decrease: float
    """What a refusal leaves of that rate."""
    aimd_longest_s: float
    """It never falls below one packet in this time."""
    bulk: BulkSpec
    """Transfers of objects to the sink."""
    settle_s: float
    measure_s: float
    """Traffic runs, and every counter counts, from settle_s to settle_s + measure_s."""
    sample_s: float
    """From one sample of all nodes to the next, the first one at settle_s; 0: none."""
    log_events: bool

class BulkSpec:
    """Bulk transfers (sim/transfers.hpp), part of a WorldSpec. Without any nothing else need be set, and no
    node takes part in bulk transfer. Numbers and their reasons: lib/include/penstock/bulk_path.h and
    bulk_ends.h."""

    def __init__(self) -> None: ...

    source: NDArray[np.int32]
    """Shape (T,): the node of each transfer, in the order in which the sink asks."""
    bytes: NDArray[np.uint32]
    """Shape (T,): length of the object."""
    start_s: NDArray[np.float64]
    """Shape (T,): not before this, seconds after settle_s; does not fall."""
    content: _Bytes
    """The bytes of every object, which then have that length; empty: drawn from the seed."""
    mode: str
    """One of "flush", "flush_e2e", "fixed", "asap" and "blockwise"."""
    interval_s: float
    """For "fixed": between two packets of the source."""
    payload_bytes: int
    """Of the object, in a packet; 0: as many as the longest frame leaves beside its headers."""
    queue: int
    local_share: int
    flows: int
    """Origins that a node tells apart."""
    attempts: int
    congested_packets: int
    delay_memory_packets: int
    rssi_memory_packets: int
    """1, 2, 4 ... 128: what is new counts one in so many."""
    interferer_db: int
    nearest_interferer: int
    """1: the next hop; 2: those behind it."""
    interferer_timeout_packets: int
    """0: never."""
    delay_unit_s: float
    longest_wait_s: float
    companded: bool
    lower: bool
    """Bulk packets go only when no sensor packet can; else they take turns."""
    nack_packets: int
    """0: as many as the frame holds."""
    tries: int
    restarts: int
    freeze: bool
    query_timeout_s: float
    timeout_max_s: float
    first_interval_s: float
    flood_jitter_s: float
    """0: derived from packet times, both."""
    ack_timeout_s: float
    ack_random_factor: float
    max_retransmit: int
    """For "blockwise", as RFC 7252 has them."""
    log: bool

class RunRecords:
    """What a run left behind, over its measured part."""

    @property
    def nodes(self) -> _Table:
        """Columns of shape (N,).

        uint32: generated, delivered (by origin, at the sink), transmissions (link attempts of data), acked,
        receptions (intact data frames for this node, duplicates too), received (new packets), duplicates,
        beacons_sent, beacons_received, cca_busy, rx_overflows (frames that the CC2420's receive buffer lost),
        queue_peak, and drop_<reason> for each of drop_reasons() but
        "none" (drop_refused: never admitted). int32: parent at the end, -1 for none. uint32: hops to the sink
        by following parents, 0 without a route. float64: path_etx (NaN without a route); what the
        radio did and what that took: time_tx_s (radiating), time_rx_s (acquiring or receiving),
        time_startup_s (from power down to listening), time_sleep_s (powered down), time_idle_s (the rest),
        which add up to measure_s; energy_tx_j, energy_rx_j, energy_startup_j, energy_sleep_j, energy_idle_j
        and energy_j, their sum.
        """
    @property
    def links(self) -> _Table:
        """One row for each directed link that carried data.

        uint32: src, dst, transmissions, receptions (intact at dst), received (new packets), accepted (of
        these, the ones that dst took into its queue or delivered: not dropped at once for want of room or
        route), acked. float64: rssi_dbm and lqi, means over the receptions (NaN without any). The CC2420
        tells the power of frame, others and noise together and a quality from 50 to 110; of the CC1000
        rssi_dbm is the frame's own power and lqi 0.
        """
    @property
    def packets(self) -> _Table:
        """One row for each packet generated in the measured part.

        origin (int32), seq (uint32, from 0 at each origin), generated_ns (int64), admitted_ns (int64, -1 if
        the stack never took it), delivered_ns (int64, -1 if not), flow (int32, index into the flow_* arrays,
        -1 for packets of none), hops (uint8, of the delivered copy), fate
        (uint8: 0 queued, 1 delivered, 2 dropped), reason (uint8, index into drop_reasons()).
        """
    @property
    def events(self) -> _Table:
        """The packet log, empty unless log_events.

        time_ns (int64), node (int32), kind (uint8, index into event_kinds()), peer (int32, -1 none),
        origin (int32, -1 for beacons), seq (uint32), queue (int32, packets in the node's queue then, a packet
        that is being transmitted included; -1 where only the application
        is concerned).
        """
    @property
    def samples(self) -> _Table:
        """One row a sample and node, in that order; empty unless sample_s.

        time_ns (int64), node (uint32), queue (uint32, packets in it), delivered (uint32, of the packets that
        the node made, so far), allowed (uint32, the source rate that the strategy allows, packets/s in
        1/65536; 2^32 - 1: no limit).
        """
    @property
    def transfers(self) -> _Table:
        """One row a bulk transfer, in the order of the specification.

        source (int32), bytes (uint32); int64, -1 where it never came: asked_ns, started_ns (the source has
        answered), last_first_ns (the last new packet of the transfer phase), complete_ns, ended_ns. uint32:
        packets of the object, arrived at the sink, arrived_first (in the transfer phase), bytes_first in
        these, requests (for packets, of the sink), rounds (of these, after the transfer phase), restarts,
        transmissions (of bulk packets, all nodes), queue_drops, attempts_drops, line_drops. uint8:
        packet_bytes, hops, outcome (0 waiting, 1 running, 2 done, 3 failed), reason (index into
        bulk_reasons()), same_bytes.
        """
    @property
    def bulk(self) -> _Table:
        """The log of bulk packets, empty unless bulk.log.

        time_ns (int64), node, transfer (int32, index into transfers), index (int32, of the packet, -1: none
        of the object), kind (uint8: 0 a link attempt is over, 1 a new packet at the sink). Of attempts: acked
        (uint8), and from when the MAC took the frame queue (int32, that packet included), delay_us, f_us,
        interval_us (uint32).
        """
    @property
    def received(self) -> _Bytes:
        """What the sink has stored of the last transfer, where bulk.content was given."""
    @property
    def totals(self) -> dict[str, int]:
        """Over all nodes.

        events, frames_data, frames_ack, frames_beacon, receptions_started, receptions_corrupted, captures,
        frames_bulk and frames_flood (of bulk transfer), measured_ns (how long the measurement was: it ends
        with the last transfer), interference_bursts, forced_losses (intact frames that loss_probability
        dropped);
        payload_bytes of a packet, and data_frame_bytes, of the frame that carries it (MHR to FCS).
        """

class Watch:
    """How far a run has come; may be read while another thread runs it."""

    def __init__(self) -> None: ...
    @property
    def time_ns(self) -> int:
        """Simulated, from the run's start."""
    @property
    def arrived(self) -> int:
        """Packets at the sink, of the transfer that runs or was last."""
    @property
    def packets(self) -> int:
        """How many it has; 0 until its source has answered."""

def run(spec: WorldSpec, watch: Watch | None = None) -> RunRecords:
    """Simulate one run, which tells `watch` of its progress. Holds no lock while it does, so threads run side
    by side.

    Raises ValueError, naming the field, when the specification contradicts itself, and Cancelled after
    cancel().
    """

def cancel() -> None:
    """Make every run, those now going on and those begun later, raise Cancelled until reset_cancel()."""

def reset_cancel() -> None:
    """Let runs go on again after cancel()."""

def draws(purpose: str, seed: int, nodes: int, values: int) -> NDArray[np.float64]:
    """Shape (nodes, values), uniform in [0, 1): the first values of each node's stream for "clock_error",
    "source_rate" or "failure". They depend on purpose, seed and node alone. ValueError for another purpose.
    """

def drop_reasons() -> list[str]:
    """Names of the drop reasons in the order of the C enum; the first is "none"."""

def bulk_reasons() -> list[str]:
    """Why transfers fail, in the order of their numbers; the first is for those that do not."""

def event_kinds() -> list[str]:
    """Names of the packet log's kinds, in the order of their numbers."""

def strategies() -> list[str]:
    """Names that WorldSpec.control takes."""

def version() -> str:
    """The version of the native parts."""

def link_prr(spec: WorldSpec) -> _Table:
    """Every link of this specification's channel: src, dst (int32), prr and power_dbm (float64).

    prr is the chance that the longest frame arrives when nobody else sends; power_dbm the power received.
    ValueError as in run().
    """

def strategy_header_bytes(control: str) -> int:
    """Bytes that a strategy adds to every data frame: its fields and their length; 0 where it has none."""

def library_bytes_per_node(queue_capacity: int, neighbor_capacity: int) -> int:
    """Bytes of RAM that the library's own state of a node takes: node, config, queue, neighbour table."""
