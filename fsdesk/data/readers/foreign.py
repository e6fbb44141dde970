"""Files of other programs that hold no table that can be read: what they are, and what to do instead."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from fsdesk.errors import DataError
from fsdesk.messages import message

_PICKLES = tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6))
_PACKED = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")


@dataclass(frozen=True)
class _Kind:
    """A kind of files: what a sentence calls it and advises, and by what it is known.

    Attributes
    ----------
    what, advice
        Such as "a picture" and "open a table, such as a CSV file".
    starts
        Beginnings of its bytes.
    suffixes
        Ends of names, which count where nothing else knows the content.
    members
        Names of which a zip file holds one, or which one of its names ends with.
    """

    what: str
    advice: str
    starts: tuple[bytes, ...] = ()
    suffixes: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


_A_TABLE = message("open a table, such as a CSV file")
_EXPORT = message("export the table from there as CSV or as an Excel sheet, and open that")
_PICKLE = _Kind(
    message("a pickle of Python, which can run any program when it is opened and so never is"),
    message("open it in Python if you trust it, save the table there with to_csv or to_parquet, and open that"),
    _PICKLES,
    (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".p"),
    ("data.pkl",),
)
_KINDS = (
    _Kind(message("a PDF document"), _A_TABLE, (b"%PDF",)),
    _Kind(message("a picture"), _A_TABLE, (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")),
    _Kind(
        message("a text document"),
        message("copy its table into a sheet, and open that"),
        members=("word/document.xml",),
    ),
    _Kind(
        message("a presentation"),
        message("copy its table into a sheet, and open that"),
        members=("ppt/presentation.xml",),
    ),
    _Kind(
        message("a table of Apple Numbers"),
        message("choose File > Export To > CSV or Excel in Numbers, and open that"),
        suffixes=(".numbers",),
        members=("Index/Document.iwa", "Index.zip"),
    ),
    _PICKLE,
    _Kind(
        message("a file of a flow cytometer, with a row for each event"),
        message("gate it in your cytometry program, export a table with a row for each sample, and open that"),
        (b"FCS2.", b"FCS3."),
        (".fcs", ".lmd"),
    ),
    _Kind(
        message("a file of genetic variants"),
        message("make a table of genotypes with a row for each sample, such as plink --recode A writes, and open that"),
        (b"##fileformat=VCF", b"BCF\2", b"\x6c\x1b\x01"),
        (".vcf", ".bcf", ".bed", ".bgen", ".pgen"),
    ),
    _Kind(
        message("an mzTab report"),
        message("save its section of proteins or small molecules as a table of its own, and open that"),
        (b"MTD\tmzTab", b"COM\tmzTab"),
        (".mztab",),
    ),
    _Kind(
        message("a file of mass spectra"),
        message("export the table of features or intensities from your software, and open that"),
        suffixes=(".mzml", ".mzxml", ".mgf", ".raw", ".wiff", ".imzml"),
    ),
    _Kind(
        message("a file of sequences"),
        message("count reads by features first, and open the table of counts"),
        (b"BAM\1", b"CRAM"),
        (".fastq", ".fq", ".fasta", ".fa", ".bam", ".sam", ".cram"),
    ),
    _Kind(
        message("raw data of a microarray"),
        message("normalise it first, such as with Bioconductor, and open the table of values"),
        (b"IDAT", b"[CEL]"),
        (".cel", ".idat"),
    ),
    _Kind(
        message("a part of an R package"),
        message("load it in R, save the data frame with saveRDS, and open that"),
        suffixes=(".rdb", ".rdx"),
    ),
    _Kind(
        message("a file of R that only R can read"),
        message("load it in R, save the data frame with saveRDS, and open that"),
        (b"\x0b\x0e\x0a\xc1",),
        (".qs", ".qs2", ".fst"),
    ),
    _Kind(
        message("a catalogue of labels of SAS"),
        message("open the table (.sas7bdat) that lies beside it"),
        suffixes=(".sas7bcat",),
    ),
    _Kind(
        message("output of SPSS"),
        message("open the data file (.sav)"),
        suffixes=(".spv", ".sps"),
        members=("outputViewer0000000000.xml",),
    ),
    _Kind(
        message("a database of Access"),
        message("export the table there as an Excel sheet, and open that"),
        (b"\0\1\0\0Standard ACE DB", b"\0\1\0\0Standard Jet DB"),
        (".accdb", ".mdb"),
    ),
    _Kind(message("a table of JMP"), _EXPORT, (b"\xff\xff\0\0\x07\0\0\0",), (".jmp",)),
    _Kind(
        message("a file of Minitab"),
        _EXPORT,
        suffixes=(".mwx", ".mtw", ".mpx", ".mpj"),
        members=("sheets/0/sheet.json",),
    ),
    _Kind(message("a file of GraphPad Prism"), _EXPORT, suffixes=(".pzfx", ".pzf", ".prism")),
    _Kind(message("a file of Origin"), _EXPORT, (b"CPYA ",), (".opj", ".opju", ".ogw")),
    _Kind(message("a file of Statistica"), _EXPORT, suffixes=(".sta",)),
    _Kind(
        message("a packed file of a kind that is not unpacked here"),
        message("unpack it and open the table inside"),
        _PACKED,
        (".7z", ".rar"),
    ),
)


_PROLOGUE = 4096
_XML_SHEET = re.compile(rb"urn:schemas-microsoft-com:office:spreadsheet|opendocument:xmlns:office")


def refuse_by_content(data: bytes, name: str) -> None:
    """Raise DataError for a file whose first bytes are those of another program's."""
    kind = next((kind for kind in _KINDS if kind.starts and data.startswith(kind.starts)), None)
    if kind is not None and (kind is not _PICKLE or data.rstrip(b"\0").endswith(b".")):
        raise _refused(kind, name)
    if data[:_PROLOGUE].lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<?xml") and _XML_SHEET.search(data[:_PROLOGUE]):
        raise DataError(
            '"{name}" is a spreadsheet in XML; open it in Excel or LibreOffice, save it as .xlsx, and open that.',
            name=name,
        )
    if data[257:262] == b"ustar":
        raise DataError('"{name}" is an archive of files (tar); unpack it and open the table inside.', name=name)


_NEVER_TEXT = (".raw", ".sta", ".p", ".pt", ".lmd")
"""Ends of names of other programs' files that are no text: a text of that name is something else, as PLINK's .raw."""


def refuse_by_name(name: str, *, is_text: bool = False) -> None:
    """Raise DataError for a file that nothing knows by its content, and whose name ends as another program's."""
    if is_text and name.lower().endswith(_NEVER_TEXT):
        return
    kind = next((kind for kind in _KINDS if kind.suffixes and name.lower().endswith(kind.suffixes)), None)
    if kind is not None:
        raise _refused(kind, name)


def refuse_by_members(members: Collection[str], name: str) -> None:
    """Raise DataError for a zip file whose parts are those of another program's file."""
    for kind in _KINDS:
        if kind.members and any(member.endswith(kind.members) for member in members):
            raise _refused(kind, name)


def _refused(kind: _Kind, name: str) -> DataError:
    return DataError('"{name}" is {what}; {advice}.', name=name, what=kind.what, advice=kind.advice)
