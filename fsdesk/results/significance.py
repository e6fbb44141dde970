"""Significance tests between the rows of a comparison, and the comparison as an exportable table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fsdesk.measure import Criterion
from fsdesk.messages import counted, localised, mark, number, tr, tr_many, translated, within
from fsdesk.results.comparison import MEASURES, UNSEEN, Cell, Comparison, Measure, MeasuredBy
from fsdesk.results.curves import axis_title, drawn
from fsdesk.results.sheets import Line, Sheet, written_sheets
from fsdesk.results.statistics import (
    ALPHA,
    CorrectedT,
    Friedman,
    Moments,
    PaperProcedure,
    SignedRank,
    bayesian_signed_rank,
    corrected_t,
    friedman,
    paper_procedure,
)

Row = tuple[str, str]
Column = tuple[str, str]
_TITLES: dict[Measure, str] = {
    "honest": mark("{criterion} on held-out rows"),
    "difference": mark("Gain over all features"),
    "search": mark("{criterion} in the search"),
    "fresh": mark("{criterion} on new folds"),
    "features": mark("Features"),
    "measurements": mark("Measurements"),
    "seconds": mark("Seconds"),
}


def tests_note() -> str:
    """Which tests are in the tables, and how reliable each is."""
    return tr(
        "Tests at the 5 % level. Error in the search: bold is the lowest, * is significantly lower than every other "
        "method by the paper's procedure (Bartlett's test; one-way ANOVA with Tukey's HSD, or Welch's ANOVA with "
        "Games-Howell), which treats the repeats on one table as independent and is therefore too liberal. On "
        "held-out rows: the corrected resampled t-test of Nadeau and Bengio on the same outer folds; over tables, "
        "Friedman's test with Nemenyi's critical difference, and the Bayesian signed rank test, which treats "
        "differences up to one point as equivalent."
    )


@dataclass(frozen=True, eq=False)
class PairedSplits:
    """Two methods on the same outer folds of one data set; the difference is positive if the second is better."""

    column: Column
    first: Row
    second: Row
    test: CorrectedT


@dataclass(frozen=True, eq=False)
class Ranking:
    """The rows of a comparison with a held-out error on every data set, and their mean ranks."""

    rows: tuple[Row, ...]
    test: Friedman


@dataclass(frozen=True, eq=False)
class Verdicts:
    """All tests of a comparison.

    Attributes
    ----------
    paper
        The paper's procedure by data set and model, with the methods it compares.
    pairs
        Methods on the same outer folds, by data set.
    ranking
        Over data sets; None for fewer than two of them or three methods.
    signed_ranks
        First and second row with the Bayesian comparison over data sets.
    """

    paper: dict[tuple[Column, str], tuple[tuple[Row, ...], PaperProcedure]]
    pairs: tuple[PairedSplits, ...]
    ranking: Ranking | None
    signed_ranks: tuple[tuple[Row, Row, SignedRank], ...]


def verdicts(comparison: Comparison) -> Verdicts:
    """Carry out all tests for which there are enough data."""
    paper = {}
    for column in comparison.columns:
        for model in dict.fromkeys(model for _, model in comparison.rows):
            rows = [row for row in _rows(comparison, column) if row[1] == model]
            compared = [(row, found) for row in rows if (found := _moments(comparison.cells[row, column])) is not None]
            test = paper_procedure([moments for _, moments in compared])
            if test is not None:
                paper[column, model] = tuple(row for row, _ in compared), test
    everywhere, losses = _over_tables(comparison)
    ranks = friedman(losses)
    ranking = None if ranks is None else Ranking(everywhere, ranks)
    return Verdicts(paper, tuple(_pairs(comparison)), ranking, tuple(_signed_ranks(comparison, everywhere, losses)))


def paper_stars(found: Verdicts, column: Column) -> frozenset[Row]:
    """The methods of a data set that are significantly better than all others with the same model, as in the paper."""
    return frozenset(
        rows[test.best] for (place, _), (rows, test) in found.paper.items() if place == column and test.star
    )


def _rows(comparison: Comparison, column: Column) -> list[Row]:
    return [row for row in comparison.rows if (row, column) in comparison.cells]


def _moments(cell: Cell) -> Moments | None:
    """The repeats behind the search errors, averaged over seeds; None if there are none.

    "All features" is not a method, and the paper compares only methods.
    """
    entries = [entry for entry in cell.distinct if entry.run]
    errors = [entry.std_error for entry in entries if entry.std_error is not None]
    means = [entry.search for entry in entries if entry.search is not None]
    if not entries or len(errors) < len(entries) or len(means) < len(entries):
        return None
    error = float(np.sqrt(np.square(errors).mean() / len(errors)))
    return Moments(float(np.mean(means)), error, min(entry.repeats for entry in entries))


def _folds(cell: Cell) -> dict[tuple[int, int, MeasuredBy], NDArray[np.float64]]:
    """Losses on the outer folds, by what determines the folds: seed, number of folds, and how subsets are measured."""
    whole = [entry for entry in cell.entries if len(entry.values)]
    return {(entry.seed, len(entry.values), entry.setting): entry.values for entry in whole}


def _pairs(comparison: Comparison) -> Iterator[PairedSplits]:
    for column in comparison.columns:
        for first, second in combinations(_rows(comparison, column), 2):
            ours, theirs = (_folds(comparison.cells[row, column]) for row in (first, second))
            same = [key for key in ours if key in theirs and key[1] > 1]
            if not same:
                continue
            differences = np.concatenate([ours[key] - theirs[key] for key in same])
            share = float(np.mean([1.0 / (key[1] - 1) for key in same]))
            test = corrected_t(differences, share) if np.isfinite(differences).all() else None
            if test is not None:
                yield PairedSplits(column, first, second, test)


def _over_tables(comparison: Comparison) -> tuple[tuple[Row, ...], NDArray[np.float64]]:
    """(data sets, rows) mean losses on held-out rows, for the rows that have one on every data set."""
    found = []
    for row in comparison.rows:
        cells = [comparison.cells.get((row, column)) for column in comparison.columns]
        values = [None if cell is None else cell.summary("honest") for cell in cells]
        means = [value.mean for value in values if value is not None]
        if len(means) == len(comparison.columns) and not _shares_tables(comparison):
            found.append((row, means))
    losses = np.array([means for _, means in found]).reshape(len(found), len(comparison.columns))
    return tuple(row for row, _ in found), losses.T


def _signed_ranks(
    comparison: Comparison, rows: Sequence[Row], losses: NDArray[np.float64]
) -> Iterator[tuple[Row, Row, SignedRank]]:
    if any(comparison.criterion(column).unit != "%" for column in comparison.columns):
        return  # percentage points are meaningless for an RMSE
    for first, second in combinations(range(len(rows)), 2):
        test = bayesian_signed_rank(losses[:, first] - losses[:, second])
        if test is not None:
            yield rows[first], rows[second], test


def _shares_tables(comparison: Comparison) -> bool:
    """Whether two data sets are of one table, so that tests over tables would count it twice."""
    used = [(comparison.entries(column)[0], column) for column in comparison.columns]
    tables = {(entry.table or entry.data, criterion) for entry, (_, criterion) in used}
    return len(tables) < len(comparison.columns)


def leading_words(comparison: Comparison, column: Column) -> str:
    """The row of a data set with the lowest held-out error, and which others are not clearly worse.

    "" if fewer than two rows of runs have such an error, if they are not based on the same rows of the table, or if the
    features of the lowest may predict nothing. Another row is worse if the corrected resampled t-test shows it on the
    same outer folds, Bonferroni-corrected for all others; without such folds, if the 95 % intervals do not overlap.
    """
    rows = [row for row in _rows(comparison, column) if _is_known(comparison.cells[row, column])]
    cells = [comparison.cells[row, column] for row in rows]
    tables = {(entry.unseen.rows, dict(entry.setting).get("protocol")) for cell in cells for entry in cell.entries
              if entry.unseen is not None}  # fmt: skip
    if len(rows) < 2 or len(tables) > 1:
        return ""
    losses = [_mean(cell, "honest") for cell in cells]
    first = int(np.argmin(losses))
    best = [entry.unseen for entry in cells[first].entries if entry.unseen is not None]
    if losses.count(losses[first]) > 1 or not all(honest.has_evidence for honest in best):
        return ""
    others = [place for place in range(len(rows)) if place != first]
    worse = {place: _is_worse(comparison, column, rows[first], rows[place], len(others)) for place in others}
    level = [_called(rows[place], rows) for place in others if worse[place] is False]
    said = _lowest(comparison, column, _called(rows[first], rows), cells[first])
    if level:
        names = enumerated(level)
        said += "; " + tr_many(
            len(level), "{names} is not clearly worse", "{names} are not clearly worse", names=names
        )  # fmt: skip
    elif all(worse.values()):
        clear = _called(rows[others[0]], rows)
        said += "; " + (
            tr("{name} is clearly worse", name=clear) if len(others) == 1 else tr("all others are clearly worse")
        )
    found = {honest.verdict for honest in best}
    verdict = found.pop() if len(found) == 1 else ""
    beside_all = tr(_BESIDE_ALL[verdict]) if verdict in _BESIDE_ALL else ""
    if verdict != "worse" and (lower := _lower_without_selection(comparison, column, losses[first])):
        beside_all = f"{beside_all} {lower}".strip()
    return f"{said}. {beside_all}".strip()


def _lower_without_selection(comparison: Comparison, column: Column, loss: float) -> str:
    """The row of all features whose held-out error is the lowest, if it is lower than that of every run."""
    whole = [
        (row, cell)
        for row in comparison.rows
        if (cell := comparison.cells.get((row, column))) is not None and not any(each.run for each in cell.entries)
    ]
    known = [(value, row) for row, cell in whole if np.isfinite(value := _mean(cell, "honest"))]
    lowest, row = min(known, default=(np.inf, ("", "")))
    if lowest >= loss:
        return ""
    criterion = comparison.criterion(column)
    name, model = map(translated, row)
    return tr("{name} ({model}): {value}.", name=name, model=model, value=localised(criterion.text(lowest)))


_BESIDE_ALL: dict[str, str] = {
    "better": mark("It is better than all features."),
    "no better": mark("It is not shown to be better than all features."),
    "worse": mark("The model with all features predicts better."),
}


def _called(row: Row, rows: Sequence[Row]) -> str:
    """Name of a row within a sentence, with the model if there are several and they did not compete."""
    method, model = map(translated, row)
    if len({each for _, each in rows}) == 1 or model == method:
        return method
    return tr("{method} with {model}", method=method, model=within(row[1]))


def enumerated(names: Sequence[str], most: int = 3) -> str:
    """Names in a sentence: "A", "A and B", "A, B and C", "A, B, C and 2 others"."""
    shown, more = list(names[:most]), len(names) - most
    last = tr_many(more, "{count} other", "{count} others") if more > 0 else shown.pop()
    return tr("{names} and {last}", names=", ".join(shown), last=last) if shown else last


def _is_known(cell: Cell) -> bool:
    """Whether all runs of a row have a held-out error; the row of all features is not a run."""
    return all(entry.run and entry.unseen is not None for entry in cell.entries)


def _is_worse(comparison: Comparison, column: Column, best: Row, other: Row, tests: int) -> bool | None:
    """Whether another row is clearly worse than the one with the lowest error; None if undecided."""
    alone = Comparison.of([*comparison.cells[best, column].entries, *comparison.cells[other, column].entries])
    pair = next(_pairs(alone), None)
    if pair is not None:
        return pair.test.difference < 0 and pair.test.p * tests < ALPHA
    ends = [comparison.cells[row, column].interval("honest") for row in (best, other)]
    if ends[0] is None or ends[1] is None:
        return None
    return ends[1][0] > ends[0][1]


def _lowest(comparison: Comparison, column: Column, name: str, cell: Cell) -> str:
    criterion = comparison.criterion(column)
    value = localised(comparison.text(cell.entries[0].row, column, "honest").partition(" ")[0])
    sizes = sorted({entry.features for entry in cell.entries})
    features = counted(sizes[0], "feature")
    if len(sizes) > 1:
        features = tr("{least} to {most} features", least=number(sizes[0]), most=number(sizes[-1]))
    if criterion.name == "error":
        return tr("{name} has the lowest held-out error, {value} % with {features}", name=name, features=features,
                  value=value)  # fmt: skip
    unit = " %" if criterion.unit == "%" else ""
    return tr("{name} is best on held-out rows ({criterion} {value} with {features})", name=name, features=features,
              criterion=tr(criterion.title), value=value + unit)  # fmt: skip


def statistics_sheets(comparison: Comparison) -> list[Sheet]:
    """The paper's tables and the tests, in the form in which tables are written; none for a single method."""
    if len({entry.row for entry in comparison.entries() if entry.run}) < 2:
        return []
    found = verdicts(comparison)
    sheets = [_paper_sheet(comparison, column, found) for column in comparison.columns]
    for column in comparison.columns:
        pairs = [pair for pair in found.pairs if pair.column == column]
        if pairs:
            sheets.append(_pairs_sheet(comparison.criterion(column), column, pairs))
    if found.ranking is not None:
        sheets.append(_ranking_sheet(found.ranking))
    if found.signed_ranks:
        sheets.append(_signed_ranks_sheet(found.signed_ranks))
    return sheets


