"""The journal of an experiment: every finished run, in one SQLite file, one transaction each.

A run is in it whole or not at all, whatever happens to the process. While the journal is open, no other
process can write to the same one.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from penstock.errors import BadInput

SCHEMA = """
CREATE TABLE identity (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE runs (
    point INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    metrics TEXT NOT NULL,
    nodes BLOB NOT NULL,
    links BLOB NOT NULL,
    flows BLOB NOT NULL,
    series BLOB NOT NULL,
    transfers BLOB NOT NULL,
    bulk BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (point, seed)
);
"""


@dataclass(frozen=True)
class RunTables:
    """What is kept of one run: its metrics, and its tables as Arrow IPC bytes, nothing where it has none."""

    metrics: dict[str, float]
    nodes: bytes
    links: bytes
    flows: bytes = b""
    series: bytes = b""
    transfers: bytes = b""
    bulk: bytes = b""

    @property
    def checksum(self) -> int:
        """CRC-32 over everything: SQLite itself does not notice a damaged value."""
        found = zlib.crc32(json.dumps(self.metrics).encode())
        for table in self.blobs:
            found = zlib.crc32(table, found)
        return found

    @property
    def blobs(self) -> tuple[bytes, ...]:
        """The tables in the journal's order."""
        return self.nodes, self.links, self.flows, self.series, self.transfers, self.bulk


def identity_of(path: Path) -> dict[str, str]:
    """The identity of a journal that nobody opened yet. Changes nothing; BadInput when it is no journal."""
    database = sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True, timeout=0.2)
    try:
        return dict(database.execute("SELECT key, value FROM identity").fetchall())
    except sqlite3.DatabaseError as error:
        raise _fault(path, error) from None
    finally:
        database.close()


class Journal:
    """Finished runs by (point, seed). `path` None keeps them in memory."""

    def __init__(self, path: Path | None, identity: dict[str, str]) -> None:
        """Opens or makes the journal. BadInput when another process holds it, when the file is no journal, or
        when it belongs to another identity (scenario or version)."""
        self._path = path
        self._db = sqlite3.connect(path if path else ":memory:", isolation_level=None, timeout=0.2)
        try:
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("BEGIN EXCLUSIVE")
            if not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.executemany("INSERT INTO identity VALUES (?, ?)", identity.items())
            self._db.execute("COMMIT")
            found = dict(self._db.execute("SELECT key, value FROM identity").fetchall())
        except sqlite3.DatabaseError as error:
            self.close()
            raise self._fault(error) from None
        if found != identity:
            self.close()
            raise BadInput(f"{path}: belongs to another scenario or version; choose another --out")

    def close(self) -> None:
        """Lets other processes at the journal again."""
        self._db.close()

    def finished(self) -> set[tuple[int, int]]:
        """The (point, seed) pairs whose runs are kept."""
        try:
            return {(int(p), int(s)) for p, s in self._db.execute("SELECT point, seed FROM runs")}
        except sqlite3.DatabaseError as error:
            raise self._fault(error) from None

    def keep(self, point: int, seed: int, tables: RunTables) -> None:
        """Stores one finished run. BadInput when the disk is full or the file went bad."""
        row = (point, seed, json.dumps(tables.metrics), *tables.blobs, tables.checksum)
        try:
            self._db.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.DatabaseError as error:
            raise self._fault(error) from None

    def kept(self, seeds: int) -> Iterator[tuple[int, int, RunTables]]:
        """(point, seed, tables) of every kept run with a seed up to `seeds`, in order."""
        try:
            rows = self._db.execute("SELECT * FROM runs WHERE seed <= ? ORDER BY point, seed", (seeds,))
            for point, seed, metrics, *blobs, checksum in rows:
                tables = RunTables(json.loads(metrics), *blobs)
                if tables.checksum != checksum:
                    raise ValueError(f"point {point}, seed {seed} is damaged")
                yield int(point), int(seed), tables
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._fault(error) from None

    def _fault(self, error: Exception) -> BadInput:
        return _fault(self._path, error)


def _fault(path: Path | None, error: Exception) -> BadInput:
    if "locked" in str(error):
        return BadInput(f"{path}: another penstock run is using this folder")
    return BadInput(
        f"{path}: the journal cannot be used ({error}). The other files of the folder are "
        "untouched; move the journal away to start again, or choose another --out"
    )
