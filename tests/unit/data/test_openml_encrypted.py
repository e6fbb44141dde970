"""OpenML over HTTPS from a server on this computer: who is not OpenML is not believed, and damage is seen."""

import datetime
import hashlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from fsdesk.data.readers.openml import fetch
from fsdesk.errors import DataError

ARFF = b"@relation plants\n@attribute a real\n@attribute b real\n@attribute k {x,y}\n@data\n1,2,x\n3,4,y\n5,6,x\n"
DAY = datetime.timedelta(days=1)
UNTRUSTED = (
    "^OpenML cannot be reached \\(its certificate is not trusted\\); check the internet connection, or open a "
    "table from a file\\.$"
)


def certificate(folder: Path, name: str, expires: datetime.timedelta) -> Path:
    """A key and a certificate for it that it has signed itself, in one file."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), 7, now - 30 * DAY, now + expires)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "certificate.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


@contextmanager
def server(pem: Path, table: bytes) -> Iterator[int]:
    """The port of a server that answers as OpenML does."""
    about = {
        "id": "7", "name": "plants", "format": "ARFF", "url": "https://www.openml.org/t.arff",
        "default_target_attribute": "k", "md5_checksum": hashlib.md5(ARFF).hexdigest(),
    }  # fmt: skip

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = table if self.path.endswith(".arff") else json.dumps({"data_set_description": about}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.handle_error = lambda *_: None  # type: ignore[method-assign, assignment]  # a client that hangs up
    made.socket = context.wrap_socket(made.socket, server_side=True)
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    try:
        yield made.server_port
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


@pytest.fixture
def reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """Fetch a table of OpenML where the network leads to a server with such a certificate."""
    connect = socket.create_connection

    def reached(name: str, expires: datetime.timedelta, *, trusted: bool, table: bytes = ARFF) -> object:
        pem = certificate(tmp_path, name, expires)
        if trusted:
            monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        with server(pem, table) as port:
            monkeypatch.setattr(socket, "create_connection", lambda address, *rest: connect(("127.0.0.1", port), *rest))
            return fetch(7, tmp_path / "kept")

    return reached


def test_a_server_whose_certificate_is_that_of_openml_and_trusted_is_read(reach: Callable[..., object]) -> None:
    assert reach("www.openml.org", 30 * DAY, trusted=True)


@pytest.mark.parametrize(
    ("name", "expires", "trusted"),
    [("www.openml.org", 30 * DAY, False), ("www.openml.org", -DAY, True), ("www.example.org", 30 * DAY, True)],
)
def test_a_server_that_cannot_show_that_it_is_openml_is_refused_in_a_sentence(
    reach: Callable[..., object], tmp_path: Path, name: str, expires: datetime.timedelta, trusted: bool
) -> None:
    with pytest.raises(DataError, match=UNTRUSTED):
        reach(name, expires, trusted=trusted)
    assert not list((tmp_path / "kept").glob("*"))


def test_a_table_that_does_not_fit_its_checksum_is_refused_and_not_kept(
    reach: Callable[..., object], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r'^OpenML delivered a damaged table for the number "7"; try again\.$'):
        reach("www.openml.org", 30 * DAY, trusted=True, table=ARFF.replace(b"3,4,y", b"3,5,y"))
    assert not list((tmp_path / "kept").glob("*.arff"))
