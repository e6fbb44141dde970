"""The data page: what was found out about the table, its cells, its columns and how the file is read."""

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QVBoxLayout, QWidget

from fsdesk.app.data_page.checks import (
    ChecksCard,
    Finding,
    Fix,
    concerns,
    fixes_for,
    informs,
    part_fixes,
    parts_words,
    sentence_of,
)
from fsdesk.app.data_page.columns_card import (
    MOST_COLUMNS,
    MOST_SHOWN,
    ColumnsCard,
    PreviewModel,
    column_facts,
    table_of,
)
from fsdesk.app.data_page.reading_card import ReadingCard
from fsdesk.app.data_page.summaries import Looks
from fsdesk.app.look.parts import Card, ElidedLabel, column, scrolled
from fsdesk.app.look.sentences import quoted, retold
from fsdesk.app.look.tables import table_view
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.app.work.asking import off_thread
from fsdesk.app.work.session import Session
from fsdesk.data import Choices, Dataset, Table

__all__ = ["DataPage"]


_SIDE, _SHARE = 400, 0.45
_LARGE_SIDE, _LARGE_SHARE = 520, 0.24  # on a large screen
_TALL = 1000  # pixels of a page whose pictures may be higher
_LEAST_TABLE = 216
_PAUSE_MS, _OLD_MS = 400, 250
_SAMPLED = 2000
_FITTED = 500  # columns that get the width of their numbers; the others have a usual one
_AT_ONCE = 50
_NARROWEST, _WIDEST = 72, 260  # pixels of a column of the table


