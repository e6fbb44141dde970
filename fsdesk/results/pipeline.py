"""The model of a run for use outside fsdesk: a fitted scikit-learn pipeline, and a script that trains it."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.metadata import version
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Learned
from fsdesk.engine import RunSpec
from fsdesk.errors import WrapperError
from fsdesk.measure import MeasureSettings, needed_features, prepares
from fsdesk.measure.preparing import needs_all_features, quantities
from fsdesk.measure.validation import Validation
from fsdesk.messages import shortened
from fsdesk.wrappers.fitting import scale_of
from fsdesk.wrappers.written import Call, Equivalent

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Template
    from sklearn.pipeline import Pipeline

    from fsdesk.results.record import RunRecord

_SPLITTERS = "sklearn.model_selection"
_TRANSFORMERS = "fsdesk.measure.transformers"


def scaler_call(spec: RunSpec) -> Call | None:
    """The scaler; None if features are not scaled."""
    names = {"z-score": "StandardScaler", "min-max": "MinMaxScaler", "robust": "RobustScaler"}
    if spec.measuring.scaling == "none":
        return None
    if spec.measuring.scaler == "pareto":
        return Call(_TRANSFORMERS, "ParetoScaler", {})
    return Call("sklearn.preprocessing", names[spec.measuring.scaler], {})


def preparing_call(spec: RunSpec, dataset: Dataset, selected: Sequence[str]) -> Call | None:
    """The step that prepares values before imputation and scaling; None if there is none."""
    measuring = spec.measuring
    if not prepares(measuring):
        return None
    numbers = {dataset.features[place] for place in quantities(dataset, measuring).tolist()}
    needed = needed_features(dataset, measuring, selected)
    arguments: dict[str, Any] = {"selected": list(selected), "columns": [name for name in needed if name in numbers]}
    if measuring.imputation != "usual":
        arguments["imputation"] = measuring.imputation
    if measuring.imputation == "neighbours":
        arguments["imputation_rows"] = measuring.imputation_rows
    if measuring.normalise != "none":
        arguments["normalise"] = measuring.normalise
    if measuring.transform != "none":
        arguments["transform_by"] = measuring.transform
    if measuring.transform == "log":
        arguments["offset"] = measuring.offset
    if measuring.centre_batches:
        arguments["batch"] = measuring.batch
    return Call(_TRANSFORMERS, "PreparedFeatures", arguments)


def fitted_pipeline(result: "RunRecord", dataset: Dataset) -> "Pipeline":
    """The pipeline, fitted on all rows. It predicts classes, with the type they had in a frame, or numbers."""
    y = np.array(dataset.labels)[dataset.target] if dataset.response is None else dataset.response
    made = unfitted_pipeline(result, dataset)
    try:
        return trained(made, dataset.frame, y)
    except ValueError as error:  # such as squares of values near the largest number
        reason = shortened(str(error).partition("\n")[0].rstrip("."), 200)
        raise WrapperError(
            "scikit-learn cannot train this run's pipeline on its table ({reason}). Scale the values of the table, "
            "or leave out the pipeline.",
            reason=reason,
        ) from error


def trained(pipeline: "Pipeline", frame: "pd.DataFrame", y: NDArray[Any]) -> "Pipeline":
    """The pipeline, fitted on (n, p) rows and (n,) targets, with z-scores identical to those of the run.

    scikit-learn sums means in another order; if a model splits halfway between two values, the last bit matters.
    """
    with np.errstate(all="ignore"):
        names = list(pipeline.named_steps)
        if "scale" not in names or type(pipeline["scale"]).__name__ != "StandardScaler":
            return pipeline.fit(frame, y)
        prepared = np.asarray(pipeline[: names.index("scale")].fit_transform(frame, y), dtype=np.float64)
        scaler = pipeline["scale"].fit(prepared)
        columns = np.ascontiguousarray(prepared.T)
        every = np.arange(len(prepared))  # in the memory layout of a fold's training rows, on which numpy's sums depend
        scaler.mean_, scaler.scale_ = scale_of(columns[:, every], "z-score")
        pipeline["model"].fit(scaler.transform(prepared), y)
    return pipeline


def unfitted_pipeline(result: "RunRecord", dataset: Dataset) -> "Pipeline":
    """A ``sklearn.pipeline.Pipeline`` of the components used by the run, with identical predictions row by row.

    Its last step is a scikit-learn model if the predictions agree, otherwise fsdesk's own: then fsdesk must be
    installed to load it.

    It takes a DataFrame, from which its first step selects the features by name: others may be present, in any order.
    If missing values are imputed by neighbors or rows are normalized, it also needs the features used for that. How
    the table was read is stored in its attribute ``reading_``, for :func:`fsdesk.read_frame`.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline

    spec = result.answered
    names = list(result.features)
    needed, prepare = needed_features(dataset, spec.measuring, names), preparing_call(spec, dataset, names)
    select = ColumnTransformer([("selected", "passthrough", needed)], verbose_feature_names_out=False)
    own, scaler = exported_model(result, dataset), scaler_call(spec)
    steps = [("select", select.set_output(transform="pandas"))]
    steps += [] if prepare is None else [("prepare", prepare.made())]
    steps += [("code", _coding(result, dataset))] if own.sees == "raw" else [("fill", filling(result, dataset))]
    steps += [("scale", scaler.made())] if own.sees == "scaled" and scaler is not None else []
    made = Pipeline([*steps, ("model", own.model.made())])
    made.reading_ = Learned.of(dataset, needed).packed()
    return made


