"""The export formats as data: one entry for each, for the window, the command line and the tests.

The same run writes the same bytes, except for the two pipelines, whose formats do not guarantee it. No text in CSV or
Excel can be read as a formula: see :mod:`fsdesk.results.sheets`.
"""

import io
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import ProjectError, SettingsError, lacks_handles
from fsdesk.messages import message
from fsdesk.results.features import Effect, effects_of
from fsdesk.results.record import RunRecord
from fsdesk.results.sheets import csv_text, escape_formula
from fsdesk.results.stability import selections_of
from fsdesk.results.trust import trust_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fsdesk.results.sealing import Signer

Writer = Callable[[RunRecord, Dataset], str | bytes]

DRAWN_BY = "matplotlib typst"
"""Libraries of the extra "report": figures and reports need both."""


def _always(result: RunRecord) -> bool:
    return True


@dataclass(frozen=True)
class Export:
    """One exportable file of a result.

    Attributes
    ----------
    name
        Name of the file.
    group, title, help
        Heading, title, and a one-line description; files with the same title are formats of one item.
    writer
        Creates its text or its bytes.
    applies
        Whether it is available for a result.
    library
        Libraries of an extra that it needs, separated by spaces; "" for none.
    label
        Label of its checkbox if the format alone is not clear enough.
    sealed
        Whether it is a bundle, which can be signed.
    """

    name: str
    group: str
    title: str
    help: str
    writer: Writer
    applies: Callable[[RunRecord], bool] = _always
    library: str = ""
    label: str = ""
    sealed: bool = False

    def content(self, result: RunRecord, dataset: Dataset) -> bytes:
        """Content of the file; texts are in UTF-8. SettingsError if a library is not installed."""
        if self.lacks:
            raise SettingsError(self.lacks)
        written = self.writer(result, dataset)
        return written.encode("utf-8") if isinstance(written, str) else bytes(written)

    @property
    def suffix(self) -> str:
        """File name extension, such as ".csv"."""
        return Path(self.name).suffix

    @property
    def lacks(self) -> str:
        """What to do if a library is not installed; "" if it is, or if none is needed."""
        missing = next((each for each in self.library.split() if find_spec(each) is None), "")
        if not missing:
            return ""
        if getattr(sys, "frozen", False):  # pip cannot add anything to the program of an installer
            return message(
                "{name} needs the library {library}, which is not included in this program. Choose another format.",
                name=self.name,
                library=missing,
            )
        return message(
            "{name} needs the library {library}. Install it with: pip install {install}.",
            name=self.name,
            library=missing,
            install='"fsdesk[report]"' if self.library == DRAWN_BY else '"fsdesk[formats]"',
        )


def _mask_csv(result: RunRecord, dataset: Dataset) -> str:
    columns = ["feature", "selected", "weight", "frequency"]
    about = result.annotations
    taken = [f"{title}_" if title in columns else title for title in about.titles]
    weights = result.mask.astype(float) if result.weights is None else result.weights
    values = zip(result.all_features, result.mask, weights, result.frequency, strict=True)
    lines = [
        [escape_formula(name), int(selected), repr(float(weight)), repr(float(frequency)),
         *map(escape_formula, about.cells(name))]
        for name, selected, weight, frequency in values
    ]  # fmt: skip
    return csv_text([[*columns, *map(escape_formula, taken)], *lines])


def _mask_json(result: RunRecord, dataset: Dataset) -> str:
    weights = None if result.weights is None else result.weights.tolist()
    content: dict[str, object] = {
        "features": result.all_features,
        "mask": result.mask.tolist(),
        "weights": weights,
        "frequency": result.frequency.tolist(),
    }
    if result.annotations.titles:
        content["annotations"] = {
            name: dict(zip(result.annotations.titles, result.annotations.cells(name), strict=True))
            for name in result.all_features
        }
    return json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n"


def npy(values: NDArray[Any]) -> bytes:
    """An array in NumPy's file format."""
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


