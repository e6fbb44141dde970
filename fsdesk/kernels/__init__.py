"""The measuring loops, in C++: the module ``_core``, documented in ``_core.pyi``."""

__all__: list[str] = []
