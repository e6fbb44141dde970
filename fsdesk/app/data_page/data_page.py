"""The data page: checks and cells of the table, its columns, and how the file is read."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QVBoxLayout, QWidget

from fsdesk.app.data_page.checks import (
    ChecksCard,
    Finding,
    Fix,
    concerns,
    fixes_for,
    harm,
    informs,
    part_fixes,
    parts_words,
    sentence_of,
    turned_finding,
)
from fsdesk.app.data_page.columns_card import ColumnsCard, Role, column_facts, role_words, with_description
from fsdesk.app.data_page.questions import QuestionsCard
from fsdesk.app.data_page.summaries import Summaries
from fsdesk.app.dialogs.dialog import ask_file
from fsdesk.app.forms.settings_form import SettingsForm
from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.session.table_loader import choice_words
from fsdesk.app.style import tokens
from fsdesk.app.tables import LEFT, NO_INDEX, RIGHT, Index, table_view
from fsdesk.app.widgets import Card, Choice, ElidedLabel, button, column, label, named, panel, row, scrolled
from fsdesk.data import (
    Alternative,
    Choices,
    Dataset,
    Origin,
    Reading,
    ReadOptions,
    Table,
    questions,
    reader_of,
    samples_in_columns,
)
from fsdesk.data.dates import date_text, day_origins
from fsdesk.data.outcomes import Named, named_outcome
from fsdesk.data.recode import names_now
from fsdesk.data.roles import LABELS_ELSEWHERE
from fsdesk.errors import SettingsError
from fsdesk.messages import counted, number, tr, translated

_FORM_WIDTH, _TITLE_WIDTH = 232, 104
_READ_MS = 500


def fitting_settings(name: str) -> frozenset[str]:
    """Names of the reading options that apply to a file of this name, or to its content if packed."""
    return frozenset(reader_of(name).options)


class ReadingCard(Card):
    """Form with the options for reading a table, below the list of its tables; ``wanted`` is emitted after a change."""

    wanted = Signal()
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Reading the file"))
        self._path: Path | None = None
        self._shown = ReadOptions()
        self.form = SettingsForm("read", ReadOptions.describe(), wide=_FORM_WIDTH, beside=_TITLE_WIDTH)
        self.browse = button(tr("Browse …"), "browseLabels", spoken=tr("Choose the label file"))
        self.browse.clicked.connect(self.ask_labels)
        self._place_browse()
        self.again = button(
            tr("Reload"), "readAgain", spoken=tr("Read the file again, for example after it has changed")
        )
        self.again.setToolTip(tr("Read the file again, for example after it has changed."))
        self.again.clicked.connect(self._read)
        self._pause = QTimer(self, singleShot=True, interval=_READ_MS)
        self._pause.timeout.connect(self._read_changed)
        self.form.changed.connect(self._on_change)
        for field in self.form.findChildren(QLineEdit):
            if field.objectName().startswith("read_"):
                field.editingFinished.connect(self._pause.start)
        self.body.addWidget(label(tr("Changes appear in the table immediately."), "caption", wrap=True))
        self.body.addWidget(self._make_parts())
        self.body.addWidget(self.form)
        self.more = button("", "moreReading", "link")
        self.more.clicked.connect(lambda: self._show_more(more=self.more.property("more") is not True))
        self.decisions = label("", "caption", wrap=True)
        named(self.decisions, "decisionList", tr("Show decisions"))
        self.decided = button("", "decisions", "link")
        self.decided.clicked.connect(lambda: self._show_decided(shown=self.decisions.isHidden()))
        self.body.addLayout(row(self.more, None, self.again))
        self.body.addLayout(row(self.decided, None))
        self.body.addWidget(self.decisions)
        self._show_more(more=False)
        self._show_decided(shown=False)
        self.show_file(None, ReadOptions())

    def _place_browse(self) -> None:
        """Add the button beside the field of the labels file."""
        field, layout = self.form.fields["labels"].widget, self.form.layout()
        assert isinstance(layout, QVBoxLayout)
        assert isinstance(field, QLineEdit)
        place = layout.indexOf(field)
        layout.removeWidget(field)
        layout.insertLayout(place, row(field, self.browse))
        field.setPlaceholderText(tr("None"))

    def _make_parts(self) -> QWidget:
        """The list of the sheets or matrices of the file."""
        self.part = Choice()
        named(self.part, "readingPart", tr("Sheet"))
        self._part_title = label("", wrap=True)
        self._part_title.setBuddy(self.part)
        self.part.setFixedWidth(_FORM_WIDTH)
        self.part.activated.connect(lambda: self.choose_part(self.part.currentData()))
        self.parts = panel(row(self._part_title, self.part, grow=[self._part_title]))
        return self.parts

    def _show_more(self, *, more: bool) -> None:
        self.form.show_level("all" if more else "common")
        self.more.setProperty("more", more)
        self.more.setText(tr("Fewer options") if more else tr("All options"))

    def _show_decided(self, *, shown: bool) -> None:
        self.decisions.setVisible(shown)
        self.decided.setText(tr("Hide decisions") if shown else tr("Show decisions"))

    def show_decisions(self, readings: Sequence[Reading]) -> None:
        """Show the decisions made in reading the file without a question."""
        self.decided.setVisible(bool(readings))
        self.decisions.setText("\n".join(f"• {translated(reading.text)}" for reading in readings))
        if not readings:
            self._show_decided(shown=False)

    def _show_parts(self, table: Table | None) -> None:
        found = () if table is None else table.parts
        self.parts.setVisible(bool(found))
        title = tr("Sheet") if self._part_option == "sheet" else tr("Table in the file")
        self._part_title.setText(title)
        named(self.part, "readingPart", title)
        self.part.offer({name: name for name in found})
        if table is not None:
            self.part.setCurrentIndex(self.part.findData(table.part))

    @property
    def _part_option(self) -> str:
        return reader_of(self._path.name if self._path is not None else "").part_option

    def choose_part(self, name: str) -> None:
        """Read another sheet or matrix of the file immediately."""
        self.form.put({self._part_option: name})
        self._read()

    def read_with(self, changes: Mapping[str, str]) -> None:
        """Read the file with other options immediately."""
        self.form.put(changes)
        self._read()

    def show_file(self, path: Path | None, options: ReadOptions, table: Table | None = None) -> None:
        """Show how a file was read, or nothing if there is no file. Changes made while it was read are kept."""
        changed = path is not None and path == self._path and self._is_changed()
        self._path = path
        self.setVisible(path is not None)
        self.form.setEnabled(path is not None)
        if path is not None:
            self._shown = options
            if changed:
                self._pause.start()
            else:
                self.form.put(options.model_dump())
            self._show_parts(table)
            named_above = {self._part_option} if table is not None and table.parts else set()
            self.form.hide_idle(frozenset(self.form.fields) - fitting_settings(path.name) | named_above)

    def _is_changed(self) -> bool:
        try:
            return self.options != self._shown
        except SettingsError:
            return False

    def _on_change(self) -> None:
        """Partial names are ignored: a text takes effect on leaving the field or pressing Return."""
        if not any(field.hasFocus() for field in self.form.findChildren(QLineEdit)):
            self._pause.start()

    def _read_changed(self) -> None:
        try:
            changed = self._path is not None and self.options != self._shown
        except SettingsError as error:  # such as an unknown encoding
            self.refused.emit(translated(str(error)))
            return
        if changed:
            self._read()

    def _read(self) -> None:
        self._pause.stop()
        try:
            self._shown = self.options  # a failed reading is not repeated automatically
        except SettingsError as error:
            self.refused.emit(translated(str(error)))
            return
        self.wanted.emit()

    @property
    def options(self) -> ReadOptions:
        """The current choices."""
        return ReadOptions().updated(self.form.values())

    def ask_labels(self) -> None:
        """Ask for the labels file."""
        folder = self._path.parent if self._path is not None else Path.home()
        title = tr("Choose the label file")
        ask_file(self, "labelsDialog", title, folder, lambda name: self.form.put({"labels": name}))


_SIDE, _SHARE = 400, 0.45
_LARGE_SIDE, _LARGE_SHARE = 520, 0.24  # on a large screen
_TALL = 1000  # pixels of a page whose pictures may be higher
_LEAST_TABLE = 216
_PAUSE_MS, _OLD_MS = 400, 250
_SAMPLED = 2000
_FITTED = 500  # number of columns that are as wide as their numbers; the others have a default width
_NARROWEST, _WIDEST = 72, 260  # pixels of a column of the table


MOST_SHOWN = 100_000
"""Rows of the preview: Qt allocates memory for each one."""
_MOST_CELLS = 10_000_000  # for a data set whose table is not available; they are copied


def features_shown(dataset: Dataset) -> int:
    """Maximum number of features shown for a data set without its table."""
    return min(len(dataset.features), max(1, _MOST_CELLS // len(dataset.rows)))


def table_of(dataset: Dataset) -> Table:
    """A preview of a data set without its table: its first features, and the target."""
    shown = features_shown(dataset)
    target = (
        dataset.target.astype(np.float64)
        if dataset.response is None
        else dataset.times
        if dataset.event
        else dataset.response
    )
    values = np.column_stack([dataset.x[:, :shown], target])
    categories = {column: names for column, names in dataset.categories.items() if column < shown}
    return Table(
        name=dataset.name,
        values=values,
        columns=(*dataset.features[:shown], dataset.target_name),
        categories={**categories, shown: dataset.classes} if dataset.classes else categories,
        rows=dataset.rows,
        source=dataset.source,
        default_target=dataset.target_name,
        checks=dataset.checks,
    )


class PreviewModel(QAbstractTableModel):
    """A table as read; only visible cells are requested."""

    def __init__(self) -> None:
        super().__init__()
        self._table: Table | None = None
        self._target = ""
        self._ignored: Set[str] = frozenset()
        self._roles: Set[str] = frozenset()
        self._origins: dict[str, str] = {}

    def show_table(self, table: Table | None) -> None:
        """Show another table."""
        self.beginResetModel()
        self._table = table
        self._origins = {} if table is None else day_origins(table)
        self.endResetModel()

    def mark(self, target: str, ignored: Set[str], roles: Set[str]) -> None:
        """Mark the target, excluded columns, and the columns of groups, folds and time."""
        self._target, self._ignored, self._roles = target, ignored, roles
        if self.columnCount():
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def column_name(self, section: int) -> str:
        """Name of a column, "" if there is none."""
        return self._table.columns[section] if self._table is not None and 0 <= section < self.columnCount() else ""

    def place(self, name: str) -> int:
        """Position of a column, -1 if it is not shown."""
        shown = () if self._table is None else self._table.columns[: self.columnCount()]
        return shown.index(name) if name in shown else -1

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if self._table is None or parent.isValid() else min(len(self._table.values), MOST_SHOWN)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if self._table is None or parent.isValid() else len(self._table.columns)

    @property
    def table(self) -> Table | None:
        """The table shown."""
        return self._table

    def text(self, row: int, column: int) -> str:
        """The text of a cell: its number, date or category, or a dash if it is missing."""
        if self._table is None:
            return ""
        value = self._table.values[row, column]
        if np.isnan(value):
            return "–"
        names = self._table.categories.get(column)
        if names is None and (origin := self._origins.get(self._table.columns[column])):
            return date_text(value, origin)
        return " ".join(names[int(value)].split()) if names else number(value, ".6g")  # a row is one line

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._table is None:
            return None
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column not in self._table.categories:
            return RIGHT
        name = self._table.columns[column]
        if role == Qt.ItemDataRole.BackgroundRole and (name == self._target or name in self._roles):
            return QColor(tokens().accent_soft if name == self._target else tokens().warning_soft)
        if role == Qt.ItemDataRole.ForegroundRole:
            if name in self._ignored:
                return QColor(tokens().control)
            if name in self._roles:
                return QColor(tokens().on_warning_soft)
            return QColor(tokens().on_accent_soft if name == self._target else tokens().text)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._table is None:
            return None
        across = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole:
            return self._table.columns[section] if across else self._table.rows[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return with_description(self._table, self._table.columns[section]) if across else self._table.rows[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and across:
            return LEFT if section in self._table.categories else RIGHT
        return None


class DataPage(QWidget):
    """Preview, columns and checks of the open table."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.preview_model = PreviewModel()
        self.columns = ColumnsCard()
        self.columns_model, self.search = self.columns.model, self.columns.search
        self.checks, self.summaries, self.reading = ChecksCard(), Summaries(session), ReadingCard()
        self.questions = QuestionsCard()
        self._target_named = False
        self.target, self.form = self.summaries.target, self.reading.form
        self._done: list[tuple[Fix, Fix, int]] = []
        self._take_back = Fix("undo_refused", tr("Undo"), tr("Undo the last change"))
        self._checks_of: Table | None = None
        self._in_columns: Table | None = None  # the table whose columns seem to be samples
        self._picking = False
        self._picked_again = ""  # once the file is read again
        preview = self._make_preview()
        left = panel(column(self.questions, self.checks, self.summaries, preview, spacing=2 * SPACE, grow=[preview]))
        area = scrolled(left, across=True)  # in a low window
        self._in_side = panel(column(self.columns, self.reading, spacing=2 * SPACE, grow=[self.columns]))
        self.side = scrolled(self._in_side)
        self.setLayout(row(area, self.side, spacing=2 * SPACE, margins=2 * SPACE, grow=[area]))
        self._apply = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._apply.timeout.connect(self._prepare)
        self._listed: Table | None = None
        self._project_left = False  # since the data were shown
        self._old = QTimer(self, singleShot=True, interval=_OLD_MS)
        self._old.timeout.connect(self._hide_old)
        self.columns.ticked.connect(self._apply.start)
        self.columns.chosen.connect(self._prepare)
        self.columns.assigned.connect(self._on_assigned)
        self.columns.retyped.connect(self._read_with)
        self.checks.wanted.connect(self._fix)
        self.questions.answered.connect(self._answer)
        self.summaries.picked.connect(self.pick)
        self.reading.wanted.connect(self._read_again)
        self.reading.refused.connect(lambda sentence: session.tasks.say("error", sentence, "open"))
        self._watch_picks()
        session.loader.table_changed.connect(self._on_table)
        session.loader.dataset_changed.connect(self._on_dataset)
        session.project_changed.connect(self._on_project)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()
        tall = event.size().height() > _TALL
        if tall != (event.oldSize().height() > _TALL):
            self.summaries.set_tall(tall)

    def _share_width(self) -> None:
        """Give the side panel its share of a narrow page, such as at 200 % scaling, but no less than it needs."""
        least = self._in_side.minimumSizeHint().width() + self.side.verticalScrollBar().sizeHint().width()
        most = max(_SIDE, min(_LARGE_SIDE, round(_LARGE_SHARE * self.width())))
        self.side.setFixedWidth(min(most, max(least, round(_SHARE * self.width()))))

    def _make_preview(self) -> Card:
        card = Card(tr("Table"))
        card.setMinimumHeight(_LEAST_TABLE)
        self.source = ElidedLabel("caption")
        self.source.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        card.head.addWidget(self.source, 100)
        self.preview = table_view("preview", tr("First rows of the table"))
        self.preview.setModel(self.preview_model)
        self.preview.setShowGrid(False)
        self.preview.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.preview.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        card.body.addWidget(self.preview, 1)
        self.table_card = card
        return card

    def _watch_picks(self) -> None:
        """Select a column when it is clicked or reached by an arrow key in either table."""
        name_of = self.preview_model.column_name
        chosen = self.preview.selectionModel()
        chosen.currentColumnChanged.connect(lambda now, _: self.pick(name_of(now.column())))
        self.preview.clicked.connect(lambda index: self.pick(name_of(index.column())))
        header = self.preview.horizontalHeader()
        header.sectionClicked.connect(lambda section: self.pick(name_of(section)))
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._show_menu)
        self.columns.picked.connect(self.pick)

    def _on_table(self) -> None:
        table, path = self._session.loader.table, self._session.loader.path
        self._apply.stop()
        self._old.stop()  # of a table that was opened before
        self._done, self._checks_of, self._project_left = [], None, False
        self._target_named = self._session.loader.origin is not None
        self.reading.show_file(path, self._session.loader.options, table)
        self.columns.in_file = (table, self._session.loader.options) if path is not None else (None, None)
        self._ask()
        self.summaries.show_table(table)
        if table is not None:
            self._old.start()
            self._show_preview(table)
            self._session.tasks.begin(self._show_columns(), tr("examining the columns"), quietly=True)

    def _hide_old(self) -> None:
        """Hide information on the previous table while a large one is being read."""
        if self._listed is not self._session.loader.table:
            self.columns.show_nothing()
        if self._session.loader.preparing:
            self.target.show_target(None)

    def _show_preview(self, table: Table) -> None:
        self.preview_model.show_table(table)
        self.preview.scrollToTop()
        self.preview.horizontalScrollBar().setValue(0)
        self.columns.view.scrollToTop()
        self._fit(table)

    def _fit(self, table: Table) -> None:
        """Fit the column widths to their numbers."""
        model, header = self.preview_model, self.preview.horizontalHeader()
        columns = table.columns[:_FITTED]
        rows = min(model.rowCount(), max(5, _SAMPLED // max(1, len(columns))))
        title, cell = header.fontMetrics().horizontalAdvance, self.preview.fontMetrics().horizontalAdvance
        for section, name in enumerate(columns):
            longest = max((model.text(place, section) for place in range(rows)), key=len, default="")
            room = max(title(name), cell(longest)) + 32
            header.resizeSection(section, min(_WIDEST, max(_NARROWEST, room)))

    async def _show_columns(self) -> None:
        table, dataset = self._session.loader.table, self._session.loader.dataset
        own = table is not None
        if table is None:
            if dataset is None:
                return
            table = await self._session.tasks.in_thread(table_of, dataset)
            self._show_preview(table)
            self.summaries.show_table(table)
        facts = await self._session.tasks.in_thread(column_facts, table)
        loader = self._session.loader
        if loader.table is table if own else loader.table is None and loader.dataset is dataset:
            choices = self._session.loader.choices if own else Choices(target=table.default_target)
            self._listed = table
            unseen = 0 if own or dataset is None else len(dataset.features) - features_shown(dataset)
            kept = _kept_words(self._session.loader.origin, own=own, left=self._project_left)
            self.columns.show_table(table, facts, choices, editable=own, unseen=unseen, kept=kept)
            self._share_width()
            self._mark()
            picked, self._picked_again = self._picked_again, ""
            self.columns.select(picked)
            if own and await self._session.tasks.in_thread(samples_in_columns, table):
                self._in_columns = table
                self._show_findings()
            await self.summaries.show_missing(table, facts)

    def _on_dataset(self) -> None:
        session, dataset = self._session, self._session.loader.dataset
        own = session.loader.table is not None
        self.columns.show_choices(session.loader.choices, editable=own, ticking=self._apply.isActive())
        session.tasks.begin(self.summaries.show_target(), tr("examining the target"), quietly=True)
        if not own and dataset is not None:
            session.tasks.begin(self._show_columns(), tr("examining the columns"), quietly=True)
        self._set_aside()
        self._mark()
        self._ask()
        source = session.loader.table if session.loader.table is not None else dataset
        self.source.setText(_source_words(source))
        if not session.loader.preparing or self._checks_of is not session.loader.table:
            self._checks_of = session.loader.table
            self._show_findings()

    def _show_findings(self) -> None:
        session, table = self._session, self._session.loader.table
        shown = session.loader.dataset if session.loader.dataset is not None else table
        ways_back = (self._take_back,) if session.history.canUndo() else ()
        found = [Finding("error", session.loader.refusal, ways_back)] if session.loader.refusal else []
        turned = self._turned(table)
        found = [*([turned] if turned is not None else []), *found]
        found += [
            Finding("info", fix.done, (back,)) for fix, back, _ in self._done if fix.holds(session.loader.choices)
        ]
        warnings, notes = [], []
        for check in sorted(() if shown is None else shown.checks, key=lambda check: harm(check.kind)):
            if check.kind == "sheet" and table is not None and table.parts:  # already said, with links to the others
                continue
            if not concerns(check, session.loader.choices):
                continue
            fixes = () if table is None else tuple(fixes_for(check, session.loader.choices, table))
            if session.loader.origin is not None:
                fixes = tuple(fix for fix in fixes if not (fix.part or fix.read or fix.asks_labels))
            sentence = sentence_of(check, session.loader.choices)
            if informs(check.kind):
                notes.append(Finding("info", sentence, fixes))
            else:
                warnings.append(Finding("warning", sentence, fixes))
        parts = [] if table is None or not table.parts else [Finding("info", parts_words(table), part_fixes(table))]
        self.checks.show_findings([*found, *warnings, *parts, *notes], done=session.loader.dataset is not None)

    def _ask(self) -> None:
        """Show the questions about reading the table, and the decisions made."""
        loader = self._session.loader
        table = loader.table
        if table is None:
            self.questions.show_questions(())
            self.reading.show_decisions(())
            return
        target = loader.choices.target or table.default_target
        named = self._target_named or target != table.default_target
        of_target = () if loader.dataset is None else loader.dataset.readings[len(table.readings) :]
        if loader.preparing and any(question.kind == "task" for question in self.questions.shown):
            return  # this may be the same question: avoid flicker
        readings = (*table.readings, *of_target)
        grouped = loader.choices.group not in (None, table.default_group)
        asked = questions(readings, target, named=named, grouped=grouped)
        if loader.origin is not None:  # its file is not available, and the user has already run a search on these data
            same = loader.choices == loader.origin.choices
            asked = () if same else tuple(each for each in asked if not any(a.is_reading for a in each.alternatives))
        self.questions.show_questions(asked)
        self.reading.show_decisions([reading for reading in readings if reading not in asked])

    def _answer(self, question: Reading, answer: Alternative) -> None:
        """Read the file again with the answer, or apply it to the target."""
        self.settle()
        loader = self._session.loader
        if (answer.option, answer.value) == ("labels", LABELS_ELSEWHERE):
            self.reading.ask_labels()
            return
        self.questions.leave_focus()
        if answer.is_reading:
            changed = answer.added_to(self.reading.options)
            self.reading.read_with({answer.option: getattr(changed, answer.option)})
        elif answer.option == "target":
            self._target_named = True
            outcome = Named(answer.value) if loader.table is None else named_outcome(loader.table, answer.value)
            if outcome.event is not None:
                loader.choose(loader.with_outcome(outcome))
            elif answer.value != loader.choices.target:
                loader.choose(loader.with_target(answer.value))
            self._ask()
        elif answer.option == "keep":
            loader.choose(replace(loader.choices, keep=(*loader.choices.keep, answer.value)))
        else:
            changes: dict[str, Any] = {answer.option: answer.value}
            loader.choose(replace(loader.choices, **changes))

    def _turned(self, table: Table | None) -> Finding | None:
        path, options = self._session.loader.path, self._session.loader.options
        if table is None or path is None or "orientation" not in fitting_settings(path.name):
            return None
        return turned_finding(table, options, in_columns=self._in_columns is table)

    def _fix(self, fix: Fix) -> None:
        """Apply the clicked fix; pending ticks become a separate step before it."""
        self.settle()
        if fix.part:
            self.reading.choose_part(fix.part)
            return
        if fix.read:
            self.reading.read_with(fix.read)
            return
        if fix.asks_labels:
            self.reading.ask_labels()
            return
        history, before = self._session.history, self._session.loader.choices
        since = any(back is fix and step == history.index() for _, back, step in self._done)
        if fix is self._take_back or since:  # nothing has been done since
            history.undo()
            return
        self._done = [done for done in self._done if done[0].holds(before)]
        self._session.loader.choose(fix.applied(before))
        if fix.done:
            self._done.append((fix, fix.undone(before), history.index()))

    def settle(self) -> None:
        """Apply pending ticks immediately."""
        if self._apply.isActive():
            self._apply.stop()
            self._prepare()

    def pick(self, name: str) -> None:
        """Show a column, and select it in both tables."""
        if self._picking or not name:
            return
        self._picking = True
        self.columns.select(name)
        place = self.preview_model.place(name)
        if place >= 0 and self.preview.currentIndex().column() != place:
            self.preview.selectColumn(place)
            self.preview.scrollTo(self.preview_model.index(max(0, self.preview.rowAt(0)), place))
        elif place < 0:
            self.preview.clearSelection()
        self._picking = False
        self.summaries.show_column(name)

    def _show_menu(self, spot: QPoint) -> None:
        """The menu of the column under the pointer, if it is in the list of columns."""
        header = self.preview.horizontalHeader()
        name = self.preview_model.column_name(header.logicalIndexAt(spot))
        self.pick(name)
        if name and self.columns.current == name:
            self.columns.menu().popup(header.viewport().mapToGlobal(spot))

    def _on_project(self) -> None:
        """The data of a project that is closed can stay open: they are no longer those of the open project."""
        loader = self._session.loader
        if self._session.project is None and (loader.table is not None or loader.dataset is not None):
            self._project_left = True
            self.columns.show_kept(_kept_words(loader.origin, own=loader.table is not None, left=True))

    def _set_aside(self) -> None:
        """Mark the possible features that are excluded, for whatever reason."""
        session, model = self._session, self.columns_model
        aside: frozenset[str] = frozenset()
        if session.loader.table is not None and session.loader.dataset is not None:
            others = {*session.loader.dataset.features, *model.ignored, *model.roles, model.target}
            aside = frozenset(session.loader.table.columns) - others
        model.set_aside(aside)

    def _mark(self) -> None:
        model = self.columns_model
        self.preview_model.mark(model.target, model.ignored, model.roles.keys())
        self.columns.show_count()

    def _on_assigned(self, name: str, before: Role, role: Role) -> None:
        """Make the assignment a single undo step, although always-selected features are a setting of the search."""
        with self._session.history.together(role_words(name, role)):
            self._prepare()
            if "always" in (before, role):
                self.columns.always_wanted.emit(name, role == "always")

    def _prepare(self) -> None:
        self._mark()
        loader = self._session.loader
        if loader.table is None:
            return
        choices = self.columns.choices(loader.choices)
        if choices != loader.choices:
            with self._session.history.together(choice_words(loader.choices, choices)):
                loader.choose(choices)
                for name in sorted(self.columns_model.always & self.columns_model.ignored):
                    self.columns.always_wanted.emit(name, False)

    def _read_with(self, options: ReadOptions, words: str) -> None:
        """Read the file with the user's setting for a column, as an undoable step."""
        self.settle()
        loader = self._session.loader
        if loader.path is not None:
            name = self.columns.current
            self._picked_again = names_now(loader.options, options).get(name, name)
            work = loader.read_with(options, words)
            self._session.tasks.begin(work, tr("reading {name}", name=loader.path.name), subject="open")

    def _read_again(self) -> None:
        path: Path | None = self._session.loader.path
        if path is not None:
            work = self._session.open_path(path, self.reading.options)
            self._session.tasks.begin(work, tr("reading {name}", name=path.name), subject="open")


def _kept_words(origin: Origin | None, *, own: bool, left: bool) -> str:
    """What can be changed of data from a project, which may have been ``left`` since; "" for an open table."""
    if not own:
        return (
            tr("As stored in the previous project. To change the target or column roles, open the original table.")
            if left
            else tr("As stored in the project. To change the target or column roles, open the original table.")
        )
    if origin is None:
        return ""
    if origin.whole:
        return (
            tr("From the previous project. Column types and how the file is read can be changed in the original table.")
            if left
            else tr("From the project. Column types and how the file is read can be changed in the original table.")
        )
    return (
        tr(
            "From the previous project, which does not contain excluded columns and rows without a target. To use "
            "these, open the original table."
        )
        if left
        else tr(
            "From the project, which does not contain excluded columns and rows without a target. To use these, open "
            "the original table."
        )
    )


def _source_words(shown: Table | Dataset | None) -> str:
    """The origin of a table, and how much of it is shown."""
    if shown is None:
        return ""
    limits = []
    if len(shown.rows) > MOST_SHOWN:
        limits.append(tr("first {count} shown", count=counted(MOST_SHOWN, "row")))
    if isinstance(shown, Dataset) and features_shown(shown) < len(shown.features):
        count = counted(features_shown(shown) + 1, "column")
        limits.append(tr("from a project, first {count} shown; open the original table to see all", count=count))
    source = translated(shown.source)
    return " · ".join(filter(None, [source, *limits]))
