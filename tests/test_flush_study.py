"""The Flush study from end to end in its reduced form: every experiment for a moment.

What it measures says nothing about Flush; that it measures the same as yesterday, and that every claim,
figure and table finds its data, is what is tested here. A change that is meant rewrites the golden tables:

    .venv/bin/python -m pytest tests/test_flush_study.py --update-golden
"""

import csv
import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import penstock
from penstock.studies import find_study
from penstock.studies.claim import Check, Computed
from penstock.studies.flush import footprint, paper, pipeline, traces, world
from penstock.studies.flush.experiments import EXPERIMENTS
from penstock.studies.reproduce import Reproduction, redraw, reproduce

GOLDEN = Path(__file__).parent / "golden"
ASKED = (
    *("pipeline", "no-fixed-rate", "tracks", "overhead", "transmissions", "transfer-phase", "time-breakdown"),
    *("steady", "forced-loss", "route-change", "long-path", "one-hop-80", "stop-and-wait", "image"),
)
COLUMNS = ("completion_s", "overall_Bps", "transfer_loss_rate", "transmissions_per_hop", "queue_drops")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study") / "flush"


@pytest.fixture(scope="module")
def made(folder: Path) -> Reproduction:
    return reproduce("flush", "reduced", folder)


def golden(name: str, rows: list[dict[str, str]], update: bool) -> list[dict[str, str]]:
    path = GOLDEN / name
    if update:
        write(path, rows)
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_claims_are_pinned(made: Reproduction, pytestconfig: pytest.Config) -> None:
    rows = [
        {
            "id": judged.claim.id,
            "part": part.check.statement,
            "measured": part.measured,
            "finding": part.verdict,
            "verdict": judged.verdict,
        }
        for judged in made.judged
        for part in judged.parts
    ]
    assert rows == golden("flush-claims.csv", rows, bool(pytestconfig.getoption("--update-golden")))


def test_metrics_are_pinned(made: Reproduction, pytestconfig: pytest.Config) -> None:
    rows = [
        {
            "experiment": key,
            "axes": json.dumps({axis: row[axis] for axis in results.axes}),
            **{name: "" if row.get(name) is None else f"{row[name]:.6g}" for name in COLUMNS},
        }
        for key, (results, _) in made.results.items()
        for row in results.runs.filter(seed=1).iter_rows(named=True)
    ]
    assert rows == golden("flush-metrics.csv", rows, bool(pytestconfig.getoption("--update-golden")))


def test_every_claim_and_figure_that_was_asked_for_is_there(made: Reproduction) -> None:
    assert [claim.id for claim in made.study.claims] == [f"flush.{word}" for word in ASKED]
    numbers = {figure.source.split()[1] for figure in made.study.figures}
    assert numbers == {*map(str, (7, *range(9, 20), 21)), "8a", "8b"}
    assert "is not drawn" not in (made_report(made))


def made_report(made: Reproduction) -> str:
    from penstock.report.study import render_study

    return render_study(made)


def test_every_transfer_brought_the_same_bytes(made: Reproduction) -> None:
    """4: "complete reliability", across all trials. A run that is over before its transfer is told apart."""
    for key, (results, _) in made.results.items():
        if not results.transfers.is_empty():
            ended = results.transfers.filter(pl.col("outcome") != "running")
            assert ended.height, key
            assert ended["same_bytes"].all(), key
            assert (ended["outcome"] == "done").all(), key


def test_quick_and_full_runs_have_every_point_that_a_claim_asks_for() -> None:
    study = find_study("flush")
    for effort in ("quick", "full"):
        grids = {each.key: (each.scenario(effort), each.x) for each in study.experiments}
        for claim in study.claims:
            for sample in claim.samples:
                scenario, x = grids[sample.experiment]
                assert scenario is not None, sample
                assert sample.at in scenario.axes.get(x, [scenario.node.link_attempts]), (claim.id, sample)
                assert sample.strategy == scenario.congestion.control
                assert all(value in scenario.axes[key] for key, value in sample.where), (claim.id, sample)


def test_claims_have_ranges_that_make_sense() -> None:
    for claim in find_study("flush").claims:
        for part in claim.parts:
            assert isinstance(part, Check | Computed), claim.id
            assert part.low <= part.high, (claim.id, part)
            if isinstance(part, Check):
                assert (part.versus is None) == (part.pairing == "value"), (claim.id, part)


