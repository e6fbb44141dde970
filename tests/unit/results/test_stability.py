"""Stability of selections, and roles of features."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.measure import Resamples
from fsdesk.measure.resamples import HELD_OUT, TRAINED_ON
from fsdesk.messages import in_language, language_named
from fsdesk.results.exports import EXPORTS
from fsdesk.results.features import accumulated_effects, effects_of
from fsdesk.results.pipeline import unfitted_pipeline
from fsdesk.results.select import select
from fsdesk.results.stability import (
    Selections,
    consensus_of,
    selections_of,
    stability,
)

QUICK = {"max_measurements": 20, "repeats": 1, "folds": 2}


def test_three_masks_of_four_features_calculated_by_hand():
    masks = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool)
    # p = (1, 2/3, 1/3, 0): mean p(1-p) = (0 + 2/9 + 2/9 + 0) / 4 = 1/9. k = 2, D = 1/2 * 1/2 = 1/4.
    # Phi = 1 - 3/2 * (1/9) / (1/4) = 1/3.
    # All k_i = 2, so k_i k / d^2 = 1/4 and phi_i = 4 [mean(Z p) - 1/4 + Phi/2 (1/2 - 1/2 - 1/2 + 1)]
    # = 4 mean(Z p) - 1 + Phi. mean(Z p) = 5/12, 4/12, 5/12: phi = 1, 2/3, 1; mean 8/9.
    # Var = 4/9 * (1/81 + 4/81 + 1/81) = 24/729.
    found = stability(masks)
    assert found.index == pytest.approx(1 / 3)
    reach = 1.959963985 * np.sqrt(24 / 729)
    assert found.low == pytest.approx(1 / 3 - reach)
    assert found.high == pytest.approx(1 / 3 + reach)
    assert found.masks == 3
    assert Selections("runs", masks).frequency.tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_masks_of_unequal_size_calculated_by_hand():
    masks = np.array([[1, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
    # p = (1, 1/2, 1/2, 0): mean p(1-p) = 1/8. k = 2, D = 1/4. Phi = 1 - 2 * (1/8) / (1/4) = 0.
    # phi_i = 4 [mean(Z p) - k_i / 8]: (1/4 - 1/8, 1/2 - 3/8) * 4 = 1/2, 1/2: no variance.
    found = stability(masks)
    assert (found.index, found.low, found.high) == pytest.approx((0, 0, 0))


def test_equal_masks_are_perfectly_stable_and_opposite_ones_least():
    same = stability(np.tile(np.arange(10) < 3, (5, 1)))
    assert (same.index, same.low, same.high) == pytest.approx((1, 1, 1))
    half = np.arange(10) < 5
    assert stability(np.array([half, ~half])).index == pytest.approx(-1)  # the least for M = 2: -1 / (M - 1)


def test_random_masks_are_about_as_alike_as_chance():
    masks = np.random.default_rng(0).random((200, 400)) < 0.3
    found = stability(masks)
    assert abs(found.index) < 0.01
    assert found.low <= found.index <= found.high


def test_the_index_is_the_mean_agreement_of_pairs_where_all_sizes_are_equal():
    """With equal sizes it equals Kuncheva's index, the mean over pairs of (r - k^2/d) / (k - k^2/d)."""
    rng = np.random.default_rng(1)
    d, k, count = 30, 7, 12
    masks = np.zeros((count, d), dtype=bool)
    for mask in masks:
        mask[rng.choice(d, k, replace=False)] = True
    pairs = [(a & b).sum() for place, a in enumerate(masks) for b in masks[:place]]
    kuncheva = np.mean([(r - k * k / d) / (k - k * k / d) for r in pairs])
    assert stability(masks).index == pytest.approx(kuncheva)


@pytest.mark.parametrize(
    "masks",
    [np.ones((1, 4)), np.zeros((3, 4)), np.ones((3, 4)), np.zeros((0, 4)), np.zeros((3, 0))],
    ids=["one mask", "all empty", "all full", "no mask", "no feature"],
)
def test_where_it_is_not_defined_there_is_none(masks):
    assert stability(masks.astype(bool)) is None


def _selections(rows):
    masks = np.array([[letter == "x" for letter in row] for row in rows])
    return Selections("runs", masks)


