"""Neighbours by every distance on tables that nobody would make on purpose, against the definition in long doubles."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS
from tests.oracles.odd import ODD, VALUES, Odd, tables

KINDS = [*VALUES, "apart", "tied", "tied", 2, 2, 3, 5]
MODERATE = [kind for kind in KINDS if kind not in ("tiny", "huge")]
SAME = 1e-9  # distances that differ by a smaller share may have either order, unless all values are equal


def filled(column, kind, train):
    """Gaps filled from the training rows: median, or most frequent category (lowest code on ties); 0 without any."""
    present = column[train][~np.isnan(column[train])]
    if not len(present):
        fill = 0.0 if not isinstance(kind, int) else np.nan  # no category: all indicators are 0
    elif isinstance(kind, int):
        fill = float(np.bincount(present.astype(int)).argmax())
    else:
        fill = np.median(present)
    return np.where(np.isnan(column), fill, column)


def prepared(table, train, scaling, scaler, *, leaves_out):
    """(n, columns) long doubles as the rows ``train`` say: filled, categories as indicators, scaled."""
    learned = np.arange(len(table.x)) if scaling == "once" else train
    parts = []
    values = table.x if scaling == "none" else table.x.astype(np.longdouble)  # medians are rounded as values are
    for column, kind in zip(values.T, table.kinds, strict=True):
        if leaves_out and says_nothing(column) and not isinstance(kind, int):
            continue
        own = filled(column, kind, learned)
        codes = range(kind if kind > 2 else 1, kind) if isinstance(kind, int) else ()
        codes = range(kind) if isinstance(kind, int) and kind > 2 else codes
        parts += [(own == code) * 1.0 for code in codes] if isinstance(kind, int) else [own]
    x = np.column_stack([np.zeros(len(values)), *parts]).astype(np.longdouble)
    return x if scaling == "none" else scaled(x, x[learned], scaler)


def says_nothing(column):
    """Whether all known values are one; training rows that lack it are not filled for Euclid's distance."""
    known = column[~np.isnan(column)]
    return not len(known) or known.min() == known.max()


def units(x):
    """What a spread of 0 counts as: 1; a power of two of a column's size where squares of these have no double."""
    size = np.abs(x).max(axis=0)
    spread = (x.max(axis=0) - x.min(axis=0)) / 2
    return np.where((size > 1e140) | ((spread > 0) & (spread < 1e-140)), np.exp2(np.frexp(size)[1]), 1)


def scaled(x, rows, scaler):
    """Less the centre of ``rows`` and over their spread; see :func:`units`."""
    size, low = units(x), rows.min(axis=0)
    x, rows = x - low, rows - low  # a mean of numbers beyond 2^53 would be rounded
    high = rows.max(axis=0)
    if scaler == "z-score":
        centre, spread = np.where(high == 0, 0, rows.mean(axis=0)), rows.std(axis=0)
    elif scaler == "min-max":
        centre, spread = 0, high
    else:
        first, centre, third = np.quantile(rows, [0.25, 0.5, 0.75], axis=0)
        spread = third - first
    return (x - centre) / np.where((high == 0) | (spread == 0), size, spread)


def distances(x, row, distance):
    """From one row to all."""
    if distance == "cosine":
        length = np.sqrt(np.square(x).sum(axis=1))
        unit = x / np.where(length > 0, length, 1)[:, None]
        return 1 - unit @ unit[row]
    far = x - x[row]
    return np.abs(far).sum(axis=1) if distance == "manhattan" else np.sqrt(np.square(far).sum(axis=1))


def voters(x, row, train, options):
    """The k nearest training rows and their votes; None where rounding decides."""
    far, k = distances(x, row, options["distance"])[train], options["k"]
    order = np.argsort(far, kind="stable")
    near, size = far[order], SAME if options["distance"] == "cosine" else SAME * far.max(initial=0)
    if len(near) > k:
        unsure = train[order[np.abs(near - near[k]) <= size]]
        if near[k] - near[k - 1] <= size and (x[unsure] != x[unsure[0]]).any():
            return None
    rows, near = train[order[:k]], near[:k]
    if options["weights"] == "uniform":
        return rows, np.ones(len(rows))
    if ((near > 0) & (near <= 1e-6 * max(1, far.max(initial=0)))).any():
        return None
    if options["distance"] == "cosine" and (near == 0).any():  # of equal rows that is 0 but for rounding
        return None
    return rows, (near == 0) * 1.0 if (near == 0).any() else 1 / near.astype(float)


