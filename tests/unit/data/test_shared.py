import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import Check, Dataset, Shared, Table, prepare, share
from fsdesk.errors import DataError

ROOT = Path(__file__).parents[3]
VALUES = np.asfortranarray([[1.0, 0.0, 1.0], [2.0, np.nan, 0.0], [0.5, 1.0, 1.0], [0.25, 1.0, 0.0]])
CHECK = Check("encoding", 'Read as "Latin-1".', ("größe",))
TABLE = Table(
    "toy",
    VALUES,
    ("größe", "n", "y"),
    {1: ("p", "q"), 2: ("no", "yes")},
    ("r1", "r2", "r3", "r4"),
    "toy.csv",
    "y",
    (CHECK,),
)


def test_a_table_comes_back_field_by_field(tmp_path: Path) -> None:
    back = share(TABLE, tmp_path / "new" / "folder").open()
    assert isinstance(back, Table)
    for name in (field.name for field in fields(Table)):
        if name != "values":
            assert getattr(back, name) == getattr(TABLE, name)
    assert np.array_equal(back.values, VALUES, equal_nan=True)


def test_a_data_set_comes_back_field_by_field(tmp_path: Path) -> None:
    dataset = prepare(TABLE)
    back = share(dataset, tmp_path).open()
    assert isinstance(back, Dataset)
    for name in (field.name for field in fields(Dataset)):
        if name not in ("x", "target", "origin"):  # workers need no table to change roles in
            assert getattr(back, name) == getattr(dataset, name)
    assert np.array_equal(back.x, dataset.x, equal_nan=True)
    assert back.target.tolist() == dataset.target.tolist()
    assert back.target.dtype == np.int64


def test_values_are_mapped_read_only_and_column_major(tmp_path: Path) -> None:
    values = share(TABLE, tmp_path).open().values
    assert type(values) is np.ndarray
    assert isinstance(values.base, np.memmap)
    assert values.flags.f_contiguous
    assert not values.flags.writeable


def test_a_mapped_table_can_be_prepared(tmp_path: Path) -> None:
    assert prepare(share(TABLE, tmp_path).open()).fingerprint == prepare(TABLE).fingerprint


def test_a_row_major_array_is_shared_column_major(tmp_path: Path) -> None:
    dataset = prepare(TABLE)
    loose = Dataset(
        "toy", np.ascontiguousarray(dataset.x), dataset.features, dataset.target, "y", dataset.classes, dataset.rows
    )
    assert share(loose, tmp_path).open().x.flags.f_contiguous


def test_the_handle_is_tiny_and_opens_in_another_process(tmp_path: Path) -> None:
    handle = pickle.dumps(share(prepare(TABLE), tmp_path))
    assert len(handle) < 1000
    (tmp_path / "handle").write_bytes(handle)
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).open().fingerprint)"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "handle")],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == prepare(TABLE).fingerprint


def test_removing_deletes_all_files_and_may_be_repeated(tmp_path: Path) -> None:
    shared = share(prepare(TABLE), tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    shared.remove()
    shared.remove()
    assert not list(tmp_path.iterdir())


def test_what_is_gone_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Cannot open"):
        Shared(Table, str(tmp_path), "gone").open()


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(DataError, match="Cannot write the data"):
        share(TABLE, tmp_path / "file" / "folder")


def test_a_disk_that_is_full_says_so_and_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fsdesk.data.shared.json.dumps", full)
    with pytest.raises(DataError, match=r"No space left on device.*Free some space"):
        share(prepare(TABLE), tmp_path)
    assert not list(tmp_path.iterdir())


def test_numbers_and_roles_come_back(tmp_path: Path, make_dataset: Callable[..., Dataset]) -> None:
    dataset = replace(
        make_dataset(np.arange(12.0).reshape(6, 2), np.zeros(6, dtype=np.int64)),
        classes=(),
        response=np.array([0.1, 1 / 3, 1e-300, -2.5, 1e300, 7.0]),
        groups=np.arange(6) // 2,
        time=np.arange(6)[::-1].copy(),
    )
    back = share(dataset, tmp_path).open()
    assert back.fingerprint == dataset.fingerprint
    assert back.response.tolist() == dataset.response.tolist()
    assert back.groups.tolist() == [0, 0, 1, 1, 2, 2]
    assert back.fold_of is None
    assert back.time.tolist() == [5, 4, 3, 2, 1, 0]
