"""R's own files (.RData, .rda, .rds): a data frame, or a matrix and a factor, through the rdata library."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from fsdesk.data.dataset import Table
from fsdesk.data.frame import table_of_frame
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import (
    MOST_CELLS,
    Variable,
    among,
    choose_group,
    is_matrix,
    paths_of,
    several_tables,
    table_of_matrices,
)
from fsdesk.data.readers.reader import Reader
from fsdesk.data.readers.readstat import levels_of
from fsdesk.errors import DataError

_WORKSPACES = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")
_OBJECTS = (b"X\n\0\0\0\2", b"X\n\0\0\0\3", b"A\n2\n", b"A\n3\n", b"B\n\2\0\0\0", b"B\n\3\0\0\0")
_DEEPEST = 4
_LONGEST_COUNT = 1 << 24  # for 1:n, which R stores as two numbers


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a data frame, or the matrix ``x`` and the factor ``y`` of a list or of the workspace.

    ``options.part`` names the object if there are several ("list/matrix" for one in a list). Row and column names are
    kept; factors keep the order of their levels. Raises DataError for a damaged file, or one without a data frame or a
    numeric matrix.
    """
    import rdata

    name, data = content.name, content.data
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # for unknown R classes, whose plain content is sufficient
            if not data.startswith((*_WORKSPACES, *_OBJECTS)):  # rdata would unpack doubly packed data, however large
                raise ValueError("no mark of R")
            parsed = rdata.parser.parse_data(
                data,
                altrep_constructor_dict=_bounded(rdata.parser.DEFAULT_ALTREP_MAP),
                extension=None if data.startswith(_WORKSPACES) else ".rds",
            )
            makers: dict[Any, Any] = {
                **rdata.conversion.DEFAULT_CLASS_MAP,
                "integer64": _integers,
                "haven_labelled": _labelled,
                "haven_labelled_spss": _labelled,
                "data.frame": partial(_frame, rdata.conversion.dataframe_constructor),
            }
            found = rdata.conversion.convert(parsed, makers)
            titles = dict(_titles(parsed.object))
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except Exception:
        raise DataError(
            '"{name}" is not an R file or is damaged; save it again with saveRDS or save.', name=name
        ) from None
    groups = dict(_groups(found, "", 0))
    tables = {path: [key for key, value in group.items() if _is_table(value)] for path, group in groups.items()}
    paths = paths_of(tables)
    path, wanted = choose_group(tables, options.part, name)
    title = f'{name}, R, "{path}"' if path else f"{name}, R"
    group, keys = groups[path], [wanted] if wanted else tables[path]
    frames = [key for key in keys if not isinstance(group[key], Variable)]
    if frames and len(keys) > 1:
        raise several_tables([f"{path}/{key}".lstrip("/") for key in keys], name)
    if frames:
        table = table_of_frame(group[frames[0]], name, f'{title}, "{frames[0]}"', options)
        told = {column: titles[column] for column in table.columns if titles.get(column, column) != column}
        table = replace(table, descriptions={**told, **table.descriptions})
        return among(table, paths, f"{path}/{frames[0]}".lstrip("/"))
    variables = {key: value for key, value in group.items() if isinstance(value, Variable)}
    return table_of_matrices(variables, name, title.removeprefix(f"{name}, "), options, wanted, paths, path)


_NO_INTEGER64 = np.iinfo(np.int64).min


def _integers(values: Any, attributes: Mapping[str, Any]) -> Any:
    """64-bit integers of the bit64 package, which keeps their bits in R's doubles."""
    bits = np.ascontiguousarray(np.ma.getdata(values), dtype=np.float64).view(np.int64)
    return np.where(bits == _NO_INTEGER64, np.nan, bits.astype(np.float64))


def _labelled(values: Any, attributes: Mapping[str, Any]) -> Any:
    """Values of R's haven package, with labels as in SPSS: categories if all values have a label.

    Values declared missing in the file are missing.
    """
    import pandas as pd

    cells = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan) if values.dtype.kind in "iuf" else values
    cells = cells.copy()
    missing = np.isin(cells, np.asarray(attributes.get("na_values", ())))
    if cells.dtype.kind == "f" and "na_range" in attributes:
        low, high = np.asarray(attributes["na_range"], dtype=np.float64)
        missing |= (cells >= low) & (cells <= high)
    known = [None if gone or cell is None or cell != cell else cell
             for cell, gone in zip(cells.tolist(), missing, strict=True)]  # fmt: skip
    absent, named = {*cells[missing].tolist()}, attributes.get("labels")
    if named is not None and hasattr(named, "coords"):
        codes, words = named.to_numpy().tolist(), named.coords["dim_0"].to_numpy().tolist()
        labels = {code: str(word) for code, word in zip(codes, words, strict=True) if code not in absent}
        levels = levels_of([cell for cell in known if cell is not None], labels, "")
        if levels:
            return pd.Categorical([None if cell is None else levels[cell] for cell in known], [*levels.values()])
    if cells.dtype.kind != "f":
        return np.array(known, dtype=object)
    return np.array([np.nan if cell is None else cell for cell in known])


