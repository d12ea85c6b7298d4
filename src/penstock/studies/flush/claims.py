"""What the paper states, claim by claim."""

from penstock.studies.claim import Claim
from penstock.studies.flush.claims_adapting import ADAPTING
from penstock.studies.flush.claims_floor import FLOOR
from penstock.studies.flush.claims_model import MODEL
from penstock.studies.flush.claims_scale import SCALE

CLAIMS: tuple[Claim, ...] = (*MODEL, *FLOOR, *ADAPTING, *SCALE)
"""In the paper's order; the last two go beyond it."""
