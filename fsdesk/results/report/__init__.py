"""The report on a run: what it says is made once, and written as an HTML page or set as a PDF."""

from fsdesk.results.report.html import report_html
from fsdesk.results.report.pdf import report_pdf

__all__ = ["report_html", "report_pdf"]
