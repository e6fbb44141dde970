"""What SQLite and the system say of a project file, in one sentence for the user."""

import json
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fsdesk.errors import ProjectError

__all__ = ["plain_words"]

_LITTLE_ROOM = 1 << 16


@contextmanager
def plain_words(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one sentence; raise it as ProjectError."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if "event" not in str(error):
            raise ProjectError(f'"{path}" does not hold what this belongs to ({error}): it is incomplete.') from error
        raise ProjectError(f'Another window has gone on with this run in "{path}": open the project again.') from error
    except sqlite3.OperationalError as error:
        text = str(error)
        if "full" in text or ("I/O" in text and shutil.disk_usage(path.parent).free < _LITTLE_ROOM):
            sentence = f'The disk with "{path}" is full: free some space; nothing logged is lost.'
        elif "locked" in text:
            sentence = f'"{path}" is being written by another program: close it there and try again.'
        elif "readonly" in text or "unable to open" in text:
            sentence = f'"{path}" cannot be written: choose a folder that you may write to.'
        else:
            sentence = f'"{path}" cannot be used ({text}): check the disk that it is on.'
        raise ProjectError(sentence) from error
    except (sqlite3.DatabaseError, zlib.error, json.JSONDecodeError) as error:
        raise ProjectError(
            f'"{path}" is damaged, cut short or not an fsdesk project: open a backup copy of it.'
        ) from error
    except OSError as error:
        raise ProjectError(f'"{path}" cannot be used ({error.strerror or error}): choose another folder.') from error
