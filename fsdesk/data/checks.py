"""Checks of a table: unusual columns, and the precision with which its rows allow an error to be estimated."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check
from fsdesk.messages import message, quoted

_COUNT_NAME = re.compile(r"(.*[ _.-])?(nr|no|number|index|idx|row|rownames?|unnamed: 0|key)\.?", re.IGNORECASE)
_ID_NAME = re.compile(
    r"(.*[ _.-])?(id|ID|Id|ids|IDs)|.*[a-z](Id|ID)|.*(patient|stay|visit|encounter|admission|sample|subject|record)id"
)
_NUMBERED = (
    r"pat(ient)?(en)?|subj(ect)?|case|record|visit|sample|specimen|participant|accession|proband(en)?|proben?|fall|tier|"
    r"versuchs(person|tier|objekt)(en)?|maus|mouse|rat(te)?|animal|stud(y|ien)|personal|person|kunden|customer|client|"
    r"member|order|auftrags?|serial|serien|isolate?|tube|röhrchen|bogen|fragebogen|lab(or)?|blut|respondent|employee"
)
_ID_WORD = re.compile(
    rf"({_NUMBERED})[ _.-]*(no|nr|num|number|nummer|code|kennung|kürzel|#|№|n°)\.?|"
    r"((.*[_.])?eid|versuchsperson|vpn?|proband|patient|participant|respondent|kennung|kenn(nummer|zahl)|aktenzeichen|"
    r"mrn|iid|fid|rid|seqn|pat(ient)?[ _.-]?(no|nr|num|number|code)|subj(ect)?[ _.-]?(no|nr|num|number|code)?"
    r"|u?subjid|(case|record|visit|sample|specimen|participant|proband|accession)[ _.-]?(no|nr|num|number|code)|ptno"
    r"|nhs|nhs[ _.-]?(no|nr|number)|ssn|cpr|nhc|dossier|n[°ºo]?[ _.]?(dossier|patient|historia)|chart([ _.-]?(no|nr))?"
    r"|num[ée]ro.*|matricule|matricola|c[óo]digo|codice|account([ _.-]?(no|nr))?|lfd?[ _.]?(nr)?\.?"
    r"|pseudonym(e|s)?|(study|person|patient|subject|record|sample)[ _.-]?key|hash"
    r"|patno|ptid|patid|pid|barcode|bar[ _.-]code|proband(en)?(nummer|nr)|fall(nummer|nr)|patienten(nummer|nr))",
    re.IGNORECASE,
)
_EXACT = 2.0**53  # integers up to here are exact in floating point
_FEWEST_COUNTED = 10  # 1, 2, 3 may be a dose; 1 to 10 in row order is a count
_DISTINCT_SHARE = 0.9


@dataclass(frozen=True)
class FeatureView:
    """(n, p) column-major values with names, and the categories of nominal columns by position."""

    values: NDArray[np.float64]
    names: tuple[str, ...]
    categories: Mapping[int, tuple[str, ...]]


def missing_counts(view: FeatureView) -> NDArray[np.intp]:
    """Missing values of each column."""
    counts: NDArray[np.intp] = np.isnan(view.values).sum(axis=0)
    return counts


def constant_columns(view: FeatureView) -> list[int]:
    """Columns with a single value, ignoring missing values."""
    low, high = np.fmin.reduce(view.values, axis=0), np.fmax.reduce(view.values, axis=0)
    return [int(j) for j in np.flatnonzero(~(low < high))]


def rounded_columns(values: NDArray[np.float64]) -> list[int]:
    """Columns of (n, p) with integers beyond 2^53, which are therefore rounded; beyond 2^64 they are not IDs."""
    largest = np.fmax(np.abs(np.fmin.reduce(values, axis=0)), np.abs(np.fmax.reduce(values, axis=0)))
    beyond = np.flatnonzero((largest > _EXACT) & (largest < 2.0**64))
    return [int(j) for j in beyond if (np.isnan(values[:, j]) | (values[:, j] == np.floor(values[:, j]))).all()]


def duplicated_columns(view: FeatureView, skip: Collection[int] = ()) -> list[tuple[int, int]]:
    """Pairs (column, earlier column) with identical values."""
    first: dict[int, list[int]] = {}
    pairs = []
    for j in range(view.values.shape[1]):
        if j in skip:
            continue
        column = view.values[:, j]
        earlier = first.setdefault(hash(column.tobytes()), [])
        same = next((k for k in earlier if _same(view, j, k)), None)
        if same is None:
            earlier.append(j)
        else:
            pairs.append((j, same))
    return pairs


def _same(view: FeatureView, column: int, other: int) -> bool:
    same_names = view.categories.get(column) == view.categories.get(other)
    return same_names and np.array_equal(view.values[:, column], view.values[:, other], equal_nan=True)


def text_ids(view: FeatureView) -> list[int]:
    """Nominal columns with (nearly) one category per row: names, notes, dates."""
    found = []
    for j in view.categories:
        present = view.values[:, j]
        present = present[~np.isnan(present)]
        distinct = len(np.unique(present))
        if distinct > 2 and distinct >= _DISTINCT_SHARE * len(present):
            found.append(j)
    return found


def id_columns(view: FeatureView) -> list[int]:
    """Columns that merely number the rows.

    They contain either 0, 1, 2, ... or 1, 2, 3, ... over ten rows or more; or integers that differ in every row of a
    column named id, MRN, subject or the like, or that are monotonic in one named nr, index or the like; in a column
    named id, also decimals.
    """
    values = view.values
    if len(values) < 2:
        return []
    steps = values[1] - values[0]
    called = [_ID_NAME.fullmatch(name.strip()) is not None for name in view.names]
    whole = (np.abs(steps) >= 1) & (values[0] == np.round(values[0]))
    candidates = np.flatnonzero(whole | (np.array(called) & (steps != 0)))
    found = []
    for j in map(int, candidates):
        column = values[:, j]
        if j in view.categories:
            continue
        if not (column == np.round(column)).all():
            if called[j] and _rises_or_falls(column):
                found.append(j)
            continue
        with np.errstate(over="ignore"):  # overflow with values near the largest number
            difference = np.diff(column)
        counts = len(column) >= _FEWEST_COUNTED and column[0] in (0.0, 1.0) and bool((difference == 1).all())
        monotonic = _rises_or_falls(column)
        name = view.names[j].strip()
        counted = monotonic and _COUNT_NAME.fullmatch(name)
        named = _ID_NAME.fullmatch(name) or _ID_WORD.fullmatch(name)
        if counts or counted or (named and len(np.unique(column)) == len(column)):
            found.append(j)
    return found


def _rises_or_falls(column: NDArray[np.float64]) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):  # overflow with values near the largest number
        steps = np.diff(column)
    return bool((steps > 0).all() or (steps < 0).all())


_Z = 1.959964  # of a normal distribution, within which 95 % lie
CLEAR = 1.4
"""Factor by which the variance of an error over the rows is multiplied if it is clearly below chance, because other
rows would have led to another result; chosen by simulation, see :mod:`fsdesk.results.held_out`."""
OF_SEARCHES = 1.6
"""The same if it is not yet known how the error will be estimated: between the factor for parts held out from a single
model, 1.4, and that for outer folds, 1.7 plus differences between folds; widths are within 15 % of either
(tests/bench/trust.py)."""
_RARE, _RARE_SHARE = 0.2, 0.6
_TELLING = 0.02  # estimates more precise than this need no comment


def half_width(error: float, rows: float) -> float:
    """Half-width of the 95 % interval that the default method will report for an error clearly below chance.

    The same as :func:`fsdesk.results.intervals.loss_interval`, without loading its library: Wilson's interval (Journal
    of the American Statistical Association 22, 1927) h = z / (1 + z^2 / n) sqrt(e (1 - e) / n + z^2 / (4 n^2)), z =
    1.96, and 1 / (2 n) for continuity, less if an end is near 0, with n = rows / (1.6 t^2 / z^2), and t of Student's
    distribution.
    """
    rows = max(2.0, rows)
    student = _student(rows)
    rows /= OF_SEARCHES * student * student
    squared = _Z * _Z / rows
    wilson = _Z / (1 + squared) * math.sqrt(error * (1 - error) / rows + squared / (4 * rows))
    rarer = rows * min(error, 1 - error)
    return min(0.5, wilson + 0.5 / rows * min(1.0, rarer / 4))


def _student(rows: float) -> float:
    """Ratio of Student's quantile to the normal one, to first order."""
    return 1 + (_Z * _Z + 1) / (4 * (rows - 1))


