"""Verification of a sealed bundle: all of its content is derived again from its log and the data, and compared.

The hashes of its manifest only protect against damage, because a forger can recompute them. So the search is replayed
from its seed, which gives every event of the log except the losses; losses, re-estimates and outer folds are measured
again; and every other file is written again from these and compared byte for byte.
"""

import html
import json
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.annotations import Annotations
from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    Flag,
    RunFailed,
    RunFinished,
    RunSpec,
    RunStarted,
    RunState,
    Steered,
    SubsetsJudged,
    ThreadExecutor,
    run,
    usable_cores,
)
from fsdesk.engine.events import unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, ProjectError, UserError
from fsdesk.measure import Measurement
from fsdesk.messages import (
    ENGLISH,
    escaped,
    in_language,
    message,
    shortened,
    tr,
    translated,
    with_short_values,
)
from fsdesk.methods import Mask, Rows, Subsets
from fsdesk.results.bundle import (
    DATA_PARTS,
    PARTS,
    Origin,
    array_out,
    checks_in,
    data_parts,
    dataset_in,
    evidence_in,
    library_version,
    log_lines,
    made_with,
    part_of,
    read_log,
    result_of,
    row_digest,
    settled,
    times_count,
)
from fsdesk.results.evidence import Evidence, Fresh, OuterFold, OwnError
from fsdesk.results.held_out_rows import own_error
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import outer_steps, tested_again
from fsdesk.results.record import RunRecord
from fsdesk.results.result_json import FROM_VALUES
from fsdesk.results.sealed import DAMAGE, Sealed, quoted_names
from fsdesk.results.sealing import Signature, manifest_of

SECONDS = 60.0
"""Seconds for remeasuring losses, unless all are requested."""

_LABELS = ("rows", "fixed", "sha256_of_labels", "labels_of_measurement_0")
_SHARE_OF_LOSSES = 0.5  # fraction of the time; the searches of outer folds get the rest


def _listed(said: Sequence[str]) -> str:
    return "; ".join(map(_in_words, said))


def _in_words(said: str) -> str:
    """A message in the current language; text from the bundle is put on one line and shortened."""
    return shortened(translated(with_short_values(said)), 2000)


@dataclass(frozen=True)
class Verdict:
    """Checks that passed and failed, each a message of a few words, which may contain text from the bundle.

    Attributes
    ----------
    holds, fails
        What was derived or measured again, and whether it is identical.
    unchecked
        What could be checked, with the data or with more time.
    foreign
        Why documents could not be compared: another version wrote them. The bundle then does not pass, because a forger
        could claim this too.
    remarks
        What cannot be derived, and who vouches for it; complete sentences.
    """

    holds: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether everything visible to a reader was compared, and is correct."""
        return not (self.fails or self.foreign)

    @property
    def sentence(self) -> str:
        """One sentence, in the current language."""
        parts = []
        if self.fails:
            parts.append(tr("failed: {what}", what=_listed(self.fails)))
        if self.foreign and not self.fails:
            parts.append(tr("cannot be fully checked: {what}", what=_listed(self.foreign)))
        if self.holds and self.passes:
            parts.append(tr("verified: {what}", what=_listed(self.holds)))
        elif self.holds:
            parts.append(tr("still verified: {what}", what=_listed(self.holds)))
        if self.unchecked:
            parts.append(tr("not checked: {what}", what=_listed(self.unchecked)))
        said = ". ".join(part[:1].upper() + part[1:] for part in parts) + "."
        return " ".join([said, *map(_in_words, self.remarks)])

    @property
    def conclusion(self) -> str:
        """A separate line, in the current language, without text from the bundle."""
        if self.fails:
            return tr("Verdict: the bundle is not valid.")
        if self.foreign:
            return tr("Verdict: the bundle cannot be fully checked.")
        return tr("Verdict: everything checked in the bundle is valid.")

    def __add__(self, other: "Verdict") -> "Verdict":
        return Verdict(
            self.holds + other.holds,
            self.fails + other.fails,
            self.unchecked + other.unchecked,
            self.foreign + other.foreign,
            self.remarks + other.remarks,
        )


@dataclass(eq=False)
class _Claims:
    """Content of a bundle to be checked: log, data, and the result derived from them."""

    sealed: Sealed
    log: list[Event]
    spec: RunSpec
    dataset: Dataset
    has_values: bool
    result: RunRecord
    seconds: float | None
    repeated: bool = False

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Evidence measured after the search, according to the bundle."""
        return self.result.evidence


