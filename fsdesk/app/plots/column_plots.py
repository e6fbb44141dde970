"""Plots of one column or feature: bars by class, its values, its weight over the iterations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from fsdesk.app.palette import SPACE, Tokens
from fsdesk.app.style import small, tokens
from fsdesk.app.tables import LEFT, RIGHT
from fsdesk.app.widgets import named
from fsdesk.data import Dataset, Table
from fsdesk.data.class_colours import CLASS_COLOURS, class_colour
from fsdesk.data.kaplan_meier import Curve, curve_of, follow_up
from fsdesk.messages import counted, number, tr
from fsdesk.results.features import FeaturePreview

_MOST_BARS = 5
_MOST_CLASSES = 5
_MOST_BINS = 40
_LINE, _HISTOGRAM = 20, 72
_CURVE = 2  # times as high as a histogram
_SQUARE = 10


@dataclass(frozen=True, eq=False)
class ColumnPicture:
    """The plotted content of a column.

    Attributes
    ----------
    name, caption
        The column, and a one-line description.
    counts
        (groups, bars) int64 number of rows of each group in each bar.
    groups
        Names of the groups of rows, such as classes; a single empty name if they are not distinguished.
    bars
        Names of the bars, for categories and few distinct numbers; empty for a histogram.
    ends
        Minimum, median and maximum as text, below a histogram.
    middle
        Relative position of the median between minimum and maximum, 0 to 1; for a time to an event between 0 and the
        last time, 1 if not reached.
    codes
        Class of each group, -1 for the rows of all classes without their own group; empty if groups are not classes.
    curve
        For a time to an event the survival curve of all rows, drawn instead of a histogram.
    """

    name: str
    caption: str
    counts: NDArray[np.int64]
    groups: tuple[str, ...]
    bars: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()
    middle: float = 0.5
    curve: Curve | None = None


def picture_of(table: Table, name: str, classes_of: str | None = None, classes: Sequence[str] = ()) -> ColumnPicture:
    """Count the values of a column in bars.

    Parameters
    ----------
    table, name
        The column to plot.
    classes_of
        Name of the target whose classes are distinguished; None for none.
    classes
        Names of its classes, in order; by default all.
    """
    column = table.columns.index(name)
    values = np.asarray(table.values[:, column])
    present = ~np.isnan(values)
    codes, groups, colours = _groups(table, classes_of, classes)
    values, codes = values[present], codes[present]
    words = table.categories.get(column)
    gaps = int(len(present) - len(values))
    about = [counted(len(words), "category") if words else tr("numbers")]
    about += [
        counted(len(values), "value") if len(values) else tr("no value"),
        tr("{count:,} missing", count=gaps) if gaps else tr("none missing"),
    ]
    distinct = np.unique(values)
    if not words and len(values):
        low, middle, high = np.quantile(values, [0.0, 0.5, 1.0])
        if len(distinct) > _MOST_BARS:
            counts = binned(values, codes, len(groups))
            ends = low_middle_high(values)
            at = median_place(values)
            return ColumnPicture(name, " · ".join(about), counts, groups, ends=ends, codes=colours, middle=at)
        about.append(tr("{low:.4g} to {high:.4g}, median {middle:.4g}", low=low, high=high, middle=middle))
    shown, bars = _bars(values, distinct, words, in_order=name == classes_of)
    if len(distinct) > len(shown):
        about.append(tr("{count} most frequent", count=len(shown)))
    counts = np.array(
        [[np.sum((values == value) & (codes == group)) for value in shown] for group in range(len(groups))],
        dtype=np.int64,
    ).reshape(len(groups), len(shown))
    return ColumnPicture(name, " · ".join(about), counts, groups, bars, codes=colours)


def _groups(
    table: Table, target: str | None, classes: Sequence[str]
) -> tuple[NDArray[np.int64], tuple[str, ...], tuple[int, ...]]:
    """Group of every row, names of the groups, and their classes: the largest ones, in class order."""
    rows = len(table.values)
    if target is None:
        return np.zeros(rows, dtype=np.int64), ("",), ()
    column = table.columns.index(target)
    values = np.asarray(table.values[:, column])
    words = table.categories.get(column)
    found, sizes = np.unique(values[~np.isnan(values)], return_counts=True)
    if words is not None and classes:  # a class is omitted if all of its rows are left out
        kept = np.array([words[int(value)] in classes for value in found], dtype=bool)
        found, sizes = found[kept], sizes[kept]
    largest = np.sort(np.argsort(-sizes, kind="stable")[:_MOST_CLASSES])
    codes = np.full(rows, len(largest), dtype=np.int64)
    for group, code in enumerate(largest):
        codes[values == found[code]] = group
    names = [words[int(found[code])] if words else number(found[code], "g") for code in largest]
    shown = tuple(map(int, largest))
    left = bool((codes == len(largest)).any())
    return codes, (*names, tr("other rows")) if left else tuple(names), (*shown, -1) if left else shown


def low_middle_high(values: NDArray[np.float64]) -> tuple[str, str, str]:
    """Text below a histogram: minimum, median and maximum."""
    low, middle, high = np.quantile(values, [0.0, 0.5, 1.0])
    return number(low, ".4g"), tr("median {value:.4g}", value=middle), number(high, ".4g")


def median_place(values: NDArray[np.float64]) -> float:
    """Relative position of the median between minimum, 0, and maximum, 1."""
    scaled = values / (float(np.abs(values).max()) or 1.0)
    low, middle, high = np.quantile(scaled, [0.0, 0.5, 1.0])
    return float((middle - low) / (high - low)) if high > low else 0.5


def binned(values: NDArray[np.float64], codes: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """(groups, bins) number of values of each group in bins of equal width."""
    bins = int(np.clip(np.sqrt(len(values)), 5, _MOST_BINS))
    scale = float(np.abs(values).max()) or 1.0  # the width of a bin of extreme numbers would leave the range of doubles
    scaled = values / scale
    edges = (float(scaled.min()), float(scaled.max()))
    return np.array([np.histogram(scaled[codes == group], bins=bins, range=edges)[0] for group in range(groups)])


def _bars(
    values: NDArray[np.float64], distinct: NDArray[np.float64], words: tuple[str, ...] | None, *, in_order: bool
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Values that have a bar: all numbers in order, or the most frequent categories, by frequency or in order."""
    if words is None:
        return distinct, tuple(number(value, ".6g") for value in distinct)
    sizes = np.bincount(values.astype(np.intp), minlength=len(words))
    order = np.argsort(-sizes, kind="stable")[:_MOST_BARS]
    if in_order:
        order = np.sort(order)
    return order.astype(np.float64), tuple(words[int(code)] for code in order)


