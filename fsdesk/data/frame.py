"""Conversion of a pandas DataFrame to a Table, as typed formats need, and to a Dataset, for scripts and notebooks."""

import warnings
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import MISSING, Columns, Numbers
from fsdesk.data.columns import equal_numbers, without_words
from fsdesk.data.dataset import Check, Dataset, Table
from fsdesk.data.dates import KIND, holds_dates, with_dates
from fsdesk.data.names_alike import first_spellings, visible
from fsdesk.data.number_texts import are_mostly_numbers
from fsdesk.data.options import Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.outcomes import OUTCOMES, written_outcome
from fsdesk.data.prepare import prepare
from fsdesk.data.reading import QuestionError
from fsdesk.data.recode import recoded
from fsdesk.data.replicates import repeated_person
from fsdesk.data.roles import asking_for_target, number_name, with_likely_target
from fsdesk.data.sentinels import numbers_for_missing
from fsdesk.data.table import build_table, with_types
from fsdesk.data.word_column import NO_CLASS
from fsdesk.errors import DataError, callers_level
from fsdesk.messages import joined, message, message_many, quoted

_DOUBTFUL, _FAR_NUMBERS, _TEXT_NUMBERS = "doubtful dates", "number for missing", "numbers stored as text"
_MANY_TEXTS = 10  # distinct values
_SILENT_OTHERWISE = (
    "infinite values",
    "text columns",
    "id columns",
    "empty columns",
    "duplicated names",
    "missing target",
    "similar classes",
    "target among features",
    "copied rows",
    "outcome columns",
    "censored at 0",
    "intervals",
    KIND,
    _DOUBTFUL,
    _FAR_NUMBERS,
    _TEXT_NUMBERS,
)

if TYPE_CHECKING:
    import pandas as pd


@runtime_checkable
class Frame(Protocol):
    """A table of another library, such as polars or pyarrow, that can be converted to a pandas DataFrame."""

    def to_pandas(self) -> Any:
        """Convert to a DataFrame."""


