"""What many tests need: small data sets made here, and the real ones where they are at hand."""

import csv
import gc
import os
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

# Tests run side by side; threads of BLAS and OpenMP that wait for work by spinning would take eight times the CPU time.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
os.environ["LANGUAGE"] = "en"  # commands speak the language of whoever runs them
# A window's workers give way by 15 of 19 steps. Tests side by side would leave them 3 % of a core, and wait in vain for
# what they do; from here on, workers can give way by 4 steps only, which leaves them a third.
if hasattr(os, "nice"):
    os.nice(max(0, 15 - os.nice(0)))

import numpy as np
import pytest
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine import request
from fsdesk.measure.filters import FilterName
from tests.covering import covering
from tests.known_tables import REAL_DATA


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="test every combination where a choice stands for all")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``@pytest.mark.covering(a=..., b=...)``: combinations in which every two values meet; all with --exhaustive."""
    for marker in metafunc.definition.iter_markers("covering"):
        every = metafunc.config.getoption("exhaustive")
        metafunc.parametrize(list(marker.kwargs), (product if every else covering)(*marker.kwargs.values()))


def pytest_collection() -> None:
    """Search for no garbage among the thousands of tests that are collected: a quarter of the time."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long or wait a lot go first, so that the processes end together."""
    items.sort(key=lambda item: item.path.name not in ("test_cluster.py", "test_memory.py", "test_scenarios.py"))


def pytest_collection_finish() -> None:
    """Leave them out of every later search, too: a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """Path of a real data file by name; skips the test where it is not there."""

    def path(name: str) -> Path:
        if not (REAL_DATA / name).is_file():
            pytest.skip(f"{name} is not at hand")
        return REAL_DATA / name

    return path


@pytest.fixture(scope="session")
def make_dataset() -> Callable[..., Dataset]:
    """Make a data set from a matrix and class codes."""

    def make(x: object, target: object, categories: dict[int, tuple[str, ...]] | None = None) -> Dataset:
        values = np.asfortranarray(np.asarray(x, dtype=np.float64))
        codes = np.asarray(target, dtype=np.int64)
        return Dataset(
            name="made",
            x=values,
            features=tuple(f"feature {place}" for place in range(values.shape[1])),
            target=codes,
            target_name="class",
            classes=tuple(f"class {code}" for code in range(int(codes.max()) + 1)),
            rows=tuple(str(row) for row in range(len(codes))),
            categories=categories or {},
        )

    return make


@pytest.fixture(scope="session")
def planted(make_dataset: Callable[..., Dataset]) -> Dataset:
    """60 rows, 8 features; features 1 and 5 tell the two classes apart, the others are noise."""
    rng = np.random.default_rng(3)
    target = np.arange(60) % 2
    x = rng.normal(size=(60, 8))
    x[:, 1] += 3.0 * target
    x[:, 5] -= 3.0 * target
    return make_dataset(x, target)


_SCORES: dict[tuple[str, str], NDArray[np.float64]] = {}


@pytest.fixture(scope="module")
def filters_scored_once() -> Iterator[None]:
    """Scores depend on the rows and the filter alone: forests of the same rows, grown for each run, take minutes."""
    score = request.filter_scores

    def scored(dataset: Dataset, name: FilterName, threads: int = 1) -> NDArray[np.float64]:
        key = (dataset.fingerprint, name)
        if key not in _SCORES:
            _SCORES[key] = score(dataset, name, threads)
        return _SCORES[key].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request, "filter_scores", scored)
        yield


@pytest.fixture(scope="session")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV of 80 rows and 12 features, of which g2 and g7 tell the two classes apart."""
    rng = np.random.default_rng(8)
    target = np.arange(80) % 2
    x = rng.normal(size=(80, 12))
    x[:, 2] += 2.5 * target
    x[:, 7] -= 2.5 * target
    path = tmp_path_factory.mktemp("table") / "patients.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"g{column}" for column in range(12)), "disease"])
        writer.writerows([*row, ("ill", "well")[code]] for row, code in zip(x.tolist(), target, strict=True))
    return path
