"""A comparison as a table to take along: the errors on unseen rows first, then the paper's tables and the tests."""

from fsdesk.measure import Criterion
from fsdesk.results.comparison import MEASURES, UNSEEN, Comparison, Measure
from fsdesk.results.curve import axis_title
from fsdesk.results.sheets import TABLES, Line, Sheet, written_sheets
from fsdesk.results.significance import TESTS_NOTE, statistics_sheets

__all__ = ["NOTE", "TABLES", "sheet_of", "written_table"]

_TITLES: dict[Measure, str] = {
    "honest": "on unseen rows",
    "difference": "Better than all features by",
    "search": "in the search",
    "fresh": "on fresh folds",
    "features": "Features",
    "measurements": "Measurements",
    "seconds": "Seconds",
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
        texts = [comparison.text(row, column, measure) for measure in MEASURES]
        marked = frozenset(3 + place for place, measure in enumerate(MEASURES) if row in best[measure])
        starred = [f"{text} *" if 3 + place in marked else text for place, text in enumerate(texts)]
        seeds = len(cell.entries)
        numbers = [each for measure in MEASURES for each in comparison.numbers(row, column, measure)]
        best_bare = frozenset(place for place in marked if place == 3)  # only the first measure has a best
        lines.append(Line((*row, str(seeds), *starred), (*row, seeds, *numbers), marked, best_bare))
    title = (
        column[0]
        if len({name for name, _ in comparison.columns}) == len(comparison.columns)
        else (f"{column[0]}, {axis_title(criterion)}")
    )
    bare: list[str] = []
    for name, measure in zip(names, MEASURES, strict=True):
        ends = (", interval from", ", interval to") if measure in UNSEEN else (", standard deviation",)
        bare += [name, *(f"{name}{end}" for end in ends)]
    head = ("Method", "Model", "Seeds")
    return Sheet(title, (*head, *names), (*head, *bare), tuple(lines))


def _title(measure: Measure, criterion: Criterion) -> str:
    percent = criterion.unit == "%"
    if measure == "difference":
        return f"{_TITLES[measure]}, points" if percent else _TITLES[measure]
    if measure in ("honest", "search", "fresh"):
        return f"{criterion.title} {_TITLES[measure]}" + (", %" if percent else "")
    return _TITLES[measure]


def _sheets(comparison: Comparison) -> list[Sheet]:
    return [sheet_of(comparison, column) for column in comparison.columns]


NOTE = (
    "Unseen rows: rows that no search saw, with the 95 % interval over rows. In the search and on fresh folds: on the "
    "rows that chose the features, too good; ± is the standard deviation over seeds. * marks the lowest error on "
    "unseen rows of each data set, where it is shown to be better than all features."
)


def written_table(comparison: Comparison, suffix: str) -> bytes:
    """The content of a file of a format; where several methods are compared, with the paper's tables and tests."""
    tests = statistics_sheets(comparison)
    note = f"{NOTE} {TESTS_NOTE}" if tests else NOTE
    return written_sheets([*_sheets(comparison), *tests], suffix, note)
