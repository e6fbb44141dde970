import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk.data import ReadOptions, read
from fsdesk.data.cells import Numbers, gather
from fsdesk.data.readers import delimited, feature_rows, sample_rows
from fsdesk.data.readers.bulk import bulk_columns
from fsdesk.errors import DataError

NUMBERS = st.one_of(
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["", "NA", "?", " 1.5", "2 ", "+3", "1e400", "-inf", "nan", ".5", "5.", "1e-320", "-nan", "NaN "]),
)
ODD = st.sampled_from(
    ["1_000", "0x1F", "1.5.2", "yes", "1e", "é", "١", "1,5", '"2.5"', "--1", "1 2", "Infinity", "1d3"]
)


def careful(lines: list[str], delimiter: str, width: int, numbers: Numbers, texts: set[int]):  # type: ignore[no-untyped-def]
    rows = [[cell[1:-1] if cell.startswith('"') else cell for cell in line.split(delimiter)] for line in lines]
    return gather(lambda: iter([list(row) for row in rows]), width, numbers, texts)


@settings(max_examples=60, deadline=None)
@given(
    cells=st.lists(st.lists(st.one_of(NUMBERS, NUMBERS, NUMBERS, ODD), min_size=3, max_size=3), min_size=1, max_size=8),
    delimiter=st.sampled_from([";", "\t", "|"]),
    decimal=st.sampled_from([".", ","]),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_what_bulk_gives_is_what_the_careful_way_gives(
    cells: list[list[str]], delimiter: str, decimal: str, end: str
) -> None:
    if decimal == ",":
        cells = [[cell.replace(".", ",") for cell in row] for row in cells]
    lines = [delimiter.join(row) for row in cells]
    data = ("a;b;c\n" + end.join(lines) + end).encode()
    found = bulk_columns(data, 6, delimiter, decimal, 3)
    expected = careful(lines, delimiter, 3, Numbers(decimal), set())
    if found is not None:
        assert found.texts == expected.texts
        np.testing.assert_array_equal(found.values, expected.values)  # to the last bit: no tolerance
        assert found.values.flags.f_contiguous


def test_numbers_are_read_to_the_last_bit() -> None:
    rng = random.Random(0)
    numbers = [rng.uniform(-1, 1) * 10 ** rng.randint(-300, 300) for _ in range(20_000)]
    data = "".join(f"{a!r},{b!r}\n" for a, b in zip(numbers[::2], numbers[1::2], strict=True)).encode()
    found = bulk_columns(data, 0, ",", ".", 2)
    assert found is not None
    assert found.values.ravel().tolist() == numbers


@pytest.mark.parametrize(
    "odd", ["1,2\n3\n", "1,2,3\n4\n", '1,"2\n3,4"\n', '"1,2"\n3,4\n', '1,a"b\n', "1,2\n\r3,4\n", "1,2\n   \n3,4\n"]
)
def test_what_is_out_of_the_ordinary_is_left_to_the_careful_way(odd: str) -> None:
    assert bulk_columns(odd.encode(), 0, ",", ".", 2, {1}) is None


VALUES = np.random.default_rng(0).normal(size=(400, 6))


@pytest.fixture(autouse=True)
def few_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "FEWEST_BYTES", 1 << 14)


@pytest.fixture
def in_bulk_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The careful way, which takes several times as long, is closed."""
    monkeypatch.delattr(sample_rows, "gather")
    monkeypatch.delattr(feature_rows, "gather_transposed")


@cache
def lines() -> list[str]:
    """A table of names, numbers with gaps and quoted classes."""
    made = ['"id","a","b","c","d","e","f","class"']
    for i, row in enumerate(VALUES.tolist(), 2):
        cells = [repr(value) for value in row]
        if i % 7 == 0:
            cells[3] = "NA"
        made.append(f'"p{i}",{",".join(cells)},"cl ass {i % 3}"')
    return made


def large(folder: Path, *, change: dict[int, str] | None = None) -> Path:
    """Write the table; ``change`` has other lines, by their number."""
    path, written = folder / "large.csv", list(lines())
    for number, line in (change or {}).items():
        written[number - 1] = line
    path.write_text("\n".join(written) + "\n", encoding="utf-8")
    assert path.stat().st_size > 1 << 14
    return path


@pytest.mark.usefixtures("in_bulk_alone")
def test_a_large_table_has_ids_gaps_and_categories(tmp_path: Path) -> None:
    table = read(large(tmp_path))
    expected = VALUES.copy()
    expected[np.arange(2, 402) % 7 == 0, 3] = np.nan
    np.testing.assert_array_equal(table.values[:, :6], expected)
    assert table.columns == ("a", "b", "c", "d", "e", "f", "class")
    assert table.categories == {6: ("cl ass 0", "cl ass 1", "cl ass 2")}
    assert table.rows[:2] == ("p2", "p3")
    assert table.values.flags.f_contiguous


def test_text_late_in_a_large_table_is_asked(tmp_path: Path) -> None:
    table = read(large(tmp_path, change={300: '"x",1,2,much2,4,5,6,"cl ass 1"'}))
    (asked,) = (reading for reading in table.readings if not reading.sure)
    assert '"much2" in "c"' in asked.sentence
    assert np.isnan(table.values[298, 2])


def test_a_ragged_line_far_down_a_large_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Line 300 of .* has 3 cells where 8 are expected"):
        read(large(tmp_path, change={300: "1,2,3"}))


@pytest.mark.usefixtures("in_bulk_alone")
def test_features_in_rows_of_a_large_table(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(120, 20))
    path = tmp_path / "genes.tsv"
    with path.open("w", encoding="utf-8") as file:
        file.write("gene\t" + "\t".join(f"s{i}" for i in range(20)) + "\r\n")
        file.writelines(f"é{j}\t" + "\t".join(map(repr, row)) + "\r\n" for j, row in enumerate(values.tolist()))
    assert path.stat().st_size > 1 << 14
    table = read(path, ReadOptions(orientation="columns"))
    np.testing.assert_array_equal(table.values, values.T)
    assert table.columns[:2] == ("é0", "é1")
    assert table.rows[-1] == "s19"
    assert table.values.flags.f_contiguous
