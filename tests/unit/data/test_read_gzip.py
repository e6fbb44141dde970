import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from fsdesk.data import ReadOptions, read
from fsdesk.data.readers.content import unpack
from fsdesk.errors import DataError

CSV = b"a,b,class\n1.5,2,ill\n3,4.25,well\n"


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), ("", gzip.compress)]
)
def test_a_packed_text_is_read_as_what_is_inside(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"table.csv{suffix}"
    path.write_bytes(pack(CSV))
    table = read(path)
    assert table.columns == ("a", "b", "class")
    assert table.values[:, :2].tolist() == [[1.5, 2.0], [3.0, 4.25]]
    assert table.name == "table"


def test_all_members_of_a_gzip_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "table.csv.gz"  # as bgzip writes
    path.write_bytes(gzip.compress(CSV[:20]) + gzip.compress(CSV[20:]))
    assert read(path).values.shape == (2, 3)


def test_a_labels_file_may_be_packed_too(tmp_path: Path) -> None:
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"id,g1\ns1,1.5\ns2,2.5\n"))
    (tmp_path / "y.csv.gz").write_bytes(gzip.compress(b"id,class\ns2,b\ns1,a\n"))
    table = read(tmp_path / "x.csv.gz", ReadOptions(labels="y.csv.gz"))
    assert table.categories == {1: ("a", "b")}
    assert table.values[:, 1].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_an_archive_cut_short_or_damaged_says_so(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    whole = pack(CSV * 1000)
    path = tmp_path / "table.csv.gz"
    for content in (whole[: len(whole) // 2], whole[:12] + b"\xff" * 40 + whole[52:]):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"archive; download or copy it again\.$"):
            read(path)


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return path


def test_the_one_table_of_a_zip_file_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "sent.zip", **{"a folder/wines.csv": CSV, "__MACOSX/._wines.csv": b"\0"})
    table = read(path)
    assert table.columns == ("a", "b", "class")
    assert table.name == "wines"


def test_a_zip_file_that_holds_no_one_table_says_what_it_is(tmp_path: Path) -> None:
    sealed = {"manifest.json": b"{}", "log.jsonl": b"", "report.html": b"<html>"}
    with pytest.raises(DataError, match=r"sealed bundle of results, not a table"):
        read(zipped(tmp_path / "bundle.zip", **sealed))
    with pytest.raises(DataError, match=r"contains 2 files .*Unpack it"):
        read(zipped(tmp_path / "two.zip", **{"x.csv": CSV, "y.csv": CSV}))
    with pytest.raises(DataError, match=r"unpacks to more than 10 bytes"):
        unpack(zipped(tmp_path / "large.zip", **{"x.csv": CSV}).read_bytes(), "large.zip", most=10)
    whole = zipped(tmp_path / "whole.zip", **{"x.csv": CSV * 100}).read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"damaged or truncated zip archive"):
        read(tmp_path / "half.zip")


def test_an_archive_of_nothing_says_so(tmp_path: Path) -> None:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(DataError, match="is empty"):
        read(path)


def test_what_unpacks_beyond_the_limit_is_refused_before_memory_is_full() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < 100_000
    with pytest.raises(DataError, match="unpacks to more than 1,000,000 bytes"):
        unpack(bomb, "table.csv.gz", most=1_000_000)


def test_a_packed_spreadsheet_is_read(tmp_path: Path) -> None:
    plain = tmp_path / "table.xlsx"
    pd.DataFrame({"a": [1.5, 2.5], "class": ["x", "y"]}).to_excel(plain, index=False, engine="xlsxwriter")
    packed = tmp_path / "packed.xlsx.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(packed).values.tolist() == read(plain).values.tolist() == [[1.5, 0], [2.5, 1]]


def test_a_packed_archive_of_files_says_what_to_do(tmp_path: Path) -> None:
    files = io.BytesIO()
    with tarfile.open(fileobj=files, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("table.csv"))
    (tmp_path / "GSE1_RAW.tar.gz").write_bytes(files.getvalue())
    with pytest.raises(DataError, match="archive of files"):
        read(tmp_path / "GSE1_RAW.tar.gz")
