"""Settings, studies, projects and folders of strangers: none ends in a traceback, hangs, or writes outside."""

import sys
from contextlib import closing

import pytest

from fsdesk.cli import invoke
from fsdesk.data import read
from fsdesk.data.readers.download import keep
from fsdesk.errors import DataError, ProjectError
from fsdesk.messages import printable
from fsdesk.results.exports import write_file
from fsdesk.results.study import unfinished_plan
from fsdesk.store import Project

ESCAPES = r"\u001b[2J\u202e"
NESTED = "x = " + "[" * 20_000 + "]" * 20_000
QUICK = ["--outer", "0", "--out", "out"]

SETTINGS = [
    NESTED,
    "x = " + "9" * 5000,
    f'[run]\n"{ESCAPES}x" = 1\n',
    f'["{ESCAPES}"]\na = 1\n',
    f'[run]\nmethod = "{ESCAPES}"\n',
    f'[run]\nwrapper = "{ESCAPES}"\n',
    '[run]\nwrapper = "os.system"\n',
    '[run]\nwrapper = "joblib.Memory"\n',
    "[run]\nmethod = 1979-05-27T07:32:00Z\n",
    '[run]\nmethod = [["full"]]\n',
    f'[run]\nwrapper = "SVC"\n[wrapper]\nparameters = "{ESCAPES}=1"\n',
    f'[run]\nwrapper = "SVC"\n[wrapper]\nparameters = "kernel=\'{ESCAPES}\'"\n',
    f'[run]\nwrapper = "sklearn"\n[wrapper]\nestimator = "{ESCAPES}"\n',
]
STUDIES = [
    NESTED,
    "x = " + "9" * 5000,
    f'tables = ["{ESCAPES}.csv"]\nmethods = ["full"]\n',
    'tables = ["file:///etc/passwd"]\nmethods = ["full"]\n',
    f'tables = ["t.csv"]\nmethods = ["{ESCAPES}"]\n',
    'tables = ["t.csv"]\nmethods = ["full"]\nwrappers = [{ name = "SVC", memory = "cache" }]\n',
    'tables = [{ file = "t.csv", name = "../../outside" }]\nmethods = ["full"]\n',
    f'tables = [{{ file = "t.csv", target = "{ESCAPES}" }}]\nmethods = ["full"]\n',
    f'tables = ["t.csv"]\nmethods = ["full"]\n[settings."{ESCAPES}"]\na = 1\n',
    'tables = ["t.csv"]\nmethods = ["full"]\nout = "../outside"\n',
    'tables = ["t.csv"]\nmethods = ["full"]\ncluster = "tcp://192.0.2.1:8786"\n',
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    (inside / "t.csv").write_text("a,b,y\n" + "".join(f"{i % 5},{i % 7},{'pq'[i % 2]}\n" for i in range(24)))
    return inside


def is_refused_in_a_sentence(arguments, capsys):
    assert invoke(arguments) == 2
    said = capsys.readouterr()
    assert printable(said.out) == said.out and printable(said.err) == said.err
    last = said.err.splitlines()[-1]
    assert last.startswith("fsdesk: ") and "Traceback" not in said.err


@pytest.mark.parametrize("text", SETTINGS)
def test_settings_of_a_stranger_are_refused_in_a_sentence(text, folder, capsys):
    (folder / "s.toml").write_text(text, encoding="utf-8")
    is_refused_in_a_sentence(["run", "t.csv", "--settings", "s.toml", *QUICK], capsys)


@pytest.mark.parametrize("text", STUDIES)
def test_studies_of_a_stranger_are_refused_in_a_sentence(text, folder, capsys):
    (folder / "s.toml").write_text(text, encoding="utf-8")
    is_refused_in_a_sentence(["study", "s.toml", "--out", "out"], capsys)
    assert sorted(path.name for path in folder.parent.iterdir()) == ["inside"]


@pytest.mark.parametrize("plan", [{"done": False}, {"done": False, "plan": NESTED}, {"done": False, "plan": "["}])
def test_a_damaged_study_in_a_project_is_said_to_be_damaged(plan, folder):
    with closing(Project.create(folder / "study.fsdesk")) as project:
        project.keep("study", plan)
    with pytest.raises(ProjectError, match="damaged or was altered"):
        unfinished_plan(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_in_a_folder_of_a_stranger_are_not_written_through(folder):
    outside = folder.parent / "outside.txt"
    for write, name in ((write_file, ".mask.csv.part"), (keep, "table.arff.part")):
        outside.write_text("mine")
        (folder / name).symlink_to(outside)
        path = folder / name.removesuffix(".part").removeprefix(".")
        path.symlink_to(outside)
        write(path, b"made")
        assert outside.read_text() == "mine"
        assert path.read_bytes() == b"made" and not path.is_symlink() and not (folder / name).is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such file")
def test_a_file_without_end_is_refused():
    with pytest.raises(DataError, match=r'"/dev/zero" is a device, not a file'):
        read("/dev/zero")
