"""The key figures of a run in one row: what it found, what it has to beat, how far it is."""

from math import isfinite

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fsdesk.app.look.criterion_words import compared
from fsdesk.app.look.parts import ElidedLabel, ProgressBar, button, column, label, named, row, surface
from fsdesk.app.look.sentences import retold
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import declared, localised, number, tr
from fsdesk.app.look.words import duration, folded
from fsdesk.app.runs.run_list import status_line
from fsdesk.app.work.runs import Run
from fsdesk.engine import Best
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.results.honest import OUTER_FOLDS

__all__ = ["Figures"]


def _search_tip(criterion: Criterion) -> str:
    direction = tr("Lower is better.") if criterion.direction == "lower" else tr("Higher is better.")
    honest = tr(
        "What the search itself saw. The best of many noisy measurements is a little too good: rows that the search "
        "never saw will do worse."
    )
    return f"{declared(criterion.help)} {direction} {honest}"


class _Figure(QWidget):
    def __init__(self, name: str, title: str, tip: str, *, wide: bool = False) -> None:
        super().__init__()
        self.title = label(title, "caption")
        self.value = label("–", "figure")
        self.note = ElidedLabel("caption") if wide else label("", "caption")
        self._said = title
        named(self.value, name, title)
        self.setToolTip(folded(tip))
        self.foot = row(self.note, spacing=4)
        inside = column(self.title, self.value, spacing=2)
        inside.addLayout(self.foot)
        inside.addStretch(1)
        self.setLayout(inside)

    def call(self, title: str, tip: str) -> None:
        if self.title.text() != title:
            self.title.setText(title)
            self._said = title
            self.setToolTip(folded(tip))

    def tell(self, value: str, note: str = "") -> None:
        if self.value.text() != value:
            self.value.setText(value)
            self.value.setAccessibleName(f"{self._said}: {value}")
        if self.note.text() != note:
            self.note.setText(note)


