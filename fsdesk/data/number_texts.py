"""Texts that are numbers with a unit, a limit or thousands separators, or marks for unmeasured values."""

import re
from collections.abc import Sequence

from fsdesk.data.cells import MISSING, Numbers

ERRORS = frozenset((
    "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!", "#GETTING_DATA", "#SPILL!", "#CALC!", "#FIELD!",
    "#N/V", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#ÜBERLAUF!", "#N/D", "#N/D!", "#VALEUR!", "#NOM?", "#NOMBRE!",
    "#NUL!", "#¡VALOR!", "#¡REF!", "#¡DIV/0!", "#¡NUM!", "#¡NULO!", "#¿NOMBRE?", "#VALORE!", "#RIF!", "#NOME?",
    "#NULLO!", "#N/DISP", "#VALOR!", "#NÚM!", "#NULO!", "#N/B", "#WAARDE!", "#VERW!", "#DEEL/0!", "#GETAL!", "#NAAM?",
    "#LEEG!", "#ARG!", "#ADR!", "#DZIEL/0!", "#LICZBA!", "#NAZWA?", "#ZERO!", "Err:502", "Err:503", "Err:504",
))  # fmt: skip
"""Spreadsheet error values in English, German, French, Spanish, Italian and other languages."""
_NO_NUMBER = frozenset((
    "n.d.", "n.d", "n. d.", "nd", "n/d", "not detected", "not determined", "not done", "not available", "n.a.", "n.a",
    "na.", "<lod", "<loq", "<dl", "<mdl", "<lloq", "<llod", "bdl", "bql", "blq", "bld", "lod", "loq", "below lod",
    "below loq", "none", "missing", "unknown", "-", "--", "---", "\N{EN DASH}", "\N{EM DASH}", "*", "#", "nn", "k.a.",
    "k. a.", "fehlt", "fehlend", "unbekannt", "n.b.", "n. b.", "u.n.g.", "no data", "nodata", "(null)", "undefined",
    "blank", "empty", "1.#qnan", "1.#ind", "-1.#ind", "nan(ind)", "..", "...", "\N{HORIZONTAL ELLIPSIS}", "n/r", "n.r.",
    "not reported", "not applicable", "not tested", "manquant", "non fait", "non disponible", "inconnu", "sin dato",
    "sin datos", "desconocido", "no disponible", "n/e", "keine angabe", "nicht bestimmt", "nicht gemessen",
    "non disponibile", "mancante", "filtered", "######",
))  # fmt: skip
"""Words used if a number could not be measured, in lower case."""
_BEHIND_LIMIT = re.compile(r"(?<=[<>≤≥])\s+")
_PLAIN = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
LIMIT = re.compile(rf"([<>≤≥]=?)\s*({_PLAIN})\s*(\D.*)?")
UNIT = re.compile(rf"([$€£]?)\s*({_PLAIN})\s*(\D.*|(?<=\s)10\D?.*)?")
_POWER = re.compile(r"[x×]?\s?10[\^*eE]?[0-9⁰¹²³⁴-⁹]{1,2}\s?/\s?[A-Za-zµμ]{1,3}")  # 10^9/L
_UNIT_NAME = re.compile(
    r"[A-Za-zµμ°%‰€$£ΩÅ][^\W\d_]{0,11}\.?(?:[²³]|(?<=m)[23])?"
    r"(?:[/·*^][A-Za-zµμΩÅ0-9.²³^⁻-]{1,10}){0,3}(?: [A-Za-zµμ°%/]{1,10})?"
)
_LETTERS = frozenset("gmsdhlLKVWJNyµμ°%‰€$£ΩÅ")  # one-letter units; 1a and 1b are names
GROUPED = {
    sign: re.compile(
        rf"[+-]?[1-9](?:\d{{0,2}}(?:{spelled}\d{{3}})+|\d?(?:{spelled}\d\d)+{spelled}\d{{3}})(?:{decimal}\d+)?"
    )  # 12,345,678 and, as in India, 1,23,45,678
    for sign, spelled, decimal in (
        ("comma", ",", r"\."), ("point", r"\.", ","),
        ("space", "[ \u00a0\u202f\u2009]", "[.,]"), ("apostrophe", "['’]", "[.,]"),
    )
}  # fmt: skip
GROUPED_UNIT = re.compile(r"([$€£¥]?)\s*([+-]?\d[\d.,'’ \u00a0\u202f\u2009]*\d)\s*([^\W\d]\D*|[%‰€$£¥]|)")
FORTRAN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[dD][+-]\d{1,3}")
MARKED = re.compile(
    rf"(?:~|≈|ca\.?|c\.|approx\.?)?\s*({_PLAIN})\s*"
    r"([*†‡§#↑↓]{1,3}|(?<=\s)\(?(?:HH?|LL?)\)?[*!]?|[¹²³⁴ªᵃᵇᶜ]{1,2}|)"
)
"""A number with a footnote sign, a laboratory's H (high) or L (low), or a preceding "about"."""
GROUP_SIGNS = {"comma": ",", "point": ".", "space": " \u00a0\u202f\u2009", "apostrophe": "'’"}


_MOST_LOOKED_AT = 2000


def are_mostly_numbers(cells: Sequence[str], numbers: Numbers) -> bool:
    """Whether more than half of the cells are numbers in everyday notation, with units, limits or thousands.

    If there are many cells, an evenly spaced sample is inspected.
    """
    cells = cells[:: max(1, len(cells) // _MOST_LOOKED_AT)]
    signs = (numbers, Numbers("," if numbers.decimal == "." else "."))

    def is_one(cell: str) -> bool:
        if any(each.resembles(cell) for each in signs) or is_grouped(cell):
            return True
        match = LIMIT.fullmatch(cell) or UNIT.fullmatch(cell)
        return match is not None and any(each.is_number(match[2]) for each in signs) and is_unit(match[3])

    return 2 * sum(map(is_one, cells)) > len(cells)


def is_no_number(word: str) -> bool:
    """Whether a text is a known mark for an unmeasured value, such as "n.d."."""
    return word in MISSING or word in ERRORS or stands_for_none(word)


def stands_for_none(word: str) -> bool:
    """Whether a text is a word for an unmeasured value, in any spelling."""
    return _BEHIND_LIMIT.sub("", word.strip().casefold()) in _NO_NUMBER


def is_grouped(word: str) -> bool:
    """Whether a text is a number with thousands separators."""
    return any(pattern.fullmatch(word) for pattern in GROUPED.values())


def is_unit(name: str | None, before: str = "") -> bool:
    """Whether the text after a number is a unit or empty."""
    unit = (name or "").strip()
    if not unit:
        return True
    if _POWER.fullmatch(unit):
        return True
    if before or not _UNIT_NAME.fullmatch(unit):
        return False
    return len(unit) > 1 or unit in _LETTERS


def limit_value(sign: str, limit: float, settled: str) -> float:
    """The value used for one below or above a limit: half of a lower limit, the limit itself, or missing."""
    if settled == "missing":
        return float("nan")
    return limit / 2 if sign[0] in "<≤" and settled in ("auto", "half") else limit
