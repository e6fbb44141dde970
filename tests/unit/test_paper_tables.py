"""The paper's tables searched again: what it printed, and ours beside it."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from fsdesk.engine import Flag
from fsdesk.errors import DataError
from fsdesk.results.comparison import Entry
from tests.bench.paper_tables import Block, PaperPlan, Row, described, main, paper_blocks, published, write_blocks


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a table that is named after one of the paper's."""
    rng = np.random.default_rng(0)
    rows = np.arange(40)
    x = rng.normal(size=(40, 6))
    x[:, 0] += 2 * (rows % 2)
    path = tmp_path_factory.mktemp("data") / "Sonar-made-up.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{place}" for place in range(6)), "class"])
        writer.writerows([*map(repr, values.tolist()), "ab"[row % 2]] for row, values in zip(rows, x, strict=True))
    return path.parent


def plan_of(folder, **values):
    return PaperPlan(folder, tables=(5,), quick=True, **values)


def test_what_the_paper_printed_is_all_there():
    known = published()
    assert len({(each.table, each.data, each.model) for each in known}) == 5 * 3 + 5 * 3 + 4
    assert {each.method for each in known if each.table in (5, 6, 7)} == {
        "full", "bspsa", "cspsa", "bga", "sffs", "sfs", "sbs"
    }  # fmt: skip
    # Cells read off the paper by eye, one of each table.
    (small,) = (each for each in known if (each.table, each.data, each.method) == (6, "Vehicle", "sbs"))
    assert (small.value, small.std_error, small.features, small.measurements) == (28.87, 0.40, 15, 95)
    (large,) = (each for each in known if (each.data, each.model, each.method) == ("GLI-85", "svm", "bspsa"))
    assert (large.value, large.features, large.star, large.iterations, large.minutes) == (
        6.54,
        11023,
        True,
        3000,
        126.5,
    )
    (auc,) = (each for each in known if (each.table, each.data, each.model, each.method) == (10, "Sonar", "c45", "bga"))
    assert (auc.value, auc.std_error, auc.features) == (0.787, 0.010, 16)
    # A third of the measurements are iterations, as its table of run times says.
    assert all(abs(each.measurements - 3 * each.iterations) <= 3 for each in known if each.iterations)


def test_a_block_has_every_method_of_the_paper_and_goes_on_after_a_stop(folder, tmp_path):
    flag, steps = Flag(), []

    def stop(title, step):
        steps.append(step.share)
        flag.stop = step.share > 0.3

    stopped = list(paper_blocks(plan_of(folder), tmp_path / "one", callback=stop, control=flag))
    assert stopped == []
    (block,) = paper_blocks(plan_of(folder), tmp_path / "one")
    (whole,) = paper_blocks(plan_of(folder), tmp_path / "other")
    assert block.title == "Table 5, Sonar, nearest neighbour"
    assert [row.paper.method for row in block.rows] == ["full", "bspsa", "cspsa", "bga", "sffs", "sfs", "sbs"]
    for row, other in zip(block.rows, whole.rows, strict=True):
        (entry,), (again,) = row.entries, other.entries
        assert entry.search == again.search
        assert entry.unseen.value == again.unseen.value
        assert np.array_equal(entry.mask, again.mask)
    files = {path.suffix: path.read_text(errors="replace") for path in write_blocks([block], plan_of(folder), tmp_path)}
    assert set(files) == {".md", ".html", ".csv", ".tex", ".xlsx"}
    assert "no number here can be compared with the paper's" in files[".md"]
    assert "4.81*" in files[".md"]
    assert "Table 4, BSPSA" in files[".html"]


def entry(loss, std_error):
    return Entry(1, "Sonar", "BSPSA", "Nearest neighbors", "error", 0, loss, None, None, 30, 900, 1.0,
                 std_error=std_error, repeats=10)  # fmt: skip


def block_of(*entries):
    paper = next(each for each in published() if (each.data, each.model, each.method) == ("Sonar", "nn", "bspsa"))
    return Block(5, "Sonar", "nn", (Row(paper, "bspsa:paper, small", entries),), {})


def test_a_data_set_is_named_as_its_file_or_as_in_the_paper(folder, tmp_path):
    for name in ("sonar", "SONAR-made-up"):
        flag = Flag()
        flag.stop = True
        assert not list(paper_blocks(plan_of(folder, data=(name,)), tmp_path / name, control=flag))


def test_words_say_how_far_ours_is_from_the_paper():
    # 4.81 with .33 in the paper; .33 here too: the standard error of the difference is .467.
    alike, apart = (described(block_of(entry(loss, 0.0033)))[0] for loss in (0.0481 + 0.009, 0.0481 + 0.010))
    assert "As in the paper within 2 standard errors: BSPSA." in alike
    assert "BSPSA 1.00 points higher (2.1 standard errors)" in apart
    # Two searches at 3.81 and 5.81: between searches there is sqrt(2) of spread, and the paper's is one of them.
    (row,) = block_of(entry(0.0381, 0.0033), entry(0.0581, 0.0033)).rows
    assert row.value == pytest.approx(4.81)
    assert row.std_error == pytest.approx(1.0)
    assert row.apart == pytest.approx(0.0)
    other = replace(row, paper=replace(row.paper, value=2.81))
    assert other.apart == pytest.approx(2.0 / np.sqrt(1 + 0.33**2 + 2))


def test_a_folder_without_such_tables_is_refused_in_a_sentence(tmp_path, capsys):
    with pytest.raises(DataError, match="none of the data sets of the paper"):
        list(paper_blocks(PaperPlan(tmp_path), tmp_path / "out"))
    with pytest.raises(DataError, match="cannot be read"):
        list(paper_blocks(PaperPlan(tmp_path / "nowhere"), tmp_path / "out"))
    (tmp_path / "segment.csv").write_text("x,y\n1,a\n")
    with pytest.raises(DataError, match=r"name others.* the folder has Segmentation"):
        list(paper_blocks(PaperPlan(tmp_path, data=("vehicle",)), tmp_path / "out"))
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--out", str(tmp_path / "out"), "--tables", "9"])
    assert "table 9 cannot be searched again" in capsys.readouterr().err
