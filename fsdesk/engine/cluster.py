"""A pool with the workers of a Dask cluster: code written for :class:`WorkerPool` runs there unchanged.

Each task is a Dask task. Its worker sends the yielded messages as Dask events, and the owner uses ``Client.run`` to
start, pause, stop or change it. If the owner is lost, Dask cancels its tasks, and they end by themselves.

Dask would rerun the task of a lost worker from its start. Such a second start is canceled; the pool stores the messages
received and resubmits the task to continue after them, so that the submitter notices nothing. The same
happens if the scheduler was restarted.
"""

import itertools
import pickle
import queue
import socket
import sys
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np

from fsdesk.data import Dataset, Shared, Table
from fsdesk.engine.events import Steered
from fsdesk.engine.pool import GRACE_SECONDS
from fsdesk.engine.request import library_versions
from fsdesk.engine.worker import Ended, TaskFunction, carried_out, continues
from fsdesk.errors import SettingsError, WorkerError
from fsdesk.messages import message

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

T = TypeVar("T", Table, Dataset)

CONNECT_SECONDS = 10.0
_RECONNECT_SECONDS = 300.0  # seconds that a scheduler may take to come back
_PATIENCE_SECONDS = 2.0  # seconds for a worker's response
_LOOK_SECONDS = 0.25
_LARGE = 1_000_000  # bytes of arguments that bypass the scheduler's memory
_MOST_DEATHS = 3  # lost workers of a task in a row without any progress

_Wanted = Literal["go", "pause", "stop"]


# On a worker


class _Attempt:
    """A task running on a worker: the control that it polls."""

    def __init__(self, worker: "Worker", key: Any) -> None:
        self.stopped = False
        self._worker, self._key = worker, key
        self._wanted: _Wanted | None = None
        self._changed = threading.Condition()
        self._changes: list[Steered] = []
        self._received = 0

    def update(self, wanted: _Wanted, changes: Sequence[Steered]) -> None:
        """Receive the owner's requests and all changes so far; runs on the worker's event loop."""
        with self._changed:
            self._wanted = wanted
            self._changes += changes[self._received :]
            self._received = max(self._received, len(changes))
            self._changed.notify_all()

    def may_begin(self) -> bool:
        """Wait until the owner requests this task on this worker, since it may be a second start."""
        with self._changed:
            while not self.halts() and self._wanted is None:
                self._changed.wait(_LOOK_SECONDS)
        return not self.stopped or self._wanted is not None

    def wants(self) -> bool:
        """Whether something has arrived that the task has not processed yet."""
        return self.halts() or self._wanted == "pause" or bool(self._changes)

    def halts(self) -> bool:
        """Whether it should stop; Dask cancels tasks that nobody waits for."""
        task = self._worker.state.tasks.get(self._key)
        self.stopped |= self._wanted == "stop" or task is None or task.state == "cancelled"
        return self.stopped

    def should_stop(self) -> bool:
        """Wait while paused; then say whether to stop."""
        with self._changed:
            while not self.halts() and self._wanted == "pause":
                self._changed.wait(_LOOK_SECONDS)
        return self.stopped

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """Changes since the last call."""
        with self._changed:
            changes, self._changes = self._changes, []
        return changes


_attempts: dict[str, _Attempt] = {}


def _update(name: str, wanted: _Wanted, changes: Sequence[Steered]) -> None:
    """Pass the owner's requests to an attempt; the owner calls this on the worker."""
    if name in _attempts:
        _attempts[name].update(wanted, changes)


