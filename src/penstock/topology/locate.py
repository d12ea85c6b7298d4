"""Finds the file that a topology names."""

import os
from pathlib import Path, PurePath

from penstock.errors import MissingData

DATA_VARIABLE = "PENSTOCK_DATA"


def locate(file: str, folder: Path) -> Path:
    """The path of a topology file that a scenario in `folder` names.

    A relative path starts from the scenario's folder. When it is not there and the environment variable
    PENSTOCK_DATA names a folder of data sets, what follows the path's `data` folder is looked for in it:
    `../../shared/data/tossim-gain/grid.txt` becomes `$PENSTOCK_DATA/tossim-gain/grid.txt`. BadInput says
    where it looked and what to do.
    """
    tried = [folder / file]
    data = os.environ.get(DATA_VARIABLE)
    if data:
        tried.append(Path(data) / _within_data(file))
    for path in tried:
        if path.is_file():
            return path
    looked = " nor at ".join(str(path) for path in tried)
    raise MissingData(
        f"topology file not found at {looked}. This scenario needs data that is not part of Penstock: set "
        f"{DATA_VARIABLE} to the folder that holds {_within_data(file)}, or name your own file with "
        "--set topology.file=PATH"
    )


def _within_data(file: str) -> PurePath:
    parts = PurePath(file).parts
    if "data" in parts[:-1]:
        parts = parts[len(parts) - parts[::-1].index("data") :]
    return PurePath(*(part for part in parts if part not in ("..", "/")))
