"""The result of a run for scripts and notebooks."""

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

_NAMED = 10  # features shown in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class Result(RunRecord):
    """The result of a run: its record, with the data, and outputs derived from both.

    Errors are losses as minimized by the search: fractions, 1 minus the AUC, RMSE. ``criterion`` converts a loss to
    display units: ``result.criterion.shown(result.search_error)``.

    Attributes
    ----------
    dataset
        The data, if the search ran in this process or the project was opened by :func:`fsdesk.open_project`.
    """

    dataset: Dataset | None = None

    def _repr_html_(self) -> str:
        """The display in a notebook: the held-out error, the features, and details."""
        names = ", ".join(self.features[:_NAMED])
        if len(self.features) > _NAMED:
            names = tr("{names} and {more} more", names=names, more=number(len(self.features) - _NAMED))
        size = tr(
            "{count:,} of {total:,}", count=len(self.features), total=int(self.spec.allowed(self.all_features).sum())
        )
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
        """The result as a fitted scikit-learn pipeline: preparation, selection and model, trained on all rows.

        It takes a frame of pandas, polars or pyarrow with the selected features by name, and predicts class names or
        numbers. Stored with joblib, it is a plain ``sklearn.pipeline.Pipeline``, which takes a pandas DataFrame.

        Raises
        ------
        ProjectError
            If the data are not available.
        """
        from fsdesk.results.frame_pipeline import frame_pipeline  # takes a moment to load
        from fsdesk.results.pipeline import fitted_pipeline

        if self.dataset is None:
            raise ProjectError("This result contains no data; fit the pipeline with fitted_pipeline(result, dataset).")
        return frame_pipeline(fitted_pipeline(self, self.dataset))

    def to_frame(self) -> "pd.DataFrame":
        """One row for each of the p features.

        Returns
        -------
        pandas.DataFrame
            The index contains the names; columns are selected (bool), weight (of the method, 1 and 0 if it has none)
            and frequency (share of the candidates that contain the feature), and the user's descriptions of the
            features.
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
            If the data are not available, or the file cannot be written.
        SettingsError
            If the name has another ending.
        """
        target = Path(path)
        if self.dataset is None:
            raise ProjectError(
                "This result contains no data, which a report needs. Open its project with open_project."
            )
        if target.suffix.lower() not in (".html", ".pdf"):
            raise SettingsError('A report must be an .html or .pdf file, not "{path}".', path=target.name)
        from fsdesk.results.exports import EXPORTS, write_file  # take a moment to load

        content = EXPORTS[f"report{target.suffix.lower()}"].content(self, self.dataset)
        write_file(target, content, make_folder=True)
        return target

    def figure(self, name: str) -> "Figure":
        """A matplotlib figure, ready for ``savefig``.

        Parameters
        ----------
        name
            "curve", "sizes", "weights", "heatmap", "confusion", "roc" or "decision", as in ``fsdesk export``.

        Raises
        ------
        ProjectError
            If the data are not available.
        SettingsError
            If there is no such figure, or the run has not measured its data.
        """
        if self.dataset is None:
            raise ProjectError(
                "This result contains no data, which a figure needs. Open its project with open_project."
            )
        from fsdesk.results.exports import figure_named  # takes a moment to load

        return figure_named(self, self.dataset, name)

    def decision(
        self,
        rule: "Rule" = "youden",
        value: float = 0.9,
        *,
        prevalence: float | None = None,
        positive: str | float | None = None,
        horizon: float | None = None,
        dataset: Dataset | None = None,
    ) -> "Decision":
        """ROC curve, cut-off, predictive values, calibration and net benefit, from predictions of held-out rows.

        Parameters
        ----------
        rule, value
            Rule for the cut-off, which is derived from rows other than those it is evaluated on: "youden";
            "sensitivity" or "specificity" of at least ``value``; "cost", if a missed row costs ``value`` times as much
            as a false alarm.
        prevalence
            Share of the positive class where the model will be used; None: as among the held-out rows.
        positive
            Name of the positive class; None: that of the settings, otherwise the rarest. It is compared with all
            others.
        horizon
            For event times, the time horizon; None: that of the settings, otherwise the median event time.
        dataset
            The data, for a result read from a project.

        Raises
        ------
        ProjectError
            If the data are not available, or no rows were held out.
        SettingsError
            If the model provides no scores, or a value is invalid.
        """
        from fsdesk.results.decision import CutOff, decide, why_not
        from fsdesk.results.diagnosis import held_out_made, held_out_of

        dataset = dataset or self.dataset
        if dataset is None:
            raise ProjectError("This result contains no data; pass them as dataset.")
        if dataset.response is not None and not dataset.event:
            raise SettingsError("Cut-offs apply to classes, and this run does not predict classes.")
        if not held_out_of(self, dataset):
            raise ProjectError("No rows were held out from this search. Measure the held-out error first.")
        scored = held_out_made(self, dataset)[1]
        if scored is None:
            raise SettingsError("No cut-off can be chosen: {why}", why=why_not(scored))
        return decide(scored, CutOff(rule, value), prevalence, positive, horizon=horizon)

    def planned(self, rows: int) -> "Planned":
        """Expected outcome of a study of a given size, with this run as a pilot: interval and probability of evidence.

        The size is the number of groups of rows, if there are any. See :mod:`fsdesk.results.sample_size`; ProjectError
        without a held-out error.
        """
        from fsdesk.results.sample_size import planned

        return planned(self._pilot(), rows)

    def rows_for(self, half: float) -> int | None:
        """Number of rows, or groups of rows, for an interval of the held-out error of ± ``half``.

        ``half`` is in the unit of the error, such as 0.05 for 5 points. The result is None if even ten million rows are
        too few.
        """
        from fsdesk.results.sample_size import rows_for

        return rows_for(self._pilot(), half)

    def _pilot(self) -> "HonestError":
        if self.honest is None:
            raise ProjectError("No rows were held out from this search. Measure the held-out error first.")
        return self.honest

    def coefficients(self, dataset: Dataset | None = None) -> "Coefficients | None":
        """Coefficients of the result's model, if it is linear: logistic, ridge or Cox regression and similar models.

        Intervals are from bootstrap samples of the rows. None if the model is not linear, or has more than two classes.

        Parameters
        ----------
        dataset
            The data, for a result read from a project; ProjectError if they are not available.
        """
        from fsdesk.results.features import linear_model

        dataset = dataset or self.dataset
        if dataset is None:
            raise ProjectError("This result contains no data; pass them as dataset.")
        return linear_model(self, dataset)
