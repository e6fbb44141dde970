"""Heatmaps with named columns, such as how often each run selects each feature."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.plots.heatmap import Cells, Heatmap, colour_table
from fsdesk.app.session.run import Run
from fsdesk.app.style import tokens
from fsdesk.app.tables import RIGHT
from fsdesk.app.widgets import ContentStack, Segments, column, label, named, row
from fsdesk.messages import number, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.stability import stability
from fsdesk.wrappers import WRAPPERS

_TALLEST_NAMES, _LEAST_NAMES, _NAMES_SHARE = 160, 48, 0.45  # pixels for names below, and their fraction of the height
_SIDEWAYS = 84
_WIDEST_COLUMN = 160.0  # pixels: a single run must not fill a wide window with one color


class MatrixView(Heatmap):
    """Bytes with names of rows and columns; ``column_picked`` if columns can be selected, else ``picked``.

    ``short_names`` of the columns, if any, are used while there is no room for the names.
    """

    column_picked = Signal(int)
    least_across = 2.0
    elide = Qt.TextElideMode.ElideMiddle  # for names that are too long

    def __init__(self, name: str, spoken: str, *, by_column: bool = False) -> None:
        super().__init__(name, spoken)
        self.by_column = by_column
        self.bytes: Cells = np.empty((0, 0), dtype=np.uint8)
        self.row_names: tuple[str, ...] = ()
        self.column_names: tuple[str, ...] = ()
        self.short_names: tuple[str, ...] = ()
        self._short = False
        self.marked_columns: tuple[int, ...] = ()
        self.stretched.connect(self._stretch)
        self.reset.connect(lambda: self._stretch(*self.ends()))

    def show_matrix(self, cells: Cells, rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
        """Show another matrix of (rows, columns) bytes."""
        self.bytes, self.row_names, self.column_names = cells, rows, columns
        self.forget()
        self.marked_columns = ()
        self.frame = replace(self.frame, left=0.0, right=float(max(1, len(columns))))
        self.arrange()

    def _stretch(self, left: float, right: float) -> None:
        self.frame = replace(self.frame, left=left, right=right)
        self.arrange()

    def mark_columns(self, columns: tuple[int, ...]) -> None:
        """Mark some columns, and scroll to the first of them."""
        self.marked_columns = columns
        frame = self.frame
        if columns and not frame.left <= columns[0] < frame.right:
            wide = frame.right - frame.left
            self.frame = frame.across_from(columns[0] + 0.5 - wide / 2, wide)
        self.update()

    def count(self) -> int:
        """The number of rows."""
        return len(self.bytes)

    def ends(self) -> tuple[float, float]:
        """The first and the last column."""
        return 0.0, float(max(1, self.bytes.shape[1]))

    def widest(self) -> float:
        return float(_WIDEST_COLUMN * max(1, self.bytes.shape[1]))

    def row_name(self, row: int) -> str:
        """The name of the row, as given."""
        return self.row_names[row]

    def column_at(self, across: float) -> int:
        """The column at a horizontal position."""
        return int(np.clip(across, 0, max(0, self.bytes.shape[1] - 1)))

    def cells(self, first: int, last: int, block: int, places: NDArray[np.float64]) -> Cells:
        """The bytes; rows that share a pixel are averaged."""
        some = self.bytes[first : min(last, len(self.bytes))]
        if block > 1:
            edges = np.arange(0, len(some), block)
            sizes = np.diff(np.append(edges, len(some)))[:, None]
            some = (np.add.reduceat(some, edges, axis=0, dtype=np.int64) // sizes).astype(np.uint8)
        return some[:, np.clip(places.astype(np.intp), 0, self.bytes.shape[1] - 1)]

    @property
    def names_room(self) -> int:
        """Pixels available for names of columns."""
        return int(_NAMES_SHARE * self.height())

    @property
    def sideways(self) -> bool:
        """Whether the names of the columns have more room if rotated."""
        frame = self.frame
        flat = frame.area.width() / max(1.0, frame.right - frame.left)
        return not self._short and flat < min(_SIDEWAYS, self.names_room)

    @property
    def named_columns(self) -> bool:
        """Whether columns are wide enough for their names."""
        frame = self.frame
        return frame.area.width() / max(1.0, frame.right - frame.left) >= self.line_height - 1

    def edges(self) -> tuple[float, float, float]:
        """Room for the names of the columns below the cells."""
        above, below, beside = super().edges()
        self._short = False
        if self.named_columns and self.sideways:
            metrics = self.fontMetrics()
            longest = max(map(metrics.horizontalAdvance, self.column_names), default=0)
            self._short = bool(self.short_names) and self.names_room < min(_LEAST_NAMES, longest + 8)
            if not self._short:
                below = float(min(_TALLEST_NAMES, longest + 8, self.names_room))
        return above, below, beside

    def step_across(self) -> float:
        """One column at a time."""
        return 1.0

    def middle(self) -> float:
        """The marked column, or the first visible one."""
        if self.marked_columns:
            return self.marked_columns[0] + 0.5
        return float(int(self.frame.left)) + 0.5

    def pick_at(self, row: int, across: float) -> None:
        """Select the row, or the column."""
        if self.by_column:
            self.column_picked.emit(self.column_at(across))
        else:
            super().pick_at(row, across)

    def move_across(self, row: int, across: float) -> None:
        """Go to the center of the next column."""
        place = self.column_at(across) + 0.5
        if not self.frame.left <= place <= self.frame.right:
            wide = self.frame.right - self.frame.left
            self.frame = self.frame.across_from(place - wide / 2, wide)
        super().move_across(row, place)
        if self.by_column:
            self.column_picked.emit(self.column_at(place))

    def paint_across(self, painter: QPainter) -> None:
        """Names of the columns, rotated if necessary."""
        frame = self.frame
        if not self.named_columns:
            return
        metrics = painter.fontMetrics()
        wide, room = frame.area.width() / (frame.right - frame.left), self.height() - frame.area.bottom() - 6
        for place in range(int(frame.left), min(len(self.column_names), int(np.ceil(frame.right)))):
            middle = frame.x_of(place + 0.5)
            if not frame.area.left() <= middle <= frame.area.right():
                continue
            painter.setPen(QColor(tokens().text if place in self.marked_columns else tokens().muted))
            name = (self.short_names if self._short else self.column_names)[place]
            if not self.sideways:
                text = metrics.elidedText(name, self.elide, int(wide) - SPACE // 2)
                box = QRectF(middle - wide / 2, frame.area.bottom() + 4, wide, room)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), text)
                continue
            painter.save()
            painter.translate(middle, frame.area.bottom() + 4)
            painter.rotate(-90)
            text = metrics.elidedText(name, self.elide, int(room))
            painter.drawText(QRectF(-room, -10, room, 20), RIGHT, text)
            painter.restore()

    def paint_around(self, painter: QPainter) -> None:
        """A frame around the marked columns."""
        painter.setPen(QPen(QColor(tokens().line_best), 1.5))
        for place in self.marked_columns:
            painter.save()
            painter.setClipRect(self.frame.area.adjusted(-1, -1, 1, 1))
            left, right = self.frame.x_of(place), self.frame.x_of(place + 1)
            painter.drawRect(QRectF(left, self.frame.area.top(), max(3.0, right - left), self.frame.area.height() - 1))
            painter.restore()

    def paint_line(self, painter: QPainter, points: list[QPointF]) -> None:
        """A thin line through points, such as a branch of a dendrogram."""
        painter.setPen(QPen(QColor(tokens().muted), 1))
        painter.drawPolyline(points)


class RunsCanvas(MatrixView):
    """Rows: features selected by any run; columns: runs."""

    elide = Qt.TextElideMode.ElideRight  # number and method are more informative than the seed

    def __init__(self, name: str = "runsHeatmap") -> None:
        super().__init__(name, tr("Features by run"))
        self.shares: NDArray[np.float64] = np.empty((0, 0))
        self.explain(tr("One row per feature selected by any run, one column per run."))

    def show_shares(self, shares: NDArray[np.float64], rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
        """Show (rows, columns) fractions from 0 to 1."""
        self.shares, self.short_names = shares, tuple(name.partition(":")[0] for name in columns)
        self.show_matrix((shares * 255).round().astype(np.uint8), rows, columns)

    def table(self, cells: Cells) -> list[int]:
        """The colors, from dark for never to bright for always."""
        return colour_table("weight")

    def words(self, row: int, across: float) -> str:
        """Feature, run and fraction."""
        if not self.shares.size:
            return ""
        at = self.column_at(across)
        share = number(100 * self.shares[row, at], ".0f") + " %"
        name, run = self.row_names[row], self.column_names[at]
        return tr("{name} · {run} · in {share}", name=name, run=run, share=share)


class FrequencyMap(QWidget):
    """The map with its sentence about stability. ``feature_picked`` and ``feature_pointed`` send names.

    ``captioned`` is emitted when the caption has changed.
    """

    feature_picked = Signal(str)
    feature_pointed = Signal(str)
    captioned = Signal()

    def __init__(self, name: str = "runsHeatmap") -> None:
        super().__init__()
        self.caption = ""
        self.runs: list[Run] = []
        self._key: object = None
        self._others = 0
        self.what = Segments(f"{name}_what", {"answer": tr("Results"), "search": tr("Whole search")})
        self.what.buttons["answer"].setToolTip(tr("Whether each feature is in the subset found by a run"))
        self.what.buttons["search"].setToolTip(tr("The share of all subsets tested by a run that contain the feature"))
        self.what.chosen.connect(lambda _: self._show(anew=True))
        self.stability = label("", "muted", wrap=True)
        named(self.stability, f"{name}_stability", tr("Stability of the selection"))
        self.canvas = RunsCanvas(name)
        self.canvas.picked.connect(lambda at: self.feature_picked.emit(self.canvas.row_names[at]))
        self.canvas.pointed.connect(
            lambda at, _: self.feature_pointed.emit(self.canvas.row_names[at] if at >= 0 else "")
        )
        words = tr("Once a run has found a subset, its features are shown here alongside those of other runs.")
        self._stack = ContentStack(self.canvas, words=words)
        self.stability.setMinimumWidth(96)
        head = row(self.what, self.stability, grow=[self.stability])
        self.setLayout(column(head, self._stack, grow=[self._stack]))

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show runs of one data set; those without a subset yet, or with other features, are omitted."""
        with_best = [run for run in runs if run.state.best is not None]
        names = with_best[0].state.features if with_best else ()
        self.runs = [run for run in with_best if run.state.features == names]
        self._others = len(runs) - len(self.runs)
        self._show()

    def _show(self, *, anew: bool = False) -> None:
        search = self.what.key == "search"
        key = (
            search,
            self._others,
            [(run.id, run.state.evaluations if search else id(run.state.best)) for run in self.runs],
        )
        if key == self._key and not anew:
            return
        self._key = key
        self._stack.setCurrentIndex(0 if self.runs else 1)
        masks = np.array([run.state.best.mask for run in self.runs if run.state.best is not None], dtype=np.bool_)
        if not len(masks):
            self.caption = ""
            self.stability.setText("")
            self.canvas.show_shares(np.empty((0, 0)), (), ())
            self.captioned.emit()
            return
        frequencies = [run.state.frequency for run in self.runs]
        shares = masks.astype(np.float64)
        if search:
            shares = np.array([own if own is not None else mask for own, mask in zip(frequencies, shares, strict=True)])
        self._arrange(masks, shares)
        words = stability_words(masks)
        if self._others:
            words += " " + tr("Not shown: {count} without a subset or on other data.", count=self._others)
        self.stability.setText(words)
        self.captioned.emit()

    def _arrange(self, masks: NDArray[np.bool_], shares: NDArray[np.float64]) -> None:
        """Arrange the features selected by most runs at the top."""
        any_run = np.flatnonzero(masks.any(axis=0))
        order = np.lexsort((any_run, -shares[:, any_run].mean(axis=0), -masks[:, any_run].mean(axis=0)))
        rows, names = any_run[order], self.runs[0].state.features
        top, high, marked = self.canvas.frame.top, self.canvas.frame.high, self.canvas.marked
        marked_name = self.canvas.row_names[marked] if 0 <= marked < len(self.canvas.row_names) else ""
        self.canvas.show_shares(shares[:, rows].T, tuple(names[at] for at in rows), _titles(self.runs))
        if high == self.canvas.frame.high:
            self.canvas.frame = self.canvas.frame.scrolled_to(top)
        self.show_feature(marked_name, scroll=False)
        of_one = tr("{some} features selected by the run", some=number(len(rows)))
        of_many = tr("{some} features selected by any of {count} runs", some=number(len(rows)), count=len(masks))
        self.caption = of_one if len(masks) == 1 else of_many

    def show_feature(self, name: str, *, scroll: bool = True) -> None:
        """Mark a feature, if any run selected it."""
        names = self.canvas.row_names
        at = names.index(name) if name and name in names else -1
        self.canvas.mark(at)
        if at >= 0 and scroll:
            self.canvas.show_row(at)


