"""The results folder: whose it is, and writing into it without ever leaving half a file."""

import json
import os
import platform
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl

from penstock.errors import BadInput
from penstock.identity import difference
from penstock.journal import identity_of
from penstock.results import (
    BULK,
    FLOWS,
    JOURNAL,
    LINKS,
    MANIFEST,
    NODES,
    RUNS,
    SERIES,
    SUMMARY,
    TRANSFERS,
    Results,
)


def claim(folder: Path, identity: dict[str, str], name: str) -> None:
    """Makes `folder` ready for the experiment `name`, or says why it cannot be; changes nothing that is
    there.

    A journal of this experiment without its manifest is gone on with; the manifest is written anew. Raises
    BadInput when the folder cannot be written, holds something else, or holds the results of another
    scenario, other networks, another version or other code (`penstock.identity`).
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        occupied = any(folder.iterdir())
    except OSError as error:
        raise BadInput(f"{folder}: cannot write results there: {error.strerror or error}") from None
    if not occupied:
        return
    manifest, journal = folder / MANIFEST, folder / JOURNAL
    if manifest.is_file():
        found = _identity(manifest)
    elif journal.is_file():
        # A process that is killed in the moment between the two leaves this; so does a lost manifest.
        found = identity_of(journal)
    else:
        raise BadInput(f"{folder}: is not empty and holds no Penstock results; choose another --out")
    other = difference(found, identity, name)
    if not other:
        return
    if not manifest.is_file():
        other = f"a journal of finished runs without its {MANIFEST}; they are {other}"
    raise BadInput(f"{folder}: holds {other}; nothing was changed. Choose another --out, or move it away")


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Writes manifest.json, the only file that holds times and the machine."""
    write_json(folder / MANIFEST, manifest)


def write_tables(folder: Path, results: Results) -> None:
    """Writes the Parquet tables and, last, summary.json."""
    for name, frame in ((RUNS, results.runs), (NODES, results.nodes), (LINKS, results.links)):
        _replace(folder / name, frame.write_parquet)
    optional = (FLOWS, results.flows), (SERIES, results.series)
    for name, frame in (*optional, (TRANSFERS, results.transfers), (BULK, results.bulk)):
        if not frame.is_empty():
            _replace(folder / name, frame.write_parquet)
    write_json(folder / SUMMARY, results.summary)


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Writes a JSON file, whole or not at all. BadInput when it cannot be written."""
    _write_text(path, json_text(data))


def json_text(data: dict[str, Any]) -> str:
    """The one way JSON is written: same data, same bytes."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def software() -> dict[str, str]:
    """Versions of what the numbers passed through."""
    return {"python": platform.python_version(), "numpy": np.__version__, "polars": pl.__version__}


def now() -> str:
    """The time for the manifest, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _identity(path: Path) -> dict[str, str]:
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))["identity"]
    except (OSError, ValueError, KeyError, TypeError):
        raise BadInput(f"{path}: is no Penstock manifest; choose another --out") from None
    return cast(dict[str, str], found) if isinstance(found, dict) else {}


def _write_text(path: Path, text: str) -> None:
    _replace(path, lambda part: part.write_text(text, encoding="utf-8"))


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Writes beside `path` and renames, so that the old file stays whole until the new one is."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
