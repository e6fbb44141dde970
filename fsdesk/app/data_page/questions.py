"""Questions about a file that only the user can answer, each with a choice of answers."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QLayout, QPushButton, QSizePolicy, QWidget

from fsdesk.app.data_page.checks import Rows
from fsdesk.app.palette import SPACE
from fsdesk.app.widgets import ROLE_COLOURS, Card, Choice, Sign, button, column, label, named, panel, row
from fsdesk.data import Alternative, Reading
from fsdesk.messages import tr, tr_many, translated

_MOST_BUTTONS, _MOST_LETTERS = 3, 60  # number of answers shown as buttons, and characters of the longest one
_BESIDE, _BORDER = 64, 5  # characters of answers that fit side by side at 1,280 pixels; a border counts as five
_CHOICE_WIDTH = 320
_WIDEST = 760
_MOST_WHOLE = 4  # questions in view at once; any others are reached by scrolling


class _QuestionRows(Rows):
    """A list as high as its first questions, each shown completely: a clipped button is not recognizable."""

    def __init__(self, content: QWidget, rows: QLayout) -> None:
        self._rows = rows
        super().__init__(content, "questionRows", tr("Questions about the file"))

    def sizeHint(self) -> QSize:
        width = self.viewport().width()
        shown = [item.widget() for place in range(self._rows.count()) if (item := self._rows.itemAt(place))]
        heights = [each.heightForWidth(width) if each.hasHeightForWidth() else each.sizeHint().height()
                   for each in shown[:_MOST_WHOLE] if each is not None]  # fmt: skip
        return QSize(200, sum(heights) + max(0, len(heights) - 1) * self._rows.spacing())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())


class QuestionsCard(Card):
    """The questions, above all checks; ``answered`` sends the question and the chosen answer."""

    answered = Signal(object, object)

    def __init__(self) -> None:
        super().__init__("")
        self.setObjectName("questions")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._rows = column(spacing=2 * SPACE)
        self._area = _QuestionRows(panel(self._rows), self._rows)
        self.body.addWidget(self._area)
        self._shown: tuple[Reading, ...] = ()
        self._had_focus = False
        self._settled = QTimer(self, singleShot=True, interval=0)  # after the rows are laid out
        self._settled.timeout.connect(self._return_focus)
        self.hide()

    @property
    def shown(self) -> tuple[Reading, ...]:
        """The current questions."""
        return self._shown

    def show_questions(self, asked: Sequence[Reading]) -> None:
        """Replace the questions; the card is hidden if there are none."""
        if tuple(asked) == self._shown:
            return
        self._had_focus = self._had_focus or any(link.hasFocus() for link in self.findChildren(QWidget))
        self._shown = tuple(asked)
        count = len(asked)
        self.heading.setText(tr_many(count, "{count} question about the file", "{count} questions about the file"))
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        before: QWidget = self._help
        for place, question in enumerate(asked):
            made, controls = self._row(question, place)
            self._rows.addWidget(made)
            for control in controls:  # Tab would otherwise reach new widgets last
                QWidget.setTabOrder(before, control)
                before = control
        if self._had_focus:
            self._settled.start()
        self.setVisible(bool(asked))
        self.updateGeometry()

    def _return_focus(self) -> None:
        """Focus the first answer of the first question."""
        self._had_focus = False
        first = next(
            (each for each in self.findChildren(QWidget) if each.objectName() in ("answer_0_0", "answers_0")
             and each.isVisible()), None
        )  # fmt: skip
        if first is not None:
            first.setFocus()
            self._area.ensureWidgetVisible(first)

    def leave_focus(self) -> None:
        """Record that the focus was here while the file is read again: the next question receives it."""
        self._had_focus = True

    def take_focus(self) -> None:
        """Focus the first answer of the first question."""
        self._settled.start()

    def _row(self, question: Reading, place: int) -> tuple[QWidget, list[QWidget]]:
        sign = Sign("warning", ROLE_COLOURS["warning"], 16)
        text = label(translated(question.text), wrap=True)
        text.setMaximumWidth(_WIDEST)
        text.setMinimumHeight(1)
        titles = [translated(answer.title) for answer in question.alternatives]
        few = len(titles) <= _MOST_BUTTONS and max(map(len, titles)) <= _MOST_LETTERS
        controls = self._buttons(question, place, titles) if few else self._choice(question, place, titles)
        top = row(sign, text, None)
        top.setStretchFactor(text, 100)
        beside = sum(len(title) + _BORDER for title in titles) <= _BESIDE or not few
        below = (
            row(*controls, None)
            if beside
            else column(*(row(control, None) for control in controls), spacing=SPACE // 2)
        )
        if not few:
            below.setStretchFactor(controls[0], 100)
        below.setContentsMargins(24, 0, 0, 0)
        return panel(column(top, below, spacing=SPACE // 2)), controls

    def _buttons(self, question: Reading, place: int, titles: Sequence[str]) -> list[QWidget]:
        made: list[QWidget] = []
        for number, (answer, title) in enumerate(zip(question.alternatives, titles, strict=True)):
            made.append(self._button(question, answer, title, f"answer_{place}_{number}", proposed=number == 0))
        return made

    def _button(self, question: Reading, answer: Alternative, title: str, name: str, *, proposed: bool) -> QPushButton:
        made = button(title, name, "", f"{title}: {translated(question.sentence)}")
        made.setToolTip(tr("This is how the table is read now.") if proposed else tr("The table is read again."))
        made.clicked.connect(lambda: self.answered.emit(question, answer))
        return made

    def _choice(self, question: Reading, place: int, titles: Sequence[str]) -> list[QWidget]:
        """A list of the answers and a button: even the proposed answer must be confirmed."""
        choice = Choice()
        named(choice, f"answers_{place}", translated(question.sentence))
        choice.offer({str(number): title for number, title in enumerate(titles)})
        choice.setMinimumWidth(_CHOICE_WIDTH // 2)  # beside its button in a narrow window
        choice.setMaximumWidth(_CHOICE_WIDTH)
        choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        take = button(tr("Use this answer"), f"take_{place}")
        take.clicked.connect(lambda: self.answered.emit(question, question.alternatives[max(0, choice.currentIndex())]))
        return [choice, take]
