"""Context menu for the content of a column: type, category names, missing values, logarithm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QCheckBox, QHeaderView, QLineEdit, QMenu, QTableWidget, QTableWidgetItem, QWidget

from fsdesk.app.dialogs.dialog import Dialog, TroubleFrame
from fsdesk.app.widgets import button, label, named, row
from fsdesk.data import ReadOptions, Table
from fsdesk.data.number_column import has_limits, words_beside_numbers
from fsdesk.data.reading import OTHERS_MISSING, columns_said, entries, entry_of
from fsdesk.data.recode import levels_of, said_types, source_name, with_entries, with_names
from fsdesk.errors import UserError
from fsdesk.messages import counted, mark, number, quoted, tr, tr_many, translated

Wanted = Callable[[ReadOptions, str], None]
"""Receives the new reading options, and the name of the undo step."""

_TYPES = {
    "": mark("Automatic"),
    "number": mark("Number"),
    "category": mark("Category"),
    "ordered": mark("Ordered categories …"),
    "date": mark("Date"),
    "id": mark("Row IDs"),
    "text": mark("Text, not a feature"),
}
_LIMITS = {
    "": mark("Same as for the file"),
    "half": mark("Half the lower limit"),
    "limit": mark("The limit"),
    "missing": mark("Missing"),
    "text": mark("Text"),
}
_MOST_NAMES = 200


@dataclass(frozen=True)
class ColumnInFile:
    """A column of the open table, and how the file is read."""

    table: Table
    options: ReadOptions
    name: str

    @cached_property
    def place(self) -> int:
        """Index of the column in the table."""
        return self.table.columns.index(self.name)

    @cached_property
    def source(self) -> str:
        """Name of the column in the file."""
        return source_name(self.name, self.options)

    @cached_property
    def known(self) -> tuple[str, ...]:
        """All columns by their names in the file."""
        return tuple(source_name(name, self.options) for name in self.table.columns)

    @property
    def is_logarithm(self) -> bool:
        """Whether the logarithm of the column is used."""
        return self.source != self.name

    @cached_property
    def kind(self) -> str:
        """The type set by the user, "" if none."""
        said = said_types(self.options, self.known).get(self.source, "")
        return "ordered" if levels_of(said) else said.partition(",")[0].partition(" since")[0]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Categories of the column, in order; empty if it is numeric."""
        said = said_types(self.options, self.known).get(self.source, "")
        return levels_of(said) or tuple(self.table.categories.get(self.place, ()))

    @cached_property
    def counts(self) -> list[int]:
        """Rows of each category."""
        values = self.table.values[:, self.place]
        codes = values[~np.isnan(values)].astype(np.intp) - (1 if self.kind == "ordered" else 0)
        found: list[int] = np.bincount(codes, minlength=len(self.words)).tolist()
        return found

    @cached_property
    def strays(self) -> list[str]:
        """Categories of the column that are not numbers."""
        return words_beside_numbers(self.words, self.options)

    @property
    def may_be_logarithm(self) -> bool:
        """Whether all numbers in the column are positive."""
        values = self.table.values[:, self.place]
        return not self.words and bool((values[~np.isnan(values)] > 0).all())

    @property
    def missing(self) -> list[str]:
        """Spellings of missing values that are specific to this column."""
        found = (entry_of(entry, self.known) for entry in entries(self.options.missing_values))
        return [value for column, value in found if column == self.source]

    @property
    def limits(self) -> str:
        """How values below a limit are handled in this column, "" if not set."""
        return next(
            iter(columns_said(self.options.column_limits, self.known, "column_limits").get(self.source, ())), ""
        )

    @property
    def has_limits(self) -> bool:
        """Whether the column contains values below or above a limit."""
        asked = any(reading.kind == "limits" and self.name in reading.columns for reading in self.table.readings)
        return asked or bool(self.limits) or has_limits(self.words)

    def said(self, option: str, values: Sequence[str]) -> ReadOptions:
        """The reading options with these values set for this column."""
        return with_entries(self.options, option, self.source, values, self.known)

    def of_type(self, kind: str) -> ReadOptions:
        """The reading options with another type for this column; words among its numbers then become missing."""
        if kind == "number" and any(sign in word for sign in ";=" for word in self.strays):
            return self.said("types", [OTHERS_MISSING])
        options = self.said("types", [kind] if kind else [])
        if kind == "number" and self.strays:
            missing = [*self.missing, *self.strays]
            options = with_entries(options, "missing_values", self.source, missing, self.known)
        if kind != "number" and self.is_logarithm:
            options = with_entries(options, "logarithms", self.source, [], self.known)
        return options


