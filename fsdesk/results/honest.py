"""What a search's answer is worth on rows that it never saw."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.engine.tasks import evaluator_of
from fsdesk.measure import Evaluator, Measurement
from fsdesk.measure.folds import grouped_folds, stratified_folds
from fsdesk.methods import Mask
from fsdesk.results.result import completed

__all__ = ["fresh_error", "outer_error"]

_FRESH = 1_000_000_000  # numbers of measurements that no search ever takes
_OUTER = 2_000_000_000


def fresh_error(spec: RunSpec, dataset: Dataset, mask: Mask, times: int = 20) -> Measurement:
    """The mask measured again ``times`` on folds that the search has not seen; one value for each measurement.

    The rows are those that chose the mask: this takes away the luck of the folds, not that of the rows.
    """
    evaluator = evaluator_of(spec, dataset)
    return Measurement(np.array([evaluator.measure(mask, _FRESH + place).mean for place in range(times)]))


def outer_error(spec: RunSpec, dataset: Dataset, folds: int = 5, workers: int = 1) -> tuple[Measurement, list[Mask]]:
    """The whole search inside outer folds: each answer predicts rows that its search never saw.

    Everything that learns, such as scaling, gaps and filters, sees the training rows of an outer fold alone.

    Returns
    -------
    measurement, masks
        One loss and one mask for each outer fold. The losses are weighted alike, though folds may differ by a row.
    """
    labels = _outer_labels(dataset, spec.seed, folds)
    losses, masks = [], []
    for fold in range(int(labels.max()) + 1):
        inner = _rows_of(dataset, labels != fold)
        result = completed(spec.model_copy(update={"data_fingerprint": inner.fingerprint}), inner, workers)
        masks.append(result.mask)
        losses.append(_tested(spec, dataset, result.mask, labels == fold))
    return Measurement(np.array(losses)), masks


def _tested(spec: RunSpec, dataset: Dataset, mask: Mask, tested: NDArray[np.bool_]) -> float:
    """Loss on some rows of a model that was trained on all others."""
    measuring = spec.measuring.updated(
        {"protocol": "column", "scaling": "none" if spec.measuring.scaling == "none" else "fold", "size_penalty": 0.0}
    )
    # Fold 1 holds the tested rows; what is predicted for fold 0 is not looked at.
    alone = replace(dataset, fold_of=tested.astype(np.int64), groups=None)
    evaluator = Evaluator(alone, spec.build_wrapper(), seed=spec.seed, **measuring.model_dump())
    return float(evaluator.losses_of(mask, np.where(tested, 0, -1)[None, :])[0])


def _outer_labels(dataset: Dataset, seed: int, folds: int) -> NDArray[np.int64]:
    if dataset.groups is None:
        labels = stratified_folds(dataset.target, repeats=1, folds=folds, seed=seed, number=_OUTER)
    else:
        labels = grouped_folds(dataset.target, dataset.groups, repeats=1, folds=folds, seed=seed, number=_OUTER)
    return np.asarray(labels[0])


def _rows_of(dataset: Dataset, kept: NDArray[np.bool_]) -> Dataset:
    rows = np.flatnonzero(kept)

    def part(codes: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
        return None if codes is None else np.unique(codes[rows], return_inverse=True)[1].astype(np.int64)

    return replace(
        dataset,
        x=np.asfortranarray(dataset.x[rows]),
        target=dataset.target[rows],
        rows=tuple(dataset.rows[row] for row in rows),
        response=None if dataset.response is None else dataset.response[rows],
        groups=part(dataset.groups),
        fold_of=part(dataset.fold_of),
        time=part(dataset.time),
    )
