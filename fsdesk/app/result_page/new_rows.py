"""Dialogs with another table: predict its rows, or test the result of a run on it."""

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget

from fsdesk.app.dialogs.dialog import Dialog, TroubleFrame, all_tables, ask_path, ask_save
from fsdesk.app.plots.interval_plot import ErrorBars, Interval
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.tables import TextRows, fitting_width, table_view
from fsdesk.app.translation import axis_title
from fsdesk.app.widgets import Choice, button, column, label, named, panel, progress_bar, restyle, row, scrolled
from fsdesk.data import Dataset, Shared, Table, questions
from fsdesk.data.replicates import says_whose
from fsdesk.errors import UserError
from fsdesk.messages import counted, number, tr, tr_many, translated
from fsdesk.results.evidence import ExternalValidation
from fsdesk.results.held_out_error import HonestError

if TYPE_CHECKING:
    from fsdesk.results.new_rows import Predictions

_NAMED = 6  # features
_MOST_CLASSES = 8  # number of classes whose probabilities are shown; all are in the file
_WIDEST = 240
_AXIS, _LINE = 56, 40  # pixels of the plot


class _TableDialog(Dialog):
    """Asks for a table, reads it in a worker and shows the results.

    Parameters
    ----------
    run
        A finished run.
    name
        Prefix of the names of the dialog and its parts.
    """

    needs_target = True

    def __init__(self, parent: QWidget, session: Session, run: Run, name: str, title: str, words: str) -> None:
        super().__init__(parent, f"{name}Dialog", title, 640)
        self.session, self.run = session, run
        self.path: Path | None = None
        self.table: Shared[Table] | None = None
        self._work: asyncio.Task[None] | None = None
        self.box.addWidget(label(words, "muted", wrap=True))
        self.file = label(tr("No table selected."), wrap=True)
        named(self.file, f"{name}_file", tr("The selected table"))
        self.choose = button(tr("Choose table …"), f"{name}_choose", "primary")
        self.choose.clicked.connect(self.ask_table)
        self.box.addLayout(row(self.choose, self.file, spacing=12, grow=[self.file]))
        self.bar = progress_bar(f"{name}_progress", tr("Processing the table"), 0)
        self.bar.hide()
        self.box.addWidget(self.bar)
        self.trouble = TroubleFrame(f"{name}_trouble")
        self.box.addWidget(self.trouble)
        self.close_ = button(tr("Close"), f"{name}_close")
        self.close_.clicked.connect(self.reject)

    def done(self, result: int) -> None:
        """Close, and end work that is no longer needed."""
        super().done(result)
        if self._work is not None:
            self._work.cancel()

    def ask_table(self) -> None:
        """Let the user choose the table."""
        title, kinds = tr("Choose a table"), all_tables()
        ask_path(self, self.session.store, title, self.read, name="otherTable", kinds=kinds)

    def read(self, path: Path) -> None:
        """Read a table, and continue with it."""
        self.path, self.table = path, None
        self.file.setText(path.name)
        self.begin(self._read(path), tr("reading {name}", name=path.name))

    async def _read(self, path: Path) -> None:
        _, shared = await self.session.at_hand(self.run)
        learned = await self.session.tasks.in_thread(shared.open)
        self.table = await self.session.loader.read_beside(path, learned)
        table = await self.session.tasks.in_thread(self.table.open)
        asked = questions(table.readings, learned.target_name, named=True, grouped=True)
        if not self.needs_target:
            asked = tuple(each for each in asked if each.columns != (learned.target_name,))
        if asked:
            said = " ".join(translated(question.text) for question in asked)
            self.trouble.say(
                tr("This table can be read in more than one way, so check it: {questions}", questions=said)
            )
        await self.take(table)

    async def take(self, table: Table) -> None:
        """Process a table that has been read."""
        raise NotImplementedError

    def clear(self) -> None:
        """Clear the results of the previous table."""
        raise NotImplementedError

    def begin(self, work: Coroutine[Any, Any, None], doing: str) -> None:
        """Start slow work; errors are shown here."""
        self.session.tasks.begin(self._guarded(work), doing, quietly=True)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        if self._work is not None:
            self._work.cancel()
        this = self._work = asyncio.current_task()
        self.clear()
        self.trouble.say("")
        self.bar.show()
        try:
            await work
        except asyncio.CancelledError:
            work.close()
        except UserError as error:
            if not self.gone:
                self.trouble.say(translated(str(error)))
        finally:
            if not self.gone and self._work is this:
                self._work = None
                self.bar.hide()

    async def in_worker(self, function: Any, *arguments: object) -> Any:
        """Run a task in a worker for the run, with its project and the chosen table."""
        path, _ = await self.session.at_hand(self.run)
        return await self.session.tasks.in_worker(function, path, self.run.id, self.table, *arguments)


