"""The sealed bundle and its signature."""

import base64
import hashlib
import io
import json
import stat
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fsdesk.cli import invoke
from fsdesk.engine import RunFinished, RunSpec, Steered
from fsdesk.errors import DataError, ProjectError, SettingsError, WrapperError
from fsdesk.results.bundle import bundle, bundle_with_data, log_lines, read_log
from fsdesk.results.exports import export
from fsdesk.results.methods_text import methods_text
from fsdesk.results.pipeline import fitted_pipeline
from fsdesk.results.sealed import opened
from fsdesk.results.sealing import MANIFEST, SIGNATURE, Signature, Signer, manifest_of, zipped
from fsdesk.results.select import completed
from fsdesk.results.verify import verified
from tests.sketching import reports_sketched

FAST = {"max_iterations": 12, "repeats": 2, "n_finalists": 4, "finalist_measurements": 2}


@pytest.fixture(scope="module", autouse=True)
def quick_reports():
    """Whole figures are in the bundles of `test_exports.py` and `tests/golden`."""
    with reports_sketched():
        yield


@pytest.fixture(scope="module")
def sealed(awkward, awkward_result, tmp_path_factory):
    path = tmp_path_factory.mktemp("sealed") / "bundle.zip"
    path.write_bytes(bundle(awkward_result, awkward))
    return path


@pytest.fixture(scope="module")
def whole(awkward, awkward_result, tmp_path_factory):
    path = tmp_path_factory.mktemp("sealed") / "whole.zip"
    path.write_bytes(bundle_with_data(awkward_result, awkward))
    return path


