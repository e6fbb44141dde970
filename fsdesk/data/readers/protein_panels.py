"""Tables of protein panels: ADAT of SomaScan, and wide tables of Olink.

This reader is our own, because they are text with names in several lines, which the usual reader otherwise handles.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsdesk.data.cells import MISSING, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import CELLS, ReadOptions, as_features_in_rows
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.reader import Reader
from fsdesk.data.roles import as_descriptions, description_rows, with_descriptions
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

_BEGIN = "^TABLE_BEGIN"
_NAMES_OF_FEATURES = ("SeqId", "SomaId", "Target")
_NAMES_OF_SAMPLES = ("SampleId", "ExtIdentifier", "SampleUniqueID", "Barcode")
_SAMPLE_TYPE, _A_SAMPLE = "SampleType", "sample"

_OLINK_LINES = ("uniprot id", "uniprot", "olinkid", "olink id", "panel")
_OLINK_SUMS = (
    "lod", "max lod", "plate lod", "missing data freq.", "missing data freq", "missing data frequency",
    "normalization", "normalisation", "project",
)  # fmt: skip
_OLINK_SAMPLES = ("plate id", "plateid", "qc warning", "qc_warning", "qc deviation from median")
_MOST_LINES = 12


def _is_adat(content: Content) -> bool:
    """Whether a table begins below the header, starting with lines about the features."""
    if not content.head.startswith(("!Checksum\t", "!AdatId", "^HEADER")):
        return False
    _, mark, table = content.data[: 1 << 20].partition(_BEGIN.encode())
    return bool(mark) and table.partition(b"\n")[2].startswith(b"\t")


def _read(content: Content, options: ReadOptions) -> Table:
    """Read ADAT: samples become rows, aptamers become features, and sample descriptions become candidate targets.

    Calibrators, buffers and the like are not samples and are dropped. Raises DataError if there is no table, or a
    line of it has a different number of cells from the header.
    """
    text, name = content.text(), content.name
    lines = list(enumerate(text.text.split("\n"), 1))
    begin = next((place for place, (_, line) in enumerate(lines) if line.startswith(_BEGIN)), None)
    if begin is None:
        raise DataError('"{name}" has no line "{begin}"; download it again.', name=name, begin=_BEGIN)
    rows = [(number, line.split("\t")) for number, line in lines[begin + 1 :] if line.strip()]
    first = next((place for place, (_, row) in enumerate(rows) if row[0].strip()), len(rows))
    if first == len(rows) or not first:
        raise DataError('"{name}" contains no samples below "{begin}"; download it again.', name=name, begin=_BEGIN)
    width = max(len(row) for _, row in rows[:first])
    edge = next(place for place, cell in enumerate(rows[0][1]) if cell.strip())  # columns before it describe samples
    if width < edge + 2 or len(rows) == first + 1 or any(len(row) <= edge for _, row in rows[: first + 1]):
        raise DataError('"{name}" contains no samples below "{begin}"; download it again.', name=name, begin=_BEGIN)
    about = {row[edge].strip(): [cell.strip() for cell in row[edge + 1 :]] for _, row in rows[:first]}
    titles = [cell.strip() for cell in rows[first][1][:edge]]
    body = rows[first + 1 :]
    odd = next(((number, len(row)) for number, row in body if not edge < len(row) <= width), None)
    if odd is not None:
        raise DataError(
            'Line {line} of "{name}" has {cells} cells where {width} are expected. Correct that line.',
            line=odd[0], name=name, cells=odd[1], width=width,
        )  # fmt: skip
    body, checks = _samples_alone(body, titles, name)
    names = next(
        (about[title] for title in _NAMES_OF_FEATURES if len({*about.get(title, ())}) == width - edge - 1), None
    )
    names = names or [str(place) for place in range(1, width - edge)]
    told = {title: [row[place].strip() for _, row in body] for place, title in enumerate(titles) if title}
    ids = next((told[title] for title in _NAMES_OF_SAMPLES if len({*told.get(title, ())}) == len(body)), None)
    extra = description_rows({title: cells for title, cells in told.items() if cells is not ids})

    def turned() -> Iterator[tuple[int, Row]]:
        yield 0, ["", *(ids or [str(place) for place in range(1, len(body) + 1)])]
        for place, title in enumerate(names, edge + 1):
            yield 0, [title, *(row[place].strip() if place < len(row) else "" for _, row in body)]
        for row in extra:
            yield 0, [*row]

    grid = Grid(name, joined(", ", [name, message("SomaScan ADAT"), text.encoding]), turned,
                checks=(*text.checks, *checks))  # fmt: skip
    table = to_table(grid, as_features_in_rows(options))
    said = [
        "; ".join(f"{title}: {cells[place]}" for title, cells in about.items()
                  if place < len(cells) and cells[place] not in (*MISSING, each))
        for place, each in enumerate(names)
    ]  # fmt: skip
    return with_descriptions(replace(table, descriptions=dict(zip(names, said, strict=True))), len(extra))


def _samples_alone(
    body: list[tuple[int, Row]], titles: list[str], name: str
) -> tuple[list[tuple[int, Row]], tuple[Check, ...]]:
    """The rows of samples, without controls, and a check that names the controls."""
    if _SAMPLE_TYPE not in titles:
        return body, ()
    kinds = [row[titles.index(_SAMPLE_TYPE)].strip() for _, row in body]
    others = [kind for kind in kinds if kind.lower() != _A_SAMPLE]
    if not others or len(others) == len(kinds):
        return body, ()
    sentence = message_many(
        len(others),
        '{count} row of "{name}" is not a sample and is dropped: {kinds}.',
        '{count} rows of "{name}" are not samples and are dropped: {kinds}.',
        name=name, kinds=quoted([*dict.fromkeys(others)]),
    )  # fmt: skip
    kept = [row for row, kind in zip(body, kinds, strict=True) if kind.lower() == _A_SAMPLE]
    return kept, (Check("control samples", sentence),)


def olink_table(grid: Grid, head: Sequence[Row], options: ReadOptions) -> Table | None:
    """The table of a wide Olink grid, without its lines above and below the samples; None for any other grid."""
    panel = _without_olink_lines(grid, head)
    if panel is None:
        return None
    table = to_table(panel, options)
    return as_descriptions(table, tuple(name for name in table.columns if name.lower() in _OLINK_SAMPLES))


def _without_olink_lines(grid: Grid, head: Sequence[Row]) -> Grid | None:
    """The grid with the line of assays as header, without Olink's other lines around the samples."""
    firsts = [row[0].strip().lower() if row else "" for row in head[:_MOST_LINES]]
    place = next((place for place, first in enumerate(firsts) if first == "assay"), None)
    if place is None or not any(first in _OLINK_LINES for first in firsts[place + 1 :]):
        return None

    def rows() -> Iterator[tuple[int, Row]]:
        for count, (line, row) in enumerate(grid.rows()):
            first = row[0].strip().lower() if row else ""
            if count == place:
                yield line, ["SampleID", *row[1:]]
            elif count > place and first and first not in (*_OLINK_LINES, *_OLINK_SUMS):
                yield line, row

    sentence = message("Lines that Olink adds around the table, such as Uniprot ID and LOD, are ignored.")
    return replace(grid, rows=rows, head=rows, bulk=None, checks=(*grid.checks, Check("title", sentence)))


READER = Reader(
    "SomaScan ADAT", (".adat",), _read, _is_adat, ("encoding", "labels", "labels_by", *CELLS),
)  # fmt: skip
