"""The result of a run as scripts and notebooks have it."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fsdesk.data import Dataset
from fsdesk.errors import ProjectError, SettingsError
from fsdesk.messages import number, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.record import RunRecord, lead

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure
    from sklearn.pipeline import Pipeline

    from fsdesk.results.coefficients import Coefficients
    from fsdesk.results.decision import Decision, Rule
    from fsdesk.results.held_out_error import HonestError
    from fsdesk.results.sample_size import Planned

_NAMED = 10  # features in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class Result(RunRecord):
    """What a run found: the record of the run, with its data, and what scripts make of both.

    All errors are losses as the search minimises them: fractions, 1 less the AUC, RMSE. ``criterion`` shows a loss as
    people know it: ``result.criterion.shown(result.search_error)``.

    Attributes
    ----------
    dataset
        The data, where the search ran in this process or the project was opened by :func:`fsdesk.open_project`.
    """

    dataset: Dataset | None = None

    def _repr_html_(self) -> str:
        """What a notebook shows: the held-out error, the features, and details."""
        names = ", ".join(self.features[:_NAMED])
        if len(self.features) > _NAMED:
            names = tr("{names} and {more} more", names=names, more=number(len(self.features) - _NAMED))
        size = tr("{count:,} of {total:,}", count=len(self.features), total=len(self.all_features))
        lines = (
            (tr("Method"), f"{tr(METHODS[self.spec.method].title)}: {translated(self.reason)}"),
            (tr("Selected features"), f"{size}: {names}"),
            (tr("Measurements"), number(self.evaluations)),
        )
        cells = "".join(f"<tr><th>{escape(title)}</th><td>{escape(text)}</td></tr>" for title, text in lines)
        caption = f"<caption>{escape(self.spec.data_name)}</caption>"
        return f"<p><b>{escape(lead(self))}</b></p><table>{caption}{cells}</table>"

    @cached_property
    def estimator(self) -> "Pipeline":
        """The answer as a fitted scikit-learn pipeline: preparation, selection and model, trained on all rows.

        It takes a DataFrame that has the selected features by name, and predicts class names or numbers.

        Raises
        ------
        ProjectError
            Where the data are not at hand.
        """
        from fsdesk.results.pipeline import fitted_pipeline  # which takes a moment to load

        if self.dataset is None:
            raise ProjectError("This result holds no data: fit the pipeline by fitted_pipeline(result, dataset).")
        return fitted_pipeline(self, self.dataset)

    def to_frame(self) -> "pd.DataFrame":
        """One row for each of the p features.

        Returns
        -------
        pandas.DataFrame
            The index are the names; columns are selected (bool), weight (of the method, 1 and 0 where it has none) and
            frequency (share of the candidates that held the feature), and what the user knows about the features.
        """
        import pandas as pd

        weights = self.mask.astype(np.float64) if self.weights is None else self.weights
        made = pd.DataFrame(
            {"selected": self.mask, "weight": weights, "frequency": self.frequency},
            index=pd.Index(self.all_features, name="feature"),
        )
        for place, title in enumerate(self.annotations.titles):
            made[f"{title}_" if title in made else title] = [
                self.annotations.cells(name)[place] for name in self.all_features
            ]
        return made

    def report(self, path: str | PathLike[str]) -> Path:
        """Write the report, a page for a browser (``.html``) or for print (``.pdf``), and return its path.

        Raises
        ------
        ProjectError
            Where the data are not at hand, or the file cannot be written.
        SettingsError
            Where the name ends in something else.
        """
        target = Path(path)
        if self.dataset is None:
            raise ProjectError("This result holds no data, which a report needs: open its project by open_project.")
        if target.suffix.lower() not in (".html", ".pdf"):
            raise SettingsError('A report is a .html or a .pdf file; "{path}" is none.', path=target.name)
        from fsdesk.results.exports import EXPORTS, write_file  # which take a moment to load

        content = EXPORTS[f"report{target.suffix.lower()}"].content(self, self.dataset)
        write_file(target, content, make_folder=True)
        return target

    def figure(self, name: str) -> "Figure":
        """A figure of matplotlib, ready for ``savefig``.

        Parameters
        ----------
        name
            "curve", "sizes", "weights", "heatmap", "confusion", "roc" or "decision", as ``fsdesk export`` names them.

        Raises
        ------
        ProjectError
            Where the data are not at hand.
        SettingsError
            Where there is no such figure, or the run has not measured what it shows.
        """
        if self.dataset is None:
            raise ProjectError("This result holds no data, which a figure needs: open its project by open_project.")
        from fsdesk.results.exports import figure_named  # which takes a moment to load

        return figure_named(self, self.dataset, name)

    def decision(
        self,
        rule: "Rule" = "youden",
        value: float = 0.9,
        *,
        prevalence: float | None = None,
        positive: str | None = None,
        horizon: float | None = None,
        dataset: Dataset | None = None,
    ) -> "Decision":
        """ROC curve, cut-off, predictive values, calibration and net benefit, from predictions of held-out rows.

        Parameters
        ----------
        rule, value
            How the cut-off is chosen, from rows apart from those that it is judged on: "youden"; "sensitivity" or
            "specificity" of at least ``value``; "cost", where a missed row costs ``value`` times as much as a false
            alarm.
        prevalence
            Share of the positive class where the model is to be used; None: as among the held-out rows.
        positive
            Name of the class that is looked for; None: the one of the settings, else the rarest. It is compared with
            all others.
        horizon
            Of times to an event, the time by which it is asked; None: the one of the settings, else the median time of
            the events.
        dataset
            The data, for a result that was read from a project.

        Raises
        ------
        ProjectError
            Where the data are not at hand, or no rows were held out.
        SettingsError
            Where the model gives no scores, or a value is off.
        """
        from fsdesk.results.decision import CutOff, decide, why_not
        from fsdesk.results.diagnosis import held_out_made, held_out_of

        dataset = dataset or self.dataset
        if dataset is None:
            raise ProjectError("This result holds no data: give them as dataset.")
        if dataset.response is not None and not dataset.event:
            raise SettingsError("Cut-offs are chosen between classes, and this run predicts none.")
        if not held_out_of(self, dataset):
            raise ProjectError("No rows were held out of this search: measure the held-out error first.")
        scored = held_out_made(self, dataset)[1]
        if scored is None:
            raise SettingsError("No cut-off can be chosen: {why}", why=why_not(scored))
        return decide(scored, CutOff(rule, value), prevalence, positive, horizon=horizon)

    def planned(self, rows: int) -> "Planned":
        """What to expect of a study of so many rows, from this run as a pilot: interval and chance of evidence.

        Of groups of rows where there are any. See :mod:`fsdesk.results.sample_size`; ProjectError without a held-out
        error.
        """
        from fsdesk.results.sample_size import planned

        return planned(self._pilot(), rows)

    def rows_for(self, half: float) -> int | None:
        """How many rows, or groups of rows, make the interval of the held-out error so narrow: ± ``half``.

        In the unit of the error, such as 0.05 for 5 points; None where ten million are too few.
        """
        from fsdesk.results.sample_size import rows_for

        return rows_for(self._pilot(), half)

    def _pilot(self) -> "HonestError":
        if self.honest is None:
            raise ProjectError("No rows were held out of this search: measure the held-out error first.")
        return self.honest

    def coefficients(self, dataset: Dataset | None = None) -> "Coefficients | None":
        """The model of the answer written down, where it is a sum: logistic, ridge or Cox regression and the like.

        Intervals are of bootstrap samples of the rows. None where it is no sum, or one of several classes.

        Parameters
        ----------
        dataset
            The data, for a result that was read from a project; ProjectError where they are not at hand.
        """
        from fsdesk.results.features import linear_model

        dataset = dataset or self.dataset
        if dataset is None:
            raise ProjectError("This result holds no data: give them as dataset.")
        return linear_model(self, dataset)
