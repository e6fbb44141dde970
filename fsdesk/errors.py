"""The few errors that a user can cause, each a sentence that says what is wrong, where, and what to do."""

__all__ = ["DataError", "ProjectError", "SettingsError", "UserError", "WorkerError", "WrapperError"]


class UserError(ValueError):
    """Base of all errors that a user can cause; ``str(error)`` is the sentence to show."""


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
