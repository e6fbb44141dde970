"""The selected features in the rows of the data, clustered."""

import time

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from fsdesk.app.palette import LIGHT, SPACE
from fsdesk.app.plots.heatmap import Cells, colour_table
from fsdesk.app.plots.matrix_map import MatrixView
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.style import tokens
from fsdesk.app.tables import RIGHT
from fsdesk.app.widgets import ContentStack, column
from fsdesk.data import Dataset
from fsdesk.data.class_colours import class_colour
from fsdesk.engine import RunState
from fsdesk.messages import mark, number, tr, translated
from fsdesk.results.feature_map import REACH, FeatureMap, Tree
from fsdesk.results.tasks import feature_map_task

_TREE, _STRIP, _GAP = 40.0, 10.0, 3.0
_PAUSE_SECONDS = 5.0
_Key = tuple[int, bytes]
_NOT_YET = mark("Once the search has found some features, they are drawn here across the rows of your table.")


class DataCanvas(MatrixView):
    """Rows of the data by class, columns the selected features, z-scores, dendrograms, and a strip for the class."""

    def __init__(self) -> None:
        super().__init__("dataHeatmap", tr("Selected features across the rows of the data"), by_column=True)
        self.map: FeatureMap | None = None
        self.dataset: Dataset | None = None
        self.explain(tr("Rows of the table by class; similar selected features are placed side by side."))

    def show_map(self, made: FeatureMap, dataset: Dataset) -> None:
        """Show another map."""
        self.map, self.dataset = made, dataset
        cells = np.clip((made.z + REACH) / (2 * REACH) * 255, 0, 255).round().astype(np.uint8)
        self.all_rows = True
        self.show_matrix(cells, tuple(dataset.rows[row] for row in made.rows), made.names)

    def clear(self) -> None:
        """Show nothing, and release the data."""
        if self.map is not None:
            self.map, self.dataset = None, None
            self.show_matrix(np.empty((0, 0), dtype=np.uint8), (), ())

    def table(self, cells: Cells) -> list[int]:
        """Blue below the mean, red above."""
        return colour_table("z")

    @property
    def cross_colour(self) -> str:
        """The color of the crosshair: cells near the mean are white in every theme."""
        return LIGHT.text

    def edges(self) -> tuple[float, float, float]:
        """Space for the dendrograms and the strip."""
        _, below, _ = super().edges()
        return _TREE, below, _TREE + _STRIP + 2 * _GAP

    def words(self, row: int, across: float) -> str:
        """Row, feature, value, class."""
        if self.map is None or self.dataset is None or not 0 <= row < len(self.map.rows):
            return ""
        at, source = self.column_at(across), int(self.map.rows[row])
        feature = int(self.map.features[at])
        value = float(self.dataset.x[source, feature])
        levels = self.dataset.categories.get(feature)
        said = tr("missing") if np.isnan(value) else levels[int(value)] if levels else number(value, ".4g")
        parts = (self.row_names[row], f"{self.dataset.features[feature]} = {said}", self._target(source),
                 tr("{z} s.d.", z=number(self.map.z[row, at], "+.1f")))  # fmt: skip
        return " · ".join(parts)

    def _target(self, source: int) -> str:
        assert self.dataset is not None
        if self.dataset.event:
            state = tr("event") if self.dataset.target[source] else tr("censored")
            return f"{self.dataset.target_name} {number(self.dataset.times[source], '.4g')} ({state})"
        if self.dataset.response is not None:
            return f"{self.dataset.target_name} {number(self.dataset.response[source], '.4g')}"
        return self.dataset.classes[int(self.dataset.target[source])]

    def gutter(self) -> tuple[str, ...]:
        """Names of the classes, unless rows have their own."""
        if self.named_rows or self.dataset is None:
            return super().gutter()
        return self.dataset.classes or (self.dataset.target_name,)

    def paint_names(self, painter: QPainter) -> None:
        """Row IDs if there is room, otherwise class names beside their rows."""
        if self.named_rows or self.map is None or self.dataset is None:
            super().paint_names(painter)
            return
        dataset, area = self.dataset, self.frame.area
        names = dataset.classes or (dataset.target_name,)
        start, metrics = 0, painter.fontMetrics()
        width = area.left() - SPACE / 2 - self.edges()[2]
        lowest = -1e9
        painter.setPen(QColor(tokens().text))
        for name, size in zip(names, self.map.blocks, strict=True):
            top, bottom = self.frame.y_of(start), self.frame.y_of(start + size)
            middle = (max(top, area.top()) + min(bottom, area.bottom())) / 2
            start += size
            if bottom < area.top() or top > area.bottom() or middle - lowest < metrics.height() - 2:
                continue
            lowest = middle
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(width))
            painter.drawText(QRectF(0, middle - 12, width, 24), RIGHT, text)

    def paint_around(self, painter: QPainter) -> None:
        """Strip, lines between classes, dendrograms."""
        super().paint_around(painter)
        if self.map is None or self.dataset is None:
            return
        self._paint_strip(painter)
        area, frame = self.frame.area, self.frame
        painter.save()
        painter.setClipRect(QRectF(area.left(), 0, area.width(), area.top()))
        self._paint_tree(painter, self.map.column_tree, 0, self.map.column_tree.height, upright=True)
        painter.setClipRect(QRectF(0, area.top(), area.left(), area.height()))
        tallest, start = max((tree.height for tree in self.map.row_trees), default=1.0), 0
        for tree, size in zip(self.map.row_trees, self.map.blocks, strict=False):
            self._paint_tree(painter, tree, start, tallest, upright=False)
            start += size
            y = frame.y_of(start)
            if start < frame.rows and area.top() < y < area.bottom():
                painter.setClipRect(self.rect())
                painter.setPen(QPen(QColor(tokens().surface), 2))
                painter.drawLine(QPointF(area.left() - _STRIP - _GAP, y), QPointF(area.right(), y))
                painter.setClipRect(QRectF(0, area.top(), area.left(), area.height()))
        painter.restore()

    def _paint_strip(self, painter: QPainter) -> None:
        assert self.map is not None
        assert self.dataset is not None
        frame, left = self.frame, self.frame.area.left() - _STRIP - _GAP
        painter.save()
        painter.setClipRect(QRectF(0, frame.area.top(), self.width(), frame.area.height()))
        if self.dataset.numbers is None:
            start = 0
            for code, size in enumerate(self.map.blocks):
                box = QRectF(left, frame.y_of(start), _STRIP, size * frame.high)
                painter.fillRect(box, QColor(class_colour(code)))
                start += size
        else:
            values = self.dataset.numbers[self.map.rows]
            low, high = float(values.min()), float(values.max())
            table = colour_table("weight")
            for row in range(*frame.span):
                shade = round(255 * (float(values[row]) - low) / ((high - low) or 1.0))
                painter.fillRect(QRectF(left, frame.y_of(row), _STRIP, frame.high + 0.5), QColor(table[shade]))
        painter.restore()

    def _paint_tree(self, painter: QPainter, tree: Tree, start: int, tallest: float, *, upright: bool) -> None:
        frame, scale = self.frame, (_TREE - 6) / (tallest or 1.0)
        foot = frame.area.top() - 2 if upright else frame.area.left() - _STRIP - 2 * _GAP
        first, last = (frame.left, frame.right) if upright else frame.span
        unit = frame.area.width() / (frame.right - frame.left) if upright else frame.high
        for places, heights in zip(tree.places + start + 0.5, tree.heights, strict=True):
            if places[2] < first or places[0] > last or (places[2] - places[0]) * unit < 1.5:
                continue  # out of view, or too small to be more than a smudge
            if upright:
                points = [QPointF(frame.x_of(at), foot - up * scale) for at, up in zip(places, heights, strict=True)]
            else:
                points = [QPointF(foot - up * scale, frame.y_of(at)) for at, up in zip(places, heights, strict=True)]
            self.paint_line(painter, points)