def add_column_actions(menu: QMenu, column: ColumnInFile, wanted: Wanted, window: QWidget) -> None:
    """Add the possible settings of a column to its context menu."""
    menu.addMenu(_type_menu(menu, column, wanted, window))
    names = menu.addAction(tr("Categories …"), lambda: CategoriesDialog(window, column, wanted).open())
    names.setObjectName("categories")
    names.setEnabled(0 < len(column.words) <= _MOST_NAMES)
    missing = menu.addAction(tr("Missing values …"), lambda: MissingDialog(window, column, wanted).open())
    missing.setObjectName("missingValues")
    if column.has_limits:
        menu.addMenu(_limit_menu(menu, column, wanted))
    log = menu.addAction(tr("Logarithm (base 2)"))
    log.setObjectName("logarithm")
    log.setCheckable(True)
    log.setChecked(column.is_logarithm)
    log.setEnabled(column.is_logarithm or column.may_be_logarithm)
    step = tr("No logarithm: {column}") if column.is_logarithm else tr("Logarithm: {column}")
    values = [] if column.is_logarithm else [""]
    log.triggered.connect(lambda: _try(window, wanted, partial(column.said, "logarithms", values), step, column))


def _type_menu(menu: QMenu, column: ColumnInFile, wanted: Wanted, window: QWidget) -> QMenu:
    made = QMenu(tr("Type"), menu)
    made.setObjectName("columnType")
    group = QActionGroup(made)
    for kind, title in _TYPES.items():
        words = tr(title)
        if kind == "number" and 0 < len(column.strays) < len(column.words):
            words = tr_many(
                len(column.strays), "Number: {words} is treated as missing", "Number: {words} are treated as missing",
                words=translated(quoted(column.strays, 2)),
            )  # fmt: skip
        action = made.addAction(words)
        action.setObjectName(f"type_{kind or 'auto'}")
        action.setCheckable(True)
        action.setChecked(column.kind == kind)
        group.addAction(action)
        if kind == "ordered":
            action.setEnabled(1 < len(column.words) <= _MOST_NAMES)
            action.triggered.connect(lambda _=False: CategoriesDialog(window, column, wanted, ordered=True).open())
            continue
        if kind == "number":
            action.setEnabled(not column.words or len(column.strays) < len(column.words) or column.kind == "ordered")
        step = f"{{column}}: {tr(title)}"
        action.triggered.connect(
            lambda _=False, kind=kind, step=step: _try(window, wanted, partial(column.of_type, kind), step, column)
        )
    return made


def _limit_menu(menu: QMenu, column: ColumnInFile, wanted: Wanted) -> QMenu:
    made = QMenu(tr("Below or above a limit"), menu)
    made.setObjectName("columnLimits")
    group = QActionGroup(made)
    for way, title in _LIMITS.items():
        action = made.addAction(tr(title))
        action.setObjectName(f"limit_{way or 'auto'}")
        action.setCheckable(True)
        action.setChecked(column.limits == way)
        group.addAction(action)
        values, step = [way] if way else [], f"{{column}}: {tr(title)}"
        action.triggered.connect(
            lambda _=False, values=values, step=step: wanted(
                column.said("column_limits", values), step.format(column=column.source)
            )
        )
    return made


def _try(window: QWidget, wanted: Wanted, make: Callable[[], ReadOptions], step: str, column: ColumnInFile) -> None:
    try:
        options = make()
    except UserError as error:
        SentenceDialog(window, translated(str(error))).open()
        return
    wanted(options, step.format(column=column.source))


class SentenceDialog(Dialog):
    """Explains why something is not possible."""

    def __init__(self, parent: QWidget, sentence: str) -> None:
        super().__init__(parent, "sentenceDialog", tr("Columns"), 400, headed=False)
        self.box.addWidget(label(sentence, wrap=True))
        agree = button(tr("OK"), "sentenceOk", "primary")
        agree.clicked.connect(self.accept)
        self.box.addLayout(row(None, agree))


class _ColumnDialog(Dialog):
    """Shows errors below its fields, and can be accepted once there are none."""

    def __init__(self, window: QWidget, name: str, title: str, width: int, wanted: Wanted) -> None:
        super().__init__(window, name, title, width)
        self._wanted = wanted
        self.trouble = TroubleFrame(f"{name}Trouble")

    def options(self) -> ReadOptions:
        """The new reading options."""
        raise NotImplementedError

    def step(self) -> str:
        """The name of the undo step."""
        raise NotImplementedError

    def add_all(self, agree: str) -> None:
        """Add the buttons."""
        self.box.addWidget(self.trouble)
        self.add_end(agree, f"{self.objectName()}Ok", f"{self.objectName()}Cancel").clicked.connect(self._agree)

    def _agree(self) -> None:
        try:
            options = self.options()
        except UserError as error:
            self.trouble.say(translated(str(error)))
            return
        self.accept()
        self._wanted(options, self.step())


