"""The metrics of an experiment run, from the engine's counts. No metric is computed anywhere else.

Sources: the Fusion thesis, section 3.4 with Table 3.1 (Eqs. 3.1-3.3) and section 5.3. Everything covers the
measured part of a run. NaN means undefined (a latency when nothing arrived), infinity means infinite (the
report period of nodes that never got through).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from penstock.topology.network import Floats

Columns = Mapping[str, NDArray[Any]]
COVERAGE_LEVELS = (100, 95, 90, 75, 50, 25, 10)
"""Rows of thesis Table 5.2, in percent of the nodes."""
STARVED_SHARE = 0.1
"""A source is starved when less than this share of its offered load arrives (thesis 3.1)."""


class Records(Protocol):
    """The part of the engine's records that metrics are made of: columns of nodes, links and packets."""

    @property
    def nodes(self) -> Columns: ...
    @property
    def links(self) -> Columns: ...
    @property
    def packets(self) -> Columns: ...


@dataclass(frozen=True)
class Workload:
    """What was asked of the network.

    sources: (N,) bool, the nodes that offer traffic to the end of the run; one that fails is none, though
    its packets count wherever packets are counted. sink: its index. measure_s: length of the measurement in
    seconds. packet_bits: bits of one data packet as the MAC carries it, header to FCS (the thesis's 36
    bytes).
    """

    sources: NDArray[np.bool_]
    sink: int
    measure_s: float
    packet_bits: int


@dataclass(frozen=True)
class Metric:
    """title: for tables and axes. unit: "" for a ratio. by_inverse: averaged over seeds as 1/x, since x may
    be infinite (see penstock.statistics)."""

    title: str
    unit: str = ""
    by_inverse: bool = False


METRICS: dict[str, Metric] = {
    "efficiency": Metric("Efficiency η"),
    "imbalance": Metric("Imbalance ζ, median node"),
    "imbalance_p90": Metric("Imbalance ζ, 90th percentile", by_inverse=True),
    "fairness": Metric("Fairness φ"),
    "max_min_fairness": Metric("Max-min fairness"),
    "throughput_pps": Metric("Throughput at the sink", "packets/s"),
    "median_node_throughput_pps": Metric("Median node throughput", "packets/s"),
    "latency_s": Metric("Latency, median packet", "s"),
    "report_latency_s": Metric("Latency from the reading on, median packet", "s"),
    "latency_p95_s": Metric("Latency, 95th percentile", "s"),
    "channel_loss_rate": Metric("Channel loss rate"),
    "buffer_drop_rate": Metric("Buffer drops per received packet"),
    "delivery_ratio": Metric("Delivery ratio"),
    "starved_fraction": Metric("Starved share of the sources"),
    **{
        f"coverage_{p}_s": Metric(f"Report period that {p} % of nodes achieve", "s", by_inverse=True)
        for p in COVERAGE_LEVELS
    },
    "bits_per_joule": Metric("Delivered bits per joule", "bit/J"),
    "bits_per_transmit_joule": Metric("Delivered bits per joule of transmission", "bit/J"),
    "energy_j": Metric("Radio energy, all nodes", "J"),
    "radio_duty_cycle": Metric("Radio duty cycle, mean node"),
    "transmissions": Metric("Data transmissions", "frames"),
    "mean_hops": Metric("Hops of a delivered packet, mean", "hops"),
    "delivered": Metric("Delivered packets", "packets"),
    "generated": Metric("Generated packets", "packets"),
}
"""Every metric of a run by its name in summary.json, in the order of tables."""