@cache
def _one_blas_thread() -> None:
    """Permanently use one BLAS thread: tasks share this process, and the number must not change during any of them."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)


def _carry_out(topic: str, number: int, call: bytes, *sent: "_Sent[Any]") -> None:
    """The Dask task: announce a task, run its generator, and report its end."""
    from distributed import get_worker

    worker, name = get_worker(), uuid.uuid4().hex

    def send(content: object) -> None:
        worker.log_event(topic, [number, name, pickle.dumps(content, pickle.HIGHEST_PROTOCOL)])

    attempt = _attempts[name] = _Attempt(worker, worker.get_current_task())
    try:
        send(_Begun(name, worker.address, library_versions()))
        if not attempt.may_begin():
            return
        _one_blas_thread()
        function, arguments = pickle.loads(call)
        arguments = tuple(sent[each.place] if isinstance(each, _Place) else each for each in arguments)
        send(carried_out(function, arguments, attempt, send))
    finally:
        del _attempts[name]


@dataclass(frozen=True)
class _Begun:
    """A worker has started a task: the first message of an attempt."""

    name: str
    address: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class _Place:
    """Placeholder in a pickled call for the data set or table with this number, which is sent separately."""

    place: int


@dataclass(frozen=True)
class _Sent(Generic[T]):
    """A table or data set sent to the workers once; there it takes the place of its :class:`Shared`."""

    thing: T

    def open(self) -> T:
        """The table or data set; all tasks of a worker process share one copy."""
        name = "x" if isinstance(self.thing, Dataset) else "values"
        array = getattr(self.thing, name)
        # Data received over the network may be unaligned in memory.
        return self.thing if array.flags.aligned else replace(self.thing, **{name: np.require(array, None, ["A", "F"])})


# The owner


class ClusterTask:
    """A task submitted to a cluster. All methods may be called from any thread, at any time, and return immediately."""

    def __init__(
        self,
        number: int,
        function: TaskFunction,
        arguments: tuple[Any, ...],
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
        wake: "Callable[[ClusterTask], None]",
    ) -> None:
        self.number, self.function, self.arguments = number, function, arguments
        self.on_message, self.on_end = on_message, on_end
        self.future: Future[None] | None = None
        self.data: list[Future[Any]] = []
        self.begun: _Begun | None = None
        self.informed: tuple[_Wanted, int] | None = None
        self._wake = wake
        self._lock = threading.Lock()
        self._wanted: _Wanted = "go"
        self._stop_asked = np.inf
        self._changes: list[Steered] = []
        self._came: list[Any] = []
        self._deaths = self._again = 0

    def pause(self) -> None:
        """Pause before the next step."""
        self._want("pause")

    def resume(self) -> None:
        """Resume after a pause."""
        self._want("go")

    def stop(self) -> None:
        """Stop before the next step; a task that does not stop within the grace period is abandoned."""
        self._want("stop")

    def steer(self, change: Steered) -> None:
        """Change something before the next step."""
        with self._lock:
            self._changes.append(change)
        self._wake(self)

    def kill(self) -> None:
        """Abandon the task; the worker stops it as soon as it can."""
        self._stop_asked = -np.inf
        self._want("stop")

    def _want(self, wanted: _Wanted) -> None:
        with self._lock:
            if self._wanted != "stop":
                self._wanted = wanted
            if wanted == "stop":
                self._stop_asked = min(self._stop_asked, time.monotonic())
        self._wake(self)

    @property
    def is_stopped(self) -> bool:
        """Whether it has been asked to stop."""
        return self._wanted == "stop"

    @property
    def is_overdue(self) -> bool:
        """Whether it should have stopped by now."""
        return self.is_stopped and time.monotonic() - self._stop_asked > GRACE_SECONDS

    @property
    def news(self) -> tuple[_Wanted, tuple[Steered, ...]]:
        """What its worker is sent: the current request and all changes so far."""
        with self._lock:
            return self._wanted, tuple(self._changes)

    def take(self, content: Any) -> None:
        """Forward new messages, except those already received from another worker."""
        if self._again:
            self._again -= 1
            return
        self._came.append(content if continues(self.function) else None)
        self._deaths = 0
        self.on_message(content)

    def died(self) -> bool:
        """Decide, after its worker is lost, whether the task continues on another one from the messages received."""
        self._deaths += 1
        if self._deaths >= _MOST_DEATHS:
            return False
        self.begun = self.future = self.informed = None
        continuation = continues(self.function)
        if continuation is None:
            self._again = len(self._came)
        else:
            with self._lock:  # changes already in the log are not repeated
                del self._changes[: sum(isinstance(each, Steered) for each in self._came)]
            self.arguments, self._came = continuation(self.arguments, self._came), []
        return True


class ClusterPool:
    """The workers of a Dask cluster, as a pool of tasks.

    ``on_message`` and ``on_end`` of a task are called on the thread of this pool, messages in order, the end last and
    exactly once. A task runs on one thread of its worker. It continues elsewhere automatically if its worker dies or
    the scheduler is restarted.

    Parameters
    ----------
    cluster
        The address of a scheduler, such as ``"tcp://10.0.0.5:8786"``, or a ``dask.distributed.Client``, which stays
        open afterward. Certificates of ``tls://`` come from Dask's own configuration.

    Raises
    ------
    SettingsError
        If Dask is not installed here, or the address is invalid.
    """

    def __init__(self, cluster: "str | Client") -> None:
        try:
            import distributed
        except ImportError:
            if getattr(sys, "frozen", False):  # pip cannot add anything to the program of an installer
                raise SettingsError(
                    "This program cannot use a cluster. Install fsdesk in a Python environment, the same one as on "
                    "the cluster, and run the same command there."
                ) from None
            raise SettingsError(
                'A cluster needs the library "distributed". Install it with: pip install "fsdesk[cluster]".'
            ) from None
        self._given = cluster if isinstance(cluster, distributed.Client) else None
        if self._given is None and not (isinstance(cluster, str) and cluster.strip()):
            raise SettingsError(
                'Specify a cluster by the address of its scheduler, such as "tcp://10.0.0.5:8786", or by a Client.'
            )
        if self._given is not None and self._given.asynchronous:
            raise SettingsError("The Client of a cluster must not be asynchronous.")
        self.address = cluster.strip() if isinstance(cluster, str) else cluster.scheduler_info()["address"]
        self.size = 1
        self._security = None if self._given is None else self._given.security
        self._client: Client | None = None
        self._scheduler = ""  # the scheduler the client is connected to: it may be restarted
        self._was_connected = self._closed = False
        self._topic = f"fsdesk-{uuid.uuid4().hex}"
        self._numbers = itertools.count(1)
        self._tasks: dict[int, ClusterTask] = {}
        self._inbox: queue.SimpleQueue[ClusterTask | tuple[int, str, bytes] | None] = queue.SimpleQueue()
        self._sent: dict[str, Future[Any]] = {}
        self._thread: threading.Thread | None = None
        self._call_for_workers: Future[Any] | None = None
        self._lock = threading.Lock()

    @property
    def busy(self) -> int:
        """Number of tasks running on workers."""
        return sum(task.begun is not None for task in list(self._tasks.values()))

    @property
    def has_tasks(self) -> bool:
        """Whether some task has not ended."""
        return bool(self._tasks)

    def warm(self) -> None:
        """Connect in the background."""
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._serve, name="cluster", daemon=True)
                self._thread.start()

    def has_room(self) -> bool:
        """Always true: tasks wait here for a worker."""
        return True

    def grow(self, size: int) -> None:
        """Do nothing: the cluster determines its workers."""

    def connect(self) -> int:
        """Connect now, and return how many tasks the present workers can run at once.

        Raises
        ------
        WorkerError
            If there is no scheduler, or a worker has another version of fsdesk, numpy or scikit-learn, on which results
            may depend.
        """
        with self._lock:
            return self._connected()

    def submit(
        self,
        function: TaskFunction,
        *arguments: object,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ended], None],
    ) -> ClusterTask:
        """Run ``function(control, *arguments)`` on a worker, as :meth:`WorkerPool.submit` does locally.

        A :class:`Shared` argument is sent to the cluster once.
        """
        task = ClusterTask(next(self._numbers), function, arguments, on_message, on_end, self._inbox.put)
        self._tasks[task.number] = task
        self.warm()
        self._inbox.put(task)
        return task

    def close(self) -> None:
        """Abandon all tasks and leave the cluster; stop tasks before this if they should end properly."""
        self._closed = True
        for task in list(self._tasks.values()):
            task.kill()
        self._inbox.put(None)
        if self._thread is not None:
            self._thread.join()
        for task in list(self._tasks.values()):
            self._end(task, Ended("stopped"))
        self._leave()

    # On the thread of the pool

    def _serve(self) -> None:
        looked = 0.0
        while True:
            with suppress(queue.Empty):
                news = self._inbox.get(timeout=_LOOK_SECONDS)
                if news is None:
                    return
                if isinstance(news, tuple):
                    self._take(*news)
                elif news.number in self._tasks:
                    self._attend(news)
            if time.monotonic() - looked > _LOOK_SECONDS:
                workers = self._workers() if self._tasks else set()
                for task in list(self._tasks.values()):
                    self._look_after(task, workers)
                looked = time.monotonic()

    def _attend(self, task: ClusterTask) -> None:
        """Apply the current requests to a task."""
        if task.begun is not None:
            self._inform(task)
        elif task.is_stopped:
            self._end(task, Ended("stopped"))
        elif task.future is None:
            self._hand_in(task)

    def _hand_in(self, task: ClusterTask) -> None:
        try:
            with self._lock:
                self._connected()
                client = self._client
            assert client is not None
            if client.nthreads():
                self._call_for_workers = None
                self._submit(task, client)
            elif self._call_for_workers is None:  # adaptive clusters start workers only on demand
                self._call_for_workers = client.submit(library_versions, pure=False)
        except WorkerError as error:
            self._end(task, Ended("failed", error.args[0], died=True))
        except Exception as error:
            if self._is_alive():
                sentence = message(
                    "The task could not be sent to the cluster ({name}: {error}).",
                    name=type(error).__name__,
                    error=error,
                )
                self._end(task, Ended("failed", sentence, traceback.format_exc()))
            else:
                self._lost(task)

    def _submit(self, task: ClusterTask, client: "Client") -> None:
        places: list[Future[Any]] = []
        arguments: list[object] = []
        for argument in task.arguments:
            if isinstance(argument, Shared):
                arguments.append(_Place(len(places)))
                places.append(self._scattered(argument, client))
            else:
                arguments.append(argument)
        call: Any = pickle.dumps((task.function, tuple(arguments)), pickle.HIGHEST_PROTOCOL)
        task.data = list(places)
        if len(call) > _LARGE:
            call = client.scatter(call, hash=False)
            task.data.append(call)
        key = f"{task.function.__name__}-{uuid.uuid4().hex}"
        task.future = client.submit(_carry_out, self._topic, task.number, call, *places, key=key, pure=False)

    def _scattered(self, shared: Shared[Any], client: "Client") -> "Future[Any]":
        """The data on the cluster, sent if not there yet."""
        thing = shared.open()
        key = str(thing.fingerprint) if isinstance(thing, Dataset) else shared.token
        known = self._sent.get(key)
        if known is None or known.status != "finished":
            self._sent[key] = known = client.scatter(_Sent(thing), broadcast=True, hash=False)
        return known

    def _workers(self) -> set[str]:
        """Addresses of the workers; none if the connection is lost."""
        try:
            return set(self._client.nthreads()) if self._client is not None and self._is_alive() else set()
        except Exception:  # a broken connection raises many kinds
            return set()

    def _look_after(self, task: ClusterTask, workers: set[str]) -> None:
        """Process the Dask state of a task."""
        future = task.future
        if task.is_overdue or (task.is_stopped and task.begun is None):
            self._end(task, Ended("stopped"))
        elif future is None:
            self._hand_in(task)
        elif future.status == "error":
            self._end(task, _broken(future))
        elif (
            future.status in ("lost", "cancelled")
            or (task.begun is not None and task.begun.address not in workers)
            or (task.begun is None and any(each.status != "finished" for each in task.data))
        ):
            self._lost(task)
        else:
            self._inform(task)

    def _take(self, number: int, name: str, pickled: bytes) -> None:
        """Process a message from a worker about a task."""
        task = self._tasks.get(number)
        if task is None:
            return
        content = pickle.loads(pickled)
        if isinstance(content, _Begun):
            try:
                _check_versions(content.address, content.versions)
            except WorkerError as error:
                self._end(task, Ended("failed", error.args[0]))
            else:
                if task.begun is not None:  # its worker was lost, and Dask has restarted it in another one
                    self._lost(task)
                    return
                task.begun = content
                self._inform(task)
        elif task.begun is None or task.begun.name != name:
            return
        elif isinstance(content, Ended):
            self._end(task, content)
        else:
            try:
                task.take(content)
            except Exception as error:  # an error of the task's owner: the others continue
                sentence = message(
                    "A task failed ({name}: {error}); see the log.",
                    name=type(error).__name__,
                    error=error,
                )
                self._end(task, Ended("failed", sentence, traceback.format_exc()))

    def _inform(self, task: ClusterTask) -> None:
        """Send the current requests to the task's worker if it does not have them; failures are soon retried."""
        wanted, changes = task.news
        if task.begun is None or self._client is None or task.informed == (wanted, len(changes)):
            return
        with suppress(Exception):  # Dask raises many kinds of errors if a worker or the scheduler is lost
            self._client.run(
                _update, task.begun.name, wanted, changes,
                workers=[task.begun.address], callback_timeout=_PATIENCE_SECONDS,
            )  # fmt: skip
            task.informed = wanted, len(changes)

    # Connecting

    def _is_alive(self) -> bool:
        """Whether there is a connection to the same scheduler that knows the tasks."""
        client = self._client
        try:
            return client is not None and client.status == "running" and _name_of(client) == self._scheduler
        except Exception:  # of many kinds if a connection breaks
            return False

    def _connected(self) -> int:
        """Connect if necessary; return how many tasks can run at once."""
        if self._is_alive():
            return self.size
        until = time.monotonic() + (_RECONNECT_SECONDS if self._was_connected else CONNECT_SECONDS)
        while True:
            self._leave()
            try:
                client = self._client = self._new_client()
                for address, found in client.run(library_versions, on_error="return").items():
                    _check_versions(address, found)
                client.subscribe_topic(self._topic, lambda event: self._inbox.put(tuple(event[1])))
                self._scheduler = _name_of(client)
                self.size = max(1, sum(client.nthreads().values()))
            except WorkerError:
                self._leave()
                raise
            except (OSError, ValueError) as error:
                if self._closed or time.monotonic() > until or isinstance(error, ValueError):
                    raise WorkerError(
                        "No cluster scheduler responds at {address}. Check the address, and that the scheduler is "
                        "running.",
                        address=self.address,
                    ) from error
                time.sleep(_LOOK_SECONDS)
            else:
                self._was_connected = True
                return self.size

    def _new_client(self) -> "Client":
        from distributed import Client

        if self._given is not None and self._given.status in ("running", "connecting"):
            return self._given
        _knock(self.address)
        return Client(self.address, timeout=CONNECT_SECONDS / 2, set_as_default=False, security=self._security)

    def _leave(self) -> None:
        self._sent.clear()
        self._call_for_workers = None
        client, self._client = self._client, None
        if client is not None and client is not self._given:
            client.close(timeout=2)
        elif client is not None:
            with suppress(Exception):  # of many kinds if a connection breaks
                client.unsubscribe_topic(self._topic)

    def _lost(self, task: ClusterTask) -> None:
        """A worker or the scheduler is lost: continue the task elsewhere."""
        if task.future is not None and self._client is not None:
            with suppress(Exception):
                task.future.cancel()
        if task.is_stopped or self._closed:
            self._end(task, Ended("stopped"))
        elif task.died():
            before, task.number = task.number, next(self._numbers)  # later messages from the old one are ignored
            self._tasks[task.number] = task
            self._tasks.pop(before, None)
            self._inbox.put(task)
        else:
            sentence = message(
                "The cluster workers that had this task ended unexpectedly, perhaps because they ran out of memory. "
                "Nothing logged is lost; resume to continue."
            )
            self._end(task, Ended("failed", sentence, died=True))

    def _end(self, task: ClusterTask, ended: Ended) -> None:
        if self._tasks.pop(task.number, None) is None:
            return
        future, task.future, task.data = task.future, None, []
        if future is not None and future.status == "pending":
            with suppress(Exception):
                future.cancel()
        task.on_end(ended)


