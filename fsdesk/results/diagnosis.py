"""A subset compared with all features: errors on new folds; confusion, ROC and predictions of held-out rows.

Both are measured on the same folds and rows, so that shared chance effects cancel in their difference. If no rows were
held out from the search, the figures use new folds too, on the rows that chose the features.

A ROC curve is the average over the tested folds of a repeat, with a band over repeats: scores of different folds come
from different models, so each fold has its own curve and the mean is reported, as in the criterion (Forman & Scholz,
SIGKDD Explorations 12, 2010); if no fold tests two classes, all rows form one curve.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import events_of
from fsdesk.engine import RunSpec
from fsdesk.engine.events import pack_masks, unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import WrapperError
from fsdesk.measure import Evaluator, Measurement
from fsdesk.measure.criteria import Need, Outcome
from fsdesk.measure.evaluator import usual_horizon
from fsdesk.messages import tr
from fsdesk.methods import Mask
from fsdesk.results.calibration import logits
from fsdesk.results.evidence import FRESH, FRESH_TIMES
from fsdesk.results.features import SingleFeatureScores
from fsdesk.results.held_out_rows import Examiner, HeldOutPart
from fsdesk.results.outer import held_out_parts
from fsdesk.results.record import RunRecord, keep_made
from fsdesk.results.scores import Scored, positive_code
from fsdesk.results.subsets import EquivalentSubset, EquivalentSubsets
from fsdesk.results.survival import with_ranks

Floats = NDArray[np.float64]

GRID = np.linspace(0.0, 1.0, 101)
"""The false positive rates at which curves are averaged."""
_VERSION = 8
_ENOUGH = 200  # rows of each class: a model that predicted fewer is calibrated on its predictions of all parts
_TIMES = 40  # times at which survival is reported


@dataclass(frozen=True, eq=False)
class RocCurve:
    """The curve of one class against the rest, over the repeats.

    Attributes
    ----------
    name
        Name of the positive class.
    mean, deviation
        (101,) true positive rate at each of ``GRID``, and its standard deviation over the repeats.
    area, area_deviation
        Area under the curve, and its standard deviation over the repeats.
    """

    name: str
    mean: Floats
    deviation: Floats
    area: float
    area_deviation: float

    @classmethod
    def of(cls, name: str, rates: Floats, areas: Floats) -> "RocCurve":
        """The curve from (repeats, 101) true positive rates and (repeats,) areas; NaN repeats are ignored."""
        known = ~np.isnan(areas)
        rates, areas = rates[known], areas[known]
        spread = len(areas) > 1
        return cls(
            name=name,
            mean=rates.mean(axis=0),
            deviation=rates.std(axis=0, ddof=1) if spread else np.zeros(len(GRID)),
            area=float(areas.mean()),
            area_deviation=float(areas.std(ddof=1)) if spread else 0.0,
        )


def roc_points(scores: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """False and true positive rates at every threshold, from (0, 0) to (1, 1); rows with tied scores form one step."""
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], positive[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    found = np.cumsum(hits)[ends]
    return (
        np.concatenate([[0.0], (1 + ends - found) / (len(hits) - hits.sum())]),
        np.concatenate([[0.0], found / hits.sum()]),
    )


def curves_of(scores: Floats, target: NDArray[np.int64], labels: NDArray[np.int64], code: int) -> tuple[Floats, Floats]:
    """True positive rates and areas of one class against the rest.

    Parameters
    ----------
    scores
        (repeats, n) score of the class.
    labels
        (repeats, n) fold in which each row is tested; -1 if in none.

    Returns
    -------
    rates, areas
        (repeats, 101) at ``GRID`` and (repeats,); NaN if a repeat tests no row of the class, or nothing else.
    """
    positive = target == code
    by_fold = [_averaged(row, positive, folds) for row, folds in zip(scores, labels, strict=True)]
    if all(np.isnan(area) for _, area in by_fold):
        by_fold = [_averaged(row, positive, np.minimum(folds, 0)) for row, folds in zip(scores, labels, strict=True)]
    return np.array([rates for rates, _ in by_fold]), np.array([area for _, area in by_fold])


def _averaged(scores: Floats, positive: NDArray[np.bool_], folds: NDArray[np.int64]) -> tuple[Floats, float]:
    rates, areas = [], []
    for fold in range(int(folds.max()) + 1):
        rows = folds == fold
        if 0 < positive[rows].sum() < rows.sum():
            false, true = roc_points(scores[rows], positive[rows])
            rate = np.interp(GRID, false, true)
            rate[0] = 0.0
            rates.append(rate)
            areas.append(float(np.trapezoid(true, false)))
    if not areas:
        return np.full(len(GRID), np.nan), np.nan
    return np.mean(rates, axis=0), float(np.mean(areas))


@dataclass(frozen=True, eq=False)
class Judged:
    """One mask: its losses on the new folds so far, and predictions for rows.

    Attributes
    ----------
    losses
        (t,) mean loss of each measurement on new folds.
    confusion
        (classes, classes) rows of the first class predicted as the second, averaged to one pass over the table, so that
        a row of the matrix sums to the number of rows of its class if every row is tested; empty in regression.
    curves
        One for each class, only the second one if there are two; empty if the wrapper provides no scores.
    predicted
        (n,) mean predicted number of each row, NaN if never tested; empty for classes.
    refusal
        Why the model cannot be trained on this mask; "" if it can.
    """

    losses: Floats
    confusion: Floats = field(default_factory=lambda: np.empty((0, 0)))
    curves: tuple[RocCurve, ...] = ()
    predicted: Floats = field(default_factory=lambda: np.empty(0))
    refusal: str = ""

    @property
    def measured(self) -> Measurement:
        """Mean loss and its standard error over the measurements."""
        return Measurement(self.losses)


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """A mask and all features on the same folds.

    Attributes
    ----------
    mask
        (p,) bool the subset.
    done, total
        Number of measurements of each so far, and in total.
    fresh
        Whether folds were shuffled again; otherwise the validation has the same folds in every measurement.
    held_out
        Whether confusion, curves and predictions are for held-out rows, each predicted by what was selected without it;
        otherwise they are from new folds, on the rows that chose the features.
    chosen, everything
        The subset, and all features.
    target, classes, response
        Name of the target; names of the classes; (n,) the true numbers, empty for classes.
    scored
        Predictions of the subset for the held-out rows, entry by entry; None if no rows were held out, or a model
        provides only classes.
    event
        For a time to an event, the event: predictions are then ranks of risk within folds; see
        :func:`fsdesk.results.survival.ranks_in_folds`.
    """

    mask: Mask
    done: int
    total: int
    fresh: bool
    chosen: Judged
    everything: Judged
    target: str
    classes: tuple[str, ...]
    response: Floats
    held_out: bool = False
    scored: Scored | None = None
    event: str = ""

    def rows_words(self) -> str:
        """The rows shown in the figures, and how reliable they are, in one sentence."""
        if self.held_out:
            return tr("Held-out rows: each is predicted with features selected without it.")
        if self.mask.all():
            return tr("Cross-validation.")
        return tr("Cross-validation on the rows used for selection, so not an estimate for new rows.")

    @property
    def difference(self) -> Measurement | None:
        """Loss of all features minus that of the subset, paired by measurement; None if one cannot be trained."""
        if not (len(self.chosen.losses) and len(self.everything.losses)):
            return None
        differences = self.everything.losses - self.chosen.losses
        return Measurement(differences) if np.isfinite(differences).all() else None


def diagnosed(
    spec: RunSpec,
    dataset: Dataset,
    mask: Mask,
    times: int = FRESH_TIMES,
    parts: Sequence[HeldOutPart] = (),
    models: tuple[str, str] = ("", ""),
    known: "tuple[Judged, Scored | None] | None" = None,
) -> Iterator[Diagnosis]:
    """Measure a mask and all features; yield the intermediate result after every measurement.

    The folds are those of :func:`fsdesk.results.job.fresh_error`, but of all rows if the search used fewer; if the
    validation has no random folds there is one measurement.

    Parameters
    ----------
    parts
        Those of the held-out error of the run whose result is the mask; see
        :func:`fsdesk.results.outer.held_out_parts`.
    models
        Names of the models of the mask, and of all features, if several competed.
    known
        The result of :func:`held_out_predictions` for the parts, if known.
    """
    evaluator = evaluator_of(spec, dataset, all_rows=True)
    fresh = evaluator.validation.fixed is None
    total = times if fresh else 1
    every = spec.allowed(dataset.features)
    chosen, everything = (
        _Collected(evaluator.of(model), each) for model, each in zip(models, (mask, every), strict=True)
    )
    response = np.empty(0) if dataset.response is None else dataset.response
    said, scored = tuple[Judged, ...](), None
    if parts:
        judged, scored = known or held_out_predictions(spec, dataset, parts, answer=models[0])
        said = judged, held_out_predictions(spec, dataset, parts, everything=True)[0]
    for place in range(total):
        labels = evaluator.fold_labels(FRESH + place)
        chosen.hear(labels)
        everything.hear(labels)
        both = [chosen.judged(), everything.judged()]
        if said:
            pairs = zip(both, said, strict=True)
            both = [replace(own, losses=judged.losses, refusal=judged.refusal) for judged, own in pairs]
        names = dataset.target_name, dataset.classes
        yield Diagnosis(
            mask, place + 1, total, fresh, both[0], both[1], *names, response, bool(said), scored, dataset.event
        )


def held_out_predictions(
    spec: RunSpec, dataset: Dataset, parts: Sequence[HeldOutPart], *, everything: bool = False, answer: str = ""
) -> tuple[Judged, Scored | None]:
    """Predictions for the rows of each part by the features selected without them, or by all features.

    ``answer`` is the name of the model of the result, if models compete.
    """
    outcomes, part_of, rows = list[Outcome](), list[NDArray[np.int64]](), list[NDArray[np.int64]]()
    times = grid_of_times(dataset)
    for number, part in enumerate(parts):
        model = part.everything_model if everything else part.model
        examiner = Examiner(spec, dataset, part)
        mask = spec.allowed(dataset.features) if everything else part.mask
        try:
            needs = {*_needs(examiner.of(model)), "survival"} if dataset.event else _needs(examiner.of(model))
            outcome = examiner.outcome(mask, model, needs, times)
            outcomes.append(with_ranks(outcome) if dataset.event else outcome)
        except WrapperError:  # as Judged.refusal for the whole table
            return Judged(np.empty(0)), None
        part_of.append(np.full(int(part.tested.sum()), number))
        rows.append(part.rows[part.tested])

    def tested(name: Literal["predicted", "scores", "values", "survival"]) -> NDArray[Any]:
        return np.concatenate([getattr(each, name)[0][each.labels[0] >= 0] for each in outcomes])

    scored = None
    if all((each.values if dataset.response is not None else each.scores) is not None for each in outcomes):
        if dataset.event:
            said = tested("survival")
        else:
            said = tested("values")[:, None] if dataset.response is not None else tested("scores")
        named = [part.everything_model if everything else part.model for part in parts]
        scored = _scored(spec, dataset, rows, named, np.asarray(said, dtype=np.float64))
        if dataset.response is None and not everything and scored.models != ("",):
            scored = _everywhere(spec, dataset, parts, scored, answer)
    if dataset.response is not None:
        predicted, counts = np.zeros(len(dataset.target)), np.zeros(len(dataset.target))
        np.add.at(predicted, np.concatenate(rows), tested("values"))
        np.add.at(counts, np.concatenate(rows), 1.0)
        predicted = np.divide(predicted, counts, out=np.full(len(counts), np.nan), where=counts > 0)
        return Judged(np.empty(0), predicted=predicted), scored
    truth = dataset.target[np.concatenate(rows)]
    confusion = np.zeros((len(dataset.classes),) * 2)
    np.add.at(confusion, (truth, tested("predicted")), 1.0)
    confusion /= len(truth) / len(np.unique(np.concatenate(rows)))  # a row may be predicted by several models
    curves = []
    if scored is not None:
        scores, labels = tested("scores"), np.concatenate(part_of)[None]
        for code in _codes(dataset):
            rates, areas = curves_of(scores[None, :, code], truth, labels, code)
            if not np.isnan(areas).all():
                curves.append(RocCurve.of(dataset.classes[code], rates, areas))
    return Judged(np.empty(0), confusion, tuple(curves)), scored


def _scored(
    spec: RunSpec, dataset: Dataset, rows: Sequence[NDArray[np.int64]], models: Sequence[str], said: Floats
) -> Scored:
    """The entries of all parts; parts that hold out the same rows are repetitions of one another."""
    times, folds, repeats = dict[bytes, int](), list[int](), list[int]()
    for own in rows:
        key = own.tobytes()
        repeats.append(times.get(key, 0))
        times[key] = repeats[-1] + 1
        folds.append(list(times).index(key))
    sizes, every = [len(own) for own in rows], np.concatenate(rows)
    names = list(dict.fromkeys(models))
    gives = [spec.with_model(name).build_wrapper().scores_are() == "probabilities" for name in names]
    scales = np.repeat([names.index(name) for name in models], sizes)
    return Scored(
        rows=every,
        blocks=every if dataset.groups is None else dataset.groups[every],
        folds=np.repeat(folds, sizes),
        repeats=np.repeat(repeats, sizes),
        truth=dataset.target[every] if dataset.response is None else dataset.response[every],
        scores=said,
        scales=scales,
        probabilities=np.array(gives, dtype=np.bool_)[scales],
        names=(dataset.target_name, dataset.event) if dataset.event else dataset.classes,
        positive=0 if dataset.event else positive_code(spec.measuring.positive, dataset),
        models=tuple(names),
        times=grid_of_times(dataset),
        horizon=horizon_of(spec, dataset),
    )


def _everywhere(spec: RunSpec, dataset: Dataset, parts: Sequence[HeldOutPart], scored: Scored, answer: str) -> Scored:
    """The entries with the scores of the result's model, and of models that predicted few rows, for all parts."""
    names = list(dict.fromkeys((*scored.models, *([answer] if answer else ()))))
    if len(names) == 1:
        return scored
    needs: tuple[Need, ...] = ("scores",)
    found = np.full((*scored.scores.shape, len(names)), np.nan)
    for place, name in enumerate(names):
        predicted = scored.truth[scored.scales == place].astype(np.int64)
        gives = spec.with_model(name).build_wrapper().scores_are()
        if gives is None or np.bincount(predicted, minlength=len(dataset.classes)).min() >= _ENOUGH:
            continue
        first = 0
        for part in parts:
            size = int(part.tested.sum())
            own = slice(first, first + size)
            first += size
            if (scored.scales[own] == place).all():
                said = scored.scores[own]
            else:
                try:
                    outcome = Examiner(spec, dataset, part).outcome(part.mask, name, needs)
                except WrapperError:
                    continue
                assert outcome.scores is not None
                said = outcome.scores[0][part.tested]
            found[own, :, place] = logits(said) if gives == "probabilities" else said
    return replace(scored, models=tuple(names), everywhere=found)


