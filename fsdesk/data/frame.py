"""A pandas DataFrame to a Dataset, for those who come from a script or a notebook."""

from typing import TYPE_CHECKING

from fsdesk.data.dataset import Dataset
from fsdesk.data.framed import columns_of_frame
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

    Numeric and boolean columns are numbers, and so are columns of objects that are numbers; all others are nominal,
    with the categories of a categorical column in their own order and those of other columns sorted.

    Parameters
    ----------
    target, ignore, missing, nominal, task, group, folds, time
        See :func:`prepare`; without ``target`` the last column is.

    Raises
    ------
    DataError
        One sentence, as :func:`prepare`.
    """
    columns, levels = columns_of_frame(frame)
    table = build_table(
        name,
        columns,
        [str(label) for label in frame.columns],
        rows=[str(label) for label in frame.index],
        source=f"pandas DataFrame of {frame.shape[0]} rows and {frame.shape[1]} columns",
        levels=levels,
    )
    return prepare(
        table, target, ignore=ignore, missing=missing, nominal=nominal, task=task, group=group, folds=folds, time=time
    )