def weights_of(state: RunState) -> NDArray[np.float64]:
    """(p,) sort key of the features: weights of the result, else how often each was tried, else the result."""
    assert state.best is not None
    weights = state.best.weights if state.best.weights is not None else state.frequency
    return state.best.mask.astype(np.float64) if weights is None else weights


class DataMapView(QWidget):
    """Shows the map of the current run, created by a worker; ``captioned`` is emitted when the caption changes."""

    feature_picked = Signal(str)
    feature_pointed = Signal(str)
    captioned = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.caption = ""
        self._key: _Key | None = None
        self._wanted: _Key | None = None
        self._due = 0.0
        self.canvas = DataCanvas()
        self.canvas.column_picked.connect(lambda at: self.feature_picked.emit(self._name(at)))
        self.canvas.pointed.connect(self._on_pointed)
        self._stack = ContentStack(self.canvas)
        self._stack.say(tr(_NOT_YET))
        self.setLayout(column(self._stack))

    def _name(self, at: int) -> str:
        dataset, made = self.canvas.dataset, self.canvas.map
        return "" if dataset is None or made is None else dataset.features[int(made.features[at])]

    def _on_pointed(self, row: int, across: float) -> None:
        self.feature_pointed.emit(self._name(self.canvas.column_at(across)) if row >= 0 else "")

    def show_run(self, run: Run | None) -> None:
        """Show the current result of a run, updated at most every few seconds while it changes."""
        best = None if run is None else run.state.best
        if run is None or best is None:
            self._key = None
            self.canvas.clear()
            self._stack.say(tr(_NOT_YET))
            self._set_caption("")
            return
        key = (run.id, np.packbits(best.mask).tobytes())
        other = self._key is None or self._key[0] != run.id
        if key in (self._key, self._wanted) or (not other and run.active and time.monotonic() < self._due):
            return
        self._wanted, self._due = key, time.monotonic() + _PAUSE_SECONDS
        if other:
            self._stack.say(tr("Clustering the selected features …"))
        work = self._make(run, key, best.mask.copy(), weights_of(run.state))
        self._session.tasks.begin(work, tr("drawing the selected features"), quietly=True)

    async def _make(self, run: Run, key: _Key, mask: NDArray[np.bool_], weights: NDArray[np.float64]) -> None:
        session = self._session
        try:
            if session.project is None:
                return
            shared = await session.loader.shared_dataset(session.project, run.spec.data_fingerprint)
            made = await session.tasks.in_worker(feature_map_task, shared, mask, weights)
            dataset = await session.tasks.in_thread(shared.open)
        except BaseException:
            if self._wanted == key:
                self._stack.say(tr("Drawing the selected features failed."))
            raise
        finally:
            if self._wanted == key:
                self._wanted = None
        if self._wanted is not None and self._wanted[0] != run.id:
            return  # another run is shown by now
        self._key = key
        self.canvas.show_map(made, dataset)
        self._stack.setCurrentWidget(self.canvas)
        rows = tr(
            "{rows} rows, {features} selected features", rows=number(len(dataset.rows)), features=number(mask.sum())
        )
        self._set_caption(f"{rows}; {translated(made.left_out)}" if made.left_out else rows)

    def _set_caption(self, caption: str) -> None:
        if caption != self.caption:
            self.caption = caption
            self.captioned.emit()

    def show_feature(self, name: str) -> None:
        """Mark the columns of a feature, if it is selected."""
        dataset, made = self.canvas.dataset, self.canvas.map
        if dataset is None or made is None:
            return
        columns = tuple(at for at, owner in enumerate(made.features.tolist()) if dataset.features[owner] == name)
        self.canvas.mark_columns(columns)
