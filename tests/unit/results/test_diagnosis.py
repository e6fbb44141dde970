"""Predictions of a subset beside all features, and their way into a project."""

from dataclasses import fields

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import confusion_matrix, roc_auc_score, roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fsdesk.data import Dataset, load_sample, prepare, share
from fsdesk.engine import Flag, RunSpec
from fsdesk.engine.state import Best
from fsdesk.engine.tasks import evaluator_of
from fsdesk.results.diagnosis import GRID, diagnosed, kept_findings, packed_findings, roc_points
from fsdesk.results.evidence import FRESH
from fsdesk.results.features import single_feature_scores
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import held_out_parts
from fsdesk.results.select import select
from fsdesk.results.subsets import EquivalentSubset, EquivalentSubsets
from fsdesk.results.tasks import examine_task
from fsdesk.store.schema import pack, unpack

SETTINGS = {"repeats": 2, "folds": 4}


@pytest.fixture(scope="module", params=["breast_cancer", "wine"])
def data(request) -> Dataset:
    return prepare(load_sample(request.param))


def few(dataset: Dataset) -> np.ndarray:
    mask = np.zeros(len(dataset.features), dtype=np.bool_)
    mask[:4] = True
    return mask


def theirs(model, dataset, x, y, spec, times):
    """(class codes, probabilities, fold labels) of scikit-learn, one row for each repeat."""
    evaluator = evaluator_of(spec, dataset)
    rows = [row for place in range(times) for row in evaluator.fold_labels(FRESH + place)]
    said, scores = [], []
    for row in rows:
        predicted = np.empty(len(y), dtype=y.dtype)
        chances = np.empty((len(y), max(1, len(dataset.classes))))
        for fold in range(row.max() + 1):
            fitted = make_pipeline(StandardScaler(), model).fit(x[row != fold], y[row != fold])
            predicted[row == fold] = fitted.predict(x[row == fold])
            if hasattr(model, "predict_proba"):
                chances[row == fold] = fitted.predict_proba(x[row == fold])
        said.append(predicted)
        scores.append(chances)
    return said, scores, rows


def test_confusion_and_curves_are_those_of_scikit_learn_on_the_same_folds(data):
    spec = RunSpec.make(data, method="full", wrapper="nb", settings=SETTINGS)
    mask = few(data)
    last = list(diagnosed(spec, data, mask, times=2))[-1]
    for judged, x in ((last.chosen, data.x[:, mask]), (last.everything, data.x)):
        said, scores, rows = theirs(GaussianNB(), data, x, data.target, spec, 2)
        wanted = np.mean([confusion_matrix(data.target, row) for row in said], axis=0)
        np.testing.assert_allclose(judged.confusion, wanted)
        np.testing.assert_allclose(judged.confusion.sum(axis=1), np.bincount(data.target))
        errors = [np.mean(row != data.target) for row in said]
        np.testing.assert_allclose(judged.losses, np.reshape(errors, (2, -1)).mean(axis=1))
        codes = [1] if len(data.classes) == 2 else range(len(data.classes))
        assert [curve.name for curve in judged.curves] == [data.classes[code] for code in codes]
        for curve, code in zip(judged.curves, codes, strict=True):
            truth = data.target == code
            areas, rates = [], []
            for row, chances in zip(rows, scores, strict=True):
                folds = [np.flatnonzero(row == fold) for fold in range(row.max() + 1)]
                areas.append(np.mean([roc_auc_score(truth[at], chances[at, code]) for at in folds]))
                rates.append(np.mean([_rate(truth[at], chances[at, code]) for at in folds], axis=0))
            assert curve.area == pytest.approx(np.mean(areas))
            assert curve.area_deviation == pytest.approx(np.std(areas, ddof=1))
            np.testing.assert_allclose(curve.mean, np.mean(rates, axis=0), atol=1e-12)
            np.testing.assert_allclose(curve.deviation, np.std(rates, axis=0, ddof=1), atol=1e-12)


def _rate(truth, scores):
    false, true, _ = roc_curve(truth, scores, drop_intermediate=False)
    rate = np.interp(GRID, false, true)
    rate[0] = 0.0
    return rate


def test_points_are_those_of_scikit_learn_where_scores_are_tied():
    rng = np.random.default_rng(3)
    scores, truth = rng.integers(0, 5, 60).astype(float), rng.random(60) < 0.4
    false, true, _ = roc_curve(truth, scores, drop_intermediate=False)
    mine = roc_points(scores, truth)
    np.testing.assert_allclose(mine[0], false)
    np.testing.assert_allclose(mine[1], true)