@pytest.mark.parametrize("reach", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("nodes", range(1, 11))
def test_the_slotted_pipeline_has_the_papers_rate(nodes: int, reach: int) -> None:
    assert pipeline.rate(nodes, reach) == Fraction(1, min(nodes, 2 + reach))


def test_packets_that_meet_in_the_pipeline() -> None:
    """Fig. 2: two nodes take turns; a third hears the first one through the second."""
    assert pipeline.rate(2, 1) == Fraction(1, 2)
    assert pipeline.rate(2, 7) == Fraction(1, 2)  # no packet is far enough behind to be disturbed
    assert pipeline.rate(9, 7) == Fraction(1, 9)


@pytest.mark.parametrize(("place", "scenario"), [("indoor", "flush-indoor"), ("line", "flush-line")])
def test_the_study_and_the_scenarios_are_of_the_same_world(repo: Path, place: str, scenario: str) -> None:
    there = penstock.load_scenario(repo / "scenarios" / f"{scenario}.toml")
    here = next(each for each in EXPERIMENTS if each.key == place).scenario("full")
    assert here is not None
    for section in ("topology", "channel", "radio", "routing", "time"):
        if section != "time":
            assert getattr(here, section) == getattr(there, section), section
    assert here.node == there.node
    ours, theirs = (each.mac.model_dump(exclude={"max_frame_bytes"}) for each in (here, there))
    assert ours == theirs
    assert here.mac.max_frame_bytes == there.mac.max_frame_bytes + 1  # our headers are a byte longer


def test_ways_go_from_the_sink_to_the_farthest_node() -> None:
    for place, hops in (("indoor", 7), ("line", 48)):
        way, parents = world.way(place), world.parents(place)
        assert len(way) == hops + 1
        assert all(parents[node - 1] == nexthop for nexthop, node in pairwise(way))
    old, new = world.way("indoor"), world.detour()
    assert new not in old
    assert world.parents("indoor")[new - 1] not in old[2:]


def test_numbers_of_a_run_are_those_of_its_transfer(made: Reproduction) -> None:
    results, _ = made.results["indoor"]
    for run in results.runs.iter_rows(named=True):
        same = (pl.col(name) == run[name] for name in (*results.axes, "seed"))
        one = results.transfers.filter(*same).row(0, named=True)
        assert run["hops"] == one["hops"]
        assert run["transmissions_per_hop"] == pytest.approx(one["transmissions"] / one["hops"])
        assert run["transfer_pps"] == pytest.approx(one["arrived_first"] / one["transfer_s"])
        shares = ("query_share", "transfer_share", "ack_share", "check_share")
        assert sum(run[share] for share in shares) == pytest.approx(1.0)
        assert run["completion_s"] == pytest.approx(sum(one[f"{s.removesuffix('_share')}_s"] for s in shares))


def test_the_best_fixed_interval_is_that_with_the_greatest_mean(made: Reproduction) -> None:
    results, _ = made.results["indoor-fixed"]
    means = results.runs.group_by(world.SOURCE, world.INTERVAL).agg(pl.col("overall_pps").mean())
    for (place,), rows in results.runs.group_by(world.SOURCE):
        best = means.filter(pl.col(world.SOURCE) == place).sort("overall_pps")[world.INTERVAL][-1]
        assert set(rows["best_interval_s"]) == {best}
        for seed, told in rows.select("seed", "best_overall_pps").iter_rows():
            mine = rows.filter(pl.col(world.INTERVAL) == best, seed=seed)["overall_pps"].item()
            assert told == pytest.approx(mine)


def log(*rows: tuple[float, str, int, bool, int]) -> pl.DataFrame:
    names = ["time_s", "node", "index", "acked", "queue"]
    return pl.DataFrame(rows, schema=names, orient="row")


def test_rates_are_over_the_last_packets_that_were_acknowledged() -> None:
    rows = [(0.02 * i, "7", i, True, 1) for i in range(20)]
    rows += [(0.02 * i + 0.01, "7", i, False, 1) for i in range(20)]
    times, rate = traces.rates(log(*rows), "7", 0.0, 1.0)
    assert times == pytest.approx([0.32, 0.34, 0.36, 0.38])
    assert rate == pytest.approx([50.0] * 4)
    assert traces.rates(log(*rows[:10]), "7", 0.0, 1.0)[0].size == 0
    assert traces.packets_between(log(*rows), "7", 0.11, 0.31) == pytest.approx(10 / 0.2)
    assert traces.packets_between(log(*rows), "7", 0.3, 0.3) is None


def test_the_longest_queue_is_of_all_nodes_that_a_packet_passed() -> None:
    """But of the source, 9: packets wait there for their turn."""
    rows = log(
        *((0.0, "9", 0, True, 7), (0.1, "8", 0, False, 4), (0.2, "8", 0, True, 3), (0.3, "7", 0, True, 1)),
        *((0.4, "9", 1, True, 7), (0.5, "8", 1, True, 1), (0.6, "7", 1, True, 2)),
    )
    run = traces.Run((1,), rows, ["9", "8", "7"], 0.0, 1.0)
    assert np.array_equal(traces.longest_queue(run), [4.0, 2.0])


def test_the_paper_adds_up() -> None:
    """Its sums, and "a 15 % protocol overhead penalty"."""
    assert sum(ram for _, ram, _ in paper.TABLE_1) == paper.TABLE_1_TOTAL[0]
    assert sum(code for _, _, code in paper.TABLE_1) == paper.TABLE_1_TOTAL[1]
    assert pytest.approx(0.15) == paper.HEADER_SHARE


def test_tables_are_rectangular_and_filled(made: Reproduction) -> None:
    tables = {section.key: section.table(made.results) for section in made.study.sections}
    for key, table in tables.items():
        assert table is not None, key
        assert table.rows, key
        assert all(len(row) == len(table.head) for row in table.rows), key


def test_drawing_again_needs_the_stored_results_alone(made: Reproduction, folder: Path) -> None:
    before = (folder / "report.html").read_bytes()
    assert redraw(folder).as_json() == made.as_json()
    assert (folder / "report.html").read_bytes() == before


def test_table_1_has_the_numbers_of_the_footprint(repo: Path, pytestconfig: pytest.Config) -> None:
    found = footprint.read((repo / "docs" / "footprint.md").read_text(encoding="utf-8"))
    if pytestconfig.getoption("--update-golden"):
        rows = [
            {"part": part} | {name: str(size) for name, size in row.items()} for part, row in found.items()
        ]
        write(footprint.FILE, rows)
    assert footprint.ours() == found
    assert found["total"]["avr_ram"] == sum(row["avr_ram"] for part, row in found.items() if part != "total")