def verified(sealed: Sealed, dataset: Dataset | None = None, seconds: float | None = SECONDS) -> Verdict:
    """Check everything that can be checked; an early failure ends it, because the rest is derived from that.

    Parameters
    ----------
    dataset
        The data, if available; otherwise those in the bundle.
    seconds
        Approximate seconds for remeasuring losses, those shown in the result first and the others in random order,
        followed by the searches of outer folds if these take no longer; None: all of it.

    Raises
    ------
    DataError
        If ``dataset`` is not the table of the run.
    """
    verdict = _container(sealed)
    if verdict.fails:
        return verdict
    with in_language(ENGLISH):
        try:
            claims = _claims_of(sealed, dataset, seconds)
            for check in (_replays, _documents, _losses, _split_losses, _fresh, _outer, _own, _other_evidence):
                verdict += check(claims)
                if verdict.fails:
                    return verdict
        except _ForeignDataError:
            raise
        except DAMAGE as error:
            said = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
            return verdict + Verdict(
                fails=(message("its contents cannot be recomputed ({why})", why=said.rstrip(".")),)
            )
    return verdict


class _ForeignDataError(DataError):
    """The given data are not those of the run."""


def _container(sealed: Sealed) -> Verdict:
    """The file itself: no missing or additional parts, each as in the manifest."""
    wanted = {*PARTS, *DATA_PARTS} if sealed.has_data else {*PARTS}
    unknown, absent = sorted(sealed.parts.keys() - wanted), sorted(wanted - sealed.parts.keys())
    fails = list(sealed.faults)
    fails += [message("files that do not belong in a bundle: {names}", names=quoted_names(unknown))] if unknown else []
    fails += [message("missing: {names}", names=quoted_names(absent))] if absent else []
    fails += _hashes(sealed)
    signature = None if sealed.signature is None else Signature.read(sealed.signature, sealed.manifest)
    if signature is not None and not signature.holds:
        fails.append(message("its signature does not match this manifest"))
    if fails:
        return Verdict(fails=tuple(fails))
    held = message("all {count} files are as they were sealed", count=len(sealed.parts))
    if signature is None:
        said = message("It is unsigned: names, notes and library versions are as written by whoever made it.")
        return Verdict((held,), remarks=(said,))
    said = message("Compare the key with the one its owner gives you through another channel.")
    return Verdict((held, message("signed by {who}", who=signature.who)), remarks=(said,))


def _hashes(sealed: Sealed) -> Iterator[str]:
    try:
        said, made = json.loads(sealed.manifest), json.loads(manifest_of(sealed.parts))
        listed, found = dict(said["sha256"]), made["sha256"]
    except DAMAGE:
        yield message("its manifest cannot be read")
        return
    if names := [name for name in found if name in listed and listed[name] != found[name]]:
        yield message("changed since it was sealed: {names}", names=quoted_names(names))
    if names := [name for name in listed if name not in found]:
        yield message("only in its manifest: {names}", names=quoted_names(names))
    if names := [name for name in found if name not in listed]:
        yield message("added later: {names}", names=quoted_names(names))
    if names := [name for name in said if said[name] != made.get(name) and name != "sha256"]:
        yield message("extra entries in its manifest: {names}", names=quoted_names(names))


