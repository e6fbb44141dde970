"""Conversion of a Table to a Dataset: separation of target and features, exclusion of columns, and checks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.checks import (
    FeatureView,
    constant_columns,
    duplicated_columns,
    id_columns,
    missing_counts,
    precision_checks,
    rare_class_checks,
    rounded_columns,
    text_ids,
)
from fsdesk.data.dataset import Check, Dataset, Origin, Table
from fsdesk.data.dates import date_columns
from fsdesk.data.leaks import BATCH_NAME, batch_checks, batch_feature_checks, leak_checks
from fsdesk.data.options import Choices, Missing, Nominal, TargetTask
from fsdesk.data.outcomes import (
    Named,
    asked_beside,
    named_outcome,
    outcome_pairs,
    partners,
    proposal,
    said_event,
    set_aside_check,
    survival_checks,
    survival_target,
    written_event,
    written_outcome,
)
from fsdesk.data.reading import Reading, taken
from fsdesk.data.roles import Target, coded, column_index, find_target, role_columns, role_names
from fsdesk.errors import DataError, SettingsError
from fsdesk.messages import Message, joined, message, message_many, quoted


@dataclass
class _Choice:
    """The remaining rows and columns, and the checks so far."""

    table: Table
    rows: NDArray[np.intp]
    columns: list[int]
    checks: list[Check] = field(default_factory=list)

    def view(self) -> FeatureView:
        """The current features, (rows, columns)."""
        values = self.table.values
        every_row = len(self.rows) == len(values)
        first, last = self.columns[0], self.columns[-1]
        gapless = last - first + 1 == len(self.columns)
        # A slice is a view: a wide table is not copied.
        block = values[:, first : last + 1] if gapless else values.T[self.columns].T
        block = block if every_row else block[self.rows]
        categories = {
            new: self.table.categories[old] for new, old in enumerate(self.columns) if old in self.table.categories
        }
        names = tuple(self.table.columns[j] for j in self.columns)
        return FeatureView(np.asfortranarray(block), names, categories)

    def remove(self, positions: Collection[int]) -> tuple[str, ...]:
        """Remove features by position; return their names."""
        names = tuple(self.table.columns[self.columns[j]] for j in sorted(positions))
        self.columns = [column for j, column in enumerate(self.columns) if j not in positions]
        if not self.columns:
            raise DataError(
                '"{name}" has no features left: {names} cannot be used. Open a table with measurements in addition '
                "to the target.",
                name=self.table.name,
                names=quoted(names),
            )
        return names


def prepare(
    table: Table,
    target: str | Sequence[str] | None = None,
    *,
    ignore: Sequence[str] = (),
    keep: Sequence[str] = (),
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    task: TargetTask = "auto",
    group: str | None = None,
    folds: str | None = None,
    time: str | None = None,
    event: str | None = None,
    entry: str | None = None,
) -> Dataset:
    """Make a data set: features in ``x``, classes in ``target`` or numbers in ``response``.

    Parameters
    ----------
    table
        As read.
    target
        Name of the column to predict; None uses the table's default, the last column (``Y`` in a .mat file). A pair
        (time, event), three names (entry, time, event), or ``Surv(time, event=value)`` as text, specify a time to an
        event; so does a text column in R's notation, 12 and 12+.
    ignore
        Names of columns to exclude.
    keep
        Names of columns that are features although they look like row IDs, or like an outcome with the target.
    missing
        "impute" keeps NaN in ``x``, to be imputed within every training fold; "drop rows" and "drop columns" remove
        rows or columns with missing values. Rows without a class are always dropped, with a check.
    nominal
        "encode" keeps codes in ``x``, to be one-hot encoded within every training fold; "drop" excludes nominal
        columns.
    task
        "classification" or "regression"; "auto" chooses regression if the target is a quantity: more than 10 distinct
        numbers with decimals, or more than 10 distinct integers that neither number the rows nor form classes of
        similar size.
    group, folds, time
        Names of columns that are not features: groups of rows that are never split, the user's own folds, and the order
        of the rows in time; with ``event`` and no target, the time to the event.
    event
        If the target is a time to an event: the event column, or "column=value" if its values do not show which of them
        is the event; all other values count as censored.
    entry
        For a time to an event, the column of entry times; None: from 0 on.

    Returns
    -------
    Dataset
        Row IDs, unique texts and columns without values are not features: they are excluded with a check. Constant and
        duplicated columns are kept, with a check. If the target is one of two columns that look like a time and an
        event, it is treated as a time to an event, as an uncertain decision; with a ``task`` it is predicted alone, and
        the other column is excluded with a check.

    Raises
    ------
    SettingsError
        If ``missing``, ``nominal`` or ``task`` is none of these.
    DataError
        If a named column does not exist or lacks a required value; if the target has only one class or nearly one class
        per row; if no rows or features are left or all features are constant.
    """
    choices = (
        ("missing", missing, get_args(Missing)),
        ("nominal", nominal, get_args(Nominal)),
        ("task", task, get_args(TargetTask)),
    )
    for setting, value, known in choices:
        if value not in known:
            raise SettingsError(
                'Setting "{setting}": choose one of {known} (got "{value}").',
                setting=setting,
                known=", ".join(known),
                value=value,
            )
    if not len(table.rows):
        raise DataError('"{name}" has no rows. Open a table that contains data.', name=table.name)
    ignore, keep = ((names,) if isinstance(names, str) else names for names in (ignore, keep))
    if event is not None and time is not None and target in (None, time):
        target, time = time, None
    taken_names = (*ignore, *keep, group, folds, time)
    found, aside, outcome = _outcome(table, named_outcome(table, target, event, entry), task, taken_names)
    roles = role_columns(table, group, folds, time)
    twice = [column for column in found.columns if column in roles.values()]
    if twice:
        raise DataError(
            'Column "{columns}" is the target; choose another column for the other role.',
            columns=table.columns[twice[0]],
        )
    left_out = {*found.columns, *aside, *roles.values()} | {
        column_index(table, name, message("to ignore")) for name in ignore
    }
    columns = [j for j in range(len(table.columns)) if j not in left_out]
    if not columns:
        raise DataError('"{name}" has no features besides its target. Open a table with more columns.', name=table.name)
    choice = _Choice(table, np.flatnonzero(found.kept), columns)
    if aside:
        choice.checks.append(set_aside_check([table.columns[j] for j in aside], table.columns[found.column]))
    if ignore:
        names = tuple(dict.fromkeys(ignore))
        sentence = message_many(
            len(names),
            "{count} column is excluded on request: {names}.",
            "{count} columns are excluded on request: {names}.",
            names=quoted(names),
        )
        choice.checks.append(Check("ignored columns", sentence, names))
    _set_aside(choice, {column_index(table, name, message("to keep")) for name in keep})
    _handle_nominal(choice, nominal)
    _handle_missing(choice, missing)
    view = choice.view()
    _report_redundant(choice, view)
    _report_rounded(choice, view, [*found.columns, *roles.values()])
    held = {**coded(table, roles, choice.rows), **role_names(table, roles, choice.rows)}
    made = _dataset(table, found, choice, view, held)
    times = made.times if made.event else made.response
    with np.errstate(over="ignore"):  # overflow with values near the largest number
        leaks = leak_checks(view, made.target, times, made.groups)
    if made.event and made.response is not None:
        bearing = survival_checks(made.response, made.event, len(made.features), made.groups)
    else:
        bearing = precision_checks(made.target, made.response, made.groups, len(made.features))
    leaked = {name for check in leaks if check.kind == "target among features" for name in check.columns}
    dates = _date_checks(choice, leaked) if time is None else []
    rare = rare_class_checks(made.target, made.classes)
    readings = (*made.readings, *outcome)
    batches = _batches(choice, found, made, folds)
    batches += batch_feature_checks(view, [*batches, *leaks])
    asked = Choices(
        made.target_name, tuple(ignore), tuple(keep), missing, nominal, task, group, folds, time,
        made.event or None, made.entry or None,
    )  # fmt: skip
    checks = (*made.checks, *dates, *batches, *leaks, *rare, *bearing)
    return replace(made, checks=checks, readings=readings, origin=Origin(table, asked))


def _batches(choice: _Choice, found: Target, made: Dataset, folds: str | None) -> list[Check]:
    """Checks whether classes are associated with batches, also in columns that are not features."""
    if made.task != "classification":
        return []
    table, taken = choice.table, set(found.columns)
    others = [(name, np.asarray(table.values[choice.rows, j], dtype=np.float64))
              for j, name in enumerate(table.columns)
              if j not in taken and (name == folds or BATCH_NAME.fullmatch(name.strip()))]  # fmt: skip
    return batch_checks(others, made.target, folds)


def _outcome(
    table: Table, named: Named, task: TargetTask, taken_names: Collection[str | None]
) -> tuple[Target, list[int], tuple[Reading, ...]]:
    """The target, the columns excluded with it, and the decisions about a time to an event."""
    target, event = named.target, named.event
    name = table.default_target if target is None else target
    if event is not None:
        found = survival_target(table, name, event, named.entry)
        aside = _others(table, name, taken_names, said_event(table, event)[0])
        return found, [column for column in aside if column not in found.columns], ()
    if named.entry is not None:
        raise DataError("A time of entry requires a time to event; name the event as well.")
    if task == "auto" and (written := written_outcome(table, name)) is not None:
        return survival_target(table, name, written_event(name)), _others(table, name, taken_names), (written,)
    pairs = partners(table, name, taken_names)
    if not pairs or task != "auto":
        beside = outcome_pairs(table) if target is None and task == "auto" and not pairs else []
        beside = [each for each in beside if table.columns[each.time] not in taken_names
                  and table.columns[each.event] not in taken_names]  # fmt: skip
        asked = (asked_beside(table, beside),) if beside else ()
        return find_target(table, target, task), _others(table, name, taken_names), asked
    proposed, question = proposal(table, pairs, name)
    assert proposed.target is not None and proposed.event is not None
    found = survival_target(table, proposed.target, proposed.event, proposed.entry)
    aside = [*_others(table, name, taken_names), *_others(table, proposed.target, taken_names)]
    return found, [column for column in dict.fromkeys(aside) if column not in found.columns], (question,)


def _others(table: Table, name: str, taken_names: Collection[str | None], event: int | None = None) -> list[int]:
    """Columns that form an outcome with the target, or with its event, and have no other role."""
    names = [name] if event is None else [name, table.columns[event]]
    found = [column for each in names for pair in partners(table, each, taken_names)
             for column in (pair.time, pair.event)]  # fmt: skip
    return [column for column in dict.fromkeys(found) if table.columns[column] not in names]


def _size_words(rows: int, columns: int) -> Message:
    return joined(
        ", ",
        [message_many(rows, "{count} row", "{count} rows"), message_many(columns, "{count} column", "{count} columns")],
    )


def _date_checks(choice: _Choice, leaked: Collection[str]) -> list[Check]:
    """Checks on features that are dates, except those that reveal the target, which have their own check."""
    features = {choice.table.columns[j] for j in choice.columns} - {*leaked}
    names = tuple(name for name in date_columns(choice.table) if name in features)
    if names:
        sentence = message_many(
            len(names),
            "{count} column contains dates: {names}. Exclude it if it only records when a row was added. To predict "
            "later rows from earlier ones, use it as time; with random folds, a model also learns from later rows.",
            "{count} columns contain dates: {names}. Exclude those that only record when a row was added. To predict "
            "later rows from earlier ones, use one of them as time; with random folds, a model also learns from "
            "later rows.",
            names=quoted(names),
        )
        return [Check("dates", sentence, names)]
    return []


def _set_aside(choice: _Choice, kept: Collection[int]) -> None:
    view = choice.view()
    kept = {place for place, column in enumerate(choice.columns) if column in kept}
    empty = np.flatnonzero(missing_counts(view) == len(view.values))
    texts = [j for j in text_ids(view) if j not in {*empty, *kept}]
    ids = [j for j in id_columns(view) if j not in kept]
    out = sorted({*map(int, empty), *texts, *ids})
    if not out:
        return
    choice.remove(out)
    checks = choice.checks
    if len(empty):
        names = tuple(view.names[j] for j in empty)
        sentence = message_many(
            len(names),
            "{count} column is empty and is excluded: {names}.",
            "{count} columns are empty and are excluded: {names}.",
            names=quoted(names),
        )
        checks.append(Check("empty columns", sentence, names))
    if texts:
        names = tuple(view.names[j] for j in texts)
        sentence = message_many(
            len(names),
            "{count} column contains text that differs in nearly every row and is excluded from the features: {names}.",
            "{count} columns contain text that differs in nearly every row and are excluded from the features: "
            "{names}.",
            names=quoted(names),
        )
        checks.append(Check("text columns", sentence, names))
    if ids:
        names = tuple(view.names[j] for j in ids)
        sentence = message_many(
            len(names),
            "{count} column only numbers the rows and is excluded from the features: {names}.",
            "{count} columns only number the rows and are excluded from the features: {names}.",
            names=quoted(names),
        )
        checks.append(Check("id columns", sentence, names))


def _handle_nominal(choice: _Choice, nominal: Nominal) -> None:
    positions = [new for new, old in enumerate(choice.columns) if old in choice.table.categories]
    if not positions:
        return
    names = tuple(choice.table.columns[choice.columns[j]] for j in positions)
    if nominal == "drop":
        choice.remove(positions)
        sentence = message_many(
            len(names),
            "{count} column is not numeric and is excluded: {names}.",
            "{count} columns are not numeric and are excluded: {names}.",
            names=quoted(names),
        )
    else:
        sentence = message_many(
            len(names),
            "{count} column is not numeric and is one-hot encoded within each training fold: {names}.",
            "{count} columns are not numeric and are one-hot encoded within each training fold: {names}.",
            names=quoted(names),
        )
    choice.checks.append(Check("non-numeric columns", sentence, names))


def _handle_missing(choice: _Choice, missing: Missing) -> None:
    view = choice.view()
    counts = missing_counts(view)
    holed = [int(j) for j in np.flatnonzero(counts)]
    if not holed:
        return
    names = tuple(view.names[j] for j in holed)
    total = message_many(int(counts.sum()), "{count} value is missing", "{count} values are missing")
    if missing == "drop columns":
        choice.remove(holed)
        done = message("these columns are excluded")
    elif missing == "drop rows":
        whole = ~np.isnan(view.values[:, holed]).any(axis=1)
        if not whole.any():
            raise DataError(
                'Every row of "{name}" has a missing value, so dropping rows would leave none. Impute the missing '
                "values or drop columns instead.",
                name=choice.table.name,
            )
        done = message_many(int((~whole).sum()), "{count} row is dropped", "{count} rows are dropped")
        choice.rows = choice.rows[whole]
    else:
        done = message("each is imputed within each training fold by the median or the most frequent category")
    sentence = message_many(
        len(names),
        "{total} in {count} column ({names}); {done}.",
        "{total} in {count} columns ({names}); {done}.",
        total=total,
        names=quoted(names),
        done=done,
    )
    choice.checks.append(Check("missing values", sentence, names))


def _report_redundant(choice: _Choice, view: FeatureView) -> None:
    constant = constant_columns(view)
    if len(constant) == len(view.names):
        raise DataError(
            'All features of "{name}" are constant ({names}). Open a table whose values vary between rows.',
            name=choice.table.name,
            names=quoted(view.names),
        )
    if constant:
        names = tuple(view.names[j] for j in constant)
        sentence = message_many(
            len(names),
            "{count} column is constant and cannot help prediction: {names}.",
            "{count} columns are constant and cannot help prediction: {names}.",
            names=quoted(names),
        )
        choice.checks.append(Check("constant columns", sentence, names))
    pairs = duplicated_columns(view, set(constant))
    if pairs:
        names = tuple(view.names[j] for j, _ in pairs)
        copied, kept = (view.names[j] for j in pairs[0])
        sentence = message_many(
            len(names),
            'Column "{copied}" duplicates the earlier column "{kept}".',
            '{count} columns duplicate an earlier one: {names} ("{copied}" equals "{kept}").',
            names=quoted(names),
            copied=copied,
            kept=kept,
        )
        choice.checks.append(Check("duplicated columns", sentence, names))


def _report_rounded(choice: _Choice, view: FeatureView, others: Sequence[int]) -> None:
    """Report features, targets and other roles with integers too long for floating-point numbers."""
    table = choice.table
    beside = [j for j in others if j not in table.categories]
    names = tuple(view.names[j] for j in rounded_columns(view.values))
    names += tuple(table.columns[beside[j]] for j in rounded_columns(table.values[:, beside]))
    if names:
        sentence = message_many(
            len(names),
            "{count} column contains whole numbers beyond 9,007,199,254,740,992 (2^53), which are rounded, so that "
            "different numbers may have become equal: {names}. Exclude it if it is an ID, or put a letter in front "
            "of the values.",
            "{count} columns contain whole numbers beyond 9,007,199,254,740,992 (2^53), which are rounded, so that "
            "different numbers may have become equal: {names}. Exclude those that are IDs, or put a letter in front "
            "of the values.",
            names=quoted(names),
        )
        choice.checks.append(Check("rounded numbers", sentence, names))


def _dataset(table: Table, found: Target, choice: _Choice, view: FeatureView, roles: Mapping[str, Any]) -> Dataset:
    name = table.columns[found.column]
    position = np.full(len(table.rows), -1)
    position[found.kept] = np.arange(len(found.codes))
    codes = found.codes[position[choice.rows]]
    response = None if found.response is None else found.response[position[choice.rows]]
    present = np.unique(codes)
    if response is None and len(present) < 2:
        raise DataError(
            'After dropping rows with missing values, target "{name}" has only one class ("{classes}"). Impute the '
            "missing values instead.",
            name=name,
            classes=found.classes[present[0]],
        )
    return Dataset(
        name=table.name,
        x=view.values,
        features=view.names,
        target=codes if found.event else np.searchsorted(present, codes).astype(np.int64),
        target_name=name,
        classes=tuple(found.classes[code] for code in present) if response is None else (),
        rows=tuple(table.rows[i] for i in choice.rows) if len(choice.rows) < len(table.rows) else table.rows,
        categories=view.categories,
        source=joined(", ", [table.source, _size_words(len(table.rows), len(table.columns))]),
        checks=(*table.checks, *found.checks, *choice.checks),
        response=response,
        readings=(*table.readings, *found.readings),
        ways=taken(table.readings, table.ways),
        class_values=(),
        event=found.event,
        entry=found.entry,
        **roles,
    )
