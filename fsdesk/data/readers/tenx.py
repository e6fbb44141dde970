"""Matrices of 10x Genomics' Cell Ranger: HDF5, or three text files in a folder or a zip file.

Matrix Market is parsed here by pandas: scipy's compiled reader is not included in the installers, and trusts the sizes
in a file's header.
"""

import io
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.annotated import Annotated, Described, Sheet
from fsdesk.data.readers.content import PACKED_SUFFIXES, ZIP, Content, unpack
from fsdesk.data.readers.hdf5_parts import is_dataset, is_group, part, texts
from fsdesk.data.readers.matrices import several_tables
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_MATRIX, _BARCODES = "matrix.mtx", "barcodes.tsv"
_FEATURES = ("features.tsv", "genes.tsv")
_BANNER = b"%%MatrixMarket"
_TITLES = ("id", "name", "type")
_GROUPS = ("barcodes", "data", "indices", "indptr", "shape")
_SMALLEST = 4  # bytes of a line of Matrix Market


def _genomes(file: Any) -> list[str]:
    """Groups that contain a matrix: "matrix" since Cell Ranger 3, one for each genome before."""
    return [key for key in file if is_group(part(file, key)) and all(each in part(file, key) for each in _GROUPS)]


def is_tenx(file: Any) -> bool:
    """Whether an HDF5 file is one of Cell Ranger."""
    return bool(_genomes(file))


def tenx_table(file: Any, name: str, wanted: str) -> Table:
    """Read counts: cells become rows, named by barcode, and features are named by name. Raises DataError."""
    paths = _genomes(file)
    chosen = wanted.strip().strip("/") or (paths[0] if len(paths) == 1 else "")
    if not chosen:
        raise several_tables(paths, name)
    if chosen not in paths:
        there = message("choose one of: {paths}", paths=quoted(paths, 5))
        raise DataError('"{name}" has no part "{wanted}"; {there}.', name=name, wanted=wanted, there=there)
    group = part(file, chosen)
    kept = part(group, "features")
    if is_group(kept):
        named = {title: part(kept, key) for title, key in zip(_TITLES, ("id", "name", "feature_type"), strict=True)}
    else:
        named = {"id": part(group, "genes"), "name": part(group, "gene_names"), "type": None}
    columns = {title: texts(node) for title, node in named.items() if is_dataset(node, 1)}
    sheet = Sheet(_about(texts(part(group, "barcodes")), columns), name)
    # Columns of the matrix are cells: features x cells compressed by columns equals cells x features compressed by
    # rows.
    sheet.fill_sparse(*(part(group, key) for key in ("indptr", "indices", "data")), by_samples=True)
    return sheet.table(joined(", ", [name, "10x Genomics"]), parts=paths, part=chosen)


def _about(barcodes: list[str], columns: dict[str, list[str]]) -> Annotated:
    """Cells by barcode, features by name or, if unnamed, by ID; the sample number at the end of barcodes."""
    names = columns.get("name") or columns["id"]
    others = {title: cells for title, cells in columns.items() if cells is not names}
    ends = [code.rpartition("-")[2] for code in barcodes]
    numbered = all(end.isdecimal() for end in ends) and len(set(ends)) > 1
    return Annotated(barcodes, names, {"sample": Described(texts=ends)} if numbered else {}, others)


def tenx_matrix(folder: Path) -> Path | None:
    """The matrix in a folder written by Cell Ranger; None if there is none, or several."""
    found = [path for path in sorted(folder.iterdir()) if _prefix(path.name) is not None] if folder.is_dir() else []
    return found[0] if len(found) == 1 else None


def _prefix(name: str) -> str | None:
    """The prefix of "matrix.mtx" in a file's name, such as a GEO sample number."""
    plain = next((name[: -len(end)] for end in PACKED_SUFFIXES if name.lower().endswith(end)), name)
    return plain[: -len(_MATRIX)] if plain.lower().endswith(_MATRIX) else None


