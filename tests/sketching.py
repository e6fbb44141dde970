"""Reports that are made quickly: figures neither laid out nor rendered, and PDFs set in one size of type.

What figures look like is tested in `tests/unit/results`, and whole reports of commands in `tests/end_to_end`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape

import pytest
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.results.figures import drawing
from fsdesk.results.record import RunRecord
from fsdesk.results.report import files, pictures

__all__ = ["reports_sketched", "set_in_one_size"]


def _sketched(draw: Callable[[RunRecord, Dataset], Figure], result: RunRecord, dataset: Dataset) -> str:
    with drawing():
        figure = draw(result, dataset)
    titles = "".join(f"<text>{escape(axes.get_xlabel())} {escape(axes.get_ylabel())}</text>" for axes in figure.axes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">{titles}</svg>'


@contextmanager
def reports_sketched() -> Iterator[None]:
    """While this lasts, each figure of a report is the titles of its axes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "_svg", _sketched)
        yield


@contextmanager
def set_in_one_size() -> Iterator[None]:
    """While this lasts, a PDF is set once, instead of once for each size of type that may fill its last page better."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "SIZES", files.SIZES[:1])
        yield
