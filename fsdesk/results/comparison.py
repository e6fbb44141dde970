"""Comparison of runs and methods, as in the paper's tables: one object for the window and the command line.

Rows are methods with their models, columns are data sets; over several seeds, a cell contains mean and standard
deviation. Runs of one method or model are named by the settings in which they differ, and different data sets of one
file by what differs between them: rows, features, target, groups. Significance tests are in
:mod:`fsdesk.results.significance`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import RunSpec
from fsdesk.measure import CRITERIA, Criterion, Measurement
from fsdesk.messages import NOUNS, Message, joined, mark, message, message_many, translated
from fsdesk.methods import METHODS
from fsdesk.results.curves import drawn, stand_in_of
from fsdesk.results.evidence import kept_evidence
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.record import RunRecord
from fsdesk.settings import Settings
from fsdesk.store import Described, Project
from fsdesk.wrappers import WRAPPERS

Measure = Literal["honest", "difference", "search", "fresh", "features", "measurements", "seconds"]
MEASURES: tuple[Measure, ...] = ("honest", "difference", "search", "fresh", "features", "measurements", "seconds")
_ERRORS: tuple[Measure, ...] = ("honest", "search", "fresh")
UNSEEN: tuple[Measure, ...] = ("honest", "difference")
"""Values measured on held-out rows, which have an interval based on the rows."""
_MOST = 3
_SINGLE = (bool, int, float, str, type(None))
_CONSTRAINTS = {
    "always": mark("always in"),
    "never": mark("without"),
    "together": mark("together"),
    "start": mark("started from"),
}

Choices = Mapping[str, Any]
Describe = Callable[[str], Described | None]
"""Gives the description of a data set by its fingerprint; None if it is not known."""
MeasuredBy = tuple[tuple[str, Any], ...]
"""How subsets were measured, as names with values."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A line of the comparison, for a run or for all features; losses are as minimized by a search, None if unknown.

    Attributes
    ----------
    run
        ID of the run in the project; 0 for the row of all features.
    data, method, model, criterion
        Name of the data set (see :func:`data_names`), titles of method and model, name of the criterion.
    search, fresh, honest
        Search loss of the selected subset, mean of its measurements on new folds, loss on held-out rows.
    values
        (k,) losses on the outer folds; (0,) if not all of them are done.
    setting
        How a subset was measured, as names with values; errors are comparable only if this is equal.
    mask
        (p,) bool the selected features; None for all features.
    unseen
        The held-out error with its interval and the difference from all features; None if not known.
    std_error, repeats
        Standard error of the search loss over this number of repeats; None if there is only one, or if the method
        measures differently.
    table
        Name of the table, which several data sets may share.
    """

    run: int
    data: str
    method: str
    model: str
    criterion: str
    seed: int
    search: float | None
    fresh: float | None
    honest: float | None
    features: int
    measurements: int
    seconds: float
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    setting: MeasuredBy = ()
    mask: NDArray[np.bool_] | None = None
    unseen: HonestError | None = None
    std_error: float | None = None
    repeats: int = 0
    table: str = ""

    @property
    def difference(self) -> float | None:
        """Improvement of the result over all features on held-out rows; None if not known.

        It is also None if the result selects all features on every row, because there is no difference and no interval
        then.
        """
        return None if self.unseen is None or self._is_all_features else self.unseen.difference

    @property
    def _is_all_features(self) -> bool:
        honest = self.unseen
        return honest is not None and 0 < honest.features == honest.selected and honest.difference == 0.0

    def interval(self, measure: Measure) -> tuple[float, float] | None:
        """The 95 % interval of the held-out error or the difference, based on the rows; None if there is none."""
        honest = self.unseen
        if honest is None or measure not in UNSEEN or (measure == "difference" and self._is_all_features):
            return None
        ends = (honest.low, honest.high) if measure == "honest" else (honest.difference_low, honest.difference_high)
        return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])

    @property
    def row(self) -> tuple[str, str]:
        """Method and model."""
        return self.method, self.model

    @property
    def outcome(self) -> tuple[object, ...]:
        """Values that are equal for two runs only if one of them repeats the other."""
        mask = b"" if self.mask is None else self.mask.tobytes()
        losses = self.search, self.fresh, self.honest, self.values.tobytes()
        return self.row, self.column, self.seed, self.setting, losses, mask, self.features, self.measurements

    @property
    def column(self) -> tuple[str, str]:
        """Data set and criterion: only values measured alike are in one column."""
        return self.data, self.criterion


@dataclass(frozen=True)
class Summary:
    """Mean and standard deviation over seeds; the deviation of a single value is NaN."""

    mean: float
    deviation: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Summary | None":
        """The summary of the finite values; None if there are none."""
        finite = np.array([value for value in values if np.isfinite(value)])
        if not len(finite):
            return None
        deviation = float(finite.std(ddof=1)) if len(finite) > 1 else float("nan")
        return cls(float(finite.mean()), deviation, len(finite))


@dataclass(frozen=True, eq=False)
class Cell:
    """One method with one model on one data set: its runs, one per seed."""

    entries: tuple[Entry, ...]

    @cached_property
    def distinct(self) -> tuple[Entry, ...]:
        """The runs without repetitions: the same run with the same seed and outcome counts once."""
        return tuple({entry.outcome: entry for entry in self.entries}.values())

    def summary(self, measure: Measure) -> Summary | None:
        """The summary over the seeds; errors are losses."""
        values = [getattr(entry, measure) for entry in self.distinct]
        return Summary.of([float(value) for value in values if value is not None])

    @property
    def stands_out(self) -> bool:
        """Whether no run is of all features, fails to beat all features, or may owe its error to chance."""
        level = ("no evidence", "all features", "no better", "worse")
        known = [entry.unseen.verdict for entry in self.entries if entry.unseen is not None]
        return all(entry.run for entry in self.entries) and not any(verdict in level for verdict in known)

    def interval(self, measure: Measure) -> tuple[float, float] | None:
        """Mean ends of the 95 % intervals over the rows: more seeds on the same rows do not make them narrower."""
        known = [ends for entry in self.entries if (ends := entry.interval(measure)) is not None]
        if not known or len(known) < sum(getattr(entry, measure) is not None for entry in self.entries):
            return None
        low, high = np.mean(known, axis=0)
        return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Cells by row (method, model) and column (data set, criterion).

    Attributes
    ----------
    rows, columns
        In order of first appearance; the row of all features of a model comes before its methods.
    cells
        The available cells; a row may have none in a column.
    """

    rows: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]
    cells: dict[tuple[tuple[str, str], tuple[str, str]], Cell]

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.rows)} methods on {len(self.columns)} tables>"

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Comparison":
        """Compare these runs."""
        grouped: dict[tuple[tuple[str, str], tuple[str, str]], list[Entry]] = {}
        for entry in entries:
            grouped.setdefault((entry.row, entry.column), []).append(entry)
        rows = tuple(dict.fromkeys(entry.row for entry in entries))
        columns = tuple(dict.fromkeys(entry.column for entry in entries))
        return cls(rows, columns, {key: Cell(tuple(members)) for key, members in grouped.items()})

    @staticmethod
    def criterion(column: tuple[str, str]) -> Criterion:
        """Criterion of a column."""
        return CRITERIA[column[1]]

    @staticmethod
    def data_title(column: tuple[str, str]) -> str:
        """Name of the data set of a column, in the current language; the name of a table itself is not translated."""
        return translated(column[0]) if isinstance(column[0], Message) else column[0]

    @property
    def only_criterion(self) -> Criterion | None:
        """The criterion of all columns; None if there are several, or none."""
        names = {name for _, name in self.columns}
        return CRITERIA[names.pop()] if len(names) == 1 else None

    def best(self, column: tuple[str, str], measure: Measure) -> frozenset[tuple[str, str]]:
        """The rows with the lowest mean loss of a column; none if fewer than two can be compared."""
        present = [row for row in self.rows if (row, column) in self.cells]
        return frozenset(present[place] for place in best_of([self.cells[row, column] for row in present], measure))

    def text(self, row: tuple[str, str], column: tuple[str, str], measure: Measure) -> str:
        """One cell as text, errors in the unit of the criterion; "" if the cell is empty.

        A held-out error has its 95 % interval, as in "5.8 [3.9; 8.4]"; other errors have their deviation over the
        seeds, as in "5.80 ± 0.15".
        """
        cell = self.cells.get((row, column))
        summary = None if cell is None else cell.summary(measure)
        if summary is None:
            return ""
        shown, *spread = self.numbers(row, column, measure)
        assert shown is not None
        if measure in UNSEEN:
            digits = 1 if self.criterion(column).unit == "%" else 3
            said = [f"{round(each, digits) + 0.0:,.{digits}f}" for each in (shown, *spread) if each is not None]
            return f"{said[0]} [{said[1]}; {said[2]}]" if len(said) == 3 else said[0]
        deviation = spread[0]
        if measure in _ERRORS:
            digits = _digits(self.criterion(column))
        else:
            digits = 0 if measure == "measurements" or (not deviation and measure == "features") else 1
            deviation = deviation or None
        return f"{shown:,.{digits}f}" + ("" if deviation is None else f" ± {deviation:,.{digits}f}")

    def numbers(self, row: tuple[str, str], column: tuple[str, str], measure: Measure) -> tuple[float | None, ...]:
        """Mean of one cell, followed by its standard deviation or, if it has an interval, the ends of the interval.

        Errors are in the unit of the criterion, and None if not available.
        """
        cell = self.cells.get((row, column))
        summary = None if cell is None else cell.summary(measure)
        if cell is None or summary is None:
            return (None, None, None) if measure in UNSEEN else (None, None)
        criterion = self.criterion(column)
        scale = 100.0 if criterion.unit == "%" else 1.0
        if measure in UNSEEN:
            values = np.array([summary.mean, *(cell.interval(measure) or (np.nan, np.nan))])
            shown = drawn(criterion, values) if measure == "honest" else scale * values
            ends = [float(each) if np.isfinite(each) else None for each in sorted(shown[1:])]
            return float(shown[0]), *ends
        mean, deviation = summary.mean, summary.deviation
        if measure in _ERRORS:
            mean = float(drawn(criterion, np.array([mean]))[0])
            deviation *= scale
        return mean, deviation if np.isfinite(deviation) else None

    def mixed(self, column: tuple[str, str]) -> bool:
        """Whether runs of a column were measured differently, so that their errors are not directly comparable."""
        return len({entry.setting for entry in self.entries(column) if entry.run}) > 1

    def entries(self, column: tuple[str, str] | None = None) -> list[Entry]:
        """All entries of a column, or of all columns, ordered by row."""
        return [
            entry
            for row in self.rows
            for each in self.columns
            if (column is None or each == column) and (row, each) in self.cells
            for entry in self.cells[row, each].entries
        ]