def _is_market(content: Content) -> bool:
    return content.data.startswith(_BANNER) or any(_prefix(name) is not None for name in content.members)


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a matrix with the feature and barcode files beside it, in a folder or in the same zip file.

    Raises DataError if one of them is missing or does not fit, or the matrix is damaged.
    """
    name = content.name
    if content.data.startswith(ZIP):
        inside = {PurePosixPath(member).name: member for member in content.members}
        matrix = [each for each in inside if _prefix(each) is not None]
        if len(matrix) != 1:
            raise several_tables(matrix, name)
        beside = {each: content.member(member) for each, member in inside.items() if _belongs(each, matrix[0])}
        data = unpack(content.member(inside[matrix[0]]), matrix[0])[0]
        own = matrix[0]
    else:
        folder, own, data = content.folder, content.name, content.data
        around = sorted(folder.iterdir()) if folder is not None else []
        beside = {path.name: path.read_bytes() for path in around if path.is_file() and _belongs(path.name, own)}
    lists = {each: unpack(packed, each)[0].decode("utf-8", "replace") for each, packed in beside.items()}
    barcodes = next((text for each, text in lists.items() if _BARCODES in each.lower()), None)
    features = next((text for each, text in lists.items() if _BARCODES not in each.lower()), None)
    if barcodes is None or features is None:
        raise DataError(
            '"{name}" is a matrix without names. Put the matching files features.tsv (or genes.tsv) and barcodes.tsv '
            "into the same folder, and open it there.",
            name=name,
        )
    rows = [line.split("\t") for line in features.splitlines() if line.strip()]
    columns = {
        title: [row[j].strip() for row in rows] for j, title in enumerate(_TITLES) if all(len(row) > j for row in rows)
    }
    cells = [line.split("\t")[0].strip() for line in barcodes.splitlines() if line.strip()]
    sheet = Sheet(_about(cells, columns), name)
    try:
        _fill(sheet.values, data)
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except (ValueError, IndexError, OverflowError):
        raise DataError(
            '"{name}" is damaged, or does not match the {features:,} features and {cells:,} cells next to it. '
            "Download or copy the files again.",
            name=own,
            features=len(rows),
            cells=len(cells),
        ) from None
    return sheet.table(joined(", ", [name, "10x Genomics"]))


def _belongs(name: str, matrix: str) -> bool:
    """Whether a file contains the row or column names of a matrix."""
    prefix = (_prefix(matrix) or "").lower()
    plain = name.lower().removesuffix(".gz")
    return any(plain == f"{prefix}{each}" for each in (_BARCODES, *_FEATURES))


def _fill(values: NDArray[np.float64], data: bytes) -> None:
    """Convert a Matrix Market file of features x cells to cells x features; ValueError if damaged."""
    banner, _, rest = data.partition(b"\n")
    words = banner.decode("ascii").lower().split()
    if len(words) < 5 or words[2] != "coordinate" or words[4] != "general" or words[3] == "complex":
        raise ValueError("an unusual kind of matrix")
    while rest.startswith(b"%"):
        rest = rest.partition(b"\n")[2]
    head, _, body = rest.partition(b"\n")
    features, cells, count = map(int, head.split())
    if (cells, features) != values.shape or not 0 <= count <= len(body) // _SMALLEST + 1:
        raise ValueError("other sizes")
    found = 0
    for block in _entries(body, pattern=words[3] == "pattern"):
        places = block[:, :2].astype(np.int64) - 1
        if places.min() < 0:
            raise ValueError("index")
        np.add.at(values, (places[:, 1], places[:, 0]), block[:, 2] if block.shape[1] > 2 else 1.0)
        found += len(block)
    if found != count:
        raise ValueError("cut short")


def _entries(body: bytes, *, pattern: bool) -> Iterator[NDArray[np.float64]]:
    import pandas as pd

    if not body.strip():
        return
    with pd.read_csv(
        io.BytesIO(body),
        sep=r"\s+",
        header=None,
        names=list(range(2 if pattern else 3)),
        index_col=False,
        dtype=np.float64,
        chunksize=1 << 21,
        na_filter=False,
    ) as reader:
        for chunk in reader:
            yield chunk.to_numpy()


READER = Reader(
    "10x Genomics",
    (".mtx",),
    _read,
    _is_market,
    ("labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
)
