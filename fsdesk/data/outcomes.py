"""Time to event: a time and an event column form one outcome, and neither can be a feature for the other.

A column of entry times may belong to them. A single text column may contain the whole outcome in the notation of R's
survival package: 12 for an event, 12+ if censored, (3,12] and (3,12+] with the entry time.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.checks import half_width
from fsdesk.data.dataset import Check, Table
from fsdesk.data.kaplan_meier import entries_of, events_of, follow_up, times_of
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import Target, column_index
from fsdesk.errors import DataError
from fsdesk.messages import Message, message, message_many, quoted

KIND = "time to event"
"""Names of the decision and the checks."""

OUTCOMES = (KIND, "event")
"""Decisions about a time to an event: that two columns form one outcome, and which value means the event."""

_ROWS_ENOUGH = 10
_MOST_VALUES = 4  # of an event column: none, and up to three kinds of events
_FEW_EVENTS = 20
_EVENTS_OF_A_FEATURE = 10  # P. Peduzzi et al., J. Clin. Epidemiol. 48 (1995)
_MANY_TIED = 0.5  # of the events
_OF_EVENTS = 0.44


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TIME_WORDS = _words(
    "time times tte days months years weeks week mos yrs survival surv survtime stime etime futime fu followup "
    "duration lenfol lifetime lifespan ttr ttp t os pfs dfs rfs efs dss dmfs dfi pfi zeit tage monate jahre wochen "
    "überlebenszeit überleben nachbeobachtung beobachtungszeit stop tstop exit"
)
_ENTRY_WORDS = _words("start tstart begin entry enter entrytime starttime beginn eintritt")
_STOP_WORDS = _words("stop tstop exit end")
_EVENT_WORDS = _words(
    "event status death dead died deceased cens censor censored censoring alive fustat fstat delta relapse relapsed "
    "recurrence recurred recur progression progressed progress failure failed fail churn churned arrest mortality "
    "metastasis survival surv os pfs dfs rfs efs dss dmfs dfi pfi ereignis tod tot verstorben gestorben rezidiv "
    "zensiert"
)
_NO_STEM = _words("to of in until till last overall vital patient pt first all cause follow up since the")
_ENDPOINTS = _words("os pfs dfs rfs efs dss dmfs dfi pfi")
_YES = _words(
    "1 true t yes y dead died deceased death event relapse relapsed recurrence recurred recurrent progression "
    "progressed failure failed metastasis tot tod verstorben gestorben ja ereignis rezidiv"
)
_NO = _words(
    "0 false f no n alive living censored none censor lebend lebt nein zensiert diseasefree noevent norecurrence "
    "norelapse notrecurred"
)
_POSITIVE = _YES | _words(
    "positive pos case cases patient patients disease diseased ill sick affected infected malignant cancer tumour "
    "tumor carcinoma present abnormal responder positiv fall krank erkrankt befallen infiziert maligne krebs vorhanden"
)
_NEGATIVE = _NO | _words(
    "negative neg control controls ctrl ctl healthy unaffected uninfected benign normal absent nondisease nocancer "
    "notcancer noncancer nontumour nontumor nonresponder survived survivor wt wildtype negativ kontrolle kontrollen "
    "gesund benigne"
)
_NUMBER = r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_CELL = re.compile(rf"(?:\(\s*(?P<entry>{_NUMBER})\s*,)?\s*(?P<time>{_NUMBER}|\d+,\d+)\s*(?P<plus>\+?)\s*(?P<end>\]?)")
_OBSERVED = "event"
_FEWEST_CENSORED = 3  # distinct times with a plus: 5+ alone may be the last of several classes
_SURV = re.compile(r"\s*Surv\s*\((?P<inside>.*)\)\s*", re.DOTALL)


@dataclass(frozen=True)
class Pair:
    """A column of times and one of events that belong together, by index; and one of entry times, if any."""

    time: int
    event: int
    entry: int | None = None

    @property
    def columns(self) -> list[int]:
        """All columns of the outcome."""
        return [self.time, self.event, *(() if self.entry is None else (self.entry,))]


@dataclass(frozen=True)
class Named:
    """An outcome as named by the user.

    Attributes
    ----------
    target
        Name of the column to predict; that of the times if there is an event; None if not named.
    event
        "column" or "column=value"; None if the target is not a time to an event.
    entry
        Name of the column of entry times; None if all rows were under observation from the start.
    """

    target: str | None
    event: str | None = None
    entry: str | None = None


@dataclass(frozen=True)
class _Coding:
    """The event column's values that mean the event was observed.

    Attributes
    ----------
    values
        (k,) all values that occur.
    names
        As users write them.
    event
        Index of the event value; the proposed one if uncertain.
    sure
        Whether it is certain.
    """

    values: NDArray[np.float64]
    names: tuple[str, ...]
    event: int
    sure: bool

    @property
    def order(self) -> list[int]:
        """Indices of the values, the event first."""
        return sorted(range(len(self.names)), key=lambda place: (place != self.event, place))


def surv(time: str, event: str, entry: str | None = None) -> str:
    """The outcome as one string, in the notation of R's survival package: ``Surv(months, status=2)``."""
    return f"Surv({entry}, {time}, {event})" if entry else f"Surv({time}, {event})"