@runtime_checkable
class Interchanged(Protocol):
    """A table that supports the dataframe interchange protocol."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """Return the data in the form of the protocol."""


FrameLike: TypeAlias = "pd.DataFrame | Frame | Interchanged"
"""What :func:`from_frame` takes."""


def as_pandas(frame: object) -> "pd.DataFrame":
    """Convert a frame of pandas, polars, pyarrow or another library to pandas.

    Raises
    ------
    DataError
        If it is not a frame, or its library needs another one to convert it.
    """
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return frame
    made: object = None
    try:
        if isinstance(frame, Frame):
            made = frame.to_pandas()
        elif isinstance(frame, Interchanged):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # pandas prefers the newer Arrow interface
                made = pd.api.interchange.from_dataframe(frame)
    except ImportError as error:
        raise DataError(
            "This table cannot be converted to a DataFrame without {library}. Install it, or pass a pandas DataFrame.",
            library=error.name or str(error),
        ) from None
    if not isinstance(made, pd.DataFrame):
        raise DataError(
            "Data must be a Dataset, as returned by read_table and from_frame, or a pandas, polars or pyarrow "
            "DataFrame; got {kind}.{advice}",
            kind=type(frame).__name__,
            advice=_advice(frame),
        )
    return made


def _advice(data: object) -> str:
    """How to make a frame from this object, as a sentence with a leading space; "" if unknown."""
    if isinstance(data, str | PathLike):
        return message(" Read a file with read_table.")
    if hasattr(data, "collect"):  # a lazy frame of polars
        return message(" Call its collect() first.")
    if isinstance(data, Mapping | Sequence | np.ndarray) or hasattr(data, "to_frame"):
        return message(" Make one with pandas.DataFrame.")
    return ""


def _label(label: object, argument: str) -> str:
    """The name of a column in the table; DataError if values are given instead of its name."""
    if not isinstance(label, Hashable) or (hasattr(label, "__array__") and not np.isscalar(label)):
        raise DataError(
            "{argument} must be the name of a column, not its values ({kind}). Add them to the table first: "
            "frame.assign(name=values).",
            argument=argument, kind=type(label).__name__,
        )  # fmt: skip
    return str(label)


def _labels(frame: "pd.DataFrame", labels: object, argument: str) -> tuple[str, ...]:
    """The names of columns in the table; a single name counts as one column."""
    if isinstance(labels, str) or not isinstance(labels, Iterable) or _place_of(frame, labels) is not None:
        return (_label(labels, argument),)
    return tuple(_label(each, argument) for each in labels)


def from_frame(
    frame: FrameLike,
    target: Hashable | tuple[str, ...] | None = None,
    *,
    name: str = "frame",
    ignore: Sequence[Hashable] = (),
    keep: Sequence[Hashable] = (),
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    task: TargetTask = "auto",
    group: Hashable | None = None,
    folds: Hashable | None = None,
    time: Hashable | None = None,
    event: Hashable | None = None,
    entry: Hashable | None = None,
    accept_reading: bool = False,
) -> Dataset:
    """Make a data set from a DataFrame: one sample per row, with the index as row IDs.

    Numeric and boolean columns are numbers, and so are object columns that contain only numbers; dates are days since
    the first one, durations are days; all others are nominal, with the categories of a categorical column in their own
    order and those of other columns sorted. Rows with a missing target (None, NaN) are dropped.

    Parameters
    ----------
    frame
        (n, q) DataFrame of pandas, polars or pyarrow, or of another library with ``to_pandas`` or the interchange
        protocol.
    target
        Name of the column to predict, or those of a time and an event, or of an entry time and these; by default the
        last column.
    name
        Name of the data set.
    ignore, keep
        Names of columns to exclude, and of columns that are features although they look like IDs.
    missing, nominal, task, group, folds, time, event, entry
        See :func:`prepare`. Columns may be given by their labels in the frame, such as integers; in the data set all
        names are text.
    accept_reading
        Whether to accept the proposals: that the target is a time to an event if it looks like one of these, and that
        rows of one patient or subject are a group.

    Warns
    -----
    UserWarning
        If columns are excluded, rows without a target dropped, dates converted to days, or infinite values treated as
        missing; if -999 or the like may mark a missing value; if numbers are stored as text; if the target may be
        classes or numbers, or a class may mean a missing value or look like another; and if errors would be too
        optimistic, as with the target among the features or copied rows: one sentence each.

    Raises
    ------
    QuestionError
        If the target is one of two columns that look like a time and an event, or nothing shows which event value means
        the event; the message names the arguments that settle it.
    DataError
        One sentence, as in :func:`prepare`; and if a feature is named like a patient or subject and most of them have
        several rows: give it as ``group``, ``keep`` or ``ignore``.

    Examples
    --------
    >>> import pandas as pd
    >>> import fsdesk
    >>> frame = pd.DataFrame({"dose": [1.5, 2.0, 4.5, 3.0], "sex": ["f", "m", "f", "m"], "ill": [0, 1, 1, 0]})
    >>> data = fsdesk.from_frame(frame, target="ill")
    >>> data.features, data.classes, data.x.shape
    (('dose', 'sex'), ('0', '1'), (4, 2))
    """
    frame = as_pandas(frame)
    named = {"group": group, "folds": folds, "time": time, "event": event, "entry": entry}
    roles = {role: None if label is None else _label(label, role) for role, label in named.items()}
    columns, levels = columns_of_frame(frame)
    table = build_table(
        name,
        columns,
        [str(label) for label in frame.columns],
        rows=[str(label) for label in frame.index],
        source=message(
            "pandas DataFrame with {rows} rows and {columns} columns", rows=frame.shape[0], columns=frame.shape[1]
        ),
        levels=levels,
    )
    table = _with_suspects(_with_clear_dates(table, levels), levels)
    kept = _labels(frame, keep, "keep")
    made = prepare(
        table,
        _named_target(frame, target, table.columns),
        ignore=_labels(frame, ignore, "ignore"),
        keep=kept,
        missing=missing,
        nominal=nominal,
        task=task,
        group=roles["group"],
        folds=roles["folds"],
        time=roles["time"],
        event=roles["event"],
        entry=roles["entry"],
    )
    asked = [reading for reading in made.readings if reading.kind in OUTCOMES and not reading.sure]
    if asked and not accept_reading:
        raise QuestionError(name, asked)
    if made.response is None:
        truth = frame.iloc[:, table.columns.index(made.target_name)]
        made = replace(made, class_values=_class_values(truth, made.classes))
    person = repeated_person(replace(table, default_target=made.target_name))
    if made.groups is None and person in made.features and person not in kept:
        if not accept_reading:
            raise _asks_whose(table, person)
        return from_frame(
            frame, target, name=name, ignore=ignore, keep=keep, missing=missing, nominal=nominal, task=task,
            group=frame.columns[table.columns.index(person)], folds=folds, time=time, event=event, entry=entry,
            accept_reading=True,
        )  # fmt: skip
    for sentence in _doubts(made):
        warnings.warn(sentence, UserWarning, stacklevel=callers_level())
    doubtful = {name for check in made.checks if check.kind == _DOUBTFUL for name in check.columns}
    for check in made.checks:
        said = check.kind == KIND and doubtful.issuperset(check.columns)
        if check.kind in _SILENT_OTHERWISE and not said:
            warnings.warn(check.sentence, UserWarning, stacklevel=callers_level())
    return made


def _doubts(made: Dataset) -> Iterator[str]:
    """Sentences about a target that a file would raise as questions: numbers or classes, and names of its classes."""
    for reading in made.readings:
        if reading.kind == "task" and not reading.sure:
            ways = joined(", ", [f'task="{each.value}"' for each in reading.alternatives])
            yield message("{sentence} Give one of {ways}.", sentence=reading.text, ways=ways)
    same = first_spellings(made.classes)
    if same:
        names = quoted([visible(each) for each in next(iter(same.items()))])
        yield message(
            'Classes {names} of target "{name}" look the same but use different characters. Use one spelling.',
            names=names, name=made.target_name,
        )  # fmt: skip
    equal = equal_numbers(made.classes)
    if equal:
        yield message(
            'Classes {first} and {second} of target "{name}" are treated as different, although they are the same '
            "number. Use one spelling if they mean the same.",
            first=repr(equal[0]), second=repr(equal[1]), name=made.target_name,
        )  # fmt: skip
    for word in made.classes:
        if len(made.classes) > 2 and word.strip().casefold() in NO_CLASS and word not in ("+", "-"):
            yield message(
                '"{word}" of target "{name}" is treated as a class; set it to None if it means a missing value.',
                word=word, name=made.target_name,
            )  # fmt: skip


def _asks_whose(table: Table, name: str) -> DataError:
    """The error that asks how to use a feature named like a patient or subject, most of which have several rows."""
    people = len(np.unique(table.values[:, table.columns.index(name)]))
    return DataError(
        'Column "{name}" has {people:,} values in {rows:,} rows. If rows with the same value belong together, give '
        "group={quoted}, so that they are never split between training and test rows; if it is an ordinary feature, "
        "keep=[{quoted}]; to leave it out, ignore=[{quoted}].",
        name=name, people=people, rows=len(table.rows), quoted=repr(name),
    )  # fmt: skip


def _with_suspects(table: Table, declared: Collection[int]) -> Table:
    """The table with checks that a file would raise as questions: -999 among numbers, and numbers stored as text."""
    checks = []
    numeric = [j for j in range(len(table.columns)) if j not in table.categories]
    columns, words = numbers_for_missing(table.values[:, numeric], [table.columns[j] for j in numeric])
    if columns:
        sentence = message(
            "{words} in {columns} is far from the other values and is treated as measured; set it to NaN if it means "
            "a missing value.",
            words=quoted(words), columns=quoted(columns),
        )  # fmt: skip
        checks.append(Check(_FAR_NUMBERS, sentence, tuple(columns)))
    texts = [
        table.columns[j]
        for j, names in table.categories.items()
        if j not in declared
        and len(names) >= _MANY_TEXTS
        and are_mostly_numbers(names, Numbers())
        and written_outcome(table, table.columns[j]) is None
    ]
    if texts:
        place = table.columns.index(texts[0])
        sentence = message_many(
            len(texts),
            "{count} column contains numbers stored as text, which are treated as words: {columns} (such as "
            '"{example}"). Convert them, for example with pandas.to_numeric.',
            "{count} columns contain numbers stored as text, which are treated as words: {columns} (such as "
            '"{example}"). Convert them, for example with pandas.to_numeric.',
            columns=quoted(texts), example=table.categories[place][0],
        )  # fmt: skip
        checks.append(Check(_TEXT_NUMBERS, sentence, tuple(texts)))
    return replace(table, checks=(*table.checks, *checks))


def _places(frame: "pd.DataFrame", label: object) -> list[int]:
    """Positions of the columns with a label."""
    return [place for place, each in enumerate(frame.columns) if isinstance(label, type(each)) and each == label]


def _place_of(frame: "pd.DataFrame", label: object) -> int | None:
    """Position of a column; None if the label does not exist or is not unique."""
    places = _places(frame, label)
    return places[0] if len(places) == 1 else None


def _class_values(column: "pd.Series[Any]", classes: Sequence[str]) -> tuple[Any, ...]:
    """The class values in a frame, in the order of their names; empty if they are text.

    The result is also empty if they are numbers with decimals, which scikit-learn treats as quantities.
    """
    values: dict[str, Any] = {}
    for value in column[column.notna()].unique().tolist():
        is_number = isinstance(value, Real | Decimal)
        values.setdefault(number_name(float(value)) if is_number else str(value).strip(), value)
    found = tuple(values.get(name) for name in classes)
    broken = any(isinstance(value, float) and not value.is_integer() for value in found)
    return () if broken or any(value is None or isinstance(value, str) for value in found) else found


def refuse_twice(frame: "pd.DataFrame", needed: Iterable[str]) -> None:
    """Raise DataError if several columns of a frame have the name of one that is needed."""
    counts = Counter(map(str, frame.columns))
    twice = [name for name in needed if counts[name] > 1]
    if twice:
        raise DataError(
            'Several columns are named "{name}", which is needed. Rename or remove all but one of them.', name=twice[0]
        )


def rows_of_frame(frame: object, name: str, options: ReadOptions) -> Table:
    """New rows as a table: columns are matched by name and read as text, dates according to ``options``."""
    made = as_pandas(frame)
    columns, levels = columns_of_frame(made)
    table = build_table(
        name,
        columns,
        [str(label) for label in made.columns],
        rows=[str(label) for label in made.index],
        source=name,
        levels=levels,
    )
    return recoded(with_dates(with_types(without_words(table, options), options), options), options)


def _named_target(
    frame: "pd.DataFrame", target: Hashable | None, columns: Sequence[str]
) -> str | tuple[str, ...] | None:
    """The target as :func:`prepare` expects it: the column's name in the table, or those of a time and an event."""
    if target is None:
        return None
    if isinstance(target, list) and len(target) in (2, 3):
        target = tuple(target)
    named = _label(target, "target")
    if len(_places(frame, target)) > 1:
        raise DataError('Several columns are named "{name}" (the target). Rename them.', name=named)
    place = _place_of(frame, target)
    if place is not None:
        return columns[place]
    if isinstance(target, tuple) and len(target) in (2, 3):
        return tuple(str(_named_target(frame, each, columns)) for each in target)
    return named


