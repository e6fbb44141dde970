"""The files that a person takes home, as data: one entry for each, for the window, the command line and the tests.

The same run writes the same bytes, but for the two pipelines, whose formats do not promise it.
"""

import csv
import io
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fsdesk.data import Dataset
from fsdesk.errors import ProjectError, SettingsError
from fsdesk.messages import message
from fsdesk.results.formulas import escape_formula
from fsdesk.results.result import Result
from fsdesk.results.result_json import result_json

if TYPE_CHECKING:
    from fsdesk.results.signature import Signer

__all__ = ["EXPORTS", "STANDARD", "Export", "chosen_exports", "export", "refuse_unwritable", "writable"]

Writer = Callable[[Result, Dataset], bytes]


def _always(result: Result) -> bool:
    return True


@dataclass(frozen=True)
class Export:
    """One file that can be written of a result.

    Attributes
    ----------
    name
        Of the file.
    group, title, help
        Heading that it stands under, what it is, and one line about it; files of one title are formats of one thing.
    writer
        Makes its content.
    applies
        Whether a result has it.
    library
        Library of the extra "formats" that it needs; "" for none.
    label
        What a box for it says where the format alone is not enough.
    sealed
        Whether it is a bundle, which can be signed.
    """

    name: str
    group: str
    title: str
    help: str
    writer: Writer
    applies: Callable[[Result], bool] = _always
    library: str = ""
    label: str = ""
    sealed: bool = False

    @property
    def suffix(self) -> str:
        """The format: ".csv"."""
        return Path(self.name).suffix

    @property
    def lacks(self) -> str:
        """What to do where the library is not installed, in words; "" where it is, or where none is needed."""
        if not self.library or find_spec(self.library) is not None:
            return ""
        if getattr(sys, "frozen", False):  # pip adds nothing to the program of an installer
            return message(
                "{name} needs the library {library}, which is not part of this program: choose another format.",
                name=self.name,
                library=self.library,
            )
        return message(
            "{name} needs the library {library}: install it with: pip install {install}.",
            name=self.name,
            library=self.library,
            install='"fsdesk[formats]"',
        )


def _mask_csv(result: Result, dataset: Dataset) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    columns = ["feature", "selected", "weight", "frequency"]
    about = result.annotations
    taken = [f"{title}_" if title in columns else title for title in about.titles]
    writer.writerow([*columns, *map(escape_formula, taken)])
    weights = result.mask.astype(float) if result.weights is None else result.weights
    for name, selected, weight, frequency in zip(
        result.all_features, result.mask, weights, result.frequency, strict=True
    ):
        known = map(escape_formula, about.cells(name))
        writer.writerow([escape_formula(name), int(selected), repr(float(weight)), repr(float(frequency)), *known])
    return buffer.getvalue()


def _selected_txt(result: Result, dataset: Dataset) -> str:
    return "".join(f"{name}\n" for name in result.features)


def _mask_json(result: Result, dataset: Dataset) -> str:
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


def _mask_npy(result: Result, dataset: Dataset) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, result.mask, allow_pickle=False)
    return buffer.getvalue()


def _text(write: Callable[[Result, Dataset], str]) -> Writer:
    return lambda result, dataset: write(result, dataset).encode("utf-8")


def _later(module: str, name: str) -> Writer:
    """A writer of another module, which is loaded only when it writes: matplotlib and others take their time."""

    def write(result: Result, dataset: Dataset) -> bytes:
        import importlib

        written = getattr(importlib.import_module(f"fsdesk.results.{module}"), name)(result, dataset)
        return written.encode("utf-8") if isinstance(written, str) else bytes(written)

    return write


def _figure(module: str, name: str, kind: str) -> Writer:
    def write(result: Result, dataset: Dataset) -> bytes:
        import importlib

        from fsdesk.results.figures import saved

        draw = getattr(importlib.import_module(f"fsdesk.results.{module}"), name)
        return saved(lambda: draw(result, dataset), kind)

    return write


def _has_sizes(result: Result) -> bool:
    return len({point.size for point in result.finalists if math.isfinite(point.error)}) > 1


def _predicts_classes(result: Result) -> bool:
    return result.criterion.task == "classification"


def _gives_scores(result: Result) -> bool:
    return _predicts_classes(result) and result.spec.build_wrapper().scores_are() is not None


def _has_weights(result: Result) -> bool:
    return result.weights_moved


_FIGURES = (
    ("curve", "Error curve", "What the search measured, iteration by iteration", "figures", "curve_figure", _always),
    (
        "sizes",
        "Error by size",
        "The finalists by their number of features; needs a method that confirms several",
        "figures",
        "size_figure",
        _has_sizes,
    ),
    (
        "weights",
        "Weights during the search",
        "Feature by iteration; needs a method that weighs features",
        "figures",
        "weights_figure",
        _has_weights,
    ),
    (
        "heatmap",
        "Heatmap of the selected features",
        "Rows by class, features clustered, z-scores: the picture for a paper",
        "feature_map_figure",
        "feature_map_figure",
        _always,
    ),
    (
        "confusion",
        "Confusion matrix",
        "On held-out rows where known, beside all features; needs a target of classes",
        "diagnosis_figures",
        "confusion_figure",
        _predicts_classes,
    ),
    (
        "roc",
        "ROC curves",
        "On held-out rows where known, beside all features; needs a model with scores",
        "diagnosis_figures",
        "roc_figure",
        _gives_scores,
    ),
)
_TABLE = ("Table", "Reduced table", "Row ids, the selected features and the target, to go on with elsewhere")
_MASK = ("Mask", "Mask", "Every feature: selected or not; weight and frequency in CSV and JSON")
_REPORT = ("Report", "Report", "What was found and how, with the curve, to read and to send")
_BUNDLE = (
    "To reproduce",
    "Sealed bundle",
    "For reviewers, all in one file: log, seeds, folds, report; fsdesk verify checks it",
)
_PIPELINE = ("To reproduce", "Trained pipeline", "Takes any table with these columns by name; for scikit-learn")

