"""What is looked at above the table: the target, the picked column, or where values are missing."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from fsdesk.app.data.column_view import ColumnCard, picture_of
from fsdesk.app.data.missing_map import MissingCard, missing_map
from fsdesk.app.data.table_models import ColumnFacts
from fsdesk.app.data.target_card import TargetCard, spread_of
from fsdesk.app.look.parts import Segments, column
from fsdesk.app.look.tokens import SPACE, Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.work.asking import off_thread
from fsdesk.app.work.session import Session
from fsdesk.data import Table

__all__ = ["Looks"]


class Looks(QWidget):
    """A switch and one card at a time; ``picked`` tells a column that was clicked in the picture of missing values."""

    picked = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._table: Table | None = None
        self.name = ""
        self.target, self.column, self.missing = TargetCard(), ColumnCard(), MissingCard()
        self.missing.picked.connect(self.picked)
        self.switch = Segments(
            "look", {"target": tr("Target"), "column": tr("Column"), "missing": tr("Missing values")}
        )
        self.switch.chosen.connect(self._choose)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.switch)
        # The target's card shows and hides itself; its page is what the switch shows and hides.
        self._pages = {"target": QWidget(), "column": self.column, "missing": self.missing}
        self._pages["target"].setLayout(column(self.target))
        for page in self._pages.values():
            layout.addWidget(page)
        self.show_table(None)

    def show_table(self, table: Table | None) -> None:
        """Show another table: its target at first."""
        self._table, self.name = table, ""
        self.switch.buttons["missing"].hide()
        self._show("target")

    def set_tall(self, tall: bool) -> None:
        """Let the pictures be higher, or no longer."""
        for picture in (self.target.bars, self.column.bars, self.missing.picture):
            picture.set_tall(tall)

    def _show(self, key: str) -> None:
        self.switch.select(key)
        for name, page in self._pages.items():
            page.setVisible(name == key)

    def _choose(self, key: str) -> None:
        if key == "column" and not self.name and self._table is not None:
            target = self._session.choices.target
            self.picked.emit(next(name for name in self._table.columns if name != target))
        else:
            self._show(key)

    def show_column(self, name: str) -> None:
        """Show a column of the table."""
        self.name = name
        self._session.begin(self._look_at(name), tr("looking at the column"), quietly=True)

    async def _look_at(self, name: str) -> None:
        session, table = self._session, self._table
        if table is None or name not in table.columns:
            return
        dataset = session.dataset
        classes_of = dataset.target_name if dataset is not None and dataset.response is None else None
        classes = () if dataset is None else dataset.classes
        picture = await off_thread(session.disk, picture_of, table, name, classes_of, classes)
        if table is self._table and name == self.name:
            self.column.show_picture(picture, table.descriptions.get(name, ""))
            self._show("column")

    async def show_missing(self, table: Table, facts: ColumnFacts) -> None:
        """Make the picture of missing values where there are any."""
        if table is self._table and facts.missing.any():
            found = await off_thread(self._session.disk, missing_map, table, facts.missing)
            if table is self._table:
                self.missing.show_map(found)
                self.switch.buttons["missing"].show()

    async def show_target(self) -> None:
        """Show the target of the data set, and the picked column by its classes."""
        session, dataset = self._session, self._session.dataset
        spread = None if dataset is None else await off_thread(session.disk, spread_of, dataset)
        if dataset is not session.dataset or (dataset is None and session.preparing):
            return
        if spread is None and session.refusal and session.choices.target:
            self.target.show_refused(session.choices.target)
        else:
            self.target.show_target(spread)
        if self.name and self.column.isVisibleTo(self):
            await self._look_at(self.name)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        for card in (self.target, self.column, self.missing):
            card.dress(tokens)