def stability_words(masks: NDArray[np.bool_]) -> str:
    """The similarity of (runs, p) masks, in a sentence."""
    if len(masks) < 2:
        return tr("Agreement is shown once two runs on these data have found a subset.")
    found = stability(masks)
    if found is None:
        return tr("Agreement is undefined: every run selects all features.")
    return tr(
        "Agreement of {count} runs on the same rows: {index}. 1: always the same features; 0: agreement expected by "
        "chance.",
        index=number(found.index, ".2f"), count=found.masks,
    )  # fmt: skip


def _titles(runs: Sequence[Run]) -> tuple[str, ...]:
    """The shortest text that distinguishes the runs: column names have little room."""
    methods, models = {run.spec.method for run in runs}, {run.spec.wrapper for run in runs}
    alike = Counter((run.spec.method, run.spec.wrapper) for run in runs)
    made = []
    for run in runs:
        parts = [translated(METHODS[run.spec.method].brief)] if len(methods) > 1 else []
        parts += [translated(WRAPPERS[run.spec.wrapper].title)] if len(models) > 1 else []
        if alike[run.spec.method, run.spec.wrapper] > 1 or not parts:
            parts.append(tr("seed {seed}", seed=run.spec.seed))
        made.append(f"{run.id}: {', '.join(parts)}")
    return tuple(made)
