"""The project file and the one thread that writes to it."""

from fsdesk.store.hold import Hold, Holder
from fsdesk.store.journal import Journal
from fsdesk.store.listing import Listing
from fsdesk.store.project import SUFFIX, Project, StoredRun

__all__ = ["SUFFIX", "Hold", "Holder", "Journal", "Listing", "Project", "StoredRun"]
