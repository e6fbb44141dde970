"""Texts that are numbers with a unit, a limit or thousands separators, or marks for unmeasured values."""

import re
from collections.abc import Collection, Sequence

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
    "blank", "empty", "1.#qnan", "1.#ind", "-1.#ind", "1.#inf", "-1.#inf",
    "nan(ind)", "..", "...", "\N{HORIZONTAL ELLIPSIS}", "n/r", "n.r.",
    "not reported", "not applicable", "not tested", "manquant", "non fait", "non disponible", "inconnu", "sin dato",
    "sin datos", "desconocido", "no disponible", "n/e", "keine angabe", "nicht bestimmt", "nicht gemessen",
    "non disponibile", "mancante", "filtered", "######",
    "[not available]", "[unknown]", "[not applicable]", "[not evaluated]", "[discrepancy]", "[completed]", "<null>",
    "oor", "oor <", "oor >", "oor<", "oor>", "<oor", ">oor", "< oor", "> oor", "out of range",
))  # fmt: skip
"""Words used if a number could not be measured, in lower case."""
_MISSING_CODE = re.compile(r"\.[a-z_]")
"""Codes of SAS and Stata for values missing for a known reason: .A and .z."""
_BEHIND_LIMIT = re.compile(r"(?<=[<>≤≥])\s+")
_PLAIN = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
LIMIT = re.compile(rf"([<>≤≥]=?)\s*({_PLAIN})\s*(\D.*)?")
_SAID_LIMIT = re.compile(
    r"(?P<below>&lt;|(less|smaller|lower|fewer) than|below|under|kleiner( als)?|unter|weniger als|moins de|inférieur à|"
    r"menos de|menor que|meno di)\s*(?=[\d.,])"
    r"|(&gt;|(more|greater|higher|larger) than|above|over|größer( als)?|über|mehr als|plus de|supérieur à|más de|"
    r"mayor que|più di)\s*(?=[\d.,])",
    re.IGNORECASE,
)
"""Words before a limit, and signs as web pages write them."""
_MONEY = r"[$€£¥]|USD|EUR|CHF|GBP|JPY|CNY|SEK|NOK|DKK|CAD|AUD|INR|Fr\.|Rs\.?"
UNIT = re.compile(rf"((?:{_MONEY})?)\s*({_PLAIN})\s*(\D.*|(?<=\s)10\D?.*)?")
_POWER = re.compile(r"[x×]?\s?10[\^*eE]?[0-9⁰¹²³⁴-⁹]{1,2}\s?/\s?[A-Za-zµμ]{1,3}")  # 10^9/L
_UNIT_NAME = re.compile(
    r"[A-Za-zµμ°%‰€$£ΩÅ][^\W\d_]{0,11}\.?(?:[²³]|(?<=m)[23])?"
    r"(?:[/·*^][A-Za-zµμΩÅ0-9.²³^⁻-]{1,10}){0,3}(?: [A-Za-zµμ°%/]{1,10})?"
)
_LETTERS = frozenset("gmsdhlLKVWJNyxµμ°×%‰€$£ΩÅ")  # units of one letter; 1a and 1b are names
GROUPED = {
    sign: re.compile(
        rf"[+-]?[1-9](?:\d{{0,2}}(?:{spelled}\d{{3}})+|\d?(?:{spelled}\d\d)+{spelled}\d{{3}})(?:{decimal}\d+)?"
    )  # 12,345,678 and, as in India, 1,23,45,678
    for sign, spelled, decimal in (
        ("comma", ",", r"\."), ("point", r"\.", ","),
        ("space", "[ \u00a0\u202f\u2009]", "[.,]"), ("apostrophe", "['’]", "[.,]"),
    )
}  # fmt: skip
GROUPED_UNIT = re.compile(rf"((?:{_MONEY})?)\s*([+-]?\d[\d.,'’ \u00a0\u202f\u2009]*\d)\s*([^\W\d]\D*|[%‰€$£¥]|)")
FORTRAN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[dD][+-]\d{1,3}")
MARKED = re.compile(
    rf"(?:~|≈|\*|ca\.?|c\.|approx\.?)?\s*({_PLAIN})\s*"
    r"([*†‡§#↑↓!?^]{1,3}|(?<=\s)\(?(?:HH?|LL?)\)?[*!]?|[([][a-z*†‡§][)\]]|[¹²³⁴ªᵃᵇᶜ]{1,2}|)"
)
"""A number with a sign such as that of a footnote, a laboratory's H (high) or L (low), or a preceding "about"."""
FLAGGED = re.compile(
    rf"({_PLAIN})\s*([^\W\d]{{1,3}}[+*!?]?|[^\w\s.,;:/|()\[\]]{{1,3}}|\([^\W\d]{{1,3}}\)|\[\w{{1,3}}\])"
)
"""A number with a flag: up to three letters or signs, which may be in brackets."""
POWER = re.compile(rf"({_PLAIN})\s*[x×*·]\s*10(?:\^|\*\*|[eE])?\s*([+-]?\d{{1,2}}|[⁻⁺]?[⁰¹²³⁴-⁹]{{1,2}})")
"""A number with a power of ten in everyday notation: 5.2x10^3 and 5.2 × 10⁻³."""
BARE_POWER = re.compile(r"10(?:(?:\^|\*\*)\s?([+-]?\d{1,2})|([⁻⁺]?[⁰¹²³⁴-⁹]{1,2}))")
"""A power of ten without a factor: 10^3 and 10³."""
LIMIT_OF_POWER = re.compile(r"([<>≤≥]=?)\s*(\S.*)")
"""A limit in front of what may be a power of ten."""
NEGATIVE = re.compile(
    r"[$€£¥]?\s*\(\s*([$€£¥]?\s*\d[\d.,'’ \u00a0]*)\)\s*[$€£¥%]?|([$€£¥]?\s*\d[\d.,'’ \u00a0]*[.,]\d+)\s?[-−]"
)
"""A negative number in accounting notation: (1,250.00) and 1.250,00-."""
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_UNSEEN = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\xad"
WIDE = str.maketrans({"\uff0e": ".", "\uff0c": ",", "\uff0d": "-", "\uff05": "%", "\u066b": ".", "\u066c": ",",
                      "\u2013": "-", "\u2012": "-", "\ufe63": "-", **dict.fromkeys(_UNSEEN),
                      **{chr(0xFF10 + figure): str(figure) for figure in range(10)},
                      **{chr(0x660 + figure): str(figure) for figure in range(10)}})  # fmt: skip
