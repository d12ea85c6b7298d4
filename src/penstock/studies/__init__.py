"""Papers as code: their experiments, their figures, their claims. `penstock reproduce` runs them."""

import difflib
from importlib import import_module
from typing import cast

from penstock.errors import BadInput
from penstock.studies.study import Study

STUDIES = ("fusion", "wrcp", "flush")
"""The studies there are; each is a module of this package with a STUDY."""


def find_study(name: str) -> Study:
    """The study of that name. BadInput that lists those there are when there is none."""
    if name not in STUDIES:
        close = difflib.get_close_matches(name, STUDIES, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise BadInput(f"there is no study {name!r}.{meant} The studies are: {', '.join(STUDIES)}")
    return cast(Study, import_module(f"penstock.studies.{name}").STUDY)


def all_studies() -> list[Study]:
    """Every study there is, in the order of STUDIES."""
    return [find_study(name) for name in STUDIES]
