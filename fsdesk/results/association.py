"""Whether held-out predictions go with the truth: a permutation test of predictions against what they predict.

An error beside that of naming the largest class is no test: with classes of 90 and 10 %, a model may put nearly every
row in its right order and still miss no fewer rows than one that never names the rare class. What a test asks instead
is whether predictions and truth are *associated*, and it asks it of the ranks of scores where the model gives scores,
for classes alone throw away most of what a model knows.

Truths are exchanged inside the folds, for each fold has a model of its own and its classes in known proportions, and
rows that belong together keep theirs together. The p value is (b + 1) / (m + 1), where b of m exchanges
do as well as the truth itself (Phipson & Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 999
CROSS_VALIDATED = 1.5
"""Standard deviation of the statistic on tables of noise, as a multiple of what exchanges of the truths give it."""
_MANY = 2_000  # rows of a fold

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Association:
    """How what was predicted goes with the truth.

    Attributes
    ----------
    value
        The statistic; 0 where it goes with it no better than luck has it.
    p
        Its p value.
    """

    value: float
    p: float


def association_of(
    truth: NDArray[Any],
    said: NDArray[Any],
    folds: Codes,
    blocks: Codes,
    *,
    classes: int,
    stretch: float = 1.0,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Association | None:
    """Test whether what was predicted has to do with the truth; None where no truths can be exchanged.

    The statistic is the area under the ROC curve of each class's scores, its mean where there are several; of predicted
    classes the balanced error; of numbers the correlation: all of them of rows of the same fold.

    The test is exact where predictions were made without the rows that are tested, as those of another table are. In
    cross-validation the rows of a fold have taught the models of the others, so the luck of all folds is of a kind: on
    tables of noise the statistic varies by 1.2 to 1.5 times as much as exchanges alone have it, and 15 of 100 would be
    called a signal at 5 %. So what is reached by luck is stretched (tests/bench/verdicts.py).

    Truths are exchanged between whole blocks of a fold. A block of another size takes those of its partner from the
    first one on, again and again if they are too few: exact where a block has one class or value, an approximation
    where truths differ inside of blocks of unequal size. Where no fold has truths to exchange, as where each holds one
    row or one block out, all rows are exchanged with one another; models of such folds have seen one row less
    of the class that they test, which makes the test a little conservative. Of more than 2,000 rows of a fold, sums are
    drawn from the normal distribution with the variance that exchanges give them.

    Parameters
    ----------
    truth
        (m,) class codes, or numbers.
    said
        (m, classes) scores, larger is more likely; (m,) class codes; or (m,) numbers.
    folds, blocks
        (m,) which model predicted a row, and what the row belongs to.
    classes
        Number of classes; 1 for numbers.
    stretch
        What the statistic by luck is multiplied by; ``CROSS_VALIDATED`` where folds learned from one another's rows.
    """
    strata = np.unique(folds, return_inverse=True)[1]
    if not _can_exchange(truth, strata, blocks):
        strata = np.zeros_like(strata)
        if not _can_exchange(truth, strata, blocks):
            return None
    rng, worth = np.random.default_rng(seed), _worth(truth, said, strata, classes)
    observed, reached = 0.0, np.zeros(permutations)
    for fold in range(int(strata.max()) + 1):
        own = np.flatnonzero(strata == fold)
        own = own[np.argsort(blocks[own], kind="stable")]
        observed += float(_sums(worth[own], truth[own][None], classes)[0])
        reached += _by_luck(worth[own], truth[own], blocks[own], classes, permutations, rng)
    tolerance = 1e-9 * float(np.abs(worth).sum()) * (1.0 if classes > 1 else float(np.abs(truth).max(initial=0.0)))
    p = (int((stretch * reached >= observed - tolerance).sum()) + 1) / (permutations + 1)
    return Association(round(observed, 9), p)  # as the last digits of sums differ between systems


def _can_exchange(truth: NDArray[Any], strata: Codes, blocks: Codes) -> bool:
    """Whether in any stratum there are two blocks, and truths that differ."""
    for stratum in np.unique(strata):
        own = strata == stratum
        if len(np.unique(blocks[own])) > 1 and len(np.unique(truth[own])) > 1:
            return True
    return False


def _worth(truth: NDArray[Any], said: NDArray[Any], strata: Codes, classes: int) -> Floats:
    """(m, classes) what a row adds to the statistic if it is of a class; (m,) what a unit of the truth adds.

    All of it is centred in each stratum, so that only what differs inside of it counts.
    """
    if classes == 1:
        centred, apart = np.nan_to_num(np.asarray(said, dtype=np.float64)), np.array(truth, dtype=np.float64)
        for stratum in range(int(strata.max()) + 1):
            own = strata == stratum
            centred[own] -= centred[own].mean()
            apart[own] -= apart[own].mean()
        return centred / ((float(np.linalg.norm(centred)) * float(np.linalg.norm(apart))) or 1.0)
    sizes = np.bincount(np.asarray(truth, dtype=np.int64), minlength=classes)
    if said.ndim == 1:
        said = np.asarray(said[:, None] == np.arange(classes), dtype=np.float64)
    worth = np.empty((len(truth), classes))
    for stratum in range(int(strata.max()) + 1):
        own = strata == stratum
        count = int(own.sum())
        for code in range(classes):
            # Weighted as van Elteren's test does, which is best where all strata have the same effect.
            worth[own, code] = (_ranks(said[own, code]) - (count + 1) / 2) / (count + 1)
    return worth / np.maximum(sizes, 1)


def _ranks(values: NDArray[Any]) -> Floats:
    """(n,) ranks from 1 on; equal values share the mean of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])


