"""Where a file does not say what to predict, this is asked; never the last gene in silence."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from fsdesk.data import QuestionError, Reading, Table, questions, read, read_table
from tests import written_formats as written

N = 40
RNG = np.random.default_rng(11)
X = RNG.normal(8, 1, size=(N, 12)).round(3)
GENES = [f"GENE{place}" for place in range(1, 13)]
SAMPLES = [f"S{row}" for row in range(N)]
KIND = ["case" if row % 3 else "control" for row in range(N)]
SEX = ["f" if row % 2 else "m" for row in range(N)]


def asked(table: Table) -> list[Reading]:
    return list(questions(table.readings, table.default_target, named=False))


def gct(folder: Path) -> Path:
    lines = ["#1.2", f"12\t{N}", "\t".join(["Name", "Description", *SAMPLES])]
    lines += ["\t".join([gene, "na", *map(str, X[:, j])]) for j, gene in enumerate(GENES)]
    (folder / "t.gct").write_text("\n".join(lines) + "\n")
    return folder / "t.gct"


def npz(folder: Path) -> Path:
    np.savez(folder / "t.npz", counts=X, genes=np.array(GENES))
    return folder / "t.npz"


def npy(folder: Path) -> Path:
    np.save(folder / "t.npy", X)
    return folder / "t.npy"


def mat(folder: Path) -> Path:
    savemat(folder / "t.mat", {"data": X})
    return folder / "t.mat"


def csv(folder: Path) -> Path:
    pd.DataFrame(X, SAMPLES, GENES).to_csv(folder / "t.csv", index_label="sample")
    return folder / "t.csv"


def parquet(folder: Path) -> Path:
    pd.DataFrame(X, SAMPLES, GENES).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def h5ad(folder: Path) -> Path:
    """AnnData whose cells have names and nothing else."""
    with h5py.File(folder / "t.h5ad", "w") as file:
        file.attrs["encoding-type"] = "anndata"
        file["X"] = X
        for key, names in (("obs", SAMPLES), ("var", GENES)):
            frame = file.create_group(key)
            frame.attrs["encoding-type"], frame.attrs["_index"] = "dataframe", "_index"
            frame["_index"] = np.array(names, dtype="S")
    return folder / "t.h5ad"


def loom(folder: Path) -> Path:
    with h5py.File(folder / "t.loom", "w") as file:
        file["matrix"] = X.T
        file["row_attrs/Gene"], file["col_attrs/CellID"] = np.array(GENES, "S"), np.array(SAMPLES, "S")
    return folder / "t.loom"


def series(folder: Path) -> Path:
    lines = [
        "!Sample_geo_accession\t" + "\t".join(SAMPLES),
        "!series_matrix_table_begin",
        "\t".join(["ID_REF", *SAMPLES]),
    ]
    lines += ["\t".join([gene, *map(str, X[:, j])]) for j, gene in enumerate(GENES)]
    (folder / "t_series_matrix.txt").write_text("\n".join([*lines, "!series_matrix_table_end"]) + "\n")
    return folder / "t_series_matrix.txt"


@pytest.mark.parametrize("write", [gct, npz, npy, mat, csv, parquet, h5ad, loom, series])
def test_without_labels_the_target_is_asked_and_a_file_of_labels_answers(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    path = write(tmp_path)
    with pytest.raises(QuestionError, match="does not say what to predict"):
        read_table(path)
    (question,) = asked(read(path))
    turned = ["orientation"] if write in (csv, parquet) else []
    assert [answer.option for answer in question.alternatives] == ["target", "labels", *turned]
    last = question.alternatives[0].value
    assert read_table(path, last).response is not None
    labels = tmp_path / "labels.csv"
    labels.write_text("sample,kind\n" + "".join(f"{name},{kind}\n" for name, kind in zip(SAMPLES, KIND, strict=True)))
    by = {"labels_by": "order"} if write in (npz, npy, mat) else {}
    assert read_table(path, labels=str(labels), **by).classes == ("case", "control")


@pytest.mark.parametrize("suffix", [".npy", ".mat"])
def test_a_last_column_of_classes_in_a_matrix_is_no_question(tmp_path: Path, suffix: str) -> None:
    both = np.column_stack([X, np.arange(N) % 2])
    path = tmp_path / f"t{suffix}"
    np.save(path, both) if suffix == ".npy" else savemat(path, {"data": both})
    assert not asked(read(path))
    assert read_table(path).classes == ("0", "1")


@pytest.mark.parametrize("column", ["price", "age", "y"])
def test_a_last_column_with_a_name_of_its_own_is_the_target(tmp_path: Path, column: str) -> None:
    pd.DataFrame(X[:, :6], columns=[*GENES[:5], column]).to_csv(tmp_path / "t.csv", index=False)
    assert read_table(tmp_path / "t.csv").target_name == column


def test_the_last_of_many_genes_with_names_of_their_own_is_no_target_in_silence(tmp_path: Path) -> None:
    letters = [f"{first}{second}" for first in "ABCDE" for second in "KLMNOP"]
    wide = RNG.normal(8, 1, size=(N, 30)).round(3)
    path = tmp_path / "t.csv"
    pd.DataFrame(wide, SAMPLES, letters).to_csv(path, index_label="sample")
    assert [question.kind for question in asked(read(path))] == ["target"]
    for name, last in (("age", wide[:, -1]), ("EP", 60 + 5 * wide[:, -1])):
        frame = pd.DataFrame(wide, SAMPLES, [*letters[:-1], name])
        frame[name] = last
        frame.to_csv(path, index_label="sample")
        assert read_table(path).target_name == name


def test_of_several_descriptions_that_may_be_classes_the_target_is_asked(tmp_path: Path) -> None:
    for count, titles in ((1, {"kind": KIND}), (2, {"kind": KIND, "sex": SEX})):
        path = tmp_path / f"{count}.h5ad"
        h5ad(tmp_path).rename(path)
        with h5py.File(path, "a") as file:
            for title, words in {**titles, "n_counts": X[:, 0], "name": SAMPLES}.items():
                file[f"obs/{title}"] = np.array(words, "S") if isinstance(words, list) else words
        table = read(path)
        found = [answer.value for question in asked(table) for answer in question.alternatives]
        assert found == ([] if count == 1 else [table.default_target, *{"kind", "sex"} - {table.default_target}])
        assert read_table(path, "kind").features == tuple(GENES)


def test_observations_of_numbers_alone_are_asked_about(tmp_path: Path) -> None:
    path = h5ad(tmp_path)
    with h5py.File(path, "a") as file:
        file["obs/n_counts"] = X[:, 0]
    (question,) = asked(read(path))
    assert question.alternatives[0].value == "n_counts"


def test_counts_of_cells_look_like_classes_and_are_none(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", RNG.poisson(0.8, (N, 9)))
    assert [question.kind for question in asked(read(tmp_path / "t.npy"))] == ["target"]
    written.write_loom(tmp_path / "t.loom")
    assert not asked(read(tmp_path / "t.loom"))
