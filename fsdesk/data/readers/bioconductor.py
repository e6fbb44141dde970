"""Objects of Bioconductor and its neighbors: matrices with descriptions of samples and features.

They are recognized by their slots, so classes derived from them are read too: eSet (ExpressionSet),
SummarizedExperiment (DESeqDataSet, SingleCellExperiment), MultiAssayExperiment, lists of edgeR and limma, phyloseq, and
Seurat before version 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check, Table
from fsdesk.data.frame import columns_of_frame, is_counted
from fsdesk.data.readers.annotated import Annotated, Described, Sheet
from fsdesk.data.readers.matrices import MOST_CELLS
from fsdesk.data.readers.r_objects import LIMMA, class_of, names_of, quiet, slots
from fsdesk.data.replicates import grouped_by
from fsdesk.errors import DataError
from fsdesk.messages import message_many, quoted

if TYPE_CHECKING:
    import pandas as pd

_OF_LIMMA = {"EListRaw": ("E", "Eb"), "MAList": ("M", "A"), "RGList": ("R", "G", "Rb", "Gb"), "DGEList": ("counts",)}
_TAXONOMY, _PATIENT = "taxonomy", "primary"


@dataclass(frozen=True)
class Matrix:
    """A matrix of an object, dense or compressed by columns or rows, with the names of its rows and columns.

    Attributes
    ----------
    shape
        Numbers of rows and columns.
    values
        Dense, or those of a sparse matrix.
    rows, columns
        Names; None if there are none.
    starts, places
        Of a sparse matrix: where each column begins, and the row of each value.
    by_columns
        Whether a sparse matrix is compressed by columns rather than by rows.
    """

    shape: tuple[int, int]
    values: NDArray[Any]
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    starts: NDArray[Any] | None = None
    places: NDArray[Any] | None = None
    by_columns: bool = True


@dataclass(frozen=True)
class Assay:
    """A matrix with descriptions of its samples and features.

    Attributes
    ----------
    kind
        Class of the object.
    matrix
        The values.
    samples, features
        Descriptions by name, one row for each.
    turned
        Whether features are in rows.
    default
        Whether this matrix is read unless another one is named.
    by_order
        Whether descriptions belong to the samples by their order, whatever their names.
    unread
        Matrices of the same object that cannot be read, such as those with delayed operations.
    """

    kind: str
    matrix: Matrix
    samples: "pd.DataFrame | None" = None
    features: "pd.DataFrame | None" = None
    turned: bool = True
    default: bool = False
    by_order: bool = False
    unread: tuple[str, ...] = ()

    def table(self, name: str, source: str, parts: Sequence[str], part: str) -> Table:
        """The table: samples in rows, features, then the descriptions of the samples.

        Raises DataError if descriptions do not belong to the values.
        """
        matrix, turned = self.matrix, self.turned
        across, along = (matrix.columns, matrix.rows) if turned else (matrix.rows, matrix.columns)
        width, count = matrix.shape if turned else matrix.shape[::-1]
        samples, of_samples = _aligned(across, self.samples, count, name, by_order=self.by_order)
        along = along or tuple(f"x{j + 1}" for j in range(width)) if _is_nameless(self.features) else along
        features, of_features = _aligned(along, self.features, width, name, by_order=self.by_order)
        described = _described(of_samples)
        told = {title: each.cells for title, each in _described(of_features).items() if each.numbers is None}
        sheet = Sheet(Annotated(samples, features, described, told), name)
        try:
            if matrix.starts is None:
                sheet.fill(matrix.values, turned=turned)
            else:
                by_samples = matrix.by_columns == turned
                sheet.fill_sparse(matrix.starts, matrix.places, matrix.values, by_samples=by_samples)
        except MemoryError:
            raise DataError('"{name}" does not fit into memory; save fewer columns.', name=name) from None
        except ValueError:
            raise DataError('The sparse matrix in "{name}" is damaged. Save it again in R.', name=name) from None
        made = sheet.table(source, checks=self._checks(), parts=parts, part=part)
        patients = described.get(_PATIENT)
        if patients is not None and self.kind == "MultiAssayExperiment" and _PATIENT in made.columns:
            known = [cell for cell in patients.cells if cell]
            return grouped_by(made, _PATIENT, sure=False) if len({*known}) < len(known) else made
        return made

    def _checks(self) -> list[Check]:
        if not self.unread:
            return []
        sentence = message_many(
            len(self.unread),
            "{count} matrix of the object cannot be read and is not among the parts: {names}. Save it as an ordinary "
            "matrix in R if you need it.",
            "{count} matrices of the object cannot be read and are not among the parts: {names}. Save them as ordinary "
            "matrices in R if you need them.",
            names=quoted(self.unread),
        )
        return [Check("unread", sentence)]


def assays_of(value: Any) -> dict[str, dict[str, Assay]]:
    """The matrices of an object by their names, by the name of the experiment ("" if there is only one).

    Empty for values that are not such objects, or whose matrices cannot be read.
    """
    kept, kind = slots(value), class_of(value)
    if "ExperimentList" in kept and "sampleMap" in kept:
        return _of_several(kept, kind)
    if isinstance(kept.get("assays"), dict) and "meta.data" in kept:
        return _of_seurat(kept, kind)
    found: dict[str, Assay] = {}
    if "phenoData" in kept and ("assayData" in kept or "exprs" in kept):
        found = _of_eset(kept, kind)
    elif "assays" in kept and "colData" in kept:
        found = _of_summarized(kept, kind)
    elif "otu_table" in kept:
        found = _of_phyloseq(kept, kind)
    elif kind in LIMMA:
        found = _of_limma(kept, kind)
    return {"": found} if found else {}


def frame_of(value: Any) -> "pd.DataFrame | None":
    """A data frame, also of Bioconductor (DFrame), whose columns may be run lengths or data frames; otherwise None.

    Columns of other classes are left out. Raises ValueError if a column has another length than the frame.
    """
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        return value
    kept = slots(value)
    if "listData" not in kept or "nrows" not in kept:
        return None
    count = int(np.ravel(kept["nrows"])[0])
    columns: dict[str, Any] = {}
    for title, each in _members(kept["listData"]).items():
        inner = frame_of(each)
        if inner is not None:
            columns |= {f"{title}.{column}": inner[column].to_numpy() for column in inner.columns}
        elif (column := _column(each, count)) is not None:
            columns[title] = column
    if any(len(column) != count for column in columns.values()):
        raise ValueError("length of a column")
    names = kept.get("rownames")
    return pd.DataFrame(columns, index=pd.RangeIndex(1, count + 1) if names is None else list(map(str, names)))


def matrix_of(value: Any) -> Matrix | None:
    """A numeric matrix, plain or of the Matrix package, or a data frame of numbers; otherwise None."""
    frame = frame_of(value)
    if frame is not None:
        if any(dtype.kind not in "iufb" for dtype in frame.dtypes) or not frame.shape[1]:
            return None
        numbers = quiet(frame.to_numpy(dtype=np.float64, na_value=np.nan))
        rows = None if is_counted(frame) else tuple(map(str, frame.index))
        return Matrix(numbers.shape, numbers, rows, tuple(map(str, frame.columns)))
    kept = slots(value)
    if class_of(value) == "DelayedMatrix" and not slots(kept.get("seed")):  # without delayed operations
        return matrix_of(kept.get("seed"))
    if "Dim" in kept:
        return None if "uplo" in kept else _of_matrix_package(kept)  # only half of a symmetric matrix is stored
    names: list[tuple[str, ...] | None] = [None, None]
    if hasattr(value, "coords") and value.ndim == 2:
        names = list(names_of(value))
        value = value.to_numpy()
    if not isinstance(value, np.ndarray) or value.ndim != 2 or value.dtype.kind not in "fiub":
        return None
    return Matrix(value.shape, _numbers(value), names[0], names[1])


def _of_matrix_package(kept: Mapping[str, Any]) -> Matrix | None:
    """A matrix stored compressed, as triplets or dense; without values, all entries are 1; None for other kinds."""
    rows, columns = (int(side) for side in np.ravel(kept["Dim"]))
    if rows < 0 or columns < 0:
        raise ValueError("sides of a matrix")
    names = list(kept.get("Dimnames") or (None, None))
    if isinstance(kept.get("Dimnames"), dict):
        names = list(kept["Dimnames"].values())
    titles = [None if each is None else tuple(map(str, np.ravel(each))) for each in names]
    first, second = titles
    if any(title is not None and len(title) != side for title, side in zip(titles, (rows, columns), strict=True)):
        raise ValueError("names of a matrix")
    starts, i, j, x = (kept.get(key) for key in ("p", "i", "j", "x"))
    entries = i if i is not None else j
    if entries is None:
        if x is None or len(x) != rows * columns:
            return None
        return Matrix((rows, columns), _numbers(np.reshape(x, (rows, columns), order="F")), first, second)
    data = np.ones(len(entries)) if x is None else _numbers(np.ravel(x))
    if starts is not None:
        return Matrix((rows, columns), data, first, second, starts=np.ravel(starts), places=np.ravel(entries),
                      by_columns=i is not None)  # fmt: skip
    if i is None or j is None or len(i) != len(j) or len(i) != len(data):
        return None
    if len(i) and not (np.min(i) >= 0 and np.max(i) < rows and np.min(j) >= 0 and np.max(j) < columns):
        raise ValueError("index of a sparse matrix")
    if rows * columns > MOST_CELLS:
        return None
    filled = np.zeros((rows, columns))
    np.add.at(filled, (i, j), data)
    return Matrix((rows, columns), filled, first, second)


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    if np.ma.isMaskedArray(values):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    return np.asarray(quiet(values)) if values.dtype.kind == "f" else values


def _of_eset(kept: Mapping[str, Any], kind: str) -> dict[str, Assay]:
    """The matrices of an eSet, stored in an environment or list, or before 2006 (exprSet) in slots."""
    inside = kept.get("assayData")
    values = inside if isinstance(inside, dict) else {"exprs": kept.get("exprs")}
    samples, features = (_of_annotated(kept.get(key)) for key in ("phenoData", "featureData"))
    return _assays(values, Assay(kind, _NONE, samples, features), "exprs")


def _of_annotated(value: Any) -> "pd.DataFrame | None":
    kept = slots(value)
    return frame_of(kept.get("data", kept.get("pData")))


def _of_summarized(kept: Mapping[str, Any], kind: str) -> dict[str, Assay]:
    """The matrices of a SummarizedExperiment; in a DESeqDataSet, all besides the counts are results."""
    ranges = slots(kept.get("rowRanges"))
    features = frame_of(ranges.get("elementMetadata") if ranges else kept.get("elementMetadata"))
    inner = slots(ranges.get("partitioning", ranges.get("ranges")))
    names = inner.get("NAMES") if ranges else kept.get("NAMES")
    if features is not None and names is not None:
        if len(names) != len(features):
            raise ValueError("names of rows")
        features = features.set_axis(list(map(str, names)), axis=0)
    counted = "counts" if "dispersionFunction" in kept else ""
    return _assays(_members(kept["assays"]), Assay(kind, _NONE, frame_of(kept["colData"]), features), counted)


def _of_phyloseq(kept: Mapping[str, Any], kind: str) -> dict[str, Assay]:
    import pandas as pd

    counts = slots(kept["otu_table"])
    turned = bool(np.ravel(counts.get("taxa_are_rows", True))[0])
    taxa = kept.get("tax_table")
    if isinstance(taxa, pd.DataFrame):
        levels = ["; ".join(str(cell) for cell in row if isinstance(cell, str)) for row in taxa.to_numpy().tolist()]
        taxa = pd.DataFrame({_TAXONOMY: levels}, index=taxa.index)
    about = Assay(kind, _NONE, frame_of(kept.get("sam_data")), frame_of(taxa), turned)
    return _assays({"otu_table": counts.get(".Data")}, about)


def _of_limma(kept: Mapping[str, Any], kind: str) -> dict[str, Assay]:
    """The matrices of a list of edgeR or limma, whose samples are described in the order of the columns."""
    samples = frame_of(kept.get("samples", kept.get("targets")))
    about = Assay(kind, _NONE, samples, frame_of(kept.get("genes")), by_order=True)
    names = _OF_LIMMA.get(kind, ("E",))
    return _assays({key: kept.get(key) for key in names}, about, "" if kind == "RGList" else names[0])


def _of_seurat(kept: Mapping[str, Any], kind: str) -> dict[str, dict[str, Assay]]:
    cells = frame_of(kept["meta.data"])
    found: dict[str, dict[str, Assay]] = {}
    for key, value in kept["assays"].items():
        inner = slots(value)
        matrices = {each: inner.get(each) for each in ("counts", "data", "scale.data")}
        found[key] = _assays(matrices, Assay(kind, _NONE, _some(cells), None), "data")
    return {key: inner for key, inner in found.items() if inner}


def _of_several(kept: Mapping[str, Any], kind: str) -> dict[str, dict[str, Assay]]:
    """The experiments of a MultiAssayExperiment, with its patients' descriptions added to those of the samples."""
    patients, links = frame_of(kept["colData"]), frame_of(kept["sampleMap"])
    found: dict[str, dict[str, Assay]] = {"": {}}
    for key, value in _members(kept["ExperimentList"]).items():
        inner = assays_of(value)
        if not inner and (matrix := matrix_of(value)) is not None:
            found[""][key] = _of_patients(Assay(kind, matrix), patients, links, key)
        for path, assays in inner.items():
            made = {name: _of_patients(replace(each, kind=kind), patients, links, key) for name, each in assays.items()}
            found[f"{key}/{path}".rstrip("/")] = made
    return {key: inner for key, inner in found.items() if inner}


