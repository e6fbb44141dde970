"""The report as PDF, for print and for the supplement of a paper: the content of the HTML page, drawn by matplotlib."""

import io
import textwrap
from collections.abc import Iterator

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.image import imread

from fsdesk.data import Dataset
from fsdesk.messages import number, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.feature_map_figure import feature_map_figure
from fsdesk.results.figures import (
    curve_figure,
    drawing,
    settled,
    shortened,
    size_figure,
    sizes_measured,
    strategies_figure,
)
from fsdesk.results.lead import lead
from fsdesk.results.report import (
    caution,
    details_of,
    details_title,
    feature_rows,
    key_figures,
    map_words,
    measured_as,
    settings_used,
    source_words,
    target_words,
    weighed,
    wishes_of,
)
from fsdesk.results.result import Result
from fsdesk.results.strategies import standings
from fsdesk.wrappers import WRAPPERS

__all__ = ["paper_report"]

_WIDTH, _HEIGHT, _MARGIN = 8.27, 11.69, 0.9  # A4 in inches
_LETTERS = 92  # on a line of the text width
_MOST_ROWS = 200
_TALLEST = 6.4
_KEY_LETTER = 0.08  # inches, of a letter of the key figures
_ROW = 8.5  # points, of the type in tables
_INK, _SOFT = "#1b2330", "#5a6675"
_METADATA = {"CreationDate": None, "Creator": None, "Producer": None}


def paper_report(result: Result, dataset: Dataset) -> bytes:
    """Render it; the same result gives the same bytes."""
    buffer = io.BytesIO()
    with drawing(), PdfPages(buffer, metadata={**_METADATA, "Title": "Feature selection"}) as pages:
        for figure in _Pages(result, dataset).all():
            pages.savefig(figure)
    return buffer.getvalue()


def _step(size: float) -> float:
    """Inches from a line of so many points to the next."""
    return 1.45 * size / 72