class PredictDialog(_TableDialog):
    """Predicts new rows, shows them, and writes them to a file."""

    needs_target = False

    def __init__(self, parent: QWidget, session: Session, run: Run) -> None:
        best = run.state.best
        assert best is not None
        names = [name for name, chosen in zip(run.state.features, best.mask, strict=True) if chosen]
        some = ", ".join(names[:_NAMED])
        if len(names) > _NAMED:
            some = tr("{names} and {more} more", names=some, more=number(len(names) - _NAMED))
        words = tr(
            "Choose a table of rows whose target is unknown. It needs the {count} selected features, matched by name "
            "({names}); other columns are ignored.",
            count=number(len(names)), names=some,
        )  # fmt: skip
        super().__init__(parent, session, run, "predict", tr("Predict new rows"), words)
        self.made: Predictions | None = None
        if run.honest is not None:
            self.box.addWidget(label(run.honest.sentence(), wrap=True))
        self.times = QLineEdit()
        named(self.times, "predictTimes", tr("Times at which survival is predicted"))
        self.times.setToolTip(tr("One or more times, separated by semicolons, such as 12; 24; 60."))
        self.again = button(tr("Predict"), "predictAgain")
        for signal in (self.again.clicked, self.times.returnPressed):
            signal.connect(self._predict_again)
        self.form = panel(row(label(tr("Survival at these times")), self.times, None, self.again, spacing=12))
        self.form.hide()
        self.box.addWidget(self.form)
        self.notes = label("", "muted", wrap=True)
        named(self.notes, "predictNotes", tr("Notes on these predictions"))
        self.view = table_view("predictRows", tr("Predictions"))
        self.view.verticalHeader().hide()
        self.view.setShowGrid(False)
        self._rest = QWidget()
        for part in (self.notes, self.view):
            self.box.addWidget(part, int(part is self.view))
        self.box.addWidget(self._rest, 1)
        self.save = button(tr("Save as CSV …"), "predictSave", "primary")
        self.save.clicked.connect(self._save)
        self.box.addLayout(row(None, self.close_, self.save))
        self.clear()
        self.resize_to(940, 640)

    def clear(self) -> None:
        self.made = None
        self.save.setEnabled(False)
        for part in (self.notes, self.view):
            part.hide()
        self._rest.show()

    async def take(self, table: Table) -> None:
        from fsdesk.results.tasks import predict_task

        made: Predictions = await self.in_worker(predict_task, _times_in(self.times.text()))
        if not self.gone:
            self._show(made)

    def _predict_again(self) -> None:
        """Predict the same rows at other times."""
        if self.path is not None:
            self.read(self.path)

    def _show(self, made: "Predictions") -> None:
        self.made = made
        self.form.setVisible(bool(len(made.times)))
        self.times.setText("; ".join(number(float(time), ".6g") for time in made.times))
        far = int((made.farther >= 1.0).sum())
        said = [tr("{count} rows predicted.", count=number(len(made.rows)))]
        if far:
            said.append(
                tr_many(
                    far,
                    "{count} of them is farther from all training rows than any training row is from its nearest "
                    "neighbor; do not rely on it.",
                    "{count} of them are farther from all training rows than any training row is from its nearest "
                    "neighbor; do not rely on these.",
                )
            )
        said.append(_other_class_words(made))
        self.notes.setText(
            "\n".join([" ".join(filter(None, [*said, translated(made.calibration)])), *map(translated, made.notes)])
        )
        model = _predicted_rows(made)
        self.view.setModel(model)
        for at in range(model.columnCount()):
            self.view.setColumnWidth(at, min(_WIDEST, fitting_width(self.view, at)))
        self._rest.hide()
        for part in (self.notes, self.view):
            part.show()
        self.save.setEnabled(True)
        restyle(self.choose, kind="")  # it has been chosen

    def _save(self) -> None:
        made, path = self.made, self.path
        if made is None or path is None:
            return

        async def write(file: Path) -> None:
            await self.session.tasks.in_thread(_write, file, made)
            if not self.gone:
                self.file.setText(tr('Written to "{path}".', path=file))

        ask_save(
            self, self.session, "predictions", tr("Save the predictions"), f"{path.stem} predicted.csv",
            f"{tr('CSV table')} (*.csv)", write, tr("saving the predictions"),
        )  # fmt: skip


