"""Numeric codes for missing values, such as -999, recognized because they are far from all other values."""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.reading import Alternative, Reading
from fsdesk.messages import message, quoted

_NINES = [sign * value for value in (9.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0) for sign in (-1, 1)]
_OTHERS = [
    *(-8.0, -88.0, -888.0, -77.0, -666.0, -777.0, 88.0, 888.0, 777.0),
    *(sign * float(figure * length) for figure in "78" for length in (4, 5, 6) for sign in (-1, 1)),
    *(-32768.0, -2147483648.0),
]
_FRACTIONS = [sign * value for value in (999.9, 9999.9, 99999.9, 999.99, 9999.99) for sign in (-1, 1)]
SENTINELS = np.array([*_NINES, *_OTHERS, *_FRACTIONS])
_FILLS = (1e20, 1e30, 1e31, 1e35, 1e36, 1e37, 1e38, 1e99, 1e100, 9.96921e36, 1.70141e38, 3.4028235e38)
"""Fill values for unknown data in land, sea and map models, to four digits."""
_CODES = (*_NINES, *_OTHERS[:-2])
_BELOW_COUNTS = (-1.0, -3.0, -7.0)
"""Codes of questionnaires and databases for missing answers and measurements."""
_FEWEST_OTHERS = 5
_MOST_ROUNDS = 3
_FAR = 3.0  # in units of the spread of the rest
_FEWEST_FILLED = 20  # other numbers
_FAR_BEYOND = 1e6  # in units of the spread of the rest, for numbers that fill columns
_LONG = 900.0  # size from which a code may occur once, or in most rows
_MOST_NAMED = 20
_FEWEST_NUMBERS = 3
_OFTEN = 3  # cells with a number that means a missing value
_VERY_FAR, _DIFFERENT = 10.0, 10  # for any repeated number: in units of the spread of the rest; distinct others
_SAMPLED, _BLOCK = 200, 256  # rows, and columns
_APART, _LIKE_AGES = 0.5, (88.0, 99.0, 888.0, 999.0)


def without_sentinels(
    values: NDArray[np.float64],
    names: Sequence[str],
    texts: Collection[int] = (),
    settled: Callable[[str, str], bool] = lambda column, value: False,
) -> list[Reading]:
    """Treat numbers that mark missing values as missing, and return a question about each.

    Parameters
    ----------
    values
        (n, q) columns, modified in place.
    names, texts
        Names of the columns, and which of them are text.
    settled
        Whether the user has decided on the meaning of a number, as written, in a column.
    """
    readings = list[Reading]()
    for _ in range(_MOST_ROUNDS if len(values) else 0):  # 888 occurs beside 999
        found = _round(values, names, texts, settled)
        readings += found
        if not found:
            break
    return readings


def _round(
    values: NDArray[np.float64],
    names: Sequence[str],
    texts: Collection[int],
    settled: Callable[[str, str], bool],
) -> list[Reading]:
    """Questions about the lowest or highest number of each column that may mark missing values; made NaN in place."""
    readings = []
    low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    by_value: dict[float, list[int]] = defaultdict(list)
    for ends in (low, high):
        known = np.isin(ends, (*SENTINELS, *_BELOW_COUNTS)) | (np.abs(ends) >= min(_FILLS))
        for j in np.flatnonzero(known | _repeated_far_away(values, ends)).tolist():
            value = float(ends[j])
            if j not in texts and not settled(names[j], _written(value)) and _is_sentinel(values[:, j], value):
                by_value[value].append(j)
    for value, places in by_value.items():
        columns, word = tuple(names[j] for j in places), _written(value)
        rows = int((values[:, places] == value).sum())
        few = len(places) <= _MOST_NAMED
        entry = "; ".join(f"{name}={word}" for name in columns) if few else word
        other = "; ".join(f"{name}=!{word}" for name in columns) if few else f"!{word}"
        answers = (
            Alternative(message("{value} is a missing value", value=word), "missing_values", entry),
            Alternative(message("{value} was measured", value=word), "missing_values", other),
        )
        sentence = message("{value} in {columns} is treated as a missing value.", value=word, columns=quoted(columns))
        rest = values[:, places[0]]
        rest = _rest(rest, value)
        evidence = (
            message("It occurs in {rows:,} cells; the others range from {low:.4g} to {high:.4g}.",
                    rows=rows, low=rest.min(), high=rest.max())
            if value in _BELOW_COUNTS and rest.min() - value <= _FAR * (rest.max() - rest.min())
            else message("It occurs in {rows:,} cells, far from the others, which range from {low:.4g} to {high:.4g}.",
                         rows=rows, low=rest.min(), high=rest.max())
        )  # fmt: skip
        readings.append(Reading("number for missing", sentence, evidence, answers, sure=False, columns=columns))
        for j in places:
            values[values[:, j] == value, j] = np.nan
    return readings


