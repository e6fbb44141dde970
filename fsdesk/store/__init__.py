"""The project file and the single thread that writes to it."""

from fsdesk.store.journal import Journal
from fsdesk.store.lock import Lock, LockOwner
from fsdesk.store.project import RUN_FILE, SUFFIX, Described, Evidence, Listing, Project, StoredRun, project_in

__all__ = [
    "RUN_FILE",
    "SUFFIX",
    "Described",
    "Evidence",
    "Journal",
    "Listing",
    "Lock",
    "LockOwner",
    "Project",
    "StoredRun",
    "project_in",
]
