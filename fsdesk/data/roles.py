"""Roles of columns: the target, groups, folds and time, and columns that only describe the samples."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import MISSING, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.dates import KIND as DATES
from fsdesk.data.dates import as_dates
from fsdesk.data.options import TargetTask
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError, close_names
from fsdesk.messages import message, message_many, quoted

FOLDS = 5  # the default number of folds, each of which needs a row of the class
_MOST_FRACTIONS = 10  # distinct numbers with decimals that may still be classes, such as half grades
_MOST_CLASSES = 10  # integers with more distinct values than this are quantities, unless they look like class codes
_MANY_NUMBERS = 20  # this many, in classes of very different sizes, are certainly quantities
_EVEN, _UNEVEN = 2.0, 5.0  # ratios of the largest class to the smallest
_FEW_ROWS = 3
_FEW_KNOWN = 4  # with more rows for each target value, values may apply to the rows below, too
_ALIKE = 4


@dataclass(frozen=True)
class Target:
    """Class codes of the rows that have a class.

    Attributes
    ----------
    column
        Index of the column.
    codes
        (m,) int64; all 0 if the target is numeric.
    classes
        Names by code; empty if the target is numeric.
    kept
        (n,) bool, marks the m rows that have a class.
    checks
        Warnings about dropped rows and very small classes.
    response
        (m,) the target values, if the target is numeric.
    readings
        How numbers are interpreted: as classes or as quantities.
    event, event_column
        For time-to-event data, the event as "column=value", and the index of its column; ``column`` is that of the
        times, ``codes`` are 1 if the event was observed, and ``response`` contains the outcomes, as in
        :mod:`fsdesk.data.kaplan_meier`.
    entry, entry_column
        Name and index of the column of entry times; "" and None if there is none.
    """

    column: int
    codes: NDArray[np.int64]
    classes: tuple[str, ...]
    kept: NDArray[np.bool_]
    checks: tuple[Check, ...]
    response: NDArray[np.float64] | None = None
    readings: tuple[Reading, ...] = ()
    event: str = ""
    event_column: int | None = None
    entry: str = ""
    entry_column: int | None = None

    @property
    def columns(self) -> list[int]:
        """Indices of the columns that form the target."""
        found = [self.column, self.event_column, self.entry_column]
        return list(dict.fromkeys(column for column in found if column is not None))


def column_index(table: Table, name: str, role: str) -> int:
    """Index of a column by name; DataError with close matches if it does not exist."""
    try:
        return table.columns.index(name)
    except ValueError:
        pass
    near = close_names(name, table.columns)
    if near:
        raise DataError(
            '"{name}" has no column "{name2}" ({role}); did you mean {near}?',
            name=table.name,
            name2=name,
            role=role,
            near=quoted(near),
        )
    raise DataError(
        '"{name}" has no column "{name2}" ({role}); its columns are {columns}.',
        name=table.name,
        name2=name,
        role=role,
        columns=quoted(table.columns),
    )


def find_target(table: Table, name: str | None, task: TargetTask = "auto") -> Target:
    """The target column as classes or numbers; DataError if it cannot be one: see :func:`fsdesk.data.prepare`."""
    name = table.default_target if name is None else name
    column = column_index(table, name, message("the target"))
    values = table.values[:, column]
    kept = ~np.isnan(values)
    if not kept.any():
        raise DataError(
            'Target "{name}" is missing in every row. Choose another target{table}.',
            name=name,
            table=_advice(table, column),
        )
    checks = []
    if not kept.all():
        sentence = message_many(
            int((~kept).sum()),
            '{count} row has no class and is dropped (target "{name}").',
            '{count} rows have no class and are dropped (target "{name}").',
            name=name,
        )
        checks.append(Check("missing target", sentence, (name,)))
    present, codes = np.unique(values[kept], return_inverse=True)
    names = table.categories.get(column)
    if len(present) < 2:
        only = names[int(present[0])] if names else number_name(present[0])
        raise DataError(
            'Target "{name}" has only one class ("{only}"). Choose a column with two or more{table}.',
            name=name,
            only=only,
            table=_advice(table, column),
        )
    if task == "regression" and names:
        raise DataError(
            'Target "{name}" contains words, not numbers{table}. Predict it as classes.',
            name=name,
            table=_advice(table, column),
        )
    is_number, sure = (False, True) if names else is_quantity(values[kept])
    sure = sure and (is_number or bool(names) or not _may_be_ordered(name, values[kept]))
    if len(present) > 2 and any(reading.kind == DATES and name in reading.columns for reading in table.readings):
        is_number, sure = True, True
    is_number, sure = (task == "regression", True) if task != "auto" else (is_number, sure)
    readings = () if names or len(present) < 3 else (_said_task(name, present, codes, sure=sure, numbers=is_number),)
    if is_number:
        if checks:
            sentence = message_many(
                int((~kept).sum()),
                '{count} row has no value of the target "{name}" and is dropped.',
                '{count} rows have no value of the target "{name}" and are dropped.',
                name=name,
            )
            checks = [Check("missing target", sentence, (name,))]
        other = _advice(table, column)
        if _likely_targets(table, column):
            other = message("; to predict classes, choose another column{advice}", advice=other)
        sentence = message(
            'Target "{name}" has {present} different numbers and is predicted as a number{other}.',
            name=name,
            present=len(present),
            other=other,
        )
        checks.append(Check("numeric target", sentence, (name,)))
        return Target(column, np.zeros(len(codes), dtype=np.int64), (), kept, tuple(checks), values[kept], readings)
    if len(present) > 1 and _FEW_KNOWN * len(codes) < len(kept) and 2 * len(present) >= len(codes):
        raise DataError(
            'Target "{name}" has a value in only {known} of {rows} rows. If each value also applies to the rows below '
            "it, fill these cells in the file; otherwise choose another target{table}.",
            name=name, known=len(codes), rows=len(kept), table=_advice(table, column),
        )  # fmt: skip
    _refuse_unusable(table, column, len(present), len(codes))
    classes = tuple(names[int(code)] if names else number_name(code) for code in present)
    checks += [*_similar_classes(name, classes), *_tiny_classes(name, codes, classes)]
    if not names and len(classes) > _MOST_CLASSES:
        sentence = message(
            'Target "{name}" has {present} different numbers and is predicted as classes.',
            name=name, present=len(present),
        )  # fmt: skip
        checks.append(Check("numbers as classes", sentence, (name,)))
    return Target(column, codes.astype(np.int64), classes, kept, tuple(checks), readings=readings)


def _said_task(
    name: str, present: NDArray[np.float64], codes: NDArray[np.intp], *, sure: bool, numbers: bool
) -> Reading:
    """How numbers in the target are interpreted."""
    sizes = np.bincount(codes)
    answers = (
        Alternative(message("Numbers to predict"), "task", "regression"),
        Alternative(message("Classes"), "task", "classification"),
    )
    sentence = (
        message('Target "{name}" is treated as numbers.', name=name)
        if numbers
        else message('The numbers in target "{name}" are treated as classes.', name=name)
    )
    evidence = message(
        "It has {present:,} different numbers, {low} to {high}, with {fewest:,} to {most:,} rows each.",
        present=len(present), low=number_name(present[0]), high=number_name(present[-1]),
        fewest=sizes.min(), most=sizes.max(),
    )  # fmt: skip
    return Reading("task", sentence, evidence, answers if numbers else answers[::-1], sure, (name,), "as target")


_CLASS_NAME = re.compile(
    r"(.*[\W_])?(class|classes|klasse|label|labels|target|y|type|typ|cluster|group|gruppe|species|category|kategorie|"
    r"categor\w*|code|id|cultivar|digit|subtype|kind|batch|site|centre|center|cell\W?type|x\d+)(\d|[\W_].*)?",
    re.IGNORECASE,
)
_ORDERED_NAME = re.compile(
    r"(.*[\W_])?(stage|stadium|grade|grad|schweregrad|score|rating|rank|quality|qualität|severity|satisfaction|"
    r"zufriedenheit|pain|schmerz|nrs|vas|apgar|asa|ecog|mrs|nyha|gcs|likert|level|stufe|note|dose|dosis|count|number|"
    r"anzahl|num|n|years?|jahre?|months?|monate?|weeks?|days?|tage?|age|alter|children|kinder|visits?|events?)"
    r"([\W_].*)?",
    re.IGNORECASE,
)
_FEWEST_ORDERED, _FEWEST_PEAKED, _PEAK = 4, 5, 3.0


def _may_be_ordered(name: str, values: NDArray[np.float64]) -> bool:
    """Whether a few integers, taken as classes, may be numbers: by the name, or by a peak between low and high ones."""
    present, sizes = np.unique(values, return_counts=True)
    if len(present) < _FEWEST_ORDERED or not bool((present == np.round(present)).all()):
        return False
    if _CLASS_NAME.fullmatch(name.strip()):
        return False
    if _ORDERED_NAME.fullmatch(name.strip()):
        return True
    peak = int(sizes.argmax())
    rises = bool((np.diff(sizes[: peak + 1]) >= 0).all()) and bool((np.diff(sizes[peak:]) <= 0).all())
    inner = 0 < peak < len(present) - 1
    return inner and rises and len(present) >= _FEWEST_PEAKED and sizes.max() >= _PEAK * sizes.min()


def is_quantity(values: NDArray[np.float64]) -> tuple[bool, bool]:
    """Whether numbers in a target are quantities rather than class codes, and whether that is certain.

    Quantities are more than 10 distinct numbers with decimals, or more than 10 distinct integers that are not codes:
    codes count from 0 or 1 without a gap, in classes of similar size.
    """
    present, sizes = np.unique(values, return_counts=True)
    rows, count = len(values), len(present)
    whole = bool((present == np.round(present)).all())
    if not whole or count <= _MOST_CLASSES:
        return (not whole and count > _MOST_FRACTIONS), True
    counts_on = present[-1] - present[0] == count - 1
    if count == rows and counts_on:  # they merely number the rows
        return False, True
    coded = counts_on and present[0] in (0.0, 1.0)
    spread = float(sizes.max() / sizes.min())
    even = sizes.min() > 1 and spread <= _EVEN
    if coded and sizes.min() > 1 and spread <= _UNEVEN:
        return False, even
    if even and counts_on:
        return False, False
    if even or count <= _MANY_NUMBERS:
        return not (present[0] in (0.0, 1.0) and 2 * count > present[-1]), False
    return True, True


def _refuse_unusable(table: Table, column: int, present: int, rows: int) -> None:
    if present == rows or (present > 2 and 2 * present > rows):
        number = "" if column in table.categories else message(", or predict it as a number")
        raise DataError(
            'Target "{columns}" puts nearly every row in its own class ({present} classes, {rows} rows). Choose '
            "another target{table}{number}.",
            columns=table.columns[column],
            present=present,
            rows=rows,
            table=_advice(table, column),
            number=number,
        )


def _likely_targets(table: Table, column: int) -> list[str]:
    """Other nominal columns with few categories, which may be the real target."""
    likely = [
        table.columns[j]
        for j, names in table.categories.items()
        if j != column and 2 <= len(names) <= max(2, len(table.rows) // 5)
    ]
    if not likely and column and _looks_like_codes(table.values[:, 0]):
        return [table.columns[0]]  # many tables without a header start with the class
    return likely


def _advice(table: Table, column: int) -> str:
    """The end of a sentence about a column that cannot be the target: what to use instead, or how to get it."""
    likely = _likely_targets(table, column)
    if likely:
        return message(", for example {likely}", likely=quoted(likely))
    if table.needs_labels:
        return message(". If it is just another feature, name a file with the sample labels")
    count = len(table.rows)
    numbered = [tuple(map(str, range(first, first + count))) for first in (0, 1)]  # a DataFrame counts from 0
    if ({*table.categories} <= {column} and table.rows not in numbered) or samples_in_columns(table):
        return message(
            '. If each row is a feature and each column a sample, set "Samples are in" (orientation) to columns and '
            "name a file with the labels (labels)"
        )
    return ""


def samples_in_columns(table: Table) -> bool:
    """Whether rows seem to be features and columns samples, as is common in gene-expression tables.

    That is: rows have mostly unique names and are many more than the columns, which are similar, either numbers of
    equal location and spread or nearly unique texts, such as numbers below a line of classes.
    """
    rows = len(table.rows)
    numbered = table.rows == tuple(map(str, range(1, rows + 1)))
    named = int(numbered and 2 * len(table.categories.get(0, ())) > rows)  # duplicate names are not sample IDs
    values = table.values[:, named:]
    columns = values.shape[1]
    if columns < _FEW_ROWS or rows < _FEW_ROWS * columns or numbered > named:
        return False
    if len(table.categories) > named:
        return all(2 * len(table.categories.get(j, ())) > rows for j in range(named, named + columns))
    if np.isnan(values).all(axis=0).any():
        return False
    with np.errstate(over="ignore"):  # overflow with values near the largest number
        low, middle, high = np.nanpercentile(values, (25, 50, 75), axis=0)
        spread = high - low
    return bool(spread.min() * _ALIKE > spread.max() and np.ptp(middle) < spread.max())


def _looks_like_codes(values: NDArray[np.float64]) -> bool:
    present = np.unique(values[~np.isnan(values)])
    return 2 <= len(present) <= _MOST_FRACTIONS and bool((present == np.round(present)).all())


def number_name(value: float) -> str:
    """The name of a number as a class: 1, not 1.0."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _similar_classes(name: str, classes: tuple[str, ...]) -> list[Check]:
    """Classes whose names differ only in case and spaces, as typed names do."""
    first: dict[str, str] = {}
    for written in classes:
        plain = "".join(written.casefold().split())
        if plain in first:
            sentence = message(
                'Classes "{first}" and "{second}" of target "{name}" differ only in case or spaces. If they are the '
                "same, use one spelling in the file.",
                first=first[plain],
                second=written,
                name=name,
            )
            return [Check("similar classes", sentence, (name,))]
        first[plain] = written
    return []


