"""Models made ready before anyone asks for them: on a new computer their kernels are compiled, once."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QObject, Signal

from fsdesk.app.look.translation import declared, tr
from fsdesk.app.work.asking import Pool, ask
from fsdesk.app.work.telling import Telling
from fsdesk.engine.tasks import Compiling, warm_task
from fsdesk.errors import WorkerError
from fsdesk.wrappers import WRAPPERS

__all__ = ["Warming"]

_LANES = 2  # models at once; one worker more stays free for the user
_LOOK_SECONDS = 0.05


class Warming(QObject):
    """Prepares models two at a time, the one that the user has chosen first.

    Signals: ``changed`` another model is being compiled, or none; ``prepared`` one more need not be waited for.
    """

    changed = Signal()
    prepared = Signal()

    def __init__(self, pool: Pool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._waiting: list[str] = []
        self._under_way: list[str] = []
        self._compiling: list[str] = []
        self._wanted = "nn"

    @property
    def sentence(self) -> str:
        """What is being compiled; "" for nothing."""
        titles = [declared(WRAPPERS[name].title) for name in dict.fromkeys(self._compiling)]
        return tr("Preparing {models} for this computer (once)", models=", ".join(titles)) if titles else ""

    def prefer(self, wrapper: str) -> None:
        """Have this model ready before others."""
        self._wanted = wrapper
        if wrapper in self._waiting:
            self._waiting.remove(wrapper)
            self._waiting.insert(0, wrapper)

    def is_ready(self, wrapper: str) -> bool:
        """Whether this model need not be waited for: while it is prepared two workers would compile the same."""
        return not any(wrapper in models for models in (self._waiting, self._under_way, self._compiling))

    async def ready(self, wrapper: str) -> None:
        """Wait while this model is to be prepared."""
        self.prefer(wrapper)
        while not self.is_ready(wrapper):
            await asyncio.sleep(_LOOK_SECONDS)

    async def prepare(self) -> None:
        """Prepare all models that have kernels."""
        self._waiting = ["nn", "c45", "svm", "cart", "nb"]  # both lanes end together, and share few kernels
        self.prefer(self._wanted)
        self._pool.grow(_LANES + 1)
        try:
            await asyncio.gather(*(self._lane() for _ in range(_LANES)))
        finally:
            self._waiting.clear()
            self.prepared.emit()

    async def watch(self, wrapper: str, function: Callable[..., Iterator[Any]], *arguments: object) -> Any:
        """Ask for what an option of this model may be compiled for, and say so as long as it is."""
        compiles = False

        def tell(message: Compiling) -> None:
            nonlocal compiles
            compiles = not ended
            if compiles:
                self._compiling.append(wrapper)
                self.changed.emit()

        ended = False
        try:
            return await ask(Telling(self._pool, tell, Compiling), function, *arguments)
        finally:
            ended = True
            if compiles:
                self._settle(wrapper)

    async def _lane(self) -> None:
        pool = Telling(self._pool, self._tell, Compiling)
        while self._waiting:
            wrapper = self._waiting.pop(0)
            self._under_way.append(wrapper)
            try:
                await ask(pool, warm_task, wrapper)
            except WorkerError:  # a run with this model will say so again
                logging.getLogger("fsdesk.app").warning("preparing %s", wrapper, exc_info=True)
            finally:
                self._under_way.remove(wrapper)
                if wrapper in self._compiling:
                    self._settle(wrapper)
                else:
                    self.prepared.emit()

    def _settle(self, wrapper: str) -> None:
        self._compiling.remove(wrapper)
        self.changed.emit()
        self.prepared.emit()

    def _tell(self, message: Compiling) -> None:
        if message.wrapper in self._under_way:
            self._compiling.append(message.wrapper)
            self.changed.emit()
