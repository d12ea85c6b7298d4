"""A scenario: what network, what load, which strategies, for how long, how often.

Every key has its unit in its name and its default here; the engine has none of its own. The defaults
are the Mica2 office testbed of the Fusion thesis (sections 2.3, 4 and 5.1-5.3, Table 5.1).
"""

from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from penstock.bulk_sections import BulkSection, TransferEntry, check_transfers
from penstock.fault_sections import FaultsSection
from penstock.flow_sections import FlowsTraffic
from penstock.interference_sections import InterferenceSource
from penstock.model import NodeName, NotNegative, Positive, Section, Share
from penstock.radio_sections import RADIOS, Bmac, Cc1000Radio, MacSection, RadioSection
from penstock.topology.sections import K7Topology, MeasuredTopology, OfficeTopology, TopologySection
from penstock.workload_sections import (
    LONGEST_PACE_S,
    ApplicationSection,
    DutyCycleTraffic,
    EventTraffic,
    FanInTraffic,
    NoTraffic,
    PeriodicBase,
    PeriodicTraffic,
    RecordsSection,
    TrafficSection,
)

Thesis = Literal["none", "occupancy", "channel", "delay", "rate", "fusion"]
Control = Literal[Thesis, "loss", "union", "ack", "share", "fusion_share", "ifrc", "wrcp"]
"""The six strategies of thesis 5.1, five of what it names and leaves open (4.2, 6.1), IFRC and WRCP."""
STRATEGIES: tuple[Control, ...] = get_args(Control)

AxisValue = bool | int | float | str | list[int | str] | list[int | float]

Byte = Annotated[int, Field(ge=1, le=255)]
Weight = Annotated[float, Field(ge=0.004, le=0.996)]
"""A share that the library keeps in 256ths, and that must be neither nothing nor all."""
Capacity = Annotated[float, Field(ge=0.02, le=1000)]
"""Packets/s; the library keeps it in 64ths and 16 bits."""
Threshold = Annotated[int, Field(ge=0, le=254)]
"""Packets in a queue; 0: derived from its length."""
Timeout = Annotated[float, Field(ge=0, le=1000)]
"""Seconds; the library's clock compares moments that are less than 35 minutes apart."""


LONGEST_S = 1e7
"""116 days. Moments of a run are nanoseconds in 64 bits; this leaves room for sums of them."""
MOST_SEEDS = 100_000
MOST_SAMPLES = 1_000_000


class ChannelSection(Section):
    """Log-distance path loss with shadowing, and radios that differ from each other.

    The defaults are the published Mica2 parameters of Zuniga & Krishnamachari's link-layer model, as TOSSIM
    ships them: exponent 3.0, 55 dB at 1 m, noise floor -105 dBm, and the covariance matrix of noise floor
    (3.7 dB^2) and output power (6.0 dB^2) over nodes, -3.3 dB^2 off the diagonal. Shadowing is 6.1 dB, what
    was measured between CC1000 radios indoors (docs/design.md says where); TOSSIM's 4 dB is for the open. The
    CC2420 brings defaults of its own for some keys (Cc2420Radio).

    With `seed` all seeds of an experiment meet the same building and the same radios, drawn from it; without
    it each draws its own.
    """

    path_loss_exponent: Annotated[float, Field(ge=1, le=8)] = 3.0
    path_loss_1m_db: Annotated[float, Field(ge=0, le=150)] = 55.0
    shadowing_sigma_db: Annotated[float, Field(ge=0, le=30)] = 6.1
    noise_floor_dbm: Annotated[float, Field(ge=-150, le=0)] = -105.0
    hardware_tx_var: NotNegative = 6.0
    hardware_covariance: float = -3.3
    hardware_noise_var: NotNegative = 3.7
    interference_cutoff_db: Annotated[float, Field(ge=0, le=60)] = 10.0
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None

    @model_validator(mode="after")
    def _covariance_fits(self) -> "ChannelSection":
        if self.hardware_covariance**2 > self.hardware_tx_var * self.hardware_noise_var:
            raise ValueError(
                "hardware_covariance squared must not exceed hardware_tx_var times hardware_noise_var"
            )
        return self


