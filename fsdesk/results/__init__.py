"""What a run found: results, exports, report."""

from fsdesk.results.exports import EXPORTS, STANDARD, export
from fsdesk.results.result import Callback, Progress, Result, select

__all__ = ["EXPORTS", "STANDARD", "Callback", "Progress", "Result", "export", "select"]
