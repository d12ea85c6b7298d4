"""How a number is written in a study's tables and findings."""

import math

NOTHING = "–"
PLAIN_BELOW = 1e6
"""Larger numbers have an exponent."""


def number(value: float, digits: int = 3, sign: str = "") -> str:
    """`digits` significant digits without an exponent; ∞, and – for what is none. sign: "+" to show it."""
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞"
    whole = 10 ** (digits - 1) <= abs(value) < PLAIN_BELOW
    return f"{float(f'{value:.{digits}g}'):{sign}.0f}" if whole else f"{value:{sign}.{digits}g}"
