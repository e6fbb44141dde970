"""Stability of the selection: selections on other rows, the consensus list, and the error."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QHeaderView, QSlider, QStackedWidget, QWidget

from fsdesk.app.plots.axes import Crosshair, Readable, ink, plot_widget
from fsdesk.app.result_page.answer_table import role_help
from fsdesk.app.session.run import Run
from fsdesk.app.session.run_actions import same_search
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.tables import TextRows, fitting_width, row_list
from fsdesk.app.translation import unseen_title
from fsdesk.app.widgets import Choice, button, column, label, named, panel, row
from fsdesk.messages import localised, number, tr, tr_many
from fsdesk.results.curves import drawn
from fsdesk.results.feature_tests import FALSE_SHARE
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.stability import Selections, consensus_of, known_selections

if TYPE_CHECKING:
    from fsdesk.results.trust import Trust


@dataclass(frozen=True)
class StablePoint:
    """A run: its name, the similarity of its selections, its held-out error, and whether it is the current one."""

    name: str
    agreement: float
    honest: HonestError
    shown: bool


class StabilityPlot(QObject):
    """The plot; ``points`` are those drawn, by increasing agreement."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = plot_widget(
            "stabilityPlot",
            tr("Agreement of the selections against error"),
            bottom=tr("agreement (1: identical)"),
        )
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.12)
        self.plot.setMouseEnabled(x=False, y=False)
        self._bars: Any = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0), beam=0)
        item.addItem(self._bars)
        self._others: Any = item.plot([], [], pen=None, symbol="o", symbolSize=9)
        self._shown: Any = item.plot([], [], pen=None, symbol="d", symbolSize=14)
        self.points: tuple[StablePoint, ...] = ()
        self.crosshair = Crosshair(self.plot, self._readables)
        self.setParent(self.plot)  # so that it is deleted with the plot
        on_theme(self._take_colours)

    def show_points(self, points: Sequence[StablePoint]) -> None:
        """Draw the runs measured by the criterion of the first one."""
        fitting = [each for each in points if each.honest.criterion == points[0].honest.criterion]
        self.points = tuple(sorted(fitting, key=lambda each: each.agreement))
        self._draw()
        if not self.points:
            return
        criterion = self.points[0].honest.judged
        self.plot.getPlotItem().getAxis("left").setLabel(unseen_title(criterion))
        x, _, low, high = self._places()
        ends = [low.min(), high.max()]
        room = 0.08 * (ends[1] - ends[0]) or 1.0
        self.plot.setYRange(ends[0] - room, ends[1] + room, padding=0)
        self.plot.setXRange(min(0.0, float(x.min())), 1.0, padding=0.04)

    def _places(self) -> tuple[Any, Any, Any, Any]:
        x = np.array([each.agreement for each in self.points])
        errors = [each.honest for each in self.points]
        losses = [[each.value, each.low, each.high] for each in errors]
        known = np.array([[row[0] if each is None else each for each in row] for row in losses]).reshape(-1, 3)
        if not len(known):
            return x, x, x, x
        shown = drawn(errors[0].judged, known)
        return x, shown[:, 0], shown[:, 1:].min(axis=1), shown[:, 1:].max(axis=1)

    def _draw(self) -> None:
        x, value, low, high = self._places()
        own = np.array([each.shown for each in self.points], dtype=np.bool_)
        pen = ink(tokens().line_baseline, 1.5)
        self._bars.setData(x=x, y=value, top=high - value, bottom=value - low, pen=pen)
        self._others.setData(x[~own], value[~own])
        self._shown.setData(x[own], value[own])

    def _readables(self) -> list[Readable]:
        x, value, _, _ = self._places()

        def words(place: int) -> str:
            point = self.points[place]
            return tr(
                "{run}: agreement {index}, error {value} (95 % interval {interval})",
                run=point.name, index=number(point.agreement, ".2f"),
                value=localised(point.honest.value_words()), interval=point.honest.interval_words(),
            )  # fmt: skip

        return [Readable(x, value, words)] if len(x) else []

    def _take_colours(self) -> None:
        self._others.setSymbolBrush(QColor(tokens().line_average))
        self._others.setSymbolPen(None)
        self._shown.setSymbolBrush(QColor(tokens().line_best))
        self._shown.setSymbolPen(None)
        self._draw()


_STEP = 5  # percent of the threshold
_USUAL = 50
_NAME = 150  # pixels of the names
_MOST_PARTNERS = 4


def _in_lines(heading: str) -> str:
    """A heading of two lines, so that its narrow column leaves room for others."""
    return heading.replace(" ", "\n", 1) if " " in heading else heading.replace("-", "-\n", 1)


