"""The evidence for a subset, one view at a time: size, predictions, equivalent subsets, single features, chance."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHeaderView, QSizePolicy, QTableView, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.plots.column_plots import ValuesView
from fsdesk.app.plots.predictions import ConfusionView, NumbersView, RocView, SurvivalView
from fsdesk.app.plots.size_plot import SizePlot
from fsdesk.app.result_page.decision_view import DecisionView
from fsdesk.app.result_page.new_rows import ValidationView
from fsdesk.app.result_page.shuffled_view import ShuffledView
from fsdesk.app.result_page.stability_view import StabilityView
from fsdesk.app.session.run import Run
from fsdesk.app.tables import TableModel, TextRows, row_list
from fsdesk.app.widgets import Card, Choice, ContentStack, button, column, label, named, panel, row, scrolled
from fsdesk.engine import RunState
from fsdesk.messages import localised, number, tr, translated
from fsdesk.results.features import FeaturePreview
from fsdesk.wrappers import Task

if TYPE_CHECKING:
    from fsdesk.app.session.findings import Findings
    from fsdesk.results.diagnosis import Diagnosis
    from fsdesk.results.features import Effect
    from fsdesk.results.subsets import EquivalentSubsets

_SEARCH = "https://duckduckgo.com/?q={name}"


class FeatureView(QWidget):
    """Shows a feature; nothing is sent over the network before its link is clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.name, self.words, self.key = label("", "heading"), label("", wrap=True), label("", "caption", wrap=True)
        named(self.words, "featureWords", tr("Feature details"))
        self.link = button(tr("Look up this name"), "lookUpFeature", "link", tr("Look up this name on the web"))
        self.link.setToolTip(tr("Opens your browser and sends this name to the search engine duckduckgo.com"))
        self.link.clicked.connect(self._look_up)
        self.values = ValuesView()
        head = row(self.name, None, self.link)
        self.setLayout(column(scrolled(panel(column(head, self.words, self.values, self.key, None)))))

    def show_feature(self, preview: FeaturePreview, effect: "Effect | None", features: tuple[str, ...]) -> None:
        """Show a feature of the subset; ``effect`` is None while it is being computed."""
        self.name.setText(preview.name)
        self.words.setText(effect_words(effect, features, numbers=preview.response is not None))
        self.values.show_preview(preview)
        if preview.response is not None:
            self.key.setText(tr("Each point is a row: feature value horizontally, {target} vertically.",
                                target=preview.target_name))  # fmt: skip
        else:
            self.key.setText(tr("Values by class; the line is the median."))

    def _look_up(self) -> None:
        QDesktopServices.openUrl(QUrl(_SEARCH.format(name=quote(self.name.text()))))


def effect_words(effect: "Effect | None", features: tuple[str, ...], *, numbers: bool) -> str:
    """The effect of a feature, in sentences."""
    if effect is None:
        return tr("Calculating its effect on held-out rows …")
    said = []
    if effect.direction:
        direction = translated(effect.direction)
        if numbers and effect.standardised is not None:
            said.append(
                tr("{direction} (rank correlation {value}).", direction=_capital(direction),
                   value=number(effect.standardised, ".2f"))
            )  # fmt: skip
        elif effect.difference is not None and effect.standardised is not None:
            said.append(
                tr("{direction}: the means differ by {difference} ({standardised} standard deviations).",
                   direction=_capital(direction), difference=number(abs(effect.difference), ".3g"),
                   standardised=number(abs(effect.standardised), ".2f"))
            )  # fmt: skip
    if effect.effect is not None and numbers:
        said.append(tr("Over its range, the prediction changes by {amount}.", amount=number(effect.effect, ".3g")))
    elif effect.effect is not None:
        said.append(
            tr("Over its range, the predicted probability changes by up to {amount} percentage points on "
               "held-out rows.",
               amount=number(100 * effect.effect, ".1f"))
        )  # fmt: skip
    said += _coefficient_words(effect)
    if effect.importance is not None and effect.importance_low is not None and effect.importance_high is not None:
        said.append(
            tr("Importance given the other selected features: {value} (95 % interval {low} to {high}).",
               value=number(effect.importance, ".3f"), low=number(effect.importance_low, ".3f"),
               high=number(effect.importance_high, ".3f"))
        )  # fmt: skip
    if effect.like is not None and effect.correlation is not None and effect.stands_in:
        said.append(
            tr("It may be standing in for {name}, the most similar feature that was not selected (correlation "
               "{value}).",
               name=features[effect.like], value=number(effect.correlation, ".2f"))
        )  # fmt: skip
    return " ".join(said) or tr("No effect can be estimated: the feature is categorical or constant.")


