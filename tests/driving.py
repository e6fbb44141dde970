"""Driving a search by hand: given draws, given losses, all its proposals."""

import numpy as np

from fsdesk.measure import Measurement


class Signs:
    """A generator whose Bernoulli draws are given."""

    def __init__(self, *rows):
        self.rows = iter(rows)

    def integers(self, low, high, size):
        return np.array(next(self.rows))


def loss_of(value):
    """A measurement of one repeat."""
    return Measurement(np.array([value]))


def losses_of(values):
    """Measurements of one repeat each."""
    return [loss_of(value) for value in values]


def drive(search, loss):
    """All proposals of a search that hears ``loss(mask, number)``, and how it ended."""
    proposals, number = [], 0
    try:
        proposal = next(search)
        while True:
            proposals.append(proposal)
            numbers = range(number, number + len(proposal.masks))
            number = numbers.stop
            proposal = search.send(
                [loss_of(loss(mask, each)) for mask, each in zip(proposal.masks, numbers, strict=True)]
            )
    except StopIteration as end:
        return proposals, end.value


def noisy(mask, number):
    """Every second feature is good, and each measurement has its own noise."""
    return 0.5 - 0.2 * mask[::2].mean() + 0.02 * np.random.default_rng(number).normal()


def planted_loss(answer, step):
    """The loss of a problem whose best subset is ``answer``: every feature in or out against it costs a step."""
    return lambda mask, number: 0.1 + step * (mask != answer).sum()


def proposes(proposals, answer):
    """Whether the answer was among the candidates."""
    pairs = (pair for each in proposals for pair in zip(each.masks, each.candidates, strict=True))
    return any(candidate and np.array_equal(mask, answer) for mask, candidate in pairs)
