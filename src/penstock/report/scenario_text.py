"""The scenario written back as the TOML file that `penstock run` takes."""

import json
from typing import cast

from penstock.scenario import Scenario
from penstock.validation import KINDS


def as_toml(scenario: Scenario) -> str:
    """Everything in the scenario that is not a default, as TOML."""
    data = scenario.model_dump(mode="json", exclude_defaults=True)
    for section in KINDS:
        if section in data:  # its kind is the default of its own section, yet says which section it is
            data[section] = {"kind": getattr(scenario, section).kind, **data[section]}
    lines = [f"{key} = {_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    for section, entries in data.items():
        if isinstance(entries, dict):
            entries = cast(dict[str, object], entries)
            lines += ["", f"[{section}]"]
            lines += [f"{_key(key)} = {_value(value)}" for key, value in entries.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return _text(key) if "." in key else key


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[" + ", ".join(_value(part) for part in cast(list[object], value)) + "]"
    if isinstance(value, dict):
        entries = cast(dict[str, object], value).items()
        return "{ " + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in entries) + " }"
    return repr(value)


def _text(text: str) -> str:
    """A TOML basic string: JSON's, but for the one control character that JSON leaves bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
