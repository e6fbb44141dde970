"""The compare page: held-out errors of runs and methods, and the features they agree on."""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QMenu, QWidget

from fsdesk.app.dialogs.dialog import ask_save
from fsdesk.app.palette import SPACE
from fsdesk.app.plots.heatmap import ColourBar
from fsdesk.app.plots.interval_plot import IntervalPlot
from fsdesk.app.plots.matrix_map import FrequencyMap
from fsdesk.app.session.session import Session
from fsdesk.app.tables import Index, TableModel, kept_rows, offer_sorting, table_view
from fsdesk.app.translation import duration, unseen_title
from fsdesk.app.widgets import (
    Card,
    ContentStack,
    ElidedLabel,
    Segments,
    Splitter,
    button,
    column,
    label,
    named,
    panel,
    row,
    scrolled,
    show_headline,
)
from fsdesk.engine import RunSpec
from fsdesk.messages import current_language, localised, mark, tr, translated
from fsdesk.results.comparison import MEASURES, Cell, Comparison, Entry, best_of, compared_runs, variants
from fsdesk.results.sheets import TABLES
from fsdesk.results.significance import leading_words, written_table
from fsdesk.results.tasks import comparison_task
from fsdesk.store import Described

_FIRST = 4  # columns before the measures
_SEEDS, _HONEST, _SEARCH = 3, 4, 6
_NAMES = (0, 1, 2)  # with data, methods and models
_LONG_NAME = 190  # columns are hidden before names get narrower
_SHORT_NAME = 132  # rows scroll sideways before names get narrower: room for "nearest neighbors" in German
_LONGEST = 12  # letters of a title in one line
_HEADERS = (  # titles, and what they mean
    (mark("Data"), ""),
    (mark("Method"), ""),
    (mark("Model"), ""),
    (mark("Seeds"), mark("Number of runs, with different seeds, averaged in this row.")),
    (mark("Held-out error"), mark("The held-out error with its 95 % interval over rows.")),
    (
        mark("Gain"),
        mark("Improvement over all features on the same held-out rows, with its 95 % interval."),
    ),
    (
        mark("Search error"),
        mark(
            "The error seen by the search itself. It is optimistic, because it is the best of many noisy measurements."
        ),
    ),
    (mark("On new folds"), mark("The selected subset, re-estimated on folds that the search did not use.")),
    (mark("Features"), mark("Number of selected features.")),
    (mark("Measurements"), mark("Number of subsets measured.")),
    (mark("Time"), mark("Time spent measuring subsets.")),
)


def _folded(title: str) -> str:
    """A long title in two lines, so that all columns fit in a small window in any language."""
    first, _, last = title.rpartition(" ")
    return f"{first}\n{last}" if len(title) > _LONGEST and first else title


@dataclass(frozen=True, eq=False)
class _Line:
    row: tuple[str, str]
    column: tuple[str, str]
    cell: Cell
    texts: tuple[str, ...]
    best: frozenset[int]