def parted(outcome: str) -> tuple[str, str] | None:
    """Time and event from the result of :func:`surv`; None for anything else, and if names contain commas."""
    found = _SURV.fullmatch(outcome)
    if found is None or found["inside"].count(",") != 1:
        return None
    time, _, event = found["inside"].partition(",")
    return time.strip(), event.strip()


def named_outcome(
    table: Table, target: str | Sequence[str] | None, event: str | None = None, entry: str | None = None
) -> Named:
    """The outcome as named by the user: a column, two or three names, or ``Surv(entry, time, event=value)``."""
    if target is None or isinstance(target, str):
        found = _SURV.fullmatch(target) if target and target not in table.columns else None
        if found is None:
            return Named(target, event, entry)
        parts = found["inside"].split(",")
        likely = list[Named]()
        for place in range(1, len(parts)):
            said = ",".join(parts[place:]).strip()
            said = re.sub(r"\s*==?\s*", "=", said) if said not in table.columns else said
            for first in range(place):
                early, time = (",".join(some).strip() for some in (parts[:first], parts[first:place]))
                if time in table.columns and (not first or early in table.columns):
                    likely.append(Named(time, said, early if first else entry))
        if likely:
            return next((each for each in likely if _is_event(table, str(each.event))), likely[0])
        raise DataError(
            'Target "{target}" does not name a column of times; write Surv(time, event=value) or Surv(entry, time, '
            'event=value) using columns of "{name}".',
            target=target, name=table.name,
        )  # fmt: skip
    names = tuple(target)
    if len(names) not in (2, 3) or event is not None:
        raise DataError(
            "A target with several columns must be a pair of time and event, or a triple with the time of entry "
            "first (got {names}).",
            names=quoted(names),
        )
    return Named(names[-2], names[-1], entry if len(names) == 2 else names[0])


def _is_event(table: Table, event: str) -> bool:
    """Whether an event names a column."""
    return event in table.columns or event.rpartition("=")[0].strip() in table.columns


def _tokens(name: str) -> list[str]:
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [each for each in re.split(r"[\W_]+", parted.casefold()) if each]


def _stem(tokens: Sequence[str], words: Collection[str]) -> frozenset[str]:
    """The rest of a name without its time or event word: the endpoint, or a number."""
    endpoints = _ENDPOINTS.intersection(tokens)
    own = {each for each in tokens if each not in words and each not in _NO_STEM}
    return frozenset(own - _EVENT_WORDS - _TIME_WORDS | endpoints)