"""Digits and signs of Chinese, Japanese and Arabic texts, dashes for a minus, and invisible characters."""
WRAPPED = re.compile(rf"(?:[A-Za-z_.]+\(\[?|\[|['`´’])\s*({_PLAIN})\s*(?:\]?\)|\]|['`´’]|)")
"""A number as programs print an object that holds it, [3.5] or tensor(3.5), or as Excel marks a text, '3.5."""
OUTCOME_NAME = re.compile(
    r"(.*[\W_])?(os|pfs|dfs|rfs|efs|dss|ttp|surv\w*|.*time|.*days?|.*months?|.*years?|follow\W?up|fu|outcome|überleben\w*)"
    r"([\W_].*)?",
    re.IGNORECASE,
)
"""Names of columns in which 12+ is a time without an event, as the survival package of R writes it."""
_TIMES = {"y": 365.25, "mo": 30.4375, "w": 7.0, "d": 1.0, "h": 1 / 24, "min": 1 / 1440, "s": 1 / 86400}
_TIME_NAMES = {
    **dict.fromkeys(("y", "yr", "yrs", "year", "years", "jahr", "jahre", "a", "ans", "años"), "y"),
    **dict.fromkeys(("mo", "mon", "mos", "mth", "mths", "month", "months", "monat", "monate", "mois", "meses"), "mo"),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks", "woche", "wochen"), "w"),
    **dict.fromkeys(("d", "day", "days", "tag", "tage", "jours"), "d"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden"), "h"),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "minuten"), "min"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden"), "s"),
}
_FACTORS: tuple[dict[str, float], ...] = (
    {"1": 1.0, "%": 0.01, "‰": 0.001},
    {"kg": 1e3, "g": 1.0, "mg": 1e-3, "µg": 1e-6, "μg": 1e-6, "ug": 1e-6, "ng": 1e-9, "lb": 453.59237,
     "lbs": 453.59237, "oz": 28.349523125},
    {"km": 1e3, "m": 1.0, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6, "μm": 1e-6, "nm": 1e-9, "in": 0.0254, "ft": 0.3048},
    {"l": 1.0, "L": 1.0, "dl": 0.1, "dL": 0.1, "ml": 1e-3, "mL": 1e-3, "µl": 1e-6, "µL": 1e-6, "μl": 1e-6},
    {"K": 1e3, "k": 1e3, "M": 1e6, "Mio": 1e6, "Mio.": 1e6, "B": 1e9, "Mrd": 1e9, "Mrd.": 1e9},
    {"g/l": 1.0, "g/L": 1.0, "g/dl": 10.0, "g/dL": 10.0, "mg/dl": 1e-2, "mg/dL": 1e-2, "mg/l": 1e-3, "mg/L": 1e-3,
     "mg/ml": 1.0, "mg/mL": 1.0, "µg/ml": 1e-3, "µg/mL": 1e-3, "ng/ml": 1e-6, "ng/mL": 1e-6, "µg/l": 1e-6,
     "µg/L": 1e-6, "pg/ml": 1e-9, "pg/mL": 1e-9, "ng/l": 1e-9, "ng/L": 1e-9},
    {"mol/l": 1e3, "mol/L": 1e3, "mmol/l": 1.0, "mmol/L": 1.0, "µmol/l": 1e-3, "µmol/L": 1e-3, "nmol/l": 1e-6,
     "nmol/L": 1e-6, "pmol/l": 1e-9, "pmol/L": 1e-9, "mM": 1.0, "µM": 1e-3, "uM": 1e-3, "nM": 1e-6, "pM": 1e-9},
)  # fmt: skip
"""Units of one quantity, each with its size."""
VALUE_UNIT = re.compile(rf"({_PLAIN})\s*([^\d\s+-]\S*)")
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
    plain = _BEHIND_LIMIT.sub("", word.strip().casefold())
    return plain in _NO_NUMBER or _MISSING_CODE.fullmatch(plain) is not None


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


