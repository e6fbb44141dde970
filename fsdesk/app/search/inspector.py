"""The feature that was picked: its weight over the iterations, its values by class, and the features most like it."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fsdesk.app.data.column_view import ColumnPicture, Stacks
from fsdesk.app.data.table_models import Index
from fsdesk.app.look.parts import Card, ElidedLabel, column, label, named, scrolled
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import number, tr
from fsdesk.app.search.value_views import TraceLine, ValuesView
from fsdesk.app.work.asking import off_thread
from fsdesk.app.work.runs import Run
from fsdesk.app.work.session import Session
from fsdesk.data import Dataset
from fsdesk.engine import RunState
from fsdesk.results.feature_look import FeatureLook, look_at_feature

__all__ = ["FeatureInspector"]

_HOVER_MS = 150
_MOST_LEVELS, _MOST_CLASSES = 5, 4
_BAR = 96


class _Bars(QStyledItemDelegate):
    """A name, and a bar to the left for a negative and to the right for a positive correlation."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tokens: Tokens = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, option.fontMetrics.height() + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = QRectF(option.rect)
        name, value = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(self.tokens.accent_soft))
        room = option.fontMetrics.horizontalAdvance("−0.00") + SPACE
        bar = QRectF(area.right() - room - _BAR, area.top() + 6, _BAR, area.height() - 12)
        text = option.fontMetrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(bar.left() - area.left()) - SPACE)
        painter.setPen(QColor(self.tokens.text))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(4, 0, 0, 0), int(Qt.AlignmentFlag.AlignLeft | middle), text)
        said = number(value, ".2f")
        painter.drawText(area.adjusted(0, 0, -4, 0), int(Qt.AlignmentFlag.AlignRight | middle), said)
        zero = bar.center().x()
        painter.fillRect(QRectF(zero - 0.5, bar.top() - 3, 1, bar.height() + 6), QColor(self.tokens.control))
        wide = value * bar.width() / 2
        colour = QColor(self.tokens.line_average if value >= 0 else self.tokens.line_best)
        painter.fillRect(QRectF(min(zero, zero + wide), bar.top(), abs(wide), bar.height()), colour)
        painter.restore()


