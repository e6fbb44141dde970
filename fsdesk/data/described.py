"""What a file says of its samples beside the measurements, such as tissue, age or treatment."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from fsdesk.data.cells import MISSING, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.wording import listed, quoted

__all__ = ["as_descriptions", "described_columns", "description_rows", "with_descriptions"]

_KIND = "sample descriptions"


def description_rows(descriptions: Mapping[str, Sequence[str]]) -> list[Row]:
    """Rows to stand below features in rows, name first: what differs between samples, the best target last.

    The best is the first in the file that sorts the samples into the fewest groups, two or more in each.
    """
    varied = {name: cells for name, cells in descriptions.items() if len(set(cells) - MISSING) > 1}
    backwards = list(varied)[::-1]  # the sort is stable: of equals, the first in the file comes last
    ordered = sorted(backwards, key=lambda name: _groups(varied[name]), reverse=True)
    return [[name, *varied[name]] for name in ordered]


def _groups(cells: Sequence[str]) -> tuple[bool, int]:
    counts = Counter(cell for cell in cells if cell not in MISSING)
    return min(counts.values()) < 2, len(counts)


def with_descriptions(table: Table, count: int) -> Table:
    """The table whose last ``count`` columns describe the samples, with a check; the last one is the default target."""
    if not count:
        return table
    return as_descriptions(replace(table, default_target=table.columns[-1]), table.columns[-count:])


def as_descriptions(table: Table, names: tuple[str, ...]) -> Table:
    """The table with a check that some columns describe the samples.

    A description is no measurement: left among the features, one would tell the class of another.
    """
    if not names:
        return table
    sentence = (
        f"{listed(len(names), 'column describes', 'columns describe')} the samples ({quoted(names)}); "
        "leave those out that are not the target, since they are no measurements."
    )
    return replace(table, checks=(*table.checks, Check(_KIND, sentence, names)))


def described_columns(table: Table, besides: Collection[str | None] = ()) -> tuple[str, ...]:
    """Columns that describe samples or number them and so are no features unless somebody says so.

    Parameters
    ----------
    table
        As read.
    besides
        Names of columns that have a role: target, group, folds or time.
    """
    names = (name for check in table.checks if check.kind == _KIND for name in check.columns)
    return tuple(name for name in names if name not in besides)
