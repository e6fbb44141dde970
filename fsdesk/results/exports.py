"""The files that a user exports, as data: one entry for each, for the window, the command line and the tests.

The same run writes the same bytes, but for the two pipelines, whose formats do not promise it. In the reduced table
categories and classes are written by name, missing values as each format has them. No text in CSV or Excel can be taken
for a formula: see :mod:`fsdesk.results.sheets`.
"""

import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import entries_of
from fsdesk.errors import DataError, ProjectError, SettingsError, lacks_handles
from fsdesk.messages import ENGLISH, in_language, message
from fsdesk.results.diagnosis import held_out_made, held_out_of
from fsdesk.results.features import Effect, effects_of
from fsdesk.results.half_samples import plan_of
from fsdesk.results.record import Finalist, RunRecord, lead
from fsdesk.results.sheets import csv_text, escape_formula, is_number
from fsdesk.results.stability import consensus_of, selections_of
from fsdesk.results.trust import trust_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fsdesk.results.sealing import Signer

Writer = Callable[[RunRecord, Dataset], str | bytes]
Value = float | str | None

DRAWN_BY = "matplotlib typst"
"""Libraries of the extra "report": figures and reports need both."""

_EXCEL_ROWS, _EXCEL_COLUMNS, _EXCEL_LETTERS = 1_048_576, 16_384, 32_767
_BREAKS = re.compile(r"[\r\n\t]+")