def test_the_error_is_the_fresh_error_and_the_difference_is_paired(data):
    spec = RunSpec.make(data, method="full", settings=SETTINGS)
    mask = few(data)
    seen = list(diagnosed(spec, data, mask, times=3))
    assert [each.done for each in seen] == [1, 2, 3]
    last = seen[-1]
    np.testing.assert_array_equal(last.chosen.losses, fresh_error(spec, data, mask, times=3).values)
    full = fresh_error(spec, data, np.ones_like(mask), times=3).values
    assert last.difference is not None
    assert last.difference.mean == pytest.approx(np.mean(full - last.chosen.losses))
    spread = np.std(full - last.chosen.losses, ddof=1) / np.sqrt(3)
    assert last.difference.std_error == pytest.approx(spread)


def test_folds_that_are_fixed_are_measured_once(data):
    spec = RunSpec.make(data, method="full", settings={"protocol": "leave-one-out"})
    (only,) = diagnosed(spec, data, few(data))
    assert not only.fresh and only.total == 1
    np.testing.assert_allclose(only.chosen.confusion.sum(axis=1), np.bincount(data.target))


def test_predicted_numbers_are_the_mean_over_the_repeats():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 3))
    response = x @ [1.0, -2.0, 0.0] + rng.normal(scale=0.1, size=40)
    data = Dataset(
        "numbers", np.asfortranarray(x), ("a", "b", "c"), np.zeros(40, dtype=np.int64), "y", (),
        tuple(map(str, range(40))), response=response,
    )  # fmt: skip
    spec = RunSpec.make(data, method="full", wrapper="ridge", settings={**SETTINGS, "wrapper.alpha": 1.0})
    last = list(diagnosed(spec, data, np.array([True, True, False]), times=2))[-1]
    said, _, _ = theirs(Ridge(alpha=1.0), data, x[:, :2], response, spec, 2)
    np.testing.assert_allclose(last.chosen.predicted, np.mean(said, axis=0), rtol=1e-6)
    assert not last.chosen.curves and not last.chosen.confusion.size


def test_a_feature_alone_is_measured_like_any_subset(data):
    spec = RunSpec.make(data, method="full", settings=SETTINGS)
    places = np.array([3, 0, 2])
    scored = list(single_feature_scores(spec, data, places))[-1]
    evaluator = evaluator_of(spec, data)
    for place, loss in zip(places, scored.losses, strict=True):
        assert loss == evaluator.measure(np.arange(len(data.features)) == place, FRESH).mean
    assert scored.done == 3
    from sklearn.feature_selection import f_classif

    np.testing.assert_allclose(scored.f, f_classif(data.x[:, places], data.target)[0])


def test_a_feature_alone_is_measured_with_the_model_of_the_result(tmp_path):
    data, file = prepare(load_sample("wine")), tmp_path / "p.fsdesk"
    settings = {"competing": "filters", "models": "simple"}
    result = select(data, seed=1, outer=0, settings=settings, project=file)
    best = Best(result.mask, result.search_error, 0.0, 0, 0, None)
    steps = examine_task(Flag(), str(file), 1, result.spec, share(data, tmp_path), best, result.mask)
    *_, singles = steps
    *_, expected = single_feature_scores(result.answered, data, np.flatnonzero(result.mask))
    *_, stand_in = single_feature_scores(result.spec, data, np.flatnonzero(result.mask))
    np.testing.assert_array_equal(singles.losses, expected.losses)
    assert not np.array_equal(singles.losses, stand_in.losses)


def test_the_whole_answer_of_a_run_can_be_diagnosed(awkward):
    result = select(awkward, method="bspsa", seed=2, settings={"max_iterations": 5, "repeats": 2}, outer=0)
    last = list(diagnosed(result.spec, awkward, result.mask, times=1))[-1]
    assert last.difference is not None and np.isfinite(last.chosen.losses).all()


