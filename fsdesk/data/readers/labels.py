"""Labels of samples from a second file: matched by shared IDs, or by order if the user requests it."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import Numbers, gather_transposed
from fsdesk.data.compound import are_compounds
from fsdesk.data.dataset import Check, Table
from fsdesk.data.dates import holds_dates
from fsdesk.data.names_alike import look
from fsdesk.data.number_texts import is_grouped
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.first_lines import is_title
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.replicates import grouped_by
from fsdesk.data.roles import as_descriptions, duplicated_ids, names_classes
from fsdesk.data.table import build_table
from fsdesk.errors import DataError, UserError
from fsdesk.messages import Message, joined, mark, message, message_many, quoted

IN_ORDER = "labels in order"
"""Kind of decision for formats whose labels are in the order of the samples by definition."""

_KEPT_CHECKS = (
    "encoding",
    "two encodings",
    "damaged characters",
    "text among numbers",
    "names that look alike",
    "missing spellings",
)
_MOST_ANSWERS = 6
_COUNTED = -2  # the index of row IDs that only number the rows
_MOST_KEYS = 400  # columns of a wide table that may be IDs

Open = Callable[[Path, ReadOptions], Table]


@dataclass(frozen=True)
class _Key:
    """A column that may name the samples: its name, its cells as text, and its index; -1 for the row IDs.

    It also stores the common beginning and end of its cells, if these were removed.
    """

    name: str
    cells: tuple[str, ...]
    column: int
    left_out: tuple[str, str] = ("", "")

    def is_called_as(self, other: "_Key") -> bool:
        return bool(self.name) and self.name.strip().casefold() == other.name.strip().casefold()

    @property
    def is_unique(self) -> bool:
        return len(set(self.cells)) == len(self.cells) and "" not in self.cells


@dataclass(frozen=True)
class _Join:
    """How two files are joined: the keys, and the label row for each sample, -1 if it has none."""

    own: _Key
    theirs: _Key
    order: NDArray[np.intp]

    @property
    def has_one_name(self) -> bool:
        """Whether both files use the same name for the IDs; a column of classes in both is not one of IDs."""
        return self.own.is_called_as(self.theirs) and (self.own.is_unique or self.theirs.is_unique)

    @property
    def matched(self) -> int:
        return int((self.order >= 0).sum())


_OF_COLUMNS = mark(
    '"{labels}" has labels for the columns of "{name}", not for its rows. Change the setting "Samples are in".'
)


def are_of_columns(error: UserError) -> bool:
    """Whether a table was refused because its rows were read as samples, but the labels belong to its columns."""
    said = error.args[0] if error.args else ""
    return isinstance(said, Message) and said.template == _OF_COLUMNS


def with_labels(table: Table, path: Path, options: ReadOptions, open_table: Open) -> Table:
    """The table followed by the columns of a labels file; the last one is the default target.

    Parameters
    ----------
    table
        As read.
    path
        Of the labels file.
    options
        Options of the table: its encoding and the way of joining apply to the labels, too.
    open_table
        Reads a table from a file.

    Raises
    ------
    DataError
        If the two files share no IDs and the user did not state that their order is the same, if a sample has several
        labels, or if labels are joined by order and their numbers differ.
    """
    ways = ReadOptions(row_ids="none").updated({"encoding": options.encoding})
    labels, ways = _headed(table, path, ways, open_table)
    keys = list(_keys_of(table))
    in_order = options.labels_by == "order" or any(reading.kind == IN_ORDER for reading in labels.readings)
    theirs = [] if in_order else _written(labels, path, ways, open_table)
    join = None if in_order else _join(table, labels.name, keys, theirs)
    if not in_order and (join is None or 2 * join.matched <= len(table.rows)):
        labels, join = _turned(table, path, ways, open_table) or (labels, join)
    if join is None and _splits_words(labels, path, ways, open_table):
        labels, _ = _headed(table, path, ways.updated({"delimiter": "none", "header": "auto"}), open_table)
    if join is None and not in_order:
        join = _join_by_two(table, theirs)
    if join is not None:
        made = _joined_by_id(table, labels, join, said=options.labels_by == "ids")
        return made if options.replicates == "rows" else _grouped(made, join)
    return _joined_by_order(table, labels, asked=in_order)


def _join(table: Table, name: str, keys: Sequence[_Key], theirs: Sequence[_Key]) -> _Join | None:
    """The join that labels most samples: by IDs as written, or by the part of them that both files contain."""
    whole = _best_join(keys, theirs, name)
    if whole is not None and 2 * whole.matched > len(table.rows):
        return whole
    found = [join for join in (whole, _join_by_stems(table, name, theirs), _join_by_beginnings(table, theirs)) if join]
    return max(found, key=lambda join: join.matched, default=None) or _join_by_parts(table, name, theirs)


def _headed(table: Table, path: Path, ways: ReadOptions, open_table: Open) -> tuple[Table, ReadOptions]:
    """The labels, and how they were read; a header that is a sample, by its name or the row count, becomes a row."""
    try:
        labels = open_table(path, ways)
    except DataError:  # perhaps a single line
        labels = open_table(path, ways.updated({"header": "no"}))
    missing_rows = len(table.rows) - len(labels.rows)
    one = len(labels.columns) == 1
    header = "auto"
    titled = one and missing_rows == 1 and is_title(labels.columns[0])
    if any(name in table.rows for name in labels.columns) or (one and missing_rows == 1 and not titled):
        header = "no"
    elif one and missing_rows == -1:
        header = "yes"
    ways = ways.updated({"header": header})
    return (labels if header == "auto" else open_table(path, ways)), ways


def _written(labels: Table, path: Path, ways: ReadOptions, open_table: Open) -> list[_Key]:
    """The columns of the labels file as written: 007 is not 7."""
    types = "; ".join(f"{name}=category" for name in labels.columns if ";" not in name)
    try:
        again = open_table(path, ways.updated({"types": types}))
    except DataError:
        again = labels
    return list(_keys_of_columns(again if again.columns == labels.columns else labels))


def _keys_of(table: Table) -> Iterator[_Key]:
    numbered = tuple(map(str, range(1, len(table.rows) + 1)))
    if table.rows != numbered:
        yield _Key("", table.rows, -1)
    yield from _keys_of_columns(table, _MOST_KEYS)
    if table.rows == numbered:
        yield _Key("", table.rows, _COUNTED)


def _row_ids(table: Table) -> _Key:
    return next(key for key in _keys_of(table) if key.column < 0)


def _keys_of_columns(table: Table, most: int = 10**9) -> Iterator[_Key]:
    """Columns of texts or integers; only the first and last ones of a wide table."""
    places = range(len(table.columns))
    for j in places if len(places) <= most else (*places[: most // 2], *places[-most // 2 :]):
        values = table.values[:, j]
        if j in table.categories or bool((np.isnan(values) | (values == np.floor(values))).all()):
            yield _Key(table.columns[j], tuple(_texts(table, j)), j)


def _texts(table: Table, column: int) -> list[str]:
    values, names = table.values[:, column].tolist(), table.categories.get(column)
    return ["" if np.isnan(value) else names[int(value)] if names else f"{value:.15g}" for value in values]


def _best_join(own: Sequence[_Key], theirs: Sequence[_Key], name: str) -> _Join | None:
    """The pair of keys of one name or, without any, that labels most samples; None if no pair labels any.

    Raises DataError if several columns of the label file ``name`` do so and give samples different labels.
    """
    found: list[_Join] = []
    for key in theirs:
        for mine in own:
            same_name = mine.is_called_as(key)
            if not (key.is_unique or same_name or mine.column == -1) or not (
                mine.is_unique or same_name or mine.column < 0
            ):
                continue
            if mine.column == _COUNTED and {*mine.cells} != {*key.cells}:
                continue  # running numbers match other running numbers
            join = _matched(mine, key)
            if join is not None:
                found.append(join)
    if any(join.has_one_name for join in found):
        found = [join for join in found if join.own.column != _COUNTED]
    best = max(found, key=lambda join: (join.has_one_name and 2 * join.matched > len(join.order), join.matched),
               default=None)  # fmt: skip
    if best is None or best.has_one_name or 2 * best.matched <= len(best.order):
        return best
    rivals = [join for join in found if join.own == best.own and _NEARLY * best.matched <= join.matched
              and (join.order != best.order).any()]  # fmt: skip
    if not rivals:
        return best
    called = [join for join in (best, *rivals) if _ID_NAME.fullmatch(join.theirs.name.strip())]
    if len(called) == 1:
        return called[0]
    raise DataError(
        '"{name}" has several columns that could be the sample IDs ({columns}), and they give samples different '
        "labels. Remove those that are not, or name the right one as in the table.",
        name=name, columns=quoted([join.theirs.name for join in (best, *rivals)]),
    )  # fmt: skip


_NEARLY = 0.9  # as a fraction of the samples that the best column matches
_ID_NAME = re.compile(
    r"(?!$)(geo|sample|subject|patient|case|specimen|participant|donor|proband(en)?|probe|run|file|array|barcode)?"
    r"[ _.-]?(id|ids|name|no|nr|number|code|accession)?s?",
    re.IGNORECASE,
)
"""Usual names of columns with sample IDs."""


def _turned(table: Table, path: Path, ways: ReadOptions, open_table: Open) -> tuple[Table, _Join | None] | None:
    """The labels of a file whose columns are the samples, and the join; None if they are not.

    The first line then contains the IDs; a single line contains the labels, in the order of the samples.
    """
    own = list(_keys_of(table))
    best: tuple[Table, _Join] | None = None
    for option in ({"orientation": "columns", "header": "yes"}, {"header": "no"}):
        try:
            labels = open_table(path, ways.updated(option))
        except DataError:
            continue
        if "orientation" not in option:
            if len(labels.rows) == 1 and len(labels.columns) == len(table.rows):
                return _put_across(labels, 0), None
            labels = _put_across(labels, 1)
        join = _join(table, labels.name, own, [_Key("", labels.rows, -1)])
        if join is not None and 2 * join.matched > len(table.rows) and (not best or join.matched > best[1].matched):
            best = labels, join
    return best


def _put_across(labels: Table, ids: int) -> Table:
    """The transposed table of labels, whose first row contains the IDs if ``ids`` is 1."""
    cells = [_texts(labels, j) for j in range(len(labels.columns))]
    count = len(labels.rows) - ids
    columns = gather_transposed(([row[k + ids] for row in cells] for k in range(count)), count, len(cells), Numbers())
    names = [""] * count if count > 1 else [message("label")]
    rows = [row[0] for row in cells] if ids else None
    return build_table(labels.name, columns, names, rows=rows, source=labels.source)


def _join_by_stems(table: Table, name: str, theirs: Sequence[_Key]) -> _Join | None:
    """The join by IDs without their common beginning and end, such as "LFQ intensity S1" and "/data/S1.bam"."""
    own = _row_ids(table)
    stems = [stem for key in theirs if key.is_unique and (stem := _stems(key)) is not None]
    stem = _stems(own)
    return _best_join([own], stems, name) if stem is None else _best_join([stem], [*theirs, *stems], name)


def _join_by_beginnings(table: Table, theirs: Sequence[_Key]) -> _Join | None:
    """The join by IDs that are prefixes of the sample names, up to a separator: TCGA-02-0001 of ...-01A-11R.

    Several samples may share an ID, such as a patient's tumor and normal tissue.
    """
    own = _row_ids(table)
    best: _Join | None = None
    for key in theirs:
        rows = {_plainly(cell): row for row, cell in enumerate(key.cells) if len(cell) >= _FEWEST_LETTERS}
        if not key.is_unique or own.column == _COUNTED or len(rows) < len(key.cells):
            continue
        order = np.array([_beginning_in(_plainly(cell), rows) for cell in own.cells], dtype=np.intp)
        found = _Join(replace(own, left_out=("", "...")), key, order)
        if found.matched > max(_FEWEST_STEMS, len(order) // 2) and (best is None or found.matched > best.matched):
            best = found
    return best


def _join_by_two(table: Table, theirs: Sequence[_Key]) -> _Join | None:
    """The join by IDs made of two columns of the labels, such as patient and time; None if most samples have none."""
    own = _row_ids(table)
    keys = theirs[:_MOST_PARTS]
    for first, second in permutations(keys, 2) if own.column != _COUNTED else ():
        for sign in _SIGNS_BETWEEN:
            cells = tuple(f"{a}{sign}{b}" for a, b in zip(first.cells, second.cells, strict=True))
            key = _Key(f"{first.name} + {second.name}", cells, -1)
            found = _matched(own, key) if key.is_unique else None
            if found is not None and 2 * found.matched > len(table.rows):
                return found
    return None


_MOST_PARTS, _SIGNS_BETWEEN = 6, ("_", "")


def _beginning_in(cell: str, rows: Mapping[str, int]) -> int:
    """The row of the longest ID that is a prefix of a name; -1 for none."""
    places = [place for place, sign in enumerate(cell) if sign == "."][::-1]
    return next((rows[cell[:place]] for place in places if cell[:place] in rows), -1)


def _grouped(table: Table, join: _Join) -> Table:
    """The table with a column of the label IDs as the proposed groups, if several samples share one."""
    counts = Counter(join.order[join.order >= 0].tolist())
    if (
        join.own.column >= 0
        and join.own.name in table.columns
        and 2 * sum(n > 1 for n in counts.values()) > len(counts)
    ):
        return table if table.default_group else grouped_by(table, join.own.name, sure=False)
    if not counts or max(counts.values()) < 2 or join.own.column >= 0 or table.default_group:
        return table
    name = join.theirs.name
    while name in table.columns:
        name += "_"
    ids = [join.theirs.cells[row] if row >= 0 else called for row, called in zip(join.order, table.rows, strict=True)]
    levels = tuple(sorted({*ids}))
    place = {level: float(code) for code, level in enumerate(levels)}
    made = replace(
        table,
        values=np.asfortranarray(np.column_stack([[place[each] for each in ids], table.values])),
        columns=(name, *table.columns),
        categories={0: levels, **{j + 1: names for j, names in table.categories.items()}},
    )
    return as_descriptions(grouped_by(made, name, sure=False), (name,))


def _join_by_parts(table: Table, name: str, theirs: Sequence[_Key]) -> _Join | None:
    """The join by IDs that are the same part of every sample name: "S1.mzML Peak area" beside "m/z".

    Raises DataError if the IDs occur in several columns each, such as "Intensity S1" and "LFQ intensity S1".
    """
    own = _row_ids(table)
    best: _Join | None = None
    for key in theirs:
        if not key.is_unique or own.column == _COUNTED:
            continue
        ids, around = {*key.cells}, Counter[tuple[str, str]]()
        parts = [next(iter(_around(cell, ids)), None) for cell in own.cells]
        around.update((_counted(part[0]), _counted(part[2])) for part in parts if part is not None)
        few = max(_FEWEST_STEMS, len(ids) / 2)
        likely = [affixes for affixes, count in around.most_common(2) if count >= few]
        used = Counter(part[1] for part in parts if part is not None)
        once = used.total() >= few and max(used.values(), default=0) == 1 and all(map(_has_letter, used))
        if len(likely) > 1 and not once:
            raise DataError(
                'Each ID in "{labels}" matches several columns of "{name}", such as {columns}. In the label file, '
                "use the names of the value columns.",
                labels=name, name=table.name, columns=quoted([f"{a}{key.cells[0]}{b}" for a, b in likely]),
            )  # fmt: skip
        if likely or once:
            cells = tuple("" if part is None or (not once and (_counted(part[0]), _counted(part[2])) != likely[0])
                          else part[1] for part in parts)  # fmt: skip
            before, _, behind = next(part for part, cell in zip(parts, cells, strict=True) if part and cell)
            found = _matched(replace(own, cells=cells, left_out=(before.strip(), behind.strip())), key)
            best = found if best is None or (found is not None and found.matched > best.matched) else best
    return best


def _counted(affix: str) -> str:
    """The text before or after an ID, ignoring the numbers in it: [1] and [2] are the same."""
    return re.sub(r"\d+", "0", affix)


def _has_letter(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def _around(cell: str, ids: Collection[str]) -> list[tuple[str, str, str]]:
    """The text before the longest ID within a name, the ID, and the text after it; none without an ID."""
    edges = [place for place in range(len(cell) + 1) if place in (0, len(cell))
             or (cell[place - 1].isalnum() != cell[place].isalnum())][:_MOST_EDGES]  # fmt: skip
    parts = [(begin, end) for begin in edges for end in edges if end > begin and cell[begin:end] in ids]
    if not parts:
        return []
    begin, end = max(parts, key=lambda part: part[1] - part[0])
    return [(cell[:begin], cell[begin:end], cell[end:])]


def _stems(key: _Key) -> _Key | None:
    """A key without the common beginning and end of its IDs, up to a separator; None if there are none."""
    if len(key.cells) < _FEWEST_STEMS:
        return None
    prefix = _PARTED.sub("", _beginning(key.cells))
    suffix = _PARTED.sub("", _beginning([cell[::-1] for cell in key.cells]))
    cells = tuple(cell[len(prefix) : len(cell) - len(suffix)].strip() for cell in key.cells)
    made = replace(key, cells=cells, left_out=(prefix.strip(), suffix[::-1].strip()))
    return made if (prefix or suffix) and made.is_unique else None


def _beginning(words: Sequence[str]) -> str:
    """The common prefix of all words: that of the first and the last one in sorted order."""
    low, high = min(words), max(words)
    return low[: next((place for place, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]


_PARTED = re.compile(r"[^\W_]*$")  # letters and digits after the last separator
_FEWEST_STEMS = 3
_FEWEST_LETTERS = 3  # minimum length of an ID that names may begin with
_MOST_EDGES = 40


def _matched(mine: _Key, key: _Key) -> _Join | None:
    """Label rows for each sample, by IDs as written or, if that finds more, by their digits or letters."""
    best: _Join | None = None
    for form in (str, _as_number, look, _plainly, _without_zeros, _without_signs):
        place: dict[str, int] = {}
        for row, cell in enumerate(key.cells):
            if cell:
                place.setdefault(form(cell), row)
        if form is not str and (
            len(place) < len(set(key.cells) - {""}) or len({*map(form, mine.cells)}) < len({*mine.cells})
        ):
            continue  # other IDs would become identical
        order = np.array([place.get(form(cell), -1) if cell else -1 for cell in mine.cells], dtype=np.intp)
        found = _Join(mine, key, order)
        if found.matched > (best.matched if best else 0):
            best = found
        if best is not None and best.matched == len(mine.cells):
            break
    return best


def _plainly(cell: str) -> str:
    """An ID in lower case without spaces, and with one sign for those that programs such as R interchange.

    R also prefixes IDs that begin with a digit with an X.
    """
    return _X_BEFORE.sub("", _BETWEEN.sub(".", "".join(look(cell).casefold().split())))


def _without_zeros(cell: str) -> str:
    """An ID as from :func:`_plainly`, without leading zeros in its numbers: S1 and S01 are the same."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", _plainly(cell))


