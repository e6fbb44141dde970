"""R's serialized objects as plain values of Python, through the rdata library.

Objects that rdata does not know are skipped by our own code, so that a table beside them can be used.
"""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from fsdesk.data.readers.readstat import levels_of

WORKSPACES = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")
OBJECTS = (b"X\n\0\0\0\2", b"X\n\0\0\0\3", b"A\n2\n", b"A\n3\n", b"B\n\2\0\0\0", b"B\n\3\0\0\0")
_XDR = (b"RDX2\n", b"RDX3\n", b"X\n\0\0\0")
_LONGEST_COUNT = 1 << 24  # for 1:n, which R stores as two numbers
_DEEPEST = 50_000  # frames of Python; a workspace of n objects takes n of them
_NULL = "\1NULL\1"  # of a slot

_KINDS = {
    "CLO": "function", "SPECIAL": "function", "BUILTIN": "function", "BCODE": "bytecode", "LANG": "call",
    "ATTRLANG": "call", "EXPR": "expression", "EXTPTR": "external pointer", "DOT": "...", "ATTRLIST": "pairlist",
    "BCREPDEF": "bytecode", "BCREPREF": "bytecode", "NAMESPACE": "namespace", "GLOBALENV": "environment",
    "BASEENV": "environment", "EMPTYENV": "environment", "MISSINGARG": "missing argument",
}  # fmt: skip
"""R's words for objects without values, by rdata's type."""


def objects(data: bytes) -> tuple[Any, dict[str, str]]:
    """The objects of a file, and the variable labels of its data frames by column name.

    Workspaces, lists, pairlists and environments are dictionaries by name, or lists without names; data frames are
    DataFrames; factors Categoricals; matrices with names DataArrays; S4 objects, and objects without values such as
    functions, are namespaces with the slots and the ``class``. Raises an exception for damaged files, RecursionError
    for objects nested too deeply.
    """
    import rdata

    if not data.startswith((*WORKSPACES, *OBJECTS)):  # rdata would unpack doubly packed data, however large
        raise ValueError("no mark of R")
    with warnings.catch_warnings(), _deep_recursion():
        warnings.simplefilter("ignore")  # for unknown R classes, whose plain content is sufficient
        parsed = _parsed(data)
        _simplify(parsed.object, unmarked=parsed.extra.encoding is None)
        titles = dict(_titles(parsed.object))
        return rdata.conversion.convert(parsed, _makers()), titles


def class_of(value: Any) -> str:
    """R's class of a value from :func:`objects`, as far as it is known."""
    import pandas as pd

    if isinstance(value, SimpleNamespace):
        found = np.atleast_1d(np.asarray(vars(value).get("class", "S4"), dtype=object))
        return str(found[0]) if found.size else "S4"
    if isinstance(value, pd.DataFrame):
        return "data.frame"
    if isinstance(value, pd.Categorical):
        return "factor"
    if isinstance(value, dict | list):
        return "list"
    kind = getattr(getattr(value, "dtype", None), "kind", "O")
    named = {"b": "logical", "i": "integer", "f": "numeric", "c": "complex", "U": "character", "O": "character"}
    return "NULL" if value is None else named.get(kind, "object")


def slots(value: Any) -> dict[str, Any]:
    """Slots of an S4 object; empty for all other values, and None for slots that are NULL."""
    if not isinstance(value, SimpleNamespace):
        return {}
    return {key: None if isinstance(each, str) and each == _NULL else each for key, each in vars(value).items()}


def names_of(matrix: Any) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Names of the rows and columns of a DataArray; None for those without, which xarray would count from 0."""
    first, second = (
        tuple(map(str, matrix.coords[side].to_numpy())) if side in matrix.coords else None for side in matrix.dims
    )
    return first, second


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow the deep recursion of rdata over long pairlists; calls between Python functions take no C stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _parsed(data: bytes) -> Any:
    """The tree of objects; in R's default format, it includes those that rdata does not know."""
    from rdata import parser

    from fsdesk.data.readers.r_parser import ObjectParser

    altreps = _bounded(parser.DEFAULT_ALTREP_MAP)
    mark = next((mark for mark in _XDR if data.startswith(mark)), None)
    if mark is None:
        extension = None if data.startswith(WORKSPACES) else ".rds"
        return parser.parse_data(data, altrep_constructor_dict=altreps, extension=extension)
    start = len(mark) + 2 if mark.startswith(b"RDX") else 2
    if data[start - 2 : start] != b"X\n":
        raise ValueError("form of a workspace")
    reader = ObjectParser(memoryview(data)[start:], expand_altrep=True, altrep_constructor_dict=altreps)
    found = reader.parse_all()
    reader.check_complete()
    return found


