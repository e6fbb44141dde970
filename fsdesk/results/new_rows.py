"""Another table for a finished run: its rows matched by name, then predicted or used for external validation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Learned, ReadOptions, Table, read_as_learned, refuse_questions
from fsdesk.data.cells import Numbers
from fsdesk.data.dataset import named_frame
from fsdesk.data.frame import FrameLike, as_pandas, refuse_twice, rows_of_frame
from fsdesk.data.kaplan_meier import alike
from fsdesk.data.outcomes import survival_target, written_event
from fsdesk.data.roles import column_index
from fsdesk.data.word_column import other_spelling
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, ProjectError, SettingsError
from fsdesk.measure import needed_features
from fsdesk.messages import message, quoted
from fsdesk.results.calibration import FEWEST, held_out_scores, in_order, scores_of
from fsdesk.results.decision import decide
from fsdesk.results.diagnosis import held_out_made, held_out_of, horizon_of
from fsdesk.results.evidence import FRESH, ExternalValidation
from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.held_out_rows import Examiner, HeldOutPart, tested_on
from fsdesk.results.pipeline import filling, fitted_pipeline
from fsdesk.results.record import RunRecord
from fsdesk.results.result import Result
from fsdesk.results.scores import Scored, log_hazards
from fsdesk.results.sheets import csv_text, escape_formula
from fsdesk.results.survival import group_count, group_names

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.pipeline import Pipeline

Floats = NDArray[np.float64]
_TOLD_APART = 0.95  # share of distinct training rows from which the numeric columns alone identify a row


@dataclass(frozen=True, eq=False)
class NewRows:
    """The rows of another table, restricted to the columns that a run was trained on.

    Attributes
    ----------
    names, rows
        Names of the m features, and IDs of the n rows.
    x
        (n, m) values; codes of the known categories in nominal features; NaN if a value is missing or unknown.
    outside
        (n, m) bool: values outside the training range or categories.
    notes
        Notes for the user, in sentences.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...]
    x: Floats
    outside: NDArray[np.bool_]
    notes: tuple[str, ...] = field(default=())


Rows: TypeAlias = "Table | str | PathLike[str] | FrameLike"
"""New rows: a table that was read, the path of a file, or a frame of pandas, polars or pyarrow."""


def as_table(table: Rows, dataset: Dataset, features: Sequence[str] | None = None) -> Table:
    """A table as it is, or read in the same way as the table of the run; only its ``features`` are needed."""
    if isinstance(table, Table):
        return table
    learned = Learned.of(dataset, features)
    if isinstance(table, str | PathLike):
        return read_as_learned(table, learned)
    made = as_pandas(table)
    refuse_twice(made, learned.columns)
    return rows_of_frame(made, message("the data frame"), ReadOptions.model_validate(learned.options))


def _given(result: RunRecord, given: "Dataset | Rows", rows: "Rows | None") -> tuple[Dataset, Rows]:
    """The data set of a run and the new rows, from the arguments: both, or the rows and a result with its data."""
    if isinstance(given, Dataset):
        if rows is None:
            raise DataError("New rows are missing. Give a table, the path of a file, or a DataFrame.")
        return given, rows
    if rows is not None:
        raise DataError(
            "The second argument must be the data set of the run, or the new rows if the result contains its data."
        )
    if not isinstance(result, Result) or result.dataset is None:
        raise ProjectError("This result contains no data. Give the data set of its run, then the new rows.")
    return result.dataset, given


def read_frame(path: str | PathLike[str], pipeline: "Pipeline") -> "pd.DataFrame":
    """Read a table of new rows in the same way as the table of an exported pipeline.

    Parameters
    ----------
    path
        The file, of any format.
    pipeline
        A pipeline exported by fsdesk (``pipeline.joblib``, ``pipeline.skops``, ``RunRecord.estimator``); it stores how
        the table of its run was read: missing values, categories, decimal sign, dates, answers to questions.

    Returns
    -------
    pandas.DataFrame
        (n, q) all columns of the table by name, for ``pipeline.predict``; the index contains the row IDs.

    Raises
    ------
    DataError
        If the file cannot be read, or has a cell of a type other than in training.
    QuestionError
        If it can be read in more than one way and the table of the run does not settle it.

    Examples
    --------
    >>> import fsdesk, joblib
    >>> pipeline = joblib.load("pipeline.joblib")  # doctest: +SKIP
    >>> pipeline.predict(fsdesk.read_frame("new_patients.csv", pipeline))  # doctest: +SKIP
    """
    kept = getattr(pipeline, "reading_", None)
    if kept is None:
        raise DataError("This pipeline does not record how its table was read. Export it again with this version.")
    table = _without_questions(path, Learned.unpacked(kept), predicts=True)
    return named_frame(table.columns, table.values, table.categories, table.rows)


