"""Settings are kept as they change, and restored when their table is opened again."""

from PySide6.QtCore import QObject, QTimer

from fsdesk.app.forms.setup import Setup, differences, fitted
from fsdesk.app.forms.setup_panel import SetupPanel
from fsdesk.app.session.session import Session
from fsdesk.app.session.table_loader import Last
from fsdesk.data import Choices
from fsdesk.errors import SettingsError
from fsdesk.messages import tr, translated
from fsdesk.results.settings_file import parsed_settings, settings_text

__all__ = ["LastSettings"]


_PAUSE_MS = 1000
_MOST_NAMED = 3


class LastSettings(QObject):
    """Watches the panel and the choices of columns."""

    def __init__(self, session: Session, panel: SetupPanel) -> None:
        super().__init__(panel)
        self._session, self._panel = session, panel
        self._fresh: tuple[Setup, Choices] | None = None
        self._key = ""
        self._pending: tuple[str, Last | None] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.keep)
        session.loader.table_changed.connect(self._on_table)
        session.loader.dataset_changed.connect(self._on_dataset)
        panel.plan_changed.connect(self._on_change)

    def _on_table(self) -> None:
        self.keep()  # of the table before
        self._fresh, self._key = None, ""

    def _on_dataset(self) -> None:
        session = self._session
        if session.loader.dataset is None or not session.loader.key:
            return
        if self._fresh is None:
            self._key = session.loader.key
            self._fresh = (self._panel.setup, session.loader.fresh_choices)
            self._restore()
        self._on_change()

    def _restore(self) -> None:
        """Show what was set last, and say so."""
        session, panel, last = self._session, self._panel, self._session.loader.last
        if last is None or self._fresh is None:
            return
        before, said = panel.setup, list[str]()
        try:
            setup, said = fitted(parsed_settings(last.settings, session.loader.key), before, session.loader.dataset)
        except SettingsError as error:
            why = translated(str(error))
            words = tr("The settings of the last session are not used: {error}", error=why)
            session.tasks.message.emit("warning", words, "", "settings")
            return
        known = set(session.loader.dataset.features) if session.loader.dataset is not None else set()
        start = last.start if set(last.start) <= known else ()
        panel.restore(Setup(**{**vars(setup), "preset": last.preset, "start": start, "source": last.source}))
        changes = differences(before, panel.setup)
        columns = session.loader.choices != session.loader.fresh_choices
        if not changes and not columns:
            return
        shown = changes[:_MOST_NAMED] + (
            [tr("{count} more", count=len(changes) - _MOST_NAMED)] if changes[_MOST_NAMED:] else []
        )
        if columns:
            shown.append(tr("what columns are for"))
        sentence = tr("Back from your last session with this table: {what}.", what=", ".join(shown))
        if changes:
            said = [tr("Reset settings takes you to the preset."), *said]
        session.tasks.message.emit("info", " ".join([sentence, *said]), "", "settings")

    def _on_change(self) -> None:
        session, key = self._session, self._key
        if self._fresh is None or not key or key != session.loader.key:
            return
        setup, choices = self._panel.setup, session.loader.choices
        fresh = (setup, choices) == self._fresh
        last = None if fresh else Last(
            choices, settings_text(setup.request), setup.preset, setup.start, setup.source
        )  # fmt: skip
        self._pending = (key, last)
        self._pause.start()

    def keep(self) -> None:
        """Write what is set now, if it is anything else than what the table brings with it."""
        self._pause.stop()
        pending, self._pending = self._pending, None
        session = self._session
        if pending is None or session.tasks.closed:
            return
        key, last = pending
        # No errand: one that is begun while the window closes would be cancelled.
        if last is None:
            session.tasks.disk.submit(session.loader.remembered.forget, key)
        else:
            session.tasks.disk.submit(session.loader.remembered.write, key, last)
