"""Outer validation, and the errors that a search brings along."""

import gc
import json
import tomllib
import weakref
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

import fsdesk
from fsdesk.engine import BatchMeasured, Flag, RunSpec, Steered, ThreadExecutor, pack_masks, run, unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import SettingsError
from fsdesk.measure import Evaluator
from fsdesk.results.benchmark import compare_methods, evidence_table
from fsdesk.results.evidence import FRESH, EvidenceProgress, Fresh, Honesty, OuterFold, kept_evidence
from fsdesk.results.exports import export
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import outer_number, outer_steps
from fsdesk.results.record import RunRecord
from fsdesk.results.select import completed
from fsdesk.store import Project
from fsdesk.store.schema import decode, encode
from tests.held_out import outer_error
from tests.unit.store.conftest import Found

pytestmark = pytest.mark.usefixtures("filters_scored_once")
QUICK = {"max_measurements": 40, "repeats": 2}
FEW_STRATEGIES = {"competing": "filters", "resamples": 5}
STEERINGS = (Steered(6, pin=("feature 0",)), Steered(12, ban=("feature 1",), measurements=30, iterations=10))


def _outer_folds(spec, dataset, folds):
    return [step for step in outer_steps(spec, dataset, folds) if isinstance(step, OuterFold)]


def test_each_outer_answer_predicts_rows_that_its_search_never_saw(planted):
    """The held-out rows predicted by scikit-learn, trained and scaled on the others alone."""
    spec = RunSpec.make(planted, method="bspsa-h", seed=3, settings=QUICK)
    folds = _outer_folds(spec, planted, 4)
    assert sorted(np.concatenate([fold.said.rows for fold in folds])) == list(range(60))
    for fold in folds:
        test, mask = np.isin(np.arange(60), fold.said.rows), unpack_masks(fold.mask[None], 8)[0]
        scaler = StandardScaler().fit(planted.x[~test][:, mask])
        model = KNeighborsClassifier(1).fit(scaler.transform(planted.x[~test][:, mask]), planted.target[~test])
        missed = model.predict(scaler.transform(planted.x[test][:, mask])) != planted.target[test]
        assert fold.loss == pytest.approx(missed.mean())


def test_on_noise_the_outer_error_is_that_of_a_coin_and_the_search_error_is_not(make_dataset):
    rng = np.random.default_rng(0)
    noise = make_dataset(rng.normal(size=(80, 30)), np.arange(80) % 2)
    rows = list(compare_methods(noise, ["bspsa"], seeds=(0, 1), budget=300, settings={"repeats": 3}, outer=5))
    assert np.mean(rows[0].reported) < 0.4
    assert np.mean(rows[0].outer) > 0.4
    assert "bspsa" in list(evidence_table(rows))[2]


@pytest.mark.parametrize(
    ("method", "settings"),
    [("full", {"prefilter": "f", "keep": 20}), ("ranking", {"score": "f", "min_size": 20, "max_size": 20})],
)
def test_scores_of_single_features_are_made_anew_from_the_training_rows_of_each_outer_fold(
    make_dataset, method, settings
):
    """Of 3,000 columns of noise twenty look good on any 60 rows; chosen on all of them they seem to predict."""
    noise = make_dataset(np.random.default_rng(5).normal(size=(60, 3000)), np.arange(60) % 2)
    spec = RunSpec.make(noise, method=method, seed=1, settings={**settings, "repeats": 2})
    with ThreadExecutor(evaluator_of(spec, noise)) as executor:
        search = run(spec, noise, executor)
        told = [event.values.mean() for event in search if isinstance(event, BatchMeasured)]
    assert min(told) < 0.25
    measured, masks = outer_error(spec, noise, folds=5)
    assert measured.mean > 0.4
    assert len({mask.tobytes() for mask in masks}) == 5


