import gzip
import hashlib
import io
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing
from errno import ENETUNREACH
from http.client import IncompleteRead
from pathlib import Path
from socket import gaierror
from ssl import SSLCertVerificationError
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pytest
import sklearn.datasets

from fsdesk.data import described_columns, prepare
from fsdesk.data.readers.download import Progress
from fsdesk.data.readers.openml import fetch, fetch_in_steps
from fsdesk.errors import DataError

API = "https://www.openml.org/api/v1/json/data"
TABLE = "https://www.openml.org/data/v1/download/7/plants.arff"
ARFF = b"""% made by hand
@relation plants
@attribute plant string
@attribute length numeric
@attribute 'kind of plant' {herb, tree}
@attribute width real
@data
p1, 1.5, herb, 2
p2, 2.5, tree, ?
p3, 4, tree, 6
"""
ABOUT = {
    "id": "7",
    "name": "plants",
    "format": "ARFF",
    "url": TABLE,
    "default_target_attribute": "kind of plant",
    "row_id_attribute": "plant",
    "md5_checksum": hashlib.md5(ARFF).hexdigest(),
}
FOUND = {"data": {"dataset": [{"did": 7, "name": "plants", "version": 1, "status": "active"}]}}


class Answer(io.BytesIO):
    """A response of a server that says how long it is."""

    def __init__(self, content: bytes, length: str | None = None) -> None:
        super().__init__(content)
        self.length = str(len(content)) if length is None else length

    def getheader(self, name: str, default: str) -> str:
        return self.length if name == "Content-Length" else default


class Server:
    """OpenML without a network: answers by address, and a list of what was asked."""

    def __init__(self, answers: Mapping[str, Any] | None = None) -> None:
        usual = {
            f"{API}/7": {"data_set_description": ABOUT},
            f"{API}/list/data_name/plants/limit/2/status/active": FOUND,
            TABLE: ARFF,
        }
        self.answers = {**usual, **(answers or {})}
        self.asked: list[str] = []

    def __call__(self, url: str) -> AbstractContextManager[Answer]:
        self.asked.append(url)
        answer = self.answers.get(url)
        if answer is None:
            raise HTTPError(url, 412, "PRECONDITION FAILED", {}, io.BytesIO(b""))
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Answer):
            return closing(answer)
        return closing(Answer(answer if isinstance(answer, bytes) else json.dumps(answer).encode()))


@pytest.mark.parametrize("wanted", [7, "7", "plants", " Plants "])
def test_a_data_set_comes_by_number_or_name_with_its_target(tmp_path: Path, wanted: str | int) -> None:
    table = fetch(wanted, tmp_path, opener=Server())
    assert table.name == "plants"
    assert table.default_target == "kind of plant"
    assert table.source == "OpenML, number 7, plants, ARFF, UTF-8"
    np.testing.assert_array_equal(table.values[:, 1:], [[1.5, 0, 2], [2.5, 1, np.nan], [4, 1, 6]])


def test_columns_that_openml_says_to_ignore_are_no_measurements(tmp_path: Path) -> None:
    table = fetch(
        7, tmp_path, opener=Server({f"{API}/7": {"data_set_description": {**ABOUT, "ignore_attribute": ["width"]}}})
    )
    assert described_columns(table) == ("plant", "width")
    assert prepare(table, ignore=described_columns(table)).features == ("length",)


def test_what_was_downloaded_is_kept_and_needs_no_network_again(tmp_path: Path) -> None:
    server = Server()
    first = fetch("plants", tmp_path / "new folder", opener=server)
    assert len(server.asked) == 3
    again = fetch("PLANTS", tmp_path / "new folder", opener=server)
    assert len(server.asked) == 3
    np.testing.assert_array_equal(first.values, again.values)
    assert not list(tmp_path.rglob("*.part"))


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    long = ARFF + b"% comment\n" * 200_000
    about = {"data_set_description": {**ABOUT, "md5_checksum": None}}
    told: list[Progress] = []
    fetch(7, tmp_path, told.append, Server({f"{API}/7": about, TABLE: long}))
    table = [progress for progress in told if progress.total == len(long)]
    assert len(table) > 3
    assert [progress.done for progress in table] == sorted({progress.done for progress in table})
    assert table[-1].done == len(long)
    assert "OpenML" in table[0].what