def _without_questions(path: str | PathLike[str], learned: Learned, *, predicts: bool = False) -> Table:
    table = read_as_learned(path, learned)
    refuse_questions(table, learned.target, grouped=True, predicts=predicts)
    return table


def columns_as_learned(
    path: str | PathLike[str], reading: dict[str, Any], features: Sequence[str], categories: dict[str, list[str]],
    target: str, event: str = "", entry: str = "",
) -> tuple[Floats, NDArray[Any]]:  # fmt: skip
    """X, (n, m) numbers or category codes, and y of a table for an exported script; rows without y are dropped.

    With an ``event``, "column=value", y is the time if it was observed, and minus the time if censored; or two columns,
    the second with the entry times, if these are not all 0.

    Raises DataError if the file cannot be read or lacks a column.
    """
    table = _without_questions(path, Learned.unpacked(reading))
    places = [column_index(table, name, message("a feature")) for name in features]
    outcome = survival_target(table, target, event, entry or None) if event else None
    column = column_index(table, target, message("the target"))
    kept = ~np.isnan(table.values[:, column]) if outcome is None else outcome.kept
    x = np.empty((int(kept.sum()), len(places)))
    for j, (name, place) in enumerate(zip(features, places, strict=True)):
        x[:, j] = _coded(table, place, categories.get(name), name)[kept]
    if outcome is not None and outcome.response is not None:
        return x, outcome.response
    levels = table.categories.get(column)
    values = table.values[kept, column]
    return x, values if levels is None else np.array([levels[int(code)] for code in values])


def _coded(table: Table, column: int, known: Sequence[str] | None, name: str) -> Floats:
    """(n,) numbers, or codes of the known categories; NaN for others."""
    values, levels = table.values[:, column], table.categories.get(column)
    if known is None:
        if levels is not None:
            row, word = _first_text(values, levels)
            raise DataError(
                "\"{columns}\" contains text in \"{name}\", {word} in row {row}, but numbers in the run's table. "
                "Correct that cell.",
                columns=name, name=table.name, word=quoted([word]), row=table.rows[row],
            )  # fmt: skip
        return values
    codes = {word: float(code) for code, word in enumerate(known)}
    return np.array([codes.get(_word(value, levels), np.nan) for value in values])


def matched(dataset: Dataset, table: Table, names: Sequence[str], needed: Sequence[str]) -> NewRows:
    """Match the features of a run to the columns of another table, by name.

    Parameters
    ----------
    names
        The features to match; those not in the table are omitted and named in a note.
    needed
        The features that the table must contain.

    Raises
    ------
    DataError
        If the table lacks a required one, has text instead of numbers, or completely different categories.
    """
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise DataError(
            '"{name}" lacks {missing} of the {needed} selected features, {missing2}. Columns are matched by name, so '
            "use the names in the run's table.",
            name=table.name,
            missing=len(missing),
            needed=len(needed),
            missing2=quoted(missing),
        )
    places = {name: place for place, name in enumerate(dataset.features)}
    found = [name for name in names if name in table.columns]
    columns, outside, notes = [], [], list[str]()
    left_out = len(names) - len(found)
    if left_out:
        notes.append(
            message(
                '"{table}" lacks {left_out:,} of {total:,} features, none of them selected.',
                table=table.name, left_out=left_out, total=len(names),
            )
        )  # fmt: skip
    far: list[str] = []
    for name in found:
        values, beyond = _column(dataset, table, places[name], column_index(table, name, message("a feature")))
        columns.append(values)
        outside.append(beyond)
        if beyond.any():
            far.append(name)
            if places[name] in dataset.categories:
                if name in needed:
                    _refuse_other_words(dataset, table, name, values)
                notes.append(_unknown(dataset, table, name, int(np.flatnonzero(beyond)[0])))
    if far:
        notes.append(
            message(
                "{far:,} of {total:,} features have values outside the training range, {names}; predictions there "
                "are extrapolations.",
                far=len(far), total=len(found), names=quoted(far),
            )
        )  # fmt: skip
    gaps = int(np.isnan(np.array(columns)).sum())
    if gaps:
        notes.append(message("{gaps:,} missing or unknown values are imputed from the training rows.", gaps=gaps))
    shape = (len(table.rows), len(found))
    x = np.array(columns).T.reshape(shape)
    return NewRows(tuple(found), table.rows, x, np.array(outside).T.reshape(shape), tuple(notes))


