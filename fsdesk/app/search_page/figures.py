"""The key figures of a run in one row: its error on unseen rows, what it has to beat, how far it is."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.result_page.result_words import seen_by_the_search, tone_of
from fsdesk.app.search_page.run_list import status_line
from fsdesk.app.session.run import Run
from fsdesk.app.translation import duration, folded
from fsdesk.app.widgets import ElidedLabel, button, column, label, named, restyle, row, surface
from fsdesk.measure import CRITERIA
from fsdesk.messages import number, tr, translated
from fsdesk.results.held_out import HonestError

__all__ = ["Figures"]


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
        self.title.setText(title)
        self._said = title
        self.setToolTip(folded(tip))

    def show_value(self, value: str, note: str = "") -> None:
        self.value.setText(value)
        self.value.setAccessibleName(f"{self._said}: {value}")
        self.note.setText(note)


class Figures(QWidget):
    """The error on rows that no search saw, that of all features on the same rows, number of features, progress.

    What the search saw is a detail in small type. ``honest_wanted`` is emitted when the user wants the honest error
    measured, or wants that stopped.
    """

    honest_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("figures")
        self._honesty = tr(
            "The honest error: the whole search is repeated inside outer folds, and each answer predicts rows that its "
            "search never saw. This is what to expect on new samples."
        )
        title = tr("{criterion} on unseen rows", criterion=translated(CRITERIA["error"].title))
        self.honest = _Figure("honestError", title, self._honesty)
        self.measure = button(tr("Measure …"), "measureHonest", "link", tr("Measure the honest error of this run"))
        self.measure.clicked.connect(self.honest_wanted)
        self.honest.foot.addWidget(self.measure)
        self.honest.foot.addStretch(1)
        self.baseline = _Figure(
            "baselineError",
            tr("All features, same rows"),
            tr("With no feature left out, on the same outer folds: what the selection has to beat."),
        )
        self.features = _Figure("bestSize", tr("Features"), tr("How many features the best mask so far holds."))
        self.progress = _Figure(
            "progress", tr("Measurements"), tr("How many masks were measured, of the most that it can take."), wide=True
        )
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        named(self.bar, "progressBar", tr("Progress of the run"))
        self.reason = ElidedLabel("caption")
        named(self.reason, "endReason", tr("Why the search ended"))
        self.verdict, self.seen = ElidedLabel("body"), ElidedLabel("caption")
        named(self.verdict, "honestVerdict", tr("How the answer compares with all features"))
        named(self.seen, "seenBySearch", tr("What the search itself saw"))
        card = surface("card")
        inside = QHBoxLayout()
        inside.setSpacing(3 * SPACE)
        for figure in (self.honest, self.baseline, self.features):
            inside.addWidget(figure)
        last = QWidget()
        last.setLayout(column(self.progress, self.bar, None, spacing=4))
        inside.addWidget(last, 1)
        whole = QVBoxLayout(card)
        whole.setContentsMargins(2 * SPACE, 12, 2 * SPACE, 12)
        whole.setSpacing(4)
        whole.addLayout(inside)
        whole.addWidget(self.verdict)
        whole.addWidget(self.seen)
        whole.addWidget(self.reason)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(card)

    def show_run(self, run: Run | None) -> None:
        """Show a run as it is now."""
        criterion = CRITERIA["error"] if run is None else run.state.criterion
        direction = tr("Lower is better.") if criterion.direction == "lower" else tr("Higher is better.")
        doubt = "" if run is None else run.doubt
        tip = " ".join(filter(None, (translated(criterion.help), direction, self._honesty, doubt)))
        self.honest.call(tr("{criterion} on unseen rows", criterion=translated(criterion.title)), tip)
        if run is None:
            for figure in (self.honest, self.baseline, self.features, self.progress):
                figure.show_value("–")
            self.progress.note.setText(tr("No run yet"))
            self.measure.hide()
            self.seen.hide()
            self._show_verdict("", "")
            self._show_end("")
            self.bar.setValue(0)
            return
        state = run.state
        best = state.best
        self._show_honest(run, None if run.active else run.honest)
        seen = "" if best is None else seen_by_the_search(
            state, best.mask, run.honesty.fresh, searched=run.spec.selects
        )  # fmt: skip
        self.seen.setText(seen)
        self.seen.setVisible(bool(seen))
        total = len(state.features) or run.spec.features
        self.features.show_value(number(int(best.mask.sum())) if best else "–", tr("of {count:,}", count=total))
        done = number(state.evaluations)
        note = status_line(run, paced=True)
        if run.task is None and state.seconds:
            note = tr("{status} · {time} of work", status=note, time=duration(state.seconds))
        finished = run.phase == "finished"
        self.progress.show_value(done if finished else tr("{done} of {count:,}", done=done, count=run.most), note)
        self._show_end(translated(state.reason) if finished else "")
        self.bar.setValue(round(1000 * run.progress))

    def _show_end(self, reason: str) -> None:
        """Why it ended, instead of a bar that would be full."""
        self.reason.setText(tr("End of the search: {reason}", reason=reason) if reason else "")
        self.reason.setVisible(bool(reason))
        self.bar.setVisible(not reason)

    def _show_verdict(self, words: str, tone: str) -> None:
        said = words[:1].upper() + words[1:]
        self.verdict.setText(said)
        restyle(self.verdict, tone=tone)
        self.verdict.setVisible(bool(said))

    def _show_honest(self, run: Run, honest: HonestError | None) -> None:
        going = run.validation
        if honest is None:
            self._show_missing(run)
        else:
            interval, value, chance = honest.interval_words(), honest.value_words(), honest.chance_words()
            verdict, everything = honest.verdict_words(), honest.all_features_words()
            headline, missing = honest.headline(), honest.missing_words()
            note = tr("95 % interval {interval}", interval=interval) if interval else tr("without an interval")
            if honest.verdict == "chance":  # an error that may be luck is not in large type
                note = tr("{value}, chance {chance}", value=value, chance=chance)
                verdict = ""
            tone = tone_of(honest)
            self.honest.show_value(headline, note)
            restyle(self.honest.value, tone=tone)
            self.baseline.show_value(everything or "–")
            self._show_verdict(verdict or missing, tone)
        self.measure.setVisible(going is not None or run.measurable)
        words = tr("Stop") if going is not None else tr("Go on") if run.honesty.outer else tr("Measure …")
        self.measure.setText(words)
        takes = duration(max(1.0, run.state.seconds * run.folds_left))
        self.measure.setToolTip(
            "" if going or run.brings_its_own else tr("Takes about {time} on a quiet machine.", time=takes)
        )

    def _show_missing(self, run: Run) -> None:
        """How far the outer folds are; no error of theirs before all are done."""
        going, outer = run.validation, run.honesty.outer
        if going is not None and run.brings_its_own:
            note = tr("being worked out")
        elif going is not None:
            share = 100 * going.share
            note = tr("fold {fold} of {folds}, {share:.0f} %", fold=going.fold + 1, folds=going.folds, share=share)
        elif run.active:
            note = tr("after the search") if run.wants_honest else ""
        elif outer:
            note = tr("{done} of {folds} folds", done=len(outer), folds=outer[0].folds)
        else:
            note = tr("not validated yet")
        self.honest.show_value("–", note)
        restyle(self.honest.value, tone="")
        self.baseline.show_value("–")
        self._show_verdict("", "")
