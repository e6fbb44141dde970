"""Signs of optimistic held-out errors: leaked targets, duplicate rows, several rows per patient."""

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.checks import FeatureView
from fsdesk.data.dataset import Check
from fsdesk.messages import Message, message, message_many, quoted

_FEWEST = 10  # rows; below this, all of this happens by chance
_BY_LUCK = 1e-3  # number of such columns expected in a table without any leak
_FIRST = 256  # rows sufficient to rule out nearly every column
_AT_ONCE = 4096  # columns, whose sorted rows need little memory compared with the table
PERSON_NAME = re.compile(
    r"(.*[ _.-])?(patient|subject|participant|donor|individual|person|proband|animal|family|household|familie|haushalt"
    r"|tier|patienten|probanden?|paciente|paziente|soggetto|sujet|sujeto)s?"
    r"([ _.-]?(id|nr|no|number|code|name|nummer))?",
    re.IGNORECASE,
)
"""Column names that indicate to whom a row belongs."""
_FEWEST_GROUPS = 10
_FAR_FROM_LUCK = 4.0  # standard deviations
_DENSE = 100  # at least one in this many numbers between the first and the last ID belongs to a row
_MOST_ROWS_EACH = 5


def leak_checks(
    view: FeatureView,
    codes: NDArray[np.int64],
    response: NDArray[np.float64] | None,
    group_of: NDArray[np.int64] | None,
) -> list[Check]:
    """Find causes of an optimistic held-out error.

    Parameters
    ----------
    view
        The features.
    codes, response, group_of
        (n,) classes, numbers to predict or None, groups of rows or None.
    """
    if len(codes) < _FEWEST:
        return []
    checks = []
    original = originals(view)
    copies = original != np.arange(len(codes))
    once = np.flatnonzero(~copies)
    single = view if len(once) == len(codes) else FeatureView(view.values[once], view.names, view.categories)
    columns = target_columns(single, codes[once], None if response is None else response[once])
    groups = None if group_of is not None else grouping_column(view)
    names = tuple(view.names[j] for j in columns if j != groups)
    if names:
        sentence = _determining(names) if response is None else _moving_with(names)
        checks.append(Check("target among features", sentence, names))
    known = () if response is not None else _known_in_one_class(view, codes)
    known = tuple(name for name in known if name not in names)
    if known:
        checks.append(Check("target among features", _of_one_class(known), known))
    names = (*names, *known)
    rising = tuple(view.names[j] for j in ordering_columns(view) if view.names[j] not in names)
    if rising:
        checks.append(Check("ordering columns", _rising(rising), rising))
    numbers = () if response is not None else tuple(view.names[j] for j in _likely_ids(view, codes))
    numbers = tuple(name for name in numbers if name not in (*names, *rising))
    if numbers:
        checks.append(Check("possible ids", _like_ids(numbers), numbers))
    split = int((copies if group_of is None else group_of != group_of[original]).sum())
    if split:
        checks.append(Check("copied rows", _copied(split)))
    if groups is not None:
        sentence = message(
            'Column "{name}" has {values:,} values in {rows:,} rows. If rows with the same value belong together, '
            "such as those of one patient, use it to group rows; splitting them between training and test sets makes "
            "errors too optimistic.",
            name=view.names[groups],
            values=_distinct(view.values[:, groups]),
            rows=len(codes),
        )
        checks.append(Check("possible groups", sentence, (view.names[groups],)))
    return checks


def _determining(names: Sequence[str]) -> Message:
    return message_many(
        len(names),
        "{count} column determines the class of every row: {names}. Exclude it if it is the target under another "
        "name or is known only after the class; otherwise errors will be far too optimistic.",
        "{count} columns each determine the class of every row: {names}. Exclude those that are the target under "
        "another name or are known only after the class; otherwise errors will be far too optimistic.",
        names=quoted(names),
    )


def _moving_with(names: Sequence[str]) -> Message:
    return message_many(
        len(names),
        "{count} column rises or falls with the target in every row: {names}. Exclude it if it is the target in "
        "another unit or is known only after the target; otherwise errors will be far too optimistic.",
        "{count} columns rise or fall with the target in every row: {names}. Exclude those that are the target "
        "in another unit or are known only after the target; otherwise errors will be far too optimistic.",
        names=quoted(names),
    )


def _of_one_class(names: Sequence[str]) -> Message:
    return message_many(
        len(names),
        "{count} column has values in rows of one class only: {names}. Exclude it if it is known only after the "
        "class; otherwise errors will be far too optimistic.",
        "{count} columns have values in rows of one class only: {names}. Exclude those that are known only after "
        "the class; otherwise errors will be far too optimistic.",
        names=quoted(names),
    )