def _by_luck(
    worth: Floats, truth: NDArray[Any], blocks: Codes, classes: int, permutations: int, rng: np.random.Generator
) -> Floats:
    """(permutations,) the statistic of one stratum, its rows in the order of their blocks, by exchanged truths."""
    _, first, place, sizes = np.unique(blocks, return_index=True, return_inverse=True, return_counts=True)
    if len(first) < len(blocks):
        partner = rng.permuted(np.tile(np.arange(len(first)), (permutations, 1)), axis=1)[:, place]
        inside = np.arange(len(blocks)) - first[place]
        return _sums(worth, truth[first[partner] + inside % sizes[partner]], classes)
    if len(blocks) <= _MANY:
        return _sums(worth, rng.permuted(np.tile(truth, (permutations, 1)), axis=1), classes)
    return rng.normal(*_moments(worth, truth, classes), permutations)


def _moments(worth: Floats, truth: NDArray[Any], classes: int) -> tuple[float, float]:
    """Mean and standard deviation of the statistic over all exchanges of the truths (W. Hoeffding, 1951)."""
    rows = len(truth)
    if classes == 1:
        truth = truth - truth.mean()
        return 0.0, float(np.linalg.norm(worth - worth.mean()) * np.linalg.norm(truth)) / np.sqrt(rows - 1)
    counts = np.bincount(truth, minlength=classes)
    mean = float(worth.mean(axis=0) @ counts)
    apart = worth - worth.mean(axis=0)
    apart -= (apart @ counts / rows)[:, None]
    return mean, float(np.sqrt((apart**2).sum(axis=0) @ counts / (rows - 1)))


def _sums(worth: Floats, truths: NDArray[Any], classes: int) -> Floats:
    """(g,) the statistic of one stratum for each of (g, n) truths."""
    if classes == 1:
        return np.asarray(truths @ worth)
    if classes == 2:
        return np.asarray(truths @ (worth[:, 1] - worth[:, 0]) + worth[:, 0].sum())
    return np.asarray(worth.ravel()[truths + classes * np.arange(len(worth))].sum(axis=1))
