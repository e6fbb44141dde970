"""The scikit-learn interface: a search as a feature selector for Pipeline and GridSearchCV."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, Self, get_args

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from fsdesk.data import Dataset, TargetTask
from fsdesk.data.checks import FeatureView, text_ids
from fsdesk.data.frame import Frame, Interchanged, as_pandas, columns_of_frame
from fsdesk.data.roles import is_quantity
from fsdesk.errors import SettingsError, callers_level
from fsdesk.messages import message_many, quoted
from fsdesk.methods import DEFAULT_METHOD
from fsdesk.results.result import Result
from fsdesk.results.select import Callback, Progress, refuse_others, select
from fsdesk.settings import Value
from fsdesk.wrappers import DEFAULT_WRAPPER

Column = int | str


class FeatureSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Select the features with which a wrapped model predicts best, using a search of fsdesk.

    ``X`` may contain missing values: they are imputed within every training fold of the search, and kept by
    ``transform``.

    Parameters
    ----------
    method
        Name of the search method, as in ``fsdesk methods``.
    wrapper
        Name of the wrapped model, name of a scikit-learn class, or any model with fit and predict.
    preset
        A preset of the method; None selects the one that suits the number of features.
    settings
        Further settings of method, wrapper and measurement, by name, such as ``{"criterion": "auc", "folds": 3}``.
    task
        "classification", "regression", or "auto": decimals, and integers with more than 10 distinct values that do not
        form classes of similar size, are treated as a regression target.
    always, never
        Columns that are always or never selected: indices, or names if X has column names.
    together
        Groups of columns that are selected or dropped together.
    start
        Columns that the search starts from, such as those selected by another search.
    random_state
        Seed of the search and the folds: the same number gives the same features.
    n_jobs
        Number of measurements in parallel; -1 uses all cores, None means one. The result does not depend on it.
    callback
        Called with a :class:`fsdesk.Progress` after every step; return True to stop and keep the best subset so far.
    verbose
        1 prints a line for every improved subset, 2 for every step.
    cv
        A number of folds, a splitter whose exact folds are used, or pairs of training and test rows, as in
        scikit-learn; None uses the setting ``folds``.
    scoring
        Name of a scikit-learn score, such as "roc_auc", or a scorer made from one of its functions; None uses the
        setting ``criterion``.
    n_features_to_select
        Number of features, or a fraction between 0 and 1, for methods that take one; None leaves it to the method.

    Attributes
    ----------
    support_
        (p,) bool, the selected features.
    search_error_
        Loss of the selected features during the search: optimistic, because it is the best of many. For an unbiased
        estimate, cross-validate the selector.
    scores_
        (p,) weight of each feature if the method has weights, else the fraction of candidates that contained it.
    ranking_
        (p,) 1 for the selected features; the others are ranked from 2 by decreasing score.
    result_
        The whole :class:`fsdesk.Result`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from fsdesk import FeatureSelector
    >>> x, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = FeatureSelector("univariate", "nn", n_features_to_select=3, random_state=0)
    >>> sorted(selector.fit(x, y).get_feature_names_out().tolist())
    ['flavanoids', 'od280/od315_of_diluted_wines', 'proline']
    >>> model = make_pipeline(selector, KNeighborsClassifier())  # the selector inside, so that its choice is tested
    >>> bool(cross_val_score(model, x, y, cv=3).mean() > 0.6)
    True
    """

    def __init__(
        self,
        method: str = DEFAULT_METHOD,
        wrapper: Any = DEFAULT_WRAPPER,
        *,
        preset: str | None = None,
        settings: Mapping[str, Value] | None = None,
        task: str = "auto",
        always: Sequence[Column] = (),
        never: Sequence[Column] = (),
        together: Sequence[Sequence[Column]] = (),
        start: Sequence[Column] = (),
        random_state: Any = None,
        n_jobs: int | None = 1,
        callback: Callback | None = None,
        verbose: int = 0,
        cv: Any = None,
        scoring: Any = None,
        n_features_to_select: float | None = None,
    ) -> None:
        self.method = method
        self.wrapper = wrapper
        self.preset = preset
        self.settings = settings
        self.task = task
        self.always = always
        self.never = never
        self.together = together
        self.start = start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callback = callback
        self.verbose = verbose
        self.cv = cv
        self.scoring = scoring
        self.n_features_to_select = n_features_to_select

    def fit(self, X: Any, y: Any, *, groups: Any = None, fold_of: Any = None, time: Any = None, **unknown: Any) -> Self:
        """Search.

        Parameters
        ----------
        X
            (n, p) numbers, NaN if missing; in a frame of pandas, polars or pyarrow also text, categories and booleans,
            which are encoded within every training fold.
        y
            (n,) classes or numbers; or, as in scikit-survival, a structured array with a boolean field (event observed)
            and a field of times.
        groups
            (n,) labels of rows that belong together, such as the patient; they are never split. None treats every row
            as its own group.
        fold_of, time
            (n,) fold labels for ``{"protocol": "column"}``, or the time of each row for ``{"protocol": "time"}``.
        unknown
            Refused, including ``sample_weight``: all rows have the same weight.

        Raises
        ------
        ValueError
            If a table, target, name or setting is invalid; fsdesk's own errors are subclasses.
        """
        refuse_others(unknown, "fit")
        if self.task not in get_args(TargetTask):
            raise SettingsError(
                'Setting "{setting}": choose one of {known} (got "{value}").',
                setting="task", known=", ".join(get_args(TargetTask)), value=self.task,
            )  # fmt: skip
        signed = _signed(y)
        y = y if signed is None else signed
        kinds = {"dtype": np.float64, "accept_sparse": "csc", "ensure_all_finite": "allow-nan"}
        coded, categories = _numbers_of(X)
        x, y = validate_data(self, coded, y, ensure_min_samples=2, **kinds)
        if hasattr(x, "toarray"):
            x = x.toarray(order="F")  # column by column, as a data set stores it: the only copy
        given = {"groups": groups, "fold_of": fold_of, "time": time}
        made = self._dataset(x, np.asarray(y)) if signed is None else self._of_times(x, np.asarray(y))
        dataset = replace(made, categories=categories, **_coded(given, len(x)))
        names = dataset.features
        never = _named("never", self.never, names)
        _warn_of_ids(dataset, never)
        self.result_: Result = select(
            dataset,
            method=self.method,
            wrapper=self.wrapper,
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
            preset=self.preset,
            settings={**({} if self.cv is not None else _folds_that_fit(dataset)), **(self.settings or {})},
            cv=self.cv,
            scoring=self.scoring,
            n_features_to_select=self.n_features_to_select,
            always=_named("always", self.always, names),
            never=never,
            together=[_named("together", group, names) for group in self.together],
            start=_named("start", self.start, names),
            workers=effective_n_jobs(self.n_jobs),
            outer=0,  # for validation, the selector as a whole is run within outer folds
            callback=self._on_progress if self.callback or self.verbose else None,
            verbose=0,
        )
        self.support_ = self.result_.mask
        self.search_error_ = self.result_.search_error
        weights = self.result_.weights
        self.scores_ = np.asarray(self.result_.frequency if weights is None else weights, dtype=np.float64)
        self.ranking_ = np.ones(len(self.support_), dtype=np.int64)
        others = ~self.support_
        self.ranking_[others] = 2 + np.unique(-self.scores_[others], return_inverse=True)[1]
        return self

    def _on_progress(self, progress: Progress) -> bool:
        """Print progress, then ask the user's callback whether to stop."""
        if self.verbose > 1 or (self.verbose and progress.is_better):
            print(f"[fsdesk] {progress}", flush=True)  # noqa: T201 - what verbose asks for
        return self.callback is not None and self.callback(progress) is True

    def _names(self, columns: int) -> tuple[str, ...]:
        given = tuple(map(str, getattr(self, "feature_names_in_", ())))
        return given if len(set(given)) == columns else tuple(f"x{column}" for column in range(columns))

    def _of_times(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> Dataset:
        """The data set with times to an event, negative if censored."""
        rows = tuple(map(str, range(len(y))))
        events = (y >= 0).astype(np.int64)
        return Dataset("X", np.asfortranarray(x), self._names(x.shape[1]), events, "time", (), rows, response=y,
                       event="event=1")  # fmt: skip

    def _dataset(self, x: NDArray[np.float64], y: NDArray[Any]) -> Dataset:
        names = self._names(x.shape[1])
        response, codes = None, np.zeros(len(y), dtype=np.int64)
        classes: tuple[str, ...] = ()
        if self.task == "regression" or (self.task == "auto" and _is_number(y)):
            response = y.astype(np.float64)
        else:
            check_classification_targets(y)
            present, codes = np.unique(y, return_inverse=True)
            classes = tuple(map(str, present))
            if len(classes) < 2:
                raise ValueError(f"The target has one class only ({classes[0]}); two or more are needed.")
        return Dataset(
            name="X",
            x=np.asfortranarray(x),
            features=names,
            target=codes.astype(np.int64),
            target_name="y",
            classes=classes,
            rows=tuple(map(str, range(len(y)))),
            response=response,
        )

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return np.asarray(self.support_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _numbers_of(x: Any) -> tuple[Any, dict[int, tuple[str, ...]]]:
    """Numbers of a frame, with codes in place of text, and the categories of such columns; anything else unchanged."""
    if not (hasattr(x, "columns") and hasattr(x, "shape") and isinstance(x, Frame | Interchanged)):
        return x, {}
    frame = as_pandas(x)
    if all(dtype.kind in "biuf" for dtype in frame.dtypes):
        return x if frame is x else frame, {}
    columns, levels = columns_of_frame(frame)
    categories: dict[int, tuple[str, ...]] = {}
    for place, cells in columns.texts.items():
        names = categories[place] = levels.get(place) or tuple(sorted({*cells} - {""}))
        codes = {name: float(code) for code, name in enumerate(names)}
        columns.values[:, place] = [codes.get(cell, np.nan) for cell in cells]
    return type(frame)(columns.values, index=frame.index, columns=frame.columns), categories


def _warn_of_ids(dataset: Dataset, never: Sequence[str]) -> None:
    """Warn of columns of text that differ in nearly every row, which a table from a file would exclude."""
    view = FeatureView(dataset.x, dataset.features, dataset.categories)
    ids = [name for place in text_ids(view) if (name := dataset.features[place]) not in never]
    if ids:
        sentence = message_many(
            len(ids),
            "{count} column contains text that differs in nearly every row: {names}. It is one-hot encoded and says "
            "nothing about new rows; leave it out of X, or list it in never.",
            "{count} columns contain text that differs in nearly every row: {names}. They are one-hot encoded and say "
            "nothing about new rows; leave them out of X, or list them in never.",
            names=quoted(ids),
        )
        warnings.warn(sentence, UserWarning, stacklevel=callers_level())


def _signed(y: Any) -> NDArray[np.float64] | None:
    """(n,) times from a structured array, negative if censored; None for any other target."""
    fields = getattr(getattr(y, "dtype", None), "names", None)
    if fields is None:
        return None
    events = [name for name in fields if y.dtype[name].kind == "b"]
    times = [name for name in fields if y.dtype[name].kind in "iuf"]
    if len(fields) != 2 or len(events) != 1 or len(times) != 1:
        raise ValueError("A structured target has one field of True and False, the event, and one of times.")
    time = np.asarray(y[times[0]], dtype=np.float64)
    if not (np.isfinite(time) & ((time > 0) | (y[events[0]] & (time == 0)))).all():
        raise ValueError("Times to an event are finite and not negative, and above 0 where they are censored.")
    if not y[events[0]].any():
        raise ValueError("No event is observed.")
    return np.where(y[events[0]], time, -time)


def _is_number(y: NDArray[Any]) -> bool:
    """Whether a target is numeric: decimals, or many integers that do not look like class codes."""
    if type_of_target(y) == "continuous":
        return True
    return y.ndim == 1 and y.dtype.kind in "iuf" and is_quantity(y.astype(np.float64))[0]


def _coded(given: Mapping[str, Any], rows: int) -> dict[str, Any]:
    """Replace the values of every given role by codes 0, 1, ..."""
    roles: dict[str, Any] = {}
    for role, values in given.items():
        if values is None:
            continue
        values = column_or_1d(values)
        if len(values) != rows:
            raise ValueError(f"{role} has {len(values)} values for {rows} rows: give one for each row.")
        roles[role] = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return roles


def _named(role: str, columns: Sequence[Column], names: Sequence[str]) -> list[str]:
    """Names of columns given by index or by name; unknown names are left for the search to reject."""
    if isinstance(columns, str | Integral):
        raise SettingsError(f"{role} takes lists of columns (got {columns!r}): put it in brackets.")
    return [column if isinstance(column, str) else names[_place(role, column, len(names))] for column in columns]


def _place(role: str, column: int, features: int) -> int:
    """Check an index; booleans are refused, because a mask would be read as columns 0 and 1."""
    if isinstance(column, Integral) and not isinstance(column, bool | np.bool_) and -features <= column < features:
        return int(column)
    raise SettingsError(f"{role} has {column!r}, but the columns of X are 0 to {features - 1}: give indices or names.")


def _folds_that_fit(dataset: Dataset) -> dict[str, Value]:
    """Use as many folds as rows if there are fewer rows than the default number of folds."""
    rows = len(dataset.target)
    return {"folds": rows} if rows < 5 else {}
