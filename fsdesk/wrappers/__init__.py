"""Models that the search wraps: one file each, entered in ``WRAPPERS`` under the name that users type."""

from fsdesk.wrappers import nn
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Scaling, Task, Wrapper

__all__ = ["WRAPPERS", "Design", "Predictor", "Scaler", "Scaling", "Task", "Wrapper", "nn"]
