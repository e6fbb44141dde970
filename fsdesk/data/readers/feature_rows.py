"""Tables with features in rows, such as genes: names, descriptions of features, and a column for each sample."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from fsdesk.data.cells import MISSING, Columns, Numbers, Row, gather_transposed
from fsdesk.data.columns import typed
from fsdesk.data.dataset import Check, Table
from fsdesk.data.number_texts import is_no_number
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.grid_lines import HEAD_ROWS, Grid, Layout, body, bulk, no_rows
from fsdesk.data.readers.measures import find_measures
from fsdesk.data.reading import Reading
from fsdesk.data.roles import as_descriptions, duplicated_ids, with_class_rows
from fsdesk.data.table import build_table, unique_names
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted


def from_feature_rows(grid: Grid, layout: Layout, options: ReadOptions) -> Table:
    """The table of a grid whose rows are features; DataError if it has no rows, or no samples beside the names."""
    if layout.width < 2:
        raise DataError(
            '"{name}" has no samples besides the feature names. Check orientation and separator.', name=grid.name
        )
    numbers = grid.numbers
    grid, layout = _names_first(grid, layout, numbers)
    measures = find_measures(layout.header, options, grid.name) if layout.header else None
    left = measures.left if measures else ()
    about = _describing(grid, layout, numbers, left)
    if measures is not None:  # cells that are not values of samples describe the features
        about = tuple(j for j in range(1, layout.width) if j not in (*measures.samples, *left))
    columns, names, described = _feature_columns(grid, layout, numbers, about, left)
    columns, names, described, counts_only = _without_counts(columns, names, described)
    samples = [j for j in range(1, layout.width) if j not in (*about, *left)]
    ids = tuple(layout.header[j] for j in samples) if layout.header else None
    unique, name_checks = unique_names(names)
    columns, found = typed(columns, unique, numbers, options)
    nominal = [unique[j] for j in columns.texts]
    checks, readings = [*grid.checks, *(duplicated_ids(ids) if ids else ())], list[Reading]()
    if about:
        titles = [layout.header[j] if layout.header else str(j + 1) for j in about]
        sentence = message_many(
            len(titles),
            "{count} column describes the features and is not a sample: {titles}.",
            "{count} columns describe the features and are not samples: {titles}.",
            titles=quoted(titles),
        )
        checks.append(Check("feature descriptions", sentence, ()))
        readings.append(
            Reading("feature descriptions", sentence, message("They contain text, or their names suggest it."))
        )
    checks += _marked_features(unique, described)
    if measures is not None and measures.readings:
        checks += [Check("measure", reading.sentence) for reading in measures.readings]
        readings += measures.readings
    if counts_only:
        sentence = message_many(
            len(counts_only),
            "{count} line counts reads not assigned to any feature and is ignored: {names}.",
            "{count} lines count reads not assigned to any feature and are ignored: {names}.",
            names=quoted(counts_only),
        )
        checks.append(Check("lines of no feature", sentence, ()))
        readings.append(Reading("lines of no feature", sentence))
    table = build_table(
        grid.name,
        columns,
        unique,
        rows=ids,
        source=joined(", ", [grid.source, message("features in rows")]),
        checks=[*checks, *name_checks, *found.checks],
        mixed=found.mixed,
        missing=("",),
        default_target=nominal[0] if len(nominal) == 1 else None,
    )
    told = {name: text for name, text in zip(unique, described, strict=True) if text} if about else {}
    table = replace(table, readings=(*readings, *found.readings), descriptions=told, needs_labels=True)
    table = table if len(nominal) == 1 else with_class_rows(table, nominal)
    return as_descriptions(table, _rows_about_samples(unique, nominal))


def _rows_about_samples(names: Sequence[str], nominal: Sequence[str]) -> tuple[str, ...]:
    """Lines of text above the features, and numeric lines between them such as ages, which describe the samples."""
    places = [names.index(name) for name in nominal]
    first, last = min(places, default=0), max(places, default=0)
    return tuple(names[first : last + 1]) if 0 < last < min(_MOST_ABOVE, len(names) // 2) else ()


_MOST_ABOVE = 10

_ABOUT_FEATURES = frozenset((
    "chr", "chrom", "chromosome", "start", "end", "strand", "length", "gene_length", "description", "gene name",
    "gene_name", "gene names", "genename", "gene symbol", "gene_symbol", "genesymbol", "symbol", "hgnc_symbol",
    "entrezgene", "entrez_gene_id", "entrez_id", "entrezid", "entrez gene id", "ensembl", "ensembl_id", "gene_biotype",
    "gene_type", "biotype", "taxonomy", "confidence", "sequence", "protein names", "fasta headers", "peptides",
    "razor + unique peptides", "unique peptides", "sequence coverage [%]", "mol. weight [kda]", "sequence length",
    "q-value", "score", "pep", "reverse", "only identified by site", "potential contaminant", "contaminant", "id",
    "ms/ms count", "majority protein ids", "number of proteins", "m/z", "mz", "rt", "retention time", "retention_time",
    "effectivelength", "effective_length", "effective length", "gc_content", "gc", "cytoband", "probe", "probe_id",
    "id_ref", "accession", "locus", "hugo_symbol", "width", "fold", "log2fc", "logfc", "log2foldchange", "tstat",
    "pvalue", "p-value", "p.value", "qvalue", "fdr", "padj", "adj.p.val", "mzmed", "mzmin", "mzmax", "rtmed", "rtmin",
    "rtmax", "npeaks", "basemean", "aveexpr",
))  # fmt: skip
"""Titles of columns that describe genes, proteins and the like, in lower case."""


_NO_FEATURES = frozenset((
    "__no_feature", "__ambiguous", "__too_low_aqual", "__not_aligned", "__alignment_not_unique", "n_unmapped",
    "n_multimapping", "n_nofeature", "n_ambiguous", "no_feature", "too_low_aqual", "alignment_not_unique",
))  # fmt: skip
"""Names that HTSeq and STAR give to reads that do not belong to a gene, in lower case."""


def _without_counts(
    columns: Columns, names: list[str], described: list[str]
) -> tuple[Columns, list[str], list[str], list[str]]:
    """Columns, names and descriptions without lines that are not features, and the names of those lines."""
    out = [j for j, name in enumerate(names) if name.lower() in _NO_FEATURES]
    if not out or len(out) == len(names):
        return columns, names, described, []
    left = [j for j in range(len(names)) if j not in {*out}]
    texts = {left.index(j): cells for j, cells in columns.texts.items() if j not in out}
    kept = Columns(np.asfortranarray(columns.values[:, left]), texts)
    return kept, [names[j] for j in left], [described[j] for j in left] if described else [], [names[j] for j in out]


_MARKED = re.compile(r"(?:^|; )(reverse|decoy|(?:potential )?contaminant|only identified by site): (?:\+|true)", re.I)


def _marked_features(names: Sequence[str], described: Sequence[str]) -> list[Check]:
    """A check that names proteins that MaxQuant and others mark as not belonging to the samples."""
    marked = tuple(name for name, text in zip(names, described, strict=False) if _MARKED.search(text))
    if not marked:
        return []
    sentence = message_many(
        len(marked),
        "{count} feature is marked in the file as a contaminant, a reversed sequence or identified by site only: "
        "{names}. Such features are usually excluded.",
        "{count} features are marked in the file as contaminants, reversed sequences or identified by site only: "
        "{names}. Such features are usually excluded.",
        names=quoted(marked),
    )
    return [Check("marked features", sentence, marked)]


_FEWEST_NAMES = 8
_OF_A_GENE = re.compile(r"(gene|transcript|tx|probe|protein|feature|peak)[ _.]|[ _.](position|name|bp|kb)$")


def is_gene_title(title: str) -> bool:
    """Whether a column's name says that it contains genes, proteins and the like: gene_symbol, Probe ID."""
    return _GENE_TITLE.fullmatch(title.strip()) is not None


