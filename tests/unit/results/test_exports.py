"""Files of a result: registry, reduced table, what each holds."""

import csv
import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import python_calamine
from scipy.io import arff

from fsdesk.cli import invoke
from fsdesk.cli.options import from_subset
from fsdesk.data import read_table
from fsdesk.data.annotations import Annotations
from fsdesk.engine import Flag, RunSpec, ThreadExecutor, run
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, SettingsError
from fsdesk.results.exports import EXPORTS, STANDARD, chosen_exports, export, writable
from fsdesk.results.reduced import reduced_arff, reduced_csv, reduced_excel, reduced_parquet
from fsdesk.results.select import select
from fsdesk.results.sheets import escape_formula, is_number, original
from fsdesk.results.tasks import Written, export_task
from fsdesk.store import Project
from tests.unit.results.test_figures import FIGURES

# Their formats hold times or addresses; the others promise the same bytes.
UNSTABLE = {"pipeline.joblib", "pipeline.skops"}
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


@pytest.fixture(scope="module")
def project(awkward, tmp_path_factory):
    """A project file with one finished run."""
    spec = RunSpec.make(awkward, method="bspsa", seed=2, settings={"max_iterations": 8, "repeats": 1})
    path = tmp_path_factory.mktemp("project") / "made.fsdesk"
    made = Project.create(path)
    made.add_dataset(awkward)
    run_id = made.add_run(spec)
    with ThreadExecutor(evaluator_of(spec, awkward), 1) as executor:
        made.append([(run_id, event) for event in run(spec, awkward, executor)])
    made.close()
    return path


@pytest.mark.parametrize("each", EXPORTS.values(), ids=lambda each: each.name)
def test_every_entry_says_what_it_is_in_words(each):
    assert each.name == each.name.lower()
    assert each.suffix
    assert each.title[0].isupper()
    assert each.help[0].isupper()
    assert not each.help.endswith(".")
    assert len(each.help) < 90


def test_files_of_one_title_say_the_same_and_stand_together():
    titles = [(each.group, each.title, each.help) for each in EXPORTS.values()]
    together = [entry for place, entry in enumerate(titles) if place == 0 or titles[place - 1] != entry]
    assert len(together) == len({entry[:2] for entry in together})
    groups = [entry[0] for entry in together]
    ordered = list(dict.fromkeys(groups))
    assert ordered == ["Mask", "Table", "Figures", "Report", "To reproduce"]
    assert groups == sorted(groups, key=ordered.index)


def test_without_names_the_four_files_of_a_run_are_written(awkward, awkward_result, tmp_path):
    assert [path.name for path in export(awkward_result, awkward, tmp_path)] == list(STANDARD)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(STANDARD)


def test_everything_can_be_written_and_is_the_same_however_long_the_run_took(awkward, awkward_result, tmp_path):
    names = [name for name in writable(awkward_result) if name not in UNSTABLE]
    without = {f"{name}.{kind}" for name in ("roc", "decision", "survival") for kind in ("png", "svg", "pdf")} | {
        "coefficients.csv"
    }  # as there are no scores, no times, and no sum
    assert set(EXPORTS) - set(names) <= UNSTABLE | without
    first = {path.name: path.read_bytes() for path in export(awkward_result, awkward, tmp_path / "first", names)}
    assert set(first) == set(names) and all(first.values())
    others = [name for name in names if name.rpartition(".")[0] not in FIGURES]  # these: test_figures.py
    slower = replace(awkward_result, seconds=awkward_result.seconds + 1000.0)
    for path in export(slower, awkward, tmp_path / "second", others):
        assert path.read_bytes() == first[path.name], path.name


def test_the_mask_as_json_and_npy_is_the_mask(awkward, awkward_result, tmp_path):
    export(awkward_result, awkward, tmp_path, ["mask.json", "mask.npy"])
    content = json.loads((tmp_path / "mask.json").read_text(encoding="utf-8"))
    assert content["features"] == list(awkward.features)
    assert content["mask"] == awkward_result.mask.tolist()
    assert content["weights"] == awkward_result.weights.tolist()
    assert content["frequency"] == awkward_result.frequency.tolist()
    mask = np.load(tmp_path / "mask.npy", allow_pickle=False)
    assert mask.dtype == np.bool_
    assert mask.tolist() == content["mask"]


def test_a_search_can_start_from_a_mask_whose_names_were_made_harmless(awkward, awkward_result, tmp_path):
    export(awkward_result, awkward, tmp_path, ["mask.csv"])
    assert "'=1+1" in (tmp_path / "mask.csv").read_text(encoding="utf-8")
    assert from_subset(tmp_path / "mask.csv") == awkward_result.features


def test_what_a_run_has_not_is_refused_before_anything_is_written(planted, tmp_path):
    result = select(planted, method="full", settings={"repeats": 1}, outer=0)
    assert "weights.png" not in writable(result)
    with pytest.raises(SettingsError, match=r"no data for weights\.png"):
        export(result, planted, tmp_path / "out", ["mask.csv", "weights.png"])
    assert not (tmp_path / "out").exists()
    assert not any(name.startswith(("weights", "sizes")) for name in chosen_exports(["figures"], result))