def _without_signs(cell: str) -> str:
    """An ID as from :func:`_without_zeros`, without a sign between letters and digits: P_01 and P1 are the same."""
    return _without_zeros(re.sub(r"(?<=[^\W\d_])\.(?=\d)|(?<=\d)\.(?=[^\W\d_])", "", _plainly(cell)))


_BETWEEN = re.compile(r"[._-]+")
_X_BEFORE = re.compile(r"^x(?=\.?\d)")


_GROUPS = str.maketrans("", "", ",.'’ \u00a0\u202f\u2009")


def _as_number(cell: str) -> str:
    plain = cell.strip()
    try:
        value = float(plain.translate(_GROUPS) if is_grouped(plain) else plain)
    except ValueError:
        return plain
    return f"{value:.15g}" if value == int(value if abs(value) < 1e18 else 0) else plain


def _differing(labels: Table, join: _Join) -> tuple[int, ...]:
    """Columns of the labels that differ between rows with the same ID; DataError if all of them do."""
    rows: dict[str, list[int]] = defaultdict(list)
    for row, cell in enumerate(join.theirs.cells):
        rows[cell].append(row)
    used = dict.fromkeys(join.theirs.cells[row] for row in join.order.tolist() if row >= 0)
    twice = [cell for cell in used if len(rows[cell]) > 1]
    others = [j for j in range(len(labels.columns)) if j != join.theirs.column]
    found = {j: cell for j in others for cell in reversed(twice) if not _are_one(labels.values[rows[cell], j])}
    if found and len(found) == len(others):
        raise DataError(
            '"{name}" has more than one label for {twice} (column "{column}"). Keep one label per sample.',
            name=labels.name, twice=quoted([*dict.fromkeys(found.values())]), column=join.theirs.name,
        )  # fmt: skip
    return tuple(found)


