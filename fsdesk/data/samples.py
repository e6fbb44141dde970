"""Built-in tables: three from scikit-learn, two generated from a formula with a fixed seed."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Table
from fsdesk.data.table import build_table
from fsdesk.errors import DataError, did_you_mean
from fsdesk.messages import joined, message, quoted

_PREFIX = "sample:"
_SEED = 20_260_101
_GENES, _PATIENTS, _MARKERS, _BLOCK = 20_000, 100, 20, 50


@dataclass(frozen=True)
class Sample:
    """What the window shows about a sample before it is opened."""

    name: str
    title: str
    summary: str
    rows: int
    features: int
    classes: int


SAMPLES: tuple[Sample, ...] = (
    Sample("breast_cancer", "Breast cancer", "Cell nuclei of benign and malignant tumors, measured in images (UCI).",
           569, 30, 2),
    Sample("wine", "Wine", "Chemical analysis of wines from three growers in one region (UCI).", 178, 13, 3),
    Sample("digits", "Digits", "Handwritten digits as 8 × 8 grayscale pixels, the edges mostly empty (UCI).",
           1797, 64, 10),
    Sample("waveform", "Waveforms",
           "Noisy mixtures of two of three triangular waves: 1,000 rows from the formula of Breiman et al. (1984).",
           1000, 21, 3),
    Sample("genes", "20,000 genes",
           "Synthetic expression in 100 patients; only the 20 genes marker_01 to marker_20 separate the ill from the "
           "healthy.",
           _PATIENTS, _GENES, 2),
)  # fmt: skip


def load_sample(name: str) -> Table:
    """Load a sample by name; always the same values. Raises DataError listing the valid names."""
    if not name:
        raise DataError("The samples are {names}.", names=quoted(list(_LOADERS), len(_LOADERS)))
    if name not in _LOADERS:
        raise DataError(
            'There is no sample "{name}". Choose one of: {loaders}.{near}',
            name=name,
            loaders=quoted(list(_LOADERS), len(_LOADERS)),
            near=did_you_mean(name, _LOADERS),
        )
    return _LOADERS[name]()


def sample_name(path: str | os.PathLike[str]) -> str | None:
    """The name after ``sample:``, as :func:`load_sample` takes it; None if a file is meant, even one of that name."""
    text = os.fspath(path)
    if not text.lower().startswith(_PREFIX) or Path(text).exists():
        return None
    return text[len(_PREFIX) :].strip().lower().replace("-", "_")


def _of_scikit_learn(name: str, target: str) -> Table:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    x: NDArray[np.float64] = bunch["data"]
    codes: NDArray[np.int64] = bunch["target"]
    classes = tuple(map(str, bunch["target_names"]))
    features = [str(feature) for feature in bunch["feature_names"]]
    return _table(name, x, features, codes, target, classes, message("scikit-learn sample data"))


def _waveform() -> Table:
    """Breiman et al. (1984), section 2.6.2: x = u h_a + (1 - u) h_b + noise, with one pair of waves for each class."""
    rows = 1000
    rng = np.random.default_rng(_SEED)
    place = np.arange(1, 22)
    waves = np.stack([np.maximum(6.0 - np.abs(place - peak), 0.0) for peak in (11, 15, 7)])
    codes = rng.integers(0, 3, rows)
    first, second = np.array([0, 0, 1])[codes], np.array([1, 2, 2])[codes]
    share = rng.random((rows, 1))
    x = share * waves[first] + (1 - share) * waves[second] + rng.standard_normal((rows, 21))
    source = joined(
        ", ",
        [message("waveforms generated with the formula of Breiman et al. (1984)"), message("seed {seed}", seed=_SEED)],
    )
    return _table("waveform", x, [f"x{j}" for j in place], codes, "class", ("0", "1", "2"), source)


def _genes() -> Table:
    """Log-normal expression in blocks of 50 genes with a common factor; 20 additional markers, shifted by class."""
    rng = np.random.default_rng(_SEED)
    codes = rng.permutation(np.repeat([0, 1], _PATIENTS // 2))
    factors = rng.standard_normal((_PATIENTS, _GENES // _BLOCK))
    loading = rng.uniform(0.3, 0.8, _GENES)
    x = rng.standard_normal((_PATIENTS, _GENES))
    x *= np.sqrt(1 - loading**2)
    x += loading * np.repeat(factors, _BLOCK, axis=1)
    markers = np.sort(rng.choice(_GENES, _MARKERS, replace=False))
    direction = np.where(np.arange(_MARKERS) % 2 == 0, 1.0, -1.0)
    x[:, markers] += np.outer(codes - 0.5, 1.6 * direction)
    x *= rng.uniform(0.3, 0.8, _GENES)
    x += rng.uniform(4.0, 9.0, _GENES)
    np.exp(x, out=x)
    names = [f"gene_{j + 1:05d}" for j in range(_GENES)]
    for number, j in enumerate(markers, 1):
        names[j] = f"marker_{number:02d}"
    source = joined(", ", [message("synthetic expression data"), message("seed {seed}", seed=_SEED)])
    return _table("genes", x, names, codes, "group", ("healthy", "ill"), source)


def _table(
    name: str,
    x: NDArray[np.float64],
    features: list[str],
    codes: NDArray[np.int64],
    target: str,
    classes: tuple[str, ...],
    source: str,
) -> Table:
    values = np.empty((len(x), len(features) + 1), order="F")
    values[:, :-1] = x
    texts = {len(features): [classes[code] for code in codes]}
    return build_table(
        name, Columns(values, texts), [*features, target], source=source, levels={len(features): classes}
    )


_LOADERS: dict[str, Callable[[], Table]] = {
    "breast_cancer": partial(_of_scikit_learn, "breast_cancer", "diagnosis"),
    "wine": partial(_of_scikit_learn, "wine", "grower"),
    "digits": partial(_of_scikit_learn, "digits", "digit"),
    "waveform": _waveform,
    "genes": _genes,
}
