"""A finished run on a table with gaps, categories and names that a spreadsheet would take for formulas."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.results.select import select
from tests.sketching import reports_sketched

SETTINGS = {"max_iterations": 12, "repeats": 2, "n_finalists": 4, "finalist_measurements": 2}
FEATURES = ("=1+1", "weight, kg", 'the "best"', "colour", "@home", "$x^2$")
LEVELS = ("red", "-blue", "it's, green")


@pytest.fixture(scope="module")
def quick_reports():
    """Reports in which nobody looks at the figures."""
    with reports_sketched():
        yield


@pytest.fixture(scope="session")
def awkward():
    """48 rows, 6 features: the first tells the classes apart, the fourth is nominal, the second has gaps."""
    rng = np.random.default_rng(5)
    target = np.arange(48) % 2
    x = rng.normal(size=(48, 6))
    x[:, 0] += 4.0 * target
    x[:, 1] *= -1000.0
    x[[3, 10], 1] = np.nan
    x[:, 3] = np.arange(48) % 3
    x[7, 3] = np.nan
    return Dataset(
        name="awkward",
        x=np.asfortranarray(x),
        features=FEATURES,
        target=target.astype(np.int64),
        target_name="+state",
        classes=("=ill", "well"),
        rows=tuple(f"-patient {row}" for row in range(48)),
        categories={3: LEVELS},
    )


@pytest.fixture(scope="session")
def awkward_run(awkward):
    """Of every kind of column one is always in, so that it is written."""
    always = (FEATURES[0], FEATURES[1], FEATURES[3])
    return select(awkward, method="bspsa", seed=2, always=always, settings=SETTINGS, outer=0)


@pytest.fixture(scope="module")
def awkward_result(awkward_run):
    """Another object in each module: what is kept of a result may hold figures that one of them has sketched."""
    return replace(awkward_run)
