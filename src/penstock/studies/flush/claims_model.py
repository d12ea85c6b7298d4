"""What the paper states of its idealised pipeline (2.3.1)."""

from collections.abc import Callable

from penstock.studies.claim import Claim, Computed
from penstock.studies.flush import pipeline
from penstock.studies.flush.paper import PIPELINE_NODES, PIPELINE_REACH

DRAWN = (("a", 1, 1), ("b", 2, 1), ("c", 3, 1), ("d", 4, 2))
"""Fig. 2: panel, nodes, interference range."""


def agreeing() -> float:
    """Share of the pairs (N, I) in which the slotted pipeline has exactly the formula's rate."""
    pairs = [(nodes, reach) for nodes in PIPELINE_NODES for reach in PIPELINE_REACH]
    return sum(pipeline.rate(*pair) == pipeline.formula(*pair) for pair in pairs) / len(pairs)


def _interval(nodes: int, reach: int) -> Callable[[], float]:
    return lambda: float(1 / pipeline.rate(nodes, reach))


MODEL: tuple[Claim, ...] = (
    Claim(
        "flush.pipeline",
        "Without losses N nodes, each disturbing those up to I hops away, carry r(N, I) = 1/min(N, 2 + I) "
        "packets a slot",
        "2.3.1, Fig. 2",
        "exactly",
        (
            Computed(
                f"share of {len(PIPELINE_NODES) * len(PIPELINE_REACH)} pairs (N, I) with exactly that rate",
                "2.3.1",
                "1",
                *(1.0, 1.0),
                value=agreeing,
            ),
            *(
                Computed(
                    f"slots between packets, N = {nodes}, I = {reach}",
                    "Fig. 2",
                    str(min(nodes, 2 + reach)),
                    *(min(nodes, 2 + reach), min(nodes, 2 + reach)),
                    value=_interval(nodes, reach),
                )
                for _, nodes, reach in DRAWN
            ),
        ),
    ),
)