def _refuse_other_words(dataset: Dataset, table: Table, name: str, codes: Floats) -> None:
    """Raise DataError if a column has several words but no known category, such as ja and nein for yes and no.

    The same applies to other spellings of known categories, such as Y beside no. Otherwise, these rows would be
    predicted as if nothing were known about them.
    """
    column = table.columns.index(name)
    words = {_word(value, table.categories.get(column)) for value in table.values[:, column].tolist()} - {""}
    known = dataset.categories[dataset.features.index(name)]
    if len(words) > 1 and np.isnan(codes).all():
        raise DataError(
            'Column "{name}" of "{table}" contains {words} and none of the values in the training data, {known}. '
            "Write them as in the run's table, or leave cells blank if the value is a different one.",
            name=name, table=table.name, words=quoted(sorted(words)), known=quoted(known),
        )  # fmt: skip
    respelled = [word for word in sorted(words - {*known}) if other_spelling(word, known)]
    if respelled:
        raise DataError(
            'Column "{name}" of "{table}" contains {words}, which may be other spellings of values in the training '
            "data, {known}. Write them as in the run's table, or leave cells blank if the value is a different one.",
            name=name, table=table.name, words=quoted(respelled), known=quoted(known),
        )  # fmt: skip


def _unknown(dataset: Dataset, table: Table, name: str, row: int) -> str:
    """The first cell of a column with an unknown category."""
    column = table.columns.index(name)
    known = dataset.categories[dataset.features.index(name)]
    return message(
        '"{name}" contains {word} in row {row}, which is not in the training data; known values are {known}.',
        name=name, word=quoted([_word(table.values[row, column], table.categories.get(column))]), row=table.rows[row],
        known=quoted(known),
    )  # fmt: skip


def _column(dataset: Dataset, table: Table, place: int, column: int) -> tuple[Floats, NDArray[np.bool_]]:
    """(n,) values as in the data set, and which are outside its known values."""
    values, levels, known = table.values[:, column], table.categories.get(column), dataset.categories.get(place)
    if known is None and levels is not None:
        row, word = _first_text(values, levels)
        raise DataError(
            '"{columns}" contains text in "{name}", {word} in row {row}, but numbers in the run\'s table. Correct '
            "that cell.",
            columns=table.columns[column],
            name=table.name,
            word=quoted([word]),
            row=table.rows[row],
        )
    if known is not None:
        words = [_word(value, levels) for value in values]
        codes = {word: float(code) for code, word in enumerate(known)}
        return np.array([codes.get(word, np.nan) for word in words]), np.array(
            [word not in codes and word != "" for word in words]
        )
    learned = dataset.x[:, place]
    finite = learned[~np.isnan(learned)]
    low, high = (finite.min(), finite.max()) if len(finite) else (-np.inf, np.inf)
    return np.array(values, dtype=np.float64), np.asarray((values < low) | (values > high))


def _first_text(values: Floats, levels: tuple[str, ...]) -> tuple[int, str]:
    """Row and text of the first cell that is not a number."""
    written = [(row, _word(value, levels)) for row, value in enumerate(values)]
    present = [(row, word) for row, word in written if word]
    return next(((row, word) for row, word in present if not Numbers().is_number(word)), present[0])


def _word(value: float, levels: tuple[str, ...] | None) -> str:
    """The category as text; "" if missing."""
    if np.isnan(value):
        return ""
    return f"{value:.15g}" if levels is None else levels[int(value)]