def best_of(cells: Sequence[Cell], measure: Measure) -> frozenset[int]:
    """Indices of the cells with the lowest mean held-out error; none if fewer than two can be compared.

    An error that may be due to chance is never the best, nor one not shown to be better than all features, nor one
    measured on the rows used for selection.
    """
    if measure != "honest":
        return frozenset()
    found = {place: summary.mean for place, cell in enumerate(cells) if (summary := cell.summary(measure)) is not None}
    if len(found) < 2:
        return frozenset()
    least = min(found.values())
    return frozenset(
        place
        for place, mean in found.items()
        if np.isclose(mean, least, rtol=1e-12, atol=0) and cells[place].stands_out
    )


def _digits(criterion: Criterion) -> int:
    return 2 if criterion.unit == "%" else 3


def entry_of(
    run_id: int, record: RunRecord, names: tuple[str, str] | None = None, data: str | None = None
) -> Entry | None:
    """The entry of a run in a comparison; None if its result could not be measured.

    ``names`` are those of method and model, with the settings in which they differ from others; see :func:`variants`.
    ``data`` is the name of its data set; see :func:`data_names`.
    """
    spec = record.spec
    method, model = names or (METHODS[spec.method].brief, WRAPPERS[spec.wrapper].brief)
    if not np.isfinite(record.search_error):
        return None
    honesty, unseen = record.honesty, record.honest
    folds = honesty.honest if honesty.complete else None
    measured_anew = spec.measuring.reshuffles and not METHODS[spec.method].model.validates_itself
    return Entry(
        run_id,
        spec.data_name if data is None else data,
        method,
        model,
        record.criterion.name,
        spec.seed,
        record.search_error,
        _mean(honesty.fresh),
        None if unseen is None else unseen.value,
        int(record.mask.sum()),
        record.evaluations,
        record.seconds,
        np.empty(0) if folds is None else folds.values,
        _setting(spec),
        record.mask,
        unseen,
        record.std_error if measured_anew and record.std_error > 0 else None,
        spec.measuring.repeats if measured_anew else 0,
        spec.data_name,
    )


