"""Files of SPSS, Stata and SAS with value and variable labels, through pyreadstat (the ReadStat library).

Our own code interprets labels: a column in which all values have labels is categorical. pyreadstat itself either
replaces values by labels or leaves both to the caller. It runs in a separate process, with limits on memory and time,
because it crashes on damaged files.
"""

import codecs
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from fsdesk.data.dataset import Check, Table
from fsdesk.data.frame import table_of_frame
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers import readstat_child
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.matrices import MOST_CELLS, too_large
from fsdesk.data.readers.reader import Reader
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

_SECONDS, _BYTES_A_SECOND = 120.0, 500_000
_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_TRANSPORT = b"HEADER RECORD*******LIB"
_MEMBER = b"HEADER RECORD*******MEMB"
_STATA_OLD = range(102, 116)  # versions in the first byte; after it the byte order
_MEASURED = ("nominal", "ordinal")
_CATALOGUE = ".sas7bcat"

Labels = Mapping[float | str, str]


def _spss(content: Content) -> bool:
    return content.data.startswith((b"$FL2", b"$FL3")) or b"SPSSPORT" in content.data[:1000]


def _stata(content: Content) -> bool:
    head = content.data[:3]
    old = len(head) == 3 and head[0] in _STATA_OLD and head[1] in (1, 2) and head[2] in (0, 1)
    return content.data.startswith(b"<stata_dta>") or (old and content.name.lower().endswith(".dta"))


def _sas(content: Content) -> bool:
    return content.data.startswith((_SAS, _TRANSPORT))


def _function(content: Content, title: str) -> str:
    """Name of the pyreadstat function for a file."""
    if title == "SPSS":
        return "read_por" if b"SPSSPORT" in content.data[:1000] else "read_sav"
    if title == "Stata":
        return "read_dta"
    return "read_xport" if content.data.startswith(_TRANSPORT) else "read_sas7bdat"


def _reads(title: str) -> Callable[[Content, ReadOptions], Table]:
    """The reader for the files of one program."""

    def read(content: Content, options: ReadOptions) -> Table:
        """Read a table with its labels.

        Columns with value labels contain categories, in the order of their codes; values declared missing in the file
        are missing; variable labels are the table's descriptions. Raises DataError for a file that is damaged, too
        large, or in another encoding than it states.
        """
        return _table(content, title, options)

    return read


def _table(content: Content, title: str, options: ReadOptions) -> Table:
    import pandas as pd

    if find_spec("pyreadstat") is None:
        raise ImportError("pyreadstat")
    told, columns = _parsed(content, title, options)
    labels = {name: dict(map(tuple, pairs)) for name, pairs in told["labels"].items()}
    made: dict[str, Any] = {}
    partly: list[tuple[str, str]] = []
    for name, cells in columns.items():
        own: Labels = labels.get(name, {})
        if own and (levels := levels_of(cells, own, told["measures"].get(name, ""))):
            made[name] = pd.Categorical([levels.get(cell) for cell in _listed(cells)], list(levels.values()))
            continue
        if own and isinstance(cells, np.ndarray):
            present = set(cells.tolist())
            partly += [(name, f"{_code(code)} = {label}") for code, label in own.items() if code in present][:1]
        made[name] = cells if isinstance(cells, np.ndarray) else pd.Series(cells, dtype=object)
    checks = [_partly_labelled(partly)] if partly else []
    if content.data.startswith(_TRANSPORT) and content.data.count(_MEMBER) > 1:
        sentence = message('"{name}" contains several tables; the first one was read.', name=content.name)
        checks.append(Check("part", sentence))
    source = joined(", ", [content.name, title])
    table = table_of_frame(pd.DataFrame(made), content.name, source, options, checks)
    texts = {name: " ".join(text.split()) for name, text in told["titles"].items()}
    return replace(table, descriptions={name: texts[name] for name in table.columns if texts.get(name, name) != name})


def _parsed(content: Content, title: str, options: ReadOptions) -> tuple[dict[str, Any], dict[str, Any]]:
    """The file's information on its columns, and the cells of each: a numeric array, or texts."""
    name, function = content.name, _function(content, title)
    catalogue = _catalogue(content) if function == "read_sas7bdat" else b""
    given = {} if options.encoding == "auto" else {"encoding": codecs.lookup(options.encoding).name.upper()}
    sizes = (len(content.data), len(catalogue))
    question = json.dumps({"function": function, "given": given, "most": MOST_CELLS, "sizes": sizes}).encode()
    asked = b"".join((len(question).to_bytes(8, "little"), question, content.data, catalogue))
    try:
        answered = _asked(asked)
        told, columns = _answer(answered)
    except MemoryError:
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
    except (OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError):  # it crashed or did not end
        raise _refused(name, title, "") from None
    if "too_large" in told:
        raise too_large(name, *told["too_large"])
    if told.get("failed") == "memory":
        raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name)
    if "failed" in told:
        raise _refused(name, title, told["failed"])
    if not columns or not any(map(len, columns.values())):
        raise DataError('"{name}" has no rows. Choose a table that contains data.', name=name)
    return told, columns


