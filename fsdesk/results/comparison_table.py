"""A comparison as a table to take along: CSV, Excel, LaTeX, Markdown, HTML, and text for the terminal and clipboard."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from fsdesk.measure import Criterion
from fsdesk.results.comparison import MEASURES, UNSEEN, Comparison, Measure
from fsdesk.results.curve import axis_title
from fsdesk.results.formulas import harmless

__all__ = ["NOTE", "TABLES", "Line", "Sheet", "sheet_of", "written_table"]

_TITLES: dict[Measure, str] = {
    "honest": "on unseen rows",
    "difference": "Better than all features by",
    "search": "in the search",
    "fresh": "on fresh folds",
    "features": "Features",
    "measurements": "Measurements",
    "seconds": "Seconds",
}


@dataclass(frozen=True)
class Line:
    """One line of a table: its cells, which of them are the best of their block, and the bare numbers behind them.

    ``numbers`` are the mean of each measure, as shown, and its standard deviation over the seeds, or on unseen rows the
    ends of its interval; None for what there is not.
    """

    cells: tuple[str, ...]
    best: frozenset[int] = frozenset()
    numbers: tuple[float | None, ...] = ()

    @property
    def bare(self) -> tuple[str | float | None, ...]:
        """Method, model, number of seeds, and the numbers."""
        return (*self.cells[:2], int(self.cells[2]), *self.numbers)


@dataclass(frozen=True)
class Sheet:
    """A block of a table for every data set: its title, the names of the columns, and the lines."""

    title: str
    header: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def bare_header(self) -> tuple[str, ...]:
        """Titles of :attr:`Line.bare`."""
        titles = list(self.header[:3])
        for name, measure in zip(self.header[3:], MEASURES, strict=True):
            ends = (", interval from", ", interval to") if measure in UNSEEN else (", standard deviation",)
            titles += [name, *(f"{name}{end}" for end in ends)]
        return tuple(titles)


def sheet_of(comparison: Comparison, column: tuple[str, str]) -> Sheet:
    """The block of one data set; the best error on unseen rows is marked with a star."""
    criterion = comparison.criterion(column)
    names = [_title(measure, criterion) for measure in MEASURES]
    best = {measure: comparison.best(column, measure) for measure in MEASURES}
    lines = []
    for row in comparison.rows:
        cell = comparison.cells.get((row, column))
        if cell is None:
            continue
        texts = [comparison.text(row, column, measure) for measure in MEASURES]
        marked = frozenset(3 + place for place, measure in enumerate(MEASURES) if row in best[measure])
        starred = [f"{text} *" if 3 + place in marked else text for place, text in enumerate(texts)]
        numbers = [each for measure in MEASURES for each in comparison.numbers(row, column, measure)]
        lines.append(Line((*row, str(len(cell.entries)), *starred), marked, tuple(numbers)))
    title = (
        column[0]
        if len({name for name, _ in comparison.columns}) == len(comparison.columns)
        else (f"{column[0]}, {axis_title(criterion)}")
    )
    return Sheet(title, ("Method", "Model", "Seeds", *names), tuple(lines))


def _title(measure: Measure, criterion: Criterion) -> str:
    percent = criterion.unit == "%"
    if measure == "difference":
        return f"{_TITLES[measure]}, points" if percent else _TITLES[measure]
    if measure in ("honest", "search", "fresh"):
        return f"{criterion.title} {_TITLES[measure]}" + (", %" if percent else "")
    return _TITLES[measure]


def _sheets(comparison: Comparison) -> list[Sheet]:
    return [sheet_of(comparison, column) for column in comparison.columns]


NOTE = (
    "Unseen rows: rows that no search saw, with the 95 % interval over rows. In the search and on fresh folds: on the "
    "rows that chose the features, too good; ± is the standard deviation over seeds. * marks the best of each data set."
)


def _bare(sheets: Sequence[Sheet]) -> Iterator[list[str]]:
    """Lines for programs and spreadsheets: numbers as numbers, mean and deviation in columns of their own."""
    for sheet in sheets:
        yield ["Data", *map(harmless, sheet.bare_header)]
        for line in sheet.lines:
            words = ["" if each is None else each if isinstance(each, str) else repr(each) for each in line.bare]
            yield [*map(harmless, (sheet.title, *words[:2])), *words[2:]]


def _csv(sheets: Sequence[Sheet]) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for cells in _bare(sheets):
        writer.writerow(cells)
    return buffer.getvalue().encode("utf-8-sig")


def _means(line: Line) -> frozenset[int]:
    """Columns of the best means among the bare numbers: only the first measure has a best."""
    return frozenset(place for place in line.best if place == 3)


def _xlsx(sheets: Sequence[Sheet]) -> bytes:
    import xlsxwriter

    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False}) as book:
        page = book.add_worksheet("Comparison")
        bold = book.add_format({"bold": True})
        place = 0
        for sheet in sheets:
            page.write_string(place, 0, sheet.title, bold)
            page.write_row(place + 1, 0, sheet.bare_header, bold)
            for offset, line in enumerate(sheet.lines):
                for column, each in enumerate(line.bare):
                    look = bold if column in _means(line) else None
                    if isinstance(each, str):
                        page.write_string(place + 2 + offset, column, each)
                    elif each is not None:
                        page.write_number(place + 2 + offset, column, each, look)
            place += len(sheet.lines) + 3
        page.write_string(place, 0, NOTE.replace("* marks", "Bold is"))
        page.set_column(0, 14, 22)
    return buffer.getvalue()


_TEX = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$"}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


def _latex(sheets: Sequence[Sheet]) -> bytes:
    lines = [r"% needs \usepackage{booktabs}"]
    for sheet in sheets:
        lines += [r"\begin{table}", rf"\caption{{{_tex(sheet.title)}. {_tex(NOTE)}}}"]
        lines += [rf"\begin{{tabular}}{{ll{'r' * (len(sheet.header) - 2)}}}", r"\toprule"]
        lines += [" & ".join(map(_tex, sheet.header)) + r" \\", r"\midrule"]
        for line in sheet.lines:
            cells = [
                rf"\textbf{{{_tex(text)}}}" if at in line.best else _tex(text) for at, text in enumerate(line.cells)
            ]
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]
    return "\n".join(lines).encode()


def _markdown(sheets: Sequence[Sheet]) -> bytes:
    lines: list[str] = []
    for sheet in sheets:
        lines += [f"**{sheet.title}**", "", _piped(sheet.header)]
        lines.append("| --- | --- |" + " ---: |" * (len(sheet.header) - 2))
        for line in sheet.lines:
            lines.append(_piped([f"**{text}**" if at in line.best else text for at, text in enumerate(line.cells)]))
        lines.append("")
    return "\n".join([*lines, NOTE, ""]).encode()


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _html(sheets: Sequence[Sheet]) -> bytes:
    parts = ["<!doctype html><meta charset='utf-8'><title>Comparison</title>",
             "<style>body{font-family:sans-serif}table{border-collapse:collapse}td,th{padding:4px 12px;"
             "border-bottom:1px solid #ccc;text-align:right}td:nth-child(-n+2),th:nth-child(-n+2){text-align:left}"
             "</style>"]  # fmt: skip
    for sheet in sheets:
        parts.append(f"<h2>{escape(sheet.title)}</h2><table><tr>")
        parts += [f"<th>{escape(name)}</th>" for name in sheet.header]
        for line in sheet.lines:
            parts.append("</tr><tr>")
            for at, text in enumerate(line.cells):
                words = escape(text)
                parts.append(f"<td><b>{words}</b></td>" if at in line.best else f"<td>{words}</td>")
        parts.append("</tr></table>")
    return "\n".join([*parts, f"<p>{NOTE}</p>"]).encode()


def _tabbed(sheets: Sequence[Sheet]) -> bytes:
    return "\n".join([*("\t".join(cells) for cells in _bare(sheets)), ""]).encode()


TABLES: dict[str, tuple[str, Callable[[Sequence[Sheet]], bytes]]] = {
    "csv": ("CSV", _csv),
    "xlsx": ("Excel", _xlsx),
    "tex": ("LaTeX", _latex),
    "md": ("Markdown", _markdown),
    "html": ("HTML", _html),
    "txt": ("Text for spreadsheets", _tabbed),
}
"""Title and writer of each format, by its suffix; equal comparisons give equal bytes, but for Excel."""


def written_table(comparison: Comparison, suffix: str) -> bytes:
    """The content of a file of a format."""
    return TABLES[suffix][1](_sheets(comparison))
