"""Summaries above the table: target, selected column, missing values."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fsdesk.app.data_page.columns_card import ColumnFacts
from fsdesk.app.plots.column_plots import ColumnPicture, Stacks, picture_of, spread_of
from fsdesk.app.session.session import Session
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.widgets import Card, ElidedLabel, Segments, column, label, named, panel
from fsdesk.data import Table
from fsdesk.messages import counted, number, tr

_BESIDE = 72  # pixels of the margins and gaps beside a name and its caption


class _SummaryCard(Card):
    """A card as high as needed, with a caption beside the heading that may be clipped."""

    def __init__(self, heading: str, name: str) -> None:
        super().__init__(heading)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.caption = ElidedLabel("caption")
        self.head.insertWidget(1, self.caption, 100)


class ColumnCard(_SummaryCard):
    """Name of the selected column, its bars and its numbers."""

    def __init__(self) -> None:
        super().__init__(tr("Column"), "columnCard")
        self.about = label("", "caption", wrap=True)
        named(self.about, "columnDescription", tr("Description of this column in the file"))
        self.about.hide()
        self.bars = Stacks("columnBars")
        self.body.addWidget(self.about)
        self.body.addWidget(self.bars)

    def show_picture(self, picture: ColumnPicture, description: str = "") -> None:
        """Show another column, and its description in the file."""
        self.about.setText(description)
        self.about.setVisible(bool(description))
        caption = self.caption.fontMetrics().horizontalAdvance(picture.caption)
        room = max(200, self.width() // 3, self.width() - caption - _BESIDE)
        self.heading.setText(self.fontMetrics().elidedText(picture.name, Qt.TextElideMode.ElideMiddle, room))
        self.heading.setToolTip(picture.name)
        self.caption.setText(picture.caption)
        self.bars.show_picture(picture)


class TargetCard(_SummaryCard):
    """Name of the target and its bars."""

    def __init__(self) -> None:
        super().__init__(tr("Target"), "targetCard")
        self.bars = Stacks("targetBars")
        self.refused = label(tr("It cannot be predicted yet; see the checks for the reason."), "muted", wrap=True)
        self.refused.hide()
        self.body.addWidget(self.bars)
        self.body.addWidget(self.refused)
        self.hide()

    def show_target(self, spread: ColumnPicture | None) -> None:
        """Show another target; None hides the card."""
        self.setVisible(spread is not None)
        if spread is not None:
            self._show_bars(True)
            self.heading.setText(tr("Target: {name}", name=spread.name))
            self.caption.setText(spread.caption)
            self.bars.show_picture(spread)

    def show_refused(self, name: str) -> None:
        """Show that a target cannot be used; the checks say why."""
        self.heading.setText(tr("Target: {name}", name=name))
        self.caption.clear()
        self._show_bars(False)
        self.show()

    def _show_bars(self, bars: bool) -> None:
        self.bars.setVisible(bars)
        self.refused.setVisible(not bars)


_MOST_ACROSS, _MOST_DOWN = 320, 96
_HEIGHT = 96
_FAINTEST = 0.35  # a single missing cell among thousands must remain visible


@dataclass(frozen=True, eq=False)
class MissingMap:
    """Missing values by block of the table.

    Attributes
    ----------
    shares
        (down, across) fraction of missing cells in each block, 0 to 1.
    starts
        First column of each block.
    names
        Names of all columns.
    missing
        (q,) int64 missing values of each column.
    rows
        Number of rows of the table.
    """

    shares: NDArray[np.float64]
    starts: NDArray[np.int64]
    names: tuple[str, ...]
    missing: NDArray[np.int64]
    rows: int


def missing_map(table: Table, missing: NDArray[np.int64]) -> MissingMap:
    """Inspect every cell of the table, one block of columns at a time; ``missing`` is the count for each column."""
    rows, columns = table.values.shape
    down, across = min(rows, _MOST_DOWN), min(columns, _MOST_ACROSS)
    top, left = np.arange(down) * rows // down, np.arange(across) * columns // across
    high, wide = np.diff(np.append(top, rows)), np.diff(np.append(left, columns))
    shares = np.zeros((down, across))
    for place in np.flatnonzero(np.add.reduceat(missing, left)):
        block = np.isnan(table.values[:, left[place] : left[place] + wide[place]])
        shares[:, place] = np.add.reduceat(block.sum(axis=1), top) / (high * wide[place])
    return MissingMap(shares, left, table.columns, missing, rows)


class MissingCard(_SummaryCard):
    """The image with its sentence; ``picked`` sends the clicked column."""

    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Missing values"), "missingCard")
        self.picture = _Picture()
        self.picture.picked.connect(self.picked)
        self.body.addWidget(self.picture)
        self.body.addWidget(
            label(
                tr(
                    "Missing values are marked, with rows from top to bottom and columns from left to right. Click "
                    "to select a column."
                ),
                "caption",
                wrap=True,
            )
        )

    def show_map(self, found: MissingMap) -> None:
        """Show another table."""
        total, cells = int(found.missing.sum()), found.rows * len(found.names)
        holed = int(np.count_nonzero(found.missing))
        share = 100 * total / cells
        percent = number(share, ".1f") if share >= 0.1 else tr("less than {limit:.1f}", limit=0.1)
        self.caption.setText(
            tr(
                "{missing} of {cells:,} ({percent} %), in {columns}",
                missing=counted(total, "cell"),
                cells=cells,
                percent=percent,
                columns=counted(holed, "column"),
            )
        )
        self.picture.show_map(found)
        self.picture.setAccessibleName(tr("Missing values, {caption}", caption=self.caption.text()))


class _Picture(QWidget):
    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("missingPicture")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._map: MissingMap | None = None
        self._image = QImage()
        self._high = _HEIGHT
        on_theme(self._draw)

    def set_tall(self, tall: bool) -> None:
        self._high = 2 * _HEIGHT if tall else _HEIGHT
        self.updateGeometry()

    def show_map(self, found: MissingMap) -> None:
        self._map = found
        self._draw()

    def _draw(self) -> None:
        if self._map is not None:
            self._image = _image(self._map.shares, QColor(tokens().hover), QColor(tokens().line_best))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self._high)

    def column_at(self, x: float) -> int:
        """The column with the most missing values ``x`` pixels from the left of the image; -1 for none."""
        found = self._map
        if found is None or not self.width():
            return -1
        across = len(found.starts)
        place = min(max(int(x * across / self.width()), 0), across - 1)
        start = int(found.starts[place])
        end = int(found.starts[place + 1]) if place + 1 < across else len(found.names)
        return start + int(np.argmax(found.missing[start:end]))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and (column := self.column_at(event.pos().x())) >= 0 and self._map is not None:
            gaps = int(self._map.missing[column])
            words = tr("no missing values")
            if gaps:
                words = tr("{gaps:,} of {rows} missing", gaps=gaps, rows=counted(self._map.rows, "row"))
            QToolTip.showText(event.globalPos(), f"{self._map.names[column]}: {words}", self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        column = self.column_at(event.position().x())
        if column >= 0 and self._map is not None:
            self.picked.emit(self._map.names[column])

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._image.isNull():
            painter = QPainter(self)
            painter.drawImage(QRect(0, 0, self.width(), self.height()), self._image)
            painter.end()


def _image(shares: NDArray[np.float64], ground: QColor, ink: QColor) -> QImage:
    """The fractions as an image with one pixel per block, from background to ink."""
    weight: NDArray[np.float64] = np.where(shares > 0, _FAINTEST + (1 - _FAINTEST) * shares, 0.0)[..., None]
    low, high = (np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64) for colour in (ground, ink))
    pixels = np.ascontiguousarray(np.round(low + weight * (high - low)).astype(np.uint8))
    down, across = shares.shape
    return QImage(pixels.tobytes(), across, down, 3 * across, QImage.Format.Format_RGB888).copy()


class Summaries(QWidget):
    """A switch and one card at a time; ``picked`` sends a column clicked among missing values."""

    picked = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._table: Table | None = None
        self.name = ""
        self.target, self.column, self.missing = TargetCard(), ColumnCard(), MissingCard()
        self.missing.picked.connect(self.picked)
        self.switch = Segments(
            "summary", {"target": tr("Target"), "column": tr("Column"), "missing": tr("Missing values")}
        )
        self.switch.chosen.connect(self._choose)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        # The target's card controls its own visibility; its page is controlled by the switch.
        self._pages = {"target": panel(column(self.target)), "column": self.column, "missing": self.missing}
        self.setLayout(column(self.switch, *self._pages.values()))
        self.show_table(None)

    def show_table(self, table: Table | None) -> None:
        """Show another table, initially its target."""
        self._table, self.name = table, ""
        self.switch.buttons["missing"].hide()
        self._show("target")

    def set_tall(self, tall: bool) -> None:
        """Allow higher images, or no longer."""
        for picture in (self.target.bars, self.column.bars, self.missing.picture):
            picture.set_tall(tall)

    def _show(self, key: str) -> None:
        self.switch.select(key)
        for name, page in self._pages.items():
            page.setVisible(name == key)

    def _choose(self, key: str) -> None:
        if key == "column" and not self.name and self._table is not None:
            target = self._session.loader.choices.target
            self.picked.emit(next(name for name in self._table.columns if name != target))
        else:
            self._show(key)

    def show_column(self, name: str) -> None:
        """Show a column of the table."""
        self.name = name
        self._session.tasks.begin(self._look_at(name), tr("examining the column"), quietly=True)

    async def _look_at(self, name: str) -> None:
        session, table = self._session, self._table
        if table is None or name not in table.columns:
            return
        dataset = session.loader.dataset
        classes_of = dataset.target_name if dataset is not None and dataset.response is None else None
        classes = () if dataset is None else dataset.classes
        picture = await session.tasks.in_thread(picture_of, table, name, classes_of, classes)
        if table is self._table and name == self.name:
            self.column.show_picture(picture, table.descriptions.get(name, ""))
            self._show("column")

    async def show_missing(self, table: Table, facts: ColumnFacts) -> None:
        """Create the image of missing values if there are any."""
        if table is self._table and facts.missing.any():
            found = await self._session.tasks.in_thread(missing_map, table, facts.missing)
            if table is self._table:
                self.missing.show_map(found)
                self.switch.buttons["missing"].show()

    async def show_target(self) -> None:
        """Show the target of the data set, and the selected column by class."""
        session, dataset = self._session, self._session.loader.dataset
        spread = None if dataset is None else await session.tasks.in_thread(spread_of, dataset)
        if dataset is not session.loader.dataset or (dataset is None and session.loader.preparing):
            return
        if spread is None and session.loader.refusal and session.loader.choices.target:
            self.target.show_refused(session.loader.choices.target)
        else:
            self.target.show_target(spread)
        if self.name and self.column.isVisibleTo(self):
            await self._look_at(self.name)
