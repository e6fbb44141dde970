"""What dialogs have in common, and the one that is asked on closing. None blocks the window."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QVBoxLayout, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.widgets import button, label, named, row
from fsdesk.messages import tr

__all__ = ["CloseDialog", "end_buttons", "framed", "opened_at"]

_FRAME = QSize(16, 48)  # pixels that the desktop puts around a window


class _Snug(QVBoxLayout):
    """Asks for the height that its texts take at the dialog's least width; Qt reckons with narrower, longer ones."""

    def _at_width(self, size: QSize, height: Callable[[int], int]) -> QSize:
        held = self.parentWidget()
        if held is None or not self.hasHeightForWidth():
            return size
        wide = max(size.width(), held.minimumWidth())
        return QSize(wide, height(wide))

    def minimumSize(self) -> QSize:
        """No less than is needed."""
        return self._at_width(super().minimumSize(), self.minimumHeightForWidth)

    def sizeHint(self) -> QSize:
        """No more either."""
        return self._at_width(super().sizeHint(), self.heightForWidth)


def framed(dialog: QDialog, title: str, width: int) -> QVBoxLayout:
    """Give a dialog its title, its margins and its end; return the layout to fill."""
    dialog.setWindowTitle(title)
    dialog.setMinimumWidth(min(width, _room(dialog).width()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    layout = _Snug(dialog)
    layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
    layout.setSpacing(12)
    return layout


def end_buttons(dialog: QDialog, layout: QVBoxLayout, words: str, name: str, cancel: str) -> QPushButton:
    """End a dialog with Cancel and the default button, named so; return that one, for the caller to connect."""
    agree = button(words, name, "primary")
    agree.setDefault(True)
    leave = button(tr("Cancel"), cancel)
    leave.clicked.connect(dialog.reject)
    layout.addLayout(row(None, leave, agree))
    return agree


def opened_at(dialog: QDialog, width: int, height: int) -> None:
    """Let a dialog open at this size, on a small or a scaled screen no larger than that has room for."""
    dialog.resize(QSize(width, height).boundedTo(_room(dialog)))


def _room(dialog: QDialog) -> QSize:
    return dialog.screen().availableGeometry().size() - _FRAME


class CloseDialog(QDialog):
    """Asked when the window is closed while something goes on or has no name yet; accepted means to go.

    Parameters
    ----------
    running
        Whether a run goes on, which would be stopped.
    kept
        Where the project is kept that was never saved under a name; None where it was.
    """

    save_wanted = Signal()

    def __init__(self, parent: QWidget, *, running: bool, kept: Path | None) -> None:
        super().__init__(parent)
        self.setObjectName("closeDialog")
        layout = framed(self, tr("Close fsdesk"), 440)
        title = tr("A run is going on") if running else tr("This project has no name of its own yet")
        layout.addWidget(label(title, "title"))
        said = []
        if running:
            said.append(tr("It will be stopped and can be resumed when you open the project again."))
        if kept is not None:
            said.append(tr('Nothing is lost: the project is kept as "{path}" and found under Recent.', path=kept))
        self.words = label("\n\n".join(said), wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.words)
        self.never = QCheckBox(tr("Do not ask again for projects without a name"))
        named(self.never, "closeNever", tr("Do not ask again for projects without a name"))
        self.never.setHidden(running)
        layout.addWidget(self.never)
        layout.addSpacing(SPACE)
        leave = button(tr("Stop and close") if running else tr("Close"), "closeLeave", "primary")
        leave.setDefault(True)
        leave.clicked.connect(self.accept)
        save = button(tr("Save as …"), "closeSave", spoken=tr("Save the project under a name, then close"))
        save.setHidden(kept is None)
        save.clicked.connect(self.reject)
        save.clicked.connect(self.save_wanted)
        stay = button(tr("Keep running") if running else tr("Cancel"), "closeStay")
        stay.clicked.connect(self.reject)
        layout.addLayout(row(stay, None, save, leave))
        leave.setFocus()
