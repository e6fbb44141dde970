"""The data page: what was found out about the table, its cells, its columns and how the file is read."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.asking import off_thread
from fsdesk.app.fields import Choice
from fsdesk.app.icons import pixmap
from fsdesk.app.parts import Card, ElidedLabel, button, column, label, named, row, scrolled
from fsdesk.app.session import Session
from fsdesk.app.settings_form import SettingsForm
from fsdesk.app.table_models import ColumnsModel, PreviewModel, column_facts, table_of
from fsdesk.app.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.words import counted
from fsdesk.data import Missing, Nominal, ReadOptions, Table

__all__ = ["DataPage"]

_MISSING = {
    "impute": "Fill in, inside each training fold",
    "drop rows": "Leave out rows with gaps",
    "drop columns": "Leave out columns with gaps",
}
_NOMINAL = {"encode": "Code the categories", "drop": "Leave out text columns"}
_INFORMING = ("ids", "labels", "encoding", "sheet")
_SIGN_COLOURS = {"success": "success", "info": "accent", "warning": "warning", "error": "danger"}
_SIDE = 400
_PAUSE_MS = 400
_SAMPLED = 2000
_SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_READ_BY = {
    ".arff": frozenset(("encoding", "labels")),
    ".mat": frozenset(("orientation", "labels")),
    **dict.fromkeys(_SHEETS, frozenset(("header", "orientation", "labels", "sheet", "row_ids"))),
}


class DataPage(QWidget):
    """Preview, columns and checks of the open table."""

    browse_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._tokens = LIGHT
        self.preview_model, self.columns_model = PreviewModel(), ColumnsModel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        left = column(self._make_checks(), self._make_preview(), spacing=2 * SPACE)
        left.setStretch(1, 1)
        layout.addLayout(left, 1)
        side = QWidget()
        side_layout = QVBoxLayout(side)
        side_layout.setContentsMargins(0, 0, 0, 0)
        side_layout.setSpacing(2 * SPACE)
        side_layout.addWidget(self._make_columns(), 1)
        side_layout.addWidget(self._make_reading())
        self.side = scrolled(side)
        self.side.setFixedWidth(_SIDE)
        layout.addWidget(self.side)
        self._apply = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._apply.timeout.connect(self._prepare)
        self.columns_model.ignored_changed.connect(self._apply.start)
        session.table_changed.connect(self._on_table)
        session.dataset_changed.connect(self._on_dataset)

    def _make_checks(self) -> Card:
        self.checks = Card("Checks")
        self.checks.setObjectName("checks")
        self.checks.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._check_rows = QVBoxLayout()
        self._check_rows.setSpacing(4)
        self.checks.body.addLayout(self._check_rows)
        return self.checks

    def _make_preview(self) -> Card:
        card = Card("Table")
        self.source = ElidedLabel("caption")
        self.source.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        card.head.addWidget(self.source, 100)
        self.preview = _table_view("preview", "First rows of the table")
        self.preview.setModel(self.preview_model)
        self.preview.setShowGrid(False)
        card.body.addWidget(self.preview, 1)
        return card

    def _make_columns(self) -> Card:
        card = Card("Columns")
        card.setMinimumHeight(320)
        self.count = label("", "caption")
        card.head.addWidget(self.count)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a column")
        self.search.setClearButtonEnabled(True)
        named(self.search, "findColumn", "Find a column")
        self.search.textChanged.connect(self.columns_model.find)
        self.columns = _table_view("columns", "Columns: tick those that take part")
        self.columns.setModel(self.columns_model)
        self.columns.setShowGrid(False)
        self.columns.verticalHeader().hide()
        self.columns.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self.columns.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(1, 104)
        header.resizeSection(2, 72)
        as_target = QAction("Use as target", self.columns)
        as_target.triggered.connect(self._use_as_target)
        self.columns.addAction(as_target)
        self.columns.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.all_in = button("Include shown", "includeShown", "link", "Include all columns shown")
        self.all_out = button("Leave out shown", "ignoreShown", "link", "Leave out all columns shown")
        self.to_target = button("Use as target", "useAsTarget", "link", "Use the selected column as the target")
        self.all_in.clicked.connect(lambda: self.columns_model.include(self.columns_model.shown(), True))
        self.all_out.clicked.connect(lambda: self.columns_model.include(self.columns_model.shown(), False))
        self.to_target.clicked.connect(self._use_as_target)
        self.missing = _choices("missing", "Missing values", get_args(Missing), _MISSING)
        self.nominal = _choices("nominal", "Text columns", get_args(Nominal), _NOMINAL)
        for box in (self.missing, self.nominal):
            box.activated.connect(self._prepare)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(SPACE)
        grid.setColumnStretch(1, 1)
        for place, (title, box) in enumerate((("Missing values", self.missing), ("Text columns", self.nominal))):
            name = label(title)
            name.setBuddy(box)
            grid.addWidget(name, place, 0)
            grid.addWidget(box, place, 1)
        card.body.addWidget(self.search)
        card.body.addWidget(self.columns, 1)
        card.body.addLayout(row(self.all_in, self.all_out, None, self.to_target))
        card.body.addLayout(grid)
        return card

    def _make_reading(self) -> Card:
        self.reading = Card("Reading the file")
        self.form = SettingsForm("read", ReadOptions.describe(), wide=232)
        self.form.setEnabled(False)
        self.form.more.clicked.connect(self._show_fitting)
        self.read_again = button("Read again", "readAgain")
        self.read_again.clicked.connect(self._read_again)
        self.reading.body.addWidget(self.form)
        self.reading.body.addLayout(row(None, self.read_again))
        return self.reading

    def _on_table(self) -> None:
        table, path = self._session.table, self._session.path
        self.reading.setVisible(path is not None)
        self.form.setEnabled(path is not None)
        if path is not None:
            self.form.put(self._session.options.model_dump())
            self._show_fitting()
        if table is not None:
            self._show_preview(table)
            self._session.begin(self._show_columns(), "looking at the columns", quietly=True)

    def _show_fitting(self) -> None:
        """Show only the settings that matter for this kind of file."""
        path, form = self._session.path, self.form
        names = frozenset(form.fields) - {"sheet"}
        fitting = _READ_BY.get(path.suffix.lower(), names) if path is not None else names
        rare = [info.name for info in form.infos if info.level == "all" and info.name in fitting]
        for info in form.infos:
            shown = info.name in fitting and (info.level != "all" or form.all_shown)
            form.titles[info.name].setVisible(shown)
            form.fields[info.name].widget.setVisible(shown)
        form.more.setVisible(bool(rare))
        if not form.all_shown:
            form.more.setText(counted(len(rare), "more setting"))
            form.more.setAccessibleName(form.more.text())

    def _show_preview(self, table: Table) -> None:
        self.preview_model.show_table(table)
        model, header = self.preview_model, self.preview.horizontalHeader()
        rows = min(model.rowCount(), max(5, _SAMPLED // max(1, model.columnCount())))
        for section, name in enumerate(table.columns[: model.columnCount()]):
            cells = (str(model.data(model.index(place, section))) for place in range(rows))
            widest = self.preview.fontMetrics().horizontalAdvance(max(cells, key=len, default=""))
            room = max(header.fontMetrics().horizontalAdvance(name), widest) + 32
            header.resizeSection(section, min(200, max(72, room)))

    async def _show_columns(self) -> None:
        table, dataset = self._session.table, self._session.dataset
        own = table is not None
        if table is None:
            if dataset is None:
                return
            table = await off_thread(self._session.disk, table_of, dataset)
            self._show_preview(table)
        facts = await off_thread(self._session.disk, column_facts, table)
        if self._session.table is table or not own:
            target = (self._session.choices.target if own else table.default_target) or ""
            ignored = frozenset(self._session.choices.ignore) if own else frozenset()
            self.columns_model.show_table(table, facts, target, ignored, own)
            self.columns.setColumnHidden(2, not facts.missing.any())
            self._mark()

    def _on_dataset(self) -> None:
        session, dataset = self._session, self._session.dataset
        own = session.table is not None
        for box, value in ((self.missing, session.choices.missing), (self.nominal, session.choices.nominal)):
            box.setEnabled(own)
            box.setCurrentIndex(box.findData(value))
        for control in (self.all_in, self.all_out, self.to_target):
            control.setEnabled(own)
        if own and self.columns_model.target != session.choices.target:
            self.columns_model.set_target(session.choices.target or "")
        if not own and dataset is not None:
            session.begin(self._show_columns(), "looking at the columns", quietly=True)
        self._mark()
        source = session.table if session.table is not None else dataset
        self.source.setText(source.source if source is not None else "")
        checks = dataset.checks if dataset is not None else session.table.checks if session.table is not None else ()
        found = [("info" if _informs(check.kind) else "warning", check.sentence) for check in checks]
        if session.refusal:
            found.insert(0, ("error", session.refusal))
        self._show_checks(found, done=dataset is not None)

    def _show_checks(self, found: list[tuple[str, str]], *, done: bool) -> None:
        while (item := self._check_rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if done and not found:
            self._check_rows.addWidget(self._check("success", "Nothing unusual was found: the table can be searched."))
        for role, sentence in found:
            self._check_rows.addWidget(self._check(role, sentence))
        self.checks.setVisible(done or bool(found))

    def _check(self, role: str, sentence: str) -> QWidget:
        made = QWidget()
        sign = QLabel()
        colour = getattr(self._tokens, _SIGN_COLOURS[role])
        sign.setPixmap(pixmap(role, colour, 16, self.devicePixelRatioF()))
        sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        text = label(sentence, wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(made)
        layout.setContentsMargins(0, 2, 0, 2)
        layout.setSpacing(SPACE)
        layout.addWidget(sign)
        layout.addWidget(text, 1)
        return made

    def _mark(self) -> None:
        model = self.columns_model
        self.preview_model.mark(model.target, model.ignored, self._tokens)
        total = max(0, model.columns - 1)
        self.count.setText(f"{total - len(model.ignored):,} of {counted(total, 'feature')}")

    def _use_as_target(self) -> None:
        index = self.columns.currentIndex()
        if index.isValid() and self._session.table is not None:
            self.columns_model.set_target(self.columns_model.name(index.row()))
            self.columns_model.ignored.discard(self.columns_model.target)
            self._prepare()

    def _prepare(self) -> None:
        self._mark()
        if self._session.table is None:
            return
        choices = replace(
            self._session.choices,
            target=self.columns_model.target,
            ignore=tuple(sorted(self.columns_model.ignored)),
            missing=self.missing.currentData(),
            nominal=self.nominal.currentData(),
        )
        if choices != self._session.choices:
            self._session.begin(self._session.prepare(choices), "preparing the data", subject="open")

    def _read_again(self) -> None:
        path: Path | None = self._session.path
        if path is not None:
            options = ReadOptions().updated(self.form.values())
            self._session.begin(self._session.open_path(path, options), f"reading {path.name}", subject="open")

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        self._on_dataset()


def _informs(kind: str) -> bool:
    """Whether a check only tells how the file was read; ids that occur twice are more than that."""
    return any(word in kind for word in _INFORMING) and not kind.startswith("duplicated")


def _table_view(name: str, spoken: str) -> QTableView:
    view = QTableView()
    named(view, name, spoken)
    view.setAlternatingRowColors(False)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setWordWrap(False)
    view.verticalHeader().setDefaultSectionSize(28)
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setHighlightSections(False)
    view.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setTabKeyNavigation(False)
    return view


def _choices(name: str, spoken: str, values: tuple[str, ...], titles: dict[str, str]) -> Choice:
    box = Choice()
    named(box, name, spoken)
    box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    for value in values:
        box.addItem(titles[value], value)
    return box