def run_metrics(records: Records, workload: Workload) -> dict[str, float]:
    """All METRICS of one run.

    - efficiency: hops of the delivered packets over data transmissions, retries included (Eq. 3.1).
    - imbalance, imbalance_p90: over the nodes that received anything to forward (Eq. 3.2).
    - fairness: Jain's index of the sources' delivery rates (Eq. 3.3).
    - max_min_fairness: Jain's index of what each source gets over its max-min share of the same total.
    - latency: from the moment the stack took the packet from the application to its arrival at the sink
      ("from the application-level transmit time", 5.3.4). How long a reading waited for that is not in it: an
      application that waits would send a fresh one.
    - report_latency_s: from the moment the application made the reading, its own waiting included.
    - channel_loss_rate: 1 - intact receptions / transmissions on links (5.3.5).
    - buffer_drop_rate: packets dropped for want of room over new packets received (5.3.5, Fig. 5-12).
    - bits_per_joule: bits of the packets delivered at the sink over the radio energy of all nodes, the sink
      included (3.1, Fig. 3-1). A packet counts with its whole MAC frame, as the thesis counts 36-byte
      packets.
    - bits_per_transmit_joule: the same over the energy spent radiating. A radio that always listens spends
      the same whatever it sends, so bits per joule of all of it is throughput by another name; Fig. 3-1
      falls where Fig. 5-6 rises, so it must have been drawn from what sending costs.
    - energy_j: of all radios, the sink's included.
    - radio_duty_cycle: share of the time that a radio is not powered down, mean over the nodes but the sink.
    """
    nodes, packets = records.nodes, records.packets
    sources = workload.sources
    arrived = packets["delivered_ns"] >= 0
    hops = packets["hops"][arrived].astype(np.float64)
    waits = (packets["delivered_ns"][arrived] - packets["admitted_ns"][arrived]) * 1e-9
    ages = (packets["delivered_ns"][arrived] - packets["generated_ns"][arrived]) * 1e-9
    rates = nodes["delivered"][sources] / workload.measure_s
    offered = nodes["generated"][sources]
    delivered, generated = _total(nodes["delivered"]), _total(nodes["generated"])
    transmissions, receptions = _total(nodes["transmissions"]), _total(nodes["receptions"])
    no_room = _total(nodes["drop_queue_full"]) + _total(nodes["drop_acked_then_dropped"])
    forwarded = node_imbalance(records, workload.sink)
    forwarded = forwarded[~np.isnan(forwarded)]
    values = {
        "efficiency": _ratio(float(hops.sum()), transmissions),
        "imbalance": _quantile(forwarded, 0.5),
        "imbalance_p90": _ranked(forwarded, 0.9),
        "fairness": jain(rates),
        "max_min_fairness": max_min_fairness(rates, offered / workload.measure_s),
        "throughput_pps": delivered / workload.measure_s,
        "median_node_throughput_pps": _quantile(rates, 0.5),
        "latency_s": _quantile(waits, 0.5),
        "report_latency_s": _quantile(ages, 0.5),
        "latency_p95_s": _quantile(waits, 0.95),
        "channel_loss_rate": 1.0 - _ratio(receptions, transmissions),
        "buffer_drop_rate": _ratio(no_room, _total(nodes["received"])),
        "delivery_ratio": _ratio(delivered, generated),
        "starved_fraction": _starved(nodes["delivered"][sources], offered),
        "bits_per_joule": _ratio(delivered * workload.packet_bits, _total(nodes["energy_j"])),
        "bits_per_transmit_joule": _ratio(delivered * workload.packet_bits, _total(nodes["energy_tx_j"])),
        "energy_j": _total(nodes["energy_j"]),
        "radio_duty_cycle": _duty_cycle(nodes["time_sleep_s"], workload),
        "transmissions": transmissions,
        "mean_hops": float(hops.mean()) if hops.size else float("nan"),
        "delivered": delivered,
        "generated": generated,
    }
    values |= {f"coverage_{percent}_s": coverage_period(rates, percent) for percent in COVERAGE_LEVELS}
    return {name: float(values[name]) for name in METRICS}


