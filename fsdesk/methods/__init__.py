"""Search methods: one file each, entered in ``METHODS`` under the name that users type."""

from fsdesk.methods import bspsa
from fsdesk.methods.problem import METHODS, End, Filter, Loss, Mask, Method, Problem, Proposal, Search

__all__ = ["METHODS", "End", "Filter", "Loss", "Mask", "Method", "Problem", "Proposal", "Search", "bspsa"]
