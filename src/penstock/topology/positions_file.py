"""Node positions from a file, in the forms testbeds publish them.

- Columns: `NODE X Y`, more columns ignored, separated by commas or white space; a first line without numbers
  is a header (Intel Berkeley lab, FlockLab, TOSSIM's own positions).
- JSON: a list of objects, or an object that has it under `nodes`, with `x` and `y` (numbers, or text that is
  one) and a name under `node`, `id`, `label` or `network_address` (FIT IoT-LAB).
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from penstock.errors import BadInput
from penstock.topology.network import Floats
from penstock.topology.text_file import content_lines, finite, read_text

NAME_KEYS = ("node", "id", "label", "network_address")


@dataclass(frozen=True)
class Positions:
    """labels: the nodes' names in the file's order. places: (N, 2) in the file's unit."""

    labels: list[str]
    places: Floats


def read_positions(path: Path) -> Positions:
    """Reads a positions file, plain or gzipped. BadInput names the file and the line or entry."""
    return parse_positions(read_text(path), str(path))


def parse_positions(text: str, name: str) -> Positions:
    """Parses the text of a positions file called `name`. Raises nothing but BadInput."""
    places = _from_json(text, name) if text.lstrip().startswith(("[", "{")) else _from_columns(text, name)
    if len(places) < 2:
        raise BadInput(f"{name}: holds {len(places)} node positions; a network needs at least 2")
    return Positions(list(places), np.array(list(places.values())))


def _from_columns(text: str, name: str) -> dict[str, tuple[float, float]]:
    places: dict[str, tuple[float, float]] = {}
    first = True
    for number, line in content_lines(text):
        where = f"{name}, line {number}"
        words = [word.strip() for word in (line.split(",") if "," in line else line.split())]
        header = first and len(words) >= 3 and not _is_number(words[1]) and not _is_number(words[2])
        first = False
        if header:
            continue
        if len(words) < 3:
            raise BadInput(f'{where}: should be "NODE X Y", found "{line[:60]}"')
        _add(places, words[0], finite(words[1], "x", where), finite(words[2], "y", where), where)
    return places


def _from_json(text: str, name: str) -> dict[str, tuple[float, float]]:
    try:
        data: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{name}, line {error.lineno}: not valid JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise BadInput(f"{name}: not valid JSON: {error}") from None
    if isinstance(data, dict):
        data = cast(dict[str, object], data).get("nodes")
    if not isinstance(data, list):
        raise BadInput(f"{name}: should be a list of objects with a name, x and y")
    places: dict[str, tuple[float, float]] = {}
    for number, item in enumerate(cast(list[object], data), start=1):
        where = f"{name}, entry {number}"
        if not isinstance(item, dict):
            raise BadInput(f"{where}: should be an object with a name, x and y")
        entry = cast(dict[str, object], item)
        label = next((str(entry[key]) for key in NAME_KEYS if key in entry), "")
        if not label:
            raise BadInput(f"{where}: has no name ({', '.join(NAME_KEYS)})")
        where = f"{where} ({label[:60]})"
        _add(places, label, _coordinate(entry, "x", where), _coordinate(entry, "y", where), where)
    return places


def _coordinate(entry: dict[str, object], key: str, where: str) -> float:
    value = entry.get(key)
    return finite(str(value).strip() if value is not None else "", key, where)


def _add(places: dict[str, tuple[float, float]], label: str, x: float, y: float, where: str) -> None:
    if not label:
        raise BadInput(f"{where}: the node has no name")
    if label in places:
        raise BadInput(f'{where}: node "{label[:60]}" is given twice')
    if max(abs(x), abs(y)) > 1e7:
        raise BadInput(f"{where}: a coordinate beyond 10,000 km")
    places[label] = (x, y)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
