"""Detection of replicates of one subject by row name, proposed as groups that are never split."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Table
from fsdesk.data.leaks import PERSON_NAME
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import as_descriptions
from fsdesk.messages import message, quoted

_NAMES = re.compile(
    r"(?P<stem>.+?)"
    r"(?:[ _.:-](?P<mark>[A-Za-z]|\d{1,2}|left|right|mid|middle|links|rechts|mitte|od|os|pre|post|vor|nach|before|"
    r"after|baseline|[tvdwm]\d{1,2}|\d{2}[A-Z])"
    r"|[ _.:-]?(?:rep|replicate|repl|tech|run|r|inj|injection|visit|visite|time|timepoint|tp|day|tag|week|wk|month|dup|"
    r"slide|image|img|bild|scan|section|schnitt|roi|tile|patch|frame|lesion|biopsy|aliquot|core|spot|eye|ear|tooth|"
    r"segment|epoch|trial|session|sess|ses|cell)"
    r"[ _.:-]?(?P<run>\d{1,2})"
    r"|(?<=\d)(?P<letter>[a-z]))",
    re.IGNORECASE,
)
_FILE_END = re.compile(
    r"\.(png|jpe?g|tiff?|bmp|svs|ndpi|dcm|nii(\.gz)?|mzx?ml|raw|wiff|fcs|cel|bam|wav|edf|txt|csv)$", re.I
)
_OF_SAMPLE = re.compile(r"(sample|specimen)([ _.-]?(id|name|no|nr))?", re.IGNORECASE)
_WHOSE = re.compile(
    rf"id|{_OF_SAMPLE.pattern}|"
    r"(.*[_.])?(eid|mrn|seqn|u?subjid|ptid|patid|pid|ptno|patno|ssn|nhs|vpn?|aktenzeichen)|"
    r"(pat(ient)?(en)?|subj(ect)?|case|record|participant|proband(en)?|fall|tier|versuchs(person|tier)(en)?|maus|mouse|"
    r"rat(te)?|animal|person|respondent)[ _.-]*(id|no|nr|num|number|nummer|code|kennung|kürzel|#)?\.?",
    re.IGNORECASE,
)
_FEWEST_SUBJECTS, _MOST_EACH = 6, 5
_FEWEST_PEOPLE = 10
_MOST_ROWS, _MOST_FEATURES, _MOST_CLASSES = 3000, 500, 10
_NEAR = 0.8  # fraction of rows whose nearest row is of the same subject


def with_replicates(table: Table, options: ReadOptions) -> Table:
    """The table with a column of subjects, as the proposed groups, if its rows are replicates."""
    if options.replicates == "rows" or table.default_group:
        return table
    person = repeated_person(table)
    if person:
        return grouped_by(table, person, sure=options.replicates == "groups")
    stems = _stems(table.rows)
    if stems is None:
        return table
    if options.replicates == "auto" and (_are_classes(table, stems) or not _belong(table, stems)):
        return table
    subjects, codes = np.unique(np.array(stems, dtype=object), return_inverse=True)
    name = "subject"
    while name in table.columns:
        name += "_"
    first = stems[0]
    examples = quoted([row for row, stem in zip(table.rows, stems, strict=True) if stem == first])
    sentence = message(
        "Rows such as {examples} are treated as replicates of one subject, giving {subjects:,} subjects as groups.",
        examples=examples, subjects=len(subjects),
    )  # fmt: skip
    evidence = message("Splitting them between training and test sets would make errors too optimistic.")
    answers = _ANSWERS
    reading = Reading(
        "replicates", sentence, evidence, answers, options.replicates == "groups", (name,), "without group"
    )
    made = replace(
        table,
        values=np.asfortranarray(np.column_stack([codes.astype(np.float64), table.values])),
        columns=(name, *table.columns),
        categories={0: tuple(map(str, subjects)), **{j + 1: names for j, names in table.categories.items()}},
        readings=(*table.readings, reading),
        default_group=name,
    )
    return as_descriptions(made, (name,))


_ANSWERS = (
    Alternative(message("Rows of one subject form a group"), "replicates", "groups"),
    Alternative(message("Each row is independent"), "replicates", "rows"),
)


def repeated_person(table: Table) -> str:
    """The column named patient, subject or the like with several rows for most of its values; "" for none.

    With few people there would be too few groups to split.
    """
    found = []
    for j, name in enumerate(table.columns):
        if name == table.default_target or not says_whose(name.strip()):
            continue
        values = table.values[:, j]
        if np.isnan(values).any():
            continue
        if j not in table.categories and (values != np.floor(values)).any():
            continue
        sizes = np.unique(values, return_counts=True)[1]
        if len(sizes) >= _FEWEST_PEOPLE and 2 * int((sizes > 1).sum()) > len(sizes):
            found.append(name)
    people = [name for name in found if not _OF_SAMPLE.fullmatch(name.strip())] or found
    return people[0] if len(people) == 1 else ""


def says_whose(name: str) -> bool:
    """Whether the name of a column, such as patient, MRN or id, says to whom a row belongs."""
    return PERSON_NAME.fullmatch(name) is not None or _WHOSE.fullmatch(name) is not None


def grouped_by(table: Table, name: str, *, sure: bool) -> Table:
    """The table with a column of people as the proposed groups of rows."""
    people = len(np.unique(table.values[:, table.columns.index(name)]))
    sentence = message(
        'Rows with the same value of "{name}" are treated as a group: {people:,} groups for {rows:,} rows.',
        name=name, rows=len(table.rows), people=people,
    )  # fmt: skip
    evidence = message("Splitting them between training and test sets would make errors too optimistic.")
    reading = Reading("replicates", sentence, evidence, _ANSWERS, sure, (name,), "without group")
    return replace(table, readings=(*table.readings, reading), default_group=name)


def _stems(rows: tuple[str, ...]) -> list[str] | None:
    """The part of every row's name that several rows share; None if names do not consist of subject and replicate."""
    stems, marks = [], defaultdict[str, set[str]](set)
    for row in rows:
        match = _NAMES.fullmatch(_FILE_END.sub("", row.strip()))
        if match is None:
            return None
        mark = match["mark"] or match["run"] or match["letter"]
        if mark in marks[match["stem"]]:
            return None
        marks[match["stem"]].add(mark)
        stems.append(match["stem"])
    several = sum(len(found) for found in marks.values() if 1 < len(found) <= _MOST_EACH)
    return stems if len(marks) >= _FEWEST_SUBJECTS and several >= _NEAR * len(rows) else None


