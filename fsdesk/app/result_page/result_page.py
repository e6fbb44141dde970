"""The result page: the result of a run, its reliability, and equally good subsets."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from fsdesk.app.dialogs.dialog import ask_path
from fsdesk.app.palette import SPACE
from fsdesk.app.result_page.answer_card import AnswerCard, DescribeDialog
from fsdesk.app.result_page.evidence_card import EvidenceCard
from fsdesk.app.result_page.new_rows import PredictDialog, ValidateDialog
from fsdesk.app.result_page.result_words import answer, lead, measure_words, seen_by_the_search
from fsdesk.app.session.findings import FeatureNotes, Findings, SubsetExaminer
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import (
    CARD_MARGINS,
    ContentStack,
    ElidedLabel,
    Splitter,
    button,
    column,
    label,
    named,
    panel,
    progress_bar,
    row,
    scrolled,
    show_headline,
)
from fsdesk.data.annotations import DESCRIPTION_READERS
from fsdesk.errors import SettingsError
from fsdesk.messages import tr, translated
from fsdesk.results.evidence import Permuted
from fsdesk.results.features import FeaturePreview, preview_feature

if TYPE_CHECKING:
    from fsdesk.results.decision import CutOff, Decision
    from fsdesk.results.record import RunRecord
    from fsdesk.results.scores import Scored
    from fsdesk.results.tasks import Joined

Mask = NDArray[np.bool_]

_LEAST_HIGH = 320  # minimum height of a card
_AROUND = 10 * SPACE  # margins of page and card, and the scroll bar


class ResultPage(QWidget):
    """Shows one run, ``run``, and one of its subsets, ``subset``; None means the run's own result.

    Signals: ``honest_wanted`` to start or stop estimating the held-out error of ``run``, ``simple_wanted`` to run it
    again with simple models only, ``list_wanted`` without all features.
    """

    honest_wanted = Signal()
    simple_wanted = Signal()
    list_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._arranged: tuple[int, list[QPushButton]] = 0, []
        self._session = session
        self.run: Run | None = None
        self.subset: Mask | None = None
        self._seen: tuple[object, ...] = ()
        self._feature: FeaturePreview | None = None
        self.notes, self.examiner = FeatureNotes(session), SubsetExaminer(session)
        self.answer, self.evidence = AnswerCard(), EvidenceCard()
        self.stack = ContentStack(scrolled(self._content(), across=True))
        self.empty = self.stack.words
        named(self.empty, "resultEmpty", tr("Why there is no result"))
        self.setLayout(column(self.stack))
        self._connect(session)
        self.refresh()

    def _content(self) -> QWidget:
        self.cards = Splitter("resultCards", Qt.Orientation.Horizontal, self.answer, self.evidence)
        self.cards.setSizes([540, 460])
        across = QSizePolicy.Policy.Expanding
        self.cards.setSizePolicy(across, QSizePolicy.Policy.Ignored)  # its content scrolls, not the whole page
        for card in (self.answer, self.evidence):
            card.setMinimumHeight(_LEAST_HIGH)  # and as wide as its heading
        return panel(column(self._summary(), self.cards, spacing=2 * SPACE, margins=2 * SPACE, grow=[self.cards]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_buttons()
        self._arrange_cards()

    def _arrange_buttons(self) -> None:
        """Arrange the actions on a run in as few rows as there is room for."""
        shown = [each for each in self._buttons if not each.isHidden()]
        widths = [each.sizeHint().width() for each in shown]
        beside = len(shown)
        for lines in range(1, len(shown) + 1):
            beside = -(-len(shown) // lines)  # about equally many in each line
            if self._columns_width(widths, beside) <= self.width():
                break
        if (beside, shown) == self._arranged:
            return
        self._arranged = beside, shown
        for place, each in enumerate(shown):
            self._uses.addWidget(each, place // beside, place % beside)

    @staticmethod
    def _columns_width(widths: Sequence[int], columns: int) -> int:
        """Pixels needed by buttons in this many columns."""
        return sum(max(widths[place::columns]) + SPACE for place in range(columns)) + _AROUND

    def _arrange_cards(self) -> None:
        """Arrange cards side by side if there is room for their headings, otherwise one above the other."""
        gap = self.cards.handleWidth()
        needed = self.answer.minimumSizeHint().width() + gap + self.evidence.minimumSizeHint().width() + 4 * SPACE
        beside = self.width() >= needed
        self.cards.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
        self.cards.setMinimumHeight(_LEAST_HIGH if beside else 2 * _LEAST_HIGH + gap)

    def _summary(self) -> QWidget:
        self.title = label("", "caption")
        self.found, self.beside = label("", "title", wrap=True), label("", wrap=True)
        self.external, self.warning = label("", wrap=True), label("", "muted", wrap=True)
        named(self.found, "resultFound", tr("Held-out error"))
        named(self.beside, "resultBeside", tr("Result, and the basis of the error"))
        named(self.external, "resultExternal", tr("Error on other tables"))
        named(self.warning, "resultWarning", tr("Error within the search"))
        self.measure = button("", "measureResult", "primary", tr("Measure the held-out error of this run"))
        self.outer = progress_bar("outerProgress", tr("Progress of the outer folds"))
        self.leave = button(tr("Stop"), "stopOuter", "link", tr("Stop; completed folds are kept"))
        self.going = ElidedLabel("caption")  # the reason why nothing could be measured may be a long sentence
        self.going.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        named(self.going, "resultGoing", tr("Current measurement"))
        self.bar = progress_bar("resultProgress", tr("Progress of the new measurements"))
        for bar in (self.outer, self.bar):
            bar.setMaximumWidth(220)
        self.paper = button(
            tr("Copy for a paper"), "copyPaper", "link", tr("Copy the result as a sentence for a paper")
        )
        self.paper.setToolTip(
            tr("A paragraph in plain English with the error, its 95 % interval and how it was estimated")
        )
        self.examine = button(tr("Look closer"), "lookCloser", "link", tr("Measure this subset on new folds"))
        self.halt = button(tr("Stop"), "stopLooking", "link", tr("Stop measuring; completed measurements are kept"))
        self.back = button(tr("Back to the result"), "backToAnswer", "link", tr("Show the run's own result again"))
        self.predict = button(tr("Predict new rows …"), "predictRows", spoken=tr("Predict the rows of another table"))
        self.second = button(
            tr("Test on a second table …"), "testSecond", spoken=tr("Test the result on another table")
        )
        self.luck = button(tr("Test against shuffled labels"), "testShuffled")
        self.luck.setToolTip(
            tr("Repeats the run with meaningless labels to find out whether this error could be due to chance.")
        )
        self.simple = button(tr("Use a simple model"), "simpleModel", spoken=tr("Run again with simple models only"))
        self.simple.setToolTip(
            tr("The same run with models that can be written down: logistic regression, linear support vector "
               "machine, naive Bayes or a small tree; ridge regression or a small tree for numbers; Cox "
               "regression for event times.")
        )  # fmt: skip
        self.listed = button(tr("Use the best list"), "bestList", spoken=tr("Run again, not allowing all features"))
        self.listed.setToolTip(tr("The same run, but its result must be a list of features rather than all of them."))
        self._buttons = (self.predict, self.second, self.luck, self.simple, self.listed)
        self._uses = QGridLayout()
        self._uses.setSpacing(SPACE)
        self._uses.setColumnStretch(len(self._buttons), 1)
        for place, each in enumerate(self._buttons):
            self._uses.addWidget(each, 0, place)
        self.uses = panel(self._uses)
        head = row(self.title, self.back, self.going, self.bar, self.halt, self.examine, self.paper, spacing=12)
        measuring = row(self.measure, self.outer, self.leave, None, spacing=12)
        texts = (self.beside, self.external, self.warning)
        whole = column(head, self.found, measuring, *texts, self.uses, spacing=4, margins=CARD_MARGINS)
        return panel(whole, "card")

    def _connect(self, session: Session) -> None:
        self.paper.clicked.connect(self._copy_for_paper)
        self.examine.clicked.connect(self._examine)
        self.halt.clicked.connect(self.examiner.halt)
        self.measure.clicked.connect(self.honest_wanted)
        self.leave.clicked.connect(self.honest_wanted)
        self.back.clicked.connect(lambda: self.show_run(self.run))
        self.predict.clicked.connect(self._predict)
        self.second.clicked.connect(self._test_on_second)
        self.luck.clicked.connect(self._test_luck)
        self.simple.clicked.connect(self.simple_wanted)
        self.listed.clicked.connect(self.list_wanted)
        self.evidence.shuffled.wanted.connect(self._shuffle)
        self.evidence.shuffled.stop_wanted.connect(self._stop_shuffling)
        self.examiner.changed.connect(self.refresh)
        self.notes.changed.connect(self._show_features)
        self.answer.describe_wanted.connect(self.ask_descriptions)
        self.answer.feature_chosen.connect(self._choose_feature)
        self.answer.model.noted.connect(self._note)
        self.evidence.subset_wanted.connect(lambda mask: self.show_run(self.run, mask))
        self.evidence.decision_wanted.connect(self._decide)
        session.runs.changed.connect(self._on_changed)
        session.runs.listed.connect(self._on_listed)

    def show_run(self, run: Run | None, mask: Mask | None = None) -> None:
        """Show a run, or another of its subsets."""
        best = None if run is None else run.state.best
        if mask is not None and best is not None and np.array_equal(mask, best.mask):
            mask = None
        if run is not self.run or not _same(mask, self.subset):
            self.examiner.stop()
            self._feature = None
            self.evidence.forget_feature()
        self.run, self.subset = run, mask
        self.refresh()
        self._begin()

    @property
    def shown(self) -> Mask | None:
        """The subset shown."""
        if self.subset is not None:
            return self.subset
        return None if self.run is None or self.run.state.best is None else self.run.state.best.mask

    def _on_listed(self) -> None:
        if self.run is not None and self.run.id not in self._session.runs.by_id:
            self.show_run(None)

    def _on_changed(self, ids: list[int]) -> None:
        run = self.run
        if run is None or run.id not in ids:
            return
        # During a search only its findings and its status are redrawn here.
        seen = _seen(run)
        if seen == self._seen or not self.isVisible():
            return
        going_on = run.shuffling is not None or not run.honesty.complete
        if seen[:-1] == self._seen[:-1] and going_on and self.shown is not None:
            self._seen = seen
            self._show_summary(run, self.shown)
            self.evidence.show_progress(run, list(self._session.runs), read_only=self._session.read_only)
            return
        self.refresh()
        self._begin()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._begin()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.examiner.stop()

    def _begin(self) -> None:
        """Examine a finished run automatically; an active one needs its worker and still changes its result."""
        run = self.run
        if run is not None and not run.active and self.shown is not None and self.isVisible():
            findings = self._findings()
            if not findings.refusal and not findings.halted:
                self._examine()

    def _examine(self) -> None:
        if self.run is not None and self.shown is not None:
            self.examiner.begin(self.run, self.shown)

    def _findings(self) -> Findings:
        assert self.run is not None and self.shown is not None
        return self.examiner.of(self.run, self.shown)

    def refresh(self) -> None:
        """Show the current results."""
        run, mask = self.run, self.shown
        if run is None or mask is None:
            self.stack.say(_nothing(run))
            return
        self._seen = _seen(run)
        self.stack.setCurrentIndex(0)
        self._show_summary(run, mask)
        self._show_features()
        runs, read_only, picked = list(self._session.runs), self._session.read_only, self.subset is not None
        self.evidence.show_findings(run, runs, self._findings(), picked=picked, read_only=read_only)
        self._arrange_cards()

    def _show_summary(self, run: Run, mask: Mask) -> None:
        findings = self._findings()
        diagnosis = findings.diagnosis
        names = tr("{data}: {run}, seed {seed}", data=run.spec.data_name, run=run.title, seed=run.spec.seed)
        other = tr("another subset of {run}", run=names)
        self.title.setText(other if self.subset is not None else names)
        self.back.setVisible(self.subset is not None)
        target = "" if diagnosis is None else diagnosis.target
        picked, record = self.subset is not None, run.record
        words = lead(run, picked=picked)
        show_headline(self.found, words.found, words.tone)
        self.beside.setText(f"{answer(mask, target)} {words.basis}".strip())
        tests = () if picked or record is None else record.external
        self.external.setText("\n".join(each.sentence() for each in tests))
        self.external.setVisible(bool(tests))
        fresh = None if picked or record is None else record.honesty.fresh
        seen = seen_by_the_search(run.state, mask, fresh, diagnosis, searched=run.spec.selects)
        self.warning.setText(f"{seen} {'' if record is None else record.seen_before}".strip())
        going = None if picked else run.validation
        self.measure.setVisible(run.measurable and going is None and not picked and not self._session.read_only)
        self.measure.setText(measure_words(run))
        for part in (self.outer, self.leave):
            part.setVisible(going is not None)
        if going is not None:
            self.outer.setValue(round(1000 * going.done / going.total))
        self.going.setText(_going(findings))
        self.bar.setVisible(findings.at_work)
        self.bar.setValue(round(1000 * findings.share))
        self.halt.setVisible(findings.at_work)
        self.examine.setVisible(not findings.at_work and not findings.complete)
        self.uses.setVisible(run.phase == "finished" and not picked)
        honest = None if picked or run.active else run.honest
        self.paper.setVisible(honest is not None)
        for rival, said in (
            (self.simple, "" if honest is None else honest.simple_words()),
            (self.listed, "" if honest is None else honest.listed_words()),
        ):
            offers = bool(said) and not self._session.read_only
            if offers == rival.isHidden():
                rival.setVisible(offers)
                self._arrange_buttons()

    def _copy_for_paper(self) -> None:
        run = self.run
        if run is not None and (record := run.record) is not None:
            work = self._copied_for_paper(run, record)
            self._session.tasks.begin(work, tr("writing the result for a paper"), subject="paper")

    async def _copied_for_paper(self, run: Run, record: "RunRecord") -> None:
        from fsdesk.results.methods_text import paper_text

        session = self._session
        _, shared = await session.at_hand(run)
        loader = session.loader
        shown = loader.dataset is not None and loader.dataset.fingerprint == run.spec.data_fingerprint
        group = (loader.choices.group or "") if shown else ""
        text = await session.tasks.in_thread(lambda: paper_text(record, shared.open(), group))
        QGuiApplication.clipboard().setText(text)
        session.tasks.say("success", tr("The result is on the clipboard, worded for a paper."), "paper")

    def _show_features(self) -> None:
        run, mask = self.run, self.shown
        if run is None or mask is None:
            return
        findings, known = self._findings(), self.notes.of_table(run.spec.data_name)
        self.answer.show_features(run.state, mask, findings.singles, known, findings.effects, findings.trust)
        if self._feature is not None and self._feature.name in run.state.features:
            self._show_feature(self._feature)

    def _note(self, feature: str, text: str) -> None:
        if self.run is not None:
            self.notes.note(self.run.spec.data_name, feature, text)

    def _choose_feature(self, name: str) -> None:
        run, mask = self.run, self.shown
        if run is not None and mask is not None:
            work = self._look_at(run, mask, name)
            self._session.tasks.begin(work, tr("examining a feature"), quietly=True, subject="feature")

    async def _look_at(self, run: Run, mask: Mask, name: str) -> None:
        project = self._session.project
        if project is None:
            return
        shared = await self._session.loader.shared_dataset(project, run.spec.data_fingerprint)
        preview = await self._session.tasks.in_thread(lambda: preview_feature(shared.open(), name, mask))
        if run is self.run:
            self._feature = preview
            self._show_feature(preview)
            self.evidence.pick("feature")

    def _decide(
        self,
        scored: "Scored",
        cut_off: "CutOff",
        prevalence: float | None,
        positive: str | None,
        horizon: float | None,
    ) -> None:
        self._session.tasks.cancel("decision")
        work = self._decided(scored, partial(_decision, scored, cut_off, prevalence, positive, horizon))
        self._session.tasks.begin(work, tr("choosing a cut-off"), quietly=True, subject="decision")

    async def _decided(self, scored: "Scored", work: Callable[[], "Decision"]) -> None:
        view = self.evidence.decision
        assert view is not None  # it has asked
        try:
            known = await self._session.tasks.in_thread(work)
        except SettingsError as error:
            view.show_refusal(scored, str(error))
        else:
            view.show_decision(scored, known)

    def _show_feature(self, preview: FeaturePreview) -> None:
        assert self.run is not None
        features, effects = self.run.state.features, self._findings().effects
        effect = None if effects is None else effects.get(features.index(preview.name))
        self.evidence.show_feature(preview, effect, features)

    def _predict(self) -> None:
        if self.run is not None:
            PredictDialog(self.window(), self._session, self.run).open()

    def _test_on_second(self) -> None:
        if self.run is not None:
            ValidateDialog(self.window(), self._session, self.run).open()

    def _test_luck(self) -> None:
        self.evidence.pick("shuffled")
        start = self.evidence.shuffled.start
        (start if start.isEnabled() else self.evidence.switch).setFocus()

    def _shuffle(self, count: int) -> None:
        if self.run is not None:
            self._session.validations.shuffle(self.run, count)

    def _stop_shuffling(self) -> None:
        if self.run is not None:
            self._session.validations.stop_shuffling(self.run)

    def ask_descriptions(self) -> None:
        """Let the user choose a table of feature descriptions."""
        patterns = " ".join(reader.patterns for reader in DESCRIPTION_READERS)
        names = f"{tr('Tables')} ({patterns});;{tr('All files')} (*)"
        title = tr("Table of descriptions of the features")
        ask_path(self, self._session.store, title, self.describe, name="descriptionsFile", kinds=names)

    def describe(self, path: Path) -> None:
        """Read a table of descriptions and let the user choose the column with the feature names."""
        if self.run is not None:
            work = self._describe(path, self.run.state.features)
            self._session.tasks.begin(work, tr("reading the descriptions"), subject="describe")

    async def _describe(self, path: Path, features: tuple[str, ...]) -> None:
        read = cast("Joined", await self.notes.read(path, features))
        dialog = DescribeDialog(self, read, features)
        dialog.chosen.connect(self.notes.describe)
        dialog.open()


def _seen(run: Run) -> tuple[object, ...]:
    """The page's content for a run, except findings about one of its subsets."""
    going, shuffling = run.validation, run.shuffling
    measured = None if going is None else round(100 * going.done)
    shuffled = None if shuffling is None else shuffling.done
    evidence = sum(not isinstance(each, Permuted) for each in run.evidence)
    best = None if run.state.best is None else id(run.state.best)
    return run.phase, best, evidence, run.external, (measured, shuffled)


