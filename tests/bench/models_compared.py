"""How well features and model chosen together predict, beside what a user would do instead.

`python tests/bench/models_compared.py FILE.jsonl`. On every table and the very same outer folds: `auto` and single
filters, each with its own best model and size by inner folds, and all features with each plain model of scikit-learn
(C of the linear ones and of the RBF machine by three inner folds). Each fold that is done is a line of the file, and a
second call goes on where the first one ended; `--show` prints the table of what is there.
"""

import argparse
import json
import os
import time
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import methods_compared
import numpy as np
from methods_compared import lines, show
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import mean_squared_error, roc_auc_score, zero_one_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

import fsdesk
from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.measure.resamples import Resamples
from fsdesk.results.evidence import OuterFold
from fsdesk.results.outer import outer_steps

FOLDS = 5
SEARCHED = ("auto", "univariate", "mrmr", "l1", "forest", "relieff")
COSTS = [0.01, 0.1, 1.0, 10.0]
WIDE = 5000  # features beyond which boosting is not asked to take all of them


def patients(rng: np.random.Generator) -> Dataset:
    """Forty patients of five rows each; a patient's rows are alike, whatever the class."""
    who = np.repeat(np.arange(40), 5)
    y = (np.arange(40) % 2)[who]
    x = rng.normal(size=(200, 60)) + 1.2 * rng.normal(size=(40, 60))[who]
    x[:, :6] += 0.9 * y[:, None]
    return made("patients", x, y, groups=who)


def rare(rng: np.random.Generator) -> Dataset:
    """Five rows of a hundred are of the second class."""
    y = (np.arange(600) % 20 == 0).astype(np.int64)
    x = rng.normal(size=(600, 40))
    x[:, :5] += 0.9 * y[:, None]
    return made("rare", x, y)


def clinical(rng: np.random.Generator) -> Dataset:
    """Missing values, some because of what they would be, and three categories with several values."""
    y, n = np.arange(300) % 2, 300
    x = rng.normal(size=(n, 24))
    x[:, :4] += 0.7 * y[:, None]
    kinds = rng.integers(0, 4, size=(n, 3))
    kinds[:, 0] = np.where(rng.random(n) < 0.35, 3 * y, kinds[:, 0])
    gaps = rng.random(x.shape) < 0.12
    gaps[:, 0] |= (x[:, 0] > 1.2) & (rng.random(n) < 0.5)
    x[gaps] = np.nan
    x = np.column_stack([x, kinds])
    names = dict.fromkeys((24, 25, 26), ("none", "mild", "moderate", "severe"))
    return made("clinical", x, y, categories=names)


def interacting(rng: np.random.Generator) -> Dataset:
    """A number that depends on products and a threshold (J. Friedman, 1991, among forty features)."""
    x = rng.random((300, 40))
    z = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return made("interacting", x, None, response=z + rng.normal(size=300))


def made(name: str, x: np.ndarray, y: np.ndarray | None, **roles: object) -> Dataset:
    """A data set of these."""
    names, rows = tuple(f"f{place}" for place in range(x.shape[1])), tuple(map(str, range(len(x))))
    target = np.zeros(len(x), dtype=np.int64) if y is None else y.astype(np.int64)
    classes = () if y is None else ("0", "1")
    return Dataset(name, np.asfortranarray(x), names, target, "class", classes, rows, **roles)


MORE = {
    "patients, 40 of 5 rows": patients,
    "rare, 5 % of 600 (AUC)": rare,
    "gaps and categories, 300 x 27": clinical,
    "interacting numbers, 300 x 40": interacting,
}


def tables(wanted: list[str]) -> dict[str, Dataset]:
    """Those that are asked for and at hand."""
    found = methods_compared.tables(wanted)
    for number, (name, make) in enumerate(MORE.items()):
        if not wanted or name in wanted:
            found[name] = make(np.random.default_rng(number))
    if not wanted or "diabetes" in wanted:
        found["diabetes"] = fsdesk.from_frame(load_diabetes(as_frame=True).frame, target="target", name="diabetes")
    return found


def spec_of(name: str, dataset: Dataset, method: str, deal: int) -> RunSpec:
    """A run of a method in which models compete."""
    settings = {"criterion": "auc"} if "AUC" in name else {}
    return RunSpec.make(dataset, method=method, seed=deal, settings=settings)