class FeatureInspector(Card):
    """``feature_picked`` tells a feature of the list of those most like it."""

    feature_picked = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(tr("Feature"))
        self.setObjectName("inspectorCard")
        self._session = session
        self.run: Run | None = None
        self.picked, self.name = "", ""
        self.look: FeatureLook | None = None
        self._dataset: tuple[str, Dataset] | None = None
        self._hovered = ""
        self._hover = QTimer(self, singleShot=True, interval=_HOVER_MS)
        self._hover.timeout.connect(lambda: self._show(self._hovered or self.picked))
        self.facts = ElidedLabel("caption")
        named(self.facts, "featureFacts", tr("Weight, frequency and whether the feature is selected"))
        self.trace, self.values, self.levels = TraceLine(), ValuesView(), Stacks("featureBars")
        self.trace_title = label(tr("Weight over the iterations"), "overline")
        self.values_title = label("", "overline")
        self.alike_title = label(tr("Selected features most like it (correlation)"), "overline", wrap=True)
        self.alike = QListWidget()
        named(self.alike, "alikeFeatures", tr("Selected features most like this one, with their correlation"))
        self._bars = _Bars(self.alike)
        self.alike.setItemDelegate(self._bars)
        self.alike.setToolTip(tr("Click, or press Enter, to look at one of them."))
        self.alike.itemActivated.connect(self._pick)
        self.alike.itemClicked.connect(self._pick)
        self.alike.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note = label("", "caption", wrap=True)
        inner = QWidget()
        inner.setLayout(column(
            self.facts, self.trace_title, self.trace, self.values_title, self.values, self.levels, self.alike_title,
            self.alike, self.note, None, spacing=6,
        ))  # fmt: skip
        self.add_content(scrolled(inner), tr("Click a feature in a heatmap or in the list: it is looked at here."))
        self.set_empty(True)

    def show_run(self, run: Run | None) -> None:
        """Look at the features of another run."""
        if run is None:
            self._dataset = None
        if run is not self.run:
            same = run is not None and self.run is not None and run.state.features == self.run.state.features
            self.run = run
            self._show(self.picked if same else "")
            self.picked = self.picked if same else ""

    def pick(self, name: str) -> None:
        """Look at a feature from now on."""
        self._hover.stop()
        self.picked, self._hovered = name, ""
        self._show(name)

    def preview(self, name: str) -> None:
        """Look at a feature while it is pointed at; "" goes back to the one that was picked."""
        self._hovered = name
        if self.isVisible():
            self._hover.start()

    def refresh(self) -> None:
        """Show how its weight stands now."""
        state = None if self.run is None else self.run.state
        if state is None or not self.name or self.name not in state.features:
            return
        place = state.features.index(self.name)
        self.facts.setText(_facts(state, place))
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
            self.heading.setText(
                self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, 260) or tr("Feature")
            )
            self.heading.setToolTip(name)
            if name and self.run is not None:
                work = self._look(self.run, name)
                self._session.begin(work, tr("looking at the feature"), quietly=True)
        self.refresh()

    async def _look(self, run: Run, name: str) -> None:
        session, wanted = self._session, run.spec.data_fingerprint
        if session.project is None:
            return
        if self._dataset is None or self._dataset[0] != wanted:
            shared = await session.shared_dataset(session.project, wanted)
            self._dataset = (wanted, await off_thread(session.disk, shared.open))
        dataset, best = self._dataset[1], run.state.best
        mask = np.zeros(len(dataset.features), dtype=np.bool_) if best is None else best.mask
        look = await off_thread(session.disk, look_at_feature, dataset, name, mask)
        if name == self.name and run is self.run:
            self._show_look(look)

    def _show_look(self, look: FeatureLook) -> None:
        self.look = look
        self.values.setVisible(not look.levels)
        self.levels.setVisible(bool(look.levels))
        if look.response is not None and not look.levels:
            self.values_title.setText(tr("Its values (across) and {target} (up)", target=look.target_name))
        else:
            self.values_title.setText(tr("Values by {target}", target=look.target_name))
        if look.levels:
            self.levels.show_picture(_counted(look))
        else:
            self.values.show_look(look)
        self.alike.clear()
        for name, value in look.alike:
            item = QListWidgetItem(tr("{name}: correlation {value}", name=name, value=number(value, ".2f")))
            item.setData(Qt.ItemDataRole.UserRole, (name, value))
            item.setToolTip(f"{name}: {number(value, '.3f')}")
            self.alike.addItem(item)
        row = max(20, self.alike.sizeHintForRow(0)) if look.alike else 0
        self.alike.setFixedHeight(row * len(look.alike) + 6)
        self.alike.setVisible(bool(look.alike))
        self.note.setText(_alike_note(look))
        self.note.setVisible(bool(self.note.text()))

    def _pick(self, item: QListWidgetItem) -> None:
        self.feature_picked.emit(item.data(Qt.ItemDataRole.UserRole)[0])

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._bars.tokens = tokens
        self.levels.tokens = tokens
        for part in (self.trace, self.values):
            part.dress(tokens)
        self.alike.viewport().update()


def _facts(state: RunState, place: int) -> str:
    parts = []
    if state.best is not None:
        parts.append(tr("selected") if state.best.mask[place] else tr("not selected"))
    if state.weights is not None:
        parts.append(tr("weight {value}", value=number(state.weights[place] / 255, ".2f")))
    if state.frequency is not None:
        parts.append(tr("in {share} of the subsets tried", share=number(100 * state.frequency[place], ".0f") + " %"))
    return " · ".join(parts)


def _alike_note(look: FeatureLook) -> str:
    if look.levels:
        return tr("There is no correlation with categories.")
    if not look.alike:
        return tr("No other feature with numbers is selected.")
    if look.left_out:
        return tr("{count} selected features with categories are left out.", count=look.left_out)
    return ""


def _counted(look: FeatureLook) -> ColumnPicture:
    """Rows of each class in each of the most frequent categories; of a numeric target all rows together."""
    known = np.isfinite(look.values)
    codes = look.values[known].astype(np.int64)
    shown = np.argsort(-np.bincount(codes, minlength=len(look.levels)), kind="stable")[:_MOST_LEVELS]
    classes = look.classes or ("",)
    largest = np.argsort(-np.bincount(look.groups, minlength=len(classes)), kind="stable")
    own = np.sort(largest[:_MOST_CLASSES])
    groups = [look.groups[known] == code for code in own]
    names = [classes[code] for code in own]
    shades = tuple(map(int, own)) if look.classes else ()
    if len(own) < len(classes):
        shades += (-1,)
        groups.append(~np.isin(look.groups[known], own))
        names.append(tr("other rows"))
    counts = np.array([[int((group & (codes == level)).sum()) for level in shown] for group in groups], dtype=np.int64)
    bars = tuple(look.levels[level] for level in shown)
    return ColumnPicture(look.name, "", counts, tuple(names), bars, codes=shades)
