"""Tests of individual features: strength of association with the target, with interval and q value.

All tests use ranks, so that outliers and units do not matter. Two classes: the area under the ROC curve, which is the
probability that a row of one class has the larger value. Several: the area of the class that stands out most against
the rest. Numbers: Spearman correlation. The test is that of Wilcoxon, Kruskal & Wallis or Spearman; for a category, it
is Pearson's test of a contingency table, or that of Kruskal & Wallis for numbers. If rows are grouped, groups replace
rows: the contribution of a group to the statistic has the variance observed between groups (Datta & Satten, Biometrics
64, 2008).

Intervals of areas are Newcombe's fifth (Statistics in Medicine 25, 2006), those of correlations Bonett & Wright's
(Psychometrika 65, 2000); with groups, both are widened by the design effect. With several classes, the interval is
Bonferroni-corrected, because the class that stands out was selected. q values: Benjamini & Hochberg (Journal of the
Royal Statistical Society B 57, 1995) over all features, and Benjamini & Yekutieli (Annals of Statistics 29, 2001),
which is valid under any dependence between features.

If batches are named, rows are compared only within them: values are aligned by the mean of their batch and ranked, and
the statistic has the variance of permutations within batches (J. L. Hodges and E. L. Lehmann, Annals of Mathematical
Statistics 33, 1962). Values from which batch effects have been removed with knowledge of the classes would not do: if
classes are unevenly distributed over batches, they make most tables of noise look associated (V. Nygaard, E. A. Rødland
and E. Hovig, Biostatistics 17, 2016). Intervals are widened by the information that batches take from the target.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure import MeasureSettings, prepared
from fsdesk.measure.preparing import batch_codes

FALSE_SHARE = 0.1
"""Features with a q value up to this level are called associated; a tenth of them are expected to be false."""
_BLOCK = 2_000_000  # cells that are ranked together
_LEVEL = 0.95
_HALVINGS = 50

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FeatureTests:
    """Individual association of each of p features with the target.

    Attributes
    ----------
    measure
        "AUC" for classes, "rank correlation" for numbers.
    estimate, low, high
        (p,) that measure with its 95 % interval; NaN for categories and constant features. An area refers to larger
        values in the class ``code``, with several classes against all others.
    code
        (p,) for two classes the one with the larger values, for several the one that stands out most; -1 for numbers.
    p, q, q_any
        (p,) p values, and q values by Benjamini & Hochberg and by Benjamini & Yekutieli.
    """

    measure: Literal["AUC", "rank correlation"]
    estimate: Floats
    low: Floats
    high: Floats
    code: Codes
    p: Floats
    q: Floats
    q_any: Floats

    @property
    def associated(self) -> NDArray[np.bool_]:
        """(p,) features associated with the target: q up to ``FALSE_SHARE``."""
        return np.asarray(self.q <= FALSE_SHARE)


def values_tested(dataset: Dataset, measuring: MeasureSettings) -> Dataset:
    """The values used for testing single features: as models use them, without values imputed from other rows."""
    if measuring.imputation == "neighbours":
        measuring = measuring.updated({"imputation": "usual"})
    return prepared(dataset, measuring)


def batches_of(dataset: Dataset, measuring: MeasureSettings) -> Codes | None:
    """(n,) batch of each row, -1 if unknown; None if no batches are named."""
    if not measuring.batch or measuring.batch not in dataset.features:
        return None
    return np.nan_to_num(batch_codes(dataset, measuring), nan=-1.0).astype(np.int64)


def feature_tests(dataset: Dataset, batches: Codes | None = None) -> FeatureTests:
    """Test all features of a data set, within (n,) batches if there are any."""
    from scipy.stats import false_discovery_control

    features, numbers = len(dataset.features), dataset.numbers is not None
    found = {name: np.full(features, np.nan) for name in ("estimate", "low", "high")}
    code, p, units = np.full(features, -1, dtype=np.int64), p_values(dataset, batches), _units(dataset)
    lost = _lost_to_batches(dataset, batches)
    for places in _blocks(dataset):
        ranks, known = centred_ranks(dataset.x[:, places])
        if dataset.numbers is not None:
            some = _correlations(ranks, centred_ranks(dataset.numbers[:, None])[0], known, units, float(lost[0]))
        else:
            code[places], *areas = _areas(ranks, known, dataset.target, len(dataset.classes), units, lost)
            some = areas[0], areas[1], areas[2]
        for name, values in zip(found, some, strict=True):
            found[name][places] = values
    q = {method: np.asarray(false_discovery_control(p, method=method)) for method in ("bh", "by")}
    measure: Literal["AUC", "rank correlation"] = "rank correlation" if numbers else "AUC"
    return FeatureTests(measure, **found, code=code, p=p, q=q["bh"], q_any=q["by"])


def p_values(dataset: Dataset, batches: Codes | None = None) -> Floats:
    """(p,) p values of the features, within (n,) batches if there are any; 1 for constant ones."""
    found, units, scores = np.ones(len(dataset.features)), _units(dataset), _scores(dataset)
    for places in _blocks(dataset):
        if batches is None:
            found[places] = _p_values(*centred_ranks(dataset.x[:, places]), scores, units)
        else:
            found[places] = _p_within(dataset.x[:, places], scores, batches, units)
    for place in dataset.categories:
        found[place] = _p_of_category(dataset.x[:, place], scores, units, batches)
    return np.clip(np.nan_to_num(found, nan=1.0), 0.0, 1.0)


def differ(dataset: Dataset, tests: FeatureTests, pairs: Codes) -> NDArray[np.bool_]:
    """(m,) whether the two features of each of (m, 2) pairs differ in association with the target, at 5 %.

    The test of DeLong et al. (Biometrics 44, 1988) for areas on the same rows, and its analogue for correlations; the
    direction of association is ignored. Features that stand out in different classes differ.
    """
    places = np.unique(pairs)
    at = np.searchsorted(places, pairs)
    added, strength = _added(dataset, tests, places)
    found = np.ones(len(pairs), dtype=np.bool_)
    same = np.ones(len(pairs), dtype=np.bool_)
    if len(dataset.classes) > 2:
        same = tests.code[pairs[:, 0]] == tests.code[pairs[:, 1]]
    units = _units(dataset)
    for place in np.flatnonzero(same):
        first, second = at[place]
        apart = added[:, first] - added[:, second]
        sums = apart if units is None else np.bincount(units, weights=apart)
        spread = _quantile() * float(np.sqrt((sums**2).sum()))
        found[place] = not abs(strength[first] - strength[second]) <= spread
    return found


def _added(dataset: Dataset, tests: FeatureTests, places: Codes) -> tuple[Floats, Floats]:
    """(n, m) contribution of each row to the association of each feature with the target, and (m,) its strength."""
    ranks, known = centred_ranks(dataset.x[:, places])
    if dataset.numbers is not None:
        r = np.nan_to_num(tests.estimate[places])
        a, b = _standardised(ranks, centred_ranks(dataset.numbers[:, None])[0], known)
        return np.sign(r) * (a * b - r / 2 * (a * a + b * b)), np.abs(r)
    added = np.zeros_like(ranks)
    for code in np.unique(tests.code[places]):
        some = np.flatnonzero(tests.code[places] == code)
        added[:, some] = _placements(ranks[:, some], known[:, some], dataset.target == code)
    off = np.nan_to_num(tests.estimate[places], nan=0.5) - 0.5
    return np.where(off < 0, -1.0, 1.0) * added, np.abs(off)


def _units(dataset: Dataset) -> Codes | None:
    """(n,) group of each row, 0, 1, ...; None if rows are independent."""
    return None if dataset.groups is None else np.unique(dataset.groups, return_inverse=True)[1].astype(np.int64)


def _by_group(values: Floats, units: Codes) -> Floats:
    """(groups, ...) sums of the (n, ...) values of each existing group."""
    order = np.argsort(units, kind="stable")
    first = np.flatnonzero(np.diff(units[order], prepend=-1))
    return np.asarray(np.add.reduceat(values[order], first, axis=0))


def _blocks(dataset: Dataset) -> Iterator[Codes]:
    """Indices of the numeric features, in chunks."""
    places = np.array([at for at in range(len(dataset.features)) if at not in dataset.categories], dtype=np.int64)
    wide = max(1, _BLOCK // max(1, len(dataset.target)))
    for start in range(0, len(places), wide):
        yield places[start : start + wide]


def centred_ranks(columns: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, m) mean ranks of each column minus their mean, 0 for missing values; and which are known."""
    from scipy.stats import rankdata

    known = ~np.isnan(columns)
    ranks = rankdata(columns, axis=0, nan_policy="omit")
    middle = (known.sum(axis=0) + 1) / 2
    return np.where(known, ranks - middle, 0.0), known


