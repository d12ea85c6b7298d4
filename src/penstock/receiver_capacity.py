"""The receiver-capacity model of WRCP (sections 2, 4.1 and 4.3-4.6): what each flow of a collection tree
takes of each node's capacity to receive.

A node i can hear B_i packets per second, whoever sends them. All it hears counts: what it sends itself, what
its children send it, and what its other neighbours send to somebody else. With N_i the node and its
neighbours, C_j the subtree below node j with j itself, and r_k the rate of source k, Eq. 1 says

    sum over j in N_i of sum over k in C_j of r_k  <=  B_i        for every node i.

A packet that reaches i from a child and is sent on by i counts twice, since the radio does one thing at a
time; one that goes on through further nodes in i's earshot counts for each of them. So the coefficient of
source k in node i's constraint is the number of i's neighbours, i itself among them, that its path visits.
The sink is left out of these sums, though it is in its children's N_i: it sends nothing on, and Eq. 2 leaves
it out too. As a receiver, it has a constraint like everybody.

Links that lose frames enter in two ways. Each packet of node j costs its number of transmissions until one
is acknowledged, since Eq. 8 counts retransmissions with the rest; and node i hears of them the share p_ji, as
Eq. 4 weighs both rates and flows (its own it has in full). The coefficient becomes the sum of p_ji times
transmissions of j over the nodes j of the path. `heard_by` and `transmissions` of all ones give Eq. 1 back.

>>> import numpy as np
>>> chain = np.array([-1, 0, 1])                # 2 -> 1 -> 0, the sink
>>> heard = neighbourhood(3, np.array([0, 1, 1, 2]), np.array([1, 0, 2, 1]), np.ones(4))
>>> usage(chain, 0, heard, np.ones(3)).astype(int).tolist()
[[0, 1, 1], [0, 1, 2], [0, 1, 2]]
"""

from collections.abc import Sequence

import numpy as np

from penstock.topology.network import Floats, Ints


class BadTree(ValueError):
    """Parents that are no collection tree. node: index of the node that shows it. fault: what is wrong with
    it, to be read after the node's name."""

    def __init__(self, node: int, fault: str) -> None:
        super().__init__(f"node {node} {fault}")
        self.node, self.fault = node, fault


def neighbourhood(
    nodes: int,
    src: Ints,
    dst: Ints,
    prr: Floats,
    *,
    least: float = 0.0,
    weighted: bool = True,
    parents: Ints | None = None,
) -> Floats:
    """(N, N) heard_by: row i, column j is the share of node j's frames that node i hears; 1 on the diagonal.

    src, dst, prr: (L,) directed links with the rate at which frames get through. Links below `least` do not
    count, unless they lead to a node's parent: parents (N,), where given. weighted: links count with their
    rate (Eq. 4), else as 1, "within its communication range" (Eq. 1).
    """
    heard = np.zeros((nodes, nodes))
    near = prr >= least
    if parents is not None:
        near |= parents[src] == dst
    near &= prr > 0
    heard[dst[near], src[near]] = prr[near] if weighted else 1.0
    np.fill_diagonal(heard, 1.0)
    return heard


def expected_transmissions(forward: Floats, back: Floats, acknowledgements: bool = False) -> Floats:
    """Transmissions until a packet and the acknowledgement of the same attempt both get through, at least
    once each, without a limit on attempts: 1 / (forward * back), infinite where one of them never does.

    forward, back: the shares of data frames and of acknowledgements that get through.
    acknowledgements: counts the frames that the receiver answers with too, (1 + forward) / (forward * back):
    the Γ of WRCP section 5, which is 2 on a perfect link. Eq. 8 and the capacities do not count them (a
    saturated channel's packets per second have their acknowledgements in them already), so the constraints
    go without.
    """
    frames = 1.0 + forward if acknowledgements else np.ones(np.shape(forward))
    both = np.asarray(forward * back, dtype=np.float64)
    return np.divide(frames, both, out=np.full(both.shape, np.inf), where=both > 0)


def paths(parents: Ints, sink: int) -> Floats:
    """(N, N) row j, column k is 1 where node j sends packets of source k: j lies on the way from k to the
    sink. The sink's row is zero, and the columns of nodes whose way does not lead to the sink.

    parents: (N,) index of each node's next hop; -1 for none, and the sink's own does not matter.
    Raises BadTree for an index that is no node, and for a loop; ValueError for a sink that is no node.
    """
    count = len(parents)
    if not 0 <= sink < count:
        raise ValueError(f"the sink {sink} is none of the {count} nodes")
    if ((parents < -1) | (parents >= count)).any():
        at = int(np.flatnonzero((parents < -1) | (parents >= count))[0])
        raise BadTree(at, f"has the parent {parents[at]}, which is none of the {count} nodes")
    sent = np.zeros((count, count))
    for source in range(count):
        way: list[int] = []
        at = source
        while at not in (sink, -1):
            way.append(at)
            if len(way) > count:
                raise BadTree(source, "goes round in a loop")
            at = int(parents[at])
        if at == sink:
            sent[way, source] = 1.0
    return sent


def usage(parents: Ints, sink: int, heard_by: Floats, transmissions: Floats) -> Floats:
    """(N, N) row i, column k: what one packet per second of source k takes of node i's capacity.

    parents: as in `paths`. heard_by: (N, N) as `neighbourhood` gives it. transmissions: (N,) how often each
    node sends a packet until its parent has it; of a node that sends none (the sink) it does not matter.
    Raises BadTree and ValueError as `paths` does, and BadTree for a node on a way to the sink whose parent it
    never reaches.
    """
    sent = paths(parents, sink)
    senders = sent.any(axis=1)
    lost = np.flatnonzero(senders & ~np.isfinite(transmissions))
    if lost.size:
        at = int(lost[0])
        raise BadTree(at, "gets nothing through to its parent and an acknowledgement back")
    cost = np.where(senders, transmissions, 0.0)
    return heard_by @ (cost[:, None] * sent)


def senders_in_range(sent: Floats, heard_by: Floats) -> Ints:
    """(N,) how many nodes of each node's receiver domain send data: "all transmitting nodes within range,
    including itself" (section 2). sent: (N, S) what each node sends of S sources (see `paths`)."""
    sends = np.asarray(sent > 0).any(axis=1)
    return np.count_nonzero(heard_by[:, np.flatnonzero(sends)], axis=1).astype(np.int32)


def capacities(table: float | Sequence[float], senders: Ints) -> Floats:
    """(N,) B_i in packets/s: one number for all, or by the number of senders in range (section 4.3).

    table: entry n - 1 is the saturation throughput with n senders; the last one holds for more, since the
    curve of Fig. 4 is flat from there on. senders: (N,); a node with none in range gets the first entry,
    which nothing uses.
    Raises ValueError for an empty table and for an entry that is not a positive finite number.
    """
    entries = np.atleast_1d(np.asarray(table, dtype=np.float64))
    if entries.ndim != 1 or not entries.size:
        raise ValueError("the capacity table is empty or not a list of numbers")
    wrong = np.flatnonzero(~(np.isfinite(entries) & (entries > 0)))
    if wrong.size:
        raise ValueError(f"a capacity is {entries[wrong[0]]:g} but should be a positive number of packets/s")
    return entries[np.clip(senders, 1, entries.size) - 1]