def _paper_sheet(comparison: Comparison, column: Column, found: Verdicts) -> Sheet:
    criterion = comparison.criterion(column)
    percent, digits = (100.0, 2) if criterion.unit == "%" else (1.0, 4)
    unit = ", %" if criterion.unit == "%" else ""
    stars = paper_stars(found, column)
    rows, lines = _rows(comparison, column), []
    means = {row: _mean(comparison.cells[row, column], "search") for row in rows}
    lowest: dict[str, float] = {}
    for (_, model), mean in means.items():
        lowest[model] = min(lowest.get(model, np.inf), mean)
    for row in rows:
        cell = comparison.cells[row, column]
        moments, honest = _moments(cell), comparison.numbers(row, column, "honest")[0]
        shown = float(drawn(criterion, np.array([means[row]]))[0])
        error = None if moments is None else percent * moments.std_error
        counts = [_mean(cell, measure) for measure in ("features", "measurements", "seconds")]
        star = "*" if row in stars else ""
        texts = (
            "" if honest is None else number(honest, f".{digits}f"),
            f"{number(shown, f'.{digits}f')}{star}",
            "" if error is None else number(error, f".{digits}f"),
            number(counts[0], ",.0f"), number(counts[1], ",.0f"), number(counts[2], ",.1f"),
        )  # fmt: skip
        is_best = frozenset([3]) if means[row] == lowest[row[1]] else frozenset[int]()
        names = _words(row)
        bare = (*names, honest, shown, error, *counts, int(bool(star)))
        lines.append(Line((*names, *texts), bare, is_best, is_best))
    what = tr(criterion.title)
    head = (
        tr("Method"), tr("Model"), tr("{criterion} on held-out rows", criterion=what) + unit,
        tr("{criterion} in the search", criterion=what) + unit, tr("Standard error") + unit, tr("Features"),
        tr("Measurements"), tr("Seconds"),
    )  # fmt: skip
    title = tr("{data}, as in the paper: {criterion}", data=column[0], criterion=axis_title(criterion))
    return Sheet(title, head, (*head, tr("significantly better in the search")), tuple(lines))


