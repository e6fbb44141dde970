"""Measuring a mask, y(mask): folds, criteria and the Evaluator."""

from fsdesk.measure.criteria import CRITERIA, Criterion, Outcome
from fsdesk.measure.evaluator import Evaluator, criterion_for, loss_of_a_row, times_asked
from fsdesk.measure.jobs import Job, OneByOne
from fsdesk.measure.measurement import Measurement
from fsdesk.measure.preparing import Steps, needed_features, prepared, prepares
from fsdesk.measure.resamples import Resamples, rows_of, sample_of
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
    "Resamples",
    "Steps",
    "criterion_for",
    "loss_of_a_row",
    "needed_features",
    "prepared",
    "prepares",
    "rows_of",
    "sample_of",
    "times_asked",
]
