"""Files of other programs that hold no table: each is named, with what to do."""

import pickle
from pathlib import Path

import pytest

from fsdesk.data import read
from fsdesk.errors import DataError
from tests.written_formats import zip_of


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.pkl", pickle.dumps({"a": [1, 2]}), "Python pickle, which can run any program"),
        ("t.csv", pickle.dumps([1, 2, 3], protocol=2), "Python pickle"),
        ("t.joblib", b"x\x9c123456", "Python pickle"),
        ("t.pt", zip_of({"archive/data.pkl": b"\x80\2.", "archive/version": b"3"}), "Python pickle"),
        ("t.fcs", b"FCS3.1    " + bytes(100), "flow cytometry.*export a table with one row per sample"),
        ("t.vcf", b"##fileformat=VCFv4.2\n#CHROM\tPOS\n", "genetic variants.*plink --recode A"),
        ("t.mzTab", b"MTD\tmzTab-version\t1.0.0\n", "mzTab report; save its protein"),
        ("t.mzML", b'<?xml version="1.0"?><mzML/>', "mass spectrometry file; export"),
        (
            "t.numbers",
            zip_of({"Index/Document.iwa": b"1", "Metadata/Properties.plist": b"2"}),
            "Apple Numbers table; in Numbers, choose File",
        ),
        ("t.rdb", b"\0\0\1\2x\x9c", "part of an R package; load it in R"),
        ("t.qs", b"\x0b\x0e\x0a\xc1" + bytes(9), "only R can read"),
        ("t.sas7bcat", b"\0\1", "SAS catalog of labels; open the table"),
        (
            "t.spv",
            zip_of({"META-INF/MANIFEST.MF": "", "outputViewer0000000000.xml": ""}),
            "SPSS output; open the data file",
        ),
        ("t.mdb", b"\0\1\0\0Standard Jet DB\0" + bytes(90), "Access database; export"),
        ("t.docx", zip_of({"[Content_Types].xml": "", "word/document.xml": ""}), "text document; copy its table"),
        ("t.pdf", b"%PDF-1.7\n", "PDF document; open a table"),
        ("t.png", b"\x89PNG\r\n\x1a\n" + bytes(9), "image; open a table"),
        ("t.fastq", b"@r1\nACGT\n+\nIIII\n", "sequence file; count reads"),
        ("t.cel", b"[CEL]\nVersion=3\n", "raw microarray data; normalize"),
        ("t.pzfx", b'<?xml version="1.0"?><GraphPadPrismFile/>', "GraphPad Prism file; export the table"),
        ("t.7z", b"7z\xbc\xaf\x27\x1c" + bytes(9), "unsupported kind; unpack it"),
        ("t.tar", bytes(257) + b"ustar" + bytes(300), r"archive of files \(tar\)"),
    ],
)
def test_what_cannot_be_opened_is_named_with_what_to_do(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=f"(?i){sentence}"):
        read(tmp_path / name)


def test_a_text_table_that_begins_with_odd_letters_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("MTD,a,b\nr1,1,2\nr2,3,5\n")
    assert read(tmp_path / "t.csv").columns == ("a", "b")
