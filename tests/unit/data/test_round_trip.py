import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk.data import ReadOptions, read

FILLED = {-32768.0, -2147483648.0, *(sign * float("9" * n) for n in range(1, 7) for sign in (-1, 1))}  # asked about
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: value not in FILLED)
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[float]], list[str]]:
    names = draw(
        st.lists(st.text("abcdefgäöüß ,;\"'|", max_size=6).map(lambda s: f"n{s}n"), min_size=2, max_size=6, unique=True)
    )
    rows = draw(st.lists(st.lists(NUMBERS, min_size=len(names) - 1, max_size=len(names) - 1), min_size=3, max_size=12))
    words = st.sampled_from(["red", "dark blue", 'the "best"', "a,b;c|d"])
    labels = draw(st.lists(words, min_size=len(rows), max_size=len(rows)))
    return names, rows, labels


def written(table: tuple[list[str], list[list[float]], list[str]], delimiter: str, decimal: str, quoting: int) -> str:
    names, rows, labels = table
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    writer.writerow(names)
    for row, label in zip(rows, labels, strict=True):
        writer.writerow([*(repr(value).replace(".", decimal) for value in row), label])
    return out.getvalue()


@settings(max_examples=50, deadline=None)
@given(
    tables(),
    st.sampled_from(list(DELIMITERS)),
    st.sampled_from(["point", "comma"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_is_written_with_told_signs_is_read_back_to_the_last_bit(
    table: tuple[list[str], list[list[float]], list[str]], delimiter: str, decimal: str, quoting: int, encoding: str
) -> None:
    names, rows, labels = table
    text = written(table, DELIMITERS[delimiter], "." if decimal == "point" else ",", quoting)
    options = ReadOptions.model_validate(
        {"delimiter": delimiter, "decimal": decimal, "header": "yes", "row_ids": "none"}
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text, encoding=encoding, newline="")
        back = read(path, options)
    assert back.columns == tuple(names)
    assert back.values[:, :-1].tolist() == rows
    categories = back.categories[len(names) - 1]
    assert [categories[int(code)] for code in back.values[:, -1]] == labels


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(-9999, 9999), min_size=3, max_size=3), min_size=3, max_size=10),
    st.sampled_from([",", ";", "\t", "|", " "]),
    st.sampled_from([".", ","]),
)
def test_separator_decimal_sign_and_header_are_found_in_what_was_written(
    rows: list[list[int]], delimiter: str, decimal: str
) -> None:
    if delimiter == ",":
        decimal = "."
    lines = [delimiter.join(["a", "b", "c"])]
    lines += [delimiter.join(f"{value / 100:.2f}".replace(".", decimal) for value in row) for row in rows]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.txt"
        path.write_text("\n".join(lines), encoding="utf-8")
        back = read(path)
    assert back.columns == ("a", "b", "c")
    assert back.values.tolist() == [[float(f"{value / 100:.2f}") for value in row] for row in rows]
