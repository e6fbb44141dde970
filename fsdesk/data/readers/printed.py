"""Tables printed by R, pandas, SAS and Stata: blocks of columns are joined; what cannot be joined is refused."""

import re
from collections.abc import Sequence

from fsdesk.data.cells import Numbers
from fsdesk.errors import DataError

_FEWEST_ROWS = 3
_ROW_NUMBERS = ("obs", "obs.", "#")
_PROMPT = re.compile(r"(>|\.|>>>|In \[\d+\]:)\s*$|(> |\. |>>> |In \[\d+\]: )\S")
_FOOTER = re.compile(r"\[\d+ rows x \d+ columns\]")
_OMITTED = re.compile(r"\[ ?reached .*(max\.print|'max').*omitted \d+|# \S+ (with )?\d[\d,]* more (row|variable)")
_FRAME = re.compile(r"\s*\+-+\+\s*")  # databases draw a plus sign at each column
_FRAMED = re.compile(r"\s*(?:(\d+)\.)?\s*\|(.*)\|\s*")
_RULE = re.compile(r"\s*\|-+\|\s*")
_COLUMN_TYPES = re.compile(r"\s*(<[a-z][a-z0-9<>]*>\s*){2,}$")
_NO_ROWS = (
    _PROMPT, _COLUMN_TYPES, re.compile(r"\s*# A (tibble|tsibble|data\.table|grouped_df)\b"),
    re.compile(r"\s*The SAS System\b"),
)  # fmt: skip
"""Commands, titles and types around the lines of a table."""


def joined_blocks(lines: Sequence[str], name: str) -> list[str]:
    """Tab-separated lines of a table printed in blocks of columns, one below the other; [] for any other text.

    R, pandas and SAS repeat the row names or numbers at the beginning of each block. Stata frames its output.

    Raises
    ------
    DataError
        If the output was shortened, or if its cells cannot be told apart.
    """
    filled = [line for line in lines if line.strip()]
    while filled and _PROMPT.match(filled[-1]):
        del filled[-1]
    kept = [line for line in filled if not any(form.match(line) for form in _NO_ROWS)]
    if len(kept) < _FEWEST_ROWS or "\t" in kept[0]:
        return []
    if _FRAME.fullmatch(kept[0]):
        return _framed(kept, name)
    if any(_OMITTED.search(line) for line in kept[-2:]):
        raise _shortened(name)
    while _FOOTER.fullmatch(kept[-1].strip()):
        del kept[-1]
    if kept[-1].split() == kept[0].split():  # data.table repeats the names at the end
        del kept[-1]
    words = [line.rstrip("\\ ").split() for line in kept]
    height = _height(words)
    if not height and len(kept) == len(filled):
        return []
    return _side_by_side(words, height or len(words), name)


def _height(words: Sequence[Sequence[str]]) -> int:
    """Number of lines of each block, with its names; 0 if the text does not consist of several blocks."""
    count = len(words)
    for height in range(_FEWEST_ROWS, count // 2 + 1):
        if count % height:
            continue
        first = [line[0] for line in words]
        heads = [words[place] for place in range(0, count, height)]
        repeats = all(first[place] == first[place % height] for place in range(count) if place % height)
        if repeats and len({*first[1:height]}) >= min(_FEWEST_ROWS, height - 1) and _are_names(heads):
            return height
    return 0


def _are_names(heads: Sequence[Sequence[str]]) -> bool:
    """Whether the first lines of the blocks contain only words, none of them twice except for the first."""
    names = [word for head in heads for word in head]
    if any(map(Numbers().resembles, names)):
        return False
    same = len({head[0] for head in heads}) == 1
    rest = [word for head in heads for word in head[same:]]
    return len({*rest}) == len(rest)


def _side_by_side(words: Sequence[Sequence[str]], height: int, name: str) -> list[str]:
    """The blocks beside each other, after the row names."""
    rows: list[list[str]] = [[line[0]] for line in words[:height]]
    rows[0] = [""]
    for start in range(0, len(words), height):
        block = words[start : start + height]
        names = list(block[0])
        numbered = len(names) == len(block[1])  # Obs of SAS
        if numbered and height == len(words) and names[0].lower() not in _ROW_NUMBERS:
            return ["\t".join(line) for line in words] if len({*map(len, words)}) == 1 else []
        width = len(block[1]) - 1
        if len(names) - numbered != width or any(len(line) != width + 1 for line in block[1:]):
            raise DataError(
                '"{name}" was printed in columns, and some of its cells are blank or contain blanks, so that they '
                "cannot be told apart. Save the table itself, for example with write.csv in R or to_csv in Python, and "
                "open that.",
                name=name,
            )
        for row, line in zip(rows, [names[numbered:], *(line[1:] for line in block[1:])], strict=True):
            row += line
    return ["\t".join(row) for row in rows]


def _framed(lines: Sequence[str], name: str) -> list[str]:
    """The lines of Stata's list within a single frame; DataError if there is one frame per row."""
    found: list[list[str]] = []
    for line in lines:
        match = _FRAMED.fullmatch(line)
        if match is None or _RULE.fullmatch(line):
            if match is None and not _FRAME.fullmatch(line):
                return []
            continue
        found.append([match[1] or "", *re.split(r"\s{2,}", match[2].strip())])
    if len(found) < _FEWEST_ROWS or not any(row[0] for row in found):
        return []  # not Stata's
    frames = sum(_FRAME.fullmatch(line) is not None for line in lines)
    shortened = any("~" in cell for cell in found[0])
    if frames > 2 or shortened or found[0][0] or len({*map(len, found)}) > 1 or not all(row[0] for row in found[1:]):
        raise DataError(
            '"{name}" was printed by the command list of Stata, which wraps columns and shortens names. Save the '
            'table itself with "export delimited", and open that.',
            name=name,
        )
    return ["\t".join(row) for row in found]


def _shortened(name: str) -> DataError:
    return DataError(
        '"{name}" was shortened when it was printed: it lacks rows or columns. Save the whole table, for example with '
        "to_csv in Python or write.csv in R, and open that.",
        name=name,
    )
