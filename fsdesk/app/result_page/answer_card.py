"""The selected features: sorting, searching, descriptions, notes, copying."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from fsdesk.app.dialogs.dialog import Dialog
from fsdesk.app.result_page.answer_table import AnswerColumns, FeaturesModel
from fsdesk.app.tables import Index, chosen_rows, kept_rows, offer_sorting, table_view
from fsdesk.app.widgets import Card, Choice, add_command, button, column, label, named, panel, row, search_field
from fsdesk.data.annotations import Annotations, joined
from fsdesk.engine import RunState
from fsdesk.messages import number, tr

if TYPE_CHECKING:
    from fsdesk.results.features import Effect, SingleFeatureScores
    from fsdesk.results.tasks import Joined
    from fsdesk.results.trust import Trust

_ROW, _NOTE_WIDTH = 26, 260
_NAMES = 1  # the column of the feature names


class AnswerCard(Card):
    """The table with its search.

    Signals: ``describe_wanted`` when the user has a table of descriptions, ``feature_chosen`` with the name of the
    feature whose row is clicked or reached by keyboard.
    """

    describe_wanted = Signal()
    feature_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Selected features"))
        self.setObjectName("answerCard")
        self.count = label("", "caption")
        self.copy = button(tr("Copy"), "copyAnswer", "link", tr("Copy the table of features"))
        self.copy.setToolTip(tr("Copy the selected rows, or all, for a spreadsheet (Ctrl+C in the table)"))
        self.copy.clicked.connect(self.copy_rows)
        self.describe = button(tr("Describe …"), "describeFeatures", "link", tr("Add descriptions of the features"))
        self.describe.setToolTip(
            tr("Match a table of gene descriptions (CSV, TSV, Excel) by name; its columns are added to mask.csv too")
        )
        self.describe.clicked.connect(self.describe_wanted)
        self.choose = button(tr("Columns"), "answerColumnsButton", "link", tr("Choose visible columns"))
        self.choose.setToolTip(tr("Less important columns are hidden when space is short"))
        self.head.insertWidget(1, self.count)
        self.head.addLayout(row(self.choose, self.describe, self.copy, spacing=12))
        self.model = FeaturesModel()
        self.search = search_field("findAnswer", tr("Find a feature, description or note"))
        self.search.textChanged.connect(self._find)
        self.said = label("", "caption", wrap=True)
        named(self.said, "describedSaid", tr("Source of the descriptions"))
        self.said.hide()
        self.view = _view(self.model)
        self.columns = AnswerColumns(self.view)
        self.view.selectionModel().currentRowChanged.connect(lambda index, _: self._choose(index.row()))
        self.view.clicked.connect(lambda index: self._choose(index.row()))
        self.view.itemDelegate().closeEditor.connect(self._show_later, Qt.ConnectionType.QueuedConnection)
        self.choose.setMenu(self.columns.menu)
        add_command(self.view, tr("Copy rows"), self.copy_rows, QKeySequence.StandardKey.Copy)
        add_command(self.view, tr("Copy names"), self.copy_names)
        add_command(self.view, tr("Write a note"), self.write_note, "F2")
        offer_sorting(self.view)
        content = panel(column(self.search, self.said, self.view))
        self.add_content(content, tr("Selected features are listed here once the search has found some."))
        self._measured: tuple[list[str], Annotations | None] = ([], None)
        self._wrote = False
        self.model.noted.connect(lambda *_: setattr(self, "_wrote", True))
        self._seen: tuple[object, ...] = ()
        self._later: tuple[RunState | None, NDArray[np.bool_] | None, Any, Annotations, Any, Any] | None = None
        self._showing = False

    def _find(self, text: str) -> None:
        self._showing = True
        with kept_rows(self.view, lambda: self.model.names):
            self.model.find(text)
        self._showing = False
        self.view.scrollTo(self.view.currentIndex())
        self._count()

    def _choose(self, row: int) -> None:
        if row >= 0 and not self._showing:
            self.feature_chosen.emit(self.model.names[row])

    def show_features(
        self,
        state: RunState | None,
        mask: NDArray[np.bool_] | None,
        singles: "SingleFeatureScores | None",
        known: Annotations,
        effects: "Mapping[int, Effect] | None" = None,
        trust: "Trust | None" = None,
    ) -> None:
        """Show the features of a subset; deferred while a note is being edited."""
        focus = QApplication.focusWidget()
        if focus is not None and self.view.viewport().isAncestorOf(focus):
            self._later = (state, mask, singles, known, effects, trust)
            return
        self._later = None
        shown = None if mask is None else mask.tobytes()
        seen = (id(state), shown, state and state.evaluations, id(singles), id(known), id(effects), id(trust))
        if seen == self._seen:
            return
        self._seen, self._showing = seen, True
        with kept_rows(self.view, lambda: self.model.names):
            self.model.show(state, mask, singles, known, effects, trust)
        self.set_empty(not self.model.total)
        self._count()
        for control in (self.copy, self.describe, self.choose):
            control.setEnabled(self.model.total > 0)
        self._say(known)
        titles = self.model.titles()
        if (titles != self._measured[0] or known is not self._measured[1]) and self.model.total:
            self._measured = (titles, known)
            self.columns.measure(self.model.texts)
        self._showing = False
        if self._wrote:  # the column of notes may have become wider
            self._wrote = False
            self.view.updateGeometries()  # its current scroll range
            self.view.scrollTo(self.model.index(self.view.currentIndex().row(), self.model.columnCount() - 1))

    def _show_later(self) -> None:
        if self._later is not None:
            self.show_features(*self._later)

    def _count(self) -> None:
        shown = self.model.rowCount()
        some = tr("{shown} of {total}", shown=number(shown), total=number(self.model.total))
        self.count.setText((some if shown < self.model.total else number(shown)) if self.model.total else "")

    def _say(self, known: Annotations) -> None:
        if known.source:
            found, total = self.model.described, self.model.total
            self.said.setText(
                tr('Described by "{file}": {found} of these {total} features were matched by its column "{column}".',
                   file=known.source, found=number(found), total=number(total), column=known.join)
            )  # fmt: skip
        self.said.setVisible(bool(known.source))

    def _rows(self) -> list[int]:
        return chosen_rows(self.view) or list(range(self.model.rowCount()))

    def copy_rows(self) -> None:
        """Copy the selected rows, or all, to the clipboard as tab-separated text with column titles."""
        QGuiApplication.clipboard().setText(self.model.lines(self._rows()))

    def copy_names(self) -> None:
        """Copy the names of the selected rows, or all, to the clipboard, one per line."""
        names = self.model.names
        QGuiApplication.clipboard().setText("\n".join(names[at] for at in self._rows()))

    def write_note(self) -> None:
        """Edit the note of the current feature."""
        row = self.view.currentIndex().row()
        if row >= 0:
            note = self.model.index(row, self.model.columnCount() - 1)
            self.view.selectionModel().setCurrentIndex(note, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.view.edit(note)


class _NameDelegate(QStyledItemDelegate):
    """Elides names in the middle, because they often differ only at their ends."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