def _claims_of(sealed: Sealed, given: Dataset | None, seconds: float | None) -> _Claims:
    about, log = sealed.about, read_log(sealed.parts["log.jsonl"].decode())
    first = log[0]
    if not isinstance(first, RunStarted):
        raise ProjectError("its log does not begin with a spec")
    spec = RunSpec.model_validate(first.spec)
    held = dataset_in(sealed.parts) if sealed.has_data else None
    if given is not None and given.fingerprint != spec.data_fingerprint:
        raise _ForeignDataError(
            f"{given.name} is not the table that this run was made on: its values, columns, roles or target differ "
            f"(SHA-256 {given.fingerprint[:12]}…, wanted {spec.data_fingerprint[:12]}…). Read it as the run did, with "
            "the same column of groups for instance, or give the project of the run."
        )
    if held is not None and held.fingerprint != spec.data_fingerprint:
        raise ProjectError("the data in it are not those of the run")
    data = about["data"]
    dataset = held or given
    dataset = _without_values(about, spec) if dataset is None else dataset
    dataset = replace(
        dataset,
        name=data["name"], source=data["source"], checks=checks_in(data["checks"]), ways=data.get("ways", {}),
        role_names=data.get("role_names", {}),
    )  # fmt: skip
    if held is None and given is None:
        dataset.__dict__["fingerprint"] = spec.data_fingerprint  # as if it had the values
    result = result_of(
        log, Annotations.unpacked(about["annotations"]), evidence_in(about["evidence"]), about["answer"]["selected"]
    )
    return _Claims(sealed, log, spec, dataset, (held or given) is not None, result, seconds)


def _without_values(about: Mapping[str, Any], spec: RunSpec) -> Dataset:
    """A data set of the same shape: methods see no values, and most files of a run do not depend on them."""
    data = about["data"]
    rows, features = int(data["rows"]), tuple(data["features"])
    sizes = np.array(data["class_sizes"], dtype=np.int64)
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(sizes)), sizes) if len(sizes) else np.zeros(rows, dtype=np.int64)
    roles = {name: np.sort(np.arange(rows, dtype=np.int64) % count) for name, count in data["roles"].items()}
    if len(codes) != rows:
        raise ProjectError("the rows of its classes are not all rows")
    response = None if data["classes"] else np.linspace(1.25, 9.75, rows) * np.pi
    event = data.get("event", "")
    if event and response is not None:  # every second row is censored, but which rows makes no difference
        codes = np.arange(rows) % 2
        response = np.where(codes == 1, response, -response)
        if data.get("late"):
            response = np.stack([response, np.abs(response) / 2], axis=1)
    x = np.asfortranarray(rng.normal(size=(rows, len(features))))
    nominal = [int(place) for place in data.get("nominal", []) if 0 <= int(place) < len(features)]
    x[:, nominal] = 0.0
    x[0, data.get("gaps", [])] = np.nan
    return Dataset(
        name=data["name"],
        x=x,
        features=features,
        target=codes.astype(np.int64),
        target_name=data["target"],
        classes=tuple(data["classes"]),
        rows=tuple(map(str, range(rows))),
        response=response,
        event=event,
        entry=data.get("entry", ""),
        groups=roles.get("groups"),
        fold_of=roles.get("fold_of"),
        time=roles.get("time"),
        categories=dict.fromkeys(nominal, ("",)),
    )


class _NoMeasuring:
    """An executor that reports requests beyond the log instead of measuring."""

    threads = usable_cores()

    def measure(
        self,
        masks: Sequence[Mask],
        number: int,
        folds: int | None = None,
        going: Callable[[], bool] | None = None,
        halts: Callable[[], bool] | None = None,
        model: str = "",
    ) -> list[Measurement]:
        raise ProjectError("the log ends before measurement {number}, which the search requests", number=number)

    def judge(
        self, masks: Sequence[Mask], number: int, rows: Rows, halts: Callable[[], bool] | None = None
    ) -> list[Measurement]:
        raise ProjectError("the log ends before measurement {number}, which the search requests", number=number)


