"""The model of a run as a pipeline of scikit-learn, trained on all rows, for use outside of fsdesk."""

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.errors import DataError
from fsdesk.results.result import Result
from fsdesk.wrappers.written import Call

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["fitted_pipeline", "pipeline_joblib", "pipeline_skops", "scaler_call", "selected_frame"]


def selected_frame(dataset: Dataset) -> "pd.DataFrame":
    """All features by name: numbers, and categories by their names; NaN where a value is missing."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for place, name in enumerate(dataset.features):
        values = dataset.x[:, place]
        levels = dataset.categories.get(place)
        if levels is not None:
            named = [np.nan if np.isnan(code) else levels[int(code)] for code in values]
            columns[name] = np.array(named, dtype=object)
        else:
            columns[name] = values
    return pd.DataFrame(columns, index=list(dataset.rows))


def scaler_call(spec: RunSpec) -> Call | None:
    """The scaler, None where features stay as they are."""
    names = {"z-score": "StandardScaler", "min-max": "MinMaxScaler", "robust": "RobustScaler"}
    if spec.measuring.scaling == "none":
        return None
    return Call("sklearn.preprocessing", names[spec.measuring.scaler], {})


def fitted_pipeline(result: Result, dataset: Dataset) -> Any:
    """The pipeline, fitted on all rows. It predicts class names, or numbers."""
    y = np.array(dataset.classes)[dataset.target] if dataset.response is None else dataset.response
    return unfitted_pipeline(result, dataset).fit(selected_frame(dataset), y)


def unfitted_pipeline(result: Result, dataset: Dataset) -> Any:
    """A ``sklearn.pipeline.Pipeline`` of what the run measured with.

    It takes a DataFrame, of which its first step keeps the selected features by name: others may be there, in any
    order.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline

    spec = result.spec
    names = list(result.features)
    select = ColumnTransformer([("selected", "passthrough", names)], verbose_feature_names_out=False)
    scaler = scaler_call(spec)
    steps = [("select", select.set_output(transform="pandas")), ("fill", _filling(result, dataset))]
    steps += [] if scaler is None else [("scale", scaler.made())]
    steps += [("model", spec.build_wrapper().equivalent(len(dataset.classes)).model.made())]
    return Pipeline(steps)


def _filling(result: Result, dataset: Dataset) -> Any:
    """What fills gaps and, where there are categories, makes indicators of them as the run did."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder

    places = np.flatnonzero(result.mask).tolist()
    nominal = [place for place in places if place in dataset.categories]
    median = SimpleImputer(strategy="median", keep_empty_features=True)
    if not nominal:
        return median
    numeric = [dataset.features[place] for place in places if place not in dataset.categories]
    indicators = OneHotEncoder(
        categories=[np.array(dataset.categories[place], dtype=object) for place in nominal],
        drop="if_binary",
        handle_unknown="ignore",
        sparse_output=False,
    )
    common = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
    made = Pipeline([("fill", common), ("indicators", indicators)])
    return ColumnTransformer(
        [("numbers", median, numeric), ("categories", made, [dataset.features[place] for place in nominal])],
        verbose_feature_names_out=False,
    )


def pipeline_joblib(result: Result, dataset: Dataset) -> bytes:
    """The pipeline for ``joblib.load``."""
    import joblib

    buffer = io.BytesIO()
    joblib.dump(fitted_pipeline(result, dataset), buffer)
    return buffer.getvalue()


def pipeline_skops(result: Result, dataset: Dataset) -> bytes:
    """The pipeline for ``skops.io.load``, a file that can run no code. DataError where skops is not installed."""
    try:
        import skops.io
    except ImportError:
        raise DataError(
            'A .skops file needs the library skops: install it with: pip install "fsdesk[formats]".'
        ) from None
    return bytes(skops.io.dumps(fitted_pipeline(result, dataset)))