def _are_classes(table: Table, stems: Sequence[str]) -> bool:
    """Whether the stems are the classes of the target, each once, such as WT_1 and KO_1."""
    codes = table.values[:, table.columns.index(table.default_target)]
    pairs = {*zip(stems, codes.tolist(), strict=True)}
    return len(pairs) == len({*stems}) == len({code for _, code in pairs})


def _belong(table: Table, stems: list[str]) -> bool:
    """Whether rows with the same stem belong to one subject.

    Nearly all subjects have the same marks, and these are words such as rep1 and left, or all rows of a subject are in
    one class; or the rows of a subject are similar.
    """
    marks = defaultdict[str, set[str]](set)
    for row, stem in zip(table.rows, stems, strict=True):
        marks[stem].add(row.strip()[len(stem) :])
    usual, times = Counter(frozenset(found) for found in marks.values()).most_common(1)[0]
    if times >= _NEAR * len(marks) and (all(map(_says_what, usual)) or _are_of_one_class(table, stems)):
        return True
    return _are_alike(table, stems)


def _are_of_one_class(table: Table, stems: Sequence[str]) -> bool:
    """Whether nearly every subject is in a single class, in a column that may be the target."""
    subjects = len({*stems})
    for j in range(len(table.columns) - 1, max(-1, len(table.columns) - 1 - _MOST_FEATURES), -1):
        codes = table.values[:, j]
        if 1 < len(np.unique(codes[:_MOST_ROWS])) <= _MOST_CLASSES:
            several = len({*zip(stems, codes.tolist(), strict=True)}) - subjects
            if several <= (1 - _NEAR) * subjects:
                return True
    return False


def _says_what(mark: str) -> bool:
    """Whether a mark, such as rep1, T0 or left, is more than a single letter or a number."""
    plain = mark.strip(" _.:-")
    return len(plain) > 1 and not plain.isdigit()


def _are_alike(table: Table, stems: list[str]) -> bool:
    """Whether nearly every row is nearest to one of the same subject."""
    numeric = [j for j in range(len(table.columns)) if j not in table.categories][:_MOST_FEATURES]
    values = table.values[:_MOST_ROWS, numeric]
    spread = np.nanstd(values, axis=0) if len(numeric) else np.array([])
    kept = np.flatnonzero(np.isfinite(spread) & (spread > 0) & ~np.isnan(values).any(axis=0))
    if not len(kept) or len(values) < 2:
        return False
    scaled: NDArray[np.float64] = (values[:, kept] - values[:, kept].mean(axis=0)) / spread[kept]
    squares = (scaled**2).sum(axis=1)
    distances = squares[:, None] + squares[None, :] - 2 * scaled @ scaled.T
    np.fill_diagonal(distances, np.inf)
    nearest = distances.argmin(axis=1)
    names = np.array(stems[: len(values)], dtype=object)
    several = np.array([(names == name).sum() > 1 for name in names])
    return bool((names[nearest] == names)[several].mean() >= _NEAR) if several.any() else False
