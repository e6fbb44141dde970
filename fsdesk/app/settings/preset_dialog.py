"""Asks for the name of a preset of the user."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from fsdesk.app.look.dialogs import framed
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.sentences import retold
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr
from fsdesk.app.settings.own_presets import OwnPresets
from fsdesk.errors import UserError

__all__ = ["PresetDialog", "proposed_name"]


class PresetDialog(QDialog):
    """``chosen`` tells the name; a name that is there already is replaced, and the dialog says so before."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, presets: OwnPresets, proposal: str) -> None:
        super().__init__(parent)
        self.setObjectName("presetDialog")
        self._presets, self._known = presets, frozenset(presets.names())
        layout = framed(self, tr("Save as my preset"), 440)
        layout.addWidget(label(tr("Save as my preset"), "title"))
        words = tr("Method, model and measuring as they are now, under a name of your own in the list of presets.")
        layout.addWidget(label(words, wrap=True))
        self.name = QLineEdit(proposal)
        named(self.name, "presetName", tr("Name of the preset"))
        self.note = label("", "caption", wrap=True)
        self.save = button(tr("Save preset"), "presetSave", "primary")
        self.save.setDefault(True)
        self.save.clicked.connect(self._agree)
        cancel = button(tr("Cancel"), "presetCancel")
        cancel.clicked.connect(self.reject)
        layout.addWidget(self.name)
        layout.addWidget(self.note)
        layout.addSpacing(SPACE)
        layout.addLayout(row(None, cancel, self.save))
        self.name.textChanged.connect(lambda _: self._look())
        self.name.selectAll()
        self._look()

    def _look(self) -> None:
        name = self.name.text().strip()
        try:
            self._presets.path(name)
            said = tr("It replaces your preset of this name.") if name in self._known else ""
        except UserError as error:
            said = retold(str(error)) if name else tr("Give it a name.")
        self.note.setText(said)
        self.save.setEnabled(not said or name in self._known)

    def _agree(self) -> None:
        self.chosen.emit(self.name.text().strip())
        self.accept()


def proposed_name(taken: Collection[str]) -> str:
    """A name that is free."""
    number = 1
    while tr("My preset {number}", number=number) in taken:
        number += 1
    return tr("My preset {number}", number=number)