def relative_half_width(rows: float) -> float:
    """Half-width of the 95 % interval of an RMSE that the default method will report, relative to the RMSE.

    Its relative standard error is 1 / sqrt(2 n) for normal residuals, and is inflated because other rows would have led
    to another result, as in :func:`half_width`.
    """
    rows = max(2.0, rows)
    return _Z * _student(rows) * math.sqrt(OF_SEARCHES / (2 * rows))


def precision_checks(
    codes: NDArray[np.int64], response: NDArray[np.float64] | None, group_of: NDArray[np.int64] | None, features: int
) -> list[Check]:
    """Report in advance how precisely these rows allow an error to be estimated.

    Parameters
    ----------
    codes, response, group_of
        (n,) classes, numbers to predict or None, groups of rows or None. If rows are grouped, groups are counted,
        because rows of one group are similar.
    features
        Number of features.
    """
    rows = len(codes)
    groups = rows if group_of is None else len(np.unique(group_of))
    exactly = _of_classes(codes, groups) if response is None else _of_numbers(rows, groups)
    checks = [exactly] if exactly is not None else []
    if features > rows:
        sentence = message(
            "{features:,} features for {rows:,} rows: with so many possible subsets, some will be perfect by chance. "
            "Trust held-out errors only.",
            features=features,
            rows=rows,
        )
        checks.append(Check("more features than rows", sentence))
    return checks


