"""Runs of a project side by side, in the terminal or in a file."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from fsdesk.errors import SettingsError
from fsdesk.results.comparison import compared_project
from fsdesk.results.comparison_table import NOTE, TABLES, sheet_of, written_table
from fsdesk.results.curve import axis_title
from fsdesk.results.sheets import Sheet
from fsdesk.results.significance import TESTS_NOTE, statistics_sheets
from fsdesk.store import Project

__all__ = ["compare"]

_FILE_WIDTH = 140
_BRIEF = (
    "Unseen rows",
    "Beats all by",
    "Search",
    "Fresh folds",
    "Features",
    "Measured",
    "Seconds",
)


def compare(path: Path, out: Path | None) -> None:
    """Print the table, or write it in the format that the name of the file says."""
    project = Project.open(path)
    try:
        comparison = compared_project(project)
    finally:
        project.close()
    if not comparison.rows:
        raise SettingsError(f'"{path}" has no run with a result yet: let one run first.')
    if out is not None:
        suffix = out.suffix[1:].lower()
        if suffix not in TABLES:
            raise SettingsError(
                f"{out} has no format for tables: use one of {', '.join(f'.{each}' for each in TABLES)}."
            )
        out.write_bytes(written_table(comparison, suffix))
        print(f"Written to {out}")
        return
    console = Console()
    if not console.is_terminal:
        console = Console(width=_FILE_WIDTH)
    for column in comparison.columns:
        sheet = sheet_of(comparison, column)
        title = f"{column[0]}: {axis_title(comparison.criterion(column))}"
        console.print(_table(sheet, title, (*sheet.header[:3], *_BRIEF)))
    print(NOTE)
    tests = statistics_sheets(comparison)
    for sheet in tests:
        console.print(_table(sheet, sheet.title, sheet.header))
    if tests:
        print(TESTS_NOTE)


def _table(sheet: Sheet, title: str, header: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left")
    for place, name in enumerate(header):
        table.add_column(name, justify="left" if place < sheet.texts else "right")
    for line in sheet.lines:
        table.add_row(*line.cells)
    return table
