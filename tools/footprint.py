"""Code, data and stack of the library on two mote processors, as a table in docs/footprint.md.

Each module is compiled alone with -Os; sizes are those of its object file, the stack is the largest frame of
a single function in it. Exit 2 when a cross compiler is missing.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
LIB = REPO / "lib"
OUTPUT = REPO / "docs" / "footprint.md"
QUEUE = 8  # packets, thesis 2.3.2
NEIGHBORS = 16
MICA2_RAM = 4096  # bytes, thesis 2.1
# What a mote that names Fusion as its strategy does not link.
NOT_IN_FUSION = {
    f"control/{name}.c"
    for name in (
        "ack",
        "channel",
        "delay",
        "detect_channel",
        "detect_loss",
        "fair_share",
        "fusion_share",
        "ifrc",
        "ifrc_congestion",
        "ifrc_fields",
        "ifrc_rate",
        "ifrc_sharing",
        "loss",
        "news_ack",
        "none",
        "occupancy",
        "rate",
        "rate_code",
        "registry",
        "share",
        "share_estimate",
        "union",
    )
} | {"aimd.c", "names.c"}


@dataclass(frozen=True)
class Target:
    """A processor, how to compile for it, and whether constants are copied to RAM there."""

    name: str
    prefix: str
    package: str
    flags: tuple[str, ...]
    constants_in_ram: bool

    @property
    def compiler(self) -> str:
        return f"{self.prefix}-gcc"


TARGETS = (
    Target("ATmega128", "avr", "gcc-avr", ("-mmcu=atmega128", "-DPENSTOCK_PAYLOAD_MAX=17"), True),
    Target(
        "Cortex-M4", "arm-none-eabi", "gcc-arm-none-eabi libnewlib-arm-none-eabi",
        ("-mcpu=cortex-m4", "-mthumb"), False,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Footprint:
    """Bytes of a module: instructions, constants, initialised and zeroed variables, largest stack frame."""

    code: int
    constants: int
    data: int
    bss: int
    stack: int


def run(*command: str) -> str:
    """The output of a command; its own message and exit 1 when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def compile_flags(target: Target) -> list[str]:
    includes = [f"-I{LIB / 'include'}", f"-I{LIB / 'src'}"]
    return [*target.flags, "-std=c11", "-Os", "-Wall", "-Wextra", "-Wconversion", "-Werror", *includes]


def measure(target: Target, source: Path, folder: Path) -> Footprint:
    """Compile one module; the sizes of its sections and its largest frame."""
    stem = str(source.relative_to(LIB / "src").with_suffix("")).replace("/", "_")
    obj = folder / f"{stem}.o"
    run(target.compiler, *compile_flags(target), "-fstack-usage", "-c", str(source), "-o", str(obj))
    sizes = {"text": 0, "rodata": 0, "data": 0, "bss": 0}
    for line in run(f"{target.prefix}-size", "-A", str(obj)).splitlines():
        if found := re.match(r"\.(text|rodata|data|bss)\S*\s+(\d+)", line):
            # .data.rel.ro, tables of pointers, is constant too; no variable here has an initial value.
            sizes[found[1]] += int(found[2])
    frames = [int(line.split("\t")[1]) for line in obj.with_suffix(".su").read_text().splitlines()]
    return Footprint(sizes["text"], sizes["rodata"], sizes["data"], sizes["bss"], max(frames, default=0))


def measure_types(target: Target, folder: Path) -> dict[str, int]:
    """sizeof, on the target, of what a node's owner provides."""
    types = {
        "penstock_node_t": "node",
        "penstock_config_t": "config",
        "penstock_packet_t": "packet",
        "penstock_neighbor_t": "neighbor",
    }
    source = folder / "types.c"
    lines = [f"extern char size_{name}[]; char size_{name}[sizeof({c})];" for c, name in types.items()]
    source.write_text("\n".join(['#include "penstock/penstock.h"', *lines, ""]))
    obj = folder / "types.o"
    run(target.compiler, *compile_flags(target), "-fno-common", "-c", str(source), "-o", str(obj))
    symbols = re.findall(r"\S+ (\S+) \w size_(\w+)", run(f"{target.prefix}-nm", "-S", str(obj)))
    return {name: int(size, 16) for size, name in symbols}


def module_table(sources: list[Path], sizes: dict[str, dict[Path, Footprint]]) -> list[str]:
    """One row a module, then the sums for a Fusion node."""
    head = "| module |" + "".join(f" {t.name}: code | const | data | bss | stack |" for t in TARGETS)
    rows = [head, "|---|" + "---:|" * (5 * len(TARGETS))]
    for source in sources:
        cells = [sizes[t.name][source] for t in TARGETS]
        figures = "".join(f" {c.code} | {c.constants} | {c.data} | {c.bss} | {c.stack} |" for c in cells)
        rows.append(f"| `{source.relative_to(LIB / 'src')}` |{figures}")
    linked = [s for s in sources if str(s.relative_to(LIB / "src")) not in NOT_IN_FUSION]
    total = "| **a Fusion node** |"
    for target in TARGETS:
        parts = [sizes[target.name][s] for s in linked]
        sums = [sum(p.code for p in parts), sum(p.constants for p in parts), sum(p.data for p in parts)]
        sums += [sum(p.bss for p in parts), max(p.stack for p in parts)]
        total += "".join(f" **{n}** |" for n in sums)
    return [*rows, total]