def _rising(names: Sequence[str]) -> Message:
    return message_many(
        len(names),
        "{count} column rises or falls steadily from row to row: {names}. Exclude it if it only numbers the "
        "rows: if the rows are sorted, it gives away the target.",
        "{count} columns rise or fall steadily from row to row: {names}. Exclude those that only number the "
        "rows: if the rows are sorted, they give away the target.",
        names=quoted(names),
    )


def _like_ids(names: Sequence[str]) -> Message:
    return message_many(
        len(names),
        "{count} column has a different whole number in every row, and its order gives away the class: {names}. "
        "Exclude it if it is an ID, for example one assigned class by class.",
        "{count} columns have a different whole number in every row, and their order gives away the class: "
        "{names}. Exclude those that are IDs, for example ones assigned class by class.",
        names=quoted(names),
    )


def _copied(count: int) -> Message:
    return message_many(
        count,
        "{count} row has the same features as an earlier one: errors will be too optimistic if one of the two is "
        "held out and the other is not. Delete one of them from the file, or name a column that puts both in the "
        "same group.",
        "{count} rows have the same features as an earlier one: errors will be too optimistic if one of two is "
        "held out and the other is not. Keep one of each in the file, or name a column that puts both in the "
        "same group.",
    )


BATCH_NAME = re.compile(
    r"(.*[ _.-])?(batch|plate|run|chip|slide|lane|flow ?cell|array|scanner|instrument|device|machine|operator|site"
    r"|centre|center|hospital|clinic|lab|laboratory|institution|cohort|study|charge|platte|geraet|gerät|zentrum|klinik|labor"
    r"|kohorte|studie)([ _.-]?(id|nr|no|number|code|name|nummer|barcode))?",
    re.IGNORECASE,
)
"""Column names that indicate where, when or with what a row was measured."""
TECHNICAL_NAME = re.compile(
    r"(.*[ _.-])?(batch|plate|chip|lane|flow ?cell|scanner|platte)"
    r"([ _.-]?(id|nr|no|number|code|name|nummer|barcode))?",
    re.IGNORECASE,
)
"""Column names that can only mean how a row was measured."""
_MOST_BATCHES = 0.34  # as a fraction of the rows
_UNEVEN, _CLEARLY = 0.5, 1e-3  # Cramér's V, and p value, from which batches may be confounded with classes


def batch_checks(
    columns: Sequence[tuple[str, NDArray[np.float64]]], codes: NDArray[np.int64], chosen: str | None = None
) -> list[Check]:
    """Report whether classes can be predicted from batches, such as plates or hospitals.

    Parameters
    ----------
    columns
        Names and (n,) values of all columns except the target, features or not.
    codes
        (n,) classes.
    chosen
        Name of the column of folds, which is treated as batches.
    """
    same, uneven = list[str](), list[tuple[str, float]]()
    for name, values in columns:
        if name != chosen and not BATCH_NAME.fullmatch(name.strip()):
            continue
        known = ~np.isnan(values)
        batches = np.unique(values[known], return_inverse=True)[1]
        if not 2 <= batches.max(initial=0) + 1 <= _MOST_BATCHES * len(codes) or len(np.unique(codes[known])) < 2:
            continue
        strength, p = _cramer(batches, codes[known])
        sizes = _pure(values[known], codes[known])
        if sizes is not None and min(sizes) > 1:
            same.append(name)
        elif strength >= _UNEVEN and p < _CLEARLY:
            uneven.append((name, strength))
    checks = []
    if same:
        sentence = message_many(
            len(same),
            "{count} batch column is confounded with the class: in {names}, all rows of a batch have the same class. "
            "Whatever predicts the batch then predicts the class, and no analysis can separate the two without "
            "batches that contain several classes.",
            "{count} batch columns are confounded with the class: in {names}, all rows of a batch have the same "
            "class. Whatever predicts the batch then predicts the class, and no analysis can separate the two "
            "without batches that contain several classes.",
            names=quoted(same),
        )
        checks.append(Check("batches are classes", sentence, tuple(same)))
    for name, strength in uneven:
        sentence = message(
            "Classes are unevenly distributed over the batches of \"{name}\" (Cramér's V {strength:.2f}), so "
            "predicting the batch partly predicts the class. Use the column as folds, so that each batch is "
            "predicted by models trained on the others.",
            name=name, strength=strength,
        )  # fmt: skip
        checks.append(Check("uneven batches", sentence, (name,)))
    return checks


