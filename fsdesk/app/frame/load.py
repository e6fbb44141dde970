"""What the program uses now: workers at work, and the memory of its processes; for the status bar."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QLabel

from fsdesk.app.look.parts import named
from fsdesk.app.look.translation import number, tr
from fsdesk.app.work.asking import off_thread
from fsdesk.app.work.session import Session

__all__ = ["LoadLabel", "Memory", "memory"]

_INTERVAL_MS = 3000
_MEGABYTE = 1e6


class Memory(NamedTuple):
    """Bytes of the window's own process and of all workers together, and what the computer has free."""

    window: int
    workers: int
    free: int


def memory() -> Memory:
    """Ask the operating system; a few milliseconds, so never on the thread of the window."""
    import psutil  # not before the first picture

    mine = psutil.Process()
    others = 0
    for child in mine.children(recursive=True):
        try:
            others += _own_bytes(child.memory_info())
        except psutil.Error:  # it has just ended
            continue
    return Memory(_own_bytes(mine.memory_info()), others, psutil.virtual_memory().available)


def _own_bytes(used: object) -> int:
    """What is resident, without what is shared: one copy of the table serves all workers."""
    return int(getattr(used, "rss", 0)) - int(getattr(used, "shared", 0))


class LoadLabel(QLabel):
    """A line such as "2 of 4 workers busy · 612 MB"; hovering explains it."""

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
        """Measure only while somebody can see it."""
        if event.type() == QEvent.Type.Show:
            self._timer.start()
        elif event.type() == QEvent.Type.Hide:
            self._timer.stop()
        return super().event(event)

    def measure(self) -> None:
        """Ask for the memory, on the thread for the disk, unless the last answer is still out."""
        if not self._measuring:
            self._session.begin(self._measure(), tr("measuring the memory"), quietly=True, subject="memory")

    async def _measure(self) -> None:
        self._measuring = True
        try:
            self._memory = await off_thread(self._session.disk, memory)
        except Exception:
            self._timer.stop()  # said once is enough
            raise
        finally:
            self._measuring = False
        self.show_load()

    def show_load(self) -> None:
        """Write what is known."""
        session, size = self._session, self._session.pool.size
        runs = sum(run.at_work for run in session.runs)
        busy = max(runs, session.pool.busy)
        text = (
            tr("{busy} of {size} workers busy", busy=busy, size=size) if busy else tr("{size} workers free", size=size)
        )
        tip = [
            tr("Workers are processes that read tables and run searches, so that the window always answers."),
            tr("At work now: {runs} runs. One worker is always left for tables and estimates.", runs=runs),
        ]
        if self._memory is not None:
            window, workers, free = (_size(each) for each in self._memory)
            text += " · " + _size(self._memory.window + self._memory.workers)
            said = tr("Memory: {window} for the window, {workers} for all workers; {free} of this computer are free.",
                      window=window, workers=workers, free=free)  # fmt: skip
            tip.append(said)
        self.setText(text)
        self.setToolTip("\n".join(tip))


def _size(used: int) -> str:
    megabytes = used / _MEGABYTE
    return f"{number(megabytes, ',.0f')} MB" if megabytes < 1000 else f"{number(megabytes / 1000, ',.1f')} GB"
