"""Colours of heatmaps, all of them safe for colour-blind eyes, as tables of 256 for pictures of bytes."""

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fsdesk.app.look.tokens import SCALES

__all__ = ["ColourBar", "Scale", "colour_table", "indexed"]

Scale = Literal["weight", "z"]


@lru_cache(maxsize=16)
def _table(scale: Scale) -> tuple[int, ...]:
    stops = [QColor(stop) for stop in SCALES[scale]]
    at = np.linspace(0, 1, 256)
    where = np.linspace(0, 1, len(stops))
    channels = [np.interp(at, where, [getattr(stop, name)() for stop in stops]) for name in ("red", "green", "blue")]
    colours = np.rint(np.column_stack(channels)).astype(int).tolist()
    return tuple(QColor(*colour).rgb() for colour in colours)


def colour_table(scale: Scale, low: float = 0.0, high: float = 255.0) -> list[int]:
    """256 colours for bytes, spread between two of them."""
    colours = _table(scale)
    places = np.rint(255 * np.clip((np.arange(256) - low) / max(1e-9, high - low), 0.0, 1.0)).astype(int)
    return [colours[place] for place in places.tolist()]


def indexed(cells: NDArray[np.uint8], table: list[int]) -> QImage:
    """A picture of (rows, columns) bytes; the array is copied."""
    cells = np.ascontiguousarray(cells)
    height, width = cells.shape
    image = QImage(cells.data, width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable(table)
    return image.copy()


class ColourBar(QWidget):
    """A small bar of the colours of a scale."""

    def __init__(self) -> None:
        super().__init__()
        self._table = colour_table("weight")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_scale(self, scale: Scale) -> None:
        """Show the colours of another scale."""
        self._table = colour_table(scale)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as a short word."""
        return QSize(40, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the colours from low to high."""
        painter = QPainter(self)
        cells = np.arange(256, dtype=np.uint8)[None, :]
        painter.drawImage(QRectF(self.rect()), indexed(cells, self._table))
        painter.end()
