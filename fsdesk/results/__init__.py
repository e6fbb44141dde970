"""What a run found: results, exports, report."""

from fsdesk.results.exports import EXPORTS, export
from fsdesk.results.result import Result, select

__all__ = ["EXPORTS", "Result", "export", "select"]
