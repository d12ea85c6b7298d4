"""The paper's idealised pipeline (2.3.1), slot by slot, without its formula.

N nodes in a line before a base station; time in slots. A packet that node N sends in one slot is sent by node
N - 1 in the next, and so on: nodes forward as soon as they can. A node sends one packet in a slot and hears
its neighbours only. What it sends disturbs what arrives at any node up to I hops away, itself included, since
nobody receives while sending.

Packets are let in one by one, each in the first slot from which its whole way is free of collisions with
those that are under way. How many a slot that makes in the long run is the rate r(N, I).
"""

from fractions import Fraction

PACKETS = 64
"""Enough for any pattern of so few slots to come back many times."""


def rate(nodes: int, reach: int) -> Fraction:
    """Packets a slot that `nodes` nodes carry, each disturbing those up to `reach` hops away."""
    starts: list[int] = [0]
    while len(starts) < PACKETS:
        slot = starts[-1] + 1
        while any(_collide(before, slot, nodes, reach) for before in starts):
            slot += 1
        starts.append(slot)
    return Fraction(PACKETS - 1, starts[-1] - starts[0])


def formula(nodes: int, reach: int) -> Fraction:
    """The paper's r(N, I)."""
    return Fraction(1, min(nodes, 2 + reach))


def _collide(first: int, second: int, nodes: int, reach: int) -> bool:
    """Whether two packets that node N sends in these slots meet anywhere on their way."""
    for slot in range(max(first, second), min(first, second) + nodes):
        one, other = nodes - (slot - first), nodes - (slot - second)  # who sends each of them in this slot
        if abs(one - (other - 1)) <= reach or abs(other - (one - 1)) <= reach:
            return True
    return False
