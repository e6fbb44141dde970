"""Automatic: not a model itself, but several competing models, each with a few values of its important settings."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from fsdesk.messages import joined, mark, message
from fsdesk.settings import Settings, Value, setting
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Task, Wrapper

STAND_IN = "nn"
"""The model of a single measurement if none is named: the paper's first one."""

_LONG, _VERY_LONG = 600, 2000  # rows from which kernel machines are slow, and boosting is worth its time on rankings
_ENOUGH = 100  # rows below which boosting has too few to learn from
_TUBE = 0.1  # tube width of a regression, in standard deviations
_WIDE = 500  # features above which boosted trees take too long for their benefit
_BOOSTED_REPEATS = 2  # repeats when a result with boosted trees is measured: ten would take longer than the whole race
_BINS = 63  # per feature; enough for boosted trees with few rows, and three times as fast as 255

_Grid = Sequence[tuple[str, dict[str, Value]]]

_CLASSES: _Grid = (
    ("logistic", {"C": 0.01}),
    ("logistic", {"C": 0.1}),
    ("logistic", {"C": 1.0}),
    ("logistic", {"C": 10.0}),
    ("svm", {"cost": 0.1}),
    ("svm", {"cost": 1.0}),
    ("lda", {"shrinkage": 0.1}),
    ("lda", {"shrinkage": 0.5}),
    ("lda", {"shrinkage": 0.9}),
    ("nn", {"k": 1}),
    ("nn", {"k": 5}),
    ("nb", {}),
    ("svm-rbf", {"cost": 1.0}),
    ("svm-rbf", {"cost": 10.0}),
    ("svm-rbf", {"cost": 10.0, "gamma": 0.25}),
    ("forest", {}),
    ("boosting", {}),
    ("cart", {"max_depth": 3}),
)
_NUMBERS: _Grid = (
    ("ridge", {"alpha": 0.1}),
    ("ridge", {"alpha": 1.0}),
    ("ridge", {"alpha": 10.0}),
    ("ridge", {"alpha": 100.0}),
    ("ridge", {"alpha": 1000.0}),
    ("nn", {"k": 5}),
    ("nn", {"k": 15}),
    ("svm-rbf", {"cost": 1.0}),
    ("svm-rbf", {"cost": 10.0}),
    ("forest", {}),
    ("boosting", {}),
    ("cart", {"max_depth": 3}),
)
_TIMES: _Grid = (
    ("cox", {"alpha": 1.0}),
    ("cox", {"alpha": 10.0}),
    ("cox", {"alpha": 100.0}),
    ("cox", {"alpha": 1000.0}),
    ("nn-survival", {"k": 10}),
    ("nn-survival", {"k": 30}),
    ("survival-forest", {}),
)
_GRIDS: Mapping[Task, _Grid] = {"classification": _CLASSES, "regression": _NUMBERS, "survival": _TIMES}
STAND_INS: Mapping[Task, str] = {"classification": "nn", "regression": "nn", "survival": "cox"}
"""The model of a single measurement if none is named, by kind of target."""
OF_PAIRS = frozenset({"nn", "nn-survival"})
"""Models that use interactions between features."""
SIMPLE = frozenset({"logistic", "svm", "nb", "ridge", "cart", "cox"})
"""Interpretable models: weights, odds, or a small tree."""

USUAL = frozenset({"cox"})
"""Models preferred unless another one is clearly better: few events tell little about which model is best."""
_SAFEST = frozenset({"logistic", "svm"})  # models for new rows if features outnumber rows, given enough of them
_SAFEST_FROM = 100

ROBUST = frozenset({"forest", "boosting", "survival-forest"})
"""Models robust to irrelevant features: they do about as well with all features as with a selection."""


def _in_units_of(spread: float, values: dict[str, Value]) -> dict[str, Value]:
    """Settings of a support vector regression, scaled by the spread of the target and rounded to two digits."""
    cost, tube = float(values["cost"]) * spread, _TUBE * spread
    return {**values, "cost": min(1e4, max(1e-4, float(f"{cost:.2g}"))), "epsilon": min(1e6, float(f"{tube:.2g}"))}


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def model_title(name: str) -> str:
    """The title of a competing model in a sentence, such as "Logistic regression, C 0.1": a message.

    ``name`` is the name in the log, see :attr:`Competitor.name`; "" if there was no competition.
    """
    wrapper, *settings = name.split(" ")
    if wrapper not in WRAPPERS.entries:  # from a newer version
        return name
    entry = WRAPPERS[wrapper]
    symbols = [_symbol(*each.split("=", 1)) for each in settings if not each.startswith("class_weights")]
    return joined(", ", [message(entry.brief), *symbols])


_FORMER = mark("Nearest neighbours"), mark("Survival neighbours")  # in logs of older versions

_SYMBOLS = {
    "cost": mark("cost {value:g}"), "shrinkage": mark("shrinkage {value:g}"), "max_depth": mark("depth {value:g}"),
}  # fmt: skip