def _are_one(values: NDArray[np.float64]) -> bool:
    """Whether all values are equal, or all missing."""
    return bool(np.isnan(values).all() or (values == values[0]).all())


def _splits_words(labels: Table, path: Path, ways: ReadOptions, open_table: Open) -> bool:
    """Whether labels of several words in one column were split at their spaces."""
    if len(labels.columns) < 2 or not any(
        reading.kind == "separator" and reading.alternatives[:1] and reading.alternatives[0].value == "space"
        for reading in labels.readings
    ):
        return False
    try:
        whole = open_table(path, ways.updated({"delimiter": "none"}))
    except DataError:
        return False
    return len(whole.columns) == 1


def _joined_by_id(table: Table, labels: Table, join: _Join, *, said: bool) -> Table:
    name, matched = labels.name, join.matched
    called = table.rows if join.own.column < 0 else join.own.cells
    absent = [cell or str(row + 1) for row, cell in enumerate(called) if join.order[row] < 0]
    differing = _differing(labels, join)
    taken = [j for j in range(len(labels.columns)) if j != join.theirs.column and j not in differing]
    if all(_names_rows(labels, j) for j in taken):
        raise DataError('"{name}" contains sample IDs but no labels. Choose a file with both.', name=name)
    how = message(
        'Labels {columns} from "{name}" were matched by sample ID.',
        columns=quoted([labels.columns[j] for j in taken]), name=name,
    )  # fmt: skip
    checks = [Check("labels", how)]
    if absent:
        sentence = message_many(
            len(absent),
            '{count} sample of "{table}" has no label in "{name}" and is dropped: {absent}.',
            '{count} samples of "{table}" have no label in "{name}" and are dropped: {absent}.',
            table=table.name, name=name, absent=quoted(absent),
        )  # fmt: skip
        checks.append(Check("samples without a label", sentence))
    if differing:
        sentence = message_many(
            len(differing),
            '"{name}" has several rows for some samples; {count} column differs between them and is excluded: '
            "{columns}.",
            '"{name}" has several rows for some samples; {count} columns differ between them and are excluded: '
            "{columns}.",
            name=name, columns=quoted([labels.columns[j] for j in differing]),
        )  # fmt: skip
        checks.append(Check("labels that differ", sentence))
    evidence = message(
        "{matched:,} of {rows:,} samples are in both files, matched by {own} and {theirs}.",
        matched=matched, rows=len(table.rows), own=_called(join.own), theirs=_called(join.theirs),
    )  # fmt: skip
    answers = (
        Alternative(message("By sample ID"), "labels_by", "ids"),
        Alternative(message("By row order"), "labels_by", "order"),
    )
    counted = join.own.column == _COUNTED or _count_from_elsewhere(join)
    if counted:
        evidence = joined(" ", [evidence, message("These IDs only number the rows.")])
    sure = said or (2 * matched > len(table.rows) and not counted)
    reading = Reading("labels", how, evidence, answers, sure=sure)
    made = _put_behind(table, labels, taken, join.order, checks, (reading,))
    return _named_by(made, join.own) if join.own.column >= 0 else made


