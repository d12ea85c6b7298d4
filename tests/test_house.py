"""The house's own rules, held by checks: what files say, which versions agree, what the README promises."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import penstock
from penstock import _engine

REPO = Path(__file__).resolve().parents[1]
LONGEST_FILE = 500  # lines; a longer one does more than one job


def pyproject() -> dict[str, dict]:
    return tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))


def tracked_files() -> list[Path]:
    """What git tracks; in an unpacked archive, where there is no git, nothing can be said."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=REPO, capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    files = [REPO / name for name in listing.stdout.split("\0") if name and (REPO / name).is_file()]
    assert REPO / "Makefile" in files
    return files


def texts(paths: list[Path]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a packed file


def sources(*folders: str, suffixes: tuple[str, ...]) -> list[Path]:
    found = sorted(p for f in folders for p in (REPO / f).rglob("*") if p.suffix in suffixes)
    assert found, f"no sources under {folders}"
    return found


def c_code(text: str) -> str:
    """C without its comments and string literals."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def names(requirements: list[str]) -> set[str]:
    """Distribution names of requirement lines, normalised."""
    return {normal(re.split(r"[\s\[<>=!~;]", line, maxsplit=1)[0]) for line in requirements}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# Written in two halves each, so that this file passes its own check.
FORBIDDEN = {
    "a machine's path": r"(?<![\w./-])/(?:wo" r"rk|ro" r"ot|ho" r"me)/\w",
    "a temporary path": r"(?<![\w./-])/tm" r"p/\w",
    "a package registry": r"pyp"
    r"i\.org|pythonh"
    r"osted\.org|registry\.np"
    r"mjs|crat"
    r"es\.io"
    r"|(?:deb|security|snapshot)\.deb"
    r"ian\.org|proxy\.gol"
    r"ang|repo1?\.mav"
    r"en",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_names(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(REPO)}: {match.group()}"
        for path, text in texts(tracked_files())
        for match in pattern.finditer(text)
    ]
    assert not found


def test_constraints_are_plain_pins() -> None:
    lines = (REPO / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []
    assert lines == sorted(lines)


def test_constraints_pin_every_dependency() -> None:
    table = pyproject()
    wanted = list(table["build-system"]["requires"]) + list(table["project"]["dependencies"])
    for extra in table["project"]["optional-dependencies"].values():
        wanted += extra
    pins = names((REPO / "constraints.txt").read_text(encoding="utf-8").splitlines())
    assert names(wanted) - pins == set()


def test_versions_agree() -> None:
    version = pyproject()["project"]["version"]
    header = (REPO / "lib/include/penstock/penstock.h").read_text(encoding="utf-8")
    changelog = (REPO / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d[\w.]*)\]", changelog, flags=re.MULTILINE)
    assert newest is not None
    assert re.findall(r'^#define PENSTOCK_VERSION "(.*)"', header, flags=re.MULTILINE) == [version]
    assert newest.group(1) == version
    assert _engine.version() == version
    assert penstock.__version__ == version


def test_stub_tells_what_the_engine_has() -> None:
    """_engine.pyi is written by hand: what it names must be what the module has, no more and no less."""
    stub = ast.parse((REPO / "src/penstock/_engine.pyi").read_text(encoding="utf-8"))
    promised = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert promised == {name for name in dir(_engine) if not name.startswith("_")}
    for found in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        fields = {node.target.id for node in found.body if isinstance(node, ast.AnnAssign)}
        fields |= {node.name for node in found.body if isinstance(node, ast.FunctionDef)} - {"__init__"}
        actual = {name for name in vars(getattr(_engine, found.name)) if not name.startswith("_")}
        assert fields == actual, found.name


def make_targets() -> set[str]:
    makefile = (REPO / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, flags=re.MULTILINE))


def test_readme_names_only_targets_that_exist() -> None:
    readme = (REPO / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:\$ )?make ([a-z][a-z-]*)|`make ([a-z][a-z-]*)", readme, flags=re.MULTILINE))
    named_words = {word for pair in named for word in pair if word}
    assert {"run", "test"} <= named_words
    assert named_words - make_targets() == set()


def test_make_help_lists_the_readme_commands() -> None:
    listing = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=REPO, capture_output=True, text=True, check=True
    )
    listed = set(re.findall(r"^  make ([a-z-]+)", listing.stdout, flags=re.MULTILINE))
    assert {"run", "test", "bench", "lint", "format", "footprint", "fuzz", "clean"} <= listed


# What would tie a mote's firmware to a heap, a floating-point unit, an operating system or a clock.
NOT_IN_LIB = (
    r"\b(?:malloc|calloc|realloc|free|alloca|printf|fprintf|snprintf|puts|abort|exit|assert|time|clock|rand)\s*\("
    r"|\b(?:float|double)\b"
    r"|#\s*include\s*<(?!std(?:bool|def|int)\.h>|string\.h>|limits\.h>)[^>]*>"
)


@pytest.mark.parametrize(
    "path", sources("lib/src", "lib/include", suffixes=(".c", ".h")), ids=lambda p: p.name
)
def test_library_is_for_bare_metal(path: Path) -> None:
    code = c_code(path.read_text(encoding="utf-8"))
    assert re.findall(NOT_IN_LIB, code) == []
    conditions = re.findall(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)", code, flags=re.MULTILINE)
    # Nothing is decided by the target: only include guards, documented sizes and C++ callers.
    assert [c for c in conditions if "PENSTOCK_" not in c and "__cplusplus" not in c] == []


@pytest.mark.parametrize(
    "path",
    sources("lib/src", "lib/include", "sim", suffixes=(".c", ".h", ".cpp", ".hpp")),
    ids=lambda p: p.name,
)
def test_native_source_carries_its_licence(path: Path) -> None:
    assert "SPDX-License-Identifier: BSD-3-Clause" in path.read_text(encoding="utf-8")[:8000]


def test_no_source_is_too_long() -> None:
    files = sources("lib/src", "sim", "src", suffixes=(".c", ".h", ".cpp", ".hpp", ".py", ".pyi"))
    lengths = {str(p.relative_to(REPO)): p.read_text(encoding="utf-8").count("\n") for p in files}
    assert {name: n for name, n in lengths.items() if n > LONGEST_FILE} == {}


def floor_includes(floor: str) -> Iterator[tuple[Path, str]]:
    for path in sources(floor, suffixes=(".c", ".h", ".cpp", ".hpp")):
        for included in re.findall(r'#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8")):
            yield path, included


def test_a_floor_uses_only_floors_below() -> None:
    world = {p.name for p in sources("sim", suffixes=(".hpp",))}
    upwards = [
        (p.name, i) for p, i in floor_includes("lib") if i.startswith(("nanobind", "Python")) or i in world
    ]
    assert upwards == []
    private = {p.name for p in sources("lib/src", suffixes=(".h",))}
    # The world may use the library's public headers only; Python is met in bindings alone.
    past_the_door = [
        (p.name, i)
        for p, i in floor_includes("sim")
        if (i.split("/")[-1] in private and not i.startswith("penstock/"))
        or (i.startswith(("nanobind", "Python")) and not p.name.startswith("bindings"))
    ]
    assert past_the_door == []