def _with_clear_dates(table: Table, words: Collection[int]) -> Table:
    """The table with only unambiguous dates converted to days, because the user cannot be asked here."""
    made = with_dates(table, ReadOptions(), words)
    doubtful = [reading for reading in made.readings if reading.asks("", named=True)]
    names = tuple(name for reading in doubtful for name in reading.columns)
    if not names:
        return made
    sentence = message(
        "Dates in {columns} may have the day or the month first and are treated as text. Convert them with "
        "pandas.to_datetime, giving dayfirst or format.",
        columns=quoted(names),
    )  # fmt: skip
    made = with_dates(table, ReadOptions(), {*words, *map(table.columns.index, names)})
    return replace(made, checks=(*made.checks, Check(_DOUBTFUL, sentence, names)))


def table_of_frame(
    frame: "pd.DataFrame", name: str, source: str, options: ReadOptions, checks: Sequence[Check] = ()
) -> Table:
    """Make a Table from a DataFrame; numeric and boolean columns are numbers, all others are nominal.

    The index names the rows unless it merely counts them; then a first text column with unique values does, as in a
    text file. Categorical columns keep the order of their categories. Raises DataError for a frame without rows or
    columns, and for features in rows if a value is not a number.
    """
    if not len(frame):
        raise DataError('"{name}" has no rows. Choose a table that contains data.', name=name)
    columns, levels = columns_of_frame(frame)
    names = [str(label) for label in frame.columns]
    rows = None if is_counted(frame) else [str(label) for label in frame.index]
    found = list(checks)
    if rows is None and _first_names_rows(columns, options):
        cells = columns.texts.get(0)
        rows = list(cells) if cells is not None else [f"{value:.15g}" for value in columns.values[:, 0]]
        found.append(
            Check(
                "row ids", message('The first column ("{names}") contains the sample IDs.', names=names[0]), (names[0],)
            )
        )
        texts = {j - 1: cells for j, cells in columns.texts.items() if j}
        columns, names = Columns(columns.values[:, 1:], texts), names[1:]
        levels = {j - 1: order for j, order in levels.items() if j}
    if options.orientation == "columns":
        return _turned(columns, names, rows, name, source, found)
    made = build_table(name, columns, names, rows=rows, source=source, checks=found, levels=levels)
    return with_likely_target(made, named=True)


