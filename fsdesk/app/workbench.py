"""What is shown once a table or project is open: the set-up rail, and beside it the data page or the search page."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QWidget

from fsdesk.app.data_page import DataPage
from fsdesk.app.parts import button, named
from fsdesk.app.search_page import SearchPage
from fsdesk.app.session import Session
from fsdesk.app.setup_panel import SetupPanel
from fsdesk.app.tokens import SPACE, Tokens

__all__ = ["Workbench"]


class Workbench(QWidget):
    """Rail and pages."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setup = SetupPanel(session)
        self.data, self.search = DataPage(session), SearchPage(session)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.data)
        self.pages.addWidget(self.search)
        self.run = button("Run", "runButton", "primary", "Run the search")
        self.pause = QToolButton()
        self.stop = QToolButton()
        named(self.pause, "pauseButton", "Pause the run")
        named(self.stop, "stopButton", "Stop the run")
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

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        for part in (self.setup, self.data, self.search):
            part.dress(tokens)
