"""Layouts of texts and sheets other than plain rows below names: plates, single samples, sections, panels."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from fsdesk.data.cells import Numbers, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.precursor_reports import protein_columns, refuse_precursors
from fsdesk.data.readers.feature_rows import is_gene_title
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.progenesis import progenesis_table
from fsdesk.data.readers.protein_panels import olink_table
from fsdesk.data.readers.sample_block import block_table
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import as_descriptions
from fsdesk.errors import DataError
from fsdesk.messages import message, quoted

_ONE_SAMPLE = (
    ("name", "length", "effectivelength", "tpm", "numreads"),
    ("target_id", "length", "eff_length", "est_counts", "tpm"),
    ("gene_id", "transcript_id(s)", "length", "effective_length", "expected_count", "tpm", "fpkm"),
    ("transcript_id", "gene_id", "length", "effective_length", "expected_count", "tpm", "fpkm"),
    ("gene id", "gene name", "reference", "strand", "start", "end", "coverage", "fpkm", "tpm"),
)
"""Column names in the files of Salmon, kallisto, RSEM and StringTie, which contain one sample each."""
_FOLDS = frozenset(("logfc", "log2foldchange", "log2fc", "fold", "foldchange", "fold.change", "avg_log2fc"))
_TESTS = frozenset((
    "aveexpr", "t", "p.value", "adj.p.val", "b", "basemean", "lfcse", "stat", "pvalue", "padj", "logcpm", "lr", "f",
    "fdr", "qvalue", "svalue", "weight", "p_val", "p_val_adj", "pct.1", "pct.2", "p-value", "q-value", "adj.p",
))  # fmt: skip
"""Column names in the results of limma, DESeq2, edgeR and Seurat, in lower case."""
_PLATES = {8: 12, 16: 24, 4: 6}
_FEWEST_LINES, _MOST_CELLS, _MOST_OF_STAR = 2, 100_000, 4
_LOOKED_AT, _FEWEST_ROWS, _MOST_SECTIONS = 400, 6, 20


def read_grid(grid: Grid, options: ReadOptions) -> Table:
    """The table of a text or sheet; DataError for a plate or for the genes of a single sample."""
    head = _head(grid)
    pair = _marks_around(head)
    if pair:
        grid = _without_marks(grid, pair)
        head = _head(grid)
    if head:
        _refuse_shortened(head, grid.name)
        _refuse_printed(head, grid.name)
        _refuse_one_sample(head, grid.name)
        if options.orientation != "long" and protein_columns(head[0]) is None:
            refuse_precursors(head[0], grid.name)
        _refuse_plate(head, grid.name)
    if (table := progenesis_table(grid, head, options)) is not None:
        return table
    if (table := block_table(grid, head, options)) is not None:
        return table
    if options.orientation == "rows" and _has_sections(head):
        return _with_sections(to_table(_in_sections(grid), options))
    if options.orientation == "columns" and len(head) > 1:
        grid = _with_one_header(grid, head[0], head[1])
    if options.orientation == "rows" and options.below_header == "auto" and (line := _class_line(head)) is not None:
        return _turned(grid, options, line, is_last=line is head[-1])
    panel = olink_table(grid, head, options)
    head.clear()  # for a wide table, this takes some memory
    if panel is not None:
        return panel
    table = to_table(grid, options)
    if _counts_one_sample(table, options):
        raise _one_sample(grid.name)
    return table


def _head(grid: Grid) -> list[Row]:
    """The first lines of a grid; only a few if the table is wide."""
    found: list[Row] = []
    cells = 0
    for _, row in islice((grid.head or grid.rows)(), _LOOKED_AT):
        found.append(row)
        cells += len(row)
        if len(found) >= _FEWEST_LINES and cells > _MOST_CELLS:
            break
    return found


_PAIRS = ("''", "“”", "„“", "‘’", "«»", "``")


def _marks_around(head: Sequence[Row]) -> str:
    """The opening and closing quotation marks put around names and texts instead of plain ones; "" for none."""
    names = [cell.strip() for cell in head[0] if cell.strip()] if head else []
    pair = next((pair for pair in _PAIRS if len(names) > 1 and all(_is_within(cell, pair) for cell in names)), "")
    if pair or not any("'" in cell for cell in names):
        return pair
    marked = [cell for row in head for cell in row if cell[:1] == "'"]  # Weka marks texts with blanks or commas
    return "''" if marked and all(_is_within(cell, "''") and _BLANK.search(cell) for cell in marked) else ""


_BLANK = re.compile(r"[\s,;%{}]")


def _is_within(cell: str, pair: str) -> bool:
    return len(cell) > 1 and cell[0] == pair[0] and cell[-1] == pair[1]


def _without_marks(grid: Grid, pair: str) -> Grid:
    """The grid without these marks around its cells."""

    def rows() -> Iterator[tuple[int, Row]]:
        for line, row in grid.rows():
            yield line, [cell.strip()[1:-1] if _is_within(cell.strip(), pair) else cell for cell in row]

    return replace(grid, rows=rows, head=None, bulk=None)


def _refuse_shortened(head: Sequence[Row], name: str) -> None:
    """Raise DataError for a table printed without its middle: dots in place of all cells of a line or column."""
    names, *rows = head
    in_column = any(
        cell.strip() in _DOTS and all(row[j].strip() in _DOTS for row in rows[:_FEWEST_ROWS] if len(row) > j)
        for j, cell in enumerate(names)
    )
    in_line = any(row[0].strip() in _DOTS and len(row) >= _FEWEST_CELLS and all(cell.strip() in _DOTS for cell in row)
                  for row in rows)  # fmt: skip
    if not in_line and not (in_column and len(rows) >= _FEWEST_ROWS):
        return
    raise DataError(
        '"{name}" was shortened when it was printed: it contains dots in place of rows or columns. Save the whole '
        "table, for example with to_csv in Python or write.csv in R, and open that.",
        name=name,
    )


_DOTS = frozenset(("..", "...", "....", "\N{HORIZONTAL ELLIPSIS}"))


_PRINTED = re.compile(r"'data\.frame':|Classes .{0,80}data\.frame|tibble \[|Min\. *:.*\n.*1st Qu\. *:|<class 'pandas")


def _refuse_printed(head: Sequence[Row], name: str) -> None:
    """Raise DataError for a description of a table as printed by str or summary in R, or by info in pandas."""
    text = "\n".join(" ".join(row[:_FEWEST_ROWS]) for row in head[:_FEWEST_ROWS])
    if _PRINTED.search(text):
        raise DataError(
            '"{name}" is a printed summary of a table, not the table. Save the table itself, for example with '
            "write.csv in R or to_csv in Python, and open that.",
            name=name,
        )


def _refuse_one_sample(head: Sequence[Row], name: str) -> None:
    first = head[0]
    if first[0].strip() == "Status" and len(head) > 1 and head[1][0].strip() == "Assigned":
        raise DataError(
            '"{name}" counts the reads of each sample that were assigned to a gene or not. Open the table of counts '
            "that was written beside it.",
            name=name,
        )
    names = tuple(cell.strip().lower() for cell in first if cell.strip())
    measured = [cell for cell in names[1:] if cell not in ("symbol", "gene_name", "description", "gene", "entrez")]
    tested = {*names} & _FOLDS and len({*measured} & _TESTS) >= 2 and {*measured} <= _FOLDS | _TESTS
    if tested:
        raise DataError(
            '"{name}" contains results of a test per gene, not samples. Open the table of values per sample that they '
            "were computed from.",
            name=name,
        )
    of_star = first[0].strip() == "N_unmapped" and len(first) <= _MOST_OF_STAR
    if of_star or any(names[: len(known)] == known for known in _ONE_SAMPLE):
        raise _one_sample(name)


_MOST_COUNTS, _FEWEST_GENES, _GENES_LOOKED_AT = 3, 20, 100  # columns, and rows
_GENE_ID = re.compile(r"ENS[A-Z]{0,5}[GTP]\d{11}(\.\d+)?(_PAR_Y)?|[NX][MR]_\d{6,9}(\.\d+)?|AT[1-5CM]G\d{5}|FBgn\d{7}")


def _counts_one_sample(table: Table, options: ReadOptions) -> bool:
    """Whether a narrow table contains one sample's counts per gene, such as those of HTSeq with their __no_feature."""
    if len(table.columns) > _MOST_COUNTS or options.orientation != "rows":
        return False
    words = {*table.rows[-_MOST_UNASSIGNED:]}.union(*table.categories.values())
    if "__no_feature" in words:
        return True
    numbers = len(table.columns) - len(table.categories)
    if len(table.rows) < _FEWEST_GENES:
        return False
    named = next((reading.columns[0] for reading in table.readings if reading.kind == "row ids"), "")
    if len(table.columns) == numbers == 1 and is_gene_title(named):
        return True
    genes = [row for row in table.rows[:_GENES_LOOKED_AT] if _GENE_ID.fullmatch(row)]
    return numbers == 1 and 2 * len(genes) > min(len(table.rows), _GENES_LOOKED_AT)


