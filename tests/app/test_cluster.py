"""Runs of the window on a real Dask cluster."""

import socket
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from fsdesk.app.dialogs.remote import ClusterDialog
from fsdesk.app.session.session import Session
from fsdesk.engine.cluster import ClusterTask
from tests.clusters import Cluster, collect_sockets, needs_distributed

from .conftest import WindowDriver

pytestmark = needs_distributed


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.start_scheduler()
    cluster.add_worker(threads=3)
    cluster.wait_for_workers()
    yield cluster
    cluster.close()
    collect_sockets()


async def connect(driver: WindowDriver, address: str) -> ClusterDialog:
    driver.window.actions_["cluster"].trigger()
    dialog: ClusterDialog = driver.child(ClusterDialog, "clusterDialog")
    dialog.findChild(QLineEdit, "clusterAddress").setText(address)
    dialog.findChild(QPushButton, "clusterJoin").click()
    return dialog


async def test_runs_and_honest_errors_go_to_the_cluster_until_it_is_left(
    driver: WindowDriver, cluster: Cluster
) -> None:
    session, window = driver.session, driver.window

    await driver.open_sample("wine")
    await connect(driver, cluster.address)
    await driver.until(lambda: session.cluster.pool is not None)
    assert session.runs.at_once >= 3
    window.workspace.setup.method_form.put({"max_iterations": 40})
    driver.child(QPushButton, "runButton").click()
    await driver.until(lambda: any(isinstance(run.task, ClusterTask) for run in session.runs))
    await driver.until(lambda: [run.phase for run in session.runs] == ["finished"])
    (run,) = session.runs
    session.validations.begin(run)
    await driver.until(lambda: run.honesty.complete)
    assert [fold.fold for fold in run.honesty.outer] == [0, 1, 2, 3, 4]
    await driver.until(lambda: not session.tasks.working)
    again = Session(session.tasks.pool, driver.folders, driver.store)
    assert again.cluster.pool is not None
    assert again.cluster.pool.address == cluster.address
    driver.window.actions_["cluster"].trigger()
    dialog: ClusterDialog = driver.child(ClusterDialog, "clusterDialog")
    assert cluster.address in dialog.findChild(QLabel, "clusterStatus").text()
    dialog.findChild(QPushButton, "clusterLeave").click()
    await driver.until(lambda: session.cluster.pool is None)
    assert dialog.findChild(QLabel, "clusterStatus").text() == "Runs are now computed on this computer."
    dialog.findChild(QPushButton, "clusterClose").click()
    await driver.until(lambda: not session.tasks.working)
    assert Session(session.tasks.pool, driver.folders, driver.store).cluster.pool is None


def test_where_no_scheduler_answers_the_dialog_says_so_and_runs_stay_here(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fsdesk.engine.cluster.CONNECT_SECONDS", 1.0)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    async def scene() -> None:
        dialog = await connect(driver, f"tcp://127.0.0.1:{port}")
        trouble = dialog.findChild(QLabel, "clusterTrouble")
        await driver.until(lambda: "No cluster scheduler" in trouble.text())
        assert driver.session.cluster.pool is None
        dialog.findChild(QPushButton, "clusterClose").click()

    driver.play(scene)
