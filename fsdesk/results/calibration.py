"""Calibration of probabilities on rows that took no part in feature selection.

Rows used for selection are predicted too well, and calibration on them is overconfident: it claims 78 % where 66 % is
true. The model is therefore calibrated on rows that were held out from the whole selection (outer folds, or the parts
on which strategies were evaluated): each part is predicted by the result's model with the features selected without it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure import Resamples
from fsdesk.measure.resamples import HELD_OUT, TRAINED_ON
from fsdesk.results.held_out_rows import HeldOutPart
from fsdesk.results.pipeline import trained, unfitted_pipeline

if TYPE_CHECKING:
    import pandas as pd

    from fsdesk.results.record import RunRecord

FEWEST = 3
"""Minimum number of held-out rows per class for calibration."""
_LEAST_SHARE = 0.02  # probabilities are clipped to this: five unanimous neighbors do not make a class certain
_STEPS, _FOLDS = 50, 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HeldOutScores:
    """Scores of rows that took no part in feature selection, for calibration.

    Attributes
    ----------
    scores, truth
        (m, classes) one-vs-rest logits of the classes, and (m,) the true classes.
    times
        Number of predictions per row.
    """

    scores: Floats
    truth: NDArray[np.int64]
    times: int = 1

    def calibrated(self, scores: Floats) -> Floats:
        """(n, classes) probabilities of rows with these scores: one sigmoid per class, normalized to sum to 1.

        A slope that the rows hardly support is shrunk by 1 - 1 / z^2; otherwise, a model of noise would by chance claim
        60 % where 50 % is true.
        """
        classes = scores.shape[1]
        shares = np.empty_like(scores)
        for code in range(classes):
            slope, intercept = sigmoid(self.scores[:, code], self.truth == code, self.times)
            shares[:, code] = 1 / (1 + np.exp(-np.clip(intercept + slope * scores[:, code], -500, 500)))
        if classes == 2:  # one sigmoid is enough for both
            shares[:, 0] = 1 - shares[:, 1]
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def held_out_scores(
    result: "RunRecord", dataset: Dataset, parts: Sequence[HeldOutPart]
) -> tuple[HeldOutScores | None, int]:
    """Scores of the result's model, trained on the search rows of each part with the features selected there.

    ``parts`` are those of the held-out error. Their number is also returned. The scores are None if there are too few
    rows.
    """
    frame, y = dataset.frame, np.array(dataset.labels)[dataset.target]
    scores, truth, times = list[Floats](), list[NDArray[np.int64]](), Counter[bytes]()
    # Several peers are tested on the same rows, as in the held-out error: a single one is too variable.
    for part in parts or _parts_of_all(result, dataset):
        learned, held = part.rows[~part.tested], part.rows[part.tested]
        if len(np.unique(dataset.target[learned])) < len(dataset.classes):
            continue
        times[held.tobytes()] += 1
        pipeline = trained(unfitted_pipeline(replace(result, mask=part.mask), dataset), frame.iloc[learned], y[learned])
        scores.append(scores_of(pipeline, frame.iloc[held], dataset.labels))
        truth.append(dataset.target[held])
    most, codes = max(times.values(), default=1), np.concatenate([np.empty(0, dtype=np.int64), *truth])
    if np.bincount(codes, minlength=len(dataset.classes)).min() < FEWEST * most:
        return None, len(times)
    return HeldOutScores(np.concatenate(scores), codes, most), len(times)


def _parts_of_all(result: "RunRecord", dataset: Dataset) -> tuple[HeldOutPart, ...]:
    """Parts that hold out rows from training only, for a run that selects no features; otherwise none."""
    if result.spec.selects:
        return ()
    resamples, rows = (
        Resamples(dataset, result.spec.measuring, result.spec.seed, _FOLDS),
        np.arange(len(dataset.target)),
    )
    labels = [resamples.held_out(fold) for fold in range(resamples.folds)]
    kept = [rows[own >= TRAINED_ON] for own in labels]
    return tuple(HeldOutPart(result.mask, some, own[some] == HELD_OUT) for own, some in zip(labels, kept, strict=True))


def scores_of(pipeline: Any, frame: "pd.DataFrame", classes: Sequence[Any]) -> Floats:
    """(n, classes) logits of the probabilities, or decision values, of each class."""
    if hasattr(pipeline, "predict_proba"):
        return logits(in_order(pipeline.predict_proba(frame), pipeline.classes_, classes))
    decisions = np.asarray(pipeline.decision_function(frame), dtype=np.float64)
    if decisions.ndim == 1:
        decisions = np.stack([-decisions, decisions], axis=1)
    return in_order(decisions, pipeline.classes_, classes)


def logits(shares: Floats) -> Floats:
    """Logits of probabilities, clipped near 0 and 1."""
    shares = np.clip(shares, _LEAST_SHARE, 1 - _LEAST_SHARE)
    return np.asarray(np.log(shares / (1 - shares)))


def sigmoid(scores: Floats, truth: NDArray[np.bool_], times: int, counts: Floats | None = None) -> tuple[float, float]:
    """Slope and intercept of Platt's sigmoid by Newton's method, with his targets, which are never exactly 0 or 1.

    There are ``times`` as many predictions as rows. Predictions are weighted by (m,) ``counts`` if given.
    """
    counts = np.ones(len(truth)) if counts is None else counts
    hits, rows = float(counts @ truth) / times, float(counts.sum()) / times
    target = np.where(truth, (hits + 1) / (hits + 2), 1 / (rows - hits + 2))
    centre, spread = float(scores.mean()), float(scores.std())
    rate = float(np.average(target, weights=counts))
    bare = 0.0, float(np.log(rate / (1 - rate)))
    if spread <= 1e-12 * max(1.0, abs(centre)):
        return bare
    x = np.stack([(scores - centre) / spread, np.ones(len(truth))], axis=1)
    weights = np.array(bare)
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-np.clip(x @ weights, -35, 35)))
        information = (x * (counts * said * (1 - said))[:, None]).T @ x + 1e-9 * np.eye(2)
        step = np.linalg.solve(information, x.T @ (counts * (target - said)))
        weights += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    error = float(np.sqrt(times * np.linalg.inv(information)[0, 0]))
    z = weights[0] / error
    if z <= 1:
        return bare
    slope = weights[0] * (1 - 1 / z**2)
    # The intercept that reproduces the class proportions with this slope.
    level = weights[1]
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-np.clip(slope * x[:, 0] + level, -35, 35)))
        change = float((counts * (target - said)).sum() / max(1e-9, (counts * said * (1 - said)).sum()))
        level += float(np.clip(change, -2, 2))
        if abs(change) < 1e-9:
            break
    return slope / spread, level - slope * centre / spread


def in_order(shares: Floats, found: NDArray[Any], classes: Sequence[Any]) -> Floats:
    """(n, classes) scores, with classes in the order of the data set; 0 for a class missing from the training rows."""
    ordered = np.zeros((len(shares), len(classes)))
    places = {value: place for place, value in enumerate(classes)}
    for place, value in enumerate(found.tolist()):
        ordered[:, places[value]] = shares[:, place]
    return ordered
