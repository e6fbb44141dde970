"""The interface of a search method: it proposes masks and receives losses, without access to data or files."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol, Self, overload

import numpy as np
from numpy.typing import NDArray

from fsdesk.errors import SettingsError
from fsdesk.messages import message
from fsdesk.settings import Registry, Settings, Value, setting

LATE = message("the time was nearly up, and the finalists were measured again")
_LATE = 0.85  # of the user's time: a race takes a tenth of what BSPSA-H measures

Mask = NDArray[np.bool_]
Filter = Literal["f", "mutual information", "relieff", "mrmr", "l1", "forest", "rfe", "significance", "shadows"]


class Loss(Protocol):
    """The part of a measurement that a method may use: smaller is better."""

    @property
    def mean(self) -> float:
        """Mean of the criterion over the repeats; infinite where the model could not be trained."""

    @property
    def std_error(self) -> float:
        """Standard error of the mean over the repeats."""

    @property
    def margin(self) -> tuple[float, float]:
        """Mean and standard deviation of the margins of held-out rows, in [-1, 1]; not numbers where there are none."""


class Subsets(Sequence[Mask]):
    """Many small subsets of many features, by the numbers of their features: a sequence of masks.

    Parameters
    ----------
    features
        Numbers of the features of all subsets, one subset after another; ascending within each, none empty.
    offsets
        (m + 1,) where each subset begins in ``features``, and the end.
    among
        How many features there are to choose among.
    """

    def __init__(self, features: NDArray[np.int32], offsets: NDArray[np.int64], among: int) -> None:
        self.features, self.offsets, self.among = features, offsets, among

    @classmethod
    def of(cls, masks: Sequence[Mask]) -> "Subsets":
        """The subsets of a sequence of masks, at least one."""
        if isinstance(masks, cls):
            return masks
        members = [np.flatnonzero(mask) for mask in masks]
        offsets = np.cumsum([0, *map(len, members)])
        return cls(np.concatenate(members).astype(np.int32), offsets, len(masks[0]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, place: int) -> Mask: ...
    @overload
    def __getitem__(self, place: slice) -> "Subsets": ...
    def __getitem__(self, place: int | slice) -> "Mask | Subsets":
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step != 1:
                raise ValueError("Subsets are cut in one piece.")
            offsets = self.offsets[first : max(first, last) + 1]
            return Subsets(self.features[offsets[0] : offsets[-1]], offsets - offsets[0], self.among)
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        place %= len(self)
        mask: Mask = np.zeros(self.among, dtype=np.bool_)
        mask[self.features[self.offsets[place] : self.offsets[place + 1]]] = True
        return mask


@dataclass(frozen=True, eq=False)
class Rows:
    """Which rows a proposal is measured on, by number: a method sees no data.

    The rows are divided into ``folds`` parts, as strictly as the validation divides them (groups stay whole, time runs
    forward). Resample j holds part j out; all other rows, or all earlier ones, are its searching rows. Resample -1
    holds nothing out. Those from ``folds`` on belong to a second division, a third one, and so on.

    Attributes
    ----------
    resamples
        (m,) int64 resample of each mask.
    folds
        Parts in each division.
    judge
        "split": trained on two thirds of the searching rows and judged on the other third, drawn anew for each
        proposal; the masks of one resample share it. "held-out": trained on all searching rows, judged on the rows
        held out.
    labels
        The strategy that each mask stands for; empty where nothing needs to be told apart.
    sizes
        How many features that strategy was asked for, for each mask; empty as well.
    model
        Name of the model that predicts; "" where none compete.
    """

    resamples: NDArray[np.int64]
    folds: int
    judge: Literal["split", "held-out"]
    labels: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    model: str = ""


@dataclass(frozen=True)
class Model:
    """All that a method knows about a model.

    Attributes
    ----------
    name, title
        Its name in proposals, and in sentences.
    is_quick
        Whether a search may ask for tens of thousands of single fits.
    is_slow
        Whether one fit takes many times as long as one of the others.
    sees_pairs
        Whether features tell it something together that none of them tells alone.
    is_simple
        Whether a reader can follow it: the best of these stands beside the answer.
    is_robust
        Whether features of no use hardly disturb it, so that it does with all of them about what it can do.
    only_all_features
        Whether it competes with all features alone, and not on lists.
    is_usual
        Whether it is taken unless another one is clearly better.
    """

    name: str = ""
    title: str = ""
    is_quick: bool = True
    is_slow: bool = False
    sees_pairs: bool = False
    is_simple: bool = False
    is_robust: bool = False
    only_all_features: bool = False
    is_usual: bool = False


class Scores(Protocol):
    """A filter's score of each feature, larger is better, always finite."""

    def __call__(self, name: Filter, resample: int = -1, folds: int = 0) -> NDArray[np.float64]:
        """(p,) scores from the searching rows of a resample; -1: from all rows."""


