"""Files of C4.5 and See5: the names file beside the rows tells names, types, classes and the target."""

from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import questions, read, read_table
from fsdesk.errors import DataError

GOLF = """Play, Don't Play.   | the classes

| weather
outlook: sunny, overcast,
    rain.
temperature:\tcontinuous.
windy: true, false.
diary: ignore.
"""
ROWS = [
    f"{('sunny', 'overcast', 'rain')[i % 3]}, {60 + i * 7 % 31}, {('true', 'false')[i % 2]}, d{i}, "
    f"{('Play', 'Don' + chr(39) + 't Play')[i * 5 // 3 % 2]}"
    for i in range(30)
]
SEE5 = """diagnosis.
age: continuous.
sex: M, F.
TSH: continuous.
log TSH := ln(TSH).
diagnosis: primary, negative.
ID: label.
"""
THYROID = [
    f"{30 + i * 7 % 40},{'MF'[i % 2]},{'?' if i % 9 == 2 else i / 4},"
    f"{('primary', 'negative')[i * 5 // 3 % 2]},{700 + i}."
    for i in range(30)
]


def pair(folder: Path, names: str, rows: list[str]) -> Path:
    (folder / "t.names").write_text(names, "utf-8")
    path = folder / "t.data"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("opened", ["t.data", "t.names"])
def test_the_names_file_names_columns_classes_and_what_is_ignored(tmp_path: Path, opened: str) -> None:
    pair(tmp_path, GOLF, ROWS)
    table = read(tmp_path / opened)
    assert table.columns == ("outlook", "temperature", "windy", "diary", "class")
    assert table.default_target == "class"
    assert not questions(table.readings, "class", named=False)
    data = read_table(tmp_path / opened)
    assert data.features == ("outlook", "temperature", "windy")
    assert set(data.classes) == {"Play", "Don't Play"}


def test_see5_names_the_target_among_the_columns(tmp_path: Path) -> None:
    data = read_table(pair(tmp_path, SEE5, THYROID))
    assert (data.target_name, data.features) == ("diagnosis", ("age", "sex", "TSH"))
    assert np.flatnonzero(np.isnan(data.x[:, 2])).tolist() == [2, 11, 20, 29]


def test_rows_that_do_not_fit_are_named(tmp_path: Path) -> None:
    path = pair(tmp_path, GOLF, [*ROWS[:4], ROWS[4].replace("overcast", "overcats"), *ROWS[5:]])
    with pytest.raises(DataError, match=r'Line 5 of "t\.data" has "overcats" for "outlook"'):
        read(path)
    path = pair(tmp_path, GOLF, [*ROWS[:4], "rain, 71", *ROWS[5:]])
    with pytest.raises(DataError, match=r"Line 5 .* has 2 cells where 5 are expected"):
        read(path)


@pytest.mark.parametrize(
    "names", ["1. Title: Iris Plants\n\n2. Sources:\n  (a) R. A. Fisher\n", "", GOLF + "more: 1, 2.\n"]
)
def test_other_texts_beside_a_table_change_nothing(tmp_path: Path, names: str) -> None:
    """Most .names files of the UCI archive are prose."""
    path = pair(tmp_path, names, ROWS)
    assert len(read(path).columns) == 5
    assert "temperature" not in read(path).columns
    with pytest.raises(DataError, match=r'"t.names" (describes a table but does not contain it|is empty)'):
        read(tmp_path / "t.names")