def test_a_library_that_is_not_installed_is_said_in_a_sentence(awkward, awkward_result, tmp_path, monkeypatch):
    monkeypatch.setitem(EXPORTS, "table.parquet", replace(EXPORTS["table.parquet"], library="no_such_library"))
    assert "table.parquet" not in writable(awkward_result)
    with pytest.raises(SettingsError, match=r'no_such_library\. Install it with: pip install "fsdesk\[formats\]"\.'):
        export(awkward_result, awkward, tmp_path, ["table.parquet"])
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # the program of an installer has no pip
    with pytest.raises(SettingsError, match="not included in this program"):
        export(awkward_result, awkward, tmp_path, ["table.parquet"])


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([], set(STANDARD)),
        (["table.csv", "mask.npy"], {"table.csv", "mask.npy"}),
        (["Table"], {name for name in EXPORTS if name.startswith("table.")}),
        (["mask", "to reproduce"], None),
        (
            ["all"],
            {name for name in EXPORTS if not name.startswith(("decision", "survival", "coefficients"))},
        ),  # no held-out error, no times, no sum
    ],
)
def test_words_of_the_command_line_name_files_and_groups(awkward_result, words, wanted):
    if wanted is None:
        wanted = {name for name, each in EXPORTS.items() if each.group in ("Mask", "To reproduce")}
    assert set(chosen_exports(words, awkward_result)) == wanted


def test_a_word_that_names_nothing_is_said_with_what_there_is(awkward_result):
    with pytest.raises(SettingsError, match=re.escape('no export named "tabel.csv". Available: all, figures')):
        chosen_exports(["tabel.csv"], awkward_result)


def test_the_task_tells_how_far_it_is_and_last_what_it_wrote(project, tmp_path):
    said = list(export_task(Flag(), str(project), 1, str(tmp_path), ("mask.csv", "table.csv")))
    assert said[:-1] == [Written(0, 2), Written(1, 2), Written(2, 2)]
    assert said[-1] == [str(tmp_path / "mask.csv"), str(tmp_path / "table.csv")]
    assert all(Path(path).is_file() for path in said[-1])


def test_a_task_that_is_stopped_writes_no_further_file(project, tmp_path):
    flag = Flag()
    task = export_task(flag, str(project), 1, str(tmp_path), ("mask.csv", "table.csv"))
    assert [next(task), next(task)] == [Written(0, 2), Written(1, 2)]
    flag.stop = True
    assert list(task) == [[str(tmp_path / "mask.csv")]]


def test_the_command_writes_what_it_is_asked_for(project, tmp_path, capsys):
    assert invoke(["export", str(project), "--what", "table.xlsx", "--what", "mask", "--out", str(tmp_path)]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"table.xlsx", "mask.csv", "mask.json", "mask.npy", "selected.txt"}
    assert f"Written to {tmp_path}: table.xlsx, mask.csv" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [(["--what", "nonsense"], 'no export named "nonsense"'), (["--run", "9"], "9")],
)
def test_the_command_says_what_is_wrong(project, tmp_path, capsys, options, sentence):
    assert invoke(["export", str(project), "--out", str(tmp_path), *options]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_what_the_user_knows_about_features_goes_with_the_mask(awkward, awkward_result):
    known = Annotations("genes.csv", "gene", ("weight", "what"), {"=1+1": ("heavy", "=cmd()")}, {"$x^2$": "odd"})
    result = replace(awkward_result, annotations=known)
    rows = list(csv.reader(EXPORTS["mask.csv"].content(result, awkward).decode().splitlines()))
    assert rows[0] == ["feature", "selected", "weight", "frequency", "weight_", "what", "note"]
    assert rows[1][4:] == ["heavy", "'=cmd()", ""]
    assert rows[-1][4:] == ["", "", "odd"]
    content = json.loads(EXPORTS["mask.json"].content(result, awkward))
    assert content["annotations"]["=1+1"] == {"weight": "heavy", "what": "=cmd()", "note": ""}


@pytest.fixture(scope="module")
def places(awkward_result):
    return np.flatnonzero(awkward_result.mask)


def expected(awkward, place):
    """The column as it must read back: numbers, or names of categories; None where missing."""
    levels = awkward.categories.get(int(place))
    return [None if np.isnan(v) else (levels[int(v)] if levels else v) for v in awkward.x[:, place]]


def test_csv_has_row_ids_the_selected_columns_and_the_target(awkward, awkward_result, places):
    rows = list(csv.reader(io.StringIO(reduced_csv(awkward_result, awkward))))
    names = [awkward.features[place] for place in places]
    assert [original(name) for name in rows[0]] == ["row", *names, "+state"]
    assert [original(row[0]) for row in rows[1:]] == list(awkward.rows)
    assert [original(row[-1]) for row in rows[1:]] == [("=ill", "well")[code] for code in awkward.target]
    for across, place in enumerate(places, 1):
        read = [row[across] for row in rows[1:]]
        if int(place) in awkward.categories:
            assert [original(cell) or None for cell in read] == expected(awkward, place)
        else:
            assert [float(cell) if cell else None for cell in read] == expected(awkward, place)


def test_no_text_cell_of_the_csv_starts_as_a_formula_does_and_negative_numbers_stay_numbers(awkward, awkward_result):
    cells = [cell for row in csv.reader(io.StringIO(reduced_csv(awkward_result, awkward))) for cell in row]
    starting = [cell for cell in cells if cell.startswith(DANGEROUS)]
    assert starting
    assert all(np.isfinite(float(cell)) for cell in starting)


def test_no_name_of_the_mask_starts_as_a_formula_does(awkward, awkward_result, tmp_path):
    export(awkward_result, awkward, tmp_path, ["mask.csv"])
    with (tmp_path / "mask.csv").open(newline="", encoding="utf-8") as file:
        names = [row["feature"] for row in csv.DictReader(file)]
    assert not [name for name in names if name.startswith(DANGEROUS)]
    assert [original(name) for name in names] == list(awkward.features)


def test_excel_reads_back_through_calamine_with_texts_that_are_no_formulas(awkward, awkward_result, places):
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(reduced_excel(awkward_result, awkward)))
    header, *rows = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    assert [original(name) for name in header] == ["row", *(awkward.features[place] for place in places), "+state"]
    texts = [cell for row in [header, *rows] for cell in row if isinstance(cell, str)]
    assert not [cell for cell in texts if cell.startswith(DANGEROUS)]
    for across, place in enumerate(places, 1):
        read = [row[across] for row in rows]
        wanted = expected(awkward, place)
        if int(place) in awkward.categories:
            assert [original(cell) or None for cell in read] == wanted
        else:
            assert read == ["" if value is None else pytest.approx(value) for value in wanted]


