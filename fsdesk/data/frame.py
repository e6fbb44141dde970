"""A pandas DataFrame to a Dataset, for those who come from a script or a notebook."""

from typing import TYPE_CHECKING

import numpy as np

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Dataset
from fsdesk.data.options import Missing, Nominal, TargetTask
from fsdesk.data.prepare import prepare
from fsdesk.data.table import build_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["from_frame"]


def from_frame(
    frame: "pd.DataFrame",
    target: str | None = None,
    *,
    name: str = "frame",
    ignore: tuple[str, ...] = (),
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    task: TargetTask = "auto",
    group: str | None = None,
    folds: str | None = None,
    time: str | None = None,
) -> Dataset:
    """Make a data set of a DataFrame: one sample a row, its index the row ids.

    Numeric and boolean columns are numbers; all others are nominal, with the categories of a categorical column in
    their own order and those of other columns sorted.

    Parameters
    ----------
    target, ignore, missing, nominal, task, group, folds, time
        See :func:`prepare`; without ``target`` the last column is.

    Raises
    ------
    DataError
        One sentence, as :func:`prepare`.
    """
    values = np.full(frame.shape, np.nan, order="F")
    texts: dict[int, list[str]] = {}
    levels: dict[int, tuple[str, ...]] = {}
    for j in range(frame.shape[1]):
        column = frame.iloc[:, j]
        if column.dtype.kind in "biuf":
            values[:, j] = column.to_numpy(dtype=np.float64, na_value=np.nan)
            continue
        gaps = column.isna().to_numpy()
        texts[j] = ["" if gap else str(cell) for cell, gap in zip(column, gaps, strict=True)]
        if hasattr(column, "cat"):
            levels[j] = tuple(map(str, column.cat.categories))
    table = build_table(
        name,
        Columns(values, texts),
        [str(label) for label in frame.columns],
        rows=[str(label) for label in frame.index],
        source=f"pandas DataFrame of {frame.shape[0]} rows and {frame.shape[1]} columns",
        levels=levels,
    )
    return prepare(
        table, target, ignore=ignore, missing=missing, nominal=nominal, task=task, group=group, folds=folds, time=time
    )