def exported_model(result: "RunRecord", dataset: Dataset, *, codes: bool = False) -> Equivalent:
    """The last step of the pipeline: scikit-learn's if it predicts every row like the run's model, otherwise ours."""
    spec, places = result.answered, np.flatnonzero(result.mask).tolist()
    labels = list(dataset.classes if codes else dataset.labels)
    return spec.build_wrapper().exported(
        len(dataset.classes),
        levels=[len(dataset.categories.get(place, ())) for place in places],
        scaler="none" if spec.measuring.scaling == "none" else spec.measuring.scaler,
        order=None if np.unique(np.array(labels)).tolist() == labels else labels,
    )


def _stretches(result: "RunRecord", dataset: Dataset) -> list[tuple[bool, list[int]]]:
    """The selected features in order, divided into consecutive runs of categories (True) and of numbers.

    If two features split rows equally well, a tree uses the first one, so the order must be preserved.
    """
    places = np.flatnonzero(result.mask).tolist()
    return [(nominal, list(own)) for nominal, own in groupby(places, key=lambda place: place in dataset.categories)]


def _by_stretches(result: "RunRecord", dataset: Dataset, numbers: Any, categories: Callable[[list[int]], Any]) -> Any:
    from sklearn.compose import ColumnTransformer

    steps = []
    for at, (nominal, own) in enumerate(_stretches(result, dataset)):
        kind = "categories" if nominal else "numbers"
        made = categories(own) if nominal else clone_of(numbers)
        steps.append((f"{kind} {at + 1}", made, [dataset.features[place] for place in own]))
    return ColumnTransformer(steps, verbose_feature_names_out=False)


def clone_of(step: Any) -> Any:
    """A copy of a step; a string that represents one, such as "passthrough", is returned unchanged."""
    from sklearn.base import clone

    return step if isinstance(step, str) else clone(step)


