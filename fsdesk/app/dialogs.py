"""The few dialogs: export, help, about. None of them blocks the window."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.actions import COMMANDS
from fsdesk.app.icons import pixmap
from fsdesk.app.parts import button, label, named, row
from fsdesk.app.places import resource
from fsdesk.app.tokens import SPACE, Tokens

__all__ = ["AboutDialog", "CloseDialog", "ExportDialog", "HelpDialog"]

_FILES = {
    "selected.txt": "The names of the selected features, one a line",
    "mask.csv": "Every feature: selected or not, weight, frequency",
    "report.html": "A short report with the curve, to read and to send",
    "result.json": "All numbers and settings, for programs",
}
_LIBRARIES = ("fsdesk", "PySide6-Essentials", "pyqtgraph", "numpy", "numba", "scikit-learn", "pandas", "scipy")


def _frame(dialog: QDialog, title: str, width: int) -> QVBoxLayout:
    dialog.setWindowTitle(title)
    dialog.setMinimumWidth(width)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
    layout.setSpacing(12)
    return layout


class ExportDialog(QDialog):
    """Which files, and where to; ``chosen`` tells the folder and the names."""

    chosen = Signal(Path, tuple)

    def __init__(self, parent: QWidget, folder: Path) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        layout = _frame(self, "Export results", 480)
        layout.addWidget(label("Export results", "title"))
        self.boxes: dict[str, QCheckBox] = {}
        for name, text in _FILES.items():
            box = QCheckBox(name)
            box.setChecked(True)
            named(box, f"export_{name}", f"{name}: {text}")
            box.toggled.connect(self._look)
            layout.addWidget(box)
            line = label(text, "caption")
            line.setContentsMargins(3 * SPACE, 0, 0, 4)
            layout.addWidget(line)
            self.boxes[name] = box
        self.folder = QLineEdit(str(folder))
        named(self.folder, "exportFolder", "Folder to write to")
        self.folder.textChanged.connect(self._look)
        browse = button("Browse …", "exportBrowse")
        browse.clicked.connect(self._browse)
        layout.addWidget(label("Folder", "heading"))
        layout.addLayout(row(self.folder, browse))
        self.ok = button("Export", "exportNow", "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self._accept)
        cancel = button("Cancel", "exportCancel")
        cancel.clicked.connect(self.reject)
        layout.addSpacing(SPACE)
        layout.addLayout(row(None, cancel, self.ok))
        self._look()

    def _look(self) -> None:
        self.ok.setEnabled(bool(self.folder.text().strip()) and any(box.isChecked() for box in self.boxes.values()))

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Folder to write to", self.folder.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.folder.setText)
        dialog.open()

    def _accept(self) -> None:
        names = tuple(name for name, box in self.boxes.items() if box.isChecked())
        self.chosen.emit(Path(self.folder.text().strip()).expanduser(), names)
        self.accept()


class CloseDialog(QDialog):
    """Asked when the window is closed while a run goes on; accepted means to stop it and go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("closeDialog")
        layout = _frame(self, "Close fsdesk", 440)
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


class HelpDialog(QDialog):
    """The help page, with the list of keys made from the commands."""

    def __init__(self, parent: QWidget, tokens: Tokens) -> None:
        super().__init__(parent)
        self.setObjectName("helpDialog")
        layout = _frame(self, "How it works", 640)
        self.resize(680, 640)
        page = QTextBrowser()
        named(page, "helpText", "Help")
        page.setOpenExternalLinks(True)
        page.setFrameShape(QTextBrowser.Shape.NoFrame)
        rows = "".join(
            f"<tr><td><b>{', '.join(command.keys)}</b>&nbsp;&nbsp;&nbsp;</td>"
            f"<td>{command.tip or command.text.replace('&', '').replace(' …', '')}</td></tr>"
            for command in COMMANDS
            if command.keys
        )
        text = resource("help.html").read_text(encoding="utf-8")
        for name, value in {**tokens.colours(), "keys": rows}.items():
            text = text.replace(f"${name};", value)
        page.setHtml(text)
        layout.addWidget(page, 1)
        close = button("Close", "helpClose", "primary")
        close.clicked.connect(self.accept)
        layout.addLayout(row(None, close))


class AboutDialog(QDialog):
    """What this program is, and the versions that a report of a problem should name."""

    def __init__(self, parent: QWidget, tokens: Tokens) -> None:
        super().__init__(parent)
        self.setObjectName("aboutDialog")
        layout = _frame(self, "About fsdesk", 420)
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
