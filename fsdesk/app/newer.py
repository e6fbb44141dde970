"""The notice of a newer version: only if enabled by the user, and at most once a week."""

import json
import logging
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from importlib.metadata import version

from PySide6.QtCore import QObject, QSettings, QUrl
from PySide6.QtGui import QAction

from fsdesk.app.bars import MessageBar
from fsdesk.app.session.background import BackgroundTasks
from fsdesk.data.readers.download import open_encrypted, pieces
from fsdesk.messages import tr

_ADDRESS = "https://pypi.org/pypi/fsdesk/json"
_WANTED, _LOOKED, _NOTED = "newer/wanted", "newer/looked", "newer/noted"
_WEEK = timedelta(days=7)
_RIPE = timedelta(days=7)  # age from which a release is announced; a newer one may still be withdrawn
_MOST_BYTES = 5_000_000
_FINAL = re.compile(r"\d+(\.\d+)*")


def fetched() -> bytes:
    """The package index's entry for fsdesk; the request names only the program."""
    said = b""
    with open_encrypted(_ADDRESS) as response:
        for piece, _ in pieces(response, "versions"):
            said += piece
            if len(said) > _MOST_BYTES:
                raise ValueError("size")
    return said


def ripe_version(content: bytes, today: date) -> str:
    """The newest final version published at least a week ago and not withdrawn; "" if there is none.

    Raises
    ------
    ValueError, TypeError
        If the content is not an entry of the index.
    """
    said = json.loads(content)
    releases = said.get("releases") if isinstance(said, dict) else None
    if not isinstance(releases, dict):
        raise TypeError("releases")
    found = [
        name
        for name, files in releases.items()
        if _FINAL.fullmatch(name) and (days := _days_of(files)) and min(days) <= today - _RIPE
    ]
    return max(found, key=_order, default="")


def _days_of(files: object) -> list[date]:
    """Publication times of a release's files, except withdrawn ones."""
    if not isinstance(files, list):
        return []
    kept = [each for each in files if isinstance(each, dict) and not each.get("yanked")]
    return [datetime.fromisoformat(str(each["upload_time"])).date() for each in kept if "upload_time" in each]


def _order(name: str) -> tuple[int, ...]:
    return tuple(map(int, name.split(".")))


def is_newer(name: str, own: str) -> bool:
    """Whether a final version is newer than the current one, which may have letters after its numbers."""
    numbers = re.match(_FINAL, own)
    return bool(name) and numbers is not None and _order(name) > _order(numbers[0])


class VersionNotice(QObject):
    """Connects the switch in the preferences, and checks once the window has appeared."""

    def __init__(
        self, store: QSettings, tasks: BackgroundTasks, messages: MessageBar, switch: QAction, page: Callable[[], str]
    ) -> None:
        super().__init__()
        self._store, self._tasks, self._messages, self._page = store, tasks, messages, page
        self.fetch: Callable[[], bytes] = fetched
        self.own, self.today = version("fsdesk"), date.today
        switch.setChecked(store.value(_WANTED, "no") == "yes")
        switch.toggled.connect(self._choose)

    def _choose(self, wanted: bool) -> None:
        self._store.setValue(_WANTED, "yes" if wanted else "no")
        if wanted:
            self.look()

    @property
    def is_due(self) -> bool:
        """Whether the user enabled it, and a week has passed since the last check."""
        if self._store.value(_WANTED, "no") != "yes":
            return False
        try:
            last = date.fromisoformat(str(self._store.value(_LOOKED, "")))
        except ValueError:
            return True
        return not timedelta(0) <= self.today() - last < _WEEK

    def look(self) -> None:
        """Check in the background if due; errors are only logged."""
        if self.is_due:
            self._store.setValue(_LOOKED, self.today().isoformat())
            self._tasks.begin(self._look(), tr("looking for a newer version"), quietly=True)

    async def _look(self) -> None:
        try:
            found = ripe_version(await self._tasks.in_thread(self.fetch), self.today())
        except (OSError, ValueError, KeyError, TypeError) as error:
            logging.getLogger("fsdesk.app").info("no versions found: %s", error)
            return
        if is_newer(found, self.own) and self._store.value(_NOTED, "") != found:
            self._store.setValue(_NOTED, found)
            sentence = tr("fsdesk {version} is available; this is {own}.", version=found, own=self.own)
            self._messages.say("info", sentence, QUrl(self._page()), "newer")
