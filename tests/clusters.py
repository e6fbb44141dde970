"""A Dask cluster on loopback: a scheduler and workers in processes of their own."""

import gc
import os
import socket
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["Cluster", "collect_sockets", "needs_distributed"]

needs_distributed = pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")

_ROOT = Path(__file__).parents[1]


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = None
        self.workers = []

    def _start(self, *words):
        environment = {
            **os.environ,
            "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False",
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "20s",
            "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        }
        with (self.folder / "cluster.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", *words], cwd=self.folder, env=environment, stdout=log, stderr=log
            )

    def start_scheduler(self):
        words = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.scheduler = self._start(*words)

    def add_worker(self, threads=2):
        words = ("distributed.cli.dask_worker", self.address, "--nthreads", str(threads), "--no-nanny")
        worker = self._start(*words, "--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(self.folder))
        self.workers.append(worker)
        return worker

    def wait_for_workers(self):
        """Until there is one: processes take seconds to start on a busy machine."""
        from distributed import Client

        with Client(self.address, timeout=120, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=120)

    def stop_workers(self):
        """Kill them all."""
        for process in self.workers:
            process.kill()
            process.wait()
        self.workers.clear()

    def close(self):
        self.stop_workers()
        if self.scheduler is not None:
            self.scheduler.kill()
            self.scheduler.wait()


def collect_sockets():
    """Where a connection broke while it was made, Dask leaves a socket to the collector."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
