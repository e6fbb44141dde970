"""The features of the best subset so far, and details of the selected one: weights, values and correlations."""

from contextlib import nullcontext
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from fsdesk.app.palette import SPACE
from fsdesk.app.plots.axes import ink
from fsdesk.app.plots.column_plots import ColumnPicture, Stacks, TraceLine, ValuesView
from fsdesk.app.plots.error_plot import ErrorPlot
from fsdesk.app.plots.heatmap_card import HeatmapCard
from fsdesk.app.result_page.answer_table import FeaturesModel
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.tables import Index, chosen_rows, kept_rows, offer_sorting, row_list
from fsdesk.app.widgets import (
    Card,
    ElidedLabel,
    Segments,
    add_command,
    button,
    column,
    label,
    named,
    panel,
    row,
    scrolled,
    search_field,
)
from fsdesk.data import Dataset
from fsdesk.engine import RunState
from fsdesk.messages import number, tr
from fsdesk.results.features import FeaturePreview, preview_feature

_MOST_HELD = 20


class FeaturesCard(Card):
    """The features of the best subset so far, with a search and a copy button."""

    def __init__(self) -> None:
        super().__init__(tr("Selected features"))
        self.setObjectName("featuresCard")
        self.count = label("", "caption")
        self.copy = button(tr("Copy"), "copyFeatures", "link", tr("Copy the names of the selected features"))
        self.copy.setToolTip(tr("Copy the names, one per line (Ctrl+Shift+C)"))
        self.copy.clicked.connect(self.copy_names)
        self.head.insertWidget(1, self.count)
        self.head.addWidget(self.copy)
        self.model = FeaturesModel(brief=True)
        self.search = search_field("findFeature", tr("Find a feature"), tr("Find a selected feature"))
        self.search.textChanged.connect(self._find)
        none = tr("No matching features.")
        self.view = row_list("features", tr("Selected features"), self.model, 80, 92, none=none)
        self.view.verticalHeader().setDefaultSectionSize(26)
        self.view.setSortingEnabled(True)
        self.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        add_command(self.view, tr("Copy rows"), self._copy_rows, QKeySequence.StandardKey.Copy)
        offer_sorting(self.view)
        self.held = label("", "caption")
        named(self.held, "heldFeatures", tr("Features changed while running"))
        content = panel(column(self.held, self.search, self.view))
        self.add_content(content, tr("The best features so far are listed here, ready to copy or export."))
        self.show_state(None)

    def show_state(self, state: RunState | None) -> None:
        """Show the current best mask of a state."""
        mask = None if state is None or state.best is None else state.best.mask
        with kept_rows(self.view, self.names) if self.view.currentIndex().isValid() else nullcontext():
            self.model.show(state, mask)
        self.view.setColumnHidden(1, not self.model.weighs)
        self.set_empty(state is None or state.best is None)
        total = len(state.features) if state is not None else 0
        text = tr("{chosen} of {total}", chosen=number(self.model.total), total=number(total))
        if state is not None and (state.pinned or state.banned):
            pinned, banned = number(len(state.pinned)), number(len(state.banned))
            self.held.setText(tr("{pinned} included, {banned} excluded", pinned=pinned, banned=banned))
            held = [*(tr("{name}: always in", name=name) for name in sorted(state.pinned)[:_MOST_HELD]),
                    *(tr("{name}: never in", name=name) for name in sorted(state.banned)[:_MOST_HELD])]  # fmt: skip
            self.held.setToolTip("\n".join(held))
        self.held.setVisible(state is not None and bool(state.pinned or state.banned))
        self.count.setText(text if self.model.total else "")
        self.copy.setEnabled(self.model.total > 0)

    def _find(self, text: str) -> None:
        with kept_rows(self.view, self.names):
            self.model.find(text)
        self.view.scrollTo(self.view.currentIndex())

    def names(self) -> list[str]:
        """The names shown, in display order."""
        return self.model.names

    def copy_names(self) -> None:
        """Copy the names to the clipboard, one per line."""
        QGuiApplication.clipboard().setText("\n".join(self.names()))

    def _copy_rows(self) -> None:
        QGuiApplication.clipboard().setText(self.model.lines(chosen_rows(self.view), titled=False))


_HOVER_MS = 150
_MOST_LEVELS, _MOST_CLASSES = 5, 4
_BAR = 96
_BESIDE_NAME = 72  # pixels of the margins and of the widgets beside the name