def known_targets(
    dataset: Dataset, table: Table, name: str
) -> tuple[NDArray[np.bool_], NDArray[np.int64], Floats | None]:
    """Which rows have a target, and their class codes or numbers, using the known classes.

    Raises
    ------
    DataError
        If there is no such column, no row with a target, or an unknown class.
    """
    if dataset.event:
        event = written_event(name) if dataset.event_column == dataset.target_name else dataset.event
        found = survival_target(table, name, event, dataset.entry or None)
        return found.kept, found.codes, found.response
    column = column_index(table, name, message("the target"))
    values, levels = table.values[:, column], table.categories.get(column)
    kept = ~np.isnan(values)
    if not kept.any():
        raise DataError(
            'No row of "{name}" has a value in "{name2}", the target, so there is nothing to test on.',
            name=table.name,
            name2=name,
        )
    if dataset.response is not None:
        if levels is not None:
            raise DataError(
                '"{name}" contains text in "{name2}", but the run predicts numbers.', name=name, name2=table.name
            )
        return kept, np.zeros(int(kept.sum()), dtype=np.int64), values[kept]
    words = [_word(value, levels) for value in values[kept]]
    codes = {word: code for code, word in enumerate(dataset.classes)}
    unknown = sorted({word for word in words if word not in codes})
    if unknown:
        raise DataError(
            '"{name}" has classes in "{name2}" that are not in the training data, {unknown}; known classes are '
            "{classes}.",
            name=name,
            name2=table.name,
            unknown=quoted(unknown),
            classes=quoted(list(dataset.classes)),
        )
    return kept, np.array([codes[word] for word in words], dtype=np.int64), None


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of a run's trained pipeline for n new rows.

    Attributes
    ----------
    rows
        IDs of the rows.
    predicted
        (n,) classes, or numbers: identical to ``pipeline.predict`` of the exported pipeline.
    classes
        Names of the classes; empty for numbers.
    probabilities
        (n, classes) for each class; None if the model provides none.
    calibrated
        Whether the probabilities were calibrated on rows held out from feature selection. If so, the most likely class
        may differ from ``predicted``.
    calibration
        How they were calibrated, or why not, in a sentence.
    distances
        (n,) distance to the nearest training row, over the selected features, in standard deviations of a feature.
    farther
        (n,) fraction of the training rows that have another training row closer than that: near 1 is far from all
        training rows.
    outside
        (n,) number of selected features with a value outside the training range.
    filled
        (n,) number of missing values that were imputed.
    notes
        Notes for the user, in sentences.
    labels
        The original values of ``classes``, as used in ``predicted``: with the type they had in the run's frame.
    times, survival
        For a time to an event, (t,) times and the (n, t) probabilities of being event-free at each of them, according
        to the model; ``predicted`` are risks, larger if the event is likely to come sooner.
    groups
        For a time to an event, n messages such as "low risk", which say in which third of the cross-validated risks of
        the training rows (half if there are few events) the risk of the row lies.
    grouped_by, members
        Name of the run's column of groups, such as patient_id, and its value in each row; empty if the rows lack it.
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
    labels: tuple[Any, ...] = ()
    times: Floats = field(default_factory=lambda: np.empty(0))
    survival: Floats | None = None
    groups: tuple[str, ...] = ()
    grouped_by: str = ""
    members: tuple[str, ...] = ()

    def __repr__(self) -> str:
        kind = f"{len(self.classes)} classes" if self.classes else "risks" if len(self.times) else "numbers"
        far = int((self.farther >= 1.0).sum())
        return f"<Predictions of {len(self.rows):,} rows: {kind}; {far:,} rows far from what was learned>"

    def to_frame(self) -> "pd.DataFrame":
        """One row for each of the n rows, with their IDs as index; the columns are those of the file."""
        import pandas as pd

        made: dict[str, object] = {self.grouped_by: self.members} if self.members else {}
        made["risk" if self.groups else "predicted"] = self.predicted
        if self.probabilities is not None:
            places = {value: at for at, value in enumerate(self.labels or self.classes)}
            title = "calibrated" if self.calibrated else "not calibrated"
            chosen = [places[each] for each in self.predicted]
            made[f"probability ({title})"] = self.probabilities[np.arange(len(chosen)), chosen]
            for place, name in enumerate(self.classes):
                made[f"probability of {name}"] = self.probabilities[:, place]
        if self.groups and self.survival is not None:
            made["risk group"] = self.groups
            for place, time in enumerate(self.times):
                made[f"survival at {time:.15g}"] = self.survival[:, place]
        made |= {
            "distance": self.distances, "farther than": self.farther, "outside": self.outside, "filled": self.filled
        }  # fmt: skip
        return pd.DataFrame(made, index=pd.Index(self.rows, name="row"))

    def to_csv(self) -> str:
        """One line for each row; numbers as fractions in full precision."""
        shares = [] if self.probabilities is None else [f"probability of {name}" for name in self.classes]
        title = "calibrated" if self.calibrated else "not calibrated"
        head = ["row", "predicted", *([f"probability ({title})"] if shares else []), *shares]
        if self.groups:
            head = ["row", "risk", "risk group", *(f"survival at {time:.15g}" for time in self.times)]
        if self.members:
            head.insert(1, self.grouped_by)
        places = {value: at for at, value in enumerate(self.labels or self.classes)}
        lines: list[list[object]] = [[*map(escape_formula, head), "distance", "farther than", "outside", "filled"]]
        for place, row in enumerate(self.rows):
            said = self.predicted[place]
            own_id = [escape_formula(self.members[place])] if self.members else []
            cells = [escape_formula(row), *own_id, escape_formula(str(said)) if self.classes else repr(float(said))]
            if self.probabilities is not None:
                own = self.probabilities[place]
                cells += [repr(float(own[places[said]])), *(repr(float(share)) for share in own)]
            if self.groups and self.survival is not None:
                cells += [self.groups[place], *(repr(float(share)) for share in self.survival[place])]
            cells += [repr(float(self.distances[place])), repr(float(self.farther[place]))]
            lines.append([*cells, int(self.outside[place]), int(self.filled[place])])
        return csv_text(lines)