def _replays(claims: _Claims) -> Verdict:
    """Whether the method, from its seed, requests exactly the subsets of the log, and ends as the log says."""
    spec, log = claims.spec, claims.log
    if not all(map(_says_the_same, settled(log), log)) or len(settled(log)) != len(log):
        return Verdict(
            fails=(message("the log contains timings or failed measurements, which a sealed log never does"),)
        )
    failed = [event for event in log if isinstance(event, RunFailed)]
    remarks = (
        (
            message(
                'The reason why it failed is as written by its maker ("{why}").', why=escaped(failed[-1].message, 120)
            ),
        )
        if failed
        else ()
    )
    if not claims.has_values and spec.prefilter.prefilter != "none":
        return Verdict(
            unchecked=(message("the search, because it began with a filter, which needs the data"),), remarks=remarks
        )
    if not claims.has_values and spec.method_at_work().asks_filters(len(claims.dataset.features)):
        return Verdict(
            unchecked=(message("the search, because it uses filter scores, which need the data"),), remarks=remarks
        )
    try:
        made = _made_again(spec, claims.dataset, log)
    except ProjectError as error:
        others = [name for name, held in spec.versions.items() if held != library_version(name)]
        why = message("it was altered")
        if others:
            why = message(
                "it was altered, or made with {libraries} other than those installed here",
                libraries=quoted_names(others),
            )
        ends = str(error).partition(":")[0]
        said = message(
            "the log cannot be reproduced from seed {seed}: {why} ({ends})", seed=spec.seed, why=why, ends=ends
        )
        return Verdict(fails=(said,))
    for old, new in zip(log, made, strict=True):
        if not _says_the_same(old, new):
            return Verdict(
                fails=(message("{what} cannot be reproduced from seed {seed}", what=_called(old), seed=spec.seed),)
            )
    number = sum(len(event.masks) for event in log if isinstance(event, BatchMeasured))
    unchecked = (message("the measuring times, because a time limit ended the run"),) if times_count(log) else ()
    words = message(
        "all {number:,} recorded subsets, and the result, can be reproduced from seed {seed}",
        number=number,
        seed=spec.seed,
    )
    return Verdict((words,), unchecked=unchecked, remarks=remarks)


def _called(event: Event) -> str:
    if isinstance(event, BatchMeasured):
        return message("what the log records for measurement {number} besides its loss", number=event.number)
    if isinstance(event, RunFinished):
        return "the end of the search in the log, with its answer,"
    return message("the {kind} of the log", kind=event.kind)


def _made_again(spec: RunSpec, dataset: Dataset, log: Sequence[Event]) -> list[Event]:
    """Every event as it follows from the seed; losses and the user's changes are taken from the log."""
    kept = [event for event in log if not isinstance(event, RunFinished | RunFailed)]
    batches: Iterator[Event] = iter(())
    made: list[Event] = []
    if any(isinstance(event, BaselineMeasured) for event in kept):
        last = log[-1]
        stopped = not isinstance(last, RunFinished) or last.stopped
        batches = iter(_replayed(spec, dataset, kept, stopped=stopped, again=True))
    for place, event in enumerate(log):
        if isinstance(event, RunStarted):
            made.append(RunStarted(spec.model_dump(), dataset.features) if place == 0 else _surplus(event))
        elif isinstance(event, BatchMeasured | SubsetsJudged | Steered):
            made.append(next(batches, None) or _surplus(event))
        elif isinstance(event, RunFinished):
            before = [each for each in log[:place] if not isinstance(each, RunFinished | RunFailed)]
            made.append(_replayed(spec, dataset, before, stopped=event.stopped, again=False)[-1])
        else:
            made.append(event)
    return made


def _says_the_same(one: Event, other: Event) -> bool:
    """Whether two events are equal; a spec may lack newer settings with default values."""
    if isinstance(one, RunStarted) and isinstance(other, RunStarted):
        specs = (RunSpec.model_validate(each.spec) for each in (one, other))
        return one.features == other.features and next(specs) == next(specs)
    return log_lines([one]) == log_lines([other])


def _surplus(event: Event) -> Event:
    raise ProjectError("the log contains an extra {kind}", kind=event.kind)