def _always(result: RunRecord) -> bool:
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
        Makes its text or its bytes.
    applies
        Whether a result has it.
    library
        Libraries of an extra that it needs, with blanks between; "" for none.
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
    applies: Callable[[RunRecord], bool] = _always
    library: str = ""
    label: str = ""
    sealed: bool = False

    def content(self, result: RunRecord, dataset: Dataset) -> bytes:
        """What is in the file; texts are in UTF-8. SettingsError where a library is not installed."""
        if self.lacks:
            raise SettingsError(self.lacks)
        written = self.writer(result, dataset)
        return written.encode("utf-8") if isinstance(written, str) else bytes(written)

    @property
    def suffix(self) -> str:
        """The format: ".csv"."""
        return Path(self.name).suffix

    @property
    def lacks(self) -> str:
        """What to do where the library is not installed, in words; "" where it is, or where none is needed."""
        missing = next((each for each in self.library.split() if find_spec(each) is None), "")
        if not missing:
            return ""
        if getattr(sys, "frozen", False):  # pip adds nothing to the program of an installer
            return message(
                "{name} needs the library {library}, which is not part of this program: choose another format.",
                name=self.name,
                library=missing,
            )
        return message(
            "{name} needs the library {library}: install it with: pip install {install}.",
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
    """An array as NumPy saves it."""
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


def result_json(result: RunRecord, dataset: Dataset) -> str:
    """Errors are losses, null where nothing could be measured; ``shown`` has them as people know them."""
    fresh = result.honesty.fresh
    content = {
        "status": result.status,
        "reason": result.reason,
        "steering": [
            {name: value for name, value in asdict(each).items() if value or name == "number"}
            for each in result.steerings
        ],
        "criterion": result.criterion.name,
        **_honest(result),
        "search_error": _finite(result.search_error),
        **({} if fresh is None else {"fresh_error": _finite(fresh.mean)}),
        **_permuted(result),
        **_stable(result, dataset),
        **_decided(result, dataset),
        **_external(result),
        "all_features_error": _finite(result.baseline_error),
        "shown": _shown(result),
        "n_selected": len(result.features),
        "selected": result.features,
        "finalists": [_finalist(result, point) for point in result.finalists],
        "evaluations": result.evaluations,
        "iterations": result.iterations,
        "data": _data(dataset),
        "spec": result.spec.model_dump(),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(loss: float | None) -> float | None:
    return None if loss is None or not math.isfinite(loss) else loss


def _honest(result: RunRecord) -> dict[str, object]:
    """On held-out rows, of all outer folds; null where nothing was validated or no rows are known.

    Intervals are of 95 % and count rows; a difference is positive where the answer is the better.
    """
    honest = result.honest
    if honest is None:
        return dict.fromkeys(_HONEST)
    values = (
        _finite(honest.value),
        _interval(honest.low, honest.high),
        _finite(honest.difference),
        _interval(honest.difference_low, honest.difference_high),
        honest.verdict,
        honest.rows,
        honest.source,
        _finite(honest.all_features),
        _finite(honest.chance),
        _finite(honest.chance_difference),
        _interval(honest.chance_difference_low, honest.chance_difference_high),
        honest.association_p,
        honest.simple_model or None,
        honest.simple_selected or None,
        _finite(honest.simple),
        _finite(honest.simple_difference),
        _interval(honest.simple_difference_low, honest.simple_difference_high),
        honest.covariates_size or None,
        _finite(honest.covariates),
        _finite(honest.covariates_difference),
        _interval(honest.covariates_difference_low, honest.covariates_difference_high),
    )
    return dict(zip(_HONEST, values, strict=True))


_HONEST = (
    "honest_error", "honest_interval", "honest_difference", "honest_difference_interval", "honest_verdict",
    "honest_rows", "honest_source", "all_features_honest_error", "chance_error", "chance_difference",
    "chance_difference_interval", "association_p", "simple_model", "simple_features", "simple_model_error",
    "simple_model_difference", "simple_model_difference_interval", "covariates", "covariates_error",
    "covariates_difference", "covariates_difference_interval",
)  # fmt: skip


def _interval(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [low, high]


FROM_VALUES = (
    "stability", "stability_interval", "stability_source", "associated", "supported", "decision", "numbers",
    "survival",
)  # fmt: skip
"""What result.json says of the values of the features, which no log has."""


def _stable(result: RunRecord, dataset: Dataset) -> dict[str, object]:
    """What new samples would agree on, by half-samples; what can be trusted; and what half of the selections hold."""
    trust, selections = trust_of(result, dataset), selections_of(result)
    halves, names = trust.halves, result.all_features
    stable = None if halves is None else halves.stability
    supported = [] if halves is None else [names[at] for at in np.flatnonzero(halves.supported)]
    # FROM_VALUES has the names of those that a bundle without data cannot derive again.
    return {
        "stability": None if stable is None else stable.index,
        "stability_interval": None if stable is None else [stable.low, stable.high],
        "stability_source": None if stable is None else "half-samples",
        "associated": [names[at] for at in np.flatnonzero(trust.tests.associated)],
        "supported": supported,
        "supported_expected_false": plan_of(result, len(dataset.target)).expected_false,
        "agreement": None if selections is None else selections.agreement,
        "agreement_source": None if selections is None else selections.source,
        "consensus": None if selections is None else consensus_of(selections, names).features,
    }


def _decided(result: RunRecord, dataset: Dataset) -> dict[str, object]:
    """The cut-off of Youden with its rates, and calibration; of numbers R² and the error of the mean. By held-out rows.

    Of times to an event both at a time, and the integrated Brier score.

    Intervals are of 95 %; null is what is not known, or infinite.
    """
    from fsdesk.results.decision import decide, numbers_fit, why_not
    from fsdesk.results.survival import survival_fit

    is_decided = dataset.response is None or bool(dataset.event)
    try:
        scored = held_out_made(result, dataset)[1] if held_out_of(result, dataset) else None
    except DataError:  # outer folds of another table, as in a forged bundle
        scored = None
    if not is_decided:
        return {"numbers": None if scored is None else numbers_fit(scored).packed()}
    found: dict[str, object] = {"decision": None if scored is None or why_not(scored) else decide(scored).packed()}
    if dataset.event:
        found["survival"] = None if scored is None or dataset.is_late else survival_fit(scored).packed()
    return found


def _permuted(result: RunRecord) -> dict[str, object]:
    """Of the same run on shuffled targets, where there was any; its errors are of the kind that ``source`` says."""
    test = result.permutations
    if test is None:
        return {"permutation_p": None, "permutation_errors": None, "permutation_source": None}
    return {"permutation_p": test.p, "permutation_errors": list(test.errors), "permutation_source": test.source}


def _external(result: RunRecord) -> dict[str, object]:
    """Of the tests of the answer on other tables, where there were any."""
    found = [
        {
            "table": each.name,
            "rows": each.error.rows,
            "rows_learned_from": each.repeated,
            "error": _finite(each.error.value),
            "interval": _interval(each.error.low, each.error.high),
            "all_features_error": _finite(each.error.all_features),
            "verdict": each.error.verdict,
            **({"decision": each.decision} if each.decision else {}),
        }
        for each in result.external
    ]
    return {"external_validations": found} if found else {}


def _shown(result: RunRecord) -> dict[str, object]:
    criterion, honest = result.criterion, result.honest
    with in_language(ENGLISH):
        text = lead(result, in_file=True)
    return {
        "name": criterion.title,
        "direction": criterion.direction,
        "honest": None if honest is None else _finite(criterion.shown(honest.value)),
        "search": _finite(criterion.shown(result.search_error)),
        "all_features": _finite(criterion.shown(result.baseline_error)),
        "text": text,
    }


def _finalist(result: RunRecord, point: Finalist) -> dict[str, object]:
    return {
        "n_selected": point.size,
        "error": _finite(point.error),
        "std_error": point.std_error,
        "shown": _finite(result.criterion.shown(point.error)),
        "answer": bool((point.mask == result.mask).all()),
        "selected": [result.all_features[place] for place in np.flatnonzero(point.mask)],
    }


def _data(dataset: Dataset) -> dict[str, object]:
    return {
        "name": dataset.name,
        "source": dataset.source,
        "rows": len(dataset.target),
        "features": len(dataset.features),
        "target": dataset.target_name,
        "task": dataset.task,
        "classes": dict(zip(dataset.classes, dataset.class_sizes, strict=True)),
        "sha256": dataset.fingerprint,
    }


@dataclass(frozen=True)
class ReducedColumn:
    """One column: numbers, or texts where ``levels`` is not None; None where a value is missing."""

    name: str
    values: tuple[Value, ...]
    levels: tuple[str, ...] | None = None


def reduced_columns(result: RunRecord, dataset: Dataset) -> tuple[ReducedColumn, ...]:
    """The selected features in the order of the table, then the target."""
    columns = [_feature(dataset, int(place)) for place in np.flatnonzero(result.mask)]
    if dataset.event:  # the event as 1, censored as 0
        assert dataset.response is not None
        return (*columns, *_outcome_columns(dataset, dataset.response))
    if dataset.response is not None:
        return (*columns, ReducedColumn(dataset.target_name, tuple(dataset.response.tolist())))
    names = tuple(dataset.classes[code] for code in dataset.target)
    return (*columns, ReducedColumn(dataset.target_name, names, dataset.classes))


def _outcome_columns(dataset: Dataset, response: NDArray[np.float64]) -> Iterator[ReducedColumn]:
    """The time, whether the event was observed, and the time of entry; or one column as R writes all that."""
    times, entries = dataset.times.tolist(), entries_of(response)
    if dataset.event_column == dataset.target_name:
        ends = [_number(time) + ("" if seen else "+") for time, seen in zip(times, dataset.target, strict=True)]
        if entries is not None:
            ends = [f"({_number(entry)},{end}]" for entry, end in zip(entries.tolist(), ends, strict=True)]
        yield ReducedColumn(dataset.target_name, tuple(ends), tuple(sorted(set(ends))))
        return
    yield ReducedColumn(dataset.target_name, tuple(times))
    yield ReducedColumn(dataset.event_column, tuple(dataset.target.astype(np.float64).tolist()))
    if dataset.entry:
        known = np.zeros(len(times)) if entries is None else entries
        yield ReducedColumn(dataset.entry, tuple(known.tolist()))


def _feature(dataset: Dataset, place: int) -> ReducedColumn:
    levels = dataset.categories.get(place)
    numbers: list[float] = dataset.x[:, place].tolist()
    values: tuple[Value, ...] = tuple(
        None if np.isnan(number) else number if levels is None else levels[int(number)] for number in numbers
    )
    return ReducedColumn(dataset.features[place], values, levels)


def row_title(columns: Sequence[ReducedColumn]) -> str:
    """Title of the column of row ids: "row", with underscores where a feature has that name."""
    title, taken = "row", {column.name for column in columns}
    while title in taken:
        title += "_"
    return title


def _number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _is_same_number(text: str) -> bool:
    """Whether a text can be a number of a sheet and read as before: the sample 007 cannot."""
    return is_number(text) and _number(float(text)) == text


def _cell(value: Value) -> str:
    return "" if value is None else escape_formula(value) if isinstance(value, str) else _number(value)


def reduced_csv(result: RunRecord, dataset: Dataset) -> str:
    """As CSV in UTF-8; missing values are empty."""
    columns = reduced_columns(result, dataset)
    head = [row_title(columns), *(escape_formula(column.name) for column in columns)]
    lines = (
        [escape_formula(row), *(_cell(column.values[place]) for column in columns)]
        for place, row in enumerate(dataset.rows)
    )
    return csv_text([head, *lines])


def reduced_excel(result: RunRecord, dataset: Dataset) -> bytes:
    """As a workbook of one sheet; missing values are empty cells. DataError where the table is too large for one."""
    import xlsxwriter

    columns = reduced_columns(result, dataset)
    if len(dataset.rows) >= _EXCEL_ROWS or len(columns) >= _EXCEL_COLUMNS:
        raise DataError(
            "A sheet of Excel holds {excel_rows:,} rows and {excel_columns:,} columns, too few for this table: "
            "export it as CSV or Parquet.",
            excel_rows=_EXCEL_ROWS,
            excel_columns=_EXCEL_COLUMNS,
        )
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"created": datetime(1980, 1, 1, tzinfo=UTC)})  # the same table, the same bytes
    sheet = book.add_worksheet("reduced table")
    bold = book.add_format({"bold": True})
    sheet.freeze_panes(1, 1)
    for place, name in enumerate([row_title(columns), *(column.name for column in columns)]):
        sheet.write_string(0, place, escape_formula(name)[:_EXCEL_LETTERS], bold)
    texts = [ReducedColumn("", dataset.rows, ()), *columns]
    for across, column in enumerate(texts):
        for down, value in enumerate(column.values, 1):
            if isinstance(value, str) and not _is_same_number(value):
                sheet.write_string(down, across, escape_formula(value)[:_EXCEL_LETTERS])
            elif value is not None and np.isfinite(float(value)):
                sheet.write_number(down, across, float(value))
    book.close()
    return buffer.getvalue()


def reduced_parquet(result: RunRecord, dataset: Dataset) -> bytes:
    """As Parquet; categories as dictionaries, missing values as nulls."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = reduced_columns(result, dataset)
    arrays = {row_title(columns): pa.array(dataset.rows, pa.string())}
    for column in columns:
        if column.levels is None:
            arrays[column.name] = pa.array(column.values, pa.float64())
        else:
            codes = {name: code for code, name in enumerate(column.levels)}
            places = [None if value is None else codes[str(value)] for value in column.values]
            arrays[column.name] = pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), list(column.levels))
    buffer = io.BytesIO()
    pq.write_table(pa.table(arrays), buffer)
    return buffer.getvalue()


def reduced_arff(result: RunRecord, dataset: Dataset) -> str:
    """As Weka's ARFF, the target last, missing values as "?".

    Row ids stand in comments, unless they only number the rows: most of Weka's models refuse a column of texts.
    """
    columns = reduced_columns(result, dataset)
    lines = []
    if dataset.rows != tuple(map(str, range(1, len(dataset.rows) + 1))):
        lines = ["% The row ids, in order:", *(f"% {_flat(row)}" for row in dataset.rows)]
    lines += [f"@relation {_quoted(dataset.name)}", ""]
    for column in columns:
        kind = "numeric" if column.levels is None else "{" + ",".join(map(_quoted, column.levels)) + "}"
        lines.append(f"@attribute {_quoted(column.name)} {kind}")
    lines += ["", "@data"]
    lines += [",".join(_weka(column.values[place]) for column in columns) for place in range(len(dataset.rows))]
    return "\n".join(lines) + "\n"


def _weka(value: Value) -> str:
    return "?" if value is None else _quoted(value) if isinstance(value, str) else _number(value)


def _flat(text: str) -> str:
    return _BREAKS.sub(" ", text)


def _quoted(text: str) -> str:
    return "'" + _flat(text).replace("\\", "\\\\").replace("'", "\\'") + "'"


def features_csv(result: RunRecord, dataset: Dataset) -> str:
    """A line for each feature that could be chosen; those of the answer have its effect in the model, too.

    Columns: what it has to do with the target by itself, with interval, p and q values; the share of random halves of
    the rows that select it; its role, and what it can be exchanged with; what it does, see
    :class:`fsdesk.results.features.Effect`. In English, as all files for programs.
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
    """The model of the answer as a sum; a header alone where it is none. See :mod:`fsdesk.results.coefficients`."""
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
    """Whether the model of the answer may be linear."""
    return str(result.answered.wrapper) in _SUMS


_SUMS = ("logistic", "ridge", "lda", "svm", "cox")


def _digits(value: float | None) -> str:
    return "" if value is None or not np.isfinite(value) else repr(float(value))


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(f"fsdesk.results.{module}"), name)


