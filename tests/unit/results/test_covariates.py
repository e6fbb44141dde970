"""Features that are always in: what the others add to them, on the same held-out rows."""

import json

import numpy as np
import pytest

from fsdesk import select
from fsdesk.data import Dataset
from fsdesk.results import outer
from fsdesk.results.held_out import honest_error
from fsdesk.results.result_json import result_json


def table(gene, n=160, seed=0):
    """Age tells half of it; a gene as much as it is told to."""
    rng = np.random.default_rng(seed)
    age, x = rng.normal(size=n), rng.normal(size=(n, 6))
    y = (age + gene * x[:, 2] + 0.7 * rng.normal(size=n) > 0).astype(np.int64)
    names = ("age", *(f"g{j}" for j in range(6)))
    both = np.asfortranarray(np.column_stack([age, x]))
    return Dataset("d", both, names, y, "ill", ("no", "yes"), tuple(map(str, range(n))))


SETTINGS = {"competing": "filters", "criterion": "auc"}


def found(gene, **more):
    data = table(gene)
    return data, select(data, seed=0, always=("age",), outer=3, settings={**SETTINGS, **more}, wrapper="logistic")


def test_what_a_gene_adds_is_said_with_its_interval():
    data, result = found(1.2)
    honest = result.honest
    assert result.mask[0]
    assert honest.covariates_size == 1
    assert honest.covariates > honest.value
    assert 0 < honest.covariates_difference_low < honest.covariates_difference < honest.covariates_difference_high
    assert honest.covariates_difference == pytest.approx(honest.covariates - honest.value)
    assert "The other features add" in honest.covariates_words()
    assert honest.covariates_words() in honest.basis_words()
    known = json.loads(result_json(result, data))
    assert known["covariates"] == 1
    assert known["covariates_difference"] == pytest.approx(honest.covariates_difference)


def test_genes_of_no_use_are_not_shown_to_add():
    _, result = found(0.0)
    honest = result.honest
    assert honest.covariates_difference_low <= 0
    assert "not shown to add" in honest.covariates_words()


def test_the_covariates_alone_are_what_a_model_of_them_predicts():
    """By hand: the same outer folds, logistic regression of age."""
    data, result = found(1.2)
    for part in result.honesty.outer:
        said = part.said
        fold = np.isin(np.arange(len(data.target)), said.rows)
        from sklearn.linear_model import LogisticRegression

        age = (data.x[:, :1] - data.x[~fold, :1].mean()) / data.x[~fold, :1].std()
        model = LogisticRegression(C=1.0, tol=1e-8).fit(age[~fold], data.target[~fold])
        assert said.covariates[:, 1] == pytest.approx(model.predict_proba(age[said.rows])[:, 1], abs=1e-5)
        again = outer.tested_again(result.spec, data, part)
        assert np.array_equal(again.said.covariates, said.covariates)


def test_without_covariates_nothing_is_said():
    data = table(1.2)
    result = select(data, seed=0, outer=3, settings=SETTINGS, wrapper="logistic")
    assert result.honest.covariates is None
    assert result.honest.covariates_words() == ""
    said = result.honesty.outer[0].said
    assert said.covariates is None
    assert honest_error(said, selected=1, features=7).covariates_size == 0


def test_where_models_compete_the_covariates_have_the_best_of_their_own():
    data = table(1.2, 120)
    result = select(data, seed=0, always=("age",), settings=SETTINGS)
    assert result.honest.covariates is not None
    assert result.honest.covariates < 0.4
