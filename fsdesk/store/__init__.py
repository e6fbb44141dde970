"""The project file and the one thread that writes to it."""

from fsdesk.store.journal import Journal
from fsdesk.store.lock import Lock, LockOwner
from fsdesk.store.project import SUFFIX, Evidence, Listing, Project, StoredRun

__all__ = ["SUFFIX", "Evidence", "Journal", "Listing", "Lock", "LockOwner", "Project", "StoredRun"]
