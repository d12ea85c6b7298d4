"""What bulk transfer costs here: bytes of RAM and of code for the ATmega128, and for a Cortex-M4.

From docs/footprint.md, which `make footprint` writes; a test holds the two together.
"""

OURS: dict[str, tuple[int, int, int, int]] = {}
"""By part: RAM and code on the ATmega128, RAM and code on the Cortex-M4."""
