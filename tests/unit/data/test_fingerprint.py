from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import Dataset, prepare, read_table, share

BASE = Dataset(
    name="toy",
    x=np.asfortranarray([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]]),
    features=("a", "b"),
    target=np.array([0, 1, 0]),
    target_name="y",
    classes=("no", "yes"),
    rows=("1", "2", "3"),
    categories={},
)


def changed(row: int, column: int, value: float) -> np.ndarray:
    x = BASE.x.copy(order="F")
    x[row, column] = value
    return x


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, x=changed(0, 0, 1.0000000000000002)),
        replace(BASE, x=changed(1, 1, 0.0)),
        replace(BASE, features=("a", "c")),
        replace(BASE, target=np.array([0, 1, 1])),
        replace(BASE, target_name="z"),
        replace(BASE, classes=("no", "maybe")),
        replace(BASE, categories={0: ("p", "q")}),
        replace(BASE, x=BASE.x[:, ::-1], features=BASE.features),
    ],
)
def test_any_change_of_content_changes_the_fingerprint(other: Dataset) -> None:
    assert other.fingerprint != BASE.fingerprint


def test_name_source_layout_and_the_bits_of_a_missing_value_do_not_matter() -> None:
    strange_nan = np.array([0x7FF8000000000123], dtype=np.uint64).view(np.float64)[0]
    same = replace(BASE, name="other", source="elsewhere", x=np.ascontiguousarray(changed(1, 1, strange_nan)))
    assert same.fingerprint == BASE.fingerprint
    assert len(same.fingerprint) == 64


def test_one_table_in_three_formats_has_one_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,y\n1.5,2,no\n3,,yes\n5,6,no\n7,1,yes\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("a;b;y\r\n1,5;2,0;no\r\n3;;yes\r\n5;6;no\r\n7;1;yes\r\n", encoding="utf-16")
    arff = "@relation r\n@attribute a real\n@attribute b real\n@attribute y {no,yes}\n@data\n"
    (tmp_path / "c.arff").write_text(arff + "1.5,2,no\n3,?,yes\n5,6,no\n7,1,yes\n", encoding="utf-8")
    prints = {read_table(tmp_path / name).fingerprint for name in ("a.csv", "b.txt", "c.arff")}
    assert len(prints) == 1


def test_sharing_keeps_the_fingerprint(tmp_path: Path) -> None:
    assert share(BASE, tmp_path).open().fingerprint == BASE.fingerprint


def test_preparing_twice_gives_one_fingerprint() -> None:
    from fsdesk.data import load_sample

    assert prepare(load_sample("waveform")).fingerprint == prepare(load_sample("waveform")).fingerprint
