"""The features of a subset as a table whose columns adapt to the available width."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QTableView

from fsdesk.app.tables import Index, TableModel, fitting_width
from fsdesk.data.annotations import Annotations
from fsdesk.engine import RunState
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.messages import localised, mark, tr, translated
from fsdesk.results.curves import drawn
from fsdesk.results.sheets import escape_formula

if TYPE_CHECKING:
    from fsdesk.results.features import Effect, SingleFeatureScores
    from fsdesk.results.trust import Trust

Floats = NDArray[np.float64]
_READ = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_WRITTEN = _READ | Qt.ItemFlag.ItemIsEditable  # created once: Qt asks a hundred thousand times


@dataclass(frozen=True, eq=False)
class _Column:
    """One column: its title, its explanation, and its numbers or texts, one for each feature of the subset."""

    title: str
    help: str
    values: Floats | tuple[str, ...]
    write: Callable[[float], str] = "{:.3g}".format
    editable: bool = False

    @property
    def is_text(self) -> bool:
        return isinstance(self.values, tuple)

    def text(self, place: int) -> str:
        if isinstance(self.values, tuple):
            return self.values[place]
        value = float(self.values[place])
        return "" if np.isnan(value) else localised(self.write(value))

    def cells(self, places: Sequence[int]) -> list[str]:
        """Cells for a spreadsheet; a number that begins with a digit, as most do, is not a formula."""
        if isinstance(self.values, tuple):
            return [_cell(self.values[place]) for place in places]
        values = self.values[np.asarray(places)].tolist()
        texts = ["" if value != value else self.write(value) for value in values]
        return [text if text[:1].isdecimal() else _cell(text) for text in texts]

    def order(self, falling: bool) -> NDArray[np.int64]:
        """Sorted indices; unknown values come last."""
        if isinstance(self.values, tuple):
            keys = [text.casefold() for text in self.values]
            return np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=falling), dtype=np.int64)
        return np.argsort(-self.values if falling else self.values, kind="stable")


class FeaturesModel(TableModel):
    """Features of one subset: information from the search and the data, and the user's notes.

    Sorted and filtered here, because a proxy model would request every cell. A ``brief`` one has only name, weight and
    frequency. ``noted`` sends a feature and the user's note on it.
    """

    noted = Signal(str, str)

    def __init__(self, *, brief: bool = False) -> None:
        super().__init__()
        self._brief = brief
        self._columns: list[_Column] = []
        self._names: tuple[str, ...] = ()
        self._shown: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._sorted_by, self._falling, self._wanted = 0, False, ""
        self._known: Annotations | None = None
        self._about: list[_Column] = []
        self._folded: list[str] = []
        self.described = 0
        self.weighs = False
        self._columns = self._nothing()

    def show(
        self,
        state: RunState | None,
        mask: NDArray[np.bool_] | None,
        singles: "SingleFeatureScores | None" = None,
        known: Annotations | None = None,
        effects: "Mapping[int, Effect] | None" = None,
        trust: "Trust | None" = None,
    ) -> None:
        """Show the features of a subset of a run."""
        titles, before = self.titles(), self.names if self._brief and self.persistentIndexList() else []
        if state is None or mask is None:
            self._names, self._known, self._folded, columns = (), None, [], self._nothing()
        else:
            places = np.flatnonzero(mask)
            names = tuple(map(state.features.__getitem__, places.tolist()))
            if known is not self._known or names != self._names:
                self._take(names, known)
            columns = self._made(state, places, singles, effects, trust)
        new = [column.title for column in columns]
        if self._sorted_by < len(titles) and columns:
            title = titles[self._sorted_by]
            self._sorted_by = new.index(title) if title in new else 0
        self._update(columns, before)

    def _nothing(self) -> list[_Column]:
        """The columns of a brief list without rows, so that its view keeps their widths."""
        titles = (tr("Feature"), tr("Weight"), tr("Frequency")) if self._brief else ()
        return [_Column(title, "", np.empty(0) if at else ()) for at, title in enumerate(titles)]

    def _take(self, names: tuple[str, ...], known: Annotations | None) -> None:
        """Look up, once, everything that does not change during further measurements."""
        self._names, self._known, self._folded, self._about = names, known, [], []
        if known is None:
            return
        self.described = sum(map(known.texts.__contains__, names))
        self._about = [
            _Column(title, tr('Column of "{file}"', file=known.source), texts)
            for title, texts in zip(known.columns, self._described(known), strict=True)
        ]
        notes = tuple(map(known.notes.get, names, repeat("")))
        help_ = tr("Your notes on the feature; double-click or press F2 to edit")
        self._about.append(_Column(tr("Note"), help_, notes, editable=True))

    def _made(
        self,
        state: RunState,
        places: NDArray[np.int64],
        singles: "SingleFeatureScores | None",
        effects: "Mapping[int, Effect] | None",
        trust: "Trust | None",
    ) -> list[_Column]:
        weights = None if state.best is None or state.best.weights is None else state.best.weights[places]
        frequency = None if state.frequency is None else state.frequency[places]
        self.weighs = weights is not None
        columns = [_Column(tr("Feature"), tr("Features in the subset"), self._names)]
        if not self._brief:
            rank = tr("Rank by weight, ties broken by frequency")
            ranks = _ranks(weights, frequency, len(places))
            columns.insert(0, _Column(tr("Rank"), rank, ranks, "{:.0f}".format))
        unknown = np.full(len(places), np.nan)
        if weights is not None or self._brief:
            words = tr("Weight of the feature, from 0 to 1, when the search found the selected subset")
            columns.append(_Column(tr("Weight"), words, unknown if weights is None else weights, "{:.2f}".format))
        if frequency is not None or self._brief:
            words = (
                tr(
                    "Share of the resamples in which the winning strategy selected the feature. Resamples share most "
                    "of their rows, so even irrelevant features may reach 100 %."
                )
                if state.race.folds
                else tr(
                    "Share of all measured subsets that contain the feature; even irrelevant features may reach 100 %"
                )
            )
            shares = unknown if frequency is None else 100 * frequency
            columns.append(_Column(tr("Frequency"), words, shares, "{:.0f} %".format))
        shown = [*_trusted(places, trust), *_alone(state.criterion, singles), *_done(state, places, effects)]
        return [*columns, *shown, *self._about]

    def _described(self, known: Annotations) -> list[tuple[str, ...]]:
        if not known.columns:
            return []
        blank = ("",) * len(known.columns)
        rows = [known.texts.get(name, blank) for name in self._names]
        return [tuple(row[place] for row in rows) for place in range(len(known.columns))]

    def find(self, text: str) -> None:
        """Show only rows with a text that contains this one."""
        self._wanted = text.casefold()
        self._update(self._columns)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by, self._falling = column, order == Qt.SortOrder.DescendingOrder
        before, self._shown = self._shown, self._arranged(self._columns)
        self.rows_moved(before.tolist(), self._shown.tolist())

    def _update(self, columns: list[_Column], before: Sequence[str] = ()) -> None:
        """Show other columns, sorted and filtered; a brief list is reset only for a different number of rows.

        ``before`` are the features whose rows are to be tracked.
        """
        shown = self._arranged(columns)
        same = self._brief and len(columns) == len(self._columns) and len(shown) == len(self._shown)
        if not same:
            self.beginResetModel()
        self._columns, self._shown = columns, shown
        if same and before and before != self.names:
            self.rows_moved(before, self.names)
        elif same:
            self.rows_changed()
        else:
            self.endResetModel()

    def _arranged(self, columns: list[_Column]) -> NDArray[np.int64]:
        if not columns:
            return np.empty(0, dtype=np.int64)
        column = columns[min(self._sorted_by, len(columns) - 1)]
        order = column.order(self._falling)
        if self._wanted:
            if not self._folded:
                texts = [each.values for each in columns if isinstance(each.values, tuple)]
                self._folded = ["\t".join(cells).casefold() for cells in zip(*texts, strict=True)]
            order = np.array([at for at in order if self._wanted in self._folded[at]], dtype=np.int64)
        return order

    @property
    def names(self) -> list[str]:
        """The features shown, in display order."""
        return list(map(self._names.__getitem__, self._shown.tolist()))

    @property
    def total(self) -> int:
        """Number of features of the subset."""
        return len(self._names)

    @property
    def numeric(self) -> Collection[int]:  # type: ignore[override]
        """Which columns contain numbers."""
        return [at for at, column in enumerate(self._columns) if not column.is_text]

    @property
    def texts(self) -> list[bool]:
        """Which columns contain texts."""
        return [column.is_text for column in self._columns]

    def lines(self, rows: Sequence[int], *, titled: bool = True) -> str:
        """Rows as tab-separated text for a spreadsheet, safe from being read as formulas."""
        places = self._shown[np.asarray(rows, dtype=np.int64)].tolist()
        columns = [[_cell(column.title)] * titled + column.cells(places) for column in self._columns]
        return "\n".join(map("\t".join, zip(*columns, strict=True)))

    def count(self) -> int:
        return len(self._shown)

    def titles(self) -> list[str]:
        return [column.title for column in self._columns]

    def title_tip(self, column: int) -> str:
        return self._columns[column].help

    def text(self, row: int, column: int) -> str:
        return self._columns[column].text(int(self._shown[row]))

    def tip(self, row: int, column: int) -> str:
        return self.text(row, column) if self._columns[column].is_text else ""

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _WRITTEN if self._columns[index.column()].editable else _READ

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = Qt.ItemDataRole.DisplayRole if role == Qt.ItemDataRole.EditRole else role
        return super().data(index, shown)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self._columns[index.column()].editable:
            return False
        if str(value) != self.data(index):
            self.noted.emit(self._names[self._shown[index.row()]], str(value))
        return True


def _cell(text: str) -> str:
    """The text on one line and safe from being read as a formula; an identifier is returned unchanged."""
    return text if not text or text.isidentifier() else escape_formula(" ".join(text.split()))


def _ranks(weights: Floats | None, frequency: Floats | None, size: int) -> Floats:
    """(size,) ranks of the features by weight, then by frequency; 1 is the highest."""
    keys = [np.zeros(size) if values is None else -values for values in (frequency, weights)]
    ranks = np.empty(size)
    ranks[np.lexsort(keys)] = np.arange(1, size + 1)
    return ranks


def _alone(criterion: Criterion, singles: "SingleFeatureScores | None") -> list[_Column]:
    """The columns on each feature alone: value of the model with only this feature, and filter scores."""
    if singles is None:
        return []
    title = translated(CRITERIA[criterion.name].title).partition(",")[0]
    words = tr(
        "{criterion} of the model with this feature alone, on new folds. Features that are weak alone can be strong "
        "together.",
        criterion=translated(criterion.title),
    )
    losses = np.where(np.isfinite(singles.losses), singles.losses, np.nan)
    write = "{:.1f} %".format if criterion.unit == "%" else _three_digits
    alone = _Column(tr("{criterion} alone", criterion=title), words, drawn(criterion, losses), write)
    f = tr("Univariate F statistic over all rows; larger is better. It detects only shifts in the mean")
    information = tr(
        "Mutual information with the target in nats, over all rows; 0 means none. It detects any kind of dependence"
    )
    return [
        alone,
        _Column("F", f, singles.f, "{:.2f}".format),
        _Column(tr("Information"), information, singles.information, "{:.2f}".format),
    ]


def _three_digits(value: float) -> str:
    return f"{value:#.3g}".removesuffix(".")


def _trusted(places: NDArray[np.int64], trust: "Trust | None") -> list[_Column]:
    """The columns on the reliability of each feature."""
    if trust is None:
        return []
    from fsdesk.results.trust import ROLES

    tests = trust.tests
    if tests.measure == "AUC":
        title, words = tr("AUC"), tr("Univariate area under the ROC curve; 0.5 is chance level")
    else:
        title, words = tr("Correlation"), tr("Spearman correlation of the feature with the target")
    by_luck = tr("q value: about 10 % of the features with q ≤ 0.1 are expected to be false discoveries")
    roles = tuple(tr(ROLES[trust.roles[place]]) for place in places.tolist())
    return [
        _Column(tr("Role"), role_help(), roles),
        _Column("q", by_luck, tests.q[places], _short),
        _Column(title, words, tests.estimate[places], "{:.2f}".format),
    ]


def _short(q: float) -> str:
    return "< 0.001" if q < 0.001 else f"{q:.2g}" if q < 0.1 else f"{q:.2f}"


def role_help() -> str:
    """What the roles of features mean."""
    return tr(
        "Core: selected in nearly all random halves of the rows. Associated: associated with the target on its own "
        "(q up to 10 %). Interchangeable: another correlated feature is associated with the target at least as "
        "strongly. Unconfirmed: selected, but none of these."
    )


def _done(state: RunState, places: NDArray[np.int64], effects: "Mapping[int, Effect] | None") -> list[_Column]:
    """The columns on the effect of each feature, from the data and from models that had not seen the rows.

    One in which nothing is known is left out, such as the effect of models without probabilities.
    """
    if not effects:
        return []
    known = [effects.get(place) for place in places.tolist()]
    numbers = state.criterion.task != "classification"
    direction = (
        tr("Class with the higher values; with several classes, the one that stands out")
        if not numbers
        else tr("Whether it is higher with larger or with smaller target values")
    )
    effect = (
        tr("Change in the predicted value over the range of the feature, on held-out rows")
        if numbers
        else tr(
            "Change in the predicted probability, in percentage points, over the range of the feature, on held-out rows"
        )
    )
    like = tr(
        "The most similar feature that was not selected, with its correlation, if that is 0.5 or more; this "
        "feature may be standing in for it"
    )
    scale = 1.0 if numbers else 100.0
    where = tuple("" if each is None else _where(each) for each in known)
    changes = [np.nan if each is None or each.effect is None else scale * each.effect for each in known]
    alike = tuple(_like(each, state.features) for each in known)
    columns = [
        (any(where), _Column(tr("Direction") if numbers else tr("Higher in"), direction, where)),
        (
            not np.isnan(changes).all(),
            _Column(tr("Effect"), effect, np.array(changes), _three_digits if numbers else "{:.1f}".format),
        ),
        (any(alike), _Column(tr("Stands in for"), like, alike)),
    ]
    return [each for is_known, each in columns if is_known]


def _where(effect: "Effect") -> str:
    """The class in which the feature is higher, if the title names it; otherwise the text, such as "lower in ill"."""
    return effect.higher_in or translated(effect.direction)


def _like(effect: "Effect | None", features: Sequence[str]) -> str:
    if effect is None or effect.like is None or effect.correlation is None or not effect.stands_in:
        return ""
    return f"{features[effect.like]} ({localised(f'{effect.correlation:.2f}')})"


_WIDEST, _NAME, _SHORT, _NOTE, _NOTED = 260, 116, 76, 56, 200
_ARROW = 18  # room for the sort arrow, which only one heading has
_GIVE_WAY = (
    mark("Information"), "F", mark("AUC"), mark("Correlation"), mark("Rank"), mark("Stands in for"), mark("Effect"),
    mark("Higher in"), mark("Direction"), mark("Frequency"),
)  # fmt: skip


class AnswerColumns(QObject):
    """Column widths; ``menu`` lets the user choose the columns; otherwise, as many are shown as fit."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._texts: Sequence[bool] = ()
        self._widths: list[int] = []
        self._asked: dict[str, bool] = {}
        self.menu = QMenu(view)
        self.menu.setObjectName("answerColumns")
        self.menu.aboutToShow.connect(self._offer)
        view.viewport().installEventFilter(self)
        view.horizontalHeader().sortIndicatorChanged.connect(lambda *_: self.measure(self._texts))

    def measure(self, texts: Sequence[bool]) -> None:
        """Measure the columns again; ``texts`` says which contain texts, and the last one is for notes."""
        self._texts = texts
        header = self._view.horizontalHeader()
        self._widths = []
        for at in range(len(texts)):
            self._view.setColumnHidden(at, False)  # otherwise its heading needs no space
            spare = 0 if at == header.sortIndicatorSection() else _ARROW
            self._widths.append(fitting_width(self._view, at, spare))
        self._share()

    def _title(self, at: int) -> str:
        model = self._view.model()
        return str(model.headerData(at, Qt.Orientation.Horizontal))

    def _share(self) -> None:
        if not self._widths:
            return
        last = len(self._widths) - 1
        whole = tr("Role")  # a few words that are read at a glance
        least = [min(wide, _NAME) if self._texts[at] and self._title(at) != whole else wide
                 for at, wide in enumerate(self._widths)]  # fmt: skip
        least[last] = max(_NOTE, min(_NAME, self._widths[last]))
        room = self._view.viewport().width()
        hidden = {at for at in range(last) if not self._asked.get(self._title(at), True)}
        alone = tr("{criterion} alone", criterion="")  # whatever is measured
        for title in (*map(tr, _GIVE_WAY), alone, tr("Weight")):
            at = next((at for at in range(last) if self._title(at).endswith(title)), -1)
            if at >= 0 and self._title(at) not in self._asked and self._taken(least, hidden) > room:
                hidden.add(at)
        spare = room - self._taken(least, hidden)
        if spare < 0:
            name = self._texts.index(True)
            notes = max(_NOTE, least[last] + spare)  # the tooltip has the complete note
            names = least[name] + spare + least[last] - notes
            if names >= _SHORT:  # a short name before a list that scrolls sideways, not in one that does
                least[last], least[name] = notes, names
            spare = 0
        for at in range(last):
            self._view.setColumnHidden(at, at in hidden)
        noted = _NOTED if self._widths[last] > _NOTE else 0
        for most, left in ((_WIDEST, 0), (room, noted)):  # names and descriptions take the remaining space, then notes
            for at in range(last):
                if self._texts[at] and at not in hidden:
                    more = max(0, min(spare - left, min(most, self._widths[at]) - least[at]))
                    least[at], spare = least[at] + more, spare - more
        for at in range(last):
            self._view.horizontalHeader().resizeSection(at, least[at])
        self._view.horizontalHeader().resizeSection(last, least[last])

    @staticmethod
    def _taken(widths: Sequence[int], hidden: set[int]) -> int:
        return sum(wide for at, wide in enumerate(widths) if at not in hidden)

    def _offer(self) -> None:
        self.menu.clear()
        for at in range(len(self._widths) - 1):
            action = self.menu.addAction(self._title(at))
            action.setCheckable(True)
            action.setChecked(not self._view.isColumnHidden(at))
            action.toggled.connect(lambda on, at=at: self._ask(at, on))

    def _ask(self, at: int, shown: bool) -> None:
        self._asked[self._title(at)] = shown
        self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._share()
        return super().eventFilter(watched, event)
