"""Strategies that compete on held-out rows: how each does at its best size, which dropped out, which won."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fsdesk.app.palette import LIGHT, SPACE, Tokens
from fsdesk.app.translation import folded
from fsdesk.app.widgets import Card, label, named
from fsdesk.engine import RunSpec
from fsdesk.engine.state import Race
from fsdesk.measure import Criterion
from fsdesk.messages import counted, localised, tr, translated
from fsdesk.results.curves import drawn
from fsdesk.results.subsets import STATES, Standing, never_judged, standings

__all__ = ["Entrant", "RaceCard", "entrants", "untried"]


_ROOM = 7  # pixels of a row beyond its letters
_NAMES, _LEAST_PLOT = 0.34, 60.0  # share of the width for names; pixels for the lines


@dataclass(frozen=True)
class Entrant:
    """One strategy at its best size; values are as people know them, low and high one standard error away."""

    name: str
    size: int
    value: float
    low: float
    high: float
    text: str
    resamples: int
    standing: str
    all_resamples: int

    @property
    def note(self) -> str:
        """What stands at the right of its line."""
        resamples = counted(self.all_resamples, "resample")
        if self.resamples < self.all_resamples:
            resamples = tr("{done} of {resamples}", done=self.resamples, resamples=resamples)
        parts = [self.text, counted(self.size, "feature"), resamples]
        return " · ".join([*parts, translated(STATES[self.standing])] if self.standing else parts)


def entrants(race: Race, criterion: Criterion) -> list[Entrant]:
    """What is known of every strategy that was judged, in the order in which they began."""
    return [_entrant(each, criterion, race.folds) for each in standings(race)]


def _entrant(each: Standing, criterion: Criterion, folds: int) -> Entrant:
    ends = drawn(criterion, np.array([each.mean, each.mean - each.std_error, each.mean + each.std_error])).tolist()
    text = localised(criterion.text(each.mean))
    name = translated(each.strategy)
    return Entrant(name, each.size, ends[0], min(ends[1:]), max(ends[1:]), text, each.resamples, each.state, folds)


def untried(spec: RunSpec, race: Race, features: int) -> list[str]:
    """Names of the strategies that the winner was chosen without, because they were never judged."""
    return [translated(each) for each in never_judged(spec, race, features)]


class _Lines(QWidget):
    """A line for each strategy: its name, where its mean lies and how sure that is, and the numbers."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "raceLines", tr("How the strategies do on held-out rows"))
        self.entrants: Sequence[Entrant] = ()
        self.tokens: Tokens = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)  # names end in dots

    def show_entrants(self, entrants: Sequence[Entrant]) -> None:
        """Draw these."""
        if list(entrants) == list(self.entrants):
            return
        more = len(entrants) != len(self.entrants)
        self.entrants = entrants
        self.setAccessibleDescription("; ".join(f"{each.name}: {each.note}" for each in entrants))
        if more:
            self.setFixedHeight(max(1, len(entrants)) * self._row)
        self.update()

    @property
    def _row(self) -> int:
        return self.fontMetrics().height() + _ROOM

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.entrants:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = self.fontMetrics()
        width = float(self.width())
        names = min(_NAMES * width, max(metrics.horizontalAdvance(f"★ {each.name}") for each in self.entrants) * 1.1)
        notes = max(metrics.horizontalAdvance(each.note) for each in self.entrants) + 2.0
        left, right = names + 2 * SPACE, width - notes - 2 * SPACE
        low = min(each.low for each in self.entrants)
        span = max(max(each.high for each in self.entrants) - low, 1e-12)
        for place, each in enumerate(self.entrants):
            area = QRectF(0.0, float(place * self._row), width, float(self._row))
            self._draw(painter, area, each, names)
            if right - left >= _LEAST_PLOT:
                ends = [left + (right - left) * (value - low) / span for value in (each.low, each.value, each.high)]
                self._draw_line(painter, area, each, (left, right), ends)

    def _colour(self, each: Entrant) -> QColor:
        tokens = self.tokens
        return QColor({"won": tokens.success, "out": tokens.control, "": tokens.line_average}[each.standing])

    def _draw(self, painter: QPainter, area: QRectF, each: Entrant, names: float) -> None:
        font = QFont(self.font())
        if each.standing == "won":
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(self.tokens.muted if each.standing == "out" else self.tokens.text))
        name = f"★ {each.name}" if each.standing == "won" else each.name
        name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(names))
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(area, middle | int(Qt.AlignmentFlag.AlignLeft), name)
        painter.setFont(self.font())
        painter.setPen(QColor(self.tokens.muted))
        painter.drawText(area, middle | int(Qt.AlignmentFlag.AlignRight), each.note)

    def _draw_line(
        self, painter: QPainter, area: QRectF, each: Entrant, room: tuple[float, float], ends: Sequence[float]
    ) -> None:
        y, colour = area.center().y(), self._colour(each)
        painter.setPen(QPen(QColor(self.tokens.border), 1))
        painter.drawLine(QPointF(room[0], y), QPointF(room[1], y))
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(ends[0], y), QPointF(ends[2], y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(ends[1], y), 4.0, 4.0)


class RaceCard(Card):
    """Seen while strategies compete, and after it."""

    def __init__(self) -> None:
        super().__init__(tr("Strategies on held-out rows"))
        self.setObjectName("raceCard")
        self.count = label("", "caption")
        self.head.insertWidget(1, self.count)
        self.lines = _Lines()
        self.body.addWidget(self.lines)
        self.absent = label("", "caption")
        self.absent.setWordWrap(True)
        self.body.addWidget(self.absent)
        self.hide()

    def show_race(self, race: Race | None, criterion: Criterion, absent: Sequence[str] = ()) -> None:
        """Show what is known, and what was never judged; nothing where no strategies compete."""
        shown = race is not None and race.folds > 0
        found = entrants(race, criterion) if race is not None and shown else []
        self.setVisible(bool(found))
        if not found:
            return
        self.lines.show_entrants(found)
        self.absent.setVisible(bool(absent))
        self.absent.setText(
            tr(
                "Not tried: {names}. A search is left out where the others err on one held-out row at most, and where "
                "it would not end in the time and measurements allowed.",
                names=", ".join(absent),
            )
        )
        tip = tr(
            "Mean {criterion} of each strategy at its best size, on rows that it did not see; the line is ± one "
            "standard error over the resamples. One that clearly loses on the first few drops out; its mean is over "
            "these alone, and does not compare with the others'. The best of several is a little too good: the error "
            "on unseen rows of the whole search comes after it.",
            criterion=translated(criterion.title),
        )
        self.count.setText(counted(max(each.resamples for each in found), "resample"))
        if self.toolTip() != folded(tip):
            self.setToolTip(folded(tip))

    def dress(self, tokens: Tokens) -> None:
        self.lines.tokens = tokens
        self.lines.update()