def _coefficient_words(effect: "Effect") -> list[str]:
    """The odds or hazard ratio, or the additive effect, in a linear model."""
    found = effect.coefficient
    if found is None or found.low is None or found.high is None:
        return []
    is_ratio = effect.kind in ("odds", "hazard")
    value, low, high = (
        number(end, ".3g") for end in (found.ratios() if is_ratio else (found.value, found.low, found.high)) if end
        is not None
    )  # fmt: skip
    numbers = {"step": number(found.scale, ".3g"), "value": value, "low": low, "high": high}
    if effect.kind == "odds":
        words = tr(
            "In the model, an increase of {step} multiplies the odds by {value} (95 % interval {low} to {high}).",
            **numbers,
        )
    elif effect.kind == "hazard":
        words = tr(
            "In the model, an increase of {step} multiplies the hazard by {value} (95 % interval {low} to {high}).",
            **numbers,
        )
    else:
        words = tr("In the model, an increase of {step} adds {value} (95 % interval {low} to {high}).", **numbers)
    return [words]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_MOST_FEATURES = 500


class EquivalentView(QWidget):
    """Lists of the equally good subsets and of their features; ``wanted`` sends the mask (p,) of a subset to show."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._equivalent: EquivalentSubsets | None = None
        self.words = label("", "muted", wrap=True)
        named(self.words, "equivalentWords", tr("Number of equally good subsets"))
        self._subsets = TextRows((tr("Features"), tr("Value"), tr("Measured"), tr("Difference")), (0, 1, 2))
        self._features = TextRows((tr("Feature"), tr("Number of subsets")), (1,))
        self.list = _list("equivalent", tr("Equally good subsets; press Enter to view one"), self._subsets, 3)
        self.list.setToolTip(tr("Double-click or press Enter to view a subset"))
        self.list.activated.connect(self._open)
        self.often = _list("equivalentFeatures", tr("How often each feature occurs in them"), self._features, 0)
        layout = column(self.words, self.list, self.often)
        layout.setStretch(1, 3)
        layout.setStretch(2, 2)
        self.setLayout(layout)

    def show_subsets(self, state: RunState, found: "EquivalentSubsets") -> None:
        """Show the equally good subsets of a run."""
        if found is self._equivalent:
            return
        self._equivalent = found
        criterion = state.criterion
        limit, measured = localised(criterion.text(found.limit)), number(found.measured)
        if found.measured == 1:
            said = tr("No other subset was measured.")
        elif found.number == 1:
            said = tr(
                "None of the other {measured} subsets measured is within one standard error of the result ({limit}).",
                measured=measured, limit=limit,
            )  # fmt: skip
        else:
            said = tr(
                "Within one standard error of the result ({limit}): {number} of the {measured} subsets measured. All "
                "were measured on the same rows, so a feature may be in all of them by chance, and a subset measured "
                "only once may be here by chance too.",
                number=number(found.number), measured=measured, limit=limit,
            )  # fmt: skip
        self.words.setText(said)
        answer = state.best.mask if state.best is not None else found.shown[0].mask
        names = state.features

        def subset(row: int) -> tuple[str, ...]:
            each = found.shown[row]
            return (
                number(each.size),
                localised(criterion.text(each.error)),
                tr("{times} ×", times=number(each.times)) if each.times else "–",
                tr("the result") if each.answer else _difference(names, answer, each.mask),
            )

        def often(row: int) -> tuple[str, ...]:
            return names[order[row]], number(100 * found.frequency[order[row]], ".0f") + " %"

        self._subsets.show(len(found.shown), subset)
        order = np.argsort(-found.frequency, kind="stable")[:_MOST_FEATURES]
        self._features.show(int(np.count_nonzero(found.frequency[order] > 0)), often)
        self.often.setVisible(found.number > 1)  # the result alone has no counts

    def _open(self, index: QModelIndex) -> None:
        if self._equivalent is not None and index.isValid():
            self.wanted.emit(self._equivalent.shown[index.row()].mask)


def _difference(names: tuple[str, ...], answer: Any, mask: Any) -> str:
    """The difference between a subset and the result: "+ area, texture; − radius"."""
    more, less = np.flatnonzero(mask & ~answer), np.flatnonzero(answer & ~mask)
    parts = [f"{sign} {_some(names, some)}" for sign, some in (("+", more), ("−", less)) if len(some)]
    return "; ".join(parts)


def _some(names: tuple[str, ...], places: NDArray[np.int64]) -> str:
    shown = ", ".join(names[at] for at in places[:4].tolist())
    return shown if len(places) <= 4 else tr("{names} and {more} more", names=shown, more=len(places) - 4)


def _list(name: str, spoken: str, model: TableModel, wide: int) -> QTableView:
    """A list whose column ``wide`` takes the remaining space."""
    view = row_list(name, spoken, model)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.verticalHeader().setDefaultSectionSize(26)
    header = view.horizontalHeader()
    header.setResizeContentsPrecision(0)  # the visible rows
    for at in range(model.columnCount()):
        mode = QHeaderView.ResizeMode.Stretch if at == wide else QHeaderView.ResizeMode.ResizeToContents
        header.setSectionResizeMode(at, mode)
    return view


class _Pair(QWidget):
    """Two widgets side by side, or one above the other if that gives them more space."""

    def __init__(self, first: QWidget, second: QWidget) -> None:
        super().__init__()
        self._layout = row(first, second, spacing=2 * SPACE)
        self.setLayout(self._layout)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._layout.setDirection(way.LeftToRight if self.width() > 1.4 * self.height() else way.TopToBottom)


_PICTURES = {
    "classification": ("confusion", "roc", "decision"),
    "regression": ("numbers", "residuals"),
    "survival": ("survival", "decision"),
}
"""Figures of predictions, by kind of target; the first is shown first."""
_PLOTS: Mapping[str, Callable[[], RocView | NumbersView | SurvivalView]] = {
    "survival": SurvivalView,
    "roc": RocView,
    "numbers": partial(NumbersView, "predictedPlot", residuals=False),
    "residuals": partial(NumbersView, "residualsPlot", residuals=True),
}


class EvidenceCard(Card):
    """The figures with their switch; ``subset_wanted`` sends the mask (p,) of a subset to show.

    ``decision_wanted`` is the :attr:`DecisionView.wanted` of that view.
    """

    subset_wanted = Signal(object)
    decision_wanted = Signal(object, object, object, object, object)

    def __init__(self) -> None:
        super().__init__(tr("Evidence"))
        self.setObjectName("evidenceCard")
        self.switch = Choice()
        self.switch.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # views depend on the target
        named(self.switch, "evidence", tr("Evidence shown"))
        self.switch.activated.connect(lambda _: self.pick(str(self.switch.currentData())))
        self.head.insertWidget(1, self.switch)
        self.sizes, self.equivalent, self.shuffled = SizePlot(), EquivalentView(), ShuffledView()
        self.stability, self.feature, self.external = StabilityView(), FeatureView(), ValidationView("external")
        self._has_feature = False
        self.chosen = ConfusionView("confusionChosen", tr("Confusion matrix of the subset"))
        self.everything = ConfusionView("confusionAll", tr("Confusion matrix of all features"))
        self.equivalent.wanted.connect(self.subset_wanted)
        self.sizes.picked.connect(lambda point: self.subset_wanted.emit(None if point is None else point[0]))
        self.plots: dict[str, RocView | NumbersView | SurvivalView] = {}
        self.decision: DecisionView | None = None
        self._diagnosis: Diagnosis | None = None
        matrices = scrolled(_Pair(self.chosen, self.everything))
        self.pages: dict[str, QWidget] = {
            "size": self.sizes.plot, "confusion": matrices, "equivalent": self.equivalent,
            "stability": self.stability, "feature": self.feature, "shuffled": self.shuffled,
            "external": scrolled(self.external),
        }  # fmt: skip
        self.stack = ContentStack(*self.pages.values())
        self.words = self.stack.words
        named(self.words, "evidenceWords", tr("Why nothing is shown"))
        self.stack.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.stack.setMinimumSize(200, 200)  # figures shrink before a small window scrolls
        self.body.addWidget(self.stack, 1)
        self.rows = label("", "caption", wrap=True)
        named(self.rows, "evidenceRows", tr("Rows shown"))
        self.body.addWidget(self.rows)
        self._why: dict[str, str] = {}
        self._picked = False
        self._offer("classification", external=False)
        self._choose("size")

    def pick(self, key: str) -> None:
        """Show a figure, as if chosen by the user."""
        self._picked = True
        self._choose(key)

    def _choose(self, key: str) -> None:
        self.switch.setCurrentIndex(max(0, self.switch.findData(key)))
        why = self._why.get(key, "")
        if why:
            self.stack.say(why)
        else:
            if key in _PLOTS and key not in self.pages:
                self._add_plot(key)
            if key == "decision" and self.decision is None:
                self._add_decision()
            self.stack.setCurrentWidget(self.pages[key])
        self.rows.setVisible(not why and any(key in each for each in _PICTURES.values()))

    def _add_plot(self, key: str) -> None:
        """Create a plot when it is first shown; creating all of them at once takes a tenth of the start-up time."""
        self.plots[key] = plot = _PLOTS[key]()
        # The words below survival curves are long: they scroll rather than squeeze the curves.
        self.pages[key] = page = scrolled(plot) if isinstance(plot, SurvivalView) else plot
        self.stack.addWidget(page)
        if self._diagnosis is not None:
            plot.show_diagnosis(self._diagnosis)

    def _add_decision(self) -> None:
        """Create the decision view when it is first shown, as with plots."""
        self.pages["decision"] = self.decision = DecisionView()
        self.decision.wanted.connect(self.decision_wanted)
        self.stack.addWidget(self.decision)
        if self._diagnosis is not None and self._diagnosis.scored is not None:
            self.decision.show_scored(self._diagnosis.scored)

    def show_feature(self, preview: FeaturePreview, effect: "Effect | None", features: tuple[str, ...]) -> None:
        """Show the effect of a feature of the subset."""
        self._has_feature = True
        self._why.pop("feature", "")
        self.feature.show_feature(preview, effect, features)

    def forget_feature(self) -> None:
        """Forget the chosen feature: another subset or run is shown."""
        self._has_feature = False

    def show_progress(self, run: Run, runs: Sequence[Run], *, read_only: bool) -> None:
        """Show the progress of outer folds and shuffled runs."""
        self.shuffled.show_run(run, read_only=read_only)
        if self.stability.show_run(run, runs) and self._why.pop("stability", ""):
            self._choose(str(self.switch.currentData()))

    def show_findings(
        self, run: Run, runs: Sequence[Run], findings: "Findings", *, picked: bool, read_only: bool
    ) -> None:
        """Show the evidence for a run's result, or for another subset that was ``picked``."""
        state = run.state
        self.sizes.show_state(state)
        self.shuffled.show_run(run, read_only=read_only)
        diagnosis = findings.diagnosis
        self._why = self._missing(state, findings)
        if not self._has_feature:
            self._why["feature"] = tr("Select a feature in the list to see its effect.")
        shown_mask = state.best.mask if state.best is not None else np.zeros(len(state.features), dtype=np.bool_)
        trust = None if picked else findings.trust
        self.stability.show_trust(trust, shown_mask)
        if not self.stability.show_run(run, runs):
            self._why["stability"] = tr(
                "Stability can be assessed once searches on other rows are available: measure the held-out error, or "
                "repeat the run with other seeds."
            )
        if picked:
            self._why["shuffled"] = tr("Shuffled runs are compared with the run's result. Go back to the result.")
        record = None if picked else run.record
        tests = () if record is None else record.external
        if record is not None and tests:
            self.external.show_validations(tests, record.honest, run.spec.data_name)
        self._offer(state.criterion.task, external=bool(tests))
        if diagnosis is not None:
            self._draw(diagnosis)
        if findings.equivalent is not None:
            self.equivalent.show_subsets(state, findings.equivalent)
        key = str(self.switch.currentData())
        if not self._picked:  # what is available, until the user chooses
            predicted = _PICTURES[state.criterion.task][0]
            key = predicted if "size" in self._why else "size"
        self._choose(key)

    def _offer(self, task: Task, *, external: bool) -> None:
        titles = {
            "size": tr("Error against size"), "confusion": tr("Confusion matrix"), "roc": tr("ROC curve"),
            "decision": tr("Decision"), "numbers": tr("Predicted and observed"), "residuals": tr("Residuals"),
            "survival": tr("Survival by predicted risk"),
            "equivalent": tr("Equally good subsets"), "stability": tr("Stability"),
            "feature": tr("Feature effect"), "shuffled": tr("Shuffled labels"),
            "external": tr("On other tables"),
        }  # fmt: skip
        every = {key for keys in _PICTURES.values() for key in keys}
        absent = [key for key in titles if key in every and key not in _PICTURES[task]]
        for key in (*absent, *(() if external else ("external",))):
            del titles[key]
        if self.switch.offered != tuple(titles):
            shown = self.switch.currentData()
            self.switch.offer(titles)
            self.switch.setCurrentIndex(max(0, self.switch.findData(shown)))

    def _draw(self, diagnosis: "Diagnosis") -> None:
        size, total = int(diagnosis.mask.sum()), len(diagnosis.mask)
        self.rows.setText(diagnosis.rows_words())
        if diagnosis.chosen.confusion.size:
            these, every = tr("These {size} features", size=number(size)), tr("All {size} features", size=number(total))
            if diagnosis.held_out and (size < total or diagnosis.everything.confusion.size):
                these = tr("Selected features")  # each part of the rows has its own
            self.chosen.show_matrix(these, diagnosis.chosen.confusion, diagnosis.classes)
            self.everything.show_matrix(every, diagnosis.everything.confusion, diagnosis.classes)
            self.everything.setVisible(bool(diagnosis.everything.confusion.size))
        self._diagnosis = diagnosis
        for key, plot in self.plots.items():
            if diagnosis.chosen.curves if key == "roc" else len(diagnosis.chosen.predicted):
                plot.show_diagnosis(diagnosis)
        if self.decision is not None and diagnosis.scored is not None:
            self.decision.show_scored(diagnosis.scored)

    def _missing(self, state: RunState, findings: "Findings") -> dict[str, str]:
        """Why a figure cannot be shown, in words, by its key."""
        why: dict[str, str] = {}
        if not state.confirmed.curve():
            why["size"] = (
                tr(
                    "The report and the export plot the error of each strategy against the number of features, on "
                    "held-out rows."
                )
                if state.race.folds
                else tr(
                    "This run has no finalists of different sizes, so error against size cannot be shown. Methods "
                    "such as BSPSA-H measure them at the end of the search."
                )
            )
        diagnosis = findings.diagnosis
        at_work, later = (
            tr("Measuring …"),
            tr("Not measured yet: press Look closer."),
        )
        waiting = findings.refusal or (at_work if findings.at_work else later)
        if findings.equivalent is None:
            why["equivalent"] = waiting
        if diagnosis is None or not len(diagnosis.chosen.losses):
            reason = waiting if diagnosis is None else diagnosis.chosen.refusal
            return why | dict.fromkeys((key for keys in _PICTURES.values() for key in keys), reason)
        if not diagnosis.chosen.curves:
            why["roc"] = tr(
                "This model predicts classes without scores, so there is no ROC curve. Models such as naive Bayes or "
                "logistic regression provide scores."
            )
        if not diagnosis.held_out:
            why["decision"] = tr(
                "A cut-off is evaluated on rows held out from the search, and there are none for this subset. "
                "Measure the held-out error of the result."
            )
        elif diagnosis.scored is None:
            from fsdesk.results.decision import why_not

            why["decision"] = translated(why_not(None))
        return why
