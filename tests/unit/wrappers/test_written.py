import pytest
from sklearn import model_selection
from sklearn.utils import all_estimators

from fsdesk.errors import SettingsError
from fsdesk.wrappers.written import model_named

OF_SEVERAL_TARGETS = {"ClassifierChain", "MultiOutputClassifier", "MultiOutputRegressor", "RegressorChain"}


@pytest.mark.parametrize("kind", ["classifier", "regressor"])
def test_every_model_of_one_target_is_known_by_its_name(kind):
    for name, model in all_estimators(kind):
        if name not in OF_SEVERAL_TARGETS:
            assert model_named(name) is model


@pytest.mark.parametrize("name", [*sorted(OF_SEVERAL_TARGETS), "StandardScaler", "train_test_split", "os"])
def test_what_predicts_no_single_target_is_refused(name):
    with pytest.raises(SettingsError, match=r"has no single-target model"):
        model_named(name)


def test_what_scikit_learn_calls_experimental_is_refused(monkeypatch):
    """As in a process where nothing has enabled it; `all_estimators` does."""
    monkeypatch.delitem(vars(model_selection), "HalvingGridSearchCV", raising=False)
    with pytest.raises(SettingsError, match=r"has no single-target model"):
        model_named("HalvingGridSearchCV")
