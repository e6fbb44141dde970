"""Tool bar, status bar, messages and notices of the window."""

import logging
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QStatusBar, QToolBar, QWidget

from fsdesk.app.actions import Actions
from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.style import icon, on_theme
from fsdesk.app.translation import memory_words
from fsdesk.app.widgets import ROLE_COLOURS, ElidedLabel, Segments, Sign, button, column, label, named, row
from fsdesk.messages import tr

_WORDS, _ICONS = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly


class ToolBar(QToolBar):
    """The most used commands, and the page switcher; ``page_wanted`` sends the key of a page."""

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
        for name in (*self.pages.buttons, "rail"):  # until there is something to show
            actions[name].setEnabled(False)
        self.addWidget(self.pages)

    def event(self, event: QEvent) -> bool:
        """Hide labels in a narrow window, for example at 150 % scaling, to make room for the page switcher."""
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
    """Location of the files, current activity, and worker usage."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self._session = session
        self.place, self.busy, self.workers = ElidedLabel("caption"), ElidedLabel("caption"), LoadLabel(session)
        self.busy.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        named(self.place, "projectPlace", tr("Project"))
        named(self.busy, "busy", tr("Work in progress"))
        self.setSizeGripEnabled(False)
        self.addWidget(self.place, 1)
        self.addPermanentWidget(self.busy)
        self.addPermanentWidget(self.workers)
        session.project_changed.connect(self._show_place)
        session.tasks.busy_changed.connect(self._show_doing)
        self._show_place()

    def _show_doing(self, doing: str) -> None:
        self.busy.setText(doing[:1].upper() + doing[1:] + " …" if doing else "")

    def _show_place(self) -> None:
        project = self._session.project
        if project is None:
            self.place.setText(tr("No project yet: the first run creates one, and everything is saved as you go."))
        else:
            self.place.setText(tr("Everything is saved in {path}", path=project.path))


Role = Literal["info", "success", "warning", "error"]
_MOST_MESSAGES = 3
_ON_PROGRAM = ("", "cluster", "language", "newer", "place")  # without a subject: unexpected errors
_SUCCESS_MS, _LETTER_MS = 8000, 60  # reading time: more for a long sentence


class Notice(QFrame):
    """Sentences with icons, one below the other, and their buttons."""

    def __init__(self, role: Role, sentences: Sequence[str], subject: str, buttons: Sequence[QWidget]) -> None:
        super().__init__()
        self.role, self.subject, self.sentence = role, subject, "\n".join(sentences)
        self.setProperty("message", role)
        texts = column(*(label(sentence, wrap=True) for sentence in sentences), spacing=2)
        sign = Sign(role, ROLE_COLOURS[role])
        self.setLayout(row(sign, texts, *buttons, margins=(12, SPACE, SPACE, SPACE), grow=[texts]))


class Message(Notice):
    """One sentence, with an optional link to the file it mentions and a button to dismiss it."""

    dismissed = Signal()
    link_wanted = Signal(QUrl)

    def __init__(self, role: Role, sentence: str, link: QUrl | None = None, subject: str = "") -> None:
        show = button(tr("Show"), "messageLink", "link", tr("Show in the file manager"))
        close = button("", "messageClose", "link", tr("Dismiss this message"))
        super().__init__(role, [sentence], subject, [close] if link is None else [show, close])
        named(self, "message", f"{role}: {sentence}")
        show.clicked.connect(lambda: self.link_wanted.emit(link))
        self.close_ = close
        on_theme(self._draw_icon)
        close.setToolTip(tr("Dismiss (Esc)"))
        close.clicked.connect(self.dismiss)
        self.timer = QTimer(self, singleShot=True, interval=max(_SUCCESS_MS, _LETTER_MS * len(sentence)))
        self.timer.timeout.connect(self.dismiss)
        if role == "success":
            self.timer.start()

    def _draw_icon(self) -> None:
        self.close_.setIcon(icon("close", "muted"))

    def dismiss(self) -> None:
        """Remove the message."""
        self.timer.stop()
        self.hide()
        self.setParent(None)
        self.deleteLater()
        self.dismissed.emit()


class MessageBar(QWidget):
    """The few newest messages, newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self._layout = column(spacing=4, margins=(2 * SPACE, SPACE, 2 * SPACE, 0))
        self.setLayout(self._layout)
        self.hide()

    @property
    def messages(self) -> list[Message]:
        """The messages shown, newest first."""
        return [child for child in self.findChildren(Message) if child.parent() is self][::-1]

    def say(self, role: Role, sentence: str, link: QUrl | None = None, subject: str = "") -> None:
        """Show a sentence; it replaces an identical one and an older one on the same subject."""
        logging.getLogger("fsdesk.app").info("%s: %s", role, sentence)
        for shown in self.messages:
            if shown.sentence == sentence or (subject and shown.subject == subject):
                shown.dismiss()
        for shown in self.messages[_MOST_MESSAGES - 1 :]:
            shown.dismiss()
        message = Message(role, sentence, link, subject)
        message.dismissed.connect(self._shrink)
        message.link_wanted.connect(self.show_place)
        self._layout.insertWidget(0, message)
        self.show()

    def show_place(self, link: QUrl) -> None:
        """Open a file or a folder; name its location if nothing on this computer can show it."""
        if not QDesktopServices.openUrl(link):
            sentence = tr(
                'No program on this computer can show it. It is at "{path}".',
                path=link.toLocalFile() or link.toString(),
            )
            self.say("info", sentence, subject="place")

    def dismiss_subject(self, subject: str) -> None:
        """Remove messages on a subject."""
        for message in self.messages:
            if message.subject == subject:
                message.dismiss()

    def dismiss_past(self) -> None:
        """Remove messages on the project and the table that were open before; those on the program remain."""
        for message in self.messages:
            if message.subject not in _ON_PROGRAM:
                message.dismiss()

    def dismiss_all(self) -> None:
        """Remove all messages."""
        for message in self.messages:
            message.dismiss()
        self.hide()

    def _shrink(self) -> None:
        self.setVisible(self._layout.count() > 0)