class _NoteDelegate(QStyledItemDelegate):
    """Notes are edited in a field wide enough to read them, however narrow their column is."""

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        super().updateEditorGeometry(editor, option, index)
        place = editor.geometry()
        editor.setGeometry(place.adjusted(min(0, place.width() - _NOTE_WIDTH), 0, 0, 0))


def _view(model: FeaturesModel) -> QTableView:
    none = tr("No matching name, description or note.")
    view = table_view("answer", tr("Features in the subset shown"), none)
    view.setModel(model)
    view.setItemDelegate(_NoteDelegate(view))
    view.setItemDelegateForColumn(_NAMES, _NameDelegate(view))
    view.setSortingEnabled(True)
    view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    view.setShowGrid(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)  # and F2, from anywhere in the row
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(_ROW)
    header = view.horizontalHeader()
    header.setSelectionModel(QItemSelectionModel(model, header))  # otherwise it queries every row
    header.setTextElideMode(Qt.TextElideMode.ElideNone)  # a title may use the space of the absent arrow
    header.setResizeContentsPrecision(0)  # visible rows determine the widths
    header.setStretchLastSection(True)
    return view


class DescribeDialog(Dialog):
    """Asks which column contains the feature names; ``chosen`` sends the annotations."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, read: "Joined", features: tuple[str, ...]) -> None:
        super().__init__(parent, "describeDialog", tr("Describe features"), 480, headed=False)
        self._read, self._features = read, features
        self.box.addWidget(label(tr('Descriptions from "{file}"', file=read.table.source), "title"))
        self.columns = Choice()
        named(self.columns, "describeColumn", tr("Column of feature names"))
        found = read.found
        ordered = sorted(found, key=lambda name: -found[name])
        self.columns.offer(
            {name: tr("{column}: matches {found}", column=name, found=number(found[name])) for name in ordered}
        )
        self.columns.setCurrentIndex(self.columns.findData(read.annotations.join))
        self.columns.currentIndexChanged.connect(lambda _: self._update())
        self.box.addLayout(column(label(tr("Column of feature names")), self.columns))
        self.words = label("", "muted", wrap=True)
        named(self.words, "describeWords", tr("Number of features matched"))
        self.box.addWidget(self.words)
        self.ok = self.add_end(tr("Add"), "describeNow", "describeCancel")
        self.ok.clicked.connect(self._take)
        self._update()

    @property
    def _column(self) -> str:
        return str(self.columns.currentData())

    def _update(self) -> None:
        matched, total = self._read.found[self._column], len(self._features)
        others = [name for name in self._read.table.header if name != self._column]
        if matched:
            words = tr(
                "{found} of the {total} features in the table were matched. These columns are added: {columns}.",
                found=number(matched), total=number(total), columns=", ".join(others),
            )  # fmt: skip
        else:
            words = tr(
                "This column contains no feature names such as {feature}. Choose another column or file.",
                feature=self._features[0],
            )
        self.words.setText(words)
        self.ok.setEnabled(matched > 0)

    def _take(self) -> None:
        read = self._read
        same = self._column == read.annotations.join
        self.chosen.emit(read.annotations if same else joined(read.table, self._features, self._column)[0])
        self.accept()
