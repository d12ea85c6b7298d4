"""Flush: S. Kim and others, *Flush: A Reliable Bulk Transport Protocol for Multihop Wireless Networks*,
SenSys 2007."""

from penstock.studies.flush.claims import CLAIMS
from penstock.studies.flush.experiments import EXPERIMENTS
from penstock.studies.flush.figures import FIGURES
from penstock.studies.flush.notes import NOTES
from penstock.studies.flush.sections import SECTIONS
from penstock.studies.study import Study

STUDY = Study(
    "flush",
    "Flush: reliable bulk transfer at the rate the path itself sustains",
    "S. Kim, R. Fonseca, P. Dutta, A. Tavakoli, D. Culler, P. Levis, S. Shenker and I. Stoica, Flush: A "
    "Reliable Bulk Transport Protocol for Multihop Wireless Networks, SenSys 2007",
    EXPERIMENTS,
    CLAIMS,
    FIGURES,
    NOTES,
    SECTIONS,
    ("Fig. 7", "Fig. 8a", "Fig. 9", "Fig. 10", "Fig. 11", "Fig. 14", "Fig. 17", "Fig. 18", "Fig. 21"),
)
