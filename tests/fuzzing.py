"""Damaged and hostile files for every reader, projects and bundles: `python -m tests.fuzzing --inputs 100000`.

Valid files of each format are damaged at random (bits, pieces, sizes in headers) and opened; of projects and bundles
often a part inside of them is, with everything around it made right again. The answer must be what is in the file or a
sentence, within 10 seconds and 2 GB of address space above the start. Each reader runs in processes of its own,
so that one that dies is found; the input at fault is kept. What was found stands in `tests/unit/data/test_hostile.py`.
`--lines FILE` adds a line for each process to a file, and `--show FILE` prints the table of all its lines.
"""

import argparse
import contextlib
import gzip
import io
import json
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fsdesk.data import read
from fsdesk.errors import UserError
from fsdesk.results.sealed import opened as opened_bundle
from fsdesk.results.sealing import MANIFEST, zipped
from fsdesk.results.verify import verified
from fsdesk.store import SUFFIX, Project
from tests import written_formats as written

if TYPE_CHECKING:
    import pandas as pd

SECONDS, BYTES = 10, 2 << 30
OF_R = ("ExpressionSet", "SingleCellExperiment", "phyloseq")
A_PROCESS = 10_000
SIZES = (0, 1, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF)
WORDS = (
    b'"', b"'", b",", b";", b"\t", b"\n", b"\r", b"\0", b"{", b"}", b"%", b"@data", b"@attribute a {x,y}\n", b"1e999",
    b"nan", b"99999999999999999999", b"-1", b"0:1", b"2147483648:1", b"qid:1", b"\xff\xfe", b"\xef\xbb\xbf", b"sep=,\n",
    b"!series_matrix_table_end", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"<row r=\"1048576\">", b"XFD1048576",
)  # fmt: skip

TABLE = [[1.5, 2.0, 3.25], [4.0, -5.5, 6.0], [7.0, 8.0, 9.5], [0.5, 1.0, 2.0]]


def text_seeds() -> dict[str, list[bytes]]:
    """Valid files of the formats that are text."""
    rows = "".join(f"p{i},{a},{b},{c},{'xy'[i % 2]}\n" for i, (a, b, c) in enumerate(TABLE))
    sparse = "{0 1.5, 2 3}\n{1 2, 3 'b c'}\n{}\n"
    head = "@relation r\n@attribute a numeric\n@attribute 'b b' real\n@attribute c integer\n@attribute k {a,'b c'}\n"
    genes = "".join(f"g{j}\tsaid {j}\t{j}.5\t{j * 2}\t-{j}.25\n" for j in range(4))
    geo = "".join(f'"g{j}"\t{j}.5\t{j * 2}\t-{j}\n' for j in range(4))
    return {
        ".csv": [
            f"id,a,b,c,class\n{rows}".encode(),
            b'"a";"b";"k"\n1,5;2,25;"u v"\n3,5;;"w"\n"4";NA;"u v"\n',
            "größe\tk\n1\té\n2\tü\n".encode("utf-16"),
        ],
        ".arff": [f"{head}@data\n1,2,3,a\n4,?,6,'b c'\n".encode(), f"{head}@data\n{sparse}".encode()],
        ".adat": [
            b"!Checksum\t1\n^HEADER\n^TABLE_BEGIN\n\t\t\tSeqId\t1-2\t3-4\n\t\t\tTarget\tA\tB\n"
            b"PlateId\tSampleId\tSampleType\t\t\t\n"
            + b"".join(b"P%d\tS%d\tSample\t\t%d.5\t%d.1\n" % (k % 2, k, k, 9 - k) for k in range(8))
        ],
        ".gct": [
            f"#1.2\n4\t3\nName\tDescription\ts1\ts2\ts3\n{genes}".encode(),
            f"#1.3\n4\t3\t1\t1\nid\tabout\ts1\ts2\ts3\nill\tna\ty\tn\ty\n{genes}".encode(),
        ],
        ".json": [
            b'[{"a": 1.5, "b": null, "k": "u"}, {"a": 2, "b": -3e2, "k": "v"}, {"a": 4, "k": "u"}]',
            b'{"meta": {"n": 3}, "data": [{"a": 1, "k": "u"}, {"a": 2, "k": "v"}, {"a": 3, "k": "u"}]}',
            b'{"a": [1, 2, 3.5], "b": [true, false, true], "k": ["u", "v", "u"]}',
            b'{"a": 1, "k": "u"}\n{"a": 2, "k": "v"}\n{"a": 3, "k": "u"}\n',
        ],
        ".names": [
            b"x, y. | classes\na: continuous.\nb: continuous.\nk: u,\n  v.\n",
            b"k.\na: label.\nb: ignore.\nk: u, v.\nl: x, y.\n",
        ],
        ".cls": [b"4 2 1\n# ill well\n0 1 0 1\n", b"#numeric\n#AGE\n40 50.5 60 70\n"],
        ".html": [
            b"<html><body><table><tr><th>a</th><th>b</th><th>k</th></tr><tr><td>1.5</td><td>2</td><td>u &amp; v</td>"
            b"</tr><tr><td>2.5</td><td colspan=2>3</td></tr><tr><td>4</td><td>5</td><td>w</td></tr></table></html>"
        ],
        "_series_matrix.txt": [
            b'!Series_title\t"t"\n!Sample_title\t"a"\t"b"\t"c"\n!Sample_characteristics_ch1\t"k: x"\t"k: y"\t"k: x"\n'
            b'!series_matrix_table_begin\n"ID_REF"\t"s1"\t"s2"\t"s3"\n' + geo.encode() + b"!series_matrix_table_end\n"
        ],
        ".libsvm": [b"1 1:0.5 3:2\n-1 2:1.5 # note\n1 qid:3 1:4\n", b"0 0:1 7:2\n1 0:3\n"],
    }


