"""A race of models beside GridSearchCV over the same candidates: `python tests/bench/race_speed.py [TABLE ...]`.

Features in the order of F, all sizes and all models of the default, five resamples: scikit-learn's estimators that
equal ours, in a pipeline of scaling, SelectKBest and model, one thread, one process. Ours drops what clearly loses, as
it does in every run; how many of the candidates it fitted stands beside. Nothing else should be running.
"""

import os
import sys
import time
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import fsdesk
from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.engine.request import models_of
from fsdesk.wrappers import WRAPPERS
from fsdesk.wrappers.automatic import Automatic

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
TABLES = ("sample:wine", "sample:breast_cancer", "sonar.arff", "ionosphere.arff")


def grid(dataset: Dataset) -> tuple[list[dict[str, list[object]]], int]:
    """The candidates as GridSearchCV takes them, and how many they are."""
    spec = RunSpec.make(dataset, method="univariate")
    wrapper, features = WRAPPERS["auto"].build({}), len(dataset.features)
    if not isinstance(wrapper, Automatic):
        raise TypeError("models compete by default")
    competitors = wrapper.competitors("classification", len(dataset.target), features)
    method, found = spec.method_at_work(), []
    for competitor, model in zip(competitors, models_of(competitors, spec.measuring), strict=True):
        estimator = competitor.build().equivalent(len(dataset.classes)).model.made()
        lists = [] if model.only_all_features else method.sizes(features, model)
        found.append({"select__k": [*lists, features], "model": [estimator]})
    return found, sum(len(each["select__k"]) for each in found)


def main(tables: list[str]) -> None:
    """A line for each table."""
    print("| table | candidates | GridSearchCV, s | fsdesk, s | times as fast | fitted by fsdesk |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    ratios = []
    for name in tables:
        dataset = fsdesk.read_table(name if name.startswith("sample:") else FOLDER / name)
        candidates, count = grid(dataset)
        chain = Pipeline(
            [("fill", SimpleImputer()), ("scale", StandardScaler()), ("select", SelectKBest(f_classif)),
             ("model", LogisticRegression())]
        )  # fmt: skip
        search = GridSearchCV(chain, candidates, cv=StratifiedKFold(5, shuffle=True, random_state=0), refit=False)
        began = time.process_time()
        search.fit(np.asarray(dataset.x), dataset.target)
        theirs, began = time.process_time() - began, time.process_time()
        result = fsdesk.select(dataset, method="univariate", outer=0, workers=1, verbose=0)
        ours = time.process_time() - began
        ratios.append(theirs / ours)
        fitted = result.evaluations / (5 * count)
        print(
            f"| {name.partition('.')[0].removeprefix('sample:')} | {count} | {theirs:.1f} | {ours:.2f} | "
            f"{theirs / ours:.1f} | {fitted:.0%} |",
            flush=True,
        )
    print(f"| median | | | | {np.median(ratios):.1f} | |")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:] or list(TABLES))