class MissingDialog(_ColumnDialog):
    """Asks which values count as missing in a column."""

    def __init__(self, window: QWidget, column: ColumnInFile, wanted: Wanted) -> None:
        title = tr('Missing values in "{column}"', column=column.source)
        super().__init__(window, "missingDialog", title, 420, wanted)
        self._column = column
        self.field = QLineEdit("; ".join(column.missing))
        named(self.field, "missingWords", title)
        self.field.setPlaceholderText("-9; n.d.")
        words = tr(
            "Empty cells, NA and the like are already treated as missing. Separate further values by semicolons: -9; "
            "n.d. An exclamation mark before a value keeps it as valid: !none."
        )
        self.box.addWidget(label(words, "muted", wrap=True))
        self.box.addWidget(self.field)
        self.add_all(tr("Apply"))

    def options(self) -> ReadOptions:
        return self._column.said("missing_values", list(entries(self.field.text())))

    def step(self) -> str:
        return tr("Missing values: {column}", column=self._column.source)


class CategoriesDialog(_ColumnDialog):
    """Editable names of a column's categories: equal names are merged, and an empty name means missing.

    Ordered categories are listed from low to high.
    """

    def __init__(self, window: QWidget, column: ColumnInFile, wanted: Wanted, *, ordered: bool = False) -> None:
        title = tr('Categories of "{column}"', column=column.source)
        super().__init__(window, "categoriesDialog", title, 460, wanted)
        self._column = column
        words = tr(
            "Click a name to change it. Categories with the same name are merged; those without a name are treated "
            "as missing."
        )
        self.box.addWidget(label(words, "muted", wrap=True))
        self.list = QTableWidget(len(column.words), 3)
        named(self.list, "categoryNames", title)
        self.list.setHorizontalHeaderLabels([tr("Category"), tr("Rows"), tr("Name")])
        self.list.verticalHeader().hide()
        self.list.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.list.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        for place, (word, count) in enumerate(zip(column.words, column.counts, strict=True)):
            self._put(place, word, number(count), word)
        self.list.setMinimumHeight(min(360, 60 + 30 * len(column.words)))
        self.list.setShowGrid(False)
        self.box.addWidget(self.list, 1)
        self.in_order = QCheckBox(tr("Ordered from low to high, numbered from 1"))
        named(self.in_order, "categoriesOrdered", self.in_order.text())
        self.in_order.setChecked(ordered or column.kind == "ordered")
        self.up, self.down = button(tr("Up"), "categoryUp"), button(tr("Down"), "categoryDown")
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.in_order.toggled.connect(self._show_order)
        self.box.addWidget(self.in_order)
        self.box.addLayout(row(self.up, self.down, None))
        self._show_order(self.in_order.isChecked())
        self.add_all(tr("Apply"))
        self.list.setCurrentCell(0, 2)

    def _put(self, place: int, word: str, count: str, name: str) -> None:
        for section, text in enumerate((word, count, name)):
            item = QTableWidgetItem(text)
            if section < 2:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.list.setItem(place, section, item)

    def _show_order(self, ordered: bool) -> None:
        self.up.setVisible(ordered)
        self.down.setVisible(ordered)

    def _text(self, place: int, section: int) -> str:
        item = self.list.item(place, section)
        return "" if item is None else item.text()

    def _move(self, by: int) -> None:
        place, other = self.list.currentRow(), self.list.currentRow() + by
        if place < 0 or not 0 <= other < self.list.rowCount():
            return
        rows = [[self._text(each, section) for section in range(3)] for each in (place, other)]
        self._put(place, rows[1][0], rows[1][1], rows[1][2])
        self._put(other, rows[0][0], rows[0][1], rows[0][2])
        self.list.setCurrentCell(other, 2)

    @property
    def names(self) -> dict[str, str]:
        """The name of each category."""
        return {self._text(place, 0): self._text(place, 2).strip() for place in range(self.list.rowCount())}

    def options(self) -> ReadOptions:
        column, names = self._column, self.names
        options = with_names(column.options, column.source, names, column.known)
        kept = list(dict.fromkeys(name for name in names.values() if name))
        if self.in_order.isChecked():
            kind = [f"ordered: {' < '.join(kept)}"]
        else:
            said = said_types(column.options, column.known).get(column.source, "")
            kind = ["category"] if column.kind == "ordered" else [said] if said else []
        return with_entries(options, "types", column.source, kind, column.known)

    def step(self) -> str:
        changed = sum(old != new for old, new in self.names.items())
        if not changed:
            return tr("Order of the categories: {column}", column=self._column.source)
        return tr("{count} renamed: {column}", count=counted(changed, "category"), column=self._column.source)
