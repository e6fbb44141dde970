"""What plots draw thousands of points with: lines and dots whose drawing takes a time that a window can spare."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

__all__ = ["Dots", "Stroke"]

Floats = NDArray[np.float64]

_PIECE = 32


class Stroke(pg.GraphicsObject):  # type: ignore[misc]
    """A line through finite points, drawn a piece at a time.

    Qt draws a line that goes up and down in a time that grows with the square of its points: five hundred, of noise,
    take 18 ms as a whole and 4 ms in pieces. Neighbours share a segment, so that no corner between them is open.
    """

    def __init__(self) -> None:
        super().__init__()
        self._x = self._y = np.empty(0)
        self._pen = QPen()
        self._pieces: list[QPainterPath] | None = None

    def getData(self) -> tuple[Floats, Floats]:
        """The points."""
        return self._x, self._y

    def setData(self, x: Floats, y: Floats) -> None:
        """Draw a line through other points."""
        self._x, self._y, self._pieces = x, y, None
        self.update()

    def setPen(self, pen: QPen) -> None:
        """Draw it with another pen."""
        self._pen, self._pieces = pen, None
        self.update()

    def boundingRect(self) -> QRectF:
        """All of the plot."""
        seen: QRectF | None = self.viewRect()
        return QRectF() if seen is None else seen

    def viewTransformChanged(self) -> None:
        """The plot shows something else; pyqtgraph keeps what was seen before until it is told."""
        super().viewTransformChanged()
        self.prepareGeometryChange()

    def _made(self) -> list[QPainterPath]:
        solid = self._pen.style() == Qt.PenStyle.SolidLine  # dashes would begin anew with each piece
        size = _PIECE if solid else max(1, len(self._x))
        starts = range(0, max(0, len(self._x) - 1), size)
        return [
            pg.functions.arrayToQPath(self._x[at : at + size + 2], self._y[at : at + size + 2], finiteCheck=False)
            for at in starts
        ]

    def paint(self, painter: QPainter, *_: Any) -> None:
        """Draw the pieces."""
        if self._pieces is None:
            self._pieces = self._made()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        for piece in self._pieces:
            painter.drawPath(piece)


class Dots(pg.ScatterPlotItem):  # type: ignore[misc]
    """Points that all look the same: what they look like is not looked up for each of them."""

    def updateSpots(self, dataSet: Any = None) -> None:
        """Take the one picture of all points."""
        spots = self.data if dataSet is None else dataSet
        look = tuple(self.opts[name] for name in ("symbol", "size", "pen", "brush"))
        (spots["sourceRect"],) = self.fragmentAtlas[[look]]
        self._updateMaxSpotSizes(data=spots)
        self.invalidate()