def filling(result: "RunRecord", dataset: Dataset) -> Any:
    """A step that imputes missing values and, if there are categories, creates indicators of them as the run did."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder

    median = SimpleImputer(strategy="median", keep_empty_features=True)
    if not any(nominal for nominal, _ in _stretches(result, dataset)):
        return median

    def indicators(places: list[int]) -> Pipeline:
        own = OneHotEncoder(
            categories=[np.array(dataset.categories[place], dtype=object) for place in places],
            drop="if_binary",
            handle_unknown="ignore",
            sparse_output=False,
        )
        common = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
        return Pipeline([("fill", common), ("indicators", own)])

    return _by_stretches(result, dataset, median, indicators)


def _coding(result: "RunRecord", dataset: Dataset) -> Any:
    """A step that leaves numbers and missing values unchanged and encodes categories; unknown ones become missing."""
    from sklearn.preprocessing import OrdinalEncoder

    def codes(places: list[int]) -> OrdinalEncoder:
        return OrdinalEncoder(
            categories=[np.array(dataset.categories[place], dtype=object) for place in places],
            handle_unknown="use_encoded_value",
            unknown_value=np.nan,
        )

    return _by_stretches(result, dataset, "passthrough", codes)


def pipeline_joblib(result: "RunRecord", dataset: Dataset) -> bytes:
    """The pipeline for ``joblib.load``."""
    import joblib

    buffer = io.BytesIO()
    joblib.dump(fitted_pipeline(result, dataset), buffer)
    return buffer.getvalue()


def pipeline_skops(result: "RunRecord", dataset: Dataset) -> bytes:
    """The pipeline for ``skops.io.load``, a file that cannot run code."""
    import skops.io

    return bytes(skops.io.dumps(fitted_pipeline(result, dataset)))


@cache
def _template() -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    text = resources.files("fsdesk.results").joinpath("reproduce.py.jinja").read_text(encoding="utf-8")
    return environment.from_string(text)


def script(result: "RunRecord", dataset: Dataset) -> str:
    """The script; every name and value in it is written as a literal, so that no name can become code."""
    spec = result.answered
    same, own = spec.build_wrapper().equivalent(len(dataset.classes)), exported_model(result, dataset, codes=True)
    if own.sees == "raw" or own.model.name.startswith("Cart"):  # without a close counterpart in scikit-learn
        same = own
    scaler = scaler_call(spec) if same.sees == "scaled" else None
    folds = _folds(result, dataset)
    names = needed_features(dataset, spec.measuring, result.features)
    prepare = preparing_call(spec, dataset, result.features)
    places = [dataset.features.index(name) for name in names]
    categories = [
        (repr(dataset.features[place]), repr(list(dataset.categories[place])))
        for place in places
        if place in dataset.categories
    ]
    scoring = result.criterion.scoring_for(len(dataset.classes))
    doubt = ", optimistic" if spec.selects else ""
    return _template().render(
        heading=" ".join(f"{dataset.name}, {spec.method}, {spec.wrapper}, seed {spec.seed}".split()),
        version=version("scikit-learn"),
        notes=_notes(result, dataset, same.note),
        imports=_imports(
            same.model, scaler, folds.name, nominal=bool(categories), fills=same.sees != "raw", prepare=prepare
        ),
        needs_fsdesk=same.needs_fsdesk or prepare is not None or spec.measuring.scaler == "pareto",
        prepare=prepare.code if prepare else "",
        fills=same.sees != "raw",
        selected=[repr(name) for name in result.features],
        stretches=_places_of_stretches(result, dataset),
        features=[repr(dataset.features[place]) for place in places],
        categories=categories,
        target=repr(dataset.target_name),
        reading=[(repr(name), repr(value)) for name, value in Learned.of(dataset, names).packed().items()],
        numbers=dataset.response is not None,
        event=repr(dataset.event) if dataset.event else "",
        event_column=repr(dataset.event_column),
        entry=repr(dataset.entry) if dataset.entry else "",
        late=dataset.is_late,
        written=bool(dataset.event) and dataset.event_column == dataset.target_name,
        model=same.model.code,
        scaler=scaler.code if scaler else "",
        folds=folds,
        scoring="concordance" if dataset.event else repr(scoring),
        sign="-" if scoring.startswith("neg_") else "",
        shown="concordance" if dataset.event else scoring.removeprefix("neg_"),
        seen=repr(f"In the search: {result.criterion.title} {result.criterion.text(result.search_error)}{doubt}"),
    )


_OTHER_SCORES = {
    "uno": "Uno's", "auc at a time": "the area under the curve at a time", "brier": "the integrated Brier score"
}  # fmt: skip


def _places_of_stretches(result: "RunRecord", dataset: Dataset) -> list[tuple[bool, list[int]]]:
    """As :func:`_stretches`, but with positions among the selected features."""
    at = {place: new for new, place in enumerate(np.flatnonzero(result.mask).tolist())}
    return [(nominal, [at[place] for place in own]) for nominal, own in _stretches(result, dataset)]


def _notes(result: "RunRecord", dataset: Dataset, model: str) -> list[str]:
    measuring = result.spec.measuring
    said = [
        model,
        f"{result.steered.rstrip('.')}: the features below are what it ended with, and the score is that of these"
        if result.steered
        else "",
        "scikit-learn knows no costs of mistakes: the score is the share of rows predicted right"
        if measuring.criterion == "cost"
        else "",
        "the run took the F1 of one class; here it is the mean over the classes"
        if measuring.criterion == "f1" and len(dataset.classes) == 2
        else "",
        "values are prepared by features that were not selected: give it the table of the run, as table.csv lacks them"
        if needs_all_features(measuring)
        else "",
        "the run scaled once over all rows; here each training fold is scaled by itself, as is honest"
        if measuring.scaling == "once"
        else "",
        "the run kept rows of a group together, and so does this script; it expects the rows in the order of table.csv"
        if dataset.groups is not None
        else "",
        f"the score is Harrell's concordance; the run took {_OTHER_SCORES[measuring.criterion]}"
        if measuring.criterion in _OTHER_SCORES
        else "",
        "folds are dealt anew: the score differs a little from that of the run, which chose the best of many",
    ]
    return [" ".join(note.split()) for note in said if note]  # each is one line of comment


@dataclass(frozen=True)
class _Folds:
    """Cross-validation of the script: code, imports, and a label for each row if needed."""

    code: str
    name: str = ""
    labels: tuple[int, ...] = ()
    labels_are: str = ""
    groups: str = ""


def _folds(result: "RunRecord", dataset: Dataset) -> _Folds:
    measuring, groups = result.spec.measuring, dataset.groups
    fixed = measuring.protocol in ("column", "batches", "time")
    if fixed or (measuring.protocol == "leave-one-out" and groups is not None):
        labels = tuple(Validation(dataset, measuring, result.spec.seed).labels(0)[0].tolist())
        said = "The fold that tests each row, in the order of table.csv; rows of -1 are only trained on."
        if measuring.protocol != "time":
            return _Folds("PredefinedSplit(LABELS)", "PredefinedSplit", labels, said)
        earlier = "[(np.flatnonzero(LABELS < k), np.flatnonzero(LABELS == k)) for k in range(LABELS.max() + 1)]"
        return _Folds(earlier, "", labels, said)
    if measuring.protocol == "leave-one-out":
        return _Folds("LeaveOneOut()", "LeaveOneOut")
    name, arguments = _random_folds(measuring, dataset)
    arguments["random_state"] = result.spec.seed % 2**32
    code = Call(_SPLITTERS, name, arguments).code
    if groups is None:
        return _Folds(code, name)
    said = "The group of each row, in the order of table.csv."
    return _Folds(code, name, tuple(groups.tolist()), said, ", groups=LABELS")


def _random_folds(measuring: MeasureSettings, dataset: Dataset) -> tuple[str, dict[str, Any]]:
    stratified = measuring.stratify and dataset.response is None
    if measuring.protocol == "hold-out":
        arguments: dict[str, Any] = {"n_splits": measuring.repeats, "test_size": measuring.test_share}
        if dataset.groups is not None:
            return "GroupShuffleSplit", arguments
        return "StratifiedShuffleSplit" if stratified else "ShuffleSplit", arguments
    if dataset.groups is not None:
        return "StratifiedGroupKFold" if stratified else "GroupKFold", {"n_splits": measuring.folds, "shuffle": True}
    name = "RepeatedStratifiedKFold" if stratified else "RepeatedKFold"
    return name, {"n_splits": measuring.folds, "n_repeats": measuring.repeats}


def _imports(
    model: Call, scaler: Call | None, splitter: str, *, nominal: bool, fills: bool, prepare: Call | None
) -> list[tuple[str, str]]:
    names: dict[str, set[str]] = {"sklearn.pipeline": {"make_pipeline"}}
    if fills:
        names["sklearn.impute"] = {"SimpleImputer"}
    wanted = [*model.imports, (_SPLITTERS, "cross_val_score")]
    if splitter:
        wanted.append((_SPLITTERS, splitter))
    if scaler is not None:
        wanted.append((scaler.module, scaler.name))
    if prepare is not None:
        wanted += [(prepare.module, prepare.name), ("sklearn.preprocessing", "FunctionTransformer")]
    if nominal and fills:
        wanted += [("sklearn.compose", "ColumnTransformer"), ("sklearn.preprocessing", "OneHotEncoder")]
    for module, name in wanted:
        names.setdefault(module, set()).add(name)
    return [(module, ", ".join(sorted(found))) for module, found in sorted(names.items())]