class _Bars(QStyledItemDelegate):
    """A name, and a bar to the left for a negative and to the right for a positive correlation."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, option.fontMetrics.height() + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = QRectF(option.rect)
        name, value = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(tokens().accent_soft))
        room = option.fontMetrics.horizontalAdvance("−0.00") + SPACE
        bar = QRectF(area.right() - room - _BAR, area.top() + 6, _BAR, area.height() - 12)
        text = option.fontMetrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(bar.left() - area.left()) - SPACE)
        painter.setPen(QColor(tokens().text))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(4, 0, 0, 0), int(Qt.AlignmentFlag.AlignLeft | middle), text)
        said = number(value, ".2f")
        painter.drawText(area.adjusted(0, 0, -4, 0), int(Qt.AlignmentFlag.AlignRight | middle), said)
        zero = bar.center().x()
        painter.fillRect(QRectF(zero - 0.5, bar.top() - 3, 1, bar.height() + 6), QColor(tokens().control))
        wide = value * bar.width() / 2
        colour = QColor(tokens().line_average if value >= 0 else tokens().line_best)
        painter.fillRect(QRectF(min(zero, zero + wide), bar.top(), abs(wide), bar.height()), colour)
        painter.restore()


class FeatureInspector(Card):
    """``feature_picked`` sends a feature from the list of the most similar ones."""

    feature_picked = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(tr("Feature"))
        self.setObjectName("inspectorCard")
        self._session = session
        self.run: Run | None = None
        self.picked, self.name = "", ""
        self.shown: FeaturePreview | None = None
        self._dataset: tuple[str, Dataset] | None = None
        self._hovered = ""
        self._hover = QTimer(self, singleShot=True, interval=_HOVER_MS)
        self._hover.timeout.connect(lambda: self._show(self._hovered or self.picked))
        self.facts = ElidedLabel("caption")
        named(self.facts, "featureFacts", tr("Weight, frequency and whether the feature is selected"))
        self.trace, self.values, self.levels = TraceLine(), ValuesView(), Stacks("featureBars")
        self.trace_title = label(tr("Weight over the iterations"), "overline")
        self.values_title = label("", "overline")
        self.alike_title = label(tr("Most similar selected features (correlation)"), "overline", wrap=True)
        self.alike = QListWidget()
        named(self.alike, "alikeFeatures", tr("Selected features most correlated with this one"))
        self.alike.setItemDelegate(_Bars(self.alike))
        self.alike.setToolTip(tr("Click, or press Enter, to view one of them."))
        self.alike.itemActivated.connect(self._pick)
        self.alike.itemClicked.connect(self._pick)
        self.alike.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note = label("", "caption", wrap=True)
        inner = panel(column(
            self.facts, self.trace_title, self.trace, self.values_title, self.values, self.levels, self.alike_title,
            self.alike, self.note, None, spacing=6,
        ))  # fmt: skip
        self.add_content(scrolled(inner), tr("Click a feature in a heatmap or in the list to see its details here."))
        self.set_empty(True)

    def show_run(self, run: Run | None) -> None:
        """Show the features of another run."""
        if run is None:
            self._dataset = None
        if run is not self.run:
            same = run is not None and self.run is not None and run.state.features == self.run.state.features
            self.run = run
            self._show(self.picked if same else "")
            self.picked = self.picked if same else ""

    def pick(self, name: str) -> None:
        """Show a feature permanently."""
        self._hover.stop()
        self.picked, self._hovered = name, ""
        self._show(name)

    def preview(self, name: str) -> None:
        """Show a feature while it is pointed at; "" returns to the selected one."""
        self._hovered = name
        if self.isVisible():
            self._hover.start()

    def refresh(self) -> None:
        """Show its current weight."""
        state = None if self.run is None else self.run.state
        if state is None or not self.name or self.name not in state.features:
            return
        place = state.features.index(self.name)
        self.facts.setText(facts_of(state, place))
        if state.heatmap.size:
            self.trace_title.setText(tr("Weight over the iterations"))
            self.trace.show_trace(state.heatmap.iterations.astype(np.float64), state.heatmap.view[:, place] / 255)
        else:
            self.trace_title.setText(tr("In (1) or out (0) over the iterations"))
            bits = np.empty(0)  # no step yet, or none read yet
            if state.selection.size:
                bits = (state.selection.view[:, place >> 3] >> (7 - (place & 7)) & 1).astype(np.float64)
            self.trace.show_trace(state.selection.iterations.astype(np.float64), bits)

    def _show(self, name: str) -> None:
        if name != self.name or not name:
            self.name = name
            self.set_empty(not name)
            self._show_name()
            if name and self.run is not None:
                work = self._load(self.run, name)
                self._session.tasks.begin(work, tr("examining the feature"), quietly=True)
        self.refresh()

    def _show_name(self) -> None:
        """The name as a heading, shortened to fit."""
        room = max(160, self.width() - _BESIDE_NAME)
        self.heading.setText(
            self.fontMetrics().elidedText(self.name, Qt.TextElideMode.ElideMiddle, room) or tr("Feature")
        )
        self.heading.setToolTip(self.name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_name()

    async def _load(self, run: Run, name: str) -> None:
        session, wanted = self._session, run.spec.data_fingerprint
        if session.project is None:
            return
        if self._dataset is None or self._dataset[0] != wanted:
            shared = await session.loader.shared_dataset(session.project, wanted)
            self._dataset = (wanted, await session.tasks.in_thread(shared.open))
        dataset, best = self._dataset[1], run.state.best
        mask = np.zeros(len(dataset.features), dtype=np.bool_) if best is None else best.mask
        preview = await session.tasks.in_thread(preview_feature, dataset, name, mask)
        if name == self.name and run is self.run:
            self._show_summary(preview)

    def _show_summary(self, preview: FeaturePreview) -> None:
        self.shown = preview
        self.values.setVisible(not preview.levels)
        self.levels.setVisible(bool(preview.levels))
        if preview.response is not None and not preview.levels:
            self.values_title.setText(
                tr("Its values (horizontal) against {target} (vertical)", target=preview.target_name)
            )
        else:
            self.values_title.setText(tr("Values by {target}", target=preview.target_name))
        if preview.levels:
            self.levels.show_picture(_counted(preview))
        else:
            self.values.show_preview(preview)
        self.alike.clear()
        for name, value in preview.alike:
            item = QListWidgetItem(tr("{name}: correlation {value}", name=name, value=number(value, ".2f")))
            item.setData(Qt.ItemDataRole.UserRole, (name, value))
            item.setToolTip(f"{name}: {number(value, '.3f')}")
            self.alike.addItem(item)
        row = max(20, self.alike.sizeHintForRow(0)) if preview.alike else 0
        self.alike.setFixedHeight(row * len(preview.alike) + 6)
        self.alike.setVisible(bool(preview.alike))
        self.note.setText(_alike_note(preview))
        self.note.setVisible(bool(self.note.text()))

    def _pick(self, item: QListWidgetItem) -> None:
        self.feature_picked.emit(item.data(Qt.ItemDataRole.UserRole)[0])


def facts_of(state: RunState, place: int) -> str:
    """Whether a feature is selected, its weight, and its selection frequency."""
    parts = []
    if state.best is not None:
        parts.append(tr("selected") if state.best.mask[place] else tr("not selected"))
    if state.weights is not None:
        parts.append(tr("weight {value}", value=number(state.weights[place] / 255, ".2f")))
    if state.frequency is not None:
        share = number(100 * state.frequency[place], ".0f") + " %"
        if state.race.folds:
            parts.append(tr("in {share} of the resamples", share=share))
        else:
            parts.append(tr("in {share} of the subsets tried", share=share))
    return " · ".join(parts)


def _alike_note(preview: FeaturePreview) -> str:
    if preview.levels:
        return tr("Correlations are not defined for categories.")
    if not preview.alike:
        return tr("No other numeric feature is selected.")
    if preview.left_out:
        return tr("{count} categorical selected features are not shown.", count=preview.left_out)
    return ""


def _counted(preview: FeaturePreview) -> ColumnPicture:
    """Rows of each class in each of the most frequent categories; for a numeric target all rows together."""
    known = np.isfinite(preview.values)
    codes = preview.values[known].astype(np.int64)
    shown = np.argsort(-np.bincount(codes, minlength=len(preview.levels)), kind="stable")[:_MOST_LEVELS]
    classes = preview.classes or ("",)
    largest = np.argsort(-np.bincount(preview.groups, minlength=len(classes)), kind="stable")
    own = np.sort(largest[:_MOST_CLASSES])
    groups = [preview.groups[known] == code for code in own]
    names = [classes[code] for code in own]
    shades = tuple(map(int, own)) if preview.classes else ()
    if len(own) < len(classes):
        shades += (-1,)
        groups.append(~np.isin(preview.groups[known], own))
        names.append(tr("other rows"))
    counts = np.array([[int((group & (codes == level)).sum()) for level in shown] for group in groups], dtype=np.int64)
    bars = tuple(preview.levels[level] for level in shown)
    return ColumnPicture(preview.name, "", counts, tuple(names), bars, codes=shades)


_BESIDE = 0.02  # fraction of its iterations that stays free, as beside the curve


class LinkedIterations(QObject):
    """The error curve and the heatmap show the same iterations, and share a crosshair.

    If curves of longer runs are overlaid, the heatmap shows only the iterations of its own.
    """

    def __init__(self, errors: ErrorPlot, heatmap: HeatmapCard) -> None:
        super().__init__(heatmap)
        self._errors, self._heatmap = errors, heatmap
        self.line: Any = pg.InfiniteLine(angle=90)
        self.line.hide()
        errors.plot.getPlotItem().addItem(self.line, ignoreBounds=True)
        errors.plot.getViewBox().sigXRangeChanged.connect(self._follow)
        errors.plot.scene().sigMouseMoved.connect(self._on_moved)
        heatmap.traces.arranged.connect(self._align)
        heatmap.stretched.connect(self._stretch)
        heatmap.reset.connect(self._reset)
        errors.crosshair.stepped.connect(self._on_stepped)
        heatmap.iteration_pointed.connect(self._point)
        on_theme(self._take_colours)

    def _to_iteration(self, place: float) -> float:
        """Convert a position on the axis, which may count measurements or time, to an iteration."""
        scale = self._errors.iterations()
        return place if scale is None or not len(scale[0]) else float(np.interp(place, *scale))

    def _from_iteration(self, iteration: float) -> float:
        scale = self._errors.iterations()
        return iteration if scale is None or not len(scale[0]) else float(np.interp(iteration, scale[1], scale[0]))

    def _align(self) -> None:
        self._follow(None, self._errors.plot.getViewBox().viewRange()[0])

    def _follow(self, _: object, ends: tuple[float, float]) -> None:
        left, right = (self._to_iteration(end) for end in ends)
        last = self._heatmap.traces.ends()[1]
        if left < last:
            left, right = max(left, -_BESIDE * last), min(right, (1 + _BESIDE) * last)
        if right > left:
            self._heatmap.show_range(left, right)

    def _stretch(self, left: float, right: float) -> None:
        self._errors.follow = False
        self._errors.plot.setXRange(self._from_iteration(left), self._from_iteration(right), padding=0)

    def _reset(self) -> None:
        self._errors.show_all()

    def _point(self, iteration: float | None) -> None:
        self.line.setVisible(iteration is not None)
        if iteration is not None:
            self.line.setPos(self._from_iteration(iteration))

    def _on_moved(self, place: QPointF) -> None:
        box = self._errors.plot.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        at = self._to_iteration(float(box.mapSceneToView(place).x())) if inside else None
        self._heatmap.traces.show_line(at)

    def _on_stepped(self, place: float | None) -> None:
        self._heatmap.traces.show_line(None if place is None else self._to_iteration(place))

    def _take_colours(self) -> None:
        self.line.setPen(ink(tokens().text, 1, 160, dashed=True))


class SidePanel(QWidget):
    """Selected features, or the selected one. ``feature_picked`` sends a name selected in either."""

    feature_picked = Signal(str)

    def __init__(self, features: FeaturesCard, inspector: FeatureInspector) -> None:
        super().__init__()
        self.features, self.inspector = features, inspector
        self.switch = Segments("sideView", {"list": tr("Selected"), "feature": tr("Feature")})
        self.switch.buttons["list"].setToolTip(tr("The features of the best subset so far"))
        self.switch.buttons["feature"].setToolTip(tr("The feature you clicked: weight, values, correlations"))
        self._stack = QStackedWidget()
        self._stack.addWidget(features)
        self._stack.addWidget(inspector)
        self.switch.chosen.connect(self._show)
        self.setLayout(column(row(self.switch, None), self._stack, grow=[self._stack]))
        features.view.activated.connect(lambda index: self._pick(index.row(), open_it=True))
        features.view.clicked.connect(lambda index: self._pick(index.row()))
        inspector.feature_picked.connect(self.feature_picked)

    def _show(self, key: str) -> None:
        self.switch.select(key)
        self._stack.setCurrentWidget(self.features if key == "list" else self.inspector)

    def _pick(self, row: int, *, open_it: bool = False) -> None:
        self.feature_picked.emit(str(self.features.model.index(row, 0).data()))
        if open_it:
            self._show("feature")

    def show_list(self) -> None:
        """Bring the list of selected features to the front."""
        self._show("list")

    def show_feature(self, name: str, *, open_it: bool) -> None:
        """Show the selected feature; ``open_it`` brings its panel to the front."""
        self.inspector.pick(name)
        self.switch.buttons["feature"].setToolTip(name or tr("The feature you clicked"))
        if open_it and name:
            self._show("feature")
