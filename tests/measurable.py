"""What can be measured: each wrapper with each criterion that fits it, and the validations that there are."""

from fsdesk.measure import CRITERIA
from fsdesk.wrappers import WRAPPERS

__all__ = ["PAIRS", "PROTOCOLS", "quick_settings"]

PROTOCOLS = ("folds", "hold-out", "leave-one-out", "column", "time")


def _fits(wrapper, criterion):
    model = WRAPPERS[wrapper].model
    if criterion.task not in model.tasks:
        return False
    return {"classes": True, "values": True, "scores": model.gives is not None}.get(
        criterion.needs, model.gives == "probabilities"
    )


PAIRS = [(entry.name, criterion.name) for entry in WRAPPERS for criterion in CRITERIA if _fits(entry.name, criterion)]


def quick_settings(wrapper, criterion):
    """Settings of the wrapper: of all that scikit-learn has, a quick model of the kind that the criterion judges."""
    quick = "GaussianNB" if CRITERIA[criterion].task == "classification" else "LinearRegression"
    few = {"sklearn": {"estimator": quick}, "forest": {"trees": 20}, "boosting": {"iterations": 5, "min_leaf": 3},
           "nn-survival": {"k": 4}, "survival-forest": {"trees": 20, "min_leaf": 2}}  # fmt: skip
    return few.get(wrapper, {})