def binary_seeds() -> dict[str, list[bytes]]:
    """Valid files of the formats that their libraries write; those of libraries that are missing are left out."""
    import pandas as pd
    import scipy.io
    import scipy.sparse

    x, y = np.array(TABLE), np.array([0.0, 1, 0, 1])
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(k=["x", "y", "x", "y"])
    found: dict[str, list[bytes]] = {".mat": []}
    names = np.array(["u", "v", "w", "z"], dtype=object).reshape(-1, 1)
    for variables, options in (
        ({"X": x, "Y": names}, {"do_compression": False}),
        ({"X": scipy.sparse.csc_matrix(x), "Y": y}, {"do_compression": False}),
        ({"X": x, "s": {"a": x, "b": "text"}, "Y": y.astype(np.uint8)}, {"do_compression": False}),
        ({"X": x, "Y": y}, {"do_compression": True}),
        ({"X": x, "Y": y}, {"format": "4"}),
    ):
        found[".mat"].append(_of_file(lambda path, v=variables, o=options: scipy.io.savemat(path, v, **o), ".mat"))
    found[".xlsx"] = [_of_file(lambda path: frame.to_excel(path, index=False, engine="xlsxwriter"), ".xlsx")]
    found[".ods"] = [_opendocument(frame)]
    found[".xls"] = [_excel_97(frame)]
    with contextlib.suppress(ImportError):
        import pyarrow  # noqa: F401

        found[".parquet"] = [_of_file(lambda path: frame.to_parquet(path, compression=None), ".parquet")]
        found[".parquet"].append(_of_file(lambda path: frame.to_parquet(path), ".parquet"))
        categories = frame.assign(k=pd.Categorical(frame["k"]))
        found[".feather"] = [_of_file(lambda path: categories.to_feather(path, compression="uncompressed"), ".feather")]
        found[".feather"].append(_of_file(lambda path: categories.to_feather(path, compression="zstd"), ".feather"))
    with contextlib.suppress(ImportError):
        import h5py

        def hdf5(path: Path) -> None:
            with h5py.File(path, "w") as file:
                file["X"], file["Y"] = x, y
                group = file.create_group("more")
                group["M"] = x.astype(np.int32)
                group["labels"] = np.array(["u", "v", "w", "z"], dtype=h5py.string_dtype())

        def chunked(path: Path) -> None:
            with h5py.File(path, "w") as file:
                file.create_dataset("X", data=x, chunks=(2, 3), compression="gzip")
                file["Y"] = y

        found[".h5"] = [_of_file(hdf5, ".h5"), _of_file(chunked, ".h5")]
    with contextlib.suppress(ImportError):
        import rdata

        frame["k"] = pd.Categorical(["x", "y", "x", "y"])
        golden = Path(__file__).with_name("golden") / "r"
        found[".rds"] = [
            _of_file(lambda path: rdata.write_rds(path, frame, compression=None), ".rds"),
            _of_file(lambda path: rdata.write_rds(path, {"x": x, "y": y}, compression=None), ".rds"),
            _of_file(lambda path: rdata.write_rda(path, {"x": x, "y": y}, compression=None), ".rda"),
            *(gzip.decompress((golden / f"{kind}.rds").read_bytes()) for kind in OF_R),
        ]
    found |= _of_statistics(frame) | _of_cells()
    found[".npy"], found[".npz"] = _of_numpy(x)
    found[".sqlite"] = [written.database()]
    found[".jasp"] = [written.jasp_file(), written.newer_jasp_file()]
    found[".omv"] = [written.jamovi_file()]
    csv = text_seeds()[".csv"][0]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("table.csv", csv)
    found[".csv.gz"] = [gzip.compress(csv), packed.getvalue()]
    return found


