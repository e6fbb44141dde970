"""Tables in: readers, checks, and the Dataset that everything else works on."""

from fsdesk.data.dataset import ROLES, Check, Dataset, Table
from fsdesk.data.frame import from_frame
from fsdesk.data.options import Choices, Missing, Nominal, ReadOptions, TargetTask
from fsdesk.data.prepare import prepare
from fsdesk.data.readers.registry import READERS, SUFFIXES, read, read_table, reader_of
from fsdesk.data.roles import described_columns, samples_in_columns
from fsdesk.data.samples import SAMPLES, Sample, load_sample, sample_name
from fsdesk.data.shared import Shared, share

__all__ = [
    "READERS",
    "ROLES",
    "SAMPLES",
    "SUFFIXES",
    "Check",
    "Choices",
    "Dataset",
    "Missing",
    "Nominal",
    "ReadOptions",
    "Sample",
    "Shared",
    "Table",
    "TargetTask",
    "described_columns",
    "from_frame",
    "load_sample",
    "prepare",
    "read",
    "read_table",
    "reader_of",
    "sample_name",
    "samples_in_columns",
    "share",
]
