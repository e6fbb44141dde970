"""A comparison as a table to take along: the errors on unseen rows first, then the paper's tables and the tests."""

from fsdesk.measure import Criterion
from fsdesk.messages import localised, mark, tr
from fsdesk.results.comparison import MEASURES, UNSEEN, Comparison, Measure
from fsdesk.results.curve import axis_title
from fsdesk.results.sheets import TABLES, Line, Sheet, written_sheets
from fsdesk.results.significance import statistics_sheets, tests_note

__all__ = ["TABLES", "note_below", "sheet_of", "written_table"]

_TITLES: dict[Measure, str] = {
    "honest": mark("{criterion} on unseen rows"),
    "difference": mark("Better than all features by"),
    "search": mark("{criterion} in the search"),
    "fresh": mark("{criterion} on fresh folds"),
    "features": mark("Features"),
    "measurements": mark("Measurements"),
    "seconds": mark("Seconds"),
}


def sheet_of(comparison: Comparison, column: tuple[str, str]) -> Sheet:
    """The block of one data set; the best error on unseen rows is marked with a star."""
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
        seeds = len(cell.entries)
        numbers = [each for measure in MEASURES for each in comparison.numbers(row, column, measure)]
        best_bare = frozenset(place for place in marked if place == 3)  # only the first measure has a best
        words = (*names_of_row, str(seeds), *starred)
        lines.append(Line(words, (*names_of_row, seeds, *numbers), marked, best_bare))
    title = (
        column[0]
        if len({name for name, _ in comparison.columns}) == len(comparison.columns)
        else (f"{column[0]}, {axis_title(criterion)}")
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


def _sheets(comparison: Comparison) -> list[Sheet]:
    return [sheet_of(comparison, column) for column in comparison.columns]


def note_below(sign: str = "*", *, tests: bool) -> str:
    """What stands below the tables: what the columns are, and which sign marks the best."""
    note = tr(
        "Unseen rows: rows that no search saw, with the 95 % interval over rows. In the search and on fresh folds: on "
        "the rows that chose the features, too good; ± is the standard deviation over seeds. {sign} marks the lowest "
        "error on unseen rows of each data set, where it is shown to be better than all features.",
        sign=sign,
    )
    return f"{note} {tests_note()}" if tests else note


def written_table(comparison: Comparison, suffix: str) -> bytes:
    """The content of a file of a format; where several methods are compared, with the paper's tables and tests."""
    tests = statistics_sheets(comparison)
    note = note_below(tr("Bold type") if suffix == "xlsx" else "*", tests=bool(tests))
    return written_sheets([*_sheets(comparison), *tests], suffix, note)
