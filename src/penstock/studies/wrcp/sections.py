"""The tables beside the claims."""

from penstock.studies.section import Section
from penstock.studies.wrcp.choices import CHOICE_SECTIONS
from penstock.studies.wrcp.tables_beside import BESIDE_SECTIONS
from penstock.studies.wrcp.tables_paper import PAPER_SECTIONS
from penstock.studies.wrcp.tables_readings import READING_SECTIONS

SECTIONS: tuple[Section, ...] = (
    *CHOICE_SECTIONS,
    *PAPER_SECTIONS,
    *BESIDE_SECTIONS,
    *READING_SECTIONS,
)