def horizon_of(spec: RunSpec, dataset: Dataset) -> float:
    """The time horizon in figures: that of the settings, unless it is the upper limit of an average over time."""
    if not dataset.event or dataset.response is None:
        return 0.0
    asked = spec.measuring.horizon if spec.measuring.criterion != "brier" else 0.0
    return asked or usual_horizon(dataset.response)


def grid_of_times(dataset: Dataset) -> Floats:
    """Evenly spaced event times at which survival is predicted for figures; empty for other targets."""
    if not dataset.event or dataset.response is None:
        return np.empty(0)
    known = np.unique(dataset.times[events_of(dataset.response)])
    chosen = np.unique(np.linspace(0, len(known) - 1, min(len(known), _TIMES)).round().astype(np.int64))
    return np.unique(np.append(known[chosen], dataset.times.max()))


def _codes(dataset: Dataset) -> range:
    """The classes with a curve: only the second one if there are two."""
    return range(1, 2) if len(dataset.classes) == 2 else range(len(dataset.classes))


class _Collected:
    """Predictions for the rows with one mask, over all measurements so far."""

    def __init__(self, evaluator: Evaluator, mask: Mask) -> None:
        self.evaluator, self.mask = evaluator, mask
        dataset = evaluator.dataset
        self.codes = _codes(dataset)
        self.needs = _needs(evaluator)
        self.refusal = ""
        self.losses: list[float] = []
        self.confusion: list[Floats] = []
        self.rates: dict[int, list[Floats]] = {code: [] for code in self.codes}
        self.areas: dict[int, list[Floats]] = {code: [] for code in self.codes}
        self.sums, self.counts = np.zeros(len(dataset.target)), np.zeros(len(dataset.target))

    def hear(self, labels: NDArray[np.int64]) -> None:
        """Add a measurement on these folds, limited to the number of repeats used for this model."""
        if self.refusal:
            return
        labels = labels[: self.evaluator.repeats]
        try:
            outcome = self.evaluator.outcome(self.mask, labels, self.needs)
        except WrapperError as error:
            self.refusal = str(error)
            return
        penalty = self.evaluator.settings.size_penalty * float(self.mask.mean())
        self.losses.append(float(self.evaluator.criterion.loss(outcome).mean()) + penalty)
        if outcome.predicted is not None:
            self.confusion.append(outcome.confusion())
        if outcome.scores is not None:
            self._add_curves(outcome)
        if outcome.values is not None:
            outcome = with_ranks(outcome) if self.evaluator.dataset.event else outcome
            assert outcome.values is not None
            tested = labels >= 0
            self.sums += np.where(tested, outcome.values, 0.0).sum(axis=0)
            self.counts += tested.sum(axis=0)

    def _add_curves(self, outcome: Outcome) -> None:
        assert outcome.scores is not None
        for code in self.codes:
            rates, areas = curves_of(outcome.scores[:, :, code], outcome.target, outcome.labels, code)
            self.rates[code].append(rates)
            self.areas[code].append(areas)

    def judged(self) -> Judged:
        """The combined result."""
        if self.refusal or not self.losses:
            return Judged(np.empty(0), refusal=self.refusal)
        names = self.evaluator.dataset.classes
        numbers = "values" in self.needs
        curves = [
            RocCurve.of(names[code], np.concatenate(self.rates[code]), np.concatenate(self.areas[code]))
            for code in self.codes
            if self.areas[code] and not np.isnan(np.concatenate(self.areas[code])).all()
        ]
        predicted = np.full(len(self.counts), np.nan)
        np.divide(self.sums, self.counts, out=predicted, where=self.counts > 0)
        return Judged(
            losses=np.array(self.losses),
            confusion=np.empty((0, 0)) if numbers else np.concatenate(self.confusion).mean(axis=0),
            curves=tuple(curves),
            predicted=predicted if numbers else np.empty(0),
        )


