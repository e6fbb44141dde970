"""A real job through the real window, with or without a screen, that shows whether this installation works."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from fsdesk.app.frame.export_dialog import export_run
from fsdesk.app.frame.window import MainWindow
from fsdesk.results import STANDARD

__all__ = ["smoke"]

_SAMPLE, _MEASUREMENTS = "breast_cancer", 120
_SECONDS = 600.0  # a slow or busy computer may take minutes to make the model ready once


async def smoke(window: MainWindow, folder: Path, table: Path | None = None) -> str:
    """Open a table, or a sample, run a short search, export it to ``folder``; return one line that says what was done.

    Raises
    ------
    RuntimeError
        With one sentence where a step does not come about.
    """
    session = window.session
    started = time.monotonic()
    window.open_sample(_SAMPLE) if table is None else window.open_path(table)
    await _until(window, lambda: session.dataset is not None, "the table opens")
    request = window.bench.setup.request
    settings = {**request.settings, "method.max_measurements": _MEASUREMENTS}
    await session.run(request.updated({"settings": settings}))
    run = next(iter(session.runs))
    await _until(window, lambda: run.phase in ("finished", "failed", "stopped"), "the run finishes")
    if run.phase != "finished" or run.state.best is None:
        raise RuntimeError(f"The run ended as {run.phase}: {run.state.reason}.")
    await export_run(session, run, folder, STANDARD)
    absent = [name for name in STANDARD if not (folder / name).is_file()]
    if absent:
        raise RuntimeError(f"Not written: {', '.join(absent)}.")
    best, criterion = run.state.best, run.state.criterion
    return (
        f"smoke test passed: {run.spec.data_name}, {run.state.evaluations} measurements, "
        f"{criterion.title} {criterion.text(best.mean)} with {int(best.mask.sum())} features, "
        f"{time.monotonic() - started:.1f} s"
    )


async def _until(window: MainWindow, condition: Callable[[], bool], event: str) -> None:
    deadline = time.monotonic() + _SECONDS
    while not condition():
        problems = [message.sentence for message in window.messages.messages if message.role == "error"]
        if problems:
            raise RuntimeError(problems[0])
        if time.monotonic() > deadline:
            raise RuntimeError(f"It took more than {_SECONDS:.0f} s until {event}.")
        await asyncio.sleep(0.02)
