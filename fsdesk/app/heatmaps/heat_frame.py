"""Which part of a matrix is in view: rows down, and across iterations or columns; scrolling and zooming."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

__all__ = ["Frame", "nice_steps"]

_LARGEST_ROW = 48.0


@dataclass(frozen=True)
class Frame:
    """The view of a matrix within a rectangle; changing it makes another one.

    Attributes
    ----------
    area
        Where the cells are drawn, in device-independent pixels.
    rows
        How many there are.
    top, high
        First row in view, which may be cut, and pixels for each row.
    left, right
        Ends of what is in view across, in iterations or columns.
    ends
        Furthest ends across.
    """

    area: QRectF
    rows: int = 0
    top: float = 0.0
    high: float = 1.0
    left: float = 0.0
    right: float = 1.0
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def visible(self) -> float:
        """How many rows fit."""
        return self.area.height() / self.high

    @property
    def last_top(self) -> float:
        """The furthest that one can scroll."""
        return max(0.0, self.rows - self.visible)

    @property
    def span(self) -> tuple[int, int]:
        """First row in view and the one after the last."""
        first = int(self.top)
        return first, min(self.rows, int(np.ceil(self.top + self.visible - 1e-9)))

    def y_of(self, row: float) -> float:
        """Where the upper edge of a row is."""
        return self.area.top() + (row - self.top) * self.high

    def x_of(self, across: float) -> float:
        """Where a place across is."""
        return self.area.left() + (across - self.left) / (self.right - self.left) * self.area.width()

    def row_at(self, y: float) -> int:
        """The row at a height; -1 where there is none."""
        row = int(np.floor(self.top + (y - self.area.top()) / self.high))
        return row if 0 <= row < self.rows and self.area.top() <= y <= self.area.bottom() else -1

    def across_at(self, x: float) -> float:
        """The place across at an x."""
        return self.left + (x - self.area.left()) / max(1.0, self.area.width()) * (self.right - self.left)

    def places(self, pixels: int) -> NDArray[np.float64]:
        """The places across of the middles of so many pixels."""
        step = (self.right - self.left) / max(1, pixels)
        return np.asarray(self.left + (np.arange(pixels) + 0.5) * step)

    def scrolled_to(self, top: float) -> "Frame":
        """Begin with another row."""
        return replace(self, top=float(np.clip(top, 0.0, self.last_top)))

    def showing(self, row: int) -> "Frame":
        """Scroll as little as needed to have a row in view; where it was far away, to the middle."""
        if self.top <= row and row + 1 <= self.top + self.visible:
            return self
        near = row - self.top if row < self.top else row + 1 - self.top - self.visible
        if abs(near) > self.visible / 2:
            return self.scrolled_to(row + 0.5 - self.visible / 2)
        return self.scrolled_to(self.top + near)

    def rows_zoomed(self, factor: float, y: float, least: float) -> "Frame":
        """Make rows higher or lower; the one at ``y`` stays. They never get lower than where all rows are in view."""
        row = self.top + (y - self.area.top()) / self.high
        lowest = min(least, self.area.height() / max(1, self.rows))
        high = float(np.clip(self.high * factor, lowest, max(_LARGEST_ROW, lowest)))
        return replace(self, high=high).scrolled_to(row - (y - self.area.top()) / high)

    def across_zoomed(self, factor: float, x: float, least: float) -> "Frame":
        """Show less or more across; the place at ``x`` stays."""
        place, (first, last) = self.across_at(x), self.ends
        wide = float(np.clip((self.right - self.left) / factor, min(least, last - first), last - first))
        share = (x - self.area.left()) / max(1.0, self.area.width())
        return self.across_from(place - share * wide, wide)

    def across_from(self, left: float, wide: float) -> "Frame":
        """Show so much across from a place on, within the ends."""
        first, last = self.ends
        wide = min(wide, last - first)
        left = float(np.clip(left, first, last - wide))
        return replace(self, left=left, right=left + wide)


def nice_steps(first: float, last: float, most: int) -> NDArray[np.float64]:
    """Round whole numbers between two ends, at most ``most`` + 1 of them."""
    wide = max(1e-9, last - first)
    raw = max(1.0, wide / max(1, most))
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(float(scale * power) for scale in (1, 2, 5, 10) if scale * power >= raw * 0.999)
    return np.arange(np.ceil(first / step), np.floor(last / step) + 1) * step + 0.0  # no -0