def test_excel_keeps_ids_that_a_number_would_change(awkward, awkward_result):
    odd = ("007", "12345678901234567890", "1e5", "+3", "12")
    rows = (*odd, *awkward.rows[len(odd) :])
    content = reduced_excel(awkward_result, replace(awkward, rows=rows))
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    read = [row[0] for row in book.get_sheet_by_index(0).to_python(skip_empty_area=False)[1:6]]
    assert read == [*odd[:-1], 12]


def test_parquet_reads_back_through_pandas_to_the_bit(awkward, awkward_result, places):
    frame = pd.read_parquet(io.BytesIO(reduced_parquet(awkward_result, awkward)))
    assert list(frame["row"]) == list(awkward.rows)
    assert list(frame["+state"]) == [("=ill", "well")[code] for code in awkward.target]
    for place in places:
        read = frame[awkward.features[place]]
        assert [None if pd.isna(value) else value for value in read] == expected(awkward, place)
    assert isinstance(frame["colour"].dtype, pd.CategoricalDtype)


def test_arff_reads_back_through_scipy_and_through_fsdesk(awkward, awkward_result, places, tmp_path):
    text = reduced_arff(awkward_result, awkward)
    assert "% -patient 0\n" in text
    path = tmp_path / "table.arff"
    path.write_text(text, encoding="utf-8")
    table = read_table(path)
    assert table.features == tuple(awkward.features[place] for place in places)
    assert [table.classes[code] for code in table.target] == [("=ill", "well")[code] for code in awkward.target]
    np.testing.assert_array_equal(table.x, awkward.x[:, places])
    read, meta = arff.loadarff(io.StringIO(text.replace("'weight, kg'", "weight").replace("it\\'s, green", "green")))
    assert list(read["weight"][:3]) == list(awkward.x[:3, 1])
    assert np.isnan(read["weight"][3])
    assert meta["colour"][1] == ("red", "-blue", "green")


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "\n=x", "'=x", "''-x", "＝1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe_that_comes_off_again(text):
    assert escape_formula(text) == f"'{text}"
    assert original(escape_formula(text)) == text


@pytest.mark.parametrize("text", ["x", "", "a=b", "'quoted'", "it's", "-1.5", "+3", "-2e-05", "5"])
def test_plain_texts_and_numbers_stay_as_they_are(text):
    assert escape_formula(text) == text
    assert original(text) == text


@pytest.mark.parametrize("text", ["-1+1", "+1|cmd", "-", "1e", "-１", "+1\n", "-inf"])
def test_only_plain_numbers_count_as_numbers(text):
    assert not is_number(text)


def test_a_table_too_wide_for_excel_is_said(make_dataset):
    from dataclasses import replace

    from fsdesk.results.select import select

    wide = make_dataset(np.random.default_rng(0).normal(size=(4, 2)), [0, 1, 0, 1])
    result = select(wide, method="full", settings={"repeats": 1, "folds": 2}, outer=0)
    many = 16_384
    wide = replace(wide, x=np.zeros((4, many)), features=tuple(map(str, range(many))))
    with pytest.raises(DataError, match=r"too few for this table\. Export it as CSV or Parquet"):
        reduced_excel(replace(result, mask=np.ones(many, dtype=bool)), wide)
