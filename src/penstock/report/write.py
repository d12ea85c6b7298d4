"""How a page is put together from its template and written: one file that needs nothing else."""

import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from penstock.errors import BadInput
from penstock.report.chart import plotly_script


def filled(
    template: str, content: Mapping[str, Any], styles: Sequence[str] = (), scripts: Sequence[str] = ()
) -> str:
    """The page as text. `styles`, `scripts`: files of this package beside those that every page has."""
    environment = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(
        **content,
        style=Markup("\n".join(_text(name) for name in ("style.css", *styles))),
        scripts=[Markup(_text(name)) for name in ("print.js", *scripts)],
        plotly=Markup(plotly_script()),
    )


def write_page(text: str, path: Path) -> None:
    """Write the page, whole or not at all. BadInput when it cannot be written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def _text(name: str) -> str:
    return (files("penstock.report") / name).read_text(encoding="utf-8")