def _fits_a_database(result: RunRecord) -> bool:
    return len(result.features) <= int(_imported("reduced", "SQLITE_FEATURES"))


def _later(module: str, name: str) -> Writer:
    """A writer whose module is imported when it writes, as matplotlib and others load slowly."""
    return lambda result, dataset: _imported(module, name)(result, dataset)


def _figure(module: str, name: str, kind: str) -> Writer:
    def write(result: RunRecord, dataset: Dataset) -> bytes:
        from fsdesk.results.figures import kept_figure, written

        return written(kept_figure(result, dataset, _imported(module, name)), kind)

    return write


def _has_sizes(result: RunRecord) -> bool:
    return len({point.size for point in result.finalists if math.isfinite(point.error)}) > 1


def _predicts_classes(result: RunRecord) -> bool:
    return result.criterion.task == "classification"


def _gives_scores(result: RunRecord) -> bool:
    return _predicts_classes(result) and result.answered.build_wrapper().scores_are() is not None


def _decides(result: RunRecord) -> bool:
    known = result.honesty
    return _gives_scores(result) and not result.picked and (known.complete or known.own is not None)


def _has_weights(result: RunRecord) -> bool:
    return result.weights_moved


_FIGURES = (
    ("curve", "Error curve", "What the search measured, iteration by iteration", "figures", "curve_figure", _always),
    ("sizes", "Error by size", "The finalists by their number of features; needs a method that confirms several",
     "figures", "size_figure", _has_sizes),
    ("weights", "Weights during the search", "Feature by iteration; needs a method that weighs features",
     "figures", "weights_figure", _has_weights),
    ("heatmap", "Heatmap of the selected features",
     "Rows by class, features clustered, z-scores: the picture for a paper",
     "heatmap_figures", "feature_map_figure", _always),
    ("confusion", "Confusion matrix", "On held-out rows where known, beside all features; needs a target of classes",
     "prediction_figures", "confusion_figure", _predicts_classes),
    ("roc", "ROC curves", "On held-out rows where known, beside all features; needs a model with scores",
     "prediction_figures", "roc_figure", _gives_scores),
    ("decision", "Cut-off, calibration and net benefit",
     "Of held-out rows, with their intervals; needs a model with scores and the held-out error",
     "prediction_figures", "decision_figure", _decides),
)  # fmt: skip


