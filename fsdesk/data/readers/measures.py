"""Several columns per sample, such as a signal and its detection p-value: choice of the one with the values.

Array and mass-spectrometry software writes such tables, with features in rows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import message, quoted

_VALUES = (
    "lfq intensity", "maxlfq intensity", "pg maxlfq", "avg signal", "signal", "avg beta", "beta", "beta value",
    "abundances normalized", "abundance ratio", "normalized abundance", "abundances", "abundance",
    "pg normalisedquantity", "pg quantity", "reporter intensity corrected", "intensity", "total intensity", "ibaq",
    "tpm", "fpkm", "rpkm", "cpm", "vst", "rlog", "normalized", "norm", "normalised", "log2", "quantity", "numreads",
    "counts", "count", "raw counts", "expected count", "read count", "reads", "raw", "expression", "value",
    "peak area", "area", "peak height", "height", "concentration", "conc", "spectral count", "ms ms count", "npx",
    "rfu", "m value", "mvalue", "maxlfq unique intensity", "maxlfq total intensity", "unique intensity",
    "unique spectral count", "total spectral count", "spectral counts", "raw count", "normalized count",
    "scaled estimate", "median length normalized", "nsaf", "empai", "top3",
)  # fmt: skip
"""Names of value columns, in lower-case letters; of several, the first in this order is proposed."""
_BESIDE = frozenset((
    "detection", "detection pval", "detection p value", "detection pvalue", "detection p", "pval", "pvalue",
    "p value", "bead stderr", "bead stdev", "bead std err", "stderr", "std err", "std error", "stdev", "std dev",
    "sd", "se", "sem", "cv", "rsd", "avg nbeads", "nbeads", "narrays", "array stdev", "array stderr", "min signal",
    "max signal", "call", "abs call", "detection call", "flag", "flags", "gisnotfound", "identification type",
    "peptides", "unique peptides", "razor unique peptides", "sequence coverage", "sequence coverage %", "quality",
    "status", "mz", "rt", "found in sample", "abundances count", "pg runevidencecount", "ms ms count",
    "intensity signal", "unmethylated signal", "methylated signal", "signal a", "signal b", "s n", "noise",
    "background", "stat pairs", "stat pairs used", "fwhm",
))  # fmt: skip
"""Names of columns with a measure of the quality of a value."""
_KNOWN = _BESIDE | {*_VALUES}
OF_PROGENESIS = (
    "normalised abundance", "normalized abundance", "raw abundance", "intensity", "spectral counts", "spectral count",
    "normalised abundances", "normalized abundances", "raw abundances",
)  # fmt: skip
"""What Progenesis QI writes above the samples, in lower case."""
_SEPARATORS = re.compile(r"[\s._:|-]+")
_PLAIN = re.compile(r"[^a-z0-9%]+")
_COUNTED = re.compile(r"[._ ]\d+$")  # call, call.1, call.2, as programs make names unique
_FEWEST_SAMPLES, _MOST_SPLITS = 3, 6
_SHARE = 0.4  # fraction of all columns that must belong to one measure if no other is known
_MOST_ANSWERS = 6


@dataclass(frozen=True)
class Measures:
    """Columns with the values of samples, other columns of samples, which are excluded, and the decision.

    ``samples`` and ``left`` are indices; all other columns describe the features.
    """

    samples: tuple[int, ...]
    left: tuple[int, ...]
    readings: tuple[Reading, ...]


def find_measures(titles: Sequence[str], options: ReadOptions, name: str) -> Measures | None:
    """The columns of values among these; None if each sample has one column, according to their titles.

    Parameters
    ----------
    titles
        Of all columns; the first contains the feature names.
    options
        Only ``measure`` is used.
    name
        The file's.

    Raises
    ------
    DataError
        If there is no measure with the name given by the user.
    """
    found = _repeated(titles) or _shared(titles)
    wanted = _plainly(options.measure)
    if "" in found:
        wanted = ""  # there is only one way to read them
    elif not found:
        if wanted:
            raise DataError(
                '"{name}" has one column per sample, or none called "{measure}"; omit the option measure.',
                name=name, measure=options.measure,
            )  # fmt: skip
        return None
    spelled = {_plainly(measure): measure for measure in found}
    if wanted and wanted not in spelled:
        raise DataError(
            '"{name}" has no columns of "{measure}". Choose one of: {measures}.',
            name=name, measure=options.measure, measures=quoted([*found]),
        )  # fmt: skip
    ordered = sorted(spelled, key=_rank)
    chosen = spelled[wanted or ordered[0]]
    rivals = [spelled[plain] for plain in ordered if spelled[plain] != chosen]
    samples = found[chosen]
    left = tuple(sorted(j for measure in rivals for j in found[measure]))
    if not rivals:
        return Measures(samples, (), ())
    likely = [chosen, *(each for each in rivals if _plainly(each) not in _BESIDE)][:_MOST_ANSWERS]
    answers = tuple(
        Alternative(message('"{measure}" contains the values', measure=each), "measure", each)
        for each in likely
        if each
    )
    sentence = (
        message(
            'Each sample has several columns; those of "{measure}" are used as its values, and those of {others} are '
            "ignored.",
            measure=chosen, others=quoted(rivals),
        )
        if chosen
        else message("Columns of {others} follow each sample and are ignored.", others=quoted(rivals))
    )  # fmt: skip
    sure = bool(wanted) or len(answers) < 2
    return Measures(samples, left, (Reading("measure", sentence, "", answers, sure),))


def _plainly(title: str) -> str:
    return _PLAIN.sub(" ", title.lower()).strip()


def _rank(plain: str) -> tuple[bool, int, str]:
    """Sort key: known value names first, in order, and quality columns last."""
    place = _VALUES.index(plain) if plain in _VALUES else len(_VALUES)
    return plain in _BESIDE, place, plain


def _repeated(titles: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Columns of samples, under "", and of each title that follows every sample; empty if there is no such title."""
    plain = [_COUNTED.sub("", title.strip()) for title in titles]
    counts = Counter(plain[1:])
    behind = {title for title, count in counts.items() if count >= _FEWEST_SAMPLES and _plainly(title) in _BESIDE}
    if not behind:
        return {}
    found: dict[str, list[int]] = defaultdict(list)
    for j in range(1, len(titles)):
        if plain[j] in behind:
            found[plain[j]].append(j)
            if plain[j - 1] not in behind and j > 1:
                found[""].append(j - 1)
    sizes = {len(columns) for columns in found.values()}
    return {title: tuple(columns) for title, columns in found.items()} if len(sizes) == 1 and "" in found else {}