def _mean(measured: Measurement | None) -> float | None:
    return None if measured is None or not np.isfinite(measured.mean) else measured.mean


def _setting(spec: RunSpec) -> MeasuredBy:
    values = spec.measuring.model_dump()
    return tuple((name, values[name]) for name in ("protocol", "repeats", "folds", "scaling") if name in values)


def _all_features(record: RunRecord, named: tuple[str, str, str], honest: float | None) -> Entry | None:
    """The baseline: all features, measured once when the search began, and on the outer folds of a run.

    If models competed, a stand-in made the measurement, and the best model predicted the outer folds. ``named`` are the
    names of the data set, of all features and of the model.
    """
    spec, (data, every, model) = record.spec, named
    size = int(spec.allowed(record.all_features).sum())
    loss: float | None = record.baseline_error
    if not np.isfinite(record.baseline_error):
        return None
    if WRAPPERS[spec.wrapper].model.competes:
        stand_in = stand_in_of(record.race)
        loss, model = (None, model) if honest is not None else (loss, WRAPPERS[stand_in].brief)
    criterion = record.criterion.name
    seed, table = spec.seed, spec.data_name
    return Entry(0, data, every, model, criterion, seed, loss, None, honest, size, 1, 0.0, table=table)


def compared_runs(
    runs: Sequence[tuple[int, RunRecord]],
    names: Sequence[tuple[str, str]] | None = None,
    describe: Describe = lambda _: None,
) -> Comparison:
    """Compare runs, given with their IDs; all features of each model form a separate row.

    ``names`` are their :func:`variants`, if already known: computing them takes longer than everything else here.
    ``describe`` is asked about data sets that share the name of a table.
    """
    specs = [record.spec for _, record in runs]
    entries: list[Entry] = []
    whole: dict[tuple[str, str, str, str, int], Entry] = {}
    if names is None:
        names = variants(specs, [bool(record.steerings) for _, record in runs])
    titles = zip(data_names(specs, describe), _allowed_names(specs), strict=True)
    for (run_id, record), (method, model), (data, all_features) in zip(runs, names, titles, strict=True):
        entry = entry_of(run_id, record, (method, model), data)
        if entry is None:
            continue
        entries.append(entry)
        honest = None if entry.unseen is None else entry.unseen.all_features
        every = _all_features(record, (data, all_features, model), honest)
        if every is not None:
            key = every.data, every.method, every.model, every.criterion, every.seed
            if key not in whole or whole[key].honest is None:
                whole[key] = every
    first = {every.row for every in whole.values()}
    entries.sort(key=lambda entry: entry.row not in first)  # all features may have their own runs, too
    searched = {(entry.row, entry.column, entry.seed) for entry in entries}
    alone = [every for every in whole.values() if (every.row, every.column, every.seed) not in searched]
    return Comparison.of([*alone, *entries])


