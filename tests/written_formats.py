"""Small valid files of the formats of other programs, written by their own libraries or as their specifications say."""

import gzip
import io
import json
import sqlite3
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

COUNTS = np.array([[3, 0, 1], [0, 2, 0], [5, 0, 0], [0, 1, 4]])  # samples x features
SAMPLES = ("s1", "s2", "s3", "s4")
FEATURES = ("g1", "g2", "g3")
SITES = ("gut", "skin", "gut", "skin")


def compressed(matrix: Any) -> dict[str, Any]:
    """Parts of a matrix compressed by its rows."""
    where = [np.flatnonzero(row) for row in matrix]
    return {
        "indptr": np.cumsum([0, *map(len, where)]),
        "indices": np.concatenate(where),
        "data": np.concatenate([row[places] for row, places in zip(matrix, where, strict=True)]),
    }


def _strings(group: Any, key: str, words: Sequence[Any]) -> Any:
    import h5py

    return group.create_dataset(key, data=np.array(words, dtype=object), dtype=h5py.string_dtype())


def write_anndata(path: Path, kind: str = "dense", *, old: bool = False, matrix: Any = COUNTS) -> None:
    """AnnData in the encoding of today, or (``old``) as before 0.8; ``kind``: dense, csr_matrix or csc_matrix."""
    import h5py

    def put(parent: Any, key: str, values: Any) -> None:
        if kind == "dense":
            made = parent.create_dataset(key, data=values)
            made.attrs["encoding-type"] = "array"
            return
        made = parent.create_group(key)
        made.attrs["encoding-type"], made.attrs["shape"] = kind, values.shape
        for name, part in compressed(values if kind == "csr_matrix" else values.T).items():
            made[name] = part

    with h5py.File(path, "w") as file:
        if not old:
            file.attrs["encoding-type"], file.attrs["encoding-version"] = "anndata", "0.1.0"
        put(file, "X", matrix.astype(np.float32))
        put(file.create_group("layers"), "doubled", 2.0 * matrix)
        for key, names, words in (("obs", SAMPLES, SITES), ("var", FEATURES, ("A", "B", "C"))):
            frame = file.create_group(key)
            frame.attrs["encoding-type"], frame.attrs["_index"] = "dataframe", "_index"
            frame.attrs["column-order"] = ["site", "n"] if key == "obs" else ["symbol"]
            _strings(frame, "_index", names)
            if key == "var":
                _strings(frame, "symbol", words)
                continue
            frame["n"] = np.arange(4.0)
            codes = np.array([0, 1, 0, 1], dtype=np.int8)
            if old:
                frame["site"] = codes
                _strings(frame, "__categories/site", ["gut", "skin"])
            else:
                column = frame.create_group("site")
                column.attrs["encoding-type"], column["codes"] = "categorical", codes
                _strings(column, "categories", ["gut", "skin"])


def write_loom(path: Path) -> None:
    """Loom of version 3: genes in rows, attributes of both sides, one layer."""
    import h5py

    with h5py.File(path, "w") as file:
        _strings(file, "attrs/LOOM_SPEC_VERSION", ["3.0.0"])
        file["matrix"] = COUNTS.T.astype(np.float32)
        file["layers/spliced"] = COUNTS.T * 2
        _strings(file, "row_attrs/Gene", FEATURES)
        _strings(file, "row_attrs/Chromosome", ["1", "2", "X"])
        _strings(file, "col_attrs/CellID", SAMPLES)
        _strings(file, "col_attrs/Site", SITES)
        file["col_attrs/Age"] = np.array([1, 2, 3, 4])


def write_gctx(path: Path) -> None:
    """GCTX 1.0, whose matrix HDF5 shows with one sample a row."""
    import h5py

    with h5py.File(path, "w") as file:
        file.attrs["version"] = "GCTX1.0"
        file["0/DATA/0/matrix"] = COUNTS.astype(np.float32)
        file["0/META/ROW/id"] = np.array(FEATURES, dtype="S")
        file["0/META/ROW/pr_gene_symbol"] = np.array(["A", "-666", "C"], dtype="S")
        file["0/META/COL/id"] = np.array(SAMPLES, dtype="S")
        file["0/META/COL/dose"] = np.array([1.0, 10.0, -666, 1.0])
        file["0/META/COL/site"] = np.array(SITES, dtype="S")


