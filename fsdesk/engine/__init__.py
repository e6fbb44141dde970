"""Runs: what determines one, the loop that drives it, its events and state, and the processes that do the work."""

from fsdesk.engine.control import Control, Flag
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
from fsdesk.engine.history import StepHistory, history_of
from fsdesk.engine.loop import run
from fsdesk.engine.pool import Task, WorkerPool
from fsdesk.engine.request import SHARED, Prefilter, RunRequest, RunSpec, Validation, setting_groups
from fsdesk.engine.space import Space
from fsdesk.engine.state import Best, RunState
from fsdesk.engine.steering import Repeated, more_of
from fsdesk.engine.summary import SUMMARY_VERSION, state_of, summary_of
from fsdesk.engine.worker import Ended

__all__ = [
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
    "Prefilter",
    "Repeated",
    "RunFailed",
    "RunFinished",
    "RunRequest",
    "RunSpec",
    "RunStarted",
    "RunState",
    "Space",
    "Steered",
    "StepHistory",
    "SubsetsJudged",
    "Task",
    "ThreadExecutor",
    "Validation",
    "WorkerPool",
    "history_of",
    "more_of",
    "pack_masks",
    "run",
    "setting_groups",
    "state_of",
    "summary_of",
    "unpack_masks",
    "usable_cores",
]
