"""What the next run will take: how many measurements, how long, how much memory, and what ends it earlier."""

from collections.abc import Hashable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.translation import duration
from fsdesk.app.widgets import column, label, named
from fsdesk.engine import RunRequest, Validation
from fsdesk.engine.tasks import Estimate
from fsdesk.errors import UserError
from fsdesk.messages import counted, number, tr, translated
from fsdesk.methods import Method

__all__ = ["EstimateLines", "memory_words"]


_HONEST = "setup/honest"
_LONG_SECONDS = 10.0  # of a measurement


def memory_words(size: float) -> str:
    """A size of memory as people read it: "180 MB", "2.4 GB"."""
    if size >= 1e9:
        return number(size / 1e9, ".1f") + " GB"
    megabytes = size / 1e6
    return number(max(1, round(megabytes, -1 if megabytes >= 100 else 0)), ".0f") + " MB"


class EstimateLines(QWidget):
    """Three lines; what a worker measured is remembered by what it depends on. ``found`` is emitted at anything new."""

    found = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.most = label("", "heading")
        self.time, self.memory = label("", "caption", wrap=True), label("", "caption", wrap=True)
        named(self.time, "estimate", tr("Estimate of the time"))
        named(self.memory, "memoryEstimate", tr("Estimate of the memory"))
        self.honest = QCheckBox()
        self._offer(Validation().outer_folds)
        named(self.honest, "withHonest", tr("Measure the honest error when the run has finished"))
        self.honest.setChecked(str(session.store.value(_HONEST, "yes")) != "no")
        self.honest.toggled.connect(lambda wanted: session.store.setValue(_HONEST, "yes" if wanted else "no"))
        self.honest.toggled.connect(self.found)
        layout = column(self.most, self.time, self.memory, spacing=2)
        layout.addSpacing(SPACE)
        layout.addWidget(self.honest)
        self.setLayout(layout)
        self._known: dict[Hashable, Estimate | str] = {}

    def measure(self, request: RunRequest, key: Hashable) -> None:
        """Have a worker try what is asked, once for each key."""
        session = self._session
        if session.loader.dataset is None or key in self._known:
            return

        async def work() -> None:
            try:
                found = await session.loader.estimate(request, session.runs.threads)
            except UserError as error:
                self._known[key] = translated(str(error))
            else:
                if found is not None:
                    self._known[key] = found
            self.found.emit()

        session.tasks.begin(work(), tr("measuring how long a run takes"), quietly=True)

    def show_words(self, head: str, words: str = "") -> None:
        """Say why there is no estimate."""
        self.most.setText(head)
        self.most.setToolTip("")
        self.time.setText(words)
        self.memory.hide()

    def _offer(self, folds: int) -> None:
        """Say in how many outer folds the honest error is measured."""
        self.honest.setText(tr("With the honest error ({folds} outer folds)", folds=folds))
        self.honest.setToolTip(
            tr(
                "The whole search is then repeated inside {folds} outer folds: what to expect on new samples.",
                folds=folds,
            )
        )

    def show_run(self, method: Method, features: int, key: Hashable, folds: int, *, cheaper: bool = False) -> None:
        """Say what a run of this method over so many features takes, once ``key`` is known.

        A run ends where the method's own steps, the most measurements or the most minutes are reached, whichever comes
        first; a method may also find that nothing gets better. With the honest error it is repeated in so many outer
        ``folds``. Where a measurement takes long and could be ``cheaper``, the words say how.
        """
        self._offer(folds)
        self.honest.setVisible(not method.validates_itself)
        own, most = 1 + method.measurements(features), 1 + method.budget(features)
        self.most.setText(tr("At most {count}", count=counted(most, "measurement")))
        cut = tr("Your limit: without it the method may take {count}.", count=counted(own, "measurement"))
        self.most.setToolTip(cut if most < own else tr("One of them measures all features, to compare with."))
        found = self._known.get(key)
        if not isinstance(found, Estimate):
            self.time.setText(found if found is not None else tr("Measuring how long one takes …"))
            self.memory.hide()
            return
        honest = self.honest.isChecked() and not method.validates_itself
        words = _time_words(found.seconds, most, method.max_minutes, 1 + folds if honest else 1)
        if cheaper and found.seconds > _LONG_SECONDS:
            words = tr(
                "{words}. One measurement alone takes {time}: a hold-out with one repeat is one fit, quicker and "
                "noisier.",
                words=words,
                time=duration(found.seconds),
            )
        self.time.setText(words)
        self.time.setToolTip(
            tr(
                "Tried just now on half of the features: {count} take about {time}. Subsets that get smaller are "
                "mostly quicker, other runs at work make it slower, and a search that finds nothing better may end "
                "before.",
                count=counted(100, "measurement"),
                time=duration(100 * found.seconds),
            )
        )
        self.memory.setVisible(found.memory > 0)
        self.memory.setText(tr("About {size} of memory in its worker", size=memory_words(found.memory)))
        self.memory.setToolTip(
            tr(
                "The most that a worker held when it tried these settings just now, with all features: the program "
                "itself, {table} of this table, which all workers share, and room to measure in.",
                table=memory_words(found.table),
            )
        )


def _time_words(seconds: float, most: int, minutes: float, searches: int) -> str:
    """How long the search takes; with the honest error, it and its repetitions in the outer folds."""
    whole = duration(seconds * most * searches)
    if minutes and seconds * most > minutes * 60:
        reached = counted(max(1, int(minutes * 60 / seconds)), "measurement")
        limit = duration(minutes * 60)
        if searches > 1:
            return tr(
                "About {time}: each of {searches} searches ends after {limit}, your limit, with about {reached}",
                time=duration(minutes * 60 * searches), searches=searches, limit=limit, reached=reached,
            )  # fmt: skip
        return tr(
            "Ends after {limit}, your limit, with about {reached}; all would take about {whole}",
            limit=limit, reached=reached, whole=whole,
        )  # fmt: skip
    if seconds * most * searches < 1:
        return tr("Less than a second here, if it takes them all")
    return tr("About {time} here, if it takes them all", time=whole)
