"""Errors that a user can cause, each with a message that says what is wrong, where, and what to do."""

import errno
import os
import sys
from collections.abc import Iterable
from difflib import get_close_matches

from fsdesk.messages import Message, message, quoted


class UserError(ValueError):
    """Base of all errors that a user can cause; ``str(error)`` is the message to show.

    Parameters
    ----------
    template, values
        As in :func:`fsdesk.messages.message`: ``DataError('"{name}" has no rows; choose another file.', name=name)``.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template if isinstance(template, Message) else message(template, **values))


class DataError(UserError):
    """A table cannot be read or used."""


class SettingsError(UserError):
    """A setting, method or wrapper is unknown or out of bounds."""


class ProjectError(UserError):
    """A project file cannot be opened, read or written."""


class WorkerError(UserError):
    """A worker process died or could not be started."""


class WrapperError(UserError):
    """A model could not be trained or could not predict."""


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Up to three existing names that are most like an unknown one, ignoring case."""
    folded: dict[str, list[str]] = {}
    for each in known:
        folded.setdefault(each.strip().casefold(), []).append(each)
    near = get_close_matches(name.strip().casefold(), list(folded), 3, 0.6)
    return [each for key in near for each in folded[key]][:3]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence suggesting the names closest to an unknown one, with a leading space; "" if there are none."""
    near = close_names(name, known)
    return message(" Did you mean {near}?", near=quoted(near)) if near else ""


def callers_level() -> int:
    """The ``stacklevel`` with which a warning issued here names the line of the user's own code."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "fsdesk":
        level, frame = level + 1, frame.f_back
    return level


def lacks_handles(error: BaseException) -> bool:
    """Whether an error was caused by the limit on open files; it would otherwise be blamed on the next file opened."""
    numbers = (errno.EMFILE, errno.ENFILE)
    return getattr(error, "errno", None) in numbers or any(os.strerror(each) in str(error) for each in numbers)
