"""The sections that say what the nodes do: `[traffic]`, one model per kind, so that a key of another kind is
an error, `[application]` and `[records]`.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from penstock.flow_sections import FlowsTraffic
from penstock.model import NodeName, Section, Share

SLOWEST_PPS = 1e-5
LONGEST_GAP_S = 1e5
SHORTEST_SAMPLE_S = 0.01
LONGEST_PACE_S = 1000.0
"""The library's clock compares moments that are less than 18 minutes apart."""


def _countable(rate: float) -> float:
    if 0 < rate < SLOWEST_PPS:
        raise ValueError(
            f"{rate!r} should be 0 or at least {SLOWEST_PPS:g}, one packet in {1 / SLOWEST_PPS:,.0f} s"
        )
    return rate


Rate = Annotated[float, Field(ge=0, le=1000), AfterValidator(_countable)]
Members = Annotated[int, Field(ge=1)] | Annotated[list[NodeName], Field(min_length=1)]
"""How many nodes, or which."""


class PeriodicBase(Section):
    """Readings at a steady rate, from a random phase on.

    With `rate_spread` s above 1 sources differ: each one's rate is drawn per seed, log-uniformly between
    rate_pps / s and rate_pps * s. So `rate_pps` is their geometric mean; the arithmetic mean is higher, by a
    factor of (s - 1/s) / (2 ln s).
    """

    rate_pps: Rate = 1.0
    rate_spread: Annotated[float, Field(ge=1, le=1000)] = 1.0

    @model_validator(mode="after")
    def _every_rate_can_be_counted(self) -> "PeriodicBase":
        if 0 < self.rate_pps < SLOWEST_PPS * self.rate_spread:
            raise ValueError(
                f"rate_spread ({self.rate_spread:g}) leaves sources with less than {SLOWEST_PPS:g} packets/s "
                f"at rate_pps = {self.rate_pps:g}"
            )
        return self


class PeriodicTraffic(PeriodicBase):
    """The periodic workload (thesis 5.3): every node but the sink is a source and forwards for others."""

    kind: Literal["periodic"] = "periodic"


class FanInTraffic(PeriodicBase):
    """The high fan-in workload (thesis 5.4): every node but the sink is a source, but only `gateways` nodes
    besides the sink advertise routes; among them, nodes choose by ETX as ever.

    `gateways` is a list of nodes, or how many: then they are chosen for each seed from the unloaded network,
    by the rule of penstock.backbone.
    """

    kind: Literal["fan_in"] = "fan_in"
    gateways: Members = 10


class EventTraffic(Section):
    """The correlated-event workload (thesis 5.5): at each event every node but the sink makes `event_size`
    packets at once, and its application offers them as fast as the stack takes them.

    Events come every `period_s`, the first one right after the measurement has begun. Each node's clock is
    wrong by an amount drawn per seed: `clock_error_share` of the nodes uniformly within `clock_error_s`, the
    others between that and `clock_error_max_s`, early or late. The thesis measured 91 % within 29 ms and all
    within 56 ms. Packets that still wait in the application when the next event comes are lost there.
    """

    kind: Literal["event"] = "event"
    event_size: Annotated[int, Field(ge=1, le=255)] = 1
    period_s: Annotated[float, Field(ge=0.001, le=LONGEST_GAP_S)] = 20.0
    clock_error_s: Annotated[float, Field(ge=0, le=LONGEST_GAP_S)] = 0.029
    clock_error_share: Share = 0.91
    clock_error_max_s: Annotated[float, Field(ge=0, le=LONGEST_GAP_S)] = 0.056

    @model_validator(mode="after")
    def _errors_fit(self) -> "EventTraffic":
        if self.clock_error_s > self.clock_error_max_s:
            raise ValueError(
                f"clock_error_s ({self.clock_error_s:g}) must not exceed clock_error_max_s "
                f"({self.clock_error_max_s:g})"
            )
        if self.clock_error_max_s >= self.period_s / 2:
            raise ValueError(
                f"clock_error_max_s ({self.clock_error_max_s:g}) must be less than half of period_s "
                f"({self.period_s:g}), or events run into each other"
            )
        return self


class DutyCycleTraffic(Section):
    """The power-saving workload (thesis 5.3.6): a `core` forwards and makes nothing; every other node but the
    sink is a leaf that sends `rate_pps` packets/s and sleeps `sleep_fraction` of each period.

    `core` is a list of nodes, or how many: then they are chosen as fan_in chooses its gateways. A leaf makes
    its reading, sends it and falls asleep as soon as nothing is left to send; it wakes up when
    `sleep_fraction` of the period has passed, forgets its congestion state, and listens until the next
    reading. While it still has something to send at the moment to wake up, it does not sleep in that period,
    and forgets nothing. Sleep begins with the measurement: routes form among nodes that are awake. Beacons of
    a sleeping node are late. 0 is the control: leaves that never sleep and never forget. The thesis varies
    the fraction and names no value; the default is half.
    """

    kind: Literal["duty_cycle"] = "duty_cycle"
    core: Members = 10
    rate_pps: Rate = 1.0
    sleep_fraction: Annotated[float, Field(ge=0, lt=1)] = 0.5


class NoTraffic(Section):
    """Nobody makes readings: a network for bulk transfers alone (Flush, section 2: "isolation")."""

    kind: Literal["none"] = "none"


Traffic = NoTraffic | PeriodicTraffic | FanInTraffic | EventTraffic | DutyCycleTraffic | FlowsTraffic
TrafficSection = Annotated[Traffic, Field(discriminator="kind")]


class ApplicationSection(Section):
    """What an application does when its stack refuses a packet (thesis 4.6).

    wait: it offers the packet again as soon as there is room. aimd: it offers packets at a rate of its own,
    which begins at the offered one, gains `aimd_increase_pps` with each packet that the stack takes and falls
    to `aimd_decrease` of itself with each refusal, but never below one packet in `aimd_longest_s`. Either way
    readings are made at the offered rate, and one that finds the application's buffer taken is refused.

    The thesis names AIMD and gives no numbers. Halving is TCP's; an increase of 0.05 packets/s takes about
    ten packets to regain what a refusal takes at 1 packet/s; a minute is a pause after which trying again
    costs next to nothing.
    """

    adaptation: Literal["wait", "aimd"] = "wait"
    aimd_increase_pps: Annotated[float, Field(ge=1e-6, le=1000)] = 0.05
    aimd_decrease: Annotated[float, Field(ge=0.004, le=0.996)] = 0.5
    aimd_longest_s: Annotated[float, Field(ge=0.001, le=LONGEST_PACE_S)] = 60.0


class RecordsSection(Section):
    """What is kept of a run beside its tables.

    `sample_s`: every so many seconds of the measurement, the length of each node's queue, how many of its
    packets have arrived, and the rate that its strategy allows it; 0: nothing. `shown`: the nodes whose
    series the report draws; unless given, up to four sources, from the nearest to the sink to the farthest.
    `log_bulk`: each link attempt of a bulk packet, with the node's queue and delays, and each arrival.
    """

    sample_s: Annotated[float, Field(ge=0, le=LONGEST_GAP_S)] = 0.0
    shown: list[NodeName] = Field(default_factory=list[NodeName])
    log_bulk: bool = False

    @field_validator("sample_s")
    @classmethod
    def _samples_are_apart(cls, sample_s: float) -> float:
        if 0 < sample_s < SHORTEST_SAMPLE_S:
            raise ValueError(f"{sample_s!r} should be 0 (no series) or at least {SHORTEST_SAMPLE_S:g} s")
        return sample_s
