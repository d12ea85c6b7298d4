"""Which nodes carry the others' traffic: the rule on graphs drawn by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from penstock.backbone import USABLE_PRR, backbone
from penstock.topology.check import CONNECTED_PRR, shape
from penstock.topology.network import Floats, Ints

Graph = dict[tuple[int, int], float]


def columns(graph: Graph) -> tuple[Ints, Ints, Floats]:
    """Links of the same quality both ways."""
    pairs = [(a, b, prr) for (a, b), prr in graph.items()] + [(b, a, prr) for (a, b), prr in graph.items()]
    src, dst, prr = (list(column) for column in zip(*pairs, strict=True)) if pairs else ([], [], [])
    return np.array(src, dtype=np.int32), np.array(dst, dtype=np.int32), np.array(prr, dtype=np.float64)


def chosen(nodes: int, graph: Graph, members: int, sink: int = 0) -> list[int]:
    return backbone(nodes, sink, *columns(graph), members)


def test_the_node_that_lets_most_in_goes_first() -> None:
    #        3
    #      /
    # 0 - 1 - 4       2 is the sink's neighbour too, but reaches nobody new
    #  \ /  \ 5
    #   2
    graph = {(0, 1): 1.0, (0, 2): 1.0, (1, 2): 1.0, (1, 3): 1.0, (1, 4): 1.0, (1, 5): 1.0}
    assert chosen(6, graph, 1) == [1]


def test_it_stays_connected_though_a_hub_is_further_out() -> None:
    # 0 - 1 - 2 - {3, 4, 5}: the hub 2 can only follow 1.
    graph = {(0, 1): 1.0, (1, 2): 1.0, (2, 3): 1.0, (2, 4): 1.0, (2, 5): 1.0}
    assert chosen(6, graph, 2) == [1, 2]


def test_poor_links_let_nobody_in() -> None:
    # 1 hears four nodes poorly, 2 hears two well.
    graph = {(0, 1): 1.0, (0, 2): 1.0, (2, 7): 0.9, (2, 8): 0.9}
    graph |= {(1, node): USABLE_PRR - 0.01 for node in (3, 4, 5, 6)}
    assert chosen(9, graph, 1) == [2]


def test_one_way_links_count_for_nothing() -> None:
    src, dst, prr = columns({(0, 1): 1.0, (0, 2): 1.0, (2, 6): 1.0})
    src = np.concatenate([src, np.array([1, 1, 1], dtype=np.int32)])
    dst = np.concatenate([dst, np.array([3, 4, 5], dtype=np.int32)])
    assert backbone(7, 0, src, dst, np.concatenate([prr, np.ones(3)]), 1) == [2]


def test_among_equals_the_cheaper_paths_win_and_then_the_order() -> None:
    graph = {(0, 1): 1.0, (0, 2): 1.0, (1, 3): 0.6, (2, 3): 0.9}
    assert chosen(4, graph, 1) == [2]
    assert chosen(4, graph | {(1, 3): 0.9}, 1) == [1]


def test_members_left_over_shorten_the_longest_paths() -> None:
    # Everyone is the sink's neighbour; 4's link to it is poor but usable, and 3 has good ones to both.
    graph = {(0, 1): 1.0, (0, 2): 1.0, (0, 3): 1.0, (0, 4): 0.5, (3, 4): 1.0}
    assert chosen(5, graph, 1) == [3]


def test_where_good_links_end_connected_ones_go_on() -> None:
    graph = {(0, 1): 1.0, (1, 2): CONNECTED_PRR + 0.1, (2, 3): 1.0}
    assert chosen(4, graph, 3) == [1, 2, 3]


def test_what_is_out_of_reach_is_not_chosen() -> None:
    assert chosen(4, {(0, 1): 1.0, (2, 3): 1.0}, 3) == [1]
    assert chosen(3, {}, 2) == []


@given(
    st.integers(2, 12),
    st.integers(1, 12),
    st.dictionaries(st.tuples(st.integers(0, 11), st.integers(0, 11)), st.floats(0.01, 1.0), max_size=60),
)
def test_every_backbone_is_connected_and_free_of_the_sink(nodes: int, members: int, links: Graph) -> None:
    graph = {(a, b): prr for (a, b), prr in links.items() if a < b < nodes}
    src, dst, prr = columns(graph)
    found = backbone(nodes, 0, src, dst, prr, members)
    assert len(found) == len(set(found)) <= members
    assert 0 not in found
    inside = np.isin(np.arange(nodes), [0, *found])
    seen = shape(nodes, 0, src, dst, prr, inside)
    assert np.all(seen.depth[inside] >= 0)
    reachable = int(np.sum(shape(nodes, 0, src, dst, prr).depth > 0))
    assert len(found) == min(members, reachable), "it only ends early where nobody is left"
