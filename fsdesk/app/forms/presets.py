"""The user's own presets: settings files in the user's configuration folder, and the dialog that names one."""

import re
from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from fsdesk.app.dialogs.dialog import Dialog
from fsdesk.app.forms.setup import Setup
from fsdesk.app.palette import SPACE
from fsdesk.app.widgets import label, named
from fsdesk.engine import RunRequest
from fsdesk.errors import UserError
from fsdesk.messages import tr, translated
from fsdesk.results.settings_file import parsed_settings, settings_text

MINE = "mine:"
"""Prefix that marks the names of the user's own presets."""
_MOST_BYTES = 1_000_000
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


class OwnPresets:
    """Presets in ``folder/presets``, one TOML file each, also readable by ``fsdesk run --settings``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "presets"

    def path(self, name: str) -> Path:
        """The file of a preset; UserError for a name that is not valid for a file."""
        name = name.strip()
        if not name or name.startswith(".") or _FORBIDDEN.search(name) or len(name) > 60:
            raise UserError('"{name}" is not a valid preset name. Use letters, digits and spaces.', name=name)
        return self._folder / f"{name}.toml"

    def names(self) -> list[str]:
        """All presets in alphabetical order."""
        return sorted((path.stem for path in self._folder.glob("*.toml")), key=str.casefold)

    def read(self, name: str) -> RunRequest:
        """Read a preset; UserError if its file is no longer readable."""
        path = self.path(name)
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise UserError('"{path}" is too large to be a preset.', path=path)
            return parsed_settings(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise UserError('Cannot read the preset "{name}" ({error}).', name=name, error=error) from error

    def keep(self, name: str, setup: Setup) -> None:
        """Write a preset: method, model and their settings; seed and constraints belong to a table and are left out."""
        path = self.path(name)
        saved = RunRequest(method=setup.method, wrapper=setup.wrapper, settings=dict(setup.values))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(settings_text(saved, [tr("A preset of fsdesk: {name}", name=path.stem)]), encoding="utf-8")
        except OSError as error:
            raise UserError('Cannot write the preset to "{path}" ({error}).', path=path, error=error) from error

    def remove(self, name: str) -> None:
        """Delete a preset; do nothing if it does not exist."""
        self.path(name).unlink(missing_ok=True)


class PresetDialog(Dialog):
    """``chosen`` sends the name; the dialog warns before replacing an existing one."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, presets: OwnPresets, proposal: str) -> None:
        super().__init__(parent, "presetDialog", tr("Save as my preset"), 440)
        self._presets, self._known = presets, frozenset(presets.names())
        words = tr("Saves the current method, model and measurement settings under a name of your choice.")
        self.name = QLineEdit(proposal)
        named(self.name, "presetName", tr("Name of the preset"))
        self.note = label("", "caption", wrap=True)
        for part in (label(words, wrap=True), self.name, self.note):
            self.box.addWidget(part)
        self.box.addSpacing(SPACE)
        self.save = self.add_end(tr("Save preset"), "presetSave", "presetCancel")
        self.save.clicked.connect(self._agree)
        self.name.textChanged.connect(lambda _: self._update())
        self.name.selectAll()
        self._update()

    def _update(self) -> None:
        name = self.name.text().strip()
        try:
            self._presets.path(name)
            said = tr("This replaces your existing preset of that name.") if name in self._known else ""
        except UserError as error:
            said = translated(str(error)) if name else tr("Enter a name.")
        self.note.setText(said)
        self.save.setEnabled(not said or name in self._known)

    def _agree(self) -> None:
        self.chosen.emit(self.name.text().strip())
        self.accept()


def proposed_name(taken: Collection[str]) -> str:
    """An unused name."""
    number = 1
    while tr("My preset {number}", number=number) in taken:
        number += 1
    return tr("My preset {number}", number=number)