def outcome_pairs(table: Table) -> list[Pair]:
    """Columns that are a time and an event by their names and values."""
    if len(table.rows) < _ROWS_ENOUGH:
        return []
    times, events = list[tuple[int, frozenset[str]]](), list[tuple[int, frozenset[str]]]()
    for column, name in enumerate(table.columns):
        tokens = _tokens(name)
        # The names of many features have no such words: their values are not inspected.
        if not (_TIME_WORDS | _EVENT_WORDS).intersection(tokens):
            continue
        values = table.values[:, column]
        values = values[~np.isnan(values)]
        if _EVENT_WORDS.intersection(tokens) and _may_be_event(table, column, values):
            events.append((column, _stem(tokens, _EVENT_WORDS)))
        elif _TIME_WORDS.intersection(tokens) and column not in table.categories and _may_be_time(values):
            times.append((column, _stem(tokens, _TIME_WORDS)))
    pairs = [Pair(time, event) for event, own in events for time, stem in times if own == stem]
    return [found for pair in pairs for found in _with_entry(table, pair)]


def _with_entry(table: Table, pair: Pair) -> list[Pair]:
    """The pair, and the pair with each candidate column of entry times; that of a start beside a stop is first."""
    found = [pair]
    is_stop = bool(_STOP_WORDS.intersection(_tokens(table.columns[pair.time])))
    times = table.values[:, pair.time]
    for column, name in enumerate(table.columns):
        if (
            column in (pair.time, pair.event)
            or column in table.categories
            or not _ENTRY_WORDS.intersection(_tokens(name))
        ):
            continue
        known = ~np.isnan(times) & ~np.isnan(table.values[:, column])
        entries = table.values[known, column]
        if known.any() and (entries < times[known]).all() and entries.max() > 0 and entries.min() >= 0:
            found.insert(0 if is_stop else len(found), Pair(pair.time, pair.event, column))
    return found


def _may_be_time(values: NDArray[np.float64]) -> bool:
    distinct = len(np.unique(values))
    if distinct < _ROWS_ENOUGH or values.min() < 0:
        return False
    is_calendar = bool((values == np.floor(values)).all() and values.min() > 1800 and values.max() < 2200)
    return not is_calendar


def _may_be_event(table: Table, column: int, values: NDArray[np.float64]) -> bool:
    distinct = np.unique(values)
    if not 2 <= len(distinct) <= _MOST_VALUES:
        return False
    if column in table.categories:
        words = [_plain(table.categories[column][int(code)]) for code in distinct]
        return len(distinct) == 2 or any(word in _YES | _NO for word in words)
    return bool((distinct == np.floor(distinct)).all() and distinct[0] in (0.0, 1.0) and distinct[-1] <= _MOST_VALUES)


def _plain(word: str) -> str:
    """A value in lower case without spaces and leading code, such as 1:DECEASED."""
    return re.sub(r"[\W_]+", "", re.sub(r"^\s*\d\s*:", "", word).casefold())


def _coding(table: Table, column: int, rows: NDArray[np.bool_]) -> _Coding:
    values = np.unique(table.values[rows, column])
    named = table.categories.get(column)
    names = tuple(named[int(value)] if named else f"{value:.15g}" for value in values)
    words = [_plain(name) for name in names]
    yes, no = ([place for place, word in enumerate(words) if word in known] for known in (_YES, _NO))
    is_censoring = any(token.startswith("cens") or token == "alive" for token in _tokens(table.columns[column]))
    if len(values) == 2 and len(yes) == 1 and len(no) == 1:
        return _Coding(values, names, yes[0], not (is_censoring and words[yes[0]] in {"1", "true", "t", "yes", "y"}))
    event = yes[0] if len(yes) == 1 and words != ["1", "2"] else len(values) - 1
    return _Coding(values, names, event, sure=False)


def positive_class(names: Sequence[str], sizes: Sequence[int]) -> int:
    """Code of the class that sensitivity refers to, unless the user names one.

    If two classes have telling names (yes and no, case and control, 1 and 0), it is the positive one; otherwise, it is
    the rarest class, and the last of several equally rare ones.

    Parameters
    ----------
    names
        The classes, by code.
    sizes
        Number of rows of each.
    """
    if len(names) == 2:
        words = [_plain(name) for name in names]
        for at in (0, 1):
            is_said, is_denied = words[at] in _POSITIVE, words[1 - at] in _NEGATIVE
            other_fits = words[1 - at] not in _POSITIVE and words[at] not in _NEGATIVE
            if (is_said or is_denied) and other_fits:
                return at
    return len(sizes) - 1 - min(range(len(sizes)), key=lambda at: (sizes[::-1][at], at)) if len(sizes) else 0


