"""Tries all that the program brings: `fsdesk --script` runs this inside it, and Python in what it is made of.

Prints one line for each thing that worked, `name: what came of it`, and one `name: FAILED` for each that did not. Both
have to print the same, so whatever was left out of the frozen program by mistake shows.
"""

from __future__ import annotations

import hashlib
import importlib
import random
import sys
import warnings
from collections.abc import Callable
from functools import cmp_to_key
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

FEW = {"max_measurements": 40}
LANGUAGES = (
    *("en", "de", "sv", "da", "nb", "fi", "zh_CN", "zh_TW", "ja", "ko"),
    *("ru", "uk", "tr", "fr", "es", "cs", "hr", "sr_Latn", "ar", "th"),
)


def tried(name: str, what: Callable[..., object], *values: object, **named: object) -> None:
    """Do one thing and print what came of it."""
    try:
        came = str(what(*values, **named))
    except BaseException as error:  # a module may even end the program as it is imported
        came = f"FAILED: {type(error).__name__}: {error}".splitlines()[0]
    print(f"{name}: {came}", flush=True)


def digest(text: str) -> str:
    """A short name of a long text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def contents(table: Any) -> str:
    """Names and numbers of a table that was read."""
    numbers = np.nan_to_num(table.values).tolist()
    return f"{len(table.rows)} x {len(table.columns)}, {digest(f'{table.columns} {numbers}')}"


def tables(folder: Path) -> list[str]:
    """Write one small table in every format that can be written here, and return the names of the files."""
    import h5py
    import pyreadstat
    import rdata
    import scipy.io
    import xlsxwriter

    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(40, 5)).round(4), np.arange(40) % 2
    x[:, 1] += 3 * y
    frame = pd.DataFrame(x, columns=list("abcde")).assign(kind=np.where(y, "ill", "well"))
    frame.to_csv(folder / "text.csv", index=False)
    frame.to_csv(folder / "packed.csv.gz", index=False)
    frame.to_csv(folder / "packed.csv.xz", index=False)
    frame.to_csv(folder / "packed.csv.bz2", index=False)
    frame.to_csv(folder / "packed.zip", index=False, compression={"method": "zip", "archive_name": "text.csv"})
    frame.to_csv(folder / "german.csv", index=False, sep=";", decimal=",", encoding="cp1252")
    attributes = [*(f"@attribute {name} numeric" for name in "abcde"), "@attribute kind {ill,well}"]
    lines = (folder / "text.csv").read_text().splitlines()[1:]
    (folder / "weka.arff").write_text("\n".join(["@relation t", *attributes, "@data", *lines]))
    rows = (
        " ".join([str(label), *(f"{k + 1}:{v}" for k, v in enumerate(row))]) for label, row in zip(y, x, strict=True)
    )
    (folder / "sparse.libsvm").write_text("\n".join(rows) + "\n")
    scipy.io.savemat(folder / "level5.mat", {"X": x, "Y": y + 1})
    for name in ("cells.h5", "level73.mat"):
        with h5py.File(folder / name, "w") as file:
            file["X"], file["Y"] = (x, y) if name == "cells.h5" else (x.T, y[None] + 1)
    for_r = frame.assign(kind=pd.Categorical(frame["kind"]))
    rdata.write_rds(folder / "one.rds", for_r)
    rdata.write_rda(folder / "some.RData", {"frame": for_r})
    codes = frame.assign(kind=y + 1.0)
    labels: dict[str, dict[int | float, str]] = {"kind": {1: "well", 2: "ill"}}
    pyreadstat.write_sav(codes, folder / "spss.sav", variable_value_labels=labels)
    pyreadstat.write_dta(codes, folder / "stata.dta", variable_value_labels=labels)
    pyreadstat.write_xport(codes, folder / "sas.xpt")
    np.savez(folder / "arrays.npz", X=x, y=y)
    with xlsxwriter.Workbook(folder / "sheet.xlsx") as book:
        sheet = book.add_worksheet()
        for number, row in enumerate([list(frame.columns), *frame.to_numpy().tolist()]):
            sheet.write_row(number, 0, row)
    samples = "\t".join(f"s{number}" for number in range(40))
    genes = "\n".join("\t".join([f"g{k}", "gene", *map(str, x[:, k])]) for k in range(5))
    (folder / "expression.gct").write_text(f"#1.2\n5\t40\nName\tDescription\t{samples}\n{genes}\n")
    return sorted(path.name for path in folder.iterdir())


def modules(names: list[str]) -> None:
    """Import all of them; only those that fail are printed."""
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(f"import {name}: FAILED: {type(error).__name__}", flush=True)
    print(f"imports: {len(names)} tried", flush=True)


def program(folder: Path) -> None:
    """Read every format, search with every method, measure with every wrapper and criterion, export every file."""
    import fsdesk
    from fsdesk.data.readers.registry import read
    from fsdesk.measure import CRITERIA
    from fsdesk.methods import METHODS
    from fsdesk.results.exports import EXPORTS, export, writable
    from fsdesk.wrappers import WRAPPERS

    def reader(name: str) -> str:
        return contents(read(folder / name))

    for name in tables(folder):
        tried(f"reader {name}", reader, name)
    data = fsdesk.read_table(folder / "text.csv")

    def measured(table: Any, **how: Any) -> object:
        every = np.ones(len(table.features), dtype=bool)
        return fsdesk.Evaluator(table, repeats=1, **how).measure(every)

    for wrapper in WRAPPERS:
        tried(f"wrapper {wrapper.name}", measured, data, wrapper=wrapper.name)
    numbers = fsdesk.read_table(folder / "text.csv", target="a", ignore=("kind",))
    for criterion in CRITERIA:
        table = data if criterion.task == "classification" else numbers
        tried(f"criterion {criterion.name}", measured, table, wrapper="cart", criterion=criterion.name)
    results = {}

    def search(method: str) -> str:
        few = {name: value for name, value in FEW.items() if name in METHODS[method].model.model_fields}
        result = results[method] = fsdesk.select(data, method=method, wrapper="nn", seed=1, settings=few)
        return ",".join(result.features)

    for method in METHODS:
        tried(f"method {method.name}", search, method.name)
    result = results.get("bspsa") or results["full"]

    def written(name: str) -> object:
        return [len(path.read_bytes()) > 0 for path in export(result, data, folder / "out", [name])]

    for name in EXPORTS:
        if name in writable(result):
            tried(f"export {name}", written, name)
        else:
            print(f"export {name}: not of this result or this program")


def qt() -> None:
    """Sort words of many scripts as twenty languages do."""
    from PySide6.QtCore import QCollator, QLocale

    draw = random.Random(1)
    letters = "aAbBzZäÄöÖüÜßåÅéèêñçøØæÆłšžčćđğıİlLjJ0123456789 -_ンア日本中国人한글абвгд"
    words = ["".join(draw.choices(letters, k=5)) for _ in range(300)]
    for language in LANGUAGES:
        locale = QLocale(language)
        order = QCollator(locale)
        order.setNumericMode(True)
        ordered = sorted(words, key=cmp_to_key(order.compare))
        tried(f"language {language}", digest, "|".join(ordered) + locale.toUpper("straße iı") + locale.monthName(3))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    names, folder = Path(sys.argv[1]).read_text("utf-8").split(), Path(sys.argv[2])
    folder.mkdir()
    program(folder)
    qt()
    modules(names)
