"""Machines on tables at the edge of single precision, against LIBSVM on the same folds."""

import numpy as np
import pytest
from sklearn.svm import SVR

from tests.oracles.odd import Odd
from tests.oracles.test_models_on_odd_tables import every, prepared


def test_a_column_that_a_fold_leaves_all_but_constant_is_as_exact_as_others():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 4))
    x[:24, 0] = 0.785 + 0.002 * rng.normal(size=24)  # 0.785 from 0, and 0.002 from one another
    x[24:, 0] -= 3.0
    response = 200.0 * np.where(np.arange(30) < 24, x[:, 0] - 0.785, 0.0) + x[:, 1] + 0.3 * rng.normal(size=30)
    labels = np.stack([np.arange(30) // 6, np.where(np.arange(30) < 24, -1, 0)])
    table = Odd(x, np.zeros(30, dtype=np.int64), 1, labels, ["apart"] * 4)
    values = table.bound("svm", response=response, epsilon=1.0, cost=10.0, tolerance=1e-6).values(every(table), labels)
    for repeat, train, test in table.fits():
        scaled, tests = prepared(table, train, test, "fold")
        model = SVR(kernel="linear", C=10.0, epsilon=1.0, tol=1e-7).fit(scaled, response[train])
        assert values[repeat, test] == pytest.approx(model.predict(tests), rel=1e-4, abs=1e-4)
