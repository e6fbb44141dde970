"""What columns of groups, folds and times do to the validation, and a click to use those that do nothing yet."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from fsdesk.app.look.parts import button, label, row
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr
from fsdesk.app.settings.settings_form import SettingsForm
from fsdesk.app.work.session import Session

__all__ = ["RolesNote"]


class RolesNote(QWidget):
    """Hidden where no column has such a role; ``appeared`` when the user gave one that waits for its validation."""

    appeared = Signal()

    def __init__(self, session: Session, form: SettingsForm) -> None:
        super().__init__()
        self._session, self._form = session, form
        self._settled = QTimer(self, singleShot=True, interval=0)  # after the note has its place
        self._settled.timeout.connect(self.appeared)
        self._told: tuple[object, frozenset[str]] = (None, frozenset())
        self.groups = label("", "caption", wrap=True)
        self.lines = {
            "column": self._line("column", tr('Your own folds count with the validation "Folds of a column".')),
            "time": self._line("time", tr('Times count with the validation "Forward in time".')),
        }
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(self.groups)
        for text, link in self.lines.values():
            line = row(text, link)
            line.setStretch(0, 1)
            layout.addLayout(line)
        session.dataset_changed.connect(self._show)
        form.changed.connect(self._show)
        self._show()

    def _line(self, protocol: str, sentence: str) -> tuple[QLabel, QPushButton]:
        link = button(tr("Use it"), f"use_{protocol}", "link", f"{tr('Use it')}: {sentence}")
        link.clicked.connect(lambda: self._form.put({"protocol": protocol}))
        return label(sentence, "caption", wrap=True), link

    @property
    def controls(self) -> list[QWidget]:
        """All that can be reached by keyboard."""
        return [link for _, link in self.lines.values()]

    def _show(self) -> None:
        session, dataset = self._session, self._session.dataset
        if dataset is None:
            return  # the next one is on its way
        name = session.choices.group if session.table is not None else None
        named = tr('Rows with the same "{name}" are never split between training and test.', name=name)
        self.groups.setText(named if name else tr("Rows of one group are never split between training and test."))
        chosen = self._form.values()["protocol"]
        there = {"column": dataset.fold_of is not None, "time": dataset.time is not None}
        waiting = frozenset(protocol for protocol, has in there.items() if has and protocol != chosen)
        self.groups.setVisible(dataset.groups is not None)
        for protocol, widgets in self.lines.items():
            for widget in widgets:
                widget.setVisible(protocol in waiting)
        self.setVisible(dataset.groups is not None or bool(waiting))
        (table, before), self._told = self._told, (session.table, waiting)
        if table is session.table and table is not None and waiting - before and chosen not in ("column", "time"):
            self._settled.start()
