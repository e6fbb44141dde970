"""Controls to pause, stop and change a running task, which polls them between steps; methods are not involved."""

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
    """Polled by a task between steps; ``wants`` and ``halts`` may be called during a long step."""

    def wants(self) -> bool:
        """Whether there is a request; returns immediately."""

    def halts(self) -> bool:
        """Whether to stop and abandon the current measurement; returns immediately."""

    def should_stop(self) -> bool:
        """Wait while paused; then return whether to stop."""

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """The user's changes to apply before measurement ``number``; each change is returned once."""


class Flag:
    """The simplest control: ``stop`` is set from elsewhere, such as a signal handler."""

    def __init__(self) -> None:
        self.stop = False

    def wants(self) -> bool:
        """Whether to stop, the only possible request."""
        return self.stop

    def halts(self) -> bool:
        """Whether to stop."""
        return self.stop

    def should_stop(self) -> bool:
        """Return whether to stop."""
        return self.stop

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """No changes: this control has none."""
        return ()


class SteeringFilter:
    """Converts the masks proposed by a method into those allowed by the user: f(m) becomes f(P(m)).

    P adds all pinned features and removes all banned ones; if nothing is left, the allowed feature with the largest
    weight is used.

    Attributes
    ----------
    pinned, banned
        (p,) features always, and never, selected from now on.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        p = len(space.dataset.features)
        self.pinned: Mask = np.zeros(p, dtype=np.bool_)
        self.banned: Mask = np.zeros(p, dtype=np.bool_)
        self._before: list[tuple[Mask, Mask]] = []

    def change(self, change: Steered) -> Steered:
        """Apply the user's change from now on.

        Returns
        -------
        The event for the log: with names that belong together with the given ones, or why it was not applied.
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
        """P of a (p,) mask; ``weights`` (p,) determine the feature used if nothing else is left."""
        if not self._before:
            return mask
        steered: Mask = (mask | self.pinned) & ~self.banned
        if not steered.any():
            allowed = np.flatnonzero(self._space.searched & ~self.banned)
            place = 0 if weights is None else int(np.argmax(weights[allowed]))
            steered |= self._space.with_companions(self._space.names_at(allowed[place : place + 1]))
        return steered

    def weights(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """(p,) weights with 1 for pinned features and 0 for banned ones."""
        return np.where(self.banned, 0.0, np.where(self.pinned, 1.0, weights)) if self._before else weights

    def steered(self, proposal: Proposal) -> Proposal:
        """A proposal in features as allowed by the user."""
        if not self._before:
            return proposal
        weights = proposal.weights
        masks = [self.mask(mask, weights) for mask in proposal.masks]
        return replace(proposal, masks=masks, weights=None if weights is None else self.weights(weights))

    def always_gave(self, mask: Mask) -> bool:
        """Whether P has mapped this mask to the same one throughout the run, so that its measurements remain valid."""
        now = self.mask(mask)
        return all(np.array_equal((mask | pinned) & ~banned, now) for pinned, banned in self._before)


def more_of(spec: RunSpec, *, measurements: int = 0, iterations: int = 0, minutes: float = 0.0) -> Steered:
    """The change that extends a run by a number of measurements, iterations or minutes.

    For a method that counts iterations, extra measurements are converted to iterations, and vice versa.

    Raises
    ------
    SettingsError
        If the run has no such limit, so that raising it would have no effect.
    """
    method, units = spec.method_at_work(), spec.units or spec.features
    most = getattr(method, "max_iterations", 0) or None
    if minutes and not method.max_minutes:
        raise SettingsError("This run has no time limit. Increase its measurement limit instead.")
    if iterations and most is None:
        raise SettingsError("This run has no iteration limit. Increase its measurement limit instead.")
    if measurements and most is None and method.ends_by_itself and not method.max_measurements:
        raise SettingsError(
            "This run ends when its method has nothing left to try, so more measurements would change nothing."
        )
    if most is not None and (measurements or iterations):
        longer = method.model_copy(update={"max_iterations": most + 1})
        each = max(1, longer.measurements(units) - method.measurements(units))
        iterations = iterations or -(-measurements // each)
        measurements = measurements or iterations * each
    return Steered(measurements=measurements, iterations=iterations, minutes=minutes)


@dataclass
class Repeated:
    """A control that repeats another run's changes at the same measurements.

    Parameters
    ----------
    control
        The control that can stop it.
    steerings
        The events of that run, in order.
    """

    control: Control
    steerings: Sequence[Steered]
    taken: int = 0

    def wants(self) -> bool:
        """Whether the stopping control has a request."""
        return self.control.wants()

    def halts(self) -> bool:
        """Whether the stopping control requests a stop now."""
        return self.control.halts()

    def should_stop(self) -> bool:
        """Wait while paused; then return whether to stop."""
        return self.control.should_stop()

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """The changes whose measurement has been reached."""
        due = list(takewhile(lambda each: each.number <= number, self.steerings[self.taken :]))
        self.taken += len(due)
        return due
