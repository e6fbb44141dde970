"""The data page: what was found out about the table, its cells, its columns and how the file is read."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from fsdesk.app.asking import off_thread
from fsdesk.app.columns_card import ColumnsCard, table_view
from fsdesk.app.icons import pixmap
from fsdesk.app.parts import Card, ElidedLabel, button, column, label, row, scrolled
from fsdesk.app.session import Session
from fsdesk.app.settings_form import SettingsForm
from fsdesk.app.table_models import PreviewModel, column_facts, table_of
from fsdesk.app.target_card import TargetCard, spread_of
from fsdesk.app.tokens import LIGHT, SPACE, Tokens
from fsdesk.data import Choices, ReadOptions, Table

__all__ = ["DataPage"]

_INFORMING = ("ids", "labels", "encoding", "sheet", "numeric target")
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
        self.preview_model = PreviewModel()
        self.columns = ColumnsCard()
        self.columns_model, self.search = self.columns.model, self.columns.search
        self.target = TargetCard()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        left = column(self._make_checks(), self.target, self._make_preview(), spacing=2 * SPACE)
        left.setStretch(2, 1)
        layout.addLayout(left, 1)
        side = QWidget()
        side_layout = QVBoxLayout(side)
        side_layout.setContentsMargins(0, 0, 0, 0)
        side_layout.setSpacing(2 * SPACE)
        side_layout.addWidget(self.columns, 1)
        side_layout.addWidget(self._make_reading())
        self.side = scrolled(side)
        self.side.setFixedWidth(_SIDE)
        layout.addWidget(self.side)
        self._apply = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._apply.timeout.connect(self._prepare)
        self.columns.ticked.connect(self._apply.start)
        self.columns.chosen.connect(self._prepare)
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
        self.preview = table_view("preview", "First rows of the table")
        self.preview.setModel(self.preview_model)
        self.preview.setShowGrid(False)
        card.body.addWidget(self.preview, 1)
        return card

    def _make_reading(self) -> Card:
        self.reading = Card("Reading the file")
        self.form = SettingsForm("read", ReadOptions.describe(), wide=232)
        self.form.setEnabled(False)
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
        path, names = self._session.path, frozenset(self.form.fields)
        fitting = _READ_BY.get(path.suffix.lower(), names - {"sheet"}) if path is not None else names - {"sheet"}
        self.form.hide_idle(names - fitting)

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
            choices = self._session.choices if own else Choices(target=table.default_target)
            self.columns.show_table(table, facts, choices, editable=own)
            self._mark()

    def _on_dataset(self) -> None:
        session, dataset = self._session, self._session.dataset
        own = session.table is not None
        self.columns.show_choices(session.choices, editable=own)
        session.begin(self._show_target(), "looking at the target", quietly=True)
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

    async def _show_target(self) -> None:
        dataset = self._session.dataset
        spread = None if dataset is None else await off_thread(self._session.disk, spread_of, dataset)
        if dataset is self._session.dataset and (dataset is not None or not self._session.preparing):
            self.target.show_target("" if dataset is None else dataset.target_name, spread)

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
        self.preview_model.mark(model.target, model.ignored, model.roles.keys(), self._tokens)
        self.columns.tell_count()

    def _prepare(self) -> None:
        self._mark()
        if self._session.table is None:
            return
        choices = self.columns.choices(self._session.choices)
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
        self.target.dress(tokens)
        self._on_dataset()


def _informs(kind: str) -> bool:
    """Whether a check only tells how the file was read; ids that occur twice are more than that."""
    return any(word in kind for word in _INFORMING) and not kind.startswith("duplicated")
