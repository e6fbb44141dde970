"""The key figures of a run in one row: what it found, what it has to beat, how far it is."""

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from fsdesk.app.parts import ElidedLabel, column, label, named, surface
from fsdesk.app.run_list import status_line
from fsdesk.app.runs import Run
from fsdesk.app.tokens import SPACE
from fsdesk.app.words import duration
from fsdesk.engine import Best
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.results.curve import compared

__all__ = ["Figures"]

_HONEST = (
    "What the search itself saw. The best of many noisy measurements is a little too good: rows that the search "
    "never saw will do worse."
)
_DIRECTION = {"lower": "Lower is better.", "higher": "Higher is better."}


class _Figure(QWidget):
    def __init__(self, name: str, title: str, tip: str, *, wide: bool = False) -> None:
        super().__init__()
        self.title = label(title, "caption")
        self.value = label("–", "figure")
        self.note = ElidedLabel("caption") if wide else label("", "caption")
        self._said = title
        named(self.value, name, title)
        self.setToolTip(tip)
        self.setLayout(column(self.title, self.value, self.note, None, spacing=2))

    def call(self, title: str, tip: str) -> None:
        if self.title.text() != title:
            self.title.setText(title)
            self._said = title
            self.setToolTip(tip)

    def tell(self, value: str, note: str = "") -> None:
        if self.value.text() != value:
            self.value.setText(value)
            self.value.setAccessibleName(f"{self._said}: {value}")
        if self.note.text() != note:
            self.note.setText(note)


class Figures(QWidget):
    """Best value of the criterion, all features, number of features, progress."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("figures")
        self.best = _Figure("bestError", "", "")
        self.baseline = _Figure("baselineError", "All features", "With no feature left out: the line to beat.")
        self.features = _Figure("bestSize", "Features", "How many features the best mask so far holds.")
        self.progress = _Figure(
            "progress", "Measurements", "How many masks were measured, of the most that it can take.", wide=True
        )
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        named(self.bar, "progressBar", "Progress of the run")
        card = surface("card")
        inside = QHBoxLayout(card)
        inside.setContentsMargins(2 * SPACE, 12, 2 * SPACE, 12)
        inside.setSpacing(4 * SPACE)
        for figure in (self.best, self.baseline, self.features):
            inside.addWidget(figure)
        last = QWidget()
        last.setLayout(column(self.progress, self.bar, None, spacing=4))
        inside.addWidget(last, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(card)

    def show_run(self, run: Run | None) -> None:
        """Show a run as it is now."""
        criterion = CRITERIA["error"] if run is None else run.state.criterion
        self.best.call(
            f"{criterion.title} in the search", f"{criterion.help} {_DIRECTION[criterion.direction]} {_HONEST}"
        )
        if run is None:
            for figure in (self.best, self.baseline, self.features, self.progress):
                figure.tell("–")
            self.progress.note.setText("No run yet")
            self.bar.setValue(0)
            return
        state = run.state
        best = state.best
        self.best.tell(criterion.text(best.mean) if best else "–", _doubt(criterion, best))
        beaten = compared(criterion, state.baseline, best.mean) if best and state.baseline is not None else ""
        self.baseline.tell(criterion.text(state.baseline) if state.baseline is not None else "–", beaten)
        total = len(state.features) or run.spec.features
        self.features.tell(f"{int(best.mask.sum()):,}" if best else "–", f"of {total:,}")
        done = f"{state.evaluations:,}"
        note = status_line(run)
        if run.phase in ("finished", "failed") and state.reason:
            note = f"{note}: {state.reason}" if run.phase == "finished" else note
        if run.task is None and state.seconds:
            note += f" · {duration(state.seconds)} of work"
        self.progress.tell(f"{done} of {run.measurements:,}" if run.phase != "finished" else done, note)
        self.bar.setValue(round(1000 * run.progress))


def _doubt(criterion: Criterion, best: Best | None) -> str:
    """How sure the best value is; of a perfect one the spread over the repeats says nothing."""
    if best is None:
        return ""
    return f"± {criterion.deviation(best.std_error)}, optimistic" if best.std_error > 0 else "optimistic"