class StabilityView(QWidget):
    """Text, the list with its threshold, and the runs of the project by stability and error."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: tuple[object, ...] = ()
        self._selections: dict[str, Selections] = {}
        self._names: tuple[str, ...] = ()
        self._points: list[StablePoint] = []
        self._run: Run | None = None
        self._trust: Trust | None = None
        self.source = Choice()
        named(self.source, "stabilitySource", tr("Selections compared"))
        self.source.currentIndexChanged.connect(lambda _: self._show())
        self.samples = label("", "muted", wrap=True)
        named(self.samples, "stabilitySamples", tr("Expected agreement on new samples"))
        self.words = label("", "muted", wrap=True)
        named(self.words, "stabilityWords", tr("Stability of the selection"))
        self.threshold = QSlider(Qt.Orientation.Horizontal)
        self.threshold.setRange(1, 100 // _STEP)
        self.threshold.setValue(_USUAL // _STEP)
        self.threshold.setFixedWidth(160)
        named(
            self.threshold,
            "stabilityThreshold",
            tr("Minimum share of selections for a feature to be listed"),
        )
        self.threshold.valueChanged.connect(lambda _: self._show_list())
        self.least = label("")
        self.copy = button(tr("Copy the list"), "copyConsensus", "link", tr("Copy the listed feature names"))
        self.copy.clicked.connect(self.copy_names)
        self.model = TextRows(
            (tr("Feature"), _in_lines(tr("Selected in")), _in_lines(tr("Half-samples")), tr("Role")), (1, 2),
            ("", tr("Share of the selections that contain the feature"),
             tr("Share of random half-samples of the rows that select the feature"), role_help()),
        )  # fmt: skip
        self.view = row_list("stabilityList", tr("Features by selection frequency"), self.model)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        header.setTextElideMode(Qt.TextElideMode.ElideNone)  # a title may use the space of the absent arrow
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        least = row(label(tr("List features in at least")), self.least, None)
        parts = (self.samples, self.words, least, row(self.threshold, None, self.copy), self.view)
        self.list = panel(column(*parts, grow=[self.view]))
        self.scatter = StabilityPlot()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.list)
        self.stack.addWidget(self.scatter.plot)
        self.setLayout(column(self.source, self.stack, grow=[self.stack]))

    def show_run(self, run: Run, runs: Sequence[Run]) -> bool:
        """Show the stability of a run among the runs of the project; return whether there is anything."""
        seen = run.id, tuple((each.id, each.phase, len(each.evidence), each.validation is None) for each in runs)
        if seen != self._seen or run is not self._run:
            self._seen, self._run, self._names = seen, run, run.state.features
            self._selections = _of_run(run) | _of_seeds(run, runs)
            self._points = _points(run, runs)
            titles = {key: _title(key, each) for key, each in self._selections.items()}
            if len(self._points) > 1:
                titles["error"] = tr("Agreement against error, {count} runs", count=number(len(self._points)))
            if self.source.offered != tuple(titles) or any(
                self.source.itemText(at) != title for at, title in enumerate(titles.values())
            ):
                before = self.source.currentData()
                self.source.offer(titles)
                self.source.setCurrentIndex(max(0, self.source.findData(before)))
            self._show()
        return bool(self.source.count())

    def show_trust(self, trust: "Trust | None", mask: NDArray[np.bool_]) -> None:
        """Show the results of half-samples and tests on the features once available."""
        if trust is self._trust and self.samples.text():
            return
        from fsdesk.results.trust import stability_words, trust_words

        self._trust = trust
        if trust is None:
            self.samples.setText(tr("Estimating the selection on new samples …"))
            self.samples.setToolTip("")
        else:
            self.samples.setText("\n".join(_known_words(trust, mask)))
            whole = "\n".join(filter(None, (stability_words(trust.halves), trust_words(trust, mask))))
            self.samples.setToolTip(whole)
            self.samples.setAccessibleDescription(whole)
        self._show_list()

    @property
    def consensus(self) -> tuple[str, ...]:
        """The features of the list, in table order."""
        selections = self._selections.get(str(self.source.currentData()))
        if selections is None:
            return ()
        return consensus_of(selections, self._names, self.threshold.value() * _STEP / 100).features

    def copy_names(self) -> None:
        """Copy the list to the clipboard, one name per line."""
        QGuiApplication.clipboard().setText("\n".join(self.consensus))

    def _show(self) -> None:
        key = str(self.source.currentData())
        if key == "error":
            self.scatter.show_points(self._points)
            self.stack.setCurrentIndex(1)
            return
        self.stack.setCurrentIndex(0)
        selections = self._selections.get(key)
        if selections is not None:
            self.words.setText(_said(selections))
            self._show_list()

    def _show_list(self) -> None:
        key = str(self.source.currentData())
        selections = self._selections.get(key)
        if selections is None:
            return
        share = self.threshold.value() * _STEP
        count = len(self.consensus)
        features = tr_many(count, "{count} feature", "{count} features")
        self.least.setText(tr("{share} %: {features}", share=number(share), features=features))
        self.copy.setEnabled(count > 0)
        frequency, trust = selections.frequency, self._trust
        order = np.argsort(-frequency, kind="stable")
        order = order[: int(np.count_nonzero(frequency > 0))]
        listed = set(self.consensus)

        def write(at: int) -> tuple[str, ...]:
            place = int(order[at])
            name = self._names[place]
            mark = "✓ " if name in listed else "   "
            shares = frequency if trust is None or trust.halves is None else trust.halves.probability
            half = "" if shares is frequency or np.isnan(shares[place]) else _percent(float(shares[place]))
            role = "" if trust is None else role_words(trust, place, self._names)
            return mark + name, _percent(float(frequency[place])), half, role

        self.model.show(len(order), write)
        self.view.setColumnWidth(0, min(_NAME, fitting_width(self.view, 0)))


def _known_words(trust: "Trust", mask: NDArray[np.bool_]) -> list[str]:
    """Results of half-samples and tests on the list, in one line each; the tooltips have the complete text."""
    said, halves, associated = [], trust.halves, trust.tests.associated
    if halves is not None and halves.stability is not None:
        index, low, high = (
            number(each, ".2f") for each in (halves.stability.index, halves.stability.low, halves.stability.high)
        )
        said.append(tr("Expected stability on new samples: {index} ({low} to {high})", index=index, low=low, high=high))
    count = number(int(mask.sum()))
    said.append(
        tr(
            "Individually associated: {found} of {count} selected, {every} overall; on average, at most {share} % are "
            "false",
            found=number(int((associated & mask).sum())), count=count, every=number(int(associated.sum())),
            share=number(100 * FALSE_SHARE, ".0f"),
        )
    )  # fmt: skip
    if halves is not None:
        said.append(
            tr(
                "In nearly all half-samples: {found} of {count} selected, {every} overall; on average, at most {false} "
                "are irrelevant",
                found=number(int((halves.supported & mask).sum())), count=count,
                every=number(int(halves.supported.sum())), false=number(halves.expected_false, ".1f"),
            )
        )  # fmt: skip
    return said


def _percent(share: float) -> str:
    return number(100 * share, ".0f") + " %"


def role_words(trust: "Trust", place: int, names: Sequence[str]) -> str:
    """The role of a feature, and the features with which it is interchangeable."""
    from fsdesk.results.trust import ROLES

    role, partners = trust.roles[place], trust.partners.get(place, ())
    if role != "interchangeable":
        return tr(ROLES[role])
    shown = ", ".join(names[each] for each in partners[:_MOST_PARTNERS])
    return tr("interchangeable with {names}", names=shown)


def _of_run(run: Run) -> dict[str, Selections]:
    """The selections of the run itself: updated as outer folds end."""
    best = run.state.best
    if best is None:
        return {}
    live = run.validation is not None
    found = known_selections(run.honesty, run.state.race, len(best.mask), partial=live)
    return {} if found is None else {"run": found}


def _of_seeds(run: Run, runs: Sequence[Run]) -> dict[str, Selections]:
    """The results of the same search with other seeds, if any."""
    alike = [
        each.state.best.mask
        for each in runs
        if each.phase == "finished"
        and each.state.best is not None
        and same_search(each.spec.model_copy(update={"seed": run.spec.seed}), run.spec)
    ]
    if len(alike) < 2:
        return {}
    masks = np.array(alike, dtype=np.bool_)
    return {"seeds": Selections("runs", masks)}


def _points(run: Run, runs: Sequence[Run]) -> list[StablePoint]:
    """The finished runs on the same data with known agreement and held-out error; the current one first."""
    made = []
    for each in sorted(runs, key=lambda other: other is not run):
        if each.spec.data_fingerprint != run.spec.data_fingerprint or each.phase != "finished":
            continue
        found, honest = _of_run(each).get("run"), each.honest
        alike = None if found is None else found.agreement
        if alike is not None and honest is not None:
            made.append(StablePoint(each.label, alike, honest, each is run))
    return made


def _title(key: str, selections: Selections) -> str:
    count = number(len(selections.masks))
    if key == "seeds":
        return tr("{count} runs with other seeds", count=count)
    if selections.source == "outer folds":
        return tr("{count} outer folds of this run", count=count)
    return tr("{count} resamples of this run", count=count)


def _said(selections: Selections) -> str:
    """The similarity of the listed selections, and why it does not predict the similarity on new samples."""
    alike = selections.agreement
    if alike is None:
        return tr("Every selection contains all features, so stability does not apply.")
    if selections.source == "runs":
        basis = tr(
            "Based on the same rows with other seeds, so this reflects the randomness of the search, not of the rows."
        )
    elif selections.source == "outer folds":
        basis = tr(
            "Each is the result of a complete search, unlike the expected stability, which is that of one ranking cut "
            "at a fixed size. They share most of their rows, so searches on new samples would agree less."
        )
    else:
        basis = tr("They share most of their rows, so they agree more than selections on new samples would.")
    return tr(
        "Agreement of these selections: {index} (1: identical, 0: chance level). {basis}",
        index=number(alike, ".2f"), basis=basis,
    )  # fmt: skip