def _tiny_classes(name: str, codes: NDArray[np.int64], classes: tuple[str, ...]) -> list[Check]:
    sizes = np.bincount(codes, minlength=len(classes))
    tiny = [classes[j] for j in np.flatnonzero(sizes < FOLDS)]
    if not tiny:
        return []
    sentence = message_many(
        len(tiny),
        "{count} class has fewer rows than the {folds} folds of the default cross-validation, so some folds contain "
        'none: {tiny} of target "{name}".',
        "{count} classes have fewer rows than the {folds} folds of the default cross-validation, so some folds "
        'contain none: {tiny} of target "{name}".',
        folds=FOLDS,
        tiny=quoted(tiny),
        name=name,
    )
    return [Check("tiny classes", sentence, (name,))]


Roles = dict[str, NDArray[np.int64]]
_WORDS = {"groups": message("the groups"), "fold_of": message("the folds"), "time": message("the time")}


def role_columns(table: Table, group: str | None, folds: str | None, time: str | None) -> dict[str, int]:
    """Index of each column with a role, by the name of the data set's field; DataError for unknown names."""
    named = {"groups": group, "fold_of": folds, "time": time}
    return {role: column_index(table, name, _WORDS[role]) for role, name in named.items() if name}


def role_names(table: Table, columns: Mapping[str, int], rows: NDArray[np.intp]) -> dict[str, Any]:
    """Fields of a data set: the names of its columns with a role, and the values of the group column by code."""
    if not columns:
        return {}
    names, place = {role: table.columns[column] for role, column in columns.items()}, columns.get("groups")
    if place is None:
        return {"role_names": names}
    levels, codes = table.categories.get(place), np.unique(table.values[rows, place])
    texts = tuple(f"{code:.15g}" if levels is None else levels[int(code)] for code in codes)
    return {"role_names": names, "group_names": texts}