def _asked(question: bytes) -> bytes:
    """The answer of a separate process, which damaged files may crash; its time limit depends on the file size."""
    script = Path(readstat_child.__file__)
    command = [sys.executable, "-P", str(script)]
    if getattr(sys, "frozen", False):  # the program of an installer
        command = [sys.executable, "--child", readstat_child.__name__]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # of Windows
    limit = _SECONDS + len(question) / _BYTES_A_SECOND
    done = subprocess.run(
        command, input=question, capture_output=True, timeout=limit, env=environment, creationflags=hidden, check=True
    )
    return done.stdout


def _answer(answered: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    start = 8 + int.from_bytes(answered[:8], "little")
    told = json.loads(answered[8:start])
    columns: dict[str, Any] = {}
    for name, cells in told.get("columns", ()):
        if isinstance(cells, list):
            columns[name] = cells
            continue
        columns[name] = np.frombuffer(answered, "<f8", cells, start)
        start += 8 * cells
    return told, columns


def _listed(cells: Any) -> list[Any]:
    return cells.tolist() if isinstance(cells, np.ndarray) else list(cells)


def levels_of(cells: Any, labels: Labels, measure: str) -> dict[float | str, str]:
    """Category of each code, in order; none if the column contains numbers with only a few labels.

    That is, fewer than half of the occurring values have a label, and the file does not declare the column nominal.
    """
    present = {cell for cell in _listed(cells) if cell is not None and cell == cell}
    named = present & labels.keys()
    if present - named and measure not in _MEASURED and (measure == "scale" or 2 * len(named) < len(present)):
        return {}
    codes = sorted({*present, *labels}, key=lambda code: (isinstance(code, str), code))
    words = {code: " ".join(labels.get(code, "").split()) or _code(code) for code in codes}
    counts = Counter(words.values())
    return {code: f"{word} ({_code(code)})" if counts[word] > 1 else word for code, word in words.items()}


def _code(code: float | str) -> str:
    return f"{code:.15g}" if isinstance(code, int | float) else code.strip()


def _partly_labelled(columns: Sequence[tuple[str, str]]) -> Check:
    sentence = message_many(
        len(columns),
        "{count} column has labels for a few of its values and is read as numbers: {names} (for example {example}). "
        'If such a value means "not measured", declare it missing in the file.',
        "{count} columns have labels for a few of their values and are read as numbers: {names} (for example "
        '{example}). If such a value means "not measured", declare it missing in the file.',
        names=quoted([name for name, _ in columns]),
        example=columns[0][1],
    )
    return Check("labelled numbers", sentence, tuple(name for name, _ in columns))


def _catalogue(content: Content) -> bytes:
    """The label catalog beside a SAS table: with the same name, named formats, or the only one."""
    if content.folder is None:
        return b""
    found = sorted(path for path in content.folder.iterdir() if path.suffix.lower() == _CATALOGUE)
    stem = content.name.lower().rpartition(".")[0]
    named = [path for path in found if path.stem.lower() in (stem, "formats")] or (found if len(found) == 1 else [])
    return named[0].read_bytes() if named else b""


def _refused(name: str, title: str, error: str) -> DataError:
    words = error.lower()
    if "unicode" in words or "encoding" in words or "charset" in words:
        return DataError(
            '"{name}" contains characters that do not match its encoding. Choose the encoding in which {program} '
            "wrote it.",
            name=name,
            program=title,
        )
    return DataError(
        '"{name}" is not a readable {program} file (damaged, or an unusual version). Save it again there, or as CSV.',
        name=name,
        program=title,
    )


def _reader(title: str, suffixes: tuple[str, ...], recognises: Callable[[Content], bool], article: str) -> Reader:
    return Reader(
        title,
        suffixes,
        _reads(title),
        recognises,
        ("encoding", "orientation", "row_ids", "labels", "labels_by", *CELLS),
        has_types=True,
        binary=True,
        library="pyreadstat",
        article=article,
    )


SPSS = _reader("SPSS", (".sav", ".zsav", ".por"), _spss, "a file of SPSS")
STATA = _reader("Stata", (".dta",), _stata, "a file of Stata")
SAS = _reader("SAS", (".sas7bdat", ".xpt"), _sas, "a file of SAS")
