"""Controls to pause, stop and steer a running task, which polls them between steps; methods are not involved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine.events import Steered
from fsdesk.engine.request import RunSpec, Space
from fsdesk.errors import SettingsError
from fsdesk.messages import message
from fsdesk.methods import Mask, Proposal


class Control(Protocol):
    """What a task asks between two steps; ``wants`` and ``halts`` may be asked in the middle of a long one."""

    def wants(self) -> bool:
        """Whether the user wants anything now; says so at once."""

    def halts(self) -> bool:
        """Whether the user wants it to stop, for which a measurement is given up; says so at once."""

    def should_stop(self) -> bool:
        """Wait while paused; then say whether to stop."""

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """What the user wants changed before measurement ``number``; each change is returned once."""


class Flag:
    """The simplest control: somebody sets ``stop``, from a signal handler for one."""

    def __init__(self) -> None:
        self.stop = False

    def wants(self) -> bool:
        """Whether to stop is all that anybody can want."""
        return self.stop

    def halts(self) -> bool:
        """Whether to stop."""
        return self.stop

    def should_stop(self) -> bool:
        """Say whether to stop."""
        return self.stop

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """Nobody steers."""
        return ()


class SteeringFilter:
    """Turns the masks that a method asks for into those that the user allows: f(m) becomes f(P(m)).

    P puts all pinned features in and all banned ones out; where that leaves nothing, the allowed feature of most
    weight stands alone.

    Attributes
    ----------
    pinned, banned
        (p,) what is always, and never, in from now on.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        p = len(space.dataset.features)
        self.pinned: Mask = np.zeros(p, dtype=np.bool_)
        self.banned: Mask = np.zeros(p, dtype=np.bool_)
        self._before: list[tuple[Mask, Mask]] = []

    def change(self, change: Steered) -> Steered:
        """Do what the user wants from now on.

        Returns
        -------
        The event for the log: with the names that go together with those that were named, or why it was not done.
        """
        space = self._space
        try:
            pin, ban, free = (space.with_companions(names) for names in (change.pin, change.ban, change.free))
        except SettingsError as error:
            return replace(change, refused=str(error))
        pinned = (self.pinned | pin) & ~(ban | free)
        banned = (self.banned | ban) & ~(pin | free)
        if not (pinned | (space.searched & ~banned)).any():
            return replace(change, refused=message("no feature would be left to choose among"))
        if not (np.array_equal(pinned, self.pinned) and np.array_equal(banned, self.banned)):
            self._before.append((self.pinned, self.banned))
        self.pinned, self.banned = pinned, banned
        pins, bans = space.names(pin & ~(ban | free)), space.names(ban & ~(pin | free))
        return replace(change, pin=pins, ban=bans, free=space.names(free))

    def mask(self, mask: Mask, weights: NDArray[np.float64] | None = None) -> Mask:
        """P of a (p,) mask; ``weights`` (p,) choose the feature that stands alone where nothing else is left."""
        if not self._before:
            return mask
        steered: Mask = (mask | self.pinned) & ~self.banned
        if not steered.any():
            allowed = np.flatnonzero(self._space.searched & ~self.banned)
            place = 0 if weights is None else int(np.argmax(weights[allowed]))
            steered |= self._space.with_companions(self._space.names_at(allowed[place : place + 1]))
        return steered

    def weights(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """(p,) weights with 1 for what is pinned and 0 for what is banned."""
        return np.where(self.banned, 0.0, np.where(self.pinned, 1.0, weights)) if self._before else weights

    def steered(self, proposal: Proposal) -> Proposal:
        """A proposal in features as the user allows it."""
        if not self._before:
            return proposal
        weights = proposal.weights
        masks = [self.mask(mask, weights) for mask in proposal.masks]
        return replace(proposal, masks=masks, weights=None if weights is None else self.weights(weights))

    def always_gave(self, mask: Mask) -> bool:
        """Whether P made the same of this mask at all times of the run, so that all its measurements still count."""
        now = self.mask(mask)
        return all(np.array_equal((mask | pinned) & ~banned, now) for pinned, banned in self._before)


def more_of(spec: RunSpec, *, measurements: int = 0, iterations: int = 0, minutes: float = 0.0) -> Steered:
    """The change that extends a run by a number of measurements, iterations or minutes.

    For a method that counts iterations, extra measurements are converted into iterations, and vice versa.

    Raises
    ------
    SettingsError
        If the run has no such limit, so that raising it would have no effect.
    """
    method, units = spec.method_at_work(), spec.units or spec.features
    most = getattr(method, "max_iterations", 0) or None
    if minutes and not method.max_minutes:
        raise SettingsError("This run has no limit of time: extend its measurements instead.")
    if iterations and most is None:
        raise SettingsError("This run has no limit of iterations: extend its measurements instead.")
    if measurements and most is None and method.ends_by_itself and not method.max_measurements:
        raise SettingsError("This run ends when its method has nothing left to try: more measurements change nothing.")
    if most is not None and (measurements or iterations):
        longer = method.model_copy(update={"max_iterations": most + 1})
        each = max(1, longer.measurements(units) - method.measurements(units))
        iterations = iterations or -(-measurements // each)
        measurements = measurements or iterations * each
    return Steered(measurements=measurements, iterations=iterations, minutes=minutes)


@dataclass
class Repeated:
    """A control that steers as another run was steered: the same changes at the same measurements.

    Parameters
    ----------
    control
        Who stops it.
    steerings
        The events of that run, in order.
    """

    control: Control
    steerings: Sequence[Steered]
    taken: int = 0

    def wants(self) -> bool:
        """Whether who stops it wants anything now."""
        return self.control.wants()

    def halts(self) -> bool:
        """Whether who stops it wants that now."""
        return self.control.halts()

    def should_stop(self) -> bool:
        """Wait while paused; then say whether to stop."""
        return self.control.should_stop()

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """The changes whose measurement has come."""
        due = list(takewhile(lambda each: each.number <= number, self.steerings[self.taken :]))
        self.taken += len(due)
        return due
