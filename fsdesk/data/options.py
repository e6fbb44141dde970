"""Reading options: all are detected by default, and each can be set by the user."""

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
    """Options for making a data set from a table; see :func:`fsdesk.data.prepare`."""

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
    """How to read a table; "auto" detects from the file."""

    delimiter: Literal["auto", "comma", "semicolon", "tab", "space", "bar", "none"] = setting(
        "auto",
        title="Separator",
        help="Character that separates the cells of a text file.",
        choices={
            "auto": "Auto-detect",
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
        title="Decimal separator",
        help="Whether one and a half is written 1.5 or 1,5.",
        choices={"auto": "Auto-detect", "point": "Point (1.5)", "comma": "Comma (1,5)"},
    )
    thousands: Literal["auto", "none", "comma", "point", "space", "apostrophe"] = setting(
        "auto",
        title="Thousands separator",
        help="The separator between thousands, as in 1,234,567.",
        level="all",
        choices={
            "auto": "Auto-detect",
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
        help="Character encoding of a text file, by any name known to Python, such as cp1251 or shift_jis; auto "
        "detects it.",
    )
    quotes: Literal["auto", "yes", "no"] = setting(
        "auto",
        title="Quotation marks",
        help="Whether quotation marks enclose cells or are part of them.",
        level="all",
        choices={"auto": "Auto-detect", "yes": "Enclose cells", "no": "Part of the text"},
    )
    first_line: int = setting(
        0,
        ge=0,
        title="First line of the table",
        help="Number of the first line of the table, including its header if there is one.",
        level="all",
        zero="Auto-detect",
    )
    header: Literal["auto", "yes", "no"] = setting(
        "auto",
        title="Header line",
        help="Whether the first line contains column names rather than data.",
        choices={"auto": "Auto-detect", "yes": "Yes", "no": "No"},
    )
    below_header: Literal["auto", "data", "skip"] = setting(
        "auto",
        title="Lines below the header",
        help="Whether a line of units or types below the header is skipped.",
        level="all",
        choices={"auto": "Auto-detect", "data": "Data", "skip": "Excluded"},
    )
    orientation: Literal["rows", "columns", "long"] = setting(
        "rows",
        title="Samples are in",
        help="Gene-expression tables often have one feature per row and one sample per column; tables in long "
        "form have one value per row.",
        choices={
            "rows": "Rows (features are columns)",
            "columns": "Columns (features are rows)",
            "long": "Long form (one value per row)",
        },
    )
    labels: str = setting(
        "",
        title="Label file",
        help="A second file, or sheet of the same workbook, with the class of each sample, matched by sample ID.",
    )
    labels_by: Literal["auto", "ids", "order"] = setting(
        "auto",
        title="Match labels by",
        help="Whether labels are matched to samples by IDs found in both files, or by order.",
        level="all",
        choices={"auto": "IDs; ask if few match", "ids": "Sample IDs", "order": "Order of the rows"},
    )
    sheet: str = setting(
        "",
        title="Sheet",
        help="Name of the Excel sheet; empty for the first one with a table, * for all sheets with the same "
        "column names, stacked.",
    )
    hidden: Literal["auto", "keep", "skip"] = setting(
        "auto",
        title="Hidden rows",
        help="Whether rows that are hidden in an Excel sheet, for example by a filter, are rows of the table.",
        level="all",
        choices={"auto": "Ask", "keep": "Included", "skip": "Excluded"},
    )
    part: str = setting(
        "",
        title="Part of the file",
        help="Which matrix, group or object of an HDF5, MATLAB or R file to open; if empty, it is detected.",
        level="all",
    )
    measure: str = setting(
        "",
        title="Values of each sample",
        help="Which columns contain the values if each sample has several, such as LFQ intensity; if empty, it is "
        "detected. Applies if samples are in columns.",
        level="all",
    )
    row_ids: Literal["auto", "first column", "none"] = setting(
        "auto",
        title="Sample IDs",
        help="Whether the first column contains sample names rather than a feature.",
        choices={"auto": "Auto-detect", "first column": "In the first column", "none": "None"},
    )
    missing_values: str = setting(
        "",
        title="Missing values",
        help="Values treated as missing besides empty cells and NA, separated by semicolons: -999; n.d. "
        "everywhere, dose=-9 in one column; !null is a value.",
        level="all",
    )
    limits: Literal["auto", "half", "limit", "missing", "text"] = setting(
        "auto",
        title="Values below a limit",
        help="How <0.05, a value below the limit of detection, is treated; >250 always becomes the limit, or missing.",
        level="all",
        choices={
            "auto": "Ask",
            "half": "Half the limit",
            "limit": "The limit",
            "missing": "Missing",
            "text": "Text",
        },
    )
    types: str = setting(
        "",
        title="Column types",
        help="Corrections to the detected types of columns, separated by semicolons: ward=category; dose=number in "
        "mg; visit=date; seen=date, month first; stage=ordered: I < II < III; patient=id; remarks=text.",
        level="all",
    )
    categories: str = setting(
        "",
        title="Renamed categories",
        help="New names of categories, separated by semicolons; those given the same name are merged: ward=ICU -> "
        "intensive; ward=IMC -> intensive.",
        level="all",
    )
    logarithms: str = setting(
        "",
        title="Logarithms",
        help="Columns of positive numbers to be replaced by their logarithms to base 2, separated by semicolons: "
        "crp; ldl.",
        level="all",
    )
    column_limits: str = setting(
        "",
        title="Limits by column",
        help="How values below or above a limit are treated in individual columns: crp=half; ldl=missing; band=text.",
        level="all",
    )
    similar: Literal["auto", "one", "different"] = setting(
        "auto",
        title="Similar names",
        help="Whether names that differ only in case or spaces, such as Case and case, are the same.",
        level="all",
        choices={"auto": "Ask for the target", "one": "The same", "different": "Different"},
    )
    replicates: Literal["auto", "groups", "rows"] = setting(
        "auto",
        title="Replicates",
        help="Whether rows such as P1_a and P1_b belong to one subject, and thus to one group that is never split.",
        level="all",
        choices={"auto": "Ask", "groups": "Group by subject", "rows": "Independent rows"},
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
            raise ValueError(message("unknown encoding; examples are cp1252, cp1251 and utf-16"))
        return name


LISTED = ("missing_values", "types", "categories", "logarithms", "column_limits")
"""Options whose value is a list of entries."""

OF_COLUMNS = ("categories", "logarithms", "column_limits")
"""Options whose entries each name a column, preceded by "?" if a table need not contain it."""

CARRIED = ("decimal", "thousands", "missing_values", "limits", "types", "similar", *OF_COLUMNS)
"""Options that apply to every later table."""

LAYOUT = (
    *(
        "delimiter",
        "encoding",
        "quotes",
        "first_line",
        "header",
        "below_header",
        "orientation",
        "labels_by",
        "sheet",
        "hidden",
    ),
    *("part", "measure", "row_ids", "replicates"),
)
"""Options of a file that later ones of its kind may need: if they raise questions, or lack columns without them."""


def as_features_in_rows(options: ReadOptions) -> ReadOptions:
    """The options for a format with samples in columns: only how cells are read is the user's choice."""
    return ReadOptions(
        orientation="columns", header="yes",
        missing_values=options.missing_values, limits=options.limits, similar=options.similar,
    )  # fmt: skip


CELLS = ("missing_values", "limits", "types", "similar", "replicates", *OF_COLUMNS)
"""Options for the meaning of cells, whatever the format."""
