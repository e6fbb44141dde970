"""A run in the window: its state from the log, its task, and its display in the list."""

import time
from collections import deque
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal

from fsdesk.app.palette import RUN_COLOURS
from fsdesk.engine import Ended, RunningTask, RunSpec, RunState, Wanted
from fsdesk.messages import tr, translated, within
from fsdesk.methods import METHODS
from fsdesk.results.evidence import Evidence, EvidenceProgress, ExternalValidation, Honesty
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.permutations import PermutationTest
from fsdesk.results.record import RunRecord
from fsdesk.store import Listing
from fsdesk.wrappers import WRAPPERS

Phase = Literal[
    "waiting", "starting", "running", "paused", "stopping", "finished", "stopped", "failed", "interrupted", "elsewhere"
]
_RATE_SECONDS = 10.0


@dataclass
class ShuffledProgress:
    """Progress of the shuffled runs of a run: done, total, and how many since ``began``."""

    done: int
    total: int
    done_here: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float | None:
        """Seconds left at the current rate; None before the first run has ended."""
        if not self.done_here:
            return None
        return (time.monotonic() - self.began) / self.done_here * (self.total - self.done)


@dataclass(eq=False)
class Run:
    """A run as seen by the window.

    Attributes
    ----------
    shown_in_curves
        Whether its curve is to be overlaid.
    colour
        Index in ``tokens.RUN_COLOURS[mode]`` chosen by the user for its tag and its curve; -1 for the default.
    name
        The user's name for it; empty for the default.
    queued
        Its position in the queue, smallest first; None if not queued or once it has ended or was stopped.
    wanted
        The work of its job: the search, and evidence about its result.
    searching
        Whether its task is still searching; evidence follows.
    ended, is_read
        How its last task ended, None while it is active; whether all its messages are included in this state.
    undelivered
        Changes sent to its worker that are not in the log yet.
    evidence
        Evidence about its result after the search, oldest first.
    external
        Tests of one of its results on other tables, in chronological order.
    validation
        Progress of its held-out error; None if not being estimated.
    shuffling
        Progress of the same run on shuffled targets; None if not active.
    broke
        Why its worker died in this window, a sentence, until it continues or the user dismisses it; else "".
    """

    id: int
    spec: RunSpec
    created: str
    state: RunState = field(default_factory=RunState)
    task: RunningTask | None = None
    asked: Literal["", "pause", "stop"] = ""
    waiting: bool = False
    measurements: int = 1
    shown_in_curves: bool = False
    colour: int = -1
    name: str = ""
    queued: float | None = None
    wanted: Wanted = field(default_factory=Wanted)
    searching: bool = False
    undelivered: int = 0
    ended: Ended | None = None
    is_read: bool = False
    logged: int = 0
    elsewhere: bool = False
    evidence: list[Evidence] = field(default_factory=list)
    external: tuple[ExternalValidation, ...] = ()
    validation: EvidenceProgress | None = None
    shuffling: ShuffledProgress | None = None
    broke: str = ""
    _marks: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=64))

    @property
    def colour_index(self) -> int:
        """Index of its color in ``tokens.RUN_COLOURS[mode]``, which depends on its ID if none was chosen."""
        return self.colour if self.colour >= 0 else (self.id - 1) % len(RUN_COLOURS["light"])

    @property
    def title(self) -> str:
        """The name of the run in the list."""
        method, wrapper = self.method, WRAPPERS[self.spec.wrapper]
        if self.spec.wrapper_settings.get("models") == "simple":
            return tr("{method}, simple models", method=method)
        if wrapper.model.competes:
            return method
        return tr("{method} with {model}", method=method, model=within(wrapper.brief))

    @property
    def method(self) -> str:
        """The name of the method in lists and messages."""
        return translated(METHODS[self.spec.method].brief)

    @property
    def label(self) -> str:
        """The user's name for the run, otherwise its data, method, model and seed."""
        return self.name or tr(
            "{data} · {run} · seed {seed}", data=self.spec.data_name, run=self.title, seed=self.spec.seed
        )

    @property
    def called(self) -> str:
        """The name of the run in messages, with its table, because a project may have several."""
        return tr("{run} ({data})", run=self.name, data=self.spec.data_name) if self.name else self.label

    @property
    def titled(self) -> str:
        """The title of the run, and its table."""
        return tr("{run} ({data})", run=self.title, data=self.spec.data_name)

    @property
    def listing(self) -> Listing:
        """The listing of the run as stored in the project."""
        return Listing(self.name, self.colour, self.shown_in_curves, self.queued)

    def listed_as(self, listing: Listing) -> None:
        """Apply a stored listing."""
        self.name, self.shown_in_curves, self.queued = listing.name, listing.shown, listing.queued
        self.colour = listing.colour if listing.colour < len(RUN_COLOURS["light"]) else -1

    @property
    def most(self) -> int:
        """Maximum number of measurements, including the user's additions."""
        return self.measurements + self.state.more_measurements

    @property
    def record(self) -> RunRecord | None:
        """The current record of the run; None before a subset was measured."""
        if self.state.best is None or self.state.baseline is None:
            return None
        return RunRecord.of(self.state, spec=self.spec, evidence=self.evidence, validations=self.external)

    @property
    def honesty(self) -> Honesty:
        """Evidence about its result beyond the search."""
        record = self.record
        return Honesty() if record is None else record.honesty

    @property
    def honest(self) -> HonestError | None:
        """The held-out error of its result, with its interval; None if unknown."""
        record = self.record
        return None if record is None else record.honest

    @property
    def judged(self) -> RunRecord | None:
        """The record of the finished run with its held-out error, for comparison with shuffled runs; else None."""
        record = self.record
        return record if record is not None and self.phase == "finished" and record.honest is not None else None

    @property
    def permutations(self) -> PermutationTest | None:
        """The results on shuffled targets; None if there are none."""
        return None if self.judged is None else self.judged.permutations

    @property
    def brings_its_own(self) -> bool:
        """Whether its held-out error comes from rows held out by its own search, so that it needs no outer folds."""
        itself = self.spec.validates_itself and (self.active or self.state.race.is_complete)
        return itself and not self.honesty.outer and self.honesty.own is None

    @property
    def folds_left(self) -> int:
        """Number of outer folds still missing for its held-out error."""
        outer = self.honesty.outer
        return outer[0].folds - len(outer) if outer else self.spec.validation.outer_folds

    @property
    def measurable(self) -> bool:
        """Whether its held-out error can be estimated now: it has ended with a measured result."""
        best = self.state.best
        return self.phase == "finished" and self.honest is None and best is not None and isfinite(best.mean)

    @property
    def phase(self) -> Phase:
        """The status of the run, derived from its log and its task."""
        if self.waiting:
            return "waiting"
        if self.searching:
            if self.asked == "stop":
                return "stopping"
            if self.asked == "pause":
                return "paused"
            return "running" if self.state.evaluations else "starting"
        if self.state.status in ("finished", "stopped", "failed"):
            return self.state.status
        return "elsewhere" if self.elsewhere else "interrupted"

    @property
    def active(self) -> bool:
        """Whether its search is queued or active."""
        return self.searching or self.waiting

    @property
    def at_work(self) -> bool:
        """Whether a worker is busy with its search or with the evidence after it."""
        return self.task is not None and self.ended is None

    @property
    def busy(self) -> bool:
        """Whether it is queued or active, or evidence is being measured."""
        return self.active or self.at_work or self.validation is not None or self.shuffling is not None

    @property
    def resumable(self) -> bool:
        """Whether it can be resumed; a run that was refused would only be refused again."""
        return not self.active and not self.elsewhere and self.state.status != "finished" and not self.refused

    @property
    def refused(self) -> bool:
        """Whether it failed because of its own settings."""
        state = self.state
        return self.phase == "failed" and self.queued is None and bool(state.reason) and not state.passing

    @property
    def progress(self) -> float:
        """Fraction of its maximum number of measurements, 0 to 1; 1 once it has finished."""
        return 1.0 if self.state.status == "finished" else min(1.0, self.state.evaluations / self.most)

    def mark(self) -> None:
        """Record its current progress, for the time left."""
        now = time.monotonic()
        if not self._marks or now - self._marks[-1][0] > 0.25:
            self._marks.append((now, self.state.evaluations))
        while now - self._marks[0][0] > _RATE_SECONDS and len(self._marks) > 2:
            self._marks.popleft()

    def forget_pace(self) -> None:
        """Forget the rate, which is meaningless after a pause."""
        self._marks.clear()

    @property
    def rate(self) -> float | None:
        """Measurements per second over the last seconds; None if unknown or not active."""
        if not self.searching or len(self._marks) < 2:
            return None
        (start, first), (end, last) = self._marks[0], self._marks[-1]
        return (last - first) / (end - start) if last > first else None

    @property
    def seconds_left(self) -> float | None:
        """Seconds left at the recent rate if all measurements are used; None if unknown."""
        rate = self.rate
        return None if rate is None else max(0, self.most - self.state.evaluations) / rate
