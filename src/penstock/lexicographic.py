"""The order of lexicographic max-min fairness (WRCP, section 4): whose poorest gets more.

Two vectors are sorted in ascending order and compared entry by entry; the first entry that differs decides.
"""

from collections.abc import Sequence


def compare(a: Sequence[float], b: Sequence[float], tolerance: float = 0.0) -> int:
    """1 when `a` is lexicographically greater than `b`, -1 when it is less, 0 when neither is.

    tolerance: entries that differ by no more than this share of the larger one are taken for equal: measured
    rates never are. Raises ValueError for vectors of different lengths, and for a tolerance outside [0, 1).
    """
    if len(a) != len(b):
        raise ValueError(f"vectors of {len(a)} and {len(b)} entries cannot be compared")
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance is {tolerance!r} but should be at least 0 and below 1")
    for mine, other in zip(sorted(a), sorted(b), strict=True):
        if abs(mine - other) > tolerance * max(abs(mine), abs(other)):
            return 1 if mine > other else -1
    return 0


def at_least(a: Sequence[float], b: Sequence[float], tolerance: float = 0.0) -> bool:
    """Whether `a` is lexicographically greater than or equal to `b`."""
    return compare(a, b, tolerance) >= 0
