"""Runs: what determines one, the loop that drives it, its events and state, and the processes that do the work."""

from fsdesk.engine.events import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFailed,
    RunFinished,
    RunStarted,
    Steered,
    SubsetsJudged,
    pack_masks,
    unpack_masks,
)
from fsdesk.engine.executor import Executor, ThreadExecutor, usable_cores
from fsdesk.engine.loop import run
from fsdesk.engine.pool import Pool, RunningTask, Task, WorkerPool, messages_of
from fsdesk.engine.request import (
    ENOUGH_ROWS,
    SHARED,
    Prefilter,
    RunRequest,
    RunSpec,
    Space,
    Validation,
    Wanted,
    setting_groups,
)
from fsdesk.engine.state import SUMMARY_VERSION, Best, RunState, StepHistory, history_of, state_of, summary_of
from fsdesk.engine.steering import Control, Flag, Repeated, more_of
from fsdesk.engine.worker import Ended

__all__ = [
    "ENOUGH_ROWS",
    "SHARED",
    "SUMMARY_VERSION",
    "BaselineMeasured",
    "BatchMeasured",
    "Best",
    "Control",
    "Ended",
    "Event",
    "Executor",
    "Flag",
    "Pool",
    "Prefilter",
    "Repeated",
    "RunFailed",
    "RunFinished",
    "RunRequest",
    "RunSpec",
    "RunStarted",
    "RunState",
    "RunningTask",
    "Space",
    "Steered",
    "StepHistory",
    "SubsetsJudged",
    "Task",
    "ThreadExecutor",
    "Validation",
    "Wanted",
    "WorkerPool",
    "history_of",
    "messages_of",
    "more_of",
    "pack_masks",
    "run",
    "setting_groups",
    "state_of",
    "summary_of",
    "unpack_masks",
    "usable_cores",
]
