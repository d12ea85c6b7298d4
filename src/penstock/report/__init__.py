"""The report of an experiment: one HTML file that opens offline and prints.

`page` puts it together; `grid` decides what is drawn against what; `curves`, `distributions` and `map` draw;
`tables`, `headline` and `intro` say it in words.
"""

from penstock.report.page import write_report

__all__ = ["write_report"]