def write_biom(path: Path) -> None:
    """BIOM 2.1: counts by observations and by samples, taxonomy and metadata of samples."""
    import h5py

    with h5py.File(path, "w") as file:
        file.attrs["format-version"], file.attrs["nnz"] = (2, 1), np.count_nonzero(COUNTS)
        for axis, names, matrix in (("observation", FEATURES, COUNTS.T), ("sample", SAMPLES, COUNTS)):
            _strings(file, f"{axis}/ids", names)
            for key, part in compressed(matrix).items():
                file[f"{axis}/matrix/{key}"] = part
        _strings(file, "observation/metadata/taxonomy", [["k__Bacteria", f"p__{name}"] for name in FEATURES])
        _strings(file, "sample/metadata/site", SITES)


def biom_json(kind: str = "sparse") -> bytes:
    """BIOM 1.0, sparse or dense."""
    cells = [[j, i, int(COUNTS[i, j])] for i in range(4) for j in range(3) if COUNTS[i, j]]
    made = {
        "id": None,
        "format": "Biological Observation Matrix 1.0.0",
        "type": "OTU table",
        "rows": [{"id": name, "metadata": {"taxonomy": ["k__Bacteria", f"p__{name}"]}} for name in FEATURES],
        "columns": [
            {"id": name, "metadata": {"site": site, "ph": 6.5 + place}}
            for place, (name, site) in enumerate(zip(SAMPLES, SITES, strict=True))
        ],
        "matrix_type": kind,
        "matrix_element_type": "int",
        "shape": [3, 4],
        "data": cells if kind == "sparse" else COUNTS.T.tolist(),
    }
    return json.dumps(made).encode()


def write_tenx(path: Path, *, old: bool = False) -> None:
    """The matrix of Cell Ranger 3, or (``old``) 2 with a group for each genome, in HDF5."""
    import h5py

    with h5py.File(path, "w") as file:
        group = file.create_group("GRCh38" if old else "matrix")
        for key, part in compressed(COUNTS).items():
            group[key] = part
        group["shape"] = np.array([3, 4])
        group["barcodes"] = np.array(["AAC-1", "AAG-1", "AAT-2", "ACC-2"], dtype="S")
        ids = np.array([f"ENSG{name}" for name in FEATURES], dtype="S")
        if old:
            group["genes"], group["gene_names"] = ids, np.array(FEATURES, dtype="S")
        else:
            group["features/id"], group["features/name"] = ids, np.array(FEATURES, dtype="S")
            group["features/feature_type"] = np.array(["Gene Expression"] * 3, dtype="S")


def tenx_files(prefix: str = "", features: str = "features.tsv") -> dict[str, bytes]:
    """The three files of Cell Ranger by their names, packed as it packs them."""
    cells = [f"{j + 1} {i + 1} {COUNTS[i, j]}\n" for i in range(4) for j in range(3) if COUNTS[i, j]]
    head = f"%%MatrixMarket matrix coordinate integer general\n%metadata_json: {{}}\n3 4 {len(cells)}\n"
    texts = {
        "matrix.mtx": head + "".join(cells),
        features: "".join(f"ENSG{name}\t{name}\tGene Expression\n" for name in FEATURES),
        "barcodes.tsv": "".join(f"{name}-1\n" for name in SAMPLES),
    }
    return {f"{prefix}{name}.gz": gzip.compress(text.encode(), mtime=0) for name, text in texts.items()}


