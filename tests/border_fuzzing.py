"""Mutated arguments for every kernel: `python -m tests.border_fuzzing --calls 3000 [--seed 0] [--only nn_errors ...]`.

Arguments that fit one another are made for each function of ``fsdesk.kernels._core``, and then some of them change: in
shape, labels, numbers, type, threads. The answer must be a result, a ValueError or a TypeError, within `SECONDS` once
it is asked to stop. The last line of a process that dies names the call at fault, and `--seed S --only NAME --calls 1`
repeats it. `python packaging/sanitize.py border` does the same under AddressSanitizer.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fsdesk.kernels import _core

SECONDS = 5.0
"""So long a call may go on after it was asked to stop, on a busy machine."""

FUNCTIONS = sorted(
    {name for name in dir(_core) if hasattr(getattr(_core, name), "__nb_signature__")} - {"give_up_when"}
)
FUNCTIONS.append("C45Table")
ARRAY = re.compile(r"ndarray\[dtype=(\w+)(?:, shape=\(([^)]*)\)|, order)")
REALS = (
    np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 1e-320, 5e-324, -1e-300, 1e300, 1.7976931348623157e308,
    -1.7976931348623157e308, 1e16, 2.0**31, 2.0**63,
)  # fmt: skip
WHOLES = (
    0, 1, -1, -2, -3, 2, 3, 7, 255, 1023, 1024, 1025, 32767, 32768, 2**20, 2**20 + 1, 2**31 - 1, 2**31, 2**32, 2**40,
    2**62, 2**63 - 1, -(2**31), -(2**63), 2**64,
)  # fmt: skip
WORDS = ("", "fold", "once", "none", "z-score", "min-max", "robust", "hinge", "gini", "entropy", "variance", "x" * 1000)


def parameters(name: str) -> Iterator[tuple[str, str, tuple[str, int] | None, bool]]:
    """Name, type, dtype and dimensions where it is an array, and whether it can be left out, of each parameter.

    0 dimensions: one or two of them.
    """
    function = _core.C45Table.__init__ if name == "C45Table" else getattr(_core, name)
    signature = function.__nb_signature__[0][0]
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    for part in re.split(r", (?:\*, )?(?=\w+: )", inside):
        word, _, kind = part.partition(": ")
        if not word or (word.partition(",")[0] == "self" and not kind):  # a function of no parameters
            continue
        word = word.removeprefix("self, ")
        array = ARRAY.search(kind)
        shape = (array[1], (array[2] or "").count("*")) if array else None
        yield word, kind.partition(" ")[0], shape, " = " in kind


class World:
    """A small table with masks, folds and whatever kernels want to know of it; sizes are drawn anew for each."""

    def __init__(self, rng: np.random.Generator, name: str) -> None:
        self.rng, self.name = rng, name
        self.p, self.n = int(rng.integers(1, 7)), int(rng.integers(4, 26))
        self.classes, self.folds = int(rng.integers(1, 5)), int(rng.integers(1, 5))
        self.repeats, self.masks, self.splits, self.k = (int(rng.integers(1, 4)) for _ in range(4))
        columns = rng.normal(size=(self.p, self.n)) * 10.0 ** rng.integers(-3, 4)
        self.columns = columns if rng.random() < 0.5 else np.round(columns)
        members = [np.sort(rng.permutation(self.p)[: rng.integers(1, self.p + 1)]) for _ in range(self.masks)]
        self.chosen = np.concatenate(members)
        self.offsets = np.cumsum([0, *map(len, members)])
        self.gaps = rng.random(self.p) < 0.3
        self.learns, self.distance = bool(rng.integers(2)), int(rng.integers(3))
        self.learns = self.learns and self.distance == 0
        self.regression = name == "svm_decisions" and rng.random() < 0.3
        self.classes = 1 if self.regression else self.classes
        self.impurity = ("gini", "entropy", "variance")[
            rng.integers(3 if name in ("cart_predictions", "cart_tree") else 2)
        ]

    @property
    def fits(self) -> int:
        return self.repeats * self.folds

    def filled(self) -> int:
        return int(self.gaps[self.chosen].sum())

    def array(self, word: str, dims: int) -> Any:
        """What fits the parameter of this name; numbers at random for one that is not known."""
        rng, p, n = self.rng, self.p, self.n
        many = len(self.chosen)
        given = int((self.gaps[self.chosen] | (not self.learns)).sum())
        weights = (given, self.fits)
        family = self.name.partition("_")[0]
        made: dict[str, Callable[[], Any]] = {
            "hashed": lambda: rng.integers(0, 2**63, 5),
            "numbers": lambda: rng.integers(0, 100, self.masks),
            "target": lambda: rng.integers(0, self.classes, n),
            "predicted": lambda: rng.integers(0, self.classes, (self.repeats, n)),
            "scores": lambda: np.round(rng.random((self.repeats, n, self.classes)), 1),
            "neighbours": lambda: rng.integers(-1, n, (n, self.repeats, self.k)),
            "distances": lambda: np.abs(rng.normal(size=(n, self.repeats, self.k))),
            "response": lambda: self._response(),
            "columns": lambda: self.columns,
            "raw": lambda: self.columns,
            "levels": lambda: np.zeros(p),
            "chosen": lambda: self.chosen if self.offsets_are_taken() else np.sort(rng.permutation(p)[: self.masks]),
            "features": lambda: self.chosen,
            "offsets": lambda: self.offsets,
            "splits": lambda: self._labels((self.splits, n), 1),
            "split_of": lambda: rng.integers(0, self.splits, self.masks),
            "folds_of": lambda: rng.integers(0, self.splits, self.masks),
            "labels": lambda: self._labels(
                (self.splits, self.repeats, n)[-dims:], folds=1 if dims == 1 else self.folds
            ),
            "once": lambda: np.zeros(many if family == "bayes" else p),
            "unit": lambda: np.ones(many),
            "has_gaps": lambda: self.gaps,
            "group": lambda: np.arange(p),
            "nominal": lambda: np.zeros(p),
            "order": lambda: _core.cart_order(self.columns, np.zeros(p)),
            "known": lambda: np.array([np.zeros(p), np.ones(p), np.zeros(p), np.zeros(p)]),
            "location": lambda: rng.normal(size=weights if self.distance == 2 else (0, 0)),
            "states": lambda: rng.integers(1, 2**32, self.masks),
            "counts": lambda: rng.integers(0, 20, self.classes),
            "gram": lambda: self._gram(),
            **{name: lambda: rng.normal(size=n) for name in ("y", "start")},
            **{name: lambda: np.zeros(n) for name in ("low", "ridge")},
            **{name: lambda: np.ones(n) for name in ("high", "rate")},
            "penalty": lambda: np.ones(p),
            "pull": lambda: np.zeros(p + 1),
            "mean": lambda: np.zeros(self.masks if not self.offsets_are_taken() else many),
            "deviation": lambda: np.ones(self.masks if not self.offsets_are_taken() else many),
            "stop": lambda: np.zeros(1),
        }
        if self.name.endswith("_fits") and (fitting := self._of_single_fits(word)) is not None:
            return fitting
        if self.name == "survival_forest" and word in ("train", "test", "most"):
            return (
                np.ones(len(self.offsets) - 1) if word == "most" else rng.normal(size=(p, n if word == "train" else 4))
            )
        if word == "fill":
            if dims == 1:
                return rng.normal(size=many)
            if self.name == "training_scales":
                return np.zeros((1, len(self._chosen_alone)))
            if self.name == "cart_tree":
                return rng.normal(size=(int(self.gaps.sum()), 1))
            return rng.normal(size=(many if family == "bayes" else self.filled(), self.fits))
        if self.name in ("concordances", "cox_residuals") and word in ("risks", "f", "weights"):
            return np.round(np.abs(rng.normal(size=(self.repeats, n) if word == "risks" else n)), 1)
        if self.name.startswith("survival_") and word == "weights":
            return np.abs(rng.normal(size=(n, 3)))
        if word == "weights":
            return np.abs(rng.normal(size=weights)) if dims == 2 else np.ones((n, self.repeats, self.k))
        if word in ("chosen", "mean", "deviation") and not self.offsets_are_taken():
            return self._chosen_alone if word == "chosen" else np.ones(len(self._chosen_alone))
        if word in made:
            return made[word]()
        return rng.integers(0, 3, (p, n, self.repeats, self.classes)[:dims])

    def happened(self) -> Any:
        """What happened to rows, which half of the time came under observation late."""
        y = np.round(self.rng.normal(size=self.n), 1)
        late = np.abs(y) - np.round(self.rng.random(self.n) + 0.1, 1)
        return y if self.rng.random() < 0.5 else np.stack([y, late], axis=1)

    def _of_single_fits(self, word: str) -> Any:
        """What fits a parameter of kernels that train once on each of several subsets; None for others."""
        rng = self.rng
        own: dict[str, Callable[[], Any]] = {
            "train": lambda: rng.normal(size=(self.p, self.n)),
            "test": lambda: rng.normal(size=(self.p, 4)),
            "responses": lambda: rng.normal(size=(2, self.n)),
            "most": lambda: np.ones(len(self.offsets) - 1),
            **{name: lambda: np.array([0.5, 1.0]) for name in ("costs", "gammas", "alphas", "shrinkages")},
        }
        if self.name == "ridge_fits":
            own["weights"] = lambda: np.ones(self.n)
        if self.name in ("logistic_fits", "discriminant_fits"):
            own["y"] = lambda: rng.integers(0, self.classes, self.n)
        if self.name == "svm_fits":
            own["labels"] = lambda: np.where(np.arange(self.n) % 3, -1, 0)[None, None]
        if self.name in ("forest_fits", "radial_fits", "svm_fits"):
            own["response"] = lambda: np.empty(0)
        return own[word]() if word in own else None

    @property
    def _chosen_alone(self) -> Any:
        return np.arange(self.p)

    def offsets_are_taken(self) -> bool:
        return any(word == "offsets" for word, *_ in parameters(self.name))

    def _response(self) -> Any:
        wanted = self.regression or self.impurity == "variance" or self.name == "averages"
        return self.rng.normal(size=self.n if wanted else 0)

    def _labels(self, shape: tuple[int, ...], folds: int) -> Any:
        labels = self.rng.integers(-1 if folds == 1 else 0, folds, shape)
        labels[self.rng.random(shape) < 0.05] = -2
        labels[..., 0], labels[..., 1] = -1 if folds == 1 else 0, 0
        return labels

    def _gram(self) -> Any:
        return self.columns.T @ self.columns

    def scalar(self, word: str, kind: str) -> Any:
        """What fits a parameter that is no array."""
        known: dict[str, Any] = {
            "folds": self.folds, "classes": self.classes, "repeats": self.repeats, "threads": 1, "k": self.k,
            "distance": self.distance, "learns": self.learns, "number": 3, "count": 5, "most": 20, "smoothing": 1e-9,
            "impurity": self.impurity, "max_depth": 0, "min_leaf": 1, "min_split": 2, "gap": 1e-5, "min_rows": 2.0,
            "confidence": 0.25, "quantile": 0.6745, "scaling": "fold", "scaler": "z-score", "loss": "hinge",
            "cost": 1.0, "epsilon": 0.1, "tolerance": 1e-3, "shift": 0.0, "size": 1.0, "sigma": 1.0, "growth": 2.0,
            "has_bias": True,
            "numbers": self.impurity == "variance" or bool(self.rng.integers(2)), "balanced": False,
        }  # fmt: skip
        if word in known:
            return known[word]
        return {"int": 1, "float": 1.0, "bool": bool(self.rng.integers(2)), "str": "fold"}[kind]

    def table(self) -> Any:
        """A table of C4.5."""
        return _core.C45Table(**arguments("C45Table", self))


def arguments(name: str, world: World) -> dict[str, Any]:
    """Arguments of a function that fit one another."""
    made: dict[str, Any] = {}
    for word, kind, shape, _ in parameters(name):
        if word == "table":
            made[word] = world.table()
        elif shape is None:
            made[word] = world.scalar(word, kind)
        else:
            given = world.array(word, shape[1]) if shape[1] else world.happened()
            made[word] = np.ascontiguousarray(given, dtype=shape[0])
    return made


def mutated(given: dict[str, Any], rng: np.random.Generator) -> None:
    """Change one argument, in place."""
    words = [each for each in given if each != "table"]
    if not words:
        return
    word = str(rng.choice(words))
    value = given[word]
    if isinstance(value, np.ndarray):
        given[word] = _array(value, rng)
    elif isinstance(value, bool):
        given[word] = bool(rng.integers(2))
    elif isinstance(value, int):
        given[word] = WHOLES[rng.integers(len(WHOLES))] if word != "threads" else int(rng.choice([-1, 0, 1, 2, 3, 64]))
    elif isinstance(value, float):
        given[word] = REALS[rng.integers(len(REALS))]
    elif isinstance(value, str):
        given[word] = WORDS[rng.integers(len(WORDS))]
    if rng.random() < 0.02:
        given[word] = (None, [], "x", np.zeros(3), np.zeros((2, 2), dtype=np.float32), 1.5)[rng.integers(6)]


def _array(value: Any, rng: np.random.Generator) -> Any:
    """An array with another shape, other values, another type or another order."""
    way, made = rng.integers(10), value.copy()
    if way < 6 and made.size:  # some or all of its values
        bounds = np.iinfo(made.dtype) if made.dtype.kind in "iu" else None
        places = rng.integers(0, made.size, int(rng.choice([1, 2, made.size])))
        for place in places:
            drawn = REALS[rng.integers(len(REALS))] if bounds is None else WHOLES[rng.integers(len(WHOLES))]
            drawn = drawn if bounds is None else min(max(drawn, bounds.min), bounds.max)
            made.reshape(-1)[place] = drawn
        return made
    axis = int(rng.integers(made.ndim))
    if way == 6:
        return np.ascontiguousarray(np.delete(made, 0, axis)) if made.shape[axis] else made
    if way == 7:
        grown = np.concatenate([made, made[(slice(None),) * axis + (slice(0, 1),)]], axis)
        return np.ascontiguousarray(grown)
    if way == 8:
        shape = list(made.shape)
        shape[axis] = int(rng.choice([0, 1, 2, 40]))
        return np.zeros(shape, made.dtype)
    return (made[..., ::-1], made.T, made.astype(np.float32), made.astype(np.int16), made[..., None])[rng.integers(5)]


def called(name: str, seed: int, *, changes: int | None = None) -> str:
    """Call a function with arguments of a seed; return how it ended.

    Raises
    ------
    AssertionError
        Where it raised what it may not, or went on though it was asked to stop.
    """
    rng = np.random.default_rng([seed, FUNCTIONS.index(name)])
    world = World(rng, name)
    with np.errstate(all="ignore"):
        given = arguments(name, world)
        for _ in range(int(rng.integers(0, 4)) if changes is None else changes):
            mutated(given, rng)
    start = time.process_time()
    _core.give_up_when(lambda: time.process_time() - start > 0.3)
    try:
        getattr(_core, name)(**given)
        ended = "result"
    except (ValueError, TypeError, MemoryError) as error:
        ended = type(error).__name__
        assert str(error) or ended == "MemoryError", "an error without a sentence"
    except _core.Stopped:
        ended = "stopped"
    finally:
        _core.give_up_when(None)
    seconds = time.process_time() - start
    assert seconds < SECONDS, f"{seconds:.1f} s, though it was asked to stop"
    return ended


def main() -> int:
    """Call every function so often; the last line that a process that died has written is the call at fault."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=3000, help="of each function")
    parser.add_argument("--seed", type=int, default=0, help="of the first call")
    parser.add_argument("--only", nargs="*", default=FUNCTIONS, metavar="NAME")
    asked = parser.parse_args()
    for name in asked.only:
        for seed in range(asked.seed, asked.seed + asked.calls):
            sys.stdout.write(f"{name} --seed {seed}\n")
            sys.stdout.flush()
            called(name, seed)
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
