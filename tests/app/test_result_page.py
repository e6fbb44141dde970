"""The result page by click and key: what it says of a run, and what a person can do with the list."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton

from fsdesk.app.result_page.result_page import ResultPage
from fsdesk.app.search_page.run_list import status_line
from fsdesk.app.session.findings import Findings
from fsdesk.app.session.run import Run
from fsdesk.data import load_sample, prepare
from fsdesk.results.methods_text import paper_units
from fsdesk.results.record import RunRecord

from .conftest import WindowDriver
from .honest_scene import held_out
from .test_choices import choose
from .test_run import run_to_the_end

SHORT = {"max_iterations": 6, "repeats": 2, "folds": 3}


def page(driver: WindowDriver) -> ResultPage:
    return driver.window.workspace.result


async def found(driver: WindowDriver, *, method: str = "", **settings: object) -> Run:
    """A finished run, looked at closely."""
    await driver.open_sample()
    asked = {"method": method, "settings": settings} if method else {"settings": {**SHORT, **settings}}
    await driver.session.run(driver.window.workspace.setup.request.updated(asked))
    run = next(iter(driver.session.runs))
    await driver.until(lambda: run.phase == "finished")
    driver.child(QPushButton, "page_result").click()
    await driver.until(lambda: page(driver).examiner.of(run, run.state.best.mask).complete)  # type: ignore[union-attr]
    await driver.until(lambda: page(driver).bar.isHidden())
    return run


@pytest.fixture
def seen(run_driver: WindowDriver) -> WindowDriver:
    """The window with a run that was looked at closely, on the answer of the run."""
    page(run_driver).show_run(run_in(run_driver))
    run_driver.window.workspace.search.figures.show_run(run_in(run_driver))
    return run_driver


def run_in(driver: WindowDriver) -> Run:
    (run,) = driver.session.runs
    return run


async def test_without_a_run_the_page_says_what_will_be_here(driver: WindowDriver) -> None:
    await driver.open_sample()
    QTest.keyClick(driver.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert driver.window.workspace.pages.currentWidget() is page(driver)
    assert "No run yet" in page(driver).empty.text()
    assert page(driver).empty.isVisible()


async def test_a_finished_run_is_summed_up_in_words_and_looked_at_on_fresh_folds(seen: WindowDriver) -> None:
    best, shown = run_in(seen).state.best, page(seen)
    assert best is not None
    assert shown.beside.text().startswith(f"{best.mask.sum()} of 13 features were selected to predict")
    assert shown.warning.text().startswith("On the rows used for selection, so not an estimate for new rows: Error ")
    assert "in the search, " in shown.warning.text() and "on new folds" in shown.warning.text()
    assert "all features" in shown.warning.text()
    assert "Error" not in shown.beside.text()
    for key in ("confusion", "roc"):
        choose(shown.evidence.switch, key)
        assert shown.evidence.pages[key].isVisible()
    assert "AUC&nbsp;" in shown.evidence.plots["roc"].legend.text()  # a value is not torn from its name
    choose(shown.evidence.switch, "equivalent")
    assert "ithin one standard error" in shown.evidence.equivalent.words.text()
    assert "numbers" not in shown.evidence.switch.offered


async def test_without_outer_folds_the_headline_holds_no_error_and_one_button_gets_it(driver: WindowDriver) -> None:
    run = await found(driver)
    shown = page(driver)
    assert shown.found.text().startswith("The held-out error has not been measured")
    assert not any(letter.isdigit() or letter == "%" for letter in shown.found.text())
    assert shown.measure.isVisible() and re.fullmatch(
        r"Measure it in 5 outer folds \(about (under )?\d+ .+\)", shown.measure.text()
    )
    assert not shown.outer.isVisible()
    driver.child(QPushButton, "measureResult").click()
    assert run.validation is not None
    await driver.until(lambda: run.honest is not None and run.validation is None)
    await driver.until(lambda: shown.measure.isHidden() and shown.outer.isHidden())
    error = run.honest
    assert error is not None
    assert shown.found.text() == error.sentence()
    assert error.basis_words() in shown.beside.text()
    await driver.until(lambda: not driver.session.tasks.working)


@pytest.mark.parametrize(
    ("losses", "everything", "verdict", "headline"),
    [
        ((0.5, 0.45), 0.5, "no evidence", "Error on held-out rows: 47.5 % (95 % interval "),
        ((0.1, 0.1), 0.1, "no better", "Error on held-out rows: 10.0 % (95 % interval "),
        ((0.1, 0.1), 0.4, "better", "Error on held-out rows: 10.0 % (95 % interval "),
    ],
)
async def test_an_answer_that_gains_nothing_or_may_be_luck_looks_so(
    seen: WindowDriver,
    monkeypatch: pytest.MonkeyPatch,
    losses: tuple[float, ...],
    everything: float,
    verdict: str,
    headline: str,
) -> None:
    run, shown, figures = run_in(seen), page(seen), seen.window.workspace.search.figures
    best = run.state.best
    assert best is not None
    mask = best.mask.copy()
    mask[-1] = mask.all() ^ mask[-1]  # it leaves something out
    monkeypatch.setattr(run.state, "best", replace(best, mask=mask))
    monkeypatch.setattr(run, "evidence", [*run.evidence, *held_out(losses, everything)])
    shown.refresh()
    figures.show_run(run)
    assert run.honest is not None and run.honest.verdict == verdict
    assert shown.found.text().startswith(headline)
    tone = "" if verdict == "better" else "doubt"
    assert (shown.found.property("tone") or "") == (figures.honest.value.property("tone") or "") == tone
    colour = shown.found.palette().color(shown.found.foregroundRole()).name()
    assert colour == (seen.theme.tokens.warning if tone else seen.theme.tokens.text)
    bold = [shown.found.text(), figures.honest.value.text()]
    if verdict == "no evidence":
        assert figures.honest.value.text() == "47.5 %"
        assert "; no evidence that these features predict " in shown.found.text()
        assert figures.verdict.text().startswith("No evidence that these features predict ")
    else:
        assert figures.honest.value.text() == "10.0 %"
        assert figures.honest.note.text().startswith("95 % interval ")
        assert figures.baseline.value.text() == f"{100 * everything:.1f} %"  # on the same outer folds
        start = "Not clearly better than all features (" if tone else "Better than all features by 30.0 points ("
        assert figures.verdict.text().startswith(start)
    assert not any("in the search" in text for text in bold)


async def test_the_headline_is_said_in_the_language_of_the_window(driver: WindowDriver, german: None) -> None:
    run = await found(driver)
    run.evidence += held_out((0.1, 0.1), 0.4)
    page(driver).refresh()
    assert page(driver).found.text().startswith("Fehler auf Testzeilen: 10,0 % (95-%-Intervall ")


async def test_the_result_is_copied_for_a_paper_in_the_words_of_the_field(driver: WindowDriver) -> None:
    run = await found(driver)
    copy = driver.child(QPushButton, "copyPaper")
    assert copy.isHidden()  # no error on held-out rows yet
    run.evidence += held_out([0.1] * 5)
    page(driver).refresh()
    assert copy.isVisible()
    QGuiApplication.clipboard().clear()
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    await driver.until(lambda: "nested cross-validation" in QGuiApplication.clipboard().text())
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Of 13 candidate features, ")
    assert "in 178 samples; the model was nearest neighbors." in text
    assert "nested cross-validation with 5 outer folds" in text
    assert "the error was 10.0 % (95 % interval " in text
    assert "<" not in text.replace("p < 0.001", "")  # plain text


def test_a_result_for_a_paper_calls_groups_what_their_column_calls_them() -> None:
    wine = prepare(load_sample("wine"))
    assert paper_units(wine, "patient_id") == "178 samples"
    grouped = replace(wine, groups=np.arange(178) // 2)
    assert paper_units(grouped, "Patient ID") == "178 samples of 89 patients"
    assert paper_units(grouped, "plot") == paper_units(grouped, "") == "178 samples of 89 groups"


async def test_the_list_is_sorted_found_and_copied_with_its_titles(seen: WindowDriver) -> None:
    card = page(seen).answer
    names = card.model.names
    titles = [card.model.headerData(at, Qt.Orientation.Horizontal) for at in range(card.model.columnCount())]
    assert titles[:2] == ["Rank", "Feature"] and {"Error alone", "F", "Information", "Note"} <= set(titles)
    card.view.sortByColumn(titles.index("F"), Qt.SortOrder.DescendingOrder)
    f = [float(card.model.index(at, titles.index("F")).data()) for at in range(len(names))]
    assert f == sorted(f, reverse=True)
    card.view.selectRow(0)
    first = card.model.names[0]
    card.view.sortByColumn(titles.index("F"), Qt.SortOrder.AscendingOrder)
    assert card.view.currentIndex().row() == len(names) - 1 and card.model.names[-1] == first
    assert [card.model.names[index.row()] for index in card.view.selectionModel().selectedRows()] == [first]
    card.view.sortByColumn(titles.index("F"), Qt.SortOrder.DescendingOrder)
    card.copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == titles
    assert len(lines) == 2 and lines[1].split("\t")[1] == card.model.names[0]
    field = seen.child(QLineEdit, "findAnswer")
    QTest.keyClicks(field, names[-1])
    assert card.model.names == [names[-1]]
    field.clear()


async def test_descriptions_and_notes_stay_with_the_project(driver: WindowDriver, tmp_path: Path) -> None:
    run = await found(driver)
    shown, names = page(driver), run.state.features
    file = tmp_path / "what.csv"
    file.write_text("id,feature,meaning\n" + "".join(f"{at},{name},of wine {at}\n" for at, name in enumerate(names)))
    shown.describe(file)
    await driver.until(lambda: driver.window.findChild(QDialog, "describeDialog") is not None)
    assert "13 of the 13 features" in driver.child(QDialog, "describeDialog").words.text()
    driver.child(QPushButton, "describeNow").click()
    titles = [
        shown.answer.model.headerData(at, Qt.Orientation.Horizontal) for at in range(shown.answer.model.columnCount())
    ]
    assert titles[-3:] == ["id", "meaning", "Note"]
    note = shown.answer.model.index(0, len(titles) - 1)
    assert shown.answer.model.setData(note, "well known")
    assert shown.answer.model.index(0, len(titles) - 1).data() == "well known"
    await driver.until(lambda: not driver.session.tasks.working)
    project = driver.session.project
    assert project is not None
    kept = project.kept("annotations")
    assert kept is not None and kept["tables"] == {"wine": {shown.answer.model.names[0]: "well known"}}
    assert RunRecord.stored(project, run.id).annotations.notes == {shown.answer.model.names[0]: "well known"}
    assert kept["texts"][names[3]] == ["3", "of wine 3"]


async def test_a_note_on_a_feature_of_one_table_is_not_shown_in_another(driver: WindowDriver) -> None:
    await found(driver)
    (first,) = driver.session.runs
    wine = load_sample("wine")
    rows = "\n".join(",".join(map(str, row)) for row in wine.values.tolist())
    (driver.root / "other.csv").write_text(",".join(wine.columns) + "\n" + rows, encoding="utf-8")
    driver.window.open_path(driver.root / "other.csv")
    driver.add_to_project()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.name == "other"
    )
    driver.window.run_commands.run()
    await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"] * 2)
    card = page(driver).answer

    async def notes(number: int) -> list[str]:
        driver.session.started.emit(number)
        driver.window.show_page("result")
        await driver.until(lambda: card.model.rowCount() and not driver.session.tasks.working)
        last = card.model.columnCount() - 1
        return [str(card.model.index(row, last).data()) for row in range(card.model.rowCount())]

    assert not any(await notes(first.id))
    assert card.model.setData(card.model.index(0, card.model.columnCount() - 1), "of the first table")
    assert not any(await notes(first.id + 1))
    assert [note for note in await notes(first.id) if note] == ["of the first table"]


async def test_a_note_is_written_with_the_keyboard_and_read_at_once(seen: WindowDriver) -> None:
    card = page(seen).answer
    seen.window.activateWindow()
    await seen.until(lambda: not seen.session.tasks.working)  # columns still come
    QTest.mouseClick(
        card.view.viewport(), Qt.MouseButton.LeftButton, pos=card.view.visualRect(card.model.index(1, 1)).center()
    )
    for words in ("well known", "seen by Smith in 2020"):
        QTest.keyClick(card.view, Qt.Key.Key_F2)
        editor = card.view.viewport().findChild(QLineEdit)
        assert editor is not None and editor.width() >= 200
        QTest.keyClicks(editor, words)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        last = card.model.columnCount() - 1
        await seen.until(lambda words=words, last=last: card.model.index(1, last).data() == words)
        assert card.view.currentIndex().row() == 1
        assert "well known" not in [card.model.index(row, last).data() for row in (0, 2)]
        await seen.until(lambda: card.view.viewport().findChild(QLineEdit) is None)
        note = card.view.visualRect(card.model.index(1, last))
        assert card.view.viewport().rect().contains(note), "the note is out of sight"


async def test_all_features_alone_are_not_said_to_be_too_good(driver: WindowDriver) -> None:
    await found(driver, method="full", times=2)
    shown = page(driver)
    assert shown.warning.text().startswith("Error of all features: ")
    assert shown.warning.text().endswith("No selection was made here, so these numbers have no selection bias.")
    assert shown.evidence.equivalent.words.text() == "No other subset was measured."


async def test_another_subset_can_be_looked_at_and_left(seen: WindowDriver) -> None:
    run, shown = run_in(seen), page(seen)
    best = run.state.best
    assert best is not None
    other = ~best.mask if not best.mask.all() else best.mask.copy()
    other[0] = True
    shown.show_run(run, other)
    assert shown.answer.model.total == other.sum()
    assert "picked by hand" in shown.found.text()
    await seen.until(lambda: "on new folds" in shown.warning.text())
    assert "in the search" not in shown.warning.text()  # it was never measured there
    seen.child(QPushButton, "backToAnswer").click()
    assert shown.answer.model.total == best.mask.sum()
    assert shown.back.isHidden()


async def test_measuring_can_be_stopped_and_begun_again(seen: WindowDriver) -> None:
    run, shown = run_in(seen), page(seen)
    mask = run.state.best.mask.copy()  # type: ignore[union-attr]
    mask[:] = True
    shown.show_run(run, mask)
    if shown.examiner.of(run, mask).at_work:
        seen.child(QPushButton, "stopLooking").click()
        await seen.until(lambda: not shown.examiner.of(run, mask).at_work)
        assert shown.examine.isVisible()
        shown.examine.click()
    await seen.until(lambda: shown.examiner.of(run, mask).complete)


def test_what_was_found_out_is_there_at_once_in_another_window_and_when_the_project_is_opened_again(
    another_driver: Callable[[], WindowDriver],
) -> None:
    first, second, third = another_driver(), another_driver(), another_driver()
    kept = first.root / "kept.fsdesk"
    known: list[Findings] = []

    async def find_out() -> None:
        run = await found(first)
        assert run.state.best is not None
        known.append(page(first).examiner.of(run, run.state.best.mask))
        await first.until(lambda: not first.session.tasks.working)
        await first.session.save_as(kept)
        first.window.show_page("data")

    async def look(driver: WindowDriver) -> None:
        driver.session.tasks.pool.submit = None  # type: ignore[method-assign,assignment] - no worker is asked
        driver.window.open_path(kept)
        await driver.until(lambda: driver.window.run_commands.shown is not None)
        (run,) = driver.session.runs
        assert run.state.best is not None
        driver.window.show_page("result")
        findings = page(driver).examiner.of(run, run.state.best.mask)
        await driver.until(lambda: findings.complete and not findings.at_work)
        before, after = known[0].diagnosis, findings.diagnosis
        assert before is not None and after is not None and not findings.refusal
        np.testing.assert_array_equal(before.chosen.confusion, after.chosen.confusion)
        assert page(driver).warning.text() == page(first).warning.text() != ""
        assert page(driver).examine.isHidden()

    first.play(find_out)
    second.play(lambda: look(second))
    assert second.session.read_only
    first.loop.run_until_complete(first.session.close())
    third.play(lambda: look(third))


async def test_the_columns_of_the_list_fit_a_small_window_and_the_others_can_be_asked_for(seen: WindowDriver) -> None:
    card = page(seen).answer
    seen.window.resize(1280, 800)
    await seen.until(lambda: card.view.horizontalScrollBar().maximum() == 0)
    titles = [card.model.headerData(at, Qt.Orientation.Horizontal) for at in range(card.model.columnCount())]

    def shown() -> set[object]:
        return {title for at, title in enumerate(titles) if not card.view.isColumnHidden(at)}

    assert {"Feature", "Role", "q", "Note"} <= shown() < set(titles)
    card.columns.menu.aboutToShow.emit()
    next(each for each in card.columns.menu.actions() if each.text() == "Information").trigger()
    assert "Information" in shown()
    seen.window.resize(2900, 800)
    await seen.until(lambda: shown() == set(titles))


async def test_where_no_subset_could_be_measured_search_and_result_say_so_and_why(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    panel, workspace = driver.window.workspace.setup, driver.window.workspace
    panel.wrapper.setCurrentIndex(panel.wrapper.findData("sklearn"))
    driver.child(QLineEdit, "wrapper_estimator").setText("KNeighborsClassifier")
    driver.child(QLineEdit, "wrapper_parameters").setText("n_neighbors=5000")
    panel.method.setCurrentIndex(panel.method.findData("bspsa"))
    await run_to_the_end(driver, 3)
    await driver.until(lambda: not driver.session.tasks.working)
    run = driver.window.run_commands.shown
    assert run is not None
    assert status_line(run) == "finished, but nothing could be measured"
    words = [each.text() for each in workspace.search.errors.findChildren(QLabel) if each.isVisible()]
    assert "The model could not be trained on any subset; see the Result page for the reason." in words
    driver.window.actions_["result"].trigger()
    await driver.until(
        lambda: any(
            "5000" in each.text() or "n_neighbors" in each.text() or "n_samples" in each.text()
            for each in workspace.result.findChildren(QLabel)
            if each.isVisible()
        )
    )
