"""What is left out of numba's work while it compiles does not change what numba tells apart."""

import copy
from itertools import product

from numba.core import ir
from numba.core.compiler import Flags

from fsdesk.kernels.haste import hasten

hasten()


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
