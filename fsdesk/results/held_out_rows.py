"""Models trained without some rows and applied to them, and the error that a race obtains from its own rows."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec, RunState, pack_masks
from fsdesk.engine.state import Race
from fsdesk.errors import WrapperError
from fsdesk.measure import Evaluator, Outcome
from fsdesk.measure.criteria import Need
from fsdesk.measure.resamples import HELD_OUT, LEFT_OUT, TRAINED_ON, Resamples, rows_of
from fsdesk.methods import Mask
from fsdesk.methods.choice import ALL_FEATURES, Candidate, best_of, choose, smallest
from fsdesk.methods.race import Raced
from fsdesk.results.evidence import OwnError
from fsdesk.results.held_out import HeldOut, chance_prediction, honest_error
from fsdesk.results.nested import voters_of
from fsdesk.wrappers import is_simple

_PEERS, _TO_ONE = 5, 8  # most subsets averaged for the held-out error: one, and another for every 8 candidates
_TESTED_ROWS = 2000  # in a resample: over ten resamples, an error of 1 % is estimated to within 0.1 points


@dataclass(frozen=True, eq=False)
class HeldOutPart:
    """Rows predicted by features that were selected without them.

    Attributes
    ----------
    mask
        (p,) bool the features.
    rows
        (m,) int64 rows of the table used for training or testing.
    tested
        (m,) bool which of them are tested.
    model, everything_model
        Names of the models chosen for them, and for all features, if several competed.
    peers
        The (features, model) that would be selected without these rows, in order of preference: each as if the earlier
        ones did not exist.
    ballot
        The best (features, model) without these rows: they vote on whether anything can be predicted at all.
    simple
        The (features, model) that would be selected without these rows if only simple models competed.
    listed
        The (features, model) that would be selected without these rows if all features were not allowed; None if a
        list is selected.
    """

    mask: Mask
    rows: NDArray[np.int64]
    tested: NDArray[np.bool_]
    model: str = ""
    everything_model: str = ""
    peers: tuple[tuple[Mask, str], ...] = ()
    ballot: tuple[tuple[Mask, str], ...] = ()
    simple: tuple[Mask, str] | None = None
    listed: tuple[Mask, str] | None = None

    def table(self, dataset: Dataset) -> Dataset:
        """The part of the data with these rows."""
        return dataset if len(self.rows) == len(dataset.target) else rows_of(dataset, self.rows)


def evaluator_on(spec: RunSpec, dataset: Dataset, tested: NDArray[np.bool_]) -> tuple[Evaluator, NDArray[np.int64]]:
    """An evaluator that trains on all rows except the tested ones, and the (1, n) fold labels of this division."""
    measuring = spec.measuring.updated(
        {"protocol": "column", "scaling": "none" if spec.measuring.scaling == "none" else "fold", "size_penalty": 0.0}
    )
    # Fold 1 contains the tested rows; predictions for fold 0 are ignored.
    alone = replace(dataset, fold_of=tested.astype(np.int64), groups=None)
    models = spec.build_models()
    evaluator = Evaluator(alone, spec.build_wrapper(), seed=spec.seed, models=models, **measuring.model_dump())
    return evaluator, np.where(tested, 0, -1)[None, :]


class Examiner:
    """Trains models on all rows of a part except the tested ones, and applies them to these.

    If models compete, each uses only its own features, so that a wide table costs no time.
    """

    def __init__(self, spec: RunSpec, dataset: Dataset, part: HeldOutPart) -> None:
        self.evaluator, self._labels = evaluator_on(spec, part.table(dataset), part.tested)
        self._split = np.where(part.tested, HELD_OUT, TRAINED_ON).astype(np.int8)

    def of(self, model: str) -> Evaluator:
        """The evaluator of a model; if no name is given, the evaluator of the only one."""
        return self.evaluator.of(model)

    def outcome(
        self, mask: Mask, model: str, needs: Collection[Need] | None = None, times: NDArray[np.float64] | None = None
    ) -> Outcome:
        """Predictions of a model with these features for all rows of the part; raises WrapperError like the model.

        ``times`` are as in :meth:`fsdesk.measure.Evaluator.outcome`.
        """
        own = self.of(model)
        needs = (own.criterion.needs,) if needs is None else needs
        if model:
            return own.outcome_alone(mask, self._split, needs, times)
        return own.outcome(mask, self._labels, needs, times)

    def tried(self, mask: Mask, model: str) -> Outcome | None:
        """As :meth:`outcome`, but None if the model cannot be trained on these features."""
        try:
            return self.outcome(mask, model)
        except WrapperError:
            return None


def tested_on(
    spec: RunSpec,
    dataset: Dataset,
    part: HeldOutPart,
    beside: HeldOut | None = None,
    examiner: Examiner | None = None,
) -> tuple[float, HeldOut]:
    """Loss on the tested rows of a model trained on all others, with all predictions for these rows.

    Tested rows are numbered from 0. ``beside`` contains the same rows tested with other features, from which the
    predictions of all features are taken. ``examiner`` is that of the part, if one exists.
    """
    tested, rows = part.tested, np.flatnonzero(part.tested)
    examiner = examiner or Examiner(spec, dataset, part)
    evaluator = examiner.of(part.model)
    scored = dataset.response is None and evaluator.wrapper.scores_are() is not None
    needs: set[Need] = {evaluator.criterion.needs} | ({"scores"} if scored else set())
    outcome = examiner.outcome(part.mask, part.model, needs)
    every = spec.allowed(dataset.features)  # a column of batches, or one that gives the target away, is in no model
    everything = None
    if beside is None:
        is_all = bool(part.mask[every].all()) and part.everything_model == part.model
        everything = outcome if is_all else examiner.tried(every, part.everything_model)
    simple = None if part.simple is None else examiner.tried(*part.simple)
    listed = None if part.listed is None else examiner.tried(*part.listed)
    known = replace(
        outcome,
        target=outcome.target[~tested],
        response=None if outcome.response is None else outcome.response[~tested],
    )
    said = HeldOut(
        criterion=evaluator.criterion.name,
        classes=outcome.classes,
        rows=rows,
        blocks=rows,
        folds=np.zeros(len(rows), dtype=np.int64),
        repeats=np.zeros(len(rows), dtype=np.int64),
        truth=(outcome.target if outcome.response is None else outcome.response)[rows],
        chosen=_predictions(outcome)[rows],
        chance=chance_prediction(known, evaluator.criterion, len(rows)),
        everything=None if everything is None else _predictions(everything)[rows],
        simple=None if simple is None else _predictions(simple)[rows],
        listed=None if listed is None else _predictions(listed)[rows],
        costs=evaluator.costs if evaluator.criterion.name == "cost" else None,
        positive=evaluator.positive,
        scores=None if outcome.scores is None else np.asarray(outcome.scores[0])[rows],
        target=dataset.target_name,
        names=dataset.classes,
        times=outcome.times if len(outcome.times) else None,
    )
    if beside is not None:
        alone = beside.covariates, beside.covariates_size
        said = replace(said, everything=beside.everything, covariates=alone[0], covariates_size=alone[1])
    elif spec.always and set(spec.always) <= set(dataset.features):  # another table may lack some
        always = np.array([name in spec.always for name in dataset.features])
        found = examiner.tried(always, covariates_model(spec, dataset, part, always))
        if found is not None:
            said = replace(said, covariates=_predictions(found)[rows], covariates_size=int(always.sum()))
    return float(evaluator.criterion.loss(outcome)[0]), said


def covariates_model(spec: RunSpec, dataset: Dataset, part: HeldOutPart, always: Mask) -> str:
    """The model that predicts best with only the features that are always in, by cross-validation of the other rows.

    It is chosen among the competing simple models and the selected one; "" if no models compete.
    """
    if not part.model:
        return ""
    trained = rows_of(dataset, part.rows[~part.tested])
    measuring = spec.measuring.updated({"repeats": 1, "size_penalty": 0.0, "std_error_limit": 0.0})
    models = spec.build_models()
    evaluator = Evaluator(trained, spec.build_wrapper(), seed=spec.seed, models=models, **measuring.model_dump())
    names = [part.model, *(name for name in models if is_simple(name) and name != part.model)]
    losses = [evaluator.of(name).measure(always).mean for name in names]
    return names[int(np.argmin(losses))]


def _predictions(outcome: Outcome) -> NDArray[Any]:
    """(n,) or (n, classes) predictions of the single repeat."""
    for said in (outcome.predicted, outcome.scores, outcome.survival, outcome.values):
        if said is not None:
            return np.asarray(said[0])
    raise TypeError("an outcome without predictions")


def own_error(spec: RunSpec, dataset: Dataset, state: RunState, answer: Mask) -> OwnError | None:
    """The held-out error of a method that chose among strategies on held-out rows.

    The smallest of many held-out errors is slightly too optimistic. The rows held out by each resample are therefore
    predicted by the strategy and size that the *other* resamples choose, trained on the search rows: every row by a
    model that was neither trained nor chosen on it. The choice uses counted errors only if the method minimizes the
    error. If models compete as well, this is not sufficient: see :func:`fsdesk.engine.request.validates_itself`.

    A single choice is partly due to chance: if nothing can be learned, its error is 4 points too small. The error is
    therefore the mean over the first five choices of the other resamples (``_PEERS``), each made as if the earlier ones
    did not exist. It is within a point of the error of the result on tables of noise and of signals, with half the
    variance (``tests/bench/verdicts.py``). None if the race is incomplete.

    Parameters
    ----------
    state
        State of the run, with the performance of its strategies.
    answer
        (p,) the run's result.
    """
    with threadpool_limits(limits=1):  # as in a run: identical sums, bit for bit
        said = _predicted(spec, dataset, race_parts(spec, dataset, state.race))
    if said is None:
        return None
    error = honest_error(
        said,
        selected=int(answer.sum()),
        features=int(spec.allowed(dataset.features).sum()),
        source="held-out rows of the strategies",
        folds=state.race.folds,
    )
    return OwnError(pack_masks([answer])[0], error, len(state.steering_events))


def _predicted(spec: RunSpec, dataset: Dataset, parts: Iterable[HeldOutPart]) -> HeldOut | None:
    """All predictions of held-out rows, one repetition for each of the peers; None if there are no parts."""
    said = list[HeldOut]()
    for resample, part in enumerate(parts):
        rows = part.rows[part.tested]
        blocks = rows if dataset.groups is None else dataset.groups[rows]
        examiner = Examiner(spec, dataset, part)
        first, votes = None, votes_of(dataset, part, examiner)
        for place, (mask, model) in enumerate(part.peers):
            own = replace(part, mask=mask, model=model)
            _, found = tested_on(spec, dataset, own, first, examiner)
            first = first or found
            found = replace(found, rows=rows, blocks=blocks, folds=np.full(len(rows), resample), scores=votes)
            said.append(replace(found, repeats=np.full(len(rows), place)))
    return HeldOut.joined(said) if said else None


def votes_of(dataset: Dataset, part: HeldOutPart, examiner: Examiner) -> NDArray[np.float64] | None:
    """Predictions of the voting models for the tested rows: (m, classes) shares of the votes, or (m,) mean numbers.

    Agreement among the best of many candidates is hardly due to chance: on synthetic tables with five weak features,
    votes detect a signal in nine of ten tables, and the chosen model alone in five; see tests/bench/verdicts.py.
    """
    said = list[NDArray[np.float64]]()
    for mask, model in part.ballot:
        try:
            outcome = examiner.outcome(mask, model, {"classes" if dataset.response is None else "values"})
        except WrapperError:
            continue
        found = _predictions(outcome)[part.tested]
        votes = found if dataset.response is not None else found[:, None] == np.arange(outcome.classes)
        said.append(np.asarray(votes, dtype=np.float64))
    return np.mean(said, axis=0) if said else None


def race_parts(spec: RunSpec, dataset: Dataset, race: Race) -> Iterator[HeldOutPart]:
    """Rows held out by each resample, with the features chosen by the others; none if the race is incomplete."""
    method = spec.method_at_work()
    if not isinstance(method, Raced) or not method.brings_honest_error or not race.is_complete:
        return
    resamples = Resamples(dataset, spec.measuring, spec.seed, race.folds)
    for resample in range(race.folds):
        others = [each.on(each.losses.keys() - {resample}) for each in race.complete]
        finite = [each for each in others if np.isfinite(each.mean)]
        # Shrunken estimates share the optimism of all rows, including held-out ones: 4 points on noise, 1.6 elsewhere.
        of_all = [each for each in finite if each.strategy == ALL_FEATURES]
        wanted = min(_PEERS, 1 + len(race.complete) // _TO_ONE)
        peers = best_of(finite, wanted) if method.prefer == "lowest" else _chosen_first(finite, method.prefer, wanted)
        peers += peers[-1:] * (wanted - len(peers))
        named = tuple(_subset(race, each, resample, len(dataset.features)) for each in peers)
        ballot = tuple(_subset(race, each, resample, len(dataset.features)) for each in voters_of(spec, finite))
        labels = resamples.compared(resample, len(dataset.target), _TESTED_ROWS)
        rows = np.flatnonzero(labels > LEFT_OUT)
        everything = smallest(of_all).model if of_all else peers[0].model
        yield HeldOutPart(
            named[0][0], rows, labels[rows] == HELD_OUT, peers[0].model, everything, peers=named, ballot=ballot
        )


def _chosen_first(candidates: Sequence[Candidate], prefer: str, wanted: int) -> list[Candidate]:
    """The candidates that would be chosen, each as if the earlier ones did not exist."""
    left, taken = list(candidates), list[Candidate]()
    while left and len(taken) < wanted:
        taken.append(choose(left, prefer))
        left = [each for each in left if each is not taken[-1]]
    return taken


def _subset(race: Race, candidate: Candidate, resample: int, features: int) -> tuple[Mask, str]:
    """The features that a candidate selects in a resample, and its model."""
    mask = np.zeros(features, dtype=np.bool_)
    mask[race.judged[candidate.strategy, candidate.size, candidate.model].subsets[resample]] = True
    return mask, candidate.model