class NodeSection(Section):
    """A mote's queue and link layer (thesis 2.3.2, 2.3.3; the local share is 4.6's).

    `link_attempts` = 0 does not limit them: a packet is sent until it is acknowledged (WRCP).

    `sink_service_s` is what the base station takes to pass a packet on, over its serial line for instance,
    and `sink_buffer` how many packets it holds meanwhile, that one included (12 is TinyOS 1's TOSBase). A
    packet that finds no room is lost at the sink though the link has acknowledged it
    ("acked_then_dropped"). 0: no time, and nothing is lost.
    """

    queue: Byte = 8
    local_share: Byte = 2
    link_attempts: Annotated[int, Field(ge=0, le=255)] = 4
    hop_limit: Annotated[int, Field(ge=1, le=254)] = 32
    neighbors: Byte = 32
    sink_service_s: Annotated[float, Field(ge=0, le=10)] = 0.0
    sink_buffer: Annotated[int, Field(ge=1, le=10_000)] = 12

    @model_validator(mode="after")
    def _share_fits(self) -> "NodeSection":
        if self.local_share > self.queue:
            raise ValueError(f"local_share ({self.local_share}) must not exceed queue ({self.queue})")
        return self


_CTP = ("ctp",)
_ROUTING_KEYS = {
    "beacon_min_s": _CTP,
    "beacon_max_s": _CTP,
    "switch_etx": _CTP,
    "beacon_links": _CTP,
    "beacon_period_s": ("tree", "static"),
}


class RoutingSection(Section):
    """The thesis's collection tree (2.3.2), CTP's (TEP 123), or parents that the scenario names itself.

    `beacon_period_s` is the tree's. CTP's beacons come at intervals from `beacon_min_s`, while there is news,
    to `beacon_max_s`; it leaves a parent for a route that is better by more than `switch_etx` transmissions.
    `beacon_links` is what its beacons know of links before there is data: "inbound" (TinyOS's four-bit
    estimator) or "both" directions (TEP 123's LEEP beacons), which a tree that is pinned without data needs.
    The defaults are TinyOS's (128 and 512,000 of its ticks of 1/1024 s, and 1.5). `parents` (static only)
    has one entry per node in the topology's order: the name of its parent; the sink's own entry is the sink.
    """

    kind: Literal["tree", "ctp", "static"] = "tree"
    beacon_period_s: Annotated[float, Field(ge=0.1, le=134)] = 10.0
    beacon_min_s: Annotated[float, Field(ge=0.01, le=536)] = 0.125
    beacon_max_s: Annotated[float, Field(ge=0.01, le=536)] = 500.0
    switch_etx: Annotated[float, Field(ge=0, le=500)] = 1.5
    beacon_links: Literal["inbound", "both"] = "inbound"
    pin: bool = True
    parents: list[NodeName] | None = None

    @model_validator(mode="after")
    def _each_kind_has_its_keys(self) -> "RoutingSection":
        changed = self.model_dump(exclude_defaults=True)
        for key, kinds in _ROUTING_KEYS.items():
            if key in changed and self.kind not in kinds:
                raise ValueError(f'{key} belongs to kind = "{kinds[0]}"')
        if self.beacon_min_s > self.beacon_max_s:
            raise ValueError(
                f"beacon_min_s ({self.beacon_min_s:g}) must not exceed beacon_max_s ({self.beacon_max_s:g})"
            )
        return self

    @model_validator(mode="after")
    def _parents_belong_to_static(self) -> "RoutingSection":
        if (self.kind == "static") != (self.parents is not None):
            raise ValueError('parents belong to kind = "static", and static routing needs them')
        return self


