"""How long a fresh computer prepares all models: compiled from nothing, two at a time, as the window does it.

Run it with ``python tests/bench/preparing.py [times]``, with nothing else running on the machine.
"""

import asyncio
import os
import sys
import tempfile
import time

import qasync
from PySide6.QtCore import QCoreApplication

from fsdesk.app.work.warming import Warming
from fsdesk.engine import WorkerPool
from fsdesk.wrappers import WRAPPERS


async def prepared() -> dict[str, float]:
    """Seconds from the start of the workers after which each model was ready."""
    pool, ready = WorkerPool(1), {}
    warming = Warming(pool)

    def note() -> None:
        for name in WRAPPERS.entries:
            if warming.is_ready(name):
                ready.setdefault(name, time.perf_counter() - started)

    started = time.perf_counter()
    preparing = asyncio.ensure_future(warming.prepare())
    while warming.is_ready("nn"):  # from then on models with kernels wait, others do not
        await asyncio.sleep(0)
    note()
    without = set(ready)
    warming.prepared.connect(note)
    await preparing
    note()
    pool.close()
    return {name: seconds for name, seconds in ready.items() if name not in without}


def main(times: int) -> None:
    """Print when each model was ready."""
    application = QCoreApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    with loop:
        for _ in range(times):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["NUMBA_CACHE_DIR"] = folder  # the workers inherit it
                ready = loop.run_until_complete(prepared())
            print(", ".join(f"{name} after {seconds:.1f} s" for name, seconds in ready.items()), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
