"""What numba does for nothing while it compiles, left out.

Both of these are put in the place of a method of numba's and answer the same. Where numba is not as they know it, its
own stay: it compiles more slowly then, not wrongly.
"""

from functools import cache
from typing import Any

__all__ = ["hasten"]

_SCOPE = {"parent", "localvars", "loc", "redefined", "var_redefinitions"}


@cache
def hasten() -> None:
    """Have numba compile faster in this process; once is enough."""
    from numba.core import ir as numba_ir
    from numba.core import targetconfig

    ir: Any = numba_ir
    if set(vars(ir.Scope(None, ir.unknown_loc))) == _SCOPE and not hasattr(ir.Scope, "__deepcopy__"):
        _copy_scopes_quickly(ir)
    if getattr(targetconfig.TargetConfig, "__slots__", None) == ["_values"]:
        _compare_settings_quickly(targetconfig.TargetConfig)


def _copy_scopes_quickly(ir: Any) -> None:
    """Every block that becomes a part of a caller is copied with all variables of its function, which never change."""

    def copied(scope: Any, memo: dict[int, Any]) -> Any:
        made = memo[id(scope)] = ir.Scope(scope.parent, scope.loc)
        made.localvars._con.update(scope.localvars._con)
        made.redefined.update(scope.redefined)
        made.var_redefinitions.update({name: set(later) for name, later in scope.var_redefinitions.items()})
        return made

    ir.Scope.__deepcopy__ = copied


def _compare_settings_quickly(settings: Any) -> None:
    """Every operator compares forty settings with those of functions before, of which few were ever set."""
    slowly = settings.__eq__

    def same(one: Any, other: Any) -> Any:
        if type(one) is not type(other):
            return slowly(one, other)
        mine, its, options = one._values, other._values, one.options
        return mine == its or all(
            mine.get(name, options[name].default) == its.get(name, options[name].default)
            for name in mine.keys() | its.keys()
        )

    settings.__eq__ = same
    settings.__hash__ = lambda one: len(one.options)  # numba's is one of their names, too