def compared_project(project: Project, run_ids: Sequence[int] | None = None) -> Comparison:
    """Compare all runs of a project, or those with the given IDs, in this order."""
    stored = {each.id: each for each in project.runs()}
    ids = list(stored) if run_ids is None else list(run_ids)
    states = {run_id: project.summed_up(run_id)[0] for run_id in ids}
    names = variants([stored[run_id].spec for run_id in ids], [bool(states[run_id].steering_events) for run_id in ids])
    measured = [(run_id, name) for run_id, name in zip(ids, names, strict=True) if states[run_id].best is not None]
    runs = [
        (
            run_id,
            RunRecord.of(states[run_id], spec=stored[run_id].spec, evidence=kept_evidence(project.evidence(run_id))),
        )
        for run_id, _ in measured
    ]
    return compared_runs(runs, [name for _, name in measured], project.described)


def data_names(specs: Sequence[RunSpec], describe: Describe) -> list[str]:
    """Names of the data set of each run: that of the table, with what differs if several data sets have the same.

    Errors on different rows, targets or groups are not comparable: their rows are divided into other folds.
    """
    sharing: dict[str, dict[str, list[RunSpec]]] = {}
    for spec in specs:
        sharing.setdefault(spec.data_name, {}).setdefault(spec.data_fingerprint, []).append(spec)
    named: dict[tuple[str, str], str] = {}
    for table, by_fingerprint in sharing.items():
        names = [table] if len(by_fingerprint) == 1 else _told_apart(table, by_fingerprint, describe)
        named |= {(table, fingerprint): name for fingerprint, name in zip(by_fingerprint, names, strict=True)}
    return [named[spec.data_name, spec.data_fingerprint] for spec in specs]


