"""Code, data and stack of the library on three mote processors, as a table in docs/footprint.md.

Each module is compiled alone with -Os; sizes are those of its object file, the stack is the largest frame of
a single function in it. Exit 2 when a cross compiler is missing. The MSP430 is compiled for by clang, where
this clang can: its columns are left out and the page says so where it cannot.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
LIB = REPO / "lib"
OUTPUT = REPO / "docs" / "footprint.md"
MICA2_RAM = 4096  # bytes, thesis 2.1
TMOTE_RAM, TMOTE_FLASH = 10 * 1024, 48 * 1024  # bytes, MSP430F1611

# What a mote links whatever it runs: all that is not in a system and not in here.
CTP = ("link_estimator_data.c", "routing_ctp.c", "trickle.c")
SEPARATE = {"aimd.c", "names.c", "bucket.c", *CTP}  # of those outside control/
COMMON = {"control/backpressure.c", "control/compose.c", "control/params.c"}


@dataclass(frozen=True)
class System:
    """A strategy that a mote names: its modules beside what all link, and how large its arrays are."""

    name: str
    modules: tuple[str, ...]
    queue: int
    neighbors: int
    peers: int


def _control(*names: str) -> tuple[str, ...]:
    return tuple(f"control/{name}.c" for name in names)


FUSION = System(
    "Fusion",
    _control(
        "detect_occupancy", "fusion", "news_overheard", "parent_delay", "priority", "source_rate", "sources"
    ),
    queue=8,  # packets, thesis 2.3.2
    neighbors=16,
    peers=0,
)
WRCP = System(
    "WRCP",
    (
        *CTP,
        "bucket.c",
        *_control(
            "rate_code", "sources", "wrcp", "wrcp_estimates", "wrcp_fields", "wrcp_interval", "wrcp_rate"
        ),
    ),
    queue=20,
    neighbors=32,
    peers=32,
)
IFRC = System(
    "IFRC",
    (
        *CTP,
        "bucket.c",
        *_control("ifrc", "ifrc_congestion", "ifrc_fields", "ifrc_rate", "ifrc_sharing"),
    ),
    queue=64,  # its own, from which its thresholds come (params.c)
    neighbors=32,
    peers=32,
)
SYSTEMS = (FUSION, WRCP, IFRC)


@dataclass(frozen=True)
class Bulk:
    """What bulk transfer adds to a node of any system: its parts as in Flush's Table 1, and its arrays."""

    parts: dict[str, tuple[str, ...]]
    queue: int
    flows: int


def _bulk(*names: str) -> tuple[str, ...]:
    return tuple(f"bulk/{name}.c" for name in names)


BULK_PARTS = {
    "queue": _bulk("path_queue"),
    "forward way": _bulk("flush", "path", "path_source"),
    "delay estimator": _bulk("delay_code", "path_estimate", "path_flows"),
}
BULK = Bulk(BULK_PARTS, queue=16, flows=2)  # section 3.4; the paper has one flow
# SenSys 2007, Table 1, on the ATmega128 of the MicaZ: what Flush adds to TinyOS, with its debugging code.
PAPER_RAM, PAPER_CODE = 629, 6058  # bytes


@dataclass(frozen=True)
class Target:
    """A processor, the tools for it, how to compile, and whether constants are copied to RAM there."""

    name: str
    compiler: tuple[str, ...]
    size: str
    nm: str
    package: str
    flags: tuple[str, ...]
    constants_in_ram: bool

    @property
    def slug(self) -> str:
        return self.name.lower()


def _gnu(name: str, prefix: str, package: str, flags: tuple[str, ...], constants_in_ram: bool) -> Target:
    return Target(
        name, (f"{prefix}-gcc",), f"{prefix}-size", f"{prefix}-nm", package, flags, constants_in_ram
    )


# 17 bytes of payload as in TinyOS's packets; bulk PDUs of as many (Flush, 3.6) and 4 to say which.
SHORT = ("-DPENSTOCK_PAYLOAD_MAX=17", "-DPENSTOCK_BULK_PDU_MAX=21")
ATMEGA128 = _gnu("ATmega128", "avr", "gcc-avr", ("-mmcu=atmega128", *SHORT), True)
CORTEX_M4 = _gnu(
    "Cortex-M4",
    "arm-none-eabi",
    "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    ("-mcpu=cortex-m4", "-mthumb"),
    False,
)
MSP430 = Target("MSP430", ("clang", "--target=msp430"), "size", "nm", "clang", ("-ffreestanding",), False)


