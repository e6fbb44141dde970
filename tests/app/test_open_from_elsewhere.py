"""Tables from an address of the web, from the clipboard, and dropped with the file of their labels."""

import io
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton

from fsdesk.app.dialogs.dialog import dropped, last_folder
from fsdesk.app.dialogs.remote import AddressDialog
from fsdesk.cli import invoke
from fsdesk.data.readers import address as address_module
from fsdesk.engine import RunRequest
from tests.written_formats import tenx_files

from .conftest import WindowDriver
from .test_openml import ThreadPool

AT = "https://zenodo.org/records/1/files/plants.csv"
ROWS = "".join(f"p{row},{row % 7},{row * 17 % 11},{'herb' if row % 2 else 'tree'}\n" for row in range(40))
CSV = f"plant,length,width,kind\n{ROWS}".encode()


class Answer(io.BytesIO):
    def getheader(self, name: str, default: str) -> str:
        return str(len(self.getvalue())) if name == "Content-Length" else default


def web(url: str) -> Answer:
    if url != AT:
        raise URLError(ConnectionRefusedError())
    return Answer(CSV)


def copy(text: str, html: str = "") -> None:
    held = QMimeData()
    held.setText(text)
    if html:
        held.setHtml(html)
    QApplication.clipboard().setMimeData(held)


