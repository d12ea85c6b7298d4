"""WRCP: A. Sridharan and B. Krishnamachari, *Explicit and Precise Rate Control for WSNs*, SenSys 2009."""

from penstock.studies.study import Study
from penstock.studies.wrcp.claims import CLAIMS
from penstock.studies.wrcp.experiments import EXPERIMENTS
from penstock.studies.wrcp.figures import FIGURES
from penstock.studies.wrcp.notes import NOTES
from penstock.studies.wrcp.sections import SECTIONS

STUDY = Study(
    "wrcp",
    "WRCP: explicit max-min fair rates from what receivers can take",
    "A. Sridharan and B. Krishnamachari, Explicit and Precise Rate Control for Wireless Sensor Networks, "
    "SenSys 2009",
    EXPERIMENTS,
    CLAIMS,
    FIGURES,
    NOTES,
    SECTIONS,
    (
        "Fig. 1 rate",
        "Fig. 2 rate",
        "Fig. 4",
        "Fig. 8 variance, level 10",
        "Fig. 10 goodput",
        "Fig. 10 delay",
        "Fig. 16 ifrc",
        "Fig. 16 wrcp",
        "Fig. 18 packets",
        "Fig. 20 ifrc",
        "Fig. 20 wrcp",
    ),
)