def zip_of(parts: Mapping[str, bytes | str]) -> bytes:
    """A zip file of these parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name, part in parts.items():
            target.writestr(name, part)
    return made.getvalue()


GROUPS = (("treated", 0), ("control", 1), ("control", 1), ("treated", 0))


def jamovi_file() -> bytes:
    """A file of jamovi: decimals, whole numbers, labels, a missing value, texts as ids, and a filter."""
    fields = [
        {"name": "who", "dataType": "Text", "measureType": "ID", "type": "string", "columnType": "Data"},
        {"name": "dose", "dataType": "Decimal", "measureType": "Continuous", "type": "number", "description": "in mg"},
        {
            "name": "age",
            "dataType": "Integer",
            "measureType": "Continuous",
            "type": "integer",
            "missingValues": ["== 99"],
        },
        {"name": "mood", "dataType": "Integer", "measureType": "Ordinal", "type": "integer"},
        {"name": "Filter 1", "dataType": "Integer", "measureType": "Nominal", "columnType": "Filter", "active": True},
        {"name": "group", "dataType": "Text", "measureType": "Nominal", "type": "integer"},
    ]
    labels = {
        "mood": {"labels": [[1, "low", "1"], [2, "middle", "2"], [3, "high", "3"]]},
        "group": {"labels": [[0, "treated", "treated"], [1, "control", "control"]]},
    }
    nothing = -(1 << 31)
    data = struct.pack("<4i", 0, 4, 8, 12) + struct.pack("<4d", 1.5, 2.5, float("nan"), 4.5)
    data += struct.pack("<4i", 31, 99, 45, 52) + struct.pack("<4i", 1, 3, nothing, 2)
    data += struct.pack("<4i", 1, 1, 1, 0) + struct.pack("<4i", *(code for _, code in GROUPS))
    return _archive(fields, labels, data, "jamovi-Archive-Version: 11.0", {"strings.bin": b"p01\0p02\0p03\0p04\0"})


def jasp_file() -> bytes:
    """A file of JASP before 0.18."""
    fields = [
        {"name": "dose", "measureType": "Continuous", "type": "number"},
        {"name": "mood", "measureType": "Ordinal", "type": "integer"},
        {"name": "group", "measureType": "NominalText", "type": "integer"},
    ]
    labels = {
        "mood": {"labels": [[1, "low", True], [2, "middle", True], [3, "high", True]]},
        "group": {"labels": [[1, "treated", True], [2, "control", True]]},
    }
    data = struct.pack("<4d", 1.5, 2.5, float("nan"), 4.5) + struct.pack("<4i", 1, 3, -(1 << 31), 2)
    data += struct.pack("<4i", *(code + 1 for _, code in GROUPS))
    return _archive(fields, labels, data, "JASP-Archive-Version: 3.1.0", {"index.html": "<html></html>"})


def _archive(
    fields: list[dict[str, Any]], labels: Mapping[str, Any], data: bytes, version: str, more: Mapping[str, bytes | str]
) -> bytes:
    about = {"dataSet": {"rowCount": 4, "columnCount": len(fields), "fields": fields}}
    manifest = f"Manifest-Version: 1.0\nData-Archive-Version: 1.0.2\n{version}\n"
    parts = {"META-INF/MANIFEST.MF": manifest, "metadata.json": json.dumps(about), "xdata.json": json.dumps(labels)}
    return zip_of({**parts, "data.bin": data, **more})


def newer_jasp_file() -> bytes:
    """A file of JASP 0.18 and later, with a database inside."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE DataSets (id INTEGER PRIMARY KEY); INSERT INTO DataSets VALUES (1);"
        "CREATE TABLE Columns (id INTEGER PRIMARY KEY, dataSet INT, name TEXT, title TEXT, description TEXT, "
        "columnType TEXT, colIdx INT);"
        "CREATE TABLE Labels (id INTEGER PRIMARY KEY, columnId INT, value INT, ordering INT, label TEXT);"
        "CREATE TABLE DataSet_1 (rowNumber INTEGER PRIMARY KEY, Filter_1 INT NOT NULL DEFAULT 1, Column_1_DBL REAL, "
        "Column_1_INT INT, Column_2_DBL REAL, Column_2_INT INT);"
    )
    columns = [(1, 1, "group", "Group", "of treatment", "nominal", 1), (2, 1, "dose", "dose", "", "scale", 0)]
    connection.executemany("INSERT INTO Columns VALUES (?, ?, ?, ?, ?, ?, ?)", columns)
    connection.executemany("INSERT INTO Labels VALUES (?, 1, ?, ?, ?)", [(1, 0, 0, "treated"), (2, 1, 1, "control")])
    doses: list[Any] = [1.5, 2.5, "NaN", 4.5]
    rows = [(i + 1, i != 3, code, code, dose, 0) for i, ((_, code), dose) in enumerate(zip(GROUPS, doses, strict=True))]
    connection.executemany("INSERT INTO DataSet_1 VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    made = bytes(connection.serialize())
    connection.close()
    return zip_of({"manifest.json": "{}", "internal.sqlite": made, "index.html": "<html></html>"})


def database(*, tables: int = 1) -> bytes:
    """A SQLite database of so many tables of samples, and a column of bytes in each."""
    connection = sqlite3.connect(":memory:")
    for number in range(1, tables + 1):
        connection.execute(f'CREATE TABLE "t {number}" (who TEXT, dose REAL, n INTEGER, picture BLOB, grp TEXT)')
        rows = [(f"p{i}", i + 0.5 if i != 2 else None, i * number, b"\0\1", GROUPS[i][0]) for i in range(4)]
        connection.executemany(f'INSERT INTO "t {number}" VALUES (?, ?, ?, ?, ?)', rows)
    connection.commit()
    made = bytes(connection.serialize())
    connection.close()
    return made
