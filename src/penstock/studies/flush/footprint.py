"""What bulk transfer costs here, beside the paper's Table 1.

The numbers are those of docs/footprint.md, which `make footprint` writes. footprint.csv repeats them, since a
report is drawn where no compiler is; a test holds the two together and rewrites it with --update-golden.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from penstock.studies.flush.paper import TABLE_1, TABLE_1_TOTAL
from penstock.studies.number import NOTHING
from penstock.studies.section import Loaded, Table

FILE = Path(__file__).with_name("footprint.csv")
COLUMNS = ("part", "avr_ram", "avr_code", "arm_ram", "arm_code")
SAME = {"forward way": "routing", "ends": "protocol engine"}
"""What the paper calls our parts."""
ROW = re.compile(r"^\| (?P<name>[^|]+) \| (?P<avr>[\d*]+) \| (?P<arm>[\d*]+) \| [\d*]+ \|$", re.MULTILINE)


def ours() -> dict[str, dict[str, int]]:
    """The bytes of each part by column."""
    with FILE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {row["part"]: {name: int(row[name] or 0) for name in COLUMNS[1:]} for row in rows}


def read(document: str) -> dict[str, dict[str, int]]:
    """The same from the text of docs/footprint.md. A part without bytes of its own in RAM has 0: what the
    ends and the forward way keep is in penstock_bulk_t."""
    chapter = document.split("\n## Bulk transfer\n", 1)[1].split("\n## ", 1)[0]
    ram_rows, code_rows = (_rows(table) for table in chapter.split("| code and constants, bytes |", 1))
    ram = {
        "queue": _starting(ram_rows, "queue"),
        "delay estimator": _starting(ram_rows, "flows"),
        "protocol engine": [
            a + b
            for a, b in zip(ram_rows["`penstock_bulk_t`"], ram_rows["`penstock_bulk_params_t`"], strict=True)
        ],
        "total": ram_rows["total"],
    }
    return {
        SAME.get(name, name): {
            "avr_ram": ram.get(SAME.get(name, name), [0, 0])[0],
            "avr_code": code[0],
            "arm_ram": ram.get(SAME.get(name, name), [0, 0])[1],
            "arm_code": code[1],
        }
        for name, code in code_rows.items()
    }


def table(tables: Loaded) -> Table:
    """Table 1 beside ours."""
    del tables
    theirs = {name: (ram, code) for name, ram, code in TABLE_1} | {"total": TABLE_1_TOTAL}
    rows = [
        (name, *_shown(theirs.get(name, (0, 0))), *_shown(here.values())) for name, here in ours().items()
    ]
    return Table(
        ("part", "Flush, MicaZ: RAM", "code", "here, ATmega128: RAM", "code", "Cortex-M4: RAM", "code"),
        tuple(rows),
    )


def text() -> str:
    """How to read it, and whether ours is smaller."""
    here, (ram, code) = ours()["total"], TABLE_1_TOTAL
    smaller = " and ".join(
        f"{'less' if mine < other else 'more'} {what} ({mine:,} against {other:,} bytes)"
        for what, mine, other in (("RAM", here["avr_ram"], ram), ("code", here["avr_code"], code))
    )
    return (
        "Bytes. Flush's are what it adds to TinyOS on the MicaZ, routines for debugging, statistics and "
        "traces included; its queue points to packets that are kept elsewhere. Ours are from "
        "docs/footprint.md: the queue with its sixteen packets, two flows at a time, and what the ends "
        "and the forward way keep, together under protocol engine. On the same processor ours takes "
        f"{smaller}."
    )


def _rows(part: str) -> Mapping[str, list[int]]:
    found = ROW.finditer(part)
    return {
        each["name"].strip("*"): [int(each["avr"].strip("*")), int(each["arm"].strip("*"))] for each in found
    }


def _starting(rows: Mapping[str, list[int]], word: str) -> list[int]:
    return next(sizes for name, sizes in rows.items() if name.startswith(word))


def _shown(sizes: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{size:,}" if size else NOTHING for size in sizes)