def coded(table: Table, columns: dict[str, int], rows: NDArray[np.intp]) -> Roles:
    """Codes 0, 1, ... of the values in each of these columns, in order; time texts in chronological order.

    Raises
    ------
    DataError
        If a row has no value, or the times are texts without a known order.
    """
    roles: Roles = {}
    for role, column in columns.items():
        values = table.values[rows, column]
        missing = int(np.isnan(values).sum())
        if missing:
            raise DataError(
                'Column "{columns}", {words}, has no value in {missing}. Complete it, or choose another column.',
                columns=table.columns[column],
                words=_WORDS[role],
                missing=message_many(missing, "{count} row", "{count} rows"),
            )
        if role == "time" and column in table.categories:
            values = _places_in_time(table, column)[values.astype(np.intp)]
        roles[role] = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return roles


def _places_in_time(table: Table, column: int) -> NDArray[np.float64]:
    """(categories,) the chronological position of each text in a column.

    Texts are dates, or differ only in integers, such as "week 2" and "week 10". Others keep the file's order, if it
    declares one.
    """
    texts = [text.strip() for text in table.categories[column]]
    orders: set[tuple[int, ...]] = {
        tuple(np.unique(days, return_inverse=True)[1].tolist()) for days in as_dates(texts).values()
    }
    if not orders and len({re.sub(r"\d+", "0", text).casefold() for text in texts}) == 1:
        numbers = [tuple(map(int, re.findall(r"\d+", text))) for text in texts]
        orders = {tuple(map(sorted(set(numbers)).index, numbers))}
    if not orders and texts != sorted(texts):
        orders = {tuple(range(len(texts)))}
    if len(orders) == 1:
        (places,) = orders
        return np.array(places, dtype=np.float64)
    if orders:
        raise DataError(
            'The time column "{column}" contains dates that may have the day or the month first, such as {text}. '
            "Write them as 2024-03-31.",
            column=table.columns[column], text=quoted(texts[:1]),
        )  # fmt: skip
    raise DataError(
        'The time column "{column}" contains text that cannot be ordered, such as {texts}. Write numbers, or dates '
        "as 2024-03-31.",
        column=table.columns[column], texts=quoted(texts[:3]),
    )  # fmt: skip


