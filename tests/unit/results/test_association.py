"""Whether predictions go with the truth: p values beside scipy's, their level, and what is exchanged with what."""

import time

import numpy as np
import pytest
from scipy import stats

from fsdesk.results.association import association_of

N = 60


def _p(truth, said, folds=None, blocks=None, classes=2, **options):
    rows = np.arange(len(truth))
    folds = np.zeros_like(rows) if folds is None else folds
    return association_of(truth, said, folds, rows if blocks is None else blocks, classes=classes, **options).p


@pytest.mark.parametrize("shift", [0.0, 0.4, 0.8])
def test_scores_of_two_classes_have_the_p_value_of_mann_and_whitney(shift):
    rng = np.random.default_rng(1)
    truth = np.arange(N) % 2
    score = rng.normal(size=N) + shift * truth
    expected = stats.mannwhitneyu(score[truth == 1], score[truth == 0], alternative="greater").pvalue
    found = _p(truth, np.column_stack([-score, score]), permutations=9999)
    assert found == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 9999) + 0.003)


@pytest.mark.parametrize("missed", [0.3, 0.42])
def test_classes_have_the_p_value_of_fishers_exact_test(missed):
    rng = np.random.default_rng(2)
    truth = (np.arange(N) < 15).astype(np.int64)
    said = np.where(rng.random(N) < missed, 1 - truth, truth)
    table = [[((truth == a) & (said == b)).sum() for b in (1, 0)] for a in (1, 0)]
    expected = stats.fisher_exact(table, alternative="greater").pvalue
    assert _p(truth, said, permutations=9999) == pytest.approx(expected, abs=0.012)


def test_numbers_have_the_p_value_of_a_permuted_correlation():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=N)
    said = 0.25 * truth + rng.normal(size=N)
    expected = stats.pearsonr(said, truth, alternative="greater").pvalue
    assert _p(truth, said, classes=1, permutations=9999) == pytest.approx(expected, abs=0.015)


def test_a_rare_class_that_is_never_named_is_found_by_its_scores():
    """Nine of ten rows are of one class, and every prediction names it: the error is that of a guess."""
    rng = np.random.default_rng(4)
    truth = (np.arange(100) < 10).astype(np.int64)
    score = 0.1 + 0.05 * rng.random(100) + 0.1 * truth
    assert _p(truth, np.column_stack([1 - score, score])) == 1 / 1000
    assert _p(truth, np.zeros(100, dtype=np.int64)) == 1.0


@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
def test_of_noise_five_in_a_hundred_are_called_associated(kind):
    rng = np.random.default_rng(5)
    found = []
    for _ in range(300):
        if kind == "numbers":
            truth, said, classes = rng.normal(size=40), rng.normal(size=40), 1
        else:
            classes = 2 if kind == "two" else 3
            truth, said = rng.integers(0, classes, 40), rng.normal(size=(40, classes))
        found.append(_p(truth, said, np.arange(40) % 5, classes=classes, permutations=199))
    assert stats.binomtest(int(np.sum(np.array(found) <= 0.05)), 300, 0.05).pvalue > 0.001
    assert stats.kstest(found, "uniform").pvalue > 0.001


def test_what_differs_between_folds_alone_is_no_association():
    """Each fold has its own level of scores and of classes."""
    rng = np.random.default_rng(6)
    folds = np.arange(200) % 2
    truth = (rng.random(200) < np.where(folds == 1, 0.8, 0.2)).astype(np.int64)
    score = 5.0 * folds + rng.normal(size=200)
    said = np.column_stack([-score, score])
    assert _p(truth, said) < 0.01
    assert _p(truth, said, folds) > 0.05


def test_rows_that_belong_together_are_no_independent_rows():
    rng = np.random.default_rng(7)
    naive, whole = [], []
    for _ in range(200):
        patients = np.repeat(np.arange(20), rng.integers(1, 8, 20))
        truth, score = rng.integers(0, 2, 20)[patients], rng.normal(size=20)[patients]
        said = np.column_stack([-score, score])
        naive.append(_p(truth, said, patients % 4, permutations=199))
        whole.append(_p(truth, said, patients % 4, patients, permutations=199))
    assert np.mean(np.array(naive) <= 0.05) > 0.15
    assert stats.binomtest(int(np.sum(np.array(whole) <= 0.05)), 200, 0.05).pvalue > 0.001