class CompareModel(TableModel):
    """One line per data set, method and model; the best held-out error has a star and is bold."""

    numeric = range(_SEEDS, _FIRST + len(MEASURES))

    def __init__(self) -> None:
        super().__init__()
        self._comparison = Comparison((), (), {})
        self._each = False
        self._called: Mapping[int, str] = {}
        self._sort = (-1, Qt.SortOrder.AscendingOrder)
        self._made: list[_Line] = []
        self.lines: list[_Line] = []

    def show(self, comparison: Comparison, *, each: bool, called: Mapping[int, str] | None = None) -> None:
        """Show methods, or individual runs, with the user's names from ``called`` (by number)."""
        self.beginResetModel()
        self._comparison, self._each, self._called = comparison, each, called or {}
        self._made = [line for column in comparison.columns for line in self._lines_of(column)]
        self._arrange()
        self.endResetModel()

    def _lines_of(self, column: tuple[str, str]) -> list[_Line]:
        made, shown = self._comparison, []
        for pair in made.rows:
            cell = made.cells.get((pair, column))
            if cell is not None:
                shown += [Cell((entry,)) for entry in cell.entries] if self._each else [cell]
        best = {measure: best_of(shown, measure) for measure in MEASURES}
        lines = []
        for at, cell in enumerate(shown):
            pair, alone = cell.entries[0].row, Comparison.of(cell.entries)
            texts = [alone.text(pair, column, measure) for measure in MEASURES]
            places = frozenset(place for place, measure in enumerate(MEASURES) if at in best[measure])
            lines.append(_Line(pair, column, cell, tuple(texts), places))
        return lines

    def entries(self, rows: list[int]) -> list[Entry]:
        """The runs of the given lines."""
        return [entry for row in rows if row < len(self.lines) for entry in self.lines[row].cell.entries]

    def count(self) -> int:
        return len(self.lines)

    def titles(self) -> list[str]:
        titles = [tr(title) for title, _ in _HEADERS]
        if self._each:
            titles[_SEEDS] = tr("Seed")
        criterion = self._comparison.only_criterion
        if criterion is not None and criterion.name != "error":
            said = {"criterion": translated(criterion.title)}
            titles[_HONEST] = tr("{criterion} on held-out rows", **said)
            titles[_SEARCH] = tr("{criterion} in the search", **said)
        return [_folded(title) for title in titles]

    def title_tip(self, column: int) -> str:
        return tr(_HEADERS[column][1]) if _HEADERS[column][1] else ""

    def text(self, row: int, column: int) -> str:
        line = self.lines[row]
        text = self._text(line, column)
        return f"★ {text}" if column - _FIRST in line.best else text

    def tip(self, row: int, column: int) -> str:
        line, place = self.lines[row], column - _FIRST
        mixed = tr("Runs on these data were measured in different ways, so their errors are not directly comparable.")
        mixed = mixed if self._comparison.mixed(line.column) else ""
        if column in _NAMES:  # the end is omitted if there is no room
            return "\n".join(filter(None, [self._text(line, column), mixed if column == 0 else ""]))
        if place >= 0 and MEASURES[place] == "honest" and line.texts[place] == "":
            if not line.cell.entries[0].run:
                return tr(
                    "No selection was made here, so the error on the whole table is no more optimistic than a "
                    "held-out error."
                )
            return tr("Not measured yet: choose Measure the held-out error from the Run menu on the Search page.")
        return mixed

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line, column = self.lines[index.row()], index.column()
        best = column - _FIRST in line.best
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = self._text(line, column)
            return tr("{value}, the best", value=text) if best else text
        if role == Qt.ItemDataRole.FontRole and best:
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)

    def _text(self, line: _Line, column: int) -> str:
        criterion = Comparison.criterion(line.column)
        if column == 0:
            data = Comparison.data_title(line.column)
            return data if criterion.name == "error" else f"{data} · {translated(criterion.title)}"
        if column == 1 and self._each and (name := self._called.get(line.cell.entries[0].run)):
            return name
        if column < 3:
            return translated(line.row[column - 1])
        if column == 3:
            return str(line.cell.entries[0].seed if self._each else len(line.cell.distinct))
        measure, text = MEASURES[column - _FIRST], line.texts[column - _FIRST]
        if measure == "seconds":
            summary = line.cell.summary("seconds")
            return duration(summary.mean) if summary is not None and summary.mean > 0 else ""
        if text and measure in ("search", "fresh", "honest") and criterion.unit == "%":
            return f"{localised(text)} %"
        return localised(text) or "–"

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        before, self._sort = self.lines, (column, order)
        self._arrange()
        self.rows_moved(before, self.lines)

    def _arrange(self) -> None:
        column, order = self._sort
        self.lines = self._made.copy()
        if column < 0:
            return
        down = order == Qt.SortOrder.DescendingOrder
        if column < 3:
            self.lines.sort(key=lambda line: self._text(line, column).casefold(), reverse=down)
            return

        def key(line: _Line) -> float:
            if column == 3:
                return float(self._text(line, column))
            summary = line.cell.summary(MEASURES[column - _FIRST])
            missing = -np.inf if down else np.inf
            return missing if summary is None else summary.mean

        self.lines.sort(key=key, reverse=down)