def features_csv(result: RunRecord, dataset: Dataset) -> str:
    """A line for each selectable feature; those of the result also have their effect in the model.

    Columns: the individual association with the target, with interval, p and q values; the fraction of random halves of
    the rows that select it; its role, and the features it is interchangeable with; its effect, see
    :class:`fsdesk.results.features.Effect`. The file is in English, like all files for programs.
    """
    trust, selections = trust_of(result, dataset), selections_of(result)
    tests, halves, names = trust.tests, trust.halves, result.all_features
    frequency = None if selections is None else selections.frequency
    effects: dict[int, Effect] = {effect.place: effect for effect in effects_of(result, dataset)}
    lines: list[list[object]] = [
        ["feature", "selected", "role", "exchangeable with", tests.measure, "from", "to", "p", "q",
         "q (any dependence)", "half-samples", "selection frequency", "direction", "difference",
         "standardised difference", "effect", "effect from", "effect to", "most like, not selected", "correlation",
         "importance", "importance from", "importance to"]
    ]  # fmt: skip
    for place, name in enumerate(names):
        effect = effects.get(place)
        others = "; ".join(names[each] for each in trust.partners.get(place, ()))
        numbers = (tests.estimate, tests.low, tests.high, tests.p, tests.q, tests.q_any)
        shares = (None if halves is None else halves.probability, frequency)
        cells = [""] * 11
        if effect is not None:
            like = "" if effect.like is None else names[effect.like]
            values = (effect.difference, effect.standardised, effect.effect, effect.low, effect.high)
            cells = [effect.direction, *map(_digits, values), escape_formula(like), _digits(effect.correlation),
                     *map(_digits, (effect.importance, effect.importance_low, effect.importance_high))]  # fmt: skip
        lines.append(
            [escape_formula(name), int(result.mask[place]), trust.roles[place], escape_formula(others),
             *(_digits(float(values[place])) for values in numbers),
             *("" if values is None else _digits(float(values[place])) for values in shares), *cells]
        )  # fmt: skip
    return csv_text(lines)


def coefficients_csv(result: RunRecord, dataset: Dataset) -> str:
    """The model of the result as a sum; only a header if it is not one. See :mod:`fsdesk.results.coefficients`."""
    from fsdesk.results.features import linear_model

    found = linear_model(result, dataset)
    lines: list[list[object]] = [
        ["feature", "centre", "scale", "coefficient", "from", "to", "ratio", "ratio from", "ratio to"]
    ]
    if found is not None and found.intercept is not None:
        lines.append(["(intercept)", "", "", _digits(found.intercept), *[""] * 5])
    for each in () if found is None else found.features:
        ratios = each.ratios() if found is not None and found.are_ratios else (None, None, None)
        numbers = (each.centre, each.scale, each.value, each.low, each.high, *ratios)
        lines.append([escape_formula(each.name), *map(_digits, numbers)])
    return csv_text(lines)


def _is_a_sum(result: RunRecord) -> bool:
    """Whether the model of the result may be linear."""
    return str(result.answered.wrapper) in _SUMS


_SUMS = ("logistic", "ridge", "lda", "svm", "cox")


def _digits(value: float | None) -> str:
    return "" if value is None or not np.isfinite(value) else repr(float(value))


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(f"fsdesk.results.{module}"), name)


def _fits_a_database(result: RunRecord) -> bool:
    return len(result.features) <= int(_imported("reduced", "SQLITE_FEATURES"))


def _later(module: str, name: str) -> Writer:
    """A writer whose module is imported when used, because matplotlib and others load slowly."""
    return lambda result, dataset: _imported(module, name)(result, dataset)


def _figure(module: str, name: str, kind: str) -> Writer:
    def write(result: RunRecord, dataset: Dataset) -> bytes:
        from fsdesk.results.figures import kept_figure, written

        return written(kept_figure(result, dataset, _imported(module, name)), kind)

    return write


def _has_sizes(result: RunRecord) -> bool:
    return (
        bool(_imported("subsets", "standings")(result.race))
        or len({point.size for point in result.finalists if math.isfinite(point.error)}) > 1
    )


def _predicts_classes(result: RunRecord) -> bool:
    return result.criterion.task == "classification"


def _predicts_times(result: RunRecord) -> bool:
    return result.criterion.task == "survival"


def _gives_scores(result: RunRecord) -> bool:
    return _predicts_classes(result) and result.answered.build_wrapper().scores_are() is not None


def _decides(result: RunRecord) -> bool:
    known = result.honesty
    scored = _gives_scores(result) or _predicts_times(result)
    return scored and not result.picked and (known.complete or known.own is not None)


def _has_weights(result: RunRecord) -> bool:
    return result.weights_moved


_FIGURES = (
    ("curve", "Error curve", "The errors measured by the search, iteration by iteration",
     "figures", "curve_figure", _always),
    ("sizes", "Error by size",
     "Competing strategies, or finalists, by number of features; requires a method with them",
     "figures", "size_figure", _has_sizes),
    ("weights", "Weights during the search", "Feature by iteration; requires a method with feature weights",
     "figures", "weights_figure", _has_weights),
    ("heatmap", "Heatmap of the selected features",
     "Rows by class, features clustered, z-scores: a figure for publication",
     "heatmap_figures", "feature_map_figure", _always),
    ("confusion", "Confusion matrix",
     "On held-out rows if available, next to all features; requires a categorical target",
     "prediction_figures", "confusion_figure", _predicts_classes),
    ("roc", "ROC curves", "On held-out rows if available, next to all features; requires a model with scores",
     "prediction_figures", "roc_figure", _gives_scores),
    ("survival", "Survival by predicted risk",
     "Kaplan-Meier curves, on held-out rows if available; requires times to an event",
     "prediction_figures", "survival_figure", _predicts_times),
    ("decision", "Cut-off, calibration and net benefit",
     "On held-out rows, with intervals; requires a model with scores and the held-out error",
     "prediction_figures", "decision_figure", _decides),
)  # fmt: skip


