"""The decision card: choice of threshold and prevalence, measures from held-out predictions, and three plots."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget

from fsdesk.app.plots.axes import ink, plot_widget, show_range
from fsdesk.app.plots.predictions import BandedCurve
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.tables import TextRows, row_list
from fsdesk.app.widgets import Choice, ContentStack, DecimalField, column, label, named, panel, row, scrolled
from fsdesk.messages import tr, translated

if TYPE_CHECKING:
    from fsdesk.results.decision import CutOff, Decision
    from fsdesk.results.scores import Curve, Scored

Floats = NDArray[np.float64]
_SHARE, _COST = 90.0, 5.0  # percent; how many false alarms
_LEAST, _MOST, _DEAREST = 0.1, 99.9, 10_000.0
_LINE, _LETTERS = 26, 12
_PLOT_HEIGHT = 240


class _Curves(QWidget):
    """A curve with its band, and a reference line."""

    def __init__(self, name: str, spoken: str, left: str, bottom: str) -> None:
        super().__init__()
        self.plot = plot_widget(name, spoken, left=left, bottom=bottom)
        self.plot.setMouseEnabled(x=False, y=False)
        self._curves = BandedCurve(self.plot)
        self._point: Any = self.plot.getPlotItem().plot([], [], pen=None, symbol="d", symbolSize=14)
        self.legend = label("", "caption", wrap=True)
        named(self.legend, f"{name}Legend", tr("About the lines"))
        self.setLayout(column(self.plot, self.legend, grow=[self.plot]))
        self.plot.setMinimumHeight(_PLOT_HEIGHT)
        on_theme(self._take_colours)

    def show_curve(
        self, curve: "Curve", guess: tuple[Floats, Floats], top: tuple[float, float], other: Floats | None = None
    ) -> None:
        """Draw a curve; ``guess`` is the line of chance, ``top`` the range of the vertical axis."""
        self._curves.own.setData(curve.x, curve.y)
        self._curves.show_band(curve.x, np.clip(curve.low, *top), np.clip(curve.high, *top))
        self._curves.guess.setData(*guess)
        if other is not None:
            self._curves.other.setData(curve.x, other)
        room = 0.03 * (top[1] - top[0])
        show_range(self.plot, (-0.02, 1.04), (top[0] - room, top[1] + room))

    def show_point(self, x: float, y: float) -> None:
        """Mark a point, such as the cut-off."""
        self._point.setData([x], [y])

    def _take_colours(self) -> None:
        self._curves.take_colours()
        self._point.setSymbolBrush(QColor(tokens().line_best))
        self._point.setSymbolPen(None)


class _Groups(QWidget):
    """Predicted probability (x) against proportion of the class (y), a point with its interval for each group."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = plot_widget(
            "calibrationPlot", tr("Observed share against predicted probability"),
            left=tr("observed share"), bottom=tr("predicted probability"),
        )  # fmt: skip
        self.plot.setMouseEnabled(x=False, y=False)
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        self._perfect: Any = item.plot([0, 1], [0, 1])
        self._bars: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0), beam=0)
        item.addItem(self._bars)
        self._points: Any = item.plot([], [], symbol="o", symbolSize=8, symbolPen=None, antialias=True)
        show_range(self.plot, (-0.02, 1.04), (-0.03, 1.03))
        self.legend = label("", "caption", wrap=True)
        named(self.legend, "calibrationPlotLegend", tr("About the points"))
        self.setLayout(column(self.plot, self.legend, grow=[self.plot]))
        self.plot.setMinimumHeight(_PLOT_HEIGHT)
        on_theme(self._take_colours)

    def show_groups(self, groups: "Curve") -> None:
        """Draw the groups."""
        self._points.setData(groups.x, groups.y)
        self._bars.setData(x=groups.x, y=groups.y, top=groups.high - groups.y, bottom=groups.y - groups.low)

    def _take_colours(self) -> None:
        self._perfect.setPen(ink(tokens().muted, 1, 150, dashed=True))
        self._bars.setData(pen=ink(tokens().line_average, 1.5))
        self._points.setPen(ink(tokens().line_average, 1, 150))
        self._points.setSymbolBrush(QColor(tokens().line_average))