def plain(dataset: Dataset) -> dict[str, object]:
    """All features with each model, gaps filled and categories spread inside of the training rows."""
    named = sorted(dataset.categories)
    numbers = [place for place in range(len(dataset.features)) if place not in dataset.categories]

    def with_all(model: object, grid: dict[str, list[float]] | None = None) -> object:
        filled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
        spread = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
        whole = make_pipeline(
            ColumnTransformer([("numbers", filled, numbers), ("names", spread, named)], sparse_threshold=0), model
        )
        if grid is None:
            return whole
        step = whole.steps[-1][0]
        inner = GroupKFold(3) if dataset.groups is not None else StratifiedKFold(3, shuffle=True, random_state=0)
        return GridSearchCV(whole, {f"{step}__{key}": value for key, value in grid.items()}, cv=inner)

    if dataset.response is not None:
        found = {
            "1-NN, all": with_all(KNeighborsRegressor(1)),
            "random forest, all": with_all(RandomForestRegressor(random_state=0)),
            "ridge, all": with_all(RidgeCV(np.logspace(-2, 4, 13))),
            "SVM (RBF), all": GridSearchCV(with_all(SVR()), {"svr__C": [1, 10, 100, 1000]}, cv=3),
            "boosting, all": with_all(HistGradientBoostingRegressor(random_state=0)),
        }
    else:
        found = {
            "1-NN, all": with_all(KNeighborsClassifier(1)),
            "random forest, all": with_all(RandomForestClassifier(random_state=0)),
            "SVM (RBF), all": with_all(SVC(), {"C": [0.1, 1.0, 10.0, 100.0]}),
            "SVM (linear), all": with_all(LinearSVC(), {"C": COSTS}),
            "logistic, all": with_all(LogisticRegression(max_iter=2000), {"C": COSTS}),
            "boosting, all": with_all(HistGradientBoostingClassifier(random_state=0)),
        }
    if len(dataset.features) > WIDE:
        del found["boosting, all"]
    return found


def loss(name: str, dataset: Dataset, model: object, train: np.ndarray, test: np.ndarray) -> float:
    """What a model of these rows loses on those."""
    x, own = np.asarray(dataset.x), {}
    y = dataset.target if dataset.response is None else dataset.response
    if isinstance(model, GridSearchCV) and dataset.groups is not None:
        own["groups"] = dataset.groups[train]
    if "AUC" in name and isinstance(model, GridSearchCV):
        model.set_params(scoring="roc_auc")
    model.fit(x[train], y[train], **own)
    if dataset.response is not None:
        return float(np.sqrt(mean_squared_error(y[test], model.predict(x[test]))))
    if "AUC" not in name:
        return float(zero_one_loss(y[test], model.predict(x[test])))
    scored = model.decision_function if hasattr(model, "decision_function") else None
    said = scored(x[test]) if scored else model.predict_proba(x[test])[:, 1]
    return 1 - float(roc_auc_score(y[test], said))


def measure(file: Path, wanted: list[str], searched: list[str], deals: int, with_plain: bool) -> None:
    """Add the folds that are missing, the first deal of all tables first."""
    done = {(each["table"], each["method"], each["deal"], each["fold"]) for each in lines(file)}
    data = tables(wanted)
    for deal in range(deals):
        for name, dataset in data.items():
            for method in searched:
                known = {fold for fold in range(FOLDS) if (name, method, deal, fold) in done}
                if len(known) == FOLDS:
                    continue
                spec, began = spec_of(name, dataset, method, deal), time.process_time()
                for step in outer_steps(spec, dataset, FOLDS, done=known):
                    if isinstance(step, OuterFold):
                        features = int(np.unpackbits(step.mask, count=len(dataset.features)).sum())
                        note(file, name, method, deal, step.fold, step.rows, step.loss, features, step.model, began)
                        began = time.process_time()
            labels = Resamples(dataset, spec_of(name, dataset, "auto", deal).measuring, deal, FOLDS).parts(0)
            for method, model in plain(dataset).items() if with_plain else ():
                for fold in range(int(labels.max()) + 1):
                    if (name, method, deal, fold) in done:
                        continue
                    began, test = time.process_time(), np.flatnonzero(labels == fold)
                    value = loss(name, dataset, model, np.flatnonzero(labels != fold), test)
                    note(file, name, method, deal, fold, len(test), value, len(dataset.features), method, began)


def note(
    file: Path, table: str, method: str, deal: int, fold: int, rows: int, value: float, features: int, model: str,
    began: float,
) -> None:  # fmt: skip
    """Add a line."""
    seconds = round(time.process_time() - began, 1)
    line = {"table": table, "method": method, "deal": deal, "fold": fold, "rows": rows, "loss": value}
    line |= {"features": features, "model": model, "seconds": seconds}
    with file.open("a") as out:
        out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--searched", default=",".join(SEARCHED))
    parser.add_argument("--tables", default="", help="names, separated by semicolons; all by default")
    parser.add_argument("--deals", type=int, default=2, help="times that the rows are divided into five folds")
    parser.add_argument("--no-plain", action="store_true", help="without all features")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    names = [name for name in asked.tables.split(";") if name]
    if not asked.show:
        measure(asked.file, names, asked.searched.split(","), asked.deals, not asked.no_plain)
    show(asked.file)
