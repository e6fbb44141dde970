"""A project file for scripts and notebooks: its runs, results, and evidence."""

from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from fsdesk.data import Dataset
from fsdesk.engine import RunRequest, RunSpec
from fsdesk.errors import ProjectError
from fsdesk.messages import counted
from fsdesk.results.evidence import kept_evidence
from fsdesk.results.job import Keeper, wanted_of
from fsdesk.results.result import Result
from fsdesk.results.select import Callback, completed, shown_progress
from fsdesk.store import Lock, LockOwner, Project, project_in

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ProjectRun:
    """One run of a project file.

    Attributes
    ----------
    path
        The project file.
    id
        Its number in the project, as used by the command line.
    spec
        Its specification: method, model, seed, settings.
    created
        Creation time, as an ISO time in UTC.
    """

    path: Path
    id: int
    spec: RunSpec = field(repr=False)
    created: str

    @cached_property
    def result(self) -> Result:
        """The result of the run, with data and evidence.

        Raises
        ------
        ProjectError
            If nothing has been measured yet, or the file is gone.
        """
        with closing(Project.open(self.path, read_only=True)) as project:
            made = Result.stored(project, self.id)
            return replace(made, dataset=project.dataset(self.spec.data_fingerprint))

    def resume(
        self,
        *,
        workers: int = 1,
        outer: int | None = None,
        callback: Callback | None = None,
        verbose: int | None = None,
    ) -> Result:
        """Resume the run where it was stopped or killed, with the same result as if it had never stopped.

        Every step is stored in the project. For a finished run only a missing held-out error is estimated.

        Parameters
        ----------
        workers, callback, verbose
            As in :func:`fsdesk.select`.
        outer
            Outer folds of the held-out error, 0 for none; None for as many as were started, or the default.

        Raises
        ------
        ProjectError
            If another fsdesk is writing the project, or its model cannot be stored in one.
        """
        lock = Lock.take(self.path)
        if isinstance(lock, LockOwner):
            raise ProjectError(
                '"{path}" is open in another fsdesk (process {pid}). Resume the run there, or close it.',
                path=self.path, pid=lock.pid,
            )  # fmt: skip
        try:
            with closing(Project.open(self.path)) as project, shown_progress(verbose) as show:
                dataset = project.dataset(self.spec.data_fingerprint)
                known = tuple(kept_evidence(project.evidence(self.id)))
                wanted = wanted_of(RunRequest(outer=outer), self.spec, known)
                keeper = Keeper(project)
                try:
                    made = completed(
                        self.spec,
                        dataset,
                        workers,
                        callback=callback,
                        wanted=wanted._replace(fresh=False),
                        keep=lambda step: keeper.keep(self.id, step),
                        show=show,
                        replayed=tuple(project.events(self.id)),
                        known=known,
                    )
                finally:  # also on Ctrl-C
                    keeper.write()
        finally:
            lock.release()
        self.__dict__.pop("result", None)  # the cached result, which may be incomplete
        return replace(made, dataset=dataset)

    @property
    def status(self) -> str:
        """The status of the run now: "new", "running", "stopped", "finished" or "failed".

        A run that was interrupted, by Ctrl-C or a crash, is "stopped" once no process is writing to the project.
        """
        with closing(Project.open(self.path, read_only=True)) as project:
            status = project.summed_up(self.id)[0].status
        return "stopped" if status == "running" and Lock.owner(self.path) is None else status

    @cached_property
    def dataset(self) -> Dataset:
        """The data of the run."""
        with closing(Project.open(self.path, read_only=True)) as project:
            return project.dataset(self.spec.data_fingerprint)


@dataclass(frozen=True)
class OpenedProject:
    """The runs of a project file, read on demand; nothing is written to the file.

    Attributes
    ----------
    path
        Path of the file.
    runs
        All runs, oldest first, as they were when the project was opened.
    """

    path: Path
    runs: tuple[ProjectRun, ...]

    def __repr__(self) -> str:
        return f"<Project {str(self.path)!r}: {counted(len(self.runs), 'run')}>"

    def run(self, run_id: int | None = None) -> ProjectRun:
        """One run by number, by default the newest; raise ProjectError if there is none."""
        found = [run for run in self.runs if run_id in (None, run.id)]
        if found:
            return found[-1]
        known = ", ".join(str(run.id) for run in self.runs)
        raise ProjectError('"{path}" has no run {run}. Available: {known}.', path=self.path, run=run_id, known=known)

    def result(self, run_id: int | None = None) -> Result:
        """The result of a run, by default the newest: ``project.run(run_id).result``."""
        return self.run(run_id).result

    def to_frame(self) -> "pd.DataFrame":
        """One row per run: number, description, status, features, and errors as losses.

        Returns
        -------
        pandas.DataFrame
            Columns created, data, method, wrapper, seed, status, features, search_error and honest_error; the index is
            the number of the run. Unknown errors are NaN.
        """
        import pandas as pd

        lines = []
        for run in self.runs:
            try:
                result = run.result
            except ProjectError:  # nothing was measured yet
                size, search, honest = 0, float("nan"), float("nan")
            else:
                known = result.honest
                size, search = len(result.features), result.search_error
                honest = float("nan") if known is None else known.value
            spec = run.spec
            about = run.created, spec.data_name, spec.method, spec.wrapper, spec.seed, run.status
            lines.append((*about, size, search, honest))
        columns = ["created", "data", "method", "wrapper", "seed", "status", "features", "search_error", "honest_error"]
        return pd.DataFrame(lines, columns=columns, index=pd.Index([run.id for run in self.runs], name="run"))


def open_project(path: str | PathLike[str]) -> OpenedProject:
    """Open a project file to inspect its runs, results and evidence from a script; the file is not changed.

    Parameters
    ----------
    path
        The ``.fsdesk`` file of the window or of ``fsdesk run``, which may be in use; or the folder of ``fsdesk run`` or
        ``fsdesk study``.

    Returns
    -------
    OpenedProject
        ``project.runs`` are its runs, and ``project.result()`` is the result of the newest, with its data:
        ``project.result().estimator`` predicts, ``.honest`` is the held-out error.

    Raises
    ------
    ProjectError
        If the file is missing, damaged, or from a newer fsdesk.

    Examples
    --------
    >>> import fsdesk
    >>> project = fsdesk.open_project("study.fsdesk")  # doctest: +SKIP
    >>> project.to_frame()[["method", "features", "honest_error"]]  # doctest: +SKIP
    >>> project.result().to_frame().head()  # doctest: +SKIP
    """
    path = project_in(Path(path))
    with closing(Project.open(path, read_only=True)) as project:
        runs = tuple(ProjectRun(path, run.id, run.spec, run.created) for run in project.runs())
    return OpenedProject(path, runs)