def _repeated_far_away(values: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(q,) whether the lowest or highest number of a column, ``ends``, occurs often, is not 0, and is far from most."""
    found = np.zeros(len(ends), dtype=np.bool_)
    if len(values) < _FEWEST_FILLED:
        return found
    for start in range(0, len(ends), _BLOCK):
        block = slice(start, start + _BLOCK)
        found[block] = (values[:, block] == ends[block]).sum(axis=0) >= _OFTEN
    for j in np.flatnonzero(found & (ends != 0)).tolist():
        some = np.sort(values[:: max(1, len(values) // _SAMPLED), j])
        count = len(some) - int(np.isnan(some).sum())
        low, high = (some[count // 4], some[3 * count // 4]) if count else (0.0, 0.0)
        found[j] = low < high and abs(ends[j] - low) > _VERY_FAR * (high - low)
    found[ends == 0] = False
    return found


def numbers_for_missing(values: NDArray[np.float64], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names of the columns (n, q) with numbers that mark missing values, far from the others, and these numbers."""
    readings = without_sentinels(values.copy(order="F"), names)
    words = [each.alternatives[0].value.rpartition("=")[2] for each in readings]
    return [name for each in readings for name in each.columns], words


def _written(value: float) -> str:
    return f"{value:.15g}"


def _rest(column: NDArray[np.float64], value: float) -> NDArray[np.float64]:
    """All other numbers of a column, without similar codes, such as 888 beside 999."""
    rest: NDArray[np.float64] = column[~np.isnan(column) & (column != value)]
    alike = [code for code in _CODES if code != value and len(_written(code)) == len(_written(value)) > 1]
    return rest[~np.isin(rest, alike)] if value in _CODES else rest


def _is_below_counts(rest: NDArray[np.float64], value: float, times: int) -> bool:
    """Whether -1 occurs among positive numbers, or -3 or -7 among counts or codes that may include -1."""
    others = np.unique(rest)
    if times < 2:
        return False
    if value == -1:
        return bool(others[0] > 0) and len(others) >= _FEWEST_OTHERS
    others = others[others != -1]
    return len(others) > 1 and bool(others[0] >= 0) and bool((others == np.round(others)).all())


def _is_very_far(rest: NDArray[np.float64], value: float) -> bool:
    low, high = float(rest.min()), float(rest.max())
    distance = low - value if value < low else value - high
    return len(rest) >= _FEWEST_FILLED and distance > _VERY_FAR * (high - low) and len(np.unique(rest)) >= _DIFFERENT


def _is_sentinel(column: NDArray[np.float64], value: float) -> bool:
    rest = _rest(column, value)
    times = int((column == value).sum())
    if len(rest) < _FEWEST_NUMBERS or rest.min() == rest.max() or (times < 2 and value > -_LONG):
        return False
    if times > len(rest) and abs(value) < _LONG:
        return False
    if value not in SENTINELS and times >= _OFTEN and _is_very_far(rest, value):
        return True
    if value in _BELOW_COUNTS:
        return _is_below_counts(rest, value, times)
    low, high = float(rest.min()), float(rest.max())  # their difference may be infinite
    spread = high - low
    distance = low - value if value < low else value - high
    if abs(value) >= min(_FILLS):
        fills = any(math.isclose(abs(value), fill, rel_tol=1e-4) for fill in _FILLS)
        return fills and len(rest) >= _FEWEST_FILLED and distance > _FAR_BEYOND * spread
    if value not in SENTINELS:
        return False
    if distance > _FAR * spread and abs(value) > 1:
        return True
    # Among counts and measurements that are never negative, -9 is not a value, however near it is.
    if value in (-9.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0) and float(rest.min()) >= 0:
        return times >= _OFTEN or distance > 0.05 * spread
    # Among ages of 20 to 60, 99 years may be the age of one person, but hardly of several.
    whole = bool((rest == np.floor(rest)).all())
    return whole and value in _LIKE_AGES and times >= _OFTEN and distance > _APART * spread