def columns_of_frame(frame: "pd.DataFrame") -> tuple[Columns, dict[int, tuple[str, ...]]]:
    """Values and texts of a DataFrame's columns, and the declared categories, by position."""
    values: NDArray[np.float64] = np.full(frame.shape, np.nan, order="F")
    texts: dict[int, list[str]] = {}
    levels: dict[int, tuple[str, ...]] = {}
    kinds = [dtype.kind for dtype in frame.dtypes]
    numeric = [j for j, kind in enumerate(kinds) if kind in "biuf"]
    # In blocks: a table can have 20,000 columns.
    values[:, numeric] = frame.iloc[:, numeric].to_numpy(dtype=np.float64, na_value=np.nan)
    for j in sorted(set(range(len(kinds))) - set(numeric)):
        column = frame.iloc[:, j]
        gaps = column.isna().to_numpy()
        if kinds[j] == "m":  # durations in days
            values[~gaps, j] = column[~gaps].dt.total_seconds().to_numpy() / 86400
            continue
        if kinds[j] == "O" and (numbers := _numbers(column[~gaps])) is not None:
            values[~gaps, j] = numbers
            continue
        texts[j] = ["" if gap else str(cell).strip() for cell, gap in zip(column, gaps, strict=True)]
        if hasattr(column, "cat"):
            levels[j] = tuple(str(level).strip() for level in column.cat.categories)
    return Columns(values, texts), levels