def test_the_list_that_a_share_of_the_selections_holds():
    found = _selections(["xx.x.", "xx...", "x.xx.", "x.x..", "xx.x.", "xx...", "x.xx.", "x.x..", "xx.x.", "x.x.."])
    assert consensus_of(found, "abcde", 0.5).features == ("a", "b", "c", "d")
    assert consensus_of(found, "abcde", 0.9).features == ("a",)
    assert found.frequency.tolist() == [1.0, 0.5, 0.5, 0.5, 0.0]
    assert found.agreement == pytest.approx(stability(found.masks).index)
    with pytest.raises(ValueError, match="threshold"):
        consensus_of(found, "abcde", 0.0)


def test_outer_folds_and_seeds_give_selections(planted):
    results = [select(planted, method="sfs", seed=seed, outer=3, settings=QUICK) for seed in range(2)]
    found = selections_of(results[0])
    assert found.source == "outer folds"
    assert found.masks.shape == (3, 8)
    assert selections_of(replace(results[0], evidence=())) is None
    written = json.loads(EXPORTS["result.json"].content(results[0], planted))
    assert written["agreement_source"] == "outer folds"
    assert written["agreement"] == found.agreement
    assert written["stability"] is None  # a search cannot be repeated in a hundred halves
    assert written["consensus"] == list(consensus_of(found, planted.features).features)


def test_twins_are_interchangeable_by_the_rows_held_out():
    rng = np.random.default_rng(1)
    target = np.arange(90) % 2
    x = rng.normal(size=(90, 12))
    x[:, 2] += 2.2 * target
    x[:, 7] = x[:, 2] + 0.05 * rng.normal(size=90)  # a twin
    x[:, 4] -= 2.2 * target
    data = _dataset(x, target)
    result = select(data, method="mrmr", wrapper="nn", seed=0, outer=0)
    found = selections_of(result)
    assert found.source == "resamples"
    assert len(found.masks) == result.race.folds
    written = EXPORTS["features.csv"].content(result, data)
    with in_language(language_named("de")):
        assert EXPORTS["features.csv"].content(result, data) == written  # a run writes the same bytes for everyone
    rows = list(csv.DictReader(io.StringIO(written.decode())))
    assert [row["feature"] for row in rows] == list(data.features)
    assert {row["feature"] for row in rows if row["selected"] == "1"} == set(result.features)
    twins = {row["feature"]: row["exchangeable with"] for row in rows if row["exchangeable with"]}
    assert twins == {"f2": "f7", "f7": "f2"}
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
    rows = np.column_stack([rng.uniform(0, 1, 500), np.full(500, 2.0), rng.normal(size=500)])
    first, second, third = accumulated_effects(lambda x: 3 * x[:, 0] + x[:, 1] * x[:, 0], rows, [0, 1, 2])
    assert first[-1, 0] == pytest.approx(5 * np.ptp(rows[:, 0]))
    assert (np.diff(first[:, 0]) > 0).all()
    assert second is None  # one value only
    assert np.abs(third).max() == 0.0
    # Correlated features: partial dependence would ask the model where there are no rows; these do not.
    rows[:, 1] = rows[:, 0] + 0.01 * rng.normal(size=500)
    (jump,) = accumulated_effects(lambda x: 100.0 * (np.abs(x[:, 0] - x[:, 1]) > 0.5), rows, [0])
    assert np.abs(jump).max() == 0.0


@pytest.mark.parametrize("wrapper", ["nn of numbers", "nb", "cart", "logistic", "ridge"])
def test_effects_are_those_of_the_exported_pipeline(wrapper):
    # Oracle: the same rows asked of the pipeline in plain scikit-learn, trained on the same rows. Gaps and a nominal
    # feature are in the table, so filling, indicators and scaling are learned from the training rows in both.
    rng = np.random.default_rng(5)
    x = rng.normal(size=(150, 5)).round(3)
    numbers = x[:, 0] + 0.5 * x[:, 1] * x[:, 2]
    x[:, 4] = rng.integers(0, 3, 150)
    x[rng.uniform(size=x.shape) < 0.04] = np.nan
    response = numbers if wrapper in ("ridge", "nn of numbers") else None
    wrapper = wrapper.split()[0]
    data = replace(_dataset(x, numbers > 0.2, response), categories={4: ("p", "q", "r")})
    own = {"nn": {"k": 5}, "cart": {"max_depth": 1}}  # deeper ones choose among equal splits, each in its own way
    settings = {"repeats": 1, **own.get(wrapper, {})}
    result = select(data, method="full", wrapper=wrapper, settings=settings, outer=0)
    resamples, frame = Resamples(data, result.spec.measuring, result.spec.seed, 5), data.frame
    answers = numbers if response is not None else np.array(data.classes)[data.target]
    sums = np.zeros(4)
    for fold in range(5):
        labels = resamples.held_out(fold)
        trained, held = (np.flatnonzero(labels == label) for label in (TRAINED_ON, HELD_OUT))
        pipeline = unfitted_pipeline(result, data).fit(frame.iloc[trained], answers[trained])

        def says(rows, pipeline=pipeline):
            asked = replace(data, x=rows, rows=tuple(map(str, range(len(rows))))).frame
            return pipeline.predict(asked) if response is not None else pipeline.predict_proba(asked)

        sums += [np.ptp(curve, axis=0).max() for curve in accumulated_effects(says, data.x[held], range(4))]
    found = effects_of(result, data)
    assert found[4].effect is None and found[4].direction == ""  # nominal
    np.testing.assert_allclose([effect.effect for effect in found[:4]], sums / 5, rtol=1e-6)
    assert found[0].effect > 0.1