def altered(path, change, *, resealed=False):
    """The parts of a bundle after a change, written over it; with ``resealed`` its manifest goes along."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    change(parts)
    if resealed:
        parts[MANIFEST] = manifest_of({name: part for name, part in parts.items() if name != MANIFEST})
    other = path.with_name(f"altered {len(list(path.parent.iterdir()))}.zip")
    with zipfile.ZipFile(other, "w") as file:
        for name, part in parts.items():
            file.writestr(name, part)
    return other


def test_the_same_run_gives_the_same_bytes(awkward, awkward_result, sealed):
    assert bundle(awkward_result, awkward) == sealed.read_bytes()
    with zipfile.ZipFile(sealed) as file:
        assert file.namelist() == sorted(file.namelist())
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        manifest = json.loads(file.read(MANIFEST))["sha256"]
        for name in set(file.namelist()) - {MANIFEST}:
            assert manifest[name] == hashlib.sha256(file.read(name)).hexdigest()


def test_it_holds_all_that_a_reviewer_asks_for(awkward, awkward_result, sealed, whole):
    parts = opened(sealed).parts
    for name in ("README.txt", "methods.txt", "report.html", "settings.toml", "mask.csv", "mask.npy", "selected.txt"):
        assert parts[name]
    run, folds = json.loads(parts["run.json"]), json.loads(parts["folds.json"])
    assert run["data"]["sha256"] == awkward.fingerprint and run["seed"] == 2
    assert {"fsdesk", "numpy", "scipy"} <= run["versions_of_this_bundle"].keys()
    assert folds["bit_generator"] == "PCG64"
    assert np.array(folds["labels_of_measurement_0"]).shape == (2, 48)
    lines = parts["measurements.csv"].decode().splitlines()
    assert len(lines) == awkward_result.evaluations + 1
    assert "data/x.npy" not in parts and "data/x.npy" in opened(whole).parts


def test_every_event_comes_back_from_the_log_to_the_bit(awkward_result):
    steered = Steered(number=3, pin=("a",), measurements=5)
    log = [*awkward_result.log, steered]
    back = read_log(log_lines(log))
    assert log_lines(back) == log_lines(log)
    assert [type(event) for event in back] == [type(event) for event in log]
    assert back[-1] == steered
    with pytest.raises(ProjectError, match="Line 1"):
        read_log("{}\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda parts: parts.update({"selected.txt": b"other\n"}), 'changed since it was sealed: "selected.txt"'),
        (lambda parts: parts.pop("methods.txt"), 'missing: "methods.txt"'),
        (lambda parts: parts.update({"more.txt": b""}), 'added later: "more.txt"'),
    ],
)
def test_what_was_changed_is_named(sealed, change, words):
    verdict = verified(opened(altered(sealed, change)))
    assert not verdict.holds and words in verdict.sentence


def test_a_forged_mask_or_answer_is_found_though_the_manifest_was_made_anew(sealed):
    def mask(parts):
        buffer = io.BytesIO()
        np.save(buffer, np.ones(6, dtype=np.bool_))
        parts["mask.npy"] = buffer.getvalue()

    def end(parts):
        log = read_log(parts["log.jsonl"].decode())
        assert isinstance(log[-1], RunFinished)
        log[-1] = replace(log[-1], mask=np.array([255], dtype=np.uint8), mean=0.0)
        parts["log.jsonl"] = log_lines(log).encode()

    def seed(parts):
        run = json.loads(parts["run.json"])
        run["spec"]["seed"] = 3
        parts["run.json"] = json.dumps(run).encode()

    for change, words in (
        (mask, "mask.npy does not follow"),
        (end, "the end of the search in the log"),
        (seed, "run.json does not follow"),
    ):
        assert words in verified(opened(altered(sealed, change, resealed=True))).sentence


def test_other_data_are_refused(awkward, sealed):
    with pytest.raises(DataError, match="not the table that this run was made on"):
        verified(opened(sealed), replace(awkward, x=awkward.x + 1.0))


def test_a_steered_run_with_a_filter_holds_too(awkward, tmp_path):
    spec = RunSpec.make(awkward, method="bspsa", seed=1, settings={**FAST, "prefilter": "f", "keep": 4})
    steerings = (Steered(number=5, ban=("@home",)),)
    result = completed(spec, awkward, steerings=steerings)
    (tmp_path / "a.zip").write_bytes(bundle_with_data(result, awkward))
    assert not verified(opened(tmp_path / "a.zip")).fails
    (tmp_path / "b.zip").write_bytes(bundle(result, awkward))
    assert "needs the data" in verified(opened(tmp_path / "b.zip")).sentence
    assert "changed by hand" in methods_text(result, awkward)


def test_a_bundle_of_values_near_the_largest_number_holds(make_dataset, tmp_path):
    x = np.random.default_rng(3).normal(size=(24, 4))
    dataset = make_dataset(x / np.abs(x).max() * 1.797e308, np.arange(24) % 2)
    result = completed(RunSpec.make(dataset, method="full", seed=1, settings={"repeats": 2}), dataset)
    (tmp_path / "a.zip").write_bytes(bundle_with_data(result, dataset))
    verdict = verified(opened(tmp_path / "a.zip"))
    assert verdict.passes and verdict.holds, verdict.sentence
    with pytest.raises(WrapperError, match="cannot train this run's pipeline"):
        fitted_pipeline(result, dataset)


def test_without_a_log_there_is_no_bundle(awkward, awkward_result, tmp_path):
    with pytest.raises(SettingsError, match="needs the run's log"):
        export(replace(awkward_result, log=()), awkward, tmp_path, ["bundle.zip"])


def test_exit_codes_are_those_of_the_readme(sealed, whole, tmp_path, capsys):
    assert invoke(["verify", str(whole)]) == 0
    assert "Verified: all 16 files" in capsys.readouterr().out
    assert invoke(["verify", str(altered(sealed, lambda parts: parts.update({"selected.txt": b""})))]) == 1
    (tmp_path / "no.zip").write_bytes(b"PK no")
    assert invoke(["verify", str(tmp_path / "no.zip")]) == 2
    assert invoke(["verify", str(tmp_path / "absent.zip")]) == 2


def test_the_table_is_prepared_as_for_the_run_a_column_like_row_ids_too(tmp_path, capsys):
    rows = [f"{number},{number % 7},{'ab'[number % 2]}" for number in range(1, 21)]
    (tmp_path / "t.csv").write_text("\n".join(["id,x,y", *rows]))
    quick = ["--method", "random", "--set", "max_measurements=3", "--set", "repeats=1"]
    assert invoke(["run", str(tmp_path / "t.csv"), "--keep", "id", *quick, "--out", str(tmp_path)]) == 0
    assert invoke(["export", str(tmp_path / "run.fsdesk"), "--what", "bundle.zip"]) == 0
    given = ["verify", str(tmp_path / "bundle.zip"), "--data", str(tmp_path / "t.csv")]
    assert invoke(given) == 0
    assert "losses are identical to the last bit" in capsys.readouterr().out
    assert invoke([*given, "--ignore", "x"]) == 2
    assert "not the table" in capsys.readouterr().err


def test_the_table_is_read_as_for_the_run_with_all_that_was_accepted(tmp_path, capsys):
    rows = [f"{-999 if number % 9 == 0 else number % 7};0{number % 3};<0,{number % 4 + 1};{'ab'[number % 2]}"
            for number in range(1, 41)]  # fmt: skip
    (tmp_path / "t.csv").write_text("\n".join(["dose;ward;crp;y", *rows]))
    quick = ["--method", "random", "--set", "max_measurements=3", "--set", "repeats=1", "--wrapper", "nn"]
    assert invoke(["run", str(tmp_path / "t.csv"), "--ignore", "ward", *quick, "--out", str(tmp_path)]) == 2
    assert invoke(
        ["run", str(tmp_path / "t.csv"), "--ignore", "ward", "--accept-reading", *quick, "--out", str(tmp_path)]
    ) == 0  # fmt: skip
    assert invoke(["export", str(tmp_path / "run.fsdesk"), "--what", "bundle.zip"]) == 0
    assert invoke(["verify", str(tmp_path / "bundle.zip"), "--data", str(tmp_path / "t.csv")]) == 0
    assert "losses are identical to the last bit" in capsys.readouterr().out
    (tmp_path / "new.csv").write_text("dose;ward;crp\n-999;01;<0,2\n3;02;<0,4\n")
    out = str(tmp_path / "p.csv")
    assert invoke(["predict", str(tmp_path / "run.fsdesk"), str(tmp_path / "new.csv"), "--out", out]) == 0


def test_the_methods_paragraph_says_the_numbers_and_the_sources(awkward, awkward_result):
    text = methods_text(awkward_result, awkward)
    criterion = awkward_result.criterion
    for words in ("48 samples", "6 candidates", "seed was 2", criterion.text(awkward_result.search_error), "numpy",
                  criterion.text(awkward_result.baseline_error), "optimistic", "References", "Pattern"):  # fmt: skip
        assert words in text, words


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
    with pytest.raises(ProjectError, match="Move it away"):
        Signer.of_user("", path)
    assert path.read_bytes() == held


def test_a_signed_bundle_says_who_sealed_it_and_any_ed25519_agrees(content, signer, tmp_path):
    (tmp_path / "signed.zip").write_bytes(signer.signed(content))
    sealed = opened(tmp_path / "signed.zip")
    verdict = verified(sealed)
    assert not verdict.fails
    assert f'signed by key {signer.fingerprint}, with the name "Ada Lovelace"' in verdict.sentence
    assert "It is unsigned" not in verdict.sentence
    held = json.loads(sealed.signature)
    assert base64.b64decode(held["public_key"]) == signer.public_key
    Ed25519PublicKey.from_public_bytes(signer.public_key)
    assert signer.signed(signer.signed(content)) == signer.signed(content)


HOSTILE = [
    "\x1b[2J\x1b[1;1Hbundle.zip: Holds: all numbers. Signed by the editor",
    "Ada\nVerdict: everything checked in the bundle is valid.",
    "Ada\r\x1b]0;title\x07\x9b2J",
    'Ada", key SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    "\u202eecalevoL adA\u2066\u200f\u2028x",
    "A" * 5000,
]


def said_by_verify(path, capsys):
    code = invoke(["verify", str(path)])
    said = capsys.readouterr().out
    assert said.replace("\n", "").isprintable()
    assert len(said) < 3000
    return code, said.splitlines()


@pytest.mark.parametrize("name", HOSTILE)
def test_the_name_of_a_signer_commands_no_terminal_and_imitates_no_key(name, content, signer, tmp_path, capsys):
    path = tmp_path / "signed.zip"
    path.write_bytes(replace(signer, name=name).signed(content))
    code, (lines, verdict) = said_by_verify(path, capsys)
    assert code == 0
    assert verdict == "Verdict: everything checked in the bundle is valid."
    assert f"signed by key {signer.fingerprint}, with the name" in lines
    assert lines.index(signer.fingerprint) < lines.index("with the name")
    assert f'", key {"SHA256:"}' not in lines.replace('\\", key', "")


@pytest.mark.parametrize("name", HOSTILE)
def test_names_inside_of_a_bundle_command_no_terminal(name, sealed, tmp_path, capsys):
    path = altered(sealed, lambda parts: parts.update({name[:200]: b"x"}), resealed=True)
    code, (lines, verdict) = said_by_verify(path, capsys)
    assert code == 1
    assert verdict == "Verdict: the bundle is not valid."
    assert "files that do not belong in a bundle" in lines or "lead outside the folder" in lines


def test_words_in_the_log_and_in_the_versions_command_no_terminal(sealed, capsys):
    def versions(parts):
        run = json.loads(parts["run.json"])
        run["versions_of_this_bundle"]["fsdesk"] = HOSTILE[0]
        parts["run.json"] = json.dumps(run).encode()

    def target(parts):
        run = json.loads(parts["run.json"])
        run["data"]["target"] = HOSTILE[1]
        parts["run.json"] = json.dumps(run).encode()

    for change in (versions, target):
        code, (_, verdict) = said_by_verify(altered(sealed, change, resealed=True), capsys)
        assert code == 1
        assert verdict.startswith("Verdict: the bundle ")
        assert verdict.endswith(("is not valid.", "cannot be fully checked."))


def test_without_a_signature_it_says_so(content, tmp_path):
    (tmp_path / "bundle.zip").write_bytes(content)
    assert "It is unsigned" in verified(opened(tmp_path / "bundle.zip")).sentence


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
    assert "its signature does not match this manifest" in verified(forged).sentence


@pytest.mark.parametrize("held", [b"", b"[]", b'{"signature": 3}', b'{"signature": "", "public_key": "", "name": ""}'])
def test_a_signature_that_is_none_does_not_hold(held):
    assert not Signature.read(held, b"{}").holds


def test_a_signature_of_another_bundle_does_not_hold(content, signer, tmp_path):
    (tmp_path / "signed.zip").write_bytes(signer.signed(content))
    sealed = opened(tmp_path / "signed.zip")
    forged = rewritten(tmp_path / "forged.zip", {**sealed.parts, "selected.txt": b"other\n"}, sealed.signature)
    assert "its signature does not match this manifest" in verified(forged).sentence


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
    assert f'signed by key {fingerprint}, with the name "Ada"' in capsys.readouterr().out
    assert invoke(["verify", path, "--signer", fingerprint[:-4] + "AAAA"]) == 1
    assert "not with key" in capsys.readouterr().out
    assert invoke(["verify", path, "--signer", "Ada"]) == 2
    assert invoke(["export", project, "--what", "bundle.zip", "--sign", "--overwrite"]) == 0
    assert invoke(["verify", path]) == 0
    assert f"signed by key {fingerprint}" in capsys.readouterr().out
    assert invoke(["export", project, "--what", "bundle.zip", "--overwrite"]) == 0
    assert invoke(["verify", path, "--signer", fingerprint]) == 1
    assert "it is not signed" in capsys.readouterr().out
    assert invoke(["export", project, "--what", "selected.txt", "--sign"]) == 2
    assert "Only bundles can be signed" in capsys.readouterr().err
