"""Figures of a report as pictures of a page."""

import re
from collections.abc import Callable

from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.results.figures import kept_figure, written
from fsdesk.results.record import RunRecord
from fsdesk.results.report.blocks import Picture

_IDS = re.compile(r'(\bid="|"#|url\(#)')


def picture(
    draw: Callable[[RunRecord, Dataset], Figure],
    result: RunRecord,
    dataset: Dataset,
    caption: str,
    *,
    from_values: bool = False,
) -> Picture:
    """A figure with its caption; ``from_values`` as in :class:`Picture`."""
    return Picture(caption, _svg(draw, result, dataset), caption, from_values)


def _svg(draw: Callable[[RunRecord, Dataset], Figure], result: RunRecord, dataset: Dataset) -> str:
    """A figure as SVG whose IDs begin with its own prefix, so that several fit into one page."""
    svg = written(kept_figure(result, dataset, draw), "svg").decode()
    return _IDS.sub(lambda found: f"{found[0]}{draw.__name__}-", svg[svg.index("<svg") :])
