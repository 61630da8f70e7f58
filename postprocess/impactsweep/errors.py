"""The exceptions of the package. Their messages are those of the program, or as complete as those."""


class Error(Exception):
    """The base of all exceptions of the package."""


class InputError(Error, ValueError):
    """Bad input, which the caller can correct: a name, a value, a config, a file. The message has a line for
    every error of the call."""


class MissingFile(InputError, FileNotFoundError):
    """There is no such file."""

    __str__ = Exception.__str__


class ProgramError(Error, RuntimeError):
    """The program or the library was not found, or failed."""


class Unfinished(UserWarning):
    """The file holds less than its config asks for: cells are pending, or it is one of several parts."""