def test_on_held_out_rows_confusion_and_curves_are_those_of_scikit_learn(data):
    result = select(data, method="ranking", wrapper="nb", settings=SETTINGS, outer=3)
    parts = held_out_parts(result.spec, data, result.honesty, result.race)
    assert np.sort(np.concatenate([part.rows[part.tested] for part in parts])).tolist() == list(range(len(data.target)))
    last = list(diagnosed(result.spec, data, result.mask, times=1, parts=parts))[-1]
    assert last.held_out and "Held-out rows" in last.rows_words()
    for judged, is_chosen in ((last.chosen, True), (last.everything, False)):
        predicted, areas = np.empty_like(data.target), []
        for part in parts:
            x = data.x[:, part.mask] if is_chosen else data.x
            known, tested = part.rows[~part.tested], part.rows[part.tested]
            fitted = make_pipeline(StandardScaler(), GaussianNB()).fit(x[known], data.target[known])
            predicted[tested] = fitted.predict(x[tested])
            areas.append(roc_auc_score(data.target[tested] == 1, fitted.predict_proba(x[tested])[:, 1]))
        np.testing.assert_array_equal(judged.confusion, confusion_matrix(data.target, predicted))
        curve = next(curve for curve in judged.curves if curve.name == data.classes[1])
        assert curve.area == pytest.approx(np.mean(areas))


@pytest.mark.parametrize("data", ["wine"], indirect=True)
def test_the_confusion_of_a_race_has_the_errors_of_its_honest_error(data):
    result = select(data, method="univariate", settings={"repeats": 1, "resamples": 5})
    assert result.honest is not None
    parts = held_out_parts(result.spec, data, result.honesty, result.race)
    last = list(diagnosed(result.spec, data, result.mask, times=1, parts=parts))[-1]
    for judged, error in ((last.chosen, result.honest.value), (last.everything, result.honest.all_features)):
        assert 1 - np.trace(judged.confusion) / judged.confusion.sum() == pytest.approx(error)
    assert not list(diagnosed(result.spec, data, result.mask, times=1))[-1].held_out


def test_predicted_numbers_of_held_out_rows_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(90, 6))
    target, names = np.zeros(90, dtype=np.int64), tuple("abcdef")
    y = x[:, 0] - 2 * x[:, 1] + rng.normal(size=90)
    data = Dataset("numbers", np.asfortranarray(x), names, target, "y", ("y",), ("",) * 90, response=y)
    result = select(data, method="ranking", wrapper="ridge", settings=SETTINGS, outer=3)
    parts = held_out_parts(result.spec, data, result.honesty, result.race)
    last = list(diagnosed(result.spec, data, result.mask, times=1, parts=parts))[-1]
    for part in parts:
        known, tested = part.rows[~part.tested], part.rows[part.tested]
        x = data.x[:, part.mask]
        fitted = make_pipeline(StandardScaler(), Ridge()).fit(x[known], data.response[known])
        np.testing.assert_allclose(last.chosen.predicted[tested], fitted.predict(x[tested]), rtol=1e-6)


def same(one: object, other: object, where: str = "") -> None:
    """Compare dataclasses with arrays, part by part."""
    if hasattr(one, "__dataclass_fields__"):
        assert type(one) is type(other), where
        for field in fields(one):  # type: ignore[arg-type]
            same(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, tuple):
        assert isinstance(other, tuple) and len(one) == len(other), where
        for place, (mine, others) in enumerate(zip(one, other, strict=True)):
            same(mine, others, f"{where}[{place}]")
    else:
        np.testing.assert_array_equal(one, other, err_msg=where, strict=isinstance(one, np.ndarray))


@pytest.mark.parametrize("wrapper", ["nn", "KNeighborsRegressor"])
def test_findings_come_back_as_they_were(wrapper: str) -> None:
    """Classes, with ROC curves, and numbers."""
    table = load_sample("wine")
    dataset = prepare(table) if wrapper != "KNeighborsRegressor" else prepare(table, target=table.columns[0])
    spec = RunSpec.make(dataset, method="bspsa", wrapper=wrapper, seed=0, settings={"repeats": 2, "folds": 3})
    p = len(dataset.features)
    mask = np.arange(p) % 3 == 0
    *_, diagnosis = diagnosed(spec, dataset, mask, times=2)
    *_, singles = single_feature_scores(spec, dataset, np.flatnonzero(mask))
    subsets = EquivalentSubsets(
        (EquivalentSubset(mask, 0.1, 2, True), EquivalentSubset(~mask, 0.2, 0, False)), 2, 7, 0.25, np.linspace(0, 1, p)
    )
    back = kept_findings(unpack(pack(packed_findings(subsets, diagnosis, singles))), mask)
    assert back is not None
    same((subsets, diagnosis, singles), back)
    assert bool(diagnosis.chosen.curves) == (wrapper == "nn")


def test_what_another_version_of_fsdesk_kept_is_found_out_anew() -> None:
    assert kept_findings({"version": 0}, np.ones(3, dtype=np.bool_)) is None