def unit_sizes(units: Collection[str]) -> dict[str, float] | None:
    """The sizes of several units of one quantity, such as 1000 for kg and 1 for g; None for other units."""
    names = {unit: _TIME_NAMES.get(unit.lower().rstrip(".")) for unit in units}
    if any(name in ("y", "w", "d") for name in names.values()):
        names |= {unit: "mo" for unit in units if unit in ("m", "M")}
    elif any(name in ("h", "s") for name in names.values()):
        names |= {unit: "min" for unit in units if unit in ("m",)}
    if all(names.values()):
        sizes: dict[str, float] | None = {unit: _TIMES[name] for unit, name in names.items() if name}
    else:
        sizes = next((known for known in _FACTORS if known.keys() >= {*units}), None)
    if sizes is None:
        return None
    return {unit: sizes[unit] for unit in units}


NO_PAIRS = frozenset(("0,0", "-9,-9", "-1,-1"))
"""Marks for missing genotypes of two numbers."""
_PAIR = re.compile(r"([1-9]\d{0,2}(?:\.[1-3])?),([1-9]\d{0,2}(?:\.[1-3])?)")  # 9.3: 9 repeats and 3 bases
_FEWEST_PAIRS, _FEWEST_SECOND, _WIDEST = 6, 4, 60  # distinct cells, distinct second numbers, and their spread


def are_pairs(cells: Collection[str]) -> bool:
    """Whether numbers with a comma are pairs, such as the alleles 152,156 of a genotype, or 9.3,10 of a microsatellite.

    The second of all is not smaller than the first, or there are many and both numbers come from the same narrow range.
    """
    present = [cell.strip() for cell in cells if cell not in MISSING and cell.strip() not in NO_PAIRS]
    matches = [match for cell in present if (match := _PAIR.fullmatch(cell))]
    if len(matches) < len(present):
        return False
    pairs = {(float(match[1]), float(match[2])) for match in matches}
    if len(pairs) < _FEWEST_PAIRS or len({second for _, second in pairs}) < _FEWEST_SECOND:
        return False
    low, high = (min(min(pair) for pair in pairs), max(max(pair) for pair in pairs))
    if high - low > _WIDEST:
        return False
    if all(first <= second for first, second in pairs):
        return True
    firsts = [first for first, _ in pairs]
    margin: float = 1 if low < _TWO_DIGITS else (max(firsts) - min(firsts)) // 2 + 2
    alike = all(min(firsts) - margin <= second <= max(firsts) + margin for _, second in pairs)
    return alike and low >= _LEAST and len(pairs) >= _MANY_PAIRS


_LEAST, _TWO_DIGITS, _MANY_PAIRS = 5, 10, 10


_MIDDLE_POINT = re.compile(r"[+-]?\d+·\d+")
_NO_CENTS = re.compile(r"([+-]?\d+),[-–—]{1,2}")


def plain_number(word: str) -> str:
    """A number without the signs of rare notations: 4·2 as in The Lancet, and 420,- for an amount of money."""
    if _MIDDLE_POINT.fullmatch(word):
        return word.replace("·", ".")
    match = _NO_CENTS.fullmatch(word)
    return word if match is None else match[1]


def limit_in_signs(word: str) -> str:
    """A value below or above a limit, with a sign in place of words: less than 5 is <5, and =<5 is <=5."""
    if word[:2] in ("=<", "=>"):
        word = f"{word[1]}={word[2:]}"
    match = _SAID_LIMIT.match(word)
    return word if match is None else f"{'<' if match['below'] else '>'}{word[match.end() :]}"


def limit_value(sign: str, limit: float, settled: str) -> float:
    """The value used for one below or above a limit: half of a lower limit, the limit itself, or missing."""
    if settled == "missing":
        return float("nan")
    return limit / 2 if sign[0] in "<≤" and settled in ("auto", "half") else limit