class CongestionSection(Section):
    """The strategy and its parameters (thesis chapter 4, Table 5.1).

    `channel_threshold` is the busy share of the channel that counts as congestion; unset, it is Eq. 2.3's
    S_max for `channel_detection_delay_s` (B-MAC's five readings of 226 us) and this scenario's frame.
    `stop_timeout_s` bounds how long a child believes a stop whose clearing it missed, `ack_stop_s` how long
    it stops after an acknowledgement that says so; 0 lets the library derive them from the packet time. The
    other `loss_` and `share_` keys are explained in the library's params.c.

    `ifrc_initial_pps` (r_init), `ifrc_phi_pps` and `ifrc_epsilon` are WRCP's for IFRC (8.1): where slow start
    begins, by how much a rate grows there for each packet's time, and additive increase, epsilon times the
    square of the rate after the last decrease, in a second. `ifrc_queue_weight` is that of the newest reading
    in the average queue. A node is congested from `ifrc_upper_packets` in that average until it is below
    `ifrc_lower_packets`; the thresholds above the upper are this `ifrc_increment_packets` apart, then half of
    that, and so on. 0: 20 of a queue of 64 or more (8.1) and the same share of a shorter one; half of the
    upper one; as much as the upper one, or what fits. Packets of the node's own count, so
    `node.local_share` should be as long as the queue.

    `wrcp_alpha` and `wrcp_beta` are those of WRCP's Eq. 5 and Eqs. 6, 8, 9 and 10, `wrcp_start_pps` the rate
    of a flow that joins and the least of any. `wrcp_capacity_pps` is what a node can receive with 1, 2, ...
    senders in range, itself among them, in packets/s; the last entry holds for more. It belongs to the radio,
    the MAC and the length of frames. Entries may rise with the number of senders (more of them find the
    channel free) and then fall (they collide more), but not rise again: such a table is a slip or noise.
    """

    control: Control = "fusion"
    occupancy_free: Share = 0.25
    channel_epochs: Byte = 4
    channel_epoch_s: Annotated[float, Field(ge=0.001, le=1000)] = 0.1
    channel_samples: Byte = 20
    channel_ewma: Share = 0.85
    channel_threshold: Share | None = None
    channel_detection_delay_s: Positive = 0.00113
    loss_ewma: Weight = 0.9375
    loss_threshold: Weight = 0.632
    loss_age_s: Annotated[float, Field(ge=0.001, le=1000)] = 4.0
    stop_timeout_s: Timeout = 0.0
    ack_stop_s: Timeout = 0.0
    parent_delay_s: Timeout = 0.04
    rate_tokens: Byte = 10
    rate_window_s: Annotated[float, Field(ge=0.001, le=1000)] = 4.0
    share_tokens: Byte = 2
    share_target: Weight = 0.9
    priority_divisor: Literal[1, 2, 4, 8] = 4
    ifrc_initial_pps: Annotated[float, Field(ge=0.01, le=100)] = 0.1
    ifrc_phi_pps: Annotated[float, Field(ge=1e-4, le=1)] = 0.0125
    ifrc_epsilon: Annotated[float, Field(ge=1e-4, le=0.99)] = 0.02
    ifrc_queue_weight: Annotated[float, Field(ge=0.001, le=1)] = 0.03
    ifrc_upper_packets: Threshold = 0
    ifrc_lower_packets: Threshold = 0
    ifrc_increment_packets: Threshold = 0
    wrcp_alpha: Annotated[float, Field(gt=0, le=1)] = 0.1
    wrcp_beta: Weight = 0.5
    wrcp_start_pps: Annotated[float, Field(ge=0.001, le=255)] = 0.1
    wrcp_capacity_pps: Annotated[list[Capacity], Field(min_length=1, max_length=255)] = Field(
        default_factory=lambda: [46.0, 74.0, 86.0, 90.0]
    )

    @field_validator("wrcp_capacity_pps")
    @classmethod
    def _capacities_have_one_peak(cls, capacities: list[float]) -> list[float]:
        fallen = False
        for senders, (before, after) in enumerate(pairwise(capacities), start=2):
            if fallen and after > before:
                raise ValueError(
                    f"entry {senders} ({after:g}) rises above entry {senders - 1} ({before:g}) after the "
                    "entries have begun to fall: capacities rise with the number of senders, then fall, but "
                    "do not rise again"
                )
            fallen = fallen or after < before
        return capacities

    def ifrc_thresholds(self, queue: int) -> tuple[float, float, float]:
        """Upper and lower threshold and increment in packets, as the library derives them (ifrc_congestion.c)
        for a queue of so many."""
        upper = self.ifrc_upper_packets or min(queue, 64) * 20 / 64
        lower = self.ifrc_lower_packets or upper / 2
        return upper, lower, self.ifrc_increment_packets or min(upper, (queue - upper) / 2)


class TimeSection(Section):
    """Simulated seconds: routes form, then traffic runs and everything is counted (thesis 5.2)."""

    settle_s: Annotated[float, Field(ge=0, le=LONGEST_S)] = 120.0
    measure_s: Annotated[float, Field(ge=0.001, le=LONGEST_S)] = 240.0