def _told_apart(table: str, by_fingerprint: Mapping[str, Sequence[RunSpec]], describe: Describe) -> list[str]:
    """Names of several data sets of one table, whose runs are given by fingerprint."""
    known = [each for fingerprint in by_fingerprint if (each := describe(fingerprint)) is not None]
    unused = [set.intersection(*(set(spec.never) for spec in runs)) for runs in by_fingerprint.values()]
    said: list[Message] = []
    for excluded in (unused, [set[str]()] * len(unused)):  # features that no run may select count only if nothing else
        if len(known) == len(by_fingerprint):
            kept = [
                replace(each, features=tuple(name for name in each.features if name not in out))
                for each, out in zip(known, excluded, strict=True)
            ]
            facts = _facts(kept)
        else:
            first = [runs[0] for runs in by_fingerprint.values()]
            facts = [_sizes(spec.rows, spec.features - len(out)) for spec, out in zip(first, excluded, strict=True)]
        kinds = dict.fromkeys(kind for each in facts for kind in each)
        differing = [kind for kind in kinds if len({each.get(kind) for each in facts}) > 1]
        said = [joined(", ", [table, *(each[kind] for kind in differing if each.get(kind))]) for each in facts]
        if len(set(said)) == len(said):
            return list(said)
    return [
        joined(", ", [name, message("version {number}", number=1 + said[:place].count(name))])  # with other values
        if said.count(name) > 1
        else name
        for place, name in enumerate(said)
    ]


def _sizes(rows: int, features: int) -> Choices:
    known = {"row": rows, "feature": features}  # older versions did not store the rows
    return {noun: message_many(count, *NOUNS[noun]) for noun, count in known.items() if count}


def _facts(known: Sequence[Described]) -> Sequence[Choices]:
    """What may differ between data sets of one table, in words."""
    features = list(dict.fromkeys(name for each in known for name in each.features))
    return [_facts_of(each, features) for each in known]


def _facts_of(data: Described, features: Sequence[str]) -> Choices:
    facts: dict[str, str] = {"target": message("target {name}", name=data.target)}
    if data.event:
        facts["event"] = message("event {name}", name=data.event)
    else:
        count = len(data.classes)
        facts["classes"] = message_many(count, *NOUNS["class"]) if count else message("numeric target")
    for role, (named, unnamed, absent) in _ROLE_WORDS.items():
        column = data.roles.get(role)
        facts[role] = message(absent) if column is None else message(named, name=column) if column else message(unnamed)
    facts |= _sizes(data.rows, len(data.features))
    used = {*data.features, *data.roles.values(), data.target}
    left_out = [name for name in features if name not in used]
    if 0 < len(left_out) <= _MOST:
        facts["feature"] = message("without {setting}", setting=", ".join(left_out))
    return facts


_ROLE_WORDS = {
    "groups": (mark("grouped by {name}"), mark("grouped"), mark("not grouped")),
    "fold_of": (mark("folds from {name}"), mark("with own folds"), mark("without own folds")),
    "time": (mark("ordered by {name}"), mark("ordered in time"), mark("not ordered in time")),
}


