"""The compiled core takes just what _core.pyi says, refuses all else with a sentence, and stops when it is told to."""

import ast
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fsdesk.kernels
from fsdesk.kernels import _core
from tests.stopping import assert_stops_within_a_second

STUB = Path(fsdesk.kernels.__file__).with_name("_core.pyi")
FUNCTIONS = {node.name: node for node in ast.parse(STUB.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}


def parameters_of_stub(node):
    """Name, dtype or plain type, and default of each parameter, with * where keywords begin."""
    arguments = node.args
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    pairs = list(zip(arguments.args, defaults, strict=True))
    if arguments.kwonlyargs:
        pairs += [(None, None), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return [
        ("*", "", "")
        if argument is None
        else (
            argument.arg,
            "object"
            if ast.unparse(argument.annotation).startswith("Callable")
            else " | ".join(
                re.findall(r"np\.(\w+)\]|\b(str|int|float|bool|None|C45Table)\b", ast.unparse(argument.annotation))[0]
            ).strip(" |"),
            "" if default is None else ast.unparse(default),
        )
        for argument, default in pairs
    ]


def parameters_of_module(function):
    (signature, _, defaults), *others = function.__nb_signature__
    assert not others
    for place, default in enumerate(defaults or ()):
        signature = signature.replace(f"\\{place}", repr(default))
    signature = signature.replace("[dtype=bool", "[dtype=bool_").replace(f"{_core.__name__}.", "")
    signature = re.sub(r"ndarray\[dtype=(\w+)[^\]]*\]", r"\1", signature).replace("numpy.", "")
    inside = signature[signature.index("(") + 1 : signature.index(") ->")]
    found = []
    for part in filter(None, inside.split(", ")):
        name, _, rest = part.partition(":")
        kind, _, default = rest.partition("=")
        found.append((name, kind.split("|")[0].strip(), default.strip()))
    return found


def test_the_stub_names_all_that_the_module_has():
    named = {name for name in dir(_core) if not name.startswith("_")}
    others = {"C45Table", "Stopped", "level", "levels"}
    assert named == FUNCTIONS.keys() | others


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_stub_agrees_with_the_module(name):
    assert parameters_of_stub(FUNCTIONS[name]) == parameters_of_module(getattr(_core, name))


def small(**others):
    """Arguments of two small fits that are as they should be, or not."""
    rng = np.random.default_rng(0)
    return {
        "columns": rng.normal(size=(3, 6)),
        "target": np.array([0, 1, 0, 1, 0, 1]),
        "features": np.array([0, 2, 1], dtype=np.int32),
        "offsets": np.array([0, 2, 3]),
        "splits": np.array([[-1, -1, 0, 0, -2, -1]], dtype=np.int8),
        "split_of": np.array([0, 0]),
        **others,
    }


def test_what_is_as_it_should_be_is_measured():
    errors, predicted = _core.nn_errors(**small(), predict=True)
    assert errors.shape == (2,)
    assert predicted.shape == (2, 6)
    assert (predicted >= 0).tolist() == [[False, False, True, True, False, False]] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"columns": np.ones((3, 6), dtype=np.float32)},
        {"columns": np.asfortranarray(np.ones((3, 6)))},
        {"columns": np.ones(6)},
        {"columns": [[1.0] * 6] * 3},
        {"target": np.zeros(6)},
        {"features": np.array([0, 2, 1])},
        {"splits": np.zeros((1, 6))},
        {"threads": 1.5},
    ],
)
def test_another_type_or_order_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        _core.nn_errors(**small(**wrong))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"target": np.array([0, 1, 0])}, "as many rows"),
        ({"target": np.array([0, 1, 0, 1, 0, -1])}, "class codes"),
        ({"target": np.array([0, 1, 0, 1, 0, 1 << 40])}, "class codes"),
        ({"features": np.array([0, 3, 1], dtype=np.int32)}, "no column"),
        ({"features": np.array([0, -1, 1], dtype=np.int32)}, "no column"),
        ({"offsets": np.array([0, 2, 4])}, "offsets"),
        ({"offsets": np.array([0, 5, 3])}, "offsets"),
        ({"offsets": np.array([1, 2, 3])}, "offsets"),
        ({"offsets": np.array([], dtype=np.int64)}, "offsets"),
        ({"splits": np.full((1, 6), 1, dtype=np.int8)}, "labels of a split"),
        ({"splits": np.full((1, 6), 0, dtype=np.int8)}, "training row"),
        ({"split_of": np.array([0, 1])}, "no split"),
        ({"split_of": np.array([0])}, "every fit"),
        ({"scaling": "robust"}, "scaling"),
        ({"threads": 0}, "threads"),
        ({"stop": np.zeros(2, dtype=np.uint8)}, "stop"),
    ],
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.nn_errors(**small(**wrong))


def endless(rows=20_000):
    """A batch that takes minutes, with its stop flag."""
    splits = np.zeros((1, rows), dtype=np.int8)
    splits[:, ::2] = -1
    return {
        "columns": np.random.default_rng(0).normal(size=(50, rows)),
        "target": np.zeros(rows, dtype=np.int64),
        "features": np.tile(np.arange(50, dtype=np.int32), 20),
        "offsets": np.arange(0, 1001, 50),
        "splits": splits,
        "split_of": np.zeros(20, dtype=np.int64),
        "stop": np.zeros(1, dtype=np.uint8),
    }


@pytest.mark.parametrize("threads", [1, 2])
def test_work_stops_within_a_second_of_the_flag(threads):
    batch = endless()
    assert_stops_within_a_second(lambda: _core.nn_errors(**batch, threads=threads), batch["stop"], threads)


def test_work_stops_within_a_second_where_what_the_thread_asks_says_so():
    start, batch = time.process_time(), endless()
    del batch["stop"]
    _core.give_up_when(lambda: time.process_time() - start > 0.3)
    try:
        with pytest.raises(_core.Stopped):
            _core.nn_errors(**batch, threads=2)
    finally:
        _core.give_up_when(None)
    assert time.process_time() - start < 0.3 + 2
    assert _core.nn_errors(**small())[0].shape == (2,)  # nobody is asked any more


def test_a_flag_that_is_set_already_stops_at_once():
    with pytest.raises(_core.Stopped):
        _core.nn_errors(**small(stop=np.ones(1, dtype=np.uint8)))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_handler_that_raises_ends_the_work():
    class RungError(Exception):
        pass

    def ring(*_):
        raise RungError

    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        batch, start = endless(), time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.3)  # of this process's own time
        with pytest.raises(RungError):
            _core.nn_errors(**batch, threads=2)
        assert time.process_time() - start < 0.3 + 2
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def loaded(level):
    """Run a new interpreter that says its level; the checkout is not its folder."""
    code = "from fsdesk.kernels import _core; print(_core.level)"
    environment = {**os.environ, "FSDESK_CPU": level}
    return subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_the_environment_chooses_the_level():
    assert _core.level in _core.levels
    for level in _core.levels[: _core.levels.index(_core.level) + 1]:
        assert loaded(level).stdout.strip() == level


def test_a_level_that_is_not_there_is_told_in_one_sentence():
    process = loaded("v9")
    assert process.returncode != 0
    assert process.stderr.splitlines()[-1].startswith("ImportError: fsdesk's kernels were built for v")
    assert process.stderr.splitlines()[-1].endswith("FSDESK_CPU asks for v9.")
