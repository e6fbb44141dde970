"""The search page: key figures, error curve, heatmap, selected features and the list of runs."""

import time
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.plots.curve_controls import CurveOptions, ask_save_curves
from fsdesk.app.plots.error_plot import ErrorPlot
from fsdesk.app.plots.heatmap_card import HeatmapCard
from fsdesk.app.search_page.feature_cards import FeatureInspector, FeaturesCard, LinkedIterations, SidePanel
from fsdesk.app.search_page.figures import Figures, RaceCard, untried
from fsdesk.app.search_page.run_list import RunList
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import Splitter, column, panel, scrolled
from fsdesk.engine import Best
from fsdesk.measure import CRITERIA
from fsdesk.messages import localised, tr
from fsdesk.methods import Mask
from fsdesk.results.subsets import SizeCurve
from fsdesk.results.tasks import size_curve_task, traces_task

_CURVES = "curves/options"
_CURVE_MS = 33
_BUSY_SHARE = 0.25


class SearchPage(QWidget):
    """Shows one run, ``run``; redraws at most 30 times a second, less often if drawing is slow.

    ``feature_picked`` sends the name of a feature selected in a heatmap, a list or the panel of one feature; ``subset``
    is the subset shown if it is not the result.
    """

    feature_picked = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.run: Run | None = None
        self.subset: Best | None = None
        self._in_sight: QWidget | None = None
        self.figures, self.race = Figures(), RaceCard()
        self.errors, self.heatmap = ErrorPlot(lambda: session.runs), HeatmapCard(session)
        self.errors.menu.take(CurveOptions.of(str(session.store.value(_CURVES, ""))))
        self.errors.menu.chosen.connect(lambda options: session.store.setValue(_CURVES, options.kept()))
        self.linked = LinkedIterations(self.errors, self.heatmap)
        self.features = FeaturesCard()
        self.inspector = FeatureInspector(session)
        self.panel = SidePanel(self.features, self.inspector)
        self.heatmap.feature_picked.connect(lambda name: self.pick(name, open_it=True))
        self.heatmap.feature_pointed.connect(self.inspector.preview)
        self.panel.feature_picked.connect(self.pick)
        self.list = RunList(session.runs)
        self.list.chosen.connect(self.show_run)
        self.errors.save_wanted.connect(self._save_curves)
        self.errors.picked.connect(self._take_subset)
        self.errors.legend.toggled.connect(self._keep_curve)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_CURVE_MS)
        self._timer.timeout.connect(self._draw)
        session.runs.changed.connect(self._on_changed)
        session.runs.listed.connect(self._on_listed)
        session.histories.read.connect(lambda _: self.inspector.refresh())
        self.show_run(None)

    def _lay_out(self) -> None:
        self.plots = Splitter("plots", Qt.Orientation.Vertical, self.errors, self.heatmap)
        for place in (0, 1):
            self.plots.setStretchFactor(place, 1)
        self.plots.setSizes([1000, 1000])
        self.side = Splitter("side", Qt.Orientation.Vertical, self.panel, self.list)
        self.side.setSizes([330, 250])
        self.across = Splitter("across", Qt.Orientation.Horizontal, self.plots, self.side)
        self.across.setStretchFactor(0, 1)
        self.across.setStretchFactor(1, 0)
        self.across.setSizes([1180, 380])
        self.side.setMinimumWidth(336)
        for part, height in ((self.errors, 246), (self.heatmap, 238), (self.panel, 248), (self.list, 136)):
            part.setMinimumHeight(height)  # a small window scrolls
        parts = column(self.figures, self.race, self.across, spacing=2 * SPACE, margins=2 * SPACE, grow=[self.across])
        self._area = scrolled(panel(parts), across=True)
        self.setLayout(column(self._area))
        bar = self._area.verticalScrollBar()
        bar.rangeChanged.connect(self._keep_in_sight)
        bar.actionTriggered.connect(lambda _: setattr(self, "_in_sight", None))  # the user is looking elsewhere

    def show_run(self, run: Run | None) -> None:
        """Show another run."""
        if run is not None and run is self.run:
            return
        focus = QApplication.focusWidget()
        seen = focus is not None and self.isAncestorOf(focus) and not focus.visibleRegion().isEmpty()
        self._in_sight = focus if seen else None
        self.run, self.subset = run, None
        state = run.state if run is not None else None
        self.errors.show_run(run)
        self.heatmap.show_run(run)
        self.inspector.show_run(run)
        self.features.show_state(state)
        self.figures.show_run(run)
        self._show_race()
        self.heatmap.follow(run is not None and run.searching)
        if run is not None:
            self.list.select(run)

    def _keep_in_sight(self) -> None:
        """Keep the chosen run in view: another run has other cards, which shift the list."""
        if self._in_sight is not None and self._in_sight is QApplication.focusWidget():
            self._area.ensureWidgetVisible(self._in_sight)

    def pick(self, name: str, *, open_it: bool = False) -> None:
        """Show a feature everywhere; ``open_it`` brings its panel to the front."""
        self.heatmap.show_feature(name)
        self.panel.show_feature(name, open_it=open_it)
        self.feature_picked.emit(name)

    def _keep_curve(self, run: Run, shown: bool) -> None:
        """Store, in the list and the project, which curves were ticked in the legend."""
        if run is not self.run:
            self._session.run_actions.show_in_curves([run], shown)

    def _take_subset(self, finalist: tuple[Mask, float, float] | None) -> None:
        """Show, copy and export a finalist instead of the result; None returns to the result."""
        run = self.run
        if run is None or run.state.best is None:
            return
        if finalist is None:
            self.subset = None
        else:
            mask, loss, error = finalist
            self.subset = replace(run.state.best, mask=mask, mean=loss, std_error=error)
        self._show_features(run)

    def _show_features(self, run: Run) -> None:
        state = run.state if self.subset is None else replace(run.state, best=self.subset)
        self.features.show_state(state)
        if self.subset is not None:
            value = localised(run.state.criterion.text(self.subset.mean))
            self.features.count.setText(
                tr("{count}, picked by you: {value}", count=self.features.count.text(), value=value)
            )

    @property
    def shown_mask(self) -> Mask | None:
        """The subset shown: the chosen one, otherwise the result."""
        best = self.subset or (None if self.run is None else self.run.state.best)
        return None if best is None else best.mask

    def _save_curves(self, suffix: str) -> None:
        if self.run is not None and self.errors.against.key == "size":
            state, dataset = self.run.state, self._session.loader.dataset
            target = dataset.target_name if dataset is not None else ""
            best = None if state.best is None else state.best.mask
            curve = SizeCurve.of(state.criterion, state.confirmed.curve(), best, target)
            ask_save_curves(self, self._session, suffix, size_curve_task, curve)
        else:
            options = self.errors.options
            drawn = self.errors.traces(), options.axis, options.window
            ask_save_curves(self, self._session, suffix, traces_task, *drawn)

    @property
    def drawn(self) -> bool:
        """Whether everything known about the runs has been drawn."""
        return not self._timer.isActive()

    def _on_listed(self) -> None:
        if self.run is not None and self.run.id not in self._session.runs.by_id:
            self.show_run(self.list.current)

    def _on_changed(self, ids: list[int]) -> None:
        if ids and not self._timer.isActive():
            self._timer.start()

    def _draw(self) -> None:
        """Draw the current state of the runs; if drawing is slow, do so less often to keep the window responsive."""
        started = time.perf_counter()
        self._show_race()
        self.list.rearrange()
        if self.run is not None:
            self.errors.refresh()
            self.figures.show_run(self.run)
            self._show_features(self.run)
            self.heatmap.refresh()
            self.heatmap.follow(self.run.searching)
        self.inspector.refresh()
        spent = time.perf_counter() - started
        self._timer.setInterval(max(_CURVE_MS, int(1000 * spent / _BUSY_SHARE)))

    def _show_race(self) -> None:
        if self.run is None:
            self.race.show_race(None, CRITERIA["error"])
            return
        state = self.run.state
        absent = untried(self.run.spec, state.race, len(state.features))
        self.race.show_race(state.race, state.criterion, absent, self.run.spec)
