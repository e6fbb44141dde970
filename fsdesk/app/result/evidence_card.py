"""The evidence for a subset, one picture at a time: size, confusion, ROC or numbers, equally good subsets."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QStackedWidget, QWidget

from fsdesk.app.look.parts import Card, Segments, label, named, scrolled
from fsdesk.app.look.tokens import SPACE, Tokens
from fsdesk.app.look.translation import number, tr
from fsdesk.app.result.confusion_view import ConfusionView
from fsdesk.app.result.peers_view import PeersView
from fsdesk.app.result.result_plots import NumbersView, RocView
from fsdesk.app.result.size_plot import SizePlot
from fsdesk.engine import RunState

if TYPE_CHECKING:
    from fsdesk.app.work.examining import Findings
    from fsdesk.results.diagnosis import Diagnosis

__all__ = ["EvidenceCard"]


class _Pair(QWidget):
    """Two widgets side by side, or one above the other where that gives them more room."""

    def __init__(self, first: QWidget, second: QWidget) -> None:
        super().__init__()
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2 * SPACE)
        self._layout.addWidget(first)
        self._layout.addWidget(second)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay them out anew."""
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._layout.setDirection(way.LeftToRight if self.width() > 1.4 * self.height() else way.TopToBottom)


class EvidenceCard(Card):
    """The pictures with their switch; ``subset_wanted`` tells the mask (p,) of a subset to look at."""

    subset_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Evidence"))
        self.setObjectName("evidenceCard")
        self.switch = Segments(
            "evidence",
            {
                "size": tr("Size"), "confusion": tr("Confusion"), "roc": tr("ROC"), "numbers": tr("Predicted"),
                "residuals": tr("Residuals"), "peers": tr("Equally good"),
            },
        )  # fmt: skip
        self.switch.chosen.connect(self._pick)
        self.head.addWidget(self.switch)
        self.sizes, self.roc, self.peers = SizePlot(), RocView(), PeersView()
        self.numbers = NumbersView("predictedPlot", residuals=False)
        self.residuals = NumbersView("residualsPlot", residuals=True)
        self.chosen = ConfusionView("confusionChosen", tr("Confusion matrix of the subset"))
        self.everything = ConfusionView("confusionAll", tr("Confusion matrix of all features"))
        self.peers.wanted.connect(self.subset_wanted)
        self.sizes.picked.connect(lambda point: self.subset_wanted.emit(None if point is None else point[0]))
        self.pages: dict[str, QWidget] = {
            "size": self.sizes.plot, "confusion": self._matrices(), "roc": self.roc, "numbers": self.numbers,
            "residuals": self.residuals, "peers": self.peers,
        }  # fmt: skip
        self.stack = QStackedWidget()
        for page in self.pages.values():
            self.stack.addWidget(page)
        self.words = label("", "muted", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        named(self.words, "evidenceWords", tr("Why there is nothing to see here"))
        self.stack.addWidget(self.words)
        self.stack.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.stack.setMinimumSize(200, 200)  # pictures shrink before a small window scrolls
        self.body.addWidget(self.stack, 1)
        self._why: dict[str, str] = {}
        self._picked = False
        self._offer(numbers=False)
        self._choose("size")

    def _matrices(self) -> QWidget:
        return scrolled(_Pair(self.chosen, self.everything))

    def _pick(self, key: str) -> None:
        self._picked = True
        self._choose(key)

    def _choose(self, key: str) -> None:
        self.switch.select(key)
        why = self._why.get(key, "")
        self.words.setText(why)
        self.stack.setCurrentWidget(self.words if why else self.pages[key])

    def show_findings(self, state: RunState, mask: NDArray[np.bool_], findings: "Findings") -> None:
        """Show what is known of a subset of a run."""
        self.sizes.show_state(state)
        diagnosis = findings.diagnosis
        self._why = self._missing(state, findings)
        self._offer(numbers=state.criterion.task == "regression")
        if diagnosis is not None:
            self._draw(diagnosis)
        if findings.peers is not None:
            self.peers.show_peers(state, findings.peers)
        key = self.switch.key
        if not self._picked:  # what there is to see, until the user says what
            key = (
                "size"
                if "size" not in self._why
                else "numbers"
                if state.criterion.task == "regression"
                else "confusion"
            )
        self._choose(key if not self.switch.buttons[key].isHidden() else "size")

    def _offer(self, *, numbers: bool) -> None:
        for key, segment in self.switch.buttons.items():
            if key in ("confusion", "roc"):
                segment.setHidden(numbers)
            elif key in ("numbers", "residuals"):
                segment.setHidden(not numbers)

    def _draw(self, diagnosis: "Diagnosis") -> None:
        size, total = int(diagnosis.mask.sum()), len(diagnosis.mask)
        if diagnosis.chosen.confusion.size:
            self.chosen.show_matrix(
                tr("These {size} features", size=number(size)), diagnosis.chosen.confusion, diagnosis.classes
            )
            self.everything.show_matrix(
                tr("All {size} features", size=number(total)), diagnosis.everything.confusion, diagnosis.classes
            )
            self.everything.setVisible(bool(diagnosis.everything.confusion.size))
        if diagnosis.chosen.curves:
            self.roc.show_diagnosis(diagnosis)
        if len(diagnosis.chosen.predicted):
            self.numbers.show_diagnosis(diagnosis)
            self.residuals.show_diagnosis(diagnosis)

    def _missing(self, state: RunState, findings: "Findings") -> dict[str, str]:
        """Why a picture cannot be shown, in words, by its key."""
        why: dict[str, str] = {}
        if not state.confirmed.curve():
            why["size"] = tr(
                "This run has measured no finalists of several sizes, so there is no error against size. Methods "
                "such as BSPSA-H do so at the end of their search."
            )
        diagnosis = findings.diagnosis
        waiting = findings.refusal or (
            tr("It is being measured on fresh folds …")
            if findings.at_work
            else tr("Nothing is measured on fresh folds yet: press Look closer.")
        )
        if findings.peers is None:
            why["peers"] = waiting
        if diagnosis is None or not len(diagnosis.chosen.losses):
            told = waiting if diagnosis is None else diagnosis.chosen.refusal
            return why | dict.fromkeys(("confusion", "roc", "numbers", "residuals"), told)
        if not diagnosis.chosen.curves:
            why["roc"] = tr(
                "This model gives classes without scores, so there is no ROC curve. Models such as naive Bayes or "
                "logistic regression give scores."
            )
        return why

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        for part in (self.sizes, self.roc, self.numbers, self.residuals, self.chosen, self.everything):
            part.dress(tokens)
