import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.engine import RunRequest, RunSpec, Wanted
from fsdesk.engine.request import USUAL_FITS, planned_fits
from fsdesk.errors import SettingsError
from fsdesk.methods import METHODS, Method
from fsdesk.results.settings_file import parsed_settings, settings_text
from fsdesk.settings import Registry, setting


@pytest.fixture
def clashing(monkeypatch):
    """A method with a setting of the same name as one of the measurement."""
    registry = Registry("method")

    @registry.register("clashing", title="Clashing", summary="For tests.")
    class Clashing(Method):
        folds: int = setting(7, title="Folds", help="Not those of the measurement.", ge=1, le=9)

        def measurements(self, features):
            return 1

    monkeypatch.setitem(METHODS.entries, "clashing", registry["clashing"])
    return "clashing"


def test_a_name_of_two_groups_must_say_whose_it_is(clashing, planted):
    with pytest.raises(SettingsError, match=r"write method\.folds or measuring\.folds"):
        RunSpec.make(planted, method=clashing, wrapper="nn", settings={"folds": 3})


def test_a_name_with_its_group_sets_that_one_alone(clashing, planted):
    settings = {"method.folds": "3", "measuring.repeats": 2, "wrapper.k": 5, "prefilter.keep": 4}
    spec = RunSpec.make(planted, method=clashing, wrapper="nn", settings=settings, seed=9)
    assert spec.method_settings["folds"] == 3
    assert spec.measuring.folds == 5
    assert (spec.measuring.repeats, spec.measuring.criterion) == (2, "error")
    assert (spec.wrapper_settings["k"], spec.prefilter.keep, spec.seed) == (5, 4, 9)
    assert RunSpec.model_validate(spec.model_dump()) == spec


def test_the_usual_criterion_is_named_whoever_else_has_a_setting_of_that_name(planted, monkeypatch):
    registry = Registry("method")

    @registry.register("judging", title="Judging", summary="For tests.")
    class Judging(Method):
        criterion: str = setting("mine", title="Criterion", help="Not that of the measurement.")

        def measurements(self, features):
            return 1

    monkeypatch.setitem(METHODS.entries, "judging", registry["judging"])
    for asked, named in (("auto", "error"), ("auc", "auc")):
        spec = RunSpec.make(planted, method="judging", wrapper="nn", settings={"measuring.criterion": asked})
        assert (spec.measuring.criterion, spec.method_settings["criterion"]) == (named, "mine")


@pytest.mark.parametrize("name", ["method.speed", "nobody.folds", "speed"])
def test_unknown_names_are_refused(planted, name):
    with pytest.raises(SettingsError, match="no setting"):
        RunSpec.make(planted, method="bspsa", wrapper="nn", settings={name: 1})


def test_a_value_out_of_bounds_is_refused_with_its_group(planted):
    with pytest.raises(SettingsError, match='"c"'):
        RunSpec.make(planted, method="bspsa", wrapper="nn", settings={"method.c": 3})


def test_every_front_end_asks_for_the_same_spec(planted):
    """Keyword arguments, a settings file and a finished run's own request."""
    asked = {"method": "bspsa", "wrapper": "cart", "seed": 4}
    asked |= {"settings": {"folds": 3, "outer_folds": 4, "search_rows": 40}}
    asked |= {"always": ["feature 1"], "together": [["feature 2", "feature 3"]]}
    spec = RunSpec.make(planted, **asked)
    assert RunRequest.of(spec).resolve(planted) == spec
    assert parsed_settings(settings_text(RunRequest.of(spec)), "it").resolve(planted) == spec
    assert spec.validation.outer_folds == 4
    assert spec.search_rows == 40


def test_what_is_not_said_stays_unsaid():
    request = RunRequest().updated({"seed": 3}).updated({"method": "sfs"})
    assert request.model_fields_set == {"seed", "method"}
    assert request.updated({}) == request


@pytest.mark.parametrize("asked", [{"always": "abc"}, {"together": ["ab"]}, {"together": [["a"], "b"]}])
def test_names_are_lists(planted, asked):
    with pytest.raises(SettingsError, match="expected a list of names"):
        RunSpec.make(planted, **asked)


def test_a_group_that_is_younger_than_a_file_changes_none_of_its_bytes(planted):
    """Projects and bundles without it stay the same; only one that asks for something else says so."""
    usual = RunSpec.make(planted, method="bspsa")
    assert "validation" not in usual.model_dump()
    other = RunSpec.make(planted, method="bspsa", settings={"outer_folds": 3})
    assert RunSpec.model_validate_json(other.model_dump_json()) == other != usual


