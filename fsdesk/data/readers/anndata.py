"""AnnData (.h5ad, and the modalities of .h5mu): cells with their observations, for encodings since 2018.

This reader is our own, because files may be untrusted: the anndata library reads the whole file, and parts in other
files. The layout follows "On-disk format" in its documentation, and its older versions.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Table
from fsdesk.data.readers.annotated import Annotated, Described, Sheet
from fsdesk.data.readers.hdf5_parts import coded, described, is_dataset, is_group, part, text, texts
from fsdesk.data.readers.matrices import several_tables
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_INDEX = ("_index", "index", "obs_names", "var_names")
_BY_SAMPLES = {"csr_matrix": True, "csc_matrix": False, "csr": True, "csc": False}


def is_anndata(file: Any) -> bool:
    """Whether a file contains annotated data, directly or as modalities."""
    kind = text(file.attrs.get("encoding-type", ""))
    return kind.lower() in ("anndata", "mudata") or _is_annotated(file) or bool(list(_modalities(file)))


def _is_annotated(group: Any) -> bool:
    return part(group, "obs") is not None and part(group, "var") is not None


def _modalities(file: Any) -> Iterator[tuple[str, Any]]:
    within = part(file, "mod")
    if is_group(within):
        for key in within:
            inner = part(within, key)
            if is_group(inner) and _is_annotated(inner):
                yield f"mod/{key}/", inner


def anndata_table(file: Any, name: str, wanted: str) -> Table:
    """Read X or a layer: cells are rows, genes features, and observations describe the cells.

    ``wanted`` names a matrix, such as "layers/counts" or "raw/X"; X by default. Raises DataError.
    """
    found = _matrices(file)
    paths = list(found)
    if not paths:
        raise DataError('"{name}" is an AnnData file without a cell-by-gene matrix; choose another one.', name=name)
    chosen = wanted.strip().strip("/")
    if not chosen:
        chosen = next((path for path in paths if path == "X"), paths[0] if len(paths) == 1 else "")
    if not chosen:
        raise several_tables(paths, name)
    if chosen not in found:
        raise DataError(
            '"{name}" has no part "{wanted}"; {there}.',
            name=name,
            wanted=wanted,
            there=message("choose one of: {paths}", paths=quoted(paths, 5)),
        )
    group, matrix, features = found[chosen]
    samples, of_samples = _frame(group, "obs")
    names, of_features = features
    about = Annotated(samples, names, of_samples, {title: each.cells for title, each in of_features.items()})
    sheet = Sheet(about, name)
    if is_group(matrix):
        by_samples = _BY_SAMPLES[_sparse_kind(matrix)]
        kept = [part(matrix, key) for key in ("indptr", "indices", "data")]
        if not all(is_dataset(each, 1) or _is_long(each) for each in kept):
            raise ValueError("sparse matrix")
        sheet.fill_sparse(*kept, by_samples=by_samples)
    else:
        sheet.fill(matrix)
    source = joined(", ", [name, "AnnData", message('"{name}"', name=chosen)])
    return sheet.table(source, parts=paths, part=chosen)


Features = tuple[list[str], dict[str, Described]]


def _matrices(file: Any) -> dict[str, tuple[Any, Any, Features]]:
    """Every matrix of cells and genes by its path: the group of its observations, the matrix, and its features."""
    found: dict[str, tuple[Any, Any, Features]] = {}
    groups = [("", file), *_modalities(file)] if _is_annotated(file) else list(_modalities(file))
    for path, group in groups:
        own, cells = _frame(group, "var", words_only=True), len(_frame(group, "obs", names_only=True)[0])
        raw = _frame(group, "raw/var", words_only=True) if part(group, "raw/var") is not None else own
        if part(group, "raw.var") is not None:
            raw = _frame(group, "raw.var", words_only=True)
        layers = part(group, "layers")
        inner = [f"layers/{key}" for key in layers] if is_group(layers) else []
        for key, features in (("X", own), *((each, own) for each in inner), ("raw/X", raw), ("raw.X", raw)):
            matrix = part(group, key)
            if _shape(matrix) == (cells, len(features[0])):
                found[f"{path}{key}"] = (group, matrix, features)
    if [path for path, _ in groups] == [""]:
        return found
    return {key: value for key, value in found.items() if key.startswith("mod/")}


def _shape(matrix: Any) -> tuple[int, ...] | None:
    """Numbers of rows and columns of a dense or sparse numeric matrix; None for anything else."""
    if is_group(matrix) and _sparse_kind(matrix) in _BY_SAMPLES:
        sides = matrix.attrs.get("shape", matrix.attrs.get("h5sparse_shape", ()))
        return tuple(int(side) for side in np.asarray(sides).ravel())
    if matrix is None or is_group(matrix) or matrix.shape is None or matrix.dtype.kind not in "biuf":
        return None
    return tuple(matrix.shape)


def _sparse_kind(group: Any) -> str:
    return text(group.attrs.get("encoding-type", group.attrs.get("h5sparse_format", "")))


def _is_long(node: Any) -> bool:
    """Whether this is a numeric array of a sparse matrix, which may be longer than lists of names."""
    return getattr(node, "shape", None) is not None and hasattr(node, "dtype") and len(node.shape) == 1


def _frame(
    group: Any, key: str, *, words_only: bool = False, names_only: bool = False
) -> tuple[list[str], dict[str, Described]]:
    """Names and columns of obs or var, stored as a group or, before version 0.7, as a record dataset.

    Parameters
    ----------
    words_only, names_only
        Whether to omit numeric columns; whether to omit all columns.
    """
    frame = part(group, key)
    if hasattr(frame, "dtype"):
        return _records(group, frame, words_only=words_only, names_only=names_only)
    index = text(frame.attrs.get("_index", ""))
    index = next((each for each in (index, *_INDEX) if each and each in frame), "")
    names = texts(_plain(part(frame, index)))
    if names_only:
        return names, {}
    order = [text(each) for each in np.asarray(frame.attrs.get("column-order", ())).ravel()]
    keys = [each for each in (*order, *(each for each in frame if each not in order)) if each in frame]
    columns: dict[str, Described] = {}
    for each in dict.fromkeys(keys):
        if each in (index, "__categories"):
            continue
        column = _column(part(frame, each), frame)
        if column is None or len(column.cells) != len(names) or (words_only and column.numbers is not None):
            continue
        columns[each] = column
    return names, columns


def _column(node: Any, frame: Any) -> Described | None:
    """One column: plain, of categories, or with a mask of missing values."""
    if node is None:
        return None
    if is_group(node):
        kind = text(node.attrs.get("encoding-type", ""))
        if kind == "categorical" and is_dataset(part(node, "codes"), 1):
            return coded(part(node, "codes")[()], _plain(part(node, "categories")))
        if kind.startswith("nullable") and is_dataset(part(node, "mask"), 1):
            return _masked(described(part(node, "values")), part(node, "mask")[()])
        return None
    own = part(frame, f"__categories/{node.name.rpartition('/')[2]}")  # before version 0.8
    return coded(node[()], own) if own is not None and is_dataset(node, 1) else described(node)


def _plain(node: Any) -> Any:
    """The texts of a column that pandas, from version 3 on, stores with a mask of missing values; other nodes as is."""
    return part(node, "values") if is_group(node) and part(node, "values") is not None else node


def _masked(column: Described | None, mask: NDArray[Any]) -> Described | None:
    if column is None:
        return None
    if column.numbers is not None:
        return Described(np.where(mask.astype(np.bool_), np.nan, column.numbers))
    return Described(texts=["" if gone else cell for cell, gone in zip(column.texts, mask.tolist(), strict=True)])


def _records(group: Any, frame: Any, *, words_only: bool, names_only: bool) -> tuple[list[str], dict[str, Described]]:
    """A record dataset, one record per cell or gene; categories are stored under the unstructured data."""
    if not is_dataset(frame, 1) or frame.dtype.names is None:
        raise ValueError("no records")
    fields = list(frame.dtype.names)
    index = next((each for each in _INDEX if each in fields), fields[0])
    records: Mapping[str, NDArray[Any]] = {each: frame[each] for each in ([index] if names_only else fields)}
    names = _words(records[index])
    columns: dict[str, Described] = {}
    for each, values in records.items():
        kept = part(group, f"uns/{each}_categories")
        if each == index:
            continue
        if kept is not None and values.dtype.kind in "iu":
            columns[each] = coded(values, kept)
        elif values.dtype.kind in "biuf" and not words_only:
            columns[each] = Described(values.astype(np.float64))
        elif values.dtype.kind in "SOU":
            columns[each] = Described(texts=_words(values))
    return names, columns


def _words(values: NDArray[Any]) -> list[str]:
    return [text(value).strip() for value in values.tolist()]
