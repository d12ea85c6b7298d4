"""The tables beside the claims."""

from penstock.studies.flush.choices import CHOICE_SECTIONS
from penstock.studies.flush.tables_beyond import BEYOND_SECTIONS
from penstock.studies.flush.tables_paper import PAPER_SECTIONS
from penstock.studies.flush.tables_readings import READING_SECTIONS
from penstock.studies.section import Section

SECTIONS: tuple[Section, ...] = (
    *CHOICE_SECTIONS,
    *PAPER_SECTIONS,
    *BEYOND_SECTIONS,
    *READING_SECTIONS,
)