@overload
def predict(result: RunRecord, rows: Rows, /, *, times: Sequence[float] = ()) -> Predictions: ...
@overload
def predict(result: RunRecord, dataset: Dataset, table: Rows, *, times: Sequence[float] = ()) -> Predictions: ...
def predict(
    result: RunRecord, dataset: "Dataset | Rows", table: "Rows | None" = None, *, times: Sequence[float] = ()
) -> Predictions:
    """Predict the rows of another table with the selected features, which are matched by name.

    The model is the exported pipeline, trained on all rows of the run: ``predict(result, rows)`` if the result has its
    data, as that of :func:`fsdesk.select` does, else ``predict(result, dataset, rows)``.

    Parameters
    ----------
    result
        Result of a run.
    dataset
        Data set of the run; it may be omitted if the result has it.
    table
        The new rows: a table, the path of a file, or a frame of pandas, polars or pyarrow. The target and other columns
        may be present or absent.
    times
        For a time to an event, the times at which survival is predicted; by default that of the run's decision card,
        the median event time unless set.

    Returns
    -------
    Predictions
        One for each of the n rows; classes have the type they had in the run's frame.

    Raises
    ------
    DataError
        If the table lacks a selected feature, or has text instead of numbers.
    SettingsError
        If times are given but the target is not a time to an event, or one is beyond all observations.
    ProjectError
        If the data set is omitted and the result has none.

    Examples
    --------
    >>> import fsdesk
    >>> data = fsdesk.read_table("sample:wine")
    >>> result = fsdesk.select(data, method="sfs", wrapper="nn", settings={"repeats": 1}, outer=0)
    >>> fsdesk.predict(result, data.frame.head(3)).predicted.tolist()
    ['class_0', 'class_0', 'class_0']
    """
    dataset, table = _given(result, dataset, table)
    asked = _times_asked(result, dataset, times)
    needed = needed_features(dataset, result.spec.measuring, result.features)
    table = as_table(table, dataset, needed)
    if not len(table.rows):
        raise DataError('"{name}" has no rows. Choose a table that contains data.', name=table.name)
    new = matched(dataset, table, needed, needed)
    places = [dataset.features.index(name) for name in new.names]
    categories = {new: dataset.categories[old] for new, old in enumerate(places) if old in dataset.categories}
    frame, learned = named_frame(new.names, new.x, categories, table.rows), dataset.frame
    pipeline = fitted_pipeline(result, dataset)
    predicted = np.asarray(pipeline.predict(frame))
    own = np.isin(new.names, result.features)
    probabilities, calibrated, calibration = _probabilities(pipeline, result, dataset, frame)
    distances, farther = _distances(result, dataset, learned, frame)
    survival, groups = None, tuple[str, ...]()
    if len(asked):
        survival = np.asarray(pipeline[-1].predict_survival(pipeline[:-1].transform(frame), asked))
        groups = _groups(result, dataset, predicted)
    return Predictions(
        rows=new.rows,
        predicted=predicted,
        classes=dataset.classes,
        probabilities=probabilities,
        calibrated=calibrated,
        calibration=calibration,
        distances=distances,
        farther=farther,
        outside=new.outside[:, own].sum(axis=1),
        filled=np.isnan(new.x[:, own]).sum(axis=1),
        notes=new.notes,
        labels=dataset.labels,
        times=asked,
        survival=survival,
        groups=groups,
        **_members(dataset, table),
    )