def _count_from_elsewhere(join: _Join) -> bool:
    """Whether the IDs of both files are running numbers with different starts, such as 0 and 1."""
    counts = []
    for key in (join.own, join.theirs):
        whole = [int(cell) for cell in key.cells if cell.isdecimal() and len(cell) < _MOST_FIGURES]
        if len({*whole}) < len(key.cells) or max(whole) - min(whole) != len(whole) - 1:
            return False
        counts.append((min(whole), len(whole)))
    return counts[0] != counts[1] and counts[0][1] == counts[1][1]


_MOST_FIGURES = 10


def _called(key: _Key) -> str:
    called = message('the column "{name}"', name=key.name) if key.name else message("the sample IDs")
    affixes = [affix for affix in key.left_out if affix]
    return message("{ids} without {affixes}", ids=called, affixes=quoted(affixes)) if affixes else called


def _named_by(table: Table, key: _Key) -> Table:
    """The table with its IDs as sample names, without their column; the column stays if IDs are not unique."""
    numbered = table.rows == tuple(map(str, range(1, len(table.rows) + 1)))
    if not numbered or not key.is_unique:
        repeated = duplicated_ids([cell for cell in key.cells if cell])
        return as_descriptions(replace(table, checks=(*table.checks, *repeated)), (key.name,))
    left = [j for j in range(len(table.columns)) if j != key.column]
    sentence = message('Column "{name}" contains the sample IDs.', name=key.name)
    return replace(
        table,
        values=np.asfortranarray(table.values[:, left]),
        columns=tuple(table.columns[j] for j in left),
        categories={left.index(j): names for j, names in table.categories.items() if j != key.column},
        rows=key.cells,
        checks=(*table.checks, Check("row ids", sentence, (key.name,))),
    )


