"""Texts in files that spreadsheets open: none may be taken for a formula.

A cell that starts with ``= + - @``, a tab or a line break is run as a formula by Excel, LibreOffice and others, even in
a CSV file (OWASP, "CSV Injection"). Such a text gets an apostrophe in front, as one would type it by hand. Plain
numbers stay as they are, and so do texts that begin otherwise. Text that begins with an apostrophe before such a sign
gets another one, so that :func:`original` undoes it in every case.
"""

import re

__all__ = ["escape_formula", "is_number", "original"]

# The wide forms count too where the system speaks Japanese or Chinese.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MARKED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def is_number(text: str) -> bool:
    """Whether a spreadsheet sees nothing but a number in it."""
    return _NUMBER.fullmatch(text) is not None


def escape_formula(text: str) -> str:
    """The text as it may stand in a cell."""
    return f"'{text}" if _FORMULA.match(text) and not is_number(text) else text


def original(text: str) -> str:
    """The text that :func:`escape_formula` was given."""
    return text[1:] if _MARKED.match(text) else text
