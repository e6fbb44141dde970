"""Where memory runs out in a worker, its task says so in a sentence; others go on, and so does the worker."""

import sys

import numpy as np
import psutil
import pytest

from fsdesk.data import share
from fsdesk.engine import RunSpec, Wanted, WorkerPool
from fsdesk.results.job import job_task
from tests.unit.engine.test_pool import Recorder, count

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="macOS and Windows have no such limit")

_LITTLE = 8 * 2**20  # bytes
SEARCH = Wanted(fresh=False, own=False)


def run_in_little_memory(control, room, *arguments):
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + room, before[1]))
    try:
        yield from job_task(control, *arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def run_small(pool, small, wrapper, folder):
    recorder = Recorder()
    spec = RunSpec.make(small, method="bspsa", wrapper=wrapper, settings={"max_iterations": 5})
    recorder.submit(pool, job_task, spec, share(small, folder), SEARCH, (), (), 1)
    assert recorder.wait().status == "done"


@pytest.fixture(scope="module")
def pool():
    pool = WorkerPool(2)
    yield pool
    pool.close()


@pytest.fixture(scope="module")
def large(make_dataset):
    """32 MB."""
    return make_dataset(np.random.default_rng(0).normal(size=(4000, 1000)), np.arange(4000) % 2)


@pytest.mark.parametrize(
    ("wrapper", "maps"), [("nn", True), ("svm", True), ("cart", True), ("GaussianNB", True), ("nn", False)]
)
def test_a_run_for_which_there_is_not_enough_memory_says_so_and_other_runs_go_on(
    wrapper, maps, pool, make_dataset, large, tmp_path
):
    small = make_dataset(np.random.default_rng(0).normal(size=(60, 6)), np.arange(60) % 2)
    beside, starved = Recorder(), Recorder()
    going_on = beside.submit(pool, count, 100_000, 0.01)
    beside.arrived.get(timeout=180)
    run_small(pool, small, wrapper, tmp_path)  # what is imported at first needs memory, too
    room = _LITTLE + maps * large.x.nbytes  # the table fits, or not even that
    spec = RunSpec.make(large, method="bspsa", wrapper=wrapper)
    starved.submit(pool, run_in_little_memory, room, spec, share(large, tmp_path), SEARCH, (), (), 1)
    ended = starved.wait()
    assert (ended.status, ended.died) == ("failed", False), ended
    assert ended.message.startswith("There is not enough memory for this"), ended
    run_small(pool, small, wrapper, tmp_path)
    while not beside.arrived.empty():
        beside.arrived.get()
    beside.arrived.get(timeout=60)
    going_on.stop()
    assert beside.wait().status == "stopped"
