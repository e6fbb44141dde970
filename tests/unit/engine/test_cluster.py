"""The pool on a real Dask cluster: scheduler and workers in processes of their own, on loopback."""

import os
import socket
import sys
import threading
import time

import numpy as np
import psutil
import pytest

from fsdesk.data import share
from fsdesk.engine import Flag, Repeated, RunSpec, RunState, Steered, ThreadExecutor, Wanted, request, run
from fsdesk.engine import cluster as cluster_module
from fsdesk.engine.cluster import ClusterPool
from fsdesk.engine.request import library_versions
from fsdesk.engine.tasks import evaluator_of
from fsdesk.engine.worker import continued_by
from fsdesk.errors import SettingsError, WorkerError
from fsdesk.results.job import job_task
from tests.clusters import Cluster, collect_sockets, needs_distributed
from tests.unit.engine.test_pool import Recorder, complain, count, crash, paused_at, tell_process

pytestmark = needs_distributed

SEARCH = Wanted(fresh=False, own=False)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.start_scheduler()
    cluster.add_worker()
    cluster.add_worker()
    yield cluster
    cluster.close()


@pytest.fixture
def pool(cluster):
    if all(worker.poll() is not None for worker in cluster.workers):  # the test before killed them
        cluster.add_worker()
    cluster.wait_for_workers()
    pool = ClusterPool(cluster.address)
    pool.connect()
    yield pool
    pool.close()
    collect_sockets()


def test_without_dask_it_says_what_to_install_and_the_program_of_an_installer_where_to_go(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SettingsError, match=r'Install it with: pip install "fsdesk\[cluster\]"'):
        ClusterPool("tcp://127.0.0.1:8786")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(SettingsError, match=r"This program cannot use a cluster\. Install fsdesk in a Python"):
        ClusterPool("tcp://127.0.0.1:8786")


def test_messages_arrive_in_order_and_the_end_last(pool):
    recorder = Recorder()
    recorder.submit(pool, count, 500, 0)
    assert recorder.wait().status == "done"
    assert recorder.messages == list(range(500))
    assert pool.busy == 0


def test_a_paused_task_waits_a_resumed_one_goes_on_and_a_stopped_one_ends_soon(pool):
    recorder = Recorder()
    task = recorder.submit(pool, count, 10_000, 0.01)
    recorder.arrived.get(timeout=60)
    task.pause()
    so_far = paused_at(recorder)
    task.resume()
    wait_for(recorder, so_far + 1)
    task.stop()
    assert recorder.wait().status == "stopped"
    assert recorder.messages == list(range(len(recorder.messages)))
    assert len(recorder.messages) < 10_000


def test_what_a_task_complains_of_is_its_end(pool):
    recorder = Recorder()
    recorder.submit(pool, complain)
    ended = recorder.wait()
    assert (ended.status, ended.message) == ("failed", "The table is upside down: turn it.")
    assert recorder.messages == ["before"]
    recorder.submit(pool, crash)
    ended = recorder.wait()
    assert ended.status == "failed"
    assert "ZeroDivisionError" in ended.message
    assert "crash" in ended.details


def test_a_task_that_waits_for_a_worker_can_be_stopped(pool):
    at_work = [Recorder() for _ in range(4)]
    tasks = [recorder.submit(pool, tell_process) for recorder in at_work]
    for recorder in at_work:
        recorder.arrived.get(timeout=60)
    waiting = Recorder()
    waiting.submit(pool, tell_process).stop()
    assert waiting.wait().status == "stopped"
    assert not waiting.messages
    for task in tasks:
        task.stop()
    assert {recorder.wait().status for recorder in at_work} == {"stopped"}


def events_of(spec, dataset):
    with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
        return list(run(spec, dataset, executor))


def outcome(events):
    """All of a run but the seconds, which differ from time to time."""
    state = RunState()
    numbers = []
    for event in events:
        state.apply(event)
        for name in ("masks", "values", "std_errors", "weights", "judged"):
            value = getattr(event, name, None)
            if value is not None:
                numbers.append(value.tobytes())
    return state.status, state.best.mask.tolist(), state.best.mean, state.evaluations, numbers


def test_a_run_on_the_cluster_is_the_same_to_the_bit(pool, planted, tmp_path):
    spec = RunSpec.make(planted, method="bspsa", seed=4, settings={"max_iterations": 60})
    recorder = Recorder()
    recorder.submit(pool, job_task, spec, share(planted, tmp_path), SEARCH, (), (), 1)
    assert recorder.wait().status == "done"
    here, there = outcome(events_of(spec, planted)), outcome(recorder.messages)
    assert len(here[-1]) > 60
    assert there == here


def test_a_stop_is_obeyed_in_the_middle_of_a_measurement(pool, make_dataset, tmp_path):
    rng = np.random.default_rng(0)
    wide = make_dataset(rng.normal(size=(3000, 200)), np.arange(3000) % 2)
    settings = {"repeats": 400}  # minutes of one thread
    spec = RunSpec.make(wide, method="bspsa", wrapper="svm", settings=settings)
    recorder = Recorder()
    task = recorder.submit(pool, job_task, spec, share(wide, tmp_path), SEARCH, (), (), 1)
    wait_for(recorder, 1)
    time.sleep(0.5)
    task.stop()
    assert recorder.wait().status == "stopped"
    assert [event.kind for event in recorder.messages] == ["RunStarted", "RunFinished"]


def after(arguments, came):
    return (*arguments[:3], (*arguments[3], *came), *arguments[4:])


