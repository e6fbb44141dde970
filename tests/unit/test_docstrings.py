"""Every function and class that people call has an example in its docstring, and the examples run."""

import doctest
import inspect

import pytest

import fsdesk

_EXAMPLES = doctest.DocTestFinder(recurse=False, exclude_empty=True)
CALLED = [
    "Evaluator", "FeatureSelector", "from_frame", "open_project", "predict", "read_frame", "read_table", "select",
    "study", "validate",
]  # fmt: skip


def test_all_that_is_called_is_here():
    functions = {name for name in fsdesk.__all__ if inspect.isfunction(getattr(fsdesk, name))}
    assert functions <= {*CALLED}


@pytest.mark.parametrize("name", CALLED)
def test_examples_run(name):
    called = getattr(fsdesk, name)
    examples = [each for each in _EXAMPLES.find(called, name, globs={}) if each.examples]
    assert examples, f"{name} has no example"
    for example in examples:
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        said = []
        assert runner.run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", CALLED)
def test_docstrings_stand_on_their_own(name):
    called = getattr(fsdesk, name)
    said = inspect.getdoc(called)
    parameters = [each for each in inspect.signature(called).parameters.values() if each.name not in ("self", "args")]
    for parameter in parameters:
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            assert parameter.name in said, f"{name} does not say what {parameter.name} is"
