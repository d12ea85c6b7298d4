"""The base of every scenario section: strict types, no unknown keys, no change after validation."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """One section of a scenario. A misspelt key or a value of another type is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
NodeName = Annotated[int | str, Field(union_mode="left_to_right")]
"""A node as its topology names it: a number (office floor, TOSSIM) or a host name (testbed lists)."""
