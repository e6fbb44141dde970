"""The table of a data set in a project: what to store with the data set, and a table rebuilt from it alone."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from fsdesk.data.dataset import ROLES, Dataset, Origin, Table
from fsdesk.data.options import Choices
from fsdesk.data.prepare import prepare
from fsdesk.data.shared import described, restored
from fsdesk.errors import DataError

_Column = tuple[NDArray[np.float64], Sequence[str] | None]
"""Values of a column, and its categories, if it has any."""
_ROLE_WORDS = {"groups": "group", "fold_of": "folds", "time": "time"}  # fields of the choices


def packed(origin: Origin, dataset: Dataset) -> dict[str, Any] | None:
    """What a table has besides the features of its data set: plain values and arrays; None if it does not match."""
    table, places = origin.table, {name: place for place, name in enumerate(dataset.features)}
    kept = _kept_rows(table, dataset.rows)
    chosen = {role: getattr(origin.choices, word) is not None for role, word in _ROLE_WORDS.items()}
    if kept is None or any(chosen[role] != (getattr(dataset, role) is not None) for role in ROLES):
        return None
    own, shared = list[int](), list[int]()
    for column, name in enumerate(table.columns):
        place = places.get(name)
        same = place is not None and table.categories.get(column) == dataset.categories.get(place)
        same = same and np.array_equal(table.values[kept, column], dataset.x[:, place], equal_nan=True)
        (shared if same else own).append(column)
    return {
        "whole": origin.whole,
        "table": described(replace(table, parts=(), part="")),
        "choices": asdict(origin.choices),
        "kept": kept,
        "values": np.array(table.values[:, own], order="C"),
        "others": np.array(table.values[~kept][:, shared], order="C"),
        "own": np.array(own, dtype=np.int64),
    }


def unpacked(kept: Mapping[str, Any], dataset: Dataset) -> Origin:
    """Undo :func:`packed`; raise KeyError, TypeError, ValueError or IndexError if damaged."""
    rest, rows = {name: value for name, value in kept["table"].items() if name != "arrays"}, np.asarray(kept["kept"])
    columns, own = rest["columns"], kept["own"].tolist()
    places = {name: place for place, name in enumerate(dataset.features)}
    values = np.empty((len(rows), len(columns)), order="F")
    values[:, own] = kept["values"]
    for number, column in enumerate(sorted({*range(len(columns))} - {*own})):
        values[rows, column] = dataset.x[:, places[columns[column]]]
        values[~rows, column] = kept["others"][:, number]
    choices = TypeAdapter(Choices).validate_python(kept["choices"])
    return Origin(restored(Table, values, rest), choices, bool(kept["whole"]))


def _kept_rows(table: Table, rows: Sequence[str]) -> NDArray[np.bool_] | None:
    """(n,) bool: rows of the table that are in the data set; None if its IDs do not show which."""
    if table.rows == rows:
        return np.ones(len(rows), dtype=np.bool_)
    wanted = frozenset(rows)
    kept = np.array([name in wanted for name in table.rows], dtype=np.bool_)
    return kept if tuple(name for name, held in zip(table.rows, kept, strict=True) if held) == tuple(rows) else None


def rebuilt(dataset: Dataset) -> Origin:
    """A table of the features, target and roles of a data set, for a project that does not have the one that was read.

    Columns that were excluded, and rows without a target, are not in it.
    """
    columns: dict[str, _Column] = {dataset.target_name: _target(dataset)}
    for place, name in enumerate(dataset.features):
        columns[name] = dataset.x[:, place], dataset.categories.get(place)
    event = ""
    if dataset.event:
        name, value = _event(dataset)
        event, columns[name] = f"{name}={value}", _event_column(dataset, value)
    if dataset.is_late:
        columns[dataset.entry] = np.asarray(dataset.response)[:, 1], None
    held: dict[str, str] = {}
    for role, word in _ROLE_WORDS.items():
        codes = getattr(dataset, role)
        if codes is not None:
            name = dataset.role_names.get(role) or _free(word, columns)
            names = dataset.group_names if role == "groups" and dataset.group_names else None
            held[word], columns[name] = name, (codes.astype(np.float64), names)
    values = np.empty((len(dataset.rows), len(columns)), order="F")
    for place, (column, _) in enumerate(columns.values()):
        values[:, place] = column
    levels = {place: tuple(names) for place, (_, names) in enumerate(columns.values()) if names is not None}
    table = Table(dataset.name, values, tuple(columns), levels, dataset.rows, dataset.source, dataset.target_name)
    task = dataset.task if dataset.task != "survival" else "auto"
    entry = dataset.entry if dataset.is_late else None
    choices = Choices(
        dataset.target_name, task=task, group=held.get("group"), folds=held.get("folds"), time=held.get("time"),
        event=event or None, entry=entry,
    )  # fmt: skip
    return _as_before(table, choices, dataset)


def _as_before(table: Table, choices: Choices, dataset: Dataset) -> Origin:
    """The table with the findings of its reading, and the choices that give the same features."""
    kinds = frozenset[str]()
    try:
        made = prepare(table, **asdict(choices))
        lost = {*dataset.features} - {*made.features}
        if lost:
            choices = replace(choices, keep=tuple(sorted(lost)))
            made = prepare(table, **asdict(choices))
        kinds = frozenset(check.kind for check in made.checks)
    except DataError:  # from an older version: the user will see the error on the first change
        pass
    of_file = tuple(check for check in dataset.checks if check.kind not in {*kinds, "ignored columns"})
    return Origin(replace(table, checks=of_file), choices, whole=False)


def _target(dataset: Dataset) -> _Column:
    if dataset.event:
        return dataset.times, None
    if dataset.response is not None:
        return dataset.response, None
    return dataset.target.astype(np.float64), dataset.classes


def _event(dataset: Dataset) -> tuple[str, str]:
    """Name of the event column, and the value of the event; another name if one column contained the whole outcome."""
    name, _, value = dataset.event.rpartition("=")
    if name == dataset.target_name:
        return _free("event", {*dataset.features, dataset.target_name}), "1"
    return name, value


def _event_column(dataset: Dataset, value: str) -> _Column:
    events = dataset.target.astype(np.float64)
    try:
        code = float(value)
    except ValueError:
        return 1 - events, (value, "censored")
    return np.where(events == 1, code, 0.0 if code else 1.0), None


def _free(name: str, taken: Mapping[str, object] | set[str]) -> str:
    """The name, with a number if it is taken."""
    return next(each for each in (name, *(f"{name}_{number}" for number in range(2, len(taken) + 3)))
                if each not in taken)  # fmt: skip
