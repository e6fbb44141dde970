"""Who sealed a bundle: the key of a user, the signature, and what is said of one that is forged."""

import base64
import json
import stat
import sys
import zipfile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fsdesk.cli import invoke
from fsdesk.errors import ProjectError
from fsdesk.results import export
from fsdesk.results.bundle import SIGNATURE, Signature, Signer, bundle, zipped
from fsdesk.results.verify import opened, verified


@pytest.fixture
def signer(tmp_path):
    return Signer.of_user("Ada  Lovelace", tmp_path / "keys" / "key.pem")


@pytest.fixture
def config(tmp_path, monkeypatch):
    """A user's folder of settings of their own."""
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "config")
    return tmp_path / "config"


@pytest.fixture(scope="module")
def content(awkward, awkward_result):
    return bundle(awkward_result, awkward)


def rewritten(path, parts, signature):
    path.write_bytes(zipped(parts, signature))
    return opened(path)


def test_a_key_is_made_once_and_for_its_owner_alone(signer, tmp_path):
    path = tmp_path / "keys" / "key.pem"
    assert Signer.of_user("", path).fingerprint == signer.fingerprint
    assert [each.name for each in path.parent.iterdir()] == ["key.pem"]
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Signer.of_user("", tmp_path / "other.pem").fingerprint != signer.fingerprint


@pytest.mark.parametrize("held", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_said_and_left_alone(tmp_path, held):
    path = tmp_path / "key.pem"
    path.write_bytes(held)
    with pytest.raises(ProjectError, match="move it away"):
        Signer.of_user("", path)
    assert path.read_bytes() == held


def test_a_signed_bundle_says_who_sealed_it_and_any_ed25519_agrees(content, signer, tmp_path):
    (tmp_path / "signed.zip").write_bytes(signer.signed(content))
    sealed = opened(tmp_path / "signed.zip")
    verdict = verified(sealed)
    assert not verdict.fails
    assert f'signed by "Ada Lovelace", key {signer.fingerprint}' in verdict.sentence
    assert "Nobody has signed it" not in verdict.sentence
    held = json.loads(sealed.signature)
    assert base64.b64decode(held["public_key"]) == signer.public_key
    Ed25519PublicKey.from_public_bytes(signer.public_key)
    assert signer.signed(signer.signed(content)) == signer.signed(content)


def test_without_a_signature_it_says_so(content, tmp_path):
    (tmp_path / "bundle.zip").write_bytes(content)
    assert "Nobody has signed it" in verified(opened(tmp_path / "bundle.zip")).sentence


@pytest.mark.parametrize("changed", ["name", "public_key", "signature", "algorithm"])
def test_no_part_of_a_signature_can_be_another_one(content, signer, tmp_path, changed):
    (tmp_path / "signed.zip").write_bytes(signer.signed(content))
    sealed = opened(tmp_path / "signed.zip")
    held = json.loads(sealed.signature)
    other = Signer.of_user("", tmp_path / "other.pem")
    held[changed] = {
        "name": "Charles Babbage",
        "public_key": base64.b64encode(other.public_key).decode(),
        "signature": base64.b64encode(bytes(64)).decode(),
        "algorithm": "none",
    }[changed]
    forged = rewritten(tmp_path / "forged.zip", sealed.parts, json.dumps(held).encode())
    assert "its signature is not one of this manifest" in verified(forged).sentence


@pytest.mark.parametrize("held", [b"", b"[]", b'{"signature": 3}', b'{"signature": "", "public_key": "", "name": ""}'])
def test_a_signature_that_is_none_does_not_hold(held):
    assert not Signature.read(held, b"{}").holds


def test_a_signature_of_another_bundle_does_not_hold(content, signer, tmp_path):
    (tmp_path / "signed.zip").write_bytes(signer.signed(content))
    sealed = opened(tmp_path / "signed.zip")
    forged = rewritten(tmp_path / "forged.zip", {**sealed.parts, "selected.txt": b"other\n"}, sealed.signature)
    assert "its signature is not one of this manifest" in verified(forged).sentence


def test_exports_are_signed_where_that_is_asked_for(awkward, awkward_result, signer, tmp_path):
    export(awkward_result, awkward, tmp_path, ["selected.txt", "bundle.zip"], signer)
    with zipfile.ZipFile(tmp_path / "bundle.zip") as file:
        assert SIGNATURE in file.namelist()
    assert (tmp_path / "selected.txt").read_text(encoding="utf-8").count("\n") == len(awkward_result.features)


def test_the_command_line_signs_and_checks_the_signer(config, tmp_path, capsys):
    rows = [f"{number % 5},{number % 7},{'ab'[number % 2]}" for number in range(24)]
    (tmp_path / "t.csv").write_text("\n".join(["u,x,y", *rows]))
    quick = ["--method", "random", "--set", "max_measurements=3", "--set", "repeats=1"]
    assert invoke(["run", str(tmp_path / "t.csv"), *quick, "--out", str(tmp_path)]) == 0
    project = str(tmp_path / "run.fsdesk")
    assert invoke(["export", project, "--what", "bundle.zip", "--sign-as", "Ada"]) == 0
    fingerprint = Signer.of_user().fingerprint
    assert (config / "signing-key.pem").is_file() and f"Signed with key {fingerprint}" in capsys.readouterr().out
    path = str(tmp_path / "bundle.zip")
    assert invoke(["verify", path, "--signer", fingerprint, "--data", str(tmp_path / "t.csv"), "--all"]) == 0
    assert f'signed by "Ada", key {fingerprint}' in capsys.readouterr().out
    assert invoke(["verify", path, "--signer", fingerprint[:-4] + "AAAA"]) == 1
    assert "not signed with key" in capsys.readouterr().out
    assert invoke(["verify", path, "--signer", "Ada"]) == 2
    assert invoke(["export", project, "--what", "bundle.zip", "--sign"]) == 0
    assert invoke(["verify", path]) == 0
    assert f"signed by key {fingerprint}" in capsys.readouterr().out
    assert invoke(["export", project, "--what", "bundle.zip"]) == 0
    assert invoke(["verify", path, "--signer", fingerprint]) == 1
    assert "it is not signed" in capsys.readouterr().out
    assert invoke(["export", project, "--what", "selected.txt", "--sign"]) == 2
    assert "Only bundles are signed" in capsys.readouterr().err
