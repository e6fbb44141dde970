"""Format-independent blocks of a report: texts, tables, figures, formulas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fsdesk.messages import tr


@dataclass(frozen=True)
class Text:
    """A paragraph; the lead is the headline of the report, a note is framed."""

    text: str
    kind: Literal["body", "soft", "lead", "note"] = "body"


@dataclass(frozen=True)
class Texts:
    """A list of short paragraphs."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Tiles:
    """The key figures: (label, value, interval or "")."""

    tiles: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Step:
    """A box of a flow diagram: what remains, and next to the arrow to the next box, what was removed."""

    text: str
    aside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Flow:
    """A flow diagram from top to bottom."""

    caption: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Facts:
    """A table.

    Attributes
    ----------
    head
        Column titles; empty if the first cell of each row is its title.
    rows
        Cells as displayed.
    numbers
        Indices of numeric columns, which are right-aligned.
    from_values
        Indices of columns derived from data values, which a sealed bundle may not contain.
    groups
        Indices of rows that are preceded by a heading.
    note
        The note below the table.
    cited
        Keys of the sections that the last cell of each row refers to; a page adds where these begin.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    from_values: frozenset[int] = frozenset()
    groups: tuple[tuple[int, str], ...] = ()
    note: str = ""
    cited: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, with a text alternative.

    ``from_values``: whether it is drawn from data values, which a sealed bundle may not contain.
    """

    caption: str
    svg: str
    alt: str
    from_values: bool = False


@dataclass(frozen=True)
class Formulas:
    """Displayed formulas in typst notation, never from the user's data, each with its explanation."""

    formulas: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Names:
    """A long list, set in columns."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Text to be copied verbatim."""

    text: str


Block = Text | Texts | Tiles | Flow | Facts | Picture | Formulas | Names | Code


@dataclass(frozen=True)
class Section:
    """A heading and its blocks; other sections refer to it by ``key``."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A whole report: language, title, subtitle and sections."""

    language: str
    title: str
    subtitle: str
    sections: tuple[Section, ...]

    def blocks(self) -> Iterator[Block]:
        """All blocks, in order."""
        for section in self.sections:
            yield from section.blocks


def numbered(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections, with numbers in their titles and in the captions of tables and figures."""
    tables = figures = 0
    made = []
    for place, section in enumerate(sections, 1):
        blocks: list[Block] = []
        for block in section.blocks:
            if isinstance(block, Facts):
                tables += 1
                block = replace(block, caption=tr("Table {number}. {caption}", number=tables, caption=block.caption))
            elif isinstance(block, Picture | Flow):
                figures += 1
                block = replace(block, caption=tr("Figure {number}. {caption}", number=figures, caption=block.caption))
            blocks.append(block)
        made.append(replace(section, title=f"{place}. {section.title}", blocks=tuple(blocks)))
    return tuple(made)
