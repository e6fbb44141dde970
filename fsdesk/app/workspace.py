"""The main area with a table or project open: the settings panel, and next to it one of the pages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QWidget

from fsdesk.app.data_page.data_page import DataPage
from fsdesk.app.dialogs.help import explain_by, page_of
from fsdesk.app.forms.setup_panel import SetupPanel
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import Card, button, named, row
from fsdesk.messages import tr

if TYPE_CHECKING:
    from fsdesk.app.compare_page.compare_page import ComparePage
    from fsdesk.app.result_page.result_page import ResultPage
    from fsdesk.app.search_page.search_page import SearchPage

PAGES = ("data", "search", "result", "compare")
"""Keys of the pages."""

_NARROW = 1160


class Workspace(QWidget):
    """Settings panel and pages, all but the first created on first use.

    Signals: ``page_made`` with the key of a page; ``rail_shown`` when the settings are shown or hidden; ``help_wanted``
    with a help page.

    In a narrow window, such as at 200 % scaling, the settings are hidden until requested, and then the page's side
    panel is hidden instead.
    """

    page_made = Signal(str)
    rail_shown = Signal(bool)
    help_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._narrow, self._has_side = False, True
        self.setup = setup = SetupPanel(session)
        self.pages = QStackedWidget()
        self._made: dict[str, QWidget] = {}
        columns, features = self.data.columns, setup.features_section
        columns.always_wanted.connect(features.want_always)
        setup.plan_changed.connect(lambda: columns.model.show_always(frozenset(features.constraints.always)))
        self.run = button(tr("Run"), "runButton", "primary", tr("Run the search"))
        self.pause = QToolButton()
        self.stop = QToolButton()
        named(self.pause, "pauseButton", tr("Pause the run"))
        named(self.stop, "stopButton", tr("Stop the run"))
        setup.foot_layout.addLayout(row(self.run, self.pause, self.stop, grow=[self.run]))
        self.setLayout(row(setup, self.pages, spacing=0, grow=[self.pages]))
        self._explain((setup, "settings", ""), (setup.foot, "settings", ""))

    def load_plots(self) -> None:
        """Import the pages with plots beside the window, which would be halted when one is first shown."""
        tasks = self._session.tasks
        tasks.begin(tasks.in_thread(_import_pages), tr("loading the plots"), quietly=True)

    def has(self, key: str) -> bool:
        """Whether a page was already created."""
        return key in self._made

    def page(self, key: str) -> QWidget:
        """One of the pages, created on first use."""
        if key not in self._made:
            self._made[key] = made = _make(key, self._session)
            self.pages.addWidget(made)
            self._explain_page(key)
            self._show_sides()
            self.page_made.emit(key)
        return self._made[key]

    @property
    def data(self) -> DataPage:
        """The table, its columns and checks."""
        return cast(DataPage, self.page("data"))

    @property
    def search(self) -> SearchPage:
        """The current run, live, and the list of runs."""
        return cast("SearchPage", self.page("search"))

    @property
    def result(self) -> ResultPage:
        """The result of the run."""
        return cast("ResultPage", self.page("result"))

    @property
    def compare(self) -> ComparePage:
        """Runs side by side."""
        return cast("ComparePage", self.page("compare"))

    def _explain_page(self, key: str) -> None:
        if key == "data":
            data = self.data
            self._explain(
                (data, "data", ""), (data.table_card, "data", "table"), (data.columns, "columns", ""),
                (data.checks, "checks", ""),
            )  # fmt: skip
        elif key == "search":
            search = self.search
            self._explain(
                (search, "search", ""), (search.errors, "curve", ""), (search.heatmap, "heatmap", ""),
                (search.features, "features", ""), (search.list, "runs", ""),
            )  # fmt: skip
        elif key == "result":
            result = self.result
            self._explain((result, "result", ""), (result.answer, "result", "answer"),
                          (result.evidence, "result", "evidence"))  # fmt: skip
        else:
            compare = self.compare
            self._explain((compare, "compare", ""), (compare.card, "compare", "comparison"),
                          (compare.values, "compare", "values"))  # fmt: skip

    def _explain(self, *parts: tuple[QWidget, str, str]) -> None:
        """Declare which help page explains which part; a card sends ``help_wanted`` on request."""
        for part, page, mark in parts:
            explain_by(part, page, mark)
            if isinstance(part, Card):
                part.help_wanted.connect(self.help_wanted)

    def page_of(self, control: QWidget | None) -> str:
        """The help page for a control; for the whole page, its own."""
        if control is None or control is self.run:
            control = self.pages.currentWidget()
        return self.setup.place_of(control) or page_of(control) or page_of(self.pages.currentWidget())

    def show_rail(self, shown: bool) -> None:
        """Show or hide the settings."""
        self.setup.setVisible(shown)
        self._has_side = not (shown and self._narrow)
        self._show_sides()
        self.rail_shown.emit(shown)

    def _show_sides(self) -> None:
        self.data.side.setVisible(self._has_side)
        if self.has("search"):
            self.search.side.setVisible(self._has_side)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show or hide the settings when the window becomes wide or narrow."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            self.show_rail(not narrow)


def _import_pages() -> None:
    for page in ("search", "result", "compare"):
        import_module(f"fsdesk.app.{page}_page.{page}_page")


def _make(key: str, session: Session) -> QWidget:
    """Create a page; importing those with plots takes as long as creating all of them."""
    if key == "data":
        return DataPage(session)
    if key == "search":
        from fsdesk.app.search_page.search_page import SearchPage

        return SearchPage(session)
    if key == "result":
        from fsdesk.app.result_page.result_page import ResultPage

        return ResultPage(session)
    from fsdesk.app.compare_page.compare_page import ComparePage

    return ComparePage(session)
