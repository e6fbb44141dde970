"""ROC curves with their band, predicted against observed numbers, residuals."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from fsdesk.app.fields import Choice
from fsdesk.app.palette import LIGHT, Tokens
from fsdesk.app.plots.axes import dress, ink, plot_widget
from fsdesk.app.widgets import column, label, named, row
from fsdesk.messages import number, tr

if TYPE_CHECKING:
    from fsdesk.results.diagnosis import Diagnosis, Judged, RocCurve

__all__ = ["NumbersView", "RocView"]


Floats = NDArray[np.float64]
_MOST_POINTS = 5000


class RocView(QWidget):
    """The curve of one class with its band, beside that of all features; a choice of the class where there are more."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = plot_widget(
            "rocPlot",
            tr("ROC curve of the subset and of all features"),
            left=tr("true positive rate"),
            bottom=tr("false positive rate"),
        )
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        item.setXRange(0, 1, padding=0.04)  # room for the last number
        item.setYRange(0, 1, padding=0.02)
        self._low: Any = item.plot([], [])
        self._high: Any = item.plot([], [])
        self._band: Any = pg.FillBetweenItem(self._low, self._high)
        item.addItem(self._band)
        self._chance: Any = item.plot([0, 1], [0, 1])
        self._everything: Any = item.plot([], [], antialias=True)
        self._chosen: Any = item.plot([], [], antialias=True)
        self.classes = Choice()
        named(self.classes, "rocClass", tr("Class that is to be found"))
        self.classes.currentIndexChanged.connect(lambda _: self._draw())
        self.choice = QWidget()
        self.choice.setLayout(row(label(tr("Class"), "caption"), self.classes, None))
        self.legend = label("", "caption", wrap=True)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        named(self.legend, "rocLegend", tr("Areas under the curves"))
        self.setLayout(column(self.choice, self.plot, self.legend))
        self._diagnosis: Diagnosis | None = None
        self._colours = (LIGHT.line_average, LIGHT.line_baseline)

    def show_diagnosis(self, diagnosis: "Diagnosis") -> None:
        """Show the curves of a diagnosis."""
        self._diagnosis = diagnosis
        names = [curve.name for curve in diagnosis.chosen.curves]
        if list(self.classes.offered) != [str(at) for at in range(len(names))] or any(
            self.classes.itemText(at) != name for at, name in enumerate(names)
        ):
            self.classes.offer({str(at): name for at, name in enumerate(names)})
            self.classes.setCurrentIndex(0)
        self.choice.setVisible(len(names) > 1)
        self._draw()

    def _draw(self) -> None:
        from fsdesk.results.diagnosis import GRID

        diagnosis, at = self._diagnosis, max(0, self.classes.currentIndex())
        if diagnosis is None or at >= len(diagnosis.chosen.curves):
            return
        curve = diagnosis.chosen.curves[at]
        other = next((each for each in diagnosis.everything.curves if each.name == curve.name), None)
        self._chosen.setData(*_from_origin(GRID, curve.mean))
        self._low.setData(GRID, np.clip(curve.mean - curve.deviation, 0, 1))
        self._high.setData(GRID, np.clip(curve.mean + curve.deviation, 0, 1))
        self._everything.setData(*(([], []) if other is None else _from_origin(GRID, other.mean)))
        self.legend.setText(self._words(diagnosis, curve, other))

    def _words(self, diagnosis: "Diagnosis", curve: "RocCurve", other: "RocCurve | None") -> str:
        chosen, everything = self._colours

        def area(curve: "RocCurve") -> str:
            shown = number(curve.area, ".3f")
            return shown if diagnosis.held_out else f"{shown} ± {number(curve.area_deviation, '.3f')}"

        said = tr("selected features: AUC {area}", area=area(curve))
        parts = [f'<span style="color:{chosen}">━</span> {said}']
        if other is not None:
            said = tr("all features: AUC {area}", area=area(other))
            parts.append(f'<span style="color:{everything}">╍</span> {said}')
        words = tr("Finding “{name}”. Mean of the folds.", name=curve.name)
        if not diagnosis.held_out:
            words = f"{words} {tr('Band and ± are one standard deviation over the repeats.')}"
        escaped = words.replace("&", "&amp;").replace("<", "&lt;")
        return "&nbsp;&nbsp; ".join(map(_unbroken, parts)) + f"<br>{escaped}"

    def dress(self, tokens: Tokens) -> None:
        dress(self.plot, tokens)
        shade = QColor(tokens.line_average)
        shade.setAlpha(48)
        self._band.setBrush(shade)
        self._low.setPen(None)
        self._high.setPen(None)
        self._chance.setPen(ink(tokens.muted, 1, 150, dashed=True))
        self._chosen.setPen(ink(tokens.line_average, 2))
        self._everything.setPen(ink(tokens.line_baseline, 2, dashed=True))
        self._colours = (tokens.line_average, tokens.line_baseline)
        self._draw()


def _unbroken(html: str) -> str:
    """Without a place where a line may end; a space in a tag stays one."""
    tag, end, text = html.partition("</span>")
    return tag + end + text.replace(" ", "&nbsp;")


def _from_origin(false: Floats, true: Floats) -> tuple[Floats, Floats]:
    return np.concatenate([[0.0], false]), np.concatenate([[0.0], true])


class NumbersView(QWidget):
    """For numeric targets: predicted against observed, or what is left; each row of the table is a point."""

    def __init__(self, name: str, *, residuals: bool) -> None:
        super().__init__()
        self._residuals = residuals
        spoken = tr("Residuals against observed values") if residuals else tr("Predicted against observed values")
        left = tr("predicted less observed") if residuals else tr("predicted")
        self.plot = plot_widget(name, spoken, left=left, bottom=tr("observed"))
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        self._line: Any = item.plot([], [])
        self._everything: Any = item.plot([], [], pen=None, symbol="o", symbolSize=5, symbolBrush=None)
        self._chosen: Any = item.plot([], [], pen=None, symbol="o", symbolSize=6, symbolPen=None)
        self.legend = label("", "caption", wrap=True)
        named(self.legend, f"{name}Legend", tr("What the points are"))
        self.setLayout(column(self.plot, self.legend))

    def show_diagnosis(self, diagnosis: "Diagnosis") -> None:
        """Show the predicted numbers of a diagnosis."""
        observed = diagnosis.response
        low, high = float(observed.min()), float(observed.max())
        self._line.setData([low, high], [0, 0] if self._residuals else [low, high])
        for drawing, judged in ((self._chosen, diagnosis.chosen), (self._everything, diagnosis.everything)):
            drawing.setData(*self._points(observed, judged))
        self.legend.setText(
            tr(
                "Filled: these features; rings: all features. Each row once, its mean over the repeats that tested it; "
                "the line is a perfect model."
            )
        )

    def _points(self, observed: Floats, judged: "Judged") -> tuple[Floats, Floats]:
        if not len(judged.predicted):
            return np.empty(0), np.empty(0)
        known = np.flatnonzero(np.isfinite(judged.predicted))
        places = known[:: max(1, -(-len(known) // _MOST_POINTS))]
        predicted = judged.predicted[places]
        return observed[places], predicted - observed[places] if self._residuals else predicted

    def dress(self, tokens: Tokens) -> None:
        dress(self.plot, tokens)
        self._line.setPen(ink(tokens.line_best, 1.5, dashed=True))
        self._chosen.setSymbolBrush(QColor(tokens.line_average))
        self._everything.setSymbolPen(ink(tokens.line_baseline, 1, 150))