@continued_by(after)
def run_slowly(control, *arguments):
    for event in job_task(control, *arguments):
        time.sleep(0.004)
        yield event


def wait_for(recorder, count):
    deadline = time.monotonic() + 60
    while len(recorder.messages) < count:
        assert time.monotonic() < deadline
        assert recorder.ended.empty()
        time.sleep(0.02)


def test_a_run_goes_on_where_it_was_when_its_worker_is_killed_and_when_the_scheduler_is_restarted(
    cluster, pool, planted, tmp_path
):
    from distributed import Client

    spec = RunSpec.make(planted, method="bspsa", seed=1, settings={"max_iterations": 400})
    change = Steered(pin=("feature 2",))
    recorder, other = Recorder(), Recorder()
    task = recorder.submit(pool, run_slowly, spec, share(planted, tmp_path), SEARCH, (), (), 1)
    beside = other.submit(pool, tell_process)
    other.arrived.get(timeout=60)
    wait_for(recorder, 30)
    task.steer(change)
    first = task.begun.address
    with Client(cluster.address, set_as_default=False) as client:
        pids = client.run(os.getpid, workers=[first])
    psutil.Process(pids[first]).kill()
    wait_for(recorder, len(recorder.messages) + 60)
    assert task.begun.address != first
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    so_far = len(recorder.messages)
    cluster.start_scheduler()
    for worker in cluster.workers:  # as Dask's own do: without their scheduler they end
        worker.wait(timeout=60)
    cluster.workers.clear()
    cluster.add_worker()
    assert recorder.wait().status == "done"
    assert len(recorder.messages) > so_far + 60
    (steered,) = (event for event in recorder.messages if isinstance(event, Steered))
    flag = Repeated(Flag(), [steered])
    with ThreadExecutor(evaluator_of(spec, planted)) as executor:
        here = list(run(spec, planted, executor, (), flag))
    assert outcome(recorder.messages) == outcome(here)
    beside.stop()
    assert other.wait().status == "stopped"
    assert len(other.messages) == 1  # what it had said before its worker was gone is not said again


def die(control):
    yield "alive"
    time.sleep(0.5)
    os._exit(1)


def test_a_task_that_kills_its_workers_is_given_up(cluster, pool):
    cluster.add_worker()
    cluster.add_worker()
    recorder = Recorder()
    recorder.submit(pool, die)
    ended = recorder.wait()
    assert ended.status == "failed"
    assert ended.died
    assert "memory" in ended.message
    assert recorder.messages == ["alive"]


def echo(control, steps, changes):
    """Numbers, and at the end all changes that have come."""
    received = []
    for number in range(steps):
        received += control.steerings_before(number)
        yield number
        time.sleep(0.003)
    while len(received) < changes:
        received += control.steerings_before(steps)
        time.sleep(0.003)
    yield received


def test_nothing_is_lost_or_doubled_where_answers_are_lost(pool, monkeypatch):
    from distributed import Client

    rng, call = np.random.default_rng(5), Client.run

    def unsure(client, *arguments, **options):
        if rng.random() < 0.3:
            raise TimeoutError("on the way there")
        answer = call(client, *arguments, **options)
        if rng.random() < 0.3:
            raise TimeoutError("on the way back")
        return answer

    monkeypatch.setattr(Client, "run", unsure)
    changes = [Steered(iterations=count) for count in range(1, 30)]
    recorder = Recorder()
    task = recorder.submit(pool, echo, 300, len(changes))
    for change in changes:
        task.steer(change)
        time.sleep(0.02)
    assert recorder.wait().status == "done"
    assert recorder.messages == [*range(300), changes]


ENDED = threading.Event()


def wait_for_ever(control):
    while not control.should_stop():
        yield "alive"
        time.sleep(0.01)
    ENDED.set()


def test_a_task_whose_owner_is_gone_ends_even_while_paused():
    from distributed import Client, LocalCluster

    recorder = Recorder()
    with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as local:
        with Client(local) as client:
            pool = ClusterPool(client)
            task = recorder.submit(pool, wait_for_ever)
            recorder.arrived.get(timeout=60)
            task.pause()
            paused_at(recorder)
        assert ENDED.wait(60)
        pool.close()


def test_a_cluster_with_another_version_is_refused_before_anything_runs(cluster, pool, monkeypatch):
    real = library_versions()
    monkeypatch.setattr(request, "_version", lambda name: "9.9" if name == "numpy" else real[name])
    other = ClusterPool(cluster.address)
    with pytest.raises(WorkerError, match=rf"worker tcp://\S+ has numpy {real['numpy']}, .* has numpy 9\.9\. "):
        other.connect()
    recorder = Recorder()
    recorder.submit(other, count, 3, 0)
    assert "numpy 9.9" in recorder.wait().message
    assert not recorder.messages
    other.close()


def test_a_worker_without_fsdesk_is_named_and_refused(cluster, pool, monkeypatch):
    from distributed import Client

    missing = ModuleNotFoundError("No module named 'fsdesk'")
    monkeypatch.setattr(Client, "run", lambda client, *_, **__: {"tcp://a:1": missing})
    other = ClusterPool(cluster.address)
    with pytest.raises(WorkerError, match="worker tcp://a:1 has no usable fsdesk"):
        other.connect()
    other.close()


def test_an_address_where_nobody_listens_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1.0)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    pool = ClusterPool(f"tcp://127.0.0.1:{port}")
    with pytest.raises(WorkerError, match="No cluster scheduler responds"):
        pool.connect()
    pool.close()
    with pytest.raises(SettingsError, match="address of its scheduler"):
        ClusterPool(" ")
