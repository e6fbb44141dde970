"""The help opens at the page that is asked for."""

from PySide6.QtWidgets import QPushButton, QSpinBox, QTextBrowser, QTreeWidget

from .conftest import Desk


def _page(desk: Desk) -> str:
    text: str = desk.child(QTextBrowser, "helpText").toPlainText()
    return text


def test_the_link_beside_a_method_opens_its_page(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.window.bench.setup.method_summary.linkActivated.emit("methods/bspsa")
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
        setup = desk.window.bench.setup
        assert setup.place_of(desk.child(QSpinBox, "method_max_iterations")) == "methods/bspsa#max_iterations"
        assert setup.place_of(desk.child(QSpinBox, "wrapper_k")) == "wrappers/nn#k"
        assert setup.place_of(desk.window.messages) == ""
        desk.window.actions_["help"].trigger()
        assert _page(desk).startswith("Data page")
        desk.child(QPushButton, "helpClose").click()

    desk.play(scene)