def _joined_by_order(table: Table, labels: Table, *, asked: bool) -> Table:
    """The table with labels in row order, if the user says so or the labels have no IDs."""
    name, name2 = labels.name, table.name
    keys = list(_keys_of_columns(labels))
    key = next((key for key in keys if key.is_unique), None) or _called_as_ids(table, keys)
    if not asked and key is not None and len(labels.columns) > 1:
        _refuse_unshared(table, labels, key)
    if not asked and len(labels.columns) == 1 and _names_rows(labels, 0):
        raise DataError(
            '"{name}" contains no labels but IDs, such as {ids}, which are not those of "{table}" ({own}). Choose a '
            "file with its sample IDs and their labels.",
            name=name, ids=quoted(_texts(labels, 0)), table=name2, own=quoted(_own_ids(table)),
        )  # fmt: skip
    if len(labels.rows) != len(table.rows):
        raise DataError(
            '"{name}" has {rows} labels, but "{name2}" has {rows2} samples. Give one label per sample, or sample IDs '
            "in both files.",
            name=name, rows=len(labels.rows), name2=name2, rows2=len(table.rows),
        )  # fmt: skip
    how = (
        message('Labels {columns} from "{name}" were matched by order.', columns=quoted(labels.columns), name=name)
        if asked
        else message(
            'Labels {columns} from "{name}" were matched by order because the two files share no sample IDs. Make '
            "sure that their order is the same.",
            columns=quoted(labels.columns), name=name,
        )
    )  # fmt: skip
    answers = (
        Alternative(message("Both files have the same order"), "labels_by", "order"),
        Alternative(message("Their order differs: use no labels from this file"), "labels", ""),
    )
    reading = Reading("labels", how, "", answers, sure=asked)
    order = np.arange(len(table.rows), dtype=np.intp)
    taken = list(range(len(labels.columns)))
    return _put_behind(table, labels, taken, order, [Check("labels", how, (labels.columns[-1],))], (reading,))


