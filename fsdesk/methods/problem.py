"""What a search method sees, says and hears: masks out, losses in; never data, files or windows."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import Registry, Settings

__all__ = ["METHODS", "Loss", "Mask", "Method", "Problem", "Proposal", "Search"]

Mask = NDArray[np.bool_]


class Loss(Protocol):
    """The part of a measurement that a method may use: smaller is better."""

    @property
    def mean(self) -> float:
        """Mean of the criterion over the repeats."""

    @property
    def std_error(self) -> float:
        """Standard error of the mean over the repeats."""


@dataclass(frozen=True)
class Problem:
    """The number of features is all that a method knows about the data."""

    features: int


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
        The method's own count of steps when it asks, from 0.
    weights
        (p,) float in [0, 1], what the method thinks of each feature now; the candidate's where there is one.
    trace
        Further scalars for the plots, such as the gain a_k.
    """

    masks: Sequence[Mask]
    candidates: Sequence[bool]
    iteration: int
    weights: NDArray[np.float64] | None = None
    trace: Mapping[str, float] = field(default_factory=dict)


Search = Generator[Proposal, Sequence[Loss], str]


class Method(Settings):
    """A search over masks: a settings model with a generator."""

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Propose masks, hear their losses, and return in plain words why the search ended.

        Uses nothing but its answers and ``rng``: the same answers bring it to the same point again.
        """
        raise TypeError(f"{type(self).__name__} declares no search")

    def measurements(self, features: int) -> int:
        """Most measurements that a search can ask for, for progress and estimates of time."""
        raise TypeError(f"{type(self).__name__} declares no budget")


METHODS: Registry[Method] = Registry("method")
