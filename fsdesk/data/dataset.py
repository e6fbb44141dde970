"""The two forms of a table: ``Table`` as read, and ``Dataset`` with a known target."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.kaplan_meier import martingale_residuals, times_of
from fsdesk.data.reading import Reading
from fsdesk.messages import number, tr, translated

if TYPE_CHECKING:
    import pandas as pd

    from fsdesk.data.options import Choices
Task = Literal["classification", "regression", "survival"]
"""The kinds of targets."""

ROLES = ("groups", "fold_of", "time")
"""Fields of a data set that say how its rows are grouped or ordered."""
_SHOWN = 10


@dataclass(frozen=True)
class Check:
    """A finding about a table that the user should know.

    Attributes
    ----------
    kind
        A short name such as "constant columns", stable for tests.
    sentence
        What was found, where, and how it is handled.
    columns
        The columns concerned.
    """

    kind: str
    sentence: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """A table as read: every column is a float column, with codes for nominal ones.

    Attributes
    ----------
    name
        Short name, usually the file's.
    values
        (n, q) float64, column-major; NaN if missing; codes 0, 1, ... in nominal columns.
    columns
        q names, unique.
    categories
        Column index to category names, for nominal columns.
    rows
        n row IDs.
    source
        Its origin and how it was read, in plain words ("sonar.csv, comma-separated, UTF-8").
    default_target
        Name of the column proposed as target.
    checks
        Findings while reading the file.
    descriptions
        Descriptions of columns in the file besides their names, such as the function of a gene, by column name; only
        for columns that have one.
    parts, part
        Names of all sheets or matrices of the file that may be read as a table, in file order, and of the one that was
        read; empty if there is no choice.
    readings
        The decisions made while reading the file.
    ways
        Options of reading, by name, for reading a later table in the same way.
    default_group
        Name of the column proposed as groups of rows; "" for none.
    needs_labels
        Whether each row of the file was a feature and nothing gives the classes of its samples.
    """

    name: str
    values: NDArray[np.float64]
    columns: tuple[str, ...]
    categories: Mapping[int, tuple[str, ...]]
    rows: tuple[str, ...]
    source: str
    default_target: str
    checks: tuple[Check, ...] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    part: str = ""
    readings: tuple[Reading, ...] = ()
    ways: Mapping[str, str] = field(default_factory=dict)
    default_group: str = ""
    needs_labels: bool = False

    def __repr__(self) -> str:
        return f"<Table {self.name!r}: {len(self.rows):,} rows, {len(self.columns):,} columns>"


@dataclass(frozen=True, eq=False)
class Origin:
    """The table of a data set, and the choices by which the data set was made from it.

    Attributes
    ----------
    table, choices
        ``prepare(table, **asdict(choices))`` makes the data set.
    whole
        Whether the table has all columns and rows, and not only those of the data set.
    """

    table: Table
    choices: "Choices"
    whole: bool = True


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and target, ready to be measured.

    Attributes
    ----------
    name
        Short name, usually the file's.
    x
        (n, p) float64, column-major; NaN if missing; codes 0, 1, ... in nominal columns.
    features
        p names, unique.
    categories
        Feature index to category names, for nominal features. A nominal feature is a single feature of the mask.
    target
        (n,) int64 class codes; all 0 for a numeric target. For a time to an event, 1 if it was observed.
    target_name
        Name of the target; for a time to an event, that of the times.
    classes
        Class names, by code; at least two, each with at least one row. Empty for a numeric target.
    rows
        n row IDs.
    source
        Its origin, in plain words.
    checks
        Findings that the user should know.
    response
        (n,) float64 finite target if numeric, else None. For a time to an event, the time if observed, and minus the
        time if censored; (n, 2) with the entry times in the second column if these are not all 0, as in
        :mod:`fsdesk.data.kaplan_meier`.
    groups
        (n,) int64 codes of rows that belong together, such as those of one patient, and are never split between
        training and test. None if rows are independent.
    fold_of
        (n,) int64 the user's own folds, 0, 1, ...; None if there are none.
    time
        (n,) int64 position of each row in time, equal for rows with the same time; None if rows are not ordered.
    event
        For a time to an event, the event as "column=value"; "" for any other target.
    entry
        For a time to an event, name of the column of entry times; "" if there is none, or one column contains the whole
        outcome.
    readings, ways
        As in :class:`Table`, including how the target was interpreted; results depend on the values only.
    class_values
        Original class values of a data frame, by code, if they are not text, such as 0 and 1 or True and False.
    role_names
        Names of the columns of groups, folds and time, by field: ``{"groups": "patient_id"}``; empty if unknown.
    group_names
        Values of the column of groups, by code; empty if unknown.
    origin
        The table from which it was made, and how, if available; stored in a project, so that roles can be changed
        there.
    """

    name: str
    x: NDArray[np.float64]
    features: tuple[str, ...]
    target: NDArray[np.int64]
    target_name: str
    classes: tuple[str, ...]
    rows: tuple[str, ...]
    categories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    source: str = ""
    checks: tuple[Check, ...] = ()
    response: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    fold_of: NDArray[np.int64] | None = None
    time: NDArray[np.int64] | None = None
    readings: tuple[Reading, ...] = ()
    ways: Mapping[str, str] = field(default_factory=dict)
    class_values: tuple[Any, ...] = ()
    event: str = ""
    entry: str = ""
    role_names: Mapping[str, str] = field(default_factory=dict)
    group_names: tuple[str, ...] = ()
    origin: "Origin | None" = None

    @property
    def frame(self) -> "pd.DataFrame":
        """(n, p) features by name as a DataFrame: numbers, categories by name, NaN if missing."""
        return named_frame(self.features, self.x, self.categories, self.rows)

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes as predicted by models, by code: the original values of a data frame, else their names."""
        return self.class_values or self.classes

    def __repr__(self) -> str:
        rows, features = self.x.shape
        classes = {"classification": f"{len(self.classes)} classes", "regression": "a number"}.get(
            self.task, f"time to {self.event}"
        )
        return f"<Dataset {self.name!r}: {rows:,} rows, {features:,} features, target {self.target_name!r} ({classes})>"

    @property
    def task(self) -> Task:
        """The kind of target: classes, numbers, or time to an event."""
        return "classification" if self.response is None else "survival" if self.event else "regression"

    @property
    def event_column(self) -> str:
        """Name of the event column; "" if the target is not a time to an event."""
        return self.event.rpartition("=")[0]

    @property
    def is_late(self) -> bool:
        """Whether some rows have delayed entry."""
        return bool(self.event) and self.response is not None and self.response.ndim == 2

    @property
    def times(self) -> NDArray[np.float64]:
        """(n,) times to the event or censoring of each row."""
        if self.response is None or not self.event:
            raise TypeError("the target is no time to an event")
        return times_of(self.response)

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """(n,) numbers to correlate with single features; None for classes.

        The numbers to predict or, for a time to an event, its martingale residuals, which are large if the event came
        early: see :func:`fsdesk.data.kaplan_meier.martingale_residuals`.
        """
        if self.response is None or not self.event:
            return self.response
        return martingale_residuals(self.response)

    @property
    def class_sizes(self) -> list[int]:
        """Number of rows of each class, by code; empty for a numeric target."""
        sizes: list[int] = np.bincount(self.target, minlength=len(self.classes)).tolist() if self.classes else []
        return sizes

    def _repr_html_(self) -> str:
        """The notebook display: the size, the classes, and the findings."""
        rows, features = self.x.shape
        if self.response is None:
            shown = [f"{name}: {number(size)}" for name, size in zip(self.classes, self.class_sizes, strict=True)]
            target = ", ".join(shown[:_SHOWN])
            if len(shown) > _SHOWN:
                target = tr("{names} and {more} more", names=target, more=number(len(shown) - _SHOWN))
        elif self.event:
            target = tr(
                "{events} events ({event}), times up to {high}", events=number(int(self.target.sum())),
                event=self.event, high=number(float(self.times.max()), ".4g"),
            )  # fmt: skip
        else:
            low, high = (number(float(end), ".4g") for end in (self.response.min(), self.response.max()))
            target = tr("{low} to {high}", low=low, high=high)
        lines = [
            (tr("Rows"), number(rows)), (tr("Features"), number(features)),
            (f"{tr('Target')} {self.target_name}", target), (tr("Source"), translated(self.source)),
        ]  # fmt: skip
        cells = "".join(f"<tr><th>{escape(title)}</th><td>{escape(text)}</td></tr>" for title, text in lines if text)
        checks = "".join(f"<li>{escape(translated(check.sentence))}</li>" for check in self.checks)
        return f"<table><caption>{escape(self.name)}</caption>{cells}</table>" + (
            f"<ul>{checks}</ul>" if checks else ""
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything that results depend on: values, names, categories and target."""
        digest = hashlib.sha256()
        head = (self.features, sorted(self.categories.items()), self.target_name, self.classes, self.x.shape)
        digest.update(repr((*head, *filter(None, (self.event, self.entry)))).encode())
        digest.update(np.ascontiguousarray(self.target, dtype="<i8").tobytes())
        for name in ("response", *ROLES):
            values = getattr(self, name)
            if values is not None:
                digest.update(name.encode())
                digest.update(np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes())
        columns = np.ascontiguousarray(self.x.T, dtype="<f8")
        # A single NaN: files differ in the bits of their missing values, results must not.
        if np.isnan(columns).any():
            columns = np.where(np.isnan(columns), np.nan, columns)
        digest.update(columns.data)
        return digest.hexdigest()


def named_frame(
    names: Sequence[str], x: NDArray[np.float64], categories: Mapping[int, Sequence[str]], rows: Sequence[str]
) -> "pd.DataFrame":
    """(n, p) values by name; columns in ``categories`` contain codes of these."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for place, name in enumerate(names):
        values, levels = x[:, place], categories.get(place)
        if levels is not None:
            named = [np.nan if np.isnan(code) else levels[int(code)] for code in values]
            columns[name] = np.array(named, dtype=object)
        else:
            columns[name] = values
    return pd.DataFrame(columns, index=list(rows))
