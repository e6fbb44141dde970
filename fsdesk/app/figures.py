"""The key figures of a run in one row: what it found, what it has to beat, how far it is."""

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from fsdesk.app.parts import ElidedLabel, column, label, named, surface
from fsdesk.app.run_list import status_line
from fsdesk.app.runs import Run
from fsdesk.app.tokens import SPACE
from fsdesk.app.words import duration, percent, spread
from fsdesk.engine import Best

__all__ = ["Figures"]

_HONEST = (
    "What the search itself saw. The smallest of many noisy measurements is a little too good: rows that the search "
    "never saw will do worse."
)


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

    def tell(self, value: str, note: str = "") -> None:
        if self.value.text() != value:
            self.value.setText(value)
            self.value.setAccessibleName(f"{self._said}: {value}")
        if self.note.text() != note:
            self.note.setText(note)


class Figures(QWidget):
    """Best error, all features, number of features, progress."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("figures")
        self.best = _Figure("bestError", "Best search error", _HONEST)
        self.baseline = _Figure(
            "baselineError", "All features", "The error with no feature left out: the line to beat."
        )
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
        if run is None:
            for figure in (self.best, self.baseline, self.features, self.progress):
                figure.tell("–")
            self.progress.note.setText("No run yet")
            self.bar.setValue(0)
            return
        state = run.state
        best = state.best
        self.best.tell(percent(best.mean) if best else "–", _doubt(best))
        beaten = ""
        if best and state.baseline is not None:
            gain = 100 * (state.baseline - best.mean)
            beaten = f"{abs(gain):.1f} points {'worse' if gain >= 0 else 'better'}"
        self.baseline.tell(percent(state.baseline) if state.baseline is not None else "–", beaten)
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


def _doubt(best: Best | None) -> str:
    """How sure the best error is; of an error of 0 the spread over the repeats says nothing."""
    if best is None:
        return ""
    return f"± {spread(best.std_error)}, optimistic" if best.mean > 0 else "optimistic"