def test_a_download_that_is_stopped_leaves_nothing_and_closes_the_connection(tmp_path: Path) -> None:
    answer = Answer(ARFF + b"% comment\n" * 200_000)
    steps = fetch_in_steps(7, tmp_path, Server({TABLE: answer}))
    while next(steps).total != int(answer.length):
        pass
    steps.close()
    assert answer.closed
    assert not list(tmp_path.glob("*.arff"))
    assert fetch(7, tmp_path, opener=Server()).name == "plants"


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (URLError(gaierror(-2, "Name or service not known")), "its address cannot be resolved"),
        (URLError(TimeoutError("timed out")), "it did not respond in time"),
        (TimeoutError("timed out"), "it did not respond in time"),
        (ConnectionRefusedError(111, "Connection refused"), "the connection was refused"),
        (ConnectionResetError(104, "Connection reset by peer"), "the connection was lost"),
        (IncompleteRead(b""), "the connection was lost"),
        (URLError(SSLCertVerificationError("self-signed")), "its certificate is not trusted"),
        (URLError(OSError(ENETUNREACH, "Network is unreachable")), "it cannot be reached from this computer"),
        (URLError(OSError(5, "Input/output error")), "Input/output error"),
        (URLError("unknown url type"), "unknown url type"),
    ],
)
def test_offline_is_said_plainly(tmp_path: Path, trouble: Exception, why: str) -> None:
    server = Server({f"{API}/7": trouble})
    advice = "check the internet connection, or open a table from a file"
    with pytest.raises(DataError, match=rf"^OpenML cannot be reached \({why}\); {advice}\.$"):
        fetch(7, tmp_path, opener=server)


def test_an_unknown_name_or_number_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match='no data set with the name "plant"'):
        fetch("plant", tmp_path, opener=Server())
    with pytest.raises(DataError, match='no data set with the number "8"'):
        fetch(8, tmp_path, opener=Server())
    with pytest.raises(DataError, match="the name or number"):
        fetch("  ", tmp_path, opener=Server())


def test_a_name_is_only_ever_part_of_the_address(tmp_path: Path) -> None:
    server = Server()
    with pytest.raises(DataError, match="no data set"):
        fetch("../../x?y=1", tmp_path, opener=server)
    assert server.asked == [f"{API}/list/data_name/..%2F..%2Fx%3Fy%3D1/limit/2/status/active"]


def test_of_several_data_sets_of_one_name_the_oldest_is_taken_and_said(tmp_path: Path) -> None:
    two = {"data": {"dataset": [*FOUND["data"]["dataset"], {"did": 9, "name": "plants", "version": 2}]}}
    table = fetch("plants", tmp_path, opener=Server({f"{API}/list/data_name/plants/limit/2/status/active": two}))
    assert [check.kind for check in table.checks][:1] == ["versions"]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({TABLE: ARFF[:-20]}, "delivered a damaged table"),
        ({TABLE: Answer(ARFF[:-20], str(len(ARFF)))}, "was lost"),
        ({TABLE: HTTPError(TABLE, 503, "busy", {}, io.BytesIO(b""))}, "responded with error 503; try again later"),
        ({TABLE: Answer(ARFF, str(1 << 40))}, "too large"),
        ({f"{API}/7": b"<html>maintenance</html>"}, "gave an unexpected response"),
        ({f"{API}/7": {"data_set_description": {**ABOUT, "url": "file:///etc/passwd"}}}, "has no table"),
        ({f"{API}/7": {"data_set_description": {**ABOUT, "format": "csv"}}}, "stored as csv, not as ARFF"),
        (
            {f"{API}/list/data_name/plants/limit/2/status/active": {"data": {"dataset": []}}},
            "no data set with the name",
        ),
    ],
)
def test_answers_that_are_off_are_a_sentence_and_are_not_kept(
    tmp_path: Path, answers: Mapping[str, Any], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        fetch("plants", tmp_path, opener=Server(answers))
    assert not list(tmp_path.glob("*.arff"))


def test_answers_recorded_from_openml_are_read(tmp_path: Path) -> None:
    recorded = Path(sklearn.datasets.__file__).parent / "tests/data/openml/id_61"
    if not recorded.exists():
        pytest.skip("this scikit-learn comes without its test data")
    parts = {
        name: gzip.decompress((recorded / f"{name}.gz").read_bytes())
        for name in ("api-v1-jd-61.json", "api-v1-jdl-dn-iris-l-2-s-act-.json", "data-v1-dl-61.arff")
    }
    about = json.loads(parts["api-v1-jd-61.json"])
    address = about["data_set_description"]["url"]
    table = fetch(
        "iris",
        tmp_path,
        opener=Server(
            {
                f"{API}/61": about,
                f"{API}/list/data_name/iris/limit/2/status/active": parts["api-v1-jdl-dn-iris-l-2-s-act-.json"],
                address: parts["data-v1-dl-61.arff"],
            }
        ),
    )
    x, y = sklearn.datasets.load_iris(return_X_y=True)
    assert table.columns == ("sepallength", "sepalwidth", "petallength", "petalwidth", "class")
    assert table.categories == {4: ("Iris-setosa", "Iris-versicolor", "Iris-virginica")}
    assert (table.values[:, 4] == y).all()
    assert np.isclose(table.values[:, :4], x).all(axis=1).sum() >= 148  # OpenML's copy differs from UCI's in two rows
