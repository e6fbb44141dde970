from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import SAMPLES, Sample, load_sample, prepare, read_table
from fsdesk.errors import DataError

SHARED = Path(__file__).parents[3].parent / "shared" / "data"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_is_what_it_says_and_the_same_every_time(sample: Sample) -> None:
    dataset = prepare(load_sample(sample.name))
    assert dataset.x.shape == (sample.rows, sample.features)
    assert len(dataset.classes) == sample.classes
    assert dataset.fingerprint == prepare(load_sample(sample.name)).fingerprint
    assert np.isfinite(dataset.x).all()
    assert sample.summary.endswith(".")


def test_the_samples_of_scikit_learn_have_its_values() -> None:
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer()
    dataset = prepare(load_sample("breast_cancer"))
    assert np.array_equal(dataset.x, bunch.data)
    assert dataset.classes == ("malignant", "benign")
    assert np.array_equal(dataset.target, bunch.target)


def test_waveforms_have_the_class_means_of_the_formula() -> None:
    dataset = prepare(load_sample("waveform"))
    place = np.arange(1, 22)
    waves = {peak: np.clip(6 - abs(place - peak), 0, None) for peak in (7, 11, 15)}
    pairs = [(11, 15), (11, 7), (15, 7)]
    for code, (first, second) in enumerate(pairs):
        rows = dataset.x[dataset.target == code]
        expected = (waves[first] + waves[second]) / 2
        # Variance at most 1 + 36 / 12: four standard errors.
        assert np.abs(rows.mean(axis=0) - expected).max() < 4 * 2 / np.sqrt(len(rows))


def test_waveforms_have_the_class_means_and_deviations_of_the_ones_at_uci() -> None:
    path = SHARED / "waveform5000.arff"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    ours, theirs = prepare(load_sample("waveform")), read_table(path)
    for code in range(3):
        x = ours.x[ours.target == code]
        # UCI numbers the three pairs of waves in an order of its own.
        distances = []
        for other in range(3):
            y = theirs.x[theirs.target == other][:, :21]
            mean = np.abs(x.mean(axis=0) - y.mean(axis=0)).max()
            distances.append((mean, np.abs(x.std(axis=0) - y.std(axis=0)).max()))
        mean, deviation = min(distances)
        assert mean < 0.45
        assert deviation < 0.3


def test_the_markers_of_the_genes_are_the_only_ones_that_differ_by_group() -> None:
    dataset = prepare(load_sample("genes"))
    logs = np.log(dataset.x)
    ill, well = logs[dataset.target == 1], logs[dataset.target == 0]
    assert len(ill) == len(well) == 50
    t = np.abs(ill.mean(axis=0) - well.mean(axis=0)) / np.sqrt((ill.var(axis=0) + well.var(axis=0)) / 50)
    markers = np.array([name.startswith("marker_") for name in dataset.features])
    assert markers.sum() == 20
    assert np.median(t[markers]) > 6  # a shift of 1.6 deviations over 50 and 50 patients: 8 expected
    assert np.median(t[~markers]) == pytest.approx(0.68, abs=0.05)  # the median of |t| without any difference


def test_genes_of_one_block_go_together() -> None:
    dataset = prepare(load_sample("genes"))
    logs = np.log(dataset.x[:, :100])
    correlation = np.corrcoef(logs.T)
    off = ~np.eye(50, dtype=bool)
    # Loadings uniform between .3 and .8 have a mean product of .3025 = .55^2.
    assert correlation[:50, :50][off].mean() == pytest.approx(0.30, abs=0.1)
    assert abs(correlation[:50, 50:].mean()) < 0.15


def test_an_unknown_sample_gets_the_names_there_are() -> None:
    with pytest.raises(DataError, match='"breast_cancer", "wine", "digits", "waveform", "genes"'):
        load_sample("iris")


@pytest.mark.parametrize("word", ["sample:breast_cancer", "SAMPLE:Breast-Cancer"])
def test_a_sample_is_read_by_its_name_as_a_file_is(word: str) -> None:
    dataset = read_table(word, "mean radius", ignore=("diagnosis",))
    assert dataset.target_name == "mean radius" and dataset.response is not None
    assert read_table(word).fingerprint == prepare(load_sample("breast_cancer")).fingerprint


def test_a_wrong_name_lists_the_samples_and_ways_of_reading_are_refused() -> None:
    with pytest.raises(DataError, match=r'no sample "irises"\. Choose one of: "breast_cancer", "wine"'):
        read_table("sample:irises")
    with pytest.raises(DataError, match="omit them for a sample"):
        read_table("sample:wine", header="no")


def test_a_file_that_is_called_so_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        Path("sample:wine").write_text("a,b,y\n1,2,u\n3,4,v\n5,1,u\n", encoding="utf-8")
    except OSError:
        pytest.skip("this system has no such names")
    assert read_table("sample:wine").features == ("a", "b")
