"""How estimates are written in a study's tables."""

import math

from penstock.statistics import Estimate, metric_named
from penstock.studies.claim import Pairing, Sample
from penstock.studies.judge import measured
from penstock.studies.number import NOTHING, number
from penstock.studies.section import Loaded

EXACT = 1e-9
"""Runs that differ by a smaller share differ by rounding alone."""


def cell(
    of: Sample, tables: Loaded, versus: Sample | None = None, pairing: Pairing = "value", digits: int = 3
) -> str:
    """ "0.263 ± 0.025"; a ratio as "2.52 × [2.25, 2.78]", a difference with its sign; a dash for nothing."""
    value = measured(of, tables, versus, pairing)
    if value is None or math.isnan(value.mean):
        return NOTHING
    if metric_named(of.metric).by_inverse and versus is None:
        return bounds(value, digits)
    if pairing == "value":
        half = value.high - value.mean
        half = 0.0 if half < EXACT * abs(value.mean) else half
        return (
            f"{number(value.mean, digits)} ± {number(half, 2)}" if math.isfinite(half) else number(value.mean)
        )
    return bounds(value, digits, pairing)


def bounds(value: Estimate, digits: int = 3, pairing: Pairing = "value") -> str:
    """mean [low, high]."""
    unit = " ×" if pairing == "ratio" else ""
    sign = "+" if pairing == "difference" else ""
    mean, low, high = (number(v, digits, sign) for v in (value.mean, value.low, value.high))
    return f"{mean}{unit}" if math.isnan(value.low) or value.count < 2 else f"{mean}{unit} [{low}, {high}]"