def _allowed_names(specs: Sequence[RunSpec]) -> list[str]:
    """What all features are called in the row of each run: runs of one data set may exclude different ones."""
    return _named(
        specs,
        lambda spec: (f"{spec.data_fingerprint} {spec.data_name}", "All features"),
        lambda spec: {_CONSTRAINTS["never"]: tuple(sorted(spec.never))} if spec.never else {},
    )


def variants(specs: Sequence[RunSpec], steered: Sequence[bool]) -> list[tuple[str, str]]:
    """Names of method and model of each run, with the settings in which it differs from others with the same name.

    A difference in how subsets are measured is attributed to the model: such errors are not comparable, nor are those
    of all features. Seeds are not a difference.
    """
    models = _named(specs, lambda spec: (spec.wrapper, WRAPPERS[spec.wrapper].brief), _model_choices)
    by_steering = dict(zip(map(id, specs), steered, strict=True))
    methods = _named(
        specs,
        lambda spec: (spec.method, METHODS[spec.method].brief),
        lambda spec: {**_method_choices(spec), **({"": mark("changed by hand")} if by_steering[id(spec)] else {})},
    )
    return list(zip(methods, models, strict=True))


def _model_choices(spec: RunSpec) -> Choices:
    measuring = {name: value for name, value in _shown(spec.measuring).items() if name != "Criterion"}
    return {**_shown(spec.build_wrapper()), **measuring}


def _method_choices(spec: RunSpec) -> Choices:
    filtered = _shown(spec.prefilter) if spec.prefilter.prefilter != "none" else {}
    constraints = {title: getattr(spec, name) for name, title in _CONSTRAINTS.items() if getattr(spec, name)}
    return {**constraints, **_shown(spec.build_method()), **filtered}


def _shown(settings: Settings) -> Choices:
    infos = {info.name: info.title for info in type(settings).describe()}
    return {infos[name]: value for name, value in settings.model_dump().items()}


def _named(
    specs: Sequence[RunSpec], name_of: Callable[[RunSpec], tuple[str, str]], choices_of: Callable[[RunSpec], Choices]
) -> list[str]:
    """Names that distinguish entries with the same base name."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, spec in enumerate(specs):
        groups.setdefault((*name_of(spec)[:1], spec.measuring.criterion), []).append(place)
    names = [name_of(spec)[1] for spec in specs]
    for members in groups.values():
        choices = {place: choices_of(specs[place]) for place in members}
        titles = dict.fromkeys(title for each in choices.values() for title in each)
        differing = [title for title in titles if len({_plain(each.get(title)) for each in choices.values()}) > 1]
        taken: dict[str, str] = {}
        for place in members:
            alone = _plain([choices[place].get(title) for title in differing])
            name = joined(", ", [message(names[place]), *_words(choices[place], differing)])
            while taken.setdefault(name, alone) != alone:
                name = joined("", [name, "′"])  # differs from the previous one in something not named
            names[place] = name
    return names


def _words(choices: Choices, differing: Sequence[str]) -> list[str]:
    """The first of the differing settings as text, such as "Repeats 4"."""
    said = [_said(title, choices[title]) for title in differing if title in choices]
    return said[:_MOST] + ([message("and {count} more", count=len(said) - _MOST)] if len(said) > _MOST else [])


def _said(title: str, value: Any) -> str:
    setting = message(title)
    if isinstance(value, bool):
        return setting if value else message("without {setting}", setting=setting)
    if isinstance(value, tuple):
        texts = len(value) > 1 and all(isinstance(each, str) for each in value)
        counted = message_many(len(value), *NOUNS["feature"]) if texts else len(value)
        value = counted if len(value) > 1 else value[0]
    if isinstance(value, float):
        return message("{setting} {value:g}", setting=setting, value=value)
    words = message(value) if isinstance(value, str) else value
    return message("{setting} {value}", setting=setting, value=words) if title else words


def _plain(value: Any) -> str:
    if type(value) in _SINGLE:
        return repr(value)  # distinguishes the same values in a tenth of the time
    return json.dumps(value, sort_keys=True, default=str)
