"""The model in the settings panel: which one the search wraps, and its settings."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fsdesk.app.look.parts import label
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import declared, tr
from fsdesk.app.settings.method_section import entry_choice, exchanged, pairs, with_link
from fsdesk.app.settings.settings_form import Level, SettingsForm
from fsdesk.settings import Entry
from fsdesk.wrappers import WRAPPERS, Task

__all__ = ["ModelSection"]

_FIRST_WRAPPER = "nn"


class ModelSection(QWidget):
    """``changed`` tells of any change, ``exchanged`` that another form is shown."""

    changed = Signal()
    exchanged = Signal()
    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._level: Level = "common"
        self._tokens = LIGHT
        self.wrapper = entry_choice("wrapper", tr("Model"), WRAPPERS, _FIRST_WRAPPER)
        self.summary = label("", "caption", wrap=True)
        self.summary.setTextFormat(Qt.TextFormat.RichText)
        self.summary.linkActivated.connect(self.page_wanted)
        self.form = SettingsForm("none", ())
        self._place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(pairs((tr("Model"), self.wrapper), bold=True))
        layout.addWidget(self.summary)
        layout.addLayout(self._place)
        self.wrapper.currentIndexChanged.connect(self.show_wrapper)

    def show_wrapper(self) -> None:
        """Another model has other settings."""
        entry: Entry[Any] = WRAPPERS[self.wrapper.currentData()]
        self._say()
        self.wrapper.setToolTip(f"{declared(entry.title)}. {entry.reference}")
        self.form = exchanged(self._place, "wrapper", entry)
        self.form.show_level(self._level)
        self.form.dress(self._tokens)
        self.form.changed.connect(self.changed)
        self.exchanged.emit()
        self.changed.emit()

    def _say(self) -> None:
        entry: Entry[Any] = WRAPPERS[self.wrapper.currentData()]
        self.summary.setText(with_link(declared(entry.summary), f"wrappers/{entry.name}", self._tokens))

    def fit(self, task: Task) -> None:
        """Let only models be chosen that predict such a target."""
        model = self.wrapper.model()
        assert isinstance(model, QStandardItemModel)
        kind = {"classification": tr("classes"), "regression": tr("numbers")}[task]
        fitting = [entry.name for entry in WRAPPERS if task in entry.model.tasks]
        for place, name in enumerate(self.wrapper.offered):
            fits = name in fitting
            model.item(place).setEnabled(fits)
            refusal = tr("It cannot predict {kind}, which the target holds.", kind=kind)
            model.item(place).setToolTip(
                f"{declared(WRAPPERS[name].title)}. {declared(WRAPPERS[name].summary)}" if fits else refusal
            )
        if self.wrapper.currentData() not in fitting and fitting:
            first = _FIRST_WRAPPER if _FIRST_WRAPPER in fitting else fitting[0]
            self.wrapper.setCurrentIndex(self.wrapper.findData(first))

    def show_level(self, level: Level) -> None:
        """Show as many settings as a level holds."""
        self._level = level
        self.form.show_level(level)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        self._say()
        self.form.dress(tokens)