def _words(row: Row) -> Row:
    return tr(row[0]), tr(row[1])


def _mean(cell: Cell, measure: str) -> float:
    values = [getattr(entry, measure) for entry in cell.entries]
    known = [float(value) for value in values if value is not None]
    return float(np.mean(known)) if known else float("nan")


def _named(row: Row, rows: Sequence[Row]) -> str:
    """Name of a row in one cell, with the model if there are several."""
    method, model = map(translated, row)
    return method if len({each for _, each in rows}) == 1 else f"{method}, {model}"


def _pairs_sheet(criterion: Criterion, column: Column, pairs: Sequence[PairedSplits]) -> Sheet:
    rows = [row for pair in pairs for row in (pair.first, pair.second)]
    scale, digits = (100.0, 1) if criterion.unit == "%" else (1.0, 4)
    lines = []
    for pair in pairs:
        names = _named(pair.first, rows), _named(pair.second, rows)
        test = pair.test
        shown, low, high = (scale * each for each in (test.difference, test.low, test.high))
        gained = localised(f"{shown:.{digits}f} [{low:.{digits}f}; {high:.{digits}f}]")
        texts = (gained, _p(test.p), str(test.splits))
        lines.append(Line((*names, *texts), (*names, shown, low, high, test.p, test.splits)))
    gain = tr("Gain of second")
    gain = tr("{what}, points", what=gain) if criterion.unit == "%" else gain
    first, folds = (tr("First"), tr("Second"), gain), tr("Outer folds")
    ends = tr("{what}, interval from", what=gain), tr("{what}, interval to", what=gain)
    title = tr(
        "{data}, {criterion}: corrected resampled t-test", data=column[0], criterion=axis_title(criterion)
    )  # fmt: skip
    return Sheet(title, (*first, "p", folds), (*first, *ends, "p", folds), tuple(lines))