def settled(table, scaling, scaler, options):
    """Repeat, row, training rows, and the neighbours with their votes wherever rounding does not settle them."""
    for repeat, train, test in table.fits():
        x = prepared(table, train, scaling, scaler, leaves_out=options["distance"] == "euclidean")
        for row in test:
            found = voters(x, row, train, options)
            if found is not None:
                yield repeat, row, train, *found


OPTIONS = st.fixed_dictionaries(
    {
        "k": st.sampled_from([1, 1, 2, 5, 50]),
        "distance": st.sampled_from(["euclidean", "euclidean", "manhattan", "cosine"]),
        "weights": st.sampled_from(["uniform", "distance"]),
    }
)
GAPS = (0.0, 0.0, 0.0, 0.2, 1.0)


def sorts(scalings, kinds):
    """Tables of some kinds of columns, few and many, with a scaling that suits them."""
    return st.tuples(
        st.one_of(tables(kinds, gaps=GAPS), tables(kinds, gaps=GAPS, columns=40), tables(kinds, columns=40)),
        st.sampled_from(scalings),
        st.sampled_from(["z-score", "min-max", "robust"]),
    )


SORTS = st.one_of(sorts(["fold", "fold", "once"], KINDS), sorts(["none"], MODERATE))


def bound(table, scaling, scaler, response=None, **values):
    return WRAPPERS["nn"].build(values).bind(design_of(table.dataset(response), scaling, scaler))


def check_votes(table, scaling, scaler, options, *, balanced=False):
    """Scores and classes are as the definition says wherever rounding does not decide."""
    predictor = bound(table, scaling, scaler, **options, class_weights="balanced" if balanced else "none")
    every = np.ones(table.x.shape[1], dtype=bool)
    scores, predicted = predictor.scores(every, table.labels), predictor.predict(every, table.labels)
    for repeat, row, train, rows, votes in settled(table, scaling, scaler, options):
        sums = np.bincount(table.target[rows], votes, minlength=table.classes)
        if balanced:
            sums /= np.maximum(1, np.bincount(table.target[train], minlength=table.classes))
        shares = sums / sums.sum()
        np.testing.assert_allclose(scores[repeat, row], shares, atol=1e-6)
        assert shares[predicted[repeat, row]] > shares.max() - 1e-6
        if options["weights"] == "uniform":
            assert predicted[repeat, row] == (shares > shares.max() - 1e-9).argmax()


def test_odd_columns_in_which_few_training_rows_know_a_value():
    """Two tables that Hypothesis found: a constant no training row knows, and tiny values with a spread of 0."""
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=(8, 3)), [0.1, np.nan, np.nan, 0.1, 0.1, 0.1, np.nan, 0.1]])
    labels = np.array([[0, 1, 1, 0, 0, 0, 1, 0], [0, 0, 1, 1, 2, 2, 2, 0]])
    constant = Odd(x=x, target=np.arange(8) % 2, classes=2, labels=labels, kinds=["apart"] * 3 + ["constant"])
    check_votes(constant, "none", "z-score", {"k": 2, "distance": "euclidean", "weights": "distance"})
    x = x.copy()
    x[:, 3] = np.array([4.9, np.nan, np.nan, -6.3, -3.8, -12.8, 6.3, np.nan]) * 1e-301
    tiny = Odd(x=x, target=np.arange(8) % 2, classes=2, labels=labels, kinds=["apart"] * 3 + ["tiny"])
    check_votes(tiny, "fold", "robust", {"k": 1, "distance": "euclidean", "weights": "uniform"})


@ODD
@given(sort=SORTS, options=OPTIONS, balanced=st.booleans())
def test_votes_are_those_of_the_nearest_rows(sort, options, balanced):
    check_votes(*sort, options, balanced=balanced)


@ODD
@given(sort=SORTS, options=OPTIONS)
def test_numbers_are_the_mean_of_the_nearest_rows(sort, options):
    table, scaling, scaler = sort
    response = table.target + np.random.default_rng(len(table.x)).normal(size=len(table.x))
    predictor = bound(table, scaling, scaler, response, **options)
    values = predictor.values(np.ones(table.x.shape[1], dtype=bool), table.labels)
    for repeat, row, _, rows, votes in settled(table, scaling, scaler, options):
        np.testing.assert_allclose(values[repeat, row], np.average(response[rows], weights=votes), atol=1e-5)
