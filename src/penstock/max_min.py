"""The lexicographic max-min fair division of rates under linear constraints.

Of all rate vectors that the constraints allow, the one whose smallest rate is greatest; among those, the one
whose second smallest is greatest, and so on (WRCP section 4, after Bertsekas and Gallager, Data Networks,
6.5.2). It is unique, because the allowed vectors form a convex set.

It is found level by level. A linear programme raises the least rate of all flows that are still free as far
as it goes; that is the level. The price (dual value) of "this flow gets at least the level" then tells which
flows hold it there: a positive price means that the flow is at the level in every best solution, whatever the
solver chose for the others (complementary slackness). Those flows are settled, and the next level is about
the rest. The prices of a level's n free flows add up to 1, so at least one is 1/n or more and every level
settles a flow. A flow that can rise no further but whose price happens to be zero, as may be where several
limits meet, stays free and is settled by a later level at the same rate. So nothing hangs on whether two
computed rates are equal.

>>> import numpy as np
>>> found = max_min(np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.array([4.0, 10.0]))
>>> [round(float(rate), 6) for rate in found.rates], found.held_by.tolist()
([2.0, 2.0, 8.0], [0, 0, 1])
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from penstock.topology.network import Floats, Ints

RATE_TOLERANCE = 1e-6
"""Every rate is right within this share of itself."""
SOLVER_TOLERANCE = 1e-9
"""By how much HiGHS may miss a constraint or a price, where the largest coefficient of each constraint, and
what the level is expected to be, are 1. A thousandth of the above, since errors of the levels add up."""
LEAST_PRICE = 1e-6
"""A lower price counts as none. One flow of n has at least 1/n, so this does for a million flows."""
HELD_BY_DEMAND = -1


@dataclass(frozen=True)
class Allocation:
    """The max-min fair rates of F flows.

    rates: (F,) in the unit of the capacities.
    held_by: (F,) index of the constraint that keeps a flow from more; HELD_BY_DEMAND where it has all that it
        asked for. Where several constraints do at once, one of them.
    levels: how many linear programmes it took.
    """

    rates: Floats
    held_by: Ints
    levels: int


def max_min(usage: Floats, capacities: Floats, demands: Floats | None = None) -> Allocation:
    """The lexicographic max-min rates r with usage @ r <= capacities and 0 <= r <= demands.

    usage: (C, F) what one unit of a flow takes of each capacity; negative where it gives. capacities: (C,),
    finite. demands: (F,) the most that each flow wants, not negative; infinite (the default): all it can get.

    Raises ValueError for no flows, shapes that do not fit, numbers that are none, a negative demand,
    constraints that nothing meets, and a flow that nothing limits.
    """
    wanted = np.full(np.shape(usage)[-1] if np.ndim(usage) else 0, np.inf) if demands is None else demands
    usage, capacities, wanted = (np.asarray(a, dtype=np.float64) for a in (usage, capacities, wanted))
    _check(usage, capacities, wanted)
    # A capacity that no flow touches limits nobody; _check has seen that it is not negative.
    used = np.flatnonzero(usage.any(axis=1))
    largest = np.abs(usage[used]).max(axis=1, initial=0.0)
    rates, held_by, levels = _filled(usage[used] / largest[:, None], capacities[used] / largest, wanted)
    return Allocation(rates, _at(used, held_by), levels)


def _filled(rows: Floats, limits: Floats, wanted: Floats) -> tuple[Floats, NDArray[Any], int]:
    """(rates, index of the row that holds each flow or -1, levels)."""
    flows = len(wanted)
    rates = np.zeros(flows)
    held_by = np.full(flows, HELD_BY_DEMAND, dtype=np.int32)
    free = np.ones(flows, dtype=np.bool_)
    levels, level = 0, 0.0
    while free.any():
        left = limits - rows[:, ~free] @ rates[~free]
        said = np.flatnonzero(rows[:, free].any(axis=1))  # rows that say something of the free flows
        raised = _raised(rows[np.ix_(said, free)], left[said], wanted[free])
        level = max(level, raised.level)  # the rest can have what the settled ones have, but for rounding
        # Who has all that it asked for is settled too: of many equal demands, one would do for the price.
        met = wanted[free] <= level * (1 + SOLVER_TOLERANCE)
        holding = (raised.flow_prices > LEAST_PRICE) | met
        settled = np.flatnonzero(free)[holding]
        held_by[settled] = _at(said, np.where(met, HELD_BY_DEMAND, raised.held_by)[holding])
        rates[settled] = np.minimum(level, wanted[settled])
        free[settled] = False
        levels += 1
    return rates, held_by, levels


@dataclass(frozen=True)
class _Raised:
    """level: the greatest rate that all F free flows can have at once. flow_prices: (F,) what having at least
    that costs each. held_by: (F,) the row that most of this price comes from, -1: it is the demand."""

    level: float
    flow_prices: Floats
    held_by: NDArray[Any]


def _raised(rows: Floats, limits: Floats, wanted: Floats) -> _Raised:
    """One level. rows: (C, F) of the free flows alone; limits: (C,) what the settled flows have left."""
    count = len(wanted)
    unit = _expected(rows, limits, wanted)
    # Variables: the rates, then the level, in `unit`. Rows: the constraints, then level - rate <= 0.
    at_least = sparse.hstack([-sparse.eye_array(count), sparse.csr_array(np.ones((count, 1)))])
    constraints = sparse.hstack([sparse.csr_array(rows), sparse.csr_array((len(rows), 1))])
    solved: Any = cast(Any, optimize).linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=sparse.vstack([constraints, at_least]).tocsc(),
        b_ub=np.append(limits / unit, np.zeros(count)),
        bounds=np.vstack([np.column_stack([np.zeros(count), wanted / unit]), [-np.inf, np.inf]]),
        method="highs-ds",
        options={
            "primal_feasibility_tolerance": SOLVER_TOLERANCE,
            "dual_feasibility_tolerance": SOLVER_TOLERANCE,
        },
    )
    if solved.status == 2:
        raise ValueError("no rates meet all the constraints")
    if solved.status == 3:
        raise ValueError("the constraints limit nobody: rates could grow without end")
    if solved.status != 0:
        raise RuntimeError(f"HiGHS found no solution: {solved.message}")
    prices = -np.asarray(solved.ineqlin.marginals, dtype=np.float64)
    row_prices, flow_prices = prices[: len(rows)], prices[len(rows) :]
    # A flow's price is what its use of the rows costs, and the rest is the price of its demand.
    parts = np.vstack([row_prices[:, None] * rows, np.zeros(count)])
    parts[-1] = flow_prices - parts.sum(axis=0)
    dearest = parts.argmax(axis=0)
    held_by = np.where(dearest < len(rows), dearest, HELD_BY_DEMAND)
    return _Raised(float(solved.x[-1]) * unit, flow_prices, held_by)


def _expected(rows: Floats, limits: Floats, wanted: Floats) -> float:
    """What the level would be if all free flows had the same rate and none gave anything: a unit in which
    the level is about 1. Where that is nothing, the greatest limit."""
    taken = np.maximum(rows, 0.0).sum(axis=1)
    level = float(np.min(limits[taken > 0] / taken[taken > 0], initial=float(wanted.min())))
    if 0 < level < np.inf:
        return level
    greatest = float(np.abs(limits).max(initial=0.0))
    return greatest if greatest > 0 else 1.0


def _at(indices: NDArray[Any], where: NDArray[Any]) -> NDArray[Any]:
    """indices[where], and HELD_BY_DEMAND where `where` is negative."""
    if not indices.size:
        return where
    return np.where(where >= 0, indices[np.maximum(where, 0)], HELD_BY_DEMAND).astype(np.int32)


def _check(usage: Floats, capacities: Floats, wanted: Floats) -> None:
    if usage.ndim != 2 or capacities.ndim != 1 or wanted.ndim != 1:
        raise ValueError("usage must have two dimensions, capacities and demands one each")
    if len(wanted) == 0:
        raise ValueError("there are no flows to divide anything among")
    if usage.shape != (len(capacities), len(wanted)):
        raise ValueError(
            f"usage has shape {usage.shape}, which does not fit {len(capacities)} capacities and "
            f"{len(wanted)} demands"
        )
    if not np.isfinite(usage).all():
        raise ValueError("usage holds something that is not a finite number")
    if not np.isfinite(capacities).all():
        at = int(np.flatnonzero(~np.isfinite(capacities))[0])
        raise ValueError(f"capacity {at} is {capacities[at]:g} but should be a finite number")
    if not (wanted >= 0).all():
        at = int(np.flatnonzero(~(wanted >= 0))[0])
        raise ValueError(f"demand {at} is {wanted[at]:g} but should not be negative")
    hopeless = np.flatnonzero((capacities < 0) & (usage >= 0).all(axis=1))
    if hopeless.size:
        at = int(hopeless[0])
        raise ValueError(f"capacity {at} is {capacities[at]:g}: not even silence meets it")
    unlimited = np.flatnonzero(np.isinf(wanted) & ~(usage > 0).any(axis=0))
    if unlimited.size:
        raise ValueError(f"flow {int(unlimited[0])} is limited by no capacity and no demand")
