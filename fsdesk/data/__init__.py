"""Data input: readers, checks, and the Dataset used by everything else."""

from fsdesk.data.dataset import ROLES, Check, Dataset, Origin, Table
from fsdesk.data.frame import from_frame
from fsdesk.data.learned import Learned, as_learned, read_as_learned
from fsdesk.data.options import Choices, Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.prepare import prepare
from fsdesk.data.readers.registry import READERS, SUFFIXES, read, read_table, reader_of, refuse_questions
from fsdesk.data.reading import Alternative, QuestionError, Reading, questions
from fsdesk.data.roles import described_columns, samples_in_columns
from fsdesk.data.samples import SAMPLES, Sample, load_sample, sample_name
from fsdesk.data.shared import Shared, share

__all__ = [
    "READERS",
    "ROLES",
    "SAMPLES",
    "SUFFIXES",
    "Alternative",
    "Check",
    "Choices",
    "Dataset",
    "Learned",
    "Missing",
    "Nominal",
    "Origin",
    "QuestionError",
    "ReadOptions",
    "Reading",
    "Sample",
    "Shared",
    "Table",
    "TargetTask",
    "as_learned",
    "described_columns",
    "from_frame",
    "load_sample",
    "prepare",
    "questions",
    "read",
    "read_as_learned",
    "read_table",
    "reader_of",
    "refuse_questions",
    "sample_name",
    "samples_in_columns",
    "share",
]