def _of_statistics(frame: "pd.DataFrame") -> dict[str, list[bytes]]:
    """Files of SPSS, Stata and SAS with labels; there is no library that writes .sas7bdat."""
    try:
        import pyreadstat
    except ImportError:
        return {}
    plain = frame.assign(k=[1.0, 2, 1, 9], word=["x", "y", "", "z"])
    told: dict[str, Any] = {"column_labels": ["of a", "", "", "kind", ""]}
    labels = {"k": {1: "one", 2: "two"}}

    def sav(path: Path, **options: object) -> None:
        pyreadstat.write_sav(plain, path, variable_value_labels=labels, missing_ranges={"k": [9]}, **told, **options)

    portable = plain.rename(columns=str.upper)
    return {
        ".sav": [  # three formats, told apart by their content
            _of_file(sav, ".sav"),
            _of_file(lambda path: sav(path, row_compress=True), ".sav"),
            _of_file(lambda path: sav(path, compress=True), ".zsav"),
            _of_file(lambda path: pyreadstat.write_por(portable, path), ".por"),
        ],
        ".dta": [
            _of_file(
                lambda path, v=v: pyreadstat.write_dta(plain, path, variable_value_labels=labels, version=v), ".dta"
            )
            for v in (8, 15)
        ],
        ".xpt": [
            _of_file(lambda path, v=v: pyreadstat.write_xport(plain, path, file_format_version=v), ".xpt")
            for v in (5, 8)
        ],
    }


def _of_cells() -> dict[str, list[bytes]]:
    """Files of cells and microbes in HDF5, and the texts of some of them."""
    found = {".biom": [written.biom_json(), written.biom_json("dense")], ".mtx": [written.zip_of(written.tenx_files())]}
    with contextlib.suppress(ImportError):
        kinds = ("dense", "csr_matrix", "csc_matrix")
        found[".h5ad"] = [_of_file(lambda path, k=k: written.write_anndata(path, k), ".h5ad") for k in kinds]
        found[".h5ad"].append(_of_file(lambda path: written.write_anndata(path, old=True), ".h5ad"))
        found[".loom"] = [_of_file(written.write_loom, ".loom")]
        found[".gctx"] = [_of_file(written.write_gctx, ".gctx")]
        found[".biom"].append(_of_file(written.write_biom, ".biom"))
        found["_bc_matrix.h5"] = [
            _of_file(lambda path, old=old: written.write_tenx(path, old=old), ".h5") for old in (False, True)
        ]
    return found