def figure_named(result: RunRecord, dataset: Dataset, name: str) -> "Figure":
    """A figure of the export, by the name of its file without the ending.

    Raises
    ------
    SettingsError
        Where there is none of this name, or the run has not measured what it shows.
    """
    known = {stem: (module, function, applies) for stem, _, _, module, function, applies in _FIGURES}
    if name not in known:
        raise SettingsError(
            'There is no figure "{name}"; choose one of {known}.', name=name, known=", ".join(sorted(known))
        )
    module, function, applies = known[name]
    if not applies(result):
        raise SettingsError('This run has not measured what the figure "{name}" shows.', name=name)
    if lacks := EXPORTS[f"{name}.svg"].lacks:
        raise SettingsError(lacks)
    from fsdesk.results.figures import kept_figure

    return kept_figure(result, dataset, _imported(module, function))


_TABLE = ("Table", "Reduced table", "Row ids, the selected features and the target, to go on with elsewhere")
_TABLE_FOR_STATISTICS = (
    "Table",
    "Reduced table for statistics",
    "With the names of categories: SPSS, jamovi and JASP, Stata, SAS, R",
)
_TABLE_FOR_PROGRAMS = (
    "Table",
    "Reduced table for use in other programs",
    "With the names of categories: scanpy, Arrow, NumPy, SQLite",
)
_MASK = ("Mask", "Mask", "Every feature: selected or not; weight and frequency in CSV and JSON")
_REPORT = ("Report", "Report", "What was found and how, with the curve, to read and to send")
_BUNDLE = (
    "To reproduce",
    "Sealed bundle",
    "For reviewers, all in one file: log, seeds, folds, report; fsdesk verify checks it",
)
_PIPELINE = ("To reproduce", "Trained pipeline", "Takes any table with these columns by name; for scikit-learn")

