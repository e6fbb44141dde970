"""Downloads over HTTPS: in chunks, with limits on size and time, and failures explained in words."""

import errno
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, TypeVar

from fsdesk.errors import DataError
from fsdesk.messages import message

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from urllib.request import OpenerDirector

SECONDS = 30.0
"""Seconds without an answer after which a download ends."""
MOST_BYTES = 1 << 32
_CHUNK = 1 << 18


class Response(Protocol):
    """The result of an opener: bytes in pieces, and their total number."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; empty at the end."""

    def getheader(self, name: str, default: str, /) -> str:
        """Return a header of the response."""


Opener = Callable[[str], AbstractContextManager[Response]]


@dataclass(frozen=True)
class Progress:
    """Progress of a download: bytes so far, and the total (0 if the server does not say)."""

    what: str
    done: int
    total: int


T = TypeVar("T")


def run_to_the_end(steps: Generator[Progress, None, T], report: Callable[[Progress], None] | None) -> T:
    """Run a download to its end and return its result; ``report`` receives the progress and may stop it by raising."""
    while True:
        try:
            progress = next(steps)
        except StopIteration as end:
            found: T = end.value
            return found
        if report is not None:
            report(progress)


def keep(path: Path, content: bytes) -> None:
    """Write a download to its file completely or not at all; DataError if the disk fails."""
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with part.open("xb") as file:  # never through a link that came with the folder
            file.write(content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise DataError(
            'The download cannot be saved in "{folder}" ({strerror}); free some space there, or make the folder '
            "writable.",
            folder=path.parent,
            strerror=error.strerror or error,
        ) from None


class TooLargeError(Exception):
    """A download exceeds the maximum size of a table."""


def pieces(response: Response, what: str) -> Iterator[tuple[bytes, Progress]]:
    """The bytes of a response as they arrive.

    Raises
    ------
    TooLargeError
        As soon as it is known to be larger than :data:`MOST_BYTES`.
    ConnectionError
        If it ends early.
    """
    length = response.getheader("Content-Length", "")
    total = int(length) if length.isdecimal() else 0
    done = 0
    while piece := response.read(_CHUNK):
        done += len(piece)
        if max(done, total) > MOST_BYTES:
            raise TooLargeError
        yield piece, Progress(what, done, total)
    if done < total:
        raise ConnectionError("the download broke off")


def why(error: Exception) -> str:
    """Why there was no response, as a translatable message; rare errors are in the system's own words."""
    import socket
    import ssl
    from http.client import IncompleteRead

    reason = getattr(error, "reason", None) or error
    kinds: tuple[tuple[type[Exception], str], ...] = (
        (socket.gaierror, message("its address cannot be resolved")),
        (TimeoutError, message("it did not respond in time")),
        (ConnectionRefusedError, message("the connection was refused")),
        (ConnectionError, message("the connection was lost")),
        (IncompleteRead, message("the connection was lost")),
        (ssl.SSLError, message("its certificate is not trusted")),
    )
    known = next((words for kind, words in kinds if isinstance(reason, kind)), "")
    if not known and getattr(reason, "errno", None) in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN):
        known = message("it cannot be reached from this computer")
    return known or getattr(reason, "strerror", None) or str(reason) or message("no response")


def open_encrypted(url: str) -> AbstractContextManager[Response]:
    """Open an address over HTTPS."""
    from urllib.request import Request

    request = Request(url, headers={"User-Agent": "fsdesk"})
    response: AbstractContextManager[Response] = https_opener().open(request, timeout=SECONDS)
    return response


def https_opener() -> "OpenerDirector":
    """An opener that follows redirects only to HTTPS, otherwise raises URLError."""
    from urllib.error import URLError
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Encrypted(HTTPRedirectHandler):
        def redirect_request(
            self, req: Request, fp: IO[bytes], code: int, msg: str, headers: "HTTPMessage", newurl: str
        ) -> Request | None:
            if not newurl.startswith("https:"):
                raise URLError(ConnectionError("the connection was lost"))
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return build_opener(Encrypted)
