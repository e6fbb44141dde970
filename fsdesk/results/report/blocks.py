"""Blocks that a report is made of, whatever the format: texts, tables, figures, formulas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fsdesk.messages import tr


@dataclass(frozen=True)
class Text:
    """A paragraph; the lead is what the report says first, a note is in a frame."""

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
    """A box of a flow diagram: what is left, and beside the arrow to the next what was done with the others."""

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
        Titles of the columns; empty where the first cell of each row is its title.
    rows
        Cells as they are read.
    numbers
        Places of the columns of numbers, which stand on the right.
    from_values
        Places of the columns that follow from the values of the data, which a sealed bundle may be without.
    groups
        Rows before which a heading stands, by place.
    note
        Below it.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    from_values: frozenset[int] = frozenset()
    groups: tuple[tuple[int, str], ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, and what it shows in words for who cannot see it.

    ``from_values`` where it is drawn of the values of the data, which a sealed bundle may be without.
    """

    caption: str
    svg: str
    alt: str
    from_values: bool = False


@dataclass(frozen=True)
class Formulas:
    """Displayed formulas as typst writes them, all of ours and never of the user; each with its words."""

    formulas: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Names:
    """A long list, set in columns."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Text that is to be copied as it is."""

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
        """All blocks, from first to last."""
        for section in self.sections:
            yield from section.blocks


def numbered(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections with numbers in their titles and in the captions of tables and figures."""
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