def targets() -> tuple[Target, ...]:
    """Those that can be compiled for here."""
    return (ATMEGA128, CORTEX_M4, MSP430) if clang_knows_msp430() else (ATMEGA128, CORTEX_M4)


def clang_knows_msp430() -> bool:
    if shutil.which("clang") is None:
        return False
    known = subprocess.run(["clang", "--print-targets"], capture_output=True, text=True, check=False)
    return re.search(r"^\s*msp430\b", known.stdout, re.MULTILINE) is not None


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
    run(*target.compiler, *compile_flags(target), "-fstack-usage", "-c", str(source), "-o", str(obj))
    sizes = {"text": 0, "rodata": 0, "data": 0, "bss": 0}
    for line in run(target.size, "-A", str(obj)).splitlines():
        if found := re.match(r"\.(text|rodata|data|bss)\S*\s+(\d+)", line):
            # .data.rel.ro, tables of pointers, is constant too; no variable here has an initial value.
            sizes[found[1]] += int(found[2])
    usage = obj.with_suffix(".su")  # clang writes none where there are no functions
    frames = [int(line.split("\t")[1]) for line in usage.read_text().splitlines()] if usage.exists() else []
    return Footprint(sizes["text"], sizes["rodata"], sizes["data"], sizes["bss"], max(frames, default=0))


def measure_types(target: Target, folder: Path) -> dict[str, int]:
    """sizeof, on the target, of what a node's owner provides."""
    types = {
        "penstock_node_t": "node",
        "penstock_config_t": "config",
        "penstock_packet_t": "packet",
        "penstock_neighbor_t": "neighbor",
        "penstock_peer_t": "peer",
        "penstock_wrcp_t": "wrcp",
        "penstock_wrcp_peer_t": "wrcp_peer",
        "penstock_bulk_t": "bulk",
        "penstock_bulk_params_t": "bulk_params",
        "penstock_bulk_packet_t": "bulk_packet",
        "penstock_bulk_flow_t": "bulk_flow",
    }
    source = folder / "types.c"
    lines = [f"extern char size_{name}[]; char size_{name}[sizeof({c})];" for c, name in types.items()]
    source.write_text("\n".join(['#include "penstock/bulk.h"', *lines, ""]))
    obj = folder / "types.o"
    run(*target.compiler, *compile_flags(target), "-fno-common", "-c", str(source), "-o", str(obj))
    symbols = re.findall(r"\S+ (\S+) \w size_(\w+)", run(target.nm, "-S", str(obj)))
    return {name: int(size, 16) for size, name in symbols}


def linked(system: System, sources: Sequence[Path]) -> list[Path]:
    """The modules of a mote that names this system."""

    def is_linked(name: str) -> bool:
        common = name in COMMON or ("/" not in name and name not in SEPARATE)
        return common or name in system.modules

    return [s for s in sources if is_linked(str(s.relative_to(LIB / "src")))]


@dataclass(frozen=True)
class Measured:
    """All of it, by target: sizes of modules and of types."""

    targets: tuple[Target, ...]
    sources: list[Path]
    modules: dict[str, dict[Path, Footprint]]
    types: dict[str, dict[str, int]]

    def total(self, system: System, target: Target) -> Footprint:
        """Of a system's modules; the stack is the largest frame of all."""
        parts = [self.modules[target.name][s] for s in linked(system, self.sources)]
        return Footprint(
            sum(p.code for p in parts),
            sum(p.constants for p in parts),
            sum(p.data for p in parts),
            sum(p.bss for p in parts),
            max(p.stack for p in parts),
        )

    def static(self, system: System, target: Target) -> int:
        """Bytes of RAM that a node's constants and variables take."""
        total = self.total(system, target)
        return total.data + total.bss + (total.constants if target.constants_in_ram else 0)


