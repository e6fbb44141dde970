"""Key figures of a run, starting with the held-out error, and the strategies that compete on held-out rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.result_page.result_words import seen_by_the_search, tone_of
from fsdesk.app.search_page.run_list import status_line
from fsdesk.app.session.run import Run
from fsdesk.app.style import bold, tokens
from fsdesk.app.translation import duration, folded
from fsdesk.app.widgets import (
    CARD_MARGINS,
    Card,
    ElidedLabel,
    button,
    column,
    label,
    named,
    panel,
    progress_bar,
    restyle,
    row,
)
from fsdesk.engine import RunSpec
from fsdesk.engine.state import Race
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.messages import counted, localised, number, tr, translated
from fsdesk.results.curves import drawn
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.subsets import STATES, Standing, never_judged, standings, why_it_won
from fsdesk.wrappers import model_title

_RIVAL = 180  # pixels, for the name of its model
_LEADERS = 10  # pairs of strategy and model shown until the user asks for all


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
        self.setLayout(column(self.title, self.value, self.foot, None, spacing=2))

    def call(self, title: str, tip: str) -> None:
        self.title.setText(title)
        self._said = title
        self.setToolTip(folded(tip))

    def show_value(self, value: str, note: str = "") -> None:
        self.value.setText(value)
        self.value.setAccessibleName(f"{self._said}: {value}")
        self.note.setText(note)


class Figures(QWidget):
    """The held-out error, that of all features on the same rows, number of features, progress.

    The search error is a detail in small type. ``honest_wanted`` starts or stops estimating the held-out error.
    """

    honest_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("figures")
        self._honesty = tr(
            "Held-out error: the whole search is repeated in outer folds, and each result predicts rows that its "
            "search did not use (nested cross-validation). This is the error to expect on new samples."
        )
        title = tr("{criterion} on held-out rows", criterion=translated(CRITERIA["error"].title))
        self.honest = _Figure("honestError", title, self._honesty)
        self.measure = button(tr("Measure …"), "measureHonest", "link", tr("Measure the held-out error of this run"))
        self.measure.clicked.connect(self.honest_wanted)
        self.honest.foot.addWidget(self.measure)
        self.honest.foot.addStretch(1)
        tip = tr("All features on the same outer folds: the benchmark for the selection.")
        self._beside = tr("All features, same rows"), tip
        self.baseline = _Figure("baselineError", *self._beside, wide=True)
        self.baseline.setMaximumWidth(_RIVAL)
        self.features = _Figure("bestSize", tr("Features"), tr("Number of features in the best subset so far."))
        self.progress = _Figure(
            "progress", tr("Measurements"), tr("Number of subsets measured, out of the maximum."), wide=True
        )
        self.bar = progress_bar("progressBar", tr("Progress of the run"))
        self.reason = label("", "caption", wrap=True)
        named(self.reason, "endReason", tr("Why the search ended"))
        self.verdict, self.seen = label("", "body", wrap=True), label("", "caption", wrap=True)
        named(self.verdict, "honestVerdict", tr("Comparison of the result with all features"))
        named(self.seen, "seenBySearch", tr("Error within the search"))
        last = panel(column(self.progress, self.bar, None, spacing=4))
        inside = row(self.honest, self.baseline, self.features, last, spacing=3 * SPACE, grow=[last])
        whole = column(inside, self.verdict, self.seen, self.reason, spacing=4, margins=CARD_MARGINS)
        self.setLayout(row(panel(whole, "card")))

    def show_run(self, run: Run | None) -> None:
        """Show the current state of a run."""
        criterion = CRITERIA["error"] if run is None else run.state.criterion
        direction = tr("Lower is better.") if criterion.direction == "lower" else tr("Higher is better.")
        record = None if run is None else run.record
        doubt = "" if record is None else record.seen_before
        tip = " ".join(filter(None, (translated(criterion.help), direction, self._honesty, doubt)))
        self.honest.call(tr("{criterion} on held-out rows", criterion=translated(criterion.title)), tip)
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
        if not run.searching and state.seconds:
            note = tr("{status} · {time} of computing", status=note, time=duration(state.seconds))
        finished = run.phase == "finished"
        self.progress.show_value(done if finished else tr("{done} of {count:,}", done=done, count=run.most), note)
        self._show_end(translated(state.reason) if finished else "")
        self.bar.setValue(round(1000 * run.progress))

    def _show_end(self, reason: str) -> None:
        """Show why the run ended, instead of a full bar."""
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
            interval, value = honest.interval_words(), honest.value_words()
            verdict = honest.verdict_words()
            missing = honest.missing_words()
            note = tr("95 % interval {interval}", interval=interval) if interval else tr("without an interval")
            tone = tone_of(honest)
            self.honest.show_value(value, note)
            restyle(self.honest.value, tone=tone)
            self._show_rival(honest)
            self._show_verdict(verdict or missing, tone)
        self.measure.setVisible(going is not None or run.measurable)
        words = tr("Stop") if going is not None else tr("Resume") if run.honesty.outer else tr("Measure …")
        self.measure.setText(words)
        takes = duration(max(1.0, run.state.seconds * run.folds_left))
        self.measure.setToolTip(
            ""
            if going or run.brings_its_own
            else tr("Takes about {time} if the machine is otherwise idle.", time=takes)
        )

    def _show_rival(self, honest: HonestError) -> None:
        """Show all features on the same rows, or, if they are the result, the best list."""
        if honest.verdict == "all features":
            self.baseline.call(tr("Best list, same rows"), tr("The best list of features on the same outer folds."))
            value, model = honest.listed_value_words(), honest.listed_model
        else:
            self.baseline.call(*self._beside)
            value, model = honest.all_features_words(), honest.everything_model
        self.baseline.show_value(value or "–", translated(model_title(model)) if value and model else "")

    def _show_missing(self, run: Run) -> None:
        """Show the progress of the outer folds; no error is shown before all are done."""
        going, outer = run.validation, run.honesty.outer
        if going is not None and run.brings_its_own:
            note = tr("calculating")
        elif going is not None:
            share = 100 * going.share
            note = tr("fold {fold} of {folds}, {share:.0f} %", fold=going.place + 1, folds=going.total, share=share)
        elif run.active:
            note = tr("after the search") if run.wanted.outer or run.brings_its_own else ""
        elif outer:
            note = tr("{done} of {folds} folds", done=len(outer), folds=outer[0].folds)
        else:
            note = tr("not measured yet")
        self.honest.show_value("–", note)
        restyle(self.honest.value, tone="")
        self.baseline.call(*self._beside)
        self.baseline.show_value("–")
        self._show_verdict("", "")


_ROOM = 7  # pixels of a row beyond its letters
_NAMES = 0.34  # share of the width for names, even if this leaves little room for the lines
_LEAST_PLOT, _ENOUGH_PLOT = 60.0, 200.0  # pixels for the lines
_TICK = 6.0  # pixels of an estimate's tick above and below its line


@dataclass(frozen=True)
class Entrant:
    """One strategy at its best size; values as displayed, limits one standard error away.

    ``estimate`` decided between strategies, in words; "" if it did not.
    """

    name: str
    size: int
    value: float
    low: float
    high: float
    text: str
    resamples: int
    standing: str
    all_resamples: int
    estimate: str = ""
    estimated: float = np.nan

    @property
    def note(self) -> str:
        """The text at the right of its line."""
        parts = [self.text, counted(self.size, "feature")]
        if self.estimate:
            parts.insert(1, tr("estimate {value}", value=self.estimate))
        if self.resamples < self.all_resamples:
            resamples = counted(self.all_resamples, "resample")
            parts.append(tr("{done} of {resamples}", done=self.resamples, resamples=resamples))
        return " · ".join([*parts, translated(STATES[self.standing])] if self.standing else parts)


def entrants(race: Race, criterion: Criterion, spec: RunSpec | None = None) -> list[Entrant]:
    """All strategies evaluated, in the order of :func:`fsdesk.results.subsets.standings`."""
    return [_entrant(each, criterion, race.folds) for each in standings(race, spec)]


def _entrant(each: Standing, criterion: Criterion, folds: int) -> Entrant:
    ends = drawn(criterion, np.array([each.mean, each.mean - each.std_error, each.mean + each.std_error])).tolist()
    text = localised(criterion.text(each.mean))
    made = Entrant(each.name, each.size, ends[0], min(ends[1:]), max(ends[1:]), text, each.resamples, each.state, folds)
    if each.estimate is None:
        return made
    estimated = float(drawn(criterion, np.array([each.estimate]))[0])
    return replace(made, estimate=localised(criterion.text(each.estimate)), estimated=estimated)


def untried(spec: RunSpec, race: Race, features: int) -> list[str]:
    """Names of the strategies not considered for the winner because they were never evaluated."""
    return [translated(each) for each in never_judged(spec, race, features)]


class _Lines(QWidget):
    """A line for each strategy: its name, its mean with the uncertainty, and the numbers."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "raceLines", tr("Performance of the strategies on held-out rows"))
        self.entrants: Sequence[Entrant] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)  # names end in dots

    def show_entrants(self, entrants: Sequence[Entrant]) -> None:
        """Draw these strategies."""
        if list(entrants) == list(self.entrants):
            return
        more = len(entrants) != len(self.entrants)
        self.entrants = entrants
        self.setAccessibleDescription("; ".join(f"{each.name}: {each.note}" for each in entrants))
        if more:
            self.setFixedHeight(max(1, len(entrants)) * self._row)
        self.update()

    @property
    def _row(self) -> int:
        return self.fontMetrics().height() + _ROOM

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.entrants:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = self.fontMetrics()
        width = float(self.width())
        winner = QFontMetrics(bold(self.font()))
        notes = max(metrics.horizontalAdvance(each.note) for each in self.entrants) + 2.0
        most = max(_NAMES * width, width - notes - 4 * SPACE - _ENOUGH_PLOT)
        names = min(most, max(winner.horizontalAdvance(f"★ {each.name}") for each in self.entrants) + 1.0)
        left, right = names + 2 * SPACE, width - notes - 2 * SPACE
        known = [each.estimated for each in self.entrants if each.estimate]
        low = min([*known, *(each.low for each in self.entrants)])
        span = max(max([*known, *(each.high for each in self.entrants)]) - low, 1e-12)
        for place, each in enumerate(self.entrants):
            area = QRectF(0.0, float(place * self._row), width, float(self._row))
            self._draw(painter, area, each, names)
            if right - left >= _LEAST_PLOT:
                values = each.low, each.value, each.high, each.estimated
                ends = [left + (right - left) * (value - low) / span for value in values]
                self._draw_line(painter, area, each, (left, right), ends)

    def _colour(self, each: Entrant) -> QColor:
        return QColor({"won": tokens().success, "out": tokens().control, "": tokens().line_average}[each.standing])

    def _draw(self, painter: QPainter, area: QRectF, each: Entrant, names: float) -> None:
        painter.setFont(bold(self.font()) if each.standing == "won" else self.font())
        painter.setPen(QColor(tokens().muted if each.standing == "out" else tokens().text))
        name = f"★ {each.name}" if each.standing == "won" else each.name
        name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(names))
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(area, middle | int(Qt.AlignmentFlag.AlignLeft), name)
        painter.setFont(self.font())
        painter.setPen(QColor(tokens().muted))
        painter.drawText(area, middle | int(Qt.AlignmentFlag.AlignRight), each.note)

    def _draw_line(
        self, painter: QPainter, area: QRectF, each: Entrant, room: tuple[float, float], ends: Sequence[float]
    ) -> None:
        y, colour = area.center().y(), self._colour(each)
        painter.setPen(QPen(QColor(tokens().border), 1))
        painter.drawLine(QPointF(room[0], y), QPointF(room[1], y))
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(ends[0], y), QPointF(ends[2], y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(ends[1], y), 4.0, 4.0)
        if each.estimate:
            painter.setPen(QPen(QColor(tokens().text), 2))
            painter.drawLine(QPointF(ends[3], y - _TICK), QPointF(ends[3], y + _TICK))


