"""What is left out of numba's work while it compiles does not change what numba tells apart."""

import copy
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numba import extending, njit, types
from numba.core import base, caching, codegen, ir, postproc, ssa
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.typing.templates import _OverloadFunctionTemplate

from fsdesk.kernels.compiling import told_when_compiling
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
        *(codegen.JITCodeLibrary._optimize_final_module, NRTContext.get_meminfos),
        *(codegen.JITCPUCodegen._add_module, codegen.JITCodeLibrary.get_pointer_to_function),
        *(ir.Loc.__deepcopy__, _OverloadFunctionTemplate._get_impl, ssa._run_block_rewrite, postproc.PostProcessor.run),
        *(base.BaseContext.refresh, caching.IndexDataCacheFile._load_index, caching.IndexDataCacheFile._load_data),
    )
    assert {each.__module__.removeprefix("fsdesk.kernels.") for each in replaced} == {"damage", "haste", "lazily"}


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


def test_what_waits_is_optimised_in_full_when_machine_code_is_made_of_it() -> None:
    @njit(no_cpython_wrapper=True, error_model="numpy")
    def total(x):
        s = np.int64(0)
        for i in range(len(x)):
            s += x[i]
        return s

    @njit
    def twice(x):
        return 2 * total(x)

    assert twice(np.arange(1000)) == 999_000
    (result,) = total.overloads.values()
    assert result.library._is_rough
    assert " x i64>" not in result.library.get_llvm_str()
    kept = codegen.JITCodeLibrary._unserialize(result.library.codegen, result.library.serialize_using_object_code())
    for library in (result.library, kept):
        assert library.get_pointer_to_function(result.fndesc.llvm_func_name) != 0
        assert " x i64>" in library.get_llvm_str()


def test_references_are_counted_in_every_part_of_a_value() -> None:
    @njit
    def handed(x, y, n):
        bundle = ((x, 1.0), y, n, ((), (y, x)))
        for _ in range(n):
            bundle = (bundle[0], bundle[3][1][0] + 1.0, n, bundle[3])
        return bundle[0][0], bundle[1]

    x, y = np.arange(5.0), np.ones((2, 3))
    before = sys.getrefcount(x), sys.getrefcount(y)
    first, second = handed(x, y, 4)
    assert first.tolist() == list(range(5))
    assert second.tolist() == [[2.0] * 3] * 2
    del first, second
    assert (sys.getrefcount(x), sys.getrefcount(y)) == before


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


def test_variables_that_are_assigned_to_again_and_again_are_told_apart():
    def walk(n, step):
        low, high, last = 0, n, -1
        for turn in range(n):
            if turn % 3 == 0:
                low, high = high - step, low + turn
            elif turn % 3 == 1:
                last = low
                while last > 5:
                    last -= step
                    high = high + 1 if last % 2 else high
            else:
                step = 1 + (step + last) % 4
        return low, high, last, step

    compiled = njit(walk)
    assert [compiled(n, step) for n, step in product(range(12), (1, 2, 3))] == [
        walk(n, step) for n, step in product(range(12), (1, 2, 3))
    ]


def test_what_numba_has_of_its_own_is_compiled_once_whoever_calls_it():
    heard = []

    @njit(no_cpython_wrapper=True)
    def without_door(n):
        return np.empty((n, 2, n, 2), dtype=np.int16).size

    @njit
    def with_door(n):
        return np.empty((n, 2, n, 2), dtype=np.int16).size + without_door(n)

    with told_when_compiling(lambda: heard.append(1)):
        assert with_door(3) == 2 * 36
    assert len(heard) == 3  # both and ``np.empty``


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("left", [0, 100])
def test_what_was_kept_and_cannot_be_read_is_compiled_anew(tmp_path: Path, ending: str, left: int) -> None:
    def run() -> str:
        command, where = [sys.executable, "-c", KEPT, str(tmp_path)], {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
        done = subprocess.run(command, env=os.environ | where, capture_output=True, text=True, check=False)
        return done.stdout.split("\n")[0]

    (tmp_path / "kept.py").write_text(FUNCTIONS + ANOTHER)
    assert run() == "8 below zero 0 0"
    files = [file for file in tmp_path.rglob(f"*{ending}") if ".doubled-" in file.name]
    assert len(files) == 1
    files[0].write_bytes(files[0].read_bytes()[:left])
    assert run() == "8 below zero 0 1"  # what it calls was kept
    assert run() == "8 below zero 1 0"


def test_what_is_registered_later_is_found_and_nothing_is_looked_for_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    context, install = cpu_target.target_context, base.BaseContext.install_registry
    context.refresh()
    monkeypatch.setattr(base.BaseContext, "install_registry", lambda *each: (looks.append(1), install(*each)))
    context.refresh()
    assert not looks

    @extending.overload(_unknown)
    def _known(x):
        return lambda x: x + 1

    assert njit(lambda x: _unknown(x))(2) == 3
    assert looks


def _unknown(x):
    raise NotImplementedError
