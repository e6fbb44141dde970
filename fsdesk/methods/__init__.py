"""Search methods: one module per method or family, registered in ``METHODS`` under the name used by users."""

from fsdesk.methods import (
    annealing,
    ant_colony,
    auto,
    bga,
    bspsa,
    bspsa_h,
    bspsa_r,
    cspsa,
    exhaustive,
    fdsa,
    filters,
    full,
    particle_swarm,
    random_search,
    ranking,
    sequential,
    spsa2,
    spsa_bb,
    tabu,
)
from fsdesk.methods.problem import (
    METHODS,
    End,
    Filter,
    Loss,
    Mask,
    Method,
    Model,
    Problem,
    Proposal,
    Rows,
    Search,
    Subsets,
    check_start,
)

DEFAULT_METHOD = "auto"
"""The default method, also as a recommendation."""

__all__ = [
    "DEFAULT_METHOD",
    "METHODS",
    "End",
    "Filter",
    "Loss",
    "Mask",
    "Method",
    "Model",
    "Problem",
    "Proposal",
    "Rows",
    "Search",
    "Subsets",
    "check_start",
]
