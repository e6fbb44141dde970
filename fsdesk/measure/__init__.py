"""y(mask): folds, criteria and the Evaluator."""

from fsdesk.measure.criteria import CRITERIA, Criterion, Outcome
from fsdesk.measure.evaluator import Evaluator, criterion_for
from fsdesk.measure.jobs import Job, OneByOne
from fsdesk.measure.measurement import Measurement
from fsdesk.measure.settings import MeasureSettings

__all__ = [
    "CRITERIA",
    "Criterion",
    "Evaluator",
    "Job",
    "MeasureSettings",
    "Measurement",
    "OneByOne",
    "Outcome",
    "criterion_for",
]