def _called_as_ids(table: Table, keys: Sequence[_Key]) -> _Key | None:
    """The column of the labels named like the table's IDs, whatever its cells contain; None if there is none."""
    names = {name.strip().casefold() for check in table.checks if check.kind == "row ids" for name in check.columns}
    names |= {own.name.strip().casefold() for own in _keys_of_columns(table, _MOST_KEYS)
              if own.is_unique and _ID_NAME.fullmatch(own.name.strip())}  # fmt: skip
    return next((key for key in keys if key.name.strip() and key.name.strip().casefold() in names), None)


def _refuse_unshared(table: Table, labels: Table, key: _Key) -> None:
    ids = key.cells
    if 2 * sum(name in {*ids} for name in table.columns) > len(table.columns):
        raise DataError(_OF_COLUMNS, labels=labels.name, name=table.name)
    raise DataError(
        '"{labels}" has no label for {absent} of "{name}" (its first IDs are {ids}). Provide a label file with the '
        "same sample IDs, or use labels_by=order if both files have the same order.",
        labels=labels.name, absent=quoted(_ids_like(table, key)), name=table.name, ids=quoted(ids),
    )  # fmt: skip


def _ids_like(table: Table, key: _Key) -> tuple[str, ...]:
    """The IDs of the table: its column with the same name as that of the labels, otherwise the row names."""
    named = (own for own in _keys_of_columns(table) if own.name.strip().casefold() == key.name.strip().casefold())
    same = next(named, None)
    return table.rows if same is None else same.cells


