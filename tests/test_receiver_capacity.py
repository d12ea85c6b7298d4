"""The receiver-capacity model on WRCP's own example and on trees small enough to do by hand."""

import doctest
import math

import numpy as np
import pytest

from penstock import receiver_capacity as module
from penstock.max_min import HELD_BY_DEMAND, max_min
from penstock.receiver_capacity import (
    capacities,
    expected_transmissions,
    neighbourhood,
    paths,
    senders_in_range,
    usage,
)

INF = np.inf


def heard(nodes: int, *pairs: tuple[int, int], **options: object) -> np.ndarray:
    """Who hears whom, without loss and both ways."""
    both = np.array([pair for a, b in pairs for pair in ((a, b), (b, a))], dtype=np.int32).reshape(-1, 2)
    return neighbourhood(nodes, both[:, 0], both[:, 1], np.ones(len(both)), **options)


def lossless(parents: list[int], *further: tuple[int, int]) -> np.ndarray:
    """The usage of a tree, node 0 the sink, whose links lose nothing; `further`: who hears whom beside it."""
    links = [(node, parent) for node, parent in enumerate(parents) if parent >= 0]
    nodes = len(parents)
    return usage(np.array(parents, np.int32), 0, heard(nodes, *links, *further), np.ones(nodes))


def test_module_examples() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("seven_and_eight", [(1, 1), (1, 7), (8, 1)])
def test_eight_nodes_of_figure_3(seven_and_eight: tuple[int, int]) -> None:
    """Eq. 2: r_2^tot + r_3^tot + r_4 + r_5 <= B_2 with r_2^tot = r_2 + r_4 + r_5 and r_3^tot = r_3 + r_6.

    2 and 3 send to 1, which sends nothing (Eq. 2 has no r_1, though 2 must hear its parent's frames); 4 and 5
    to 2, 6 to 3; 2 hears 3. The text does not say where 7 and 8 are: neither below 2 nor 3, nor heard by 2.
    """
    parents = dict(zip(range(2, 9), (1, 1, 2, 2, 3, *seven_and_eight), strict=True))
    links = [(node - 1, parent - 1) for node, parent in parents.items()]
    tree = np.array([-1, *(parent - 1 for parent in parents.values())], dtype=np.int32)
    use = usage(tree, 0, heard(8, *links, (1, 2)), np.ones(8))
    r1, r2, r3, r4, r5, r6, r7, r8 = use[1]
    assert (r2, r3, r6) == (1, 1, 1)
    assert (r4, r5) == (2, 2), "half-duplex: once into node 2 and once out of it"
    assert (r1, r7, r8) == (0, 0, 0)


def test_single_bottleneck() -> None:
    """Three sources round the sink, all in range of each other: every constraint is r1 + r2 + r3 <= B."""
    use = lossless([-1, 0, 0, 0], (1, 2), (1, 3), (2, 3))
    assert use.tolist() == [[0, 1, 1, 1]] * 4
    assert max_min(use[:, 1:], np.full(4, 9.0)).rates == pytest.approx([3, 3, 3])


CHAIN_AND_ONE = [-1, 0, 1, 2, 0]
"""3 -> 2 -> 1 -> 0, and 4 -> 0 on the other side; nobody hears any other."""


def test_bottlenecks_at_different_depths() -> None:
    """Node 2 hears r1+r2+r3 from its parent, sends r2+r3 and hears r3 from its child: r1 + 2 r2 + 3 r3 <= 12
    gives 2 each. Of the sink's 12 the chain takes 6, so node 4 has 6."""
    use = lossless(CHAIN_AND_ONE)
    assert use[:, 1:].tolist() == [[1, 1, 1, 1], [1, 2, 2, 0], [1, 2, 3, 0], [0, 1, 2, 0], [0, 0, 0, 1]]
    found = max_min(use[:, 1:], np.full(5, 12.0))
    assert found.rates == pytest.approx([2, 2, 2, 6])
    assert found.held_by.tolist() == [2, 2, 2, 0]


def test_a_demand_below_its_share_leaves_the_rest_to_others() -> None:
    """The same tree, and node 3 asks for 1 only: r1 + 2 r2 + 3 <= 12 gives 3 each; the sink has 5 left."""
    found = max_min(lossless(CHAIN_AND_ONE)[:, 1:], np.full(5, 12.0), np.array([INF, INF, 1.0, INF]))
    assert found.rates == pytest.approx([3, 3, 1, 5])
    assert found.held_by.tolist() == [2, 2, HELD_BY_DEMAND, 0]


