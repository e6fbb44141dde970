"""Parquet, the columnar format of Arrow, pandas and Spark, through pyarrow."""

import io
from typing import Any

from fsdesk.data.dataset import Check, Table
from fsdesk.data.frame import table_of_frame
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import MOST_CELLS, too_large
from fsdesk.data.readers.reader import Reader
from fsdesk.data.table import unreadable_columns
from fsdesk.errors import DataError

_MARK = b"PAR1"


def _read(content: Content, options: ReadOptions) -> Table:
    """Read a Parquet table; an index stored by pandas names the rows, and the last column is the default target.

    Columns of lists, records and bytes are excluded, with a check. Raises DataError for a file that is damaged,
    truncated or too large.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = content.name
    try:
        file = pq.ParquetFile(io.BytesIO(content.data))
        rows, width = file.metadata.num_rows, file.metadata.num_columns
        if rows * width > MOST_CELLS:
            raise too_large(name, rows, width)
        table = file.read()
        table.validate(full=True)  # texts that are not UTF-8 would fail later
        frame, checks = plain_frame(table, pa)
    except DataError:
        raise
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except Exception:  # the metadata from pandas may be damaged too, and fail in any way
        raise DataError('"{name}" is not a Parquet file or is damaged; save it again.', name=name) from None
    return table_of_frame(frame, name, f"{name}, Parquet", options, checks)


def plain_frame(table: Any, pa: Any) -> tuple[Any, list[Check]]:
    """The DataFrame of an Arrow table, without columns that contain neither numbers nor texts."""
    left_out = [field.name for field in table.schema if pa.types.is_nested(field.type) or _is_bytes(field.type, pa)]
    if left_out:
        kept = [j for j, field in enumerate(table.schema) if field.name not in set(left_out)]
        table = table.select(kept)
    for j, field in enumerate(table.schema):
        # With missing values, pandas would create objects.
        if pa.types.is_boolean(field.type) or pa.types.is_decimal(field.type):
            table = table.set_column(j, field.name, table.column(j).cast(pa.float64()))
    return table.to_pandas(), unreadable_columns(left_out)


def _is_bytes(kind: Any, pa: Any) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


READER = Reader(
    "Parquet",
    (".parquet",),
    _read,
    lambda content: content.data.startswith(_MARK),
    ("orientation", "row_ids", "labels", "labels_by", *CELLS),
    has_types=True,
    binary=True,
    library="pyarrow",
    article="a Parquet file",
)