_LATER_MS = 500
_SPARE = 14
_SPARED = (9, 7, 6)  # columns hidden first in a narrow table: measurements, new folds, the search's own error
_SPARED_LAST = (10, 3, 8, 5)  # columns hidden next if names would be too short: time, seeds, sizes, differences
_MOST_MEASURED = 100  # rows that determine the widths
_LEAST_HIGH, _USUAL_HIGH, _LEAST_PICTURES = 180, 380, 160
_BAR = 12  # a scroll bar below
_MOST_LEADING = 3  # data sets with a sentence on the best method; more would push the table out of view
_LEAST_SPARE = 6  # pixels that a column can spare
_MOST_SPARE = 40  # maximum spare pixels of a column in a wide window, so that the eye can follow a row


class ComparePage(QWidget):
    """Shows one comparison; ``run_wanted`` and ``feature_wanted`` send the item to open."""

    run_wanted = Signal(int)
    feature_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.comparison = Comparison((), (), {})
        self.model = CompareModel()
        self.intervals, self.frequency = IntervalPlot(), FrequencyMap("compareHeatmap")
        self.frequency.feature_picked.connect(self.feature_wanted)
        parts = Splitter("compareParts", Qt.Orientation.Vertical, self._make_table(), self._make_pictures())
        parts.setSizes([1000, 1000])
        self.lead = label("", "title", wrap=True)
        named(self.lead, "compareLead", tr("Lowest held-out error"))
        self.lead.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        content = panel(column(self.lead, parts, spacing=2 * SPACE, margins=2 * SPACE, grow=[parts]))
        self.setLayout(column(scrolled(content, across=True)))  # in a low window
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._timer.timeout.connect(self.refresh)
        self._compared: list[tuple[RunSpec, bool]] = []
        self._names: list[tuple[str, str]] = []
        self._described: dict[str, Described] = {}
        self._natural: dict[int, tuple[int, int]] = {}
        self._needless: set[int] = set()  # columns with the same text in every row, or none
        session.runs.changed.connect(lambda _: self._later())
        session.runs.listed.connect(self._later)
        self.refresh()

    def _make_table(self) -> Card:
        card = Card(tr("Comparison"))
        card.setObjectName("compareCard")
        card.setMinimumHeight(_LEAST_HIGH)
        self.by = Segments("compareBy", {"methods": tr("Methods"), "runs": tr("Each run")})
        self.by.chosen.connect(lambda _: self.refresh())
        self.export = button(tr("Export"), "compareExport", spoken=tr("Save or copy the table"))
        self.export.setMenu(self._export_menu())
        card.head.addWidget(self.by)
        card.head.addWidget(self.export)
        self.view = table_view("compareTable", tr("Comparison of methods and runs"))
        self.view.setModel(self.model)
        self.view.setShowGrid(False)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of models differ at their ends
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.verticalHeader().hide()
        header = self.view.horizontalHeader()
        header.setTextElideMode(Qt.TextElideMode.ElideNone)  # otherwise the second of two lines would be cut off
        header.setResizeContentsPrecision(_MOST_MEASURED)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.view.setSortingEnabled(True)
        offer_sorting(self.view)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_pictures())
        self.view.activated.connect(lambda index: self._open(index.row()))
        self.view.viewport().installEventFilter(self)
        self.intervals.plot.installEventFilter(self)
        words = tr(
            "± is the standard deviation over seeds. ★ marks the best held-out result for each data set, if it is "
            "significantly better than using all features. Select rows to see their intervals; double-click a run to "
            "open it."
        )
        self.all_columns = QCheckBox(tr("All columns"))
        spoken = tr("Also show the columns that do not fit; the table then scrolls sideways")
        named(self.all_columns, "compareAllColumns", spoken)
        self.all_columns.setToolTip(spoken)
        self.all_columns.toggled.connect(self._share)
        caption = label(words, "caption", wrap=True)
        content = panel(column(self.view, row(caption, self.all_columns, grow=[caption])))
        card.add_content(content, tr("Runs with a result are compared here. Press Run (F5) to start one."))
        self.card = card
        return card

    def _export_menu(self) -> QMenu:
        menu = QMenu(self.export)
        menu.setObjectName("compareMenu")
        copy = menu.addAction(tr("Copy"))
        copy.setObjectName("compare_copy")
        copy.triggered.connect(lambda _=False: self.copy())
        menu.addSeparator()
        for suffix, (title, _) in TABLES.items():
            action = menu.addAction(tr("Save as {format} …", format=f"{tr(title)} (.{suffix})"))
            action.setObjectName(f"compare_{suffix}")
            action.triggered.connect(lambda _=False, suffix=suffix: self._ask_save(suffix))
        return menu

    def _make_pictures(self) -> Card:
        card = Card(tr("Held-out error"))
        card.setObjectName("compareValues")
        self.values = card
        card.setMinimumHeight(_LEAST_PICTURES)
        self.pictures = Segments("comparePictures", {"intervals": tr("Intervals"), "features": tr("Features by run")})
        self.pictures.chosen.connect(lambda _: self._show_pictures())
        self.note = ElidedLabel("caption")
        card.head.insertWidget(1, self.note)
        self.key = panel(row(label(tr("out"), "caption"), ColourBar(), label(tr("in"), "caption"), spacing=4))
        self.key.setToolTip(tr("Share of the subsets that contain the feature"))
        self.key.hide()
        card.head.addWidget(self.key)
        card.head.addWidget(self.pictures)
        self._stack = ContentStack(self.intervals.plot, self.frequency)
        self.nothing = self._stack.words
        card.body.addWidget(self._stack, 1)
        return card

    def _later(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Compare the runs in their current state."""
        self._compare()
        self._show_pictures()

    def _compare(self) -> None:
        """Update the table."""
        runs = sorted(self._session.runs, key=lambda run: run.id)
        compared = [(run.spec, bool(run.state.steering_events)) for run in runs]
        if compared != self._compared:
            names = variants([spec for spec, _ in compared], [steered for _, steered in compared])
            self._compared, self._names = compared, names
        self._natural = {}
        known = zip(runs, self._names, strict=True)
        measured = [(run.id, record, name) for run, name in known if (record := run.record) is not None]
        names = [name for *_, name in measured]
        self.comparison = compared_runs([each[:2] for each in measured], names, self._describe)
        with kept_rows(self.view, self._keys):
            called = {run.id: run.name for run in runs if run.name}
            self.model.show(self.comparison, each=self.by.key == "runs", called=called)
        made = self.comparison
        needless = {
            0: len(made.columns) < 2,
            2: len({model for _, model in made.rows}) < 2,
            5: all(entry.difference is None for entry in made.entries()),
        }
        said = [(made.data_title(column), leading_words(made, column)) for column in made.columns]
        several = len({data for data, _ in said}) > 1
        lines = [tr("{data}: {sentence}", data=data, sentence=each) if several else each for data, each in said if each]
        show_headline(self.lead, "\n".join(lines[:_MOST_LEADING]))
        self.lead.setVisible(bool(lines))
        self._needless = {at for at, is_needless in needless.items() if is_needless}
        self._fit()
        self.card.set_empty(not self.model.rowCount())
        self.export.setEnabled(self.model.rowCount() > 0)

    def _describe(self, fingerprint: str) -> Described | None:
        """What a data set of the project is about; a fingerprint never stands for another one."""
        project = self._session.project
        if fingerprint not in self._described and project is not None:
            described = project.described(fingerprint)
            if described is None:  # it may be written in a moment
                return None
            self._described[fingerprint] = described
        return self._described.get(fingerprint)

    def _fit(self) -> None:
        """Make columns as wide as their texts, for a small window, and the card as high as its rows."""
        self._share()
        header = self.view.horizontalHeader()
        rows = header.sizeHint().height() + self.model.rowCount() * self.view.verticalHeader().defaultSectionSize()
        others = self.card.sizeHint().height() - self.view.sizeHint().height()
        needed = max(_LEAST_HIGH, others + rows + _BAR)
        self.card.setMaximumHeight(needed)  # the pictures get the remaining space
        self.card.setMinimumHeight(min(needed, _USUAL_HIGH))  # some rows remain visible in a low window, which scrolls

    def _share(self) -> None:
        header = self.view.horizontalHeader()
        for at in range(self.model.columnCount()):
            if at not in self._natural:  # measuring queries the text of every row
                self.view.setColumnHidden(at, False)
                self._natural[at] = self.view.sizeHintForColumn(at), header.sectionSizeHint(at) - _SPARE
        room = self.view.viewport().width()
        shown = [at for at in range(self.model.columnCount()) if at not in self._needless]
        tight = {at: max(least, most - _LEAST_SPARE) for at, (least, most) in self._natural.items()}
        tight |= {at: min(_LONG_NAME, tight[at]) for at in _NAMES}
        every = list(shown)
        for spared in _SPARED:
            if sum(tight[at] for at in shown) > room:
                shown.remove(spared)
        tight |= {at: min(_SHORT_NAME, tight[at]) for at in _NAMES}
        for spared in (at for at in _SPARED_LAST if at in shown and not (at == _SEEDS and self.by.key == "runs")):
            if sum(tight[at] for at in shown) > room:
                shown.remove(spared)
        self.all_columns.setVisible(shown != every)
        if self.all_columns.isChecked():
            shown = every
        for at in range(self.model.columnCount()):
            self.view.setColumnHidden(at, at not in shown)
        least = {at: self._natural[at][0] for at in shown}
        wide = {at: max(self._natural[at]) for at in shown}
        spare = (room - sum(wide.values())) // max(1, len(shown))
        more = max(-_LEAST_SPARE, min(spare, _MOST_SPARE))
        wide = {at: max(least[at], width + more) for at, width in wide.items()}
        names = [wide[at] for at in _NAMES if at in wide]
        left = room - (sum(wide.values()) - sum(names))
        lengths = range(max(names), _SHORT_NAME - 1, -1)  # rows scroll sideways if even the shortest names are too long
        most = next((length for length in lengths if sum(min(name, length) for name in names) <= left), max(names))
        wide |= {at: min(most, wide[at]) for at in _NAMES if at in wide}
        for at, width in wide.items():
            header.resizeSection(at, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.view.viewport():
            self._share()
        elif event.type() == QEvent.Type.Resize and watched is self.intervals.plot:
            self._later()
        return super().eventFilter(watched, event)

    def _chosen(self) -> list[int]:
        return sorted({index.row() for index in self.view.selectionModel().selectedRows()})

    def _keys(self) -> list[tuple[object, ...]]:
        lines = self.model.lines
        return [(line.row, line.column, tuple(entry.run for entry in line.cell.entries)) for line in lines]

    def _show_pictures(self) -> None:
        rows = self._chosen() or list(range(self.model.rowCount()))
        entries = [entry for entry in self.model.entries(rows) if entry.run]
        self.key.setVisible(self.pictures.key == "features")
        criterion = self.comparison.only_criterion
        of_rows = tr("Held-out error")
        if criterion is not None and criterion.name != "error":
            of_rows = unseen_title(criterion)
        self.values.heading.setText(tr("Features by run") if self.pictures.key == "features" else of_rows)
        if self.pictures.key == "features":
            runs = [self._session.runs.by_id[each.run] for each in entries if each.run in self._session.runs.by_id]
            self.note.setText("")
            self.frequency.show_runs(runs)
            self._stack.setCurrentWidget(self.frequency)
            return
        named_by_user = {run.id: run.name for run in self._session.runs if run.name}
        self.note.setText(self.intervals.show_entries(entries, named_by_user if self.by.key == "runs" else {}))
        if self.intervals.names:
            self._stack.setCurrentWidget(self.intervals.plot)
        else:
            self.note.setText("")
            chosen = tr("The selected rows have no held-out error. Select other rows.")
            later = tr("Held-out errors appear here once a run has measured them.")
            self._stack.say(chosen if self._chosen() else later)

    def _open(self, row: int) -> None:
        runs = [entry.run for entry in self.model.entries([row]) if entry.run]
        if runs:
            self.run_wanted.emit(runs[-1])

    def copy(self) -> None:
        """Copy the table to the clipboard: as cells for spreadsheets, and as a table for documents."""
        data = QMimeData()
        data.setText(written_table(self.comparison, "txt").decode())
        data.setHtml(written_table(self.comparison, "html").decode())
        QGuiApplication.clipboard().setMimeData(data)

    def _ask_save(self, suffix: str) -> None:
        comparison, kinds = self.comparison, f"{tr(TABLES[suffix][0])} (*.{suffix})"

        def write(path: Path) -> Awaitable[object]:
            return self._session.tasks.in_worker(
                comparison_task, comparison, suffix, str(path), current_language().name
            )

        title, doing = tr("Save the comparison"), tr("saving the comparison")
        ask_save(self, self._session, "comparison", title, f"comparison.{suffix}", kinds, write, doing)
