"""How the file is read: the choices that matter for its kind, and reading it again."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout

from fsdesk.app.parts import Card, button, row
from fsdesk.app.settings_form import SettingsForm
from fsdesk.data import ReadOptions
from fsdesk.data.packed import PACKED_SUFFIXES

__all__ = ["ReadingCard", "fitting_settings"]

_FORM_WIDTH = 232
_GEO = "series_matrix"  # how GEO calls its files, which name their columns themselves
_TEXT_FILES = frozenset(("delimiter", "decimal", "encoding", "header", "orientation", "labels", "row_ids"))
_FITTING = {
    ".arff": ("encoding", "labels"),
    ".parquet": ("orientation", "row_ids", "labels"),
    **dict.fromkeys((".h5", ".hdf5", ".hdf", ".mat"), ("part", "orientation", "labels")),
    **dict.fromkeys((".rdata", ".rda", ".rds"), ("part", "orientation", "row_ids", "labels")),
    **dict.fromkeys((".gct", ".libsvm", ".svm", ".svmlight"), ("encoding", "labels")),
    **dict.fromkeys(
        (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), ("header", "orientation", "labels", "sheet", "row_ids")
    ),
}


def fitting_settings(name: str) -> frozenset[str]:
    """Names of the ways of reading that matter for a file of this name; of a packed one, for what is inside."""
    inner = Path(name.lower())
    if inner.suffix in PACKED_SUFFIXES:
        inner = inner.with_suffix("")
    if inner.stem.endswith(_GEO):
        return frozenset(_FITTING[".gct"])
    return frozenset(_FITTING.get(inner.suffix, _TEXT_FILES))


class ReadingCard(Card):
    """The form; ``wanted`` tells that the file should be read again."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__("Reading the file")
        self._path: Path | None = None
        self.form = SettingsForm("read", ReadOptions.describe(), wide=_FORM_WIDTH)
        self.browse = button("Browse …", "browseLabels", spoken="Choose the file with the labels")
        self.browse.clicked.connect(self._browse)
        self._place_browse()
        self.again = button("Read again", "readAgain")
        self.again.clicked.connect(self.wanted)
        self.body.addWidget(self.form)
        self.body.addLayout(row(None, self.again))
        self.show_file(None, ReadOptions())

    def _place_browse(self) -> None:
        """Put the button beside the field of the labels file."""
        field, layout = self.form.fields["labels"].widget, self.form.layout()
        assert isinstance(layout, QVBoxLayout)
        assert isinstance(field, QLineEdit)
        place = layout.indexOf(field)
        layout.removeWidget(field)
        layout.insertLayout(place, row(field, self.browse))
        field.setPlaceholderText("None")

    def show_file(self, path: Path | None, options: ReadOptions) -> None:
        """Show how a file was read; nothing for what is no file."""
        self._path = path
        self.setVisible(path is not None)
        self.form.setEnabled(path is not None)
        if path is not None:
            self.form.put(options.model_dump())
            self.form.hide_idle(frozenset(self.form.fields) - fitting_settings(path.name))

    @property
    def options(self) -> ReadOptions:
        """What is chosen now."""
        return ReadOptions().updated(self.form.values())

    def _browse(self) -> None:
        folder = self._path.parent if self._path is not None else Path.home()
        dialog = QFileDialog(self, "Choose the file with the labels", str(folder))
        dialog.setObjectName("labelsDialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.form.put({"labels": name}))
        dialog.open()
