"""Files of other programs without a readable table: what they are, and what to do instead."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from fsdesk.errors import DataError
from fsdesk.messages import message

_PICKLES = tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6))
_PACKED = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")


@dataclass(frozen=True)
class _Kind:
    """A kind of file: its name and advice for a sentence, and how it is recognized.

    Attributes
    ----------
    what, advice
        Such as "a picture" and "open a table, such as a CSV file".
    starts
        First bytes of the file.
    suffixes
        Name suffixes, used if nothing recognizes the content.
    members
        Names of which a zip file of this kind contains one, in full or as the end of a name.
    media
        Media types that a zip file of this kind states, in full or as the beginning.
    """

    what: str
    advice: str
    starts: tuple[bytes, ...] = ()
    suffixes: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    media: tuple[str, ...] = ()


_A_TABLE = message("open a table, such as a CSV file")
_EXPORT = message("export the table from there as CSV or Excel and open that")
_PICKLE = _Kind(
    message("a Python pickle, which can run any program when opened and is therefore never opened here"),
    message("if you trust it, open it in Python, save the table with to_csv or to_parquet, and open that"),
    _PICKLES,
    (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".p"),
    ("data.pkl",),
)
_KINDS = (
    _Kind(message("a PDF document"), _A_TABLE, (b"%PDF",)),
    _Kind(
        message("an image"),
        _A_TABLE,
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"<svg"),
        (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic", ".svg", ".emf", ".wmf", ".eps"),
    ),
    _Kind(
        message("a text document"),
        message("copy its table into a spreadsheet and open that"),
        members=("word/document.xml",),
        media=("application/vnd.oasis.opendocument.text",),
    ),
    _Kind(
        message("a presentation"),
        message("copy its table into a spreadsheet and open that"),
        members=("ppt/presentation.xml",),
        media=("application/vnd.oasis.opendocument.presentation",),
    ),
    _Kind(
        message("a drawing"),
        message("copy its table into a spreadsheet and open that"),
        media=("application/vnd.oasis.opendocument.graphics",),
    ),
    _Kind(
        message("an Apple Numbers table"),
        message("in Numbers, choose File > Export To > CSV or Excel, and open that"),
        suffixes=(".numbers",),
        members=("Index/Document.iwa", "Index.zip"),
    ),
    _PICKLE,
    _Kind(
        message("a flow cytometry file, with one row per event"),
        message("gate it in your cytometry software, export a table with one row per sample, and open that"),
        (b"FCS2.", b"FCS3."),
        (".fcs", ".lmd"),
    ),
    _Kind(
        message("a file of genetic variants"),
        message("make a table of genotypes with one row per sample, for example with plink --recode A, and open that"),
        (b"##fileformat=VCF", b"BCF\2", b"\x6c\x1b"),
        (".vcf", ".bcf", ".bgen", ".pgen", ".ped"),
    ),
    _Kind(
        message("a list of genomic intervals"),
        message("count reads or compute a mean per interval and sample first, and open that table"),
        suffixes=(".bed", ".narrowpeak", ".broadpeak", ".bedgraph", ".bedpe"),
    ),
    _Kind(
        message("an mzTab report"),
        message("save its protein or small-molecule section as a separate table and open that"),
        (b"MTD\tmzTab", b"COM\tmzTab"),
        (".mztab",),
    ),
    _Kind(
        message("a mass spectrometry file"),
        message("export the table of features or intensities from your software and open that"),
        suffixes=(".mzml", ".mzxml", ".mgf", ".raw", ".wiff", ".imzml"),
    ),
    _Kind(
        message("a sequence file"),
        message("count reads per feature first, and open the count table"),
        (b"BAM\1", b"CRAM"),
        (".fastq", ".fq", ".fasta", ".fa", ".bam", ".sam", ".cram"),
    ),
    _Kind(
        message("raw microarray data"),
        message("normalize it first, for example with Bioconductor, and open the table of values"),
        (b"IDAT", b"[CEL]"),
        (".cel", ".idat"),
    ),
    _Kind(
        message("part of an R package"),
        message("load it in R, save the data frame with saveRDS, and open that"),
        suffixes=(".rdb", ".rdx"),
    ),
    _Kind(
        message("an R file that only R can read"),
        message("load it in R, save the data frame with saveRDS, and open that"),
        (b"\x0b\x0e\x0a\xc1",),
        (".qs", ".qs2", ".fst"),
    ),
    _Kind(
        message("a SAS catalog of labels"),
        message("open the table (.sas7bdat) next to it"),
        suffixes=(".sas7bcat",),
    ),
    _Kind(
        message("SPSS output"),
        message("open the data file (.sav)"),
        suffixes=(".spv", ".sps"),
        members=("outputViewer0000000000.xml",),
    ),
    _Kind(
        message("an Access database"),
        message("export the table there as an Excel sheet and open that"),
        (b"\0\1\0\0Standard ACE DB", b"\0\1\0\0Standard Jet DB"),
        (".accdb", ".mdb"),
    ),
    _Kind(message("a JMP table"), _EXPORT, (b"\xff\xff\0\0\x07\0\0\0",), (".jmp",)),
    _Kind(
        message("a Minitab file"),
        _EXPORT,
        suffixes=(".mwx", ".mtw", ".mpx", ".mpj"),
        members=("sheets/0/sheet.json",),
    ),
    _Kind(message("a GraphPad Prism file"), _EXPORT, suffixes=(".pzfx", ".pzf", ".prism")),
    _Kind(message("an Origin file"), _EXPORT, (b"CPYA ",), (".opj", ".opju", ".ogw")),
    _Kind(message("a Statistica file"), _EXPORT, suffixes=(".sta",)),
    _Kind(
        message("a compressed file of an unsupported kind"),
        message("unpack it and open the table inside"),
        _PACKED,
        (".7z", ".rar"),
    ),
)


_PROLOGUE = 4096
_XML_SHEET = re.compile(rb"urn:schemas-microsoft-com:office:spreadsheet|opendocument:xmlns:office")


def refuse_by_content(data: bytes, name: str) -> None:
    """Raise DataError for a file with the first bytes of another program's format."""
    kind = next((kind for kind in _KINDS if kind.starts and data.startswith(kind.starts)), None)
    if kind is not None and (kind is not _PICKLE or data.rstrip(b"\0").endswith(b".")):
        raise _refused(kind, name)
    if data[:_PROLOGUE].lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<?xml") and _XML_SHEET.search(data[:_PROLOGUE]):
        raise DataError(
            '"{name}" is an XML spreadsheet. Open it in Excel or LibreOffice, save it as .xlsx, and open that.',
            name=name,
        )
    if data[257:262] == b"ustar":
        raise DataError('"{name}" is an archive of files (tar). Unpack it and open the table inside.', name=name)


_NEVER_TEXT = (".raw", ".sta", ".p", ".pt", ".lmd")
"""Suffixes of other programs' binary files: a text file with that suffix is something else, such as PLINK's .raw."""


def refuse_by_name(name: str, *, is_text: bool = False) -> None:
    """Raise DataError for a file whose content is not recognized and whose name has another program's suffix."""
    if is_text and name.lower().endswith(_NEVER_TEXT):
        return
    kind = next((kind for kind in _KINDS if kind.suffixes and name.lower().endswith(kind.suffixes)), None)
    if kind is not None:
        raise _refused(kind, name)


def refuse_by_members(members: Collection[str], name: str) -> None:
    """Raise DataError for a zip file with the parts of another program's file."""
    for kind in _KINDS:
        if kind.members and any(member.endswith(kind.members) for member in members):
            raise _refused(kind, name)


def refuse_by_media_type(media: str, name: str) -> None:
    """Raise DataError for a zip file that states the media type of another program's file, such as a text document."""
    for kind in _KINDS:
        if kind.media and media.strip().startswith(kind.media):
            raise _refused(kind, name)


def _refused(kind: _Kind, name: str) -> DataError:
    return DataError('"{name}" is {what}; {advice}.', name=name, what=kind.what, advice=kind.advice)