_KIND = "sample descriptions"
LEFT_ASIDE = "left aside"


def description_rows(descriptions: Mapping[str, Sequence[str]]) -> list[Row]:
    """Rows to add below features in rows, each with its name: attributes that differ between samples, best target last.

    The best target is the first in the file that sorts the samples into the fewest groups of at least two.
    """
    varied = {name: cells for name, cells in descriptions.items() if len(set(cells) - MISSING) > 1}
    backwards = list(varied)[::-1]  # the sort is stable: of equals, the first in the file comes last
    ordered = sorted(backwards, key=lambda name: _groups(varied[name]), reverse=True)
    return [[name, *varied[name]] for name in ordered]


def _groups(cells: Sequence[str]) -> tuple[bool, int]:
    counts = Counter(cell for cell in cells if cell not in MISSING)
    return min(counts.values()) < 2, len(counts)


def with_descriptions(table: Table, count: int) -> Table:
    """The table whose last ``count`` columns describe the samples, with a check; the last one is the default target.

    If none, or several, sort the samples into classes, the target is a question.
    """
    if not count:
        return asking_for_target(table)
    names = table.columns[-count:]
    likely = [name for name in reversed(names) if _may_be_classes(table, table.columns.index(name))]
    words = [name for name in likely if table.columns.index(name) in table.categories]
    likely = words or likely  # beside texts, a few distinct ages are not classes
    told = tuple(reading for reading in table.readings if reading.kind != _ASKED)
    target = names[-1] if names[-1] in likely or not likely else likely[0]
    table = as_descriptions(replace(table, default_target=target, readings=told), names)
    return table if len(likely) == 1 else asking_for_target(table, likely)


