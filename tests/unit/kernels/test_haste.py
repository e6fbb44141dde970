"""What is left out of numba's work while it compiles changes neither answers nor what numba tells apart."""

import copy
from itertools import product

from numba.core import ir
from numba.core.compiler import Flags

from fsdesk.kernels.compiling import entry, inner, merged


@inner()
def _square(x):
    return x * x


@merged
def _sum_of_squares(n):
    total = 0
    for i in range(n):
        total += _square(i)
    return total


@entry()
def _both(n):
    return _sum_of_squares(n) + _square(n)


def test_a_function_that_others_contain_has_no_machine_code_of_its_own_and_they_answer():
    _square.compile("int64(int64)")
    (made,) = _square.overloads.values()
    is_made = made.library.codegen._engine.is_symbol_defined
    assert not is_made(made.fndesc.llvm_func_name)
    assert _both(4) == 0 + 1 + 4 + 9 + 16
    assert made.library.get_pointer_to_function(made.fndesc.llvm_func_name) != 0  # once someone asks


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