def _simplify(root: Any, *, unmarked: bool) -> None:
    """Reduce the tree of objects to what has values, in place and without recursion.

    Promises become their values; functions, calls, pointers and the like become objects without slots; environments and
    pairlists become lists. Repeated names of a list are numbered. ``unmarked``: the file does not tell the encoding of
    texts that are not marked, which is UTF-8 or Latin 1.
    """
    from rdata.parser import CharFlags
    from rdata.parser import RObjectType as Kind

    from fsdesk.data.readers.r_parser import unread

    known = CharFlags.UTF8 | CharFlags.LATIN1 | CharFlags.ASCII | CharFlags.BYTES
    kinds = {getattr(Kind, name): words for name, words in _KINDS.items() if hasattr(Kind, name)}
    seen: set[int] = set()
    ahead = [root]
    while ahead:
        node = ahead.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        kind = node.info.type
        if kind is Kind.CHAR:
            if unmarked and node.value is not None and not node.info.gp & known:
                node.info.gp |= CharFlags.UTF8 if _is_utf8(node.value) else CharFlags.LATIN1
            continue
        if kind is Kind.PROM:
            value = node.value[0]
            seen.discard(id(node))
            node.__dict__.update({**vars(value), "info": value.info})
            ahead.append(node)
            continue
        if kind in kinds:
            own = _attributes(node).get("class")
            words = [_word(each) for each in own.value[:1]] if own is not None and isinstance(own.value, list) else []
            node.__dict__.update(vars(unread(words[0] if words and words[0] else kinds[kind])))
            continue
        if kind is Kind.ENV:
            inner = node.value
            chains = [inner.frame, *(inner.hash_table.value or [] if inner.hash_table is not None else [])]
            _be_list(node, [cell for chain in chains for cell in _cells(chain)])
        elif kind is Kind.LIST:
            _be_list(node, list(_cells(node)))
        if node.info.type is Kind.VEC:
            _number_names(node)
        ahead.append(node.referenced_object)
        if isinstance(node.value, list):
            ahead.extend(node.value)
        elif kind is Kind.SYM:
            ahead.append(node.value)
        ahead.extend(_attributes(node).values())


def _cells(chain: Any) -> Iterator[tuple[bytes, Any]]:
    """Names and values of a pairlist."""
    while chain is not None and isinstance(chain.value, tuple) and len(chain.value) == 2:
        tag = chain.tag
        if tag is not None and tag.referenced_object is not None:
            tag = tag.referenced_object
        inner = None if tag is None else tag.value
        name = getattr(inner, "value", None)
        yield (name if isinstance(name, bytes) else b""), chain.value[0]
        chain = chain.value[1]


def _be_list(node: Any, cells: list[tuple[bytes, Any]]) -> None:
    """Convert a pairlist or environment to a list, with names if there are any; an environment loses its attributes."""
    from rdata.parser import RObjectType

    from fsdesk.data.readers.r_parser import attribute, node_of, text

    named = any(name for name, _ in cells)
    attributes = attribute(b"names", [text(name) for name, _ in cells]) if named else None
    node.__dict__.update(vars(node_of(RObjectType.VEC, [value for _, value in cells], attributes)))


def _number_names(node: Any) -> None:
    """Number repeated names of a list, of which Python's dictionaries would keep only the last."""
    from fsdesk.data.readers.r_parser import text

    names = _attributes(node).get("names")
    if names is None or not isinstance(names.value, list):
        return
    found = [each.value if isinstance(each.value, bytes) else b"NA" for each in names.value]
    taken = {*found}
    if len(taken) == len(found) and all(isinstance(each.value, bytes) for each in names.value):
        return
    seen: set[bytes] = set()
    for place, name in enumerate(found):
        chosen, number = name, 2
        while chosen in seen or (chosen != name and chosen in taken):
            chosen, number = b"%s_%d" % (name, number), number + 1
        seen.add(chosen)
        if chosen != names.value[place].value:
            names.value[place] = text(chosen)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _titles(root: Any) -> Iterator[tuple[str, str]]:
    """The variable labels of data frame columns, by column name."""
    seen: set[int] = set()
    ahead = [root]
    while ahead:
        node = ahead.pop()
        if id(node) in seen or not isinstance(node.value, list):
            continue
        seen.add(id(node))
        names = _attributes(node).get("names")
        titles = names.value if names is not None and isinstance(names.value, list) else []
        for place, column in enumerate(node.value):
            label = _attributes(column).get("label")
            if label is not None and place < len(titles) and isinstance(label.value, list) and label.value:
                yield _word(titles[place]), " ".join(_word(label.value[0]).split())
        ahead.extend(column for column in node.value if isinstance(column.value, list))


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of a parsed object by name."""
    return {name.decode("utf-8", "replace"): each for name, each in _cells(value.attributes) if name}


def _word(value: Any) -> str:
    content = getattr(value, "value", None)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _makers() -> dict[Any, Any]:
    """Constructors by R's class, for values whose attributes matter."""
    from rdata.conversion import DEFAULT_CLASS_MAP, dataframe_constructor

    frame = partial(_frame, dataframe_constructor)
    return {
        **DEFAULT_CLASS_MAP,
        "integer64": _integers,
        "haven_labelled": _labelled,
        "haven_labelled_spss": _labelled,
        "data.frame": frame,
        "sample_data": frame,
        "otu_table": _with_slots,
        "taxonomyTable": _texts_by_name,
        **dict.fromkeys(LIMMA, _with_slots),
    }