def test_a_run_with_its_report_imports_neither_scikit_learn_nor_pandas(tmp_path):
    # They take longer to load than a quick search takes; the report says what features do all the same.
    x = np.random.default_rng(0).normal(size=(60, 4)).round(3)
    for kind, last in (("classes", np.where(x[:, 0] > 0, "yes", "no")), ("numbers", 2 * x[:, 0])):
        lines = [",".join(map(str, [*row, end])) for row, end in zip(x, last, strict=True)]
        (tmp_path / f"{kind}.csv").write_text("\n".join(["a,b,c,d,y", *lines]))
    code = """
import sys
from fsdesk.cli import main
for kind in ("classes", "numbers"):
    words = ["run", f"{kind}.csv", "--method", "bspsa", "--wrapper", "nn", "--seed", "0", "--out", kind]
    assert main([*words, "--set", "max_measurements=20"]) == 0
print(*[name for name in ("sklearn", "pandas") if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout.splitlines()[-1] == ""
    for kind, words in (("classes", "higher in yes"), ("numbers", "higher when y is higher")):
        assert words in (tmp_path / kind / "report.html").read_text(encoding="utf-8")


def test_what_a_feature_is_like_does_not_depend_on_its_unit():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 4))
    x[:, 3] = x[:, 0] + 0.1 * rng.normal(size=60)
    target = (x[:, 0] > 0).astype(np.int64)
    expected = np.corrcoef(x[:, 0], x[:, 3])[0, 1]
    for unit in (1.0, 1e300, 1e-300):
        data = _dataset(x * [unit, 1.0, 1.0, unit], target)
        result = select(data, method="sfs", wrapper="nn", settings=QUICK, always=("f0",), never=("f3",), outer=0)
        effect = next(effect for effect in effects_of(result, data) if effect.place == 0)
        assert effect.correlation == pytest.approx(expected)


def test_effects_of_numbers_to_predict_and_of_classes():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(120, 4))
    response = 2.0 * x[:, 0] - 1.0 * x[:, 1]
    data = _dataset(x, None, response)
    result = select(data, method="full", wrapper="ridge", settings={"repeats": 1}, outer=0)
    effects = effects_of(result, data)
    assert [effect.direction for effect in effects[:2]] == ["higher when y is higher", "higher when y is lower"]
    # A linear model: slope times the range of the held-out rows, about five standard deviations each.
    assert effects[0].effect == pytest.approx(2 * effects[1].effect, rel=0.35)
    assert effects[2].effect < 0.1 * effects[0].effect
    assert effects[0].like is None  # nothing was left out
    target = (x[:, 0] > 0).astype(np.int64)
    classes = _dataset(x, target)
    found = select(classes, method="full", wrapper="logistic", settings={"repeats": 1}, outer=0)
    first, *others = effects_of(found, classes)
    assert first.direction == "higher in class 1"
    own = [x[target == code, 0] for code in range(2)]
    assert first.difference == pytest.approx(own[1].mean() - own[0].mean())
    pooled = np.sqrt(sum(((each - each.mean()) ** 2).sum() for each in own) / 118)
    assert first.standardised == pytest.approx((own[1].mean() - own[0].mean()) / pooled)
    assert first.low < first.effect < first.high
    assert first.effect > 0.6
    assert max(effect.effect for effect in others) < 0.4
