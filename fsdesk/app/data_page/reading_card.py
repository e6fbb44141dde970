"""How the file is read: the choices that matter for its kind, and reading it again."""

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from fsdesk.app.dialogs.files import ask_file
from fsdesk.app.fields import Choice
from fsdesk.app.forms.settings_form import SettingsForm
from fsdesk.app.widgets import Card, button, label, named, row
from fsdesk.data import ReadOptions, Table, reader_of
from fsdesk.messages import tr

__all__ = ["ReadingCard", "fitting_settings", "part_field"]


_FORM_WIDTH, _TITLE_WIDTH = 232, 104
_PAUSE_MS = 500


def fitting_settings(name: str) -> frozenset[str]:
    """Names of the ways of reading that matter for a file of this name; of a packed one, for what is inside."""
    return frozenset(reader_of(name).options)


def part_field(path: Path | None) -> str:
    """The setting that names which table of a file is read."""
    return "sheet" if path is not None and "sheet" in fitting_settings(path.name) else "part"


class ReadingCard(Card):
    """The form, above it the tables of the file; ``wanted`` carries to read it again, by itself soon after a change."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Reading the file"))
        self._path: Path | None = None
        self._shown = ReadOptions()
        self.form = SettingsForm("read", ReadOptions.describe(), wide=_FORM_WIDTH, beside=_TITLE_WIDTH)
        self.browse = button(tr("Browse …"), "browseLabels", spoken=tr("Choose the file with the labels"))
        self.browse.clicked.connect(self._browse)
        self._place_browse()
        self.again = button(tr("Read again"), "readAgain", spoken=tr("Read the file again, as when it has changed"))
        self.again.setToolTip(tr("Read the file again, as when it has changed."))
        self.again.clicked.connect(self._read)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._read_changed)
        self.form.changed.connect(self._on_change)
        for field in self.form.findChildren(QLineEdit):
            if field.objectName().startswith("read_"):
                field.editingFinished.connect(self._pause.start)
        self.body.addWidget(label(tr("A change shows in the table at once."), "caption", wrap=True))
        self.body.addWidget(self._make_parts())
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
        field.setPlaceholderText(tr("None"))

    def _make_parts(self) -> QWidget:
        """The list of the sheets or matrices of the file."""
        self.part, self.parts = Choice(), QWidget()
        named(self.part, "readingPart", tr("Sheet"))
        self._part_title = label("", wrap=True)
        self._part_title.setBuddy(self.part)
        self.part.setFixedWidth(_FORM_WIDTH)
        self.part.activated.connect(lambda: self.choose_part(self.part.currentData()))
        beside = row(self._part_title, self.part)
        beside.setStretch(0, 1)
        self.parts.setLayout(beside)
        return self.parts

    def _show_parts(self, table: Table | None) -> None:
        found = () if table is None else table.parts
        self.parts.setVisible(bool(found))
        title = tr("Sheet") if part_field(self._path) == "sheet" else tr("Table in the file")
        self._part_title.setText(title)
        named(self.part, "readingPart", title)
        self.part.offer({name: name for name in found})
        if table is not None:
            self.part.setCurrentIndex(self.part.findData(table.part))

    def choose_part(self, name: str) -> None:
        """Read another sheet or matrix of the file, at once."""
        self.form.put({part_field(self._path): name})
        self._read()

    def show_file(self, path: Path | None, options: ReadOptions, table: Table | None = None) -> None:
        """Show how a file was read; nothing for what is no file. What was changed while it was read is kept."""
        changed = path is not None and path == self._path and self.options != self._shown
        self._path = path
        self.setVisible(path is not None)
        self.form.setEnabled(path is not None)
        if path is not None:
            self._shown = options
            if changed:
                self._pause.start()
            else:
                self.form.put(options.model_dump())
            self._show_parts(table)
            named_above = {part_field(path)} if table is not None and table.parts else set()
            self.form.hide_idle(frozenset(self.form.fields) - fitting_settings(path.name) | named_above)

    def _on_change(self) -> None:
        """Half a name is not looked for: a text counts once it is left or agreed to."""
        if not any(field.hasFocus() for field in self.form.findChildren(QLineEdit)):
            self._pause.start()

    def _read_changed(self) -> None:
        if self._path is not None and self.options != self._shown:
            self._read()

    def _read(self) -> None:
        self._pause.stop()
        self._shown = self.options  # what fails is not tried again by itself
        self.wanted.emit()

    @property
    def options(self) -> ReadOptions:
        """What is chosen now."""
        return ReadOptions().updated(self.form.values())

    def _browse(self) -> None:
        folder = self._path.parent if self._path is not None else Path.home()
        title = tr("Choose the file with the labels")
        ask_file(self, "labelsDialog", title, folder, lambda name: self.form.put({"labels": name}))
