"""The heatmap card: weights, selection, data of the selected features, and selection by runs."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QSizePolicy, QStackedWidget, QToolButton

from fsdesk.app.dialogs.dialog import ask_save
from fsdesk.app.plots.data_map import DataMapView, weights_of
from fsdesk.app.plots.heatmap import ColourBar
from fsdesk.app.plots.matrix_map import FrequencyMap
from fsdesk.app.plots.trace_map import Rows, TraceMap, natural_order, rows_by
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.style import icon, on_theme
from fsdesk.app.widgets import Card, Choice, ElidedLabel, Segments, column, label, named, panel, restyle, row
from fsdesk.engine import RunState
from fsdesk.errors import ProjectError
from fsdesk.messages import current_language, number, tr
from fsdesk.results.tasks import (
    TraceRequest,
    clusters_task,
    map_file_task,
    runs_file_task,
    traces_file_task,
)


class FeatureSearch(QLineEdit):
    """``found`` sends a name: the first match while typing, the next on Enter, the last on Shift+Enter."""

    found = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, tr("Find a feature"))
        self.setPlaceholderText(tr("Find a feature"))
        self.setToolTip(tr("Jumps to the first feature whose name contains this text; Enter jumps to the next."))
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(64)
        self._names: Sequence[str] = ()
        self._folded: list[str] = []
        self._hits: list[int] = []
        self._at = 0
        self.textEdited.connect(self._search)

    def show_names(self, names: Sequence[str]) -> None:
        """Search among other features."""
        if names is not self._names:
            self._names, self._folded = names, []
            self._hits, self._at = [], 0

    def take(self, name: str) -> None:
        """Continue from here on the next Enter, if the feature is a match."""
        if self._hits and self._names[self._hits[self._at]] != name:
            for at, place in enumerate(self._hits):
                if self._names[place] == name:
                    self._at = at

    def _search(self, text: str) -> None:
        if not self._folded:  # not before the first search: for 20,000 it takes a while
            self._folded = [name.casefold() for name in self._names]
        wanted = text.casefold().strip()
        fits = [place for place, name in enumerate(self._folded) if wanted in name] if wanted else []
        # Exact matches come first, then names that begin with the text.
        self._hits = sorted(fits, key=lambda at: (self._folded[at] != wanted, not self._folded[at].startswith(wanted)))
        self._at = 0
        restyle(self, lost="yes" if wanted and not self._hits else "no")
        self._go_to_hit()

    def _go_to_hit(self) -> None:
        if self._hits:
            said = tr("{at} of {count}: Enter jumps to the next", at=self._at + 1, count=len(self._hits))
            self.setToolTip(said)
            self.found.emit(self._names[self._hits[self._at]])
        elif self.text().strip():
            self.setToolTip(tr("No matching features."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._hits:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._at = (self._at + (-1 if back else 1)) % len(self._hits)
            self._go_to_hit()
        else:
            super().keyPressEvent(event)


_REORDER_MS = 1000
_WIDE, _NARROWEST = 508, 440
_MOST_CLUSTERED, _CLUSTER_STEPS = 2000, 128


class HeatmapCard(Card):
    """One of four heatmaps at a time.

    Signals: ``feature_picked`` and ``feature_pointed`` with a name, "" when the pointer has left; ``iteration_pointed``
    with an iteration or None; ``stretched`` with the visible range of iterations; ``reset`` to show all of them.
    """

    feature_picked = Signal(str)
    feature_pointed = Signal(str)
    iteration_pointed = Signal(object)
    stretched = Signal(float, float)
    reset = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(tr("Heatmap"))  # for screen readers only: the switch takes its place
        self.setObjectName("heatmapCard")
        self.heading.hide()
        self._session = session
        self.run: Run | None = None
        self._sorting = ""
        self._sorted: tuple[object, str, Rows] | None = None
        self.view = Segments("heatmapView", {
            "weights": tr("Weights"), "selection": tr("Selection"), "data": tr("Data"), "runs": tr("Runs"),
        })  # fmt: skip
        self.view.buttons["weights"].setToolTip(tr("The weight of each feature at every step of this run"))
        self.view.buttons["selection"].setToolTip(tr("The best subset of every step of this run"))
        self.view.buttons["data"].setToolTip(tr("The selected features in the rows of your table"))
        self.view.buttons["runs"].setToolTip(tr("How often each run on these data selects a feature"))
        self.view.chosen.connect(lambda _: self._show_view())
        self.caption = ElidedLabel("caption")
        self.menu = QToolButton()
        named(self.menu, "heatmapMenu", tr("Save this heatmap"))
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._bar = ColourBar()
        self.lowest, self.highest = label("0", "caption"), label("1", "caption")
        self.head.insertWidget(0, self.view)
        wide = self.fontMetrics().horizontalAdvance("0.24")
        for end in (self.lowest, self.highest):  # other texts must not make the card wider
            end.setFixedWidth(wide)
        self.lowest.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for widget in (self.lowest, self._bar, self.highest, self.menu):
            self.head.addWidget(widget)
        self.traces, self.data, self.runs = TraceMap(), DataMapView(session), FrequencyMap()
        self._pages = QStackedWidget()
        self._make_tools()
        for page in (self.traces, self.data, self.runs):
            self._pages.addWidget(page)
        self.add_content(panel(column(self.tools, self._pages, self.caption, spacing=4, grow=[self._pages])), "")
        self.menu.setMenu(self._save_menu())
        self.menu.setToolTip(tr("Save this heatmap as an image or as numbers"))
        self._connect()
        self._order = QTimer(self, interval=_REORDER_MS)
        self._order.timeout.connect(self.reorder)
        session.histories.read.connect(self._on_history)
        self.setMinimumWidth(_NARROWEST)
        on_theme(self._draw_icon)
        self._show_view()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_bar()

    def _show_bar(self) -> None:
        """Show the color bar, except in a narrow window, where the switch needs its space.

        If nothing is drawn, the bar is hidden as well.
        """
        for part in (self.lowest, self._bar, self.highest):
            part.setVisible(self.width() >= _WIDE and not self.is_empty)

    def _make_tools(self) -> None:
        self.order = Choice()
        named(self.order, "heatmapOrder", tr("Order of the features"))
        self.order.setToolTip(tr("Order of the features from top to bottom"))
        self.order.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # less if space is short
        self.order.setMinimumContentsLength(9)
        self.order.offer({
            "weight": tr("By weight"), "name": tr("By name"), "first": tr("By first selection"),
            "table": tr("As in the table"), "clusters": tr("Clustered"),
        })  # fmt: skip
        self.search = FeatureSearch("heatmapFind")
        self.search.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the order is read completely
        self.rows = Segments("heatmapRows", {"top": tr("Names"), "all": tr("All rows")})
        self.rows.buttons["top"].setToolTip(tr("Rows tall enough for their names; scroll to see more"))
        self.rows.buttons["all"].setToolTip(tr("All rows at once; one line may represent many features"))
        self.tools = panel(row(self.order, self.search, self.rows, grow=[self.search]))

    def _connect(self) -> None:
        self.order.currentIndexChanged.connect(lambda _: self.reorder(anyway=True))
        self.rows.chosen.connect(self._choose_rows)
        self.search.found.connect(self.feature_picked)
        traces = self.traces
        traces.picked.connect(lambda at: self.feature_picked.emit(traces.feature(at)))
        traces.pointed.connect(self._on_pointed)
        traces.stretched.connect(self.stretched)
        traces.reset.connect(self.reset)
        traces.arranged.connect(self._count)
        for page in (self.data, self.runs):
            page.feature_picked.connect(self.feature_picked)
            page.feature_pointed.connect(self.feature_pointed)
            page.captioned.connect(self._show_caption)

    @property
    def _state(self) -> RunState | None:
        return None if self.run is None else self.run.state

    def _choose_rows(self, key: str) -> None:
        self.traces.show_all_rows(key == "all")
        self._show_caption()

    def _on_pointed(self, at: int, across: float) -> None:
        self.iteration_pointed.emit(across if at >= 0 else None)
        self.feature_pointed.emit(self.traces.feature(at))

    def show_run(self, run: Run | None) -> None:
        """Show another run."""
        self.run = run
        self._sorted = None
        if run is None:  # a closed project must not be kept in memory by hidden views
            self.traces.show_state(None, "weights")
            self.data.show_run(None)
            self.runs.show_runs(())
        else:
            self._session.histories.look_at(run)
        self._show_view()

    def _on_history(self, run: Run) -> None:
        """Draw the steps of the current run, which are available now."""
        if run is self.run:
            self._show_view()

    def show_feature(self, name: str) -> None:
        """Mark the feature selected here or elsewhere, and scroll to it."""
        at = self.traces.row(name)
        self.traces.mark(at)
        if at >= 0:
            self.traces.show_row(at)
        self.data.show_feature(name)
        self.runs.show_feature(name)
        self.search.take(name)

    def follow(self, running: bool) -> None:
        """Sort the features again once a second while a run is active."""
        if running and not self._order.isActive():
            self._order.start()
        elif not running and self._order.isActive():
            self._order.stop()
            self.reorder(anyway=True)

    def _show_view(self) -> None:
        """Show the heatmap chosen by the switch."""
        key, traces = self.view.key, self.view.key in ("weights", "selection")
        self.menu.setEnabled(self.run is not None)
        self.tools.setVisible(traces)
        self._pages.setCurrentWidget(self.traces if traces else self.data if key == "data" else self.runs)
        self._bar.show_scale("z" if key == "data" else "weight")
        if traces:
            self.traces.show_state(self._state, key)
            self.reorder(anyway=True)
        self.refresh()

    def reorder(self, *, anyway: bool = False) -> None:
        """Sort the features again, but not under the pointer unless requested."""
        state = self._state
        if state is None or (not anyway and self.traces.underMouse()):
            return
        key = str(self.order.currentData())
        if key == "clusters" and state.history is None:
            key = "weight"  # until the steps are available
        if key not in ("name", "clusters"):
            self.traces.show_order(rows_by(state, key))
        elif self._sorted is not None and self._sorted[:2] == (state, key) and not (anyway and key == "clusters"):
            self.traces.show_order(self._sorted[2])
        elif self._sorting != key:
            if len(self.traces.order) != len(state.features):
                self.traces.show_order(rows_by(state, "weight"))
            self._sorting = key
            self._session.tasks.begin(self._sort(state, key), tr("ordering the features"), quietly=True)
        self._show_caption()

    async def _sort(self, state: RunState, key: str) -> None:
        """Sort by name or similarity, which takes a while, on another thread or in a worker."""
        try:
            if key == "name":
                order = await self._session.tasks.in_thread(natural_order, state.features)
            else:
                by_weight = rows_by(state, "weight")
                some = by_weight[:_MOST_CLUSTERED]
                history = state.heatmap.view if state.weights is not None else None
                if history is None:
                    history = np.unpackbits(state.selection.view, axis=1, count=len(state.features)) * np.uint8(255)
                every = max(1, -(-len(history) // _CLUSTER_STEPS))
                traces = np.ascontiguousarray(history[::every][:, some].T)
                alike = await self._session.tasks.in_worker(clusters_task, traces)
                order = np.concatenate([some[alike], by_weight[_MOST_CLUSTERED:]])
        finally:
            self._sorting = ""
        if state is self._state:
            self._sorted = (state, key, order)
            if key == self.order.currentData():
                self.traces.show_order(order)
                self._show_caption()

    def refresh(self) -> None:
        """Draw the current state."""
        state, key = self._state, self.view.key
        self.search.show_names(() if state is None else state.features)
        if key == "data":
            self.data.show_run(self.run)
        elif key == "runs":
            self.runs.show_runs(self._like_this())
        elif state is not None:
            if len(self.traces.order) != len(state.features):
                self.reorder(anyway=True)
            self.traces.refresh()
        words = self._why_empty()
        self.set_empty(bool(words), words)
        self._show_bar()
        self._show_caption()

    def _why_empty(self) -> str:
        """Why nothing is drawn; "" if something is."""
        state, key = self._state, self.view.key
        if state is None or (key not in ("data", "runs") and not state.evaluations):
            return tr("One row per feature, one column per step. Dark: out; yellow: in.")
        if key == "weights" and state.weights is None and self.run is not None and self.run.active:
            return tr("No feature has a weight yet; see Selection instead.")
        if key == "weights" and state.weights is None:
            return tr("This method tests subsets without weighting features; see Selection instead.")
        if key == "selection" and self._tries_nothing_whole(state):
            return tr("This method does not test whole subsets during the search; see Weights instead.")
        return ""

    def _tries_nothing_whole(self, state: RunState) -> bool:
        """Whether the method evaluates strategies on parts of the rows only, and its result on all rows."""
        is_read = self.run is not None and not self._session.histories.reading(self.run)
        return is_read and state.race.folds > 0 and len(state.selection.iterations) < 2

    def _like_this(self) -> list[Run]:
        """The runs on the same data, oldest first."""
        if self.run is None:
            return []
        wanted = self.run.spec.data_fingerprint
        return [run for run in self._session.runs if run.spec.data_fingerprint == wanted]

    def _show_caption(self) -> None:
        key = self.view.key
        if key in ("data", "runs"):
            page = self.data if key == "data" else self.runs
            self.caption.setText(page.caption)
            ends = ("−3", "3") if key == "data" else (tr("out"), tr("in"))
            tip = (
                tr("Standard deviations from the mean of the feature")
                if key == "data"
                else tr("Share of the subsets that contain the feature")
            )
        else:
            self._count()
            reach = self.traces.reach
            ends = (
                (number(0.5 - reach, ".2f"), number(0.5 + reach, ".2f")) if key == "weights" else (tr("out"), tr("in"))
            )
            tip = tr("The color scale is centered on 0.5; at or above it, a feature is in.")
        self.lowest.setText(ends[0])
        self.highest.setText(ends[1])
        for part in (self.lowest, self.highest, self._bar):
            part.setToolTip(tip)
        self._bar.setAccessibleName(tip)

    def _count(self) -> None:
        if self.view.key not in ("data", "runs"):
            self.caption.setText(self._counted())

    def _counted(self) -> str:
        features, frame = self.traces.count(), self.traces.frame
        if not features or self._state is None:
            return ""
        if self._sorting:
            return tr("sorting …")
        if self.run is not None and self._session.histories.reading(self.run):
            return tr("reading the steps …")
        shown = min(features, round(frame.visible))
        if shown >= features:
            share = features / max(1.0, frame.area.height())
            if share > 1:
                return tr(
                    "all {count} features, about {some} per line", count=number(features), some=number(share, ".0f")
                )
            return tr("all {count} features", count=number(features))
        if self.order.currentData() == "clusters" and features > _MOST_CLUSTERED:
            return tr(
                "the {most} features with the largest weights are clustered, followed by the others",
                most=number(_MOST_CLUSTERED),
            )
        return tr("{shown} of {count} features", shown=number(shown), count=number(features))

    def _save_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setObjectName("heatmapSave")
        for suffix, text in (
            ("png", tr("Image for slides (PNG) …")), ("svg", tr("Editable vector graphic (SVG) …")),
            ("pdf", tr("Image for print (PDF) …")), ("csv", tr("Numbers (CSV) …")),
        ):  # fmt: skip
            action = menu.addAction(text)
            action.setObjectName(f"heatmapSave_{suffix}")
            action.triggered.connect(lambda _=False, suffix=suffix: self.ask_path(suffix))
        return menu

    def ask_path(self, suffix: str) -> None:
        """Let the user choose a file for the heatmap that is shown."""
        if self.run is not None:
            name, kinds = f"{self.run.spec.data_name} {self.view.key}.{suffix}", f"{suffix.upper()} (*.{suffix})"
            write = partial(self._write, self.run, self.view.key)
            title, doing = tr("Save this heatmap"), tr("saving the heatmap")
            ask_save(self, self._session, "heatmap", title, name, kinds, write, doing)

    async def _write(self, run: Run, view: str, path: Path) -> None:
        """Have a worker write the current view of a run."""
        session, project = self._session, self._session.project
        if project is None:
            raise ProjectError("There is no run yet whose heatmap could be saved. Press Run first.")
        if view == "runs":
            canvas = self.runs.canvas
            if not canvas.shares.size:
                raise ProjectError("No run has found a subset yet. Give it a moment.")
            note = self.runs.stability.text()
            shares = canvas.shares, canvas.row_names, canvas.column_names
            await session.tasks.in_worker(runs_file_task, *shares, note, str(path), current_language().name)
        elif view == "data":
            if run.state.best is None:
                raise ProjectError("This run has not found a subset yet. Give it a moment.")
            shared = await session.loader.shared_dataset(project, run.spec.data_fingerprint)
            mask, weights = run.state.best.mask, weights_of(run.state)
            await session.tasks.in_worker(map_file_task, shared, mask, weights, str(path), current_language().name)
        else:
            frame = self.traces.frame
            wanted = TraceRequest(view, self.traces.order, frame.span, frame.left, frame.right)
            await session.flush()
            where = str(project.path), run.id
            await session.tasks.in_worker(traces_file_task, *where, wanted, str(path), current_language().name)

    def show_range(self, left: float, right: float) -> None:
        """Show these iterations, as the error curve does."""
        self.traces.show_range(left, right)

    def _draw_icon(self) -> None:
        self.menu.setIcon(icon("export"))
