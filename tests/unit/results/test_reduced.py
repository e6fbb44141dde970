"""The reduced table in formats of other software, read back by their libraries and by fsdesk."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fsdesk import select
from fsdesk.data import read_table
from fsdesk.results.exports import EXPORTS
from fsdesk.results.reduced import plain_names, reduced_columns, row_title

KINDS = ("sav", "dta", "xpt", "rds", "h5ad", "feather", "npz", "sqlite")


@pytest.fixture(params=KINDS)
def written(request, awkward, awkward_result, tmp_path):
    """A file of each kind."""
    each = EXPORTS[f"table.{request.param}"]
    _ = each.library and pytest.importorskip(each.library)
    path = tmp_path / each.name
    path.write_bytes(each.content(awkward_result, awkward))
    return path


def test_each_is_read_back_with_the_same_values_classes_and_rows(written, awkward, awkward_result):
    table = read_table(written, awkward.target_name if written.suffix == ".h5ad" else None)
    places = np.flatnonzero(awkward_result.mask)
    assert table.rows == awkward.rows
    assert [table.classes[code] for code in table.target] == [awkward.classes[code] for code in awkward.target]
    numeric = [place for place in places if place not in awkward.categories]
    told = {awkward.features[place] for place in numeric}
    assert numeric
    names = [awkward.features[place] for place in numeric]
    longest = 8 if written.suffix == ".xpt" else 32
    titles = [row_title(reduced_columns(awkward_result, awkward)), *awkward_result.features]
    safe_names = dict(zip(titles, plain_names(titles, longest), strict=True))
    plain = [safe_names[name] for name in names]
    for name, safe, place in zip(names, plain, numeric, strict=True):
        j = next(j for j, feature in enumerate(table.features) if feature in (name, safe))
        np.testing.assert_array_equal(table.x[:, j], awkward.x[:, place])
    assert told


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_table_gives_the_same_bytes(kind, awkward, awkward_result):
    each = EXPORTS[f"table.{kind}"]
    _ = each.library and pytest.importorskip(each.library)
    assert each.content(awkward_result, awkward) == each.content(awkward_result, awkward)


def test_names_and_labels_that_spss_and_stata_do_not_allow_are_kept_as_labels(awkward, awkward_result, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    for name, read in (("table.sav", pyreadstat.read_sav), ("table.dta", pyreadstat.read_dta)):
        path = Path(tmp_path / name)
        path.write_bytes(EXPORTS[name].content(awkward_result, awkward))
        frame, about = read(path, apply_value_formats=True)
        places = np.flatnonzero(awkward_result.mask)
        assert list(about.column_names_to_labels.values())[1:-1] == [awkward.features[place] for place in places]
        assert frame.iloc[:, -1].astype(str).tolist() == [awkward.classes[code] for code in awkward.target]


@pytest.mark.parametrize(
    ("names", "plain"),
    [
        (["weight, kg", "weight kg"], ["weight_kg", "weight_kg_2"]),
        (["a", "A", "and"], ["a", "A_2", "v_and"]),
        (["1x", "_", "größe"], ["v_1x", "v_", "gr_e"]),
        (["x" * 40, "x" * 41], ["x" * 32, f"{'x' * 30}_2"]),
    ],
)
def test_plain_names(names, plain):
    assert plain_names(names, 32) == plain


def test_a_real_scanpy_reads_it(awkward, awkward_result, tmp_path):
    anndata = pytest.importorskip("anndata")
    path = tmp_path / "table.h5ad"
    path.write_bytes(EXPORTS["table.h5ad"].content(awkward_result, awkward))
    made = anndata.read_h5ad(path)
    assert tuple(made.obs_names) == awkward.rows
    assert isinstance(made.obs.iloc[:, -1].dtype, pd.CategoricalDtype)


def test_numpy_gets_x_and_y_where_all_features_are_numbers(make_dataset, tmp_path):
    dataset = make_dataset(np.random.default_rng(1).normal(size=(30, 4)), np.arange(30) % 2)
    result = select(dataset, method="full", wrapper="nn", seed=0, settings={"repeats": 1}, outer=0)
    (tmp_path / "t.npz").write_bytes(EXPORTS["table.npz"].content(result, dataset))
    with np.load(tmp_path / "t.npz") as arrays:  # no pickles
        np.testing.assert_array_equal(arrays["X"], dataset.x[:, result.mask])
        assert arrays["feature_names"].tolist() == list(result.features)
        assert arrays["y"].tolist() == [dataset.classes[code] for code in dataset.target]
        assert arrays["sample_names"].tolist() == list(dataset.rows)


def test_pandas_and_sqlite_read_what_is_for_sas_and_databases(awkward, awkward_result, tmp_path):
    pytest.importorskip("pyreadstat")
    (tmp_path / "t.xpt").write_bytes(EXPORTS["table.xpt"].content(awkward_result, awkward))
    frame = pd.read_sas(tmp_path / "t.xpt", format="xport", encoding="utf-8")
    classes = [awkward.classes[code] for code in awkward.target]
    assert frame.iloc[:, -1].tolist() == classes
    (tmp_path / "t.sqlite").write_bytes(EXPORTS["table.sqlite"].content(awkward_result, awkward))
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as database:
        found = database.execute('SELECT * FROM "table"').fetchall()
    assert [row[-1] for row in found] == classes
    assert [row[0] for row in found] == list(awkward.rows)
