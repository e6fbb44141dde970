"""One run as the window knows it: its state from the log, its task, and how the user lists it."""

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
    """How far the shuffled runs of a run are: done of how many, and how many of them since ``began``."""

    done: int
    total: int
    done_here: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far; None before the first has ended."""
        if not self.done_here:
            return None
        return (time.monotonic() - self.began) / self.done_here * (self.total - self.done)


@dataclass(eq=False)
class Run:
    """One run as the window knows it.

    Attributes
    ----------
    shown_in_curves
        Whether the user wants its curve among those laid over one another.
    colour
        Place in ``tokens.RUN_COLOURS[mode]`` that the user chose for its tag and its curve; -1 for the usual one.
    name
        What the user calls it; empty for the usual.
    queued
        Its place in the queue, smaller first, as long as it is wanted; None once it has ended or was stopped.
    wanted
        What its job is to do: the search, and evidence about its answer.
    searching
        Whether its task is still at its search; evidence follows.
    ended, is_read
        How its last task ended, None while that goes on; whether all that the task sent is in this state.
    undelivered
        Steerings that were sent to its worker and are not in the log yet.
    evidence
        What was measured of its answer after the search, oldest first.
    external
        Tests of an answer of it on other tables, in the order in which they were made.
    validation
        How far the measuring of its held-out error is; None while that is not at work.
    shuffling
        How far the same run on shuffled targets is; None while that is not at work.
    broke
        Why its worker died in this window, a sentence, until it goes on or the user leaves it; else "".
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
        """Place of its colour in ``tokens.RUN_COLOURS[mode]``; by its id where none was chosen."""
        return self.colour if self.colour >= 0 else (self.id - 1) % len(RUN_COLOURS["light"])

    @property
    def title(self) -> str:
        """What the list calls it."""
        method, wrapper = self.method, WRAPPERS[self.spec.wrapper]
        if self.spec.wrapper_settings.get("models") == "simple":
            return tr("{method}, simple models", method=method)
        if wrapper.model.competes:
            return method
        return tr("{method} with {model}", method=method, model=within(wrapper.title))

    @property
    def method(self) -> str:
        """What lists and messages call its method."""
        return translated(METHODS[self.spec.method].brief)

    @property
    def label(self) -> str:
        """The user's name for it, else data, method and seed."""
        return self.name or tr(
            "{data} · {method} · seed {seed}",
            data=self.spec.data_name,
            method=self.method,
            seed=self.spec.seed,
        )

    @property
    def called(self) -> str:
        """What messages call it, which name its table: a project may have several."""
        return tr("{run} ({data})", run=self.name, data=self.spec.data_name) if self.name else self.label

    @property
    def titled(self) -> str:
        """Its title, and the table."""
        return tr("{run} ({data})", run=self.title, data=self.spec.data_name)

    @property
    def listing(self) -> Listing:
        """What the project keeps of how it is listed."""
        return Listing(self.name, self.colour, self.shown_in_curves, self.queued)

    def listed_as(self, listing: Listing) -> None:
        """Take what the project has kept."""
        self.name, self.shown_in_curves, self.queued = listing.name, listing.shown, listing.queued
        self.colour = listing.colour if listing.colour < len(RUN_COLOURS["light"]) else -1

    @property
    def most(self) -> int:
        """Most measurements that it can take, with what the user has added."""
        return self.measurements + self.state.more_measurements

    @property
    def record(self) -> RunRecord | None:
        """All that is known of it now; None before a subset was measured."""
        if self.state.best is None or self.state.baseline is None:
            return None
        return RunRecord.of(self.state, spec=self.spec, evidence=self.evidence, validations=self.external)

    @property
    def honesty(self) -> Honesty:
        """What is known of its answer beside what the search saw."""
        record = self.record
        return Honesty() if record is None else record.honesty

    @property
    def honest(self) -> HonestError | None:
        """The error of its answer on held-out rows, with its interval; None where that is not known."""
        record = self.record
        return None if record is None else record.honest

    @property
    def judged(self) -> RunRecord | None:
        """The record of the finished run with its held-out error, which shuffled runs are compared with; else None."""
        record = self.record
        return record if record is not None and self.phase == "finished" and record.honest is not None else None

    @property
    def permutations(self) -> PermutationTest | None:
        """What the same run on shuffled targets says; None where there was none."""
        return None if self.judged is None else self.judged.permutations

    @property
    def brings_its_own(self) -> bool:
        """Whether its held-out error comes from rows that its search held out itself, so it needs no outer folds."""
        itself = self.spec.validates_itself and (self.active or self.state.race.is_complete)
        return itself and not self.honesty.outer and self.honesty.own is None

    @property
    def folds_left(self) -> int:
        """How many outer folds its held-out error still needs."""
        outer = self.honesty.outer
        return outer[0].folds - len(outer) if outer else self.spec.validation.outer_folds

    @property
    def measurable(self) -> bool:
        """Whether its held-out error can be measured now: it has come to its end, and its answer could be measured."""
        best = self.state.best
        return self.phase == "finished" and self.honest is None and best is not None and isfinite(best.mean)

    @property
    def phase(self) -> Phase:
        """Where it stands, from its log and its task."""
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
        """Whether its search waits for a worker or has one."""
        return self.searching or self.waiting

    @property
    def at_work(self) -> bool:
        """Whether a worker is busy with its search or with the evidence after it."""
        return self.task is not None and self.ended is None

    @property
    def busy(self) -> bool:
        """Whether it waits or is at work, or something is measured of it."""
        return self.active or self.at_work or self.validation is not None or self.shuffling is not None

    @property
    def resumable(self) -> bool:
        """Whether it can go on from where it was; one that was refused would only be refused again."""
        return not self.active and not self.elsewhere and self.state.status != "finished" and not self.refused

    @property
    def refused(self) -> bool:
        """Whether it failed for what it was asked to do."""
        state = self.state
        return self.phase == "failed" and self.queued is None and bool(state.reason) and not state.passing

    @property
    def progress(self) -> float:
        """Share of the most measurements that it can take, 0 to 1; 1 once it has finished."""
        return 1.0 if self.state.status == "finished" else min(1.0, self.state.evaluations / self.most)

    def mark(self) -> None:
        """Note how far it is now, for the time left."""
        now = time.monotonic()
        if not self._marks or now - self._marks[-1][0] > 0.25:
            self._marks.append((now, self.state.evaluations))
        while now - self._marks[0][0] > _RATE_SECONDS and len(self._marks) > 2:
            self._marks.popleft()

    def forget_pace(self) -> None:
        """After a pause the old pace says nothing."""
        self._marks.clear()

    @property
    def rate(self) -> float | None:
        """Measurements a second over the last seconds; None while it is not known or not at work."""
        if not self.searching or len(self._marks) < 2:
            return None
        (start, first), (end, last) = self._marks[0], self._marks[-1]
        return (last - first) / (end - start) if last > first else None

    @property
    def seconds_left(self) -> float | None:
        """At the pace of the last seconds, if it takes all its measurements; None while that is not known."""
        rate = self.rate
        return None if rate is None else max(0, self.most - self.state.evaluations) / rate
