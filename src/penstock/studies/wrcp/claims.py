"""What the paper states, claim by claim."""

from penstock.studies.claim import Claim
from penstock.studies.wrcp.claims_dynamic import DYNAMIC
from penstock.studies.wrcp.claims_static import STATIC

CLAIMS: tuple[Claim, ...] = (*STATIC, *DYNAMIC)
"""In the paper's order."""
