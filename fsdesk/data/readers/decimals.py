"""The decimal sign of numbers that stand in text."""

import re
from collections import Counter
from collections.abc import Sequence

from fsdesk.data.cells import MISSING, Row
from fsdesk.data.reading import Alternative, Reading
from fsdesk.messages import message

_SIGNED = r"\s*[<>≤≥$€£]?=?\s*[-+]?"
_WITH_UNIT = r"([eE][-+]?\d+)?(\s?[A-Za-zµμ°%‰€$£][A-Za-z0-9µμ°%/·*^²³]{0,11})?\s*"
_COMMA_NUMBER = re.compile(rf"{_SIGNED}(\d+),(\d+){_WITH_UNIT}")
_POINT_NUMBER = re.compile(rf"{_SIGNED}\d*\.\d+{_WITH_UNIT}")
_GROUPED_BY_POINT = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")


def find_decimal(rows: Sequence[Row], *, semicolons: bool = True) -> tuple[str, Reading | None]:
    """The decimal sign in some rows, and the decision where it is the comma.

    A comma needs more witnesses than the point, and one that is no thousands separator, as none is between
    ``semicolons`` where nothing else speaks for it.
    """
    commas = points = plain = clear = grouped = 0
    first = ""
    for row in rows:
        for cell in row:
            if cell in MISSING:
                continue
            match = _COMMA_NUMBER.fullmatch(cell)
            if match:
                commas += 1
                first = first or cell.strip()
                # 1,234 may be a thousand; 0,234 and 1,5 may not.
                decimals = len(match[2]) != 3 or match[1].startswith("0") or len(match[1]) > 3
                plain += semicolons or decimals
                clear += decimals
            elif _POINT_NUMBER.fullmatch(cell):
                points += 1
                grouped += _GROUPED_BY_POINT.fullmatch(cell.strip()) is not None
    in_german = clear > 0 and points == grouped  # 4,87 beside 8.732
    if not commas or (commas <= points and not in_german):
        return ".", None
    answers = (
        Alternative(message("The comma is a decimal separator"), "decimal", "comma"),
        Alternative(message("The comma is a thousands separator"), "decimal", "point"),
    )
    sentence = message("The comma in {cell} is taken as the decimal separator.", cell=first)
    if plain:
        return ",", Reading("decimal sign", sentence, "", answers)
    if points or _has_whole_beside_commas(rows):
        return ".", None
    # A table whose every number has three figures behind the comma is the same but for a factor of a thousand.
    evidence = message("All numbers have a comma followed by three digits.")
    return ",", Reading("decimal sign", sentence, evidence, answers)


def _has_whole_beside_commas(rows: Sequence[Row]) -> bool:
    """Whether a column holds numbers both with a comma and three figures and without any, as thousands do."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    for cells in zip(*(row for row in rows if len(row) == width), strict=True):
        if any(_COMMA_NUMBER.fullmatch(cell) for cell in cells) and any(
            cell.strip().lstrip("+-").isdigit() for cell in cells
        ):
            return True
    return False
