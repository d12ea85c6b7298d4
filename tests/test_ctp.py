"""CTP's collection tree in scenarios, and how good trees are."""

from pathlib import Path

import numpy as np
import pytest

import penstock
from penstock import BadInput
from penstock.receiver_capacity import BadTree
from penstock.results import Results
from penstock.scenario_file import load_scenario
from penstock.stretch import path_etx, tree_quality
from small import small

OFFICE = [
    "congestion.control=none",
    "traffic.rate_pps=0.2",
    "seeds=2",
    "time.measure_s=300",
    "routing.kind=ctp",
]
TELOS = [*OFFICE, "mac.kind=ieee802154"]


def run(repo: Path, scenario: str, changes: list[str], jobs: int = 1) -> Results:
    return penstock.run(load_scenario(repo / "scenarios" / scenario, changes), jobs=jobs)


def links(*each: tuple[int, int, float]) -> dict[str, np.ndarray]:
    src, dst, prr = zip(*each, strict=True)
    return {"src": np.array(src, np.int32), "dst": np.array(dst, np.int32), "prr": np.array(prr)}


def test_path_etx_by_hand() -> None:
    """0 is the sink. 1 has 1/(0.5*0.8) = 2.5 to it; 2 pays 1 more; the link of 3 delivers a tenth: none."""
    here = links((1, 0, 0.5), (0, 1, 0.8), (2, 1, 1.0), (1, 2, 1.0), (3, 0, 0.1), (0, 3, 0.1))
    found = path_etx(here, np.array([-1, 0, 1, 0, -1], np.int32), 0)
    assert found.tolist() == pytest.approx([0.0, 2.5, 3.5, np.inf, np.inf])
    with pytest.raises(BadTree):
        path_etx(here, np.array([-1, 2, 1, 0, -1], np.int32), 0)


def test_a_tree_without_choice_is_the_best() -> None:
    """A line of four in which everybody hears everybody: all send to the sink."""
    near = {"kind": "line", "nodes": 4, "spacing_m": 2.0}
    results = penstock.run(small(topology=near, routing={"kind": "ctp"}, axes={}), jobs=1)
    quality = tree_quality(results)
    assert quality.columns == ["seed", "path_etx", "least_path_etx", "stretch", "without_way"]
    assert quality["stretch"].to_list() == pytest.approx([1.0, 1.0])
    assert quality["without_way"].to_list() == [0, 0]
    assert penstock.tree_quality is tree_quality


def test_axes_are_columns_like_those_of_the_runs() -> None:
    near = {"kind": "line", "nodes": 4, "spacing_m": 2.0}
    axes = {"routing.kind": ["tree", "ctp"], "traffic.rate_pps": [0.5, 1.0]}
    results = penstock.run(small(topology=near, axes=axes), jobs=1)
    quality = tree_quality(results)
    keys = ["routing.kind", "traffic.rate_pps", "seed"]
    assert quality.select(keys).sort(keys).equals(results.runs.select(keys).sort(keys))
    assert quality["stretch"].to_list() == pytest.approx([1.0] * 8)


def test_data_makes_a_good_tree(repo: Path) -> None:
    """On the grid of Telos motes, where load is low, CTP's tree comes near the best once there is data."""
    results = run(repo, "telos-grid.toml", [*TELOS, "routing.pin=false"])
    quality = tree_quality(results)
    assert quality["stretch"].max() < 1.25
    assert quality["without_way"].sum() <= 1
    assert results.runs["delivery_ratio"].min() > 0.95


@pytest.mark.parametrize(("scenario", "changes"), [("office55.toml", OFFICE), ("telos-grid.toml", TELOS)])
def test_a_pinned_tree_needs_both_directions(repo: Path, scenario: str, changes: list[str]) -> None:
    inbound = tree_quality(run(repo, scenario, changes))
    both = tree_quality(run(repo, scenario, [*changes, "routing.beacon_links=both"]))
    assert both["without_way"].sum() == 0
    assert both["without_way"].sum() < inbound["without_way"].sum()
    assert both["stretch"].max() < 2.0


def test_the_tree_stays_when_pinned(repo: Path) -> None:
    """What is measured does not move it: another load, the same parents. Not pinned it does move."""
    loads = ["traffic.rate_pps=[0.1, 1.0]", "time.measure_s=60", "seeds=1"]
    for pin in (True, False):
        nodes = run(repo, "office55.toml", [*OFFICE, *loads, f"routing.pin={str(pin).lower()}"]).nodes
        low, high = (part["parent_node"].to_list() for part in nodes.partition_by("traffic.rate_pps"))
        assert (low == high) == pin


def test_same_seed_same_bytes_whatever_the_jobs(repo: Path) -> None:
    changes = [*OFFICE, "routing.pin=false", "time.measure_s=60"]
    one, two = (run(repo, "office55.toml", changes, jobs).nodes for jobs in (1, 2))
    assert one.equals(two)


def test_the_numbers_matter(repo: Path) -> None:
    """Beacons every second or faster make another tree than ones that slow down to minutes."""
    trees = {
        tuple(
            run(repo, "telos-grid.toml", [*TELOS, "seeds=1", "time.measure_s=1", *keys]).nodes["parent_node"]
        )
        for keys in ([], ["routing.beacon_max_s=1"], ["routing.switch_etx=0"], ["routing.beacon_min_s=4"])
    }
    assert len(trees) >= 3


@pytest.mark.parametrize(
    ("routing", "message"),
    [
        ({"beacon_min_s": 1.0}, 'beacon_min_s belongs to kind = "ctp"'),
        (
            {"kind": "static", "parents": [1, 1, 2, 3], "switch_etx": 2.0},
            'switch_etx belongs to kind = "ctp"',
        ),
        ({"beacon_links": "both"}, 'beacon_links belongs to kind = "ctp"'),
        ({"kind": "ctp", "beacon_period_s": 5.0}, 'beacon_period_s belongs to kind = "tree"'),
        ({"kind": "ctp", "beacon_min_s": 9.0, "beacon_max_s": 8.0}, r"beacon_min_s \(9\) must not exceed"),
        ({"kind": "ctp", "beacon_max_s": 600.0}, "beacon_max_s"),
        ({"kind": "ctp", "beacon_links": "outbound"}, "beacon_links"),
        ({"kind": "ctp", "parents": [1, 1, 2, 3]}, "parents belong"),
    ],
)
def test_bad_input(routing: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small(routing=routing)


def test_no_finished_run(repo: Path) -> None:
    results = penstock.run(small(axes={}, seeds=1), jobs=1)
    empty = results.nodes.clear()
    with pytest.raises(BadInput, match="no finished run"):
        tree_quality(Results(**{**vars(results), "nodes": empty}))
