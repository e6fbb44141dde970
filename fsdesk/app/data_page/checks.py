"""Checks of the table, one sentence each, with links that fix the problem."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QWidget

from fsdesk.app.widgets import ROLE_COLOURS, Card, Sign, button, column, label, named, panel, row
from fsdesk.data import Check, Choices, ReadOptions, Table
from fsdesk.messages import mark, quoted, tr, tr_many, translated

_MOST_PARTS = 3

_MISSING = {
    "impute": (
        "fillIn",
        mark("Impute"),
        mark("Missing values are imputed from the training rows of each fold only."),
    ),
    "drop rows": ("dropRows", mark("Drop rows"), mark("Rows with a missing value are not used.")),
    "drop columns": ("dropColumns", mark("Drop columns"), mark("Columns with a missing value are not used.")),
}
_BATCHES_OUT = (
    mark("{count} batch column is excluded."),
    mark("{count} batch columns are excluded."),
    mark("A batch says nothing about samples of other batches."),
)
_OUT = {
    "constant columns": (
        mark("{count} constant column is excluded."),
        mark("{count} constant columns are excluded."),
        mark("They are no longer features; the file itself is not changed."),
    ),
    "duplicated columns": (
        mark("{count} duplicate column is excluded."),
        mark("{count} duplicate columns are excluded."),
        mark("The first of the identical columns is kept."),
    ),
    "text among numbers": (
        mark("{count} column that mixes numbers and text is excluded."),
        mark("{count} columns that mix numbers and text are excluded."),
        mark("To use them as numbers, correct the cells in the file."),
    ),
    "target among features": (
        mark("{count} column that gives away the target is excluded."),
        mark("{count} columns that give away the target are excluded."),
        mark("Values known only after the target cannot be used to predict it."),
    ),
    "possible ids": (
        mark("{count} ID column is excluded."),
        mark("{count} ID columns are excluded."),
        mark("IDs say nothing about new rows."),
    ),
    "dates": (
        mark("{count} date column is excluded."),
        mark("{count} date columns are excluded."),
        mark("The date on which a row was recorded says nothing about new rows."),
    ),
    "ordering columns": (
        mark("{count} column that follows the row order is excluded."),
        mark("{count} columns that follow the row order are excluded."),
        mark("The order of these rows says nothing about new ones."),
    ),
    "uneven batches": _BATCHES_OUT,
    "batches as features": _BATCHES_OUT,
}


@dataclass(frozen=True)
class Fix:
    """The change made by a link.

    Attributes
    ----------
    name, title, tip
        Name of the control, its text, and its tooltip.
    out, back
        Columns to exclude, or to restore as features.
    changes
        Other fields of the choices with their new values.
    part
        The sheet or matrix of the file to read instead; "" to keep the table.
    read
        Reading options to change; empty to keep the table.
    asks_labels
        Whether it asks for the labels file.
    done
        Message if the finding disappears with the fix; "" if the finding remains and offers undo.
    """

    name: str
    title: str
    tip: str
    out: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    done: str = ""
    part: str = ""
    read: Mapping[str, str] = field(default_factory=dict)
    asks_labels: bool = False

    def applied(self, choices: Choices) -> Choices:
        """The choices with this change applied."""
        ignore = ({*choices.ignore} | {*self.out}) - {*self.back}
        return replace(choices, ignore=tuple(sorted(ignore)), **self.changes)

    def holds(self, choices: Choices) -> bool:
        """Whether the choices are still as this change left them."""
        changed = all(getattr(choices, name) == value for name, value in self.changes.items())
        return changed and {*self.out} <= {*choices.ignore} and not {*self.back} & {*choices.ignore}

    def undone(self, before: Choices) -> "Fix":
        """The inverse change, which restores ``before``."""
        fresh = tuple(name for name in self.out if name not in before.ignore)
        values = {name: getattr(before, name) for name in self.changes}
        return Fix(f"undo_{self.name}", tr("Undo"), tr("Undo this change"), back=fresh, changes=values)


@dataclass(frozen=True)
class Finding:
    """A sentence with its role (success, info, warning, error) and its fixes."""

    role: str
    sentence: str
    fixes: Sequence[Fix] = field(default=())


def fixes_for(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """Possible fixes for a finding; empty if nothing obvious helps."""
    maker = _MAKERS.get(check.kind)
    return maker(check, choices, table) if maker is not None else []


def parts_words(table: Table) -> str:
    """Which table of a file this is, and the alternatives."""
    others = [name for name in table.parts if name != table.part]
    return tr(
        'This is "{part}"; the file also contains {others}. All are listed under "Reading the file".',
        part=table.part,
        others=quoted(others),
    )


def part_fixes(table: Table) -> list[Fix]:
    """Links to the first other tables of the file."""
    others = [name for name in table.parts if name != table.part]
    return [
        Fix(
            f"fix_part_{place}", tr('Open "{name}"', name=name), tr("Read this table from the file instead."), part=name
        )
        for place, name in enumerate(others[:_MOST_PARTS])
    ]


def turned_finding(table: Table, options: ReadOptions, *, in_columns: bool) -> Finding | None:
    """Finding about samples in columns, with a link to read the table that way, or back again.

    ``in_columns`` says whether a table read by rows seems to have samples in columns.
    """
    if options.orientation == "rows" and in_columns:
        sentence = tr(
            "The samples seem to be in columns and the features in rows, as is common for gene expression data."
        )
        tip = tr("Each column of the file is read as a sample and each row as a feature.")
        return Finding(
            "warning", sentence, (Fix("fix_turn", tr("Read columns as samples"), tip, read={"orientation": "columns"}),)
        )
    if options.orientation == "columns":
        tip = tr("Each row of the file is read as a sample again.")
        fixes = [Fix("undo_turn", tr("Undo"), tip, read={"orientation": "rows"})]
        sentence = tr("In this file, columns are read as samples and rows as features.")
        if not table.categories and not options.labels:
            sentence += " " + tr("No row contains class labels: choose a file with the label of each sample.")
            tip = tr("A second file with the class of each sample, matched by sample ID or, failing that, by order.")
            fixes.insert(0, Fix("fix_labels", tr("Choose a label file …"), tip, asks_labels=True))
        return Finding("info" if table.categories or options.labels else "warning", sentence, tuple(fixes))
    return None


def concerns(check: Check, choices: Choices) -> bool:
    """Whether a finding about reading still matters: text in an excluded column does not."""
    return check.kind != "text among numbers" or not {*check.columns} <= {*choices.ignore}


def sentence_of(check: Check, choices: Choices) -> str:
    """The sentence of a check; for sample descriptions, it says what the window does with them."""
    if check.kind != "sample descriptions":
        return translated(check.sentence)
    names = _free(check.columns, choices)
    held = [name for name in names if name in choices.ignore]
    head = tr_many(
        len(names),
        "{count} column describes the samples and is not a measurement",
        "{count} columns describe the samples and are not measurements",
    )
    left = tr("none is excluded")
    if held:
        left = tr_many(len(held), "{names} is excluded", "{names} are excluded", names=quoted(held))
    return f"{head}; {left}."


def _leave_out(check: Check, choices: Choices, table: Table) -> list[Fix]:
    one, many, tip = _OUT[check.kind]
    out = tuple(name for name in _free(check.columns, choices) if name not in choices.ignore)
    done = tr_many(len(out), one, many)
    return [Fix(f"fix_{check.kind}", _leave_words(out), tr(tip), out=out, done=done)] if out else []


def _describing(check: Check, choices: Choices, table: Table) -> list[Fix]:
    names = _free(check.columns, choices)
    held = tuple(name for name in names if name in choices.ignore)
    fixes = []
    if len(held) < len(names):
        tip = tr("A column that only describes a sample may give its class away.")
        fixes.append(Fix("fix_describing", _leave_words(names), tip, out=names))
    if held:
        tip = tr("Do this only if they would be known for a new sample before its class is.")
        fixes.append(Fix("fix_described", _use_words(held), tip, back=held))
    return fixes


def _as_features(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """Fixes for a column that numbers the rows: it may be a measurement, such as the order of sampling."""
    names = _free(check.columns, choices)
    if not names:
        return []
    tip = tr("Excluded because its values look like row IDs. Include it only if it was measured.")
    kept = tuple(sorted({*choices.keep, *names}))
    done = tr("{names} can now be selected by the search.", names=quoted(names))
    return [Fix("fix_keep", _use_words(names), tip, changes={"keep": kept}, done=done)]


def _gaps(check: Check, choices: Choices, table: Table) -> list[Fix]:
    return [
        Fix(f"fix_{name}", tr(title), tr(tip), changes={"missing": value})
        for value, (name, title, tip) in _MISSING.items()
        if value != choices.missing
    ]


def _texts(check: Check, choices: Choices, table: Table) -> list[Fix]:
    if choices.nominal == "drop":
        return [
            Fix(
                "fix_encode",
                tr("Encode the categories"),
                tr("One 0/1 column for each category."),
                changes={"nominal": "encode"},
            )
        ]
    tip = tr("Text columns are no longer features.")
    return [Fix("fix_nominal", _leave_words(check.columns), tip, changes={"nominal": "drop"})]


def _grouping(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """Fixes for a text shared by a few rows each, or nearly unique: it may identify repeated measurements."""
    if len(check.columns) != 1 or choices.group is not None or check.columns[0] not in table.columns:
        return []
    (name,) = check.columns
    if check.kind == "text columns" and len(table.categories.get(table.columns.index(name), ())) >= len(table.rows):
        return []
    tip = tr("Rows with the same value, such as those of one patient, are never split between training and test sets.")
    done = tr('Rows with the same "{name}" are never split between training and test sets.', name=name)
    return [Fix("fix_group", tr("Use as groups of rows"), tip, changes={"group": name}, done=done)]


def _timing(check: Check, choices: Choices, table: Table) -> list[Fix]:
    names, left_out = _free(check.columns, choices), _leave_out(check, choices, table)
    if len(names) != 1 or choices.time is not None:
        return left_out
    (name,) = names
    tip = tr('The order of the rows in time, for "Forward in time" validation.')
    done = tr('"{name}" gives the time of the rows. Choose "Forward in time" as validation.', name=name)
    return [Fix("fix_time", tr("Use as time"), tip, changes={"time": name}, done=done), *left_out]


def _batching(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """Fixes for a batch column: it may define folds, so that models trained on other batches predict each batch."""
    names, left_out = _free(check.columns, choices), _leave_out(check, choices, table)
    if len(names) != 1 or choices.folds is not None or names[0] in choices.ignore:
        return left_out
    (name,) = names
    tip = tr('The batches become folds, for "Folds from a column" validation.')
    done = tr('Each batch in "{name}" is a fold. Choose "Folds from a column" as validation.', name=name)
    return [Fix("fix_folds", tr("Use as folds"), tip, changes={"folds": name}, done=done), *left_out]


def _as_classes(check: Check, choices: Choices, table: Table) -> list[Fix]:
    tip = tr("Each distinct number in the target is a class.")
    done = tr("The numbers in the target are treated as classes.")
    return [Fix("fix_classes", tr("Predict classes"), tip, changes={"task": "classification"}, done=done)]


def _as_numbers(check: Check, choices: Choices, table: Table) -> list[Fix]:
    tip = tr("The target is a quantity, to be predicted as accurately as possible.")
    done = tr("The target is predicted as a number.")
    return [Fix("fix_numbers", tr("Predict numbers"), tip, changes={"task": "regression"}, done=done)]


def _free(names: tuple[str, ...], choices: Choices) -> tuple[str, ...]:
    taken = {choices.target, choices.group, choices.folds, choices.time}
    return tuple(name for name in names if name not in taken)


def _leave_words(names: tuple[str, ...]) -> str:
    return tr("Exclude it") if len(names) == 1 else tr("Exclude them")


def _use_words(names: tuple[str, ...]) -> str:
    return tr("Use it as a feature") if len(names) == 1 else tr("Use them as features")


_MAKERS: dict[str, Callable[[Check, Choices, Table], list[Fix]]] = {
    **dict.fromkeys(_OUT, _leave_out),
    "id columns": _as_features,
    "outcome columns": _as_features,
    "missing values": _gaps,
    "non-numeric columns": _texts,
    "sample descriptions": _describing,
    "text columns": _grouping,
    "possible groups": _grouping,
    "dates": _timing,
    "uneven batches": _batching,
    "batches as features": _batching,
    "numeric target": _as_classes,
    "numbers as classes": _as_numbers,
}


_INFORMING = (
    *("ids", "labels", "encoding", "sheet", "title", "numeric target", "sample descriptions", "versions"),
    "precision",
    *("missing spellings", "units", "thousands", "feature descriptions", "left aside", "indicator matrix"),
    *("numbers as classes", "quotation marks", "short lines", "weights"),
    *("asked for", "renamed categories", "ordered categories", "logarithms", "ignored columns"),
)
_HARM = {
    # Causes of optimistic errors.
    "target among features": 0, "batches are classes": 0, "uneven batches": 0, "copied rows": 0, "ordering columns": 0,
    # Columns that number the rows, or show which rows belong together.
    "possible groups": 1, "duplicated row ids": 1, "possible ids": 1, "dates": 1, "text columns": 1,
    "batches as features": 1,
    # Causes of few training rows.
    "competing events": 2, "similar classes": 2, "tiny classes": 2, "rare class": 2, "few events": 2,
    "samples without a label": 2, "missing target": 3,
}  # fmt: skip
_OTHERS, _NOTES = 4, 5
_LEAST = 64  # pixels that two sentences need
_LEAST_CHECKS = 176  # minimum height of the checks, so that the worst ones can be read in full without scrolling
_WIDEST = 760  # maximum width of a sentence, so that its buttons stay beside it even in a wide window


def informs(kind: str) -> bool:
    """Whether a check only describes how the file was read; duplicate IDs are a problem and do not count."""
    harms = kind.startswith("duplicated") or kind in _HARM
    return not harms and any(word in kind for word in _INFORMING)


def harm(kind: str) -> int:
    """Rank of a check by severity: leaks, then IDs, then rare classes, then the rest, then notes."""
    return _NOTES if informs(kind) else _HARM.get(kind, _OTHERS)


class Rows(QScrollArea):
    """A list as high as its rows; if the page is too small, the rows scroll within at least ``least`` pixels."""

    def __init__(self, content: QWidget, name: str, spoken: str, least: int = _LEAST) -> None:
        super().__init__()
        named(self, name, spoken)
        self._least = least
        content.setProperty("surface", "plain")
        self._content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.verticalScrollBar().rangeChanged.connect(self._take_focus)
        self._take_focus()

    def _take_focus(self) -> None:
        """Accept Tab focus only if there is something to scroll."""
        scrolls = self.verticalScrollBar().maximum() > 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        content = self._content
        wanted = content.heightForWidth(self.viewport().width()) if content.hasHeightForWidth() else -1
        return QSize(200, wanted if wanted > 0 else content.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self._least, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().viewportEvent(event)


class ChecksCard(Card):
    """The findings; ``wanted`` sends the fix that was clicked."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Checks"))
        self.setObjectName("checks")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._rows = column(spacing=4)
        self._listed = panel(self._rows)
        self._area = Rows(self._listed, "checkRows", tr("Checks"), _LEAST_CHECKS)
        self.body.addWidget(self._area)
        self._left = ("", 0)  # name and place of the link that had the focus
        self._settled = QTimer(self, singleShot=True, interval=0)  # after the rows have been laid out
        self._settled.timeout.connect(self._return_focus)
        self._shown: tuple[Finding, ...] = ()

    def show_findings(self, findings: Sequence[Finding], *, done: bool) -> None:
        """Replace the findings; say so if everything is ``done`` and there are none."""
        if done and not findings:
            findings = [Finding("success", tr("No problems found: the table is ready to search."))]
        self.setVisible(bool(findings))
        if tuple(findings) != self._shown:
            self._shown = tuple(findings)
            self._show_rows()

    def _show_rows(self) -> None:
        self._leave_focus()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        before: QWidget = self._help
        for finding in self._shown:
            made = self._row(finding)
            self._rows.addWidget(made)
            for link in made.findChildren(QPushButton):  # Tab would otherwise reach new widgets last
                QWidget.setTabOrder(before, link)
                before = link
        self.updateGeometry()

    def _links(self) -> list[QPushButton]:
        return [link for link in self._listed.findChildren(QPushButton) if link.isVisible()]

    def _leave_focus(self) -> None:
        """Keep the focus in the list while its links are replaced: Qt would otherwise move it to another row."""
        links = self._links()
        place = next((place for place, link in enumerate(links) if link.hasFocus()), None)
        if place is not None:
            self._left = (links[place].objectName(), place)
            self._area.setFocus()
            self._settled.start()

    def _return_focus(self) -> None:
        """Focus the undo link of the clicked fix if it is in view; otherwise, whatever replaced the fix."""
        (name, place), links = self._left, self._links()
        ways_back = (link for link in links if link.objectName() in (f"undo_{name}", "undo_refused"))
        link = next(ways_back, links[min(place, len(links) - 1)] if links else None)
        if link is not None and self._area.hasFocus():
            link.setFocus()
            self._area.ensureWidgetVisible(link)

    def _row(self, finding: Finding) -> QWidget:
        sign = Sign(finding.role, ROLE_COLOURS[finding.role], 16)
        sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        text = label(finding.sentence, wrap=True)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        text.setMinimumHeight(1)  # otherwise the height that it would need in a narrow column
        text.setMaximumWidth(_WIDEST)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        links = [self._link(fix, finding.sentence) for fix in finding.fixes]
        layout = row(sign, text, *([column(*links, None, spacing=0)] if links else []), None, margins=(0, 2, 0, 2))
        layout.setStretchFactor(text, 100)
        return panel(layout)

    def _link(self, fix: Fix, sentence: str) -> QWidget:
        made = button(fix.title, fix.name, "link", f"{fix.title}: {sentence}")
        made.setToolTip(fix.tip)
        made.clicked.connect(lambda: self.wanted.emit(fix))
        return made
