"""What the thesis states, claim by claim."""

from penstock.studies.claim import Claim
from penstock.studies.fusion.claims_other import OTHER
from penstock.studies.fusion.claims_periodic import PERIODIC

CLAIMS: tuple[Claim, ...] = (*PERIODIC, *OTHER)
"""The thesis's claims, in the order of its figures."""
