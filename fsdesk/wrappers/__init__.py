"""Models that the search wraps: one file each, entered in ``WRAPPERS`` under the name that users type."""

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

# As lists show them: first what is tried first, last what takes the name of a class.
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
"""Which model predicts where nobody says."""

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