def group_colours(tokens: Tokens, picture: ColumnPicture) -> list[str]:
    """A color for each group: class colors, gray for the rest, blue without classes."""
    if not picture.codes:
        return [tokens.line_average] * len(picture.groups)
    return [tokens.control if code < 0 else class_colour(code) for code in picture.codes]


def _has_legend(picture: ColumnPicture) -> bool:
    """Whether there is a legend: not if each bar is a class with its name, or if there is no bar."""
    return (
        picture.curve is None
        and len(picture.groups) > 1
        and picture.groups != picture.bars
        and bool(picture.counts.size)
    )


class Stacks(QWidget):
    """Bars of stacked groups, with a legend below."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.picture: ColumnPicture | None = None
        self._histogram = _HISTOGRAM
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_picture(self, picture: ColumnPicture) -> None:
        """Show other bars."""
        self.picture = picture
        totals = picture.counts.sum(axis=0)
        said = ", ".join(f"{name}: {number(count)}" for name, count in zip(picture.bars, totals, strict=False))
        self.setAccessibleName(
            tr("Column {name}, {caption}", name=picture.name, caption="; ".join(filter(None, [picture.caption, said])))
        )
        self.setToolTip(said)
        self.updateGeometry()
        self.update()

    def set_tall(self, tall: bool) -> None:
        """Make a histogram twice as high on a large screen."""
        self._histogram = 2 * _HISTOGRAM if tall else _HISTOGRAM
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        picture = self.picture
        if picture is None:
            return QSize(200, _LINE)
        legend = _LINE + SPACE // 2 if _has_legend(picture) else 0
        return QSize(200, (len(picture.bars) * _LINE if not picture.ends else self._high + _LINE) + legend)

    @property
    def _high(self) -> int:
        """Height in pixels of a histogram, or of a curve, which is read by its height."""
        is_curve = self.picture is not None and self.picture.curve is not None
        return self._histogram * (_CURVE if is_curve else 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        picture = self.picture
        if picture is None or not picture.counts.size:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = group_colours(tokens(), picture)
        if picture.curve is not None:
            self._paint_curve(painter, picture.curve)
            self._paint_axis(painter, picture)
        else:
            paint = self._paint_histogram if picture.ends else self._paint_bars
            paint(painter, picture, colours)
        if _has_legend(picture):
            self._paint_legend(painter, picture, colours)
        painter.end()

    def _paint_bars(self, painter: QPainter, picture: ColumnPicture, colours: list[str]) -> None:
        metrics = self.fontMetrics()
        totals = picture.counts.sum(axis=0)
        texts = [number(count) for count in totals]
        left = min(self.width() // 3, max(map(metrics.horizontalAdvance, picture.bars)) + SPACE)
        right = max(map(metrics.horizontalAdvance, texts)) + SPACE
        unit = (self.width() - left - right) / max(1, int(totals.max()))
        for place, (name, text) in enumerate(zip(picture.bars, texts, strict=True)):
            line = QRectF(0, place * _LINE, self.width(), _LINE)
            painter.setPen(QColor(tokens().text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, left - SPACE // 2)
            painter.drawText(line, LEFT, shown)
            painter.drawText(line, RIGHT, text)
            painter.setPen(Qt.PenStyle.NoPen)
            start = float(left)
            for count, colour in zip(picture.counts[:, place], colours, strict=True):
                painter.fillRect(QRectF(start, line.top() + 5, unit * int(count), _LINE - 10), QColor(colour))
                start += unit * int(count)

    def _paint_histogram(self, painter: QPainter, picture: ColumnPicture, colours: list[str]) -> None:
        wide = self.width() / picture.counts.shape[1]
        unit = self._high / max(1, int(picture.counts.sum(axis=0).max()))
        for place in range(picture.counts.shape[1]):
            foot = float(self._high)
            for count, colour in zip(picture.counts[:, place], colours, strict=True):
                high = unit * int(count)
                painter.fillRect(QRectF(place * wide, foot - high, max(1.0, wide - 1), high), QColor(colour))
                foot -= high
        self._paint_axis(painter, picture)

    def _paint_curve(self, painter: QPainter, curve: Curve) -> None:
        """The event-free fraction with its 95 % band; ticks mark censored rows."""
        last, high = float(curve.times.max()) or 1.0, float(self._high - 1)

        def steps(values: NDArray[np.float64]) -> list[QPointF]:
            x = np.repeat(np.concatenate([[0.0], curve.times]), 2)[1:] * (self.width() / last)
            y = high * (1 - np.repeat(np.concatenate([[1.0], values]), 2)[:-1]) + 1
            return [QPointF(*each) for each in zip(x.tolist(), y.tolist(), strict=True)]

        low, top = curve.interval()
        shade, line = QColor(tokens().line_average), QColor(tokens().line_average)
        shade.setAlpha(48)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(QPolygonF([*steps(top), *reversed(steps(low))]))
        painter.setPen(QPen(line, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(steps(curve.survival)))
        painter.setPen(QPen(line, 1))
        lost = curve.at_risk - np.append(curve.at_risk[1:], 0) - curve.events > 0
        for time, share in zip(curve.times[lost].tolist(), curve.survival[lost].tolist(), strict=True):
            at = QPointF(time * self.width() / last, high * (1 - share) + 1)
            painter.drawLine(at - QPointF(0, 4), at + QPointF(0, 2))
        painter.setPen(QColor(tokens().muted))
        for share in (1.0, 0.5):
            foot = high * (1 - share) + 1
            painter.drawLine(QPointF(self.width() - 6, foot), QPointF(self.width(), foot))
            place = QRectF(0, foot if share == 1.0 else foot - _LINE / 2, self.width() - 10, _LINE)
            painter.drawText(place, RIGHT, f"{share:.0%}".replace("%", " %"))

    def _paint_axis(self, painter: QPainter, picture: ColumnPicture) -> None:
        """Draw the labels of the ends, and the median as close to its position as these allow."""
        low, middle, high = picture.ends
        metrics, at = self.fontMetrics(), picture.middle * self.width()
        painter.setPen(QColor(tokens().text))
        painter.drawLine(QPointF(at, self._high), QPointF(at, self._high + 4))
        painter.setPen(QColor(tokens().muted))
        line = QRectF(0, self._high + 4, self.width(), _LINE - 4)
        painter.drawText(line, LEFT, low)
        painter.drawText(line, RIGHT, high)
        wide = metrics.horizontalAdvance(middle)
        least = metrics.horizontalAdvance(low) + 2 * SPACE
        most = self.width() - metrics.horizontalAdvance(high) - 2 * SPACE - wide
        line.setLeft(max(least, min(most, at - wide / 2)))
        painter.drawText(line, LEFT, middle)

    def _paint_legend(self, painter: QPainter, picture: ColumnPicture, colours: list[str]) -> None:
        metrics, top = self.fontMetrics(), self.height() - _LINE
        beside = _SQUARE + 6 + 2 * SPACE
        whole = sum(metrics.horizontalAdvance(name) + beside for name in picture.groups)
        room = self.width() if whole <= self.width() else self.width() // len(picture.groups)
        start = 0
        for name, colour in zip(picture.groups, colours, strict=True):
            painter.fillRect(QRectF(start, top + (_LINE - _SQUARE) / 2, _SQUARE, _SQUARE), QColor(colour))
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room - beside)
            painter.setPen(QColor(tokens().text))
            place = QRectF(start + _SQUARE + 6, top, room, _LINE)
            painter.drawText(place, LEFT, text)
            start += metrics.horizontalAdvance(text) + beside


def spread_of(dataset: Dataset) -> ColumnPicture:
    """Count the rows of each class, or the numbers in bins of equal width."""
    name, response = dataset.target_name, dataset.response
    if dataset.event:
        return _of_times(dataset)
    if response is not None:
        caption = tr("numbers from {low:.4g} to {high:.4g}", low=response.min(), high=response.max())
        counts = binned(response, np.zeros(len(response), dtype=np.int64), 1)
        ends, middle = low_middle_high(response), median_place(response)
        return ColumnPicture(name, caption, counts, ("",), ends=ends, middle=middle)
    sizes = np.bincount(dataset.target, minlength=len(dataset.classes))
    order = np.sort(np.argsort(-sizes, kind="stable")[:_MOST_CLASSES])
    caption = counted(len(sizes), "class")
    if len(order) < len(sizes):
        caption = tr("{classes}, largest {count} shown", classes=caption, count=len(order))
    names = tuple(dataset.classes[code] for code in order)
    return ColumnPicture(name, caption, np.diag(sizes[order]), names, names, codes=tuple(map(int, order)))


def _of_times(dataset: Dataset) -> ColumnPicture:
    """The survival curve, numbers of events and censored rows, and the median follow-up."""
    times, events = dataset.times, dataset.target == 1
    assert dataset.response is not None
    curve, median = curve_of(dataset.response), follow_up(dataset.response)
    parts = [tr("{events:,} events, {censored:,} censored", events=events.sum(), censored=(~events).sum())]
    if np.isfinite(median):
        parts.append(tr("median follow-up {median:.4g}", median=median))
    is_reached, last = np.isfinite(curve.median), float(times.max())
    middle = tr("median survival {value:.4g}", value=curve.median) if is_reached else tr("median survival not reached")
    return ColumnPicture(
        dataset.target_name,
        tr("Kaplan-Meier · {parts}", parts=" · ".join(parts)),
        binned(times, dataset.target, 2),
        (tr("censored"), tr("event")),
        ends=("0", middle, number(last, ".4g")),
        codes=(0, 1),
        middle=curve.median / last if is_reached and last > 0 else 1.0,
        curve=curve,
    )


Floats = NDArray[np.float64]

_MOST_POINTS = 300
_MOST_GROUPED = 10
_MOST_SCATTERED = 1000
_GROUP, _FOOT, _SCATTER = 24, 18, 132


def box_of(values: Floats) -> tuple[float, float, float, float, float]:
    """Whiskers, quartiles and median of Tukey's box plot: whiskers end within 1.5 box lengths of the box."""
    lower, middle, upper = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (upper - lower)
    inside = values[(values >= lower - reach) & (values <= upper + reach)]
    return float(inside.min()), float(lower), float(middle), float(upper), float(inside.max())