def _same(one: Mask | None, other: Mask | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _decision(
    scored: "Scored", cut_off: "CutOff", prevalence: float | None, positive: str | None, horizon: float | None
) -> "Decision":
    from fsdesk.results.decision import decide

    return decide(scored, cut_off, prevalence, positive, horizon=horizon)


def _nothing(run: Run | None) -> str:
    if run is None:
        return tr("No run yet. Choose what to predict and press Run; the result will be explained here.")
    if run.active and run.state.race.folds:
        return tr("Strategies are being compared on held-out rows. The result appears here when the search ends.")
    if run.active:
        return tr("The search has just started. Its first result will appear here shortly.")
    if run.refused:
        way_on = tr(
            "Use these settings (Ctrl+D in the list of runs), fix the problem and press Run. Unchanged, it may fail "
            "again."
        )
        return f"{translated(run.state.reason)} {way_on}"
    return tr("This run has no result yet. Resume it, or start another run.")


def _going(findings: Findings) -> str:
    if findings.refusal:
        return findings.refusal
    diagnosis, singles = findings.diagnosis, findings.singles
    if findings.at_work:
        if singles is not None:
            return tr("each feature alone: {done} of {total}", done=singles.done, total=len(singles.places))
        if diagnosis is not None:
            return tr("new measurements: {done} of {total}", done=diagnosis.done, total=diagnosis.total)
        return tr("waiting for a worker")
    if diagnosis is not None and not findings.complete:
        return tr("stopped after {done} of {total} new measurements", done=diagnosis.done, total=diagnosis.total)
    return ""
