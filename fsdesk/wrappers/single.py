"""Single fits: one split of the rows as a table, and the model of a fold by a dedicated kernel."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.errors import WrapperError
from fsdesk.wrappers.wrapper import Design, Wrapper

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Targets = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Split:
    """Training rows, then tested rows.

    Attributes
    ----------
    columns
        (q, n + t) values.
    target, response
        (n + t,) codes and, in regression, numbers; those of tested rows are ignored.
    labels
        (1, 1, n + t) -1 for training rows, 0 for tested ones.
    """

    columns: Floats
    target: Labels
    response: Floats
    labels: Labels

    @classmethod
    def of(cls, train: Floats, y: Targets, test: Floats) -> "Split":
        """The split of these rows; without a response if ``y`` contains class codes."""
        n, t = train.shape[1], test.shape[1]
        both, target, response = np.concatenate([train, test], axis=1), np.zeros(n + t, dtype=np.int64), np.empty(0)
        if y.dtype == np.float64:
            response = np.concatenate([y, np.zeros(t)])
        else:
            target[:n] = y
        return cls(both, target, response, np.repeat([-1, 0], [n, t])[None, None])


def design_of(train: Floats, y: Targets, classes: int) -> Design:
    """The training rows as a design whose columns are imputed and scaled."""
    is_regression = y.dtype == np.float64
    return Design(
        train,
        np.arange(len(train)),
        np.zeros(len(train), dtype=np.bool_),
        np.zeros(train.shape[1], dtype=np.int64) if is_regression else np.asarray(y, dtype=np.int64),
        1 if is_regression else classes,
        scaling="none",
        response=np.asarray(y, dtype=np.float64) if is_regression else None,
    )


class TrainedWhenAsked:
    """A model whose kernel trains and predicts in one call: :meth:`Wrapper.single_fits` with all columns.

    Parameters
    ----------
    wrapper
        A wrapper with single fits.
    x, y
        (rows, q) features and (rows,) codes 0, 1, ..., each present, or responses.
    """

    def __init__(self, wrapper: Wrapper, x: Floats, y: NDArray[np.generic]) -> None:
        self.wrapper, self.train = wrapper, np.ascontiguousarray(x.T)
        self.is_regression = y.dtype == np.float64
        self.y: Targets = np.asarray(y, dtype=np.float64) if self.is_regression else np.asarray(y, dtype=np.int64)
        self.classes = 1 if self.is_regression else int(self.y.max()) + 1

    def predict(self, x: Floats) -> Labels:
        """(m,) code of the class with the largest score; the first one if there are ties."""
        return np.asarray(self.scores(x).argmax(axis=1))

    def scores(self, x: Floats) -> Floats:
        """(m, classes) scores."""
        if self.is_regression:
            raise TypeError("numbers have no scores")
        return self._said(x)

    def values(self, x: Floats) -> Floats:
        """(m,) responses."""
        if not self.is_regression:
            raise TypeError("classes are no numbers")
        return self._said(x)

    def survival(self, x: Floats, times: Floats) -> Floats:
        """(m, g) probabilities of being event-free after each of (g,) times."""
        test = self._checked(x)
        return self.wrapper.survival(self.train, np.asarray(self.y, dtype=np.float64), test, times)

    def _checked(self, x: Floats) -> Floats:
        """(q, m) columns of the tested rows."""
        test = np.ascontiguousarray(x.T)
        if not (np.isfinite(self.train).all() and np.isfinite(test).all()):
            raise WrapperError(
                "{owner} could not be trained on these features ({reason}). Change its parameters or choose another "
                "wrapper.",
                owner=self.wrapper.called(),
                reason="values too large",
            )
        return test

    def _said(self, x: Floats) -> Floats:
        q, test = len(self.train), self._checked(x)
        chosen, ends = np.arange(q, dtype=np.int32), np.array([0, q])
        said = self.wrapper.single_fits(self.train, self.y, test, chosen, ends, self.classes, 1)
        if said is None:
            raise TypeError(f"{type(self.wrapper).__name__} has no single fits")
        return np.asarray(said[0])