def _scores(dataset: Dataset) -> Floats:
    """(n, k) indicators of the classes, or (n, 1) ranks of the numbers to predict."""
    if dataset.numbers is not None:
        return centred_ranks(dataset.numbers[:, None])[0]
    return np.asarray(dataset.target[:, None] == np.arange(len(dataset.classes)), dtype=np.float64)


def _p_values(ranks: Floats, known: NDArray[np.bool_], scores: Floats, units: Codes | None) -> Floats:
    """(m,) p values of columns of ranks."""
    from scipy.special import chdtrc, fdtrc

    count = np.maximum(known.sum(axis=0), 1)
    means = known.T @ scores / count[:, None]  # (m, k) over the rows in which the feature is known
    sums = ranks.T @ scores  # because ranks sum to 0, the means of the scores have no effect
    squares = (ranks**2).sum(axis=0)
    if units is not None:
        return _p_of_groups(ranks, scores, known, means, units)
    if scores.shape[1] == 1:
        spread = known.T @ scores**2 - count[:, None] * means**2
        share = np.minimum(_ratio(sums[:, 0] ** 2, squares * spread[:, 0]), 1 - 1e-15)
        # As in scipy.stats.spearmanr, which has better tails than the normal distribution.
        p = fdtrc(1, np.maximum(count - 2, 1), share * np.maximum(count - 2, 0) / (1 - share))
        return np.where((share > 0) & (count > 2), p, 1.0)
    sizes = known.T @ scores
    statistic = _ratio(_ratio(sums**2, sizes).sum(axis=1), squares) * (count - 1)
    freedom = (sizes > 0).sum(axis=1) - 1
    return np.where((statistic > 0) & (freedom > 0), chdtrc(np.maximum(freedom, 1), statistic), 1.0)