def _replayed(spec: RunSpec, dataset: Dataset, log: Sequence[Event], *, stopped: bool, again: bool) -> list[Event]:
    control = Flag()
    control.stop = stopped
    return list(run(spec, dataset, _NoMeasuring(), log, control, again=again))


def _documents(claims: _Claims) -> Verdict:
    """Whether every file is the one that fsdesk writes from this log, these data, and later evidence."""
    held, dataset = claims.sealed.parts, claims.dataset
    about = claims.sealed.about
    origin = Origin(about["versions_of_this_bundle"], about["data"]["row_ids_sha256"])
    if claims.sealed.has_data:
        if row_digest(dataset) != origin.row_ids:
            return Verdict(fails=(message("the row names in data/meta.json are not those in run.json"),))
        for name, content in data_parts(dataset).items():
            if held[name] != content:
                return Verdict(fails=(message("{name} is not as fsdesk writes these data", name=name),))
    unchecked: list[str] = []
    foreign: list[str] = []
    sealed_by, here = origin.versions.get("fsdesk"), library_version("fsdesk")
    for name in PARTS:
        content = part_of(name, claims.result, dataset, origin)
        if held[name] == content:
            continue
        unknown = _not_known_here(name, held[name], content, claims, origin.versions)
        unchecked += unknown
        if not unknown and sealed_by != here:
            foreign.append(name)
        elif not unknown:
            of_what = message("log and data") if claims.has_values else message("the log")
            where = _where(held[name], content)
            said = message("{name} does not follow from {what}{where}", name=name, what=of_what, where=where)
            return Verdict(fails=(said,))
    if foreign:
        why = message(
            "the bundle states that fsdesk {other} wrote it, and {here} writes {names} differently; check it with "
            "that version",
            other=escaped(sealed_by, 20), here=here, names=quoted_names(foreign),
        )  # fmt: skip
        return Verdict(foreign=(why,), unchecked=tuple(unchecked))
    words = message(
        "all numbers, lists, texts and figures in its {count} files follow from log and data", count=len(held)
    )
    if not claims.has_values:
        words = message("its numbers, lists and texts follow from the log")
    return Verdict((words,), unchecked=tuple(unchecked))


def _not_known_here(
    name: str, held: bytes, content: bytes, claims: _Claims, versions: Mapping[str, str]
) -> Sequence[str]:
    """Differences of a part that only the data or other versions can check; empty if anything else differs."""
    if name == "folds.json" and not claims.has_values:
        same = _without(held, _LABELS) == _without(content, _LABELS)
        return [message("the folds, which need the data")] if same else []
    if name == "result.json" and not claims.has_values:
        same = _without(held, FROM_VALUES) == _without(content, FROM_VALUES)
        words = message("the statements in result.json about stability, individual features and cut-offs")
        return [words] if same else []
    if name not in ("report.html", "methods.txt"):
        return []
    text, ours = held.decode(), content.decode()
    if not claims.has_values:
        if not (_pattern(name, ours, claims).fullmatch(text) and _tags(text) <= _tags(ours)):
            return []
        of_report = message(
            "the parts of report.html that show values: the heatmap of the selected features, their effects, and the "
            "predictions of held-out rows"
        )
        return [of_report] if name == "report.html" else [message("the distribution of the target in methods.txt")]
    if name == "report.html" and versions != made_with() and _without_shapes(text) == _without_shapes(ours):
        drawn = escaped(f"matplotlib {versions.get('matplotlib')} on {versions.get('system')}")
        return [message("the lines of the figures in report.html, which were drawn by other versions ({by})", by=drawn)]
    return []


