"""y(mask): folds, criteria and the Evaluator."""

from fsdesk.measure.evaluator import Evaluator
from fsdesk.measure.measurement import Measurement
from fsdesk.measure.settings import MeasureSettings

__all__ = ["Evaluator", "MeasureSettings", "Measurement"]
