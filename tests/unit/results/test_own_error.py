import numpy as np
import pytest

import fsdesk
from fsdesk.engine import RunSpec
from fsdesk.results.result import completed
from fsdesk.store.schema import decode, encode

QUICK = {"competing": "filters", "resamples": 5}


def _planted(rows, seed, informative=3, features=60):
    rng = np.random.default_rng(seed)
    target = np.arange(rows) % 2
    x = rng.normal(size=(rows, features))
    x[:, :informative] += 1.6 * target[:, None]
    return fsdesk.Dataset(
        "t", np.asfortranarray(x), tuple(f"f{j}" for j in range(features)), target, "y", ("a", "b"),
        tuple(map(str, range(rows))),
    )  # fmt: skip


@pytest.fixture(scope="module")
def found():
    data = _planted(80, 1)
    return data, completed(RunSpec.make(data, method="auto", settings=QUICK), data)


def test_auto_brings_an_honest_error_of_every_row_along(found):
    _, result = found
    honest = result.honest
    assert honest.rows == 80
    assert honest.low <= honest.value <= honest.high
    assert honest.all_features > honest.value
    assert honest.source == "held-out rows of the strategies"


def test_held_out_losses_are_those_of_scikit_learn_on_the_very_same_rows(found):
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import StandardScaler

    from fsdesk.measure import Resamples

    data, result = found
    state = _state(result)
    resamples = Resamples(data, result.spec.measuring, result.spec.seed, state.race.folds)
    for judged in list(state.race.judged.values())[::9]:
        for resample, loss in judged.losses.items():
            labels, columns = resamples.held_out(resample), judged.subsets[resample]
            scaler = StandardScaler().fit(data.x[labels == -1][:, columns])
            model = KNeighborsClassifier(1).fit(
                scaler.transform(data.x[labels == -1][:, columns]), data.target[labels == -1]
            )
            said = model.predict(scaler.transform(data.x[labels == 0][:, columns]))
            assert np.mean(said != data.target[labels == 0]) == pytest.approx(loss)


def test_events_of_a_race_survive_the_project_file(found):
    _, result = found
    for event in result.log:
        again = decode(*encode(event))
        assert encode(again) == encode(event)


def test_a_race_resumes_to_the_same_answer(found):
    from fsdesk.engine import ThreadExecutor, run
    from fsdesk.engine.tasks import evaluator_of

    data, result = found
    told = result.log[: len(result.log) // 2]
    with ThreadExecutor(evaluator_of(result.spec, data), 2) as executor:
        rest = list(run(result.spec, data, executor, told))
    assert np.array_equal(rest[-1].mask, result.log[-1].mask)
    assert rest[-1].mean == result.log[-1].mean


def test_features_that_tell_nothing_are_found_to_tell_nothing():
    verdicts = []
    for seed in range(3):
        data = _planted(60, seed, informative=0)
        verdicts.append(completed(RunSpec.make(data, method="auto", settings=QUICK), data).honest.verdict)
    assert verdicts.count("chance") >= 2


def _state(result):
    from fsdesk.engine import RunState

    state = RunState(history=None)
    for event in result.log:
        state.apply(event)
    return state
