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
    """A format of files that hold tables.

    Attributes
    ----------
    title
        What file dialogs call it, a proper name such as "MATLAB".
    suffixes
        Ends of its files' names, in lower case.
    read
        The table of a file. Raises DataError where the file is damaged or holds none, ImportError without its library.
    recognises
        Whether a file's content is of this format, whatever its name.
    options
        The fields of :class:`ReadOptions` that matter to it.
    binary
        Whether it is no text. Files are compared with binary formats first, and are decoded only after that.
    library, article
        A library that it needs beside those of every installation, of the extra "formats", and the format in a
        sentence, such as "a Parquet file".
    """

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Content, ReadOptions], Table]
    recognises: Callable[[Content], bool]
    options: tuple[str, ...]
    binary: bool = False
    library: str = ""
    article: str = ""

    @property
    def patterns(self) -> str:
        """Its files for a file dialog, such as "*.h5 *.hdf5"."""
        return " ".join(f"*{suffix}" for suffix in self.suffixes)

    @property
    def part_option(self) -> str:
        """The field of :class:`ReadOptions` that names which table of a file is read."""
        return "sheet" if "sheet" in self.options else "part"

    def names(self, name: str) -> bool:
        """Whether a file of this name is of this format."""
        return name.lower().endswith(self.suffixes)

    def table(self, content: Content, options: ReadOptions) -> Table:
        """Read the table; DataError also where the library is not installed."""
        try:
            return self.read(content, options)
        except ImportError:
            if not self.library:
                raise
            name, kind, library = content.name, self.article, self.library
            if getattr(sys, "frozen", False):  # pip adds nothing to the program of an installer
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
