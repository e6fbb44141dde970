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
_LATE = 0.85  # fraction of the user's time: a race takes a tenth of what BSPSA-H measures

Mask = NDArray[np.bool_]
Filter = Literal["f", "mutual information", "relieff", "mrmr", "l1", "forest", "rfe", "significance", "shadows"]


class Loss(Protocol):
    """The part of a measurement available to a method: smaller is better."""

    @property
    def mean(self) -> float:
        """Mean of the criterion over the repeats; infinite if the model could not be trained."""

    @property
    def std_error(self) -> float:
        """Standard error of the mean over the repeats."""

    @property
    def margin(self) -> tuple[float, float]:
        """Mean and standard deviation of the margins of held-out rows, in [-1, 1]; NaN if there are none."""


class Subsets(Sequence[Mask]):
    """Many small subsets of many features, given by feature indices: a sequence of masks.

    Parameters
    ----------
    features
        Feature indices of all subsets, one subset after another; ascending within each, none empty.
    offsets
        (m + 1,) offsets of the subsets in ``features``, and the end.
    among
        Number of features to choose from.
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
    """The rows that a proposal is measured on, by number: a method has no access to data.

    The rows are divided into ``folds`` parts, as strictly as in the validation (groups stay whole, time runs forward).
    Resample j holds part j out; all other rows, or all earlier ones, are its search rows. Resample -1 holds nothing
    out. Resamples from ``folds`` on belong to a second division, a third one, and so on.

    Attributes
    ----------
    resamples
        (m,) int64 resample of each mask.
    folds
        Parts in each division.
    judge
        "split": trained on two thirds of the search rows and scored on the other third, drawn anew for each proposal;
        masks of one resample share it. "held-out": trained on all search rows, scored on the held-out rows.
    labels
        The strategy of each mask; empty if no distinction is needed.
    sizes
        The number of features requested from that strategy, for each mask; empty if ``labels`` is.
    model
        Name of the model that predicts; "" if no models compete.
    """

    resamples: NDArray[np.int64]
    folds: int
    judge: Literal["split", "held-out"]
    labels: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    model: str = ""


@dataclass(frozen=True)
class Model:
    """What a method knows about a model.

    Attributes
    ----------
    name, title
        Its name in proposals, and in sentences.
    is_quick
        Whether a search may request tens of thousands of single fits.
    is_slow
        Whether one fit takes many times as long as with other models.
    sees_pairs
        Whether it can use interactions between features.
    is_simple
        Whether it is interpretable: the best such model is shown beside the result.
    is_robust
        Whether it is robust to irrelevant features, i.e. hardly improves if features are selected.
    only_all_features
        Whether it competes only with all features, not with rankings.
    usual_from
        Number of features from which it is preferred unless another candidate is clearly better; 0: never.
    """

    name: str = ""
    title: str = ""
    is_quick: bool = True
    is_slow: bool = False
    sees_pairs: bool = False
    is_simple: bool = False
    is_robust: bool = False
    only_all_features: bool = False
    usual_from: int = 0


class Scores(Protocol):
    """A filter's score of each feature, larger is better, always finite."""

    def __call__(self, name: Filter, resample: int = -1, folds: int = 0) -> NDArray[np.float64]:
        """(p,) scores from the search rows of a resample; -1: from all rows."""


def _no_scores(name: Filter, resample: int = -1, folds: int = 0) -> NDArray[np.float64]:
    raise LookupError(name)


def _all_seen(resample: int, folds: int) -> float:
    return 1.0


def _as_many(mask: Mask) -> int:
    return int(mask.sum())


