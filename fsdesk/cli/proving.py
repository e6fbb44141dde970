"""What is measured after a search without a screen: its answer on fresh folds, and the whole in outer folds."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from fsdesk.data import Dataset
from fsdesk.engine import Flag, RunSpec, RunState, pack_masks
from fsdesk.errors import UserError
from fsdesk.methods import METHODS
from fsdesk.results.honest import (
    OUTER_FOLDS,
    Evidence,
    Fresh,
    Honesty,
    OuterFold,
    fresh_error,
    kept_evidence,
    outer_number,
    outer_steps,
    own_error,
    packed_evidence,
)
from fsdesk.store import Project

__all__ = ["Proof"]


@dataclass(frozen=True)
class Proof:
    """The measuring after the search of one run; what is measured is kept in the project at once.

    Attributes
    ----------
    asked
        Outer folds of the honest error; 0 for none; None for as many as the run has already begun with, or the usual.
    """

    project: Project
    run_id: int
    spec: RunSpec
    dataset: Dataset
    asked: int | None
    workers: int
    refused: list[str] = field(default_factory=list)

    @cached_property
    def outer(self) -> int:
        """Outer folds that are to be done, 0 for none."""
        if self.asked is not None:
            return self.asked
        if METHODS[self.spec.method].model.validates_itself:
            return 0
        known = [each for each in kept_evidence(self.project.evidence(self.run_id)) if isinstance(each, OuterFold)]
        return known[-1].folds if known else OUTER_FOLDS

    def gather(self, state: RunState, flag: Flag) -> tuple[Evidence, ...]:
        """Measure what is missing of a finished run until ``flag`` stops it; return all that is known of the run."""
        assert state.best is not None
        known = kept_evidence(self.project.evidence(self.run_id))
        if state.status == "finished":
            if self.spec.measuring.deals_anew and Honesty.of(known, state.best.mask).fresh is None:
                values = fresh_error(self.spec, self.dataset, state.best.mask).values
                self._keep(known, Fresh(pack_masks([state.best.mask])[0], values))
            if state.race.winner is not None and Honesty.of(known, state.best.mask).own is None:
                own = own_error(self.spec, self.dataset, state.race, state.best.mask)
                if own is not None:
                    self._keep(known, own)
            if self.outer and not flag.stop:
                try:
                    self._validate(known, state, flag)
                except UserError as error:  # such as rows too few to leave some out
                    if self.asked is not None:
                        raise
                    print(f"note: the error on unseen rows was not measured: {error}", file=sys.stderr)
                    self.refused.append(str(error))
        return tuple(known)

    def is_incomplete(self, honesty: Honesty) -> bool:
        """Whether outer folds that were to be done are missing because it was stopped."""
        return bool(self.outer) and not honesty.complete and not self.refused

    def _validate(self, known: list[Evidence], state: RunState, flag: Flag) -> None:
        number = outer_number(self.spec, self.dataset, self.outer)
        done = [each.fold for each in Honesty.of(known, None, len(state.steering_events)).outer if each.folds == number]
        steps = outer_steps(self.spec, self.dataset, self.outer, self.workers, done, flag, tuple(state.steering_events))
        with _bar() as (progress, task):
            for step in steps:
                if isinstance(step, OuterFold):
                    self._keep(known, step)
                share = 1.0 if isinstance(step, OuterFold) else step.share
                what = f"honest error: outer fold {step.fold + 1} of {step.folds}"
                progress.update(task, description=what, completed=step.fold + share, total=step.folds)

    def _keep(self, known: list[Evidence], evidence: Evidence) -> None:
        known.append(evidence)
        self.project.add_evidence(self.run_id, *packed_evidence(evidence))


@contextmanager
def _bar() -> Iterator[tuple[Progress, Any]]:
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(bar_width=24), TaskProgressColumn(), TimeRemainingColumn()
    if not console.is_terminal:
        print("Measuring the honest error: the whole search again inside every outer fold …", file=sys.stderr)
    with Progress(*columns, console=console, refresh_per_second=5, transient=not console.is_terminal) as progress:
        yield progress, progress.add_task("honest error", total=None)