def _put_behind(
    table: Table,
    labels: Table,
    taken: Sequence[int],
    order: NDArray[np.intp],
    checks: Sequence[Check],
    readings: tuple[Reading, ...],
) -> Table:
    """The table followed by some columns of the labels; ``order`` is their row for each sample, -1 for none."""
    names: list[str] = []
    for j in taken:
        name = labels.columns[j]
        while name in table.columns or name in names:
            name += "_label"
        names.append(name)
    width = len(table.columns)
    values = np.empty((len(table.rows), width + len(taken)), order="F")
    values[:, :width] = table.values
    values[:, width:] = np.where(order[:, None] < 0, np.nan, labels.values[order][:, list(taken)])
    categories = dict(table.categories)
    categories |= {width + new: labels.categories[old] for new, old in enumerate(taken) if old in labels.categories}
    found = [check for check in labels.checks if check.kind in _KEPT_CHECKS]
    target = names[-1]
    asked = [reading for reading in labels.readings if not reading.sure and {*reading.columns} <= {*labels.columns}]
    indicators = next((reading.columns[1:] for reading in asked if reading.kind == "target"), ())
    likely = [
        name
        for new, name in enumerate(names)
        if labels.columns[taken[new]] not in indicators
        and _may_be_target(values[:, width + new], categories.get(width + new))
    ]
    if target not in likely and likely:
        target = likely[-1]
    classes = [name for name in likely if names_classes(name)]
    if len(classes) == 1:  # "diagnosis" rather than an "age" that happens to be last
        target = classes[0]
    if len(likely) > 1:
        asked.append(_which(likely, target))
    made = replace(
        table,
        values=values,
        columns=(*table.columns, *names),
        categories=categories,
        source=joined(", ", [table.source, message("labels from {source}", source=labels.source)]),
        default_target=target,
        needs_labels=False,
        checks=(*table.checks, *found, *(replace(check, columns=(target,)) for check in checks)),
        readings=(*(reading for reading in table.readings if reading.kind != "target"), *readings, *asked),
    )
    return as_descriptions(made, tuple(names) if len(names) > 1 else ())


