"""Sealing of bundles: one zip file with the digest of every part, and a signature by the user's key."""

import base64
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from fsdesk.errors import ProjectError
from fsdesk.messages import escaped, message

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = 2
MANIFEST, SIGNATURE = "manifest.json", "signature.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date in a zip file: identical content gives identical bytes
_ALGORITHM = "ed25519"
_PURPOSE = "fsdesk sealed bundle"
_MOST_LETTERS = 200


def json_bytes(content: Mapping[str, Any]) -> bytes:
    """Readable JSON with identical bytes for identical content."""
    return (json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def manifest_of(parts: Mapping[str, bytes]) -> bytes:
    """The SHA-256 of every part."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(parts.items())}
    return json_bytes({"format": FORMAT, "made_by": "fsdesk", "sha256": digests})


def zipped(parts: Mapping[str, bytes], signature: bytes | None = None) -> bytes:
    """One zip file with a manifest, and its signature if there is one; the same parts give the same bytes."""
    held = {**parts, MANIFEST: manifest_of(parts)}
    if signature is not None:
        held[SIGNATURE] = signature
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in sorted(held.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            file.writestr(entry, content, compresslevel=6)
    return buffer.getvalue()


def key_file(folder: Path | None = None) -> Path:
    """Location of the user's private key: in a settings folder, by default the user's."""
    return (folder or platformdirs.user_config_path("fsdesk", appauthor=False)) / "signing-key.pem"


@dataclass(frozen=True, eq=False)
class Signer:
    """A signer of bundles: a private key, and a name, "" for none."""

    key: "Ed25519PrivateKey"
    name: str = ""

    @classmethod
    def of_user(cls, name: str = "", path: Path | None = None) -> "Signer":
        """A signer with the user's key, created on first use; only the user can read its file.

        Raises
        ------
        ProjectError
            If the key cannot be read or stored.
        """
        path = path or key_file()
        try:
            return cls(_made_at(path) if not path.exists() else _read(path), " ".join(name.split())[:_MOST_LETTERS])
        except OSError as error:
            reason = error.strerror or str(error)
            raise ProjectError(
                'The signing key "{path}" cannot be used ({reason}).', path=path, reason=reason
            ) from error

    @property
    def public_key(self) -> bytes:
        """The 32 bytes with which others verify signatures."""
        return self.key.public_key().public_bytes_raw()

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the public key, as in :attr:`Signature.fingerprint`."""
        return _fingerprint(self.public_key)

    def sign(self, manifest: bytes) -> bytes:
        """The content of ``signature.json`` for a manifest."""
        said = {"algorithm": _ALGORITHM, "name": self.name, "public_key": _text(self.public_key)}
        signature = self.key.sign(_message(manifest, said))
        return (json.dumps({**said, "signature": _text(signature)}, indent=1, ensure_ascii=False) + "\n").encode()

    def signed(self, bundle: bytes) -> bytes:
        """A bundle with a signature, replacing any existing one."""
        with zipfile.ZipFile(io.BytesIO(bundle)) as file:
            parts = {name: file.read(name) for name in file.namelist() if name != SIGNATURE}
        manifest = parts.pop(MANIFEST)
        return zipped(parts, self.sign(manifest))


@dataclass(frozen=True)
class Signature:
    """Whose signature a bundle bears: name as they give it, the fingerprint of their public key, and whether it holds.

    Anyone can use any name; compare the fingerprint with the one its owner publishes elsewhere, such as on a web page.
    """

    name: str
    fingerprint: str
    holds: bool

    @classmethod
    def read(cls, content: bytes, manifest: bytes) -> "Signature":
        """Check the content of ``signature.json`` against the manifest; an unreadable one is invalid."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            held = json.loads(content)
            signature = base64.b64decode(held.pop("signature"), validate=True)
            public = base64.b64decode(held["public_key"], validate=True)
            made = cls(str(held["name"]), _fingerprint(public), holds=True)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return cls("", "", holds=False)
        try:
            known = held.keys() == {"algorithm", "name", "public_key"} and held["algorithm"] == _ALGORITHM
            Ed25519PublicKey.from_public_bytes(public).verify(signature, _message(manifest, held))
        except (InvalidSignature, ValueError):
            known = False
        return cls(made.name, made.fingerprint, known)

    @property
    def who(self) -> str:
        """Name and fingerprint in one text."""
        if not self.name:
            return message("key {key}", key=self.fingerprint)
        return message('key {key}, with the name "{name}"', name=escaped(self.name, 40), key=self.fingerprint)


def _read(path: Path) -> "Ed25519PrivateKey":
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ProjectError(
            '"{path}" is not a signing key. Move it away, and a new one will be created.', path=path
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ProjectError(
            '"{path}" contains a key of a type other than Ed25519. Move it away, and a new one will be created.',
            path=path,
        )
    return key


def _made_at(path: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    content = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(part, path)  # completely or not at all, and never over a key that another window has just created
    except FileExistsError:
        key = _read(path)
    except OSError:  # a file system without links
        part.replace(path)
    part.unlink(missing_ok=True)
    return key


def _message(manifest: bytes, said: Mapping[str, Any]) -> bytes:
    """The signed message: purpose, name of the signer, and manifest."""
    held = {"purpose": _PURPOSE, "manifest_sha256": hashlib.sha256(manifest).hexdigest(), **said}
    return json.dumps(held, sort_keys=True).encode()


def _fingerprint(public: bytes) -> str:
    """A fingerprint as ssh-keygen shows it: SHA-256 in base64 without padding."""
    return "SHA256:" + _text(hashlib.sha256(public).digest()).rstrip("=")


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