def test_a_run_goes_on_at_the_pace_that_it_began_with(planted):
    spec = RunSpec.make(planted, method="univariate", wrapper="nn")
    other = spec.model_copy(update={"fits": 40_000})  # as where the model were slow to fit
    assert spec.fits > other.fits
    assert spec.method_at_work() != other.method_at_work()
    assert "fits" not in RunSpec().model_dump()


def test_a_run_goes_on_by_what_its_method_did_before_there_was_a_setting(planted):
    spec = RunSpec.make(planted, method="auto")
    old = {name: value for name, value in spec.method_settings.items() if name != "averaged"}
    assert spec.build_method().averaged
    assert not spec.model_copy(update={"method_settings": old}).build_method().averaged


def test_a_model_that_is_slow_to_fit_is_planned_with_fewer_fits_unless_a_person_says_how_many(planted):
    quick = RunSpec.make(planted, wrapper="GaussianNB")
    slow = RunSpec.make(planted, wrapper="RandomForestClassifier")
    inside = RunSpec.make(planted, wrapper="sklearn", settings={"parameters": "estimator=MLPClassifier()",
                                                               "estimator": "OneVsRestClassifier"})  # fmt: skip
    assert quick.measurements == quick.usual_measurements
    assert slow.measurements == inside.measurements < slow.usual_measurements
    asked = RunSpec.make(planted, wrapper="RandomForestClassifier", settings={"fits": USUAL_FITS})
    assert asked.measurements == asked.usual_measurements == slow.usual_measurements


def test_a_race_of_models_plans_fewer_fits_where_features_are_few_or_classes_many(planted):
    few = RunSpec.make(planted, wrapper="auto")
    fits = [
        planned_fits(few.build_wrapper(), few.measuring, *each) for each in ((20, 2), (100, 2), (100, 8), (5000, 2))
    ]
    assert few.fits == planned_fits(few.build_wrapper(), few.measuring, few.units, 2)
    assert fits[0] == fits[2] < fits[1] < fits[3] == planned_fits(few.build_wrapper(), few.measuring)
    alone = RunSpec.make(planted, wrapper="nn")
    assert planned_fits(alone.build_wrapper(), alone.measuring, 20, 2) == alone.fits


def test_a_search_that_is_no_race_measures_with_one_model_whatever_is_said_of_several(planted):
    asked = RunRequest(method="bspsa", wrapper="auto", settings={"wrapper.models": "simple"})
    spec = asked.resolve(planted)
    assert (spec.wrapper, spec.models) == ("nn", ())
    race = RunRequest(method="auto", settings={"wrapper.models": "simple"}).resolve(planted)
    assert race.wrapper == "auto" and not race.validates_itself
    assert {each.wrapper for each in race.models} == {"logistic", "svm", "nb", "cart"}
    assert race.with_model(race.models[0].name).build_wrapper() == race.models[0].build()


@pytest.mark.parametrize(
    ("wrapper", "method", "outer", "wanted", "folds"),
    [("nn", "bspsa", None, 5, 5), ("nn", "bspsa", 0, 0, 5), ("nn", "bspsa", 3, 3, 3), ("nn", "auto", None, 0, 5)],
)
def test_a_request_says_which_evidence_is_wanted(planted, wrapper, method, outer, wanted, folds):
    request = RunRequest(method=method, wrapper=wrapper, outer=outer, permutations=7)
    spec = request.resolve(planted)
    assert request.wanted(spec) == Wanted(outer=wanted, permutations=7)
    assert spec.validation.outer_folds == folds


@pytest.mark.parametrize(("rows", "features", "usual_from"), [(40, 60, 100), (60, 40, 0)])
def test_linear_models_with_many_features_are_usual_if_features_outnumber_rows(rows, features, usual_from):
    x = np.random.default_rng(0).normal(size=(rows, features))
    names, each = tuple(f"f{place}" for place in range(features)), tuple(map(str, range(rows)))
    table = Dataset("made", np.asfortranarray(x), names, np.arange(rows) % 2, "class", ("a", "b"), each)
    models = {each.name: each for each in RunSpec.make(table).method_at_work().models}
    assert {models["logistic C=1"].usual_from, models["svm cost=0.1"].usual_from} == {usual_from}
    assert models["nn k=1"].usual_from == models["forest"].usual_from == 0
