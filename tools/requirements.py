"""Print the requirements that pyproject.toml names under the given headings, one a line, for pip's -r.

`build` is what builds the package ([build-system]), `runtime` is [project] dependencies, any other word is an
extra.
"""

import sys
import tomllib
from pathlib import Path


def requirements(pyproject: Path, headings: list[str]) -> list[str]:
    """The requirement lines under `headings`; KeyError names one that is not there."""
    table = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    groups: dict[str, list[str]] = {
        "build": table["build-system"]["requires"],
        "runtime": table["project"]["dependencies"],
        **table["project"]["optional-dependencies"],
    }
    return [line for heading in headings for line in groups[heading]]


if __name__ == "__main__":
    print("\n".join(requirements(Path(__file__).parents[1] / "pyproject.toml", sys.argv[1:])))
