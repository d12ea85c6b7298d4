"""A scenario: what network, what load, which strategies, for how long, how often.

Every key has its unit in its name and its default here; the engine has none of its own. The defaults
are the Mica2 office testbed of the Fusion thesis (sections 2.3, 4 and 5.1-5.3, Table 5.1).
"""

from pathlib import Path
from typing import Annotated, Literal, cast, get_args

from pydantic import Field, PrivateAttr, field_validator, model_validator

from penstock.model import NodeName, NotNegative, Positive, Section, Share
from penstock.topology.sections import GainFileTopology, OfficeTopology, TopologySection
from penstock.workload_sections import (
    LONGEST_PACE_S,
    ApplicationSection,
    DutyCycleTraffic,
    EventTraffic,
    FanInTraffic,
    FaultsSection,
    PeriodicBase,
    PeriodicTraffic,
    TrafficSection,
)

Thesis = Literal["none", "occupancy", "channel", "delay", "rate", "fusion"]
Control = Literal[Thesis, "loss", "union", "ack", "share", "fusion_share"]
"""The six strategies of thesis section 5.1, and five of what it names and leaves open (4.2, 6.1)."""
STRATEGIES: tuple[Control, ...] = get_args(Control)

AxisValue = bool | int | float | str | list[int | str] | list[int | float]

Byte = Annotated[int, Field(ge=1, le=255)]
Weight = Annotated[float, Field(ge=0.004, le=0.996)]
"""A share that the library keeps in 256ths, and that must be neither nothing nor all."""
Timeout = Annotated[float, Field(ge=0, le=1000)]
"""Seconds; the library's clock compares moments that are less than 35 minutes apart."""


LONGEST_S = 1e7
"""116 days. Moments of a run are nanoseconds in 64 bits; this leaves room for sums of them."""
MOST_SEEDS = 100_000
SHORTEST_CHECK_INTERVAL_S = 0.01
"""B-MAC's range is 10 to 1600 ms (thesis 2.3.3)."""


class ChannelSection(Section):
    """Log-distance path loss with shadowing, and radios that differ from each other.

    The defaults are the published Mica2 parameters of Zuniga & Krishnamachari's link-layer model, as TOSSIM
    ships them: exponent 3.0, 55 dB at 1 m, noise floor -105 dBm, and the covariance matrix of noise floor
    (3.7 dB^2) and output power (6.0 dB^2) over nodes, -3.3 dB^2 off the diagonal. Shadowing is 6.1 dB, what
    was measured between CC1000 radios indoors (docs/design.md says where); TOSSIM's 4 dB is for the open.
    """

    path_loss_exponent: Annotated[float, Field(ge=1, le=8)] = 3.0
    path_loss_1m_db: Annotated[float, Field(ge=0, le=150)] = 55.0
    shadowing_sigma_db: Annotated[float, Field(ge=0, le=30)] = 6.1
    noise_floor_dbm: Annotated[float, Field(ge=-150, le=0)] = -105.0
    hardware_tx_var: NotNegative = 6.0
    hardware_covariance: float = -3.3
    hardware_noise_var: NotNegative = 3.7
    interference_cutoff_db: Annotated[float, Field(ge=0, le=60)] = 10.0

    @model_validator(mode="after")
    def _covariance_fits(self) -> "ChannelSection":
        if self.hardware_covariance**2 > self.hardware_tx_var * self.hardware_noise_var:
            raise ValueError(
                "hardware_covariance squared must not exceed hardware_tx_var times hardware_noise_var"
            )
        return self


class RadioSection(Section):
    """The transceiver. Thesis 2.3.4 sends at -10 dBm.

    `lock`: which frame a receiver stays with when a stronger one comes. "preamble": the stronger one takes
    over until the sync word has passed (TinyOS 1.1's receive states). "first": the first preamble is kept, as
    by a receiver that adjusts itself to it. "recapture": the stronger one takes over at any time, also within
    the frame (Whitehouse et al. 2005 do so on the CC1000). `noise_reading_sd_db` is the spread of one energy
    reading of the bare noise (TOSSIM's Mica2 parameters).
    """

    kind: Literal["cc1000"] = "cc1000"
    tx_power_dbm: Annotated[float, Field(ge=-50, le=30)] = -10.0
    lock: Literal["preamble", "first", "recapture"] = "preamble"
    noise_reading_sd_db: Annotated[float, Field(ge=0.1, le=20)] = 4.0