def _symbol(setting: str, text: str = "") -> str:
    """A setting of a model with its value, abbreviated."""
    try:
        value = float(text)
    except ValueError:
        return f"{setting} {text}".strip()
    if setting in _SYMBOLS:
        return message(_SYMBOLS[setting], value=value)
    return message("{setting} {value:g}", setting=setting, value=value)


def is_simple(name: str) -> bool:
    """Whether a competing model is interpretable; ``name`` as in :func:`model_title`."""
    return name.partition(" ")[0] in SIMPLE


class Competitor(Settings):
    """A model with its settings, as stored by a run.

    Attributes
    ----------
    wrapper, settings
        Registered name, and the settings that differ from the defaults.
    slow
        Whether one fit takes many times as long as with other models.
    only_all_features
        Whether it competes only with all features, not with rankings.
    most_repeats
        Most repeats of the cross-validation in which a result with it is measured; 0: all.
    usual_from
        Number of features from which it is preferred unless another candidate is clearly better; 0: never.
    """

    wrapper: str
    settings: dict[str, Any] = Field(default_factory=dict)
    slow: bool = Field(default=False, exclude_if=lambda value: not value)
    only_all_features: bool = Field(default=False, exclude_if=lambda value: not value)
    most_repeats: int = Field(default=0, ge=0, exclude_if=lambda value: not value)
    usual_from: int = Field(default=0, ge=0, exclude_if=lambda value: not value)

    @property
    def name(self) -> str:
        """The name in the log, such as "logistic C=0.1"."""
        return " ".join([self.wrapper, *(f"{name}={_plain(value)}" for name, value in self.settings.items())])

    def build(self) -> Wrapper:
        """The model itself."""
        return WRAPPERS[self.wrapper].build(self.settings)


@WRAPPERS.register(
    "auto",
    title="Automatic (recommended)",
    short="Automatic",
    summary="Models compete on held-out rows: linear ones such as logistic, ridge or Cox regression, depending on "
    "the target, nearest neighbors, a forest and others. Features and model are chosen together.",
    reference="S. Varma and R. Simon, Bias in Error Estimation When Using Cross-Validation for Model Selection, BMC "
    "Bioinformatics 7 (2006)",
)
class Automatic(Wrapper):
    """Models that compete in a race; other methods measure with :data:`STAND_IN`."""

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression", "survival"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"
    competes: ClassVar[bool] = True

    models: Literal["all", "simple"] = setting(
        "all",
        title="Models",
        help="Which models compete. Simple ones can be written down: logistic regression, linear support vector "
        "machine, naive Bayes or a small tree; ridge regression or a small tree for numbers; Cox regression "
        "for event times.",
        source="which model is best depends on the table, and only held-out rows can tell",
        choices={"all": "All", "simple": "Simple ones"},
    )

    def competitors(
        self,
        task: Task,
        rows: int,
        features: int,
        needs: str = "classes",
        *,
        balanced: bool = False,
        spread: float = 1.0,
    ) -> tuple[Competitor, ...]:
        """The models that compete on a table with this many rows and features.

        Parameters
        ----------
        needs
            What the criterion scores: models without probabilities do not compete if it needs them.
        balanced
            Whether all classes have equal weight.
        spread
            Standard deviation of the numeric target, the unit of regression costs and tubes.
        """
        made = []
        for name, values in _GRIDS[task]:
            if self.models == "simple" and name not in SIMPLE:
                continue
            model = WRAPPERS[name].model
            if name == "boosting" and (rows < _ENOUGH or features > _WIDE):
                continue
            if needs == "probabilities" and model.gives != "probabilities":
                continue
            weights = {"class_weights": "balanced"} if balanced and "class_weights" in model.model_fields else {}
            slow = name in ("forest", "boosting", "survival-forest") or (name == "svm-rbf" and rows >= _LONG)
            slow |= name in ("svm", "nn") and rows >= _VERY_LONG
            scaled = _in_units_of(spread, values) if task == "regression" and name == "svm-rbf" else values
            # With few rows, boosted trees seldom gain from a ranking, and take most of the time on one.
            boosted, alone = name == "boosting", name == "boosting" and rows < _LONG
            binned = {"bins": _BINS} if boosted and rows < _VERY_LONG else {}
            settings, repeats = {**scaled, **binned, **weights}, _BOOSTED_REPEATS if boosted else 0
            usual_from = _SAFEST_FROM if name in _SAFEST and features > rows else int(name in USUAL)
            made.append(
                Competitor(
                    wrapper=name,
                    settings=settings,
                    slow=slow,
                    only_all_features=alone,
                    most_repeats=repeats,
                    usual_from=usual_from,
                )
            )
        return tuple(made)

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Yes: some of the models do, and searches use these."""
        return scaler == "z-score"

    def bind(self, design: Design) -> Predictor:
        """Bind the stand-in model, which is used for single measurements."""
        return WRAPPERS[STAND_INS[design.task or "classification"]].build({}).bind(design)