def _p_of_groups(ranks: Floats, scores: Floats, known: NDArray[np.bool_], means: Floats, units: Codes) -> Floats:
    """(m,) p values if rows are grouped: contributions of groups have the variance observed between them."""
    from scipy.special import chdtrc

    own = scores if scores.shape[1] == 1 else scores[:, 1:]  # the indicators sum to 1
    means = means if scores.shape[1] == 1 else means[:, 1:]
    found = np.ones(ranks.shape[1])
    added = np.stack(
        [_by_group(ranks * (own[:, [at]] - means[:, at] * known), units) for at in range(own.shape[1])], axis=2
    )  # (groups, m, k)
    sums, covariance = added.sum(axis=0), np.einsum("gmi,gmj->mij", added, added)
    scale = np.sqrt(np.maximum(np.einsum("mii->mi", covariance), np.finfo(float).tiny))
    inverse = np.linalg.pinv(covariance / (scale[:, :, None] * scale[:, None, :]), rcond=1e-9, hermitian=True)
    statistic = np.einsum("mi,mij,mj->m", sums / scale, inverse, sums / scale)
    freedom = np.linalg.matrix_rank(covariance, hermitian=True)
    some = (freedom > 0) & (statistic > 0)
    found[some] = chdtrc(freedom[some], statistic[some])
    return found


def _p_within(columns: Floats, scores: Floats, batches: Codes, units: Codes | None) -> Floats:
    """(m,) p values of (n, m) values, aligned by batch and compared within batches only."""
    from scipy.special import chdtrc

    known, several = ~np.isnan(columns), columns.shape[1]
    own = scores if scores.shape[1] == 1 else scores[:, 1:]  # the indicators sum to 1
    parts = [np.flatnonzero(batches == batch) for batch in np.unique(batches)]
    ranks = centred_ranks(_without_means(columns, known, parts))[0]
    ranks = np.where(known, _without_means(ranks, known, parts), 0.0)
    left = (
        np.stack(
            [_without_means(np.where(known, own[:, [at]], 0.0), known, parts) for at in range(own.shape[1])], axis=2
        )
        * known[:, :, None]
    )  # (n, m, k)
    added = ranks[:, :, None] * left
    sums, covariance = added.sum(axis=0), np.zeros((several, own.shape[1], own.shape[1]))
    if units is None:
        for rows in parts:
            squares = (ranks[rows] ** 2).sum(axis=0) / np.maximum(known[rows].sum(axis=0) - 1, 1)
            covariance += squares[:, None, None] * np.einsum("nmi,nmj->mij", left[rows], left[rows])
    else:
        grouped = _by_group(added, units)
        covariance = np.einsum("gmi,gmj->mij", grouped, grouped)
    scale = np.sqrt(np.maximum(np.einsum("mii->mi", covariance), np.finfo(float).tiny))
    inverse = np.linalg.pinv(covariance / (scale[:, :, None] * scale[:, None, :]), rcond=1e-9, hermitian=True)
    statistic = np.einsum("mi,mij,mj->m", sums / scale, inverse, sums / scale)
    freedom = np.linalg.matrix_rank(covariance, hermitian=True)
    found, some = np.ones(several), (freedom > 0) & (statistic > 0)
    found[some] = chdtrc(freedom[some], statistic[some])
    return found


