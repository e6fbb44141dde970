"""Automatic: no model of its own; several compete, each with a few values of the settings that matter."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from fsdesk.messages import joined, mark, message
from fsdesk.settings import Settings, Value, setting
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Task, Wrapper

STAND_IN = "nn"
"""The model of a single measurement where none is named: the paper's first one."""

_LONG, _VERY_LONG = 600, 2000  # rows from which on a kernel machine is slow, and boosting is worth its time on lists
_ENOUGH = 100  # rows below which boosting has too few to learn from
_TUBE = 0.1  # standard deviations by which a regression may err at no cost
_WIDE = 500  # features above which boosted trees take too long for what they gain

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
"""The model of a single measurement where none is named, by what is predicted."""
OF_PAIRS = frozenset({"nn", "nn-survival"})
"""Models that see features which tell something only together."""
SIMPLE = frozenset({"logistic", "svm", "nb", "ridge", "cart", "cox"})
"""Models that a reader can follow: weights, odds, or a small tree."""

USUAL = frozenset({"cox"})
"""Models that are taken unless another one is clearly better: few events tell little of which model is best."""

ROBUST = frozenset({"forest", "boosting", "survival-forest"})
"""Models that features of no use hardly disturb: with all features they do about what they can do with some."""


def _in_units_of(spread: float, values: dict[str, Value]) -> dict[str, Value]:
    """Settings of a support vector regression for numbers that vary so much, to two digits."""
    cost, tube = float(values["cost"]) * spread, _TUBE * spread
    return {**values, "cost": min(1e4, max(1e-4, float(f"{cost:.2g}"))), "epsilon": min(1e6, float(f"{tube:.2g}"))}


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def model_title(name: str) -> str:
    """What a model that competed is called in a sentence, such as "Logistic regression, C 0.1": a message.

    ``name`` is that of the log, see :attr:`Competitor.name`; "" where none competed.
    """
    wrapper, *settings = name.split(" ")
    if wrapper not in WRAPPERS.entries:  # of a newer version
        return name
    entry = WRAPPERS[wrapper]
    symbols = [_symbol(*each.split("=", 1)) for each in settings if not each.startswith("class_weights")]
    return joined(", ", [message(entry.brief), *symbols])


_SYMBOLS = {
    "cost": mark("cost {value:g}"), "shrinkage": mark("shrinkage {value:g}"), "max_depth": mark("depth {value:g}"),
}  # fmt: skip


def _symbol(setting: str, text: str = "") -> str:
    """A setting of a model with its value, in few letters."""
    try:
        value = float(text)
    except ValueError:
        return f"{setting} {text}".strip()
    if setting in _SYMBOLS:
        return message(_SYMBOLS[setting], value=value)
    return message("{setting} {value:g}", setting=setting, value=value)


def is_simple(name: str) -> bool:
    """Whether a model that competed is one that a reader can follow; ``name`` as of :func:`model_title`."""
    return name.partition(" ")[0] in SIMPLE


class Competitor(Settings):
    """A model with its settings, as a run keeps it.

    Attributes
    ----------
    wrapper, settings
        Registered name, and the settings that are not as usual.
    slow
        Whether one fit takes many times as long as one of the others.
    only_all_features
        Whether it competes with all features alone, and not on lists.
    """

    wrapper: str
    settings: dict[str, Any] = Field(default_factory=dict)
    slow: bool = Field(default=False, exclude_if=lambda value: not value)
    only_all_features: bool = Field(default=False, exclude_if=lambda value: not value)

    @property
    def name(self) -> str:
        """What it is called in the log, such as "logistic C=0.1"."""
        return " ".join([self.wrapper, *(f"{name}={_plain(value)}" for name, value in self.settings.items())])

    def build(self) -> Wrapper:
        """The model itself."""
        return WRAPPERS[self.wrapper].build(self.settings)


@WRAPPERS.register(
    "auto",
    title="Automatic (recommended)",
    short="Automatic",
    summary="Models compete on held-out rows: linear ones such as logistic, ridge or Cox regression, whatever suits "
    "the target, nearest neighbours, a forest and others. Features and model of the answer are chosen together.",
    reference="S. Varma and R. Simon, Bias in Error Estimation When Using Cross-Validation for Model Selection, BMC "
    "Bioinformatics 7 (2006)",
)
class Automatic(Wrapper):
    """Models that compete in a race; a method that is no race measures with :data:`STAND_IN`."""

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
        """The models that compete on a table of so many rows and features.

        Parameters
        ----------
        needs
            What the criterion judges: models without probabilities do not compete where it needs them.
        balanced
            Whether every class counts as much as another.
        spread
            Standard deviation of the numbers to predict, in which costs and tubes of regression are meant.
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
            # Where rows are few, trees that are boosted seldom gain by a list, and take most of the time on one.
            alone = name == "boosting" and rows < _LONG
            made.append(Competitor(wrapper=name, settings={**scaled, **weights}, slow=slow, only_all_features=alone))
        return tuple(made)

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Some of them are, and searches go by these."""
        return scaler == "z-score"

    def bind(self, design: Design) -> Predictor:
        """Of a single measurement: the stand-in."""
        return WRAPPERS[STAND_INS[design.task or "classification"]].build({}).bind(design)
