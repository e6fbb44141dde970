"""The report as one HTML page that needs nothing beside itself: no network, no script, and names only as text."""

import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from fsdesk.data import Dataset
from fsdesk.results.report.content import Report
from fsdesk.results.report.sections import content_of
from fsdesk.results.result import Result

__all__ = ["report_html"]

_MATH = re.compile(r"<math.*?</math>", re.DOTALL)


def report_html(result: Result, dataset: Dataset) -> str:
    """Write the report of a result as a page; the same result gives the same bytes."""
    return _page(content_of(result, dataset))


def _page(report: Report) -> str:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(kind=lambda block: type(block).__name__, safe=_safe, mathml=_mathml)
    text = files("fsdesk.results.report").joinpath("report.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(text).render(report=report)


def _safe(svg: str) -> Markup:
    """A figure of ours: matplotlib has escaped the names in it."""
    return Markup(svg)


def _mathml(formula: str) -> Markup:
    """A formula of ours as MathML."""
    return Markup(_typeset(formula))


@cache
def _typeset(formula: str) -> str:
    import typst

    made: Any = typst.compile_with_warnings(f"$ {formula} $".encode(), format="html")[0]  # HTML is a preview, it warns
    found = _MATH.search(made.decode())
    if found is None:
        raise ValueError(f"no formula: {formula}")
    return found[0]
