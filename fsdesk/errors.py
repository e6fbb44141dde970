"""The few errors that a user can cause, each a sentence that says what is wrong, where, and what to do."""

from fsdesk.messages import Message, message


class UserError(ValueError):
    """Base of all errors that a user can cause; ``str(error)`` is the sentence to show, as a message.

    Parameters
    ----------
    template, values
        As for :func:`fsdesk.messages.message`: ``DataError('"{name}" has no rows; choose another file.', name=name)``.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template if isinstance(template, Message) else message(template, **values))


class DataError(UserError):
    """A table cannot be read or used."""


class SettingsError(UserError):
    """A setting, method or wrapper is unknown or out of bounds."""


class ProjectError(UserError):
    """A project file cannot be opened, read or written."""


class WorkerError(UserError):
    """A worker process died or could not be started."""


class WrapperError(UserError):
    """A model could not be trained or asked."""
