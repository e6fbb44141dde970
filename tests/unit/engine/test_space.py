"""Features that are always or never in, that go together, or that a filter left out."""

import numpy as np
import pytest

from fsdesk import select
from fsdesk.engine import RunSpec, Space
from fsdesk.errors import SettingsError


def _names(*places):
    return [f"feature {place}" for place in places]


def test_units_become_masks_and_weights_of_features(planted):
    space = Space(planted, always=_names(0), never=_names(7), together=[_names(2, 5), _names(3, 4)])
    assert space.units == 4  # 1, 2 with 5, 3 with 4, 6
    assert space.mask(np.array([True, False, True, False])).tolist() == [
        True,
        True,
        False,
        True,
        True,
        False,
        False,
        False,
    ]
    assert space.weights(np.array([0.1, 0.2, 0.3, 0.4])).tolist() == [1.0, 0.1, 0.2, 0.3, 0.3, 0.2, 0.4, 0.0]
    assert space.start(_names(5, 6, 7)).tolist() == [False, True, False, True]
    assert space.start(()) is None


def test_without_constraints_units_are_features(planted):
    space = Space(planted)
    mask = np.arange(8) % 3 == 0
    assert space.is_plain
    assert space.mask(mask) is mask


@pytest.mark.parametrize(
    ("constraints", "sentence"),
    [
        ({"always": ["nobody"]}, 'no feature "nobody"'),
        ({"always": _names(1), "never": _names(1)}, '"feature 1" is both'),
        ({"never": _names(*range(8))}, "No features are left"),
    ],
)
def test_constraints_that_cannot_be_met_are_refused(planted, constraints, sentence):
    with pytest.raises(SettingsError, match=sentence):
        Space(planted, **constraints)


@pytest.mark.parametrize("name", ["f", "mutual information", "relieff"])
def test_a_filter_keeps_the_planted_features(planted, name):
    space = Space(planted, prefilter=name, keep=2)
    assert space.units == 2
    assert np.flatnonzero(space.mask(np.ones(2, dtype=bool))).tolist() == [1, 5]
    scores = Space(planted).scores(name)
    assert sorted(np.argsort(-scores)[:2].tolist()) == [1, 5]
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("method", ["bspsa", "sfs", "ranking"])
def test_every_method_keeps_to_the_constraints(planted, method):
    constraints = {"always": _names(2), "never": _names(1), "together": [_names(3, 4)]}
    settings = {"max_measurements": 60}
    result = select(planted, method=method, settings=settings, outer=0, **constraints)
    assert result.mask[2]
    assert not result.mask[1]
    assert result.mask[3] == result.mask[4]
    again = select(planted, method=method, settings=settings, workers=2, outer=0, **constraints)
    assert again.mask.tolist() == result.mask.tolist()


def test_a_filter_keeps_or_drops_a_group_as_one_and_counts_it_as_one(planted):
    alone = Space(planted, prefilter="f", keep=2)
    best = int(np.flatnonzero(alone.searched)[0])
    other = next(place for place in range(8) if not alone.searched[place])
    together = Space(planted, together=[_names(best, other)], prefilter="f", keep=2)
    assert together.units == 2
    assert together.searched[[best, other]].all()
    assert together.searched.sum() == 3
    spec = RunSpec.make(
        planted, method="bspsa-h", together=[_names(best, other)], settings={"prefilter": "f", "keep": 2}
    )
    assert spec.units == 2


def test_a_start_is_refused_where_nothing_could_begin_with_it(planted):
    with pytest.raises(SettingsError, match='"All features" does not start from a subset'):
        RunSpec.make(planted, method="full", start=_names(1))


def test_a_chain_starts_where_the_other_run_ended(planted):
    spec = RunSpec.make(planted, method="sfs", start=_names(1, 5))
    assert spec.build_space(planted).start(spec.start).tolist() == (np.arange(8) % 4 == 1).tolist()


def test_the_spec_names_the_criterion_that_auto_stands_for(planted):
    assert RunSpec.make(planted, method="bspsa-h").measuring.criterion == "error"
    assert RunSpec.make(planted, method="bspsa-h", settings={"criterion": "auc"}).measuring.criterion == "auc"


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("bspsa-h", {"wanted": 4, "max_measurements": 60}),
        ("spsa-bb", {"number_of_features": 4, "max_iterations": 3}),
        ("sfs", {"min_size": 4, "max_size": 4, "patience": 0}),
        ("sbs", {"min_size": 4, "max_size": 4, "patience": 0}),
        ("ranking", {"min_size": 4, "max_size": 4}),
        ("exhaustive", {"min_size": 4, "max_size": 4}),
    ],
)
def test_a_number_of_features_asked_for_counts_those_that_are_always_in(planted, method, settings):
    asked = {"method": method, "settings": {**settings, "repeats": 1, "folds": 3}}
    spec = RunSpec.make(planted, always=_names(0, 7), **asked)
    result = select(planted, always=_names(0, 7), outer=0, **asked)
    assert len(result.features) == 4
    assert {"feature 0", "feature 7"} < set(result.features)
    assert result.evaluations < spec.measurements
    assert all(spec.method_settings[name] == value for name, value in settings.items())  # as they were asked for
    with pytest.raises(SettingsError, match="4 features are always in"):
        RunSpec.make(planted, always=_names(0, 7, 1, 2), **asked)
