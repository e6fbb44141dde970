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
"""Without an answer, after which a download ends."""
MOST_BYTES = 1 << 32
_CHUNK = 1 << 18


class Response(Protocol):
    """What an opener gives: bytes in pieces, and how many there will be."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, none at the end."""

    def getheader(self, name: str, default: str, /) -> str:
        """A header of the answer."""


Opener = Callable[[str], AbstractContextManager[Response]]


@dataclass(frozen=True)
class Progress:
    """How far a download is: bytes so far, and of how many (0 where the server does not say)."""

    what: str
    done: int
    total: int


T = TypeVar("T")


def run_to_the_end(steps: Generator[Progress, None, T], report: Callable[[Progress], None] | None) -> T:
    """What a download in steps gives at its end; an exception of ``report``, which is told of progress, ends it."""
    while True:
        try:
            progress = next(steps)
        except StopIteration as end:
            found: T = end.value
            return found
        if report is not None:
            report(progress)


def keep(path: Path, content: bytes) -> None:
    """Write a download to its file, whole or not at all; DataError where the disk does not take it."""
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise DataError(
            'The download cannot be saved in "{folder}" ({strerror}); free the folder.',
            folder=path.parent,
            strerror=error.strerror or error,
        ) from None


class TooLargeError(Exception):
    """A download is larger than a table may be."""


def pieces(response: Response, what: str) -> Iterator[tuple[bytes, Progress]]:
    """The bytes of an answer as they come.

    Raises
    ------
    TooLargeError
        As soon as it is known to be larger than :data:`MOST_BYTES`.
    ConnectionError
        Where it ends early.
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
    """Why there was no answer, in words that the window can translate; of what is rare, those of the system."""
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
    """What opens addresses, and follows an answer that points elsewhere over HTTPS alone, else raises URLError."""
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
