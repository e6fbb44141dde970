"""GCT, the format of GenePattern (1.2) and of the Connectivity Map (1.3): features in rows.

This reader is our own: a tab-separated text handled like all others, after two special lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fsdesk.data.cells import MISSING, Row, ragged
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions, as_features_in_rows
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.reader import Reader
from fsdesk.data.roles import description_rows, with_descriptions
from fsdesk.errors import DataError

_VERSIONS = ("#1.2", "#1.3")
_NO_VALUE = "-666"  # the Connectivity Map's mark in descriptions


@dataclass(frozen=True)
class _Shape:
    """The second line: numbers of features, samples, columns describing features, rows describing samples."""

    features: int
    samples: int
    feature_fields: int
    sample_fields: int

    @property
    def width(self) -> int:
        return 1 + self.feature_fields + self.samples


def _is_gct(content: Content) -> bool:
    """Whether the first line is that of GCT 1.2 or 1.3."""
    return content.head[:4] in _VERSIONS and not content.head.split("\n", 1)[0][4:].strip()


def _read(content: Content, options: ReadOptions) -> Table:
    """Read GCT: samples become rows, and their descriptions (version 1.3) become candidate targets after the features.

    Features are named by the first column (Name or id); the other columns that describe them are the table's
    descriptions. Raises DataError if the second line does not match the content.
    """
    text, name = content.text(), content.name
    if not _is_gct(content):
        raise DataError(
            'The first line of "{name}" is neither "#1.2" nor "#1.3", so it is not a GCT file; save it again.',
            name=name,
        )
    version = text.text[1:4]
    lines = [(number, line) for number, line in enumerate(text.text.split("\n"), 1) if line.strip()]
    shape = _shape(lines[1:2], version, name)
    found = len(lines) - 3 - shape.sample_fields
    if found != shape.features:
        raise DataError(
            '"{name}" has {found:,} features, but its second line says {features:,}; it is truncated or that line is '
            "wrong.",
            name=name,
            found=max(found, 0),
            features=shape.features,
        )
    first = 3 + shape.sample_fields
    described = {
        row[0].strip(): ["" if cell.strip() == _NO_VALUE else cell.strip() for cell in row[1:]]
        for _, row in _rows(lines[3:first], shape, name)
    }
    extra = description_rows(described)

    def rows() -> Iterator[tuple[int, Row]]:
        yield from _rows([lines[2], *lines[first:]], shape, name)
        for row in extra:
            yield 0, list(row)

    grid = Grid(name, f"{name}, GCT {version}, {text.encoding}", rows, checks=text.checks)
    table = to_table(grid, as_features_in_rows(options))
    described_table = replace(table, descriptions=_descriptions([lines[2], *lines[first:]], shape))
    return with_descriptions(described_table, len(extra))


def _descriptions(lines: list[tuple[int, str]], shape: _Shape) -> dict[str, str]:
    """Descriptions of each feature besides its name; with titles if there are several columns."""
    rows = [[cell.strip().strip('"') for cell in line.split("\t", 1 + shape.feature_fields)] for _, line in lines]
    titles = rows[0][1 : 1 + shape.feature_fields]
    found: dict[str, str] = {}
    for name, *cells in rows[1:]:
        told = [
            f"{title}: {cell}" if len(titles) > 1 else cell
            for title, cell in zip(titles, cells, strict=False)
            if cell not in (_NO_VALUE, name) and cell not in MISSING
        ]
        if told:
            found.setdefault(name, "; ".join(told))
    return found


def _shape(lines: list[tuple[int, str]], version: str, name: str) -> _Shape:
    cells = lines[0][1].split() if lines else []
    wanted = 2 if version == "1.2" else 4
    # Spreadsheets pad the line with tabs, and some programs write version 1.2 with a third number.
    if len(cells) < wanted or not all(cell.isdecimal() for cell in cells[:wanted]):
        raise DataError(
            'Line 2 of "{name}" must contain {wanted} whole numbers, starting with features and samples. Correct '
            "that line.",
            name=name,
            wanted=wanted,
        )
    features, samples, feature_fields, sample_fields = [*map(int, cells[:wanted]), 1, 0][:4]
    shape = _Shape(features, samples, feature_fields, sample_fields)
    if not shape.features or not shape.samples:
        raise DataError(
            '"{name}" has {features} features and {samples} samples; choose another table.',
            name=name,
            features=shape.features,
            samples=shape.samples,
        )
    return shape


def _rows(lines: list[tuple[int, str]], shape: _Shape, name: str) -> Iterator[tuple[int, Row]]:
    """Number and cells of each line, without those describing features."""
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) > shape.width and not any(map(str.strip, cells[shape.width :])):
            del cells[shape.width :]
        if len(cells) != shape.width:
            raise ragged(name, number, len(cells), shape.width)
        yield number, [cells[0], *cells[1 + shape.feature_fields :]]


READER = Reader(
    "GCT",
    (".gct",),
    _read,
    _is_gct,
    ("encoding", "labels", "labels_by", "missing_values", "limits", "types", "similar", "replicates"),
)
