"""Reports of proteomics software with one row per precursor, peptide or fragment and run: which table to open."""

from collections.abc import Sequence
from dataclasses import dataclass

from fsdesk.errors import DataError
from fsdesk.messages import message


@dataclass(frozen=True)
class _Report:
    """A report: what wrote it, its column names in lower case, and what to open in its place.

    Attributes
    ----------
    run, item, values
        Names of the columns of runs, of precursors and the like, and of values; each report has one of each.
    """

    program: str
    run: frozenset[str]
    item: frozenset[str]
    values: frozenset[str]
    advice: str


_REPORTS = (
    _Report(
        "DIA-NN",
        frozenset(("run", "file.name")),
        frozenset(("precursor.id", "modified.sequence", "stripped.sequence")),
        frozenset(("precursor.normalised", "precursor.quantity", "pg.maxlfq", "pg.quantity", "pg.normalised")),
        message("Open report.pg_matrix.tsv (proteins) or report.pr_matrix.tsv (precursors), which DIA-NN writes "
                "beside it, with samples in columns"),
    ),
    _Report(
        "Spectronaut",
        frozenset(("r.filename", "r.label", "r.run date", "r.replicate")),
        frozenset((
            "eg.precursorid", "eg.modifiedpeptide", "eg.modifiedsequence", "eg.strippedsequence",
            "pep.strippedsequence", "pep.groupingkey", "fg.id", "fg.charge", "f.frgion", "f.frgnum",
        )),
        frozenset((
            "fg.quantity", "fg.ms2quantity", "fg.ms1quantity", "fg.ms2rawquantity", "eg.totalquantity (settings)",
            "eg.targetquantity (settings)", "f.peakarea", "f.normalizedpeakarea", "pg.quantity", "pep.quantity",
            "eg.qvalue", "pep.ms2quantity", "pg.ms2quantity",
        )),
        message("In Spectronaut, export a pivot report of protein quantities, and open that with samples in columns"),
    ),
    _Report(
        "MaxQuant",
        frozenset(("raw file", "experiment")),
        frozenset(("modified sequence",)),
        frozenset(("intensity", "ratio h/l", "precursor intensity", "score")),
        message("Open proteinGroups.txt of the same folder, with samples in columns"),
    ),
    _Report(
        "MSstats",
        frozenset(("run", "bioreplicate")),
        frozenset(("peptidesequence", "peptidemodifiedsequence", "psm")),
        frozenset(("intensity", "abundance")),
        message("Summarize proteins with dataProcess and quantification of MSstats, and open the table of proteins"),
    ),
    _Report(
        "Skyline",
        frozenset(("replicate", "replicate name", "replicatename", "file name", "filename")),
        frozenset(("product charge", "productcharge", "fragment ion", "fragmention")),
        frozenset(("area", "total area", "normalized area", "total area fragment", "total area ms1", "height")),
        message('In Skyline, export a report with "Pivot replicate name", and open that with samples in columns'),
    ),
    _Report(
        "OpenSWATH",
        frozenset(("filename", "run_id")),
        frozenset(("fullpeptidename", "transition_group_id")),
        frozenset(("intensity", "aggr_prec_peak_area")),
        message("Export a matrix, for example with pyprophet export or TRIC, and open that with samples in columns"),
    ),
)  # fmt: skip


_PROTEINS = (
    (("run", "file.name"), ("protein.group", "protein.ids"), ("pg.maxlfq", "pg.normalised", "pg.quantity")),
    (("r.filename", "r.label"), ("pg.proteingroups", "pg.proteinaccessions"), ("pg.quantity", "pg.ms2quantity")),
)
"""Names of the columns of runs, proteins and quantities of proteins, which a report repeats for each precursor."""


def protein_columns(names: Sequence[str]) -> tuple[int, int, int] | None:
    """Columns of runs, proteins and quantities of proteins in a report of precursors; None if it has none."""
    plain = [each.strip().lower() for each in names]
    for wanted in _PROTEINS:
        places = [next((plain.index(each) for each in each_of if each in plain), None) for each_of in wanted]
        run, protein, quantity = places
        if run is not None and protein is not None and quantity is not None:
            return run, protein, quantity
    return None


def refuse_precursors(names: Sequence[str], name: str) -> None:
    """Raise DataError for columns ``names`` of a report with several rows per protein and run.

    A search for features needs one row per sample; combining precursors into proteins is left to that software.
    """
    found = {each.strip().lower() for each in names}
    report = next((each for each in _REPORTS if found & each.run and found & each.item and found & each.values), None)
    if report is not None:
        raise DataError(
            '"{name}" is a report of {program} with one row per precursor, peptide or fragment and run, not per '
            "sample. {advice}.",
            name=name, program=report.program, advice=report.advice,
        )  # fmt: skip
