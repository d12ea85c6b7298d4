"""`--set key=value`: change one setting of a scenario from the command line."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from penstock import axes
from penstock.errors import BadInput
from penstock.validation import allowed_keys, nearest


def parsed(text: str) -> tuple[str, object]:
    """("traffic.rate_pps", 2.0) from "traffic.rate_pps=2.0".

    The value is read as TOML where it is TOML (numbers, true, [lists], "quoted text"), else taken as text.
    """
    key, equals, value = text.partition("=")
    key = key.strip().replace('"', "").replace("'", "")
    if not equals or not key or any(not part for part in key.split(".")):
        raise BadInput(f"--set {text}: should be key=value, for example --set traffic.rate_pps=2")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return key, value.strip()


def apply(settings: Mapping[str, object], changes: Iterable[str]) -> dict[str, object]:
    """A copy of `settings` with every `key=value` of `changes` applied, in order.

    A key that the scenario sweeps keeps its axis: a list replaces the axis's values, a single value becomes
    its only one. `axes.KEY=[...]` sweeps a key that was not swept. A topology file is looked for from the
    current folder first, since that is where the user typed it.
    """
    changed = axes.copied(settings)
    for text in changes:
        key, value = parsed(text)
        swept = _table(changed, "axes", text)
        if key.startswith("axes."):
            _check_known(key.removeprefix("axes."), changed, text)
            swept[key.removeprefix("axes.")] = value
            continue
        _check_known(key, changed, text)
        if key == "topology.file" and isinstance(value, str) and Path(value).is_file():
            value = str(Path(value).resolve())
        if key in swept:
            swept[key] = value if isinstance(value, list) else [value]
        else:
            section, _, name = key.rpartition(".")
            (_table(changed, section, text) if section else changed)[name] = value
    if changed.get("axes") == {}:
        del changed["axes"]
    return changed


def _check_known(key: str, settings: Mapping[str, object], text: str) -> None:
    allowed = allowed_keys(settings)
    if key not in allowed:
        section = key.rpartition(".")[0]
        here = [each for each in allowed if section and each.startswith(f"{section}.")] or allowed
        raise BadInput(
            f'--set {text}: unknown key "{key}"{nearest(key, allowed) or ";"} Allowed: {", ".join(here)}'
        )


def _table(settings: dict[str, object], name: str, text: str) -> dict[str, object]:
    table = settings.setdefault(name, {})
    if not isinstance(table, dict):
        raise BadInput(f'--set {text}: "{name}" is not a section in this scenario')
    return cast(dict[str, object], table)
