"""The settings of a run, taken over into the panel, so that the next run can differ in one thing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fsdesk.app.settings.setup import fitted
from fsdesk.app.work.run import Run
from fsdesk.data import Dataset
from fsdesk.results.settings_file import SavedSettings

if TYPE_CHECKING:
    from fsdesk.app.settings.setup_panel import SetupPanel

__all__ = ["take_over"]


def take_over(panel: SetupPanel, dataset: Dataset | None, run: Run, *, asked: bool = True) -> list[str]:
    """Show all that determines a run; return what does not fit the open data.

    As one change that can be undone where a person has ``asked`` for it.
    """
    made, said = fitted(SavedSettings.of(run.spec), panel.setup, dataset)
    known = set(dataset.features) if dataset is not None and run.spec.start else set()
    start = run.spec.start if set(run.spec.start) <= known else ()
    show = panel.use if asked else panel.restore
    show(replace(made, start=start, source=run.label if start else ""))
    return said