def said_event(table: Table, event: str) -> tuple[int, str | None]:
    """Index of the column of an event "column" or "column=value", and the value, if given."""
    if event in table.columns:
        return table.columns.index(event), None
    column, sign, value = event.rpartition("=")
    while sign and column.strip() not in table.columns and "=" in column:
        column, _, more = column.rpartition("=")
        value = f"{more}={value}"
    return column_index(table, column.strip() if sign else event, message("the event")), value.strip() if sign else None


def events_column(table: Table, event: str | None) -> tuple[str, ...]:
    """Name of the column of an event "column" or "column=value"; "" if there is no event."""
    return () if event is None else (table.columns[said_event(table, event)[0]],)


def outcome_columns(table: Table, named: Named) -> tuple[str, ...]:
    """Names of the columns of an outcome other than the target."""
    return (*events_column(table, named.event), *((named.entry,) if named.entry is not None else ()))


def partners(table: Table, target: str, taken: Collection[str | None]) -> list[Pair]:
    """The pairs that contain the target and whose other column has no role and is not excluded."""
    if target not in table.columns:
        return []
    own = table.columns.index(target)
    found = [pair for pair in outcome_pairs(table) if own in (pair.time, pair.event)]
    return [pair for pair in found if not {table.columns[each] for each in pair.columns if each != own} & {*taken}]


def proposal(table: Table, pairs: Sequence[Pair], target: str) -> tuple[Named, Reading]:
    """The proposed outcome for a target that is one of a pair, and the question."""
    answers = _answers(table, pairs)
    own = table.columns.index(target)
    names = list(dict.fromkeys(table.columns[each.event if each.time == own else each.time] for each in pairs))
    others = quoted(names)
    if own in {pair.event for pair in pairs}:
        alone = message('Classes of "{target}" only; {others} excluded', target=target, others=others)
        answers.append(Alternative(alone, "task", "classification"))
    else:
        alone = message('Numbers of "{target}" only; {others} excluded', target=target, others=others)
        answers.append(Alternative(alone, "task", "regression"))
    if len(names) == 1:
        known = message('"{name}" is known in advance and is a feature', name=names[0])
        answers.append(Alternative(known, "keep", names[0]))
    first = pairs[0]
    sentence = message(
        'Columns "{time}" and "{event}" are treated as one outcome, the time to an event.',
        time=table.columns[first.time], event=table.columns[first.event],
    )  # fmt: skip
    evidence = message(
        "Their names and values suggest it. Both are known only afterwards, so neither can be a feature when the "
        "other is the target: it would give the target away."
    )
    columns = tuple(dict.fromkeys(table.columns[each] for pair in pairs for each in (pair.time, pair.event)))
    named = named_outcome(table, answers[0].value)
    return named, Reading(KIND, sentence, evidence, tuple(answers), False, columns, "as target")


def _answers(table: Table, pairs: Sequence[Pair]) -> list[Alternative]:
    """Answers that each of the pairs is the outcome, with each possible event value, the most likely first."""
    answers = list[Alternative]()
    for pair in pairs:
        time, event = table.columns[pair.time], table.columns[pair.event]
        coding = _coding(table, pair.event, np.asarray(~np.isnan(table.values[:, [pair.time, pair.event]]).any(axis=1)))
        for place in coding.order[:1] if coding.sure else coding.order:
            value = coding.names[place]
            title = message('Time to the event {event} = {value}, in "{time}"', time=time, event=event,
                            value=value)  # fmt: skip
            entry = None if pair.entry is None else table.columns[pair.entry]
            if entry is not None:
                title = message('{title}, under observation from "{entry}" on', title=title, entry=entry)
            answers.append(Alternative(title, "target", surv(time, f"{event}={value}", entry)))
    return answers


