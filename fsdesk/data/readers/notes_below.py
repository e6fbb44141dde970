"""Lines below a table that are not rows of it: notes, and summaries such as means and totals."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from fsdesk.data.cells import Numbers, Row
from fsdesk.data.dataset import Check, Table
from fsdesk.data.reading import Reading
from fsdesk.messages import message, message_many, quoted

Lines = Callable[[], Iterator[tuple[int, Row]]]
"""Line numbers and cells, from the first line at every call."""

_IDS_LOOKED_AT = 200
_FEWEST_IDS = 4
_TITLE_COLUMNS = 3
_FEATURE_WORD = re.compile("gene|protein|probe|transcript|otu|taxon|metabolite|feature|symbol", re.IGNORECASE)
_MOST_NOTES, _NOTE_SIGNS = 30, "*†‡§#¹²³¶"

SUMMARIES = frozenset((
    "mean", "average", "avg", "sd", "std", "stdev", "std dev", "std. dev.", "stddev", "sem", "median", "cv", "cv%",
    "cv %", "total", "sum", "min", "max", "minimum", "maximum", "mittelwert", "mittel", "mw", "standardabweichung",
    "stabw", "summe", "gesamt", "anzahl", "moyenne", "écart-type", "médiane", "somme", "media", "promedio", "mediana",
    "totale", "desviación estándar", "mean:", "sd:", "total:", "summe:", "geometric mean", "variance", "varianz",
    "n (total)", "grand total", "subtotal", "sub-total", "sub total", "zwischensumme", "gesamtsumme", "overall",
    "mean ± sd", "mean±sd", "mean (sd)", "mean +/- sd", "mean ± sem", "median (iqr)", "p-value", "p value", "p-wert",
    "sum total", "gesamtergebnis", "totale complessivo", "total général", "sous-total", "total general",
    "suma", "somma", "average:", "range", "iqr", "mittelwert ± sd", "mittelwert±sd", "mw ± sd", "mw±sd", "mw (sd)",
    "mittelwert (sd)", "mittelwert ± stabw", "mittelwert ± standardabweichung", "median (range)", "median [iqr]",
    "mean [sd]", "moyenne ± et", "moyenne (et)", "media ± ds", "media ± de", "n missing",
))  # fmt: skip
"""Labels of summary lines below a table, in lower case."""


def _with_signs(word: str) -> str:
    """A capitalized word or an abbreviation in capitals: Mean ± SD."""
    return re.sub(r"\b(sd|sem|iqr|cv)\b", lambda match: match[0].upper(), word.capitalize())


_SUMMARIES_WRITTEN = frozenset(
    form
    for word in SUMMARIES
    for form in (word, word.capitalize(), word.title(), word.upper(), f"{word.capitalize()} ", _with_signs(word))
)


def without_notes(rows: Lines, head: Lines | None, *, samples: bool) -> tuple[Lines, Lines | None, dict[int, str]]:
    """The lines and the first lines of a table without notes and summaries below it.

    Also returns these by line number, complete once all lines have been read. ``samples`` says whether lines are
    samples; otherwise MAX is a gene and not a summary.
    """
    found: dict[int, str] = {}
    summaries = _SUMMARIES_WRITTEN if samples else frozenset[str]()
    cut_head = None if head is None else lambda: _cut(head(), summaries, {})
    return lambda: _cut(rows(), summaries, found), cut_head, found


def _cut(
    rows: Iterator[tuple[int, Row]], summaries: Collection[str], found: dict[int, str]
) -> Iterator[tuple[int, Row]]:
    """The lines without notes and summaries, which are put into ``found``."""
    held: list[tuple[int, Row]] = []
    line, usual, summed = 0, Row(), False
    ids = set[str]()
    for number, row in rows:
        is_sum = row[0] in summaries or (row[0] in _BESIDE_SUMS and any(each[0] in summaries for _, each in held))
        if len(ids) < _IDS_LOOKED_AT and not summed and not is_sum:  # among responses, SD is stable disease
            summed = row[0] in ids or (not line and _FEATURE_WORD.search(row[0]) is not None)
            ids.add(row[0])
        if is_sum or len(row) < 2 or not (row[1] or row[-1] or any(row[1:])):
            held.append((number, row))
            continue
        if held:
            is_sum = any(each[0] in summaries for _, each in held)
            if is_sum and not summed and len(ids) > _FEWEST_IDS and _are_summaries(held, summaries):
                found.update((place, each[0].strip()) for place, each in held if each[0].strip())
            else:
                summed |= is_sum
                yield from held
            held.clear()
        line, usual = number, row
        yield number, row
    if not held or not _are_notes(held, line, usual, frozenset() if summed else summaries):
        yield from held
    else:
        found.update((number, row[0].strip()) for number, row in held if row[0].strip())


_NAMES_TOO = frozenset(
    ("max", "min", "sum", "suma", "media", "range", "mw", "sd", "cv", "sem", "iqr", "std", "overall")
)
_BESIDE_SUMS = ("n", "N", "p", "P", "n =", "n=", "count", "Count", "Anzahl", "Std")


def _are_summaries(held: Sequence[tuple[int, Row]], summaries: Collection[str]) -> bool:
    """Whether lines between uniquely named rows summarize those above them, ignoring blank lines."""
    filled = [row for _, row in held if any(map(str.strip, row))]
    return all(row[0] in summaries or row[0] in _BESIDE_SUMS for row in filled) and not _may_be_a_name(filled)


def _may_be_a_name(rows: Sequence[Row]) -> bool:
    """Whether a line has a label that may also be a person or sample, such as Max, and has all its cells."""
    return len(rows) == 1 and rows[0][0].strip().lower() in _NAMES_TOO and all(map(str.strip, rows[0]))


def _are_notes(held: Sequence[tuple[int, Row]], line: int, usual: Row, summaries: Collection[str]) -> bool:
    """Whether the lines after the last row are not rows: summaries, or a single cell after a blank line or a sign."""
    if sum(cell.strip() != "" for cell in usual) < _TITLE_COLUMNS or len(held) > _MOST_NOTES:
        return False
    while held and not any(map(str.strip, held[0][1])):
        held = held[1:]
    summaries = frozenset(summaries) | {*_BESIDE_SUMS} if any(row[0] in summaries for _, row in held) else summaries
    held = [(number, row) for number, row in held if any(map(str.strip, row))]
    if not held:
        return False
    texts = [row[0].strip() for _, row in held]
    if _may_be_a_name([row for _, row in held]):
        return False
    if any(sum(cell != "" for cell in row) > 1 and row[0] not in summaries for _, row in held):
        return False
    if any(not text or Numbers().resembles(text) or Numbers(",").resembles(text) for text in texts):
        return False
    said = texts[0][0] in _NOTE_SIGNS or len(texts[0].split()) > max(1, len(usual[0].split()))
    return held[0][0] > line + 1 or said or held[0][1][0] in summaries


def with_notes_said(table: Table, notes: dict[int, str]) -> Table:
    """The table with a check and a decision about the lines that are ignored, by line number."""
    if not notes:
        return table
    sentence = message_many(
        len(notes),
        "{count} line that is not a row of the table is ignored: {said}.",
        "{count} lines that are not rows of the table are ignored: {said}.",
        said=quoted([*notes.values()]),
    )
    reading = Reading("notes below", sentence, message("Such lines contain notes or summarize the rows above."))
    return replace(table, checks=(*table.checks, Check("notes below", sentence)), readings=(*table.readings, reading))