class DecisionView(QWidget):
    """Shows the available results.

    ``wanted`` sends scores, threshold, prevalence or None, the class and, for times to an event, the time, to be
    computed.
    """

    wanted = Signal(object, object, object, object, object)

    def __init__(self) -> None:
        super().__init__()
        self._scored: Scored | None = None
        self.decision: Decision | None = None
        self.classes, self.rule, self.value = Choice(), Choice(), DecimalField(_LEAST, _MOST)
        named(self.classes, "decisionClass", tr("Positive class"))
        named(self.rule, "decisionRule", tr("Rule for the cut-off"))
        named(self.value, "decisionValue", tr("Target value for the cut-off"))
        self.prevalence = DecimalField(0.0, _MOST, lowest=tr("as here"))
        named(self.prevalence, "decisionPrevalence", tr("Prevalence where the model will be used, in percent"))
        self.prevalence.setToolTip(
            tr(
                'Prevalence of this class where the model will be used, per 100. "As here" uses the share among '
                "the held-out rows."
            )
        )
        self.rule.offer(
            {
                "youden": tr("Youden"),
                "sensitivity": tr("Minimum sensitivity"),
                "specificity": tr("Minimum specificity"),
                "cost": tr("Lowest cost"),
            }
        )
        self._unit = label("%", "caption")
        self.rule.currentIndexChanged.connect(lambda _: self._change_rule())
        self.classes.currentIndexChanged.connect(lambda _: self.ask())
        self.horizon = DecimalField(0.0, 1e12)
        named(self.horizon, "decisionHorizon", tr("Time horizon for the event"))
        self.horizon.setToolTip(tr("Separates rows that had the event by this time from those that did not."))
        for field in (self.value, self.prevalence, self.horizon):
            field.setKeyboardTracking(False)
            field.valueChanged.connect(lambda _: self.ask())
        for choice in (self.classes, self.rule):  # names of classes may be long, and the card narrow
            choice.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            choice.setMinimumContentsLength(_LETTERS)
        self._of_classes = panel(row(label(tr("Class"), "caption"), self.classes, grow=[self.classes]))
        self._of_times = panel(row(label(tr("Event by time"), "caption"), self.horizon, None))
        second = row(label(tr("Cut-off"), "caption"), self.rule, grow=[self.rule])
        third = row(self.value, self._unit, label(tr("Prevalence, %"), "caption"), self.prevalence, None)
        self.doubt, self.words = label("", wrap=True), label("", "muted", wrap=True)
        named(self.doubt, "decisionDoubt", tr("Whether a cut-off can be recommended"))
        named(self.words, "decisionWords", tr("Selected cut-off"))
        self._numbers = TextRows((tr("Measure"), tr("Value"), tr("95 % interval")), (1, 2))
        self.list = row_list("decisionNumbers", tr("Measures at the cut-off"), self._numbers)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)  # their first words distinguish them
        header = self.list.horizontalHeader()
        for at in (1, 2):
            header.setSectionResizeMode(at, QHeaderView.ResizeMode.ResizeToContents)
        self.list.verticalHeader().setDefaultSectionSize(_LINE)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.picture = Choice()
        named(self.picture, "decisionPicture", tr("Figure shown"))
        self.picture.offer({"roc": tr("ROC curve"), "calibration": tr("Calibration"), "benefit": tr("Net benefit")})
        self.roc = _Curves("decisionRoc", tr("ROC curve with the cut-off"), tr("sensitivity"), tr("1 − specificity"))
        self.calibration = _Groups()
        self.benefit = _Curves(
            "benefitPlot", tr("Net benefit against threshold"), tr("net benefit"), tr("threshold probability")
        )
        self.pictures = QStackedWidget()
        for each in (self.roc, self.calibration, self.benefit):
            self.pictures.addWidget(each)
        self.picture.currentIndexChanged.connect(self.pictures.setCurrentIndex)
        self.basis = label("", "caption", wrap=True)
        named(self.basis, "decisionBasis", tr("Basis of these numbers"))
        found = column(self.doubt, self.words, self.list, row(self.picture, None), self.pictures, self.basis, None)
        self._found = ContentStack(panel(found), words=tr("Calculating …"))
        self._found.say(self._found.words.text())
        whole = panel(column(self._of_classes, self._of_times, panel(second), panel(third), self._found))
        self.setLayout(column(scrolled(whole)))
        self._change_rule()

    def show_scored(self, scored: "Scored") -> None:
        """Show other scores: offer their classes, and request their results if the view is visible."""
        if scored is self._scored:
            return
        before, self._scored, self.decision = self._scored, scored, None
        is_of_times = len(scored.times) > 0
        self._of_classes.setVisible(not is_of_times)
        self._of_times.setVisible(is_of_times)
        if is_of_times and (before is None or before.horizon != scored.horizon):  # otherwise the chosen time is kept
            quiet = self.horizon.blockSignals(True)
            self.horizon.setValue(scored.horizon)
            self.horizon.blockSignals(quiet)
        if not is_of_times and self.classes.offered != scored.names:
            quiet = self.classes.blockSignals(True)
            self.classes.offer({name: name for name in scored.names})
            self.classes.setCurrentIndex(scored.positive)
            self.classes.blockSignals(quiet)
        self.ask()

    def ask(self) -> None:
        """Request the computation."""
        if self._scored is None or not self.isVisibleTo(self.window()):
            return
        prevalence = self.prevalence.value() / 100 or None
        is_of_times = len(self._scored.times) > 0
        positive = None if is_of_times else str(self.classes.currentData())
        horizon = self.horizon.value() if is_of_times else None
        self.wanted.emit(self._scored, self.cut_off, prevalence, positive, horizon)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if self.decision is None:
            self.ask()

    @property
    def cut_off(self) -> "CutOff":
        """The chosen rule."""
        from fsdesk.results.decision import CutOff

        rule: Any = str(self.rule.currentData())
        return CutOff(rule, self.value.value() / (1.0 if rule == "cost" else 100.0))

    def _change_rule(self) -> None:
        rule = str(self.rule.currentData())
        quiet = self.value.blockSignals(True)
        is_cost = rule == "cost"
        self.value.setRange(0.001 if is_cost else _LEAST, _DEAREST if is_cost else _MOST)
        self.value.setValue(_COST if is_cost else _SHARE)
        self.value.blockSignals(quiet)
        self.value.setVisible(rule != "youden")
        self._unit.setVisible(rule != "youden")
        self._unit.setText(tr("to 1") if is_cost else "%")
        self.value.setToolTip(tr("Cost of a missed case relative to a false alarm") if is_cost else "")
        self.ask()

    def show_refusal(self, scored: "Scored", sentence: str) -> None:
        """Say why there is nothing to show for these scores."""
        if scored is self._scored:
            self._found.say(translated(sentence))

    def show_decision(self, scored: "Scored", known: "Decision") -> None:
        """Show the results for these scores."""
        if scored is not self._scored:
            return
        self.decision = known
        self.doubt.setText(known.doubt_words())
        self.doubt.setVisible(bool(known.doubt_words()))
        self.words.setText(known.cut_off_words())
        lines = list(known.lines())
        self._numbers.show(len(lines), lambda at: lines[at])
        self.list.setFixedHeight(self.list.horizontalHeader().sizeHint().height() + _LINE * len(lines) + 4)
        said = (known.prevalence_words(), known.rows_words(), known.calibration_words())
        self.basis.setText(" ".join(each for each in said if each))
        self._draw(known)
        self._found.setCurrentIndex(0)

    def _draw(self, known: "Decision") -> None:
        diagonal = np.array([0.0, 1.0])
        self.roc.show_curve(known.roc, (diagonal, diagonal), (0.0, 1.0))
        if known.specificity.value is not None and known.sensitivity.value is not None:
            self.roc.show_point(1 - known.specificity.value, known.sensitivity.value)
        self.roc.legend.setText(
            tr("Mean curve over the held-out folds with its pointwise 95 % band. The dot marks the cut-off.")
        )
        self.calibration.show_groups(known.calibration.groups)
        self.calibration.legend.setText(
            tr("Each point is a group of rows with similar predicted probability; bars are 95 % intervals of "
               "the observed share of “{name}”. The dashed line marks perfect calibration.", name=known.positive)
        )  # fmt: skip
        benefit = known.net_benefit
        top = max(known.prevalence, float(benefit.model.high.max()))
        flat = np.zeros(2)
        others = np.where(benefit.treat_all >= -0.3 * top, benefit.treat_all, np.nan)
        self.benefit.show_curve(benefit.model, (diagonal, flat), (-0.3 * top, top), others)
        self.benefit.legend.setText(
            tr("Solid: treat those with a probability above the threshold, with the pointwise 95 % band. "
               "Falling dashed line: treat all. Line at 0: treat none.")
        )  # fmt: skip