def _numbers(cells: "pd.Series[Any]") -> list[float] | None:
    """Object columns with only numbers, as from a database; None if a value is not a number or all are missing."""
    if not len(cells) or hasattr(cells, "cat"):
        return None
    if not all(isinstance(cell, Real | Decimal) and not isinstance(cell, bool | np.bool_) for cell in cells):
        return None
    try:
        return [float(cell) for cell in cells]
    except OverflowError:  # an integer beyond 1e308
        return None


def is_counted(frame: "pd.DataFrame") -> bool:
    """Whether the index is 0, 1, 2, ... or 1, 2, 3, ..., and so does not name rows."""
    index = frame.index.to_numpy()
    if index.dtype.kind not in "iu" or not len(index):
        return False
    return int(index[0]) in (0, 1) and bool((np.diff(index) == 1).all())


def _first_names_rows(columns: Columns, options: ReadOptions) -> bool:
    if options.row_ids == "none" or columns.values.shape[1] < 2:
        return False
    cells = columns.texts.get(0)
    if options.row_ids == "first column":
        return True
    unique = cells is not None and len(set(cells)) == len(cells) and not MISSING.intersection(cells)
    if cells is None or not unique or holds_dates(cells):
        return False
    return not (any("." in cell or "," in cell for cell in cells) and are_mostly_numbers(cells, Numbers()))


def _turned(
    columns: Columns,
    samples: Sequence[str],
    features: Sequence[str] | None,
    name: str,
    source: str,
    checks: list[Check],
) -> Table:
    """The table of a frame with one feature per row."""
    if columns.texts:
        strange = quoted([samples[j] for j in columns.texts])
        raise DataError(
            'With features in rows, "{name}" may contain only numbers, but {strange} does not. Remove that column, '
            "or choose samples in rows.",
            name=name,
            strange=strange,
        )
    values = np.asfortranarray(columns.values.T)
    names = features or [f"x{j + 1}" for j in range(values.shape[1])]
    made = build_table(
        name,
        Columns(values, {}),
        names,
        rows=samples,
        source=joined(", ", [source, message("features in rows")]),
        checks=checks,
    )
    return asking_for_target(replace(made, needs_labels=True))
