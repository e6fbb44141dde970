import sys
from pathlib import Path

import pytest

from fsdesk.data import READERS, SUFFIXES, ReadOptions, read, reader_of
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.title)
def test_an_entry_says_all_of_its_format(reader: Reader) -> None:
    assert reader.suffixes
    assert all(suffix == suffix.lower() and suffix in SUFFIXES for suffix in reader.suffixes)
    assert set(reader.options) <= set(ReadOptions.model_fields)
    assert bool(reader.library) == bool(reader.article)
    assert all(reader_of(f"Table{suffix.upper()}") is reader for suffix in reader.suffixes)
    assert all(reader_of(f"table{suffix}.gz") is reader for suffix in reader.suffixes)


def test_no_two_formats_have_a_suffix_in_common() -> None:
    suffixes = [suffix for reader in READERS for suffix in reader.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader.library], ids=lambda reader: reader.title)
def test_without_its_library_a_format_says_what_to_install(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, reader.library, None)
    path = tmp_path / f"t{reader.suffixes[0]}"
    path.write_bytes(b"\x01 anything")
    with pytest.raises(DataError, match=rf"is {reader.article[:10]}.*needs the library {reader.library}. Install"):
        read(path)
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # the program of an installer has no pip
    with pytest.raises(DataError, match=r"not included in this program\. Save the table as CSV"):
        read(path)
