"""Any scikit-learn estimator as a wrapper: by class name with its parameters, or an instance."""

import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from fsdesk.errors import SettingsError, WrapperError
from fsdesk.kernels import _core
from fsdesk.settings import Value, setting
from fsdesk.wrappers import handed_over
from fsdesk.wrappers.fitting import FoldModels, Model
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper
from fsdesk.wrappers.written import (
    Call,
    Equivalent,
    arguments_of,
    arguments_read,
    as_code,
    homes,
    model_named,
    unfitted,
)

# Classes made of many models, or trained in many steps: a fit usually takes a tenth of a second or more. They are
# identified by name, because measured times would differ from run to run.
_SLOW = re.compile(r"Forest|ExtraTrees|Boost|Bagging|Voting|Stacking|MLP|GaussianProcess|Calibrated|SelfTraining|CV\b")

ONE_AT_A_TIME = threading.Lock()
"""For LIBLINEAR and LIBSVM fits that draw random numbers: all threads of a process share their generator."""


class _OneThread:
    """Limits libraries to one thread, because fsdesk's own threads share the processor.

    Limits apply to libraries already loaded, and a model may have loaded others since: the libraries are looked up
    again whenever modules were imported.
    """

    def __init__(self) -> None:
        self._lock, self._modules = threading.Lock(), 0
        self._libraries: ThreadpoolController | None = None

    def __call__(self) -> AbstractContextManager[object]:
        with self._lock:
            if self._libraries is None or len(sys.modules) != self._modules:
                self._libraries, self._modules = ThreadpoolController(), len(sys.modules)
            limited: AbstractContextManager[object] = self._libraries.limit(limits=1)
            return limited


class _Quiet:
    """Number of threads that suppress warnings: the filter is global to the process, so the last thread restores it."""

    def __init__(self) -> None:
        self._lock, self._threads, self._undo = threading.Lock(), 0, ExitStack()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if not self._threads:
                self._undo.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
            self._threads += 1
        try:
            yield
        finally:
            with self._lock:
                self._threads -= 1
                if not self._threads:
                    self._undo.close()


without_warnings = _Quiet()
"""A context, for any thread, that suppresses warnings; users cannot act on those of scikit-learn."""

on_one_thread = _OneThread()
"""A context, for any thread, in which scikit-learn and the libraries that it uses compute on that thread alone."""


@WRAPPERS.register(
    "sklearn",
    title="scikit-learn model",
    summary="Any scikit-learn classifier or regressor, by class name. Each fold trains a new model, so a measurement "
    "takes 50 fits by default: tens to thousands of times longer than the models above. Only compiled parts "
    "of scikit-learn use several cores.",
    reference="F. Pedregosa et al., Scikit-learn: Machine Learning in Python, JMLR 12 (2011)",
)
class Estimator(Wrapper):
    """Clone, fit and predict for each fold; every unset ``random_state``, including those of parts, is 0."""

    tasks = frozenset({"classification", "regression"})
    gives = "probabilities"
    is_borrowed = True

    estimator: str = setting(
        "RandomForestClassifier",
        title="Class",
        help="Name of a scikit-learn class, such as RandomForestClassifier or GradientBoostingRegressor.",
        source="a forest is a good first choice on many tables",
    )
    parameters: str = setting(
        "",
        title="Parameters",
        help='Parameters of the class in Python syntax, such as "n_estimators=50, max_depth=3"; nested models are '
        'possible: "estimator=SVC(C=2)".',
        source="scikit-learn's own defaults",
    )

    def build(self) -> Any:
        """A new estimator; SettingsError if class or parameters are invalid."""
        from sklearn.base import is_classifier

        if self._is_foreign():
            return handed_over.fresh(self.estimator, self.parameters)
        kind = model_named(self.estimator)
        given = arguments_read(kind, self.parameters)
        try:
            made = kind(**given)
            for name, value in made.get_params().items():
                if value is None and name.rpartition("__")[2] == "random_state":
                    made.set_params(**{name: 0})
            is_classifier(made), hasattr(made, "predict_proba")  # invalid combinations fail here
        except (TypeError, ValueError, AttributeError, LookupError) as error:
            reason = str(error).splitlines()[0].split(". ")[0]
            raise SettingsError(
                'Setting "parameters": {estimator} reports "{reason}".', estimator=self.estimator, reason=reason
            ) from None
        return made

    def called(self) -> str:
        """The name of the scikit-learn class."""
        return self.estimator.rpartition(".")[2]

    def _is_foreign(self) -> bool:
        """Whether a script passed the model as an object."""
        return handed_over.is_foreign(self.estimator)

    def _is_absent(self) -> bool:
        """Whether the model was passed by a script in another process, and is therefore not available here."""
        return self._is_foreign() and not handed_over.is_known(self.estimator, self.parameters)

    def fits_slowly(self) -> bool:
        """Whether the name of the class, or of one of its parts, is that of a slow model."""
        return _SLOW.search(f"{self.estimator}({self.parameters})") is not None

    def can_predict(self, task: Task) -> bool:
        """Whether it predicts this kind of target, as declared by the scikit-learn class."""
        from sklearn.base import is_classifier, is_regressor

        if self._is_absent():
            return True
        made = self.build()
        if not hasattr(made, "__sklearn_tags__"):
            return task == "classification" or not self.scores_are()
        return bool(is_classifier(made) if task == "classification" else is_regressor(made))

    def scores_are(self) -> Literal["probabilities", "decisions"] | None:
        """Probabilities if the class provides them, otherwise decision values."""
        if self._is_absent():
            return None
        made = self.build()
        if hasattr(made, "predict_proba"):
            return "probabilities"
        return "decisions" if hasattr(made, "decision_function") else None

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        made = self.build()
        if self._is_foreign():
            return Equivalent(handed_over.HandedOver.of(made, classes), handed_over.NOTE)
        module, name = next(homes(made))
        return Equivalent(Call(module, name, arguments_of(made)))

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        return bound_estimator(design, self.build())


