"""Progress bars of a job on stderr, one after another for each of its parts."""

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from rich.progress import MofNCompleteColumn, ProgressColumn, TimeRemainingColumn

from fsdesk.cli.options import progress_bar
from fsdesk.engine import Event, RunState
from fsdesk.messages import counted, localised, tr
from fsdesk.results.evidence import EvidenceProgress
from fsdesk.results.job import Step


class JobBars:
    """The bar of a job's current part: its search, its outer folds, or the runs on shuffled targets.

    Parameters
    ----------
    state
        State of the run; its events are applied by whoever carries the job out.
    total
        Maximum number of measurements of the search.
    """

    def __init__(self, state: RunState, total: int) -> None:
        self._state, self._total = state, total
        self._shown = ExitStack()
        self._part = ""

    def __enter__(self) -> Self:
        if self._state.status != "finished":
            self._begin("search", tr("preparing"), MofNCompleteColumn(), total=self._total)
            self._update(tr("preparing"), self._state.evaluations, self._total)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shown.close()

    def show(self, step: Step) -> None:
        """Show the progress of the job after a step."""
        if isinstance(step, Event):
            ended = self._state.status == "finished"
            self._update(self._so_far(), self._total if ended else self._state.evaluations + 1, self._total)
        elif isinstance(step, EvidenceProgress) and step.part == "outer folds":
            self._begin(
                step.part,
                tr("held-out error"),
                said=tr("Measuring the held-out error: repeating the whole search in every outer fold …"),
            )
            what = tr("held-out error: outer fold {fold} of {folds}", fold=step.place + 1, folds=step.total)
            self._update(what, step.done, step.total)
        elif isinstance(step, EvidenceProgress):
            name = tr("shuffled targets")
            self._begin(step.part, name, said=tr("Repeating the run on shuffled targets …"))
            self._update(name, step.done, step.total)

    def _begin(self, part: str, name: str, *columns: ProgressColumn, total: int | None = None, said: str = "") -> None:
        if part == self._part:
            return
        self._shown.close()
        self._part = part
        self._bar = self._shown.enter_context(progress_bar(*columns, TimeRemainingColumn()))
        if said and not self._bar.console.is_terminal:
            print(said, file=sys.stderr)
        self._task = self._bar.add_task(name, total=total)

    def _update(self, what: str, done: float, total: int) -> None:
        self._bar.update(self._task, description=what, completed=done, total=total)

    def _so_far(self) -> str:
        state = self._state
        if state.best is None or state.baseline is None:
            return tr("measuring all features")
        criterion = state.criterion
        return tr(
            "{criterion} {value} with {features}",
            criterion=tr(criterion.title),
            value=localised(criterion.text(state.best.mean)),
            features=counted(int(state.best.mask.sum()), "feature"),
        )
