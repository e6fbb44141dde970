"""What numba does for nothing while it compiles, left out.

These are put in the place of methods of numba's and answer the same. Where numba is not as they know it, its own stay:
it compiles more slowly then, not wrongly.
"""

from functools import cache, partial
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from fsdesk.kernels.damage import forgive_damage
from fsdesk.kernels.lazily import compile_when_called, knows

__all__ = ["hasten"]

_PLACE = {"filename", "line", "col", "lines", "maybe_decorator"}
_AFTER_PASSES = {
    *("transforms", "canonicalize_cfg", "func_ir", "blocks", "VariableLifetime", "variable_lifetime", "analysis"),
    *("compute_live_variables", "cfg", "usedefs", "defmap", "deadmaps", "combined", "items", "block_entry_vars"),
    *("is_generator", "GeneratorInfo", "generator_info", "_compute_generator_info", "_insert_var_dels"),
}
_TAKEN_OVER = {"nrt", "fastmath", "error_model", "forceinline"}  # by what is compiled for a caller, of its settings
_FINALIZED = {
    *_TAKEN_OVER,
    *("enable_pyobject", "enable_looplift", "debuginfo", "dbg_extend_lifetimes", "boundscheck", "default"),
    *("python", ("default",), True, False, None),
}
_COUNTING = (
    *("_context", "data_model_manager", "traverse", "has_nrt_meminfo", "get_nrt_meminfo", "append"),
    *("get_meminfos", "extend"),
)
_SCOPE = {"parent", "localvars", "loc", "redefined", "var_redefinitions"}
_MANY_BLOCKS, _MANY_STEPS = 500, 20_000  # of a function that takes long to optimise
_OURS = "fsdesk.kernels."
_LEAF, _VARIABLE, _PART, _MANY, _NAMED = range(5)  # what a value in numba's own form of a function may be


@cache
def hasten() -> None:
    """Have numba compile faster in this process; once is enough."""
    from numba.core import base, codegen, postproc, targetconfig, transforms
    from numba.core import ir as numba_ir
    from numba.core import ssa as numba_ssa
    from numba.core.cpu import CPUTargetOptions
    from numba.core.decorators import jit
    from numba.core.runtime.context import NRTContext
    from numba.core.types import functions
    from numba.core.typing import templates

    ir: Any = numba_ir
    ssa: Any = numba_ssa
    if set(vars(ir.Scope(None, ir.unknown_loc))) == _SCOPE and not hasattr(ir.Scope, "__deepcopy__"):
        _copy_scopes_quickly(ir)
    if getattr(targetconfig.TargetConfig, "__slots__", None) == ["_values"]:
        _compare_settings_quickly(targetconfig.TargetConfig)
    names = ("isinstance", "Var", "Inst", "list_vars", "list", "tuple", "extend", "_rec_list_vars", "dict", "values")
    if knows(ir.Inst._rec_list_vars, *names):
        _list_variables_quickly(ir)
    searching = set(functions.BaseFunction.get_call_type.__code__.co_names)
    if searching >= {"_impl_keys", "templates", "apply", "raise_error"}:
        _remember_operators(functions.BaseFunction, targetconfig.ConfigStack)
    template = templates._OverloadFunctionTemplate
    asked = ("targetconfig", "ConfigStack", "top_or_none", "context", "tuple", "items")
    if (
        knows(template._get_impl, *asked, "_impl_cache", "KeyError", "_build_impl")
        and _TAKEN_OVER < {*CPUTargetOptions.finalize.__code__.co_consts} <= _FINALIZED
    ):
        _share_implementations(template, targetconfig.ConfigStack, jit)
    if set(vars(ir.unknown_loc)) == _PLACE and not hasattr(ir.Loc, "__deepcopy__"):
        ir.Loc.__deepcopy__ = lambda place, memo: place  # a statement has several, and none ever changes
    steps = ("_logger", "debug", "ir", "Block", "scope", "loc", "_run_ssa_block_pass", "append", "body")
    if knows(ssa._run_block_rewrite, "items", *steps):
        _rename_where_it_occurs(ssa, ir.Block)
    if set(postproc.PostProcessor.run.__code__.co_names) == _AFTER_PASSES:
        _leave_live_variables(postproc.PostProcessor, postproc.VariableLifetime, transforms.canonicalize_cfg)
    _time_nothing()
    library = codegen.CPUCodeLibrary
    if set(library._optimize_functions.__code__.co_names) >= {"_data_layout", "functions", "_function_pass_manager"}:
        _open_bundles_first(library)
    refreshing = ("load_additional_registries", "install_registry", "builtin_registry", "typing_context", "refresh")
    if knows(base.BaseContext.refresh, *refreshing):
        _refresh_if_registered(base.BaseContext)
    if knows(NRTContext.get_meminfos, *_COUNTING):
        _count_references_only(NRTContext)
    compile_when_called()
    forgive_damage()


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
    memory: dict[int, tuple[Any, ...]] = {}  # by identity, as settings have no room; they stay, so that it stays theirs

    def told(one: Any) -> Any:
        """What differs from the defaults, and a number for it; found anew once anything was set."""
        kept = memory.get(id(one))
        if kept is None or kept[3] != one._values:
            values, options = dict(one._values), one.options
            set_ = {name: value for name, value in values.items() if value != options[name].default}
            kept = memory[id(one)] = (one, set_, hash(frozenset(set_)), values)
        return kept

    def same(one: Any, other: Any) -> Any:
        if type(one) is not type(other):
            return slowly(one, other)
        return one is other or bool(told(one)[1] == told(other)[1])

    settings.__eq__ = same
    settings.__hash__ = lambda one: told(one)[2]


