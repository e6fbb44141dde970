"""How to read a table: every choice sniffed by default, and each can be named by the user."""

from dataclasses import dataclass
from typing import Literal

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


class ReadOptions(Settings):
    """How to read a table; "auto" looks into the file."""

    delimiter: Literal["auto", "comma", "semicolon", "tab", "space", "bar"] = setting(
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
        },
    )
    decimal: Literal["auto", "point", "comma"] = setting(
        "auto",
        title="Decimal sign",
        help="Whether one and a half is written 1.5 or 1,5.",
        choices={"auto": "Found in the file", "point": "Point (1.5)", "comma": "Comma (1,5)"},
    )
    encoding: Literal["auto", "utf-8", "utf-16", "cp1252", "latin-1"] = setting(
        "auto",
        title="Encoding",
        help="How the letters of a text file are stored; matters for names with accents.",
        level="all",
        choices={
            "auto": "Found in the file",
            "utf-8": "UTF-8",
            "utf-16": "UTF-16",
            "cp1252": "Windows Western (cp1252)",
            "latin-1": "Latin-1",
        },
    )
    header: Literal["auto", "yes", "no"] = setting(
        "auto",
        title="First line holds names",
        help="Whether the first line names the columns instead of being data.",
        choices={"auto": "Found in the file", "yes": "Yes", "no": "No"},
    )
    orientation: Literal["rows", "columns"] = setting(
        "rows",
        title="Samples are in",
        help="Gene-expression tables often have one feature a row and one sample a column.",
        choices={"rows": "Rows (features are columns)", "columns": "Columns (features are rows)"},
    )
    labels: str = setting(
        "",
        title="Labels file",
        help="A second file with the class of every sample, joined by sample id, else by order.",
    )
    sheet: str = setting("", title="Sheet", help="Name of the Excel sheet; empty for the first one.", level="all")
    part: str = setting(
        "",
        title="Part of the file",
        help="Which matrix, group or object of an HDF5, MATLAB or R file to open; empty finds it.",
        level="all",
    )
    row_ids: Literal["auto", "first column", "none"] = setting(
        "auto",
        title="Sample ids",
        help="Whether the first column names the samples instead of being a feature.",
        level="all",
        choices={"auto": "Found in the file", "first column": "In the first column", "none": "There are none"},
    )
