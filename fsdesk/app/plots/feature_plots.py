"""Small plots of one feature: its weight over the iterations, its values by class or against the target."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from fsdesk.app.palette import LIGHT, SPACE, Tokens
from fsdesk.app.tables import LEFT, RIGHT
from fsdesk.app.widgets import named
from fsdesk.data.class_colours import CLASS_COLOURS, class_colour
from fsdesk.messages import number, tr
from fsdesk.results.features import FeaturePreview

__all__ = ["TraceLine", "ValuesView", "box_of"]


Floats = NDArray[np.float64]

_MOST_POINTS = 300
_MOST_CLASSES = 10
_MOST_SCATTERED = 1000
_LINE, _FOOT, _SCATTER = 24, 18, 132


def box_of(values: Floats) -> tuple[float, float, float, float, float]:
    """Ends of the whiskers, quartiles and median, as Tukey draws them: whiskers end within 1.5 boxes of the box."""
    lower, middle, upper = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (upper - lower)
    inside = values[(values >= lower - reach) & (values <= upper + reach)]
    return float(inside.min()), float(lower), float(middle), float(upper), float(inside.max())


class _Small(QWidget):
    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        named(self, name, spoken)
        self.tokens = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def dress(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.update()

    def _painter(self) -> QPainter:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        if font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * 0.9)
        painter.setFont(font)
        return painter


class TraceLine(_Small):
    """A line over the iterations, with a dashed one at one half, from where on the feature is in."""

    def __init__(self) -> None:
        super().__init__("featureTrace", tr("Weight of the feature over the iterations"))
        self.steps: Floats = np.empty(0)
        self.values: Floats = np.empty(0)

    def sizeHint(self) -> QSize:
        return QSize(200, 76)

    def show_trace(self, steps: Floats, values: Floats) -> None:
        """Show another line."""
        self.steps, self.values = steps, values
        if len(values):
            self.setAccessibleDescription(tr("now {value}", value=number(values[-1], ".2f")))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self.steps):
            return
        painter = self._painter()
        area = QRectF(36, 8, self.width() - 42, self.height() - 10 - _FOOT)
        reach = min(0.5, max(0.05, 1.05 * float(np.abs(self.values - 0.5).max())))
        last = max(1.0, float(self.steps[-1]))
        painter.setPen(QColor(self.tokens.muted))
        for share, value in ((0.0, 0.5 - reach), (1.0, 0.5 + reach)):
            y = area.bottom() - share * area.height()
            painter.drawText(QRectF(0, y - 10, 30, 20), RIGHT, number(value, ".2g"))
        foot = QRectF(area.left(), area.bottom() + 2, area.width(), _FOOT)
        painter.drawText(foot, LEFT, tr("iteration 0"))
        painter.drawText(foot, RIGHT, number(last, ",.0f"))
        dashed = QPen(QColor(self.tokens.control), 1, Qt.PenStyle.DashLine)
        painter.setPen(dashed)
        half = area.center().y()
        painter.drawLine(QPointF(area.left(), half), QPointF(area.right(), half))
        across = area.left() + self.steps / last * area.width()
        up = area.center().y() - (self.values - 0.5) / (2 * reach) * area.height()
        painter.setPen(QPen(QColor(self.tokens.line_average), 2))
        painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in zip(across.tolist(), up.tolist(), strict=True)]))
        painter.end()


class ValuesView(_Small):
    """Points of each class, or a box where they are many; against a numeric target a cloud of points."""

    def __init__(self) -> None:
        super().__init__("featureValues", tr("Values of the feature"))
        self.look: FeaturePreview | None = None
        self.groups: list[tuple[str, Floats, str]] = []

    def show_look(self, look: FeaturePreview) -> None:
        """Show another feature; of many classes the largest ones and all others together."""
        self.look = look
        self.groups = [] if look.response is not None else _groups(look)
        said = [f"{name}: {number(np.median(values), '.4g')}" for name, values, _ in self.groups if len(values)]
        self.setAccessibleDescription(tr("medians: {medians}", medians=", ".join(said)) if said else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        if self.look is None or self.look.response is not None:
            return QSize(200, _SCATTER)
        return QSize(200, _LINE * max(1, len(self.groups)) + _FOOT)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = self.look
        if look is None:
            return
        known = look.values[np.isfinite(look.values)]
        painter = self._painter()
        if not len(known):
            painter.setPen(QColor(self.tokens.muted))
            painter.drawText(QRectF(self.rect()), int(Qt.AlignmentFlag.AlignCenter), tr("All values are missing."))
        elif look.response is not None:
            self._paint_cloud(painter, look.values, look.response)
        else:
            self._paint_groups(painter, float(known.min()), float(known.max()))
        painter.end()

    def _paint_groups(self, painter: QPainter, low: float, high: float) -> None:
        metrics = painter.fontMetrics()
        widest = max((metrics.horizontalAdvance(name) for name, _, _ in self.groups), default=0)
        left = min(widest + 4, self.width() // 3) + SPACE
        area = QRectF(left, 0, self.width() - left - 6, _LINE * len(self.groups))
        boxes = sum(len(values) for _, values, _ in self.groups) > _MOST_POINTS
        scale = area.width() / ((high - low) or 1.0)
        for place, (name, values, colour) in enumerate(self.groups):
            middle = area.top() + (place + 0.5) * _LINE
            painter.setPen(QColor(self.tokens.text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(left - SPACE))
            painter.drawText(QRectF(0, middle - 12, left - SPACE, 24), RIGHT, shown)
            if not len(values):
                continue
            x = area.left() + (values - low) * scale if high > low else np.full(len(values), area.center().x())
            (self._paint_box if boxes else self._paint_points)(painter, x, middle, QColor(colour))
        self._paint_ends(painter, area, low, high)

    def _paint_points(self, painter: QPainter, x: Floats, middle: float, colour: QColor) -> None:
        """Side by side where they would lie upon one another; the median as a line."""
        heights = np.random.default_rng(0).uniform(-0.32, 0.32, len(x)) * _LINE
        colour.setAlpha(220)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for a, b in zip(x.tolist(), heights.tolist(), strict=True):
            painter.drawEllipse(QPointF(a, middle + b), 2.5, 2.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.tokens.text), 2))
        median = float(np.median(x))
        painter.drawLine(QPointF(median, middle - _LINE * 0.4), QPointF(median, middle + _LINE * 0.4))

    def _paint_box(self, painter: QPainter, x: Floats, middle: float, colour: QColor) -> None:
        first, lower, median, upper, last = box_of(x)
        painter.setPen(QPen(QColor(self.tokens.muted), 1))
        painter.drawLine(QPointF(first, middle), QPointF(lower, middle))
        painter.drawLine(QPointF(upper, middle), QPointF(last, middle))
        for outlier in np.unique(np.concatenate([x[x < first], x[x > last]]).round()).tolist():
            painter.drawEllipse(QPointF(outlier, middle), 1.5, 1.5)
        colour.setAlpha(150)
        painter.fillRect(QRectF(lower, middle - _LINE * 0.32, max(1.0, upper - lower), _LINE * 0.64), colour)
        painter.setPen(QPen(QColor(self.tokens.text), 2))
        painter.drawLine(QPointF(median, middle - _LINE * 0.36), QPointF(median, middle + _LINE * 0.36))

    def _paint_ends(self, painter: QPainter, area: QRectF, low: float, high: float) -> None:
        painter.setPen(QColor(self.tokens.muted))
        foot = QRectF(area.left(), area.bottom(), area.width(), _FOOT)
        painter.drawText(foot, LEFT, number(low, ".4g"))
        painter.drawText(foot, RIGHT, number(high, ".4g"))

    def _paint_cloud(self, painter: QPainter, values: Floats, response: Floats) -> None:
        known = np.flatnonzero(np.isfinite(values))
        some = known[:: -(-len(known) // _MOST_SCATTERED)]
        x, y = values[some], response[some]
        metrics = painter.fontMetrics()
        (low, high), (bottom, top) = (float(x.min()), float(x.max())), (float(y.min()), float(y.max()))
        texts = (number(top, ".4g"), number(bottom, ".4g"))
        left = max(map(metrics.horizontalAdvance, texts)) + SPACE
        area = QRectF(left, 6, self.width() - left - 6, self.height() - 6 - _FOOT)
        painter.setPen(QColor(self.tokens.muted))
        for text, at in zip(texts, (area.top() + 4, area.bottom() - 4), strict=True):
            painter.drawText(QRectF(0, at - 10, left - SPACE, 20), RIGHT, text)
        across = area.left() + (x - low) / ((high - low) or 1.0) * area.width()
        up = area.bottom() - (y - bottom) / ((top - bottom) or 1.0) * area.height()
        colour = QColor(self.tokens.line_average)
        colour.setAlpha(140)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for a, b in zip(across.tolist(), up.tolist(), strict=True):
            painter.drawEllipse(QPointF(a, b), 2.5, 2.5)
        self._paint_ends(painter, area, low, high)


def _groups(look: FeaturePreview) -> list[tuple[str, Floats, str]]:
    """Name, known values and colour of each class."""
    sizes = np.bincount(look.groups, minlength=len(look.classes))
    shown: Sequence[int] = range(len(look.classes))
    if len(look.classes) > _MOST_CLASSES:
        shown = sorted(np.argsort(-sizes, kind="stable")[: _MOST_CLASSES - 1].tolist())
    known = np.isfinite(look.values)
    made = [(look.classes[code], look.values[known & (look.groups == code)], class_colour(code)) for code in shown]
    if len(shown) < len(look.classes):
        others = known & ~np.isin(look.groups, np.array(shown))
        made.append((tr("others"), look.values[others], CLASS_COLOURS[-1]))
    return made
