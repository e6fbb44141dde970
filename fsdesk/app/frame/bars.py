"""The tool bar and the status bar of the window."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStatusBar, QToolBar, QWidget

from fsdesk.app.frame.actions import Actions
from fsdesk.app.frame.load import LoadLabel
from fsdesk.app.look.parts import ElidedLabel, Segments, named
from fsdesk.app.look.translation import tr
from fsdesk.app.work.session import Session

__all__ = ["StatusBar", "ToolBar"]

_WORDS, _ICONS = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly


class ToolBar(QToolBar):
    """What is done most, and the switch of the pages; ``page_wanted`` tells the key of the page that was picked."""

    page_wanted = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__(tr("Tools"))
        self.setObjectName("tools")
        self.setMovable(False)
        self.setIconSize(QSize(18, 18))
        self.setToolButtonStyle(_WORDS)
        self._with_words = 0
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        short = {
            "open": tr("Open"), "save": tr("Save as"), "run": tr("Run"), "pause": tr("Pause"), "stop": tr("Stop"),
            "export": tr("Export"), "rail": tr("Settings"),
        }  # fmt: skip
        for name in ("open", "save", "", "run", "pause", "stop", "", "export", " ", "rail"):
            if not name:
                self.addSeparator()
            elif name == " ":
                gap = QWidget()
                gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
                self.addWidget(gap)
            else:
                actions[name].setIconText(short[name])
                self.addAction(actions[name])
                self.widgetForAction(actions[name]).setObjectName(f"tool_{name}")
        self.pages = Segments(
            "page", {"data": tr("Data"), "search": tr("Search"), "result": tr("Result"), "compare": tr("Compare")}
        )
        self.pages.chosen.connect(self.page_wanted)
        self.pages.setEnabled(False)
        actions["rail"].setEnabled(False)
        self.addWidget(self.pages)

    def event(self, event: QEvent) -> bool:
        """In a narrow window, such as one at 150 % scaling, the words give way to the switch of the pages."""
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            if self.toolButtonStyle() == _WORDS:
                self._with_words = self.sizeHint().width()
            roomy = self.width() >= self._with_words
            self.setToolButtonStyle(_WORDS if roomy else _ICONS)
            for action in self.actions():
                if action.isSeparator():
                    action.setVisible(roomy)
        return done


class StatusBar(QStatusBar):
    """Where everything is kept, what is being done, and what the workers do."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self._session = session
        self.place, self.busy, self.workers = ElidedLabel("caption"), ElidedLabel("caption"), LoadLabel(session)
        self.busy.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        named(self.place, "projectPlace", tr("Project"))
        named(self.busy, "busy", tr("What is being done"))
        self.setSizeGripEnabled(False)
        self.addWidget(self.place, 1)
        self.addPermanentWidget(self.busy)
        self.addPermanentWidget(self.workers)
        session.project_changed.connect(self._show_place)
        session.busy_changed.connect(self._show_doing)
        self._show_place()

    def _show_doing(self, doing: str) -> None:
        self.busy.setText(doing[:1].upper() + doing[1:] + " …" if doing else "")

    def _show_place(self) -> None:
        project = self._session.project
        if project is None:
            self.place.setText(tr("No project yet: the first run makes one, and every step is kept."))
        else:
            self.place.setText(tr("Every step is kept in {path}", path=project.path))