def _ranking_sheet(ranking: Ranking) -> Sheet:
    test = ranking.test
    letters: dict[int, str] = {}
    for letter, group in enumerate(test.groups):
        for place in group:
            letters[place] = letters.get(place, "") + chr(ord("a") + letter)
    lines = []
    for place in np.argsort(test.ranks, kind="stable"):
        names, rank = _words(ranking.rows[place]), float(test.ranks[place])
        shared = letters.get(int(place), "")
        lines.append(Line((*names, number(rank, ".2f"), shared), (*names, rank, shared)))
    head = tr("Method"), tr("Model"), tr("Mean rank"), tr("Not distinguishable")
    title = tr(
        "Ranks on held-out rows over {tables} tables: Friedman's test p {p}, critical difference {difference:.2f} "
        "(Nemenyi)",
        tables=test.tables, p=_p(test.p), difference=test.difference,
    )  # fmt: skip
    return Sheet(title, head, head, tuple(lines))


def _signed_ranks_sheet(tests: Sequence[tuple[Row, Row, SignedRank]]) -> Sheet:
    rows, lines = [row for first, second, _ in tests for row in (first, second)], []
    for first, second, test in tests:
        names = _named(first, rows), _named(second, rows)
        shares = (test.worse, test.same, test.better)
        lines.append(Line((*names, *(number(share, ".3f") for share in shares)), (*names, *shares)))
    head = tr("First"), tr("Second"), tr("First better"), tr("No practical difference"), tr("Second better")
    tables, points = tests[0][2].tables, 100 * tests[0][2].rope
    title = tr(
        "Bayesian signed rank test over {tables} tables; no practical difference: up to {points:g} point",
        tables=tables, points=points,
    )  # fmt: skip
    return Sheet(title, head, head, tuple(lines))


