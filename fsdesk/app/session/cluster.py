"""The user's Dask cluster, if any, on which runs and held-out errors are computed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from fsdesk.app.session.open_project import OpenProject
from fsdesk.errors import UserError
from fsdesk.messages import tr, translated

if TYPE_CHECKING:
    from fsdesk.engine.cluster import ClusterPool

T = TypeVar("T")

_ADDRESS, _USED = "cluster/address", "cluster/used"


class Cluster(QObject):
    """Connects to a cluster by the address of its scheduler, and disconnects; both choices are remembered.

    Tables are read, and reports written, on this computer in any case.

    ``changed`` is emitted on connecting and disconnecting. ``refusal`` is why the last cluster cannot be used,
    or "".
    """

    changed = Signal()

    def __init__(self, session: OpenProject) -> None:
        super().__init__(session)
        self._session = session
        self._left: list[ClusterPool] = []
        self.refusal = ""
        if self.address and session.store.value(_USED) == "yes":
            try:
                from fsdesk.engine.cluster import ClusterPool  # only for users with a cluster

                session.runs.cluster = ClusterPool(self.address)  # which connects when there is something to do
            except UserError as error:
                session.store.setValue(_USED, "no")
                self.refusal = translated(str(error))

    @property
    def address(self) -> str:
        """The last address, in use or not; "" initially."""
        return str(self._session.store.value(_ADDRESS) or "")

    @property
    def pool(self) -> ClusterPool | None:
        """The workers of the cluster; None if everything runs on this computer."""
        return self._session.runs.cluster

    @property
    def sentence(self) -> str:
        """A sentence about where runs are computed."""
        if self.pool is None:
            return tr("Runs are now computed on this computer.")
        return tr("Runs are now computed on the cluster at {address}.", address=self.pool.address)

    async def join(self, address: str) -> int:
        """Connect; return how many runs its workers can compute in parallel.

        Raises
        ------
        UserError
            If that fails; in that case, nothing is changed.
        """
        from fsdesk.engine.cluster import ClusterPool

        pool = ClusterPool(address)
        try:
            threads = await _away(pool.connect)
        except BaseException:
            await _away(pool.close)
            raise
        await self.leave()
        store, runs = self._session.store, self._session.runs
        store.setValue(_ADDRESS, pool.address)
        store.setValue(_USED, "yes")
        runs.cluster = pool
        self.changed.emit()
        runs.begin_waiting()
        return threads

    async def leave(self) -> None:
        """Compute locally from now on; active runs on the cluster end."""
        pool, self._session.runs.cluster = self.pool, None
        if pool is None:
            return
        self._session.store.setValue(_USED, "no")
        self.changed.emit()
        if pool.has_tasks:
            self._left.append(pool)
        else:
            await _away(pool.close)

    async def close(self) -> None:
        """End all remaining work there."""
        for pool in filter(None, (self.pool, *self._left)):
            await _away(pool.close)


async def _away(work: Callable[[], T]) -> T:
    """Call a function in a separate thread: connecting may take seconds, which must not block the disk thread."""
    executor = ThreadPoolExecutor(1, thread_name_prefix="cluster")
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, work)
    finally:
        executor.shutdown(wait=False)