def _members(dataset: Dataset, table: Table) -> dict[str, Any]:
    """The run's column of groups and its value in each row; empty if the table lacks it."""
    name = dataset.role_names.get("groups", "")
    if name not in table.columns:
        return {}
    column = table.columns.index(name)
    levels = table.categories.get(column)
    return {"grouped_by": name, "members": tuple(_word(value, levels) for value in table.values[:, column])}


def _times_asked(result: RunRecord, dataset: Dataset, times: Sequence[float]) -> Floats:
    """(t,) ascending times at which survival is predicted; empty without a time to an event."""
    if not dataset.event:
        if len(times):
            raise SettingsError("The target is not a time to an event, so survival cannot be predicted.")
        return np.empty(0)
    asked = np.unique(np.asarray(times if len(times) else [horizon_of(result.spec, dataset)], dtype=np.float64))
    longest = float(dataset.times.max())
    wrong = asked[~((asked > 0) & (asked <= longest))]
    if len(wrong):
        raise SettingsError(
            "Survival can be predicted at times above 0 and up to {longest}, the longest in the table of the run "
            "(got {value}).",
            longest=f"{longest:.6g}", value=f"{wrong[0]:.6g}",
        )  # fmt: skip
    return asked


def _without_own(result: RunRecord, dataset: Dataset, times: Floats) -> tuple[Floats, Floats]:
    """(m,) risks and (m, t) survival of the training rows, from cross-validation of the run's model and features."""
    evaluator = evaluator_of(result.answered, dataset, all_rows=True)
    labels = evaluator.fold_labels(FRESH)[:1]
    outcome = evaluator.outcome(result.mask, labels, ("values", "survival"), times)
    assert outcome.values is not None and outcome.survival is not None
    tested = labels[0] >= 0
    return outcome.values[0, tested], outcome.survival[0, tested]


def _groups(result: RunRecord, dataset: Dataset, risks: Floats) -> tuple[str, ...]:
    """The risk group of each of (n,) rows; as many groups as the training rows allow."""
    count = group_count(dataset.target == 1)
    known = _without_own(result, dataset, np.array([horizon_of(result.spec, dataset)]))[0]
    cuts = np.quantile(known, np.arange(1, count) / count)
    names = group_names(count)
    return tuple(names[code] for code in np.searchsorted(cuts, risks, side="left"))


def _probabilities(
    pipeline: Any, result: RunRecord, dataset: Dataset, frame: "pd.DataFrame"
) -> tuple[Floats | None, bool, str]:
    """(n, classes) in the order of the data set, whether they are calibrated, and how or why not."""
    if dataset.event:
        return (
            None,
            False,
            message(
                "A higher risk means an earlier event. Risk groups are defined by the cross-validated risks of the "
                "training rows. Survival is predicted by the model and not calibrated."
            ),
        )
    if dataset.response is not None:
        return None, False, ""
    if not (hasattr(pipeline, "predict_proba") or hasattr(pipeline, "decision_function")):
        return None, False, message("The model provides no probabilities.")
    known, parts = held_out_scores(result, dataset, held_out_of(result, dataset))
    if known is not None:
        shares = known.calibrated(scores_of(pipeline, frame, dataset.labels))
        how = message(
            "Probabilities are calibrated (Platt's sigmoid) on {rows:,} held-out rows in {folds} folds, whose "
            "features were selected without them.",
            rows=len(known.truth) // known.times,
            folds=parts,
        )
        return shares, True, how
    why = (
        message("one class has fewer than {few} held-out rows", few=FEWEST)
        if parts
        else message("no rows were held out from feature selection; measure the held-out error first")
    )
    if not hasattr(pipeline, "predict_proba"):
        return None, False, message("The model provides no probabilities ({why}).", why=why)
    said = message("Probabilities are not calibrated ({why}); treat them as scores.", why=why)
    return in_order(pipeline.predict_proba(frame), pipeline.classes_, dataset.labels), False, said


