"""Where values are missing: the whole table as a small picture, rows down and columns across."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fsdesk.app.look.parts import Card, ElidedLabel, label
from fsdesk.app.look.tokens import LIGHT, Tokens
from fsdesk.app.look.translation import number, tr
from fsdesk.app.look.words import counted
from fsdesk.data import Table

__all__ = ["MissingCard", "MissingMap", "missing_map"]

_MOST_ACROSS, _MOST_DOWN = 320, 96
_HEIGHT = 96
_FAINTEST = 0.35  # a single missing cell among thousands must still be seen


@dataclass(frozen=True, eq=False)
class MissingMap:
    """Missing values by block of the table.

    Attributes
    ----------
    shares
        (down, across) share of the cells of each block that are missing, 0 to 1.
    starts
        First column of each block across.
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
    """Look at every cell of the table, one block of columns at a time; ``missing`` is its count for each column."""
    rows, columns = table.values.shape
    down, across = min(rows, _MOST_DOWN), min(columns, _MOST_ACROSS)
    top, left = np.arange(down) * rows // down, np.arange(across) * columns // across
    high, wide = np.diff(np.append(top, rows)), np.diff(np.append(left, columns))
    shares = np.zeros((down, across))
    for place in np.flatnonzero(np.add.reduceat(missing, left)):
        block = np.isnan(table.values[:, left[place] : left[place] + wide[place]])
        shares[:, place] = np.add.reduceat(block.sum(axis=1), top) / (high * wide[place])
    return MissingMap(shares, left, table.columns, missing, rows)


class MissingCard(Card):
    """The picture with its sentence; ``picked`` tells the column that was clicked."""

    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Missing values"))
        self.setObjectName("missingCard")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.caption = ElidedLabel("caption")
        self.head.insertWidget(1, self.caption, 100)
        self.picture = _Picture()
        self.picture.picked.connect(self.picked)
        self.body.addWidget(self.picture)
        self.body.addWidget(
            label(tr("Marked where missing; rows run down, columns across. Click for a column."), "caption", wrap=True)
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

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.picture.dress(tokens)


class _Picture(QWidget):
    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("missingPicture")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tokens = LIGHT
        self._map: MissingMap | None = None
        self._image = QImage()
        self._high = _HEIGHT

    def set_tall(self, tall: bool) -> None:
        self._high = 2 * _HEIGHT if tall else _HEIGHT
        self.updateGeometry()

    def show_map(self, found: MissingMap) -> None:
        self._map = found
        self.dress(self._tokens)

    def dress(self, tokens: Tokens) -> None:
        self._tokens = tokens
        if self._map is not None:
            self._image = _image(self._map.shares, QColor(tokens.hover), QColor(tokens.line_best))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self._high)

    def column_at(self, x: float) -> int:
        """The column with the most missing values where the picture is ``x`` pixels from the left; -1 for none."""
        found = self._map
        if found is None or not self.width():
            return -1
        across = len(found.starts)
        place = min(max(int(x * across / self.width()), 0), across - 1)
        start = int(found.starts[place])
        end = int(found.starts[place + 1]) if place + 1 < across else len(found.names)
        return start + int(np.argmax(found.missing[start:end]))

    def event(self, event: QEvent) -> bool:
        """Hovering tells the column."""
        if isinstance(event, QHelpEvent) and (column := self.column_at(event.pos().x())) >= 0 and self._map is not None:
            gaps = int(self._map.missing[column])
            words = tr("nothing missing")
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
    """The shares as an image of one pixel a block, from the ground to the ink."""
    weight: NDArray[np.float64] = np.where(shares > 0, _FAINTEST + (1 - _FAINTEST) * shares, 0.0)[..., None]
    low, high = (np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64) for colour in (ground, ink))
    pixels = np.ascontiguousarray(np.round(low + weight * (high - low)).astype(np.uint8))
    down, across = shares.shape
    return QImage(pixels.tobytes(), across, down, 3 * across, QImage.Format.Format_RGB888).copy()
