"""A study run by the window: in a thread with its own workers, like `fsdesk study`."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from fsdesk.app.session.background import BackgroundTasks
from fsdesk.engine import Flag, usable_cores
from fsdesk.messages import tr, translated

if TYPE_CHECKING:
    from fsdesk.results.study import Study, StudyPlan, StudyProgress


def _studied(plan: "StudyPlan", out: Path, on_progress: "Callable[[StudyProgress], None]", flag: Flag) -> "Study":
    """Write exactly the files that the command line writes, in the language of the window."""
    from fsdesk.results.study import study  # its figures take a while to import

    return study(plan, out, workers=usable_cores(), callback=on_progress, control=flag)


class Studies(QObject):
    """Runs one study at a time; emits ``changed`` on progress and at the end.

    Attributes
    ----------
    progress
        Its progress; None before the first report.
    out
        Its output folder; None if there was no study in this window.
    done
        The result of the last one; None while it is running, or if it failed.
    refusal
        Why it failed, in a sentence.
    """

    changed = Signal()

    def __init__(self, tasks: BackgroundTasks) -> None:
        super().__init__(tasks)
        self._tasks = tasks
        self._flag: Flag | None = None
        self._ended = asyncio.Event()
        self.progress: StudyProgress | None = None
        self.out: Path | None = None
        self.done: Study | None = None
        self.refusal = ""

    @property
    def at_work(self) -> bool:
        """Whether a study is running."""
        return self._flag is not None

    def begin(self, plan: "StudyPlan", out: Path) -> None:
        """Carry out the missing runs of a study."""
        if self.at_work:
            return
        self._flag, self._ended = Flag(), asyncio.Event()
        self.progress, self.done, self.refusal, self.out = None, None, "", out
        work = self._carry_out(plan, out, self._flag)
        self._tasks.begin(work, tr("running the study"), quietly=True, subject="study")
        self.changed.emit()

    def stop(self) -> None:
        """Stop before the next measurements; completed runs are kept."""
        if self._flag is not None:
            self._flag.stop = True

    async def leave(self) -> None:
        """Stop, and wait until it has stopped."""
        self.stop()
        if self.at_work:
            await self._ended.wait()

    async def _carry_out(self, plan: "StudyPlan", out: Path, flag: Flag) -> None:
        loop = asyncio.get_running_loop()

        def on_progress(progress: "StudyProgress") -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._tell, progress)

        try:
            with ThreadPoolExecutor(1, thread_name_prefix="study") as thread:
                self.done = await loop.run_in_executor(thread, _studied, plan, out, on_progress, flag)
        except Exception as error:
            self.refusal = translated(str(error))
            raise
        finally:
            self._flag = None
            self._ended.set()
            if not self._tasks.closed:
                self.changed.emit()

    def _tell(self, progress: "StudyProgress") -> None:
        self.progress = progress
        if not self._tasks.closed:
            self.changed.emit()
