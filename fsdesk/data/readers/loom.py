"""Loom files: one gene per row, with attributes of genes and cells, and layers.

This reader is our own, because the loompy library opens files by path only and writes to them. The layout follows its
specification, versions 1 to 3.
"""

from typing import Any

from fsdesk.data.dataset import Table
from fsdesk.data.readers.annotated import Annotated, Described, Sheet
from fsdesk.data.readers.hdf5_parts import described, is_dataset, is_group, part
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_GENES = ("gene", "genes", "gene_name", "gene_names", "gene_symbol", "var_names", "name", "accession", "id")
_CELLS = ("cellid", "cell_id", "cell_ids", "obs_names", "cell", "cells", "barcode", "barcodes", "sample", "id")


def is_loom(file: Any) -> bool:
    """Whether a file has the parts of a loom file."""
    return is_dataset(part(file, "matrix"), 2) and all(is_group(part(file, key)) for key in ("row_attrs", "col_attrs"))


def loom_table(file: Any, name: str, wanted: str) -> Table:
    """Read the main matrix or a layer: cells become rows, their attributes describe them. Raises DataError."""
    layers = part(file, "layers")
    paths = ["matrix", *(f"layers/{key}" for key in layers if key)] if is_group(layers) else ["matrix"]
    main = part(file, "matrix")
    paths = [path for path in paths if getattr(part(file, path), "shape", None) == main.shape]
    chosen = wanted.strip().strip("/") or "matrix"
    if chosen not in paths:
        there = message("choose one of: {paths}", paths=quoted(paths, 5))
        raise DataError('"{name}" has no part "{wanted}"; {there}.', name=name, wanted=wanted, there=there)
    genes, cells = main.shape
    features, of_features = _named(_attributes(part(file, "row_attrs"), genes), _GENES, genes, "x")
    samples, of_samples = _named(_attributes(part(file, "col_attrs"), cells), _CELLS, cells, "")
    words = {title: each.cells for title, each in of_features.items() if each.numbers is None}
    sheet = Sheet(Annotated(samples, features, of_samples, words), name)
    sheet.fill(part(file, chosen), turned=True)
    source = joined(", ", [name, "loom", message('"{name}"', name=chosen)])
    return sheet.table(source, parts=paths, part=chosen)


def _attributes(group: Any, count: int) -> dict[str, Described]:
    """Numeric and text attributes for this many genes or cells, in order."""
    found = {key: described(part(group, key)) for key in group}
    return {key: each for key, each in found.items() if each is not None and len(each.cells) == count}


def _named(
    found: dict[str, Described], known: tuple[str, ...], count: int, prefix: str
) -> tuple[list[str], dict[str, Described]]:
    """Names from the known name attribute, otherwise from one with unique texts, otherwise numbers."""
    words = {key: each.cells for key, each in found.items() if each.numbers is None}
    title = next((key for name in known for key in words if key.lower() == name), None)
    title = title or next((key for key, cells in words.items() if len(set(cells)) == count), None)
    if title is None:
        return [f"{prefix}{place}" for place in range(1, count + 1)], found
    return words[title], {key: each for key, each in found.items() if key != title}
