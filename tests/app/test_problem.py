"""A problem is reported by a text that is seen first, and that holds nothing of the data."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton

from fsdesk.app.dialogs.problem import ProblemDialog, masked, report_text

from .conftest import WindowDriver

ENTRIES = [
    '2026-11-28 22:23:47,120 ERROR fsdesk.app: error: "Müller HIV.csv" has no column "viral_load" (row 17: positive).',
    "2026-11-28 22:23:48,010 INFO fsdesk.app: info: BSPSA (Müller HIV): Error on held-out rows: 23.1 % for viral load.",
    "2026-11-28 22:23:48,910 INFO fsdesk.app: while reading Müller HIV.csv: no table",
    '  File "/home/mueller/lib/python3.13/site-packages/numpy/core/x.py", line 12, in f',
    "ValueError: could not convert string to float: 'positive'",
    "2026-11-28 22:23:49,010 WARNING fsdesk.app: Cannot write /home/mueller/HIV/out.csv, 17.5 MB.",
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_of_the_data_is_left_in_a_line_of_the_log(entry: str) -> None:
    said = masked(entry)
    for secret in ("Müller", "mueller", "HIV", "viral", "positive", "23.1", "17"):
        assert secret not in said.removeprefix(entry[:23])


def test_what_helps_to_find_the_cause_is_left() -> None:
    assert masked(ENTRIES[0]) == '2026-11-28 22:23:47,120 ERROR fsdesk.app: error: "…" has no column "…" (…).'
    assert masked(ENTRIES[1]) == "2026-11-28 22:23:48,010 INFO fsdesk.app: info: …"
    assert masked(ENTRIES[3]) == '  File "site-packages/numpy/core/x.py", line 12, in f'
    assert masked(ENTRIES[4]) == 'ValueError: could not convert string to float: "…"'


def test_only_the_end_of_a_long_log_is_reported_and_none_is_no_error(tmp_path: Path) -> None:
    log = tmp_path / "fsdesk.log"
    log.write_text("\n".join(f"entry {'x' * (1 + place % 3)}" for place in range(1000)), encoding="utf-8")
    text = report_text(log, {"fsdesk": "0.2.0"}, "Linux", "screen")
    assert text.startswith("fsdesk 0.2.0\nLinux\nscreen\n")
    assert text.count("entry x") == 200
    assert "The last 0 lines" in report_text(tmp_path / "none", {}, "", "")


async def test_the_report_is_seen_and_changed_before_it_is_saved_or_copied(driver: WindowDriver) -> None:
    driver.window.actions_["problem"].trigger()
    dialog: ProblemDialog = driver.child(QDialog, "problemDialog")
    await driver.until(lambda: "Qt " in dialog.text.toPlainText())
    assert "PySide6" in dialog.text.toPlainText() and "numpy" in dialog.text.toPlainText()
    dialog.text.setPlainText("It stopped when I pressed Run.")
    driver.child(QPushButton, "problemCopy").click()
    assert QGuiApplication.clipboard().text() == "It stopped when I pressed Run."
    driver.child(QPushButton, "problemSave").click()
    path = driver.root / "problem.txt"
    asked = dialog.findChild(QFileDialog)
    assert isinstance(asked, QFileDialog)
    asked.fileSelected.emit(str(path))
    asked.close()
    await driver.until(path.is_file)
    assert path.read_text(encoding="utf-8") == "It stopped when I pressed Run."
    driver.child(QPushButton, "problemClose").click()
