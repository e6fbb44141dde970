"""Feather and Arrow IPC, files and streams, through pyarrow."""

import io
from typing import Any

from fsdesk.data.dataset import Table
from fsdesk.data.frame import table_of_frame
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import MOST_CELLS, too_large
from fsdesk.data.readers.parquet import plain_frame
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError

_FILE, _FIRST_FEATHER, _STREAM = b"ARROW1\0\0", b"FEA1", b"\xff\xff\xff\xff"


def _is_arrow(content: Content) -> bool:
    is_stream = content.data.startswith(_STREAM) and content.name.lower().endswith((".arrow", ".arrows", ".ipc"))
    return is_stream or content.data.startswith((_FILE, _FIRST_FEATHER))


def _read(content: Content, options: ReadOptions) -> Table:
    """Read an Arrow table; an index stored by pandas names the rows, and the last column is the default target.

    Columns of lists, records and bytes are excluded, and a check says so. Raises DataError for a file that is damaged,
    truncated or too large.
    """
    import pyarrow as pa

    name = content.name
    try:
        table = _table(content.data, pa)
        if table.num_rows * table.num_columns > MOST_CELLS:
            raise too_large(name, table.num_rows, table.num_columns)
        table.validate(full=True)  # texts that are not UTF-8, and offsets beyond the file, would fail later
        frame, checks = plain_frame(table, pa)
    except DataError:
        raise
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except Exception:  # the metadata from pandas may be damaged too, and fail in any way
        raise DataError('"{name}" is not a Feather or Arrow file or is damaged; write it again.', name=name) from None
    return table_of_frame(frame, name, f"{name}, Arrow", options, checks)


def _table(data: bytes, pa: Any) -> Any:
    if data.startswith(_FIRST_FEATHER):
        from pyarrow import feather

        return feather.read_table(io.BytesIO(data), memory_map=False)
    source = pa.BufferReader(data)
    with pa.ipc.open_stream(source) if data.startswith(_STREAM) else pa.ipc.open_file(source) as opened:
        return opened.read_all()


READER = Reader(
    "Feather, Arrow",
    (".feather", ".arrow", ".arrows", ".ipc"),
    _read,
    _is_arrow,
    ("orientation", "row_ids", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
    library="pyarrow",
    article="a Feather or Arrow file",
)