_GENE_TITLE = re.compile(
    r"(gene|protein|transcript|probe(set)?|ensembl|entrez|hgnc|otu|asv|mirna)s?([ _.-]*(ids?|name|symbol|accession))*",
    re.IGNORECASE,
)


def _is_about_features(title: str) -> bool:
    """Whether a column's name is one used for describing genes and the like, such as start or gene_start."""
    plain = title.strip().lower()
    return plain in _ABOUT_FEATURES or _OF_A_GENE.sub("", plain) in _ABOUT_FEATURES


def _names_first(grid: Grid, layout: Layout, numbers: Numbers) -> tuple[Grid, Layout]:
    """Grid and layout with the feature names moved to the first column, if a sample is there.

    Perseus and others write samples first: then values, with decimals or duplicates, followed by text.
    """
    rows = [row for _, row in islice((grid.head or grid.rows)(), layout.above, HEAD_ROWS) if len(row) == layout.width]
    repeats = len(rows) >= _FEWEST_NAMES and 2 * len({row[0] for row in rows}) < len(rows)  # e.g. classes of lipids
    if len(rows) < 2 or not (repeats or all(numbers.fits(row[0]) for row in rows)):
        return grid, layout
    if layout.header is not None and not repeats and (not layout.header[0] or _is_about_features(layout.header[0])):
        return grid, layout
    if not repeats:
        first = [numbers.one(row[0]) for row in rows]
        if len({*first}) == len(first) and all(value.is_integer() for value in first):
            return grid, layout
    naming = [
        j for j in range(1, layout.width)
        if not any(map(numbers.resembles, (row[j] for row in rows))) and len({row[j] for row in rows}) == len(rows)
    ]  # fmt: skip
    if not naming:
        return grid, layout
    place = next((j for j in naming if layout.header and _is_about_features(layout.header[j])), naming[0])

    def moved(row: Row) -> Row:
        return [row[place], *row[:place], *row[place + 1 :]] if len(row) == layout.width else row

    def turned(source: Callable[[], Iterator[tuple[int, Row]]]) -> Callable[[], Iterator[tuple[int, Row]]]:
        return lambda: ((line, moved(row)) for line, row in source())

    texts = frozenset(0 if j == place else j + (j < place) for j in layout.texts)
    header = None if layout.header is None else moved(layout.header)
    grid = replace(grid, rows=turned(grid.rows), head=grid.head and turned(grid.head), bulk=None)
    return grid, replace(layout, header=header, texts=texts)


