"""Whether the first line of a grid names the columns."""

from collections.abc import Sequence

from fsdesk.data.cells import MISSING, Numbers, Row

__all__ = ["has_header"]


def has_header(first: Row, body: Sequence[Row], numbers: Numbers, *, sample_names: bool) -> bool:
    """Whether ``first`` holds names: text above numbers, or text that the lines below do not repeat.

    ``sample_names`` says that the line would name samples, which often are plain numbers.
    """
    rows = [row for row in body if len(row) == len(first)]
    if not rows:
        return not any(numbers.is_number(cell) for cell in first)
    if _counts(first, numbers):
        return True
    above_numbers = below_numbers = fresh = repeated = 0
    for cell, column in zip(first, zip(*rows, strict=True), strict=True):
        present = [other.strip() for other in column if other.strip() not in MISSING]
        name = cell.strip()
        if present and all(map(numbers.is_number, present)):
            above_numbers += name not in MISSING and not numbers.is_number(name)
            below_numbers += numbers.is_number(name)
        elif name and present:
            repeated += name in present or (numbers.is_number(name) and not sample_names)
            fresh += name not in present
    if above_numbers or below_numbers:
        if above_numbers <= below_numbers and sample_names:
            return _numbers_as_names(first, rows, numbers)
        return above_numbers > below_numbers
    return fresh > 0 and not repeated


def _counts(first: Row, numbers: Numbers) -> bool:
    """Whether the cells count 0, 1, 2, ... or 1, 2, 3, ... after a first cell that is no number."""
    if len(first) < 3 or numbers.is_number(first[0]):
        return False
    rest = [cell.strip() for cell in first[1:]]
    return rest[0] in ("0", "1") and rest == [str(number) for number in range(int(rest[0]), int(rest[0]) + len(rest))]


def _numbers_as_names(first: Row, rows: Sequence[Row], numbers: Numbers) -> bool:
    """Sample ids such as 1007: whole numbers, each once, above values that are not whole."""
    names = [cell.strip() for cell in first[1:]]
    fractions = sum(
        any(numbers.is_number(cell) and not numbers.one(cell).is_integer() for cell in column)
        for column in list(zip(*rows, strict=True))[1:]
    )
    return len(set(names)) == len(names) and all(name.isdigit() for name in names) and 2 * fractions > len(names)
