"""The decimal separator of numbers in text."""

import re
from collections import Counter
from collections.abc import Sequence

from fsdesk.data.cells import MISSING, Row
from fsdesk.data.number_texts import are_pairs
from fsdesk.data.reading import Alternative, Reading
from fsdesk.messages import message

_SIGNED = r"\s*[<>≤≥$€£]?=?\s*[-+]?"
_WITH_UNIT = r"([eE][-+]?\d+)?(\s?[A-Za-zµμ°%‰€$£][A-Za-z0-9µμ°%/·*^²³]{0,11})?\s*"
_COMMA_NUMBER = re.compile(rf"{_SIGNED}(\d+),(\d+){_WITH_UNIT}")
_POINT_NUMBER = re.compile(rf"{_SIGNED}\d*\.\d+{_WITH_UNIT}")
_GROUPED_BY_POINT = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")


def find_decimal(rows: Sequence[Row], delimiter: str = "") -> tuple[str, Reading | None]:
    """The decimal sign in some rows, and the decision if it is a comma, or if 5.306 may be five thousand.

    A comma needs more evidence than a point: at least one comma that is not a thousands separator. Between semicolons,
    commas are no thousands separators unless something else indicates it. In comma-separated text, a cell with a comma
    is quoted, and unambiguous if it does not have three digits after it.
    """
    semicolons = delimiter == ";"
    commas = points = plain = clear = grouped = 0
    first = point = ""
    pairs = _columns_of_pairs(rows)
    for row in rows:
        for place, cell in enumerate(row):
            if cell in MISSING or place in pairs:
                continue
            match = _COMMA_NUMBER.fullmatch(cell) if "," in cell else None
            if match:
                commas += 1
                first = first or cell.strip()
                # 1,234 may be one thousand; 0,234 and 1,5 may not.
                decimals = len(match[2]) != 3 or match[1].startswith("0") or len(match[1]) > 3
                plain += semicolons or decimals
                clear += decimals
            elif "." in cell and _POINT_NUMBER.fullmatch(cell):
                points += 1
                if cell.strip()[-4:-3] == "." and _GROUPED_BY_POINT.fullmatch(cell.strip()):
                    grouped += 1
                    point = point or cell.strip()
    in_german = clear > 0 and points == grouped  # 4,87 beside 8.732
    if (
        not commas
        and semicolons
        and grouped == points > _FEWEST_GROUPED
        and not _has_whole_beside(rows, _GROUPED_BY_POINT)
    ):
        return ".", _point_or_thousands(point)
    if not commas or (commas <= points and not in_german) or (delimiter == "," and not clear):
        return ".", None
    answers = (
        Alternative(message("The comma is a decimal separator"), "decimal", "comma"),
        Alternative(message("The comma is a thousands separator"), "decimal", "point"),
    )
    sentence = message("The comma in {cell} is taken as the decimal separator.", cell=first)
    if plain:
        return ",", Reading("decimal sign", sentence, "", answers)
    if points or _has_whole_beside(rows, _COMMA_NUMBER):
        return ".", None
    # A table whose numbers all have three digits after the comma is the same up to a factor of a thousand.
    evidence = message("All numbers have a comma followed by three digits.")
    return ",", Reading("decimal sign", sentence, evidence, answers, sure=False)


def _columns_of_pairs(rows: Sequence[Row]) -> frozenset[int]:
    """Columns in which a comma separates two integers, such as alleles."""
    if not any("," in cell for row in rows[1:3] for cell in row):
        return frozenset()
    width = len(rows[-1])
    body = [row for row in rows[1:] if len(row) == width]
    return frozenset(j for j in range(width) if "," in rows[-1][j] and are_pairs([row[j] for row in body]))


_FEWEST_GROUPED = 4


def _point_or_thousands(cell: str) -> Reading:
    """The decision about points followed by three digits each, in a file as written by German programs."""
    answers = (
        Alternative(message("The point is a decimal separator"), "thousands", "none"),
        Alternative(message("The point is a thousands separator"), "thousands", "point"),
    )
    sentence = message("The point in {cell} is taken as the decimal separator.", cell=cell)
    evidence = message("All numbers with a point have three digits after it, and cells are separated by semicolons.")
    return Reading("decimal sign", sentence, evidence, answers, sure=False)


def _has_whole_beside(rows: Sequence[Row], written: re.Pattern[str]) -> bool:
    """Whether a column mixes integers and numbers with a separator and three digits, as thousands separators do."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    for cells in zip(*(row for row in rows if len(row) == width), strict=True):
        if any(written.fullmatch(cell.strip()) for cell in cells) and any(
            cell.strip().lstrip("+-").isdigit() for cell in cells
        ):
            return True
    return False
