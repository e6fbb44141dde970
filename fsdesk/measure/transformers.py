"""scikit-learn style transformers applied before scaling; missing values are NaN and may remain so.

scikit-learn provides imputation by neighbors and quantiles. Its normal quantiles send the extreme rows to 5.2 standard
deviations whatever their number, so normal scores are computed here; it has neither probabilistic quotient
normalization nor Pareto scaling. This module imports scikit-learn, and is imported on demand.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.impute import KNNImputer
from sklearn.preprocessing import FunctionTransformer, QuantileTransformer
from sklearn.utils.validation import check_is_fitted, validate_data

from fsdesk.wrappers.fitting import scale_of

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
_BLOM = 3 / 8
_MOST_QUANTILES = 1000


class _Transformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # without types
    """Learns from (n, q) rows with missing values, and transforms other rows with the same columns."""

    def _rows(self, X: Any, *, fits: bool = False) -> Floats:
        known = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=fits)
        return np.array(known, dtype=np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class HalfMinimum(_Transformer):
    """Imputes half of a column's smallest positive value, as if missing values were below a detection limit.

    Attributes
    ----------
    halves_
        (q,) imputed values; NaN for a column without a positive value, whose missing values are kept.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the smallest values."""
        x = self._rows(X, fits=True)
        lowest = np.min(np.where(x > 0, x, np.inf), axis=0)
        self.halves_ = np.where(np.isfinite(lowest), lowest / 2, np.nan)
        return self

    def transform(self, X: Any) -> Floats:
        """(n, q) with missing values imputed."""
        check_is_fitted(self)
        x = self._rows(X)
        return np.where(np.isnan(x), self.halves_, x)


class NeighbourImputer(_Transformer):
    """Imputes the mean of the nearest rows that have a value (:class:`sklearn.impute.KNNImputer`).

    Distances use standardized columns, so that no unit dominates.

    Parameters
    ----------
    neighbours
        Number of rows.
    """

    def __init__(self, neighbours: int = 5) -> None:
        self.neighbours = neighbours

    def fit(self, X: Any, y: Any = None) -> Self:
        """Store the rows."""
        x = self._rows(X, fits=True)
        known = ~np.isnan(x)
        count = np.maximum(known.sum(axis=0), 1)
        self.mean_ = np.where(known, x, 0.0).sum(axis=0) / count
        spread = np.sqrt((np.where(known, x - self.mean_, 0.0) ** 2).sum(axis=0) / count)
        self.scale_ = np.where(spread > 0, spread, 1.0)
        self.imputer_ = KNNImputer(n_neighbors=self.neighbours, keep_empty_features=True)
        self.imputer_.fit((x - self.mean_) / self.scale_)
        return self

    def transform(self, X: Any) -> Floats:
        """(n, q) with missing values imputed; known values are unchanged bit for bit."""
        check_is_fitted(self)
        x = self._rows(X)
        gaps = np.isnan(x)
        if not gaps.any():
            return x
        filled = self.imputer_.transform((x - self.mean_) / self.scale_) * self.scale_ + self.mean_
        return np.where(gaps, filled, x)


class QuotientNormalizer(_Transformer):
    """Probabilistic quotient normalization: each row is divided by its concentration relative to a reference.

    The reference is the median of the training rows, scaled to a common total; the relative concentration of a row is
    the median of its quotients with the reference (F. Dieterle et al., Analytical Chemistry 78, 2006), over the columns
    in which both are positive.

    Attributes
    ----------
    reference_
        (q,) scaled to the median total.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the reference."""
        x = self._rows(X, fits=True)
        known = ~np.isnan(x)
        means = np.where(known, x, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)  # missing values are not zeros
        typical = float(np.median(means[means > 0])) if (means > 0).any() else 1.0
        level = np.where(means > 0, means / typical, 1.0)
        self.reference_ = _medians((x / level[:, None]).T)
        return self

    def transform(self, X: Any) -> Floats:
        """(n, q) divided by the dilution; a row without a positive value is unchanged."""
        check_is_fitted(self)
        x = self._rows(X)
        with np.errstate(divide="ignore", invalid="ignore"):
            quotients = np.where((x > 0) & (self.reference_ > 0), x / self.reference_, np.nan)
        factors = _medians(quotients)
        return np.asarray(x / np.where(np.isnan(factors), 1.0, factors)[:, None])


def _medians(rows: Floats) -> Floats:
    """(m,) of (m, n) rows with missing values; NaN for a row without any value."""
    ordered = np.sort(rows, axis=1)  # missing values are last
    count = (~np.isnan(rows)).sum(axis=1)
    every, middle = np.arange(len(rows)), np.maximum(count, 1)
    low, high = ordered[every, (middle - 1) // 2], ordered[every, middle // 2]
    return np.where(count > 0, low + (high - low) / 2, np.nan)


class NormalScores(_Transformer):
    """Normal scores of ranks: the normal quantile of (rank - 3/8) / (n + 1/4), after G. Blom (1958).

    Values between two training values get scores between theirs; values beyond the extremes get those of the extremes.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the values of each column and their scores; ties share the mean rank."""
        from scipy.special import ndtri
        from scipy.stats import rankdata

        x = self._rows(X, fits=True)
        self.values_, self.scores_ = list[Floats](), list[Floats]()
        for column in x.T:
            known = column[~np.isnan(column)]
            values, first = np.unique(known, return_index=True)
            self.values_.append(values)
            self.scores_.append(np.asarray(ndtri((rankdata(known)[first] - _BLOM) / (len(known) + 1 - 2 * _BLOM))))
        return self

    def transform(self, X: Any) -> Floats:
        """(n, q) scores; missing values, and columns without a training value, stay missing."""
        check_is_fitted(self)
        x = self._rows(X)
        for column, values, scores in zip(x.T, self.values_, self.scores_, strict=True):
            column[:] = np.interp(column, values, scores) if len(values) else np.nan
        return x


class ParetoScaler(_Transformer):
    """Subtracts the mean and divides by the square root of the standard deviation, as is usual for spectra.

    Attributes
    ----------
    mean_, scale_
        (q,) for each column; a scale of 0 is treated as 1.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the means and standard deviations."""
        columns = np.ascontiguousarray(self._rows(X, fits=True).T)
        self.mean_, self.scale_ = scale_of(columns[:, np.arange(columns.shape[1])], "pareto")
        return self

    def transform(self, X: Any) -> Floats:
        """(n, q) scaled."""
        check_is_fitted(self)
        return np.asarray((self._rows(X) - self.mean_) / self.scale_)


class Quantiles(_Transformer):
    """The fraction of training rows below a value (:class:`sklearn.preprocessing.QuantileTransformer`)."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the quantiles; a thousand if there are more than a thousand rows."""
        x = self._rows(X, fits=True)
        self.known_ = ~np.isnan(x).all(axis=0)
        self.quantiles_ = QuantileTransformer(n_quantiles=max(1, min(_MOST_QUANTILES, len(x))), subsample=None)
        if self.known_.any():
            self.quantiles_.fit(x[:, self.known_])
        return self

    def transform(self, X: Any) -> Floats:
        """(n, q) from 0 to 1; missing values, and columns without a training value, stay missing."""
        check_is_fitted(self)
        x = self._rows(X)
        if self.known_.any():
            x[:, self.known_] = self.quantiles_.transform(x[:, self.known_])
        x[:, ~self.known_] = np.nan
        return x