def _of_patients(assay: Assay, patients: Any, links: Any, experiment: str) -> Assay:
    import pandas as pd

    names = assay.matrix.columns if assay.turned else assay.matrix.rows
    if names is None and assay.samples is not None and not is_counted(assay.samples):
        names = tuple(map(str, assay.samples.index))
    if names is None or patients is None or links is None or not {"assay", "primary", "colname"} <= {*links.columns}:
        return assay
    own = links[links["assay"].astype(str) == experiment]
    person = dict(zip(own["colname"].astype(str), own["primary"].astype(str), strict=True))
    ids = [person.get(each, "") for each in names]
    place = {str(each): row for row, each in enumerate(patients.index)}
    rows = np.array([place.get(each, -1) for each in ids])
    columns: dict[str, Any] = {_PATIENT: ids}
    for title in patients.columns:
        columns[str(title)] = patients[title].array.take(rows, allow_fill=True)
    joined = pd.DataFrame(columns, index=list(names))
    before = assay.samples
    if before is not None and before.shape[1]:
        described, _ = _aligned_frame(names, before, len(names), "", by_order=False)
        joined = joined.rename(columns={title: f"{title}_2" for title in joined.columns if title in before.columns})
        joined = pd.concat([described.set_axis(joined.index, axis=0), joined], axis=1)
    return replace(assay, samples=joined)