_ALL = (
    Export("mask.csv", *_MASK, _text(_mask_csv)),
    Export("mask.json", *_MASK, _text(_mask_json)),
    Export("mask.npy", *_MASK, _mask_npy),
    Export(
        "selected.txt", "Mask", "List of features", "Names of the selected features, one a line", _text(_selected_txt)
    ),
    Export("table.csv", *_TABLE, _later("reduced", "reduced_csv")),
    Export("table.xlsx", *_TABLE, _later("reduced", "reduced_excel")),
    Export(
        "table.parquet",
        *_TABLE,
        _later("reduced", "reduced_parquet"),
        library="pyarrow",
    ),
    Export("table.arff", *_TABLE, _later("reduced", "reduced_arff")),
    *(
        Export(
            f"{stem}.{kind}",
            "Figures",
            title,
            line,
            _figure(module, name, kind),
            applies,
        )
        for stem, title, line, module, name, applies in _FIGURES
        for kind in ("png", "svg", "pdf")
    ),
    Export("report.html", *_REPORT, _later("report", "report_html")),
    Export("report.pdf", *_REPORT, _later("report", "report_pdf")),
    Export(
        "features.csv",
        "Report",
        "What each feature does",
        "Direction, effect, stability, and what it can be exchanged with",
        _later("roles", "features_csv"),
    ),
    Export("result.json", "Report", "Numbers", "All numbers and settings, for programs", _text(result_json)),
    Export(
        "methods.txt",
        "Report",
        "Methods paragraph",
        "Ready to paste into a paper: what was done, with all numbers and citations",
        _later("report.paragraph", "methods_text"),
    ),
    Export(
        "settings.toml",
        "To reproduce",
        "Settings",
        "For fsdesk run --settings; its first lines say the whole command",
        _later("settings_file", "settings_toml"),
    ),
    Export(
        "reproduce.py",
        "To reproduce",
        "Python script",
        "Reads table.csv, trains the model, prints its score, without fsdesk",
        _later("script", "script"),
    ),
    Export("pipeline.joblib", *_PIPELINE, _later("pipeline", "pipeline_joblib")),
    Export("pipeline.skops", *_PIPELINE, _later("pipeline", "pipeline_skops"), library="skops"),
    Export("bundle.zip", *_BUNDLE, _later("bundle", "bundle"), label="ZIP", sealed=True),
    Export(
        "bundle-with-data.zip",
        *_BUNDLE,
        _later("bundle", "bundle_with_data"),
        label="ZIP with the data",
        sealed=True,
    ),
)

EXPORTS: dict[str, Export] = {each.name: each for each in _ALL}
"""All files by name, in the order in which they are shown."""

STANDARD = ("mask.csv", "selected.txt", "result.json", "report.html")
"""What is written where nobody says what."""


def writable(result: Result, names: Sequence[str] = tuple(EXPORTS)) -> tuple[str, ...]:
    """Those of the files that this result has and this installation can write."""
    return tuple(name for name in names if EXPORTS[name].applies(result) and not EXPORTS[name].lacks)


def refuse_unwritable(result: Result, names: Sequence[str]) -> None:
    """Raise SettingsError where the result has not what is asked for, or a library is not installed."""
    for name in names:
        if not EXPORTS[name].applies(result):
            raise SettingsError(
                "This run has nothing to draw for {name}: leave it out. {help}.", name=name, help=EXPORTS[name].help
            )
        if EXPORTS[name].lacks:
            raise SettingsError(EXPORTS[name].lacks)


def chosen_exports(words: Sequence[str], result: Result) -> tuple[str, ...]:
    """Names of files for what a person types: files, groups such as "figures", or "all"; without words the usual ones.

    Of a group, what the result has not or what needs an absent library is left out. Raises SettingsError for a word
    that is neither.
    """
    groups = {each.group.lower() for each in _ALL}
    found: dict[str, None] = {}
    for word in words or STANDARD:
        if word in EXPORTS:
            found[word] = None
        elif word.lower() in groups | {"all"}:
            members = [each.name for each in _ALL if word.lower() in ("all", each.group.lower())]
            found.update(dict.fromkeys(writable(result, members)))
        else:
            known = ", ".join(sorted(groups))
            raise SettingsError(
                'There is nothing to export named "{word}"; there are: all, {known}, {exports}.',
                word=word,
                known=known,
                exports=", ".join(EXPORTS),
            )
    return tuple(found)


def export(
    result: Result,
    dataset: Dataset,
    folder: Path,
    names: Sequence[str] = STANDARD,
    signer: "Signer | None" = None,
) -> list[Path]:
    """Write some of ``EXPORTS`` into a folder, which is made where needed; each file appears whole or not at all.

    Parameters
    ----------
    signer
        Who signs the bundles among them.

    Raises
    ------
    SettingsError
        Where the result has not what is asked for, or a library is not installed; before anything is written.
    ProjectError
        Where the folder cannot be written.
    """
    refuse_unwritable(result, names)
    written = []
    for name in names:
        path = folder / name
        content = EXPORTS[name].writer(result, dataset)
        if signer is not None and EXPORTS[name].sealed:
            content = signer.signed(content)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{name}.part")
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ProjectError(
                '"{path}" cannot be written ({reason}): choose another folder.', path=path, reason=reason
            ) from error
        written.append(path)
    return written