def shifted_log(x: Any, offset: float = 0.0) -> Floats:
    """Natural logarithms of (n, q) values with an offset; values without a logarithm become missing."""
    shifted = np.asarray(x, dtype=np.float64) + offset
    return np.log(np.where(shifted > 0, shifted, np.nan))


class BatchCentring:
    """Removes differences between batches beyond those explained by their classes or numbers to predict.

    Each column is fitted by least squares on batch indicators and the covariates of the training rows, as in limma's
    removeBatchEffect (M. E. Ritchie et al., Nucleic Acids Research 43, 2015).
    """

    def fit_batches(self, x: Floats, batches: NDArray[Any], known: Floats) -> Self:
        """Learn from (n, q) rows, their (n,) batches and their (n, k) covariates."""
        missing = np.array([each != each for each in batches.tolist()], dtype=np.bool_)
        self.batches_ = np.array(sorted(set(batches[~missing].tolist())))
        rows = np.flatnonzero(~missing)
        indicators = batches[rows][:, None] == self.batches_
        shares = indicators.mean(axis=0) if len(rows) else np.zeros(0)
        design = np.column_stack([indicators.astype(np.float64), known[rows] - known[rows].mean(axis=0)])
        own, self.shifts_ = x[rows], np.zeros((len(self.batches_), x.shape[1]))
        gaps = np.isnan(own).any(axis=0)
        if len(rows) and (~gaps).any():
            self.shifts_[:, ~gaps] = _effects(design, own[:, ~gaps], shares)
        for column in np.flatnonzero(gaps).tolist():
            there = ~np.isnan(own[:, column])
            present = indicators[there].any(axis=0)
            if there.any():
                part = design[there][:, np.concatenate([present, np.ones(known.shape[1], dtype=np.bool_)])]
                self.shifts_[present, column] = _effects(
                    part, own[there, column][:, None], indicators[there][:, present].mean(axis=0)
                )[:, 0]
        return self

    def moved(self, x: Floats, batches: NDArray[Any]) -> Floats:
        """(n, q) rows minus their batch effect; rows of unknown batches are unchanged."""
        if not len(self.batches_):
            return x
        known = {value: place for place, value in enumerate(self.batches_.tolist())}
        places = np.array([known.get(each, -1) for each in batches.tolist()])
        return np.asarray(x - np.where(places[:, None] >= 0, self.shifts_[places], 0.0))