@pytest.mark.parametrize("shift", [0.0, 0.4, 0.8])
def test_scores_of_pairs_have_the_p_value_of_the_paired_permutation_test(shift):
    """Tumour and normal tissue of each patient, always in this order."""
    rng = np.random.default_rng(11)
    patients, truth = np.repeat(np.arange(N // 2), 2), np.arange(N) % 2
    score = np.repeat(rng.normal(size=N // 2), 2) + rng.normal(size=N) + shift * truth
    ranks = stats.rankdata(score)
    expected = stats.permutation_test(
        (ranks[truth == 1], ranks[truth == 0]), lambda a, b: np.mean(a - b), permutation_type="samples",
        alternative="greater", n_resamples=9999, rng=np.random.default_rng(0),
    ).pvalue  # fmt: skip
    found = _p(truth, np.column_stack([-score, score]), blocks=patients, permutations=9999)
    assert found == pytest.approx(expected, abs=0.02)
    assert _p(truth, score, blocks=patients, classes=1, permutations=9999) < expected + 0.05


@pytest.mark.parametrize("classes", [1, 2, 3])
def test_of_repeated_rows_in_sequence_five_in_a_hundred_are_called_associated(classes):
    """Values and predictions of a patient both drift, independently of each other."""
    rng = np.random.default_rng(12)
    found = []
    for _ in range(200):
        patients = np.repeat(np.arange(24), 8 if classes == 1 else rng.integers(4, 9, 24))
        drift, seen = rng.normal(size=(2, len(patients)))
        for series in (drift, seen):
            for patient in range(24):
                series[patients == patient] = series[patients == patient].cumsum()
        truth = drift if classes == 1 else np.digitize(drift, [0.0] if classes == 2 else [-0.7, 0.7])
        said = seen if classes == 1 else seen[:, None] * np.linspace(-1, 1, classes)
        found.append(_p(truth, said, patients % 4, patients, classes=classes, permutations=199))
    assert stats.binomtest(int(np.sum(np.array(found) <= 0.05)), 200, 0.05).pvalue > 0.001


def test_folds_of_one_row_are_exchanged_with_one_another_and_one_block_with_none():
    truth = np.arange(N) % 2
    score = truth + 0.1 * np.random.default_rng(8).normal(size=N)
    assert _p(truth, np.column_stack([-score, score]), np.arange(N)) == 1 / 1000
    rows = np.zeros(N, dtype=np.int64)
    assert association_of(truth, truth, rows, rows, classes=2) is None
    assert association_of(np.zeros(N, dtype=np.int64), truth, rows, np.arange(N), classes=2) is None


def test_thousands_of_rows_take_no_time_and_of_more_the_normal_distribution_says_the_same():
    rng = np.random.default_rng(9)
    truth, score = np.arange(5000) % 2, rng.normal(size=5000)
    said = np.column_stack([-score, score])
    began = time.process_time()
    _p(truth, said, np.arange(5000) % 10)
    assert time.process_time() - began < 2.0  # a tenth of it on a quiet machine
    score += 0.05 * truth
    said = np.column_stack([-score, score])
    expected = stats.mannwhitneyu(score[truth == 1], score[truth == 0], alternative="greater").pvalue
    assert _p(truth, said) == pytest.approx(expected, abs=0.03)


def test_the_p_value_does_not_depend_on_the_order_of_rows_nor_on_the_scale_of_scores():
    rng = np.random.default_rng(10)
    truth, score, folds = rng.integers(0, 2, N), rng.normal(size=N), np.arange(N) % 5
    said = np.column_stack([-score, score])
    first = association_of(truth, said, folds, np.arange(N), classes=2)
    assert association_of(truth, np.exp(3 * said), folds, np.arange(N), classes=2) == first
    turned = rng.permutation(N)
    again = association_of(truth[turned], said[turned], folds[turned], np.arange(N)[turned], classes=2)
    assert again == first