@contextmanager
def connected(cluster: "str | Client | None") -> Iterator[ClusterPool | None]:
    """A connected pool of a cluster, closed at the end; None without a cluster.

    Raises
    ------
    SettingsError, WorkerError
        If the connection fails.
    """
    if cluster is None:
        yield None
        return
    pool = ClusterPool(cluster)
    try:
        pool.connect()
        yield pool
    finally:
        pool.close()


def _knock(address: str) -> None:
    """Raise OSError if nobody listens; a Client that cannot connect would leave a thread behind each time."""
    protocol, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if protocol in ("", "tcp", "tls") and host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS / 2).close()


def _name_of(client: "Client") -> str:
    """ID of the scheduler; a restarted scheduler has a new one."""
    return str(client.scheduler_info()["id"])


def _broken(future: "Future[None]") -> Ended:
    """The end of a task that Dask could not start."""
    error = future.exception()
    if isinstance(error, ImportError | AttributeError):
        sentence = message(
            "A cluster worker cannot run tasks of fsdesk {version} ({error}). Install the same version there.",
            version=library_versions()["fsdesk"],
            error=error,
        )
        return Ended("failed", sentence)
    sentence = message("The cluster gave up on a task ({name}: {error}).", name=type(error).__name__, error=error)
    return Ended("failed", sentence, died=True)


def _check_versions(address: str, found: object) -> None:
    """Raise WorkerError for a worker with other versions of the packages that determine the results."""
    here = library_versions()
    if not isinstance(found, Mapping):
        raise WorkerError(
            "The cluster worker {address} has no usable fsdesk ({found}). Install fsdesk {here} there.",
            address=address,
            found=found,
            here=here["fsdesk"],
        )
    other = [name for name in here if found.get(name) != here[name]]
    if other:
        theirs = ", ".join(f"{name} {found.get(name, '–')}" for name in other)
        ours = ", ".join(f"{name} {here[name]}" for name in other)
        raise WorkerError(
            "The cluster worker {address} has {theirs}, but this computer has {ours}. Install the same versions, "
            "because results may depend on them.",
            address=address,
            theirs=theirs,
            ours=ours,
        )