def _effects(design: Floats, x: Floats, shares: Floats) -> Floats:
    """(batches, q) batch effects, with mean 0 over the rows."""
    found = np.linalg.lstsq(design, x, rcond=None)[0][: len(shares)]
    return np.asarray(found - shares @ found)


class PreparedFeatures(_Transformer):
    """The first step of an exported pipeline: imputes, normalizes and transforms columns of a frame, and selects some.

    Parameters
    ----------
    selected
        Names of the selected columns, in this order.
    columns
        Names of the numeric columns that are prepared; others are unchanged.
    imputation, imputation_rows, normalise, transform_by, offset
        As the settings in :class:`fsdesk.measure.MeasureSettings`.
    batch
        Name of the batch column for centering; "" for none.
    """

    def __init__(
        self,
        selected: Sequence[str],
        columns: Sequence[str],
        imputation: str = "usual",
        imputation_rows: int = 5,
        normalise: str = "none",
        transform_by: str = "none",
        offset: float = 0.0,
        batch: str = "",
    ) -> None:
        self.selected = selected
        self.columns = columns
        self.imputation = imputation
        self.imputation_rows = imputation_rows
        self.normalise = normalise
        self.transform_by = transform_by
        self.offset = offset
        self.batch = batch

    def fit(self, X: "pd.DataFrame", y: Any = None) -> Self:
        """Learn from a frame with all these columns."""
        self.across_ = across(self.imputation, self.imputation_rows, self.normalise)
        self.along_ = along(self.transform_by, self.offset)
        x = _positive(X[list(self.columns)].to_numpy(dtype=np.float64), self.transform_by, self.offset)
        for step in self.across_:
            x = step.fit_transform(x)
        own = self._own()
        if self.along_ is not None and own:
            self.along_.fit(x[:, own])
        if self.batch and own:
            x = x[:, own] if self.along_ is None else self.along_.transform(x[:, own])
            self.centring_ = BatchCentring().fit_batches(x, X[self.batch].to_numpy(), _numbers_of(y))
        self.fitted_ = True
        return self

    def _own(self) -> list[int]:
        """Positions of the selected columns, in the order of selection."""
        places = {name: place for place, name in enumerate(self.columns)}
        return [places[name] for name in self.selected if name in places]

    def transform(self, X: "pd.DataFrame") -> "pd.DataFrame":
        """The selected columns, prepared."""
        check_is_fitted(self)
        x = _positive(X[list(self.columns)].to_numpy(dtype=np.float64), self.transform_by, self.offset)
        for step in self.across_:
            x = step.transform(x)
        made, own = X[list(self.selected)].copy(), self._own()
        if own:
            values = x[:, own] if self.along_ is None else self.along_.transform(x[:, own])
            if self.batch:
                values = self.centring_.moved(values, X[self.batch].to_numpy())
            made[[self.columns[place] for place in own]] = values
        return made

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The selected columns."""
        return np.array(list(self.selected), dtype=object)


def _numbers_of(y: Any) -> Floats:
    """(n, k) indicators of all classes but one, or numbers; times to an event without the censoring."""
    y = np.asarray(y)
    if y.dtype.kind == "f":
        return np.asarray(np.abs(y.astype(np.float64))[:, None])
    return np.asarray(y[:, None] == np.unique(y)[:-1], dtype=np.float64)


def _positive(x: Floats, transform: str, offset: float) -> Floats:
    """The values, with those that have no logarithm set to missing, so that they are imputed later."""
    return np.where(x + offset > 0, x, np.nan) if transform == "log" else x


def across(imputation: str, neighbours: int, normalise: str) -> list[Any]:
    """The steps that use several columns of a row, and those that precede them, in the order of fitting."""
    steps: list[Any] = []
    if imputation == "half minimum":
        steps.append(HalfMinimum())
    elif imputation == "neighbours":
        steps.append(NeighbourImputer(neighbours))
    if normalise == "quotient":
        steps.append(QuotientNormalizer())
    return steps


def along(transform: str, offset: float) -> Any:
    """The step that transforms each column separately; None if there is none."""
    if transform == "log":
        return FunctionTransformer(shifted_log, kw_args={"offset": offset}, feature_names_out="one-to-one")
    if transform == "quantile":
        return Quantiles()
    return NormalScores() if transform == "normal scores" else None
