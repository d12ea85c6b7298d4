"""The keys of flows, `traffic.kind = "flows"`: sources that are active in given intervals."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from penstock.model import NodeName, NotNegative, Section

EVERYBODY = "all"


class FlowEntry(Section):
    """One entry of `traffic.flows`: one flow of each source that it names.

    `source`: a node, a list of nodes, or "all", which is every node but the sink. The flow is active from
    `start_s` to `stop_s`, counted from the beginning of the measurement; without `stop_s` until its end. With
    `rate_pps` packets are made at that rate, from a random phase on; without it the source is backlogged. It
    makes `packets` packets at most, and is complete when the last of these has arrived.
    """

    source: NodeName | Annotated[list[NodeName], Field(min_length=1)] = EVERYBODY
    start_s: NotNegative = 0.0
    stop_s: NotNegative | None = None
    rate_pps: Annotated[float, Field(ge=1e-5, le=1000)] | None = None
    packets: Annotated[int, Field(ge=1, le=100_000_000)] | None = None

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> "FlowEntry":
        if self.stop_s is not None and self.stop_s <= self.start_s:
            raise ValueError(f"stop_s ({self.stop_s:g}) must be after start_s ({self.start_s:g})")
        return self


class FlowsTraffic(Section):
    """Flows that come and go (WRCP 8.4, 8.5): `flows` lists them.

    A backlogged source always has a packet: it offers one whenever its stack takes one, so that congestion
    control alone decides the rate; the packet is made at that moment. When a flow ends, what its stack has
    not taken is not sent: a backlogged source has made nothing of it, a reading of a source with a rate is
    lost ("refused"). A node may have several flows, one after the other.

    `payload_bytes` is the length of every packet's payload. Unset, frames are as long as
    `mac.max_frame_bytes` whatever headers the strategy adds, and the payload is what is left.
    """

    kind: Literal["flows"] = "flows"
    flows: list[FlowEntry] = Field([FlowEntry()], min_length=1)
    payload_bytes: Annotated[int, Field(ge=1, le=100)] | None = None

    def lasts(self, measure_s: float) -> bool:
        """Whether every flow is active all through a measurement of `measure_s`."""
        return all(
            flow.start_s == 0 and flow.stop_s in (None, measure_s) and flow.packets is None
            for flow in self.flows
        )

    def check_within(self, measure_s: float) -> None:
        """Raises ValueError for a flow that lies beyond the measurement, which is `measure_s` long."""
        for at, flow in enumerate(self.flows):
            for key, value in (("start_s", flow.start_s), ("stop_s", flow.stop_s)):
                beyond = value is not None and (value > measure_s if key == "stop_s" else value >= measure_s)
                if beyond:
                    raise ValueError(
                        f"traffic.flows.{at}.{key} ({value:g}) lies beyond time.measure_s ({measure_s:g})"
                    )
