"""A table at an address of the web, without a network."""

import io
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path
from socket import gaierror
from typing import Any
from urllib.error import HTTPError, URLError

import pytest

from fsdesk.data import read, read_table
from fsdesk.data.readers import address as address_module
from fsdesk.data.readers import download as download_module
from fsdesk.data.readers.address import address_of, download, download_in_steps
from fsdesk.data.readers.download import Progress
from fsdesk.errors import DataError

AT = "https://zenodo.org/records/1/files/plants.csv?download=1"
CSV = b"length,width,kind\n1.5,2,herb\n2.5,3,tree\n4,6,tree\n1,1,herb\n"


class Answer(io.BytesIO):
    def __init__(self, content: bytes, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(content)
        self.headers = {"Content-Length": str(len(content)), **(headers or {})}

    def getheader(self, name: str, default: str) -> str:
        return self.headers.get(name, default)


class Server:
    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, url: str) -> AbstractContextManager[Answer]:
        self.asked.append(url)
        if isinstance(self.answer, Exception):
            raise self.answer
        return closing(self.answer if isinstance(self.answer, Answer) else Answer(self.answer))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (AT, AT),
        (Path("https://x.org/a/b.csv"), "https://x.org/a/b.csv"),
        (r"https:\x.org\a.csv", "https://x.org/a.csv"),  # as Windows has paths
        ("HTTPS://x.org/a.csv", "https://x.org/a.csv"),
        ("https://github.com/o/r/blob/main/d/a.csv", "https://raw.githubusercontent.com/o/r/main/d/a.csv"),
        (
            "https://docs.google.com/spreadsheets/d/1AbC/edit?usp=sharing#gid=42",
            "https://docs.google.com/spreadsheets/d/1AbC/export?format=csv&gid=42",
        ),
        (
            "https://docs.google.com/spreadsheets/d/1AbC/edit?usp=sharing",
            "https://docs.google.com/spreadsheets/d/1AbC/export?format=csv&gid=0",
        ),
        ("plants.csv", None),
        (Path("/home/https/x.csv"), None),
        (r"C:\tables\x.csv", None),
        ("openml:iris", None),
        ("https:", None),
    ],
)
def test_what_is_an_address_and_where_its_table_lies(written: object, meant: str | None) -> None:
    assert address_of(written) == meant


@pytest.mark.parametrize("written", ["http://x.org/a.csv", "ftp://x.org/a.csv", "file:///etc/passwd"])
def test_an_address_that_is_not_encrypted_is_refused(written: str) -> None:
    with pytest.raises(DataError, match="only from https"):
        address_of(written)


@pytest.mark.parametrize(
    ("address", "headers", "name"),
    [
        (AT, {}, "plants.csv"),
        ("https://x.org/get?id=7", {"Content-Disposition": 'attachment; filename="a b.xlsx"'}, "a b.xlsx"),
        ("https://x.org/get", {"Content-Disposition": "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv"}, "größe.csv"),
        ("https://x.org/get", {"Content-Disposition": 'attachment; filename="../../.bashrc"'}, "bashrc"),
        ("https://x.org/get", {"Content-Disposition": r'attachment; filename="C:\evil.csv"'}, "evil.csv"),
        ("https://x.org/%2e%2e%2f%2e%2e%2fa.csv", {}, "a.csv"),
        ("https://docs.google.com/spreadsheets/d/1/export?format=csv&gid=0", {}, "export.csv"),
        ("https://x.org/", {}, "table"),
        (f"https://x.org/{'a' * 300}.csv", {}, f"{'a' * 96}.csv"),
    ],
)
def test_a_download_is_kept_in_its_folder_under_a_plain_name(
    tmp_path: Path, address: str, headers: Mapping[str, str], name: str
) -> None:
    path = download(address, tmp_path, opener=Server(Answer(CSV, headers)))
    assert (path.name, path.parent.parent) == (name, tmp_path)
    assert path.read_bytes() == CSV
    assert list(path.parent.iterdir()) == [path]


def test_progress_is_told_and_each_download_is_new(tmp_path: Path) -> None:
    steps: list[Progress] = []
    server = Server(CSV)
    first = download(AT, tmp_path, steps.append, server)
    assert steps == [Progress("Downloading from zenodo.org", len(CSV), len(CSV))]
    server.answer = CSV + b"9,9,herb\n"
    assert download(AT, tmp_path, opener=server) == first
    assert first.read_bytes().endswith(b"9,9,herb\n")
    assert server.asked == [AT, AT]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (HTTPError(AT, 404, "", {}, io.BytesIO()), "There is no file at"),  # type: ignore[arg-type]
        (HTTPError(AT, 403, "", {}, io.BytesIO()), "requires a login for this table; download it in a browser"),  # type: ignore[arg-type]
        (HTTPError(AT, 500, "", {}, io.BytesIO()), "responded with error 500"),  # type: ignore[arg-type]
        (URLError(gaierror(-2, "")), r"zenodo.org cannot be reached \(its address cannot be resolved\)"),
        (TimeoutError(), r"\(it did not respond in time\)"),
        (b"  <!DOCTYPE html><html></html>", "is a web page, not a table"),
        (b"", "There is nothing at"),
        (Answer(CSV, {"Content-Length": "9999"}), r"\(the connection was lost\)"),
        (Answer(CSV, {"Content-Length": str(1 << 40)}), "the most this program accepts"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_leaves_nothing_behind(tmp_path: Path, answer: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        download(AT, tmp_path, opener=Server(answer))
    assert not list(tmp_path.rglob("*.*"))


def test_more_bytes_than_are_announced_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download_module, "MOST_BYTES", 20)
    with pytest.raises(DataError, match="most this program accepts"):
        download(AT, tmp_path, opener=Server(Answer(CSV, {"Content-Length": ""})))


def test_a_download_can_be_ended(tmp_path: Path) -> None:
    steps = download_in_steps(AT, tmp_path, Server(CSV))
    next(steps)
    steps.close()
    assert not list(tmp_path.rglob("*.*"))


def test_read_and_read_table_take_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(CSV)
    monkeypatch.setattr(address_module, "open_encrypted", lambda url: server(url))
    monkeypatch.setattr("fsdesk.data.readers.registry.downloads", lambda: tmp_path)
    table = read(AT)
    assert (table.name, table.columns) == ("plants", ("length", "width", "kind"))
    assert table.source.startswith(f"{AT}, plants.csv")
    assert read_table(Path(AT), "kind").classes == ("herb", "tree")
    with pytest.raises(DataError, match="only from https"):
        read("http://x.org/a.csv")
