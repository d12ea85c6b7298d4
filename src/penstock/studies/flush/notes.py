"""By claim: what was tried and what would explain it where it does not come out."""

from collections.abc import Mapping

NOTES: Mapping[str, str] = {}
