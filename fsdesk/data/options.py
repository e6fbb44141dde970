"""How to read a table: every choice sniffed by default, and each can be named by the user."""

import codecs
from dataclasses import dataclass
from typing import Literal

from pydantic import field_validator

from fsdesk.messages import message
from fsdesk.settings import Settings, setting

Missing = Literal["impute", "drop rows", "drop columns"]
Nominal = Literal["encode", "drop"]
TargetTask = Literal["auto", "classification", "regression"]


@dataclass(frozen=True)
class Choices:
    """What makes a data set of a table; see :func:`fsdesk.data.prepare`."""

    target: str | None = None
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    missing: Missing = "impute"
    nominal: Nominal = "encode"
    task: TargetTask = "auto"
    group: str | None = None
    folds: str | None = None
    time: str | None = None
    event: str | None = None
    entry: str | None = None


class ReadOptions(Settings):
    """How to read a table; "auto" looks into the file."""

    delimiter: Literal["auto", "comma", "semicolon", "tab", "space", "bar", "none"] = setting(
        "auto",
        title="Separator",
        help="What stands between two cells of a text file.",
        choices={
            "auto": "Found in the file",
            "comma": "Comma ,",
            "semicolon": "Semicolon ;",
            "tab": "Tab",
            "space": "Spaces",
            "bar": "Vertical bar |",
            "none": "None: one column",
        },
    )
    decimal: Literal["auto", "point", "comma"] = setting(
        "auto",
        title="Decimal sign",
        help="Whether one and a half is written 1.5 or 1,5.",
        choices={"auto": "Found in the file", "point": "Point (1.5)", "comma": "Comma (1,5)"},
    )
    thousands: Literal["auto", "none", "comma", "point", "space", "apostrophe"] = setting(
        "auto",
        title="Thousands",
        help="The sign between thousands, as in 1,234,567.",
        level="all",
        choices={
            "auto": "Found in the file",
            "none": "None",
            "comma": "Comma (1,234)",
            "point": "Point (1.234)",
            "space": "Space (1 234)",
            "apostrophe": "Apostrophe (1'234)",
        },
    )
    encoding: str = setting(
        "auto",
        title="Encoding",
        help="How the letters of a text file are stored, by any name that Python knows, such as cp1251 or shift_jis; "
        "auto finds it in the file.",
    )
    quotes: Literal["auto", "yes", "no"] = setting(
        "auto",
        title="Quotation marks",
        help="Whether quotation marks stand around cells instead of being part of them.",
        level="all",
        choices={"auto": "Found in the file", "yes": "Around cells", "no": "Part of the text"},
    )
    first_line: int = setting(
        0,
        ge=0,
        title="First line of the table",
        help="Number of the line on which the table begins, with its names where it has some.",
        level="all",
        zero="Found in the file",
    )
    header: Literal["auto", "yes", "no"] = setting(
        "auto",
        title="First line holds names",
        help="Whether the first line names the columns instead of being data.",
        choices={"auto": "Found in the file", "yes": "Yes", "no": "No"},
    )
    below_header: Literal["auto", "data", "skip"] = setting(
        "auto",
        title="Lines below the names",
        help="Whether a line of units or types below the names is left out.",
        level="all",
        choices={"auto": "Found in the file", "data": "Data", "skip": "Left out"},
    )
    orientation: Literal["rows", "columns", "long"] = setting(
        "rows",
        title="Samples are in",
        help="Gene-expression tables often have one feature a row and one sample a column; tables in long form have "
        "one value a row.",
        choices={
            "rows": "Rows (features are columns)",
            "columns": "Columns (features are rows)",
            "long": "Long form (one value a row)",
        },
    )
    labels: str = setting(
        "",
        title="Labels file",
        help="A second file, or sheet of the same workbook, with the class of every sample, joined by sample id.",
    )
    labels_by: Literal["auto", "ids", "order"] = setting(
        "auto",
        title="Labels are joined by",
        help="Whether labels belong to samples by ids that both files have, or by their order alone.",
        level="all",
        choices={"auto": "Ids, asked where few are shared", "ids": "Sample ids", "order": "Order of the rows"},
    )
    sheet: str = setting(
        "",
        title="Sheet",
        help="Name of the Excel sheet; empty for the first one with a table, * for all with the same names of columns, "
        "one below the other.",
    )
    part: str = setting(
        "",
        title="Part of the file",
        help="Which matrix, group or object of an HDF5, MATLAB or R file to open; empty finds it.",
        level="all",
    )
    measure: str = setting(
        "",
        title="Values of a sample",
        help="Which columns hold the values where each sample has several, such as LFQ intensity; empty finds it. "
        "Counts where samples are in columns.",
        level="all",
    )
    row_ids: Literal["auto", "first column", "none"] = setting(
        "auto",
        title="Sample ids",
        help="Whether the first column names the samples instead of being a feature.",
        choices={"auto": "Found in the file", "first column": "In the first column", "none": "There are none"},
    )
    missing_values: str = setting(
        "",
        title="Missing values",
        help="What counts as missing beside empty cells and NA, with semicolons between: -999; n.d. everywhere, "
        "dose=-9 in one column; !null is a value.",
        level="all",
    )
    limits: Literal["auto", "half", "limit", "missing", "text"] = setting(
        "auto",
        title="Values below a limit",
        help="What <0.05 counts as, a value below the limit of detection; of >250 always the limit, or missing.",
        level="all",
        choices={
            "auto": "Asked",
            "half": "Half of the limit",
            "limit": "The limit",
            "missing": "Missing",
            "text": "Text",
        },
    )
    types: str = setting(
        "",
        title="Column types",
        help="Columns that are something else than what they look like, with semicolons between: ward=category; "
        "dose=number; visit=date; seen=date, month first; stage=ordered: I < II < III; patient=id; remarks=text.",
        level="all",
    )
    categories: str = setting(
        "",
        title="Categories renamed",
        help="Other names for categories, with semicolons between; those that get one name are merged: "
        "ward=ICU -> intensive; ward=IMC -> intensive.",
        level="all",
    )
    logarithms: str = setting(
        "",
        title="Logarithms",
        help="Columns of positive numbers that count as logarithms to base 2, with semicolons between: crp; ldl.",
        level="all",
    )
    column_limits: str = setting(
        "",
        title="Limits by column",
        help="What values below or above a limit count as in one column: crp=half; ldl=missing; band=text.",
        level="all",
    )
    similar: Literal["auto", "one", "different"] = setting(
        "auto",
        title="Names that look alike",
        help="Whether names that differ in capitals or blanks alone, such as Case and case, are one.",
        level="all",
        choices={"auto": "Asked for the target", "one": "One", "different": "Different"},
    )
    replicates: Literal["auto", "groups", "rows"] = setting(
        "auto",
        title="Replicates",
        help="Whether rows such as P1_a and P1_b are of one subject and so one group, never split.",
        level="all",
        choices={"auto": "Asked", "groups": "Rows of one subject", "rows": "Rows by themselves"},
    )

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str) -> str:
        name = value.strip().lower() or "auto"
        try:
            known = name == "auto" or codecs.lookup(name)._is_text_encoding
        except LookupError:
            known = False
        if not known:
            raise ValueError(message("no encoding has this name; cp1252, cp1251 and utf-16 are some"))
        return name


LISTED = ("missing_values", "types", "categories", "logarithms", "column_limits")
"""Options whose value is a list of entries."""

OF_COLUMNS = ("categories", "logarithms", "column_limits")
"""Those whose entries each name a column, with "?" in front where a table need not have it."""

CARRIED = ("decimal", "thousands", "missing_values", "limits", "types", "similar", *OF_COLUMNS)
"""Options by which every later table is read as the first one was."""

LAYOUT = (
    *("delimiter", "encoding", "quotes", "first_line", "header", "below_header", "orientation", "labels_by", "sheet"),
    *("part", "measure", "row_ids", "replicates"),
)
"""Options of one file that a later one of the same kind may need: where it asks, or lacks the columns without them."""

CELLS = ("missing_values", "limits", "types", "similar", "replicates", *OF_COLUMNS)
"""Options that say what the cells of a table mean, whatever its format."""