def _needs(evaluator: Evaluator) -> tuple[Need, ...]:
    if evaluator.dataset.response is not None:
        return ("values", "survival") if evaluator.criterion.needs == "survival" else ("values",)
    return ("classes",) if evaluator.wrapper.scores_are() is None else ("classes", "scores")


def packed_findings(subsets: EquivalentSubsets, diagnosis: Diagnosis, singles: SingleFeatureScores) -> dict[str, Any]:
    """The findings about a subset, as :meth:`fsdesk.store.Project.keep_findings` stores them."""
    values: dict[str, Any] = {
        "version": _VERSION,
        "done": diagnosis.done,
        "total": diagnosis.total,
        "fresh": diagnosis.fresh,
        "held_out": diagnosis.held_out,
        "target": diagnosis.target,
        "classes": diagnosis.classes,
        "response": diagnosis.response,
        **_packed_scored(diagnosis.scored),
        **({"event": diagnosis.event} if diagnosis.event else {}),
        "places": singles.places,
        "alone": singles.losses,
        "f": singles.f,
        "information": singles.information,
    }
    return (
        values
        | _packed_subsets(subsets)
        | _of_judged("chosen", diagnosis.chosen)
        | _of_judged("all", diagnosis.everything)
    )


def kept_findings(
    values: Mapping[str, Any], mask: Mask
) -> tuple[EquivalentSubsets, Diagnosis, SingleFeatureScores] | None:
    """Undo :func:`packed_findings` for this subset; None for data from another version of fsdesk."""
    if values.get("version") != _VERSION:
        return None
    diagnosis = Diagnosis(
        mask=mask,
        done=values["done"],
        total=values["total"],
        fresh=values["fresh"],
        chosen=_judged("chosen", values),
        everything=_judged("all", values),
        target=values["target"],
        classes=tuple(values["classes"]),
        response=values["response"],
        held_out=values["held_out"],
        scored=_kept_scored(values),
        event=str(values.get("event", "")),
    )
    singles = SingleFeatureScores(values["places"], values["alone"], values["f"], values["information"])
    return _kept_subsets(values), diagnosis, singles


