"""Conversion of a grid of cells to a Table: the lines that are rows, then samples in rows or in columns."""

from dataclasses import replace

from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import CARRIED, ReadOptions
from fsdesk.data.readers.feature_rows import from_feature_rows
from fsdesk.data.readers.grid_lines import Grid, Layout, RaggedError, layout_of, padded
from fsdesk.data.readers.notes_below import with_notes_said, without_notes
from fsdesk.data.readers.sample_rows import from_sample_rows
from fsdesk.data.reading import Reading
from fsdesk.messages import joined, message_many


def to_table(grid: Grid, options: ReadOptions) -> Table:
    """Make the table; DataError if there are no rows under the header or a line has too few or too many cells."""
    rows, head, notes = without_notes(grid.rows, grid.head, samples=options.orientation == "rows")
    grid = replace(grid, rows=rows, head=head)
    layout = layout_of(grid, options)
    try:
        table = _table(grid, layout, options)
    except RaggedError as error:
        ragged_error = error.error
    else:
        return with_notes_said(_finished(table, grid, layout, options), notes)
    layout, grid = padded(grid, layout, ragged_error)
    return with_notes_said(_finished(_table(grid, layout, options), grid, layout, options), notes)


def _finished(table: Table, grid: Grid, layout: Layout, options: ReadOptions) -> Table:
    carried = {name: value for name in CARRIED if (value := _settled(name, grid, options))}
    carried |= table.ways
    again = _said_again(layout)
    table = replace(
        table,
        checks=(*table.checks, *(Check("names again", reading.sentence) for reading in again)),
        readings=(*grid.readings, *layout.first.readings, *again, *table.readings),
        ways=carried,
    )
    return replace(table, parts=grid.parts, part=grid.part) if grid.parts else table


def _said_again(layout: Layout) -> tuple[Reading, ...]:
    """The decision about repeated header lines; none if there are none."""
    lines = sorted(layout.again)
    if not lines:
        return ()
    sentence = message_many(
        len(lines),
        "{count} repeated header line is ignored (line {lines}).",
        "{count} repeated header lines are ignored (lines {lines}).",
        lines=joined(", ", [str(line) for line in lines[:3]]),
    )
    return (Reading("names again", sentence),)


def _settled(name: str, grid: Grid, options: ReadOptions) -> str:
    """The value of an option for reading later tables; "" if it is the default."""
    if name == "decimal":
        return "comma" if grid.decimal == "," else ""
    value = str(getattr(options, name))
    return "" if value == str(ReadOptions.model_fields[name].default) else value


def _table(grid: Grid, layout: Layout, options: ReadOptions) -> Table:
    if options.orientation == "columns":
        return from_feature_rows(grid, layout, options)
    return from_sample_rows(grid, layout, options)
