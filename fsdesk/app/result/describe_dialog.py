"""Joining a table of descriptions to the features: by which column, and how many it finds."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from fsdesk.app.look.dialogs import framed
from fsdesk.app.look.fields import Choice
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.translation import number, tr
from fsdesk.data.annotations import joined

if TYPE_CHECKING:
    from fsdesk.results.tasks import Joined

__all__ = ["DescribeDialog"]


class DescribeDialog(QDialog):
    """Asks which column names the features; ``chosen`` tells the annotations."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, read: "Joined", features: tuple[str, ...]) -> None:
        super().__init__(parent)
        self.setObjectName("describeDialog")
        self._read, self._features = read, features
        layout = framed(self, tr("Describe features"), 480)
        layout.addWidget(label(tr('Descriptions from "{file}"', file=read.table.source), "title"))
        self.columns = Choice()
        named(self.columns, "describeColumn", tr("Column that names the features"))
        found = read.found
        ordered = sorted(found, key=lambda name: -found[name])
        self.columns.offer(
            {name: tr("{column}: finds {found}", column=name, found=number(found[name])) for name in ordered}
        )
        self.columns.setCurrentIndex(self.columns.findData(read.annotations.join))
        self.columns.currentIndexChanged.connect(lambda _: self._look())
        layout.addLayout(row(label(tr("Column that names the features")), self.columns, None))
        self.words = label("", "muted", wrap=True)
        named(self.words, "describeWords", tr("How many features were found"))
        layout.addWidget(self.words)
        self.ok = button(tr("Use them"), "describeNow", "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self._take)
        cancel = button(tr("Cancel"), "describeCancel")
        cancel.clicked.connect(self.reject)
        layout.addLayout(row(None, cancel, self.ok))
        self._look()

    @property
    def _column(self) -> str:
        return str(self.columns.currentData())

    def _look(self) -> None:
        matched, total = self._read.found[self._column], len(self._features)
        others = [name for name in self._read.table.header if name != self._column]
        if matched:
            words = tr(
                "{found} of the {total} features of the table are found. These columns are added: {columns}.",
                found=number(matched), total=number(total), columns=", ".join(others),
            )  # fmt: skip
        else:
            words = tr(
                "No feature is named in this column, such as {feature}: choose another column, or another file.",
                feature=self._features[0],
            )
        self.words.setText(words)
        self.ok.setEnabled(matched > 0)

    def _take(self) -> None:
        read = self._read
        same = self._column == read.annotations.join
        self.chosen.emit(read.annotations if same else joined(read.table, self._features, self._column)[0])
        self.accept()
