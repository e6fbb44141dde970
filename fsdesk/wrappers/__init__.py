"""Models used by searches: one module each, registered in ``WRAPPERS`` under the name used by users."""

from fsdesk.wrappers import automatic, boosting, c45, cart, forest, linear, nb, nn, radial, scikit_learn, survival, svm
from fsdesk.wrappers.automatic import (
    OF_PAIRS,
    ROBUST,
    SIMPLE,
    STAND_IN,
    STAND_INS,
    USUAL,
    Automatic,
    Competitor,
    is_simple,
    model_title,
)
from fsdesk.wrappers.naming import NamedWrapper, named_wrapper
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Scaling, Task, Wrapper

# The order in lists: from the first to try to the one that takes a class name.
WRAPPERS.arrange(
    "auto",
    "nn",
    "forest",
    "svm-rbf",
    "svm",
    "logistic",
    "ridge",
    "boosting",
    "lda",
    "nb",
    "cart",
    "c45",
    "cox",
    "nn-survival",
    "survival-forest",
    "sklearn",
)

DEFAULT_WRAPPER = "auto"
"""The default model."""

__all__ = [
    "DEFAULT_WRAPPER",
    "OF_PAIRS",
    "ROBUST",
    "SIMPLE",
    "STAND_IN",
    "STAND_INS",
    "USUAL",
    "WRAPPERS",
    "Automatic",
    "Competitor",
    "Design",
    "NamedWrapper",
    "Predictor",
    "Scaler",
    "Scaling",
    "Task",
    "Wrapper",
    "is_simple",
    "model_title",
    "named_wrapper",
]
