"""A study small enough for tests: nine nodes, all kinds of figures, claims that need two experiments."""

import penstock
from penstock.report.look import STRATEGY_LOOKS
from penstock.results import Results
from penstock.scenario import Scenario
from penstock.studies.claim import INFINITE, Check, Claim, Greatest, Sample, more
from penstock.studies.figure import Axis, Curves, Figure, Line, Spread, TrafficMap
from penstock.studies.judge import judge_claim
from penstock.studies.reproduce import Reproduction
from penstock.studies.section import Loaded, Section, Table
from penstock.studies.study import Effort, Experiment, Study
from report_cases import NASTY
from small import small

CONTROL, LOAD = "congestion.control", "traffic.rate_pps"
ALL = tuple(name for name in STRATEGY_LOOKS if name not in ("ifrc", "wrcp"))
"""Those that the Mica2's 36-byte frames have room for."""
SHARE = (0.0, 1.0)


def _grid(name: str, **changes: object) -> Scenario:
    axes = {CONTROL: ["none", "rate", "fusion"], LOAD: [0.5, 4.0]}
    topology = {"kind": "grid", "nodes": 9, "columns": 3, "spacing_m": 5.0}
    fixed = {"topology": topology, "axes": axes, "seeds": 4, "confidence": 0.9}
    return small(**({"name": name} | fixed | changes))


def _periodic(effort: Effort) -> Scenario:
    return _grid("small-periodic", seeds=4 if effort == "quick" else 5)


def _crowded(effort: Effort) -> Scenario:
    return _grid("small-crowded", mac={"initial_backoff_bytes": 8})


def _absent(effort: Effort) -> Scenario:
    return _grid("small-absent", topology={"kind": "positions_file", "file": "not-there.txt", "sink": 1})


EXPERIMENTS = (
    Experiment("periodic", "Periodic workload (5.3)", LOAD, _periodic),
    Experiment("crowded", f"Short backoff {NASTY}", LOAD, _crowded),
    Experiment("absent", "A floor that is not there", LOAD, _absent, optional=True),
)


def at(strategy: str, metric: str, load: float = 4.0, experiment: str = "periodic") -> Sample:
    """A sample of this study."""
    return Sample(experiment, strategy, metric, load)


def value(of: Sample, low: float, high: float, below: bool = False) -> Check:
    """A check that `of` lies in [low, high], and at least above (or below) zero."""
    paper, side = f"{low:g} to {high:g}", "below" if below else "above"
    return Check(of, "a value", "5.1", paper, low, high, direction=side, pivot=0.0)


CLAIMS = (
    Claim(
        "small.delivers",
        f"Something arrives {NASTY}",
        "5.1, Fig. 5-1 and Fig. 5-10",
        "some",
        (value(at("none", "delivery_ratio", 0.5), 0.0, 1.0), value(at("fusion", "fairness"), 0.0, 1.0)),
    ),
    Claim("small.huge", "Throughput is enormous", "5.1, Fig. 5-2", "> 900",
          (value(at("none", "throughput_pps"), 900.0, INFINITE), value(at("none", "delivered"), 0, 1e9))),
    Claim("small.never", "Nothing is lost", "5.9", "0",
          (value(at("none", "channel_loss_rate"), -2.0, -1.0, below=True),
          Greatest((value(at("none", "fairness"), 5.0, 6.0), value(at("rate", "fairness"), 5.0, 6.0))))),
    Claim("small.beyond", "Two experiments together", "ours", "more",
          (more(at("none", "delivered"), at("none", "delivered", 4.0, "absent"), "both", "ours"),)),
)  # fmt: skip

NOTES = {"small.huge": f"Tried with {NASTY} & more."}


def _lines(metric: str) -> tuple[Line, ...]:
    return tuple(Line(name, name, metric) for name in ALL)


LOADS = Axis("Per-node offered load (packets/s)", (0.0, 4.2))
FIGURES: tuple[Figure, ...] = (
    Curves("loss", "Loss", "Fig. 3-1 top", "Two losses.", "periodic",
           (Line("wireless", "none", "channel_loss_rate"), Line("buffer", "none", "buffer_drop_rate")),
           LOADS, Axis("Loss rate", SHARE)),
    Curves("eta", f"Efficiency {NASTY}", "Fig. 5-1", "Useful hops.", "periodic", _lines("efficiency"),
           LOADS, Axis("Network efficiency η", (0.0, 0.01))),
    Curves("bits", "Energy", "Fig. 5-2", "Bits.", "periodic", _lines("bits_per_joule"), LOADS,
           Axis("Bits per joule", None, "log")),
    Spread("imbalance", "Imbalance", "Fig. 5-3", "Share of nodes.", "periodic", "imbalance",
           tuple((name, name, 4.0) for name in ALL), Axis("ζ", (0.1, 1000.0), "log"), Axis("Fraction", SHARE),
           complementary=False),
    TrafficMap("map-fusion", "Traffic", "Fig. 5-4", "One run.", "periodic", "fusion", 4.0),
    TrafficMap("map-none", "Traffic", "Fig. 5-5", "One run.", "periodic", "none", 4.0),
    Spread("heard", "Heard", "Fig. 5-7", "Share of nodes.", "periodic", "delivered_share",
           (("0.5 packets/s", "none", 0.5), ("4 packets/s", "none", 4.0)), Axis("Share received", SHARE),
           Axis("Fraction", SHARE), complementary=True),
    Curves("drops", "Lost", "Fig. 5-10", "Lost packets.", "crowded",
           tuple(Line(name, name, "delivery_ratio", True) for name in ALL), LOADS, Axis("Drop rate", SHARE)),
    Curves("none-such", "Elsewhere", "Fig. 6-1", "Nothing.", "absent", _lines("efficiency"), LOADS,
           Axis("η", SHARE)),
    TrafficMap("no-point", "Elsewhere", "Fig. 6-2", "Nothing.", "periodic", "none", 17.0),
)  # fmt: skip


def _table(loaded: Loaded) -> Table | None:
    return Table(("experiment", "runs"), tuple((key, str(r.runs.height)) for key, (r, _) in loaded.items()))


SECTIONS = (
    Section("runs", f"How many {NASTY}", "Runs of each experiment.", _table),
    Section("none", "What was not run", "It needs another.", lambda loaded: None),
)
STUDY = Study(
    "small",
    f"A small study {NASTY}",
    "Nobody, Nothing, 2004",
    EXPERIMENTS,
    CLAIMS,
    FIGURES,
    NOTES,
    SECTIONS,
    pictures=("Fig. 5-2", "Fig. 5-3"),
)


def loaded() -> dict[str, tuple[Results, str]]:
    """The experiments that can be run, from memory."""
    return {
        each.key: (penstock.run(each.scenario("quick")), each.x) for each in EXPERIMENTS if not each.optional
    }


def eleven_strategies() -> dict[str, tuple[Results, str]]:
    """All strategies there are at four loads."""
    ran = penstock.run(_grid("small-periodic", axes={CONTROL: list(ALL), LOAD: [0.5, 1.0, 2.0, 4.0]}))
    return {"periodic": (ran, LOAD), "crowded": (ran, LOAD)}


def judged(results: Loaded, study: Study = STUDY, effort: Effort = "quick") -> Reproduction:
    """The study with these results."""
    skipped = {each.key: f"no {NASTY}" for each in study.experiments if each.key not in results}
    return Reproduction(
        study, effort, results, skipped, tuple(judge_claim(claim, results) for claim in study.claims)
    )
