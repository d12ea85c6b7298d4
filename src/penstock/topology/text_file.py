"""Reads text files, plain or gzipped, and reports faults by file and line."""

import gzip
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

from penstock.errors import BadInput


def read_text(path: Path) -> str:
    """The file's text; unpacked when it is gzip, by its first bytes. BadInput when it cannot be read."""
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{path}: cannot be read: {error}") from None


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """(line number, text) of every line that is not blank and no comment ('#', '%' or '//')."""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line and not line.startswith(("#", "%", "//")):
            yield number, line


def finite(text: str, what: str, where: str) -> float:
    """A finite number from `text`; BadInput says `where` (file and line) and `what` it should have been."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(f'{where}: {what} should be a number, found "{text[:40]}"')
    return value