def _where(held: bytes, content: bytes) -> str:
    """The first line that differs, if there are lines."""
    try:
        lines, others = held.decode().splitlines(), content.decode().splitlines()
    except UnicodeDecodeError:
        return ""
    for number, (line, other) in enumerate(zip(lines, others, strict=False), 1):
        if line != other:
            at = next((at for at, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
            around = slice(max(0, at - 20), at + 20)
            held_here, wanted = line[around].strip(), other[around].strip()
            return message(' (line {line}: "{held}" instead of "{wanted}")', line=number, held=held_here, wanted=wanted)
    return message(" (the lengths differ)")


def _without(content: bytes, names: Collection[str]) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(content)
    return {name: value for name, value in held.items() if name not in names}


def _pattern(name: str, text: str, claims: _Claims) -> re.Pattern[str]:
    """The possible forms of a text if the data are unknown: parts that depend on values match anything."""
    from fsdesk.results.methods_text import target_words

    unknown = {}
    if claims.dataset.response is not None:
        words = target_words(claims.dataset)
        joined = words.replace(" %", "\N{NO-BREAK SPACE}%")  # as in report.html
        unknown = {form: r"[^<>\n]{0,200}" for each in (words, joined) for form in (html.escape(each), each)}
    if name == "report.html":
        for svg in re.findall(r'<figure[^>]* data-from="values">\s*(<svg[\s\S]*?</svg>)', text):
            unknown[svg] = r"<svg(?:(?!</svg>|<script)[\s\S])*</svg>"
        for cell in re.findall(r'<td[^>]* data-from="values">[^<]*</td>', text):
            unknown[cell] = f"{re.escape(cell[: cell.index('>') + 1])}[^<]*</td>"
        if claims.dataset.event:  # number of rows with the event
            for head in re.findall(r'<th scope="col">[^<]*\(n = [^<]*\)</th>', text):
                unknown[head] = re.escape(head[: head.index("(n = ") + 5]) + r"[\d,]+\)</th>"
    pieces = re.split("(" + "|".join(map(re.escape, unknown)) + ")", text) if unknown else [text]
    return re.compile("".join(unknown.get(piece) or re.escape(piece) for piece in pieces))


def _without_shapes(text: str) -> tuple[str, list[str], set[str]]:
    """A page without the lines of its figures and formulas, their text, and the list of elements."""
    pieces = re.split(r"(<(?:svg|math)[\s\S]*?</(?:svg|math)>)", text)
    written = [word for piece in pieces[1::2] for word in re.findall(r"<text[^>]*>([^<]*)</text>", piece)]
    return "\0".join(pieces[::2]), written, _tags(text)


def _tags(text: str) -> set[str]:
    return set(re.findall(r"<([\w:-]+)", text))


def _losses(claims: _Claims) -> Verdict:
    """Whether remeasured losses are identical: those shown in the result, then the others."""
    if not claims.has_values:
        return Verdict(unchecked=(message("the losses, which need the data; give them with --data"),))
    first, others = _in_order(claims)
    total = sum(len(masks) for masks, *_ in (*first, *others))
    ends = None if claims.seconds is None else time.monotonic() + _SHARE_OF_LOSSES * claims.seconds
    began = time.monotonic()

    def going() -> bool:
        return ends is None or time.monotonic() < ends

    done, wrong = 0, list[int]()
    with ThreadExecutor(evaluator_of(claims.spec, claims.dataset), usable_cores()) as executor:
        for place, (masks, number, folds, values) in enumerate([*first, *others]):
            wanted = place < len(first)
            if not (wanted or going()):
                break
            model = claims.result.model if number else ""  # a race measures only its result
            found = executor.measure(masks, number, folds, (lambda: True) if wanted else going, model=model)
            done += len(found)
            wrong += [
                number + at
                for at, (new, old) in enumerate(zip(found, values, strict=False))
                if not np.array_equal(new.values, Measurement.of(old).values)
            ]
        kept: dict[tuple[bytes, tuple[str, ...], bytes], Subsets] = {}
        for event in claims.log:
            if isinstance(event, SubsetsJudged) and event.judge == "held-out":
                if len(event.offsets):
                    known = Subsets(event.subsets.astype(np.int32), event.offsets, len(claims.dataset.features))
                    kept[event.key] = known
                subsets, sizes = kept[event.key], tuple(event.sizes.tolist())
                rows = Rows(event.resamples, event.folds, "held-out", event.labels, sizes, event.model)
                again = executor.judge(subsets, event.number, rows)
                losses, margins = [each.mean for each in again], [each.margin for each in again]
                if not (
                    np.array_equal(losses, event.losses) and np.array_equal(margins, event.margins, equal_nan=True)
                ):
                    wrong.append(event.number)
    if wrong:
        listed = ", ".join(map(str, wrong[:10]))
        said = message(
            "{wrong} of {done:,} losses differ when recomputed: {numbers}",
            wrong=len(wrong),
            done=done,
            numbers=listed,
        )
        return Verdict(fails=(said,))
    claims.seconds = None if claims.seconds is None else claims.seconds - (time.monotonic() - began)
    took, outer = time.monotonic() - began, sum(isinstance(each, OuterFold) for each in claims.evidence)
    # The searches of all outer folds take about this many times as long as the losses of the run.
    claims.repeated = done == total and (claims.seconds is None or outer * took <= claims.seconds)
    words = message(
        "{done:,} of {total:,} losses are identical to the last bit when recomputed", done=done, total=total
    )
    if done == total:
        return Verdict((words,))
    left = message("the other {count:,} losses, which take long (--all recomputes them)", count=total - done)
    return Verdict((words,), unchecked=(left,))


def _split_losses(claims: _Claims) -> Verdict:
    """Whether a search on resampled rows takes the same course when repeated, if everything is to be checked."""
    split = [event for event in claims.log if isinstance(event, SubsetsJudged) and event.judge == "split"]
    if not split:
        return Verdict()
    total = sum(len(event.losses) for event in split)
    if not claims.has_values or claims.seconds is not None:
        why = message("which needs the data")
        if claims.has_values:
            why = message("which takes as long as the run (--all does it)")
        said = message("the {count:,} losses on random splits that guided the search, {why}", count=total, why=why)
        return Verdict(unchecked=(said,))
    control = Flag()
    with ThreadExecutor(evaluator_of(claims.spec, claims.dataset), usable_cores()) as executor:
        again = [
            each for each in run(claims.spec, claims.dataset, executor, (), control) if isinstance(each, SubsetsJudged)
        ]
    own = [each for each in again if each.judge == "split"]
    same = len(own) == len(split) and all(
        np.array_equal(one.losses, other.losses) for one, other in zip(own, split, strict=True)
    )
    if same:
        held = message(
            "the {count:,} losses on random splits that guided the search are identical when it is repeated",
            count=total,
        )
        return Verdict((held,))
    said = message(
        "the {count:,} losses on random splits that guided the search are not identical when it is repeated",
        count=total,
    )
    return Verdict(fails=(said,))


def _own(claims: _Claims) -> Verdict:
    """Whether the held-out error that the search obtained from held-out rows follows from the log and data."""
    known = claims.result.honesty.own
    if known is None:
        return Verdict()
    if not claims.has_values:
        return Verdict(unchecked=(message("the held-out error, which needs the data"),))
    state = RunState.of(claims.log, history=False)
    found = own_error(claims.spec, claims.dataset, state, claims.result.mask)
    kept = [each for each in claims.evidence if isinstance(each, OwnError)]
    newest = [each for each in kept if each.steerings == len(claims.result.steerings)]
    if found is None or not all(_same(each, found) for each in newest):
        version = claims.spec.versions.get("fsdesk")
        if version != library_version("fsdesk"):
            said = message(
                "the held-out error, because fsdesk {version} chose among strategies differently", version=version
            )
            return Verdict(unchecked=(said,))
        return Verdict(fails=(message("the held-out error differs when recomputed from the held-out rows"),))
    older = len(kept) - len(newest)
    unchecked = (message("{count} held-out errors from before the run was extended", count=older),) if older else ()
    return Verdict((message("the held-out error follows from the held-out rows"),), unchecked=unchecked)


_Asked = tuple[Sequence[Mask], int, int | None, NDArray[np.float64]]


def _in_order(claims: _Claims) -> tuple[list[_Asked], list[_Asked]]:
    """(masks, number, measurement whose folds were used, values): those shown in the result, and the others."""
    features, answer = len(claims.dataset.features), claims.result
    first: list[_Asked] = []
    others: list[_Asked] = []
    for event in claims.log:
        if isinstance(event, BaselineMeasured):
            first.append(([np.ones(features, dtype=np.bool_)], 0, None, event.values[None]))
        elif isinstance(event, BatchMeasured):
            masks = list(unpack_masks(event.masks, features))
            shown = event.confirms or any(np.array_equal(mask, answer.mask) for mask in masks)
            folds = None if event.folds < 0 else event.folds
            (first if shown else others).append((masks, event.number, folds, event.values))
    order = np.random.default_rng().permutation(len(others))  # no seed: a forger cannot predict which
    return first, [others[place] for place in order]


def _fresh(claims: _Claims) -> Verdict:
    """Whether the re-estimates are identical."""
    fresh = [each for each in claims.evidence if isinstance(each, Fresh)]
    if not fresh:
        return Verdict()
    if not claims.has_values:
        return Verdict(unchecked=(message("the error on new folds, which needs the data"),))
    for each in fresh:
        mask = unpack_masks(each.mask[None], len(claims.dataset.features))[0]
        again = Fresh(each.mask, fresh_error(claims.result.answered, claims.dataset, mask, len(each.values)).values)
        if not _same(each, again):
            return Verdict(fails=(message("the error on new folds differs when recomputed"),))
    return Verdict((message("the error on new folds is identical when recomputed"),))


def _outer(claims: _Claims) -> Verdict:
    """Whether every outer fold has the stated error and, if time allows, the stated mask."""
    outer = [each for each in claims.evidence if isinstance(each, OuterFold)]
    if not outer:
        return Verdict()
    if not claims.has_values:
        return Verdict(unchecked=(message("the held-out error, which needs the data"),))
    for each in outer:
        if not _same(each, tested_again(claims.spec, claims.dataset, each)):
            said = message("the error on outer fold {fold} differs when recomputed", fold=each.fold + 1)
            return Verdict(fails=(said,))
    words = message("the errors on {count} outer folds are identical when recomputed", count=len(outer))
    steerings = claims.result.steerings
    newest = [each for each in claims.result.honesty.outer if each.steerings == len(steerings)]
    if not (claims.repeated and newest):
        left = message("the searches inside the outer folds, which take long (--all repeats them)")
        return Verdict((words,), unchecked=(left,))
    return Verdict((words,)) + _outer_searches(claims, newest, older=len(outer) - len(newest))


def _outer_searches(claims: _Claims, newest: Sequence[OuterFold], older: int) -> Verdict:
    known = {each.fold: each for each in newest}
    folds = newest[0].folds
    others = [fold for fold in range(folds) if fold not in known]
    steps = outer_steps(
        claims.spec, claims.dataset, folds, usable_cores(), others, steerings=tuple(claims.result.steerings)
    )
    for step in steps:
        if isinstance(step, OuterFold) and not _same(known[step.fold], step):
            said = message("the search in outer fold {fold} ends differently when repeated", fold=step.fold + 1)
            return Verdict(fails=(said,))
    unchecked = (message("{count} outer folds from an earlier split or steering", count=older),) if older else ()
    return Verdict(
        (message("the {count} searches inside the outer folds are identical when repeated", count=len(newest)),),
        unchecked=unchecked,
    )


def _other_evidence(claims: _Claims) -> Verdict:
    """Report unknown kinds of evidence as unchecked."""
    kinds = [each.kind for each in claims.evidence if not isinstance(each, Fresh | OuterFold | OwnError)]
    said = message("evidence of kind {kinds}", kinds=", ".join(sorted({*kinds})))
    return Verdict(unchecked=(said,)) if kinds else Verdict()


def _same(one: Evidence, other: Evidence) -> bool:
    """Whether two pieces of evidence are identical bit for bit."""
    (kind, values), (other_kind, other_values) = one.packed(), other.packed()
    if kind != other_kind or values.keys() != other_values.keys():
        return False
    return all(array_out(values[name]) == array_out(other_values[name]) for name in values)