def _may_be_classes(table: Table, column: int) -> bool:
    """Whether a description sorts the samples into a few classes of at least two."""
    values = table.values[:, column]
    _, sizes = np.unique(values[~np.isnan(values)], return_counts=True)
    few = 1 < len(sizes) <= max(_MOST_CLASSES, len(values) // 10)
    return few and sizes.min() > 1 and (column in table.categories or len(sizes) <= _MOST_CLASSES)


def with_class_rows(table: Table, names: Sequence[str]) -> Table:
    """The table of features in rows; the user is asked which of its text rows, if any, contains the classes."""
    likely = [name for name in names if _may_be_classes(table, table.columns.index(name))]
    table = replace(table, default_target=likely[0]) if likely else table
    return table if len(likely) == 1 else asking_for_target(table, likely)


_ASKED = "target"
_MOST_ANSWERS, _FEWEST_SERIES, _MOST_LIKELY = 8, 3, 4


def asking_for_target(table: Table, likely: Sequence[str] = (), *, may_turn: bool = False) -> Table:
    """The table with the question of which column is the target: one of the ``likely`` ones, or unknown.

    ``may_turn`` says whether its format can also have samples in columns.
    """
    target = table.default_target
    if likely:
        sentence = message(
            'Several columns could be the target: {names}. "{target}" is used.', names=quoted(likely), target=target
        )
    else:
        sentence = message(
            'The file does not say what to predict; the last column, "{target}", is used as the target.',
            target=target,
        )
    names = dict.fromkeys((target, *likely))
    answers = [Alternative(message('"{name}" is the target', name=name), "target", name) for name in names]
    answers = answers[:_MOST_ANSWERS]
    evidence = ""
    if not likely:
        answers.append(Alternative(message("The labels are in another file"), "labels", LABELS_ELSEWHERE))
        if may_turn:
            answers.append(Alternative(message("Samples are in columns"), "orientation", "columns"))
            if samples_in_columns(table):
                evidence = message("The samples seem to be in columns and the features in rows.")
    reading = Reading(
        _ASKED, sentence, evidence, tuple(answers), sure=False, columns=tuple(names), asked="without target"
    )
    kept = tuple(each for each in table.readings if each.kind != _ASKED)
    return replace(table, readings=(*kept, reading))


LABELS_ELSEWHERE = "FILE"
"""The answer's value if the labels are in a file not yet named."""


def is_class_column(table: Table) -> bool:
    """Whether the last column contains classes beside measurements: few integers, unlike most other columns."""
    looked = range(max(0, len(table.columns) - _MOST_COMPARED), len(table.columns))
    coded = [j in table.categories or _looks_like_codes(table.values[:, j]) for j in looked]
    return coded[-1] and 2 * sum(coded[:-1]) < len(coded)


def with_likely_target(table: Table, *, named: bool) -> Table:
    """The table with classes as the target if its last column is one of a series of measurements, as a question.

    Its name then differs from the previous one only in its number, such as 2498 and 2500, or gene_19 and gene_20. If
    there are no classes and the file names its columns (``named``), the target is a question.
    """
    names, rows = table.columns, len(table.rows)
    last = len(names) - 1
    called = _called_target(table) if named else ""
    if named and not called and (indicated := _with_indicators(table)) is not None:
        return indicated
    if named and not called and (several := _numbered_targets(names)):
        return asking_for_target(as_descriptions(table, tuple(several)), several[::-1])
    if called and not _is_series(names[-_FEWEST_SERIES:]):
        return with_called_target(table)
    if named and {*_OF_PLINK} <= {*names[: len(_OF_PLINK) + 1]}:
        return left_aside(replace(table, default_target="PHENOTYPE"), _OF_PLINK[:3])
    if named and not called and last and _NO_TARGET.fullmatch(names[last].strip()):
        return asking_for_target(table, may_turn=True)
    if not named and _has_classes_first(table):
        return asking_for_target(replace(table, default_target=names[0]), (names[0], names[last]))
    if last < _FEWEST_SERIES or last in table.categories:
        return table
    if not _is_series(names[-_FEWEST_SERIES:]):
        return asking_for_target(table, may_turn=True) if named and _is_another_feature(table) else table
    likely = [names[j] for j, words in table.categories.items() if 2 <= len(words) <= max(2, rows // 5)]
    if named and any(_names_features(table, j) for j in table.categories):
        return asking_for_target(table, may_turn=True)
    if not likely:
        return asking_for_target(table, may_turn=True) if named and not is_class_column(table) else table
    sentence = message(
        'Column "{target}" is used as the target, because the last one, "{last}", belongs to a series of measurements.',
        target=likely[0], last=names[-1],
    )  # fmt: skip
    answers = tuple(
        Alternative(message('"{name}" is the target', name=name), "target", name)
        for name in (*likely[:_MOST_LIKELY], names[-1])
    )
    sure = likely == [called]  # named like a target, and no other column may be one
    reading = Reading(_ASKED, sentence, "", answers, sure, columns=tuple(likely), asked="without target")
    return replace(table, default_target=likely[0], readings=(*table.readings, reading))


_GENES = re.compile(r"(gene|protein|transcript|probe)[ _.]?(name|symbol|id)s?", re.IGNORECASE)


def _names_features(table: Table, column: int) -> bool:
    """Whether a column gives each row the name of another gene or the like."""
    alone = 2 * len(table.categories[column]) > len(table.rows)
    return alone and _GENES.fullmatch(table.columns[column].strip()) is not None


_OF_PLINK = ("IID", "PAT", "MAT", "SEX", "PHENOTYPE")
"""Columns between the family and the genotypes in files of PLINK."""
_NO_TARGET = re.compile(
    r"(.*[\W_])?(id|ids|uuid|guid|mrn|barcode)|.*_complete|complete\?(_\d+)?"
    r"|.* \| ?(freq\. of|count|median|mean|geo).*",
    re.IGNORECASE,
)
"""Names of columns that are never predicted: IDs, whether a form of REDCap is complete, and gates of FlowJo."""


def _has_classes_first(table: Table) -> bool:
    """Whether the first column without a name contains classes, and only measurements follow, as in many old tables."""
    last = len(table.columns) - 1
    if last < _FEWEST_SERIES or {*table.categories} - {0}:
        return False
    first = 0 in table.categories or _looks_like_codes(table.values[:, 0])
    distinct = len(np.unique(table.values[:, 0][~np.isnan(table.values[:, 0])]))
    few = 2 <= distinct <= min(_MOST_CLASSES, len(table.rows) // _FEW_ROWS)
    return first and few and not any(_looks_like_codes(table.values[:, j]) for j in range(1, last + 1))


_NUMBERED = re.compile(r"(y|target|output|out|label|response|outcome|ziel|objective)[ _.-]?\d{1,2}", re.IGNORECASE)


def _numbered_targets(names: Sequence[str]) -> list[str]:
    """The last columns if they are named y1, y2 or the like and preceded by others; otherwise none."""
    found = list[str]()
    for name in reversed(names):
        if not _NUMBERED.fullmatch(name.strip()):
            break
        found.insert(0, name)
    return found if 1 < len(found) < len(names) else []


_MOST_INDICATORS = 30


def _with_indicators(table: Table) -> Table | None:
    """The table with the classes indicated by its last columns as the target, as a question; None if there are none.

    In such columns each row has exactly one 1: class_a, class_b, class_c. Each column is determined by the others.
    """
    found = list[int]()
    total = np.zeros(len(table.rows))
    for j in reversed(range(max(1, len(table.columns) - _MOST_INDICATORS), len(table.columns))):
        marks = _marks(table, j)
        if marks is None or (total + marks).max() > 1:
            break
        total += marks
        found.insert(0, j)
        if total.min() == 1:
            break
    if len(found) < 2 or total.min() < 1 or len(table.rows) < 2 * len(found):
        return None
    titles = [table.columns[j] for j in found]
    same = next((k for k, letters in enumerate(zip(*titles, strict=False)) if len({*letters}) > 1), 0)
    stem = re.sub(r"[^\W_]*$", "", titles[0][:same])  # up to a separator of words
    name = re.sub(r"[\W_]+$", "", stem) or "class"
    while name in table.columns:
        name += "_"
    codes = np.argmax([_marks(table, j) for j in found], axis=0).astype(np.float64)  # type: ignore[arg-type]
    classes = tuple(title[len(stem) :] for title in titles)
    sentence = message(
        'Each row has a 1 in one of the columns {columns}; their names are used as classes of the target "{target}".',
        columns=quoted(titles), target=name,
    )  # fmt: skip
    answers = tuple(
        Alternative(message('"{name}" is the target', name=each), "target", each)
        for each in (name, *titles[::-1][:_MOST_LIKELY])
    )
    evidence = message("Each of these columns is determined by the others.")
    reading = Reading(_ASKED, sentence, evidence, answers, False, (name, *titles), "without target")
    made = replace(
        table,
        values=np.asfortranarray(np.column_stack([table.values, codes])),
        columns=(*table.columns, name),
        categories={**table.categories, len(table.columns): classes},
        default_target=name,
        readings=(*table.readings, reading),
    )
    return as_descriptions(made, (*titles, name))


_NO_AND_YES = (("false", "true"), ("no", "yes"), ("0", "1"))


def _marks(table: Table, column: int) -> NDArray[np.float64] | None:
    """(n,) 1 if a yes/no column says yes; None for any other column."""
    values, names = table.values[:, column], table.categories.get(column)
    if names is not None and tuple(each.lower() for each in names) not in _NO_AND_YES:
        return None
    marked = np.isin(values, (0.0, 1.0)).all() and 0 < values.sum() < len(values)
    return values if marked else None


def _called_target(table: Table) -> str:
    """The only column with few classes that is named class, label or the like, unless the last one is; else ""."""
    last = table.columns[-1].strip().lower()
    found = [
        name
        for j, name in enumerate(table.columns[:-1])
        if name.strip().lower() in _CLASS_NAMES and _may_be_classes(table, j)
    ]
    if not found and len(table.columns) - 1 not in table.categories:
        found = [
            name
            for j, name in enumerate(table.columns[:-1])
            if j in table.categories and name.strip().lower() in _GROUP_NAMES and _may_be_classes(table, j)
        ]
    return found[0] if len(found) == 1 and last not in _TARGET_NAMES | _CLASS_NAMES else ""


def with_called_target(table: Table) -> Table:
    """The table with a conventionally named column as its target; a question if the last column has no such name."""
    called, last = _called_target(table), table.columns[-1]
    if not called:
        return table
    sentence = message(
        'Column "{target}" is used as the target because of its name; the last column is "{last}".',
        target=called, last=last,
    )  # fmt: skip
    answers = tuple(
        Alternative(message('"{name}" is the target', name=name), "target", name) for name in (called, last)
    )
    sure = last.strip().lower() in _REMARKS
    reading = Reading(_ASKED, sentence, "", answers, sure, columns=(called, last), asked="without target")
    return replace(table, default_target=called, readings=(*table.readings, reading))


_REMARKS = frozenset((
    "comment", "comments", "note", "notes", "remark", "remarks", "kommentar", "kommentare", "bemerkung", "bemerkungen",
    "anmerkung", "anmerkungen", "notiz", "commentaire", "comentario", "observaciones", "nota",
))  # fmt: skip
"""Names of columns that are never predicted, in lower case."""


def _is_another_feature(table: Table) -> bool:
    """Whether the last of many numeric columns resembles the others: equal size and spread, and not named as a target.

    Genes are similar, each with its own name.
    """
    last = len(table.columns) - 1
    if last < _FEWEST_ALIKE or table.categories or table.columns[-1].strip().lower() in _TARGET_NAMES:
        return False
    if _looks_like_codes(table.values[:, last]) or np.isnan(table.values).all(axis=0).any():
        return False
    with np.errstate(over="ignore"):  # overflow with values near the largest number
        low, middle, high = np.nanpercentile(table.values[:, max(0, last - _MOST_COMPARED) :], (25, 50, 75), axis=0)
        spread = high - low
    as_large = middle[:-1].min() <= middle[-1] <= middle[:-1].max()
    return bool(as_large and spread[:-1].min() <= spread[-1] <= spread[:-1].max())


_FEWEST_ALIKE, _MOST_COMPARED = 20, 1000
_CLASS_NAMES = frozenset((
    "class", "classes", "label", "labels", "target", "outcome", "diagnosis", "y", "classe", "clase", "klasse", "ziel",
    "diagnose", "diagnostic", "diagnóstico", "diagnosi", "class_label", "classlabel", "class label", "target_class",
    "classification", "ground_truth",
))  # fmt: skip
_GROUP_NAMES = frozenset((
    "group", "groups", "gruppe", "gruppen", "groupe", "grupo", "gruppo", "case_control", "case control", "casecontrol",
    "case/control", "phenotype", "disease", "condition",
))  # fmt: skip
"""Names of text columns that distinguish cases from controls, if the last column contains measurements."""
_TARGET_NAMES = frozenset((
    "y", "target", "response", "outcome", "label", "class", "output", "out", "yield", "age", "price", "value", "score",
    "dependent", "dv", "property", "activity", "concentration", "conc", "time", "survival", "ziel",
    "zielgröße", "klasse",
))  # fmt: skip


def names_classes(name: str) -> bool:
    """Whether a column is named as classes are, such as "diagnosis" or "group"."""
    return name.strip().lower() in _CLASS_NAMES | _GROUP_NAMES


def _is_series(names: Sequence[str]) -> bool:
    """Whether names differ only in their numbers."""
    return len({re.sub(r"\d+([.,]\d+)?", "0", name) for name in names}) == 1 and any(map(str.isdigit, names[-1]))


def as_descriptions(table: Table, names: tuple[str, ...]) -> Table:
    """The table with a check that some columns describe the samples.

    A description is not a measurement: as a feature, it would reveal the class in another one.
    """
    if not names:
        return table
    sentence = message_many(
        len(names),
        "{count} column describes the samples ({names}). Unless it is the target, exclude it: it is not a measurement.",
        "{count} columns describe the samples ({names}). Exclude those that are not the target: they are not "
        "measurements.",
        names=quoted(names),
    )
    return replace(table, checks=(*table.checks, Check(_KIND, sentence, names)))


def duplicated_ids(ids: Sequence[str]) -> list[Check]:
    """The check on sample IDs that occur more than once; none if all are unique."""
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if not twice:
        return []
    sentence = message_many(
        len(twice),
        "{count} sample ID occurs more than once: {twice}.",
        "{count} sample IDs occur more than once: {twice}.",
        twice=quoted(twice),
    )
    return [Check("duplicated row ids", sentence)]


def left_aside(table: Table, names: tuple[str, ...]) -> Table:
    """The table with a check that the file excludes some columns from use."""
    if not names:
        return table
    sentence = message_many(
        len(names),
        "{count} column is excluded, as specified in the file: {names}.",
        "{count} columns are excluded, as specified in the file: {names}.",
        names=quoted(names),
    )
    return replace(table, checks=(*table.checks, Check(LEFT_ASIDE, sentence, names)))


def described_columns(table: Table, besides: Collection[str | None] = ()) -> tuple[str, ...]:
    """Columns that describe or number samples and so are not features unless requested.

    Parameters
    ----------
    table
        As read.
    besides
        Names of columns with a role: target, group, folds or time.
    """
    names = (name for check in table.checks if check.kind in (_KIND, LEFT_ASIDE) for name in check.columns)
    return tuple(name for name in names if name not in besides)