def _describing(grid: Grid, layout: Layout, numbers: Numbers, left: Collection[int] = ()) -> tuple[int, ...]:
    """Columns of a table with features in rows that are not samples: text, or named as feature descriptions.

    Columns in ``left`` are not part of the table.
    """
    rows = [row for _, row in islice((grid.head or grid.rows)(), layout.above, HEAD_ROWS) if len(row) == layout.width]
    kept = [j for j in range(layout.width) if j not in left]
    numeric = [row for row in rows if 2 * sum(numbers.is_number(row[j]) for j in kept) >= len(kept) - 1]
    if len(numeric) < 2:
        return ()
    found = []
    for j in kept[1:]:
        cells = [row[j].strip() for row in numeric]
        present = [cell for cell in cells if cell not in MISSING and not is_no_number(cell)]
        texts = sum(not numbers.resembles(cell) for cell in present)
        named = layout.header is not None and _is_about_features(layout.header[j])
        if named or (present and 2 * texts > len(present)):
            found.append(j)
    return tuple(found) if len(found) < len(kept) - 1 else ()


def _feature_columns(
    grid: Grid, layout: Layout, numbers: Numbers, about: Sequence[int], left: Sequence[int] = ()
) -> tuple[Columns, list[str], list[str]]:
    """A column for each line, the cells before it, which are the names, and the descriptions of each."""
    fast = bulk(grid, layout, (0,), turned=True) if layout.texts <= {0} and not about and not left else None
    if fast is not None:
        return Columns(fast.values, {}), fast.texts[0], []
    names: list[str] = []
    described: list[str] = []
    titles, out = layout.header, frozenset((*about, *left))

    def rows() -> Iterator[Row]:
        for row in body(grid, layout):
            names.append(row[0].strip())
            if about:
                told = [(titles[j] if titles else "", row[j].strip()) for j in about if row[j].strip() not in MISSING]
                described.append("; ".join(f"{title}: {text}" if title else text for title, text in told))
            if out:
                row = [cell for j, cell in enumerate(row) if j not in out]
            del row[0]
            yield row

    height = sum(1 for _ in body(grid, layout))
    if not height:
        raise no_rows(grid.name)
    return gather_transposed(rows(), height, layout.width - 1 - len(out), numbers), names, described
