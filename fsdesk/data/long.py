"""Tables in long form, with one value per row, converted to one row per sample and one column per variable."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import Columns, Numbers
from fsdesk.data.columns import typed
from fsdesk.data.dataset import Check, Table
from fsdesk.data.leaks import PERSON_NAME
from fsdesk.data.options import ReadOptions
from fsdesk.data.precursor_reports import protein_columns, refuse_precursors
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import as_descriptions, asking_for_target, with_likely_target
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

_VARIABLE_WORDS = frozenset((
    "variable", "variables", "variable_name", "parameter", "analyte", "analyt", "gene", "gene_id", "gene_symbol",
    "feature", "feature_id", "test", "test_name", "marker", "biomarker", "measure", "metric", "compound", "protein",
    "metabolite", "item", "question", "assay", "attribute", "key", "merkmal", "messgröße", "variable_id", "symbol",
    "lab_test", "labtest", "peptide", "taxon", "otu", "species_name", "probe_id", "target_name", "trait", "indicator",
    "paramcd", "param", "testcd", "lbtestcd", "lbtest", "vstestcd", "variablen", "mesure", "paramètre", "parametro",
    "proteingroups", "protein_group", "protein_groups", "protein_names", "protein_id", "proteinaccessions", "genes",
    "analyte_name", "component", "component_name", "compound_name", "metabolite_name", "lipid", "lipid_name",
    "cytokine", "gene_name", "precursor", "precursor_id", "modified_sequence", "stripped_sequence", "antibody", "mirna",
    "element", "isotope", "olinkid", "seqid", "aptamer", "test_code", "loinc", "observation", "variable_label",
    "molecule", "molecule_name", "measurement_source_value", "observation_source_value", "itemid", "lab_code",
    "concept_name",
))  # fmt: skip
_CODED = frozenset(("measurement_concept_id", "observation_concept_id", "concept_id", "itemid", "loinc", "lab_code"))
"""Names of columns in which OMOP and databases of hospitals name variables by numbers."""
_VALUE_WORDS = frozenset((
    "value", "values", "wert", "werte", "messwert", "valeur", "valor", "valore", "count", "counts", "concentration",
    "intensity", "expression", "abundance", "reading", "result", "results", "ergebnis", "measurement", "level",
    "aval", "lborres", "lbstresn", "vsstresn", "signal", "ct", "tpm", "fpkm", "quantity", "amount", "score",
    "maxlfq", "normalisedquantity", "npx", "rfu", "mfi", "fi", "od", "peak_area", "area", "normalized_count", "cq",
    "cpm", "delta_ct", "dct", "observed_value", "total_area", "crt", "ct_value", "cq_value",
    "numeric_value", "value_numeric", "result_value", "abundances",
    "intensities", "value_as_number", "value_as_string", "value_source_value", "valuenum",
))  # fmt: skip
_TOOL = re.compile(r"^(?:r|pg|eg|fg|pep|f)\.")  # prefixes of Spectronaut's column names


def _plain(name: str) -> str:
    return re.sub(r"[^\w]+", "_", _TOOL.sub("", name.strip().lower())).strip("_")


_FEWEST_ROWS, _FEWEST_SAMPLES, _MOST_COLUMNS, _MOST_OTHERS = 12, 4, 30, 8
_FIRST_VALUES = (
    "precursor_normalised", "precursor_quantity", "value_as_number", "valuenum", "npx", "maxlfq", "normalisedquantity",
    "normalized_count", "rfu", "tpm", "ct", "cq", "crt", "value", "result",
)  # fmt: skip
"""The value used if a sample has several values of a variable."""
_FULL = 0.6  # fraction of all pairs of a sample and a variable that must have a value


@dataclass(frozen=True)
class _Long:
    """Columns of a long table: samples, names of variables, values, and those that describe samples or variables.

    ``others`` contain further values of each sample and variable, such as a count beside the NPX of Olink.
    """

    sample: int
    variable: int
    value: int
    of_samples: tuple[int, ...]
    of_variables: tuple[int, ...]
    others: tuple[int, ...] = ()


def with_wide_rows(table: Table, options: ReadOptions) -> Table:
    """Convert a table in long form to one row per sample; the user is asked unless the options say so.

    Raises DataError if the options say so but the table is in another form, if a sample has several values of a
    variable, or for a report of precursors.
    """
    said = options.orientation == "long"
    if not said:
        if (proteins := _proteins(table)) is not None:
            return _with_proteins(table, proteins, options)
        refuse_precursors(table.columns, table.name)
    if options.orientation == "columns" or (not said and len(table.columns) > _MOST_COLUMNS):
        return table
    table = _without_controls(table)
    found = _find(table)
    if found is None:
        if (twice := _twice(table)) is not None:
            return _with_repeated_values(table, *twice, said=said)
        if said:
            raise DataError(
                '"{name}" is not in long form, which needs a column of sample IDs, one of variable names and one of '
                "values, with one row for each sample and variable.",
                name=table.name,
            )
        return table
    names = table.columns
    hints = [
        _is_called_variable(table, found.variable),
        _plain(names[found.value]) in _VALUE_WORDS,
    ]
    if not said and not any(hints):
        return table
    make = said or hints[0]
    long = Alternative(message("One value per row: combine into one row per sample"), "orientation", "long")
    rows = Alternative(message("Each row is a sample"), "orientation", "rows")
    sentence = (
        message('Each row is read as one value, "{value}", of a sample, "{sample}", and a variable, "{variable}".',
                value=names[found.value], sample=names[found.sample], variable=names[found.variable])
        if make
        else message('Each row is read as a sample, although each may be one value, "{value}", of "{sample}" and '
                     '"{variable}".',
                     value=names[found.value], sample=names[found.sample], variable=names[found.variable])
    )  # fmt: skip
    evidence = message(
        "There are {samples:,} values of {sample} and {variables:,} of {variable} in {rows:,} rows, and no pair "
        "occurs twice.",
        samples=len(_distinct(table, found.sample)), sample=quoted([names[found.sample]]),
        variables=len(_distinct(table, found.variable)), variable=quoted([names[found.variable]]), rows=len(table.rows),
    )  # fmt: skip
    reading = Reading("long form", sentence, evidence, (long, rows) if make else (rows, long), sure=said)
    if not make:
        return replace(table, readings=(*table.readings, reading))
    made = _wide(table, found, options)
    return replace(made, readings=(reading, *made.readings))


def _proteins(table: Table) -> _Long | None:
    """Runs, proteins and their quantities in a report of precursors, which repeats these; None for other tables."""
    places = protein_columns(table.columns)
    if places is None:
        return None
    run, protein, value = places
    known = not np.isnan(table.values[:, [run, protein]]).any()
    if not known or protein not in table.categories or value in table.categories or len(_distinct(table, run)) < 2:
        return None
    a = np.unique(table.values[:, run], return_inverse=True)[1]
    pairs, codes = np.unique(table.values[:, [run, protein]], axis=0, return_inverse=True)
    if not _is_constant_within(table.values[:, value], codes.reshape(-1), len(pairs)):
        return None
    about = [j for j in range(len(table.columns)) if j not in places and not np.isnan(table.values[:, j]).all()
             and _is_constant_within(table.values[:, j], a, int(a.max()) + 1)]  # fmt: skip
    of_samples = [j for j in about if 1 < len(_distinct(table, j)) < len(_distinct(table, run))]
    return _Long(run, protein, value, tuple(of_samples), ())


def _with_proteins(table: Table, found: _Long, options: ReadOptions) -> Table:
    """A report of precursors as a table with a row for each run and a column for each protein; the user is asked."""
    name = table.columns[found.value]
    sentence = message(
        'Each row of the report is a precursor or fragment; "{value}", which it repeats for each protein of a run, is '
        "used: each run is a row, and each protein a column.",
        value=name,
    )  # fmt: skip
    answers = (
        Alternative(message("Proteins: {value}", value=name), "measure", name),
        Alternative(message("Precursors"), "orientation", "long"),
    )
    sure = options.measure.strip().lower() == name.strip().lower()
    made = _wide(table, found, options)
    return replace(made, readings=(Reading("long form", sentence, "", answers, sure), *made.readings))


_SAMPLE_TYPES, _SAMPLE_WORDS = ("sample_type", "sampletype", "task"), ("sample", "sampleid", "samplename")
_SAMPLES = frozenset(("sample", "unknown", "unkn"))
_CONTROL = re.compile(
    r"(.*[_ .-])?(control|ctrl|ipc|neg|nc|pc|sc|plate[_ .-]?control|blank|calibrator|buffer|qc|pool)s?"
    r"([_ .-]?[A-Za-z]?\d*)?",
    re.IGNORECASE,
)


def _without_controls(table: Table) -> Table:
    """The table without rows of controls, such as those on every plate: by the sample type, or by repeated names."""
    keys = _keys_by_name(table)
    if keys is None:
        return table
    kinds = next((j for j, name in enumerate(table.columns) if _plain(name) in _SAMPLE_TYPES), None)
    words = _words(table, keys[0])
    if kinds is not None and _SAMPLES & {kind.lower() for kind in _words(table, kinds)}:
        out = [kind.lower() not in _SAMPLES for kind in _words(table, kinds)]
    else:
        repeated = {words[row] for row in _repeats(table, *keys)}
        out = [word in repeated for word in words] if all(map(_CONTROL.fullmatch, repeated)) else []
    if not any(out) or all(out):
        return table
    kept = np.flatnonzero(~np.array(out))
    names = list(dict.fromkeys(word for word, gone in zip(words, out, strict=True) if gone))
    sentence = message_many(
        len(names),
        '{count} sample of "{name}" is a control and is dropped: {samples}.',
        '{count} samples of "{name}" are controls and are dropped: {samples}.',
        name=table.name, samples=quoted(names),
    )  # fmt: skip
    return replace(
        table,
        values=np.asfortranarray(table.values[kept]),
        rows=tuple(table.rows[row] for row in kept),
        checks=(*table.checks, Check("control samples", sentence)),
    )


def _keys_by_name(table: Table) -> tuple[int, int] | None:
    """The columns with usual names for samples and variables, if there is also one for values; otherwise None."""
    plain = [_plain(name) for name in table.columns]
    variables = [
        j for j, name in enumerate(plain)
        if _is_called_variable(table, j) and (j in table.categories or (name in _CODED and _may_be_key(table, j)))
    ]  # fmt: skip
    samples = [
        j for j, name in enumerate(table.columns)
        if j not in variables and (PERSON_NAME.fullmatch(name) or plain[j].replace("_", "") in _SAMPLE_WORDS)
        and _may_be_key(table, j)
    ]  # fmt: skip
    if not samples or not variables or not {*plain} & _VALUE_WORDS:
        return None
    return samples[0], max(variables, key=lambda j: len(_distinct(table, j)))


def _repeats(table: Table, sample: int, variable: int) -> list[int]:
    """Rows with the same sample and variable as an earlier row."""
    pairs = np.unique(table.values[:, [sample, variable]], axis=0, return_index=True)[1]
    repeats: list[int] = np.setdiff1d(np.arange(len(table.rows)), pairs).tolist()
    return repeats


def _twice(table: Table) -> tuple[int, int, int] | None:
    """Columns of samples and variables, and the first row that repeats a pair, if few rows do; otherwise None."""
    keys = _keys_by_name(table)
    if keys is None or len(table.rows) < _FEWEST_ROWS:
        return None
    rows = _repeats(table, *keys)
    full = _FULL * len(_distinct(table, keys[0])) * len(_distinct(table, keys[1])) <= len(table.rows)
    several = len(_distinct(table, keys[1])) >= _FEWEST_VARIABLES  # e.g. technical replicates of each variable
    asked = full and (several or _FEW_TWICE * len(rows) <= len(table.rows))
    return (*keys, rows[0]) if rows and (asked or _plain(table.columns[keys[1]]) in _CODED) else None


def _with_repeated_values(table: Table, sample: int, variable: int, row: int, *, said: bool) -> Table:
    """The table with the question whether it is in long form; DataError if the user says so."""
    who, what = _words(table, sample)[row], _words(table, variable)[row]
    if said:
        raise DataError(
            '"{name}" has several values of "{variable}" for "{sample}". Keep one for each sample and variable.',
            name=table.name, variable=what, sample=who,
        )  # fmt: skip
    sentence = message(
        'Each row is read as a sample, although each may be one value of "{sample}" and "{variable}".',
        sample=table.columns[sample], variable=table.columns[variable],
    )  # fmt: skip
    evidence = message('"{sample}" has several values of "{variable}".', sample=who, variable=what)
    answers = (
        Alternative(message("Each row is a sample"), "orientation", "rows"),
        Alternative(message("One value per row: combine into one row per sample"), "orientation", "long"),
    )
    return replace(table, readings=(*table.readings, Reading("long form", sentence, evidence, answers, sure=False)))


_FEWEST_VARIABLES = 3
_FEW_TWICE = 10  # minimum number of rows for each row that repeats another


def _distinct(table: Table, column: int) -> NDArray[np.float64]:
    values = table.values[:, column]
    return np.unique(values[~np.isnan(values)])


def _find(table: Table) -> _Long | None:
    """The columns of samples, variables and values; None if none fit."""
    if len(table.rows) < _FEWEST_ROWS or len(table.columns) < 3:
        return None
    keys = [j for j in range(min(len(table.columns), _MOST_COLUMNS)) if _may_be_key(table, j)]
    counts = {j: len(_distinct(table, j)) for j in keys}
    found = [long for a in keys for b in keys if a != b and _may_name_variables(table, b)
             and len(table.rows) <= counts[a] * counts[b] <= len(table.rows) / _FULL
             and (long := _of_keys(table, a, b)) is not None]  # fmt: skip
    return max(found, key=lambda long: _likelihood(table, long), default=None)


_MOST_DETAILED = ("precursor_id", "eg_precursorid", "precursorid")  # a peptide has several precursors, by charge


def _likelihood(table: Table, long: _Long) -> tuple[bool, bool, bool, bool, bool, int]:
    """Sort key that puts the most clearly named pair of columns last; the first column then contains the samples."""
    names = [name.strip() for name in table.columns]
    return (
        _plain(names[long.variable]) in _MOST_DETAILED,
        _is_called_variable(table, long.variable),
        _plain(names[long.value]) in _VALUE_WORDS,
        PERSON_NAME.fullmatch(names[long.sample]) is not None
        or names[long.sample].lower().startswith(("sample", "id")),
        not _plain(names[long.variable]).endswith(("id", "cd")),
        -long.sample,
    )


def _may_be_key(table: Table, column: int) -> bool:
    values = table.values[:, column]
    if np.isnan(values).any() or (column not in table.categories and (values != np.floor(values)).any()):
        return False
    return 2 <= len(np.unique(values)) <= len(values) // 2


_OF_PCR = frozenset(("ct", "cq", "crt"))  # values of PCR, whose software calls genes "targets"


def _is_called_variable(table: Table, column: int) -> bool:
    name = _plain(table.columns[column])
    if name == "target":
        return not _OF_PCR.isdisjoint(map(_plain, table.columns))
    return name in _VARIABLE_WORDS | _CODED


def _may_name_variables(table: Table, column: int) -> bool:
    return column in table.categories or _plain(table.columns[column]) in _CODED


def _of_keys(table: Table, sample: int, variable: int) -> _Long | None:
    a = np.unique(table.values[:, sample], return_inverse=True)[1]
    b = np.unique(table.values[:, variable], return_inverse=True)[1]
    samples, variables = int(a.max()) + 1, int(b.max()) + 1
    pairs = a * variables + b
    full = len(pairs) >= _FULL * samples * variables
    if samples < _FEWEST_SAMPLES or not full or len(np.unique(pairs)) < len(pairs):
        return None
    of_samples, of_variables, others = [], [], []
    for j in range(len(table.columns)):
        if j in (sample, variable):
            continue
        if _is_constant_within(table.values[:, j], b, variables):
            of_variables.append(j)
        elif _is_constant_within(table.values[:, j], a, samples):
            of_samples.append(j)
        else:
            others.append(j)
    plain = [_plain(table.columns[j]) for j in others]
    value = next((others[plain.index(word)] for word in _FIRST_VALUES if word in plain), None)
    known = value is not None and _is_called_variable(table, variable)
    if value is None and len(others) == 1:
        (value,) = others
    if value is None or (not known and (len(others) > 1 or len(of_samples) + len(of_variables) > _MOST_OTHERS)):
        return None
    left = tuple(j for j in others if j != value)
    return _Long(sample, variable, value, tuple(of_samples), tuple(of_variables), left)


def _is_constant_within(values: NDArray[np.float64], codes: NDArray[np.intp], count: int) -> bool:
    filled = np.where(np.isnan(values), -np.inf, values)
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, codes, filled)
    np.maximum.at(high, codes, filled)
    return bool((low == high).all())


def _words(table: Table, column: int) -> list[str]:
    levels = table.categories.get(column)
    return ["" if np.isnan(value) else (levels[int(value)] if levels else f"{value:.15g}")
            for value in table.values[:, column].tolist()]  # fmt: skip


def _order(table: Table, column: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(n,) index of each row's value in order of appearance, and the first row of each."""
    _, first, codes = np.unique(table.values[:, column], return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return place[codes], first[order]


def _wide(table: Table, found: _Long, options: ReadOptions) -> Table:
    rows, first_row = _order(table, found.sample)
    places, first_place = _order(table, found.variable)
    samples, variables = _words(table, found.sample), _words(table, found.variable)
    ids = [samples[row] for row in first_row]
    names = [variables[row] for row in first_place]
    width = len(names)
    values: NDArray[np.float64] = np.full((len(ids), width + len(found.of_samples)), np.nan, order="F")
    texts: dict[int, list[str]] = {}
    if found.value in table.categories:
        texts = {j: [""] * len(ids) for j in range(width)}
        for row, place, word in zip(rows.tolist(), places.tolist(), _words(table, found.value), strict=True):
            texts[place][row] = word
    else:
        values[rows, places] = table.values[:, found.value]
        texts = _with_units(table, found.value, rows, places, (len(ids), width))
    for extra, column in enumerate(found.of_samples, width):
        names.append(table.columns[column])
        if column in table.categories:
            cells = _words(table, column)
            texts[extra] = [cells[row] for row in first_row]
        else:
            values[:, extra] = table.values[first_row, column]
    numbers = Numbers("," if table.ways.get("decimal") == "comma" else ".")
    columns, findings = typed(Columns(values, texts), names, numbers, options)
    sentence = message('Column "{name}" contains the sample IDs.', name=table.columns[found.sample])
    checks = [each for each in table.checks if each.kind not in _OF_LONG_COLUMNS]
    checks += [Check("missing spellings", each.sentence) for each in table.readings
               if each.kind == "word among numbers" and table.columns[found.value] in each.columns]  # fmt: skip
    checks += [Check("row ids", sentence, (table.columns[found.sample],)), *_left_out(table, found.of_variables)]
    if found.others:
        sentence = message_many(
            len(found.others),
            '{count} column contains other values of each variable than "{value}" and is ignored: {names}.',
            '{count} columns contain other values of each variable than "{value}" and are ignored: {names}.',
            value=table.columns[found.value], names=quoted([table.columns[j] for j in found.others]),
        )  # fmt: skip
        checks.append(Check("measure", sentence))
    words = [names[j] for j in columns.texts]
    made = build_table(
        table.name,
        columns,
        names,
        rows=ids,
        source=joined(", ", [table.source, message("one value per row")]),
        checks=[*checks, *findings.checks],
        mixed=findings.mixed,
        missing=("",),
        default_target=words[-1] if words else None,
    )
    told = [reading for reading in table.readings if reading.kind not in _OF_LONG_COLUMNS]
    made = replace(
        made, readings=(*told, *findings.readings), ways=table.ways, parts=table.parts, part=table.part,
        descriptions=dict(_descriptions(table, found, first_place)),
    )  # fmt: skip
    made = as_descriptions(made, made.columns[width:])
    if len(words) > 1:
        return asking_for_target(made, words)
    return made if words else with_likely_target(asking_for_target(made), named=True)


_UNIT = re.compile(r"(.*_)?(units?|einheit(en)?|unité|unidad|unità|uom)", re.IGNORECASE)


def _with_units(
    table: Table, value: int, rows: NDArray[np.intp], places: NDArray[np.intp], shape: tuple[int, int]
) -> dict[int, list[str]]:
    """The cells of variables with values in several units, each with its unit, as texts by variable."""
    unit = next(
        (j for j, name in enumerate(table.columns) if j in table.categories and _UNIT.fullmatch(_plain(name))), None
    )
    if unit is None or unit == value:
        return {}
    units = _words(table, unit)
    of_variable: dict[int, set[str]] = {}
    for place, word in zip(places.tolist(), units, strict=True):
        of_variable.setdefault(place, set()).add(word)
    texts = {place: [""] * shape[0] for place, found in of_variable.items() if len(found - {""}) > 1}
    for row, place, number, word in zip(
        rows.tolist(), places.tolist(), table.values[:, value].tolist(), units, strict=True
    ):
        if place in texts and not np.isnan(number):
            texts[place][row] = f"{number:.15g} {word}".strip()
    return texts


_OF_LONG_COLUMNS = (
    "target",
    "text among numbers",
    "row ids",
    "word among numbers",
    "replicates",
    "sample descriptions",
)
"""Checks and decisions about the columns of the long table."""


def _left_out(table: Table, columns: Sequence[int]) -> list[Check]:
    names = [table.columns[j] for j in columns]
    if not names:
        return []
    sentence = message_many(
        len(names),
        "{count} column describes the variables and is ignored: {names}.",
        "{count} columns describe the variables and are ignored: {names}.",
        names=quoted(names),
    )
    return [Check("feature descriptions", sentence)]


def _descriptions(table: Table, found: _Long, first_place: NDArray[np.intp]) -> Iterator[tuple[str, str]]:
    """Descriptions of variables, such as units, from the columns that describe them."""
    names = _words(table, found.variable)
    told = [_words(table, j) for j in found.of_variables]
    for row in first_place.tolist():
        text = "; ".join(cells[row] for cells in told if cells[row])
        if text:
            yield names[row], text