def _no_scores(name: Filter, resample: int = -1, folds: int = 0) -> NDArray[np.float64]:
    raise LookupError(name)


def _all_seen(resample: int, folds: int) -> float:
    return 1.0


def _as_many(mask: Mask) -> int:
    return int(mask.sum())


@dataclass
class Problem:
    """All that a method knows about the data; only who drives the search changes it, by :meth:`extend`.

    Attributes
    ----------
    features
        p, how many features there are to choose among; features that go together count as one.
    budget
        Most measurements that the run allows, at least 1; a method that plans ahead plans with this, none asks for
        more: the search is ended before the proposal that would exceed it.
    start
        (p,) the mask to begin with where the user gives one; None for the method's own beginning.
    scores
        A filter's (p,) score of each feature, larger is better, always finite; computed when asked for, from all rows
        or from the searching rows of a resample.
    seen
        The share of all rows that a search in a resample may see, of so many parts.
    size
        How many features of the table a mask takes: with those that are always in, and all that go together.
    more_measurements, more_iterations
        What the user has added to the method's own limits while it searched; part of ``budget`` already.
    planned
        Those of the added measurements that the method has heard of by :meth:`granted`.
    measured, seconds
        What the search has measured so far, and how long that took; both are those of the log, so a replay, too, brings
        a method to the same point.
    most_seconds
        The user's time for all of it; 0 for no limit.
    row
        By how much one row more that is predicted wrongly raises a loss; 0 where losses do not count rows.
    extensions
        How many times the user has allowed more: a stall is counted anew from there.
    """

    features: int
    budget: int = 10**9
    start: Mask | None = None
    scores: Scores = _no_scores
    seen: Callable[[int, int], float] = _all_seen
    size: Callable[[Mask], int] = _as_many
    more_measurements: int = 0
    more_iterations: int = 0
    planned: int = 0
    measured: int = 0
    seconds: float = 0.0
    most_seconds: float = 0.0
    row: float = 0.0
    extensions: int = 0

    @property
    def seconds_to_lateness(self) -> float:
        """How long until finalists should be measured; infinite without a limit."""
        return _LATE * self.most_seconds - self.seconds if self.most_seconds else np.inf

    @property
    def is_late(self) -> bool:
        """Whether most of the user's time is used up, so that a method with finalists should measure them now."""
        return self.seconds_to_lateness <= 0

    @property
    def is_over(self) -> bool:
        """Whether the user's time is used up: nothing more is measured."""
        return 0 < self.most_seconds <= self.seconds

    def extend(self, measurements: int, iterations: int, minutes: float = 0.0) -> None:
        """Allow more; a method finds it when it looks next, which is at every step."""
        self.extensions += bool(measurements or iterations or minutes)
        self.budget += measurements
        self.most_seconds += 60 * minutes if self.most_seconds else 0.0
        self.more_measurements += measurements
        self.more_iterations += iterations

    def granted(self) -> int:
        """Measurements that were added since this was asked last, for a method that plans with a number of them."""
        granted, self.planned = self.more_measurements - self.planned, self.more_measurements
        return granted

    def steps(self, most: int, first: int = 0) -> Iterator[int]:
        """``first``, ``first + 1``, ...: ``most`` of them, and those that the user adds meanwhile."""
        step = first
        while step - first < most + self.more_iterations:
            yield step
            step += 1

    def is_last(self, step: int, most: int) -> bool:
        """Whether this is the last of the steps from 0 on, as far as is known: it is not when the user adds more."""
        return step + 1 >= most + self.more_iterations


@dataclass(frozen=True)
class Proposal:
    """Masks to measure together.

    Attributes
    ----------
    masks
        Boolean vectors of length p, none of them empty.
    candidates
        Which of the masks may become the answer; the others are probes that only guide the search.
    iteration
        The method's own count of steps when it asks, from 0, never falling.
    weights
        (p,) float in [0, 1], what the method thinks of each feature now; the candidate's where there is one.
    trace
        Further scalars for the plots, such as the gain a_k.
    folds
        "fresh": new random folds for each mask; "shared": new ones, the same for all masks of this proposal (common
        random numbers); a number: those of that measurement, such as 0, the full set's.
    confirms
        The masks are finalists, measured again to choose among them; the curve of error against size is drawn from
        these.
    rows
        Which rows the masks are measured on; None: all rows, by the validation that the user chose.
    model
        Name of the model that measures them where models compete and ``rows`` are None.
    winner
        Of a race that is decided: place of the candidate that won, in the order in which they were first judged; the
        only mask is its features. -1 elsewhere.
    cut
        Whether time or budget decided it before all was judged.
    """

    masks: Sequence[Mask]
    candidates: Sequence[bool]
    iteration: int
    weights: NDArray[np.float64] | None = None
    trace: Mapping[str, float] = field(default_factory=dict)
    folds: Literal["fresh", "shared"] | int = "fresh"
    confirms: bool = False
    rows: Rows | None = None
    model: str = ""
    winner: int = -1
    cut: bool = False


