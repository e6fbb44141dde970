"""The permuted-label control: what is exchanged, the p-value by hand, and its level where there is nothing to find."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from fsdesk.data import Dataset
from fsdesk.engine import Flag
from fsdesk.errors import DataError
from fsdesk.results.evidence import Permuted
from fsdesk.results.exports import EXPORTS
from fsdesk.results.permutations import permutation_steps, shuffled
from fsdesk.results.select import select
from fsdesk.store import Project

QUICK = {"max_measurements": 12, "repeats": 1, "folds": 2}


def _data(target, response=None, **roles):
    rows = len(target)
    return Dataset(
        name="made",
        x=np.asfortranarray(np.random.default_rng(0).normal(size=(rows, 3))),
        features=("a", "b", "c"),
        target=np.asarray(target, dtype=np.int64),
        target_name="y",
        classes=() if response is not None else tuple(f"class {code}" for code in range(max(target) + 1)),
        rows=tuple(map(str, range(rows))),
        response=response,
        **{name: np.asarray(codes, dtype=np.int64) for name, codes in roles.items()},
    )


def _many(data, times=400):
    return np.array([shuffled(data, np.random.default_rng(seed)).target for seed in range(times)])


def test_targets_are_shuffled_over_all_rows_where_none_belong_together():
    data = _data([0, 0, 0, 1, 1, 2])
    found = _many(data)
    assert (np.sort(found, axis=1) == np.sort(data.target)).all()
    assert np.abs((found == 0).mean(axis=0) - 0.5).max() < 0.1
    assert shuffled(data, np.random.default_rng(0)).x is data.x


def test_targets_that_are_those_of_whole_groups_go_over_whole_groups():
    data = _data([0, 0, 0, 1, 1, 0, 1], groups=[0, 0, 0, 1, 1, 2, 3])
    found = _many(data)
    for group in range(4):
        own = found[:, data.groups == group]
        assert (own == own[:, :1]).all()
    firsts = found[:, [0, 3, 5, 6]]
    assert (firsts.sum(axis=1) == 2).all()  # two of four groups have class 1
    assert np.abs(firsts.mean(axis=0) - 0.5).max() < 0.1


def test_targets_that_differ_inside_of_groups_stay_inside():
    data = _data([0, 1, 1, 0, 2, 2], groups=[0, 0, 0, 1, 1, 1])
    found = _many(data)
    assert (np.sort(found[:, :3], axis=1) == [0, 1, 1]).all()
    assert (np.sort(found[:, 3:], axis=1) == [0, 2, 2]).all()


def test_the_users_own_folds_keep_their_targets():
    data = _data([0, 0, 1, 1, 1, 0, 1, 1], fold_of=[0, 0, 0, 0, 1, 1, 1, 1])
    found = _many(data)
    assert (found[:, :4].sum(axis=1) == 2).all()
    assert (found[:, 4:].sum(axis=1) == 3).all()


def test_in_time_the_sequence_is_turned_and_neighbours_stay_neighbours():
    response = np.arange(7.0)
    data = _data([0] * 7, response=response, time=[3, 1, 0, 2, 6, 5, 4])
    order = np.argsort(data.time)
    turned = {tuple(shuffled(data, np.random.default_rng(seed)).response[order]) for seed in range(200)}
    start = response[order]
    assert turned == {tuple(np.roll(start, places)) for places in range(1, 7)}


def test_nothing_to_exchange_is_a_sentence():
    with pytest.raises(DataError, match="The targets cannot be permuted"):
        shuffled(_data([0, 0, 1, 1], fold_of=[0, 0, 1, 1]), np.random.default_rng(0))


def test_the_p_value_by_hand_and_what_is_written_of_it(planted):
    result = select(planted, method="sfs", seed=1, settings=QUICK, outer=0)
    assert result.permutations is None
    mask = np.packbits(result.mask)
    losses = [result.search_error - 0.01, result.search_error, result.search_error + 0.2, 0.9]
    shuffles = tuple(Permuted(mask, place, loss, "search", 0) for place, loss in enumerate(losses))
    other = Permuted(np.packbits(~result.mask), 9, 0.0, "search", 0), Permuted(mask, 9, 0.0, "outer folds", 5)
    made = replace(result, evidence=(*result.evidence, *other, *shuffles))
    assert made.permutations.p == pytest.approx((2 + 1) / (4 + 1))  # the equal one counts
    assert made.permutations.as_good == 2
    assert "p = 0.6. The result may therefore be due to chance." in made.permutations.sentence()
    written = json.loads(EXPORTS["result.json"].content(made, planted))
    assert written["permutation_p"] == pytest.approx(0.6)
    assert written["permutation_errors"] == pytest.approx(losses)
    assert "due to chance" in EXPORTS["report.html"].content(made, planted).decode()
    assert json.loads(EXPORTS["result.json"].content(result, planted))["permutation_p"] is None


@pytest.mark.parametrize(
    ("method", "outer", "source"),
    [("sfs", 0, "search"), ("sfs", 2, "outer folds"), ("univariate", 0, "held-out rows of the strategies")],
)
def test_shuffled_runs_are_judged_as_the_real_one_is(planted, method, outer, source):
    settings = QUICK if method == "sfs" else {}
    result = select(planted, method=method, wrapper="nn", outer=outer, settings=settings, permutations=19)
    test = result.permutations
    assert test.source == source
    assert len(test.errors) == 19
    assert test.observed == (result.honest.value if result.honest else result.search_error)
    assert test.p == 1 / 20  # two features that tell the classes apart: no shuffled run comes near
    assert np.mean(test.errors) > 0.3
    assert "The result is therefore not due to chance alone" in test.sentence()


def test_a_stopped_control_goes_on_and_processes_change_nothing(planted, tmp_path):
    result = select(planted, method="sfs", settings=QUICK, outer=0)
    whole = list(permutation_steps(result.repetition, planted, 6))
    flag, begun = Flag(), []
    for step in permutation_steps(result.repetition, planted, 6, control=flag):
        begun.append(step)
        flag.stop = len(begun) == 2
    assert 2 <= len(begun) < 6
    half = replace(result, evidence=tuple(begun))
    rest = list(permutation_steps(half.repetition, planted, 6, known=half.evidence, workers=2))
    found = {each.number: each.loss for each in (*begun, *rest)}
    assert found == {each.number: each.loss for each in whole}
    project = Project.create(tmp_path / "kept.fsdesk")
    from fsdesk.results.evidence import kept_evidence

    project.add_dataset(planted)
    run = project.add_run(result.spec)
    project.append([(run, whole[0])])
    (kept,) = kept_evidence(project.evidence(run))
    project.close()
    assert (kept.number, kept.loss, kept.source, kept.folds) == (0, whole[0].loss, "search", 0)


def _p_of_noise(seed, permutations):
    """A p-value on a table of noise, made continuous: uniform between the steps that it can take."""
    rng = np.random.default_rng(seed)
    response = rng.normal(size=16)
    data = _data([0] * 16, response=response)
    data = replace(data, x=np.asfortranarray(rng.normal(size=(16, 3))))
    result = select(data, method="exhaustive", wrapper="ridge", seed=seed, settings={"repeats": 1, "folds": 2},
                    permutations=permutations, outer=0)  # fmt: skip
    return result.permutations.p - rng.random() / (permutations + 1)


def test_p_values_on_noise_are_uniform():
    """20 tables; FSDESK_LONG=1 takes 200 with 19 shuffled runs each, some minutes."""
    is_long = bool(os.environ.get("FSDESK_LONG"))
    values = [_p_of_noise(seed, 19 if is_long else 9) for seed in range(200 if is_long else 20)]
    assert stats.kstest(values, "uniform").pvalue > 0.01
    assert np.mean(np.array(values) < 0.1) < 0.3