class DataPage(QWidget):
    """Preview, columns and checks of the open table."""

    browse_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._tokens = LIGHT
        self.preview_model = PreviewModel()
        self.columns = ColumnsCard()
        self.columns_model, self.search = self.columns.model, self.columns.search
        self.checks, self.looks, self.reading = ChecksCard(), Looks(session), ReadingCard()
        self.target, self.form = self.looks.target, self.reading.form
        self._done: list[tuple[Fix, Fix, int]] = []
        self._take_back = Fix("undo_refused", tr("Undo"), tr("Take the last change back"))
        self._checks_of: Table | None = None
        self._picking = False
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        left = QWidget()
        left_layout = column(self.checks, self.looks, self._make_preview(), spacing=2 * SPACE)
        left_layout.setStretch(2, 1)
        left.setLayout(left_layout)
        layout.addWidget(scrolled(left, across=True), 1)  # in a low window
        side = QWidget()
        side_layout = QVBoxLayout(side)
        side_layout.setContentsMargins(0, 0, 0, 0)
        side_layout.setSpacing(2 * SPACE)
        side_layout.addWidget(self.columns, 1)
        side_layout.addWidget(self.reading)
        self._in_side, self.side = side, scrolled(side)
        layout.addWidget(self.side)
        self._apply = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._apply.timeout.connect(self._prepare)
        self._listed: Table | None = None
        self._old = QTimer(self, singleShot=True, interval=_OLD_MS)
        self._old.timeout.connect(self._hide_old)
        self.columns.ticked.connect(self._apply.start)
        self.columns.chosen.connect(self._prepare)
        self.checks.wanted.connect(self._fix)
        self.looks.picked.connect(self.pick)
        self.reading.wanted.connect(self._read_again)
        self._watch_picks()
        session.table_changed.connect(self._on_table)
        session.dataset_changed.connect(self._on_dataset)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()
        tall = event.size().height() > _TALL
        if tall != (event.oldSize().height() > _TALL):
            self.looks.set_tall(tall)

    def _share_width(self) -> None:
        """The side takes its part of a narrow page, such as one at 200 % scaling, but no less than it needs."""
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
        """A click or an arrow key in either table picks a column."""
        name_of = self.preview_model.column_name
        chosen = self.preview.selectionModel()
        chosen.currentColumnChanged.connect(lambda now, _: self.pick(name_of(now.column())))
        self.preview.clicked.connect(lambda index: self.pick(name_of(index.column())))
        self.preview.horizontalHeader().sectionClicked.connect(lambda section: self.pick(name_of(section)))
        self.columns.picked.connect(self.pick)

    def _on_table(self) -> None:
        table, path = self._session.table, self._session.path
        self._apply.stop()
        self._done, self._checks_of = [], None
        self.reading.show_file(path, self._session.options, table)
        self.looks.show_table(table)
        if table is not None:
            self._old.start()
            self._show_preview(table)
            self._session.begin(self._show_columns(), tr("looking at the columns"), quietly=True)

    def _hide_old(self) -> None:
        """A large table takes a while: what is known of the one before would be taken for its own."""
        if self._listed is not self._session.table:
            self.columns.show_nothing()
        if self._session.preparing:
            self.target.show_target(None)

    def _show_preview(self, table: Table) -> None:
        self.preview_model.show_table(table)
        self.preview.scrollToTop()
        self.preview.horizontalScrollBar().setValue(0)
        self.columns.view.scrollToTop()
        self._fit(table, 0)
        self._session.begin(self._fit_the_rest(table), tr("looking at the columns"), quietly=True)

    async def _fit_the_rest(self, table: Table) -> None:
        """The columns that are out of sight get their widths later, some at a time."""
        for first in range(_AT_ONCE, min(_FITTED, len(table.columns)), _AT_ONCE):
            await asyncio.sleep(0)
            if self.preview_model.table is not table:
                return
            self._fit(table, first)

    def _fit(self, table: Table, first: int) -> None:
        """Make some columns as wide as their numbers."""
        model, header = self.preview_model, self.preview.horizontalHeader()
        rows = min(model.rowCount(), max(5, _SAMPLED // max(1, min(_FITTED, model.columnCount()))))
        metrics, header_metrics = self.preview.fontMetrics(), header.fontMetrics()
        for section, name in enumerate(table.columns[first : min(_FITTED, first + _AT_ONCE)], first):
            cells = (model.text(place, section) for place in range(rows))
            room = max(
                header_metrics.horizontalAdvance(name), metrics.horizontalAdvance(max(cells, key=len, default=""))
            )
            header.resizeSection(section, min(_WIDEST, max(_NARROWEST, room + 32)))

    async def _show_columns(self) -> None:
        table, dataset = self._session.table, self._session.dataset
        own = table is not None
        if table is None:
            if dataset is None:
                return
            table = await off_thread(self._session.disk, table_of, dataset)
            self._show_preview(table)
            self.looks.show_table(table)
        facts = await off_thread(self._session.disk, column_facts, table)
        if self._session.table is table or not own:
            choices = self._session.choices if own else Choices(target=table.default_target)
            self._listed = table
            self.columns.show_table(table, facts, choices, editable=own)
            self._share_width()
            self._mark()
            await self.looks.show_missing(table, facts)

    def _on_dataset(self) -> None:
        session, dataset = self._session, self._session.dataset
        own = session.table is not None
        self.columns.show_choices(session.choices, editable=own, ticking=self._apply.isActive())
        session.begin(self.looks.show_target(), tr("looking at the target"), quietly=True)
        if not own and dataset is not None:
            session.begin(self._show_columns(), tr("looking at the columns"), quietly=True)
        self._set_aside()
        self._mark()
        source = session.table if session.table is not None else dataset
        self.source.setText(_source_words(source))
        if not session.preparing or self._checks_of is not session.table:
            self._checks_of = session.table
            self._show_findings()

    def _show_findings(self) -> None:
        session, table = self._session, self._session.table
        shown = session.dataset if session.dataset is not None else table
        ways_back = (self._take_back,) if session.history.canUndo() else ()
        found = [Finding("error", session.refusal, ways_back)] if session.refusal else []
        found += [Finding("info", fix.done, (back,)) for fix, back, _ in self._done if fix.holds(session.choices)]
        found += [] if table is None or not table.parts else [Finding("info", parts_words(table), part_fixes(table))]
        for check in () if shown is None else shown.checks:
            if check.kind == "sheet" and table is not None and table.parts:  # said already, with the way to the others
                continue
            if not concerns(check, session.choices):
                continue
            fixes = () if table is None else tuple(fixes_for(check, session.choices, table))
            role = "info" if informs(check.kind) else "warning"
            found.append(Finding(role, sentence_of(check, session.choices), fixes))
        self.checks.show_findings(found, done=session.dataset is not None)

    def _fix(self, fix: Fix) -> None:
        """Do what was clicked; ticks that wait for their pause are a step of their own before it."""
        self.settle()
        if fix.part:
            self.reading.choose_part(fix.part)
            return
        history, before = self._session.history, self._session.choices
        since = any(back is fix and step == history.index() for _, back, step in self._done)
        if fix is self._take_back or since:  # nothing has been done since
            history.undo()
            return
        self._done = [done for done in self._done if done[0].holds(before)]
        self._session.choose(fix.applied(before))
        if fix.done:
            self._done.append((fix, fix.undone(before), history.index()))

    def settle(self) -> None:
        """Take ticks that wait for their pause at once."""
        if self._apply.isActive():
            self._apply.stop()
            self._prepare()

    def pick(self, name: str) -> None:
        """Look at a column, and select it in both tables."""
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
        self.looks.show_column(name)

    def _set_aside(self) -> None:
        """Columns that may be features and are none, whatever the reason."""
        session, model = self._session, self.columns_model
        aside: frozenset[str] = frozenset()
        if session.table is not None and session.dataset is not None:
            others = {*session.dataset.features, *model.ignored, *model.roles, model.target}
            aside = frozenset(session.table.columns) - others
        model.set_aside(aside)

    def _mark(self) -> None:
        model = self.columns_model
        self.preview_model.mark(model.target, model.ignored, model.roles.keys(), self._tokens)
        self.columns.tell_count()

    def _prepare(self) -> None:
        self._mark()
        if self._session.table is None:
            return
        choices = self.columns.choices(self._session.choices)
        if choices != self._session.choices:
            self._session.choose(choices)

    def _read_again(self) -> None:
        path: Path | None = self._session.path
        if path is not None:
            self._session.begin(
                self._session.open_path(path, self.reading.options),
                tr("reading {name}", name=path.name),
                subject="open",
            )

    def dress(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.checks.tokens = tokens
        self.looks.dress(tokens)
        self._mark()
        if not self._session.preparing:  # else they come with the data set
            self._show_findings()


def _source_words(shown: Table | Dataset | None) -> str:
    """Where a table came from, and how much of it is seen."""
    if shown is None:
        return ""
    rows, columns = len(shown.rows), len(shown.columns) if isinstance(shown, Table) else len(shown.features) + 1
    limits = []
    if rows > MOST_SHOWN:
        limits.append(tr("the first {count} shown", count=counted(MOST_SHOWN, "row")))
    if isinstance(shown, Dataset) and columns > MOST_COLUMNS:
        limits.append(
            tr(
                "of a project, the first {count} shown; open its table to see all",
                count=counted(MOST_COLUMNS, "column"),
            )
        )
    source = ", ".join(map(_retold_part, shown.source.split(", ")))
    return " · ".join(filter(None, [source, *limits]))


def _retold_part(part: str) -> str:
    """A part of where a table came from: a sentence that is known, or a name alone in its quotation marks."""
    name = part[1:-1]
    return quoted([name]) if part == f'"{name}"' and '"' not in name else retold(part)
