"""Naive Bayes of the compiled core against scikit-learn, one by one and in batches."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fsdesk.kernels import _core
from fsdesk.measure.folds import stratified_folds

SMOOTHING, FOLDS = 1e-9, 5


def table(seed, rows=90, columns=7, classes=3):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows)
    values = rng.normal(size=(columns, rows)) * 10.0 ** rng.integers(-2, 3, (columns, 1)) + target
    values[1] = np.round(values[1])
    values[2] = 4.0
    values[3] += 1e9
    return values, target


def batch(masks, labels, folds_of, **others):
    """Arguments for masks, given as lists of columns, without gaps."""
    chosen = np.array([column for mask in masks for column in mask], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, masks)])
    fits = labels.shape[1] * FOLDS
    return {
        "chosen": chosen,
        "offsets": offsets,
        "labels": labels,
        "folds_of": np.array(folds_of),
        "folds": FOLDS,
        "fill": np.zeros((len(chosen), fits)),
        "once": np.zeros(len(chosen)),
        "unit": np.ones(len(chosen)),
        "smoothing": SMOOTHING,
        **others,
    }


@pytest.mark.parametrize("seed", range(4))
def test_likelihoods_are_those_of_scikit_learn(seed):
    values, target = table(seed)
    labels = stratified_folds(target, repeats=2, folds=FOLDS, seed=seed, number=0)
    mask = [0, 1, 4, 5]
    found = _core.bayes_likelihoods(values, target, classes=3, **batch([mask], labels[None], [0]))[0]
    for repeat in range(2):
        for fold in range(FOLDS):
            test = labels[repeat] == fold
            model = GaussianNB(var_smoothing=SMOOTHING).fit(values[mask][:, ~test].T, target[~test])
            np.testing.assert_allclose(
                found[repeat, test], model.predict_joint_log_proba(values[mask][:, test].T), rtol=1e-10
            )


def test_rows_that_are_left_out_are_as_if_they_were_not_there():
    values, target = table(2)
    labels = np.random.default_rng(2).integers(-2, FOLDS, (1, 90))
    there = labels[0] > -2
    mask = [0, 1, 5]
    whole = _core.bayes_likelihoods(values, target, classes=3, **batch([mask], labels[None], [0]))[0]
    fewer = _core.bayes_likelihoods(
        np.ascontiguousarray(values[:, there]),
        target[there],
        classes=3,
        **batch([mask], np.ascontiguousarray(labels[None][:, :, there]), [0]),
    )[0]
    np.testing.assert_allclose(whole[:, there], fewer, rtol=1e-10)


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_a_batch_is_what_its_parts_are_to_the_last_bit(threads):
    values, target = table(5)
    labels = np.array([stratified_folds(target, repeats=3, folds=FOLDS, seed=1, number=k) for k in range(3)])
    masks, folds_of = [[0, 1], [3], [2, 4, 6], [5, 0], []], [0, 2, 1, 1, 0]
    joint = _core.bayes_likelihoods(values, target, classes=3, **batch(masks, labels, folds_of), threads=threads)
    errors, margins = _core.bayes_errors(
        values, target, classes=3, **batch(masks, labels, folds_of), margins=True, threads=threads
    )
    for place, (mask, own) in enumerate(zip(masks, folds_of, strict=True)):
        alone = _core.bayes_likelihoods(values, target, classes=3, **batch([mask], labels[own : own + 1], [0]))
        assert np.array_equal(joint[place], alone[0])
        assert np.array_equal(errors[place], (alone[0].argmax(axis=2) != target).sum(axis=1))
        one = _core.bayes_errors(values, target, classes=3, **batch([mask], labels[own : own + 1], [0]), margins=True)
        assert np.array_equal(margins[place], one[1][0])
