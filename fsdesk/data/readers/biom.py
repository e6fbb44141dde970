"""BIOM, tables of microbiome counts: HDF5 (versions 2) and JSON (1.0), with sample metadata and taxonomy.

This reader is our own, because the biom-format library must be compiled on some systems and has its own parser of HDF5
files without limits. The layout follows biom-format.org.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fsdesk.data.dataset import Table
from fsdesk.data.readers.annotated import Annotated, Described, Sheet
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.hdf5_parts import described, is_group, part, texts
from fsdesk.errors import DataError
from fsdesk.messages import joined

_MOST_JSON = 1 << 29  # its objects take about ten times as much memory
_LEVELS = "; "


def is_biom(file: Any) -> bool:
    """Whether an HDF5 file has the parts of a BIOM table."""
    return all(part(file, f"{axis}/ids") is not None for axis in ("observation", "sample"))


def is_biom_json(content: Content) -> bool:
    """Whether a text is a BIOM table of version 1.0."""
    head = content.data[:4000].lstrip()
    if not head.startswith(b"{"):
        return False
    return b"Biological Observation Matrix" in head or content.name.lower().endswith(".biom")


def biom_table(file: Any, name: str, wanted: str) -> Table:
    """Read counts: samples become rows, and the taxonomy describes the features. Raises DataError."""
    features, samples = (texts(part(file, f"{axis}/ids")) for axis in ("observation", "sample"))
    of_samples = _metadata(part(file, "sample/metadata"), len(samples))
    of_features = {
        title: each.cells for title, each in _metadata(part(file, "observation/metadata"), len(features)).items()
    }
    sheet = Sheet(Annotated(samples, features, of_samples, of_features), name)
    # The same counts are stored twice, by samples and by observations.
    axis = "sample" if is_group(part(file, "sample/matrix")) else "observation"
    matrix = [part(file, f"{axis}/matrix/{key}") for key in ("indptr", "indices", "data")]
    sheet.fill_sparse(*matrix, by_samples=axis == "sample")
    return sheet.table(joined(", ", [name, "BIOM"]))


def _metadata(group: Any, count: int) -> dict[str, Described]:
    """Metadata of an axis; the levels of a taxonomy are joined into one text."""
    found: dict[str, Described] = {}
    for key in group if is_group(group) else ():
        node = part(group, key)
        if len(getattr(node, "shape", None) or ()) == 2 and node.shape[0] == count and node.shape[1]:
            levels = [texts_of_column(node, place) for place in range(min(node.shape[1], 20))]
            found[key] = Described(texts=[_LEVELS.join(filter(None, each)) for each in zip(*levels, strict=True)])
        elif (column := described(node)) is not None and len(column.cells) == count:
            found[key] = column
    return found


def texts_of_column(node: Any, place: int) -> list[str]:
    """One column of a text dataset."""
    values = node.asstr(errors="replace")[:, place]
    return [str(value).strip() for value in values]


def biom_json_table(content: Content) -> Table:
    """Read a table of version 1.0, dense or sparse. Raises DataError."""
    name = content.name
    if len(content.data) > _MOST_JSON:
        raise DataError('"{name}" is too large to be read as JSON; convert it to BIOM 2.1 (HDF5).', name=name)
    try:
        made = json.loads(content.data)
        return _of_json(made, name)
    except DataError:
        raise
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError):
        raise DataError('"{name}" is a damaged BIOM file; save it again.', name=name) from None


def _of_json(made: Mapping[str, Any], name: str) -> Table:
    rows, columns = made["rows"], made["columns"]
    features, samples = ([str(each["id"]) for each in axis] for axis in (rows, columns))
    about = Annotated(samples, features, _of_axis(columns), {key: each.cells for key, each in _of_axis(rows).items()})
    sheet = Sheet(about, name)
    if made["matrix_type"] == "dense":
        sheet.fill(np.array(made["data"], dtype=np.float64).reshape(len(features), len(samples)), turned=True)
    elif made["data"]:
        cells = np.array(made["data"], dtype=np.float64)
        places = cells[:, :2].astype(np.int64)
        if places.min() < 0:
            raise ValueError("index")
        np.add.at(sheet.values, (places[:, 1], places[:, 0]), cells[:, 2])
    return sheet.table(joined(", ", [name, "BIOM"]))


def _of_axis(axis: Sequence[Mapping[str, Any]]) -> dict[str, Described]:
    """Metadata by title: numbers if all are numeric, otherwise texts."""
    titles = dict.fromkeys(key for each in axis for key in (each.get("metadata") or {}))
    found: dict[str, Described] = {}
    for title in titles:
        cells = [(each.get("metadata") or {}).get(title) for each in axis]
        numeric = [isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells if cell is not None]
        if numeric and all(numeric):
            found[title] = Described(np.array([np.nan if cell is None else float(cell) for cell in cells]))
        else:
            found[title] = Described(texts=[_cell(cell) for cell in cells])
    return found


def _cell(cell: Any) -> str:
    if isinstance(cell, list):
        return _LEVELS.join(str(each) for each in cell)
    return "" if cell is None else str(cell).strip()
