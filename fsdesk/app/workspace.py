"""What is shown once a table or project is open: the set-up rail, and beside it one of the pages."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QWidget

from fsdesk.app.compare_page.compare_page import ComparePage
from fsdesk.app.data_page.data_page import DataPage
from fsdesk.app.dialogs.help import explain_by, page_of
from fsdesk.app.forms.setup_panel import SetupPanel
from fsdesk.app.palette import SPACE
from fsdesk.app.result_page.result_page import ResultPage
from fsdesk.app.search_page.search_page import SearchPage
from fsdesk.app.session.session import Session
from fsdesk.app.style import Dressed
from fsdesk.app.widgets import Card, button, named
from fsdesk.messages import tr

__all__ = ["Workspace"]


_NARROW = 1160


class Workspace(QWidget):
    """Rail and pages; ``rail_shown`` is sent when the rail is shown or hidden.

    In a narrow window, such as one at 200 % scaling, the rail gives way to the page until it is asked for, and then the
    page's own side gives way to the rail.
    """

    rail_shown = Signal(bool)
    help_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._narrow = False
        self.setup = setup = SetupPanel(session)
        self.data = data = DataPage(session)
        self.search = SearchPage(session)
        self.result = ResultPage(session)
        self.compare = ComparePage(session)
        self.by_key: dict[str, QWidget] = {
            "data": self.data,
            "search": self.search,
            "result": self.result,
            "compare": self.compare,
        }
        columns, features = data.columns, setup.features_section
        columns.always_wanted.connect(features.want_always)
        setup.plan_changed.connect(lambda: columns.model.show_always(frozenset(features.constraints.always)))
        self.pages = QStackedWidget()
        for page in self.by_key.values():
            self.pages.addWidget(page)
        self.run = button(tr("Run"), "runButton", "primary", tr("Run the search"))
        self.pause = QToolButton()
        self.stop = QToolButton()
        named(self.pause, "pauseButton", tr("Pause the run"))
        named(self.stop, "stopButton", tr("Stop the run"))
        foot = QHBoxLayout()
        foot.setSpacing(SPACE)
        foot.addWidget(self.run, 1)
        foot.addWidget(self.pause)
        foot.addWidget(self.stop)
        self.setup.foot_layout.addLayout(foot)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.setup)
        layout.addWidget(self.pages, 1)
        self.explain_parts()

    def explain_parts(self) -> None:
        """Say which page of the help explains which part; a part says ``help_wanted`` where it is asked."""
        data, search = self.data, self.search
        for card, page, mark in (
            (data.table_card, "data", "table"), (self.result.answer, "result", "answer"),
            (self.result.evidence, "result", "evidence"), (self.compare.card, "compare", "comparison"),
            (self.compare.values, "compare", "values"),
        ):  # fmt: skip
            explain_by(card, page, mark)
            card.help_wanted.connect(self.help_wanted)
        for part, name in (
            (self.data, "data"), (search, "search"), (self.result, "result"), (self.compare, "compare"),
            (self.setup, "settings"), (self.setup.foot, "settings"), (data.columns, "columns"), (data.checks, "checks"),
            (search.errors, "curve"), (search.heatmap, "heatmap"), (search.features, "features"), (search.list, "runs"),
        ):  # fmt: skip
            explain_by(part, name)
            if isinstance(part, Card):
                part.help_wanted.connect(self.help_wanted)

    def page_of(self, control: QWidget | None) -> str:
        """The page of the help that explains a control; that of the page shown where it stands for the whole."""
        if control is None or control is self.run:
            control = self.pages.currentWidget()
        return self.setup.place_of(control) or page_of(control) or page_of(self.pages.currentWidget())

    def show_rail(self, shown: bool) -> None:
        """Show or hide the settings."""
        self.setup.setVisible(shown)
        room = not (shown and self._narrow)
        self.data.side.setVisible(room)
        self.search.side.setVisible(room)
        self.rail_shown.emit(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the window becomes narrow or wide, the rail goes or comes."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            self.show_rail(not narrow)

    @property
    def dressed(self) -> tuple[Dressed, ...]:
        """All that takes the colours of the theme."""
        return self.setup, self.data, *self.search.dressed, self.result, self.compare
