"""How long a scenario's frames are."""

from penstock import _engine
from penstock.scenario import Scenario

DATA_OVERHEAD = 19
"""MAC header 9 bytes, common header 2, data header 6, check sequence 2 (docs/spec.md)."""
PATH_BYTES = 2
"""CTP's path ETX."""


def frame_bytes(scenario: Scenario) -> int:
    """The longest frame, MAC header to check sequence, in bytes.

    That is `mac.max_frame_bytes`, if the scenario says it; then a strategy whose fields leave no room in it
    is an error. Else it is the MAC's usual length, and for a strategy whose fields do not fit beside the
    payload longer by those fields, so that any strategy can take the place of any other: it carries the same
    payload as one without fields, and pays for its fields with time on air.
    """
    usual = scenario.mac.max_frame_bytes
    if "max_frame_bytes" in scenario.mac.model_fields_set:
        return usual
    fields = _engine.strategy_header_bytes(scenario.congestion.control)
    bare = DATA_OVERHEAD + (PATH_BYTES if scenario.routing.kind == "ctp" else 0)
    payload = getattr(scenario.traffic, "payload_bytes", None) or 1
    fits_but_for_fields = bare + payload <= usual < bare + fields + payload
    return usual + fields if fits_but_for_fields else usual