class Offer(NamedTuple):
    """A button of a notice: object name, text and function."""

    name: str
    text: str
    do: Callable[[], object]


class NoticeBar(QWidget):
    """The notices by subject; a notice is removed only when its state ends."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("noticeBar")
        self.by_subject: dict[str, Notice] = {}
        self._layout = column(spacing=4, margins=(2 * SPACE, SPACE, 2 * SPACE, SPACE))
        self.setLayout(self._layout)
        self.hide()

    def add(self, subject: str, role: Role, sentences: Sequence[str], *offers: Offer) -> None:
        """Show a notice, replacing an older one on the same subject."""
        self.take_away(subject)
        buttons = [button(offer.text, offer.name, "link" if place else "") for place, offer in enumerate(offers)]
        for made, offer in zip(buttons, offers, strict=True):
            made.clicked.connect(lambda _=False, do=offer.do: do())
        notice = self.by_subject[subject] = Notice(role, sentences, subject, buttons)
        named(notice, f"notice_{subject}", notice.sentence)
        self._layout.addWidget(notice)
        self.show()

    def take_away(self, subject: str) -> None:
        """Remove the notice of a state that has ended."""
        notice = self.by_subject.pop(subject, None)
        if notice is not None:
            notice.hide()
            notice.deleteLater()
        self.setVisible(bool(self.by_subject))


_INTERVAL_MS = 3000


class Memory(NamedTuple):
    """Bytes of the window's process and all workers together, and the computer's free memory."""

    window: int
    workers: int
    free: int


def memory() -> Memory:
    """Ask the operating system; takes a few milliseconds, so never on the window's thread."""
    import psutil  # not before the window first appears

    mine = psutil.Process()
    others = 0
    for child in mine.children(recursive=True):
        try:
            others += _own_bytes(child.memory_info())
        except psutil.Error:  # it has just ended
            continue
    return Memory(_own_bytes(mine.memory_info()), others, psutil.virtual_memory().available)


def _own_bytes(used: object) -> int:
    """Resident memory without shared memory: all workers use one copy of the table."""
    return int(getattr(used, "rss", 0)) - int(getattr(used, "shared", 0))


class LoadLabel(QLabel):
    """A line such as "2 of 4 workers busy · 612 MB" with an explanatory tooltip."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        named(self, "workers", tr("Workers and memory"))
        self._session = session
        self._memory: Memory | None = None
        self._measuring = False
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.measure)
        session.runs.changed.connect(lambda _: self.show_load())
        session.runs.listed.connect(self.show_load)
        self.show_load()

    def event(self, event: QEvent) -> bool:
        """Measure only while visible."""
        if event.type() == QEvent.Type.Show:
            self._timer.start()
        elif event.type() == QEvent.Type.Hide:
            self._timer.stop()
        return super().event(event)

    def measure(self) -> None:
        """Measure the memory on the disk thread, unless a measurement is still pending."""
        if not self._measuring:
            self._session.tasks.begin(self._measure(), tr("measuring memory"), quietly=True, subject="memory")

    async def _measure(self) -> None:
        self._measuring = True
        try:
            self._memory = await self._session.tasks.in_thread(memory)
        except Exception:
            self._timer.stop()  # reported only once
            raise
        finally:
            self._measuring = False
        self.show_load()

    def show_load(self) -> None:
        """Display the latest values."""
        session, size = self._session, self._session.tasks.pool.size
        runs = sum(run.at_work for run in session.runs)
        busy = max(runs, session.tasks.pool.busy)
        text = (
            tr("{busy} of {size} workers busy", busy=busy, size=size) if busy else tr("{size} workers free", size=size)
        )
        tip = [
            tr("Workers are processes that read tables and run searches, which keeps the window responsive."),
            tr("Runs in progress: {runs}. One worker is always kept free for tables and estimates.", runs=runs),
        ]
        if self._memory is not None:
            window, workers, free = (memory_words(each) for each in self._memory)
            text += " · " + memory_words(self._memory.window + self._memory.workers)
            said = tr("Memory: {window} for the window, {workers} for all workers; {free} free on this computer.",
                      window=window, workers=workers, free=free)  # fmt: skip
            tip.append(said)
        self.setText(text)
        self.setToolTip("\n".join(tip))