def has_rare_class(sizes: Sequence[int]) -> bool:
    """Whether a class has so few rows that the error rate hardly reflects it.

    That is fewer than a fifth of all rows and, if there are several classes, fewer than three fifths of an equal share.
    """
    return len(sizes) > 1 and min(sizes) < min(_RARE, _RARE_SHARE / len(sizes)) * sum(sizes)


def rare_class_checks(codes: NDArray[np.int64], classes: Sequence[str]) -> list[Check]:
    """Suggest criteria that weight all classes equally if one is rare.

    Parameters
    ----------
    codes, classes
        (n,) classes, and their names; none in regression.
    """
    sizes = np.bincount(codes, minlength=len(classes)).tolist() if classes else []
    if not has_rare_class(sizes):
        return []
    rarest = int(np.argmin(sizes))
    sentence = message(
        "{name} has {size:,} of {rows:,} rows ({share} %): a model that never predicts it can be right for {rest} % "
        "of them. The criteria AUC and Balanced error weight all classes equally.",
        name=quoted([classes[rarest]]),
        size=sizes[rarest],
        rows=len(codes),
        share=round(100 * sizes[rarest] / len(codes)),
        rest=100 - round(100 * sizes[rarest] / len(codes)),
    )
    return [Check("rare class", sentence)]


def _of_classes(codes: NDArray[np.int64], groups: int) -> Check | None:
    """The interval of the error expected of a useful model: half that of always predicting the largest class."""
    rows, sizes = len(codes), np.bincount(codes)
    sizes = sizes[sizes > 0]
    likely = (1 - sizes.max() / rows) / 2
    spread = half_width(likely, groups)
    if spread < _TELLING:
        return None
    classes, smallest = len(sizes), int(sizes.min())
    error, points = round(100 * likely), round(100 * spread)
    if groups < rows:
        sentence = message(
            "{rows:,} rows in {groups:,} independent groups, {classes} classes (smallest: {smallest:,} rows): an "
            "error near {error} % will be uncertain by about ± {points} points (95 %).",
            rows=rows,
            groups=groups,
            classes=classes,
            smallest=smallest,
            error=error,
            points=points,
        )
    else:
        sentence = message(
            "{rows:,} rows, {classes} classes (smallest: {smallest:,}): an error near {error} % will be uncertain by "
            "about ± {points} points (95 %).",
            rows=rows,
            classes=classes,
            smallest=smallest,
            error=error,
            points=points,
        )
    return Check("precision", sentence)


def _of_numbers(rows: int, groups: int) -> Check | None:
    """The interval of an RMSE."""
    spread = relative_half_width(groups)
    if spread < _TELLING:
        return None
    percent = round(100 * spread)
    if groups < rows:
        sentence = message(
            "{rows:,} rows in {groups:,} independent groups: an RMSE will be uncertain by about ± {percent} % (95 %).",
            rows=rows,
            groups=groups,
            percent=percent,
        )
    else:
        sentence = message(
            "{rows:,} rows: an RMSE will be uncertain by about ± {percent} % (95 %).",
            rows=rows,
            percent=percent,
        )
    return Check("precision", sentence)