def _times_in(text: str) -> tuple[float, ...]:
    """The typed times; empty to use the run's own."""
    cells = [cell.strip() for cell in text.split(";") if cell.strip()]
    try:
        return tuple(float(cell.replace(",", ".")) for cell in cells)
    except ValueError:
        raise UserError(
            '"{text}" is not a list of times. Enter numbers separated by semicolons, such as 12; 24.', text=text
        ) from None


def _write(path: Path, made: "Predictions") -> None:
    try:
        path.write_text(made.to_csv(), encoding="utf-8")
    except OSError as error:
        raise UserError(
            'Cannot write "{path}" ({reason}). Choose another folder.', path=path, reason=error.strerror
        ) from error


def _other_class_words(made: "Predictions") -> str:
    """Why some rows have another predicted class than the most probable one; "" if none has."""
    if made.probabilities is None or not made.classes:
        return ""
    labels = made.labels or made.classes
    likely = np.array([str(label) for label in labels])[np.argmax(made.probabilities, axis=1)]
    count = int(np.sum(likely != np.array([str(each) for each in made.predicted])))
    if not count:
        return ""
    return tr(
        "In {rows}, the predicted class is not the most probable one: the model decides by its own scores, and the "
        "probabilities are calibrated afterwards.",
        rows=counted(count, "row"),
    )


def _predicted_rows(made: "Predictions") -> TextRows:
    """The lines of the table, one per row: in percent for display, with full precision in the file."""
    classes = made.classes if made.probabilities is not None else ()
    calibrated = (
        tr("Calibrated on held-out rows: about 80 % of rows with a probability of 80 % should belong to that class.")
        if made.calibrated
        else tr("Not calibrated: treat it as a score, not a frequency.")
    )
    shown = classes if len(classes) <= _MOST_CLASSES else ()
    titles = [tr("Row"), tr("Predicted"), *([tr("Probability")] if classes else []), *shown]
    tips = ["", tr("Prediction of the model trained on all rows of the run"), *([calibrated] if classes else []),
            *(tr("Probability of {name}. {how}", name=name, how=calibrated) for name in shown)]  # fmt: skip
    if made.groups:
        titles = [tr("Row"), tr("Risk"), tr("Risk group")]
        tips = [
            "",
            tr("Prediction of the model trained on all rows of the run: higher values mean an earlier event"),
            tr("Relative to the cross-validated risks of the training rows"),
        ]
        for time in made.times:
            titles.append(tr("Survival {time}", time=number(float(time), ".6g")))
            tips.append(tr("Probability of being event-free at this time according to the model; not calibrated"))
    titles += [tr("Distance"), tr("Farther than"), tr("Out of range"), tr("Imputed")]
    tips += [
        tr("To the nearest training row over the selected features, in standard deviations of a feature"),
        tr("Share of training rows whose nearest neighbor is closer than that; near 100 %, no training row "
           "resembles this one"),
        tr("Number of selected features with a value outside the training range"),
        tr("Number of missing values imputed from the training rows"),
    ]  # fmt: skip
    if made.members:
        titles.insert(1, made.grouped_by)
        tips.insert(1, "")
    model = TextRows(titles, range((3 if made.groups else 2) + bool(made.members), len(titles)), tips)

    def write(at: int) -> tuple[str, ...]:
        said = made.predicted[at]
        cells = [made.rows[at], *made.members[at : at + 1], str(said) if made.classes else number(float(said), ".6g")]
        if made.groups and made.survival is not None:
            cells += [translated(made.groups[at]), *(_percent(float(share)) for share in made.survival[at])]
        if made.probabilities is not None and classes:
            own = made.probabilities[at]
            cells.append(_percent(float(own[classes.index(str(said))])))
            cells += [_percent(float(own[place])) for place in range(len(shown))]
        cells += [number(float(made.distances[at]), ".2f"), number(100 * float(made.farther[at]), ".0f") + " %"]
        return (*cells, number(int(made.outside[at])), number(int(made.filled[at])))

    model.show(len(made.rows), write)
    return model