def _titles(value: Any) -> Iterator[tuple[str, str]]:
    """The variable labels of data frame columns, by column name."""
    attributes = _attributes(value)
    inner = value.value if isinstance(value.value, (list, tuple)) else ()
    names = attributes.get("names")
    for place, column in enumerate(inner):
        if not hasattr(column, "attributes"):
            continue
        label = _attributes(column).get("label")
        if names is not None and label is not None and place < len(names.value) and isinstance(label.value, list):
            words = [_word(each) for each in label.value[:1]]
            yield _word(names.value[place]), " ".join(words[0].split()) if words else ""
        yield from _titles(column)


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of a parsed object by name."""
    found: dict[str, Any] = {}
    node = value.attributes
    while node is not None and isinstance(node.value, tuple) and len(node.value) == 2:
        tag = node.tag if node.tag is None or node.tag.referenced_object is None else node.tag.referenced_object
        if tag is not None:
            found[_word(tag.value)] = node.value[0]
        node = node.value[1]
    return found


def _word(value: Any) -> str:
    content = getattr(value, "value", None)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _frame(construct: Callable[..., Any], columns: Any, attributes: Mapping[str, Any]) -> Any:
    """A data frame in which each column of a nested matrix or data frame is a separate column."""
    if not isinstance(columns, Mapping):
        return construct(columns, attributes)
    flat: dict[str, Any] = {}
    # Matrices first: a measurement beside one is more likely the target, which comes last.
    for name, column in sorted(columns.items(), key=lambda each: not _is_wide(each[1])):
        for title, values in _flattened(name, column):
            number, free = 2, title
            while free in flat:
                free, number = f"{title}_{number}", number + 1
            flat[free] = _quiet(values) if isinstance(values, np.ndarray) and values.dtype.kind == "f" else values
    return construct(flat, attributes)


def _quiet(values: Any) -> Any:
    """The values with standard NaN bits: numpy warns about the NaN of R's NA."""
    missing = np.isnan(values)
    return np.where(missing, np.nan, values) if missing.any() else values


def _is_wide(column: Any) -> bool:
    return hasattr(column, "columns") or getattr(column, "ndim", 1) == 2


def _flattened(name: str, column: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(column, "columns"):
        for inner in column.columns:
            yield f"{name}.{inner}", column[inner].to_numpy()
        return
    if getattr(column, "ndim", 1) != 2:
        yield name, column
        return
    titles: list[Any] = list(range(1, column.shape[1] + 1))
    if hasattr(column, "coords") and column.coords.get(column.dims[1]) is not None:
        titles = column.coords[column.dims[1]].to_numpy().tolist()
    values = column.to_numpy() if hasattr(column, "to_numpy") else column
    for place, title in enumerate(titles):
        yield f"{name}.{title}", values[:, place]


def _bounded(makers: Mapping[bytes, Callable[[Any], Any]]) -> dict[bytes, Callable[[Any], Any]]:
    """Expands R's compact vectors, with a limit on sequences such as 1:1000000000."""

    def limited(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def made(state: Any) -> Any:
            if not state.value[0] <= _LONGEST_COUNT:
                raise ValueError("endless sequence")
            return make(state)

        return made

    return {name: limited(make) if name.startswith(b"compact_") else make for name, make in makers.items()}


def _groups(value: Any, path: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every list by its path, with its data frames and arrays by name; a single object is named data."""
    inner: Mapping[str, Any] = _members(value) if _is_list(value) else {"data": value}
    converted = {key: _converted(item) for key, item in inner.items() if not _is_list(item)}
    yield path, {key: item for key, item in converted.items() if item is not None}
    if depth < _DEEPEST:
        for key, item in inner.items():
            if _is_list(item):
                yield from _groups(item, f"{path}/{key}".lstrip("/"), depth + 1)


def _is_list(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _members(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    return {str(place): item for place, item in enumerate(value, 1)}


def _is_table(value: Any) -> bool:
    return not isinstance(value, Variable) or is_matrix(value.values.shape, value.values.dtype.kind)


def _converted(value: Any) -> Any:
    """A data frame with texts unchanged; a numeric one, an array or a factor as a Variable; otherwise None."""
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        if not value.shape[1] or any(dtype.kind not in "iuf" for dtype in value.dtypes):
            return value
        numbers = _quiet(value.to_numpy(dtype=np.float64, na_value=np.nan))
        counted = isinstance(value.index, pd.RangeIndex)
        rows = None if counted else tuple(map(str, value.index))
        return Variable(numbers, rows, tuple(map(str, value.columns)), framed=True)
    if isinstance(value, pd.Categorical):
        levels = tuple(map(str, value.categories))
        cells = ["" if code < 0 else levels[code] for code in value.codes]
        return Variable(np.array(cells, dtype=object).reshape(-1, 1), levels=levels)
    rows, columns = None, None
    if hasattr(value, "coords"):  # a matrix with names
        names = [value.coords.get(dimension) for dimension in value.dims]
        if len(names) == 2:
            rows, columns = (None if label is None else tuple(map(str, label.to_numpy())) for label in names)
        value = value.to_numpy()
    if not isinstance(value, np.ndarray) or value.size > MOST_CELLS:
        return None
    if np.ma.isMaskedArray(value):
        value = np.ma.filled(value.astype(np.float64), np.nan)
    if value.dtype.kind == "f":
        value = _quiet(value)
    if value.dtype.kind == "O":
        value = np.array(["" if cell is None else str(cell) for cell in value.ravel()], dtype=object)
    if value.ndim == 1:
        value = value.reshape(-1, 1)
    return Variable(value, rows, columns) if value.ndim == 2 else None


READER = Reader(
    "R",
    (".rdata", ".rda", ".rds"),
    _read,
    lambda content: content.data.startswith((*_WORKSPACES, *_OBJECTS)),
    ("part", "orientation", "row_ids", "labels", "labels_by", "types", "replicates"),
    binary=True,
    library="rdata",
    article="a file of R",
)
