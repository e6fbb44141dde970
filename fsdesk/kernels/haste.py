"""What numba does for nothing while it compiles, left out: a fifth of what compiling takes.

Each of these is put in the place of a method of numba's and comes to the same code. Where numba is not as they know it,
its own stay: it compiles more slowly then, not wrongly.
"""

from functools import cache
from typing import Any
from weakref import WeakSet

__all__ = ["hasten"]

_SCOPE = {"parent", "localvars", "loc", "redefined", "var_redefinitions"}
_LIBRARY = {"_finalize_final_module", "get_pointer_to_function", "serialize_using_object_code", "_get_compiled_object"}


@cache
def hasten() -> None:
    """Have numba compile faster in this process; once is enough."""
    from numba.core import codegen, targetconfig
    from numba.core import ir as numba_ir

    ir: Any = numba_ir
    if set(vars(ir.Scope(None, ir.unknown_loc))) == _SCOPE and not hasattr(ir.Scope, "__deepcopy__"):
        _copy_scopes_quickly(ir)
    if getattr(targetconfig.TargetConfig, "__slots__", None) == ["_values"]:
        _compare_settings_quickly(targetconfig.TargetConfig)
    if all(hasattr(codegen.JITCodeLibrary, name) for name in _LIBRARY) and hasattr(codegen.JITCPUCodegen, "set_env"):
        _make_code_when_asked(codegen.JITCodeLibrary, codegen.JITCPUCodegen)
    if hasattr(codegen.CPUCodeLibrary, "_optimize_functions") and hasattr(codegen.CPUCodegen, "_function_pass_manager"):
        _skip_what_is_only_named(codegen.CPUCodeLibrary)


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


def _make_code_when_asked(library: Any, processor: Any) -> None:
    """A function that others contain has machine code of its own only once someone asks where that begins."""
    make, ask, keep = (
        library._finalize_final_module,
        library.get_pointer_to_function,
        library.serialize_using_object_code,
    )
    set_environment, made = processor.set_env, WeakSet[Any]()

    def finalized(own: Any) -> None:
        if getattr(own, "_compiled_object", None) is not None:  # it comes from the cache
            made.add(own)
            make(own)
        else:
            own._finalize_dynamic_globals()
            own._finalized = True

    def asked(own: Any, name: str) -> Any:
        own._ensure_finalized()
        if own not in made and any(
            each.name == name and not each.is_declaration for each in own._final_module.functions
        ):
            made.add(own)
            own._dynamic_globals.clear()  # they are found again
            make(own)
        return ask(own, name)

    def kept(own: Any) -> Any:
        return keep(own) if own in made else own.serialize_using_bitcode()

    def environment_set(codegen: Any, name: str, environment: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_environment(codegen, name, environment)

    library._finalize_final_module, library.get_pointer_to_function = finalized, asked
    library.serialize_using_object_code, processor.set_env = kept, environment_set


def _skip_what_is_only_named(library: Any) -> None:
    """Functions of elsewhere have nothing to optimise; to make the list of what to do about it takes a millisecond."""

    def optimized(own: Any, module: Any) -> None:
        module.data_layout = own._codegen._data_layout
        for each in module.functions:
            if not each.is_declaration:
                passes, builder = own._codegen._function_pass_manager()
                passes.run(each, builder)

    library._optimize_functions = optimized