def batch_feature_checks(view: FeatureView, known: Sequence[Check]) -> list[Check]:
    """Report features whose names indicate batches of measurement, unless ``known`` checks already name them."""
    named = {name for check in known for name in check.columns}
    names = tuple(
        name
        for place, name in enumerate(view.names)
        if TECHNICAL_NAME.fullmatch(name.strip())
        and name not in named
        and 2
        <= len(np.unique(view.values[~np.isnan(view.values[:, place]), place]))
        <= _MOST_BATCHES * len(view.values)
    )
    if not names:
        return []
    sentence = message_many(
        len(names),
        "{count} feature indicates batches of measurement by its name: {names}. A model that uses it cannot predict "
        "samples of other batches. Exclude it, use it as folds, or center the batches.",
        "{count} features indicate batches of measurement by their names: {names}. A model that uses them cannot "
        "predict samples of other batches. Exclude them, use one as folds, or center the batches.",
        names=quoted(names),
    )
    return [Check("batches as features", sentence, names)]


def _cramer(batches: NDArray[np.int64], codes: NDArray[np.int64]) -> tuple[float, float]:
    """Cramér's V of two codings, and the p value of the chi-squared test of independence."""
    from scipy.special import chdtrc

    counts = np.zeros((int(batches.max()) + 1, int(codes.max()) + 1))
    np.add.at(counts, (batches, codes), 1.0)
    counts = counts[:, counts.sum(axis=0) > 0]
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    square = float((np.square(counts - expected) / expected).sum())
    least = min(counts.shape) - 1
    if least < 1:
        return 0.0, 1.0
    degrees = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return math.sqrt(square / counts.sum() / least), float(chdtrc(degrees, square))


def target_columns(
    view: FeatureView, codes: NDArray[np.int64], response: NDArray[np.float64] | None = None
) -> list[int]:
    """Columns that reveal the target and would hardly do so by chance in a table of this size.

    For classes, these are columns in which all rows with one value have the same class; a missing value counts as a
    value. For numbers, they are columns that rise, or fall, whenever the target rises.
    """
    if response is not None:
        order = np.unique(response, return_index=True)[1]
        return _monotonic(view, order)
    shares = np.bincount(codes) / len(codes)
    most = math.log(_BY_LUCK / len(view.names))
    found = []
    for begin in range(0, len(view.names), _AT_ONCE):
        likely = _likely(view.values[:_FIRST, begin : begin + _AT_ONCE], codes[:_FIRST], shares, most)
        found += [
            j
            for j in (likely + begin).tolist()
            if (sizes := _pure(view.values[:, j], codes)) is not None
            and sum(math.log(float((shares**size).sum())) for size in sizes) < most
        ]
    return found


def _known_in_one_class(view: FeatureView, codes: NDArray[np.int64]) -> tuple[str, ...]:
    """Names of columns with values in one class only, such as the date of death, if hardly by chance."""
    rows, present = len(codes), ~np.isnan(view.values)
    counts = present.sum(axis=0)
    found = []
    for j in np.flatnonzero((counts >= _FEWEST) & (counts < rows)):
        classes = codes[present[:, j]]
        if (classes != classes[0]).any():
            continue
        own = int((codes == classes[0]).sum())
        luck = math.lgamma(own + 1) - math.lgamma(own - counts[j] + 1) - math.lgamma(rows + 1)
        luck += math.lgamma(rows - counts[j] + 1)  # log probability that this many random rows are of this class
        if math.log(len(view.names)) + luck < math.log(_BY_LUCK):
            found.append(view.names[j])
    return tuple(found)


def _likely(
    values: NDArray[np.float64], codes: NDArray[np.int64], shares: NDArray[np.float64], most: float
) -> NDArray[np.intp]:
    """Columns in which rows of one value have the same class, with too many ties for this to be chance."""
    order = np.argsort(values, axis=0)
    values, classes = np.take_along_axis(values, order, axis=0), codes[order]
    missing = np.isnan(values)
    tied = (np.diff(values, axis=0) == 0) | (missing[1:] & missing[:-1])
    pure = ~(tied & (np.diff(classes, axis=0) != 0)).any(axis=0)
    return np.flatnonzero(pure & (tied.sum(axis=0) * math.log(float((shares**2).sum())) < most))


def _pure(values: NDArray[np.float64], codes: NDArray[np.int64]) -> list[int] | None:
    """Number of rows with each value, if all rows with the same value are of one class; otherwise None."""
    of_row, sizes = np.unique(values, return_inverse=True, return_counts=True)[1:]
    low, high = np.full(len(sizes), codes.max()), np.zeros(len(sizes), dtype=np.int64)
    np.minimum.at(low, of_row, codes)
    np.maximum.at(high, of_row, codes)
    return sizes.tolist() if len(sizes) > 1 and (low == high).all() else None