def _packed_subsets(subsets: EquivalentSubsets) -> dict[str, Any]:
    return {
        "peer_masks": pack_masks([subset.mask for subset in subsets.shown]),
        "peer_errors": np.array([subset.error for subset in subsets.shown]),
        "peer_times": np.array([subset.times for subset in subsets.shown], dtype=np.int64),
        "answer": next((place for place, subset in enumerate(subsets.shown) if subset.answer), -1),
        "number": subsets.number,
        "measured": subsets.measured,
        "limit": subsets.limit,
        "frequency": subsets.frequency,
    }


def _kept_subsets(values: Mapping[str, Any]) -> EquivalentSubsets:
    frequency = values["frequency"]
    masks = unpack_masks(values["peer_masks"], len(frequency))
    parts = zip(masks, values["peer_errors"].tolist(), values["peer_times"].tolist(), strict=True)
    shown = tuple(
        EquivalentSubset(mask, error, times, at == values["answer"]) for at, (mask, error, times) in enumerate(parts)
    )
    return EquivalentSubsets(shown, values["number"], values["measured"], values["limit"], frequency)


_SCORED, _TUPLES = "scored_", ("names", "models")


def _packed_scored(scored: Scored | None) -> dict[str, Any]:
    if scored is None:
        return {}
    values = {field.name: getattr(scored, field.name) for field in fields(scored)}
    values = {name: value for name, value in values.items() if value is not None}
    return {_SCORED + name: list(value) if name in _TUPLES else value for name, value in values.items()}


