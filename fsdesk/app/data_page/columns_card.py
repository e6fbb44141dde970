"""The columns of the table: selection, roles, and handling of missing values and text."""

from bisect import bisect_left
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QImage, QKeyEvent, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QMenu

from fsdesk.app.data_page.column_menu import ColumnInFile, add_column_actions
from fsdesk.app.palette import SPACE
from fsdesk.app.tables import Index, TableModel, row_list
from fsdesk.app.widgets import Card, Choice, button, label, named, row, search_field
from fsdesk.data import Choices, Missing, Nominal, ReadOptions, Table, TargetTask, described_columns
from fsdesk.data.dates import day_origins
from fsdesk.data.outcomes import events_column
from fsdesk.messages import counted, mark, number, tr

Role = Literal["feature", "always", "ignored", "target", "event", "entry", "group", "folds", "time"]
_WORDS: dict[Role, str] = {
    "always": mark("always in"),
    "target": mark("target"),
    "event": mark("event"),
    "entry": mark("entry"),
    "group": mark("groups"),
    "folds": mark("folds"),
    "time": mark("time"),
}
_TICK = 18  # pixels of a checkbox, left empty before names without one, so that all names are aligned
_TICKABLE = ("feature", "always", "ignored")


def with_description(table: Table, name: str) -> str:
    """The name of a column, and its description in the file."""
    return f"{name}: {table.descriptions[name]}" if name in table.descriptions else name


@dataclass(frozen=True)
class ColumnFacts:
    """Information on each column in the column list; computed off the window's thread.

    Attributes
    ----------
    missing, distinct
        (q,) int64 number of missing cells; number of categories, 0 for numeric columns.
    """

    missing: NDArray[np.int64]
    distinct: NDArray[np.int64]


def column_facts(table: Table) -> ColumnFacts:
    """Inspect every column once."""
    distinct = np.zeros(len(table.columns), dtype=np.int64)
    for column, names in table.categories.items():
        distinct[column] = len(names)
    return ColumnFacts(np.isnan(table.values).sum(axis=0), distinct)