def constants_in_ram(target: Target, sources: list[Path], sizes: dict[str, dict[Path, Footprint]]) -> int:
    """Bytes of RAM that a Fusion node's constants and variables take."""
    linked = [s for s in sources if str(s.relative_to(LIB / "src")) not in NOT_IN_FUSION]
    parts = [sizes[target.name][s] for s in linked]
    return sum(p.data + p.bss + (p.constants if target.constants_in_ram else 0) for p in parts)


def node_table(types: dict[str, dict[str, int]], static: dict[str, int]) -> tuple[list[str], dict[str, int]]:
    """RAM of a node by owner's item, and the total by target."""
    items: list[tuple[str, list[int]]] = [
        ("`penstock_node_t`", [types[t.name]["node"] for t in TARGETS]),
        ("`penstock_config_t`", [types[t.name]["config"] for t in TARGETS]),
        (f"queue, {QUEUE} × `penstock_packet_t`", [QUEUE * types[t.name]["packet"] for t in TARGETS]),
        (
            f"neighbour table, {NEIGHBORS} × `penstock_neighbor_t`",
            [NEIGHBORS * types[t.name]["neighbor"] for t in TARGETS],
        ),
        ("the library's constants and variables in RAM", [static[t.name] for t in TARGETS]),
    ]
    rows = ["| RAM, bytes |" + "".join(f" {t.name} |" for t in TARGETS), "|---|" + "---:|" * len(TARGETS)]
    rows += [f"| {label} |" + "".join(f" {n} |" for n in figures) for label, figures in items]
    totals = {t.name: sum(figures[i] for _, figures in items) for i, t in enumerate(TARGETS)}
    rows.append("| **total** |" + "".join(f" **{totals[t.name]}** |" for t in TARGETS))
    return rows, totals


def report() -> str:
    """The whole document."""
    sources = sorted((LIB / "src").rglob("*.c"), key=lambda p: (len(p.parts), p))
    sizes: dict[str, dict[Path, Footprint]] = {}
    types: dict[str, dict[str, int]] = {}
    with tempfile.TemporaryDirectory() as name:
        for target in TARGETS:
            folder = Path(name, target.prefix)
            folder.mkdir()
            sizes[target.name] = {s: measure(target, s, folder) for s in sources}
            types[target.name] = measure_types(target, folder)
    static = {t.name: constants_in_ram(t, sources, sizes) for t in TARGETS}
    nodes, totals = node_table(types, static)
    mica2 = totals["ATmega128"]
    compilers = "; ".join(
        f"`{t.compiler} {' '.join(t.flags)} -Os` ({run(t.compiler, '-dumpversion').strip()})" for t in TARGETS
    )
    return "\n".join(
        [
            "# What the library costs on a mote",
            "",
            "Made by `make footprint` (`tools/footprint.py`); do not edit. Compilers: " + compilers + ".",
            "",
            "## A node",
            "",
            f"With Fusion, a queue of {QUEUE} packets and {NEIGHBORS} neighbours. Payloads: at most 17 bytes",
            "on the ATmega128 (36-byte packets of the Mica2), 100 on the Cortex-M4. The rate limiter's",
            "table of 64 sources is part of `penstock_node_t`.",
            "",
            *nodes,
            "",
            f"A Mica2 has {MICA2_RAM} bytes of RAM (thesis 2.1). That leaves {MICA2_RAM - mica2} bytes,",
            f"{100 * (MICA2_RAM - mica2) // MICA2_RAM} %, for the application, the radio driver, the stack.",
            "",
            "## Modules",
            "",
            "Bytes. *const* are constants; the ATmega128 copies them to RAM. *stack* is the largest frame",
            "of one function; in the last row it is the largest of all. The last row leaves out what a",
            "mote that names Fusion does not link: the registry, names, the other strategies and the pace.",
            "",
            *module_table(sources, sizes),
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with docs/footprint.md, write nothing")
    arguments = parser.parse_args()
    missing = [t for t in TARGETS if shutil.which(t.compiler) is None]
    if missing:
        names = ", ".join(t.compiler for t in missing)
        packages = " ".join(t.package for t in missing)
        print(
            f"make footprint needs {names} (Debian and Ubuntu: apt-get install {packages}).", file=sys.stderr
        )
        return 2
    text = report()
    if arguments.check:
        same = OUTPUT.exists() and OUTPUT.read_text(encoding="utf-8") == text
        print(
            "docs/footprint.md is up to date." if same else "docs/footprint.md is out of date: make footprint"
        )
        return 0 if same else 1
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