def asked_beside(table: Table, pairs: Sequence[Pair]) -> Reading:
    """The question whether a pair is the target, if no target is named and the last column is not part of the pair."""
    time, event, target = table.columns[pairs[0].time], table.columns[pairs[0].event], table.default_target
    sentence = message(
        'Columns "{time}" and "{event}" look like a time to event, but the last column, "{target}", is used as the '
        "target.",
        time=time, event=event, target=target,
    )  # fmt: skip
    answers = (Alternative(message('"{name}" is the target', name=target), "target", target), *_answers(table, pairs))
    return Reading(KIND, sentence, "", answers, False, (time, event), "without target")


def set_aside_check(names: Sequence[str], target: str) -> Check:
    """The decision that columns form an outcome with the target and are not features."""
    sentence = message_many(
        len(names),
        '{count} column seems to form one outcome, a time to event, together with target "{target}". It is excluded '
        "because it is known only afterwards: {names}. Keep it as a feature if it is known in advance.",
        '{count} columns seem to form one outcome, a time to event, together with target "{target}". They are '
        "excluded because they are known only afterwards: {names}. Keep those that are known in advance as features.",
        target=target, names=quoted(names),
    )  # fmt: skip
    return Check("outcome columns", sentence, tuple(names))


@dataclass(frozen=True, eq=False)
class _Cells:
    """A column in the outcome notation of R's survival package: (n,) times, events, and entries, NaN if none."""

    times: NDArray[np.float64]
    events: NDArray[np.bool_]
    entries: NDArray[np.float64]


def _cells(table: Table, column: int) -> _Cells | None:
    """Parse a column written as 12, 12+ or (3,12]; None if any cell has another form."""
    values, words = table.values[:, column], table.categories.get(column)
    gaps = np.full(len(values), np.nan)
    if words is None:  # no row of this table is censored
        return _Cells(values, np.ones(len(values), dtype=np.bool_), gaps)
    found = [_CELL.fullmatch(word) for word in words]
    if not all(each is not None and bool(each["entry"]) == bool(each["end"]) for each in found):
        return None
    known = [each for each in found if each is not None]
    texts = [[(each[part] or "nan").replace(",", ".") for part in ("time", "entry")] for each in known]
    numbers = np.array(texts, dtype=np.float64).reshape(len(known), 2)
    seen = np.array([not each["plus"] for each in known])
    codes = np.where(np.isnan(values), 0, values).astype(np.int64)
    made = numbers[codes]
    made[np.isnan(values)] = np.nan
    return _Cells(made[:, 0], seen[codes] & ~np.isnan(values), made[:, 1])


def written_outcome(table: Table, name: str) -> Reading | None:
    """The decision that a text column is a time to an event in R's notation; None if unclear."""
    column = table.columns.index(name) if name in table.columns else -1
    words = table.categories.get(column, ())
    if sum("+" in word for word in words) < _FEWEST_CENSORED and not any("]" in word for word in words):
        return None
    cells = _cells(table, column)
    if cells is None or len(np.unique(cells.times[~np.isnan(cells.times)])) < _ROWS_ENOUGH:
        return None
    example = next(word for word in words if "+" in word or "]" in word)
    sentence = message(
        'Column "{name}" is treated as a time to event: "{example}" is censored, in R notation.', name=name,
        example=example,
    ) if "+" in example else message(
        'Column "{name}" is treated as a time to event with the time of entry: "{example}", in R notation.',
        name=name, example=example,
    )  # fmt: skip
    return Reading(
        KIND, sentence, "", (Alternative(sentence, "target", surv(name, written_event(name))),), True, (name,)
    )


def written_event(name: str) -> str:
    """The event of a column that contains the whole outcome."""
    return f"{name}={_OBSERVED}"


