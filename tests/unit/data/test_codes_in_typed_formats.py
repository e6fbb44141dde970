"""-999 and other codes for missing values in formats whose columns have types, or whose samples are in columns."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import rdata
from scipy.io import savemat

from fsdesk.data import Learned, ReadOptions, Table, questions, read, read_as_learned, read_table
from fsdesk.data.frame import rows_of_frame

N = 40
RNG = np.random.default_rng(147)
X = RNG.normal(5, 1, (N, 3)).round(2)
KIND = [("case", "control")[i * 7 // 3 % 2] for i in range(N)]
CODED = [i for i in range(N) if i % 9 == 4]


def frame(code: float) -> pd.DataFrame:
    made = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "kind": pd.Series(KIND, dtype=object)})
    made.loc[CODED, "a"] = code
    return made


def in_r(table: pd.DataFrame, path: Path) -> None:
    rdata.write_rds(path, {"x": table[["a", "b"]].to_numpy(), "y": np.array([0.0, 1.0] * (N // 2))})


def in_sqlite(table: pd.DataFrame, path: Path) -> None:
    with sqlite3.connect(path) as base:
        table.to_sql("t", base, index=False)
    base.close()


def in_arff(table: pd.DataFrame, path: Path) -> None:
    lines = ["@relation t", *(f"@attribute {name} numeric" for name in "ab"), "@attribute kind {case,control}", "@data"]
    path.write_text("\n".join(lines) + "\n" + table.to_csv(index=False, header=False))


def in_matlab(table: pd.DataFrame, path: Path) -> None:
    savemat(path, {"X": table[["a", "b"]].to_numpy(), "Y": np.array(KIND, dtype=object)})


def in_gct(table: pd.DataFrame, path: Path) -> None:
    rows = [[name, "", *table[name].tolist()] for name in "ab"] + [["c", "", *X[:, 2].tolist()]]
    lines = [["#1.2"], [3, N], ["Name", "Description", *(f"S{i}" for i in range(N))], *rows]
    path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


WRITERS: dict[str, Callable[[pd.DataFrame, Path], object]] = {
    "sav": lambda table, path: pyreadstat.write_sav(table, path),
    "dta": lambda table, path: pyreadstat.write_dta(table, path),
    "parquet": lambda table, path: table.to_parquet(path),
    "feather": lambda table, path: table.to_feather(path),
    "rds": in_r,
    "sqlite": in_sqlite,
    "arff": in_arff,
    "mat": in_matlab,
    "gct": in_gct,
}


def asked(table: Table) -> list[str]:
    return [each.kind for each in questions(table.readings, table.default_target, named=True)]


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("code", [-999.0, 9999.0])
def test_a_code_for_missing_values_is_asked_about_in_every_format(tmp_path: Path, suffix: str, code: float) -> None:
    path = tmp_path / f"t.{suffix}"
    WRITERS[suffix](frame(code), path)
    table = read(path)
    assert asked(table) == ["number for missing"]
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == CODED
    (question,) = (each for each in table.readings if each.kind == "number for missing")
    missing, measured = (read(path, each.added_to(ReadOptions())) for each in question.alternatives)
    assert np.flatnonzero(np.isnan(missing.values[:, 0])).tolist() == CODED
    assert measured.values[CODED, 0].tolist() == [code] * len(CODED)
    assert not asked(missing)
    assert not asked(measured)


@pytest.mark.parametrize("suffix", ["sav", "parquet", "arff"])
def test_a_word_is_missing_in_a_typed_format_where_the_user_says_so(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t.{suffix}"
    WRITERS[suffix](frame(5.0), path)
    table = read(path, ReadOptions(missing_values="kind=case"))
    assert np.isnan(table.values[:, 2]).tolist() == [kind == "case" for kind in KIND]


def test_new_rows_are_read_without_the_codes_of_the_first_table(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    frame(-999.0).to_parquet(path)
    learned = Learned.of(read_table(path, "kind", missing_values="a=-999"))
    new = read_as_learned(path, learned)
    assert np.flatnonzero(np.isnan(new.values[:, 0])).tolist() == CODED
    made = rows_of_frame(frame(-999.0), "rows", ReadOptions.model_validate(learned.options))
    assert np.flatnonzero(np.isnan(made.values[:, 0])).tolist() == CODED


TYPED = ("sav", "dta", "parquet", "feather", "arff", "mat")


def with_words(folder: Path, suffix: str, words: list[str], **options: str) -> Table:
    made = frame(5.0).assign(kind=pd.Series(words, dtype=object))
    path = folder / f"t.{suffix}"
    if suffix == "mat":
        savemat(path, {"X": X, "Y": np.array(words, dtype=object)})
    elif suffix == "arff":
        lines = ["@relation t", "@attribute a numeric", "@attribute b numeric", "@attribute kind string", "@data"]
        path.write_text("\n".join(lines) + "\n" + made.to_csv(index=False, header=False))
    else:
        WRITERS[suffix](made, path)
    return read(path, ReadOptions(**options))


@pytest.mark.parametrize("suffix", TYPED)
def test_classes_that_may_be_one_or_none_are_asked_about_in_typed_formats(tmp_path: Path, suffix: str) -> None:
    words = [("Case", "case", "control", "unknown")[i % 4] for i in range(N)]
    assert sorted(asked(with_words(tmp_path, suffix, words))) == ["similar names", "word for missing"]
    table = with_words(
        tmp_path, suffix, words, similar="one", missing_values=f"{'Y' if suffix == 'mat' else 'kind'}=unknown"
    )
    assert not asked(table)
    place = table.columns.index(table.default_target)
    assert len(table.categories[place]) == 2
    assert int(np.isnan(table.values[:, place]).sum()) == N // 4


@pytest.mark.parametrize("suffix", TYPED)
def test_equal_numbers_as_words_are_asked_about_in_typed_formats(tmp_path: Path, suffix: str) -> None:
    table = with_words(tmp_path, suffix, [("01", "1", "02", "2")[i % 4] for i in range(N)])
    assert asked(table) == ["spelling"]


@pytest.mark.parametrize("suffix", ["sav", "parquet", "feather"])
@pytest.mark.parametrize("absent", ["", "n.d.", "<LOD"])
def test_numbers_stored_as_text_are_numbers(tmp_path: Path, suffix: str, absent: str) -> None:
    cells = [absent if absent and i in CODED else str(x) for i, x in enumerate(X[:, 0].tolist())]
    made = frame(5.0).assign(a=pd.Series(cells, dtype=object))
    path = tmp_path / f"t.{suffix}"
    WRITERS[suffix](made, path)
    table = read(path)
    assert not asked(table)
    right = [np.nan if absent and i in CODED else x for i, x in enumerate(X[:, 0].tolist())]
    np.testing.assert_array_equal(table.values[:, 0], right)
    assert any(each.kind == "numbers stored as text" for each in table.readings)
    later = read_as_learned(path, Learned.of(read_table(path, "kind")))
    np.testing.assert_array_equal(later.values[:, 0], right)
    words = read(path, ReadOptions(types="a=category"))
    assert 0 in words.categories


def test_declared_categories_keep_their_order_and_their_names(tmp_path: Path) -> None:
    words = [("low", "high", "NA")[i % 3] for i in range(N)]
    made = frame(5.0).assign(kind=pd.Categorical(words, ["low", "NA", "high", "never"]))
    made.to_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet")
    assert table.categories[2] == ("low", "NA", "high", "never")
    assert not np.isnan(table.values[:, 2]).any()
