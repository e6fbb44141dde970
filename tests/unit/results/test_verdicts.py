"""Whether verdicts are true, on a few made-up tables: `tests/bench/verdicts.py` has the many."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fsdesk.data import Dataset
from fsdesk.results.select import select

TABLES = 10


def _table(rng, rows, informative, share):
    x, y = rng.normal(size=(rows, 60)), (np.arange(rows) < round(share * rows)).astype(np.int64)
    x[:, :informative] += 1.3 * y[:, None]
    return x, y


def _answers(informative, share):
    """(result, true error, true error of all features) of a few tables."""
    for number in range(TABLES):
        rng = np.random.default_rng([number, informative, 5])
        x, y = _table(rng, 80, informative, share)
        names = tuple(f"f{place}" for place in range(60))
        data = Dataset("made", np.asfortranarray(x), names, y, "state", ("well", "ill"), ("",) * 80)
        result = select(data, method="univariate", wrapper="nn", seed=number, outer=0)
        new_x, new_y = _table(rng, 4000, informative, share)
        models = [make_pipeline(StandardScaler(), KNeighborsClassifier(1)) for _ in range(2)]
        masks = result.mask, np.ones_like(result.mask)
        yield (
            result,
            *(
                float(np.mean(model.fit(x[:, mask], y).predict(new_x[:, mask]) != new_y))
                for model, mask in zip(models, masks, strict=True)
            ),
        )


@pytest.mark.parametrize(("informative", "share"), [(0, 0.5), (4, 0.5), (4, 0.15)], ids=["noise", "signal", "rare"])
def test_signals_are_seen_noise_is_not_and_the_error_is_the_one_on_new_rows(informative, share):
    found = list(_answers(informative, share))
    signals = sum(result.honest.has_evidence for result, _, _ in found)
    assert signals <= 2 if not informative else signals >= 0.8 * TABLES
    off = np.array([result.honest.value - true for result, true, _ in found])
    assert abs(off.mean()) < 0.01 + 3 * off.std(ddof=1) / np.sqrt(TABLES)
    covered = [result.honest.low <= true <= result.honest.high for result, true, _ in found]
    assert sum(covered) >= 0.75 * TABLES
    wrongly = [result.honest.verdict == "better" and everything <= true for result, true, everything in found]
    assert sum(wrongly) <= 1
    for result, _, _ in found:
        said = result.honest.sentence()
        assert ("no evidence that these features predict state (p = " in said) != result.honest.has_evidence
        assert result.honest.value_words() in said