@dataclass
class Problem:
    """What a method knows about the data; only the driver of the search changes it, by :meth:`extend`.

    Attributes
    ----------
    features
        p, the number of features to choose from; features selected together count as one.
    budget
        Maximum number of measurements in the run, at least 1; for methods that plan ahead. No method requests more: the
        search is ended before a proposal that would exceed it.
    start
        (p,) the user's initial mask; None for the method's own start.
    scores
        A filter's (p,) score of each feature, larger is better, always finite; computed on demand, from all rows or
        from the search rows of a resample.
    seen
        The fraction of all rows that a search in a resample may use, given the number of parts.
    size
        Number of features of the table that a mask stands for, including those always selected and all of a group.
    more_measurements, more_iterations
        The user's additions to the method's own limits during the search; already part of ``budget``.
    planned
        The added measurements that the method has received by :meth:`granted`.
    measured, seconds
        Measurements so far, and their time; both as in the log, so a replay brings a method to the same point.
    most_seconds
        The user's total time; 0 for no limit.
    row
        By how much one more misclassified row raises a loss; 0 if losses do not count rows.
    extensions
        How many times the user has extended the search; stalls are counted from the last extension.
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
        """Time left before finalists should be measured; infinite without a limit."""
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
        """Allow more measurements, iterations or time; a method notices it at its next step."""
        self.extensions += bool(measurements or iterations or minutes)
        self.budget += measurements
        self.most_seconds += 60 * minutes if self.most_seconds else 0.0
        self.more_measurements += measurements
        self.more_iterations += iterations

    def granted(self) -> int:
        """Measurements added since the last call, for a method that plans with a number of them."""
        granted, self.planned = self.more_measurements - self.planned, self.more_measurements
        return granted

    def steps(self, most: int, first: int = 0) -> Iterator[int]:
        """``first``, ``first + 1``, ...: ``most`` of them, plus those added by the user meanwhile."""
        step = first
        while step - first < most + self.more_iterations:
            yield step
            step += 1

    def is_last(self, step: int, most: int) -> bool:
        """Whether this is the last of the currently planned steps, counted from 0; the user may add more."""
        return step + 1 >= most + self.more_iterations


@dataclass(frozen=True)
class Proposal:
    """Masks to measure together.

    Attributes
    ----------
    masks
        Boolean vectors of length p, none of them empty.
    candidates
        Which of the masks may become the result; the others are probes that only guide the search.
    iteration
        The method's own step count, from 0, never decreasing.
    weights
        (p,) float in [0, 1], the current weight of each feature; those of the candidate if there is one.
    trace
        Further scalars for the plots, such as the gain a_k.
    folds
        "fresh": new random folds for each mask; "shared": new folds, the same for all masks of this proposal (common
        random numbers); a number: the folds of that measurement, such as 0, that of the full set.
    confirms
        The masks are finalists, remeasured to choose among them; they form the curve of error against size.
    rows
        The rows on which the masks are measured; None: all rows, by the user's validation.
    model
        Name of the model to measure with if models compete and ``rows`` is None.
    winner
        In the final proposal of a race: index of the winning candidate, in the order in which candidates were first
        scored; the only mask is its features. Otherwise -1.
    cut
        Whether time or budget ended the race before everything was scored.
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
        The result if the method did not simply choose the smallest measurement; else None: the candidate with the
        smallest mean is the result, the earlier of two equal ones.
    mean, std_error
        The method's estimate of the loss of ``mask``, from all measurements that it uses.
    weights
        (p,) float in [0, 1], the weights for ``mask``; None: the last ones shown.
    model
        Name of the model used with it; "" if no models compete.
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
        title="Max. measurements",
        zero="unlimited",
        help="Ends the search before it exceeds this many measurements; 0 leaves it to the method's limits.",
        source="no limit beyond the method's own",
        ge=0,
        le=100_000_000,
        level="all",
    )
    max_minutes: float = setting(
        0.0,
        title="Max. time",
        zero="unlimited",
        help="Ends the search after this measuring time; a measurement in progress is completed. The baseline "
        "with all features may take as long again. 0 sets no limit.",
        unit="minutes",
        source="the number of measurements ends the search",
        ge=0,
        le=1e6,
        level="all",
    )

    ends_by_itself: ClassVar[bool] = False
    """Whether the search ends when it has nothing left to try, however large the budget."""

    takes_start: ClassVar[bool] = True
    """Whether it has a starting subset."""

    selects: ClassVar[bool] = True
    """Whether the result is chosen by measurement."""

    validates_itself: ClassVar[bool] = False
    """Whether its result was scored on held-out rows, so that its log provides a held-out error."""

    formerly: ClassVar[Mapping[str, Value]] = {}
    """Values of settings that older versions lacked, with which their logs are continued unchanged."""

    sizes_asked: ClassVar[tuple[str, ...]] = ()
    """Names of the settings that limit the number of features in the result; names with "min" are lower limits."""

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Propose masks, receive their losses, and return how the search ended.

        Uses only the problem, its losses and ``rng``, so the same losses lead to the same proposals again.
        """
        raise TypeError(f"{type(self).__name__} declares no search")

    def beside(self, always: int) -> Self:
        """The method adjusted to a number of features that are always selected in addition to those it chooses.

        Sizes set by a person include all selected features; a method counts only those it chooses.

        Raises
        ------
        SettingsError
            If the limit is below the number of features always selected.
        """
        chosen = {}
        for name in self.sizes_asked:
            asked = getattr(self, name)
            if 0 < asked <= always and not name.startswith("min"):
                raise SettingsError(
                    "{always} features are always in, but the result may have at most {asked}. Raise that number, or "
                    "shorten the list of features always in.",
                    always=always,
                    asked=asked,
                )
            chosen[name] = max(1, asked - always) if asked else 0
        return self.model_copy(update=chosen) if always else self

    @property
    def brings_honest_error(self) -> bool:
        """Whether its held-out rows provide a held-out error of the result; otherwise outer folds do."""
        return self.validates_itself

    def asks_filters(self, features: int) -> bool:
        """Whether a search among this many features requests filter scores: it cannot be replayed without the data."""
        return False

    def paced(self, fits: int, models: Sequence[Model] = ()) -> Self:
        """The method for a model that allows this many single fits (trained once, scored once) in a reasonable time.

        If ``models`` compete, the method chooses among them.
        """
        return self

    def check(self, features: int) -> None:
        """Raise SettingsError if the method cannot search this many features with these settings."""

    def measurements(self, features: int) -> int:
        """Maximum number of measurements within the method's own limits."""
        raise TypeError(f"{type(self).__name__} declares no budget")

    def rankings(self, features: int) -> dict[Filter, int]:
        """How often the method requests the scores of each filter, besides its measurements."""
        return {}

    def start_measurements(self) -> int:
        """Measurements needed for a given start, in addition to those within the method's own limits."""
        return 0

    def budget(self, features: int, *, started: bool = False) -> int:
        """Maximum number of measurements of a run, with or without a start: by the method's limits and the user's."""
        own = self.measurements(features) + (self.start_measurements() if started else 0)
        return min(own, self.max_measurements) if self.max_measurements else own


METHODS: Registry[Method] = Registry("method")


def check_start(method: str, start: Sequence[str]) -> None:
    """Raise SettingsError if a start is given to a method that cannot use it."""
    if start and not METHODS[method].model.takes_start:
        title = METHODS[method].title
        raise SettingsError(
            '"{title}" does not start from a subset, so an initial subset has no effect. Remove it, or choose '
            "another method.",
            title=title,
        )
