"""Tasks for worker processes that need results."""

from fsdesk.results.exports import export_task

__all__ = ["export_task"]
