"""What was last chosen for each table, in one small file for each."""

import hashlib
import json
import logging
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from fsdesk.data import Choices, Table

__all__ = ["Last", "Remembered", "choices_fitting"]

_MOST = 200
"""Tables that are remembered; the ones that were opened longest ago are forgotten."""


@dataclass(frozen=True)
class Last:
    """What was chosen in the last session.

    Attributes
    ----------
    choices
        What the columns are for.
    settings
        Text of a settings file.
    preset, start, source
        As :class:`fsdesk.app.forms.setup.Setup` has them.
    """

    choices: Choices = field(default_factory=Choices)
    settings: str = ""
    preset: str = ""
    start: tuple[str, ...] = ()
    source: str = ""


class Remembered:
    """Files in ``folder/tables``, named after what was opened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "tables"

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"

    def read(self, key: str) -> Last | None:
        """What was last chosen for a table; None where nothing was, or nothing that can be read."""
        try:
            return TypeAdapter(Last).validate_json(self._path(key).read_bytes()) if key else None
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            logging.getLogger("fsdesk.app").warning("the last settings of %s cannot be read: %s", key, error)
            return None

    def write(self, key: str, last: Last) -> None:
        """Keep what is chosen for a table; a disk that cannot be written is for the log: nothing else is at stake."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._path(key).write_text(json.dumps({"table": key, **asdict(last)}), encoding="utf-8")
            for old in sorted(self._folder.glob("*.json"), key=lambda path: -path.stat().st_mtime)[_MOST:]:
                old.unlink(missing_ok=True)
        except OSError as error:
            logging.getLogger("fsdesk.app").warning("the settings of %s cannot be kept: %s", key, error)

    def forget(self, key: str) -> None:
        """Nothing is chosen for a table any more."""
        try:
            self._path(key).unlink(missing_ok=True)
        except OSError as error:
            logging.getLogger("fsdesk.app").warning("the settings of %s cannot be forgotten: %s", key, error)


def choices_fitting(choices: Choices, table: Table) -> Choices | None:
    """The choices without columns that the table has not; None where it has not the target."""
    known = frozenset(table.columns)
    if choices.target not in known:
        return None
    ignore, keep = (tuple(name for name in names if name in known) for names in (choices.ignore, choices.keep))
    group, folds, time = (name if name in known else None for name in (choices.group, choices.folds, choices.time))
    return replace(choices, ignore=ignore, keep=keep, group=group, folds=folds, time=time)