def module_table(measured: Measured) -> list[str]:
    """One row a module, then the sums for a node of each system."""
    count = len(measured.targets)
    head = "| module |" + "".join(f" {t.name}: code | const | data | bss | stack |" for t in measured.targets)
    rows = [head, "|---|" + "---:|" * (5 * count)]
    for source in measured.sources:
        cells = [measured.modules[t.name][source] for t in measured.targets]
        figures = "".join(f" {c.code} | {c.constants} | {c.data} | {c.bss} | {c.stack} |" for c in cells)
        rows.append(f"| `{source.relative_to(LIB / 'src')}` |{figures}")
    for system in SYSTEMS:
        sums = [measured.total(system, t) for t in measured.targets]
        figures = "".join(
            f" **{c.code}** | **{c.constants}** | **{c.data}** | **{c.bss}** | **{c.stack}** |" for c in sums
        )
        rows.append(f"| **a node with {system.name}** |{figures}")
    return rows


def node_table(measured: Measured, system: System) -> tuple[list[str], dict[str, int]]:
    """RAM of a node by owner's item, and the total by target."""
    of = [measured.types[t.name] for t in measured.targets]
    items: list[tuple[str, list[int]]] = [
        ("`penstock_node_t`", [t["node"] for t in of]),
        ("`penstock_config_t`", [t["config"] for t in of]),
        (f"queue, {system.queue} × `penstock_packet_t`", [system.queue * t["packet"] for t in of]),
        (
            f"neighbour table, {system.neighbors} × `penstock_neighbor_t`",
            [system.neighbors * t["neighbor"] for t in of],
        ),
    ]
    if system.peers:
        items.append((f"peers, {system.peers} × `penstock_peer_t`", [system.peers * t["peer"] for t in of]))
    items.append(
        (
            "the library's constants and variables in RAM",
            [measured.static(system, t) for t in measured.targets],
        )
    )
    head = "| RAM, bytes |" + "".join(f" {t.name} |" for t in measured.targets)
    rows = [head, "|---|" + "---:|" * len(measured.targets)]
    rows += [f"| {label} |" + "".join(f" {n} |" for n in figures) for label, figures in items]
    totals = {t.name: sum(figures[i] for _, figures in items) for i, t in enumerate(measured.targets)}
    rows.append("| **total** |" + "".join(f" **{totals[t.name]}** |" for t in measured.targets))
    return rows, totals


def bulk_parts(measured: Measured) -> dict[str, list[Path]]:
    """The modules of each part; those that no part names are the ends of a transfer."""
    sources = {str(s.relative_to(LIB / "src")): s for s in measured.sources}
    named = {name for names in BULK.parts.values() for name in names}
    ends = tuple(n for n in sources if n.startswith("bulk/") and n not in named)
    return {part: [sources[n] for n in names] for part, names in {**BULK.parts, "ends": ends}.items()}


def bulk_tables(measured: Measured) -> list[str]:
    """RAM that bulk transfer adds to a node, and code by part."""
    of = [measured.types[t.name] for t in measured.targets]
    parts = bulk_parts(measured)
    items: list[tuple[str, list[int]]] = [
        ("`penstock_bulk_t`", [t["bulk"] for t in of]),
        ("`penstock_bulk_params_t`", [t["bulk_params"] for t in of]),
        (f"queue, {BULK.queue} × `penstock_bulk_packet_t`", [BULK.queue * t["bulk_packet"] for t in of]),
        (f"flows, {BULK.flows} × `penstock_bulk_flow_t`", [BULK.flows * t["bulk_flow"] for t in of]),
    ]
    heads = "".join(f" {t.name} |" for t in measured.targets)
    rule = "---:|" * len(measured.targets)
    rows = ["| RAM, bytes |" + heads, "|---|" + rule]
    rows += [f"| {label} |" + "".join(f" {n} |" for n in figures) for label, figures in items]
    rows.append(
        "| **total** |" + "".join(f" **{sum(figures[i] for _, figures in items)}** |" for i in range(len(of)))
    )
    code = {
        part: [
            sum(measured.modules[t.name][s].code + measured.modules[t.name][s].constants for s in sources)
            for t in measured.targets
        ]
        for part, sources in parts.items()
    }
    rows += ["", "| code and constants, bytes |" + heads, "|---|" + rule]
    rows += [f"| {part} |" + "".join(f" {n} |" for n in figures) for part, figures in code.items()]
    totals = [sum(figures[i] for figures in code.values()) for i in range(len(of))]
    rows.append("| **total** |" + "".join(f" **{n}** |" for n in totals))
    return rows


