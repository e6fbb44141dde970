"""Machine code for the functions that are called from outside, and for no others.

numba makes machine code of every function and of every part of its own that one uses, though compiled callers never
run it: each takes in the optimised form of what it calls and compiles that again. Here this step waits until somebody
asks for an address, and so does all that optimises beyond the first look, which callers take for the whole anyway.
Functions that nobody asked for are kept for the next start without machine code, a form that numba knows, too.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

_OURS, _ROUGH = "6fsdesk7kernels", ("svm",)  # as in names of compiled functions
_OPTIMISING = (
    *("_codegen", "_module_pass_manager", "_loopvect", "_opt_level", "_recorded_timings", "record", "run"),
    *("_final_module", "config", "LLVM_REFPRUNE_PASS", "remove_redundant_nrt_refct"),
)

__all__ = ["compile_when_called", "knows"]


def knows(function: Any, *names: str) -> bool:
    """Whether a function of numba's uses just these names, and so is still the one that is meant."""
    return getattr(getattr(function, "__code__", None), "co_names", None) == names


def compile_when_called() -> None:
    """Have numba make machine code of a library only when somebody asks for an address in it."""
    from numba.core import codegen

    library, target = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    if (
        knows(target._add_module, "_engine", "add_module")
        and knows(target.set_env, "_engine", "get_global_value_address", "ctypes", "c_void_p", "from_address", "id")
        and knows(
            library.get_pointer_to_function,
            *("_ensure_finalized", "_codegen", "_engine", "is_symbol_defined", "get_function_address"),
        )
        and knows(
            library._finalize_specific,
            *("_codegen", "_scan_and_fix_unresolved_refs", "_final_module", "_recorded_timings", "record_legacy"),
            *("_engine", "finalize_object"),
        )
        and knows(
            library.serialize_using_object_code,
            *("_ensure_finalized", "_get_compiled_object", "_get_module_for_linking", "as_bitcode", "name"),
        )
    ):
        _compile_when_called(library, target)


def _compile_when_called(library: Any, target: Any) -> None:
    lend, add, finish = _lend_later(target), target._add_module, library._finalize_specific
    find, keep = library.get_pointer_to_function, library.serialize_using_object_code

    def add_later(self: Any, module: Any) -> Any:
        made = getattr(module, "_CPUCodeLibrary__library", None)
        if made is None or not _can_wait(made, module):
            if getattr(made, "_is_rough", False):
                _optimise(made)
            return add(self, module)
        made._waits = True
        return None

    def finish_later(self: Any) -> None:
        if not _waits(self):
            finish(self)

    def compile_now(self: Any) -> None:
        self._waits = False
        if getattr(self, "_is_rough", True):  # as is what was kept
            _optimise(self)
        add(self._codegen, self._final_module)
        finish(self)
        lend(self._codegen, self._final_module)

    def find_or_compile(self: Any, name: str) -> Any:
        self._ensure_finalized()
        if _waits(self) and _defines(self._final_module, name):
            compile_now(self)
        return find(self, name)

    def keep_as_is(self: Any) -> Any:
        self._ensure_finalized()
        return self.serialize_using_bitcode() if _waits(self) else keep(self)

    _optimise_later(library)
    target._add_module, library._finalize_specific = add_later, finish_later
    library.get_pointer_to_function, library.serialize_using_object_code = find_or_compile, keep_as_is


def _optimise_later(library: Any) -> None:
    """Callers take in what numba looked over once, and optimise it with what is theirs."""

    def look_over(self: Any) -> None:
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=self._codegen._loopvect, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        passes.run(self._final_module, builder)
        self._is_rough = _can_be_rough(self._final_module)
        if not self._is_rough:
            _optimise(self)

    if knows(library._optimize_final_module, *_OPTIMISING) and import_module("numba.core.config").LLVM_REFPRUNE_PASS:
        library._optimize_final_module = look_over


def _optimise(library: Any) -> None:
    passes, builder = library._codegen._module_pass_manager()
    passes.run(library._final_module, builder)


def _can_be_rough(module: Any) -> bool:
    """Whether callers may take a function in before it is optimised beyond the first look.

    Trees and machines rather gain. Loops of nearest neighbours have to become vector instructions before: afterwards
    they became slower ones, and segment took 1.37 times as long.
    """
    ours = [each.name for each in module.functions if not each.is_declaration and _OURS in each.name]
    return not ours or any(part in name for part in _ROUGH for name in ours)


def _lend_later(target: Any) -> Callable[[Any, Any], None]:
    """What Python lends a function waits, too; what is returned hands it to all functions of a module."""
    environments: Any = import_module("numba.core.environment").Environment._memo
    bind, lent = target.set_env, dict[str, Any]()

    def bind_later(self: Any, name: str, environment: Any) -> None:
        if self._engine.is_symbol_defined(name):
            bind(self, name, environment)
        else:
            lent[name] = environment

    def lend(self: Any, module: Any) -> None:
        for place in module.global_variables:
            environment = lent.get(place.name) or environments.get(place.name)
            if environment is not None:
                bind(self, place.name, environment)

    target.set_env = bind_later
    return lend


def _waits(library: Any) -> bool:
    return getattr(library, "_waits", False)


def _can_wait(library: Any, module: Any) -> bool:
    """Not what has machine code from an earlier time, nor what may be waited for.

    Of functions that call each other numba tells one the address of the other as soon as that has machine code.
    """
    if getattr(library, "_compiled_object", None) or library.codegen._rtlinker._unresolved:
        return False
    if any(place.name.startswith(".numba.unresolved$") for place in module.global_variables):
        # numba is about to ask for this one, at a time when no other machine code may be made
        import_module("numba.core.runtime").rtsys.library.get_pointer_to_function("nrt_unresolved_abort")
        return False
    return True


def _defines(module: Any, name: str) -> bool:
    try:
        return not module.get_function(name).is_declaration
    except NameError:
        return False
