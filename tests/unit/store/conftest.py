"""An event to store, and a project on a disk that is nearly full."""

import numpy as np
import pytest

from fsdesk.engine import BatchMeasured, RunSpec, pack_masks
from fsdesk.store import Project
from fsdesk.store.schema import connect, write_ahead


def batch(number):
    """A measurement of all eight features."""
    return BatchMeasured(number, pack_masks([np.ones(8, bool)]), (True,), np.array([[0.25]]), number, None)


@pytest.fixture
def small_disk(tmp_path, planted):
    """A project with one run for which SQLite answers as on a full disk, and what makes room on it."""
    path = tmp_path / "small.fsdesk"
    made = Project.create(path)
    made.add_dataset(planted)
    made.add_run(RunSpec.make(planted, method="bspsa-h", seed=2))
    made.close()
    connection = connect(path)
    write_ahead(connection)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    project = Project(path, connection, read_only=False)
    yield project, lambda: connection.execute("PRAGMA max_page_count = 1000000")
    project.close()


class Found:
    """Evidence of any kind."""

    def __init__(self, kind, values):
        self.kind, self.values = kind, values

    def packed(self):
        return self.kind, self.values