def bound_estimator(design: Design, made: Any) -> Predictor:
    """A predictor that trains clones of an estimator."""
    train = partial(trained, made, alone=_draws_from_one_generator(made))
    return FoldModels(design, train, decisions=not hasattr(made, "predict_proba"))


def _draws_from_one_generator(made: Any) -> bool:
    """Whether a model or one of its parts uses the random numbers of LIBLINEAR or LIBSVM."""
    parts = [made, *(made.get_params().values() if hasattr(made, "get_params") else ())]
    names = {type(each).__name__ for each in parts}
    calibrates = any(type(each).__name__ == "CalibratedClassifierCV" and each.estimator is None for each in parts)
    return (
        calibrates  # a LinearSVC
        or not names.isdisjoint({"LinearSVC", "LinearSVR"})
        or any(getattr(each, "solver", None) == "liblinear" for each in parts)
        or any(getattr(each, "probability", False) is True for each in parts)
    )


def estimator_values(instance: Any) -> dict[str, Value]:
    """The settings that represent an instance; SettingsError if a parameter cannot be written as text."""
    _, name = next(homes(instance))
    model_named(name)
    given = arguments_of(instance)
    return {"estimator": name, "parameters": ", ".join(f"{word}={as_code(value)}" for word, value in given.items())}


class _Trained:
    """The trained model of one fold."""

    def __init__(self, fitted: Any) -> None:
        self.fitted = fitted

    def predict(self, x: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.asarray(self._of_rows(_asked(self.fitted.predict, x), len(x)), dtype=np.int64)

    def scores(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        ask = self.fitted.predict_proba if hasattr(self.fitted, "predict_proba") else self.fitted.decision_function
        said = np.asarray(_asked(ask, x), dtype=np.float64)
        if said.ndim == 2 and len(said) == len(x):
            return said
        said = self._of_rows(said, len(x))
        return np.column_stack([-said, said])

    def values(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self._of_rows(_asked(self.fitted.predict, x), len(x)), dtype=np.float64)

    def _of_rows(self, said: Any, rows: int) -> NDArray[Any]:
        """The predictions as (rows,) values, because some models return them as a column."""
        found = np.asarray(said)
        if found.size != rows:
            raise WrapperError(
                "{owner} predicted {found} values for {rows} rows. Correct its predict, or choose another wrapper.",
                owner=type(self.fitted).__name__, found=found.size, rows=rows,
            )  # fmt: skip
        return found.reshape(rows)


def trained(made: Any, x: NDArray[np.float64], y: NDArray[np.generic], *, alone: bool = False) -> Model:
    """A trained clone of an estimator; WrapperError on failure. With ``alone``, it waits for other such fits to end.

    A run can be stopped between two fits, which may take seconds each.
    """
    _core.give_up_if_asked()
    with ONE_AT_A_TIME if alone else nullcontext():
        own = unfitted(made)
        _asked(own.fit, x, y)
        return _Trained(own)


def _asked(work: Callable[..., Any], *arguments: object) -> Any:
    """Call scikit-learn; exceptions become one sentence, and warnings are suppressed."""
    try:
        with without_warnings(), on_one_thread(), np.errstate(all="ignore"):
            said = work(*arguments)
    except Exception as error:  # any exception: a search over thousands of subsets must continue
        owner = type(getattr(work, "__self__", work)).__name__
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise WrapperError(
            "{owner} could not be trained on these features ({reason}). Change its parameters or choose another "
            "wrapper.",
            owner=owner,
            reason=reason,
        ) from error
    if isinstance(said, np.ndarray) and not np.isfinite(said).all():
        raise WrapperError(
            "The model predicted values that are not numbers. Change its parameters or choose another wrapper."
        )
    return said
