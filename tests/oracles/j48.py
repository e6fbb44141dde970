"""J48 the long way: what C4.5 release 8 does as Weka 3.6 has it, in plain Python, one row and one node after another.

It shares nothing with the kernels, and keeps none of their shortcuts: rows are sorted anew in each node, the tree is
grown whole, then collapsed from the top, then pruned from the bottom. Written from J. R. Quinlan, C4.5: Programs for
Machine Learning (1993), and Improved Use of Continuous Attributes in C4.5, JAIR 4 (1996); where these leave a choice,
what Weka prints settles it: ``test_c45_against_reference.py`` first holds this file against all that is kept of Weka.
"""

from dataclasses import dataclass, field
from math import log2, sqrt
from statistics import NormalDist

import numpy as np

SMALL = 1e-6


@dataclass(frozen=True)
class Options:
    min_rows: float = 2
    pruned: bool = True
    confidence: float = 0.25
    raising: bool = True
    laplace: bool = False
    gap: float = 1e-5


@dataclass
class Node:
    """``rows`` and ``weights`` are what came here; ``bags`` (branches, classes) what goes down each branch."""

    rows: np.ndarray
    weights: np.ndarray
    bags: np.ndarray
    feature: int = -1
    threshold: float = np.nan
    sons: list["Node"] = field(default_factory=list)

    @property
    def is_empty(self):
        return abs(self.weights.sum()) < SMALL


