"""A hundred forgeries of a sealed bundle, each with hashes made anew: none passes, and what is untouched does."""

import hashlib
import io
import json
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.engine import BaselineMeasured, BatchMeasured, RunFinished, RunSpec, RunStarted, Steered, pack_masks
from fsdesk.errors import ProjectError, UserError
from fsdesk.results.bundle import (
    DATA_PARTS,
    PARTS,
    Origin,
    array_out,
    bundle,
    bundle_with_data,
    data_parts,
    dataset_in,
    evidence_in,
    log_lines,
    part_of,
    read_log,
    result_of,
)
from fsdesk.results.evidence import Fresh, OuterFold
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import outer_steps
from fsdesk.results.report import sections, selected_features
from fsdesk.results.report.blocks import Picture
from fsdesk.results.sealed import opened
from fsdesk.results.sealing import MANIFEST, SIGNATURE, zipped
from fsdesk.results.select import completed
from fsdesk.results.verify import verified

FORGERIES = 100
TEXTS = (
    "result.json", "mask.csv", "mask.json", "selected.txt", "report.html", "methods.txt", "measurements.csv",
    "settings.toml", "folds.json", "README.txt", "run.json", "log.jsonl", "data/meta.json",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def figures_are_sums():
    """A figure depends on log, answer, evidence and perhaps data: a sum of these stands for it, for drawing is slow.

    That figures are the same bytes twice is tested in `test_exports.py`, and that a bundle with them holds in
    `tests/golden`.
    """

    def sum_of(draw, result, dataset, caption, *, from_values=False):
        evidence = [[array_out(value) for value in each.packed()[1].values()] for each in result.evidence]
        known = (draw.__name__, log_lines(result.log), result.mask.tobytes(), evidence)
        known += (dataset.x.tobytes(),) if from_values else ()
        drawn = f"<svg><text>{hashlib.sha256(repr(known).encode()).hexdigest()}</text></svg>"
        return Picture(caption, drawn, caption, from_values)

    with pytest.MonkeyPatch.context() as patch:
        for module in (sections, selected_features):
            patch.setattr(module, "picture", sum_of)
        yield


def table(*, regression=False, rows=36):
    rng = np.random.default_rng(8)
    x = np.asfortranarray(rng.normal(size=(rows, 7)))
    codes = np.arange(rows) % 2
    x[:, 2] += 2.0 * codes
    names = tuple(f"gene {letter}" for letter in "abcdefg")
    ids = tuple(f"patient {row}" for row in range(rows))
    if regression:
        response = x[:, 2] + 0.3 * rng.normal(size=rows)
        return Dataset("cohort", x, names, np.zeros(rows, np.int64), "dose", (), ids, response=response)
    return Dataset("cohort", x, names, codes.astype(np.int64), "state", ("ill", "well"), ids, source="cohort.csv")


def proven(dataset, method, *, steerings=(), **settings):
    """A result with fresh and outer evidence."""
    spec = RunSpec.make(dataset, method=method, seed=4, settings={"repeats": 2, "folds": 3, **settings})
    result = completed(spec, dataset, steerings=steerings)
    fresh = Fresh(pack_masks([result.mask])[0], fresh_error(spec, dataset, result.mask, 4).values)
    steps = outer_steps(spec, dataset, 3, steerings=steerings)
    return replace(result, evidence=(fresh, *(step for step in steps if isinstance(step, OuterFold))))


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A small bundle that holds, and its parts."""
    dataset = table()
    path = tmp_path_factory.mktemp("honest") / "bundle.zip"
    path.write_bytes(bundle_with_data(proven(dataset, "bspsa-h", max_measurements=40), dataset))
    verdict = verified(opened(path))
    assert not verdict.fails and not verdict.unchecked, verdict.sentence
    return dict(opened(path).parts)


def written_again(parts, *, log=None, evidence=None, dataset=None, report_too=True):
    """What a careful forger writes: every document follows from what was altered."""
    said = json.loads(parts["run.json"])
    dataset = dataset or replace(dataset_in(parts), name=said["data"]["name"], source=said["data"]["source"])
    log = read_log(parts["log.jsonl"].decode()) if log is None else log
    held = evidence_in(said["evidence"]) if evidence is None else evidence
    features = said["answer"]["selected"]
    try:
        result = result_of(log, said_annotations(said), held, features)
    except UserError:  # the answer moved along
        mask = answer_of(log)
        result = result_of(
            log, said_annotations(said), held, [n for n, c in zip(dataset.features, mask, strict=True) if c]
        )
    origin = Origin(said["versions_of_this_bundle"], said["data"]["row_ids_sha256"])
    made = {name: part_of(name, result, dataset, origin) for name in PARTS if report_too or name != "report.html"}
    return made | data_parts(dataset)


def said_annotations(said):
    from fsdesk.data.annotations import Annotations

    return Annotations.unpacked(said["annotations"])


def answer_of(log):
    from fsdesk.engine import RunState

    state = RunState()
    for event in log:
        state.apply(event)
    return state.best.mask


def a_digit(rng, parts):
    """Another digit somewhere in a text."""
    name = TEXTS[rng.integers(len(TEXTS))]
    text = parts[name].decode()
    places = [match.start() for match in re.finditer(r"\d", text)]
    if not places:
        return {name: (text + "gene g\n").encode()}
    at = int(rng.choice(places))
    other = str((int(text[at]) + int(rng.integers(1, 10))) % 10)
    return {name: (text[:at] + other + text[at + 1 :]).encode()}


def a_number_of_the_result(rng, parts):
    """Half the error, and the like."""
    held = json.loads(parts["result.json"])
    numbers = [name for name, value in held.items() if isinstance(value, float)]
    name = numbers[rng.integers(len(numbers))]
    held[name] = held[name] / 2 + 1e-3
    return {"result.json": (json.dumps(held, indent=2, ensure_ascii=False) + "\n").encode()}


def another_feature(rng, parts):
    """In one of the lists of what was selected."""
    name = ("mask.csv", "selected.txt", "mask.npy", "mask.json")[rng.integers(4)]
    if name == "mask.npy":
        mask = np.load(io.BytesIO(parts[name]))
        mask[rng.integers(len(mask))] ^= True
        buffer = io.BytesIO()
        np.save(buffer, mask)
        return {name: buffer.getvalue()}
    text = parts[name].decode()
    if name == "selected.txt":
        return {name: (text + f"gene {'abcdefg'[rng.integers(7)]}\n").encode()}
    held, other = (",1,", ",0,") if name == "mask.csv" else ("true", "false")
    return {name: text.replace(held, "\0", 1).replace(other, held, 1).replace("\0", other, 1).encode()}


def another_error_in_the_report(rng, parts):
    """1.49 instead of 6.49."""
    text = parts["report.html"].decode()
    numbers = list(re.finditer(r"<b>([\d.]+) ", text))
    chosen = numbers[rng.integers(len(numbers))]
    return {"report.html": (text[: chosen.start(1)] + "0.01" + text[chosen.end(1) :]).encode()}


def a_loss(rng, parts):
    """One loss of the log smaller, everything else written anew from it."""
    log = read_log(parts["log.jsonl"].decode())
    places = [at for at, event in enumerate(log) if isinstance(event, BaselineMeasured | BatchMeasured)]
    at = int(rng.choice(places))
    values = log[at].values.copy()
    values[(*(int(rng.integers(size)) for size in values.shape),)] += rng.choice([-1, 1]) / 36
    log[at] = replace(log[at], values=values)
    return written_again(parts, log=log)


def an_event(rng, parts):
    """A mask, weights, flags or times of one event."""
    log = read_log(parts["log.jsonl"].decode())
    at = int(rng.choice([at for at, event in enumerate(log) if isinstance(event, BatchMeasured)]))
    event = log[at]
    masks = event.masks.copy()
    masks[0, 0] ^= np.uint8(1 << rng.integers(1, 8))
    changed = (
        {"masks": masks},
        {"weights": None if event.weights is None else event.weights // 2, "seconds": 1.5},
        {"candidates": tuple(not each for each in event.candidates)},
        {"iteration": event.iteration + 1},
        {"confirms": not event.confirms},
        {"trace": {**event.trace, "a": 0.1}},
        {"seconds": 2.0},
    )[rng.integers(7)]
    log[at] = replace(event, **changed)
    return written_again(parts, log=log, report_too=False)


def the_end(rng, parts):
    """Another answer at the end of the log, or another loss or reason of it."""
    log = read_log(parts["log.jsonl"].decode())
    mask = np.zeros(7, dtype=np.bool_)
    mask[rng.integers(7)] = True
    changed = ({"mask": np.packbits(mask), "mean": 0.0}, {"mean": 0.0}, {"reason": "all is well"})[rng.integers(3)]
    if rng.random() < 0.3:  # one more in the middle, which a later one seems to overrule
        log.insert(len(log) - 1, RunFinished("so far", True, None, np.packbits(mask), 0.0, 0.0))
    else:
        log[-1] = replace(log[-1], **changed)
    return written_again(parts, log=log, report_too=False)


def a_steering(rng, parts):
    """A steering that never was, or one more measurement."""
    log = read_log(parts["log.jsonl"].decode())
    number = next(event.number for event in log if isinstance(event, BatchMeasured) and event.number > 8)
    at = next(place for place, event in enumerate(log) if isinstance(event, BatchMeasured) and event.number == number)
    if rng.random() < 0.5:
        log.insert(at, Steered(number=number, ban=("gene c",)))
    else:
        del log[at]
    return written_again(parts, log=log, report_too=False)


def the_spec(rng, parts):
    """Another seed or another setting, everywhere."""
    log = read_log(parts["log.jsonl"].decode())
    assert isinstance(log[0], RunStarted)
    spec = json.loads(json.dumps(log[0].spec))
    change = rng.integers(4)
    if change == 0:
        spec["seed"] += int(rng.integers(1, 9))
    elif change == 1:
        spec["measuring"]["folds"] = 4
    elif change == 2:
        spec["method_settings"]["max_measurements"] += 10
    else:
        spec["wrapper_settings"]["k"] = 3
    log[0] = replace(log[0], spec=spec)
    return written_again(parts, log=log)


def the_evidence(rng, parts):
    """A smaller fresh or held-out error, another mask of an outer fold, or one fold more of the best."""
    held = evidence_in(json.loads(parts["run.json"])["evidence"])
    at = int(rng.integers(len(held)))
    each = held[at]
    if isinstance(each, Fresh):
        values = each.values.copy()
        values[rng.integers(len(values))] *= 0.5
        held[at] = replace(each, values=values + 0.001)
    else:
        mask = each.mask ^ np.uint8(1 << rng.integers(1, 8))
        changes = ({"loss": each.loss / 2 + 0.01}, {"mask": mask}, {"search_error": 0.01}, {"rows": each.rows + 1})
        held[at] = replace(each, **changes[rng.integers(4)])
    return written_again(parts, evidence=held)


def the_data(rng, parts):
    """Some classes swapped or values altered; half of the time with a fingerprint made anew, everywhere."""
    dataset = dataset_in(parts)
    target, x = dataset.target.copy(), dataset.x.copy(order="F")
    if rng.random() < 0.5:
        chosen = rng.choice(np.flatnonzero(target == 0), 3), rng.choice(np.flatnonzero(target == 1), 3)
        target[chosen[0]], target[chosen[1]] = 1, 0
    else:
        x[:, 2] = x[rng.permutation(len(x)), 2]
    other = replace(dataset, target=target, x=x)
    if rng.random() < 0.5:
        return data_parts(other)
    log = read_log(parts["log.jsonl"].decode())
    log[0] = replace(log[0], spec={**log[0].spec, "data_fingerprint": other.fingerprint})
    return written_again(parts, log=log, dataset=other)


def a_file(rng, parts):
    """One more, one less, or one that leads out of the folder."""
    change = rng.integers(4)
    if change == 0:
        return {f"figure{rng.integers(9)}.svg": b"<svg></svg>"}
    if change == 1:
        return {"../evil.txt": b"out"}
    names = [name for name in (*PARTS, *DATA_PARTS) if change == 2 or name in DATA_PARTS]
    return {names[rng.integers(len(names))]: None}


FORGERS = (
    a_digit, a_number_of_the_result, another_feature, another_error_in_the_report, a_loss, an_event, the_end,
    a_steering, the_spec, the_evidence, the_data, a_file,
)  # fmt: skip
OF_THE_LOG = (an_event, the_end, a_steering)  # found by replaying, before any document is compared


def forged(parts, forger, seed):
    """The parts after a forgery, with None for one that is gone."""
    made = {**parts, **forger(np.random.default_rng(seed), parts)}
    assert made != parts, "no forgery at all"
    return {name: content for name, content in made.items() if content is not None}


def test_no_forgery_of_a_hundred_passes(honest, tmp_path):
    path, passed = tmp_path / "forged.zip", []
    for seed in range(FORGERIES):
        forger = FORGERS[seed % len(FORGERS)]
        path.write_bytes(zipped(forged(honest, forger, seed)))
        try:
            verdict = verified(opened(path))
        except UserError:
            continue  # refused outright
        if not verdict.fails or (forger in OF_THE_LOG and verdict.fails[0].startswith(PARTS)):
            passed.append((seed, forger.__name__, verdict.sentence))
    assert not passed


@pytest.mark.parametrize(("method", "regression"), [("bspsa", False), ("bspsa-h", True), ("sfs", False)])
def test_untouched_bundles_hold_with_the_data_and_without(method, regression, tmp_path):
    dataset = table(regression=regression)
    limit = {} if method == "sfs" else {"max_measurements": 40}
    result = proven(dataset, method, **limit)
    (tmp_path / "whole.zip").write_bytes(bundle_with_data(result, dataset))
    verdict = verified(opened(tmp_path / "whole.zip"))
    assert not verdict.fails and not verdict.unchecked, verdict.sentence
    assert "3 searches inside" in verdict.sentence and "error on new folds is identical" in verdict.sentence
    (tmp_path / "alone.zip").write_bytes(bundle(result, dataset))
    alone = verified(opened(tmp_path / "alone.zip"))
    assert not alone.fails, alone.sentence
    assert "losses, which need the data" in alone.sentence
    assert not verified(opened(tmp_path / "alone.zip"), dataset).fails


@pytest.mark.usefixtures("filters_scored_once")
@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("univariate", {"resamples": 3}),
        ("ranking", {"max_measurements": 30}),
        ("ants", {"max_measurements": 30, "guide": "f"}),
    ],
)
def test_a_search_that_asks_for_filters_is_said_to_be_unchecked_without_the_data(method, settings, tmp_path):
    dataset = table()
    result = completed(RunSpec.make(dataset, method=method, settings=settings), dataset)
    (tmp_path / "alone.zip").write_bytes(bundle(result, dataset))
    alone = verified(opened(tmp_path / "alone.zip"))
    assert not alone.fails, alone.sentence
    assert "the search, because it uses filter scores, which need the data" in alone.sentence
    whole = verified(opened(tmp_path / "alone.zip"), dataset)
    assert not whole.fails and "and the result, can be reproduced" in whole.sentence


@pytest.mark.parametrize("forger", [a_number_of_the_result, another_feature, another_error_in_the_report, the_end])
def test_without_the_data_documents_are_compared_with_the_log(honest, forger, tmp_path):
    parts = {name: content for name, content in forged(honest, forger, 3).items() if name not in DATA_PARTS}
    (tmp_path / "forged.zip").write_bytes(zipped(parts))
    assert verified(opened(tmp_path / "forged.zip")).fails


def test_other_words_in_the_heatmap_of_a_bundle_without_data_are_said_to_be_unchecked(honest, tmp_path):
    parts = {name: content for name, content in honest.items() if name not in DATA_PARTS}
    (tmp_path / "alone.zip").write_bytes(zipped(parts))
    assert "heatmap of the selected features" in verified(opened(tmp_path / "alone.zip")).sentence
    text = parts["report.html"].decode()
    at = text.rindex("</svg>")
    parts["report.html"] = (text[:at] + "</svg><p>error 0 %</p><svg>" + text[at:]).encode()
    (tmp_path / "forged.zip").write_bytes(zipped(parts))
    assert "report.html does not follow" in verified(opened(tmp_path / "forged.zip")).sentence


def test_a_log_that_was_stopped_and_went_on_and_was_steered_holds(tmp_path):
    dataset = table()
    steerings = (Steered(number=9, ban=("gene a",)), Steered(number=20, measurements=10))
    result = proven(dataset, "bspsa-h", steerings=steerings, max_measurements=40)
    (tmp_path / "steered.zip").write_bytes(bundle_with_data(result, dataset))
    verdict = verified(opened(tmp_path / "steered.zip"))
    assert not verdict.fails and not verdict.unchecked, verdict.sentence


@pytest.mark.parametrize(
    ("name", "words"),
    [("../evil.txt", "lead out"), ("/etc/evil", "lead out"), ("C:\\evil", "lead out"), ("a/..\\..\\evil", "lead out")],
)
def test_no_path_leaves_the_folder(honest, name, words, tmp_path):
    (tmp_path / "forged.zip").write_bytes(zipped({**honest, name: b"out"}))
    assert words in verified(opened(tmp_path / "forged.zip")).sentence


def test_two_files_of_one_name_links_and_comments_are_named(honest, tmp_path):
    path = tmp_path / "odd.zip"
    path.write_bytes(zipped(honest))
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("selected.txt", "gene a\n")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        file.writestr(link, "/etc/passwd")
        file.comment = b"checked by us"
    said = verified(opened(path)).sentence
    assert 'duplicate file names: "selected.txt"' in said and 'links instead of files: "link"' in said
    assert "comments of the archive" in said


def test_a_bundle_whose_packed_parts_are_damaged_or_unpack_without_end_is_refused(honest, tmp_path):
    path = tmp_path / "damaged.zip"
    content = bytearray(zipped(honest))
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        packed = file.getinfo("report.html").header_offset + 100
    content[packed : packed + 40] = b"\xff" * 40
    path.write_bytes(content)
    with pytest.raises(ProjectError, match="truncated"):
        opened(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("report.html", bytes(300 << 20), compresslevel=1)
    with pytest.raises(ProjectError, match="unpacks to far more than its size"):
        opened(path)


def test_a_signature_nested_without_end_does_not_match(honest, tmp_path):
    (tmp_path / "nested.zip").write_bytes(zipped(honest))
    with zipfile.ZipFile(tmp_path / "nested.zip", "a") as file:
        file.writestr(SIGNATURE, b"[" * 100_000)
    assert "its signature does not match" in verified(opened(tmp_path / "nested.zip")).sentence


def test_a_manifest_that_says_more_is_no_manifest(honest, tmp_path):
    path = tmp_path / "more.zip"
    with zipfile.ZipFile(io.BytesIO(zipped(honest))) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    parts[MANIFEST] = json.dumps({**json.loads(parts[MANIFEST]), "approved_by": "the editor"}).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    assert 'extra entries in its manifest: "approved_by"' in verified(opened(path)).sentence


def test_what_takes_too_long_is_said_to_be_unchecked(honest, tmp_path):
    (tmp_path / "bundle.zip").write_bytes(zipped(honest))
    hasty = verified(opened(tmp_path / "bundle.zip"), seconds=0.0)
    assert not hasty.fails
    assert "other" in hasty.sentence and "losses, which take long" in hasty.sentence
    assert "searches inside the outer folds" in hasty.sentence
    assert not verified(opened(tmp_path / "bundle.zip"), seconds=None).unchecked


def test_times_that_nobody_can_check_are_not_in_a_bundle_but_where_they_end_a_search(honest, tmp_path):
    log = read_log(honest["log.jsonl"].decode())
    assert not any(event.seconds for event in log if isinstance(event, BaselineMeasured | BatchMeasured))
    log[3] = replace(log[3], seconds=2.0)
    (tmp_path / "forged.zip").write_bytes(zipped(honest | written_again(honest, log=log, report_too=False)))
    assert "timings" in verified(opened(tmp_path / "forged.zip")).fails[0]
    dataset = table()
    result = proven(dataset, "bspsa", max_minutes=5, max_measurements=20)
    (tmp_path / "timed.zip").write_bytes(bundle_with_data(replace(result, evidence=()), dataset))
    timed = verified(opened(tmp_path / "timed.zip"))
    assert not timed.fails and "the measuring times" in timed.sentence


def test_a_bundle_without_outer_folds_says_no_time_that_they_would_take(tmp_path):
    dataset = table()
    result = replace(proven(dataset, "bspsa", max_measurements=20), evidence=())
    (tmp_path / "bundle.zip").write_bytes(bundle(result, dataset))
    sealed = opened(tmp_path / "bundle.zip")
    assert b"measures it in 5 outer folds." in sealed.parts["report.html"]
    assert not verified(sealed).fails
