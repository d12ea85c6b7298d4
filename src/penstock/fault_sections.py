"""The keys of `[faults]`: nodes that stop, links that lose frames for a while, routes that change."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from penstock.model import NodeName, NotNegative, Positive, Section

LATEST_S = 1e5

Direction = Literal["one", "both"]


class LinkLoss(Section):
    """One entry of `[[faults.link_loss]]`: a link that loses frames, whatever the channel is like.

    From `from_s` to `to_s` after the beginning of the measurement, each frame of `sender` that `receiver`
    would have received is dropped with probability `loss` before its MAC sees it. It was on air like any
    other, and nobody acknowledges it. `directions = "both"`: frames of `receiver` to `sender` as well,
    acknowledgements among them.

    After Flush, section 4.5: the link layer of one hop drops each packet with a probability of 50 % between 7
    and 17 s.
    """

    sender: NodeName
    receiver: NodeName
    from_s: NotNegative = 0.0
    to_s: Positive
    loss: Annotated[float, Field(gt=0, le=1)]
    directions: Direction = "one"

    @model_validator(mode="after")
    def _makes_sense(self) -> "LinkLoss":
        if self.to_s <= self.from_s:
            raise ValueError(f"to_s ({self.to_s:g}) must be after from_s ({self.from_s:g})")
        if str(self.sender) == str(self.receiver):
            raise ValueError(f"sender and receiver are the same node, {self.sender}")
        return self


class Reroute(Section):
    """One entry of `[[faults.reroute]]`: `at_s` after the beginning of the measurement `node` takes `parent`
    for its next hop, and keeps it whatever the routing finds later (Flush, section 4.5: a node's next hop is
    changed, and with it the whole way from there). A frame that its MAC holds still goes to the old one."""

    node: NodeName
    parent: NodeName
    at_s: Annotated[float, Field(ge=0, le=LATEST_S)]

    @model_validator(mode="after")
    def _goes_elsewhere(self) -> "Reroute":
        if str(self.node) == str(self.parent):
            raise ValueError(f"node {self.node} cannot be its own parent")
        return self


class FaultsSection(Section):
    """What goes wrong in a run.

    Nodes may stop for good: radio off, application silent, what they hold is lost ("node_down"). `failing` is
    how many, a share of the nodes besides the sink (below 1), or which nodes; how many or what share means
    nodes drawn for each seed, never the sink. `at_s`: when, counted from the beginning of the measurement.
    Under `routing.pin` nobody looks for another parent.

    `link_loss` and `reroute` are lists of tables: links that lose frames in intervals (LinkLoss), and nodes
    whose next hop changes at a moment (Reroute).
    """

    failing: (
        Annotated[int, Field(ge=0)]
        | Annotated[float, Field(gt=0, lt=1)]
        | Annotated[list[NodeName], Field(min_length=1)]
    ) = 0
    at_s: Annotated[float, Field(ge=0, le=LATEST_S)] = 0.0
    link_loss: list[LinkLoss] = Field(default_factory=list[LinkLoss])
    reroute: list[Reroute] = Field(default_factory=list[Reroute])

    def check_within(self, measure_s: float) -> None:
        """Raises ValueError for what does not happen within a measurement of `measure_s`."""
        if self.failing != 0 and self.at_s >= measure_s:
            raise ValueError(
                f"faults.at_s ({self.at_s:g}) must be less than time.measure_s ({measure_s:g}), or nothing "
                "fails"
            )
        for at, loss in enumerate(self.link_loss):
            if loss.to_s > measure_s:
                raise ValueError(
                    f"faults.link_loss.{at}.to_s ({loss.to_s:g}) lies beyond time.measure_s ({measure_s:g})"
                )
        for at, change in enumerate(self.reroute):
            if change.at_s >= measure_s:
                raise ValueError(
                    f"faults.reroute.{at}.at_s ({change.at_s:g}) lies beyond time.measure_s ({measure_s:g})"
                )