def _shared(titles: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Columns grouped by a prefix or suffix of their titles that is a known measure of samples."""
    best: dict[str, tuple[int, ...]] = {}
    for at_end in (True, False):
        by_affix: dict[str, dict[str, int]] = defaultdict(dict)
        for j, title in enumerate(titles):
            if j:
                for affix, sample in _parts(title, at_end=at_end):
                    by_affix[affix].setdefault(sample, j)
        longest: dict[int, str] = {}  # "MaxLFQ Intensity", not "Intensity" of a sample that is called so
        ordered = sorted((affix for affix in by_affix if _plainly(affix) in _KNOWN), key=len)
        for affix in ordered:
            longest |= dict.fromkeys(by_affix[affix].values(), affix)
        for affix in ordered:
            by_affix[affix] = {each: j for each, j in by_affix[affix].items() if longest[j] == affix}
        known = {affix: samples for affix, samples in by_affix.items()
                 if len(samples) >= _FEWEST_SAMPLES and _plainly(affix) in _KNOWN}  # fmt: skip
        values = {affix: samples for affix, samples in known.items() if _plainly(affix) in _VALUES}
        if not values:
            continue
        main = min(values, key=lambda affix: (-len(values[affix]), _rank(_plainly(affix))))
        samples = {*values[main]}
        found = {affix: tuple(places.values()) for affix, places in by_affix.items()
                 if {*places} == samples and (affix in known or len(known) > 1)}  # fmt: skip
        found = _outermost(found)
        covered = sum(map(len, found.values()))
        if (len(found) > 1 or covered >= _SHARE * (len(titles) - 1)) and covered > sum(map(len, best.values())):
            best = found
    return best


def _outermost(found: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """The measures except those whose columns also belong to another: "intensity" and "LFQ intensity" of one column."""
    made: dict[str, tuple[int, ...]] = {}
    taken = set[int]()
    for affix in sorted(found, key=len, reverse=True):
        if not taken & {*found[affix]}:
            made[affix] = found[affix]
            taken |= {*found[affix]}
    return made


def _parts(title: str, *, at_end: bool) -> list[tuple[str, str]]:
    """The prefix or suffix of a title up to a separator, and the rest, which names the sample."""
    places = [match for match in _SEPARATORS.finditer(title) if match.start() and match.end() < len(title)]
    places = places[-_MOST_SPLITS:] if at_end else places[:_MOST_SPLITS]
    if at_end:
        return [(title[match.end() :], title[: match.start()]) for match in places]
    return [(title[: match.start()], title[match.end() :]) for match in places]
