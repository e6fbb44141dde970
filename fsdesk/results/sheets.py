"""Export of tables as CSV, Excel, LaTeX, Markdown, HTML and text.

A cell that starts with ``= + - @``, a tab or a line break is run as a formula by Excel, LibreOffice and others, even in
a CSV file (OWASP, "CSV Injection"). Such text is prefixed with an apostrophe, as one would type it by hand. Plain
numbers and other texts are unchanged. Text that begins with an apostrophe before such a character gets another one, so
that :func:`original` can always undo it.
"""

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from fsdesk.messages import current_language, tr

# The full-width forms also start a formula on Japanese and Chinese systems.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MARKED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
Cell = str | float | None
"""A bare value: a text, a number as displayed, or nothing."""


def is_number(text: str) -> bool:
    """Whether a spreadsheet sees only a number in it."""
    return _NUMBER.fullmatch(text) is not None


def escape_formula(text: str) -> str:
    """The text in a form that is safe for a cell."""
    return f"'{text}" if _FORMULA.match(text) and not is_number(text) else text


def original(text: str) -> str:
    """The original text that was passed to :func:`escape_formula`."""
    return text[1:] if _MARKED.match(text) else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """The rows as CSV, with line feeds as line ends; texts are escaped by the caller."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


@dataclass(frozen=True)
class Line:
    """One line of a table.

    Attributes
    ----------
    cells
        The cells as text for human readers.
    bare
        The cells for programs, under the bare titles of the sheet; numbers as numbers.
    best
        Indices of the cells that are the best of their block.
    best_bare
        Indices of the bare cells that are the best.
    """

    cells: tuple[str, ...]
    bare: tuple[Cell, ...]
    best: frozenset[int] = frozenset()
    best_bare: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Sheet:
    """A block of a table.

    Attributes
    ----------
    title
        Subject of the block.
    header, bare_header
        Titles of the cells, and of the bare ones.
    lines
        From top to bottom.
    texts
        Number of text cells on the left; numbers are right-aligned.
    """

    title: str
    header: tuple[str, ...]
    bare_header: tuple[str, ...]
    lines: tuple[Line, ...]
    texts: int = 2


def _bare(sheets: Sequence[Sheet]) -> Iterator[list[str]]:
    """Lines for programs and spreadsheets: numbers as numbers, mean and deviation in separate columns."""
    for sheet in sheets:
        yield [tr("Data"), *map(escape_formula, sheet.bare_header)]
        for line in sheet.lines:
            words = [
                escape_formula(each) if isinstance(each, str) else "" if each is None else repr(each)
                for each in line.bare
            ]
            yield [escape_formula(sheet.title), *words]


def _csv(sheets: Sequence[Sheet], note: str) -> bytes:
    return csv_text(_bare(sheets)).encode("utf-8-sig")


def _xlsx(sheets: Sequence[Sheet], note: str) -> bytes:
    import xlsxwriter

    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False}) as book:
        book.set_properties({"created": datetime(1980, 1, 1, tzinfo=UTC)})  # identical tables give identical bytes
        page = book.add_worksheet(tr("Comparison"))
        bold = book.add_format({"bold": True})
        place = 0
        for sheet in sheets:
            page.write_string(place, 0, sheet.title, bold)
            page.write_row(place + 1, 0, sheet.bare_header, bold)
            for offset, line in enumerate(sheet.lines):
                for column, each in enumerate(line.bare):
                    look = bold if column in line.best_bare else None
                    if isinstance(each, str):
                        page.write_string(place + 2 + offset, column, each)
                    elif each is not None:
                        page.write_number(place + 2 + offset, column, each, look)
            place += len(sheet.lines) + 3
        page.write_string(place, 0, note)
        page.set_column(0, 14, 22)
    return buffer.getvalue()


_TEX = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$", "−": "$-$"}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in _in_line(text))


def _in_line(text: str) -> str:
    """The text without line breaks and tabs: if these separate cells, a name could otherwise create new ones."""
    return " ".join(text.split())


_HEAD_LETTERS = 13  # line length of a column header in LaTeX; a longer word is not broken


def _latex(sheets: Sequence[Sheet], note: str) -> bytes:
    """Tables no wider than the surrounding text, and the note below the last one."""
    lines = [r"% needs \usepackage{booktabs,graphicx}"]
    for sheet in sheets:
        lines += [r"\begin{table}", r"\centering\footnotesize\setlength{\tabcolsep}{4pt}"]
        lines += [rf"\caption{{{_tex(sheet.title)}.}}"]
        lines += [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"]
        lines += [rf"\begin{{tabular}}{{{'l' * sheet.texts}{'r' * (len(sheet.header) - sheet.texts)}}}", r"\toprule"]
        heads = [_tex_head(name, "l" if at < sheet.texts else "r") for at, name in enumerate(sheet.header)]
        lines += [" & ".join(heads) + r" \\", r"\midrule"]
        for line in sheet.lines:
            cells = [
                rf"\textbf{{{_tex(text)}}}" if at in line.best else _tex(text) for at, text in enumerate(line.cells)
            ]
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}}", r"\end{table}", ""]
    said = r"\par ".join(_tex(each) for each in note.splitlines() if each)
    return "\n".join([*lines, rf"\noindent{{\footnotesize {said}\par}}", ""]).encode()


def _tex_head(name: str, side: str) -> str:
    """A column heading in several lines, so that the column is not wider than its numbers require."""
    parts = textwrap.wrap(_in_line(name), _HEAD_LETTERS, break_long_words=False, break_on_hyphens=False)
    if parts[1:] and parts[-1] == "%":  # a unit is not left on a line of its own
        parts[-2:] = [" ".join(parts[-2:])]
    words = r"\\".join(map(_tex, parts))
    return words if len(parts) < 2 else rf"\shortstack[{side}]{{{words}}}"


def _markdown(sheets: Sequence[Sheet], note: str) -> bytes:
    lines: list[str] = []
    for sheet in sheets:
        lines += [f"**{_plain(sheet.title)}**", "", _piped([_plain(name) for name in sheet.header])]
        lines.append("|" + " --- |" * sheet.texts + " ---: |" * (len(sheet.header) - sheet.texts))
        for line in sheet.lines:
            cells = [_plain(text) if at < sheet.texts else text for at, text in enumerate(line.cells)]
            lines.append(_piped([f"**{text}**" if at in line.best else text for at, text in enumerate(cells)]))
        lines.append("")
    return "\n".join([*lines, note, ""]).encode()


_MARKDOWN = re.compile(r"[\\`*_\[\]<>&|#!~]")


def _plain(text: str) -> str:
    """Text in Markdown, escaped so that it contains no markup, HTML, links or images."""
    return _MARKDOWN.sub(r"\\\g<0>", _in_line(text))


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _html(sheets: Sequence[Sheet], note: str) -> bytes:
    parts = [f"<!doctype html><html lang='{current_language().name}'><meta charset='utf-8'>"
             "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
             f"<title>{escape(tr('Comparison'))}</title>",
             "<style>body{font-family:sans-serif}table{border-collapse:collapse}td,th{padding:4px 12px;"
             "border-bottom:1px solid #ccc;text-align:right}.words{text-align:left}</style>"]  # fmt: skip
    for sheet in sheets:
        parts.append(f"<h2>{escape(sheet.title)}</h2><table><tr>")
        look = [' class="words"' if at < sheet.texts else "" for at in range(len(sheet.header))]
        parts += [f"<th{look[at]}>{escape(name)}</th>" for at, name in enumerate(sheet.header)]
        for line in sheet.lines:
            parts.append("</tr><tr>")
            for at, text in enumerate(line.cells):
                words = f"<b>{escape(text)}</b>" if at in line.best else escape(text)
                parts.append(f"<td{look[at]}>{words}</td>")
        parts.append("</tr></table>")
    return "\n".join([*parts, *(f"<p>{escape(line)}</p>" for line in note.splitlines())]).encode()


def _tabbed(sheets: Sequence[Sheet], note: str) -> bytes:
    return "\n".join([*("\t".join(map(_in_line, cells)) for cells in _bare(sheets)), ""]).encode()


TABLES: dict[str, tuple[str, Callable[[Sequence[Sheet], str], bytes]]] = {
    "csv": ("CSV", _csv),
    "xlsx": ("Excel", _xlsx),
    "tex": ("LaTeX", _latex),
    "md": ("Markdown", _markdown),
    "html": ("HTML", _html),
    "txt": ("Text for spreadsheets", _tabbed),
}
"""Title and writer of each format, by suffix; equal comparisons give equal bytes, except in Excel."""


def written_sheets(sheets: Sequence[Sheet], suffix: str, note: str) -> bytes:
    """The content of a file in one of the formats of ``TABLES``, with a note below human-readable tables."""
    return TABLES[suffix][1](sheets, note)
