"""The target: which column, which rows have one, and which classes there are."""

import difflib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import TargetTask
from fsdesk.data.wording import listed, quoted
from fsdesk.errors import DataError

__all__ = ["FOLDS", "Target", "column_index", "find_target"]

FOLDS = 5  # the default number of folds, which a class should be able to fill
_MOST_FRACTIONS = 10  # numbers with decimals that may still be classes, such as half grades
_MANY_NUMBERS = 30  # whole numbers of more values than this are classes only with some rows each
_FEW_ROWS = 3


@dataclass(frozen=True)
class Target:
    """Class codes of the rows that have a class.

    Attributes
    ----------
    column
        Index of the column.
    codes
        (m,) int64; all 0 where the target is a number.
    classes
        Names by code; none where it is a number.
    kept
        (n,) bool, the rows that have a class; m of them.
    checks
        Rows left out, tiny classes.
    response
        (m,) the numbers, where the target is a number.
    """

    column: int
    codes: NDArray[np.int64]
    classes: tuple[str, ...]
    kept: NDArray[np.bool_]
    checks: tuple[Check, ...]
    response: NDArray[np.float64] | None = None


def column_index(table: Table, name: str, role: str) -> int:
    """Index of a column by name; DataError with close matches where there is none."""
    try:
        return table.columns.index(name)
    except ValueError:
        pass
    near = difflib.get_close_matches(name, table.columns, 3, 0.6)
    if near:
        raise DataError(f'"{table.name}" has no column "{name}" ({role}); did you mean {quoted(near)}?')
    raise DataError(f'"{table.name}" has no column "{name}" ({role}); its columns are {quoted(table.columns)}.')


def find_target(table: Table, name: str | None, task: TargetTask = "auto") -> Target:
    """The target column as classes or numbers; DataError where it cannot be one: see :func:`fsdesk.data.prepare`."""
    name = table.default_target if name is None else name
    column = column_index(table, name, "the target")
    values = table.values[:, column]
    kept = ~np.isnan(values)
    if not kept.any():
        raise DataError(f'Target "{name}" is missing in every row; choose another target{_advice(table, column)}.')
    checks = []
    if not kept.all():
        count = listed(int((~kept).sum()), "row has no class and is", "rows have no class and are")
        checks.append(Check("missing target", f'{count} left out (target "{name}").', (name,)))
    present, codes = np.unique(values[kept], return_inverse=True)
    names = table.categories.get(column)
    if len(present) < 2:
        only = names[int(present[0])] if names else _number_name(present[0])
        raise DataError(
            f'Target "{name}" has only one class ("{only}"); choose a column with two or more{_advice(table, column)}.'
        )
    if task == "regression" and names:
        raise DataError(f'Target "{name}" holds words, not numbers{_advice(table, column)}; predict it as classes.')
    if task == "regression" or (task == "auto" and not names and _is_continuous(present, len(codes))):
        advice = _advice(table, column)
        other = f"; where classes are meant, choose another column{advice}" if advice.startswith(",") else advice
        sentence = f'Target "{name}" holds {len(present)} different numbers and is predicted as a number{other}.'
        checks.append(Check("numeric target", sentence, (name,)))
        return Target(column, np.zeros(len(codes), dtype=np.int64), (), kept, tuple(checks), values[kept])
    _refuse_unusable(table, column, len(present), len(codes))
    classes = tuple(names[int(code)] if names else _number_name(code) for code in present)
    checks += _tiny_classes(name, codes, classes)
    return Target(column, codes.astype(np.int64), classes, kept, tuple(checks))


def _is_continuous(present: NDArray[np.float64], rows: int) -> bool:
    """Whether so many different numbers are quantities, not classes, and not merely the numbers of the rows."""
    whole = bool((present == np.round(present)).all())
    if whole and len(present) == rows and present[-1] - present[0] == rows - 1:
        return False
    if not whole and len(present) > _MOST_FRACTIONS:
        return True
    return len(present) > _MANY_NUMBERS and rows < _FEW_ROWS * len(present)


def _refuse_unusable(table: Table, column: int, present: int, rows: int) -> None:
    if present == rows or (present > 2 and 2 * present > rows):
        number = "" if column in table.categories else ", or predict it as a number"
        raise DataError(
            f'Target "{table.columns[column]}" puts nearly every row in a class of its own ({present} classes, '
            f"{rows} rows); choose another target{_advice(table, column)}{number}."
        )


def _advice(table: Table, column: int) -> str:
    """Nominal columns with few categories, as a hint where the target is no use."""
    likely = [
        table.columns[j]
        for j, names in table.categories.items()
        if j != column and 2 <= len(names) <= max(2, len(table.rows) // 5)
    ]
    if not likely and column and _looks_like_codes(table.values[:, 0]):
        likely = [table.columns[0]]  # many tables without a header start with the class
    if likely:
        return f", for example {quoted(likely)}"
    numbered = tuple(map(str, range(1, len(table.rows) + 1)))
    if table.source.endswith(", features in rows"):
        return ". If it is one more feature, name a file with the labels of the samples"
    if not table.categories and table.rows != numbered:
        return (
            '. If each row is a feature and each column a sample, set "Samples are in" to columns '
            "and name a file with the labels"
        )
    return ""


def _looks_like_codes(values: NDArray[np.float64]) -> bool:
    present = np.unique(values[~np.isnan(values)])
    return 2 <= len(present) <= _MOST_FRACTIONS and bool((present == np.round(present)).all())


def _number_name(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _tiny_classes(name: str, codes: NDArray[np.int64], classes: tuple[str, ...]) -> list[Check]:
    sizes = np.bincount(codes, minlength=len(classes))
    tiny = [classes[j] for j in np.flatnonzero(sizes < FOLDS)]
    if not tiny:
        return []
    count = listed(len(tiny), "class has", "classes have")
    return [
        Check(
            "tiny classes",
            f"{count} fewer rows than the {FOLDS} folds of the usual cross-validation, so not every "
            f'fold has some: {quoted(tiny)} of target "{name}".',
            (name,),
        )
    ]
