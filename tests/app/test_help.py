"""The help opens at the page that is asked for."""

import asyncio
import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextTable
from PySide6.QtWidgets import QPushButton, QSpinBox, QTextBrowser, QTreeWidget

from .conftest import Desk


def _page(desk: Desk) -> str:
    text: str = desk.child(QTextBrowser, "helpText").toPlainText()
    return text


def test_the_link_beside_a_method_opens_its_page(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.window.workspace.setup.method_summary.linkActivated.emit("methods/bspsa")
        assert _page(desk).startswith("BSPSA\nBSPSA is the method of the paper")
        assert "max_iterations" in _page(desk)
        pages = desk.child(QTreeWidget, "helpPages")
        assert pages.currentItem().text(0) == "BSPSA"
        pages.setCurrentItem(pages.topLevelItem(0))
        assert "three steps" in _page(desk).lower()
        desk.child(QPushButton, "helpClose").click()

    desk.play(scene)


def test_f1_explains_what_has_the_focus_and_else_the_program(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        setup = desk.window.workspace.setup
        assert setup.place_of(desk.child(QSpinBox, "method_max_iterations")) == "methods/bspsa#max_iterations"
        assert setup.place_of(desk.child(QSpinBox, "wrapper_k")) == "wrappers/nn#k"
        assert setup.place_of(desk.window.messages) == ""
        desk.window.actions_["help"].trigger()
        assert _page(desk).startswith("Data page")
        desk.child(QPushButton, "helpClose").click()

    desk.play(scene)


def test_in_a_german_window_every_page_is_german(german: None, desk: Desk) -> None:
    async def scene() -> None:
        desk.window.actions_["help"].trigger()
        pages, text = desk.child(QTreeWidget, "helpPages"), desk.child(QTextBrowser, "helpText")
        english = re.compile(r"\b(the|of|and|which|is)\b")
        items = pages.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        assert len(items) > 45
        for item in items:
            pages.setCurrentItem(item)
            told = text.toPlainText().partition("\nQuelle\n")[0]  # titles of articles stay
            told = re.sub(r"(?<=Aufsatz|Artikel), Abschnitt [^:\n]*", "", told)
            assert not english.search(told), (item.text(0), english.search(told))
        desk.child(QPushButton, "helpClose").click()
        await asyncio.sleep(0)
        desk.window.explain("methods/bspsa#c")
        text = desk.child(QTextBrowser, "helpText")
        assert "Störung c (c)\n0,05" in text.toPlainText()
        assert text.textCursor().selectedText() == "(c)"
        desk.child(QPushButton, "helpClose").click()

    desk.play(scene)


def test_tables_of_settings_are_as_wide_as_the_page_and_no_wider(german: None, desk: Desk) -> None:
    async def scene() -> None:
        desk.window.explain("methods/bga")
        text = desk.child(QTextBrowser, "helpText")
        dialog, layout = text.window(), text.document().documentLayout()
        for width in range(760, 1240, 20):
            dialog.resize(width, 600)
            dialog.grab()
            (table,) = (each for each in text.document().rootFrame().childFrames() if isinstance(each, QTextTable))
            seen = text.viewport().width()
            assert text.horizontalScrollBar().maximum() == 0, width
            assert 0.96 * seen < layout.frameBoundingRect(table).width() <= seen, width
        desk.child(QPushButton, "helpClose").click()

    desk.play(scene)


def test_headings_keep_away_from_a_formula_or_a_table_above_them_and_no_cell_reaches_over_another(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.explain("wrappers/sklearn")
        text = desk.child(QTextBrowser, "helpText")
        (table,) = (each for each in text.document().rootFrame().childFrames() if isinstance(each, QTextTable))
        spans = {table.cellAt(row, column).columnSpan() for row in range(table.rows()) for column in range(5)}
        assert spans == {1}  # also where a setting has neither default nor range
        blocks, block = [], text.document().begin()
        while block.isValid():
            blocks.append(block.blockFormat())
            block = block.next()
        margins = [each.topMargin() for each in blocks[1:] if each.headingLevel()]
        assert len(margins) >= 3
        assert min(margins) >= 16
        desk.child(QPushButton, "helpClose").click()

    desk.play(scene)
