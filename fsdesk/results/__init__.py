"""What a run found: results, exports, report."""

from fsdesk.results.exports import EXPORTS, STANDARD, export
from fsdesk.results.progress import Callback, Progress
from fsdesk.results.result import Result, select

__all__ = ["EXPORTS", "STANDARD", "Callback", "Progress", "Result", "export", "select"]
