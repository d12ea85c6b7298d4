"""The sections that say what the nodes do: `[traffic]`, one model per kind, so that a key of another kind is
an error, `[application]` and `[faults]`.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from penstock.model import NodeName, Section, Share

SLOWEST_PPS = 1e-5
LONGEST_GAP_S = 1e5


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


Traffic = PeriodicTraffic | FanInTraffic | EventTraffic
TrafficSection = Annotated[Traffic, Field(discriminator="kind")]
