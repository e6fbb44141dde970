"""The small dialogs: close and about. Neither blocks the window."""

from importlib.metadata import PackageNotFoundError, version
from platform import python_version

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.icons import pixmap
from fsdesk.app.parts import button, label, named, row
from fsdesk.app.tokens import SPACE, Tokens

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
    """Asked when the window is closed while a run goes on; accepted means to stop it and go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("closeDialog")
        layout = framed(self, "Close fsdesk", 440)
        layout.addWidget(label("A run is going on", "title"))
        self.words = label(
            "It will be stopped in order. Nothing measured is lost: open the project again to resume it.", wrap=True
        )
        layout.addWidget(self.words)
        layout.addSpacing(SPACE)
        leave = button("Stop and close", "closeLeave", "primary")
        leave.setDefault(True)
        leave.clicked.connect(self.accept)
        stay = button("Keep running", "closeStay")
        stay.clicked.connect(self.reject)
        layout.addLayout(row(None, stay, leave))


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