def test_losses_cost_retransmissions_and_weak_neighbours_hear_less() -> None:
    """1 -> 0 with 0.5 there and 0.8 back; 2 -> 0 perfect. Node 2 hears a quarter of 1's frames, 1 all of 2's.

    A packet of 1 takes 2.5 transmissions. The sink hears 1.25 of them, node 2 0.625, node 1 all.
    """
    src, dst = np.array([1, 0, 2, 0, 1, 2]), np.array([0, 1, 0, 2, 2, 1])
    prr = np.array([0.5, 0.8, 1.0, 1.0, 0.25, 1.0])
    parents = np.array([-1, 0, 0])
    cost = np.array([INF, *expected_transmissions(prr[[0, 2]], prr[[1, 3]])])
    assert cost[1:] == pytest.approx([2.5, 1.0])
    weighted = usage(parents, 0, neighbourhood(3, src, dst, prr), cost)
    assert weighted[:, 1:] == pytest.approx(np.array([[1.25, 1], [2.5, 1], [0.625, 1]]))
    plain = usage(parents, 0, neighbourhood(3, src, dst, prr, weighted=False), cost)
    assert plain[:, 1:] == pytest.approx(np.array([[2.5, 1]] * 3))
    far = usage(parents, 0, neighbourhood(3, src, dst, prr, least=0.6), cost)
    assert far[:, 1:] == pytest.approx(np.array([[0, 1], [2.5, 1], [0, 1]]))
    kept = usage(parents, 0, neighbourhood(3, src, dst, prr, least=0.6, parents=parents), cost)
    assert kept[:, 1:] == pytest.approx(np.array([[1.25, 1], [2.5, 1], [0, 1]])), "a parent hears its child"


def test_transmissions_with_acknowledgements_are_the_papers_gamma() -> None:
    """Section 5: the recursion that it solves, and 2 on a perfect link."""
    forward, back = np.array([1.0, 0.5, 0.3, 0.7]), np.array([1.0, 0.8, 0.9, 0.0])
    gamma = expected_transmissions(forward, back, acknowledgements=True)
    assert gamma[0] == 2.0
    assert gamma[3] == math.inf
    f, r, g = forward[:3], back[:3], gamma[:3]
    assert g == pytest.approx((1 + g) * (1 - f) + (2 + g) * f * (1 - r) + 2 * f * r)


def test_capacity_by_the_number_of_senders() -> None:
    """Table of Fig. 4's kind; the sink does not send, a leaf that is no source neither."""
    parents, hears = np.array([-1, 0, 0, 1]), heard(4, (0, 1), (0, 2), (1, 3), (1, 2))
    sent = paths(parents, 0)[:, [1, 3]]  # 2 has nothing to send
    assert sent.tolist() == [[0, 0], [1, 1], [0, 0], [0, 1]]
    assert senders_in_range(sent, hears).tolist() == [1, 2, 1, 2]
    assert capacities([100.0, 80.0], np.array([0, 1, 2, 7])).tolist() == [100, 100, 80, 80]
    assert capacities(30.0, np.array([1, 5])).tolist() == [30, 30]


@pytest.mark.parametrize("table", [[], [90.0, 0.0], [-1.0], [math.nan], math.inf, 0.0, [[90.0]]])
def test_capacities_that_are_none(table: object) -> None:
    with pytest.raises(ValueError, match=r"capacity table is empty|should be a positive number"):
        capacities(table, np.array([1]))


def test_nodes_without_a_way_take_nothing() -> None:
    use = lossless([-1, 0, -1, 2], (1, 2))
    assert use.tolist() == [[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("parents", "sink", "words"),
    [
        ([-1, 2, 1], 0, "node 1 goes round in a loop"),
        ([-1, 1], 0, "node 1 goes round in a loop"),
        ([-1, 5], 0, "node 1 has the parent 5"),
        ([-1, -2], 0, "node 1 has the parent -2"),
        ([-1, 0], 2, "the sink 2 is none of the 2 nodes"),
    ],
)
def test_what_is_no_tree(parents: list[int], sink: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        paths(np.array(parents), sink)


def test_a_parent_out_of_reach() -> None:
    with pytest.raises(ValueError, match="node 1 gets nothing through to its parent"):
        usage(np.array([-1, 0]), 0, np.eye(2), np.array([1.0, INF]))