def _kept_scored(values: Mapping[str, Any]) -> Scored | None:
    known = {name.removeprefix(_SCORED): value for name, value in values.items() if name.startswith(_SCORED)}
    return Scored(**{**known, **{name: tuple(known[name]) for name in _TUPLES}}) if known else None


def _of_judged(name: str, judged: Judged) -> dict[str, Any]:
    curves = judged.curves
    return {
        f"{name}_losses": judged.losses,
        f"{name}_confusion": judged.confusion,
        f"{name}_predicted": judged.predicted,
        f"{name}_refusal": judged.refusal,
        f"{name}_curve_names": [curve.name for curve in curves],
        f"{name}_curve_means": np.array([curve.mean for curve in curves]).reshape(-1, len(GRID)),
        f"{name}_curve_deviations": np.array([curve.deviation for curve in curves]).reshape(-1, len(GRID)),
        f"{name}_areas": np.array([(curve.area, curve.area_deviation) for curve in curves]).reshape(-1, 2),
    }


def _judged(name: str, values: Mapping[str, Any]) -> Judged:
    parts = zip(
        values[f"{name}_curve_names"],
        values[f"{name}_curve_means"],
        values[f"{name}_curve_deviations"],
        values[f"{name}_areas"].tolist(),
        strict=True,
    )
    return Judged(
        losses=values[f"{name}_losses"],
        confusion=values[f"{name}_confusion"],
        curves=tuple(RocCurve(curve, mean, deviation, *areas) for curve, mean, deviation, areas in parts),
        predicted=values[f"{name}_predicted"],
        refusal=values[f"{name}_refusal"],
    )


@keep_made
def held_out_of(result: RunRecord, dataset: Dataset) -> tuple[HeldOutPart, ...]:
    """The parts whose predictions form the held-out error; see :func:`fsdesk.results.outer.held_out_parts`."""
    return held_out_parts(result.spec, dataset, result.honesty, result.race)


@keep_made
def held_out_made(result: RunRecord, dataset: Dataset) -> tuple[Judged, Scored | None]:
    """Predictions for a result's held-out rows, see :func:`held_out_of`, and their scores; None if there are none."""
    with threadpool_limits(limits=1):  # as in a run: identical sums, bit for bit
        return held_out_predictions(result.spec, dataset, held_out_of(result, dataset), answer=result.model)
