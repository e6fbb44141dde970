"""The small dialogs: close and about. Neither blocks the window."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.icons import pixmap
from fsdesk.app.parts import button, label, named, row
from fsdesk.app.tokens import SPACE, Tokens
from fsdesk.app.translation import tr

__all__ = ["AboutDialog", "CloseDialog", "framed"]

_LIBRARIES = ("fsdesk", "PySide6-Essentials", "pyqtgraph", "numpy", "numba", "scikit-learn", "pandas", "scipy")


def framed(dialog: QDialog, title: str, width: int) -> QVBoxLayout:
    """Give a dialog its title, its margins and its end; return the layout to fill."""
    dialog.setWindowTitle(title)
    dialog.setMinimumWidth(width)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
    layout.setSpacing(12)
    return layout


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
            said.append(
                tr("It will be stopped in order. Nothing measured is lost: open the project again to resume it.")
            )
        if kept is not None:
            said.append(tr("Nothing is lost: the project is kept as {path} and found under Recent.", path=kept))
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


class AboutDialog(QDialog):
    """What this program is, and the versions that a report of a problem should name."""

    def __init__(self, parent: QWidget, tokens: Tokens) -> None:
        super().__init__(parent)
        self.setObjectName("aboutDialog")
        layout = framed(self, "About fsdesk", 420)
        mark = QLabel()
        mark.setPixmap(pixmap("../fsdesk", tokens.text, 64, self.devicePixelRatioF()))
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(label("fsdesk", "display"))
        texts.addWidget(label("A desk for wrapper feature selection", "muted"))
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(mark)
        head.addLayout(texts, 1)
        layout.addLayout(head)
        lines = [f"{library} {_version(library)}" for library in _LIBRARIES]
        versions = label("\n".join([f"Python {python_version()}", *lines]), "muted")
        versions.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        named(versions, "versions", "Versions")
        layout.addWidget(versions)
        close = button("Close", "aboutClose", "primary")
        close.clicked.connect(self.accept)
        layout.addLayout(row(None, close))


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "(not installed)"
