"""Nested cross-validation of a race of models: two folds held out together, judged apart, chosen from apart."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from fsdesk.data import Dataset
from fsdesk.engine import Flag, RunSpec, Steered, unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.measure.filters import filter_scores
from fsdesk.measure.resamples import BESIDE, HELD_OUT, PAIRS, TRAINED_ON, Resamples, rows_of
from fsdesk.messages import in_language, language_named, translated
from fsdesk.methods import Subsets
from fsdesk.methods.choice import ALL_FEATURES, choose
from fsdesk.methods.race import Contest, Raced, firsts
from fsdesk.results import outer
from fsdesk.results.evidence import Honesty, OuterFold, kept_evidence
from fsdesk.results.nested import Chosen, _Nested, nested_choices, shares_folds
from fsdesk.results.outer import outer_steps
from fsdesk.wrappers import is_simple
from fsdesk.wrappers.automatic import model_title

QUICK = {"competing": "filters", "models": "simple"}


def _of_two_classes(seed: int, rows: int, features: int, informative: int, shift: float) -> Dataset:
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    x = rng.normal(size=(rows, features))
    x[:, :informative] += shift * y[:, None]
    return Dataset(
        name="made",
        x=np.asfortranarray(x),
        features=tuple(f"f{place}" for place in range(features)),
        target=y.astype(np.int64),
        target_name="class",
        classes=("a", "b"),
        rows=tuple(map(str, range(rows))),
    )


@pytest.fixture(scope="module")
def table() -> Dataset:
    """Eighty rows, ten features of which three tell the classes apart."""
    return _of_two_classes(4, 80, 10, 3, 0.9)


def made(spec: RunSpec, table: Dataset, threads: int = 1) -> list[Chosen]:
    return [step for step in nested_choices(spec, table, 5, threads, Flag()) if isinstance(step, Chosen)]


def test_two_parts_are_held_out_and_told_apart(table: Dataset) -> None:
    resamples = Resamples(table, RunSpec.make(table).measuring, 0, 5)
    labels, parts = resamples.held_out(PAIRS + 1 * 5 + 3), resamples.parts(0)
    assert (labels[parts == 1] == HELD_OUT).all()
    assert (labels[parts == 3] == BESIDE).all()
    assert (labels[(parts != 1) & (parts != 3)] == TRAINED_ON).all()
    assert resamples.searching(PAIRS + 1 * 5 + 3).tolist() == np.flatnonzero((parts != 1) & (parts != 3)).tolist()


@pytest.mark.parametrize("criterion", ["error", "auc"])
def test_one_fit_judged_on_both_parts_is_what_two_fits_are(table: Dataset, criterion: str) -> None:
    spec = RunSpec.make(table, settings={"criterion": criterion})
    evaluator = evaluator_of(spec, table)
    resamples = Resamples(table, spec.measuring, 0, 5)
    labels, parts = resamples.held_out(PAIRS + 3), resamples.parts(0)
    subsets = Subsets.of([np.arange(10) < size for size in (1, 3, 10)])
    of_one = np.zeros(3, dtype=np.int64)
    for model in spec.build_models():
        own = evaluator.of(model)
        both = own.judged_on_both(subsets, subsets.features, subsets.offsets, labels)
        for found, part in zip(both, (0, 3), strict=True):
            alone = np.where(parts == part, 0, np.where((parts == 0) | (parts == 3), -2, -1)).astype(np.int8)
            wanted = own.judged(subsets, subsets.features, subsets.offsets, alone[None], of_one)
            assert [each.mean for each in found] == pytest.approx([each.mean for each in wanted]), model
            assert [each.margin for each in found] == [
                pytest.approx(each.margin, rel=2e-3, nan_ok=True) for each in wanted
            ]


def noise(rows: int) -> Dataset:
    """Five features that have nothing to do with two classes."""
    names, each = tuple(f"f{place}" for place in range(5)), tuple(map(str, range(rows)))
    x = np.random.default_rng(rows).normal(size=(rows, 5))
    return Dataset("noise", np.asfortranarray(x), names, np.arange(rows) % 2, "class", ("a", "b"), each)


def test_a_library_s_model_is_fitted_once_for_both_parts_for_classes_and_for_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fits, fit = [], HistGradientBoostingClassifier.fit

    def counted(self: HistGradientBoostingClassifier, *arguments: object) -> HistGradientBoostingClassifier:
        fits.append(arguments)
        return fit(self, *arguments)

    monkeypatch.setattr(HistGradientBoostingClassifier, "fit", counted)
    data = noise(120)
    spec = RunSpec.make(data)
    labels = Resamples(data, spec.measuring, 0, 5).held_out(PAIRS + 3)
    subsets = Subsets.of([np.arange(5) < size for size in (1, 3, 5)])
    boosting = evaluator_of(spec, data).of("boosting bins=63")
    boosting.judged_on_both(subsets, subsets.features, subsets.offsets, labels)
    assert len(fits) == len(subsets)


@pytest.mark.parametrize(("rows", "competes"), [(80, False), (120, True), (700, True)])
def test_boosted_trees_compete_on_short_tables_with_all_features_alone(rows: int, competes: bool) -> None:
    method = RunSpec.make(noise(rows)).method_at_work()
    assert isinstance(method, Raced)
    contest = Contest(method, 5, 5, 1 / rows)
    assert ("boosting bins=63" in contest.models) is competes
    lists = {strategy for strategy, model in contest.pairs if model == "boosting bins=63"} - {ALL_FEATURES}
    assert bool(lists) is (rows >= 600)


def test_each_fold_chooses_by_the_other_folds_alone_as_a_plain_loop_does(table: Dataset) -> None:
    """A loop over folds and inner folds, each order and each fit made anew."""
    spec = RunSpec.make(table, settings=QUICK)
    resamples = Resamples(table, spec.measuring, spec.seed, 5)
    parts, every = resamples.parts(0), np.arange(80)
    evaluator, names = evaluator_of(spec, table), spec.build_models()
    with_all = _contests(spec, table)
    for fold, chosen in enumerate(made(spec, table)):
        contest = with_all[fold]
        for strategy in [ALL_FEATURES, *contest.strategies]:
            for place, other in enumerate(each for each in range(5) if each != fold):
                seen = every[(parts != fold) & (parts != other)]
                labels = np.where(parts == other, 0, np.where(parts == fold, -2, -1)).astype(np.int8)
                scores = np.ones(10)
                if strategy != ALL_FEATURES:
                    scores = filter_scores(rows_of(table, seen), contest.strategies[strategy].filter)  # type: ignore[attr-defined]
                for model in names:
                    sizes = contest.sizes_of(strategy, model)
                    subsets = Subsets.of(firsts(scores, sizes))
                    of_one = np.zeros(len(sizes), dtype=np.int64)
                    losses = evaluator.of(model).judged(
                        subsets, subsets.features, subsets.offsets, labels[None], of_one
                    )
                    for size, loss in zip(sizes, losses, strict=True):
                        contest.note(strategy, size, model, place, loss)
        contest.drop_losers(list(names))
        winner = choose(contest.comparable(), "lowest", 1 / 64)
        assert (chosen.fold, chosen.model, chosen.mask.sum()) == (fold, winner.model, winner.size)
        assert chosen.error == pytest.approx(winner.mean)


def _contests(spec: RunSpec, table: Dataset) -> list:
    from contextlib import ExitStack

    with ExitStack() as stack:
        return _Nested(spec, table, 5, 1, Flag(), stack).contests


def test_threads_change_nothing_and_searches_take_part(table: Dataset) -> None:
    spec = RunSpec.make(table, settings={"models": "simple", "fits": 2400})
    one, two = made(spec, table), made(spec, table, threads=2)
    assert [(each.fold, each.model, each.mask.tolist(), each.error) for each in one] == [
        (each.fold, each.model, each.mask.tolist(), each.error) for each in two
    ]


def test_outer_folds_of_a_race_of_models_are_tested_with_what_was_chosen_without_them(table: Dataset) -> None:
    spec = RunSpec.make(table, settings=QUICK)
    folds = [step for step in outer_steps(spec, table, 5) if isinstance(step, OuterFold)]
    assert [each.fold for each in folds] == list(range(5))
    assert [each.model for each in folds] == [each.model for each in made(spec, table)]
    assert 0 < np.mean([each.loss for each in folds]) < 0.35
    assert [step.fold for step in outer_steps(spec, table, 5, done=[0, 1, 2]) if isinstance(step, OuterFold)] == [3, 4]


def test_the_best_of_the_other_folds_vote_and_what_is_kept_tells_it_again(table: Dataset) -> None:
    spec = RunSpec.make(table, settings=QUICK)
    fold = next(step for step in outer_steps(spec, table, 5) if isinstance(step, OuterFold))
    assert fold.said is not None and fold.said.scores is not None and fold.ballot is not None
    assert len(fold.ballot) == len(fold.ballot_models) == 20
    votes = fold.said.scores * len(fold.ballot)
    assert votes == pytest.approx(votes.round()) and votes.sum(axis=1) == pytest.approx(20)
    assert len(np.unique(votes[:, 1])) > 2  # not one model alone
    assert is_simple(fold.simple_model) and fold.said.simple is not None
    assert len(fold.said.simple) == fold.rows
    kind, values = fold.packed()
    again = kept_evidence([(kind, values)])[0]
    assert isinstance(again, OuterFold)
    for each in (again, outer.tested_again(spec, table, again)):
        assert each.ballot_models == fold.ballot_models
        assert each.said is not None and np.array_equal(each.said.scores, fold.said.scores)
        assert np.array_equal(each.said.simple, fold.said.simple) and np.array_equal(each.simple, fold.simple)


def test_where_all_features_win_in_a_fold_the_best_list_is_tested_too() -> None:
    dense = _of_two_classes(11, 100, 40, 40, 0.3)
    spec = RunSpec.make(dense, settings=QUICK)
    folds = [step for step in outer_steps(spec, dense, 5) if isinstance(step, OuterFold)]
    of_all = [int(unpack_masks(np.array([each.mask]), 40).sum()) == 40 for each in folds]
    assert any(of_all)
    for each, is_of_all in zip(folds, of_all, strict=True):
        assert each.said is not None and each.said.listed is not None
        assert (each.listed is not None) == bool(each.listed_model) == is_of_all
        assert is_of_all or np.array_equal(each.said.listed, each.said.chosen)
        again = kept_evidence([each.packed()])[0]
        assert isinstance(again, OuterFold)
        tested = outer.tested_again(spec, dense, again)
        assert tested.said is not None and np.array_equal(tested.said.listed, each.said.listed)
        older = replace(again, listed=None, listed_model="", said=replace(each.said, listed=None))
        tested = outer.tested_again(spec, dense, older)
        assert tested.said is not None and tested.said.listed is None
    error = Honesty(outer=tuple(folds)).error("error", 40, 40)
    assert error is not None and error.listed is not None and error.listed_difference is not None


def test_a_stop_ends_without_a_choice(table: Dataset) -> None:
    flag = Flag()
    steps = []
    for step in nested_choices(RunSpec.make(table, settings=QUICK), table, 5, 2, flag):
        steps.append(step)
        flag.stop = True
    assert steps
    assert not any(isinstance(step, Chosen) for step in steps)


def test_what_has_a_limit_of_its_own_is_repeated_as_it_was(table: Dataset) -> None:
    assert shares_folds(RunSpec.make(table, settings=QUICK), 5)
    assert not shares_folds(RunSpec.make(table, settings=QUICK), 3)
    assert not shares_folds(RunSpec.make(table, settings=QUICK), 5, [Steered(measurements=10)])
    for settings in ({"max_minutes": 1.0}, {"max_measurements": 500}, {"prefilter": "f", "keep": 5}, {"resamples": 5}):
        assert not shares_folds(RunSpec.make(table, settings={**QUICK, **settings}), 5), settings
    assert not shares_folds(RunSpec.make(table, wrapper="nn"), 5)
    assert not shares_folds(RunSpec.make(table, method="sfs", wrapper="nn"), 5)


def test_a_model_that_competed_is_called_in_the_language_of_the_window() -> None:
    with in_language(language_named("de")):
        assert translated(model_title("lda shrinkage=0.1")) == "Lineare Diskriminanzanalyse, Schrumpfung 0,1"
    assert str(model_title("lda shrinkage=0.1")) == "Linear discriminant analysis, shrinkage 0.1"
