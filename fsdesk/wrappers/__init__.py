"""Models that the search wraps: one file each, entered in ``WRAPPERS`` under the name that users type."""

from fsdesk.wrappers import boosting, c45, cart, forest, linear, nb, nn, radial, scikit_learn, svm
from fsdesk.wrappers.naming import NamedWrapper, named_wrapper
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Scaling, Task, Wrapper

# As lists show them: first what is tried first, last what takes the name of a class.
WRAPPERS.arrange(
    "nn", "forest", "svm-rbf", "svm", "logistic", "ridge", "boosting", "lda", "nb", "cart", "c45", "sklearn"
)

DEFAULT_WRAPPER = "nn"
"""Which model predicts where nobody says."""

__all__ = [
    "DEFAULT_WRAPPER",
    "WRAPPERS",
    "Design",
    "NamedWrapper",
    "Predictor",
    "Scaler",
    "Scaling",
    "Task",
    "Wrapper",
    "named_wrapper",
]
