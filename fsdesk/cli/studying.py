"""Studies without a screen."""

import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from fsdesk.cli.comparing import show
from fsdesk.cli.running import stop_on_signal
from fsdesk.engine import usable_cores
from fsdesk.errors import UserError
from fsdesk.results.study import StudyProgress, study

__all__ = ["run_study"]

STOPPED = 130


def run_study(plan: Path, out: Path, workers: int | None) -> int:
    """Run what is missing of a study, print its tables, and return the exit code."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with (
        Progress(*columns, console=console, refresh_per_second=5, transient=not console.is_terminal) as progress,
        stop_on_signal() as flag,
    ):
        task = progress.add_task("study", total=1.0, left="")

        def show_progress(step: StudyProgress) -> None:
            left = "" if step.seconds_left is None else f"{_duration(step.seconds_left)} left"
            progress.update(task, description=f"{step.done} of {step.cells} runs", completed=step.share, left=left)

        made = study(plan, out, workers=workers or usable_cores(), callback=show_progress, control=flag)
    show(made.comparison)
    for cell, why in made.failed.items():
        print(f"note: {cell}: {why}", file=sys.stderr)
    if made.files:
        print(f"Written to {out}: {', '.join(file.name for file in made.files)}")
    if made.stopped:
        print(f"Stopped; go on with the same command: fsdesk study {plan} --out {out}", file=sys.stderr)
        return STOPPED
    if made.failed and not made.comparison.rows:
        raise UserError("No run of this study could be carried out.")
    return 0


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