def test_rows_of_a_group_stay_on_one_side(planted):
    grouped = replace(planted, groups=np.arange(60) // 4)
    measured, masks = outer_error(RunSpec.make(grouped, method="bspsa-h", settings=QUICK), grouped, folds=3)
    assert len(measured.values) == len(masks) == 3


def test_forward_in_time_an_outer_block_is_searched_and_predicted_from_earlier_rows_alone(planted):
    """Later rows are changed: what earlier blocks were told stays."""
    time = np.random.default_rng(0).permutation(60)
    dataset = replace(planted, time=time)
    settings = {**QUICK, "protocol": "time", "folds": 3}
    measured, masks = outer_error(RunSpec.make(dataset, method="bspsa-h", settings=settings), dataset, folds=4)
    assert len(masks) == 4
    later = time >= 48  # the last block of five
    x = dataset.x.copy()
    x[later] = np.random.default_rng(1).normal(size=(later.sum(), 8)) * 1e3
    changed = replace(dataset, x=np.asfortranarray(x))
    again, others = outer_error(RunSpec.make(changed, method="bspsa-h", settings=settings), changed, folds=4)
    assert again.values[:3].tolist() == measured.values[:3].tolist()
    assert np.array_equal(others[:3], masks[:3])
    assert again.values[3] != measured.values[3]


def test_there_are_no_more_outer_folds_than_rows_or_groups_and_at_least_two(planted):
    grouped = replace(planted, groups=np.arange(60) // 20)
    spec = RunSpec.make(grouped, method="full", settings={"repeats": 1, "folds": 2})
    assert outer_number(spec, grouped, 7) == len(outer_error(spec, grouped, folds=7)[1]) == 3
    assert outer_number(RunSpec.make(planted, method="bspsa-h"), planted, 99) == 60
    with pytest.raises(SettingsError, match="at least two outer folds"):
        outer_error(spec, planted, folds=1)


def test_the_user_s_own_folds_stay_whole_outside_too(planted):
    dataset = replace(planted, fold_of=np.random.default_rng(0).integers(0, 4, 60))
    spec = RunSpec.make(dataset, method="bspsa-h", settings={**QUICK, "protocol": "column"})
    parts = [set(dataset.fold_of[fold.said.rows].tolist()) for fold in _outer_folds(spec, dataset, 4)]
    assert sorted(parts, key=min) == [{0}, {1}, {2}, {3}]
    assert len(outer_error(spec, dataset, folds=2)[1]) == 2
    halves = replace(planted, fold_of=np.arange(60) // 30)  # one fold alone could not be searched
    assert (
        len(
            outer_error(
                RunSpec.make(halves, method="bspsa-h", settings={**QUICK, "protocol": "column"}), halves, folds=3
            )[1]
        )
        == 3
    )


@pytest.mark.parametrize("limit", [0.0, 0.5])
def test_where_the_search_takes_a_sample_of_the_rows_fresh_folds_are_of_all_of_them(planted, limit):
    mask = np.arange(8) % 4 == 2
    settings = {"repeats": 4, "folds": 3, "std_error_limit": limit}
    spec = RunSpec.make(planted, method="bspsa-h", settings={**settings, "search_rows": 30})
    evaluator = Evaluator(planted, spec.build_wrapper(), seed=spec.seed, repeats=4, folds=3)
    expected = np.concatenate([evaluator.measure(mask, FRESH + place).values for place in range(2)])
    assert fresh_error(spec, planted, mask, times=7).values.tolist() == expected[:7].tolist()
    large = RunSpec.make(planted, method="bspsa-h", settings={**settings, "search_rows": 60})  # as many as there are
    alone = RunSpec.make(planted, method="bspsa-h", settings=settings)
    assert fresh_error(large, planted, mask, 3).values.tolist() == fresh_error(alone, planted, mask, 3).values.tolist()


def test_fresh_measurements_are_others_than_the_search_s(planted):
    spec = RunSpec.make(planted, method="bspsa-h")
    mask = np.arange(8) % 4 == 2
    fresh = fresh_error(spec, planted, mask, times=5)
    assert len(fresh.values) == 5
    assert len(set(fresh.values)) > 1


def test_an_outer_validation_goes_on_with_the_folds_that_are_missing(planted):
    spec = RunSpec.make(planted, method="bspsa-h", seed=3, settings=QUICK)
    steps = list(outer_steps(spec, planted, folds=4))
    whole = {step.fold: step for step in steps if isinstance(step, OuterFold)}
    rest = {step.fold: step for step in outer_steps(spec, planted, 4, done=(0, 2)) if isinstance(step, OuterFold)}
    assert sorted(rest) == [1, 3]
    assert all(rest[fold].loss == whole[fold].loss for fold in rest)
    assert all((rest[fold].mask == whole[fold].mask).all() for fold in rest)
    assert sum(fold.rows for fold in whole.values()) == len(planted.target)
    shares = [step.share for step in steps if isinstance(step, EvidenceProgress) and step.place == 0]
    assert shares == sorted(shares)
    assert shares[-1] > 0.9


def test_a_stopped_outer_validation_reports_no_fold_that_is_not_done(planted):
    flag = Flag()
    flag.stop = True
    assert list(outer_steps(RunSpec.make(planted, method="bspsa-h", settings=QUICK), planted, control=flag)) == []


def _fold(fold, folds, loss):
    return OuterFold(fold, folds, 12, loss, 0.1, np.zeros(1, np.uint8))


def test_evidence_comes_back_from_a_project_and_speaks_of_the_present_answer(planted, tmp_path):
    mask = np.arange(8) % 2 == 0
    project = Project.create(tmp_path / "study.fsdesk")
    project.add_dataset(planted)
    run_id = project.add_run(RunSpec.make(planted, method="bspsa-h"))
    for each in (
        Fresh(pack_masks([mask])[0], np.array([0.2, 0.4])),
        _fold(0, 3, 0.9),
        _fold(1, 5, 0.5),
        _fold(0, 5, 0.25),
    ):
        project.append([(run_id, each)])
    project.append([(run_id, Found("of a newer fsdesk", {"x": 1}))])
    kept = kept_evidence(project.evidence(run_id))
    project.close()
    honesty = Honesty.of(kept, mask)
    assert honesty.fresh is not None
    assert honesty.fresh.mean == pytest.approx(0.3)
    assert [fold.loss for fold in honesty.outer] == [0.25, 0.5]  # five folds were asked for last
    assert honesty.honest is not None
    assert honesty.honest.mean == pytest.approx(0.375)
    assert not honesty.complete
    assert Honesty.of(kept, ~mask).fresh is None  # measured for another answer
    assert Honesty.of([], None).honest is None
    assert not Honesty.of(kept, mask, steerings=1).outer  # of a search that was not allowed what this one was


def test_the_result_file_says_fresh_and_honest_error_once_they_are_known(planted, tmp_path):
    project = Project.create(tmp_path / "study.fsdesk")
    project.add_dataset(planted)
    spec = RunSpec.make(planted, method="bspsa-h", settings=QUICK)
    run_id = project.add_run(spec)
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        project.append([(run_id, event) for event in run(spec, planted, executor)])
    written = _written(project, run_id, planted, tmp_path)
    assert "fresh_error" not in written
    assert "%" not in written["shown"]["text"]  # no error of the rows that chose the features leads
    mask = RunRecord.stored(project, run_id).mask
    for each in (Fresh(pack_masks([mask])[0], np.array([0.25, 0.5])), _fold(0, 2, 0.5), _fold(1, 2, 1.0)):
        assert _written(project, run_id, planted, tmp_path)["honest_error"] is None
        project.append([(run_id, each)])
    content = _written(project, run_id, planted, tmp_path)
    project.close()
    assert content["fresh_error"] == 0.375
    assert content["honest_error"] == 0.75
    for name in ("honest_interval", "honest_difference", "honest_difference_interval", "all_features_honest_error"):
        assert content[name] is None  # evidence of an older version: without rows
    assert "Measure it again" in content["shown"]["text"]
    assert not [name for name in content if name.endswith("_std_error")]


def test_evidence_with_rows_comes_back_and_gives_the_honest_error_with_its_interval(planted, tmp_path):
    project = Project.create(tmp_path / "study.fsdesk")
    project.add_dataset(planted)
    spec = RunSpec.make(planted, method="bspsa-h", seed=3, settings=QUICK)
    run_id = project.add_run(spec)
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        project.append([(run_id, event) for event in run(spec, planted, executor)])
    folds = [step for step in outer_steps(spec, planted, folds=4) if isinstance(step, OuterFold)]
    for fold in folds:
        project.append([(run_id, fold)])
    content = _written(project, run_id, planted, tmp_path)
    honest = RunRecord.stored(project, run_id).honest
    project.close()
    assert honest is not None
    assert content["honest_error"] == honest.value
    assert content["honest_interval"] == [honest.low, honest.high]
    assert content["honest_difference"] == honest.difference == honest.all_features - honest.value
    assert content["honest_difference_interval"] == [honest.difference_low, honest.difference_high]
    assert content["all_features_honest_error"] == honest.all_features
    missed = np.concatenate([fold.said.chosen != fold.said.truth for fold in folds])
    rows = np.concatenate([fold.said.rows for fold in folds])
    assert sorted(rows) == list(range(60))
    assert honest.value == pytest.approx(missed.mean())
    assert all((fold.said.truth == planted.target[fold.said.rows]).all() for fold in folds)
    assert honest.low < honest.value < honest.high
    assert honest.difference_low < honest.difference < honest.difference_high


@pytest.mark.parametrize("fold", range(4))
def test_all_features_are_tested_on_the_same_rows_after_the_same_training(planted, fold):
    spec = RunSpec.make(planted, method="bspsa-h", seed=3, settings=QUICK)
    step = next(
        step for step in outer_steps(spec, planted, 4, done=set(range(4)) - {fold}) if isinstance(step, OuterFold)
    )
    train = np.setdiff1d(np.arange(60), step.said.rows)
    scaler = StandardScaler().fit(planted.x[train])
    model = KNeighborsClassifier(1).fit(scaler.transform(planted.x[train]), planted.target[train])
    assert (model.predict(scaler.transform(planted.x[step.said.rows])) == step.said.everything).all()
    assert set(step.said.chance) == {np.bincount(planted.target[train]).argmax()}


def _written(project, run_id, planted, folder):
    export(RunRecord.stored(project, run_id), planted, folder, ["result.json"])
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def test_the_random_state_of_the_outer_folds_draws_them_whatever_the_seed_of_the_run(planted):
    def rows_of_folds(seed, outer_seed):
        settings = {"outer_seed": outer_seed, "outer_folds": 3, "repeats": 1}
        spec = RunSpec.make(planted, method="full", seed=seed, settings=settings)
        return [step.said.rows.tolist() for step in outer_steps(spec, planted) if isinstance(step, OuterFold)]

    assert rows_of_folds(1, 7) == rows_of_folds(2, 7)
    assert rows_of_folds(1, 0) == rows_of_folds(2, 1) != rows_of_folds(1, 7)


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
    return data, completed(RunSpec.make(data, method="auto", wrapper="nn", settings=FEW_STRATEGIES), data)


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


@pytest.fixture(scope="module")
def of_noise():
    """The answer on 60 rows of which no feature says anything, by the seed of the rows."""

    @cache
    def answer(seed):
        data = _planted(60, seed, informative=0)
        return completed(RunSpec.make(data, method="univariate", wrapper="nn", settings={"resamples": 5}), data)

    return answer


@pytest.mark.parametrize("what", ["few informative", "noise"])
def test_the_honest_error_is_the_mean_of_what_the_other_parts_would_choose_first(found, of_noise, what):
    result = of_noise(0) if what == "noise" else found[1]
    race = result.race
    complete = [each for each in race.judged.values() if len(each.losses) == race.folds]
    peers = min(5, 1 + len(complete) // 8)
    assert peers > 1
    least = most = 0.0
    for part in range(race.folds):
        others = [round(np.mean([loss for at, loss in each.losses.items() if at != part]), 12) for each in complete]
        # Several with equally many errors are told apart by margins, which are not counted here.
        last = sorted(others)[peers - 1]
        sure = [each.losses[part] for each, loss in zip(complete, others, strict=True) if loss < last]
        level = sorted(each.losses[part] for each, loss in zip(complete, others, strict=True) if loss == last)
        left = peers - len(sure)
        least += (sum(sure) + sum(level[:left])) / peers / race.folds
        most += (sum(sure) + sum(level[-left:])) / peers / race.folds
    assert len(result.mask) and result.honest.rows % race.folds == 0
    assert least - 1e-9 <= result.honest.value <= most + 1e-9


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


def test_features_that_tell_nothing_are_found_to_tell_nothing(of_noise):
    verdicts = []
    for seed in range(3):
        verdicts.append(of_noise(seed).honest.verdict)
        if verdicts.count("no evidence") == 2:
            break
    assert verdicts.count("no evidence") >= 2


def _state(result):
    from fsdesk.engine import RunState

    state = RunState(history=None)
    for event in result.log:
        state.apply(event)
    return state


@pytest.fixture(scope="module")
def spec(planted):
    settings = {"max_iterations": 10, "repeats": 1, "folds": 3}
    return RunSpec.make(planted, method="bspsa", seed=1, settings=settings)


@pytest.fixture(scope="module")
def result(spec, planted):
    return completed(spec, planted, steerings=STEERINGS)


def test_the_result_says_what_was_steered_and_obeys_it(result, spec, planted):
    assert "feature 0" in result.features
    assert "feature 1" not in result.features
    assert result.steerings == STEERINGS
    assert "from measurement 6 on: feature 0 always in" in result.steered
    assert "10 more iterations and 30 more measurements" in result.steered
    assert result.reason == "all 20 iterations done"
    assert completed(spec, planted).steered == ""


@pytest.mark.parametrize("name", ["report.html", "reproduce.py", "settings.toml"])
def test_report_script_and_settings_name_the_steering(result, planted, tmp_path, name):
    (path,) = export(result, planted, tmp_path, [name])
    text = path.read_text(encoding="utf-8")
    assert "changed by hand" in text
    assert "feature 0 always in" in text
    if name == "settings.toml":
        tomllib.loads(text)
    if name == "reproduce.py":
        compile(text, str(path), "exec")


def test_result_json_has_every_steering_with_its_measurement(result, planted, tmp_path):
    (path,) = export(result, planted, tmp_path, ["result.json"])
    assert json.loads(path.read_text(encoding="utf-8"))["steering"] == [
        {"number": 6, "pin": ["feature 0"]},
        {"number": 12, "ban": ["feature 1"], "measurements": 30, "iterations": 10},
    ]


def test_the_searches_of_the_honest_error_are_steered_alike(spec, planted):
    done = [step for step in outer_steps(spec, planted, 3, steerings=STEERINGS) if isinstance(step, OuterFold)]
    masks = unpack_masks(np.array([each.mask for each in done]), 8)
    assert len(masks) == 3
    assert masks[:, 0].all()
    assert not masks[:, 1].any()


def test_the_error_of_outer_folds_is_worked_out_once_and_let_go_with_them():
    folds = [OuterFold(at, 2, 30, 0.1 * (at + 1), 0.1, np.zeros(1, np.uint8)) for at in range(2)]
    known = Honesty.of(folds, None).error("error", 1, 3)
    assert known is not None and known.value == pytest.approx(0.15)
    assert Honesty.of(folds, None).error("error", 1, 3) is known
    assert Honesty.of(folds, None).error("error", 2, 3) is not known
    held = [weakref.ref(fold) for fold in folds]
    del folds
    gc.collect()
    assert [each() for each in held] == [None, None]