def _assays(values: Mapping[str, Any], about: Assay, default: str = "") -> dict[str, Assay]:
    """An assay for every matrix that has values."""
    found: dict[str, Assay] = {}
    unread = []
    for key, value in values.items():
        matrix = matrix_of(value)
        if matrix is None and slots(value):
            unread.append(str(key))
        if matrix is None or not all(matrix.shape) or _is_empty(matrix):
            continue
        found[str(key)] = replace(about, matrix=matrix, default=key == default)
    return {key: replace(each, unread=tuple(unread)) for key, each in found.items()} if unread else found


_NONE = Matrix((0, 0), np.zeros((0, 0)))


def _is_empty(matrix: Matrix) -> bool:
    return matrix.values.dtype.kind == "f" and matrix.starts is None and bool(np.isnan(matrix.values).all())


def _some(frame: "pd.DataFrame | None") -> "pd.DataFrame | None":
    return frame if frame is not None and frame.shape[1] else None


def _members(value: Any) -> dict[str, Any]:
    """The elements of a list by name or number, also of a Bioconductor list, which stores them in slots."""
    kept = slots(value)
    for key in ("listData", "data", ".xData"):
        if key in kept:
            return _members(kept[key])
    if isinstance(value, dict):
        return _members(value["data"]) if isinstance(value.get("data"), SimpleNamespace) else value
    return {str(place): each for place, each in enumerate(value, 1)} if isinstance(value, list) else {}