def _likely_ids(view: FeatureView, codes: NDArray[np.int64]) -> list[int]:
    """Columns of unique, nearly consecutive integers along which the classes change far less often than by chance.

    The number of changes is that of the runs test (Wald and Wolfowitz, Annals of Mathematical Statistics 11, 1940),
    treated as binomial.
    """
    rows = len(codes)
    if rows < 2 * _FEWEST:
        return []
    values = view.values
    head = values[:_FIRST]
    whole = np.flatnonzero((head == np.floor(head)).all(axis=0))
    shares = np.bincount(codes) / rows
    same = float((shares**2).sum())  # probability that neighbors are of one class
    most = (rows - 1) * (1 - same) - _FAR_FROM_LUCK * math.sqrt((rows - 1) * same * (1 - same))
    found = []
    for j in map(int, whole):
        column = values[:, j]
        if j in view.categories or not np.isfinite(column).all() or (column != np.floor(column)).any():
            continue
        order = np.argsort(column)
        ordered = column[order]
        dense = ordered[-1] - ordered[0] <= _DENSE * rows
        if dense and (np.diff(ordered) > 0).all() and int((np.diff(codes[order]) != 0).sum()) < most:
            found.append(j)
    return found


def ordering_columns(view: FeatureView) -> list[int]:
    """Numeric columns that rise, or fall, from each row to the next."""
    return _monotonic(view, np.arange(len(view.values)))


def _monotonic(view: FeatureView, order: NDArray[np.intp]) -> list[int]:
    """Numeric columns that strictly rise or fall over the rows in this order, if there are enough rows."""
    if len(order) < _FEWEST:
        return []
    steps = np.diff(view.values[order[:_FEWEST]], axis=0)
    found = []
    for j in map(int, np.flatnonzero((steps > 0).all(axis=0) | (steps < 0).all(axis=0))):
        step = np.diff(view.values[order, j])
        if j not in view.categories and bool((step > 0).all() or (step < 0).all()):
            found.append(j)
    return found


def originals(view: FeatureView) -> NDArray[np.intp]:
    """(n,) the first row with the same features; the row itself if rows are equal by chance, as with few columns."""
    every = np.arange(len(view.values))
    rows, same = every, np.zeros(len(every), dtype=np.intp)
    for column in view.values.T:
        value = np.unique(column[rows], return_inverse=True)[1]
        _, same, sizes = np.unique(same * (value.max() + 1) + value, return_inverse=True, return_counts=True)
        several = sizes[same] > 1
        rows, same = rows[several], same[several]
        if not len(rows):
            return every
    first, set_of, sizes = np.unique(same, return_index=True, return_inverse=True, return_counts=True)[1:]
    distinct = len(every) - (len(rows) - len(first))
    equal = float((sizes * (sizes - 1) / 2).sum())
    if _equal_by_luck(view, 0.1 * equal) or not any(2 * _distinct(column) > distinct for column in view.values.T):
        return every
    original = every.copy()
    original[rows] = rows[first][set_of]
    return original


def _equal_by_luck(view: FeatureView, pairs: float) -> bool:
    """Whether more pairs of rows than this would be equal if the columns were independent."""
    expected = len(view.values) * (len(view.values) - 1) / 2
    for column in view.values.T:
        shares = np.unique(column, return_counts=True)[1] / len(column)
        expected *= float((shares**2).sum())
        if expected <= pairs:
            return False
    return True


def grouping_column(view: FeatureView) -> int | None:
    """The column that may group rows: one named patient or the like, else one of text with few rows for each value."""
    candidates: Sequence[int] = [
        j for j, name in enumerate(view.names) if j in view.categories or PERSON_NAME.fullmatch(name.strip())
    ]
    rows = len(view.values)
    likely = []
    for j in candidates:
        named, distinct = bool(PERSON_NAME.fullmatch(view.names[j].strip())), _distinct(view.values[:, j])
        few = distinct >= _FEWEST_GROUPS and distinct * _MOST_ROWS_EACH >= rows
        if distinct < rows and (few or (named and distinct >= _FEWEST_GROUPS)):
            likely.append((not named, j))
    return min(likely)[1] if likely else None


def _distinct(column: NDArray[np.float64]) -> int:
    """Number of distinct values, ignoring missing ones."""
    return len(np.unique(column[~np.isnan(column)]))
