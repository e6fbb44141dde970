"""Reports whose figures are made, but neither laid out nor rendered, which takes most of the time of a command.

What figures look like is tested in `tests/unit/results`, and whole reports of commands in `tests/end_to_end`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape

import pytest
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.results.figures import drawing
from fsdesk.results.report import sections
from fsdesk.results.result import Result

__all__ = ["reports_sketched"]


def _sketched(draw: Callable[[Result, Dataset], Figure], result: Result, dataset: Dataset) -> str:
    with drawing():
        figure = draw(result, dataset)
    titles = "".join(f"<text>{escape(axes.get_xlabel())} {escape(axes.get_ylabel())}</text>" for axes in figure.axes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">{titles}</svg>'


@contextmanager
def reports_sketched() -> Iterator[None]:
    """While this lasts, each figure of a report is the titles of its axes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "_svg", _sketched)
        yield