def _list_variables_quickly(ir: Any) -> None:
    """Passes ask each statement for its variables many times, and most of what it holds is none."""

    class Kinds(dict[type, int]):
        def __missing__(self, kind: type) -> int:
            of = ((ir.Var, _VARIABLE), (ir.Inst, _PART), ((list, tuple), _MANY), (dict, _NAMED))
            found = self[kind] = next((number for classes, number in of if issubclass(kind, classes)), _LEAF)
            return found

    kinds = Kinds()

    def listed(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        parts = (value,)
        kind = kinds[type(value)]
        if kind >= _MANY:
            parts = value if kind == _MANY else value.values()
        for part in parts:
            kind = kinds[type(part)]
            if kind == _VARIABLE:
                found.append(part)
            elif kind == _PART:
                found.extend(part.list_vars())
            elif kind != _LEAF:
                found.extend(listed(self, part))
        return found

    ir.Inst._rec_list_vars = listed


def _remember_operators(function: Any, stack: Any) -> None:
    """An operator on two numbers is looked for among some thirty, each time it occurs, and a message made of each."""
    from numba.core import types

    plain = {types.Integer, types.Float, types.Boolean, types.IntegerLiteral, types.BooleanLiteral, types.Array}
    search = function.get_call_type

    def known(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(type(each) in plain for each in args):
            return search(self, context, args, kws)
        memory = self.__dict__.setdefault("_found", {})
        settings = stack.top_or_none()
        key = context, tuple(args), settings
        if key not in memory:
            signature = search(self, context, args, kws)
            memory[context, tuple(args), settings and settings.copy()] = signature, self._impl_keys[signature.args]
            return signature
        signature, self._impl_keys[signature.args] = memory[key]
        return signature

    function.get_call_type = known


def _share_implementations(template: Any, stack: Any, jit: Any) -> None:
    """What numba has of its own for ``np.empty`` or ``max`` is compiled anew for callers with any other settings.

    Of these it takes over four, and whether there is a door for Python is not among them. A door for C is made of each,
    too, and nobody calls it.
    """
    get, decorator, plain = template._get_impl, template._get_jit_decorator, dict[Any, Any]()

    def shared(self: Any, args: Any, kws: Any) -> Any:
        settings = stack.top_or_none()
        if settings is None:
            return get(self, args, kws)
        if settings not in plain:
            made = plain[settings.copy()] = type(settings)()
            for name in _TAKEN_OVER:
                if settings.is_set(name):
                    setattr(made, name, getattr(settings, name))
        with stack().enter(plain[settings]):
            return get(self, args, kws)

    def without_door(self: Any) -> Any:
        made = decorator(self)
        return partial(made, no_cfunc_wrapper=True) if made is jit else made

    template._get_impl, template._get_jit_decorator = shared, without_door


def _rename_where_it_occurs(ssa: Any, block_class: Any) -> None:
    """For each variable that is assigned to more than once all statements are looked through twice."""
    rewrite, named = ssa._run_block_rewrite, WeakKeyDictionary[Any, set[str]]()

    def names(block: Any) -> set[str]:
        found = named.get(block)
        if found is None:
            found = named[block] = {each.name for statement in block.body for each in statement.list_vars()}
        return found

    def rewritten(blocks: Any, states: Any, handler: Any) -> Any:
        made = {}
        for label, block in blocks.items():
            if states["varname"] in names(block):
                made[label] = rewrite({label: block}, states, handler)[label]
            else:
                made[label] = block_class(scope=block.scope, loc=block.loc)
                made[label].body = list(block.body)
            named[made[label]] = names(block)  # new ones are versions, which are assigned to once
        return made

    ssa._run_block_rewrite = rewritten


def _leave_live_variables(processor: Any, lifetime: Any, canonical: Any) -> None:
    """After each pass it is found which variables live on into each block, and only generators and Python ask.

    Of functions of others, which may be compiled for those, it still is.
    """
    run = processor.run

    def shortly(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        form = self.func_ir
        if emit_dels or form.is_generator or not form.func_id.modname.startswith(_OURS):
            run(self, emit_dels, extend_lifetimes)
            return
        form.blocks = canonical(form.blocks)
        form.variable_lifetime = lifetime(form.blocks)
        form.generator_info = None

    processor.run = shortly


def _time_nothing() -> None:
    """Before and after each of its hundred thousand steps LLVM would tell numba, who would look at the clock."""
    ffi: Any = import_module("llvmlite.binding.ffi")
    for callbacks in list(getattr(getattr(ffi.lib, "_lock", None), "_cblist", ())):
        if [each.__module__ for each in callbacks] == ["numba.core.base"] * 2:
            ffi.unregister_lock_callback(*callbacks)


def _refresh_if_registered(context: Any) -> None:
    """For every operator that is new all registries are looked through, a third of a millisecond each time."""
    refresh, seen = context.refresh, WeakKeyDictionary[Any, tuple[int, int]]()

    def refreshed(self: Any) -> None:
        loaders = (*self._registries.items(), *self.typing_context._registries.items())
        many = sum(len(getattr(each, name)) for each, loader in loaders for name in loader.registry_items)
        known = id(self._registries), many  # copies of a context share its registries
        if seen.get(self.typing_context) != known:
            refresh(self)
            seen[self.typing_context] = known  # as before: what is registered meanwhile may be missing

    context.refresh = refreshed


def _count_references_only(runtime: Any) -> None:
    """Of each array all that there is to know is unpacked, wherever one reference more or less is counted."""
    found: dict[Any, bool] = {}

    def counts(context: Any, builder: Any, kind: Any) -> bool:
        """Whether a value of this type, or a part of it, is counted."""
        known = found.get(kind)
        if known is None:
            model = context.data_model_manager[kind]
            known = found[kind] = model.has_nrt_meminfo() or any(
                counts(context, builder, part) for part, _ in model.traverse(builder)
            )
        return known

    def counted(self: Any, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
        model = self._context.data_model_manager[kind]
        memory = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
        for part, unpacked in model.traverse(builder):
            if counts(self._context, builder, part):
                memory += self.get_meminfos(builder, part, unpacked(value))
        return memory

    runtime.get_meminfos = counted


def _open_bundles_first(library: Any) -> None:
    """In a long function that hands on tuples of arrays, LLVM takes long to see that only parts of them are used.

    A look at single steps before shows it.
    """
    optimised = library._optimize_functions
    llvm: Any = import_module("llvmlite.binding")

    def opened(self: Any, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            blocks = list(function.blocks)
            if len(blocks) > _MANY_BLOCKS and sum(1 for block in blocks for _ in block.instructions) > _MANY_STEPS:
                passes = llvm.create_new_function_pass_manager()
                passes.add_instruction_combine_pass()
                passes.run(function, self._codegen._pass_builder())
        optimised(self, module)

    if hasattr(llvm, "create_new_function_pass_manager"):
        library._optimize_functions = opened
