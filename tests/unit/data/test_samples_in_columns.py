from pathlib import Path

import numpy as np
import pytest

from fsdesk.cli import main
from fsdesk.data import ReadOptions, load_sample, read, samples_in_columns


def genes(folder: Path, *, classes: bool, count: int = 200) -> Path:
    """A gene a row and a sample a column, as expression tables come."""
    rng = np.random.default_rng(0)
    values = rng.normal(8, 2, (count, 1)) + rng.normal(0, 0.5, (count, 20))
    lines = ["gene\t" + "\t".join(f"s{i}" for i in range(20))]
    if classes:
        lines.append("class\t" + "\t".join("ab"[i % 2] for i in range(20)))
    lines += [f"g{j}\t" + "\t".join(f"{value:.4f}" for value in row) for j, row in enumerate(values)]
    path = folder / "genes.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_refused_gene_table_says_with_which_option_it_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = genes(tmp_path, classes=True)
    command = ["run", str(path), "--method", "full", "--outer", "0", "--out", str(tmp_path / "out")]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "Each column is read as a sample" in said
    assert "--read orientation=columns" in said
    assert main([*command, "--read", "orientation=columns"]) == 0
    assert "is read as a sample" not in capsys.readouterr().err


def test_a_gene_table_is_not_searched_for_the_features_that_predict_its_last_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = genes(tmp_path, classes=False)
    command = ["run", str(path), "--method", "full", "--outer", "0", "--out", str(tmp_path / "out")]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "samples seem to be in columns and the features in rows" in said
    assert "--read orientation=columns  Samples are in columns" in said
    assert main([*command, "--accept-reading"]) == 2
    said = capsys.readouterr().err
    assert 'samples of "genes" seem to be in columns' in said
    assert "--read orientation=columns" in said and "--read labels=FILE" in said
    assert main([*command, "--target", "s19"]) == 0  # a person who names the target knows better


def test_an_ordinary_table_with_a_wrong_target_says_nothing_of_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "patients.csv"
    path.write_text("patient,age,weight,class\n" + "".join(f"p{i},{i % 60},{50 + i},{i % 2}\n" for i in range(80)))
    assert main(["run", str(path), "--target", "klass", "--out", str(tmp_path / "out")]) == 2
    assert "seem to be in columns" not in capsys.readouterr().err


def test_gene_tables_seem_turned_and_samples_do_not(tmp_path: Path) -> None:
    assert samples_in_columns(read(genes(tmp_path, classes=False)))
    assert samples_in_columns(read(genes(tmp_path, classes=True), ReadOptions(below_header="skip")))
    assert len(read(genes(tmp_path, classes=True)).rows) == 20
    assert not any(samples_in_columns(load_sample(name)) for name in ("wine", "genes", "breast_cancer", "digits"))


def test_names_that_some_genes_share_do_not_hide_that_they_are_rows(tmp_path: Path) -> None:
    path = genes(tmp_path, classes=False)
    lines = path.read_text().splitlines()
    lines[2] = lines[2].replace("g1", "g0", 1)
    path.write_text("\n".join(lines))
    table = read(path)
    assert 0 in table.categories  # no sample ids, then
    assert samples_in_columns(table)
