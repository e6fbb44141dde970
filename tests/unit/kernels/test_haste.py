"""What is left out of numba's work while it compiles does not change what numba tells apart."""

import copy
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
from numba import njit, types
from numba.core import codegen, ir
from numba.core.compiler import Flags

from fsdesk.kernels.haste import hasten

hasten()

KEPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from kept import doubled, more
try:
    doubled(-1)
except ValueError as error:
    print(doubled(3), error, sum(doubled.stats.cache_hits.values()), sum(more.stats.cache_hits.values()))
from kept import tripled
print(tripled(3), sum(more.stats.cache_hits.values()))
"""
FUNCTIONS = """
from fsdesk.kernels.compiling import entry, inner
@inner()
def more(x):
    if x < 0:
        raise ValueError("below zero")
    return x + 1
@entry()
def doubled(x):
    return more(x) * 2
"""
ANOTHER = """
@entry()
def tripled(x):
    return more(x) * 3
"""


def test_settings_are_the_same_where_all_their_values_are():
    every = [Flags(), Flags(), Flags(), Flags()]
    every[1].nrt = every[1].nrt  # set to what it is anyway
    every[2].nrt = not every[2].nrt
    every[3].no_cpython_wrapper = not every[3].no_cpython_wrapper
    for one, other in product(every, every):
        assert (one == other) == (one.values() == other.values())
        assert one != other or hash(one) == hash(other)


def test_a_copy_of_a_scope_is_changed_alone():
    scope = ir.Scope(None, ir.unknown_loc)
    scope.define("x", ir.unknown_loc)
    made = copy.deepcopy(scope)
    made.redefine("x", ir.unknown_loc)
    made.define("y", ir.unknown_loc)
    assert [list(each.localvars._con) for each in (scope, made)] == [["x"], ["x", "x.1", "y"]]
    assert (dict(scope.redefined), dict(scope.var_redefinitions)) == ({}, {})


def test_numba_is_as_it_is_known_so_that_all_of_this_is_in_place():
    replaced = (
        *(ir.Scope.__deepcopy__, ir.Inst._rec_list_vars, Flags.__eq__, Flags.__hash__),
        *(types.Function.get_call_type, codegen.CPUCodeLibrary._optimize_functions, codegen.JITCPUCodegen.set_env),
        *(codegen.JITCPUCodegen._add_module, codegen.JITCodeLibrary.get_pointer_to_function),
    )
    assert {each.__module__ for each in replaced} == {"fsdesk.kernels.haste", "fsdesk.kernels.lazily"}


def test_statements_tell_their_variables_in_order_whatever_holds_them():
    scope, loc = ir.Scope(None, ir.unknown_loc), ir.unknown_loc
    a, b, c, d = (scope.define(name, loc) for name in "abcd")
    call = ir.Expr.call(a, [b, c], (("key", d),), loc)
    assert call.list_vars() == [a, b, c, d]
    assert ir.SetItem(d, a, b, loc).list_vars() == [d, a, b]
    assert ir.Assign(ir.Expr.build_tuple([c, (b, 3)], loc), a, loc).list_vars() == [c, b, a]
    assert ir.Assign(ir.Const(1, loc), a, loc).list_vars() == [a]
    assert ir.Jump(3, loc).list_vars() == []


def test_a_function_that_only_compiled_ones_call_gets_machine_code_when_it_is_asked_for():
    @njit(no_cpython_wrapper=True)
    def more(x):
        return x + 1

    @njit
    def doubled(x):
        return more(x) * 2

    assert doubled(3) == 8
    (result,), library = more.overloads.values(), codegen.JITCodeLibrary
    name = result.fndesc.llvm_func_name
    assert isinstance(result.library, library)
    assert result.library._waits
    assert result.library.get_pointer_to_function("no such name") == 0
    assert result.library._waits
    assert result.library.get_pointer_to_function(name) != 0
    assert not result.library._waits


def test_functions_that_call_each_other_are_compiled_at_once():
    @njit
    def is_even(n):
        return True if n == 0 else is_odd(n - 1)

    @njit
    def is_odd(n):
        return False if n == 0 else is_even(n - 1)

    assert [is_even(n) for n in range(4)] == [True, False, True, False]


def test_what_is_kept_without_machine_code_serves_old_callers_and_new_ones(tmp_path: Path) -> None:
    def run() -> list[str]:
        done = subprocess.run([sys.executable, "-c", KEPT, str(tmp_path)], capture_output=True, text=True, check=False)
        return done.stdout.split("\n")[:2]

    (tmp_path / "kept.py").write_text(FUNCTIONS + ANOTHER)
    assert run() == ["8 below zero 0 0", "12 0"]
    assert run() == ["8 below zero 1 0", "12 0"]


def test_operators_on_the_same_types_are_looked_for_once_and_mean_the_same():
    @njit
    def one(a, b):
        return a + b, a * b, a < b, a / b

    @njit
    def another(a, b):
        return a + b, a * b, a < b, a / b

    for function in (one, another):
        assert function(2, 3) == (5, 6, True, 2 / 3)
        assert function(2.5, 2) == (4.5, 5.0, False, 1.25)
        assert [each.tolist() for each in function(np.arange(2.0), np.ones(2))] == [
            [1.0, 2.0], [0.0, 1.0], [True, False], [0.0, 1.0]
        ]  # fmt: skip