class _Pages:
    """The pages of one report; text flows from the top of a page to the next."""

    def __init__(self, result: Result, dataset: Dataset) -> None:
        self.result = result
        self.dataset = dataset
        self.done: list[Figure] = []
        self._turn()

    def _turn(self) -> None:
        self.page = Figure(figsize=(_WIDTH, _HEIGHT))
        self.done.append(self.page)
        self.y = _HEIGHT - _MARGIN

    def _room(self, inches: float) -> bool:
        """Begin a page where this one has not so much left; say whether it was so."""
        full = self.y - inches < _MARGIN
        if full:
            self._turn()
        return full

    def write(self, text: str, size: float = 9.5, *, colour: str = _INK, bold: bool = False, indent: float = 0) -> None:
        """A paragraph."""
        letters = int(_LETTERS * (9.5 / size) * (1 - indent / (_WIDTH - 2 * _MARGIN)))
        for line in textwrap.wrap(" ".join(text.split()), letters) or [""]:
            self._line([(0.0 + indent, line)], size, colour, bold=bold)
        self.y -= 0.05

    def _line(self, cells: list[tuple[float, str]], size: float, colour: str, *, bold: bool = False) -> None:
        """Texts side by side, each with its distance from the left margin in inches."""
        step = _step(size)
        self._room(step)
        self.y -= step
        weight = "bold" if bold else "normal"
        for left, text in cells:
            self.page.text((_MARGIN + left) / _WIDTH, self.y / _HEIGHT, text, size=size, color=colour, weight=weight)

    def heading(self, text: str) -> None:
        """A section."""
        self._room(1.2)
        self.y -= 0.18
        self.write(text, 12, bold=True)

    def row(self, *cells: tuple[float, str], soft: bool = False) -> None:
        """A row of a table."""
        self._line(list(cells), _ROW, _SOFT if soft else _INK)

    def picture(self, heading: str, figure: Figure) -> None:
        """A plot below its heading, as wide as the text of the page and not too tall."""
        drawn = figure.get_size_inches()
        width = _WIDTH - 2 * _MARGIN
        height = min(width * float(drawn[1] / drawn[0]), _TALLEST)
        self._room(height + 0.8)
        self.heading(heading)
        self.y -= height
        buffer = io.BytesIO()
        settled(figure).savefig(buffer, format="png", dpi=250, metadata={"Software": None})
        buffer.seek(0)
        axes = self.page.add_axes((_MARGIN / _WIDTH, self.y / _HEIGHT, width / _WIDTH, height / _HEIGHT))
        axes.imshow(imread(buffer), aspect="equal", interpolation="none")
        axes.axis("off")

    def all(self) -> Iterator[Figure]:
        """Fill the pages and number them."""
        self._found()
        self._features()
        self.picture(tr("The selected features in the data"), feature_map_figure(self.result, self.dataset))
        self.write(map_words(self.dataset), 8.5, colour=_SOFT)
        self._how()
        for at, page in enumerate(self.done, 1):
            text = tr("{number} of {count}", number=at, count=len(self.done))
            page.text(0.5, 0.4 / _HEIGHT, text, size=8, color=_SOFT, ha="center")
            yield page

    def _found(self) -> None:
        result, criterion = self.result, self.result.criterion
        method, wrapper = METHODS[result.spec.method], WRAPPERS[result.spec.wrapper]
        self.write(tr("Feature selection on {data}", data=self.dataset.name), 17, bold=True)
        made_by = tr(
            "{method}; {model}; seed {seed}. Data: {source}.",
            method=tr(method.title), model=tr(wrapper.title), seed=result.spec.seed, source=source_words(self.dataset),
        )  # fmt: skip
        self.write(made_by, colour=_SOFT)
        self.y -= 0.1
        self.write(lead(result), 12)
        self.y -= 0.1
        key = (
            (
                tr("Features selected"),
                tr("{count:,} of {total:,}", count=len(result.features), total=len(result.all_features)),
            ),
            *((what, f"{value} ({interval})" if interval else value) for what, value, interval in key_figures(result)),
            (
                tr("Measurements"),
                tr("{count:,} in {steps:,} iterations", count=result.evaluations, steps=result.iterations),
            ),
        )
        beside = max(2.6, _KEY_LETTER * max(len(name) for name, _ in key))
        for name, value in key:
            self._line([(0, name), (beside, value)], 10.5, _INK)
        self.y -= 0.12
        title = tr(criterion.title)
        better = tr("Higher is better.") if criterion.direction == "higher" else tr("Lower is better.")
        self.write(f"{title}: {tr(criterion.help)} {better}")
        self.write(caution(result))
        details = "; ".join(f"{what} {value}" for what, value in details_of(result))
        self.write(f"{details_title(result)}: {details}.", 8.5, colour=_SOFT)
        competed = bool(standings(result.race))
        if competed:
            self.picture(tr("Strategies on held-out rows"), strategies_figure(result, self.dataset))
        else:
            self.picture(tr("{criterion} during the search", criterion=title), curve_figure(result, self.dataset))
        ended = tr("The search ended:") if result.status == "finished" else tr("The search has not ended:")
        point = tr("Each point is {how}.", how=measured_as(result.spec.measuring))
        said = f"{ended} {translated(result.reason)}." if competed else f"{point} {ended} {translated(result.reason)}."
        if result.steered:
            worth = tr("Who steered it saw all rows: no error here knows what that choice is worth.")
            said += f" {result.steered} {worth}"
        self.write(said, 8.5, colour=_SOFT)
        if len(sizes_measured(result)) > 1:
            heading = tr("{criterion} by number of features", criterion=title)
            self.picture(heading, size_figure(result, self.dataset))
            words = tr(
                "Finalists, measured again on folds that are the same for those measured side by side; bars are one "
                "standard error."
            )
            self.write(words, 8.5, colour=_SOFT)

    def _features(self) -> None:
        self.heading(tr("Selected features"))
        head = ((0.0, tr("Feature")), (4.3, tr("Weight")), (5.3, tr("Frequency")))
        self.row(*head, soft=True)
        rows = feature_rows(self.result)
        for name, weight, frequency in rows[:_MOST_ROWS]:
            if self._room(_step(_ROW)):
                self.row(*head, soft=True)
            self.row((0, shortened(name, 58)), (4.3, number(weight, ".3f")), (5.3, f"{100 * frequency:.0f} %"))
        if len(rows) > _MOST_ROWS:
            more = tr("And {count} more; {file} has them all.", count=number(len(rows) - _MOST_ROWS), file="mask.csv")
            self.row((0, more), soft=True)
        self.y -= 0.1
        self.write(weighed(self.result), 8.5, colour=_SOFT)

    def _how(self) -> None:
        result, dataset = self.result, self.dataset
        self.heading(tr("Data"))
        facts = (
            (tr("Rows"), number(len(dataset.target))),
            (tr("Features"), number(len(dataset.features))),
            (tr("Target"), f"{dataset.target_name}: {target_words(dataset)}"),
            ("SHA-256", dataset.fingerprint),
        )
        for title, value in (*facts, *wishes_of(result.spec)):
            for place, line in enumerate(textwrap.wrap(value, 78) or [""]):
                self.row((0, "" if place else title), (1.3, line))
        for check in dataset.checks:
            self.write(translated(check.sentence), 8.5, colour=_SOFT)
        self.heading(tr("Settings"))
        for heading, group in settings_used(result):
            self.write(heading, 9.5, bold=True)
            for title, value, _ in group:
                self.row((0, shortened(title, 56)), (3.4, shortened(value or tr("none"), 48)))
            self.y -= 0.1
        self.heading(tr("Method"))
        method = METHODS[result.spec.method]
        self.write(f"{tr(method.summary)} {method.reference}.")
        versions = ", ".join(f"{name} {version}" for name, version in result.spec.versions.items())
        self.write(tr("Made with {programs}.", programs=versions), 8.5, colour=_SOFT)
