"""What a search that runs in this process tells while it is under way, and how it is asked to stop."""

from collections.abc import Callable
from dataclasses import dataclass

from fsdesk.engine import Flag, RunSpec, RunState
from fsdesk.methods import Mask

__all__ = ["Callback", "Progress", "invoke"]


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a search has come.

    Attributes
    ----------
    measured, most
        Measurements that the method has taken, and the most that it may take; it may end before.
    iteration
        The method's own count of steps.
    best_error, best_mask
        Smallest loss of a subset so far, optimistic as all that a search sees of itself, and its (p,) bool mask.
    baseline_error
        Loss of all features.
    seconds
        Time spent measuring, the measurement of all features before the search not counted.
    is_better
        Whether this step has found that subset.
    """

    measured: int
    most: int
    iteration: int
    best_error: float
    best_mask: Mask
    baseline_error: float
    seconds: float
    is_better: bool

    def __str__(self) -> str:
        return (
            f"{self.measured} of at most {self.most} measurements: loss {self.best_error:.4g} "
            f"with {int(self.best_mask.sum())} features, {self.baseline_error:.4g} with all"
        )


Callback = Callable[[Progress], object]
"""Hears of progress; returns True, or raises StopIteration, to stop the search and keep what it has found."""


def invoke(callback: Callback, spec: RunSpec, state: RunState, flag: Flag, first: int) -> None:
    """Tell ``callback`` how far the run has come, once there is a best subset, and stop the run where it says so.

    ``first`` is the number of the first measurement of this step.
    """
    if state.best is None or state.baseline is None:
        return
    most = spec.measurements - 1 + state.more_measurements
    best = state.best
    told = Progress(
        measured=state.evaluations,
        most=most,
        iteration=state.iteration,
        best_error=best.mean,
        best_mask=best.mask,
        baseline_error=state.baseline,
        seconds=state.seconds,
        is_better=best.number >= first,
    )
    try:
        flag.stop = callback(told) is True or flag.stop
    except StopIteration:
        flag.stop = True