class ColumnsModel(TableModel):
    """All columns: included or not, name, type, missing cells. ``ignored_changed`` is emitted when the user ticks.

    Filtered here, because a proxy model would make 20,000 calls for every letter typed.
    """

    ignored_changed = Signal()
    numeric = (2,)

    def __init__(self) -> None:
        super().__init__()
        self._table: Table | None = None
        self._facts: ColumnFacts | None = None
        self._folded: list[str] = []
        self._rows: list[int] = []
        self._wanted = ""
        self.target = ""
        self.ignored: set[str] = set()
        self.roles: dict[str, Role] = {}
        self.always: Set[str] = frozenset()
        self.described: Set[str] = frozenset()
        self._dates: Set[str] = frozenset()
        self.aside: Set[str] = frozenset()
        self._no_tick = QImage(_TICK, _TICK, QImage.Format.Format_ARGB32_Premultiplied)
        self._no_tick.fill(Qt.GlobalColor.transparent)
        self.editable = True

    def show_table(self, table: Table, facts: ColumnFacts, choices: Choices, editable: bool) -> None:
        """Show the columns of another table; those that only describe its samples are not features by default."""
        self._table, self._facts, self.editable = table, facts, editable
        self.described, self._dates = frozenset(described_columns(table)), frozenset(day_origins(table))
        self._take(choices)
        self._folded = [name.casefold() for name in table.columns]
        self.find(self._wanted)

    def show_nothing(self) -> None:
        """Show no columns."""
        self._folded = []
        self.find(self._wanted)

    def find(self, text: str) -> None:
        """Show only columns whose name contains this text."""
        self.beginResetModel()
        self._wanted = text.casefold()
        self._rows = [column for column, name in enumerate(self._folded) if self._wanted in name]
        self.endResetModel()

    @property
    def columns(self) -> int:
        """Number of columns, including filtered ones."""
        return len(self._folded)

    def shown(self) -> frozenset[str]:
        """Names of the columns shown."""
        return frozenset(self.name(row) for row in range(len(self._rows)))

    def _take(self, choices: Choices) -> None:
        self.target, self.ignored = choices.target or "", set(choices.ignore)
        held: dict[Role, str | None] = {
            "event": self._event_of(choices), "entry": choices.entry, "group": choices.group,
            "folds": choices.folds, "time": choices.time,
        }  # fmt: skip
        self.roles = {name: role for role, name in held.items() if name}

    def _event_of(self, choices: Choices) -> str | None:
        """Name of the event column."""
        columns = () if self._table is None else events_column(self._table, choices.event)
        return columns[0] if columns else None

    def event_of(self, before: Choices) -> str | None:
        """The event, as in the previous choices if the column is the same."""
        column = next((name for name, role in self.roles.items() if role == "event"), None)
        return before.event if column == self._event_of(before) else column

    def show_choices(self, choices: Choices) -> None:
        """Show choices made elsewhere."""
        before = self.target, self.ignored, self.roles
        self._take(choices)
        if before != (self.target, self.ignored, self.roles):
            self.rows_changed()

    def set_aside(self, names: Set[str]) -> None:
        """Mark columns that are excluded although they could be features, such as IDs; the checks say why."""
        if names != self.aside:
            self.aside = names
            self.rows_changed()

    def show_always(self, names: Set[str]) -> None:
        """Mark the features that are always selected."""
        if names != self.always:
            self.always = names
            self.rows_changed()

    def set_target(self, target: str) -> None:
        """Mark another column as the target."""
        self.ignored |= {self.target} & self.described
        self.target = target
        self.ignored.discard(target)
        # Event and entry columns belong to a single target.
        of_target = ("event", "entry")
        self.roles = {name: role for name, role in self.roles.items() if name != target and role not in of_target}
        self.rows_changed()

    def role(self, name: str) -> Role:
        """The role of a column."""
        if name == self.target:
            return "target"
        if name in self.roles or name in self.ignored:
            return self.roles.get(name, "ignored")
        return "always" if name in self.always else "feature"

    def assign(self, name: str, role: Role) -> bool:
        """Assign a role to a column, removing it from the previous one.

        False if nothing changes: there must be a target.

        Always-selected features are a constraint on the search, stored elsewhere: see :meth:`show_always`.
        """
        if role == self.role(name) or name == self.target:
            return False
        if role == "target":
            self.set_target(name)
            return True
        self.ignored.discard(name)
        self.ignored |= {other for other, held in self.roles.items() if held == role} & self.described
        self.roles = {other: held for other, held in self.roles.items() if other != name and held != role}
        if role == "ignored":
            self.ignored.add(name)
        elif role not in ("feature", "always"):
            self.roles[name] = role
        self.rows_changed()
        return True

    def include(self, names: Set[str], taking_part: bool) -> None:
        """Include or exclude columns together."""
        before = set(self.ignored)
        out = set() if taking_part else names - {self.target} - self.roles.keys()
        self.ignored = self.ignored - names if taking_part else self.ignored | out
        if self.ignored != before:
            self.rows_changed()
            self.ignored_changed.emit()

    def place(self, name: str) -> int:
        """Row of a column, -1 if it is not shown."""
        if self._table is None or name not in self._table.columns:
            return -1
        column = self._table.columns.index(name)
        place = bisect_left(self._rows, column)
        return place if place < len(self._rows) and self._rows[place] == column else -1

    def name(self, row: int) -> str:
        """The name of the column in a row."""
        return "" if self._table is None else self._table.columns[self._rows[row]]

    def is_aside(self, name: str) -> bool:
        """Whether a column is excluded and has no other role."""
        return name in self.aside and self.role(name) == "feature"

    def _is_tickable(self, name: str) -> bool:
        """Whether a column is or could be a feature: a tick anywhere else would suggest that it is included."""
        return self.role(name) in _TICKABLE and not self.is_aside(name)

    def count(self) -> int:
        return len(self._rows)

    def titles(self) -> tuple[str, ...]:
        return tr("Column"), tr("Kind"), tr("Missing")

    def text(self, row: int, column: int) -> str:
        name = self.name(row)
        if column == 0 or self._facts is None:
            return name
        place = self._rows[row]
        if column == 2:
            return number(self._facts.missing[place]) if self._facts.missing[place] else ""
        if self.is_aside(name):
            return tr("excluded")
        distinct, role = int(self._facts.distinct[place]), self.role(name)
        if role in _WORDS:
            return tr(_WORDS[role])
        return counted(distinct, "category") if distinct else tr("date") if name in self._dates else tr("number")

    def tip(self, row: int, column: int) -> str:
        name = self.name(row)
        about = with_description(self._table, name) if self._table is not None else name
        return tr("{column}: excluded; see the checks for the reason.", column=about) if self.is_aside(name) else about

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == 0 and self.editable and self._is_tickable(self.name(index.row())):
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.column() == 0 and role in (Qt.ItemDataRole.CheckStateRole, Qt.ItemDataRole.DecorationRole):
            name = self.name(index.row())
            tickable, ticking = self._is_tickable(name), role == Qt.ItemDataRole.CheckStateRole
            if tickable and ticking:
                return Qt.CheckState.Unchecked if name in self.ignored else Qt.CheckState.Checked
            return None if tickable or ticking else self._no_tick
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.include({self.name(index.row())}, Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


_MISSING = {
    "impute": mark("Impute within each training fold"),
    "drop rows": mark("Drop rows with missing values"),
    "drop columns": mark("Drop columns with missing values"),
}
_NOMINAL = {"encode": mark("Encode the categories"), "drop": mark("Exclude text columns")}
_TASK = {
    "auto": mark("Detect classes or numbers"),
    "classification": mark("Classes"),
    "regression": mark("Numbers"),
}
_ROLES: dict[Role, tuple[str, str]] = {
    "feature": (mark("Feature"), mark("The search may select it.")),
    "always": (
        mark("Always in"),
        mark(
            "A covariate, included in every subset. The search decides on the other features, and reports what "
            "they add to it."
        ),
    ),
    "ignored": (mark("Excluded"), mark("It is not used.")),
    "target": (mark("Target"), mark("The column to predict; for time-to-event data, the column of times.")),
    "event": (mark("Event"), mark("Whether the event was observed at the target time, or the row was censored.")),
    "entry": (
        mark("Entry"),
        mark("The time at which observation of the row began, if not at time 0."),
    ),
    "group": (mark("Groups of rows"), mark("Rows with the same value, such as those of one patient, are never split.")),
    "folds": (
        mark("Your own folds"),
        mark('Rows with the same value form one fold; choose "Folds from a column" as validation.'),
    ),
    "time": (mark("Time"), mark('When the row was measured; choose "Forward in time" as validation.')),
}
_USES: dict[Role, str] = {
    "feature": mark("Use as feature"),
    "always": mark("Include in every subset"),
    "ignored": mark("Exclude"),
    "target": mark("Use as target"),
    "event": mark("Use as event indicator"),
    "entry": mark("Use as time of entry"),
    "group": mark("Use as groups of rows"),
    "folds": mark("Use as your own folds"),
    "time": mark("Use as time"),
}


def role_words(name: str, role: Role) -> str:
    """An undo step that assigns a role to a column."""
    return tr("{title}: {column}", title=tr(_ROLES[role][0]), column=name)


class ColumnsCard(Card):
    """List and choices.

    Signals: ``ticked`` when columns were included or excluded, ``chosen`` after any other choice, ``picked`` with the
    selected column; ``assigned`` with a column, its old role and its new one; ``always_wanted`` when a feature is to be
    always selected, or no longer; ``retyped`` with the options for reading the file again with another column type, and
    the name of that step. ``in_file`` is the table with its options, if read from a file.
    """

    ticked = Signal()
    picked = Signal(str)
    chosen = Signal()
    assigned = Signal(str, object, object)
    always_wanted = Signal(str, bool)
    retyped = Signal(object, str)

    def __init__(self) -> None:
        super().__init__(tr("Columns"))
        self.in_file: tuple[Table | None, ReadOptions | None] = None, None
        self.setMinimumHeight(460)
        self.model = ColumnsModel()
        self.model.ignored_changed.connect(self.ticked)
        self._unseen = 0
        self.count = label("", "caption")
        self.head.addWidget(self.count)
        self.search = search_field("findColumn", tr("Find a column"))
        self.search.textChanged.connect(self._find)
        self._make_view()
        self.all_in = button(tr("Include shown"), "includeShown", "link", tr("Include all columns shown"))
        self.all_out = button(tr("Exclude shown"), "ignoreShown", "link", tr("Exclude all columns shown"))
        self.all_in.clicked.connect(lambda: self.model.include(self.model.shown(), True))
        self.all_out.clicked.connect(lambda: self.model.include(self.model.shown(), False))
        roles: dict[str, str] = {key: tr(text) for key, (text, _) in _ROLES.items()}
        self.role = _choices("role", tr("Role of the selected column"), roles, _OpenedByArrows())
        self.role.setPlaceholderText(tr("Excluded"))
        for place, (_, tip) in enumerate(_ROLES.values()):
            self.role.setItemData(place, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.role.activated.connect(lambda: self.assign(self.role.currentData()))
        self.task = _choices("task", tr("Target type"), {key: tr(_TASK[key]) for key in get_args(TargetTask)})
        self.missing = _choices("missing", tr("Missing values"), {key: tr(_MISSING[key]) for key in get_args(Missing)})
        self.nominal = _choices("nominal", tr("Text columns"), {key: tr(_NOMINAL[key]) for key in get_args(Nominal)})
        for box in (self.task, self.missing, self.nominal):
            box.activated.connect(self.chosen)
        self.kept = label("", "caption", wrap=True)
        self.kept.hide()
        self._lay_out()
        self._show_role()

    def _make_view(self) -> None:
        none = tr("No matching columns.")
        self.view = row_list("columns", tr("Columns: tick those to use"), self.model, 116, 72, none=none)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)  # a role is assigned to one column
        self.actions_: dict[Role, QAction] = {}
        for key, (_, tip) in _ROLES.items():
            action = self.actions_[key] = QAction(tr(_USES[key]), self.view)
            action.setObjectName(f"role_{key}")
            action.setToolTip(tr(tip))
            action.triggered.connect(lambda _=False, key=key: self.assign(key))
            self.view.addAction(action)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(
            lambda spot: self.menu().popup(self.view.viewport().mapToGlobal(spot))
        )
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.clicked.connect(lambda _: self.picked.emit(self.current))
        self.model.modelReset.connect(self._show_role)
        self.model.dataChanged.connect(lambda *_: self._show_role())

    def menu(self) -> QMenu:
        """The possible settings of the selected column: its role and its content."""
        made = QMenu(self.view)
        made.setObjectName("columnMenu")
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        made.setToolTipsVisible(True)
        made.addActions(self.view.actions())
        table, options = self.in_file
        if table is not None and options is not None and self.current in table.columns:
            made.addSeparator()
            add_column_actions(made, ColumnInFile(table, options, self.current), self.retyped.emit, self.window())
        return made

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(SPACE)
        grid.setColumnStretch(1, 1)
        self.role_title = label(tr("Selected column"), wrap=True)
        for place, (title, box) in enumerate((
            (self.role_title, self.role), (label(tr("Target type")), self.task),
            (label(tr("Missing values")), self.missing), (label(tr("Text columns")), self.nominal),
        )):  # fmt: skip
            title.setBuddy(box)
            grid.addWidget(title, place, 0)
            grid.addWidget(box, place, 1)
        self.body.addWidget(self.search)
        self.body.addWidget(self.view, 1)
        self.body.addLayout(row(self.all_in, None, self.all_out))
        self.body.addWidget(self.kept)
        self.body.addLayout(grid)

    def _find(self, text: str) -> None:
        name = self.current
        self.model.find(text)
        self.select(name)

    @property
    def current(self) -> str:
        """Name of the selected column, "" if there is none."""
        index = self.view.currentIndex()
        return self.model.name(index.row()) if index.isValid() and index.row() < self.model.rowCount() else ""

    def _on_current(self) -> None:
        self._show_role()
        self.picked.emit(self.current)

    def select(self, name: str) -> None:
        """Select a column by name; none if it is not in the list."""
        place = self.model.place(name)
        if place < 0:
            self.view.setCurrentIndex(self.model.index(-1, 0))
        elif self.view.currentIndex().row() != place:
            self.view.setCurrentIndex(self.model.index(place, 0))

    def assign(self, role: Role) -> None:
        """Assign a role to the selected column."""
        name = self.current
        before = self.model.role(name) if name else role
        if self.model.editable and name and self.model.assign(name, role):
            self.assigned.emit(name, before, role)
        self._show_role()

    def _show_role(self) -> None:
        name = self.current
        self.role.setEnabled(bool(name) and self.model.editable)
        role = self.model.role(name) if name else "feature"
        aside = bool(name) and self.model.is_aside(name)
        self.role.setCurrentIndex(-1 if aside else self.role.findData(role))
        possible = name not in self.model.aside
        entries = self.role.model()
        if isinstance(entries, QStandardItemModel):
            entries.item(self.role.findData("always")).setEnabled(possible)
            entries.item(self.role.findData("feature")).setEnabled(not aside)
        self.actions_["always"].setEnabled(possible)
        self.actions_["feature"].setEnabled(not aside)
        about = tr("See the checks for the reason.") if aside else tr(_ROLES[role][1])
        self.role.setToolTip(about if name else tr("Select a column first."))

    def show_table(
        self, table: Table, facts: ColumnFacts, choices: Choices, *, editable: bool, unseen: int = 0, kept: str = ""
    ) -> None:
        """Show the columns of another table, the number of features not shown, and what a project kept of the table."""
        self.model.show_table(table, facts, choices, editable)
        self._unseen = unseen
        self.show_kept(kept)
        self.view.setColumnHidden(2, not facts.missing.any())
        self.view.setColumnWidth(1, self._kind_width(int(facts.distinct.max(initial=0))))

    def show_kept(self, kept: str) -> None:
        """Show what a project kept of the table."""
        self.kept.setText(kept)
        self.kept.setVisible(bool(kept))

    def _kind_width(self, categories: int) -> int:
        """Width in pixels of the longest possible type; names take the rest."""
        kinds = [tr("number"), tr("excluded"), *map(tr, _WORDS.values())]
        kinds += [counted(categories, "category")] if categories else []
        self.view.ensurePolished()
        content = max(map(self.view.fontMetrics().horizontalAdvance, kinds)) + 3 * SPACE  # padding and margins
        return max(content, self.view.horizontalHeader().sectionSizeHint(1))

    def show_nothing(self) -> None:
        """Show no columns until those of the next table are known."""
        self.model.show_nothing()
        self.show_count()

    def show_choices(self, choices: Choices, *, editable: bool, ticking: bool = False) -> None:
        """Show choices made elsewhere; while the user is ``ticking``, the ticks stay as they are."""
        values = ((self.missing, choices.missing), (self.nominal, choices.nominal), (self.task, choices.task))
        for box, value in values:
            box.setEnabled(editable)
            box.setCurrentIndex(box.findData(value))
        for control in (self.all_in, self.all_out):
            control.setEnabled(editable)
        if editable and not ticking:
            self.model.show_choices(choices)
        elif editable and self.model.target != choices.target:
            self.model.set_target(choices.target or "")

    def choices(self, before: Choices) -> Choices:
        """The current choices."""
        holders = {role: name for name, role in self.model.roles.items()}
        return replace(
            before,
            target=self.model.target,
            ignore=tuple(sorted(self.model.ignored)),
            missing=self.missing.currentData(),
            nominal=self.nominal.currentData(),
            task=self.task.currentData(),
            group=holders.get("group"),
            folds=holders.get("folds"),
            time=holders.get("time"),
            event=self.model.event_of(before),
            entry=holders.get("entry"),
        )

    def show_count(self) -> None:
        """Show the number of features."""
        if not self.model.columns:
            self.count.clear()
            return
        total = max(0, self.model.columns - 1 - len(self.model.roles)) + self._unseen
        out = self.model.ignored | self.model.aside
        self.count.setText(tr("{count:,} of {features}", count=total - len(out), features=counted(total, "feature")))


class _OpenedByArrows(Choice):
    """A list that arrow keys only open: stepping through the roles would make the column the target, irreversibly."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.showPopup()
        else:
            super().keyPressEvent(event)


def _choices(name: str, spoken: str, titles: dict[str, str], box: Choice | None = None) -> Choice:
    box = box or Choice()
    named(box, name, spoken)
    box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.offer(titles)
    return box
