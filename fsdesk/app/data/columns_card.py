"""The columns of the table: which take part, what each is for, and what is done about gaps and text."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QLineEdit

from fsdesk.app.data.table_models import ColumnFacts, ColumnsModel, Role
from fsdesk.app.look.fields import Choice
from fsdesk.app.look.parts import Card, button, label, named, row
from fsdesk.app.look.tables import row_list
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import mark, tr
from fsdesk.app.look.words import counted
from fsdesk.data import Choices, Missing, Nominal, Table, TargetTask

__all__ = ["ColumnsCard"]

_MISSING = {
    "impute": mark("Fill in, inside each training fold"),
    "drop rows": mark("Leave out rows with gaps"),
    "drop columns": mark("Leave out columns with gaps"),
}
_NOMINAL = {"encode": mark("Code the categories"), "drop": mark("Leave out text columns")}
_TASK = {
    "auto": mark("Classes or numbers, as it looks"),
    "classification": mark("Classes"),
    "regression": mark("Numbers"),
}
_ROLES: dict[Role, tuple[str, str]] = {
    "feature": (mark("Feature"), mark("The search may choose it.")),
    "always": (mark("Always in"), mark("It is in every subset; the search decides about the others.")),
    "ignored": (mark("Left out"), mark("It takes no part.")),
    "target": (mark("Target"), mark("The column to predict.")),
    "group": (mark("Groups of rows"), mark("Rows with the same value, such as those of one patient, are never split.")),
    "folds": (
        mark("Your own folds"),
        mark('Rows with the same value are one fold; choose "Folds of a column" as validation.'),
    ),
    "time": (mark("Time"), mark('When the row was measured; choose "Forward in time" as validation.')),
}
_USES: dict[Role, str] = {
    "feature": mark("Use as feature"),
    "always": mark("Keep in every subset"),
    "ignored": mark("Leave out"),
    "target": mark("Use as target"),
    "group": mark("Use as groups of rows"),
    "folds": mark("Use as your own folds"),
    "time": mark("Use as time"),
}


class ColumnsCard(Card):
    """List and choices.

    ``ticked`` tells that columns came or went, ``chosen`` of any other choice, ``picked`` the column selected;
    ``always_wanted`` that a feature is to be in every subset, or no longer.
    """

    ticked = Signal()
    picked = Signal(str)
    chosen = Signal()
    always_wanted = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__(tr("Columns"))
        self.setMinimumHeight(460)
        self.model = ColumnsModel()
        self.model.ignored_changed.connect(self.ticked)
        self.count = label("", "caption")
        self.head.addWidget(self.count)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a column"))
        self.search.setClearButtonEnabled(True)
        named(self.search, "findColumn", tr("Find a column"))
        self.search.textChanged.connect(self.model.find)
        self._make_view()
        self.all_in = button(tr("Include shown"), "includeShown", "link", tr("Include all columns shown"))
        self.all_out = button(tr("Leave out shown"), "ignoreShown", "link", tr("Leave out all columns shown"))
        self.all_in.clicked.connect(lambda: self.model.include(self.model.shown(), True))
        self.all_out.clicked.connect(lambda: self.model.include(self.model.shown(), False))
        self.role = _choices(
            "role", tr("What the selected column is for"), {key: tr(text) for key, (text, _) in _ROLES.items()}
        )
        self.role.setPlaceholderText(tr("Set aside"))
        for place, (_, tip) in enumerate(_ROLES.values()):
            self.role.setItemData(place, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.role.activated.connect(lambda: self.assign(self.role.currentData()))
        self.task = _choices("task", tr("What the target holds"), {key: tr(_TASK[key]) for key in get_args(TargetTask)})
        self.missing = _choices("missing", tr("Missing values"), {key: tr(_MISSING[key]) for key in get_args(Missing)})
        self.nominal = _choices("nominal", tr("Text columns"), {key: tr(_NOMINAL[key]) for key in get_args(Nominal)})
        for box in (self.task, self.missing, self.nominal):
            box.activated.connect(self.chosen)
        self._lay_out()
        self._show_role()

    def _make_view(self) -> None:
        none = tr("No column is called so.")
        self.view = row_list("columns", tr("Columns: tick those that take part"), self.model, 116, 72, none=none)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)  # a role is given to one
        self.actions_: dict[Role, QAction] = {}
        for key, (_, tip) in _ROLES.items():
            action = self.actions_[key] = QAction(tr(_USES[key]), self.view)
            action.setObjectName(f"role_{key}")
            action.setToolTip(tr(tip))
            action.triggered.connect(self._assigning(key))
            self.view.addAction(action)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.clicked.connect(lambda _: self.picked.emit(self.current))
        self.model.modelReset.connect(self._show_role)
        self.model.dataChanged.connect(lambda *_: self._show_role())

    def _assigning(self, role: Role) -> Callable[[], None]:
        return lambda: self.assign(role)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(SPACE)
        grid.setColumnStretch(1, 1)
        self.role_title = label(tr("Selected column"), wrap=True)
        for place, (title, box) in enumerate((
            (self.role_title, self.role), (label(tr("Target holds")), self.task),
            (label(tr("Missing values")), self.missing), (label(tr("Text columns")), self.nominal),
        )):  # fmt: skip
            title.setBuddy(box)
            grid.addWidget(title, place, 0)
            grid.addWidget(box, place, 1)
        self.body.addWidget(self.search)
        self.body.addWidget(self.view, 1)
        self.body.addLayout(row(self.all_in, None, self.all_out))
        self.body.addLayout(grid)

    @property
    def current(self) -> str:
        """Name of the selected column, "" where there is none."""
        index = self.view.currentIndex()
        return self.model.name(index.row()) if index.isValid() and index.row() < self.model.rowCount() else ""

    def _on_current(self) -> None:
        self._show_role()
        self.picked.emit(self.current)

    def select(self, name: str) -> None:
        """Select a column by name; none where the list does not show it."""
        place = self.model.place(name)
        if place < 0:
            self.view.setCurrentIndex(self.model.index(-1, 0))
        elif self.view.currentIndex().row() != place:
            self.view.setCurrentIndex(self.model.index(place, 0))

    def assign(self, role: Role) -> None:
        """Give the selected column a role."""
        name = self.current
        before = self.model.role(name) if name else role
        if self.model.editable and name and self.model.assign(name, role):
            self.chosen.emit()
            if "always" in (before, role):
                self.always_wanted.emit(name, role == "always")
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
        about = tr("The checks say why.") if aside else tr(_ROLES[role][1])
        self.role.setToolTip(about if name else tr("Select a column first."))

    def show_table(self, table: Table, facts: ColumnFacts, choices: Choices, *, editable: bool) -> None:
        """Show the columns of another table."""
        self.model.show_table(table, facts, choices, editable)
        self.view.setColumnHidden(2, not facts.missing.any())

    def show_nothing(self) -> None:
        """Show no columns until those of the next table are known."""
        self.model.show_nothing()
        self.tell_count()

    def show_choices(self, choices: Choices, *, editable: bool, ticking: bool = False) -> None:
        """Show what was chosen elsewhere; while the user is ``ticking``, the ticks stay as they are."""
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
        """What is chosen now."""
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
        )

    def tell_count(self) -> None:
        """Say how many features there are."""
        if not self.model.columns:
            self.count.clear()
            return
        total = max(0, self.model.columns - 1 - len(self.model.roles))
        out = self.model.ignored | self.model.aside
        self.count.setText(tr("{count:,} of {features}", count=total - len(out), features=counted(total, "feature")))


def _choices(name: str, spoken: str, titles: dict[str, str]) -> Choice:
    box = Choice()
    named(box, name, spoken)
    box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.offer(titles)
    return box