class RaceCard(Card):
    """Visible while strategies compete, and afterwards."""

    def __init__(self) -> None:
        super().__init__(tr("Strategies on held-out rows"))
        self.setObjectName("raceCard")
        self.count = label("", "caption")
        self.head.insertWidget(1, self.count)
        self.lines = _Lines()
        self.body.addWidget(self.lines)
        self.more = button(tr("Show all"), "raceMore")
        self.more.setCheckable(True)
        self.more.toggled.connect(lambda _: self._show_lines())
        self.body.addWidget(self.more, alignment=Qt.AlignmentFlag.AlignLeft)
        self._found: Sequence[Entrant] = ()
        self.note = label("", "caption", wrap=True)
        self.body.addWidget(self.note)
        self.hide()

    def show_race(
        self,
        race: Race | None,
        criterion: Criterion,
        absent: Sequence[str] = (),
        spec: RunSpec | None = None,
    ) -> None:
        """Show the strategies, why one won, and those never evaluated; nothing if no strategies compete."""
        shown = race is not None and race.folds > 0
        found = entrants(race, criterion, spec) if race is not None and shown else []
        self.setVisible(bool(found))
        if not found:
            return
        self._found = found
        self._show_lines()
        note = tr(
            "These rows were used to choose the strategy, so the best of these values is optimistic for new rows."
        )
        if absent:
            left_out = tr(
                "Not tried: {names}. A search is skipped if the others misclassify at most one held-out row, or if "
                "it would exceed the time and measurements allowed.",
                names=", ".join(absent),
            )
            note = f"{note} {left_out}"
        why = "" if race is None or spec is None else why_it_won(spec, race, criterion)
        self.note.setText(f"{why} {note}".lstrip())
        tip = tr(
            "Mean {criterion} of each strategy at its best size, on rows it was not trained on; the bar is ± one "
            "standard error over the resamples. A strategy that clearly loses on the first few resamples is dropped; "
            "its mean covers only those and is not comparable. The held-out error of the whole search is measured "
            "afterwards.",
            criterion=translated(criterion.title),
        )
        if any(each.estimate for each in found):
            tip = f"{tip} {tr('The vertical tick is the estimate by which the winner was chosen.')}"
        if race is not None and race.models_compete:
            self.heading.setText(tr("Models and strategies on held-out rows"))
        self.count.setText(counted(max(each.resamples for each in found), "resample"))
        if self.toolTip() != folded(tip):
            self.setToolTip(folded(tip))

    def _show_lines(self) -> None:
        """Show the leaders, or all on request."""
        found = self._found
        folds_up = len(found) > _LEADERS + 2
        self.lines.show_entrants(found if self.more.isChecked() or not folds_up else found[:_LEADERS])
        self.more.setVisible(folds_up)
        self.more.setText(
            tr("Show leaders only") if self.more.isChecked() else tr("Show all {count}", count=len(found))
        )
