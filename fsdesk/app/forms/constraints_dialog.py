"""Which features are always or never in, and which go together: a list to select in, and five buttons."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from fsdesk.app.dialogs.dialog import end_buttons, framed, opened_at
from fsdesk.app.palette import SPACE
from fsdesk.app.tables import TableModel, chosen_rows, row_list
from fsdesk.app.widgets import button, label, named, row
from fsdesk.messages import mark, tr, translated

__all__ = ["ALWAYS", "FREE", "NEVER", "Constraints", "ConstraintsDialog", "ConstraintsModel", "find_field"]

FREE, ALWAYS, NEVER = 0, 1, 2
_WORDS = ("", mark("always in"), mark("never in"))


@dataclass(frozen=True)
class Constraints:
    """Names of features that are always in, never in, or in and out together."""

    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()

    def among(self, features: Sequence[str]) -> "Constraints":
        """Those that can be kept with these features."""
        if self == Constraints():
            return self  # the usual case need not look at twenty thousand names
        known = set(features)
        groups = (tuple(name for name in group if name in known) for group in self.together)
        return Constraints(
            tuple(name for name in self.always if name in known),
            tuple(name for name in self.never if name in known),
            tuple(group for group in groups if len(group) > 1),
        )


class ConstraintsModel(TableModel):
    """One row for each feature whose name holds the text searched for."""

    def __init__(self, names: Sequence[str], constraints: Constraints) -> None:
        super().__init__()
        self._names = tuple(names)
        self._folded = [name.casefold() for name in names]
        place = {name: at for at, name in enumerate(names)}
        self._state = np.zeros(len(names), dtype=np.int64)
        self._group = np.zeros(len(names), dtype=np.int64)
        for state, wanted in ((ALWAYS, constraints.always), (NEVER, constraints.never)):
            self._state[[place[name] for name in wanted]] = state
        for number, group in enumerate(constraints.together, start=1):
            self._group[[place[name] for name in group]] = number
        self._shown = np.arange(len(names))

    def find(self, text: str) -> None:
        """Show only the features whose name holds this text."""
        self.beginResetModel()
        wanted = text.casefold()
        self._shown = np.array([at for at, name in enumerate(self._folded) if wanted in name], dtype=np.int64)
        self.endResetModel()

    def mark(self, rows: Sequence[int], state: int) -> None:
        """Make the features of these rows free, always in or never in."""
        self._state[self._shown[list(rows)]] = state
        self.rows_changed()

    def tie(self, rows: Sequence[int], *, together: bool) -> None:
        """Let the features of these rows go together, or each alone; a group of one is none."""
        self._group[self._shown[list(rows)]] = self._group.max(initial=0) + 1 if together else 0
        self._group[np.bincount(self._group)[self._group] < 2] = 0
        self._group = np.unique(np.append(0, self._group), return_inverse=True)[1][1:]
        self.rows_changed()

    @property
    def constraints(self) -> Constraints:
        """As they are now."""
        groups = range(1, int(self._group.max(initial=0)) + 1)
        return Constraints(
            self._named(self._state == ALWAYS),
            self._named(self._state == NEVER),
            tuple(self._named(self._group == number) for number in groups),
        )

    def _named(self, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[str, ...]:
        return tuple(self._names[at] for at in np.flatnonzero(chosen))

    def count(self) -> int:
        return len(self._shown)

    def titles(self) -> tuple[str, ...]:
        return tr("Feature"), tr("Constraint"), tr("Together")

    def text(self, row: int, column: int) -> str:
        at = int(self._shown[row])
        group = tr("group {number}", number=self._group[at]) if self._group[at] else ""
        return (self._names[at], translated(_WORDS[self._state[at]]), group)[column]

    def tip(self, row: int, column: int) -> str:
        return self._names[int(self._shown[row])]


def find_field(name: str, model: Any) -> QLineEdit:
    """A field that has a model show only what holds its text."""
    field = QLineEdit()
    field.setPlaceholderText(tr("Find a feature"))
    field.setClearButtonEnabled(True)
    named(field, name, tr("Find a feature"))
    field.textChanged.connect(model.find)
    return field


class ConstraintsDialog(QDialog):
    """``chosen`` carries the constraints once the user has agreed."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, names: Sequence[str], constraints: Constraints) -> None:
        super().__init__(parent)
        self.setObjectName("constraintsDialog")
        self.model = ConstraintsModel(names, constraints)
        layout = framed(self, tr("Constraints on features"), 520)
        opened_at(self, 560, 560)
        self.search = find_field("findConstraint", self.model)
        none = tr("No feature is called so.")
        self.view = row_list("constraints", tr("Features with your constraints"), self.model, 112, 112, none=none)
        controls = {}
        for name, text, spoken, act in (
            ("free", tr("Free"), tr("The search decides about the selected features"), lambda: self._mark(FREE)),
            ("always", tr("Always in"), tr("The selected features are in every subset"), lambda: self._mark(ALWAYS)),
            ("never", tr("Never in"), tr("The selected features are in no subset"), lambda: self._mark(NEVER)),
            ("together", tr("Together"), tr("The selected features are in or out as one"), lambda: self._tie(True)),
            ("apart", tr("Apart"), tr("The selected features each go alone"), lambda: self._tie(False)),
        ):
            control = controls[name] = button(text, f"constraint{name.title()}", spoken=spoken)
            control.setToolTip(f"{spoken}.")
            control.clicked.connect(act)
        self.free, self.always, self.never, self.together, self.apart = controls.values()
        layout.addWidget(label(tr("Constraints on features"), "title"))
        words = tr(
            "Select features, with Shift or Ctrl several, and say which of them every subset or no subset holds."
        )
        layout.addWidget(label(words, wrap=True))
        layout.addWidget(self.search)
        layout.addWidget(self.view, 1)
        layout.addLayout(row(self.free, self.always, self.never, None, self.together, self.apart))
        layout.addSpacing(SPACE)
        end_buttons(self, layout, tr("Use these"), "constraintsUse", "constraintsCancel").clicked.connect(self._agree)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.model.modelReset.connect(self._enable)
        self._enable()

    def _mark(self, state: int) -> None:
        self.model.mark(chosen_rows(self.view), state)

    def _tie(self, together: bool) -> None:
        self.model.tie(chosen_rows(self.view), together=together)

    def _enable(self) -> None:
        selected = len(chosen_rows(self.view))
        for control in (self.free, self.always, self.never, self.apart):
            control.setEnabled(selected > 0)
        self.together.setEnabled(selected > 1)

    def _agree(self) -> None:
        self.chosen.emit(self.model.constraints)
        self.accept()