def _distances(
    result: RunRecord, dataset: Dataset, learned: "pd.DataFrame", frame: "pd.DataFrame"
) -> tuple[Floats, Floats]:
    """(n,) distance to the nearest training row, and fraction of training rows whose nearest other one is closer."""
    from sklearn.neighbors import NearestNeighbors
    from sklearn.preprocessing import StandardScaler

    filled, scaler, names = filling(result, dataset), StandardScaler(), list(result.features)
    known = scaler.fit_transform(np.asarray(filled.fit_transform(learned[names]), dtype=np.float64))
    new = scaler.transform(np.asarray(filled.transform(frame[names]), dtype=np.float64))
    size = np.sqrt(known.shape[1])
    tree = NearestNeighbors(n_neighbors=1).fit(known)
    own = tree.kneighbors()[0][:, 0] / size
    distances = tree.kneighbors(new)[0][:, 0] / size
    return distances, np.searchsorted(np.sort(own), distances) / len(own)


@overload
def validate(
    result: RunRecord,
    rows: Rows,
    /,
    *,
    target: str | None = None,
    group: str | None = None,
    horizon: float | None = None,
) -> ExternalValidation: ...
@overload
def validate(
    result: RunRecord,
    dataset: Dataset,
    table: Rows,
    *,
    target: str | None = None,
    group: str | None = None,
    horizon: float | None = None,
) -> ExternalValidation: ...
def validate(
    result: RunRecord,
    dataset: "Dataset | Rows",
    table: "Rows | None" = None,
    *,
    target: str | None = None,
    group: str | None = None,
    horizon: float | None = None,
) -> ExternalValidation:
    """Train the run's model on its table and its selected features, and test it on another table.

    Parameters
    ----------
    result
        Result of a run.
    dataset
        Data set of the run; it may be omitted if the result has it. Scaling, imputation and categories are learned from
        it only.
    table
        The other table: already read, the path of a file, or a frame of pandas, polars or pyarrow. Columns are matched
        by name.
    target, group
        Name of its target, by default that of the run, and of the column of groups, on which the interval is based: by
        default that of the run, if the table has it; "" for none.
    horizon
        For a time to an event, the time of the decision card; by default that of the run.

    Raises
    ------
    DataError
        If selected features or the target are missing, or classes are unknown.
    ProjectError
        If the data set is omitted and the result has none.

    Examples
    --------
    >>> import fsdesk
    >>> from sklearn.datasets import load_wine
    >>> df = load_wine(as_frame=True).frame
    >>> here, there = df.iloc[::2], df.iloc[1::2]  # two hospitals, say
    >>> result = fsdesk.select(here, target="target", method="sfs", wrapper="nn", settings={"repeats": 1}, outer=0)
    >>> external = fsdesk.validate(result, there)
    >>> bool(external.error.value < 0.3)
    True
    """
    dataset, table = _given(result, dataset, table)
    table, name = as_table(table, dataset), target or dataset.target_name
    new = matched(dataset, table, dataset.features, result.features)
    kept, codes, response = known_targets(dataset, table, name)
    notes = list(new.notes)
    if not kept.all():
        notes.append(message("{rows:,} rows without a target are dropped.", rows=int((~kept).sum())))
    same = _known_already(dataset, new.names, new.x[kept])
    both = _joined(dataset, new.names, new.x[kept], codes, response)
    places = {feature: place for place, feature in enumerate(dataset.features)}
    mask = np.array([result.mask[places[feature]] for feature in new.names], dtype=np.bool_)
    tested = np.arange(len(both.target)) >= len(dataset.target)
    model, everything = result.models
    part = HeldOutPart(mask, np.arange(len(tested)), tested, model=model, everything_model=everything)
    _, said = tested_on(result.spec, both, part)  # whose scores are those of the model
    if group is None and (own := dataset.role_names.get("groups")) in table.columns and own != name:
        group = own
        notes.append(message('Rows with the same "{name}" count as one, as in the run.', name=group))
    rows = np.flatnonzero(kept)
    blocks = rows if not group else _blocks(table, group)[kept]
    said = replace(said, rows=rows, blocks=blocks)
    error = honest_error(
        said,
        selected=int(mask.sum()),
        features=int(result.spec.allowed(new.names).sum()),
        source="another table",
        models=result.models,
    )
    return ExternalValidation(
        table.name, error, len(new.names), len(dataset.features), tuple(notes), result.features, same,
        _decision(result, dataset, both, part, said, horizon),
    )  # fmt: skip


