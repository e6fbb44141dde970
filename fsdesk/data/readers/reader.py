"""Definition of a file format: its names, detection, reader, and relevant options."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.errors import DataError


@dataclass(frozen=True)
class Reader:
    """A file format that contains tables.

    Attributes
    ----------
    title
        Its name in file dialogs, a proper name such as "MATLAB".
    suffixes
        File name suffixes, in lower case.
    read
        Reads the table of a file. Raises DataError if the file is damaged or has no table, ImportError without its
        library.
    recognises
        Whether a file's content has this format, whatever its name.
    options
        The fields of :class:`ReadOptions` that apply to it.
    has_types
        Whether its columns have types, unlike the cells of a text.
    binary
        Whether it is not text. Files are compared with binary formats first, and are decoded only after that.
    library, article
        A library from the extra "formats" that it needs besides the standard ones, and the format in a sentence, such
        as "a Parquet file".
    """

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Content, ReadOptions], Table]
    recognises: Callable[[Content], bool]
    options: tuple[str, ...]
    has_types: bool = False
    binary: bool = False
    library: str = ""
    article: str = ""

    @property
    def patterns(self) -> str:
        """File patterns for a file dialog, such as "*.h5 *.hdf5"."""
        return " ".join(f"*{suffix}" for suffix in self.suffixes)

    @property
    def part_option(self) -> str:
        """The field of :class:`ReadOptions` that names the table of a file to read."""
        return "sheet" if "sheet" in self.options else "part"

    def names(self, name: str) -> bool:
        """Whether a file name has this format's suffix."""
        return name.lower().endswith(self.suffixes)

    def table(self, content: Content, options: ReadOptions) -> Table:
        """Read the table; DataError also if the library is not installed."""
        try:
            return self.read(content, options)
        except ImportError:
            if not self.library:
                raise
            name, kind, library = content.name, self.article, self.library
            if getattr(sys, "frozen", False):  # pip cannot add anything to the program of an installer
                raise DataError(
                    '"{name}" is {kind}, which needs the library {library}, not included in this program. Save the '
                    "table as CSV or Excel and open that.",
                    name=name,
                    kind=kind,
                    library=library,
                ) from None
            raise DataError(
                '"{name}" is {kind}, which needs the library {library}. Install it with: pip install '
                '"fsdesk[formats]", and open the file again.',
                name=name,
                kind=kind,
                library=library,
            ) from None