MEASURED_KINDS = {str(kind.model_fields["kind"].default) for kind in get_args(MeasuredTopology)}


def _kind_of(table: object) -> str:
    return str(cast(dict[str, object], table).get("kind")) if isinstance(table, dict) else ""


class Scenario(Section):
    """One validated scenario. Load it with `penstock.load_scenario`, or build it from a dict.

    `axes` maps a dotted key ("traffic.rate_pps") to the values it takes; the experiment is the product of
    all axes, each point repeated for seeds 1 to `seeds`. `confidence` is the level of the Student-t
    intervals over seeds.
    """

    name: Annotated[str, Field(min_length=1)]
    description: str = ""
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = 15
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.99
    topology: TopologySection = OfficeTopology()
    channel: ChannelSection = ChannelSection()
    radio: RadioSection = Cc1000Radio()
    mac: MacSection = Bmac()
    node: NodeSection = NodeSection()
    routing: RoutingSection = RoutingSection()
    congestion: CongestionSection = CongestionSection()
    traffic: TrafficSection = PeriodicTraffic()
    application: ApplicationSection = ApplicationSection()
    bulk: BulkSection = BulkSection()
    transfers: list[TransferEntry] = Field(default_factory=list[TransferEntry])
    faults: FaultsSection = FaultsSection()
    time: TimeSection = TimeSection()
    records: RecordsSection = RecordsSection()
    interference: list[InterferenceSource] = Field(default_factory=list[InterferenceSource])
    axes: dict[str, list[AxisValue]] = Field(default_factory=dict[str, list[AxisValue]])

    _folder: Path | None = PrivateAttr(default=None)

    @field_validator("traffic", "radio", "mac", mode="before")
    @classmethod
    def _kinds_need_not_be_said(cls, section: object, info: ValidationInfo) -> object:
        """Without one, it is that of the section's default."""
        if not isinstance(section, dict):
            return section
        default = cls.model_fields[info.field_name or ""].default
        return {"kind": default.kind, **cast(dict[str, object], section)}

    @model_validator(mode="before")
    @classmethod
    def _channel_goes_with_radio(cls, settings: object) -> object:
        """A radio's own defaults for [channel]; of measured gains, only the noise is left open."""
        given = cast(dict[str, object], settings)
        if not isinstance(settings, dict) or not isinstance(given.get("channel", {}), dict):
            return cast(object, settings)
        radio = RADIOS.get(_kind_of(given.get("radio")))
        own = dict(radio.channel) if radio is not None else {}
        if _kind_of(given.get("topology")) in MEASURED_KINDS:
            own = {key: value for key, value in own.items() if key == "noise_floor_dbm"}
        channel = {**own, **cast(dict[str, object], given.get("channel", {}))}
        return {**given, "channel": channel} if own else given

    @field_validator("axes")
    @classmethod
    def _axes_have_values(cls, axes: dict[str, list[AxisValue]]) -> dict[str, list[AxisValue]]:
        for key, values in axes.items():
            if not values:
                raise ValueError(f'"{key}" has no values')
        return axes

    @model_validator(mode="after")
    def _mac_goes_with_radio(self) -> "Scenario":
        if self.mac.radio != self.radio.kind:
            raise ValueError(
                f'mac.kind = "{self.mac.kind}" needs radio.kind = "{self.mac.radio}", not "{self.radio.kind}"'
            )
        return self

    @model_validator(mode="after")
    def _gains_come_from_one_place(self) -> "Scenario":
        if not isinstance(self.topology, MeasuredTopology):
            return self
        used = {"noise_floor_dbm", "interference_cutoff_db"}
        changed = set(self.channel.model_dump(exclude_defaults=True)) - used
        if changed:
            raise ValueError(
                f"channel.{min(changed)} has no effect: the {self.topology.kind.replace('_', ' ')} already "
                "holds path loss, shadowing and hardware variance"
            )
        return self

    @model_validator(mode="after")
    def _traces_are_of_one_radio(self) -> "Scenario":
        if isinstance(self.topology, K7Topology) and self.radio.kind != "cc2420":
            raise ValueError(
                f'topology.kind = "k7" needs radio.kind = "cc2420", not "{self.radio.kind}": traces are of '
                "IEEE 802.15.4 radios at 2.4 GHz"
            )
        return self

    @model_validator(mode="after")
    def _thresholds_fit_the_queue(self) -> "Scenario":
        if self.congestion.control != "ifrc":
            return self
        queue = self.node.queue
        upper, lower, increment = self.congestion.ifrc_thresholds(queue)
        if upper >= queue:
            raise ValueError(
                f"congestion.ifrc_upper_packets ({upper:g}) must be below node.queue ({queue}): the average "
                "queue stays below that"
            )
        if lower >= upper:
            raise ValueError(
                f"congestion.ifrc_lower_packets ({lower:g}) must be below the upper threshold ({upper:g})"
            )
        if upper + increment > queue:
            raise ValueError(
                f"congestion.ifrc_increment_packets ({increment:g}) must be at most node.queue ({queue}) "
                f"less the upper threshold ({upper:g})"
            )
        return self

    @model_validator(mode="after")
    def _some_routes_need_a_tree(self) -> "Scenario":
        if self.routing.kind == "static" and isinstance(self.traffic, FanInTraffic | DutyCycleTraffic):
            raise ValueError(
                f'traffic.kind = "{self.traffic.kind}" decides who offers routes, which routing.kind = '
                '"static" does not heed'
            )
        return self

    @model_validator(mode="after")
    def _faults_happen(self) -> "Scenario":
        self.faults.check_within(self.time.measure_s)
        return self

    @model_validator(mode="after")
    def _flows_are_measured(self) -> "Scenario":
        if isinstance(self.traffic, FlowsTraffic):
            self.traffic.check_within(self.time.measure_s)
        return self

    @model_validator(mode="after")
    def _transfers_can_be_asked_for(self) -> "Scenario":
        check_transfers(self.transfers, self.bulk, self.time.measure_s)
        if self.transfers and isinstance(self.traffic, DutyCycleTraffic) and self.traffic.sleep_fraction:
            raise ValueError(
                'transfers do not go with traffic.kind = "duty_cycle": who sleeps hears no request. Set '
                "traffic.sleep_fraction = 0, or leave the transfers out"
            )
        return self

    @model_validator(mode="after")
    def _interference_can_be_heard(self) -> "Scenario":
        if self.interference and self.radio.kind != "cc2420":
            raise ValueError(
                f'interference is 802.11 at 2.4 GHz, which radio.kind = "{self.radio.kind}" does not hear'
            )
        for at, source in enumerate(self.interference):
            for place, interval in enumerate(source.schedule):
                if interval.to_s > self.time.measure_s:
                    raise ValueError(
                        f"interference.{at}.schedule.{place}.to_s ({interval.to_s:g}) lies beyond "
                        f"time.measure_s ({self.time.measure_s:g})"
                    )
        return self

    @model_validator(mode="after")
    def _series_have_an_end(self) -> "Scenario":
        sample, measured = self.records.sample_s, self.time.measure_s
        if sample and measured / sample > MOST_SAMPLES:
            raise ValueError(
                f"records.sample_s ({sample:g}) makes more than {MOST_SAMPLES:,} samples of time.measure_s "
                f"({measured:g})"
            )
        return self

    @model_validator(mode="after")
    def _paces_can_be_counted(self) -> "Scenario":
        if self.application.adaptation != "aimd" or isinstance(self.traffic, EventTraffic | NoTraffic):
            return self
        if isinstance(self.traffic, FlowsTraffic):
            raise ValueError(
                'application.adaptation = "aimd" does not go with traffic.kind = "flows": its sources wait '
                "for room"
            )
        spread = self.traffic.rate_spread if isinstance(self.traffic, PeriodicBase) else 1.0
        if 0 < self.traffic.rate_pps < spread / LONGEST_PACE_S:
            raise ValueError(
                f'application.adaptation = "aimd" needs sources of at least {1 / LONGEST_PACE_S:g} '
                f"packets/s: traffic.rate_pps is {self.traffic.rate_pps:g}"
            )
        return self

    @property
    def folder(self) -> Path:
        """The folder that relative topology paths start from: the scenario file's, or the current one."""
        return self._folder if self._folder is not None else Path.cwd()

    def placed_in(self, folder: Path) -> "Scenario":
        """The same scenario with its relative paths starting from `folder`."""
        copy = self.model_copy()
        copy._folder = folder
        return copy
