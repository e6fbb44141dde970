"""The help opens at the page that is asked for."""

import asyncio
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSpinBox, QTextBrowser, QTreeWidget

from .conftest import WindowDriver


def _page(driver: WindowDriver) -> str:
    text: str = driver.child(QTextBrowser, "helpText").toPlainText()
    return text


async def test_the_link_beside_a_method_opens_its_page_and_each_setting_has_a_place_there(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    driver.window.workspace.setup.search.summary.linkActivated.emit("methods/bspsa")
    assert _page(driver).startswith("BSPSA\nBSPSA is the method of the paper")
    assert "max_iterations" in _page(driver)
    pages = driver.child(QTreeWidget, "helpPages")
    assert pages.currentItem().text(0) == "BSPSA"
    pages.setCurrentItem(pages.topLevelItem(0))
    assert "three steps" in _page(driver).lower()
    driver.child(QPushButton, "helpClose").click()
    setup = driver.window.workspace.setup
    assert setup.place_of(driver.child(QSpinBox, "method_max_iterations")) == "methods/bspsa#max_iterations"
    assert setup.place_of(driver.child(QSpinBox, "wrapper_k")) == "wrappers/nn#k"
    assert setup.place_of(driver.window.messages) == ""


async def test_in_a_german_window_every_page_is_german(german: None, driver: WindowDriver) -> None:
    driver.window.actions_["help"].trigger()
    pages, text = driver.child(QTreeWidget, "helpPages"), driver.child(QTextBrowser, "helpText")
    english = re.compile(r"\b(the|of|and|which|is)\b")
    items = pages.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    assert len(items) > 45
    for item in items:
        pages.setCurrentItem(item)
        told = text.toPlainText().partition("\nQuelle\n")[0]  # titles of articles stay
        told = re.sub(r"(?<=Aufsatz|Artikel), Abschnitt [^:\n]*", "", told)
        assert not english.search(told), (item.text(0), english.search(told))
    driver.child(QPushButton, "helpClose").click()
    await asyncio.sleep(0)
    driver.window.explain("methods/bspsa#c")
    text = driver.child(QTextBrowser, "helpText")
    assert "Störung c (c)\n0,05" in text.toPlainText()
    assert text.textCursor().selectedText() == "(c)"
    driver.child(QPushButton, "helpClose").click()
