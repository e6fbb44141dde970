"""Formulas of the help are set with raised and lowered parts and mathematical signs, in every language."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from fsdesk.app.dialogs.help import pieces, typeset
from fsdesk.paths import resource

PAGES = sorted(
    path for kind in ("methods", "wrappers", "de/methods", "de/wrappers") for path in resource(f"help/{kind}").iterdir()
)


def marked(formula: str) -> str:
    """A formula with {raised} and [lowered] parts."""
    marks = {0: "{0}", 1: "{{{0}}}", -1: "[{0}]"}
    return re.sub(r"\}\{|\]\[", "", "".join(marks[piece.level].format(piece.text) for piece in pieces(formula)))


@pytest.mark.parametrize(
    ("written", "set_"),
    [
        ("a_k = a / (A + k + 1)^alpha", "a[k] = a / (A + k + 1){α}"),
        ("w_(k+1) <- w_k - a_k g_k", "w[k+1] ← w[k] − a[k] g[k]"),
        ("T_k = T_0 r^(k / (K - 1))", "T[k] = T[0] r{k / (K − 1)}"),
        ("w+- = w +- c~ d~, mean |y+ - y-|", "w{±} = w ± c\u0303 d\u0303, mean |y{+} − y{−}|"),
        ("f(H_k)^-1 (H^2 + floor^2)^(1/2) H^", "f(H[k]){−1} (H{2} + floor{2}){1/2} Ĥ"),
        ("t_i^a ~ s_ic^2 * sqrt(n) . x", "t[i]{a} ∝ s[ic]{2} · √(n) · x"),
        ("m* = argmin_k y(S_k), p >= 100", "m* = argmin[k] y(S[k]), p ≥ 100"),
    ],
)
def test_what_is_written_plainly_is_set_as_in_a_book(written: str, set_: str) -> None:
    assert marked(written) == set_


def test_names_of_quantities_are_slanted_and_words_are_not() -> None:
    assert [piece.text for piece in pieces("S_k = the k features of y") if piece.is_name] == ["S", "k", "k", "y"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_no_formula_of_any_page_keeps_the_signs_that_stand_for_others(qapp: QApplication, path: Path) -> None:
    document = QTextDocument()
    document.setMarkdown(path.read_text(encoding="utf-8"))
    typeset(document)
    text = re.sub(r"\w+=.*|\w+_\w{2,}", "", document.toPlainText())  # code
    assert not re.search(r"\w_\w|\^|<-|>=|\+-|\balpha\b|\bgamma\b|\brho\b|\bsqrt\b|\b[cd]~", text)


def test_the_subscript_stands_low_and_code_stays_as_it_is(qapp: QApplication) -> None:
    document = QTextDocument()
    document.setMarkdown(
        'Here v_c is `a_k`, and `class_weight="balanced"` too.\n\n    x_i = 2\n\nCode:\n\n    max_depth=3\n'
    )
    typeset(document)
    assert document.toPlainText() == 'Here vc is a_k, and class_weight="balanced" too.\nxi = 2\nCode:\nmax_depth=3'
    for found in ("c is", "i ="):
        cursor = document.find(found)
        cursor.setPosition(cursor.selectionStart())
        cursor.movePosition(QTextCursor.MoveOperation.Right)
        assert cursor.charFormat().verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignSubScript
