"""Reads a scenario file (TOML), with changes from the command line on top."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from penstock import axes, overrides
from penstock.errors import BadInput
from penstock.scenario import Scenario
from penstock.validation import validated


def load_scenario(path: Path | str, changes: Iterable[str] = ()) -> Scenario:
    """The scenario in the TOML file `path`, with `key=value` `changes` applied.

    The whole grid is validated, so a bad axis value is found here and not hours later. Raises BadInput for
    a file that cannot be read, text that is no TOML (line and column named), an unknown key (with the keys
    that are allowed and the nearest spelling) and a bad value.
    """
    path = Path(path)
    try:
        settings: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path}: no such scenario file") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: not valid TOML: {error}") from None
    swept = settings.get("axes")
    if isinstance(swept, dict):
        settings["axes"] = axes.flattened(cast(dict[str, object], swept))
    settings = overrides.apply(settings, changes)
    settings.setdefault("name", path.stem)
    scenario = validated(settings, str(path)).placed_in(path.parent)
    axes.expand(scenario, str(path))
    return scenario