def survival_target(table: Table, time_name: str, event: str, entry: str | None = None) -> Target:
    """The time to an event as target; DataError if it cannot be one.

    ``codes`` are 1 if the event was observed, else 0; ``response`` is as in :mod:`fsdesk.data.kaplan_meier`. Rows
    without a time, an event or an entry, and those censored at time 0, which carry no information, are dropped with a
    check.
    """
    time, (place, value) = column_index(table, time_name, message("the time")), said_event(table, event)
    event_name = table.columns[place]
    if place == time and (time in table.categories or value == _OBSERVED):
        return _written_target(table, time)
    if place == time:
        raise DataError('Column "{name}" cannot be both the time and the event.', name=time_name)
    if time in table.categories:
        raise DataError('Column "{name}" should contain the time to the event, but contains words.', name=time_name)
    first = None if entry is None else column_index(table, entry, message("the time of entry"))
    if first in (time, place):
        raise DataError('Column "{name}" cannot be two parts of the target.', name=entry)
    if first in table.categories:
        raise DataError('Column "{name}" should contain the time of entry, but contains words.', name=entry)
    times, entries = table.values[:, time], None if first is None else table.values[:, first]
    present = ~np.isnan(times) & ~np.isnan(table.values[:, place])
    if entries is not None:
        present &= ~np.isnan(entries)
    if not present.any():
        raise DataError('No row has both a time ("{time}") and an event ("{event}").', time=time_name, event=event_name)
    _refuse_times(table, times, entries, present, time_name, entry or time_name)
    coding = _coding(table, place, present)
    readings: tuple[Reading, ...] = ()
    chosen = coding.event
    if value is not None:
        plain = [_plain(name) for name in coding.names]
        if value in coding.names:
            chosen = coding.names.index(value)
        elif plain.count(_plain(value)) == 1:
            chosen = plain.index(_plain(value))
        else:
            raise DataError(
                'Column "{event}" has no value "{value}"; its values are {names}.', event=event_name, value=value,
                names=quoted(coding.names),
            )  # fmt: skip
    elif not coding.sure:
        readings = (_event_question(time_name, event_name, coding, entry),)
    observed = present & (table.values[:, place] == coding.values[chosen])
    kept = present & ((times > 0) | observed)
    said = f"{event_name}={coding.names[chosen]}"
    _refuse_eventless(table, said, times, observed, kept)
    checks = _checks(table, kept, present, time_name, event_name, coding, chosen)
    codes, response = _happened(times, observed, entries, kept)
    return Target(time, codes, (), kept, checks, response, readings, said, place, entry or "", first)


def _written_target(table: Table, column: int) -> Target:
    """The target from one column that contains the whole outcome, such as 12+."""
    name = table.columns[column]
    cells = _cells(table, column)
    if cells is None:
        raise DataError(
            'Column "{name}" cannot be both the time and the event, because it is not in R notation: 12, 12+ if '
            "censored, (3,12] with the time of entry.",
            name=name,
        )
    present = ~np.isnan(cells.times)
    entries = None if np.isnan(cells.entries).all() else np.where(np.isnan(cells.entries), 0.0, cells.entries)
    _refuse_times(table, cells.times, entries, present, name, name)
    kept = present & ((cells.times > 0) | cells.events)
    said = written_event(name)
    _refuse_eventless(table, said, cells.times, cells.events & present, kept)
    codes, response = _happened(cells.times, cells.events, entries, kept)
    return Target(column, codes, (), kept, _left_out(kept, present, name, name), response, (), said, column)


