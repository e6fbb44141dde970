"""Plot of the gain sequence a_k by iteration."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fsdesk.app.plots.axes import ink, plot_widget
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.widgets import column, label
from fsdesk.messages import number, tr
from fsdesk.methods import Method

_POINTS, _LEFT = 200, 56
_FIRST, _LAST = 0.02, 0.08  # margins of the axis around the curve, as fractions: room for the numbers below its ends


class GainPlot(QWidget):
    """Draws ``gain(k)`` of any method that has one, from 0 to its last iteration; hidden for others."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("gainPlot")
        self._plot = plot_widget("gainCurve", tr("Gain against iteration"))
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it has no keyboard functions
        self._plot.setMouseEnabled(False, False)
        self._plot.setFixedHeight(96)
        self._plot.getPlotItem().getAxis("left").setWidth(_LEFT)
        self._curve: Any = self._plot.plot([], [], antialias=True)
        self.caption = label("", "caption", wrap=True)
        self.setLayout(column(self.caption, self._plot, spacing=4, margins=(0, 4, 0, 0)))
        on_theme(self._take_colours)

    def show_method(self, method: Method) -> None:
        """Draw the gains of a method with its present settings."""
        gain = getattr(method, "gain", None)
        self.setVisible(gain is not None)
        if gain is None:
            return
        last = int(getattr(method, "max_iterations", 0) or 1000)
        k = np.unique(np.linspace(0, last, min(_POINTS, last + 1)).astype(int))
        a_k = np.array([gain(int(each)) for each in k])
        self._curve.setData(k, a_k)
        self._plot.setXRange(-_FIRST * last, (1 + _LAST) * last, padding=0)
        top = float(a_k.max()) or 1.0
        self._plot.getPlotItem().getAxis("left").setTicks([[(0.0, "0"), (top, number(top, ".3g"))]])
        self._plot.setYRange(0, top, padding=0.15)
        self.caption.setText(
            tr("Gain by iteration: from {first:.3g} to {last:.3g}", first=float(a_k[0]), last=float(a_k[-1]))
        )

    def _take_colours(self) -> None:
        self._curve.setPen(ink(tokens().line_average, 2))
