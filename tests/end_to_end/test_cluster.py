"""Runs, studies and the functions of the API on a real Dask cluster give what they give here, to the bit."""

import csv

import numpy as np
import pytest

import fsdesk
from tests.clusters import Cluster, collect_sockets, needs_distributed
from tests.invoking import QUICK, contents
from tests.invoking import fsdesk as command
from tests.sketching import reports_sketched

pytestmark = needs_distributed

PLAN = """
tables = ["patients.csv"]
methods = ["full", "bspsa"]
seeds = [0, 1]
outer = 2

[settings]
repeats = 1
folds = 2

[settings.bspsa]
max_iterations = 25
"""


@pytest.fixture(scope="module", autouse=True)
def quick_reports():
    with reports_sketched():
        yield


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.start_scheduler()
    cluster.add_worker(threads=3)
    cluster.wait_for_workers()
    yield cluster
    cluster.close()
    collect_sockets()


def test_a_run_its_outer_folds_and_its_permutations_write_the_same_files(cluster, patients, tmp_path):
    asked = (patients, *QUICK, "--outer", "3", "--permutations", "2")
    here = command("run", *asked, "--workers", "1", "--out", tmp_path / "here")
    there = command("run", *asked, "--cluster", cluster.address, "--out", tmp_path / "there")
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert there.stdout.replace("there", "here") == here.stdout
    for folder, words in (("here", ()), ("there", ("--cluster", cluster.address))):
        log = tmp_path / folder / "run.fsdesk"
        command("resume", log, "--more-iterations", "20", "--outer", "0", "--out", tmp_path / folder / "more", *words)
    assert contents(tmp_path / "there" / "more") == contents(tmp_path / "here" / "more")


def test_a_study_has_the_same_tables(cluster, patients, tmp_path):
    plan = tmp_path / "plan.toml"
    (tmp_path / "patients.csv").write_bytes(patients.read_bytes())
    plan.write_text(PLAN)
    command("study", plan, "--out", tmp_path / "here", "--workers", "1")
    command("study", plan, "--out", tmp_path / "there", "--cluster", cluster.address)
    here, there = (tables(tmp_path / folder) for folder in ("here", "there"))
    assert len(here) > 3
    assert there == here


def tables(out):
    """All cells of all tables but the seconds."""
    rows = list(csv.reader((out / "tables.csv").read_text("utf-8-sig").splitlines()))
    places = {place for row in rows for place, title in enumerate(row) if title.startswith("Seconds")}
    assert places
    return [[cell for place, cell in enumerate(row) if place not in places] for row in rows]


def test_a_client_of_dask_does_as_the_cluster_of_a_search_and_stays_open(cluster, planted):
    settings = {"max_iterations": 40, "repeats": 3}
    here = fsdesk.select(planted, method="bspsa", settings=settings, outer=0)
    steps = []
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        there = fsdesk.select(
            planted, method="bspsa", settings=settings, callback=steps.append, cluster=client, outer=0
        )
        assert client.status == "running"
    assert np.array_equal(there.mask, here.mask)
    assert there.search_error == here.search_error
    assert there.history.errors.tobytes() == here.history.errors.tobytes()
    assert len(steps) > 10


def test_a_callback_stops_a_search_on_the_cluster(cluster, planted):
    stopped = fsdesk.select(
        planted,
        method="bspsa",
        settings={"max_iterations": 100_000},
        callback=lambda progress: True,
        cluster=cluster.address,
        outer=0,
    )
    assert stopped.status == "stopped"


def test_where_no_cluster_answers_a_command_says_so_and_writes_nothing(patients, tmp_path):
    done = command("run", patients, "--cluster", "tcp://127.0.0.1:9", "--out", tmp_path / "out", code=2)
    assert "No cluster scheduler responds at tcp://127.0.0.1:9" in done.stderr
    assert not (tmp_path / "out").exists()