def _happened(
    times: NDArray[np.float64], observed: NDArray[np.bool_], entries: NDArray[np.float64] | None,
    kept: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:  # fmt: skip
    """Codes and response of the rows kept; without entries if all are at risk from the start."""
    codes = observed[kept].astype(np.int64)
    response = np.where(observed[kept], times[kept], -times[kept]) + 0.0
    if entries is not None and entries[kept].max() > 0:
        response = np.stack([response, entries[kept]], axis=1)
    return codes, response


def _refuse_times(
    table: Table, times: NDArray[np.float64], entries: NDArray[np.float64] | None, present: NDArray[np.bool_],
    name: str, entry: str,
) -> None:  # fmt: skip
    if (times[present] < 0).any():
        row = int(np.flatnonzero(present & (times < 0))[0])
        raise DataError(
            'Column "{name}", the time to the event, is negative in {count:,} rows, such as row {row}. Correct or '
            "exclude these rows.",
            name=name, count=int((times[present] < 0).sum()), row=table.rows[row],
        )  # fmt: skip
    if entries is not None and (entries[present] >= times[present]).any():
        wrong = present & (entries >= times)
        raise DataError(
            'The time of entry ("{entry}") is not before the time ("{name}") in {count:,} rows, such as row {row}. '
            "Correct or exclude these rows.",
            entry=entry, name=name, count=int(wrong.sum()), row=table.rows[int(np.flatnonzero(wrong)[0])],
        )  # fmt: skip


def _refuse_eventless(
    table: Table, said: str, times: NDArray[np.float64], observed: NDArray[np.bool_], kept: NDArray[np.bool_]
) -> None:
    if not observed.any() or len(np.unique(times[kept])) < 2:
        event, _, value = said.rpartition("=")
        raise DataError(
            'With event {event} = {value}, no event is observed in "{name}", or all times are equal. Choose another '
            "event or time.",
            event=event, value=value, name=table.name,
        )  # fmt: skip


def _event_question(time: str, event: str, coding: _Coding, entry: str | None) -> Reading:
    answers = tuple(
        Alternative(
            message("The event was observed if {event} = {value}", event=event, value=coding.names[place]),
            "target",
            surv(time, f"{event}={coding.names[place]}", entry),
        )
        for place in coding.order
    )
    sentence = message(
        'Value {value} of column "{event}" is treated as the event, and {others} as censored.',
        value=coding.names[coding.event], event=event,
        others=quoted([name for place, name in enumerate(coding.names) if place != coding.event]),
    )  # fmt: skip
    return Reading("event", sentence, "", answers, False, (time, event), "as target")


def _checks(
    table: Table, kept: NDArray[np.bool_], present: NDArray[np.bool_], time: str, event: str, coding: _Coding,
    chosen: int,
) -> tuple[Check, ...]:  # fmt: skip
    """Checks on dropped rows, on what counts as censored, and on the number of events."""
    checks = list(_left_out(kept, present, time, event))
    names = (time, event)
    if len(coding.names) > 2:
        sentence = message(
            'Values {others} of "{event}" are treated as censored. If some are other events that rule this one out '
            "(competing risks), survival curves show what would happen in their absence.",
            others=quoted([name for place, name in enumerate(coding.names) if place != chosen]), event=event,
        )  # fmt: skip
        checks.append(Check("competing events", sentence, names))
    return tuple(checks)


def _left_out(kept: NDArray[np.bool_], present: NDArray[np.bool_], time: str, event: str) -> tuple[Check, ...]:
    """Checks on rows that carry no information."""
    checks = []
    names = (time, event)
    if not present.all():
        sentence = message_many(
            int((~present).sum()),
            '{count} row with no time or event is dropped (target "{time}", "{event}").',
            '{count} rows with no time or event are dropped (target "{time}", "{event}").',
            time=time, event=event,
        )  # fmt: skip
        checks.append(Check("missing target", sentence, names))
    if (present & ~kept).any():
        sentence = message_many(
            int((present & ~kept).sum()),
            "{count} row censored at time 0 carries no information and is dropped.",
            "{count} rows censored at time 0 carry no information and are dropped.",
        )
        checks.append(Check("censored at 0", sentence, names))
    return tuple(checks)


def half_width_of_concordance(concordance: float, rows: int, events: int) -> float:
    """Half-width of the 95 % interval of a concordance that the default method will report for this many rows.

    Its variance is that of a proportion of events / 0.44 rows, however many are censored (simulated with exponential
    times); the interval assumes at least the variance of a proportion of all rows.
    """
    return half_width(1.0 - concordance, min(float(rows), events / _OF_EVENTS))


def survival_checks(
    response: NDArray[np.float64], event: str, features: int, groups: NDArray[np.int64] | None = None
) -> list[Check]:
    """Checks on the number of events, the follow-up, and the precision of a concordance."""
    times, events = times_of(response), events_of(response)
    count, rows, median = int(events.sum()), len(times), follow_up(response)
    parts: Message = message(
        "{events:,} events ({event}) in {rows:,} rows, {censored} % censored; times up to {longest:.4g}",
        events=count, event=event, rows=rows, censored=round(100 * (1 - count / rows)), longest=float(times.max()),
    )  # fmt: skip
    spread = half_width_of_concordance(0.65, rows if groups is None else len(np.unique(groups)), count)
    sentence = (
        message("{parts}, median follow-up {median:.4g} (reverse Kaplan-Meier). A concordance near 0.65 will be "
                "uncertain by about ± {spread:.2f} (95 %).", parts=parts, median=median, spread=spread)
        if np.isfinite(median)
        else message("{parts}. A concordance near 0.65 will be uncertain by about ± {spread:.2f} (95 %).", parts=parts,
                     spread=spread)
    )  # fmt: skip
    checks = [Check("precision", sentence)]
    if count < _FEW_EVENTS:
        few = message_many(
            count,
            "There is only {count} event. Since events carry the information on risk, hardly anything can be learned.",
            "There are only {count} events. Since events carry the information on risk, little can be learned.",
        )
        checks.append(Check("few events", few))
    if features > rows:
        many = message(
            "{features:,} features for {rows:,} rows: with so many possible subsets, some will be perfect by chance. "
            "Trust held-out errors only.",
            features=features, rows=rows,
        )  # fmt: skip
        checks.append(Check("more features than rows", many))
    elif count < _EVENTS_OF_A_FEATURE * features:
        few = message(
            "{events:,} events for {features:,} features, {ratio:.2g} per feature: below {limit}, the weights of a "
            "model with all features are unreliable.",
            events=count, features=features, ratio=count / features, limit=_EVENTS_OF_A_FEATURE,
        )  # fmt: skip
        checks.append(Check("few events a feature", few))
    return [*checks, *_checks_of_times(times, events), *_checks_of_entries(response, groups)]


def _checks_of_times(times: NDArray[np.float64], events: NDArray[np.bool_]) -> list[Check]:
    """Checks on events at time 0, tied times, and times of censoring."""
    checks = list[Check]()
    at_start = int((events & (times == 0)).sum())
    if at_start:
        sentence = message_many(
            at_start,
            "{count} row has its event at time 0. Exclude it if the event was present before observation began.",
            "{count} rows have their event at time 0. Exclude them if the event was present before observation began.",
        )
        checks.append(Check("events at 0", sentence))
    moments, sizes = np.unique(times[events], return_counts=True)
    tied = int(sizes[sizes > 1].sum())
    if tied >= _MANY_TIED * events.sum():
        sentence = message(
            "{tied:,} of {events:,} events share their time with another one; there are {moments:,} different event "
            "times. Times in smaller units, such as days, are more informative.",
            tied=tied, events=int(events.sum()), moments=len(moments),
        )  # fmt: skip
        checks.append(Check("tied events", sentence))
    if not events.all() and times[~events].min() >= times[events].max():
        sentence = message(
            "All {count:,} censored rows are censored at the end, from {time:.4g} on: either nobody was lost "
            "earlier, or those who were are missing from the table.",
            count=int((~events).sum()), time=float(times[~events].min()),
        )  # fmt: skip
        checks.append(Check("censored at the end", sentence))
    return checks


def _checks_of_entries(response: NDArray[np.float64], groups: NDArray[np.int64] | None) -> list[Check]:
    """Checks on the number of rows with delayed entry, and whether they look like intervals of the same patients."""
    entries = entries_of(response)
    if entries is None:
        return []
    times, events = times_of(response), events_of(response)
    late = int((entries > 0).sum())
    sentence = message_many(
        late,
        "{count} row came under observation after time 0 and is compared only with others at risk after that.",
        "{count} rows came under observation after time 0 and are compared only with others at risk after that.",
    )
    checks = [Check("late entries", sentence)]
    carried_on = int(np.isin(entries[entries > 0], times[~events]).sum())
    if groups is None and carried_on > late / 2:
        sentence = message(
            "{count:,} rows begin when another one ends, so they look like intervals of the same patients. Use the "
            "patient column as groups of rows; otherwise a model is tested on patients it was trained on.",
            count=carried_on,
        )  # fmt: skip
        checks.append(Check("intervals", sentence))
    return checks