def _without_means(values: Floats, known: NDArray[np.bool_], parts: Sequence[Codes]) -> Floats:
    """(n, m) values minus the mean of the known ones of their part."""
    made = values.copy()
    for rows in parts:
        there = known[rows]
        total = np.where(there, values[rows], 0.0).sum(axis=0)
        made[rows] -= total / np.maximum(there.sum(axis=0), 1)
    return made


def _lost_to_batches(dataset: Dataset, batches: Codes | None) -> Floats:
    """(k,) variance of each score of the target relative to that within batches: at least 1."""
    scores = _scores(dataset)
    if batches is None:
        return np.ones(scores.shape[1])
    parts = [np.flatnonzero(batches == batch) for batch in np.unique(batches)]
    every = np.ones(scores.shape, dtype=np.bool_)
    within = (_without_means(scores, every, parts) ** 2).sum(axis=0)
    whole = ((scores - scores.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray(np.maximum(1.0, whole / np.maximum(within, 1e-9 * np.maximum(whole, 1.0))))


def _p_of_category(column: Floats, scores: Floats, units: Codes | None, batches: Codes | None = None) -> float:
    """The p value of a category."""
    from scipy.special import chdtrc

    known = ~np.isnan(column)
    if not known.any():
        return 1.0
    levels = np.unique(column[known], return_inverse=True)[1]
    own = np.asarray(levels[:, None] == np.arange(levels.max() + 1), dtype=np.float64)[:, 1:]
    there = scores[known] if scores.shape[1] == 1 else scores[known][:, 1:]
    strata = np.zeros(len(own), dtype=np.int64) if batches is None else batches[known]
    parts = [np.flatnonzero(strata == batch) for batch in np.unique(strata)]
    own, there = (_without_means(each, np.ones(each.shape, dtype=np.bool_), parts) for each in (own, there))
    added = np.einsum("ni,nj->nij", own, there).reshape(len(own), -1)
    if units is None:
        covariance = np.sum(
            [np.kron(own[rows].T @ own[rows], there[rows].T @ there[rows]) / max(1, len(rows) - 1) for rows in parts],
            axis=0,
        )
    else:
        blocks = _by_group(added, units[known])
        covariance = blocks.T @ blocks
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True)) if covariance.size else 0
    if not freedom:
        return 1.0
    sums = added.sum(axis=0)
    return float(chdtrc(freedom, sums @ np.linalg.pinv(covariance, rcond=1e-9, hermitian=True) @ sums))


def _ratio(above: Floats, below: Floats) -> Floats:
    """Elementwise ratio; 0 if the denominator is 0."""
    return np.divide(above, below, out=np.zeros_like(above, dtype=np.float64), where=below > 0)


def _correlations(
    ranks: Floats, others: Floats, known: NDArray[np.bool_], units: Codes | None, lost: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """(m,) Spearman correlations with (n, 1) centered ranks, and their intervals."""
    count = known.sum(axis=0)
    a, b = _standardised(ranks, others, known)
    varies = (np.ptp(ranks, axis=0) > 0) & (np.ptp(np.where(known, others, 0.0), axis=0) > 0) & (count > 3)
    r = np.where(varies, (a * b).sum(axis=0), np.nan)
    effect = lost * _design_effect(a * b - np.nan_to_num(r) / 2 * (a * a + b * b), units)
    error = np.sqrt(effect * (1 + np.nan_to_num(r) ** 2 / 2) / np.maximum(count - 3, 1))
    middle = np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12))
    return r, np.tanh(middle - _quantile() * error), np.tanh(middle + _quantile() * error)


