"""R's own files (.RData, .rda, .rds): a data frame, a matrix and a factor, or matrices with described samples."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Table
from fsdesk.data.frame import columns_of_frame, is_counted, table_of_frame
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.bioconductor import Assay, Matrix, assays_of, frame_of, matrix_of
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.labels import with_labels
from fsdesk.data.readers.matrices import (
    MOST_CELLS,
    Variable,
    among,
    choose_group,
    is_matrix,
    is_target_name,
    left_out,
    of_samples,
    paths_of,
    several_tables,
    table_of_matrices,
    too_large,
)
from fsdesk.data.readers.r_objects import OBJECTS, WORKSPACES, class_of, names_of, objects, quiet, slots
from fsdesk.data.readers.reader import Reader
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_DEEPEST = 4
_MOST_NAMED = 6


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a data frame, an object with described samples, or a matrix and what belongs to it.

    A matrix may have a factor ``y``, or a data frame whose row names are those of its rows or columns, in the same list
    or workspace. ``options.part`` names the object if there are several ("list/matrix" for one in a list). Row and
    column names are kept; factors keep the order of their levels. Raises DataError for a damaged file, or one without a
    data frame or a numeric matrix.
    """
    import rdata  # noqa: F401  # so that a missing library is reported

    name = content.name
    found, titles = _objects(content)
    try:
        groups = dict(_groups(found, "", 0, name))
    except (ValueError, TypeError, IndexError, KeyError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        raise _damaged(name) from None
    tables = {path: [key for key, value in group.items() if _is_table(value)] for path, group in groups.items()}
    paths = paths_of(tables)
    if not paths:
        raise _nothing(found, name)
    described = {path for path, group in groups.items() if any(isinstance(each, Assay) for each in group.values())}
    if not options.part.strip() and tables.get("") and described - {""}:
        raise several_tables(paths, name)
    path, wanted = choose_group(tables, options.part, name)
    title = f'{name}, R, "{path}"' if path else f"{name}, R"
    group, keys = groups[path], [wanted] if wanted else tables[path]
    if path in described:
        return _described_table(group, keys, name, title, paths, path)
    if not wanted and (pair := _described_matrix(group, keys)) is not None:
        return _joined_table(group, *pair, name, title, options, f"{path}/{pair[0]}".lstrip("/"))
    frames = [key for key in keys if not isinstance(group[key], Variable)]
    if frames and len(keys) > 1:
        raise several_tables([f"{path}/{key}".lstrip("/") for key in keys], name)
    if frames:
        table = table_of_frame(group[frames[0]], name, f'{title}, "{frames[0]}"', options)
        told = {column: titles[column] for column in table.columns if titles.get(column, column) != column}
        table = replace(table, descriptions={**told, **table.descriptions})
        return among(table, paths, f"{path}/{frames[0]}".lstrip("/"))
    variables = {key: value for key, value in group.items() if isinstance(value, Variable)}
    table = table_of_matrices(variables, name, title.removeprefix(f"{name}, "), options, wanted, paths, path)
    return _naming_nested(table, {inner: group for inner, group in groups.items() if inner != path})


def _naming_nested(table: Table, groups: Mapping[str, Mapping[str, Any]]) -> Table:
    """The table with a check that names the vectors of other lists that have a value for each sample."""
    nested = {f"{path}/{key}".lstrip("/"): value for path, group in groups.items() for key, value in group.items()
              if isinstance(value, Variable) and not _is_table(value)}  # fmt: skip
    found = of_samples(nested, (), len(table.rows))
    return replace(table, checks=(*table.checks, left_out([*found]))) if found else table


def _objects(content: Content) -> tuple[Any, dict[str, str]]:
    name = content.name
    try:
        return objects(content.data)
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except RecursionError:
        raise DataError(
            '"{name}" contains R objects nested too deeply. In R, save only the table, with saveRDS.', name=name
        ) from None
    except NotImplementedError:
        raise DataError(
            '"{name}" contains an R object of a type that cannot be read. In R, save only the table, with saveRDS.',
            name=name,
        ) from None
    except Exception:
        raise _damaged(name) from None


def _damaged(name: str) -> DataError:
    return DataError('"{name}" is not an R file or is damaged; save it again with saveRDS or save.', name=name)


def _nothing(found: Any, name: str) -> DataError:
    """The error for a file without a table: what it contains, by R's classes."""
    if _is_list(found):
        held = [f"{key} ({class_of(value)})" for key, value in _members(found).items()]
    else:
        held = [class_of(found)]
    more = message(" and {count} more", count=len(held) - _MOST_NAMED) if len(held) > _MOST_NAMED else ""
    return DataError(
        '"{name}" has no numeric matrix or data frame; it contains {there}. In R, write the values as a table with '
        'samples in rows, for example with write.csv(t(exprs(x)), "table.csv"), and open that.',
        name=name,
        there=joined("", [quoted(held[:_MOST_NAMED], _MOST_NAMED), more]) if held else message("nothing"),
    )


def _described_table(
    group: Mapping[str, Any], keys: list[str], name: str, title: str, paths: list[str], path: str
) -> Table:
    """The table of an object with described samples: the only matrix, the one named, or the one usually meant."""
    default = [key for key in keys if group[key].default]
    key = keys[0] if len(keys) == 1 else default[0] if default else ""
    if not key:
        raise several_tables([f"{path}/{each}".lstrip("/") for each in keys], name)
    assay: Assay = group[key]
    return assay.table(name, f'{title}, {assay.kind}, "{key}"', paths, f"{path}/{key}".lstrip("/"))


Sides = tuple[str, dict[str, str]]


def _described_matrix(group: Mapping[str, Any], keys: list[str]) -> Sides | None:
    """The only matrix and the data frames whose row names are those of its rows or columns, each with that side.

    None if there is no such matrix, or if a data frame belongs to neither or both sides, or two to the same.
    """
    numeric = [key for key in keys if isinstance(group[key], Variable)]
    plain = [key for key in numeric if not group[key].framed]
    chosen = plain or numeric
    frames = [key for key in keys if key not in chosen]
    if len(chosen) != 1 or not 1 <= len(frames) <= 2:
        return None
    matrix: Variable = group[chosen[0]]
    sides: dict[str, str] = {}
    for key in frames:
        if isinstance(group[key], Variable) and is_target_name(key):
            return None
        frame = _as_frame(group[key])
        fitting = [side for side in ("rows", "columns") if _names(frame, getattr(matrix, side))]
        if len(fitting) != 1 or fitting[0] in sides.values():
            return None
        sides[key] = fitting[0]
    return chosen[0], sides


def _as_frame(value: Any) -> Any:
    import pandas as pd

    if not isinstance(value, Variable):
        return value
    return pd.DataFrame(value.values, index=value.rows, columns=value.columns)


def _names(frame: Any, names: tuple[str, ...] | None) -> bool:
    """Whether the row names of a data frame, or a column of IDs, are names of a side of a matrix, at least mostly."""
    if names is None:
        return False
    held = {*names}
    texts = [] if is_counted(frame) else [[*map(str, frame.index)]]
    texts += [[*map(str, frame[key])] for key in frame.columns if frame[key].dtype.kind not in "iufbcM"]
    return any(len({*ids}) == len(ids) and 2 * len({*ids} & held) > min(len(ids), len(held)) for ids in texts)


def _joined_table(
    group: Mapping[str, Any], key: str, sides: Mapping[str, str], name: str, title: str, options: ReadOptions, part: str
) -> Table:
    """The table of a matrix, with one data frame as labels of the samples, and another as descriptions of features.

    Samples are the side that the only data frame describes, and the columns if there is one for either side, as in
    Bioconductor. This is a question unless they are the shorter side.
    """
    matrix: Variable = group[key]
    height, width = matrix.values.shape
    turned = options.orientation == "columns"
    sure = turned or options.labels_by == "ids"
    if not turned:
        turned = "columns" in sides.values()
        sure = sure or (width < height if turned else height < width)
    own = "columns" if turned else "rows"
    base = matrix.turned() if turned else matrix
    plain = options.updated({"orientation": "rows", "labels_by": "auto", "labels": ""})
    table = table_of_matrices({key: base}, name, title.removeprefix(f"{name}, "), plain, key)
    labels = next((each for each, side in sides.items() if side == own), None)
    features = next((each for each, side in sides.items() if side != own), None)
    if features is not None:
        table = replace(table, descriptions={**table.descriptions, **_told(_as_frame(group[features]))})
    if labels is None:
        return table
    rows = _labels_of(_as_frame(group[labels]), labels)
    table = with_labels(table, Path(labels), plain, lambda _path, _options: rows)
    sentence = message(
        '"{labels}" describes the samples of "{key}", which are in its {side}.', labels=labels, key=key,
        side=message("columns") if turned else message("rows"),
    )  # fmt: skip
    answers = (
        Alternative(message('"{name}" describes samples', name=labels), "labels_by", "ids"),
        Alternative(message('Only "{name}"', name=key), "part", part),
    )
    missing = next((check for check in table.checks if check.kind == "samples without a label"), None)
    evidence = message("All samples are in both.") if missing is None else missing.sentence
    kept = tuple(reading for reading in table.readings if reading.kind != "labels")
    return replace(table, readings=(*kept, Reading("described samples", sentence, evidence, answers, sure)))


def _labels_of(frame: Any, name: str) -> Table:
    """A data frame as labels, its row names in a first column without a name."""
    columns, levels = columns_of_frame(frame)
    names = [str(label) for label in frame.columns]
    if not is_counted(frame):
        values = np.asfortranarray(np.column_stack([np.full(len(frame), np.nan), columns.values]))
        texts = {0: [str(label) for label in frame.index], **{j + 1: cells for j, cells in columns.texts.items()}}
        columns, names = Columns(values, texts), ["row names", *names]
        levels = {j + 1: order for j, order in levels.items()}
    made = build_table(name, columns, names, source=name, levels=levels)
    return made if is_counted(frame) else replace(made, columns=("", *made.columns[1:]))


def _told(frame: Any) -> dict[str, str]:
    """Descriptions of features by name, from the texts of a data frame."""
    columns, _ = columns_of_frame(frame)
    ids = [str(label) for label in frame.index]
    cells = [(str(frame.columns[j]), texts) for j, texts in columns.texts.items()]
    lines = {}
    for row, each in enumerate(ids):
        said = [(title, texts[row]) for title, texts in cells if texts[row] and texts[row] != each]
        if said:
            lines[each] = "; ".join(f"{title}: {cell}" if len(cells) > 1 else cell for title, cell in said)
    return lines


def _groups(value: Any, path: str, depth: int, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every list by its path, with its data frames and arrays by name; a single object is named data.

    For an object with described samples, its matrices.
    """
    described = assays_of(value)
    if described:
        for key, assays in described.items():
            yield f"{path}/{key}".strip("/"), dict(assays)
        return
    inner: Mapping[str, Any] = _members(value) if _is_list(value) else {"data": value}
    inner = {key: _as_texts(item) for key, item in inner.items()}
    nested = {key for key, item in inner.items() if _is_list(item) or (_is_list(value) and assays_of(item))}
    converted = {key: _converted(item, name) for key, item in inner.items() if key not in nested}
    yield path, {key: item for key, item in converted.items() if item is not None}
    if depth < _DEEPEST:
        for key in inner:
            if key in nested:
                yield from _groups(inner[key], f"{path}/{key}".lstrip("/"), depth + 1, name)


def _is_list(value: Any) -> bool:
    return isinstance(value, (dict, list)) or ("listData" in slots(value) and "nrows" not in slots(value))


def _as_texts(value: Any) -> Any:
    """A list of single texts, as R's list("a", "b") has them, as one vector of texts; any other value unchanged."""
    if not isinstance(value, dict | list) or len(value) < 2:
        return value
    cells = [_only_text(each) for each in (value.values() if isinstance(value, dict) else value)]
    return value if None in cells else np.array(cells, dtype=object)


def _only_text(value: Any) -> str | None:
    """A single text; "" if it is missing, None for any other value."""
    if isinstance(value, np.ndarray) and value.shape == (1,) and value.dtype.kind in "OU":
        value = value[0]
        return "" if value is None else str(value) if isinstance(value, str) else None
    return value if isinstance(value, str) else None


def _members(value: Any) -> dict[str, Any]:
    value = slots(value).get("listData", value)
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    return {str(place): item for place, item in enumerate(value, 1)}


def _is_table(value: Any) -> bool:
    if isinstance(value, Assay):
        return True
    return not isinstance(value, Variable) or is_matrix(value.values.shape, value.values.dtype.kind)


def _converted(value: Any, name: str) -> Any:
    """A data frame with texts unchanged; a numeric one, an array or a factor as a Variable; otherwise None."""
    import pandas as pd

    if isinstance(value, SimpleNamespace):
        if "Dim" in slots(value):
            matrix = matrix_of(value)
            return None if matrix is None else _dense(matrix, name)
        value = frame_of(value)
    if isinstance(value, pd.DataFrame):
        return _of_frame(value)
    if isinstance(value, pd.Categorical):
        levels = tuple(map(str, value.categories))
        cells = ["" if code < 0 else levels[code] for code in value.codes]
        return Variable(np.array(cells, dtype=object).reshape(-1, 1), levels=levels)
    rows, columns = None, None
    if hasattr(value, "coords"):  # a matrix with names
        if value.ndim == 2:
            rows, columns = names_of(value)
        value = value.to_numpy()
    if not isinstance(value, np.ndarray) or value.size > MOST_CELLS:
        return None
    if np.ma.isMaskedArray(value):
        value = np.ma.filled(value.astype(np.float64), np.nan)
    if value.dtype.kind == "f":
        value = quiet(value)
    if value.dtype.kind == "O":
        value = np.array(["" if cell is None else str(cell) for cell in value.ravel()], dtype=object)
    if value.ndim == 1:
        value = value.reshape(-1, 1)
    return Variable(value, rows, columns) if value.ndim == 2 else None


def _of_frame(frame: Any) -> Any:
    import pandas as pd

    if not frame.shape[1] or any(dtype.kind not in "iuf" for dtype in frame.dtypes):
        return frame
    numbers = quiet(frame.to_numpy(dtype=np.float64, na_value=np.nan))
    rows = None if isinstance(frame.index, pd.RangeIndex) else tuple(map(str, frame.index))
    return Variable(numbers, rows, tuple(map(str, frame.columns)), framed=True)


def _dense(matrix: Matrix, name: str) -> Variable:
    """A matrix of the Matrix package as a plain one."""
    rows, columns = matrix.shape
    if rows * columns > MOST_CELLS:
        raise too_large(name, rows, columns)
    if matrix.starts is None or matrix.places is None:
        return Variable(matrix.values, matrix.rows, matrix.columns)
    if len(matrix.starts) != (columns if matrix.by_columns else rows) + 1 or (matrix.places < 0).any():
        raise ValueError("index of a sparse matrix")
    filled = np.zeros(matrix.shape)
    where = matrix.places, np.repeat(np.arange(len(matrix.starts) - 1), np.diff(matrix.starts))
    np.add.at(filled, where if matrix.by_columns else where[::-1], matrix.values)  # checks the bounds
    return Variable(filled, matrix.rows, matrix.columns)


READER = Reader(
    "R",
    (".rdata", ".rda", ".rds"),
    _read,
    lambda content: content.data.startswith((*WORKSPACES, *OBJECTS)),
    ("part", "orientation", "row_ids", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
    library="rdata",
    article="a file of R",
)