def _column(value: Any, count: int) -> Any:
    """A column of a data frame: numbers, texts or categories, also as run lengths; None for others."""
    import pandas as pd

    kept = slots(value)
    if "lengths" in kept and "values" in kept:
        lengths = np.ravel(kept["lengths"]).astype(np.int64)
        if (lengths < 0).any() or lengths.sum() != count:
            raise ValueError("run lengths")
        runs = _column(kept["values"], len(lengths))
        return None if runs is None else runs.take(np.repeat(np.arange(len(lengths)), lengths))
    if isinstance(value, pd.Categorical):
        return value
    value = value.to_numpy() if hasattr(value, "coords") else value
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "fiubOU":
        return None
    return _numbers(value) if value.dtype.kind in "fiub" else np.asarray(value, dtype=object)


def _is_nameless(frame: "pd.DataFrame | None") -> bool:
    return frame is None or is_counted(frame)


def _aligned(
    names: Sequence[str] | None, frame: "pd.DataFrame | None", count: int, name: str, *, by_order: bool
) -> tuple[list[str], "pd.DataFrame | None"]:
    """The names of samples or features, and their descriptions in the same order."""
    if frame is None:
        return list(names or map(str, range(1, count + 1))), None
    made, called = _aligned_frame(names, frame, count, name, by_order=by_order)
    return called, made