class MacSection(Section):
    """B-MAC on the Mica2 (thesis 2.3.3): sizes in bytes, back-off windows in byte times.

    A frame has at least 26 bytes: a beacon that tells of one link has 24, and 2 of check sequence.

    `noise_floor`: which energy readings teach a node its noise floor. "clear": those of a clear channel
    (2.3.3: of the channel "when it is idle"). "radio_idle": all that are taken while the radio idles (TinyOS
    1.1). "fixed": none, the node knows the noise. `cca_samples` readings without an outlier make the channel
    busy.

    `check_interval_s`: low-power listening (2.3.3). Radios sleep and look at the channel this often, and
    every preamble is longer by as much. 0: always on, as in the thesis's runs. A check finds the channel
    quiet when a reading is less than `check_margin_db` above the noise floor (TinyOS 2). `sink_always_on`:
    the sink's radio never sleeps, since it usually hangs on the mains.
    """

    preamble_bytes: Annotated[int, Field(ge=1, le=10_000)] = 18
    sync_bytes: Annotated[int, Field(ge=1, le=16)] = 2
    initial_backoff_bytes: Annotated[int, Field(ge=1, le=10_000)] = 32
    congestion_backoff_bytes: Annotated[int, Field(ge=1, le=10_000)] = 16
    max_frame_bytes: Annotated[int, Field(ge=26, le=119)] = 36
    noise_floor: Literal["clear", "radio_idle", "fixed"] = "clear"
    cca_samples: Annotated[int, Field(ge=1, le=100)] = 5
    check_interval_s: Annotated[float, Field(ge=0, le=1.6)] = 0.0
    check_margin_db: Annotated[float, Field(ge=0, le=40)] = 10.0
    sink_always_on: bool = True

    @field_validator("check_interval_s")
    @classmethod
    def _checks_are_apart(cls, interval: float) -> float:
        if 0 < interval < SHORTEST_CHECK_INTERVAL_S:
            raise ValueError(f"{interval!r} should be 0 (always on) or 0.01 to 1.6 s")
        return interval


class NodeSection(Section):
    """A mote's queue and link layer (thesis 2.3.2, 2.3.3; the local share is 4.6's)."""

    queue: Byte = 8
    local_share: Byte = 2
    link_attempts: Byte = 4
    hop_limit: Annotated[int, Field(ge=1, le=254)] = 32
    neighbors: Byte = 32

    @model_validator(mode="after")
    def _share_fits(self) -> "NodeSection":
        if self.local_share > self.queue:
            raise ValueError(f"local_share ({self.local_share}) must not exceed queue ({self.queue})")
        return self


class RoutingSection(Section):
    """The collection tree (thesis 2.3.2), or parents that the scenario names itself.

    `parents` (static only) has one entry per node in the topology's order: the name of its parent; the
    sink's own entry is the sink.
    """

    kind: Literal["tree", "static"] = "tree"
    beacon_period_s: Annotated[float, Field(ge=0.1, le=134)] = 10.0
    pin: bool = True
    parents: list[NodeName] | None = None

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


class TimeSection(Section):
    """Simulated seconds: routes form, then traffic runs and everything is counted (thesis 5.2)."""

    settle_s: Annotated[float, Field(ge=0, le=LONGEST_S)] = 120.0
    measure_s: Annotated[float, Field(ge=0.001, le=LONGEST_S)] = 240.0


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
    radio: RadioSection = RadioSection()
    mac: MacSection = MacSection()
    node: NodeSection = NodeSection()
    routing: RoutingSection = RoutingSection()
    congestion: CongestionSection = CongestionSection()
    traffic: TrafficSection = PeriodicTraffic()
    application: ApplicationSection = ApplicationSection()
    faults: FaultsSection = FaultsSection()
    time: TimeSection = TimeSection()
    axes: dict[str, list[AxisValue]] = Field(default_factory=dict[str, list[AxisValue]])

    _folder: Path | None = PrivateAttr(default=None)

    @field_validator("traffic", mode="before")
    @classmethod
    def _traffic_is_periodic_unless_it_says_otherwise(cls, traffic: object) -> object:
        if not isinstance(traffic, dict):
            return traffic
        return {"kind": "periodic", **cast(dict[str, object], traffic)}

    @field_validator("axes")
    @classmethod
    def _axes_have_values(cls, axes: dict[str, list[AxisValue]]) -> dict[str, list[AxisValue]]:
        for key, values in axes.items():
            if not values:
                raise ValueError(f'"{key}" has no values')
        return axes

    @model_validator(mode="after")
    def _gains_come_from_one_place(self) -> "Scenario":
        if not isinstance(self.topology, GainFileTopology):
            return self
        used = {"noise_floor_dbm", "interference_cutoff_db"}
        changed = set(self.channel.model_dump(exclude_defaults=True)) - used
        if changed:
            raise ValueError(
                f"channel.{min(changed)} has no effect: the gain file already holds path loss, shadowing "
                "and hardware variance"
            )
        return self

    @model_validator(mode="after")
    def _some_routes_need_a_tree(self) -> "Scenario":
        if self.routing.kind != "tree" and isinstance(self.traffic, FanInTraffic | DutyCycleTraffic):
            raise ValueError(
                f'traffic.kind = "{self.traffic.kind}" decides who offers routes, which only routing.kind = '
                '"tree" heeds'
            )
        return self

    @model_validator(mode="after")
    def _failures_happen(self) -> "Scenario":
        if self.faults.failing != 0 and self.faults.at_s >= self.time.measure_s:
            raise ValueError(
                f"faults.at_s ({self.faults.at_s:g}) must be less than time.measure_s "
                f"({self.time.measure_s:g}), or nothing fails"
            )
        return self

    @model_validator(mode="after")
    def _paces_can_be_counted(self) -> "Scenario":
        if self.application.adaptation != "aimd" or isinstance(self.traffic, EventTraffic):
            return self
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
