"""The grid: every combination of the axes' values, each one a scenario of its own."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from penstock.errors import BadInput
from penstock.scenario import AxisValue, Scenario
from penstock.validation import allowed_keys, nearest, validated

NOT_SWEPT = ("name", "description", "seeds", "confidence")


@dataclass(frozen=True)
class Point:
    """One point of the grid: where it lies, and the scenario without axes that is run there."""

    index: int
    axes: Mapping[str, AxisValue]
    scenario: Scenario


def flattened(axes: Mapping[str, object]) -> dict[str, object]:
    """{"traffic.rate_pps": [...]} also from [axes.traffic] rate_pps = [...], TOML's other way to write it."""
    flat: dict[str, object] = {}
    for key, value in axes.items():
        if isinstance(value, dict):
            inner = flattened(cast(dict[str, object], value))
            flat.update({f"{key}.{name}": values for name, values in inner.items()})
        else:
            flat[key] = value
    return flat


def expand(scenario: Scenario, source: str = "scenario") -> list[Point]:
    """All points of the scenario's grid, the first axis changing slowest; without axes, one point.

    Every point is validated as a scenario of its own. BadInput names the axis and the value.
    """
    settings = scenario.model_dump(exclude_unset=True, exclude={"axes"})
    allowed = [key for key in allowed_keys(settings) if key not in NOT_SWEPT]
    for key in scenario.axes:
        if key not in allowed:
            raise BadInput(
                f'{source}: axes: unknown key "{key}"{nearest(key, allowed) or ";"} '
                f"Allowed: {', '.join(allowed)}"
            )
    points: list[Point] = []
    seen: set[str] = set()
    for values in itertools.product(*scenario.axes.values()):
        wanted = dict(zip(scenario.axes, values, strict=True))
        place = ", ".join(f"{key} = {value!r}" for key, value in wanted.items())
        one = validated(_with(settings, wanted), f"{source}: axes: {place}" if place else source)
        one = one.placed_in(scenario.folder)
        axes = {key: _value_at(one, key) for key in wanted}
        if repr(axes) in seen:
            raise BadInput(f"{source}: axes: {place} is listed twice")
        seen.add(repr(axes))
        points.append(Point(len(points), axes, one))
    return points


def copied(settings: Mapping[str, object]) -> dict[str, object]:
    """A table of settings with its sections copied, so that the original stays as it was."""
    return {
        key: dict(cast(dict[str, object], v)) if isinstance(v, dict) else v for key, v in settings.items()
    }


def _with(settings: Mapping[str, object], values: Mapping[str, object]) -> dict[str, object]:
    changed = copied(settings)
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        table = cast(dict[str, object], changed.setdefault(section, {}))
        table[name] = value
    return changed


def _value_at(scenario: Scenario, key: str) -> AxisValue:
    """The validated value, so that 2 and 2.0 are the same point."""
    value: Any = scenario
    for part in key.split("."):
        value = getattr(value, part)
    return value
