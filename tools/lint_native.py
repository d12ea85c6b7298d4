"""clang-format and clang-tidy over the C and C++ sources; with --fix-format, rewrite them in the format."""

import argparse
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
BUILD = REPO / "build" / "lint"
FLOORS = ("lib", "sim", "examples")


def sources() -> list[Path]:
    """Every C and C++ file of the house, headers too."""
    suffixes = {".c", ".h", ".cpp", ".hpp"}
    return sorted(p for floor in FLOORS for p in (REPO / floor).rglob("*") if p.suffix in suffixes)


def require(*programs: str) -> None:
    """Exit with a clear message when a program is missing."""
    missing = [p for p in programs if shutil.which(p) is None]
    if missing:
        sys.exit(
            f"make lint needs {', '.join(missing)}, not installed here "
            "(Debian and Ubuntu: apt-get install clang clang-format clang-tidy)."
        )


def check_format(*, fix: bool) -> bool:
    """True when every file is in the house's format (or now is)."""
    mode = ["-i"] if fix else ["--dry-run", "-Werror"]
    done = subprocess.run(["clang-format", *mode, *map(str, sources())], cwd=REPO, check=False)
    return done.returncode == 0


def compile_commands() -> list[str]:
    """Configure the preset `lint`; the files of lib/ and sim/ that it would compile."""
    tools = Path(sys.executable).parent
    configure = [
        tools / "cmake",
        f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    configure += ["-DPENSTOCK_BUILD_PYTHON=ON", "--preset", "lint", "--log-level=WARNING"]
    subprocess.run(configure, cwd=REPO, check=True)
    entries = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    floors = [REPO / floor for floor in FLOORS]
    files = {Path(entry["file"]).resolve() for entry in entries}
    return sorted(str(f) for f in files if any(f.is_relative_to(floor) for floor in floors))


def tidy(file: str) -> tuple[str, int, str]:
    """clang-tidy's verdict on one file."""
    done = subprocess.run(
        ["clang-tidy", "--quiet", "-p", str(BUILD), file],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    return file, done.returncode, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix-format", action="store_true", help="rewrite instead of checking")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.fix_format:
        require("clang-format")
        return 0 if check_format(fix=True) else 1

    require("clang", "clang-format", "clang-tidy")
    good = check_format(fix=False)
    files = compile_commands()
    with ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for file, code, output in pool.map(tidy, files):
            if code != 0:
                good = False
                print(f"clang-tidy: {Path(file).relative_to(REPO)}\n{output}")
    print(f"clang-format and clang-tidy: {len(files)} files {'clean' if good else 'checked, with findings'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
