"""Detection of a matrix of values and a vector of classes among the variables of a file, by name and shape."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Reading
from fsdesk.data.roles import asking_for_target, is_class_column, with_descriptions, with_likely_target
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

MOST_CELLS = 1 << 29  # 4 GB
_X_NAMES = ("x", "data", "fea", "features", "inputs")
_Y_NAMES = ("y", "labels", "label", "target", "targets", "class", "classes", "gnd")
_FEATURE_NAMES = ("feature_names", "featurenames", "features", "names", "genes", "gene_names", "variables")
_ROW_NAMES = ("sample_names", "samplenames", "samples", "sample_ids", "ids", "row_names", "rownames", "index")


@dataclass(frozen=True)
class Variable:
    """An array of a file; a matrix may have row and column names, a vector its categories in order.

    A data frame (``framed``) has the target among its columns, like other tables.
    """

    values: NDArray[Any]
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    levels: tuple[str, ...] | None = None
    framed: bool = False

    def turned(self) -> "Variable":
        """The transpose."""
        return Variable(self.values.T, self.columns, self.rows)


def is_matrix(shape: Sequence[int], kind: str) -> bool:
    """Whether an array of this shape and NumPy kind is a numeric matrix and not a vector."""
    return len(shape) == 2 and min(shape) > 1 and kind in "fiub"


def is_target_name(key: str) -> bool:
    """Whether a variable of this name is treated as the classes."""
    return key.lower() in _Y_NAMES


def choose_group(groups: Mapping[str, Collection[str]], wanted: str, name: str) -> tuple[str, str]:
    """The group to read, and the matrix in it if the user named one.

    Parameters
    ----------
    groups
        Path of each group to the names of its matrices or tables; "" is the file itself.
    wanted
        Path of a group or of a matrix; empty uses the file itself if it contains a matrix, else the only group that
        does.
    name
        The file's.
    """
    paths = paths_of(groups)
    wanted = wanted.strip().strip("/")
    if wanted:
        parent, _, leaf = wanted.rpartition("/")
        if leaf in groups.get(parent, ()):
            return parent, leaf
        if groups.get(wanted):
            return wanted, ""
        there = message("choose one of: {paths}", paths=quoted(paths, 5)) if paths else message("it contains no matrix")
        raise DataError('"{name}" has no part "{wanted}"; {there}.', name=name, wanted=wanted, there=there)
    holding = [group for group in groups if groups[group]]
    if "" in holding or len(holding) == 1:
        return ("" if "" in holding else holding[0]), ""
    if not paths:
        there = quoted(sorted(group for group in groups if group))
        raise DataError(
            '"{name}" has no numeric matrix{value}. Save the values as X and the classes as Y.',
            name=name,
            value=message(" (it contains {there})", there=there) if there else "",
        )
    raise several_tables(paths, name)


def paths_of(groups: Mapping[str, Collection[str]]) -> list[str]:
    """Every matrix or table by its path; ``groups`` as in :func:`choose_group`."""
    return [f"{group}/{leaf}".lstrip("/") for group in groups for leaf in groups[group]]


class SeveralTablesError(DataError):
    """A file contains several tables and the user named none; ``parts`` can be named."""

    def __init__(self, sentence: str, parts: Sequence[str]) -> None:
        super().__init__(sentence)
        self.parts = tuple(parts)


def too_large(name: str, rows: int, width: int) -> DataError:
    """The error for a table with more than :data:`MOST_CELLS` cells."""
    return DataError(
        '"{name}" is {rows:,} x {width:,}, too large for this program. Save fewer columns.',
        name=name,
        rows=rows,
        width=width,
    )


def several_tables(parts: Sequence[str], name: str) -> SeveralTablesError:
    """The error if a file contains these tables and the user named none."""
    return SeveralTablesError(
        message(
            '"{name}" contains several tables ({parts}). Name the part of the file to open.',
            name=name,
            parts=quoted(parts, 5),
        ),
        parts,
    )


def table_of_matrices(
    variables: Mapping[str, Variable],
    name: str,
    kind: str,
    options: ReadOptions,
    wanted: str = "",
    paths: Sequence[str] | None = None,
    path: str = "",
) -> Table:
    """Make a table from ``X`` (samples in rows) and ``Y``, or from the only matrix and the only vector that fits it.

    A matrix that fits the vector only when transposed is transposed, with a check. ``Y`` becomes the last column and
    the default target. Raises DataError if the matrix is not plain.

    Parameters
    ----------
    variables
        By name.
    name, kind
        The file's name and its format in words.
    options
        Only the orientation is used.
    wanted
        Name of the matrix; detected if empty.
    paths, path
        Every matrix of the file by its path, by default the matrices of ``variables``; the group they are in.
    """
    x_name, x = _matrix(variables, name, wanted, path)
    if options.orientation == "columns":
        x = x.turned()
    y_name, y = _vector(variables, x_name, x.values.shape)
    checks: list[Check] = []
    readings: list[Reading] = []
    if y is None or not is_target_name(y_name):
        indicators = _indicators(variables, x_name, x.values.shape)
        if indicators is not None:
            y_name, y = indicators
            sentence = message(
                '"{name}" is one-hot encoded with {count} columns; they are read as the classes 1 to {count}.',
                name=y_name, count=len(np.unique(y)),
            )  # fmt: skip
            checks.append(Check("indicator matrix", sentence, (y_name,)))
            readings.append(Reading("indicator matrix", sentence, columns=(y_name,)))
        else:
            _refuse_unread(variables, x_name, name)
    if y is not None and len(y) != len(x.values):
        _refuse_misfit(x.values.shape, len(y), x_name, y_name, name)
        x = x.turned()
        sentence = message(
            '"{x_name}" has one sample per column, as "{y_name}" shows, and was transposed.',
            x_name=x_name,
            y_name=y_name,
        )
        checks.append(Check("orientation", sentence))
    count, width = x.values.shape
    taken = {x_name, y_name}
    others = of_samples(variables, taken, count) if not x.framed and count != width else {}
    if others and y is not None:
        checks.append(left_out([*others]))
    if unfit := _unfit_texts(variables, taken, (count, width)):
        checks.append(_say_unfit(unfit))
    beside = others if y is None else {y_name: y}
    names = list(x.columns or _names(variables, width, taken, _FEATURE_NAMES) or (f"x{j + 1}" for j in range(width)))
    names += beside
    rows = x.rows or _names(variables, count, taken, _ROW_NAMES)
    values = np.full((count, len(names)), np.nan, order="F")
    values[:, :width] = x.values
    texts: dict[int, list[str]] = {}
    levels: dict[int, tuple[str, ...]] = {}
    for place, (key, vector) in enumerate(beside.items(), width):
        if vector.dtype.kind in "OU":
            texts[place] = [_string(cell) for cell in vector]
            levels[place] = variables[key].levels or ()
        else:
            values[:, place] = vector
    parts = message('"{name}"', name=x_name)
    if y is not None:
        parts = message('"{first}" and "{second}"', first=x_name, second=y_name)
    source = joined(", ", [name, kind, parts])
    table = build_table(name, Columns(values, texts), names, rows=rows, source=source, checks=checks, levels=levels)
    table = replace(table, readings=tuple(readings))
    if y is None:
        table = _without_classes(table, len(others), framed=x.framed)
    return among(table, _matrices(variables) if paths is None else paths, f"{path}/{x_name}".lstrip("/"))


def _without_classes(table: Table, described: int, *, framed: bool) -> Table:
    """The table of a file without classes: its last columns may describe the samples."""
    if described:
        return with_descriptions(table, described)
    if framed:
        return with_likely_target(table, named=True)
    return table if is_class_column(table) else asking_for_target(table)


def of_samples(variables: Mapping[str, Variable], taken: Collection[str], count: int) -> dict[str, NDArray[Any]]:
    """Vectors with a value for each sample, beside the matrix and the classes: strings or numbers that differ."""
    reserved = {*_FEATURE_NAMES, *_ROW_NAMES}
    found = {}
    for key, variable in variables.items():
        flat = _flat(variable.values) if key not in taken and key.lower() not in reserved else None
        if flat is not None and len(flat) == count and count > 1:
            words = {_string(cell) for cell in flat} if flat.dtype.kind in "OU" else {*flat.tolist()}
            if len(words) > 1:
                found[key] = flat
    return found


def _unfit_texts(variables: Mapping[str, Variable], taken: Collection[str], sides: Collection[int]) -> list[str]:
    """Vectors of several different texts that are as long as neither side of the matrix."""
    found = []
    for key, variable in variables.items():
        flat = _flat(variable.values) if key not in taken and not variable.framed else None
        if flat is not None and flat.dtype.kind in "OU" and len(flat) > 1 and len(flat) not in sides:
            found.append(key)
    return found


def _say_unfit(names: Sequence[str]) -> Check:
    sentence = message_many(
        len(names),
        "{count} variable of the file contains texts, but not one for each sample or feature, and is not read: "
        "{names}.",
        "{count} variables of the file contain texts, but not one for each sample or feature, and are not read: "
        "{names}.",
        names=quoted(names),
    )
    return Check("variables left out", sentence)


def left_out(names: Sequence[str]) -> Check:
    """The check that names variables with a value for each sample that are not read."""
    sentence = message_many(
        len(names),
        "{count} variable of the file also has a value for each sample and is not read: {names}.",
        "{count} variables of the file also have a value for each sample and are not read: {names}.",
        names=quoted(names),
    )
    return Check("variables left out", sentence)


def among(table: Table, paths: Sequence[str], part: str) -> Table:
    """The table, with all other parts of the file that could have been read."""
    return replace(table, parts=tuple(paths), part=part) if len(paths) > 1 and part in paths else table


def dense(
    shape: tuple[int, int], starts: NDArray[Any], rows: NDArray[Any], data: NDArray[Any], key: str, name: str
) -> NDArray[np.float64]:
    """A sparse matrix, stored by columns, made dense by numpy, which checks bounds.

    scipy crashes the process if the file is damaged.
    """
    height, width = shape
    if height * width > MOST_CELLS:
        raise DataError(
            '"{key}" in "{name}" is {height:,} x {width:,}, too large for this program. Save fewer columns.',
            key=key,
            name=name,
            height=height,
            width=width,
        )
    try:
        filled = np.zeros((height, width), order="F")
        place = np.repeat(np.arange(width), np.diff(starts))
        np.add.at(filled, (rows[: len(place)], place), data[: len(place)].astype(np.float64))
    except (IndexError, ValueError, TypeError):
        raise DataError(
            'The sparse matrix "{key}" in "{name}" is damaged. Save it again in MATLAB.', key=key, name=name
        ) from None
    except MemoryError:
        raise DataError(
            '"{key}" in "{name}" does not fit into memory. Save fewer columns.', key=key, name=name
        ) from None
    return filled


def _refuse_misfit(shape: tuple[int, ...], labels: int, x_name: str, y_name: str, name: str) -> None:
    if labels != shape[1]:
        raise DataError(
            'In "{name}", "{x_name}" is {shape} x {shape2}, but "{y_name}" has {labels} values. Both need one row '
            "per sample.",
            name=name,
            x_name=x_name,
            shape=shape[0],
            shape2=shape[1],
            y_name=y_name,
            labels=labels,
        )


def _is_numeric(value: NDArray[Any]) -> bool:
    return value.ndim == 2 and value.dtype.kind in "fiub" and value.size > 0


def _matrix(variables: Mapping[str, Variable], name: str, wanted: str, path: str) -> tuple[str, Variable]:
    """The requested variable, otherwise the one named X or the like, otherwise the only numeric matrix."""
    numeric = {key: variable for key, variable in variables.items() if _is_numeric(variable.values)}
    if wanted in numeric:
        return wanted, numeric[wanted]
    for known in _X_NAMES:
        for key, variable in numeric.items():
            if key.lower() == known:
                return key, variable
    matrices = _matrices(variables)
    odd = next((key for key, held in variables.items() if held.values.dtype.kind == "c"), None)
    if odd is not None and not matrices:
        raise DataError(
            '"{key}" in "{name}" contains complex numbers. Save numbers, such as abs({key}) or [real({key}) '
            "imag({key})].",
            key=odd, name=name,
        )  # fmt: skip
    if len(matrices) > 1 and not wanted:
        raise several_tables(paths_of({path: matrices}), name)
    if wanted or len(matrices) != 1:
        there = (
            message("there are {matrices}", matrices=quoted(matrices))
            if matrices
            else message("it contains {variables}", variables=quoted(sorted(variables)) or "nothing")
        )
        if len(matrices) > 1:
            raise DataError(
                '"{name}" has no matrix "{wanted}" ({there}). Save the values as X and the classes as Y, or name the '
                "part of the file to open.",
                name=name,
                wanted=wanted,
                there=there,
            )
        raise DataError(
            '"{name}" has no matrix "{wanted}" ({there}). Save the values as X and the classes as Y.',
            name=name,
            wanted=wanted or "X",
            there=there,
        )
    return matrices[0], numeric[matrices[0]]


def _matrices(variables: Mapping[str, Variable]) -> list[str]:
    return [key for key, held in variables.items() if _is_numeric(held.values) and min(held.values.shape) > 1]


def _vector(variables: Mapping[str, Variable], x_name: str, shape: tuple[int, ...]) -> tuple[str, NDArray[Any] | None]:
    """The variable named Y or the like, otherwise the only vector as long as one side of the matrix."""
    vectors = {
        key: flat
        for key, variable in variables.items()
        if key != x_name and (flat := _flat(variable.values)) is not None and len(flat)
    }
    lower = x_name.lower()
    ending = next(
        (lower[len(known) :] for known in sorted(_X_NAMES, key=len, reverse=True) if lower.startswith(known)), ""
    )
    for after in dict.fromkeys((ending, "")):  # Y_train belongs to X_train
        for known in _Y_NAMES:
            for key, value in vectors.items():
                if key.lower() == known + after:
                    return key, value
    reserved = {*_FEATURE_NAMES, *_ROW_NAMES}
    for side in shape:
        fitting = [key for key, value in vectors.items() if len(value) == side and key.lower() not in reserved]
        if len(fitting) == 1:
            return fitting[0], vectors[fitting[0]]
    return "", None


def _indicators(
    variables: Mapping[str, Variable], x_name: str, shape: tuple[int, ...]
) -> tuple[str, NDArray[np.float64]] | None:
    """The variable named Y or the like with a column for each class, converted to classes 1, 2, ... of the rows."""
    for key, variable in variables.items():
        values = variable.values
        if key == x_name or not is_target_name(key) or not is_matrix(values.shape, values.dtype.kind):
            continue
        if values.shape[0] not in shape and values.shape[1] in shape:
            values = values.T
        marked = np.isin(values, (0, 1)).all() or np.isin(values, (-1, 1)).all()
        positive = values == 1
        if values.shape[0] in shape and marked and (positive.sum(axis=1) == 1).all() and positive.any(axis=0).all():
            return key, positive.argmax(axis=1) + 1.0
    return None


def _refuse_unread(variables: Mapping[str, Variable], x_name: str, name: str) -> None:
    """Raise DataError if the variable named Y cannot be a column, instead of silently using the last column of X."""
    for key, variable in variables.items():
        if key != x_name and is_target_name(key) and _flat(variable.values) is None and variable.values.size > 1:
            size = " x ".join(f"{side:,}" for side in variable.values.shape)
            raise DataError(
                '"{key}" in "{name}" is {size}, not a single column of classes or numbers, so it cannot be the '
                "target. Save the column to be predicted as Y.",
                key=key, name=name, size=size,
            )  # fmt: skip


def _flat(value: NDArray[Any]) -> NDArray[Any] | None:
    """A row or column of numbers, or a list of strings, as a one-dimensional array."""
    if value.dtype.kind == "U":  # a character matrix, one word per row
        return value.ravel()
    if value.ndim != 2 or min(value.shape) != 1 or value.dtype.kind not in "fiubO":
        return None
    flat = value.ravel()
    if flat.dtype.kind == "O" and not all(np.asarray(cell).dtype.kind == "U" for cell in flat):
        return None
    return flat


def _string(cell: object) -> str:
    letters = np.asarray(cell).ravel()
    return str(letters[0]).strip() if letters.size else ""


def _names(
    variables: Mapping[str, Variable], count: int, taken: set[str], known: Sequence[str]
) -> tuple[str, ...] | None:
    for key, variable in variables.items():
        flat = _flat(variable.values)
        if key not in taken and key.lower() in known and flat is not None and flat.dtype.kind in "OU":
            names = tuple(_string(cell) for cell in flat)
            if len(names) == count:
                return names
    return None
