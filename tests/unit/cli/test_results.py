"""`fsdesk predict`, `validate` and `resume --permutations` on the project of a run."""

import csv
import json
from dataclasses import replace

import pytest

from fsdesk.cli import main
from fsdesk.data import load_sample
from fsdesk.messages import translated
from fsdesk.results.new_rows import validate
from fsdesk.results.record import RunRecord
from fsdesk.results.report import report_html
from fsdesk.results.result_json import result_json
from fsdesk.store import Project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    quick = [
        "--method",
        "sfs",
        "--outer",
        "2",
        "--set",
        "repeats=1",
        "--set",
        "folds=2",
        "--set",
        "max_measurements=30",
    ]
    assert main(["run", "sample:wine", "--out", str(out), *quick]) == 0
    return out / "run.fsdesk"


@pytest.fixture
def table(tmp_path):
    wine = load_sample("wine")
    path = tmp_path / "other.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(wine.columns)
        for row in wine.values[::3]:
            last = wine.categories.get(len(wine.columns) - 1)
            writer.writerow([*map(repr, row[:-1].tolist()), last[int(row[-1])] if last else int(row[-1])])
    return path


def test_predict_writes_a_line_for_each_row(project, table, tmp_path, capsys):
    out = tmp_path / "deep" / "predicted.csv"
    assert main(["predict", str(project), str(table), "--out", str(out)]) == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert len(rows) == 60
    assert 0 < float(rows[0]["probability (calibrated)"]) <= 1
    assert "60 rows predicted" in capsys.readouterr().out


def test_validate_prints_the_error_there_beside_that_of_the_run(project, table, capsys):
    assert main(["validate", str(project), str(table)]) == 0
    said = capsys.readouterr().out
    words = (
        "On 60 rows of other: 60 of them duplicate training rows, which makes the error too optimistic: Error 0.0 %."
    )
    assert words in said
    assert "On wine: Error on held-out rows:" in said


def test_a_validation_is_kept_with_its_run_for_report_and_result_json(project, table):
    for _ in range(2):  # the second takes the place of the first
        assert main(["validate", str(project), str(table)]) == 0
    held = Project.open(project, read_only=True)
    result = RunRecord.stored(held, held.run(None).id)
    dataset = held.dataset(result.spec.data_fingerprint)
    held.close()
    (made,) = result.external
    again = validate(result, dataset, table)
    assert made == again
    assert [translated(note) for note in made.notes] == [translated(note) for note in again.notes]
    (line,) = json.loads(result_json(result, dataset))["external_validations"]
    assert (line["table"], line["rows"], line["error"]) == ("other", 60, made.error.value)
    assert line["interval"] == [made.error.low, made.error.high]
    assert line["rows_learned_from"] == 60
    assert line["decision"] == made.decision
    assert made.decision["rows"] == 60 and 0.5 < made.decision["auc"]["value"] <= 1
    page = report_html(result, dataset)
    at = page.index("External validation")
    assert '<td>other (60 duplicate training rows: too optimistic)</td><td class="number">60</td>' in page[at:]
    assert made.error.interval_words() in page[at:].replace("\N{NO-BREAK SPACE}", " ")
    assert "At the cut-off derived from the held-out rows of the run" in page[at:]
    other = replace(result, mask=~result.mask)  # an answer that was never tested there
    assert not other.external
    assert "external_validations" not in json.loads(result_json(other, dataset))


def test_a_table_without_the_features_is_one_sentence(project, tmp_path, capsys):
    (tmp_path / "no.csv").write_text("a,b\n1,2\n2,3\n")
    assert main(["predict", str(project), str(tmp_path / "no.csv"), "--out", str(tmp_path / "x.csv")]) == 2
    assert "selected features" in capsys.readouterr().err
    assert not (tmp_path / "x.csv").exists()


def test_a_finished_run_is_repeated_on_shuffled_targets(project, tmp_path, capsys):
    asked = ["resume", str(project), "--out", str(tmp_path), "--permutations", "3", "--workers", "1"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "The same run on shuffled targets, 3 times: Error" in said
    assert "p = 0.25. Too few to rule out chance; at least 19 are needed." in said
    written = json.loads((tmp_path / "result.json").read_text())
    assert written["permutation_p"] == 0.25
    assert len(written["permutation_errors"]) == 3
    assert written["permutation_source"] == "outer folds"
    assert min(written["permutation_errors"]) > written["honest_error"]
    assert main(asked) == 0  # nothing is missing any more
    assert json.loads((tmp_path / "result.json").read_text()) == written