def node_imbalance(records: Records, sink: int) -> Floats:
    """(N,) packets received at a node over packets its parents received from it (Eq. 3.2).

    The two sides count differently, after the caption of Fig. 3-5: a packet that the channel lost or that the
    parent's queue dropped at once was not received by the parent, so the denominator is `accepted` of the
    node's links. The numerator is `received`, all that came in from the children, before the node's own
    queue: otherwise what a hotspot's full queue drops would vanish from its imbalance (Fig. 5-3).

    NaN for the sink and for a node that received nothing to forward; infinite when it received something and
    nothing came through. Own packets of a node count in the denominator, as in the thesis.
    """
    received = records.nodes["received"].astype(np.float64)
    received[sink] = 0
    links = records.links
    onward = np.bincount(
        links["src"].astype(np.int64),
        weights=links["accepted"],
        minlength=len(received),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(received > 0, received / onward, np.nan)


def jain(rates: Floats) -> float:
    """Jain's fairness index (Eq. 3.3): 1 for equal rates, 1/N when one node has all, NaN for none."""
    return _ratio(float(rates.sum()) ** 2, rates.size * float(np.square(rates).sum()))


def max_min_fairness(rates: Floats, demands: Floats) -> float:
    """How close the delivered rates are to the max-min fair division of their own sum under the demands:
    Jain's index of rate over share. 1 when each source gets its share, for equal demands fairness itself.

    rates, demands: (S,) packets/s. Sources without a demand do not count; NaN when nothing was delivered.
    """
    asked = demands > 0
    shares = max_min_shares(float(rates.sum()), demands[asked])
    return jain(rates[asked] / shares) if rates.sum() > 0 else float("nan")


def max_min_shares(total: float, demands: Floats) -> Floats:
    """(S,) the max-min fair division of `total` under positive demands: nobody gets more than asked for, and
    who gets less gets as much as anybody (water-filling)."""
    shares = np.zeros(demands.size)
    left = min(total, float(demands.sum()))
    for done, source in enumerate(np.argsort(demands, kind="stable")):
        shares[source] = min(demands[source], left / (demands.size - done))
        left -= shares[source]
    return shares


def coverage_period(rates: Floats, percent: float) -> float:
    """The report period in seconds that at least `percent` of the nodes achieve (thesis Table 5.2).

    rates: (S,) packets/s delivered at the sink by each source. Infinite when that many nodes do not report.
    """
    if not rates.size:
        return float("nan")
    slowest = np.sort(rates)[::-1][int(np.ceil(percent / 100 * rates.size)) - 1]
    return float("inf") if slowest == 0 else 1.0 / float(slowest)


def check_conservation(records: Records) -> None:
    """Raises ValueError unless every generated packet has exactly one fate.

    Each packet is queued (0), delivered (1) or dropped (2); a reason goes with a drop and with nothing else;
    a time of arrival goes with a delivery; no packet appears twice; the counts per node agree with the
    packets.
    """
    packets, nodes = records.packets, records.nodes
    fate = packets["fate"]
    count = len(nodes["generated"])
    _require(np.isin(fate, (0, 1, 2)), packets, "has no known fate")
    _require((packets["reason"] != 0) == (fate == 2), packets, "has a drop reason that its fate denies")
    _require((packets["delivered_ns"] >= 0) == (fate == 1), packets, "has an arrival that its fate denies")
    in_order = (packets["generated_ns"] <= packets["admitted_ns"]) & (
        packets["admitted_ns"] <= packets["delivered_ns"]
    )
    _require((fate != 1) | in_order, packets, "arrived before it was sent, or was sent before it was made")
    origin = packets["origin"].astype(np.int64)
    names = (origin << 32) | packets["seq"].astype(np.int64)
    if np.unique(names).size != names.size:
        raise ValueError("a packet is listed twice")
    for column, of in (("generated", origin), ("delivered", origin[fate == 1])):
        if not np.array_equal(np.bincount(of, minlength=count), nodes[column]):
            raise ValueError(f"the nodes' {column} counts differ from the packets'")


def _require(holds: NDArray[np.bool_], packets: Columns, fault: str) -> None:
    bad = np.flatnonzero(~holds)
    if bad.size:
        at = int(bad[0])
        raise ValueError(f"packet {packets['seq'][at]} of node {packets['origin'][at]} {fault}")


def _starved(delivered: NDArray[Any], offered: NDArray[Any]) -> float:
    asked = offered > 0
    return float(np.mean(delivered[asked] < STARVED_SHARE * offered[asked])) if asked.any() else float("nan")


def _duty_cycle(asleep_s: NDArray[Any], workload: Workload) -> float:
    others = np.delete(asleep_s, workload.sink)
    return float(1.0 - np.mean(others) / workload.measure_s) if others.size else float("nan")


def _total(column: NDArray[Any]) -> float:
    return float(column.sum(dtype=np.float64))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _quantile(values: Floats, q: float) -> float:
    """Interpolated quantile; NaN of nothing. The median of two infinities is infinite."""
    if not values.size:
        return float("nan")
    return float(np.median(values)) if q == 0.5 else float(np.quantile(values, q))


def _ranked(values: Floats, q: float) -> float:
    """The smallest value that at least a share q of the values do not exceed; safe with infinities."""
    return float(np.quantile(values, q, method="inverted_cdf")) if values.size else float("nan")
