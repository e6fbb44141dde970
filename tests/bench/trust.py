"""How far each feature can be trusted: `python tests/bench/trust.py [--tables 100] [--only tests,halves,...]`.

Each figure that is said of single features, of the stability of a list, of probabilities and of the width of an
interval beforehand, beside its bound, on made-up tables whose truth is known; ± is the standard error. A feature is
false where neither it nor its block has to do with the class. A quarter of an hour of one core.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fsdesk.data import Dataset, load_sample, prepare
from fsdesk.data.checks import half_width, relative_half_width
from fsdesk.engine import RunSpec
from fsdesk.measure import MeasureSettings, Resamples
from fsdesk.measure.filters import FilterName, filter_scores
from fsdesk.measure.resamples import columns_of, rows_of
from fsdesk.results.calibration import HeldOutScores, scores_of
from fsdesk.results.coefficients import coefficients
from fsdesk.results.feature_tests import FALSE_SHARE, batches_of, feature_tests, values_tested
from fsdesk.results.features import effects_of, importances
from fsdesk.results.half_samples import FALSE_ONES, halved
from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.new_rows import validate
from fsdesk.results.sample_size import Expected
from fsdesk.results.select import select
from fsdesk.results.trust import partners_of

Rng = np.random.Generator
Row = tuple[str, str, str, str, bool]
"""Figure, kind of table, what was found, its bound, and whether it holds."""


@dataclass(frozen=True)
class Kind:
    """Normal features in blocks with a common factor; the first blocks are shifted by class.

    Attributes
    ----------
    informative
        How many blocks, or features where ``block`` is 1, have to do with the class.
    shift
        In standard deviations; of several classes, block j is shifted in class j % classes.
    share
        Of the second class, where there are two.
    size
        Of the subset whose stability is asked for.
    alike
        Correlation within a block.
    """

    rows: int
    features: int
    informative: int = 0
    shift: float = 0.0
    share: float = 0.5
    classes: int = 2
    size: int = 10
    block: int = 1
    alike: float = 0.0
    numbers: bool = False

    def table(self, rng: Rng, rows: int = 0) -> Dataset:
        """A table of so many rows."""
        rows = rows or self.rows
        x = rng.normal(size=(rows, self.features))
        if self.block > 1:
            common = np.repeat(rng.normal(size=(rows, self.features // self.block)), self.block, axis=1)
            x = np.sqrt(self.alike) * common + np.sqrt(1 - self.alike) * x
        if self.classes > 2:
            y = np.arange(rows) % self.classes
        else:
            y = (np.arange(rows) < round(self.share * rows)).astype(np.int64)
        shifted = self.informative * self.block
        codes = (
            np.arange(shifted) // self.block % self.classes if self.classes > 2 else np.ones(shifted, dtype=np.int64)
        )
        response = None
        if self.numbers:
            response = self.shift * x[:, :shifted].sum(axis=1) + rng.normal(size=rows)
        else:
            x[:, :shifted] += self.shift * (y[:, None] == codes)
        return dataset_of(x, y, response)

    @property
    def true(self) -> np.ndarray:
        """(p,) which features have to do with the class."""
        return np.asarray(np.arange(self.features) < self.informative * self.block)


def dataset_of(x: np.ndarray, y: np.ndarray, response: np.ndarray | None = None) -> Dataset:
    """Of values and classes."""
    names = tuple(f"f{place}" for place in range(x.shape[1]))
    classes = () if response is not None else tuple(map(str, range(int(y.max()) + 1)))
    target = np.zeros(len(y), dtype=np.int64) if response is not None else y.astype(np.int64)
    return Dataset("t", np.asfortranarray(x), names, target, "class", classes, ("",) * len(y), response=response)


KINDS = {
    "noise, 60 x 200": Kind(60, 200),
    "noise, 80 x 1,000": Kind(80, 1_000, size=20),
    "noise, 100 x 200, blocks of 10": Kind(100, 200, block=10, alike=0.7),
    "5 weak of 200, n 100": Kind(100, 200, 5, 0.75, size=8),
    "5 of 200, n 100": Kind(100, 200, 5, 1.2, size=8),
    "3 classes, 12 of 150, n 120": Kind(120, 150, 12, 1.0, classes=3, size=15),
    "5 of 200, 90 : 10, n 150": Kind(150, 200, 5, 1.3, share=0.1, size=8),
    "5 faint of 50, n 100": Kind(100, 50, 5, 0.4, size=8),
    "10 of 200, n 150": Kind(150, 200, 10, 0.6),
    "30 of 100, n 100": Kind(100, 100, 30, 0.5, size=25),
    "3 of 20 blocks of 10, n 100": Kind(100, 200, 3, 0.8, size=15, block=10, alike=0.7),
    "20 of 1,000, n 60": Kind(60, 1_000, 20, 1.2, size=20),
    "numbers, 5 of 100, n 100": Kind(100, 100, 5, 0.5, size=6, numbers=True),
}
BOUND = ".8 to 1.2 + 2 se"
TRUTH_ROWS = 20_000  # of the table whose coefficients count as the true ones
PLANTED = [name for name, kind in KINDS.items() if kind.informative]
ORDERS: list[tuple[FilterName, str]] = [
    *(("f", name) for name in KINDS),
    *(("mrmr", name) for name in PLANTED[:3]),
    *(("l1", name) for name in PLANTED[:2]),
]
TITLES: dict[FilterName, str] = {"mrmr": "mRMR", "l1": "L1 path"}
NOISE = [name for name, kind in KINDS.items() if not kind.informative]


def _mean(values: Sequence[float] | np.ndarray, scale: float = 1.0) -> tuple[float, float]:
    """Mean and standard error."""
    known = np.asarray(values, dtype=np.float64) * scale
    return float(known.mean()), float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else np.nan


def _words(mean: float, error: float, digits: int = 1) -> str:
    return f"{mean:.{digits}f} ± {error:.{digits}f}"


def _tables(name: str, count: int, salt: int) -> Iterator[tuple[Dataset, Rng]]:
    for number in range(count):
        rng = np.random.default_rng([number, list(KINDS).index(name), salt])
        yield KINDS[name].table(rng), rng


def tests(count: int) -> Iterator[Row]:
    """q values: false discoveries, and noise in which something is found."""
    for name in PLANTED:
        true, false, found = KINDS[name].true, list[float](), list[float]()
        for data, _ in _tables(name, count, 1):
            associated = feature_tests(data).associated
            false.append((associated & ~true).sum() / max(1, associated.sum()))
            found.append(associated[true].mean())
        mean, error = _mean(false, 100)
        said = f"{_words(mean, error)} (finds {100 * np.mean(found):.0f} %)"
        yield "false at q <= .1, %", name, said, "<= 10 + 2 se", mean <= 100 * FALSE_SHARE + 2 * error
    for name in NOISE:
        any_ = [bool(feature_tests(data).associated.any()) for data, _ in _tables(name, 3 * count, 2)]
        mean, error = _mean(any_, 100)
        yield "noise with any q <= .1, %", name, _words(mean, error), "<= 10 + 2 se", mean <= 10 + 2 * error


def intervals(count: int) -> Iterator[Row]:
    """Areas and correlations against their truth on 20,000 rows."""
    for name in ("5 of 200, n 100", "5 of 200, 90 : 10, n 150", "3 classes, 12 of 150, n 120",
                 "numbers, 5 of 100, n 100"):  # fmt: skip
        kind = KINDS[name]
        large = kind.table(np.random.default_rng(9), 20_000)
        shown, hit = np.arange(2 * kind.informative), list[float]()
        truth = _areas(large.x[:, shown], large)
        for data, _ in _tables(name, count, 3):
            found = feature_tests(data)
            own = truth[shown, found.code[shown] if len(data.classes) else 0]
            hit.append(np.mean((found.low[shown] <= own) & (own <= found.high[shown])))
        mean, error = _mean(hit, 100)
        is_near = 93 - 2 * error <= mean <= 99 + 2 * error
        yield "interval of area or correlation covers, %", name, _words(mean, error), "93 to 99 + 2 se", is_near


def _areas(x: np.ndarray, data: Dataset) -> np.ndarray:
    """(m, classes) areas against the rest, or (m, 1) rank correlations."""
    ranks = rankdata(x, axis=0)
    if data.response is not None:
        return np.corrcoef(ranks.T, rankdata(data.response))[:-1, -1:]
    own = np.stack([ranks[data.target == code].mean(axis=0) for code in range(len(data.classes))], axis=1)
    sizes = np.bincount(data.target)
    return (own - (sizes + 1) / 2) / (len(x) - sizes)


def halves(count: int) -> Iterator[Row]:
    """Half-samples: false ones beside their bound, and stability beside that of fresh tables."""
    for order, name in ORDERS:
        kind, settings = KINDS[name], MeasureSettings()
        fresh, inside = list[np.ndarray](), list[tuple[float, float]]()
        said, false, true = list[float](), list[float](), list[float]()
        few = count if order == "f" else max(5, count // 4)
        for number, (data, rng) in enumerate(_tables(name, few, 4)):
            every = np.ones(kind.features, dtype=np.bool_)
            found = halved(data, order, every, Resamples(data, settings, number, 4), kind.size)
            assert found is not None and found.stability is not None
            said.append(found.stability.index)
            inside.append((found.stability.low, found.stability.high))
            false.append(float(found.supported[~kind.true].sum()))
            true.append(float(found.supported[kind.true].sum()))
            for again in range(3):
                other = data if not again else kind.table(rng)
                fresh.append(np.argsort(-filter_scores(other, order), kind="stable")[: kind.size])
        index = _nogueira(fresh, kind.features)
        mean, error = _mean(said)
        covers, of_covers = _mean([low - 0.005 <= index <= high + 0.005 for low, high in inside], 100)
        label = name if order == "f" else f"{name} ({TITLES[order]})"
        if kind.informative:
            words = f"{_words(mean, error, 2)}, fresh tables {index:.2f}"
            yield "stability", label, words, "within .1 + 2 se", abs(mean - index) <= 0.1 + 2 * error
        else:
            yield "stability of noise", label, _words(mean, error, 3), "within .05 of 0", abs(mean) <= 0.05
        yield "its interval holds that of fresh tables, %", label, _words(covers, of_covers), ">= 90", covers >= 90
        mean, error = _mean(false)
        words = f"{_words(mean, error, 2)} (and {np.mean(true):.1f} of {int(kind.true.sum())} true)"
        yield "false among supported", label, words, f"<= {FALSE_ONES:g}", mean <= FALSE_ONES
        if not kind.informative:
            mean, error = _mean([each > 0 for each in false], 100)
            yield "noise with any supported, %", label, _words(mean, error), "<= 10 + 2 se", mean <= 10 + 2 * error


def _nogueira(subsets: list[np.ndarray], features: int) -> float:
    frequency = np.bincount(np.concatenate(subsets), minlength=features) / len(subsets)
    size, count = len(subsets[0]) / features, len(subsets)
    return float(1 - count / (count - 1) * (frequency * (1 - frequency)).mean() / (size * (1 - size)))


def widths(count: int) -> Iterator[Row]:
    """What is said beforehand of the interval, beside that of five outer folds; of errors half of a guess."""
    for rows, error, between in (
        (60, 0.25, 0.0),
        (60, 0.25, 0.04),
        (104, 0.2, 0.03),
        (200, 0.25, 0.02),
        (400, 0.15, 0.02),
    ):
        ratio = []
        for number in range(min(count, 100)):
            rng = np.random.default_rng([number, rows, 5])
            y, folds = np.arange(rows) % 2, np.arange(rows) // 2 % 5
            rates = np.clip(error + between * rng.normal(size=5), 0.02, 0.98)
            wrong = rng.random(rows) < rates[folds]
            every = np.arange(rows)
            said = HeldOut(
                "error", 2, every, every, folds, np.zeros_like(every), y, np.where(wrong, 1 - y, y), np.zeros_like(y)
            )
            found = honest_error(said, selected=5, features=50, folds=5)
            assert found.low is not None and found.high is not None
            ratio.append(2 * half_width(found.value, rows) / (found.high - found.low))
        mean, of_mean = _mean(ratio)
        name = f"n {rows}, error {100 * error:.0f} %, searches differ by {100 * between:.0f} points"
        yield "width said before / after", name, _words(mean, of_mean, 2), ".85 to 1.15", 0.85 <= mean <= 1.15
    for rows in (60, 150, 400):
        ratio = [_rmse_ratio(rows, np.random.default_rng([number, rows, 6])) for number in range(min(count, 100))]
        mean, of_mean = _mean(ratio)
        yield (
            "width said before / after",
            f"RMSE, n {rows}",
            _words(mean, of_mean, 2),
            ".85 to 1.15",
            0.85 <= mean <= 1.15,
        )


def _rmse_ratio(rows: int, rng: Rng) -> float:
    """What is said beforehand of the interval of an RMSE that is half that of the mean, beside the interval."""
    truth, every = rng.normal(size=rows), np.arange(rows)
    folds = every % 5
    off = 0.5 * rng.normal(size=rows) * (1 + 0.05 * rng.normal(size=5))[folds]
    said = HeldOut("rmse", 1, every, every, folds, np.zeros_like(every), truth, truth + off, np.zeros(rows))
    found = honest_error(said, selected=5, features=50, folds=5)
    assert found.low is not None and found.high is not None
    return 2 * relative_half_width(rows) * found.value / (found.high - found.low)


def probabilities(count: int) -> Iterator[Row]:
    """What is claimed of the likeliest class beside how often it is right, on 1,000 new rows."""
    for model in ("1-NN", "5-NN", "LDA", "logistic"):
        for name in ("noise, 60 x 200", "5 weak of 200, n 100", "5 of 200, n 100", "3 classes, 12 of 150, n 120"):
            kind, off, slopes = KINDS[name], list[float](), list[float]()
            for data, rng in _tables(name, min(count, 60), 7):
                new, every = kind.table(rng, 1_000), np.arange(kind.rows)
                folds = Resamples(data, MeasureSettings(), int(rng.integers(1_000)), 5).parts(0)
                held = np.empty((kind.rows, kind.classes))
                for fold in range(5):
                    tested = every[folds == fold]
                    held[tested] = _scored(model, data, every[folds != fold], data.x[tested], kind)
                made = HeldOutScores(held, data.target).calibrated(_scored(model, data, every, new.x, kind))
                likeliest = made.argmax(axis=1)
                off.append(float(made.max(axis=1).mean() - (likeliest == new.target).mean()))
                claimed, right = made[:, 1] - made[:, 1].mean(), (new.target == 1) - (new.target == 1).mean()
                if claimed.std() > 0.02:
                    slopes.append(float(claimed @ right / (claimed @ claimed)))
            mean, error = _mean(off, 100)
            yield "claimed less right, points", f"{name}, {model}", _words(mean, error), "<= 3", mean <= 3
            if len(slopes) > 5:
                middle, spread = float(np.median(slopes)), 1.25 * _mean(slopes)[1]  # of a median
                is_near = 0.8 - 2 * spread <= middle <= 1.2 + 2 * spread
                yield "slope of the truth on the claim", f"{name}, {model}", _words(middle, spread, 2), BOUND, is_near


def _scored(model: str, data: Dataset, rows: np.ndarray, new: np.ndarray, kind: Kind) -> np.ndarray:
    """Scores of new rows by a model with the best features of some of the rows."""
    part = rows_of(data, rows)
    best = np.argsort(-filter_scores(part, "f"), kind="stable")[: kind.size]
    models = {
        "1-NN": KNeighborsClassifier(1), "5-NN": KNeighborsClassifier(5),
        "LDA": LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), "logistic": LogisticRegression(),
    }  # fmt: skip
    made = make_pipeline(StandardScaler(), models[model]).fit(part.x[:, best], part.target.astype(str))
    return scores_of(made, new[:, best], data.classes)


def weights(count: int) -> Iterator[Row]:
    """Intervals of coefficients, the features being given, against the same model on 20,000 rows (``TRUTH_ROWS``)."""
    for wrapper, kind in (
        ("logistic", Kind(100, 6, 3, 0.8)),
        ("logistic", Kind(200, 6, 3, 0.8, share=0.2)),
        ("lda", Kind(100, 6, 3, 0.8)),
        ("ridge", Kind(100, 6, 3, 0.5, numbers=True)),
        ("logistic", Kind(150, 6, 1, 0.8, block=3, alike=0.7)),
    ):
        settings = {"wrapper.shrinkage": 0.1} if wrapper == "lda" else {}
        every, truth, hit = np.ones(kind.features, dtype=np.bool_), np.empty(0), list[float]()
        null = list[float]()
        for number in range(-1, count):
            data = kind.table(np.random.default_rng([number + 1, 8]), TRUTH_ROWS if number < 0 else 0)
            spec = RunSpec.make(data, method="full", wrapper=wrapper, settings=settings)
            found = coefficients(spec, data, every)
            assert found is not None
            # Per unit of the feature, as tables differ in what a standard deviation is.
            value, low, high = (
                np.array([getattr(each, name) / each.scale for each in found.features])
                for name in ("value", "low", "high")
            )
            if number < 0:
                truth = value
                continue
            inside = (low <= truth) & (truth <= high)
            hit.append(float(inside[kind.true].mean()))
            null.append(float(((low <= 0) & (high >= 0))[~kind.true].mean()))
        name = f"{wrapper}, {kind.informative * kind.block} of {kind.features}, n {kind.rows}"
        name += ", numbers" if kind.numbers else f", correlated by {kind.alike:g}" if kind.block > 1 else ""
        for figure, values in (("of a feature that tells something", hit), ("of one that tells nothing", null)):
            mean, error = _mean(values, 100)
            yield (
                f"interval of the coefficient covers, {figure}, %",
                name,
                _words(mean, error),
                ">= 90 - 2 se",
                mean >= 90 - 2 * error,
            )


def few_rows(count: int) -> Iterator[Row]:
    """Intervals of coefficients of few rows: of what the same model, with its penalty, gives for them on average."""
    for wrapper, values, kind in (
        ("logistic", {"wrapper.C": 0.01}, Kind(60, 6, 3, 0.8)),
        ("logistic", {}, Kind(60, 20, 3, 0.8)),
        ("logistic", {}, Kind(30, 6, 3, 0.8)),
        ("ridge", {"wrapper.alpha": 100.0}, Kind(60, 20, 3, 0.5, numbers=True)),
    ):
        every, found = np.ones(kind.features, dtype=np.bool_), []
        for number in range(count):
            data = kind.table(np.random.default_rng([number, 12]))
            made = coefficients(RunSpec.make(data, method="full", wrapper=wrapper, settings=values), data, every)
            assert made is not None
            found.append(
                [[getattr(each, end) / each.scale for end in ("value", "low", "high")] for each in made.features]
            )
        value, low, high = np.moveaxis(np.array(found), 2, 0)
        inside = ((low <= value.mean(axis=0)) & (value.mean(axis=0) <= high)).mean(axis=1)
        mean, error = _mean(inside, 100)
        said = "".join(f", {name.split('.')[1]} {each:g}" for name, each in values.items())
        name = f"{wrapper}{said}, {kind.features} features, n {kind.rows}{', numbers' if kind.numbers else ''}"
        figure = "interval of the penalized coefficient covers, %"
        yield figure, name, _words(mean, error), ">= 93 - 2 se", mean >= 93 - 2 * error


def over_batches(rng: Rng, tilt: float, telling: int = 0, rows: int = 60, features: int = 200) -> Dataset:
    """Two batches, far apart in every feature; the classes are spread over them unevenly by ``tilt``."""
    batch = np.arange(rows) % 2
    y = (rng.random(rows) < np.where(batch == 0, 0.5 + tilt, 0.5 - tilt)).astype(np.int64)
    x = rng.normal(size=(rows, features)) + 1.5 * rng.normal(size=(2, features))[batch]
    x[:, :telling] += 1.2 * y[:, None]
    names = ("plate", *(f"f{place}" for place in range(features)))
    both = np.asfortranarray(np.column_stack([batch.astype(float), x]))
    return Dataset("t", both, names, y, "class", ("0", "1"), ("",) * rows, categories={0: ("one", "two")})


def batches(count: int) -> Iterator[Row]:
    """q values where batches are centred and classes unevenly spread over them."""
    centred = MeasureSettings(batch="plate", centre_batches=True)
    for tilt in (0.0, 0.3, 0.4):
        any_, false, found = list[float](), list[float](), list[float]()
        for number in range(count):
            rng = np.random.default_rng([number, 13])
            for telling in (0, 10):
                data = over_batches(rng, tilt, telling)
                is_found = feature_tests(values_tested(data, centred), batches_of(data, centred)).associated[1:]
                if not telling:
                    any_.append(float(is_found.any()))
                    continue
                false.append(is_found[telling:].sum() / max(1, is_found.sum()))
                found.append(is_found[:telling].mean())
        name = f"two batches, {50 + 100 * tilt:.0f} and {50 - 100 * tilt:.0f} % of a class, n 60"
        mean, error = _mean(any_, 100)
        yield "noise with any q <= .1, %", name, _words(mean, error), "<= 10 + 2 se", mean <= 10 + 2 * error
        mean, error = _mean(false, 100)
        said = f"{_words(mean, error)} (finds {100 * np.mean(found):.0f} %)"
        yield "false at q <= .1, %", name, said, "<= 10 + 2 se", mean <= 10 + 2 * error


def shuffled(count: int) -> Iterator[Row]:
    """The bound of the half-samples where the labels of planted tables are shuffled."""
    for name in ("5 of 200, n 100", "3 of 20 blocks of 10, n 100", "20 of 1,000, n 60"):
        kind, false = KINDS[name], list[float]()
        for number, (data, rng) in enumerate(_tables(name, count, 14)):
            data = replace(data, target=rng.permutation(data.target))
            every = np.ones(kind.features, dtype=np.bool_)
            found = halved(data, "f", every, Resamples(data, MeasureSettings(), number, 4))
            assert found is not None
            false.append(float(found.supported.sum()))
        mean, error = _mean(false)
        yield "supported with shuffled labels", name, _words(mean, error, 2), f"<= {FALSE_ONES:g}", mean <= FALSE_ONES


def covariates(count: int) -> Iterator[Row]:
    """What the selected features add to two that are always in, against their truth on 10,000 new rows."""
    for telling, said in ((2, "the others add nothing"), (5, "3 others add")):
        hit, added, truths = list[float](), list[float](), list[float]()
        kind = Kind(100, 30, telling, 0.8)
        for number in range(count):
            rng = np.random.default_rng([number, telling, 15])
            data, new = kind.table(rng), kind.table(rng, 10_000)
            made = select(data, method="univariate", wrapper="lda", seed=number, always=("f0", "f1"), outer=5,
                          settings={"repeats": 1, "most": 8})  # fmt: skip
            honest, wrong = made.honest, []
            assert honest is not None and honest.covariates_difference_low is not None
            assert honest.covariates_difference_high is not None
            for some in (list(data.features[:2]), list(made.features)):
                alone = data.frame[some].assign(y=data.target)
                model = select(
                    alone, target="y", method="full", wrapper="lda", outer=0, settings={"repeats": 1}
                ).estimator
                wrong.append(float((model.predict(new.frame[some]) != new.target).mean()))
            truths.append(wrong[0] - wrong[1])
            hit.append(float(honest.covariates_difference_low <= truths[-1] <= honest.covariates_difference_high))
            added.append(float(honest.covariates_difference_low > 0))
        mean, error = _mean(hit, 100)
        words = f"{_words(mean, error)} (they add {100 * np.mean(truths):.1f} points)"
        yield "interval of what is added to covariates covers, %", said, words, ">= 93 - 2 se", mean >= 93 - 2 * error
        if telling == 2:
            mean, error = _mean(added, 100)
            yield "said to add to covariates, %", said, _words(mean, error), "<= 2.5 + 2 se", mean <= 2.5 + 2 * error


def elsewhere(count: int) -> Iterator[Row]:
    """Runs in which models compete, on another table of 10,000 rows: cut-off and probabilities hold there."""
    for name, kind in (
        ("5 weak of 50, n 100", Kind(100, 50, 5, 0.75)),
        ("5 of 50, n 100", Kind(100, 50, 5, 1.2)),
        ("5 of 50, 90 : 10, n 150", Kind(150, 50, 5, 1.3, share=0.1)),
    ):
        hit, slopes, errors, wide = list[float](), list[float](), list[float](), list[float]()
        for number in range(count):
            rng = np.random.default_rng([number, 77])
            data, new, few = kind.table(rng), kind.table(rng, 10_000), kind.table(rng, 200)
            made = select(data, preset="quick", seed=number)
            assert made.honest is not None and made.honest.low is not None and made.honest.high is not None
            large, small = (validate(made, data, _frame(each, data)) for each in (new, few))
            assert small.error.low is not None and small.error.high is not None
            errors.append(float(small.error.low <= large.error.value <= small.error.high))
            wide.append(float(made.honest.low <= large.error.value <= made.honest.high))
            if not large.decision or (card := made.decision()).sensitivity.low is None:
                continue
            for rate in ("sensitivity", "specificity"):
                said, there = getattr(card, rate), large.decision[rate]["value"]
                hit.append(float(said.low <= there <= said.high))
            if large.decision["calibration_slope"]["value"] is not None:
                slopes.append(float(large.decision["calibration_slope"]["value"]))
        for figure, values in (
            ("interval of 200 rows of another table covers, %", errors), ("held-out interval covers, %", wide),
            ("rates at the cut-off of the card, elsewhere: covered, %", hit),
        ):  # fmt: skip
            mean, error = _mean(values, 100)
            yield figure, name, _words(mean, error), ">= 93 - 2 se", mean >= 93 - 2 * max(error, 100 / len(values))
        middle, spread = float(np.median(slopes)), 1.25 * _mean(slopes)[1]
        is_near = 0.8 - 2 * spread <= middle <= 1.2 + 2 * spread
        yield "calibration slope elsewhere, models competing", name, _words(middle, spread, 2), BOUND, is_near


def effects(count: int) -> Iterator[Row]:
    """Effects of the 20 markers of the sample of genes, by models with them; ``count`` has no effect."""
    genes = prepare(load_sample("genes"))
    places = [place for place, name in enumerate(genes.features) if name.startswith("marker")]
    markers = columns_of(genes, np.array(places))
    for wrapper in ("nn", "lda", "forest"):
        made = select(markers, method="full", wrapper=wrapper, seed=0, settings={"repeats": 1}, outer=0)
        found = [each.effect for each in effects_of(made, markers, range(len(places)))]
        above = sum(each is not None and each > 0 for each in found)
        yield "markers of 20 with an effect above 0", f"genes, {wrapper}", str(above), ">= 18", above >= 18


def _frame(table: Dataset, like: Dataset) -> pd.DataFrame:
    return table.frame.assign(**{like.target_name: [like.classes[code] for code in table.target]})


def importance(count: int) -> Iterator[Row]:
    """Conditional importance: intervals of features of no use hold 0, and those of others seldom do."""
    for wrapper, kind in (
        ("logistic", Kind(120, 10, 3, 1.0)),
        ("nn", Kind(120, 10, 3, 1.0)),
        ("lda", Kind(120, 12, 2, 1.0, block=3, alike=0.7)),
        ("ridge", Kind(120, 10, 3, 0.5, numbers=True)),
        ("logistic", Kind(100, 10)),
    ):
        above, found_true = list[float](), list[float]()
        for number in range(count):
            data = kind.table(np.random.default_rng([number, 9]))
            result = select(data, method="full", wrapper=wrapper, seed=number, settings={"repeats": 1}, outer=0)
            found = importances(result, data)
            low = np.array([found[place][1] for place in range(kind.features)])
            above.append(float((low > 0)[~kind.true].mean()))
            if kind.informative:
                found_true.append(float((low > 0)[kind.true].mean()))
        mean, error = _mean(above, 100)
        blocks = f" in blocks of {kind.block}" if kind.block > 1 else ""
        name = f"{wrapper}, {kind.informative * kind.block} of {kind.features}{blocks}, n {kind.rows}"
        name += ", numbers" if kind.numbers else ""
        said = f" (of those that tell something {100 * np.mean(found_true):.0f})" if found_true else ""
        yield (
            "importance above 0 of features that tell nothing, %",
            name,
            f"{_words(mean, error)}{said}",
            "<= 5 + 2 se",
            mean <= 5 + 2 * error,
        )


def roles(count: int) -> Iterator[Row]:
    """Exchange: tables of independent features in which any counts as interchangeable."""
    for name in PLANTED:
        if KINDS[name].block > 1:
            continue
        any_ = []
        for data, _ in _tables(name, count, 10):
            any_.append(bool(partners_of(data, feature_tests(data))))
        mean, error = _mean(any_, 100)
        yield (
            "tables of independent features with any interchangeable, %",
            name,
            _words(mean, error),
            "<= 6.25",
            mean <= 6.25,
        )
    name = "3 of 20 blocks of 10, n 100"
    right, wrong = list[float](), list[float]()
    blocks = np.arange(KINDS[name].features) // KINDS[name].block
    for data, _ in _tables(name, count, 10):
        pairs = [(one, other) for one, others in partners_of(data, feature_tests(data)).items() for other in others]
        wrong.append(float(np.mean([blocks[one] != blocks[other] for one, other in pairs])) if pairs else 0.0)
        right.append(len({one for one, _ in pairs} & set(np.flatnonzero(KINDS[name].true).tolist())) / 30)
    mean, error = _mean(wrong, 100)
    words = f"{_words(mean, error)} (of the 30 that do, {100 * np.mean(right):.0f} % have a partner)"
    yield "interchangeable pairs of different blocks, %", name, words, "<= 5 + 2 se", mean <= 5 + 2 * error


def plans(count: int) -> Iterator[Row]:
    """Without a pilot: the share of the features with an effect that is found, beside what was foreseen."""
    for rows, features, telling, effect, share in (
        (100, 200, 5, 0.75, 0.5), (60, 1_000, 20, 1.2, 0.5), (150, 200, 5, 1.3, 0.1), (100, 50, 5, 0.4, 0.5),
        (150, 200, 10, 0.6, 0.5), (100, 100, 30, 0.5, 0.5), (40, 20, 3, 0.8, 0.3), (300, 2_000, 5, 0.5, 0.4),
        (80, 1_000, 1, 1.2, 0.5), (30, 100, 5, 1.5, 0.5),
    ):  # fmt: skip
        kind, found = Kind(rows, features, telling, effect, share=share), list[float]()
        for number in range(count):
            data = kind.table(np.random.default_rng([number, rows, features, 11]))
            found.append(float(feature_tests(data).associated[:telling].mean()))
        said = 100 * (
            Expected(effect=effect, features=features, telling=telling, share=share).foreseen(rows).found or 0
        )
        mean, error = _mean(found, 100)
        name = f"{telling} of {features:,}, d {effect:g}, n {rows}, rarer class {100 * share:.0f} %"
        words = f"{_words(mean, error)}, said {said:.1f}"
        yield "features found, %", name, words, "within 5 + 2 se", abs(mean - said) <= 5 + 2 * error


SECTIONS: dict[str, tuple[Callable[[int], Iterator[Row]], int]] = {
    "tests": (tests, 200), "intervals": (intervals, 100), "halves": (halves, 30), "widths": (widths, 100),
    "probabilities": (probabilities, 30), "weights": (weights, 200), "importance": (importance, 100),
    "roles": (roles, 100), "plans": (plans, 100), "few_rows": (few_rows, 100), "batches": (batches, 100),
    "shuffled": (shuffled, 30), "covariates": (covariates, 60), "elsewhere": (elsewhere, 8),
    "effects": (effects, 1),
}  # fmt: skip
"""What makes the rows, and of how many tables of each kind by default."""


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=0, help="of each kind; 0: 30 to 200, by what a table costs")
    parser.add_argument("--only", default=",".join(SECTIONS))
    asked = parser.parse_args()
    print("| figure | table | found | bound | holds |\n| --- | --- | ---: | ---: | :---: |")
    for section in asked.only.split(","):
        make, usual = SECTIONS[section]
        for *cells, holds in make(asked.tables or usual):
            print(f"| {' | '.join(cells)} | {'yes' if holds else '**no**'} |", flush=True)


if __name__ == "__main__":
    main()
