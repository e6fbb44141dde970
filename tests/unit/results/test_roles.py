"""Stability, consensus, exchangeable features and what each does, against counting by hand and known models."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fsdesk.data import Dataset
from fsdesk.results import select
from fsdesk.results.effects import accumulated_effect, effects_of
from fsdesk.results.exports import EXPORTS
from fsdesk.results.roles import Selections, consensus_of, roles_of, selections_of, selections_over
from fsdesk.results.stability import stability

QUICK = {"max_measurements": 20, "repeats": 1, "folds": 2}


def _selections(rows):
    masks = np.array([[letter == "x" for letter in row] for row in rows])
    return Selections("runs", masks, masks)


def test_core_optional_interchangeable_and_rare_features():
    # a in all; b or c, never both; d in half without a partner; e in none
    found = _selections(["xx.x.", "xx...", "x.xx.", "x.x..", "xx.x.", "xx...", "x.xx.", "x.x..", "xx.x.", "x.x.."])
    roles, partners = roles_of(found)
    assert roles == ["core", "interchangeable", "interchangeable", "optional", "rare"]
    assert partners == [(), (2,), (1,), (), ()]
    assert consensus_of(found, "abcde", 0.5).features == ("a", "b", "c", "d")
    assert consensus_of(found, "abcde", 0.9).features == ("a",)
    assert found.frequency.tolist() == [1.0, 0.5, 0.5, 0.5, 0.0]
    assert found.stability.index == pytest.approx(stability(found.masks).index)
    with pytest.raises(ValueError, match="threshold"):
        consensus_of(found, "abcde", 0.0)


def test_outer_folds_and_seeds_give_selections(planted):
    results = [select(planted, method="sfs", seed=seed, outer=3, settings=QUICK) for seed in range(2)]
    found = selections_of(results[0])
    assert found.source == "outer folds"
    assert found.masks.shape == (3, 8)
    assert selections_over(results).masks.tolist() == [result.mask.tolist() for result in results]
    assert selections_of(replace(results[0], evidence=())) is None
    written = json.loads(EXPORTS["result.json"].writer(results[0], planted))
    assert written["stability_source"] == "outer folds"
    assert written["stability"] == found.stability.index
    assert written["consensus"] == list(consensus_of(found, planted.features).features)


def test_twins_are_interchangeable_by_the_rows_held_out():
    rng = np.random.default_rng(1)
    target = np.arange(90) % 2
    x = rng.normal(size=(90, 12))
    x[:, 2] += 2.2 * target
    x[:, 7] = x[:, 2] + 0.05 * rng.normal(size=90)  # a twin
    x[:, 4] -= 2.2 * target
    data = _dataset(x, target)
    result = select(data, method="mrmr", seed=0)
    found = selections_of(result)
    assert found.source == "resamples"
    assert len(found.masks) == result.race.folds
    assert len(found.good) >= len(found.masks)
    roles, _ = roles_of(found)
    assert roles[4] == "core"
    rows = list(csv.DictReader(io.StringIO(EXPORTS["features.csv"].writer(result, data).decode())))
    assert {row["feature"] for row in rows if row["selected"] == "1"} == set(result.features)
    own = next(row for row in rows if row["feature"] == "f4")
    assert (own["direction"], own["role"]) == ("higher in class 0", "core")
    either = [place for place in (2, 7) if result.mask[place]]
    if len(either) == 1:
        row = next(row for row in rows if row["feature"] == f"f{either[0]}")
        assert row["most like, not selected"] == f"f{9 - either[0]}"
        assert float(row["correlation"]) > 0.95


def _dataset(x, target, response=None):
    return Dataset(
        name="made",
        x=np.asfortranarray(x),
        features=tuple(f"f{place}" for place in range(x.shape[1])),
        target=np.zeros(len(x), dtype=np.int64) if response is not None else np.asarray(target, dtype=np.int64),
        target_name="y",
        classes=() if response is not None else ("class 0", "class 1"),
        rows=tuple(map(str, range(len(x)))),
        response=response,
    )


def test_accumulated_effects_of_a_known_function():
    # y = 3 a + b a: the effect of a is 3 + b on average, whatever b is; of b it is a. By hand for b always 2: 5.
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.uniform(0, 1, 500), "b": np.full(500, 2.0), "c": rng.normal(size=500)})

    def says(rows):
        return 3 * rows["a"].to_numpy() + rows["b"].to_numpy() * rows["a"].to_numpy()

    curve = accumulated_effect(says, frame, "a")
    span = frame["a"].max() - frame["a"].min()
    assert curve[-1, 0] == pytest.approx(5 * span)
    assert (np.diff(curve[:, 0]) > 0).all()
    assert accumulated_effect(says, frame, "b") is None  # one value only
    assert np.abs(accumulated_effect(says, frame, "c")).max() == 0.0
    # Correlated features: partial dependence would ask the model where there are no rows; these do not.
    frame["b"] = frame["a"] + 0.01 * rng.normal(size=500)
    jump = accumulated_effect(lambda rows: 100.0 * (np.abs(rows["a"] - rows["b"]) > 0.5).to_numpy(), frame, "a")
    assert np.abs(jump).max() == 0.0


def test_effects_of_numbers_to_predict_and_of_classes():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(120, 4))
    response = 2.0 * x[:, 0] - 1.0 * x[:, 1]
    data = _dataset(x, None, response)
    result = select(data, method="full", wrapper="ridge", settings={"repeats": 1})
    effects = effects_of(result, data)
    assert [effect.direction for effect in effects[:2]] == ["higher with larger y", "higher with smaller y"]
    # A linear model: slope times the range of the held-out rows, about five standard deviations each.
    assert effects[0].effect == pytest.approx(2 * effects[1].effect, rel=0.35)
    assert effects[2].effect < 0.1 * effects[0].effect
    assert effects[0].like is None  # nothing was left out
    target = (x[:, 0] > 0).astype(np.int64)
    classes = _dataset(x, target)
    found = select(classes, method="full", wrapper="logistic", settings={"repeats": 1})
    first, *others = effects_of(found, classes)
    assert first.direction == "higher in class 1"
    medians = [np.median(x[target == code, 0]) for code in range(2)]
    assert first.difference == pytest.approx(medians[1] - medians[0])
    assert first.standardised == pytest.approx((medians[1] - medians[0]) / x[:, 0].std())
    assert first.effect > 0.6
    assert max(effect.effect for effect in others) < 0.4
