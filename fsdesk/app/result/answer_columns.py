"""How the columns of the list of features share its room: what is least needed gives way, and can be asked for."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QMenu, QTableView

from fsdesk.app.look.tables import fitting_width
from fsdesk.app.look.translation import mark, tr

__all__ = ["AnswerColumns"]

_WIDEST, _NAME, _SHORT, _NOTE, _NOTED = 260, 116, 76, 56, 200
_ARROW = 18  # room for the arrow of the order, which only one heading has
_GIVE_WAY = (mark("Information"), "F", mark("Rank"))


class AnswerColumns(QObject):
    """Widths of the columns; ``menu`` lets the user say which are shown, else as many are as fit."""

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
        """Measure the columns anew; ``texts`` says which hold texts, and the last one is for notes."""
        self._texts = texts
        header = self._view.horizontalHeader()
        self._widths = []
        for at in range(len(texts)):
            self._view.setColumnHidden(at, False)  # else its heading needs no room
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
        least = [min(wide, _NAME) if self._texts[at] else wide for at, wide in enumerate(self._widths)]
        least[last] = max(_NOTE, min(_NAME, self._widths[last]))
        room = self._view.viewport().width()
        hidden = {at for at in range(last) if not self._asked.get(self._title(at), True)}
        for title in _GIVE_WAY:
            at = next((at for at in range(last) if self._title(at) == tr(title)), -1)
            if at >= 0 and self._title(at) not in self._asked and self._taken(least, hidden) > room:
                hidden.add(at)
        spare = room - self._taken(least, hidden)
        if spare < 0:
            name = self._texts.index(True)
            notes = max(_NOTE, least[last] + spare)  # the words under the pointer have the whole note
            names = least[name] + spare + least[last] - notes
            if names >= _SHORT:  # a short name before a list that scrolls sideways, not in one that does
                least[last], least[name] = notes, names
            spare = 0
        for at in range(last):
            self._view.setColumnHidden(at, at in hidden)
        noted = _NOTED if self._widths[last] > _NOTE else 0
        for most, left in ((_WIDEST, 0), (room, noted)):  # names and descriptions take what is left, then the notes
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
        """Share the room anew where there is more or less of it."""
        if event.type() == QEvent.Type.Resize:
            self._share()
        return super().eventFilter(watched, event)