class _Small(QWidget):
    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        named(self, name, spoken)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _painter(self) -> QPainter:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small(self.font()))
        return painter


class TraceLine(_Small):
    """A line over the iterations, and a dashed one at one half, above which the feature is selected."""

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
        painter.setPen(QColor(tokens().muted))
        for share, value in ((0.0, 0.5 - reach), (1.0, 0.5 + reach)):
            y = area.bottom() - share * area.height()
            painter.drawText(QRectF(0, y - 10, 30, 20), RIGHT, number(value, ".2g"))
        foot = QRectF(area.left(), area.bottom() + 2, area.width(), _FOOT)
        painter.drawText(foot, LEFT, tr("iteration 0"))
        painter.drawText(foot, RIGHT, number(last, ",.0f"))
        dashed = QPen(QColor(tokens().control), 1, Qt.PenStyle.DashLine)
        painter.setPen(dashed)
        half = area.center().y()
        painter.drawLine(QPointF(area.left(), half), QPointF(area.right(), half))
        across = area.left() + self.steps / last * area.width()
        up = area.center().y() - (self.values - 0.5) / (2 * reach) * area.height()
        painter.setPen(QPen(QColor(tokens().line_average), 2))
        painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in zip(across.tolist(), up.tolist(), strict=True)]))
        painter.end()