def tmote(measured: Measured) -> list[str]:
    """What WRCP leaves of a Tmote Sky, or why nobody knows."""
    if MSP430 not in measured.targets:
        return [
            "The Tmote Sky has an MSP430F1611. The clang here cannot compile for it (`clang --print-targets`",
            "has no msp430), and nothing else was at hand, so there are no figures for it.",
        ]
    ram = node_table(measured, WRCP)[1][MSP430.name]
    total = measured.total(WRCP, MSP430)
    flash = total.code + total.constants
    types = measured.types[MSP430.name]
    return [
        f"A Tmote Sky (MSP430F1611) has {TMOTE_RAM} bytes of RAM and {TMOTE_FLASH} of flash.",
        f"WRCP over CTP takes {ram} and {flash} of them, {100 * ram // TMOTE_RAM} % and",
        f"{100 * flash // TMOTE_FLASH} %.",
        f"WRCP's own state is {types['wrcp']} bytes a node, in room that all systems share, and",
        f"{types['wrcp_peer']} a neighbour. What the compiler's run-time library adds for 32-bit",
        "multiplication and division is not counted, for no processor.",
    ]


def measure_all() -> Measured:
    here = targets()
    sources = sorted((LIB / "src").rglob("*.c"), key=lambda p: (len(p.parts), p))
    modules: dict[str, dict[Path, Footprint]] = {}
    types: dict[str, dict[str, int]] = {}
    with tempfile.TemporaryDirectory() as name:
        for target in here:
            folder = Path(name, target.slug)
            folder.mkdir()
            modules[target.name] = {s: measure(target, s, folder) for s in sources}
            types[target.name] = measure_types(target, folder)
    return Measured(here, sources, modules, types)


def version(target: Target) -> str:
    return run(target.compiler[0], "-dumpversion").strip()


def report() -> str:
    """The whole document."""
    measured = measure_all()
    nodes, totals = node_table(measured, FUSION)
    mica2 = totals[ATMEGA128.name]
    compilers = "; ".join(
        f"`{' '.join((*t.compiler, *t.flags))} -Os` ({version(t)})" for t in measured.targets
    )
    return "\n".join(
        [
            "# What the library costs on a mote",
            "",
            "Made by `make footprint` (`tools/footprint.py`); do not edit. Compilers: " + compilers + ".",
            "",
            "## A node with Fusion",
            "",
            f"With a queue of {FUSION.queue} packets and {FUSION.neighbors} neighbours. Payloads: at most 17",
            "bytes on the ATmega128 (36-byte packets of the Mica2), 100 elsewhere. The rate limiter's",
            "table of 64 sources is part of `penstock_node_t`.",
            "",
            *nodes,
            "",
            f"A Mica2 has {MICA2_RAM} bytes of RAM (thesis 2.1). That leaves {MICA2_RAM - mica2} bytes,",
            f"{100 * (MICA2_RAM - mica2) // MICA2_RAM} %, for the application, the radio driver, the stack.",
            "",
            "## A node with WRCP",
            "",
            f"Over CTP, with a queue of {WRCP.queue} packets, {WRCP.neighbors} neighbours and as many peers.",
            "",
            *node_table(measured, WRCP)[0],
            "",
            *tmote(measured),
            "",
            "## Bulk transfer",
            "",
            f"What it adds to a node of any system: a queue of {BULK.queue} packets, {BULK.flows} flows at a",
            "time. PDUs are at most 21 bytes on the ATmega128 (17 of the object's), 107 elsewhere.",
            f"Flush's authors count {PAPER_RAM} bytes of RAM and {PAPER_CODE} of code on the MicaZ beyond",
            "what TinyOS has for queue and routing, debugging included, for one flow (SenSys 2007, Table 1);",
            "their queue of 16, 265 bytes, cannot hold the packets themselves.",
            "",
            *bulk_tables(measured),
            "",
            "## Modules",
            "",
            "Bytes. *const* are constants; the ATmega128 copies them to RAM. *stack* is the largest frame",
            "of one function; in the last rows it is the largest of all. These leave out what a mote that",
            "names its strategy does not link: the registry, names, the other strategies and the pace. Those",
            "with WRCP and IFRC are over CTP.",
            "",
            *module_table(measured),
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with docs/footprint.md, write nothing")
    arguments = parser.parse_args()
    missing = [t for t in targets() if shutil.which(t.compiler[0]) is None]
    if missing:
        names = ", ".join(t.compiler[0] for t in missing)
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
