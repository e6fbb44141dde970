"""``result.json``: all numbers and settings of a run, for programs."""

import json
import math
from dataclasses import asdict

import numpy as np

from fsdesk.data import Dataset
from fsdesk.errors import DataError
from fsdesk.messages import ENGLISH, in_language
from fsdesk.results.diagnosis import held_out_made, held_out_of
from fsdesk.results.half_samples import plan_of
from fsdesk.results.record import Finalist, RunRecord, lead
from fsdesk.results.stability import consensus_of, selections_of
from fsdesk.results.trust import trust_of


def result_json(result: RunRecord, dataset: Dataset) -> str:
    """The file as text; errors are losses, null if not measured, and ``shown`` has them in familiar units."""
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
    """The held-out error of all outer folds; null if nothing was validated or no rows are known.

    Intervals are 95 % intervals over rows; a difference is positive if the result is better.
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
        honest.listed_model or None,
        honest.listed_selected or None,
        *(
            (
                _finite(honest.listed),
                _finite(honest.listed_difference),
                _interval(honest.listed_difference_low, honest.listed_difference_high),
            )
            if honest.listed_model
            else (None, None, None)
        ),
    )
    return dict(zip(_HONEST, values, strict=True))


_HONEST = (
    "honest_error", "honest_interval", "honest_difference", "honest_difference_interval", "honest_verdict",
    "honest_rows", "honest_source", "all_features_honest_error", "chance_error", "chance_difference",
    "chance_difference_interval", "association_p", "simple_model", "simple_features", "simple_model_error",
    "simple_model_difference", "simple_model_difference_interval", "covariates", "covariates_error",
    "covariates_difference", "covariates_difference_interval", "best_list_model", "best_list_features",
    "best_list_error", "best_list_difference", "best_list_difference_interval",
)  # fmt: skip


def _interval(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [low, high]


FROM_VALUES = (
    "stability", "stability_interval", "stability_source", "associated", "supported", "decision", "numbers",
    "survival",
)  # fmt: skip
"""The parts of result.json that depend on feature values, which logs do not contain."""


def _stable(result: RunRecord, dataset: Dataset) -> dict[str, object]:
    """Expected agreement of new samples, reliable features, and features in at least half of the selections."""
    trust, selections = trust_of(result, dataset), selections_of(result)
    halves, names = trust.halves, result.all_features
    stable = None if halves is None else halves.stability
    supported = [] if halves is None else [names[at] for at in np.flatnonzero(halves.supported)]
    # FROM_VALUES contains the names that a bundle without data cannot derive again.
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
    """Youden's cut-off with its rates, and calibration, on held-out rows; for numbers, R² and the error of the mean.

    For times to an event, these are given at one time, together with the integrated Brier score.

    Intervals are 95 % intervals; null means unknown or infinite.
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
    """The same run on shuffled targets, if any; its errors are of the kind named in ``source``."""
    test = result.permutations
    if test is None:
        return {"permutation_p": None, "permutation_errors": None, "permutation_source": None}
    return {"permutation_p": test.p, "permutation_errors": list(test.errors), "permutation_source": test.source}


def _external(result: RunRecord) -> dict[str, object]:
    """The tests of the result on other tables, if any."""
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
