"""Predictions for new rows by the answer of a run: class or number, probability, and how far a row lies from others."""

import csv
import io
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Table
from fsdesk.messages import message
from fsdesk.results.formulas import escape_formula
from fsdesk.results.new_rows import NewRows, as_table, matched
from fsdesk.results.pipeline import fitted_pipeline, selected_frame
from fsdesk.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Predictions", "predict"]

_FOLDS = 5
_FEWEST = 3  # rows of a class, for a probability to be calibrated

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What the trained pipeline of a run says about n new rows.

    Attributes
    ----------
    rows
        Their ids.
    predicted
        (n,) names of classes, or numbers: just what ``pipeline.predict`` of the exported pipeline says.
    classes
        Names of the classes; none for numbers.
    probabilities
        (n, classes) of each class; None where the model gives none.
    calibrated
        Whether the probabilities were calibrated by rows held out. Where they were, the likeliest class may be another
        one than ``predicted``.
    calibration
        How they were, or why not, in a sentence.
    distances
        (n,) to the nearest learned row, over the selected features, in standard deviations of a feature.
    farther
        (n,) share of the learned rows that have another learned row nearer than that: near 1 is far from all that
        was learned.
    outside
        (n,) how many selected features have a value outside of what was learned.
    filled
        (n,) how many values were missing and filled.
    notes
        What the user should know, in sentences.
    """

    rows: tuple[str, ...]
    predicted: NDArray[Any]
    classes: tuple[str, ...]
    probabilities: Floats | None
    calibrated: bool
    calibration: str
    distances: Floats
    farther: Floats
    outside: NDArray[np.int64]
    filled: NDArray[np.int64]
    notes: tuple[str, ...]

    def to_csv(self) -> str:
        """One line for each row; numbers as fractions, to the last bit."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        shares = [] if self.probabilities is None else [f"probability of {name}" for name in self.classes]
        title = "calibrated" if self.calibrated else "not calibrated"
        head = ["row", "predicted", *([f"probability ({title})"] if shares else []), *shares]
        writer.writerow([*map(escape_formula, head), "distance", "farther than", "outside", "filled"])
        for place, row in enumerate(self.rows):
            said = self.predicted[place]
            cells = [escape_formula(row), escape_formula(str(said)) if self.classes else repr(float(said))]
            if self.probabilities is not None:
                own = self.probabilities[place]
                cells += [repr(float(own[self.classes.index(str(said))])), *(repr(float(share)) for share in own)]
            cells += [repr(float(self.distances[place])), repr(float(self.farther[place]))]
            writer.writerow([*cells, int(self.outside[place]), int(self.filled[place])])
        return buffer.getvalue()


def predict(result: Result, dataset: Dataset, table: Table | str | PathLike[str]) -> Predictions:
    """Predict the rows of another table by the selected features, which are found by their names.

    The model is the pipeline that is exported, trained on all rows of the run.

    Parameters
    ----------
    dataset
        That of the run.
    table
        The new rows, read or as a file; the target may be there or not, and so may other columns.

    Raises
    ------
    DataError
        Where the table lacks a selected feature, or has text where numbers were learned.
    """
    table = as_table(table)
    new = matched(dataset, table, result.features, result.features)
    frame, learned = _frame(dataset, table, new), selected_frame(dataset)
    pipeline = fitted_pipeline(result, dataset)
    predicted = np.asarray(pipeline.predict(frame))
    probabilities, calibrated, calibration = _probabilities(pipeline, dataset, learned, frame)
    distances, farther = _distances(pipeline, learned, frame)
    return Predictions(
        rows=new.rows,
        predicted=predicted,
        classes=dataset.classes,
        probabilities=probabilities,
        calibrated=calibrated,
        calibration=calibration,
        distances=distances,
        farther=farther,
        outside=new.outside.sum(axis=1),
        filled=np.isnan(new.x).sum(axis=1),
        notes=new.notes,
    )


def _frame(dataset: Dataset, table: Table, new: NewRows) -> "pd.DataFrame":
    """The new rows as the pipeline takes them: numbers, and categories by their names, known or not."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for place, name in enumerate(new.names):
        levels = dataset.categories.get(dataset.features.index(name))
        values = new.x[:, place]
        if levels is not None:
            named = [np.nan if np.isnan(code) else levels[int(code)] for code in values]
            columns[name] = np.array(named, dtype=object)
        else:
            columns[name] = values
    return pd.DataFrame(columns, index=list(table.rows))


def _probabilities(
    pipeline: Any, dataset: Dataset, learned: "pd.DataFrame", frame: "pd.DataFrame"
) -> tuple[Floats | None, bool, str]:
    """(n, classes) in the order of the data set, whether they are calibrated, and how or why not."""
    if dataset.response is not None:
        return None, False, ""
    from sklearn.base import clone
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    names = np.array(dataset.classes)[dataset.target]
    units = (
        dataset.target if dataset.groups is None else np.unique(np.stack([dataset.target, dataset.groups]), axis=1)[0]
    )
    fewest = int(np.bincount(units, minlength=len(dataset.classes)).min())
    can = hasattr(pipeline, "predict_proba")
    why = message("one class has fewer than {few} rows or groups", few=_FEWEST) if fewest < _FEWEST else ""
    if not why and (can or hasattr(pipeline, "decision_function")):
        folds = min(_FOLDS, fewest)
        kind = StratifiedKFold if dataset.groups is None else StratifiedGroupKFold
        splits = list(kind(folds, shuffle=True, random_state=0).split(learned, dataset.target, dataset.groups))
        if all(len(np.unique(dataset.target[part])) == len(dataset.classes) for split in splits for part in split):
            made = CalibratedClassifierCV(clone(pipeline), method="sigmoid", cv=splits, ensemble=False)
            shares = made.fit(learned, names).predict_proba(frame)
            how = message(
                "Probabilities are calibrated (Platt's sigmoid) by {folds} folds of the learned rows.",
                folds=folds,
            )
            return _in_order(shares, made.classes_, dataset.classes), True, how
        why = message("some fold of the groups lacks a class")
    if can:
        shares = pipeline.predict_proba(frame)
        said = message("Probabilities are not calibrated ({why}): take them as scores.", why=why)
        return _in_order(shares, pipeline.classes_, dataset.classes), False, said
    return None, False, message("The model gives no probabilities.")


def _in_order(shares: Floats, found: NDArray[Any], classes: tuple[str, ...]) -> Floats:
    ordered = np.zeros((len(shares), len(classes)))
    for place, name in enumerate(found):
        ordered[:, classes.index(str(name))] = shares[:, place]
    return ordered


def _distances(pipeline: Any, learned: "pd.DataFrame", frame: "pd.DataFrame") -> tuple[Floats, Floats]:
    """(n,) distance to the nearest learned row, and share of learned rows whose nearest other one is nearer."""
    from sklearn.neighbors import NearestNeighbors
    from sklearn.preprocessing import StandardScaler

    filled = pipeline[: list(pipeline.named_steps).index("fill") + 1]
    scaler = StandardScaler()
    known = scaler.fit_transform(np.asarray(filled.transform(learned), dtype=np.float64))
    new = scaler.transform(np.asarray(filled.transform(frame), dtype=np.float64))
    size = np.sqrt(known.shape[1])
    tree = NearestNeighbors(n_neighbors=1).fit(known)
    own = tree.kneighbors()[0][:, 0] / size
    distances = tree.kneighbors(new)[0][:, 0] / size
    return distances, np.searchsorted(np.sort(own), distances) / len(own)