def _aligned_frame(
    names: Sequence[str] | None, frame: "pd.DataFrame", count: int, name: str, *, by_order: bool
) -> tuple["pd.DataFrame", list[str]]:
    labels = None if is_counted(frame) else list(map(str, frame.index))
    if len(frame) != count:
        raise DataError(
            'In "{name}", {count:,} rows or columns of values have {described:,} descriptions. Correct the object in '
            "R until validObject(x) accepts it, and save it again.",
            name=name, count=count, described=len(frame),
        )  # fmt: skip
    if names is None:
        return frame, labels or list(map(str, range(1, count + 1)))
    called = list(names)
    if labels is None or labels == called or not frame.shape[1] or (by_order and not {*labels} & {*called}):
        return frame, called
    if len({*labels}) < count or {*labels} != {*called}:
        strange = sorted({*labels} ^ {*called}) or called
        raise DataError(
            'In "{name}", the values and their descriptions have different names ({strange}). Correct the object in R '
            "until validObject(x) accepts it, and save it again.",
            name=name, strange=quoted(strange),
        )  # fmt: skip
    place = {label: row for row, label in enumerate(labels)}
    return frame.iloc[[place[each] for each in called]], called


def _described(frame: "pd.DataFrame | None") -> dict[str, Described]:
    if frame is None or not frame.shape[1]:
        return {}
    columns, levels = columns_of_frame(frame)
    return {
        str(title): Described(texts=columns.texts[j], levels=levels.get(j))
        if j in columns.texts
        else Described(quiet(columns.values[:, j]))
        for j, title in enumerate(frame.columns)
    }
