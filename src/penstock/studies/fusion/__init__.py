"""Fusion: B. W. Hull, *Techniques for Mitigating Congestion in Wireless Sensor Networks*, MIT 2004."""

from penstock.studies.fusion.claims import CLAIMS
from penstock.studies.fusion.experiments import EXPERIMENTS
from penstock.studies.fusion.figures import FIGURES
from penstock.studies.fusion.notes import NOTES
from penstock.studies.fusion.sections import SECTIONS
from penstock.studies.study import Study

STUDY = Study(
    "fusion",
    "Fusion: hop-by-hop flow control, source rate limiting and a prioritized MAC",
    "B. W. Hull, Techniques for Mitigating Congestion in Wireless Sensor Networks, Master's thesis, MIT 2004",
    EXPERIMENTS,
    CLAIMS,
    FIGURES,
    NOTES,
    SECTIONS,
    ("Fig. 5-2", "Fig. 5-3", "Fig. 5-9", "Fig. 5-11", "Fig. 5-15", "Fig. 5-16"),
)
