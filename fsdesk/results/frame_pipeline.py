"""A fitted pipeline that takes frames of pandas, polars and pyarrow."""

from typing import Any

import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from fsdesk.data.frame import as_pandas, refuse_twice


class FrameColumns(ColumnTransformer):  # type: ignore[misc]  # scikit-learn has no types
    """Columns of any frame by name; pickled, it is a plain ``ColumnTransformer``, which takes a pandas DataFrame."""

    def transform(self, X: Any, **params: Any) -> Any:
        """The selected columns of (n, q) rows."""
        frame, needed = as_pandas(X), [name for _, _, names in self.transformers for name in names]
        refuse_twice(frame, needed)
        labels = [label for label in frame.columns if str(label) in needed]
        return super().transform(frame[labels].set_axis(list(map(str, labels)), axis=1), **params)

    def __reduce__(self) -> Any:
        state = {**vars(self), "_sklearn_version": sklearn.__version__}
        return ColumnTransformer, (self.transformers,), state


def frame_pipeline(made: Pipeline) -> Pipeline:
    """A fitted pipeline that predicts as ``made`` does, but takes frames of any library."""
    (name, selection), *others = made.steps
    first = FrameColumns.__new__(FrameColumns)
    first.__dict__.update(vars(selection))
    other = Pipeline([(name, first), *others])
    other.reading_ = made.reading_
    return other
