"""The measuring loops, in C++: the module ``_core``, which ``_core.pyi`` explains."""

__all__: list[str] = []