class J48:
    def __init__(self, x, levels, target, classes, options=None):
        self.x, self.levels, self.target, self.classes = x, levels, target, classes
        self.options = options or Options()

    def fit(self, rows, weights):
        self.rows = rows
        self.root = self._grown(rows, np.asarray(weights, dtype=float))
        self._collapse(self.root)
        if self.options.pruned:
            self._prune(self.root)
        return self

    def scores(self, row):
        return self._shares(self.root, row, self.options.laplace)

    def predict(self, row):
        best, largest = 0, 0.0
        for each, share in enumerate(self._shares(self.root, row, False)):
            if share - largest > SMALL:
                best, largest = each, share
        return best

    # Growing

    def _grown(self, rows, weights):
        node = Node(rows, weights, self._counts(rows, weights)[None, :])
        self._choose(node)
        if node.feature >= 0:
            node.sons = [self._grown(*part) for part in self._parts(node, rows, weights)]
        return node

    def _counts(self, rows, weights):
        return np.bincount(self.target[rows], weights=weights, minlength=self.classes).astype(float)

    def _choose(self, node):
        """Turn a leaf into a question where one pays."""
        rows, weights, total = node.rows, node.weights, node.weights.sum()
        if 2 * self.options.min_rows - total > SMALL or abs(total - node.bags.max()) < SMALL:
            return
        many = [count > 0 and not 0.3 * len(self.rows) - count > SMALL for count in self.levels]
        found = {}
        for feature in range(self.x.shape[1]):
            split = (self._nominal if self.levels[feature] else self._numeric)(feature, rows, weights, total)
            if split is not None:
                found[feature] = split
        counted = [gain for feature, (gain, _, _) in found.items() if all(many) or not many[feature]]
        if not counted:
            return
        best = 0.0
        for feature, (gain, bags, threshold) in found.items():
            if gain >= sum(counted) / len(counted) - 1e-3 and self._ratio(gain, bags, total) - best > SMALL:
                best = self._ratio(gain, bags, total)
                node.feature, node.bags, node.threshold = feature, bags, threshold
        if node.feature < 0:
            return
        if not self.levels[node.feature]:
            node.threshold = self._settled(node.feature, node.threshold)
        node.bags = self._with_unknown(node.bags, node.feature, rows, weights)

    def _nominal(self, feature, rows, weights, total):
        bags = np.zeros((self.levels[feature], self.classes))
        for row, weight in zip(rows, weights, strict=True):
            if not np.isnan(self.x[row, feature]):
                bags[int(self.x[row, feature]), self.target[row]] += weight
        if sum(size - self.options.min_rows > -SMALL for size in bags.sum(axis=1)) < 2:
            return None
        return self._gain(bags, total), bags, np.nan

    def _numeric(self, feature, rows, weights, total):
        values = self.x[rows, feature]
        order = np.argsort(values, kind="stable")
        order = order[: len(order) - np.isnan(values).sum()]
        values, target, weights = values[order], self.target[rows[order]], weights[order]
        known = weights.sum()
        least = 0.1 * known / self.classes
        least = self.options.min_rows if least - self.options.min_rows < SMALL else min(least, 25.0)
        if 2 * least - len(values) > SMALL:
            return None
        left = np.cumsum(np.eye(self.classes)[target] * weights[:, None], axis=0)[:-1]
        bags = np.stack([left, np.bincount(target, weights=weights, minlength=self.classes) - left], axis=1)
        is_cut = (values[:-1] + self.options.gap < values[1:]) & (bags.sum(axis=2).min(axis=1) - least > -SMALL)
        best, where, bags = 0.0, -1, bags[is_cut]
        for place, gain in enumerate(self._gain(bags, total).tolist()):
            if gain - best > SMALL:
                best, where = gain, place
        if where < 0 or best - log2(len(bags)) / total < SMALL:
            return None
        low, high = values[:-1][is_cut][where], values[1:][is_cut][where]
        middle = (low + high) / 2 if np.isfinite(low + high) else low / 2 + high / 2
        return best - log2(len(bags)) / total, bags[where], low if middle == high else middle

    def _gain(self, bags, total):
        """(...,) information for each row of any value, of (..., branches, classes); rows without one gain nothing."""
        known = bags.sum(axis=(-2, -1))
        entropy = _plogp(known) - _plogp(bags.sum(axis=-2)).sum(axis=-1)
        left = _plogp(bags.sum(axis=-1)).sum(axis=-1) - _plogp(bags).sum(axis=(-2, -1))
        gained = known / total * (entropy - left)
        return np.where(abs(gained) < SMALL, 0.0, gained) / known

    def _ratio(self, gain, bags, total):
        split = _plogp(total) - _plogp(total - bags.sum()) - _plogp(bags.sum(axis=1)).sum()
        return 0.0 if abs(split) < SMALL else gain * total / split

    def _settled(self, feature, middle):
        """Largest value of any training row that is not above the cut."""
        largest = -np.inf
        for value in self.x[self.rows, feature]:
            if not np.isnan(value) and value - largest > self._reach and self._is_below(value, middle):
                largest = value
        return largest

    @property
    def _reach(self):
        return self.options.gap / 10

    def _is_below(self, value, threshold):
        return value <= threshold or value - threshold < self._reach

    def _with_unknown(self, bags, feature, rows, weights):
        sizes = bags.sum(axis=1)
        shares = sizes / sizes.sum() if sizes.sum() >= SMALL else np.full(len(sizes), 1 / len(sizes))
        lost = np.isnan(self.x[rows, feature])
        return bags + shares[:, None] * self._counts(rows[lost], weights[lost])

    def _branch(self, node, row):
        value = self.x[row, node.feature]
        if np.isnan(value):
            return -1
        return int(value) if self.levels[node.feature] else int(not self._is_below(value, node.threshold))

    def _parts(self, node, rows, weights, bags=None):
        """Rows and weights of each branch."""
        sizes = (node.bags if bags is None else bags).sum(axis=1)
        parts = [([], []) for _ in sizes]
        for row, weight in zip(rows, weights, strict=True):
            branch = self._branch(node, row)
            for each, (own, heavy) in enumerate(parts):
                share = sizes[each] / sizes.sum() if branch < 0 else float(each == branch)
                if share > (SMALL if branch < 0 else 0.0):
                    own.append(row)
                    heavy.append(weight * share if branch < 0 else weight)
        return [(np.array(own, dtype=int), np.array(heavy, dtype=float)) for own, heavy in parts]

    # Pruning

    def _errors(self, node):
        """Training rows that the leaves below get wrong."""
        if node.sons:
            return sum(map(self._errors, node.sons))
        return _wrong(self._counts(node.rows, node.weights))

    def _collapse(self, node):
        if node.sons and self._errors(node) >= _wrong(node.bags.sum(axis=0)) - 1e-3:
            self._cut_off(node)
        for son in node.sons:
            self._collapse(son)

    def _cut_off(self, node):
        node.bags, node.feature, node.sons = node.bags.sum(axis=0)[None, :], -1, []

    def _estimate(self, counts):
        """Pessimistic errors of a leaf (Quinlan 1993, section 4.2)."""
        total = counts.sum()
        return 0.0 if abs(total) < SMALL else _wrong(counts) + _added(total, _wrong(counts), self.options.confidence)

    def _estimated(self, node):
        return sum(map(self._estimated, node.sons)) if node.sons else self._estimate(node.bags.sum(axis=0))

    def _estimated_with(self, node, rows, weights):
        if not node.sons:
            return self._estimate(self._counts(rows, weights))
        parts = self._parts(node, rows, weights, self._sent(node, rows, weights))
        return sum(self._estimated_with(son, *part) for son, part in zip(node.sons, parts, strict=True))

    def _sent(self, node, rows, weights):
        """What goes down each branch of a node that gets these rows."""
        bags = np.zeros((len(node.sons), self.classes))
        for row, weight in zip(rows, weights, strict=True):
            if self._branch(node, row) >= 0:
                bags[self._branch(node, row), self.target[row]] += weight
        return self._with_unknown(bags, node.feature, rows, weights)

    def _prune(self, node):
        for son in node.sons:
            self._prune(son)
        while node.sons:
            largest, most = -1, 0.0
            for each, size in enumerate(node.bags.sum(axis=1)):
                if most - size < SMALL:
                    largest, most = each, size
            as_leaf, as_tree, raised = self._estimate(node.bags.sum(axis=0)), self._estimated(node), np.inf
            if self.options.raising:
                raised = self._estimated_with(node.sons[largest], node.rows, node.weights)
            if as_leaf - (as_tree + 0.1) < SMALL and as_leaf - (raised + 0.1) < SMALL:
                self._cut_off(node)
            if not node.sons or raised - (as_tree + 0.1) >= SMALL:
                return
            son = node.sons[largest]
            node.feature, node.threshold, node.sons = son.feature, son.threshold, son.sons
            self._receive(node, node.rows, node.weights)
            for each in node.sons:
                self._prune(each)

    def _receive(self, node, rows, weights):
        node.rows, node.weights = rows, weights
        if not node.sons:
            node.bags = self._counts(rows, weights)[None, :]
            return
        node.bags = self._sent(node, rows, weights)
        for son, part in zip(node.sons, self._parts(node, rows, weights), strict=True):
            self._receive(son, *part)

    # Asking

    def _shares(self, node, row, laplace):
        if not node.sons:
            return _frequencies(node.bags.sum(axis=0), laplace)
        branch, sizes = self._branch(node, row), node.bags.sum(axis=1)
        if branch < 0:
            parts = zip(sizes / sizes.sum(), node.sons, strict=True)
            return sum(share * self._shares(son, row, laplace) for share, son in parts if not son.is_empty)
        if node.sons[branch].is_empty:
            return _frequencies(node.bags.sum(axis=0), laplace)
        return self._shares(node.sons[branch], row, laplace)

    # Printing

    def printed(self):
        """The tree as Weka prints it."""
        if not self.root.sons:
            return [f": {self._label(self.root, self.root.bags.sum(axis=0))}"]
        return self._lines(self.root, "")

    def _lines(self, node, indent):
        lines = []
        for branch, son in enumerate(node.sons):
            answer = f"= v{branch}" if self.levels[node.feature] else f"{'<>'[branch]} {_number(node.threshold)}"
            question = f"{indent}f{node.feature} {answer.replace('<', '<=')}"
            if son.sons:
                lines += [question, *self._lines(son, indent + "|   ")]
            else:
                counts = node.bags.sum(axis=0) if son.is_empty else son.bags.sum(axis=0)
                lines.append(f"{question}: {self._label(son, counts)}")
        return lines

    def _label(self, node, counts):
        total, wrong = (0.0, 0.0) if node.is_empty else (counts.sum(), _wrong(counts))
        parts = [np.floor(value * 100 + 0.5) / 100 for value in ([total, wrong] if wrong > SMALL else [total])]
        winner = 0
        for each, size in enumerate(counts):
            winner = each if size - counts[winner] > SMALL else winner
        return f"c{winner} ({'/'.join(str(float(part)) for part in parts)})"


def _plogp(x):
    return x * np.log2(np.maximum(x, SMALL)) * (x >= SMALL)


def _wrong(counts):
    return counts.sum() - counts.max()


def _added(total, errors, confidence):
    """By how much the upper confidence limit of a binomial exceeds the errors that were seen."""
    if errors < 1:
        none = total * (1 - confidence ** (1 / total))
        return none if errors == 0 else none + errors * (_added(total, 1.0, confidence) - none)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    z, f = NormalDist().inv_cdf(1 - confidence), (errors + 0.5) / total
    spread = z * sqrt(f / total - f * f / total + z * z / (4 * total * total))
    return (f + z * z / (2 * total) + spread) / (1 + z * z / total) * total - errors


def _frequencies(counts, laplace):
    return (counts + laplace) / (counts.sum() + laplace * len(counts))


def _number(value):
    rounded = np.floor(abs(value) * 1e6 + 0.5) / 1e6
    return ("-" if value < 0 and rounded else "") + f"{rounded:.6f}".rstrip("0").rstrip(".")
