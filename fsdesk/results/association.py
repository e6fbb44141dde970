"""Association of held-out predictions with the truth: a permutation test.

Comparing an error with that of always predicting the largest class is not a valid test: with classes of 90 and 10 %, a
model may rank nearly every row correctly and still make as many errors as one that never predicts the rare class. The
test therefore asks whether predictions and truth are *associated*. It uses the ranks of scores where available, because
classes alone discard most of what a model knows.

True values are permuted within folds, because each fold has its own model and known class proportions; rows of one
group stay together. If values differ within a group (tumor and normal tissue of one patient), these differences also
change sign at random (R. A. Fisher, The Design of Experiments, 1935, section 21). The p value is (b + 1) / (m + 1),
where b of m permutations do as well as the truth itself (Phipson & Smyth, Statistical Applications in Genetics and
Molecular Biology 9, 2010).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 999
CROSS_VALIDATED = 1.5
"""Standard deviation of the statistic on noise tables, as a multiple of its standard deviation under permutation."""
_MANY = 2_000  # rows of a fold above which sums are drawn from a normal distribution

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Association:
    """Association of predictions with the truth.

    Attributes
    ----------
    value
        The statistic; 0 at chance level.
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
    """Test whether predictions are associated with the truth; None if no true values can be permuted.

    The statistic is the area under the ROC curve for class scores (averaged over classes if there are several), the
    balanced error for predicted classes, and the correlation for numbers, always within a fold.

    The test is exact if predictions were made without the tested rows, as for another table. In cross-validation, the
    rows of a fold have trained the models of the others, so chance effects are correlated between folds: on noise
    tables, the statistic varies 1.2 to 1.5 times as much as under permutation, and 15 of 100 would be called
    significant at 5 %. The chance level is therefore widened (tests/bench/verdicts.py).

    True values are permuted between whole blocks of a fold. A block of another size takes the values of its partner
    from the start, repeated if there are too few: this is exact if a block has a single class or value, and an
    approximation if values differ within blocks of unequal size. If values differ within blocks, the part of a block's
    contribution that is due to these differences also changes sign at random: for pairs, the two values are swapped.
    Otherwise, blocks with the same values in the same order would be identical to their permutations. If no fold has
    values to permute, as when each holds out one row or one block, all rows are permuted; models of such folds were
    trained on one row less of the class they test, which makes the test slightly conservative. For folds with more than
    2,000 rows, sums are drawn from the normal distribution with the permutation variance.

    Parameters
    ----------
    truth
        (m,) class codes, or numbers.
    said
        (m, classes) scores, larger is more likely; (m,) class codes; or (m,) numbers.
    folds, blocks
        (m,) index of the model that predicted a row, and the group of the row.
    classes
        Number of classes; 1 for numbers.
    stretch
        Factor for the chance level; ``CROSS_VALIDATED`` if folds were trained on each other's rows.
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
    return Association(round(observed, 9), p)  # because the last digits of sums differ between systems


def _can_exchange(truth: NDArray[Any], strata: Codes, blocks: Codes) -> bool:
    """Whether any stratum has at least two blocks with different values."""
    for stratum in np.unique(strata):
        own = strata == stratum
        if len(np.unique(blocks[own])) > 1 and len(np.unique(truth[own])) > 1:
            return True
    return False


def _worth(truth: NDArray[Any], said: NDArray[Any], strata: Codes, classes: int) -> Floats:
    """(m, classes) contribution of each row to the statistic by class; for numbers, (m,) per unit of the true value.

    Everything is centered within each stratum, so that only differences within strata count.
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
            # Weighted as in van Elteren's test, which is best if all strata have the same effect.
            worth[own, code] = (_ranks(said[own, code]) - (count + 1) / 2) / (count + 1)
    return worth / np.maximum(sizes, 1)


def _ranks(values: NDArray[Any]) -> Floats:
    """(n,) ranks starting from 1; ties share their mean rank."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])


def _by_luck(
    worth: Floats, truth: NDArray[Any], blocks: Codes, classes: int, permutations: int, rng: np.random.Generator
) -> Floats:
    """(permutations,) statistic of one stratum under permutation; its rows must be ordered by block."""
    _, first, place, sizes = np.unique(blocks, return_index=True, return_inverse=True, return_counts=True)
    if len(first) < len(blocks):
        partner = rng.permuted(np.tile(np.arange(len(first)), (permutations, 1)), axis=1)[:, place]
        inside = np.arange(len(blocks)) - first[place]
        taken = truth[first[partner] + inside % sizes[partner]]
        if (truth == truth[first[place]]).all():
            return _sums(worth, taken, classes)
        means = np.add.reduceat(worth, first, axis=0) / (sizes if classes == 1 else sizes[:, None])
        within = worth - means[place]
        parts = taken * within if classes == 1 else within[np.arange(len(blocks)), taken]
        turned = rng.integers(0, 2, (permutations, len(first)))
        return np.asarray(
            _sums(worth, taken, classes) - 2 * (turned * np.add.reduceat(parts, first, axis=1)).sum(axis=1)
        )
    if len(blocks) <= _MANY:
        return _sums(worth, rng.permuted(np.tile(truth, (permutations, 1)), axis=1), classes)
    return rng.normal(*_moments(worth, truth, classes), permutations)


def _moments(worth: Floats, truth: NDArray[Any], classes: int) -> tuple[float, float]:
    """Mean and standard deviation of the statistic over all permutations (W. Hoeffding, 1951)."""
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
    """(g,) the statistic of one stratum for each of (g, n) vectors of true values."""
    if classes == 1:
        return np.asarray(truths @ worth)
    if classes == 2:
        return np.asarray(truths @ (worth[:, 1] - worth[:, 0]) + worth[:, 0].sum())
    return np.asarray(worth.ravel()[truths + classes * np.arange(len(worth))].sum(axis=1))