LIMMA = ("DGEList", "EList", "EListRaw", "MAList", "RGList")
"""Classes of edgeR and limma, which are lists."""


def _with_slots(values: Any, attributes: Mapping[str, Any]) -> Any:
    """A list or matrix with a class, as an S4 object; the matrix is the slot .Data."""
    inner = values if isinstance(values, Mapping) else {".Data": values}
    return SimpleNamespace(**{**attributes, **inner, "class": attributes["class"]})


def _texts_by_name(values: Any, attributes: Mapping[str, Any]) -> Any:
    """A matrix of texts with names, as a data frame."""
    import pandas as pd

    rows, columns = attributes["dimnames"]
    return pd.DataFrame(np.reshape(values, attributes["dim"], order="F"), index=rows, columns=columns)


_NO_INTEGER64 = np.iinfo(np.int64).min


def _integers(values: Any, attributes: Mapping[str, Any]) -> Any:
    """64-bit integers of the bit64 package, which keeps their bits in R's doubles."""
    bits = np.ascontiguousarray(np.ma.getdata(values), dtype=np.float64).view(np.int64)
    return np.where(bits == _NO_INTEGER64, np.nan, bits.astype(np.float64))


def _labelled(values: Any, attributes: Mapping[str, Any]) -> Any:
    """Values of R's haven package, with labels as in SPSS: categories if all values have a label.

    Values declared missing in the file are missing.
    """
    import pandas as pd

    cells = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan) if values.dtype.kind in "iuf" else values
    cells = cells.copy()
    missing = np.isin(cells, np.asarray(attributes.get("na_values", ())))
    if cells.dtype.kind == "f" and "na_range" in attributes:
        low, high = np.asarray(attributes["na_range"], dtype=np.float64)
        missing |= (cells >= low) & (cells <= high)
    known = [None if gone or cell is None or cell != cell else cell
             for cell, gone in zip(cells.tolist(), missing, strict=True)]  # fmt: skip
    absent, named = {*cells[missing].tolist()}, attributes.get("labels")
    if named is not None and hasattr(named, "coords"):
        codes, words = named.to_numpy().tolist(), named.coords["dim_0"].to_numpy().tolist()
        labels = {code: str(word) for code, word in zip(codes, words, strict=True) if code not in absent}
        levels = levels_of([cell for cell in known if cell is not None], labels, "")
        if levels:
            return pd.Categorical([None if cell is None else levels[cell] for cell in known], [*levels.values()])
    if cells.dtype.kind != "f":
        return np.array(known, dtype=object)
    return np.array([np.nan if cell is None else cell for cell in known])


def _frame(construct: Callable[..., Any], columns: Any, attributes: Mapping[str, Any]) -> Any:
    """A data frame in which each column of a nested matrix or data frame is a separate column."""
    if not isinstance(columns, Mapping):
        return construct(columns, attributes)
    flat: dict[str, Any] = {}
    # Matrices first: a measurement beside one is more likely the target, which comes last.
    for name, column in sorted(columns.items(), key=lambda each: not _is_wide(each[1])):
        for title, values in _flattened(name, column):
            number, free = 2, title
            while free in flat:
                free, number = f"{title}_{number}", number + 1
            flat[free] = quiet(values) if isinstance(values, np.ndarray) and values.dtype.kind == "f" else values
    return construct(flat, attributes)


def quiet(values: Any) -> Any:
    """The numbers with standard NaN bits: numpy warns about the NaN of R's NA."""
    missing = np.isnan(values)
    return np.where(missing, np.nan, values) if missing.any() else values


def _is_wide(column: Any) -> bool:
    return hasattr(column, "columns") or getattr(column, "ndim", 1) == 2


def _flattened(name: str, column: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(column, "columns"):
        for inner in column.columns:
            yield f"{name}.{inner}", column[inner].to_numpy()
        return
    if getattr(column, "ndim", 1) != 2:
        yield name, column
        return
    titles: list[Any] = list(range(1, column.shape[1] + 1))
    if hasattr(column, "coords") and column.dims[1] in column.coords:
        titles = column.coords[column.dims[1]].to_numpy().tolist()
    values = column.to_numpy() if hasattr(column, "to_numpy") else column
    for place, title in enumerate(titles):
        yield f"{name}.{title}", values[:, place]


def _bounded(makers: Mapping[bytes, Callable[[Any], Any]]) -> dict[bytes, Callable[[Any], Any]]:
    """Constructors that expand R's compact vectors, with a limit on sequences such as 1:1000000000."""

    def limited(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def made(state: Any) -> Any:
            if not state.value[0] <= _LONGEST_COUNT:
                raise ValueError("endless sequence")
            return make(state)

        return made

    return {name: limited(make) if name.startswith(b"compact_") else make for name, make in makers.items()}