def _may_be_target(values: NDArray[np.float64], names: Sequence[str] | None) -> bool:
    """Whether labels sort the samples into classes, or are numbers."""
    known = values[~np.isnan(values)]
    present = np.unique(known)
    if names is None and len(present) == len(known) and bool((present == np.floor(present)).all()):
        return False  # they number or name the samples
    return len(present) > 1 and (names is None or 2 * len(present) <= max(4, len(values)))


def _own_ids(table: Table) -> tuple[str, ...]:
    """The IDs of the table: a column named so, otherwise the row names."""
    named = (own.cells for own in _keys_of_columns(table, _MOST_KEYS)
             if own.is_unique and _ID_NAME.fullmatch(own.name.strip()))  # fmt: skip
    return next(named, table.rows)


def _names_rows(labels: Table, column: int) -> bool:
    """Whether a column only names or numbers its rows: each row has a different word, or the next integer."""
    cells = _texts(labels, column)
    if len(cells) < _FEWEST_NAMED or len({*cells}) < len(cells):
        return False
    if column not in labels.categories:
        return bool((np.diff(labels.values[:, column]) == 1).all())
    return not holds_dates(cells) and not are_compounds(cells)


_FEWEST_NAMED = 8


def _which(names: Sequence[str], target: str) -> Reading:
    sentence = message('The labels are {names}; "{target}" is used as the target.', names=quoted(names), target=target)
    likely = [target, *(name for name in names if name != target)][:_MOST_ANSWERS]
    answers = tuple(Alternative(message('"{name}" is the target', name=name), "target", name) for name in likely)
    return Reading("target", sentence, "", answers, sure=False, columns=tuple(names), asked="without target")