class ValuesView(_Small):
    """Points for each class, or a box plot if there are many; for a numeric target, a scatter plot."""

    def __init__(self) -> None:
        super().__init__("featureValues", tr("Values of the feature"))
        self.preview: FeaturePreview | None = None
        self.groups: list[tuple[str, Floats, str]] = []

    def show_preview(self, preview: FeaturePreview) -> None:
        """Show another feature; with many classes the largest ones and all others together."""
        self.preview = preview
        self.groups = [] if preview.response is not None else _values_by_class(preview)
        said = [f"{name}: {number(np.median(values), '.4g')}" for name, values, _ in self.groups if len(values)]
        self.setAccessibleDescription(tr("medians: {medians}", medians=", ".join(said)) if said else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        if self.preview is None or self.preview.response is not None:
            return QSize(200, _SCATTER)
        return QSize(200, _GROUP * max(1, len(self.groups)) + _FOOT)

    def paintEvent(self, event: QPaintEvent) -> None:
        preview = self.preview
        if preview is None:
            return
        known = preview.values[np.isfinite(preview.values)]
        painter = self._painter()
        if not len(known):
            painter.setPen(QColor(tokens().muted))
            painter.drawText(QRectF(self.rect()), int(Qt.AlignmentFlag.AlignCenter), tr("All values are missing."))
        elif preview.response is not None:
            self._paint_cloud(painter, preview.values, preview.response)
        else:
            self._paint_groups(painter, float(known.min()), float(known.max()))
        painter.end()

    def _paint_groups(self, painter: QPainter, low: float, high: float) -> None:
        metrics = painter.fontMetrics()
        widest = max((metrics.horizontalAdvance(name) for name, _, _ in self.groups), default=0)
        left = min(widest + 4, self.width() // 3) + SPACE
        area = QRectF(left, 0, self.width() - left - 6, _GROUP * len(self.groups))
        boxes = sum(len(values) for _, values, _ in self.groups) > _MOST_POINTS
        scale = area.width() / ((high - low) or 1.0)
        for place, (name, values, colour) in enumerate(self.groups):
            middle = area.top() + (place + 0.5) * _GROUP
            painter.setPen(QColor(tokens().text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(left - SPACE))
            painter.drawText(QRectF(0, middle - 12, left - SPACE, 24), RIGHT, shown)
            if not len(values):
                continue
            x = area.left() + (values - low) * scale if high > low else np.full(len(values), area.center().x())
            (self._paint_box if boxes else self._paint_points)(painter, x, middle, QColor(colour))
        self._paint_ends(painter, area, low, high)

    def _paint_points(self, painter: QPainter, x: Floats, middle: float, colour: QColor) -> None:
        """Draw the points, overlapping ones side by side, and the median as a line."""
        heights = np.random.default_rng(0).uniform(-0.32, 0.32, len(x)) * _GROUP
        colour.setAlpha(220)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for a, b in zip(x.tolist(), heights.tolist(), strict=True):
            painter.drawEllipse(QPointF(a, middle + b), 2.5, 2.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens().text), 2))
        median = float(np.median(x))
        painter.drawLine(QPointF(median, middle - _GROUP * 0.4), QPointF(median, middle + _GROUP * 0.4))

    def _paint_box(self, painter: QPainter, x: Floats, middle: float, colour: QColor) -> None:
        first, lower, median, upper, last = box_of(x)
        painter.setPen(QPen(QColor(tokens().muted), 1))
        painter.drawLine(QPointF(first, middle), QPointF(lower, middle))
        painter.drawLine(QPointF(upper, middle), QPointF(last, middle))
        for outlier in np.unique(np.concatenate([x[x < first], x[x > last]]).round()).tolist():
            painter.drawEllipse(QPointF(outlier, middle), 1.5, 1.5)
        colour.setAlpha(150)
        painter.fillRect(QRectF(lower, middle - _GROUP * 0.32, max(1.0, upper - lower), _GROUP * 0.64), colour)
        painter.setPen(QPen(QColor(tokens().text), 2))
        painter.drawLine(QPointF(median, middle - _GROUP * 0.36), QPointF(median, middle + _GROUP * 0.36))

    def _paint_ends(self, painter: QPainter, area: QRectF, low: float, high: float) -> None:
        painter.setPen(QColor(tokens().muted))
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
        painter.setPen(QColor(tokens().muted))
        for text, at in zip(texts, (area.top() + 4, area.bottom() - 4), strict=True):
            painter.drawText(QRectF(0, at - 10, left - SPACE, 20), RIGHT, text)
        across = area.left() + (x - low) / ((high - low) or 1.0) * area.width()
        up = area.bottom() - (y - bottom) / ((top - bottom) or 1.0) * area.height()
        colour = QColor(tokens().line_average)
        colour.setAlpha(140)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for a, b in zip(across.tolist(), up.tolist(), strict=True):
            painter.drawEllipse(QPointF(a, b), 2.5, 2.5)
        self._paint_ends(painter, area, low, high)


def _values_by_class(preview: FeaturePreview) -> list[tuple[str, Floats, str]]:
    """Name, known values and color of each class."""
    sizes = np.bincount(preview.groups, minlength=len(preview.classes))
    shown: Sequence[int] = range(len(preview.classes))
    if len(preview.classes) > _MOST_GROUPED:
        shown = sorted(np.argsort(-sizes, kind="stable")[: _MOST_GROUPED - 1].tolist())
    known = np.isfinite(preview.values)
    made = [
        (preview.classes[code], preview.values[known & (preview.groups == code)], class_colour(code)) for code in shown
    ]
    if len(shown) < len(preview.classes):
        others = known & ~np.isin(preview.groups, np.array(shown))
        made.append((tr("others"), preview.values[others], CLASS_COLOURS[-1]))
    return made
