"""Options: how they are read, and wrong input, which gets one sentence and exit code 2."""

import pytest

from fsdesk.cli.options import from_list, from_subset, from_words
from fsdesk.errors import SettingsError
from tests.invoking import fsdesk

OPTIONS = {
    "unknown target": ("--target diseese", "disease"),
    "no usable target": ("--target g1 --task classification", "g1"),
    "unknown setting": ("--set speed=1", 'no setting "speed"'),
    "value out of bounds": ("--set c=-1", '"c"'),
    "not NAME=VALUE": ("--set c", "NAME=VALUE"),
    "unknown method": ("--method magic", 'no method "magic". Choose one of: '),
    "unknown scikit-learn class": ("--wrapper RandomWood", 'no single-target model "RandomWood"'),
    "unknown criterion": ("--set criterion=luck", '"criterion"'),
    "criterion of numbers for classes": ("--set criterion=rmse", "RMSE evaluates numbers"),
    "unknown feature always in": ("--always g99", 'no feature "g99" (always in)'),
    "always and never": ("--always g1 --never g1", "both always in and never in"),
    "a group of one": ("--together g1", "does not name two features"),
    "start from nothing": ("--start {missing}", "Cannot read"),
    "start from an empty list": ("--start {empty}", "contains no feature names"),
    "start from no text": ("--start {junk}", "is not a text file"),
    "unknown group column": ("--group patient", 'no column "patient" (the groups)'),
    "no time column": ("--set protocol=time", "no time column"),
    "words as numbers": ("--task regression", "contains words, not numbers"),
    "unknown task": ("--task guess", '"task": choose one of auto'),
    "unknown preset": ("--preset mine", '"recommended"'),
    "unknown option": ("--sped", "--sped"),
    "misspelt missing": ("--missing dropped", 'choose one of impute, drop rows, drop columns (got "dropped")'),
    "misspelt nominal": ("--nominal drp", '"nominal": choose one of encode, drop'),
    "target as a way of reading": ("--read target=y", 'no reading option "target"'),
    "truth for a number": ("--method bspsa --settings {truth}", '"max_iterations": expected a number'),
    "settings file with faults": ("--settings {junk}", "TOML"),
    "folder is a file": ("--out {patients}", "patients.csv"),
}
COMMANDS = {
    "missing file": ("run {missing}", "no file"),
    "empty file": ("run {empty}", "empty"),
    "binary junk": ("run {junk}", "junk.csv"),
    "one class": ("run {one_class}", "class"),
    "constant columns": ("run {constant}", "constant"),
    "fewer rows than folds": ("run {short}", "folds"),
    "ragged lines": ("run {ragged}", "Line 4"),
    "0-byte .mat": ("run {empty_mat}", "empty"),
    "missing project": ("resume {missing}", "no project file"),
    "project that is none": ("resume {junk}", "not an fsdesk project"),
    "unknown wrapper": ("wrappers magic", 'no wrapper "magic"'),
    **{case: (f"run {{patients}} {options}", sentence) for case, (options, sentence) in OPTIONS.items()},
}


def test_names_with_commas_stand_in_double_quotes():
    assert from_list('"weight, kg",height') == ("weight, kg", "height")
    assert from_list("a, b,c") == ("a", "b", "c")


def test_a_group_needs_two_names():
    for text in ("a", "", "a,", '"a,b"'):
        with pytest.raises(SettingsError, match="does not name two features"):
            from_list(text)


def test_a_value_may_hold_an_equals_sign():
    assert from_words(["parameters=alpha=0.5, tol=1"]) == {"parameters": "alpha=0.5, tol=1"}


def test_a_subset_is_read_from_a_mask_or_a_list_whatever_its_names(tmp_path):
    mask, listed = tmp_path / "mask.csv", tmp_path / "selected.txt"
    mask.write_text('feature,selected,weight,frequency\n"a, b",1,0.9,0.5\nc,0,0.1,0.5\nd,1,0.7,0.2\n')
    listed.write_text("a, b\nd\n")
    assert from_subset(mask) == from_subset(listed) == ("a, b", "d")
    assert from_subset(None) == ()


@pytest.fixture(scope="module")
def places(patients, tmp_path_factory):
    """Files by the names that stand in the commands."""
    folder = tmp_path_factory.mktemp("wrong")
    contents = {
        "empty": "",
        "one_class": "a,b,y\n" + "".join(f"{i},{i * i % 7},yes\n" for i in range(20)),
        "constant": "a,b,y\n" + "".join(f"1,2,{'pq'[i % 2]}\n" for i in range(20)),
        "short": "a,b,y\n1.5,2,p\n2,7,q\n3.25,1,p\n4,0,q\n",
        "ragged": "a,b,y\n1,2,p\n2,3,q\n3,4,5,6,q\n4,5,p\n",
        "truth": "max_iterations = true\n",
    }
    paths = {name: folder / f"{name}.csv" for name in ("missing", "junk", *contents)}
    paths |= {"patients": patients, "empty_mat": folder / "empty.mat"}
    for name, content in contents.items():
        paths[name].write_text(content, encoding="utf-8")
    paths["empty_mat"].write_bytes(b"")
    paths["junk"].write_bytes(bytes(range(256)) * 40)
    return paths


@pytest.mark.parametrize("case", COMMANDS)
def test_wrong_input_gets_a_sentence_and_exit_code_2(case, places, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command, sentence = COMMANDS[case]
    assert sentence in fsdesk(*command.format(**places).split(), code=2).stderr
    assert not list(tmp_path.rglob("mask.csv"))