def _percent(share: float) -> str:
    return number(100 * share, ".1f") + " %"


class ValidationView(QWidget):
    """The errors of a result on other tables beside its own: in words, as intervals, and with notes.

    ``name`` is the prefix of the names of its parts.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.found, self.notes = label("", "heading", wrap=True), label("", "muted", wrap=True)
        named(self.found, f"{name}_found", tr("Error on the second table"))
        named(self.notes, f"{name}_notes", tr("Notes on this test"))
        for part in (self.found, self.notes):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.plot = ErrorBars(f"{name}_plot", tr("Errors on both tables with their intervals"))
        self.setLayout(column(self.found, self.plot.plot, self.notes, None))

    def show_validations(self, made: Sequence[ExternalValidation], own: HonestError | None, name: str) -> None:
        """Show one or more tests of a result; ``own`` is its error on the rows of the run, ``name`` their table."""
        self.found.setText("\n".join(each.sentence() for each in made))
        said = [] if own is None else [tr("On {name}: {sentence}", name=name, sentence=own.sentence())]
        for each in made:
            shared = tr(
                "{shared} of {features} features are in both tables.", shared=number(each.shared),
                features=number(each.features),
            )  # fmt: skip
            lines = [shared, *map(translated, each.notes)]
            if each.decision:
                from fsdesk.results.decision import words_elsewhere

                lines.insert(0, words_elsewhere(each.decision))
            said += lines if len(made) == 1 else [f"{each.name}: {' '.join(lines)}"]
        self.notes.setText("\n".join(said))
        self.plot.show_intervals(_beside(made, own, name), axis_title(made[0].error.judged))
        self.plot.plot.setFixedHeight(_AXIS + _LINE * len(self.plot.shown))

    @property
    def text(self) -> str:
        """The whole text of the view."""
        return f"{self.found.text()}\n{self.notes.text()}"


class ValidateDialog(_TableDialog):
    """Tests the result of a run on a second table, and shows the errors side by side."""

    def __init__(self, parent: QWidget, session: Session, run: Run) -> None:
        words = tr(
            "The strongest test of a result: rows from another place or time, with the same columns and a known "
            "target. The model is trained on all rows of this run and predicts those of the second table. Columns "
            "are matched by name."
        )
        super().__init__(parent, session, run, "validate", tr("Test on a second table"), words)
        self.made: ExternalValidation | None = None
        self.target, self.group = Choice(), Choice()
        named(self.target, "validateTarget", tr("Target of the second table"))
        named(self.group, "validateGroup", tr("Column that groups rows"))
        self.group.setToolTip(tr("For example, patients with several samples: the interval then counts patients."))
        self.test = button(tr("Test"), "validateTest", "primary")
        self.test.clicked.connect(self._test)
        self.form = panel(
            row(label(tr("Target")), self.target, label(tr("Group rows by")), self.group, None, self.test,
                spacing=12)
        )  # fmt: skip
        self.view = ValidationView("validate")
        self.answer = scrolled(self.view)
        self._rest = QWidget()
        self.box.addWidget(self.form)
        self.box.addWidget(self.answer, 1)
        self.box.addWidget(self._rest, 1)
        self.copy = button(tr("Copy"), "validateCopy", spoken=tr("Copy result"))
        self.copy.clicked.connect(self._copy)
        self.box.addLayout(row(None, self.copy, self.close_))
        self.form.hide()
        self.clear()
        self.resize_to(860, 660)

    def clear(self) -> None:
        self.made = None
        self.answer.hide()
        self.copy.setEnabled(False)
        self._rest.show()
        if self.table is None:
            self.form.hide()

    async def take(self, table: Table) -> None:
        learned = await self._learned()
        name = "" if learned is None else learned.target_name
        if self.gone:
            return
        self.target.offer({each: each for each in table.columns})
        self.target.setCurrentIndex(self.target.findData(name))
        self.group.offer({"": tr("no column"), **{each: each for each in table.columns}})
        if learned is not None and learned.groups is not None:
            self.group.setCurrentIndex(self.group.findData(self._grouping(learned, table)))
        self.form.show()
        if name not in table.columns:
            raise UserError(
                '"{table}" has no column "{target}", the target of this run. Choose the column that contains it, '
                "then press Test.",
                    table=table.name, target=name
            )  # fmt: skip
        await self._tested()

    async def _learned(self) -> Dataset | None:
        """The training data of the run; None without a project."""
        project = self.session.project
        if project is None:
            return None
        shared = await self.session.loader.shared_dataset(project, self.run.spec.data_fingerprint)
        return await self.session.tasks.in_thread(shared.open)

    def _grouping(self, learned: Dataset, table: Table) -> str:
        """The column that groups rows: the one used in the run, else the only one whose name suggests subjects.

        "" if there is none, or several.
        """
        chosen = learned.role_names.get("groups") or self.session.loader.choices.group
        if chosen in table.columns:
            return chosen or ""
        people = [name for name in table.columns if name != learned.target_name and says_whose(name.strip())]
        return people[0] if len(people) == 1 else ""

    def _test(self) -> None:
        if self.table is not None and self.target.currentIndex() >= 0:
            self.begin(self._tested(), tr("testing on the second table"))

    async def _tested(self) -> None:
        from fsdesk.results.tasks import validate_task

        target, group = str(self.target.currentData()), str(self.group.currentData() or "")
        made: ExternalValidation = await self.in_worker(validate_task, target, group)
        if not self.gone:
            self._show(made)
        await self.session.validations.keep_external(self.run, made)

    def _show(self, made: ExternalValidation) -> None:
        self.made = made
        self.view.show_validations([made], self.run.honest, self.run.spec.data_name)
        restyle(self.choose, kind="")  # it has been chosen
        self._rest.hide()
        self.answer.show()
        self.copy.setEnabled(True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.view.text)


def _beside(made: Sequence[ExternalValidation], own: HonestError | None, name: str) -> list[Interval]:
    """The errors to compare, from the top: the other tables first."""
    shown = []
    for each in made:
        error = each.error
        title = tr("{name}: selected features", name=each.name)
        shown.append(_interval(title, error, error.value, error.low, error.high))
        if error.all_features is not None:
            shown.append(_interval(tr("{name}: all features", name=each.name), error, error.all_features))
    if own is not None:
        title = tr("{name}: held-out rows", name=name)
        shown.append(_interval(title, own, own.value, own.low, own.high))
    return shown


def _interval(
    name: str, error: HonestError, value: float, low: float | None = None, high: float | None = None
) -> Interval:
    criterion = error.judged
    scale = 100.0 if criterion.unit == "%" else 1.0
    if low is None or high is None:
        return Interval(name, scale * criterion.shown(value))
    ends = sorted((criterion.shown(low), criterion.shown(high)))
    return Interval(name, scale * criterion.shown(value), scale * ends[0], scale * ends[1])
