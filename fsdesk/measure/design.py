"""Conversion of a data set to model input: nominal features become indicators, and one-time preprocessing is applied.

A feature with two categories becomes one indicator, as is usual; one with more gets an indicator for each category.
"""

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.wrappers import Design, Scaler, Scaling

_FAR = 2.0**-26  # half of the digits of double precision


def design_of(dataset: Dataset, scaling: Scaling, scaler: Scaler = "z-score") -> Design:
    """Expand nominal features into indicator columns.

    With ``scaling="once"`` missing values are imputed (median, most frequent category) from all rows, otherwise from
    the training rows of each fold.
    """
    if not dataset.categories:
        owner = np.arange(len(dataset.features))
        nominal = np.zeros(len(owner), dtype=np.bool_)
        columns = np.ascontiguousarray(dataset.x.T)
    else:
        columns, owner, nominal = _expanded(dataset)
    raw = columns if not dataset.categories else np.ascontiguousarray(dataset.x.T)
    levels = np.zeros(len(raw), dtype=np.int64)
    for place, names in dataset.categories.items():
        levels[place] = len(names)
    is_moved = _is_far(columns) if scaling != "none" else np.zeros(len(columns), dtype=np.bool_)
    if is_moved.any():
        columns = columns.copy()
        columns[is_moved] -= np.fmin.reduce(columns[is_moved], axis=1)[:, None]
    columns = _in_range(columns, one_factor=scaling == "none")
    fill = _fills(columns, owner, nominal) if scaling == "once" else np.full(len(columns), np.nan)
    target = dataset.target.view()
    for array in (columns, raw, target):
        array.setflags(write=False)  # like memory-mapped arrays: kernels are compiled separately for writable ones
    return Design(
        columns=columns,
        owner=owner,
        nominal=nominal,
        target=target,
        classes=max(1, len(dataset.classes)),
        scaling=scaling,
        scaler=scaler,
        response=dataset.response,
        raw=raw,
        levels=levels,
        fill=fill,
        is_moved=is_moved,
        task=dataset.task,
    )


def _is_far(columns: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(q,) columns so far from 0 that rounding of the mean would hide their variation.

    They are shifted by their lowest value, which is exact.
    """
    highest, lowest = np.fmax.reduce(columns, axis=1), np.fmin.reduce(columns, axis=1)
    spread = highest / 2 - lowest / 2
    far: NDArray[np.bool_] = (spread > 0) & (spread < _FAR * np.abs(lowest)) & np.isfinite(spread)
    return far


def _in_range(columns: NDArray[np.float64], *, one_factor: bool) -> NDArray[np.float64]:
    """Rescale columns whose squares overflow or underflow double precision; powers of two are exact."""
    highest, lowest = np.fmax.reduce(columns, axis=1), np.fmin.reduce(columns, axis=1)
    size = np.fmax(np.abs(highest), np.abs(lowest))
    size = np.where(np.isfinite(size) & (size > 0), size, 1.0)
    spread = highest / 2 - lowest / 2
    extreme = (size > 1e140) | ((spread > 0) & (spread < 1e-140))
    if not extreme.any():
        return columns
    shift = -np.frexp(size)[1]
    if one_factor:
        shift, extreme = np.full_like(shift, shift.min()), np.ones_like(extreme)
    columns = columns.copy()
    columns[extreme] = np.ldexp(columns[extreme], shift[extreme, None])
    return columns


def _expanded(dataset: Dataset) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    columns: list[NDArray[np.float64]] = []
    owner: list[int] = []
    nominal: list[bool] = []
    for feature, values in enumerate(dataset.x.T):
        if feature not in dataset.categories:
            columns.append(values)
            owner.append(feature)
            nominal.append(False)
            continue
        categories = len(dataset.categories[feature])
        for code in range(categories) if categories > 2 else (categories - 1,):
            columns.append(np.where(np.isnan(values), np.nan, (values == code).astype(np.float64)))
            owner.append(feature)
            nominal.append(True)
    return np.array(columns), np.array(owner, dtype=np.int64), np.array(nominal, dtype=np.bool_)


def _fills(columns: NDArray[np.float64], owner: NDArray[np.int64], nominal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(q,) imputed value of each column; NaN if nothing is missing."""
    fills = np.full(len(columns), np.nan)
    for feature in np.unique(owner[np.isnan(columns).any(axis=1)]):
        group = np.flatnonzero(owner == feature)
        missing = np.isnan(columns[group[0]])
        if missing.all():
            fill = np.zeros(len(group))
        elif nominal[group[0]]:
            counts = np.nansum(columns[group], axis=1)
            others = (~missing).sum() - counts.sum()  # rows of the category without an indicator
            fill = np.zeros(len(group))
            fill[counts.argmax()] = float(counts.max() > others)
        else:
            fill = np.array([np.nanmedian(columns[group[0]])])
        fills[group] = fill
    return fills
