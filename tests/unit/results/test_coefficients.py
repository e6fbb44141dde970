"""A linear answer written down: coefficients as scikit-learn and the kernels have them, and their intervals."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk import select
from fsdesk.data import load_sample, prepare
from fsdesk.engine import RunSpec
from fsdesk.results.coefficients import coefficients
from fsdesk.results.exports import coefficients_csv
from fsdesk.results.pipeline import fitted_pipeline
from tests.unit.kernels.test_core_survival import weights
from tests.unit.results.test_survival import planted


def of_two_classes(n=120, seed=0):
    table = load_sample("wine")
    data = prepare(table)
    kept = np.flatnonzero(data.target < 2)[:n]
    return replace(
        data, x=np.asfortranarray(data.x[kept]), target=data.target[kept], classes=data.classes[:2],
        rows=tuple(data.rows[row] for row in kept),
    )  # fmt: skip


def test_hazard_ratios_are_those_of_the_model_for_a_standard_deviation():
    data = planted()
    mask = np.arange(8) % 3 == 1
    spec = RunSpec.make(data, method="full", wrapper="cox", settings={"wrapper.alpha": 2.0})
    found = coefficients(spec, data, mask)
    x = data.x[:, mask]
    expected = weights((x - x.mean(axis=0)) / x.std(axis=0), data.response, 2.0)
    assert [each.value for each in found.features] == pytest.approx(expected.tolist(), rel=1e-6)
    assert found.features[0].ratios()[0] == pytest.approx(np.exp(expected[0]))
    assert [each.name for each in found.features] == ["g1", "g4", "g7"]
    assert [each.scale for each in found.features] == pytest.approx(x.std(axis=0).tolist())
    assert all(each.low < each.value < each.high for each in found.features)
    assert (found.features[0].low > 0, found.features[1].high < 0) == (True, True)
    assert found.intercept is None
    time, share = found.survival
    assert time == np.median(data.response[data.response >= 0])
    assert 0.3 < share < 0.9
    assert coefficients(RunSpec.make(data, method="full", wrapper="nn-survival"), data, mask) is None


@pytest.mark.parametrize("wrapper", ["logistic", "ridge", "svm", "lda"])
def test_the_sum_is_that_of_the_exported_pipeline(wrapper):
    data = of_two_classes()
    settings = {"wrapper.shrinkage": 0.5} if wrapper == "lda" else {}
    result = select(data, method="univariate", wrapper=wrapper, seed=0, settings=settings, outer=0)
    found = result.coefficients()
    model = fitted_pipeline(result, data)[-1]
    assert [each.value for each in found.features] == pytest.approx(np.ravel(model.coef_).tolist(), rel=0.02, abs=2e-3)
    assert found.intercept == pytest.approx(float(np.ravel(model.intercept_)[0]), rel=0.01, abs=2e-3)
    assert found.of == data.classes[1]
    assert found.kind == ("odds" if wrapper in ("logistic", "lda") else "decision")
    assert all(each.low <= each.value + 0.5 and each.value - 0.5 <= each.high for each in found.features)
    text = coefficients_csv(result, data)
    assert text.splitlines()[1].startswith("(intercept)")
    assert len(text.splitlines()) == 2 + len(found.features)


def test_what_it_says_is_what_the_model_predicts():
    data = of_two_classes()
    result = select(data, method="univariate", wrapper="logistic", seed=0, outer=0)
    found = result.coefficients()
    x = data.x[:, result.mask]
    terms = [each.value * (x[:, at] - each.centre) / each.scale for at, each in enumerate(found.features)]
    odds = np.exp(found.intercept + np.sum(terms, axis=0))
    predicted = fitted_pipeline(result, data).predict_proba(data.frame)[:, 1]
    assert odds / (1 + odds) == pytest.approx(predicted, abs=1e-4)


def test_intervals_count_groups():
    """The interval is that of least squares; rows that come twice make it no narrower."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 2))
    y = x[:, 0] + rng.normal(size=150)
    names, rows = ("a", "b"), tuple(map(str, range(150)))
    from fsdesk.data import Dataset

    data = Dataset("d", np.asfortranarray(x), names, np.zeros(150, dtype=np.int64), "y", (), rows, response=y)
    spec = RunSpec.make(data, method="full", wrapper="ridge", settings={"wrapper.alpha": 1e-6})
    first, second = coefficients(spec, data, np.ones(2, dtype=bool)).features
    assert first.high - first.low == pytest.approx(2 * 1.96 / np.sqrt(150), rel=0.25)
    slopes = np.linalg.lstsq(x - x.mean(axis=0), y - y.mean(), rcond=None)[0]
    assert [first.value / first.scale, second.value / second.scale] == pytest.approx(slopes.tolist(), rel=1e-4)
    assert first.low < first.value < first.high
    twice = Dataset(
        "d", np.asfortranarray(np.repeat(x, 2, axis=0)), names, np.zeros(300, dtype=np.int64), "y", (),
        tuple(map(str, range(300))), response=np.repeat(y, 2), groups=np.repeat(np.arange(150), 2),
    )  # fmt: skip
    again = coefficients(spec, twice, np.ones(2, dtype=bool)).features[0]
    assert again.high - again.low == pytest.approx(first.high - first.low, rel=0.2)


def test_categories_have_the_coefficient_of_the_whole_step():
    data = of_two_classes()
    x = np.array(data.x[:, :2])
    x[:, 1] = (data.x[:, 5] > np.median(data.x[:, 5])).astype(float)
    some = replace(
        data, x=np.asfortranarray(x), features=("number", "kind"), categories={1: ("low", "high")}
    )  # fmt: skip
    spec = RunSpec.make(some, method="full", wrapper="logistic")
    number, kind = coefficients(spec, some, np.ones(2, dtype=bool)).features
    assert (number.name, kind.name) == ("number", "kind: high")
    assert kind.scale == 1.0
    assert number.scale == pytest.approx(x[:, 0].std())
