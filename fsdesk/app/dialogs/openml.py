"""A data set of OpenML by its name or number: asked for, downloaded before one's eyes, opened."""

import asyncio

from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from fsdesk.app.dialogs.dialog import framed
from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import button, label, named, row
from fsdesk.data.readers.openml import Progress
from fsdesk.errors import UserError
from fsdesk.messages import mark, number, tr, translated

__all__ = ["OpenmlDialog"]

_WIDTH = 480
_MEGABYTE = 1e6
_INVITATION = mark(
    "OpenML keeps thousands of public data sets; find them at www.openml.org. What you open is downloaded once "
    "and kept on this computer."
)


class OpenmlDialog(QDialog):
    """Name or number, progress, and a sentence where it cannot be had; closed when the table is open."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent)
        self._session = session
        self._work: asyncio.Task[None] | None = None
        self._gone = False
        self.setObjectName("openmlDialog")
        self.wanted = QLineEdit()
        self.wanted.setPlaceholderText(tr("Name or number, such as iris or 61"))
        named(self.wanted, "openmlWanted", tr("Name or number of the data set"))
        self.wanted.textChanged.connect(self._look)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        named(self.bar, "openmlProgress", tr("Progress of the download"))
        self.status = label("", "caption", wrap=True)
        self.trouble = label("", wrap=True)
        named(self.trouble, "openmlTrouble", tr("What went wrong"))
        self._frame = QFrame()
        self._frame.setProperty("message", "error")
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(12, SPACE, 12, SPACE)
        inside.addWidget(self.trouble)
        self.ok = button(tr("Open"), "openmlOpen", "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self._begin)
        self.cancel = button(tr("Cancel"), "openmlCancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self._cancel)
        self._lay_out()
        self._show_rest("")

    def _lay_out(self) -> None:
        layout = framed(self, tr("Open from OpenML"), _WIDTH)
        title = label(tr("Data set"), "heading")
        title.setBuddy(self.wanted)
        for widget in (
            label(tr("Open from OpenML"), "title"),
            label(tr(_INVITATION), "muted", wrap=True),
            title,
            self.wanted,
            self.bar,
            self.status,
            self._frame,
        ):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addLayout(row(None, self.cancel, self.ok))

    def _look(self) -> None:
        self.ok.setEnabled(self._work is None and bool(self.wanted.text().strip()))

    def _show_rest(self, trouble: str, status: str = "") -> None:
        """Show that nothing is being done, and what went wrong before."""
        self._work = None
        self.wanted.setEnabled(True)
        self.bar.hide()
        self.status.setText(status)
        self.status.setVisible(bool(status))
        self.trouble.setText(trouble)
        self._frame.setVisible(bool(trouble))
        self._look()
        self.adjustSize()
        self.wanted.setFocus()

    def _begin(self) -> None:
        wanted = self.wanted.text().strip()
        self._session.tasks.begin(self._fetch(wanted), tr("opening {name} from OpenML", name=wanted), subject="open")

    async def _fetch(self, wanted: str) -> None:
        self._work = asyncio.current_task()
        self.ok.setEnabled(False)
        self.wanted.setEnabled(False)
        self._frame.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        self.status.show()
        self.status.setText(tr("Asking OpenML …"))
        try:
            await self._session.loader.open_openml(wanted, self._show_progress)
        except asyncio.CancelledError:
            if not self._gone:
                self._show_rest("", tr("The download was stopped; nothing of it was kept."))
        except UserError as error:
            if self._session.loader.refusal == translated(str(error)):  # the table is open, another target will do
                self.accept()
                raise
            if not self._gone:
                self._show_rest(translated(str(error)))
        else:
            self.accept()

    def _show_progress(self, progress: Progress) -> None:
        if self._gone or self._work is None:
            return
        so_far = number(progress.done / _MEGABYTE, ".1f")
        # Qt counts in 32 bits, a download may be longer.
        self.bar.setRange(0, 1000 if progress.total else 0)
        if progress.total:
            self.bar.setValue(round(1000 * progress.done / progress.total))
            so_far = tr("{done} of {total:.1f}", done=so_far, total=progress.total / _MEGABYTE)
        self.status.setText(tr("Downloading from OpenML: {done} MB", done=so_far))

    def _cancel(self) -> None:
        if self._work is None:
            self.reject()
        else:
            self._work.cancel()

    def done(self, result: int) -> None:
        """Close, and end a download that nobody waits for any more."""
        self._gone = True
        if result == QDialog.DialogCode.Rejected and self._work is not None:
            self._work.cancel()
        super().done(result)
