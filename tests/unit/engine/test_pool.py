"""The pool with real worker processes."""

import multiprocessing
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from fsdesk.engine import Flag, WorkerPool, messages_of, worker
from fsdesk.errors import DataError


def count(control, limit, seconds):
    for number in range(limit):
        if control.should_stop():
            return
        time.sleep(seconds)
        yield number


def tell_process(control):
    yield os.getpid()
    while not control.should_stop():
        time.sleep(0.01)


def tell_priority(control):
    yield psutil.Process().nice()


def chatter(control):
    while True:
        yield bytes(100_000)


def wait_for_a_steering(control):
    yield os.getpid()
    while not control.should_stop():
        time.sleep(0.01)


def ignore_stop(control):
    yield os.getpid()
    time.sleep(600)


def keep_in_a_circle(control, path):
    circle = [np.load(path, mmap_mode="r")]
    circle.append(circle)
    yield os.getpid()


def work_in_threads(control, pieces):
    def fill():
        np.ones(20 << 17)  # the more was freed in one piece, the more glibc keeps
        _ = [np.ones(50_000) for _ in range(pieces)]

    threads = [threading.Thread(target=fill) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield os.getpid()


def complain(control):
    yield "before"
    raise DataError("The table is upside down: turn it.")


def crash(control):
    yield 1 / 0


class Recorder:
    """Collects what a task says; ``wait`` returns its end."""

    def __init__(self):
        self.messages = []
        self.arrived = queue.Queue()
        self.ended = queue.Queue()

    def take(self, message):
        self.messages.append(message)
        self.arrived.put(message)

    def submit(self, pool, function, *arguments):
        return pool.submit(function, *arguments, on_message=self.take, on_end=self.ended.put)

    def wait(self):
        return self.ended.get(timeout=180)


@pytest.fixture(scope="module")
def pool():
    pool = WorkerPool(2)
    yield pool
    pool.close()


def test_messages_arrive_in_order_and_the_end_last(pool):
    recorder = Recorder()
    recorder.submit(pool, count, 20, 0)
    assert recorder.wait().status == "done"
    assert recorder.messages == list(range(20))


def test_tasks_that_follow_one_another_are_done_by_one_worker_that_has_loaded_what_they_need(pool):
    processes = set()
    for _ in range(4):
        recorder = Recorder()
        task = recorder.submit(pool, tell_process)
        processes.add(recorder.arrived.get(timeout=180))
        task.stop()
        assert recorder.wait().status in ("done", "stopped")
        time.sleep(0.05)  # the thread of the worker has its end behind it
    assert len(processes) == 1


def test_a_stopped_task_ends_between_two_steps(pool):
    recorder = Recorder()
    task = recorder.submit(pool, count, 10_000, 0.01)
    recorder.arrived.get(timeout=180)
    task.stop()
    assert recorder.wait().status == "stopped"
    assert 0 < len(recorder.messages) < 1000


def paused_at(recorder):
    """How many messages there are once no more come."""
    so_far = -1
    while so_far < len(recorder.messages):
        so_far = len(recorder.messages)
        time.sleep(0.3)
    return so_far


def test_a_paused_task_waits_and_a_resumed_one_goes_on_to_the_end(pool):
    recorder = Recorder()
    task = recorder.submit(pool, count, 200, 0.01)
    recorder.arrived.get(timeout=180)
    task.pause()
    assert paused_at(recorder) < 200
    task.resume()
    assert recorder.wait().status == "done"
    assert recorder.messages == list(range(200))


def test_a_paused_task_can_be_stopped(pool):
    recorder = Recorder()
    task = recorder.submit(pool, count, 10_000, 0.01)
    recorder.arrived.get(timeout=180)
    task.pause()
    task.stop()
    assert recorder.wait().status == "stopped"


def test_workers_run_below_the_priority_of_the_window(pool):
    recorder = Recorder()
    recorder.submit(pool, tell_priority)
    assert recorder.wait().status == "done"
    below = psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else min(19, psutil.Process().nice() + 15)
    assert recorder.messages == [below]


def test_what_the_user_did_wrong_comes_back_as_its_sentence(pool):
    recorder = Recorder()
    recorder.submit(pool, complain)
    ended = recorder.wait()
    assert (ended.status, ended.message) == ("failed", "The table is upside down: turn it.")
    assert recorder.messages == ["before"]


def test_a_fault_of_ours_comes_back_as_a_sentence_with_details_for_the_log(pool):
    recorder = Recorder()
    recorder.submit(pool, crash)
    ended = recorder.wait()
    assert ended.status == "failed"
    assert "A worker failed" in ended.message
    assert "ZeroDivisionError" in ended.details


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_worker_fails_its_task_alone_and_is_replaced(pool):
    victim, other = Recorder(), Recorder()
    victim.submit(pool, tell_process)
    task = other.submit(pool, tell_process)
    os.kill(victim.arrived.get(timeout=180), signal.SIGKILL)
    ended = victim.wait()
    assert ended.status == "failed"
    assert "killed" in ended.message
    assert "Nothing logged is lost" in ended.message
    other.arrived.get(timeout=180)
    task.stop()
    assert other.wait().status == "stopped"
    third, fourth = Recorder(), Recorder()
    third.submit(pool, count, 3, 0)
    fourth.submit(pool, count, 3, 0)
    assert third.wait().status == fourth.wait().status == "done"


def test_a_worker_that_does_not_answer_is_terminated_after_the_grace_period(monkeypatch):
    monkeypatch.setattr("fsdesk.engine.pool.GRACE_SECONDS", 0.2)
    pool = WorkerPool(1)
    try:
        recorder = Recorder()
        task = recorder.submit(pool, ignore_stop)
        recorder.arrived.get(timeout=180)
        task.stop()
        assert recorder.wait().status == "stopped"
        again = Recorder()
        again.submit(pool, count, 3, 0)
        assert again.wait().status == "done"
    finally:
        pool.close()


def test_a_task_stopped_before_its_turn_never_starts():
    pool = WorkerPool(1)
    try:
        first, second = Recorder(), Recorder()
        running = first.submit(pool, tell_process)
        waiting = second.submit(pool, count, 5, 0)
        waiting.stop()
        running.stop()
        assert first.wait().status == "stopped"
        assert second.wait().status == "stopped"
        assert second.messages == []
    finally:
        pool.close()


OWNER = """
import sys, time
from fsdesk.engine import WorkerPool
from fsdesk.results.job import warm_task
if __name__ == "__main__":
    pool = WorkerPool(1)
    pool.submit(warm_task, on_message=print, on_end=lambda ended: print(ended.status, flush=True))
    time.sleep(600)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_workers_end_when_their_owner_is_killed(tmp_path):
    script = tmp_path / "owner.py"
    script.write_text(OWNER)
    owner = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    while owner.stdout.readline().strip() != "done":
        pass
    children = _children(owner.pid)
    assert children
    owner.kill()
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 60
    while any(_is_alive(child) for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _children(pid):
    stats = {int(entry.name): _stat(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    return [child for child, stat in stats.items() if stat and int(stat[1]) == pid]


def _is_alive(pid):
    stat = _stat(pid)
    return bool(stat) and stat[0] != "Z"


def _stat(pid):
    """State, parent and so on of a process; nothing where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


@pytest.mark.parametrize("does", [chatter, wait_for_a_steering])
def test_a_worker_whose_owner_is_gone_ends_without_a_word(does, capfd):
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=worker.main, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    ours.send(worker.Start(1, does, ()))
    ours.recv()
    ours.close()
    process.join(60)
    assert process.exitcode == 1
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_that_is_told_to_end_is_not_said_to_have_lacked_memory(pool):
    victim = Recorder()
    victim.submit(pool, tell_process)
    os.kill(victim.arrived.get(timeout=180), signal.SIGTERM)
    ended = victim.wait()
    assert ended.died
    assert "it was terminated by the system" in ended.message
    assert "memory" not in ended.message


def test_an_owner_that_fails_on_a_message_hears_the_end_and_others_go_on(pool):
    ended, recorder = queue.Queue(), Recorder()

    def fail(message):
        raise OSError("no room for messages")

    pool.submit(count, 3, 0, on_message=fail, on_end=ended.put)
    recorder.submit(pool, count, 3, 0)
    assert "no room for messages" in ended.get(timeout=180).message
    assert recorder.wait().status == "done"


def test_a_task_that_cannot_be_sent_fails_alone(pool):
    hopeless, recorder = Recorder(), Recorder()
    hopeless.submit(pool, count, lambda: 3, 0)
    recorder.submit(pool, count, 3, 0)
    assert hopeless.wait().status == "failed"
    assert recorder.wait().status == "done"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_killed_while_idle_is_replaced_before_the_next_task():
    lone = WorkerPool(1)
    try:
        first, second = Recorder(), Recorder()
        task = first.submit(lone, tell_process)
        process = first.arrived.get(timeout=180)
        task.stop()
        first.wait()
        os.kill(process, signal.SIGKILL)
        time.sleep(1)  # its threads take a moment to go
        second.submit(lone, count, 3, 0)
        ended = second.wait()
        assert ended.status == "done", ended
    finally:
        lone.close()


def test_an_idle_worker_holds_no_data_of_its_last_task(pool, tmp_path):
    path = tmp_path / "data.npy"
    np.save(path, np.zeros(1000))
    recorder = Recorder()
    recorder.submit(pool, keep_in_a_circle, str(path))
    assert recorder.wait().status == "done"
    worker_process = psutil.Process(recorder.messages[0])
    deadline = time.monotonic() + 30
    while any(path.name in each.path for each in worker_process.open_files()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc")
def test_an_idle_worker_gives_back_what_its_threads_have_freed(pool):
    held = []
    for pieces in (1, 100):
        recorder = Recorder()
        recorder.submit(pool, work_in_threads, pieces)
        assert recorder.wait().status == "done"
        worker_process = psutil.Process(recorder.messages[0])
        deadline = time.monotonic() + 30
        while (now := worker_process.memory_full_info().uss) > (held or [now])[
            0
        ] + 10e6 and time.monotonic() < deadline:
            time.sleep(0.05)
        held.append(now)
    assert held[1] < held[0] + 10e6


class Narrow:
    """A pool that has room for one task at a time."""

    def __init__(self, pool):
        self._pool, self.at_work, self.most = pool, 0, 0

    def has_room(self):
        return self.at_work == 0

    def submit(self, function, *arguments, on_message, on_end):
        def end(ended):
            self.at_work -= 1
            on_end(ended)

        self.at_work += 1
        self.most = max(self.most, self.at_work)
        return self._pool.submit(function, *arguments, on_message=on_message, on_end=end)


def test_many_tasks_wait_until_there_is_room_for_them(pool):
    narrow = Narrow(pool)
    came = list(messages_of(narrow, count, [(2, 0.0), (3, 0.0), (1, 0.0)], Flag()))
    assert came == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0)]
    assert narrow.most == 1


def test_tasks_that_wait_for_room_do_not_begin_after_a_stop(pool):
    flag, came = Flag(), []
    for place, _ in messages_of(Narrow(pool), count, [(1000, 0.01), (1000, 0.01)], flag):
        came.append(place)
        flag.stop = True
    assert set(came) == {0} and len(came) < 1000