class Figures(QWidget):
    """What the search saw, what fresh folds and unseen rows say, all features, number of features, progress.

    ``honest_wanted`` tells that the user wants the honest error measured, or wants that stopped.
    """

    honest_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("figures")
        self.best = _Figure("bestError", "", "")
        self.fresh = _Figure(
            "freshError",
            tr("On fresh folds"),
            tr(
                "The answer measured again, twenty times, on folds that the search has not seen: without the luck of "
                "the folds, but on rows that chose it."
            ),
        )
        self._honesty = tr(
            "The honest error: the whole search is repeated inside outer folds, and each answer predicts rows that its "
            "search never saw. This is what to expect on new samples. ± is one standard error over the folds."
        )
        self.honest = _Figure("honestError", tr("On unseen rows"), self._honesty)
        self.measure = button(tr("Measure …"), "measureHonest", "link", tr("Measure the honest error of this run"))
        self.measure.clicked.connect(self.honest_wanted)
        self.honest.foot.addWidget(self.measure)
        self.honest.foot.addStretch(1)
        self.baseline = _Figure("baselineError", tr("All features"), tr("With no feature left out: the line to beat."))
        self.features = _Figure("bestSize", tr("Features"), tr("How many features the best mask so far holds."))
        self.progress = _Figure(
            "progress",
            tr("Measurements"),
            tr("How many masks were measured, of the most that it can take."),
            wide=True,
        )
        self.bar = ProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        named(self.bar, "progressBar", tr("Progress of the run"))
        self.reason = ElidedLabel("caption")
        named(self.reason, "endReason", tr("Why the search ended"))
        card = surface("card")
        inside = QHBoxLayout(card)
        inside.setContentsMargins(2 * SPACE, 12, 2 * SPACE, 12)
        inside.setSpacing(3 * SPACE)
        for figure in (self.best, self.fresh, self.honest, self.baseline, self.features):
            inside.addWidget(figure)
        last = QWidget()
        last.setLayout(column(self.progress, self.reason, self.bar, None, spacing=4))
        inside.addWidget(last, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(card)

    def show_run(self, run: Run | None) -> None:
        """Show a run as it is now."""
        criterion = CRITERIA["error"] if run is None else run.state.criterion
        self.best.call(tr("{criterion} in the search", criterion=declared(criterion.title)), _search_tip(criterion))
        if run is None:
            for figure in (self.best, self.fresh, self.honest, self.baseline, self.features, self.progress):
                figure.tell("–")
            self.progress.note.setText(tr("No run yet"))
            self.measure.hide()
            self._show_end("")
            self.bar.setValue(0)
            return
        state = run.state
        best = state.best
        self.best.tell(*(_told(criterion, best.mean, _doubt(criterion, best)) if best else ("–", "")))
        beaten = compared(criterion, state.baseline, best.mean) if best and state.baseline is not None else ""
        self.baseline.tell(*(_told(criterion, state.baseline, beaten) if state.baseline is not None else ("–", "")))
        self._show_evidence(run, criterion)
        total = len(state.features) or run.spec.features
        self.features.tell(number(int(best.mask.sum())) if best else "–", tr("of {count:,}", count=total))
        done = number(state.evaluations)
        note = status_line(run, paced=True)
        if run.task is None and state.seconds:
            note = tr("{status} · {time} of work", status=note, time=duration(state.seconds))
        finished = run.phase == "finished"
        self.progress.tell(done if finished else tr("{done} of {count:,}", done=done, count=run.most), note)
        self._show_end(retold(state.reason) if finished else "")
        self.bar.setValue(round(1000 * run.progress))

    def _show_end(self, reason: str) -> None:
        """Why it ended, in the place of a bar that would be full."""
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        self.bar.setVisible(not reason)

    def _show_evidence(self, run: Run, criterion: Criterion) -> None:
        fresh, honest = run.honesty.fresh, run.honesty.honest
        if fresh is None:
            dealt = run.spec.measuring.deals_anew
            self.fresh.tell("–", tr("the folds are fixed") if not dealt else tr("when it ends") if run.active else "")
        else:
            spread = f"± {localised(criterion.deviation(fresh.std_error))}"
            self.fresh.tell(*_told(criterion, fresh.mean, spread))
        if honest is None:
            value, note = "–", ""
        else:
            value = localised(criterion.text(honest.mean))
            note = f"± {localised(criterion.deviation(honest.std_error))}" if honest.std_error > 0 else ""
            note = ", ".join(filter(None, (note, tr("optimistic") if run.doubt else "")))
        tip = folded(f"{self._honesty} {run.doubt}")
        if self.honest.toolTip() != tip:
            self.honest.setToolTip(tip)
        going = run.validation
        if going is not None:
            share = 100 * going.share
            note = tr("fold {fold} of {folds}, {share:.0f} %", fold=going.fold + 1, folds=going.folds, share=share)
        elif honest is not None and not run.honesty.complete:
            folds = tr("{done} of {folds} folds", done=len(run.honesty.outer), folds=run.honesty.outer[0].folds)
            note = ", ".join(filter(None, (note, folds)))
        self.honest.tell(value, note)
        self.honest.note.setVisible(bool(note))
        possible = run.phase == "finished" and (going is not None or not run.honesty.complete)
        self.measure.setVisible(possible and run.state.best is not None and isfinite(run.state.best.mean))
        words = tr("Stop") if going is not None else tr("Go on") if honest is not None else tr("Measure …")
        if self.measure.text() != words:
            self.measure.setText(words)
        takes = duration(max(1.0, run.state.seconds * (OUTER_FOLDS - len(run.honesty.outer))))
        self.measure.setToolTip("" if going else tr("Takes about {time} on a quiet machine.", time=takes))


def _told(criterion: Criterion, loss: float, note: str) -> tuple[str, str]:
    """A value and its note; where there is no value, the note says so in less room."""
    return (localised(criterion.text(loss)), note) if isfinite(loss) else ("–", tr("not measured"))


def _doubt(criterion: Criterion, best: Best) -> str:
    """How sure the best value is; of a perfect one the spread over the repeats says nothing."""
    if best.std_error <= 0:
        return tr("optimistic")
    return tr("± {spread}, optimistic", spread=localised(criterion.deviation(best.std_error)))
