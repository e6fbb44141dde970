"""CSV and similar formats: detects the separators and returns the grid of cells.

Python's csv module splits lines into cells. Detecting the separator, quotation marks and decimal sign is our own code,
because csv.Sniffer and pandas guess silently: here each is a decision with its evidence.
"""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsdesk.data.cells import Columns, Numbers, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers import perseus
from fsdesk.data.readers.bulk import FEWEST_BYTES, bulk_columns
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.decimals import find_decimal
from fsdesk.data.readers.first_lines import first_lines
from fsdesk.data.readers.grid_lines import Grid, left_out, titles_above
from fsdesk.data.readers.layouts import read_grid
from fsdesk.data.readers.notes_below import SUMMARIES
from fsdesk.data.readers.printed import joined_blocks
from fsdesk.data.readers.quotes import Quoting, find_quoting, split_line, split_lines
from fsdesk.data.readers.reader import Reader
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_SIGNS = {"tab": "\t", "semicolon": ";", "bar": "|", "comma": ",", "space": " "}  # in order of preference
_TITLES = {
    "\t": message("tab-separated"),
    ";": message("semicolon-separated"),
    "|": message("bar-separated"),
    ",": message("comma-separated"),
}
_SAMPLE_CHARACTERS = 400_000
_SAMPLE_LINES = 50
_MOST_COMMENTS = 200
_RULES_LOOKED_AT = 5  # lines
_LAST_LINE = 10_000  # bytes searched for a last line with one cell
_NO_TITLE = 30  # more separators than occur in a title
_COMMENT = re.compile(r"#|[%!]+(?:\s|$)|//")
_RULE = re.compile(r"[-|+=:\s]+")
_FORMULA = re.compile(r'="([^"]*)"')  # text notation that makes Excel keep the zeros of 0012
_WHOLE = re.compile(r'"(.*)"[;,\t ]*')
_ODD_SIGNS = ("::", "^", "~", "\N{BROKEN BAR}", "\x1f", "\x01", "\N{SECTION SIGN}")
_FEWEST_ODD = 3  # lines
_MOST_PRINTED = 1 << 22  # bytes
_BEFORE_NAMES = (" ", ">", ".", "+", "#", "I", "O")  # first characters of lines printed by statistics programs
_BLANKS = re.compile(r"(?<=\S) {2,}(?=\S)")
_BLANK_CELLS = ",;\t| "
_BLANK_LINE = re.compile(rb"\n[,;\t| ]+(?=\r?(?:\n|$))")  # separators without cells, as Excel writes below a table
_EXCEL_HINT = re.compile(r"sep=(.)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class _Start:
    """Where a table begins: the number of its first line, and that line if it differs from the line in the file."""

    line: int
    header: str | None = None
    checks: tuple[Check, ...] = ()
    readings: tuple[Reading, ...] = ()


def read_delimited(content: Content, options: ReadOptions) -> Grid:
    """The grid of cells of a delimited text; DataError if it has no lines."""
    data, found = content.utf8()
    name = content.name
    head = content.head.split("\n")
    if _BLANK_LINE.search(data) is not None:
        data = _BLANK_LINE.sub(b"\n", data)
        head = ["" if line.strip(_BLANK_CELLS) == "" else line for line in head]
    data, head, plainer = _plainer(data, head, options, name)
    head = _without_rules(head)
    chosen = _SIGNS.get(options.delimiter, "\0" if options.delimiter == "none" else "")
    hint = _EXCEL_HINT.fullmatch(head[0])
    start = _find_start(head, 1 + bool(hint), chosen or (hint[1] if hint else ""), options, name)
    if start.header is not None:
        head[start.line - 1] = start.header
    head = head[start.line - 1 :]
    sample = _sample(head)
    if not sample:
        raise DataError('"{name}" contains no table (only blank lines). Choose another file.', name=name)
    delimiter = chosen or (hint[1] if hint and hint[1] in sample[0] else "") or _find_delimiter(sample)
    quoting, marks = _find_quoting(data, delimiter, options, name, start.line)
    split = [row for _, row in _split(sample, delimiter, "", quoting=quoting)]
    sign, decimals = find_decimal(split, delimiter)
    decimal = {"point": ".", "comma": ","}.get(options.decimal) or sign

    def rows() -> Iterator[tuple[int, Row]]:
        lines = _lines(data)
        if start.header is not None:
            lines[start.line - 1] = start.header
        return _split(lines[start.line - 1 :], delimiter, name, start.line, quoting)

    def bulk(line: int, width: int, texts: Collection[int], turned: bool) -> Columns | None:
        if quoting != "around cells" or delimiter == "|" or b'="' in data or _ends_in_words(data, delimiter):
            return None
        begin = _start_of(data, line) if delimiter in _TITLES and width > 1 else None
        return None if begin is None else bulk_columns(data, begin, delimiter, decimal, width, texts, turned=turned)

    if delimiter == "\0":
        delimiter = ""
    usual = _TITLES.get(delimiter, message("space-separated")) if delimiter else message("one column")
    title: str = plainer or usual
    commas = [message("decimal comma")] if decimal == "," else []
    source = joined(", ", [name, title, found.encoding, *commas])
    large = len(data) >= FEWEST_BYTES
    readings = [*start.readings, _said_delimiter(delimiter, title, options), *marks]
    checks = [Check("quotation marks", mark.sentence) for mark in marks if mark.alternatives]
    if decimals is not None and all(getattr(options, each.option) == "auto" for each in decimals.alternatives):
        readings.append(decimals)
    return Grid(
        name,
        source,
        rows,
        decimal,
        (*found.checks, *start.checks, *checks),
        head=lambda: _split(head, delimiter, name, start.line, quoting),
        bulk=bulk if large else None,
        readings=tuple(readings),
    )


def _lines(data: bytes) -> list[str]:
    return _without_rules(_plain_lines(data))


def _plain_lines(data: bytes) -> list[str]:
    text = data.decode(errors="surrogatepass")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _plainer(data: bytes, head: list[str], options: ReadOptions, name: str) -> tuple[bytes, list[str], str]:
    """The file converted to tabs or plain lines if necessary, its first lines, and a description of the format.

    Lines may be quoted as a whole, as in a saved sheet with one column; cells may be separated by a special sign, or by
    two or more spaces if they contain single ones.
    """
    sample = _sample(head)
    if options.delimiter != "auto" or len(sample) < _FEWEST_ODD:
        return data, head, ""
    may_be_printed = sample[0][:1] in _BEFORE_NAMES and len(data) <= _MOST_PRINTED
    if may_be_printed and (lines := joined_blocks(_plain_lines(data), name)):
        return "\n".join(lines).encode(errors="surrogatepass"), lines[: len(head)], message("printed in columns")
    if all(map(_WHOLE.fullmatch, sample)) and _find_delimiter([*map(_unwrapped, sample)]):
        lines = [*map(_unwrapped, _lines(data))]
        if not _are_alone(sample):
            return data, head, ""
        return "\n".join(lines).encode(errors="surrogatepass"), lines[: len(head)], message("quoted lines")
    if (sign := _within_single_quotes(sample)) and b"\t" not in data:
        lines = ["\t".join(row) for _, row in _single_quoted(_lines(data), sign)]
        return "\n".join(lines).encode(errors="surrogatepass"), lines[: len(head)], message("in single quotes")
    if any(sign in line for line in sample for sign in _TITLES):
        return data, head, ""
    for sign in _ODD_SIGNS:
        if sample[0].count(sign) and len({line.count(sign) for line in sample}) == 1:
            plain = data.replace(sign.encode(), b"\t")
            shown = sign if sign.isprintable() else repr(sign)[1:-1]
            return plain, [line.replace(sign, "\t") for line in head], message('separated by "{sign}"', sign=shown)
    apart = {len(_BLANKS.split(line.strip())) for line in sample}
    if len(apart) == 1 and apart != {1} and len({len(line.split()) for line in sample}) > 1:
        lines = [_BLANKS.sub("\t", line.strip()) for line in _lines(data)]
        return "\n".join(lines).encode(errors="surrogatepass"), lines[: len(head)], message("separated by blanks")
    return data, head, ""


def _within_single_quotes(sample: Sequence[str]) -> str:
    """The separator of cells that may be in single quotes, if only that gives all lines the same number of cells."""
    if '"' in "".join(sample) or not any("'" in line for line in sample):
        return ""
    for sign in (",", ";"):
        if any(f"{sign}'" in line or line[:1] == "'" for line in sample):
            plain = {line.count(sign) for line in sample}
            quoted_widths = {len(row) for _, row in _single_quoted(sample, sign)}
            if len(plain) > 1 and len(quoted_widths) == 1 and quoted_widths != {1}:
                return sign
    return ""


def _single_quoted(lines: Iterable[str], sign: str) -> Iterator[tuple[int, Row]]:
    """Lines split into cells that may be in single quotes; blank lines are kept."""
    for place, line in enumerate(lines):
        yield place, next(csv.reader([line], delimiter=sign, quotechar="'", skipinitialspace=True), [""])


def _unwrapped(line: str) -> str:
    match = _WHOLE.fullmatch(line)
    return line if match is None else match[1].replace('""', '"')


def _are_alone(sample: list[str]) -> bool:
    """Whether every line contains one cell, possibly followed by blank ones."""
    sign = _find_delimiter(sample)
    return not sign or not any(cell.strip() for _, row in _split(sample, sign, "") for cell in row[1:])


def _without_rules(lines: list[str]) -> list[str]:
    """Lines with rules between names and rows replaced by blank ones, such as |---|---| in Markdown."""
    drawn = any(map(_is_rule, lines[:_RULES_LOOKED_AT]))
    return ["" if line[:1] in "|+-= " and _is_rule(line) else line for line in lines] if drawn else lines


def _is_rule(line: str) -> bool:
    return ("---" in line or "===" in line) and _RULE.fullmatch(line) is not None


def _said_delimiter(delimiter: str, title: str, options: ReadOptions) -> Reading:
    names = {sign: name for name, sign in _SIGNS.items()}
    others = [name for name in _SIGNS if _SIGNS[name] != delimiter]
    answers = tuple(Alternative(name, "delimiter", name) for name in (*filter(None, [names.get(delimiter)]), *others))
    evidence = message("It gives every line the same number of cells.") if options.delimiter == "auto" else ""
    return Reading("separator", message("The table is {title}.", title=title), evidence, answers)


def _find_quoting(
    data: bytes, delimiter: str, options: ReadOptions, name: str, first: int
) -> tuple[Quoting, tuple[Reading, ...]]:
    if options.quotes == "no":
        return "none", ()
    if options.quotes == "yes" or b'"' not in data or delimiter in ("", " "):
        return "around cells", ()
    return find_quoting(_lines(data)[first - 1 :], delimiter, name, first)


def _find_start(lines: Sequence[str], first: int, delimiter: str, options: ReadOptions, name: str) -> _Start:
    """Find where the table begins, below comments and titles; ``first`` is the first line that may belong to it."""
    if options.first_line:
        if options.first_line > len(lines):
            raise DataError(
                '"{name}" has no line {line}. Choose another first line.', name=name, line=options.first_line
            )
        return _Start(options.first_line)
    comments = [place for place in range(first - 1, len(lines)) if _is_comment(lines, first - 1, place)]
    begin = comments[-1] + 1 if comments else first - 1
    sample = _sample(lines[begin:])
    if not sample or 2 * len(comments) > len(sample) + len(comments):
        comments, begin = [], first - 1
        sample = _sample(lines[begin:])
    if not comments and sample and any(sample[0].count(sign) > _NO_TITLE for sign in _TITLES):
        return _Start(first)
    sign = delimiter or (_find_delimiter(sample) if sample else "")
    if comments:
        header = lines[comments[-1]].lstrip("#%!/").lstrip()
        if _is_header(header, sample, sign, options):
            return _commented(lines, comments[:-1], comments[-1] + 1, header)
        return _commented(lines, comments, begin + 1, None)
    try:
        rows = list(_split(list(lines[begin : begin + 2 * _SAMPLE_LINES]), sign, name, begin + 1))
    except DataError:
        return _Start(first)
    count = titles_above([row for _, row in rows]) or int(sign == " " and _has_title_of_words(rows))
    if not count:
        return _Start(first)
    return _Start(rows[count][0], None, left_out([row for _, row in rows[:count]]),
                  (_said_start(rows[count][0]),))  # fmt: skip


def _has_title_of_words(rows: Sequence[tuple[int, Row]]) -> bool:
    """Whether a blank line follows the first line, which differs from all others in its number of cells."""
    widths = {len(row) for _, row in rows[1:]}
    return (
        len(rows) > _SAMPLE_LINES // 2
        and rows[1][0] > rows[0][0] + 1
        and len(widths) == 1
        and len(rows[0][1]) not in widths
    )


def _is_comment(lines: Sequence[str], first: int, place: int) -> bool:
    """Whether all lines from ``first`` to this one begin with #, or with % and a space, ignoring blank lines."""
    if place > first + _MOST_COMMENTS or not _COMMENT.match(lines[place]):
        return False
    return all(not line.strip() or _COMMENT.match(line) for line in lines[first:place])


def _is_header(line: str, sample: list[str], delimiter: str, options: ReadOptions) -> bool:
    """Whether a line that begins with # contains the names: it has one for each column, and no names follow it."""
    if not delimiter:
        return False
    rows = [row for _, row in _split(sample, delimiter, "")]
    names = next((row for _, row in _split([line], delimiter, "")), [])
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if width < 2 or len(names) != width or not all(name.strip() for name in names):
        return False
    next_line = first_lines(rows[0], rows[1:], Numbers(), ReadOptions(orientation=options.orientation), short=False)
    return not next_line.named


def _commented(lines: Sequence[str], comments: Sequence[int], line: int, header: str | None) -> _Start:
    said = [lines[place].lstrip("#%!/").strip() for place in comments]
    return _Start(line, header, left_out([[text] for text in said]), (_said_start(line),))


def _said_start(line: int) -> Reading:
    answers = (
        Alternative(message("The table begins on line {line}", line=line), "first_line", str(line)),
        Alternative(message("The table begins on line {line}", line=1), "first_line", "1"),
    )
    sentence = message("The table begins on line {line}; the lines above are ignored.", line=line)
    return Reading("first line", sentence, message("The lines above are comments or titles."), answers)


def _ends_in_words(data: bytes, delimiter: str) -> bool:
    """Whether the last non-blank line has only one cell, as notes below a table have, or is a summary."""
    last = data[-_LAST_LINE:].rstrip(b"\r\n \t,;|").rpartition(b"\n")[2]
    first, sign, _ = last.partition(delimiter.encode())
    return not sign or first.strip(b' "').decode(errors="ignore").lower() in SUMMARIES


def _start_of(data: bytes, line: int) -> int | None:
    """Byte offset of a line, counted from 1; None if lines end with bare carriage returns."""
    start = 0
    for _ in range(line - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            return None
    return None if b"\r" in data[:start].replace(b"\r\n", b"") else start


def _sample(lines: Sequence[str]) -> list[str]:
    sample: list[str] = []
    characters = 0
    for line in lines:
        if line.strip():
            sample.append(line)
            characters += len(line)
            if len(sample) >= _SAMPLE_LINES or (len(sample) >= 4 and characters > _SAMPLE_CHARACTERS):
                break
    return sample


def _split(
    lines: list[str], delimiter: str, name: str, first: int = 1, quoting: Quoting = "around cells"
) -> Iterator[tuple[int, Row]]:
    """Line number and cells of every non-blank line."""
    if not delimiter:
        delimiter = "\0"  # never in a text, so every line is one cell
    if quoting in ("by lines", "none") and delimiter != " ":
        yield from split_lines(lines, delimiter, quoting, first)
        return
    source: Iterator[str] = iter(lines) if delimiter != " " else (" ".join(line.split()) for line in lines)
    if any('"' in line for line in lines):
        source = (f"{line}\n" for line in source)  # line ends inside quotes are part of the cells
    formulas = any('="' in line for line in lines)
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=delimiter != "\t",
                        escapechar="\\" if quoting == "escaped" else None)  # fmt: skip
    start = first  # a quoted cell may span several lines: the first of them is named
    try:
        for row in reader:
            if formulas:
                row = [_FORMULA.sub(r"\1", cell) for cell in row]
            if first + reader.line_num > start + 1:
                row = [cell.replace("\n", " ") for cell in row]
            if len(row) > 1 or (row and row[0].strip()):
                yield start, row
            start = first + reader.line_num
    except csv.Error:
        raise DataError(
            'Line {start} of "{name}" cannot be split into cells (is a quotation mark missing?). Correct that line.',
            start=start,
            name=name,
        ) from None


def _find_delimiter(sample: list[str]) -> str:
    """The separator that gives every line the same number of cells and yields the most numeric cells."""
    best, best_score, whole = "", (0.0, 0.0), False
    for delimiter in _SIGNS.values():
        if not any(delimiter in line for line in sample):
            continue
        try:
            rows = [row for _, row in _split(sample, delimiter, "")]
        except DataError:
            continue  # oversized cells: not this separator
        if delimiter != " " and len({*map(len, rows)}) > 1:
            rows = _by_lines(sample, delimiter) or _without_notes(rows)
        widths = Counter(map(len, rows[1:] or rows))
        width, lines = widths.most_common(1)[0] if widths else (1, 0)
        if width < 2:
            continue
        regular = sum(len(row) == width for row in rows)
        # A first line with one cell less is how R writes row names.
        short = len(rows[0]) == width - 1 and lines > 0
        if short and width == 2 and any(sign in sample[0] for sign in _TITLES):
            continue  # one name for two cells, containing a sign that separates names
        steady = (regular + short) / len(rows)
        score = (steady if steady == 1 else steady / 2, _share_of_numbers(rows[1:] or rows, delimiter))
        numbers_alone = steady == 1 and 2 * score[1] > 1 and not best_score[1]  # names behind a tab, as in auto-mpg
        if delimiter == " " and whole and not numbers_alone:
            continue  # words of one cell; its own separator gives all lines the same number of cells
        whole = whole or (regular == len(rows) and len(rows) > 1)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _without_notes(rows: list[Row]) -> list[Row]:
    """The rows without single-cell lines at the end, such as "(48 rows affected)"."""
    count = next((count for count in range(len(rows), 0, -1) if len(rows[count - 1]) > 1), 0)
    return rows[:count] if len(rows) - count <= _MOST_NOTES < count else rows


_MOST_NOTES = 3


def _by_lines(sample: list[str], delimiter: str) -> list[Row]:
    """The rows with quotation marks as part of the text, if only that gives all lines the same number of cells."""
    rows = (
        [split_line(line, delimiter) for line in sample if line.strip()] if any('"' in line for line in sample) else []
    )
    return rows if len({*map(len, rows)}) == 1 else []


_ENOUGH_CELLS = 5000  # of a line, to distinguish delimiters


def _share_of_numbers(rows: list[Row], delimiter: str) -> float:
    point, comma = Numbers("."), Numbers(",")
    allow_comma = delimiter != ","
    fitting = total = 0
    for row in rows[:5]:
        cells = row[:_ENOUGH_CELLS]
        total += len(cells)
        fitting += sum(point.resembles(cell) or (allow_comma and comma.fits(cell)) for cell in cells)
    return fitting / max(1, total)


def _read(content: Content, options: ReadOptions) -> Table:
    if perseus.recognises(content):
        return perseus.read_matrix(content, options)
    return read_grid(read_delimited(content, options), options)


READER = Reader(
    "CSV, TSV",
    (".csv", ".tsv", ".tab", ".txt", ".dat", ".data"),
    _read,
    lambda content: True,
    (
        *("delimiter", "decimal", "thousands", "encoding", "quotes", "first_line", "header", "below_header"),
        *("orientation", "measure", "labels", "labels_by", "row_ids", *CELLS),
    ),
)
