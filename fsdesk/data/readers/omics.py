"""Single-cell and microbiome files: detection of the layout and choice of the reader."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.anndata import anndata_table, is_anndata
from fsdesk.data.readers.biom import biom_json_table, biom_table, is_biom, is_biom_json
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.gctx import gctx_table, is_gctx
from fsdesk.data.readers.hdf5 import is_hdf5
from fsdesk.data.readers.hdf5_parts import open_hdf5
from fsdesk.data.readers.loom import is_loom, loom_table
from fsdesk.data.readers.reader import Reader
from fsdesk.data.readers.tenx import is_tenx, tenx_table
from fsdesk.errors import DataError

_LAYOUTS: dict[str, tuple[Callable[[Any], bool], Callable[[Any, str, str], Table]]] = {
    "AnnData": (is_anndata, anndata_table),
    "loom": (is_loom, loom_table),
    "GCTX": (is_gctx, gctx_table),
    "BIOM": (is_biom, biom_table),
    "10x Genomics": (is_tenx, tenx_table),
}
_SUFFIXES = {".h5ad": "AnnData", ".h5mu": "AnnData", ".loom": "loom", ".gctx": "GCTX", ".biom": "BIOM"}


def _layout(content: Content) -> str:
    """Name of the layout of an HDF5 file; "" if it is none of these, or damaged."""
    with suppress(DataError, ImportError), open_hdf5(content, "HDF5") as file:
        return next((title for title, (fits, _) in _LAYOUTS.items() if fits(file)), "")
    return ""


def _recognises(content: Content) -> bool:
    if is_hdf5(content):
        return content.name.lower().endswith(tuple(_SUFFIXES)) or bool(_layout(content))
    return is_biom_json(content)


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a table by its layout: samples become rows; their descriptions become candidate targets after the features.

    ``options.part`` names a layer if there are several matrices. Raises DataError for a file that is damaged or too
    large, or has another layout than its name suggests.
    """
    import h5py  # noqa: F401  # so that a missing library is reported

    name = content.name
    if is_biom_json(content):
        return biom_json_table(content)
    said = next((title for end, title in _SUFFIXES.items() if name.lower().endswith(end)), "HDF5")
    layout = _layout(content) if is_hdf5(content) else ""
    if not layout:
        raise DataError(
            '"{name}" is not a valid {kind} file. Write it again with the library that created it.',
            name=name,
            kind=said,
        )
    with open_hdf5(content, layout) as file:
        return _LAYOUTS[layout][1](file, name, options.part)


READER = Reader(
    "AnnData, loom, 10x Genomics, GCTX, BIOM",
    (*_SUFFIXES, "_bc_matrix.h5"),
    _read,
    _recognises,
    ("part", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
    library="h5py",
    article="a file of cells or counts in HDF5",
)