def test_an_address_is_asked_for_downloaded_and_opened(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.session.tasks.pool = ThreadPool()
    monkeypatch.setattr(address_module, "open_encrypted", web)
    copy(f" {AT} ")

    async def scene() -> None:
        QTest.mouseClick(driver.child(QPushButton, "welcomeAddress"), Qt.MouseButton.LeftButton)
        field = driver.child(QLineEdit, "addressWanted")
        assert field.text() == AT  # it was on the clipboard
        QTest.keyClick(field, Qt.Key.Key_Return)
        await driver.until(lambda: driver.session.loader.dataset is not None)
        await driver.until(lambda: not driver.session.tasks.working)
        assert driver.window.findChild(AddressDialog, "addressDialog") is None
        loader = driver.session.loader
        assert loader.dataset is not None
        assert (loader.dataset.target_name, loader.dataset.features) == ("kind", ("length", "width"))
        assert loader.address == AT
        driver.window.settings_commands.copy_command()
        assert QApplication.clipboard().text().startswith(f"fsdesk run {AT} ")

    driver.play(scene)


def test_what_is_no_address_or_cannot_be_had_is_said_in_the_dialog(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.session.tasks.pool = ThreadPool()
    monkeypatch.setattr(address_module, "open_encrypted", web)
    copy("nothing")

    async def scene() -> None:
        driver.window.open_address()
        field, trouble = driver.child(QLineEdit, "addressWanted"), driver.child(QLabel, "addressTrouble")
        for wanted, words in (
            ("plants", "begins with https://"),
            ("http://x.org/a.csv", "only from https"),
            ("https://x.org/a.csv", "x.org cannot be reached (the connection was refused)"),
        ):
            field.setText(wanted)
            QTest.keyClick(field, Qt.Key.Key_Return)
            await driver.until(lambda words=words: words in trouble.text())
            await driver.until(lambda: not driver.session.tasks.working)
        driver.child(QPushButton, "addressCancel").click()

    driver.play(scene)


async def test_a_table_on_the_clipboard_is_pasted_by_its_keys(driver: WindowDriver) -> None:
    copy(CSV.decode().replace(",", "\t"))
    QTest.keyClick(driver.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    loader = driver.session.loader
    assert loader.table is not None
    assert loader.table.columns == ("length", "width", "kind")
    assert loader.table.rows[:2] == ("p0", "p1")
    assert loader.path is not None
    assert loader.path.parent == driver.folders.projects.with_name("pasted")
    await driver.until(lambda: not driver.session.tasks.working)


async def test_pasting_into_a_field_pastes_there(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    copy("alco\nhol\n1")
    find = driver.child(QLineEdit, "findColumn")
    find.setFocus()
    QTest.keyClick(find, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert find.text().startswith("alco")
    assert driver.session.loader.key == "sample:wine"


async def test_html_of_a_spreadsheet_gives_all_digits(driver: WindowDriver) -> None:
    rows = "".join(
        f'<tr><td sdval="{row % 5 + 0.123456}">{row % 5}</td><td>{"xy"[row % 2]}</td></tr>' for row in range(40)
    )
    copy("shown\n", f"<table><tr><td>dose</td><td>kind</td></tr>{rows}</table>")
    driver.child(QPushButton, "welcomePaste").click()
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert driver.session.loader.table is not None
    assert driver.session.loader.table.values[1, 0] == 1.123456
    await driver.until(lambda: not driver.session.tasks.working)


async def test_a_clipboard_without_a_table_says_what_to_copy(driver: WindowDriver) -> None:
    copy("word")
    driver.window.paste()
    await driver.until(lambda: driver.window.messages.messages)
    assert "contains no table" in driver.window.messages.messages[0].sentence
    await driver.until(lambda: not driver.session.tasks.working)


def table_with_labels(folder: Path) -> tuple[Path, Path]:
    table, labels = folder / "expression.csv", folder / "a_labels.csv"
    lines = [f"p{row},{row % 7},{row * 17 % 11},{row % 3}" for row in range(40)]
    table.write_text("sample,g1,g2,g3\n" + "\n".join(lines) + "\n", encoding="utf-8")
    labels.write_text("sample,kind\n" + "".join(f"p{row},{'xy'[row % 2]}\n" for row in range(40)), encoding="utf-8")
    return table, labels


async def test_a_table_and_its_labels_are_chosen_together_in_the_dialog(driver: WindowDriver, tmp_path: Path) -> None:
    table, labels = table_with_labels(tmp_path)
    driver.window.ask_open()
    dialog = driver.child(QFileDialog, "fileDialog")
    dialog.setDirectory(str(tmp_path))
    driver.child(QLineEdit, "fileNameEdit").setText(f'"{table.name}" "{labels.name}"')
    dialog.accept()
    await driver.until(lambda: driver.session.loader.dataset is not None)
    dataset: Any = driver.session.loader.dataset
    assert (dataset.target_name, dataset.classes, dataset.features) == ("kind", ("x", "y"), ("g1", "g2", "g3"))
    assert last_folder(driver.session.store) == tmp_path
    await driver.until(lambda: not driver.session.tasks.working)


async def test_files_that_do_not_belong_together_are_said_and_not_opened(driver: WindowDriver, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text(CSV.decode(), encoding="utf-8")
    driver.window.ask_open()
    dialog = driver.child(QFileDialog, "fileDialog")
    dialog.setDirectory(str(tmp_path))
    driver.child(QLineEdit, "fileNameEdit").setText('"a.csv" "b.csv" "c.csv"')
    dialog.accept()
    await driver.until(lambda: driver.window.messages.messages)
    assert "None of the 3 files was opened" in driver.window.messages.messages[0].sentence
    assert driver.session.loader.dataset is None


async def test_the_folder_of_unnamed_projects_is_no_place_to_look_for_tables(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await driver.session.run(RunRequest(method="full", outer=0))
    await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"])
    before, project = last_folder(driver.session.store), driver.session.project.path
    await driver.session.leave_project()
    driver.window.ask_open()
    dialog = driver.child(QFileDialog, "fileDialog")
    dialog.setDirectory(str(project.parent))
    driver.child(QLineEdit, "fileNameEdit").setText(project.name)
    dialog.accept()
    await driver.until(lambda: driver.session.project is not None and driver.session.project.path == project)
    assert last_folder(driver.session.store) == before
    await driver.until(lambda: not driver.session.tasks.working)


async def test_a_table_and_the_file_of_its_labels_are_dropped_together(driver: WindowDriver, tmp_path: Path) -> None:
    table, labels = table_with_labels(tmp_path)
    for files in ((table, labels), (labels, table)):
        held = QMimeData()
        held.setUrls([QUrl.fromLocalFile(str(each)) for each in files])
        assert dropped(held) == (table, labels)
    driver.window.open_several(table, labels)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    dataset: Any = driver.session.loader.dataset
    assert (dataset.target_name, dataset.classes, dataset.features) == ("kind", ("x", "y"), ("g1", "g2", "g3"))
    await driver.until(lambda: not driver.session.tasks.working)


def test_files_and_folders_of_ten_x_and_addresses_may_be_dropped(driver: WindowDriver, tmp_path: Path) -> None:
    folder = tmp_path / "filtered_feature_bc_matrix"
    folder.mkdir()
    for name, content in tenx_files().items():
        (folder / name).write_bytes(content)
    held = QMimeData()
    held.setUrls([QUrl.fromLocalFile(str(path)) for path in sorted(folder.iterdir())])
    assert dropped(held) == (folder / "matrix.mtx.gz", None)
    held.setUrls([QUrl.fromLocalFile(str(folder))])
    assert dropped(held) == (folder, None)
    held.setUrls([QUrl(AT)])
    assert dropped(held) == (Path(AT), None)


def test_the_command_line_runs_a_table_at_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(address_module, "open_encrypted", web)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    assert invoke(["run", AT, "--method", "full", "--outer", "0"]) == 0
    assert "length" in (tmp_path / "plants-full" / "mask.csv").read_text(encoding="utf-8")
    assert invoke(["run", "https://x.org/a.csv"]) == 2
    assert "x.org cannot be reached" in capsys.readouterr().err
    assert invoke(["run", "http://x.org/a.csv"]) == 2
    assert "only from https" in capsys.readouterr().err