def _p(p: float) -> str:
    return localised(f"{p:.3f}" if p >= 0.001 else "< 0.001")


def sheet_of(comparison: Comparison, column: tuple[str, str]) -> Sheet:
    """The block of one data set; the lowest held-out error is marked with a star."""
    criterion = comparison.criterion(column)
    names = [_title(measure, criterion) for measure in MEASURES]
    best = {measure: comparison.best(column, measure) for measure in MEASURES}
    lines = []
    for row in comparison.rows:
        cell = comparison.cells.get((row, column))
        if cell is None:
            continue
        texts = [localised(comparison.text(row, column, measure)) for measure in MEASURES]
        names_of_row = tr(row[0]), tr(row[1])
        marked = frozenset(3 + place for place, measure in enumerate(MEASURES) if row in best[measure])
        starred = [f"{text} *" if 3 + place in marked else text for place, text in enumerate(texts)]
        seeds = len(cell.distinct)
        numbers = [each for measure in MEASURES for each in comparison.numbers(row, column, measure)]
        best_bare = frozenset(place for place in marked if place == 3)  # only the first measure has a best
        words = (*names_of_row, str(seeds), *starred)
        lines.append(Line(words, (*names_of_row, seeds, *numbers), marked, best_bare))
    data = comparison.data_title(column)
    title = (
        data
        if len({name for name, _ in comparison.columns}) == len(comparison.columns)
        else f"{data}, {axis_title(criterion)}"
    )
    bare: list[str] = []
    for name, measure in zip(names, MEASURES, strict=True):
        if measure in UNSEEN:
            bare += [name, tr("{what}, interval from", what=name), tr("{what}, interval to", what=name)]
        else:
            bare += [name, tr("{what}, standard deviation", what=name)]
    head = tr("Method"), tr("Model"), tr("Seeds")
    return Sheet(title, (*head, *names), (*head, *bare), tuple(lines))


def _title(measure: Measure, criterion: Criterion) -> str:
    title, percent = tr(_TITLES[measure], criterion=tr(criterion.title)), criterion.unit == "%"
    if measure == "difference":
        return tr("{what}, points", what=title) if percent else title
    return f"{title}, %" if percent and measure in ("honest", "search", "fresh") else title


def note_below(sign: str = "*", *, tests: bool) -> str:
    """The note below the tables: meaning of the columns, and the sign for the best."""
    note = tr(
        "Held-out rows: with the 95 % interval over rows. In the search and on new folds: on the rows used for "
        "selection, hence optimistic; ± is the standard deviation over seeds. {sign} marks the lowest held-out error "
        "of each data set, if it is significantly lower than with all features.",
        sign=sign,
    )
    return f"{note} {tests_note()}" if tests else note


def written_table(comparison: Comparison, suffix: str) -> bytes:
    """The comparison as a file in this format; if there are several methods, with the paper's tables and the tests."""
    tests = statistics_sheets(comparison)
    note = note_below(tr("Bold type") if suffix == "xlsx" else "*", tests=bool(tests))
    sheets = [sheet_of(comparison, column) for column in comparison.columns]
    return written_sheets([*sheets, *tests], suffix, note)
