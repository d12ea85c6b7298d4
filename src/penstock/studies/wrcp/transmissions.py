"""Γ: how many transmissions a packet costs on its way to the parent (section 5).

The recursion there counts data frames and acknowledgements. An attempt whose frame is lost costs one; one
whose frame arrives costs two, whether its acknowledgement arrives or not; only then is the packet across:

    Γ = (1 + Γ)(1 - p_f) + (2 + Γ) p_f (1 - p_r) + 2 p_f p_r, hence Γ = (1 + p_f) / (p_f p_r).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from penstock.topology.check import reverse
from penstock.topology.network import Floats


def expected(forward: Floats, back: Floats) -> Floats:
    """Γ of links that deliver frames with probability `forward` and acknowledgements with `back`; infinite
    where either is 0."""
    with np.errstate(divide="ignore"):
        return np.where((forward > 0) & (back > 0), (1.0 + forward) / (forward * back), np.inf)


def expected_by_link(nodes: int, links: Mapping[str, NDArray[Any]]) -> dict[tuple[int, int], float]:
    """Γ of every directed link of an unloaded network.

    links: of `_engine.link_prr`: `src`, `dst` (indices) and `prr`. An acknowledgement is taken to get through
    like any frame of the link's other direction.
    """
    forward = np.asarray(links["prr"])
    if not forward.size:
        return {}
    gammas = expected(forward, reverse(nodes, links["src"], links["dst"], forward))
    return {
        (int(src), int(dst)): float(gamma)
        for src, dst, gamma in zip(links["src"], links["dst"], gammas, strict=True)
    }


COUNTED = pl.when(pl.col("acked").sum() > 0).then(
    (pl.col("transmissions").sum() + pl.col("receptions").sum()) / pl.col("acked").sum()
)
"""Γ as it was, over some links (columns `transmissions`, `receptions`, `acked` of `Results.links`): data
frames sent, and the acknowledgements that those which arrived were answered with, over packets that were
acknowledged. Null where none was."""
