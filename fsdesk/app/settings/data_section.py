"""The data at a glance: what is open, its target, and how many things there are to know about it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fsdesk.app.look.fields import Choice
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.app.work.session import Session

__all__ = ["DataSection"]


class DataSection(QWidget):
    """Name, size, target and a link to everything else about the data."""

    columns_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name = label("", "title", wrap=True)
        self.extent = label("", "caption")
        self.target = Choice()
        self.target.setFixedWidth(208)
        self.target.setMaxVisibleItems(20)
        named(self.target, "target", tr("Target: the column to predict"))
        self.target.setToolTip(tr("The column to predict. Every other column is a feature, unless you leave it out."))
        self.target.activated.connect(self._choose)
        self.more = button(tr("Columns"), "columnsLink", "link")
        self.more.clicked.connect(self.columns_wanted)
        title = label(tr("Target"))
        title.setBuddy(self.target)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.name)
        layout.addLayout(row(self.extent, None, self.more))
        layout.addLayout(row(title, None, self.target))
        session.table_changed.connect(self._on_table)
        session.dataset_changed.connect(self._on_dataset)

    def _on_table(self) -> None:
        table = self._session.table
        self.target.clear()
        self.target.setEnabled(table is not None)
        if table is not None:
            self.name.setText(table.name)
            self.target.addItems(_target_first(table.columns, table.default_target))
            self.target.setCurrentText(table.default_target)
            self._tell_notes(0)  # those of the table before are not its own

    def _on_dataset(self) -> None:
        session, dataset = self._session, self._session.dataset
        if dataset is None:
            if session.table is not None:
                rows, columns = session.table.values.shape
                self.extent.setText(f"{counted(rows, 'row')} · {counted(columns, 'column')}")
                self.target.setCurrentText(session.choices.target or "")
            return
        self.name.setText(dataset.name)
        if session.table is None:
            self.target.clear()
            self.target.addItem(dataset.target_name)
        rows, features = dataset.x.shape
        held = counted(len(dataset.classes), "class") if dataset.response is None else tr("numbers")
        self.extent.setText(f"{counted(rows, 'row')} · {counted(features, 'feature')} · {held}")
        self._tell_notes(len(dataset.checks))

    def _tell_notes(self, notes: int) -> None:
        self.more.setText(counted(notes, "note") if notes else tr("Columns"))
        self.more.setAccessibleName(tr("Columns and checks, {notes}", notes=counted(notes, "note")))
        self.more.setToolTip(tr("Show the table, its columns and what was found out about it"))

    def _choose(self) -> None:
        target = self.target.currentText()
        if self._session.table is not None and target != self._session.choices.target:
            self._session.choose(self._session.with_target(target))


def _target_first(columns: tuple[str, ...], target: str, most: int = 2000) -> list[str]:
    """The proposed target first; a list of 20,000 genes helps nobody, the column table searches them."""
    return [target, *(name for name in columns if name != target)][:most]