def _standardised(ranks: Floats, others: Floats, known: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """(n, m) ranks, and (n, 1) others where these are known, with mean 0 and length 1; 0 if they do not vary."""
    there = np.where(known, others, 0.0)
    there = np.where(known, there - there.sum(axis=0) / np.maximum(known.sum(axis=0), 1), 0.0)
    lengths = [np.sqrt((each**2).sum(axis=0)) for each in (ranks, there)]
    first, second = (
        _ratio(each, np.broadcast_to(size, each.shape)) for each, size in zip((ranks, there), lengths, strict=True)
    )
    return first, second


def _areas(
    ranks: Floats, known: NDArray[np.bool_], target: Codes, classes: int, units: Codes | None, lost: Floats
) -> tuple[Codes, Floats, Floats, Floats]:
    """(m,) the class that stands out, its one-vs-rest area under the curve, and the interval of the area."""
    indicators = np.asarray(target[:, None] == np.arange(classes), dtype=np.float64)
    sizes = known.T @ indicators  # (m, classes)
    others = known.sum(axis=0)[:, None] - sizes
    area = 0.5 + _ratio(ranks.T @ indicators, sizes * others)
    area = np.where((sizes > 0) & (others > 0), area, 0.5)
    off = area - 0.5 if classes == 2 else np.abs(area - 0.5)
    code = off.argmax(axis=1)
    every = np.arange(len(code))
    estimate, own, rest = area[every, code], sizes[every, code], others[every, code]
    effect = np.ones(len(code))
    if units is not None:
        for each in np.unique(code):
            some = np.flatnonzero(code == each)
            effect[some] = _design_effect(_placements(ranks[:, some], known[:, some], target == each), units)
    effect *= lost[code]
    level = 1 - (1 - _LEVEL) / (1 if classes == 2 else classes)
    low, high = _newcombe(estimate, own / effect, rest / effect, _quantile(level))
    varies = (np.ptp(ranks, axis=0) > 0) & (own > 0) & (rest > 0)
    return code, *(np.where(varies, each, np.nan) for each in (estimate, low, high))


def _placements(ranks: Floats, known: NDArray[np.bool_], inside: NDArray[np.bool_]) -> Floats:
    """(n, m) contribution of each row to the area of the rows ``inside``, minus the mean of its class."""
    made = np.zeros_like(ranks)
    for rows in (inside, ~inside):
        of_all, there = ranks[rows], known[rows]
        other = of_all - centred_ranks(np.where(there, of_all, np.nan))[0]  # number of others it exceeds, centered
        count = np.maximum(there.sum(axis=0), 1)
        made[rows] = np.where(there, other - other.sum(axis=0) / count, 0.0)
    made[~inside] *= -1.0
    return np.asarray(made / np.maximum(known[inside].sum(axis=0) * known[~inside].sum(axis=0), 1))


def _design_effect(added: Floats, units: Codes | None) -> Floats:
    """(m,) inflation of the variance of the sum of (n, m) parts due to grouping of rows; at least 1."""
    if units is None:
        return np.ones(added.shape[1])
    sums = _by_group(added, units)
    groups = len(sums)
    grown = _ratio((sums**2).sum(axis=0) * groups / max(1, groups - 1), (added**2).sum(axis=0))
    return np.maximum(grown, 1.0)


def _newcombe(area: Floats, own: Floats, rest: Floats, quantile: float) -> tuple[Floats, Floats]:
    """The areas that differ from (m,) estimates by a given number of standard errors; ``own``, ``rest`` count rows."""
    half = np.maximum((own + rest) / 2 - 1, 0)

    def is_inside(other: Floats) -> NDArray[np.bool_]:
        spread = 1 + half * (1 - other) / (2 - other) + half * other / (1 + other)
        variance = other * (1 - other) * spread / np.maximum(own * rest, 1e-12)
        return np.asarray(np.abs(other - area) <= quantile * np.sqrt(variance))

    ends = []
    for end in (0.0, 1.0):
        inner, outer = area.copy(), np.full_like(area, end)
        for _ in range(_HALVINGS):
            middle = (inner + outer) / 2
            inside = is_inside(middle)
            inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
        ends.append(inner)
    return ends[0], ends[1]


def _quantile(level: float = _LEVEL) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))