@dataclass(frozen=True)
class End:
    """How a search ended.

    Attributes
    ----------
    reason
        Why, in plain words, such as "all 1000 iterations done".
    mask
        The answer where the method chose it by more than the smallest single measurement; else None: the candidate
        of the smallest mean is the answer, the earlier one of two that are equal.
    mean, std_error
        The loss of ``mask`` as the method knows it, from all measurements that it trusts.
    weights
        (p,) float in [0, 1], the weights that belong to ``mask``; None: the last ones that were shown.
    model
        Name of the model that predicts with it; "" where none compete.
    """

    reason: str
    mask: Mask | None = None
    mean: float = 0.0
    std_error: float = 0.0
    weights: NDArray[np.float64] | None = None
    model: str = ""


Search = Generator[Proposal, Sequence[Loss], End]


class Method(Settings):
    """A search over masks: a settings model with a generator."""

    max_measurements: int = setting(
        0,
        title="Measurements, at most",
        zero="unlimited",
        help="The search ends before it would take more measurements than this; 0 leaves it to the method's limits.",
        source="no limit beyond the method's own",
        ge=0,
        le=100_000_000,
        level="all",
    )
    max_minutes: float = setting(
        0.0,
        title="Time, at most",
        zero="unlimited",
        help="The search ends when it has measured for so long. What is being measured then is finished. The "
        "measurement of all features before the search may take as long once more. 0 sets no limit.",
        unit="minutes",
        source="the number of measurements ends the search",
        ge=0,
        le=1e6,
        level="all",
    )

    ends_by_itself: ClassVar[bool] = False
    """Whether the search ends when it has nothing left to try, however much it may measure."""

    takes_start: ClassVar[bool] = True
    """Whether there is anything to begin with."""

    selects: ClassVar[bool] = True
    """Whether the answer is chosen by what is measured."""

    validates_itself: ClassVar[bool] = False
    """Whether its answer was judged on rows held out from the search, so that its log gives an held-out error."""

    formerly: ClassVar[Mapping[str, Value]] = {}
    """What searches did before there were these settings: logs without them go on so."""

    sizes_asked: ClassVar[tuple[str, ...]] = ()
    """Names of the settings that are numbers of features of the answer; those that begin with "min" are the fewest."""

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Propose masks, hear their losses, and return how the search ended.

        Uses nothing but the problem, its answers and ``rng``: the same answers bring it to the same point again.
        """
        raise TypeError(f"{type(self).__name__} declares no search")

    def beside(self, always: int) -> Self:
        """The method where so many features are in anyway, beside those that it chooses.

        Sizes that a person asks for are those of the whole answer; a method counts what it chooses.

        Raises
        ------
        SettingsError
            Where the answer may not have more features than are in anyway.
        """
        chosen = {}
        for name in self.sizes_asked:
            asked = getattr(self, name)
            if 0 < asked <= always and not name.startswith("min"):
                raise SettingsError(
                    "{always} features are always in, and the answer may have no more than {asked}: raise that number, "
                    "or take features from the list always in.",
                    always=always,
                    asked=asked,
                )
            chosen[name] = max(1, asked - always) if asked else 0
        return self.model_copy(update=chosen) if always else self

    @property
    def brings_honest_error(self) -> bool:
        """Whether rows that it held out give an held-out error of its answer; outer folds do that else."""
        return self.validates_itself

    def asks_filters(self, features: int) -> bool:
        """Whether a search among so many features asks for scores of a filter: without the data it does not replay."""
        return False

    def paced(self, fits: int, models: Sequence[Model] = ()) -> Self:
        """The method for a model that allows so many single fits (trained once, judged once) in a fair time.

        Where ``models`` compete, the method chooses among them.
        """
        return self

    def check(self, features: int) -> None:
        """Raise SettingsError where the method cannot search so many features with these settings."""

    def measurements(self, features: int) -> int:
        """Most measurements that the method can ask for by its own limits."""
        raise TypeError(f"{type(self).__name__} declares no budget")

    def rankings(self, features: int) -> dict[Filter, int]:
        """How often the method asks for the scores of each filter, beside its measurements."""
        return {}

    def start_measurements(self) -> int:
        """Measurements that a given start takes beside those within the method's own limits."""
        return 0

    def budget(self, features: int, *, started: bool = False) -> int:
        """Most measurements that a run takes, with a given start or without: the method's own limits and the user's."""
        own = self.measurements(features) + (self.start_measurements() if started else 0)
        return min(own, self.max_measurements) if self.max_measurements else own


METHODS: Registry[Method] = Registry("method")


def check_start(method: str, start: Sequence[str]) -> None:
    """Raise SettingsError where a start is given to a method that has no use for it."""
    if start and not METHODS[method].model.takes_start:
        title = METHODS[method].title
        raise SettingsError(
            '"{title}" begins with no subset, so a start is of no use to it: leave the start out, or choose another '
            "method.",
            title=title,
        )
