"""Tables at web addresses (https://...), downloaded into a folder and read like any other file."""

import hashlib
import re
from collections.abc import Callable, Generator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from fsdesk.data.readers.download import (
    MOST_BYTES,
    Opener,
    Progress,
    TooLargeError,
    keep,
    open_encrypted,
    pieces,
    run_to_the_end,
    why,
)
from fsdesk.errors import DataError
from fsdesk.messages import message
from fsdesk.paths import Folders

_ADDRESS = re.compile(r"(?P<scheme>https?|ftp|file)[:][/\\]{1,3}(?P<rest>[^/\\].*)", re.IGNORECASE)
_SHEET = re.compile(r"(https://docs\.google\.com/spreadsheets/d/[^/]+)/(?:edit|view|htmlview).*?(?:[#&?]gid=(\d+)|$)")
_BLOB = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/(.+)")
_PAGES = (b"<!doctype html", b"<html")
_ODD = re.compile(r"[^\w.\-+ ()]+")
_LONGEST_NAME = 100
_OFFLINE = message("check the address and the internet connection, or download the file and open it")


def address_of(path: object) -> str | None:
    """The address given in place of a file, also as a Path, which removes one of its slashes; None if it is a file.

    Raises
    ------
    DataError
        If the address is not encrypted.
    """
    found = _ADDRESS.fullmatch(str(path).strip())
    if found is None:
        return None
    rest = found["rest"].replace("\\", "/")
    if found["scheme"].lower() != "https":
        raise DataError(
            'Tables can be opened only from https addresses, which "{address}" is not; download the file and open it.',
            address=f"{found['scheme']}://{rest}",
        )
    return _of_the_file(f"https://{rest}")


def _of_the_file(address: str) -> str:
    """The address of the table itself, given a page that shows it: a Google sheet or a GitHub file."""
    sheet, blob = _SHEET.match(address), _BLOB.fullmatch(address)
    if sheet is not None:
        return f"{sheet[1]}/export?format=csv&gid={sheet[2] or 0}"
    return f"https://raw.githubusercontent.com/{blob[1]}/{blob[2]}" if blob is not None else address


def downloads() -> Path:
    """The folder in the user's cache for downloads."""
    return Folders.of_user().shared.with_name("addresses")


def download(
    address: str, folder: Path, report: Callable[[Progress], None] | None = None, opener: Opener | None = None
) -> Path:
    """Download a file by running :func:`download_in_steps` to completion; ``report`` receives the progress."""
    return run_to_the_end(download_in_steps(address, folder, opener), report)


def download_in_steps(address: str, folder: Path, opener: Opener | None = None) -> Generator[Progress, None, Path]:
    """Download a file, one step per piece; closing the generator ends it.

    Content at an address may change, so it is downloaded each time, replacing the previous file.

    Parameters
    ----------
    address
        As returned by :func:`address_of`.
    folder
        Folder of the downloads.
    opener
        Opens an address; by default over HTTPS.

    Raises
    ------
    DataError
        One sentence if the file cannot be downloaded, is a web page or is too large.
    """
    host = urlsplit(address).hostname or address
    content, name = yield from _content(address, host, opener or open_encrypted)
    if content[:1000].lstrip().lower().startswith(_PAGES):
        raise DataError(
            '"{address}" is a web page, not a table; copy the download address from it, or download the file and '
            "open it.",
            address=address,
        )
    if not content:
        raise DataError('There is nothing at "{address}" (0 bytes); check the address.', address=address)
    path = folder / hashlib.sha256(address.encode()).hexdigest()[:16] / name
    keep(path, content)
    return path


def _content(address: str, host: str, opener: Opener) -> Generator[Progress, None, tuple[bytes, str]]:
    """The content at an address, and a name for it."""
    from http.client import HTTPException
    from urllib.error import HTTPError

    try:
        with opener(address) as response:
            name = _name(address, response.getheader("Content-Disposition", ""))
            found = bytearray()
            for piece, progress in pieces(response, f"Downloading from {host}"):
                found += piece
                yield progress
    except TooLargeError:
        raise DataError(
            'The file at "{address}" is larger than {most:,} bytes, the most this program accepts.',
            address=address,
            most=MOST_BYTES,
        ) from None
    except HTTPError as error:
        error.close()
        if error.code in (401, 403):
            raise DataError(
                "{host} requires a login for this table; download it in a browser and open the file.",
                host=host,
            ) from None
        if error.code in (404, 410):
            raise DataError('There is no file at "{address}"; check the address.', address=address) from None
        raise DataError("{host} responded with error {code}; try again later.", host=host, code=error.code) from None
    except (OSError, HTTPException, ValueError) as error:  # ValueError for an invalid address
        detail = why(error)
        raise DataError(
            "{host} cannot be reached ({detail}); {offline}.", host=host, detail=detail, offline=_OFFLINE
        ) from None
    return bytes(found), name


def _name(address: str, disposition: str) -> str:
    """A file name for a download: the one given by the server, else the end of the address; safe characters only."""
    said = re.search(r"filename\*?=(?:UTF-8'')?\"?([^\";]+)", disposition, re.IGNORECASE)
    parts = urlsplit(address)
    plain = unquote(said[1]) if said else unquote(parts.path)
    name = _ODD.sub("_", PurePosixPath(plain.replace("\\", "/")).name).strip(". ")
    if "format=csv" in parts.query and "." not in name:
        name = f"{name or 'table'}.csv"
    return name[-_LONGEST_NAME:].lstrip(". ") or "table"
