"""Build the libFuzzer targets and run each for a while; a crash, a leak or a sanitizer finding fails.

The corpus of each target grows in build/fuzz/corpus/<target>, so that a long run goes on where the last one
stopped. Seeds lie in lib/fuzz/corpus/<target> where a target has any.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
BUILD = REPO / "build" / "fuzz"
SEEDS = REPO / "lib" / "fuzz" / "corpus"
LONGEST_INPUT = 512  # bytes; a frame has at most 127, so this also covers every overlong one


def why_not() -> str | None:
    """The reason why nothing can be fuzzed here, or None."""
    if shutil.which("clang") is None or shutil.which("clang++") is None:
        return "clang is not installed"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(
            "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { (void)d; (void)n; return 0; }\n"
        )
        probe = subprocess.run(
            ["clang", "-fsanitize=fuzzer,address", str(source), "-o", str(Path(folder, "probe"))],
            capture_output=True,
            check=False,
        )
    return None if probe.returncode == 0 else "this clang has no libFuzzer (Debian: package libclang-rt-dev)"


def build(jobs: int) -> list[Path]:
    """Configure and build the preset `fuzz`; the programs it made."""
    tools = Path(sys.executable).parent
    configure = [
        tools / "cmake",
        f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}",
        "--preset",
        "fuzz",
        "--log-level=WARNING",
    ]
    subprocess.run(configure, cwd=REPO, check=True)
    subprocess.run([tools / "cmake", "--build", BUILD, "--parallel", str(jobs)], cwd=REPO, check=True)
    return sorted(p for p in (BUILD / "fuzzers").glob("*") if p.is_file() and os.access(p, os.X_OK))


def fuzz(target: Path, seconds: int) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Run one target for `seconds`; what it found is left beside its corpus."""
    corpus = BUILD / "corpus" / target.name
    findings = BUILD / "findings" / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    seeds = [str(SEEDS / target.name)] if (SEEDS / target.name).is_dir() else []
    command = [
        str(target),
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        "-timeout=10",
        "-print_final_stats=1",
        f"-artifact_prefix={findings}/",
        str(corpus),
        *seeds,
    ]
    return target, subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")


def executions(log: str) -> str:
    """How often the target was run, from libFuzzer's closing statistics."""
    for line in log.splitlines():
        if line.startswith("stat::number_of_executed_units:"):
            return line.split(":")[-1].strip()
    return "?"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default 60)")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time")
    parser.add_argument(
        "--optional", action="store_true", help="without clang's libFuzzer: say so and succeed"
    )
    arguments = parser.parse_args()

    reason = why_not()
    if reason is not None:
        print(f"Fuzzing {'skipped' if arguments.optional else 'is not possible'}: {reason}.")
        return 0 if arguments.optional else 1
    targets = build(arguments.jobs)
    if not targets:
        print("No fuzz targets were built.", file=sys.stderr)
        return 1
    failed = 0
    with ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for target, result in pool.map(lambda t: fuzz(t, arguments.seconds), targets):
            if result.returncode == 0:
                print(f"{target.name}: {executions(result.stderr)} inputs, nothing found")
            else:
                failed += 1
                print(
                    f"{target.name}: FAILED (exit {result.returncode})\n{result.stderr[-4000:]}",
                    file=sys.stderr,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