_ALL = (
    Export("mask.csv", *_MASK, _mask_csv),
    Export("mask.json", *_MASK, _mask_json),
    Export("mask.npy", *_MASK, lambda result, dataset: npy(result.mask)),
    Export(
        "selected.txt",
        "Mask",
        "List of features",
        "Names of the selected features, one a line",
        lambda result, dataset: "".join(f"{name}\n" for name in result.features),
    ),
    Export("table.csv", *_TABLE, reduced_csv),
    Export("table.xlsx", *_TABLE, reduced_excel),
    Export("table.parquet", *_TABLE, reduced_parquet, library="pyarrow"),
    Export("table.arff", *_TABLE, reduced_arff),
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
        "What each feature does",
        "Association with its q value, half-samples, effect, and what it can be exchanged with",
        features_csv,
    ),
    Export(
        "coefficients.csv",
        "Report",
        "Coefficients",
        "The model as a sum, with intercept, scaling and intervals; needs a linear model",
        coefficients_csv,
        _is_a_sum,
    ),
    Export("result.json", "Report", "Numbers", "All numbers and settings, for programs", result_json),
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
        "For fsdesk run --settings; its first lines say the whole command",
        _later("settings_file", "settings_toml"),
    ),
    Export(
        "reproduce.py",
        "To reproduce",
        "Python script",
        "Reads table.csv, trains the model, prints its score, without fsdesk",
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
"""All files by name, in the order in which they are shown."""

_DRAWN = (".png", ".svg", ".pdf", ".html", ".zip")

STANDARD = ("mask.csv", "selected.txt", "result.json", "report.html")
"""Files that are written by default."""


def writable(result: RunRecord, names: Sequence[str] = tuple(EXPORTS)) -> tuple[str, ...]:
    """Those of the files that this result has and this installation can write."""
    return tuple(name for name in names if EXPORTS[name].applies(result) and not EXPORTS[name].lacks)


def refuse_unwritable(result: RunRecord, names: Sequence[str]) -> None:
    """Raise SettingsError where a file does not apply to the result, or needs a library that is not installed."""
    for name in names:
        if not EXPORTS[name].applies(result):
            raise SettingsError(
                "This run has nothing to draw for {name}: leave it out. {help}.", name=name, help=EXPORTS[name].help
            )
        if EXPORTS[name].lacks:
            raise SettingsError(EXPORTS[name].lacks)


def chosen_exports(words: Sequence[str], result: RunRecord) -> tuple[str, ...]:
    """Names of the files for words of the command line: files, groups such as "figures", or "all"; default: standard.

    Of a group, what the result has not or what needs an absent library is left out. Raises SettingsError for a word
    that is neither.
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
                'There is nothing to export named "{word}"; there are: all, {known}, {exports}.',
                word=word,
                known=known,
                exports=", ".join(EXPORTS),
            )
    return tuple(found)


def export(
    result: RunRecord, dataset: Dataset, folder: Path, names: Sequence[str] = STANDARD, signer: "Signer | None" = None
) -> list[Path]:
    """Write files of ``EXPORTS`` into a folder, created where needed; each file is written whole or not at all.

    What takes no drawing comes first, so that numbers are there where figures fail.

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
                '"{name}" was not written, for it takes more open files at once than this process may have: allow it '
                'more, as with "ulimit -n 1024", and export it again.',
                name=name,
            ) from error
    return [folder / name for name in names]


def write_file(path: Path, content: bytes, *, make_folder: bool = False) -> None:
    """Write a file whole or not at all; raise ProjectError where that fails, such as on a full disk."""
    part = path.with_name(f".{path.name}.part")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise ProjectError(
            '"{path}" cannot be written ({reason}): choose another folder.', path=path, reason=reason
        ) from error
