"""A search that measures on a part of the rows: on these alone, always the same; all rows judge its answer."""

from itertools import islice

import numpy as np
import pytest

from fsdesk.engine import BatchMeasured, Flag, RunSpec, RunState, ThreadExecutor, run
from fsdesk.engine.tasks import evaluator_of
from fsdesk.results.bundle import bundle, bundle_with_data
from fsdesk.results.evidence import OuterFold
from fsdesk.results.methods_text import methods_text
from fsdesk.results.report import report_html
from fsdesk.results.sealed import opened
from fsdesk.results.select import select
from fsdesk.results.verify import verified
from tests.invoking import contents, fsdesk
from tests.sketching import reports_sketched

ROWS, TAKEN = 300, 70
ASKED = {"max_iterations": 12, "repeats": 2, "folds": 3, "n_finalists": 3, "finalist_measurements": 2}


@pytest.fixture(scope="module")
def long(make_dataset):
    """300 rows, 8 features, three classes of 60, 90 and 150 rows; two features tell them apart."""
    rng = np.random.default_rng(3)
    target = np.repeat([0, 1, 2], [60, 90, 150])
    x = rng.normal(size=(ROWS, 8))
    x[:, 1] += 1.5 * target
    x[:, 5] -= 1.5 * target
    return make_dataset(x, target)


@pytest.fixture(scope="module")
def result(long):
    return select(long, method="bspsa", seed=2, outer=3, settings={**ASKED, "search_rows": TAKEN})


def test_every_loss_of_the_search_is_that_of_so_many_rows(result):
    losses = np.concatenate([event.values.ravel() for event in result.log if isinstance(event, BatchMeasured)])
    assert len(losses) > 50
    np.testing.assert_allclose(losses * TAKEN, np.round(losses * TAKEN), atol=1e-9)
    assert not np.allclose(losses * ROWS / 7, np.round(losses * ROWS / 7))


def test_each_class_gives_its_share_of_the_rows_and_the_seed_says_which(long):
    spec = RunSpec.make(long, method="bspsa", seed=2, settings={"search_rows": TAKEN})
    taken = evaluator_of(spec, long).dataset
    assert np.bincount(taken.target).tolist() == [14, 21, 35]
    assert evaluator_of(spec, long).dataset.rows == taken.rows
    assert evaluator_of(spec.model_copy(update={"seed": 3}), long).dataset.rows != taken.rows
    assert evaluator_of(spec, long, all_rows=True).dataset is long
    where = [long.rows.index(row) for row in taken.rows]
    assert where == sorted(where)
    np.testing.assert_array_equal(taken.x, long.x[where])


def test_all_rows_judge_the_answer(result):
    folds = [each for each in result.evidence if isinstance(each, OuterFold)]
    assert sum(each.rows for each in folds) == ROWS
    assert result.honest.rows == ROWS


def test_a_table_that_has_no_more_rows_is_searched_as_ever(long):
    whole = select(long, method="bspsa", seed=2, settings=ASKED, outer=0)
    same = select(long, method="bspsa", seed=2, settings={**ASKED, "search_rows": ROWS}, outer=0)
    assert [event.values.tolist() for event in whole.log if isinstance(event, BatchMeasured)] == [
        event.values.tolist() for event in same.log if isinstance(event, BatchMeasured)
    ]


def test_a_method_that_holds_rows_out_draws_its_own(long):
    asked = RunSpec.make(long, method="univariate", seed=2, settings={"search_rows": TAKEN})
    assert asked.search_rows == 0
    assert evaluator_of(asked, long).dataset is long


def test_a_stopped_search_goes_on_with_the_same_rows(long, result):
    spec = result.spec

    def events(replayed, flag=None):
        with ThreadExecutor(evaluator_of(spec, long)) as executor:
            yield from run(spec, long, executor, replayed, flag or Flag())

    half = list(islice(events(()), 8))
    state = RunState()
    for event in [*half, *events(half)]:
        state.apply(event)
    np.testing.assert_array_equal(state.best.mask, result.mask)


@pytest.mark.parametrize("make", [bundle, bundle_with_data])
@pytest.mark.usefixtures("quick_reports")
def test_a_bundle_says_which_rows_and_holds_when_all_of_it_is_derived_again(long, result, tmp_path, make):
    path = tmp_path / "bundle.zip"
    path.write_bytes(make(result, long))
    sealed = opened(path)
    verdict = verified(sealed, long if make is bundle else None, None)
    assert not verdict.fails, verdict.fails
    rows = evaluator_of(result.spec, long).dataset.rows
    assert all(f'"{row}"' in sealed.parts["folds.json"].decode() for row in rows)
    assert not verified(sealed, None, 0.5).fails


def test_report_and_text_of_methods_say_so(long, result):
    for text in (report_html(result, long), methods_text(result, long)):
        text = text.decode() if isinstance(text, bytes) else text
        assert f"on {TAKEN} rows sampled from all classes" in text


def test_a_run_of_the_command_line_resumes_and_writes_the_same(tmp_path):
    asked = ("--method", "bspsa", "--set", "max_iterations=15", "--set", "search_rows=90", "--outer", "2")
    with reports_sketched():
        fsdesk("run", "sample:wine", *asked, "--out", tmp_path / "one")
        fsdesk("run", "sample:wine", *asked, "--workers", "2", "--out", tmp_path / "two")
        assert contents(tmp_path / "one") == contents(tmp_path / "two")
        fsdesk("resume", tmp_path / "one" / "run.fsdesk")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
