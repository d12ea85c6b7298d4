"""The tables beside the claims."""

from penstock.studies.fusion.tables_beyond import BEYOND_SECTIONS
from penstock.studies.fusion.tables_neighborhood import NEIGHBORHOOD_SECTIONS
from penstock.studies.fusion.tables_readings import READING_SECTIONS
from penstock.studies.fusion.tables_sites import SITE_SECTIONS
from penstock.studies.fusion.tables_thesis import THESIS_SECTIONS
from penstock.studies.section import Section

SECTIONS: tuple[Section, ...] = (
    *THESIS_SECTIONS,
    *BEYOND_SECTIONS,
    *NEIGHBORHOOD_SECTIONS,
    *READING_SECTIONS,
    *SITE_SECTIONS,
)