def figure_named(result: RunRecord, dataset: Dataset, name: str) -> "Figure":
    """A figure of the export, by file name without the suffix.

    Raises
    ------
    SettingsError
        If the name is unknown, or the run has not measured its content.
    """
    known = {stem: (module, function, applies) for stem, _, _, module, function, applies in _FIGURES}
    if name not in known:
        raise SettingsError(
            'There is no figure "{name}". Choose one of {known}.', name=name, known=", ".join(sorted(known))
        )
    module, function, applies = known[name]
    if not applies(result):
        raise SettingsError('This run has not measured the data for the figure "{name}".', name=name)
    if lacks := EXPORTS[f"{name}.svg"].lacks:
        raise SettingsError(lacks)
    from fsdesk.results.figures import kept_figure

    return kept_figure(result, dataset, _imported(module, function))


_TABLE = ("Table", "Reduced table", "Row IDs, the selected features and the target, for further analysis")
_TABLE_FOR_STATISTICS = (
    "Table",
    "Reduced table for statistics",
    "With category names: SPSS, jamovi and JASP, Stata, SAS, R",
)
_TABLE_FOR_PROGRAMS = (
    "Table",
    "Reduced table for use in other programs",
    "With category names: scanpy, Arrow, NumPy, SQLite",
)
_MASK = ("Mask", "Mask", "Whether each feature is selected; its weight and frequency in CSV and JSON")
_REPORT = ("Report", "Report", "Results and methods in readable form, with the error curve")
_BUNDLE = (
    "To reproduce",
    "Sealed bundle",
    "For reviewers, in a single file: log, seeds, folds, report; check it with fsdesk verify",
)
_PIPELINE = ("To reproduce", "Trained pipeline", "For scikit-learn; accepts any table with these column names")

_ALL = (
    Export("mask.csv", *_MASK, _mask_csv),
    Export("mask.json", *_MASK, _mask_json),
    Export("mask.npy", *_MASK, lambda result, dataset: npy(result.mask)),
    Export(
        "selected.txt",
        "Mask",
        "List of features",
        "Names of the selected features, one per line",
        lambda result, dataset: "".join(f"{name}\n" for name in result.features),
    ),
    Export("table.csv", *_TABLE, _later("reduced", "reduced_csv")),
    Export("table.xlsx", *_TABLE, _later("reduced", "reduced_excel")),
    Export("table.parquet", *_TABLE, _later("reduced", "reduced_parquet"), library="pyarrow"),
    Export("table.arff", *_TABLE, _later("reduced", "reduced_arff")),
    Export("table.sav", *_TABLE_FOR_STATISTICS, _later("reduced", "reduced_spss"), library="pyreadstat"),
    Export("table.dta", *_TABLE_FOR_STATISTICS, _later("reduced", "reduced_stata"), library="pyreadstat"),
    Export("table.xpt", *_TABLE_FOR_STATISTICS, _later("reduced", "reduced_sas"), library="pyreadstat"),
    Export("table.rds", *_TABLE_FOR_STATISTICS, _later("reduced", "reduced_r"), library="rdata"),
    Export("table.h5ad", *_TABLE_FOR_PROGRAMS, _later("reduced", "reduced_anndata"), library="h5py"),
    Export("table.feather", *_TABLE_FOR_PROGRAMS, _later("reduced", "reduced_feather"), library="pyarrow"),
    Export("table.npz", *_TABLE_FOR_PROGRAMS, _later("reduced", "reduced_numpy")),
    Export("table.sqlite", *_TABLE_FOR_PROGRAMS, _later("reduced", "reduced_sqlite"), _fits_a_database),
    *(
        Export(f"{stem}.{kind}", "Figures", title, line, _figure(module, name, kind), applies, DRAWN_BY)
        for stem, title, line, module, name, applies in _FIGURES
        for kind in ("png", "svg", "pdf")
    ),
    Export("report.html", *_REPORT, _later("report", "report_html"), library=DRAWN_BY),
    Export("report.pdf", *_REPORT, _later("report", "report_pdf"), library=DRAWN_BY),
    Export(
        "features.csv",
        "Report",
        "Feature effects",
        "Association with q value, half-sample frequency, effect, and interchangeable features",
        features_csv,
    ),
    Export(
        "coefficients.csv",
        "Report",
        "Coefficients",
        "The model as a sum, with intercept, scaling and intervals; requires a linear model",
        coefficients_csv,
        _is_a_sum,
    ),
    Export(
        "result.json",
        "Report",
        "Numbers",
        "All numbers and settings, machine-readable",
        _later("result_json", "result_json"),
    ),
    Export(
        "methods.txt",
        "Report",
        "Methods paragraph",
        "Ready to paste into a paper: what was done, with all numbers and citations",
        _later("methods_text", "methods_text"),
    ),
    Export(
        "settings.toml",
        "To reproduce",
        "Settings",
        "For fsdesk run --settings; its first lines contain the complete command",
        _later("settings_file", "settings_toml"),
    ),
    Export(
        "reproduce.py",
        "To reproduce",
        "Python script",
        "Reads table.csv, trains the model and prints its score, without fsdesk",
        _later("pipeline", "script"),
    ),
    Export("pipeline.joblib", *_PIPELINE, _later("pipeline", "pipeline_joblib")),
    Export("pipeline.skops", *_PIPELINE, _later("pipeline", "pipeline_skops"), library="skops"),
    Export("bundle.zip", *_BUNDLE, _later("bundle", "bundle"), label="ZIP", sealed=True, library=DRAWN_BY),
    Export(
        "bundle-with-data.zip",
        *_BUNDLE,
        _later("bundle", "bundle_with_data"),
        label="ZIP with the data",
        sealed=True,
        library=DRAWN_BY,
    ),
)

