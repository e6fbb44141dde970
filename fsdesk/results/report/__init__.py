"""The report on a run: its sections are built once, and written as an HTML page or a PDF."""

from fsdesk.results.report.files import report_html, report_pdf

__all__ = ["report_html", "report_pdf"]