def _decision(
    result: RunRecord, dataset: Dataset, both: Dataset, part: HeldOutPart, said: HeldOut, horizon: float | None
) -> dict[str, Any]:
    """Performance of a run's cut-off on the rows of another table; empty if the run has no cut-off."""
    if horizon is not None and not dataset.event:
        raise SettingsError("The target is not a time to an event, so a time cannot be given.")
    if (said.scores is None and not dataset.event) or not held_out_of(result, dataset):
        return {}
    own = held_out_made(result, dataset)[1]
    if own is None:
        return {}
    if dataset.event:
        asked = own.horizon if horizon is None else horizon
        return {} if own.is_late else _at_a_time(result, dataset, both, part, said, own, asked)
    assert said.scores is not None
    gives = result.answered.build_wrapper().scores_are() == "probabilities"
    tested = replace(
        own,
        rows=said.rows,
        blocks=said.blocks,
        folds=said.folds,
        repeats=said.repeats,
        truth=said.truth,
        scores=said.scores,
        scales=np.zeros(len(said.rows), dtype=np.int64),
        probabilities=np.full(len(said.rows), gives),
        models=(result.model,),
    )
    try:
        return decide(own, tested=tested).packed()
    except SettingsError:  # too few rows of a class, in either table
        return {}


def _at_a_time(
    result: RunRecord, dataset: Dataset, both: Dataset, part: HeldOutPart, said: HeldOut, own: Scored, horizon: float
) -> dict[str, Any]:
    """As :func:`_decision`, for a time to an event: the event by a given time, by the model trained on all rows.

    Its log hazards are standardized by the cross-validated predictions for its training rows, as those of the held-out
    rows are within their parts.
    """
    examiner = Examiner(result.spec, both, part)
    outcome = examiner.outcome(part.mask, part.model, {"survival"}, own.times)
    assert outcome.survival is not None
    known = log_hazards(_without_own(result, dataset, np.array([horizon]))[1][:, 0])
    count = len(said.rows)
    tested = replace(
        own,
        rows=said.rows,
        blocks=said.blocks,
        folds=said.folds,
        repeats=said.repeats,
        truth=said.truth,
        scores=outcome.survival[0, part.tested],
        scales=np.zeros(count, dtype=np.int64),
        probabilities=np.ones(count, dtype=np.bool_),
        models=("",),
        scale=(float(known.mean()), float(known.std())),
    )
    try:
        return decide(own, tested=tested, horizon=horizon).packed()
    except SettingsError:  # too few rows with the event by then or without it, in either table
        return {}


def _joined(
    dataset: Dataset, names: Sequence[str], x: np.ndarray, codes: np.ndarray, response: np.ndarray | None
) -> Dataset:
    """The training rows followed by the new ones, with their common features."""
    places = [dataset.features.index(name) for name in names]
    answers = None
    if dataset.response is not None and response is not None:
        answers = np.concatenate(alike(dataset.response, response))
    learned = len(dataset.target)
    return replace(
        dataset,
        x=np.asfortranarray(np.concatenate([dataset.x[:, places], x])),
        features=tuple(names),
        target=np.concatenate([dataset.target, codes]),
        rows=(*dataset.rows, *(f"new {row}" for row in range(len(codes)))),
        categories={new: dataset.categories[old] for new, old in enumerate(places) if old in dataset.categories},
        response=answers,
        groups=None,
        fold_of=None,
        time=None if dataset.time is None else np.arange(learned + len(codes)),
    )


def _known_already(dataset: Dataset, names: Sequence[str], x: np.ndarray) -> int:
    """Number of these rows that were training rows, compared by numbers alone if these distinguish the training rows.

    Categories may differ for the same row, such as the name of its site or batch.
    """
    places = np.array([dataset.features.index(name) for name in names])
    numbers = ~np.isin(places, list(dataset.categories))
    for columns in (numbers, np.ones(len(places), dtype=np.bool_)):
        known = _as_bytes(dataset.x[:, places[columns]])
        if len(set(known)) >= _TOLD_APART * len(known):
            break
    distinct = set(known)
    return sum(row in distinct for row in _as_bytes(x[:, columns]))


def _as_bytes(x: np.ndarray) -> list[bytes]:
    """Rows converted so that equal values have equal bytes."""
    return [row.tobytes() for row in np.ascontiguousarray(np.where(np.isnan(x), np.nan, x + 0.0))]


def _blocks(table: Table, group: str) -> np.ndarray:
    values = table.values[:, column_index(table, group, message("the groups"))]
    if np.isnan(values).any():
        raise DataError(
            '"{name}" has rows without a group in "{group}". Complete that column.', group=group, name=table.name
        )
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