def _of_numpy(x: Any) -> tuple[list[bytes], list[bytes]]:
    words = np.array(["u", "v", "w", "z"])
    records = np.array([(1, 2.5, "a"), (2, 3.5, "b")], dtype=[("i", "i4"), ("v", "f8"), ("k", "U3")])
    plain = [
        _of_file(lambda path, each=each: np.save(path, each), ".npy") for each in (x, np.asfortranarray(x), records)
    ]
    return plain, [_of_file(lambda path: np.savez(path, X=x, y=words, n=records), ".npz")]


def _opendocument(frame: "pd.DataFrame") -> bytes:
    """An OpenDocument sheet of a frame."""
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    names = "".join(f'xmlns:{short}="{office}{short}:1.0" ' for short in ("office", "table", "text"))

    def cell(value: object) -> str:
        kind = 'string"' if isinstance(value, str) else f'float" office:value="{value}"'
        return f'<table:table-cell office:value-type="{kind}><text:p>{value}</text:p></table:table-cell>'

    lines = [list(frame.columns), *frame.to_numpy().tolist()]
    rows = "".join(f"<table:table-row>{''.join(map(cell, line))}</table:table-row>" for line in lines)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as target:
        target.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        target.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{office}manifest:1.0"><manifest:file-entry manifest:full-path="/" '
            'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
        )
        target.writestr(
            "content.xml",
            f'<office:document-content {names}><office:body><office:spreadsheet><table:table table:name="s">{rows}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return made.getvalue()


def _excel_97(frame: "pd.DataFrame") -> bytes:
    """A sheet of a frame as Excel 97 wrote it, its cells in records of several kinds."""
    lines = [list(frame.columns), *frame.to_numpy().tolist()]
    texts = sorted({value for line in lines for value in line if isinstance(value, str)})

    def cell(row: int, column: int, value: object) -> bytes:
        if isinstance(value, str) and row:
            return xls_record(0xFD, "HHHI", row, column, 0, texts.index(value))
        if isinstance(value, str):
            return xls_record(0x204, "HHHHB", row, column, 0, len(value), 0, text=value)
        if column == 1:
            return xls_record(0x06, "HHHdHIHBd", row, column, 0, value, 0, 0, 9, 0x1F, value)
        return xls_record(0x203, "HHHd", row, column, 0, value)

    size = xls_record(0x200, "IIHHH", 0, len(lines), 0, len(lines[0]), 0)
    cells = b"".join(cell(row, column, value) for row, line in enumerate(lines) for column, value in enumerate(line))
    return excel_97([size + cells], xls_texts(texts))


def xls_record(kind: int, form: str = "", *values: object, text: str = "") -> bytes:
    """A record of a workbook of Excel 97."""
    content = struct.pack(f"<{form}", *values) + text.encode("latin-1")
    return struct.pack("<HH", kind, len(content)) + content


def xls_texts(texts: list[str]) -> bytes:
    """The record of the texts that cells share."""
    shared = "".join(struct.pack("<HB", len(text), 0).decode("latin-1") + text for text in texts)
    return xls_record(0xFC, "II", len(texts), len(texts), text=shared)


def excel_97(sheets: list[bytes], shared: bytes = b"") -> bytes:
    """A workbook of Excel 97: the records of its sheets in one stream, and the file system of that stream around it."""
    unused, end, table = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    parts = [xls_record(0x809, "HHII", 0x600, 0x10, 0, 0) + sheet + xls_record(0x0A) for sheet in sheets]

    def book(start: int) -> bytes:
        places = [start + sum(map(len, parts[:place])) for place in range(len(parts))]
        about = b"".join(xls_record(0x85, "IHBB", at, 0, 2, 0, text=f"s{n % 10}") for n, at in enumerate(places))
        return (
            xls_record(0x809, "HHII", 0x600, 5, 0, 0) + xls_record(0x42, "H", 1200) + about + shared + xls_record(0x0A)
        )

    def entry(name: str, kind: int, start: int, size: int, child: int) -> bytes:
        about = struct.pack("<HBBIII", 2 * len(name) + 2, kind, 1, unused, unused, child)
        return name.encode("utf-16-le").ljust(64, b"\0") + about + struct.pack("<36xIQ", start, size)

    stream = b"".join([book(len(book(0))), *parts]).ljust(4096, b"\0")  # shorter ones lie elsewhere
    stream += bytes(-len(stream) % 512)
    count = len(stream) // 512
    tables = -(-(count + 2) // 127)
    head = struct.pack("<8s16x5H6x10I", bytes.fromhex("d0cf11e0a1b11ae1"), 0x3E, 3, 0xFFFE, 9, 6,
                       0, tables, tables, 0, 4096, end, 0, end, 0, 0)  # fmt: skip
    head = head[:76] + struct.pack(f"<{tables}I", *range(tables))
    first = tables + 1
    follows = [*[table] * tables, end, *range(first + 1, first + count), end]
    sectors = struct.pack(f"<{len(follows)}I", *follows).ljust(512 * tables, b"\xff")
    directory = entry("Root Entry", 5, end, 0, 1) + entry("Workbook", 2, first, len(stream), unused) + bytes(256)
    return head.ljust(512, b"\xff") + sectors + directory + stream


def _of_file(write: Callable[[Path], object], suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"seed{suffix}"
        write(path)
        return path.read_bytes()


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """A file with one to four kinds of damage; often it is a part of it, and what is around fits again."""
    if content[:4] == b"PK\3\4" and rng.random() < 0.7:
        return _inside_zip(content, rng)
    if content[:6] == b"SQLite" and b"dataset_block" in content and rng.random() < 0.7:
        return _inside_project(content, rng)
    if content[:2] == b"\x1f\x8b" and rng.random() < 0.7:
        return gzip.compress(damaged(gzip.decompress(content), rng), 1)
    made = bytearray(content)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(0, len(made) + 1))
        length = int(rng.integers(1, 40))
        kind = int(rng.integers(0, 8))
        if kind == 0 and made:
            made[min(at, len(made) - 1)] ^= 1 << int(rng.integers(0, 8))
        elif kind == 1 and made:
            made[min(at, len(made) - 1)] = int(rng.integers(0, 256))
        elif kind == 2:
            end = len(made) if rng.random() < 0.3 else at + length
            del made[at:end]
        elif kind == 3:
            made[at:at] = made[at : at + length] * int(rng.integers(1, 4))
        elif kind == 4:
            made[at:at] = rng.integers(0, 256, length, dtype=np.uint8).tobytes()
        elif kind == 5:
            made[at:at] = WORDS[int(rng.integers(len(WORDS)))]
        else:
            size = SIZES[int(rng.integers(len(SIZES)))]
            form = ("<I", ">I", "<Q", ">Q", "<H", ">H")[int(rng.integers(6))]
            packed = struct.pack(form, size & ((1 << 8 * struct.calcsize(form)) - 1))
            place = at // 4 * 4 if rng.random() < 0.5 else at
            made[place : place + len(packed)] = packed
    return bytes(made)


def _inside_zip(content: bytes, rng: np.random.Generator) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(made, "w") as target:
        parts = source.namelist()
        if MANIFEST in parts and "log.jsonl" in parts:
            return _inside_bundle({part: source.read(part) for part in parts}, rng)
        chosen = parts[int(rng.integers(len(parts)))]
        for part in parts:
            inner = source.read(part)
            target.writestr(part, damaged(inner, rng) if part == chosen and inner[:4] != b"PK\3\4" else inner)
    return made.getvalue()


def _inside_bundle(parts: dict[str, bytes], rng: np.random.Generator) -> bytes:
    """Damage a part that says something, and make a manifest that fits."""
    del parts[MANIFEST]
    chosen = [name for name in parts if name in ("run.json", "log.jsonl") or name.startswith("data/")]
    name = chosen[int(rng.integers(len(chosen)))]
    return zipped({**parts, name: damaged(parts[name], rng)})


_CELLS = {
    "dataset": ("meta", "target"),
    "dataset_block": ("data", "first_column"),
    "run": ("spec", "fingerprint"),
    "event": ("data", "kind"),
    "evidence": ("data", "kind"),
    "kept": ("data",),
    "listing": ("name", "colour"),
    "summary": ("data", "events"),
    "finding": ("data",),
}


def _inside_project(content: bytes, rng: np.random.Generator) -> bytes:
    """Damage a cell of a table, or what is compressed in it."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(content)
        filled = [name for name in _CELLS if connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]
        table = filled[int(rng.integers(len(filled)))]
        column = _CELLS[table][int(rng.integers(len(_CELLS[table])))]
        cells = connection.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall()
        (cell,) = cells[int(rng.integers(len(cells)))]
        if isinstance(cell, bytes):
            with contextlib.suppress(zlib.error):
                now: object = zlib.compress(damaged(zlib.decompress(cell), rng))
            if rng.random() < 0.02:
                now = zlib.compress(bytes(int(rng.choice([1 << 20, 1 << 29]))))  # unpacks to far more than it is
            if column == "target":
                now = damaged(cell, rng)
        elif isinstance(cell, str):
            now = damaged(cell.encode(), rng).decode(errors="replace")
        else:
            now = int(rng.choice([-1, 0, 1 << 31, (1 << 63) - 1]))
        with contextlib.suppress(sqlite3.IntegrityError):  # SQLite itself allows no such thing
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (now, cell))
            connection.commit()
        return bytes(connection.serialize())
    finally:
        connection.close()


def opened(path: Path) -> str:
    """Open a file as a person would: "read" or "refused"; anything else goes up."""
    try:
        if path.suffix == SUFFIX:
            _look_through(path)
        elif path.suffix == ".zip":
            bundle = opened_bundle(path)
            return "refused" if verified(bundle, None, 0.5).fails else "read"
        else:
            if path.suffix == ".names":  # it tells of the rows beside it
                path.with_suffix(".data").write_bytes(b"1.5,2,u,x\n3,?,v,y\n0.5,4,u,y.\n")
            read(path)
    except UserError as error:
        sentence = str(error)
        assert sentence.endswith("."), sentence
        return "refused"
    return "read"


def _look_through(path: Path) -> None:
    """Read all that a project holds."""
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    project = Project.open(path)
    try:
        for fingerprint in project.datasets():
            project.dataset(fingerprint)
        project.listings()
        for run in project.runs():
            project.summed_up(run.id)
            project.state(run.id)
            project.evidence(run.id)
            project.findings(run.id, b"")
        project.kept("annotations")
    finally:
        project.close()


def sealed_seeds() -> dict[str, list[bytes]]:
    """Projects and bundles of earlier versions."""
    golden = Path(__file__).with_name("golden")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copyfile(golden / "0.1.0.fsdesk", Path(folder) / "seed.fsdesk"))
        project = Project.open(path)
        for run in project.runs():
            project.summed_up(run.id)
        project.keep("annotations", {"descriptions": {"a": "text"}})
        project.close()
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = DELETE")  # what is only in memory has no other
        connection.close()
        made = path.read_bytes()
    return {SUFFIX: [made], ".zip": [(golden / "0.1.0-steered.zip").read_bytes()]}


SUFFIXES = (
    ".csv",
    ".json",
    ".arff",
    ".adat",
    ".gct",
    "_series_matrix.txt",
    ".names",
    ".cls",
    ".html",
    ".libsvm",
    ".mat",
    ".xlsx",
    ".ods",
    ".xls",
    ".parquet",
    ".h5",
)
SUFFIXES += (".sav", ".dta", ".xpt", ".feather", ".npy", ".npz", ".sqlite", ".jasp", ".omv", ".mtx")
SUFFIXES += (".h5ad", ".loom", ".gctx", ".biom", "_bc_matrix.h5", ".rds", ".csv.gz", ".fsdesk", ".zip")
"""All ends of names of which there are seeds, where no library is missing."""


@cache
def seeds() -> dict[str, list[bytes]]:
    """Valid files by the end of their names."""
    return text_seeds() | binary_seeds() | sealed_seeds()


def worker(suffix: str, first: int, count: int, folder: Path) -> None:
    """Open inputs number ``first`` and following; an input at fault is kept, with the traceback beside it."""
    warnings.simplefilter("ignore")
    contents = seeds()[suffix]
    path = folder / f"input{suffix}"
    path.write_bytes(contents[0])
    opened(path)  # what is imported once
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, resource.RLIM_INFINITY))
    counts, waited = {"read": 0, "refused": 0}, list[int]()

    def ring(*_: object) -> None:
        """End what hangs without computing; who was stopped meanwhile gets the time again, once."""
        if number in waited:
            raise TimeoutError(number)
        waited.append(number)
        signal.alarm(20 * SECONDS)

    signal.signal(signal.SIGALRM, ring)
    for number in range(first, first + count):
        rng = np.random.default_rng(number)
        path.write_bytes(damaged(contents[number % len(contents)], rng))
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # processor time: a busy machine is no fault
        signal.alarm(20 * SECONDS)
        try:
            counts[opened(path)] += 1
        except BaseException:
            (folder / f"fault-{number}{suffix}").write_bytes(path.read_bytes())
            (folder / f"fault-{number}{suffix}.txt").write_text(traceback.format_exc(), encoding="utf-8")
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
    print(counts["read"], counts["refused"])


def turn(suffix: str, first: int, count: int, keep: Path) -> dict[str, Any]:
    """Open so many inputs in a process of its own, and say how it went."""
    started = time.monotonic()
    command = [sys.executable, "-m", "tests.fuzzing", "--keep", str(keep), "--worker", suffix, str(first), str(count)]
    done = subprocess.run(command, capture_output=True, text=True)
    read_, refused = map(int, done.stdout.split()) if done.returncode == 0 else (0, 0)
    if done.returncode:
        name, last = f"died-{first}{suffix}", keep / f"input{suffix}"
        if last.is_file():  # else it died before the first input
            (keep / name).write_bytes(last.read_bytes())
        (keep / f"{name}.txt").write_text(f"exit code {done.returncode}\n{done.stderr[-4000:]}", "utf-8")
    said = {"suffix": suffix, "first": first, "read": read_, "refused": refused, "died": int(done.returncode != 0)}
    faults = 0 if done.returncode else count - read_ - refused
    return {**said, "faults": faults, "seconds": round(time.monotonic() - started)}


def show(lines: list[dict[str, Any]]) -> None:
    """Print the table."""
    print(f"Faults: {sum(line['faults'] for line in lines)}. Died: {sum(line['died'] for line in lines)}.")
    print("| reader | read of inputs |\n| --- | ---: |")
    for suffix in dict.fromkeys(line["suffix"] for line in lines):
        own = [line for line in lines if line["suffix"] == suffix]
        read = sum(line["read"] for line in own)
        inputs = sum(line[outcome] for line in own for outcome in ("read", "refused", "faults"))
        print(f"| {suffix} | {read:,} of {inputs:,} |")


def main() -> None:
    """Open damaged files of every reader, in turns, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000, help="for each reader")
    parser.add_argument("--only", default="", help="suffixes, such as .csv,.mat")
    parser.add_argument("--first", type=int, default=0, help="number of the first input: others are others")
    parser.add_argument("--keep", type=Path, default=Path(".build/fuzzing"), help="folder for the inputs at fault")
    parser.add_argument("--lines", type=Path, help="file of lines to add to")
    parser.add_argument("--show", type=Path, help="print the table of such a file")
    parser.add_argument("--worker", nargs=3, default=None, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.show:
        show([json.loads(line) for line in asked.show.read_text("utf-8").splitlines()])
        return
    asked.keep.mkdir(parents=True, exist_ok=True)
    if asked.worker:
        worker(asked.worker[0], int(asked.worker[1]), int(asked.worker[2]), asked.keep)
        return
    suffixes = [each for each in asked.only.split(",") if each] or list(seeds())
    for first in range(asked.first, asked.first + asked.inputs, A_PROCESS):
        for suffix in suffixes:
            line = json.dumps(turn(suffix, first, min(A_PROCESS, asked.first + asked.inputs - first), asked.keep))
            print(line, flush=True)
            if asked.lines:
                with asked.lines.open("a", encoding="utf-8") as file:
                    file.write(f"{line}\n")


if __name__ == "__main__":
    main()
