"""Small fits of compiled models: errors and margins are those of the model bound to the fit's own rows and features."""

from itertools import product

import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.measure import Evaluator
from fsdesk.measure.design import design_of
from fsdesk.measure.evaluator import margin
from fsdesk.wrappers import WRAPPERS

MODELS = [
    ("nn", {}),
    ("nb", {}),
    ("nb", {"class_weights": "balanced", "smoothing": 1e-3}),
    ("c45", {}),
    ("c45", {"class_weights": "balanced", "min_rows": 1, "laplace": True}),
    ("c45", {"pruned": False}),
    ("cart", {}),
    ("cart", {"impurity": "entropy", "class_weights": "balanced", "max_depth": 3, "min_leaf": 2}),
    ("svm", {"tolerance": 1e-6}),
    ("svm", {"loss": "squared hinge", "tolerance": 1e-6}),
    ("svm", {"cost": 30.0, "class_weights": "balanced", "tolerance": 1e-6}),
]


# Scores of machines that were trained from other starts, in single precision, are as near as their tolerance.
NEAR = {"svm": 1e-4}


def dataset(rng, n, kinds, classes):
    """Columns of numbers, or of so many categories; some values missing."""
    x = np.column_stack([rng.normal(size=n) if not kind else rng.integers(0, kind, n).astype(float) for kind in kinds])
    target = (np.nan_to_num(x) @ rng.normal(size=len(kinds)) > 0).astype(np.int64) + rng.integers(0, classes - 1, n)
    x[n // 2 : n // 2 + 4] = x[:4]
    x[rng.random(x.shape) < 0.1] = np.nan
    x[:, 0] = np.round(np.nan_to_num(x[:, 0]))
    return Dataset(
        name="small",
        x=np.asfortranarray(x),
        features=tuple(f"f{place}" for place in range(len(kinds))),
        target=target,
        target_name="y",
        classes=tuple(map(str, range(classes))),
        rows=tuple(map(str, range(n))),
        categories={place: tuple(map(str, range(kind))) for place, kind in enumerate(kinds) if kind},
    )


@pytest.mark.parametrize("scaling", ["fold", "once", "none"])
@pytest.mark.parametrize(("name", "settings"), MODELS)
def test_small_fits_are_those_of_a_model_of_their_own(name, settings, scaling):
    rng = np.random.default_rng(3)
    data = dataset(rng, 90, [0, 3, 0, 0, 2, 0, 5, 0, 0], 3)
    wrapper = WRAPPERS[name].build(settings)
    evaluator, predictor = Evaluator(data, wrapper, scaling=scaling), wrapper.bind(design_of(data, scaling))
    splits = rng.choice([-2, -1, -1, 0], size=(7, 90)).astype(np.int8)
    masks = [np.sort(rng.permutation(9)[: rng.integers(1, 6)]) for _ in range(40)]
    features, offsets = np.concatenate(masks).astype(np.int32), np.cumsum([0, *map(len, masks)])
    split_of = rng.integers(0, 7, 40)
    expected = []
    for mask, split in zip(masks, split_of.tolist(), strict=True):
        alone = evaluator.outcome_alone(np.isin(np.arange(9), mask), splits[split], {"classes", "scores"})
        expected.append(((alone.predicted != alone.target)[alone.labels == 0].sum(), *margin(alone)))
    for threads, wanted in product((1, 3), (True, False)):
        errors, margins = predictor.small_fits(features, offsets, splits, split_of, margins=wanted, threads=threads)
        assert errors.tolist() == [misses for misses, *_ in expected]
        assert np.isnan(margins).all(axis=1).tolist() == [not wanted] * 40
        if wanted and name != "nn":  # whose margins are of distances, not of votes
            np.testing.assert_allclose(margins, [own for _, *own in expected], atol=NEAR.get(name, 1e-9))