_MOST_UNASSIGNED = 10


def _one_sample(name: str) -> DataError:
    return DataError(
        '"{name}" contains a single sample: each row is a gene or transcript. Combine the files of all samples into '
        "one table with a column per sample, and open that with samples in columns.",
        name=name,
    )


def _refuse_plate(head: Sequence[Row], name: str) -> None:
    """Raise DataError if rows are named A, B, C, ... and columns 1, 2, 3, ..., like the wells of a plate.

    Also for the export of a reader with columns 1, 2, 3, ... below other lines.
    """
    for place, row in enumerate(head[:_MOST_ABOVE_PLATES]):
        cells = [cell.strip() for cell in row if cell.strip()]
        wide = cells[-next((count for count in (24, 12) if cells[-count:] == [*map(str, range(1, count + 1))]), 1) :]
        below = head[place + 1 : place + 1 + len(_ROWS_OF_PLATES[len(wide)])] if len(wide) in _ROWS_OF_PLATES else ()
        unnamed = place or not any(line[0].strip() for line in head)
        if unnamed and below and all(sum(map(Numbers().is_number, line)) >= len(wide) // 2 for line in below):
            raise _plate(name, _ROWS_OF_PLATES[len(wide)][-1], len(wide))
    first = [cell.strip() for cell in head[0]]
    wide = [cell for cell in first[1:] if cell]
    rows = [row[0].strip() for row in head[1:] if any(map(str.strip, row))]
    letters = [chr(ord("A") + place) for place in range(len(rows))]
    if (
        rows != letters
        or wide != [str(place) for place in range(1, len(wide) + 1)]
        or _PLATES.get(len(rows)) != len(wide)
    ):
        return
    raise _plate(name, letters[-1], len(wide))


_MOST_ABOVE_PLATES = 60
_ROWS_OF_PLATES = {12: "ABCDEFGH", 24: "ABCDEFGHIJKLMNOP"}


def _plate(name: str, last: str, count: int) -> DataError:
    return DataError(
        '"{name}" is the layout of a plate (rows A to {last}, columns 1 to {count}), not a table of samples. Write one '
        "row per well, with its sample, group and values.",
        name=name, last=last, count=count,
    )  # fmt: skip


def _heading(row: Row) -> str:
    """The only filled cell of a line; "" if there are more."""
    return row[0].strip() if row and row[0].strip() and not any(map(str.strip, row[1:])) else ""


def _has_sections(head: Sequence[Row]) -> bool:
    """Whether the line below the names is just a heading, and there are more between the rows.

    Headings have no digits if the IDs of most rows have some, so that a row without values is not a heading.
    """
    if len(head) < _FEWEST_ROWS or len(head[0]) < 3 or not _heading(head[1]):
        return False
    headings = [place for place, row in enumerate(head[1:], 1) if _heading(row)]
    words = [head[place][0].strip() for place in headings]
    others = [row[0].strip() for row in head[1:] if len(row) > 1 and not _heading(row)]
    if not 2 <= len(words) <= _MOST_SECTIONS or len({*words}) < len(words) or headings[-1] == len(head) - 1:
        return False
    if any(after == place + 1 for place, after in pairwise(headings)):
        return False
    figures = sum(bool(re.search(r"\d", cell)) for cell in others)
    return not any(re.search(r"\d$", word) or Numbers().is_number(word) for word in words) and 5 * figures > 4 * len(
        others
    )


def _with_one_header(grid: Grid, names: Row, line: Row) -> Grid:
    """The grid of features in rows without a second header line that describes the columns of each sample."""
    cells = [cell.strip() for cell in line[1:]]
    kinds = list(dict.fromkeys(cells))
    count = len(kinds)
    if len(cells) < _FEWEST_CELLS or len(names) != len(line) or any(map(Numbers().fits, kinds)):
        return grid
    if cells != kinds * (len(cells) // count) or (count > 1 and len({*names[1:]}) * count != len(cells)):
        return grid
    joined = [names[0], *(f"{name} {kind}" for name, kind in zip(names[1:], cells, strict=True))]

    def rows() -> Iterator[tuple[int, Row]]:
        for place, (number, row) in enumerate(grid.rows()):
            if place != 1:
                yield number, joined if count > 1 and not place else row

    sentence = message("The second line ({cells}) says what the columns contain and is ignored.",
                       cells=quoted([line[0].strip(), *kinds]))  # fmt: skip
    return replace(grid, rows=rows, head=None, bulk=None, checks=(*grid.checks, Check("title", sentence)))


def _class_line(head: Sequence[Row]) -> Row | None:
    """The line of classes of samples in columns, as in MetaboAnalyst; None if there is none.

    It is one of the lines about samples below the names, or the last line of a short table; all others are numeric.
    """
    if len(head) < _FEWEST_ROWS or len({*map(len, head)}) > 1:
        return None
    numbers = Numbers()
    texts = [place for place, row in enumerate(head) if place and not all(map(numbers.resembles, row[1:]))]
    above, whole = [place for place in texts if place <= _MOST_LINES_ABOVE], len(head) < _LOOKED_AT
    if len(head) < len(above) + 3 or (texts != above and not (whole and texts == [len(head) - 1])):
        return None
    names = {cell.strip() for cell in head[0][1:]}
    if len(names) < len(head[0]) - 1:
        return None
    for place in texts:
        cells = Counter(cell.strip() for cell in head[place][1:])
        few = 2 <= len(cells) <= max(2, len(head[0]) // _FEWEST_OF_A_CLASS)
        named = head[place][0].strip().lower() in _CLASS_TITLES
        if named and few and min(cells.values()) >= _FEWEST_OF_A_CLASS and not any(map(numbers.fits, cells)):
            return head[place]
    return None


_MOST_LINES_ABOVE = 6
_CLASS_TITLES = ("label", "labels", "class", "group", "groups", "condition", "phenotype", "diagnosis", "treatment")
_FEWEST_CELLS, _FEWEST_OF_A_CLASS = 3, 3


def _turned(grid: Grid, options: ReadOptions, line: Row, *, is_last: bool) -> Table:
    """The table read with samples in columns, with a question to the user."""
    sentence = message(
        "Each column is read as a sample; one line ({cells}) contains their classes.",
        cells=quoted([cell.strip() for cell in line]),
    )  # fmt: skip
    answers = (
        Alternative(message("Samples are in columns"), "orientation", "columns"),
        Alternative(message("Samples are in rows"), "below_header", "data" if is_last else "skip"),
    )
    evidence = message("Its cells are repeated, whereas the names differ, and there are numbers below.")
    table = to_table(grid, options.updated({"orientation": "columns"}))
    reading = Reading("orientation", sentence, evidence, answers, sure=False)
    return replace(table, readings=(reading, *table.readings))


_SECTION = "section"


def _in_sections(grid: Grid) -> Grid:
    """The grid with the headings in a separate last column."""

    def rows() -> Iterator[tuple[int, Row]]:
        heading = None
        for line, row in grid.rows():
            if heading is None:
                heading = ""
                yield line, [*row, _SECTION]
            elif found := _heading(row):
                heading = found
            elif any(map(str.strip, row)):
                yield line, [*row, heading]

    return replace(grid, rows=rows, head=None, bulk=None)


def _with_sections(table: Table) -> Table:
    """The table with the question whether the sections are the target."""
    name = table.columns[-1]
    sentence = message(
        'Lines with one cell are headings of the rows below them ({headings}); they are used as the target, "{name}".',
        headings=quoted(table.categories.get(len(table.columns) - 1, ())), name=name,
    )  # fmt: skip
    answers = [Alternative(message('"{name}" is the target', name=each), "target", each)
               for each in (name, *table.columns[-2:-1])]  # fmt: skip
    reading = Reading("target", sentence, "", tuple(answers), False, (name,), "without target")
    told = tuple(each for each in table.readings if each.kind != "target")
    return as_descriptions(replace(table, default_target=name, readings=(*told, reading)), (name,))
