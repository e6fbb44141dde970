"""What belongs together on the search page moves together: iterations in view, the crosshair, the picked feature."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from fsdesk.app.heatmaps.heatmap import Heatmap
from fsdesk.app.look.parts import Segments
from fsdesk.app.look.plots import ink
from fsdesk.app.look.tokens import SPACE, Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.search.error_plot import ErrorPlot
from fsdesk.app.search.features_card import FeaturesCard
from fsdesk.app.search.inspector import FeatureInspector

__all__ = ["LinkedIterations", "SidePanel"]


_BESIDE = 0.02  # of its iterations, that stay free as beside the curve


class LinkedIterations(QObject):
    """The error curve and the heatmap show the same iterations, and one crosshair.

    Where curves of longer runs are laid over, the heatmap shows no more than the iterations of its own.
    """

    def __init__(self, errors: ErrorPlot, heatmap: Heatmap) -> None:
        super().__init__(heatmap)
        self._errors, self._heatmap = errors, heatmap
        self._line: Any = pg.InfiniteLine(angle=90)
        self._line.hide()
        errors.plot.getPlotItem().addItem(self._line, ignoreBounds=True)
        errors.plot.getViewBox().sigXRangeChanged.connect(self._follow)
        errors.plot.scene().sigMouseMoved.connect(self._on_moved)
        heatmap.traces.arranged.connect(self._look)
        heatmap.stretched.connect(self._stretch)
        heatmap.reset.connect(self._reset)
        errors.crosshair.stepped.connect(self._on_stepped)
        heatmap.iteration_pointed.connect(self._point)

    def _to_iteration(self, place: float) -> float:
        """The axis of the curve may count measurements or time."""
        scale = self._errors.iterations()
        return place if scale is None or not len(scale[0]) else float(np.interp(place, *scale))

    def _from_iteration(self, iteration: float) -> float:
        scale = self._errors.iterations()
        return iteration if scale is None or not len(scale[0]) else float(np.interp(iteration, scale[1], scale[0]))

    def _look(self) -> None:
        self._follow(None, self._errors.plot.getViewBox().viewRange()[0])

    def _follow(self, _: object, ends: tuple[float, float]) -> None:
        left, right = (self._to_iteration(end) for end in ends)
        last = self._heatmap.traces.ends()[1]
        if left < last:
            left, right = max(left, -_BESIDE * last), min(right, (1 + _BESIDE) * last)
        if right > left:
            self._heatmap.look_at(left, right)

    def _stretch(self, left: float, right: float) -> None:
        self._errors.follow = False
        self._errors.plot.setXRange(self._from_iteration(left), self._from_iteration(right), padding=0)

    def _reset(self) -> None:
        self._errors.show_all()

    def _point(self, iteration: float | None) -> None:
        self._line.setVisible(iteration is not None)
        if iteration is not None:
            self._line.setPos(self._from_iteration(iteration))

    def _on_moved(self, place: QPointF) -> None:
        box = self._errors.plot.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        at = self._to_iteration(float(box.mapSceneToView(place).x())) if inside else None
        self._heatmap.traces.show_line(at)

    def _on_stepped(self, place: float | None) -> None:
        self._heatmap.traces.show_line(None if place is None else self._to_iteration(place))

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._line.setPen(ink(tokens.text, 1, 160, dashed=True))


class SidePanel(QWidget):
    """Selected features, or the feature that was picked. ``feature_picked`` tells a name picked in either."""

    feature_picked = Signal(str)

    def __init__(self, features: FeaturesCard, inspector: FeatureInspector) -> None:
        super().__init__()
        self.features, self.inspector = features, inspector
        self.switch = Segments("sideView", {"list": tr("Selected"), "feature": tr("Feature")})
        self.switch.buttons["list"].setToolTip(tr("The features of the best subset so far"))
        self.switch.buttons["feature"].setToolTip(tr("The feature that you clicked: weight, values, correlations"))
        self._stack = QStackedWidget()
        self._stack.addWidget(features)
        self._stack.addWidget(inspector)
        self.switch.chosen.connect(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._stack, 1)
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

    def show_feature(self, name: str, *, open_it: bool) -> None:
        """Show the feature that was picked; ``open_it`` brings its panel to the front."""
        self.inspector.pick(name)
        self.switch.buttons["feature"].setToolTip(name or tr("The feature that you clicked"))
        if open_it and name:
            self._show("feature")
