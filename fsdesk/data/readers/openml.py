"""Data sets of OpenML (www.openml.org) by name or number, cached in a folder so that each is downloaded once.

This client is our own: one JSON request and one ARFF file, read with the limits that apply to all untrusted files.
"""

import hashlib
import json
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fsdesk.data.dataset import Check, Table
from fsdesk.data.readers.arff import read_arff
from fsdesk.data.readers.content import decode
from fsdesk.data.readers.download import (
    Opener,
    Progress,
    TooLargeError,
    keep,
    open_encrypted,
    pieces,
    run_to_the_end,
    why,
)
from fsdesk.data.roles import as_descriptions
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_SERVER = "https://www.openml.org/api/v1/json/data"
_OFFLINE = message("check the internet connection, or open a table from a file")


Steps = Generator[Progress, None, bytes]


def fetch(
    data_set: str | int, folder: Path, report: Callable[[Progress], None] | None = None, opener: Opener | None = None
) -> Table:
    """Download a data set by running :func:`fetch_in_steps` to completion.

    Parameters
    ----------
    report
        Receives progress; an exception that it raises ends the download and leaves nothing behind.
    """
    return run_to_the_end(fetch_in_steps(data_set, folder, opener), report)


def fetch_in_steps(data_set: str | int, folder: Path, opener: Opener | None = None) -> Generator[Progress, None, Table]:
    """Download a data set, one step per piece; closing the generator ends it.

    Parameters
    ----------
    data_set
        Number of the data set, or its name, for which the oldest active version is used, as in scikit-learn.
    folder
        Folder of the downloads; files present are not downloaded again.
    opener
        Opens an address; by default over HTTPS.

    Returns
    -------
    Table
        With OpenML's target as the default; columns that OpenML marks as ignored are reported as not being
        measurements.

    Raises
    ------
    DataError
        If OpenML cannot be reached, has no such data set, or sends something damaged or not an ARFF table.
    """
    wanted = str(data_set).strip()
    if not wanted:
        raise DataError("Enter the name or number of an OpenML data set.")
    store = _Store(folder, opener or open_encrypted)
    checks: tuple[Check, ...] = ()
    number = wanted
    if not wanted.isdecimal():
        number, checks = yield from _look_up(wanted, store)
    answer = yield from store.json(f"{_SERVER}/{number}", f"data-{int(number)}.json", f'number "{number}"')
    about = answer.get("data_set_description")
    if not isinstance(about, dict) or not re.match(r"https?://", str(about.get("url"))):
        raise DataError('OpenML has no table for number "{number}". Choose another data set.', number=number)
    kind = str(about.get("format", "ARFF"))
    if kind.lower() not in ("arff", "sparse_arff"):
        raise DataError(
            'OpenML data set "{number}" is stored as {kind}, not as ARFF. Choose another one.',
            number=number,
            kind=kind,
        )
    checksum = str(about.get("md5_checksum") or "")
    url = re.sub("^http:", "https:", about["url"])  # in old descriptions
    content = yield from store.content(url, f"data-{int(number)}.arff", f'number "{number}"', checksum)
    return _table(content, about, number, checks)


def _look_up(wanted: str, store: "_Store") -> Generator[Progress, None, tuple[str, tuple[Check, ...]]]:
    """The number of the oldest active version of a data set."""
    from urllib.parse import quote

    name = wanted.lower()  # matches all OpenML names
    place = f"name-{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"
    url = f"{_SERVER}/list/data_name/{quote(name, safe='')}/limit/2/status/active"
    answer = yield from store.json(url, place, f'name "{wanted}"')
    try:
        found = answer["data"]["dataset"]
        number = str(int(found[0]["did"]))
    except (KeyError, IndexError, TypeError, ValueError):
        raise _unknown(f'name "{wanted}"') from None
    if len(found) == 1:
        return number, ()
    sentence = message(
        'OpenML has more than one data set called "{wanted}"; number {number} was opened. Enter a number to open '
        "another.",
        wanted=wanted,
        number=number,
    )
    return number, (Check("versions", sentence),)


def _table(content: bytes, about: dict[str, Any], number: str, checks: tuple[Check, ...]) -> Table:
    name = str(about.get("name") or number)
    table = read_arff(decode(content, name), name)
    target = next((column for column in _listed(about, "default_target_attribute") if column in table.columns), None)
    table = replace(
        table,
        source=joined(", ", ["OpenML", message("number {number}", number=number), table.source]),
        default_target=target or table.default_target,
        checks=(*checks, *table.checks),
    )
    aside = {*_listed(about, "row_id_attribute"), *_listed(about, "ignore_attribute")}
    return as_descriptions(table, tuple(column for column in table.columns if column in aside))


def _listed(about: dict[str, Any], key: str) -> list[str]:
    """Column names, which OpenML gives as a list or as comma-separated text."""
    value = about.get(key) or []
    return [str(part).strip() for part in (value.split(",") if isinstance(value, str) else value)]


@dataclass(frozen=True)
class _Store:
    """The folder of downloads, and the means of downloading what is missing."""

    folder: Path
    opener: Opener

    def json(self, url: str, place: str, what: str) -> Generator[Progress, None, dict[str, Any]]:
        """A response of OpenML's API."""
        content = yield from self.content(url, place, what)
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            (self.folder / place).unlink(missing_ok=True)
            raise DataError("OpenML gave an unexpected response for the {what}; try again later.", what=what)
        return answer

    def content(self, url: str, place: str, what: str, checksum: str = "") -> Steps:
        """The content of a download, from the folder if it is complete there."""
        path = self.folder / place
        if path.is_file() and _is_whole(content := path.read_bytes(), checksum):
            return content
        content = yield from self._download(url, what)
        if not _is_whole(content, checksum):
            raise DataError("OpenML delivered a damaged table for the {what}; try again.", what=what)
        keep(path, content)
        return content

    def _download(self, url: str, what: str) -> Steps:
        from http.client import HTTPException
        from urllib.error import HTTPError

        try:
            with self.opener(url) as response:
                found = bytearray()
                for piece, progress in pieces(response, "Downloading from OpenML"):
                    found += piece
                    yield progress
        except TooLargeError:
            raise DataError(
                "The OpenML table of the {what} is too large for this program. Choose a smaller one.", what=what
            ) from None
        except HTTPError as error:
            error.close()
            if error.code in (404, 412):  # 412 is OpenML's code for unknown items
                raise _unknown(what) from None
            raise DataError("OpenML responded with error {code}; try again later.", code=error.code) from None
        except (OSError, HTTPException) as error:
            detail = why(error)
            raise DataError(
                "OpenML cannot be reached ({detail}); {offline}.", detail=detail, offline=_OFFLINE
            ) from None
        return bytes(found)


def _is_whole(content: bytes, checksum: str) -> bool:
    return not checksum or hashlib.md5(content, usedforsecurity=False).hexdigest() == checksum


def _unknown(what: str) -> DataError:
    return DataError("OpenML has no data set with the {what}. Search for it at www.openml.org.", what=what)
