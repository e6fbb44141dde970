"""The report as an HTML page and as a PDF."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from fsdesk.data import Dataset
from fsdesk.messages import tr
from fsdesk.results.record import RunRecord
from fsdesk.results.report.blocks import Block, Code, Formulas, Picture, Report
from fsdesk.results.report.sections import content_of

_MATH = re.compile(r"<math.*?</math>", re.DOTALL)
_FAMILY = "New Computer Modern"  # included in typst; other glyphs are taken from system fonts
SIZES = (9.5, 9.4, 9.6, 9.3, 9.7, 9.2, 9.8, 9.1, 9.9, 9.0, 10.0)
_FULL = 0.72
_FONT = re.compile(r"font-family: [^;\"]*")
_LONG_WORD, _LONG_IN_CODE = re.compile(r"\S{25,}"), re.compile(r"\S{85,}")
_PART, _PART_OF_CODE = 10, 80
_BREAK = "\u200b"


def report_html(result: RunRecord, dataset: Dataset) -> str:
    """Write the report of a result as an HTML page; the same result gives the same bytes."""
    return _page(content_of(result, dataset))


def _page(report: Report) -> str:
    return _template().render(report=report)


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(
        kind=lambda block: type(block).__name__,
        safe=Markup,  # one of our figures: matplotlib has escaped the names in it
        mathml=lambda formula: Markup(_typeset(formula)),
    )
    text = files("fsdesk.results.report").joinpath("report.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(text)


@cache
def _typeset(formula: str) -> str:
    """A built-in formula as MathML."""
    import typst

    made: Any = typst.compile_with_warnings(f"$ {formula} $".encode(), format="html")[0]  # HTML is a preview and warns
    found = _MATH.search(made.decode())
    if found is None:
        raise ValueError(f"no formula: {formula}")
    return found[0]


def report_pdf(result: RunRecord, dataset: Dataset) -> bytes:
    """Write the report of a result as a PDF; the same result gives the same bytes."""
    return typeset(content_of(result, dataset))


def typeset(report: Report) -> bytes:
    """Typeset a report, in the font size that leaves the last page the fullest, or the first that is full enough.

    All texts reach typst as JSON strings, which it never interprets as markup. Only break opportunities for long words
    are added.
    """
    import typst

    template = files("fsdesk.results.report").joinpath("report.typ").read_bytes()
    inputs = {"report": json.dumps(_plain(report), ensure_ascii=False), "family": _FAMILY}
    fullest, best = -1.0, inputs
    for size in SIZES:
        sized = {**inputs, "size": str(size)}
        full = float(typst.query(template, "<end>", field="value", one=True, sys_inputs=sized))
        if full > fullest:
            fullest, best = full, sized
        if full >= _FULL:
            break
    return bytes(typst.compile(template, format="pdf", sys_inputs=best, timestamp=0))


def _plain(report: Report) -> dict[str, Any]:
    return {
        "language": report.language,
        "title": report.title,
        "heading": _breakable(report.title),
        "subtitle": _breakable(report.subtitle),
        "page": tr("{number} of {count}", number="{number}", count="{count}"),
        "cited": tr("{sections} (page {pages})", sections="{sections}", pages="{pages}"),
        "sections": [
            {
                "key": section.key,
                "title": _breakable(section.title),
                "blocks": [dict(_parts(block)) for block in section.blocks],
            }
            for section in report.sections
        ],
    }


def _parts(block: Block) -> Iterator[tuple[str, Any]]:
    """A block as its fields, with its kind."""
    yield "is", type(block).__name__
    for field in fields(block):
        value = getattr(block, field.name)
        if isinstance(block, Picture) and field.name == "svg":
            width, height = _size(value)
            yield "svg", _FONT.sub(f"font-family: '{_FAMILY}'", value)
            yield "ratio", width / height
        elif isinstance(block, Formulas):
            yield field.name, [[formula, _breakable(words)] for formula, words in value]
        elif isinstance(block, Code):
            yield field.name, _LONG_IN_CODE.sub(lambda found: _cut(found[0], _PART_OF_CODE), value)
        else:
            yield field.name, _soft(value)


def _soft(value: Any) -> Any:
    if isinstance(value, str):
        return _breakable(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_soft(each) for each in value]
    if isinstance(value, int | float):
        return value
    return {field.name: _soft(getattr(value, field.name)) for field in fields(value)}


def _breakable(text: str) -> str:
    """The text with break opportunities in words too long for a line or cell, and none before a percent sign."""
    text = text.replace(" %", "\N{NO-BREAK SPACE}%")
    return _LONG_WORD.sub(lambda found: _cut(found[0], _PART), text)


def _cut(word: str, part: int) -> str:
    return _BREAK.join(word[at : at + part] for at in range(0, len(word), part))


def _size(svg: str) -> tuple[float, float]:
    """Width and height of a figure in points."""
    head = svg[: svg.index(">")]
    width, height = (re.search(rf'\b{side}="([\d.]+)pt"', head) for side in ("width", "height"))
    if width is None or height is None:
        raise ValueError("a figure without a size")
    return float(width[1]), float(height[1])
