"""Formulas of the help, written in plain characters so that a terminal shows them too, set as in a book."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

__all__ = ["Piece", "pieces", "typeset"]

_INDENT = 24
_SYMBOLS = (
    (r"\balpha\b", "α"),
    (r"\bgamma\b", "γ"),
    (r"\brho\b", "ρ"),
    (r"\bsqrt\b", "√"),
    (r"<-", "←"),
    (r">=", "≥"),
    (r"\+-", "±"),
    (r" ~ ", " ∝ "),
    (r" [*.] ", " · "),
    (r"\b([cd])~", "\\1\N{COMBINING TILDE}"),
    (r"\bH\^(?=[\s)]|$)", "Ĥ"),
    (r"(?<![^\W\d_])-|-(?![^\W\d_])", "−"),  # a hyphen between two letters stays
)
_PART = re.compile(
    r"[_^](?P<named>−?[^\W_]+)"  # x_i, m^2, S^-1
    r"|[_^](?=\()"  # x_(k - 1): what the parentheses hold
    r"|(?<=\b[wy])(?P<side>[+−±])(?=[\s).,:|]|$)"  # w+
    r"|(?<![^\W_])(?P<letter>[^\W\d_]\N{COMBINING TILDE}?)(?![^\W\d_])"
)
_IN_PROSE = re.compile(
    r"(?<!\w)[^\W\d_](?:_(?:[^\W_]|\([^)]*\))|~|\+-|[+-](?=[\s),.]))(?!\w)"  # w_k, w_(k+1), d~, y+
    r"|(?<=[^\W_]|\))\^(?:[^\W_]+|\([^)]*\))"  # 2^p
    r"|\b(?:alpha|gamma|rho)\b(?=[ ,.]+(?:is|ist)\b)"
)
_IS_CODE = re.compile(r"\w=\w")


class Piece(NamedTuple):
    """A part of a formula: its text, 1 for raised or -1 for lowered, and whether it is the name of a quantity."""

    text: str
    level: int = 0
    is_name: bool = False


def pieces(formula: str) -> list[Piece]:
    """Cut a formula into parts: lowered after ``_`` and raised after ``^``, with mathematical signs for words."""
    for written, sign in _SYMBOLS:
        formula = re.sub(written, sign, formula)
    return [piece for piece in _cut(formula, 0) if piece.text]


def _cut(formula: str, level: int) -> Iterator[Piece]:
    done = 0
    while found := _PART.search(formula, done):
        yield Piece(formula[done : found.start()], level)
        done = found.end()
        aside = -1 if found[0].startswith("_") else 1
        if found["letter"]:
            yield Piece(found["letter"], level, is_name=True)
        elif found["side"]:
            yield Piece(found["side"], 1)
        elif found["named"]:
            yield from _cut(found["named"], aside)
        else:
            end = _closing(formula, done)
            yield from _cut(formula[done + 1 : end], aside)
            done = end + 1
    yield Piece(formula[done:], level)


def _closing(formula: str, opened: int) -> int:
    """The place of the parenthesis that closes the one at ``opened``."""
    depth = 0
    for place in range(opened, len(formula)):
        depth += {"(": 1, ")": -1}.get(formula[place], 0)
        if depth == 0:
            return place
    return len(formula)


def typeset(document: QTextDocument) -> None:
    """Set the formulas of a page, and their symbols in its sentences; code stays as it is."""
    block = document.begin()
    while block.isValid():
        if not block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage):
            for found in reversed(list(_IN_PROSE.finditer(block.text()))):
                _set(block, found.start(), found.end())
        elif not _IS_CODE.search(block.text()):
            _set(block, 0, block.length() - 1)
            indented = QTextBlockFormat()
            indented.setLeftMargin(_INDENT)
            QTextCursor(block).mergeBlockFormat(indented)
        block = block.next()


def _set(block: QTextBlock, start: int, end: int) -> None:
    """Replace a part of a block by its pieces, in the format of sentences; code within a sentence stays."""
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + start)
    cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
    is_sentence = not block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage)
    if is_sentence and cursor.charFormat().fontFamilies():
        return
    for piece in pieces(cursor.selectedText()):
        look = QTextCharFormat()
        look.setFontItalic(piece.is_name)
        if piece.level:
            place = QTextCharFormat.VerticalAlignment
            look.setVerticalAlignment(place.AlignSuperScript if piece.level > 0 else place.AlignSubScript)
        cursor.insertText(piece.text, look)