EXPORTS: dict[str, Export] = {each.name: each for each in _ALL}
"""All files by name, in display order."""

_DRAWN = (".png", ".svg", ".pdf", ".html", ".zip")

STANDARD = ("mask.csv", "selected.txt", "result.json", "report.html")
"""Files that are written by default."""


def writable(result: RunRecord, names: Sequence[str] = tuple(EXPORTS)) -> tuple[str, ...]:
    """The files available for this result in this installation."""
    return tuple(name for name in names if EXPORTS[name].applies(result) and not EXPORTS[name].lacks)


def refuse_unwritable(result: RunRecord, names: Sequence[str]) -> None:
    """Raise SettingsError if a file does not apply to the result, or needs a library that is not installed."""
    for name in names:
        if not EXPORTS[name].applies(result):
            raise SettingsError(
                "This run has no data for {name}; leave it out. {help}.", name=name, help=EXPORTS[name].help
            )
        if EXPORTS[name].lacks:
            raise SettingsError(EXPORTS[name].lacks)


def chosen_exports(words: Sequence[str], result: RunRecord) -> tuple[str, ...]:
    """Names of the files for words on the command line: files, groups such as "figures", or "all"; default: standard.

    Groups omit files that are not available for the result or that need a missing library. Raises SettingsError for an
    unknown word.
    """
    groups = {each.group.lower() for each in _ALL}
    found: dict[str, None] = {}
    for word in words or writable(result, STANDARD):
        if word in EXPORTS:
            found[word] = None
        elif word.lower() in groups | {"all"}:
            members = [each.name for each in _ALL if word.lower() in ("all", each.group.lower())]
            found.update(dict.fromkeys(writable(result, members)))
        else:
            known = ", ".join(sorted(groups))
            raise SettingsError(
                'There is no export named "{word}". Available: all, {known}, {exports}.',
                word=word,
                known=known,
                exports=", ".join(EXPORTS),
            )
    return tuple(found)


def export(
    result: RunRecord, dataset: Dataset, folder: Path, names: Sequence[str] = STANDARD, signer: "Signer | None" = None
) -> list[Path]:
    """Write files of ``EXPORTS`` into a folder, created if necessary; each file is written completely or not at all.

    Files without figures are written first, so that numbers are available if figures fail.

    Parameters
    ----------
    signer
        The signer of bundles.

    Raises
    ------
    SettingsError
        If a file is not available for the result, or a library is not installed; before anything is written.
    ProjectError
        If the folder cannot be written.
    """
    refuse_unwritable(result, names)
    for name in sorted(names, key=lambda name: Path(name).suffix in _DRAWN):
        try:
            content = EXPORTS[name].content(result, dataset)
            if signer is not None and EXPORTS[name].sealed:
                content = signer.signed(content)
            write_file(folder / name, content, make_folder=True)
        except (OSError, ImportError, RuntimeError, ProjectError) as error:
            if not lacks_handles(error):
                raise
            raise ProjectError(
                '"{name}" was not written, because it needs more open files than this process may have. Raise the '
                'limit, for example with "ulimit -n 1024", and export it again.',
                name=name,
            ) from error
    return [folder / name for name in names]


def write_file(path: Path, content: bytes, *, make_folder: bool = False) -> None:
    """Write a file completely or not at all; raise ProjectError on failure, such as on a full disk."""
    part = path.with_name(f".{path.name}.part")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with part.open("xb") as file:  # never through a link that came with the folder
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise ProjectError(
            'Cannot write "{path}" ({reason}). Choose another folder.', path=path, reason=reason
        ) from error
